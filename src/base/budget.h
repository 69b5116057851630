/*
 * budget.h
 *		The working memory of one call, bounded by kanon.memory_limit.
 *
 * A budget is bound to a memory context: what lies in it and in its children counts, whoever
 * allocated it.  Who is about to allocate what grows with the data asks before: by
 * budget_allocate, or by budget_check and palloc.  Either stops the call with
 * ERRCODE_PROGRAM_LIMIT_EXCEEDED, in a message that begins with the purpose, a noun phrase, and
 * names the setting, with how much would do where that is known.  Who can go another way asks
 * budget_fits.
 *
 * Counted are whole blocks of the allocator: contexts of what grows have ALLOCSET_SMALL_SIZES.
 * To ask takes time for each context below the budget's: not for each row.
 */
#ifndef KANON_BUDGET_H
#define KANON_BUDGET_H

#include "postgres.h"

#include "base/compat.h"
#include "storage/shmem.h" /* add_size and mul_size, which only late minor versions have in palloc.h */

typedef struct Budget
{
	MemoryContext context; /* NULL: nothing counts */
	Size limit;            /* bytes */
	bool fixed;            /* the limit is that of a release, whatever the session's is */
	Size before;           /* bytes in the context at the beginning, which do not count */
	Size elsewhere;        /* bytes in other contexts that count as well */
	MemoryContext apart;   /* another one that counts, as it is when the budget is asked; or NULL */
	/* Gives memory back before an error is raised; false if it has none to give. */
	bool (*relieve)(void *relieved);
	void *relieved;
	/* About which limit would do, in bytes, if so many more are wanted now; 0: that is not known.
	 */
	Size (*enough)(const void *asked, Size bytes);
	const void *asked;
} Budget;

/* kanon.memory_limit in kilobytes; -1 means maintenance_work_mem. */
extern int budget_memory_limit;

/*
 * kanon.release_memory_limit in kilobytes: with how much the release was made that a REFRESH fills
 * now; else 0.
 */
extern int budget_release_limit;

/* The limit now: the larger of the two. */
extern int budget_kilobytes(void);

/* A budget over what the current context and its children get from now on. */
extern Budget budget_begin(void);

/*
 * Bytes taken, and still to be had; may so many be allocated?  An error unless they may, be it
 * after relief: what gives memory back may move what it holds.
 */
extern Size budget_used(const Budget *budget);
extern Size budget_left(const Budget *budget);
extern bool budget_fits(const Budget *budget, Size bytes);
extern void budget_check(const Budget *budget, Size bytes, const char *purpose);

/* That error, of whoever wants so many bytes. */
pg_noreturn extern void budget_exceeded(const Budget *budget, Size bytes, const char *purpose);

/* An array of "count" entries of "size" bytes, all zero, in the current context. */
extern void *budget_allocate(const Budget *budget, Size count, Size size, const char *purpose);

/* A chunk in a context, all zero: what a table of simplehash asks of its allocator. */
extern void *budget_allocate_in(const Budget *budget, MemoryContext context, Size size,
								const char *purpose);

/*
 * The array with "count" entries instead of "old", those behind all zero, in the context where it
 * lies; a new one for NULL, whose "old" is 0.
 */
extern void *budget_enlarge(const Budget *budget, void *array, Size old, Size count, Size size,
							const char *purpose);

/*
 * What was freed goes back to the system: for who frees much, over and over.  The C library keeps
 * at the top of its heap up to twice the largest block that was ever freed, which no budget sees.
 */
extern void memory_give_back(void);

#endif /* KANON_BUDGET_H */
