/*
 * frequency_query.h
 *		The frequency source that asks the database, in one of two ways with the same
 *		answers.
 */
#ifndef KANON_FREQUENCY_QUERY_H
#define KANON_FREQUENCY_QUERY_H

#include "postgres.h"

#include "count/model_query.h"
#include "frequency/frequency_source.h"
#include "utils/guc.h"

typedef enum GroundScan
{
	GROUND_SCAN_AUTO, /* group_by where rows lie elsewhere and groups can travel, else stream */
	GROUND_SCAN_STREAM,
	GROUND_SCAN_GROUP_BY
} GroundScan;

extern int frequency_query_ground_scan; /* kanon.ground_scan */
extern const struct config_enum_entry frequency_query_ground_scans[];

/*
 * A source over the quasi-identifiers of the models' description, in their order, which carries
 * the columns of the models, already read, and the person, if there is one.  Codes of sensitive
 * values are those of their domains; 0 for rows of nobody.  Reads dimension tables at once, the
 * relation when asked.  Within a query scope; everything in the current context.
 *
 * Errors: those of dimension_query.h; an empty relation (ERRCODE_INVALID_PARAMETER_VALUE);
 * whatever the queries raise.
 */
extern FrequencySource *frequency_query_create(const ModelQuery *models, Budget *budget);

#endif /* KANON_FREQUENCY_QUERY_H */
