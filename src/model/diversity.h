/*
 * diversity.h
 *		The three kinds of l-diversity: distinct(s, l), entropy(s, l) and recursive(s, c, l)
 *		(Machanavajjhala et al. 2006); see diversity.c.
 */
#ifndef KANON_DIVERSITY_H
#define KANON_DIVERSITY_H

#include "postgres.h"

#include "model/model.h"

extern const ModelOps distinct_diversity;
extern const ModelOps entropy_diversity;
extern const ModelOps recursive_diversity;

#endif /* KANON_DIVERSITY_H */
