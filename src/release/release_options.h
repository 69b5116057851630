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

#include "partition/partition.h"
#include "release/release_recoding.h"
#include "utils/array.h"
#include "utils/jsonb.h"
#include "utils/tuplestore.h"

/* The value of "storage" for a release in a table: see release_table.h. */
#define STORAGE_TABLE "table"

/* .. and for one in a distributed table: see release_shards.h. */
#define STORAGE_DISTRIBUTED "distributed"

#define NEITHER (-1) /* of an option that differs from both true and false if it is not given */

/* The value of each option.  Texts and arrays: NULL if they have none. */
typedef struct ReleaseOptions
{
	ArrayType *levels; /* text[]: see dimension_source_read_levels */
	ArrayType *lowest_levels;
	ArrayType *highest_levels;
	int known; /* 0: all */
	bool null_matches;
	bool suppress_columns;
	bool means;
	const char *split;
	const char *target;
	bool randomize;
	const char *seed;
	bool redraw;
	bool models_after;
	int8 ranges; /* a boolean, or NEITHER */
	const char *key;
	int wait;
	double target_loss;
	const char *leavers;
	double stale;
	const char *reading;
	bool weights;
	bool anew;
	const char *storage;
	int effort;
	const char *measure;

	/* From the session's settings. */
	const char *partitioning; /* from record_spill_for_release */
	int memory_limit;         /* the effective kanon.memory_limit, in kilobytes */

	/* From the recoding. */
	bool rest; /* false also in texts made before it */

	/* From a search: see release_rule.h. */
	const char *rule; /* a JSON array */
	double gap;
	double looked_at;

	/* From what is declared. */
	const char *column_weights; /* of the quasi-identifiers, if they differ: see RecordRoles */

	uint32 given;    /* options that were given, but not as null: rows of the table, as bits */
	bool new_secret; /* a seed was given as null: another one is to be drawn */
} ReleaseOptions;

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

/*
 * Raises an error for an option that was given, but is taken by none of the recodings or, if
 * releases are compared, whose effect nobody can tell.
 */
extern void release_options_check_taken(const ReleaseOptions *options, List *recodings,
										bool compared);

/*
 * Sets options that the recoding does not take to their defaults, unless they were given; and those
 * that mean something else than with these options before, in the recoding of that time, or
 * nothing.  before: NULL, there was none.  Returns the names (char *) of those that had another
 * value.  Raises an error for a promise.
 */
extern List *release_options_leave(ReleaseOptions *options, const RecodingOps *recoding,
								   const ReleaseOptions *before, const RecodingOps *recoded);

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

/*
 * Do several values of a column without a dimension become a range?  Not those without a scale
 * either (description_is_plain), if _plain says so.
 */
extern bool release_options_spans(const ReleaseOptions *options, const RecodingOps *recoding);
extern bool release_options_plain(const ReleaseOptions *options, const RecodingOps *recoding);

/*
 * The criterion of splits that the recoding follows; NULL: that of recodings without one of their
 * own.
 */
extern PartitionSplit release_options_split(const ReleaseOptions *options,
											const RecodingOps *recoding);

/* Sets what the options say of the search for a rule, and the rule that they keep. */
extern void release_options_recode(const ReleaseOptions *options, const RecodingOps *recoding,
								   RecodeOptions *recode);

/* What an option means, or NULL if there is none of that name. */
extern const char *release_options_meaning(const char *name);

/* The rows of kanon_options(): options that users can give. */
extern void release_options_put(Tuplestorestate *rows, TupleDesc fields);

#endif /* KANON_RELEASE_OPTIONS_H */
