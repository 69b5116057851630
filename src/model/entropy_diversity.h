/*
 * entropy_diversity.h
 *		Entropy l-diversity; see entropy_diversity.c.
 */
#ifndef KANON_ENTROPY_DIVERSITY_H
#define KANON_ENTROPY_DIVERSITY_H

#include "postgres.h"

#include "model/model.h"

extern const ModelOps entropy_diversity;

#endif /* KANON_ENTROPY_DIVERSITY_H */
