/*
 * cut_query.c
 *		See cut_query.h.
 *
 * A value belongs to the part in which the rows before it end; the first value of each part cuts.
 */
#include "postgres.h"

#include "count/cut_query.h"

#include "relation/grouped_rows.h"
#include "sql/query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"

int
cut_query_run(const Description *description, const DescribedAttribute *attribute, int parts,
			  char **cut)
{
	GroupedRows rows = grouped_rows(description, bms_make_singleton(attribute->number));
	int count;

	query_run(psprintf("SELECT %2$s FROM (SELECT c.v, c.part,"
					   " lag(c.part, 1, 0) OVER (ORDER BY c.v) AS before FROM"
					   " (SELECT g.v, floor((sum(g.n) OVER (ORDER BY g.v) - g.n) * %5$d"
					   " / sum(g.n) OVER ())::int AS part"
					   " FROM (SELECT s.%1$s AS v, %3$s AS n FROM %4$s s"
					   " GROUP BY 1) g WHERE g.v IS DISTINCT FROM NULL) c) c"
					   " WHERE c.part <> c.before ORDER BY c.v",
					   quote_identifier(attribute->name),
					   value_text_expression("c.v", attribute->type), rows.count, rows.relation,
					   parts),
			  true);
	count = (int) Min(query_rows(), parts - 1);
	for (int i = 0; i < count; i++)
		cut[i] = pstrdup(query_text(i, 1));
	return count;
}
