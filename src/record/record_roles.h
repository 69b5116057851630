/*
 * record_roles.h
 *		Describes records by the roles that a call gives their fields.
 *
 * Records are ROW(..), with fields f1, f2, ..; rows of a subquery, with named fields; or whole rows
 * of a table or view, whose type leads to the declarations in kanon_attribute.
 */
#ifndef KANON_RECORD_ROLES_H
#define KANON_RECORD_ROLES_H

#include "postgres.h"

#include "base/budget.h"
#include "relation/description.h"
#include "utils/array.h"
#include "utils/jsonb.h"

#define RECORD_ROLES_MOST 64 /* quasi-identifiers */

/* The roles of fields. */
typedef struct RecordRoles
{
	ArrayType *quasi_identifiers; /* name[], in the order wanted; NULL: for whole rows of a
								   * relation the declared ones, otherwise all fields except
								   * those named here and by the models */
	ArrayType *dimensions;        /* regclass[] by quasi-identifier, with NULL for none, 0 for none
								   * and plain; NULL: the declared ones of whole rows */
	ArrayType *fields;            /* name[]: of records without a type, which Citus may have lost;
								   * NULL: they have their own */
	const Jsonb *whole;           /* record_whole.h: what it says of labels replaces dimensions; or
								   * NULL */
	bool classes;                 /* quasi-identifiers are parts of a class, without dimension */
	int known;                    /* of these, somebody may know so many; 0: all */
	bool plain;                   /* so are those without dimension and scale */
	bool flat;                    /* see description_flatten */
	bool nulls;                   /* .. of all */
	bool told;                    /* as in Description */
	const char *target;           /* a field's name, or NULL */
	const char *models;           /* as text, or NULL */
	ArrayType *model_dimensions;  /* like dimensions, by model */
	const char *person;           /* a field's name, or NULL */
	int beside;                   /* the number of last fields that stand beside the cells */
	const char *weights;          /* of the quasi-identifiers, as "1,0.5"; NULL: the declared ones
								   * of whole rows, otherwise all alike */
} RecordRoles;

/*
 * Describes records of one type, in the current context; reads dimension tables as the current
 * user.  tables: those of the statement that hands the records over (sql/calling_query.h).
 *
 * Rows of shards, and rows of views that Citus hands over, do not lead to what was declared.  The
 * call must say all of it, or they must be ROW(..), which never had declarations.
 *
 * Errors: such rows (ERRCODE_FEATURE_NOT_SUPPORTED); those of description_choose and
 * description_demand; a target, a person or a field beside the cells that is a quasi-identifier; no
 * quasi-identifier, or more than RECORD_ROLES_MOST; a wrong number of dimensions or weights
 * (ERRCODE_INVALID_PARAMETER_VALUE); those of dimension_query_load.
 */
extern Description *record_roles_describe(Oid type, int32 typmod, const RecordRoles *roles,
										  const List *tables, Budget *budget);

/*
 * The same for a relation whose rows the current user's own query reads; roles must not set
 * dimensions.  Locks the relation; adds the errors of description_load.
 */
extern Description *record_roles_describe_relation(Oid relation, const RecordRoles *roles,
												   Budget *budget);

/* Describes rows that are all NULL: models see a single value. */
extern Description *record_roles_describe_unknown(const RecordRoles *roles);

#endif /* KANON_RECORD_ROLES_H */
