/*
 * content_tally.h
 *		What rows hold, told while they pass once: a digest that is independent of their order, and
 *		the sizes of classes that lie together.
 *
 * The digest is the sum, modulo 2^256, of the SHA-256 digests of the rows.  A row is the texts of
 * its values in UTF-8, each after its length in four bytes; the length of a NULL has all bits set.
 * So the digest is the same under all settings, versions and encodings, and before and after dump
 * and restore.  A text that is not to be had in UTF-8 counts as a zero byte and the bytes that it
 * has.  Names and types of columns do not count.  (Sums of hashes: M. Bellare, D. Micciancio: A
 * new paradigm for collision-free hashing, Eurocrypt 1997.)
 *
 * Rows of one class are equal byte by byte in a release, because each class has one spelling, and
 * mostly adjacent.  So each row is compared with the one before; only the first of a run is looked
 * up, by 128 bits of hash, and classes that look alike are one.  (Where they are known to be
 * adjacent, as a recoding hands them out, runs are counted.)
 *
 * Example: the released ages [20,30), [20,30), [30,40), [20,30) are three runs of 2, 1 and 1 rows,
 * and two classes of 3 and 1.
 */
#ifndef KANON_CONTENT_TALLY_H
#define KANON_CONTENT_TALLY_H

#include "postgres.h"

#include "access/htup.h"
#include "nodes/pg_list.h"
#include "tcop/dest.h"

/* Sizes are rows, or people if a person column was named. */
typedef struct ClassTally
{
	int64 rows;
	int64 classes;
	int64 smallest;      /* size of the smallest class, 0 if there is none */
	int64 small_classes; /* classes below k or that fail a model */
	int64 small_rows;    /* rows in them */
} ClassTally;

/* Adds a class. */
static inline void
class_tally_add(ClassTally *tally, int64 rows, int64 size, bool small)
{
	tally->smallest = tally->classes == 0 ? size : Min(tally->smallest, size);
	tally->classes++;
	tally->rows += rows;
	tally->small_classes += small ? 1 : 0;
	tally->small_rows += small ? rows : 0;
}

/* What is told of the rows. */
typedef struct ContentQuestion
{
	bool digest;
	bool records; /* rows are added one by one */
	bool classes;
	const int
		*column; /* of the classes: numbers of columns, from 0; none: all rows are one class */
	int columns;
	bool beside; /* something else fills the memory meanwhile: take an eighth of the limit */
	bool runs;   /* each class is one run of rows: they need not be remembered */
} ContentQuestion;

typedef struct ContentTally ContentTally;

/*
 * No rows yet; in a context of its own below the current one.  It must be freed, unless an error is
 * raised; NULL is nothing to free.
 */
extern ContentTally *content_tally_create(ContentQuestion question);
extern void content_tally_free(ContentTally *tally);

/* The receiver of the rows, all in one stream.  Rows equal to the one before cost next to nothing.
 */
extern DestReceiver *content_tally_receiver(ContentTally *tally);

/*
 * Once the stream has ended: the number of rows; 64 hexadecimal digits, in the current context; and
 * the classes, of which those below k are small.  _classes returns false if there are more than the
 * limit allows: then they are unknown, and without a digest the stream ended early.
 */
extern int64 content_tally_rows(const ContentTally *tally);
extern char *content_tally_digest(const ContentTally *tally);
extern bool content_tally_classes(ContentTally *tally, int k, ClassTally *classes);

/* What some of the rows hold, told elsewhere; no class of theirs looks like one of the others. */
typedef struct ContentPart
{
	int64 rows;
	uint8 digest[32]; /* least significant byte first */
	ClassTally classes;
} ContentPart;

/* _part: what all rows so far hold, once, of classes without k. _take: adds a part to a tally. */
extern ContentPart content_tally_part(ContentTally *tally);
extern void content_tally_take(ContentTally *tally, const ContentPart *part);

/*
 * Adds a row that is a record, instead of a stream.  In any context; keeps nothing outside the
 * tally's, so a tally of digests need not be freed.  Raises ERRCODE_DATATYPE_MISMATCH for a record
 * of another type than the first one.
 */
extern void content_tally_add(ContentTally *tally, HeapTupleHeader row);

/*
 * The digest of rows whose parts have these digests; in the current context.
 */
extern char *content_tally_sum(const List *digests);

/*
 * The digest of all columns of a relation (qualified and quoted), in the current context, read as
 * the current user in the snapshot of the calling statement plus the changes of this transaction.
 * Call within a query scope.  One scan.
 */
extern char *content_tally_digest_of(const char *relation);

#endif /* KANON_CONTENT_TALLY_H */
