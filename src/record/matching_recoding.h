/*
 * matching_recoding.h
 *		Records generalized one by one, as a recoding: each has a group to itself.
 */
#ifndef KANON_MATCHING_RECODING_H
#define KANON_MATCHING_RECODING_H

#include "postgres.h"

#include "data/recoding.h"
#include "record/record_codes.h"

/*
 * Matches these records, at least k, by rings or in two phases.  Their dataset is freed while
 * the rest goes on being used; in the current context, against their budget.  Each row gets the
 * cells of the record that is drawn for it, or, if nothing is drawn, those of its own record.
 * A cell is the least node above the values of all rows that the record covers; the cells of a
 * record take O(k * attributes * height).
 *
 * What is drawn depends on the key and on the rows (matching_draw.h, matching_names.h), and
 * equal rows are told apart by the order in which they came alone: so the same rows get the
 * same cells, whatever order they came in, if what else is to be seen of equal rows came in
 * the same order.  The order of values that is used is the same everywhere
 * (DICTIONARY_BY_BYTES), for the rows that records cover depend on it where losses tie.
 */
extern Recoding *ring_recode(RecordCodes *codes, const RecodeRequest *request);
extern Recoding *two_phase_recode(RecordCodes *codes, const RecodeRequest *request);

#endif /* KANON_MATCHING_RECODING_H */
