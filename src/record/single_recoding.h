/*
 * single_recoding.h
 *		Single-dimension recodings of records: a value becomes the same cell in all rows (LeFevre,
 *		DeWitt, Ramakrishnan 2005a, section 5).
 *
 * A rule says what each value becomes.  It is searched (single_search.h), or given as text
 * (single_rule.h); then rows in classes that do not satisfy by now are left out, as many as they
 * are.  Both are judged by class_verdicts.h.
 */
#ifndef KANON_SINGLE_RECODING_H
#define KANON_SINGLE_RECODING_H

#include "postgres.h"

#include "record/record_codes.h"

/* A rule that was searched. */
typedef struct FoundRule
{
	char *rule;  /* NULL: none satisfies */
	double cost; /* the loss of all rows, by the weights, 1 for those left out; or discernibility */
	double bound; /* no rule of the kind costs less */
	int64 looked; /* maps that the search looked at */
} FoundRule;

/*
 * subtree: labels or values such that no label shown is above another; the optimum, if the effort
 * suffices.  unrestricted: each value becomes any label above it, greedily from the former.
 * ordered: intervals of values; the optimum likewise.  For codes in memory that are ranks, in the
 * type's order if they are intervals.  The answer depends neither on the order of rows nor on that
 * of columns.
 */
extern Recoding *subtree_recode(RecordCodes *codes, const RowModels *models,
								const RecodeOptions *options);
extern Recoding *unrestricted_recode(RecordCodes *codes, const RowModels *models,
									 const RecodeOptions *options);
extern Recoding *ordered_recode(RecordCodes *codes, const RowModels *models,
								const RecodeOptions *options);

#endif /* KANON_SINGLE_RECODING_H */
