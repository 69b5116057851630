/*
 * release_text.h
 *		What the texts of all releases share: their columns, the dimensions that kanon's functions
 *		read for them, and the privacy models, with what is checked of these beforehand.
 *
 * Columns have the table's order and names: quasi-identifiers, recoded, and sensitive and
 * insensitive columns as they are.  All others are left out: identifiers, undeclared columns, and
 * declared quasi-identifiers that this release does not use.
 *
 * Dimensions are named twice:
 *
 *	WITH zipcode_dim AS (SELECT d.zip, d.zip3 FROM public.zips d)
 *	SELECT .. public.kanon_view_cells('ring'::pg_catalog.text, 2, quasi.*,
 *	              dimensions => ARRAY[NULL, 'public.zips'::pg_catalog.regclass])
 *
 * A function is given the dimension.  Nothing reads zipcode_dim, so it costs nothing.  It is there
 * for PostgreSQL to know that the release depends on those columns, whatever they are called:
 * their owner cannot drop them or give them another type behind its back, and a dump has the
 * dimension first.
 *
 * The functions take a list with an attribute in each place, of which one without dimension, or a
 * NULL, has none.  A plain attribute, whose values are shown or hidden, has '-'::regclass, the OID
 * 0; with option "ranges" it has NULL.
 */
#ifndef KANON_RELEASE_TEXT_H
#define KANON_RELEASE_TEXT_H

#include "postgres.h"

#include "dimension/sensitive_values.h"
#include "lib/stringinfo.h"
#include "nodes/pg_list.h"
#include "relation/description.h"

/* A column of a release: a quasi-identifier, or a plain one, which is published as it is. */
typedef struct PublishedColumn
{
	const DescribedAttribute *attribute;
	int quasi;              /* its index; -1: plain */
	const char *name;       /* quoted */
	const char *stored;     /* s.name */
	const char *expression; /* the same, written anew (sql/fresh_value.h) */
	Oid type;
	bool exact;   /* equal values are stored identically */
	bool ordered; /* the type has a sort order */
} PublishedColumn;

extern bool release_columns_publishes(const Description *description,
									  const DescribedAttribute *attribute);

/* The columns (PublishedColumn *) of a table with the alias s, in order; the plain ones of them. */
extern List *release_columns_published(const Description *description);
extern List *release_columns_plain(const List *columns);

/* Names (C strings) of columns left out although they are not declared as identifiers. */
extern List *release_columns_left_out(const Description *description);

/* Appends ", key", or "\nORDER BY key" for the first one. */
extern void release_columns_sort(StringInfo order, const char *key);

/*
 * Appends sort keys after which plain columns no longer depend on the order of the source: values
 * that are equal but differ are ordered by their spelling, last (sql/comparison.h). "by_name":
 * ORDER BY refers to output columns; otherwise to expressions over the table, because a name within
 * an expression of ORDER BY means an input column.
 */
extern void release_columns_sort_plain(StringInfo order, const List *plain, bool by_name);

/*
 * "ORDER BY .." for a window over the table, by the bytes of the columns, so that only identical
 * rows tie; "" without columns.  In the current context.
 */
extern char *release_columns_window_order(const List *plain);

/* "name", with a number appended if an attribute of the table has that name. */
extern const char *release_columns_free_name(const Description *description, const char *name);

/* The same, quoted. */
extern const char *release_columns_free_quoted(const Description *description, const char *name);

/*
 * "WITH ..\n" with the columns of each dimension, or "".  Locks the dimensions; call within a query
 * scope.  Raises the errors of dimension_source_load.
 */
extern const char *release_columns_with(const List *attributes);

/*
 * ", name => ARRAY[..]", of regclass; attributes may be NULL, and with no others it is "".  Says
 * NULL for those without dimension, so that nobody looks for declarations of the rows.  plain: with
 * '-' for attributes that are (description_is_plain).
 */
extern const char *release_columns_dimensions(const char *name, const List *attributes, bool plain);

/* ---- models */

/* What every class of a release must satisfy. */
typedef struct ReleaseDemand
{
	int k;
	List *models;       /* of Model */
	const char *person; /* the column whose distinct values count instead of rows, or NULL */
	int known;          /* on any so many quasi-identifiers; 0: all */
	bool null_matches;  /* rows match k, NULL matching anything, instead of having classes */
} ReleaseDemand;

/* Is something else demanded than k rows in each class? */
static inline bool
release_models_any(const ReleaseDemand *demand)
{
	return demand->models != NIL || demand->person != NULL || demand->known > 0;
}

/*
 * Sets the description's demand.  Checks that each model's column is published as it is, and that
 * the person is a column that identifies people and is not a quasi-identifier. Errors: those of
 * description_demand and sensitive_values_check_columns; ERRCODE_INVALID_PARAMETER_VALUE.  Call
 * within a query scope.
 */
extern void release_models_describe(Description *description, const ReleaseDemand *demand);

/*
 * With the demand set: the checks of sensitive_values_read and sensitive_values_check; reads the
 * table as the current user.
 */
extern void release_models_check_values(const Description *description);

/*
 * ", models => .., person => .., model_dimensions => ..", as far as given: arguments of kanon's
 * functions over rows in which the person's column is called person_name (not quoted).  Every name
 * is qualified; dimensions are the declared ones.
 */
extern char *release_models_arguments(const Description *description, const ReleaseDemand *demand,
									  const char *person_name);

/*
 * The call of kanon_view_satisfies that judges the classes of these rows, an alias, by their
 * numbers in a column; both quoted.  If some of the quasi-identifiers are known, these make the
 * classes, and there need be no numbers.
 */
extern char *release_models_guard(const Description *description, const ReleaseDemand *demand,
								  const char *person_name, const char *rows, const char *class);

/*
 * For each model, the attribute whose dimension defines the distances of its values, or NULL if it
 * needs none: see above.
 */
extern List *release_models_dimensions(const Description *description, const ReleaseDemand *demand);

/* "k = 2, distinct(disease, 2) and variance(pay, 100)", for messages; in the current context. */
extern char *release_models_names(const ReleaseDemand *demand);

/*
 * The demand that all rows of the table as one class fail, for messages, or NULL.  The description
 * has it, but for k.  Reads the table as the current user, within a query scope.
 */
extern const char *release_models_failing(const Description *description, int k);

#endif /* KANON_RELEASE_TEXT_H */
