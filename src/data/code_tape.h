/*
 * code_tape.h
 *		Tuples of codes in temporary files: written sequentially, then read from front to back, more
 *		than once.
 *
 * The files are PostgreSQL's temporary files: they lie in temp_tablespaces and count against
 * temp_file_limit.  They live as long as the memory context of their tapes, or until the query
 * fails, which closes them earlier.  Close a tape that is no longer needed.
 */
#ifndef KANON_CODE_TAPE_H
#define KANON_CODE_TAPE_H

#include "postgres.h"

typedef struct CodeTape CodeTape;

/* Counts rows and bytes; only tuples of more than one code count as rows. */
typedef struct TapeTraffic
{
	int64 rows_written;
	int64 rows_read;
	int64 bytes_written;
	int64 bytes_read;
} TapeTraffic;

/* The tapes of one partitioning, and their traffic. */
typedef struct CodeTapes
{
	MemoryContext context; /* of the tapes alone, with a buffer of one page for each */
	CodeTape *first;       /* a list of the open ones */
	MemoryContextCallback end;
	TapeTraffic *traffic; /* where it is counted, at first here */
	TapeTraffic own;
} CodeTapes;

/* Bytes of memory that an open tape takes. */
#define CODE_TAPE_BYTES ((Size) BLCKSZ + 1024)

/*
 * An empty set.  Its tapes will lie in a child of the current context and are closed when that is
 * reset or deleted.
 */
extern CodeTapes *code_tapes_create(void);

/* An empty tape for tuples of "width" int32s. */
extern CodeTape *code_tape_create(CodeTapes *tapes, int width);

/* Appends tuples.  Not allowed while the tape is being read. */
extern void code_tape_append(CodeTape *tape, const int32 *tuple);
extern void code_tape_append_many(CodeTape *tape, const int32 *tuples, int64 count);
extern int64 code_tape_tuples(const CodeTape *tape);

/* Goes back to the first tuple. */
extern void code_tape_rewind(CodeTape *tape);

/* Reads up to "most" tuples into an array and returns their number; 0 at the end. */
extern int64 code_tape_read(CodeTape *tape, int32 *tuple, int64 most);

/*
 * Replaces the code at "place" in every tuple: closes the tape and returns another.  Reads and
 * writes once.
 */
extern CodeTape *code_tape_recode(CodeTape *tape, int place,
								  int32 (*recode)(void *state, int32 code), void *state);

extern void code_tape_close(CodeTape *tape);

#endif /* KANON_CODE_TAPE_H */
