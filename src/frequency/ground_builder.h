/*
 * ground_builder.h
 *		Counts rows while the domains of their attributes are still unknown.
 *
 * Rows have provisional codes (dictionary codes in order of appearance, 0 for NULL).  At the end
 * the caller maps them to final codes.
 */
#ifndef KANON_GROUND_BUILDER_H
#define KANON_GROUND_BUILDER_H

#include "postgres.h"

#include "frequency/frequency_set.h"

typedef struct GroundBuilder GroundBuilder;

/* In the current context, against the budget. */
extern GroundBuilder *ground_builder_create(int attributes, Budget *budget);

/* Counts a row, or "count" equal ones, with provisional codes, one for each attribute. */
extern void ground_builder_add(GroundBuilder *builder, const int32 *codes, int64 count);

/* Rows counted so far. */
extern int64 ground_builder_rows(const GroundBuilder *builder);

/* Moves the groups to a tape if the budget has fewer bytes than this left. */
extern void ground_builder_make_room(GroundBuilder *builder, Size bytes);

/*
 * [attribute][provisional code]: rows; palloc'd, codes[attribute] entries.  The first call makes
 * one pass over the groups.
 */
extern int64 **ground_builder_marginals(GroundBuilder *builder, const int32 *codes);

/*
 * The frequency set in the final space, at a node if codes were counted at its levels.  final_code:
 * [attribute][provisional code], NULL for an attribute whose codes are final; NULL: for all.  Frees
 * the builder.
 */
extern FrequencySet *ground_builder_finish(GroundBuilder *builder, FrequencySpace *space,
										   const Level *node, int32 *const *final_code);

#endif /* KANON_GROUND_BUILDER_H */
