/*
 * coded_rows.c
 *		See coded_rows.h.
 */
#include "postgres.h"

#include "rothko/coded_rows.h"

#define PURPOSE "partitioning"
#define TARGET_CODES ((int) (sizeof(double) / sizeof(int32)))

RowLayout
row_layout(int attributes, PartitionSplit split, int sensitive)
{
	RowLayout layout = {.attributes = attributes,
						.sides = sensitive + (split == SPLIT_INFOGAIN ? 1 : 0),
						.target = split == SPLIT_REGRESSION ? TARGET_CODES : 0};

	layout.width = attributes + 1 + layout.sides + layout.target;
	return layout;
}

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
	Budget *budget = request->budget;

	loaded->request = *request;
	loaded->dataset = dataset_create(DATASET_RECORDS, layout->attributes, budget);
	dataset_reserve(loaded->dataset, rows);
	loaded->number = budget_allocate(budget, rows, sizeof(int32), PURPOSE);
	if (request->split == SPLIT_INFOGAIN)
		loaded->request.target_class = budget_allocate(budget, rows, sizeof(int32), PURPOSE);
	if (request->split == SPLIT_REGRESSION)
		loaded->request.target_value = budget_allocate(budget, rows, sizeof(double), PURPOSE);
	if (request->models == NULL)
		return loaded;
	loaded->models = *request->models;
	loaded->models.code = palloc(sizeof(int32 *) * loaded->models.columns);
	for (int i = 0; i < loaded->models.columns; i++)
		loaded->models.code[i] = budget_allocate(budget, rows, sizeof(int32), PURPOSE);
	loaded->request.models = &loaded->models;
	return loaded;
}

void
loaded_rows_add(LoadedRows *loaded, const RowLayout *layout, const int32 *tuple)
{
	int64 row = dataset_append(loaded->dataset, 1);
	const int32 *side = coded_rows_sides(layout, tuple);

	memcpy(dataset_record(loaded->dataset, row), tuple, sizeof(int32) * layout->attributes);
	loaded->number[row] = coded_rows_number(layout, tuple);
	if (loaded->request.split == SPLIT_INFOGAIN)
		unconstify(int32 *, loaded->request.target_class)[row] = *side++;
	if (loaded->request.split == SPLIT_REGRESSION)
		unconstify(double *, loaded->request.target_value)[row] = coded_rows_target(layout, tuple);
	for (int i = 0; i < loaded->models.columns; i++)
		loaded->models.code[i][row] = side[i];
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
