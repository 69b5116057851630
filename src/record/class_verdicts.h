/*
 * class_verdicts.h
 *		Finds the rows in classes that may be published: those with at least k rows, or people, that
 *		satisfy all models.
 *
 * A class is judged against the published rows alone, because a reader sees no others.  When
 * classes drop out, the rest is judged again against what remains, until no class drops out: a
 * fixpoint.  So judging the published rows by themselves gives the same verdict.
 *
 * If only so many columns are known (model/known.h), a row is in several classes, one for each set
 * of these, and must be in none that fails.
 */
#ifndef KANON_CLASS_VERDICTS_H
#define KANON_CLASS_VERDICTS_H

#include "postgres.h"

#include "partition/sorted_rows.h"
#include "record/record_codes.h"

typedef struct ClassVerdicts
{
	bool *satisfies; /* [row number]: the row is in such a class */
	int64 rows;      /* rows in such classes */
	int64 classes;   /* number of such classes */
	int64 people;    /* distinct people in the one with fewest; 0: rows are counted */
} ClassVerdicts;

/*
 * The codes are finished.  Their quasi-identifiers, which are ranks if there are several, make the
 * classes; if some of them are known, the description demands it.  In the current
 * context, against their budget; scratch memory is freed.  O(rows log classes).  Each round, of
 * which there are as many as classes drop out in turn, adds O(distinct sensitive values) and the
 * cost of judging the classes that may fail now.  With closeness by order, each value that
 * disappears with dropped classes adds O(rows).
 */
extern ClassVerdicts class_verdicts(RecordCodes *codes, int64 k);

/*
 * The same for classes that are not in the codes: the rows' numbers as places, sorted by the
 * classes' numbers as codes.  Models must have been asked for with rows that are left out, if at
 * all (record_codes_models).
 */
extern ClassVerdicts class_verdicts_sorted(RecordCodes *codes, const SortedRow *row, int64 k);

#endif /* KANON_CLASS_VERDICTS_H */
