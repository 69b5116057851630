/*
 * value_text.h
 *		How values become text, and values of another type, by nobody's code but
 *		PostgreSQL's own.
 *
 * - A value becomes text by the cast to text where that is a function of pg_catalog
 *   (boolean gives true, character(n) drops its padding, inet shows its mask) or does
 *   nothing; otherwise by the type's output function, as SELECT shows it.
 * - A value becomes one of another type by a function of pg_catalog, by nothing at all or
 *   through its text.
 * - Domains count as their base types on both sides; nothing is ever cast to a domain,
 *   nor to what has one inside.
 *
 * Texts in SQL follow settings: within a query scope (query.h) they are pinned.
 */
#ifndef KANON_VALUE_TEXT_H
#define KANON_VALUE_TEXT_H

#include "postgres.h"

#include "fmgr.h"
#include "sql/text_settings.h"

typedef enum ValueTextKind
{
	VALUE_TEXT_OUTPUT, /* an output function, which gives a C string */
	VALUE_TEXT_CAST,   /* a cast, which gives text */
	VALUE_TEXT_SAME    /* a value is a text already */
} ValueTextKind;

/* Writes values of one type as text. */
typedef struct ValueText
{
	ValueTextKind kind;
	FmgrInfo function;
	bool follows_settings; /* the text is not the same under all settings, or may not be */
	bool needs_nest_level; /* settings that variables do not reach, see text_settings.h */
	TextSettings settings;
} ValueText;

/*
 * The function that writes the type, looked up in the current context; a value, not NULL, as
 * text, whatever the caller's settings, palloc'd; both for one value.
 */
extern ValueText value_text_writer(Oid type);
extern char *value_text_write(ValueText *writer, Datum value);
extern char *value_text(Oid type, Datum value);

/*
 * SQL that does the same to an expression of just that type, domain or not: NULL stays NULL. It
 * means the same under every search_path, also when it is read again after others made casts and
 * functions.  "operand" is a column or stands in parentheses; it may be written twice.  Current
 * context.
 */
extern const char *value_text_expression(const char *operand, Oid type);

/*
 * SQL: that text, in collation "C", where the type's output function (format('%s', operand))
 * gives another one, else NULL.
 */
extern const char *value_text_beside_output(const char *operand, Oid type);

/*
 * Would somebody's code see a value that is made of the type?  It is a domain, or has one inside.
 */
extern bool value_cast_is_checked(Oid type);

/* Is the cast from one type to the base type of another one PostgreSQL's own? */
extern bool value_cast_is_own(Oid source, Oid target);

/*
 * SQL: the operand, of type "source", as the base type of "target". value_cast_is_own must be
 * true of them.
 */
extern const char *value_cast_expression(const char *operand, Oid source, Oid target);

/* The SQL name of a type's base type, qualified, without modifier. */
extern char *value_cast_type_name(Oid type);

#endif /* KANON_VALUE_TEXT_H */
