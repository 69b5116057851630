/*
 * cell_domain.c
 *		See cell_domain.h.
 *
 * Example: ages 25, 20, NULL, 31 with the dimension ages(age, decade) of 20 to 29.  The codes of
 * 25, 20 and 31 are 0, 1, 2; those of 21, 22, .. follow.  The texts are '25', '20', ..: values 0,
 * 1; and '20 - 29', the label above value 1 at level 1.  The value 31 has none; its ancestor is
 * -1.
 */
#include "postgres.h"

#include "cell/cell_domain.h"

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
	CellDomain *domain;
	int level;    /* 0: values; otherwise labels */
	int32 *below; /* [label]: a value below it; -1: none */
	bool texts;
	bool exact; /* equal ones are written alike */
	ValueText cast;
	FmgrInfo output;
	MemoryContext scratch; /* of one text */
} DomainReader;

static DomainReader
create_reader(CellDomain *domain, int level, Oid type, Oid collation, bool texts)
{
	DomainReader reader = {.domain = domain,
						   .level = level,
						   .texts = texts,
						   .exact = comparison_is_exact(type, -1, collation),
						   .cast = value_text_writer(type)};
	Oid function;
	bool varlena;

	getTypeOutputInfo(getBaseType(type), &function, &varlena);
	fmgr_info(function, &reader.output);
	reader.scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon texts", ALLOCSET_SMALL_SIZES);
	return reader;
}

/* ---- texts */

static void
add_text(DomainReader *reader, const char *text, int32 code)
{
	DomainTexts *texts = &reader->domain->texts[reader->level];
	int32 before = dictionary_size(texts->texts);
	int32 number = dictionary_encode(texts->texts, CStringGetTextDatum(text));

	if (number < before)
		return;
	texts->code = budget_room(reader->domain->budget, texts->code, &texts->room, (int64) number + 1,
							  sizeof(int32), PURPOSE);
	texts->code[number] = code;
}

/* A value may become text by a cast or by its output function. */
static void
add_texts(DomainReader *reader, Datum value, int32 code)
{
	MemoryContext previous = MemoryContextSwitchTo(reader->scratch);
	const char *output = OutputFunctionCall(&reader->output, value);
	const char *cast =
		reader->cast.kind == VALUE_TEXT_OUTPUT ? output : value_text_write(&reader->cast, value);

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

static int32
take_value(DomainReader *reader, Datum value)
{
	int32 before = dictionary_size(reader->domain->values);
	int32 code = dictionary_encode(reader->domain->values, value);

	if (reader->texts && (code == before || !reader->exact))
		add_texts(reader, value, code);
	return code;
}

static void
read_value(void *state, const Datum *values, const bool *nulls, int64 count)
{
	DomainReader *reader = state;

	(void) count;
	if (nulls[0])
		reader->domain->dimension.has_null = true;
	else
		(void) take_value(reader, values[0]);
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
	const CellDomain *domain = reader->domain;
	GroupedRows rows = grouped_rows(domain->source, bms_make_singleton(domain->attribute->number),
									GROUPED_FOR_ROWS);

	read_spellings(reader, domain->attribute, rows.relation, read_value);
}

static void
take_groups(DomainReader *reader, const GroupRows *rows)
{
	CellDomain *domain = reader->domain;
	bool texts = reader->texts;

	reader->texts = texts && reader->exact;
	domain->dimension.has_null = rows->groups->has_null[domain->quasi];
	for (int32 code = 0; code < rows->groups->values[domain->quasi]; code++)
	{
		interrupt_check(code);
		(void) take_value(reader, dataset_column_value(rows->column[domain->quasi], code));
	}
	reader->texts = texts;
	if (!texts || reader->exact)
		return;
	read_source(reader);
	if (dictionary_size(domain->values) != rows->groups->values[domain->quasi])
		description_report_change(domain->source);
}

/* ---- labels of the dimension */

/* Labels are found again by their spellings, if equal ones have several. */
static void
read_label(void *state, const Datum *values, const bool *nulls, int64 count)
{
	DomainReader *reader = state;
	int32 label = nulls[0] ? -1 : dictionary_find(reader->domain->label[reader->level], values[0]);

	(void) count;
	if (label >= 0 && reader->below[label] >= 0)
		add_texts(reader, values[0], reader->below[label]);
}

/* The labels of a level, how many values are below each, and how they are written. */
static void
take_level(CellDomain *domain, const AttributeDomain *known, const Description *table, int level)
{
	const DescribedAttribute *column = &table->attributes[level];
	int32 labels = dictionary_size(known->label[level]);
	int32 *leaves = budget_allocate(domain->budget, (Size) labels + 1, sizeof(int32), PURPOSE);
	DomainReader reader = create_reader(domain, level, column->type, column->collation, true);

	domain->label[level] = known->label[level];
	domain->dimension.leaves[level] = leaves;
	reader.below = palloc_extended(sizeof(int32) * ((Size) labels + 1), MCXT_ALLOC_HUGE);
	memset(reader.below, 0xFF, sizeof(int32) * labels);
	for (int32 code = 0; code < domain->known; code++)
	{
		int32 label = domain->dimension.ancestor[level][code];

		interrupt_check(code);
		if (label >= 0 && leaves[label]++ == 0)
			add_texts(&reader, dictionary_value(known->label[level], label),
					  reader.below[label] = code);
	}
	if (!reader.exact)
	{
		QueryRights rights = dimension_source_enter(table->relation);

		read_spellings(&reader, column, table->name, read_label);
		rights_leave(&rights);
	}
	pfree(reader.below);
	MemoryContextDelete(reader.scratch);
}

/* The dimension's values, which follow those of the source, with their labels at each level. */
static void
take_dimension(CellDomain *domain, DomainReader *values, AttributeDomain *known)
{
	Dimension *dimension = &domain->dimension;
	int levels = domain->height + 1;
	Size most;

	for (int32 code = 0; code < domain->sources; code++)
	{
		interrupt_check(code);
		(void) dimension_query_encode(known, dictionary_value(domain->values, code), false);
	}
	dimension_query_label(known, dimension_query_rows(known));
	most = (Size) domain->sources + known->declared;
	dimension->height = domain->height;
	dimension->domain = known->declared;
	dimension->ancestor = palloc0(sizeof(int32 *) * levels);
	dimension->leaves = palloc0(sizeof(int32 *) * levels);
	domain->label = palloc0(sizeof(Dictionary *) * levels);
	domain->below_first = palloc0(sizeof(int32 *) * levels);
	domain->below = palloc0(sizeof(int32 *) * levels);
	domain->shows_null = palloc0(sizeof(bool) * levels);
	domain->declared = budget_allocate(domain->budget, most, sizeof(bool), PURPOSE);
	for (int level = 1; level < levels; level++)
	{
		dimension->ancestor[level] = budget_allocate(domain->budget, most, sizeof(int32), PURPOSE);
		memset(dimension->ancestor[level], 0xFF, sizeof(int32) * most);
	}
	for (int32 value = 0; value < dictionary_size(known->ground); value++)
	{
		bool declared = value < known->declared;
		int32 code = take_value(values, dictionary_value(known->ground, value));

		interrupt_check(value);
		domain->declared[code] = declared;
		dimension->has_unknown = dimension->has_unknown || !declared;
		for (int level = 1; level < levels; level++)
		{
			int32 label = known->label_of_ground[level][value];

			if (declared)
				dimension->ancestor[level][code] = label;
			domain->shows_null[level] =
				domain->shows_null[level] || (label < 0 && code < domain->sources);
		}
	}
	domain->known = dictionary_size(domain->values);
}

static void
read_ground(void *state, const Datum *values, const bool *nulls, int64 count)
{
	DomainReader *reader = state;
	int32 code = nulls[0] ? -1 : dictionary_find(reader->domain->values, values[0]);

	(void) count;
	if (code >= 0)
		add_texts(reader, values[0], code);
}

/* The dimension may write values otherwise than the source. */
static void
take_spellings(DomainReader *values, const Description *table)
{
	const DescribedAttribute *ground = &table->attributes[0];
	QueryRights rights;

	if (!values->texts || values->exact ||
		getBaseType(ground->type) != getBaseType(values->domain->attribute->type))
		return;
	rights = dimension_source_enter(table->relation);
	read_spellings(values, ground, table->name, read_ground);
	rights_leave(&rights);
}

static void
take_labels(CellDomain *domain, DomainReader *values, const AttributeDomain *known)
{
	const DescribedAttribute *attribute = domain->attribute;
	const Description *table = dimension_source_load(attribute->dimension, attribute, 0);

	take_spellings(values, table);
	for (int level = 1; level <= domain->height; level++)
		take_level(domain, known, table, level);
	domain->dimension.single_top =
		dictionary_size(domain->label[domain->height]) == 1 &&
		domain->dimension.leaves[domain->height][0] == domain->dimension.domain;
}

/* ---- all together */

CellDomain *
cell_domain_create(const Description *source, int quasi, Oid type, Oid collation, Budget *budget)
{
	CellDomain *domain = palloc0(sizeof(CellDomain));
	ValueType value = type_query_value_type(type, collation);
	ValueType text = type_query_value_type(TEXTOID, C_COLLATION_OID);

	domain->context = CurrentMemoryContext;
	domain->source = source;
	domain->quasi = quasi;
	domain->attribute = source->quasi[quasi];
	domain->budget = budget;
	domain->height =
		OidIsValid(domain->attribute->dimension) ? star_query_height(domain->attribute) : 0;
	domain->values = dictionary_create(&value, budget);
	domain->column.dimension = &domain->dimension;
	domain->texts = palloc(sizeof(DomainTexts) * (domain->height + 1));
	/* They grow where they lie. */
	for (int level = 0; level <= domain->height; level++)
		domain->texts[level] =
			(DomainTexts){.texts = dictionary_create(&text, budget),
						  .code = budget_allocate(budget, FIRST_TEXTS, sizeof(int32), PURPOSE),
						  .room = FIRST_TEXTS};
	return domain;
}

CellDomain *
cell_domain_read(const Description *source, int quasi, const GroupRows *values,
				 AttributeDomain *dimension, bool texts, bool labels, Budget *budget)
{
	const DescribedAttribute *attribute = source->quasi[quasi];
	CellDomain *domain =
		cell_domain_create(source, quasi, attribute->type, attribute->collation, budget);
	DomainReader reader = create_reader(domain, 0, attribute->type, attribute->collation, texts);

	if (values)
		take_groups(&reader, values);
	else
		read_source(&reader);
	domain->sources = domain->known = dictionary_size(domain->values);
	if (domain->height > 0)
	{
		if (dimension == NULL)
			dimension = dimension_query_load(source, attribute, UNKNOWN_AS_NULL, budget);
		take_dimension(domain, &reader, dimension);
		if (labels)
			take_labels(domain, &reader, dimension);
	}
	else
	{
		domain->dimension.single_top = true;
		domain->dimension.domain = domain->known;
	}
	domain->column.whole = (double) domain->dimension.domain - 1;
	MemoryContextDelete(reader.scratch);
	return domain;
}

void
cell_domain_sort(CellDomain *domain)
{
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
		sources += code < domain->sources;
		domain->upto[code] = sources;
		position[code] = rank;
		order[rank++] = code;
	}
	domain->order = order;
	domain->column.position = position;
	MemoryContextSwitchTo(previous);
}

int32
cell_domain_below(CellDomain *domain, int level, int32 label, const int32 **codes)
{
	const int32 *ancestor = domain->dimension.ancestor[level];
	int32 *first = domain->below_first[level];

	if (first == NULL)
	{
		int32 labels = dictionary_size(domain->label[level]);
		int32 *below = budget_allocate(domain->budget, domain->known, sizeof(int32), PURPOSE);

		first = budget_allocate(domain->budget, labels + 2, sizeof(int32), PURPOSE);
		for (int32 i = 0; i < labels; i++)
			first[i + 2] = first[i + 1] + domain->dimension.leaves[level][i];
		for (int32 code = 0; code < domain->known; code++)
		{
			interrupt_check(code);
			if (ancestor[code] >= 0)
				below[first[ancestor[code] + 1]++] = code;
		}
		domain->below_first[level] = first;
		domain->below[level] = below;
	}
	*codes = domain->below[level] + first[label];
	return first[label + 1] - first[label];
}
