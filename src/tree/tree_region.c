/*
 * tree_region.c
 *		See tree_region.h.
 */
#include "postgres.h"

#include "tree/tree_region.h"

#include "catalog/pg_type.h"
#include "data/hidden.h"
#include "lib/stringinfo.h"
#include "sql/text_settings.h"
#include "sql/type_query.h"
#include "tree/tree_type.h"

/* A threshold as a bound of ranges; NULL before it is asked for. */
typedef struct TreeBound
{
	const char *text;
	bool discrete; /* the value next to the threshold, which is not below it */
} TreeBound;

struct TreeRegions
{
	const PartitionTree *tree;
	MemoryContext context;
	TreeBound *bound; /* [node] */
};

TreeRegions *
tree_region_create(const PartitionTree *tree, Budget *budget)
{
	TreeRegions *regions = palloc(sizeof(TreeRegions));

	regions->tree = tree;
	regions->context = CurrentMemoryContext;
	regions->bound = budget_allocate(budget, tree->nodes, sizeof(TreeBound), "partition tree");
	return regions;
}

/* As range types quote their bounds. */
static char *
quote_bound(const char *text)
{
	StringInfoData quoted;

	if (*text && strpbrk(text, "\"\\()[], \t\n\r\v\f") == NULL)
		return pstrdup(text);
	initStringInfo(&quoted);
	appendStringInfoChar(&quoted, '"');
	for (; *text; text++)
	{
		if (*text == '"' || *text == '\\')
			appendStringInfoChar(&quoted, *text);
		appendStringInfoChar(&quoted, *text);
	}
	appendStringInfoChar(&quoted, '"');
	return quoted.data;
}

/*
 * What lies above the last value of a discrete type, where there is no next one:
 * infinity, if the type has it, and nothing otherwise.  NULL: it is not the last one.
 */
static const char *
bound_above_last(Oid type, const char *threshold)
{
	if (type == DATEOID && strcmp(threshold, "5874897-12-31") == 0)
		return "infinity";
	if ((type == INT4OID && strcmp(threshold, "2147483647") == 0) ||
		(type == INT8OID && strcmp(threshold, "9223372036854775807") == 0))
		return "";
	return NULL;
}

/* What lies above a threshold, as the range type writes it: (a,) or [b,). */
static const char *
range_above(Oid range, const char *threshold)
{
	const char *literal = psprintf("(%s,)", quote_bound(threshold));
	int nest_level = text_settings_begin();
	TreeValueText conversion;

	tree_type_prepare(&conversion, range);
	literal = tree_type_write(&conversion, tree_type_read(&conversion, literal));
	text_settings_end(nest_level);
	return literal;
}

static const TreeBound *
bound_of_cut(TreeRegions *regions, int32 number)
{
	const TreeNode *node = partition_tree_node(regions->tree, number);
	const char *threshold = partition_tree_at(regions->tree, node->at);
	TreeBound *bound = &regions->bound[number];
	Oid type = partition_tree_attribute(regions->tree, node->attribute)->type;
	Oid range = type_query_range(type);
	MemoryContext previous;

	if (bound->text)
		return bound;
	previous = MemoryContextSwitchTo(regions->context);
	bound->text = bound_above_last(type, threshold);
	if (bound->text)
		bound->discrete = true;
	else if (OidIsValid(range))
	{
		const char *above = range_above(range, threshold);

		bound->discrete = above[0] == '[';
		bound->text = pnstrdup(above + 1, strlen(above) - strlen("(,)"));
	}
	else
		bound->text = quote_bound(threshold);
	MemoryContextSwitchTo(previous);
	return bound;
}

static char *
range_text(TreeRegions *regions, const TreeBounds *bounds)
{
	static const TreeBound none = {.text = "", .discrete = true};
	const TreeBound *lower = bounds->lower < 0 ? NULL : bound_of_cut(regions, bounds->lower);
	const TreeBound *upper = bounds->upper < 0 ? &none : bound_of_cut(regions, bounds->upper);

	return psprintf("%c%s,%s%c", lower && lower->discrete ? '[' : '(', lower ? lower->text : "",
					upper->text, upper->discrete ? ')' : ']');
}

char *
tree_region_text(TreeRegions *regions, int attribute, const TreeBounds *bounds)
{
	const TreeAttribute *described = partition_tree_attribute(regions->tree, attribute);

	if (bounds->content == TREE_NULLS)
		return NULL;
	if (bounds->content == TREE_ANYTHING)
		return pstrdup(described->top ? partition_tree_at(regions->tree, described->top)
									  : HIDDEN_TEXT);
	if (described->top)
		return pstrdup(
			partition_tree_label(regions->tree, attribute, bounds->level, bounds->label));
	return range_text(regions, bounds);
}
