/*
 * dimension_query.h
 *		Values and labels of one attribute: what its dimension table holds, and what the
 *		relation turns out to hold.
 *
 * Values get provisional codes as they appear: 0 is NULL, code c > 0 is the value c - 1 of the
 * ground dictionary.  When the rows of each are known, dimension_query_finish makes the
 * dimension of the values that occur and says which final code each provisional one has.
 */
#ifndef KANON_DIMENSION_QUERY_H
#define KANON_DIMENSION_QUERY_H

#include "postgres.h"

#include "base/budget.h"
#include "data/dictionary.h"
#include "data/dimension.h"
#include "data/row_source.h"
#include "relation/description.h"
#include "sql/value_text.h"

typedef struct AttributeDomain
{
	const Description *description; /* of the attribute's relation or rows */
	const DescribedAttribute *attribute;
	bool by_bytes; /* without a dimension: final codes follow the order of the values by bytes, not
					* that in which these appeared */
	Budget *budget;
	int height;
	Dictionary *ground;
	int32 declared;          /* values the dimension table holds; -1: there is none */
	Dictionary **label;      /* [1 .. height]: labels of the dimension table's columns */
	Oid *label_type;         /* [1 .. height] */
	ValueText *text;         /* [0 .. height]: writes values and labels; [0] without dimension */
	int32 **label_of_ground; /* [1 .. height][ground value] */
	int32 *final_code;       /* [provisional code], after dimension_query_finish; -1: not there */
	int32 *value_of_code;    /* [final code but NULL's]: its value's number in "ground" */
	bool masked_known;       /* has masked_digits_find looked? */
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
											 const DescribedAttribute *attribute, Budget *budget);

/* The provisional code of a value of the relation, a new one where it is new. */
extern int32 dimension_query_encode(AttributeDomain *domain, Datum value, bool is_null);

/* Provisional codes given so far, that of NULL included. */
extern int32 dimension_query_codes(const AttributeDomain *domain);

/* Bytes of budget that the dimension, its marginal and its making take at most. */
extern Size dimension_query_room(const AttributeDomain *domain);

/*
 * The dimension of the values that occur, from the rows of each provisional code; *marginal, rows
 * by final ground code, is palloc'd.  Error: values that the dimension table lacks (how many,
 * with examples).
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

/* At level 0 the value of that number in the ground dictionary, else its label, as text; palloc'd.
 */
extern char *dimension_query_text(const AttributeDomain *domain, int level, int32 value);

#endif /* KANON_DIMENSION_QUERY_H */
