/*
 * predicate.h
 *		Predicates of count queries, as a user writes them: a conjunction of comparisons,
 *		each of one column with constants.
 *
 *	age BETWEEN 20 AND 29 AND sex = 'female' AND occupation IS NOT NULL
 */
#ifndef KANON_PREDICATE_H
#define KANON_PREDICATE_H

#include "postgres.h"

#include "access/stratnum.h"
#include "nodes/pg_list.h"
#include "relation/description.h"

/* What has an operator goes by its btree strategy. */
typedef enum ComparisonKind
{
	COMPARE_LESS = BTLessStrategyNumber,
	COMPARE_LESS_EQUAL = BTLessEqualStrategyNumber,
	COMPARE_IN = BTEqualStrategyNumber, /* one constant: = */
	COMPARE_GREATER_EQUAL = BTGreaterEqualStrategyNumber,
	COMPARE_GREATER = BTGreaterStrategyNumber,
	COMPARE_NULL,
	COMPARE_NOT_NULL
} ComparisonKind;

typedef struct Comparison
{
	const char *column;
	ComparisonKind kind;
	List *constants; /* as they were parsed; after predicate_bind of C strings: SQL of a type that
					  * compares with the column's */
	int attribute;   /* after predicate_bind: index into description->attributes */
} Comparison;

typedef struct Predicate
{
	const char *text; /* as it was given */
	List *comparisons;
} Predicate;

/*
 * Reads a predicate, in the current context.  Types named in it are looked up in the caller's
 * search_path: before query_begin.
 *
 * Errors: those of PostgreSQL's parser, with the position in the predicate; what is no such
 * conjunction (ERRCODE_FEATURE_NOT_SUPPORTED); a comparison with NULL
 * (ERRCODE_NULL_VALUE_NOT_ALLOWED).
 */
extern Predicate *predicate_parse(const char *text);

/*
 * Finds the columns among the quasi-identifiers, and makes the constants theirs, read under the
 * settings of text_settings.h: numbers stay what they are beside a column of numbers, everything
 * else takes the column's type.
 *
 * Errors: a column that is no quasi-identifier (ERRCODE_UNDEFINED_COLUMN); a constant of another
 * type (ERRCODE_DATATYPE_MISMATCH), of a type that its owner's code checks
 * (ERRCODE_FEATURE_NOT_SUPPORTED), or that its type does not accept (the type's own error).
 */
extern void predicate_bind(Predicate *predicate, const Description *description);

/* Does the predicate speak of this attribute (index into description->attributes)? */
extern bool predicate_names(const Predicate *predicate, int attribute);

/*
 * What it asks of one attribute as an SQL condition over "value", an expression of the
 * attribute's type; "true" where it asks nothing.
 */
extern char *predicate_condition(const Predicate *predicate, const Description *description,
								 int attribute, const char *value);

/* The operator of a kind: < <= = >= > */
extern const char *predicate_operator(ComparisonKind kind);

#endif /* KANON_PREDICATE_H */
