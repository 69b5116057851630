/*
 * release_cells.h
 *		The text of the SELECT that publishes a table in cells, which a window function computes
 *		from all rows, as one record for each row.
 *
 * The columns are those of release_text.h.  Recodings that keep types give a quasi-identifier
 * without a dimension its own type; a hidden cell is NULL, or "*" in text.  With a dimension it is
 * text; see docs/matching.md.  Other recodings give a range or a label; see cell_format.h.  With
 * means, a numeric column x is followed by x_mean.
 *
 * Rows are recoded whenever the text runs.  So every class has k rows and satisfies the models, or
 * every record stands for k rows, however the table changes.  Fewer than k rows, or rows that do
 * not satisfy together, give an empty result.  A value that a dimension lacks is an error, also at
 * a refresh.  Random numbers come from the release's seed, and rows are passed in an order that
 * depends only on their contents.  So the same rows get the same cells each time, and nobody can
 * compare two draws.
 *
 * The result is sorted by class, or by the cells, and by the columns beside them.
 */
#ifndef KANON_RELEASE_CELLS_H
#define KANON_RELEASE_CELLS_H

#include "postgres.h"

#include "release/release_request.h"

/*
 * See RecodingOps.  Error: a mean with the name of another column (ERRCODE_DUPLICATE_COLUMN).
 */
extern ReleaseText release_cells_write(const ReleaseRequest *request,
									   const Description *description);

/*
 * The share of the rows that the recoding may leave out.  With models_after it makes classes of all
 * rows, and those that fail are what may be missing.
 */
extern double release_cells_suppression(const ReleaseRequest *request);

/*
 * See ReleaseMembers.  Runs kanon_view_candidates over the rows in the same order; with a recoding
 * that draws, the user needs the privilege to read its seed.
 */
extern char *release_cells_members(const ReleaseMembers *members, const Description *description);

#endif /* KANON_RELEASE_CELLS_H */
