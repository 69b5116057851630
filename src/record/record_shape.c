/*
 * record_shape.c
 *		See record_shape.h.
 */
#include "postgres.h"

#include "record/record_shape.h"

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "model/model_text.h"
#include "relation/description.h"
#include "sql/comparison.h"
#include "sql/query.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

/* The table or view whose rows have this type, or InvalidOid. */
static Oid
relation_of_type(Oid type)
{
	Oid relation = type == RECORDOID ? InvalidOid : get_typ_typrelid(type);

	if (OidIsValid(relation) && get_rel_relkind(relation) == RELKIND_COMPOSITE_TYPE)
		return InvalidOid;
	return relation;
}

static RecordField
field_at(const RecordShape *shape, int number)
{
	Form_pg_attribute field = TupleDescAttr(shape->fields, number);

	return (RecordField){.name = NameStr(field->attname),
						 .number = number,
						 .type = field->atttypid,
						 .collation = field->attcollation};
}

static RecordField
find_field(const RecordShape *shape, const char *name)
{
	int found = -1;

	for (int i = 0; i < shape->fields->natts; i++)
	{
		Form_pg_attribute field = TupleDescAttr(shape->fields, i);

		if (field->attisdropped || strcmp(NameStr(field->attname), name) != 0)
			continue;
		if (found >= 0)
			ereport(ERROR, (errcode(ERRCODE_AMBIGUOUS_COLUMN),
							errmsg("rows have more than one field \"%s\"", name)));
		found = i;
	}
	if (found < 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN), errmsg("rows have no field \"%s\"", name),
				 shape->type == RECORDOID
					 ? errhint("The fields of ROW(..) are named f1, f2, and so on.")
					 : 0));
	return field_at(shape, found);
}

static void
add_field(RecordShape *shape, RecordField field)
{
	if (!OidIsValid(lookup_type_cache(field.type, TYPECACHE_CMP_PROC)->cmp_proc))
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION),
						errmsg("field \"%s\" cannot be a quasi-identifier", field.name),
						errdetail("Type %s has no default btree operator class.",
								  format_type_be(field.type))));
	shape->quasi[shape->quasi_count++] = field;
}

static void
add_named_fields(RecordShape *shape, ArrayType *names)
{
	Datum *elements;
	bool *nulls;
	int count;

	deconstruct_array(names, NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR, &elements, &nulls, &count);
	shape->quasi = palloc0(sizeof(RecordField) * Max(count, 1));
	for (int i = 0; i < count; i++)
	{
		RecordField field;

		if (nulls[i])
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("a quasi-identifier's name must not be null")));
		field = find_field(shape, NameStr(*DatumGetName(elements[i])));
		for (int j = 0; j < shape->quasi_count; j++)
			if (shape->quasi[j].number == field.number)
				ereport(ERROR,
						(errcode(ERRCODE_DUPLICATE_COLUMN),
						 errmsg("quasi-identifier \"%s\" is named more than once", field.name)));
		add_field(shape, field);
	}
}

static void
add_other_fields(RecordShape *shape)
{
	shape->quasi = palloc0(sizeof(RecordField) * Max(shape->fields->natts, 1));
	for (int i = 0; i < shape->fields->natts; i++)
		if (!TupleDescAttr(shape->fields, i)->attisdropped &&
			!(shape->target && shape->target->number == i) &&
			!sensitive_fields_have(&shape->sensitive, i))
			add_field(shape, field_at(shape, i));
}

/* What is declared of a table; within a query scope. */
static void
add_declared_fields(RecordShape *shape, const Description *description, bool dimensions,
					Budget *budget)
{
	shape->quasi = palloc0(sizeof(RecordField) * description->quasi_count);
	for (int i = 0; i < description->quasi_count; i++)
	{
		const DescribedAttribute *attribute = &description->attributes[description->quasi[i]];
		RecordField *field = &shape->quasi[shape->quasi_count++];

		*field = field_at(shape, attribute->number - 1);
		if (dimensions && OidIsValid(attribute->dimension))
			field->domain = dimension_query_load(description, attribute, budget);
	}
}

/* Those of the call; within a query scope. */
static void
add_dimensions(RecordShape *shape, ArrayType *dimensions, Budget *budget)
{
	Datum *elements;
	bool *nulls;
	int count;

	deconstruct_array(dimensions, REGCLASSOID, sizeof(Oid), true, TYPALIGN_INT, &elements, &nulls,
					  &count);
	if (count != shape->quasi_count)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("%d dimensions are given for %d quasi-identifiers", count,
							   shape->quasi_count),
						errhint("Write NULL for a quasi-identifier without dimension.")));
	for (int i = 0; i < count; i++)
		if (!nulls[i])
			shape->quasi[i].domain =
				sensitive_fields_dimension(&shape->quasi[i], DatumGetObjectId(elements[i]), budget);
}

/* Of the call, for the models that ask for distances; within a query scope. */
static void
add_model_dimensions(SensitiveFields *fields, ArrayType *dimensions, Budget *budget)
{
	Datum *elements;
	bool *nulls;
	int count;

	deconstruct_array(dimensions, REGCLASSOID, sizeof(Oid), true, TYPALIGN_INT, &elements, &nulls,
					  &count);
	if (count != fields->models)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%d dimensions are given for %d privacy models", count, fields->models),
				 errhint("Write NULL for a model without dimension.")));
	for (int i = 0; i < count; i++)
	{
		RecordField *field = &fields->column[fields->column_of[i]].field;

		if (!nulls[i] && (fields->model[i]->ops->needs & MODEL_NEEDS_DISTANCE) &&
			field->domain == NULL)
			field->domain =
				sensitive_fields_dimension(field, DatumGetObjectId(elements[i]), budget);
	}
}

/* Those declared of a table; within a query scope. */
static void
add_declared_model_dimensions(SensitiveFields *fields, const Description *description,
							  Budget *budget)
{
	for (int i = 0; i < fields->columns; i++)
	{
		RecordField *field = &fields->column[i].field;
		const DescribedAttribute *attribute = description_find(description, field->name);

		if (attribute && OidIsValid(attribute->dimension) &&
			(fields->column[i].needs & MODEL_NEEDS_DISTANCE))
			field->domain = dimension_query_load(description, attribute, budget);
	}
}

static void
check_sensitive(const RecordShape *shape)
{
	const SensitiveFields *fields = &shape->sensitive;

	for (int i = 0; i < shape->quasi_count; i++)
	{
		if (fields->person && fields->person->number == shape->quasi[i].number)
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("person \"%s\" is a quasi-identifier", fields->person->name)));
		for (int j = 0; j < fields->models; j++)
			if (fields->column[fields->column_of[j]].field.number == shape->quasi[i].number)
				ereport(
					ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("field \"%s\" is both sensitive and a quasi-identifier",
							shape->quasi[i].name),
					 errdetail("The model is %s. Within a class, all values of a quasi-identifier "
							   "are alike.",
							   model_text_write(fields->model[j]))));
	}
}

static void
check_quasi_identifiers(const RecordShape *shape)
{
	if (shape->quasi_count == 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("rows have no quasi-identifiers")));
	if (shape->quasi_count > RECORD_SHAPE_MOST)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("rows have %d quasi-identifiers, more than the %d that can be partitioned",
						shape->quasi_count, RECORD_SHAPE_MOST)));
	for (int i = 0; shape->target && i < shape->quasi_count; i++)
		if (shape->quasi[i].number == shape->target->number)
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("target \"%s\" is a quasi-identifier", shape->target->name)));
}

static void
add_fields(RecordShape *shape, const RecordRoles *roles, Budget *budget)
{
	Oid relation = relation_of_type(shape->type);
	Description *description = NULL;
	MemoryContext context = CurrentMemoryContext;
	QueryScope scope = query_begin();

	MemoryContextSwitchTo(context);
	if (OidIsValid(relation))
	{
		description = description_load(relation, roles->quasi_identifiers);
		description->handed_rows = true;
		add_declared_fields(shape, description, roles->dimensions == NULL, budget);
	}
	else if (roles->quasi_identifiers)
		add_named_fields(shape, roles->quasi_identifiers);
	else
		add_other_fields(shape);
	check_quasi_identifiers(shape);
	check_sensitive(shape);
	if (roles->dimensions)
		add_dimensions(shape, roles->dimensions, budget);
	if (roles->model_dimensions)
		add_model_dimensions(&shape->sensitive, roles->model_dimensions, budget);
	else if (description && shape->sensitive.columns > 0)
		add_declared_model_dimensions(&shape->sensitive, description, budget);
	query_end(scope);
}

/* The fields that models look at, and whose rows they are. */
static void
add_sensitive(RecordShape *shape, const RecordRoles *roles)
{
	SensitiveFields *fields = &shape->sensitive;

	*fields = sensitive_fields_read(roles->models);
	for (int i = 0; i < fields->models; i++)
		sensitive_fields_add(fields, i, find_field(shape, fields->model[i]->column));
	if (roles->person == NULL)
		return;
	fields->person = palloc(sizeof(RecordField));
	*fields->person = find_field(shape, roles->person);
	if (!comparison_has_order(fields->person->type))
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION),
						errmsg("field \"%s\" cannot tell people apart", roles->person),
						errdetail("Type %s has no default btree operator class.",
								  format_type_be(fields->person->type))));
}

RecordShape *
record_shape_load(Oid type, int32 typmod, const RecordRoles *roles, Budget *budget)
{
	RecordShape *shape = palloc0(sizeof(RecordShape));

	shape->type = type;
	shape->typmod = typmod;
	shape->identity = record_shape_identity(type, typmod);
	shape->fields = lookup_rowtype_tupdesc_copy(type, typmod);
	if (roles->target)
	{
		shape->target = palloc(sizeof(RecordField));
		*shape->target = find_field(shape, roles->target);
	}
	add_sensitive(shape, roles);
	add_fields(shape, roles, budget);
	return shape;
}

RecordShape *
record_shape_unknown(const RecordRoles *roles)
{
	RecordShape *shape = palloc0(sizeof(RecordShape));
	RecordField unknown = {.name = "", .number = 0, .type = INT4OID};

	shape->fields = CreateTemplateTupleDesc(0);
	shape->quasi_count = 1;
	shape->quasi = palloc(sizeof(RecordField));
	shape->quasi[0] = unknown;
	shape->sensitive = sensitive_fields_read(roles->models);
	for (int i = 0; i < shape->sensitive.models; i++)
		sensitive_fields_add(&shape->sensitive, i, unknown);
	if (roles->person)
		shape->sensitive.person = &shape->quasi[0];
	return shape;
}
