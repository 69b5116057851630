/*
 * record_whole.h
 *		What is known of a whole table, when records are those of a node of its partition tree.
 *
 * Mondrian measures widths by the extents of the table, orders values and labels by those that
 * occur in it, and judges closeness by its distribution.  With the values of the whole, and how
 * often each occurs, a node is divided and published as in the table.  A whole is a jsonb
 * (count/whole_query.h):
 *
 *	{"age": {"values": ["17", "18", null], "rows": [3, 5, 1]},
 *	 "zip": {"values": ["53715", "53703", "x"], "rows": [0, 9, 2],
 *			 "labels": [["5371*", "5370*"], ["*", "*"]], "unknown": ["*", "*"]}, ..}
 *
 * with each quasi-identifier and sensitive column by its name.  A value is its text
 * (sql/value_text.h), "rows" counts rows or, of sensitive columns with a person, people.  "labels",
 * level by level, replace a dimension: those of the first values, which may have no rows, then
 * follow values that the dimension lacks, with labels that are "unknown".
 *
 * Values that the whole lacks count as well, so a whole that is a little older does no harm.
 */
#ifndef KANON_RECORD_WHOLE_H
#define KANON_RECORD_WHOLE_H

#include "postgres.h"

#include "record/record_codes.h"

/*
 * Tells codes without rows what the request's whole says: encodes the values of the
 * quasi-identifiers, as if rows had them that are not there, and tells the sensitive columns how
 * often their values occur.
 *
 * Errors: a column that the whole lacks, or what is not such a jsonb
 * (ERRCODE_INVALID_PARAMETER_VALUE); texts that are no values of the column's type; types whose
 * values are checked by users' code (ERRCODE_FEATURE_NOT_SUPPORTED).  O(values).
 */
extern void record_whole_tell(RecordCodes *codes);

/* Final codes without rows: what the request's whole says of its values. */
extern RecordCodes *record_whole_codes(const Description *description, const RecordRequest *request,
									   Budget *budget);

/*
 * What these codes are made of, with the labels of their dimensions and of those of models, which
 * must have been asked for: palloc'd.  So who has neither the dimensions nor their rules gets the
 * same codes.
 */
extern Jsonb *record_whole_with_labels(const RecordCodes *codes);

/* Does a whole tell labels of a column?  Then its domain, instead of a dimension's. */
extern bool record_whole_has_labels(const Jsonb *whole, const DescribedAttribute *attribute);
extern AttributeDomain *record_whole_domain(const Jsonb *whole, const Description *description,
											const DescribedAttribute *attribute,
											UnknownValues unknown_values, Budget *budget);

/* The rows of the whole. */
extern int64 record_whole_rows(const RecordCodes *codes);

/* The columns with the extent of the whole: palloc'd, [attribute]; for a PartitionRequest. */
extern RecodingColumn *record_whole_columns(const RecordCodes *codes);

#endif /* KANON_RECORD_WHOLE_H */
