/*
 * counts.c
 *		The aggregate kanon_view_counts, by which workers add up where their rows count in a growing
 *		partition tree.
 *
 * While rows are counted, its state is an expanded object with all counts; between servers it is
 * the bytes of sparse_counts.h, for few values of a wide range occur in the rows of a shard.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/result.h"
#include "base/budget.h"
#include "base/compat.h"
#include "base/context.h"
#include "rothko/sparse_counts.h"
#include "utils/expandeddatum.h"
#include "utils/memutils.h"

typedef struct Counts
{
	ExpandedObjectHeader header;
	int64 size;
	int64 *count;
} Counts;

static Size
flat_size(ExpandedObjectHeader *header)
{
	const Counts *counts = (const Counts *) header;

	return VARHDRSZ + sparse_counts_bytes(counts->count, counts->size);
}

static void
flatten(ExpandedObjectHeader *header, void *to, Size bytes)
{
	const Counts *counts = (const Counts *) header;

	SET_VARSIZE(to, bytes);
	sparse_counts_write(counts->count, counts->size, VARDATA(to));
}

static const ExpandedObjectMethods counts_methods = {flat_size, flatten};

/*
 * Zeros, in a context of their own that the aggregate owns.  Their number is what somebody says, in
 * few bytes; so all that the aggregate owns counts against the memory limit.
 */
static Counts *
make_counts(MemoryContext owner, int64 size)
{
	Budget budget = {.context = owner, .limit = (Size) budget_kilobytes() * 1024};
	MemoryContext context;
	Counts *counts;

	budget_check(&budget, sizeof(int64) * size, "array of counts");
	context = AllocSetContextCreate(owner, "kanon counts", CONTEXT_SMALL_SIZES);
	counts = MemoryContextAllocZero(context, sizeof(Counts));

	EOH_init_header(&counts->header, &counts_methods, context);
	counts->size = size;
	counts->count = MemoryContextAllocZero(context, sizeof(int64) * Max(size, 1));
	return counts;
}

/* A state as it is between servers. */
typedef struct Bytes
{
	const char *data;
	Size length;
} Bytes;

static Bytes
bytes_of(Datum state)
{
	bytea *flat = DatumGetByteaPP(state);

	return (Bytes){VARDATA_ANY(flat), VARSIZE_ANY_EXHDR(flat)};
}

/* The state, which the aggregate owns: if there is none, of so many zeros. */
static Counts *
state_of(FunctionCallInfo fcinfo, int64 size)
{
	MemoryContext owner;
	Counts *counts;
	Bytes bytes;

	if (!AggCheckCallContext(fcinfo, &owner))
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("not called as part of an aggregate")));
	if (PG_ARGISNULL(0))
		return make_counts(owner, size);
	if (VARATT_IS_EXTERNAL_EXPANDED_RW(DatumGetPointer(PG_GETARG_DATUM(0))))
	{
		counts = (Counts *) DatumGetEOHP(PG_GETARG_DATUM(0));
		if (counts->header.eoh_methods == &counts_methods)
			return counts;
	}
	bytes = bytes_of(PG_GETARG_DATUM(0));
	counts = make_counts(owner, sparse_counts_size(bytes.data, bytes.length));
	sparse_counts_add(bytes.data, bytes.length, counts->count, counts->size);
	return counts;
}

static Datum
state_datum(Counts *counts)
{
	return EOHPGetRWDatum(&counts->header);
}

pg_noreturn static void
report_places(void)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("malformed places")));
}

SQL_FUNCTION(kanon_view_count)
{
	const int32 *places;
	ArrayType *array;
	Counts *counts;
	int count;

	if (PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("places must not be null")));
	array = PG_GETARG_ARRAYTYPE_P(1);
	if (ARR_HASNULL(array) || ARR_NDIM(array) != 1)
		report_places();
	places = (const int32 *) ARR_DATA_PTR(array);
	count = ARR_DIMS(array)[0];
	if (count < 2 || places[1] < 0 || places[1] > SPARSE_COUNTS_MOST)
		report_places();
	counts = state_of(fcinfo, places[1]);
	for (int i = 2; i < count; i++)
	{
		if (places[i] < 0 || places[i] >= counts->size)
			report_places();
		counts->count[places[i]]++;
	}
	PG_RETURN_DATUM(state_datum(counts));
}

SQL_FUNCTION(kanon_view_count_add)
{
	Counts *counts;
	Bytes added;

	if (PG_ARGISNULL(1))
	{
		if (PG_ARGISNULL(0))
			PG_RETURN_NULL();
		PG_RETURN_DATUM(state_datum(state_of(fcinfo, 0)));
	}
	added = bytes_of(PG_GETARG_DATUM(1));
	counts = state_of(fcinfo, sparse_counts_size(added.data, added.length));
	sparse_counts_add(added.data, added.length, counts->count, counts->size);
	PG_RETURN_DATUM(state_datum(counts));
}
