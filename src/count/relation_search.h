/*
 * relation_search.h
 *		Searches the lattice of a relation's generalizations, from its columns to the answer.
 */
#ifndef KANON_RELATION_SEARCH_H
#define KANON_RELATION_SEARCH_H

#include "postgres.h"

#include "count/content_tally.h"
#include "dimension/sensitive_values.h"
#include "frequency/frequency_set.h"
#include "lattice/search.h"
#include "metric/loss.h"
#include "relation/description.h"
#include "utils/array.h"
#include "utils/guc.h"

typedef enum GroundScan
{
	GROUND_SCAN_AUTO, /* group_by if rows are remote and groups can travel, otherwise stream */
	GROUND_SCAN_STREAM,
	GROUND_SCAN_GROUP_BY
} GroundScan;

extern int relation_search_ground_scan; /* kanon.ground_scan */
extern const struct config_enum_entry relation_search_ground_scans[];

/*
 * Sets the relation of a search whose k, suppression, ends and budget are set: a source of the
 * quasi-identifiers, and the demand, whose columns it reads.  The domains that it reads stay in the
 * description.  Within a query scope, as the current user; in the current context.  Errors: those
 * of sensitive_values_read, sensitive_values_check and dimension_query_load.
 */
extern void relation_search_open(Search *search, Description *description);

/*
 * Bounds the levels of a search that was opened, from arrays of levels (as for
 * dimension_source_read_levels), or NULL for no bound.  Errors: those of that function, a level
 * that the attribute does not have, and a lowest level above the highest
 * (ERRCODE_INVALID_PARAMETER_VALUE).
 */
extern void relation_search_bound(Search *search, const Description *description, ArrayType *lowest,
								  ArrayType *highest);

/* The level of a quasi-identifier that a node of the search has: other numbers if it has "ends". */
extern int relation_search_level(const Search *search, const Description *description, int quasi,
								 Level level);

/*
 * Runs the search and remembers its statistics.  Errors: those of the algorithm and of the source.
 */
extern Answer *relation_search_run(Search *search, const SearchAlgorithm *algorithm);

/*
 * Tallies the classes of all sets of columns that the description lets somebody know, without any
 * generalization; small classes are those that fail k or the demand, and rows in several of them
 * count once.  Reads the relation once, as the current user.  Errors: those of relation_search_open
 * and known_check_sets.
 */
extern ClassTally relation_search_sets(Description *description, int k, Budget *budget);

/* The loss of nodes, by the declared weights, after a search.  In the current context. */
extern LossTable *relation_search_loss(const Search *search, const Description *description);

/* The iterations of the session's last search. */
extern const SearchIteration *relation_search_last(int *iterations);

#endif /* KANON_RELATION_SEARCH_H */
