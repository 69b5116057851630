/*
 * part.h
 *		A part of the rows and its division: measured and divided (part.c), judged (part_judge.c),
 *		its division chosen (part_choose.c) at the median (split_median.c) or for a target
 *		(split_measure.c).
 */
#ifndef KANON_PART_H
#define KANON_PART_H

#include "postgres.h"

#include "data/dataset.h"
#include "partition/frequency_group.h"
#include "partition/partition.h"
#include "partition/region.h"
#include "partition/sorted_rows.h"

/* x log2 x in whole steps, so that sums do not depend on their order. */
#define LOG_STEPS                                                                                  \
	16777216.0 /* steps of a unit: with fewer than 2^31 rows, sums stay below 2^60                 \
				*/
#define LOG_SMALL 4096

typedef struct LogTable
{
	int64 small[LOG_SMALL];
} LogTable;

/* The same for all. */
extern const LogTable *log_table_find(void);
extern int64 log_table_compute(int64 x);

static inline int64
log_table_get(const LogTable *table, int64 x)
{
	return x < LOG_SMALL ? table->small[x] : log_table_compute(x);
}

/* The positions of records in the dataset or, for rows that are only counted, their number. */
typedef struct Part
{
	int64 begin;
	int64 end;
} Part;

static inline int64
part_rows(Part part)
{
	return part.end - part.begin;
}

/* One way to divide a part. */
typedef struct Split
{
	PartitionNodeKind kind; /* PARTITION_LEAF: no split */
	int attribute;
	int32 threshold; /* cut, NULL: codes <= threshold go to the first child */
	int level;       /* specialize: of the children's labels */
	int children;    /* number of nonempty children */
	int null_child;  /* cut, specialize: the child with the NULLs; -1: no NULLs */
	int64 first;     /* cut, NULL: rows in the first child */
	bool rest;       /* specialize: the last child has all other labels together */
	bool dealt;      /* cut: rows at the threshold go to both sides so that the first child has
					  * "first" rows */
} Split;

/* A label right below the part's least common ancestor. */
typedef struct PartLabel
{
	int32 rows; /* without NULLs; 0: it does not occur */
	int32 low;  /* codes that occur */
	int32 high;
	uint32 first; /* with a judge: its first entry among the sorted rows */
	int32 child;  /* of a chosen split: the child that its rows go to */
	bool in_rest;
} PartLabel;

/*
 * The children of a specialization by their labels: scratch space for the most labels of a level.
 * Only labels that occur are ever visited.
 */
typedef struct PartChildren
{
	int32 count;
	int32 *code; /* labels that occur; of a chosen split, ascending, and those of the rest last */
	PartLabel *label; /* [code] */
	PartLabel rest;   /* all labels in the rest; no rows: there is none */
	int64 nulls;
	int32 null_label; /* the label that NULLs join, or PART_REST; below: there are none */
} PartChildren;

#define PART_REST PG_INT32_MAX

typedef struct PartLabels
{
	PartChildren *examined; /* of the latest specialization examined */
	PartChildren *chosen;   /* of the one chosen */
} PartLabels;

typedef struct SplitMeasure SplitMeasure;

/* The state of one run of Mondrian. */
typedef struct PartitionRun
{
	Dataset *dataset;
	const PartitionRequest *request;
	int64 demanded;               /* rows that a part needs: k, or what models need for their
								   * values */
	int64 least;                  /* .. that each of two parts needs; fewer in a sample */
	const RecodingColumn *column; /* [attribute] */
	double *width;                /* [attribute], scratch space */
	Region *region;               /* of the current part */
	Region *ties;                 /* of rows that are dealt to both sides */
	RankSelect *select;           /* scratch space for medians */
	RowJudge *judge;              /* NULL: k rows are enough */
	SortedRows *sorted;           /* see part_sorts */
	SplitMeasure *measure;        /* NULL: parts are divided at the median */
	PartLabels *labels;           /* scratch space */
	int64 *next;                  /* likewise, [child] */
	Part *child;                  /* the parts of the last division */
	bool gain;                    /* parts are divided by gain, if not for a target */
	double *weight;               /* of losses, at most 1; [attribute] */
	const LogTable *logs;         /* unless parts are divided at the median */
	/*
	 * The current part if it is known by counts alone; NULL: by its records.  Sides: the target's
	 * class for information gain, then the sensitive columns; if people count, twice, for the
	 * lowest and the highest of their rows, after the people themselves (part_list_sides).
	 */
	const FrequencyGroup *group;
	AttributeSet *missing; /* attributes whose counts were needed and missing */
	bool *unsure;          /* people were too few by counts that may be too low */
	SortedRow *counted;    /* [slots of an attribute], scratch space */
	/*
	 * With a judge: would both sides of a part known by counts satisfy if it were dealt like this?
	 */
	bool (*dealt_satisfies)(void *dealer, const Split *split);
	void *dealer;
} PartitionRun;

/* The rows that each of this many children needs. */
static inline int64
part_least(const PartitionRun *run, int children)
{
	const SampleTest *test = run->request->test;

	return test ? sample_test_least(test, run->demanded, children) : run->demanded;
}

/* Is the attribute divided by cuts? */
static inline bool
part_is_cut(const PartitionRun *run, int attribute)
{
	const RecodingColumn *column = &run->column[attribute];

	return column->dimension == NULL && !(column->plain && run->request->plain_uncut);
}

/* Is a column plain, without a hierarchy? */
static inline bool
part_any_plain(const RecodingColumn *column, int attributes)
{
	bool plain = false;

	for (int i = 0; i < attributes; i++)
		plain |= column[i].plain && column[i].dimension == NULL;
	return plain;
}

/* Are rows sorted: for models, for a target, or by gain to see which plain values are shown? */
static inline bool
part_sorts(PartitionSplit split, bool models, bool plain)
{
	return models || split_takes_target(split) || (split == SPLIT_GAIN && plain);
}

/*
 * The state of a run over the dataset, in the current context, against the request's budget;
 * records that lie elsewhere are only counted.  Columns are those of region_columns.
 */
extern PartitionRun *part_run_create(Dataset *dataset, const PartitionRequest *request,
									 const RecodingColumn *column);

/*
 * The sides that are counted with each code of a part for this request: how many, and of each its
 * values and the sensitive column that it counts, -1 for none; [3 + 2 * columns].
 */
extern int part_list_sides(const PartitionRequest *request, int32 *values, int *column);

/* The most children that any division can have. */
extern int32 part_most_children(const PartitionRequest *request, int attributes);

/*
 * ---- The places where rows of a part lie: records, from the beginning of the part, or slots of
 * one attribute of run->group, each with any number of rows.
 */

static inline Part
part_places(const PartitionRun *run, Part part, int attribute)
{
	if (run->group)
		return (Part){run->group->first_slot[attribute], run->group->first_slot[attribute + 1]};
	return (Part){0, part_rows(part)};
}

static inline int64
part_rows_at(const PartitionRun *run, int64 place)
{
	return run->group ? run->group->rows[place] : 1;
}

static inline int32
part_code_at(const PartitionRun *run, Part part, int attribute, int64 place)
{
	return run->group ? frequency_group_code(run->group, attribute, place)
					  : dataset_record(run->dataset, part.begin + place)[attribute];
}

/* The places of a part that have rows, sorted by an attribute. */
typedef struct SortedPart
{
	const SortedRow *row;
	int64 count;
} SortedPart;

/* The number of rows of an entry. */
static inline int64
sorted_part_rows(const PartitionRun *run, const SortedPart *sorted, int64 entry)
{
	return part_rows_at(run, sorted->row[entry].place);
}

/*
 * Are the codes of the attribute counted?  If not, records that they are missing; results for the
 * part are then meaningless, and it must be examined again.
 */
static inline bool
part_knows(const PartitionRun *run, int attribute)
{
	if (run->group == NULL || frequency_group_has(run->group, attribute))
		return true;
	*run->missing |= UINT64CONST(1) << attribute;
	return false;
}

/* Sets run->region to that of the part. */
extern void part_measure(const PartitionRun *run, Part part);

/* For the part of run->region: the lowest code without NULL; NULL if there are only NULLs. */
extern int32 part_lowest_value(const PartitionRun *run, Part part, int attribute);

/* For the same part: its rows by an attribute, valid until the next call; the code at a rank. */
extern SortedPart part_sort(const PartitionRun *run, Part part, int attribute);
extern RankedCode part_rank(const PartitionRun *run, Part part, int attribute, int64 rank);

/* .. and those beside a threshold that has rows on both sides. */
extern CodesBeside part_beside(const PartitionRun *run, Part part, int attribute, int32 threshold);

/*
 * Sets "split" to NULL | not NULL if the attribute is mixed and both sides have enough rows and
 * satisfy.
 */
extern bool part_split_nulls(const PartitionRun *run, Part part, int attribute, Split *split);

/*
 * Sets "split" to the specialization of the least common ancestor of the part's values to its
 * children, if each child has enough rows and satisfies and there are two.  With rest parts, labels
 * of too few rows, or that fail, go together (part_children.c); otherwise there is a child for each
 * label, and NULLs go to that with the fewest rows, the lowest on a tie, and count there.
 * The region is that of the part; the attribute is hierarchical.  A split to be divided by must be
 * kept before another is examined: that numbers its children.
 */
extern bool part_specialize(const PartitionRun *run, Part part, int attribute, Split *split);
extern void part_keep_children(const PartitionRun *run, Split *split);

/* Scratch space for specializations to at most this many labels. */
extern void part_children_create(PartitionRun *run, int32 most);

/* Does what part_divide does, for a specialization. */
extern void part_divide_by_children(const PartitionRun *run, Part part, const Split *split);

/* Entries of sorted rows: of a label examined, with a judge or when sorted anew; of NULL. */
typedef struct PartRange
{
	int64 begin;
	int64 end;
} PartRange;

extern PartRange part_label_range(const SortedPart *sorted, const PartChildren *children,
								  int32 code, const int32 *ancestor);
extern PartRange part_null_range(const SortedPart *sorted);

/* Sorts the part by an attribute, and finds the labels that were examined there. */
extern SortedPart part_sort_labels(const PartitionRun *run, Part part, int attribute,
								   const int32 *ancestor);

#define SWAP_CODES 4 /* codes swapped at a time; divides the stride */

static inline void
part_swap_records(int32 *one, int32 *other, int stride)
{
	for (int i = 0; i < stride; i += SWAP_CODES)
	{
		int32 codes[SWAP_CODES];

		memcpy(codes, one + i, sizeof(codes));
		memcpy(one + i, other + i, sizeof(codes));
		memcpy(other + i, codes, sizeof(codes));
	}
}

/*
 * Moves the records so that each child's are contiguous, and sets run->child[].  The region is that
 * of the part.
 */
extern void part_divide(const PartitionRun *run, Part part, const Split *split);

/* Likewise, and returns the children: palloc'd, [split->children]. */
extern Part *part_divide_apart(const PartitionRun *run, Part part, const Split *split);

/*
 * Sets "split" to the division of the part; false, and PARTITION_LEAF, if no split is allowable.
 * Sets run->region to that of the part if it has at least 2k rows.
 */
extern bool part_choose(const PartitionRun *run, Part part, Split *split);

/*
 * Mondrian's own criterion for a part whose region is run->region and which has at least 2k rows:
 * separates NULLs, then divides the widest possible attribute at its median (LeFevre, DeWitt,
 * Ramakrishnan 2005b, sections 3.2 and 4).  Sets "split"; false if none is allowable.  O(rows) for
 * each attribute tried.
 */
extern bool split_median(const PartitionRun *run, Part part, Split *split);

/*
 * .. the cut of one ordered attribute beside its median; with models, if neither satisfies, the
 * most balanced one that does.
 */
extern bool split_median_cut(const PartitionRun *run, Part part, int attribute, Split *split);

/*
 * What divisions of the part, whose region is run->region, gain for each bit (split_gain.c): a cut,
 * NULL, and the specialization examined last.
 */
extern double split_gain_of_cut(const PartitionRun *run, Part part, const Split *split);
extern double split_gain_beside(const PartitionRun *run, Part part, const Split *split,
								CodesBeside codes); /* .. a cut of spans, with its codes */
extern double split_gain_of_nulls(const PartitionRun *run, Part part, const Split *split);
extern double split_gain_of_labels(const PartitionRun *run, Part part, const Split *split);

/* What a cell with codes from minimum to maximum loses, in steps of 2^-32 of the greatest weight.
 */
extern int64 split_gain_cost(const PartitionRun *run, int attribute, int32 minimum, int32 maximum);

/* The width of the values, without NULL, as a share of the whole. */
extern double split_median_width(const RecodingColumn *column, int32 lowest, int32 maximum);

/*
 * ---- Do parts and the children of a split satisfy the demand beyond k?  Without such a demand the
 * answer is always yes, at no cost.
 */

/* Judges the part as one class.  O(rows). */
extern bool part_judge_class(const PartitionRun *run, Part part);

/*
 * Judges both sides of a cut or of NULL; does not move records.  The region is that of the part.
 * Not for a cut that is dealt, which does not say which rows go to which side.  O(rows).
 */
extern bool part_judge_split(const PartitionRun *run, Part part, const Split *split);

/* The first entry after those of the same child by these labels; NULLs are a child of their own. */
extern int64 part_child_end(const SortedPart *sorted, int64 begin, const int32 *ancestor);

/* Puts the part into the rest of run->judge, with nothing taken. */
extern void part_judge_begin(const PartitionRun *run, Part part);

/* Takes the rows of one slot of run->group. */
extern void part_judge_take_slot(const PartitionRun *run, int64 slot);

/* Adds the rows at a place of the part to the rest. */
extern void part_judge_add(const PartitionRun *run, Part part, int64 place);

/* Takes the rows at a place of the part. */
static inline void
part_judge_take(const PartitionRun *run, Part part, int64 place)
{
	if (run->group)
		part_judge_take_slot(run, place);
	else
		row_judge_take(run->judge,
					   dataset_row(run->dataset, dataset_record(run->dataset, part.begin + place)));
}

/* Do both the rows taken and the rest satisfy? */
static inline bool
part_judge_both(const PartitionRun *run)
{
	return row_judge_both_hold(run->judge);
}

/*
 * ---- The value of a division for a target (LeFevre, DeWitt 2007, section 1.2): information gain
 * about a class label, or the least squared error of a number.
 *
 * A measure keeps two groups of the rows of one part: those taken and the rest.  At first, all are
 * in the rest.
 */
struct SplitMeasure
{
	/* Starts with another part; none of its rows is taken. */
	void (*begin)(SplitMeasure *measure, const PartitionRun *run, Part part);
	/* Takes the row, or the slot, at this place of the part (by 1), or returns it (by -1). */
	void (*move)(SplitMeasure *measure, uint32 place, int by);
	/*
	 * The worth of the rows taken, or of the rest, as a part of their own.  Worths add up over the
	 * children of a split, and the split with the greatest sum is the best.  They do not depend on
	 * the order in which rows were taken.
	 */
	double (*worth)(const SplitMeasure *measure, bool taken);
	/* While none is taken: does a split of this worth tell enough about the target? */
	bool (*tells)(const SplitMeasure *measure, double worth);
};

/*
 * The measure that the request asks for, in the current context, for parts of up to "records"
 * records, or any rows that are only counted: 4 bytes a record, and 12 bytes a class.  Rows
 * whose number is not finite count as rows but add no error.
 */
extern SplitMeasure *split_measure_create(const PartitionRequest *request, int64 records,
										  const LogTable *logs);

/*
 * Adds the next node in preorder: a part of this many rows, its split and, for a child of a
 * specialization, one of its codes.  In the context of the first call, against the budget.
 */
extern void part_nodes_add(PartitionNodes *nodes, const Split *split, int32 code, int64 rows,
						   Budget *budget);

#endif /* KANON_PART_H */
