/*
 * class_report.c
 *		See class_report.h.
 *
 * Closeness measures how far the values of a class are from those of the whole, so each sensitive
 * column gets an additional model that always holds, closeness(column, 1).
 */
#include "postgres.h"

#include "audit/class_report.h"

#include <math.h>

#include "audit/class_audit.h"
#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "model/model_text.h"
#include "utils/array.h"
#include "utils/builtins.h"

#define BINS 12 /* bins drawn */

/* The finding so far for one model: one of the release's, or an additional one. */
typedef struct ModelFinding
{
	const Model *model;
	bool any;
	double worst;
	char *class;
	bool satisfied;
	Histogram histogram; /* of that class, for additional models */
} ModelFinding;

typedef struct ClassReporter
{
	ReleaseReport *report;
	RiskTally risk;
	int asked; /* models of the release; the others are additional */
	int models;
	ModelFinding *finding; /* [model] */
	const ModelQuery *query;
	MemoryContext context;
} ClassReporter;

/* (94111, M, NULL) */
static char *
class_text(Datum values)
{
	StringInfoData words;
	Datum *elements;
	bool *nulls;
	int count;

	deconstruct_array(DatumGetArrayTypeP(values), TEXTOID, -1, false, TYPALIGN_INT, &elements,
					  &nulls, &count);
	initStringInfo(&words);
	for (int i = 0; i < count; i++)
		appendStringInfo(&words, "%s%s", i > 0 ? ", " : "",
						 nulls[i] ? "NULL" : TextDatumGetCString(elements[i]));
	return psprintf("(%s)", words.data);
}

/* Records the class as the worst one of a model. */
static void
keep_class(ClassReporter *reporter, ModelFinding *finding, const JudgedClass *judged,
		   const Histogram *histogram)
{
	MemoryContext caller = MemoryContextSwitchTo(reporter->context);

	if (finding->class)
		pfree(finding->class);
	finding->class = class_text(judged->class->values);
	if (finding - reporter->finding >= reporter->asked)
	{
		Size size = sizeof(HistogramEntry) * histogram->values;

		if (finding->histogram.entry)
			pfree(finding->histogram.entry);
		finding->histogram = *histogram;
		finding->histogram.entry = memcpy(palloc(Max(size, 1)), histogram->entry, size);
	}
	MemoryContextSwitchTo(caller);
}

/* Values that are withheld are NULL, all of a column. */
static bool
shows_values(const JudgedClass *judged, const Histogram *histogram, const SensitiveDomain *domain)
{
	return !judged->withheld || histogram->values != 1 || !domain->has_null ||
		   histogram->entry[0].code != domain->codes - 1;
}

/* A JudgedClassConsumer. */
static void
take_class(void *state, const JudgedClass *judged)
{
	ClassReporter *reporter = state;
	ReleaseReport *report = reporter->report;
	const ModelQuery *query = judged->query;
	int64 rows = judged->class->rows;

	reporter->query = query;
	report->smallest = report->classes == 0 ? judged->class->members
											: Min(report->smallest, judged->class->members);
	report->classes++;
	report->failing += judged->satisfied ? 0 : 1;
	report->withheld += judged->withheld ? 1 : 0;
	classes_plot_add(&report->sizes, rows);
	risk_add(&reporter->risk, 1, rows, rows);
	for (int i = 0; i < reporter->models; i++)
	{
		ModelFinding *finding = &reporter->finding[i];
		int column = query->sensitive.column_of[i];
		const Histogram *histogram = judged->class->histogram[column];
		const SensitiveDomain *domain = &query->domain[column];
		double value = model_value(finding->model, histogram, domain);

		/* Of a class without its values there is nothing to tell. */
		if (i < reporter->asked ? judged->withheld : !shows_values(judged, histogram, domain))
			continue;
		finding->satisfied = finding->satisfied && model_holds(finding->model, histogram, domain);
		if (finding->any &&
			(finding->model->ops->at_most ? value <= finding->worst : value >= finding->worst))
			continue;
		finding->any = true;
		finding->worst = value;
		keep_class(reporter, finding, judged, histogram);
	}
}

/* ---- distributions */

/* Which values are drawn as one, and their names. */
typedef struct ValueBins
{
	int bins;
	int *bin_of; /* [code] */
	const char **name;
} ValueBins;

static char *
value_name(const SensitiveColumn *column, const SensitiveDomain *domain, int32 code)
{
	const AttributeDomain *values = column->attribute.domain;

	if (domain->has_null && code == domain->codes - 1)
		return pstrdup("NULL");
	return dimension_query_text(values, 0, values->value_of_code[code]);
}

/* Bins of values on a scale, with about the same number of members. */
static void
bin_in_order(ValueBins *bins, const SensitiveColumn *column, const SensitiveDomain *domain)
{
	int64 before = 0;
	int32 first = 0;

	for (int32 code = 0; code < domain->codes; code++)
	{
		bool last = code == domain->codes - 1;
		bool null = last && domain->has_null;

		interrupt_check(code);
		bins->bin_of[code] = bins->bins;
		before += domain->count[code];
		if (!last && !(domain->has_null && code == domain->codes - 2) &&
			before * (BINS - 2) < domain->members * (bins->bins + 1))
			continue;
		bins->name[bins->bins++] = null || first == code
									   ? value_name(column, domain, code)
									   : psprintf("%s to %s", value_name(column, domain, first),
												  value_name(column, domain, code));
		first = code + 1;
	}
}

/* Bins of the most frequent values, and one for all others. */
static void
bin_by_count(ValueBins *bins, const SensitiveColumn *column, const SensitiveDomain *domain)
{
	int32 most[BINS - 1];
	int kept = 0;

	for (int32 code = 0; code < domain->codes; code++)
	{
		int at = Min(kept, BINS - 1);

		interrupt_check(code);
		bins->bin_of[code] = BINS - 1;
		while (at > 0 && domain->count[most[at - 1]] < domain->count[code])
		{
			if (at < BINS - 1)
				most[at] = most[at - 1];
			at--;
		}
		if (at < BINS - 1)
			most[at] = code;
		kept = Min(kept + 1, BINS - 1);
	}
	for (int i = 0; i < kept; i++)
	{
		bins->bin_of[most[i]] = i;
		bins->name[i] = value_name(column, domain, most[i]);
	}
	bins->bins = kept;
	if (domain->codes > kept)
		bins->name[bins->bins++] = psprintf("%d other values", domain->codes - kept);
}

static void
add_distribution(const ModelFinding *finding, const SensitiveColumn *column,
				 const SensitiveDomain *domain, bool has_classes, ReportDistribution *distribution)
{
	ValueBins bins = {.bin_of = palloc(sizeof(int) * Max(domain->codes, 1)),
					  .name = palloc(sizeof(char *) * (BINS + 1))};
	double *whole;
	double *farthest;

	if (domain->codes > BINS && domain->ordered)
		bin_in_order(&bins, column, domain);
	else
		bin_by_count(&bins, column, domain);
	whole = palloc0(sizeof(double) * Max(bins.bins, 1));
	farthest = palloc0(sizeof(double) * Max(bins.bins, 1));
	for (int32 code = 0; code < domain->codes; code++)
		whole[bins.bin_of[code]] += (double) domain->count[code] / (double) Max(domain->members, 1);
	for (int32 i = 0; i < finding->histogram.values; i++)
		farthest[bins.bin_of[finding->histogram.entry[i].code]] +=
			(double) finding->histogram.entry[i].count /
			(double) Max(finding->histogram.members, 1);
	*distribution = (ReportDistribution){
		.column = column->attribute.name,
		.class = has_classes ? finding->class : NULL,
		.distance = has_classes && finding->any ? finding->worst : NAN,
		.values = bins.bins,
		.value = bins.name,
		.whole = whole,
		.farthest = farthest,
	};
}

static void
add_distributions(ClassReporter *reporter)
{
	ReleaseReport *report = reporter->report;
	bool has_classes = report->traits & REPORT_HAS_CLASSES;
	int count = reporter->models - reporter->asked;
	ReportDistribution *distribution = palloc(sizeof(ReportDistribution) * Max(count, 1));

	if (reporter->query == NULL)
		return;
	for (int i = 0; i < count; i++)
	{
		int model = reporter->asked + i;
		int column = reporter->query->sensitive.column_of[model];

		add_distribution(&reporter->finding[model], &reporter->query->sensitive.column[column],
						 &reporter->query->domain[column], has_classes, &distribution[i]);
	}
	report->distributions = count;
	report->distribution = distribution;
}

/* ---- the whole release */

static void
add_models(ClassReporter *reporter)
{
	ReleaseReport *report = reporter->report;
	ReportModel *model = palloc(sizeof(ReportModel) * Max(reporter->asked, 1));

	for (int i = 0; i < reporter->asked; i++)
	{
		const ModelFinding *finding = &reporter->finding[i];

		model[i] = (ReportModel){
			.text = model_text_write_list(list_make1(unconstify(Model *, finding->model))),
			.at_most = finding->model->ops->at_most,
			.worst = finding->any ? finding->worst : NAN,
			.class = finding->class,
			.satisfied = finding->satisfied,
		};
	}
	report->models = reporter->asked;
	report->model = model;
}

static void
add_judgement(ClassReporter *reporter)
{
	ReleaseReport *report = reporter->report;

	report->judged = true;
	report->satisfied = report->failing == 0;
	report->after.known = reporter->risk.rows > 0;
	if (!report->after.known)
		return;
	report->after.average = risk_prosecutor(&reporter->risk).average;
	report->after.at_risk = risk_prosecutor(&reporter->risk).at_risk;
	report->after.uniques = (double) reporter->risk.uniques / (double) reporter->risk.rows;
}

/* Reads the distributions of values in a release without classes. */
static void
read_values(ClassReporter *reporter, const ReleaseEntry *entry, List *models)
{
	Budget budget = budget_begin();
	ModelQuery *query = model_query_create(
		description_load(entry->release, release_catalog_quasi(entry)), models, NULL, &budget);

	model_query_read(query);
	reporter->query = query;
}

void
class_report_add(ReleaseReport *report, const ReleaseEntry *entry, List *sensitive)
{
	ClassAudit audit = {.relation = entry->release, .known_models = true};
	ClassReporter reporter = {.report = report,
							  .risk = {.threshold = 1.0 / entry->demand.k},
							  .context = CurrentMemoryContext};
	ListCell *cell;

	audit = class_audit_known(&audit);
	reporter.asked = list_length(audit.models);
	foreach (cell, sensitive)
	{
		Model *closeness = palloc0(sizeof(Model));

		*closeness =
			(Model){.ops = model_find("closeness"), .column = lfirst(cell), .parameter = {1}};
		audit.models = lappend(audit.models, closeness);
	}
	reporter.models = list_length(audit.models);
	reporter.finding = palloc0(sizeof(ModelFinding) * Max(reporter.models, 1));
	foreach (cell, audit.models)
		reporter.finding[foreach_current_index(cell)] =
			(ModelFinding){.model = lfirst(cell), .satisfied = true};
	report->sizes = (ClassesPlot){.relation = report->release, .k = report->k};
	if (entry->recoding->has_classes)
	{
		class_audit_each(&audit, take_class, &reporter);
		add_judgement(&reporter);
	}
	else
		read_values(&reporter, entry, audit.models);
	add_models(&reporter);
	add_distributions(&reporter);
}
