/*
 * local_groups.c
 *		See local_groups.h.
 */
#include "postgres.h"

#include "local/local_groups.h"

#include "base/interrupt.h"

#define PURPOSE "local recoding"
#define JUDGED_AT_MOST 32 /* groups that are judged with a tuple before groups join each other */

typedef struct Groups
{
	const LocalTable *table;
	const int32 *tuple;
	int32 count;
	int32 *group; /* [place]: of the tuple there */
	int32 groups;
	int32 *low; /* [group * attributes + attribute]: codes of its region */
	int32 *high;
	int64 *rows;   /* [group]; 0: it joined another */
	int64 *cost;   /* [group]: of the cells of a row */
	int32 *head;   /* [group]: place of its last tuple; -1: none */
	int32 *next;   /* [place]: the one before in the same group; -1: none */
	int32 *member; /* scratch space for judging */
	int64 steps;   /* groups compared, and tuples judged */
} Groups;

/* Widens the region of a group by that of others. */
static void
widen(Groups *groups, int32 group, const int32 *low, const int32 *high)
{
	int attributes = groups->table->attributes;
	int32 *own_low = groups->low + (Size) group * attributes;
	int32 *own_high = groups->high + (Size) group * attributes;

	for (int i = 0; i < attributes; i++)
	{
		own_low[i] = Min(own_low[i], low[i]);
		own_high[i] = Max(own_high[i], high[i]);
	}
}

static void
add_member(Groups *groups, int32 group, int32 place)
{
	const int32 *code = local_tuple(groups->table, groups->tuple[place]);

	groups->group[place] = group;
	groups->next[place] = groups->head[group];
	groups->head[group] = place;
	groups->rows[group] += local_tuple_rows(groups->table, groups->tuple[place]);
	widen(groups, group, code, code);
}

static void
measure(Groups *groups, int32 group)
{
	Size at = (Size) group * groups->table->attributes;

	groups->cost[group] = local_region_cost(groups->table, groups->low + at, groups->high + at);
}

static Groups *
groups_create(const LocalTable *table, const int32 *tuple, int32 count, int32 *group, int32 number)
{
	Groups *groups = palloc0(sizeof(Groups));
	Size codes = (Size) Max(number, 1) * table->attributes;

	groups->table = table;
	groups->tuple = tuple;
	groups->count = count;
	groups->group = group;
	groups->groups = number;
	groups->low = budget_allocate(table->budget, codes, sizeof(int32), PURPOSE);
	groups->high = budget_allocate(table->budget, codes, sizeof(int32), PURPOSE);
	groups->rows = budget_allocate(table->budget, Max(number, 1), sizeof(int64), PURPOSE);
	groups->cost = budget_allocate(table->budget, Max(number, 1), sizeof(int64), PURPOSE);
	groups->head = budget_allocate(table->budget, Max(number, 1), sizeof(int32), PURPOSE);
	groups->next = budget_allocate(table->budget, count, sizeof(int32), PURPOSE);
	if (table->judge)
		groups->member = budget_allocate(table->budget, count, sizeof(int32), PURPOSE);
	for (Size i = 0; i < codes; i++)
	{
		groups->low[i] = PG_INT32_MAX;
		groups->high[i] = -1;
	}
	for (int32 i = 0; i < number; i++)
		groups->head[i] = -1;
	for (int32 place = 0; place < count; place++)
	{
		interrupt_check(place);
		if (group[place] >= 0)
			add_member(groups, group[place], place);
	}
	for (int32 i = 0; i < number; i++)
		measure(groups, i);
	return groups;
}

static void
groups_free(Groups *groups)
{
	pfree(groups->low);
	pfree(groups->high);
	pfree(groups->rows);
	pfree(groups->cost);
	pfree(groups->head);
	pfree(groups->next);
	if (groups->member)
		pfree(groups->member);
	pfree(groups);
}

int64
local_groups_cost(const LocalTable *table, const int32 *tuple, int32 count, const int32 *group,
				  int32 groups)
{
	Groups *all = groups_create(table, tuple, count, (int32 *) group, groups);
	int64 cost = 0;

	for (int32 i = 0; i < groups; i++)
		cost += all->cost[i] * all->rows[i];
	groups_free(all);
	return cost;
}

/*
 * By how much the costs of a group and of other rows, with these codes, grow if they come
 * together; more than "most" if it is more.
 */
static int64
growth(const Groups *groups, int32 group, const int32 *low, const int32 *high, int64 rows,
	   int64 cost, int64 most)
{
	const LocalTable *table = groups->table;
	Size at = (Size) group * table->attributes;
	int64 together = groups->rows[group] + rows;
	int64 before = groups->rows[group] * groups->cost[group] + rows * cost;
	int64 limit = most > PG_INT64_MAX - before ? PG_INT64_MAX : (most + before) / together;
	int64 joined = 0;

	for (int i = 0; i < table->attributes && joined <= limit; i++)
		joined += local_cell_cost(&table->column[i], Min(low[i], groups->low[at + i]),
								  Max(high[i], groups->high[at + i]));
	return joined * together - before;
}

/* Does the group satisfy, with the tuple at a place if that is not negative? */
static bool
group_satisfies(Groups *groups, int32 group, int32 place)
{
	int32 members = 0;

	if (groups->table->judge == NULL)
		return groups->rows[group] >= groups->table->demanded;
	for (int32 i = groups->head[group]; i >= 0; i = groups->next[i])
		groups->member[members++] = groups->tuple[i];
	if (place >= 0)
		groups->member[members++] = groups->tuple[place];
	groups->steps += members;
	return local_satisfies(groups->table, groups->member, members);
}

/* Groups that are near to some rows: by growth, then number. */
typedef struct Near
{
	int32 group[JUDGED_AT_MOST];
	int64 growth[JUDGED_AT_MOST];
	int count;
} Near;

/* Adds a group that is nearer than the last of "most" groups. */
static void
add_near(Near *near, int most, int32 group, int64 growth)
{
	int at = near->count < most ? near->count++ : most - 1;

	for (; at > 0 && near->growth[at - 1] > growth; at--)
	{
		near->growth[at] = near->growth[at - 1];
		near->group[at] = near->group[at - 1];
	}
	near->growth[at] = growth;
	near->group[at] = group;
}

/* At most so many groups, other than "group", whose growth by these rows is least. */
static Near
find_near(Groups *groups, int32 group, const int32 *low, const int32 *high, int64 rows, int64 cost,
		  int most)
{
	Near near = {.count = 0};
	int64 least = PG_INT64_MAX;

	groups->steps += groups->groups;
	for (int32 i = 0; i < groups->groups; i++)
	{
		int64 grown;

		interrupt_check(i);
		if (i == group || groups->rows[i] == 0)
			continue;
		grown = growth(groups, i, low, high, rows, cost, least);
		if (grown >= least)
			continue;
		add_near(&near, most, i, grown);
		least = near.count == most ? near.growth[most - 1] : PG_INT64_MAX;
	}
	return near;
}

/* Joins a group with another, which ends. */
static void
join_groups(Groups *groups, int32 group, int32 other)
{
	Size at = (Size) other * groups->table->attributes;
	int32 last = -1;

	for (int32 i = groups->head[other]; i >= 0; i = groups->next[i])
	{
		groups->group[i] = group;
		last = i;
	}
	groups->next[last] = groups->head[group];
	groups->head[group] = groups->head[other];
	groups->rows[group] += groups->rows[other];
	groups->rows[other] = 0;
	widen(groups, group, groups->low + at, groups->high + at);
	measure(groups, group);
}

/* Lets other groups join this until it satisfies. */
static void
join_until_satisfied(Groups *groups, int32 group)
{
	while (!group_satisfies(groups, group, -1))
	{
		Size at = (Size) group * groups->table->attributes;
		Near near = find_near(groups, group, groups->low + at, groups->high + at,
							  groups->rows[group], groups->cost[group], 1);

		CHECK_FOR_INTERRUPTS();
		if (near.count == 0)
			break;
		join_groups(groups, group, near.group[0]);
	}
}

static void
join_nearest(Groups *groups, int32 place)
{
	const LocalTable *table = groups->table;
	const int32 *code = local_tuple(table, groups->tuple[place]);
	int32 rows = local_tuple_rows(table, groups->tuple[place]);
	Near near = find_near(groups, -1, code, code, rows, local_region_cost(table, code, code),
						  table->judge ? JUDGED_AT_MOST : 1);
	int32 group = near.group[0];
	bool found = table->judge == NULL;

	for (int i = 0; i < near.count && !found; i++)
	{
		CHECK_FOR_INTERRUPTS();
		found = group_satisfies(groups, near.group[i], place);
		if (found)
			group = near.group[i];
	}
	add_member(groups, group, place);
	measure(groups, group);
	if (!found)
		join_until_satisfied(groups, group);
}

/* Numbers the groups without those that joined others. */
static int32
number_anew(Groups *groups)
{
	int32 *number = groups->head;
	int32 kept = 0;

	for (int32 i = 0; i < groups->groups; i++)
		number[i] = groups->rows[i] > 0 ? kept++ : -1;
	for (int32 place = 0; place < groups->count; place++)
	{
		interrupt_check(place);
		groups->group[place] = number[groups->group[place]];
	}
	return kept;
}

int32
local_groups_complete(const LocalTable *table, const int32 *tuple, int32 count, int32 *group,
					  int32 number, int64 steps)
{
	Groups *groups;

	if (number == 0)
	{
		memset(group, 0, sizeof(int32) * count);
		return 1;
	}
	groups = groups_create(table, tuple, count, group, number);
	for (int32 place = 0; place < count && groups->steps <= steps; place++)
	{
		interrupt_check(place);
		if (group[place] < 0)
			join_nearest(groups, place);
	}
	number = groups->steps <= steps ? number_anew(groups) : -1;
	groups_free(groups);
	return number;
}
