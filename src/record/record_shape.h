/*
 * record_shape.h
 *		Which fields of a record are quasi-identifiers, and what is declared of
 *		them.
 *
 * Records come as ROW(..), whose fields are f1, f2, ..; as rows of a subquery,
 * whose fields have names; or as whole rows of a table or view, whose type
 * leads to the declarations of kanon_attribute.
 */
#ifndef KANON_RECORD_SHAPE_H
#define KANON_RECORD_SHAPE_H

#include "postgres.h"

#include "base/budget.h"
#include "record/record_type.h"
#include "relation/sensitive_columns.h"
#include "utils/array.h"

#define RECORD_SHAPE_MOST 64 /* quasi-identifiers */

typedef struct RecordShape
{
	RecordType record;
	const Description *description; /* of the relation whose rows these are, or of the fields */
	int quasi_count;
	DescribedAttribute *quasi;        /* each with the domain of its dimension, if it has one */
	const DescribedAttribute *target; /* NULL: none */
	SensitiveColumns sensitive;       /* likewise */
	const int *beside;                /* numbers of the fields that stand beside the cells, .. */
	TupleDesc beside_fields;          /* .. as records of these; NULL: none do */
} RecordShape;

/* What is known of the fields besides their types. */
typedef struct RecordRoles
{
	ArrayType *quasi_identifiers; /* name[], in the order wanted; NULL: for whole rows of a relation
								   * those declared, otherwise all fields but those named
								   * here and those of the models */
	ArrayType *dimensions; /* regclass[], for each quasi-identifier, NULL: none; NULL: for whole
							* rows of a relation those declared */
	const char *target;    /* a field's name, or NULL */
	const char *models;    /* as text, or NULL */
	ArrayType *model_dimensions; /* as dimensions, for each model */
	const char *person;          /* a field's name, or NULL */
	int beside;                  /* so many fields, the last ones, stand beside the cells */
} RecordRoles;

/*
 * The shape of records of one type, in the current context, dimension tables
 * read as the current user.
 *
 * Errors: those of description_choose and sensitive_columns_find; a target, a person or a field
 * beside the cells that is a quasi-identifier; no quasi-identifier, or more than RECORD_SHAPE_MOST;
 * another number of dimensions (ERRCODE_INVALID_PARAMETER_VALUE); those of
 * dimension_query_load.
 */
extern RecordShape *record_shape_load(Oid type, int32 typmod, const RecordRoles *roles,
									  Budget *budget);

/*
 * The shape of rows of a relation that a query of the current user's reads, of which nothing is
 * said by dimensions and person.  Likewise; the relation is locked from now on, with the errors of
 * description_load.
 */
extern RecordShape *record_shape_of_relation(Oid relation, const RecordRoles *roles,
											 Budget *budget);

/* Of rows that are all NULL, so that nothing is known of them but that models see one value. */
extern RecordShape *record_shape_unknown(const RecordRoles *roles);

#endif /* KANON_RECORD_SHAPE_H */
