/*
 * description.h
 *		The columns of a table, or the fields of rows that a query passes in: what is declared of
 *		them, and the roles that one call gives them.
 *
 * A call describes its columns once.  It loads a description, chooses the quasi-identifiers, and
 * says what is demanded of the classes: privacy models, which make columns sensitive, and people to
 * be counted instead of rows.  Whoever reads a dimension or the distribution of a sensitive column
 * keeps it here for the others.
 */
#ifndef KANON_DESCRIPTION_H
#define KANON_DESCRIPTION_H

#include "postgres.h"

#include "access/attnum.h"
#include "access/tupdesc.h"
#include "base/compat.h"
#include "model/class_judge.h"
#include "nodes/bitmapset.h"
#include "nodes/pg_list.h"
#include "relation/record_type.h"
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
	bool plain;    /* as a quasi-identifier of rows: in classes, a value or *, no range */
	int needs;     /* if it is sensitive: MODEL_NEEDS_* of its models */
	struct AttributeDomain *domain; /* the dimension's contents if they were read with the
									 * description (dimension/dimension_query.h); otherwise NULL */
} DescribedAttribute;

typedef struct Description
{
	Oid relation;      /* InvalidOid: the attributes are fields of rows without a relation */
	const char *name;  /* qualified and quoted, for SQL and messages; NULL: no relation */
	RecordType record; /* the type of rows that a query passes in: RECORDOID for ROW(..) and
						* subqueries; otherwise without type */
	int attribute_count;
	DescribedAttribute *attributes; /* live columns in column order */
	/* Roles of the call: pointers to attributes. */
	int quasi_count;
	DescribedAttribute **quasi;
	Demand demand;                  /* models and people; none after loading.  Distributions of the
									 * sensitive columns if they were read (sensitive_values.h) */
	DescribedAttribute **sensitive; /* [demand.columns]: all models on a column share it */
	DescribedAttribute *person;     /* its distinct values are counted instead of rows; NULL: rows
									 * are */
	DescribedAttribute *target;     /* which splits follow; NULL: none */
	DescribedAttribute **beside;    /* fields that stand beside the cells, .. */
	TupleDesc beside_fields;        /* .. and their descriptor; NULL: none */
	bool handed_rows;  /* a view or REFRESH passes the rows in, so the current user need not be
						* allowed to read them */
	bool told;         /* the call has told of values that dimensions lack already */
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
 * (ERRCODE_INVALID_PARAMETER_VALUE); nothing declared on a node where Citus keeps no declarations
 * of it (ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE). description_load_any allows a table without
 * any.
 */
extern Description *description_load(Oid relation, ArrayType *quasi_identifiers);
extern Description *description_load_any(Oid relation);

/*
 * The live columns of a relation, or the fields of rows, with no declarations; need no query scope.
 * Errors: a relation that does not exist (ERRCODE_UNDEFINED_TABLE) or has no columns.
 */
extern Description *description_load_columns(Oid relation);
extern Description *description_load_fields(RecordType record);

/* Chooses the quasi-identifiers of a name[] instead of the declared ones; errors as above. */
extern void description_choose(Description *description, ArrayType *quasi_identifiers);

/*
 * Sets the demand: models (a List of Model) and a person, or NULL, instead of those before.  In the
 * current context; keeps pointers to the models. _unknown takes the only attribute for all of them,
 * whatever their names.
 *
 * Errors: a column that does not exist (ERRCODE_UNDEFINED_COLUMN, ERRCODE_AMBIGUOUS_COLUMN), has no
 * order (ERRCODE_UNDEFINED_FUNCTION) or is not a number although the model needs one
 * (ERRCODE_DATATYPE_MISMATCH); a sensitive column that is a quasi-identifier
 * (ERRCODE_INVALID_PARAMETER_VALUE).
 */
extern void description_demand(Description *description, List *models, const char *person);
extern void description_demand_unknown(Description *description, List *models, const char *person);

/* Is anything demanded beyond k rows? */
static inline bool
description_demands(const Description *description)
{
	return description->demand.models > 0 || description->demand.person;
}

/* Does a model or the count of people need the attribute? */
extern bool description_is_demanded(const Description *description,
									const DescribedAttribute *attribute);

/* ERRCODE_INVALID_PARAMETER_VALUE if the person is a quasi-identifier. */
extern void description_check_person(const Description *description);

/*
 * The numbers of attributes; those of the quasi-identifiers; those of all columns that a query over
 * classes reads: also the sensitive ones, the person and the target; in the current context.
 */
extern Bitmapset *description_columns(DescribedAttribute *const *attributes, int count);
extern Bitmapset *description_quasi_columns(const Description *description);
extern Bitmapset *description_used_columns(const Description *description);

/* Adds a quasi-identifier.  Raises the error of description_check_quasi_identifier. */
extern void description_add_quasi_identifier(Description *description,
											 DescribedAttribute *attribute);

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

/* SQL: the attributes, of rows with the alias s; in the current context. */
extern char *description_list(DescribedAttribute *const *attributes, int count);

/* The quasi-identifiers (DescribedAttribute *) in order; in the current context. */
extern List *description_quasi_attributes(const Description *description);

/*
 * In which order do values lie in intervals?  In that of the attribute's dimension, if it has one
 * and its type has no scale; otherwise in the type's.
 */
extern bool description_has_dimension_order(const DescribedAttribute *attribute);

/* Takes the dimensions from quasi-identifiers that do not lie in their order, or from all. */
extern void description_flatten(Description *description, bool all);

#endif /* KANON_DESCRIPTION_H */
