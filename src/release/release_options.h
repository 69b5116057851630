/*
 * release_options.h
 *		The options of releases: the keys of the argument "options", in one table.
 *
 * Each option is a row of the table in release_options.c: its name, type, range and default, which
 * recodings take it, what it means, and where its value is stored.  Everything else goes by the
 * table: reading and checking what is given, kanon_release.parameters, the options in the text of a
 * release, renames of columns, kanon_options() and the reference page.
 *
 * All functions work in the current context.  Errors are ERRCODE_INVALID_PARAMETER_VALUE; none
 * shows a value.
 */
#ifndef KANON_RELEASE_OPTIONS_H
#define KANON_RELEASE_OPTIONS_H

#include "postgres.h"

#include "release/release_recoding.h"
#include "utils/array.h"
#include "utils/jsonb.h"

/* The value of each option.  Texts and arrays: NULL if they have none. */
typedef struct ReleaseOptions
{
	ArrayType *levels; /* text[]: see dimension_source_read_levels */
	bool means;
	const char *split;
	const char *target;
	bool randomize;
	const char *seed;
	bool redraw;
	bool models_after;
	bool ranges;
	const char *key;
	int wait;
	double target_loss;
	const char *leavers;
	double stale;
	const char *reading;
	bool weights;
	bool anew;

	/* From the session's settings. */
	const char *partitioning; /* from record_spill_for_release */
	int memory_limit;         /* the effective kanon.memory_limit, in kilobytes */

	/* Rows of the table, as bits. */
	uint32 given; /* options that were given */
	uint32 reset; /* options that were given as null: their defaults */
} ReleaseOptions;

typedef enum ReleaseOptionType
{
	OPTION_BOOLEAN, /* bool */
	OPTION_INTEGER, /* int */
	OPTION_NUMBER,  /* double */
	OPTION_STRING,  /* const char * */
	OPTION_COLUMN,  /* the same: the exact name of a column of the relation */
	OPTION_LEVELS   /* ArrayType *, from an array of numbers and names */
} ReleaseOptionType;

typedef enum ReleaseOptionUse
{
	OPTION_SECRET = 1 << 0,     /* written nowhere */
	OPTION_ONCE = 1 << 1,       /* for one call, not kept in kanon_release.parameters */
	OPTION_CELLS = 1 << 2,      /* an option of kanon_view_cells, too */
	OPTION_SESSION = 1 << 3,    /* kept like an option, but taken from the session's settings */
	OPTION_UNFORESEEN = 1 << 4, /* kanon_compare cannot tell its effect */
	OPTION_PROMISE = 1 << 5     /* only its owner may drop it */
} ReleaseOptionUse;

typedef struct ReleaseOption
{
	const char *name;
	ReleaseOptionType type;
	Size place;   /* of its field in ReleaseOptions */
	int taken_by; /* RECODING_* of the recodings that take it */
	int use;      /* OPTION_* */
	double least; /* range of a number .. */
	double most;
	const char *const *names; /* .. or, ending with NULL, the values of a string; NULL: any */
	double number;            /* default of a number, or of a boolean (0 or 1) .. */
	const char *text;         /* .. or of a string; NULL: none */
	const char *meaning;
} ReleaseOption;

/* Whose options are meant. */
typedef enum ReleaseOptionsOf
{
	OPTIONS_OF_REQUEST,   /* what users give */
	OPTIONS_OF_CELLS,     /* what the text of a release gives kanon_view_cells */
	OPTIONS_OF_PARAMETERS /* what kanon_release.parameters keeps */
} ReleaseOptionsOf;

extern ReleaseOptions release_options_default(void);

/*
 * Changes the options that a JSON object names: null restores the default.  Raises an error for
 * anything but an object, an unknown name and an unsuitable value; unknown parameters are ignored.
 */
extern void release_options_read(ReleaseOptions *options, Jsonb *json, ReleaseOptionsOf whose);

/* Raises an error for an option that was given, but is taken by none of the recodings. */
extern void release_options_check_taken(const ReleaseOptions *options, List *recodings);

/* Raises an error for an option that was given, but that kanon_compare cannot respect. */
extern void release_options_check_foreseen(const ReleaseOptions *options);

/* Was the option whose field is at this place given as null? */
extern bool release_options_is_reset(const ReleaseOptions *options, Size place);

/*
 * Sets options that the recoding does not take to their defaults, unless they were given; returns
 * the names (char *) of those that had another value.  Raises an error for a promise.
 */
extern List *release_options_leave(ReleaseOptions *options, const RecodingOps *recoding);

/*
 * The options that the recoding takes, as a JSON object, without secrets.  Of kanon_view_cells only
 * those that differ from the default, and NULL if there are none.
 */
extern char *release_options_text(const ReleaseOptions *options, const RecodingOps *recoding,
								  ReleaseOptionsOf whose);

/* SQL: a text[] of the columns that "parameters" names. */
extern char *release_options_columns(void);

/* SQL: "parameters" in which these columns, given as SQL expressions, are renamed. */
extern char *release_options_renamed(const char *old_name, const char *new_name);

/* The options that users can give, in order: row number "number" from 0, or NULL at the end. */
extern const ReleaseOption *release_option_at(int number);

/* "boolean", "integer", .. */
extern const char *release_option_type(const ReleaseOption *option);

/* 0 to 1, or "keep" or "withhold"; NULL: any value of the type. */
extern char *release_option_range(const ReleaseOption *option);

/* The default as JSON; NULL: none. */
extern char *release_option_default(const ReleaseOption *option);

#endif /* KANON_RELEASE_OPTIONS_H */
