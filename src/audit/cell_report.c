/*
 * cell_report.c
 *		See cell_report.h.
 *
 * The workload is derived from the source, so that it asks for values that occur: quarters of one
 * column, halves of two, halves of three.  No predicate is shown, only the mean error of all.  Each
 * column in a query costs a sort of the classes, so only the few columns with most parts are used.
 */
#include "postgres.h"

#include "audit/cell_report.h"

#include <math.h>

#include "audit/known_release.h"
#include "audit/quality_audit.h"
#include "cell/map_query.h"
#include "data/hidden.h"
#include "dimension/level_name.h"
#include "metric/workload.h"
#include "utils/builtins.h"

#define PARTS 4         /* parts of a column; an even number */
#define WORKLOAD_MOST 3 /* most columns used */
#define TOGETHER 3      /* most columns in one query */

/* The values that cut a column of the source into parts. */
typedef struct ColumnCuts
{
	const char *name; /* quoted */
	int count;
	char *cut[PARTS];
} ColumnCuts;

/* "age" >= '20' AND "age" < '30': part "part" of "parts"; NULL if it does not exist. */
static const char *
part_text(const ColumnCuts *column, int part, int parts)
{
	int step = Max((column->count + 1) / parts, 1);
	int from = part * step - 1;
	int to = part == parts - 1 ? column->count : (part + 1) * step - 1;
	StringInfoData text;

	if (column->count == 0 || from >= column->count)
		return NULL;
	initStringInfo(&text);
	if (from >= 0)
		appendStringInfo(&text, "%s >= %s", column->name, quote_literal_cstr(column->cut[from]));
	if (to < column->count)
		appendStringInfo(&text, "%s%s < %s", text.len > 0 ? " AND " : "", column->name,
						 quote_literal_cstr(column->cut[to]));
	return text.len > 0 ? text.data : NULL;
}

/* All queries over this many columns, in sequence. */
static List *
queries_of(const ColumnCuts *column, int columns, int together)
{
	int parts = together == 1 ? PARTS : 2;
	List *predicates = NIL;

	if (columns < together)
		return NIL;
	for (int first = 0; first < (together == columns ? 1 : columns); first++)
		for (int part = 0; part < (together == 1 ? parts : 1 << together); part++)
		{
			StringInfoData text;
			bool whole = true;

			initStringInfo(&text);
			for (int i = 0; i < together && whole; i++)
			{
				const char *of_one = part_text(&column[(first + i) % columns],
											   together == 1 ? part : (part >> i) & 1, parts);

				whole = of_one != NULL;
				appendStringInfo(&text, "%s%s", i > 0 ? " AND " : "", whole ? of_one : "");
			}
			if (whole)
				predicates = lappend(predicates, predicate_parse(text.data));
		}
	return predicates;
}

/* The first columns of those that fall into most parts. */
static ColumnCuts *
cut_columns(const GroupRows *source, int *columns)
{
	ColumnCuts *column = palloc0(sizeof(ColumnCuts) * (WORKLOAD_MOST + 1));
	Budget budget = budget_begin();

	*columns = 0;
	for (int i = 0; source && i < source->groups->attributes; i++)
	{
		ColumnCuts cuts = {.name = pstrdup(quote_identifier(source->attribute[i]->name))};
		int at = *columns;

		cuts.count = group_query_cuts(source, i, PARTS, cuts.cut, &budget);
		if (cuts.count == 0)
			continue;
		for (; at > 0 && column[at - 1].count < cuts.count; at--)
			column[at] = column[at - 1];
		column[at] = cuts;
		*columns = Min(*columns + 1, WORKLOAD_MOST);
	}
	return column;
}

static void
add_errors(ReleaseReport *report, const int *queries, const QualityAnswer *answer,
		   const Coarse *coarse)
{
	ReportErrors *errors = palloc(sizeof(ReportErrors) * TOGETHER);

	for (int together = 1; together <= TOGETHER; together++)
	{
		Workload workload = {0};

		for (int i = 0; i < queries[together]; i++, answer++)
			workload_add(&workload, answer->actual, answer->estimate);
		if (workload.relatives > 0)
			errors[report->errors++] = (ReportErrors){
				.columns = together,
				.error = coarse_bound(coarse, workload.relative / (double) workload.relatives)};
	}
	report->error = errors;
}

/* A level by what it publishes; by its name if it publishes nothing. */
static const char *
level_text(const char *name, const char *label)
{
	if (label == NULL || label[0] == '\0')
		return name;
	return strcmp(label, HIDDEN_TEXT) == 0 ? "anything" : psprintf("like %s", label);
}

/*
 * The share of the rows at each level: values, the dimension's levels, parts of values, anything.
 * Empty levels are named only if they are the dimension's.
 */
static ReportLevels
levels_of(const char *name, const QualityColumn *cells, const char *const *names, int height,
		  bool dimension)
{
	int labels = dimension ? height : 0;
	int order[2] = {CELL_LEVEL_PART(labels), CELL_LEVEL_ALL(labels)};
	static const char *const other[] = {"a part", "anything"};
	const char **level = palloc(sizeof(char *) * CELL_LEVELS(labels));
	double *share = palloc(sizeof(double) * CELL_LEVELS(labels));
	double rows = 0;
	int count = 0;

	for (int i = 0; i < cells->levels; i++)
		rows += (double) cells->rows[i];
	for (int i = 0; i <= labels; i++)
	{
		level[count] = i == 0 ? "as it is" : level_text(names[i], cells->label[i]);
		share[count++] = rows > 0 ? (double) cells->rows[i] / rows : 0;
	}
	for (int i = 0; i < (int) lengthof(order); i++)
		if (cells->rows[order[i]] > 0 || (i == 1 && !dimension))
		{
			level[count] = i == 0 ? level_text(other[i], cells->label[order[i]]) : other[i];
			share[count++] = rows > 0 ? (double) cells->rows[order[i]] / rows : 0;
		}
	return (ReportLevels){.name = name, .levels = count, .level = level, .share = share};
}

static void
add_levels(ReleaseReport *report, const KnownRelease *known, const QualityTally *tally,
		   const Coarse *coarse, ReportColumn *column)
{
	const Description *source = known->source;
	LevelNames names = level_names(source);
	ReportLevels *levels = palloc(sizeof(ReportLevels) * Max(source->quasi_count, 1));

	for (int i = 0; i < source->quasi_count; i++)
	{
		const char *name = known->released[i]->name;

		levels[i] = levels_of(name, &tally->column[i], names.name[i], names.height[i],
							  OidIsValid(source->attributes[source->quasi[i]].dimension));
		if (!known->entry->recoding->keeps_types &&
			tally->column[i].rows[tally->column[i].levels - 1] > 0)
			report->traits |= REPORT_RANGES;
		for (int at = 0; at < report->columns; at++)
			if (strcmp(column[at].name, name) == 0)
				column[at].loss =
					tally->has_loss ? coarse_share(coarse, tally->column[i].loss) : NAN;
	}
	report->leveled = source->quasi_count;
	report->levels = levels;
}

void
cell_report_add(ReleaseReport *report, const ReleaseEntry *entry, const SourceReport *source,
				ReportColumn *column)
{
	KnownRelease known = known_release_open(entry->release, InvalidOid, NULL, true);
	QualityAudit audit = {.release = entry->release};
	QualityReport quality;
	int columns;
	ColumnCuts *cuts = cut_columns(source->groups, &columns);
	const Coarse *coarse = &source->coarse;
	int queries[TOGETHER + 1];

	for (int together = 1; together <= TOGETHER; together++)
	{
		List *some = queries_of(cuts, columns, together);

		queries[together] = list_length(some);
		audit.predicates = list_concat(audit.predicates, some);
	}
	quality = quality_audit_run(&audit);
	if (quality.tally.rows == 0)
		return;
	report->loss = quality.tally.has_loss ? coarse_share(coarse, quality.tally.loss) : NAN;
	add_errors(report, queries, quality.answers, coarse);
	add_levels(report, &known, &quality.tally, coarse, column);
}

void
cell_report_map(ReleaseReport *report, const ReleaseEntry *entry, ArrayType *quasi_identifiers)
{
	KnownRelease known = known_release_open(entry->release, InvalidOid, quasi_identifiers, true);
	CellColumn *column[2];
	bool days[2];
	int found = 0;
	RangePair *pair;
	MapRectangle *rectangle;

	for (int i = 0; i < known.source->quasi_count && found < 2; i++)
	{
		column[found] = known_release_cells(&known, i);
		found += map_query_takes(column[found], &days[found]) ? 1 : 0;
	}
	if (found < 2)
		return;
	report->map = (MapPlot){.relation = report->release,
							.x = column[0]->released,
							.y = column[1]->released,
							.x_days = days[0],
							.y_days = days[1],
							.count = map_query_run(column[0], column[1], MAP_PLOT_MOST, &pair)};
	rectangle = palloc(sizeof(MapRectangle) * Max(report->map.count, 1));
	for (int i = 0; i < report->map.count; i++)
		rectangle[i] = (MapRectangle){.left = pair[i].low[0],
									  .right = pair[i].high[0],
									  .bottom = pair[i].low[1],
									  .top = pair[i].high[1],
									  .rows = pair[i].rows};
	report->map.rectangle = rectangle;
}
