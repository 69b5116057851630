/*
 * record_shape.c
 *		See record_shape.h.
 */
#include "postgres.h"

#include "record/record_shape.h"

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "dimension/sensitive_values.h"
#include "model/model_text.h"
#include "relation/citus.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

/* On a Citus worker a row has no declarations, so the call must give all roles. */
static void
check_shard(Oid relation, const RecordRoles *roles)
{
	if ((roles->quasi_identifiers && roles->dimensions &&
		 (roles->models == NULL || *roles->models == '\0' || roles->model_dimensions)) ||
		!citus_is_shard(relation))
		return;
	ereport(
		ERROR,
		(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
		 errmsg("rows of shard %s do not lead to the declarations of their table",
				relation_name(relation)),
		 errhint("Let the coordinator partition them, for example by PARTITION BY ward || '' if "
				 "ward is the distribution column, or pass all columns and their dimensions.")));
}

/* With the quasi-identifiers named, or declared for a relation; other rows have none yet. */
static Description *
describe_rows(const RecordShape *shape, const RecordRoles *roles)
{
	ArrayType *quasi_identifiers = roles->quasi_identifiers;
	Oid type = shape->record.type;
	Oid relation = type == RECORDOID ? InvalidOid : get_typ_typrelid(type);
	Description *description;

	if (OidIsValid(relation) && get_rel_relkind(relation) != RELKIND_COMPOSITE_TYPE)
	{
		check_shard(relation, roles);
		description = description_load(relation, quasi_identifiers);
		description->handed_rows = true;
		return description;
	}
	description = description_load_fields(shape->record.fields);
	if (quasi_identifiers)
		description_choose(description, quasi_identifiers);
	return description;
}

/* Chooses the last "count" fields. */
static void
choose_beside(RecordShape *shape, int count)
{
	const Description *description = shape->description;
	int first = description->attribute_count - count;
	int *numbers;

	if (count < 0 || first < 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("%d fields cannot stand beside the cells", count),
						errdetail("Rows have %d.", description->attribute_count)));
	numbers = palloc(sizeof(int) * count);
	shape->beside = numbers;
	shape->beside_fields = CreateTemplateTupleDesc(count);
	for (int i = 0; i < count; i++)
	{
		numbers[i] = description->attributes[first + i].number;
		TupleDescCopyEntry(shape->beside_fields, (AttrNumber) (i + 1), shape->record.fields,
						   (AttrNumber) numbers[i]);
	}
}

static bool
is_beside(const RecordShape *shape, const DescribedAttribute *attribute)
{
	int count = shape->beside ? shape->beside_fields->natts : 0;

	for (int i = 0; i < count; i++)
		if (shape->beside[i] == attribute->number)
			return true;
	return false;
}

static void
check_roles(const RecordShape *shape)
{
	int count = shape->description->quasi_count;

	if (count == 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("rows have no quasi-identifiers")));
	if (count > RECORD_SHAPE_MOST)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("rows have %d quasi-identifiers, more than the %d that can be partitioned",
						count, RECORD_SHAPE_MOST)));
	if (shape->target && description_quasi(shape->description, shape->target) >= 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("target \"%s\" is a quasi-identifier", shape->target->name)));
	sensitive_columns_check_person(&shape->sensitive);
	for (int i = 0; i < count; i++)
	{
		const DescribedAttribute *quasi =
			&shape->description->attributes[shape->description->quasi[i]];

		if (is_beside(shape, quasi))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("field \"%s\" beside the cells is a quasi-identifier", quasi->name)));
	}
}

/*
 * The OIDs of a regclass[] with one entry for each of "count" somethings; NULL is InvalidOid.  Sets
 * zero, unless it is NULL: entries that are 0.
 */
static const Oid *
read_dimensions(ArrayType *dimensions, int count, const char *something, const char *plural,
				bool *zero)
{
	Oid *oids = palloc(sizeof(Oid) * Max(count, 1));
	Datum *elements;
	bool *nulls;
	int given;

	deconstruct_array(dimensions, REGCLASSOID, sizeof(Oid), true, TYPALIGN_INT, &elements, &nulls,
					  &given);
	if (given != count)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("%d dimensions are given for %d %s", given, count, plural),
						errhint("Write NULL for a %s without dimension.", something)));
	for (int i = 0; i < count; i++)
	{
		oids[i] = nulls[i] ? InvalidOid : DatumGetObjectId(elements[i]);
		if (zero)
			zero[i] = !nulls[i] && !OidIsValid(oids[i]);
	}
	return oids;
}

/* Gives a field of handed rows a dimension that the query names. */
static void
name_dimension(const RecordShape *shape, DescribedAttribute *attribute, Oid dimension)
{
	attribute->dimension = dimension;
	if (shape->description->handed_rows)
		attribute->relation = InvalidOid;
}

/* Replaces declared dimensions by the call's. */
static void
replace_dimensions(RecordShape *shape, const RecordRoles *roles)
{
	SensitiveColumns *sensitive = &shape->sensitive;

	if (roles->dimensions)
	{
		const Oid *given =
			read_dimensions(roles->dimensions, shape->quasi_count, _("quasi-identifier"),
							_("quasi-identifiers"), shape->plain);

		for (int i = 0; i < shape->quasi_count; i++)
			name_dimension(shape, &shape->quasi[i], given[i]);
	}
	for (int i = 0; roles->plain && i < shape->quasi_count; i++)
		shape->plain[i] = description_is_plain(&shape->quasi[i]);
	if (roles->model_dimensions)
	{
		const Oid *given = read_dimensions(roles->model_dimensions, sensitive->models, _("model"),
										   _("privacy models"), NULL);

		for (int i = 0; i < sensitive->columns; i++)
			sensitive->column[i].attribute.dimension = InvalidOid;
		for (int i = sensitive->models - 1; i >= 0; i--)
			if (OidIsValid(given[i]) && (sensitive->model[i]->ops->needs & MODEL_NEEDS_DISTANCE))
				name_dimension(shape, &sensitive->column[sensitive->column_of[i]].attribute,
							   given[i]);
	}
}

static void
load_dimensions(RecordShape *shape, Budget *budget)
{
	for (int i = 0; i < shape->quasi_count; i++)
		if (OidIsValid(shape->quasi[i].dimension))
			shape->quasi[i].domain =
				dimension_query_load(shape->description, &shape->quasi[i], UNKNOWN_AS_NULL, budget);
	for (int i = 0; i < shape->sensitive.columns; i++)
	{
		DescribedAttribute *attribute = &shape->sensitive.column[i].attribute;

		if (OidIsValid(attribute->dimension))
			attribute->domain = sensitive_values_load(&shape->sensitive, i, budget);
	}
}

/* Copies the quasi-identifiers of the description. */
static void
copy_quasi_identifiers(RecordShape *shape)
{
	const Description *description = shape->description;

	shape->quasi_count = description->quasi_count;
	shape->quasi = palloc(sizeof(DescribedAttribute) * description->quasi_count);
	shape->plain = palloc0(sizeof(bool) * description->quasi_count);
	for (int i = 0; i < description->quasi_count; i++)
		shape->quasi[i] = description->attributes[description->quasi[i]];
}

/* Fills in a shape except for record and description. */
static void
give_roles(RecordShape *shape, Description *description, const RecordRoles *roles, Budget *budget)
{
	shape->description = description;
	if (roles->target)
		shape->target = description_get(description, roles->target);
	shape->sensitive =
		sensitive_columns_find(description, model_text_read_list(roles->models), roles->person);
	if (roles->beside != 0)
		choose_beside(shape, roles->beside);
	/* All fields without another role. */
	for (int i = 0; i < description->attribute_count; i++)
	{
		const DescribedAttribute *attribute = &description->attributes[i];

		if (description->relation == InvalidOid && roles->quasi_identifiers == NULL &&
			attribute != shape->target && !is_beside(shape, attribute) &&
			!sensitive_columns_have(&shape->sensitive, attribute))
			description_add_quasi_identifier(description, attribute);
	}
	check_roles(shape);
	copy_quasi_identifiers(shape);
	replace_dimensions(shape, roles);
	load_dimensions(shape, budget);
}

RecordShape *
record_shape_load(Oid type, int32 typmod, const RecordRoles *roles, Budget *budget)
{
	MemoryContext context = CurrentMemoryContext;
	RecordShape *shape = palloc0(sizeof(RecordShape));
	QueryScope scope;

	shape->record = record_type_load(type, typmod);
	scope = query_begin();
	MemoryContextSwitchTo(context);
	give_roles(shape, describe_rows(shape, roles), roles, budget);
	query_end(scope);
	return shape;
}

RecordShape *
record_shape_of_relation(Oid relation, const RecordRoles *roles, Budget *budget)
{
	MemoryContext context = CurrentMemoryContext;
	RecordShape *shape = palloc0(sizeof(RecordShape));
	QueryScope scope = query_begin();
	Description *description;

	MemoryContextSwitchTo(context);
	description = description_load(relation, roles->quasi_identifiers);
	shape->record = record_type_load(get_rel_type_id(relation), -1);
	give_roles(shape, description, roles, budget);
	query_end(scope);
	return shape;
}

RecordShape *
record_shape_unknown(const RecordRoles *roles)
{
	RecordShape *shape = palloc0(sizeof(RecordShape));
	TupleDesc unknown = CreateTemplateTupleDesc(1);
	Description *description;

	TupleDescInitEntry(unknown, 1, "", INT4OID, -1, 0);
	description = description_load_fields(unknown);
	description_add_quasi_identifier(description, &description->attributes[0]);
	shape->record.fields = unknown;
	shape->description = description;
	copy_quasi_identifiers(shape);
	shape->sensitive =
		sensitive_columns_unknown(description, model_text_read_list(roles->models), roles->person);
	return shape;
}
