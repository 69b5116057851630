/*
 * search.h
 *		What every full-domain search starts from, reports, and ends with.
 *
 * An algorithm is one SearchAlgorithm in a file of its own; it reads through
 * the frequency source, decides nodes by the requirement, and returns an
 * Answer.
 */
#ifndef KANON_SEARCH_H
#define KANON_SEARCH_H

#include "postgres.h"

#include "frequency/frequency_source.h"
#include "lattice/lattice.h"
#include "model/requirement.h"
#include "portability/instr_time.h"

/* One row of kanon_last_search. */
typedef struct SearchIteration
{
	int size;             /* attributes in each set */
	int64 attribute_sets; /* that have candidates */
	int64 candidates;     /* nodes that could satisfy when it began */
	int64 checked;        /* nodes whose frequency set was computed and judged */
	int64 satisfying;     /* candidates that satisfy */
	int64 table_scans;
	int64 rollups; /* frequency sets computed from others, projections included */
	double milliseconds;
} SearchIteration;

typedef struct Search
{
	FrequencySource *source;
	const char *relation; /* its name, for messages */
	int64 k;
	double suppression; /* share of rows, [0, 1) */
	Budget *budget;
	Requirement requirement; /* known once the table was read: search_begin */
	int iterations;
	SearchIteration *iteration; /* palloc'd, grows */
	instr_time iteration_start;
} Search;

/* The nodes found, ordered by height, then levels. */
typedef struct Answer
{
	int64 count;
	Level *node;   /* [count * attributes] */
	bool *minimal; /* no direct specialization satisfies */
} Answer;

typedef struct SearchAlgorithm
{
	const char *name;
	/* Gives back what it took of the budget, but for the answer and what the source keeps. */
	Answer *(*run)(Search *search);
} SearchAlgorithm;

/*
 * Read the ground set or the marginals through these: they fix the requirement
 * and raise ERRCODE_INVALID_PARAMETER_VALUE if k exceeds the rows.
 */
extern FrequencySet *search_read_ground(Search *search);
extern void search_read_marginals(Search *search);

/* Starts an iteration and returns it (valid until the next one starts). */
extern SearchIteration *search_iteration_begin(Search *search, int size);
extern void search_iteration_end(Search *search);

/* Does a node satisfy? One rollup from the source, which may be the node's own set. */
extern bool search_check(Search *search, SearchIteration *iteration, FrequencySet *source,
						 const Level *node);

/*
 * All nodes of a lattice for which satisfies[] is set.  O(nodes * attributes).
 */
extern Answer *answer_from_flags(const Lattice *lattice, const bool *satisfies, Budget *budget);

/* One node (or none: NULL). */
extern Answer *answer_of_one(const FrequencySpace *space, const Level *node, bool minimal);

#endif /* KANON_SEARCH_H */
