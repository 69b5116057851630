/*
 * frequency_source.h
 *		Where frequency sets of the table itself come from: a call of an operation reads it
 *		once, read_marginals once for each attribute.
 */
#ifndef KANON_FREQUENCY_SOURCE_H
#define KANON_FREQUENCY_SOURCE_H

#include "postgres.h"

#include "frequency/frequency_set.h"

typedef struct FrequencySource FrequencySource;

struct FrequencySource
{
	/* Known after the first read_ground or read_marginals. */
	FrequencySpace *space;

	/* The frequency set of all attributes at level 0.  Makes the space. */
	FrequencySet *(*read_ground)(FrequencySource *source);

	/* The marginals of the attributes, by one GROUP BY for each.  Makes the space. */
	void (*read_marginals)(FrequencySource *source);

	/* The frequency set at any node; the space must be known. */
	FrequencySet *(*read_node)(FrequencySource *source, const Level *node);
};

#endif /* KANON_FREQUENCY_SOURCE_H */
