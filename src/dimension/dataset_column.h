/*
 * dataset_column.h
 *		SQL values of one attribute as the codes of a dataset's column.
 *
 * Whole numbers that lie close enough together, and of which there are ranges, may be coded by
 * their places: so are the distances between their codes.  Other values get dictionary codes,
 * or the final ground codes of their dimension.
 */
#ifndef KANON_DATASET_COLUMN_H
#define KANON_DATASET_COLUMN_H

#include "postgres.h"

#include "data/dataset.h"
#include "data/dictionary.h"
#include "data/recoding.h"
#include "dimension/dimension_query.h"

typedef struct DatasetColumn DatasetColumn;

/*
 * Column "number" of a dataset without rows, in the current context; hierarchical with a domain,
 * which is loaded.  dense: whole numbers are not coded by their places.  Error: a type without
 * order (ERRCODE_UNDEFINED_FUNCTION).
 */
extern DatasetColumn *dataset_column_create(Dataset *dataset, int number, Oid type, Oid collation,
											AttributeDomain *domain, bool dense);

/*
 * Sets the code of a detoasted value of the row appended last; may recode rows before it.  O(1)
 * on the average.
 */
extern void dataset_column_encode(DatasetColumn *column, Datum value, bool is_null);

/*
 * Rows go from the dataset to its tape, the first ones that it has: what is known of their
 * codes is kept.  O(rows).
 */
extern void dataset_column_leave(DatasetColumn *column, int64 rows);

/*
 * Of rows that all left: places further apart than so many become codes of a dictionary.
 */
extern void dataset_column_narrow(DatasetColumn *column, int64 most);

/*
 * Makes all codes final, once, and says what they are; dictionary codes follow the order asked
 * for.  Where its domain says so, unknown values have become NULL.
 */
extern RecodingColumn dataset_column_finish(DatasetColumn *column, DictionaryOrder order);

/* Once it is final, of all rows but those in the dataset: where codes lie, NULL apart. */
extern void dataset_column_bounds(const DatasetColumn *column, int32 *minimum, int32 *maximum);

/* Its domain, or NULL; and, once it is final, its dimension, or NULL. */
extern AttributeDomain *dataset_column_domain(const DatasetColumn *column);
extern const Dimension *dataset_column_dimension(const DatasetColumn *column);

/* How many values an ordered column has so far that stand in a dictionary. */
extern int32 dataset_column_values(const DatasetColumn *column);

/*
 * Of an ordered column that is dense and final: the ranks of its codes, DICTIONARY_BY_BYTES,
 * palloc'd against the budget, [values]. NULL if codes are these ranks.
 */
extern int32 *dataset_column_rank_by_bytes(const DatasetColumn *column);

/* The value of a final code other than DATASET_NULL, if ordered; the column's. */
extern Datum dataset_column_value(const DatasetColumn *column, int32 code);

/* The value of a final code other than DATASET_NULL as text; palloc'd. */
extern char *dataset_column_text(const DatasetColumn *column, int32 code);

#endif /* KANON_DATASET_COLUMN_H */
