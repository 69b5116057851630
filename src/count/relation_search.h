/*
 * relation_search.h
 *		Searches the lattice of a relation's generalizations, from its columns to the answer.
 */
#ifndef KANON_RELATION_SEARCH_H
#define KANON_RELATION_SEARCH_H

#include "postgres.h"

#include "lattice/search.h"
#include "metric/loss.h"
#include "nodes/pg_list.h"
#include "relation/description.h"

/*
 * Sets the relation of a search whose k, suppression and budget are set: a source of the
 * quasi-identifiers, and the demand of models (of Model) and person (a column, or NULL), whose
 * columns it reads.  Within a query scope, as the current user; in the current context.  Errors:
 * those of model_query_create, model_query_read, model_query_check_values and
 * frequency_query_create.
 */
extern void relation_search_open(Search *search, const Description *description, List *models,
								 const char *person);

/*
 * Runs the search and remembers its statistics.  Errors: those of the algorithm and of the source.
 */
extern Answer *relation_search_run(Search *search, const SearchAlgorithm *algorithm);

/* The loss of nodes, by the declared weights, after a search.  In the current context. */
extern LossTable *relation_search_loss(const Search *search, const Description *description);

/* The iterations of the session's last search. */
extern const SearchIteration *relation_search_last(int *iterations);

#endif /* KANON_RELATION_SEARCH_H */
