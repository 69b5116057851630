/*
 * tuple_spool.c
 *		See tuple_spool.h.
 */
#include "postgres.h"

#include "sql/tuple_spool.h"

#include "executor/spi.h"
#include "miscadmin.h"
#include "sql/query_files.h"
#include "utils/memutils.h"
#include "utils/queryenvironment.h"
#include "utils/tuplestore.h"

struct TupleSpool
{
	MemoryContext context;
	Tuplestorestate *store;
	TupleDesc fields;
	TupleTableSlot *slot;
	QueryFiles *files;
};

static void
end_store(void *store)
{
	tuplestore_end(store);
}

TupleSpool *
tuple_spool_create(TupleDesc fields)
{
	TupleSpool *spool = palloc0(sizeof(TupleSpool));

	spool->context = CurrentMemoryContext;
	spool->fields = fields = CreateTupleDescCopy(fields);
	spool->slot = MakeSingleTupleTableSlot(fields, &TTSOpsMinimalTuple);
	spool->store = tuplestore_begin_heap(false, false, work_mem);
	spool->files = query_files_watch(end_store, spool->store);
	return spool;
}

void
tuple_spool_put(TupleSpool *spool, const Datum *values, const bool *nulls)
{
	CHECK_FOR_INTERRUPTS();
	tuplestore_putvalues(spool->store, spool->fields, unconstify(Datum *, values),
						 unconstify(bool *, nulls));
}

void
tuple_spool_put_slot(TupleSpool *spool, TupleTableSlot *slot)
{
	CHECK_FOR_INTERRUPTS();
	tuplestore_puttupleslot(spool->store, slot);
}

TupleTableSlot *
tuple_spool_next(TupleSpool *spool)
{
	/* A tuple read from a file must belong to the slot. */
	MemoryContext previous = MemoryContextSwitchTo(spool->context);
	bool more = tuplestore_gettupleslot(spool->store, true, false, spool->slot);

	MemoryContextSwitchTo(previous);
	return more ? spool->slot : NULL;
}

void
tuple_spool_offer(TupleSpool *spool, const char *name)
{
	EphemeralNamedRelation relation = palloc0(sizeof(EphemeralNamedRelationData));

	relation->md.name = pstrdup(name);
	relation->md.tupdesc = spool->fields;
	relation->md.enrtype = ENR_NAMED_TUPLESTORE;
	relation->md.enrtuples = (double) tuplestore_tuple_count(spool->store);
	relation->reldata = spool->store;
	if (SPI_register_relation(relation) != SPI_OK_REL_REGISTER)
		elog(ERROR, "could not offer tuples as \"%s\"", name);
}

void
tuple_spool_withdraw(const char *name)
{
	if (SPI_unregister_relation(name) != SPI_OK_REL_UNREGISTER)
		elog(ERROR, "could not withdraw tuples \"%s\"", name);
}

void
tuple_spool_free(TupleSpool *spool)
{
	ExecDropSingleTupleTableSlot(spool->slot);
	query_files_end(spool->files);
	pfree(spool);
}
