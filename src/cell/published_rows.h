/*
 * published_rows.h
 *		The rows of a release whose recoding forms classes: the cells of each class and the columns
 *		beside them, class by class, within a class sorted by the columns beside
 *		(record/class_sort.h).
 *
 * After the first row is read, neither the recoding nor its input rows are needed any more.
 */
#ifndef KANON_PUBLISHED_ROWS_H
#define KANON_PUBLISHED_ROWS_H

#include "postgres.h"

#include "data/recoding.h"
#include "record/record_codes.h"

typedef struct PublishedRows PublishedRows;

/*
 * Writes the cells of all classes, piece by piece, and sorts the columns beside them.  Lives in the
 * context, against the budget of the codes; scratch memory comes from the current context.
 */
extern PublishedRows *published_rows_create(Recoding *recoding, const RecordCodes *codes,
											bool means, MemoryContext context);

/*
 * The next row, as a record (class int, cell [, mean], .., field beside, ..): an expanded record in
 * the current context, which the next call overwrites.
 */
extern Datum published_rows_next(PublishedRows *rows);

#endif /* KANON_PUBLISHED_ROWS_H */
