/*
 * random.h
 *		Random numbers that nobody can foretell who does not know the key:
 *		SHA-256 over key and counter.
 */
#ifndef KANON_RANDOM_H
#define KANON_RANDOM_H

#include "postgres.h"

#define RANDOM_KEY 32  /* bytes */
#define RANDOM_WORDS 4 /* of 64 bits in a block */

typedef struct Random
{
	uint8 key[RANDOM_KEY];
	uint64 counter;
	uint64 word[RANDOM_WORDS];
	int left; /* words of the block not yet given out */
} Random;

/* Of a key nobody knows; ERRCODE_INTERNAL_ERROR where the system has no randomness. */
extern Random random_unforeseeable(void);

/* The same numbers for the same key. */
extern Random random_from_key(const void *key, Size length);

/* A number below "bound" (at least 1), all with the same chance. */
extern uint64 random_below(Random *random, uint64 bound);

#endif /* KANON_RANDOM_H */
