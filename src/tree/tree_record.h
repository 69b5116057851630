/*
 * tree_record.h
 *		SQL records as rows of a partition tree.
 *
 * Fields go by name, others than the tree's do not matter.  The fields of a bare
 * ROW(..) have no names: PostgreSQL calls them f1, f2, ..  Unless the tree asks
 * for some of these, they go by position, and there must be as many as
 * attributes.  Types must be those of the attributes; a domain counts as its base type.
 */
#ifndef KANON_TREE_RECORD_H
#define KANON_TREE_RECORD_H

#include "postgres.h"

#include "record/record_type.h"
#include "tree/partition_tree.h"

typedef struct TreeRecord
{
	MemoryContext context; /* of what is known of the type at hand */
	RecordType type;       /* of the row at hand */
	int *field_of_attribute;
	Datum *field_values;
	bool *field_nulls;
	Datum *values; /* by attribute */
	bool *nulls;
} TreeRecord;

/*
 * Reads one row: values (detoasted) and nulls by attribute.  The record keeps
 * what it knows of the row's type, and of no other, below "context"; it starts
 * out zeroed.
 *
 * Errors: an attribute that is no field (ERRCODE_UNDEFINED_COLUMN); another
 * type or number of fields (ERRCODE_DATATYPE_MISMATCH).
 */
extern void tree_record_read(TreeRecord *record, const PartitionTree *tree, HeapTupleHeader row,
							 MemoryContext context);

#endif /* KANON_TREE_RECORD_H */
