/*
 * window_classes.h
 *		Mondrian over the partitions of a window: every row's class.
 */
#ifndef KANON_WINDOW_CLASSES_H
#define KANON_WINDOW_CLASSES_H

#include "postgres.h"

#include "io/record_shape.h"
#include "partition/partition.h"
#include "windowapi.h"

/* What the first row of a window partition asks for. */
typedef struct WindowRequest
{
	int64 k;
	bool relaxed;
	PartitionSplit split;
	ArrayType *quasi_identifiers; /* or NULL */
	const char *target;           /* or NULL */
	Oid row_type;                 /* of the records as the parser knows it, or InvalidOid */
} WindowRequest;

/* What one call in a query keeps between window partitions: shapes and dimensions. */
typedef struct WindowCall WindowCall;

/* Lives in the context. */
extern WindowCall *window_classes_open(MemoryContext context);

/*
 * Reads all records of the window's present partition, the argument of that
 * number, and partitions them: class_of_row by position in the window partition,
 * in "context", which is the window partition's.  NULL if there are fewer than k rows.
 *
 * Errors: those of record_shape_load, record_codes_create and
 * record_codes_add; the memory limit.
 */
extern int32 *window_classes_compute(WindowCall *call, WindowObject window, int argument,
									 const WindowRequest *request, MemoryContext context);

#endif /* KANON_WINDOW_CLASSES_H */
