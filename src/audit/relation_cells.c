/*
 * relation_cells.c
 *		See relation_cells.h.
 */
#include "postgres.h"

#include "audit/relation_cells.h"

#include "base/interrupt.h"
#include "count/relation_codes.h"
#include "metric/loss.h"

MatchingRows *
relation_cells_load(const Description *description, Budget *budget)
{
	Dataset *dataset = dataset_create(DATASET_RECORDS, description->quasi_count, budget);
	RelationRequest request = {.relation = description->name, .attribute = description->quasi};
	DatasetColumn **column;

	for (int i = 0; i < dataset->attributes; i++)
	{
		DescribedAttribute *attribute = description->quasi[i];

		if (OidIsValid(attribute->dimension))
			attribute->domain =
				dimension_query_load(description, attribute, UNKNOWN_AS_NULL, budget);
	}
	column = relation_codes_read(dataset, &request, NULL);
	for (int i = 0; i < dataset->attributes; i++)
		dataset_column_finish(column[i], DICTIONARY_BY_BYTES);
	return matching_rows_create(dataset, column);
}

/* The first digit of a column stands for all of them. */
static double *
attribute_loss(const MatchingColumn *column, const MatchingTable *rows, int part, double share)
{
	const CellTree *tree = &rows->tree[column->first + part];
	double *loss = cell_tree_array(tree, sizeof(double), rows->budget);
	RecodingColumn recoded = {.dimension = column->dimension};

	for (int32 node = tree->values; node < tree->nodes; node++)
	{
		interrupt_check(node);
		if (column->digits)
			loss[node] = part == 0 ? share : 0;
		else if (column->dimension == NULL)
			loss[node] =
				share * loss_of_all(dataset_cardinality(rows->dataset, column->first), false);
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
	double **loss = palloc(sizeof(double *) * rows->table->dataset->attributes);
	double weights = 0;

	for (int i = 0; i < rows->columns; i++)
		weights += description->quasi[i]->weight;
	for (int i = 0; i < rows->columns; i++)
	{
		const MatchingColumn *column = &rows->column[i];
		double weight = description->quasi[i]->weight;

		for (int part = 0; part < column->count; part++)
			loss[column->first + part] =
				attribute_loss(column, rows->table, part, weights > 0 ? weight / weights : 0);
	}
	return (const double *const *) loss;
}
