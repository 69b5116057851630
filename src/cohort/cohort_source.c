/*
 * cohort_source.c
 *		See cohort_source.h.
 */
#include "postgres.h"

#include "cohort/cohort_source.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "record/record_reader.h"
#include "sql/comparison.h"
#include "sql/name_array.h"
#include "sql/own_table.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#define RESET_EVERY 64 /* rows after which scratch memory is reset */

/* ---- people by digest: the values of a dictionary are their indexes */

static uint32
digest_hash(const ValueType *people, Datum person)
{
	const CohortNight *night = people->state;
	uint32 hash;

	memcpy(&hash, night->person[DatumGetInt32(person)].digest.byte, sizeof(hash));
	return hash;
}

static int
compare_digests(const ValueType *people, Datum a, Datum b)
{
	const CohortNight *night = people->state;

	return memcmp(night->person[DatumGetInt32(a)].digest.byte,
				  night->person[DatumGetInt32(b)].digest.byte, RANDOM_NAME);
}

/* State of reading. */
typedef struct CohortReader
{
	CohortSource *source;
	Dictionary *people; /* by digest */
	Bitmapset *numbers; /* of the columns to read */
	int key;            /* its column number */
	ValueText key_text;
	RandomSource *keyed;
	ValueText *bound; /* [quasi-identifier] */
	MemoryContext scratch;
	Datum *tuple; /* of values */
	bool *nulls;
} CohortReader;

/* The person with that digest: a new one would be waiting. */
static CohortPerson *
find_person(CohortReader *reader, RandomName digest)
{
	CohortNight *night = &reader->source->night;
	int32 person;

	*cohort_night_next_person(night) = (CohortPerson){.digest = digest, .row = -1};
	person = dictionary_encode(reader->people, Int32GetDatum(night->people));
	night->people = dictionary_size(reader->people);
	return &night->person[person];
}

/* A RowConsumer of (digest, cell, since). */
static void
read_member(void *state, const Datum *values, const bool *nulls, int64 count)
{
	CohortReader *reader = state;
	bytea *bytes = DatumGetByteaPP(values[0]);
	RandomName digest;
	CohortPerson *person;

	(void) count;
	memcpy(digest.byte, VARDATA_ANY(bytes), RANDOM_NAME);
	person = find_person(reader, digest);
	person->known = true;
	person->cell = nulls[1] ? 0 : DatumGetInt64(values[1]);
	person->since = DatumGetInt32(values[2]);
}

void
cohort_source_each_reading(const CohortSource *source, CohortReading take, void *state)
{
	TupleTableSlot *values;

	tuple_spool_rewind(source->values);
	while ((values = tuple_spool_next(source->values)) != NULL)
	{
		bool isnull;
		int32 person = DatumGetInt32(slot_getattr(values, 1, &isnull));

		CHECK_FOR_INTERRUPTS();
		if (source->night.person[person].read)
			take(state, person, values);
	}
}

static RandomName
digest_key(CohortReader *reader, Datum key)
{
	MemoryContext previous = MemoryContextSwitchTo(reader->scratch);
	char *text = value_text_write(&reader->key_text, key);
	RandomName digest = random_source_name(reader->keyed, text, strlen(text));

	MemoryContextSwitchTo(previous);
	return digest;
}

/* May tonight's values of that person be published?  Otherwise they are not kept. */
static bool
may_be_read(const CohortReader *reader, const CohortPerson *person)
{
	return person->cell == 0 || reader->source->night.rules.together ||
		   !cohort_rule_holds("together");
}

static void
keep_values(CohortReader *reader, const CohortPerson *person)
{
	const CohortSource *source = reader->source;
	const RecordCodes *codes = source->codes;

	reader->tuple[0] = Int32GetDatum((int32) (person - source->night.person));
	for (int i = 0; i < source->plain_count; i++)
	{
		int number = source->plain[i]->number - 1;

		reader->nulls[i + 1] = number < 0 || codes->nulls[number];
		if (!reader->nulls[i + 1])
			reader->tuple[i + 1] = codes->values[number];
	}
	tuple_spool_put(source->values, reader->tuple, reader->nulls);
}

/* A RecordTaker: finds the person of the row just added. */
static void
take_row(void *state)
{
	CohortReader *reader = state;
	const RecordCodes *codes = reader->source->codes;
	int32 row = (int32) codes->dataset->rows - 1;
	CohortPerson *person;

	CHECK_FOR_INTERRUPTS();
	if (codes->nulls[reader->key - 1])
		return;
	person = find_person(reader, digest_key(reader, codes->values[reader->key - 1]));
	if (row % RESET_EVERY == 0)
		MemoryContextReset(reader->scratch);
	person->repeated |= person->row >= 0;
	person->row = row;
	if (may_be_read(reader, person))
		keep_values(reader, person);
}

/* Adds a bound of a cell's label as one more row. */
static int32
add_bound(CohortReader *reader, Datum bound)
{
	CohortSource *source = reader->source;
	RecordCodes *codes = source->codes;
	MemoryContext previous = MemoryContextSwitchTo(reader->scratch);
	Datum *texts;
	bool *nulls;
	int count = array_elements(DatumGetArrayTypeP(bound), &texts, &nulls);

	if (count != source->description->quasi_count)
		elog(ERROR, "a cell of cohorts has %d quasi-identifiers instead of %d", count,
			 source->description->quasi_count);
	for (int i = 0; i < count; i++)
	{
		int number = source->description->quasi[i]->number - 1;

		codes->nulls[number] = nulls[i];
		if (!nulls[i])
			codes->values[number] =
				value_text_read(&reader->bound[i], TextDatumGetCString(texts[i]));
	}
	MemoryContextSwitchTo(previous);
	record_codes_add_values(codes);
	return (int32) codes->dataset->rows - 1;
}

/* A RowConsumer of (cell, shown, low, high, k, present), by number. */
static void
read_cell(void *state, const Datum *values, const bool *nulls, int64 count)
{
	CohortReader *reader = state;
	CohortNight *night = &reader->source->night;

	(void) nulls;
	(void) count;
	CHECK_FOR_INTERRUPTS();
	*cohort_night_next_cell(night) = (CohortCell){.number = DatumGetInt64(values[0]),
												  .shown = DatumGetBool(values[1]),
												  .parent = -1,
												  .k = DatumGetInt32(values[4]),
												  .present = DatumGetInt32(values[5]),
												  .low = add_bound(reader, values[2]),
												  .high = add_bound(reader, values[3])};
	night->cells++;
	MemoryContextReset(reader->scratch);
}

/* ---- columns */

void
cohort_source_check_key(const Description *description, const char *key)
{
	const DescribedAttribute *attribute = description_get(description, key);

	if (!comparison_is_exact(attribute->type, attribute->typmod, attribute->collation))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("%s cannot be a key of cohorts", description_title(description, attribute)),
				 errdetail("Equal values of type %s may be written in several ways, so that one"
						   " person could be taken for two.",
						   format_type_be(attribute->type))));
}

void
cohort_source_check_column(const Description *description, const DescribedAttribute *attribute)
{
	Oid base = getBaseType(attribute->type);

	if (value_cast_is_checked(base) || get_typtype(base) == TYPTYPE_PSEUDO)
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("cohorts cannot keep values of %s, of type %s",
							   description_title(description, attribute),
							   format_type_be(attribute->type))));
}

/* A plain column; one that was dropped has number 0: nobody publishes it, and it reads as NULL. */
static const DescribedAttribute *
find_plain(const Description *description, const char *name)
{
	DescribedAttribute *gone;

	if (description_find(description, name))
		return description_get(description, name);
	gone = palloc0(sizeof(DescribedAttribute));
	*gone = (DescribedAttribute){.name = name, .type = TEXTOID, .role = ROLE_SENSITIVE};
	return gone;
}

/* Finds the plain columns by name and prepares to store their values. */
static void
prepare_values(CohortReader *reader, const CohortTerms *terms)
{
	CohortSource *source = reader->source;
	const Description *description = source->description;
	TupleDesc fields;
	List *names = array_strings(terms->columns);
	int count = list_length(names);

	source->plain_count = count;
	source->plain = palloc(sizeof(DescribedAttribute *) * Max(count, 1));
	fields = CreateTemplateTupleDesc(count + 1);
	TupleDescInitEntry(fields, 1, "person", INT4OID, -1, 0);
	for (int i = 0; i < count; i++)
	{
		source->plain[i] = find_plain(description, list_nth(names, i));
		TupleDescInitEntry(fields, i + 2, source->plain[i]->name,
						   getBaseType(source->plain[i]->type), -1, 0);
		if (source->plain[i]->number > 0)
			reader->numbers = bms_add_member(reader->numbers, source->plain[i]->number);
	}
	source->values = tuple_spool_create(fields, work_mem);
	reader->tuple = palloc0(sizeof(Datum) * (count + 1));
	reader->nulls = palloc0(sizeof(bool) * (count + 1));
}

static CohortReader
begin_reading(CohortSource *source)
{
	const CohortState *state = source->state;
	Budget *budget = source->night.budget;
	RecordRequest request = {.roles = {.quasi_identifiers = state->terms.quasi_identifiers,
									   .dimensions = state->terms.dimensions,
									   .plain = true,
									   .models = ""}};
	ValueType people = {.length = sizeof(int32),
						.by_value = true,
						.equality = VALUE_EQUAL_BY_FUNCTION,
						.hash = digest_hash,
						.compare = compare_digests,
						.state = &source->night};
	CohortReader reader = {.source = source,
						   .people = dictionary_create(&people, budget),
						   .keyed = random_source_open(&state->secret)};
	const DescribedAttribute *key;

	source->description = record_roles_describe_relation(state->relation, &request.roles, budget);
	source->codes = record_codes_create(source->description, &request, 1, NULL, budget);
	source->night.dataset = source->codes->dataset;
	reader.scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cohort row", CONTEXT_SMALL_SIZES);
	reader.bound = palloc(sizeof(ValueText) * source->description->quasi_count);
	for (int i = 0; i < source->description->quasi_count; i++)
	{
		reader.bound[i] = value_text_reader(source->description->quasi[i]->type);
		reader.numbers = bms_add_member(reader.numbers, source->description->quasi[i]->number);
	}
	cohort_source_check_key(source->description, state->terms.key);
	key = description_get(source->description, state->terms.key);
	reader.key = key->number;
	reader.key_text = value_text_writer(key->type);
	reader.numbers = bms_add_member(reader.numbers, key->number);
	prepare_values(&reader, &state->terms);
	return reader;
}

CohortSource *
cohort_source_read(const CohortState *state, Budget *budget)
{
	const Oid of_member[] = {BYTEAOID, INT8OID, INT4OID};
	const Oid of_cell[] = {INT8OID, BOOLOID, TEXTARRAYOID, TEXTARRAYOID, INT4OID, INT4OID};
	CohortSource *source = palloc0(sizeof(CohortSource));
	CohortNight *night = &source->night;
	CohortReader reader;

	source->state = state;
	*night = (CohortNight){.rules = state->terms.rules,
						   .night = state->night,
						   .numbers = state->numbers,
						   .budget = budget};
	reader = begin_reading(source);
	own_table_scan(
		psprintf("SELECT digest, cell, since FROM @cohort_member WHERE cohort = " INT64_FORMAT,
				 state->number),
		of_member, lengthof(of_member), read_member, &reader);
	record_reader_scan(source->codes, reader.numbers, take_row, &reader);
	record_codes_end_rows(source->codes);
	own_table_scan(psprintf("SELECT cell, shown, low, high, k, present FROM @cohort_cell"
							" WHERE cohort = " INT64_FORMAT " ORDER BY cell",
							state->number),
				   of_cell, lengthof(of_cell), read_cell, &reader);
	record_codes_finish(source->codes);
	for (int32 i = 0; i < night->people; i++)
		if (night->person[i].repeated)
			night->person[i].row = -1;
	random_source_close(reader.keyed);
	MemoryContextDelete(reader.scratch);
	return source;
}

CohortPresence
cohort_presence_count(const CohortState *state)
{
	Budget budget = budget_begin();
	CohortSource *source = cohort_source_read(state, &budget);
	const CohortNight *night = &source->night;
	CohortPresence presence = {0};

	for (int32 i = 0; i < night->people; i++)
	{
		const CohortPerson *person = &night->person[i];
		int32 cell = cohort_night_find_cell(night, person->cell);
		bool present = person->row >= 0;

		interrupt_check(i);
		if (person->cell == 0)
			presence.waiting += present ? 1 : 0;
		else if (cell >= 0 && night->cell[cell].shown)
			presence.left += present ? 0 : 1;
		else
			presence.hidden += present ? 1 : 0;
	}
	tuple_spool_free(source->values);
	return presence;
}
