/*
 * release_report.h
 *		The report of a release: figures gathered by the caller, the pictures, and the page.
 *
 * A report is for everybody who may read the release.  So its figures either can be computed from
 * the release, or, if they come from its source or from earlier contents, are rounded by coarse.h.
 * NaN, or NULL for texts, means unknown.
 */
#ifndef KANON_RELEASE_REPORT_H
#define KANON_RELEASE_REPORT_H

#include "postgres.h"

#include "report/classes_plot.h"
#include "report/map_plot.h"
#include "report/svg.h"

/* The figures to gather, as pictures and parts of the page need them. */
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

/* Properties of a release that determine the wording. */
typedef enum ReportTrait
{
	REPORT_HAS_CLASSES = 1 << 0,
	REPORT_HAS_MODELS = 1 << 1,
	REPORT_BOUNDS_SHARES = 1 << 2,  /* has a model that depends on more than distinct values */
	REPORT_SEVERAL_COPIES = 1 << 3, /* has copies or other releases that a reader may combine */
	REPORT_COUNTS_PEOPLE = 1 << 4,
	REPORT_DIVIDES = 1 << 5,    /* classes, as far as the models allow */
	REPORT_LEAVES_OUT = 1 << 6, /* misses rows, at least sometimes */
	REPORT_MODELS_AFTER = 1 << 7,
	REPORT_MEANS = 1 << 8,
	REPORT_SENSITIVE = 1 << 9,
	REPORT_PLAIN = 1 << 10, /* publishes other columns as they are */
	REPORT_FILLED = 1 << 11,
	REPORT_PEOPLE_UNSEEN = 1 << 12, /* k counts people, by a column that is not published */
	REPORT_KEEPS_LEAVERS = 1 << 13, /* rows of people who left stay */
	REPORT_READS_AGAIN = 1 << 14,   /* reads values again, together */
	REPORT_RANGES = 1 << 15         /* has ranges whose ends are values of the class */
} ReportTrait;

typedef struct ReportFact
{
	const char *name;
	const char *value;
} ReportFact;

typedef struct ReportColumn
{
	const char *name; /* in the release */
	const char *role;
	bool quasi;
	double loss; /* coarse */
} ReportColumn;

typedef struct ReportModel
{
	const char *text;
	bool at_most;      /* its figure must be at most the parameter; otherwise at least */
	double worst;      /* the worst figure of any class */
	const char *class; /* .. and that class */
	bool satisfied;
} ReportModel;

typedef struct ReportRisk
{
	bool known;
	double average; /* NaN without classes: then only a bound is proved, for every row */
	double at_risk; /* share of rows with a risk above 1 / k */
	double uniques; /* share of rows */
} ReportRisk;

/* Rows of the source that are unique in these columns. */
typedef struct ReportUniques
{
	const char *columns;
	double share; /* coarse */
} ReportUniques;

typedef struct ReportErrors
{
	int columns;  /* in each query */
	double error; /* mean relative error, as a coarse upper bound */
} ReportErrors;

/* How the values of a quasi-identifier were generalized, from the values themselves to anything. */
typedef struct ReportLevels
{
	const char *name; /* in the release */
	int levels;
	const char *const *level; /* name, with a label that is published */
	const double *share;      /* of the rows */
} ReportLevels;

/* The distribution of a sensitive column in the release. */
typedef struct ReportDistribution
{
	const char *column;
	const char *class; /* the class that shows its values and is farthest from the whole; NULL: none
						*/
	double distance;
	int values;
	const char *const *value;
	const double *whole;    /* share */
	const double *farthest; /* in that class */
} ReportDistribution;

/* A filling; all figures are coarse. */
typedef struct ReportFilling
{
	const char *when;
	double days; /* the same, since 1970 */
	const char *by;
	const char *how;
	double rows;
	double missing; /* share */
	double loss;
	double smallest; /* a coarse lower bound */
} ReportFilling;

typedef struct ReleaseReport
{
	const char *release; /* qualified and quoted, like all names of relations */
	const char *schema;  /* kanon's */
	const char *made;    /* when the page was made, and by whom */
	const char *made_by;
	const char *source;
	const char *quasi_identifiers; /* an array, as SQL */
	const char *recoding;
	int k;
	int traits;
	int facts; /* facts about the release: what, by whom, .. */
	const ReportFact *fact;
	int columns;
	const ReportColumn *column;
	const char *left_out; /* columns of the source that it does not have, or NULL */
	int64 rows;           /* of the release */
	double source_rows;
	double people; /* in each class when it was filled, a coarse lower bound */
	int missing;   /* REPORT_*: parts that could not be gathered */

	int fillings;
	const ReportFilling *filling;

	bool judged; /* classes, or otherwise matchings, were judged */
	bool satisfied;
	bool outdated; /* it no longer fits its source or a dimension, so nothing can be judged */
	int64 classes;
	int64 smallest;
	int64 failing;
	int64 withheld; /* satisfy because their sensitive values are NULL */
	int models;
	const ReportModel *model;
	ClassesPlot sizes;
	const char *digest;

	/* By cohorts, coarse; NaN: unknown. */
	double left;
	double hidden;
	double waiting;

	ReportRisk before; /* coarse */
	ReportRisk after;
	int uniques;
	const ReportUniques *unique;

	double loss; /* coarse */
	int leveled;
	const ReportLevels *levels;
	MapPlot map; /* count 0: fewer than two columns of ranges */
	int errors;
	const ReportErrors *error;
	int distributions;
	const ReportDistribution *distribution;
} ReleaseReport;

/* The whole page; in the current context. */
extern char *release_report_write(const ReleaseReport *report);

#endif /* KANON_RELEASE_REPORT_H */
