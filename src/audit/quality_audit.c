/*
 * quality_audit.c
 *		See quality_audit.h.
 */
#include "postgres.h"

#include "audit/quality_audit.h"

#include "audit/known_release.h"
#include "catalog/pg_type.h"
#include "dimension/star_query.h"
#include "release/release_catalog.h"
#include "utils/builtins.h"

static Datum *
array_elements(ArrayType *array, Oid type, int *count)
{
	Datum *elements;

	if (type == NAMEOID)
		deconstruct_array(array, NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR, &elements, NULL,
						  count);
	else
		deconstruct_array(array, INT4OID, sizeof(int32), true, TYPALIGN_INT, &elements, NULL,
						  count);
	return elements;
}

/* name[] of the source's declared quasi-identifiers that are columns of the release. */
static ArrayType *
shared_quasi_identifiers(const QualityAudit *request, const Description *release)
{
	Description *source = description_load(request->relation, NULL);
	Datum *names = palloc(sizeof(Datum) * source->quasi_count);
	int count = 0;

	for (int i = 0; i < source->quasi_count; i++)
	{
		const char *name = source->attributes[source->quasi[i]].name;

		if (description_find(release, name) != NULL)
			names[count++] = DirectFunctionCall1(namein, CStringGetDatum(name));
	}
	if (count == 0)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_COLUMN),
						errmsg("relation %s has none of the quasi-identifiers of relation %s",
							   release->name, source->name),
						errhint("They are found by their names; pass quasi_identifiers.")));
	return construct_array(names, count, NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR);
}

static Description *
load_source(const QualityAudit *request, const Description *release, const ReleaseEntry *entry)
{
	ArrayType *names = request->quasi_identifiers;

	if (names == NULL)
		names = entry ? entry->quasi_identifiers : shared_quasi_identifiers(request, release);
	return description_load(request->relation, names);
}

/* Which of a release's quasi-identifiers this is, or -1. */
static int
find_in_entry(const ReleaseEntry *entry, const char *name)
{
	Datum *names;
	int count;

	if (entry == NULL)
		return -1;
	names = array_elements(entry->quasi_identifiers, NAMEOID, &count);
	for (int i = 0; i < count; i++)
		if (strcmp(NameStr(*DatumGetName(names[i])), name) == 0)
			return i;
	return -1;
}

/* The level of a full-domain release's column, as long as the hierarchy has it. */
static int
known_level(const QualityAudit *request, const ReleaseEntry *entry, int position,
			const DescribedAttribute *attribute)
{
	int count;
	int level;

	if (position < 0 || entry->levels == NULL || entry->relation != request->relation)
		return CELL_LEVEL_UNKNOWN;
	level = DatumGetInt32(array_elements(entry->levels, INT4OID, &count)[position]);
	return level <= star_query_height(attribute) ? level : CELL_LEVEL_UNKNOWN;
}

static CellColumn *
make_column(const QualityAudit *request, const Description *source, int quasi,
			const Description *release, const ReleaseEntry *entry)
{
	CellColumn *column = palloc0(sizeof(CellColumn));
	const DescribedAttribute *attribute = &source->attributes[source->quasi[quasi]];
	int position = find_in_entry(entry, attribute->name);
	const char *name = attribute->name;
	const DescribedAttribute *released;
	int count;

	if (position >= 0)
		name = NameStr(*DatumGetName(
			array_elements(release_catalog_columns(entry), NAMEOID, &count)[position]));
	released = description_get(release, name);
	description_check_quasi_identifier(release, released);
	*column = (CellColumn){.source = source,
						   .quasi = quasi,
						   .number = quasi + 1,
						   .release = release->name,
						   .released = pstrdup(name),
						   .type = released->type,
						   .level = known_level(request, entry, position, attribute),
						   .cellwise = entry && entry->recoding->keeps_types};
	return column;
}

/* All predicates, as many at a time as one statement takes. */
static QualityTally
run(List *columns, List *predicates, QualityAnswer *answers)
{
	QualityTally tally;
	int done = 0;

	do
	{
		List *some = list_copy_tail(predicates, done);
		ListCell *cell;

		some = list_truncate(some, QUALITY_QUERY_PREDICATES);
		foreach (cell, columns)
			((CellColumn *) lfirst(cell))->predicates = some;
		tally = quality_query_run(columns, answers + done);
		done += list_length(some);
	} while (done < list_length(predicates));
	return tally;
}

QualityReport
quality_audit_run(const QualityAudit *audit)
{
	QualityAudit known = *audit;
	const QualityAudit *request = &known;
	ReleaseEntry *entry = release_catalog_find(release_catalog(), audit->release);
	Description *release = description_load_columns(audit->release);
	Description *source;
	QualityReport quality = {.k = entry ? entry->demand.k : 0};
	List *columns = NIL;
	ListCell *cell;

	known.relation = known_release_relation(entry, audit->release, audit->relation);
	source = load_source(request, release, entry);
	foreach (cell, request->predicates)
		predicate_bind(lfirst(cell), source);
	for (int i = 0; i < source->quasi_count; i++)
		columns = lappend(columns, make_column(request, source, i, release, entry));
	quality.answers = palloc0(sizeof(QualityAnswer) * (list_length(request->predicates) + 1));
	quality.tally = run(columns, request->predicates, quality.answers);
	return quality;
}
