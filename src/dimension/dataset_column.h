/*
 * dataset_column.h
 *		The SQL values of one attribute as codes of a dataset's column.
 *
 * If values are whole numbers close together, of a type with ranges, their codes may be their
 * places, so that differences of codes are distances.  Other values get dictionary codes, or the
 * final ground codes of their dimension.
 */
#ifndef KANON_DATASET_COLUMN_H
#define KANON_DATASET_COLUMN_H

#include "postgres.h"

#include "data/dataset.h"
#include "data/dictionary.h"
#include "data/recoding.h"
#include "dimension/dimension_query.h"

typedef struct DatasetColumn
{
	const DescribedAttribute *attribute;
	AttributeDomain *domain;           /* its values */
	bool hierarchical;                 /* the domain is the attribute's, with its dimension;
										* otherwise ordered, without levels */
	RecodingColumn codes;              /* what they mean, once they are final */
	const struct MaskedDigits *digits; /* if each is recoded by itself; or NULL */
	int64 real; /* rows in memory that are the relation's, before those that stand for none of its
				 * rows: these have values that must have codes, but notices do not tell of them;
				 * -1: all */
	/* The bounds of the final codes, without NULL; of places, over the rows that left. */
	int32 minimum;
	int32 maximum;
	/* The rest is for dataset_column.c. */
	Dataset *dataset;
	int number;
	Oid type;           /* base type */
	const int32 *order; /* [final code]: number of its value in the domain */
	int32 *code_of;     /* [number]: its final code; NULL: nobody has asked */
	bool by_place;      /* the domain has no values yet */
	bool has_first;
	int64 first;  /* whole number at the middle place */
	int64 *known; /* [provisional code]: rows of a whole (dataset_column_know); NULL: none */
	int32 knows;  /* how many codes that are */
} DatasetColumn;

/*
 * Column "number" of a dataset without rows, for the values of this attribute; in the current
 * context.  If the attribute has a domain, which must be loaded, the column is hierarchical. ranks:
 * final codes are the ranks 0, 1, .. of the values that occur; otherwise whole numbers may be coded
 * by their places.  Raises ERRCODE_UNDEFINED_FUNCTION for a type without order.
 */
extern DatasetColumn *dataset_column_create(Dataset *dataset, int number,
											const DescribedAttribute *attribute, bool ranks);

/*
 * Sets the code of a detoasted value in the last row appended; may recode earlier rows.  Amortized
 * O(1).
 */
extern void dataset_column_encode(DatasetColumn *column, Datum value, bool is_null);

/*
 * The dataset's first rows move to its tape: keeps the counts and bounds of their codes.  O(rows).
 */
extern void dataset_column_leave(DatasetColumn *column, int64 rows);

/*
 * All rows so far have left and are those of a whole, of which the dataset gets a part: their
 * values have codes and bounds, and count, but notices do not tell of them.
 */
extern void dataset_column_know(DatasetColumn *column);

/* After all rows left: if places span more than "most", they become dictionary codes. */
extern void dataset_column_narrow(DatasetColumn *column, int64 most);

/*
 * Makes all codes final, once, and describes them; dictionary codes follow the given order.
 * Unknown values become NULL if the domain says so.
 */
extern void dataset_column_finish(DatasetColumn *column, DictionaryOrder order);

/*
 * Fills an empty dataset from a source of these attributes, [dataset->attributes].  If rows come
 * with counts, a dataset of groups gets these, and one of rows gets each at most
 * DATASET_COLUMN_COPIES times: enough to show which rows are unique, and nothing more.  "take",
 * unless NULL, takes what the source has after the attributes, for each row appended.  Returns the
 * columns, in the current context, with ranks as codes, not final yet. "rows", unless NULL, is set
 * to the number of rows in all.  Errors: those of the source and of dataset_column_create; more
 * than PG_INT32_MAX rows (ERRCODE_PROGRAM_LIMIT_EXCEEDED).
 */
typedef void (*KeyConsumer)(void *state, Datum key, bool isnull);

extern DatasetColumn **dataset_columns_read(Dataset *dataset, RowSource *source,
											DescribedAttribute *const *attribute, KeyConsumer take,
											void *state, int64 *rows);

#define DATASET_COLUMN_COPIES 2

/*
 * The number of values that occur; of whole numbers, those between the least and the greatest count
 * as well.  Once codes are final; the same however they are coded.  At most O(rows in memory).
 */
extern uint64 dataset_column_extent(DatasetColumn *column);

/* What the final codes of columns mean, [column]; palloc'd. */
extern RecodingColumn *dataset_columns_codes(DatasetColumn *const *column, int count);

/*
 * A final column as it is recoded, by which the losses of its cells are measured.  Spans of types
 * without ranges are texts that stand for the values between them, so their distances are of ranks.
 */
extern RecodingColumn dataset_column_measured(const DatasetColumn *column,
											  const RecodingColumn *recoded);

/*
 * Spans of a final hierarchical column: of values in the order of their dimension, in which their
 * codes are.  Places them by the number of values of the dimension before each, in the current
 * context, against the dataset's budget.
 */
extern void dataset_column_span(const DatasetColumn *column, RecodingColumn *recoded);

/* The number of values in an ordered column's dictionary so far. */
extern int32 dataset_column_values(const DatasetColumn *column);

/* The bytes of its values, until they are final: a function of their number and widths. */
extern Size dataset_column_bytes(const DatasetColumn *column);

/*
 * For an ordered and final column of ranks: the ranks of its codes in DICTIONARY_BY_BYTES order,
 * [values], palloc'd against the budget.  NULL if the codes are these ranks.
 */
extern int32 *dataset_column_rank_by_bytes(const DatasetColumn *column);

/*
 * The final code of a detoasted value; of one that did not occur, DATASET_NULL or that of some
 * value that did.  O(1).
 */
extern int32 dataset_column_find(DatasetColumn *column, Datum value, bool is_null);

/* The value of a final code other than DATASET_NULL, which the column owns. */
extern Datum dataset_column_value(const DatasetColumn *column, int32 code);

/* The value of a final code other than DATASET_NULL as text; palloc'd. */
extern char *dataset_column_text(const DatasetColumn *column, int32 code);

#endif /* KANON_DATASET_COLUMN_H */
