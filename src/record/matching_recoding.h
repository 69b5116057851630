/*
 * matching_recoding.h
 *		Records generalized one by one, as a recoding: each has a group to itself.
 */
#ifndef KANON_MATCHING_RECODING_H
#define KANON_MATCHING_RECODING_H

#include "postgres.h"

#include "base/random.h"
#include "data/recoding.h"
#include "matching/matching.h"
#include "record/record_codes.h"

/*
 * Matches these records, at least k, whose dataset is freed while the rest goes on
 * being used; in the current context, against the dataset's budget.  Each row gets the
 * cells of the record that is drawn for it, or those of its own record if "key" is NULL.
 * A cell is the least node above the values of all rows that the record covers; the cells of a
 * record take O(k * attributes * height).
 *
 * What is drawn depends on the key and on the rows (matching_draw.h, matching_names.h), and
 * equal rows are told apart by the order in which they came alone: so the same rows get the
 * same cells, whatever order they came in, if what else is to be seen of equal rows came in
 * the same order.  The order of values that is used is the same everywhere
 * (DICTIONARY_BY_BYTES), for the rows that records cover depend on it where losses tie.
 */
extern Recoding *matching_recoding_create(RecordCodes *codes, MatchingRun run, int k,
										  const RandomKey *key);

#endif /* KANON_MATCHING_RECODING_H */
