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
	DefineCustomIntVariable("kanon.memory_limit", "Working memory of one call of kanon.",
							"-1 means maintenance_work_mem.", &budget_memory_limit, -1, -1,
							MAX_KILOBYTES, PGC_USERSET, GUC_UNIT_KB, NULL, NULL, NULL);
	DefineCustomEnumVariable(
		"kanon.ground_scan",
		"How tables are counted: stream rows and count them here, or let GROUP BY run.", NULL,
		&frequency_query_ground_scan, GROUND_SCAN_AUTO, frequency_query_ground_scans, PGC_USERSET,
		0, NULL, NULL, NULL);
	DefineCustomEnumVariable(
		"kanon.partitioning",
		"Where Mondrian divides rows: in memory, or on disk by counts or by samples.",
		"auto: on disk where memory does not suffice.", &record_spill_partitioning,
		PARTITIONING_AUTO, record_spill_partitionings, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable("kanon.progress", "Tells how far calls of some seconds have got.",
							 "The client by messages, others by the view kanon_progress.",
							 &progress_wanted, false, PGC_USERSET, 0, NULL, NULL, NULL);
	MarkGUCPrefixReserved("kanon");
}
