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
#include "release/release_history.h"
#include "report/html.h"

/* The parts of a report that are gathered. */
#define REPORT_HISTORY (1 << 0)
#define REPORT_CLASSES (1 << 1) /* also models, risk of the release, and distributions */
#define REPORT_RISK (1 << 2)    /* of the source */
#define REPORT_CELLS (1 << 3)   /* loss, levels, errors of queries */
#define REPORT_MAP (1 << 4)
#define REPORT_PROOF (1 << 5) /* matchings, and what they say of the risk */
#define REPORT_ROWS (1 << 6)  /* how many the release has */
#define REPORT_DIGEST (1 << 7)
#define REPORT_COHORTS (1 << 8) /* who left, is withheld or waits */
#define REPORT_ALL ((1 << 9) - 1)

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
	double at_risk; /* share of rows with a risk above 1 / k; unknown: nothing is known */
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
	const ReleaseEntry *entry;
	ReleaseStory story;
	const char *release; /* qualified and quoted, like all names of relations */
	int k;
	int needs;          /* REPORT_*: what is gathered */
	int missing;        /* REPORT_*: what could not be */
	bool person_unseen; /* k counts people, by a column that is not published */
	bool means;         /* it publishes means */
	bool ranges;        /* it has ranges whose ends are values of the class */
	int columns;        /* of the release */
	ReportColumn *column;
	List *sensitive;        /* its sensitive columns (DescribedAttribute *) */
	ArrayType *map_columns; /* name[] of two for the map, or NULL for the first ones */
	int64 rows;             /* of the release */
	ReportVerdict verdict;
	const char *digest;
	Coarse coarse;           /* how coarse the figures of the source are to be */
	const GroupRows *groups; /* the rows of the source by the quasi-identifiers of the release;
							  * NULL: they are not needed, or memory does not hold them */
	double source_rows;      /* these and all below are coarse, but those after the release */
	double left;             /* people by cohorts, not rounded yet: shown and no longer there */
	double hidden;           /* .. there and hidden again */
	double waiting;          /* .. there and not shown yet */
	double people;           /* least number in a class when it was filled */
	double filled_missing;   /* share of the rows that were missing when it was filled */
	double filled_loss;      /* .. and the information that was lost */
	double loss;             /* .. and is lost against the source as it is now */
	ReportRisk before;       /* of the source */
	ReportRisk after;        /* of the release, exact */
	const char *const *const *level; /* [quasi-identifier][level]: label that is published; NULL:
									  * none is.  Or NULL */
	SvgPicture picture[PICTURES];    /* without a text: there is nothing to draw */

	/* What only the section knows that tells it; NULL: it could not be gathered. */
	struct ProofFigures *proof;
	struct RiskFigures *risk;
	struct HistoryFigures *history;
} ReleaseReport;

/*
 * Gathers something that may fail.  Returns NULL, or the error after everything was undone, also in
 * the report; in the current context.
 */
extern ErrorData *report_attempt(ReleaseReport *report, void (*gather)(ReleaseReport *report));

/* Writes SQL that calls kanon's functions: in the format, %1$s is its schema, %2$s the release. */
extern void report_write_call(Html *html, const ReleaseReport *report, const char *format);

#endif /* KANON_REPORT_SECTION_H */
