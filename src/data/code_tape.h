/*
 * code_tape.h
 *		Tuples of codes on temporary files: written one after the other, then read from front to
 *		back, more than once.
 *
 * PostgreSQL's own temporary files: they lie in temp_tablespaces and count against temp_file_limit.
 * They live as long as the memory context of their tapes, or until the query fails, which closes
 * them before.  Who is done with one closes it.
 */
#ifndef KANON_CODE_TAPE_H
#define KANON_CODE_TAPE_H

#include "postgres.h"

typedef struct CodeTape CodeTape;

/* Tuples of more than one code are rows. */
typedef struct TapeTraffic
{
	int64 rows_written;
	int64 rows_read;
	int64 bytes_written;
	int64 bytes_read;
} TapeTraffic;

/* The tapes of one partitioning, and what went over them. */
typedef struct CodeTapes
{
	MemoryContext context; /* where they lie, a buffer of one page each */
	CodeTape *first;       /* those that are open */
	MemoryContextCallback end;
	TapeTraffic traffic;
} CodeTapes;

/* Bytes that an open tape takes. */
#define CODE_TAPE_BYTES ((Size) BLCKSZ + 1024)

/* None yet; tapes will lie in the current context, and are closed when it is reset or deleted. */
extern CodeTapes *code_tapes_create(void);

/* An empty tape of tuples of so many int32s. */
extern CodeTape *code_tape_create(CodeTapes *tapes, int width);

/* Behind the last one; not while it is read. */
extern void code_tape_append(CodeTape *tape, const int32 *tuple);
extern void code_tape_append_many(CodeTape *tape, const int32 *tuples, int64 count);
extern int64 code_tape_tuples(const CodeTape *tape);

/* The next tuple read will be the first one. */
extern void code_tape_rewind(CodeTape *tape);

/* Reads the next tuples into an array of "most" of them; how many: 0 at the end. */
extern int64 code_tape_read(CodeTape *tape, int32 *tuple, int64 most);

/* One code of each tuple becomes another: read and written once. */
extern void code_tape_recode(CodeTape *tape, int place, int32 (*recode)(void *state, int32 code),
							 void *state);

extern void code_tape_close(CodeTape *tape);

#endif /* KANON_CODE_TAPE_H */
