/*
 * sensitive_rows.h
 *		What privacy models look at in records that are read one after the other: codes
 *		of the sensitive values, how these are distributed over all of them, and whose
 *		rows they are.
 */
#ifndef KANON_SENSITIVE_ROWS_H
#define KANON_SENSITIVE_ROWS_H

#include "postgres.h"

#include "model/row_judge.h"
#include "relation/sensitive_columns.h"

typedef struct SensitiveRows SensitiveRows;

/* No rows yet; in the current context, against the budget.  "rows" are expected. */
extern SensitiveRows *sensitive_rows_create(const SensitiveColumns *columns, int64 rows,
											Budget *budget);

/*
 * One more row: all values of its record, [number - 1] by the attributes' numbers, those of
 * sensitive columns and of the person detoasted.
 */
extern void sensitive_rows_add(SensitiveRows *rows, const Datum *values, const bool *nulls);

/* Room for so many rows. */
extern void sensitive_rows_reserve(SensitiveRows *rows, int64 capacity);

/*
 * The first rows go from memory to a tape, whoever writes it, and there is room for so many from
 * now on.  Not with people, nor for who leaves rows out.
 */
extern void sensitive_rows_drop(SensitiveRows *rows, int64 count, int64 capacity);

/* How many different values the columns have so far, together. */
extern int64 sensitive_rows_values(const SensitiveRows *rows);

/* The code of a row in memory; after sensitive_rows_finish the final codes by those before. */
extern int32 sensitive_rows_code(const SensitiveRows *rows, int column, int64 row);
extern const int32 *sensitive_rows_final_code(const SensitiveRows *rows, int column);

/*
 * The models and their codes, after the last row; with people each class needs k of
 * them.  In the current context, against the budget, and good as long as the rows.
 *
 * left_out: [row], rows that do not count for how values are distributed; their
 * codes mean nothing.  NULL: none; then this is the last call.  Otherwise more rows may
 * leave.
 *
 * Errors: values that a dimension lacks; those of sensitive_values_finish.
 */
extern const RowModels *sensitive_rows_finish(SensitiveRows *rows, int64 k, const bool *left_out);

/*
 * Takes a row, not left out so far, from how values are distributed: it counts once
 * sensitive_rows_settle was called.  False if with it the last member of a value went by
 * whose rank distances are measured: then only sensitive_rows_finish gives the
 * distances between those that are left.
 */
extern bool sensitive_rows_leave(SensitiveRows *rows, int64 row);

/* O(different values). */
extern void sensitive_rows_settle(SensitiveRows *rows);

#endif /* KANON_SENSITIVE_ROWS_H */
