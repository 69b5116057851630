/*
 * region_classes.c
 *		See region_classes.h.
 */
#include "postgres.h"

#include "partition/region_classes.h"

#include "base/interrupt.h"

/* The records of a class are contiguous; one pass finds their region. */
static void
class_cells(const Recoding *base, int32 class, RecodedCell *cell)
{
	Region *region = ((const RegionClasses *) base)->region;

	region_measure(region, base->dataset, base->class_end[class - 1], base->class_end[class]);
	for (int i = 0; i < base->columns; i++)
		cell[i] = region_cell(&base->column[i], region->minimum[i], region->maximum[i]);
}

static void
class_rows(const Recoding *base, int32 class, RecodingRow take, void *state)
{
	const Dataset *dataset = base->dataset;

	for (int64 at = base->class_end[class - 1]; at < base->class_end[class]; at++)
	{
		const int32 *record = dataset_record(dataset, at);

		interrupt_check(at);
		take(state, dataset_row(dataset, record), record);
	}
}

RegionClasses *
region_classes_create(const Dataset *dataset, const RecodingColumn *column, bool of_part, int64 k,
					  bool places_only, Budget *budget, const char *purpose)
{
	RegionClasses *classes = palloc0(sizeof(RegionClasses));

	classes->region = region_create(dataset);
	classes->class_end = budget_allocate(budget, dataset->rows / k + 1, sizeof(int32), purpose);
	if (!places_only)
		classes->class_of_row = budget_allocate(budget, dataset->rows, sizeof(int32), purpose);
	classes->base = (Recoding){.rows = dataset->rows,
							   .columns = dataset->attributes,
							   .column = of_part ? column : region_columns(dataset, column),
							   .group_of_row = classes->class_of_row,
							   .class_end = classes->class_end,
							   .dataset = dataset,
							   .cells = class_cells,
							   .each_row = class_rows};
	return classes;
}
