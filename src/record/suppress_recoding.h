/*
 * suppress_recoding.h
 *		Local suppression of records: a cell stays as it is, or is NULL.
 *
 * NULL is a value, or matches anything.  In the first case rows that look alike are classes of at
 * least k, which satisfy all models: those of local recoding (local/local.h), where each column
 * shows or hides its values, and, if nothing is demanded beyond k rows, what class_hiding.h makes
 * of them.  In the second, each row matches k rows by all columns, or by any so many that are known
 * (match_hiding.h); its classes are the rows that look alike, of any size.
 */
#ifndef KANON_SUPPRESS_RECODING_H
#define KANON_SUPPRESS_RECODING_H

#include "postgres.h"

#include "record/record_codes.h"

/*
 * For codes in memory that are ranks.  Equal rows may get different cells, the earlier rows these
 * and the later ones those; otherwise the cells depend neither on the order of rows nor on that of
 * columns.  Columns weigh what is declared.  Cells that were NULL count as hidden, because nobody
 * sees the difference.
 */
extern Recoding *suppress_recode(RecordCodes *codes, const RowModels *models,
								 const RecodeOptions *options);

/*
 * Raises ERRCODE_INVALID_PARAMETER_VALUE for models or a person where NULL matches anything, so
 * that there are no classes of rows that look alike, and for known columns where it does not.
 */
extern void suppress_recoding_check(bool null_matches, int known, bool models, bool person);

#endif /* KANON_SUPPRESS_RECODING_H */
