/*
 * distinct_diversity.h
 *		Distinct l-diversity; see distinct_diversity.c.
 */
#ifndef KANON_DISTINCT_DIVERSITY_H
#define KANON_DISTINCT_DIVERSITY_H

#include "postgres.h"

#include "model/model.h"

extern const ModelOps distinct_diversity;

#endif /* KANON_DISTINCT_DIVERSITY_H */
