/*
 * code_table.h
 *		Columns of codes: for those who read one attribute of many rows.
 *
 * Codes of a column are dense and in no particular order.  NULL has one too: it
 * is a value of its own.
 */
#ifndef KANON_CODE_TABLE_H
#define KANON_CODE_TABLE_H

#include "postgres.h"

#include "base/budget.h"
#include "data/dictionary.h"
#include "data/value_type.h"

typedef struct CodeTable
{
	int columns;
	int64 rows;   /* at most PG_INT32_MAX */
	int32 **code; /* [column][row]: 0 .. codes[column] - 1 */
	int32 *codes; /* [column]; after code_table_finish */
	int64 capacity;
	Budget *budget;
	Size before;               /* bytes of the budget in use at creation */
	MemoryContext values;      /* of the dictionaries */
	Dictionary **dictionaries; /* [column] */
} CodeTable;

/*
 * Without rows, in the current context; types[] for each column.  Grows against
 * the budget, which nobody else draws on until code_table_finish.
 */
extern CodeTable *code_table_create(int columns, const ValueType *types, Budget *budget);

/*
 * One more row, values detoasted.  O(columns).  Error beyond PG_INT32_MAX rows
 * (ERRCODE_PROGRAM_LIMIT_EXCEEDED).
 */
extern void code_table_add(CodeTable *table, const Datum *values, const bool *nulls);

/* No more rows will come: the values are forgotten, and their memory is given back. */
extern void code_table_finish(CodeTable *table);

#endif /* KANON_CODE_TABLE_H */
