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

/* Where Mondrian works. */
typedef enum Partitioning
{
	PARTITIONING_AUTO,   /* in memory, or, where that does not suffice, on tapes */
	PARTITIONING_MEMORY, /* in memory only */
	PARTITIONING_TREE,   /* on tapes, with parts of an eighth of the rows at most in memory */
	PARTITIONING_SAMPLE  /* likewise, by samples of the rows where these tell enough */
} Partitioning;

extern int record_spill_partitioning; /* kanon.partitioning */
extern const struct config_enum_entry record_spill_partitionings[];

/* Will so many rows fit in memory, and be partitioned there? */
extern bool record_spill_expects(const RecordCodes *codes, int64 rows);

/* Rows may go to a tape from now on, or do at once. */
extern void record_spill_allow(RecordCodes *codes, bool at_once);

/* Room for one more row. */
extern void record_spill_make_room(RecordCodes *codes);

/* All rows go, but one that is being added. */
extern void record_spill(RecordCodes *codes);

/* The last row was added: from now on rows go only when they are told to. */
extern void record_spill_end(RecordCodes *codes);

/* How many rows may be partitioned in memory at once, if it suffices. */
extern int64 record_spill_most(const RecordCodes *codes);

#endif /* KANON_RECORD_SPILL_H */
