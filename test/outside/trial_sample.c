/*
 * trial_sample.c
 *		Trials of samples of rows and of trees that are grown from them; see trial.h.
 *
 * Quantiles are compared with tables, samples of rows with those of the same rows in another order.
 * Besides, how many nodes are pruned in all, on the data and with the parameters of Figure 28(a) of
 * LeFevre, DeWitt 2007: growing from samples of n rows until n are left, with trees of height 8.
 */
#include "postgres.h"

#include "trial.h"

#include <math.h>

#include "common/hashfn.h"
#include "model/sample_test.h"
#include "partition/region.h"
#include "rothko/sample_tree.h"
#include "utils/memutils.h"

#define ATTRIBUTES 9
#define ROWS 100000
#define HEIGHT 8
#define MOST_NODES 2048

static void
check_number(const char *what, double value, double expected, double error)
{
	if (fabs(value - expected) > error * fabs(expected))
		elog(ERROR, "%s is %.12g instead of %.12g", what, value, expected);
}

/* M. Abramowitz, I. A. Stegun: Handbook of Mathematical Functions, 1964, tables 26.5 and 26.8. */
static void
check_quantiles(void)
{
	static const double normal[][2] = {{0.5, 0},
									   {0.05, 1.6448536269514722},
									   {0.025, 1.9599639845400545},
									   {0.005, 2.5758293035489004},
									   {0.95, -1.6448536269514722},
									   {1e-10, 6.3613409024040557}};
	static const double chi[][3] = {{0.05, 1, 3.8414588206941236},  {0.05, 2, 5.991464547107979},
									{0.95, 10, 3.9402991361190605}, {0.05, 10, 18.307038053275146},
									{0.025, 5, 12.832501994030027}, {0.05, 100, 124.34211340400407},
									{0.005, 30, 53.671961930240585}};

	for (int i = 0; i < (int) lengthof(normal); i++)
		check_number("normal quantile", quantile_normal(normal[i][0]), normal[i][1], 1e-13);
	for (int i = 0; i < (int) lengthof(chi); i++)
		check_number("chi-square quantile", quantile_chi_square(chi[i][0], chi[i][1]), chi[i][2],
					 1e-9);
	/* On both sides of where the series ends. */
	check_number("chi-square quantile", quantile_chi_square(0.05, 1001),
				 quantile_chi_square(0.05, 1000) + 1.0366, 1e-5);
	/* The example of sample_test.c. */
	if (sample_test_least(&(SampleTest){.sample = 100, .population = 1000, .alpha = 0.05}, 10, 2) !=
		3)
		elog(ERROR, "not 3 rows of the sample are clear");
}

/* Rows of few values on a tape, in that order. */
static CodeTape *
write_rows(CodeTapes *tapes, const RowLayout *layout, const int32 *code, int rows, int first)
{
	CodeTape *tape = code_tape_create(tapes, layout->width);

	for (int i = 0; i < rows; i++)
	{
		int row = (first + i) % rows;
		int32 tuple[ATTRIBUTES + 1];

		memcpy(tuple, code + row * layout->attributes, sizeof(int32) * layout->attributes);
		tuple[layout->attributes] = i;
		code_tape_append(tape, tuple);
	}
	return tape;
}

static int
compare_codes(const void *a, const void *b, void *arg)
{
	return memcmp(a, b, sizeof(int32) * *(int *) arg);
}

/* The codes of a sample, sorted. */
static int32 *
sample_codes(const CodedRows *rows, const CodeBounds *bounds, const PartitionRequest *request,
			 int sample)
{
	int attributes = rows->layout->attributes;
	LoadedRows *loaded = row_sample_take(rows, bounds, request, sample);
	int32 *code = palloc(sizeof(int32) * attributes * sample);

	if (loaded->dataset->rows != sample)
		elog(ERROR, "the sample has %d rows instead of %d", (int) loaded->dataset->rows, sample);
	for (int i = 0; i < sample; i++)
		memcpy(code + i * attributes, dataset_record(loaded->dataset, i),
			   sizeof(int32) * attributes);
	qsort_arg(code, sample, sizeof(int32) * attributes, compare_codes, &attributes);
	return code;
}

void
trial_sample(Trial *trial)
{
	int attributes = 1 + draw_below(trial->draw, 3);
	int rows = 1 + draw_below(trial->draw, 200);
	int sample = 1 + draw_below(trial->draw, rows);
	int values = 1 + draw_below(trial->draw, 30);
	RowLayout layout = row_layout(attributes, 0, false);
	int32 *code = palloc(sizeof(int32) * attributes * rows);
	CodeBounds bounds[3] = {{0, 30}, {0, 30}, {0, 30}};
	PartitionRequest request = {.k = 1, .budget = &trial->budget};
	CodeTapes *tapes;
	CodedRows one = {.layout = &layout};
	CodedRows other = {.layout = &layout};

	check_quantiles();
	trial->budget = trial_budget(ENOUGH_MEMORY);
	tapes = code_tapes_create();
	for (int i = 0; i < attributes * rows; i++)
		code[i] = draw_below(trial->draw, values + 1) - 1;
	one.tape = write_rows(tapes, &layout, code, rows, 0);
	other.tape = write_rows(tapes, &layout, code, rows, draw_below(trial->draw, rows));
	if (memcmp(sample_codes(&one, bounds, &request, sample),
			   sample_codes(&other, bounds, &request, sample),
			   sizeof(int32) * attributes * sample) != 0)
		elog(ERROR, "a sample of %d of %d rows depends on their order", sample, rows);
}

/* A whole number of the generator, as test/bench/agrawal.sql has them. */
static int32
between(uint64 number, uint64 seed, int32 low, int32 high)
{
	uint64 hash = draw_mix(draw_mix(number + 1) + seed) & 1073741823;

	return low + (int32) (hash * (uint64) (high - low + 1) / 1073741824);
}

static void
make_person(uint64 i, int32 *code)
{
	code[0] = between(i, 1, 20000, 150000);
	code[1] = code[0] >= 75000 ? 0 : between(i, 2, 10000, 75000);
	code[2] = between(i, 3, 20, 80);
	code[3] = between(i, 4, 0, 4);
	code[4] = between(i, 5, 1, 20);
	code[5] = between(i, 6, 1, 9);
	code[6] = code[5] * between(i, 7, 50000, 150000);
	code[7] = between(i, 8, 1, 30);
	code[8] = between(i, 9, 0, 500000);
}

typedef struct Pruning
{
	PartitionRequest request;
	RowLayout layout;
	CodeTapes *tapes;
	int64 sample;
	double alpha;
	int64 pruned;
	bool minimal; /* no part is left that a sample did not divide */
} Pruning;

/* Grows and prunes, and goes on with the parts; the tape is closed. */
static void
divide(Pruning *pruning, CodeTape *tape, const CodeBounds *bounds)
{
	CodedRows rows = {.layout = &pruning->layout, .tape = tape};
	SampleGrowth growth = {.population = code_tape_tuples(tape),
						   .alpha = pruning->alpha,
						   .nodes = MOST_NODES,
						   .height = HEIGHT};
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "pruning", ALLOCSET_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(context);
	TreePopulation *population;
	GrowingTree *tree;
	CodeTape **part;
	const int32 *tuple;
	CodedScan scan;

	tree = sample_tree_grow(row_sample_take(&rows, bounds, &pruning->request, pruning->sample),
							&pruning->layout, &pruning->request, bounds, growth);
	population = tree_population_create(tree, &pruning->request);
	scan = coded_scan_begin(&rows);
	while ((tuple = coded_scan_next(&scan)) != NULL)
		tree_population_count(population, tuple);
	pruning->pruned += tree_population_prune(population);
	pruning->minimal &= tree->leaves > 1;
	part = palloc(sizeof(CodeTape *) * tree->leaves);
	for (int32 leaf = 0; leaf < tree->leaves; leaf++)
		part[leaf] = code_tape_create(pruning->tapes, pruning->layout.width);
	scan = coded_scan_begin(&rows);
	while ((tuple = coded_scan_next(&scan)) != NULL)
		code_tape_append(part[growing_tree_leaf(tree, tuple)], tuple);
	code_tape_close(tape);
	for (int32 leaf = 0; leaf < tree->leaves; leaf++)
		if (tree->leaves > 1 && code_tape_tuples(part[leaf]) > pruning->sample)
			divide(pruning, part[leaf], growing_tree_leaf_node(tree, leaf)->bounds);
		else
			code_tape_close(part[leaf]);
	MemoryContextSwitchTo(previous);
	MemoryContextDelete(context);
}

static void
print_pruned(int64 k, int64 sample, double alpha)
{
	Budget budget = {.limit = (Size) 1 << 30};
	Dataset *none = dataset_create(DATASET_RECORDS, ATTRIBUTES, &budget);
	RecodingColumn column[ATTRIBUTES];
	CodeBounds bounds[ATTRIBUTES];
	Pruning pruning = {.request = {.k = k, .of_part = true, .column = column, .budget = &budget},
					   .layout = row_layout(ATTRIBUTES, 0, false),
					   .tapes = code_tapes_create(),
					   .sample = sample,
					   .alpha = alpha,
					   .minimal = true};
	CodeTape *tape = code_tape_create(pruning.tapes, pruning.layout.width);

	dataset_free(none);
	for (int j = 0; j < ATTRIBUTES; j++)
		bounds[j] = (CodeBounds){PG_INT32_MAX, -1};
	for (int i = 0; i < ROWS; i++)
	{
		int32 tuple[ATTRIBUTES + 1];

		make_person(i, tuple);
		tuple[ATTRIBUTES] = i;
		code_tape_append(tape, tuple);
		for (int j = 0; j < ATTRIBUTES; j++)
			bounds[j] =
				(CodeBounds){Min(bounds[j].minimum, tuple[j]), Max(bounds[j].maximum, tuple[j])};
	}
	for (int j = 0; j < ATTRIBUTES; j++)
		column[j] = region_column(&(RecodingColumn){0}, bounds[j].minimum, bounds[j].maximum);
	divide(&pruning, tape, bounds);
	printf(alpha > 0 ? "%d%s" : " (%d%s)", (int) pruning.pruned, pruning.minimal ? "" : "x");
	fflush(stdout);
}

void
trial_sample_print(void *argument)
{
	static const int64 sample[] = {250, 500, 1000, 2500, 5000, 10000, 25000};
	static const int64 k[] = {10, 100, 1000};
	static const char *const paper[][3] = {
		{"30 (1110)", "7 (97)", "x (x)"}, {"11 (419)", "12 (55)", "x (x)"},
		{"0 (0)", "5 (6)", "x (x)"},      {"0 (0)", "2 (1)", "1 (3)"},
		{"0 (0)", "0 (0)", "1 (4)"},      {"0 (0)", "0 (0)", "0 (0)"},
		{"0 (0)", "0 (0)", "0 (0)"}};

	(void) argument;
	printf("Nodes pruned, with tests (without), beside LeFevre, DeWitt 2007, Figure 28(a);\n"
		   "x: a part was left that the sample did not divide\n\n| n |");
	for (int j = 0; j < (int) lengthof(k); j++)
		printf(" k = %d | paper |", (int) k[j]);
	printf("\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
	for (int i = 0; i < (int) lengthof(sample); i++)
	{
		printf("| %d |", (int) sample[i]);
		for (int j = 0; j < (int) lengthof(k); j++)
		{
			printf(" ");
			print_pruned(k[j], sample[i], SAMPLE_ALPHA);
			print_pruned(k[j], sample[i], 0);
			printf(" | %s |", paper[i][j]);
		}
		printf("\n");
	}
}
