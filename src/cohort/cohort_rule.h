/*
 * cohort_rule.h
 *		Lets a test build break the rules of cohorts one by one, to prove that an attack notices.
 *		In any other build all rules hold.
 */
#ifndef KANON_COHORT_RULE_H
#define KANON_COHORT_RULE_H

#include "postgres.h"

#ifdef KANON_BREAK_RULES
#include "utils/guc.h"
#endif

static inline bool
cohort_rule_holds(const char *rule)
{
#ifdef KANON_BREAK_RULES
	const char *broken = GetConfigOption("kanon_test.broken_rule", true, false);

	return broken == NULL || strcmp(broken, rule) != 0;
#else
	(void) rule;
	return true;
#endif
}

#endif /* KANON_COHORT_RULE_H */
