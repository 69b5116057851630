/*
 * release_rule.c
 *		See release_rule.h.
 */
#include "postgres.h"

#include "release/release_rule.h"

#include "base/context.h"
#include "record/record_reader.h"
#include "record/single_recoding.h"
#include "release/release_catalog.h"
#include "release/release_text.h"
#include "utils/memutils.h"

#define NO_GAP 1e-6 /* losses are sums of rounded ones */

pg_noreturn static void
report_none(const ReleaseRequest *request, const Description *description, int64 rows)
{
	if (rows == 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("relation %s is empty", description->name)));
	if (rows < request->demand.k)
		release_catalog_figures_exceeded(description->name, request->demand.k, rows);
	release_models_check_values(description);
	ereport(ERROR, (errcode(ERRCODE_CHECK_VIOLATION),
					errmsg("no rule of recoding \"%s\" for relation %s satisfies %s",
						   request->recoding->name, description->name,
						   release_models_names(&request->demand)),
					errhint("Allow more suppression, or choose a smaller k or other models.")));
}

static void
notice_gap(const ReleaseRequest *request, const Description *description, const FoundRule *found)
{
	if (request->options.gap <= NO_GAP)
		return;
	ereport(NOTICE,
			(errmsg("another rule for relation %s may have %.6g less %s", description->name,
					request->options.gap, request->options.measure),
			 errdetail("The search ended after " INT64_FORMAT
					   " rules, as option effort says; the best has %.6g, and none has less than "
					   "%.6g.",
					   found->looked, found->cost, found->bound)));
}

void
release_rule_find(ReleaseRequest *request, const Description *description)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext context = AllocSetContextCreate(caller, "kanon rule", CONTEXT_SMALL_SIZES);
	RecordRequest records = release_request_records(request, true);
	RecodeOptions recode;
	FoundRule found = {0};
	Budget budget;
	RecordCodes *codes;

	request->options.rule = NULL;
	request->options.gap = 0;
	request->options.looked_at = 0;
	if (!(request->recoding->takes & RECODING_RULE))
		return;
	MemoryContextSwitchTo(context);
	budget = budget_begin();
	recode = release_request_recode(request);
	recode.found = &found;
	codes = record_reader_relation(request->relation, &records, &budget);
	(void) record_codes_recode(codes, request->recoding->recode, recode);
	MemoryContextSwitchTo(caller);
	if (found.rule == NULL)
		report_none(request, description, record_codes_rows(codes));
	request->options.rule = pstrdup(found.rule);
	if (request->recoding->takes & RECODING_BOUND)
		request->options.gap = Max(found.cost - found.bound, 0);
	request->options.looked_at = (double) found.looked;
	notice_gap(request, description, &found);
	MemoryContextDelete(context);
}
