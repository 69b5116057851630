/*
 * recoding_cells.h
 *		The output of any recoding: for each group a record of its cells (LeFevre, DeWitt,
 *		Ramakrishnan 2005b, section 5, for ranges and means as summary statistics).
 *
 * A record is (class int, cell [, mean], ..) if there are classes, otherwise (cell, ..); a part of
 * a table (RecordRequest.whole) adds (figures bytea).  CellNames names its fields.  With means, a
 * cell of a numeric column without a dimension is followed by the mean of the class as float8, or
 * NULL if the cell is no range.
 */
#ifndef KANON_RECODING_CELLS_H
#define KANON_RECODING_CELLS_H

#include "postgres.h"

#include "access/htup.h"
#include "access/tupdesc.h"
#include "data/recoding.h"
#include "data/row_classes.h"
#include "metric/loss.h"
#include "nodes/pg_list.h"
#include "record/record_codes.h"
#include "record/record_roles.h"
#include "utils/expandedrecord.h"

/* What a recoding has come to. */
typedef struct RecodingFigures
{
	int64 rows;     /* so far */
	int64 classes;  /* as formed: two may look alike; 0: none */
	int64 smallest; /* rows of the class that has fewest */
	int64 people;   /* distinct people in the class that has fewest; 0: rows are counted */
	int attributes; /* attributes with a loss */
	LossSum loss[RECORD_ROLES_MOST]; /* [attribute]: over those rows */
} RecodingFigures;

/* Figures as a bytea for another process, in the current context; and read again. */
extern Datum recoding_figures_write(const RecodingFigures *figures);
extern RecodingFigures recoding_figures_read(Datum written);

/* Adds those of more rows to the figures so far. */
extern void recoding_figures_add(RecodingFigures *figures, const RecodingFigures *more);

/*
 * The figures of all groups of a recoding of these records, piece by piece, without making any;
 * uses the recoding up.  In the current context, against the budget of the codes.
 */
extern RecodingFigures recoding_figures_measure(Recoding *recoding, const RecordCodes *codes);

/*
 * The names of a record's fields, for the code that makes the record and the code that reads it.  A
 * cell has the name of its quasi-identifier, the class "class", the mean of "age" "age_mean", the
 * figures "figures"; if another field has that name, "class_2".  Fields beside the cells keep their
 * names.
 */
typedef struct CellNames
{
	const char *class;
	const char **mean; /* [quasi-identifier]: whether or not there is a mean */
	const char *figures;
} CellNames;

/*
 * The names for these quasi-identifiers (a list of DescribedAttribute) and other fields (a list of
 * String); in the current context.
 */
extern CellNames cell_names_choose(const List *quasi, const List *others);

/*
 * _keep: keeps, for the session, the figures of a recoding all of whose rows were read. _take:
 * returns those kept last and forgets them; 0 rows if there are none.
 */
extern void recoding_figures_keep(const RecodingFigures *figures);
extern RecodingFigures recoding_figures_take(void);

/*
 * The mean loss over the rows for each attribute; false if it was added up for another number of
 * attributes.
 */
extern bool recoding_figures_loss(const RecodingFigures *figures, int attributes, double *mean);

/* The weighted mean of all attributes' losses; 0 if no weight is above 0. */
extern double recoding_figures_weigh(const double *mean, const double *weight, int attributes);

/*
 * The class of each row of a recoding that forms classes, in the current context, against the
 * budget of the codes; uses the recoding up.  Classes are numbered by what they show, cells and
 * means, and those that show the same are one (record/class_order.h).
 */
extern RowClasses *recoding_classes_shown(Recoding *recoding, const RecordCodes *codes, bool means);

/*
 * The rows of a release.  If its recoding forms classes: the cells of each class and the columns
 * beside them, class by class, numbered as above, within a class sorted by the columns beside
 * (record/class_sort.h), so that their order follows from what is published.  After that, neither
 * the recoding nor its input rows are needed any more.  Otherwise the cells of each row, while the
 * recoding lives.
 */
typedef struct PublishedRows PublishedRows;

/*
 * Writes the cells of all classes, piece by piece, and sorts the columns beside them.  Means need
 * classes.  The rows live in the context, those without classes in the current one, too; against
 * the budget of the codes.  Scratch memory comes from the current context.
 */
extern PublishedRows *published_rows_create(Recoding *recoding, const RecordCodes *codes,
											bool means, MemoryContext context);

/*
 * The next row, as a record (class int, cell [, mean], .., field beside, .. [, figures]); without
 * classes, that of a row by order of arrival, from 0.  The last row of a part has the figures of
 * all of it.  An expanded record in the current context, which the next
 * call overwrites.  False if there is none: as many rows are left out.
 */
extern bool published_rows_next(PublishedRows *rows, int64 row, Datum *published);

/* ---- cell_field.c: one named field of many records of a type; expanded records stay so */

typedef struct CellField CellField;

/* A record in one of two forms. */
typedef struct CellRecord
{
	ExpandedRecordHeader *expanded;
	HeapTupleHeader flat; /* detoasted */
} CellRecord;

extern CellRecord cell_field_record(Datum datum);

/*
 * The field of that name in records like this one; in the current context.  Raises
 * ERRCODE_UNDEFINED_COLUMN if there is none, ERRCODE_AMBIGUOUS_COLUMN if there are several.
 */
extern CellField *cell_field_open(CellRecord record, const text *name);

extern void cell_field_free(CellField *field);

/* Is it also the field of that name in this record?  Does not look up names. */
extern bool cell_field_fits(const CellField *field, CellRecord record, const text *name);

extern Oid cell_field_type(const CellField *field);

/* Its value in a record that it fits; values passed by reference belong to the record. */
extern Datum cell_field_value(const CellField *field, CellRecord record, bool *isnull);

#endif /* KANON_RECODING_CELLS_H */
