/*
 * value_text.h
 *		The text of values, and casts between types, without running any code but PostgreSQL's own.
 *
 * - A value becomes text by the cast to text if that is a function of pg_catalog (boolean gives
 *   true, character(n) loses its padding, inet shows its mask) or does nothing; otherwise by the
 *   type's output function, as in SELECT.
 * - A value becomes one of another type by a function of pg_catalog, without a function, or through
 *   its text.
 * - Domains count as their base types on both sides.  Nothing is ever cast to a domain or to a type
 *   that contains one.
 *
 * Texts in SQL depend on settings; a query scope (query.h) pins them.
 */
#ifndef KANON_VALUE_TEXT_H
#define KANON_VALUE_TEXT_H

#include "postgres.h"

#include "fmgr.h"
#include "sql/text_settings.h"

typedef enum ValueTextKind
{
	VALUE_TEXT_OUTPUT, /* an output function, which returns a C string */
	VALUE_TEXT_CAST,   /* a cast, which returns text */
	VALUE_TEXT_INPUT   /* an input function, which reads a C string */
} ValueTextKind;

/* Writes values of one type as text, or reads such texts. */
typedef struct ValueText
{
	ValueTextKind kind;
	FmgrInfo function;
	Oid parameter;         /* of the input function */
	bool follows_settings; /* the text may depend on settings */
	bool needs_nest_level; /* .. on some that have no variables, see text_settings.h */
	TextSettings settings;
} ValueText;

/*
 * The writer of a type, looked up in the current context. value_text_write writes a value, not
 * NULL, independently of the caller's settings, palloc'd. value_text does both for a single value.
 */
extern ValueText value_text_writer(Oid type);
extern char *value_text_write(ValueText *writer, Datum value);
extern char *value_text(Oid type, Datum value);

/*
 * A text of the database's encoding in UTF-8, palloc'd or the text itself; NULL if it has
 * characters that UTF-8 lacks or, in a database without encoding, bytes that are not UTF-8.
 */
extern const char *value_text_utf8(const char *text);

/*
 * The reader of a type. value_text_read reads the text that value_text_write wrote, independently
 * of the caller's settings.  Raises the errors of the type's input function.
 */
extern ValueText value_text_reader(Oid type);
extern Datum value_text_read(ValueText *reader, char *text);

/*
 * The same as SQL, for an expression of exactly that type, domain or not; NULL stays NULL.  It
 * means the same under every search_path, also when it is parsed again after others added casts and
 * functions. "operand" is a column or parenthesized, and may appear twice.  In the current context.
 */
extern const char *value_text_expression(const char *operand, Oid type);

/*
 * Does the text of values, of the type or in it, follow lc_monetary or search_path?  Any other text
 * that value_text_write writes is read alike under all settings, array_nulls = off apart.
 */
extern bool value_text_needs_settings(Oid type);

/* Would making a value of the type run users' code?  True of domains and types that contain one. */
extern bool value_cast_is_checked(Oid type);

/* Is the cast from one type to the base type of another PostgreSQL's own? */
extern bool value_cast_is_own(Oid source, Oid target);

/*
 * SQL: casts the operand, of type "source", to the base type of "target". value_cast_is_own must be
 * true.
 */
extern const char *value_cast_expression(const char *operand, Oid source, Oid target);

/* The qualified SQL name of a type's base type, without modifier. */
extern char *value_cast_type_name(Oid type);

/*
 * SQL that publishes a value without traces of how it was stored: an expression for the value of
 * "operand", uncompressed, of the same type and, except for arrays, the same modifier.  A domain
 * over a composite type becomes that type.  It is the operand itself if values of the type are
 * never compressed.  Fields of composites inside arrays and ranges are not rewritten.  It means
 * the same under every search_path.  The operand is a column or parenthesized, and may appear
 * several times.  In the current context.
 */
extern const char *fresh_value(const char *operand, Oid type, int32 typmod);

#endif /* KANON_VALUE_TEXT_H */
