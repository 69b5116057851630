/*
 * release_nodes.c
 *		See release_nodes.h.
 */
#include "postgres.h"

#include "release/release_nodes.h"

#include "access/relation.h"
#include "base/interrupt.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "matview/successor.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "optimizer/cost.h"
#include "record/record_spill.h"
#include "relation/citus.h"
#include "release/release_node_rows.h"
#include "release/release_node_shown.h"
#include "release/release_node_tree.h"
#include "rothko/counted_tree.h"
#include "sql/name_array.h"
#include "sql/query.h"
#include "sql/query_jobs.h"
#include "sql/relation_name.h"
#include "sql/text_settings.h"
#include "storage/bufmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#define KEYS_OF_NODE 16          /* keys tried for each node and shard */
#define KEYS_OF_PEOPLE (1 << 16) /* enough for the shards of any cluster; a power of 2 */

/* ---- rows set apart */

typedef struct NodeRows
{
	int32 node;
	int64 rows;
} NodeRows;

static int
compare_rows(const void *a, const void *b)
{
	const NodeRows *one = a;
	const NodeRows *other = b;

	if (one->rows != other->rows)
		return one->rows > other->rows ? -1 : 1;
	return one->node < other->node ? -1 : one->node > other->node;
}

/* The leaves, that of most rows first. */
static NodeRows *
leaves_by_rows(const GrowingTree *tree)
{
	NodeRows *leaf = palloc(sizeof(NodeRows) * tree->leaves);

	for (int32 i = 0; i < tree->leaves; i++)
		leaf[i] = (NodeRows){.node = tree->order[tree->leaf[i]],
							 .rows = growing_tree_leaf_node(tree, i)->rows};
	qsort(leaf, tree->leaves, sizeof(NodeRows), compare_rows);
	return leaf;
}

/*
 * Numbers the leaves by keys whose hashes spread the rows evenly over the shards of a table: that
 * of most rows goes to the shard that has fewest.  [node], palloc'd.
 */
static int32 *
choose_keys(const GrowingTree *tree, Oid stage)
{
	int32 *key = palloc0(sizeof(int32) * tree->nodes);
	const NodeRows *leaf = leaves_by_rows(tree);
	int keys = KEYS_OF_NODE * (tree->leaves + 32);
	int64 *load; /* [shard] */
	int *taken;  /* [key]: its shard; -1: it is taken */
	int shards;

	query_run_with("SELECT dense_rank() OVER (ORDER BY"
				   " pg_catalog.get_shard_id_for_distribution_column($1::regclass, k)) - 1"
				   " FROM generate_series(1, $2) k ORDER BY k",
				   QUERY_IN_SNAPSHOT, "oi", stage, keys);
	taken = palloc(sizeof(int) * keys);
	shards = 0;
	for (int i = 0; i < keys; i++)
	{
		taken[i] = (int) query_int8((uint64) i, 1);
		shards = Max(shards, taken[i] + 1);
	}
	load = palloc0(sizeof(int64) * shards);
	for (int32 i = 0; i < tree->leaves; i++)
	{
		int best = -1;

		CHECK_FOR_INTERRUPTS();
		for (int k = 0; k < keys; k++)
			if (taken[k] >= 0 && (best < 0 || load[taken[k]] < load[taken[best]]))
				best = k;
		load[taken[best]] += leaf[i].rows;
		taken[best] = -1;
		key[leaf[i].node] = best + 1;
	}
	return key;
}

/* Sets the rows apart; returns their number. */
static int64
set_apart(NodesPlan *plan, const GrowingTree *tree, Oid stage)
{
	Query *rows = copyObject(plan->text.rows);
	const NodesText *text = &plan->text;
	int64 count;
	const int32 *numbers = counted_tree_write(tree, choose_keys(tree, stage), &count);
	FuncExpr *call =
		node_text_call(&plan->text, rows, plan->whole, int_array_of(numbers, (int) count));
	StringInfoData columns;
	List *targets = NIL;

	initStringInfo(&columns);
	for (int number = -1; (number = bms_next_member(text->used, number)) >= 0;)
	{
		int at = list_length(targets) + 1;
		Expr *column = (Expr *) node_text_column(text, (AttrNumber) number);

		targets =
			lappend(targets, makeTargetEntry(column, (AttrNumber) at, psprintf("c%d", at), false));
		appendStringInfo(&columns, "s.c%d, ", at);
	}
	targets =
		lappend(targets, makeTargetEntry((Expr *) call, (AttrNumber) (list_length(targets) + 1),
										 pstrdup("places"), false));
	query_run_with(psprintf("INSERT INTO %s SELECT %ss.places[1] FROM (%s) s", relation_name(stage),
							columns.data, node_text_select(rows, targets)),
				   QUERY_IN_SNAPSHOT, "");
	return (int64) query_rows();
}

/* SQL: "s.age, s.zip", columns of the table. */
static const char *
names_of(const NodesText *text, const Bitmapset *columns)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int number = -1; (number = bms_next_member(columns, number)) >= 0;)
		appendStringInfo(&names, "%ss.%s", names.len > 0 ? ", " : "",
						 quote_identifier(get_attname(text->table, (AttrNumber) number, false)));
	return names.data;
}

/*
 * Copies the rows, so that those of each person lie in one shard, and lets the copy take the
 * relation's place.  Rows of nobody go anywhere.
 */
static Oid
gather_people(NodesPlan *plan, StageMaker make_table)
{
	NodesText *text = &plan->text;
	const char *select = node_rows_stage(
		text,
		psprintf("(CASE WHEN s.%1$s IS NOT DISTINCT FROM NULL"
				 " THEN hash_record_extended(ROW(%2$s), 0)"
				 " ELSE hash_record_extended(ROW(s.%1$s), 0) END & %3$d)::int4",
				 quote_identifier(text->person),
				 names_of(text, node_text_hashed(text, plan->distribution)), KEYS_OF_PEOPLE - 1));
	Oid copy = make_table(text->entry, select, "node");

	query_run_with(psprintf("INSERT INTO %s %s", relation_name(copy), select), QUERY_IN_SNAPSHOT,
				   "");
	node_text_replace_relation(text, copy);
	text->person_key = (AttrNumber) (bms_num_members(text->used) + 1);
	return copy;
}

static bool
people_are_scattered(const NodesPlan *plan)
{
	const char *person = plan->text.person;

	return person && (plan->distribution == NULL || strcmp(plan->distribution, person) != 0);
}

bool
release_nodes_set_apart(const ReleaseEntry *entry, const Query *query, StageMaker make_table,
						NodesApart *apart)
{
	NodesPlan plan = {0};
	const GrowingTree *tree;
	Oid copy = InvalidOid;

	query_run_with("SELECT count(*) FROM pg_catalog.pg_dist_shard WHERE logicalrelid = $1",
				   QUERY_READ, "o", entry->relation);
	plan.places = query_int8(0, 1);
	if (!node_text_read(&plan.text, entry, query) || !node_tree_plan(&plan))
		return false;
	if (people_are_scattered(&plan))
		copy = gather_people(&plan, make_table);
	tree = node_tree_grow(&plan);
	apart->judged = plan.text.judged != NULL;
	apart->shown = tree && node_shown_all(&plan, tree);
	/* Classes of two nodes that look alike are judged as one. */
	if (apart->judged && !apart->shown)
		tree = NULL;
	if (tree)
	{
		apart->table = make_table(entry, node_rows_stage(&plan.text, "0::int4"), "node");
		apart->rows = set_apart(&plan, tree, apart->table);
		apart->select = node_rows_release(&plan.text, apart->table, plan.whole);
		apart->source = plan.description;
	}
	if (OidIsValid(copy))
		query_run(psprintf("DROP TABLE %s", relation_name(copy)), false);
	return tree != NULL;
}

/* ---- side by side on one machine */

#define MOST_ROWS_OF_PAGE 256

/* Can several processes read the same rows of it at once, and may it have so many? */
static bool
is_read_alike(Oid relation, int64 rows)
{
	int64 most = 0;
	Relation opened = relation_name_open(relation);
	bool secured = opened->rd_rel->relrowsecurity;
	List *parts;
	ListCell *cell;

	relation_close(opened, NoLock);
	if (secured || citus_distributes(relation))
		return false;
	parts = find_all_inheritors(relation, AccessShareLock, NULL);
	foreach (cell, parts)
	{
		Relation part = relation_open(lfirst_oid(cell), NoLock);
		char kind = part->rd_rel->relkind;
		bool table = kind == RELKIND_RELATION || kind == RELKIND_MATVIEW;
		bool here = part->rd_rel->relpersistence != RELPERSISTENCE_TEMP &&
					(table || kind == RELKIND_PARTITIONED_TABLE);

		if (table && here)
			most += (int64) RelationGetNumberOfBlocks(part) * MOST_ROWS_OF_PAGE;
		relation_close(part, NoLock);
		if (!here)
			return false;
	}
	return most >= rows;
}

/* The parts of a tree: whole nodes, cut from each other by cuts that are shown. */
typedef struct TreeParts
{
	NodesPlan *plan;
	const GrowingTree *tree;
	int32 *name;    /* [node]: of a leaf, 1 + the number of its part */
	NodeRows *part; /* .node: its number */
	int count;
} TreeParts;

/* Lists the parts from a node on; part: the number of that which the node is in, or -1. */
static void
list_parts(TreeParts *parts, int32 number, int32 part)
{
	const GrowingNode *node = &parts->tree->node[number];
	bool divided = growing_node_is_divided(node);

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	if (part < 0 && !(divided && node_shown(parts->plan, parts->tree, node)))
	{
		part = parts->count++;
		parts->part[part] = (NodeRows){.node = part, .rows = node->rows};
	}
	if (!divided)
		parts->name[number] = part + 1;
	for (int32 child = 0; divided && child < node->split.children; child++)
		list_parts(parts, node->first_child + child, part);
}

/* The query of the rows, part by part, that of most rows first; NULL if there is only one. */
static Query *
query_of_parts(NodesPlan *plan, const GrowingTree *tree, int *count)
{
	TreeParts parts = {.plan = plan,
					   .tree = tree,
					   .name = palloc0(sizeof(int32) * tree->nodes),
					   .part = palloc(sizeof(NodeRows) * tree->leaves)};
	int32 *number = palloc(sizeof(int32) * tree->leaves);
	const int32 *numbers;
	int64 size;

	list_parts(&parts, 0, -1);
	if ((*count = parts.count) < 2)
		return NULL;
	qsort(parts.part, parts.count, sizeof(NodeRows), compare_rows);
	for (int i = 0; i < parts.count; i++)
		number[i] = parts.part[i].node + 1;
	numbers = counted_tree_write(tree, parts.name, &size);
	return successor_parse(
		node_rows_parts(&plan->text, &(NodeParts){.whole = plan->whole,
												  .tree = int_array_of(numbers, (int) size),
												  .number = number,
												  .count = parts.count}));
}

/* A tree that may exceed the memory limit. */
typedef struct TreeAttempt
{
	NodesPlan *plan;
	MemoryContext context;
	const GrowingTree *tree;
} TreeAttempt;

static void
attempt_tree(void *state)
{
	TreeAttempt *attempt = state;
	MemoryContext previous = MemoryContextSwitchTo(attempt->context);

	attempt->tree = node_tree_plan(attempt->plan) ? node_tree_grow(attempt->plan) : NULL;
	MemoryContextSwitchTo(previous);
}

/* NULL also if memory does not suffice: one process puts more on tapes. */
static const GrowingTree *
grow_within_limit(NodesPlan *plan)
{
	TreeAttempt attempt = {.plan = plan, .context = CurrentMemoryContext};
	ErrorData *error = query_attempt(attempt_tree, &attempt);

	if (error && error->sqlerrcode != ERRCODE_PROGRAM_LIMIT_EXCEEDED)
		ReThrowError(error);
	return error ? NULL : attempt.tree;
}

Query *
release_nodes_side_by_side(const ReleaseEntry *entry, const Query *query, int *processes)
{
	int workers = Min(max_parallel_workers_per_gather, max_parallel_workers);
	/* A part for each: every part costs a reading of all rows. */
	NodesPlan plan = {.here = workers, .places = workers};
	bool any = record_spill_partitioning == PARTITIONING_TREE;
	const GrowingTree *tree = NULL;
	Query *made = NULL;
	int parts;

	if (workers < 2 || !is_read_alike(entry->relation, any ? 0 : RELEASE_PARTS_LEAST_ROWS))
		return NULL;
	if (node_text_read(&plan.text, entry, query))
		tree = grow_within_limit(&plan);
	if (tree)
		made = query_of_parts(&plan, tree, &parts);
	if (made)
		*processes = Min(workers, parts);
	return made;
}

int
release_nodes_begin_processes(int processes)
{
	int level = text_settings_begin();

	text_settings_pin_one("parallel_leader_participation", "off");
	/* The branches are planned without workers, for they run in some. */
	text_settings_pin_one("max_parallel_workers_per_gather", "0");
	text_settings_local("kanon.release_processes", psprintf("%d", processes));
	return level;
}

void
release_nodes_end_processes(int level)
{
	text_settings_local("kanon.release_processes", "1");
	text_settings_end(level);
}
