/*
 * local.c
 *		See local.h.
 */
#include "postgres.h"

#include "local/local.h"

#include "partition/partition.h"

static PartitionRequest
partition_request(const LocalRequest *request)
{
	return (PartitionRequest){.k = request->k,
							  .models = request->models,
							  .column = request->column,
							  .of_part = request->of_part,
							  .places_only = request->places_only,
							  .budget = request->budget};
}

Size
local_bytes(int64 rows, int attributes, const LocalRequest *request)
{
	PartitionRequest partition = partition_request(request);

	return partition_bytes(rows, attributes, &partition);
}

Recoding *
local_run(Dataset *dataset, const LocalRequest *request)
{
	PartitionRequest partition = partition_request(request);

	return partition_run(dataset, &partition);
}
