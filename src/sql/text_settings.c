/*
 * text_settings.c
 *		See text_settings.h.
 */
#include "postgres.h"

#include "sql/text_settings.h"

#include "miscadmin.h"
#include "utils/array.h"
#include "utils/bytea.h"
#include "utils/float.h"
#include "utils/guc.h"
#include "utils/xml.h"

#define ZONE "UTC"
#define FLOAT_DIGITS 1

/* Setting a locale takes time, so a setting that has the value is left alone. */
void
text_settings_pin_one(const char *name, const char *value)
{
	const char *now = GetConfigOption(name, false, false);

	if (now == NULL || strcmp(now, value) != 0)
		(void) set_config_option(name, value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0,
								 false);
}

void
text_settings_local(const char *name, const char *value)
{
	(void) set_config_option(name, value, PGC_SUSET, PGC_S_SESSION, GUC_ACTION_LOCAL, true, 0,
							 false);
}

int
text_settings_begin(void)
{
	int nest_level = NewGUCNestLevel();

	text_settings_pin_one("search_path", "pg_catalog, pg_temp");
	text_settings_pin_one("DateStyle", "ISO, YMD");
	text_settings_pin_one("IntervalStyle", "postgres");
	text_settings_pin_one("TimeZone", ZONE);
	text_settings_pin_one("extra_float_digits", CppAsString2(FLOAT_DIGITS));
	text_settings_pin_one("bytea_output", "hex");
	text_settings_pin_one("lc_monetary", "C");
	text_settings_pin_one("lc_numeric", "C");
	text_settings_pin_one("lc_time", "C");
	text_settings_pin_one("array_nulls", "on");
	text_settings_pin_one("xmloption", "content");
	text_settings_pin_one("quote_all_identifiers", "off");
	return nest_level;
}

void
text_settings_end(int nest_level)
{
	AtEOXact_GUC(true, nest_level);
}

static const struct
{
	int *variable;
	int value;
} variables[TEXT_SETTINGS] = {
	{&DateStyle, USE_ISO_DATES},         {&DateOrder, DATEORDER_YMD},
	{&IntervalStyle, INTSTYLE_POSTGRES}, {&extra_float_digits, FLOAT_DIGITS},
	{&bytea_output, BYTEA_OUTPUT_HEX},   {&xmloption, XMLOPTION_CONTENT},
};

TextSettings
text_settings_pinned(void)
{
	TextSettings pinned = {.array_nulls = true, .zone = pg_tzset(ZONE)};

	for (int i = 0; i < TEXT_SETTINGS; i++)
		pinned.value[i] = variables[i].value;
	return pinned;
}

TextSettings
text_settings_swap(TextSettings settings)
{
	TextSettings before = {.array_nulls = Array_nulls, .zone = session_timezone};

	for (int i = 0; i < TEXT_SETTINGS; i++)
	{
		before.value[i] = *variables[i].variable;
		*variables[i].variable = settings.value[i];
	}
	Array_nulls = settings.array_nulls;
	session_timezone = settings.zone;
	return before;
}
