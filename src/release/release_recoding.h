/*
 * release_recoding.h
 *		The recodings that make releases.
 *
 * Each is one entry of the table in release_recoding.c.  All code that depends on the recoding of a
 * release uses its entry: which options it takes, how its view is written, and how it is counted,
 * read and checked.
 */
#ifndef KANON_RELEASE_RECODING_H
#define KANON_RELEASE_RECODING_H

#include "postgres.h"

#include "record/record_codes.h"
#include "utils/array.h"

typedef struct ReleaseRequest ReleaseRequest;
typedef struct ReleaseEntry ReleaseEntry;

/* What some recodings take besides k and the quasi-identifiers. */
typedef enum RecodingTakes
{
	RECODING_ROWS = 1 << 0, /* cells by kanon_view_cells over a window */
	RECODING_SUPPRESSION = 1 << 1,
	RECODING_MODELS = 1 << 2,
	RECODING_PERSON = 1 << 3,
	RECODING_BESIDE = 1 << 4,  /* columns beside the cells, as they are, in class order */
	RECODING_WEIGHTS = 1 << 5, /* declared weights influence the generalization */

	/* Groups of options: release_options.c says which of them each option belongs to. */
	RECODING_LEVELS = 1 << 6,        /* of generalizations of whole columns */
	RECODING_CLASSES = 1 << 7,       /* of classes by rows */
	RECODING_TARGET = 1 << 8,        /* of cuts that look at other columns */
	RECODING_DRAW = 1 << 9,          /* of which row gets which record */
	RECODING_COHORT = 1 << 10,       /* of what is remembered from refresh to refresh */
	RECODING_PARTITIONING = 1 << 11, /* of rows that memory cannot hold: samples */
	RECODING_WEIGHED = 1 << 12,      /* of cells whose text names the weights */
	RECODING_REST = 1 << 13,         /* of rest parts, of which its text tells */
	RECODING_RANGES = 1 << 14,       /* of what cells of columns without a dimension show */
	RECODING_KNOWN = 1 << 15,        /* of who knows how many columns */
	RECODING_RULE = 1 << 16,         /* of a rule that its text keeps: release_rule.h */
	RECODING_BOUND = 1 << 17,        /* of a bound of what it loses */
	RECODING_MATCHES = 1 << 18,      /* of what NULL stands for */

	RECODING_ANY = ~0
} RecodingTakes;

/* The text of a release to be made. */
typedef struct ReleaseText
{
	const char *select; /* of the view; no semicolon, every name qualified */
	ArrayType *levels;  /* int4[], if chosen once and for all; otherwise NULL */
	double loss;        /* of these levels */
	int64 seed;         /* number of its seed; 0: none */
} ReleaseText;

/* A release, whose "members" are asked for. */
typedef struct ReleaseMembers
{
	const ReleaseRequest *request; /* the request that would make it again */
	ArrayType *levels;             /* int4[], as in ReleaseText */
	int64 seed;                    /* number of its seed; 0: none */
	const char *identity;          /* SQL expression over the relation, alias s: a text */
} ReleaseMembers;

typedef struct RecodingOps
{
	const char *name;
	int takes; /* RECODING_* */

	/*
	 * Rows of a class are alike: classes are counted, and kanon_check judges them.  Otherwise a row
	 * hides among rows that look different, and kanon_check_matchings judges them.
	 */
	bool has_classes;

	/*
	 * Cells are generalized one by one: single digits of a label may be masked, and without ranges
	 * columns keep their types, so that a hidden cell is NULL.  Otherwise a cell is a range or a
	 * label.
	 */
	bool keeps_types;

	/* .. and so is one of texts, which otherwise is "*"; no dimension counts then. */
	bool nulls;

	/*
	 * Writes the text of the release's view.  Choices that hold for every refresh, such as levels,
	 * are made here; the text makes the others whenever the view is filled.  Within a query scope,
	 * in the current context; the request is checked.
	 */
	ReleaseText (*write)(const ReleaseRequest *request, const Description *description);

	/*
	 * For recodings that remember what earlier copies showed: kanon_refresh_release calls it first,
	 * to take the relation's state from one night to the next.  Returns the OIDs of the releases
	 * that must be refreshed afterwards, in order.  NULL: each refresh starts from the rows alone.
	 */
	List *(*advance)(const ReleaseEntry *entry);

	/*
	 * The mean loss of the release's rows for each of its quasi-identifiers, from the state that
	 * "advance" keeps; returns false if the release is empty.  NULL: whatever fills the release
	 * notes its losses (cell/recoding_cells.h).
	 */
	bool (*losses)(const ReleaseEntry *entry, double *mean);

	/*
	 * Writes a SELECT over the relation as it is now.  For each row that the release publishes it
	 * has the row's identity, and in an int[] the classes, or kinds of rows, that a reader cannot
	 * tell it from (kanon_view_candidates).  Called like "write".  NULL: nobody can tell.
	 */
	char *(*members)(const ReleaseMembers *members, const Description *description);

	/*
	 * The recoding of rows, for entries written by release_cells_write, whose cells
	 * kanon_view_cells makes; otherwise NULL.
	 */
	RecodeFunction recode;
	NodesFunction nodes; /* for those whose rows may be divided elsewhere first; or NULL */
	bool regions;        /* see RecordRequest */
	bool flat;           /* intervals: dimensions only say in which order values lie */
	bool takes_tape;     /* it also recodes rows that memory cannot hold, from a dataset's tape */
	bool order_matters;  /* rows equal in all quasi-identifiers may get different cells, the earlier
						  * rows these and the later ones those; so the text of a release orders
						  * them */
	bool ranks; /* it breaks ties by codes, or sorts the dataset: codes must be ranks of the
				 * values, in an order that is the same on all systems; otherwise codes
				 * follow the type's order, and whole numbers may be coded by their places on
				 * a scale */
} RecodingOps;

/*
 * The recoding with this SQL name; raises ERRCODE_INVALID_PARAMETER_VALUE, listing all, if there is
 * none.
 */
extern const RecodingOps *release_recoding_find(const char *name);

/*
 * .. that the text of a release calls so.  Texts without a word of rest parts are of a time when
 * "mondrian" was what "strict_mondrian" is now.
 */
extern const RecodingOps *release_recoding_of_text(const char *name, bool rest);

/* All recodings (RecodingOps *) that take all of this, in table order; in the current context. */
extern List *release_recoding_all(int takes);

/*
 * Raises ERRCODE_INVALID_PARAMETER_VALUE unless one of the recodings takes this, which messages
 * call "what", listing the recodings that do.
 */
extern void release_recoding_check_taken(List *recodings, int takes, const char *what);

/* The names (char *) of the recodings that take this, or of all for RECODING_ANY and 0; likewise.
 */
extern List *release_recoding_takers(int takes);

#endif /* KANON_RELEASE_RECODING_H */
