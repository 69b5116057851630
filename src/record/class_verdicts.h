/*
 * class_verdicts.h
 *		Which rows lie in classes that may be published: at least k rows, or people,
 *		and all models satisfied.
 *
 * A class is judged beside what is published with it, since that is all a reader sees of
 * how values are distributed: where classes fall out, the others are judged again
 * beside those that are left, until none falls out any more: a fixpoint.  So whoever
 * judges the result by itself comes to the same verdict.
 */
#ifndef KANON_CLASS_VERDICTS_H
#define KANON_CLASS_VERDICTS_H

#include "postgres.h"

#include "record/record_codes.h"

typedef struct ClassVerdicts
{
	bool *satisfies; /* [row number]: is it in such a class? */
	int64 rows;      /* that are */
	int64 classes;   /* such ones */
	int64 people;    /* different ones in that of them which has fewest; 0: rows are counted */
} ClassVerdicts;

/*
 * The codes have one quasi-identifier, which
 * numbers the classes, and are finished.  In the current context, against their budget,
 * which gets back what was needed meanwhile.  O(rows log classes), and for each round, of
 * which there are as many as classes fall out in turn, O(different sensitive values) and
 * what it takes to judge the classes again that may fail now; where closeness goes by
 * order, O(rows) besides for each value that vanishes with what fell out.
 */
extern ClassVerdicts class_verdicts(RecordCodes *codes, int64 k);

#endif /* KANON_CLASS_VERDICTS_H */
