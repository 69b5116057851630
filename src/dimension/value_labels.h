/*
 * value_labels.h
 *		The labels of an attribute's values, including those that the dimension table lacks (see
 *		dimension_query.h).
 */
#ifndef KANON_VALUE_LABELS_H
#define KANON_VALUE_LABELS_H

#include "postgres.h"

#include "dimension/dimension_query.h"

/* May an error quote values of the attribute or of the dimension? */
extern bool value_labels_shown(const AttributeDomain *domain);

/* Makes room for the labels of this many ground values. */
extern void value_labels_reserve(AttributeDomain *domain, int32 needed);

/*
 * Sets the parent of a label (or value) of the level below; returns the different parent it already
 * has, or -1.
 */
extern int32 value_labels_link(AttributeDomain *domain, int level, int32 below, int32 label);

/* Determines the labels of unknown values, after a table with levels was read. */
extern void value_labels_prepare(AttributeDomain *domain);

/*
 * Labels all values of the relation, which follow those of the table in the ground dictionary,
 * given the rows of each provisional code.  Asks the rule in a query scope of its own.
 */
extern void value_labels_complete(AttributeDomain *domain, const int64 *rows);

/* Is it a value that neither the table nor a rule has? */
extern bool value_labels_unknown(const AttributeDomain *domain, int32 value);

/*
 * The sort position of a value: those of the table first, in its order, then the others in theirs.
 */
extern int32 value_labels_place(const AttributeDomain *domain, int32 value);

#endif /* KANON_VALUE_LABELS_H */
