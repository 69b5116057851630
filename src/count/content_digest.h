/*
 * content_digest.h
 *		A digest of a relation's contents, independent of the order of its rows.
 *
 * It is the sum, modulo 2^256, of the SHA-256 digests of the rows.  A row is the texts of its
 * values in UTF-8, each after its length in four bytes; the length of a NULL has all bits set.  So
 * the digest is the same under all settings, versions and encodings, and before and after dump and
 * restore.  A text that is not to be had in UTF-8 counts as a zero byte and the bytes that it has.
 * Names and types of columns do not count.  (Sums of hashes: M. Bellare, D. Micciancio: A
 * new paradigm for collision-free hashing, Eurocrypt 1997.)
 */
#ifndef KANON_CONTENT_DIGEST_H
#define KANON_CONTENT_DIGEST_H

#include "postgres.h"

/*
 * 64 hexadecimal digits, in the current context, over all columns of a relation (qualified and
 * quoted), read as the current user in the snapshot of the calling statement plus the changes of
 * this transaction.  Call within a query scope.  One scan; rows equal to the one before cost next
 * to nothing.
 */
extern char *content_digest(const char *relation);

#endif /* KANON_CONTENT_DIGEST_H */
