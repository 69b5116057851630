/*
 * partition_recoding.c
 *		See partition_recoding.h.
 *
 * The records of a class lie side by side in the dataset once it is partitioned,
 * so the region of one is a pass over them.
 */
#include "postgres.h"

#include "partition/partition_recoding.h"

#include "partition/region.h"

typedef struct PartitionRecoding
{
	Recoding base;
	Region *region;
} PartitionRecoding;

static void
class_cells(Recoding *base, int32 class, RecodedCell *cell)
{
	const Region *region = ((PartitionRecoding *) base)->region;

	region_measure(((PartitionRecoding *) base)->region, base->dataset, base->class_end[class - 1],
				   base->class_end[class]);
	for (int i = 0; i < base->columns; i++)
		cell[i] = region_cell(&base->column[i], region->minimum[i], region->maximum[i]);
}

Recoding *
partition_recoding_create(const Partition *partition, const Dataset *dataset)
{
	PartitionRecoding *recoding = palloc(sizeof(PartitionRecoding));

	recoding->region = region_create(dataset);
	recoding->base = (Recoding){.rows = dataset->rows,
								.columns = dataset->attributes,
								.column = partition->column,
								.groups = partition->classes,
								.group_of_row = partition->class_of_row,
								.class_end = partition->class_end,
								.dataset = dataset,
								.people = partition->people,
								.cells = class_cells};
	return &recoding->base;
}
