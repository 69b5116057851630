/*
 * cell_texts.h
 *		Columns whose cells are looked up by their texts, of several formats beside each other.
 *
 * Formats name terms, in tables with the column's number at their end:
 *
 *	term (t, level, key, lo, hi)	what a text may stand for: a set of the dimension's
 *									values (level, key), or the values from place lo to hi
 *	one (at, v, origin, upto)		the values, each once, at its place in their order; and so
 *									many of the source's up to it (value_format)
 *	node (level, key, v, t, u)		the dimension's values under a label, and the texts of
 *									that: t, or else the key, and u, if it is another
 *									(label_format)
 */
#ifndef KANON_CELL_TEXTS_H
#define KANON_CELL_TEXTS_H

#include "postgres.h"

#include "cell/cell_format.h"
#include "dimension/star_query.h"

struct CellTexts
{
	const CellColumn *column;
	int height;         /* of the dimension, 0 without one */
	StarColumn *labels; /* [1 .. height] */
	bool text;          /* cells have a text-like type */
	bool stray;         /* a cell that is nothing else counts as a value */
	bool values;        /* texts do not suffice; values must be compared */
};

/* Levels of terms: those of cells (cell_format.h), and .. */
#define CELL_TEXTS_ALL(texts) CELL_LEVEL_ALL((texts)->height)
#define CELL_TEXTS_INTERVAL(texts) CELL_LEVEL_PART((texts)->height)
#define CELL_TEXTS_STRAY(texts) ((texts)->height + 3) /* .. a value found nowhere else */

/* See CellFormat. */
extern void cell_texts_measure(StringInfo sql, const CellColumn *column);
extern void cell_texts_cover(StringInfo sql, const CellColumn *column);

#endif /* KANON_CELL_TEXTS_H */
