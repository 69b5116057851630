/*
 * release_catalog.h
 *		The table kanon_release: one row for each release.
 *
 * Everybody may read it, nobody writes it but these functions (release_table.h).
 * All run within a query scope.
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
	Oid relation; /* that it was made from */
	const RecodingOps *recoding;
	ReleaseDemand demand; /* by the relation's names, as all columns here */
	ArrayType *columns;   /* name[]: those of the release, in their order; NULL for a mean */
	ArrayType *quasi_identifiers; /* name[] */
	ArrayType *levels;            /* int4[] chosen once and for all, or NULL */
	double suppression;           /* share of the relation's rows that may be dropped */
};

/* The contents of a release; known is false where nobody may count them. */
typedef struct ReleaseFigures
{
	bool known;
	int64 rows;
	const char *digest; /* of content_digest.h */
	bool classes_known; /* false also where the recoding makes none */
	int64 classes;
	int64 smallest; /* rows of the smallest class, 0 if there is none */
	int64 people;   /* different ones in the class that has fewest; 0: rows count, or unknown */
	bool missing_known;
	int64 missing;  /* rows of the relation that it lacks */
	bool satisfied; /* known with missing: there are rows, and it lacks no more than it may */
	bool loss_known;
	double loss; /* share of information lost (NCP) */
} ReleaseFigures;

/* The catalog's OID, given the schema kanon lives in, or InvalidOid. */
extern Oid release_catalog_in(Oid schema);

/* The same, within kanon's own functions: the extension is there. */
extern Oid release_catalog(void);

/* The entry of a release, in the current context, or NULL. */
extern ReleaseEntry *release_catalog_find(Oid catalog, Oid release);

/* The same of what is called that in messages; ERRCODE_WRONG_OBJECT_TYPE if it is no release. */
extern ReleaseEntry *release_catalog_get(Oid catalog, Oid release, const char *name);

/*
 * The same of a release whose owner's privileges the current user has; else
 * ERRCODE_INSUFFICIENT_PRIVILEGE.
 */
extern ReleaseEntry *release_catalog_own(Oid catalog, Oid release);

/*
 * What the release calls a column of the relation now, or NULL if it does not publish it.  In
 * the current context.  Locks the release; ERRCODE_UNDEFINED_TABLE if it is gone.
 */
extern const char *release_catalog_column(const ReleaseEntry *entry, const char *name);

/* name[]: the same for all its quasi-identifiers. */
extern ArrayType *release_catalog_quasi(const ReleaseEntry *entry);

/*
 * What the relation calls the column of that number, from 1, of the release; NULL if it has none
 * such.  In the current context.
 */
extern const char *release_catalog_origin(const ReleaseEntry *entry, AttrNumber number);

/*
 * The declared weights of a release's quasi-identifiers, of which there are "count"; false
 * where the relation has no longer a column of each one's name.
 */
extern bool release_catalog_weights(const ReleaseEntry *entry, double *weight, int count);

/* The figures last recorded, but for people and the digest. */
extern ReleaseFigures release_catalog_figures(Oid catalog, Oid release);

/*
 * Adds a row; who and when are the present role and transaction.  Of a release that has one, what
 * it is made of.  parameters: jsonb, of release_parameters.h.
 */
extern void release_catalog_write(Oid catalog, const ReleaseEntry *entry, Datum parameters);

/* Records a refresh by the present role.  Where levels were chosen, the loss stays what it was
 * then. */
extern void release_catalog_update(Oid catalog, Oid release, const ReleaseFigures *figures);

/* Another object takes the place of a release: its row, and what is declared of it. */
extern void release_catalog_hand_over(Oid catalog, Oid release, Oid heir);

/* Forgets a release. */
extern void release_catalog_delete(Oid catalog, Oid release);

/*
 * Within a ddl_command_end event trigger, after a column was renamed: columns go by the names
 * that they have in the relation now.
 */
extern void release_catalog_follow_rename(Oid catalog, const char *old_name, const char *new_name);

/* Within a sql_drop event trigger: forgets the releases just dropped. */
extern void release_catalog_delete_dropped(Oid catalog);

#endif /* KANON_RELEASE_CATALOG_H */
