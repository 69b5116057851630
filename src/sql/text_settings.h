/*
 * text_settings.h
 *		Pins the settings that the text of values depends on.
 *
 * Cells, labels and trees look the same for every user and server: dates in ISO order, times in
 * UTC, floating point numbers in the fewest digits that distinguish them, money without a country.
 * kanon reads texts in the same way; NULL in the text of an array means NULL, and
 * what is xml need not be a document.
 */
#ifndef KANON_TEXT_SETTINGS_H
#define KANON_TEXT_SETTINGS_H

#include "postgres.h"

#include "pgtime.h"

/*
 * Between these two, all of them are pinned, and so are the settings that names depend on:
 * search_path is pg_catalog, and only names that need quotes get them. _begin returns the GUC nest
 * level for _end; an error unwinds it.  Also works in parallel workers.  Costs more than the text
 * of one value.
 */
extern int text_settings_begin(void);
extern void text_settings_end(int nest_level);

/* Pins one more setting within such a level, unless it has that value already. */
extern void text_settings_pin_one(const char *name, const char *value);

/*
 * Sets a setting until the end of the transaction or an error, even one that only superusers may
 * set.
 */
extern void text_settings_local(const char *name, const char *value);

/*
 * The values of the variables behind the settings, or those that text_settings_begin gives them.
 * lc_monetary and search_path have no such variables.
 */
#define TEXT_SETTINGS 6

typedef struct TextSettings
{
	int value[TEXT_SETTINGS];
	bool array_nulls;
	pg_tz *zone;
} TextSettings;

extern TextSettings text_settings_pinned(void);

/*
 * For a single value: sets the variables and returns their earlier values.  The caller puts these
 * back, also after an error.
 */
extern TextSettings text_settings_swap(TextSettings settings);

#endif /* KANON_TEXT_SETTINGS_H */
