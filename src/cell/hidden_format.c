/*
 * hidden_format.c
 *		See hidden_format.h.
 */
#include "postgres.h"

#include "cell/hidden_format.h"

#include "catalog/pg_type.h"
#include "cell/cell_texts.h"
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

char *
hidden_format_has_others(const CellColumn *column)
{
	const DescribedAttribute *attribute = cell_format_attribute(column);
	const char *is_other = psprintf("%s IS NOT DISTINCT FROM NULL", cell_format_value(column));

	if (OidIsValid(attribute->dimension))
	{
		StarColumn star = cell_format_star(column, 1);

		is_other = star.pairs ? star_query_is_other(&star, attribute) : is_other;
	}
	return psprintf("EXISTS (SELECT 1 FROM %s s WHERE %s)", column->rows, is_other);
}

/* SQL: are there NULLs in the source's column, and are they all that is shown so? */
static const char *
null_is_null(const CellColumn *column)
{
	Description source = *column->source;
	const char *shows_null;

	source.name = column->rows;
	shows_null = column->level > 0 && OidIsValid(cell_format_attribute(column)->dimension)
					 ? star_query_shows_null(&source, column->quasi, column->level)
					 : NULL;
	return psprintf("EXISTS (SELECT 1 FROM %s s WHERE %s IS NOT DISTINCT FROM NULL)%s%s",
					column->rows, cell_format_value(column), shows_null ? " AND NOT " : "",
					shows_null ? shows_null : "");
}

char *
hidden_format_own_null(const CellColumn *column)
{
	if (column->cellwise && !OidIsValid(cell_format_attribute(column)->dimension) &&
		hidden_format_is_null(getBaseType(column->type)))
		return pstrdup("false");
	return psprintf("(r.v IS NOT DISTINCT FROM NULL AND %s)", null_is_null(column));
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
