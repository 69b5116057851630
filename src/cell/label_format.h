/*
 * label_format.h
 *		Cells that are labels of a dimension, such as 537**, for the ground values below them; at
 *		level 0 its values, as texts.
 */
#ifndef KANON_LABEL_FORMAT_H
#define KANON_LABEL_FORMAT_H

#include "postgres.h"

#include "cell/cell_format.h"

extern const CellFormat label_format;

#endif /* KANON_LABEL_FORMAT_H */
