/*
 * hidden_format.c
 *		See hidden_format.h.
 */
#include "postgres.h"

#include "cell/hidden_format.h"

#include "catalog/pg_type.h"
#include "data/hidden.h"
#include "fmgr.h"
#include "parser/parse_coerce.h"
#include "utils/lsyscache.h"

bool
hidden_format_is_null(Oid base_type)
{
	return TypeCategory(base_type) != TYPCATEGORY_STRING;
}

Datum
hidden_format_write(Oid base_type)
{
	Oid input;
	Oid parameter;

	getTypeInputInfo(base_type, &input, &parameter);
	return OidInputFunctionCall(input, HIDDEN_TEXT, parameter, -1);
}
