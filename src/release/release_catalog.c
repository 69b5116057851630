/*
 * release_catalog.c
 *		See release_catalog.h.
 */
#include "postgres.h"

#include "release/release_catalog.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "model/model_text.h"
#include "release/release_parameters.h"
#include "release/release_table.h"
#include "sql/own_table.h"
#include "sql/own_view.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

Oid
release_catalog_in(Oid schema)
{
	return get_relname_relid("kanon_release_state", schema);
}

Oid
release_catalog(void)
{
	return own_table_find("kanon_release_state");
}

static ArrayType *
array_field(int column)
{
	bool isnull;
	Datum value = query_value(0, column, &isnull);

	return isnull ? NULL : DatumGetArrayTypePCopy(value);
}

ReleaseEntry *
release_catalog_find(Oid catalog, Oid release)
{
	Oid types[] = {OIDOID};
	Datum values[] = {ObjectIdGetDatum(release)};
	ReleaseEntry *entry;

	release_table_run(
		catalog,
		psprintf("SELECT relation::int8, recoding, k::int8, columns, quasi_identifiers,"
				 " suppression, models, person, levels FROM %s WHERE release = $1",
				 relation_name(catalog)),
		1, types, values, NULL);
	if (query_rows() == 0)
		return NULL;
	entry = palloc0(sizeof(ReleaseEntry));
	*entry = (ReleaseEntry){
		.release = release,
		.relation = (Oid) query_int8(0, 1),
		.recoding = release_recoding_find(query_text(0, 2)),
		.demand = {.k = (int) query_int8(0, 3),
				   .models = model_text_read_list(query_text(0, 7)),
				   .person = query_text(0, 8)},
		.columns = array_field(4),
		.quasi_identifiers = array_field(5),
		.suppression = strtod(query_text(0, 6), NULL),
		.levels = array_field(9),
	};
	return entry;
}

ReleaseEntry *
release_catalog_get(Oid catalog, Oid release, const char *name)
{
	ReleaseEntry *entry = release_catalog_find(catalog, release);

	if (entry == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE), errmsg("%s is not a release of kanon", name),
				 errhint("The table kanon_release lists the releases.")));
	return entry;
}

ReleaseEntry *
release_catalog_own(Oid catalog, Oid release)
{
	ReleaseEntry *entry = release_catalog_get(catalog, release, relation_name(release));

	if (!own_view_owns(release))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_MATVIEW, get_rel_name(release));
	return entry;
}

/* 0 for NULL. */
static Datum *
names_of(ArrayType *array, int *count)
{
	Datum *names;
	bool *nulls;

	deconstruct_array(array, NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR, &names, &nulls, count);
	return names;
}

const char *
release_catalog_column(const ReleaseEntry *entry, const char *name)
{
	int count;
	Datum *columns = names_of(entry->columns, &count);

	/* Locks it: another session might drop it between two lookups. */
	(void) relation_name(entry->release);
	for (int i = 0; i < count; i++)
		if (columns[i] && strcmp(NameStr(*DatumGetName(columns[i])), name) == 0)
			return get_attname(entry->release, (AttrNumber) (i + 1), false);
	return NULL;
}

ArrayType *
release_catalog_quasi(const ReleaseEntry *entry)
{
	int count;
	Datum *names = names_of(entry->quasi_identifiers, &count);

	for (int i = 0; i < count; i++)
	{
		const char *name = release_catalog_column(entry, NameStr(*DatumGetName(names[i])));

		if (name)
			names[i] = DirectFunctionCall1(namein, CStringGetDatum(name));
	}
	return construct_array(names, count, NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR);
}

const char *
release_catalog_origin(const ReleaseEntry *entry, AttrNumber number)
{
	int count;
	Datum *columns = names_of(entry->columns, &count);

	return number <= count && columns[number - 1]
			   ? pstrdup(NameStr(*DatumGetName(columns[number - 1])))
			   : NULL;
}

bool
release_catalog_weights(const ReleaseEntry *entry, double *weight, int count)
{
	Oid types[] = {OIDOID, NAMEARRAYOID};
	Datum values[] = {ObjectIdGetDatum(entry->relation), PointerGetDatum(entry->quasi_identifiers)};

	/* In the snapshot of the rows: later declarations of others do not belong to this refresh. */
	own_table_read(
		"kanon_attribute",
		"SELECT coalesce(a.weight, 1)::text"
		" FROM unnest($2) WITH ORDINALITY q (name, number)"
		" JOIN pg_attribute c ON c.attrelid = $1 AND c.attname = q.name AND NOT c.attisdropped"
		" LEFT JOIN %s a ON a.relation = $1 AND a.attribute = q.name"
		" ORDER BY q.number",
		lengthof(types), types, values);
	if (query_rows() != (uint64) count)
		return false;
	for (int i = 0; i < count; i++)
		weight[i] = strtod(query_text(i, 1), NULL);
	return true;
}

static bool
field_is_null(int column)
{
	return query_text(0, column) == NULL;
}

ReleaseFigures
release_catalog_figures(Oid catalog, Oid release)
{
	Oid types[] = {OIDOID};
	Datum values[] = {ObjectIdGetDatum(release)};

	release_table_run(catalog,
					  psprintf("SELECT rows, classes, smallest, missing, loss::text, "
							   "satisfied::int::int8 FROM %s WHERE release = $1",
							   relation_name(catalog)),
					  1, types, values, NULL);
	if (query_rows() == 0)
		return (ReleaseFigures){.known = false};
	return (ReleaseFigures){
		.known = !field_is_null(1),
		.rows = query_int8(0, 1),
		.classes_known = !field_is_null(2),
		.classes = query_int8(0, 2),
		.smallest = query_int8(0, 3),
		.missing_known = !field_is_null(4),
		.missing = query_int8(0, 4),
		.satisfied = query_int8(0, 6) == 1,
		.loss_known = !field_is_null(5),
		.loss = field_is_null(5) ? 0 : strtod(query_text(0, 5), NULL),
	};
}

void
release_catalog_write(Oid catalog, const ReleaseEntry *entry, Datum parameters)
{
	const Oid types[] = {OIDOID,       OIDOID,       TEXTOID,   INT4OID, NAMEARRAYOID,
						 NAMEARRAYOID, INT4ARRAYOID, FLOAT8OID, TEXTOID, JSONBOID};
	const Datum values[] = {
		ObjectIdGetDatum(entry->release),
		ObjectIdGetDatum(entry->relation),
		CStringGetTextDatum(entry->recoding->name),
		Int32GetDatum(entry->demand.k),
		PointerGetDatum(entry->columns),
		PointerGetDatum(entry->quasi_identifiers),
		PointerGetDatum(entry->levels),
		Float8GetDatum(entry->suppression),
		CStringGetTextDatum(rights_caller()),
		parameters,
	};
	char nulls[lengthof(values)];

	memset(nulls, ' ', sizeof(nulls));
	nulls[6] = entry->levels ? ' ' : 'n';
	release_table_run(
		catalog,
		psprintf("INSERT INTO %s (release, relation, recoding, k, columns, quasi_identifiers,"
				 " levels, suppression, created_by, refreshed_by, created, refreshed, models, "
				 "person, parameters)"
				 " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, now(), now(), %s, %s, $10)"
				 " ON CONFLICT (release) DO UPDATE SET (recoding, k, columns, quasi_identifiers,"
				 " levels, suppression, models, person, parameters, loss) = (excluded.recoding,"
				 " excluded.k, excluded.columns, excluded.quasi_identifiers, excluded.levels,"
				 " excluded.suppression, excluded.models, excluded.person, excluded.parameters,"
				 " NULL)",
				 relation_name(catalog),
				 quote_literal_cstr(model_text_write_list(entry->demand.models)),
				 entry->demand.person ? quote_literal_cstr(entry->demand.person) : "NULL"),
		lengthof(types), types, values, nulls);
	release_table_run(catalog,
					  psprintf("UPDATE %s SET parameters = %s WHERE release = $1",
							   relation_name(catalog), RELEASE_PARAMETERS),
					  1, types, values, NULL);
}

void
release_catalog_update(Oid catalog, Oid release, const ReleaseFigures *figures)
{
	const Oid types[] = {INT8OID, INT8OID,   INT8OID, INT8OID, INT8OID,
						 TEXTOID, FLOAT8OID, BOOLOID, OIDOID};
	const Datum values[] = {Int64GetDatum(figures->rows),     Int64GetDatum(figures->classes),
							Int64GetDatum(figures->smallest), Int64GetDatum(figures->people),
							Int64GetDatum(figures->missing),  CStringGetTextDatum(rights_caller()),
							Float8GetDatum(figures->loss),    BoolGetDatum(figures->satisfied),
							ObjectIdGetDatum(release)};
	const char nulls[lengthof(values)] = {figures->known ? ' ' : 'n',
										  figures->classes_known ? ' ' : 'n',
										  figures->classes_known && figures->classes > 0 ? ' '
																						 : 'n',
										  figures->people > 0 ? ' ' : 'n',
										  figures->missing_known ? ' ' : 'n',
										  ' ',
										  figures->loss_known ? ' ' : 'n',
										  figures->missing_known ? ' ' : 'n',
										  ' '};

	release_table_run(
		catalog,
		psprintf("UPDATE %s SET rows = $1, classes = $2, smallest = $3,"
				 " people = $4, missing = $5, refreshed_by = $6, refreshed = now(), loss ="
				 " CASE WHEN levels IS NULL OR loss IS NULL THEN $7 ELSE loss END,"
				 " satisfied = $8, definition = encode(sha256(textsend(pg_get_viewdef($9))), 'hex')"
				 " WHERE release = $9",
				 relation_name(catalog)),
		lengthof(types), types, values, nulls);
}

/* Declarations about the release itself go with its columns. */
void
release_catalog_hand_over(Oid catalog, Oid release, Oid heir)
{
	const Oid types[] = {OIDOID, OIDOID};
	const Datum values[] = {ObjectIdGetDatum(release), ObjectIdGetDatum(heir)};
	Oid attributes = get_relname_relid("kanon_attribute", get_rel_namespace(catalog));

	release_table_run(
		catalog, psprintf("UPDATE %s SET release = $2 WHERE release = $1", relation_name(catalog)),
		lengthof(types), types, values, NULL);
	if (OidIsValid(attributes))
		release_table_run(
			attributes,
			psprintf(
				"UPDATE %s SET relation = $2 WHERE relation = $1 AND EXISTS"
				" (SELECT 1 FROM pg_attribute a WHERE a.attrelid = $2 AND a.attname = attribute)",
				relation_name(attributes)),
			lengthof(types), types, values, NULL);
}

void
release_catalog_delete(Oid catalog, Oid release)
{
	Oid types[] = {OIDOID};
	Datum values[] = {ObjectIdGetDatum(release)};

	release_table_run(catalog,
					  psprintf("DELETE FROM %s WHERE release = $1", relation_name(catalog)), 1,
					  types, values, NULL);
}

/* Renames the column in the models of the releases that have it. */
static void
rename_in_models(Oid catalog, const char *condition, const Oid *types, const Datum *values)
{
	const char *table = relation_name(catalog);
	List *updates = NIL;
	ListCell *cell;

	release_table_run(catalog,
					  psprintf("SELECT release::oid, models FROM %s r WHERE %s", table, condition),
					  2, types, values, NULL);
	for (uint64 row = 0; row < query_rows(); row++)
	{
		List *models = model_text_read_list(query_text(row, 2));

		foreach (cell, models)
		{
			Model *model = lfirst(cell);

			if (strcmp(model->column, TextDatumGetCString(values[0])) == 0)
				model->column = TextDatumGetCString(values[1]);
		}
		updates = lappend(updates, psprintf("UPDATE %s SET models = %s WHERE release = %s", table,
											quote_literal_cstr(model_text_write_list(models)),
											query_text(row, 1)));
	}
	foreach (cell, updates)
		release_table_run(catalog, lfirst(cell), 0, NULL, NULL, NULL);
}

/* Covers renames of parents and composite types: see declaration_follow_rename. */
void
release_catalog_follow_rename(Oid catalog, const char *old_name, const char *new_name)
{
	const Oid types[] = {TEXTOID, TEXTOID};
	const Datum values[] = {CStringGetTextDatum(old_name), CStringGetTextDatum(new_name)};
	const char *condition = "$1::name = ANY (columns || person)"
							" AND NOT EXISTS (SELECT 1 FROM pg_attribute c"
							" WHERE c.attrelid = r.relation AND c.attname = $1)"
							" AND EXISTS (SELECT 1 FROM pg_attribute c"
							" WHERE c.attrelid = r.relation AND c.attname = $2)";

	rename_in_models(catalog, condition, types, values);
	release_table_run(
		catalog,
		psprintf("UPDATE %s r SET columns = array_replace(columns, $1::name, $2::name),"
				 " quasi_identifiers = array_replace(quasi_identifiers, $1::name, $2::name),"
				 " person = CASE WHEN person = $1 THEN $2::name ELSE person END,"
				 " parameters = CASE WHEN parameters ->> 'target' = $1"
				 " THEN jsonb_set(parameters, '{target}', to_jsonb($2)) ELSE parameters END"
				 " WHERE %s",
				 relation_name(catalog), condition),
		lengthof(types), types, values, NULL);
	release_table_run(catalog,
					  psprintf("UPDATE %1$s SET parameters = %2$s WHERE parameters <> (%2$s)",
							   relation_name(catalog), RELEASE_PARAMETERS),
					  0, NULL, NULL, NULL);
}

void
release_catalog_delete_dropped(Oid catalog)
{
	release_table_run(catalog,
					  psprintf("DELETE FROM %s r USING pg_event_trigger_dropped_objects() d"
							   " WHERE d.classid = 'pg_class'::regclass AND d.objsubid = 0"
							   " AND d.objid = r.release",
							   relation_name(catalog)),
					  0, NULL, NULL, NULL);
}
