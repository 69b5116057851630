/*
 * sensitive_fields.h
 *		Which fields of a record privacy models look at.
 */
#ifndef KANON_SENSITIVE_FIELDS_H
#define KANON_SENSITIVE_FIELDS_H

#include "postgres.h"

#include "dimension/dimension_query.h"
#include "model/model.h"
#include "utils/array.h"

typedef struct RecordField
{
	const char *name;
	int number; /* from 0 */
	Oid type;
	Oid collation;
	AttributeDomain *domain; /* loaded, where it has a dimension */
} RecordField;

/* A field that models look at, for all of them. */
typedef struct SensitiveField
{
	RecordField field; /* its domain only where a model asks for distances */
	int needs;         /* MODEL_NEEDS_* of these models */
} SensitiveField;

typedef struct SensitiveFields
{
	int models;
	const Model **model; /* in the order given */
	int *column_of;      /* [model] */
	int columns;
	SensitiveField *column;
	RecordField *person; /* whose different values count instead of rows; NULL: rows count */
} SensitiveFields;

/* Is anything demanded beyond k rows? */
static inline bool
sensitive_fields_demand(const SensitiveFields *fields)
{
	return fields->models > 0 || fields->person != NULL;
}

/* Is the field one of those? */
extern bool sensitive_fields_have(const SensitiveFields *fields, int number);

/*
 * The models of a kanon_model[], or of NULL, whose fields are not known yet; in the current
 * context.  Error: one of them is NULL (ERRCODE_NULL_VALUE_NOT_ALLOWED).
 */
extern SensitiveFields sensitive_fields_read(ArrayType *models);

/*
 * Adds the field of the next model, for as many times as there are models.  Errors: a
 * type without order (ERRCODE_UNDEFINED_FUNCTION), or without numbers where the
 * model needs them (ERRCODE_DATATYPE_MISMATCH).
 */
extern void sensitive_fields_add(SensitiveFields *fields, int model, RecordField field);

/* As a field of rows with a dimension; errors of dimension_source_load. */
extern AttributeDomain *sensitive_fields_dimension(const RecordField *field, Oid dimension,
												   Budget *budget);

#endif /* KANON_SENSITIVE_FIELDS_H */
