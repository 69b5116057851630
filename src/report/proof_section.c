/*
 * proof_section.c
 *		What was checked: classes or matchings, models, the digest, and how sensitive values are
 *		distributed.
 *
 * Closeness measures how far the values of a class are from those of the whole, so each sensitive
 * column gets an additional model that always holds, closeness(column, 1).
 */
#include "postgres.h"

#include "report/report_section.h"

#include <math.h>

#include "audit/class_audit.h"
#include "audit/matching_audit.h"
#include "base/interrupt.h"
#include "count/content_tally.h"
#include "model/model.h"
#include "report/plots.h"
#include "sql/comparison.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"

#define SENSITIVE 8 /* most columns whose distributions are shown */
#define BINS 12     /* most bins drawn of one */

/* The finding so far for one model: one of the release's, or an additional one. */
typedef struct ModelFinding
{
	const Model *model;
	bool satisfied;
	double worst;        /* figure of any class; NaN: none is told */
	char *class;         /* .. and that class */
	Histogram histogram; /* of that class, for additional models */
} ModelFinding;

typedef struct ProofFigures
{
	ClassTally tally; /* failing classes are small */
	RiskTally risk;
	ClassesPlot sizes;
	bool sets;      /* classes of sets of known columns, which share rows */
	int64 withheld; /* classes that satisfy because their sensitive values are NULL */
	int asked;      /* models of the release; the others are additional */
	int models;
	ModelFinding *finding;          /* [model] */
	const Description *description; /* NULL: there are no classes, and no values */
	MemoryContext context;
} ProofFigures;

/* (94111, M, NULL) */
static char *
class_text(Datum values)
{
	Datum words = OidFunctionCall3(F_ARRAY_TO_STRING_ANYARRAY_TEXT_TEXT, values,
								   CStringGetTextDatum(", "), CStringGetTextDatum("NULL"));

	return psprintf("(%s)", TextDatumGetCString(words));
}

/* Records the class as the worst one of a model. */
static void
keep_class(ProofFigures *proof, ModelFinding *finding, const JudgedClass *judged,
		   const Histogram *histogram)
{
	MemoryContext caller = MemoryContextSwitchTo(proof->context);

	if (finding->class)
		pfree(finding->class);
	finding->class = class_text(judged->class->values);
	if (finding - proof->finding >= proof->asked)
	{
		if (finding->histogram.entry)
			pfree(finding->histogram.entry);
		finding->histogram = histogram_copy(histogram);
	}
	MemoryContextSwitchTo(caller);
}

/* Values that are withheld are NULL, all of a column. */
static bool
shows_values(const JudgedClass *judged, const Histogram *histogram, const SensitiveDomain *domain)
{
	return !judged->withheld || histogram->values != 1 || histogram_nulls(histogram, domain) == 0;
}

/* A JudgedClassConsumer. */
static void
take_class(void *state, const JudgedClass *judged)
{
	ProofFigures *proof = state;
	const Demand *demand = &judged->description->demand;
	const StreamedClass *class = judged->class;

	proof->description = judged->description;
	proof->withheld += judged->withheld ? 1 : 0;
	class_tally_add(&proof->tally, class->rows, class->members, !judged->satisfied);
	classes_plot_add(&proof->sizes, class->rows);
	if (!proof->sets)
		risk_add(&proof->risk, 1, class->rows, class->rows);
	for (int i = 0; i < proof->models; i++)
	{
		ModelFinding *finding = &proof->finding[i];
		int column = demand->column_of[i];
		const Histogram *histogram = class->histogram[column];
		const SensitiveDomain *domain = demand->domain[column];
		double value = finding->model->ops->value(finding->model, histogram, domain);

		/* Of a class without its values there is nothing to tell. */
		if (i < proof->asked ? judged->withheld : !shows_values(judged, histogram, domain))
			continue;
		finding->satisfied = finding->satisfied && model_holds(finding->model, histogram, domain);
		if (finding->class &&
			(finding->model->ops->at_most ? value <= finding->worst : value >= finding->worst))
			continue;
		finding->worst = value;
		keep_class(proof, finding, judged, histogram);
	}
}

/* ---- distributions */

/* Which values are drawn as one, and their names. */
typedef struct ValueBins
{
	int bins;
	int *bin_of; /* [code] */
	const char *name[BINS + 1];
} ValueBins;

static char *
value_name(const DescribedAttribute *column, const SensitiveDomain *domain, int32 code)
{
	const AttributeDomain *values = column->domain;

	if (domain->has_null && code == domain->codes - 1)
		return pstrdup("NULL");
	return dimension_query_text(values, 0, values->value_of_code[code]);
}

/* Bins of values on a scale, with about the same number of members. */
static void
bin_in_order(ValueBins *bins, const DescribedAttribute *column, const SensitiveDomain *domain)
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
bin_by_count(ValueBins *bins, const DescribedAttribute *column, const SensitiveDomain *domain)
{
	int most = domain->codes > BINS ? BINS - 1 : domain->codes;
	Histogram whole = sensitive_domain_whole(domain);
	const HistogramEntry *entry = histogram_by_count(&whole);

	for (int32 i = 0; i < domain->codes; i++)
	{
		interrupt_check(i);
		bins->bin_of[entry[i].code] = Min(i, most);
	}
	for (; bins->bins < most; bins->bins++)
		bins->name[bins->bins] = value_name(column, domain, entry[bins->bins].code);
	if (domain->codes > most)
		bins->name[bins->bins++] = psprintf("%d other values", domain->codes - most);
}

/* The values of a column under its name: in the whole release, and in the class farthest from it.
 */
static void
add_distribution(BarsPlot *bars, const ModelFinding *finding, const DescribedAttribute *column,
				 const SensitiveDomain *domain)
{
	ValueBins bins = {.bin_of = palloc(sizeof(int) * Max(domain->codes, 1))};
	double whole[BINS + 1] = {0};
	double farthest[BINS + 1] = {0};
	double members = (double) Max(domain->members, 1);
	double of_class = (double) Max(finding->histogram.members, 1);

	if (domain->codes > BINS && domain->ordered)
		bin_in_order(&bins, column, domain);
	else
		bin_by_count(&bins, column, domain);
	for (int32 code = 0; code < domain->codes; code++)
		whole[bins.bin_of[code]] += (double) domain->count[code] / members;
	for (int32 i = 0; i < finding->histogram.values; i++)
		farthest[bins.bin_of[finding->histogram.entry[i].code]] +=
			(double) finding->histogram.entry[i].count / of_class;
	bars_plot_add(bars, column->name, NAN, NAN);
	for (int bin = 0; bin < bins.bins; bin++)
		bars_plot_add(bars, bins.name[bin], whole[bin], finding->class ? farthest[bin] : NAN);
}

/* All columns below each other. */
static void
draw_distributions(ReleaseReport *report, const ProofFigures *proof)
{
	const Description *description = proof->description;
	bool has_classes = report_has_classes(report);
	BarsPlot bars = {
		.title = psprintf("Sensitive values: %s", report->release),
		.unit = "share of the rows",
		.series = {"the whole release", has_classes ? "the class farthest from it" : NULL},
		.percent = true,
	};

	for (int i = proof->asked; description && i < proof->models; i++)
	{
		int column = description->demand.column_of[i];

		add_distribution(&bars, &proof->finding[i], description->sensitive[column],
						 description->demand.domain[column]);
	}
	if (bars.bars)
		report->picture[PICTURE_DISTRIBUTION] = bars_plot_draw(&bars);
}

/* ---- classes */

/* Reads the distributions of values in a release without classes. */
static const Description *
read_values(const ReleaseEntry *entry, List *models)
{
	Budget *budget = palloc(sizeof(Budget));
	Description *description = description_load(entry->release, release_catalog_quasi(entry));

	*budget = budget_begin();
	description_demand(description, models, NULL);
	sensitive_values_read(description, budget);
	return description;
}

/* The models of the release, and those that always hold. */
static ProofFigures *
begin_proof(const ReleaseReport *report, ClassAudit *audit)
{
	ProofFigures *proof = palloc0(sizeof(ProofFigures));
	ListCell *cell;

	class_audit_open(audit);
	proof->asked = list_length(audit->models);
	foreach_ptr (const DescribedAttribute, column, report->sensitive)
	{
		Model *added = palloc(sizeof(Model));

		if (!comparison_has_order(column->type) ||
			list_length(audit->models) == proof->asked + SENSITIVE)
			continue;
		*added = (Model){.ops = &closeness, .column = column->name, .parameter = {1}};
		audit->models = lappend(audit->models, added);
	}
	proof->models = list_length(audit->models);
	proof->finding = palloc(sizeof(ModelFinding) * Max(proof->models, 1));
	foreach (cell, audit->models)
		proof->finding[foreach_current_index(cell)] =
			(ModelFinding){.model = lfirst(cell), .satisfied = true, .worst = NAN};
	proof->sizes = (ClassesPlot){.relation = report->release, .k = report->k};
	proof->risk.threshold = 1.0 / report->k;
	proof->context = CurrentMemoryContext;
	return proof;
}

/* A JudgedClassConsumer: of classes of all quasi-identifiers, if only some are known. */
static void
take_rows(void *state, const JudgedClass *judged)
{
	ProofFigures *proof = state;

	proof->tally.rows += judged->class->rows;
	risk_add(&proof->risk, 1, judged->class->rows, judged->class->rows);
}

/* What who knows all of them finds; rows are counted once. */
static void
gather_rows(ProofFigures *proof, Oid release)
{
	ClassAudit all = {.relation = release, .k = 1};

	class_audit_open(&all);
	proof->tally.rows = 0;
	class_audit_each(&all, false, take_rows, proof);
}

/* Where NULL matches anything. */
static void
judge_matches(ReleaseReport *report, ProofFigures *proof)
{
	ClassAudit audit = {.relation = report->entry->release, .null_matches = NEITHER};

	class_audit_open(&audit);
	proof->sets = audit.known > 0;
	proof->tally = class_audit_tally(&audit);
	report->verdict = proof->tally.small_classes == 0 ? VERDICT_SATISFIED : VERDICT_FAILS;
	if (report->verdict == VERDICT_SATISFIED && proof->tally.rows > 0 && !proof->sets)
		report->after = (ReportRisk){NAN, 0, report->k > 1 ? 0 : NAN};
}

void
proof_section_gather_classes(ReleaseReport *report)
{
	ClassAudit audit = {.relation = report->entry->release, .known_models = true};
	ProofFigures *proof = begin_proof(report, &audit);

	if (report_has_classes(report))
	{
		proof->sets = audit.known > 0;
		class_audit_each(&audit, true, take_class, proof);
		if (proof->sets)
			gather_rows(proof, audit.relation);
		report->verdict = proof->tally.small_classes == 0 ? VERDICT_SATISFIED : VERDICT_FAILS;
		report->after = risk_section_of(&proof->risk, NULL);
		if (proof->tally.classes > 0)
			report->picture[PICTURE_CLASSES] = classes_plot_draw(&proof->sizes);
	}
	else
		proof->description = read_values(report->entry, audit.models);
	if (report->entry->demand.null_matches)
		judge_matches(report, proof);
	draw_distributions(report, proof);
	report->proof = proof;
}

/* ---- matchings */

static void
judge_matchings(ReleaseReport *report)
{
	KnownRelease known = known_release_open(report->entry->release, InvalidOid, NULL, false);
	MatchingReport found = matching_audit_run(&known, 0, report->groups);
	MatchingReason reason = found.verdict.reason;

	report->verdict = reason == MATCHING_SATISFIED                               ? VERDICT_SATISFIED
					  : reason == MATCHING_TOO_MANY || reason == MATCHING_MISFIT ? VERDICT_OUTDATED
																				 : VERDICT_FAILS;
	if (report->verdict == VERDICT_SATISFIED && found.released > 0)
		report->after = (ReportRisk){NAN, 0, report->k > 1 ? 0 : NAN};
}

/* A cell whose value is gone cannot be understood: then the release is outdated too. */
void
proof_section_gather_matchings(ReleaseReport *report)
{
	ErrorData *error;

	if (report->entry->recoding->has_classes)
		return;
	error = report_attempt(report, judge_matchings);
	if (error && error->sqlerrcode != ERRCODE_INVALID_PARAMETER_VALUE)
		ReThrowError(error);
	if (error)
		report->verdict = VERDICT_OUTDATED;
}

void
proof_section_gather_digest(ReleaseReport *report)
{
	report->digest = release_catalog_digest(report->entry);
}

/* ---- page */

static void
write_models(Html *html, const ProofFigures *proof)
{
	if (proof->asked == 0)
		return;
	HTML_TABLE(html, "Models", "model", "in every class", "figure", "which is", "in the class");
	for (int i = 0; i < proof->asked; i++)
	{
		const ModelFinding *finding = &proof->finding[i];

		HTML_ROW(html, model_text_write(finding->model), finding->satisfied ? "holds" : "FAILS",
				 html_figure(finding->worst),
				 finding->model->ops->at_most ? "the greatest of all classes"
											  : "the least of all classes",
				 finding->class);
	}
	html_table_end(html);
}

/* What the check cannot see. */
static void
write_people(Html *html, const ReleaseReport *report)
{
	HTML_PARAGRAPH(
		html, "k counts people, but rows were checked: people cannot be seen in the release. %s",
		isnan(report->people)
			? "How many each class had when it was filled is not known."
			: psprintf("When it was filled, each class had at least %.0f of them.",
					   report->people));
}

static void
write_classes(Html *html, const ReleaseReport *report)
{
	const ProofFigures *proof = report->proof;
	const ClassTally *tally = &proof->tally;
	bool unseen = report->person_unseen;

	HTML_PARAGRAPH(html, "Checked when this page was made: %s%s.",
				   report->verdict == VERDICT_FAILS ? "SOME CLASSES FAIL"
				   : tally->classes == 0            ? "there are no rows, so no class fails"
				   : unseen                         ? "every class satisfies, counted in rows"
													: "every class satisfies",
				   proof->sets ? ", by each set of as many quasi-identifiers as a reader knows"
							   : "");
	if (unseen)
		write_people(html, report);
	if (proof->withheld > 0)
		HTML_PARAGRAPH(
			html,
			"The sensitive values of " INT64_FORMAT
			" classes are withheld, all or some, because they would fail a model: they are NULL.",
			proof->withheld);
	HTML_TABLE(html, NULL, "satisfied", "rows", "classes",
			   unseen ? "rows of the smallest" : "smallest", "failing");
	HTML_ROW(html, report->verdict == VERDICT_FAILS ? "NO" : "yes",
			 html_figure((double) tally->rows), html_figure((double) tally->classes),
			 tally->classes > 0 ? html_figure((double) tally->smallest) : NULL,
			 html_figure((double) tally->small_classes));
	html_table_end(html);
	write_models(html, proof);
	html_picture(html, report->picture[PICTURE_CLASSES]);
	HTML_PARAGRAPH(html, "To repeat the check and list every class:");
	report_write_call(html, report,
					  "SELECT * FROM %1$s.kanon_check(%2$s);\n"
					  "SELECT * FROM %1$s.kanon_classes(%2$s);");
}

static void
write_matches(Html *html, const ReleaseReport *report)
{
	const ClassTally *tally = &report->proof->tally;

	HTML_PARAGRAPH(
		html, "Checked when this page was made: %s%s.",
		report->verdict == VERDICT_FAILS
			? "SOME ROWS MATCH TOO FEW"
			: psprintf("each row matches at least %d rows, itself included, if a hidden "
					   "cell could be any value",
					   report->k),
		report->proof->sets ? ", by each set of as many quasi-identifiers as a reader knows" : "");
	HTML_TABLE(html, NULL, "satisfied", "rows", "rows that differ", "least matches", "failing");
	HTML_ROW(html, report->verdict == VERDICT_FAILS ? "NO" : "yes",
			 html_figure((double) tally->rows), html_figure((double) tally->classes),
			 tally->classes > 0 ? html_figure((double) tally->smallest) : NULL,
			 html_figure((double) tally->small_classes));
	html_table_end(html);
	HTML_PARAGRAPH(html, "To repeat the check and list what rows match:");
	report_write_call(html, report,
					  "SELECT * FROM %1$s.kanon_check(%2$s);\n"
					  "SELECT * FROM %1$s.kanon_classes(%2$s);");
}

static void
write_matchings(Html *html, const ReleaseReport *report)
{
	HTML_PARAGRAPH(html, "Checked when this page was made: %s",
				   report->verdict == VERDICT_SATISFIED
					   ? psprintf("each row of the release could be any of %d rows of the table as "
								  "it is now, in %d ways that match all of them.",
								  report->k, report->k)
				   : report->verdict == VERDICT_OUTDATED
					   ? "the table or a dimension has changed since the release was filled, or "
						 "row security hides rows from whoever made this page, so that nothing "
						 "could be proved. Refresh it and make this page anew."
					   : "SOMEBODY IS SINGLED OUT.");
	HTML_PARAGRAPH(html, "To repeat the check, with the right to read the table:");
	report_write_call(html, report, "SELECT * FROM %1$s.kanon_check_matchings(%2$s);");
}

void
proof_section_write(Html *html, const ReleaseReport *report)
{
	html_section(html, "Proof");
	if (!report->story.filled)
		HTML_PARAGRAPH(html, "The release holds nothing: it was never filled, or was emptied.");
	else if (report->verdict == VERDICT_NONE)
		HTML_PARAGRAPH(html, "The check could not be run.");
	else if (report_has_classes(report))
		write_classes(html, report);
	else if (report->entry->demand.null_matches)
		write_matches(html, report);
	else
		write_matchings(html, report);
	if (report->digest)
	{
		HTML_PARAGRAPH(html, "Digest of the contents that this page describes:");
		html_element(html, "pre", report->digest);
		report_write_call(html, report, "SELECT %1$s.kanon_digest(%2$s);");
	}
}

static void
write_distances(Html *html, const ProofFigures *proof)
{
	HTML_PARAGRAPH(
		html,
		"In which class do the values of a column lie farthest from those of the whole release? "
		"The distance is that of closeness: 0 if they are distributed alike, 1 at most.%s",
		proof->withheld > 0 ? " Classes whose values are withheld are not compared." : "");
	HTML_TABLE(html, NULL, "column", "distance", "of the class");
	for (int i = proof->asked; i < proof->models; i++)
		HTML_ROW(html, proof->finding[i].model->column, html_figure(proof->finding[i].worst),
				 proof->finding[i].class);
	html_table_end(html);
}

void
proof_section_write_sensitive(Html *html, const ReleaseReport *report)
{
	if (report->picture[PICTURE_DISTRIBUTION].text == NULL)
		return;
	html_section(html, "Sensitive columns");
	if (report_has_classes(report))
		write_distances(html, report->proof);
	else
		HTML_PARAGRAPH(html, "There are no classes whose values could differ from the whole.");
	html_picture(html, report->picture[PICTURE_DISTRIBUTION]);
}
