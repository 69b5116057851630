/*
 * model_query.h
 *		Privacy models over the columns of a relation: which column each one
 *		asks for, and how the values of that column are distributed.
 */
#ifndef KANON_MODEL_QUERY_H
#define KANON_MODEL_QUERY_H

#include "postgres.h"

#include "base/budget.h"
#include "dimension/dimension_query.h"
#include "model/model.h"
#include "nodes/pg_list.h"
#include "relation/description.h"

#define MODEL_QUERY_COLUMNS 30 /* different sensitive columns of one call, at most */

/* A sensitive column, for all the models that ask for it. */
typedef struct SensitiveColumn
{
	DescribedAttribute attribute; /* its dimension only where a model asks for distances */
	int needs;                    /* MODEL_NEEDS_* of these models */
	AttributeDomain *values;
	SensitiveDomain domain; /* after model_query_read */
} SensitiveColumn;

typedef struct ModelQuery
{
	const Description *description;
	Budget *budget;
	int models;
	const Model **model; /* in the order given */
	int *column_of;      /* [model] */
	int columns;
	SensitiveColumn *column;
} ModelQuery;

/*
 * Finds the columns of the models (a List of Model).  In the current context,
 * within a query scope; description, models and budget are kept.
 *
 * Errors: a column that does not exist (ERRCODE_UNDEFINED_COLUMN), that is one
 * of the quasi-identifiers (ERRCODE_INVALID_PARAMETER_VALUE), that cannot be
 * sorted (ERRCODE_UNDEFINED_FUNCTION) or is no number where the model needs one
 * (ERRCODE_DATATYPE_MISMATCH); too many columns (ERRCODE_TOO_MANY_ARGUMENTS).
 */
extern ModelQuery *model_query_create(const Description *description, List *models, Budget *budget);

/*
 * Reads how the values of each column are distributed in the whole relation,
 * by one GROUP BY for each, and their dimensions, as the current user.
 * person: an expression whose distinct values are counted instead of rows, or
 * NULL; a NULL person is nobody.
 *
 * Errors: those of dimension_query_load and dimension_query_finish; a number
 * that is not finite (ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE).
 */
extern void model_query_read(ModelQuery *query, const char *person);

/*
 * The column whose different values are people, or NULL for NULL.  Errors: it
 * does not exist (ERRCODE_UNDEFINED_COLUMN), or its values cannot be told apart
 * (ERRCODE_UNDEFINED_FUNCTION).
 */
extern DescribedAttribute *model_query_person(const Description *description, const char *name);

/* That column as an expression for model_query_read; NULL for NULL. */
extern char *model_query_person_text(const DescribedAttribute *person);

/* Errors of model_check_values for each model. */
extern void model_query_check_values(const ModelQuery *query);

/* Do values of this type (a base type) lie on a scale, for the ordered distance? */
extern bool model_query_is_ordered(Oid type);

/*
 * The code of a value of a column.  Error of description_report_change if it was
 * not there when the column was read.
 */
extern int32 model_query_code(const ModelQuery *query, int column, Datum value, bool is_null);

#endif /* KANON_MODEL_QUERY_H */
