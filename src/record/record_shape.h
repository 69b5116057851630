/*
 * record_shape.h
 *		Which fields of a record are quasi-identifiers, and what is declared of them.
 *
 * Records are ROW(..), with fields f1, f2, ..; rows of a subquery, with named fields; or whole rows
 * of a table or view, whose type leads to the declarations in kanon_attribute.
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
	const Description *description; /* of the relation that the rows belong to, or of the fields */
	int quasi_count;
	DescribedAttribute *quasi;        /* each with its dimension's domain, if it has one */
	bool *plain;                      /* [quasi-identifier]: in classes, a value or *, no range */
	const DescribedAttribute *target; /* NULL: none */
	SensitiveColumns sensitive;       /* models and person; none if empty */
	const int *beside;                /* numbers of the fields beside the cells, .. */
	TupleDesc beside_fields;          /* .. and their descriptor; NULL: none */
} RecordShape;

/* The roles of fields. */
typedef struct RecordRoles
{
	ArrayType *quasi_identifiers; /* name[], in the order wanted; NULL: for whole rows of a
								   * relation the declared ones, otherwise all fields except
								   * those named here and by the models */
	ArrayType *dimensions;        /* regclass[] by quasi-identifier, with NULL for none, 0 for none
								   * and plain; NULL: the declared ones of whole rows */
	bool plain;                   /* so are those without dimension and scale */
	const char *target;           /* a field's name, or NULL */
	const char *models;           /* as text, or NULL */
	ArrayType *model_dimensions;  /* like dimensions, by model */
	const char *person;           /* a field's name, or NULL */
	int beside;                   /* the number of last fields that stand beside the cells */
} RecordRoles;

/*
 * The shape of records of one type, in the current context; reads dimension tables as the current
 * user.
 *
 * Errors: those of description_choose and sensitive_columns_find; a target, a person or a field
 * beside the cells that is a quasi-identifier; no quasi-identifier, or more than RECORD_SHAPE_MOST;
 * a wrong number of dimensions (ERRCODE_INVALID_PARAMETER_VALUE); those of dimension_query_load.
 */
extern RecordShape *record_shape_load(Oid type, int32 typmod, const RecordRoles *roles,
									  Budget *budget);

/*
 * The same for a relation whose rows the current user's own query reads; roles must not set
 * dimensions or person.  Locks the relation; adds the errors of description_load.
 */
extern RecordShape *record_shape_of_relation(Oid relation, const RecordRoles *roles,
											 Budget *budget);

/* The shape of rows that are all NULL: models see a single value. */
extern RecordShape *record_shape_unknown(const RecordRoles *roles);

#endif /* KANON_RECORD_SHAPE_H */
