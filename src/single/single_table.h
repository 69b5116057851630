/*
 * single_table.h
 *		The distinct rows of a dataset, and the classes that they form when every value of an
 *		attribute is published as one cell, whatever else the row has: single-dimension recoding
 *		(LeFevre, DeWitt, Ramakrishnan 2005a, section 5).
 *
 * Codes are dense; NULL has the code behind all others.  Losses are whole numbers of SINGLE_UNIT
 * for a cell that hides everything of all attributes, so that sums do not depend on any order.
 */
#ifndef KANON_SINGLE_TABLE_H
#define KANON_SINGLE_TABLE_H

#include "postgres.h"

#include "data/dataset.h"
#include "frequency/count_table.h"
#include "frequency/frequency_space.h"

#define SINGLE_UNIT (1 << 30)

/* What the values of an attribute become, [code] each. */
typedef struct SingleMap
{
	int32 **cell; /* [attribute]: the number of its cell, below the number of cells */
	int32 **loss; /* [attribute]: of that cell, with the attribute's weight */
} SingleMap;

typedef struct SingleTable
{
	int attributes;
	int64 rows;
	int32 groups;    /* distinct rows, in the order of their codes */
	int32 *code;     /* [group * attributes + attribute] */
	int32 *members;  /* [group]: rows */
	int32 *group;    /* [row]: its group */
	int32 *codes;    /* [attribute]: codes, NULL's included */
	bool *has_null;  /* [attribute] */
	int64 **rows_of; /* [attribute][code] */
	Budget *budget;
	/* Of the map that was classified last: */
	int32 *class; /* [group]: number of its class, not dense, below classes */
	int64 *size;  /* [group]: rows of its class */
	int64 classes;
	int32 *leaving; /* [class]: for single_table_small */
	int64 leaving_room;
	/* For that: */
	KeyField *field;
	int words;
	CountTable *table;
	uint64 *key;    /* [group * words] */
	uint64 **place; /* [attribute][code]: the bits of its cell */
} SingleTable;

/*
 * The places of a dataset's records in the order of their cells, of the first attribute of "order"
 * first; NULL for cell: of their codes.  Palloc'd against the dataset's budget.
 * O(attributes * (rows + codes)), independent of the order of the records but among equal ones.
 */
extern int32 *single_table_sort(const Dataset *dataset, int32 *const *cell, const int32 *cells,
								const int *order);

/*
 * The distinct rows of a dataset of records with dense codes; cells: [attribute], how many an
 * attribute can have.  In the current context, against the budget.  O(attributes * rows).
 */
extern SingleTable *single_table_create(const Dataset *dataset, const int32 *cells,
										const int *order);

/* Memory for a map of all its values. */
extern SingleMap single_map_create(const SingleTable *table);

/* Sets class, size and classes.  O(groups * attributes). */
extern void single_table_classify(SingleTable *table, const SingleMap *map);

/*
 * If the rows with codes from .. to of an attribute whose cells are below a number left the classes
 * of the map that was classified: how many rows of classes that had k would then be in smaller
 * ones; "apart": those that leave as well, if they join nobody, otherwise those that stay alone.
 * Far cheaper than to classify.  O(groups).
 */
typedef struct SingleLeaving
{
	int attribute;
	int32 from;
	int32 to;
	const int32 *cell; /* [code]; NULL: all leave */
	int32 below;
	bool rest;
	bool apart;
} SingleLeaving;

extern int64 single_table_small(SingleTable *table, const SingleLeaving *leaving, int64 k);

/* The loss of a row of this group as published. */
static inline int64
single_table_loss(const SingleTable *table, const SingleMap *map, int32 group)
{
	const int32 *code = table->code + (Size) group * table->attributes;
	int64 loss = 0;

	for (int i = 0; i < table->attributes; i++)
		loss += map->loss[i][code[i]];
	return loss;
}

#endif /* KANON_SINGLE_TABLE_H */
