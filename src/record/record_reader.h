/*
 * record_reader.h
 *		Reads records as codes: the rows of a relation, or of a window partition.
 *
 * An aggregate adds its rows itself (record_codes_add).
 */
#ifndef KANON_RECORD_READER_H
#define KANON_RECORD_READER_H

#include "postgres.h"

#include "nodes/bitmapset.h"
#include "record/record_codes.h"
#include "windowapi.h"

/*
 * All rows of a relation: one SELECT as the current user reads the columns that have a role, in
 * memory or on tapes.  The codes are not final yet.  In the current context, against a budget over
 * it.  Errors: those of record_roles_describe_relation, record_codes_create and the query; the
 * memory limit.
 */
extern RecordCodes *record_reader_relation(Oid relation, const RecordRequest *request,
										   Budget *budget);

/* Takes the row just added, whose values are in the codes' "values" and "nulls" for this call. */
typedef void (*RecordTaker)(void *state);

/*
 * Adds all rows of the described relation, with these attribute numbers; each is also taken, unless
 * that is NULL.  Within a query scope, as the current user.
 */
extern void record_reader_scan(RecordCodes *codes, const Bitmapset *numbers, RecordTaker take,
							   void *state);

/*
 * The state of a call of a window function kept between window partitions: the description with its
 * dimensions, and tapes.
 */
typedef struct WindowCall WindowCall;

/*
 * A state in the current context, for records that are the argument with this number.  same: the
 * call gives their fields the same roles in all window partitions.
 */
extern WindowCall *record_reader_open(FunctionCallInfo fcinfo, int argument, bool same);

/*
 * All records of the window's current partition, by position; NULL if there are fewer than "least".
 * The codes are not final yet.  In the current context, against a budget over "counted", which is
 * that context or one above it.  Valid until the next call.
 *
 * Errors: those of record_roles_describe, record_codes_create and record_codes_add; the memory
 * limit.
 */
extern RecordCodes *record_reader_window(WindowCall *call, WindowObject window, int64 least,
										 const RecordRequest *request, MemoryContext counted);

#endif /* KANON_RECORD_READER_H */
