/*
 * module.c
 *		Loading of the library: settings under "kanon.".
 */
#include "postgres.h"

#include <limits.h>

#include "base/budget.h"
#include "base/compat.h"
#include "base/progress.h"
#include "count/frequency_query.h"
#include "record/record_spill.h"
#include "utils/guc.h"

PG_MODULE_MAGIC;

void _PG_init(void);

void
_PG_init(void)
{
	DefineCustomIntVariable(
		"kanon.memory_limit", "Maximum memory of one call of kanon.",
		"-1 means maintenance_work_mem. What does not fit goes to temporary files or is an error.",
		&budget_memory_limit, -1, -1, MAX_KILOBYTES, PGC_USERSET, GUC_UNIT_KB, NULL, NULL, NULL);
	DefineCustomIntVariable(
		"kanon.memory_ceiling", "What kanon.memory_limit is held to, whoever sets it.",
		"-1 means that there is no ceiling. A release that was made with more is held to it, too.",
		&budget_ceiling, -1, -1, MAX_KILOBYTES, PGC_SUSET, GUC_UNIT_KB, NULL, NULL, NULL);
	/* A setting, so that parallel workers know it and an error resets it. */
	DefineCustomIntVariable(
		"kanon.release_memory_limit", "Memory with which the release was made that is refreshed.",
		"kanon sets it during a refresh.", &budget_release_limit, 0, 0, MAX_KILOBYTES, PGC_SUSET,
		GUC_UNIT_KB | GUC_NO_SHOW_ALL | GUC_NOT_IN_SAMPLE | GUC_DISALLOW_IN_FILE, NULL, NULL, NULL);
	DefineCustomEnumVariable(
		"kanon.ground_scan",
		"How searches count a table: stream fetches its rows, group_by lets the executor count.",
		"auto: group_by where fewer rows travel that way.", &frequency_query_ground_scan,
		GROUND_SCAN_AUTO, frequency_query_ground_scans, PGC_USERSET, 0, NULL, NULL, NULL);
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
}
