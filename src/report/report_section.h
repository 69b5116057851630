/*
 * report_section.h
 *		What the sections of a report share: the release, and figures that several of them tell.
 *
 * A section has a file.  It gathers its figures, in one part or in several, each of which may fail
 * by itself, and draws its pictures; when all are there, it writes its text and tables.  NaN, or
 * NULL for texts, means unknown.
 */
#ifndef KANON_REPORT_SECTION_H
#define KANON_REPORT_SECTION_H

#include "postgres.h"

#include "count/group_query.h"
#include "metric/coarse.h"
#include "metric/risk.h"
#include "release/release_catalog.h"
#include "report/html.h"

/* The parts of a report that are gathered, as bits: what a picture needs, what is missing. */
#define REPORT_HISTORY (1 << 0)
#define REPORT_CLASSES (1 << 1) /* also models, risk of the release, and distributions */
#define REPORT_SOURCE (1 << 2)  /* the rows of the source */
#define REPORT_CELLS (1 << 3)   /* loss, levels, errors of queries */
#define REPORT_MAP (1 << 4)     /* ranges of two columns */
#define REPORT_PROOF (1 << 5)   /* matchings, and what they say of the risk */
#define REPORT_ROWS (1 << 6)    /* how many the release has */
#define REPORT_DIGEST (1 << 7)
#define REPORT_COHORTS (1 << 8) /* who left, is withheld or waits */
#define REPORT_RISK (1 << 9)    /* with the source, and with classes or the proof */
#define REPORT_ALL ((1 << 10) - 1)

/* All pictures, in the order of report_pictures. */
typedef enum PictureNumber
{
	PICTURE_HISTORY,
	PICTURE_RISK,
	PICTURE_LOSS,
	PICTURE_LEVELS,
	PICTURE_MAP,
	PICTURE_ERRORS,
	PICTURE_DISTRIBUTION,
	PICTURE_CLASSES, /* has no name there: kanon_plot draws the classes of any relation */
	PICTURES
} PictureNumber;

typedef struct ReportColumn
{
	const char *name; /* in the release */
	const char *role;
	double loss; /* coarse */
} ReportColumn;

/* The prosecutor's risk of rows. */
typedef struct ReportRisk
{
	double average; /* unknown without classes: then only a bound is proved, for every row */
	double at_risk; /* share of rows with a risk above 1 / k; unknown if the risk is */
	double uniques; /* share of rows */
} ReportRisk;

/* Do its classes satisfy, or otherwise its matchings? */
typedef enum ReportVerdict
{
	VERDICT_NONE, /* they were not judged */
	VERDICT_SATISFIED,
	VERDICT_FAILS,
	VERDICT_OUTDATED /* it no longer fits its source or a dimension, so nothing can be judged */
} ReportVerdict;

typedef struct ReleaseReport
{
	/* What is reported, and how much of it. */
	const ReleaseEntry *entry;
	ReleaseStory story;
	const char *release; /* qualified and quoted, like all names of relations */
	int k;
	int needs;              /* REPORT_*: what is gathered */
	int missing;            /* REPORT_*: what could not be */
	ArrayType *map_columns; /* name[] of two for the map, or NULL for the first ones */

	/* What can be seen in the release. */
	int columns;
	ReportColumn *column;
	List *sensitive;    /* its sensitive columns (DescribedAttribute *) */
	bool means;         /* it publishes means */
	bool ranges;        /* it has ranges whose ends are somebody's values */
	bool person_unseen; /* k counts people, by a column that is not published */
	int64 rows;
	const char *digest;
	ReportVerdict verdict;
	ReportRisk after;
	const char *const *const *level; /* [quasi-identifier][level]: label that is published; NULL:
									  * none is.  Or NULL */

	/* What its source tells, now and when it was filled, coarse. */
	Coarse coarse;           /* how coarse */
	const GroupRows *groups; /* exact rows of the source by the quasi-identifiers of the release;
							  * NULL: they are not needed, or memory does not hold them */
	double source_rows;
	ReportRisk before;
	double loss;           /* share of the information in the source that the release lacks .. */
	double filled_loss;    /* .. and that it lacked when it was filled */
	double filled_missing; /* share of the rows of the source that were missing then */
	double people;         /* least number of people in a class then */
	double left;           /* of a release by cohorts, not rounded yet: people shown who left */
	double hidden;         /* .. people there who are hidden again */
	double waiting;        /* .. people there who are not shown yet */

	SvgPicture picture[PICTURES]; /* without a text: there is nothing to draw */

	/* What only the section knows that tells it; NULL: it could not be gathered. */
	struct ProofFigures *proof;
	struct RiskFigures *risk;
	struct HistoryFigures *history;
} ReleaseReport;

/* Are its rows among k that look alike? */
static inline bool
report_has_classes(const ReleaseReport *report)
{
	return report->entry->recoding->has_classes && !report->entry->demand.null_matches;
}

/*
 * Gathers something that may fail.  Returns NULL, or the error after everything was undone, also in
 * the report; in the current context.
 */
extern ErrorData *report_attempt(ReleaseReport *report, void (*gather)(ReleaseReport *report));

/* Writes SQL that calls kanon's functions: in the format, %1$s is its schema, %2$s the release. */
extern void report_write_call(Html *html, const ReleaseReport *report, const char *format);

/* ---- the sections, which gather parts of the report and write them */

/* Reads the history, and tells the figures of the last filling. */
extern void history_section_gather(ReleaseReport *report);
extern void history_section_write(Html *html, const ReleaseReport *report);

/*
 * Counts the rows of the source, which says how coarse its figures are to be; reads them in groups,
 * which other sections use; and if needed tells their risk, and which columns single people out.
 * Groups and columns are left out where memory does not hold the table.
 */
extern void risk_section_gather(ReleaseReport *report);

/* The risk of a tally; as coarse says, or exact if it is NULL. */
extern ReportRisk risk_section_of(const RiskTally *tally, const Coarse *coarse);

/* When the risk after is told, too. */
extern void risk_section_draw(ReleaseReport *report);
extern void risk_section_write(Html *html, const ReleaseReport *report);

/*
 * Judges the classes of the release or the rows that match each other, if NULL matches anything.
 * Without classes, only counts the values of its sensitive columns.  One pass over the release for
 * each; tells the risk after.
 */
extern void proof_section_gather_classes(ReleaseReport *report);

/* Judges the matchings of a release without classes; tells the risk after. */
extern void proof_section_gather_matchings(ReleaseReport *report);

extern void proof_section_gather_digest(ReleaseReport *report);

/* The proof, and how sensitive values are distributed. */
extern void proof_section_write(Html *html, const ReleaseReport *report);
extern void proof_section_write_sensitive(Html *html, const ReleaseReport *report);

/*
 * Measures the release against its source (kanon_quality), coarse.  Tells the loss, that of each
 * column, and the labels of levels.  Count queries need the groups of the source.
 */
extern void cost_section_gather(ReleaseReport *report);

/* Draws the ranges of the two columns of the map, if there are two. */
extern void cost_section_gather_map(ReleaseReport *report);
extern void cost_section_write(Html *html, const ReleaseReport *report);

#endif /* KANON_REPORT_SECTION_H */
