/*
 * report_pictures.c
 *		See report_pictures.h.
 */
#include "postgres.h"

#include "report/report_pictures.h"

#include <math.h>

#include "report/bars_plot.h"
#include "report/history_plot.h"

#define FILLINGS 1000 /* only the last ones can be distinguished */

static bool
has_history(const ReleaseReport *report)
{
	return report->fillings > 1;
}

static bool
any_known(const double *value, int count)
{
	for (int i = 0; i < count; i++)
		if (!isnan(value[i]))
			return true;
	return false;
}

static SvgPicture
draw_history(const ReleaseReport *report)
{
	int first = Max(report->fillings - FILLINGS, 0);
	int count = report->fillings - first;
	HistoryLine line[] = {{.name = "rows, rounded"},
						  {.name = "missing rows", .percent = true},
						  {.name = "information lost", .percent = true},
						  {.name = "rows of the smallest class, at least"}};
	double *value[lengthof(line)];
	double *days = palloc(sizeof(double) * Max(count, 1));
	HistoryPlot plot = {.relation = report->release,
						.when = "none yet",
						.fillings = count,
						.at = days,
						.line = line};

	for (int i = 0; i < (int) lengthof(line); i++)
		value[i] = palloc(sizeof(double) * Max(count, 1));
	for (int at = 0; at < count; at++)
	{
		const ReportFilling *filling = &report->filling[first + at];

		days[at] = filling->days;
		value[0][at] = filling->rows;
		value[1][at] = filling->missing;
		value[2][at] = filling->loss;
		value[3][at] = filling->smallest;
	}
	if (count > 0)
		plot.when = psprintf("%s to %s", report->filling[first].when,
							 report->filling[report->fillings - 1].when);
	for (int i = 0; i < (int) lengthof(line); i++)
		if (any_known(value[i], count))
		{
			line[plot.lines] = line[i];
			line[plot.lines++].value = value[i];
		}
	return history_plot_draw(&plot);
}

static bool
has_classes(const ReleaseReport *report)
{
	return (report->traits & REPORT_HAS_CLASSES) && report->classes > 0;
}

static SvgPicture
draw_classes(const ReleaseReport *report)
{
	return classes_plot_draw(&report->sizes);
}

static bool
has_risk(const ReleaseReport *report)
{
	return report->before.known || report->after.known;
}

static double
known(const ReportRisk *risk, double value)
{
	return risk->known ? value : NAN;
}

static SvgPicture
draw_risk(const ReleaseReport *report)
{
	const ReportRisk *before = &report->before;
	const ReportRisk *after = &report->after;
	const double value[] = {
		known(before, before->average), known(after, after->average),
		known(before, before->at_risk), known(after, after->at_risk),
		known(before, before->uniques), known(after, after->uniques),
	};
	const char *const label[] = {
		"average",
		psprintf("above 1 in %d", report->k),
		"unique rows",
	};
	/* A mean beside a bound would look as if the risk had risen. */
	int skipped = report->traits & REPORT_HAS_CLASSES ? 0 : 1;

	return bars_plot_draw(&(BarsPlot){
		.title = psprintf("Risk before and after: %s", report->release),
		.unit =
			skipped ? "share of the rows" : "share of the rows, or chance to find the right one",
		.series = 2,
		.name = (const char *const[]){"the table as it is now, rounded", "the release"},
		.labels = (int) lengthof(label) - skipped,
		.label = label + skipped,
		.value = value + (Size) 2 * skipped,
		.percent = true,
	});
}

static bool
has_levels(const ReleaseReport *report)
{
	return report->leveled > 0;
}

static bool
has_loss(const ReleaseReport *report)
{
	return report->leveled > 0 && !isnan(report->loss);
}

static SvgPicture
draw_loss(const ReleaseReport *report)
{
	const char **label = palloc(sizeof(char *) * (report->columns + 1));
	double *value = palloc(sizeof(double) * (report->columns + 1));
	int count = 0;

	for (int i = 0; i < report->columns; i++)
		if (report->column[i].quasi && !isnan(report->column[i].loss))
		{
			label[count] = report->column[i].name;
			value[count++] = report->column[i].loss;
		}
	return bars_plot_draw(&(BarsPlot){
		.title = psprintf("Information lost by column: %s", report->release),
		.unit = "share of the information in the table as it is now, rounded",
		.series = 1,
		.name = (const char *const[]){"lost"},
		.labels = count,
		.label = label,
		.value = value,
		.percent = true,
	});
}

static SvgPicture
draw_levels(const ReleaseReport *report)
{
	int count = 0;
	const char **label;
	double *value;

	for (int i = 0; i < report->leveled; i++)
		count += report->levels[i].levels + 1;
	label = palloc(sizeof(char *) * Max(count, 1));
	value = palloc(sizeof(double) * Max(count, 1));
	count = 0;
	for (int i = 0; i < report->leveled; i++)
	{
		value[count] = NAN;
		label[count++] = report->levels[i].name;
		for (int level = 0; level < report->levels[i].levels; level++)
		{
			value[count] = report->levels[i].share[level];
			label[count++] = report->levels[i].level[level];
		}
	}
	return bars_plot_draw(&(BarsPlot){
		.title = psprintf("How values were generalized: %s", report->release),
		.unit = "share of the rows",
		.series = 1,
		.name = (const char *const[]){"rows"},
		.labels = count,
		.label = label,
		.value = value,
		.percent = true,
	});
}

static bool
has_map(const ReleaseReport *report)
{
	return report->map.count > 0;
}

static SvgPicture
draw_map(const ReleaseReport *report)
{
	return map_plot_draw(&report->map);
}

static bool
has_errors(const ReleaseReport *report)
{
	return report->errors > 0;
}

static SvgPicture
draw_errors(const ReleaseReport *report)
{
	const char **label = palloc(sizeof(char *) * (report->errors + 1));
	double *value = palloc(sizeof(double) * (report->errors + 1));

	for (int i = 0; i < report->errors; i++)
	{
		label[i] = report->error[i].columns == 1 ? "1 column"
												 : psprintf("%d columns", report->error[i].columns);
		value[i] = report->error[i].error;
	}
	return bars_plot_draw(&(BarsPlot){
		.title = psprintf("Error of counts: %s", report->release),
		.unit = "mean relative error of count queries, by their columns, against the table as it "
				"is now,"
				" at most",
		.series = 1,
		.name = (const char *const[]){"error"},
		.labels = report->errors,
		.label = label,
		.value = value,
		.percent = true,
	});
}

static bool
has_distribution(const ReleaseReport *report)
{
	return report->distributions > 0;
}

/* All columns below each other, each under its name. */
static SvgPicture
draw_distribution(const ReleaseReport *report)
{
	int series = report->traits & REPORT_HAS_CLASSES ? 2 : 1;
	int count = 0;
	const char **label;
	double *value;

	for (int i = 0; i < report->distributions; i++)
		count += report->distribution[i].values + 1;
	label = palloc(sizeof(char *) * Max(count, 1));
	value = palloc(sizeof(double) * Max(count * series, 1));
	count = 0;
	for (int i = 0; i < report->distributions; i++)
	{
		const ReportDistribution *column = &report->distribution[i];

		for (int s = 0; s < series; s++)
			value[count * series + s] = NAN;
		label[count++] = column->column;
		for (int v = 0; v < column->values; v++)
		{
			value[count * series] = column->whole[v];
			if (series > 1)
				value[count * series + 1] = column->class ? column->farthest[v] : NAN;
			label[count++] = column->value[v];
		}
	}
	return bars_plot_draw(&(BarsPlot){
		.title = psprintf("Sensitive values: %s", report->release),
		.unit = "share of the rows",
		.series = series,
		.name = (const char *const[]){"the whole release", "the class farthest from it"},
		.labels = count,
		.label = label,
		.value = value,
		.percent = true,
	});
}

const ReportPicture report_pictures[] = {
	{"history", REPORT_HISTORY, has_history, draw_history,
	 "It was filled once; a line needs two fillings."},
	{"classes", REPORT_CLASSES, has_classes, draw_classes,
	 "Its recoding makes no classes, or it is empty."},
	{"risk", REPORT_CLASSES | REPORT_RISK | REPORT_PROOF, has_risk, draw_risk,
	 "It and its table are empty."},
	{"loss", REPORT_CELLS, has_loss, draw_loss, "It is empty."},
	{"levels", REPORT_CELLS, has_levels, draw_levels,
	 "It is empty, or its cells could not be measured."},
	{"map", REPORT_MAP, has_map, draw_map,
	 "A map needs two quasi-identifiers whose cells are ranges of numbers or dates. Labels of a "
	 "dimension are none."},
	{"errors", REPORT_CELLS, has_errors, draw_errors,
	 "It is empty, or no count query could be made from its quasi-identifiers."},
	{"distribution", REPORT_CLASSES, has_distribution, draw_distribution,
	 "It has no sensitive column, or it is empty."},
	{NULL},
};

const ReportPicture *
report_picture(const char *name)
{
	for (const ReportPicture *picture = report_pictures; picture->name; picture++)
		if (strcmp(picture->name, name) == 0)
			return picture;
	return NULL;
}
