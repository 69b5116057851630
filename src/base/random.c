/*
 * random.c
 *		See random.h.
 *
 * Block number n is SHA-256 of the key and of n as eight bytes, the highest
 * first: four words, which are given out from the first to the last.  Whoever
 * knows words but not the key would have to invert SHA-256 to foretell others.
 */
#include "postgres.h"

#include "base/random.h"

#include "common/cryptohash.h"
#include "common/sha2.h"
#include "port/pg_bswap.h"

StaticAssertDecl(RANDOM_KEY == PG_SHA256_DIGEST_LENGTH, "a key is a digest");
StaticAssertDecl(RANDOM_WORDS * sizeof(uint64) == PG_SHA256_DIGEST_LENGTH, "a block is a digest");

static void
digest_of(const void *one, Size one_length, const void *other, Size other_length, uint8 *digest)
{
	pg_cryptohash_ctx *context = pg_cryptohash_create(PG_SHA256);

	if (context == NULL || pg_cryptohash_init(context) < 0 ||
		pg_cryptohash_update(context, one, one_length) < 0 ||
		pg_cryptohash_update(context, other, other_length) < 0 ||
		pg_cryptohash_final(context, digest, PG_SHA256_DIGEST_LENGTH) < 0)
		elog(ERROR, "could not compute SHA-256");
	pg_cryptohash_free(context);
}

Random
random_unforeseeable(void)
{
	Random random = {0};

	if (!pg_strong_random(random.key, RANDOM_KEY))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR), errmsg("could not generate a random key")));
	return random;
}

Random
random_from_key(const void *key, Size length)
{
	Random random = {0};

	digest_of(key, length, "", 0, random.key);
	return random;
}

static uint64
next_word(Random *random)
{
	if (random->left == 0)
	{
		uint64 number = pg_hton64(random->counter++);

		digest_of(random->key, RANDOM_KEY, &number, sizeof(number), (uint8 *) random->word);
		random->left = RANDOM_WORDS;
	}
	return pg_ntoh64(random->word[RANDOM_WORDS - random->left--]);
}

uint64
random_below(Random *random, uint64 bound)
{
	/* 2^64 mod bound words, the lowest, would favour some of the numbers. */
	uint64 unfair = -bound % bound;
	uint64 word;

	Assert(bound > 0);
	do
		word = next_word(random);
	while (word < unfair);
	return word % bound;
}
