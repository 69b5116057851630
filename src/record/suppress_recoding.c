/*
 * suppress_recoding.c
 *		See suppress_recoding.h.
 */
#include "postgres.h"

#include "record/suppress_recoding.h"

#include "base/interrupt.h"
#include "partition/region_classes.h"
#include "single/single_table.h"
#include "suppress/class_hiding.h"
#include "suppress/match_hiding.h"

#define PURPOSE "hidden cells"
#define LEAST_WEIGHT 1e-6 /* of a column that has none: it is hidden first, but not in vain */

typedef struct HiddenClasses
{
	RegionClasses classes; /* first */
	int *number;           /* [attribute]: its column as MatchRows has it */
	ColumnSet *shown;      /* [class] */
} HiddenClasses;

typedef struct SuppressRun
{
	RecordCodes *codes;
	Dataset *dataset;
	const RecodeOptions *options;
	const int *order;       /* [column]: its attribute */
	double *weight;         /* [column] */
	RecodingColumn *column; /* [attribute] */
} SuppressRun;

/* Columns that show their values or hide them. */
static RecodingColumn *
describe_columns(const RecordCodes *codes)
{
	int count = codes->dataset->attributes;
	RecodingColumn *column = dataset_columns_codes(codes->column, count);

	for (int i = 0; i < count; i++)
	{
		column[i].spans = false;
		column[i].plain = true;
		column[i].nulls = true;
	}
	return column;
}

/* By weight of the columns, in their order. */
static double *
order_weights(const RecordCodes *codes, const int *order)
{
	double *share = record_codes_weights(codes, order);
	double *weight = palloc(sizeof(double) * codes->dataset->attributes);

	for (int i = 0; i < codes->dataset->attributes; i++)
		weight[i] = Max(share[order[i]], LEAST_WEIGHT);
	pfree(share);
	return weight;
}

/* Sorts the records, equal ones in the order of arrival in which they are. */
static void
sort_records(SuppressRun *run)
{
	int32 *place = single_table_sort(run->dataset, NULL, NULL, run->order);

	dataset_arrange(run->dataset, place);
	pfree(place);
}

/* ---- classes of local recoding */

/* What the rows of each class agree in: sets shown[row]. */
static void
show_classes(SuppressRun *run, const MatchRows *rows, const int32 *class_of_row, int32 classes,
			 ColumnSet *shown)
{
	Budget *budget = run->codes->budget;
	int64 *first = budget_allocate(budget, (Size) classes + 1, sizeof(int64), PURPOSE);
	ColumnSet *same = budget_allocate(budget, (Size) classes + 1, sizeof(ColumnSet), PURPOSE);

	for (int64 row = 0; row < run->dataset->rows; row++)
	{
		const int32 *record = dataset_record(run->dataset, row);
		int32 class = class_of_row[dataset_row(run->dataset, record)];
		const int32 *other;

		interrupt_check(row);
		if (first[class] == 0)
		{
			first[class] = row + 1;
			same[class] = column_set_all(rows->columns);
		}
		other = dataset_record(run->dataset, first[class] - 1);
		for (int i = 0; i < rows->columns; i++)
			if (record[run->order[i]] != other[run->order[i]])
				same[class] &= ~column_set_of(i);
	}
	for (int64 row = 0; row < run->dataset->rows; row++)
	{
		int32 number = dataset_row(run->dataset, dataset_record(run->dataset, row));

		interrupt_check(row);
		shown[row] = rows->shown[row] & same[class_of_row[number]];
	}
	pfree(first);
	pfree(same);
}

/* Hides cells so that rows look alike; NULL: they cannot satisfy the models. */
static ColumnSet *
hide_by_classes(SuppressRun *run, const RowModels *models)
{
	int32 classes;
	const int32 *class_of_row =
		local_recoding_classes(run->codes, run->column, models, run->options->k, &classes);
	const MatchRows *rows;
	ColumnSet *shown;

	if (class_of_row == NULL)
		return NULL;
	shown = budget_allocate(run->codes->budget, run->dataset->rows, sizeof(ColumnSet), PURPOSE);
	sort_records(run);
	rows = match_rows_create(run->dataset, run->order);
	show_classes(run, rows, class_of_row, classes, shown);
	if (models == NULL)
		class_hiding_improve(rows, run->options->k, run->weight, shown);
	return shown;
}

/* Hides cells so that rows match others. */
static ColumnSet *
hide_by_matches(SuppressRun *run)
{
	sort_records(run);
	return match_hiding_run(
		match_rows_create(run->dataset, run->order),
		&(MatchHiding){.k = run->options->k, .known = run->options->known, .weight = run->weight});
}

/* ---- publishing */

typedef struct RowOrder
{
	const SuppressRun *run;
	const ColumnSet *shown;
} RowOrder;

/* What is shown, in the order of its code; NULL last. */
static inline uint32
shown_code(const RowOrder *order, int32 row, int column)
{
	const SuppressRun *run = order->run;

	if (!(order->shown[row] & column_set_of(column)))
		return PG_UINT32_MAX;
	return (uint32) *dataset_code(run->dataset, row, run->order[column]);
}

static int
compare_shown(const RowOrder *order, int32 one, int32 other)
{
	for (int i = 0; i < order->run->dataset->attributes; i++)
	{
		uint32 a = shown_code(order, one, i);
		uint32 b = shown_code(order, other, i);

		if (a != b)
			return a < b ? -1 : 1;
	}
	return 0;
}

static int
compare_rows(const void *a, const void *b, void *arg)
{
	int32 one = *(const int32 *) a;
	int32 other = *(const int32 *) b;
	int by_cells = compare_shown(arg, one, other);

	CHECK_FOR_INTERRUPTS();
	return by_cells != 0 ? by_cells : one < other ? -1 : one > other;
}

static void
class_cells(const Recoding *base, int32 class, RecodedCell *cell)
{
	const HiddenClasses *hidden = (const HiddenClasses *) base;
	const int32 *record = dataset_record(base->dataset, base->class_end[class - 1]);

	for (int i = 0; i < base->columns; i++)
	{
		bool shown = hidden->shown[class] & column_set_of(hidden->number[i]);

		/* Where nobody has a value, NULL hides none. */
		RecodedKind hidden_kind = base->dataset->values[i] > 0 ? RECODED_ALL : RECODED_NULL;

		cell[i] = (RecodedCell){
			.kind = shown ? RECODED_SPAN : hidden_kind, .low = record[i], .high = record[i]};
	}
}

/* Divides the rows, whose order this is, into classes that look alike. */
static void
divide(HiddenClasses *hidden, const RowOrder *order, const int32 *row)
{
	const SuppressRun *run = order->run;
	RegionClasses *classes = &hidden->classes;

	for (int64 i = 0; i < run->dataset->rows; i++)
	{
		interrupt_check(i);
		if (i == 0 || compare_shown(order, row[i - 1], row[i]) != 0)
			classes->base.groups++;
		classes->class_end[classes->base.groups] = (int32) i + 1;
		hidden->shown[classes->base.groups] = order->shown[row[i]];
		if (classes->class_of_row)
			classes->class_of_row[dataset_row(run->dataset, dataset_record(run->dataset, row[i]))] =
				classes->base.groups;
	}
}

static Recoding *
publish(SuppressRun *run, const ColumnSet *shown)
{
	Dataset *dataset = run->dataset;
	Budget *budget = run->codes->budget;
	HiddenClasses *hidden = palloc0(sizeof(HiddenClasses));
	RowOrder order = {.run = run, .shown = shown};
	int32 *row = budget_allocate(budget, dataset->rows, sizeof(int32), PURPOSE);

	for (int64 i = 0; i < dataset->rows; i++)
		row[i] = (int32) i;
	qsort_arg(row, dataset->rows, sizeof(int32), compare_rows, &order);
	hidden->classes = *region_classes_create(dataset, run->column, true, 1, run->options->by_class,
											 budget, PURPOSE);
	hidden->classes.base.cells = class_cells;
	hidden->shown = budget_allocate(budget, dataset->rows + 1, sizeof(ColumnSet), PURPOSE);
	hidden->number = palloc(sizeof(int) * dataset->attributes);
	for (int i = 0; i < dataset->attributes; i++)
		hidden->number[run->order[i]] = i;
	divide(hidden, &order, row);
	dataset_arrange(dataset, row);
	pfree(row);
	return &hidden->classes.base;
}

void
suppress_recoding_check(bool null_matches, int known, bool models, bool person)
{
	if (null_matches && (models || person))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("null_matches takes no %s", models ? "models" : "person"),
						errdetail("They need classes of rows that look alike.")));
	if (known > 0 && !null_matches)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("recoding \"%s\" takes known only with null_matches", "suppress_cells")));
}

Recoding *
suppress_recode(RecordCodes *codes, const RowModels *models, const RecodeOptions *options)
{
	SuppressRun run = {.codes = codes,
					   .dataset = codes->dataset,
					   .options = options,
					   .order = record_codes_order(codes),
					   .column = describe_columns(codes)};
	ColumnSet *shown;

	suppress_recoding_check(options->null_matches, options->known,
							codes->description->demand.models > 0,
							codes->description->person != NULL);
	run.weight = order_weights(codes, run.order);
	shown = options->null_matches ? hide_by_matches(&run) : hide_by_classes(&run, models);
	return shown ? publish(&run, shown) : NULL;
}
