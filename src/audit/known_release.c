/*
 * known_release.c
 *		See known_release.h.
 */
#include "postgres.h"

#include "audit/known_release.h"

#include "dimension/star_query.h"
#include "sql/name_array.h"
#include "sql/relation_name.h"
#include "sql/rights.h"

static void
report_unknown(Oid release, const char *argument)
{
	ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					errmsg("argument \"%s\" must not be null", argument),
					errdetail("%s is not a release made by kanon, so the argument has no default.",
							  relation_name(release))));
}

/* name[] of the declared quasi-identifiers that are columns of the release. */
static ArrayType *
shared_quasi_identifiers(Oid relation, const Description *release)
{
	Description *source = description_load(relation, NULL);
	List *names = NIL;

	for (int i = 0; i < source->quasi_count; i++)
	{
		const char *name = source->quasi[i]->name;

		if (description_find(release, name) != NULL)
			names = lappend(names, unconstify(char *, name));
	}
	if (names == NIL)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_COLUMN),
						errmsg("relation %s has none of the quasi-identifiers of relation %s",
							   release->name, source->name),
						errhint("They are found by their names; pass quasi_identifiers.")));
	return name_array_of(names);
}

/* Finds the release's column for each quasi-identifier of the source. */
static void
find_columns(KnownRelease *known)
{
	const Description *source = known->source;

	for (int i = 0; i < source->quasi_count; i++)
	{
		const char *name = source->quasi[i]->name;
		const char *now = known->entry ? release_catalog_column(known->entry, name) : NULL;

		known->released[i] = description_get(known->release, now ? now : name);
		description_check_quasi_identifier(known->release, known->released[i]);
	}
}

KnownRelease
known_release_open(Oid release, Oid relation, ArrayType *quasi_identifiers, bool shared)
{
	KnownRelease known = {.entry = release_catalog_find(release),
						  .release = description_load_columns(release)};
	Description *source;

	if (!OidIsValid(relation) && known.entry == NULL)
		report_unknown(release, "relation");
	if (!OidIsValid(relation))
	{
		release_catalog_check_relation(known.entry);
		relation = known.entry->relation;
	}
	/* The owner of a release reads its own relation at each refresh: that needs no check. */
	if (known.entry == NULL || relation != known.entry->relation)
		rights_check_beside(relation);
	if (quasi_identifiers == NULL && known.entry)
		quasi_identifiers = known.entry->quasi_identifiers;
	else if (quasi_identifiers == NULL && shared)
		quasi_identifiers = shared_quasi_identifiers(relation, known.release);
	source = description_load(relation, quasi_identifiers);
	if (known.entry && known.entry->recoding->flat)
		description_flatten(source, known.entry->recoding->nulls);
	known.source = source;
	known.released = palloc(sizeof(DescribedAttribute *) * known.source->quasi_count);
	find_columns(&known);
	return known;
}

int
known_release_k(const ReleaseEntry *entry, Oid release, int given)
{
	if (given == 0 && entry == NULL)
		report_unknown(release, "k");
	return given > 0 ? given : entry->demand.k;
}

/*
 * The level of a full-domain release's column, if the hierarchy still has it.  Where what is hidden
 * is NULL, all else is a value, whatever it looks like.
 */
static int
known_level(const KnownRelease *known, int quasi)
{
	const ReleaseEntry *entry = known->entry;
	const Description *source = known->source;
	int position;
	int level;

	if (entry && entry->recoding->nulls)
		return 0;
	if (entry == NULL || entry->levels == NULL || entry->relation != source->relation)
		return CELL_LEVEL_UNKNOWN;
	position = name_array_find(entry->quasi_identifiers, source->quasi[quasi]->name);
	if (position < 0)
		return CELL_LEVEL_UNKNOWN;
	level = ((const int32 *) ARR_DATA_PTR(entry->levels))[position];
	return level <= star_query_height(source->quasi[quasi]) ? level : CELL_LEVEL_UNKNOWN;
}

CellColumn *
known_release_cells(const KnownRelease *known, int quasi)
{
	CellColumn *column = palloc(sizeof(CellColumn));

	*column =
		(CellColumn){.source = known->source,
					 .quasi = quasi,
					 .release = known->release->name,
					 .released = known->released[quasi],
					 .level = known_level(known, quasi),
					 .cellwise = known->entry && known->entry->recoding->keeps_types,
					 .nulls = known->entry && known->entry->recoding->nulls,
					 .flat = known->entry && known->entry->recoding->flat,
					 .filled = known->entry && known->entry->relation == known->source->relation};
	return column;
}

QualityTally
known_release_quality(const KnownRelease *known, const List *predicates, QualityAnswer **answers)
{
	List *columns = NIL;
	ListCell *cell;

	foreach (cell, predicates)
		predicate_bind(lfirst(cell), known->source);
	for (int i = 0; i < known->source->quasi_count; i++)
		columns = lappend(columns, known_release_cells(known, i));
	*answers = palloc0(sizeof(QualityAnswer) * (list_length(predicates) + 1));
	return quality_query_run(columns, predicates, *answers);
}
