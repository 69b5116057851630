/*
 * cast_settings.c
 *		See cast_settings.h.
 *
 * A cast depends on no setting if it is one
 *
 * - among types that are written and read in one way: numbers, text, boolean, uuid, bit strings,
 *   network addresses, json, enums, and types of extensions whose input and output functions are
 *   immutable;
 * - from these to floating point numbers and bytea, which are read in one way but written in
 *   several; and among floating point and other numbers;
 * - between date and timestamp, or between time and interval;
 * - from text to arrays, ranges and composites whose parts are read in one way;
 * - from text in ISO form to dates and times, and from text without a minus to intervals.
 *
 * All other casts depend on settings: dates, times, floating point and bytea to text (DateStyle,
 * extra_float_digits, bytea_output), money (lc_monetary), timestamps with time zone (TimeZone,
 * except from texts with an offset), and the rest.
 */
#include "postgres.h"

#include "sql/cast_settings.h"

#include "access/transam.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "parser/parse_coerce.h"
#include "sql/query.h"
#include "sql/query_jobs.h"
#include "sql/type_query.h"
#include "utils/lsyscache.h"

/* How the types of a family are written and read. */
typedef enum CastFamily
{
	FAMILY_OTHER, /* depends on settings */
	FAMILY_PLAIN, /* written and read in one way */
	FAMILY_READ,  /* read in one way */
	FAMILY_MADE,  /* read in one way, like its parts */
	FAMILY_DAY,   /* depends on settings, except casts within the family */
	FAMILY_CLOCK  /* likewise */
} CastFamily;

static const struct
{
	Oid type;
	CastFamily family;
} families[] = {
	{BOOLOID, FAMILY_PLAIN},    {CHAROID, FAMILY_PLAIN},    {NAMEOID, FAMILY_PLAIN},
	{INT2OID, FAMILY_PLAIN},    {INT4OID, FAMILY_PLAIN},    {INT8OID, FAMILY_PLAIN},
	{OIDOID, FAMILY_PLAIN},     {NUMERICOID, FAMILY_PLAIN}, {TEXTOID, FAMILY_PLAIN},
	{BPCHAROID, FAMILY_PLAIN},  {VARCHAROID, FAMILY_PLAIN}, {UUIDOID, FAMILY_PLAIN},
	{BITOID, FAMILY_PLAIN},     {VARBITOID, FAMILY_PLAIN},  {INETOID, FAMILY_PLAIN},
	{CIDROID, FAMILY_PLAIN},    {MACADDROID, FAMILY_PLAIN}, {MACADDR8OID, FAMILY_PLAIN},
	{JSONOID, FAMILY_PLAIN},    {JSONBOID, FAMILY_PLAIN},   {FLOAT4OID, FAMILY_READ},
	{FLOAT8OID, FAMILY_READ},   {BYTEAOID, FAMILY_READ},    {DATEOID, FAMILY_DAY},
	{TIMESTAMPOID, FAMILY_DAY}, {TIMEOID, FAMILY_CLOCK},    {INTERVALOID, FAMILY_CLOCK}};

/* A base type of an extension is steady if its input and output functions are immutable. */
static bool
is_steady(Oid base)
{
	Oid input;
	Oid output;
	Oid parameter;
	bool varlena;

	getTypeInputInfo(base, &input, &parameter);
	getTypeOutputInfo(base, &output, &varlena);
	return base >= FirstNormalObjectId && get_typtype(base) == TYPTYPE_BASE &&
		   !OidIsValid(get_element_type(base)) && func_volatile(input) == PROVOLATILE_IMMUTABLE &&
		   func_volatile(output) == PROVOLATILE_IMMUTABLE;
}

static CastFamily family_of(Oid base);

static bool
is_read_alike(Oid type)
{
	CastFamily family = family_of(getBaseType(type));

	return family == FAMILY_PLAIN || family == FAMILY_READ || family == FAMILY_MADE;
}

/* Arrays, ranges and composites are written and read like their parts. */
static bool
has_parts(Oid base)
{
	char kind = get_typtype(base);

	return OidIsValid(get_element_type(base)) || kind == TYPTYPE_RANGE ||
		   kind == TYPTYPE_MULTIRANGE || kind == TYPTYPE_COMPOSITE;
}

static bool
is_part_read_otherwise(Oid type)
{
	return !has_parts(getBaseType(type)) && !is_read_alike(type);
}

static CastFamily
family_of(Oid base)
{
	if (has_parts(base))
		return type_query_has(base, is_part_read_otherwise) ? FAMILY_OTHER : FAMILY_MADE;
	for (int i = 0; i < (int) lengthof(families); i++)
		if (families[i].type == base)
			return families[i].family;
	return type_is_enum(base) || is_steady(base) ? FAMILY_PLAIN : FAMILY_OTHER;
}

bool
cast_settings_none(Oid source, Oid target)
{
	Oid from = getBaseType(source);
	Oid to = getBaseType(target);
	CastFamily family = family_of(to);

	if (from == to || IsBinaryCoercible(from, to))
		return true;
	switch (family_of(from))
	{
		case FAMILY_PLAIN:
			return is_read_alike(to);
		case FAMILY_READ:
			return family == FAMILY_READ ||
				   (family == FAMILY_PLAIN && TypeCategory(to) != TYPCATEGORY_STRING);
		case FAMILY_DAY:
		case FAMILY_CLOCK:
			return family == family_of(from);
		default:
			return false;
	}
}

#define ISO_DATE "[0-9]{4,}-[0-9]{2}-[0-9]{2}"
#define ISO_TIME "[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?"
#define ISO_ZONE "[-+][0-9]{2}(:[0-9]{2}){0,2}"

const char *
cast_settings_pattern(Oid source, Oid target)
{
	Oid from = getBaseType(source);

	if (from != TEXTOID && from != VARCHAROID)
		return NULL;
	switch (getBaseType(target))
	{
		case DATEOID:
			return "^(" ISO_DATE "( BC)?|-?infinity)$";
		case TIMESTAMPOID:
			return "^(" ISO_DATE "([ T]" ISO_TIME ")?( BC)?|-?infinity)$";
		case TIMESTAMPTZOID:
			return "^(" ISO_DATE "[ T]" ISO_TIME ISO_ZONE "( BC)?|-?infinity)$";
		case TIMEOID:
			return "^" ISO_TIME "$";
		case TIMETZOID:
			return "^" ISO_TIME ISO_ZONE "$";
		case INTERVALOID:
			return "^[^-]*$";
		default:
			return NULL;
	}
}

bool
cast_settings_none_to_write(Oid type)
{
	Oid base = getBaseType(type);

	return type_is_enum(base) || (base < FirstNormalObjectId && family_of(base) == FAMILY_PLAIN);
}

bool
cast_settings_none_to_read(Oid type)
{
	CastFamily family = family_of(getBaseType(type));

	return family == FAMILY_PLAIN || family == FAMILY_READ;
}

/* ---- trials */

typedef struct CastTrial
{
	SPIPlanPtr cast;
	SPITupleTable *values;
	uint64 count;
	uint64 next; /* the value to cast next */
} CastTrial;

/* Casts the values that are left, until one raises an error. */
static void
cast_values(void *state)
{
	CastTrial *trial = state;

	for (; trial->next < trial->count; trial->next++)
	{
		bool null;
		Datum value =
			SPI_getbinval(trial->values->vals[trial->next], trial->values->tupdesc, 1, &null);

		CHECK_FOR_INTERRUPTS();
		(void) SPI_execute_plan(trial->cast, &value, NULL, true, 1);
		SPI_freetuptable(SPI_tuptable);
	}
}

void
cast_trial_run(const char *cast, Oid source, const char *values, CastFailure report, void *state)
{
	CastTrial trial = {.cast = SPI_prepare(psprintf("SELECT %s", cast), 1, &source)};
	ErrorData *error;

	if (trial.cast == NULL)
		elog(ERROR, "%s", SPI_result_code_string(SPI_result));
	query_run(values, true);
	trial.values = SPI_tuptable;
	trial.count = SPI_processed;
	while ((error = query_undo(cast_values, &trial)) != NULL)
	{
		HeapTuple value = trial.values->vals[trial.next++];
		bool null;

		if (ERRCODE_TO_CATEGORY(error->sqlerrcode) != ERRCODE_DATA_EXCEPTION &&
			ERRCODE_TO_CATEGORY(error->sqlerrcode) != ERRCODE_INTEGRITY_CONSTRAINT_VIOLATION)
			ReThrowError(error);
		report(state, SPI_getvalue(value, trial.values->tupdesc, 3),
			   DatumGetInt64(SPI_getbinval(value, trial.values->tupdesc, 2, &null)),
			   error->message);
	}
	SPI_freetuptable(trial.values);
}
