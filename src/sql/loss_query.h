/*
 * loss_query.h
 *		The loss of cells as SQL; metric/loss.h defines it.
 */
#ifndef KANON_LOSS_QUERY_H
#define KANON_LOSS_QUERY_H

#include "postgres.h"

/*
 * Arguments and results are SQL expressions; results are palloc'd.  NULL (unknown) counts as no
 * loss.
 */

/* A cell that covers "part" of "whole", both float8 or both numeric. */
extern char *loss_query_of_part(const char *part, const char *whole);

/* A cell that stands for this many values of the domain; whole numbers. */
extern char *loss_query_of_leaves(const char *leaves, const char *domain);

/*
 * A cell that hides everything. "others" (boolean): the column also has values outside the domain.
 */
extern char *loss_query_of_all(const char *domain, const char *others);

#endif /* KANON_LOSS_QUERY_H */
