/*
 * release_report.c
 *		See release_report.h.
 */
#include "postgres.h"

#include "report/release_report.h"

#include <math.h>

#include "base/context.h"
#include "cohort/cohort_source.h"
#include "count/class_query.h"
#include "model/model.h"
#include "relation/dimension_source.h"
#include "release/release_options.h"
#include "report/report_section.h"
#include "sql/name_array.h"
#include "sql/own_extension.h"
#include "sql/query.h"
#include "sql/query_jobs.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/memutils.h"

StaticAssertDecl(PICTURE_CLASSES == REPORT_PICTURES, "the classes come after those with a name");

const ReportPicture report_pictures[REPORT_PICTURES] = {
	[PICTURE_HISTORY] = {"history", REPORT_HISTORY,
						 "It was filled once; a line needs two fillings."},
	[PICTURE_RISK] = {"risk", REPORT_CLASSES | REPORT_SOURCE | REPORT_RISK | REPORT_PROOF,
					  "It and its table are empty."},
	[PICTURE_LOSS] = {"loss", REPORT_SOURCE | REPORT_CELLS, "It is empty."},
	[PICTURE_LEVELS] = {"levels", REPORT_SOURCE | REPORT_CELLS,
						"It is empty, or its cells could not be measured."},
	[PICTURE_MAP] = {"map", REPORT_MAP,
					 "A map needs two quasi-identifiers whose cells are ranges of numbers or "
					 "dates. Labels of a dimension are none."},
	[PICTURE_ERRORS] = {"errors", REPORT_SOURCE | REPORT_CELLS,
						"It is empty, or no count query could be made from its quasi-identifiers."},
	[PICTURE_DISTRIBUTION] = {"distribution", REPORT_CLASSES,
							  "It has no sensitive column, or it is empty."},
};

/* ---- the release */

/* What the release says of a column by its origin, which NULL for a mean is not. */
static const char *
role_text(const DescribedAttribute *origin, bool quasi, bool mean)
{
	AttributeRole role = origin ? origin->role : ROLE_UNDECLARED;

	return quasi                           ? "quasi-identifier"
		   : mean                          ? "mean"
		   : role == ROLE_QUASI_IDENTIFIER ? "published unchanged"
		   : role == ROLE_UNDECLARED       ? "published unchanged, not declared"
										   : attribute_role_name(role);
}

/* Describes the columns of the release by their origins. */
static void
describe_columns(ReleaseReport *report)
{
	const ReleaseEntry *entry = report->entry;
	const Description *release = description_load_columns(entry->release);
	const Description *source = description_load_any(entry->relation);

	report->columns = release->attribute_count;
	report->column = palloc(sizeof(ReportColumn) * release->attribute_count);
	for (int i = 0; i < release->attribute_count; i++)
	{
		const DescribedAttribute *attribute = &release->attributes[i];
		const char *name = release_catalog_origin(entry, attribute->number);
		const DescribedAttribute *origin = name ? description_find(source, name) : NULL;
		bool quasi = name && name_array_find(entry->quasi_identifiers, name) >= 0;

		report->column[i] = (ReportColumn){
			.name = attribute->name, .role = role_text(origin, quasi, name == NULL), .loss = NAN};
		report->means = report->means || name == NULL;
		if (!quasi && origin && origin->role == ROLE_SENSITIVE)
			report->sensitive =
				lappend(report->sensitive, unconstify(DescribedAttribute *, attribute));
	}
}

/* ---- the parts */

/* Whoever reads the release can count it, so steps taken from its rows are public. */
static void
gather_rows(ReleaseReport *report)
{
	report->rows = class_query_count(description_load_columns(report->entry->release));
	if (report->rows > 0)
		report->coarse = coarse_of(report->rows, report->k);
}

static void
gather_cohorts(ReleaseReport *report)
{
	CohortState *state = NULL;
	CohortPresence presence;

	if (report->entry->recoding->advance)
		state = cohort_state_find(report->entry->relation);
	if (state == NULL)
		return;
	presence = cohort_presence_count(state);
	report->left = (double) presence.left;
	report->hidden = (double) presence.hidden;
	report->waiting = (double) presence.waiting;
}

/* In order: the source sets the coarse steps, which without it are those of the release. */
static const struct
{
	int part;
	bool filled; /* only for a populated release */
	void (*gather)(ReleaseReport *report);
	const char *what;    /* for the caller: the report lacks .. */
	const char *missing; /* for readers of the page */
} parts[] = {
	{REPORT_ROWS, true, gather_rows, "its number of rows", "Its rows could not be counted."},
	{REPORT_SOURCE, false, risk_section_gather, "the source table",
	 "Figures of the source table are missing, because it could not be read."},
	{REPORT_HISTORY, false, history_section_gather, "the history",
	 "The history is missing, because it could not be read."},
	{REPORT_CLASSES, true, proof_section_gather_classes, "the classes",
	 "Its classes and sensitive values could not be read."},
	{REPORT_CELLS, true, cost_section_gather, "the cells", "What it costs could not be measured."},
	{REPORT_MAP, true, cost_section_gather_map, "the ranges",
	 "The ranges of its cells could not be read."},
	{REPORT_PROOF, true, proof_section_gather_matchings, "the proof",
	 "THE PROOF COULD NOT BE RUN."},
	{REPORT_DIGEST, true, proof_section_gather_digest, "the digest",
	 "Its digest could not be computed."},
	{REPORT_COHORTS, false, gather_cohorts, "the people of its cohorts",
	 "How many people left, are hidden or wait could not be counted."},
};

typedef struct ReportAttempt
{
	ReleaseReport *report;
	void (*gather)(ReleaseReport *report);
	MemoryContext context;
} ReportAttempt;

static void
gather_in_context(void *state)
{
	ReportAttempt *attempt = state;
	MemoryContext scope = MemoryContextSwitchTo(attempt->context);

	attempt->gather(attempt->report);
	MemoryContextSwitchTo(scope);
}

ErrorData *
report_attempt(ReleaseReport *report, void (*gather)(ReleaseReport *report))
{
	ReleaseReport before = *report;
	/* Its memory limit counts whole blocks, which in the report's own context grow by the part. */
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon report part", CONTEXT_SMALL_SIZES);
	ReportAttempt attempt = {report, gather, context};
	ErrorData *error = query_attempt(gather_in_context, &attempt);

	if (error)
	{
		*report = before;
		MemoryContextDelete(context);
	}
	return error;
}

/*
 * If a part fails, it is missing from the page.  The error may quote values, so only the caller
 * sees it.
 */
static void
attempt_part(ReleaseReport *report, int part)
{
	ErrorData *error = report_attempt(report, parts[part].gather);

	if (error == NULL)
		return;
	if (error->sqlerrcode == ERRCODE_QUERY_CANCELED)
		ReThrowError(error);
	report->missing |= parts[part].part;
	ereport(WARNING,
			(errcode(error->sqlerrcode),
			 errmsg("the report of release %s lacks %s", report->release, parts[part].what),
			 errdetail_internal("%s", error->message),
			 error->hint ? errhint("%s", error->hint) : 0));
	FreeErrorData(error);
}

/* Was the release made with this value of a parameter? */
static bool
has_value(const ReleaseReport *report, const char *parameter, const char *value)
{
	const ReleaseStory *story = &report->story;

	for (int i = 0; i < story->parameters; i++)
		if (strcmp(story->parameter[i], parameter) == 0)
			return strcmp(story->value[i], value) == 0;
	return false;
}

static ReleaseReport *
gather(Oid release, int needs, ArrayType *map_columns)
{
	ReleaseReport *report = palloc0(sizeof(ReleaseReport));
	const ReleaseEntry *entry;

	report->entry = entry = release_catalog_own(release);
	release_catalog_check_relation(entry);
	report->story = release_history_story(release);
	report->release = relation_name(release);
	report->k = entry->demand.k;
	report->needs = needs;
	report->map_columns = map_columns;
	report->source_rows = report->left = report->hidden = report->waiting = NAN;
	report->filled_missing = report->filled_loss = report->loss = NAN;
	report->before = report->after = (ReportRisk){NAN, NAN, NAN};
	report->people = report->story.people > 0 ? coarse_size(report->story.people, report->k) : NAN;
	report->coarse = (Coarse){.step = coarse_of(0, report->k).step, .share = NAN};
	report->person_unseen =
		entry->demand.person && !release_catalog_column(entry, entry->demand.person);
	describe_columns(report);
	for (int part = 0; part < (int) lengthof(parts); part++)
		if (!(needs & parts[part].part) || (parts[part].filled && !report->story.filled))
			continue;
		else if (needs == REPORT_ALL)
			attempt_part(report, part);
		else
			parts[part].gather(report);
	/* Unless the cells tell. */
	if (report->missing & REPORT_CELLS)
		report->ranges = entry->recoding->recode &&
						 (report_has_classes(report) || has_value(report, "ranges", "true"));
	if (needs & REPORT_RISK)
		risk_section_draw(report);
	return report;
}

SvgPicture
release_report_draw(Oid release, const ReportPicture *picture, ArrayType *columns)
{
	const ReleaseReport *report = gather(release, picture->needs, columns);
	SvgPicture drawn = report->picture[picture - report_pictures];

	if (drawn.text == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("release %s has nothing to draw as \"%s\"", report->release, picture->name),
				 errdetail_internal("%s", _(picture->lacks))));
	return drawn;
}

/* ---- what was released */

/* "id (identifier), notes": columns of the source that are not in the release; or NULL. */
static const char *
left_out_text(const ReleaseEntry *entry)
{
	const Description *source = description_load_any(entry->relation);
	StringInfoData words;

	initStringInfo(&words);
	for (int i = 0; i < source->attribute_count; i++)
	{
		const DescribedAttribute *attribute = &source->attributes[i];

		if (release_catalog_column(entry, attribute->name))
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

/*
 * "birth_date like 1970s, sex as it is" for levels chosen once and for all, as far as they still
 * exist; or NULL.
 */
static const char *
levels_text(const ReleaseReport *report)
{
	const ReleaseEntry *entry = report->entry;
	const Description *source;
	LevelNames names;
	StringInfoData words;

	if (entry->levels == NULL)
		return NULL;
	source = description_load(entry->relation, entry->quasi_identifiers);
	names = dimension_source_levels(source);
	initStringInfo(&words);
	for (int i = 0; i < source->quasi_count; i++)
	{
		int level = ((const int32 *) ARR_DATA_PTR(entry->levels))[i];
		bool exists = level <= names.height[i];
		const char *label = exists && report->level ? report->level[i][level] : NULL;

		appendStringInfo(&words, "%s%s %s", i > 0 ? ", " : "", source->quasi[i]->name,
						 level == 0 ? "as it is"
						 : label    ? label
						 : exists   ? psprintf("at %s", names.name[i][level])
									: psprintf("at %d", level));
	}
	return words.data;
}

/* A parameter by its name and, if it is an option, what it means. */
static const char *
parameter_text(const char *name)
{
	const char *meaning = release_options_meaning(name);

	return meaning ? psprintf("%s (%s)", name, meaning) : name;
}

/* A row of the facts, if there is something to tell. */
static void
write_fact(Html *html, const char *what, const char *text)
{
	if (text)
		HTML_ROW(html, what, text);
}

/* A fact about rows or people of the source, if it is known. */
static void
write_count(Html *html, const ReleaseReport *report, const char *what, double count)
{
	if (!isnan(count))
		write_fact(html, what,
				   psprintf("about %.0f, to the nearest %.0f", coarse_rows(&report->coarse, count),
							report->coarse.step));
}

static void
write_facts(Html *html, const ReleaseReport *report)
{
	const ReleaseEntry *entry = report->entry;
	const ReleaseStory *story = &report->story;

	html_table(html, NULL, NULL, 2);
	write_fact(html, "source table", relation_name(entry->relation));
	write_fact(html, "recoding", entry->recoding->name);
	write_fact(html, "k", psprintf("%d", report->k));
	if (report->entry->demand.known > 0)
		write_fact(html, "quasi-identifiers of a person that a reader knows, at most",
				   psprintf("%d", report->entry->demand.known));
	write_fact(html, "models",
			   entry->demand.models ? model_text_write_list(entry->demand.models) : "none");
	write_fact(html, "people counted by", entry->demand.person);
	write_fact(html, "different people in each class, at least", html_figure(report->people));
	write_fact(html, "levels", levels_text(report));
	if (story->filled && !(report->missing & REPORT_ROWS))
		write_fact(html, "rows of the release", html_figure((double) report->rows));
	write_count(html, report, "rows of the table as it is now", report->source_rows);
	write_count(html, report, "people shown who are no longer in the table", report->left);
	write_count(html, report, "people in the table who are hidden again", report->hidden);
	write_count(html, report, "people in the table who wait to be shown", report->waiting);
	if (!isnan(report->filled_missing))
		write_fact(html, "rows missing when it was filled",
				   psprintf("about %s", html_share(report->filled_missing)));
	write_fact(html, "made", psprintf("%s UTC by %s", story->created, story->created_by));
	write_fact(html, "filled last",
			   psprintf("%s UTC by %s", story->refreshed, story->refreshed_by));
	write_fact(html, "by", psprintf("kanon %s, PostgreSQL %s", story->kanon, story->postgresql));
	for (int i = 0; i < story->parameters; i++)
		write_fact(html, parameter_text(story->parameter[i]), story->value[i]);
	html_table_end(html);
}

static void
write_release(Html *html, const ReleaseReport *report)
{
	const char *left_out = left_out_text(report->entry);

	html_section(html, "What was released");
	write_facts(html, report);
	HTML_TABLE(html, "Columns", "column", "role",
			   "information lost, against the table as it is now, rounded");
	for (int i = 0; i < report->columns; i++)
		HTML_ROW(html, report->column[i].name, report->column[i].role,
				 html_share(report->column[i].loss));
	html_table_end(html);
	if (left_out)
		HTML_PARAGRAPH(html, "Columns of the table that are left out: %s.", left_out);
	for (int part = 0; part < (int) lengthof(parts); part++)
		if (report->missing & parts[part].part)
			html_element(html, "p", parts[part].missing);
}

/* ---- what it does not protect from */

/* Does one of the models depend on more than how many different values there are? */
static bool
bounds_shares(List *models)
{
	ListCell *cell;

	foreach (cell, models)
	{
		const ModelOps *ops = ((const Model *) lfirst(cell))->ops;

		if (ops->values_parameter < 0 || ops->at_most)
			return true;
	}
	return false;
}

static void
tell(Html *html, bool applies, const char *words)
{
	if (applies)
		html_element(html, "p", words);
}

/* What readers of one copy can infer. */
static void
write_guesses(Html *html, const ReleaseReport *report)
{
	bool has_classes = report_has_classes(report);
	List *models = report->entry->demand.models;

	tell(html, true,
		 "Membership. A reader who knows that a person is in the table knows that one of the rows "
		 "is theirs, and learns what all rows that could be theirs have in common.");
	tell(
		html, report->entry->demand.known > 0,
		"Readers who know more. k holds for readers who know no more quasi-identifiers of a person "
		"than the number above. One who knows more can find a single person.");
	tell(html, report->entry->demand.null_matches,
		 "Hidden cells. k counts all rows that could be the same, hidden cells standing for "
		 "anything. A reader who knows why a cell is hidden, or in whose rows none is, can rule "
		 "some of them out.");
	tell(html, true,
		 "Other sources. Only the quasi-identifiers are generalized. A reader who can look up "
		 "another published column can find people by it.");
	tell(
		html, has_classes && report->sensitive && !models,
		"What a class has in common. No privacy model was asked for. If all people of a class have "
		"the same sensitive value, a reader who knows that one of them is in the table learns it.");
	tell(html, models && !bounds_shares(models),
		 "Likely guesses. The models require distinct values and ignore how often each occurs: one "
		 "value can be far more frequent in a class than in the whole.");
	tell(html, models,
		 "Columns that no model names, and what several sensitive columns reveal together: each "
		 "model judges its column by itself.");
	tell(html,
		 models && has_classes && report->entry->recoding->recode &&
			 !has_value(report, "models_after", "true"),
		 "Readers who know how the release was made. Classes were divided as far as the models "
		 "allow. The reason why one was not divided further can reveal something about it (a "
		 "minimality attack).");
	tell(html, !has_classes,
		 "Readers who know several people. Each row could belong to any of k people. A reader who "
		 "knows the rows of some of them has fewer left for the others.");
	tell(html, !has_classes,
		 "What those k rows have in common. No privacy model applies to them. If all have the same "
		 "sensitive value, it is known.");
}

/* What readers of several copies can. */
static void
write_copies(Html *html, const ReleaseReport *report)
{
	bool cohorts = report->entry->recoding->advance;

	tell(html, !cohorts,
		 "Several copies. k holds for this copy of the release. A reader who compares it with a "
		 "later one, or with another release of the same table, can narrow down whose row is "
		 "whose.");
	tell(html, cohorts,
		 "Other releases of the same table. Copies of this release together reveal no more than "
		 "one of them. Combined with a release made in another way, they may.");
	tell(html, cohorts,
		 "Presence. Copies show when cells of people appear and disappear. Who is in the table at "
		 "all, and values that go with leaving, such as a date of discharge, are not hidden.");
	tell(html, cohorts,
		 "One person under two keys, or with a key that changes. Such a person counts as several.");
	tell(html, has_value(report, "leavers", "keep"),
		 "People who left. Their rows stay in the release until enough others of their cell have "
		 "left.");
	tell(html, has_value(report, "reading", "together"),
		 "Readers who know when a value changed. Values are read again while all people of a cell "
		 "are present, so a change in a copy can be matched with that person.");
}

static void
write_limits(Html *html, const ReleaseReport *report)
{
	const ReleaseEntry *entry = report->entry;
	bool cohorts = entry->recoding->advance;
	const char *person = entry->demand.person;

	html_section(html, "What it does not protect from");
	write_guesses(html, report);
	write_copies(html, report);
	tell(html, report->ranges && entry->recoding->has_classes,
		 "The ends of ranges. A range begins at the least and ends at the greatest value of its "
		 "class, so somebody in the class has each of these values, or had it when the class was "
		 "made.");
	tell(html, report->ranges && !entry->recoding->has_classes,
		 "The ends of ranges. A range begins at the least and ends at the greatest value of k rows "
		 "that it stands for, so somebody has each of these values, or had it when the release was "
		 "made.");
	tell(html, entry->suppression > 0 || has_value(report, "models_after", "true") || cohorts,
		 "People who are left out. Rows are missing because they could not be hidden. A reader who "
		 "does not find a person learns that the person is unusual, or not in the table.");
	tell(html, report->means,
		 "Means. A reader who knows all values of a class but one can compute that one from the "
		 "mean.");
	tell(html, !cohorts && !person,
		 "People with several rows. k counts rows, and k rows of one person hide nobody.");
	tell(html, person,
		 "How many rows a person has. k counts people, but this page counts rows if their column "
		 "is not published: its risks are those of rows.");
	tell(html, true,
		 "This page. Figures of the table itself are rounded, so that a single person hardly "
		 "shows. But a rounded figure can change because of one person.");
}

/* ---- the page */

void
report_write_call(Html *html, const ReleaseReport *report, const char *format)
{
	html_element(
		html, "pre",
		psprintf(format, own_extension_schema_name(), quote_literal_cstr(report->release)));
}

char *
release_report_write(Oid release)
{
	const ReleaseReport *report = gather(release, REPORT_ALL, NULL);
	Html *html = html_begin(psprintf("Release %s", report->release));

	HTML_PARAGRAPH(html, "Page made %s UTC by %s.", report->story.now, rights_caller());
	write_release(html, report);
	proof_section_write(html, report);
	risk_section_write(html, report);
	cost_section_write(html, report);
	proof_section_write_sensitive(html, report);
	write_limits(html, report);
	history_section_write(html, report);
	return html_end(html);
}
