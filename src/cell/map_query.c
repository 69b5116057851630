/*
 * map_query.c
 *		See map_query.h.
 */
#include "postgres.h"

#include "cell/map_query.h"

#include <math.h>

#include "base/interrupt.h"
#include "cell/range_format.h"
#include "sql/query.h"
#include "utils/builtins.h"

bool
map_query_takes(const CellColumn *column, bool *days)
{
	return range_format_ends(column, "NULL", days) != NULL;
}

static double
place_at(uint64 row, int column)
{
	bool isnull;
	Datum value = query_value(row, column, &isnull);

	return isnull ? NAN : DatumGetFloat8(value);
}

int
map_query_run(const CellColumn *x, const CellColumn *y, int most, RangePair **pair)
{
	const char *cell_x = psprintf("r.%s", quote_identifier(x->released));
	const char *cell_y = psprintf("r.%s", quote_identifier(y->released));
	bool days;
	int count;

	query_run(psprintf("SELECT %s, %s, p.rows FROM (SELECT %s AS x, %s AS y, count(*) AS rows"
					   " FROM %s r GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT %d) p",
					   range_format_ends(x, "p.x", &days), range_format_ends(y, "p.y", &days),
					   cell_x, cell_y, x->release, most),
			  true);
	count = (int) query_rows();
	*pair = palloc(sizeof(RangePair) * Max(count, 1));
	for (int i = 0; i < count; i++)
	{
		interrupt_check(i);
		(*pair)[i] = (RangePair){.low = {place_at(i, 1), place_at(i, 3)},
								 .high = {place_at(i, 2), place_at(i, 4)},
								 .rows = query_int8(i, 5)};
	}
	return count;
}
