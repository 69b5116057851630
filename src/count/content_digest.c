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
#include "port/pg_bswap.h"
#include "sql/query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#define DIGEST 32 /* bytes */

typedef struct DigestReceiver
{
	DestReceiver receiver; /* first */
	MemoryContext context; /* of what follows */
	MemoryContext of_value;
	TupleTableSlot *last;  /* the row before; empty: none */
	ValueText *writer;     /* [field] */
	StringInfoData *value; /* [field] of the row before: its length, then its bytes */
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
	receiver->last = query_slot(fields, receiver->context);
	receiver->writer = palloc(sizeof(ValueText) * Max(fields->natts, 1));
	receiver->value = palloc(sizeof(StringInfoData) * Max(fields->natts, 1));
	for (int i = 0; i < fields->natts; i++)
	{
		receiver->writer[i] = value_text_writer(TupleDescAttr(fields, i)->atttypid);
		initStringInfo(&receiver->value[i]);
	}
	initStringInfo(&receiver->text);
	MemoryContextSwitchTo(previous);
}

static void
write_value(DigestReceiver *receiver, const TupleTableSlot *slot, int column)
{
	MemoryContext previous = MemoryContextSwitchTo(receiver->of_value);
	uint32 length = PG_UINT32_MAX;
	const char *text = "";
	bool foreign = false;

	if (!slot->tts_isnull[column])
	{
		const char *own = value_text_write(&receiver->writer[column], slot->tts_values[column]);

		text = value_text_utf8(own);
		foreign = text == NULL;
		if (foreign)
			text = own;
		length = pg_hton32((uint32) strlen(text) + foreign);
	}
	resetStringInfo(&receiver->value[column]);
	appendBinaryStringInfo(&receiver->value[column], (char *) &length, sizeof(length));
	if (foreign)
		appendStringInfoChar(&receiver->value[column], '\0');
	appendStringInfoString(&receiver->value[column], text);
	MemoryContextSwitchTo(previous);
	MemoryContextReset(receiver->of_value);
}

static void
hash_row(DigestReceiver *receiver)
{
	StringInfo text = &receiver->text;

	resetStringInfo(text);
	for (int i = 0; i < receiver->last->tts_nvalid; i++)
		appendBinaryStringInfo(text, receiver->value[i].data, receiver->value[i].len);
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
	bool is_first = TTS_EMPTY(receiver->last);
	bool is_new = false;

	slot_getallattrs(slot);
	for (int i = 0; i < slot->tts_nvalid; i++)
	{
		if (!is_first)
			i = query_slot_differs(receiver->last, slot, i);
		if (i == slot->tts_nvalid)
			break;
		write_value(receiver, slot, i);
		is_new = true;
	}
	if (is_new)
	{
		ExecCopySlot(receiver->last, slot);
		hash_row(receiver);
	}
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
		.of_value = AllocSetContextCreate(context, "kanon digested value", ALLOCSET_DEFAULT_SIZES),
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
