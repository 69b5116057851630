/*
 * text_settings.h
 *		The settings that the text of values depends on, pinned.
 *
 * Cells, labels and trees are the same whoever asks for them, and however the server is
 * configured: dates in ISO order, times in UTC, floating point numbers in the fewest digits
 * that tell them apart, money without a country.  What kanon reads it reads in the same way.
 */
#ifndef KANON_TEXT_SETTINGS_H
#define KANON_TEXT_SETTINGS_H

#include "postgres.h"

#include "pgtime.h"

/*
 * Between the two all of them are pinned, and what names depend on: the search_path is
 * pg_catalog, and only names that need quotes have them.  The GUC nest level is handed from one
 * to the other; an error unwinds it.  Also in parallel workers.  It costs more than the text of a
 * value.
 */
extern int text_settings_begin(void);
extern void text_settings_end(int nest_level);

/* One more setting, within such a level; what has its value already is left alone. */
extern void text_settings_pin_one(const char *name, const char *value);

/* Until the transaction ends or an error unwinds it, be it one that only superusers may set. */
extern void text_settings_local(const char *name, const char *value);

/* The variables behind the settings; see PostgreSQL's miscadmin.h. */
typedef struct TextSettings
{
	int date_style;
	int date_order;
	int interval_style;
	int float_digits;
	int bytea;
	pg_tz *zone;
} TextSettings;

/* What text_settings_begin makes of them. */
extern TextSettings text_settings_pinned(void);

/*
 * For a single value: puts values into the variables and returns those that were there, which the
 * caller puts back, after an error too.  lc_monetary and search_path have no such variables.
 */
extern TextSettings text_settings_swap(TextSettings settings);

#endif /* KANON_TEXT_SETTINGS_H */
