/*
 * dimension_query.h
 *		The values and labels of one attribute: those in its dimension table and those in the
 *		relation.
 *
 * Values get provisional codes as they appear: 0 is NULL, and code c > 0 is value c - 1 of the
 * ground dictionary.  When the rows of each are known, dimension_query_finish makes the dimension
 * of the values that occur and maps provisional codes to final ones.
 *
 * Values that the dimension table lacks:
 *
 * - If a rule made the dimension (dimension_method.h), the rule labels them as if they were in the
 *   table, unless a label would then have two parents because somebody changed the table.
 * - Otherwise they are unknown and generalize to the top alone.  At each level from 1 on, their
 *   label is that of the top, or '*' if the top has none or several.  If a level's type cannot hold
 *   it, it is NULL from there up to the single top.  It is NULL from level 1 on if the table has
 *   that label below a different one, where it would mean less.
 */
#ifndef KANON_DIMENSION_QUERY_H
#define KANON_DIMENSION_QUERY_H

#include "postgres.h"

#include "base/budget.h"
#include "data/dictionary.h"
#include "data/dimension.h"
#include "data/row_source.h"
#include "dimension/dimension_method.h"
#include "relation/description.h"
#include "sql/value_text.h"

/* How unknown values are coded. */
typedef enum UnknownValues
{
	UNKNOWN_LABELLED, /* as values with common labels */
	UNKNOWN_AS_NULL,  /* with NULL's code: nothing is known of them but the top */
	UNKNOWN_ALONE     /* as values with nothing in common below the top, not even with each other */
} UnknownValues;

/* A column of the dimension table: its labels or, at level 0, the ground values. */
typedef struct DomainLevel
{
	Dictionary *labels;
	ValueText text; /* writes them */
	/* Above the ground: */
	int32 *label_of_ground; /* [ground value]; -1: NULL */
	int32 label_of_unknown; /* -1: NULL */
	int32 *parent;          /* [label]: label one level up; -1: unknown */
	int32 parents;          /* allocated entries of parent */
} DomainLevel;

typedef struct AttributeDomain
{
	const Description *description; /* of the attribute's relation or rows */
	const DescribedAttribute *attribute;
	bool by_bytes; /* without a dimension: final codes follow the values' order by bytes, not
					* their order of appearance */
	UnknownValues unknown;
	Budget *budget;
	int height;
	Dictionary *ground;
	int32 declared;            /* size of the domain: values in the dimension table and those its
								* rule has labelled; -1: no dimension */
	const DimensionRule *rule; /* or NULL */
	const Description *table;  /* the dimension; NULL: none */
	DomainLevel *level;        /* [0 .. height], the ground first; only [0] without a dimension */
	int32 labelled;            /* ground values that have labels so far */
	int32 room;                /* allocated entries of label_of_ground */
	int32 table_values;        /* values in the table itself, before those of the rule */
	int32 *rank;               /* [value - table_values]: rank of the others among themselves */
	int64 *rows;               /* [provisional code]: see dimension_query_rows; NULL: none yet */
	int64 counted;             /* room in rows */
	/* After dimension_query_finish, in the context that was current there: */
	Dimension *dimension;        /* of the values that occur */
	int64 *marginal;             /* [final code]: rows */
	int32 *final_code;           /* [provisional code]; -1: does not occur */
	int32 *value_of_code;        /* [final code except NULL's]: number of its value in "ground" */
	SensitiveDomain sensitive;   /* of a sensitive column, after sensitive_values_finish */
	bool masked_known;           /* masked_digits_find has looked */
	struct MaskedDigits *masked; /* .. the digits of all values in the dimension table; NULL:
								  * none */
} AttributeDomain;

/*
 * The domain of the attribute's values without dimension and levels.  In the current context; keeps
 * pointers to the description and the attribute.
 */
extern AttributeDomain *dimension_query_values(const Description *description,
											   const DescribedAttribute *attribute, Budget *budget);

/*
 * Reads the attribute's dimension table, if it has one, as the current user; then within a query
 * scope.  In the current context.  Keeps pointers to the description and the attribute.
 *
 * Errors: a null ground value, one with two labels above it, a null label, a label with two
 * parents, and those of description_check_levels.  They quote values only if the current user's own
 * query reads the rows: a user of a view must not see values of the rows passed in.
 */
extern AttributeDomain *dimension_query_load(const Description *description,
											 const DescribedAttribute *attribute,
											 UnknownValues unknown, Budget *budget);

/*
 * The domain of an attribute whose values and labels somebody hands in, as texts, instead of a
 * table.  _hand adds a value with its labels, [1 .. height]: values in an order in which siblings
 * stand together; false if a label then has two parents, or the value others.  _handed ends that,
 * with the labels of all other values, [1 .. height], or NULL.
 */
extern AttributeDomain *dimension_query_empty(const Description *description,
											  const DescribedAttribute *attribute,
											  UnknownValues unknown, int height, Budget *budget);
extern bool dimension_query_hand(AttributeDomain *domain, Datum value, char *const *label);
extern void dimension_query_handed(AttributeDomain *domain, char *const *unknown);

/* The numbers of the values that have labels, in such an order: [declared], palloc'd. */
extern int32 *dimension_query_declared(AttributeDomain *domain);

/* Compares the numbers of two values that have labels by such an order. */
extern int dimension_query_compare(const AttributeDomain *domain, int32 one, int32 other);

/* The provisional code of a value of the relation; new values get new ones. */
extern int32 dimension_query_encode(AttributeDomain *domain, Datum value, bool is_null);

/* The number of provisional codes so far, NULL's included. */
extern int32 dimension_query_codes(const AttributeDomain *domain);

/* An upper bound, in bytes, of the dimension, its marginal and the memory to make them. */
extern Size dimension_query_room(const AttributeDomain *domain);

/* .. with the values, their labels and counts: a function of their number and widths. */
extern Size dimension_query_bytes(const AttributeDomain *domain);

/*
 * [provisional code]: the rows counted so far, to which the caller adds; with room for all codes so
 * far.  In the budget's context. _begin: none are, of a domain that another window partition used,
 * whose memory is gone.
 */
extern int64 *dimension_query_rows(AttributeDomain *domain);
extern void dimension_query_begin(AttributeDomain *domain);

/*
 * Makes the dimension of the values that occur, from their rows, which it frees.  Within a query
 * scope if there is a dimension.  A NOTICE reports unknown values (how many, with examples) if an
 * error could quote values, but only of the rows in "told"; NULL: of all.
 */
extern void dimension_query_finish(AttributeDomain *domain, const int64 *told);

/*
 * Its first step: labels all values of the relation, which follow those of the table in the ground
 * dictionary, given the rows of each provisional code.  Asks the rule in a query scope of its own.
 */
extern void dimension_query_label(AttributeDomain *domain, const int64 *rows);

/* The final code of a value; -1: it did not occur. */
extern int32 dimension_query_find(const AttributeDomain *domain, Datum value, bool is_null);

/*
 * Like dimension_query_finish, from a source of the attribute's values with counts; has no codes if
 * the source is empty.
 */
extern void dimension_query_read(AttributeDomain *domain, RowSource *values);

/* Has the top, of a dimension table with levels, a single label? */
extern bool dimension_query_has_top(const AttributeDomain *domain);

/* The label for everything: the single label of the top, or '*', as text; palloc'd. */
extern char *dimension_query_top(const AttributeDomain *domain);

/* The label of unknown values at a level from 1 on, as text, palloc'd; NULL if it is NULL. */
extern char *dimension_query_unknown_label(const AttributeDomain *domain, int level);

/*
 * The text, palloc'd, of a label by its number; of a ground value's label, at level 0 of the value
 * itself.
 */
extern char *dimension_query_label_text(const AttributeDomain *domain, int level, int32 label);
extern char *dimension_query_text(const AttributeDomain *domain, int level, int32 value);

/* May an error quote values of the attribute or of the dimension? */
extern bool dimension_query_quotes(const AttributeDomain *domain);

/* ---- dimension_read.c: the labels of a dimension table, for dimension_query.c */

/* Reads the table into a new domain. */
extern void dimension_read_table(AttributeDomain *domain, const Description *table);

/*
 * Enlarges an array of codes as budget_enlarge does, in the domain's memory: what one window
 * partition needs room for is there for the next.
 */
extern int32 *dimension_read_enlarge(const AttributeDomain *domain, int32 *codes, int32 old,
									 int32 count);

/* Makes room for the labels of this many ground values. */
extern void dimension_read_reserve(AttributeDomain *domain, int32 needed);

/*
 * Sets the parent of a label (or value) of the level below; returns the different parent it already
 * has, or -1.
 */
extern int32 dimension_read_link(AttributeDomain *domain, int level, int32 below, int32 label);

#endif /* KANON_DIMENSION_QUERY_H */
