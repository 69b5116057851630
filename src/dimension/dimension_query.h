/*
 * dimension_query.h
 *		Values and labels of one attribute: what its dimension table holds, and what the
 *		relation turns out to hold.
 *
 * Values get provisional codes as they appear: 0 is NULL, code c > 0 is the value c - 1 of the
 * ground dictionary.  When the rows of each are known, dimension_query_finish makes the
 * dimension of the values that occur and says which final code each provisional one has.
 *
 * Values that the dimension table lacks:
 *
 *	- the rule that the dimension was made by (dimension_rule.h) labels them, as if they were in
 *	  the table, unless their labels would have two parents then: somebody has changed the table;
 *	- without a rule they are unknown, and generalize to the top alone: their label is that of
 *	  the top, or '*' if it has none or several, at each level from 1 on.  From a level on whose
 *	  type cannot hold it, it is NULL up to the single top; and from level 1 on, if the table has
 *	  that label below another one, where it means less.
 */
#ifndef KANON_DIMENSION_QUERY_H
#define KANON_DIMENSION_QUERY_H

#include "postgres.h"

#include "base/budget.h"
#include "data/dictionary.h"
#include "data/dimension.h"
#include "data/row_source.h"
#include "dimension/dimension_rule.h"
#include "relation/description.h"
#include "sql/value_text.h"

/* What becomes of unknown values. */
typedef enum UnknownValues
{
	UNKNOWN_LABELLED, /* values that share the labels above them */
	UNKNOWN_AS_NULL,  /* they have NULL's code: nothing is told of them but what the top tells */
	UNKNOWN_ALONE     /* values that share nothing, not with each other, below the top */
} UnknownValues;

typedef struct AttributeDomain
{
	const Description *description; /* of the attribute's relation or rows */
	const DescribedAttribute *attribute;
	bool by_bytes; /* without a dimension: final codes follow the order of the values by bytes, not
					* that in which these appeared */
	UnknownValues unknown;
	Budget *budget;
	int height;
	Dictionary *ground;
	int32 declared;            /* values the dimension table holds, or that its rule labels, once it
								* has: the domain; -1: there is none */
	const DimensionRule *rule; /* or NULL */
	Dictionary **label;        /* [1 .. height]: labels of the dimension table's columns */
	Oid *label_type;           /* [1 .. height] */
	ValueText *text;           /* [0 .. height]: writes values and labels; [0] without dimension */
	int32 **label_of_ground;   /* [1 .. height][ground value]; -1: NULL */
	int32 labelled;            /* ground values that have labels */
	int32 *label_of_unknown;   /* [1 .. height]; -1: NULL */
	int32 **parent;            /* [1 .. height - 1][label]: label one level up, -1: unknown */
	int32 *parents;            /* [1 .. height - 1]: room for parents */
	int32 room;                /* for labels of ground values */
	int32 table_values;        /* values the table itself holds, before those of the rule; .. */
	int32 *rank;               /* .. [value - table_values]: the others' place among themselves */
	int32 *final_code;         /* [provisional code], after dimension_query_finish; -1: not there */
	int32 *value_of_code;      /* [final code but NULL's]: its value's number in "ground" */
	bool masked_known;         /* has masked_digits_find looked? */
	struct MaskedDigits *masked; /* .. and of all values the dimension table holds; NULL: none */
} AttributeDomain;

/*
 * Reads the attribute's dimension table, if it has one, as the current user, and then within a
 * query scope; current context.  Description and attribute are kept.
 *
 * Errors: a null ground value, one with two labels above it, a null label, a label with two
 * parents, and those of description_check_levels.  They name values only where a query of the
 * current user's reads the rows, too: values of rows handed over are not for whoever looks at a
 * view of them.
 */
extern AttributeDomain *dimension_query_load(const Description *description,
											 const DescribedAttribute *attribute,
											 UnknownValues unknown, Budget *budget);

/* The provisional code of a value of the relation, a new one where it is new. */
extern int32 dimension_query_encode(AttributeDomain *domain, Datum value, bool is_null);

/* Provisional codes given so far, that of NULL included. */
extern int32 dimension_query_codes(const AttributeDomain *domain);

/* Bytes of budget that the dimension, its marginal and its making take at most. */
extern Size dimension_query_room(const AttributeDomain *domain);

/*
 * The dimension of the values that occur, from the rows of each provisional code; *marginal, rows
 * by final ground code, is palloc'd.  Within a query scope if there is a dimension.  Unknown
 * values: a NOTICE (how many, with examples), where an error could name values.
 */
extern Dimension *dimension_query_finish(AttributeDomain *domain, const int64 *rows,
										 int64 **marginal);

/* The final code of a value; -1: it is none of those that occurred. */
extern int32 dimension_query_find(const AttributeDomain *domain, Datum value, bool is_null);

/*
 * As dimension_query_finish, from a source of the attribute's values and how often they count;
 * without codes if it delivers nothing.
 */
extern Dimension *dimension_query_read(AttributeDomain *domain, RowSource *values,
									   int64 **marginal);

/*
 * Can what stands for everything stand at a level of that type?  "top": the type of the single
 * label of the top, InvalidOid if there is none.
 */
extern bool dimension_query_holds_top(Oid type, Oid top);

/* What stands for everything: the single label of the top, or '*', as text; palloc'd. */
extern char *dimension_query_top(const AttributeDomain *domain);

/* The label of unknown values at a level from 1 on, as text, palloc'd; NULL: it is NULL. */
extern char *dimension_query_unknown_label(const AttributeDomain *domain, int level);

/* At level 0 the value of that number in the ground dictionary, else its label, as text; palloc'd.
 */
extern char *dimension_query_text(const AttributeDomain *domain, int level, int32 value);

#endif /* KANON_DIMENSION_QUERY_H */
