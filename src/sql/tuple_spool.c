/*
 * tuple_spool.c
 *		See tuple_spool.h.
 *
 * A context's reset callback runs after its children are gone, and a sort keeps memory in children.
 * So the callback belongs to the youngest child: children are deleted before their parent, the
 * youngest first.
 */
#include "postgres.h"

#include "sql/tuple_spool.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "executor/spi.h"
#include "utils/memutils.h"
#include "utils/queryenvironment.h"
#include "utils/resowner.h"
#include "utils/tuplestore.h"

typedef struct SpoolFiles
{
	MemoryContext context;
	void (*end)(void *state);
	void *state;
	ResourceOwner owner;
	bool failed;
	MemoryContextCallback callback;
} SpoolFiles;

/* Runs when any resource owner is released; that owner is current then. */
static void
follow_owner(ResourceReleasePhase phase, bool is_commit, bool is_top_level, void *arg)
{
	SpoolFiles *files = arg;

	(void) is_commit;
	(void) is_top_level;
	if (phase == RESOURCE_RELEASE_BEFORE_LOCKS && files->owner == CurrentResourceOwner)
		files->failed = true;
}

/* A query that fails may free the memory first; to end would be to write the rest, and may fail. */
static void
end_files(void *arg)
{
	SpoolFiles *files = arg;

	UnregisterResourceReleaseCallback(follow_owner, files);
	if (!files->failed && !interrupt_failed())
		files->end(files->state);
}

static SpoolFiles *
watch_files(void (*end)(void *state), void *state)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon files", CONTEXT_SMALL_SIZES);
	SpoolFiles *files = MemoryContextAllocZero(context, sizeof(SpoolFiles));

	files->context = context;
	files->end = end;
	files->state = state;
	files->owner = CurrentResourceOwner;
	files->callback = (MemoryContextCallback){.func = end_files, .arg = files};
	RegisterResourceReleaseCallback(follow_owner, files);
	MemoryContextRegisterResetCallback(context, &files->callback);
	return files;
}

void
tuple_spool_watch(void (*end)(void *state), void *state)
{
	(void) watch_files(end, state);
}

/* ---- spools */

struct TupleSpool
{
	MemoryContext context;
	Tuplestorestate *store;
	TupleDesc fields;
	TupleTableSlot *slot;
	SpoolFiles *files;
};

static void
end_store(void *store)
{
	tuplestore_end(store);
}

TupleSpool *
tuple_spool_create(TupleDesc fields, int kilobytes)
{
	TupleSpool *spool = palloc0(sizeof(TupleSpool));

	spool->context = CurrentMemoryContext;
	spool->fields = fields = CreateTupleDescCopy(fields);
	spool->slot = MakeSingleTupleTableSlot(fields, &TTSOpsMinimalTuple);
	spool->store = tuplestore_begin_heap(false, false, Min(kilobytes, work_mem));
	spool->files = watch_files(end_store, spool->store);
	return spool;
}

void
tuple_spool_put(TupleSpool *spool, const Datum *values, const bool *nulls)
{
	CHECK_FOR_INTERRUPTS();
	tuplestore_putvalues(spool->store, spool->fields, unconstify(Datum *, values),
						 unconstify(bool *, nulls));
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
tuple_spool_rewind(TupleSpool *spool)
{
	tuplestore_rescan(spool->store);
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
	MemoryContextDelete(spool->files->context);
	pfree(spool);
}
