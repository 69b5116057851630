/*
 * matching_recoding.h
 *		Records whose cells are generalized one by one, and as a recoding: each is a group of its
 *		own.
 */
#ifndef KANON_MATCHING_RECODING_H
#define KANON_MATCHING_RECODING_H

#include "postgres.h"

#include "dimension/masked_digits.h"
#include "matching/matching.h"
#include "record/record_codes.h"

/* One quasi-identifier. */
typedef struct MatchingColumn
{
	int first; /* its first attribute */
	int count; /* of attributes; above 1: one for each digit */
	DatasetColumn *column;
	RecodingColumn recoded; /* what its codes mean, and what its cells lose; spans: these are
							 * ranges, as it has no dimension */
	MaskedDigits *digits;   /* or NULL */
} MatchingColumn;

/* Classes of at least k rows. */
typedef struct MatchingClasses
{
	int32 count;
	const int32 *class_of_row; /* [row, in order of arrival]: from 1 */
} MatchingClasses;

#define MATCHING_CLASSES_MOST 2

typedef struct MatchingRows
{
	int columns;
	MatchingColumn *column; /* in the order of the records' fields */
	const int *order;       /* the columns in the order of their attributes, which is that of ties
							 * (record_codes.h) */
	MatchingTable *table; /* in the order of dataset_sort, or of classes and then of dataset_sort */
	int32 *position_of_row; /* [row, in order of arrival] */
	int divisions;          /* into classes; those of each: */
	MatchingClasses division[MATCHING_CLASSES_MOST];
} MatchingRows;

/*
 * For records whose columns are final, with ranks as codes.  Replaces and frees the dataset; in
 * the current context, against its budget.  If k > 0, local recoding
 * (local/local.h) divides the rows into classes of k rows: as its cells are here, where columns
 * without a dimension show or hide their values, and, if there are such columns, also as it divides
 * them for itself, by cuts.  Where they show ranges, both are the same.
 *
 * An attribute without a dimension shows or hides its values; if the request has spans and the
 * attribute is not plain, it shows ranges, and its tree halves the values in order.  With one, its
 * nodes are the labels, with "*" above them unless there is a single top label; if the dimension
 * masks digits, each digit becomes an attribute.  NULL is a value below the single top label, or
 * below "*".  Units are 1 for each attribute if all are flat, without digits and of equal weight,
 * otherwise MATCHING_UNITS for the greatest weight, shared by the digits of a column.
 */
extern MatchingRows *matching_rows_create(RecordCodes *codes, int k);

/* Moves the rows to the classes of this division. */
extern void matching_rows_arrange(MatchingRows *matching, int division);

/* The meaning of a node of a column's tree; not for digits and ranges. */
extern RecodedCell matching_rows_cell(const MatchingColumn *column, const CellTree *tree,
									  int32 node);

/*
 * Matches the records, at least k, by ring or two-phase generalization, whatever the models.  Frees
 * their dataset or keeps using it, rearranged.  Each row gets the cells of the record drawn for it
 * or, without a draw, of its own record.  A cell is the lowest node above the values of all rows
 * that the record covers, or the range between the least and the greatest of these; the cells of
 * a record take O(k * attributes * height).
 *
 * Loses no more than local recoding of the same rows whose cells are shown the same way: wherever
 * no column without a dimension shows ranges in only one of them.  Two-phase loses no more than
 * ring.
 *
 * The draw depends on the key and on the rows (matching.h).  Equal rows are
 * distinguished only by their order of arrival.  So the same rows get the same cells in any order,
 * provided that equal rows arrive in the same order by their other columns.  Values are ordered the
 * same way on all systems (DICTIONARY_BY_BYTES), because ties of loss are broken by it.  The
 * matching does not depend on the order of the columns; the draw does.
 */
extern Recoding *ring_recode(RecordCodes *codes, const RowModels *models,
							 const RecodeOptions *options);
extern Recoding *two_phase_recode(RecordCodes *codes, const RowModels *models,
								  const RecodeOptions *options);

#endif /* KANON_MATCHING_RECODING_H */
