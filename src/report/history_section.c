/*
 * history_section.c
 *		The fillings of a release.
 */
#include "postgres.h"

#include "report/report_section.h"

#include <math.h>

#include "report/plots.h"

#define FILLINGS 1000 /* the last ones: more cannot be distinguished */
#define LISTED 20     /* .. of which so many in the table */
#define FIGURES 4     /* of a filling: rows, missing, loss, smallest */

typedef struct HistoryFigures
{
	int fillings;
	const ReleaseChapter *filling;
	double *figure[FIGURES]; /* [filling], coarse */
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

static void
draw_history(ReleaseReport *report, const HistoryFigures *history)
{
	int last = history->fillings - 1;
	double *days = palloc(sizeof(double) * history->fillings);
	HistoryLine line[FIGURES] = {
		{"rows, rounded", false, history->figure[0]},
		{"missing rows", true, history->figure[1]},
		{"information lost", true, history->figure[2]},
		{"rows of the smallest class, at least", false, history->figure[3]}};

	for (int i = 0; i <= last; i++)
		days[i] = history->filling[i].days;
	report->picture[PICTURE_HISTORY] = history_plot_draw(&(HistoryPlot){
		.relation = report->release,
		.when = psprintf("%s to %s", history->filling[0].when, history->filling[last].when),
		.fillings = history->fillings,
		.at = days,
		.lines = FIGURES,
		.line = line,
	});
}

void
history_section_gather(ReleaseReport *report)
{
	HistoryFigures *history = palloc(sizeof(HistoryFigures));
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
			history->figure[f][i] = figure[f];
		report->filled_missing = figure[1];
		report->filled_loss = figure[2];
	}
	if (history->fillings > 1)
		draw_history(report, history);
	report->history = history;
}

void
history_section_write(Html *html, const ReleaseReport *report)
{
	const HistoryFigures *history = report->history;
	int fillings = history ? history->fillings : 0;
	int first = Max(fillings - LISTED, 0);

	html_section(html, "History");
	html_element(html, "p",
				 psprintf("Figures of a filling are rounded, the same way on every page: rows to"
						  " about 1 %% of the table, but at least to %.0f; shares to 1 %% or more;"
						  " sizes of classes down to %.0f, %.0f, %.0f and so on.",
						  coarse_of(0, report->k).step, 1.0 * report->k, 2.0 * report->k,
						  4.0 * report->k));
	html_picture(html, report->picture[PICTURE_HISTORY]);
	HTML_TABLE(html, first > 0 ? psprintf("The last %d fillings", LISTED) : "Fillings", "when",
			   "how", "by", "rows", "missing", "lost", "smallest class");
	for (int i = first; i < fillings; i++)
		HTML_ROW(html, history->filling[i].when, history->filling[i].how, history->filling[i].by,
				 html_figure(history->figure[0][i]), html_share(history->figure[1][i]),
				 html_share(history->figure[2][i]), html_figure(history->figure[3][i]));
	html_table_end(html);
	html_section_end(html);
}
