/*
 * frequency_query.h
 *		The frequency source over a relation, in one of two ways with the same result.
 */
#ifndef KANON_FREQUENCY_QUERY_H
#define KANON_FREQUENCY_QUERY_H

#include "postgres.h"

#include "dimension/sensitive_values.h"
#include "frequency/frequency_source.h"
#include "utils/guc.h"

typedef enum GroundScan
{
	GROUND_SCAN_AUTO, /* group_by if rows are remote and groups can travel, otherwise stream */
	GROUND_SCAN_STREAM,
	GROUND_SCAN_GROUP_BY
} GroundScan;

extern int frequency_query_ground_scan; /* kanon.ground_scan */
extern const struct config_enum_entry frequency_query_ground_scans[];

/*
 * A source over the quasi-identifiers of a description, in order, which carries its sensitive
 * columns, read by sensitive_values_read, and the person, if any.  Codes of sensitive values are
 * those of their domains; 0 for rows of nobody.  Reads dimension tables at once, and sets the
 * quasi-identifiers' domains; reads the relation on demand.  Call within a query scope; in the
 * current context.
 *
 * Errors: those of dimension_query.h; an empty relation (ERRCODE_INVALID_PARAMETER_VALUE); those of
 * the queries.
 */
extern FrequencySource *frequency_query_create(const Description *description, Budget *budget);

#endif /* KANON_FREQUENCY_QUERY_H */
