/*
 * relation_cells.c
 *		See relation_cells.h.
 */
#include "postgres.h"

#include "audit/relation_cells.h"

#include "base/interrupt.h"
#include "lib/stringinfo.h"
#include "metric/loss.h"
#include "sql/row_query.h"
#include "utils/builtins.h"

#define PURPOSE "matching of rows"

/* As that of a record of the quasi-identifiers. */
static RecordShape *
describe_record(const Description *description, Budget *budget)
{
	RecordShape *shape = palloc0(sizeof(RecordShape));

	shape->quasi_count = description->quasi_count;
	shape->quasi = palloc0(sizeof(DescribedAttribute) * description->quasi_count);
	shape->fields = CreateTemplateTupleDesc(description->quasi_count);
	for (int i = 0; i < description->quasi_count; i++)
	{
		const DescribedAttribute *attribute = &description->attributes[description->quasi[i]];

		TupleDescInitEntry(shape->fields, (AttrNumber) (i + 1), attribute->name, attribute->type,
						   -1, 0);
		shape->quasi[i] = (DescribedAttribute){.name = attribute->name,
											   .number = (AttrNumber) (i + 1),
											   .type = attribute->type,
											   .collation = attribute->collation};
		if (OidIsValid(attribute->dimension))
			shape->quasi[i].domain = dimension_query_load(description, attribute, budget);
	}
	return shape;
}

static char *
select_text(const Description *description)
{
	StringInfoData sql;

	initStringInfo(&sql);
	for (int i = 0; i < description->quasi_count; i++)
		appendStringInfo(&sql, "%s s.%s", i > 0 ? "," : "SELECT",
						 quote_identifier(description->attributes[description->quasi[i]].name));
	appendStringInfo(&sql, " FROM %s s", description->name);
	return sql.data;
}

static void
add_row(void *state, const Datum *values, const bool *nulls, int64 count)
{
	(void) count;
	record_codes_add_values(state, values, nulls);
}

MatchingRows *
relation_cells_load(const Description *description, Budget *budget)
{
	RecordCodes *codes =
		record_codes_create(describe_record(description, budget), SPLIT_MEDIAN, 0, budget);
	RowSource *rows = row_query_create(select_text(description), false);

	rows->scan(rows, add_row, codes);
	record_codes_finish(codes, DICTIONARY_BY_BYTES);
	return matching_rows_create(codes);
}

/* The first digit of a column stands for all of them. */
static double *
attribute_loss(const MatchingColumn *column, const CellRows *rows, int part, double share)
{
	const CellTree *tree = &rows->tree[column->first + part];
	double *loss = budget_allocate(rows->budget, tree->nodes, sizeof(double), PURPOSE);
	RecodingColumn recoded = {.dimension = column->dimension};

	for (int32 node = tree->values; node < tree->nodes; node++)
	{
		interrupt_check(node);
		if (column->digits)
			loss[node] = part == 0 ? share : 0;
		else if (column->dimension == NULL)
			loss[node] = share * loss_of_all(tree->values, false);
		else
		{
			RecodedCell cell = matching_rows_cell(column, tree, node);

			loss[node] = share * loss_of_cell(&recoded, &cell);
		}
	}
	return loss;
}

const double *const *
relation_cells_loss(const Description *description, const MatchingRows *rows)
{
	double **loss = palloc(sizeof(double *) * rows->rows->attributes);
	double weights = 0;

	for (int i = 0; i < rows->columns; i++)
		weights += description->attributes[description->quasi[i]].weight;
	for (int i = 0; i < rows->columns; i++)
	{
		const MatchingColumn *column = &rows->column[i];
		double weight = description->attributes[description->quasi[i]].weight;

		for (int part = 0; part < column->count; part++)
			loss[column->first + part] =
				attribute_loss(column, rows->rows, part, weights > 0 ? weight / weights : 0);
	}
	return (const double *const *) loss;
}
