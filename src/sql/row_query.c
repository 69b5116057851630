/*
 * row_query.c
 *		See row_query.h.
 */
#include "postgres.h"

#include "sql/row_query.h"

#include "base/context.h"
#include "executor/tuptable.h"
#include "sql/query.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

typedef struct RowQuery
{
	RowSource source; /* first */
	const char *sql;
	int columns; /* without the count */
	Oid *types;  /* [columns] */
	bool counted;
	QueryParameters parameters;
	MemoryContext context;
} RowQuery;

typedef struct RowReceiver
{
	DestReceiver receiver; /* first */
	const RowQuery *query;
	RowConsumer consumer;
	void *state;
	MemoryContext detoasted; /* detoasted values of one row */
	bool *varlena;
	Datum *values;
} RowReceiver;

static void
receiver_startup(DestReceiver *self, int operation, TupleDesc typeinfo)
{
	RowReceiver *receiver = (RowReceiver *) self;
	const RowQuery *query = receiver->query;
	MemoryContext previous = MemoryContextSwitchTo(query->context);

	(void) operation;
	Assert(typeinfo->natts == query->columns + (query->counted ? 1 : 0));
	receiver->varlena = palloc(sizeof(bool) * Max(query->columns, 1));
	receiver->values = palloc(sizeof(Datum) * Max(query->columns, 1));
	for (int i = 0; i < query->columns; i++)
	{
		Form_pg_attribute column = TupleDescAttr(typeinfo, i);

		receiver->varlena[i] = column->attlen == -1;
		if (getBaseType(column->atttypid) != getBaseType(query->types[i]))
			ereport(ERROR, (errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
							errmsg("column \"%s\" changed its type while the relation was read",
								   NameStr(column->attname)),
							errhint("Try again.")));
	}
	MemoryContextSwitchTo(previous);
}

/* The slot's values, detoasted. */
static const Datum *
plain_values(RowReceiver *receiver, TupleTableSlot *slot)
{
	const Datum *values = slot->tts_values;

	for (int i = 0; i < receiver->query->columns; i++)
	{
		struct varlena *pointer = (struct varlena *) DatumGetPointer(values[i]);
		MemoryContext previous;

		if (!receiver->varlena[i] || slot->tts_isnull[i] ||
			!(VARATT_IS_EXTERNAL(pointer) || VARATT_IS_COMPRESSED(pointer)))
			continue;
		if (values == slot->tts_values)
		{
			MemoryContextReset(receiver->detoasted);
			memcpy(receiver->values, slot->tts_values, sizeof(Datum) * receiver->query->columns);
			values = receiver->values;
		}
		previous = MemoryContextSwitchTo(receiver->detoasted);
		receiver->values[i] = PointerGetDatum(PG_DETOAST_DATUM_PACKED(values[i]));
		MemoryContextSwitchTo(previous);
	}
	return values;
}

static bool
receiver_receive(TupleTableSlot *slot, DestReceiver *self)
{
	RowReceiver *receiver = (RowReceiver *) self;
	MemoryContext previous;
	int64 count = 1;

	slot_getallattrs(slot);
	if (receiver->query->counted)
		count = DatumGetInt64(slot->tts_values[receiver->query->columns]);
	previous = MemoryContextSwitchTo(receiver->query->context);
	receiver->consumer(receiver->state, plain_values(receiver, slot), slot->tts_isnull, count);
	MemoryContextSwitchTo(previous);
	return true;
}

static void
row_query_scan(RowSource *source, RowConsumer consumer, void *state)
{
	RowQuery *query = (RowQuery *) source;
	RowReceiver receiver = {.receiver = query_receiver(receiver_receive, receiver_startup),
							.query = query,
							.consumer = consumer,
							.state = state};

	receiver.detoasted =
		AllocSetContextCreate(query->context, "kanon detoasted values", CONTEXT_DEFAULT_SIZES);
	query_run_bound(query->sql, QUERY_READ, &query->parameters, &receiver.receiver);
	MemoryContextDelete(receiver.detoasted);
}

RowSource *
row_query_create(const char *sql, const Oid *types, int columns, bool counted)
{
	RowQuery *query = palloc(sizeof(RowQuery));

	*query = (RowQuery){.source = {.scan = row_query_scan},
						.sql = pstrdup(sql),
						.columns = columns,
						.types = palloc(sizeof(Oid) * Max(columns, 1)),
						.counted = counted,
						.context = CurrentMemoryContext};
	for (int i = 0; i < columns; i++)
		query->types[i] = types[i];
	return &query->source;
}

void
row_query_bind(RowSource *source, int count, const Oid *types, const Datum *values)
{
	((RowQuery *) source)->parameters = (QueryParameters){
		.count = count, .types = unconstify(Oid *, types), .values = unconstify(Datum *, values)};
}
