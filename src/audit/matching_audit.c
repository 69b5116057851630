/*
 * matching_audit.c
 *		See matching_audit.h.
 */
#include "postgres.h"

#include "audit/matching_audit.h"

#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "cell/cover_query.h"
#include "lib/stringinfo.h"
#include "release/release_catalog.h"

#define PURPOSE "anonymity graph"

/* Both relations, as they are read. */
typedef struct MatchingRelations
{
	const Description *original;
	const Description *release;
	Datum *released_names; /* [column]: name in the release; NULL: the original's */
	int columns;
	GroupRows *rows;
	GroupRows *records;
	CoverColumn *covered;    /* [column] */
	int attributes;          /* that these make */
	const CellCover **cover; /* [attribute] */
	Budget budget;
} MatchingRelations;

static void
load_descriptions(MatchingRelations *data, const MatchingAudit *request)
{
	ArrayType *names = request->quasi_identifiers;
	ReleaseEntry *entry = release_catalog_find(release_catalog(), request->release);

	if (names == NULL && entry != NULL)
	{
		names = entry->quasi_identifiers;
		deconstruct_array(release_catalog_columns(entry), NAMEOID, NAMEDATALEN, false,
						  TYPALIGN_CHAR, &data->released_names, NULL, &data->columns);
	}
	data->release = description_load_columns(request->release);
	data->original = description_load(request->original, names);
	data->columns = data->original->quasi_count;
}

static const DescribedAttribute *
original_attribute(const MatchingRelations *data, int column)
{
	return &data->original->attributes[data->original->quasi[column]];
}

static const DescribedAttribute *
released_attribute(const MatchingRelations *data, int column)
{
	const char *name = data->released_names ? NameStr(*DatumGetName(data->released_names[column]))
											: original_attribute(data, column)->name;

	return description_get(data->release, name);
}

static void
read_groups(MatchingRelations *data)
{
	const DescribedAttribute **original = palloc(sizeof(DescribedAttribute *) * data->columns);
	const DescribedAttribute **released = palloc(sizeof(DescribedAttribute *) * data->columns);

	for (int i = 0; i < data->columns; i++)
	{
		original[i] = original_attribute(data, i);
		released[i] = released_attribute(data, i);
		description_check_quasi_identifier(data->release, released[i]);
	}
	data->rows = group_query_run(data->original->name, original, data->columns, &data->budget);
	data->records = group_query_run(data->release->name, released, data->columns, &data->budget);
}

static void
read_covers(MatchingRelations *data)
{
	data->covered = palloc(sizeof(CoverColumn) * data->columns);
	for (int i = 0; i < data->columns; i++)
	{
		const DescribedAttribute *released = released_attribute(data, i);
		CellColumn column = {.source = data->original,
							 .quasi = i,
							 .number = 1,
							 .release = data->release->name,
							 .released = released->name,
							 .type = released->type,
							 .level = CELL_LEVEL_UNKNOWN};

		data->covered[i] = cover_query_run(&column, data->rows, data->records, i, &data->budget);
		data->attributes += data->covered[i].width;
	}
	data->cover = palloc(sizeof(CellCover *) * data->attributes);
	for (int i = 0, at = 0; i < data->columns; i++)
		for (int part = 0; part < data->covered[i].width; part++)
			data->cover[at++] = &data->covered[i].cover[part];
}

/* The codes of all attributes, those of a column taken apart where that makes several. */
static const int32 *
part_codes(MatchingRelations *data, const GroupRows *groups, bool released)
{
	Size bytes = mul_size(mul_size(sizeof(int32), data->attributes), Max(groups->groups, 1));
	int32 *codes;
	int32 *code;

	if (data->attributes == data->columns)
		return groups->code;
	budget_take(&data->budget, bytes, PURPOSE);
	code = codes = palloc_extended(bytes, MCXT_ALLOC_HUGE);
	for (int32 group = 0; group < groups->groups; group++)
		for (int i = 0; i < data->columns; i++)
		{
			const CoverColumn *covered = &data->covered[i];
			const int32 *part = released ? covered->cell_part : covered->value_part;
			int32 whole = groups->code[(int64) group * data->columns + i];

			interrupt_check(group);
			for (int at = 0; at < covered->width; at++)
				*code++ = part ? part[(int64) whole * covered->width + at] : whole;
		}
	return codes;
}

static CoverGroups
cover_groups(MatchingRelations *data, const GroupRows *groups, bool released)
{
	return (CoverGroups){.groups = groups->groups,
						 .members = groups->rows,
						 .code = part_codes(data, groups, released),
						 .size = groups->size};
}

/* (94111, M, NULL) */
static char *
group_text(const GroupRows *groups, int32 group)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; i < groups->columns; i++)
	{
		char *value =
			group_query_text(groups, i, groups->code[(int64) group * groups->columns + i]);

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
			return psprintf("rows of the original that are not in the release: %lld",
							(long long) (report->rows - report->released));
		case MATCHING_TOO_MANY:
			return pstrdup("the release has more rows than the original");
		case MATCHING_MISFIT:
			if (links == 0)
				return psprintf("the released row %s fits no row of the original", record);
			return psprintf("%lld released rows, %s among them, fit only %lld of the original", of,
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
							 .rows = data->rows->rows,
							 .released = data->records->rows,
							 .columns = data->columns};

	report.detail = detail_text(&report, data->records);
	if (verdict.row < 0)
		return report;
	report.singled_out = palloc(sizeof(char *) * data->columns);
	for (int i = 0; i < data->columns; i++)
		report.singled_out[i] = group_query_text(
			data->rows, i, data->rows->code[(int64) verdict.row * data->columns + i]);
	return report;
}

MatchingReport
matching_audit_run(const MatchingAudit *request)
{
	MatchingRelations data = {.budget = budget_begin()};
	CoverGroups rows;
	CoverGroups records;

	load_descriptions(&data, request);
	read_groups(&data);
	if (data.records->rows > data.rows->rows)
		return report_verdict(&data, matching_check_too_many(data.records->rows, request->k));
	read_covers(&data);
	rows = cover_groups(&data, data.rows, false);
	records = cover_groups(&data, data.records, true);
	return report_verdict(&data,
						  matching_check(anonymity_graph_create(&rows, &records, data.attributes,
																data.cover, &data.budget),
										 request->k));
}
