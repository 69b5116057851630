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

/* Of a group, in a dataset of rows: they tell who is alone, and nothing more. */
#define RELATION_CODES_COPIES 2

/* Takes the key of the row that was appended last, which lives only during the call. */
typedef void (*KeyConsumer)(void *state, Datum key, bool isnull);

typedef struct RelationRequest
{
	const char *relation; /* in FROM: as grouped_rows names it, where rows are counted */
	const char *count;    /* an aggregate: equal rows come once, with it; NULL: rows as they are */
	const DescribedAttribute *const *attribute;
	const char *key; /* one more expression over a row "s", a text, or NULL; an aggregate where
					  * rows are counted */
	KeyConsumer consumer;
	void *state;
} RelationRequest;

/* The quasi-identifiers of a relation; palloc'd. */
extern const DescribedAttribute **relation_codes_quasi(const Description *description);

/*
 * Fills a dataset without rows by one query.  Where rows are counted, one of groups has how many
 * they are, and any other each row RELATION_CODES_COPIES times at most.  Its columns,
 * [attribute], in the current context, are dense and not final yet.  "rows", unless NULL, is how
 * many the relation has.  Within a query scope, as the current user.  Errors: more than
 * PG_INT32_MAX rows (ERRCODE_PROGRAM_LIMIT_EXCEEDED); a type without order
 * (ERRCODE_UNDEFINED_FUNCTION).
 */
extern DatasetColumn **relation_codes_read(Dataset *dataset, const RelationRequest *request,
										   int64 *rows);

#endif /* KANON_RELATION_CODES_H */
