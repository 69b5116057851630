/*
 * declaration.h
 *		What owners declare about their columns: writing kanon_attribute.
 *
 * All within a query scope.  Two event triggers keep declarations true, by the last two
 * functions.
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
	double weight; /* negative: what is declared already, else 1 */
	bool keep;     /* a column that has the role already keeps its dimension and weight */
} Declaration;

#define DECLARATION_KEEP_WEIGHT (-1.0)

/*
 * Locks a relation against changes of its columns until the end of the transaction.
 * ERRCODE_UNDEFINED_TABLE; ERRCODE_INSUFFICIENT_PRIVILEGE: the current user does not own it.
 */
extern void declaration_claim(Oid relation);

/* Beyond it sums of weights might not be finite. */
#define DECLARATION_MAX_WEIGHT 1e100

/* The weight, or ERRCODE_INVALID_PARAMETER_VALUE if it is negative or too large. */
extern double declaration_weight(double weight);

/*
 * Adds or replaces the declaration of one column.  Errors, besides those of
 * declaration_claim: not a relation with columns; no such column; a dimension
 * that is no table, has no levels, cannot be cast to the column's type, is
 * temporary where the relation is not, or serves no purpose in this role; a
 * quasi-identifier whose type cannot be sorted.
 */
extern void declaration_set(const Declaration *declaration);

/* Removes one.  Error if there is none (ERRCODE_UNDEFINED_OBJECT). */
extern void declaration_unset(Oid relation, const char *attribute);

/*
 * Within an sql_drop event trigger: removes the declarations of what has been dropped, and
 * dropped dimensions from the declarations left, with a NOTICE for each, and their rules.  Without
 * kanon_attribute (the extension is being made or dropped) it does nothing.
 */
extern void declaration_forget_dropped(void);

/* Within a ddl_command_end event trigger, after a column was renamed: of rules, too. */
extern void declaration_follow_rename(const char *old_name, const char *new_name);

/* The rule that a dimension was made by, as kanon_dimension keeps it. */
typedef struct DeclaredRule
{
	const char *method;
	const char *type;     /* of the values it labels, as SQL names it */
	ArrayType *arguments; /* text[] */
	ArrayType *levels;    /* name[]: of the dimension's columns, from the lowest; null: dropped */
	ArrayType *bounds;    /* text[]: of quantiles, (level, low, high) for each bin */
} DeclaredRule;

/* Adds or replaces the rule of a dimension, which the caller just made. */
extern void declaration_set_rule(Oid dimension, const DeclaredRule *rule);

/* False if there is none. */
extern bool declaration_rule(Oid dimension, DeclaredRule *rule);

#endif /* KANON_DECLARATION_H */
