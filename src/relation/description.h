/*
 * description.h
 *		What kanon knows about a table, or about rows that a query hands over: the columns
 *		it looks at, and what is declared of them.
 */
#ifndef KANON_DESCRIPTION_H
#define KANON_DESCRIPTION_H

#include "postgres.h"

#include "access/attnum.h"
#include "access/tupdesc.h"
#include "base/compat.h"
#include "nodes/pg_list.h"
#include "utils/array.h"

typedef enum AttributeRole
{
	ROLE_UNDECLARED,
	ROLE_IDENTIFIER,
	ROLE_QUASI_IDENTIFIER,
	ROLE_SENSITIVE,
	ROLE_INSENSITIVE
} AttributeRole;

/* A column of a table, or a field of rows. */
typedef struct DescribedAttribute
{
	const char *name;
	AttrNumber number; /* from 1 */
	Oid type;
	int32 typmod;
	Oid collation; /* the type's own where none was derived */
	AttributeRole role;
	double weight;                  /* of this attribute in the loss */
	Oid dimension;                  /* InvalidOid: the levels are {value, *} */
	struct AttributeDomain *domain; /* of that dimension, where it was read with the description
									 * (dimension/dimension_query.h); else NULL */
} DescribedAttribute;

typedef struct Description
{
	Oid relation;     /* InvalidOid: the attributes are fields of rows that are no relation's */
	const char *name; /* qualified and quoted, for SQL and messages; NULL: of such rows */
	Oid row_type;     /* of such rows, RECORDOID for ROW(..) and subqueries; else InvalidOid */
	int attribute_count;
	DescribedAttribute *attributes; /* live columns in column order */
	int quasi_count;
	int *quasi;       /* indexes into attributes: the quasi-identifiers */
	bool handed_rows; /* no query of the current user's reads the rows: a view or REFRESH hands
					   * them over, and whoever looks at it need not be allowed to read them */
} Description;

/*
 * Reads the catalog for a relation.  quasi_identifiers: a name[] in the order wanted, or NULL for
 * those declared, in column order.  Within a query scope; current context (there SPI's, gone at
 * query_end).
 *
 * Errors: not a relation with columns (ERRCODE_WRONG_OBJECT_TYPE); a name that is no column
 * (ERRCODE_UNDEFINED_COLUMN), stands twice (ERRCODE_DUPLICATE_COLUMN), or whose type has no
 * default btree operator class (ERRCODE_UNDEFINED_FUNCTION); no quasi-identifier at all
 * (ERRCODE_INVALID_PARAMETER_VALUE, with a hint). description_load_any takes a table without.
 */
extern Description *description_load(Oid relation, ArrayType *quasi_identifiers);
extern Description *description_load_any(Oid relation);

/*
 * The live columns of a relation, or the fields of rows, nothing declared; need no query scope.
 * Errors: a relation that does not exist (ERRCODE_UNDEFINED_TABLE) or has no columns.
 */
extern Description *description_load_columns(Oid relation);
extern Description *description_load_fields(TupleDesc fields);

/* Chooses the quasi-identifiers of a name[] in place of those declared; errors as above. */
extern void description_choose(Description *description, ArrayType *quasi_identifiers);

/* One more quasi-identifier.  Error of description_check_quasi_identifier. */
extern void description_add_quasi_identifier(Description *description,
											 const DescribedAttribute *attribute);

/* The place of an attribute among the quasi-identifiers, or -1. */
extern int description_quasi(const Description *description, const DescribedAttribute *attribute);

/* For messages: column "zip" of relation patients, or field "zip"; current context. */
extern char *description_title(const Description *description, const DescribedAttribute *attribute);

/*
 * ERRCODE_UNDEFINED_FUNCTION unless the type of the attribute has a default btree operator class:
 * it "cannot be a sensitive column", say; or a quasi-identifier.
 */
extern void description_check_order(const Description *description,
									const DescribedAttribute *attribute, const char *use);
extern void description_check_quasi_identifier(const Description *description,
											   const DescribedAttribute *attribute);

/* More would be a mistake rather than a hierarchy. */
#define DIMENSION_MAX_LEVELS 100

/*
 * Errors unless the columns of a relation can be read as a dimension: a ground value
 * (ERRCODE_INVALID_TABLE_DEFINITION), then at most DIMENSION_MAX_LEVELS levels
 * (ERRCODE_PROGRAM_LIMIT_EXCEEDED) of types with an order (ERRCODE_UNDEFINED_FUNCTION).
 */
extern void description_check_levels(const Description *dimension);

/* The (first) attribute of that name, or NULL. */
extern DescribedAttribute *description_find(const Description *description, const char *name);

/*
 * The attribute of that name.  ERRCODE_UNDEFINED_COLUMN: there is none; ERRCODE_AMBIGUOUS_COLUMN:
 * rows have two such fields.
 */
extern DescribedAttribute *description_get(const Description *description, const char *name);

extern const char *attribute_role_name(AttributeRole role);

/* The declared role of that name, or ERRCODE_INVALID_PARAMETER_VALUE. */
extern AttributeRole attribute_role(const char *name);

/*
 * ERRCODE_T_R_SERIALIZATION_FAILURE: a value was not there before.  All queries of a call share a
 * snapshot, so it comes from a source without one, a foreign table or a volatile view.
 */
pg_noreturn extern void description_report_change(const Description *description);

/* The quasi-identifiers, DescribedAttribute *, in order; current context. */
extern List *description_quasi_attributes(const Description *description);

#endif /* KANON_DESCRIPTION_H */
