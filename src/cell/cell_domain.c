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
#include "relation/grouped_rows.h"
#include "sql/comparison.h"
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
	int level;                   /* 0: values; otherwise labels */
	struct DomainReader *ground; /* labels at level 1: takes the dimension's values */
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

/* The source's rows, to look at one column. */
static GroupedRows
rows_of(const CellDomain *domain)
{
	return grouped_rows(domain->source, bms_make_singleton(domain->attribute->number),
						GROUPED_FOR_ROWS);
}

/* Each value in each of its spellings. */
static void
read_source(DomainReader *reader, const char *rows)
{
	const DescribedAttribute *attribute = reader->domain->attribute;
	const char *value = psprintf("s.%s", quote_identifier(attribute->name));
	const char *sql = psprintf(
		reader->exact ? "SELECT %1$s FROM %2$s s GROUP BY %1$s"
					  : "SELECT %1$s FROM %2$s s GROUP BY %1$s, format('%%s', %1$s) COLLATE \"C\"",
		value, rows);
	RowSource *source = row_query_create(sql, &attribute->type, 1, false);

	source->scan(source, read_value, reader);
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
	read_source(reader, rows_of(domain).relation);
	if (dictionary_size(domain->values) != rows->groups->values[domain->quasi])
		description_report_change(domain->source);
}

/* ---- labels of the dimension */

static void
make_room(CellDomain *domain, int32 codes)
{
	int32 old = domain->room;

	if (codes <= old)
		return;
	domain->room = Max(Max(64, 2 * old), codes);
	domain->declared =
		budget_enlarge(domain->budget, domain->declared, old, domain->room, sizeof(bool), PURPOSE);
	for (int level = 1; level <= domain->height; level++)
	{
		int32 **ancestor = &domain->dimension.ancestor[level];

		*ancestor =
			budget_enlarge(domain->budget, *ancestor, old, domain->room, sizeof(int32), PURPOSE);
		memset(*ancestor + old, 0xFF, sizeof(int32) * (domain->room - old));
	}
}

/* The code of a value of the dimension; -1: it came after the first level was read. */
static int32
take_ground(DomainReader *reader, Datum value)
{
	CellDomain *domain = reader->domain;
	int32 code;

	if (reader->level > 1)
		return dictionary_find(domain->values, value);
	code = take_value(reader->ground, value);
	make_room(domain, code + 1);
	domain->dimension.domain += domain->declared[code] ? 0 : 1;
	domain->declared[code] = true;
	return code;
}

static void
read_label(void *state, const Datum *values, const bool *nulls, int64 count)
{
	DomainReader *reader = state;
	CellDomain *domain = reader->domain;
	Dictionary *labels = domain->label[reader->level];
	int32 before = dictionary_size(labels);
	int32 code = nulls[0] ? -1 : take_ground(reader, values[0]);
	int32 label;

	(void) count;
	if (code < 0 || nulls[1])
		return;
	label = dictionary_encode(labels, values[1]);
	domain->dimension.ancestor[reader->level][code] = label;
	if (reader->texts && (label == before || !reader->exact))
		add_texts(reader, values[1], code);
}

static void
count_leaves(CellDomain *domain, int level)
{
	int32 labels = dictionary_size(domain->label[level]);
	int32 *leaves = budget_allocate(domain->budget, labels + 1, sizeof(int32), PURPOSE);

	for (int32 code = 0; code < domain->known; code++)
	{
		int32 label = domain->dimension.ancestor[level][code];

		interrupt_check(code);
		if (label >= 0)
			leaves[label]++;
	}
	domain->dimension.leaves[level] = leaves;
}

static StarColumn
column_at(const CellDomain *domain, const char *rows, int level)
{
	int *levels = palloc0(sizeof(int) * domain->source->quasi_count);
	Description source = *domain->source;

	levels[domain->quasi] = level;
	source.name = rows;
	return star_query_build(&source, levels, 0).columns[domain->quasi];
}

static void
read_dimension(CellDomain *domain, DomainReader *values, const char *rows, bool labels)
{
	Dimension *dimension = &domain->dimension;

	dimension->height = domain->height;
	dimension->ancestor = palloc0(sizeof(int32 *) * (domain->height + 1));
	dimension->leaves = palloc0(sizeof(int32 *) * (domain->height + 1));
	domain->label = palloc0(sizeof(Dictionary *) * (domain->height + 1));
	domain->shows_null = palloc0(sizeof(bool) * (domain->height + 1));
	domain->below_first = palloc0(sizeof(int32 *) * (domain->height + 1));
	domain->below = palloc0(sizeof(int32 *) * (domain->height + 1));
	make_room(domain, domain->sources);
	for (int level = 1; level <= (labels ? domain->height : 1); level++)
	{
		StarColumn column = column_at(domain, rows, level);
		const Oid types[] = {domain->attribute->type, column.type};
		ValueType type = type_query_value_type(column.type, column.collation);
		DomainReader reader = create_reader(domain, level, column.type, column.collation, labels);
		RowSource *pairs = row_query_create(
			psprintf("SELECT p.v, p.l FROM (%s) p (v, l)", column.pairs), types, 2, false);

		domain->shows_null[level] = column.shows_null;
		domain->label[level] = dictionary_create(&type, domain->budget);
		reader.ground = values;
		pairs->scan(pairs, read_label, &reader);
		if (level == 1)
			domain->known = dictionary_size(domain->values);
		count_leaves(domain, level);
		MemoryContextDelete(reader.scratch);
	}
	dimension->single_top = labels && dictionary_size(domain->label[domain->height]) == 1 &&
							dimension->leaves[domain->height][0] == dimension->domain;
	for (int32 code = 0; code < domain->sources && !dimension->has_unknown; code++)
		dimension->has_unknown = !domain->declared[code];
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
cell_domain_read(const Description *source, int quasi, const GroupRows *values, bool texts,
				 bool labels, Budget *budget)
{
	const DescribedAttribute *attribute = source->quasi[quasi];
	CellDomain *domain =
		cell_domain_create(source, quasi, attribute->type, attribute->collation, budget);
	DomainReader reader = create_reader(domain, 0, attribute->type, attribute->collation, texts);
	const char *rows = values && domain->height == 0 ? NULL : rows_of(domain).relation;

	if (values)
		take_groups(&reader, values);
	else
		read_source(&reader, rows);
	domain->sources = domain->known = dictionary_size(domain->values);
	if (domain->height > 0)
		read_dimension(domain, &reader, rows, labels);
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

bool
cell_domain_shows_null(const CellDomain *domain, int level)
{
	bool shown = false;

	for (int32 code = 0; domain->shows_null[level] && code < domain->sources && !shown; code++)
	{
		interrupt_check(code);
		shown = domain->dimension.ancestor[level][code] < 0;
	}
	return shown;
}
