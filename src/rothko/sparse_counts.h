/*
 * sparse_counts.h
 *		Counts as bytes, most of them 0, for those that add them up elsewhere (counted_tree.h).
 *
 * A number takes a byte for each seven bits, the lowest first; the eighth bit says whether more
 * follow.  First comes how many counts there are; then, for each that is
 * not 0, how many zeros precede it, and the count.
 *
 * Example: 0 0 5 0 0 0 is 6, 2, 5: three bytes.
 */
#ifndef KANON_SPARSE_COUNTS_H
#define KANON_SPARSE_COUNTS_H

#include "postgres.h"

#include "utils/memutils.h"

/* The most counts that bytes may tell of. */
#define SPARSE_COUNTS_MOST ((int64) (MaxAllocSize / sizeof(int64) / 2))

#define SPARSE_COUNTS_NUMBER 10 /* bytes of a number, at most */

/* How many bytes counts take; writes them.  Counts are not negative.  O(size). */
extern Size sparse_counts_bytes(const int64 *count, int64 size);
extern void sparse_counts_write(const int64 *count, int64 size, char *to);

/*
 * How many counts the bytes tell of; adds them to so many.  Both raise
 * ERRCODE_INVALID_PARAMETER_VALUE for bytes that tell of none, of others, or of counts that
 * overflow.  O(bytes).
 */
extern int64 sparse_counts_size(const char *bytes, Size length);
extern void sparse_counts_add(const char *bytes, Size length, int64 *count, int64 size);

#endif /* KANON_SPARSE_COUNTS_H */
