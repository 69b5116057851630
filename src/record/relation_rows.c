/*
 * relation_rows.c
 *		See relation_rows.h.
 */
#include "postgres.h"

#include "record/relation_rows.h"

#include "access/htup_details.h"
#include "base/interrupt.h"
#include "catalog/pg_class.h"
#include "record/record_spill.h"
#include "relation/grouped_rows.h"
#include "sql/query.h"
#include "utils/syscache.h"

typedef struct RelationRows
{
	RecordCodes *codes;
	const Bitmapset *numbers; /* of the attributes to read */
} RelationRows;

static void
read_row(void *state, const Datum *values, const bool *nulls, int64 count)
{
	const RelationRows *rows = state;
	RecordCodes *codes = rows->codes;
	int column = 0;

	for (int number = -1; (number = bms_next_member(rows->numbers, number)) >= 0; column++)
	{
		codes->values[number - 1] = values[column];
		codes->nulls[number - 1] = nulls[column];
	}
	for (; count > 0; count--)
	{
		interrupt_check(count);
		record_codes_add_values(codes);
	}
}

/* From the relation's statistics, 0 without any: for the estimate in memory errors. */
static int64
expected_rows(Oid relation)
{
	HeapTuple tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	double rows = 0;

	if (!HeapTupleIsValid(tuple))
		return 0;
	rows = ((Form_pg_class) GETSTRUCT(tuple))->reltuples;
	ReleaseSysCache(tuple);
	return (int64) Max(rows, 0);
}

RecordCodes *
relation_rows_read(const RelationRowsRequest *request, Budget *budget)
{
	MemoryContext context = CurrentMemoryContext;
	const Description *description =
		record_roles_describe_relation(request->relation, &request->roles, budget);
	CodeTapes *tapes = request->may_spill ? code_tapes_create() : NULL;
	RelationRows rows = {.codes = record_codes_create(description, request->split, request->ranks,
													  1, tapes, record_spill_partitioning, budget),
						 .numbers = description_used_columns(description)};
	QueryScope scope = query_begin();
	RowSource *source;

	MemoryContextSwitchTo(context);
	rows.codes->expected = expected_rows(request->relation);
	rows.codes->class_bytes = request->class_bytes;
	source = grouped_rows_source(description, rows.numbers);
	source->scan(source, read_row, &rows);
	query_end(scope);
	return rows.codes;
}
