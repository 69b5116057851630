/*
 * sensitive_rows.h
 *		The input of privacy models from records read one after the other: codes of the sensitive
 *		values, their distribution over all rows, and the people.
 */
#ifndef KANON_SENSITIVE_ROWS_H
#define KANON_SENSITIVE_ROWS_H

#include "postgres.h"

#include "data/dataset.h"
#include "model/row_judge.h"
#include "relation/description.h"

typedef struct SensitiveRows SensitiveRows;

/* The sides that a dataset needs for the demand. */
extern int sensitive_rows_sides(const Description *description);

/*
 * For the rows of an empty dataset, from this side on: a code for each sensitive column, then the
 * person, if people count.  In the current context, against the dataset's budget.
 */
extern SensitiveRows *sensitive_rows_create(const Description *description, Dataset *dataset,
											int side);

/*
 * Sets the sides of the last row appended: all values of its record, [attribute number - 1]; those
 * of sensitive columns and of the person are detoasted.
 */
extern void sensitive_rows_add(SensitiveRows *rows, const Datum *values, const bool *nulls);

/*
 * The rows are part of others, among which this value of a column has so many members, or as many
 * as among the rows, if they are more.
 */
extern void sensitive_rows_expect(SensitiveRows *rows, int column, Datum value, bool isnull,
								  int64 members);

/*
 * Once they are finished, the code of a value of a column; of one that did not occur, that of some
 * other.
 */
extern int32 sensitive_rows_find(const SensitiveRows *rows, int column, Datum value, bool isnull);

/*
 * The dataset's first rows are about to move to its tape.  Not with people, nor if rows may be left
 * out.
 */
extern void sensitive_rows_leave_memory(SensitiveRows *rows, int64 count);

/* The memory that their values need, by numbers and widths (Budget.reckon). */
extern Size sensitive_rows_bytes(const SensitiveRows *rows);

/* The number of distinct values so far, over all columns. */
extern int64 sensitive_rows_values(const SensitiveRows *rows);

/*
 * The models and their codes, after the last row; with people each class needs k of them.  In the
 * current context, against the budget; valid as long as the rows.
 *
 * left_out: [row], rows that do not count in the distribution; their codes are undefined.  NULL:
 * none; this is then the last call.  Otherwise more rows may leave.
 *
 * Errors: values that a dimension lacks; those of sensitive_values_finish.
 */
extern const RowModels *sensitive_rows_finish(SensitiveRows *rows, int64 k, const bool *left_out);

/*
 * Removes a row from the distribution, as of the next sensitive_rows_settle.  Returns false if it
 * was the last member of a value in a domain with rank distances: only sensitive_rows_finish
 * computes the new distances.
 */
extern bool sensitive_rows_leave(SensitiveRows *rows, int64 row);

/* Updates the distribution; returns how far it moves at most.  O(distinct values). */
extern double sensitive_rows_settle(SensitiveRows *rows);

#endif /* KANON_SENSITIVE_ROWS_H */
