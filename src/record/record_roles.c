/*
 * record_roles.c
 *		See record_roles.h.
 */
#include "postgres.h"

#include "record/record_roles.h"

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "dimension/sensitive_values.h"
#include "model/model.h"
#include "record/record_whole.h"
#include "relation/citus.h"
#include "relation/declaration.h"
#include "sql/name_array.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"

/* Does the call itself say which dimensions there are, so that it needs no declarations? */
static bool
says_all(const RecordRoles *roles)
{
	if (!roles->classes && roles->dimensions == NULL)
		return false;
	if (roles->model_dimensions || roles->models == NULL)
		return true;
	foreach_ptr (const Model, model, model_text_read_list(roles->models))
		if (model->ops->needs & MODEL_NEEDS_DISTANCE)
			return false;
	return true;
}

/* Does every field have the name that ROW(..) gives it? */
static bool
is_bare(const RecordType *record)
{
	for (int i = 0; i < record->fields->natts; i++)
		if (strcmp(NameStr(TupleDescAttr(record->fields, i)->attname), psprintf("f%d", i + 1)) != 0)
			return false;
	return true;
}

pg_noreturn static void
refuse(const char *rows, const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("rows of %s do not lead to the declarations of their relation", rows),
			 detail ? errdetail_internal("%s", detail) : 0,
			 errhint("Call a function that takes the relation's name, pass quasi_identifiers, "
					 "dimensions and model_dimensions, or write ROW(..) and name f1, f2, .. as "
					 "quasi_identifiers.")));
}

/*
 * Refuses what may be rows of a view whose columns have dimensions.  Citus sends whole rows of a
 * view as those of a subquery, or as ROW(..); so ROW(..) that could be such is taken for it, unless
 * the call names fields.
 */
static void
check_handed_over(const RecordType *record, const RecordRoles *roles, const List *tables)
{
	char *view;

	if (says_all(roles))
		return;
	if (!is_bare(record))
		refuse(_("a view or subquery that Citus hands over"), NULL);
	if (roles->quasi_identifiers)
		return;
	view = citus_similar_view(tables, record->fields);
	if (view)
		refuse(_("a view or subquery that Citus hands over"),
			   psprintf(_("They could be rows of view %s."), view));
}

/* With the quasi-identifiers named, or declared for a relation; other rows have none yet. */
static Description *
describe_rows(RecordType record, const RecordRoles *roles, const List *tables)
{
	Oid relation = record.type == RECORDOID ? InvalidOid : get_typ_typrelid(record.type);
	Description *description;

	if (OidIsValid(relation) && get_rel_relkind(relation) != RELKIND_COMPOSITE_TYPE)
	{
		bool said = roles->quasi_identifiers && says_all(roles);

		if (!said && citus_is_shard(relation))
			refuse(psprintf(_("shard %s"), relation_name(relation)), NULL);
		description = said ? description_load_any(relation)
						   : description_load(relation, roles->quasi_identifiers);
		description->record = record;
		description->handed_rows = true;
	}
	else
	{
		if (citus_wrote(tables))
			check_handed_over(&record, roles, tables);
		description = description_load_fields(record);
	}
	if (roles->quasi_identifiers)
		description_choose(description, roles->quasi_identifiers);
	return description;
}

/* Chooses the last "count" fields. */
static void
choose_beside(Description *description, int count)
{
	int first = description->attribute_count - count;

	if (count < 0 || first < 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("%d fields cannot stand beside the cells", count),
						errdetail("Rows have %d.", description->attribute_count)));
	description->beside = palloc(sizeof(DescribedAttribute *) * count);
	description->beside_fields = CreateTemplateTupleDesc(count);
	for (int i = 0; i < count; i++)
	{
		description->beside[i] = &description->attributes[first + i];
		TupleDescCopyEntry(description->beside_fields, (AttrNumber) (i + 1),
						   description->record.fields, description->beside[i]->number);
	}
}

static bool
is_beside(const Description *description, const DescribedAttribute *attribute)
{
	int count = description->beside ? description->beside_fields->natts : 0;

	for (int i = 0; i < count; i++)
		if (description->beside[i] == attribute)
			return true;
	return false;
}

static void
check_roles(const Description *description)
{
	int count = description->quasi_count;

	if (count == 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("rows have no quasi-identifiers")));
	if (count > RECORD_ROLES_MOST)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("rows have %d quasi-identifiers, more than the %d that can be partitioned",
						count, RECORD_ROLES_MOST)));
	if (description->target && description_quasi(description, description->target) >= 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("target \"%s\" is a quasi-identifier", description->target->name)));
	description_check_person(description);
	for (int i = 0; i < count; i++)
		if (is_beside(description, description->quasi[i]))
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("field \"%s\" beside the cells is a quasi-identifier",
								   description->quasi[i]->name)));
}

/* The entries of a regclass[] with one for each of "count" somethings. */
static Datum *
read_dimensions(ArrayType *dimensions, int count, const char *something, const char *plural,
				bool **nulls)
{
	Datum *oids;
	int given = array_elements(dimensions, &oids, nulls);

	if (given != count)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("%d dimensions are given for %d %s", given, count, plural),
						errhint("Write NULL for a %s without dimension.", something)));
	return oids;
}

/* Gives a field of handed rows a dimension that the query names. */
static void
name_dimension(const Description *description, DescribedAttribute *attribute, Oid dimension)
{
	attribute->dimension = dimension;
	if (description->handed_rows)
		attribute->relation = InvalidOid;
}

/* Replaces declared dimensions by the call's; in these, NULL is none, and so is 0, but plain. */
static void
replace_dimensions(Description *description, const RecordRoles *roles)
{
	const Demand *demand = &description->demand;
	Datum *given;
	bool *nulls;

	if (roles->dimensions)
	{
		given = read_dimensions(roles->dimensions, description->quasi_count, _("quasi-identifier"),
								_("quasi-identifiers"), &nulls);
		for (int i = 0; i < description->quasi_count; i++)
		{
			Oid dimension = nulls[i] ? InvalidOid : DatumGetObjectId(given[i]);

			name_dimension(description, description->quasi[i], dimension);
			description->quasi[i]->plain = !nulls[i] && !OidIsValid(dimension);
		}
	}
	if (roles->flat)
		description_flatten(description, roles->nulls);
	for (int i = 0; roles->plain && i < description->quasi_count; i++)
		description->quasi[i]->plain = description_is_plain(description->quasi[i]);
	if (roles->model_dimensions)
	{
		given = read_dimensions(roles->model_dimensions, demand->models, _("model"),
								_("privacy models"), &nulls);
		for (int i = 0; i < demand->columns; i++)
			description->sensitive[i]->dimension = InvalidOid;
		for (int i = demand->models - 1; i >= 0; i--)
			if (!nulls[i] && OidIsValid(DatumGetObjectId(given[i])) &&
				(demand->model[i]->ops->needs & MODEL_NEEDS_DISTANCE))
				name_dimension(description, description->sensitive[demand->column_of[i]],
							   DatumGetObjectId(given[i]));
	}
}

/* Gives each quasi-identifier the weight that the call has for it. */
static void
give_weights(const Description *description, const char *weights)
{
	char *rest = weights ? pstrdup(weights) : NULL;
	int count = 0;

	for (char *weight; (weight = strsep(&rest, ",")) != NULL; count++)
		if (count < description->quasi_count)
			description->quasi[count]->weight = declaration_weight(
				DatumGetFloat8(DirectFunctionCall1(float8in, CStringGetDatum(weight))));
	if (weights && count != description->quasi_count)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("%d weights are given for %d quasi-identifiers", count,
							   description->quasi_count)));
}

/* Does a whole tell labels of a sensitive column, rather than of a quasi-identifier? */
static bool
has_labels_alone(const Description *description, const DescribedAttribute *attribute,
				 const Jsonb *whole)
{
	return description_quasi(description, attribute) < 0 &&
		   record_whole_has_labels(whole, attribute);
}

static void
load_dimensions(Description *description, const Jsonb *whole, Budget *budget)
{
	for (int i = 0; i < description->quasi_count; i++)
		if (whole && record_whole_has_labels(whole, description->quasi[i]))
			description->quasi[i]->domain = record_whole_domain(
				whole, description, description->quasi[i], UNKNOWN_AS_NULL, budget);
		else if (OidIsValid(description->quasi[i]->dimension))
			description->quasi[i]->domain =
				dimension_query_load(description, description->quasi[i], UNKNOWN_AS_NULL, budget);
	for (int i = 0; i < description->demand.columns; i++)
		if (whole && has_labels_alone(description, description->sensitive[i], whole))
			description->sensitive[i]->domain = record_whole_domain(
				whole, description, description->sensitive[i], UNKNOWN_ALONE, budget);
		else if (sensitive_values_has_levels(description->sensitive[i]))
			description->sensitive[i]->domain =
				sensitive_values_load(description, description->sensitive[i], budget);
}

static void
give_roles(Description *description, const RecordRoles *roles, Budget *budget)
{
	if (roles->target)
		description->target = description_get(description, roles->target);
	description_demand(description, model_text_read_list(roles->models), roles->person);
	description->demand.known = roles->known;
	if (roles->beside != 0)
		choose_beside(description, roles->beside);
	/* All fields without another role. */
	for (int i = 0; i < description->attribute_count; i++)
	{
		DescribedAttribute *attribute = &description->attributes[i];

		if (description->relation == InvalidOid && roles->quasi_identifiers == NULL &&
			attribute != description->target && !is_beside(description, attribute) &&
			!description_is_demanded(description, attribute))
			description_add_quasi_identifier(description, attribute);
	}
	check_roles(description);
	replace_dimensions(description, roles);
	/* Classes are published values, which differ whether or not a dimension has them. */
	for (int i = 0; roles->classes && i < description->quasi_count; i++)
		description->quasi[i]->dimension = InvalidOid;
	give_weights(description, roles->weights);
	load_dimensions(description, roles->whole, budget);
}

/* Gives the fields of a record without a type their names. */
static void
name_fields(const RecordType *record, ArrayType *names)
{
	Datum *name;
	bool *nulls;
	int count = array_elements(names, &name, &nulls);

	if (record->type != RECORDOID || count != record->fields->natts)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("%d names are given for the %d fields of rows", count,
							   record->fields->natts)));
	for (int i = 0; i < count; i++)
		if (!nulls[i])
			TupleDescAttr(record->fields, i)->attname = *DatumGetName(name[i]);
}

Description *
record_roles_describe(Oid type, int32 typmod, const RecordRoles *roles, const List *tables,
					  Budget *budget)
{
	RecordType record = record_type_load(type, typmod);
	QueryScope scope = query_begin();
	Description *description;

	MemoryContextSwitchTo(scope.caller);
	if (roles->fields)
		name_fields(&record, roles->fields);
	/* For dimensions: a worker has the tables of Citus, too. */
	if (citus_wrote(tables))
		citus_allow_nested();
	description = describe_rows(record, roles, tables);
	give_roles(description, roles, budget);
	query_end(scope);
	return description;
}

Description *
record_roles_describe_relation(Oid relation, const RecordRoles *roles, Budget *budget)
{
	QueryScope scope = query_begin();
	Description *description;

	MemoryContextSwitchTo(scope.caller);
	description = description_load(relation, roles->quasi_identifiers);
	description->record = record_type_load(get_rel_type_id(relation), -1);
	description->told = roles->told;
	give_roles(description, roles, budget);
	query_end(scope);
	return description;
}

Description *
record_roles_describe_unknown(const RecordRoles *roles)
{
	RecordType unknown = {.type = RECORDOID, .fields = CreateTemplateTupleDesc(1)};
	Description *description;

	TupleDescInitEntry(unknown.fields, 1, "", INT4OID, -1, 0);
	description = description_load_fields(unknown);
	description_add_quasi_identifier(description, &description->attributes[0]);
	description_demand_unknown(description, model_text_read_list(roles->models), roles->person);
	return description;
}
