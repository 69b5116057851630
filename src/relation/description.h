/*
 * description.h
 *		The columns of a table, or the fields of rows that a query passes in, and what is declared
 *		of them.
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
	Oid collation; /* the type's own if none was derived */
	AttributeRole role;
	double weight; /* weight in the loss */
	Oid dimension; /* InvalidOid: the levels are {value, *} */
	Oid relation;  /* whose column it is; InvalidOid: a field, or a query names its dimension */
	struct AttributeDomain *domain; /* the dimension's contents if they were read with the
									 * description (dimension/dimension_query.h); otherwise NULL */
} DescribedAttribute;

typedef struct Description
{
	Oid relation;     /* InvalidOid: the attributes are fields of rows without a relation */
	const char *name; /* qualified and quoted, for SQL and messages; NULL: no relation */
	Oid row_type;     /* without a relation: the row type, RECORDOID for ROW(..) and subqueries;
					   * otherwise InvalidOid */
	int attribute_count;
	DescribedAttribute *attributes; /* live columns in column order */
	int quasi_count;
	int *quasi;        /* indexes into attributes: the quasi-identifiers */
	bool handed_rows;  /* a view or REFRESH passes the rows in, so the current user need not be
						* allowed to read them */
	bool caller_reads; /* whoever called has the rights of the role as which the call works */
} Description;

/*
 * Reads the catalog for a relation. quasi_identifiers: a name[] in the order wanted, or NULL for
 * the declared ones in column order.  Call within a query scope.  In the current context, which is
 * SPI's there and gone at query_end.
 *
 * Errors: not a relation with columns (ERRCODE_WRONG_OBJECT_TYPE); a name that is not a column
 * (ERRCODE_UNDEFINED_COLUMN), occurs twice (ERRCODE_DUPLICATE_COLUMN), or whose type has no default
 * btree operator class (ERRCODE_UNDEFINED_FUNCTION); no quasi-identifier at all
 * (ERRCODE_INVALID_PARAMETER_VALUE). description_load_any allows a table without any.
 */
extern Description *description_load(Oid relation, ArrayType *quasi_identifiers);
extern Description *description_load_any(Oid relation);

/*
 * The live columns of a relation, or the fields of rows, with no declarations; need no query scope.
 * Errors: a relation that does not exist (ERRCODE_UNDEFINED_TABLE) or has no columns.
 */
extern Description *description_load_columns(Oid relation);
extern Description *description_load_fields(TupleDesc fields);

/* Chooses the quasi-identifiers of a name[] instead of the declared ones; errors as above. */
extern void description_choose(Description *description, ArrayType *quasi_identifiers);

/* Adds a quasi-identifier.  Raises the error of description_check_quasi_identifier. */
extern void description_add_quasi_identifier(Description *description,
											 const DescribedAttribute *attribute);

/* The index of an attribute among the quasi-identifiers, or -1. */
extern int description_quasi(const Description *description, const DescribedAttribute *attribute);

/* For messages: column "zip" of relation patients, or field "zip"; in the current context. */
extern char *description_title(const Description *description, const DescribedAttribute *attribute);

/*
 * Raises ERRCODE_UNDEFINED_FUNCTION unless the attribute's type has a default btree operator class.
 * The message says that it "cannot be" the use, such as a sensitive column or a quasi-identifier.
 */
extern void description_check_order(const Description *description,
									const DescribedAttribute *attribute, const char *use);
extern void description_check_quasi_identifier(const Description *description,
											   const DescribedAttribute *attribute);

/* More levels are a mistake rather than a hierarchy. */
#define DIMENSION_MAX_LEVELS 100

/*
 * Checks that the columns of a relation can be read as a dimension: a ground value
 * (ERRCODE_INVALID_TABLE_DEFINITION), then at most DIMENSION_MAX_LEVELS levels
 * (ERRCODE_PROGRAM_LIMIT_EXCEEDED) of sortable types (ERRCODE_UNDEFINED_FUNCTION).
 */
extern void description_check_levels(const Description *dimension);

/* The first attribute of that name, or NULL. */
extern DescribedAttribute *description_find(const Description *description, const char *name);

/*
 * The attribute of that name.  Raises ERRCODE_UNDEFINED_COLUMN if there is none and
 * ERRCODE_AMBIGUOUS_COLUMN if rows have two such fields.
 */
extern DescribedAttribute *description_get(const Description *description, const char *name);

extern const char *attribute_role_name(AttributeRole role);

/* The role of that name, or ERRCODE_INVALID_PARAMETER_VALUE. */
extern AttributeRole attribute_role(const char *name);

/*
 * Raises ERRCODE_T_R_SERIALIZATION_FAILURE: a value appeared between two queries.  All queries of a
 * call share a snapshot, so it comes from a source without one: a foreign table or a volatile view.
 */
pg_noreturn extern void description_report_change(const Description *description);

/*
 * Has it neither a dimension nor a type with a scale?  Then ranges of its values mean little:
 * unless asked for, a value is shown or hidden.
 */
extern bool description_is_plain(const DescribedAttribute *attribute);

/* The quasi-identifiers (DescribedAttribute *) in order; in the current context. */
extern List *description_quasi_attributes(const Description *description);

#endif /* KANON_DESCRIPTION_H */
