/*
 * cell_writer.h
 *		The cells of a recoding, each in its column's format (cell_format_choose).
 */
#ifndef KANON_CELL_WRITER_H
#define KANON_CELL_WRITER_H

#include "postgres.h"

#include "cell/cell_format.h"
#include "record/record_codes.h"

struct CellWriter
{
	const CellFormat *format;
	const DatasetColumn *column;
	const AttributeDomain *domain;
	const MaskedDigits *digits;
	Oid value_type; /* base type of the values */
	Oid type;       /* of the cells */
	/* As formats need it. */
	struct TypeCacheEntry *range;
	Datum hidden; /* where whole values are not shown */
	bool hidden_is_null;
};

/*
 * For the cells of column "number" of these codes, recoded like that; in the current context.
 * The writer goes on using both.
 */
extern CellWriter *cell_writer_create(const RecodingColumn *column, const RecordCodes *codes,
									  int number);

/* A cell, in the current context; *isnull: it is NULL. */
extern Datum cell_writer_write(CellWriter *writer, const RecodedCell *cell, bool *isnull);

#endif /* KANON_CELL_WRITER_H */
