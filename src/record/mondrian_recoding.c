/*
 * mondrian_recoding.c
 *		See mondrian_recoding.h.
 */
#include "postgres.h"

#include "record/mondrian_recoding.h"

static Recoding *
recode(RecordCodes *codes, const RecodeRequest *request, bool relaxed)
{
	for (int i = 0; i < codes->description->quasi_count; i++)
		codes->attribute[i].plain = codes->description->quasi[i]->plain;
	return record_codes_partition(
		codes,
		(PartitionRequest){.k = request->k, .relaxed = relaxed, .places_only = request->by_class});
}

Recoding *
mondrian_recode(RecordCodes *codes, const RecodeRequest *request)
{
	return recode(codes, request, false);
}

Recoding *
relaxed_mondrian_recode(RecordCodes *codes, const RecodeRequest *request)
{
	return recode(codes, request, true);
}
