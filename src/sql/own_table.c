/*
 * own_table.c
 *		See own_table.h.
 */
#include "postgres.h"

#include "sql/own_table.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "sql/own_extension.h"
#include "sql/relation_name.h"
#include "sql/row_query.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/* A statement while it runs. */
typedef struct OwnStatement
{
	char *sql;
	MemoryContext previous;
	QueryRole caller;
} OwnStatement;

Oid
own_table_seek(const char *name)
{
	OwnExtension extension;

	return own_extension_find(&extension) ? get_relname_relid(name, extension.schema) : InvalidOid;
}

Oid
own_table_find(const char *name)
{
	Oid table = own_table_seek(name);

	if (!OidIsValid(table))
		own_extension_report_none();
	return table;
}

/* The statement with the names of tables, and the first of them. */
static char *
name_tables(const char *sql, Oid *first)
{
	StringInfoData named;
	const char *at;

	initStringInfo(&named);
	*first = InvalidOid;
	while ((at = strchr(sql, '@')) != NULL)
	{
		int length = (int) strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_");
		Oid table = own_table_find(psprintf("kanon_%.*s", length, at + 1));

		appendBinaryStringInfo(&named, sql, (int) (at - sql));
		appendStringInfoString(&named, relation_name(table));
		sql = at + 1 + length;
		*first = OidIsValid(*first) ? *first : table;
	}
	appendStringInfoString(&named, sql);
	return named.data;
}

/*
 * Switches to the owner, and to a context that _end deletes: window functions would keep the names
 * and values, and many look up theirs.
 */
static OwnStatement
statement_begin(const char *sql)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon own table", ALLOCSET_SMALL_SIZES);
	OwnStatement statement = {.previous = MemoryContextSwitchTo(context)};
	Oid table;

	statement.sql = name_tables(sql, &table);
	statement.caller = query_role_begin(relation_name_owner_now(table),
										SECURITY_LOCAL_USERID_CHANGE | SECURITY_NOFORCE_RLS);
	return statement;
}

static void
statement_end(OwnStatement statement)
{
	query_role_end(statement.caller);
	MemoryContextDelete(MemoryContextSwitchTo(statement.previous));
}

static void
run(const char *sql, QueryView view, const char *letters, va_list arguments)
{
	OwnStatement statement = statement_begin(sql);
	QueryParameters parameters = query_parameters(letters, arguments);

	query_run_bound(statement.sql, view, &parameters);
	statement_end(statement);
}

void
own_table_do(const char *sql, const char *letters, ...)
{
	va_list arguments;

	va_start(arguments, letters);
	run(sql, QUERY_LATEST, letters, arguments);
	va_end(arguments);
}

void
own_table_do_bound(const char *sql, const QueryParameters *parameters)
{
	OwnStatement statement = statement_begin(sql);

	query_run_bound(statement.sql, QUERY_LATEST, parameters);
	statement_end(statement);
}

void
own_table_claim(const char *sql, const char *letters, ...)
{
	va_list arguments;

	va_start(arguments, letters);
	run(sql, QUERY_WRITE, letters, arguments);
	va_end(arguments);
}

void
own_table_read(const char *sql, const char *letters, ...)
{
	va_list arguments;

	va_start(arguments, letters);
	run(sql, QUERY_READ, letters, arguments);
	va_end(arguments);
}

void
own_table_stream(const char *sql, DestReceiver *receiver, const char *letters, ...)
{
	OwnStatement statement = statement_begin(sql);
	QueryParameters parameters;
	va_list arguments;

	va_start(arguments, letters);
	parameters = query_parameters(letters, arguments);
	va_end(arguments);
	query_stream_bound(statement.sql, &parameters, receiver);
	statement_end(statement);
}

void
own_table_scan(const char *sql, const Oid *types, int columns, RowConsumer consumer, void *of)
{
	OwnStatement statement = statement_begin(sql);
	MemoryContext context = MemoryContextSwitchTo(statement.previous);
	RowSource *source = row_query_create(statement.sql, types, columns, false);

	MemoryContextSwitchTo(context);
	source->scan(source, consumer, of);
	statement_end(statement);
}
