/*
 * value.h
 *		Values of SQL types as ranks 1 to 4 meet them, made from numbers: equal
 *		numbers give equal values, different numbers different ones.
 */
#ifndef OUTSIDE_VALUE_H
#define OUTSIDE_VALUE_H

#include "postgres.h"

#include "data/dictionary.h"

typedef enum ValueKind
{
	VALUE_INTEGER, /* by value, compared by bits */
	VALUE_TEXT,    /* varlena, compared by bytes */
	VALUE_FOLDED,  /* varlena, compared and hashed by functions: upper or lower case */
	VALUE_FIXED,   /* 16 bytes, compared and hashed by functions */
	VALUE_STRING,  /* ends with a zero byte, compared and hashed by functions */
	VALUE_ORDERED, /* as VALUE_FOLDED, but without a hash function */
	VALUE_KINDS
} ValueKind;

extern ValueType value_type(ValueKind kind);

/*
 * A value; variants of the same number are equal, though perhaps with other
 * bytes.  In a chunk of exactly its size; free it with value_free.
 */
extern Datum value_make(ValueKind kind, int number, int variant);
extern void value_free(ValueKind kind, Datum value);

extern bool value_equal(ValueKind kind, Datum a, Datum b);

#endif /* OUTSIDE_VALUE_H */
