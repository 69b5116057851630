/*
 * tally.c
 *		The SQL function by which parallel workers tell what the rows of a release hold that they
 *		make: see release_nodes.h.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "api/argument.h"
#include "api/result.h"
#include "base/context.h"
#include "release/release_fill.h"
#include "sql/name_array.h"
#include "utils/memutils.h"

/* The rows of a part so far. */
typedef struct PartTally
{
	MemoryContext context;
	ContentTally *content;
} PartTally;

/* The columns, numbers of fields of such rows from 0. */
static int *
read_columns(const ArrayType *array, HeapTupleHeader row, int *count)
{
	Datum *value;
	bool *null;
	int *column;

	*count = array_elements(array, &value, &null);
	column = palloc(sizeof(int) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
	{
		column[i] = DatumGetInt32(value[i]);
		if (null[i] || column[i] < 0 || column[i] >= HeapTupleHeaderGetNatts(row))
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("columns must be numbers of fields of the rows, from 0")));
	}
	return column;
}

static PartTally *
begin_part(FunctionCallInfo fcinfo)
{
	MemoryContext context =
		AllocSetContextCreate(fcinfo->flinfo->fn_mcxt, "kanon part", CONTEXT_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(context);
	PartTally *part = palloc(sizeof(PartTally));
	ContentQuestion question = {.digest = true, .records = true, .classes = true, .runs = true};

	question.column =
		read_columns(PG_GETARG_ARRAYTYPE_P(1), PG_GETARG_HEAPTUPLEHEADER(0), &question.columns);
	*part = (PartTally){.context = context, .content = content_tally_create(question)};
	MemoryContextSwitchTo(previous);
	return fcinfo->flinfo->fn_extra = part;
}

/* What the part came to, which ends. */
static bytea *
end_part(FunctionCallInfo fcinfo, PartTally *part)
{
	FilledPart filled = {.figures = recoding_figures_read(PG_GETARG_DATUM(2)),
						 .content = content_tally_part(part->content)};
	bytea *told = palloc(VARHDRSZ + sizeof(FilledPart));

	content_tally_free(part->content);
	MemoryContextDelete(part->context);
	fcinfo->flinfo->fn_extra = NULL;
	SET_VARSIZE(told, VARHDRSZ + sizeof(FilledPart));
	memcpy(VARDATA(told), &filled, sizeof(FilledPart));
	return told;
}

SQL_FUNCTION(kanon_view_tally)
{
	PartTally *part = fcinfo->flinfo->fn_extra;

	argument_require(fcinfo, 0, "row");
	argument_require(fcinfo, 1, "columns");
	if (part == NULL)
		part = begin_part(fcinfo);
	content_tally_add(part->content, PG_GETARG_HEAPTUPLEHEADER(0));
	if (PG_ARGISNULL(2))
		PG_RETURN_NULL();
	PG_RETURN_BYTEA_P(end_part(fcinfo, part));
}
