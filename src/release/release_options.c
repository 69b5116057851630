/*
 * release_options.c
 *		See release_options.h.  A new option is a row of the table here, and a field of the struct.
 */
#include "postgres.h"

#include "release/release_options.h"

#include <float.h>
#include <math.h>

#include "catalog/pg_type.h"
#include "common/shortest_dec.h"
#include "fmgr.h"
#include "sql/name_array.h"
#include "sql/query.h"
#include "utils/builtins.h"
#include "utils/json.h"
#include "utils/numeric.h"
#include "utils/varlena.h"

typedef enum ReleaseOptionType
{
	OPTION_BOOLEAN, /* bool */
	OPTION_TERNARY, /* int8: of a boolean, or NEITHER by default */
	OPTION_INTEGER, /* int */
	OPTION_NUMBER,  /* double */
	OPTION_STRING,  /* const char * */
	OPTION_COLUMN,  /* the same: the exact name of a column of the relation */
	OPTION_LEVELS,  /* ArrayType *, from an array of numbers and names */
	OPTION_RULE     /* const char *, the text of an array */
} ReleaseOptionType;

typedef enum ReleaseOptionUse
{
	OPTION_SECRET = 1 << 0,     /* written nowhere */
	OPTION_ONCE = 1 << 1,       /* for one call, not kept in kanon_release.parameters */
	OPTION_CELLS = 1 << 2,      /* an option of kanon_view_cells, too */
	OPTION_SESSION = 1 << 3,    /* kept like an option, but taken from the session's settings */
	OPTION_UNFORESEEN = 1 << 4, /* kanon_compare cannot tell its effect */
	OPTION_PROMISE = 1 << 5,    /* only its owner may drop it */
	OPTION_DECLARED = 1 << 6    /* kept like an option, but taken from declarations or the
								 * recoding */
} ReleaseOptionUse;

typedef struct ReleaseOption
{
	const char *name;
	ReleaseOptionType type;
	Size place;   /* of its field in ReleaseOptions */
	int taken_by; /* RECODING_* of the recodings that take it */
	int use;      /* OPTION_* */
	double least; /* range of a number .. */
	double most;
	const char *const *names; /* .. or, ending with NULL, the values of a string; NULL: any */
	double number;            /* default of a number, or of a boolean (0 or 1) .. */
	const char *text;         /* .. or of a string; NULL: none */
	const char *meaning;
	/*
	 * If a recoding takes it: a number for what it means there beside these options, 0 for nothing.
	 * NULL: always the same.
	 */
	int (*sense)(const ReleaseOptions *options, const RecodingOps *recoding);
} ReleaseOption;

/* Of classes, or of what rows match; where both are possible, only of the latter. */
static int
sense_of_known(const ReleaseOptions *options, const RecodingOps *recoding)
{
	if (!(recoding->takes & RECODING_MATCHES))
		return 1;
	return options->null_matches ? 2 : 0;
}

static int
sense_of_target(const ReleaseOptions *options, const RecodingOps *recoding)
{
	return split_takes_target(release_options_split(options, recoding)) ? 1 : 0;
}

#define MEASURE_DISCERNIBILITY "discernibility"
#define AT(field) .place = offsetof(ReleaseOptions, field)
#define ONE_OF(...)                                                                                \
	(const char *const[])                                                                          \
	{                                                                                              \
		__VA_ARGS__, NULL                                                                          \
	}

static const ReleaseOption table[] = {
	{"levels", OPTION_LEVELS, AT(levels), RECODING_LEVELS, OPTION_ONCE | OPTION_UNFORESEEN,
	 .meaning = "the level of each quasi-identifier, in their order: a number, a column of its "
				"dimension, or * for the top; otherwise those of least total loss"},
	{"lowest_levels", OPTION_LEVELS, AT(lowest_levels), RECODING_LEVELS, .use = 0,
	 .meaning = "the lowest level to choose for each quasi-identifier, written like levels"},
	{"highest_levels", OPTION_LEVELS, AT(highest_levels), RECODING_LEVELS, .use = 0,
	 .meaning = "the highest level to choose for each quasi-identifier, written like levels"},
	{"known", OPTION_INTEGER, AT(known), RECODING_KNOWN, OPTION_CELLS, .most = PG_INT32_MAX,
	 .sense = sense_of_known,
	 .meaning = "the quasi-identifiers of a row that somebody may know: any so many satisfy, not "
				"all together; 0: all"},
	{"null_matches", OPTION_BOOLEAN, AT(null_matches), RECODING_MATCHES, OPTION_CELLS,
	 .meaning =
		 "a hidden cell could be any value: each row matches k rows, itself included, instead of "
		 "looking like them"},
	{"suppress_columns", OPTION_BOOLEAN, AT(suppress_columns), RECODING_LEVELS, .use = 0,
	 .meaning = "a column keeps its values or gets its top level"},
	{"means", OPTION_BOOLEAN, AT(means), RECODING_CLASSES, OPTION_CELLS,
	 .meaning = "publishes, beside each range of numbers, the mean of its class"},
	{"split", OPTION_STRING, AT(split), RECODING_TARGET, OPTION_CELLS, .names = split_names,
	 .meaning = "how parts of the rows are divided; otherwise by gain, in strict_mondrian at the "
				"median"},
	{"target", OPTION_COLUMN, AT(target), RECODING_TARGET, OPTION_CELLS, .sense = sense_of_target,
	 .meaning = "the column that cuts by infogain or regression should tell apart"},
	{"randomize", OPTION_BOOLEAN, AT(randomize), RECODING_DRAW, OPTION_CELLS, .number = 1,
	 .meaning = "draws at random which row gets which record"},
	{"seed", OPTION_STRING, AT(seed), RECODING_DRAW, OPTION_SECRET,
	 .meaning = "what the draw follows from; otherwise a random one"},
	{"redraw", OPTION_BOOLEAN, AT(redraw), RECODING_DRAW, .use = 0,
	 .meaning = "lets a refresh deal the release anew if its relation has changed"},
	{"models_after", OPTION_BOOLEAN, AT(models_after), RECODING_CLASSES,
	 OPTION_UNFORESEEN | OPTION_PROMISE,
	 .meaning = "makes classes without the models, and leaves out those that fail them"},
	{"ranges", OPTION_TERNARY, AT(ranges), RECODING_RANGES, OPTION_CELLS, .number = NEITHER,
	 .meaning = "makes ranges of all values without a dimension, also of those without a scale, "
				"such as text; false: in ring and two_phase, of none"},
	{"key", OPTION_COLUMN, AT(key), RECODING_COHORT, .use = 0,
	 .meaning = "the column that identifies people from refresh to refresh"},
	{"wait", OPTION_INTEGER, AT(wait), RECODING_COHORT, .most = PG_INT32_MAX, .number = 14,
	 .meaning = "refreshes that new people wait for others like them"},
	{"target_loss", OPTION_NUMBER, AT(target_loss), RECODING_COHORT, .most = 1, .number = 0.05,
	 .meaning = "cells that lose no more are not divided"},
	{"leavers", OPTION_STRING, AT(leavers), RECODING_COHORT, .names = ONE_OF("keep", "withhold"),
	 .meaning = "what happens to rows of people who left"},
	{"stale", OPTION_NUMBER, AT(stale), RECODING_COHORT, .most = 1, .number = 0.25,
	 .meaning = "share of a cell that may have left while it is shown"},
	{"reading", OPTION_STRING, AT(reading), RECODING_COHORT, .names = ONE_OF("frozen", "together"),
	 .text = "frozen",
	 .meaning = "when values are read: frozen, once; together, again while all are present"},
	{"weights", OPTION_BOOLEAN, AT(weights), RECODING_COHORT, .use = 0,
	 .meaning = "column present: the share of the people under a label who are there"},
	{"anew", OPTION_BOOLEAN, AT(anew), RECODING_COHORT, OPTION_ONCE,
	 .meaning = "begins a state of its own, whatever states the relation had"},
	{"storage", OPTION_STRING, AT(storage), RECODING_ANY, .use = 0,
	 .names = ONE_OF("view", STORAGE_TABLE, STORAGE_DISTRIBUTED), .text = "view",
	 .meaning = "a materialized view, or a table that kanon alone writes, here or, with Citus, on "
				"the workers"},
	{"effort", OPTION_INTEGER, AT(effort), RECODING_RULE, .use = 0, .least = 1,
	 .most = PG_INT32_MAX, .number = 100000,
	 .meaning = "rules that a search looks at before it takes the best so far"},
	{"measure", OPTION_STRING, AT(measure), RECODING_BOUND, .use = 0,
	 .names = ONE_OF("loss", MEASURE_DISCERNIBILITY), .text = "loss",
	 .meaning = "what a rule is to have least of: loss, or the squares of the sizes of classes"},

	{"rule", OPTION_RULE, AT(rule), RECODING_RULE, OPTION_CELLS | OPTION_DECLARED,
	 .meaning = "what each value becomes"},
	{"gap", OPTION_NUMBER, AT(gap), RECODING_BOUND, OPTION_DECLARED, .most = DBL_MAX,
	 .meaning = "what another rule of the kind could save at most"},
	{"looked_at", OPTION_NUMBER, AT(looked_at), RECODING_RULE, OPTION_DECLARED, .most = DBL_MAX,
	 .meaning = "rules that the search has looked at"},
	{"partitioning", OPTION_STRING, AT(partitioning), RECODING_PARTITIONING,
	 OPTION_CELLS | OPTION_SESSION},
	{"rest", OPTION_BOOLEAN, AT(rest), RECODING_REST, OPTION_CELLS | OPTION_DECLARED,
	 .meaning = "labels of too few rows go together, under the label above them"},
	{"column_weights", OPTION_STRING, AT(column_weights), RECODING_WEIGHED,
	 OPTION_CELLS | OPTION_DECLARED,
	 .meaning = "the weights that its quasi-identifiers had when it was made"},
	{"memory_limit", OPTION_INTEGER, AT(memory_limit), RECODING_ANY, OPTION_SESSION,
	 .most = PG_INT32_MAX},
};

#define BIT(option) ((uint32) 1 << ((option) -table))
#define foreach_option(option)                                                                     \
	for (const ReleaseOption *option = table; option < table + lengthof(table); option++)

StaticAssertDecl(lengthof(table) <= 32, "options are bits of a number");

static const char *const types[] = {
	[OPTION_BOOLEAN] = "boolean",        [OPTION_TERNARY] = "boolean",
	[OPTION_INTEGER] = "integer",        [OPTION_NUMBER] = "number",
	[OPTION_STRING] = "string",          [OPTION_COLUMN] = "column name",
	[OPTION_LEVELS] = "array of levels", [OPTION_RULE] = "rule",
};

/* ---- values */

static void
store(ReleaseOptions *options, const ReleaseOption *option, double number, const void *value)
{
	char *field = (char *) options + option->place;

	switch (option->type)
	{
		case OPTION_BOOLEAN:
			*(bool *) field = number != 0;
			break;
		case OPTION_TERNARY:
			*(int8 *) field = (int8) number;
			break;
		case OPTION_INTEGER:
			*(int *) field = (int) number;
			break;
		case OPTION_NUMBER:
			*(double *) field = number;
			break;
		default:
			*(const void **) field = value;
	}
}

static void
store_default(ReleaseOptions *options, const ReleaseOption *option)
{
	store(options, option, option->number, option->text);
}

/* Levels as a JSON array of strings, or null. */
static char *
levels_json(ArrayType *levels)
{
	StringInfoData text;

	if (levels == NULL)
		return "null";
	initStringInfo(&text);
	foreach_ptr (const char, level, array_strings(levels))
	{
		appendStringInfoString(&text, text.len > 0 ? ", " : "[");
		escape_json(&text, level);
	}
	appendStringInfoString(&text, text.len > 0 ? "]" : "[]");
	return text.data;
}

/* The value as JSON. */
static char *
value_json(const ReleaseOptions *options, const ReleaseOption *option)
{
	const char *field = (const char *) options + option->place;
	char number[DOUBLE_SHORTEST_DECIMAL_LEN];
	StringInfoData text;

	initStringInfo(&text);
	switch (option->type)
	{
		case OPTION_BOOLEAN:
			return *(const bool *) field ? "true" : "false";
		case OPTION_TERNARY:
			return *(const int8 *) field == NEITHER ? "null"
				   : *(const int8 *) field          ? "true"
													: "false";
		case OPTION_INTEGER:
			return psprintf("%d", *(const int *) field);
		case OPTION_NUMBER:
			double_to_shortest_decimal_buf(*(const double *) field, number);
			return pstrdup(number);
		case OPTION_LEVELS:
			return levels_json(*(ArrayType *const *) field);
		case OPTION_RULE:
			return pstrdup(*(const char *const *) field ? *(const char *const *) field : "null");
		default:
			if (*(const char *const *) field == NULL)
				return "null";
			escape_json(&text, *(const char *const *) field);
			return text.data;
	}
}

ReleaseOptions
release_options_default(void)
{
	ReleaseOptions options = {0};

	foreach_option (option)
		store_default(&options, option);
	return options;
}

static bool
is_default(const ReleaseOptions *options, const ReleaseOption *option)
{
	ReleaseOptions standard = release_options_default();

	return strcmp(value_json(options, option), value_json(&standard, option)) == 0;
}

/* ---- reading */

static bool
belongs_to(const ReleaseOption *option, ReleaseOptionsOf whose)
{
	switch (whose)
	{
		case OPTIONS_OF_REQUEST:
			return !(option->use & (OPTION_SESSION | OPTION_DECLARED));
		case OPTIONS_OF_CELLS:
			return option->use & OPTION_CELLS;
		default:
			return !(option->use & (OPTION_SECRET | OPTION_ONCE));
	}
}

/* The option with the most similar name, or NULL. */
static const ReleaseOption *
nearest(const char *name, ReleaseOptionsOf whose)
{
	const ReleaseOption *best = NULL;
	int length = (int) strlen(name);
	int least = length / 2 + 1;

	if (length >= NAMEDATALEN)
		return NULL;
	foreach_option (option)
	{
		int distance = varstr_levenshtein(name, length, option->name, (int) strlen(option->name), 1,
										  1, 1, false);

		if (!belongs_to(option, whose) || distance >= least)
			continue;
		best = option;
		least = distance;
	}
	return best;
}

pg_noreturn static void
refuse_name(const char *name, ReleaseOptionsOf whose)
{
	static const char *const arguments[] = {"k",      "recoding",    "quasi_identifiers",
											"models", "suppression", "person"};
	const ReleaseOption *other = nearest(name, whose);
	bool argument = false;

	for (int i = 0; i < (int) lengthof(arguments); i++)
		argument = argument || strcmp(name, arguments[i]) == 0;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("unrecognized option \"%s\"", name),
			 argument ? errhint("It is an argument of the function, not one of its options.")
			 : other  ? errhint("Perhaps you meant \"%s\".", other->name)
					  : errhint("The function kanon_options lists them.")));
}

static const ReleaseOption *
find(const char *name, ReleaseOptionsOf whose)
{
	foreach_option (option)
		if (belongs_to(option, whose) && strcmp(option->name, name) == 0)
			return option;
	if (whose != OPTIONS_OF_PARAMETERS)
		refuse_name(name, whose);
	return NULL;
}

static bool
read_number(const ReleaseOption *option, const JsonbValue *value, double *number)
{
	if (value->type != jbvNumeric)
		return false;
	*number = DatumGetFloat8(
		DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(value->val.numeric)));
	return (option->type != OPTION_INTEGER || *number == floor(*number)) &&
		   *number >= option->least && *number <= option->most;
}

static bool
read_string(const ReleaseOption *option, const JsonbValue *value, const char **text)
{
	bool known = option->names == NULL;

	if (value->type != jbvString)
		return false;
	*text = pnstrdup(value->val.string.val, value->val.string.len);
	for (const char *const *name = option->names; !known && *name; name++)
		known = strcmp(*name, *text) == 0;
	return known;
}

/* Numbers and strings as text[]. */
static bool
read_array(const JsonbValue *value, ArrayType **array)
{
	JsonbIteratorToken token;
	JsonbIterator *iterator;
	JsonbValue element;
	List *texts = NIL;

	if (value->type != jbvBinary || !JsonContainerIsArray(value->val.binary.data))
		return false;
	iterator = JsonbIteratorInit(value->val.binary.data);
	while ((token = JsonbIteratorNext(&iterator, &element, true)) != WJB_DONE)
	{
		if (token != WJB_ELEM)
			continue;
		if (element.type == jbvString)
			texts = lappend(texts, pnstrdup(element.val.string.val, element.val.string.len));
		else if (element.type == jbvNumeric)
			texts = lappend(texts, DatumGetCString(DirectFunctionCall1(
									   numeric_out, NumericGetDatum(element.val.numeric))));
		else
			return false;
	}
	*array = text_array_of(texts);
	return true;
}

/* Stores a value that is not null; false if it does not suit. */
static bool
read_value(ReleaseOptions *options, const ReleaseOption *option, const JsonbValue *value)
{
	const char *text = NULL;
	ArrayType *array = NULL;
	double number = 0;
	bool suits;

	switch (option->type)
	{
		case OPTION_BOOLEAN:
		case OPTION_TERNARY:
			suits = value->type == jbvBool;
			number = suits && value->val.boolean ? 1 : 0;
			break;
		case OPTION_INTEGER:
		case OPTION_NUMBER:
			suits = read_number(option, value, &number);
			break;
		case OPTION_LEVELS:
			suits = read_array(value, &array);
			break;
		case OPTION_RULE:
			suits = value->type == jbvBinary && JsonContainerIsArray(value->val.binary.data);
			text =
				suits ? JsonbToCString(NULL, value->val.binary.data, value->val.binary.len) : NULL;
			break;
		default:
			suits = read_string(option, value, &text);
	}
	if (suits)
		store(options, option, number, array ? (const void *) array : text);
	return suits;
}

/* 0 to 1, or "keep" or "withhold"; NULL: any value of the type. */
static char *
range_text(const ReleaseOption *option)
{
	StringInfoData range;

	if (option->type == OPTION_NUMBER || option->type == OPTION_INTEGER)
		return psprintf("%.10g to %.10g", option->least, option->most);
	if (option->names == NULL)
		return NULL;
	initStringInfo(&range);
	for (const char *const *name = option->names; *name; name++)
		appendStringInfo(&range, "%s\"%s\"", range.len == 0 ? "" : name[1] ? ", " : " or ", *name);
	return range.data;
}

static void
change(ReleaseOptions *options, const ReleaseOption *option, const JsonbValue *value)
{
	options->given &= ~BIT(option);
	if (value->type == jbvNull)
	{
		store_default(options, option);
		options->new_secret = options->new_secret || (option->use & OPTION_SECRET);
		return;
	}
	options->given |= BIT(option);
	if (!read_value(options, option, value))
	{
		const char *range = range_text(option);

		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("option \"%s\" must be of type %s%s%s", option->name,
							   types[option->type], range ? ": " : "", range ? range : "")));
	}
}

void
release_options_read(ReleaseOptions *options, Jsonb *json, ReleaseOptionsOf whose)
{
	const ReleaseOption *option = NULL;
	JsonbIteratorToken token;
	JsonbIterator *iterator;
	JsonbValue value;

	if (!JB_ROOT_IS_OBJECT(json))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("options must be a JSON object"),
				 errhint("For example: '{\"means\": true}'.")));
	iterator = JsonbIteratorInit(&json->root);
	while ((token = JsonbIteratorNext(&iterator, &value, true)) != WJB_DONE)
	{
		if (token == WJB_KEY)
			option = find(pnstrdup(value.val.string.val, value.val.string.len), whose);
		else if (token == WJB_VALUE && option)
			change(options, option, &value);
	}
}

/* ---- recodings */

void
release_options_check_taken(const ReleaseOptions *options, List *recodings, bool compared)
{
	foreach_option (option)
	{
		if (!(options->given & BIT(option)))
			continue;
		release_recoding_check_taken(recodings, option->taken_by, option->name);
		if (compared && (option->use & OPTION_UNFORESEEN))
			ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
							errmsg("kanon_compare does not foresee the effect of option \"%s\"",
								   option->name)));
	}
}

static int
sense_of(const ReleaseOption *option, const ReleaseOptions *options, const RecodingOps *recoding)
{
	if (!(recoding->takes & option->taken_by))
		return 0;
	return option->sense ? option->sense(options, recoding) : 1;
}

/* Does it mean what it meant before? */
static bool
keeps_sense(const ReleaseOption *option, const ReleaseOptions *options, const RecodingOps *recoding,
			const ReleaseOptions *before, const RecodingOps *recoded)
{
	int sense = sense_of(option, options, recoding);

	return sense != 0 && sense == sense_of(option, before, recoded);
}

List *
release_options_leave(ReleaseOptions *options, const RecodingOps *recoding,
					  const ReleaseOptions *before, const RecodingOps *recoded)
{
	List *left = NIL;

	foreach_option (option)
	{
		bool keeps = before ? keeps_sense(option, options, recoding, before, recoded)
							: (recoding->takes & option->taken_by) != 0;

		if (keeps || (option->use & OPTION_SESSION) || (options->given & BIT(option)) ||
			is_default(options, option))
			continue;
		if (option->use & OPTION_PROMISE)
			release_recoding_check_taken(list_make1(unconstify(RecodingOps *, recoding)),
										 option->taken_by, option->name);
		if (!(option->use & OPTION_DECLARED))
			left = lappend(left, unconstify(char *, option->name));
		store_default(options, option);
	}
	return left;
}

/* ---- texts */

char *
release_options_text(const ReleaseOptions *options, const RecodingOps *recoding,
					 ReleaseOptionsOf whose)
{
	StringInfoData json;

	initStringInfo(&json);
	foreach_option (option)
	{
		bool taken = recoding->takes & option->taken_by;

		if (!belongs_to(option, whose) ||
			(whose == OPTIONS_OF_CELLS ? !taken || is_default(options, option)
									   : !taken && !(option->use & OPTION_SESSION)))
			continue;
		appendStringInfo(&json, "%s\"%s\": %s", json.len > 0 ? ", " : "{", option->name,
						 value_json(options, option));
	}
	if (json.len == 0)
		return NULL;
	appendStringInfoChar(&json, '}');
	return json.data;
}

char *
release_options_columns(void)
{
	StringInfoData sql;

	initStringInfo(&sql);
	foreach_option (option)
		if (option->type == OPTION_COLUMN)
			appendStringInfo(&sql, "%sparameters ->> '%s'", sql.len > 0 ? ", " : "ARRAY[",
							 option->name);
	appendStringInfoChar(&sql, ']');
	return sql.data;
}

char *
release_options_renamed(const char *old_name, const char *new_name)
{
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "parameters");
	foreach_option (option)
		if (option->type == OPTION_COLUMN)
			appendStringInfo(&sql,
							 " || CASE WHEN parameters ->> '%1$s' = %2$s"
							 " THEN jsonb_build_object('%1$s', %3$s) ELSE '{}' END",
							 option->name, old_name, new_name);
	return sql.data;
}

bool
release_options_spans(const ReleaseOptions *options, const RecodingOps *recoding)
{
	bool asked = (recoding->takes & RECODING_RANGES) && options->ranges != false;

	return asked || !recoding->keeps_types;
}

bool
release_options_plain(const ReleaseOptions *options, const RecodingOps *recoding)
{
	return (recoding->takes & RECODING_RANGES) && options->ranges != true &&
		   release_options_spans(options, recoding);
}

PartitionSplit
release_options_split(const ReleaseOptions *options, const RecodingOps *recoding)
{
	if (options->split)
		return split_name_require(options->split);
	return recoding && (recoding->takes & RECODING_REST) ? SPLIT_GAIN : SPLIT_MEDIAN;
}

void
release_options_recode(const ReleaseOptions *options, const RecodingOps *recoding,
					   RecodeOptions *recode)
{
	recode->known = options->known;
	recode->null_matches = options->null_matches;
	recode->by_rule = (recoding->takes & RECODING_RULE) != 0;
	recode->rule = options->rule;
	recode->effort = options->effort;
	recode->discernibility = strcmp(options->measure, MEASURE_DISCERNIBILITY) == 0;
}

const char *
release_options_meaning(const char *name)
{
	const ReleaseOption *option = find(name, OPTIONS_OF_PARAMETERS);

	return option ? option->meaning : NULL;
}

void
release_options_put(Tuplestorestate *rows, TupleDesc fields)
{
	ReleaseOptions standard = release_options_default();

	foreach_option (option)
	{
		bool none = option->type == OPTION_TERNARY ||
					(option->type > OPTION_NUMBER && option->text == NULL);
		Datum standard_value =
			DirectFunctionCall1(jsonb_in, CStringGetDatum(value_json(&standard, option)));

		if (belongs_to(option, OPTIONS_OF_REQUEST))
			query_put(rows, fields, "ttt?jbTt", option->name, types[option->type],
					  range_text(option), !none, DatumGetPointer(standard_value),
					  (option->use & OPTION_SECRET) != 0,
					  text_array_of(release_recoding_takers(option->taken_by)),
					  option->meaning ? option->meaning : "");
	}
}
