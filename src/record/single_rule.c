/*
 * single_rule.c
 *		See single_rule.h.
 */
#include "postgres.h"

#include "record/single_rule.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "fmgr.h"
#include "sql/type_query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/json.h"
#include "utils/jsonb.h"
#include "utils/memutils.h"

#define PURPOSE "rule of a recoding"

/* Lists of texts, one for each level. */
typedef struct RuleLists
{
	int count;
	int *texts; /* [list] */
	char ***text;
} RuleLists;

/* ---- writing */

/*
 * The text of the label at a level above a code, which is not NULL unless it is the label for
 * everything; at level 0, of the value.
 */
static char *
text_at(const DatasetColumn *column, int level, int32 code)
{
	if (level == 0)
		return dataset_column_text(column, code);
	if (level == single_root(&column->codes))
		return column->codes.dimension ? dimension_query_top(column->domain) : pstrdup(HIDDEN_TEXT);
	return dimension_query_text(column->domain, level, column->domain->value_of_code[code]);
}

static void
append_text(StringInfo list, char *text)
{
	if (list->len > 0)
		appendStringInfoString(list, ", ");
	escape_json(list, text);
	pfree(text);
}

/* Appends "name": [[..], ..]. */
static void
append_lists(StringInfo rule, const char *name, const StringInfoData *list, int from, int to)
{
	appendStringInfo(rule, "\"%s\": [", name);
	for (int level = from; level <= to; level++)
		appendStringInfo(rule, "%s[%s]", level > from ? ", " : "", list[level].data);
	appendStringInfoChar(rule, ']');
}

static StringInfoData *
begin_lists(int count)
{
	StringInfoData *list = palloc(sizeof(StringInfoData) * count);

	for (int i = 0; i < count; i++)
		initStringInfo(&list[i]);
	return list;
}

/* The labels that the cuts divide, and those that stand for one alone below them. */
static void
write_divided(StringInfo rule, const DatasetColumn *column, const CutAttribute *of,
			  const uint8 *mark)
{
	int root = single_root(&column->codes);
	StringInfoData *list = begin_lists(root + 1);

	for (int32 i = 0; i < of->nodes;)
	{
		const CutNode *node = &of->node[i];
		bool made = node->cut >= 0 && mark[node->cut] == CUT_MADE;
		bool is_null = node->first == column->dataset->values[column->number];

		CHECK_FOR_INTERRUPTS();
		for (int level = is_null ? root : node->cell.level + (made ? 0 : 1); level <= node->highest;
			 level++)
			append_text(&list[level], text_at(column, level, node->first));
		i = made ? i + 1 : node->end;
	}
	append_lists(rule, "divided", list, 1, root);
}

/* The values whose cell is another than the cuts say. */
static void
write_shown(StringInfo rule, const DatasetColumn *column, const CutAttribute *of,
			const int32 *by_cuts, const int32 *cell)
{
	int root = single_root(&column->codes);
	StringInfoData *list = begin_lists(root + 1);

	for (int32 code = 0; code < column->dataset->values[column->number]; code++)
	{
		interrupt_check(code);
		if (cell[code] != by_cuts[code])
			append_text(&list[of->node[cell[code]].cell.level], text_at(column, 0, code));
	}
	appendStringInfoString(rule, ", ");
	append_lists(rule, "shown", list, 0, root);
	if (column->dataset->has_null[column->number])
		appendStringInfo(rule, ", \"null\": %s",
						 of->node[cell[column->dataset->values[column->number]]].cut < 0 ? "true"
																						 : "false");
}

static void
write_from(StringInfo rule, const DatasetColumn *column, const CutAttribute *of, const uint8 *mark)
{
	int32 values = column->dataset->values[column->number];
	StringInfoData list;
	bool apart = values > 0 && column->dataset->has_null[column->number] &&
				 mark[of->first + values - 1] == CUT_MADE;

	initStringInfo(&list);
	for (int32 code = 1; code < values; code++)
	{
		interrupt_check(code);
		if (mark[of->first + code - 1] == CUT_MADE)
			append_text(&list, text_at(column, 0, code));
	}
	appendStringInfo(rule, "\"from\": [%s], \"null\": %s", list.data, apart ? "true" : "false");
}

char *
single_rule_write(const RecordCodes *codes, const CutSpace *space, const SingleAnswer *answer,
				  bool map)
{
	SingleMap by_cuts = single_map_create(space->table);
	StringInfoData rule;

	cut_space_map(space, answer->mark, false, &by_cuts);
	initStringInfo(&rule);
	appendStringInfoChar(&rule, '[');
	for (int i = 0; i < space->table->attributes; i++)
	{
		const CutAttribute *of = &space->attribute[i];

		appendStringInfoString(&rule, i > 0 ? ", {" : "{");
		if (space->tree)
			write_divided(&rule, codes->column[i], of, answer->mark);
		else
			write_from(&rule, codes->column[i], of, answer->mark);
		if (map)
			write_shown(&rule, codes->column[i], of, by_cuts.cell[i], answer->map.cell[i]);
		appendStringInfoChar(&rule, '}');
	}
	appendStringInfoChar(&rule, ']');
	return rule.data;
}

/* ---- reading */

pg_noreturn static void
refuse(const char *what)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("the rule does not fit the quasi-identifiers: %s", what)));
}

static int
compare_texts(const void *a, const void *b)
{
	CHECK_FOR_INTERRUPTS();
	return strcmp(*(char *const *) a, *(char *const *) b);
}

static JsonbContainer *
array_of(const JsonbValue *value)
{
	if (value == NULL || value->type != jbvBinary || !JsonContainerIsArray(value->val.binary.data))
		refuse("an array is missing");
	return value->val.binary.data;
}

/* The texts of an array, in its order. */
static int
read_texts(JsonbContainer *array, char ***texts)
{
	int count = (int) JsonContainerSize(array);
	JsonbIterator *iterator = JsonbIteratorInit(array);
	JsonbIteratorToken token;
	JsonbValue value;
	int n = 0;

	*texts = palloc_extended(sizeof(char *) * Max(count, 1), MCXT_ALLOC_HUGE);
	while ((token = JsonbIteratorNext(&iterator, &value, true)) != WJB_DONE)
	{
		interrupt_check(n);
		if (token == WJB_ELEM && value.type != jbvString)
			refuse("a text is missing");
		if (token == WJB_ELEM)
			(*texts)[n++] = pnstrdup(value.val.string.val, value.val.string.len);
	}
	return n;
}

static JsonbValue *
get(JsonbContainer *object, const char *name)
{
	return getKeyJsonValueFromContainer(object, name, (int) strlen(name), NULL);
}

/* The lists of that name, sorted; none if there is nothing of that name. */
static RuleLists
read_lists(JsonbContainer *object, const char *name)
{
	JsonbValue *value = get(object, name);
	RuleLists lists = {0};
	JsonbContainer *array;

	if (value == NULL)
		return lists;
	array = array_of(value);
	lists.count = (int) JsonContainerSize(array);
	lists.texts = palloc0(sizeof(int) * Max(lists.count, 1));
	lists.text = palloc0(sizeof(char **) * Max(lists.count, 1));
	for (int i = 0; i < lists.count; i++)
	{
		lists.texts[i] =
			read_texts(array_of(getIthJsonbValueFromContainer(array, i)), &lists.text[i]);
		qsort(lists.text[i], lists.texts[i], sizeof(char *), compare_texts);
	}
	return lists;
}

static bool
has_text(const RuleLists *lists, int list, const char *text)
{
	return list >= 0 && list < lists->count && lists->texts[list] > 0 &&
		   bsearch(&text, lists->text[list], lists->texts[list], sizeof(char *), compare_texts);
}

/* The level at which a value is shown. */
static int
level_of(const DatasetColumn *column, const RuleLists *divided, const RuleLists *shown, int32 code)
{
	int level = single_root(&column->codes);
	bool is_null = code == column->dataset->values[column->number];

	while (level > 0)
	{
		if (!has_text(divided, level - 1, text_at(column, level, code)))
			break;
		level--;
		if (is_null)
			return 0;
	}
	for (int i = 0; i < shown->count && !is_null; i++)
		if (shown->texts[i] > 0 && has_text(shown, i, text_at(column, 0, code)))
			return i;
	return level;
}

static void
apply_labels(const DatasetColumn *column, const RecodingColumn *means, JsonbContainer *object,
			 int attribute, SingleCells *cells)
{
	const Dimension *dimension = means->dimension;
	int32 codes = dataset_cardinality(column->dataset, column->number);
	int32 values = column->dataset->values[column->number];
	int root = single_root(means);
	RuleLists divided = read_lists(object, "divided");
	RuleLists shown = read_lists(object, "shown");
	JsonbValue *apart = get(object, "null");
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon rule", CONTEXT_SMALL_SIZES);

	if (get(object, "divided") == NULL || shown.count > root + 1)
		refuse("labels are missing, or there are too many levels");
	cells->numbers[attribute] = (root + 1) * codes;
	for (int32 code = 0; code < codes; code++)
	{
		MemoryContext caller = MemoryContextSwitchTo(scratch);
		int level = level_of(column, &divided, &shown, code);
		int height = dimension ? dimension->height : 0;

		if (code == values && apart && apart->type == jbvBool)
			level = apart->val.boolean ? 0 : root;
		MemoryContextSwitchTo(caller);
		MemoryContextReset(scratch);
		interrupt_check(code);
		cells->cell[attribute][code] = single_cell(means, level, code, code == values);
		cells->number[attribute][code] =
			level * codes + (level > height ? 0
							 : dimension    ? dimension->ancestor[level][code]
											: code);
	}
	MemoryContextDelete(scratch);
}

/*
 * The first code whose value is not before this one.  Of a dimension's order: -1 if the value has
 * no place in it any more.
 */
static int32
code_from(const DatasetColumn *column, ValueType *type, Datum from)
{
	const AttributeDomain *domain = column->domain;
	int32 number = column->hierarchical ? dictionary_find(domain->ground, from) : -1;
	int32 low = 0;
	int32 high = column->dataset->values[column->number];

	if (column->hierarchical && (number < 0 || number >= domain->declared))
		return -1;
	while (low < high)
	{
		int32 middle = low + (high - low) / 2;
		int order = column->hierarchical
						? dimension_query_compare(domain, domain->value_of_code[middle], number)
						: type->compare(type, dataset_column_value(column, middle), from);

		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The codes at which intervals begin; NULL is the last code. */
static void
find_beginnings(const DatasetColumn *column, JsonbContainer *object, bool *begins)
{
	ValueType type = type_query_value_type(column->type, column->attribute->collation);
	ValueText reader = value_text_reader(column->type);
	JsonbValue *apart = get(object, "null");
	int32 values = column->dataset->values[column->number];
	char **text;
	int texts = read_texts(array_of(get(object, "from")), &text);

	for (int i = 0; i < texts; i++)
	{
		int32 code = code_from(column, &type, value_text_read(&reader, text[i]));

		CHECK_FOR_INTERRUPTS();
		if (code >= 0 && code < values)
			begins[code] = true;
	}
	if (column->dataset->has_null[column->number])
		begins[values] = apart && apart->type == jbvBool && apart->val.boolean;
	begins[0] = true;
}

static void
apply_intervals(const DatasetColumn *column, const RecodingColumn *means, JsonbContainer *object,
				int attribute, SingleCells *cells)
{
	int32 codes = dataset_cardinality(column->dataset, column->number);
	int32 null = column->dataset->has_null[column->number] ? codes - 1 : -1;
	bool *begins = budget_allocate(column->dataset->budget, codes, sizeof(bool), PURPOSE);

	if (codes > 0)
		find_beginnings(column, object, begins);
	cells->numbers[attribute] = codes;
	for (int32 from = 0, to; from < codes; from = to + 1)
	{
		for (to = from; to + 1 < codes && !begins[to + 1]; to++)
			interrupt_check(to);
		for (int32 code = from; code <= to; code++)
		{
			cells->cell[attribute][code] = single_interval_label(means, from, to, null);
			cells->number[attribute][code] = from;
		}
	}
	pfree(begins);
}

SingleCells
single_rule_apply(const RecordCodes *codes, const RecodingColumn *column, const char *rule,
				  bool intervals)
{
	const Dataset *dataset = codes->dataset;
	int count = dataset->attributes;
	SingleCells cells = {.cell = palloc(sizeof(RecodedCell *) * Max(count, 1)),
						 .number = palloc(sizeof(int32 *) * Max(count, 1)),
						 .numbers = palloc(sizeof(int32) * Max(count, 1))};
	Jsonb *json = DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(rule)));

	if (!JB_ROOT_IS_ARRAY(json) || JB_ROOT_COUNT(json) != (uint32) count)
		refuse("it must be an array with an object for each");
	for (int i = 0; i < count; i++)
	{
		JsonbValue *of = getIthJsonbValueFromContainer(&json->root, i);
		int32 size = dataset_cardinality(dataset, i);

		if (of->type != jbvBinary || !JsonContainerIsObject(of->val.binary.data))
			refuse("it must be an array with an object for each");
		cells.cell[i] = budget_allocate(codes->budget, size, sizeof(RecodedCell), PURPOSE);
		cells.number[i] = budget_allocate(codes->budget, size, sizeof(int32), PURPOSE);
		if (intervals)
			apply_intervals(codes->column[i], &column[i], of->val.binary.data, i, &cells);
		else
			apply_labels(codes->column[i], &column[i], of->val.binary.data, i, &cells);
	}
	return cells;
}
