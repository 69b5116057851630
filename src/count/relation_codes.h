/*
 * relation_codes.h
 *		The rows of a relation as a dataset.
 */
#ifndef KANON_RELATION_CODES_H
#define KANON_RELATION_CODES_H

#include "postgres.h"

#include "data/dataset.h"
#include "dimension/dataset_column.h"
#include "relation/description.h"

/*
 * The most copies of a group in a dataset of rows: enough to show which rows are unique, and
 * nothing more.
 */
#define RELATION_CODES_COPIES 2

/* Takes the key of the last row appended, which is valid during the call. */
typedef void (*KeyConsumer)(void *state, Datum key, bool isnull);

typedef struct RelationRequest
{
	const char *relation; /* in FROM: as grouped_rows names it if rows are counted */
	const char *count;    /* an aggregate: equal rows come once with a count; NULL: every row */
	DescribedAttribute *const *attribute;
	const char *key; /* an expression over a row "s", a text, or NULL; an aggregate if rows are
					  * counted */
	KeyConsumer consumer;
	void *state;
} RelationRequest;

/*
 * Fills an empty dataset by one query.  If rows are counted, a dataset of groups gets their counts,
 * and one of rows gets each row at most RELATION_CODES_COPIES times.  Returns its columns,
 * [attribute], in the current context, with ranks as codes, not final yet. "rows", unless NULL, is
 * set to the relation's number of rows.  Within a query scope, as the current user.  Errors: more
 * than PG_INT32_MAX rows (ERRCODE_PROGRAM_LIMIT_EXCEEDED); a type without order
 * (ERRCODE_UNDEFINED_FUNCTION).
 */
extern DatasetColumn **relation_codes_read(Dataset *dataset, const RelationRequest *request,
										   int64 *rows);

#endif /* KANON_RELATION_CODES_H */
