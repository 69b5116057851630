/*
 * classes_plot.c
 *		See classes_plot.h.
 */
#include "postgres.h"

#include "report/classes_plot.h"

#include "port/pg_bitutils.h"
#include "report/chart.h"

#define LEFT 170.0
#define RIGHT 560.0
#define TOP 60.0
#define BAR 24.0

void
classes_plot_add(ClassesPlot *plot, int64 rows)
{
	int64 times = rows / Max(plot->k, 1);
	int bin = times == 0 ? 0 : pg_leftmost_one_pos64((uint64) times) + 1;

	plot->classes[bin]++;
	plot->rows[bin] += rows;
}

static char *
sizes_of(const ClassesPlot *plot, int bin)
{
	int64 least = bin == 0 ? 1 : (int64) Max(plot->k, 1) << (bin - 1);
	int64 most = bin == 0 ? plot->k - 1 : 2 * least - 1;

	if (least == most)
		return psprintf(INT64_FORMAT " row%s", least, least == 1 ? "" : "s");
	return psprintf(INT64_FORMAT " to " INT64_FORMAT " rows", least, most);
}

static char *
describe(const ClassesPlot *plot, int first, int last)
{
	StringInfoData words;

	initStringInfo(&words);
	for (int bin = first; bin <= last; bin++)
		appendStringInfo(&words, "%sClasses of %s: " INT64_FORMAT ", with " INT64_FORMAT " rows.",
						 bin > first ? " " : "", sizes_of(plot, bin), plot->classes[bin],
						 plot->rows[bin]);
	if (last < first)
		appendStringInfoString(&words, "There are no rows.");
	return words.data;
}

SvgPicture
classes_plot_draw(const ClassesPlot *plot)
{
	int first = CLASSES_PLOT_BINS;
	int last = -1;
	int64 most = 1;
	char *title;
	Svg *svg;

	for (int bin = 0; bin < CLASSES_PLOT_BINS; bin++)
		if (plot->classes[bin] > 0)
		{
			first = Min(first, bin);
			last = bin;
			most = Max(most, plot->rows[bin]);
		}
	title = plot->k > 0 ? psprintf("Sizes of classes: %s, k = %d", plot->relation, plot->k)
						: psprintf("Sizes of classes: %s", plot->relation);
	svg = svg_begin(640, TOP + BAR * Max(last - first + 1, 1) + 20, title,
					describe(plot, first, last));
	svg_label(svg, LEFT, 42, SVG_START, "rows in classes of that size");
	for (int bin = first; bin <= last; bin++)
	{
		double top = TOP + BAR * (bin - first);
		double width = (double) plot->rows[bin] / (double) most * (RIGHT - LEFT);

		svg_label(svg, LEFT - 6, top + 13, SVG_END, sizes_of(plot, bin));
		svg_bar(svg, bin == 0 ? 1 : 0, LEFT, top, width, BAR - 6,
				psprintf(INT64_FORMAT " classes, " INT64_FORMAT " rows", plot->classes[bin],
						 plot->rows[bin]));
		svg_label(svg, LEFT + width + 6, top + 13, SVG_START,
				  psprintf(INT64_FORMAT, plot->rows[bin]));
	}
	return svg_end(svg);
}
