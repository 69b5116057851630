/*
 * code_tape.c
 *		See code_tape.h.
 */
#include "postgres.h"

#include "data/code_tape.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "storage/buffile.h"
#include "utils/memutils.h"
#include "utils/resowner.h"

struct CodeTape
{
	CodeTapes *tapes;
	CodeTape *next; /* open */
	BufFile *file;
	ResourceOwner owner; /* of the file */
	int width;
	int64 tuples;
	int64 read; /* since the last rewind */
};

/* After a failure the resource owner closes the files; nobody may close them again. */
static void
leave_files(ResourceReleasePhase phase, bool is_commit, bool is_top_level, void *arg)
{
	CodeTape **place = &((CodeTapes *) arg)->first;

	(void) is_commit;
	(void) is_top_level;
	while (phase == RESOURCE_RELEASE_BEFORE_LOCKS && *place)
		if ((*place)->owner == CurrentResourceOwner)
			*place = (*place)->next;
		else
			place = &(*place)->next;
}

/*
 * Runs before the context, and the tapes in it, are freed.  If the query failed, it runs before its
 * resource owner closes the files, and must not flush them: that may be why the query failed.
 */
static void
close_all(void *arg)
{
	CodeTapes *tapes = arg;

	UnregisterResourceReleaseCallback(leave_files, tapes);
	while (tapes->first && !interrupt_failed())
		code_tape_close(tapes->first);
}

CodeTapes *
code_tapes_create(void)
{
	CodeTapes *tapes = palloc0(sizeof(CodeTapes));

	tapes->context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon tapes", CONTEXT_SMALL_SIZES);
	tapes->traffic = &tapes->own;
	tapes->end = (MemoryContextCallback){.func = close_all, .arg = tapes};
	MemoryContextRegisterResetCallback(tapes->context, &tapes->end);
	RegisterResourceReleaseCallback(leave_files, tapes);
	return tapes;
}

CodeTape *
code_tape_create(CodeTapes *tapes, int width)
{
	MemoryContext previous = MemoryContextSwitchTo(tapes->context);
	CodeTape *tape = palloc0(sizeof(CodeTape));

	tape->tapes = tapes;
	tape->file = BufFileCreateTemp(false);
	tape->owner = CurrentResourceOwner;
	tape->width = width;
	tape->next = tapes->first;
	tapes->first = tape;
	MemoryContextSwitchTo(previous);
	return tape;
}

void
code_tape_append_many(CodeTape *tape, const int32 *tuples, int64 count)
{
	Size bytes = sizeof(int32) * tape->width * count;

	CHECK_FOR_INTERRUPTS();
	BufFileWrite(tape->file, unconstify(int32 *, tuples), bytes);
	tape->tuples += count;
	tape->tapes->traffic->bytes_written += (int64) bytes;
	tape->tapes->traffic->rows_written += tape->width > 1 ? count : 0;
}

void
code_tape_append(CodeTape *tape, const int32 *tuple)
{
	code_tape_append_many(tape, tuple, 1);
}

int64
code_tape_tuples(const CodeTape *tape)
{
	return tape->tuples;
}

void
code_tape_rewind(CodeTape *tape)
{
	if (BufFileSeek(tape->file, 0, 0, SEEK_SET) != 0)
		ereport(ERROR, (errcode_for_file_access(), errmsg("could not rewind temporary file")));
	tape->read = 0;
}

int64
code_tape_read(CodeTape *tape, int32 *tuple, int64 most)
{
	int64 count = Min(most, tape->tuples - tape->read);
	Size bytes = sizeof(int32) * tape->width * count;

	CHECK_FOR_INTERRUPTS();
	if (count > 0 && BufFileRead(tape->file, tuple, bytes) != bytes)
		ereport(ERROR, (errcode_for_file_access(), errmsg("could not read temporary file")));
	tape->read += count;
	tape->tapes->traffic->bytes_read += (int64) bytes;
	tape->tapes->traffic->rows_read += tape->width > 1 ? count : 0;
	return count;
}

CodeTape *
code_tape_recode(CodeTape *tape, int place, int32 (*recode)(void *state, int32 code), void *state)
{
	CodeTape *recoded = code_tape_create(tape->tapes, tape->width);
	int32 *tuple = palloc(sizeof(int32) * tape->width);

	code_tape_rewind(tape);
	while (code_tape_read(tape, tuple, 1) > 0)
	{
		tuple[place] = recode(state, tuple[place]);
		code_tape_append(recoded, tuple);
	}
	pfree(tuple);
	code_tape_close(tape);
	return recoded;
}

void
code_tape_close(CodeTape *tape)
{
	CodeTape **place = &tape->tapes->first;

	while (*place != tape)
		place = &(*place)->next;
	*place = tape->next;
	BufFileClose(tape->file);
	pfree(tape);
}
