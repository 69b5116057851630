/*
 * backend.c
 *		See backend.h.
 *
 * Thin definitions of functions that PostgreSQL's headers declare; what its
 * library for programs outside the server has (hash_bytes, snprintf, ..) comes
 * from there.
 */
#include "postgres.h"

#include "base/compat.h"
#include "base/progress.h"

#include "backend.h"

#include <sanitizer/asan_interface.h>
#include <setjmp.h>

#include "access/xact.h"
#include "lib/binaryheap.h"
#include "lib/rbtree.h"
#include "miscadmin.h"
#include "nodes/memnodes.h"
#include "nodes/pg_list.h"
#include "storage/buffile.h"
#include "storage/shmem.h"
#include "utils/datum.h"
#include "utils/memutils.h"
#include "utils/resowner.h"

/* ---- errors */

typedef struct Catcher
{
	sigjmp_buf place;
	BackendError *error;
} Catcher;

static Catcher *catcher = NULL;

bool
backend_try(void (*run)(void *argument), void *argument, BackendError *error)
{
	Catcher *outer = catcher;
	Catcher here = {.error = error};
	bool through = false;

	*error = (BackendError){.sqlstate = ERRCODE_INTERNAL_ERROR};
	catcher = &here;
	if (sigsetjmp(here.place, 0) == 0)
	{
		run(argument);
		through = true;
	}
	catcher = outer;
	return through;
}

bool
errstart(int elevel, const char *domain)
{
	(void) domain;
	if (elevel >= ERROR && catcher == NULL)
		abort();
	return elevel >= ERROR;
}

bool
errstart_cold(int elevel, const char *domain)
{
	return errstart(elevel, domain);
}

int
errcode(int sqlerrcode)
{
	catcher->error->sqlstate = sqlerrcode;
	return 0;
}

int
errcode_for_file_access(void)
{
	return errcode(ERRCODE_IO_ERROR);
}

#define FORMAT_MESSAGE()                                                                           \
	do                                                                                             \
	{                                                                                              \
		va_list arguments;                                                                         \
		va_start(arguments, fmt);                                                                  \
		vsnprintf(catcher->error->message, sizeof(catcher->error->message), fmt, arguments);       \
		va_end(arguments);                                                                         \
	} while (0)

int
errmsg(const char *fmt, ...)
{
	FORMAT_MESSAGE();
	return 0;
}

int
errmsg_internal(const char *fmt, ...)
{
	FORMAT_MESSAGE();
	return 0;
}

int
errmsg_plural(const char *fmt_singular, const char *fmt_plural, unsigned long n, ...)
{
	const char *fmt = n == 1 ? fmt_singular : fmt_plural;
	va_list arguments;

	va_start(arguments, n);
	vsnprintf(catcher->error->message, sizeof(catcher->error->message), fmt, arguments);
	va_end(arguments);
	return 0;
}

/* Formatted, so that arguments that do not fit are seen; then forgotten. */
static void
format_and_forget(const char *fmt, va_list arguments)
{
	char text[512];

	vsnprintf(text, sizeof(text), fmt, arguments);
}

int
errdetail(const char *fmt, ...)
{
	va_list arguments;

	va_start(arguments, fmt);
	format_and_forget(fmt, arguments);
	va_end(arguments);
	return 0;
}

int
errhint(const char *fmt, ...)
{
	va_list arguments;

	va_start(arguments, fmt);
	format_and_forget(fmt, arguments);
	va_end(arguments);
	return 0;
}

void
errfinish(const char *filename, int lineno, const char *funcname)
{
	(void) filename;
	(void) lineno;
	(void) funcname;
	siglongjmp(catcher->place, 1);
}

void
#if PG_VERSION_NUM >= 160000
ExceptionalCondition(const char *conditionName, const char *fileName, int lineNumber)
#else
ExceptionalCondition(const char *conditionName, const char *errorType, const char *fileName,
					 int lineNumber)
#endif
{
#if PG_VERSION_NUM < 160000
	(void) errorType;
#endif
	ereport(ERROR, (errcode(ERRCODE_ASSERT_FAILURE),
					errmsg("assertion failed: %s, %s:%d", conditionName, fileName, lineNumber)));
}

/* ---- interrupts: there is always one pending, so that each check is counted */

volatile sig_atomic_t InterruptPending = true;
int maintenance_work_mem = 65536;

static int64 checks_left = 0;

void
backend_cancel_after(int64 checks)
{
	checks_left = checks;
}

void
ProcessInterrupts(void)
{
	if (checks_left > 0 && --checks_left == 0)
		ereport(ERROR, (errcode(ERRCODE_QUERY_CANCELED), errmsg("canceled")));
}

bool progress_wanted = false;

void
progress_phase(const char *phase, int64 total)
{
	(void) phase, (void) total;
}

void
progress_done(int64 done)
{
	(void) done;
}

void
progress_still(void)
{
}

/* Nothing recurses far on inputs this small. */
void
check_stack_depth(void)
{
}

/* ---- memory */

#define CHUNK_MAGIC UINT64CONST(0x6b616e6f6e63686b)
#define JUNK 0xA5

/* Before each chunk; of 40 bytes, so that the chunk is aligned to 8 and not to 16. */
typedef struct Chunk
{
	struct Chunk *previous;
	struct Chunk *next;
	Size size;
	uint64 magic;
	MemoryContext context;
} Chunk;

static MemoryContextData top; /* above all others */
MemoryContext CurrentMemoryContext = &top;

static Chunk chunks = {.previous = &chunks, .next = &chunks}; /* a ring */
static Size memory = 0;
static Size peak = 0;

#define UNCHECKED __attribute__((no_sanitize_address, noinline))

static UNCHECKED void *
chunk_open(MemoryContext context, Size size)
{
	Chunk *chunk = malloc(sizeof(Chunk) + size);

	if (chunk == NULL)
		abort();
	chunk->previous = chunks.previous;
	chunk->next = &chunks;
	chunk->previous->next = chunk;
	chunks.previous = chunk;
	chunk->size = size;
	chunk->magic = CHUNK_MAGIC;
	chunk->context = context;
	context->mem_allocated += size;
	ASAN_POISON_MEMORY_REGION(chunk, sizeof(Chunk));
	memory += size;
	peak = Max(peak, memory);
	return chunk + 1;
}

static UNCHECKED Size
chunk_close(void *pointer)
{
	Chunk *chunk = (Chunk *) pointer - 1;
	Size size = chunk->size;

	if (chunk->magic != CHUNK_MAGIC)
		elog(ERROR, "pfree of a pointer that palloc did not give");
	chunk->magic = 0;
	chunk->previous->next = chunk->next;
	chunk->next->previous = chunk->previous;
	memory -= size;
	free(chunk);
	return size;
}

static UNCHECKED MemoryContext
chunk_context(void *pointer)
{
	return ((Chunk *) pointer - 1)->context;
}

static void
chunk_return(void *pointer)
{
	MemoryContext context = chunk_context(pointer);

	context->mem_allocated -= chunk_close(pointer);
}

static UNCHECKED Size
chunk_size(void *pointer)
{
	return ((Chunk *) pointer - 1)->size;
}

/* The first chunk of a context, or NULL. */
static UNCHECKED void *
find_chunk(MemoryContext context)
{
	Chunk *chunk = chunks.next;

	while (chunk != &chunks && chunk->context != context)
		chunk = chunk->next;
	return chunk == &chunks ? NULL : chunk + 1;
}

Size
backend_memory(void)
{
	return memory;
}

Size
backend_peak(void)
{
	return peak;
}

void *
MemoryContextAllocExtended(MemoryContext context, Size size, int flags)
{
	void *pointer;

	if (size > (flags & MCXT_ALLOC_HUGE ? MaxAllocHugeSize : MaxAllocSize))
		elog(ERROR, "invalid memory alloc request size %zu", size);
	pointer = chunk_open(context, size);
	memset(pointer, flags & MCXT_ALLOC_ZERO ? 0 : JUNK, size);
	return pointer;
}

void *
palloc_extended(Size size, int flags)
{
	return MemoryContextAllocExtended(CurrentMemoryContext, size, flags);
}

void *
palloc(Size size)
{
	return palloc_extended(size, 0);
}

void *
palloc0(Size size)
{
	return palloc_extended(size, MCXT_ALLOC_ZERO);
}

char *
pstrdup(const char *in)
{
	return strcpy(palloc(strlen(in) + 1), in);
}

void *
MemoryContextAlloc(MemoryContext context, Size size)
{
	return MemoryContextAllocExtended(context, size, 0);
}

void *
MemoryContextAllocZero(MemoryContext context, Size size)
{
	return MemoryContextAllocExtended(context, size, MCXT_ALLOC_ZERO);
}

void *
MemoryContextAllocHuge(MemoryContext context, Size size)
{
	return MemoryContextAllocExtended(context, size, MCXT_ALLOC_HUGE);
}

/* Always moves, so that a pointer kept over it is seen. */
void *
repalloc_huge(void *pointer, Size size)
{
	void *moved = MemoryContextAllocExtended(chunk_context(pointer), size, MCXT_ALLOC_HUGE);

	memcpy(moved, pointer, Min(size, chunk_size(pointer)));
	chunk_return(pointer);
	return moved;
}

void *
repalloc(void *pointer, Size size)
{
	if (size > MaxAllocSize)
		elog(ERROR, "invalid memory alloc request size %zu", size);
	return repalloc_huge(pointer, size);
}

void
pfree(void *pointer)
{
	chunk_return(pointer);
}

MemoryContext
AllocSetContextCreateInternal(MemoryContext parent, const char *name, Size minContextSize,
							  Size initBlockSize, Size maxBlockSize)
{
	MemoryContext context = MemoryContextAllocZero(&top, sizeof(MemoryContextData));

	(void) name;
	(void) minContextSize;
	(void) initBlockSize;
	(void) maxBlockSize;
	context->parent = parent;
	context->nextchild = parent->firstchild;
	parent->firstchild = context;
	return context;
}

void
MemoryContextRegisterResetCallback(MemoryContext context, MemoryContextCallback *callback)
{
	callback->next = context->reset_cbs;
	context->reset_cbs = callback;
}

void
MemoryContextReset(MemoryContext context)
{
	void *pointer;

	while (context->firstchild)
		MemoryContextDelete(context->firstchild);
	while (context->reset_cbs)
	{
		MemoryContextCallback *callback = context->reset_cbs;

		context->reset_cbs = callback->next;
		callback->func(callback->arg);
	}
	while ((pointer = find_chunk(context)) != NULL)
		chunk_return(pointer);
}

void
MemoryContextDelete(MemoryContext context)
{
	MemoryContext *place = &context->parent->firstchild;

	MemoryContextReset(context);
	while (*place != context)
		place = &(*place)->nextchild;
	*place = context->nextchild;
	pfree(context);
}

Size
MemoryContextMemAllocated(MemoryContext context, bool recurse)
{
	Size bytes = context->mem_allocated;

	for (MemoryContext child = context->firstchild; recurse && child; child = child->nextchild)
		bytes += MemoryContextMemAllocated(child, true);
	return bytes;
}

MemoryContext
MemoryContextGetParent(MemoryContext context)
{
	return context->parent;
}

Size
GetMemoryChunkSpace(void *pointer)
{
	return chunk_size(pointer);
}

Size
add_size(Size s1, Size s2)
{
	Size sum;

	if (__builtin_add_overflow(s1, s2, &sum))
		elog(ERROR, "a size overflows");
	return sum;
}

Size
mul_size(Size s1, Size s2)
{
	Size product;

	if (__builtin_mul_overflow(s1, s2, &product))
		elog(ERROR, "a size overflows");
	return product;
}

/* ---- heaps: nodes in no order, so that whoever counts on one is seen */

binaryheap *
binaryheap_allocate(int capacity, binaryheap_comparator compare, void *arg)
{
	binaryheap *heap = palloc0(offsetof(binaryheap, bh_nodes) + sizeof(Datum) * capacity);

	heap->bh_space = capacity;
	heap->bh_has_heap_property = true;
	heap->bh_compare = compare;
	heap->bh_arg = arg;
	return heap;
}

void
binaryheap_free(binaryheap *heap)
{
	pfree(heap);
}

void
binaryheap_add(binaryheap *heap, Datum d)
{
	if (heap->bh_size >= heap->bh_space)
		elog(ERROR, "out of binary heap slots");
	heap->bh_nodes[heap->bh_size++] = d;
}

void
binaryheap_add_unordered(binaryheap *heap, Datum d)
{
	binaryheap_add(heap, d);
	heap->bh_has_heap_property = false;
}

void
binaryheap_build(binaryheap *heap)
{
	heap->bh_has_heap_property = true;
}

static int
first_in_heap(const binaryheap *heap)
{
	int first = 0;

	if (heap->bh_size == 0 || !heap->bh_has_heap_property)
		elog(ERROR, "the binary heap is empty or was not built");
	for (int i = 1; i < heap->bh_size; i++)
		if (heap->bh_compare(heap->bh_nodes[i], heap->bh_nodes[first], heap->bh_arg) > 0)
			first = i;
	return first;
}

Datum
binaryheap_first(binaryheap *heap)
{
	return heap->bh_nodes[first_in_heap(heap)];
}

Datum
binaryheap_remove_first(binaryheap *heap)
{
	int first = first_in_heap(heap);
	Datum taken = heap->bh_nodes[first];

	heap->bh_nodes[first] = heap->bh_nodes[--heap->bh_size];
	return taken;
}

void
binaryheap_replace_first(binaryheap *heap, Datum d)
{
	heap->bh_nodes[first_in_heap(heap)] = d;
}

/* ---- temporary files */

struct BufFile
{
	BufFile *next;
	char *data;
	size_t size;
	size_t capacity;
	size_t position;
};

static BufFile *tapes = NULL;

/* No query fails here: files are closed with their context. */
ResourceOwner CurrentResourceOwner = NULL;

bool
IsTransactionState(void)
{
	return true;
}

void
RegisterResourceReleaseCallback(ResourceReleaseCallback callback, void *arg)
{
	(void) callback;
	(void) arg;
}

void
UnregisterResourceReleaseCallback(ResourceReleaseCallback callback, void *arg)
{
	(void) callback;
	(void) arg;
}

BufFile *
BufFileCreateTemp(bool interXact)
{
	BufFile *file = calloc(1, sizeof(BufFile));

	(void) interXact;
	file->next = tapes;
	tapes = file;
	return file;
}

void
BufFileClose(BufFile *file)
{
	BufFile **place = &tapes;

	while (*place != file)
		place = &(*place)->next;
	*place = file->next;
	free(file->data);
	free(file);
}

void
#if PG_VERSION_NUM >= 160000
BufFileWrite(BufFile *file, const void *ptr, size_t size)
#else
BufFileWrite(BufFile *file, void *ptr, size_t size)
#endif
{
	size_t end = file->position + size;

	if (end > file->capacity)
	{
		file->capacity = end * 2;
		file->data = realloc(file->data, file->capacity);
	}
	memcpy(file->data + file->position, ptr, size);
	file->position = end;
	file->size = Max(file->size, end);
}

size_t
BufFileRead(BufFile *file, void *ptr, size_t size)
{
	size_t n = Min(size, file->size - file->position);

	if (n > 0)
		memcpy(ptr, file->data + file->position, n);
	file->position += n;
	return n;
}

/* Only ever to the beginning. */
int
BufFileSeek(BufFile *file, int fileno, off_t offset, int whence)
{
	if (fileno != 0 || offset != 0 || whence != SEEK_SET)
		return EOF;
	file->position = 0;
	return 0;
}

int
backend_tapes(void)
{
	int count = 0;

	for (BufFile *file = tapes; file; file = file->next)
		count++;
	return count;
}

void
backend_forget(void)
{
	while (tapes)
		BufFileClose(tapes);
	while (chunks.next != &chunks)
		chunk_close(chunks.next + 1);
	top = (MemoryContextData){0};
	CurrentMemoryContext = &top;
	peak = 0;
}

/* ---- lists */

List *
lappend(List *list, void *datum)
{
	if (list == NIL)
		return list_make1(datum);
	if (list->length == list->max_length)
	{
		list->max_length = list->length + 1;
		list->elements = repalloc(list->elements, sizeof(ListCell) * list->max_length);
	}
	list->elements[list->length++].ptr_value = datum;
	return list;
}

List *
list_make1_impl(NodeTag t, ListCell datum1)
{
	List *list = palloc(sizeof(List));

	list->type = t;
	list->length = list->max_length = 1;
	list->elements = palloc(sizeof(ListCell));
	list->elements[0] = datum1;
	return list;
}

void
list_free(List *list)
{
	if (list == NIL)
		return;
	pfree(list->elements);
	pfree(list);
}

void
list_free_deep(List *list)
{
	for (int i = 0; list != NIL && i < list->length; i++)
		pfree(list->elements[i].ptr_value);
	list_free(list);
}

/* ---- search trees, without the balance */

struct RBTree
{
	Size node_size;
	rbt_comparator compare;
	rbt_allocfunc allocate;
	void *arg;
	RBTNode *root;
};

RBTree *
rbt_create(Size node_size, rbt_comparator comparator, rbt_combiner combiner,
		   rbt_allocfunc allocfunc, rbt_freefunc freefunc, void *arg)
{
	RBTree *tree = palloc(sizeof(RBTree));

	(void) combiner;
	(void) freefunc;
	*tree =
		(RBTree){.node_size = node_size, .compare = comparator, .allocate = allocfunc, .arg = arg};
	return tree;
}

/* Where a node is or belongs. */
static RBTNode **
rbt_place(RBTree *tree, const RBTNode *data)
{
	RBTNode **place = &tree->root;
	int order;

	while (*place && (order = tree->compare(data, *place, tree->arg)) != 0)
		place = order < 0 ? &(*place)->left : &(*place)->right;
	return place;
}

RBTNode *
rbt_find(RBTree *rbt, const RBTNode *data)
{
	return *rbt_place(rbt, data);
}

RBTNode *
rbt_insert(RBTree *rbt, const RBTNode *data, bool *isNew)
{
	RBTNode **place = rbt_place(rbt, data);

	*isNew = *place == NULL;
	if (*isNew)
	{
		*place = rbt->allocate(rbt->arg);
		memcpy(*place, data, rbt->node_size);
		(*place)->left = (*place)->right = NULL;
	}
	return *place;
}

/* ---- datums */

Size
datumGetSize(Datum value, bool typByVal, int typLen)
{
	if (typByVal || typLen > 0)
		return typLen;
	if (typLen == -1)
		return VARSIZE_ANY(DatumGetPointer(value));
	return strlen(DatumGetCString(value)) + 1;
}

Datum
datumCopy(Datum value, bool typByVal, int typLen)
{
	Size size;
	char *copy;

	if (typByVal)
		return value;
	size = datumGetSize(value, typByVal, typLen);
	copy = palloc(size);
	memcpy(copy, DatumGetPointer(value), size);
	return PointerGetDatum(copy);
}
