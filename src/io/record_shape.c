/*
 * record_shape.c
 *		See record_shape.h.
 */
#include "postgres.h"

#include "io/record_shape.h"

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "io/description.h"
#include "io/query.h"
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
			!(shape->target && shape->target->number == i))
			add_field(shape, field_at(shape, i));
}

/* What is declared of a table; within a query scope. */
static void
add_declared_fields(RecordShape *shape, Oid relation, ArrayType *names, Budget *budget)
{
	Description *description = description_load(relation, names);

	shape->quasi = palloc0(sizeof(RecordField) * description->quasi_count);
	for (int i = 0; i < description->quasi_count; i++)
	{
		const DescribedAttribute *attribute = &description->attributes[description->quasi[i]];
		RecordField *field = &shape->quasi[shape->quasi_count++];

		*field = field_at(shape, attribute->number - 1);
		if (OidIsValid(attribute->dimension))
			field->domain = dimension_query_load(description, attribute, budget);
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

RecordShape *
record_shape_load(Oid type, int32 typmod, ArrayType *quasi_identifiers, const char *target,
				  Budget *budget)
{
	RecordShape *shape = palloc0(sizeof(RecordShape));
	Oid relation = relation_of_type(type);
	MemoryContext context = CurrentMemoryContext;

	shape->type = type;
	shape->typmod = typmod;
	shape->fields = lookup_rowtype_tupdesc_copy(type, typmod);
	if (target)
	{
		shape->target = palloc(sizeof(RecordField));
		*shape->target = find_field(shape, target);
	}
	if (OidIsValid(relation))
	{
		QueryScope scope = query_begin();

		MemoryContextSwitchTo(context);
		add_declared_fields(shape, relation, quasi_identifiers, budget);
		query_end(scope);
	}
	else if (quasi_identifiers)
		add_named_fields(shape, quasi_identifiers);
	else
		add_other_fields(shape);
	check_quasi_identifiers(shape);
	return shape;
}

RecordShape *
record_shape_unknown(void)
{
	RecordShape *shape = palloc0(sizeof(RecordShape));

	shape->fields = CreateTemplateTupleDesc(0);
	shape->quasi_count = 1;
	shape->quasi = palloc(sizeof(RecordField));
	shape->quasi[0] = (RecordField){.name = "", .number = 0, .type = INT4OID};
	return shape;
}
