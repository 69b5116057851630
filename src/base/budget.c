/*
 * budget.c
 *		See budget.h.
 */
#include "postgres.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/budget.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#define FIRST_ROOM 64 /* entries */

int budget_memory_limit = -1;
int budget_release_limit = 0;
int budget_ceiling = -1;
int budget_processes = 1;

int
budget_kilobytes(void)
{
	int session = budget_memory_limit < 0 ? maintenance_work_mem : budget_memory_limit;
	int wanted = Max(session, budget_release_limit);

	return budget_ceiling < 0 ? wanted : Min(wanted, budget_ceiling);
}

Budget
budget_begin(void)
{
	return (Budget){.context = CurrentMemoryContext,
					.limit = (Size) budget_kilobytes() * 1024 / budget_processes,
					.before = MemoryContextMemAllocated(CurrentMemoryContext, true)};
}

void
budget_lend(Budget *budget, int kilobytes)
{
	if (budget_ceiling >= 0)
		kilobytes = Min(kilobytes, budget_ceiling);
	budget->limit = Max(budget->limit, (Size) Max(kilobytes, 0) * 1024);
}

Size
budget_used(const Budget *budget)
{
	Size allocated;
	Size apart;

	if (budget->reckon)
		return budget->reckon(budget->asked);
	allocated = budget->context ? MemoryContextMemAllocated(budget->context, true) : 0;
	apart = budget->apart ? MemoryContextMemAllocated(budget->apart, true) : 0;
	return budget->elsewhere + apart +
		   (allocated > budget->before ? allocated - budget->before : 0);
}

Size
budget_left(const Budget *budget)
{
	Size used = budget_used(budget);

	return used < budget->limit ? budget->limit - used : 0;
}

bool
budget_fits(const Budget *budget, Size bytes)
{
	if (budget->reckon)
		return budget_used(budget) <= budget->limit;
	return bytes <= budget_left(budget);
}

const char *
budget_ceiling_hint(Size bytes)
{
	if (budget_ceiling < 0 || bytes <= (Size) budget_ceiling * 1024)
		return "";
	return psprintf("  \"kanon.memory_ceiling\", which superusers set, allows %d kB.",
					budget_ceiling);
}

void
budget_exceeded(const Budget *budget, Size bytes, const char *purpose)
{
	Size enough = budget->enough ? budget->enough(budget->asked, bytes) : 0;
	const char *about = enough > 0 ? psprintf(" to about %zu kB", enough / 1024 + 1) : "";
	const char *ceiling = budget_ceiling_hint(Max(enough, budget->limit + 1));

	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("%s exceeds the memory limit of %zu kB", purpose, budget->limit / 1024),
			 budget->fixed
				 ? errhint("The samples of the release go by that limit. Create or replace it with"
						   " \"kanon.memory_limit\" raised%s.%s",
						   about, ceiling)
				 : errhint("Raise \"kanon.memory_limit\" (or \"maintenance_work_mem\", its"
						   " default)%s.%s",
						   about, ceiling)));
}

void
budget_check(const Budget *budget, Size bytes, const char *purpose)
{
	if (budget_fits(budget, bytes))
		return;
	if (budget->relieve && budget->relieve(budget->relieved) && budget_fits(budget, bytes))
		return;
	budget_exceeded(budget, bytes, purpose);
}

void *
budget_allocate_in(const Budget *budget, MemoryContext context, Size size, const char *purpose)
{
	budget_check(budget, size, purpose);
	return MemoryContextAllocExtended(context, size, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

void *
budget_allocate(const Budget *budget, Size count, Size size, const char *purpose)
{
	return budget_allocate_in(budget, CurrentMemoryContext, mul_size(count, size), purpose);
}

void *
budget_enlarge(const Budget *budget, void *array, Size old, Size count, Size size,
			   const char *purpose)
{
	if (array == NULL)
		return budget_allocate(budget, count, size, purpose);
	budget_check(budget, mul_size(count - old, size), purpose);
	array = repalloc_huge(array, mul_size(count, size));
	memset((char *) array + old * size, 0, (count - old) * size);
	return array;
}

void *
budget_room(const Budget *budget, void *array, int64 *capacity, int64 count, Size size,
			const char *purpose)
{
	int64 old = *capacity;

	if (count <= old)
		return array;
	*capacity = Max(count, Max(2 * old, FIRST_ROOM));
	return budget_enlarge(budget, array, old, *capacity, size, purpose);
}

void
memory_give_back(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}
