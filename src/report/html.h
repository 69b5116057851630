/*
 * html.h
 *		A page of HTML that needs nothing else: no script, nothing to be fetched, in light and in
 *		dark, for screens of any width and for paper.
 *
 * All texts are escaped here; what is none of a caller's is a tag, which is a constant.
 */
#ifndef KANON_HTML_H
#define KANON_HTML_H

#include "postgres.h"

#include "report/svg.h"

typedef struct Html
{
	StringInfoData text;
	int columns; /* of the table that was begun */
} Html;

/* A page with its title, also as its first heading; current context. */
extern Html *html_begin(const char *title);
extern char *html_end(Html *html);

/* <tag>text</tag> */
extern void html_element(Html *html, const char *tag, const char *text);

/* A part of the page with its heading; sections do not nest. */
extern void html_section(Html *html, const char *heading);
extern void html_section_end(Html *html);

/*
 * A table with the names of its columns, and rows of as many cells, the first of which names the
 * row; NULL is a dash.  caption: or NULL.
 */
extern void html_table(Html *html, const char *caption, const char *const *names, int columns);
extern void html_row(Html *html, const char *const *cells);
extern void html_table_end(Html *html);

extern void html_picture(Html *html, SvgPicture picture);

#endif /* KANON_HTML_H */
