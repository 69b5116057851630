/*
 * content_tally.c
 *		See content_tally.h.
 *
 * A value equal to the one above it, byte by byte, is not converted to text again.
 */
#include "postgres.h"

#include "count/content_tally.h"

#include "base/budget.h"
#include "base/context.h"
#include "base/interrupt.h"
#include "common/cryptohash.h"
#include "common/hashfn.h"
#include "executor/tuptable.h"
#include "frequency/count_table.h"
#include "lib/stringinfo.h"
#include "port/pg_bswap.h"
#include "relation/record_type.h"
#include "sql/query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/memutils.h"

#define DIGEST 32 /* bytes */
#define HASH_WORDS 2
/* Of the limit, if something else takes the rest; but never less than this. */
#define SHARE 8
#define LEAST_BYTES 65536

struct ContentTally
{
	DestReceiver receiver; /* first */
	ContentQuestion question;
	MemoryContext context; /* of all this */
	TupleTableSlot *last;  /* the row before; empty: none */
	TupleTableSlot *added; /* the row that is a record */
	int64 rows;
	/* The digest */
	MemoryContext of_value;
	ValueText *writer;       /* [field] */
	StringInfoData *value;   /* [field] of the row before: its length, then its bytes */
	pg_cryptohash_ctx *hash; /* NULL: made for each row */
	RecordType record;       /* of the rows added as records */
	StringInfoData text;     /* of a row */
	uint8 row[DIGEST];
	uint8 sum[DIGEST]; /* least significant byte first */
	/* The classes */
	Budget budget; /* of the table alone */
	CountTable *table;
	bool *of_class;   /* [field] */
	bool full;        /* the table is */
	int64 run;        /* rows of the current run so far */
	ClassTally known; /* those that need no table: runs, and those told elsewhere */
};

static void
begin_rows(DestReceiver *self, int operation, TupleDesc fields)
{
	ContentTally *tally = (ContentTally *) self;
	MemoryContext previous = MemoryContextSwitchTo(tally->context);

	(void) operation;
	tally->last = query_slot(fields, tally->context);
	tally->writer = palloc(sizeof(ValueText) * Max(fields->natts, 1));
	tally->value = palloc(sizeof(StringInfoData) * Max(fields->natts, 1));
	tally->of_class = palloc0(sizeof(bool) * Max(fields->natts, 1));
	for (int i = 0; i < fields->natts && tally->question.digest; i++)
	{
		tally->writer[i] = value_text_writer(TupleDescAttr(fields, i)->atttypid);
		initStringInfo(&tally->value[i]);
	}
	for (int i = 0; i < tally->question.columns; i++)
		tally->of_class[tally->question.column[i]] = true;
	initStringInfo(&tally->text);
	MemoryContextSwitchTo(previous);
}

/* ---- the digest */

static void
write_value(ContentTally *tally, const TupleTableSlot *slot, int column)
{
	MemoryContext previous = MemoryContextSwitchTo(tally->of_value);
	uint32 length = PG_UINT32_MAX;
	const char *text = "";
	bool foreign = false;

	if (!slot->tts_isnull[column])
	{
		const char *own = value_text_write(&tally->writer[column], slot->tts_values[column]);

		text = value_text_utf8(own);
		foreign = text == NULL;
		if (foreign)
			text = own;
		length = pg_hton32((uint32) strlen(text) + foreign);
	}
	resetStringInfo(&tally->value[column]);
	appendBinaryStringInfo(&tally->value[column], (char *) &length, sizeof(length));
	if (foreign)
		appendStringInfoChar(&tally->value[column], '\0');
	appendStringInfoString(&tally->value[column], text);
	MemoryContextSwitchTo(previous);
	MemoryContextReset(tally->of_value);
}

static pg_cryptohash_ctx *
begin_hash(void)
{
	pg_cryptohash_ctx *hash = pg_cryptohash_create(PG_SHA256);

	if (hash == NULL)
		elog(ERROR, "out of memory");
	return hash;
}

static void
hash_row(ContentTally *tally)
{
	StringInfo text = &tally->text;
	pg_cryptohash_ctx *hash = tally->hash ? tally->hash : begin_hash();

	resetStringInfo(text);
	for (int i = 0; i < tally->last->tts_nvalid; i++)
		appendBinaryStringInfo(text, tally->value[i].data, tally->value[i].len);
	if (pg_cryptohash_init(hash) != 0 ||
		pg_cryptohash_update(hash, (const uint8 *) text->data, text->len) != 0 ||
		pg_cryptohash_final(hash, tally->row, DIGEST) != 0)
		elog(ERROR, "could not compute SHA-256: %s", pg_cryptohash_error(hash));
	if (tally->hash == NULL)
		pg_cryptohash_free(hash);
}

static void
add_digest(uint8 *sum, const uint8 *digest)
{
	unsigned carry = 0;

	for (int i = 0; i < DIGEST; i++)
	{
		carry += (unsigned) sum[i] + digest[i];
		sum[i] = (uint8) carry;
		carry >>= 8;
	}
}

/* ---- the classes */

/* Hashes the bytes of a value, detoasted. */
static uint64
hash_value(Form_pg_attribute field, Datum value, uint64 seed)
{
	struct varlena *plain;
	uint64 hash;

	if (field->attbyval)
		return hash_bytes_extended((unsigned char *) &value, sizeof(Datum), seed);
	if (field->attlen != -1)
		return hash_bytes_extended((unsigned char *) DatumGetPointer(value),
								   (int) datumGetSize(value, false, field->attlen), seed);
	plain = PG_DETOAST_DATUM_PACKED(value);
	hash = hash_bytes_extended((unsigned char *) VARDATA_ANY(plain), (int) VARSIZE_ANY_EXHDR(plain),
							   seed);
	if (PointerGetDatum(plain) != value)
		pfree(plain);
	return hash;
}

/* Counts the rows of the current run, of which the row before is the last. */
static void
end_run(ContentTally *tally)
{
	const TupleTableSlot *row = tally->last;
	uint64 hash[HASH_WORDS];

	if (tally->question.runs)
	{
		class_tally_add(&tally->known, tally->run, tally->run, false);
		tally->run = 0;
		return;
	}
	for (int word = 0; word < HASH_WORDS; word++)
	{
		hash[word] = word + 1;
		for (int i = 0; i < row->tts_nvalid; i++)
		{
			if (!tally->of_class[i])
				continue;
			hash[word] = hash_combine64(hash[word], row->tts_isnull[i]);
			if (!row->tts_isnull[i])
				hash[word] = hash_value(TupleDescAttr(row->tts_tupleDescriptor, i),
										row->tts_values[i], hash[word]);
		}
	}
	tally->full = !count_table_add_block(tally->table, hash, &tally->run, 1);
	if (tally->full)
		count_table_free(tally->table);
	tally->run = 0;
}

/* The tally of the runs that ended, added to that of parts. */
static ClassTally
tally_runs(const CountTable *table, ClassTally classes, int k)
{
	if (table == NULL)
		return classes;
	for (int64 i = 0; i < table->capacity; i++)
	{
		int64 rows = (int64) table->slots[i * (HASH_WORDS + 1) + HASH_WORDS];

		interrupt_check(i);
		if (rows > 0)
			class_tally_add(&classes, rows, rows, rows < k);
	}
	return classes;
}

/* ---- rows */

/* Takes note of the columns in which the row differs from the one before. */
static bool
differs(ContentTally *tally, const TupleTableSlot *slot)
{
	bool is_first = tally->rows == 0;
	bool is_new = false;
	bool ends = false;

	for (int i = 0; i < slot->tts_nvalid; i++)
	{
		if (!is_first)
			i = query_slot_differs(tally->last, slot, i);
		if (i == slot->tts_nvalid)
			break;
		if (tally->question.digest)
			write_value(tally, slot, i);
		ends = ends || tally->of_class[i];
		is_new = true;
	}
	if (ends && tally->run > 0)
		end_run(tally);
	return is_new || is_first;
}

static bool
receive_row(TupleTableSlot *slot, DestReceiver *self)
{
	ContentTally *tally = (ContentTally *) self;

	slot_getallattrs(slot);
	if (differs(tally, slot))
	{
		ExecCopySlot(tally->last, slot);
		slot_getallattrs(tally->last);
		if (tally->question.digest)
			hash_row(tally);
	}
	if (tally->question.digest)
		add_digest(tally->sum, tally->row);
	if (tally->question.classes && !tally->full)
		tally->run++;
	tally->rows++;
	return tally->question.digest || !tally->full;
}

ContentTally *
content_tally_create(ContentQuestion question)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon contents", CONTEXT_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(context);
	ContentTally *tally = palloc0(sizeof(ContentTally));

	tally->receiver = query_receiver(receive_row, begin_rows);
	tally->question = question;
	tally->context = context;
	if (question.digest)
		tally->of_value =
			AllocSetContextCreate(context, "kanon digested value", CONTEXT_SMALL_SIZES);
	if (question.digest && !question.records)
		tally->hash = begin_hash();
	if (question.classes && !question.runs)
	{
		MemoryContextSwitchTo(
			AllocSetContextCreate(context, "kanon class runs", CONTEXT_SMALL_SIZES));
		tally->budget = budget_begin();
		if (question.beside)
			tally->budget.limit = Max(tally->budget.limit / SHARE, LEAST_BYTES);
		tally->table = count_table_create(HASH_WORDS, &tally->budget, 0);
	}
	MemoryContextSwitchTo(previous);
	return tally;
}

void
content_tally_free(ContentTally *tally)
{
	if (tally == NULL)
		return;
	if (tally->hash)
		pg_cryptohash_free(tally->hash);
	MemoryContextDelete(tally->context);
}

DestReceiver *
content_tally_receiver(ContentTally *tally)
{
	return &tally->receiver;
}

int64
content_tally_rows(const ContentTally *tally)
{
	return tally->rows;
}

static char *
write_digest(const uint8 *sum)
{
	char *digits = palloc(2 * DIGEST + 1);

	hex_encode((const char *) sum, DIGEST, digits);
	digits[2 * DIGEST] = '\0';
	return digits;
}

char *
content_tally_digest(const ContentTally *tally)
{
	return write_digest(tally->sum);
}

void
content_tally_add(ContentTally *tally, HeapTupleHeader row)
{
	MemoryContext previous = MemoryContextSwitchTo(tally->context);
	TupleTableSlot *slot;

	if (tally->last == NULL)
	{
		tally->record = record_type_of(row);
		begin_rows(&tally->receiver, 0, tally->record.fields);
		tally->added = query_slot(tally->record.fields, tally->context);
	}
	if (!record_type_fits(&tally->record, row))
		ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
						errmsg("rows differ in the number, names or types of their fields")));
	slot = ExecClearTuple(tally->added);
	record_type_deform(&tally->record, row, slot->tts_values, slot->tts_isnull);
	(void) receive_row(ExecStoreVirtualTuple(slot), &tally->receiver);
	MemoryContextSwitchTo(previous);
}

char *
content_tally_sum(const List *digests)
{
	uint8 sum[DIGEST] = {0};

	foreach_ptr (const char, digits, digests)
	{
		uint8 digest[DIGEST];

		if (strlen(digits) != 2 * DIGEST ||
			hex_decode(digits, 2 * DIGEST, (char *) digest) != DIGEST)
			elog(ERROR, "\"%s\" is no digest", digits);
		add_digest(sum, digest);
	}
	return write_digest(sum);
}

bool
content_tally_classes(ContentTally *tally, int k, ClassTally *classes)
{
	if (tally->run > 0)
		end_run(tally);
	if (!tally->full)
		*classes = tally_runs(tally->table, tally->known, k);
	return !tally->full;
}

ContentPart
content_tally_part(ContentTally *tally)
{
	ContentPart part = {.rows = tally->rows};

	memcpy(part.digest, tally->sum, DIGEST);
	(void) content_tally_classes(tally, 0, &part.classes);
	return part;
}

void
content_tally_take(ContentTally *tally, const ContentPart *part)
{
	ClassTally *all = &tally->known;
	const ClassTally *more = &part->classes;

	tally->rows += part->rows;
	add_digest(tally->sum, part->digest);
	if (more->classes > 0)
		all->smallest = all->classes == 0 ? more->smallest : Min(all->smallest, more->smallest);
	all->rows += more->rows;
	all->classes += more->classes;
}

char *
content_tally_digest_of(const char *relation)
{
	ContentTally *tally = content_tally_create((ContentQuestion){.digest = true});
	char *digest;

	query_stream_in_snapshot(psprintf("SELECT * FROM %s", relation), content_tally_receiver(tally));
	digest = content_tally_digest(tally);
	content_tally_free(tally);
	return digest;
}
