/*
 * trial.h
 *		One case: something of kanon is run on random input and compared with
 *		what it ought to do.
 *
 * A trial ends with an error if something is wrong.  Two errors are not wrong:
 * the budget's, where the trial had little memory, and the cancel that it asked
 * for.  What a trial pallocs is freed by backend_forget.
 */
#ifndef OUTSIDE_TRIAL_H
#define OUTSIDE_TRIAL_H

#include "postgres.h"

#include "backend.h"
#include "base/budget.h"
#include "draw.h"
#include "matching/matching.h"
#include "oracle.h"
#include "table.h"

typedef struct Trial
{
	Draw *draw;
	Budget budget;
	Table *table;   /* or NULL, freed by who runs the trial */
	Oracle *oracle; /* or NULL, likewise */
} Trial;

extern Dataset *trial_draw_records(Trial *trial, int attributes, int rows, int most_values);

/* Labels that ascend with the values under them; now and then a label without siblings. */
extern Dimension *trial_draw_hierarchy(Trial *trial, int grounds, bool has_null);

/* Rows whose cells are generalized one by one, 1 .. most, of up to 6 attributes, some of which may
 * be the digits of a column. */
extern MatchingTable *trial_draw_rows(Trial *trial, int most);

/* What a record's cell in the only column of digits loses: values counted one by one. */
/* The attribute of the first digit; -1: no column has digits. */
extern int trial_digits_first(const MatchingTable *rows);
extern bool trial_is_digit(const MatchingTable *rows, int attribute);
extern double trial_digits_loss(const Matching *matching, const MatchingTable *rows, int64 record);

/* Prints how many nodes of trees that are grown from samples are pruned. */
extern void trial_sample_print(void *argument);

/* How far trial_two_phase has found both recodings from the least loss; nothing if never. */
extern void trial_two_phase_report(void);

/* The same of trial_local and trial_suppress. */
extern void trial_local_report(void);
extern void trial_suppress_report(void);

/* Might this error come: is it one of the two? */
extern bool trial_may_end(const Trial *trial, const BackendError *error);

/* A budget over what is palloc'd from now on. */
extern Budget trial_budget(Size limit);

/* An error if more than "kept" bytes, and a few that do not grow, are used since "before" were. */
#define FIXED_BYTES 4096
extern void trial_check_kept(const Trial *trial, Size before, Size kept, const char *what);

/* Parts by themselves. */
extern void trial_dictionary(Trial *trial);
extern void trial_count_table(Trial *trial);
extern void trial_frequency_set(Trial *trial);
extern void trial_row_store(Trial *trial);
extern void trial_lattice(Trial *trial);
extern void trial_model(Trial *trial);
extern void trial_matching(Trial *trial);
extern void trial_two_phase(Trial *trial);
extern void trial_sample(Trial *trial);
extern void trial_coarse(Trial *trial);
extern void trial_anonymity(Trial *trial);
extern void trial_local(Trial *trial);
extern void trial_single(Trial *trial);
extern void trial_suppress(Trial *trial);

/* Over the trial's table: dimensions, rollups and tallies. */
extern void trial_rollup(Trial *trial);

/* Over the trial's table: joint sets judged by models and people. */
extern void trial_judge(Trial *trial);

/* Over the trial's table and its oracle: all search algorithms. */
extern void trial_search(Trial *trial);

#endif /* OUTSIDE_TRIAL_H */
