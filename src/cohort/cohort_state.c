/*
 * cohort_state.c
 *		See cohort_state.h.
 */
#include "postgres.h"

#include "cohort/cohort_state.h"

#include "access/xlog.h"
#include "catalog/pg_type.h"
#include "executor/tstoreReceiver.h"
#include "miscadmin.h"
#include "model/model.h"
#include "relation/citus.h"
#include "relation/declaration.h"
#include "relation/description.h"
#include "sql/name_array.h"
#include "sql/own_table.h"
#include "sql/relation_name.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"

/* SQL: a state r of a table that had column $1, which is $2 now. */
#define RENAMED                                                                                    \
	"$1::name = ANY (r.quasi_identifiers || r.columns || r.key) AND " OWN_TABLE_RENAMED(           \
		"r.relation")

/*
 * The home of a state.  The table's own OID changes if the extension is created again, so a dump
 * restored in its old place is not taken for the latest state.
 */
static const char *
here(void)
{
	return psprintf("system " UINT64_FORMAT ", database %u, table %u, timeline %u",
					GetSystemIdentifier(), MyDatabaseId, own_table_find("kanon_cohort_state"),
					GetWALInsertionTimeLine());
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

/* SQL: the tables, with their names and owners now. */
#define TABLES                                                                                     \
	"(SELECT r.oid, format('%I.%I', n.nspname, r.relname) AS now,"                                 \
	" pg_get_userbyid(r.relowner) AS owner"                                                        \
	" FROM pg_class r JOIN pg_namespace n ON n.oid = r.relnamespace) r"

/* SQL: assigns the name. */
#define NAMED "name = r.now, former = array_remove(former || name, r.now)"

static CohortTerms
read_terms(void)
{
	return (CohortTerms){
		.rules = {.k = (int) query_int8(0, 2),
				  .wait = (int) query_int8(0, 3),
				  .target_loss = query_double(0, 4),
				  .keep = strcmp(query_text(0, 5), "keep") == 0,
				  .stale = query_double(0, 6),
				  .together = strcmp(query_text(0, 7), "together") == 0},
		.key = query_text(0, 8),
		.quasi_identifiers = query_array(0, 9),
		.dimensions = query_array(0, 10),
		.columns = query_array(0, 11),
		.models = model_text_read_list(query_text(0, 16)),
	};
}

CohortState *
cohort_state_find(Oid relation)
{
	CohortState *state = palloc0(sizeof(CohortState));
	bytea *secret;
	bool isnull;

	state->relation = relation;
	own_table_do("SELECT number, k, wait, target_loss, leavers, stale, reading, key,"
				 " quasi_identifiers, dimensions, columns, night, cells, home, secret, models, loss"
				 " FROM @cohort_state WHERE relation = $1",
				 "o", relation);
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
	state->loss = query_array(0, 17);
	state->name = relation_name(relation);
	return state;
}

CohortState *
cohort_state_get(Oid relation)
{
	CohortState *state = cohort_state_find(relation);

	if (state == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("%s has no state of releases by cohorts", relation_name_shown(relation)),
				 errdetail("Another table continues it, by kanon_adopt_cohorts.")));
	return state;
}

CohortState *
cohort_state_find_alone(Oid relation)
{
	relation_name_hold(relation, ShareUpdateExclusiveLock);
	return cohort_state_find(relation);
}

/*
 * The states that other tables than $2 have, or had, under the name $1: (number, relation or 0, may
 * the table's owner $3 adopt it?).  First those that may be adopted, and of them the owner's own,
 * the latest first.
 */
#define OF_NAME                                                                                    \
	"SELECT c.number, c.relation,"                                                                 \
	" ((r.oid IS NULL OR pg_has_role($3, r.relowner, 'USAGE'))"                                    \
	" AND coalesce((SELECT pg_has_role($3, o.oid, 'USAGE') FROM pg_roles o"                        \
	" WHERE o.rolname = c.owner),"                                                                 \
	" (SELECT o.rolsuper FROM pg_roles o WHERE o.oid = $3)))"                                      \
	" FROM @cohort_state c LEFT JOIN pg_class r ON r.oid = c.relation"                             \
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
find_former(Oid relation, FormerState *former)
{
	/* A local table that Citus took over became a shard, and its name a new table's. */
	citus_show_shards();
	own_table_do(OF_NAME, "too", relation_name(relation), relation, relation_name_owner(relation));
	if (query_rows() == 0)
		return false;
	*former = (FormerState){.number = query_int8(0, 1),
							.relation = (Oid) query_int8(0, 2),
							.adoptable = query_int8(0, 3)};
	return true;
}

/*
 * Raises an error if a table that had this name has a state, which must not be bypassed.  Whose it
 * is, and what the table is called now, is for those who may adopt it.
 */
static void
check_name(Oid relation)
{
	const char *name = relation_name(relation);
	FormerState former;

	if (!find_former(relation, &former))
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
 * Views read tables, tables their partitions and children, and a release in a table its query view:
 * "down" is what $1 reads, "above" what reads $1, "up" what reads any of it.  Members of extensions
 * are not followed: releases read kanon's own tables.
 */
#define RELATED                                                                                    \
	"WITH RECURSIVE reads (reader, of) AS ("                                                       \
	"SELECT r.ev_class, d.refobjid FROM pg_rewrite r JOIN pg_depend d"                             \
	" ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid"                                   \
	" AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> r.ev_class"                        \
	" WHERE NOT EXISTS (SELECT 1 FROM pg_depend e WHERE e.classid = 'pg_class'::regclass"          \
	" AND e.objid = d.refobjid AND e.deptype = 'e')"                                               \
	" UNION SELECT i.inhparent, i.inhrelid FROM pg_inherits i"                                     \
	" UNION SELECT t.release, t.query FROM @release_state t WHERE t.query IS DISTINCT FROM NULL)," \
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
notice_related(Oid relation)
{
	const char *name;
	const char *other;

	own_table_do(RELATED " SELECT c.relation,"
						 " c.relation IN (SELECT relation FROM down)"
						 " OR c.relation IN (SELECT relation FROM above) AS direct"
						 " FROM @cohort_state c JOIN up USING (relation)"
						 " JOIN pg_class r ON r.oid = c.relation"
						 " WHERE c.relation <> $1 AND (pg_has_role($2, r.relowner, 'USAGE')"
						 " OR EXISTS (SELECT 1 FROM @release_state k WHERE k.relation = c.relation"
						 " AND k.recoding = 'cohorts')) ORDER BY direct DESC, c.relation::oid",
				 "oo", relation, GetUserId());
	if (query_rows() == 0)
		return;
	name = relation_name_shown(relation);
	other = relation_name_shown((Oid) query_int8(0, 1));
	ereport(
		NOTICE,
		(query_int8(0, 2)
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
	const CohortRules *rules = &terms->rules;
	RandomKey secret = random_key_unforeseeable();

	if (!anew)
		check_name(relation);
	own_table_do(
		"INSERT INTO @cohort_state (relation, name, k, key, wait, target_loss,"
		" leavers, stale, reading, quasi_identifiers, dimensions, columns,"
		" night, cells, home, secret, owner, models) SELECT $1, r.now, $2, $3, $4, $5, $6,"
		" $7, $8, $9, $10, $11, 0, 0, $12, $13, r.owner, $14 FROM " TABLES " WHERE r.oid = $1",
		"oinidtdtNONtxt", relation, rules->k, terms->key, rules->wait, rules->target_loss,
		rules->keep ? "keep" : "withhold", rules->stale, rules->together ? "together" : "frozen",
		terms->quasi_identifiers, terms->dimensions, terms->columns, here(),
		cstring_to_text_with_len((const char *) secret.byte, RANDOM_KEY),
		model_text_write_list(terms->models));
	notice_related(relation);
}

void
cohort_state_end(const CohortState *state)
{
	own_table_do("UPDATE @cohort_state SET relation = NULL WHERE number = $1", "l", state->number);
}

static void
check_home(const CohortState *state)
{
	if (strcmp(state->home, here()) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("releases by cohorts of %s are advanced elsewhere, or their state was"
						" restored",
						state->name),
				 errdetail("Their home is %s; this is %s.  Copies of two servers, or of a state"
						   " older than the latest copy, would tell more than those of one.",
						   state->home, here()),
				 errhint("If they continue here, from the state of their latest copy, call "
						 "kanon_adopt_cohorts.")));
}

/* ---- what the texts of releases read */

void
cohort_state_put(int64 number, const char *table, Tuplestorestate *rows)
{
	DestReceiver *receiver = CreateDestReceiver(DestTuplestore);

	/* If the table was dropped, it may just be created again: for its former owner. */
	own_table_do("SELECT s.relation, coalesce(s.relation IS NULL"
				 " AND pg_has_role($2, o.oid, 'USAGE'), false) FROM @cohort_state s"
				 " LEFT JOIN pg_roles o ON o.rolname = s.owner WHERE s.number = $1",
				 "lo", number, GetUserId());
	if (query_rows() == 0)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
						errmsg("cohorts " INT64_FORMAT " do not exist", number),
						errhint("Drop the release that reads them and make it again.")));
	if (!own_view_owns((Oid) query_int8(0, 1)) && query_int8(0, 2) == 0)
		ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
						errmsg("permission denied for cohorts " INT64_FORMAT, number),
						errdetail("They are for the owner of their table alone.")));
	SetTuplestoreDestReceiverParams(receiver, rows, CurrentMemoryContext, false, NULL, NULL);
	own_table_stream(receiver, psprintf("SELECT * FROM @%s WHERE cohort = $1", table), "l", number);
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
		 errmsg("releases by cohorts of %s need %s \"%s\", which was dropped", state->name, what,
				name),
		 errdetail("The cells depend on it, and they are never made anew."),
		 errhint("Add a column of that name and type.  Unless it is the key, it may be empty.")));
}

static bool
is_gone(Oid dimension)
{
	return OidIsValid(dimension) && get_rel_relkind(dimension) == '\0';
}

void
cohort_state_check(const CohortState *state)
{
	ListCell *dimension;
	ListCell *quasi;

	check_column(state, "key", state->terms.key);
	forboth(quasi, array_strings(state->terms.quasi_identifiers), dimension,
			oid_array_list(state->terms.dimensions))
	{
		const char *name = lfirst(quasi);

		check_column(state, "quasi-identifier", name);
		if (is_gone(lfirst_oid(dimension)))
			ereport(
				ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("releases by cohorts of %s need the dimension of \"%s\", which was"
						" dropped",
						state->name, name),
				 errdetail("Cells are divided by it."),
				 errhint("Declare a dimension of \"%s\", and call kanon_adopt_cohorts.", name)));
	}
	foreach_ptr (const Model, model, state->terms.models)
		check_column(state, "column", model->column);
}

/* Replaces dimensions that were dropped by those declared now, if any. */
static void
adopt_dimensions(Oid relation)
{
	const CohortState *state = cohort_state_find(relation);
	const Description *description = description_load_any(relation);
	ListCell *quasi;
	ListCell *dimension;

	forboth(quasi, array_strings(state->terms.quasi_identifiers), dimension,
			oid_array_list(state->terms.dimensions))
	{
		const DescribedAttribute *attribute = description_find(description, lfirst(quasi));

		if (is_gone(lfirst_oid(dimension)) && attribute && OidIsValid(attribute->dimension))
			own_table_do("UPDATE @cohort_state SET dimensions[$2] = $3 WHERE number = $1", "lio",
						 state->number, foreach_current_index(quasi) + 1, attribute->dimension);
	}
}

/* ---- nights */

void
cohort_state_report_begun(Oid relation)
{
	ereport(ERROR, (errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
					errmsg("another session has just begun releases by cohorts of %s",
						   relation_name(relation)),
					errhint("Try again.")));
}

CohortState *
cohort_state_lock(Oid relation)
{
	CohortState *state;
	bool visible;

	own_table_claim("UPDATE @cohort_state SET night = night + 1 WHERE relation = $1", "o",
					relation);
	visible = query_rows() > 0;
	state = cohort_state_get(relation);
	if (!visible)
		cohort_state_report_begun(relation);
	check_home(state);
	cohort_state_check(state);
	return state;
}

void
cohort_state_close(const CohortState *state)
{
	own_table_do("UPDATE @cohort_state c SET cells = $2, loss = $3, owner = r.owner, " NAMED
				 " FROM " TABLES " WHERE r.oid = c.relation AND c.number = $1",
				 "llD", state->number, state->numbers, state->loss);
}

/* The name of a table that loses its state stays with the state: it must not begin anew itself. */
void
cohort_state_adopt(Oid relation)
{
	const CohortState *state;
	FormerState former;

	cohort_state_check_owner(relation);
	state = cohort_state_find_alone(relation);
	if (state == NULL && !(find_former(relation, &former) && former.adoptable))
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
						errmsg("%s has no releases by cohorts", relation_name(relation))));
	own_table_do("UPDATE @cohort_state SET relation = $2, home = $3, " NAMED " FROM " TABLES
				 " WHERE r.oid = $2 AND number = $1",
				 "lot", state ? state->number : former.number, relation, here());
	adopt_dimensions(relation);
}

void
cohort_state_follow_rename(const char *old_name, const char *new_name)
{
	declaration_rename_in_models("cohort_state", RENAMED, old_name, new_name);
	own_table_do("UPDATE @cohort_state r SET quasi_identifiers ="
				 " array_replace(quasi_identifiers, $1::name, $2::name),"
				 " columns = array_replace(columns, $1::name, $2::name),"
				 " key = CASE WHEN key = $1 THEN $2::name ELSE key END WHERE " RENAMED,
				 "tt", old_name, new_name);
}

void
cohort_state_follow_names(void)
{
	own_table_do("UPDATE @cohort_state c SET " NAMED " FROM " TABLES
				 " WHERE r.oid = c.relation AND r.now <> c.name",
				 "");
}

void
cohort_state_notice_end(void)
{
	int64 states;

	own_table_do("SELECT count(*) FROM @cohort_state", "");
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
