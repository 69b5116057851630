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

/* About the bytes for a row that people take, if they count. */
extern Size record_spill_person_bytes(const Description *description);

/*
 * From now on rows may go to a tape, if that is allowed; at once, if memory cannot hold this many.
 * The budget can say how much would suffice.  Returns the number of rows to make room for.
 */
extern int64 record_spill_begin(RecordCodes *codes, int64 rows);

/*
 * All is made but the rows: if they go to a tape whatever memory is left, the budget reckons with
 * the numbers and widths of values from now on, so that it allows the same for any order of the
 * rows.
 */
extern void record_spill_ready(RecordCodes *codes);

/* Makes room for one more row. */
extern void record_spill_make_room(RecordCodes *codes);

/* The last row was added: from now on rows go only when asked to. */
extern void record_spill_end(RecordCodes *codes);

/*
 * The rows on the tape, to be partitioned with that request, which gets its columns, of the extent
 * of the table, and its budget.  In a context of their own, so that what they take is the same for
 * any order of the rows.
 */
extern RothkoRequest record_spill_rows(RecordCodes *codes, PartitionRequest *partition);

#endif /* KANON_RECORD_SPILL_H */
