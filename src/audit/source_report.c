/*
 * source_report.c
 *		See source_report.h.
 */
#include "postgres.h"

#include "audit/source_report.h"

#include <math.h>

#include "audit/class_audit.h"
#include "base/interrupt.h"
#include "base/names.h"
#include "count/class_query.h"
#include "count/sample_query.h"
#include "metric/sample_uniques.h"
#include "sql/query.h"

#define SETS 200 /* most sets of columns */
#define SIZE 3
#define SHOWN 10
#define BYTES                                                                                      \
	8 /* for a row and column of the table; as much for its number or a column of a set            \
	   */

typedef struct UniqueSet
{
	double share;
	int size;
	int column[SIZE];
} UniqueSet;

typedef struct UniquesReporter
{
	const Coarse *coarse;
	int64 rows;
	int count;
	UniqueSet set[SHOWN]; /* those with the greatest share; on a tie, those with fewer columns */
} UniquesReporter;

static bool
has_column(const SampleUniques *set, int column)
{
	for (int i = 0; i < set->size; i++)
		if (set->column[i] == column)
			return true;
	return false;
}

/* Does a listed set with fewer columns single out as many? */
static bool
is_told(const UniquesReporter *reporter, const SampleUniques *set, double share)
{
	for (int at = 0; at < reporter->count && reporter->set[at].share >= share; at++)
	{
		bool within = true;

		for (int i = 0; i < reporter->set[at].size; i++)
			within = within && has_column(set, reporter->set[at].column[i]);
		if (within)
			return true;
	}
	return false;
}

/* A SampleUniquesConsumer; subsets come before their supersets. */
static void
take_set(void *state, const SampleUniques *set)
{
	UniquesReporter *reporter = state;
	double share = coarse_share(reporter->coarse, (double) set->uniques / (double) reporter->rows);
	int at = reporter->count;

	if (share <= 0 || is_told(reporter, set, share))
		return;
	while (at > 0 && reporter->set[at - 1].share < share)
	{
		if (at < SHOWN)
			reporter->set[at] = reporter->set[at - 1];
		at--;
	}
	if (at == SHOWN)
		return;
	reporter->set[at] = (UniqueSet){.share = share, .size = set->size};
	memcpy(reporter->set[at].column, set->column, sizeof(int) * set->size);
	reporter->count = Min(reporter->count + 1, SHOWN);
}

static const char *
set_text(const Description *description, const UniqueSet *set)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < set->size; i++)
		names_add(&names, description->attributes[description->quasi[set->column[i]]].name,
				  set->size - 1 - i);
	return names.data;
}

/* The largest size for which all sets can be examined. */
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
	UniquesReporter reporter = {.coarse = coarse};
	ReportUniques *unique = palloc(sizeof(ReportUniques) * SHOWN);
	SampleUniquesRequest request = {.size = largest_size(description->quasi_count),
									.consumer = take_set,
									.state = &reporter,
									.budget = &budget};

	if (rows == 0 ||
		!budget_fits(&budget, (Size) rows * (description->quasi_count + request.size) * BYTES))
		return;
	request.table = sample_query_read(description, NULL, NULL, &reporter.rows, &budget);
	if (reporter.rows > 0)
		sample_uniques_find(&request);
	for (int i = 0; i < reporter.count; i++)
		unique[i] = (ReportUniques){.columns = set_text(description, &reporter.set[i]),
									.share = reporter.set[i].share};
	report->uniques = reporter.count;
	report->unique = unique;
}

/* The risk of the source's rows by the columns that the release generalizes. */
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

static int64
count_rows(const Description *description)
{
	query_run(class_query_of_rows(description), true);
	return query_int8(0, 1);
}

/* The rows in groups, if memory holds them. */
static const GroupRows *
read_groups(const Description *description, int64 rows)
{
	Budget *budget = palloc(sizeof(Budget));

	*budget = budget_begin();
	if (!budget_fits(budget, (Size) rows * (description->quasi_count + 1) * BYTES))
		return NULL;
	return group_query_run(description, relation_codes_quasi(description), description->quasi_count,
						   budget);
}

static RiskTally
tally_groups(const Dataset *groups, double threshold)
{
	RiskTally tally = {.threshold = threshold};

	for (int64 group = 0; group < groups->rows; group++)
	{
		int64 members = dataset_members(groups, dataset_record(groups, group));

		interrupt_check(group);
		risk_add(&tally, 1, members, members);
	}
	return tally;
}

SourceReport
source_report_add(ReleaseReport *report, const ReleaseEntry *entry, int needs)
{
	Description *description = description_load(entry->relation, entry->quasi_identifiers);
	int64 rows = count_rows(description);
	double threshold = 1.0 / entry->demand.k;
	SourceReport source = {.coarse = coarse_of(rows, entry->demand.k)};

	if (needs & (REPORT_RISK | REPORT_CELLS))
		source.groups = read_groups(description, rows);
	report->source_rows = coarse_rows(&source.coarse, (double) rows);
	if (needs & REPORT_RISK)
	{
		RiskTally tally = source.groups
							  ? tally_groups(source.groups->groups, threshold)
							  : class_audit_risk(entry->relation, entry->quasi_identifiers,
												 InvalidOid, threshold);

		report->before = coarse_risk(&tally, &source.coarse);
		add_uniques(report, description, rows, &source.coarse);
	}
	return source;
}
