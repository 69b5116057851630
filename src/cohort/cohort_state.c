/*
 * cohort_state.c
 *		See cohort_state.h.
 */
#include "postgres.h"

#include "cohort/cohort_state.h"

#include "access/xlog.h"
#include "catalog/pg_type.h"
#include "commands/dbcommands.h"
#include "executor/tstoreReceiver.h"
#include "miscadmin.h"
#include "model/model_text.h"
#include "relation/description.h"
#include "sql/own_table.h"
#include "sql/own_view.h"
#include "sql/relation_name.h"
#include "sql/row_query.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* A state c of a table that had column $1, which is $2 now. */
#define RENAMED                                                                                    \
	"$1::name = ANY (c.quasi_identifiers || c.columns || c.key)"                                   \
	" AND NOT EXISTS (SELECT 1 FROM pg_attribute a"                                                \
	" WHERE a.attrelid = c.relation AND a.attname = $1)"                                           \
	" AND EXISTS (SELECT 1 FROM pg_attribute a"                                                    \
	" WHERE a.attrelid = c.relation AND a.attname = $2)"

/*
 * The home of a state.  The table's own OID changes if the extension is created again, so a dump
 * restored in its old place is not taken for the latest state.
 */
static const char *
here(Oid table)
{
	return psprintf("system " UINT64_FORMAT ", database %u, table %u, timeline %u",
					GetSystemIdentifier(), MyDatabaseId, table, GetWALInsertionTimeLine());
}

void
cohort_state_check_owner(Oid relation)
{
	if (!has_privs_of_role(GetUserId(), relation_name_owner(relation)))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied for cohorts of %s", relation_name(relation)),
				 errdetail("The state of a table's releases by cohorts is for its owner alone.")));
}

static Datum
owner_name(Oid relation)
{
	return DirectFunctionCall1(
		namein, CStringGetDatum(GetUserNameFromId(relation_name_owner(relation), false)));
}

static ArrayType *
array_field(int column)
{
	bool isnull;
	Datum value = query_value(0, column, &isnull);

	return isnull ? NULL : DatumGetArrayTypePCopy(value);
}

static CohortTerms
read_terms(void)
{
	return (CohortTerms){
		.rules = {.k = (int) query_int8(0, 2),
				  .wait = (int) query_int8(0, 3),
				  .target_loss = strtod(query_text(0, 4), NULL),
				  .keep = strcmp(query_text(0, 5), "keep") == 0,
				  .stale = strtod(query_text(0, 6), NULL),
				  .together = strcmp(query_text(0, 7), "together") == 0},
		.key = query_text(0, 8),
		.quasi_identifiers = array_field(9),
		.dimensions = array_field(10),
		.columns = array_field(11),
		.models = query_text(0, 16),
	};
}

CohortState *
cohort_state_find(Oid relation)
{
	CohortState *state = palloc0(sizeof(CohortState));
	Oid types[] = {OIDOID};
	Datum values[] = {ObjectIdGetDatum(relation)};
	bytea *secret;
	bool isnull;

	state->table = own_table_find("kanon_cohort_state");
	state->cells = own_table_find("kanon_cohort_cell");
	state->members = own_table_find("kanon_cohort_member");
	state->relation = relation;
	own_table_run(state->table,
				  psprintf("SELECT number, k::int8, wait::int8, target_loss, leavers, stale,"
						   " reading, key, quasi_identifiers, dimensions, columns, night::int8,"
						   " cells, home, secret, models, loss FROM %s WHERE relation = $1",
						   relation_name(state->table)),
				  lengthof(types), types, values, NULL);
	if (query_rows() == 0)
		return NULL;
	state->number = query_int8(0, 1);
	state->terms = read_terms();
	state->night = (int32) query_int8(0, 12);
	state->numbers = query_int8(0, 13);
	state->home = query_text(0, 14);
	secret = DatumGetByteaPP(query_value(0, 15, &isnull));
	if (VARSIZE_ANY_EXHDR(secret) != RANDOM_KEY)
		elog(ERROR, "the secret of cohorts has another length");
	memcpy(state->secret.byte, VARDATA_ANY(secret), RANDOM_KEY);
	state->loss = array_field(17);
	return state;
}

CohortState *
cohort_state_find_alone(Oid relation)
{
	relation_name_hold(relation, ShareUpdateExclusiveLock);
	return cohort_state_find(relation);
}

void
cohort_state_report_none(Oid relation)
{
	ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					errmsg("%s has no state of releases by cohorts", relation_name_shown(relation)),
					errdetail("Another table continues it, by kanon_adopt_cohorts.")));
}

/*
 * The states that other tables than $2 have, or had, under the name $1: (number, relation or 0, may
 * the table's owner $3 adopt it?).  First those that may be adopted, and of them the owner's own,
 * the latest first.
 */
#define OF_NAME                                                                                    \
	"SELECT c.number, coalesce(c.relation::oid::int8, 0),"                                         \
	" ((r.oid IS NULL OR pg_has_role($3, r.relowner, 'USAGE'))"                                    \
	" AND coalesce((SELECT pg_has_role($3, o.oid, 'USAGE') FROM pg_roles o"                        \
	" WHERE o.rolname = c.owner),"                                                                 \
	" (SELECT o.rolsuper FROM pg_roles o WHERE o.oid = $3)))::int"                                 \
	" FROM %s c LEFT JOIN pg_class r ON r.oid = c.relation"                                        \
	" WHERE $1 = ANY (c.former || c.name) AND c.relation IS DISTINCT FROM $2"                      \
	" ORDER BY 3 DESC, c.owner = pg_get_userbyid($3) DESC, c.number DESC LIMIT 1"

typedef struct FormerState
{
	int64 number;
	Oid relation; /* InvalidOid: it was dropped, or began anew */
	bool adoptable;
} FormerState;

/* False if no other table had the name of this one and a state. */
static bool
find_former(Oid table, Oid relation, FormerState *former)
{
	Oid types[] = {TEXTOID, OIDOID, OIDOID};
	Datum values[] = {CStringGetTextDatum(relation_name(relation)), ObjectIdGetDatum(relation),
					  ObjectIdGetDatum(relation_name_owner(relation))};

	cohort_state_run(table, OF_NAME, lengthof(types), types, values);
	if (query_rows() == 0)
		return false;
	*former = (FormerState){.number = query_int8(0, 1),
							.relation = (Oid) query_int8(0, 2),
							.adoptable = query_int8(0, 3) != 0};
	return true;
}

/*
 * Raises an error if a table that had this name has a state, which must not be bypassed.  Whose it
 * is, and what the table is called now, is for those who may adopt it.
 */
static void
check_name(Oid table, Oid relation)
{
	const char *name = relation_name(relation);
	FormerState former;

	if (!find_former(table, relation, &former))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 !former.adoptable ? errmsg("another table called %s had releases by cohorts", name)
			 : OidIsValid(former.relation)
				 ? errmsg("%s, which was %s before, has releases by cohorts",
						  relation_name_shown(former.relation), name)
				 : errmsg("a dropped table %s had releases by cohorts", name),
			 errdetail("It is still known who was published with whom.  To begin anew would tell a"
					   " reader with an old copy more than one release does."),
			 former.adoptable
				 ? errhint("Use kanon_adopt_cohorts to continue them for this table or, if it holds"
						   " other people, anew => true.")
				 : errhint("If this table holds other people, write anew => true.")));
}

/*
 * Views read tables, and tables their partitions and children: "down" is what $1 reads, "above"
 * what reads $1, "up" what reads any of it.  Members of extensions are not followed: releases read
 * kanon's own tables.
 */
#define RELATED                                                                                    \
	"WITH RECURSIVE reads (reader, of) AS ("                                                       \
	"SELECT r.ev_class, d.refobjid FROM pg_rewrite r JOIN pg_depend d"                             \
	" ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid"                                   \
	" AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> r.ev_class"                        \
	" WHERE NOT EXISTS (SELECT 1 FROM pg_depend e WHERE e.classid = 'pg_class'::regclass"          \
	" AND e.objid = d.refobjid AND e.deptype = 'e')"                                               \
	" UNION SELECT i.inhparent, i.inhrelid FROM pg_inherits i),"                                   \
	" down (relation) AS (SELECT $1 UNION"                                                         \
	" SELECT r.of FROM down JOIN reads r ON r.reader = down.relation),"                            \
	" above (relation) AS (SELECT $1 UNION"                                                        \
	" SELECT r.reader FROM above JOIN reads r ON r.of = above.relation),"                          \
	" up (relation) AS (SELECT relation FROM down UNION"                                           \
	" SELECT r.reader FROM up JOIN reads r ON r.of = up.relation)"

/*
 * States of two relations with the same rows know nothing of each other.  If one of them reads the
 * other one, they share rows; if both read a third one, they may.
 */
static void
notice_related(Oid table, Oid relation)
{
	Oid types[] = {OIDOID, OIDOID};
	Datum values[] = {ObjectIdGetDatum(relation), ObjectIdGetDatum(GetUserId())};
	const char *name;
	const char *other;

	own_table_run(
		table,
		psprintf(RELATED " SELECT c.relation::oid::int8,"
						 " (c.relation IN (SELECT relation FROM down)"
						 " OR c.relation IN (SELECT relation FROM above))::int AS direct"
						 " FROM %s c JOIN up USING (relation)"
						 " JOIN pg_class r ON r.oid = c.relation"
						 " WHERE c.relation <> $1 AND (pg_has_role($2, r.relowner, 'USAGE')"
						 " OR EXISTS (SELECT 1 FROM %s k WHERE k.relation = c.relation"
						 " AND k.recoding = 'cohorts')) ORDER BY direct DESC, 1",
				 relation_name(table), relation_name(own_table_find("kanon_release_state"))),
		lengthof(types), types, values, NULL);
	if (query_rows() == 0)
		return;
	name = relation_name_shown(relation);
	other = relation_name_shown((Oid) query_int8(0, 1));
	ereport(
		NOTICE,
		(query_int8(0, 2) != 0
			 ? errmsg("%s shares rows with %s, which has releases by cohorts of its own", name,
					  other)
			 : errmsg(
				   "%s reads a table that %s reads too, which has releases by cohorts of its own",
				   name, other),
		 errdetail("If both hold the same people, whoever reads releases of both learns more than"
				   " from one of them."),
		 errhint("Make both of one relation, with fewer columns where needed, or give each"
				 " reader only one of them.")));
}

void
cohort_state_insert(Oid relation, const CohortTerms *terms, bool anew)
{
	Oid table = own_table_find("kanon_cohort_state");
	const CohortRules *rules = &terms->rules;
	RandomKey secret = random_key_unforeseeable();
	bytea *bytes = palloc(VARHDRSZ + RANDOM_KEY);
	Oid types[] = {OIDOID,  TEXTOID,   INT4OID, NAMEOID,      INT4OID,          FLOAT8OID,
				   TEXTOID, FLOAT8OID, TEXTOID, NAMEARRAYOID, REGCLASSARRAYOID, NAMEARRAYOID,
				   TEXTOID, BYTEAOID,  NAMEOID, TEXTOID};
	Datum values[] = {ObjectIdGetDatum(relation),
					  CStringGetTextDatum(relation_name(relation)),
					  Int32GetDatum(rules->k),
					  DirectFunctionCall1(namein, CStringGetDatum(terms->key)),
					  Int32GetDatum(rules->wait),
					  Float8GetDatum(rules->target_loss),
					  CStringGetTextDatum(rules->keep ? "keep" : "withhold"),
					  Float8GetDatum(rules->stale),
					  CStringGetTextDatum(rules->together ? "together" : "frozen"),
					  PointerGetDatum(terms->quasi_identifiers),
					  PointerGetDatum(terms->dimensions),
					  PointerGetDatum(terms->columns),
					  CStringGetTextDatum(here(table)),
					  PointerGetDatum(bytes),
					  owner_name(relation),
					  CStringGetTextDatum(terms->models)};

	SET_VARSIZE(bytes, VARHDRSZ + RANDOM_KEY);
	memcpy(VARDATA(bytes), secret.byte, RANDOM_KEY);
	if (!anew)
		check_name(table, relation);
	own_table_run(
		table,
		psprintf(
			"INSERT INTO %s (relation, name, k, key, wait, target_loss,"
			" leavers, stale, reading, quasi_identifiers, dimensions, columns,"
			" night, cells, home, secret, owner, models)"
			" VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, 0, $13, $14, $15, $16)",
			relation_name(table)),
		lengthof(types), types, values, NULL);
	notice_related(table, relation);
}

void
cohort_state_end(const CohortState *state)
{
	Oid types[] = {INT8OID};
	Datum values[] = {Int64GetDatum(state->number)};

	cohort_state_run(state->table, "UPDATE %s SET relation = NULL WHERE number = $1",
					 lengthof(types), types, values);
}

static void
check_home(const CohortState *state)
{
	if (strcmp(state->home, here(state->table)) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("releases by cohorts of %s are advanced elsewhere, or their state was"
						" restored",
						relation_name(state->relation)),
				 errdetail("Their home is %s; this is %s.  Copies of two servers, or of a state"
						   " older than the latest copy, would tell more than those of one.",
						   state->home, here(state->table)),
				 errhint("If they continue here, from the state of their latest copy, call "
						 "kanon_adopt_cohorts.")));
}

/* ---- what the texts of releases read */

static void
put_rows(const char *name, int64 number, Tuplestorestate *rows)
{
	Oid types[] = {INT8OID};
	Datum values[] = {Int64GetDatum(number)};
	Oid table = own_table_find("kanon_cohort_state");
	DestReceiver *receiver = CreateDestReceiver(DestTuplestore);
	QueryRole caller;

	own_table_run(
		table,
		psprintf("SELECT relation::oid::int8 FROM %s WHERE number = $1", relation_name(table)),
		lengthof(types), types, values, NULL);
	if (query_rows() == 0)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
						errmsg("cohorts " INT64_FORMAT " do not exist", number),
						errhint("Drop the release that reads them and make it again.")));
	if (!own_view_owns((Oid) query_int8(0, 1)))
		ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
						errmsg("permission denied for cohorts " INT64_FORMAT, number),
						errdetail("They are for the owner of their table alone.")));
	table = own_table_find(name);
	SetTuplestoreDestReceiverParams(receiver, rows, CurrentMemoryContext, false, NULL, NULL);
	caller = own_table_begin(table);
	query_stream_with(psprintf("SELECT * FROM %s WHERE cohort = $1", relation_name(table)),
					  lengthof(types), types, values, receiver);
	query_role_end(caller);
}

void
cohort_state_put_cells(int64 number, Tuplestorestate *rows)
{
	put_rows("kanon_cohort_cell", number, rows);
}

void
cohort_state_put_members(int64 number, Tuplestorestate *rows)
{
	put_rows("kanon_cohort_member", number, rows);
}

/* ---- what cells depend on */

static void
check_column(const CohortState *state, const char *what, const char *name)
{
	if (get_attnum(state->relation, name) != InvalidAttrNumber)
		return;
	ereport(
		ERROR,
		(errcode(ERRCODE_UNDEFINED_COLUMN),
		 errmsg("releases by cohorts of %s need %s \"%s\", which was dropped",
				relation_name(state->relation), what, name),
		 errdetail("The cells depend on it, and they are never made anew."),
		 errhint("Add a column of that name and type.  Unless it is the key, it may be empty.")));
}

static bool
is_gone(Oid dimension)
{
	return OidIsValid(dimension) && get_rel_relkind(dimension) == '\0';
}

/* The names of the quasi-identifiers, and the dimension of each or InvalidOid. */
static int
read_quasi_identifiers(const CohortState *state, Datum **names, Oid **dimensions)
{
	Datum *elements;
	bool *nulls;
	int count;

	deconstruct_array(state->terms.dimensions, REGCLASSOID, sizeof(Oid), true, TYPALIGN_INT,
					  &elements, &nulls, &count);
	*dimensions = palloc0(sizeof(Oid) * Max(count, 1));
	for (int i = 0; i < count; i++)
		(*dimensions)[i] = nulls[i] ? InvalidOid : DatumGetObjectId(elements[i]);
	deconstruct_array(state->terms.quasi_identifiers, NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR,
					  names, NULL, &count);
	return count;
}

void
cohort_state_check(const CohortState *state)
{
	Datum *names;
	Oid *dimensions;
	int count = read_quasi_identifiers(state, &names, &dimensions);
	ListCell *cell;

	check_column(state, "key", state->terms.key);
	for (int i = 0; i < count; i++)
	{
		const char *name = NameStr(*DatumGetName(names[i]));

		check_column(state, "quasi-identifier", name);
		if (is_gone(dimensions[i]))
			ereport(
				ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("releases by cohorts of %s need the dimension of \"%s\", which was"
						" dropped",
						relation_name(state->relation), name),
				 errdetail("Cells are divided by it."),
				 errhint("Declare a dimension of \"%s\", and call kanon_adopt_cohorts.", name)));
	}
	foreach (cell, model_text_read_list(state->terms.models))
		check_column(state, "column", ((const Model *) lfirst(cell))->column);
}

/* Replaces dimensions that were dropped by those declared now, if any. */
static void
adopt_dimensions(Oid relation)
{
	const CohortState *state = cohort_state_find(relation);
	const Description *description = description_load_any(relation);
	Datum *names;
	Oid *dimensions;
	int count = read_quasi_identifiers(state, &names, &dimensions);
	Oid types[] = {INT8OID, INT4OID, OIDOID};

	for (int i = 0; i < count; i++)
	{
		const DescribedAttribute *attribute =
			description_find(description, NameStr(*DatumGetName(names[i])));

		if (is_gone(dimensions[i]) && attribute && OidIsValid(attribute->dimension))
			cohort_state_run(state->table, "UPDATE %s SET dimensions[$2] = $3 WHERE number = $1",
							 lengthof(types), types,
							 (Datum[]){Int64GetDatum(state->number), Int32GetDatum(i + 1),
									   ObjectIdGetDatum(attribute->dimension)});
	}
}

/* ---- nights */

CohortState *
cohort_state_lock(Oid relation)
{
	CohortState *state = cohort_state_find(relation);
	QueryRole caller;
	Oid types[] = {INT8OID};
	Datum values[1];

	if (state == NULL)
		return NULL;
	values[0] = Int64GetDatum(state->number);
	caller = own_table_begin(state->table);
	query_run_with(
		psprintf("UPDATE %s SET night = night + 1 WHERE number = $1", relation_name(state->table)),
		lengthof(types), types, values, NULL, false);
	query_role_end(caller);
	state = cohort_state_find(relation);
	if (state)
	{
		check_home(state);
		cohort_state_check(state);
	}
	return state;
}

static void
scan(const CohortState *state, Oid table, const char *columns, const char *condition,
	 const Oid *types, int count, RowConsumer consumer, void *of)
{
	char *sql = psprintf("SELECT %s FROM %s WHERE cohort = " INT64_FORMAT "%s", columns,
						 relation_name(table), state->number, condition);
	RowSource *source = row_query_create(sql, types, count, false);
	QueryRole caller = own_table_begin(table);

	source->scan(source, consumer, of);
	query_role_end(caller);
}

void
cohort_state_scan_cells(const CohortState *state, RowConsumer consumer, void *of)
{
	const Oid types[] = {INT8OID, BOOLOID, TEXTARRAYOID, TEXTARRAYOID, INT4OID, INT4OID};

	scan(state, state->cells, "cell, shown, low, high, k, present", " ORDER BY cell", types,
		 lengthof(types), consumer, of);
}

void
cohort_state_scan_members(const CohortState *state, RowConsumer consumer, void *of)
{
	const Oid types[] = {BYTEAOID, INT8OID, INT4OID};

	scan(state, state->members, "digest, cell, since", "", types, lengthof(types), consumer, of);
}

void
cohort_state_run(Oid table, const char *sql, int count, const Oid *types, const Datum *values)
{
	own_table_run(table, psprintf(sql, relation_name(table)), count, types, values, NULL);
}

/* SQL: assigns the name. */
#define NAMED(now) "name = " now ", former = array_remove(former || name, " now ")"

void
cohort_state_close(const CohortState *state)
{
	Oid types[] = {INT8OID, INT8OID, TEXTOID, NAMEOID, FLOAT8ARRAYOID};
	Datum values[] = {Int64GetDatum(state->number), Int64GetDatum(state->numbers),
					  CStringGetTextDatum(relation_name(state->relation)),
					  owner_name(state->relation), PointerGetDatum(state->loss)};

	own_table_run(state->table,
				  psprintf("UPDATE %s SET cells = $2, " NAMED(
							   "$3") ", owner = $4, loss = $5 WHERE number = $1",
						   relation_name(state->table)),
				  lengthof(types), types, values, state->loss ? NULL : "    n");
}

/* The name of a table that loses its state stays with the state: it must not begin anew itself. */
void
cohort_state_adopt(Oid relation)
{
	Oid table = own_table_find("kanon_cohort_state");
	Oid types[] = {INT8OID, OIDOID, TEXTOID, TEXTOID};
	const CohortState *state;
	FormerState former;

	cohort_state_check_owner(relation);
	state = cohort_state_find_alone(relation);
	if (state == NULL && !(find_former(table, relation, &former) && former.adoptable))
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
						errmsg("%s has no releases by cohorts", relation_name(relation))));
	cohort_state_run(
		table, "UPDATE %s SET relation = $2, home = $3, " NAMED("$4") " WHERE number = $1",
		lengthof(types), types,
		(Datum[]){Int64GetDatum(state ? state->number : former.number), ObjectIdGetDatum(relation),
				  CStringGetTextDatum(here(table)), CStringGetTextDatum(relation_name(relation))});
	adopt_dimensions(relation);
}

/* Renames the column in the models of the states that have it. */
static void
rename_in_models(Oid table, const Oid *types, const Datum *values)
{
	char *old_name = TextDatumGetCString(values[0]);
	List *updates = NIL;
	ListCell *cell;

	cohort_state_run(table, "SELECT number, models FROM %s c WHERE models <> '' AND " RENAMED, 2,
					 types, values);
	for (uint64 row = 0; row < query_rows(); row++)
	{
		List *models = model_text_read_list(query_text(row, 2));

		foreach (cell, models)
		{
			Model *model = lfirst(cell);

			if (strcmp(model->column, old_name) == 0)
				model->column = TextDatumGetCString(values[1]);
		}
		updates = lappend(updates, psprintf("UPDATE %s SET models = %s WHERE number = %s",
											relation_name(table),
											quote_literal_cstr(model_text_write_list(models)),
											query_text(row, 1)));
	}
	foreach (cell, updates)
		own_table_run(table, lfirst(cell), 0, NULL, NULL, NULL);
}

void
cohort_state_follow_rename(Oid schema, const char *old_name, const char *new_name)
{
	Oid table = get_relname_relid("kanon_cohort_state", schema);
	Oid types[] = {TEXTOID, TEXTOID};
	Datum values[] = {CStringGetTextDatum(old_name), CStringGetTextDatum(new_name)};

	if (!OidIsValid(table))
		return;
	rename_in_models(table, types, values);
	cohort_state_run(table,
					 "UPDATE %s c SET quasi_identifiers ="
					 " array_replace(quasi_identifiers, $1::name, $2::name),"
					 " columns = array_replace(columns, $1::name, $2::name),"
					 " key = CASE WHEN key = $1 THEN $2::name ELSE key END"
					 " WHERE " RENAMED,
					 lengthof(types), types, values);
}

void
cohort_state_follow_names(Oid schema)
{
	Oid table = get_relname_relid("kanon_cohort_state", schema);

	if (OidIsValid(table))
		cohort_state_run(
			table,
			"UPDATE %s c SET " NAMED(
				"r.now") " FROM (SELECT r.oid, format('%%I.%%I', n.nspname, r.relname) AS now"
						 " FROM pg_class r JOIN pg_namespace n ON n.oid = r.relnamespace) r"
						 " WHERE r.oid = c.relation AND r.now <> c.name",
			0, NULL, NULL);
}

void
cohort_state_follow_drop(Oid schema)
{
	Oid table = get_relname_relid("kanon_cohort_state", schema);

	if (OidIsValid(table))
		cohort_state_run(table,
						 "UPDATE %s c SET relation = NULL FROM pg_event_trigger_dropped_objects() d"
						 " WHERE d.classid = 'pg_class'::regclass AND d.objsubid = 0"
						 " AND d.objid = c.relation",
						 0, NULL, NULL);
}

void
cohort_state_notice_end(Oid schema)
{
	Oid table = get_relname_relid("kanon_cohort_state", schema);
	int64 states;

	if (!OidIsValid(table))
		return;
	cohort_state_run(table, "SELECT count(*) FROM %s", 0, NULL, NULL);
	states = query_int8(0, 1);
	if (states > 0)
		ereport(NOTICE,
				(errmsg_plural("the state of releases by cohorts of " INT64_FORMAT
							   " table goes with the extension",
							   "the state of releases by cohorts of " INT64_FORMAT
							   " tables goes with the extension",
							   (unsigned long) states, states),
				 errdetail("Without it nobody knows who was published with whom: new releases would"
						   " tell readers with old copies more than one release does."),
				 errhint("A dump made before keeps it.")));
}
