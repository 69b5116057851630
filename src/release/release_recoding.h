/*
 * release_recoding.h
 *		The recodings that releases are made by.
 *
 * Each is one entry of the table in release_recoding.c.  Whatever depends on the recoding of
 * a release asks its entry: which options it takes, how its view is written, how it is counted,
 * read and checked.
 */
#ifndef KANON_RELEASE_RECODING_H
#define KANON_RELEASE_RECODING_H

#include "postgres.h"

#include "relation/description.h"
#include "utils/array.h"

typedef struct ReleaseRequest ReleaseRequest;

/* What some recodings take besides k and the quasi-identifiers, in the order of errors. */
typedef enum RecodingOption
{
	RECODING_LEVELS = 1 << 0,
	RECODING_SUPPRESSION = 1 << 1,
	RECODING_MEANS = 1 << 2,
	RECODING_SPLIT = 1 << 3,
	RECODING_TARGET = 1 << 4,
	RECODING_MODELS = 1 << 5,
	RECODING_PERSON = 1 << 6,
	RECODING_RANDOMIZE = 1 << 7,
	RECODING_SEED = 1 << 8,
	RECODING_WEIGHTS = 1 << 9 /* those declared: they choose what is generalized */
} RecodingOption;

/* How a release is to be made. */
typedef struct ReleaseText
{
	const char *select; /* of the view; without a semicolon, every name qualified */
	ArrayType *levels;  /* int4[], where they were chosen once and for all; else NULL */
	double loss;        /* of these levels */
	int64 seed;         /* number of the seed that it calls; 0: it draws nothing */
} ReleaseText;

typedef struct RecodingOps
{
	const char *name;
	int options; /* RECODING_*: what it takes */

	/* Rows of a class are alike: classes are counted, and kanon_check judges them.  Else a row
	 * hides behind others that look different, as kanon_check_matchings finds out. */
	bool has_classes;

	/* Columns keep their types: a hidden cell is NULL, and of a label some digits may be
	 * masked.  Else a cell is a range or a label. */
	bool keeps_types;

	/*
	 * Finds out what is chosen once and for all, and writes the view, which finds the rest
	 * whenever it is filled.  Within a query scope, in the current context; the request is checked.
	 */
	ReleaseText (*write)(const ReleaseRequest *request, const Description *description);

	/* Where release_cells_write is what writes: */
	const char *function;  /* kanon's window function that makes the cells */
	const char *arguments; /* SQL, ", name => value": what it is always told; or NULL */
	bool deals;            /* it gives equal rows different cells, in the order of their window */
} RecodingOps;

/* Of that name in SQL; ERRCODE_INVALID_PARAMETER_VALUE, naming all, if there is none. */
extern const RecodingOps *release_recoding_find(const char *name);

/* "a, b and c": the recodings that take an option, or for 0 all, and how many; current context. */
extern char *release_recoding_takers(int option, int *count);

#endif /* KANON_RELEASE_RECODING_H */
