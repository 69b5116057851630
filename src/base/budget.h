/*
 * budget.h
 *		The working memory of one call, bounded by kanon.memory_limit.
 *
 * A budget is bound to a memory context.  Everything allocated in that context and below it
 * counts, whoever allocated it.  Code about to allocate memory that grows with the data calls
 * budget_allocate, or budget_check and then palloc.  Both raise ERRCODE_PROGRAM_LIMIT_EXCEEDED if
 * the memory does not fit.  The message begins with the purpose, a noun phrase, and names the
 * setting, and the limit that would do if it is known.  Code that has an alternative asks
 * budget_fits first.
 *
 * Whole allocator blocks count, so contexts for growing data use CONTEXT_SMALL_SIZES.  A check
 * visits every context below the budget's.  Do not check for each row.
 *
 * What the allocator has depends on the order of the rows that are read.  Where the answer must
 * not, the budget reckons: numbers and widths of values count, which are the same in any order.
 */
#ifndef KANON_BUDGET_H
#define KANON_BUDGET_H

#include "postgres.h"

#include "base/compat.h"
#include "storage/shmem.h" /* add_size and mul_size: only late minor versions have them in palloc.h */

typedef struct Budget
{
	MemoryContext context; /* NULL: nothing counts */
	Size limit;            /* bytes */
	bool fixed;            /* a release's limit, which the session cannot raise */
	Size before;           /* bytes in the context at the beginning; they do not count */
	Size elsewhere;        /* bytes in other contexts that count as well */
	MemoryContext apart;   /* another context that counts, or NULL */
	/* Frees memory before an error is raised; false if there is none to free. */
	bool (*relieve)(void *relieved);
	void *relieved;
	/*
	 * The limit, in bytes, that would about suffice if this many more bytes are needed; 0: unknown.
	 */
	Size (*enough)(const void *asked, Size bytes);
	/*
	 * The bytes that count instead of the allocator's, requests included, which are not added;
	 * NULL: the allocator's.
	 */
	Size (*reckon)(const void *asked);
	const void *asked;
} Budget;

/* kanon.memory_limit in kilobytes; -1 means maintenance_work_mem. */
extern int budget_memory_limit;

/*
 * kanon.release_memory_limit in kilobytes: the limit with which the release that is being refreshed
 * was made; otherwise 0.
 */
extern int budget_release_limit;

/* kanon.release_processes: how many processes share the limit while they fill a release. */
extern int budget_processes;

/* kanon.memory_ceiling in kilobytes: no limit is above it, whoever set it; -1: there is none. */
extern int budget_ceiling;

/* The limit in force, in kilobytes: the larger of the two, up to the ceiling. */
extern int budget_kilobytes(void);

/* The end of a hint that suggests this limit in bytes: what the ceiling means for it, or "". */
extern const char *budget_ceiling_hint(Size bytes);

/*
 * Raises the limit to so many kilobytes, up to the ceiling: somebody elsewhere has divided work by
 * them.
 */
extern void budget_lend(Budget *budget, int kilobytes);

/*
 * A budget that counts what the current context and its children allocate from now on, with this
 * process' share of the limit.
 */
extern Budget budget_begin(void);

/*
 * Bytes in use, bytes left, and whether this many more fit. budget_check raises the error if they
 * do not, even after relief.  Relief may move what it shrinks.
 */
extern Size budget_used(const Budget *budget);
extern Size budget_left(const Budget *budget);
extern bool budget_fits(const Budget *budget, Size bytes);
extern void budget_check(const Budget *budget, Size bytes, const char *purpose);

/* Raises that error for a request of this many bytes. */
pg_noreturn extern void budget_exceeded(const Budget *budget, Size bytes, const char *purpose);

/* An array of "count" entries of "size" bytes, all zero, in the current context. */
extern void *budget_allocate(const Budget *budget, Size count, Size size, const char *purpose);

/* A zeroed chunk in a context: the allocator of simplehash tables. */
extern void *budget_allocate_in(const Budget *budget, MemoryContext context, Size size,
								const char *purpose);

/*
 * Grows an array from "old" to "count" entries, where it lies, and zeroes the new ones.  For NULL,
 * with "old" 0, allocates an array in the current context.
 */
extern void *budget_enlarge(const Budget *budget, void *array, Size old, Size count, Size size,
							const char *purpose);

/*
 * Makes room for "count" entries in an array that has room for "capacity": enlarges it at least
 * twofold if they are more.
 */
extern void *budget_room(const Budget *budget, void *array, int64 *capacity, int64 count, Size size,
						 const char *purpose);

/*
 * Returns freed memory to the operating system.  Call it after freeing much, repeatedly: the C
 * library keeps up to twice the largest block ever freed at the top of its heap, which no budget
 * sees.
 */
extern void memory_give_back(void);

#endif /* KANON_BUDGET_H */
