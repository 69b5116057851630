/*
 * value_labels.h
 *		The labels of an attribute's values, those among them that the dimension table lacks: see
 *		dimension_query.h.
 */
#ifndef KANON_VALUE_LABELS_H
#define KANON_VALUE_LABELS_H

#include "postgres.h"

#include "dimension/dimension_query.h"

/* May an error name values of the attribute or of the dimension? */
extern bool value_labels_shown(const AttributeDomain *domain);

/* Room for the labels of so many ground values. */
extern void value_labels_reserve(AttributeDomain *domain, int32 needed);

/* Puts a label above one of the level below; the other one that is there already, or -1. */
extern int32 value_labels_link(AttributeDomain *domain, int level, int32 below, int32 label);

/* Once the table is read, and has levels: the labels of unknown values. */
extern void value_labels_prepare(AttributeDomain *domain);

/*
 * Labels all values of the relation, which lie in the ground dictionary behind those of the table:
 * from the rows of each provisional code.  Asks the rule within a query scope of its own.
 */
extern void value_labels_complete(AttributeDomain *domain, const int64 *rows);

/* Is it a value that neither the table nor a rule knows? */
extern bool value_labels_unknown(const AttributeDomain *domain, int32 value);

/* The place of a value: those of the table come first, in its order, the others in theirs. */
extern int32 value_labels_place(const AttributeDomain *domain, int32 value);

#endif /* KANON_VALUE_LABELS_H */
