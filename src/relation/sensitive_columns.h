/*
 * sensitive_columns.h
 *		The columns, or fields of rows, that privacy models look at, and the column that identifies
 *		the person.
 */
#ifndef KANON_SENSITIVE_COLUMNS_H
#define KANON_SENSITIVE_COLUMNS_H

#include "postgres.h"

#include "model/model.h"
#include "nodes/pg_list.h"
#include "relation/description.h"

/* A sensitive column; all models on it share one. */
typedef struct SensitiveColumn
{
	DescribedAttribute attribute; /* with its dimension only if a model needs distances */
	int needs;                    /* MODEL_NEEDS_* of its models */
} SensitiveColumn;

typedef struct SensitiveColumns
{
	const Description *description;
	int models;
	const Model **model; /* in the order given */
	int *column_of;      /* [model] */
	int columns;
	SensitiveColumn *column;
	const DescribedAttribute *person; /* its distinct values are counted instead of rows; NULL:
									   * rows are counted */
} SensitiveColumns;

/* Is anything demanded beyond k rows? */
static inline bool
sensitive_columns_demand(const SensitiveColumns *columns)
{
	return columns->models > 0 || columns->person != NULL;
}

/*
 * The columns of models (a List of Model) and of a person, NULL for none; in the current context.
 * Keeps pointers to the description and the models. _unknown takes the description's only attribute
 * for all of them, whatever their names.
 *
 * Errors: a column that does not exist (ERRCODE_UNDEFINED_COLUMN, ERRCODE_AMBIGUOUS_COLUMN), has no
 * order (ERRCODE_UNDEFINED_FUNCTION) or is not a number although the model needs one
 * (ERRCODE_DATATYPE_MISMATCH); a sensitive column that is a quasi-identifier
 * (ERRCODE_INVALID_PARAMETER_VALUE).
 */
extern SensitiveColumns sensitive_columns_find(const Description *description, List *models,
											   const char *person);
extern SensitiveColumns sensitive_columns_unknown(const Description *description, List *models,
												  const char *person);

/* Is the attribute one of them? */
extern bool sensitive_columns_have(const SensitiveColumns *columns,
								   const DescribedAttribute *attribute);

/* ERRCODE_INVALID_PARAMETER_VALUE if the person is a quasi-identifier. */
extern void sensitive_columns_check_person(const SensitiveColumns *columns);

#endif /* KANON_SENSITIVE_COLUMNS_H */
