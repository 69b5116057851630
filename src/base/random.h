/*
 * random.h
 *		Keyed random numbers.  Without the key nobody can predict them.  Each use has its own
 *		stream.
 */
#ifndef KANON_RANDOM_H
#define KANON_RANDOM_H

#include "postgres.h"

#define RANDOM_KEY 32  /* bytes */
#define RANDOM_NAME 16 /* bytes */
#define RANDOM_WORDS 4 /* of 64 bits in a block */

typedef struct RandomKey
{
	uint8 byte[RANDOM_KEY];
} RandomKey;

typedef struct RandomName
{
	uint8 byte[RANDOM_NAME];
} RandomName;

/* A key, and the purpose of the numbers drawn with it. */
typedef struct RandomSource RandomSource;

/* A stream of numbers. */
typedef struct Random
{
	RandomSource *source;
	RandomKey key;
	uint64 counter;
	uint64 word[RANDOM_WORDS];
	int left; /* words of the block that are still unused */
} Random;

/* A random key; ERRCODE_INTERNAL_ERROR if the system has no randomness. */
extern RandomKey random_key_unforeseeable(void);

/* The SHA-256 digest of the bytes as a key. */
extern RandomKey random_key_of(const void *bytes, Size length);

/*
 * In the current context.  Resources other than memory are released at the end of the transaction
 * at the latest.
 */
extern RandomSource *random_source_open(const RandomKey *key);
extern void random_source_close(RandomSource *source);

/* Appends to the bytes that name the purpose of the next numbers. */
extern void random_source_add(RandomSource *source, const void *bytes, Size length);

/*
 * HMAC-SHA-256 of the bytes added, which are then forgotten.  Without the source's key, the keys
 * for different bytes look independent.
 */
extern RandomKey random_source_key(RandomSource *source);

/*
 * A pseudorandom name for bytes, which reveals nothing about them without the source's key: the
 * first half of SHA-256 of the key and the bytes.  Because the other half stays secret, this is as
 * good a pseudorandom function as HMAC (Bellare, Bernstein, Tessaro: Hash-function based PRFs,
 * 2016), in less than half the time.
 */
extern RandomName random_source_name(RandomSource *source, const void *bytes, Size length);

/* The stream of numbers for the bytes added; usable while the source is open. */
extern Random random_source_numbers(RandomSource *source);

/* A uniform random number below "bound", which is at least 1. */
extern uint64 random_below(Random *random, uint64 bound);

#endif /* KANON_RANDOM_H */
