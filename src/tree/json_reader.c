/*
 * json_reader.c
 *		See json_reader.h.
 */
#include "postgres.h"

#include "tree/json_reader.h"

#include "base/compat.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"

pg_noreturn static void reject(const JsonReader *reader, const char *expected);

static void
reject(const JsonReader *reader, const char *expected)
{
	int length = *reader->at ? pg_mblen(reader->at) : 0;

	ereport(ERROR, (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
					errmsg("invalid input syntax for type %s", reader->type),
					length == 0 ? errdetail("Line %d: expected %s, but the input ends.",
											reader->line, expected)
								: errdetail("Line %d: expected %s, found \"%.*s\".", reader->line,
											expected, length, reader->at)));
}

static void
skip_space(JsonReader *reader)
{
	for (; *reader->at && strchr(" \t\r\n", *reader->at); reader->at++)
		if (*reader->at == '\n')
			reader->line++;
}

JsonReader
json_reader_begin(const char *type, const char *text)
{
	return (JsonReader){.type = type, .at = text, .line = 1};
}

void
json_reader_end(JsonReader *reader)
{
	skip_space(reader);
	if (*reader->at)
		reject(reader, "the end");
}

bool
json_reader_accept(JsonReader *reader, char punctuation)
{
	skip_space(reader);
	if (*reader->at != punctuation)
		return false;
	reader->at++;
	return true;
}

void
json_reader_expect(JsonReader *reader, char punctuation)
{
	if (!json_reader_accept(reader, punctuation))
		reject(reader, psprintf("\"%c\"", punctuation));
}

bool
json_reader_accept_key(JsonReader *reader, const char *name)
{
	size_t length = strlen(name);

	skip_space(reader);
	if (reader->at[0] != '"' || strncmp(reader->at + 1, name, length) != 0 ||
		reader->at[length + 1] != '"')
		return false;
	reader->at += length + 2;
	json_reader_expect(reader, ':');
	return true;
}

void
json_reader_expect_key(JsonReader *reader, const char *name)
{
	if (!json_reader_accept_key(reader, name))
		reject(reader, psprintf("\"%s\":", name));
}

/* The four digits of \uXXXX. */
static pg_wchar
take_code_unit(JsonReader *reader)
{
	pg_wchar unit = 0;

	for (int i = 0; i < 4; i++)
	{
		unsigned char digit = *reader->at;

		if (!isxdigit(digit))
			reject(reader, "a hexadecimal digit");
		unit = unit << 4 | (digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
		reader->at++;
	}
	return unit;
}

/* What stands behind \u, of one unit or a surrogate pair. */
static void
take_unicode(JsonReader *reader, StringInfo string)
{
	unsigned char bytes[MAX_UNICODE_EQUIVALENT_STRING + 1];
	pg_wchar code = take_code_unit(reader);

	if (is_utf16_surrogate_first(code))
	{
		pg_wchar second = 0;

		if (reader->at[0] == '\\' && reader->at[1] == 'u')
		{
			reader->at += 2;
			second = take_code_unit(reader);
		}
		if (!is_utf16_surrogate_second(second))
			reject(reader, "the other half of a surrogate pair");
		code = surrogate_pair_to_codepoint(code, second);
	}
	if (!is_valid_unicode_codepoint(code) || is_utf16_surrogate_second(code))
		reject(reader, "a character");
	pg_unicode_to_server(code, bytes);
	appendStringInfoString(string, (char *) bytes);
}

static void
take_escape(JsonReader *reader, StringInfo string)
{
	static const char escapes[] = "\"\\/bfnrt";
	static const char meanings[] = "\"\\/\b\f\n\r\t";
	const char *found = *reader->at ? strchr(escapes, *reader->at) : NULL;

	if (*reader->at == 'u')
	{
		reader->at++;
		take_unicode(reader, string);
		return;
	}
	if (found == NULL)
		reject(reader, "an escape sequence");
	appendStringInfoChar(string, meanings[found - escapes]);
	reader->at++;
}

char *
json_reader_string(JsonReader *reader)
{
	StringInfoData string;

	skip_space(reader);
	if (*reader->at != '"')
		reject(reader, "a string");
	reader->at++;
	initStringInfo(&string);
	while (*reader->at != '"')
	{
		size_t plain = 0;

		while ((unsigned char) reader->at[plain] >= ' ' && reader->at[plain] != '"' &&
			   reader->at[plain] != '\\')
			plain++;
		appendBinaryStringInfo(&string, reader->at, plain);
		reader->at += plain;
		if (*reader->at == '\\')
		{
			reader->at++;
			take_escape(reader, &string);
		}
		else if (*reader->at != '"')
			reject(reader, "the end of a string");
	}
	reader->at++;
	return string.data;
}

int64
json_reader_integer(JsonReader *reader, int64 least, int64 most)
{
	char *end;
	long long number;

	skip_space(reader);
	errno = 0;
	number = strtoll(reader->at, &end, 10);
	if (!(*reader->at == '-' || isdigit((unsigned char) *reader->at)) || end == reader->at ||
		errno != 0 || number < least || number > most)
		reject(reader, psprintf("an integer from " INT64_FORMAT " to " INT64_FORMAT, least, most));
	reader->at = end;
	return number;
}
