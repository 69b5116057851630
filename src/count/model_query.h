/*
 * model_query.h
 *		Privacy models over the columns of a relation, and the distributions of their values, by
 *		queries.
 */
#ifndef KANON_MODEL_QUERY_H
#define KANON_MODEL_QUERY_H

#include "postgres.h"

#include "dimension/sensitive_values.h"
#include "nodes/bitmapset.h"

#define MODEL_QUERY_COLUMNS 30 /* most distinct sensitive columns of one call */

typedef struct ModelQuery
{
	SensitiveColumns sensitive; /* after model_query_read with the domains of its values */
	Budget *budget;
	SensitiveDomain *domain; /* [column] after model_query_read */
} ModelQuery;

/*
 * Like sensitive_columns_find, with its errors; also ERRCODE_TOO_MANY_ARGUMENTS.  In the current
 * context, within a query scope; keeps pointers to description, models and budget.
 */
extern ModelQuery *model_query_create(const Description *description, List *models,
									  const char *person, Budget *budget);

/*
 * Reads the distribution of each column in the whole relation, by one GROUP BY each, and their
 * dimensions, as the current user.  If people count, a NULL person is nobody.  Errors: those of
 * dimension_query_load, dimension_query_finish and sensitive_values_finish.
 */
extern void model_query_read(ModelQuery *query);

/* Adds the columns of the models and the person to a set for grouped_rows. */
extern Bitmapset *model_query_columns(const SensitiveColumns *sensitive, Bitmapset *columns);

/* Raises the errors of model_check_values for each model. */
extern void model_query_check_values(const ModelQuery *query);

/*
 * The code of a column's value.  Calls description_report_change for a value that was absent when
 * the column was read.
 */
extern int32 model_query_code(const ModelQuery *query, int column, Datum value, bool is_null);

#endif /* KANON_MODEL_QUERY_H */
