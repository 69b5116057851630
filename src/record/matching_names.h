/*
 * matching_names.h
 *		Names of rows whose cells are generalized one by one: numbers derived from their values.
 *
 * A name depends only on the key and the text of the row's own values: not on codes, which shift
 * with other rows, nor on collations, settings or OIDs.  Among equal values with different
 * spellings (1.5 and 1.50), the text is that of the one kept.
 */
#ifndef KANON_MATCHING_NAMES_H
#define KANON_MATCHING_NAMES_H

#include "postgres.h"

#include "base/random.h"
#include "matching/matching_draw.h"
#include "record/matching_rows.h"

/*
 * [row]; in the current context, against the rows' budget.  Not within a query scope.  Two
 * different rows have the same name with probability 2^-128, even for chosen rows, as long as the
 * source's key is secret.  O(values) texts, and O(rows * attributes).
 */
extern RowName *matching_names_create(const MatchingRows *matching, RandomSource *source);

#endif /* KANON_MATCHING_NAMES_H */
