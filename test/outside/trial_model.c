/*
 * trial_model.c
 *		Trials of the privacy models; see trial.h.
 *
 * The earth mover's distance is compared with a minimum-cost flow, which knows
 * nothing but the distances between values; the other models with their formulas
 * in whole numbers.  Classes are merged at random, to see that models are as
 * monotone as they declare, and no more.
 */
#include "postgres.h"

#include "trial.h"

#include <math.h>

#include "model/model.h"

#define MAX_CODES 8
#define MAX_LEVELS 4
#define MAX_PAIRS 5000 /* in which a counterexample must be found */

typedef struct Values
{
	SensitiveDomain domain;
	int64 count[MAX_CODES];
	double number[MAX_CODES];
	int64 whole[MAX_CODES]; /* the same */
	int distance[MAX_CODES][MAX_CODES];
	int scale; /* by which distances are multiplied */
} Values;

/* ---- drawing */

/* Labels that ascend with the values under them, at each level more of them together. */
static Dimension *
draw_hierarchy(Trial *trial, Values *values, int grounds, bool has_null)
{
	int32 label[MAX_LEVELS][MAX_CODES] = {{0}};
	int32 leaves[MAX_CODES] = {1, 1, 1, 1, 1, 1, 1, 1};
	int32 count[MAX_LEVELS];
	const int32 *labels[MAX_LEVELS];
	const int32 *leaf[MAX_LEVELS];
	int height = draw_between(trial->draw, 1, MAX_LEVELS - 1);
	DimensionInput input = {.height = height,
							.ground_count = grounds,
							.label = labels,
							.label_count = count,
							.leaves = leaf,
							.domain = grounds,
							.has_null = has_null};
	int codes = grounds + has_null;

	for (int i = 0; i < grounds; i++)
		label[0][i] = i;
	for (int level = 1; level <= height; level++)
	{
		for (int i = 1; i < grounds; i++)
			label[level][i] =
				label[level][i - 1] +
				(label[level - 1][i] != label[level - 1][i - 1] && draw_one_in(trial->draw, 3));
		count[level] = grounds > 0 ? label[level][grounds - 1] + 1 : 1;
		labels[level] = label[level];
		leaf[level] = leaves;
	}
	values->scale = height + (count[height] > 1);
	for (int i = 0; i < codes; i++)
		for (int j = 0; j < codes; j++)
		{
			int level = 0;

			while (level < values->scale && i != j &&
				   (i >= grounds || j >= grounds || level > height ||
					label[level][i] != label[level][j]))
				level++;
			values->distance[i][j] = level;
		}
	return dimension_create(&input, &trial->budget);
}

static void
draw_values(Trial *trial, Values *values)
{
	Draw *draw = trial->draw;
	bool has_null = draw_one_in(draw, 2);
	int grounds = draw_between(draw, has_null ? 0 : 1, MAX_CODES - has_null);
	int kind = draw_below(draw, 3);
	int64 origin = draw_one_in(draw, 3) ? 1000000000 : 0;

	memset(values, 0, sizeof(Values));
	values->domain = (SensitiveDomain){.name = "s",
									   .codes = grounds + has_null,
									   .has_null = has_null,
									   .ordered = kind == 1,
									   .number = values->number,
									   .count = values->count};
	values->scale = kind == 1 ? Max(grounds - 1, 1) : 1;
	for (int i = 0; i < grounds; i++)
		values->number[i] = (double) (values->whole[i] = origin + draw_below(draw, 20));
	for (int i = 0; i < values->domain.codes; i++)
		for (int j = 0; j < values->domain.codes; j++)
			values->distance[i][j] = kind == 1 && i < grounds && j < grounds ? abs(i - j)
									 : i == j                                ? 0
																			 : values->scale;
	if (kind == 2)
		values->domain.hierarchy = draw_hierarchy(trial, values, grounds, has_null);
}

/* A class of at least one member. */
static Histogram *
draw_class(Trial *trial, const Values *values)
{
	Histogram *class = histogram_create(values->domain.codes, &trial->budget);
	int most = draw_between(trial->draw, 1, 6);
	int first = draw_below(trial->draw, values->domain.codes);

	for (int i = values->domain.codes - 1; i >= 0; i--)
	{
		int count = draw_below(trial->draw, most + 1);

		if (count > 0 || i == first)
			histogram_add(class, i, Max(count, 1));
	}
	histogram_finish(class);
	return class;
}

static Histogram *
merge(Trial *trial, const Histogram *a, const Histogram *b)
{
	Histogram *both = histogram_create(a->values + b->values, &trial->budget);

	for (int i = 0, j = 0; i < a->values || j < b->values;)
	{
		int32 x = i < a->values ? a->entry[i].code : PG_INT32_MAX;
		int32 y = j < b->values ? b->entry[j].code : PG_INT32_MAX;
		int64 count = (x <= y ? a->entry[i].count : 0) + (y <= x ? b->entry[j].count : 0);

		histogram_add(both, Min(x, y), count);
		i += x <= y;
		j += y <= x;
	}
	histogram_finish(both);
	return both;
}

/* The table is the classes together, and one more of each value. */
static void
set_table(Trial *trial, Values *values, Histogram *const *classes, int count)
{
	for (int i = 0; i < values->domain.codes; i++)
		values->count[i] = 1;
	for (int c = 0; c < count; c++)
		for (int i = 0; i < classes[c]->values; i++)
			values->count[classes[c]->entry[i].code] += classes[c]->entry[i].count;
	sensitive_domain_prepare(&values->domain, &trial->budget);
}

static int64
count_of(const Histogram *class, int code)
{
	for (int i = 0; i < class->values; i++)
		if (class->entry[i].code == code)
			return class->entry[i].count;
	return 0;
}

/* ---- the oracle */

/* One cheapest path from what is left over to what is missing, in a residual network. */
static bool
augment(const Values *values, int64 *supply, int64 *demand, int64 flow[][MAX_CODES], int64 *cost)
{
	int codes = values->domain.codes;
	int64 at_source[MAX_CODES];
	int64 at_target[MAX_CODES];
	int from_source[MAX_CODES]; /* the source before a target */
	int from_target[MAX_CODES]; /* the target before a source, or -1 */
	int64 amount;
	int end = -1;

	for (int i = 0; i < codes; i++)
	{
		at_source[i] = supply[i] > 0 ? 0 : PG_INT32_MAX;
		at_target[i] = PG_INT32_MAX;
		from_target[i] = -1;
	}
	for (int round = 0; round < 2 * codes; round++)
		for (int i = 0; i < codes; i++)
			for (int j = 0; j < codes; j++)
			{
				int64 step = values->distance[i][j];

				if (at_source[i] + step < at_target[j])
				{
					at_target[j] = at_source[i] + step;
					from_source[j] = i;
				}
				if (flow[i][j] > 0 && at_target[j] - step < at_source[i])
				{
					at_source[i] = at_target[j] - step;
					from_target[i] = j;
				}
			}
	for (int j = 0; j < codes; j++)
		if (demand[j] > 0 && at_target[j] < PG_INT32_MAX &&
			(end < 0 || at_target[j] < at_target[end]))
			end = j;
	if (end < 0)
		return false;
	amount = demand[end];
	for (int j = end, i = from_source[end];; i = from_source[j])
	{
		if (from_target[i] < 0)
		{
			amount = Min(amount, supply[i]);
			break;
		}
		j = from_target[i];
		amount = Min(amount, flow[i][j]);
	}
	for (int j = end, i = from_source[end];; i = from_source[j])
	{
		flow[i][j] += amount;
		if (from_target[i] < 0)
		{
			supply[i] -= amount;
			break;
		}
		j = from_target[i];
		flow[i][j] -= amount;
	}
	demand[end] -= amount;
	*cost += amount * at_target[end];
	return true;
}

static double
flow_distance(const Values *values, const Histogram *class)
{
	int64 supply[MAX_CODES];
	int64 demand[MAX_CODES];
	int64 flow[MAX_CODES][MAX_CODES] = {{0}};
	int64 cost = 0;

	for (int i = 0; i < values->domain.codes; i++)
	{
		supply[i] = count_of(class, i) * values->domain.members;
		demand[i] = values->count[i] * class->members;
	}
	while (augment(values, supply, demand, flow, &cost))
		;
	return (double) cost / (double) values->scale / (double) class->members /
		   (double) values->domain.members;
}

/* members^2 times the variance, exactly. */
static int64
scaled_variance(const Values *values, const Histogram *class, int64 *members)
{
	int64 origin = values->whole[0];
	int64 sum = 0;
	int64 squares = 0;

	*members = 0;
	for (int i = 0; i < class->values; i++)
	{
		int32 code = class->entry[i].code;
		int64 x = values->whole[code] - origin;

		if (values->domain.has_null && code == values->domain.codes - 1)
			continue;
		*members += class->entry[i].count;
		sum += class->entry[i].count * x;
		squares += class->entry[i].count * x * x;
	}
	return *members * squares - sum * sum;
}

/* r1 < c (r_l + ..) with c = tenths / 10, in whole numbers. */
static bool
recursive_by_hand(const Histogram *class, int tenths, int l)
{
	int64 count[MAX_CODES] = {0};
	int64 rest = 0;

	for (int i = 0; i < class->values; i++)
	{
		int at = i;

		for (; at > 0 && count[at - 1] < class->entry[i].count; at--)
			count[at] = count[at - 1];
		count[at] = class->entry[i].count;
	}
	for (int i = l - 1; i < class->values; i++)
		rest += count[i];
	return l == 1 || count[0] * 10 < tenths * rest;
}

static double
effective_values(const Histogram *class)
{
	double entropy = 0;

	for (int i = 0; i < class->values; i++)
	{
		double share = (double) class->entry[i].count / (double) class->members;

		entropy -= share * log(share);
	}
	return exp(entropy);
}

/* ---- models */

static Model *
make_model(const char *kind, double first, double second)
{
	Model *model = palloc0(sizeof(Model));

	*model = (Model){.ops = model_find(kind), .column = "s", .parameter = {first, second}};
	return model;
}

static void
expect_holds(const Model *model, const Histogram *class, const Values *values, bool expected)
{
	if (model_holds(model, class, &values->domain) != expected)
		elog(ERROR, "%s %s, where it must not", model_text_write(model),
			 expected ? "does not hold" : "holds");
}

static void
expect_value(const Model *model, const Histogram *class, const Values *values, double expected)
{
	double value = model->ops->value(model, class, &values->domain);

	if (!(fabs(value - expected) <= 1e-9 * Max(1, fabs(expected))))
		elog(ERROR, "%s is %.15g instead of %.15g", model_text_write(model), value, expected);
}

static void
check_formulas(Trial *trial, const Values *values, const Histogram *class)
{
	Draw *draw = trial->draw;
	int l = draw_between(draw, 1, 5);
	int tenths = draw_between(draw, 1, 40);
	int quarters = draw_below(draw, 200);
	double t = draw_below(draw, 101) / 100.0;
	double distance = flow_distance(values, class);
	double effective = effective_values(class);
	int64 members;
	int64 variance = scaled_variance(values, class, &members);

	expect_holds(make_model("distinct", l, 0), class, values, class->values >= l);
	expect_holds(make_model("recursive", tenths / 10.0, l), class, values,
				 recursive_by_hand(class, tenths, l));
	expect_value(make_model("entropy", l, 0), class, values, effective);
	expect_holds(make_model("entropy", l, 0), class, values, effective >= l - 1e-9);
	expect_value(make_model("variance", 0, 0), class, values,
				 members > 0 ? (double) variance / (double) (members * members) : 0);
	expect_holds(make_model("variance", quarters / 4.0, 0), class, values,
				 4 * variance >= quarters * members * members && (members > 0 || quarters == 0));
	expect_value(make_model("closeness", t, 0), class, values, distance);
	if (fabs(distance - t) > 1e-9)
		expect_holds(make_model("closeness", t, 0), class, values, distance <= t);
	expect_holds(make_model("closeness", Min(distance, 1), 0), class, values, true);
}

static Model *
draw_model(Draw *draw)
{
	switch (draw_below(draw, 5))
	{
		case 0:
			return make_model("distinct", draw_between(draw, 1, 4), 0);
		case 1:
			return make_model("entropy", draw_between(draw, 10, 40) / 10.0, 0);
		case 2:
			return make_model("recursive", draw_between(draw, 1, 40) / 10.0,
							  draw_between(draw, 1, 4));
		case 3:
			return make_model("closeness", draw_below(draw, 101) / 100.0, 0);
		default:
			return make_model("variance", draw_below(draw, 100) / 4.0, 0);
	}
}

/* Merging classes breaks no promise of a model. */
static void
check_promises(Trial *trial, const Values *values, const Histogram *a, const Histogram *b)
{
	const Histogram *both = merge(trial, a, b);
	Model *model = draw_model(trial->draw);
	bool one = model_holds(model, a, &values->domain);
	bool other = model_holds(model, b, &values->domain);

	if ((model->ops->monotone_under_inclusion ? one || other : one && other) &&
		!model_holds(model, both, &values->domain))
		elog(ERROR, "%s does not hold for a union", model_text_write(model));
}

/* Some values of the other class fall out of the table: within its slack, a class still satisfies.
 */
static void
check_slack(Trial *trial, Values *values, const Histogram *class, const Histogram *other)
{
	Model *model = draw_model(trial->draw);
	int64 members = values->domain.members;
	int64 count[MAX_CODES];
	double slack = model_slack(model, class, &values->domain);
	double moved = 0;

	if (!model_holds(model, class, &values->domain))
		return;
	memcpy(count, values->count, sizeof(count));
	for (int i = 0; i < other->values; i++)
		if (draw_one_in(trial->draw, 2))
			values->count[other->entry[i].code] -= other->entry[i].count;
	sensitive_domain_sum(&values->domain);
	for (int i = 0; i < values->domain.codes; i++)
		moved += fabs((double) values->count[i] / (double) values->domain.members -
					  (double) count[i] / (double) members) /
				 2;
	if (moved < slack - 1e-9 && !model_holds(model, class, &values->domain))
		elog(ERROR, "%s does not hold where the whole moved by %.15g of %.15g",
			 model_text_write(model), moved, slack);
	memcpy(values->count, count, sizeof(count));
	sensitive_domain_sum(&values->domain);
}

/* The codes of either class, ascending: what a plane is asked for. */
static int32
codes_of(const Histogram *both, int32 *code)
{
	for (int i = 0; i < both->values; i++)
		code[i] = both->entry[i].code;
	return both->values;
}

static double
weigh(const Histogram *class, const double *weight)
{
	double sum = 0;

	for (int i = 0; i < class->values; i++)
		sum += (double) class->entry[i].count * weight[class->entry[i].code];
	return sum;
}

/* What a class that fails says of others is true, and mostly it tells of itself. */
static void
check_refutation(Trial *trial, const Values *values, const Histogram *class, const Histogram *other)
{
	const Histogram *both = merge(trial, class, other);
	const Model *model = draw_model(trial->draw);
	int32 code[MAX_CODES];
	double weight[MAX_CODES];
	int32 codes = codes_of(both, code);

	if (model->ops->refute == NULL || model_holds(model, class, &values->domain))
		return;
	model->ops->refute(model, class, &values->domain, code, codes, weight);
	if (weigh(both, weight) > 1e-13 && model_holds(model, both, &values->domain))
		elog(ERROR, "%s holds for a union that is refuted", model_text_write(model));
	if (weigh(other, weight) > 1e-13 && model_holds(model, other, &values->domain))
		elog(ERROR, "%s holds for a class that is refuted", model_text_write(model));
	if (strcmp(model->ops->name, "entropy") == 0 && weigh(class, weight) <= 0)
		elog(ERROR, "%s is not refuted where it fails", model_text_write(model));
}

/* Fills in the next part of a class, as an odometer counts; false: that was the last. */
static bool
next_part(const Histogram *class, int64 *count)
{
	for (int i = 0; i < class->values; i++)
	{
		if (count[i]++ < class->entry[i].count)
			return true;
		count[i] = 0;
	}
	return false;
}

#define MAX_PARTS 4096

/* Any so many members of a class satisfy, and any more; one less do not. */
static void
check_least_members(Trial *trial, const Values *values, const Histogram *class)
{
	const Model *model = draw_model(trial->draw);
	Histogram *part = histogram_create(values->domain.codes, &trial->budget);
	bool *fails = palloc0(sizeof(bool) * (class->members + 2));
	int64 count[MAX_CODES] = {0};
	int64 least = draw_between(trial->draw, 1, (int) class->members);
	int64 parts = 1;
	int64 members;

	for (int i = 0; i < class->values; i++)
		parts *= class->entry[i].count + 1;
	if (!model->ops->class_alone || parts > MAX_PARTS)
		return;
	while (next_part(class, count))
	{
		histogram_reset(part);
		for (int i = 0; i < class->values; i++)
			if (count[i] > 0)
				histogram_add(part, class->entry[i].code, count[i]);
		fails[part->members] |= !model_holds(model, part, &values->domain);
	}
	members = model_least_members(model, class, &values->domain, least);
	if (members < least || members > class->members + 1 ||
		(members > class->members) != fails[class->members])
		elog(ERROR, "%s has a wrong number of members", model_text_write(model));
	if (members > least && !fails[members - 1])
		elog(ERROR, "%s holds for any part of less members", model_text_write(model));
	for (; members <= class->members; members++)
		if (fails[members])
			elog(ERROR, "%s fails for a part", model_text_write(model));
}

/* The bound is exact for its own class; with NULL beside an order it may be less. */
static void
check_bound(Trial *trial, const Values *values, const Histogram *class, const Histogram *other)
{
	const SensitiveDomain *domain = &values->domain;
	int32 code[MAX_CODES];
	double weight[MAX_CODES];
	int32 codes = codes_of(merge(trial, class, other), code);
	double distance = flow_distance(values, class);
	double bound;

	/* With t = 0, a class is refuted by the bound of its distance. */
	closeness.refute(&(Model){.ops = &closeness}, class, domain, code, codes, weight);
	bound = weigh(class, weight) / (double) class->members;
	if (bound > distance + 1e-9 ||
		(bound < distance - 1e-9 && !(domain->ordered && domain->has_null)))
		elog(ERROR, "a distance of %.15g is bounded by %.15g", distance, bound);
	if (weigh(other, weight) / (double) other->members > flow_distance(values, other) + 1e-9)
		elog(ERROR, "the distance of another class exceeds its bound");
}

/* A model that is not monotone under inclusion must be seen not to be; a third class keeps the
 * table apart. */
static void
check_no_more_promises(Trial *trial, const char *kind)
{
	for (int pair = 0; pair < MAX_PAIRS; pair++)
	{
		Values values;
		Histogram *classes[3];
		Model *model;

		draw_values(trial, &values);
		for (size_t i = 0; i < lengthof(classes); i++)
			classes[i] = draw_class(trial, &values);
		set_table(trial, &values, classes, lengthof(classes));
		do
			model = draw_model(trial->draw);
		while (strcmp(model->ops->name, kind) != 0);
		if (model_holds(model, classes[0], &values.domain) &&
			!model_holds(model, merge(trial, classes[0], classes[1]), &values.domain))
			return;
	}
	elog(ERROR, "no counterexample to %s under inclusion in %d pairs", kind, MAX_PAIRS);
}

/* Any name, and numbers that text may round: what is read is what was written. */
static void
check_text(Trial *trial)
{
	static const char letters[] = "aZ_9$\"( ,\xC3\xA9";
	Draw *draw = trial->draw;
	Model *model = draw_model(draw);
	char name[NAMEDATALEN] = {0};
	int length = draw_between(draw, 1, draw_one_in(draw, 5) ? NAMEDATALEN - 1 : 6);
	const Model *again;

	for (int i = 0; i < length; i++)
		name[i] = letters[draw_below(draw, sizeof(letters) - 1)];
	model->column = name;
	if (strcmp(model->ops->name, "variance") == 0)
		model->parameter[0] =
			ldexp(draw_below(draw, 1 << 30) + 1.0 / 3, draw_between(draw, -900, 900));
	again = model_text_read(model_text_write(model));
	if (again->ops != model->ops || strcmp(again->column, name) != 0 ||
		memcmp(again->parameter, model->parameter, sizeof(again->parameter)) != 0)
		elog(ERROR, "%s is read back as %s", model_text_write(model), model_text_write(again));
}

static void
read_text(void *text)
{
	(void) model_text_read(text);
}

/* A model with a few bytes changed is read, or refused politely. */
static void
check_broken_text(Trial *trial)
{
	static const char bytes[] = "aL0.9-+e\"(), \t\xFF";
	Draw *draw = trial->draw;
	char *text = model_text_write(draw_model(draw));
	int changes = draw_between(draw, 1, 4);
	BackendError error;

	for (int i = 0; i < changes; i++)
		text[draw_below(draw, (int) strlen(text))] = bytes[draw_below(draw, sizeof(bytes) - 1)];
	text[draw_below(draw, (int) strlen(text) + 1)] = '\0';
	if (!backend_try(read_text, text, &error) &&
		error.sqlstate != ERRCODE_INVALID_TEXT_REPRESENTATION &&
		error.sqlstate != ERRCODE_INVALID_PARAMETER_VALUE)
		elog(ERROR, "\"%s\" is refused with %s", text, error.message);
}

void
trial_model(Trial *trial)
{
	static const char *const not_monotone[] = {"entropy", "recursive", "closeness", "variance"};
	Values values;
	Histogram *classes[2];

	trial->budget = trial_budget(ENOUGH_MEMORY);
	draw_values(trial, &values);
	classes[0] = draw_class(trial, &values);
	classes[1] = draw_class(trial, &values);
	set_table(trial, &values, classes, 2);
	check_formulas(trial, &values, classes[0]);
	for (int i = 0; i < (DRAW_SELDOM > 1 ? 2 : 20); i++)
	{
		check_promises(trial, &values, classes[0], classes[1]);
		check_slack(trial, &values, classes[0], classes[1]);
		check_refutation(trial, &values, classes[0], classes[1]);
		check_least_members(trial, &values, classes[0]);
	}
	check_bound(trial, &values, classes[0], classes[1]);
	check_text(trial);
	check_broken_text(trial);
	if (draw_seldom(trial->draw, 20))
		check_no_more_promises(trial, not_monotone[draw_below(trial->draw, 4)]);
}
