/*
 * counterexample.c
 *		See counterexample.h.
 *
 * Example: zip codes with levels 53703 / 5370* / 537** and sexes M, F with
 * level * above.  The chosen group is (53703, M).  (53706, F) with 4 rows meets
 * it at levels (1, 1), (53715, M) with 2 at (2, 0).  Counted there and summed
 * up the lattice: its class has 4 more rows at (1, 1), 2 more at (2, 0), and 6
 * more at (2, 1).
 */
#include "postgres.h"

#include "lattice/counterexample.h"

#include "miscadmin.h"

#define INTERRUPT_EVERY 65536

/* For one attribute: code at the set's level -> distance in node numbers to where it meets. */
typedef struct MeetField
{
	int word;
	int shift;
	uint64 mask;
	int64 *distance; /* larger than the lattice: never */
} MeetField;

static int64 *
meeting_distances(const Lattice *lattice, int attribute, const Dimension *dimension, Level from,
				  int32 code)
{
	int32 codes = dimension->cardinality[from];
	int64 *distance = palloc_extended(sizeof(int64) * codes, MCXT_ALLOC_HUGE);

	for (int32 other = 0; other < codes; other++)
		distance[other] = lattice->nodes * (lattice->attributes + 1);
	for (int level = dimension->height; level >= from; level--)
	{
		int32 *ancestor = dimension_map(dimension, from, level);

		for (int32 other = 0; other < codes; other++)
			if (ancestor[other] == ancestor[code])
				distance[other] = level * lattice->stride[attribute];
		pfree(ancestor);
	}
	return distance;
}

static MeetField *
meet_fields(const FrequencySpace *space, const Lattice *lattice, const Level *from,
			const uint64 *key)
{
	MeetField *fields = palloc(sizeof(MeetField) * space->attributes);

	for (int i = 0; i < space->attributes; i++)
	{
		const KeyField *field = &space->field[i];
		int32 code = (int32) ((key[field->word] >> field->shift) & field->mask);

		fields[i] = (MeetField){
			.word = field->word,
			.shift = field->shift,
			.mask = field->mask,
			.distance = meeting_distances(lattice, i, space->dimension[i], from[i], code)};
	}
	return fields;
}

/* Each group's rows at the node where it meets the chosen one. */
static void
count_meetings(FrequencySet *set, const FrequencySpace *space, const Lattice *lattice,
			   const MeetField *fields, int64 *sizes)
{
	FrequencyScan scan = frequency_scan_begin(set);
	const uint64 *entries;
	int64 n;

	while ((n = frequency_scan_next(&scan, &entries)) > 0)
		for (; n > 0; n--, entries += space->words + 1)
		{
			int64 node = 0;

			for (int i = 0; i < space->attributes; i++)
				node +=
					fields[i]
						.distance[(entries[fields[i].word] >> fields[i].shift) & fields[i].mask];
			if (node < lattice->nodes)
				sizes[node] += (int64) entries[space->words];
		}
	frequency_scan_end(&scan);
}

/* Makes each node's figure the sum over all nodes at or below it. */
static void
sum_up(const Lattice *lattice, int64 *sizes)
{
	for (int i = 0; i < lattice->attributes; i++)
		for (int64 node = 0; node < lattice->nodes; node++)
		{
			if (node % INTERRUPT_EVERY == 0)
				CHECK_FOR_INTERRUPTS();
			if (lattice_level(lattice, node, i) > 0)
				sizes[node] += sizes[node - lattice->stride[i]];
		}
}

void
counterexample_sizes(FrequencySet *set, FrequencySpace *space, const Lattice *lattice,
					 const uint64 *key, int64 *sizes)
{
	MeetField *fields = meet_fields(space, lattice, frequency_set_node(set), key);

	memset(sizes, 0, sizeof(int64) * lattice->nodes);
	count_meetings(set, space, lattice, fields, sizes);
	sum_up(lattice, sizes);
	for (int i = 0; i < space->attributes; i++)
		pfree(fields[i].distance);
	pfree(fields);
}
