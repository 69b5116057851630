/*
 * risk_section.c
 *		The risk of re-identification, before and after.
 */
#include "postgres.h"

#include "report/report_section.h"

#include <math.h>

#include "base/names.h"
#include "count/class_query.h"
#include "count/group_query.h"
#include "metric/sample_uniques.h"
#include "report/plots.h"
#include "sql/name_array.h"
#include "sql/own_extension.h"
#include "sql/relation_name.h"

#define BYTES 8 /* of a row and column of the table, of its number, and of a column of a set */

/* ---- columns that single people out */

#define SETS 200 /* most sets of columns to examine */
#define SIZE 3   /* most columns in one */
#define SHOWN 10 /* most sets told */

/* Columns, by their indexes among the quasi-identifiers, in which rows of the source are unique. */
typedef struct UniqueSet
{
	double share; /* of the rows, coarse */
	Bitmapset *columns;
} UniqueSet;

typedef struct RiskFigures
{
	const Description *source;
	int64 rows;
	const Coarse *coarse;
	List *sets; /* to be told: those with the greatest share, on a tie those with fewer columns */
	MemoryContext context;
} RiskFigures;

/*
 * A SampleUniquesConsumer; subsets come before their supersets, which need not be told if they
 * single out no more.
 */
static void
take_set(void *state, const SampleUniques *set)
{
	RiskFigures *risk = state;
	MemoryContext caller = MemoryContextSwitchTo(risk->context);
	UniqueSet *unique = palloc0(sizeof(UniqueSet));
	int at = 0;

	unique->share = coarse_share(risk->coarse, (double) set->uniques / (double) risk->rows);
	for (int i = 0; i < set->size; i++)
		unique->columns = bms_add_member(unique->columns, set->column[i]);
	for (; at < list_length(risk->sets) && unique->share > 0; at++)
	{
		const UniqueSet *told = list_nth(risk->sets, at);

		if (told->share < unique->share)
			break;
		if (bms_is_subset(told->columns, unique->columns))
			unique->share = 0;
	}
	if (unique->share > 0)
		risk->sets = list_truncate(list_insert_nth(risk->sets, at, unique), SHOWN);
	MemoryContextSwitchTo(caller);
}

static const char *
set_text(const Description *source, const UniqueSet *set)
{
	List *names = NIL;
	int column = -1;

	while ((column = bms_next_member(set->columns, column)) >= 0)
		names = lappend(names, unconstify(char *, source->quasi[column]->name));
	return names_join(names);
}

static void
find_sets(RiskFigures *risk, int64 rows)
{
	Budget budget = budget_begin();
	int columns = risk->source->quasi_count;
	SampleUniquesRequest request = {
		.size = Min(SIZE, columns), .consumer = take_set, .state = risk, .budget = &budget};

	while (request.size > 1 && sample_uniques_sets(columns, request.size) > SETS)
		request.size--;
	if (rows == 0 || !budget_fits(&budget, (Size) rows * (columns + request.size) * BYTES))
		return;
	request.table = group_query_read_sample(risk->source, NULL, NULL, &risk->rows, &budget);
	if (risk->rows > 0)
		sample_uniques_find(&request);
}

/* ---- figures */

/* The rows in groups, if memory holds them. */
static const GroupRows *
read_groups(const Description *source, int64 rows)
{
	Budget *budget = palloc(sizeof(Budget));

	*budget = budget_begin();
	if (!budget_fits(budget, (Size) rows * (source->quasi_count + 1) * BYTES))
		return NULL;
	return group_query_run(source, source->quasi, source->quasi_count, budget);
}

ReportRisk
risk_section_of(const RiskTally *tally, const Coarse *coarse)
{
	RiskAgainst prosecutor;
	ReportRisk risk = {NAN, NAN, NAN};

	if (tally->rows == 0)
		return risk;
	prosecutor = risk_against(tally, &tally->table);
	risk = (ReportRisk){prosecutor.average, prosecutor.at_risk,
						(double) tally->table.uniques / (double) tally->rows};
	if (coarse)
		risk = (ReportRisk){coarse_share(coarse, risk.average), coarse_share(coarse, risk.at_risk),
							coarse_share(coarse, risk.uniques)};
	return risk;
}

void
risk_section_gather(ReleaseReport *report)
{
	const ReleaseEntry *entry = report->entry;
	Description *source = description_load(entry->relation, entry->quasi_identifiers);
	int64 rows = class_query_count(source);
	RiskTally tally;

	report->coarse = coarse_of(rows, entry->demand.k);
	report->groups = read_groups(source, rows);
	report->source_rows = coarse_rows(&report->coarse, (double) rows);
	if (!(report->needs & REPORT_RISK))
		return;
	tally = class_query_risk(source, NULL, 1.0 / entry->demand.k);
	report->before = risk_section_of(&tally, &report->coarse);
	report->risk = palloc0(sizeof(RiskFigures));
	report->risk->source = source;
	report->risk->coarse = &report->coarse;
	report->risk->context = CurrentMemoryContext;
	find_sets(report->risk, rows);
}

/* ---- page */

void
risk_section_draw(ReleaseReport *report)
{
	const ReportRisk *before = &report->before;
	const ReportRisk *after = &report->after;
	bool has_classes = report_has_classes(report);
	BarsPlot bars = {
		.title = psprintf("Risk before and after: %s", report->release),
		.unit = has_classes ? "share of the rows, or chance to find the right one"
							: "share of the rows",
		.series = {"the table as it is now, rounded", "the release"},
		.percent = true,
	};

	if (isnan(before->at_risk) && isnan(after->at_risk))
		return;
	/* A mean beside a bound would look as if the risk had risen. */
	if (has_classes)
		bars_plot_add(&bars, "average", before->average, after->average);
	bars_plot_add(&bars, psprintf("above 1 in %d", report->k), before->at_risk, after->at_risk);
	bars_plot_add(&bars, "unique rows", before->uniques, after->uniques);
	report->picture[PICTURE_RISK] = bars_plot_draw(&bars);
}

static void
write_figures(Html *html, const ReleaseReport *report)
{
	static const char *const journalist = "no higher than the prosecutor's";
	const ReportRisk *before = &report->before;
	const ReportRisk *after = &report->after;

	HTML_TABLE(html, NULL, "risk", "the table as it is now, rounded", "the release");
	if (report_has_classes(report))
		HTML_ROW(html, "prosecutor and marketer, average", html_share(before->average),
				 html_share(after->average));
	HTML_ROW(html, psprintf("prosecutor, rows at more than 1 in %d", report->k),
			 html_share(before->at_risk), html_share(after->at_risk));
	HTML_ROW(html, "journalist", isnan(before->at_risk) ? NULL : journalist,
			 isnan(after->at_risk) ? NULL : journalist);
	HTML_ROW(html, "unique rows", html_share(before->uniques), html_share(after->uniques));
	html_table_end(html);
}

/* ARRAY['age', 'zip'] */
static const char *
quasi_text(const ReleaseReport *report)
{
	StringInfoData names;
	ListCell *cell;

	initStringInfo(&names);
	foreach (cell, array_strings(report->entry->quasi_identifiers))
		appendStringInfo(&names, "%s%s", names.len > 0 ? ", " : "",
						 quote_literal_cstr(lfirst(cell)));
	return psprintf("ARRAY[%s]", names.data);
}

/* The calls that repeat the figures. */
static void
write_calls(Html *html, const ReleaseReport *report)
{
	bool has_classes = report_has_classes(report);

	html_element(html, "p",
				 has_classes
					 ? "To repeat it; all but the first statement with the right to read the table:"
					 : "To repeat it, with the right to read the table:");
	if (has_classes)
		report_write_call(html, report, "SELECT * FROM %1$s.kanon_risk(%2$s);");
	html_element(html, "pre",
				 psprintf("SELECT * FROM %1$s.kanon_risk(%2$s, %3$s, threshold => 1.0 / %4$d);\n"
						  "SELECT * FROM %1$s.kanon_sample_uniques(%2$s, %3$s);",
						  own_extension_schema_name(),
						  quote_literal_cstr(relation_name(report->entry->relation)),
						  quasi_text(report), report->k));
}

void
risk_section_write(Html *html, const ReleaseReport *report)
{
	const RiskFigures *risk = report->risk;
	ListCell *cell;

	html_section(html, "Risk");
	HTML_PARAGRAPH(html, "How likely is it that somebody who knows the quasi-identifiers finds the "
						 "right row? The prosecutor knows that the person is in the table; the "
						 "journalist does not, but has the population, in which there are at least "
						 "as many who look alike; the marketer links as many rows as possible.");
	if (!report_has_classes(report) && !isnan(report->after.at_risk))
		HTML_PARAGRAPH(html,
					   "In the release nobody is found with more than 1 in %d, because each row "
					   "could be any of %d.",
					   report->k, report->k);
	write_figures(html, report);
	html_picture(html, report->picture[PICTURE_RISK]);
	if (risk && risk->sets)
	{
		HTML_TABLE(html, "Columns that single people out in the table as it is now", "columns",
				   "share of unique rows, rounded");
		foreach (cell, risk->sets)
			HTML_ROW(html, set_text(risk->source, lfirst(cell)),
					 html_share(((const UniqueSet *) lfirst(cell))->share));
		html_table_end(html);
	}
	write_calls(html, report);
}
