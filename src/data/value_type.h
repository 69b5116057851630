/*
 * value_type.h
 *		How values of one SQL type are told apart and ordered, without catalogs.
 *
 * The room sql fills it from the type's default operator classes.  Variable-length values
 * handed to anything that takes a ValueType are detoasted (a short header is fine).
 */
#ifndef KANON_VALUE_TYPE_H
#define KANON_VALUE_TYPE_H

#include "postgres.h"

typedef enum ValueEquality
{
	VALUE_EQUAL_BITS,       /* passed by value, equal if the Datums are */
	VALUE_EQUAL_BYTES,      /* varlena, equal if length and bytes are */
	VALUE_EQUAL_BY_FUNCTION /* ask compare (and hash, if there is one) */
} ValueEquality;

typedef struct ValueType ValueType;

struct ValueType
{
	int16 length; /* pg_type.typlen */
	bool by_value;
	ValueEquality equality;
	uint32 (*hash)(const ValueType *type, Datum value);      /* NULL: only ordered */
	int (*compare)(const ValueType *type, Datum a, Datum b); /* default btree order */
	/*
	 * For sorting many: a key by value, and what two keys say of the order of their
	 * values; 0 where they do not tell, and compare has to.  NULL: there are no keys.
	 */
	Datum (*key)(const ValueType *type, Datum value);
	int (*compare_keys)(const ValueType *type, Datum a, Datum b);
	bool local_order; /* the order is a collation's, or not PostgreSQL's own */
	void *state;      /* of these functions */
};

#endif /* KANON_VALUE_TYPE_H */
