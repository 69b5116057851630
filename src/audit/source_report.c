/*
 * source_report.c
 *		See source_report.h.
 */
#include "postgres.h"

#include "audit/source_report.h"

#include <math.h>

#include "audit/class_audit.h"
#include "base/names.h"
#include "count/class_query.h"
#include "count/sample_query.h"
#include "metric/sample_uniques.h"
#include "sql/query.h"

#define SETS 200 /* of columns, at most */
#define SIZE 3
#define SHOWN 10
#define BYTES 8 /* for a row and column of the table, and as much for each column of a set */

typedef struct UniquesReporter
{
	const Description *description;
	const Coarse *coarse;
	int64 rows;
	int count;
	ReportUniques unique[SHOWN]; /* those with the greatest share, then those of fewer columns */
	MemoryContext context;
} UniquesReporter;

static const char *
set_text(const Description *description, const SampleUniques *set)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < set->size; i++)
		names_add(&names, description->attributes[description->quasi[set->column[i]]].name,
				  set->size - 1 - i);
	return names.data;
}

/* SampleUniquesConsumer: subsets come before their supersets, which have to be rounded to more. */
static void
take_set(void *state, const SampleUniques *set)
{
	UniquesReporter *reporter = state;
	double share = coarse_share(reporter->coarse, (double) set->uniques / (double) reporter->rows);
	int at = Min(reporter->count, SHOWN);
	MemoryContext caller;

	if (share <= 0)
		return;
	while (at > 0 && reporter->unique[at - 1].share < share)
	{
		if (at < SHOWN)
			reporter->unique[at] = reporter->unique[at - 1];
		at--;
	}
	if (at == SHOWN)
		return;
	caller = MemoryContextSwitchTo(reporter->context);
	reporter->unique[at] =
		(ReportUniques){.columns = set_text(reporter->description, set), .share = share};
	reporter->count = Min(reporter->count + 1, SHOWN);
	MemoryContextSwitchTo(caller);
}

/* The largest size of which all sets can be looked at. */
static int
largest_size(int columns)
{
	int64 sets = 0;
	int64 of_size = 1;
	int size = 0;

	while (size < Min(SIZE, columns))
	{
		of_size = of_size * (columns - size) / (size + 1);
		sets += of_size;
		if (sets > SETS && size > 0)
			break;
		size++;
	}
	return size;
}

static void
add_uniques(ReleaseReport *report, const Description *description, int64 rows, const Coarse *coarse)
{
	Budget budget = budget_begin();
	UniquesReporter *reporter = palloc0(sizeof(UniquesReporter));
	SampleUniquesRequest request = {.size = largest_size(description->quasi_count),
									.consumer = take_set,
									.state = reporter,
									.budget = &budget};

	*reporter = (UniquesReporter){
		.description = description, .coarse = coarse, .context = CurrentMemoryContext};
	if (rows == 0 ||
		!budget_fits(&budget, (Size) rows * (description->quasi_count + request.size) * BYTES))
		return;
	request.table = sample_query_read(description, NULL, NULL, &reporter->rows, &budget);
	if (reporter->rows > 0)
		sample_uniques_find(&request);
	report->uniques = reporter->count;
	report->unique = reporter->unique;
}

/* Of rows, by the columns that the release hides. */
static ReportRisk
coarse_risk(const RiskTally *tally, const Coarse *coarse)
{
	RiskAgainst prosecutor;

	if (tally->rows == 0)
		return (ReportRisk){.known = false};
	prosecutor = risk_prosecutor(tally);
	return (ReportRisk){
		.known = true,
		.average = coarse_share(coarse, prosecutor.average),
		.at_risk = coarse_share(coarse, prosecutor.at_risk),
		.uniques = coarse_share(coarse, (double) tally->uniques / (double) tally->rows),
	};
}

Coarse
source_report_add(ReleaseReport *report, const ReleaseEntry *entry, bool all)
{
	Description *description = description_load(entry->relation, entry->quasi_identifiers);
	RiskTally tally = {0};
	Coarse coarse;

	if (all)
		tally = class_audit_risk(entry->relation, entry->quasi_identifiers, InvalidOid,
								 1.0 / entry->demand.k);
	else
	{
		query_run(class_query_of_rows(description), true);
		tally.rows = query_int8(0, 1);
	}
	coarse = coarse_of(tally.rows, entry->demand.k);
	report->source_rows = coarse_rows(&coarse, (double) tally.rows);
	report->source_step = coarse.step;
	report->source_share = coarse.share;
	if (all)
	{
		report->before = coarse_risk(&tally, &coarse);
		add_uniques(report, description, tally.rows, &coarse);
	}
	return coarse;
}
