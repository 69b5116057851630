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

TextSettings
text_settings_pinned(void)
{
	return (TextSettings){.date_style = USE_ISO_DATES,
						  .date_order = DATEORDER_YMD,
						  .interval_style = INTSTYLE_POSTGRES,
						  .float_digits = FLOAT_DIGITS,
						  .bytea = BYTEA_OUTPUT_HEX,
						  .array_nulls = true,
						  .xml_option = XMLOPTION_CONTENT,
						  .zone = pg_tzset(ZONE)};
}

TextSettings
text_settings_swap(TextSettings settings)
{
	TextSettings before = {.date_style = DateStyle,
						   .date_order = DateOrder,
						   .interval_style = IntervalStyle,
						   .float_digits = extra_float_digits,
						   .bytea = bytea_output,
						   .array_nulls = Array_nulls,
						   .xml_option = xmloption,
						   .zone = session_timezone};

	DateStyle = settings.date_style;
	DateOrder = settings.date_order;
	IntervalStyle = settings.interval_style;
	extra_float_digits = settings.float_digits;
	bytea_output = settings.bytea;
	Array_nulls = settings.array_nulls;
	xmloption = settings.xml_option;
	session_timezone = settings.zone;
	return before;
}
