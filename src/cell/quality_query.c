/*
 * quality_query.c
 *		See quality_query.h.
 *
 * The statement for quasi-identifiers age and sex, one predicate naming age:
 *
 *	WITH class AS (SELECT r.age AS c1, r.sex AS c2, count(*) AS n
 *	               FROM release r GROUP BY r.age, r.sex),
 *	     asked AS (SELECT sum(n) AS n, c1, dense_rank() OVER (ORDER BY c1) AS i1
 *	               FROM class GROUP BY c1),
 *	     .., cell1 AS .., cell2 AS ..                      -- see cell_format.h
 *	SELECT the figures of the classes, rows of the source, losses, unrecognized cells,
 *	       t.t0, e.e0
 *	FROM .. (SELECT count(*) FILTER (WHERE s.age < 30) AS t0 FROM source s) t,
 *	     (SELECT sum(g.n * x1.s0 ORDER BY g.n * x1.s0) AS e0
 *	      FROM asked g JOIN cell1 x1 ON x1.id = g.i1) e
 *
 * What is asked for is joined with its cells by number, for NULL would not join.  Sums are exact
 * or in the order of what is added up, or they would depend on the order of the rows.
 */
#include "postgres.h"

#include "cell/quality_query.h"

#include "catalog/pg_type.h"
#include "sql/query.h"
#include "utils/array.h"
#include "utils/builtins.h"

#define TALLY_COLUMNS 5
#define CELL_COLUMNS 4 /* columns of the result for each column */

static void
append_classes(StringInfo sql, const List *columns)
{
	StringInfoData group;
	StringInfoData asked;
	StringInfoData codes;
	ListCell *cell;

	initStringInfo(&group);
	initStringInfo(&asked);
	initStringInfo(&codes);
	appendStringInfoString(sql, "class AS MATERIALIZED (SELECT count(*) AS n");
	foreach (cell, columns)
	{
		const CellColumn *column = lfirst(cell);
		const char *name = quote_identifier(column->released);
		int number = column->number;

		appendStringInfo(sql, ", r.%s AS c%d", name, number);
		appendStringInfo(&group, "%sr.%s", group.len > 0 ? ", " : "", name);
		if (!cell_format_is_asked(column))
			continue;
		appendStringInfo(&asked, "%sc.c%d", asked.len > 0 ? ", " : " GROUP BY ", number);
		appendStringInfo(&codes, ", c.c%d, dense_rank() OVER (ORDER BY c.c%d) AS i%d", number,
						 number, number);
	}
	appendStringInfo(sql,
					 " FROM %s r GROUP BY %s), asked AS MATERIALIZED"
					 " (SELECT coalesce(sum(c.n), 0)::int8 AS n%s FROM class c%s)",
					 ((const CellColumn *) linitial(columns))->release, group.data, codes.data,
					 asked.data);
}

/* Counts the source's rows, and those that satisfy each predicate. */
static void
append_truth(StringInfo sql, const CellColumn *column, const GroupedRows *rows)
{
	const Description *source = column->source;
	ListCell *cell;

	appendStringInfo(sql, ", (SELECT %s AS rows", grouped_rows_count_if(rows, "true"));
	foreach (cell, column->predicates)
	{
		StringInfoData condition;

		initStringInfo(&condition);
		appendStringInfoString(&condition, "true");
		for (int i = 0; i < source->quasi_count; i++)
		{
			const char *name = source->quasi[i]->name;

			if (predicate_names(lfirst(cell), source->quasi[i]))
				appendStringInfo(&condition, " AND %s",
								 predicate_condition(lfirst(cell), source->quasi[i],
													 psprintf("s.%s", quote_identifier(name))));
		}
		appendStringInfo(sql, ", %s AS t%d", grouped_rows_count_if(rows, condition.data),
						 foreach_current_index(cell));
	}
	appendStringInfo(sql, " FROM %s s) t", column->rows);
}

/*
 * For classes that have the cells asked for in common, the product of the shares that a predicate
 * covers in these.
 */
static void
append_estimates(StringInfo sql, const List *columns)
{
	const CellColumn *first = linitial(columns);
	ListCell *cell;
	ListCell *other;

	appendStringInfoString(sql, ", (SELECT count(*) AS rows");
	foreach (cell, first->predicates)
	{
		char *estimate = pstrdup("g.n");

		foreach (other, columns)
		{
			const CellColumn *column = lfirst(other);

			if (predicate_names(lfirst(cell), cell_format_attribute(column)))
				estimate =
					psprintf("%s * x%d.s%d", estimate, column->number, foreach_current_index(cell));
		}
		appendStringInfo(sql, ", coalesce(sum(%s ORDER BY %s), 0)::float8 AS e%d", estimate,
						 estimate, foreach_current_index(cell));
	}
	appendStringInfoString(sql, " FROM asked g");
	foreach (other, columns)
	{
		const CellColumn *column = lfirst(other);

		if (cell_format_is_asked(column))
			appendStringInfo(sql, " JOIN cell%d x%d ON x%d.id = g.i%d", column->number,
							 column->number, column->number, column->number);
	}
	appendStringInfoString(sql, ") e");
}

static char *
statement_text(const List *columns)
{
	StringInfoData sql;
	const CellColumn *first = linitial(columns);
	GroupedRows rows;
	ListCell *cell;

	initStringInfo(&sql);
	rows = cell_format_begin(&sql, columns);
	append_classes(&sql, columns);
	foreach (cell, columns)
		cell_format_measure(&sql, lfirst(cell));
	appendStringInfoString(&sql, " SELECT a.classes, a.smallest, a.rows, a.squares, t.rows");
	foreach (cell, columns)
	{
		int number = ((const CellColumn *) lfirst(cell))->number;
		int levels = CELL_LEVELS(cell_format_height(lfirst(cell))) - 1;

		appendStringInfo(
			&sql,
			", (SELECT min(x.unrecognized) FROM cell%d x),"
			" (SELECT (sum(x.n * x.loss ORDER BY x.loss, x.n) / sum(x.n))::float8 FROM cell%d x),"
			" ARRAY(SELECT coalesce(x.n, 0)::int8 FROM generate_series(0, %d) i LEFT JOIN"
			" (SELECT c.level, sum(c.n) AS n FROM cell%d c GROUP BY 1) x ON x.level = i"
			" ORDER BY i), ARRAY(SELECT x.t FROM generate_series(0, %d) i LEFT JOIN"
			" (SELECT DISTINCT ON (c.level) c.level, c.t FROM cell%d c"
			" ORDER BY c.level, c.n DESC, c.t) x ON x.level = i ORDER BY i)",
			number, number, levels, number, levels, number);
	}
	for (int i = 0; i < list_length(first->predicates); i++)
		appendStringInfo(&sql, ", t.t%d, e.e%d", i, i);
	appendStringInfoString(
		&sql, " FROM (SELECT count(*) AS classes, coalesce(min(c.n), 0) AS smallest,"
			  " coalesce(sum(c.n), 0)::int8 AS rows,"
			  " coalesce(sum(c.n::numeric * c.n), 0)::float8 AS squares FROM class c) a");
	append_truth(&sql, first, &rows);
	append_estimates(&sql, columns);
	return sql.data;
}

static double
float_field(int column, bool *isnull)
{
	Datum value = query_value(0, column, isnull);

	return *isnull ? 0 : DatumGetFloat8(value);
}

/* The elements of an int8[] without NULLs. */
static const int64 *
read_counts(int column, int *count)
{
	bool isnull;
	ArrayType *array = DatumGetArrayTypePCopy(query_value(0, column, &isnull));

	*count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	return (const int64 *) ARR_DATA_PTR(array);
}

/* The elements of a text[]. */
static const char *const *
read_labels(int column)
{
	bool isnull;
	Datum *elements;
	bool *nulls;
	int count;
	const char **label;

	deconstruct_array(DatumGetArrayTypeP(query_value(0, column, &isnull)), TEXTOID, -1, false,
					  TYPALIGN_INT, &elements, &nulls, &count);
	label = palloc(sizeof(char *) * Max(count, 1));
	for (int i = 0; i < count; i++)
		label[i] = nulls[i] ? NULL : TextDatumGetCString(elements[i]);
	return label;
}

/* Reads the columns' part of the result: errors of cells, and the loss. */
static void
read_losses(QualityTally *tally, const List *columns)
{
	QualityColumn *each = palloc(sizeof(QualityColumn) * list_length(columns));
	double weights = 0;
	double loss = 0;
	bool isnull = false;
	ListCell *cell;

	tally->column = each;
	foreach (cell, columns)
	{
		const CellColumn *column = lfirst(cell);
		double weight = cell_format_attribute(column)->weight;
		int at = TALLY_COLUMNS + CELL_COLUMNS * foreach_current_index(cell) + 1;
		char *unrecognized = query_text(0, at);

		if (unrecognized != NULL)
			cell_format_report_unrecognized(
				column, unrecognized,
				_("A cell is a range that is not empty, a value, a label of the dimension,"
				  " [a - b] with values of the relation, or *."));
		each->loss = float_field(at + 1, &isnull);
		loss += weight * each->loss;
		weights += weight;
		each->rows = read_counts(at + 2, &each->levels);
		each->label = read_labels(at + 3);
		each++;
	}
	tally->has_loss = !isnull;
	tally->loss = weights > 0 ? loss / weights : 0;
}

QualityTally
quality_query_run(const List *columns, QualityAnswer *answers)
{
	const CellColumn *first = linitial(columns);
	int predicates = list_length(first->predicates);
	const char *sql = statement_text(columns);
	int nest_level = query_hashing_begin();
	QualityTally tally;
	bool isnull;

	query_run(sql, true);
	query_hashing_end(nest_level);
	tally = (QualityTally){
		.classes = query_int8(0, 1),
		.smallest = query_int8(0, 2),
		.rows = query_int8(0, 3),
		.squares = float_field(4, &isnull),
		.source_rows = query_int8(0, 5),
	};
	read_losses(&tally, columns);
	for (int i = 0; i < predicates; i++)
	{
		int at = TALLY_COLUMNS + CELL_COLUMNS * list_length(columns) + 2 * i + 1;

		answers[i].actual = query_int8(0, at);
		answers[i].estimate = float_field(at + 1, &isnull);
	}
	return tally;
}
