/*
 * relation_rows.h
 *		Reads the rows of a relation as codes, once.
 */
#ifndef KANON_RELATION_ROWS_H
#define KANON_RELATION_ROWS_H

#include "postgres.h"

#include "record/record_codes.h"

typedef struct RelationRowsRequest
{
	Oid relation;
	RecordRoles roles;
	PartitionSplit split;
	bool ranks;       /* see dataset_column_create */
	bool may_spill;   /* to tapes */
	Size class_bytes; /* see RecordCodes */
} RelationRowsRequest;

/*
 * All rows: one SELECT as the current user reads the columns that have a role into codes, in memory
 * or on tapes (record_codes.h).  The codes are not final yet.  In the current context, against a
 * budget over it.  Errors: those of record_roles_describe_relation, record_codes_create and the
 * query; the memory limit.
 */
extern RecordCodes *relation_rows_read(const RelationRowsRequest *request, Budget *budget);

#endif /* KANON_RELATION_ROWS_H */
