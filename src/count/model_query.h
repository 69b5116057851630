/*
 * model_query.h
 *		Privacy models over the columns of a relation, and how the values of these are
 *		distributed there, counted by queries.
 */
#ifndef KANON_MODEL_QUERY_H
#define KANON_MODEL_QUERY_H

#include "postgres.h"

#include "dimension/sensitive_values.h"
#include "nodes/bitmapset.h"

#define MODEL_QUERY_COLUMNS 30 /* different sensitive columns of one call, at most */

typedef struct ModelQuery
{
	SensitiveColumns sensitive; /* after model_query_read with the domains of their values */
	Budget *budget;
	SensitiveDomain *domain; /* [column] after model_query_read */
} ModelQuery;

/*
 * As sensitive_columns_find, with its errors; ERRCODE_TOO_MANY_ARGUMENTS.  In the current context,
 * within a query scope; description, models and budget are kept.
 */
extern ModelQuery *model_query_create(const Description *description, List *models,
									  const char *person, Budget *budget);

/*
 * Reads how the values of each column are distributed in the whole relation, by one GROUP BY
 * each, and their dimensions, as the current user.  Where people count, a NULL person is nobody.
 * Errors: those of dimension_query_load, dimension_query_finish and sensitive_values_finish.
 */
extern void model_query_read(ModelQuery *query);

/* The columns of the models, and the person's, as grouped_rows takes them, added to others. */
extern Bitmapset *model_query_columns(const SensitiveColumns *sensitive, Bitmapset *columns);

/* Errors of model_check_values for each model. */
extern void model_query_check_values(const ModelQuery *query);

/*
 * The code of a value of a column.  description_report_change if it was not there when the column
 * was read.
 */
extern int32 model_query_code(const ModelQuery *query, int column, Datum value, bool is_null);

#endif /* KANON_MODEL_QUERY_H */
