/*
 * label_format.h
 *		Cells that are labels of a dimension, as texts.
 */
#ifndef KANON_LABEL_FORMAT_H
#define KANON_LABEL_FORMAT_H

#include "postgres.h"

#include "cell/cell_format.h"
#include "dimension/domain_text.h"

/*
 * What a value of the domain, by its number in the ground dictionary, is called at a level: at 0
 * its own text, above all of the dimension what hides everything.  palloc'd.
 */
extern char *label_format_write(DomainText *text, int level, int32 value);

extern const CellFormat label_format;

#endif /* KANON_LABEL_FORMAT_H */
