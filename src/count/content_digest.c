/*
 * content_digest.c
 *		See content_digest.h.
 *
 * Rows of a class are adjacent in a release and share most of their values: a value equal to the
 * one above it, byte by byte, is not converted to text again.
 */
#include "postgres.h"

#include "count/content_digest.h"

#include "common/cryptohash.h"
#include "executor/tuptable.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "port/pg_bswap.h"
#include "sql/query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/memutils.h"

#define DIGEST 32 /* bytes */

/* The last value of a column. */
typedef struct DigestedValue
{
	bool known;
	bool isnull;
	Datum value;
	StringInfoData text; /* its length, then its bytes */
} DigestedValue;

typedef struct DigestReceiver
{
	DestReceiver receiver; /* first */
	MemoryContext context; /* of the values */
	MemoryContext of_row;
	TupleDesc fields;
	ValueText *writer; /* [field] */
	DigestedValue *last;
	pg_cryptohash_ctx *hash;
	StringInfoData text; /* of a row */
	uint8 row[DIGEST];
	uint8 sum[DIGEST]; /* least significant byte first */
} DigestReceiver;

static void
digest_startup(DestReceiver *self, int operation, TupleDesc fields)
{
	DigestReceiver *receiver = (DigestReceiver *) self;
	MemoryContext previous = MemoryContextSwitchTo(receiver->context);

	(void) operation;
	receiver->fields = CreateTupleDescCopy(fields);
	receiver->writer = palloc(sizeof(ValueText) * Max(fields->natts, 1));
	receiver->last = palloc0(sizeof(DigestedValue) * Max(fields->natts, 1));
	for (int i = 0; i < fields->natts; i++)
	{
		receiver->writer[i] = value_text_writer(TupleDescAttr(fields, i)->atttypid);
		initStringInfo(&receiver->last[i].text);
	}
	initStringInfo(&receiver->text);
	MemoryContextSwitchTo(previous);
}

static bool
is_last(const DigestedValue *last, Form_pg_attribute field, Datum value, bool isnull)
{
	return last->known && last->isnull == isnull &&
		   (isnull || datumIsEqual(last->value, value, field->attbyval, field->attlen));
}

static void
write_value(DigestReceiver *receiver, int column, Datum value, bool isnull)
{
	Form_pg_attribute field = TupleDescAttr(receiver->fields, column);
	DigestedValue *last = &receiver->last[column];
	uint32 length = PG_UINT32_MAX;
	const char *text = "";
	MemoryContext previous;

	if (last->known && !last->isnull && !field->attbyval)
		pfree(DatumGetPointer(last->value));
	last->known = true;
	last->isnull = isnull;
	if (!isnull)
	{
		previous = MemoryContextSwitchTo(receiver->of_row);
		text = value_text_write(&receiver->writer[column], value);
		text = pg_server_to_any(text, (int) strlen(text), PG_UTF8);
		length = pg_hton32((uint32) strlen(text));
		MemoryContextSwitchTo(receiver->context);
		last->value = datumCopy(value, field->attbyval, field->attlen);
		MemoryContextSwitchTo(previous);
	}
	resetStringInfo(&last->text);
	appendBinaryStringInfo(&last->text, (char *) &length, sizeof(length));
	appendStringInfoString(&last->text, text);
	MemoryContextReset(receiver->of_row);
}

static void
hash_row(DigestReceiver *receiver)
{
	StringInfo text = &receiver->text;

	resetStringInfo(text);
	for (int i = 0; i < receiver->fields->natts; i++)
		appendBinaryStringInfo(text, receiver->last[i].text.data, receiver->last[i].text.len);
	if (pg_cryptohash_init(receiver->hash) != 0 ||
		pg_cryptohash_update(receiver->hash, (const uint8 *) text->data, text->len) != 0 ||
		pg_cryptohash_final(receiver->hash, receiver->row, DIGEST) != 0)
		elog(ERROR, "could not compute SHA-256: %s", pg_cryptohash_error(receiver->hash));
}

static void
add_row(DigestReceiver *receiver)
{
	unsigned carry = 0;

	for (int i = 0; i < DIGEST; i++)
	{
		carry += (unsigned) receiver->sum[i] + receiver->row[i];
		receiver->sum[i] = (uint8) carry;
		carry >>= 8;
	}
}

static bool
digest_receive(TupleTableSlot *slot, DestReceiver *self)
{
	DigestReceiver *receiver = (DigestReceiver *) self;
	bool again = false;

	slot_getallattrs(slot);
	for (int i = 0; i < receiver->fields->natts; i++)
	{
		Form_pg_attribute field = TupleDescAttr(receiver->fields, i);

		if (is_last(&receiver->last[i], field, slot->tts_values[i], slot->tts_isnull[i]))
			continue;
		write_value(receiver, i, slot->tts_values[i], slot->tts_isnull[i]);
		again = true;
	}
	if (again)
		hash_row(receiver);
	add_row(receiver);
	return true;
}

char *
content_digest(const char *relation)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon digest", ALLOCSET_DEFAULT_SIZES);
	DigestReceiver receiver = {
		.receiver = query_receiver(digest_receive, digest_startup),
		.context = context,
		.of_row = AllocSetContextCreate(context, "kanon digested row", ALLOCSET_DEFAULT_SIZES),
		.hash = pg_cryptohash_create(PG_SHA256)};
	char *digits = palloc(2 * DIGEST + 1);

	if (receiver.hash == NULL)
		elog(ERROR, "out of memory");
	query_stream_in_snapshot(psprintf("SELECT * FROM %s", relation), &receiver.receiver);
	pg_cryptohash_free(receiver.hash);
	hex_encode((const char *) receiver.sum, DIGEST, digits);
	digits[2 * DIGEST] = '\0';
	MemoryContextDelete(context);
	return digits;
}
