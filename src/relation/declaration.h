/*
 * declaration.h
 *		What owners declare about their columns: writes kanon_attribute.
 *
 * Call all of these within a query scope.  The last two functions serve the event triggers that
 * keep declarations up to date.
 */
#ifndef KANON_DECLARATION_H
#define KANON_DECLARATION_H

#include "postgres.h"

#include "relation/description.h"

typedef struct Declaration
{
	Oid relation;
	const char *attribute;
	AttributeRole role;
	Oid dimension; /* or InvalidOid */
	double weight; /* negative: the weight already declared, or 1 */
	bool keep;     /* a column that already has the role keeps its dimension and weight */
} Declaration;

#define DECLARATION_KEEP_WEIGHT (-1.0)

/*
 * Locks a relation against changes of its columns until the end of the transaction.  Raises
 * ERRCODE_UNDEFINED_TABLE, or ERRCODE_INSUFFICIENT_PRIVILEGE if the current user does not own it.
 */
extern void declaration_claim(Oid relation);

/* Sums of larger weights might not be finite. */
#define DECLARATION_MAX_WEIGHT 1e100

/* Returns the weight, or raises ERRCODE_INVALID_PARAMETER_VALUE if it is negative or too large. */
extern double declaration_weight(double weight);

/*
 * Adds or replaces the declaration of one column.  Errors, besides those of declaration_claim: not
 * a relation with columns; no such column; a dimension that is not a table, has no levels, cannot
 * be cast to the column's type, is temporary although the relation is not, or is useless in this
 * role; a quasi-identifier whose type cannot be sorted.
 */
extern void declaration_set(const Declaration *declaration);

/* Removes a declaration.  Raises ERRCODE_UNDEFINED_OBJECT if there is none. */
extern void declaration_unset(Oid relation, const char *attribute);

/*
 * For an sql_drop event trigger: removes the declarations of dropped objects, dropped levels from
 * rules, and dropped dimensions from the other declarations, with a NOTICE for each.  Does nothing
 * without kanon_attribute, while the extension is created or dropped.
 */
extern void declaration_forget_dropped(void);

/* For a ddl_command_end event trigger: renames a column in declarations and rules. */
extern void declaration_follow_rename(const char *old_name, const char *new_name);

/*
 * Renames it in the models of the rows r of kanon's own table "@table" that the condition chooses;
 * $1 is the old name there, $2 the new one.
 */
extern void declaration_rename_in_models(const char *table, const char *condition,
										 const char *old_name, const char *new_name);

#endif /* KANON_DECLARATION_H */
