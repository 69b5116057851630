/*
 * incognito.c
 *		Incognito and bottom-up search; see search.h.
 *
 * Iteration i examines every set of i attributes.  A node of the set is a candidate if its
 * projections to all sets of i - 1 attributes satisfied (the subset property: the paper's join and
 * prune).  Candidates are visited from the lowest height up.  A candidate with a specialization
 * that satisfies does so, too (the generalization property), and is not checked.  The others are: a
 * root, which has no candidate below it, from the table or its replacement; any other from the
 * frequency set of a specialization that failed (the rollup property).  The nodes that satisfy in
 * iteration n are the answer.
 *
 * The nodes that satisfy are closed upwards in every iteration, and so are the candidates.  Thus
 * the edges that the paper generates are exactly the steps of one level in one attribute between
 * candidates: no edge list is needed.
 *
 * Example: sex (height 1) and zip (height 2).  If sex satisfies at level 0 and zip from level 1,
 * the candidates of {sex, zip} are (0,1), (1,1), (0,2), (1,2), with the one root (0,1).  If that
 * fails, (1,1) and (0,2) are checked by rollup from it; if both satisfy, (1,2) is not checked.
 *
 * If no more than L attributes are known (known.h), the iterations end with L: a node of all
 * attributes is a candidate if all its projections to L of them satisfied.  Unless rows may be
 * dropped, it then satisfies; otherwise candidates are checked as in the last iteration.
 *
 * Bottom-up search is the last iteration without those before it.
 */
#include "postgres.h"

#include "lattice/search.h"

#include "base/interrupt.h"
#include "model/known.h"
#include "port/pg_bitutils.h"

#define MAX_ATTRIBUTES 30

/* One set of attributes and the state of its nodes. */
typedef struct Family
{
	Lattice *lattice;
	uint8 *state;         /* NodeState by node */
	FrequencySet *ground; /* cube, or iteration 1: the set of all attributes at level 0 */
	/* While it is searched: */
	FrequencySet *root_set; /* from which its roots roll up; NULL: each root reads the table */
	FrequencySet **set;     /* [node]: sets of failed nodes, as long as they are needed; the root's
							 * may be root_set */
} Family;

typedef struct Incognito
{
	Search *search;
	RootSource roots;
	int attributes;
	int last;        /* the attributes in a set of the last iteration */
	Family **family; /* [mask of attributes] */
} Incognito;

static Family *
family_create(Incognito *incognito, uint32 mask)
{
	Search *search = incognito->search;
	Family *family = palloc0(sizeof(Family));
	int attribute[MAX_ATTRIBUTES];
	int count = 0;

	for (int i = 0; i < incognito->attributes; i++)
		if (mask & (1u << i))
			attribute[count++] = i;
	family->lattice = lattice_create(search->source->space, attribute, count);
	family->state = lattice_allocate(family->lattice, sizeof(uint8));
	incognito->family[mask] = family;
	return family;
}

static void
family_free(Family *family)
{
	if (family->ground)
		frequency_set_free(family->ground);
	lattice_free(family->lattice);
	pfree(family->state);
	pfree(family);
}

/* Does the projection of a node to some of its attributes satisfy? */
static bool
projection_satisfies(const Incognito *incognito, const Family *family, const Level *levels,
					 const KnownSets *sets)
{
	const Family *smaller;
	Level kept[MAX_ATTRIBUTES];
	uint32 mask = 0;

	for (int i = 0; i < sets->size; i++)
	{
		mask |= 1u << family->lattice->attribute[sets->member[i]];
		kept[i] = levels[sets->member[i]];
	}
	smaller = incognito->family[mask];
	return smaller->state[lattice_number(smaller->lattice, kept)] == NODE_SATISFIES;
}

/*
 * Join and prune: finds the nodes whose projections to so many attributes all satisfied; returns
 * their number.
 */
static int64
find_candidates(Incognito *incognito, Family *family, int size)
{
	const Lattice *lattice = family->lattice;
	int64 candidates = 0;

	for (int64 node = 0; node < lattice->nodes; node++)
	{
		const Level *levels = lattice->levels + node * lattice->attributes;
		KnownSets sets = known_sets_begin(lattice->attributes, size);
		bool candidate = true;

		interrupt_check(node);
		while (candidate && size > 0)
		{
			candidate = projection_satisfies(incognito, family, levels, &sets);
			if (!known_sets_next(&sets))
				break;
		}
		pfree(sets.member);
		if (candidate)
			family->state[node] = NODE_CANDIDATE;
		candidates += candidate;
	}
	return candidates;
}

/* The smallest frequency set of a specialization that failed. */
static FrequencySet *
failed_specialization(const Family *family, int64 node)
{
	const Lattice *lattice = family->lattice;
	FrequencySet *best = NULL;

	for (int i = 0; i < lattice->attributes; i++)
	{
		FrequencySet *set = lattice_level(lattice, node, i) > lattice->lowest[i]
								? family->set[node - lattice->stride[i]]
								: NULL;

		if (set && (best == NULL || set->entries < best->entries))
			best = set;
	}
	return best;
}

/* Checks a node.  If it fails, keeps its frequency set for the nodes above it. */
static void
check_node(const Incognito *incognito, Family *family, int64 index, const Level *node)
{
	Search *search = incognito->search;
	FrequencySpace *space = search->source->space;
	bool keeps = incognito->roots != ALL_FROM_TABLE;
	TallyRequest request = {.threshold = search->k,
							.max_groups = -1,
							.keep = keeps ? TALLY_KEEP | TALLY_KEEP_ONLY_FAILED : 0,
							.decide = true};
	FrequencySet *source =
		family->state[index] == NODE_ROOT ? family->root_set : failed_specialization(family, index);
	FrequencySet *scanned = NULL;
	FrequencyTally tally;
	bool same;
	bool holds;

	if (source == NULL)
	{
		source = scanned = search->source->read_node(search->source, node);
		search->now->table_scans++;
	}
	same = memcmp(source->node, node, sizeof(Level) * space->attributes) == 0;
	search->now->rollups += !same;
	tally = search_tally(search->judge, &search->pruning, source, node, &request);
	holds = requirement_holds(&search->pruning, &tally);
	search->now->checked++;
	family->state[index] = holds ? NODE_SATISFIES : NODE_FAILS;
	if (!holds && keeps && same)
		family->set[index] = source;
	else if (!holds && keeps)
		family->set[index] = tally.kept ? tally.kept : rollup(source, space, node);
	if (tally.kept && tally.kept != family->set[index])
		frequency_set_free(tally.kept);
	if (scanned && scanned != family->set[index])
		frequency_set_free(scanned);
}

static void
free_layer(Family *family, const int64 *order, int64 from, int64 to)
{
	for (int64 i = from; i < to; i++)
	{
		if (family->set[order[i]] && family->set[order[i]] != family->root_set)
			frequency_set_free(family->set[order[i]]);
		family->set[order[i]] = NULL;
	}
}

/* Visits all candidates of a family by height; returns the number that satisfy. */
static int64
visit_candidates(const Incognito *incognito, Family *family)
{
	const Lattice *lattice = family->lattice;
	Level *node = palloc(sizeof(Level) * lattice->width);
	const int64 *first = lattice->first;
	int64 *order = lattice_order(lattice);
	int top = lattice_top_height(lattice);
	int64 satisfying = 0;

	for (int height = 0; height <= top; height++)
	{
		for (int64 i = first[height]; i < first[height + 1]; i++)
		{
			interrupt_check(i);
			if (family->state[order[i]] == NODE_OUT)
				continue;
			CHECK_FOR_INTERRUPTS();
			lattice_node(lattice, order[i], node);
			if (lattice_any_below(lattice, family->state, order[i], NODE_SATISFIES))
				family->state[order[i]] = NODE_SATISFIES;
			else
				check_node(incognito, family, order[i], node);
			satisfying += family->state[order[i]] == NODE_SATISFIES;
		}
		if (height > 0)
			free_layer(family, order, first[height - 1], first[height]);
	}
	free_layer(family, order, first[top], first[top + 1]);
	pfree(order);
	pfree(node);
	return satisfying;
}

/* A set at the lowest levels of all roots. */
static FrequencySet *
scan_super_root(const Incognito *incognito, const Family *family)
{
	FrequencySource *source = incognito->search->source;
	Level *node = palloc(sizeof(Level) * family->lattice->width);
	FrequencySet *set;

	lattice_lowest(family->lattice, family->state, NODE_ROOT, node);
	set = source->read_node(source, node);
	incognito->search->now->table_scans++;
	pfree(node);
	return set;
}

static int64
search_family(Incognito *incognito, Family *family)
{
	const Lattice *lattice = family->lattice;
	int64 satisfying;

	family->set = lattice_allocate(lattice, sizeof(FrequencySet *));
	for (int64 node = 0; node < lattice->nodes; node++)
	{
		interrupt_check(node);
		if (family->state[node] == NODE_CANDIDATE &&
			!lattice_any_below(lattice, family->state, node, NODE_CANDIDATE))
			family->state[node] = NODE_ROOT;
	}
	family->root_set = family->ground;
	if (family->root_set == NULL && incognito->roots == ROOTS_FROM_SUPER_ROOTS)
		family->root_set = scan_super_root(incognito, family);
	satisfying = visit_candidates(incognito, family);
	if (family->root_set && family->root_set != family->ground)
		frequency_set_free(family->root_set);
	pfree(family->set);
	return satisfying;
}

/* size: of the projections that make its candidates. */
static void
search_mask(Incognito *incognito, uint32 mask, int size)
{
	SearchIteration *iteration = incognito->search->now;
	Family *family =
		incognito->family[mask] ? incognito->family[mask] : family_create(incognito, mask);
	int64 candidates;

	CHECK_FOR_INTERRUPTS();
	candidates = find_candidates(incognito, family, size);
	if (candidates == 0)
		return;
	iteration->attribute_sets++;
	iteration->candidates += candidates;
	iteration->satisfying += search_family(incognito, family);
}

/* The nodes of the family of all attributes that satisfy, see search_answer; frees the family. */
static Answer *
final_answer(Search *search, Family *family, FrequencySet *base)
{
	Answer *answer = search_answer(search, family->lattice, family->state, base);

	family_free(family);
	return answer;
}

/* Sizes are known only when the space is. */
static void
prepare_families(Incognito *incognito)
{
	const Search *search = incognito->search;

	incognito->attributes = search->source->space->quasi;
	incognito->last = known_most_size(&search->demand, incognito->attributes);
	if (incognito->attributes > MAX_ATTRIBUTES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("relation %s has too many quasi-identifiers for this algorithm",
						search->relation),
				 errdetail("It looks at every subset, of at most %d attributes.", MAX_ATTRIBUTES),
				 errhint("Use the algorithm \"two_way\".")));
	incognito->family = budget_allocate(search->budget, (Size) 1 << incognito->attributes,
										sizeof(Family *), "generalization lattice");
}

/* The ground set of one attribute: its marginal or, if sets are joint, a joint set. */
static FrequencySet *
attribute_ground(Incognito *incognito, const Family *family)
{
	Search *search = incognito->search;
	FrequencySet *set;
	Level *node;

	if (search->judge == NULL)
		return rollup_marginal(search->source->space, family->lattice->attribute[0]);
	node = palloc(sizeof(Level) * family->lattice->width);
	lattice_node(family->lattice, 0, node);
	set = search->source->read_node(search->source, node);
	incognito->search->now->table_scans++;
	pfree(node);
	return set;
}

/* basic and superroots: the roots of single attributes are the marginals. */
static void
prepare_marginals(Incognito *incognito)
{
	search_read_marginals(incognito->search);
	prepare_families(incognito);
	incognito->search->now->table_scans += incognito->attributes;
	for (int i = 0; i < incognito->attributes; i++)
	{
		Family *family = family_create(incognito, 1u << i);

		family->ground = attribute_ground(incognito, family);
	}
}

/* The smallest ground set of a superset with one attribute more, or else that of all attributes. */
static FrequencySet *
smallest_superset(const Incognito *incognito, uint32 mask)
{
	FrequencySet *best = NULL;

	for (int i = 0; i < incognito->attributes; i++)
	{
		const Family *family = mask & (1u << i) ? NULL : incognito->family[mask | (1u << i)];

		if (family && (best == NULL || family->ground->entries < best->entries))
			best = family->ground;
	}
	return best ? best : incognito->family[(1u << incognito->attributes) - 1]->ground;
}

/*
 * cube: the ground sets of all attribute sets, each from the smallest of its supersets with one
 * attribute more.
 */
static void
prepare_cube(Incognito *incognito)
{
	FrequencySet *ground = search_read_ground(incognito->search);
	FrequencySpace *space = incognito->search->source->space;
	uint32 full;

	prepare_families(incognito);
	full = (1u << incognito->attributes) - 1;
	incognito->search->now->table_scans++;
	family_create(incognito, full)->ground = ground;
	for (int size = Min(incognito->attributes - 1, incognito->last); size > 0; size--)
		for (uint32 mask = 1; mask < full; mask++)
		{
			Family *family;
			Level *node;

			interrupt_check(mask);
			if (pg_popcount32(mask) != size)
				continue;
			family = family_create(incognito, mask);
			node = palloc(sizeof(Level) * space->attributes);
			lattice_node(family->lattice, 0, node);
			family->ground = rollup(smallest_superset(incognito, mask), space, node);
			incognito->search->now->rollups++;
			pfree(node);
		}
}

/* One iteration, over all sets of so many attributes; frees those of the iteration before. */
static void
iterate(Incognito *incognito, int size)
{
	uint32 masks = 1u << incognito->attributes;

	for (uint32 mask = 1; mask < masks; mask++)
	{
		interrupt_check(mask);
		if (pg_popcount32(mask) == size)
			search_mask(incognito, mask, size - 1);
	}
	for (uint32 mask = 1; mask < masks; mask++)
	{
		interrupt_check(mask);
		if (pg_popcount32(mask) == size - 1)
			family_free(incognito->family[mask]);
	}
	search_iteration_end(incognito->search);
}

/* The nodes of all attributes, from those of the last iteration over fewer. */
static void
join_known(Incognito *incognito)
{
	uint32 all = (1u << incognito->attributes) - 1;
	Family *family;

	if (incognito->search->requirement.suppressible > 0)
	{
		search_iteration_begin(incognito->search, incognito->attributes);
		search_mask(incognito, all, incognito->last);
	}
	else
	{
		family = incognito->family[all] ? incognito->family[all] : family_create(incognito, all);
		find_candidates(incognito, family, incognito->last);
		for (int64 node = 0; node < family->lattice->nodes; node++)
		{
			interrupt_check(node);
			if (family->state[node] == NODE_CANDIDATE)
				family->state[node] = NODE_SATISFIES;
		}
	}
	for (uint32 mask = 1; mask < all; mask++)
		if (pg_popcount32(mask) == incognito->last)
			family_free(incognito->family[mask]);
}

static Answer *
incognito_run(Search *search, RootSource roots)
{
	Incognito incognito = {.search = search, .roots = roots};
	Family *all;
	Answer *answer;

	/* The preparation belongs to the first iteration, because the table is read there. */
	search_iteration_begin(search, 1);
	if (roots == ROOTS_FROM_GROUND)
		prepare_cube(&incognito);
	else
		prepare_marginals(&incognito);
	for (int size = 1; size <= incognito.last; size++)
	{
		if (size > 1)
			search_iteration_begin(search, size);
		iterate(&incognito, size);
	}
	if (incognito.last < incognito.attributes)
		join_known(&incognito);
	all = incognito.family[(1u << incognito.attributes) - 1];
	answer = final_answer(search, all, all->ground);
	pfree(incognito.family);
	return answer;
}

/* ---- bottom-up: one family, in which all nodes are candidates */

static Answer *
bottom_up_run(Search *search, RootSource roots)
{
	Incognito bottom_up = {.search = search, .roots = roots};
	Family *family = palloc0(sizeof(Family));

	family->ground = search_begin_whole(search);
	family->lattice = lattice_create(search->source->space, NULL, search->source->space->quasi);
	family->state = lattice_allocate(family->lattice, sizeof(uint8));
	memset(family->state, NODE_CANDIDATE, family->lattice->nodes);
	search->now->satisfying = search_family(&bottom_up, family);
	return final_answer(search, family, NULL);
}

const SearchAlgorithm incognito_basic = {"basic", incognito_run, ROOTS_FROM_TABLE};
const SearchAlgorithm incognito_superroots = {"superroots", incognito_run, ROOTS_FROM_SUPER_ROOTS};
const SearchAlgorithm incognito_cube = {"cube", incognito_run, ROOTS_FROM_GROUND};
const SearchAlgorithm bottom_up_rollup = {"bottom_up", bottom_up_run, ROOTS_FROM_GROUND};
const SearchAlgorithm bottom_up_scan = {"bottom_up", bottom_up_run, ALL_FROM_TABLE};
