/*
 * anchor_hilbert.c
 *		G. Ghinita, P. Karras, P. Kalnis, N. Mamoulis: Fast Data Anonymization with Low
 *		Information Loss (VLDB 2007): rows in the order of a Hilbert curve, cut into groups.
 *
 * Rows are mapped to one dimension by the Hilbert curve through the space of their attributes;
 * there a dynamic program finds the best groups, which are runs of k to 2k - 1 rows:
 * best(i) = min over j of best(j) + loss of rows j .. i - 1.  A run of 2k rows or more could be
 * cut without losing more, so the runs found are the best of all for this order.  The paper
 * also has a heuristic in linear time, which cannot lose less.  Written from the abstract and
 * public descriptions; of the paper's text only the beginning was at hand.  Open there, and
 * tried in all ways:
 * - Coordinates: a value's place among the leaves of its hierarchy (categories are ordered so,
 *   siblings together), stretched so that every attribute spans the whole cube, as in NCP; or
 *   its rank among the values that the table has, not stretched.
 * - The order of the dimensions: as in the table, by ascending or by descending numbers of
 *   values.
 *
 * The curve by its definition as a Gray code that is turned and mirrored from level to level
 * (J. Skilling: Programming the Hilbert curve, 2004, describes the bitwise form).
 */
#include "anchor.h"

#include <stdlib.h>
#include <string.h>

#define KEY_WORDS 5 /* 15 dimensions of up to 20 bits */

typedef struct Place
{
	uint64_t key[KEY_WORDS];
	int row;
} Place;

static int
place_compare(const void *a, const void *b)
{
	const Place *one = a;
	const Place *other = b;

	for (int i = 0; i < KEY_WORDS; i++)
		if (one->key[i] != other->key[i])
			return one->key[i] < other->key[i] ? -1 : 1;
	return one->row - other->row;
}

/* From coordinates to the bits of the place on the curve, transposed: of each coordinate one
 * bit for each level, from the highest level down. */
static void
curve_transpose(uint32_t *x, int dimensions, int bits)
{
	uint32_t fold = 0;

	/* Undo, from the largest cube to the smallest, how each is turned. */
	for (uint32_t bit = UINT32_C(1) << (bits - 1); bit > 1; bit >>= 1)
		for (int i = 0; i < dimensions; i++)
		{
			uint32_t swapped = (x[0] ^ x[i]) & (bit - 1);

			if (x[i] & bit)
				x[0] ^= bit - 1;
			else
			{
				x[0] ^= swapped;
				x[i] ^= swapped;
			}
		}
	/* The Gray code of what is left. */
	for (int i = 1; i < dimensions; i++)
		x[i] ^= x[i - 1];
	for (uint32_t bit = UINT32_C(1) << (bits - 1); bit > 1; bit >>= 1)
		if (x[dimensions - 1] & bit)
			fold ^= bit - 1;
	for (int i = 0; i < dimensions; i++)
		x[i] ^= fold;
}

static void
place_set_key(Place *place, const uint32_t *x, int dimensions, int bits)
{
	int at = 0;

	memset(place->key, 0, sizeof(place->key));
	for (int bit = bits - 1; bit >= 0; bit--)
		for (int i = 0; i < dimensions; i++, at++)
			if (x[i] >> bit & 1)
				place->key[at / 64] |= UINT64_C(1) << (63 - at % 64);
}

/* The order of dimensions: 0 as in the table, 1 by ascending, 2 by descending numbers of values. */
static void
order_dimensions(const Table *table, int order, int *dimension)
{
	for (int at = 0; at < table->attributes; at++)
	{
		int place = at;

		while (order > 0 && place > 0 &&
			   (order == 1) ==
				   (table->attribute[dimension[place - 1]].values > table->attribute[at].values) &&
			   table->attribute[dimension[place - 1]].values != table->attribute[at].values)
		{
			dimension[place] = dimension[place - 1];
			place--;
		}
		dimension[place] = at;
	}
}

static Place *
rows_in_order(const Table *table, bool stretched, int order)
{
	Place *places = allocate(table->rows, sizeof(Place));
	int dimension[MOST_ATTRIBUTES];
	int bits = 1;

	for (int at = 0; at < table->attributes; at++)
	{
		const Attribute *attribute = &table->attribute[at];

		while ((stretched ? attribute->leaves : attribute->values) > 1 << bits)
			bits++;
	}
	order_dimensions(table, order, dimension);
	for (int row = 0; row < table->rows; row++)
	{
		uint32_t x[MOST_ATTRIBUTES];

		for (int i = 0; i < table->attributes; i++)
		{
			const Attribute *attribute = &table->attribute[dimension[i]];
			int code = table->code[dimension[i]][row];

			x[i] = stretched
					   ? (uint32_t) (((int64_t) attribute->leaf[code] << bits) / attribute->leaves)
					   : (uint32_t) code;
		}
		curve_transpose(x, table->attributes, bits);
		place_set_key(&places[row], x, table->attributes, bits);
		places[row].row = row;
	}
	qsort(places, table->rows, sizeof(Place), place_compare);
	return places;
}

/* The dynamic program; a run ends before each i. */
static void
cut_runs(const Table *table, const Place *places, int k, int *class_of)
{
	int64_t *best = allocate(table->rows + 1, sizeof(int64_t));
	int *from = allocate(table->rows + 1, sizeof(int));
	int class = 0;

	for (int i = 1; i <= table->rows; i++)
	{
		Label label = label_of_row(table, places[i - 1].row);

		best[i] = INT64_MAX;
		for (int j = i - 1; j >= 0 && i - j < 2 * k; j--)
		{
			label_add_row(table, &label, places[j].row);
			if (i - j < k || best[j] == INT64_MAX ||
				best[j] + (int64_t) label.loss * (i - j) >= best[i])
				continue;
			best[i] = best[j] + (int64_t) label.loss * (i - j);
			from[i] = j;
		}
	}
	for (int i = table->rows; i > 0; i = from[i], class ++)
		for (int j = from[i]; j < i; j++)
			class_of[places[j].row] = class;
	free(best);
	free(from);
}

const char *
hilbert(const Table *table, int k, int reading, int *class_of)
{
	static const char *const names[] = {
		"stretched, columns in order", "stretched, ascending", "stretched, descending",
		"ranks, columns in order",     "ranks, ascending",     "ranks, descending"};
	Place *places;

	if (reading >= 6)
		return NULL;
	places = rows_in_order(table, reading < 3, reading % 3);
	cut_runs(table, places, k, class_of);
	free(places);
	return names[reading];
}
