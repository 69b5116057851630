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

/* Takes the key of the row that was appended last, which lives only during the call. */
typedef void (*KeyConsumer)(void *state, Datum key, bool isnull);

typedef struct RelationRequest
{
	const char *relation; /* qualified and quoted */
	const DescribedAttribute *const *attribute;
	AttributeDomain **domain; /* [attribute]: NULL where codes are those of the values; or NULL */
	const char *key;          /* one more expression over a row "s", or NULL; not for groups */
	KeyConsumer consumer;
	void *state;
} RelationRequest;

/* The quasi-identifiers of a relation; palloc'd. */
extern const DescribedAttribute **relation_codes_quasi(const Description *description);

/*
 * Fills a dataset without rows by one query, with GROUP BY if it is one of groups.  Its columns,
 * [attribute], in the current context, are dense and not final yet.  Within a query scope, as the
 * current user.  Errors: more than PG_INT32_MAX rows (ERRCODE_PROGRAM_LIMIT_EXCEEDED); a type
 * without order (ERRCODE_UNDEFINED_FUNCTION).
 */
extern DatasetColumn **relation_codes_read(Dataset *dataset, const RelationRequest *request);

#endif /* KANON_RELATION_CODES_H */
