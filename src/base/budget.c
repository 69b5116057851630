/*
 * budget.c
 *		See budget.h.
 */
#include "postgres.h"

#include "base/budget.h"

#include "miscadmin.h"
#include "utils/memutils.h"

int budget_memory_limit = -1;

Budget
budget_begin(void)
{
	int kilobytes = budget_memory_limit < 0 ? maintenance_work_mem : budget_memory_limit;

	return (Budget){.limit = (Size) kilobytes * 1024};
}

bool
budget_try(Budget *budget, Size bytes)
{
	if (bytes > budget_left(budget))
		return false;
	budget->used += bytes;
	budget->peak = Max(budget->peak, budget->used);
	return true;
}

void
budget_take(Budget *budget, Size bytes, const char *purpose)
{
	if (!budget_try(budget, bytes))
		ereport(
			ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("%s exceeds the memory limit of %zu kB", purpose, budget->limit / 1024),
			 errhint("Raise \"kanon.memory_limit\" (or \"maintenance_work_mem\", its default).")));
}

void
budget_give(Budget *budget, Size bytes)
{
	Assert(budget->used >= bytes);
	budget->used -= bytes;
}

void *
budget_allocate(Budget *budget, Size count, Size size, const char *purpose)
{
	Size bytes = mul_size(count, size);

	budget_take(budget, bytes, purpose);
	return palloc_extended(bytes, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

void
budget_free(Budget *budget, void *array, Size count, Size size)
{
	pfree(array);
	budget_give(budget, count * size);
}

void *
budget_enlarge(Budget *budget, void *array, Size old, Size count, Size size, const char *purpose)
{
	if (array == NULL)
		return budget_allocate(budget, count, size, purpose);
	budget_take(budget, mul_size(count - old, size), purpose);
	array = repalloc_huge(array, mul_size(count, size));
	memset((char *) array + old * size, 0, (count - old) * size);
	return array;
}

void *
budget_chunk(Budget *budget, MemoryContext context, Size size, const char *purpose)
{
	void *chunk;

	budget_take(budget, size, purpose);
	chunk = MemoryContextAllocExtended(context, size, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	budget_take(budget, GetMemoryChunkSpace(chunk) - size, purpose);
	return chunk;
}

void
budget_free_chunk(Budget *budget, void *chunk)
{
	budget_give(budget, GetMemoryChunkSpace(chunk));
	pfree(chunk);
}

Size
budget_left(const Budget *budget)
{
	return budget->limit - budget->used;
}
