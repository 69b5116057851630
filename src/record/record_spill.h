/*
 * record_spill.h
 *		Moves records as codes from memory to a tape when there are too many, while they are read or
 *		at the end.
 *
 * Dictionaries stay in memory.  Codes on the tape are provisional, like those in memory; their
 * final codes are known at the end (dataset.h).
 */
#ifndef KANON_RECORD_SPILL_H
#define KANON_RECORD_SPILL_H

#include "postgres.h"

#include "record/record_codes.h"
#include "utils/guc.h"

#define RECORD_SPILL_ROWS 256 /* rows kept in memory while others go to a tape */

extern int record_spill_partitioning; /* kanon.partitioning */
extern const struct config_enum_entry record_spill_partitionings[];

/*
 * The way of a release whose text names one, or NULL: the way it was made with overrides the
 * session's, which may choose only if the classes are the same.  Raises
 * ERRCODE_INVALID_PARAMETER_VALUE for a name that no release has.
 */
extern PartitioningWay record_spill_of_release(const char *name);

/* The way that the text of a release made now must name, or NULL. */
extern const char *record_spill_for_release(void);

/* .. of one by samples, which are as large as memory allows now. */
extern const char *record_spill_samples(void);

/*
 * Limits the budget to what the way says, because samples are as large as memory allows.  Raises
 * ERRCODE_PROGRAM_LIMIT_EXCEEDED if the limit is above kanon.memory_limit.
 */
extern void record_spill_limit(PartitioningWay way, Budget *budget);

/* Will this many rows fit in memory and, if they may leave it, also their partitioning? */
extern bool record_spill_expects(const RecordCodes *codes, int64 rows);

/*
 * From now on rows may go to a tape, or go at once, if that is allowed; and the budget can say how
 * much memory would suffice.
 */
extern void record_spill_begin(RecordCodes *codes, bool at_once);

/*
 * Before the first row: if they go to a tape whatever memory is left, the budget reckons with the
 * numbers and widths of values from now on, so that it allows the same for any order of the rows.
 */
extern void record_spill_reckon(RecordCodes *codes);

/*
 * The budget for partitioning the rows on a tape.  If it reckoned, a new one in the current
 * context, over that context and the tapes: beside the values, and what is left free for what
 * becomes of the classes.  The budget of the codes goes by the allocator from now on.
 */
extern Budget *record_spill_budget(RecordCodes *codes);

/* The bytes that the budget has given for everything but the rows: dimensions, dictionaries. */
extern Size record_spill_values(const RecordCodes *codes);

/* Makes room for one more row. */
extern void record_spill_make_room(RecordCodes *codes);

/* The last row was added: from now on rows go only when asked to. */
extern void record_spill_end(RecordCodes *codes);

/* The number of rows that may be partitioned in memory at once. */
extern int64 record_spill_most(const RecordCodes *codes);

#endif /* KANON_RECORD_SPILL_H */
