/*
 * class_metrics.c
 *		See class_metrics.h.
 */
#include "postgres.h"

#include "lattice/class_metrics.h"

#include "lattice/set_cache.h"
#include "miscadmin.h"

/* The componentwise lowest levels of all nodes; all of them roll up from there. */
static Level *
common_specialization(const FrequencySpace *space, const Answer *answer)
{
	Level *lowest = palloc(sizeof(Level) * space->attributes);

	memset(lowest, LEVEL_ALL, sizeof(Level) * space->attributes);
	for (int64 n = 0; n < answer->count; n++)
		for (int i = 0; i < space->attributes; i++)
			lowest[i] = Min(lowest[i], answer->node[n * space->attributes + i]);
	return lowest;
}

static ClassMetrics
metrics_of(const Search *search, const FrequencyTally *tally)
{
	int64 rows = search->source->space->rows;
	ClassMetrics metrics = {.classes = tally->groups - tally->small_groups,
							.smallest = tally->smallest,
							.suppressed = tally->small_rows};

	metrics.discernibility = tally->squares + (double) tally->small_rows * (double) rows;
	if (metrics.classes > 0)
		metrics.average_class =
			(double) (rows - tally->small_rows) / (double) metrics.classes / (double) search->k;
	return metrics;
}

ClassMetrics *
class_metrics_compute(Search *search, const Answer *answer)
{
	TallyRequest request = {.threshold = search->k, .max_groups = -1, .keep = true};
	JudgeRequest judged = {.max_groups = -1, .keep = JUDGE_KEEP | JUDGE_KEEP_ONLY_SMALL};
	Size bytes = mul_size(sizeof(ClassMetrics), Max(answer->count, 1));
	ClassMetrics *metrics;
	FrequencySpace *space = search->source->space;
	FrequencySet *base;
	SetCache *cache;

	budget_check(search->budget, bytes, "set of generalizations");
	metrics = palloc_extended(bytes, MCXT_ALLOC_HUGE);
	if (answer->count == 0)
		return metrics;
	base = search->source->read_node(search->source, common_specialization(space, answer));
	cache = set_cache_create(space, base);
	for (int64 n = 0; n < answer->count; n++)
	{
		const Level *node = answer->node + n * space->attributes;
		FrequencySet *source = set_cache_best(cache, node);
		FrequencyTally tally;

		CHECK_FOR_INTERRUPTS();
		tally = search->judge
					? class_judge_tally(search->judge, &search->requirement, source, node, &judged)
					: rollup_tally(source, space, node, &request);
		metrics[n] = metrics_of(search, &tally);
		if (tally.kept)
			set_cache_offer(cache, tally.kept);
	}
	set_cache_free(cache);
	frequency_set_free(base);
	return metrics;
}
