/*
 * html.c
 *		See html.h.
 */
#include "postgres.h"

#include "report/html.h"

#include <math.h>

#include "report/chart.h"

#define FEW 3 /* columns that fit on any screen */

/* The browser may load nothing and run nothing, whatever a text contains. */
static const char *const head =
	"<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
	"<meta http-equiv=\"Content-Security-Policy\""
	" content=\"default-src 'none';style-src 'unsafe-inline'\">\n"
	"<meta name=\"referrer\" content=\"no-referrer\">\n"
	"<meta name=\"color-scheme\" content=\"light dark\">\n";

static const char *const style =
	"<style>"
	":root{color:#222;background:#fff;font:16px/1.5 system-ui,sans-serif}"
	"body{max-width:72rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}"
	"h1{font-size:1.7rem;line-height:1.2}h2{font-size:1.25rem;margin-top:2.5rem;"
	"border-bottom:1px solid #8888}p{max-width:48rem}"
	"figure,.w{margin:1.5rem 0}figure>svg{width:100%;display:block}"
	"table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}"
	"caption{text-align:left;font-weight:600;padding:.3rem 0}"
	"td,th{padding:.25rem .9rem .25rem 0;text-align:left;vertical-align:top;"
	"border-bottom:1px solid #8884;min-width:3.9rem;max-width:30rem}"
	"thead th{vertical-align:bottom;overflow-wrap:normal}tbody th{font-weight:400}"
	"pre{padding:.6rem;background:#8882;font-size:.85rem;white-space:pre-wrap}"
	"@media screen and (max-width:44rem){.m :is(table,caption,tbody,tr){display:block}"
	".m thead{display:none}.m "
	":is(td,th){display:inline-block;border:0;max-width:none;min-width:0}.m "
	":is(td,th)::before{content:attr(data-name) \": \";"
	"opacity:.75}.m tr{border-bottom:1px solid #8884;padding:.4rem 0}}"
	"@media screen and (prefers-color-scheme:dark){:root{color:#ddd;background:#161616}}"
	"@media print{body{max-width:none;padding:0;font-size:10pt}section,figure,tr{"
	"break-inside:avoid-page}}"
	"</style>\n";

void
html_element(Html *html, const char *tag, const char *text)
{
	appendStringInfo(&html->text, "<%s>%s</%s>\n", tag, svg_escape(text), tag);
}

Html *
html_begin(const char *title)
{
	Html *html = palloc0(sizeof(Html));

	initStringInfo(&html->text);
	appendStringInfo(&html->text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n%s", head);
	html_element(html, "title", title);
	appendStringInfo(&html->text, "%s</head>\n<body>\n<main>\n", style);
	html_element(html, "h1", title);
	return html;
}

char *
html_end(Html *html)
{
	appendStringInfo(&html->text, "%s</main>\n</body>\n</html>\n",
					 html->section ? "</section>\n" : "");
	return html->text.data;
}

void
html_section(Html *html, const char *heading)
{
	appendStringInfo(&html->text, "%s<section>\n", html->section ? "</section>\n" : "");
	html->section = true;
	html_element(html, "h2", heading);
}

/* On a narrow screen, each row of a table with many columns is a list. */
void
html_table(Html *html, const char *caption, const char *const *names, int columns)
{
	html->columns = columns;
	html->name = columns > FEW ? names : NULL;
	appendStringInfo(&html->text, "<div class=\"w%s\"><table>\n", html->name ? " m" : "");
	if (caption)
		html_element(html, "caption", caption);
	appendStringInfoString(&html->text, "<thead><tr>");
	for (int i = 0; i < columns && names; i++)
		html_element(html, "th", names[i]);
	appendStringInfoString(&html->text, "</tr></thead>\n<tbody>\n");
}

void
html_row(Html *html, const char *const *cells)
{
	appendStringInfoString(&html->text, "<tr>");
	for (int i = 0; i < html->columns; i++)
		appendStringInfo(&html->text, i == 0 ? "<th scope=\"row\"%s>%s</th>" : "<td%s>%s</td>",
						 html->name ? psprintf(" data-name=\"%s\"", svg_escape(html->name[i])) : "",
						 cells[i] ? svg_escape(cells[i]) : "&ndash;");
	appendStringInfoString(&html->text, "</tr>\n");
}

void
html_table_end(Html *html)
{
	appendStringInfoString(&html->text, "</tbody></table></div>\n");
}

char *
html_figure(double value)
{
	return isnan(value)            ? NULL
		   : value == floor(value) ? psprintf("%.0f", value)
								   : chart_number(value, false);
}

char *
html_share(double value)
{
	return isnan(value) ? NULL : chart_number(value, true);
}

void
html_picture(Html *html, SvgPicture picture)
{
	if (picture.text)
		appendStringInfo(&html->text, "<figure>\n%s</figure>\n", picture.text);
}
