/*
 * cell_format.c
 *		See cell_format.h.
 */
#include "postgres.h"

#include "cell/cell_format.h"

#include "catalog/pg_type.h"
#include "sql/type_query.h"
#include "utils/lsyscache.h"

Oid
cell_format_class_type(Oid type, bool labels)
{
	Oid range = labels ? InvalidOid : type_query_range(getBaseType(type));

	return OidIsValid(range) ? range : TEXTOID;
}

Oid
cell_format_row_type(Oid type, bool labels)
{
	return labels ? TEXTOID : getBaseType(type);
}
