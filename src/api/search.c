/*
 * search.c
 *		Full-domain generalization: the SQL type kanon_levels, an array of numbers and names of
 *		levels, stored as its text; the searches; and the SQL of a generalization.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/result.h"
#include "base/context.h"
#include "base/names.h"
#include "catalog/pg_type.h"
#include "count/relation_search.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lattice/choice.h"
#include "relation/dimension_source.h"
#include "release/release_full_domain.h"
#include "sql/own_extension.h"
#include "sql/rights.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"

/* The text[] in the text of a kanon_levels, in the current context. */
static ArrayType *
levels_array(char *text)
{
	return DatumGetArrayTypeP(OidInputFunctionCall(F_ARRAY_IN, text, TEXTOID, -1));
}

static Datum
canonical_levels(char *text)
{
	return CStringGetTextDatum(
		OidOutputFunctionCall(F_ARRAY_OUT, PointerGetDatum(levels_array(text))));
}

SQL_FUNCTION(kanon_levels_in)
{
	PG_RETURN_DATUM(canonical_levels(PG_GETARG_CSTRING(0)));
}

SQL_FUNCTION(kanon_levels_recv)
{
	PG_RETURN_DATUM(canonical_levels(TextDatumGetCString(textrecv(fcinfo))));
}

SQL_FUNCTION(kanon_generalized_query)
{
	QueryScope scope;
	Description *description;
	int *levels;
	char *text;
	ReleaseDemand demand = {.models = argument_models(fcinfo, 4),
							.person = argument_name(fcinfo, 5),
							.known = argument_known(fcinfo, 6)};

	ARGUMENTS_REQUIRE(fcinfo, "relation", "levels");
	demand.k = PG_ARGISNULL(2) ? release_models_any(&demand) : argument_k(fcinfo, 2);
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	own_extension_check_names();
	description = description_load(PG_GETARG_OID(0), argument_array(fcinfo, 3));
	release_models_describe(description, &demand);
	levels = dimension_source_read_levels(description, levels_array(argument_text(fcinfo, 1)));
	text =
		MemoryContextStrdup(scope.caller, release_full_domain_text(description, levels, &demand));
	query_end(scope);
	PG_RETURN_TEXT_P(cstring_to_text(text));
}

/* Adds the rows of kanon_generalization; a node's levels are those of the quasi-identifiers. */
static void
put_answer(ReturnSetInfo *result, const Search *search, const Description *description,
		   const Answer *answer, const LossTable *loss, const ClassMetrics *metrics)
{
	LevelNames names = dimension_source_levels(description);
	int width = search->source->space->attributes;
	MemoryContext row =
		AllocSetContextCreate(CurrentMemoryContext, "kanon row", CONTEXT_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(row);

	for (int64 n = 0; n < answer->count; n++)
	{
		const Level *node = answer->node + n * width;
		int32 *levels = palloc(sizeof(int32) * loss->attributes);
		List *labels = NIL;
		int height = 0;
		const ClassMetrics *of = metrics ? &metrics[n] : &(ClassMetrics){0};
		bool known = metrics != NULL;
		bool classes = of->classes > 0;

		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < loss->attributes; i++)
		{
			levels[i] = relation_search_level(search, description, i, node[i]);
			labels = lappend(labels, unconstify(char *, names.name[i][levels[i]]));
			height += levels[i];
		}
		result_put(result, "ITibdd?l?l?l?d?d?d", int_array_of(levels, loss->attributes),
				   text_array_of(labels), height, answer->minimal[n], loss_of(loss, node),
				   precision_of(loss, node), known, of->classes, classes, of->smallest, known,
				   of->suppressed, known, of->discernibility, classes, of->average_class, known,
				   of->total_loss);
		MemoryContextReset(row);
	}
	MemoryContextSwitchTo(previous);
	MemoryContextDelete(row);
}

/* Levels, or NULL, as a text[]. */
static ArrayType *
argument_levels(FunctionCallInfo fcinfo, int number)
{
	return PG_ARGISNULL(number) ? NULL : levels_array(argument_text(fcinfo, number));
}

/*
 * Runs one search, from arguments to rows.  Arguments 0 to 4, and the last six, are the same in
 * every function.
 */
static Datum
search_function(FunctionCallInfo fcinfo, const SearchAlgorithm *algorithm)
{
	int metrics = PG_NARGS() - 6;
	ReturnSetInfo *result = result_begin(fcinfo);
	QueryScope scope;
	Budget budget;
	Description *description;
	Search search = {.budget = &budget};
	List *models;
	Answer *answer;
	ClassMetrics *measured = NULL;
	const LossTable *loss;

	ARGUMENTS_REQUIRE(fcinfo, "relation", "k", [4] = "suppression");
	argument_require(fcinfo, metrics, "metrics");
	search.k = argument_k(fcinfo, 1);
	models = argument_models(fcinfo, 3);
	search.suppression = PG_GETARG_FLOAT8(4);
	argument_require(fcinfo, metrics + 5, "suppress_columns");
	search.ends = PG_GETARG_BOOL(metrics + 5);
	limits_check_suppression(search.suppression);
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	MemoryContextSwitchTo(
		AllocSetContextCreate(CurrentMemoryContext, "kanon search", CONTEXT_SMALL_SIZES));
	budget = budget_begin();
	description = description_load(PG_GETARG_OID(0), argument_array(fcinfo, 2));
	description_demand(description, models, argument_name(fcinfo, metrics + 1));
	description->demand.known = argument_known(fcinfo, metrics + 4);
	relation_search_open(&search, description);
	relation_search_bound(&search, description, argument_levels(fcinfo, metrics + 2),
						  argument_levels(fcinfo, metrics + 3));
	answer = relation_search_run(&search, algorithm);
	loss = relation_search_loss(&search, description);
	if (PG_GETARG_BOOL(metrics))
		measured = class_metrics_compute(&search, answer, loss);
	put_answer(result, &search, description, answer, loss, measured);
	query_end(scope);
	return (Datum) 0;
}

static const SearchAlgorithm *
incognito_algorithm(const char *name)
{
	const struct
	{
		const char *name;
		const SearchAlgorithm *algorithm;
	} known[] = {{incognito_basic.name, &incognito_basic},
				 {incognito_superroots.name, &incognito_superroots},
				 {incognito_cube.name, &incognito_cube},
				 {two_way.name, &two_way}};

	return known[names_find("algorithm", name, known, sizeof(*known), lengthof(known), strcmp)]
		.algorithm;
}

SQL_FUNCTION(kanon_incognito)
{
	argument_require(fcinfo, 5, "algorithm");
	return search_function(fcinfo, incognito_algorithm(text_to_cstring(PG_GETARG_TEXT_PP(5))));
}

SQL_FUNCTION(kanon_bottom_up)
{
	argument_require(fcinfo, 5, "rollup");
	return search_function(fcinfo, PG_GETARG_BOOL(5) ? &bottom_up_rollup : &bottom_up_scan);
}

SQL_FUNCTION(kanon_binary_search)
{
	return search_function(fcinfo, &binary_search);
}

SQL_FUNCTION(kanon_datafly)
{
	return search_function(fcinfo, &datafly);
}

SQL_FUNCTION(kanon_last_search)
{
	ReturnSetInfo *result = result_begin(fcinfo);
	int iterations;
	const SearchIteration *last = relation_search_last(&iterations);

	for (int i = 0; i < iterations; i++)
	{
		const SearchIteration *iteration = &last[i];

		result_put(result, "illlllld", iteration->size, iteration->attribute_sets,
				   iteration->candidates, iteration->checked, iteration->satisfying,
				   iteration->table_scans, iteration->rollups, iteration->milliseconds);
	}
	return (Datum) 0;
}
