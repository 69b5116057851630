/*
 * budget.h
 *		The working memory of one call, bounded by kanon.memory_limit.
 *
 * A budget counts the bytes of every structure that grows with the data
 * (dictionaries, frequency sets, hash tables, bitmaps over the lattice).
 * Who can go another way when memory is short asks with budget_try; who
 * cannot asks with budget_take, which stops the call with an error that
 * names the setting.
 */
#ifndef KANON_BUDGET_H
#define KANON_BUDGET_H

#include "postgres.h"

#include "storage/shmem.h" /* add_size and mul_size, which only late minor versions have in palloc.h */

typedef struct Budget
{
	Size limit; /* bytes */
	Size used;  /* bytes */
	Size peak;  /* bytes, the most ever used */
} Budget;

/* kanon.memory_limit in kilobytes; -1 means maintenance_work_mem. */
extern int budget_memory_limit;

/* A budget over the present setting; no memory of its own. */
extern Budget budget_begin(void);

/* Counts bytes and returns true, or counts nothing and returns false. */
extern bool budget_try(Budget *budget, Size bytes);

/*
 * Counts bytes for "purpose" (a noun phrase, in the message) or raises
 * ERRCODE_PROGRAM_LIMIT_EXCEEDED.
 */
extern void budget_take(Budget *budget, Size bytes, const char *purpose);

extern void budget_give(Budget *budget, Size bytes);

/*
 * An array of "count" entries of "size" bytes, all zero, in the current context.
 * Counted as budget_take does; its owner gives count * size bytes back.
 */
extern void *budget_allocate(Budget *budget, Size count, Size size, const char *purpose);

/* Frees what budget_allocate made, and gives its bytes back. */
extern void budget_free(Budget *budget, void *array, Size count, Size size);

/*
 * The array with "count" entries instead of "old", those behind the old ones all
 * zero, in the context where it lies; a new one for NULL, whose "old" is 0.
 */
extern void *budget_enlarge(Budget *budget, void *array, Size old, Size count, Size size,
							const char *purpose);

/*
 * A chunk in the context, all zero, counted with what the allocator adds: for a table of
 * simplehash, which grows when it thinks fit.  Its owner frees it by budget_free_chunk.
 */
extern void *budget_chunk(Budget *budget, MemoryContext context, Size size, const char *purpose);

extern void budget_free_chunk(Budget *budget, void *chunk);

/* Bytes that budget_try would still grant. */
extern Size budget_left(const Budget *budget);

#endif /* KANON_BUDGET_H */
