/*
 * cell_label.c
 *		See cell_label.h.
 *
 * For column 1, age with the dimension ages(age, range, top), the predicate
 * age < 30 as number 0:
 *
 *	val1   the texts (t) that a ground value (v) is written as, and its place
 *	       (at) among them in order
 *	one1   the ground values, each once
 *	node1  (level, key, v, l): ground value v lies under label l, key of its level
 *	kin1   (level, key, members, h0): ground values under a label, and how many
 *	       of them are below 30; level 0: the values; above all labels: "*"
 *	any1   the last of these, the whole domain
 *	form1  (term, level, key): what a text stands for, one of these
 *	span1  (t, lo, hi): the places of a and b in [a - b]
 *	run1   (at, h0, u0): does the value count, and how many do up to it?
 *	found1 the cells, looked up in form1 and kin1, or in span1 and run1; are they
 *	       NULL themselves (own), or do they hide whatever was there (hides)?
 *	cell1  their loss, and the shares that predicates cover
 */
#include "postgres.h"

#include "cell/cell_label.h"

#include "catalog/pg_type.h"
#include "data/hidden.h"
#include "dimension/star_query.h"
#include "parser/parse_coerce.h"
#include "relation/predicate.h"
#include "sql/loss_query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* How the column is read. */
typedef struct LabelReading
{
	const CellColumn *column;
	const char *value;  /* the source's column, as s.name */
	int height;         /* of the dimension, 0 without one */
	int top;            /* the level of "*", above all of the dimension */
	const char **pairs; /* [1 .. height]: SELECT (ground value, label) */
	Oid *label_type;    /* [1 .. height] */
	bool terms;         /* cells are looked up by their text */
	bool spans;         /* .. and may be [a - b] */
	bool ground;        /* what is not found is a ground value */
} LabelReading;

static void
read_dimension(LabelReading *reading)
{
	const Description *source = reading->column->source;
	int *levels = palloc0(sizeof(int) * source->quasi_count);

	reading->height = Max(star_query_height(cell_query_attribute(reading->column)), 0);
	reading->pairs = palloc0(sizeof(char *) * (reading->height + 1));
	reading->label_type = palloc0(sizeof(Oid) * (reading->height + 1));
	for (int level = 1; level <= reading->height; level++)
	{
		StarColumn labels;

		levels[reading->column->quasi] = level;
		labels = star_query_build(source, levels, 0).columns[reading->column->quasi];
		reading->pairs[level] = labels.pairs;
		reading->label_type[level] = labels.type;
	}
}

static LabelReading
begin_reading(const CellColumn *column)
{
	const DescribedAttribute *attribute = cell_query_attribute(column);
	bool text = TypeCategory(getBaseType(column->type)) == TYPCATEGORY_STRING;
	bool same = getBaseType(column->type) == getBaseType(attribute->type);
	LabelReading reading = {.column = column,
							.value = psprintf("s.%s", quote_identifier(attribute->name))};

	if (OidIsValid(attribute->dimension))
		read_dimension(&reading);
	reading.top = reading.height + 1;
	reading.ground = column->level == 0 || (column->level < 0 && same && !text);
	reading.terms = column->level != 0 && !(reading.ground && reading.height == 0);
	reading.spans = reading.terms && text && column->level < 0;
	return reading;
}

/* Ground values: those of the source, and those of the dimension. */
static void
append_values(StringInfo sql, const LabelReading *reading)
{
	int number = reading->column->number;

	appendStringInfo(sql,
					 ", val%d AS MATERIALIZED (SELECT dense_rank() OVER (ORDER BY x.v) AS at, x.v,"
					 " x.t FROM (SELECT %s AS v, format('%%s', %s) COLLATE \"C\" AS t FROM %s s"
					 " GROUP BY 1, 2",
					 number, reading->value, reading->value, reading->column->source->name);
	if (reading->height > 0)
		appendStringInfo(
			sql, " UNION ALL SELECT p.v, format('%%s', p.v) COLLATE \"C\" FROM (%s) p (v, l)",
			reading->pairs[1]);
	appendStringInfo(sql,
					 ") x WHERE x.v IS DISTINCT FROM NULL),"
					 " one%d AS MATERIALIZED (SELECT DISTINCT ON (v.at) v.at, v.v FROM val%d v"
					 " ORDER BY v.at)",
					 number, number);
}

static void
append_nodes(StringInfo sql, const LabelReading *reading)
{
	if (reading->height == 0)
		return;
	appendStringInfo(sql, ", node%d AS MATERIALIZED (", reading->column->number);
	for (int level = 1; level <= reading->height; level++)
		appendStringInfo(sql,
						 "%sSELECT %d AS level, dense_rank() OVER (ORDER BY p.l) AS key, p.v,"
						 " format('%%s', p.l) COLLATE \"C\" AS t, %s COLLATE \"C\" AS u"
						 " FROM (%s) p (v, l) WHERE p.v IS DISTINCT FROM NULL",
						 level > 1 ? " UNION ALL " : "", level,
						 value_text_expression("p.l", reading->label_type[level]),
						 reading->pairs[level]);
	appendStringInfoChar(sql, ')');
}

static void
append_kin(StringInfo sql, const LabelReading *reading)
{
	int number = reading->column->number;

	appendStringInfo(sql,
					 ", kin%d AS MATERIALIZED (SELECT x.level, x.key, count(*) AS members%s FROM ("
					 "SELECT 0 AS level, o.at AS key, o.v FROM one%d o",
					 number,
					 cell_query_each(reading->column, ", count(*) FILTER (WHERE %c) AS h%i", "x.v"),
					 number);
	if (reading->height > 0)
		appendStringInfo(sql,
						 " UNION ALL SELECT d.level, d.key, d.v FROM node%d d"
						 " UNION ALL SELECT %d, 1, d.v FROM node%d d WHERE d.level = 1",
						 number, reading->top, number);
	else
		appendStringInfo(sql, " UNION ALL SELECT %d, 1, o.v FROM one%d o", reading->top, number);
	appendStringInfoString(sql, ") x GROUP BY x.level, x.key)");
	appendStringInfo(sql, ", any%d AS MATERIALIZED (SELECT k.* FROM kin%d k WHERE k.level = %d)",
					 number, number, reading->top);
}

/* What could be several things is taken at its lowest level. */
static void
append_forms(StringInfo sql, const LabelReading *reading)
{
	int number = reading->column->number;
	int level = reading->column->level;

	appendStringInfo(sql,
					 ", form%d AS MATERIALIZED (SELECT DISTINCT ON (x.term) x.term, x.level, x.key"
					 " FROM (SELECT v.t AS term, 0 AS level, v.at AS key FROM val%d v"
					 " UNION ALL SELECT %s COLLATE \"C\", 0, v.at FROM val%d v",
					 number, number,
					 value_text_expression("v.v", cell_query_attribute(reading->column)->type),
					 number);
	if (reading->height > 0)
		appendStringInfo(sql,
						 " UNION ALL SELECT d.t, d.level, d.key FROM node%d d"
						 " UNION ALL SELECT d.u, d.level, d.key FROM node%d d",
						 number, number);
	appendStringInfo(
		sql, " UNION ALL SELECT '" HIDDEN_TEXT "', %d, 1) x%s ORDER BY x.term, x.level, x.key)",
		reading->top, level > 0 ? psprintf(" WHERE x.level = %d", level) : "");
}

static void
append_spans(StringInfo sql, const LabelReading *reading)
{
	int number = reading->column->number;

	appendStringInfo(
		sql,
		", span%d AS MATERIALIZED (SELECT x.t, min(a.key) AS lo, max(b.key) AS hi FROM"
		" (SELECT r.t, substr(r.t, 2, p - 2) AS a, substr(r.t, p + 3, length(r.t) - p - 3) AS b"
		" FROM raw%d r, generate_series(2, length(r.t) - 3) p WHERE left(r.t, 1) = '['"
		" AND right(r.t, 1) = ']' AND substr(r.t, p, 3) = ' - ') x"
		" JOIN form%d a ON a.term = x.a AND a.level = 0"
		" JOIN form%d b ON b.term = x.b AND b.level = 0 AND b.key >= a.key GROUP BY x.t)",
		number, number, number, number);
	appendStringInfo(sql, ", run%d AS MATERIALIZED (SELECT o.at%s FROM one%d o)", number,
					 cell_query_each(reading->column,
									 ", (%c)::int AS h%i,"
									 " count(*) FILTER (WHERE %c) OVER (ORDER BY o.at) AS u%i",
									 "o.v"),
					 number);
}

/*
 * A cell's members and those that a predicate takes, from wherever they are
 * found: a label's, a span's, its own as a ground value, those of anything.
 */
static void
append_found(StringInfo sql, const LabelReading *reading)
{
	const CellColumn *column = reading->column;
	const char *ground = reading->ground ? ", CASE WHEN r.v IS DISTINCT FROM NULL THEN" : NULL;

	appendStringInfo(
		sql,
		", found%d AS MATERIALIZED (SELECT r.*, %s AS own, coalesce(w.members%s%s%s) AS members",
		column->number, cell_query_own_null(column), reading->terms ? ", k.members" : "",
		reading->spans ? ", g.hi - g.lo + 1" : "", ground ? psprintf("%s 1 END", ground) : "");
	appendStringInfoString(
		sql, cell_query_each(column,
							 psprintf(", coalesce(w.h%%i%s%s%s) AS h%%i",
									  reading->terms ? ", k.h%i" : "",
									  reading->spans ? ", b.u%i - a.u%i + a.h%i" : "",
									  ground ? psprintf("%s (%%c)::int END", ground) : ""),
							 "r.v"));
	appendStringInfo(sql, ", %s AS hides",
					 reading->terms
						 ? psprintf("coalesce(w.level, f.level) >= %d", Max(reading->height, 1))
						 : "w.level IS NOT NULL");
	appendStringInfo(sql, " FROM raw%d r LEFT JOIN any%d w ON r.v IS NOT DISTINCT FROM NULL",
					 column->number, column->number);
	if (reading->terms)
		appendStringInfo(sql,
						 " LEFT JOIN form%d f ON f.term = r.t AND r.v IS DISTINCT FROM NULL"
						 " LEFT JOIN kin%d k ON k.level = f.level AND k.key = f.key",
						 column->number, column->number);
	if (reading->spans)
		appendStringInfo(sql,
						 " LEFT JOIN span%d g ON g.t = r.t AND r.v IS DISTINCT FROM NULL"
						 " LEFT JOIN run%d a ON a.at = g.lo LEFT JOIN run%d b ON b.at = g.hi",
						 column->number, column->number, column->number);
	appendStringInfoChar(sql, ')');
}

void
cell_label_append(StringInfo sql, const CellColumn *column)
{
	LabelReading reading = begin_reading(column);
	int number = column->number;
	const char *domain;

	appendStringInfo(sql,
					 ", raw%d AS MATERIALIZED (SELECT c.i%d AS id, c.c%d AS v, format('%%s', c.c%d)"
					 " COLLATE \"C\" AS t, sum(c.n) AS n FROM coded c GROUP BY c.i%d, c.c%d)",
					 number, number, number, number, number, number);
	append_values(sql, &reading);
	append_nodes(sql, &reading);
	append_kin(sql, &reading);
	if (reading.terms)
		append_forms(sql, &reading);
	if (reading.spans)
		append_spans(sql, &reading);
	append_found(sql, &reading);
	/* An empty source has no domain: NULL then stands for nothing. */
	domain = psprintf("(SELECT w.members FROM any%d w)", number);
	appendStringInfo(sql,
					 ", cell%d AS MATERIALIZED (SELECT r.id, r.n,"
					 " CASE WHEN r.members IS NULL AND r.v IS DISTINCT FROM NULL THEN r.t END"
					 " AS strange, CASE WHEN r.own THEN 0"
					 " WHEN r.hides AND r.members = %s THEN %s ELSE %s END AS loss",
					 number, domain, loss_query_of_all(domain, cell_query_has_null(column)),
					 loss_query_of_leaves("r.members", domain));
	cell_query_append_shares(sql, column, "r");
	appendStringInfo(sql, " FROM found%d r)", number);
}
