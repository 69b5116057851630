/*
 * tree_rules.c
 *		See tree_rules.h.
 *
 * Rules whose tests have the same contents and levels are of one *shape*.  A row is looked up in
 * each shape by its labels at the shape's levels, in a hash table of the first rule of each shape
 * and labels.  Shapes come in the order of their first rules, so the search ends where no better
 * rule can follow.
 *
 * Rules of the same shape and labels differ in ranges alone; rule_boxes.h finds the first.
 *
 * Values without a hierarchy become places among all values that rules name: the i-th of these lies
 * at 2i + 1, and what lies between it and the next at 2i + 2.  So tests compare integers.
 *
 * Example, two classes and an exception: Bob, 25 and 'private', lies in class 2, whose label he
 * shares with nobody of class 1, but class 1 comes first.
 *
 *	rule 0  age 25 .. 25, work 'self'                class 2
 *	rule 1  age 20 .. 29, work 'private' at level 1  class 1, 5 rows
 *	rule 2  age 25 .. 60, any work                   class 2, 7 rows
 */
#include "postgres.h"

#include "tree/tree_rules.h"

#include "base/interrupt.h"
#include "common/hashfn.h"
#include "data/dimension.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "sql/text_settings.h"
#include "tree/rule_boxes.h"

#define PURPOSE "rules"

/* The values without a hierarchy that rules name, in order. */
typedef struct RulePlaces
{
	Datum *value;
	int32 count;
} RulePlaces;

struct TreeRules
{
	const OpenTree *open;
	int32 count;
	int32 classes;
	int32 *rule_of_class; /* [class] */
	RulePlaces *places;   /* [attribute] */
	/* [rule * attributes + attribute]: label, or places; a row that is looked up is rule "count".
	 */
	int32 *low;
	int32 *high;
	int32 *shape;      /* [rule] */
	int32 *shape_rule; /* [shape]: its first rule */
	int32 shapes;
	int32 *slot; /* the first rule of each shape and labels; -1: empty */
	uint32 mask;
	RuleBoxes *boxes; /* members: rules, those of the same shape and labels side by side */
	int32 *begin;     /* [first rule]: of its members */
	int32 *end;       /* [first rule]: behind them */
	int32 *ground;    /* [attribute] of the row: its value with a hierarchy, or place; -1: NULL */
};

static int
attributes_of(const TreeRules *rules)
{
	return rules->open->tree->attributes;
}

static const TreeNode *
node_of(const TreeRules *rules, int32 rule)
{
	return partition_tree_node(rules->open->tree, 1 + rule);
}

static const TreeTest *
test_of(const TreeRules *rules, int32 rule, int attribute)
{
	const TreeTest *first = partition_tree_at(rules->open->tree, node_of(rules, rule)->test);

	return &first[attribute];
}

static bool
is_hierarchical(const TreeRules *rules, int attribute)
{
	return rules->open->ground[attribute] != NULL;
}

/* Does the test ask for a label, or for a range? */
static bool
asks_label(const TreeRules *rules, const TreeTest *test, int attribute)
{
	return test->content == TREE_VALUES && test->level != TREE_ANY_VALUE &&
		   is_hierarchical(rules, attribute);
}

static bool
asks_range(const TreeRules *rules, const TreeTest *test, int attribute)
{
	return test->content == TREE_VALUES && test->level != TREE_ANY_VALUE &&
		   !is_hierarchical(rules, attribute);
}

pg_noreturn static void reject_rule(const TreeRules *rules, int32 rule, const char *fault);

static void
reject_rule(const TreeRules *rules, int32 rule, const char *fault)
{
	partition_tree_reject(rules->open->sqlstate, psprintf("Rule %d %s.", rule + 1, fault));
}

/* ---- places */

/* Reads the values that rules name in one attribute, as codes of the dictionary. */
static Dictionary *
read_values(TreeRules *rules, int attribute, TreeValueText *conversion)
{
	const OpenTree *open = rules->open;
	Dictionary *values = dictionary_create(&open->type[attribute], open->budget);

	for (int32 rule = 0; rule < rules->count; rule++)
	{
		const TreeTest *test = test_of(rules, rule, attribute);
		int64 at = (int64) rule * attributes_of(rules) + attribute;

		interrupt_check(rule);
		if (!asks_range(rules, test, attribute))
			continue;
		rules->low[at] = dictionary_encode(
			values, tree_type_read(conversion, partition_tree_at(open->tree, test->low)));
		rules->high[at] = dictionary_encode(
			values, tree_type_read(conversion, partition_tree_at(open->tree, test->high)));
	}
	return values;
}

/* Sorts them, and replaces their codes by places. */
static void
place_values(TreeRules *rules, int attribute, const Dictionary *values)
{
	RulePlaces *places = &rules->places[attribute];
	Budget *budget = rules->open->budget;
	int32 *order = dictionary_order(values, DICTIONARY_BY_TYPE);
	int32 *place;

	places->count = dictionary_size(values);
	places->value = budget_allocate(budget, places->count, sizeof(Datum), PURPOSE);
	place = budget_allocate(budget, places->count, sizeof(int32), PURPOSE);
	for (int32 i = 0; i < places->count; i++)
	{
		places->value[i] = dictionary_value(values, order[i]);
		place[order[i]] = 2 * i + 1;
	}
	for (int32 rule = 0; rule < rules->count; rule++)
	{
		int64 at = (int64) rule * attributes_of(rules) + attribute;

		interrupt_check(rule);
		if (!asks_range(rules, test_of(rules, rule, attribute), attribute))
			continue;
		rules->low[at] = place[rules->low[at]];
		rules->high[at] = place[rules->high[at]];
		if (rules->low[at] > rules->high[at])
			reject_rule(rules, rule, "has a range that ends before it begins");
	}
	pfree(order);
	pfree(place);
}

static int32
place_of(const TreeRules *rules, int attribute, Datum value)
{
	const ValueType *type = &rules->open->type[attribute];
	const RulePlaces *places = &rules->places[attribute];
	int32 low = 0;
	int32 high = places->count;

	while (low < high)
	{
		int32 middle = low + (high - low) / 2;
		int order = type->compare(type, value, places->value[middle]);

		if (order == 0)
			return 2 * middle + 1;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return 2 * low;
}

/* ---- shapes and keys */

static bool
same_shape(const TreeRules *rules, int32 one, int32 other)
{
	for (int i = 0; i < attributes_of(rules); i++)
	{
		const TreeTest *a = test_of(rules, one, i);
		const TreeTest *b = test_of(rules, other, i);

		if (a->content != b->content || (a->content == TREE_VALUES && a->level != b->level))
			return false;
	}
	return true;
}

static uint32
hash_shape(const TreeRules *rules, int32 rule)
{
	uint32 hash = 0;

	for (int i = 0; i < attributes_of(rules); i++)
	{
		const TreeTest *test = test_of(rules, rule, i);

		hash = hash_combine(hash, test->content == TREE_VALUES ? 3 + test->level : test->content);
	}
	return murmurhash32(hash);
}

/* Of one shape: are the labels the same? */
static bool
same_key(const TreeRules *rules, int32 one, int32 other)
{
	int attributes = attributes_of(rules);

	if (rules->shape[one] != rules->shape[other])
		return false;
	for (int i = 0; i < attributes; i++)
		if (asks_label(rules, test_of(rules, rules->shape_rule[rules->shape[one]], i), i) &&
			rules->low[(int64) one * attributes + i] != rules->low[(int64) other * attributes + i])
			return false;
	return true;
}

static uint32
hash_key(const TreeRules *rules, int32 rule)
{
	int attributes = attributes_of(rules);
	uint32 hash = (uint32) rules->shape[rule];

	for (int i = 0; i < attributes; i++)
		if (asks_label(rules, test_of(rules, rules->shape_rule[rules->shape[rule]], i), i))
			hash = hash_combine(hash,
								murmurhash32((uint32) rules->low[(int64) rule * attributes + i]));
	return murmurhash32(hash);
}

typedef bool (*SameRules)(const TreeRules *rules, int32 one, int32 other);

/* The slot of the rule that is the same, or an empty one. */
static int32 *
find_slot(const TreeRules *rules, uint32 hash, int32 rule, SameRules same)
{
	uint32 at = hash & rules->mask;

	while (rules->slot[at] >= 0 && !same(rules, rules->slot[at], rule))
		at = (at + 1) & rules->mask;
	return &rules->slot[at];
}

/* Numbers shapes in the order of their first rules. */
static void
find_shapes(TreeRules *rules)
{
	for (int32 rule = 0; rule < rules->count; rule++)
	{
		int32 *slot = find_slot(rules, hash_shape(rules, rule), rule, same_shape);

		interrupt_check(rule);
		if (*slot < 0)
		{
			*slot = rule;
			rules->shape_rule[rules->shapes] = rule;
			rules->shape[rule] = rules->shapes++;
		}
		else
			rules->shape[rule] = rules->shape[*slot];
	}
}

/* Puts rules of the same shape and labels side by side, in their order. */
static void
find_keys(TreeRules *rules)
{
	int32 *key = budget_allocate(rules->open->budget, rules->count, sizeof(int32), PURPOSE);
	int32 members = 0;

	for (int32 rule = 0; rule < rules->count; rule++)
	{
		int32 *slot = find_slot(rules, hash_key(rules, rule), rule, same_key);

		interrupt_check(rule);
		if (*slot < 0)
			*slot = rule;
		key[rule] = *slot;
		rules->end[*slot]++;
	}
	for (int32 rule = 0; rule < rules->count; rule++)
	{
		rules->begin[rule] = members;
		members += rules->end[rule];
		rules->end[rule] = rules->begin[rule];
	}
	for (int32 rule = 0; rule < rules->count; rule++)
		rules->boxes->member[rules->end[key[rule]]++] = rule;
	pfree(key);
}

/* Lists the attributes in which rules of a shape ask for ranges. */
static void
list_ranges(const TreeRules *rules, int32 shape)
{
	rules->boxes->ranges = 0;
	for (int i = 0; i < attributes_of(rules); i++)
		if (asks_range(rules, test_of(rules, rules->shape_rule[shape], i), i))
			rules->boxes->ranged[rules->boxes->ranges++] = i;
}

static void
divide_boxes(const TreeRules *rules)
{
	for (int i = 0; i < attributes_of(rules); i++)
		rules->boxes->extent[i] = Max(rules->places[i].count, 1);
	for (int32 rule = 0; rule < rules->count; rule++)
	{
		interrupt_check(rule);
		if (rules->end[rule] == rules->begin[rule])
			continue;
		list_ranges(rules, rules->shape[rule]);
		rule_boxes_divide(rules->boxes, rules->begin[rule], rules->end[rule]);
	}
}

/* ---- opening */

static void
check_rule(TreeRules *rules, int32 rule)
{
	const TreeNode *node = node_of(rules, rule);
	int32 class_number = node->null_child;

	if (node->kind != TREE_RULE)
		reject_rule(rules, rule, "is none");
	if (class_number < 0 || class_number > rules->classes)
		reject_rule(rules, rule, psprintf("has class %d of %d", class_number, rules->classes));
	for (int i = 0; i < attributes_of(rules); i++)
		rules->low[(int64) rule * attributes_of(rules) + i] = test_of(rules, rule, i)->low;
	if (node->class_rows == 0)
		return;
	if (node->class_rows < rules->open->tree->k)
		reject_rule(rules, rule, psprintf("has %d rows, fewer than k", node->class_rows));
	if (class_number == 0 || rules->rule_of_class[class_number] >= 0)
		reject_rule(rules, rule, psprintf("has rows of class %d once more", class_number));
	rules->rule_of_class[class_number] = rule;
}

/* Each class has one rule with its rows. */
static void
check_rules(TreeRules *rules)
{
	const PartitionTree *tree = rules->open->tree;
	const TreeNode *root = partition_tree_node(tree, 0);

	if (tree->nodes == 0 || root->kind != TREE_LIST || root->children != tree->nodes - 1)
		partition_tree_reject(rules->open->sqlstate, "It does not have as many rules as it says.");
	for (int32 rule = 0; rule < rules->count; rule++)
		if (node_of(rules, rule)->class_rows > 0)
			rules->classes++;
	if (rules->classes == 0)
		partition_tree_reject(rules->open->sqlstate, "It has no class.");
	rules->rule_of_class =
		budget_allocate(rules->open->budget, rules->classes + 1, sizeof(int32), PURPOSE);
	for (int32 i = 0; i <= rules->classes; i++)
		rules->rule_of_class[i] = -1;
	for (int32 rule = 0; rule < rules->count; rule++)
	{
		interrupt_check(rule);
		check_rule(rules, rule);
	}
}

static void
empty_slots(TreeRules *rules)
{
	for (uint32 i = 0; i <= rules->mask; i++)
		rules->slot[i] = -1;
}

TreeRules *
tree_rules_open(OpenTree *open, TreeValueText *conversions)
{
	TreeRules *rules = palloc0(sizeof(TreeRules));
	int attributes = open->tree->attributes;
	Budget *budget = open->budget;
	int64 count = Max(open->tree->nodes - 1, 0);

	rules->open = open;
	rules->count = (int32) count;
	rules->places = palloc0(sizeof(RulePlaces) * attributes);
	rules->ground = palloc(sizeof(int32) * attributes);
	rules->low = budget_allocate(budget, mul_size(count + 1, attributes), sizeof(int32), PURPOSE);
	rules->high = budget_allocate(budget, mul_size(count + 1, attributes), sizeof(int32), PURPOSE);
	rules->shape = budget_allocate(budget, count + 1, sizeof(int32), PURPOSE);
	rules->shape_rule = budget_allocate(budget, count + 1, sizeof(int32), PURPOSE);
	rules->begin = budget_allocate(budget, count + 1, sizeof(int32), PURPOSE);
	rules->end = budget_allocate(budget, count + 1, sizeof(int32), PURPOSE);
	rules->boxes = rule_boxes_create(rules->low, rules->high, rules->count, attributes, budget);
	rules->mask = pg_nextpower2_32((uint32) Min(2 * count + 1, PG_INT32_MAX / 2)) - 1;
	rules->slot = budget_allocate(budget, (Size) rules->mask + 1, sizeof(int32), PURPOSE);
	check_rules(rules);
	for (int i = 0; i < attributes; i++)
		if (!is_hierarchical(rules, i))
			place_values(rules, i, read_values(rules, i, &conversions[i]));
	empty_slots(rules);
	find_shapes(rules);
	empty_slots(rules);
	find_keys(rules);
	divide_boxes(rules);
	return rules;
}

int32
tree_rules_class(const TreeRules *rules, int32 rule)
{
	return node_of(rules, rule)->null_child;
}

int32
tree_rules_of_class(const TreeRules *rules, int32 class_number)
{
	return rules->rule_of_class[class_number];
}

/* ---- looking up */

/* Makes the row the rule behind the last, of this shape; false if no rule of the shape fits. */
static bool
take_shape(const TreeRules *rules, int32 shape)
{
	int attributes = attributes_of(rules);

	rules->shape[rules->count] = shape;
	for (int i = 0; i < attributes; i++)
	{
		const TreeTest *test = test_of(rules, rules->shape_rule[shape], i);

		if (test->content != TREE_ANYTHING &&
			(test->content == TREE_NULLS) != (rules->ground[i] < 0))
			return false;
		if (asks_label(rules, test, i))
			rules->low[(int64) rules->count * attributes + i] =
				partition_tree_number_above(rules->open->tree, i, test->level, rules->ground[i]);
	}
	return true;
}

int32
tree_rules_find(const TreeRules *rules, const Datum *values, const bool *nulls)
{
	int32 best = rules->count;

	for (int i = 0; i < attributes_of(rules); i++)
		rules->ground[i] = nulls[i] ? -1
						   : is_hierarchical(rules, i)
							   ? dictionary_find(rules->open->ground[i], values[i])
							   : place_of(rules, i, values[i]);
	for (int32 shape = 0; shape < rules->shapes && rules->shape_rule[shape] < best; shape++)
	{
		int32 rule;

		if (!take_shape(rules, shape))
			continue;
		rule = *find_slot(rules, hash_key(rules, rules->count), rules->count, same_key);
		if (rule < 0)
			continue;
		list_ranges(rules, shape);
		best = rule_boxes_find(rules->boxes, rules->begin[rule], rules->end[rule], rules->ground,
							   best);
	}
	return best < rules->count ? best : -1;
}

/* ---- texts */

/* The range between two values. */
static char *
range_text(const OpenTree *open, int attribute, const TreeTest *test, Datum high)
{
	int nest_level = text_settings_begin();
	RangeCut lower = range_format_before(partition_tree_at(open->tree, test->low));
	RangeCut upper = range_format_cut(partition_tree_attribute(open->tree, attribute)->type, high,
									  partition_tree_at(open->tree, test->high));
	char *text = range_format_between(&lower, &upper);

	text_settings_end(nest_level);
	return text;
}

char *
tree_rules_text(OpenTree *open, int attribute, int32 rule)
{
	const TreeRules *rules = open->rules;
	const TreeTest *test = test_of(rules, rule, attribute);
	const TreeAttribute *described = partition_tree_attribute(open->tree, attribute);
	int32 place = rules->high[(int64) rule * attributes_of(rules) + attribute];

	if (test->content == TREE_NULLS)
		return NULL;
	if (asks_label(rules, test, attribute))
		return pstrdup(partition_tree_label(open->tree, attribute, test->level, test->low));
	if (asks_range(rules, test, attribute))
		return range_text(open, attribute, test, rules->places[attribute].value[place / 2]);
	return pstrdup(described->top ? partition_tree_at(open->tree, described->top) : HIDDEN_TEXT);
}
