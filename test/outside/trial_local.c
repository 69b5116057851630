/*
 * trial_local.c
 *		Trials of local recoding: classes are looked at row by row, recoded again from rows and
 *		columns in another order, and of few rows compared with the least loss there is; see
 *		trial.h.
 */
#include "postgres.h"

#include "trial.h"

#include <math.h>

#include "local/local.h"
#include "metric/loss.h"
#include "partition/region.h"

#define MAX_CODES 8
#define MAX_LEVELS 4
#define MAX_ATTRIBUTES 5
#define MAX_ROWS 120
#define TINY 9
#define SENSITIVE 4

typedef struct LocalCase
{
	Trial *trial;
	int attributes;
	int rows;
	Dataset *dataset;
	RecodingColumn column[MAX_ATTRIBUTES];
	int order[MAX_ATTRIBUTES];
	double weight[MAX_ATTRIBUTES];
	int32 value[MAX_ROWS]; /* sensitive */
	int least_values;      /* distinct, of a class; 0: no model */
	LocalRequest request;
	RowModels models;
	Recoding *recoding;
} LocalCase;

static struct
{
	int tables;
	double least;
	double local;
	double worst; /* more than the least */
} found;

/* ---- drawing */

Dimension *
trial_draw_hierarchy(Trial *trial, int grounds, bool has_null)
{
	int32 label[MAX_LEVELS][MAX_CODES] = {{0}};
	int32 leaves[MAX_LEVELS][MAX_CODES] = {{0}};
	int32 count[MAX_LEVELS];
	const int32 *labels[MAX_LEVELS];
	const int32 *leaf[MAX_LEVELS];
	int height = draw_between(trial->draw, 1, MAX_LEVELS - 1);
	DimensionInput input = {.height = height,
							.ground_count = grounds,
							.label = labels,
							.label_count = count,
							.leaves = leaf,
							.domain = grounds + draw_below(trial->draw, 3),
							.has_null = has_null};

	for (int i = 0; i < grounds; i++)
		label[0][i] = i;
	for (int level = 1; level <= height; level++)
	{
		for (int i = 1; i < grounds; i++)
			label[level][i] =
				label[level][i - 1] +
				(label[level - 1][i] != label[level - 1][i - 1] && draw_one_in(trial->draw, 2));
		count[level] = label[level][grounds - 1] + 1;
		for (int i = 0; i < grounds; i++)
			leaves[level][label[level][i]]++;
		labels[level] = label[level];
		leaf[level] = leaves[level];
	}
	return dimension_create(&input, &trial->budget);
}

static RecodingColumn
draw_column(Trial *trial, const Dataset *dataset, int attribute)
{
	RecodingColumn column = {.spans = true};
	int kind = draw_below(trial->draw, 4);
	double *position;

	if (kind <= 1)
		column.dimension =
			trial_draw_hierarchy(trial, dataset->values[attribute], dataset->has_null[attribute]);
	else
		column.plain = kind == 2;
	if (kind != 3 || draw_one_in(trial->draw, 2))
		return column;
	position = palloc(sizeof(double) * MAX_CODES);
	for (int i = 0; i < MAX_CODES; i++)
		position[i] = (i > 0 ? position[i - 1] : 0) + draw_below(trial->draw, 5);
	column.position = position;
	return column;
}

static void
draw_model(LocalCase *one)
{
	Trial *trial = one->trial;
	Model *model = palloc0(sizeof(Model));
	SensitiveDomain *domain = palloc0(sizeof(SensitiveDomain));
	int64 *count = palloc0(sizeof(int64) * SENSITIVE);

	one->least_values = draw_between(trial->draw, 1, 3);
	*model = (Model){.ops = &distinct_diversity, .parameter = {one->least_values}};
	for (int row = 0; row < one->rows; row++)
	{
		one->value[row] = draw_below(trial->draw, draw_one_in(trial->draw, 2) ? 2 : SENSITIVE);
		count[one->value[row]]++;
	}
	*domain =
		(SensitiveDomain){.name = "s", .codes = SENSITIVE, .count = count, .members = one->rows};
	sensitive_domain_prepare(domain, &trial->budget);
	one->models.demand = (Demand){.models = 1, .columns = 1};
	one->models.demand.model = palloc(sizeof(Model *));
	one->models.demand.model[0] = model;
	one->models.demand.column_of = palloc0(sizeof(int));
	one->models.demand.domain = palloc(sizeof(SensitiveDomain *));
	one->models.demand.domain[0] = domain;
	one->models.code = palloc(sizeof(int32 *));
	one->models.code[0] = palloc(sizeof(int32) * one->rows);
	memcpy(one->models.code[0], one->value, sizeof(int32) * one->rows);
	one->request.models = &one->models;
}

static LocalCase *
draw_case(Trial *trial, int most)
{
	LocalCase *one = palloc0(sizeof(LocalCase));
	Draw *draw = trial->draw;

	one->trial = trial;
	one->attributes = draw_between(draw, 1, MAX_ATTRIBUTES);
	one->rows = draw_between(draw, 1, most);
	one->dataset =
		trial_draw_records(trial, one->attributes, one->rows, draw_between(draw, 1, MAX_CODES));
	for (int i = 0; i < one->attributes; i++)
	{
		one->column[i] = draw_column(trial, one->dataset, i);
		one->order[i] = i;
		one->weight[i] = 1.0 / one->attributes;
	}
	for (int row = 0; row < one->rows; row++)
		dataset_record(one->dataset, row)[one->attributes] = row;
	one->request = (LocalRequest){.k = draw_between(draw, 1, draw_one_in(draw, 2) ? 3 : 12),
								  .column = one->column,
								  .order = one->order,
								  .places_only = draw_one_in(draw, 4),
								  .budget = &trial->budget};
	if (draw_one_in(draw, 2))
		one->request.weight = one->weight;
	return one;
}

/* ---- checks */

static const int32 *
first_of(const LocalCase *one, int class)
{
	return dataset_record(one->dataset, one->recoding->class_end[class - 1]);
}

static int
size_of(const LocalCase *one, int class)
{
	return one->recoding->class_end[class] - one->recoding->class_end[class - 1];
}

/* Do those rows of a class satisfy together whose place is marked? */
static bool
satisfies(const LocalCase *one, int class, const bool *mark)
{
	bool seen[SENSITIVE] = {false};
	int rows = 0;
	int values = 0;

	for (int i = 0; i < size_of(one, class); i++)
	{
		const int32 *record = first_of(one, class) + i * one->dataset->stride;
		int32 value = one->value[dataset_row(one->dataset, record)];

		if (!mark[i])
			continue;
		rows++;
		values += !seen[value];
		seen[value] = true;
	}
	return rows >= one->request.k && values >= one->least_values;
}

/* Could the class be divided into the rows marked and the others? */
static void
check_division(const LocalCase *one, int class, bool *mark, const char *what)
{
	bool divides = satisfies(one, class, mark);

	for (int i = 0; i < size_of(one, class); i++)
		mark[i] = !mark[i];
	if (divides && satisfies(one, class, mark))
		elog(ERROR, "class %d can be divided by %s", class, what);
}

/* No attribute divides a class into those of one label, or at a cut, and the others. */
static void
check_undivided(const LocalCase *one, int class)
{
	bool mark[MAX_ROWS];
	RecodedCell cell[MAX_ATTRIBUTES];

	one->recoding->cells(one->recoding, class, cell);
	for (int i = 0; i < one->attributes; i++)
	{
		const Dimension *dimension = one->column[i].dimension;
		bool mixed = false;
		bool values = false;

		for (int j = 0; j < size_of(one, class); j++)
		{
			int32 code = first_of(one, class)[j * one->dataset->stride + i];

			mark[j] = code == DATASET_NULL;
			mixed |= mark[j];
			values |= !mark[j];
		}
		if (mixed && values)
			check_division(one, class, mark, "NULL");
		if (mixed || one->column[i].plain)
			continue;
		for (int32 code = 0; code < one->dataset->values[i]; code++)
		{
			int level = (cell[i].kind == RECODED_LABEL ? cell[i].level
						 : dimension                   ? dimension->height + 1
													   : 1) -
						1;

			if (level < 0)
				continue;
			for (int j = 0; j < size_of(one, class); j++)
			{
				int32 other = first_of(one, class)[j * one->dataset->stride + i];

				mark[j] = dimension ? dimension->ancestor[level][other] ==
										  dimension->ancestor[level][code]
									: other <= code;
			}
			check_division(one, class, mark, dimension ? "a label" : "a cut");
		}
	}
}

/* Are the cells of two classes the same? */
static bool
same_cells(const LocalCase *one, int class, int other)
{
	RecodedCell cell[MAX_ATTRIBUTES];
	RecodedCell other_cell[MAX_ATTRIBUTES];

	one->recoding->cells(one->recoding, class, cell);
	one->recoding->cells(one->recoding, other, other_cell);
	for (int i = 0; i < one->attributes; i++)
	{
		const Dimension *dimension = one->column[i].dimension;
		const RecodedCell *x = &cell[i];
		const RecodedCell *y = &other_cell[i];

		if (x->kind != y->kind ||
			(x->kind == RECODED_SPAN && (x->low != y->low || x->high != y->high)))
			return false;
		if (x->kind == RECODED_LABEL &&
			(x->level != y->level ||
			 dimension->ancestor[x->level][x->low] != dimension->ancestor[y->level][y->low]))
			return false;
	}
	return true;
}

static void
check_classes(const LocalCase *one)
{
	const Recoding *recoding = one->recoding;
	bool all[MAX_ROWS];
	bool seen[MAX_ROWS] = {false};

	memset(all, true, sizeof(all));
	for (int row = 0; row < one->rows; row++)
	{
		int32 number = dataset_row(one->dataset, dataset_record(one->dataset, row));

		if (seen[number])
			elog(ERROR, "row %d is there twice", number);
		seen[number] = true;
	}
	if (one->rows - recoding->class_end[recoding->groups] > one->request.suppressed)
		elog(ERROR, "%d rows are left out", one->rows - recoding->class_end[recoding->groups]);
	for (int class = 1; class <= recoding->groups; class ++)
	{
		if (!satisfies(one, class, all))
			elog(ERROR, "class %d does not satisfy", class);
		check_undivided(one, class);
		for (int other = 1; other < class; other++)
			if (same_cells(one, class, other))
				elog(ERROR, "classes %d and %d have the same cells", other, class);
		for (int i = 0; i < size_of(one, class) && recoding->group_of_row; i++)
		{
			const int32 *record = first_of(one, class) + i * one->dataset->stride;

			if (recoding->group_of_row[dataset_row(one->dataset, record)] != class)
				elog(ERROR, "a row of class %d has another number", class);
		}
	}
}

/* The group of each row, by its number; 0: left out. */
static void
list_groups(const LocalCase *one, int *group)
{
	memset(group, 0, sizeof(int) * one->rows);
	for (int class = 1; class <= one->recoding->groups; class ++)
		for (int i = 0; i < size_of(one, class); i++)
			group[dataset_row(one->dataset, first_of(one, class) + i * one->dataset->stride)] =
				class;
}

static bool
equal_rows(const int32 *one, const int32 *other, int attributes)
{
	return memcmp(one, other, sizeof(int32) * attributes) == 0;
}

static void
check_equal_rows(const LocalCase *one, const int *group)
{
	for (int i = 0; i < one->rows; i++)
		for (int j = 0; j < i; j++)
		{
			const int32 *record = dataset_record(one->dataset, i);
			const int32 *other = dataset_record(one->dataset, j);

			if (equal_rows(record, other, one->attributes) &&
				group[dataset_row(one->dataset, record)] != group[dataset_row(one->dataset, other)])
				elog(ERROR, "equal rows are apart");
		}
}

/* The same rows and columns in another order are recoded alike. */
static void
check_order(const LocalCase *one, const int *group)
{
	Draw *draw = one->trial->draw;
	LocalCase other = *one;
	int place[MAX_ATTRIBUTES]; /* of each attribute among the others */
	int again[MAX_ROWS];

	other.dataset = dataset_create(DATASET_RECORDS, one->attributes, &one->trial->budget);
	memcpy(other.dataset->values, one->dataset->values, sizeof(int32) * one->attributes);
	memcpy(other.dataset->has_null, one->dataset->has_null, sizeof(bool) * one->attributes);
	for (int i = 0; i < one->attributes; i++)
		place[i] = i;
	for (int i = one->attributes - 1; i > 0; i--)
	{
		int with = draw_below(draw, i + 1);
		int kept = place[i];

		place[i] = place[with];
		place[with] = kept;
	}
	for (int i = 0; i < one->attributes; i++)
	{
		other.column[place[i]] = one->column[i];
		other.order[i] = place[one->order[i]];
	}
	for (int i = 0; i < one->rows; i++)
		dataset_append(other.dataset, 1);
	for (int i = 0; i < one->rows; i++)
	{
		const int32 *record = dataset_record(one->dataset, i);
		int32 *to = dataset_record(other.dataset, one->rows - 1 - i);

		for (int j = 0; j < one->attributes; j++)
			to[place[j]] = record[j];
		to[one->attributes] = dataset_row(one->dataset, record);
	}
	other.request.column = other.column;
	other.request.order = other.order;
	other.recoding = local_run(other.dataset, &other.request);
	list_groups(&other, again);
	for (int i = 0; i < one->rows; i++)
		if (again[i] != group[i])
			elog(ERROR, "row %d is of class %d, in another order of %d", i, group[i], again[i]);
}

static void
check_case(LocalCase *one)
{
	bool all[MAX_ROWS];
	int group[MAX_ROWS];

	one->recoding = local_run(one->dataset, &one->request);
	if (one->recoding == NULL)
	{
		Recoding whole = {.class_end = (const int32[]){0, one->rows}};

		memset(all, true, sizeof(all));
		one->recoding = &whole;
		if (satisfies(one, 1, all))
			elog(ERROR, "rows that satisfy are not recoded");
		return;
	}
	check_classes(one);
	list_groups(one, group);
	check_equal_rows(one, group);
	check_order(one, group);
}

/* ---- the least loss */

/* What the rows of a set, a bit each, lose as a class. */
static double
set_loss(const LocalCase *one, const RecodingColumn *column, int set)
{
	double loss = 0;

	for (int i = 0; i < one->attributes; i++)
	{
		int32 minimum = PG_INT32_MAX;
		int32 maximum = DATASET_NULL;
		RecodedCell cell;

		for (int row = 0; row < one->rows; row++)
			if (set & 1 << row)
			{
				int32 code = dataset_record(one->dataset, row)[i];

				minimum = Min(minimum, code);
				maximum = Max(maximum, code);
			}
		cell = region_cell(&column[i], minimum, maximum);
		loss += loss_of_cell(&column[i], &cell) * __builtin_popcount((unsigned) set);
	}
	return loss / one->attributes / one->rows;
}

/* Over all divisions of the rows into sets of at least k. */
static double
least_loss(const LocalCase *one, const RecodingColumn *column)
{
	int sets = 1 << one->rows;
	double *least = palloc(sizeof(double) * sets);
	double *loss = palloc(sizeof(double) * sets);
	double whole;

	for (int set = 1; set < sets; set++)
		loss[set] = __builtin_popcount((unsigned) set) >= one->request.k
						? set_loss(one, column, set)
						: INFINITY;
	least[0] = 0;
	for (int set = 1; set < sets; set++)
	{
		int lowest = set & -set;

		least[set] = INFINITY;
		for (int part = set; part > 0; part = (part - 1) & set)
			if (part & lowest)
				least[set] = Min(least[set], loss[part] + least[set ^ part]);
	}
	whole = least[sets - 1];
	pfree(least);
	pfree(loss);
	return whole;
}

static double
recoding_loss(const LocalCase *one)
{
	RecodedCell cell[MAX_ATTRIBUTES];
	double loss = 0;

	for (int class = 1; class <= one->recoding->groups; class ++)
	{
		one->recoding->cells(one->recoding, class, cell);
		for (int i = 0; i < one->attributes; i++)
			loss += loss_of_cell(&one->recoding->column[i], &cell[i]) * size_of(one, class);
	}
	return loss / one->attributes / one->rows;
}

static void
try_tiny(Trial *trial)
{
	LocalCase *one = draw_case(trial, TINY);
	double least;
	double local;

	one->request.k = Min(one->request.k, one->rows);
	least = least_loss(one, region_columns(one->dataset, one->column));
	one->recoding = local_run(one->dataset, &one->request);
	local = recoding_loss(one);
	if (local < least - 1e-9)
		elog(ERROR, "local recoding loses %g, less than %g", local, least);
	found.tables++;
	found.least += least;
	found.local += local;
	found.worst = Max(found.worst, local - least);
}

void
trial_local_report(void)
{
	if (found.tables > 0)
		printf("least classes %d %.17g %.17g %.17g\n", found.tables, found.least, found.local,
			   found.worst);
}

void
trial_local(Trial *trial)
{
	LocalCase *one;

	trial->budget = trial_budget(ENOUGH_MEMORY);
	if (draw_one_in(trial->draw, 3))
	{
		try_tiny(trial);
		return;
	}
	one = draw_case(trial, draw_one_in(trial->draw, 2) ? 20 : MAX_ROWS);
	if (draw_one_in(trial->draw, 2))
		draw_model(one);
	if (draw_one_in(trial->draw, 3))
		one->request.suppressed = draw_below(trial->draw, one->rows + 1);
	check_case(one);
}
