/*
 * matching_audit.c
 *		See matching_audit.h.
 */
#include "postgres.h"

#include "audit/matching_audit.h"

#include "base/interrupt.h"
#include "cell/cell_reader.h"
#include "lib/stringinfo.h"

/* Both relations as read. */
typedef struct MatchingRelations
{
	const KnownRelease *known;
	int columns;
	const GroupRows *rows;
	const GroupRows *records;
	CoverColumn *covered;    /* [column] */
	int attributes;          /* after some columns are split into characters */
	const CellCover **cover; /* [attribute] */
	Budget budget;
} MatchingRelations;

static void
read_covers(MatchingRelations *data)
{
	data->covered = palloc(sizeof(CoverColumn) * data->columns);
	/* What the catalog says of the cells of a release is not believed here. */
	for (int i = 0; i < data->columns; i++)
	{
		CellColumn *column = known_release_cells(data->known, i);

		column->level = CELL_LEVEL_UNKNOWN;
		column->cellwise = false;
		data->covered[i] = column_cover(column, data->rows, data->records, i, &data->budget);
		data->attributes += data->covered[i].width;
	}
	data->cover = palloc(sizeof(CellCover *) * data->attributes);
	for (int i = 0, at = 0; i < data->columns; i++)
		for (int part = 0; part < data->covered[i].width; part++)
			data->cover[at++] = data->covered[i].cover;
}

/* The groups, with a column's codes split if it has several attributes. */
static const Dataset *
part_groups(MatchingRelations *data, const Dataset *groups, bool released)
{
	Dataset *parts;

	if (data->attributes == data->columns)
		return groups;
	parts = dataset_create(DATASET_GROUPS, data->attributes, &data->budget);
	dataset_reserve(parts, groups->rows);
	for (int64 group = 0; group < groups->rows; group++)
	{
		const int32 *whole = dataset_record(groups, group);
		int32 *code = dataset_record(parts, dataset_append(parts, dataset_members(groups, whole)));

		interrupt_check(group);
		for (int i = 0; i < data->columns; i++)
		{
			const CoverColumn *covered = &data->covered[i];
			const int32 *part = released ? covered->cell_part : covered->value_part;

			for (int at = 0; at < covered->width; at++)
				*code++ = part && whole[i] != DATASET_NULL
							  ? part[(int64) whole[i] * covered->width + at]
							  : whole[i];
		}
	}
	return parts;
}

/* (94111, M, NULL) */
static char *
group_text(const GroupRows *rows, int32 group)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; i < rows->groups->attributes; i++)
	{
		char *value = group_query_text(rows, i, dataset_record(rows->groups, group)[i]);

		appendStringInfo(&text, "%s%s", i > 0 ? ", " : "", value ? value : "NULL");
	}
	return psprintf("(%s)", text.data);
}

static char *
detail_text(const MatchingReport *report, const GroupRows *records)
{
	const MatchingVerdict *verdict = &report->verdict;
	const char *record = verdict->record >= 0 ? group_text(records, verdict->record) : NULL;
	long long links = verdict->links;
	long long of = verdict->of;

	switch (verdict->reason)
	{
		case MATCHING_SATISFIED:
			if (report->rows == report->released)
				return NULL;
			return psprintf("rows of the relation that are not in the release: %lld",
							(long long) (report->rows - report->released));
		case MATCHING_TOO_MANY:
			return pstrdup("the release has more rows than the relation");
		case MATCHING_MISFIT:
			if (links == 0)
				return psprintf("the released row %s fits no row of the relation", record);
			return psprintf("%lld released rows, %s among them, fit only %lld of the relation", of,
							record, links);
		case MATCHING_FEW_RECORDS:
		case MATCHING_FEW_ROWS:
			if (links == 1)
				return psprintf("the released row %s can be no other row", record);
			if (verdict->reason == MATCHING_FEW_RECORDS)
				return psprintf("only %lld released rows can be this row, %s among them", links,
								record);
			return psprintf("the released row %s can be only %lld rows, this one among them",
							record, links);
		default:
			return psprintf("at least %lld of %lld links are true, one of them between this row"
							" and the released row %s",
							links, of, record);
	}
}

static MatchingReport
report_verdict(const MatchingRelations *data, MatchingVerdict verdict)
{
	MatchingReport report = {.verdict = verdict,
							 .rows = data->rows->groups->members,
							 .released = data->records->groups->members};

	report.detail = detail_text(&report, data->records);
	if (verdict.row < 0)
		return report;
	for (int i = 0; i < data->columns; i++)
		report.singled_out = lappend(
			report.singled_out,
			group_query_text(data->rows, i, dataset_record(data->rows->groups, verdict.row)[i]));
	return report;
}

MatchingReport
matching_audit_run(const KnownRelease *known, int k, const GroupRows *rows)
{
	const Description *source = known->source;
	MatchingRelations data = {
		.known = known, .columns = source->quasi_count, .rows = rows, .budget = budget_begin()};
	AnonymityGraph *graph;

	k = known_release_k(known->entry, known->release->relation, k);
	if (rows == NULL)
		data.rows = group_query_run(source, source->quasi, data.columns, &data.budget);
	data.records = group_query_run(known->release, known->released, data.columns, &data.budget);
	if (data.records->groups->members > data.rows->groups->members)
		return report_verdict(&data, (MatchingVerdict){.reason = MATCHING_TOO_MANY,
													   .needed = k * data.records->groups->members,
													   .row = -1,
													   .record = -1});
	read_covers(&data);
	graph = anonymity_graph_create(part_groups(&data, data.rows->groups, false),
								   part_groups(&data, data.records->groups, true), data.cover,
								   &data.budget);
	return report_verdict(&data, matching_check(graph, k));
}
