/*
 * tree_record.h
 *		SQL records as rows of a partition tree.
 *
 * Fields are found by name; additional fields are ignored.  The fields of a bare ROW(..) have no
 * names; PostgreSQL calls them f1, f2, ..  Unless the tree uses some of these names, such fields
 * are taken by position, and there must be as many as attributes.  Types must be those of the
 * attributes; a domain counts as its base type.
 */
#ifndef KANON_TREE_RECORD_H
#define KANON_TREE_RECORD_H

#include "postgres.h"

#include "relation/record_type.h"
#include "tree/partition_tree.h"

typedef struct TreeRecord
{
	MemoryContext context; /* for what is known of the current type */
	RecordType type;       /* of the current row */
	int *field_of_attribute;
	Datum *field_values;
	bool *field_nulls;
	Datum *values; /* by attribute */
	bool *nulls;
} TreeRecord;

/*
 * Reads one row: values (detoasted) and nulls by attribute.  The record caches what it knows of the
 * latest row type below "context"; initialize it with zeros.
 *
 * Errors: an attribute without a field (ERRCODE_UNDEFINED_COLUMN); another type or number of fields
 * (ERRCODE_DATATYPE_MISMATCH).
 */
extern void tree_record_read(TreeRecord *record, const PartitionTree *tree, HeapTupleHeader row,
							 MemoryContext context);

#endif /* KANON_TREE_RECORD_H */
