/*
 * relation_cells.c
 *		See relation_cells.h.
 */
#include "postgres.h"

#include "audit/relation_cells.h"

#include "base/interrupt.h"
#include "lib/stringinfo.h"
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
	PartitionRequest request = {.budget = budget};

	rows->scan(rows, add_row, codes);
	record_codes_finish(codes, DICTIONARY_BY_BYTES, &request);
	return matching_rows_create(codes);
}

/* Has hiding the column anything to lose?  NULL is a value to hide (metric/loss.h). */
static bool
has_values(const MatchingColumn *column, int32 values)
{
	const Dimension *dimension = column->dimension;

	return (dimension ? dimension->domain + (dimension->has_null ? 1 : 0) : values) > 1;
}

static double *
attribute_loss(const MatchingColumn *column, const CellRows *rows, int attribute, double share)
{
	const CellTree *tree = &rows->tree[attribute];
	Size bytes = mul_size(sizeof(double), tree->nodes);
	bool some = has_values(column, tree->values);
	double *loss;

	budget_take(rows->budget, bytes, PURPOSE);
	loss = palloc_extended(bytes, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int32 node = tree->values; node < tree->nodes && some; node++)
	{
		interrupt_check(node);
		loss[node] = share * (column->digits ? 1 : matching_rows_loss(column, node));
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
				attribute_loss(column, rows->rows, column->first + part,
							   weights > 0 ? weight / weights / column->count : 0);
	}
	return (const double *const *) loss;
}
