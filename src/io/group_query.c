/*
 * group_query.c
 *		See group_query.h.
 */
#include "postgres.h"

#include "io/group_query.h"

#include "base/interrupt.h"
#include "fmgr.h"
#include "io/row_query.h"
#include "io/type_query.h"
#include "lib/stringinfo.h"
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
