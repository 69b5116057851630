/*
 * query_files.h
 *		Who has temporary files of PostgreSQL's and ends with a memory context: a sort, a spool.
 *
 * The files belong to the query's resource owner.  Where the query fails, that closes them, before
 * the memory goes or after; where it does not, they have to be closed before it ends.
 */
#ifndef KANON_QUERY_FILES_H
#define KANON_QUERY_FILES_H

#include "postgres.h"

typedef struct QueryFiles QueryFiles;

/*
 * Calls "end" with the state when the current context goes, unless the query failed: while what
 * was made in the context before this is still there, contexts below it too.
 */
extern QueryFiles *query_files_watch(void (*end)(void *state), void *state);

/* Calls it at once, if it may still be called. */
extern void query_files_end(QueryFiles *files);

#endif /* KANON_QUERY_FILES_H */
