/*
 * sanitize.c
 *		Preloaded beside libasan (see sanitize): the first constructor of the
 *		process, so that malloc is resolved before anything else wants it.
 */
#include <stdlib.h>

__attribute__((constructor)) static void
resolve_malloc(void)
{
	void *volatile block = malloc(1);

	free(block);
}
