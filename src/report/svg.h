/*
 * svg.h
 *		Pictures as SVG: a text that needs nothing else, in light and in dark, with words for
 *		those who do not see it.
 *
 * Lengths are in pixels, from the left and from the top; a viewer scales the whole.  Texts are
 * escaped here and nowhere else.
 */
#ifndef KANON_SVG_H
#define KANON_SVG_H

#include "postgres.h"

#include "lib/stringinfo.h"

#define SVG_COLORS 6 /* series beyond them begin again, dashed */

typedef enum SvgAnchor
{
	SVG_START,
	SVG_MIDDLE,
	SVG_END
} SvgAnchor;

typedef struct Svg
{
	StringInfoData text;
	double width;
	double height;
} Svg;

/* A whole picture: what only the functions here have written, so that it goes as it is. */
typedef struct SvgPicture
{
	char *text;
} SvgPicture;

/* A picture of that size with its title above; both texts say what is to be seen.  Current context.
 */
extern Svg *svg_begin(double width, double height, const char *title, const char *description);

/* Nothing can be added any more. */
extern SvgPicture svg_end(Svg *svg);

extern void svg_text(Svg *svg, double x, double y, SvgAnchor anchor, const char *text);

/* The same for numbers on axes and the like, which are less than what they measure. */
extern void svg_label(Svg *svg, double x, double y, SvgAnchor anchor, const char *text);

extern void svg_line(Svg *svg, double x1, double y1, double x2, double y2);

/* Of a series, by its number from 0; tip: what a viewer shows of it, or NULL. */
extern void svg_bar(Svg *svg, int series, double x, double y, double width, double height,
					const char *tip);
extern void svg_area(Svg *svg, int series, double x, double y, double width, double height,
					 const char *tip); /* one sees through it */
extern void svg_dot(Svg *svg, int series, double x, double y, const char *tip);
extern void svg_path(Svg *svg, int series, const double *x, const double *y, int points);

/* Names of series in a row, from there on; a line for each if they are too wide. */
extern void svg_legend(Svg *svg, double x, double y, const char *const *names, int count);

/* At most so many letters of it, with .. where there are more; current context. */
extern char *svg_clip(const char *text, int letters);

/* The text with &, <, > and quotes escaped, in the current context. */
extern char *svg_escape(const char *text);

#endif /* KANON_SVG_H */
