/*
 * frequency_source.h
 *		The interface of a frequency source, which counts the table itself.  An operation calls it
 *		once; read_marginals reads the table once for each attribute.
 */
#ifndef KANON_FREQUENCY_SOURCE_H
#define KANON_FREQUENCY_SOURCE_H

#include "postgres.h"

#include "frequency/frequency_set.h"

typedef struct FrequencySource FrequencySource;

struct FrequencySource
{
	/* Set by the first read_ground or read_marginals. */
	FrequencySpace *space;

	/* The frequency set of all attributes at level 0.  Makes the space. */
	FrequencySet *(*read_ground)(FrequencySource *source);

	/* The marginals of the attributes, by one GROUP BY each.  Makes the space. */
	void (*read_marginals)(FrequencySource *source);

	/* The frequency set at any node; needs the space. */
	FrequencySet *(*read_node)(FrequencySource *source, const Level *node);
};

#endif /* KANON_FREQUENCY_SOURCE_H */
