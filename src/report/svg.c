/*
 * svg.c
 *		See svg.h.
 */
#include "postgres.h"

#include "report/svg.h"

#include "mb/pg_wchar.h"
#include "sql/value_text.h"

/*
 * Colors that people with any color vision can distinguish (Okabe, Ito 2008), darker on white and
 * lighter on black. currentColor follows the surrounding page.
 */
static const char *const style =
	"<style>"
	"svg{font:13px system-ui,sans-serif;color:#222;background:#fff}"
	"text{fill:currentColor}.l{font-size:11px;fill-opacity:.75}"
	".g{stroke:currentColor;stroke-opacity:.2}.p{stroke-width:2;stroke-linecap:round}"
	".c0{color:#0072b2}.c1{color:#b34d00}.c2{color:#007a5a}.c3{color:#a8447d}.c4{color:#7a6200}"
	".c5{color:#4d4d4d}.s{stroke:currentColor}.f{fill:currentColor}.d{stroke-dasharray:5 4}"
	".o{fill:currentColor;fill-opacity:.12;stroke:currentColor;stroke-opacity:.5}"
	"@media screen and (prefers-color-scheme:dark){svg{color:#ddd;background:#161616}"
	".c0{color:#56b4e9}.c1{color:#e69f00}.c2{color:#2fc79b}.c3{color:#e58fbe}.c4{color:#e5d94a}"
	".c5{color:#b3b3b3}}"
	"</style>";

static const char *const anchors[] = {"start", "middle", "end"};
static const char *const looks[] = {"", " class=\"l\"", " class=\"l\" dx=\"6\"", " dx=\"16\""};

#define LETTER 7.2 /* average width of a letter that is no label */
#define LINE 18.0
#define WIDTH 640.0 /* pixels, where nothing says how wide */
#define MARGIN 1.5  /* percent, on both sides */
#define FIXED 12.0  /* .. pixels */

/* In UTF-8; of a text that is not to be had in it, bytes beyond ASCII are "?". */
static const unsigned char *
to_utf8(const char *text)
{
	const char *converted = value_text_utf8(text);
	char *bytes;

	if (converted)
		return (const unsigned char *) converted;
	bytes = pstrdup(text);
	for (char *at = bytes; *at; at++)
		if (IS_HIGHBIT_SET(*at))
			*at = '?';
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

/* An attribute: a length from left to right, or a place there. */
static char *
length_text(const Svg *svg, const char *name, double length)
{
	return svg->fixed > 0 ? psprintf("%s=\"%.1f\"", name, length)
						  : psprintf("%s=\"%.2f%%\"", name, length * (1 - 2 * MARGIN / 100));
}

static char *
place_text(const Svg *svg, const char *name, double x)
{
	return svg->fixed > 0 ? length_text(svg, name, x)
						  : length_text(svg, name, x + MARGIN / (1 - 2 * MARGIN / 100));
}

void
svg_text(Svg *svg, SvgLook look, double x, double y, SvgAnchor anchor, const char *text)
{
	appendStringInfo(&svg->text, "<text%s %s y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
					 looks[look], place_text(svg, "x", x), y, anchors[anchor], svg_escape(text));
}

/* The bytes of the text's first line of so many letters: up to a space, if there is one. */
static int
line_length(const char *text, int letters)
{
	int bytes = (int) strlen(text);
	int most = pg_mbcharcliplen(text, bytes, letters);

	if (most == bytes)
		return bytes;
	for (int at = most; at > most / 2; at--)
		if (text[at] == ' ')
			return at;
	return most;
}

/* Writes a text in lines that fit, below what is there. */
static void
append_lines(Svg *svg, SvgLook look, double letter, const char *text)
{
	int letters = (int) (((svg->fixed > 0 ? svg->fixed : SVG_LEAST) - FIXED) / letter);

	while (*text)
	{
		int bytes = line_length(text, letters);

		svg->bottom += LINE;
		svg_text(svg, look, svg->fixed > 0 ? FIXED : 0, svg->bottom, SVG_START,
				 pnstrdup(text, bytes));
		text += bytes;
		text += *text == ' ' ? 1 : 0;
	}
}

void
svg_caption(Svg *svg, const char *text)
{
	append_lines(svg, SVG_LABEL, SVG_LETTER, text);
}

Svg *
svg_begin(double fixed, const char *title, const char *description)
{
	Svg *svg = palloc(sizeof(Svg));

	*svg = (Svg){.title = title, .description = description, .fixed = fixed};
	initStringInfo(&svg->text);
	append_lines(svg, SVG_PLAIN, LETTER, title);
	return svg;
}

SvgPicture
svg_end(Svg *svg)
{
	double width = svg->fixed > 0 ? svg->fixed : WIDTH;
	const char *scaled =
		svg->fixed > 0 ? psprintf(" viewBox=\"0 0 %.0f %.0f\"", width, svg->bottom) : "";

	return (SvgPicture){
		.text =
			psprintf("<svg xmlns=\"http://www.w3.org/2000/svg\"%s width=\"%.0f\" height=\"%.0f\""
					 " style=\"max-width:100%%%s\" role=\"img\">\n"
					 "<title>%s</title>\n<desc>%s</desc>\n%s\n%s</svg>\n",
					 scaled, width, svg->bottom, svg->fixed > 0 ? ";height:auto" : "",
					 svg_escape(svg->title), svg_escape(svg->description), style, svg->text.data)};
}

void
svg_line(Svg *svg, double x1, double y1, double x2, double y2)
{
	appendStringInfo(&svg->text, "<line class=\"g\" %s y1=\"%.1f\" %s y2=\"%.1f\"/>\n",
					 place_text(svg, "x1", x1), y1, place_text(svg, "x2", x2), y2);
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

void
svg_bar(Svg *svg, int series, bool filled, double x, double y, double width, double height,
		const char *tip)
{
	appendStringInfo(&svg->text, "<rect class=\"%c c%d\" %s y=\"%.1f\" %s height=\"%.1f\"",
					 filled ? 'f' : 'o', series % SVG_COLORS, place_text(svg, "x", x), y,
					 length_text(svg, "width", width), height);
	end_shape(svg, "rect", tip);
}

void
svg_dot(Svg *svg, int series, double x, double y, const char *tip)
{
	appendStringInfo(&svg->text, "<circle class=\"f c%d\" %s cy=\"%.1f\" r=\"4\"",
					 series % SVG_COLORS, place_text(svg, "cx", x), y);
	end_shape(svg, "circle", tip);
}

/* Line by line, because a polyline has no points in percent. */
void
svg_path(Svg *svg, int series, const double *x, const double *y, int points)
{
	appendStringInfo(&svg->text, "<g class=\"p s c%d%s\">\n", series % SVG_COLORS,
					 series >= SVG_COLORS ? " d" : "");
	for (int i = 1; i < points; i++)
		appendStringInfo(&svg->text, "<line %s y1=\"%.1f\" %s y2=\"%.1f\"/>\n",
						 place_text(svg, "x1", x[i - 1]), y[i - 1], place_text(svg, "x2", x[i]),
						 y[i]);
	appendStringInfoString(&svg->text, "</g>\n");
}

void
svg_legend(Svg *svg, const char *const *names, int count)
{
	for (int i = 0; i < count; i++)
	{
		svg->bottom += LINE;
		appendStringInfo(&svg->text,
						 "<rect class=\"f c%d\" %s y=\"%.1f\" width=\"10\" height=\"10\"/>\n",
						 i % SVG_COLORS, place_text(svg, "x", 0), svg->bottom - 9);
		svg_text(svg, SVG_NAME, 0, svg->bottom, SVG_START, names[i]);
	}
	svg->bottom += count > 0 ? LINE / 2 : 0;
}
