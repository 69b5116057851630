/*
 * predicate.h
 *		Predicates of count queries, written by users: a conjunction of comparisons of one column
 *		with constants, such as
 *
 *	age BETWEEN 20 AND 29 AND sex = 'female' AND occupation IS NOT NULL
 */
#ifndef KANON_PREDICATE_H
#define KANON_PREDICATE_H

#include "postgres.h"

#include "access/stratnum.h"
#include "nodes/pg_list.h"
#include "relation/description.h"

/* Kinds with an operator have its btree strategy number. */
typedef enum ComparisonKind
{
	COMPARE_LESS = BTLessStrategyNumber,
	COMPARE_LESS_EQUAL = BTLessEqualStrategyNumber,
	COMPARE_IN = BTEqualStrategyNumber, /* with one constant: = */
	COMPARE_GREATER_EQUAL = BTGreaterEqualStrategyNumber,
	COMPARE_GREATER = BTGreaterStrategyNumber,
	COMPARE_NULL,
	COMPARE_NOT_NULL
} ComparisonKind;

typedef struct Comparison
{
	const char *column;
	ComparisonKind kind;
	List *constants; /* as parsed; after predicate_bind of Const, whose type compares with the
					  * column's */
	const DescribedAttribute *attribute; /* after predicate_bind */
} Comparison;

typedef struct Predicate
{
	const char *text; /* as given */
	List *comparisons;
} Predicate;

/*
 * Parses a predicate, in the current context.  Type names are looked up in the caller's
 * search_path, so call it before query_begin.
 *
 * Errors: those of PostgreSQL's parser, with positions in the predicate; anything but such a
 * conjunction (ERRCODE_FEATURE_NOT_SUPPORTED); a comparison with NULL
 * (ERRCODE_NULL_VALUE_NOT_ALLOWED).
 */
extern Predicate *predicate_parse(const char *text);

/*
 * Finds the columns among the quasi-identifiers and converts the constants, under the settings of
 * text_settings.h.  Numbers compared with a numeric column stay as they are; all other constants
 * get the column's type.
 *
 * Errors: a column that is not a quasi-identifier (ERRCODE_UNDEFINED_COLUMN); a constant of another
 * type (ERRCODE_DATATYPE_MISMATCH) or of a type whose owner's code checks it
 * (ERRCODE_FEATURE_NOT_SUPPORTED); the input errors of the type.
 */
extern void predicate_bind(Predicate *predicate, const Description *description);

/* Does the predicate mention this attribute? */
extern bool predicate_names(const Predicate *predicate, const DescribedAttribute *attribute);

/*
 * The predicate's condition on one attribute as SQL over "value", an expression of the attribute's
 * type; "true" if there is none.
 */
extern char *predicate_condition(const Predicate *predicate, const DescribedAttribute *attribute,
								 const char *value);

/*
 * The same condition, for values in memory; frees what it took of the current context.  Values have
 * the attribute's base type.
 */
typedef struct PredicateTest PredicateTest;

extern PredicateTest *predicate_test_create(const Predicate *predicate,
											const DescribedAttribute *attribute);
extern bool predicate_test(PredicateTest *test, Datum value, bool isnull);
extern void predicate_test_free(PredicateTest *test);

#endif /* KANON_PREDICATE_H */
