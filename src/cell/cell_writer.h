/*
 * cell_writer.h
 *		Writes the cells of a recoding, in the format of each column (cell_format_choose).
 */
#ifndef KANON_CELL_WRITER_H
#define KANON_CELL_WRITER_H

#include "postgres.h"

#include "cell/cell_format.h"
#include "dimension/masked_digits.h"
#include "record/record_codes.h"

struct CellWriter
{
	const CellFormat *format;
	const DatasetColumn *column;
	const AttributeDomain *domain;
	const MaskedDigits *digits;
	Oid value_type; /* base type of the values */
	Oid type;       /* of the cells */
	/* As formats need them. */
	struct TypeCacheEntry *range;
	Datum hidden; /* the hidden cell, if whole values are hidden */
	bool hidden_is_null;
};

/*
 * A writer for the cells of column "number" of these codes under this recoding; in the current
 * context.  Keeps using both.
 */
extern CellWriter *cell_writer_create(const RecodingColumn *column, const RecordCodes *codes,
									  int number);

/* The column on which its cells are weighed: [a - b] stands for the values from a to b. */
extern RecodingColumn cell_writer_weighs(const CellWriter *writer, const RecodingColumn *column,
										 const RecordCodes *codes, int number);

/* Writes a cell, in the current context; sets *isnull. */
extern Datum cell_writer_write(CellWriter *writer, const RecodedCell *cell, bool *isnull);

#endif /* KANON_CELL_WRITER_H */
