/*
 * random.h
 *		Random numbers that nobody can foretell who does not know the key: of their own for
 *		whatever needs some.
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

/* Where numbers come from: a key, and what they are for. */
typedef struct RandomSource RandomSource;

/* Numbers, one after the other. */
typedef struct Random
{
	RandomSource *source;
	RandomKey key;
	uint64 counter;
	uint64 word[RANDOM_WORDS];
	int left; /* words of the block not yet given out */
} Random;

/* A key nobody knows; ERRCODE_INTERNAL_ERROR where the system has no randomness. */
extern RandomKey random_key_unforeseeable(void);

/* SHA-256: the same key for the same bytes. */
extern RandomKey random_key_of(const void *bytes, Size length);

/* In the current context; what is not memory goes with the transaction at the latest. */
extern RandomSource *random_source_open(const RandomKey *key);
extern void random_source_close(RandomSource *source);

/* Bytes of what the next numbers are for, one after the other. */
extern void random_source_add(RandomSource *source, const void *bytes, Size length);

/*
 * The key for what was added, which is forgotten then: HMAC-SHA-256, so that keys for different
 * bytes have nothing to do with each other for whoever does not know the source's.
 */
extern RandomKey random_source_key(RandomSource *source);

/*
 * A name for bytes, which tells nothing of them to whoever does not know the source's key: the
 * first half of SHA-256 of the key and of them.  As the other half is kept back it is as good a
 * pseudorandom function as HMAC (Bellare, Bernstein, Tessaro: Hash-function based PRFs, 2016), and
 * takes less than half the time.
 */
extern void random_source_name(RandomSource *source, const void *bytes, Size length,
							   uint8 name[RANDOM_NAME]);

/* The numbers for what was added, as long as the source is open. */
extern Random random_source_numbers(RandomSource *source);

/* A number below "bound" (at least 1), all with the same chance. */
extern uint64 random_below(Random *random, uint64 bound);

#endif /* KANON_RANDOM_H */
