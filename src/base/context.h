/*
 * context.h
 *		The sizes of memory contexts.
 *
 * As ALLOCSET_SMALL_SIZES and ALLOCSET_DEFAULT_SIZES, but of contexts that PostgreSQL does not put
 * on its freelists (utils/mmgr/aset.c).  In some minor versions (15.18), a context from there keeps
 * the limit above which a chunk has a block of its own, which is higher if it once was that of a
 * cached plan.  So the memory that the same work takes, and whether it fits into a budget, would
 * depend on what the session did before.
 */
#ifndef KANON_CONTEXT_H
#define KANON_CONTEXT_H

#include "postgres.h"

#include "utils/memutils.h"

#define CONTEXT_SMALL_SIZES ALLOCSET_SMALL_INITSIZE, ALLOCSET_SMALL_INITSIZE, ALLOCSET_SMALL_MAXSIZE
#define CONTEXT_DEFAULT_SIZES                                                                      \
	ALLOCSET_DEFAULT_INITSIZE, ALLOCSET_DEFAULT_INITSIZE, ALLOCSET_DEFAULT_MAXSIZE

#endif /* KANON_CONTEXT_H */
