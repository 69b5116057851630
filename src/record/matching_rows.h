/*
 * matching_rows.h
 *		Records as rows whose cells are generalized one by one, and the meaning of the cells.
 */
#ifndef KANON_MATCHING_ROWS_H
#define KANON_MATCHING_ROWS_H

#include "postgres.h"

#include "data/recoding.h"
#include "dimension/dataset_column.h"
#include "dimension/masked_digits.h"
#include "matching/matching.h"

/* One quasi-identifier. */
typedef struct MatchingColumn
{
	int first; /* its first attribute */
	int count; /* of attributes; above 1: one for each digit */
	DatasetColumn *column;
	AttributeDomain *domain;
	const Dimension *dimension;
	int32 *level_begin;   /* [0 .. height + 1]: first node of the level; not for digits */
	MaskedDigits *digits; /* or NULL */
} MatchingColumn;

typedef struct MatchingRows
{
	int columns;
	MatchingColumn *column;
	MatchingTable *table;   /* rows in the order of dataset_sort */
	int32 *position_of_row; /* [row, in order of arrival] */
} MatchingRows;

/*
 * For records whose columns are final, with ranks as codes.  Sorts the dataset or, with digits,
 * replaces and frees it; in the current context, against its budget.
 *
 * An attribute without a dimension shows or hides its values.  With one, its nodes are the labels,
 * with "*" above them unless there is a single top label; if the dimension masks digits, each digit
 * becomes an attribute.  NULL is a value below the single top label, or below "*".  Units are 1 for
 * each attribute if all are flat and without digits, otherwise MATCHING_UNITS, shared by the digits
 * of a column.
 */
extern MatchingRows *matching_rows_create(Dataset *dataset, DatasetColumn *const *column);

#define MATCHING_UNITS 5040

/* The meaning of a node of a column's tree; not for digits. */
extern RecodedCell matching_rows_cell(const MatchingColumn *column, const CellTree *tree,
									  int32 node);

#endif /* KANON_MATCHING_ROWS_H */
