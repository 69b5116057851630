/*
 * window_rows.h
 *		Reads the rows of a window partition as codes.
 */
#ifndef KANON_WINDOW_ROWS_H
#define KANON_WINDOW_ROWS_H

#include "postgres.h"

#include "record/record_codes.h"
#include "windowapi.h"

/* What the first row of a window partition says about them. */
typedef struct WindowRequest
{
	int argument; /* number of the argument that is the record */
	Oid row_type; /* of the records according to the parser, or InvalidOid */
	int64 least;  /* rows needed */
	RecordRoles roles;
	PartitionSplit split;
	bool ranks;     /* of values in an order that is the same on all systems; see also
					 * dataset_column_create */
	bool may_spill; /* to tapes if memory cannot hold them (record_codes.h) */
	PartitioningWay way;
} WindowRequest;

/* The state of a call kept between window partitions: the description with its dimensions, and
 * tapes. */
typedef struct WindowCall WindowCall;

/* A state in the given context. */
extern WindowCall *window_rows_open(MemoryContext context);

/*
 * All records of the window's current partition, by position, as final codes; NULL if there are too
 * few.  In the current context, against a budget over "counted", which is that context or one above
 * it.  Valid until the next call.
 *
 * Errors: those of record_roles_describe, record_codes_create and record_codes_add; the memory
 * limit.
 */
extern RecordCodes *window_rows_read(WindowCall *call, WindowObject window,
									 const WindowRequest *request, MemoryContext counted);

#endif /* KANON_WINDOW_ROWS_H */
