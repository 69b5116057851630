/*
 * forecast.c
 *		See forecast.h.
 */
#include "postgres.h"

#include "lattice/forecast.h"

#include <math.h>

#include "base/interrupt.h"

#define PRIOR 0.7
/* Variances before anything is learnt, and of what the sum cannot say (found by trying). */
#define VARIANCE_OF_LEVEL 0.3
#define VARIANCE_OF_PAIR 1.0
#define VARIANCE_LEFT 0.3
#define PAIR_UNIT 10 /* of products of entropies */

/* One number's part in a forecast. */
typedef struct Term
{
	int number;
	double factor;
} Term;

struct Forecast
{
	double rows;
	int attributes;    /* quasi-identifiers */
	double **entropy;  /* [attribute][level] */
	int *first_level;  /* [attribute]: the number of its level 0; NULL: left out */
	int first_pair;    /* -1: left out */
	int numbers;       /* the first is added to all */
	double *number;    /* [numbers] */
	double *variance;  /* [numbers * numbers]: and covariances */
	double *direction; /* [numbers]: working memory */
	Term *term;        /* [numbers]: likewise */
	bool known;        /* a node was learnt */
};

/* The entropy of an attribute at a level, in nats. */
static double
entropy_of(const FrequencySpace *space, int attribute, int level)
{
	const Dimension *dimension = space->dimension[attribute];
	int64 *rows = palloc0(sizeof(int64) * Max(dimension->cardinality[level], 1));
	double entropy = 0;

	for (int32 code = 0; code < dimension->cardinality[0]; code++)
	{
		interrupt_check(code);
		rows[dimension->ancestor[level][code]] += space->marginal[attribute][code];
	}
	for (int32 label = 0; label < dimension->cardinality[level]; label++)
	{
		double share = (double) rows[label] / (double) space->rows;

		interrupt_check(label);
		if (rows[label] > 0)
			entropy -= share * log(share);
	}
	pfree(rows);
	return entropy;
}

/* Counts the numbers; leaves out what would be too many. */
static void
lay_out(Forecast *forecast, const FrequencySpace *space)
{
	int pairs = forecast->attributes * (forecast->attributes - 1) / 2;
	int levels = 0;

	for (int i = 0; i < forecast->attributes; i++)
		levels += space->dimension[i]->height + 1;
	forecast->first_pair = -1;
	forecast->numbers = 1;
	if (1 + levels > FORECAST_NUMBERS)
		return;
	forecast->first_level = palloc(sizeof(int) * Max(forecast->attributes, 1));
	for (int i = 0; i < forecast->attributes; i++)
	{
		forecast->first_level[i] = forecast->numbers;
		forecast->numbers += space->dimension[i]->height + 1;
	}
	if (forecast->numbers + pairs > FORECAST_NUMBERS)
		return;
	forecast->first_pair = forecast->numbers;
	forecast->numbers += pairs;
}

static void
set_variances(Forecast *forecast)
{
	int levels_end = forecast->first_pair < 0 ? forecast->numbers : forecast->first_pair;

	for (int i = 0; i < forecast->numbers; i++)
		forecast->variance[i * forecast->numbers + i] = i == 0           ? 4 * VARIANCE_OF_LEVEL
														: i < levels_end ? VARIANCE_OF_LEVEL
																		 : VARIANCE_OF_PAIR;
}

Forecast *
forecast_create(const FrequencySpace *space)
{
	Forecast *forecast = palloc0(sizeof(Forecast));

	forecast->rows = (double) space->rows;
	forecast->attributes = space->quasi;
	forecast->entropy = palloc(sizeof(double *) * Max(space->quasi, 1));
	for (int i = 0; i < space->quasi; i++)
	{
		int height = space->dimension[i]->height;

		forecast->entropy[i] = palloc(sizeof(double) * (height + 1));
		for (int level = 0; level <= height; level++)
			forecast->entropy[i][level] = entropy_of(space, i, level);
	}
	lay_out(forecast, space);
	forecast->number = palloc0(sizeof(double) * forecast->numbers);
	forecast->direction = palloc(sizeof(double) * forecast->numbers);
	forecast->term = palloc(sizeof(Term) * forecast->numbers);
	forecast->variance = palloc0(sizeof(double) * (forecast->numbers * forecast->numbers));
	set_variances(forecast);
	return forecast;
}

void
forecast_free(Forecast *forecast)
{
	for (int i = 0; i < forecast->attributes; i++)
		pfree(forecast->entropy[i]);
	pfree(forecast->entropy);
	if (forecast->first_level)
		pfree(forecast->first_level);
	pfree(forecast->number);
	pfree(forecast->direction);
	pfree(forecast->term);
	pfree(forecast->variance);
	pfree(forecast);
}

double
forecast_odds(const Forecast *forecast, double rows)
{
	return log((rows + 0.5) / (forecast->rows - rows + 0.5));
}

static double
prior_at(const Forecast *forecast, const Level *node)
{
	double sum = 0;

	for (int i = 0; i < forecast->attributes; i++)
		sum += forecast->entropy[i][node[i]];
	return sum * PRIOR;
}

/* The numbers that a node's forecast adds; returns how many. */
static int
find_terms(const Forecast *forecast, const Level *node, Term *term)
{
	int pair = forecast->first_pair;
	int count = 0;

	term[count++] = (Term){0, 1};
	if (forecast->first_level)
		for (int i = 0; i < forecast->attributes; i++)
			term[count++] = (Term){forecast->first_level[i] + node[i], 1};
	if (pair < 0)
		return count;
	for (int i = 1; i < forecast->attributes; i++)
		for (int j = 0; j < i; j++, pair++)
		{
			double product = forecast->entropy[i][node[i]] * forecast->entropy[j][node[j]];

			if (product > 0)
				term[count++] = (Term){pair, product / PAIR_UNIT};
		}
	return count;
}

double
forecast_at(const Forecast *forecast, const Level *node)
{
	double sum = prior_at(forecast, node);
	int count = find_terms(forecast, node, forecast->term);

	for (int t = 0; t < count; t++)
		sum += forecast->number[forecast->term[t].number] * forecast->term[t].factor;
	return sum;
}

void
forecast_learn(Forecast *forecast, const Level *node, double odds)
{
	int numbers = forecast->numbers;
	double error = odds - forecast_at(forecast, node);
	int count = find_terms(forecast, node, forecast->term);
	double *direction = forecast->direction;
	double variance = VARIANCE_LEFT;

	/* The first node says how high the whole lattice lies. */
	if (!forecast->known)
	{
		forecast->known = true;
		forecast->number[0] += error;
		return;
	}
	memset(direction, 0, sizeof(double) * numbers);
	for (int t = 0; t < count; t++)
	{
		const double *row = forecast->variance + (Size) forecast->term[t].number * numbers;

		for (int i = 0; i < numbers; i++)
			direction[i] += row[i] * forecast->term[t].factor;
	}
	for (int t = 0; t < count; t++)
		variance += direction[forecast->term[t].number] * forecast->term[t].factor;
	for (int i = 0; i < numbers; i++)
	{
		double *row = forecast->variance + (Size) i * numbers;
		double gain = direction[i] / variance;

		forecast->number[i] += gain * error;
		for (int j = 0; j < numbers; j++)
			row[j] -= gain * direction[j];
	}
}
