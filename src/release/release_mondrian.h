/*
 * release_mondrian.h
 *		Text of the SELECT that publishes a table by multidimensional recoding.
 *
 * The columns are those of release_column.h, quasi-identifiers as the cells of
 * class_cells.h; with means, a number x is followed by x_mean.
 *
 * The table is partitioned anew whenever the text runs, by kanon_mondrian_cells: so
 * every class has k rows and satisfies the models whatever became of the table.  Fewer than
 * k rows, or rows that do not satisfy together, give none.
 * A value that a dimension lacks is an error, also at a refresh.
 *
 * Rows are sorted by class and by what is published beside it; where there is
 * nothing else, cells come in the order of the classes by themselves.
 */
#ifndef KANON_RELEASE_MONDRIAN_H
#define KANON_RELEASE_MONDRIAN_H

#include "postgres.h"

#include "relation/description.h"
#include "release/release_models.h"

typedef struct MondrianRecoding
{
	ReleaseDemand demand;
	bool relaxed;
	bool means;
	const char *split;
	const char *target; /* a column that is published as it is, or NULL */
} MondrianRecoding;

/* Has the column of this attribute one of means beside it? */
extern bool release_mondrian_has_mean(const MondrianRecoding *recoding,
									  const DescribedAttribute *attribute);

/*
 * The text, without a semicolon at its end, every name qualified; within a query
 * scope.  Errors: a mean whose name another column has (ERRCODE_DUPLICATE_COLUMN), a
 * target that is not there (ERRCODE_UNDEFINED_COLUMN) or is not published as it is
 * (ERRCODE_INVALID_PARAMETER_VALUE); those of release_models_check.
 */
extern char *release_mondrian_text(const Description *description,
								   const MondrianRecoding *recoding);

#endif /* KANON_RELEASE_MONDRIAN_H */
