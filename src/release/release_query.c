/*
 * release_query.c
 *		See release_query.h.
 *
 * Example: patients(name, age, zipcode, disease), name an identifier, zipcode
 * one level up, k = 2:
 *
 *	SELECT age,
 *	       zipcode,
 *	       disease
 *	FROM (SELECT s.age,
 *	             zipcode_dim.zip3 AS zipcode,
 *	             s.disease,
 *	             count(*) OVER class AS class_size
 *	      FROM public.patients s
 *	           LEFT JOIN (..) zipcode_dim
 *	           ON zipcode_dim.zip = s.zipcode
 *	      WINDOW class AS (PARTITION BY s.age, zipcode_dim.zip3)) generalized
 *	WHERE class_size >= 2
 *	ORDER BY age, zipcode, disease
 *
 * Quasi-identifiers come first in ORDER BY, as in PARTITION BY, so that one
 * sort can serve both.
 */
#include "postgres.h"

#include "release/release_query.h"

#include "io/comparison.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

typedef struct PublishedColumn
{
	const char *name;       /* quoted */
	const char *expression; /* over the aliases of the star query */
	bool quasi;
	bool constant;
	bool exact;   /* equal values are written alike */
	bool ordered; /* ORDER BY can sort the type */
} PublishedColumn;

typedef struct ReleaseText
{
	int k; /* 0: no guard */
	const char *from;
	const char *partition; /* expressions of the classes, separated by commas */
	int count;
	PublishedColumn *columns; /* in the table's order */
	int *quasi;               /* indexes into columns, in the order of the quasi-identifiers */
	int quasi_count;
} ReleaseText;

bool
release_query_publishes(const Description *description, int attribute, int *quasi)
{
	AttributeRole role = description->attributes[attribute].role;

	for (*quasi = 0; *quasi < description->quasi_count; (*quasi)++)
		if (description->quasi[*quasi] == attribute)
			return true;
	*quasi = -1;
	return role == ROLE_SENSITIVE || role == ROLE_INSENSITIVE;
}

List *
release_query_left_out(const Description *description)
{
	List *names = NIL;
	int quasi;

	for (int i = 0; i < description->attribute_count; i++)
		if (!release_query_publishes(description, i, &quasi) &&
			description->attributes[i].role != ROLE_IDENTIFIER)
			names = lappend(names, unconstify(char *, description->attributes[i].name));
	return names;
}

static PublishedColumn
plain_column(const Description *description, const DescribedAttribute *attribute)
{
	const char *name = pstrdup(quote_identifier(attribute->name));
	Oid type;
	int32 typmod;
	Oid collation;

	get_atttypetypmodcoll(description->relation, attribute->number, &type, &typmod, &collation);

	return (PublishedColumn){
		.name = name,
		.expression = psprintf("s.%s", name),
		.exact = comparison_is_exact(type, typmod, collation),
		.ordered = comparison_has_order(type),
	};
}

static PublishedColumn
quasi_column(const DescribedAttribute *attribute, const StarColumn *star)
{
	return (PublishedColumn){
		.name = pstrdup(quote_identifier(attribute->name)),
		.expression = star->expression,
		.quasi = true,
		.constant = star->constant,
		.exact = star->constant || comparison_is_exact(star->type, star->typmod, star->collation),
		.ordered = true,
	};
}

static const char *
partition_list(const StarQuery *star, int count)
{
	StringInfoData list;

	initStringInfo(&list);
	for (int i = 0; i < count; i++)
		if (!star->columns[i].constant)
			appendStringInfo(&list, "%s%s", list.len > 0 ? ", " : "", star->columns[i].expression);
	return list.data;
}

static ReleaseText
collect_columns(const Description *description, const StarQuery *star, int k)
{
	ReleaseText text = {.k = k,
						.from = star->from,
						.quasi_count = description->quasi_count,
						.partition = partition_list(star, description->quasi_count)};
	int quasi;

	text.columns = palloc0(sizeof(PublishedColumn) * Max(description->attribute_count, 1));
	text.quasi = palloc0(sizeof(int) * Max(description->quasi_count, 1));
	for (int i = 0; i < description->attribute_count; i++)
	{
		const DescribedAttribute *attribute = &description->attributes[i];

		if (!release_query_publishes(description, i, &quasi))
			continue;
		if (quasi >= 0)
		{
			text.quasi[quasi] = text.count;
			text.columns[text.count++] = quasi_column(attribute, &star->columns[quasi]);
		}
		else
			text.columns[text.count++] = plain_column(description, attribute);
	}
	return text;
}

/* One spelling for a class: the first of its members'. */
static const char *
published_expression(const PublishedColumn *column)
{
	if (!column->quasi || column->exact)
		return column->expression;
	return psprintf("first_value(%s) OVER (class ORDER BY %s::text COLLATE \"C\")",
					column->expression, column->expression);
}

static bool
needs_classes(const ReleaseText *text)
{
	for (int i = 0; i < text->count; i++)
		if (text->columns[i].quasi && !text->columns[i].exact)
			return true;
	return text->k > 0;
}

/* A name for the count that no column bears. */
static const char *
size_name(const ReleaseText *text)
{
	char *name = pstrdup("class_size");

	for (int i = 0; i < text->count; i++)
		if (strcmp(text->columns[i].name, name) == 0)
		{
			name = psprintf("%s_", name);
			i = -1;
		}
	return name;
}

/* SELECT .. FROM .. WINDOW, over the table; lines after the first indented. */
static void
append_generalization(StringInfo sql, const ReleaseText *text, const char *size, int indent)
{
	for (int i = 0; i < text->count; i++)
	{
		const PublishedColumn *column = &text->columns[i];
		const char *expression = published_expression(column);
		bool named = strcmp(expression, psprintf("s.%s", column->name)) == 0;

		if (i == 0)
			appendStringInfo(sql, "SELECT %s", expression);
		else
			appendStringInfo(sql, ",\n%*s       %s", indent, "", expression);
		if (!named)
			appendStringInfo(sql, " AS %s", column->name);
	}
	if (text->k > 0)
		appendStringInfo(sql, ",\n%*s       count(*) OVER class AS %s", indent, "", size);
	appendStringInfo(sql, "\n%*sFROM %s", indent, "", text->from);
	if (needs_classes(text))
		appendStringInfo(sql, "\n%*sWINDOW class AS (%s%s)", indent, "",
						 text->partition[0] ? "PARTITION BY " : "", text->partition);
}

static void
append_sort_key(StringInfo order, const char *key)
{
	appendStringInfo(order, "%s%s", order->len > 0 ? ", " : "\nORDER BY ", key);
}

/*
 * What equals in the type's order and yet differs is told apart by its text,
 * last.  A name in an expression of ORDER BY means a column of FROM, so
 * without the outer SELECT it is the expression over the table that serves.
 */
static void
append_order(StringInfo sql, const ReleaseText *text)
{
	StringInfoData order;

	initStringInfo(&order);
	for (int i = 0; i < text->quasi_count; i++)
		if (!text->columns[text->quasi[i]].constant)
			append_sort_key(&order, text->columns[text->quasi[i]].name);
	for (int i = 0; i < text->count; i++)
		if (!text->columns[i].quasi && text->columns[i].ordered)
			append_sort_key(&order, text->columns[i].name);
	for (int i = 0; i < text->count; i++)
		if (!text->columns[i].quasi && !text->columns[i].exact)
			append_sort_key(&order, psprintf("%s::text COLLATE \"C\"",
											 text->k > 0 ? text->columns[i].name
														 : text->columns[i].expression));
	appendStringInfoString(sql, order.data);
}

/* The outer SELECT, which keeps the classes of at least k. */
static void
append_guarded(StringInfo sql, const ReleaseText *text)
{
	const char *size = size_name(text);

	for (int i = 0; i < text->count; i++)
		appendStringInfo(sql, "%s%s", i == 0 ? "SELECT " : ",\n       ", text->columns[i].name);
	appendStringInfoString(sql, "\nFROM (");
	append_generalization(sql, text, size, strlen("FROM ("));
	appendStringInfo(sql, ") generalized\nWHERE %s >= %d", size, text->k);
}

char *
release_query_text(const Description *description, const int *levels, int k)
{
	int indent = k > 0 ? strlen("FROM (") : 0;
	StarQuery star = star_query_build(description, levels, indent);
	ReleaseText text = collect_columns(description, &star, k);
	StringInfoData sql;

	initStringInfo(&sql);
	if (k > 0)
		append_guarded(&sql, &text);
	else
		append_generalization(&sql, &text, NULL, indent);
	append_order(&sql, &text);
	return sql.data;
}
