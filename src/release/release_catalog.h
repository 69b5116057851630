/*
 * release_catalog.h
 *		The table kanon_release_state: one row for each release, with the figures of what it holds.
 *
 * Everybody may read it; only these functions write it (release_table.h).  Call all of them within
 * a query scope.
 */
#ifndef KANON_RELEASE_CATALOG_H
#define KANON_RELEASE_CATALOG_H

#include "postgres.h"

#include <math.h>

#include "release/release_models.h"
#include "release/release_recoding.h"

struct ReleaseEntry
{
	Oid release;
	Oid relation; /* the relation that it was made from */
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
	const char *digest; /* of content_digest.h */
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
 * Adds the release's row, made by the current role and transaction. parameters: jsonb, of
 * release_request.h.
 */
extern void release_catalog_write(const ReleaseEntry *entry, Datum parameters);

/* For a ddl_command_end event trigger, after a column was renamed: renames it in all rows. */
extern void release_catalog_follow_rename(const char *old_name, const char *new_name);

/*
 * Call it before a release is filled: forgets the figures of earlier recodings, because parallel
 * workers may fill this one and leave none.
 */
extern void release_catalog_figures_begin(void);

/*
 * The figures of a release just filled, or of the table with its new contents, and its source: as
 * its owner, with the restrictions of a refresh; unknown if the owner may not read them or it is
 * not populated.
 */
extern ReleaseFigures release_catalog_figures_measure(const ReleaseEntry *entry, Oid contents);

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

#endif /* KANON_RELEASE_CATALOG_H */
