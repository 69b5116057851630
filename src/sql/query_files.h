/*
 * query_files.h
 *		Ends sorts and spools with their memory context, because they may have temporary files.
 *
 * The files belong to the query's resource owner.  If the query fails, the owner closes them,
 * before or after the memory is freed.  If it succeeds, they must be closed before it ends.
 */
#ifndef KANON_QUERY_FILES_H
#define KANON_QUERY_FILES_H

#include "postgres.h"

typedef struct QueryFiles QueryFiles;

/*
 * Calls "end" with the state when the current context is reset or deleted, unless the query failed.
 * Everything made earlier in the context or below it still exists then.
 */
extern QueryFiles *query_files_watch(void (*end)(void *state), void *state);

/* Calls "end" now, under the same condition, and stops watching. */
extern void query_files_end(QueryFiles *files);

#endif /* KANON_QUERY_FILES_H */
