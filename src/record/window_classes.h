/*
 * window_classes.h
 *		Mondrian over the partitions of a window: every row's class.
 */
#ifndef KANON_WINDOW_CLASSES_H
#define KANON_WINDOW_CLASSES_H

#include "postgres.h"

#include "partition/partition.h"
#include "record/record_codes.h"
#include "windowapi.h"

/* What the first row of a window partition asks for. */
typedef struct WindowRequest
{
	int64 k;
	bool relaxed;
	PartitionSplit split;
	RecordRoles roles;
	Oid row_type;     /* of the records as the parser knows it, or InvalidOid */
	bool keep_codes;  /* codes and dictionaries of the records are wanted, too */
	bool places_only; /* class_of_row is not */
	bool codes_only;  /* nothing is partitioned, codes are by bytes; with keep_codes */
	bool judge_only;  /* classes are there, numbered by the one quasi-identifier */
} WindowRequest;

/* The classes of one window partition. */
typedef struct WindowClasses
{
	MemoryContext context; /* where they lie, and what counts as theirs */
	Partition *partition;  /* class_of_row by position in the window partition; or NULL */
	RecordCodes *codes;    /* with keep_codes or codes_only; whose budget goes on */
	bool *satisfies;       /* with judge_only, instead of the others: class_verdicts */
} WindowClasses;

/* What one call in a query keeps between window partitions: shapes and dimensions. */
typedef struct WindowCall WindowCall;

/* Lives in the context. */
extern WindowCall *window_classes_open(MemoryContext context);

/*
 * Reads all records of the window's present partition, the argument of that
 * number, and partitions them.  The result lives in "context", which is the
 * window partition's; NULL if there are fewer than k rows, or these do not satisfy the
 * models.  Codes that are kept are
 * good until the next call.
 *
 * Errors: those of record_shape_load, record_codes_create and
 * record_codes_add; the memory limit.
 */
extern WindowClasses *window_classes_compute(WindowCall *call, WindowObject window, int argument,
											 const WindowRequest *request, MemoryContext context);

#endif /* KANON_WINDOW_CLASSES_H */
