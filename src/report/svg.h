/*
 * svg.h
 *		Self-contained SVG pictures, for light and dark mode, with descriptions for readers who
 *		cannot see them.
 *
 * A picture is as wide as whoever shows it wants, from SVG_LEAST pixels on: lengths from left to
 * right are percent of its width, without a small margin, and those from top to bottom are pixels;
 * texts keep their size.  A fixed picture has pixels in both directions, and a viewer scales it.
 * Texts are escaped here and nowhere else.
 */
#ifndef KANON_SVG_H
#define KANON_SVG_H

#include "postgres.h"

#include "lib/stringinfo.h"

#define SVG_COLORS 6    /* further series reuse the colors, dashed */
#define SVG_LEAST 320.0 /* pixels: what must fit and not collide in a picture so narrow */
#define SVG_LETTER 5.8  /* average width of a letter of a label */

typedef enum SvgAnchor
{
	SVG_START,
	SVG_MIDDLE,
	SVG_END
} SvgAnchor;

typedef enum SvgLook
{
	SVG_PLAIN,
	SVG_LABEL,  /* less prominent, such as the numbers on axes */
	SVG_BESIDE, /* the same, a few pixels right of its place */
	SVG_NAME    /* right of the color of a series */
} SvgLook;

typedef struct Svg
{
	StringInfoData text;
	const char *title;
	const char *description;
	double fixed;  /* its width, if it is fixed, otherwise 0 */
	double bottom; /* of the texts above; whoever draws sets it to that of the picture */
} Svg;

/* A complete picture.  Only the functions here make it, so it is included without escaping. */
typedef struct SvgPicture
{
	char *text;
} SvgPicture;

/*
 * Begins a picture with its title above; both texts describe it.  fixed: its width in pixels, or 0.
 * In the current context.
 */
extern Svg *svg_begin(double fixed, const char *title, const char *description);

/* Ends the picture, svg->bottom pixels high. */
extern SvgPicture svg_end(Svg *svg);

extern void svg_text(Svg *svg, SvgLook look, double x, double y, SvgAnchor anchor,
					 const char *text);

/* A label below the texts above, in lines. */
extern void svg_caption(Svg *svg, const char *text);

extern void svg_line(Svg *svg, double x1, double y1, double x2, double y2);

/*
 * Shapes of a series, by its number from 0; tip: shown by a viewer on hovering, or NULL.  A bar is
 * filled or translucent.
 */
extern void svg_bar(Svg *svg, int series, bool filled, double x, double y, double width,
					double height, const char *tip);
extern void svg_dot(Svg *svg, int series, double x, double y, const char *tip);
extern void svg_path(Svg *svg, int series, const double *x, const double *y, int points);

/* A legend of series below svg->bottom, which is that of the legend then. */
extern void svg_legend(Svg *svg, const char *const *names, int count);

/* At most this many letters of the text, with .. if it is longer; in the current context. */
extern char *svg_clip(const char *text, int letters);

/*
 * The text with &, <, > and quotes escaped, in the current context.  Letters beyond ASCII are
 * numbers, so that a page is the same in every encoding; controls, and what turns the direction of
 * text, are "?".
 */
extern char *svg_escape(const char *text);

#endif /* KANON_SVG_H */
