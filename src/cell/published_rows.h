/*
 * published_rows.h
 *		The rows of a release whose recoding forms classes: the cells of each and what stands
 *		beside them, class by class, those of a class by what stands beside (record/class_sort.h).
 *
 * Nothing of the recoding, nor of the rows that it was made of, is needed any more when the first
 * row is read.
 */
#ifndef KANON_PUBLISHED_ROWS_H
#define KANON_PUBLISHED_ROWS_H

#include "postgres.h"

#include "data/recoding.h"
#include "record/record_codes.h"

typedef struct PublishedRows PublishedRows;

/*
 * Writes the cells of all classes, piece by piece, and sorts what the codes keep beside them.
 * Lives in the context, against the budget of the codes; what is needed meanwhile lies in the
 * current one.
 */
extern PublishedRows *published_rows_create(Recoding *recoding, const RecordCodes *codes,
											bool means, MemoryContext context);

/*
 * The next row, as a record (class int, cell [, mean], .., field beside, ..): a pointer to an
 * expanded one, in the current context, which is the next row when that is asked for.
 */
extern Datum published_rows_next(PublishedRows *rows);

#endif /* KANON_PUBLISHED_ROWS_H */
