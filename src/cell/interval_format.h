/*
 * interval_format.h
 *		Cells [a - b]: the values from a to b, where no range type has them.
 */
#ifndef KANON_INTERVAL_FORMAT_H
#define KANON_INTERVAL_FORMAT_H

#include "postgres.h"

/* The text of an interval, given those of its ends; palloc'd. */
extern char *interval_format_write(const char *low, const char *high);

#endif /* KANON_INTERVAL_FORMAT_H */
