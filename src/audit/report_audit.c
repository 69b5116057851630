/*
 * report_audit.c
 *		See report_audit.h.
 */
#include "postgres.h"

#include "audit/report_audit.h"

#include <math.h>

#include "access/xact.h"
#include "audit/cell_report.h"
#include "audit/class_report.h"
#include "audit/matching_audit.h"
#include "audit/source_report.h"
#include "base/names.h"
#include "catalog/pg_type.h"
#include "cohort/cohort_source.h"
#include "count/class_query.h"
#include "count/content_digest.h"
#include "dimension/level_name.h"
#include "model/model_text.h"
#include "release/release_parameters.h"
#include "release/release_story.h"
#include "report/chart.h"
#include "sql/comparison.h"
#include "sql/own_extension.h"
#include "sql/query.h"
#include "sql/query_jobs.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#define FILLINGS 1000 /* the last ones */
#define FACTS 15      /* .. besides parameters */

typedef struct ReportGathering
{
	ReleaseReport *report;
	const ReleaseEntry *entry;
	Oid catalog;
	ReleaseStory story;
	SourceReport source;
	ReportColumn *column;
	List *sensitive; /* their names in the release */
	int needs;
	ArrayType *map_columns;
	int part; /* current */
	MemoryContext context;
} ReportGathering;

static bool
is_quasi(const ReleaseEntry *entry, const char *name)
{
	Datum *names;
	int count;

	deconstruct_array(entry->quasi_identifiers, NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR, &names,
					  NULL, &count);
	for (int i = 0; i < count; i++)
		if (strcmp(NameStr(*DatumGetName(names[i])), name) == 0)
			return true;
	return false;
}

/* ARRAY['age', 'zip'] */
static const char *
quasi_text(const ReleaseEntry *entry)
{
	StringInfoData words;
	Datum *names;
	int count;

	deconstruct_array(entry->quasi_identifiers, NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR, &names,
					  NULL, &count);
	initStringInfo(&words);
	for (int i = 0; i < count; i++)
		appendStringInfo(&words, "%s%s", i > 0 ? ", " : "",
						 quote_literal_cstr(NameStr(*DatumGetName(names[i]))));
	return psprintf("ARRAY[%s]", words.data);
}

/* "id (identifier), notes": columns of the source that are not in the release; or NULL. */
static const char *
left_out_text(const ReleaseEntry *entry, const Description *release, const Description *source)
{
	StringInfoData words;

	initStringInfo(&words);
	for (int i = 0; i < source->attribute_count; i++)
	{
		const DescribedAttribute *attribute = &source->attributes[i];
		bool published = false;

		for (int at = 0; at < release->attribute_count && !published; at++)
		{
			const char *origin = release_catalog_origin(entry, release->attributes[at].number);

			published = origin && strcmp(origin, attribute->name) == 0;
		}
		if (published)
			continue;
		appendStringInfo(&words, "%s%s", words.len > 0 ? ", " : "", attribute->name);
		if (attribute->role != ROLE_UNDECLARED)
			appendStringInfo(&words, " (%s)",
							 attribute->role == ROLE_QUASI_IDENTIFIER
								 ? "quasi-identifier"
								 : attribute_role_name(attribute->role));
	}
	return words.len > 0 ? words.data : NULL;
}

/* Describes the columns of the release by their origins. */
static void
gather_columns(ReportGathering *gathering)
{
	const ReleaseEntry *entry = gathering->entry;
	ReleaseReport *report = gathering->report;
	const Description *release = description_load_columns(entry->release);
	const Description *source = description_load_any(entry->relation);
	ReportColumn *column = palloc(sizeof(ReportColumn) * release->attribute_count);

	for (int i = 0; i < release->attribute_count; i++)
	{
		const DescribedAttribute *attribute = &release->attributes[i];
		const char *name = release_catalog_origin(entry, attribute->number);
		const DescribedAttribute *origin = name ? description_find(source, name) : NULL;
		AttributeRole role = origin ? origin->role : ROLE_UNDECLARED;
		bool quasi = name && is_quasi(entry, name);

		column[i] =
			(ReportColumn){.name = attribute->name,
						   .quasi = quasi,
						   .role = quasi                           ? "quasi-identifier"
								   : name == NULL                  ? "mean"
								   : role == ROLE_QUASI_IDENTIFIER ? "published unchanged"
								   : role == ROLE_UNDECLARED ? "published unchanged, not declared"
															 : attribute_role_name(role),
						   .loss = NAN};
		if (quasi)
			continue;
		report->traits |= role == ROLE_SENSITIVE ? REPORT_SENSITIVE : 0;
		report->traits |= name == NULL ? REPORT_MEANS : 0;
		if (role == ROLE_SENSITIVE && comparison_has_order(attribute->type) &&
			list_length(gathering->sensitive) < CLASS_REPORT_SENSITIVE)
			gathering->sensitive =
				lappend(gathering->sensitive, unconstify(char *, attribute->name));
	}
	report->columns = release->attribute_count;
	report->column = gathering->column = column;
	report->left_out = left_out_text(entry, release, source);
}

/* Was the release made with this value of a parameter? */
static bool
has_value(const ReleaseStory *story, const char *parameter, const char *value)
{
	for (int i = 0; i < story->parameters; i++)
		if (strcmp(story->parameter[i], parameter) == 0)
			return strcmp(story->value[i], value) == 0;
	return false;
}

static void
gather_traits(ReportGathering *gathering)
{
	const ReleaseEntry *entry = gathering->entry;
	const RecodingOps *recoding = entry->recoding;
	ReleaseRequest request = release_parameters_request(gathering->catalog, entry);
	int traits = 0;
	ListCell *cell;

	traits |= recoding->has_classes ? REPORT_HAS_CLASSES : 0;
	traits |= recoding->advance ? 0 : REPORT_SEVERAL_COPIES;
	traits |= entry->demand.models ? REPORT_HAS_MODELS : 0;
	foreach (cell, entry->demand.models)
		traits |= ((const Model *) lfirst(cell))->ops->values_parameter < 0 ||
						  ((const Model *) lfirst(cell))->ops->at_most
					  ? REPORT_BOUNDS_SHARES
					  : 0;
	traits |= entry->demand.person ? REPORT_COUNTS_PEOPLE : 0;
	traits |= entry->demand.person && !release_catalog_column(entry, entry->demand.person)
				  ? REPORT_PEOPLE_UNSEEN
				  : 0;
	traits |= recoding->has_classes && recoding->recode ? REPORT_DIVIDES : 0;
	traits |=
		entry->suppression > 0 || request.models_after || recoding->advance ? REPORT_LEAVES_OUT : 0;
	traits |= request.models_after ? REPORT_MODELS_AFTER : 0;
	traits |= has_value(&gathering->story, "leavers", "keep") ? REPORT_KEEPS_LEAVERS : 0;
	traits |= has_value(&gathering->story, "reading", "together") ? REPORT_READS_AGAIN : 0;
	traits |= gathering->story.filled ? REPORT_FILLED : 0;
	gathering->report->traits |= traits;
}

/*
 * "birth_date like 1970s, sex as it is" for levels chosen once and for all, as far as they still
 * exist.
 */
static const char *
levels_text(const ReleaseEntry *entry, const ReleaseReport *report)
{
	Description *source = description_load(entry->relation, entry->quasi_identifiers);
	LevelNames names = level_names(source);
	StringInfoData words;
	Datum *levels;
	int count;

	if (entry->levels == NULL)
		return NULL;
	deconstruct_array(entry->levels, INT4OID, sizeof(int32), true, TYPALIGN_INT, &levels, NULL,
					  &count);
	initStringInfo(&words);
	for (int i = 0; i < Min(count, source->quasi_count); i++)
	{
		int level = DatumGetInt32(levels[i]);

		appendStringInfo(&words, "%s%s %s", i > 0 ? ", " : "",
						 source->attributes[source->quasi[i]].name,
						 level == 0 ? "as it is"
						 : i < report->leveled && level < report->levels[i].levels &&
								 report->levels[i].share[level] > 0
							 ? report->levels[i].level[level]
						 : level <= names.height[i] ? psprintf("at %s", names.name[i][level])
													: psprintf("at %d", level));
	}
	return words.data;
}

/* A parameter by its name and, for those of cohorts, what it means. */
static const char *
parameter_text(const char *name)
{
	static const struct
	{
		const char *name;
		const char *words;
	} meaning[] = {
		{"leavers", "what happens to rows of people who left"},
		{"reading", "when values are read: frozen, once; together, again while all are present"},
		{"stale", "share of a cell that may have left while it is shown"},
		{"target_loss", "cells that lose no more are not divided"},
		{"wait", "refreshes that new people wait for others like them"},
		{"weights", "column present: the share of the people under a label who are there"},
	};

	for (int i = 0; i < (int) lengthof(meaning); i++)
		if (strcmp(meaning[i].name, name) == 0)
			return psprintf("%s (%s)", name, meaning[i].words);
	return name;
}

/* A figure of the source; NULL if unknown. */
static const char *
about(const Coarse *coarse, double rows)
{
	return isnan(rows) ? NULL
					   : psprintf("about %.0f, to the nearest %.0f", coarse_rows(coarse, rows),
								  coarse->step);
}

static void
gather_facts(ReportGathering *gathering)
{
	const ReleaseEntry *entry = gathering->entry;
	const ReleaseStory *story = &gathering->story;
	ReleaseReport *report = gathering->report;
	const Coarse *coarse = &gathering->source.coarse;
	double missing = NAN;
	ReportFact *fact = palloc(sizeof(ReportFact) * (FACTS + story->parameters));
	int facts = 0;

	if (report->fillings > 0)
		missing = report->filling[report->fillings - 1].missing;
#define FACT(what, text)                                                                           \
	do                                                                                             \
	{                                                                                              \
		const char *known = text;                                                                  \
                                                                                                   \
		if (known)                                                                                 \
			fact[facts++] = (ReportFact){what, known};                                             \
	} while (0)
	FACT("source table", relation_name(entry->relation));
	FACT("recoding", entry->recoding->name);
	FACT("k", psprintf("%d", entry->demand.k));
	FACT("models", entry->demand.models ? model_text_write_list(entry->demand.models) : "none");
	FACT("people counted by", entry->demand.person);
	FACT("different people in each class, at least",
		 isnan(report->people) ? NULL : psprintf("%.0f", report->people));
	FACT("levels", levels_text(entry, report));
	FACT("rows of the release", story->filled && !(report->missing & REPORT_ROWS)
									? psprintf(INT64_FORMAT, report->rows)
									: NULL);
	FACT("rows of the table as it is now", about(coarse, report->source_rows));
	FACT("people shown who are no longer in the table", about(coarse, report->left));
	FACT("people in the table who are hidden again", about(coarse, report->hidden));
	FACT("people in the table who wait to be shown", about(coarse, report->waiting));
	FACT("rows missing when it was filled",
		 isnan(missing) ? NULL : psprintf("about %s", chart_number(missing, true)));
	FACT("made", psprintf("%s UTC by %s", story->created, story->created_by));
	FACT("filled last", psprintf("%s UTC by %s", story->refreshed, story->refreshed_by));
	FACT("by", psprintf("kanon %s, PostgreSQL %s", story->kanon, story->postgresql));
	for (int i = 0; i < story->parameters; i++)
		FACT(parameter_text(story->parameter[i]), story->value[i]);
#undef FACT
	report->facts = facts;
	report->fact = fact;
}

static double
coarse_count(const Coarse *coarse, int64 count)
{
	return count < 0 ? NAN : coarse_rows(coarse, (double) count);
}

static void
gather_history(ReportGathering *gathering)
{
	ReleaseReport *report = gathering->report;
	ReleaseChapter *chapter;
	int count =
		release_story_chapters(gathering->catalog, gathering->entry->release, FILLINGS, &chapter);
	ReportFilling *filling = palloc(sizeof(ReportFilling) * Max(count, 1));

	for (int i = 0; i < count; i++)
	{
		const ReleaseChapter *one = &chapter[i];
		int64 all = one->source_rows;
		/* Steps of its own, or pages of several days would together tell more than one. */
		Coarse steps = coarse_of(Max(all >= 0 ? all : one->rows, 0), report->k);

		filling[i] = (ReportFilling){
			.when = one->when,
			.days = one->days,
			.by = one->by,
			.how = one->how,
			.rows = coarse_count(&steps, one->rows),
			.missing = one->missing < 0 || all < 0 || gathering->entry->recoding->advance
						   ? NAN
						   : coarse_share(&steps, (double) one->missing / (double) Max(all, 1)),
			.loss = isnan(one->loss) ? NAN : coarse_share(&steps, one->loss),
			.smallest = one->smallest < 0 ? NAN : coarse_size(one->smallest, report->k),
		};
	}
	report->fillings = count;
	report->filling = filling;
}

static void
run_matchings(void *state)
{
	ReportGathering *gathering = state;
	ReleaseReport *report = gathering->report;
	MemoryContext scope = MemoryContextSwitchTo(gathering->context);
	MatchingReport found = matching_audit_run(
		&(MatchingAudit){.release = gathering->entry->release, .rows = gathering->source.groups});
	MatchingReason reason = found.verdict.reason;

	MemoryContextSwitchTo(scope);
	report->satisfied = reason == MATCHING_SATISFIED;
	report->outdated = reason == MATCHING_TOO_MANY || reason == MATCHING_MISFIT;
	if (report->satisfied && found.released > 0)
		report->after =
			(ReportRisk){.known = true, .average = NAN, .uniques = report->k > 1 ? 0 : NAN};
}

/* A cell whose value is gone cannot be understood: then the release is outdated too. */
static void
gather_proof(ReportGathering *gathering)
{
	ReleaseReport *report = gathering->report;
	ErrorData *error;

	if (gathering->entry->recoding->has_classes)
		return;
	error = query_attempt(run_matchings, gathering);
	if (error && error->sqlerrcode != ERRCODE_INVALID_PARAMETER_VALUE)
		ReThrowError(error);
	report->judged = true;
	report->outdated = report->outdated || error;
}

/* Rows of people who left stay, so the rows that are missing would say little. */
static void
gather_cohorts(ReportGathering *gathering)
{
	ReleaseReport *report = gathering->report;
	CohortState *state = NULL;
	CohortPresence presence;

	if (gathering->entry->recoding->advance)
		state = cohort_state_find(gathering->entry->relation);
	if (state == NULL)
		return;
	presence = cohort_presence_count(state);
	report->left = (double) presence.left;
	report->hidden = (double) presence.hidden;
	report->waiting = (double) presence.waiting;
}

static void
gather_digest(ReportGathering *gathering)
{
	gathering->report->digest = content_digest(gathering->report->release);
}

/* Whoever reads the release can count it, so steps taken from its rows are public. */
static void
gather_rows(ReportGathering *gathering)
{
	query_run(class_query_of_rows(description_load_columns(gathering->entry->release)), true);
	gathering->report->rows = query_int8(0, 1);
	if (gathering->report->rows > 0)
		gathering->source.coarse = coarse_of(gathering->report->rows, gathering->report->k);
}

static void
gather_source(ReportGathering *gathering)
{
	gathering->source = source_report_add(gathering->report, gathering->entry, gathering->needs);
}

static void
gather_classes(ReportGathering *gathering)
{
	class_report_add(gathering->report, gathering->entry, gathering->sensitive);
}

static void
gather_cells(ReportGathering *gathering)
{
	cell_report_add(gathering->report, gathering->entry, &gathering->source, gathering->column);
}

static void
gather_map(ReportGathering *gathering)
{
	cell_report_map(gathering->report, gathering->entry, gathering->map_columns);
}

/* In order: the source sets the coarse steps, which without it are those of the release. */
static const struct
{
	int part;
	int needs;   /* the REPORT_* that need it */
	bool filled; /* only for a populated release */
	void (*gather)(ReportGathering *gathering);
	const char *what;
} parts[] = {
	{REPORT_ROWS, REPORT_ROWS, true, gather_rows, "its number of rows"},
	{REPORT_RISK, REPORT_RISK | REPORT_CELLS, false, gather_source, "the source table"},
	{REPORT_HISTORY, REPORT_HISTORY, false, gather_history, "the history"},
	{REPORT_CLASSES, REPORT_CLASSES, true, gather_classes, "the classes"},
	{REPORT_CELLS, REPORT_CELLS, true, gather_cells, "the cells"},
	{REPORT_MAP, REPORT_MAP, true, gather_map, "the ranges"},
	{REPORT_PROOF, REPORT_PROOF, true, gather_proof, "the proof"},
	{REPORT_DIGEST, REPORT_DIGEST, true, gather_digest, "the digest"},
	{REPORT_COHORTS, REPORT_COHORTS, false, gather_cohorts, "the people of its cohorts"},
};

/* When the statement began, which is what it sees of the data. */
static const char *
made_text(void)
{
	struct pg_tm time;
	fsec_t fraction;

	if (timestamp2tm(GetCurrentStatementStartTimestamp(), NULL, &time, &fraction, NULL, NULL) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE), errmsg("timestamp out of range")));
	return psprintf("%04d-%02d-%02d %02d:%02d", time.tm_year, time.tm_mon, time.tm_mday,
					time.tm_hour, time.tm_min);
}

static void
gather_part(void *state)
{
	ReportGathering *gathering = state;
	MemoryContext scope = MemoryContextSwitchTo(gathering->context);

	parts[gathering->part].gather(gathering);
	MemoryContextSwitchTo(scope);
}

/*
 * If a part fails, it is missing from the page.  The error may quote values, so only the caller
 * sees it.
 */
static void
attempt_part(ReportGathering *gathering)
{
	ReleaseReport before = *gathering->report;
	ErrorData *error = query_attempt(gather_part, gathering);

	if (error == NULL)
		return;
	if (error->sqlerrcode == ERRCODE_QUERY_CANCELED)
		ReThrowError(error);
	*gathering->report = before;
	gathering->report->missing |= parts[gathering->part].part;
	ereport(WARNING, (errcode(error->sqlerrcode),
					  errmsg("the report of release %s lacks %s", gathering->report->release,
							 parts[gathering->part].what),
					  errdetail_internal("%s", error->message)));
	FreeErrorData(error);
}

ReleaseReport *
report_audit_run(Oid release, int needs, ArrayType *columns)
{
	ReportGathering gathering = {.report = palloc0(sizeof(ReleaseReport)),
								 .catalog = release_catalog(),
								 .needs = needs,
								 .map_columns = columns,
								 .context = CurrentMemoryContext};
	ReleaseReport *report = gathering.report;

	gathering.entry = release_catalog_own(gathering.catalog, release);
	gathering.story = release_story_tell(gathering.catalog, release);
	report->release = relation_name(release);
	report->schema = pstrdup(own_extension_schema_name());
	report->source = relation_name(gathering.entry->relation);
	report->quasi_identifiers = quasi_text(gathering.entry);
	report->k = gathering.entry->demand.k;
	report->loss = NAN;
	report->source_rows = NAN;
	report->left = report->hidden = report->waiting = NAN;
	report->made = made_text();
	report->made_by = rights_caller();
	report->people =
		gathering.story.people > 0 ? coarse_size(gathering.story.people, report->k) : NAN;
	gathering.source.coarse = (Coarse){.step = coarse_of(0, report->k).step, .share = NAN};
	gather_columns(&gathering);
	gather_traits(&gathering);
	for (int i = 0; i < (int) lengthof(parts); i++)
	{
		gathering.part = i;
		if (!(needs & parts[i].needs) || (parts[i].filled && !gathering.story.filled))
			continue;
		if (needs == REPORT_ALL)
			attempt_part(&gathering);
		else
			gather_part(&gathering);
	}
	/* Unless the cells tell. */
	if (report->missing & REPORT_CELLS)
		report->traits |= report->traits & REPORT_DIVIDES ? REPORT_RANGES : 0;
	gather_facts(&gathering);
	return report;
}
