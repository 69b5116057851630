/*
 * cost_section.c
 *		What a release costs: the loss and the levels of its cells, the errors of count queries, and
 *		ranges of two columns.
 *
 * The workload is derived from the source, so that it asks for values that occur: quarters of one
 * column, halves of two, halves of three.  No predicate is shown, only the mean error of all.  Each
 * column in a query costs a sort of the classes, so only the few columns with most parts are used.
 */
#include "postgres.h"

#include "report/report_section.h"

#include <math.h>

#include "audit/known_release.h"
#include "cell/range_format.h"
#include "data/dimension.h"
#include "metric/workload.h"
#include "miscadmin.h"
#include "relation/dimension_source.h"
#include "report/chart.h"
#include "report/plots.h"
#include "utils/builtins.h"

#define PARTS 4         /* parts of a column; an even number */
#define WORKLOAD_MOST 3 /* most columns used */
#define TOGETHER 3      /* most columns in one query */

/* ---- errors of count queries */

/* A column of the source and its parts, as predicates in SQL. */
typedef struct ColumnParts
{
	int cuts;
	List *quarters;
	List *halves;
} ColumnParts;

/* age >= '20' AND age < '30' and so on; cuts that do not exist leave out parts. */
static List *
parts_of(const char *name, char *const *cut, int cuts, int parts)
{
	int step = Max((cuts + 1) / parts, 1);
	List *texts = NIL;

	for (int from = -1, part = 1; part <= parts && from < cuts; part++, from += step)
	{
		int to = part == parts ? cuts : from + step;
		StringInfoData text;

		initStringInfo(&text);
		if (from >= 0)
			appendStringInfo(&text, "%s >= %s", name, quote_literal_cstr(cut[from]));
		if (to < cuts)
			appendStringInfo(&text, "%s%s < %s", from >= 0 ? " AND " : "", name,
							 quote_literal_cstr(cut[to]));
		texts = lappend(texts, text.data);
	}
	return texts;
}

/* The first columns of those that fall into most parts. */
static int
cut_columns(const GroupRows *source, ColumnParts *column)
{
	int columns = 0;
	Budget budget = budget_begin();

	for (int i = 0; source && i < source->groups->attributes; i++)
	{
		char *cut[PARTS];
		int cuts = group_query_cuts(source, i, PARTS, cut, &budget);
		const char *name = quote_identifier(source->attribute[i]->name);
		int at = columns;

		if (cuts == 0)
			continue;
		for (; at > 0 && column[at - 1].cuts < cuts; at--)
			column[at] = column[at - 1];
		column[at] =
			(ColumnParts){cuts, parts_of(name, cut, cuts, PARTS), parts_of(name, cut, cuts, 2)};
		columns = Min(columns + 1, WORKLOAD_MOST);
	}
	return columns;
}

/* All queries (Predicate) over this many columns. */
static List *
queries_of(const ColumnParts *column, int columns, int together)
{
	List *queries = NIL;

	for (int first = 0; first < (together == columns ? 1 : columns); first++)
	{
		List *some = together == 1 ? column[first].quarters : column[first].halves;
		ListCell *one;
		ListCell *other;

		for (int i = 1; i < together; i++)
		{
			List *both = NIL;

			foreach (other, column[(first + i) % columns].halves)
				foreach (one, some)
					both = lappend(both, psprintf("%s AND %s", (const char *) lfirst(one),
												  (const char *) lfirst(other)));
			some = both;
		}
		foreach (one, some)
			queries = lappend(queries, predicate_parse(lfirst(one)));
	}
	return queries;
}

/* The mean error of the queries over one column, two columns and so on. */
static void
draw_errors(ReleaseReport *report, const int *queries, const QualityAnswer *answer)
{
	BarsPlot bars = {
		.title = psprintf("Error of counts: %s", report->release),
		.unit = "mean relative error of count queries, by their columns, against the table as it "
				"is now, at most",
		.series = {"error"},
		.percent = true,
	};

	for (int together = 1; together <= TOGETHER; together++)
	{
		Workload workload = {0};

		for (int i = 0; i < queries[together]; i++, answer++)
			workload_add(&workload, answer->actual, answer->estimate);
		if (workload.relatives > 0)
			bars_plot_add(
				&bars, together == 1 ? "1 column" : psprintf("%d columns", together),
				coarse_bound(&report->coarse, workload.relative / (double) workload.relatives),
				NAN);
	}
	if (bars.bars)
		report->picture[PICTURE_ERRORS] = bars_plot_draw(&bars);
}

/* ---- loss */

static void
tell_loss(ReleaseReport *report, const KnownRelease *known, const QualityTally *tally)
{
	BarsPlot bars = {
		.title = psprintf("Information lost by column: %s", report->release),
		.unit = "share of the information in the table as it is now, rounded",
		.series = {"lost"},
		.percent = true,
	};

	if (tally->rows == 0)
		return;
	report->loss = coarse_share(&report->coarse, tally->loss);
	for (int at = 0; at < report->columns; at++)
	{
		ReportColumn *column = &report->column[at];

		for (int i = 0; i < known->source->quasi_count; i++)
			if (strcmp(column->name, known->released[i]->name) == 0)
				column->loss = coarse_share(&report->coarse, tally->column[i].loss);
		if (!isnan(column->loss))
			bars_plot_add(&bars, column->name, column->loss, NAN);
	}
	report->picture[PICTURE_LOSS] = bars_plot_draw(&bars);
}

/* ---- levels */

/* A level by what it publishes; by its name if it publishes nothing. */
static const char *
level_text(const char *name, const char *label)
{
	if (label == NULL || label[0] == '\0')
		return name;
	return strcmp(label, HIDDEN_TEXT) == 0 ? "anything" : psprintf("like %s", label);
}

/*
 * Adds the share of the rows at each level of a column: values, the dimension's levels, parts of
 * values, anything.  Empty levels are told only if they are the dimension's.  Returns the labels of
 * the others, by level.
 */
static const char **
add_levels(BarsPlot *bars, const QualityColumn *cells, const char *const *names, int height,
		   bool dimension)
{
	int labels = dimension ? height : 0;
	int part = CELL_LEVEL_PART(labels);
	int all = CELL_LEVEL_ALL(labels);
	const char **level = palloc0(sizeof(char *) * CELL_LEVELS(height));
	double rows = 0;

	for (int i = 0; i < cells->levels; i++)
		rows += (double) cells->rows[i];
#define SHARE(i) (rows > 0 ? (double) cells->rows[i] / rows : 0)
	for (int i = 0; i <= labels; i++)
	{
		const char *text = i == 0 ? "as it is" : level_text(names[i], cells->label[i]);

		level[i] = cells->rows[i] > 0 ? text : NULL;
		bars_plot_add(bars, text, SHARE(i), NAN);
	}
	if (cells->rows[part] > 0)
		bars_plot_add(bars, level_text("a part", cells->label[part]), SHARE(part), NAN);
	level[all] = cells->rows[all] > 0 ? "anything" : NULL;
	if (level[all] || !dimension)
		bars_plot_add(bars, "anything", SHARE(all), NAN);
#undef SHARE
	return level;
}

static void
tell_levels(ReleaseReport *report, const KnownRelease *known, const QualityTally *tally)
{
	const Description *source = known->source;
	LevelNames names = dimension_source_levels(source);
	const char *const **level = palloc(sizeof(char **) * source->quasi_count);
	BarsPlot bars = {
		.title = psprintf("How values were generalized: %s", report->release),
		.unit = "share of the rows",
		.series = {"rows"},
		.percent = true,
	};

	for (int i = 0; i < source->quasi_count; i++)
	{
		const QualityColumn *cells = &tally->column[i];

		bars_plot_add(&bars, known->released[i]->name, NAN, NAN);
		level[i] = add_levels(&bars, cells, names.name[i], names.height[i],
							  OidIsValid(source->quasi[i]->dimension));
		/* With a dimension, parts of values are digits. */
		if (!OidIsValid(source->quasi[i]->dimension) && cells->rows[cells->levels - 1] > 0)
			report->ranges = true;
	}
	report->level = level;
	report->picture[PICTURE_LEVELS] = bars_plot_draw(&bars);
}

void
cost_section_gather(ReleaseReport *report)
{
	KnownRelease known = known_release_open(report->entry->release, InvalidOid, NULL, true);
	QualityTally quality;
	QualityAnswer *answers;
	List *predicates = NIL;
	ColumnParts column[WORKLOAD_MOST + 1];
	int columns = cut_columns(report->groups, column);
	int queries[TOGETHER + 1];

	for (int together = 1; together <= TOGETHER; together++)
	{
		List *some = together <= columns ? queries_of(column, columns, together) : NIL;

		queries[together] = list_length(some);
		predicates = list_concat(predicates, some);
	}
	quality = known_release_quality(&known, predicates, &answers);
	if (quality.rows == 0)
		return;
	draw_errors(report, queries, answers);
	tell_loss(report, &known, &quality);
	tell_levels(report, &known, &quality);
}

/* ---- ranges of two columns as rectangles: how the people were divided */

#define MAP_MOST 1000 /* rectangles that can still be distinguished */
#define MAP_HEIGHT 280.0
#define LEAST 0.3 /* percent of the width that can be seen */

static SvgPicture
draw_map(const char *release, ChartAxis *axis, const RangePair *pair, int count)
{
	const char *few = count == MAP_MOST ? ", those with the most rows" : "";
	Svg *svg =
		svg_begin(0, psprintf("Ranges of %s and %s: %s", axis[0].name, axis[1].name, release),
				  psprintf("%d different pairs of ranges%s.", count, few));
	Chart chart;

	for (int i = 0; i < 2 * count; i++)
	{
		chart_axis_reach(&axis[i % 2], pair[i / 2].low[i % 2]);
		chart_axis_reach(&axis[i % 2], pair[i / 2].high[i % 2]);
	}
	chart = chart_begin(svg, MAP_HEIGHT, axis[0], axis[1]);
	for (int i = 0; i < count; i++, pair++)
	{
		double left = isnan(pair->low[0]) ? chart.left : chart_x(&chart, pair->low[0]);
		double right = isnan(pair->high[0]) ? 100 : chart_x(&chart, pair->high[0]);
		double bottom = isnan(pair->low[1]) ? chart.bottom : chart_y(&chart, pair->low[1]);
		double top = isnan(pair->high[1]) ? chart.top : chart_y(&chart, pair->high[1]);

		CHECK_FOR_INTERRUPTS();
		svg_bar(svg, 0, false, left, top, Max(right - left, LEAST), Max(bottom - top, 1),
				psprintf(INT64_FORMAT " rows", pair->rows));
	}
	chart_end(&chart);
	return svg_end(svg);
}

void
cost_section_gather_map(ReleaseReport *report)
{
	KnownRelease known =
		known_release_open(report->entry->release, InvalidOid, report->map_columns, true);
	ChartAxis axis[2] = {{.least = NAN, .greatest = NAN}, {.least = NAN, .greatest = NAN}};
	CellColumn *column[2];
	RangePair *pair;
	int found = 0;
	int count;

	for (int i = 0; i < known.source->quasi_count && found < 2; i++)
	{
		column[found] = known_release_cells(&known, i);
		axis[found].name = column[found]->released->name;
		found += range_format_scale(column[found], &axis[found].days) ? 1 : 0;
	}
	if (found < 2)
		return;
	count = quality_query_pairs(column[0], column[1], MAP_MOST, &pair);
	if (count > 0)
		report->picture[PICTURE_MAP] = draw_map(report->release, axis, pair, count);
}

/* ---- page */

/* As it was filled, which the history tells, and against the table as it is now. */
static void
write_loss(Html *html, const ReleaseReport *report)
{
	if (isnan(report->loss) && isnan(report->filled_loss))
		HTML_PARAGRAPH(html,
					   "Loss is not defined here: each quasi-identifier has at most one value.");
	if (!isnan(report->filled_loss))
		HTML_PARAGRAPH(html,
					   "When the release was filled, about %s of the information in the "
					   "quasi-identifiers was lost.",
					   html_share(report->filled_loss));
	if (!isnan(report->loss))
		HTML_PARAGRAPH(html,
					   "Against the table as it is now, about %s is lost. The figures by column "
					   "and for count queries also use today's table, so they differ from those of "
					   "the day of filling if people have come or gone.",
					   html_share(report->loss));
}

void
cost_section_write(Html *html, const ReleaseReport *report)
{
	if (report->level == NULL)
		return;
	html_section(html, "What it costs");
	write_loss(html, report);
	html_picture(html, report->picture[PICTURE_LOSS]);
	html_picture(html, report->picture[PICTURE_LEVELS]);
	html_picture(html, report->picture[PICTURE_MAP]);
	if (report->picture[PICTURE_ERRORS].text)
		HTML_PARAGRAPH(html, "Count queries over quarters of one column, halves of two and of "
							 "three: How far off are counts estimated from the release, assuming "
							 "that values are spread evenly within each cell?");
	html_picture(html, report->picture[PICTURE_ERRORS]);
	HTML_PARAGRAPH(
		html, "To repeat it, with the right to read the table and its dimensions; predicates for "
			  "counts are yours to add, because those used here contain values of the table:");
	report_write_call(html, report, "SELECT * FROM %1$s.kanon_quality(%2$s);");
}
