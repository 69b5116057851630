/*
 * stored_code.h
 *		Functions that a table brings along.
 *
 * PostgreSQL evaluates what is constant in the expressions of a table's indexes, of its
 * extended statistics and of its partition key whenever it plans a query of the table, with
 * the rights of whoever asks.  So even a plain table may run code of its owner's.
 */
#ifndef KANON_STORED_CODE_H
#define KANON_STORED_CODE_H

#include "postgres.h"

#include "utils/relcache.h"

/* Is there any function in these that is not PostgreSQL's own?  Of an open relation. */
extern bool stored_code_any(Relation relation);

#endif /* KANON_STORED_CODE_H */
