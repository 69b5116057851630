/*
 * cell_format.h
 *		What the cells of a released column are.
 *
 * Each format has a file: it writes its cells, reads them and knows what they cover.
 *
 *	range_format	[20,30): a range, where PostgreSQL has a type of such ranges
 *	interval_format	[a - b]: a text, where it has none
 *	label_format	537**: a value of a dimension or its label
 *	digits_format	5*7*1: a text whose digits are hidden one by one
 *	hidden_format	*, or NULL: nothing is told
 */
#ifndef KANON_CELL_FORMAT_H
#define KANON_CELL_FORMAT_H

#include "postgres.h"

/* The type of cells that stand for classes, given any type; "labels": it has a dimension. */
extern Oid cell_format_class_type(Oid type, bool labels);

/* Likewise of cells that are generalized one by one. */
extern Oid cell_format_row_type(Oid type, bool labels);

#endif /* KANON_CELL_FORMAT_H */
