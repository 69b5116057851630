/*
 * module.c
 *		Loading of the library: settings under "kanon.", and the event trigger that reserves its
 *		names. What this session, or each, is doing.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/result.h"
#include "base/budget.h"
#include "base/compat.h"
#include "base/progress.h"
#include "count/relation_search.h"
#include "fmgr.h"
#include "postmaster/bgworker_internals.h"
#include "record/record_spill.h"
#include "rothko/rothko.h"
#include "sql/own_extension.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/guc.h"
#include "utils/timestamp.h"

PG_MODULE_MAGIC;

void _PG_init(void);

#define CEILING "kanon.memory_ceiling"

/*
 * A client may say when it connects what it wants a setting to be that no library has defined yet.
 * Its word replaces what superusers set for the role, the database or the server, and is then
 * refused, with a warning, when the library defines the setting: the default would be left.
 */
static void
refuse_clients_ceiling(void)
{
	if (compat_setting_source(CEILING) == PGC_S_CLIENT && !(IsTransactionState() && superuser()))
		ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
						errmsg("permission denied to set parameter \"%s\"", CEILING),
						errhint("Connect without setting it.")));
}

void
_PG_init(void)
{
	refuse_clients_ceiling();
	DefineCustomIntVariable(
		"kanon.memory_limit", "Maximum memory of one call of kanon.",
		"-1 means maintenance_work_mem. What does not fit goes to temporary files or is an error.",
		&budget_memory_limit, -1, -1, MAX_KILOBYTES, PGC_USERSET, GUC_UNIT_KB, NULL, NULL, NULL);
	DefineCustomIntVariable(
		CEILING, "What kanon.memory_limit is held to, whoever sets it.",
		"-1 means that there is no ceiling. A release that was made with more is held to it, too.",
		&budget_ceiling, -1, -1, MAX_KILOBYTES, PGC_SUSET, GUC_UNIT_KB, NULL, NULL, NULL);
	/* A setting, so that parallel workers know it and an error resets it. */
	DefineCustomIntVariable(
		"kanon.release_memory_limit", "Memory with which the release was made that is refreshed.",
		"kanon sets it during a refresh.", &budget_release_limit, 0, 0, MAX_KILOBYTES, PGC_SUSET,
		GUC_UNIT_KB | GUC_NO_SHOW_ALL | GUC_NOT_IN_SAMPLE | GUC_DISALLOW_IN_FILE, NULL, NULL, NULL);
	DefineCustomIntVariable(
		"kanon.release_processes", "Processes that share the memory while they fill a release.",
		"kanon sets it meanwhile.", &budget_processes, 1, 1, MAX_PARALLEL_WORKER_LIMIT, PGC_SUSET,
		GUC_NO_SHOW_ALL | GUC_NOT_IN_SAMPLE | GUC_DISALLOW_IN_FILE, NULL, NULL, NULL);
	DefineCustomStringVariable(
		"kanon.trusted_owners", "Roles whose dimensions everybody may use, separated by commas.",
		"Code of these roles runs with the rights of the owners of relations whose dimensions are"
		" theirs.",
		&rights_trusted_owners, "", PGC_SUSET, 0, rights_check_trusted_owners, NULL, NULL);
	DefineCustomEnumVariable(
		"kanon.ground_scan",
		"How searches count a table: stream fetches its rows, group_by lets the executor count.",
		"auto: group_by where fewer rows travel that way.", &relation_search_ground_scan,
		GROUND_SCAN_AUTO, relation_search_ground_scans, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomEnumVariable(
		"kanon.partitioning",
		"Where Mondrian divides rows: in memory, or on disk by counts (tree) or by samples.",
		"auto: in memory if the rows fit.", &record_spill_partitioning, PARTITIONING_AUTO,
		record_spill_partitionings, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable(
		"kanon.progress", "Reports the progress of calls that take longer than two seconds.",
		"The client gets messages; other sessions can look at the view kanon_progress.",
		&progress_wanted, false, PGC_USERSET, 0, NULL, NULL, NULL);
	MarkGUCPrefixReserved("kanon");
	relation_name_install();
	rights_install();
}

SQL_FUNCTION(kanon_progress_entries)
{
	ReturnSetInfo *result = result_begin(fcinfo);
	int count;
	const ProgressEntry *entries = progress_entries(&count);

	for (int i = 0; i < count; i++)
	{
		const ProgressEntry *entry = &entries[i];

		result_put(result, "izztl?l", entry->pid, entry->statement, entry->began, entry->phase,
				   entry->done, entry->total > 0, entry->total);
	}
	return (Datum) 0;
}

SQL_FUNCTION(kanon_last_partitioning)
{
	ReturnSetInfo *result = result_begin(fcinfo);
	const PartitioningWork *last = partitioning_work_last();

	if (last->rows > 0)
		result_put(result, "tlllllllllll", last->way ? last->way : "", last->rows, last->classes,
				   last->counted, last->spread, last->nodes, last->pruned, last->loaded,
				   last->traffic.rows_read, last->traffic.rows_written, last->traffic.bytes_read,
				   last->traffic.bytes_written);
	return (Datum) 0;
}

/* ddl_command_end, for commands that create, move or rename functions and types */
SQL_FUNCTION(kanon_refuse_overloads)
{
	QueryScope scope;

	(void) argument_event(fcinfo);
	scope = query_begin_as_it_is();
	own_extension_check_names();
	query_end(scope);
	PG_RETURN_NULL();
}
