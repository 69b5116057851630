/*
 * hidden_format.c
 *		See hidden_format.h.
 */
#include "postgres.h"

#include "cell/hidden_format.h"

#include "catalog/pg_type.h"
#include "cell/cell_texts.h"
#include "data/dimension.h"
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

char *
hidden_format_has_others(const CellColumn *column)
{
	return star_query_has_others(column->source, column->rows, column->quasi);
}

char *
hidden_format_own_null(const CellColumn *column)
{
	if (column->cellwise && !OidIsValid(cell_format_attribute(column)->dimension) &&
		hidden_format_is_null(getBaseType(column->type)))
		return pstrdup("false");
	return psprintf(
		"(r.v IS NOT DISTINCT FROM NULL AND %s)",
		star_query_null_is_null(column->source, column->rows, column->quasi, column->level));
}

static void
append_terms(StringInfo sql, const CellTexts *texts)
{
	appendStringInfo(sql, " UNION ALL SELECT '" HIDDEN_TEXT "', %d, '', NULL, NULL",
					 CELL_TEXTS_ALL(texts));
}

const CellFormat hidden_format = {
	.name = "hidden",
	.terms = append_terms,
};
