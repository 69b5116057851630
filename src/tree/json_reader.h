/*
 * json_reader.h
 *		A text in JSON, read piece by piece by someone who knows what comes
 *		next.  No tree of it is made, so its size does not matter.
 *
 * Whatever else comes is ERRCODE_INVALID_TEXT_REPRESENTATION, with the line.
 */
#ifndef KANON_JSON_READER_H
#define KANON_JSON_READER_H

#include "postgres.h"

typedef struct JsonReader
{
	const char *type; /* that the text is for, in messages */
	const char *at;
	int line;
} JsonReader;

extern JsonReader json_reader_begin(const char *type, const char *text);

/* Errors unless the text ends here. */
extern void json_reader_end(JsonReader *reader);

/* Takes one of the characters []{},: */
extern void json_reader_expect(JsonReader *reader, char punctuation);

/* Takes it if it comes next. */
extern bool json_reader_accept(JsonReader *reader, char punctuation);

/* Takes "name": if it comes next. */
extern bool json_reader_accept_key(JsonReader *reader, const char *name);
extern void json_reader_expect_key(JsonReader *reader, const char *name);

/* A string, palloc'd, in the server's encoding. */
extern char *json_reader_string(JsonReader *reader);

/* An integer without fraction or exponent. */
extern int64 json_reader_integer(JsonReader *reader, int64 least, int64 most);

#endif /* KANON_JSON_READER_H */
