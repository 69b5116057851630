/*
 * bytes_hash.h
 *		A keyed hash of bytes: who does not know the key cannot choose many values that collide.
 */
#ifndef KANON_BYTES_HASH_H
#define KANON_BYTES_HASH_H

#include "postgres.h"

#include "common/hashfn.h"

/* Two rounds of MurmurHash3's finalizer. */
static inline uint32
hash_mix(uint64 hash)
{
	hash = (hash ^ (hash >> 33)) * UINT64CONST(0xFF51AFD7ED558CCD);
	hash = (hash ^ (hash >> 33)) * UINT64CONST(0xC4CEB9FE1A85EC53);
	return (uint32) (hash >> 32);
}

#define HASH_SHORT_BYTES 16

/* Up to eight bytes as a number. */
static inline uint64
bytes_load(const char *bytes, Size length)
{
	uint64 number = 0;

	memcpy(&number, bytes, length);
	return number;
}

/* Short text by its first and last bytes, which overlap and together are all of it. */
static inline uint32
bytes_hash(const char *bytes, Size length, uint64 key)
{
	uint64 head = 0;
	uint64 tail = 0;

	if (length > HASH_SHORT_BYTES)
		return (uint32) hash_bytes_extended((const unsigned char *) bytes, (int) length, key);
	if (length >= 8)
	{
		head = bytes_load(bytes, 8);
		tail = bytes_load(bytes + length - 8, 8);
	}
	else if (length >= 4)
	{
		head = bytes_load(bytes, 4);
		tail = bytes_load(bytes + length - 4, 4);
	}
	else if (length > 0)
	{
		head = (uint64) (unsigned char) bytes[0] << 8 | (unsigned char) bytes[length / 2];
		tail = (unsigned char) bytes[length - 1];
	}
	/* Two multiplications: over one, a change of the highest bits passes whatever the key. */
	head = (head ^ length ^ key) * UINT64CONST(0x9E3779B97F4A7C15);
	head = (head ^ head >> 32) * UINT64CONST(0xD6E8FEB86659FD93);
	return hash_mix(head ^ tail);
}

#endif /* KANON_BYTES_HASH_H */
