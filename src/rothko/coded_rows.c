/*
 * coded_rows.c
 *		See coded_rows.h.
 */
#include "postgres.h"

#include "rothko/coded_rows.h"

CodedScan
coded_scan_begin(const CodedRows *rows)
{
	code_tape_rewind(rows->tape);
	return (CodedScan){.rows = rows,
					   .tuple = palloc(sizeof(int32) * rows->layout->width * CODED_ROWS_CHUNK)};
}

static void
make_final(const CodedScan *scan)
{
	const RowLayout *layout = scan->rows->layout;

	for (int place = 0; place < layout->width - layout->target; place++)
	{
		const int32 *final_code = scan->rows->final_code[place];
		int32 *code = scan->tuple + place;

		for (int64 i = 0; final_code && i < scan->count; i++, code += layout->width)
			if (*code != DATASET_NULL)
				*code = final_code[*code];
	}
}

int64
coded_scan_chunk(CodedScan *scan)
{
	scan->count = code_tape_read(scan->rows->tape, scan->tuple, CODED_ROWS_CHUNK);
	scan->next = 0;
	if (scan->rows->final_code)
		make_final(scan);
	if (scan->count == 0)
		pfree(scan->tuple);
	return scan->count;
}

Size
loaded_rows_bytes(const RowLayout *layout, const PartitionRequest *request, int64 rows)
{
	/* The codes and the number within the part, padded; the number; sides and target. */
	int width = (int) TYPEALIGN(4, layout->attributes + 1) + 1 + layout->sides + layout->target;

	return add_size(mul_size(sizeof(int32) * width, rows),
					partition_bytes(rows, layout->attributes, request));
}

LoadedRows *
loaded_rows_room(const RowLayout *layout, const PartitionRequest *request, int64 rows)
{
	LoadedRows *loaded = palloc0(sizeof(LoadedRows));
	Dataset *dataset = dataset_create(DATASET_RECORDS, layout->attributes, request->budget);
	bool classes = request->split == SPLIT_INFOGAIN;

	loaded->dataset = dataset;
	dataset_add_sides(dataset, layout->sides + 1, layout->target > 0);
	dataset_reserve(dataset, rows);
	loaded->request = *request;
	loaded->request.target_class = classes ? dataset->side[0] : NULL;
	loaded->request.target_value = dataset->target;
	if (request->models == NULL)
		return loaded;
	loaded->models = *request->models;
	loaded->models.code = dataset->side + (classes ? 1 : 0);
	loaded->request.models = &loaded->models;
	return loaded;
}

void
loaded_rows_add(LoadedRows *loaded, const RowLayout *layout, const int32 *tuple)
{
	Dataset *dataset = loaded->dataset;
	int64 row = dataset_append(dataset, 1);
	const int32 *side = coded_rows_sides(layout, tuple);

	memcpy(dataset_record(dataset, row), tuple, sizeof(int32) * layout->attributes);
	for (int i = 0; i < layout->sides; i++)
		dataset->side[i][row] = side[i];
	dataset->side[layout->sides][row] = coded_rows_number(layout, tuple);
	if (dataset->target)
		dataset->target[row] = coded_rows_target(layout, tuple);
}

LoadedRows *
loaded_rows_create(const CodedRows *rows, const PartitionRequest *request)
{
	LoadedRows *loaded = loaded_rows_room(rows->layout, request, code_tape_tuples(rows->tape));
	CodedScan scan = coded_scan_begin(rows);
	const int32 *tuple;

	while ((tuple = coded_scan_next(&scan)) != NULL)
		loaded_rows_add(loaded, rows->layout, tuple);
	return loaded;
}
