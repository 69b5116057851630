/*
 * cell_format.h
 *		The formats of cells.  A cell is what a release shows of one quasi-identifier in one row.
 *
 * A recoding describes a cell by codes (RecodedCell): "the values from code 3 to code 7".  A format
 * writes that as a Datum, [20,30), and reads such a Datum as a RecodedCell again.  Writing serves
 * kanon's releases (below), reading those of anybody (cell_reader.h).
 *
 * All else is a function of the RecodedCell, whatever the format: what it loses (metric/loss.h),
 * its level (cell_reader_level), the share of it that a predicate takes (cell_share_of_all), the
 * values that it covers (column_cover).
 *
 * The formats of which one has a column for itself are
 *
 * range	[20,30), where PostgreSQL has a type of such ranges (range_format)
 * digits	9*2*1: each digit shown or hidden by itself, in cells generalized one by one that have
 *			a dimension (digits_format)
 *
 * Those that can stand beside each other in one column are
 *
 * value	53711: means itself; of the values' own type, or as text.  A value may have several
 *			spellings (1.0, 1.00) and become text by a cast or by its output function.  In a
 *			column of the values' type, spelling does not matter.
 * label	537**: of a dimension, for the values below it; at level 0 its values, as texts
 * interval	[a - b]: the values of the source from a to b, for types without ranges, in the type's
 *			order or, if a flat recoding made the release, that of relation/description.h.  A
 *			text can be cut at several places: [a - b - c] may go from a to b - c or from a - b
 *			to c; then it covers both.
 * hidden	*: all.  In columns of other types than texts it is NULL.
 *
 * One text can be several of these.  If the level of all the column's cells is known, it is taken
 * for what has that level; otherwise for what loses most, of labels that of the highest level as a
 * rule, and for [a - b] last of all.
 */
#ifndef KANON_CELL_FORMAT_H
#define KANON_CELL_FORMAT_H

#include "postgres.h"

#include "data/recoding.h"
#include "lib/stringinfo.h"
#include "record/record_codes.h"
#include "relation/description.h"

#define CELL_LEVEL_UNKNOWN (-1)

/* Levels of cells: 0 is a value, 1 to the height are labels of the dimension, then come two more.
 */
#define CELL_LEVEL_ALL(height) ((height) + 1)  /* any value */
#define CELL_LEVEL_PART(height) ((height) + 2) /* a range, or some digits */
#define CELL_LEVELS(height) ((height) + 3)

/* A column of cells to be read. */
typedef struct CellColumn
{
	const Description *source;
	int quasi;                          /* index into source->quasi */
	const char *release;                /* qualified and quoted */
	const DescribedAttribute *released; /* its column */
	int level;     /* hierarchy level of all its cells, or CELL_LEVEL_UNKNOWN */
	bool cellwise; /* cells were generalized one by one */
	bool nulls;    /* what is hidden is NULL, whatever the type */
	bool flat;     /* its recoding is: intervals may follow the order of a dimension */
	bool filled;   /* kanon filled the release from the source: it can be refreshed */
} CellColumn;

/* Writes the cells of a column. */
typedef struct CellWriter
{
	const struct CellFormat *format;
	const DatasetColumn *column;
	Oid value_type;      /* base type of the values */
	Oid type;            /* of the cells */
	RecodingColumn loss; /* measures the losses of its cells (dataset_column_measured) */
	/* As formats need them. */
	struct TypeCacheEntry *range;
	Datum hidden; /* the hidden cell, if whole values are hidden */
	bool hidden_is_null;
	/* How keys are made of cells. */
	bool by_code;
	int16 length;
	bool by_value;
} CellWriter;

struct CellReader;

typedef struct CellFormat
{
	Oid (*type)(Oid value_type);         /* type of cells for a base type; NULL: text */
	void (*prepare)(CellWriter *writer); /* prepares for writing; or NULL */
	/* Writes a cell that is not RECODED_NULL. */
	Datum (*write)(CellWriter *writer, const RecodedCell *cell, bool *isnull);
	/*
	 * Of a format that mixes with no other: returns whether the column has it, and then sets the
	 * reader's domain and state.  NULL: a column may mix it with others.
	 */
	bool (*open)(struct CellReader *reader);
	/*
	 * Adds what a cell that is not NULL can be (cell_reader_add_meaning); nothing if it does not
	 * have the format.  text: the cell's, NULL for formats that mix with no other.
	 */
	void (*read)(struct CellReader *reader, Datum value, const char *text);
} CellFormat;

extern const CellFormat digits_format;

/* All formats, in the order in which cells are read; NULL at the end. */
extern const CellFormat *const cell_formats[];

/*
 * The format for cells of values of a type. "labels": there is a dimension; "digits": it masks
 * single digits.  Without both, cells are spans if "spans" is true; otherwise each value is shown
 * or hidden.
 */
extern const CellFormat *cell_format_choose(Oid type, bool labels, bool digits, bool spans);

/* The type of its cells. */
extern Oid cell_format_type(const CellFormat *format, Oid type);

/*
 * A writer for the cells of column "number" of these codes under this recoding, in the format that
 * cell_format_choose says; in the current context.  Keeps using both.
 */
extern CellWriter *cell_writer_create(const RecodingColumn *column, const RecordCodes *codes,
									  int number);

/* Writes a cell, in the current context; sets *isnull. */
extern Datum cell_writer_write(CellWriter *writer, const RecodedCell *cell, bool *isnull);

/*
 * Appends the key of a cell, of which this was written.  Two cells of a column have the same key if
 * and only if they show the same, whatever codes they are made of; no key is the beginning of
 * another.  By bytes, ranges and values are sorted by their type, texts by their own bytes; what is
 * hidden comes last, and then NULL.
 */
extern void cell_writer_key(const CellWriter *writer, const RecodedCell *cell, Datum written,
							bool isnull, StringInfo key);

/* Appends the key of a mean. */
extern void cell_key_append_mean(StringInfo key, double mean);

#endif /* KANON_CELL_FORMAT_H */
