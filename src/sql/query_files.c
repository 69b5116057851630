/*
 * query_files.c
 *		See query_files.h.
 *
 * A context's reset callback runs after its children are gone, and a sort keeps memory in children.
 * So the callback belongs to the youngest child: children are deleted before their parent, the
 * youngest first.
 */
#include "postgres.h"

#include "sql/query_files.h"

#include "utils/memutils.h"
#include "utils/resowner.h"

struct QueryFiles
{
	MemoryContext context;
	void (*end)(void *state);
	void *state;
	ResourceOwner owner;
	bool failed;
	MemoryContextCallback callback;
};

/* Runs when any resource owner is released; that owner is current then. */
static void
follow_owner(ResourceReleasePhase phase, bool is_commit, bool is_top_level, void *arg)
{
	QueryFiles *files = arg;

	(void) is_commit;
	(void) is_top_level;
	if (phase == RESOURCE_RELEASE_BEFORE_LOCKS && files->owner == CurrentResourceOwner)
		files->failed = true;
}

static void
end_files(void *arg)
{
	QueryFiles *files = arg;

	UnregisterResourceReleaseCallback(follow_owner, files);
	if (!files->failed)
		files->end(files->state);
}

QueryFiles *
query_files_watch(void (*end)(void *state), void *state)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon files", ALLOCSET_SMALL_SIZES);
	QueryFiles *files = MemoryContextAllocZero(context, sizeof(QueryFiles));

	files->context = context;
	files->end = end;
	files->state = state;
	files->owner = CurrentResourceOwner;
	files->callback = (MemoryContextCallback){.func = end_files, .arg = files};
	RegisterResourceReleaseCallback(follow_owner, files);
	MemoryContextRegisterResetCallback(context, &files->callback);
	return files;
}

void
query_files_end(QueryFiles *files)
{
	MemoryContextDelete(files->context);
}
