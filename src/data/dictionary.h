/*
 * dictionary.h
 *		The values of one attribute, except NULL, and their dense codes 0, 1, 2, .. in order of
 *		appearance.
 */
#ifndef KANON_DICTIONARY_H
#define KANON_DICTIONARY_H

#include "postgres.h"

#include "base/budget.h"

/*
 * How values of one SQL type are compared, without catalogs.  Room sql fills it in from the type's
 * default operator classes.  Variable-length values passed to anything that takes a ValueType must
 * be detoasted; short headers are allowed.
 */
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

typedef struct Dictionary Dictionary;

/*
 * An empty dictionary in a child of the current memory context.  It copies the type and grows
 * against the budget.
 */
extern Dictionary *dictionary_create(const ValueType *type, Budget *budget);

extern void dictionary_free(Dictionary *dictionary);

/*
 * The code of a value; a new value gets a new code and is copied.  Among equal values that are
 * spelled differently, the one kept does not depend on their order.  O(1), or O(log n) if the type
 * has no hash function. _find returns -1 for a new value.
 */
extern int32 dictionary_encode(Dictionary *dictionary, Datum value);
extern int32 dictionary_find(Dictionary *dictionary, Datum value);

/* The same, faster if the value is that of the code *near, which becomes the value's. */
extern int32 dictionary_encode_near(Dictionary *dictionary, Datum value, int32 *near);

extern int32 dictionary_size(const Dictionary *dictionary);

/*
 * The bytes it takes, and will take for one more value: a function of the number and widths of the
 * values, whatever their order.  At least what the allocator has given, except while it grows.
 */
extern Size dictionary_bytes(const Dictionary *dictionary);

/* The value of a code.  It belongs to the dictionary; a later equal value may replace it. */
extern Datum dictionary_value(const Dictionary *dictionary, int32 code);

typedef enum DictionaryOrder
{
	DICTIONARY_BY_TYPE, /* as ORDER BY sorts the values */
	DICTIONARY_BY_BYTES /* the same on every system: by bytes if the type's order is local */
} DictionaryOrder;

/*
 * All codes in an order of the values, palloc'd against the budget; four times as much memory
 * meanwhile.  O(n log n) comparisons, of keys if the type has them.  Answers cancels.
 */
extern int32 *dictionary_order(const Dictionary *dictionary, DictionaryOrder order);

/*
 * Do the values added last but one and last stand in order by bytes?  Also false where a look at
 * two values does not tell: types that are compared by a function.
 */
extern bool dictionary_ascends(const Dictionary *dictionary);

/* May the two orders differ? */
extern bool dictionary_is_local(const Dictionary *dictionary);

#endif /* KANON_DICTIONARY_H */
