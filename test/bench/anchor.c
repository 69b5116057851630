/*
 * anchor.c
 *		anchor ALGORITHM K DIRECTORY: writes the generalized rows as CSV, each with its number
 *		first, and to standard error which reading of the paper loses least, how much, and its
 *		seconds of processor; see anchor.h.
 */
#include "anchor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef const char *(*Algorithm)(const Table *, int, int, int *);

static void
run(const Table *table, int k, Algorithm algorithm)
{
	int *best = NULL;
	int *class_of;
	const char *reading;
	const char *best_reading = "";
	double least = 2;
	double seconds = 0;

	for (int i = 0;; i++)
	{
		clock_t begun = clock();
		double took;
		double loss;

		class_of = allocate(table->rows, sizeof(int));
		reading = algorithm(table, k, i, class_of);
		if (reading == NULL)
			break;
		took = (double) (clock() - begun) / CLOCKS_PER_SEC;
		loss = table_loss(table, class_of);
		if (getenv("ANCHOR_VERBOSE") != NULL)
			fprintf(stderr, "%s: %.4f, %.1f s\n", reading, loss, took);
		if (loss >= least)
			continue;
		least = loss;
		seconds = took;
		best = class_of;
		best_reading = reading;
	}
	table_write(table, best);
	fprintf(stderr, "%s|%.6f|%.1f\n", best_reading, least, seconds);
}

int
main(int count, char **arguments)
{
	static const struct
	{
		const char *name;
		Algorithm algorithm;
	} known[] = {{"k_member", k_member}, {"top_down", top_down}, {"hilbert", hilbert}};
	Table *table;
	int k;

	for (int i = 0; count == 4 && i < 3; i++)
	{
		if (strcmp(arguments[1], known[i].name) != 0)
			continue;
		k = atoi(arguments[2]);
		table = table_read(arguments[3]);
		if (k < 1 || k > table->rows)
		{
			fprintf(stderr, "anchor: k must be between 1 and the number of rows\n");
			return 1;
		}
		run(table, k, known[i].algorithm);
		return 0;
	}
	fprintf(stderr, "usage: anchor {k_member|top_down|hilbert} K DIRECTORY\n");
	return 2;
}
