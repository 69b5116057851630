/*
 * query.c
 *		See query.h.
 *
 * SPI switches to a memory context of its own.  Each function here returns to the caller's.
 */
#include "postgres.h"

#include "sql/query.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "base/progress.h"
#include "base/version.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "executor/spi.h"
#include "executor/tuptable.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "sql/name_array.h"
#include "sql/own_extension.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "sql/text_settings.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/guc.h"
#include "utils/snapmgr.h"

/*
 * Opens a level of pinned settings.  Each statement has its own, which is closed as if it had
 * failed (AtEOXact_GUC), so that settings changed by a view while it is read end with the
 * statement.
 *
 * Constraint exclusion is off: while planning, it would evaluate CHECK constraints of child tables,
 * which users define.  JIT is off: compiling answers no cancel, and expressions in the hundreds
 * take longer to compile than to run.
 */
static int
pin_settings(void)
{
	int guc_nest_level = text_settings_begin();

	text_settings_pin_one("constraint_exclusion", "off");
	text_settings_pin_one("jit", "off");
	return guc_nest_level;
}

QueryScope
query_begin_as_it_is(void)
{
	QueryScope scope = {.caller = CurrentMemoryContext, .guc_nest_level = pin_settings()};

	relation_name_begin(scope.guc_nest_level);
	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "SPI_connect failed");
	return scope;
}

/* The first two numbers of a version as a single number. */
static int
version_number(const char *version)
{
	int major = 0;
	int minor = 0;

	(void) sscanf(version, "%d.%d", &major, &minor);
	return major * 1000 + minor;
}

/*
 * A package upgrades the library for all databases at once, but ALTER EXTENSION upgrades the
 * objects of one.  While its script runs, pg_extension already has the new version.
 */
static void
check_version(void)
{
	OwnExtension extension;
	int installed;

	if (creating_extension || !own_extension_find(&extension))
		return;
	installed = version_number(extension.version);
	if (installed != version_number(KANON_VERSION))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("extension \"kanon\" is of version %s in this database, its library of"
						" version %s",
						extension.version, KANON_VERSION),
				 installed < version_number(KANON_VERSION)
					 ? errhint("Run ALTER EXTENSION kanon UPDATE.")
					 : errhint("Connect again: this session may have loaded the library before it"
							   " was upgraded. If that does not help, install kanon %s.",
							   extension.version)));
}

QueryScope
query_begin(void)
{
	QueryScope scope = query_begin_as_it_is();

	check_version();
	return scope;
}

void
query_end(QueryScope scope)
{
	rights_leave(&scope.rights);
	SPI_finish();
	relation_name_end(scope.guc_nest_level);
	text_settings_end(scope.guc_nest_level);
}

/* ---- parameters */

Oid
query_parameter_type(char letter)
{
	static const struct
	{
		char letter;
		Oid type;
	} letters[] = {
		{'b', BOOLOID},        {'i', INT4OID},     {'l', INT8OID},      {'d', FLOAT8OID},
		{'o', OIDOID},         {'t', TEXTOID},     {'n', NAMEOID},      {'z', TIMESTAMPTZOID},
		{'x', BYTEAOID},       {'j', JSONBOID},    {'I', INT4ARRAYOID}, {'L', INT8ARRAYOID},
		{'D', FLOAT8ARRAYOID}, {'O', OIDARRAYOID}, {'N', NAMEARRAYOID}, {'T', TEXTARRAYOID},
	};

	for (int i = 0; i < (int) lengthof(letters); i++)
		if (letters[i].letter == letter)
			return letters[i].type;
	elog(ERROR, "unknown letter of a parameter: %c", letter);
}

QueryParameters
query_parameters(const char *letters, va_list arguments)
{
	int most = (int) strlen(letters);
	QueryParameters parameters = {.types = palloc(sizeof(Oid) * (most + 1)),
								  .values = palloc(sizeof(Datum) * (most + 1)),
								  .nulls = palloc(most + 1)};

	if (*letters == 'p')
		return *va_arg(arguments, QueryParameters *);
	for (; *letters; letters++, parameters.count++)
	{
		bool known = *letters != '?' || va_arg(arguments, int);
		Datum *value = &parameters.values[parameters.count];
		Oid *type = &parameters.types[parameters.count];

		letters += *letters == '?' ? 1 : 0;
		*type = *letters == 'v' ? va_arg(arguments, Oid) : query_parameter_type(*letters);
		if (*letters == 'v')
			*value = va_arg(arguments, Datum);
		else if (*type == BOOLOID)
			*value = BoolGetDatum(va_arg(arguments, int));
		else if (*type == INT4OID)
			*value = Int32GetDatum(va_arg(arguments, int));
		else if (*type == INT8OID || *type == TIMESTAMPTZOID)
			*value = Int64GetDatum(va_arg(arguments, int64));
		else if (*type == FLOAT8OID)
			*value = Float8GetDatum(va_arg(arguments, double));
		else if (*type == OIDOID)
			*value = ObjectIdGetDatum(va_arg(arguments, Oid));
		else
		{
			void *pointer = va_arg(arguments, void *);

			*value = *type == TEXTOID || *type == NAMEOID ? string_datum(*type, pointer)
														  : PointerGetDatum(pointer);
			known = known && pointer != NULL;
		}
		parameters.nulls[parameters.count] = known ? ' ' : 'n';
	}
	return parameters;
}

/* The values of a row with these fields, and which of them are NULL. */
static Datum *
row_values(TupleDesc fields PG_USED_FOR_ASSERTS_ONLY, const char *letters, va_list arguments,
		   bool **nulls)
{
	QueryParameters row = query_parameters(letters, arguments);

	Assert(row.count == fields->natts);
	*nulls = palloc(sizeof(bool) * Max(row.count, 1));
	for (int i = 0; i < row.count; i++)
		(*nulls)[i] = row.nulls[i] == 'n';
	return row.values;
}

Datum
query_row(TupleDesc fields, const char *letters, ...)
{
	Datum *values;
	bool *nulls;
	va_list arguments;

	va_start(arguments, letters);
	values = row_values(fields, letters, arguments, &nulls);
	va_end(arguments);
	return HeapTupleGetDatum(heap_form_tuple(fields, values, nulls));
}

void
query_put(Tuplestorestate *rows, TupleDesc fields, const char *letters, ...)
{
	Datum *values;
	bool *nulls;
	va_list arguments;

	va_start(arguments, letters);
	values = row_values(fields, letters, arguments, &nulls);
	va_end(arguments);
	tuplestore_putvalues(rows, fields, values, nulls);
}

/* ---- statements */

/* A receiver that counts the rows it passes on. */
typedef struct CountingReceiver
{
	DestReceiver base;
	DestReceiver *receiver;
	int64 rows;
} CountingReceiver;

static bool
count_row(TupleTableSlot *slot, DestReceiver *base)
{
	CountingReceiver *counting = (CountingReceiver *) base;

	progress_check(++counting->rows);
	return counting->receiver->receiveSlot(slot, counting->receiver);
}

static void
begin_rows(DestReceiver *base, int operation, TupleDesc fields)
{
	DestReceiver *receiver = ((CountingReceiver *) base)->receiver;

	receiver->rStartup(receiver, operation, fields);
}

/* SPI_execute_extended takes no snapshot, and SPI_execute_snapshot no receiver. */
static int
execute(const char *sql, QueryView view, const QueryParameters *with, DestReceiver *receiver)
{
	CountingReceiver counting = {.base = query_receiver(count_row, begin_rows),
								 .receiver = receiver};
	SPIExecuteOptions options = {.read_only = view == QUERY_READ, .dest = receiver};

	if (view == QUERY_IN_SNAPSHOT || view == QUERY_LATEST)
	{
		Snapshot snapshot = view == QUERY_LATEST ? GetLatestSnapshot() : GetActiveSnapshot();
		SPIPlanPtr plan = SPI_prepare(sql, with->count, with->types);

		return plan == NULL ? SPI_result
							: SPI_execute_snapshot(plan, with->values, with->nulls, snapshot,
												   InvalidSnapshot, false, true, 0);
	}
	if (with->count > 0)
		options.params = makeParamList(with->count);
	for (int i = 0; i < with->count; i++)
		options.params->params[i] =
			(ParamExternData){.value = with->values[i],
							  .isnull = with->nulls && with->nulls[i] == 'n',
							  .pflags = PARAM_FLAG_CONST,
							  .ptype = with->types[i]};
	if (receiver)
		progress_phase("reading rows", 0);
	if (receiver && progress_wanted)
		options.dest = &counting.base;
	return SPI_execute_extended(sql, &options);
}

/* Bytes of a long statement shown in an error's context. */
#define SHOWN 160

/* The text with a long statement, where it contains all of it, cut to its beginning. */
static char *
shorten(char *text, const char *sql)
{
	int length = (int) strlen(sql);
	char *found = text ? strstr(text, sql) : NULL;

	if (found == NULL || length <= SHOWN)
		return text;
	return psprintf("%.*s%.*s ..%s", (int) (found - text), text,
					pg_mbcliplen(sql, (int) strcspn(sql, "\n"), SHOWN), sql, found + length);
}

/*
 * Adds the foreign server and its part to the message if the context names them.  Does so once,
 * because kanon's statements may run others.
 */
static void
name_part(ErrorData *error)
{
	const char *begin = error->context ? strstr(error->context, "'" QUERY_PART) : NULL;
	const char *end = begin ? strstr(begin, "')") : NULL;
	const char *part;

	/* Only the remote form of the query lacks a name for the count. */
	if (end == NULL || strncmp(end, "') FROM ", strlen("') FROM ")) != 0)
		return;
	part = pnstrdup(begin + 1, end - begin - 1);
	if (strstr(error->message, part) == NULL)
		error->message = psprintf(_("could not count %s: %s"), part, error->message);
}

/*
 * A caller who may read foreign tables may be unable to tell why a call fails that reads as their
 * owner.
 */
static void
explain_connection(ErrorData *error)
{
	bool connecting =
		ERRCODE_TO_CATEGORY(error->sqlerrcode) == ERRCODE_CONNECTION_EXCEPTION ||
		error->sqlerrcode == ERRCODE_S_R_E_PROHIBITED_SQL_STATEMENT_ATTEMPTED ||
		(error->message_id && strstr(error->message_id, "user mapping not found") != NULL);
	const char *role;

	if (!connecting || error->hint || !InSecurityRestrictedOperation())
		return;
	role = GetUserNameFromId(GetUserId(), false);
	error->hint =
		psprintf(_("The call works as \"%s\".  That role needs a user mapping on the foreign"
				   " server, with a password, or the right to log in to the workers."),
				 role);
}

/*
 * Keeps the caller's memory context and settings.  SPI would put the whole statement into the error
 * context; for a release that is a page the caller did not write.
 */
void
query_run_bound(const char *sql, QueryView view, const QueryParameters *parameters,
				DestReceiver *receiver)
{
	MemoryContext caller = CurrentMemoryContext;
	int guc_nest_level = pin_settings();
	NamedWatch watched = relation_name_watch(sql);
	volatile int status = 0;

	PG_TRY();
	{
		status = execute(sql, view, parameters, receiver);
	}
	PG_CATCH();
	{
		ErrorData *error;

		relation_name_unwatch(watched);
		MemoryContextSwitchTo(caller);
		error = CopyErrorData();
		FlushErrorState();
		name_part(error);
		explain_connection(error);
		error->context = shorten(error->context, sql);
		if (error->internalquery && shorten(error->internalquery, sql) != error->internalquery)
		{
			error->internalquery = NULL;
			error->internalpos = 0;
		}
		ReThrowError(error);
	}
	PG_END_TRY();
	relation_name_unwatch(watched);
	MemoryContextSwitchTo(caller);
	AtEOXact_GUC(false, guc_nest_level);
	if (status < 0)
		elog(ERROR, "%s: %s", SPI_result_code_string(status), sql);
}

void
query_run(const char *sql, bool read_only)
{
	query_run_with(sql, read_only ? QUERY_READ : QUERY_WRITE, "");
}

void
query_run_with(const char *sql, QueryView view, const char *letters, ...)
{
	QueryParameters parameters;
	va_list arguments;

	va_start(arguments, letters);
	parameters = query_parameters(letters, arguments);
	va_end(arguments);
	query_run_bound(sql, view, &parameters, NULL);
}

void
query_snapshot_begin(void)
{
	CommandCounterIncrement();
	PushActiveSnapshot(GetLatestSnapshot());
}

void
query_snapshot_end(void)
{
	PopActiveSnapshot();
}

QueryRole
query_role_begin(Oid role, int flags)
{
	QueryRole caller = {.guc_nest_level = pin_settings()};

	GetUserIdAndSecContext(&caller.user, &caller.context);
	SetUserIdAndSecContext(role, caller.context | flags);
	return caller;
}

void
query_role_end(QueryRole caller)
{
	AtEOXact_GUC(false, caller.guc_nest_level);
	SetUserIdAndSecContext(caller.user, caller.context);
}

static void
receive_no_more(DestReceiver *receiver)
{
	(void) receiver;
}

TupleTableSlot *
query_slot(TupleDesc fields, MemoryContext context)
{
	MemoryContext previous = MemoryContextSwitchTo(context);
	TupleTableSlot *row = MakeSingleTupleTableSlot(CreateTupleDescCopy(fields), &TTSOpsVirtual);

	MemoryContextSwitchTo(previous);
	return row;
}

int
query_slot_differs(const TupleTableSlot *row, const TupleTableSlot *other, int column)
{
	TupleDesc fields = row->tts_tupleDescriptor;
	const Datum *one = row->tts_values;
	const Datum *two = other->tts_values;

	for (; column < fields->natts; column++)
	{
		Form_pg_attribute field = TupleDescAttr(fields, column);

		if (row->tts_isnull[column] != other->tts_isnull[column])
			break;
		if (!row->tts_isnull[column] &&
			!datumIsEqual(one[column], two[column], field->attbyval, field->attlen))
			break;
	}
	return column;
}

DestReceiver
query_receiver(bool (*receive)(TupleTableSlot *, DestReceiver *),
			   void (*startup)(DestReceiver *, int, TupleDesc))
{
	return (DestReceiver){.receiveSlot = receive,
						  .rStartup = startup,
						  .rShutdown = receive_no_more,
						  .rDestroy = receive_no_more,
						  .mydest = DestNone};
}

void
query_stream(const char *sql, DestReceiver *receiver)
{
	query_run_bound(sql, QUERY_READ, &(QueryParameters){0}, receiver);
}

void
query_stream_in_snapshot(const char *sql, DestReceiver *receiver)
{
	PushCopiedSnapshot(GetActiveSnapshot());
	CommandCounterIncrement();
	UpdateActiveSnapshotCommandId();
	query_stream(sql, receiver);
	PopActiveSnapshot();
}

uint64
query_rows(void)
{
	return SPI_processed;
}

char *
query_text(uint64 row, int column)
{
	return SPI_getvalue(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column);
}

int64
query_int8(uint64 row, int column)
{
	bool isnull;
	Datum value = query_value(row, column, &isnull);

	if (isnull)
		return 0;
	switch (SPI_gettypeid(SPI_tuptable->tupdesc, column))
	{
		case BOOLOID:
			return DatumGetBool(value);
		case INT4OID:
			return DatumGetInt32(value);
		case INT8OID:
			return DatumGetInt64(value);
		default:
			return DatumGetObjectId(value);
	}
}

double
query_double(uint64 row, int column)
{
	bool isnull;
	Datum value = query_value(row, column, &isnull);

	return isnull ? 0 : DatumGetFloat8(value);
}

ArrayType *
query_array(uint64 row, int column)
{
	bool isnull;
	Datum value = query_value(row, column, &isnull);

	return isnull ? NULL : DatumGetArrayTypePCopy(value);
}

bool
query_null(uint64 row, int column)
{
	bool isnull;

	(void) query_value(row, column, &isnull);
	return isnull;
}

Datum
query_value(uint64 row, int column, bool *isnull)
{
	return SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column, isnull);
}
