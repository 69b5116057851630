/*
 * release_full_domain.c
 *		See release_full_domain.h.
 *
 * The text has a guard of its own (release_query.h), so nothing here is needed for safety: the
 * search, or the count for given levels, decides whether the release would be useful.
 */
#include "postgres.h"

#include "release/release_full_domain.h"

#include "base/interrupt.h"
#include "base/limits.h"
#include "catalog/pg_type.h"
#include "count/relation_search.h"
#include "dimension/level_name.h"
#include "lattice/two_way.h"
#include "release/release_figures.h"
#include "release/release_query.h"
#include "sql/query.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

/* Counts the rows that the text publishes. */
static int64
count_published(const ReleaseRequest *request, const Description *description, const int *levels)
{
	query_run(psprintf("SELECT count(*) FROM (%s) r",
					   release_query_text(description, levels, &request->demand)),
			  true);
	return query_int8(0, 1);
}

/* Raises an error unless the given levels satisfy; returns their loss. */
static double
judge_given(const ReleaseRequest *request, const Description *description, const int *levels)
{
	Budget budget = budget_begin();
	Search search = {.k = 1, .budget = &budget};
	Description plain = *description;
	Level *node = palloc(sizeof(Level) * description->quasi_count);
	bool judged = release_models_any(&request->demand);
	FrequencySet *ground;
	int64 rows;
	int64 failing;
	int64 allowed;

	/* The text judges models and people. */
	description_demand(&plain, NIL, NULL);
	relation_search_open(&search, &plain);
	for (int i = 0; i < description->quasi_count; i++)
	{
		star_query_check_level(description->quasi[i], levels[i],
							   description->quasi[i]->domain->height);
		node[i] = (Level) levels[i];
	}
	ground = search_read_ground(&search);
	rows = search.source->space->rows;
	if (request->demand.k > rows)
		release_figures_exceeded(description->name, request->demand.k, rows);
	failing = judged
				  ? rows - count_published(request, description, levels)
				  : rollup_tally(ground, search.source->space, node,
								 &(TallyRequest){.threshold = request->demand.k, .max_groups = -1})
						.small_rows;
	allowed = limits_suppressible(request->suppression, rows);
	if (failing > allowed)
		ereport(ERROR,
				(errcode(ERRCODE_CHECK_VIOLATION),
				 errmsg("the levels given do not satisfy %s for relation %s",
						release_models_names(&request->demand), description->name),
				 errdetail(INT64_FORMAT " of " INT64_FORMAT " rows lie in classes %s;"
										" suppression allows " INT64_FORMAT ".",
						   failing, rows, judged ? "that fail" : "below k", allowed),
				 errhint("Choose higher levels, allow more suppression, or choose a smaller k.")));
	return loss_of(relation_search_loss(&search, description), node);
}

/* The nodes that a search found, by loss. */
typedef struct FoundNodes
{
	const Answer *answer;
	int width; /* levels in a node; those of the quasi-identifiers come first */
	const LossTable *loss;
} FoundNodes;

static double
loss_of_node(const FoundNodes *found, int64 node)
{
	return loss_of(found->loss, found->answer->node + node * found->width);
}

/*
 * The next node by loss after "last" (-1: the first), or -1.  Ties keep the order of the answer,
 * lowest first.
 */
static int64
next_node(const FoundNodes *found, int64 last)
{
	double least = last < 0 ? -1 : loss_of_node(found, last);
	int64 next = -1;
	double next_loss = 0;

	for (int64 node = 0; node < found->answer->count; node++)
	{
		double loss = loss_of_node(found, node);

		interrupt_check(node);
		if (loss < least || (loss == least && node <= last))
			continue;
		if (next < 0 || loss < next_loss)
		{
			next = node;
			next_loss = loss;
		}
	}
	return next;
}

/*
 * A search judges closeness against the whole table, a release against its remaining rows.  So if
 * rows may be suppressed, the text itself judges the result once more.
 */
static bool
is_acceptable(const ReleaseRequest *request, const Description *description, const int *levels,
			  int64 rows)
{
	if (request->demand.models == NIL || request->suppression == 0)
		return true;
	return rows - count_published(request, description, levels) <=
		   limits_suppressible(request->suppression, rows);
}

bool
release_full_domain_search(const ReleaseRequest *request, const Description *description,
						   int *levels, double *loss, ClassMetrics *metrics)
{
	Budget budget = budget_begin();
	Search search = {
		.k = request->demand.k, .suppression = request->suppression, .budget = &budget};
	Description demanded = release_models_describe(description, &request->demand);
	FoundNodes found;

	relation_search_open(&search, &demanded);
	found.answer = relation_search_run(&search, &two_way);
	found.width = search.source->space->attributes;
	found.loss = relation_search_loss(&search, description);
	for (int64 node = next_node(&found, -1); node >= 0; node = next_node(&found, node))
	{
		for (int i = 0; i < description->quasi_count; i++)
			levels[i] = found.answer->node[node * found.width + i];
		if (!is_acceptable(request, description, levels, search.source->space->rows))
			continue;
		*loss = loss_of_node(&found, node);
		if (metrics)
			*metrics = *class_metrics_compute(
				&search, &(Answer){.count = 1, .node = found.answer->node + node * found.width});
		return true;
	}
	return false;
}

/* The same, as an array of levels; raises an error if there are none.  Returns their loss. */
static double
require_levels(const ReleaseRequest *request, const Description *description, int *levels)
{
	double loss;

	if (release_full_domain_search(request, description, levels, &loss, NULL))
		return loss;
	ereport(ERROR, (errcode(ERRCODE_CHECK_VIOLATION),
					errmsg("no generalization of relation %s satisfies %s", description->name,
						   release_models_names(&request->demand)),
					errhint("Allow more suppression, choose a smaller k, or give the"
							" dimensions more general levels.")));
}

static ArrayType *
levels_array(const int *levels, int count)
{
	Datum *elements = palloc(sizeof(Datum) * count);

	for (int i = 0; i < count; i++)
		elements[i] = Int32GetDatum(levels[i]);
	return construct_array(elements, count, INT4OID, sizeof(int32), true, TYPALIGN_INT);
}

ReleaseText
release_full_domain_write(const ReleaseRequest *request, const Description *description)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext context = AllocSetContextCreate(caller, "kanon search", ALLOCSET_SMALL_SIZES);
	ReleaseText text = {0};
	int *levels;

	levels = request->options.levels ? level_names_read(description, request->options.levels)
									 : palloc(sizeof(int) * description->quasi_count);
	MemoryContextSwitchTo(context);
	if (request->options.levels)
	{
		release_models_check_values(description, &request->demand);
		text.loss = judge_given(request, description, levels);
	}
	else
		text.loss = require_levels(request, description, levels);
	MemoryContextSwitchTo(caller);
	text.levels = levels_array(levels, description->quasi_count);
	/* Uses what the search learnt of the dimensions, which is freed with its memory. */
	text.select = release_query_text(description, levels, &request->demand);
	for (int i = 0; i < description->attribute_count; i++)
		description->attributes[i].domain = NULL;
	MemoryContextDelete(context);
	return text;
}

char *
release_full_domain_members(const ReleaseMembers *members, const Description *description)
{
	return release_query_members(description, (const int *) ARR_DATA_PTR(members->levels),
								 &members->request->demand, members->identity);
}
