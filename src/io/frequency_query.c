/*
 * frequency_query.c
 *		See frequency_query.h.
 */
#include "postgres.h"

#include "io/frequency_query.h"

int frequency_query_ground_scan = GROUND_SCAN_AUTO;

const struct config_enum_entry ground_scan_options[] = {{"auto", GROUND_SCAN_AUTO, false},
														{"stream", GROUND_SCAN_STREAM, false},
														{"group_by", GROUND_SCAN_GROUP_BY, false},
														{NULL, 0, false}};
