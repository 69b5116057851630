/*
 * matching_rows.h
 *		Records as rows whose cells are generalized one by one, and what the
 *		cells mean.
 */
#ifndef KANON_MATCHING_ROWS_H
#define KANON_MATCHING_ROWS_H

#include "postgres.h"

#include "data/recoding.h"
#include "dimension/dataset_column.h"
#include "dimension/masked_digits.h"
#include "matching/matching_table.h"

/* One quasi-identifier. */
typedef struct MatchingColumn
{
	int first; /* of its attributes */
	int count; /* more than one: a digit each */
	DatasetColumn *column;
	AttributeDomain *domain;
	const Dimension *dimension;
	int32 *level_begin;   /* [0 .. height + 1]: the first node of the level; not for digits */
	MaskedDigits *digits; /* or NULL */
} MatchingColumn;

typedef struct MatchingRows
{
	int columns;
	MatchingColumn *column;
	MatchingTable *table;   /* in the order of dataset_sort */
	int32 *position_of_row; /* [row, as they came] */
} MatchingRows;

/*
 * Of records whose columns are dense and final.  The dataset is sorted, or, where digits are
 * told apart, freed; in the current context, against its budget.
 *
 * An attribute without dimension shows or hides its values.  With one it has the
 * labels as nodes, and "*" above them if there is no single top label; where the
 * dimension masks digits it becomes an attribute for each.  NULL is a value: it
 * lies below the single top label, or "*".  Units are 1 for each attribute if all are
 * flat and no digits, otherwise MATCHING_UNITS, a digit having its share.
 */
extern MatchingRows *matching_rows_create(Dataset *dataset, DatasetColumn *const *column);

#define MATCHING_UNITS 5040

/* What a node of a column's tree stands for; not of digits. */
extern RecodedCell matching_rows_cell(const MatchingColumn *column, const CellTree *tree,
									  int32 node);

#endif /* KANON_MATCHING_ROWS_H */
