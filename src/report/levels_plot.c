/*
 * levels_plot.c
 *		See levels_plot.h.
 */
#include "postgres.h"

#include "report/levels_plot.h"

#include "base/interrupt.h"
#include "report/chart.h"

#define WIDTH 640.0
#define LEFT 150.0
#define RIGHT 628.0
#define TOP 60.0
#define BOX 18.0
#define ROW 50.0
#define LETTER 6.5

static char *
describe(const LevelsPlot *plot)
{
	StringInfoData words;

	initStringInfo(&words);
	for (int i = 0; i < plot->columns; i++)
	{
		const LevelsColumn *column = &plot->column[i];

		CHECK_FOR_INTERRUPTS();
		appendStringInfo(&words, "%s%s:", i > 0 ? " " : "", column->name);
		for (int level = 0; level < column->levels; level++)
			if (column->share[level] > 0)
				appendStringInfo(&words, " %s %s;", column->level[level],
								 chart_number(column->share[level], true));
	}
	return words.data;
}

/* Boxes from left to right, filled by their share. */
static void
draw_column(Svg *svg, const LevelsColumn *column, double top)
{
	double step = (RIGHT - LEFT) / Max(column->levels, 1);

	svg_label(svg, LEFT - 8, top + 13, SVG_END, svg_clip(column->name, 22));
	for (int level = 0; level < column->levels; level++)
	{
		double left = LEFT + step * level;
		double width = Max(step - 6, 1);
		const char *number = chart_number(column->share[level], true);
		const char *tip = psprintf("%s, %s: %s", column->name, column->level[level], number);

		svg_area(svg, 5, left, top, width, BOX, tip);
		if (column->share[level] > 0)
			svg_bar(svg, 0, left, top, width * column->share[level], BOX, tip);
		if (step < 5 * LETTER)
			continue;
		svg_label(svg, left, top + BOX + 13, SVG_START,
				  column->share[level] > 0 && step > 9 * LETTER
					  ? psprintf("%s %s", svg_clip(column->level[level], (int) (step / LETTER) - 5),
								 number)
					  : svg_clip(column->level[level], (int) (step / LETTER)));
	}
}

SvgPicture
levels_plot_draw(const LevelsPlot *plot)
{
	const char *title = psprintf("How values were generalized: %s", plot->relation);
	Svg *svg = svg_begin(WIDTH, TOP + ROW * Max(plot->columns, 1), title, describe(plot));

	svg_label(svg, LEFT, 42, SVG_START, "from the value itself to anything: share of the rows");
	for (int i = 0; i < plot->columns; i++)
	{
		CHECK_FOR_INTERRUPTS();
		draw_column(svg, &plot->column[i], TOP + ROW * i);
	}
	return svg_end(svg);
}
