/*
 * sparse_counts.c
 *		See sparse_counts.h.
 */
#include "postgres.h"

#include "rothko/sparse_counts.h"

#include "base/compat.h"
#include "base/interrupt.h"
#include "common/int.h"

static char *
write_number(char *to, uint64 number)
{
	for (; number > 127; number >>= 7)
		*to++ = (char) (128 | (number & 127));
	*to++ = (char) number;
	return to;
}

Size
sparse_counts_bytes(const int64 *count, int64 size)
{
	char space[2 * SPARSE_COUNTS_NUMBER];
	Size bytes = write_number(space, (uint64) size) - space;
	int64 zeros = 0;

	for (int64 i = 0; i < size; i++)
	{
		interrupt_check(i);
		if (count[i] == 0)
			zeros++;
		else
		{
			bytes += write_number(write_number(space, (uint64) zeros), (uint64) count[i]) - space;
			zeros = 0;
		}
	}
	return bytes;
}

void
sparse_counts_write(const int64 *count, int64 size, char *to)
{
	int64 zeros = 0;

	to = write_number(to, (uint64) size);
	for (int64 i = 0; i < size; i++)
	{
		interrupt_check(i);
		if (count[i] == 0)
			zeros++;
		else
		{
			to = write_number(write_number(to, (uint64) zeros), (uint64) count[i]);
			zeros = 0;
		}
	}
}

pg_noreturn static void
report_malformed(void)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("malformed counts")));
}

static int64
read_number(const char **from, const char *end)
{
	uint64 number = 0;

	for (int shift = 0; *from < end && shift < 63; shift += 7)
	{
		uint64 byte = (uint8) * (*from)++;

		number |= (byte & 127) << shift;
		if (byte < 128)
			return (int64) number;
	}
	report_malformed();
}

int64
sparse_counts_size(const char *bytes, Size length)
{
	int64 size = read_number(&bytes, bytes + length);

	if (size > SPARSE_COUNTS_MOST)
		report_malformed();
	return size;
}

void
sparse_counts_add(const char *bytes, Size length, int64 *count, int64 size)
{
	const char *end = bytes + length;
	int64 at = 0;

	if (read_number(&bytes, end) != size)
		report_malformed();
	while (bytes < end)
	{
		int64 zeros = read_number(&bytes, end);
		int64 number = read_number(&bytes, end);

		interrupt_check(at);
		if (zeros >= size - at)
			report_malformed();
		at += zeros;
		if (pg_add_s64_overflow(count[at], number, &count[at]))
			report_malformed();
		at++;
	}
}
