/*
 * release_rule.h
 *		The rule of a release by single-dimension recoding (record/single_recoding.h): what each
 *		value becomes.
 *
 * It is searched once, when the release is made or replaced, and kept among its options, in the
 * catalog and in the call of kanon_view_cells that its text has.  The call leaves out the classes
 * that do not satisfy, whatever has become of the table.
 */
#ifndef KANON_RELEASE_RULE_H
#define KANON_RELEASE_RULE_H

#include "postgres.h"

#include "release/release_request.h"

/*
 * Searches the rule, if the recoding has one, and sets what the options say of it.  Tells with a
 * NOTICE how much better another one could be.  Within a query scope, in the current context.
 *
 * Errors: none satisfies (ERRCODE_CHECK_VIOLATION); an empty relation or fewer than k rows
 * (ERRCODE_INVALID_PARAMETER_VALUE); those of record_reader_relation and
 * release_models_check_values.
 */
extern void release_rule_find(ReleaseRequest *request, const Description *description);

#endif /* KANON_RELEASE_RULE_H */
