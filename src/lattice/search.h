/*
 * search.h
 *		What every full-domain search starts from, reports, and ends with.
 */
#ifndef KANON_SEARCH_H
#define KANON_SEARCH_H

#include "postgres.h"

#include "frequency/frequency_source.h"
#include "lattice/lattice.h"
#include "model/class_judge.h"
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
	Demand demand;      /* models and people, over what the source carries */
	Budget *budget;
	/* Known once the table was read: */
	Requirement requirement; /* the whole */
	Requirement pruning;     /* the monotone part of it, which algorithms prune by */
	ClassJudge *judge;       /* NULL where rows are all that counts */
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
	/* Gives back what it took of the budget, but for the answer, the judge and what the source
	 * keeps. */
	Answer *(*run)(Search *search);
} SearchAlgorithm;

/*
 * Read the ground set or the marginals through these: they fix the requirement
 * and raise ERRCODE_INVALID_PARAMETER_VALUE if k exceeds the rows, or people.
 */
extern FrequencySet *search_read_ground(Search *search);
extern void search_read_marginals(Search *search);

/* Starts an iteration and returns it (valid until the next one starts). */
extern SearchIteration *search_iteration_begin(Search *search, int size);
extern void search_iteration_end(Search *search);

/* Is all that is asked monotone, so that what algorithms prune by is the whole? */
extern bool search_is_monotone(const Search *search);

/*
 * Tallies a node by what algorithms prune by, from the set of a specialization, joint where the
 * space carries anything.  request: of requirement_request, or without max_groups.
 */
extern FrequencyTally search_tally(Search *search, FrequencySet *source, const Level *node,
								   const TallyRequest *request);

/*
 * Does a node satisfy what algorithms prune by, or the whole requirement?  One rollup from the
 * source, which may be the node's own set.
 */
extern bool search_check(Search *search, SearchIteration *iteration, FrequencySet *source,
						 const Level *node);
extern bool search_check_whole(Search *search, SearchIteration *iteration, FrequencySet *source,
							   const Level *node);

/*
 * The answer of an algorithm that found all nodes of the full lattice that satisfy the monotone
 * part; changes the flags.  Where that is not the whole, each of them is judged by itself, in an
 * iteration of its own: from "base", a joint set below all of them, or without one by another
 * scan of the table.
 */
extern Answer *search_answer(Search *search, const Lattice *lattice, bool *satisfies,
							 FrequencySet *base);

/* One node (or none: NULL). */
extern Answer *answer_of_one(const FrequencySpace *space, const Level *node, bool minimal);

#endif /* KANON_SEARCH_H */
