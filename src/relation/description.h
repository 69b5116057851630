/*
 * description.h
 *		What kanon knows about a table: its columns and what the owner
 *		declared of them in kanon_attribute.
 */
#ifndef KANON_DESCRIPTION_H
#define KANON_DESCRIPTION_H

#include "postgres.h"

#include "access/attnum.h"
#include "base/compat.h"
#include "utils/array.h"

typedef enum AttributeRole
{
	ROLE_UNDECLARED,
	ROLE_IDENTIFIER,
	ROLE_QUASI_IDENTIFIER,
	ROLE_SENSITIVE,
	ROLE_INSENSITIVE
} AttributeRole;

typedef struct DescribedAttribute
{
	const char *name;
	AttrNumber number;
	Oid type;
	Oid collation;
	AttributeRole role;
	double weight; /* of this attribute in the loss */
	Oid dimension; /* InvalidOid: the levels are {value, *} */
} DescribedAttribute;

typedef struct Description
{
	Oid relation;
	const char *name; /* qualified and quoted, for SQL and messages */
	int attribute_count;
	DescribedAttribute *attributes; /* live columns in column order */
	int quasi_count;
	int *quasi;       /* indexes into attributes: the quasi-identifiers */
	bool handed_rows; /* no query of the current user's reads the rows: a view or REFRESH hands
					   * them over, and whoever looks at it need not be allowed to read them */
} Description;

/*
 * Reads the catalog for a relation (table, view, materialized view, foreign
 * or partitioned table).  quasi_identifiers: a name[] in the order wanted, or
 * NULL for those declared, in column order.  Runs within a query scope; the
 * result lives in the current memory context (within a query scope: SPI's, gone at query_end).
 *
 * Errors: not a relation with columns (ERRCODE_WRONG_OBJECT_TYPE); a name
 * that is no column (ERRCODE_UNDEFINED_COLUMN), that stands twice
 * (ERRCODE_DUPLICATE_COLUMN), or whose type has no default btree operator
 * class (ERRCODE_UNDEFINED_FUNCTION); no quasi-identifier at all
 * (ERRCODE_INVALID_PARAMETER_VALUE, with a hint).
 */
extern Description *description_load(Oid relation, ArrayType *quasi_identifiers);

/* As description_load, but a table without quasi-identifiers is fine. */
extern Description *description_load_any(Oid relation);

/*
 * The live columns alone, nothing declared; needs no query scope.  Errors: a
 * relation that does not exist (ERRCODE_UNDEFINED_TABLE) or has no columns.
 */
extern Description *description_load_columns(Oid relation);

/*
 * Errors unless the type of the attribute has a default btree operator class
 * (ERRCODE_UNDEFINED_FUNCTION).
 */
extern void description_check_quasi_identifier(const Description *description,
											   const DescribedAttribute *attribute);

/* More would be a mistake rather than a hierarchy. */
#define DIMENSION_MAX_LEVELS 100

/*
 * Errors unless the columns of a relation can be read as a dimension: a ground value
 * (ERRCODE_INVALID_TABLE_DEFINITION), then at most DIMENSION_MAX_LEVELS levels
 * (ERRCODE_PROGRAM_LIMIT_EXCEEDED) of types with a default btree operator class
 * (ERRCODE_UNDEFINED_FUNCTION).
 */
extern void description_check_levels(const Description *dimension);

/* The attribute of that name, or NULL. */
extern DescribedAttribute *description_find(const Description *description, const char *name);

/* The attribute of that name, or ERRCODE_UNDEFINED_COLUMN. */
extern DescribedAttribute *description_get(const Description *description, const char *name);

extern const char *attribute_role_name(AttributeRole role);

/*
 * ERRCODE_T_R_SERIALIZATION_FAILURE.  All queries of a call share a snapshot, so a value
 * that was not there before can come only from a source without one: a foreign table, a
 * volatile view.
 */
pg_noreturn extern void description_report_change(const Description *description);

#endif /* KANON_DESCRIPTION_H */
