/*
 * stored_code.h
 *		Functions that a table brings along in its indexes, extended statistics and partition key.
 */
#ifndef KANON_STORED_CODE_H
#define KANON_STORED_CODE_H

#include "postgres.h"

#include "utils/relcache.h"

/*
 * Is any of these functions not PostgreSQL's own?  Planning a query of the open relation may run
 * it, with the rights of the current user.
 */
extern bool stored_code_any(Relation relation);

#endif /* KANON_STORED_CODE_H */
