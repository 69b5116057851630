/*
 * matching_names.h
 *		Names of rows whose cells are generalized one by one: numbers that stand for
 *		their values.
 *
 * They do not depend on anything but the key and the row's own values, as texts: not on codes,
 * which shift with other rows, nor on collations, settings or OIDs.  Of values that are equal
 * but differ (1.5 and 1.50), the text is that of the one kept for all.
 */
#ifndef KANON_MATCHING_NAMES_H
#define KANON_MATCHING_NAMES_H

#include "postgres.h"

#include "base/random.h"
#include "matching/matching_draw.h"
#include "record/matching_rows.h"

/*
 * [row]; in the current context, against the rows' budget.  Not within a query scope.  Two
 * different rows have the same name with a chance of 2^-128, whoever chose them, if the
 * source's key is not known.  O(values) texts, and O(rows * attributes).
 */
extern RowName *matching_names_create(const MatchingRows *matching, RandomSource *source);

#endif /* KANON_MATCHING_NAMES_H */
