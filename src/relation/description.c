/*
 * description.c
 *		See description.h.
 */
#include "postgres.h"

#include "relation/description.h"

#include "access/relation.h"
#include "base/names.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "model/model.h"
#include "relation/citus.h"
#include "sql/comparison.h"
#include "sql/name_array.h"
#include "sql/own_table.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "sql/type_query.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

static const char *const role_names[] = {
	[ROLE_UNDECLARED] = "undeclared",
	[ROLE_IDENTIFIER] = "identifier",
	[ROLE_QUASI_IDENTIFIER] = "quasi_identifier",
	[ROLE_SENSITIVE] = "sensitive",
	[ROLE_INSENSITIVE] = "insensitive",
};

const char *
attribute_role_name(AttributeRole role)
{
	return role_names[role];
}

AttributeRole
attribute_role(const char *name)
{
	return ROLE_IDENTIFIER + names_find("role", name, &role_names[ROLE_IDENTIFIER], sizeof(char *),
										ROLE_INSENSITIVE, strcmp);
}

static void
check_relation_kind(Relation relation)
{
	switch (relation->rd_rel->relkind)
	{
		case RELKIND_RELATION:
		case RELKIND_PARTITIONED_TABLE:
		case RELKIND_VIEW:
		case RELKIND_MATVIEW:
		case RELKIND_FOREIGN_TABLE:
			return;
		default:
			ereport(ERROR,
					(errcode(ERRCODE_WRONG_OBJECT_TYPE),
					 errmsg("\"%s\" is not a table, view, materialized view or foreign table",
							RelationGetRelationName(relation))));
	}
}

/* Describes the columns that are not dropped. */
static Description *
describe_columns(TupleDesc columns, Oid relation)
{
	Description *description = palloc0(sizeof(Description));

	description->attributes = palloc0(sizeof(DescribedAttribute) * Max(columns->natts, 1));
	description->quasi = palloc0(sizeof(DescribedAttribute *) * Max(columns->natts, 1));
	for (int i = 0; i < columns->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(columns, i);

		if (column->attisdropped)
			continue;
		description->attributes[description->attribute_count++] = (DescribedAttribute){
			.name = pstrdup(NameStr(column->attname)),
			.number = (AttrNumber) (i + 1),
			.type = column->atttypid,
			.typmod = column->atttypmod,
			.collation = OidIsValid(column->attcollation) ? column->attcollation
														  : get_typcollation(column->atttypid),
			.weight = 1,
			.relation = relation,
		};
	}
	return description;
}

Description *
description_load_columns(Oid relid)
{
	Relation relation = relation_name_open(relid);
	Description *description;

	check_relation_kind(relation);
	description = describe_columns(RelationGetDescr(relation), relid);
	description->relation = relid;
	description->name = relation_name(relid);
	description->caller_reads = rights_caller_reads();
	relation_name_check_rows(relation);
	/* Keeps the lock, so that later queries find the same columns. */
	relation_close(relation, NoLock);
	return description;
}

Description *
description_load_fields(RecordType record)
{
	Description *description = describe_columns(record.fields, InvalidOid);

	description->record = record;
	description->handed_rows = true;
	return description;
}

/* Adds what kanon_attribute declares; skips rows of missing tables or columns. */
static void
read_declarations(Description *description)
{
	own_table_read("SELECT a.attribute::text, a.role, c.oid, a.weight FROM @attribute a"
				   " LEFT JOIN pg_class c ON c.oid = a.dimension WHERE a.relation = $1",
				   "o", description->relation);
	for (uint64 row = 0; row < query_rows(); row++)
	{
		DescribedAttribute *attribute = description_find(description, query_text(row, 1));

		if (attribute == NULL)
			continue;
		attribute->role = attribute_role(query_text(row, 2));
		attribute->dimension = (Oid) query_int8(row, 3);
		attribute->weight = query_double(row, 4);
		/* Another transaction may have dropped it unseen by an older snapshot. */
		if (OidIsValid(attribute->dimension) &&
			!relation_name_lock(attribute->dimension, AccessShareLock))
			ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE),
							errmsg("dimension of column \"%s\" of relation %s does not exist",
								   attribute->name, description->name),
							errdetail("It was dropped after this transaction took its snapshot.")));
	}
}

char *
description_title(const Description *description, const DescribedAttribute *attribute)
{
	if (description->name == NULL)
		return psprintf(_("field \"%s\""), attribute->name);
	return psprintf(_("column \"%s\" of relation %s"), attribute->name, description->name);
}

void
description_check_order(const Description *description, const DescribedAttribute *attribute,
						const char *use)
{
	if (!comparison_has_order(attribute->type))
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION),
						errmsg("%s cannot %s", description_title(description, attribute), use),
						errdetail("Type %s has no default btree operator class.",
								  format_type_be(attribute->type))));
}

void
description_check_quasi_identifier(const Description *description,
								   const DescribedAttribute *attribute)
{
	description_check_order(description, attribute, _("be a quasi-identifier"));
}

void
description_check_levels(const Description *dimension)
{
	if (dimension->attribute_count == 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_TABLE_DEFINITION),
						errmsg("dimension %s has no columns", dimension->name)));
	if (dimension->attribute_count > DIMENSION_MAX_LEVELS + 1)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("dimension %s has %d levels, more than the %d that a dimension can have",
						dimension->name, dimension->attribute_count - 1, DIMENSION_MAX_LEVELS)));
	for (int level = 1; level < dimension->attribute_count; level++)
		description_check_order(dimension, &dimension->attributes[level], _("be a level"));
}

int
description_quasi(const Description *description, const DescribedAttribute *attribute)
{
	for (int i = 0; i < description->quasi_count; i++)
		if (description->quasi[i] == attribute)
			return i;
	return -1;
}

void
description_add_quasi_identifier(Description *description, DescribedAttribute *attribute)
{
	description_check_quasi_identifier(description, attribute);
	description->quasi[description->quasi_count++] = attribute;
}

void
description_choose(Description *description, ArrayType *quasi_identifiers)
{
	description->quasi_count = 0;
	foreach_ptr (const char, name, array_strings(quasi_identifiers))
	{
		DescribedAttribute *attribute;

		if (name == NULL)
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("a quasi-identifier's name must not be null")));
		attribute = description_get(description, name);
		if (description_quasi(description, attribute) >= 0)
			ereport(ERROR, (errcode(ERRCODE_DUPLICATE_COLUMN),
							errmsg("quasi-identifier \"%s\" is named more than once", name)));
		description_add_quasi_identifier(description, attribute);
	}
}

/* ---- the demand */

static void
check_sensitive(const Description *description, const Model *model,
				const DescribedAttribute *attribute)
{
	const char *title = description_title(description, attribute);

	if (description_quasi(description, attribute) >= 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s is both sensitive and a quasi-identifier", title),
				 errdetail("The model is %s. Within a class, all values of a quasi-identifier are "
						   "alike.",
						   model_text_write(model))));
	description_check_order(description, attribute, _("be a sensitive column"));
	if ((model->ops->needs & MODEL_NEEDS_NUMBERS) &&
		!number_query_is_numeric(getBaseType(attribute->type)))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("%s needs a column of numbers", model_text_write(model)),
				 errdetail("The type of %s is %s.", title, format_type_be(attribute->type))));
}

/* Adds a model to the first ones; columns are numbered as models name them. */
static void
demand_model(Description *description, const Model *model, int *column_of,
			 DescribedAttribute *attribute)
{
	Demand *demand = &description->demand;
	int column = 0;

	while (column < demand->columns && description->sensitive[column] != attribute)
		column++;
	if (column == demand->columns)
	{
		description->sensitive[demand->columns++] = attribute;
		attribute->needs = 0;
	}
	attribute->needs |= model->ops->needs;
	column_of[demand->models] = column;
	demand->model[demand->models++] = model;
}

/* "only": the attribute of all models and the person, or NULL. */
static void
set_demand(Description *description, List *models, const char *person, DescribedAttribute *only)
{
	int count = Max(list_length(models), 1);
	int *column_of = palloc(sizeof(int) * count);

	description->demand =
		(Demand){.model = palloc(sizeof(Model *) * count), .column_of = column_of};
	description->sensitive = palloc(sizeof(DescribedAttribute *) * count);
	description->person = NULL;
	foreach_ptr (const Model, model, models)
	{
		DescribedAttribute *attribute = only ? only : description_get(description, model->column);

		if (only == NULL)
			check_sensitive(description, model, attribute);
		demand_model(description, model, column_of, attribute);
	}
	if (person == NULL)
		return;
	description->demand.person = true;
	description->person = only ? only : description_get(description, person);
	if (only == NULL)
		description_check_order(description, description->person, _("tell people apart"));
}

void
description_demand(Description *description, List *models, const char *person)
{
	set_demand(description, models, person, NULL);
}

void
description_demand_unknown(Description *description, List *models, const char *person)
{
	set_demand(description, models, person, &description->attributes[0]);
}

bool
description_is_demanded(const Description *description, const DescribedAttribute *attribute)
{
	for (int i = 0; i < description->demand.columns; i++)
		if (description->sensitive[i] == attribute)
			return true;
	return description->person == attribute;
}

void
description_check_person(const Description *description)
{
	if (description->person && description_quasi(description, description->person) >= 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("person \"%s\" is a quasi-identifier", description->person->name)));
}

Bitmapset *
description_columns(DescribedAttribute *const *attributes, int count)
{
	Bitmapset *columns = NULL;

	for (int i = 0; i < count; i++)
		columns = bms_add_member(columns, attributes[i]->number);
	return columns;
}

Bitmapset *
description_quasi_columns(const Description *description)
{
	return description_columns(description->quasi, description->quasi_count);
}

Bitmapset *
description_used_columns(const Description *description)
{
	Bitmapset *columns =
		bms_join(description_quasi_columns(description),
				 description_columns(description->sensitive, description->demand.columns));

	if (description->person)
		columns = bms_add_member(columns, description->person->number);
	return description->target ? bms_add_member(columns, description->target->number) : columns;
}

/* ---- loading with declarations */

Description *
description_load_any(Oid relation)
{
	Description *description = description_load_columns(relation);

	read_declarations(description);
	for (int i = 0; i < description->attribute_count; i++)
		if (description->attributes[i].role == ROLE_QUASI_IDENTIFIER)
			description_add_quasi_identifier(description, &description->attributes[i]);
	return description;
}

static bool
is_declared(const Description *description)
{
	for (int i = 0; i < description->attribute_count; i++)
		if (description->attributes[i].role != ROLE_UNDECLARED)
			return true;
	return false;
}

Description *
description_load(Oid relation, ArrayType *quasi_identifiers)
{
	Description *description = description_load_any(relation);

	if (!is_declared(description) && citus_keeps_elsewhere(relation))
		ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						errmsg("declarations of relation %s are not on this node of Citus",
							   description->name),
						errhint("Call the function on the coordinator, or declare the relation "
								"here as well.")));
	if (quasi_identifiers != NULL)
		description_choose(description, quasi_identifiers);
	if (description->quasi_count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("relation %s has no quasi-identifiers", description->name),
				 errhint("Declare them with kanon_set_attribute, or pass quasi_identifiers.")));
	return description;
}

DescribedAttribute *
description_find(const Description *description, const char *name)
{
	for (int i = 0; i < description->attribute_count; i++)
		if (strcmp(description->attributes[i].name, name) == 0)
			return &description->attributes[i];
	return NULL;
}

DescribedAttribute *
description_get(const Description *description, const char *name)
{
	DescribedAttribute *attribute = description_find(description, name);

	if (attribute == NULL && description->name)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" of relation %s does not exist", name, description->name)));
	if (attribute == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN), errmsg("rows have no field \"%s\"", name),
				 description->record.type == RECORDOID
					 ? errhint("The fields of ROW(..) are named f1, f2, and so on.")
					 : 0));
	for (int i = (int) (attribute - description->attributes) + 1; i < description->attribute_count;
		 i++)
		if (strcmp(description->attributes[i].name, name) == 0)
			ereport(ERROR, (errcode(ERRCODE_AMBIGUOUS_COLUMN),
							errmsg("rows have more than one field \"%s\"", name)));
	return attribute;
}

void
description_report_change(const Description *description)
{
	ereport(ERROR, (errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
					errmsg("relation %s changed while it was read", description->name),
					errhint("Try again.")));
}

static bool
has_scale(const DescribedAttribute *attribute)
{
	Oid type = getBaseType(attribute->type);

	return type != BOOLOID && number_query_is_scaled(type);
}

bool
description_is_plain(const DescribedAttribute *attribute)
{
	return !OidIsValid(attribute->dimension) && !has_scale(attribute);
}

bool
description_has_dimension_order(const DescribedAttribute *attribute)
{
	return OidIsValid(attribute->dimension) && !has_scale(attribute);
}

List *
description_quasi_attributes(const Description *description)
{
	List *attributes = NIL;

	for (int i = 0; i < description->quasi_count; i++)
		attributes = lappend(attributes, description->quasi[i]);
	return attributes;
}

char *
description_list(DescribedAttribute *const *attributes, int count)
{
	StringInfoData list;

	initStringInfo(&list);
	for (int i = 0; i < count; i++)
		appendStringInfo(&list, "%ss.%s", i > 0 ? ", " : "", quote_identifier(attributes[i]->name));
	return list.data;
}

void
description_flatten(Description *description, bool all)
{
	for (int i = 0; i < description->quasi_count; i++)
		if (all || !description_has_dimension_order(description->quasi[i]))
			description->quasi[i]->dimension = InvalidOid;
}
