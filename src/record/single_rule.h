/*
 * single_rule.h
 *		The rule of a single-dimension recoding as text: what each value of a column becomes,
 *		whatever else its row has.
 *
 * The text is a JSON array with an object for each quasi-identifier, in order.  Of labels,
 *
 *	{"divided": [["5371*"], ["537**"]], "shown": [["53711"], ["5370*"]], "null": true}
 *
 * "divided" has labels of level 1, 2, .. that are not shown: those below them are, or values.
 * "shown" has values of which each is shown by the label of level 0, 1, .. whatever is divided, and
 * "null" whether NULL is shown.  Of intervals,
 *
 *	{"from": ["20", "35"], "null": true}
 *
 * "from" has the first values of all intervals but the first, in the type's order or that of the
 * dimension (relation/description.h); one that the dimension has no more is none.  NULL is an
 * interval of its own, or part of the last.
 *
 * So a rule also applies to values that were not there when it was found: they belong to the lowest
 * label above them that is not divided, or to the interval around them.
 */
#ifndef KANON_SINGLE_RULE_H
#define KANON_SINGLE_RULE_H

#include "postgres.h"

#include "record/record_codes.h"
#include "single/single_search.h"

/* What the codes of the quasi-identifiers become; NULL has the code behind all others. */
typedef struct SingleCells
{
	RecodedCell **cell; /* [attribute][code] */
	int32 **number;     /* [attribute][code]: of its cell, .. */
	int32 *numbers;     /* [attribute]: .. below this */
} SingleCells;

/* The text of an answer; map: its map differs from what its cuts say.  In the current context. */
extern char *single_rule_write(const RecordCodes *codes, const CutSpace *space,
							   const SingleAnswer *answer, bool map);

/*
 * Applies a rule to final codes.  column: what their cells mean.  In the current context, against
 * the budget of the codes.  O(values * height * log of labels).
 *
 * Errors: a text that is no rule for so many quasi-identifiers, with or without dimensions
 * (ERRCODE_INVALID_PARAMETER_VALUE); those of reading a value.
 */
extern SingleCells single_rule_apply(const RecordCodes *codes, const RecodingColumn *column,
									 const char *rule, bool intervals);

#endif /* KANON_SINGLE_RULE_H */
