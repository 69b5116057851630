/*
 * record_spill.h
 *		Records as codes that leave memory for a tape where they are too many for it, while they
 *		are read or when that is done.
 *
 * Dictionaries stay.  Codes on the tape are provisional as those in memory are: what they become is
 * known at the end (dataset.h).
 */
#ifndef KANON_RECORD_SPILL_H
#define KANON_RECORD_SPILL_H

#include "postgres.h"

#include "record/record_codes.h"
#include "utils/guc.h"

#define RECORD_SPILL_ROWS 256 /* in memory, while others go to a tape */

extern int record_spill_partitioning; /* kanon.partitioning */
extern const struct config_enum_entry record_spill_partitionings[];

/*
 * That of a release whose text names one, or none: what it was made with, whatever the session's
 * is, which may choose only where the classes are the same.  ERRCODE_INVALID_PARAMETER_VALUE: what
 * no release names.
 */
extern PartitioningWay record_spill_of_release(const char *name);

/* What the text of a release made now has to name; or NULL. */
extern const char *record_spill_for_release(void);

/* .. of one by samples, which are as large as memory allows now. */
extern const char *record_spill_samples(void);

/*
 * The budget has no more than the way says: samples are as large as memory allows.  Error: not
 * even that (ERRCODE_PROGRAM_LIMIT_EXCEEDED).
 */
extern void record_spill_limit(PartitioningWay way, Budget *budget);

/* Will so many rows fit in memory, and, where they may leave it, be partitioned there? */
extern bool record_spill_expects(const RecordCodes *codes, int64 rows);

/*
 * From now on rows may go to a tape, or do at once, where they may at all; and the budget knows how
 * much memory it takes if it does not suffice.
 */
extern void record_spill_begin(RecordCodes *codes, bool at_once);

/* Bytes that the budget has given for all but the rows themselves: dimensions, dictionaries. */
extern Size record_spill_values(const RecordCodes *codes);

/* Room for one more row. */
extern void record_spill_make_room(RecordCodes *codes);

/* All rows go, but one that is being added. */
extern void record_spill(RecordCodes *codes);

/* The last row was added: from now on rows go only when they are told to. */
extern void record_spill_end(RecordCodes *codes);

/* How many rows may be partitioned in memory at once, if it suffices. */
extern int64 record_spill_most(const RecordCodes *codes);

#endif /* KANON_RECORD_SPILL_H */
