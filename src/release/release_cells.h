/*
 * release_cells.h
 *		Text of the SELECT that publishes a table in cells which a window function makes of
 *		all rows, in one record for each.
 *
 * The columns are those of release_column.h.  By recodings that keep types, a quasi-identifier
 * without dimension has its own, and a hidden cell is NULL, or "*" where it is a text; with a
 * dimension it is text, see docs/matching.md.  By others it is a range or a label, see
 * cell_format.h; with means, a number x is followed by x_mean.
 *
 * Rows are recoded anew whenever the text runs: so every class has k rows and satisfies the
 * models, or every record stands for k rows, whatever became of the table.  Fewer than k rows,
 * or rows that do not satisfy together, give none.  A value that a dimension lacks is an
 * error, also at a refresh.  Numbers that are drawn come from the release's seed, and rows are
 * given in an order that depends on what they hold alone: the same rows have the same cells each
 * time, and nobody can compare two draws.
 *
 * Rows come in the order of their classes, or are sorted by cells, and by what is published beside
 * them.
 */
#ifndef KANON_RELEASE_CELLS_H
#define KANON_RELEASE_CELLS_H

#include "postgres.h"

#include "release/release_request.h"

/*
 * See RecodingOps.  Errors: a mean whose name another column has (ERRCODE_DUPLICATE_COLUMN), a
 * target that is not there (ERRCODE_UNDEFINED_COLUMN) or is not published as it is
 * (ERRCODE_INVALID_PARAMETER_VALUE); those of release_models_check.
 */
extern ReleaseText release_cells_write(const ReleaseRequest *request,
									   const Description *description);

/*
 * Who is where in such a release: see ReleaseMembers.  Runs kanon_view_candidates over the rows in
 * their order there; who asks for one that draws must be allowed to read its seed.
 */
extern char *release_cells_members(const ReleaseMembers *members, const Description *description);

#endif /* KANON_RELEASE_CELLS_H */
