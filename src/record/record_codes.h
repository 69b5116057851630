/*
 * record_codes.h
 *		Records as a dataset: the quasi-identifiers as codes, and the target.
 */
#ifndef KANON_RECORD_CODES_H
#define KANON_RECORD_CODES_H

#include "postgres.h"

#include "access/htup.h"
#include "base/random.h"
#include "dimension/dataset_column.h"
#include "dimension/masked_digits.h"
#include "record/class_sort.h"
#include "record/record_shape.h"
#include "record/sensitive_rows.h"
#include "rothko/rothko.h"

/* Where Mondrian works. */
typedef enum Partitioning
{
	PARTITIONING_AUTO,   /* in memory, or, where that does not suffice, on tapes */
	PARTITIONING_MEMORY, /* in memory only */
	PARTITIONING_TREE,   /* on tapes, with parts of an eighth of the rows at most in memory */
	PARTITIONING_SAMPLE  /* likewise, by samples of the rows where these tell enough */
} Partitioning;

typedef struct PartitioningWay
{
	Partitioning partitioning;
	int kilobytes; /* that a sample goes by; 0: kanon.memory_limit */
} PartitioningWay;

typedef struct RecordCodes
{
	const RecordShape *shape;
	Budget *budget;
	Dataset *dataset;
	DatasetColumn **column;      /* [quasi-identifier] */
	RecodingColumn *attribute;   /* [quasi-identifier], after record_codes_finish */
	const MaskedDigits **digits; /* [quasi-identifier]: told apart by matching_recoding; or NULL */
	PartitionSplit split;
	Dictionary *classes;  /* infogain */
	int32 *target_class;  /* infogain: [row]; class 0 is NULL */
	double *target_value; /* regression: [row]; NULL is NaN */
	int64 target_capacity;
	Oid target_type;          /* base type */
	SensitiveRows *sensitive; /* NULL: nothing is demanded beyond k rows */
	ClassSort *beside;        /* what stands beside the cells, in the context above the budget's: it
							   * does not count; or NULL */
	/* Rows that memory does not hold go to dataset->tape: record_spill.h. */
	CodeTapes *tapes; /* NULL: they must stay in memory */
	Partitioning partitioning;
	RowLayout layout;
	int64 expected;    /* rows in all, as far as that is known beforehand */
	Size begun;        /* record_spill_values, before the first row */
	int64 taped;       /* rows that did */
	int64 adding;      /* the row of the dataset that is being added; PG_INT32_MAX: none is */
	bool spilling;     /* while they do */
	bool final;        /* codes were, when the first did */
	Size class_bytes;  /* of a row, that its class will take: 0, or for who keeps more of it */
	RecordType record; /* of the latest record */
	Datum *values;     /* of one record */
	bool *nulls;
	Datum *beside_values; /* of what stands beside one */
	bool *beside_nulls;
	bool *varlena;         /* [field] */
	MemoryContext scratch; /* of one record */
} RecordCodes;

/* How they are to be recoded; each recoding looks at what concerns it. */
typedef struct RecodeRequest
{
	int k;
	bool by_class; /* group_of_row is not wanted: see Recoding */
	bool kinds;    /* kind_of_row and covered are: see Recoding */
	bool draw;     /* by that key */
	RandomKey key;
} RecodeRequest;

/*
 * No rows yet; in the current context, against the budget.  "rows" are
 * expected; dense: see dataset_column_create.  tapes: where rows go if they may leave memory, which
 * they do if the budget runs out, or at once if it will; NULL: they may not, as with people. Error:
 * a target that is no number with SPLIT_REGRESSION (ERRCODE_DATATYPE_MISMATCH), or that cannot be
 * compared with SPLIT_INFOGAIN.
 */
extern RecordCodes *record_codes_create(const RecordShape *shape, PartitionSplit split, bool dense,
										int64 rows, CodeTapes *tapes, Partitioning partitioning,
										Budget *budget);

/*
 * One more row.  A record that is NULL is one whose every field is NULL.
 * Error: a record with other fields than the shape's (ERRCODE_DATATYPE_MISMATCH).
 */
extern void record_codes_add(RecordCodes *codes, HeapTupleHeader record);
extern void record_codes_add_null(RecordCodes *codes);

/* Likewise of what is in values and nulls, [number of the field - 1]. */
extern void record_codes_add_values(RecordCodes *codes);

/* Rows so far, in memory and on a tape. */
extern int64 record_codes_rows(const RecordCodes *codes);

/* Makes the codes final, in an order of the values.  In the current context. */
extern void record_codes_finish(RecordCodes *codes, DictionaryOrder order);

/* What is demanded beyond k rows, or NULL; see sensitive_rows_finish. */
extern const RowModels *record_codes_models(RecordCodes *codes, int64 k, const bool *left_out);

/*
 * Mondrian over records whose codes are final, that of the request which only says k, relaxed,
 * nodes and places_only.  In the current context.  Of records in memory by partition_run, else by
 * rothko_run.
 */
extern Recoding *record_codes_partition(RecordCodes *codes, PartitionRequest request);

#endif /* KANON_RECORD_CODES_H */
