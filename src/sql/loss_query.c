/*
 * loss_query.c
 *		See loss_query.h.
 */
#include "postgres.h"

#include "sql/loss_query.h"

char *
loss_query_of_part(const char *part, const char *whole)
{
	return psprintf("least(1, coalesce((%s) / nullif(%s, 0), 0))", part, whole);
}

char *
loss_query_of_leaves(const char *leaves, const char *domain)
{
	return loss_query_of_part(psprintf("(%s - 1)::float8", leaves),
							  psprintf("(%s - 1)::float8", domain));
}

char *
loss_query_of_all(const char *domain, const char *others)
{
	return psprintf("(%s > 1 OR %s = 1 AND %s)::int", domain, domain, others);
}
