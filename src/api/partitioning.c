/*
 * partitioning.c
 *		SQL function that reports how rows were partitioned last.
 */
#include "postgres.h"

#include "api/result.h"
#include "fmgr.h"
#include "rothko/rothko.h"

PG_FUNCTION_INFO_V1(kanon_last_partitioning);

#define LAST_PARTITIONING_COLUMNS 12

Datum
kanon_last_partitioning(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = result_begin(fcinfo);
	const PartitioningWork *last = partitioning_work_last();
	bool nulls[LAST_PARTITIONING_COLUMNS] = {0};
	Datum values[LAST_PARTITIONING_COLUMNS] = {
		CStringGetTextDatum(last->way ? last->way : ""),
		Int64GetDatum(last->rows),
		Int64GetDatum(last->classes),
		Int64GetDatum(last->counted),
		Int64GetDatum(last->spread),
		Int64GetDatum(last->nodes),
		Int64GetDatum(last->pruned),
		Int64GetDatum(last->loaded),
		Int64GetDatum(last->traffic.rows_read),
		Int64GetDatum(last->traffic.rows_written),
		Int64GetDatum(last->traffic.bytes_read),
		Int64GetDatum(last->traffic.bytes_written),
	};

	if (last->rows > 0)
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	return (Datum) 0;
}
