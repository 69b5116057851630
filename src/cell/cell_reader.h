/*
 * cell_reader.h
 *		Reads the cells of a released column as what a recoding could have said of them, knowing
 *		nothing of who made the release.
 *
 * The cell of a value is RECODED_SPAN from the value to itself, [a - b] and ranges from end to end,
 * a label RECODED_LABEL above one of its values.  Codes are those of the reader's domain.  Of
 * RECODED_DIGITS, "level" is the number of the pattern of hidden digits, 0 if none is hidden, and
 * "low" the set of values with the digits shown, -1 for none.
 *
 * NULL stands for NULL if the source's column has NULLs, otherwise for anything.  It also stands
 * for anything in a column of values, of a type that is not text, that was generalized cell by cell
 * without a dimension, and at a known level that shows values of the source as NULL.
 */
#ifndef KANON_CELL_READER_H
#define KANON_CELL_READER_H

#include "postgres.h"

#include "cell/cell_format.h"
#include "count/group_query.h"
#include "dimension/dimension_query.h"
#include "fmgr.h"
#include "proof/anonymity_graph.h"
#include "relation/predicate.h"

/* How values, or the labels of a level, are written. */
typedef struct DomainTexts
{
	Dictionary *texts;
	int32 *code; /* [text]: the code of the value, or of any value below the label */
	int64 room;
} DomainTexts;

/*
 * The values of the dimension, divided into sets: those below each label of a level, or those whose
 * digits are the same but for a pattern of hidden ones.
 */
typedef struct ValueSets
{
	int32 *first; /* [set]: where its values begin; [sets]: the end */
	int32 *value; /* codes, ascending within a set */
} ValueSets;

/*
 * What cells of a released column can stand for: values and the dimension's labels.  Values have
 * codes: first those of the dimension (the codes of AttributeDomain's "ground"), then others of the
 * source, then those that only cells have.
 */
typedef struct CellDomain
{
	Budget *budget;
	MemoryContext context;
	int height; /* of the dimension; 0 without one */
	Dictionary *values;
	int32 known;  /* codes below this are values of the source or of the dimension */
	bool *source; /* [code, below "known"]: is it a value of the source? */
	int64 room;
	/*
	 * metric/loss.h computes the loss of cells from this column.  The dimension's "domain" is that
	 * of the loss: its own values, which have the codes below that number; without a dimension, the
	 * source's values.  Only values of the domain are below a label.
	 */
	RecodingColumn column;
	Dimension dimension;
	Dictionary **label; /* [1 .. height] */
	DomainTexts *texts; /* [0 .. height]: of values, then of labels */
	/* In order (cell_domain_sort): */
	int32 *order;   /* [rank]: the code; NULL: not sorted yet */
	bool by_labels; /* it is the dimension's, not the type's */
	int32 *upto; /* [code]: how many values of the source are up to this one in the type's order */
	ValueSets *sets; /* [level], or [pattern of hidden digits]; see cell_domain_set */
} CellDomain;

typedef struct CellReader
{
	const CellColumn *column;
	const DescribedAttribute *attribute; /* of the source */
	const GroupRows *values;             /* see cell_reader_open */
	AttributeDomain *known;              /* the attribute's, if a format has loaded it */
	Budget *budget;
	CellDomain *domain;
	const CellFormat *only; /* the format of all cells; NULL: they can have several */
	bool text;              /* cells have a text-like type */
	bool same;              /* cells have the type of the values */
	bool null_is_null;      /* NULL means itself */
	bool whole;             /* cells are ranges of whole numbers or days */
	RecodedCell all;        /* a cell that hides everything */
	RecodedCell *meaning;   /* what the last cell can be; the first is what it is taken for */
	int meanings;
	FmgrInfo output;
	MemoryContext scratch;
	void *state; /* of the format of all cells */
} CellReader;

/*
 * A reader of a column's cells; reads the source and its dimension as the current user, within a
 * query scope; in the current context, against the budget.
 *
 * values: NULL, to measure cells.  Otherwise the source's groups as they were read before, to see
 * what cells cover: codes are those of column "quasi" there, and of a range only the values in it
 * matter.
 *
 * Errors: those of dimension_query_load; a range over another type than the attribute's
 * (ERRCODE_DATATYPE_MISMATCH), or, to be measured, over one whose widths are not known
 * (ERRCODE_FEATURE_NOT_SUPPORTED).
 */
extern CellReader *cell_reader_open(const CellColumn *column, const GroupRows *values,
									Budget *budget);

/*
 * What a cell can be: reader->meaning, until the next call.  Returns the number of meanings; 0: it
 * cannot be understood.
 */
extern int cell_reader_read(CellReader *reader, Datum value, bool isnull);

/* A cell as text, as its output function writes it; palloc'd. */
extern char *cell_reader_text(CellReader *reader, Datum value);

/* The level of a cell, in CELL_LEVELS. */
extern int cell_reader_level(const CellReader *reader, const RecodedCell *cell);

/*
 * The share of each cell that a predicate, bound and naming the attribute, covers: share[i], 0
 * .. 1. Values are taken to be spread evenly over a cell (LeFevre, DeWitt, Ramakrishnan 2005b,
 * section 5): by length in ranges, but of whole numbers and of days by count; in all other cells by
 * the count of the values that they stand for.  O(values + labels + cells).
 */
extern void cell_share_of_all(CellReader *reader, const Predicate *predicate,
							  const RecodedCell *cell, int32 count, double *share);

/* ---- column_cover.c: which values of the source each cell covers */

/*
 * A column as one attribute, or as one for each character (see column_cover).  What is covered is
 * said of values and of cells by their codes (proof/anonymity_graph.h).
 */
typedef struct CoverColumn
{
	int width;
	CellCover *cover;  /* of each attribute */
	int32 *value_part; /* [value * width + place]: its characters; NULL: the column is not split,
						* codes are the values' own */
	int32 *cell_part;  /* [cell * width + place]: codes of its characters */
} CoverColumn;

/*
 * A cell covers the values that it can stand for.  Whoever looks at the release cannot know which
 * meaning of a text was meant, so a cell covers what any of its meanings covers.  NULL covers all
 * values, and NULL; so do "*", the range without ends, and the single label at the top of a
 * dimension, whatever else their text could be.  Other cells do not cover NULL.
 *
 * If no format understands some cell, and the values of the source all have the same length, an
 * asterisk in a text hides one character: 9*2*1.  Then each character is an attribute of its own.
 *
 * column: of the release, with unknown level, not cellwise.  values, cells: the groups of the
 * source by its quasi-identifiers and of the release by the same; "at": the column's number in
 * both.  Palloc'd in the current context against the budget.  Within a query scope; reads the
 * dimension, and the source's column again only if its values have several spellings.
 *
 * O(values log values + cells * spans).  Errors: those of cell_reader_open; a source that changed
 * since it was grouped (description_report_change); a cell that no format understands
 * (ERRCODE_INVALID_PARAMETER_VALUE).
 */
extern CoverColumn column_cover(const CellColumn *column, const GroupRows *values,
								const GroupRows *cells, int at, Budget *budget);

/* ---- cell_reader.c again */

/*
 * Raises ERRCODE_INVALID_PARAMETER_VALUE for a cell that no format understands; the detail says
 * what cells are.  If the current user may not see all rows of the source, it is
 * ERRCODE_INSUFFICIENT_PRIVILEGE, with a hint; dimensions have no row security.
 */
pg_noreturn extern void cell_reader_refuse(const CellColumn *column, const char *text,
										   const char *cells);

/* For formats: adds a meaning, unless the column's known level excludes it. */
extern void cell_reader_add_meaning(CellReader *reader, RecodedCell cell);

/* ---- for formats: what cells of a column can stand for (cell_domain.c) */

/*
 * Gives the reader the domain of its quasi-identifier, read as the current user, in the current
 * context; sorted, if the reader has the source's groups.  texts: also how values are written.
 * labels: also the labels of the dimension, and how they are written; otherwise only which values
 * it has.
 *
 * Reads the source's column, of groups only if they have one of several spellings.  Errors: those
 * of dimension_query_load.
 */
extern void cell_domain_read(CellReader *reader, bool texts, bool labels);

/* Gives the reader a domain of this dictionary's values, none of which is known yet. */
extern void cell_domain_create(CellReader *reader, Dictionary *values);

/* The code of the value (level 0) with this text, or of one below the label; -1: there is none. */
extern int32 cell_domain_find(const CellDomain *domain, int level, const char *text);

/* Puts the known values in order, once; then column.position has their ranks. */
extern void cell_domain_sort(CellReader *reader);

/* Divides the dimension's values, given the set of each; -1: in none. */
extern ValueSets cell_domain_divide(const CellDomain *domain, const int32 *set_of_value,
									int32 sets);

/*
 * The values of a label, or with the digits that a cell shows, by code, ascending; returns their
 * number.
 */
extern int32 cell_domain_set(CellDomain *domain, const RecodedCell *cell, const int32 **values);

#endif /* KANON_CELL_READER_H */
