/*
 * column_rows.c
 *		See column_rows.h.
 */
#include "postgres.h"

#include "relation/column_rows.h"

#include "lib/stringinfo.h"
#include "relation/grouped_rows.h"
#include "sql/row_query.h"
#include "utils/builtins.h"

RowSource *
column_rows(const Description *description, const Bitmapset *numbers)
{
	Oid *types = palloc(sizeof(Oid) * bms_num_members(numbers));
	GroupedRows rows = grouped_rows_alike(description, numbers);
	int columns = 0;
	StringInfoData list;

	initStringInfo(&list);
	for (int i = 0; i < description->attribute_count; i++)
	{
		const DescribedAttribute *attribute = &description->attributes[i];

		if (!bms_is_member(attribute->number, numbers))
			continue;
		appendStringInfo(&list, "%ss.%s", columns > 0 ? ", " : "",
						 quote_identifier(attribute->name));
		types[columns++] = attribute->type;
	}
	if (rows.members)
		appendStringInfo(&list, ", %s", rows.members);
	return row_query_create(psprintf("SELECT %s FROM %s s", list.data, rows.relation), types,
							columns, rows.members != NULL);
}
