/*
 * release_check.c
 *		See release_check.h.
 */
#include "postgres.h"

#include "release/release_check.h"

#include "io/comparison.h"
#include "io/description.h"
#include "release/release_catalog.h"
#include "utils/builtins.h"

/* Those a release was made with, by the names its columns have now; else as given. */
static ArrayType *
choose_quasi_identifiers(const ReleaseCheck *check)
{
	ReleaseEntry *entry;

	if (check->quasi_identifiers != NULL)
		return check->quasi_identifiers;
	entry = release_catalog_find(release_catalog(), check->relation);
	return entry ? release_catalog_columns(entry) : NULL;
}

static const char *
person_expression(const Description *description, const char *name)
{
	DescribedAttribute *person;

	if (name == NULL)
		return NULL;
	person = description_find(description, name);
	if (person == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" of relation %s does not exist", name, description->name)));
	if (!comparison_has_order(person->type))
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION),
						errmsg("column \"%s\" of relation %s cannot tell people apart", name,
							   description->name),
						errdetail("Type %s has no default btree operator class.",
								  format_type_be(person->type))));
	return psprintf("s.%s", quote_identifier(name));
}

ClassTally
release_check(const ReleaseCheck *check)
{
	Description *description = description_load(check->relation, choose_quasi_identifiers(check));
	List *columns = NIL;

	for (int i = 0; i < description->quasi_count; i++)
	{
		const char *name = description->attributes[description->quasi[i]].name;

		columns = lappend(columns, psprintf("s.%s", quote_identifier(name)));
	}
	query_run(class_query_text(psprintf("%s s", description->name), columns,
							   person_expression(description, check->person), check->k),
			  true);
	return class_query_tally();
}
