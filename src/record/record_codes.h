/*
 * record_codes.h
 *		Records as a dataset: quasi-identifiers as codes, and the target.
 */
#ifndef KANON_RECORD_CODES_H
#define KANON_RECORD_CODES_H

#include "postgres.h"

#include "access/htup.h"
#include "base/random.h"
#include "dimension/dataset_column.h"
#include "record/class_sort.h"
#include "record/record_roles.h"
#include "record/sensitive_rows.h"
#include "rothko/rothko.h"
#include "utils/jsonb.h"

/* Where Mondrian works (kanon.partitioning). */
typedef enum Partitioning
{
	PARTITIONING_AUTO,   /* in memory or, if that is too small, on tapes */
	PARTITIONING_MEMORY, /* in memory only */
	PARTITIONING_TREE,   /* on tapes, with parts of at most an eighth of the rows in memory */
	PARTITIONING_SAMPLE  /* likewise, with samples if these tell enough */
} Partitioning;

typedef struct PartitioningWay
{
	Partitioning partitioning;
	int kilobytes; /* limit that determines samples; 0: kanon.memory_limit */
} PartitioningWay;

#define RECORD_RESET_EVERY 64 /* records after which scratch memory is reset */

/* What a call says of its records. */
typedef struct RecordRequest
{
	RecordRoles roles;
	PartitionSplit split; /* followed if there is a target */
	bool ranks;           /* codes of values are ranks; see also dataset_column_create */
	bool spans;           /* .. in the type's order, in which spans lie, unless the column is
						   * plain; otherwise in one that is the same on all systems */
	bool regions;         /* recoded region by region (local/local.h), not by "split": codes may be
						   * places all the same */
	bool may_spill;       /* to tapes, if memory cannot hold them; without effect if people count */
	PartitioningWay way;
	int memory;         /* kilobytes that whoever hands a whole lends: budget_lend */
	const Jsonb *whole; /* the records are those of a node: record_whole.h; or NULL */
	Size class_bytes;   /* that callers keep for each row's class, beyond its number */
} RecordRequest;

typedef struct RecordCodes
{
	const Description *description;
	Budget *budget;
	Dataset *dataset;
	DatasetColumn **column;   /* [quasi-identifier] */
	bool final;               /* record_codes_finish was called */
	RecordRequest request;    /* without roles; split at the median if there is no target */
	Dictionary *classes;      /* infogain: of the target, side 0 of the dataset; class 0 is NULL */
	Oid target_type;          /* base type */
	SensitiveRows *sensitive; /* NULL: no demand beyond k rows */
	ClassSort *beside;        /* columns beside the cells, in the context above the budget's, so
							   * it does not count; or NULL */
	/* Rows that memory cannot hold go to dataset->tape: record_spill.h. */
	CodeTapes *tapes;  /* NULL: rows must stay in memory */
	int64 expected;    /* rows in all, if known */
	Size begun;        /* bytes that the budget had given before the first row */
	int64 adding;      /* number of the row being added to the dataset; PG_INT32_MAX: none */
	bool spilling;     /* rows are just going to a tape */
	RecordType record; /* type of the latest record */
	Datum *values;     /* of one record */
	bool *nulls;
	MemoryContext scratch; /* of one record */
} RecordCodes;

/* How to recode; each recoding uses the fields that concern it. */
typedef struct RecodeOptions
{
	int k;
	double suppression; /* share of the rows that may be left out */
	bool by_class;      /* group_of_row is not needed: see Recoding */
	bool kinds;         /* kind_of_row and covered are needed: see Recoding */
	bool draw;          /* draw with this key */
	RandomKey key;
	PartitionNodes *nodes; /* see PartitionRequest */
	/* Of hidden cells: suppress_recoding.h. */
	int known;         /* somebody may know so many columns; 0: all */
	bool null_matches; /* a hidden cell matches anything */
	/* Of recodings by a rule: single_recoding.h. */
	bool by_rule;     /* it is one, and judges its classes as class_verdicts.h does */
	const char *rule; /* the rule; NULL: it is searched, .. */
	int effort;       /* .. with this effort, .. */
	bool discernibility;
	struct FoundRule *found; /* .. and told here, unless NULL */
} RecodeOptions;

/*
 * A recoding of records, by final codes.  "models": the demand beyond k rows, or NULL.  Keeps using
 * the dataset and the columns, unless it says that it frees them.  In the current context, against
 * the budget of the codes.  Returns NULL if nothing may be published.
 */
typedef Recoding *(*RecodeFunction)(RecordCodes *codes, const RowModels *models,
									const RecodeOptions *options);

/*
 * The division whose upper part may be made elsewhere, for final codes of a whole; the columns are
 * for the caller to set.  The recoding finishes each of its nodes, which a whole describes, as if
 * it had divided all rows itself.  In the current context, against the budget of the codes.
 */
typedef PartitionRequest (*NodesFunction)(RecordCodes *codes, const RowModels *models,
										  const RecodeOptions *options);

/*
 * No rows yet, only what the request's whole says; in the current context, against the budget.
 * "rows": expected number. tapes: rows go
 * there when the budget runs out, or at once if it is going to; NULL: they must stay in memory.
 * Raises ERRCODE_DATATYPE_MISMATCH for a target that is not a number with SPLIT_REGRESSION, or that
 * cannot be compared with SPLIT_INFOGAIN.
 */
extern RecordCodes *record_codes_create(const Description *description,
										const RecordRequest *request, int64 rows, CodeTapes *tapes,
										Budget *budget);

/*
 * Adds a row.  NULL counts as a record with all fields NULL.  Raises ERRCODE_DATATYPE_MISMATCH if
 * the record's fields differ from those described.
 */
extern void record_codes_add(RecordCodes *codes, HeapTupleHeader record);

/*
 * Once codes are final, and models asked for: the codes of a record like those described, first of
 * the quasi-identifiers that are asked for, [quasi-identifier], then of the sensitive columns;
 * without target and person.
 */
extern void record_codes_find(RecordCodes *codes, HeapTupleHeader record, const bool *asks,
							  int32 *code);

/* Adds the row in values and nulls, [number of the field - 1]. */
extern void record_codes_add_values(RecordCodes *codes);

/* The number of rows so far, in memory and on a tape. */
extern int64 record_codes_rows(const RecordCodes *codes);

/* The rows so far are the relation's; see DatasetColumn. */
extern void record_codes_end_rows(RecordCodes *codes);

/* Makes the codes final, once.  In the current context. */
extern void record_codes_finish(RecordCodes *codes);

/* The demand beyond k rows, or NULL; see sensitive_rows_finish. */
extern const RowModels *record_codes_models(RecordCodes *codes, int64 k, const bool *left_out);

/*
 * Recodes the records, or the node of a whole, whose codes become final, in the current context or
 * one below it.  Returns NULL also for fewer than k.
 */
extern Recoding *record_codes_recode(RecordCodes *codes, RecodeFunction recode,
									 RecodeOptions options);

/*
 * Once codes are final: the attributes in the order of ties, by the number of their values
 * (dataset_column_extent), the fewest first, then by name; and the shares of the quasi-identifiers
 * in the loss, summed in that order: equal if none has a weight.  So neither depends on the order
 * of the attributes.  Palloc'd.
 */
extern int *record_codes_order(const RecordCodes *codes);
extern double *record_codes_weights(const RecordCodes *codes, const int *order);

/*
 * Mondrian: classes, each recoded to the region of its rows (partition.h), in memory or, if the
 * dataset has a tape, there.  With rest parts, unless parts are cut at the median.  Strict: as in
 * the papers, without.  Relaxed: rows equal to a median are dealt to both sides of the cut.
 */
extern Recoding *mondrian_recode(RecordCodes *codes, const RowModels *models,
								 const RecodeOptions *options);
extern Recoding *strict_mondrian_recode(RecordCodes *codes, const RowModels *models,
										const RecodeOptions *options);
extern Recoding *relaxed_mondrian_recode(RecordCodes *codes, const RowModels *models,
										 const RecodeOptions *options);

extern PartitionRequest mondrian_nodes(RecordCodes *codes, const RowModels *models,
									   const RecodeOptions *options);
extern PartitionRequest strict_mondrian_nodes(RecordCodes *codes, const RowModels *models,
											  const RecodeOptions *options);

/*
 * Local recoding: classes that lose least, each recoded to the region of its rows (local/local.h).
 * Leaves out the rows that cost most, as far as the suppression allows.  The weights of the
 * quasi-identifiers count.  In memory or, if the dataset has a tape, there: the classes are the
 * same.
 */
extern Recoding *local_recode(RecordCodes *codes, const RowModels *models,
							  const RecodeOptions *options);

/* Its regions.  Not with suppression, for what one region leaves out others may not. */
extern PartitionRequest local_nodes(RecordCodes *codes, const RowModels *models,
									const RecodeOptions *options);

/*
 * The class of each row by local recoding with these columns, without suppression: [row], from 1,
 * palloc'd against the budget; NULL: all rows together do not satisfy the models, which may be
 * NULL. For final codes of at least k rows, all in memory; their records are in the order of
 * arrival before and after.
 */
extern const int32 *local_recoding_classes(RecordCodes *codes, const RecodingColumn *column,
										   const RowModels *models, int k, int32 *classes);

#endif /* KANON_RECORD_CODES_H */
