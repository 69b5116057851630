/*
 * model.c
 *		See model.h.
 *
 * A new model is a line in the table of models.
 *
 * Even variance decides from a histogram: sums of squares would lose digits to rounding and depend
 * on the order in which classes are merged.  MODEL_TOLERANCE is far above rounding errors, so
 * monotonicity survives.
 */
#include "postgres.h"

#include "model/model.h"

#include <math.h>

#include "base/compat.h"
#include "base/names.h"
#include "common/shortest_dec.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"

static const ModelOps *const models[] = {
	&distinct_diversity, &entropy_diversity, &recursive_diversity, &closeness, &variance_diversity,
};

const ModelOps *
model_find(const char *name)
{
	for (size_t i = 0; i < lengthof(models); i++)
		if (strcmp(models[i]->name, name) == 0)
			return models[i];
	return NULL;
}

/* "distinct, entropy, .. and variance", for messages; palloc'd. */
static char *
names_of_models(void)
{
	List *names = NIL;

	for (int i = 0; i < (int) lengthof(models); i++)
		names = lappend(names, unconstify(char *, models[i]->name));
	return names_join(names);
}

/* A parameter of 1 demands nothing: a class whose rows belong to nobody may satisfy. */
int32
model_least_values(const Model *model)
{
	int number = model->ops->values_parameter;

	return number >= 0 && model->parameter[number] > 1 ? (int32) ceil(model->parameter[number]) : 0;
}

int32
demand_least_rows(const Demand *demand)
{
	int32 least = 0;

	for (int i = 0; i < demand->models; i++)
		least = Max(least, model_least_values(demand->model[i]));
	return least;
}

bool
model_holds(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	return class->values >= model_least_values(model) && model->ops->holds(model, class, domain);
}

/* Do any so many members of the class satisfy? */
static bool
any_hold(const Model *model, const Histogram *class, const SensitiveDomain *domain, int64 members,
		 Histogram *part)
{
	if (model->ops->hardest)
		model->ops->hardest(model, class, domain, members, part);
	else
		histogram_most_frequent(class, members, part);
	return model_holds(model, part, domain);
}

/*
 * The histogram of a part is a mean of those of its parts of one member less.  Histograms that
 * satisfy form a convex cone, so it satisfies if all of these do: the least number is found by a
 * binary search.
 */
int64
model_least_members(const Model *model, const Histogram *class, const SensitiveDomain *domain,
					int64 least)
{
	Histogram part;
	int64 low = least;
	int64 high = class->members;

	Assert(model->ops->class_alone);
	if (!model_holds(model, class, domain))
		return class->members + 1;
	part = histogram_copy(class);
	while (low < high)
	{
		int64 middle = low + (high - low) / 2;

		CHECK_FOR_INTERRUPTS();
		if (any_hold(model, class, domain, middle, &part))
			high = middle;
		else
			low = middle + 1;
	}
	pfree(part.entry);
	return low;
}

static bool
expects(const Model *model, const Histogram *sample, const SensitiveDomain *domain,
		const SampleTest *test)
{
	if (test->alpha == 0 || model->ops->expects == NULL)
		return model_holds(model, sample, domain);
	return sample->values >= model_least_values(model) &&
		   model->ops->expects(model, sample, domain, test);
}

int
demand_failed(const Demand *demand, const SampleTest *test, ClassHistogram histogram, void *class)
{
	const Histogram *members = NULL;

	for (int i = 0; i < demand->models; i++)
	{
		int column = demand->column_of[i];

		if (i == 0 || column != demand->column_of[i - 1])
			members = histogram(class, column);
		if (test ? !expects(demand->model[i], members, demand->domain[column], test)
				 : !model_holds(demand->model[i], members, demand->domain[column]))
			return i;
	}
	return -1;
}

double
model_slack(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	if (model->ops->class_alone)
		return INFINITY;
	return model->ops->slack ? model->ops->slack(model, class, domain) : 0;
}

void
model_check_values(const Model *model, const SensitiveDomain *domain)
{
	int number = model->ops->values_parameter;

	if (number < 0 || domain->codes == (domain->has_null ? 1 : 0) ||
		model->parameter[number] <= domain->codes)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg_plural("no table with %d value of column \"%s\" can satisfy %s",
						   "no table with %d different values of column \"%s\" can satisfy %s",
						   domain->codes, domain->codes, model->column, model_text_write(model)),
			 errdetail("Parameter %s is greater than the number of values.",
					   model->ops->parameter[number].name)));
}

/*
 * ---- Models as text: distinct(disease, 3), closeness("Net salary", 0.2).
 */

#define TYPE_NAME "kanon_models"

typedef struct ModelReader
{
	const char *text;
	const char *at;
} ModelReader;

/* ASCII only: the meaning of a text must not depend on a locale. */
static inline char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
starts_name(char c)
{
	return (lower(c) >= 'a' && lower(c) <= 'z') || c == '_' || IS_HIGHBIT_SET(c);
}

static inline bool
continues_name(char c)
{
	return starts_name(c) || is_digit(c) || c == '$';
}

static void
skip_blanks(ModelReader *reader)
{
	reader->at += strspn(reader->at, " \t\n\r\f\v");
}

/* The bytes of digits [. digits] [e [+-] digits] with an optional sign, 0 if there is no number. */
static size_t
number_length(const char *text)
{
	static const char *const digits = "0123456789";
	const char *at = text + (*text == '-' || *text == '+');
	size_t whole = strspn(at, digits);
	size_t part = at[whole] == '.' ? 1 + strspn(at + whole + 1, digits) : 0;

	if (whole == 0 && part <= 1)
		return 0;
	at += whole + part;
	if (lower(*at) == 'e')
	{
		const char *exponent = at + 1 + (at[1] == '-' || at[1] == '+');

		if (is_digit(*exponent))
			at = exponent + strspn(exponent, digits);
	}
	return at - text;
}

/* The token there, for a message: a name, a number or a single character. */
static char *
found_text(const char *at)
{
	size_t length;

	if (*at == '\0')
		return "end of input";
	length = number_length(at);
	if (length == 0)
		length = 1;
	while (continues_name(at[length - 1]) && continues_name(at[length]))
		length++;
	return psprintf("\"%.*s\"", (int) length, at);
}

/* at: where something else was expected. */
pg_noreturn static void
report_syntax(const ModelReader *reader, const char *at, const char *expected, const char *hint)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
					errmsg("invalid input syntax for type %s: \"%s\"", TYPE_NAME, reader->text),
					errdetail("Expected %s at position %d, found %s.", expected,
							  (int) (at - reader->text) + 1, found_text(at)),
					hint ? errhint("%s", hint) : 0));
}

static void
expect(ModelReader *reader, char c)
{
	skip_blanks(reader);
	if (*reader->at != c)
		report_syntax(reader, reader->at, (char[]){'"', c, '"', '\0'}, NULL);
	reader->at++;
}

static char *
read_plain_name(ModelReader *reader)
{
	StringInfoData name;

	initStringInfo(&name);
	while (continues_name(*reader->at))
		appendStringInfoChar(&name, lower(*reader->at++));
	return name.data;
}

static char *
read_quoted_name(ModelReader *reader)
{
	StringInfoData name;

	initStringInfo(&name);
	for (reader->at++; reader->at[0] != '"' || reader->at[1] == '"'; reader->at++)
	{
		if (reader->at[0] == '\0')
			report_syntax(reader, reader->at, "a closing quote", NULL);
		if (reader->at[0] == '"')
			reader->at++;
		appendStringInfoChar(&name, reader->at[0]);
	}
	reader->at++;
	return name.data;
}

static char *
read_column(ModelReader *reader)
{
	const char *start;
	char *name = NULL;

	skip_blanks(reader);
	start = reader->at;
	if (*start == '"')
		name = read_quoted_name(reader);
	else if (starts_name(*start))
		name = read_plain_name(reader);
	if (name == NULL || name[0] == '\0')
		report_syntax(reader, start, "a column name", NULL);
	if (strlen(name) >= NAMEDATALEN)
		report_syntax(reader, start, "a shorter column name", NULL);
	return name;
}

static const ModelOps *
read_kind(ModelReader *reader)
{
	const char *start;
	const ModelOps *ops = NULL;

	skip_blanks(reader);
	start = reader->at;
	if (starts_name(*start))
		ops = model_find(read_plain_name(reader));
	if (ops == NULL)
		report_syntax(reader, start, "the name of a model",
					  psprintf("Models are %s.", names_of_models()));
	return ops;
}

static double
read_number(ModelReader *reader, const ModelParameter *parameter)
{
	size_t length;
	double number;

	skip_blanks(reader);
	length = number_length(reader->at);
	number = length > 0 ? strtod(reader->at, NULL) : 0;
	if (length == 0 || (parameter->whole && number != floor(number)))
		report_syntax(reader, reader->at,
					  psprintf("%s %s", parameter->whole ? "the whole number" : "the number",
							   parameter->name),
					  NULL);
	reader->at += length;
	return number;
}

static void
check_ranges(const Model *model)
{
	for (int i = 0; i < model->ops->parameters; i++)
	{
		const ModelParameter *parameter = &model->ops->parameter[i];
		double value = model->parameter[i];

		if (parameter->above ? value <= parameter->least : value < parameter->least)
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("%s of model %s must be %s %s, not %s", parameter->name,
								   model->ops->name, parameter->above ? "greater than" : "at least",
								   double_to_shortest_decimal(parameter->least),
								   double_to_shortest_decimal(value))));
		if (value > parameter->greatest || isinf(value))
			ereport(
				ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 isinf(parameter->greatest)
					 ? errmsg("%s of model %s is out of range", parameter->name, model->ops->name)
					 : errmsg("%s of model %s must be at most %s, not %s", parameter->name,
							  model->ops->name, double_to_shortest_decimal(parameter->greatest),
							  double_to_shortest_decimal(value))));
	}
}

static Model *
read_model(ModelReader *reader)
{
	Model *model = palloc0(sizeof(Model));

	model->ops = read_kind(reader);
	expect(reader, '(');
	model->column = read_column(reader);
	for (int i = 0; i < model->ops->parameters; i++)
	{
		expect(reader, ',');
		model->parameter[i] = read_number(reader, &model->ops->parameter[i]);
	}
	expect(reader, ')');
	skip_blanks(reader);
	return model;
}

Model *
model_text_read(const char *text)
{
	ModelReader reader = {.text = text, .at = text};
	Model *model = read_model(&reader);

	if (*reader.at != '\0')
		report_syntax(&reader, reader.at, "end of input", NULL);
	check_ranges(model);
	return model;
}

List *
model_text_read_list(const char *text)
{
	ModelReader reader = {.text = text, .at = text};
	List *models = NIL;
	ListCell *cell;

	if (text == NULL)
		return NIL;
	skip_blanks(&reader);
	if (*reader.at == '\0')
		return NIL;
	for (;; reader.at++)
	{
		CHECK_FOR_INTERRUPTS();
		models = lappend(models, read_model(&reader));
		if (*reader.at != ',')
			break;
	}
	if (*reader.at != '\0')
		report_syntax(&reader, reader.at, "\",\" or end of input", NULL);
	foreach (cell, models)
		check_ranges(lfirst(cell));
	return models;
}

/* Does the column read back the same without quotes? */
static bool
is_plain(const char *name)
{
	size_t plain = strspn(name, "abcdefghijklmnopqrstuvwxyz_0123456789$");

	return starts_name(name[0]) && name[plain] == '\0';
}

static void
write_column(StringInfo text, const char *name)
{
	const char *quote = is_plain(name) ? "" : "\"";

	appendStringInfoString(text, quote);
	for (; *name; name++)
	{
		if (*name == '"')
			appendStringInfoChar(text, '"');
		appendStringInfoChar(text, *name);
	}
	appendStringInfoString(text, quote);
}

char *
model_text_write(const Model *model)
{
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfo(&text, "%s(", model->ops->name);
	write_column(&text, model->column);
	for (int i = 0; i < model->ops->parameters; i++)
		appendStringInfo(&text, ", %s", double_to_shortest_decimal(model->parameter[i]));
	appendStringInfoChar(&text, ')');
	return text.data;
}

char *
model_text_write_list(List *models)
{
	StringInfoData text;
	ListCell *cell;

	initStringInfo(&text);
	foreach (cell, models)
		appendStringInfo(&text, "%s%s", text.len > 0 ? ", " : "", model_text_write(lfirst(cell)));
	return text.data;
}

char *
model_text_rename(const char *text, const char *old_name, const char *new_name)
{
	List *models = model_text_read_list(text);

	foreach_ptr (Model, model, models)
	{
		if (strcmp(model->column, old_name) == 0)
			model->column = pstrdup(new_name);
	}
	return model_text_write_list(models);
}
