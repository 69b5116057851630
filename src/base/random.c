/*
 * random.c
 *		See random.h.
 *
 * Block number n is SHA-256 of the key and n, as eight bytes in big-endian order.  Its four words
 * are handed out from first to last.  To predict others from words seen, one would have to invert
 * SHA-256.
 */
#include "postgres.h"

#include "base/random.h"

#include "common/cryptohash.h"
#include "common/hmac.h"
#include "common/sha2.h"
#include "port/pg_bswap.h"

StaticAssertDecl(RANDOM_KEY == PG_SHA256_DIGEST_LENGTH, "a key is a digest");
StaticAssertDecl(RANDOM_WORDS * sizeof(uint64) == PG_SHA256_DIGEST_LENGTH, "a block is a digest");

struct RandomSource
{
	RandomKey key;
	pg_hmac_ctx *keyed;
	pg_cryptohash_ctx *plain;
};

static void
check(bool done)
{
	if (!done)
		elog(ERROR, "could not compute SHA-256");
}

RandomKey
random_key_unforeseeable(void)
{
	RandomKey key;

	if (!pg_strong_random(key.byte, RANDOM_KEY))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR), errmsg("could not generate a random key")));
	return key;
}

/* Reuses a context: making one takes longer than hashing a few bytes. */
static void
digest_bytes(pg_cryptohash_ctx *context, const void *bytes, Size length, void *digest)
{
	check(context != NULL && pg_cryptohash_init(context) >= 0 &&
		  pg_cryptohash_update(context, bytes, length) >= 0 &&
		  pg_cryptohash_final(context, digest, PG_SHA256_DIGEST_LENGTH) >= 0);
}

RandomKey
random_key_of(const void *bytes, Size length)
{
	pg_cryptohash_ctx *context = pg_cryptohash_create(PG_SHA256);
	RandomKey key;

	digest_bytes(context, bytes, length, key.byte);
	pg_cryptohash_free(context);
	return key;
}

static void
begin_bytes(RandomSource *source)
{
	check(pg_hmac_init(source->keyed, source->key.byte, RANDOM_KEY) >= 0);
}

RandomSource *
random_source_open(const RandomKey *key)
{
	RandomSource *source = palloc0(sizeof(RandomSource));

	source->key = *key;
	source->keyed = pg_hmac_create(PG_SHA256);
	source->plain = pg_cryptohash_create(PG_SHA256);
	check(source->keyed != NULL && source->plain != NULL);
	begin_bytes(source);
	return source;
}

void
random_source_close(RandomSource *source)
{
	pg_hmac_free(source->keyed);
	pg_cryptohash_free(source->plain);
	explicit_bzero(source, sizeof(RandomSource));
	pfree(source);
}

void
random_source_add(RandomSource *source, const void *bytes, Size length)
{
	check(pg_hmac_update(source->keyed, bytes, length) >= 0);
}

RandomKey
random_source_key(RandomSource *source)
{
	RandomKey key;

	check(pg_hmac_final(source->keyed, key.byte, RANDOM_KEY) >= 0);
	begin_bytes(source);
	return key;
}

RandomName
random_source_name(RandomSource *source, const void *bytes, Size length)
{
	uint8 digest[PG_SHA256_DIGEST_LENGTH];
	RandomName name;

	check(pg_cryptohash_init(source->plain) >= 0 &&
		  pg_cryptohash_update(source->plain, source->key.byte, RANDOM_KEY) >= 0 &&
		  pg_cryptohash_update(source->plain, bytes, length) >= 0 &&
		  pg_cryptohash_final(source->plain, digest, sizeof(digest)) >= 0);
	memcpy(name.byte, digest, RANDOM_NAME);
	return name;
}

Random
random_source_numbers(RandomSource *source)
{
	return (Random){.source = source, .key = random_source_key(source)};
}

/* Hashes the key and the number of the block. */
static uint64
next_word(Random *random)
{
	if (random->left == 0)
	{
		uint8 bytes[RANDOM_KEY + sizeof(uint64)];
		uint64 number = pg_hton64(random->counter++);

		memcpy(bytes, random->key.byte, RANDOM_KEY);
		memcpy(bytes + RANDOM_KEY, &number, sizeof(number));
		digest_bytes(random->source->plain, bytes, sizeof(bytes), random->word);
		random->left = RANDOM_WORDS;
	}
	return pg_ntoh64(random->word[RANDOM_WORDS - random->left--]);
}

uint64
random_below(Random *random, uint64 bound)
{
	/* Without dropping the lowest 2^64 mod bound words, some numbers would be more likely. */
	uint64 unfair = -bound % bound;
	uint64 word;

	Assert(bound > 0);
	do
		word = next_word(random);
	while (word < unfair);
	return word % bound;
}
