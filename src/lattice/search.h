/*
 * search.h
 *		The input, statistics and answer of every full-domain search.
 */
#ifndef KANON_SEARCH_H
#define KANON_SEARCH_H

#include "postgres.h"

#include "frequency/frequency_set.h"
#include "lattice/lattice.h"
#include "model/class_judge.h"
#include "nodes/pg_list.h"
#include "portability/instr_time.h"

/* One row of kanon_last_search. */
typedef struct SearchIteration
{
	int size;             /* attributes in each set */
	int64 attribute_sets; /* sets that have candidates */
	int64 candidates;     /* nodes not ruled out when the iteration began */
	int64 checked;        /* nodes whose frequency set was computed and judged */
	int64 satisfying;     /* candidates that satisfy */
	int64 table_scans;
	int64 rollups; /* frequency sets computed from others, including projections */
	double milliseconds;
} SearchIteration;

typedef struct Search
{
	FrequencySource *source;
	const char *relation; /* its name, for messages */
	int64 k;
	double suppression; /* share of rows, [0, 1) */
	Demand demand;      /* models and people, over what the source carries */
	/* [quasi-identifier]: the levels to choose from, see FrequencySpace */
	const Level *lowest;
	const Level *highest;
	bool ends; /* only the ground and the top, which the source's dimensions have as levels 0, 1 */
	Budget *budget;
	/* Known after the table was read: */
	Requirement requirement; /* the whole requirement */
	Requirement pruning;     /* its monotone part, by which algorithms prune */
	ClassJudge *judge;       /* NULL if only row counts matter */
	int iterations;
	SearchIteration *iteration; /* palloc'd, grows */
	SearchIteration *now;       /* the last of them */
	instr_time iteration_start;
} Search;

/* The nodes found, ordered by height, then levels. */
typedef struct Answer
{
	int64 count;
	Level *node;   /* [count * attributes] */
	bool *minimal; /* no direct specialization within the bounds satisfies */
} Answer;

/* What the frequency sets of Incognito's roots are computed from. */
typedef enum RootSource
{
	ROOTS_FROM_TABLE,       /* the table, but for single attributes */
	ROOTS_FROM_SUPER_ROOTS, /* a set read at the lowest levels of all roots of an attribute set */
	ROOTS_FROM_GROUND,      /* the ground set of the attribute set */
	ALL_FROM_TABLE          /* likewise, but all other nodes are read from the table */
} RootSource;

typedef struct SearchAlgorithm
{
	const char *name;
	/*
	 * Releases the memory it took from the budget, except for the answer, the judge and what the
	 * source keeps.
	 */
	Answer *(*run)(Search *search, RootSource roots);
	RootSource roots; /* which other algorithms ignore */
} SearchAlgorithm;

/*
 * Incognito (LeFevre, DeWitt, Ramakrishnan 2005a), breadth first, for all nodes that satisfy.  Its
 * three algorithms (sections 3.1, 3.3.1 and 3.3.2) differ in the source of the roots' frequency
 * sets: basic reads the table once for each root, superroots once for each attribute set, cube once
 * in all.  Bottom-up search (sections 2.2 and 4) looks at the set of all attributes alone.  With
 * rollup, a node's frequency set comes from that of a specialization that failed; without it, each
 * node checked needs a scan of the table.
 */
extern const SearchAlgorithm incognito_basic;
extern const SearchAlgorithm incognito_superroots;
extern const SearchAlgorithm incognito_cube;
extern const SearchAlgorithm bottom_up_rollup;
extern const SearchAlgorithm bottom_up_scan;

/* kanon's own search, which prunes upwards and downwards: all nodes that satisfy. */
extern const SearchAlgorithm two_way;

/*
 * Searches for one node.  Binary search over heights (Samarati 2001) finds one of the lowest height
 * at which any satisfies, the first in the order of levels.  Datafly (Sweeney 2002) finds one that
 * is not always minimal.
 */
extern const SearchAlgorithm binary_search;
extern const SearchAlgorithm datafly;

/*
 * Read the ground set or the marginals through these.  They set the requirement and raise
 * ERRCODE_INVALID_PARAMETER_VALUE if k exceeds the number of rows, or people.
 */
extern FrequencySet *search_read_ground(Search *search);
extern void search_read_marginals(Search *search);

/* Starts an iteration and returns search->now. */
extern SearchIteration *search_iteration_begin(Search *search, int size);

/* Starts the one iteration of a search over the whole lattice, and reads the ground set. */
extern FrequencySet *search_begin_whole(Search *search);
extern void search_iteration_end(Search *search);

/* Is the whole requirement monotone, so that algorithms prune by all of it? */
extern bool search_is_monotone(const Search *search);

/*
 * Tallies a node by a requirement, the whole or the monotone part, from the set of a
 * specialization. judge: by models and people as well, from a joint set; NULL: by row counts.
 * request: from requirement_request, or without max_groups.
 */
extern FrequencyTally search_tally(ClassJudge *judge, const Requirement *requirement,
								   FrequencySet *source, const Level *node,
								   const TallyRequest *request);

/*
 * Does a node satisfy that?  One rollup from the source, which may be the node's own set.  Counts
 * as checked.
 */
extern bool search_check(Search *search, ClassJudge *judge, const Requirement *requirement,
						 FrequencySet *source, const Level *node);

/*
 * The answer of an algorithm that found all nodes of the full lattice that satisfy the monotone
 * part; changes their states.  If the requirement has other parts, each of these nodes is judged by
 * itself, in one more iteration: from "base", a joint set below all of them, or by another scan of
 * the table if that is NULL.
 */
extern Answer *search_answer(Search *search, const Lattice *lattice, uint8 *state,
							 FrequencySet *base);

/* The answer with one node, or none if it is NULL. */
extern Answer *answer_of_one(const FrequencySpace *space, const Level *node, bool minimal);

/*
 * A cache of frequency sets to roll up from is a list.  It begins with its base, which every node
 * asked for must be at or above.
 */
#define SET_CACHE_SMALL 4096 /* sets computed from smaller joint ones are not worth keeping */

/*
 * search_tally from the smallest set at or below the node.  The cache takes over the set that the
 * request keeps, if it is much smaller than its source.
 */
extern FrequencyTally set_cache_tally(List **cache, ClassJudge *judge,
									  const Requirement *requirement, const Level *node,
									  TallyRequest request);

/* The smallest set whose node is at or below this one.  O(sets * attributes). */
extern FrequencySet *set_cache_best(const List *cache, const Level *node);

/* Frees all but the base. */
extern void set_cache_free(List *cache);

#endif /* KANON_SEARCH_H */
