/*
 * digits_format.h
 *		Cells whose digits are shown or hidden one by one, 9*2*1: they stand for the values of the
 *		dimension with the digits shown.
 */
#ifndef KANON_DIGITS_FORMAT_H
#define KANON_DIGITS_FORMAT_H

#include "postgres.h"

#include "cell/cell_format.h"
#include "data/dictionary.h"

extern const CellFormat digits_format;

/* The dimension's values with some digits hidden. */
typedef struct DigitsPattern
{
	Dictionary *look;     /* the texts that result */
	int32 *look_of_value; /* [code of a value]; -1: not of the dimension */
	int32 *leaves;        /* [look]: how many values have it */
} DigitsPattern;

/* A pattern of a reader of digits, by its number ("high" of a cell). */
extern const DigitsPattern *digits_format_pattern(const struct CellReader *reader, int number);

#endif /* KANON_DIGITS_FORMAT_H */
