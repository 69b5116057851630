/*
 * release_node_tree.c
 *		See release_node_tree.h.
 */
#include "postgres.h"

#include "release/release_node_tree.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "count/whole_query.h"
#include "local/local.h"
#include "nodes/makefuncs.h"
#include "partition/partition.h"
#include "record/record_spill.h"
#include "record/record_whole.h"
#include "relation/citus.h"
#include "release/release_nodes.h"
#include "release/release_options.h"
#include "rothko/counted_sample.h"
#include "rothko/counted_tree.h"
#include "rothko/sparse_counts.h"
#include "sql/name_array.h"
#include "sql/query.h"
#include "sql/value_text.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"

#define COUNTS_SHARE 4               /* fraction of the memory limit for counts of one query */
#define MOST_BYTES (4 * 1024 * 1024) /* of what is known of the whole, which each query carries */
#define MOST_SAMPLE 100000           /* rows of a sample, which come here one by one */
#define NODES_SHARE 16               /* fraction of the memory limit for nodes from a sample */
#define MOST_NODES (1 << 16)
#define LEAST_SHARE ((Size) 4 << 20) /* bytes of the memory limit for one of several processes */

/* ---- how it recodes */

/*
 * Do values of the columns become text and values again by PostgreSQL's code alone, on their way
 * between workers, too?
 */
static bool
reads_values(const NodesText *text)
{
	for (int number = -1; (number = bms_next_member(text->used, number)) >= 0;)
		if (value_cast_is_checked(get_atttype(text->table, (AttrNumber) number)))
			return false;
	return true;
}

/* Has a column labels both as a quasi-identifier and for a model?  Workers are handed one kind. */
static bool
has_labels_twice(const Description *description)
{
	for (int i = 0; i < description->demand.columns; i++)
		if (OidIsValid(description->sensitive[i]->dimension) &&
			description_quasi(description, description->sensitive[i]) >= 0)
			return true;
	return false;
}

/*
 * Can people be counted in shards, where the rows of each can be brought together?  And counts of
 * people by label decide about k alone.
 */
static bool
counts_people(const NodesPlan *plan)
{
	const Description *description = plan->description;

	if (plan->text.person == NULL)
		return true;
	for (int i = 0; description->demand.models > 0 && i < description->quasi_count; i++)
		if (OidIsValid(description->quasi[i]->dimension))
			return false;
	return plan->here == 0 && node_text_is_hashed(&plan->text, plan->text.person_number);
}

/* The models, of people who are counted elsewhere. */
static const RowModels *
models_of(NodesPlan *plan, int k)
{
	RowModels *models = unconstify(RowModels *, record_codes_models(plan->codes, k, NULL));
	RowPeople *people;

	if (models == NULL || models->people == NULL)
		return models;
	people = palloc(sizeof(RowPeople));
	*people = *models->people;
	people->counted = true;
	models->people = people;
	return models;
}

/* The roles that the call gives to the columns of the relation. */
static RecordRoles
roles_of(const NodesText *of, const ReleaseOptions *options)
{
	RecordRoles roles = {.quasi_identifiers = of->entry->quasi_identifiers,
						 .told = true,
						 .weights = options->column_weights};
	Datum value;

	if (node_text_argument(of, "dimensions", &value))
		roles.dimensions = DatumGetArrayTypeP(value);
	if (node_text_argument(of, "models", &value))
		roles.models = TextDatumGetCString(value);
	if (node_text_argument(of, "model_dimensions", &value))
		roles.model_dimensions = DatumGetArrayTypeP(value);
	roles.person = of->person;
	return roles;
}

/*
 * Can finished classes be judged node by node?  Then each decides about itself alone, and nobody
 * asks how many people it has.  Parallel workers tell what they wrote in the last row of a part,
 * which the judge might leave out.
 */
static bool
judges_nodes(const NodesPlan *plan)
{
	if (plan->text.judged == NULL)
		return true;
	if (plan->here > 0 || plan->text.person)
		return false;
	foreach_ptr (const Model, model, plan->text.entry->demand.models)
		if (!model->ops->class_alone)
			return false;
	return true;
}

/* Reads the call; false if it is none that workers can make. */
static bool
read_call(NodesPlan *plan, RecordRequest *request, RecodeOptions *recode)
{
	ReleaseOptions options = release_options_default();
	const RecodingOps *recoding;
	Datum value;

	if (node_text_argument(&plan->text, "options", &value))
		release_options_read(&options, DatumGetJsonbP(value), OPTIONS_OF_CELLS);
	if (!node_text_argument(&plan->text, "recoding", &value))
		return false;
	recoding = release_recoding_of_text(TextDatumGetCString(value), options.rest);
	if (recoding->nodes == NULL || options.target ||
		(node_text_argument(&plan->text, "suppression", &value) && DatumGetFloat8(value) > 0) ||
		!node_text_argument(&plan->text, "k", &value))
		return false;
	plan->nodes = recoding->nodes;
	*recode = (RecodeOptions){.k = DatumGetInt32(value), .by_class = true};
	*request = (RecordRequest){.roles = roles_of(&plan->text, &options),
							   .split = release_options_split(&options, recoding),
							   .ranks = recoding->ranks,
							   .spans = release_options_spans(&options, recoding),
							   .regions = recoding->regions,
							   .way = record_spill_of_release(options.partitioning)};
	record_spill_limit(request->way, &plan->budget);
	plan->any = record_spill_partitioning == PARTITIONING_TREE;
	plan->sample = request->way.partitioning == PARTITIONING_SAMPLE && !request->regions &&
				   plan->text.person == NULL;
	return request->way.partitioning != PARTITIONING_MEMORY &&
		   !(plan->here > 0 && (request->way.partitioning == PARTITIONING_SAMPLE || options.means));
}

/* What is known of the whole, by what is declared of values and dimensions. */
static void
ask_whole(NodesPlan *plan, RecordRequest *request)
{
	MemoryContext previous = MemoryContextSwitchTo(plan->scratch);
	Jsonb *whole = DatumGetJsonbP(whole_query_run(plan->description, true));

	MemoryContextSwitchTo(previous);
	request->whole =
		memcpy(palloc_extended(VARSIZE(whole), MCXT_ALLOC_HUGE), whole, VARSIZE(whole));
	MemoryContextReset(plan->scratch);
}

/*
 * Are the counts of all rows, the first to be asked for, few enough?  Beside what is known of the
 * values, of which each process has its own.
 */
static bool
counts_fit(const NodesPlan *plan)
{
	Size share = plan->budget.limit / Max(plan->here, 1);

	return (plan->here == 0 || share >= LEAST_SHARE) &&
		   budget_used(&plan->budget) +
				   tree_grower_bytes(plan->grower, plan->bounds) * COUNTS_SHARE <=
			   share;
}

/* The plan, in its context; false if the coordinator has to make the release. */
static bool
make_plan(NodesPlan *plan)
{
	RecordRequest request;
	RecodeOptions recode;
	const RowModels *models;
	const RowLayout *layout;

	if (!reads_values(&plan->text) || !judges_nodes(plan) || !read_call(plan, &request, &recode))
		return false;
	plan->description =
		record_roles_describe_relation(plan->text.entry->relation, &request.roles, &plan->budget);
	plan->distribution = citus_distribution_column(plan->description->relation);
	if (has_labels_twice(plan->description) || !counts_people(plan))
		return false;
	ask_whole(plan, &request);
	plan->codes = record_whole_codes(plan->description, &request, &plan->budget);
	models = models_of(plan, recode.k);
	plan->whole = record_whole_with_labels(plan->codes);
	plan->text.source = plan->description;
	node_text_drop_dimensions(&plan->text);
	plan->rows = record_whole_rows(plan->codes);
	if (VARSIZE(plan->whole) > MOST_BYTES || plan->rows < recode.k || plan->rows > PG_INT32_MAX ||
		(!plan->any && plan->rows < RELEASE_NODES_LEAST_ROWS))
		return false;
	plan->partition = plan->nodes(plan->codes, models, &recode);
	plan->partition.column = record_whole_columns(plan->codes);
	layout = &plan->codes->dataset->tuple;
	plan->grower = tree_grower_create(layout, &plan->partition);
	plan->clear = palloc0(sizeof(int8) * layout->attributes);
	plan->bounds = palloc(sizeof(CodeBounds) * layout->attributes);
	/* From 0 to DATASET_NULL, if all values are NULL. */
	for (int i = 0; i < layout->attributes; i++)
		plan->bounds[i] = (CodeBounds){.minimum = Max(plan->codes->column[i]->minimum, 0),
									   .maximum = plan->codes->column[i]->maximum};
	return counts_fit(plan);
}

/* ---- counts */

/* [node]: itself, by which rows of a person are told apart. */
static const int32 *
number_nodes(const GrowingTree *tree)
{
	int32 *number = palloc_extended(sizeof(int32) * tree->nodes, MCXT_ALLOC_HUGE);

	for (int32 i = 0; i < tree->nodes; i++)
	{
		interrupt_check(i);
		number[i] = i;
	}
	return number;
}

/* The counts of a tree's groups, and how many they are, in the current context. */
static const int64 *
ask_counts(const NodesPlan *plan, const GrowingTree *tree, int64 *size)
{
	Query *rows = copyObject(plan->text.rows);
	int64 count;
	const int32 *numbers = counted_tree_write(tree, number_nodes(tree), &count);
	FuncExpr *call =
		node_text_call(&plan->text, rows, plan->whole, int_array_of(numbers, (int) count));
	const bytea *bytes;
	int64 *counts;
	Datum value;
	bool isnull;

	/* A copy was written by this transaction. */
	query_run_with(node_text_counts(&plan->text, rows, call, tree->layout->attributes),
				   plan->text.person_key > 0 ? QUERY_IN_SNAPSHOT : QUERY_READ, "");
	value = query_value(0, 1, &isnull);
	if (isnull)
		return NULL;
	bytes = DatumGetByteaPP(value);
	*size = sparse_counts_size(VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes));
	counts = palloc0(sizeof(int64) * Max(*size, 1));
	sparse_counts_add(VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes), counts, *size);
	return counts;
}

/* What a TreeCounter does. */
static void
count_there(void *state, GrowingTree *tree)
{
	const NodesPlan *plan = state;
	MemoryContext previous = MemoryContextSwitchTo(plan->scratch);
	int64 size;
	const int64 *counts = ask_counts(plan, tree, &size);

	if (counts)
		counted_tree_take(tree, counts, size);
	MemoryContextSwitchTo(previous);
	MemoryContextReset(plan->scratch);
}

/* The rows of a node that a worker divides in memory. */
static int64
rows_that_fit(const NodesPlan *plan)
{
	const RowLayout *layout = &plan->codes->dataset->tuple;
	Size limit = plan->budget.limit;
	Size region = plan->codes->request.regions ? local_bytes(plan->rows, layout->attributes) : 0;
	int64 many = 1000000;
	Size each = loaded_rows_bytes(layout, &plan->partition, many) / many + 1 +
				record_spill_person_bytes(plan->description);

	return limit > region ? Max((int64) ((limit - region) / 2 / each), 1) : 1;
}

/*
 * The rows of a node that is small enough, if all places are to finish some.  Halves are hardly
 * ever equal, so half as many again: otherwise the larger ones would be counted once more.
 */
static int64
most_rows(const NodesPlan *plan)
{
	return plan->rows * 3 / (2 * Max(plan->places, 1)) + 1;
}

/* ---- a sample */

/*
 * Asks for the codes of about so many rows: those with the least hashes of the columns that the
 * text uses, and of the one that distributes, which nearly always tells equal rows apart.
 */
static LoadedRows *
ask_sample(const NodesPlan *plan, const FrequencyGroup *leaf, ArrayType *tree, int64 wanted)
{
	const RowLayout *layout = &plan->codes->dataset->tuple;
	Query *rows = copyObject(plan->text.rows);
	const Bitmapset *columns = node_text_hashed(&plan->text, plan->distribution);
	FuncExpr *call = node_text_call(&plan->text, rows, plan->whole, tree);
	int numbers = 2 + leaf->attributes * (1 + leaf->sides);
	int32 *tuple = palloc0(sizeof(int32) * layout->width);
	LoadedRows *loaded;
	bool isnull;

	query_run(node_text_sample(&plan->text, rows, call, columns,
							   (double) wanted / (double) plan->rows, wanted + wanted / 4),
			  true);
	MemoryContextSwitchTo(plan->context);
	loaded = loaded_rows_room(layout, &plan->partition, (int64) query_rows());
	for (uint64 row = 0; row < query_rows(); row++)
	{
		const ArrayType *places = DatumGetArrayTypeP(query_value(row, 1, &isnull));

		interrupt_check((int64) row);
		if (isnull || ARR_NDIM(places) != 1 || ARR_DIMS(places)[0] != numbers)
			elog(ERROR, "a row of a sample has no places");
		counted_tree_decode(leaf, (const int32 *) ARR_DATA_PTR(places) + 2, tuple);
		loaded_rows_add(loaded, layout, tuple);
	}
	return loaded;
}

/* The rows of a sample. */
static LoadedRows *
take_sample(const NodesPlan *plan, const TreeGrower *grower, const CodeBounds *bounds)
{
	const PartitionRequest *partition = &plan->partition;
	MemoryContext caller = MemoryContextSwitchTo(plan->scratch);
	GrowingTree *root = growing_tree_plant(grower->layout, partition, bounds, plan->rows);
	int64 most = Min(MOST_SAMPLE, row_sample_most(grower->layout, partition, plan->rows));
	LoadedRows *loaded = NULL;
	const int32 *numbers;
	int64 count;

	tree_grower_open(grower, &root->node[0], bounds);
	numbers = counted_tree_write(root, NULL, &count);
	if (most > 0)
		loaded = ask_sample(plan, root->node[0].group, int_array_of(numbers, (int) count),
							Min(most, plan->rows));
	MemoryContextSwitchTo(caller);
	MemoryContextReset(plan->scratch);
	return loaded;
}

/* A tree whose cuts come from a sample; NULL if that shows none. */
static GrowingTree *
grow_from_sample(const NodesPlan *plan, TreeGrower *grower, const CodeBounds *bounds,
				 GrowthLimits limits)
{
	Size nodes = plan->budget.limit / NODES_SHARE / counted_sample_node_bytes(grower);
	SampleGrowth growth = {.population = plan->rows,
						   .alpha = SAMPLE_ALPHA,
						   .enough = limits.enough,
						   .nodes = (int32) Max(1, Min(nodes, MOST_NODES)),
						   .height = PG_INT32_MAX};
	LoadedRows *sample = take_sample(plan, grower, bounds);

	if (sample == NULL || sample->dataset->rows == 0)
		return NULL;
	return counted_sample_grow(grower, sample, bounds, growth, limits);
}

/* ---- the tree */

/* The upper part of the tree; NULL if counts are too many or the rows together do not satisfy. */
static GrowingTree *
grow(NodesPlan *plan)
{
	TreeCounter counter = {.rows = plan->rows, .count = count_there, .state = plan};
	GrowthLimits limits = {.room = budget_left(&plan->budget) / COUNTS_SHARE * (COUNTS_SHARE - 1)};
	GrowingTree *tree = NULL;

	limits.most = plan->here > 0 ? plan->rows : rows_that_fit(plan);
	limits.enough = Min(limits.most, most_rows(plan));
	if (plan->partition.stop)
		limits.enough = Max(limits.enough, plan->partition.stop->rows);
	plan->grower->counter = &counter;
	if (plan->sample)
		tree = grow_from_sample(plan, plan->grower, plan->bounds, limits);
	return tree ? tree : tree_grower_grow(plan->grower, NULL, plan->bounds, true, limits);
}

bool
node_tree_plan(NodesPlan *plan)
{
	MemoryContext previous = CurrentMemoryContext;
	bool made;

	plan->scratch = AllocSetContextCreate(previous, "kanon statement", CONTEXT_DEFAULT_SIZES);
	plan->context = AllocSetContextCreate(previous, "kanon nodes", CONTEXT_SMALL_SIZES);
	MemoryContextSwitchTo(plan->context);
	plan->budget = budget_begin();
	made = make_plan(plan);
	MemoryContextSwitchTo(previous);
	return made;
}

GrowingTree *
node_tree_grow(NodesPlan *plan)
{
	MemoryContext previous = CurrentMemoryContext;
	GrowingTree *tree = NULL;

	MemoryContextSwitchTo(plan->context);
	tree = grow(plan);
	MemoryContextSwitchTo(previous);
	return tree;
}
