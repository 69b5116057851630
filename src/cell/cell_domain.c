/*
 * cell_domain.c
 *		What cells of a column can stand for: see cell_reader.h.
 *
 * Example: ages 25, 20, NULL, 31 with the dimension ages(age, decade) of 20 to 29.  The codes of 20
 * to 29 are 0 to 9, that of 31 is 10.  Values of the source are 0, 5 and 10.  The texts are '25',
 * '20', '31', '21', ..: values 5, 0, 10, 1; and '20 - 29', the label above value 0.
 */
#include "postgres.h"

#include "cell/cell_reader.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "dimension/star_query.h"
#include "relation/dimension_source.h"
#include "relation/grouped_rows.h"
#include "sql/comparison.h"
#include "sql/rights.h"
#include "sql/row_query.h"
#include "sql/type_query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#define PURPOSE "dictionary of values"
#define FIRST_TEXTS 64

/* Takes values or labels of one type and how they are written. */
typedef struct DomainReader
{
	const CellReader *of;
	int level;    /* 0: values; otherwise labels */
	int32 taken;  /* values of the source so far */
	int32 *below; /* [label]: a value below it; -1: none */
	bool texts;
	bool exact; /* equal ones are written alike */
	ValueText cast;
	FmgrInfo output;
	MemoryContext scratch; /* of one text */
} DomainReader;

static DomainReader
create_reader(const CellReader *of, int level, Oid type, Oid collation, bool texts)
{
	DomainReader reader = {.of = of,
						   .level = level,
						   .texts = texts,
						   .exact = comparison_is_exact(type, -1, collation),
						   .cast = value_text_writer(type)};
	Oid function;
	bool varlena;

	getTypeOutputInfo(getBaseType(type), &function, &varlena);
	fmgr_info(function, &reader.output);
	reader.scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon texts", CONTEXT_SMALL_SIZES);
	return reader;
}

/* ---- texts */

static void
add_text(DomainReader *reader, const char *text, int32 code)
{
	DomainTexts *texts = &reader->of->domain->texts[reader->level];
	int32 before = dictionary_size(texts->texts);
	int32 number = dictionary_encode(texts->texts, CStringGetTextDatum(text));

	if (number < before)
		return;
	texts->code = budget_room(reader->of->budget, texts->code, &texts->room, (int64) number + 1,
							  sizeof(int32), PURPOSE);
	texts->code[number] = code;
}

/* A value may become text by a cast or by its output function. */
static void
add_texts(DomainReader *reader, Datum value, int32 code)
{
	MemoryContext previous = MemoryContextSwitchTo(reader->scratch);
	const char *output = OutputFunctionCall(&reader->output, value);
	const char *cast = reader->cast.function.fn_oid == reader->output.fn_oid
						   ? output
						   : value_text_write(&reader->cast, value);

	add_text(reader, output, code);
	if (strcmp(cast, output) != 0)
		add_text(reader, cast, code);
	MemoryContextSwitchTo(previous);
	MemoryContextReset(reader->scratch);
}

int32
cell_domain_find(const CellDomain *domain, int level, const char *text)
{
	const DomainTexts *texts = &domain->texts[level];
	int32 number = dictionary_find(texts->texts, CStringGetTextDatum(text));

	return number >= 0 ? texts->code[number] : -1;
}

/* ---- values of the source */

static void
take_value(DomainReader *reader, Datum value)
{
	CellDomain *domain = reader->of->domain;
	int32 code = dictionary_encode(domain->values, value);
	bool known;

	domain->source = budget_room(domain->budget, domain->source, &domain->room, (int64) code + 1,
								 sizeof(bool), PURPOSE);
	known = domain->source[code];
	domain->source[code] = true;
	reader->taken += !known;
	if (reader->texts && !(known && reader->exact))
		add_texts(reader, value, code);
}

static void
read_value(void *state, const Datum *values, const bool *nulls, int64 count)
{
	DomainReader *reader = state;

	(void) count;
	if (nulls[0])
		reader->of->domain->dimension.has_null = true;
	else
		take_value(reader, values[0]);
}

/* Reads each value of a column; where equal ones are not written alike, in each spelling. */
static void
read_spellings(DomainReader *reader, const DescribedAttribute *column, const char *relation,
			   RowConsumer take)
{
	const char *value = psprintf("s.%s", quote_identifier(column->name));
	const char *sql = psprintf(
		reader->exact ? "SELECT %1$s FROM %2$s s GROUP BY %1$s"
					  : "SELECT %1$s FROM %2$s s GROUP BY %1$s, format('%%s', %1$s) COLLATE \"C\"",
		value, relation);
	RowSource *source = row_query_create(sql, &column->type, 1, false);

	source->scan(source, take, reader);
}

static void
read_source(DomainReader *reader)
{
	const DescribedAttribute *attribute = reader->of->attribute;
	GroupedRows rows = grouped_rows(reader->of->column->source,
									bms_make_singleton(attribute->number), GROUPED_FOR_ROWS);

	read_spellings(reader, attribute, rows.relation, read_value);
}

static void
take_groups(DomainReader *reader)
{
	CellDomain *domain = reader->of->domain;
	const GroupRows *rows = reader->of->values;
	int quasi = reader->of->column->quasi;
	bool texts = reader->texts;

	reader->texts = texts && reader->exact;
	domain->dimension.has_null = rows->groups->has_null[quasi];
	for (int32 code = 0; code < rows->groups->values[quasi]; code++)
	{
		interrupt_check(code);
		take_value(reader, dataset_column_value(rows->column[quasi], code));
	}
	reader->texts = texts;
	if (!texts || reader->exact)
		return;
	read_source(reader);
	if (reader->taken != rows->groups->values[quasi])
		description_report_change(reader->of->column->source);
}

/* ---- labels of the dimension */

static void
read_spelling(void *state, const Datum *values, const bool *nulls, int64 count)
{
	DomainReader *reader = state;
	const CellDomain *domain = reader->of->domain;
	Dictionary *known = reader->level == 0 ? domain->values : domain->label[reader->level];
	int32 code = nulls[0] ? -1 : dictionary_find(known, values[0]);

	(void) count;
	if (code >= 0 && reader->level > 0)
		code = reader->below[code];
	if (code >= 0)
		add_texts(reader, values[0], code);
}

/* The dimension may write values otherwise than the source, and equal labels in several ways. */
static void
take_spellings(DomainReader *reader, const Description *table)
{
	const DescribedAttribute *column = &table->attributes[reader->level];
	QueryRights rights;

	if (!reader->texts || reader->exact)
		return;
	rights = dimension_source_enter(table->relation);
	read_spellings(reader, column, table->name, read_spelling);
	rights_leave(&rights);
}

/* The labels of a level, how many values are below each, and how they are written. */
static void
take_level(const CellReader *of, int level)
{
	CellDomain *domain = of->domain;
	const Description *table = of->known->table;
	const DescribedAttribute *column = &table->attributes[level];
	int32 labels = dictionary_size(domain->label[level]);
	int32 *leaves = budget_allocate(domain->budget, (Size) labels + 1, sizeof(int32), PURPOSE);
	DomainReader reader = create_reader(of, level, column->type, column->collation, true);

	domain->dimension.leaves[level] = leaves;
	reader.below = palloc_extended(sizeof(int32) * ((Size) labels + 1), MCXT_ALLOC_HUGE);
	memset(reader.below, 0xFF, sizeof(int32) * labels);
	for (int32 code = 0; code < domain->dimension.domain; code++)
	{
		int32 label = domain->dimension.ancestor[level][code];

		interrupt_check(code);
		if (label >= 0 && leaves[label]++ == 0)
			add_texts(&reader, dictionary_value(domain->label[level], label),
					  reader.below[label] = code);
	}
	take_spellings(&reader, table);
	pfree(reader.below);
	MemoryContextDelete(reader.scratch);
}

/* The dimension's values, and the labels of all values; those of the source are read. */
static void
take_dimension(DomainReader *values)
{
	AttributeDomain *known = values->of->known;
	CellDomain *domain = values->of->domain;
	Dimension *dimension = &domain->dimension;
	int levels = domain->height + 1;

	dimension_query_label(known, dimension_query_rows(known));
	dimension->height = domain->height;
	dimension->domain = known->declared;
	dimension->has_unknown = domain->known > known->declared;
	dimension->ancestor = palloc0(sizeof(int32 *) * levels);
	dimension->leaves = palloc0(sizeof(int32 *) * levels);
	domain->label = palloc0(sizeof(Dictionary *) * levels);
	for (int level = 1; level < levels; level++)
	{
		dimension->ancestor[level] = known->level[level].label_of_ground;
		domain->label[level] = known->level[level].labels;
	}
	domain->sets = palloc0(sizeof(ValueSets) * levels);
	for (int32 code = 0; code < domain->known; code++)
	{
		interrupt_check(code);
		if (values->texts && !(domain->source[code] && values->exact))
			add_texts(values, dictionary_value(domain->values, code), code);
	}
}

static void
take_labels(DomainReader *values)
{
	const CellReader *of = values->of;
	CellDomain *domain = of->domain;
	const Description *table = of->known->table;

	if (getBaseType(table->attributes[0].type) == getBaseType(of->attribute->type))
		take_spellings(values, table);
	for (int level = 1; level <= domain->height; level++)
		take_level(of, level);
	domain->dimension.single_top =
		dictionary_size(domain->label[domain->height]) == 1 &&
		domain->dimension.leaves[domain->height][0] == domain->dimension.domain;
}

/* ---- all together */

void
cell_domain_create(CellReader *reader, Dictionary *values)
{
	CellDomain *domain = palloc0(sizeof(CellDomain));
	Budget *budget = reader->budget;
	ValueType text = type_query_value_type(TEXTOID, C_COLLATION_OID);

	domain->context = CurrentMemoryContext;
	domain->budget = budget;
	domain->height =
		OidIsValid(reader->attribute->dimension) ? star_query_height(reader->attribute) : 0;
	domain->values = values;
	/* They grow where they lie. */
	domain->room = FIRST_TEXTS;
	domain->source = budget_allocate(budget, domain->room, sizeof(bool), PURPOSE);
	domain->column.dimension = &domain->dimension;
	domain->texts = palloc(sizeof(DomainTexts) * (domain->height + 1));
	for (int level = 0; level <= domain->height; level++)
		domain->texts[level] =
			(DomainTexts){.texts = dictionary_create(&text, budget),
						  .code = budget_allocate(budget, FIRST_TEXTS, sizeof(int32), PURPOSE),
						  .room = FIRST_TEXTS};
	reader->domain = domain;
}

void
cell_domain_read(CellReader *reader, bool texts, bool labels)
{
	const DescribedAttribute *attribute = reader->attribute;
	const Description *source = reader->column->source;
	DomainReader values;
	CellDomain *domain;

	if (reader->known == NULL)
		reader->known =
			OidIsValid(attribute->dimension)
				? dimension_query_load(source, attribute, UNKNOWN_AS_NULL, reader->budget)
				: dimension_query_values(source, attribute, reader->budget);
	cell_domain_create(reader, reader->known->ground);
	domain = reader->domain;
	values = create_reader(reader, 0, attribute->type, attribute->collation, texts);
	if (reader->values)
		take_groups(&values);
	else
		read_source(&values);
	domain->known = domain->dimension.domain = dictionary_size(domain->values);
	domain->dimension.single_top = domain->height == 0;
	domain->source = budget_room(domain->budget, domain->source, &domain->room, domain->known,
								 sizeof(bool), PURPOSE);
	if (domain->height > 0)
		take_dimension(&values);
	if (domain->height > 0 && labels)
		take_labels(&values);
	domain->column.whole = (double) domain->dimension.domain - 1;
	if (reader->values)
		cell_domain_sort(reader);
	MemoryContextDelete(values.scratch);
}

/* The dimension's values in its order, then the other known ones. */
static void
sort_by_labels(CellReader *reader)
{
	CellDomain *domain = reader->domain;
	int32 *declared = dimension_query_declared(reader->known);
	double *position = unconstify(double *, domain->column.position);

	domain->by_labels = true;
	for (int32 rank = 0; rank < domain->known; rank++)
	{
		int32 code = rank < reader->known->declared ? declared[rank] : rank;

		interrupt_check(rank);
		domain->order[rank] = code;
		position[code] = rank;
	}
	pfree(declared);
}

void
cell_domain_sort(CellReader *reader)
{
	CellDomain *domain = reader->domain;
	int32 size = dictionary_size(domain->values);
	int32 *order;
	double *position;
	int32 rank = 0;
	int32 sources = 0;

	MemoryContext previous;

	if (domain->order)
		return;
	previous = MemoryContextSwitchTo(domain->context);
	order = dictionary_order(domain->values, DICTIONARY_BY_TYPE);
	position = budget_allocate(domain->budget, domain->known, sizeof(double), PURPOSE);
	domain->upto = budget_allocate(domain->budget, domain->known, sizeof(int32), PURPOSE);
	for (int32 i = 0; i < size; i++)
	{
		int32 code = order[i];

		interrupt_check(i);
		if (code >= domain->known)
			continue;
		sources += domain->source[code];
		domain->upto[code] = sources;
		position[code] = rank;
		order[rank++] = code;
	}
	domain->order = order;
	domain->column.position = position;
	if (reader->column->flat && description_has_dimension_order(reader->attribute))
		sort_by_labels(reader);
	MemoryContextSwitchTo(previous);
}

ValueSets
cell_domain_divide(const CellDomain *domain, const int32 *set_of_value, int32 sets)
{
	int32 values = domain->dimension.domain;
	int32 *first = budget_allocate(domain->budget, (Size) sets + 2, sizeof(int32), PURPOSE);
	int32 *value = budget_allocate(domain->budget, values, sizeof(int32), PURPOSE);

	for (int32 code = 0; code < values; code++)
	{
		interrupt_check(code);
		if (set_of_value[code] >= 0)
			first[set_of_value[code] + 2]++;
	}
	for (int32 set = 0; set < sets; set++)
		first[set + 2] += first[set + 1];
	for (int32 code = 0; code < values; code++)
	{
		interrupt_check(code);
		if (set_of_value[code] >= 0)
			value[first[set_of_value[code] + 1]++] = code;
	}
	return (ValueSets){.first = first, .value = value};
}

int32
cell_domain_set(CellDomain *domain, const RecodedCell *cell, const int32 **values)
{
	ValueSets *sets = &domain->sets[cell->level];
	int32 set = cell->low;

	if (cell->kind == RECODED_LABEL)
	{
		const int32 *label = domain->dimension.ancestor[cell->level];

		set = label[cell->low];
		if (sets->first == NULL)
			*sets = cell_domain_divide(domain, label, dictionary_size(domain->label[cell->level]));
	}
	if (set < 0)
		return 0;
	*values = sets->value + sets->first[set];
	return sets->first[set + 1] - sets->first[set];
}
