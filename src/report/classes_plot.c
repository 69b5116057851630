/*
 * classes_plot.c
 *		See classes_plot.h.
 */
#include "postgres.h"

#include "report/classes_plot.h"

#include "port/pg_bitutils.h"
#include "report/bars_plot.h"

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
	const char *label[CLASSES_PLOT_BINS];
	double value[CLASSES_PLOT_BINS];
	int first = CLASSES_PLOT_BINS;
	int last = -1;
	const char *of_k = plot->k > 0 ? psprintf(", k = %d", plot->k) : "";

	for (int bin = 0; bin < CLASSES_PLOT_BINS; bin++)
		if (plot->classes[bin] > 0)
		{
			first = Min(first, bin);
			last = bin;
		}
	for (int bin = first; bin <= last; bin++)
	{
		label[bin - first] = sizes_of(plot, bin);
		value[bin - first] = (double) plot->rows[bin];
	}
	return bars_plot_draw(&(BarsPlot){
		.title = psprintf("Sizes of classes: %s%s", plot->relation, of_k),
		.unit = "rows in classes of that size",
		.description = describe(plot, first, last),
		.series = 1,
		.name = (const char *const[]){"rows"},
		.labels = Max(last - first + 1, 0),
		.label = label,
		.value = value,
		.marked = first == 0 ? 1 : 0,
	});
}
