/*
 * class_audit.h
 *		Judges the equivalence classes of a relation as it is now.
 *
 * What the relation went through does not matter: a release is judged by its
 * contents, like any other table.
 *
 * With a person, a class has as many members as different people, and so has
 * each sensitive value in it; someone with several values in a class counts
 * once for each of them.  Rows whose person is NULL belong to nobody: a class of
 * such rows alone has no members, and their values are not looked at.
 */
#ifndef KANON_CLASS_AUDIT_H
#define KANON_CLASS_AUDIT_H

#include "postgres.h"

#include "count/class_query.h"
#include "count/class_stream.h"
#include "count/risk_query.h"
#include "sql/query.h"
#include "utils/array.h"

typedef struct ClassAudit
{
	Oid relation;
	int k;                        /* 0: not given; any size will do */
	ArrayType *quasi_identifiers; /* name[], or NULL: of a release those it was made with, else
								   * those declared */
	List *models;                 /* of Model */
	bool known_models;            /* none are given: of a release those it was made with */
	const char *person;           /* count its distinct values instead of rows, or NULL */
} ClassAudit;

typedef struct JudgedClass
{
	const StreamedClass *class;
	const ModelQuery *query;
	bool satisfied; /* k and all models */
} JudgedClass;

typedef void (*JudgedClassConsumer)(void *state, const JudgedClass *class);

/*
 * Of a release, what is not given is as it was made: k, models and person, by the names its
 * columns have now.  A NOTICE where people counted who are not published.  In the current context,
 * within a query scope.
 */
extern ClassAudit class_audit_known(const ClassAudit *audit);

/*
 * The tally, read as the caller; its small classes are those that violate k or
 * a model.  A NOTICE if it is a release whose cells were generalized one by one: its classes tell
 * little.  Within a query scope.
 *
 * Errors: a k that is not given (ERRCODE_NULL_VALUE_NOT_ALLOWED); those of description_load and of
 * model_query_create, model_query_read and model_query_check_values; a person that is no column
 * (ERRCODE_UNDEFINED_COLUMN) or has no order (ERRCODE_UNDEFINED_FUNCTION); those
 * of the GROUP BY itself.
 */
extern ClassTally class_audit_tally(const ClassAudit *audit);

/* Pushes each class, with its values and its verdict; otherwise as class_audit_tally. */
extern void class_audit_each(const ClassAudit *audit, JudgedClassConsumer consumer, void *state);

/* 1 / k of a release, else RISK_THRESHOLD. */
#define RISK_THRESHOLD_KNOWN (-1)
#define RISK_THRESHOLD 0.2

/*
 * The risk of rows, by risk_query_tally, of the same columns.  A NOTICE where a
 * release was made so that people count.
 */
extern RiskTally class_audit_risk(Oid relation, ArrayType *quasi_identifiers, Oid population,
								  double threshold);

#endif /* KANON_CLASS_AUDIT_H */
