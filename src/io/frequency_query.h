#ifndef KANON_FREQUENCY_QUERY_H
#define KANON_FREQUENCY_QUERY_H
#include "postgres.h"

#include "utils/guc.h"
enum
{
	GROUND_SCAN_AUTO,
	GROUND_SCAN_STREAM,
	GROUND_SCAN_GROUP_BY
};
extern int frequency_query_ground_scan;
extern const struct config_enum_entry ground_scan_options[];
#endif
