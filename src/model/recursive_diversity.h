/*
 * recursive_diversity.h
 *		Recursive (c,l)-diversity; see recursive_diversity.c.
 */
#ifndef KANON_RECURSIVE_DIVERSITY_H
#define KANON_RECURSIVE_DIVERSITY_H

#include "postgres.h"

#include "model/model.h"

extern const ModelOps recursive_diversity;

#endif /* KANON_RECURSIVE_DIVERSITY_H */
