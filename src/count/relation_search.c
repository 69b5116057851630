/*
 * relation_search.c
 *		See relation_search.h.
 *
 * The frequency source over a relation works in one of two ways, with the same result.  "stream"
 * reads rows and counts them here, which is fastest for a local table. "group_by" sends the
 * star-schema GROUP BY of the node, so that the executor counts, in parallel workers or where the
 * rows lie (relation/grouped_rows.h).
 */
#include "postgres.h"

#include "count/relation_search.h"

#include "dimension/dimension_query.h"
#include "dimension/star_query.h"
#include "frequency/ground_builder.h"
#include "relation/grouped_rows.h"
#include "sql/row_query.h"
#include "utils/memutils.h"

int relation_search_ground_scan = GROUND_SCAN_AUTO;

const struct config_enum_entry relation_search_ground_scans[] = {
	{"auto", GROUND_SCAN_AUTO, false},
	{"stream", GROUND_SCAN_STREAM, false},
	{"group_by", GROUND_SCAN_GROUP_BY, false},
	{NULL, 0, false}};

typedef struct RelationSource
{
	FrequencySource source; /* first */
	const Description *description;
	int attributes; /* quasi-identifiers, sensitive columns, person */
	DescribedAttribute **attribute;
	AttributeDomain **domain; /* [attribute] */
	bool group_by;
	Budget *budget;
	/* While the ground is read and the domains are unknown: */
	GroundBuilder *builder;
	int32 *codes; /* [attribute]: of one row */
} RelationSource;

/* Where the scan of a node puts the codes of one attribute. */
typedef struct NodeColumn
{
	int attribute;
	Level level;
	const uint64 *part; /* [ground code] -> bits at the level; NULL: it comes as a label */
} NodeColumn;

typedef struct NodeScan
{
	RelationSource *query;
	int columns;
	NodeColumn *column;
	bool has_person; /* it is the last column */
	CountTable *table;
	FrequencySet *set;
	uint64 *keys;
	int64 counts[COUNT_BLOCK];
	int pending;
} NodeScan;

/* A SELECT of attributes, counted by the database if the source works that way. */
static RowSource *
ground_rows(const RelationSource *query, DescribedAttribute *const *attribute, int count)
{
	GroupedRows rows = {.relation = query->description->name};

	if (query->group_by)
		rows =
			grouped_rows(query->description, description_columns(attribute, count), GROUPED_ALWAYS);
	return grouped_rows_select(&rows, attribute, count, NULL, query->group_by);
}

static void
report_empty(const RelationSource *query)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("relation %s is empty", query->description->name)));
}

/* Is it a sensitive column?  Its domain was read before, so its codes are final from the start. */
static inline bool
is_sensitive(const RelationSource *query, int attribute)
{
	int column = attribute - query->description->quasi_count;

	return column >= 0 && column < query->description->demand.columns;
}

static void
consume_ground(void *state, const Datum *values, const bool *nulls, int64 count)
{
	RelationSource *query = state;
	const Description *description = query->description;
	bool nobodys = description->person && nulls[query->attributes - 1];

	for (int i = 0; i < query->attributes; i++)
		if (!is_sensitive(query, i))
			query->codes[i] = dimension_query_encode(query->domain[i], values[i], nulls[i]);
		else if (nobodys)
			query->codes[i] = 0;
		else
			query->codes[i] = sensitive_values_code(description, i - description->quasi_count,
													values[i], nulls[i]);
	ground_builder_add(query->builder, query->codes, count);
}

/*
 * Makes the dimension from the rows of each provisional code or, if these are NULL, by reading the
 * attribute.
 */
static void
make_dimension(const RelationSource *query, int attribute, int64 *rows)
{
	AttributeDomain *domain = query->domain[attribute];

	if (is_sensitive(query, attribute))
		return;
	if (rows)
	{
		domain->rows = rows;
		domain->counted = dimension_query_codes(domain);
		dimension_query_finish(domain, NULL);
	}
	else
		dimension_query_read(domain, ground_rows(query, &query->attribute[attribute], 1));
	if (domain->dimension->cardinality[0] == 0)
		report_empty(query);
}

/* rows: for each attribute as in make_dimension, or NULL. */
static void
make_space(RelationSource *query, int64 **rows)
{
	Dimension **dimension = palloc(sizeof(Dimension *) * query->attributes);
	int64 **marginal = palloc(sizeof(int64 *) * query->attributes);

	for (int i = 0; i < query->attributes; i++)
	{
		make_dimension(query, i, rows ? rows[i] : NULL);
		dimension[i] = query->domain[i]->dimension;
		marginal[i] = query->domain[i]->marginal;
	}
	query->source.space = frequency_space_create(query->attributes, query->description->quasi_count,
												 dimension, marginal, query->budget);
}

static FrequencySet *
read_ground(FrequencySource *source)
{
	RelationSource *query = (RelationSource *) source;
	int32 **final_code = palloc(sizeof(int32 *) * query->attributes);
	RowSource *rows = ground_rows(query, query->attribute, query->attributes);
	int64 **marginals;
	Size room = 0;

	query->codes = palloc(sizeof(int32) * query->attributes);
	query->builder = ground_builder_create(query->attributes, query->budget);
	rows->scan(rows, consume_ground, query);
	if (ground_builder_rows(query->builder) == 0)
		report_empty(query);
	for (int i = 0; i < query->attributes; i++)
	{
		query->codes[i] = dimension_query_codes(query->domain[i]);
		room = add_size(room, dimension_query_room(query->domain[i]));
	}
	ground_builder_make_room(query->builder, room);
	marginals = ground_builder_marginals(query->builder, query->codes);
	make_space(query, marginals);
	for (int i = 0; i < query->attributes; i++)
	{
		final_code[i] = is_sensitive(query, i) ? NULL : query->domain[i]->final_code;
		if (is_sensitive(query, i))
			pfree(marginals[i]);
	}
	return ground_builder_finish(query->builder, source->space, final_code);
}

static void
read_marginals(FrequencySource *source)
{
	make_space((RelationSource *) source, NULL);
}

/* The bits of a value at the column's level. */
static uint64
column_bits(const NodeScan *scan, const NodeColumn *column, Datum value, bool is_null)
{
	const RelationSource *query = scan->query;
	const FrequencySpace *space = query->source.space;
	const AttributeDomain *domain = query->domain[column->attribute];
	int32 code;

	if (column->part)
		code = dimension_query_find(domain, value, is_null);
	else if (is_null)
		code = domain->dimension->null_code[column->level];
	else
	{
		int32 label = dictionary_find(domain->level[column->level].labels, value);

		code = label >= 0 ? domain->dimension->code_of_label[column->level][label] : -1;
	}
	if (code < 0)
		description_report_change(query->description);
	return column->part ? column->part[code]
						: (uint64) code << space->field[column->attribute].shift;
}

static void
flush_node_scan(NodeScan *scan)
{
	while (!count_table_add_block(scan->table, scan->keys, scan->counts, scan->pending))
		frequency_set_append_table(scan->set, scan->table);
	scan->pending = 0;
}

static void
consume_node(void *state, const Datum *values, const bool *nulls, int64 count)
{
	NodeScan *scan = state;
	const FrequencySpace *space = scan->query->source.space;
	uint64 *key = scan->keys + scan->pending * space->words;
	bool nobodys = scan->has_person && nulls[scan->columns - 1];

	memset(key, 0, sizeof(uint64) * space->words);
	for (int i = 0; i < scan->columns; i++)
	{
		const NodeColumn *column = &scan->column[i];

		if (nobodys && is_sensitive(scan->query, column->attribute))
			continue;
		key[space->field[column->attribute].word] |= column_bits(scan, column, values[i], nulls[i]);
	}
	scan->counts[scan->pending++] = count;
	if (scan->pending == COUNT_BLOCK)
		flush_node_scan(scan);
}

/* Chooses the columns of a node that distinguish rows: those with more than one code there. */
static void
choose_columns(NodeScan *scan, const Level *node)
{
	RelationSource *query = scan->query;
	FrequencySpace *space = query->source.space;

	scan->column = palloc0(sizeof(NodeColumn) * query->attributes);
	for (int i = 0; i < query->attributes; i++)
	{
		NodeColumn *column = &scan->column[scan->columns];

		if (node[i] == LEVEL_ALL || space->dimension[i]->cardinality[node[i]] <= 1)
			continue;
		scan->columns++;
		*column = (NodeColumn){.attribute = i, .level = node[i]};
		if (node[i] == 0 || !query->group_by)
			column->part = frequency_space_part(space, i, 0, node[i]);
		scan->has_person = query->description->person && i == query->attributes - 1;
	}
}

/* A SELECT of the columns of a scan, or a GROUP BY over the star schema. */
static RowSource *
node_rows(const NodeScan *scan)
{
	const RelationSource *query = scan->query;
	int *levels = palloc(sizeof(int) * Max(scan->columns, 1));
	Oid *types = palloc(sizeof(Oid) * Max(scan->columns, 1));
	Description part = *query->description;

	part.quasi_count = scan->columns;
	part.quasi = palloc(sizeof(DescribedAttribute *) * Max(scan->columns, 1));
	for (int i = 0; i < scan->columns; i++)
	{
		int attribute = scan->column[i].attribute;

		levels[i] = scan->column[i].level;
		part.quasi[i] = query->attribute[attribute];
		types[i] = levels[i] > 0 ? query->domain[attribute]->table->attributes[levels[i]].type
								 : part.quasi[i]->type;
	}
	if (!query->group_by)
		return ground_rows(query, part.quasi, scan->columns);
	return row_query_create(star_query_frequency_set(&part, levels), types, scan->columns, true);
}

static FrequencySet *
read_node(FrequencySource *source, const Level *node)
{
	RelationSource *query = (RelationSource *) source;
	FrequencySpace *space = source->space;
	NodeScan scan = {.query = query};
	RowSource *rows;

	choose_columns(&scan, node);
	scan.table = count_table_create(space->words, query->budget, 0);
	scan.set = frequency_set_create(space, node, 0);
	scan.keys = palloc(sizeof(uint64) * space->words * COUNT_BLOCK);
	rows = node_rows(&scan);
	rows->scan(rows, consume_node, &scan);
	flush_node_scan(&scan);
	if (scan.set->entries == 0)
	{
		frequency_set_free(scan.set);
		scan.set = frequency_set_create(space, node, scan.table->used);
	}
	frequency_set_append_table(scan.set, scan.table);
	count_table_free(scan.table);
	pfree(scan.keys);
	return scan.set;
}

/*
 * A source over the quasi-identifiers of a description, in order, which carries its sensitive
 * columns, read by sensitive_values_read, and the person, if any.  Codes of sensitive values are
 * those of their domains; 0 for rows of nobody.  Reads dimension tables at once, and sets the
 * quasi-identifiers' domains; reads the relation on demand.
 */
static FrequencySource *
create_source(const Description *description, Budget *budget)
{
	RelationSource *query = palloc0(sizeof(RelationSource));
	int most = description->quasi_count + description->demand.columns + 1;

	query->source = (FrequencySource){
		.read_ground = read_ground, .read_marginals = read_marginals, .read_node = read_node};
	query->description = description;
	query->budget = budget;
	query->group_by =
		relation_search_ground_scan == GROUND_SCAN_AUTO
			? grouped_rows(description, description_used_columns(description), GROUPED_FOR_ONE)
				  .elsewhere
			: relation_search_ground_scan == GROUND_SCAN_GROUP_BY;
	query->attribute = palloc(sizeof(DescribedAttribute *) * most);
	query->domain = palloc(sizeof(AttributeDomain *) * most);
	for (int i = 0; i < description->quasi_count; i++)
	{
		DescribedAttribute *attribute = description->quasi[i];

		attribute->domain = dimension_query_load(description, attribute, UNKNOWN_LABELLED, budget);
		query->attribute[query->attributes] = attribute;
		query->domain[query->attributes++] = attribute->domain;
	}
	for (int i = 0; i < description->demand.columns; i++)
	{
		query->attribute[query->attributes] = description->sensitive[i];
		query->domain[query->attributes++] = description->sensitive[i]->domain;
	}
	if (description->person)
	{
		query->attribute[query->attributes] = description->person;
		query->domain[query->attributes++] =
			dimension_query_values(description, description->person, budget);
	}
	return &query->source;
}

/* ---- the search */

static SearchIteration *last_iterations = NULL;
static int last_iteration_count = 0;

void
relation_search_open(Search *search, Description *description)
{
	sensitive_values_read(description, search->budget);
	sensitive_values_check(description);
	search->relation = description->name;
	search->source = create_source(description, search->budget);
	search->demand = description->demand;
}

Answer *
relation_search_run(Search *search, const SearchAlgorithm *algorithm)
{
	Answer *answer = algorithm->run(search, algorithm->roots);
	Size bytes = sizeof(SearchIteration) * search->iterations;
	SearchIteration *copy = MemoryContextAlloc(TopMemoryContext, Max(bytes, 1));

	memcpy(copy, search->iteration, bytes);
	if (last_iterations)
		pfree(last_iterations);
	last_iterations = copy;
	last_iteration_count = search->iterations;
	return answer;
}

LossTable *
relation_search_loss(const Search *search, const Description *description)
{
	double *weight = palloc(sizeof(double) * Max(description->quasi_count, 1));

	for (int i = 0; i < description->quasi_count; i++)
		weight[i] = description->quasi[i]->weight;
	return loss_table_create(search->source->space, weight);
}

const SearchIteration *
relation_search_last(int *iterations)
{
	*iterations = last_iteration_count;
	return last_iterations;
}
