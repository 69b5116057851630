/*
 * loss_query.h
 *		What cells lose, as SQL: metric/loss.h says what that is.
 */
#ifndef KANON_LOSS_QUERY_H
#define KANON_LOSS_QUERY_H

#include "postgres.h"

/*
 * Arguments and results are SQL expressions; palloc'd.  NULL where nothing is known counts as
 * nothing lost.
 */

/* Of a part of the whole, both float8 or both numeric. */
extern char *loss_query_of_part(const char *part, const char *whole);

/* Of a cell that stands for so many values of the domain (whole numbers). */
extern char *loss_query_of_leaves(const char *leaves, const char *domain);

/* Of a cell that hides everything, also whether it was of the domain ("others": boolean). */
extern char *loss_query_of_all(const char *domain, const char *others);

#endif /* KANON_LOSS_QUERY_H */
