/*
 * variance_diversity.h
 *		Variance diversity; see variance_diversity.c.
 */
#ifndef KANON_VARIANCE_DIVERSITY_H
#define KANON_VARIANCE_DIVERSITY_H

#include "postgres.h"

#include "model/model.h"

extern const ModelOps variance_diversity;

#endif /* KANON_VARIANCE_DIVERSITY_H */
