/*
 * value_type.h
 *		How values of one SQL type are compared, without catalogs.
 *
 * Room sql fills it in from the type's default operator classes.  Variable-length values passed to
 * anything that takes a ValueType must be detoasted; short headers are allowed.
 */
#ifndef KANON_VALUE_TYPE_H
#define KANON_VALUE_TYPE_H

#include "postgres.h"

typedef enum ValueEquality
{
	VALUE_EQUAL_BITS,       /* passed by value, equal if the Datums are equal */
	VALUE_EQUAL_BYTES,      /* varlena, equal if length and bytes are equal */
	VALUE_EQUAL_BY_FUNCTION /* ask compare (or hash, if there is one) */
} ValueEquality;

typedef struct ValueType ValueType;

struct ValueType
{
	int16 length; /* pg_type.typlen */
	bool by_value;
	ValueEquality equality;
	uint32 (*hash)(const ValueType *type, Datum value); /* NULL: the type has no hash function */
	int (*compare)(const ValueType *type, Datum a, Datum b); /* the default btree order */
	/*
	 * For sorting many values: a sort key, and what two keys tell about the order of their values;
	 * 0: nothing, so compare has to decide.  NULL: no keys.
	 */
	Datum (*key)(const ValueType *type, Datum value);
	int (*compare_keys)(const ValueType *type, Datum a, Datum b);
	bool local_order; /* the order depends on a collation, or is not PostgreSQL's own */
	void *state;      /* for these functions */
};

#endif /* KANON_VALUE_TYPE_H */
