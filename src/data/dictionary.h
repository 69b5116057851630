/*
 * dictionary.h
 *		Values of one attribute, NULL apart, <-> dense codes 0, 1, 2, .. in order of
 *		appearance.
 */
#ifndef KANON_DICTIONARY_H
#define KANON_DICTIONARY_H

#include "postgres.h"

#include "base/budget.h"
#include "data/value_type.h"

typedef struct Dictionary Dictionary;

/*
 * An empty dictionary in the current memory context, with one of its own below; the type is
 * copied.  It grows against the budget.
 */
extern Dictionary *dictionary_create(const ValueType *type, Budget *budget);

/*
 * The code of a value, a new one where it is new.  Copies the value; of equal values that look
 * different the one that is kept does not depend on their order.  O(1), or O(log n) where the
 * type cannot be hashed.  _find: or -1.
 */
extern int32 dictionary_encode(Dictionary *dictionary, Datum value);
extern int32 dictionary_find(Dictionary *dictionary, Datum value);

extern int32 dictionary_size(const Dictionary *dictionary);

/* The value of a code; it belongs to the dictionary, and later values may take its place. */
extern Datum dictionary_value(const Dictionary *dictionary, int32 code);

typedef enum DictionaryOrder
{
	DICTIONARY_BY_TYPE, /* as ORDER BY sorts the values */
	DICTIONARY_BY_BYTES /* the same everywhere: by their bytes where the type's order is local */
} DictionaryOrder;

/*
 * All codes in an order of the values, palloc'd against the budget, with as much room again four
 * times over meanwhile.  O(n log n) comparisons, of keys where the type has them; answers
 * interrupts.
 */
extern int32 *dictionary_order(const Dictionary *dictionary, DictionaryOrder order);

/* May the two orders differ? */
extern bool dictionary_is_local(const Dictionary *dictionary);

#endif /* KANON_DICTIONARY_H */
