/*
 * class_audit.h
 *		Judges the equivalence classes of a relation as it is now (kanon_check, kanon_classes), and
 *		their risk (kanon_risk).
 *
 * A release is judged by its contents, like any other table.  class_audit_open reads from the
 * catalog what the release promised.
 *
 * If NULL matches anything, rows that look different match each other.  Then the classes are the
 * distinct rows, and one satisfies if it matches k rows (count/match_query.h).
 *
 * With a person, the members of a class, and of each sensitive value in it, are distinct people;
 * somebody with several values in a class counts once for each.  Rows with a NULL person belong to
 * nobody: a class of only such rows has no members, and their values do not count.
 */
#ifndef KANON_CLASS_AUDIT_H
#define KANON_CLASS_AUDIT_H

#include "postgres.h"

#include "count/class_query.h"
#include "release/release_catalog.h"
#include "release/release_options.h"
#include "sql/query.h"
#include "utils/array.h"

typedef struct ClassAudit
{
	Oid relation;
	int k;                        /* 0: not given; any size satisfies */
	ArrayType *quasi_identifiers; /* name[], or NULL: those of a release, otherwise the declared
								   * ones */
	List *models;                 /* of Model */
	bool known_models;            /* take a release's models instead */
	const char *person;           /* count its distinct values instead of rows, or NULL */
	int known;                    /* judge the classes of any so many columns; 0: of all */
	int8 null_matches;            /* NULL matches anything: count the rows that each matches, in
								   * place of its class; NEITHER: as a release counts them */

	/* Set by class_audit_open. */
	const ReleaseEntry *entry; /* NULL: not a release */
	bool withholds;            /* a class may hide its sensitive values as NULL, where they would
								* fail a model */
} ClassAudit;

typedef struct JudgedClass
{
	const StreamedClass *class;
	const Description *description; /* with the quasi-identifiers that make the class */
	bool satisfied;                 /* k and all models */
	bool withheld; /* values that would have failed a model are NULL, which is why it satisfies */
} JudgedClass;

typedef void (*JudgedClassConsumer)(void *state, const JudgedClass *class);

/*
 * Looks the relation up.  If it is a release, fills in its k, if none is given; its person, how
 * many columns are known, or whether NULL matches, if neither k nor that is given; and, on request,
 * its models, by the current names of its columns. Raises a NOTICE if it counted people who are not
 * published.  In the current context, within a query scope.
 *
 * Errors: models or a person where NULL matches, so that there are no classes
 * (ERRCODE_FEATURE_NOT_SUPPORTED).
 */
extern void class_audit_open(ClassAudit *audit);

/*
 * The tally of an audit that was opened, read as the current user; small classes are those that
 * violate k or a model.  Raises a NOTICE for a release generalized cell by cell, whose classes mean
 * little.  Call within a query scope.
 *
 * Errors: a missing k (ERRCODE_NULL_VALUE_NOT_ALLOWED); those of description_load and of
 * description_demand, sensitive_values_read and sensitive_values_check; a person that is not a
 * column (ERRCODE_UNDEFINED_COLUMN) or has no order (ERRCODE_UNDEFINED_FUNCTION); those of the
 * GROUP BY.
 */
extern ClassTally class_audit_tally(const ClassAudit *audit);

/*
 * Pushes each class with its verdict and, if asked for, its values; k may be missing.  Otherwise as
 * class_audit_tally.
 */
extern void class_audit_each(const ClassAudit *audit, bool with_values,
							 JudgedClassConsumer consumer, void *state);

/* 1 / k for a release, otherwise RISK_THRESHOLD. */
#define RISK_THRESHOLD_KNOWN (-1)
#define RISK_THRESHOLD 0.2

/*
 * The risk of rows by these columns, as in class_query_risk.  Raises a NOTICE for a release that
 * counts people, or has no classes.
 */
extern RiskTally class_audit_risk(Oid relation, ArrayType *quasi_identifiers, Oid population,
								  double threshold);

#endif /* KANON_CLASS_AUDIT_H */
