/*
 * dictionary.c
 *		See dictionary.h.
 *
 * Types with a hash function use PostgreSQL's simplehash, the few that can only be ordered (money,
 * bit, tsvector, ..) its red-black tree.  Numbers, dates and text with a deterministic collation,
 * which nearly all columns are, are hashed and compared by their bytes, without calling the type's
 * functions.  Short text is hashed without any call, which saves a tenth of a search.  Encoding is
 * the largest part of reading a table: measured, a third of a search on 45,000 rows of nine text
 * columns.
 *
 * The table grows with the number of values alone, never because many collide, which would depend
 * on their order.  So that nobody can choose bytes that collide, each dictionary has a random key.
 * Values of other types collide if their type's hash function, which has no key, says so.
 */
#include "postgres.h"

#include "data/dictionary.h"

#include "common/pg_prng.h"
#include "data/bytes_hash.h"
#include "lib/rbtree.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/datum.h"
#include "utils/memutils.h"

typedef struct DictionaryEntry
{
	Datum value;
	uint32 hash;
	int32 code;
	int32 bytes; /* of the widest spelling so far */
	char status;
} DictionaryEntry;

typedef struct DictionaryNode
{
	RBTNode node;
	DictionaryEntry entry;
} DictionaryNode;

static inline uint32 value_hash(const Dictionary *dictionary, Datum value);
static inline bool value_equal(const ValueType *type, Datum a, Datum b);

struct Dictionary
{
	ValueType type;
	Budget *budget;
	MemoryContext context;     /* of its own */
	Size allocated;            /* bytes of the context at the last budget check */
	Size copied;               /* bytes of the values' copies, each in its widest spelling */
	uint64 key;                /* of hashes */
	struct values_hash *table; /* of types with a hash function */
	RBTree *tree;              /* of the others */
	Datum *values;             /* by code */
	int32 size;
	int32 capacity;
};

#define PURPOSE "dictionary of values"
#define FIRST_CAPACITY 16 /* most dictionaries hold labels, of which there are few */
#define FILL 0.9          /* of the table, before it grows */
/* What the allocator takes: chunks of powers of two, from some size on each in its own block. */
#define CHUNK_HEADER 16
#define CHUNK_MOST 1024
#define BLOCK_HEADER 64
#define EMPTY_BYTES 1024

#define SH_PREFIX values
#define SH_ELEMENT_TYPE DictionaryEntry
#define SH_KEY_TYPE Datum
#define SH_KEY value
#define SH_HASH_KEY(table, key) value_hash((const Dictionary *) (table)->private_data, key)
#define SH_EQUAL(table, a, b) value_equal(&((const Dictionary *) (table)->private_data)->type, a, b)
#define SH_STORE_HASH
#define SH_USE_NONDEFAULT_ALLOCATOR
#define SH_GET_HASH(table, entry) (entry)->hash
#define SH_FILLFACTOR FILL
#define SH_GROW_MIN_FILLFACTOR 1.0
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "base/compat.h"
#include "base/context.h"
#include "lib/simplehash.h"

static inline void *
values_allocate(values_hash *table, Size size)
{
	const Dictionary *dictionary = table->private_data;

	return budget_allocate_in(dictionary->budget, table->ctx, size, PURPOSE);
}

static inline void
values_free(values_hash *table, void *entries)
{
	(void) table;
	pfree(entries);
}

static inline uint32
value_hash(const Dictionary *dictionary, Datum value)
{
	const ValueType *type = &dictionary->type;

	switch (type->equality)
	{
		case VALUE_EQUAL_BITS:
			return hash_mix((uint64) value ^ dictionary->key);
		case VALUE_EQUAL_BYTES:
			return bytes_hash(VARDATA_ANY(DatumGetPointer(value)),
							  VARSIZE_ANY_EXHDR(DatumGetPointer(value)), dictionary->key);
		default:
			return hash_mix(type->hash(type, value) ^ dictionary->key);
	}
}

static inline bool
value_equal(const ValueType *type, Datum a, Datum b)
{
	switch (type->equality)
	{
		case VALUE_EQUAL_BITS:
			return a == b;
		case VALUE_EQUAL_BYTES:
		{
			Size length = VARSIZE_ANY_EXHDR(DatumGetPointer(a));

			return length == VARSIZE_ANY_EXHDR(DatumGetPointer(b)) &&
				   memcmp(VARDATA_ANY(DatumGetPointer(a)), VARDATA_ANY(DatumGetPointer(b)),
						  length) == 0;
		}
		default:
			return type->compare(type, a, b) == 0;
	}
}

static int
node_compare(const RBTNode *a, const RBTNode *b, void *arg)
{
	const ValueType *type = &((const Dictionary *) arg)->type;

	return type->compare(type, ((const DictionaryNode *) a)->entry.value,
						 ((const DictionaryNode *) b)->entry.value);
}

/* The node of an equal value stays as it is. */
static void
node_combine(RBTNode *existing, const RBTNode *new, void *arg)
{
	(void) existing;
	(void) new;
	(void) arg;
}

static RBTNode *
node_alloc(void *arg)
{
	return MemoryContextAlloc(((const Dictionary *) arg)->context, sizeof(DictionaryNode));
}

Dictionary *
dictionary_create(const ValueType *type, Budget *budget)
{
	Dictionary *dictionary = palloc0(sizeof(Dictionary));

	dictionary->type = *type;
	dictionary->budget = budget;
	dictionary->key = pg_prng_uint64(&pg_global_prng_state);
	dictionary->context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon dictionary", CONTEXT_SMALL_SIZES);
	dictionary->capacity = FIRST_CAPACITY;
	dictionary->values =
		MemoryContextAlloc(dictionary->context, sizeof(Datum) * dictionary->capacity);
	if (type->equality == VALUE_EQUAL_BY_FUNCTION && type->hash == NULL)
		dictionary->tree = rbt_create(sizeof(DictionaryNode), node_compare, node_combine,
									  node_alloc, NULL, dictionary);
	else
		dictionary->table = values_create(dictionary->context, FIRST_CAPACITY, dictionary);
	return dictionary;
}

void
dictionary_free(Dictionary *dictionary)
{
	if (dictionary->tree)
		pfree(dictionary->tree);
	MemoryContextDelete(dictionary->context);
	pfree(dictionary);
}

/* Values and nodes are small, so the budget is checked only when the context has grown. */
static Datum
copy_value(Dictionary *dictionary, Datum value)
{
	MemoryContext previous = MemoryContextSwitchTo(dictionary->context);
	Datum copy = datumCopy(value, dictionary->type.by_value, dictionary->type.length);
	Size allocated = MemoryContextMemAllocated(dictionary->context, false);

	MemoryContextSwitchTo(previous);
	if (allocated != dictionary->allocated)
		budget_check(dictionary->budget, 0, PURPOSE);
	dictionary->allocated = allocated;
	return copy;
}

/* At most what the allocator takes for a request, its part of the block included. */
static int32
chunk_bytes(Size request)
{
	Size chunk = CHUNK_HEADER + (request > CHUNK_MOST ? MAXALIGN(request) + BLOCK_HEADER
													  : pg_nextpower2_size_t(Max(request, 8)));

	return (int32) Min(chunk + chunk / 7, PG_INT32_MAX);
}

/* .. for a copy of the value, whose header may be short. */
static int32
copy_bytes(const Dictionary *dictionary, Datum value)
{
	const ValueType *type = &dictionary->type;

	if (type->by_value)
		return 0;
	if (type->length == -1)
		return chunk_bytes(VARSIZE_ANY_EXHDR(DatumGetPointer(value)) + VARHDRSZ);
	return chunk_bytes(datumGetSize(value, false, type->length));
}

/* The least capacity, doubled from the first one, for one more than this many values. */
static Size
room_for(Size first, double fill, int32 values)
{
	Size capacity = first;

	while ((Size) values >= (Size) ((double) capacity * fill))
		capacity *= 2;
	return capacity;
}

Size
dictionary_bytes(const Dictionary *dictionary)
{
	Size bytes = EMPTY_BYTES + dictionary->copied +
				 sizeof(Datum) * room_for(FIRST_CAPACITY, 1, dictionary->size);

	if (dictionary->tree)
		return bytes + (Size) chunk_bytes(sizeof(DictionaryNode)) * (dictionary->size + 1);
	return bytes + sizeof(DictionaryEntry) * room_for(2 * FIRST_CAPACITY, FILL, dictionary->size);
}

/* Copies the value and gives it the next code. */
static int32
append_value(Dictionary *dictionary, Datum value)
{
	int32 code = dictionary->size;

	if (code == dictionary->capacity)
	{
		if (dictionary->capacity > PG_INT32_MAX / 2)
			ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
							errmsg("an attribute has more than %d values", dictionary->capacity)));
		budget_check(dictionary->budget, sizeof(Datum) * dictionary->capacity, PURPOSE);
		dictionary->capacity *= 2;
		dictionary->values =
			repalloc_huge(dictionary->values, sizeof(Datum) * dictionary->capacity);
	}
	dictionary->copied += copy_bytes(dictionary, value);
	dictionary->values[code] = copy_value(dictionary, value);
	dictionary->size++;
	return code;
}

static int
compare_bytes(const ValueType *type, Datum a, Datum b)
{
	const char *x = DatumGetPointer(a);
	const char *y = DatumGetPointer(b);
	Size lengths[2];
	int order;

	if (type->by_value)
		return a < b ? -1 : a > b;
	if (type->length == -2)
		return strcmp(x, y);
	if (type->length > 0)
		return memcmp(x, y, type->length);
	lengths[0] = VARSIZE_ANY_EXHDR(x);
	lengths[1] = VARSIZE_ANY_EXHDR(y);
	order = memcmp(VARDATA_ANY(x), VARDATA_ANY(y), Min(lengths[0], lengths[1]));
	return order != 0 ? order : lengths[0] < lengths[1] ? -1 : lengths[0] > lengths[1];
}

/*
 * Equal values may be spelled differently: 1.5 and 1.50, 0 and -0.  The spelling with the least
 * bytes represents the code, whichever came first.
 */
static inline void
choose_spelling(Dictionary *dictionary, DictionaryEntry *entry, Datum value)
{
	Datum old = entry->value;
	int32 bytes;

	if (dictionary->type.equality != VALUE_EQUAL_BY_FUNCTION)
		return;
	bytes = copy_bytes(dictionary, value);
	if (bytes > entry->bytes)
	{
		dictionary->copied += bytes - entry->bytes;
		entry->bytes = bytes;
	}
	if (compare_bytes(&dictionary->type, value, old) >= 0)
		return;
	entry->value = dictionary->values[entry->code] = copy_value(dictionary, value);
	if (!dictionary->type.by_value)
		pfree(DatumGetPointer(old));
}

static inline DictionaryEntry *
tree_insert(Dictionary *dictionary, Datum value, bool *found)
{
	DictionaryNode key = {.entry.value = value};
	bool is_new;
	RBTNode *node = rbt_insert(dictionary->tree, &key.node, &is_new);

	*found = !is_new;
	return &((DictionaryNode *) node)->entry;
}

static inline DictionaryEntry *
tree_lookup(const Dictionary *dictionary, Datum value)
{
	DictionaryNode key = {.entry.value = value};
	RBTNode *node = rbt_find(dictionary->tree, &key.node);

	return node ? &((DictionaryNode *) node)->entry : NULL;
}

int32
dictionary_encode(Dictionary *dictionary, Datum value)
{
	bool found;
	DictionaryEntry *entry = dictionary->tree ? tree_insert(dictionary, value, &found)
											  : values_insert(dictionary->table, value, &found);

	if (found)
		choose_spelling(dictionary, entry, value);
	else
	{
		entry->code = append_value(dictionary, value);
		entry->value = dictionary->values[entry->code];
		entry->bytes = copy_bytes(dictionary, value);
	}
	return entry->code;
}

int32
dictionary_encode_near(Dictionary *dictionary, Datum value, int32 *near)
{
	const ValueType *type = &dictionary->type;

	if (type->equality == VALUE_EQUAL_BY_FUNCTION || *near >= dictionary->size ||
		!value_equal(type, value, dictionary->values[*near]))
		*near = dictionary_encode(dictionary, value);
	return *near;
}

int32
dictionary_find(Dictionary *dictionary, Datum value)
{
	const DictionaryEntry *entry =
		dictionary->tree ? tree_lookup(dictionary, value) : values_lookup(dictionary->table, value);

	return entry ? entry->code : -1;
}

int32
dictionary_size(const Dictionary *dictionary)
{
	return dictionary->size;
}

Datum
dictionary_value(const Dictionary *dictionary, int32 code)
{
	Assert(code >= 0 && code < dictionary->size);
	return dictionary->values[code];
}

/* A code and the sort key of its value. */
typedef struct KeyedCode
{
	Datum key;
	int32 code;
} KeyedCode;

static int
compare_codes(const void *a, const void *b, void *arg)
{
	const Dictionary *dictionary = arg;
	const ValueType *type = &dictionary->type;
	const KeyedCode *x = a;
	const KeyedCode *y = b;
	int order = type->key ? type->compare_keys(type, x->key, y->key) : 0;

	CHECK_FOR_INTERRUPTS();
	if (order != 0)
		return order;
	return type->compare(type, dictionary->values[x->code], dictionary->values[y->code]);
}

/* Compares values by their bytes. */
static int
compare_code_bytes(const void *a, const void *b, void *arg)
{
	const Dictionary *dictionary = arg;

	CHECK_FOR_INTERRUPTS();
	return compare_bytes(&dictionary->type, dictionary->values[((const KeyedCode *) a)->code],
						 dictionary->values[((const KeyedCode *) b)->code]);
}

bool
dictionary_ascends(const Dictionary *dictionary)
{
	const ValueType *type = &dictionary->type;
	const Datum *last = dictionary->values + dictionary->size - 1;

	if (dictionary->size < 2)
		return true;
	if (type->equality == VALUE_EQUAL_BYTES)
		return compare_bytes(type, last[-1], last[0]) < 0;
	return type->equality == VALUE_EQUAL_BITS && !type->local_order &&
		   type->compare(type, last[-1], last[0]) < 0;
}

bool
dictionary_is_local(const Dictionary *dictionary)
{
	return dictionary->type.local_order;
}

int32 *
dictionary_order(const Dictionary *dictionary, DictionaryOrder wanted)
{
	const ValueType *type = &dictionary->type;
	bool by_bytes = wanted == DICTIONARY_BY_BYTES && type->local_order;
	bool with_keys = type->key && !by_bytes;
	Size bytes = mul_size(sizeof(int32), Max(dictionary->size, 1));
	Size keyed_bytes = mul_size(sizeof(KeyedCode), Max(dictionary->size, 1));
	KeyedCode *keyed;
	int32 *order;

	budget_check(dictionary->budget, add_size(bytes, keyed_bytes), PURPOSE);
	/*
	 * Values are scattered over memory, and fetching two takes longer than comparing them.  So the
	 * keys lie in the array that is sorted.
	 */
	keyed = palloc_extended(keyed_bytes, MCXT_ALLOC_HUGE);
	for (int32 code = 0; code < dictionary->size; code++)
	{
		CHECK_FOR_INTERRUPTS();
		keyed[code] = (KeyedCode){.key = with_keys ? type->key(type, dictionary->values[code]) : 0,
								  .code = code};
	}
	qsort_arg(keyed, dictionary->size, sizeof(KeyedCode),
			  by_bytes ? compare_code_bytes : compare_codes, unconstify(Dictionary *, dictionary));
	order = palloc_extended(bytes, MCXT_ALLOC_HUGE);
	for (int32 i = 0; i < dictionary->size; i++)
		order[i] = keyed[i].code;
	pfree(keyed);
	return order;
}
