/*
 * release_catalog.h
 *		The tables kanon_release_state, one row for each release with the figures of what it holds,
 *		and kanon_release_history_state, one row for each time that it was filled.
 *
 * Call all of these within a query scope; results are in the current context.
 */
#ifndef KANON_RELEASE_CATALOG_H
#define KANON_RELEASE_CATALOG_H

#include "postgres.h"

#include <math.h>

#include "cell/recoding_cells.h"
#include "count/content_tally.h"
#include "datatype/timestamp.h"
#include "release/release_recoding.h"
#include "release/release_text.h"

struct ReleaseEntry
{
	Oid release;
	bool table;       /* it is stored as a table: see release_table.h */
	bool distributed; /* .. on the workers of Citus: see release_shards.h */
	Oid query;        /* the view whose query is its text: the release, or a table's query view;
					   * InvalidOid if that was dropped */
	Oid relation;     /* the relation that it was made from; InvalidOid if a table outlived it */
	const RecodingOps *recoding;
	ReleaseDemand demand; /* with the relation's column names, like all columns here */
	ArrayType *columns;   /* name[]: origins of the release's columns, in order; NULL for a mean */
	ArrayType *quasi_identifiers; /* name[] */
	ArrayType *levels;            /* int4[], chosen when it was made; or NULL */
	double suppression;           /* share of the relation's rows that may be missing */
	int64 source_rows;            /* of the relation when it was last filled; -1: unknown */
};

/* The contents of a release; unknown if the user may not count them: -1, NaN or NULL. */
typedef struct ReleaseFigures
{
	int64 rows;
	const char *digest; /* of content_tally.h */
	int64 classes;      /* also unknown if the recoding makes none */
	int64 smallest;     /* rows of the smallest class, 0 if there is none */
	int64 people;       /* distinct people in the class that has fewest; 0: rows are counted, or
						 * unknown */
	int64 missing;      /* rows of the relation that are not in the release */
	bool satisfied;     /* known if missing is: it has rows and misses no more than it may */
	double loss;        /* share of information lost (NCP) */
} ReleaseFigures;

#define RELEASE_FIGURES_UNKNOWN                                                                    \
	((ReleaseFigures){.rows = -1, .classes = -1, .missing = -1, .loss = NAN})

/* The entry of a release, in the current context, or NULL. */
extern ReleaseEntry *release_catalog_find(Oid release);

/* The same; raises ERRCODE_WRONG_OBJECT_TYPE, with this name, if it is not a release. */
extern ReleaseEntry *release_catalog_get(Oid release, const char *name);

/*
 * The same for a release whose owner's privileges the current user has; otherwise raises
 * ERRCODE_INSUFFICIENT_PRIVILEGE.
 */
extern ReleaseEntry *release_catalog_own(Oid release);

/* Raises ERRCODE_UNDEFINED_TABLE if the release, a table, has outlived its relation. */
extern void release_catalog_check_relation(const ReleaseEntry *entry);

/*
 * The release's current name for a column of the relation, or NULL if it does not publish it.  In
 * the current context.  Locks the release; raises ERRCODE_UNDEFINED_TABLE if it is gone.
 */
extern const char *release_catalog_column(const ReleaseEntry *entry, const char *name);

/* name[]: the same for all its quasi-identifiers. */
extern ArrayType *release_catalog_quasi(const ReleaseEntry *entry);

/*
 * The relation's name for column number "number", from 1, of the release; NULL if it has none.  In
 * the current context.
 */
extern const char *release_catalog_origin(const ReleaseEntry *entry, AttrNumber number);

/*
 * The digest of its contents, without the column of parts of a distributed one, whose rows are read
 * on the workers.  As content_tally_digest_of.
 */
extern char *release_catalog_digest(const ReleaseEntry *entry);

/*
 * Adds the release's row, made by the current role and transaction. parameters: jsonb, of
 * release_request.h.
 */
extern void release_catalog_write(const ReleaseEntry *entry, Datum parameters);

/* For a ddl_command_end event trigger, after a column was renamed: renames it in all rows. */
extern void release_catalog_follow_rename(const char *old_name, const char *new_name);

/*
 * A tally of rows with the release's columns, for its digest and, if it has classes, for these.
 * filled: a recoding hands them out, and takes memory meanwhile.  In the current context.
 */
extern ContentTally *release_catalog_tally(const ReleaseEntry *entry, bool filled);

/*
 * The tally of a release's contents, read once as its owner, as the refresh did, in the snapshot of
 * the calling statement plus the changes of this transaction.  NULL if it is not populated or,
 * unless that is required, its owner may not read it.
 */
extern ContentTally *release_catalog_read(const ReleaseEntry *entry, bool required);

/*
 * The figures of a release just filled, whose contents lie in "contents", it or another table, and
 * were tallied; of its source the rows are counted, as the release's owner, with the restrictions
 * of a refresh.  If the owner may not, what is missing is unknown or, if it is required, an error
 * (ERRCODE_INSUFFICIENT_PRIVILEGE).  All are unknown without a tally.
 */
extern ReleaseFigures release_catalog_figures_measure(const ReleaseEntry *entry, Oid contents,
													  ContentTally *tally, bool required);

/* Takes note of the loss: that of the recoding, unless the release's is known otherwise. */
extern void release_catalog_figures_weigh(const ReleaseEntry *entry, const RecodingFigures *filled,
										  ReleaseFigures *figures);

/* Takes note of the rows that the relation has more, with the figures of the others known. */
extern void release_catalog_figures_lack(const ReleaseEntry *entry, int64 missing,
										 ReleaseFigures *figures);

/* The errdetail for a release that is empty because it has fewer than k rows. */
extern int release_catalog_figures_too_few(int64 rows, int k);

/* Raises ERRCODE_INVALID_PARAMETER_VALUE: no release can have such a k. */
pg_noreturn extern void release_catalog_figures_exceeded(const char *relation, int k, int64 rows);

/* The other releases of a relation, which a reader may combine with one of it. */
typedef struct ReleaseOthers
{
	Oid relation;
	int count;
	const char *names;   /* some of their names, for a message */
	ArrayType *releases; /* regclass[]: the other releases and the one */
	bool classes;        /* all of them have classes */
	int64 rows;          /* of the relation when the one was made; -1: unknown */
} ReleaseOthers;

/*
 * The others of a release in the catalog, by the active snapshot; within a query scope, in the
 * current context.
 */
extern ReleaseOthers release_catalog_others(Oid release);

/*
 * ---- the history
 *
 * An entry is begun before the release is filled and ended afterwards, in one transaction, so that
 * an interruption leaves none.  Entries outlive their release.  What is told of one release is for
 * its owner; some of it is not public.
 */

/* The column "how". */
#define FILLED_BY_CREATION "created"
#define FILLED_BY_KANON "refreshed"
#define FILLED_BY_REPLACEMENT "replaced"
#define FILLED_BY_ADOPTION "adopted" /* filled by the command that recreated it */
#define FILLED_BY_REFRESH "REFRESH"  /* a plain one; of a release just restored it is "restored" */

/*
 * Begins an entry for a release in the catalog, by the current role, with this start time.  Does
 * nothing if this transaction has an open entry for it: the first caller determines "how".
 */
extern void release_history_begin(Oid release, const char *how, TimestampTz start);

/* Is the open entry that of a release restored from a dump? */
extern bool release_history_restores(Oid release);

/*
 * Records a filling by the current role with these figures: in the catalog, where the loss stays if
 * levels were chosen when the release was made, and in the open entry, if there is one, which ends.
 */
extern void release_history_end(Oid release, const ReleaseFigures *figures);

/* The last filling of a release. */
typedef struct ReleaseFilling
{
	Oid release;
	ReleaseFigures figures; /* without people and digest */
	bool changed_known;
	bool changed; /* the contents differ from those last known */
	double seconds;
} ReleaseFilling;

extern ReleaseFilling release_history_last(Oid release);

/* Adds an entry for a failed filling. name: the release's qualified name, in case it is gone. */
extern void release_history_fail(Oid release, const char *name, const char *message);

/*
 * Gives a dropped release that is adopted under the same name its entries back: the last of that
 * name and its owner since one was created.
 */
extern void release_history_adopt(Oid release, const char *name);

typedef struct ReleaseStory
{
	bool filled; /* it is populated */
	/* Times are in UTC. */
	const char *created;
	const char *created_by;
	const char *refreshed;
	const char *refreshed_by;
	const char *now;   /* when the statement began, which is what it sees of the data */
	const char *kanon; /* versions that last filled it, or the current ones */
	const char *postgresql;
	int64 people;   /* kanon_release.people; 0: unknown */
	int parameters; /* parameters that differ from the default and have no column in
					 * kanon_release */
	const char **parameter;
	const char **value;
} ReleaseStory;

/* One filling.  Unknown: -1 for integers, NaN for the loss. */
typedef struct ReleaseChapter
{
	const char *when;
	double days; /* the same, since 1970 */
	const char *by;
	const char *how;
	int64 source_rows;
	int64 rows;
	int64 missing;
	int64 smallest;
	double loss;
} ReleaseChapter;

extern ReleaseStory release_history_story(Oid release);

/* The last fillings, at most "most", oldest first; returns their number. */
extern int release_history_chapters(Oid release, int most, ReleaseChapter **chapter);

#endif /* KANON_RELEASE_CATALOG_H */
