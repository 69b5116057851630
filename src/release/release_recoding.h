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

#include "record/record_codes.h"
#include "utils/array.h"

typedef struct ReleaseRequest ReleaseRequest;
typedef struct ReleaseEntry ReleaseEntry;

/* What some recodings take besides k and the quasi-identifiers, in the order of errors. */
typedef enum RecodingOption
{
	RECODING_ROWS = 1 << 0, /* of a window, by kanon_view_cells */
	RECODING_LEVELS = 1 << 1,
	RECODING_SUPPRESSION = 1 << 2,
	RECODING_MEANS = 1 << 3,
	RECODING_SPLIT = 1 << 4,
	RECODING_TARGET = 1 << 5,
	RECODING_MODELS = 1 << 6,
	RECODING_PERSON = 1 << 7,
	RECODING_RANDOMIZE = 1 << 8,
	RECODING_SEED = 1 << 9,
	RECODING_BESIDE = 1 << 10, /* of the cells: columns as they are, in the order of classes */
	RECODING_PARTITIONING = 1 << 11, /* from samples */
	RECODING_REDRAW = 1 << 12,       /* at each refresh, of what has changed */
	RECODING_WEIGHTS = 1 << 13,      /* those declared: they choose what is generalized */
	RECODING_KEY = 1 << 14,
	RECODING_WAIT = 1 << 15,
	RECODING_TARGET_LOSS = 1 << 16,
	RECODING_LEAVERS = 1 << 17,
	RECODING_STALE = 1 << 18,
	RECODING_READING = 1 << 19,
	RECODING_MODELS_AFTER = 1 << 20 /* classes are made without looking at what they judge */
} RecodingOption;

/* How a release is to be made. */
typedef struct ReleaseText
{
	const char *select; /* of the view; without a semicolon, every name qualified */
	ArrayType *levels;  /* int4[], where they were chosen once and for all; else NULL */
	double loss;        /* of these levels */
	int64 seed;         /* number of its seed; 0: it has none */
} ReleaseText;

/* A release, to be asked who is where in it. */
typedef struct ReleaseMembers
{
	const ReleaseRequest *request; /* that would make it anew */
	ArrayType *levels;             /* int4[], as in ReleaseText */
	int64 seed;                    /* its number; 0: it has none */
	const char *identity;          /* SQL over the relation, whose alias is s: a text */
} ReleaseMembers;

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

	/*
	 * What kanon_refresh_release does first, which is how the release gets to see the table; the
	 * OIDs of the releases that are to be refreshed then, in order.  Or NULL.
	 */
	List *(*advance)(Oid catalog, const ReleaseEntry *entry);

	/*
	 * SELECT of who is where in the release: an identity of each row that it publishes of its
	 * relation as that is now, and the int[] of kanon_view_candidates.  Otherwise as write;
	 * or NULL.
	 */
	char *(*members)(const ReleaseMembers *members, const Description *description);

	/*
	 * Of rows, where release_cells_write is what writes and kanon_view_cells what makes the cells:
	 * in the current context, against the budget of the records; NULL where nothing may be
	 * published.
	 */
	Recoding *(*recode)(RecordCodes *codes, const RecodeRequest *request);
	bool spills; /* it can do so where records do not fit in memory: they are on a tape then */
	bool deals;  /* it gives equal rows different cells, in the order of their window */
	bool dense;  /* codes are 0, 1, .. in an order that is the same everywhere; else in the order of
				  * the type, which may be whole numbers themselves */
} RecodingOps;

/* Of that name in SQL; ERRCODE_INVALID_PARAMETER_VALUE, naming all, if there is none. */
extern const RecodingOps *release_recoding_find(const char *name);

/* All that take these options, RecodingOps *, in the order of the table; current context. */
extern List *release_recoding_all(int options);

/* ERRCODE_INVALID_PARAMETER_VALUE, naming those that do, if it does not take one of the options. */
extern void release_recoding_check_options(const RecodingOps *recoding, int given);

/* "a, b and c": the recodings that take an option, or for 0 all, and how many; current context. */
extern char *release_recoding_takers(int option, int *count);

#endif /* KANON_RELEASE_RECODING_H */
