/*
 * release_catalog.h
 *		The table kanon_release_state: one row for each release.
 *
 * Everybody may read it; only these functions write it (release_table.h).  Call all of them within
 * a query scope.
 */
#ifndef KANON_RELEASE_CATALOG_H
#define KANON_RELEASE_CATALOG_H

#include "postgres.h"

#include "relation/description.h"
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
};

/* The contents of a release; known is false if the user may not count them. */
typedef struct ReleaseFigures
{
	bool known;
	int64 rows;
	const char *digest; /* of content_digest.h */
	bool classes_known; /* also false if the recoding makes none */
	int64 classes;
	int64 smallest; /* rows of the smallest class, 0 if there is none */
	int64 people;   /* distinct people in the class that has fewest; 0: rows are counted, or
					 * unknown */
	bool missing_known;
	int64 missing;  /* rows of the relation that are not in the release */
	bool satisfied; /* known if missing is: it has rows and misses no more than it may */
	bool loss_known;
	double loss; /* share of information lost (NCP) */
} ReleaseFigures;

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
 * The declared weights of the release's "count" quasi-identifiers; false if the relation no longer
 * has a column with each name.
 */
extern bool release_catalog_weights(const ReleaseEntry *entry, double *weight, int count);

/* The figures last recorded, without people and digest. */
extern ReleaseFigures release_catalog_figures(Oid release);

/*
 * Adds the release's row, made by the current role and transaction. parameters: jsonb, of
 * release_request.h.
 */
extern void release_catalog_write(const ReleaseEntry *entry, Datum parameters);

/*
 * Records a refresh by the current role.  If levels were chosen when the release was made, the loss
 * stays.
 */
extern void release_catalog_update(Oid release, const ReleaseFigures *figures);

/* Moves the row and declarations of a release to the object that replaces it. */
extern void release_catalog_hand_over(Oid release, Oid heir);

/* Deletes the row of a release. */
extern void release_catalog_delete(Oid release);

/* For a ddl_command_end event trigger, after a column was renamed: renames it in all rows. */
extern void release_catalog_follow_rename(const char *old_name, const char *new_name);

/* For an sql_drop event trigger: deletes the rows of the releases just dropped. */
extern void release_catalog_delete_dropped(void);

#endif /* KANON_RELEASE_CATALOG_H */
