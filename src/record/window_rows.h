/*
 * window_rows.h
 *		The rows of a window's partition as codes.
 */
#ifndef KANON_WINDOW_ROWS_H
#define KANON_WINDOW_ROWS_H

#include "postgres.h"

#include "record/record_codes.h"
#include "windowapi.h"

/* What the first row of a window partition says of them. */
typedef struct WindowRequest
{
	int argument; /* number of the one that is the record */
	Oid row_type; /* of the records as the parser knows it, or InvalidOid */
	int64 least;  /* rows that there must be */
	RecordRoles roles;
	PartitionSplit split;
	bool dense;     /* codes: see RecodingOps */
	bool may_spill; /* to tapes, where memory does not hold them (record_codes.h) */
	PartitioningWay way;
} WindowRequest;

/* What one call in a query keeps between window partitions: shapes, dimensions and tapes. */
typedef struct WindowCall WindowCall;

/* Lives in the context. */
extern WindowCall *window_rows_open(MemoryContext context);

/*
 * All records of the window's present partition, by position in it, as codes that are final;
 * NULL if they are too few.  In the current context, against a budget over "counted", which is
 * that context or one above it.  They and the budget are good until the next call.
 *
 * Errors: those of record_shape_load, record_codes_create and
 * record_codes_add; the memory limit.
 */
extern RecordCodes *window_rows_read(WindowCall *call, WindowObject window,
									 const WindowRequest *request, MemoryContext counted);

#endif /* KANON_WINDOW_ROWS_H */
