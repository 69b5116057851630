/*
 * class_audit.c
 *		See class_audit.h.
 */
#include "postgres.h"

#include "audit/class_audit.h"

#include "access/relation.h"
#include "audit/known_release.h"
#include "count/match_query.h"
#include "count/relation_search.h"
#include "miscadmin.h"
#include "model/known.h"
#include "relation/description.h"
#include "relation/dimension_source.h"
#include "sql/relation_name.h"
#include "utils/builtins.h"

typedef struct AuditRun
{
	const ClassAudit *audit;
	JudgedClass judged;
	JudgedClassConsumer consumer;
	void *state;
} AuditRun;

/*
 * Columns published as they are get the dimensions declared for the source, unless the release
 * declares its own.  So closeness is measured alike in both.
 */
static void
inherit_dimensions(Description *release, const ReleaseEntry *entry)
{
	Description *description;

	if (!relation_name_lock(entry->relation, AccessShareLock))
		return;
	description = description_load_any(entry->relation);
	for (int i = 0; i < release->attribute_count; i++)
	{
		DescribedAttribute *own = &release->attributes[i];
		const char *name = release_catalog_origin(entry, own->number);
		const DescribedAttribute *origin = name ? description_find(description, name) : NULL;

		if (!OidIsValid(own->dimension) && origin && origin->type == own->type)
			own->dimension = origin->dimension;
	}
}

/* The quasi-identifiers of a release, by the current names of its columns; otherwise as given. */
static Description *
describe_relation(const ClassAudit *audit)
{
	const ReleaseEntry *entry = audit->entry;
	Description *description = description_load(
		audit->relation, entry && audit->quasi_identifiers == NULL ? release_catalog_quasi(entry)
																   : audit->quasi_identifiers);

	if (entry == NULL)
		return description;
	/* Without classes, rows that look alike say nothing about its k. */
	if (!entry->recoding->has_classes)
		ereport(NOTICE, (errmsg("release %s hides rows behind others that look different",
								relation_name(entry->release)),
						 errdetail("The size of its classes says nothing about that."),
						 errhint("Use kanon_check_matchings.")));
	inherit_dimensions(description, entry);
	return description;
}

/* Checks that the relation was not rewritten, which would make it look empty. */
static void
check_rows(Oid relation)
{
	Relation opened = relation_name_open(relation);

	relation_name_check_rows(opened);
	relation_close(opened, NoLock);
}

/*
 * Does a model hold once NULLs are left out?  Classes whose cells look alike are one class here,
 * and one of them may have withheld its values.
 */
static bool
holds_without_null(const Model *model, const Histogram *histogram, const SensitiveDomain *domain)
{
	int64 nulls = histogram_nulls(histogram, domain);
	Histogram left = *histogram;

	left.values--;
	left.members -= nulls;
	return nulls > 0 && (left.values == 0 || model_holds(model, &left, domain));
}

static void
judge_class(void *state, const StreamedClass *class)
{
	AuditRun *run = state;
	JudgedClass *judged = &run->judged;
	const Demand *demand = &judged->description->demand;

	judged->class = class;
	judged->satisfied = (class->matches > 0 ? class->matches : class->members) >= run->audit->k;
	judged->withheld = false;
	for (int i = 0; i < demand->models && judged->satisfied; i++)
	{
		const Model *model = demand->model[i];
		const Histogram *histogram = class->histogram[demand->column_of[i]];
		const SensitiveDomain *domain = demand->domain[demand->column_of[i]];

		if (model_holds(model, histogram, domain))
			continue;
		judged->withheld = run->audit->withholds && holds_without_null(model, histogram, domain);
		judged->satisfied = judged->withheld;
	}
	run->consumer(run->state, judged);
}

/* Pushes the classes of a description, or its distinct rows. */
static void
push_classes(AuditRun *run, const Description *description, bool with_values, Budget *budget)
{
	if (run->audit->null_matches == true)
		match_query_each(description, with_values, judge_class, run, budget);
	else
		class_query_each(description, with_values, judge_class, run, budget);
}

/* The same of each set of columns that may be known.  Consumers keep the description. */
static void
push_sets(AuditRun *run, const Description *description, bool with_values, Budget *budget)
{
	Description *part = palloc(sizeof(Description));

	known_check_sets(&description->demand, description->quasi_count);
	*part = *description;
	part->quasi = palloc(sizeof(DescribedAttribute *) * description->quasi_count);
	run->judged.description = part;
	for (part->quasi_count = known_least_size(&description->demand, description->quasi_count);
		 part->quasi_count <= description->demand.known; part->quasi_count++)
	{
		KnownSets sets = known_sets_begin(description->quasi_count, part->quasi_count);

		do
		{
			CHECK_FOR_INTERRUPTS();
			for (int i = 0; i < part->quasi_count; i++)
				part->quasi[i] = description->quasi[sets.member[i]];
			push_classes(run, part, with_values, budget);
		} while (known_sets_next(&sets));
	}
}

void
class_audit_each(const ClassAudit *audit, bool with_values, JudgedClassConsumer consumer,
				 void *state)
{
	Description *description = describe_relation(audit);
	Budget budget = budget_begin();
	AuditRun run = {.audit = audit,
					.judged = {.description = description},
					.consumer = consumer,
					.state = state};

	description_demand(description, audit->models, audit->person);
	description->demand.known = audit->known;
	sensitive_values_read(description, &budget);
	/* If every class withholds its values, there may be none to check. */
	if (!audit->withholds)
		sensitive_values_check(description);
	if (known_is_asked(&description->demand, description->quasi_count))
		push_sets(&run, description, with_values, &budget);
	else
		push_classes(&run, description, with_values, &budget);
	check_rows(audit->relation);
}

static void
tally_class(void *state, const JudgedClass *judged)
{
	class_tally_add(state, judged->class->rows, judged->class->members, !judged->satisfied);
}

/*
 * Sizes alone.  The executor groups the rows.  A release is stored class by class, with one
 * spelling each, so one scan counts runs of equal rows.
 */
static ClassTally
tally_sizes(const ClassAudit *audit)
{
	Description *description = describe_relation(audit);
	const ReleaseEntry *entry = audit->entry;
	ClassTally tally;

	if (entry && entry->recoding->has_classes && !audit->quasi_identifiers && !audit->person)
		tally = class_query_tally_runs(description, audit->k, /* read_only */ true);
	else
	{
		description_demand(description, NIL, audit->person);
		tally = class_query_tally(description, audit->k);
	}
	check_rows(audit->relation);
	return tally;
}

/*
 * The person counted by a release's k.  If that column is not published, only rows can be counted.
 */
static const char *
known_person(const ReleaseEntry *entry)
{
	const char *person = entry->demand.person;
	const char *published = person ? release_catalog_column(entry, person) : NULL;

	if (person == NULL || published)
		return published;
	ereport(NOTICE, (errmsg("counting rows, although release %s was made by counting people",
							relation_name(entry->release)),
					 errdetail("It does not publish column \"%s\".", person),
					 errhint("kanon_release.people has the count of its last filling.")));
	return NULL;
}

/* The models of a release, by the current names of its columns. */
static List *
known_models(const ReleaseEntry *entry)
{
	foreach_ptr (Model, model, entry->demand.models)
	{
		const char *published = release_catalog_column(entry, model->column);

		if (published)
			model->column = published;
	}
	return entry->demand.models;
}

static void
check_classes(const ClassAudit *audit)
{
	if (audit->null_matches == true && (audit->models != NIL || audit->person))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("null_matches takes no %s", audit->models != NIL ? "models" : "person"),
				 errdetail("They need classes of rows that look alike.")));
}

/* Takes what is not given from a release. */
static void
take_from_release(ClassAudit *audit, const ReleaseEntry *entry)
{
	bool matches;

	if (audit->k == 0 && audit->null_matches == NEITHER)
		audit->null_matches = entry->demand.null_matches;
	matches = audit->null_matches == true;
	if (audit->known_models && !matches)
	{
		audit->models = known_models(entry);
		/* Only states from night to night withhold values. */
		audit->withholds = entry->recoding->advance != NULL;
	}
	if (audit->k == 0 && audit->known == 0)
		audit->known = entry->demand.known;
	if (audit->k == 0 && audit->person == NULL && !matches)
		audit->person = known_person(entry);
	audit->k = known_release_k(entry, audit->relation, audit->k);
}

void
class_audit_open(ClassAudit *audit)
{
	const ReleaseEntry *entry = release_catalog_find(audit->relation);

	audit->entry = entry;
	if (entry)
		take_from_release(audit, entry);
	check_classes(audit);
}

/* The classes of all sets of columns that may be known, from one scan. */
static ClassTally
tally_sets(const ClassAudit *audit)
{
	Description *description = describe_relation(audit);
	Budget budget = budget_begin();
	ClassTally tally;

	description_demand(description, audit->models, audit->person);
	description->demand.known = audit->known;
	for (int i = 0; i < description->quasi_count; i++)
		if (!description_is_demanded(description, description->quasi[i]))
			description->quasi[i]->dimension = InvalidOid;
	tally = relation_search_sets(description, audit->k, &budget);
	check_rows(audit->relation);
	return tally;
}

static ClassTally
tally_matches(const ClassAudit *audit)
{
	Description *description = describe_relation(audit);
	Budget budget = budget_begin();
	ClassTally tally;

	description->demand.known = audit->known;
	tally = match_query_tally(description, audit->k, &budget);
	check_rows(audit->relation);
	return tally;
}

ClassTally
class_audit_tally(const ClassAudit *audit)
{
	ClassTally tally = {0};

	(void) known_release_k(NULL, audit->relation, audit->k);
	if (audit->null_matches == true)
		return tally_matches(audit);
	if (audit->known > 0)
		return tally_sets(audit);
	if (audit->models == NIL)
		return tally_sizes(audit);
	class_audit_each(audit, false, tally_class, &tally);
	return tally;
}

/*
 * Describes the population by columns with the same names or, if the release was made from it, by
 * the origins of the release's columns.
 */
static Description *
describe_population(Oid population, const Description *relation, const ReleaseEntry *entry)
{
	bool own = entry && entry->relation == population;
	Description *description = description_load_columns(population);

	if (!own)
		dimension_source_check(population, relation->relation, NULL);

	description->quasi_count = relation->quasi_count;
	description->quasi = palloc(sizeof(DescribedAttribute *) * relation->quasi_count);
	for (int i = 0; i < relation->quasi_count; i++)
	{
		const DescribedAttribute *column = relation->quasi[i];
		const char *origin = own ? release_catalog_origin(entry, column->number) : NULL;

		description->quasi[i] = description_get(description, origin ? origin : column->name);
	}
	return description;
}

RiskTally
class_audit_risk(Oid relation, ArrayType *quasi_identifiers, Oid population, double threshold)
{
	const ReleaseEntry *entry = release_catalog_find(relation);
	ClassAudit audit = {
		.relation = relation, .quasi_identifiers = quasi_identifiers, .entry = entry};
	Description *description;
	RiskTally tally;

	if (threshold == RISK_THRESHOLD_KNOWN)
		threshold = entry ? 1.0 / entry->demand.k : RISK_THRESHOLD;
	if (entry && entry->demand.person)
		ereport(NOTICE, (errmsg("counting rows, although release %s was made by counting people",
								relation_name(relation)),
						 errdetail("People with several rows in a class are at a higher risk than "
								   "these figures say."),
						 errhint("By people, no risk is above 1 / kanon_release.people.")));
	description = describe_relation(&audit);
	tally = class_query_risk(
		description,
		OidIsValid(population) ? describe_population(population, description, entry) : NULL,
		threshold);
	check_rows(relation);
	return tally;
}
