/*
 * release_column.h
 *		The columns of a release, whatever recoding fills them.
 *
 * In the table's order and under their own names: quasi-identifiers, recoded, and
 * sensitive and insensitive columns, as they are.  All others (identifiers, columns
 * nobody declared, declared quasi-identifiers that this release does not use)
 * are left out.
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
	const char *expression; /* the same written anew (sql/fresh_value.h) */
	Oid type;
	int32 typmod;
	Oid collation;
	bool exact;   /* equal values are stored alike */
	bool ordered; /* ORDER BY can sort the type */
} PlainColumn;

/* Is the attribute published, as a quasi-identifier (by its place among them) or as it is? */
extern bool release_column_publishes(const Description *description, int attribute, int *quasi);

/* Names (C strings) of columns left out though nobody called them identifiers. */
extern List *release_column_left_out(const Description *description);

/* The attribute as it is, of a table with the alias s; current context. */
extern PlainColumn release_column_plain(const DescribedAttribute *attribute);

/* Adds ", key", or "\nORDER BY key" for the first one. */
extern void release_column_sort(StringInfo order, const char *key);

/*
 * Adds the sort keys that leave nothing of plain columns to the order of the source:
 * what equals in the type's order and yet differs is told apart by its spelling, last
 * (sql/comparison.h).
 * "by_name": ORDER BY sees the columns under their names (else as expressions over
 * the table, since a name in an expression of ORDER BY means a column of FROM).
 */
extern void release_column_sort_plain(StringInfo order, const PlainColumn *columns, int count,
									  bool by_name);

/*
 * "ORDER BY .." of a window over the table, by the bytes of what the columns hold, so that
 * rows tie only if all of them are alike; "" where there are none.  Current context.
 */
extern char *release_column_window_order(const PlainColumn *columns, int count);

/* "name", or with a number behind it, as no attribute of the table is called. */
extern const char *release_column_free_name(const Description *description, const char *name);

#endif /* KANON_RELEASE_COLUMN_H */
