/*
 * mondrian_recoding.c
 *		See mondrian_recoding.h.
 */
#include "postgres.h"

#include "record/mondrian_recoding.h"

static Recoding *
recode(RecordCodes *codes, const RecodeRequest *request, bool relaxed)
{
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

RowClasses *
mondrian_classes(RecordCodes *codes, const RecodeRequest *request, MemoryContext context)
{
	Rothko *rothko = record_codes_rothko(codes, (PartitionRequest){.k = request->k});
	MemoryContext previous = MemoryContextSwitchTo(context);
	RowClasses *classes = row_classes_create(record_codes_rows(codes), codes->tapes, codes->budget);
	RothkoPiece piece;
	bool any = false;

	MemoryContextSwitchTo(previous);
	for (; rothko_next(rothko, &piece); any = true)
		rothko_classes(&piece, classes);
	return any ? classes : NULL;
}
