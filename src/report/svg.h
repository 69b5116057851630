/*
 * svg.h
 *		Self-contained SVG pictures, for light and dark mode, with descriptions for readers who
 *		cannot see them.
 *
 * Lengths are in pixels, from the left and from the top; a viewer scales the picture.  Texts are
 * escaped here and nowhere else.
 */
#ifndef KANON_SVG_H
#define KANON_SVG_H

#include "postgres.h"

#include "lib/stringinfo.h"

#define SVG_COLORS 6 /* further series reuse the colors, dashed */

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

/* A complete picture.  Only the functions here make it, so it is included without escaping. */
typedef struct SvgPicture
{
	char *text;
} SvgPicture;

/*
 * Begins a picture of that size with its title above; both texts describe it.  In the current
 * context.
 */
extern Svg *svg_begin(double width, double height, const char *title, const char *description);

/* Ends the picture. */
extern SvgPicture svg_end(Svg *svg);

extern void svg_text(Svg *svg, double x, double y, SvgAnchor anchor, const char *text);

/* A less prominent text, such as the numbers on axes. */
extern void svg_label(Svg *svg, double x, double y, SvgAnchor anchor, const char *text);

extern void svg_line(Svg *svg, double x1, double y1, double x2, double y2);

/* Shapes of a series, by its number from 0; tip: shown by a viewer on hovering, or NULL. */
extern void svg_bar(Svg *svg, int series, double x, double y, double width, double height,
					const char *tip);
extern void svg_area(Svg *svg, int series, double x, double y, double width, double height,
					 const char *tip); /* translucent */
extern void svg_dot(Svg *svg, int series, double x, double y, const char *tip);
extern void svg_path(Svg *svg, int series, const double *x, const double *y, int points);

/* A legend of series in a row from there on; one line each if that is too wide. */
extern void svg_legend(Svg *svg, double x, double y, const char *const *names, int count);

/* At most this many letters of the text, with .. if it is longer; in the current context. */
extern char *svg_clip(const char *text, int letters);

/*
 * The text with &, <, > and quotes escaped, in the current context.  Letters beyond ASCII are
 * numbers, so that a page is the same in every encoding; controls, and what turns the direction of
 * text, are "?".
 */
extern char *svg_escape(const char *text);

#endif /* KANON_SVG_H */
