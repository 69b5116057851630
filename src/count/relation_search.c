/*
 * relation_search.c
 *		See relation_search.h.
 *
 * The frequency source over a relation works in one of two ways, with the same result.  "stream"
 * reads rows and counts them here, which is fastest for a local table.  "group_by" sends a GROUP BY
 * of the columns, so that the executor counts, in parallel workers or where the rows lie
 * (relation/grouped_rows.h).
 */
#include "postgres.h"

#include "count/relation_search.h"

#include "dimension/dimension_query.h"
#include "dimension/star_query.h"
#include "frequency/ground_builder.h"
#include "model/known.h"
#include "relation/dimension_source.h"
#include "relation/grouped_rows.h"
#include "sql/query.h"
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
	bool ends; /* see Search */
	Budget *budget;
	/* While rows are read: */
	int columns;
	int *column;           /* [column of the query]: its attribute */
	const int32 **at_node; /* [column]: by final code; NULL: codes are provisional */
	bool has_person;
	int32 *codes; /* [attribute]: of one row; 0 where no column is read */
	GroundBuilder *builder;
} RelationSource;

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

/* The code of a value in a column of the query. */
static inline int32
code_of_value(const RelationSource *query, int column, Datum value, bool is_null)
{
	AttributeDomain *domain = query->domain[query->column[column]];
	int32 code;

	if (query->at_node[column] == NULL)
		return dimension_query_encode(domain, value, is_null);
	code = dimension_query_find(domain, value, is_null);
	if (code < 0)
		description_report_change(query->description);
	return query->at_node[column][code];
}

static void
consume_row(void *state, const Datum *values, const bool *nulls, int64 count)
{
	RelationSource *query = state;
	bool nobodys = query->has_person && nulls[query->columns - 1];

	for (int i = 0; i < query->columns; i++)
	{
		int attribute = query->column[i];

		query->codes[attribute] = nobodys && is_sensitive(query, attribute)
									  ? 0
									  : code_of_value(query, i, values[i], nulls[i]);
	}
	ground_builder_add(query->builder, query->codes, count);
}

/* Counts the rows by the attributes that distinguish them at a node; NULL: by all. */
static void
count_rows(RelationSource *query, const Level *node)
{
	DescribedAttribute **read = palloc(sizeof(DescribedAttribute *) * query->attributes);

	query->columns = 0;
	for (int i = 0; i < query->attributes; i++)
	{
		const Dimension *dimension =
			node ? query->source.space->dimension[i] : query->domain[i]->dimension;

		query->codes[i] = 0;
		if (node && (node[i] == LEVEL_ALL || dimension->cardinality[node[i]] <= 1))
			continue;
		query->at_node[query->columns] =
			node || is_sensitive(query, i) ? dimension->ancestor[node ? node[i] : 0] : NULL;
		query->column[query->columns] = i;
		read[query->columns++] = query->attribute[i];
		query->has_person = query->description->person && i == query->attributes - 1;
	}
	query->builder = ground_builder_create(query->attributes, query->budget);
	if (query->columns > 0)
	{
		RowSource *rows = ground_rows(query, read, query->columns);

		rows->scan(rows, consume_row, query);
	}
	else
		ground_builder_add(query->builder, query->codes, query->source.space->rows);
	pfree(read);
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
		if (query->ends && i < query->description->quasi_count)
			dimension[i] = dimension_ends(dimension[i]);
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
	int64 **marginals;
	Size room = 0;

	count_rows(query, NULL);
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
	return ground_builder_finish(query->builder, source->space,
								 frequency_space_ground(source->space), final_code);
}

static void
read_marginals(FrequencySource *source)
{
	make_space((RelationSource *) source, NULL);
}

static FrequencySet *
read_node(FrequencySource *source, const Level *node)
{
	RelationSource *query = (RelationSource *) source;

	count_rows(query, node);
	return ground_builder_finish(query->builder, source->space, node, NULL);
}

/*
 * A source over the quasi-identifiers of a description, in order, which carries its sensitive
 * columns, read by sensitive_values_read, and the person, if any.  Codes of sensitive values are
 * those of their domains; 0 for rows of nobody.  Reads dimension tables at once, and sets the
 * quasi-identifiers' domains; reads the relation on demand.
 */
static FrequencySource *
create_source(const Description *description, bool ends, Budget *budget)
{
	RelationSource *query = palloc0(sizeof(RelationSource));
	int most = description->quasi_count + description->demand.columns + 1;

	query->source = (FrequencySource){
		.read_ground = read_ground, .read_marginals = read_marginals, .read_node = read_node};
	query->description = description;
	query->ends = ends;
	query->budget = budget;
	query->group_by =
		relation_search_ground_scan == GROUND_SCAN_AUTO
			? grouped_rows(description, description_used_columns(description), GROUPED_FOR_ONE)
				  .elsewhere
			: relation_search_ground_scan == GROUND_SCAN_GROUP_BY;
	query->attribute = palloc(sizeof(DescribedAttribute *) * most);
	query->domain = palloc(sizeof(AttributeDomain *) * most);
	query->column = palloc(sizeof(int) * most);
	query->at_node = palloc(sizeof(int32 *) * most);
	query->codes = palloc(sizeof(int32) * most);
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
	search->source = create_source(description, search->ends, search->budget);
	search->demand = description->demand;
}

int
relation_search_level(const Search *search, const Description *description, int quasi, Level level)
{
	return search->ends && level > 0 ? description->quasi[quasi]->domain->height : level;
}

/*
 * The levels of an array, or NULL.  between: the level of the search for one that it leaves out,
 * between the ground and the top.
 */
static Level *
read_bounds(const Search *search, const Description *description, ArrayType *array, Level between)
{
	const int *levels;
	Level *bounds;

	if (array == NULL)
		return NULL;
	levels = dimension_source_read_levels(description, array);
	bounds = palloc(sizeof(Level) * Max(description->quasi_count, 1));
	for (int i = 0; i < description->quasi_count; i++)
	{
		int height = description->quasi[i]->domain->height;

		star_query_check_level(description->quasi[i], levels[i], height);
		bounds[i] = (Level) levels[i];
		if (search->ends && levels[i] > 0)
			bounds[i] = levels[i] == height ? 1 : between;
	}
	return bounds;
}

void
relation_search_bound(Search *search, const Description *description, ArrayType *lowest,
					  ArrayType *highest)
{
	search->lowest = read_bounds(search, description, lowest, 1);
	search->highest = read_bounds(search, description, highest, 0);
	for (int i = 0; search->lowest && search->highest && i < description->quasi_count; i++)
		if (search->lowest[i] > search->highest[i])
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("lowest level of quasi-identifier \"%s\" is above its highest level",
							description->quasi[i]->name),
					 search->ends ? errdetail("There is no level between 0 and the top.")
								  : errdetail("They are %d and %d.", search->lowest[i],
											  search->highest[i])));
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

ClassTally
relation_search_sets(Description *description, int k, Budget *budget)
{
	Search search = {.budget = budget};
	FrequencySet *ground;
	const FrequencySpace *space;
	Requirement requirement;
	ClassJudge *judge = NULL;
	FrequencyTally tally;
	FrequencyTally sizes;

	known_check_sets(&description->demand, description->quasi_count);
	/* A search would refuse a relation without rows. */
	query_run(psprintf("SELECT 1 FROM %s LIMIT 1", description->name), true);
	if (query_rows() == 0)
		return (ClassTally){0};
	relation_search_open(&search, description);
	ground = search.source->read_ground(search.source);
	space = search.source->space;
	requirement = requirement_create(k, 0, space->rows, &search.demand);
	if (!requirement_is_plain(&requirement))
		judge = class_judge_create(search.source->space, &search.demand);
	tally = known_tally_sets(judge, &requirement, ground);
	/* The smallest class of all, whether or not it satisfies. */
	search.demand.models = 0;
	requirement = requirement_create(1, 0, space->rows, &search.demand);
	sizes = known_tally_sets(judge, &requirement, ground);
	frequency_set_free(ground);
	return (ClassTally){.rows = space->rows,
						.classes = tally.groups,
						.smallest = sizes.small_groups > 0 ? 0 : sizes.smallest,
						.small_classes = tally.small_groups,
						.small_rows = tally.small_rows};
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
