/*
 * html.h
 *		A self-contained HTML page: no script, nothing to fetch, for light and dark mode, any screen
 *		width and paper.
 *
 * All texts are escaped here.  Tags are constants.
 */
#ifndef KANON_HTML_H
#define KANON_HTML_H

#include "postgres.h"

#include "report/svg.h"

typedef struct Html
{
	StringInfoData text;
	bool section;            /* one has begun */
	int columns;             /* of the current table */
	const char *const *name; /* .. where its cells repeat them; otherwise NULL */
} Html;

/* Begins a page; the title is also its first heading.  In the current context. */
extern Html *html_begin(const char *title);
extern char *html_end(Html *html);

/* <tag>text</tag>, and a paragraph of a format and its arguments. */
extern void html_element(Html *html, const char *tag, const char *text);
#define HTML_PARAGRAPH(html, ...) html_element(html, "p", psprintf(__VA_ARGS__))

/* Begins a section with its heading, which ends the one before. */
extern void html_section(Html *html, const char *heading);

/*
 * A table with the names of its columns (kept until its end), or NULL for none, and rows with as
 * many cells, the first of which is the row's heading; NULL is shown as a dash. caption: or NULL.
 */
extern void html_table(Html *html, const char *caption, const char *const *names, int columns);
extern void html_row(Html *html, const char *const *cells);
extern void html_table_end(Html *html);

#define HTML_TABLE(html, caption, ...)                                                             \
	html_table(html, caption, (const char *const[]){__VA_ARGS__},                                  \
			   (int) lengthof(((const char *const[]){__VA_ARGS__})))
#define HTML_ROW(html, ...) html_row(html, (const char *const[]){__VA_ARGS__})

/* A figure as the text of a cell, all digits of a whole number, or a share; NULL for NaN. */
extern char *html_figure(double value);
extern char *html_share(double value);

/* A picture, if it has a text. */
extern void html_picture(Html *html, SvgPicture picture);

#endif /* KANON_HTML_H */
