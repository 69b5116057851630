/*
 * matching_recoding.h
 *		Records generalized one by one, as a recoding: each is a group of its own.
 */
#ifndef KANON_MATCHING_RECODING_H
#define KANON_MATCHING_RECODING_H

#include "postgres.h"

#include "data/recoding.h"
#include "record/record_codes.h"

/*
 * Matches the records, at least k, by ring or two-phase generalization, whatever the models.  Frees
 * their dataset or keeps using it, sorted.  Each row gets the cells of
 * the record drawn for it or, without a draw, of its own record.  A cell is the lowest node above
 * the values of all rows that the record covers; the cells of a record take O(k * attributes *
 * height).
 *
 * The draw depends on the key and on the rows (matching_draw.h).  Equal rows are
 * distinguished only by their order of arrival.  So the same rows get the same cells in any order,
 * provided that equal rows arrive in the same order by their other columns.  Values are ordered the
 * same way on all systems (DICTIONARY_BY_BYTES), because ties of loss are broken by it.
 */
extern Recoding *ring_recode(Dataset *dataset, DatasetColumn *const *column,
							 const RowModels *models, const RecodeOptions *options);
extern Recoding *two_phase_recode(Dataset *dataset, DatasetColumn *const *column,
								  const RowModels *models, const RecodeOptions *options);

#endif /* KANON_MATCHING_RECODING_H */
