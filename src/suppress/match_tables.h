/*
 * match_tables.h
 *		The rows that each row matches while cells are hidden and shown again.
 *
 * Tables by sets of columns (match_rows.h) are made when they are first asked for, and follow each
 * change.  If memory is short, those asked for longest ago are given up.
 */
#ifndef KANON_MATCH_TABLES_H
#define KANON_MATCH_TABLES_H

#include "postgres.h"

#include "suppress/match_rows.h"

typedef struct MatchTables
{
	const MatchRows *rows;
	ColumnSet *shown; /* [row]: the columns that it shows now */
	/* The rest is for match_tables.c. */
	struct HeldTable *table; /* by their columns */
	int tables;
	int64 capacity;
	uint64 questions;
	MemoryContext context;
} MatchTables;

/* All rows show all that they have.  In the current context, against the dataset's budget. */
extern MatchTables *match_tables_create(const MatchRows *rows);

/*
 * The number of rows, itself included, that a row matches by these columns if it shows those of
 * them that it has.  A lookup for each pattern of these columns that rows show; a table that is
 * missing costs a scan of the rows.
 */
extern int64 match_tables_count(MatchTables *tables, int64 row, ColumnSet columns);

/* Now a row shows these columns, which have values.  Some lookups for each table. */
extern void match_tables_show(MatchTables *tables, int64 row, ColumnSet shown);

#endif /* KANON_MATCH_TABLES_H */
