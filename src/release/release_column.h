/*
 * release_column.h
 *		The columns of a release, for all recodings.
 *
 * They have the table's order and names: quasi-identifiers, recoded, and sensitive and insensitive
 * columns as they are.  All others are left out: identifiers, undeclared columns, and declared
 * quasi-identifiers that this release does not use.
 */
#ifndef KANON_RELEASE_COLUMN_H
#define KANON_RELEASE_COLUMN_H

#include "postgres.h"

#include "lib/stringinfo.h"
#include "nodes/pg_list.h"
#include "relation/description.h"

/* A column that is published as it is. */
typedef struct PlainColumn
{
	const char *attribute;  /* its name */
	const char *name;       /* .. quoted */
	const char *stored;     /* s.name */
	const char *expression; /* the same, written anew (sql/fresh_value.h) */
	Oid type;
	int32 typmod;
	Oid collation;
	bool exact;   /* equal values are stored identically */
	bool ordered; /* the type has a sort order */
} PlainColumn;

/*
 * Is the attribute published, as a quasi-identifier (*quasi: its index, otherwise -1) or as it is?
 */
extern bool release_column_publishes(const Description *description, int attribute, int *quasi);

/* Names (C strings) of columns left out although they are not declared as identifiers. */
extern List *release_column_left_out(const Description *description);

/* The attribute as a plain column of a table with the alias s; in the current context. */
extern PlainColumn release_column_plain(const DescribedAttribute *attribute);

/* Appends ", key", or "\nORDER BY key" for the first one. */
extern void release_column_sort(StringInfo order, const char *key);

/*
 * Appends sort keys after which plain columns no longer depend on the order of the source: values
 * that are equal but differ are ordered by their spelling, last (sql/comparison.h). "by_name":
 * ORDER BY refers to output columns; otherwise to expressions over the table, because a name within
 * an expression of ORDER BY means an input column.
 */
extern void release_column_sort_plain(StringInfo order, const PlainColumn *columns, int count,
									  bool by_name);

/*
 * "ORDER BY .." for a window over the table, by the bytes of the columns, so that only identical
 * rows tie; "" without columns.  In the current context.
 */
extern char *release_column_window_order(const PlainColumn *columns, int count);

/* "name", with a number appended if an attribute of the table has that name. */
extern const char *release_column_free_name(const Description *description, const char *name);

#endif /* KANON_RELEASE_COLUMN_H */
