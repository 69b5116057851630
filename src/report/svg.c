/*
 * svg.c
 *		See svg.h.
 */
#include "postgres.h"

#include "report/svg.h"

#include "mb/pg_wchar.h"

/*
 * Colors that people with any color vision can distinguish (Okabe, Ito 2008), darker on white and
 * lighter on black. currentColor follows the surrounding page.
 */
static const char *const style =
	"<style>"
	"svg{font:13px system-ui,sans-serif;color:#222;background:#fff}"
	"text{fill:currentColor}.l{font-size:11px;opacity:.75}"
	".g{stroke:currentColor;stroke-opacity:.2}.p{fill:none;stroke-width:2}"
	".c0{color:#0072b2}.c1{color:#b34d00}.c2{color:#007a5a}.c3{color:#a8447d}.c4{color:#7a6200}"
	".c5{color:#4d4d4d}.s{stroke:currentColor}.f{fill:currentColor}.d{stroke-dasharray:5 4}"
	".o{fill:currentColor;fill-opacity:.12;stroke:currentColor;stroke-opacity:.5}"
	"@media screen and (prefers-color-scheme:dark){svg{color:#ddd;background:#161616}"
	".c0{color:#56b4e9}.c1{color:#e69f00}.c2{color:#2fc79b}.c3{color:#e58fbe}.c4{color:#e5d94a}"
	".c5{color:#b3b3b3}}"
	"</style>";

static const char *const anchors[] = {"start", "middle", "end"};

#define LETTER 7.5 /* average width of a letter */
#define LINE 18

/* In UTF-8; bytes that are none in a database without encoding are "?". */
static const unsigned char *
to_utf8(const char *text)
{
	int length = (int) strlen(text);
	char *bytes;

	if (GetDatabaseEncoding() != PG_SQL_ASCII || pg_verify_mbstr(PG_UTF8, text, length, true))
		return (const unsigned char *) pg_server_to_any(text, length, PG_UTF8);
	bytes = pstrdup(text);
	for (int i = 0; i < length; i++)
		if (IS_HIGHBIT_SET(bytes[i]))
			bytes[i] = '?';
	return (const unsigned char *) bytes;
}

/* XML and browsers reject other control characters; some change the direction of text. */
static bool
is_harmful(pg_wchar letter)
{
	return (letter < ' ' && letter != '\n' && letter != '\t') ||
		   (letter >= 0x7F && letter < 0xA0) || (letter >= 0x200E && letter <= 0x200F) ||
		   (letter >= 0x2028 && letter <= 0x202E) || (letter >= 0x2066 && letter <= 0x2069) ||
		   letter == 0x61C || letter == 0xFEFF || (letter & 0xFFFE) == 0xFFFE;
}

char *
svg_escape(const char *text)
{
	StringInfoData escaped;

	initStringInfo(&escaped);
	for (const unsigned char *at = to_utf8(text); *at; at += pg_utf_mblen(at))
	{
		pg_wchar letter = utf8_to_unicode(at);

		if (is_harmful(letter))
			appendStringInfoChar(&escaped, '?');
		else if (letter == '&')
			appendStringInfoString(&escaped, "&amp;");
		else if (letter == '<')
			appendStringInfoString(&escaped, "&lt;");
		else if (letter == '>')
			appendStringInfoString(&escaped, "&gt;");
		else if (letter == '"')
			appendStringInfoString(&escaped, "&quot;");
		else if (letter == '\'' || letter > 0x7F)
			appendStringInfo(&escaped, "&#%u;", letter);
		else
			appendStringInfoChar(&escaped, (char) letter);
	}
	return escaped.data;
}

char *
svg_clip(const char *text, int letters)
{
	int bytes = (int) strlen(text);

	if (pg_mbstrlen(text) <= letters)
		return pstrdup(text);
	return psprintf("%.*s..", pg_mbcharcliplen(text, bytes, Max(letters - 2, 1)), text);
}

SvgPicture
svg_end(Svg *svg)
{
	appendStringInfoString(&svg->text, "</svg>\n");
	return (SvgPicture){.text = svg->text.data};
}

static void
write_text(Svg *svg, const char *class, double x, double y, SvgAnchor anchor, const char *text)
{
	appendStringInfo(&svg->text, "<text%s x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
					 class, x, y, anchors[anchor], svg_escape(text));
}

void
svg_text(Svg *svg, double x, double y, SvgAnchor anchor, const char *text)
{
	write_text(svg, "", x, y, anchor, text);
}

Svg *
svg_begin(double width, double height, const char *title, const char *description)
{
	Svg *svg = palloc(sizeof(Svg));

	svg->width = width;
	svg->height = height;
	initStringInfo(&svg->text);
	appendStringInfo(&svg->text,
					 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\""
					 " width=\"%.0f\" style=\"max-width:100%%;height:auto\" role=\"img\">\n"
					 "<title>%s</title>\n<desc>%s</desc>\n%s\n",
					 width, height, width, svg_escape(title), svg_escape(description), style);
	svg_text(svg, 12, 20, SVG_START, svg_clip(title, (int) (width / LETTER)));
	return svg;
}

void
svg_label(Svg *svg, double x, double y, SvgAnchor anchor, const char *text)
{
	write_text(svg, " class=\"l\"", x, y, anchor, text);
}

void
svg_line(Svg *svg, double x1, double y1, double x2, double y2)
{
	appendStringInfo(&svg->text,
					 "<line class=\"g\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x1,
					 y1, x2, y2);
}

/* Ends the current element, with its tip. */
static void
end_shape(Svg *svg, const char *element, const char *tip)
{
	if (tip)
		appendStringInfo(&svg->text, "><title>%s</title></%s>\n", svg_escape(tip), element);
	else
		appendStringInfoString(&svg->text, "/>\n");
}

static void
write_rectangle(Svg *svg, char class, int series, double x, double y, double width, double height,
				const char *tip)
{
	appendStringInfo(&svg->text,
					 "<rect class=\"%c c%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"",
					 class, series % SVG_COLORS, x, y, width, height);
	end_shape(svg, "rect", tip);
}

void
svg_bar(Svg *svg, int series, double x, double y, double width, double height, const char *tip)
{
	write_rectangle(svg, 'f', series, x, y, width, height, tip);
}

void
svg_area(Svg *svg, int series, double x, double y, double width, double height, const char *tip)
{
	write_rectangle(svg, 'o', series, x, y, width, height, tip);
}

void
svg_dot(Svg *svg, int series, double x, double y, const char *tip)
{
	appendStringInfo(&svg->text, "<circle class=\"f c%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"",
					 series % SVG_COLORS, x, y);
	end_shape(svg, "circle", tip);
}

void
svg_path(Svg *svg, int series, const double *x, const double *y, int points)
{
	appendStringInfo(&svg->text, "<polyline class=\"p s c%d%s\" points=\"", series % SVG_COLORS,
					 series >= SVG_COLORS ? " d" : "");
	for (int i = 0; i < points; i++)
		appendStringInfo(&svg->text, "%s%.1f,%.1f", i > 0 ? " " : "", x[i], y[i]);
	appendStringInfoString(&svg->text, "\"/>\n");
}

void
svg_legend(Svg *svg, double x, double y, const char *const *names, int count)
{
	double left = x;

	for (int i = 0; i < count; i++)
	{
		double width = LETTER * pg_mbstrlen(names[i]) + 34;

		if (left > x && left + width > svg->width)
		{
			left = x;
			y += LINE;
		}
		svg_bar(svg, i, left, y - 9, 10, 10, NULL);
		svg_text(svg, left + 16, y, SVG_START, names[i]);
		left += width;
	}
}
