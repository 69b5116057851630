/*
 * content_digest.h
 *		A digest of what a relation holds, whatever the order of its rows.
 *
 * It is the sum, modulo 2^256, of the SHA-256 of each row: of the texts of its values, in UTF-8,
 * each behind its length in four bytes, of which a NULL has all bits set.  So it is the same under
 * all settings, on every version, in a database of another encoding, and before and after dump and
 * restore; names and types of columns do not count.  (Sums of hashes: M. Bellare, D. Micciancio:
 * A new paradigm for collision-free hashing, Eurocrypt 1997.)
 */
#ifndef KANON_CONTENT_DIGEST_H
#define KANON_CONTENT_DIGEST_H

#include "postgres.h"

/*
 * 64 hexadecimal digits, in the current context, of all columns of a relation (qualified and
 * quoted), read as the current user in the snapshot of the calling statement, which also sees
 * what this transaction has done.  Within a query scope.  One scan; rows like the one before cost
 * next to nothing.
 */
extern char *content_digest(const char *relation);

#endif /* KANON_CONTENT_DIGEST_H */
