/*
 * release_cellwise.c
 *		See release_cellwise.h.
 *
 * Example: patients(name, age, zipcode, disease), name an identifier, zipcode with
 * a dimension, k = 2:
 *
 *	WITH zipcode_dim AS (SELECT d.zip, d.zip3 FROM public.zips d)
 *	SELECT public.kanon_cell(cells, 1, NULL::integer) AS age,
 *	       public.kanon_cell(cells, 2, NULL::pg_catalog.text) AS zipcode,
 *	       disease
 *	FROM (SELECT (ARRAY[s.disease])[1] AS disease,
 *	             public.kanon_ring(2, quasi.*,
 *	                 dimensions => ARRAY[NULL, 'public.zips'::pg_catalog.regclass],
 *	                 seed => public.kanon_release_seed(17::bigint))
 *	             OVER (ORDER BY s.disease COLLATE "C") AS cells
 *	      FROM public.patients s,
 *	           LATERAL (SELECT s.age, s.zipcode) quasi) recoded
 *	WHERE cells IS DISTINCT FROM NULL
 *	ORDER BY age, zipcode, disease
 */
#include "postgres.h"

#include "release/release_cellwise.h"

#include "cell/cell_format.h"
#include "release/release_cells.h"
#include "release/release_dimension.h"
#include "sql/comparison.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

typedef struct CellwiseText
{
	ReleaseCells base;
	const CellwiseRecoding *recoding;
} CellwiseText;

static Oid
cell_type_of(const DescribedAttribute *attribute)
{
	return cell_format_row_type(attribute->type, OidIsValid(attribute->dimension));
}

/* The cell of a quasi-identifier. */
static char *
cell_text(const CellwiseText *text, int quasi)
{
	Oid type = cell_type_of(release_cells_attribute(text->base.description, quasi));

	return release_cells_field(&text->base, quasi + 1, value_cast_type_name(type));
}

static void
append_quasi(StringInfo sql, const void *state, int quasi)
{
	const CellwiseText *text = state;

	appendStringInfo(
		sql, "%s AS %s", cell_text(text, quasi),
		quote_identifier(release_cells_attribute(text->base.description, quasi)->name));
}

static char *
call_text(const CellwiseText *text)
{
	const CellwiseRecoding *recoding = text->recoding;
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfo(&sql, "%s.%s(%d, quasi.*", text->base.schema, recoding->function, recoding->k);
	release_cells_append_dimensions(&sql, text->base.description);
	if (recoding->randomize)
		appendStringInfo(&sql, ", seed => %s.kanon_release_seed(" INT64_FORMAT "::bigint)",
						 text->base.schema, recoding->seed);
	else
		appendStringInfoString(&sql, ", randomize => false");
	/* Who of people that look alike comes first tells nothing: the draw shuffles them. */
	appendStringInfo(&sql, ")\n             OVER (%s)",
					 release_column_window_order(text->base.plain, text->base.plain_count));
	return sql.data;
}

/* By the columns' names; ties between values that are equal and differ by their spelling, last. */
static void
append_order(StringInfo sql, const CellwiseText *text)
{
	const Description *description = text->base.description;
	StringInfoData order;

	initStringInfo(&order);
	for (int i = 0; i < description->quasi_count; i++)
		release_column_sort(
			&order, pstrdup(quote_identifier(release_cells_attribute(description, i)->name)));
	release_column_sort_plain(&order, text->base.plain, text->base.plain_count, true);
	for (int i = 0; i < description->quasi_count; i++)
	{
		Oid type = cell_type_of(release_cells_attribute(description, i));

		if (!comparison_is_exact(type, -1, get_typcollation(type)))
			release_column_sort(&order, comparison_spelling(cell_text(text, i), type));
	}
	appendStringInfoString(sql, order.data);
}

char *
release_cellwise_text(const Description *description, const CellwiseRecoding *recoding)
{
	CellwiseText text = {.base = release_cells_begin(description), .recoding = recoding};
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfoString(&sql, release_dimension_with(release_cells_attributes(description)));
	release_cells_append_select(&sql, &text.base, append_quasi, &text);
	release_cells_append_from(&sql, &text.base, call_text(&text), NIL);
	append_order(&sql, &text);
	return sql.data;
}
