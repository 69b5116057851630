/*
 * cell_domain.h
 *		What cells of a released column can stand for: values of the source and of its dimension,
 *		and the dimension's labels.
 *
 * Values have codes in order of appearance: first those of the source, then those that only the
 * dimension has, then those that only cells have.
 */
#ifndef KANON_CELL_DOMAIN_H
#define KANON_CELL_DOMAIN_H

#include "postgres.h"

#include "count/group_query.h"
#include "data/recoding.h"
#include "dimension/dimension_query.h"
#include "relation/description.h"

/* How values, or the labels of a level, are written. */
typedef struct DomainTexts
{
	Dictionary *texts;
	int32 *code; /* [text]: of the value, or of one below the label */
	int64 room;
} DomainTexts;

typedef struct CellDomain
{
	const Description *source;
	int quasi; /* index into source->quasi */
	const DescribedAttribute *attribute;
	Budget *budget;
	MemoryContext context;
	int height; /* of the dimension; 0 without one */
	Dictionary *values;
	int32 sources; /* codes below this are values of the source */
	int32 known;   /* codes below this are values of the source or of the dimension */
	/*
	 * A cell weighs what metric/loss.h says of this column.  Values that a dimension lacks have the
	 * ancestor -1.  The dimension's "domain" is that of the loss: without a dimension, the source's
	 * values.
	 */
	RecodingColumn column;
	Dimension dimension;
	bool *declared;     /* [code]: a value of the dimension; NULL without one */
	bool *shows_null;   /* [1 .. height]: the source has values that are shown as NULL there */
	Dictionary **label; /* [1 .. height] */
	DomainTexts *texts; /* [0 .. height]: of values, then of labels */
	/* In order (cell_domain_sort), by code: */
	int32 *order; /* [rank]: the code; NULL: not sorted yet */
	int32 *upto;  /* how many values of the source there are up to this one */
	/* Below labels (cell_domain_below), by level: */
	int32 **below_first; /* [label]: where its values begin; [labels]: the end */
	int32 **below;       /* codes */
} CellDomain;

/*
 * Reads the domain of a quasi-identifier as the current user, in the current context.  values:
 * column "quasi" of the source if it was read before, with the values' ranks as codes, or NULL.
 * dimension: the attribute's, with no values of the source yet, if it was loaded before, or NULL;
 * kept.  texts: also how values are written.  labels: also the labels of the dimension, and how
 * they are written; otherwise only which values it has.
 *
 * Reads the source's column, again if "values" has only one of several spellings.  Errors: those of
 * dimension_query_load.
 */
extern CellDomain *cell_domain_read(const Description *source, int quasi, const GroupRows *values,
									AttributeDomain *dimension, bool texts, bool labels,
									Budget *budget);

/* A domain of no values yet, of another type, in which ranges lie (range_format). */
extern CellDomain *cell_domain_create(const Description *source, int quasi, Oid type, Oid collation,
									  Budget *budget);

/* The code of the value (level 0) with this text, or of one below the label; -1: there is none. */
extern int32 cell_domain_find(const CellDomain *domain, int level, const char *text);

/* Puts the known values in order, once; then column.position has their ranks. */
extern void cell_domain_sort(CellDomain *domain);

/* The values below a label, by code, ascending; returns their number. */
extern int32 cell_domain_below(CellDomain *domain, int level, int32 label, const int32 **codes);

#endif /* KANON_CELL_DOMAIN_H */
