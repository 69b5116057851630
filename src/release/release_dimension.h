/*
 * release_dimension.h
 *		How the text of a release names the dimensions that kanon's functions read for it.
 *
 *	WITH zipcode_dim AS (SELECT d.zip, d.zip3 FROM public.zips d)
 *	SELECT .. public.kanon_view_cells('ring'::pg_catalog.text, 2, quasi.*,
 *	              dimensions => ARRAY[NULL, 'public.zips'::pg_catalog.regclass])
 *
 * A function is given the dimension.  Nothing reads zipcode_dim, so it costs nothing.  It is
 * there for PostgreSQL to know that the release depends on those columns, whatever they are
 * called: their owner cannot drop them or give them another type behind its back, and a
 * dump has the dimension first.
 *
 * The functions take a list with an attribute in each place, of which one without dimension,
 * or a NULL, has none.  A plain attribute, whose values are shown or hidden, has '-'::regclass, the
 * OID 0.  Releases that have NULL there, because ranges were asked for or they are older, show
 * ranges of it.
 */
#ifndef KANON_RELEASE_DIMENSION_H
#define KANON_RELEASE_DIMENSION_H

#include "postgres.h"

#include "nodes/pg_list.h"
#include "relation/description.h"

/*
 * "WITH ..\n" with the columns of each dimension, or "".  Locks the dimensions; call within a query
 * scope.  Raises the errors of dimension_source_load.
 */
extern const char *release_dimension_with(const List *attributes);

/*
 * ", name => ARRAY[..]", of regclass, or "" if all would be NULL.  plain: with '-' for attributes
 * that are (description_is_plain).
 */
extern const char *release_dimension_argument(const char *name, const List *attributes, bool plain);

#endif /* KANON_RELEASE_DIMENSION_H */
