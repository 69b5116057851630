/*
 * local_table.h
 *		Rows of one region as local recoding works on them: distinct tuples of small codes, what
 *		cells cost, and whether tuples together may be a class.
 *
 * Codes of an attribute are renumbered 0, 1, .. in the order of the values that occur; NULL comes
 * first.  So the codes below any label are an interval still, and the tight label of rows depends
 * on their lowest and highest code alone.  Attributes are taken in the order of ties.
 *
 * Costs are whole numbers, so that no sum depends on the order in which it was taken.  A cell costs
 * its loss (metric/loss.h: NCP of Xu et al. 2006, by leaves) in the table's unit times the
 * attribute's weight; the cost of a class is that of its cells times its rows.
 */
#ifndef KANON_LOCAL_TABLE_H
#define KANON_LOCAL_TABLE_H

#include "postgres.h"

#include "data/dataset.h"
#include "local/local.h"

typedef struct LocalColumn
{
	const RecodingColumn *column;
	int place;      /* of its codes in a record */
	int32 codes;    /* that occur, NULL's included */
	int32 *code;    /* [code here]: that of the dataset */
	bool spans;     /* ordered: several values become a span */
	int top;        /* not spans: the level at which all codes have one label */
	int32 **label;  /* not spans: [0 .. top][code], ascending */
	int64 **cost;   /* not spans: [0 .. top][label] */
	int64 *placing; /* spans: [code]: cost of the span from the lowest value to this */
	int64 all;      /* spans: cost of a cell for values and NULL */
	int32 lowest;   /* the lowest code that is not NULL's: 0 or 1 */
} LocalColumn;

typedef struct LocalTable
{
	Dataset *dataset; /* the records [begin, end), sorted by tuple */
	int64 begin;
	int64 rows;
	const LocalRequest *request;
	Budget *budget;
	int attributes;
	double unit;         /* a power of two, such that the cost of all rows fits into 62 bits */
	LocalColumn *column; /* [attribute] */
	int32 tuples;
	int32 *first;    /* [tuple]: its first record, from the beginning; [tuples]: rows */
	int32 *code;     /* [tuple * attributes + attribute] */
	int64 demanded;  /* rows that a class needs: k, or what models need for their values */
	RowJudge *judge; /* NULL: so many rows are enough */
} LocalTable;

/*
 * Sorts the records [begin, end) and sets up the table, in the current context, against the
 * request's budget.  Columns have the extent of the whole table.  O(rows log rows).
 */
extern LocalTable *local_table_create(Dataset *dataset, int64 begin, int64 end,
									  const RecodingColumn *column, const LocalRequest *request,
									  RowJudge *judge);

static inline const int32 *
local_tuple(const LocalTable *table, int32 tuple)
{
	return table->code + (Size) tuple * table->attributes;
}

static inline int32
local_tuple_rows(const LocalTable *table, int32 tuple)
{
	return table->first[tuple + 1] - table->first[tuple];
}

/* What a cell costs that covers codes from low to high. */
static inline int64
local_cell_cost(const LocalColumn *column, int32 low, int32 high)
{
	int level = 0;

	if (column->spans)
	{
		if (low == high)
			return 0;
		return low < column->lowest ? column->all : column->placing[high] - column->placing[low];
	}
	while (column->label[level][low] != column->label[level][high])
		level++;
	return column->cost[level][column->label[level][low]];
}

/* A cell that covers codes from low to high; equal cells have equal members. */
typedef struct LocalCell
{
	int level;
	int32 low; /* not spans: of the label; spans: the codes, or -1 with NULL */
	int32 high;
} LocalCell;

extern LocalCell local_cell(const LocalColumn *column, int32 low, int32 high);

/* Tuples, in the order of their numbers. */
typedef struct LocalTuples
{
	int32 *tuple;
	int32 count;
} LocalTuples;

extern int64 local_rows(const LocalTable *table, const int32 *tuple, int32 count);

/*
 * Sets low and high, [attribute], to the region of these tuples, and returns what the cells of one
 * row of it cost.  O(tuples * attributes).
 */
extern int64 local_region_measure(const LocalTable *table, const int32 *tuple, int32 count,
								  int32 *low, int32 *high);
extern int64 local_region_cost(const LocalTable *table, const int32 *low, const int32 *high);

/* Do the rows of these tuples satisfy as a class?  O(rows) with models, else O(tuples). */
extern bool local_satisfies(const LocalTable *table, const int32 *tuple, int32 count);

/* Distinct people among the rows of these tuples; 0 if rows are counted. */
extern int64 local_people(const LocalTable *table, const int32 *tuple, int32 count);

#endif /* KANON_LOCAL_TABLE_H */
