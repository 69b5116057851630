/*
 * history_section.c
 *		The fillings of a release.
 */
#include "postgres.h"

#include "report/report_section.h"

#include <math.h>

#include "report/chart.h"

#define FILLINGS 1000 /* the last ones: more cannot be distinguished */
#define LISTED 20     /* .. of which so many in the table, and in the words of the picture */
#define PANEL 84.0    /* pixels */

/* The figures of a filling, each of which has a panel of the picture if anything is known of it. */
static const struct
{
	const char *name;
	bool percent;
} figures[] = {
	{"rows, rounded", false},
	{"missing rows", true},
	{"information lost", true},
	{"rows of the smallest class, at least", false},
};

#define FIGURES 4

typedef struct HistoryFigures
{
	int fillings;
	const ReleaseChapter *filling;
	double *figure[FIGURES]; /* [filling], coarse */
	bool known[FIGURES];     /* of a filling */
} HistoryFigures;

/*
 * The figures of a filling, in steps of its own, or pages of several days would together tell more
 * than one.  Where rows of people who left stay, those that are missing would say little.
 */
static void
round_filling(const ReleaseReport *report, const ReleaseChapter *filling, double *figure)
{
	int64 all = filling->source_rows;
	Coarse steps = coarse_of(Max(all >= 0 ? all : filling->rows, 0), report->k);

	for (int i = 0; i < FIGURES; i++)
		figure[i] = NAN;
	if (filling->rows >= 0)
		figure[0] = coarse_rows(&steps, (double) filling->rows);
	if (filling->missing >= 0 && all >= 0 && !report->entry->recoding->advance)
		figure[1] = coarse_share(&steps, (double) filling->missing / (double) Max(all, 1));
	figure[2] = coarse_share(&steps, filling->loss);
	if (filling->smallest >= 0)
		figure[3] = coarse_size(filling->smallest, report->k);
}

/* "rows: 45000, 45200, not known." of the last fillings. */
static char *
describe(const HistoryFigures *history)
{
	int first = Max(history->fillings - LISTED, 0);
	StringInfoData words;

	initStringInfo(&words);
	appendStringInfo(&words, "%d fillings, %s to %s.", history->fillings, history->filling[0].when,
					 history->filling[history->fillings - 1].when);
	for (int i = 0; i < FIGURES; i++)
	{
		if (!history->known[i])
			continue;
		appendStringInfo(&words, " %s:", figures[i].name);
		for (int at = first; at < history->fillings; at++)
			appendStringInfo(&words, "%s %s", at > first ? "," : "",
							 chart_number(history->figure[i][at], figures[i].percent));
		appendStringInfoChar(&words, '.');
	}
	return words.data;
}

/* The panels one above the other; the last one says what the time is. */
static SvgPicture
draw(const ReleaseReport *report, const HistoryFigures *history)
{
	int fillings = history->fillings;
	Svg *svg = svg_begin(0, psprintf("History: %s", report->release), describe(history));
	double *days = palloc(sizeof(double) * fillings);
	ChartAxis x = {.days = true, .least = NAN, .greatest = NAN};
	int last = FIGURES - 1;
	int drawn = 0;

	for (int at = 0; at < fillings; at++)
	{
		days[at] = history->filling[at].days;
		chart_axis_reach(&x, days[at]);
	}
	/* Within a minute there is nothing to tell apart. */
	x.greatest = Max(x.greatest, x.least + 1 / 1440.0);
	while (last > 0 && !history->known[last])
		last--;
	for (int i = 0; i <= last; i++)
	{
		bool percent = figures[i].percent;
		ChartAxis y = {.name = figures[i].name, .percent = percent, .whole = !percent};
		Chart chart;

		if (!history->known[i])
			continue;
		for (int at = 0; at < fillings; at++)
			chart_axis_reach(&y, history->figure[i][at]);
		x.name = i == last ? "UTC" : "";
		chart = chart_begin(svg, PANEL, x, y);
		chart_line(&chart, drawn++, figures[i].name, days, history->figure[i], fillings);
		chart_end(&chart);
	}
	return svg_end(svg);
}

void
history_section_gather(ReleaseReport *report)
{
	HistoryFigures *history = palloc0(sizeof(HistoryFigures));
	ReleaseChapter *filling;
	double figure[FIGURES];

	history->fillings = release_history_chapters(report->entry->release, FILLINGS, &filling);
	history->filling = filling;
	for (int f = 0; f < FIGURES; f++)
		history->figure[f] = palloc(sizeof(double) * Max(history->fillings, 1));
	for (int i = 0; i < history->fillings; i++)
	{
		round_filling(report, &filling[i], figure);
		for (int f = 0; f < FIGURES; f++)
		{
			history->figure[f][i] = figure[f];
			history->known[f] = history->known[f] || !isnan(figure[f]);
		}
		report->filled_missing = figure[1];
		report->filled_loss = figure[2];
	}
	if (history->fillings > 1)
		report->picture[PICTURE_HISTORY] = draw(report, history);
	report->history = history;
}

void
history_section_write(Html *html, const ReleaseReport *report)
{
	const HistoryFigures *history = report->history;
	int fillings = history ? history->fillings : 0;
	int first = Max(fillings - LISTED, 0);

	html_section(html, "History");
	HTML_PARAGRAPH(html,
				   "Figures of a filling are rounded, the same way on every page: rows to about 1 "
				   "%% of the table, but at least to %.0f; shares to 1 %% or more; sizes of "
				   "classes down to %.0f, %.0f, %.0f and so on.",
				   coarse_of(0, report->k).step, 1.0 * report->k, 2.0 * report->k, 4.0 * report->k);
	html_picture(html, report->picture[PICTURE_HISTORY]);
	HTML_TABLE(html, first > 0 ? psprintf("The last %d fillings", LISTED) : "Fillings", "when",
			   "how", "by", "rows", "missing", "lost", "smallest class");
	for (int i = first; i < fillings; i++)
		HTML_ROW(html, history->filling[i].when, history->filling[i].how, history->filling[i].by,
				 html_figure(history->figure[0][i]), html_share(history->figure[1][i]),
				 html_share(history->figure[2][i]), html_figure(history->figure[3][i]));
	html_table_end(html);
}
