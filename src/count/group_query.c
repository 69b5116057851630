/*
 * group_query.c
 *		See group_query.h.
 */
#include "postgres.h"

#include "count/group_query.h"

#include "base/interrupt.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "sql/row_query.h"
#include "sql/type_query.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#define PURPOSE "table of different rows"
#define NO_VALUE (-1) /* NULL while ranks are not known */

static void
grow_groups(GroupRows *rows)
{
	int32 before = rows->capacity;
	Size group = sizeof(int64) + sizeof(int32) * rows->columns;

	if (before == PG_INT32_MAX)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("cannot tell more than %d different rows apart", PG_INT32_MAX)));
	rows->capacity = before > PG_INT32_MAX / 2 ? PG_INT32_MAX : Max(256, before * 2);
	budget_take(rows->budget, mul_size(group, rows->capacity - before), PURPOSE);
	rows->size = rows->size ? repalloc_huge(rows->size, sizeof(int64) * rows->capacity)
							: palloc(sizeof(int64) * rows->capacity);
	rows->code =
		rows->code
			? repalloc_huge(rows->code, mul_size(sizeof(int32) * rows->columns, rows->capacity))
			: palloc_extended(mul_size(sizeof(int32) * rows->columns, rows->capacity),
							  MCXT_ALLOC_HUGE);
}

static void
add_group(void *state, const Datum *values, const bool *nulls, int64 count)
{
	GroupRows *rows = state;
	int32 *code;

	if (rows->groups == rows->capacity)
		grow_groups(rows);
	code = rows->code + (int64) rows->groups * rows->columns;
	for (int i = 0; i < rows->columns; i++)
		code[i] = nulls[i] ? NO_VALUE : dictionary_encode(rows->column[i].dictionary, values[i]);
	rows->size[rows->groups++] = count;
	rows->rows += count;
}

static char *
select_text(const char *relation, const DescribedAttribute *const *attributes, int columns)
{
	StringInfoData select;
	StringInfoData group;

	initStringInfo(&select);
	initStringInfo(&group);
	for (int i = 0; i < columns; i++)
	{
		appendStringInfo(&select, "s.%s, ", quote_identifier(attributes[i]->name));
		appendStringInfo(&group, "%s%d", i > 0 ? ", " : "", i + 1);
	}
	return psprintf("SELECT %scount(*) FROM %s s GROUP BY %s", select.data, relation, group.data);
}

/* Codes become ranks. */
static void
rank_column(GroupRows *rows, int number)
{
	GroupColumn *column = &rows->column[number];
	Size bytes = mul_size(sizeof(int32), Max(dictionary_size(column->dictionary), 1));
	int32 *rank;

	column->values = dictionary_size(column->dictionary);
	column->order = dictionary_order(column->dictionary, DICTIONARY_BY_TYPE);
	budget_take(rows->budget, bytes, PURPOSE);
	rank = palloc_extended(bytes, MCXT_ALLOC_HUGE);
	for (int32 i = 0; i < column->values; i++)
	{
		interrupt_check(i);
		rank[column->order[i]] = i;
	}
	for (int32 group = 0; group < rows->groups; group++)
	{
		int32 *code = &rows->code[(int64) group * rows->columns + number];

		interrupt_check(group);
		*code = *code == NO_VALUE ? column->values : rank[*code];
	}
	pfree(rank);
	budget_give(rows->budget, bytes);
}

/* The order of groups that is the same everywhere: by ranks of the values by their bytes. */
typedef struct GroupOrder
{
	const GroupRows *rows;
	int32 **rank; /* [column][code]; NULL: the code is it */
} GroupOrder;

static int
compare_groups(const void *a, const void *b, void *arg)
{
	const GroupOrder *order = arg;
	int columns = order->rows->columns;
	const int32 *one = order->rows->code + (int64) * (const int32 *) a * columns;
	const int32 *other = order->rows->code + (int64) * (const int32 *) b * columns;

	CHECK_FOR_INTERRUPTS();
	for (int i = 0; i < columns; i++)
		if (one[i] != other[i])
		{
			int32 x = order->rank[i] ? order->rank[i][one[i]] : one[i];
			int32 y = order->rank[i] ? order->rank[i][other[i]] : other[i];

			return x < y ? -1 : 1;
		}
	return 0;
}

/* By code, that of NULL too; NULL where codes have that order. */
static int32 *
rank_by_bytes(const GroupColumn *column, Budget *budget)
{
	int32 *by_type;
	int32 *by_bytes;
	int32 *rank;

	if (!dictionary_is_local(column->dictionary))
		return NULL;
	by_bytes = dictionary_order(column->dictionary, DICTIONARY_BY_BYTES);
	by_type = budget_allocate(budget, column->values, sizeof(int32), PURPOSE);
	rank = budget_allocate(budget, column->values + 1, sizeof(int32), PURPOSE);
	for (int32 i = 0; i < column->values; i++)
		by_type[column->order[i]] = i;
	for (int32 i = 0; i < column->values; i++)
		rank[by_type[by_bytes[i]]] = i;
	rank[column->values] = column->values;
	budget_free(budget, by_type, column->values, sizeof(int32));
	budget_free(budget, by_bytes, column->values, sizeof(int32));
	return rank;
}

/* "from" in the order of the groups. */
static void *
permute(const GroupRows *rows, const int32 *group, void *from, Size size)
{
	char *to;

	budget_take(rows->budget, mul_size(size, rows->capacity), PURPOSE);
	to = palloc_extended(mul_size(size, Max(rows->capacity, 1)), MCXT_ALLOC_HUGE);
	for (int32 i = 0; i < rows->groups; i++)
	{
		interrupt_check(i);
		memcpy(to + size * i, (char *) from + size * group[i], size);
	}
	if (from)
		pfree(from);
	budget_give(rows->budget, mul_size(size, rows->capacity));
	return to;
}

/* GROUP BY gives them in any order. */
static void
sort_groups(GroupRows *rows)
{
	GroupOrder order = {.rows = rows, .rank = palloc0(sizeof(int32 *) * Max(rows->columns, 1))};
	int32 *group = budget_allocate(rows->budget, rows->groups, sizeof(int32), PURPOSE);

	for (int i = 0; i < rows->columns; i++)
		order.rank[i] = rank_by_bytes(&rows->column[i], rows->budget);
	for (int32 i = 0; i < rows->groups; i++)
		group[i] = i;
	qsort_arg(group, rows->groups, sizeof(int32), compare_groups, &order);
	rows->code = permute(rows, group, rows->code, sizeof(int32) * rows->columns);
	rows->size = permute(rows, group, rows->size, sizeof(int64));
	for (int i = 0; i < rows->columns; i++)
		if (order.rank[i])
			budget_free(rows->budget, order.rank[i], rows->column[i].values + 1, sizeof(int32));
	budget_free(rows->budget, group, rows->groups, sizeof(int32));
}

GroupRows *
group_query_run(const char *relation, const DescribedAttribute *const *attributes, int columns,
				Budget *budget)
{
	GroupRows *rows = palloc0(sizeof(GroupRows));
	RowSource *source = row_query_create(select_text(relation, attributes, columns), true);

	rows->columns = columns;
	rows->budget = budget;
	rows->column = palloc0(sizeof(GroupColumn) * columns);
	for (int i = 0; i < columns; i++)
	{
		GroupColumn *column = &rows->column[i];
		ValueType type = type_query_value_type(attributes[i]->type, attributes[i]->collation);

		column->type = attributes[i]->type;
		column->text = value_text_writer(column->type);
		column->dictionary = dictionary_create(&type, budget);
	}
	source->scan(source, add_group, rows);
	for (int i = 0; i < columns; i++)
		rank_column(rows, i);
	sort_groups(rows);
	return rows;
}

char *
group_query_text(const GroupRows *rows, int number, int32 code)
{
	GroupColumn *column = &rows->column[number];

	if (code == column->values)
		return NULL;
	return value_text_write(&column->text,
							dictionary_value(column->dictionary, column->order[code]));
}
