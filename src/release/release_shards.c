/*
 * release_shards.c
 *		See release_shards.h.
 */
#include "postgres.h"

#include "release/release_shards.h"

#include "access/relation.h"
#include "access/xact.h"
#include "base/names.h"
#include "catalog/pg_type.h"
#include "cell/quality_query.h"
#include "commands/defrem.h"
#include "lib/stringinfo.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "relation/citus.h"
#include "release/release_node_text.h"
#include "release/release_nodes.h"
#include "rewrite/rewriteManip.h"
#include "sql/comparison.h"
#include "sql/name_array.h"
#include "sql/own_extension.h"
#include "sql/query.h"
#include "sql/query_jobs.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"
#include "utils/snapmgr.h"
#include "utils/typcache.h"

/* Parts of a release, enough for the shards of any cluster; a power of 2. */
#define PARTS 1024
/* A row's part, of its cells and PARTS - 1. */
#define PART_OF_CELLS "hashtext(textin(record_out(ROW(%s)))) & %d"

/* A name for the column of parts, which the query does not use. */
static const char *
part_name(Oid query)
{
	const char *name = "part";

	for (int i = 1; get_attnum(query, name) != InvalidAttrNumber; i++)
		name = psprintf("part_%d", i);
	return name;
}

/* Lets workers keep the rows of a new table, by the column of parts. */
static void
distribute(Oid table, const char *part, const char *beside)
{
	query_run_with("SELECT pg_catalog.create_distributed_table($1::pg_catalog.regclass, $2,"
				   " colocate_with => $3)",
				   QUERY_IN_SNAPSHOT, "ott", table, part, beside);
}

void
release_shards_close(Oid release)
{
	List *writers = NIL;

	query_run_with("SELECT DISTINCT CASE a.grantee WHEN 0 THEN 'PUBLIC'"
				   " ELSE quote_ident(pg_get_userbyid(a.grantee)) END"
				   " FROM pg_class c CROSS JOIN LATERAL"
				   " (SELECT coalesce(c.relacl, acldefault('r', c.relowner))"
				   " UNION ALL SELECT attacl FROM pg_attribute WHERE attrelid = c.oid) l (list)"
				   " CROSS JOIN LATERAL aclexplode(l.list) a WHERE c.oid = $1"
				   " AND a.privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')",
				   QUERY_LATEST, "o", release);
	for (uint64 row = 0; row < query_rows(); row++)
		writers = lappend(writers, query_text(row, 1));
	foreach_ptr (const char, writer, writers)
		query_run(psprintf("REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON %s FROM %s CASCADE",
						   relation_name(release), writer),
				  false);
}

Oid
release_shards_create(const ReleaseName *table, Oid query)
{
	const char *name = quote_qualified_identifier(relation_name_schema(table->schema), table->name);
	const char *part = part_name(query);
	Oid made;

	if (!citus_is_installed())
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("release %s cannot be distributed: there is no Citus", name),
						errhint("Choose the storage \"table\" or \"view\".")));
	query_run_with(psprintf("CREATE TABLE %s (LIKE %s, %s pg_catalog.int4 NOT NULL)"
							" PARTITION BY LIST (%s)",
							name, relation_name(query), part, part),
				   QUERY_IN_SNAPSHOT, "");
	made = rights_made(table->schema, table->name);
	distribute(made, part, "none");
	release_shards_close(made);
	return made;
}

/* ---- rows */

/* The column of parts, quoted. */
static const char *
part_of(const ReleaseEntry *entry)
{
	int columns = list_length(array_strings(entry->columns));

	return quote_identifier(get_attname(entry->release, (AttrNumber) (columns + 1), false));
}

/*
 * "s.age, s.zip": the columns of a table or view with those of the release, or its
 * quasi-identifiers.
 */
static const char *
columns_of(const ReleaseEntry *entry, Oid table, bool quasi)
{
	List *names = array_strings(quasi ? entry->quasi_identifiers : entry->columns);
	StringInfoData columns;

	initStringInfo(&columns);
	for (int i = 0; i < list_length(names); i++)
	{
		int at = quasi ? name_array_find(entry->columns, list_nth(names, i)) : i;

		if (at >= 0)
			appendStringInfo(&columns, "%ss.%s", columns.len > 0 ? ", " : "",
							 quote_identifier(get_attname(table, (AttrNumber) (at + 1), false)));
	}
	return columns.data;
}

/*
 * An empty table beside the release, without rights to it for anybody but its owner.  definition:
 * what follows its name.
 */
static Oid
make_beside(const ReleaseEntry *entry, const char *kind, const char *label, const char *definition)
{
	Oid schema = get_rel_namespace(entry->release);
	char *name = ChooseRelationName(get_rel_name(entry->release), NULL, label, schema, false);

	query_run_with(psprintf("CREATE %s %s %s", kind,
							quote_qualified_identifier(relation_name_schema(schema), name),
							definition),
				   QUERY_IN_SNAPSHOT, "");
	return rights_made(schema, name);
}

/* .. like the release. */
static Oid
make_table(const ReleaseEntry *entry, const char *kind, const char *label, const char *like)
{
	const char *release = relation_name(entry->release);
	Oid made = make_beside(entry, kind, label, psprintf("(LIKE %s %s)", release, like));

	distribute(made, part_of(entry), release);
	return made;
}

/* .. of these columns, by one of them. */
static Oid
make_stage(const ReleaseEntry *entry, const char *select, const char *by)
{
	Oid made =
		make_beside(entry, "UNLOGGED TABLE", "stage", psprintf("AS %s WITH NO DATA", select));

	distribute(made, by, relation_name(entry->release));
	return made;
}

/* A partition to be. */
static Oid
make_partition(const ReleaseEntry *entry)
{
	return make_table(entry, "TABLE", "rows", "INCLUDING INDEXES");
}

Oid
release_shards_fill(const ReleaseEntry *entry, const Successor *contents)
{
	Oid made = make_partition(entry);

	query_run_with(psprintf("INSERT INTO %s SELECT s.*, " PART_OF_CELLS " FROM %s s",
							relation_name(made), columns_of(entry, contents->table, true),
							PARTS - 1, relation_name(contents->table)),
				   QUERY_IN_SNAPSHOT, "");
	if (query_rows() != contents->rows)
		elog(ERROR, "Citus wrote " UINT64_FORMAT " of " UINT64_FORMAT " rows", query_rows(),
			 contents->rows);
	release_shards_close(made);
	return made;
}

char *
release_shards_digest(const ReleaseEntry *entry, Oid contents)
{
	List *digests = NIL;

	query_run_with(psprintf("SELECT %s.kanon_view_digest(ROW(%s)) FROM %s s GROUP BY s.%s",
							own_extension_schema_name(), columns_of(entry, contents, false),
							relation_name(contents), part_of(entry)),
				   QUERY_IN_SNAPSHOT, "");
	for (uint64 row = 0; row < query_rows(); row++)
		digests = lappend(digests, query_text(row, 1));
	return content_tally_sum(digests);
}

/* ---- filled on the workers */

/*
 * The text of a release by levels (release_full_domain.c) without its guard and order: its count of
 * the rows of a class is a constant, so that workers need not bring classes together.  NULL if the
 * query looks otherwise.
 */
static const char *
unguarded(const Query *text)
{
	Query *query = copyObject((Query *) text);
	const OpExpr *guard = (const OpExpr *) query->jointree->quals;
	const Var *size = guard && IsA(guard, OpExpr) ? linitial(guard->args) : NULL;
	const RangeTblEntry *rows;
	TargetEntry *counted;

	if (size == NULL || !IsA(size, Var))
		return NULL;
	rows = rt_fetch(size->varno, query->rtable);
	if (rows->rtekind != RTE_SUBQUERY)
		return NULL;
	counted = get_tle_by_resno(rows->subquery->targetList, size->varattno);
	if (counted == NULL || !IsA(counted->expr, WindowFunc))
		return NULL;
	counted->expr = (Expr *) makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(0),
									   false, FLOAT8PASSBYVAL);
	rows->subquery->hasWindowFuncs = contain_windowfuncs((Node *) rows->subquery->targetList);
	if (!rows->subquery->hasWindowFuncs)
		rows->subquery->windowClause = NIL;
	query->jointree->quals = NULL;
	query->sortClause = NIL;
	(void) node_text_note((Node *) query, NULL);
	return pg_get_querydef(query, false);
}

static bool
is_shared_out(Oid relation)
{
	Relation opened = relation_name_open(relation);
	bool plain = opened->rd_rel->relkind == RELKIND_RELATION && !opened->rd_rel->relrowsecurity;

	relation_close(opened, NoLock);
	return plain && citus_distributes(relation);
}

/* All rows, generalized and set apart by part.  Returns their number. */
static int64
set_apart(const ReleaseEntry *entry, const char *rows, Oid stage)
{
	query_run_with(
		psprintf("INSERT INTO %s SELECT s.*, (hash_record_extended(ROW(%s), 0) & %d)::int4"
				 " FROM (%s) s",
				 relation_name(stage), columns_of(entry, entry->query, true), PARTS - 1, rows),
		QUERY_IN_SNAPSHOT, "");
	return (int64) query_rows();
}

/* " ORDER BY ..": all that is published, quasi-identifiers first, so that only equal rows tie. */
static const char *
order_of(const ReleaseEntry *entry, const Description *stage)
{
	StringInfoData order;

	initStringInfo(&order);
	appendStringInfo(&order, " ORDER BY s.%s, %s", part_of(entry),
					 columns_of(entry, stage->relation, true));
	for (int i = 0; i < list_length(array_strings(entry->columns)); i++)
	{
		const DescribedAttribute *column = &stage->attributes[i];

		comparison_append_byte_order(&order, psprintf("s.%s", quote_identifier(column->name)),
									 column->type, column->typmod, column->collation);
	}
	return order.data;
}

/* Takes the classes of at least k rows from the rows set apart. */
static void
take_classes(const ReleaseEntry *entry, Oid stage, Oid made)
{
	const Description *description = description_load_columns(stage);
	const char *size = release_columns_free_quoted(description, "class_size");
	const char *part = part_of(entry);

	query_run_with(psprintf("INSERT INTO %s SELECT %s, s.%s FROM (SELECT s.*, count(*) OVER"
							" (PARTITION BY s.%s, %s) AS %s FROM %s s) s WHERE s.%s >= %d%s",
							relation_name(made), columns_of(entry, stage, false), part, part,
							columns_of(entry, stage, true), size, relation_name(stage), size,
							entry->demand.k, order_of(entry, description)),
				   QUERY_IN_SNAPSHOT, "");
}

/* SQL: the classes in a partition, with their sizes as a column of this name. */
static const char *
classes_of(const ReleaseEntry *entry, Oid made, const char *size)
{
	const char *columns = columns_of(entry, made, true);

	return psprintf("SELECT s.%1$s, %2$s, count(*) AS %3$s FROM %4$s s GROUP BY s.%1$s, %2$s",
					part_of(entry), columns, size, relation_name(made));
}

/* Counts classes (SQL) of a partition, and its rows. */
static void
count_classes(const ReleaseEntry *entry, Oid made, const char *classes, const char *size,
			  ReleaseFigures *figures)
{
	query_run_with(psprintf("SELECT coalesce(sum(c.%1$s), 0)::int8, count(*),"
							" coalesce(min(c.%1$s), 0) FROM %2$s c",
							size, classes),
				   QUERY_IN_SNAPSHOT, "");
	figures->rows = query_int8(0, 1);
	figures->classes = query_int8(0, 2);
	figures->smallest = query_int8(0, 3);
	figures->digest = release_shards_digest(entry, made);
}

/* Can workers tell parts by these cells, each of which has a hash that depends on no setting? */
static bool
are_hashed(const ReleaseEntry *entry)
{
	foreach_ptr (const char, name, array_strings(entry->quasi_identifiers))
	{
		int at = name_array_find(entry->columns, name);
		Oid type = at < 0 ? INT4OID : get_atttype(entry->release, (AttrNumber) (at + 1));

		if (!OidIsValid(lookup_type_cache(type, TYPECACHE_HASH_EXTENDED_PROC)->hash_extended_proc))
			return false;
	}
	return true;
}

/* By levels: into a partition; returns the number of rows read, or -1 if it is not made there. */
static int64
fill_by_levels(const ReleaseEntry *entry, const Query *query, Oid *made, ReleaseFigures *figures)
{
	const char *rows =
		release_models_any(&entry->demand) || !are_hashed(entry) ? NULL : unguarded(query);
	int64 all;
	Oid stage;

	if (rows == NULL)
		return -1;
	stage = make_table(entry, "UNLOGGED TABLE", "stage", "");
	*made = make_partition(entry);
	all = set_apart(entry, rows, stage);
	take_classes(entry, stage, *made);
	query_run(psprintf("DROP TABLE %s", relation_name(stage)), false);
	count_classes(entry, *made, psprintf("(%s)", classes_of(entry, *made, "class_size")),
				  "class_size", figures);
	return all;
}

/* What the cells of these classes lose, in a table that has them. */
static void
measure_loss(const ReleaseEntry *entry, const Description *source, const Description *classes,
			 const char *size, ReleaseFigures *figures)
{
	RecodingFigures filled;
	List *columns = NIL;

	for (int i = 0; i < source->quasi_count; i++)
	{
		CellColumn *column = palloc0(sizeof(CellColumn));
		int at = name_array_find(entry->columns, source->quasi[i]->name);

		if (at < 0)
			return;
		*column = (CellColumn){
			.source = source,
			.quasi = i,
			.release = classes->name,
			.released = description_find(classes, list_nth(array_strings(entry->columns), at)),
			.level = CELL_LEVEL_UNKNOWN};
		columns = lappend(columns, column);
	}
	filled = quality_query_losses(columns, psprintf("sum(r.%s)::int8", size));
	release_catalog_figures_weigh(entry, &filled, figures);
}

/* What the loss is measured of. */
typedef struct LossAttempt
{
	const ReleaseEntry *entry;
	const NodesApart *apart;
	Oid classes;
	const char *size;
	ReleaseFigures *figures;
} LossAttempt;

static void
attempt_loss(void *state)
{
	const LossAttempt *of = state;

	measure_loss(of->entry, of->apart->source, description_load_columns(of->classes), of->size,
				 of->figures);
}

/*
 * Measures what cells lose, in a table that this transaction has written.  It stays unknown if rows
 * came meanwhile with values that nobody knew when the release was begun.
 */
static void
try_loss(LossAttempt attempt)
{
	ErrorData *error;

	PushCopiedSnapshot(GetActiveSnapshot());
	CommandCounterIncrement();
	UpdateActiveSnapshotCommandId();
	error = query_attempt(attempt_loss, &attempt);
	PopActiveSnapshot();
	if (error && error->sqlerrcode != ERRCODE_INVALID_PARAMETER_VALUE)
		ReThrowError(error);
}

/* Groups the rows once, into a table beside them, and measures that. */
static void
measure_classes(const ReleaseEntry *entry, const NodesApart *apart, Oid made,
				ReleaseFigures *figures)
{
	const char *size = release_columns_free_quoted(description_load_columns(made), "class_size");
	const char *select = classes_of(entry, made, size);
	Oid classes = make_stage(entry, select, part_of(entry));
	const char *name = relation_name(classes);

	query_run_with(psprintf("INSERT INTO %s %s", name, select), QUERY_IN_SNAPSHOT, "");
	count_classes(entry, made, name, size, figures);
	/* What those lose that were left out is not known. */
	if (!apart->judged)
		try_loss((LossAttempt){entry, apart, classes, size, figures});
	query_run(psprintf("DROP TABLE %s", name), false);
}

/*
 * SQL: rows of nodes that cells do not show, with a part that tells no more than cells do.
 * "figures": there is a column of them behind the node.
 */
static const char *
hide_nodes(const ReleaseEntry *entry, const char *select, bool figures)
{
	int columns = list_length(array_strings(entry->columns));
	StringInfoData names;
	StringInfoData quasi;
	StringInfoData sql;

	initStringInfo(&names);
	initStringInfo(&quasi);
	initStringInfo(&sql);
	for (int i = 0; i < columns + 1 + (figures ? 1 : 0); i++)
		appendStringInfo(&names, "%sc%d", i > 0 ? ", " : "", i + 1);
	foreach_ptr (const char, name, array_strings(entry->quasi_identifiers))
	{
		int at = name_array_find(entry->columns, name);

		if (at >= 0)
			appendStringInfo(&quasi, "%ss.c%d", quasi.len > 0 ? ", " : "", at + 1);
	}
	appendStringInfoString(&sql, "SELECT ");
	for (int i = 0; i < columns; i++)
		appendStringInfo(&sql, "s.c%d, ", i + 1);
	appendStringInfo(&sql, PART_OF_CELLS, quasi.data, PARTS - 1);
	if (figures)
		appendStringInfo(&sql, ", s.c%d", columns + 2);
	appendStringInfo(&sql, " FROM (%s) s (%s)", select, names.data);
	return sql.data;
}

/*
 * Writes the rows of nodes to a partition.  If people count, a column tells the figures of each
 * node, and goes when they are known.
 */
static void
write_nodes(const ReleaseEntry *entry, const NodesApart *apart, Oid made, ReleaseFigures *figures)
{
	const char *select = apart->shown
							 ? apart->select
							 : hide_nodes(entry, apart->select, entry->demand.person != NULL);
	const char *table = relation_name(made);
	const char *column = "figures";
	RecodingFigures all = {0};

	if (entry->demand.person)
	{
		column = release_columns_free_quoted(description_load_columns(made), column);
		query_run(psprintf("ALTER TABLE %s ADD COLUMN %s bytea", table, column), false);
	}
	query_run_with(psprintf("INSERT INTO %s %s", table, select), QUERY_IN_SNAPSHOT, "");
	if (entry->demand.person == NULL)
		return;
	query_run_with(psprintf("SELECT s.%1$s FROM %2$s s WHERE s.%1$s IS NOT NULL", column, table),
				   QUERY_IN_SNAPSHOT, "");
	for (uint64 row = 0; row < query_rows(); row++)
	{
		bool isnull;
		RecodingFigures part = recoding_figures_read(query_value(row, 1, &isnull));

		recoding_figures_add(&all, &part);
	}
	figures->people = all.people;
	query_run(psprintf("ALTER TABLE %s DROP COLUMN %s", table, column), false);
}

/* By rows, node by node. */
static int64
fill_by_nodes(const ReleaseEntry *entry, const Query *query, Oid *made, ReleaseFigures *figures)
{
	NodesApart apart;

	if (!release_nodes_set_apart(entry, query, make_stage, &apart))
		return -1;
	*made = make_partition(entry);
	write_nodes(entry, &apart, *made, figures);
	query_run(psprintf("DROP TABLE %s", relation_name(apart.table)), false);
	measure_classes(entry, &apart, *made, figures);
	return apart.rows;
}

Oid
release_shards_fill_there(const ReleaseEntry *entry, const Query *query, ReleaseFigures *figures)
{
	Oid made;
	int64 all;

	if (!is_shared_out(entry->relation))
		return InvalidOid;
	*figures = RELEASE_FIGURES_UNKNOWN;
	all = entry->levels ? fill_by_levels(entry, query, &made, figures)
						: fill_by_nodes(entry, query, &made, figures);
	if (all < 0)
		return InvalidOid;
	release_catalog_figures_lack(entry, all - figures->rows, figures);
	release_shards_close(made);
	return made;
}

void
release_shards_swap(Oid release, Oid filled)
{
	const char *name = relation_name(release);
	Oid before = InvalidOid;

	query_run_with("SELECT inhrelid FROM pg_inherits WHERE inhparent = $1", QUERY_LATEST, "o",
				   release);
	if (query_rows() > 0)
		before = (Oid) query_int8(0, 1);
	if (OidIsValid(before))
	{
		const char *old = relation_name_for(before, AccessExclusiveLock);

		query_run(psprintf("ALTER TABLE %s DETACH PARTITION %s", name, old), false);
		query_run(psprintf("DROP TABLE %s", old), false);
	}
	query_run(psprintf("ALTER TABLE %s ATTACH PARTITION %s DEFAULT", name, relation_name(filled)),
			  false);
}
