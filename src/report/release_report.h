/*
 * release_report.h
 *		What a report tells of a release: figures that somebody else has gathered, the pictures
 *		drawn of them, and the page.
 *
 * A report is for whoever may read the release.  So what is here can be computed from the release;
 * what comes from its source, or from what the release held before, has gone through coarse.h.
 * NaN, and NULL for texts, is what nobody knows.
 */
#ifndef KANON_RELEASE_REPORT_H
#define KANON_RELEASE_REPORT_H

#include "postgres.h"

#include "report/classes_plot.h"
#include "report/levels_plot.h"
#include "report/map_plot.h"
#include "report/svg.h"

/* What is gathered, as each picture and part of the page needs it. */
#define REPORT_HISTORY (1 << 0)
#define REPORT_CLASSES (1 << 1) /* and models, risk of the release, and distributions */
#define REPORT_RISK (1 << 2)    /* of the source */
#define REPORT_CELLS (1 << 3)   /* loss, levels, errors of queries */
#define REPORT_MAP (1 << 4)
#define REPORT_PROOF (1 << 5) /* matchings, digest */
#define REPORT_ALL ((1 << 6) - 1)

/* What is true of a release, for words that depend on it. */
typedef enum ReportTrait
{
	REPORT_HAS_CLASSES = 1 << 0,
	REPORT_HAS_MODELS = 1 << 1,
	REPORT_BOUNDS_SHARES = 1 << 2,  /* by a model that looks at more than different values */
	REPORT_SEVERAL_COPIES = 1 << 3, /* may be told beside each other */
	REPORT_COUNTS_PEOPLE = 1 << 4,
	REPORT_RANGES = 1 << 5,
	REPORT_LEAVES_OUT = 1 << 6, /* rows, some of the time */
	REPORT_MODELS_AFTER = 1 << 7,
	REPORT_MEANS = 1 << 8,
	REPORT_SENSITIVE = 1 << 9,
	REPORT_PLAIN = 1 << 10, /* other columns as they are */
	REPORT_FILLED = 1 << 11
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
	bool at_most;      /* its figure must be so; else at least */
	double worst;      /* of any class */
	const char *class; /* whose that is */
	bool satisfied;
} ReportModel;

typedef struct ReportRisk
{
	bool known;
	double average;
	double at_risk; /* share of rows at more than 1 / k */
	double uniques; /* share of rows */
} ReportRisk;

/* Rows of the source that no other is like in these columns. */
typedef struct ReportUniques
{
	const char *columns;
	double share; /* coarse */
} ReportUniques;

typedef struct ReportErrors
{
	int columns; /* that each query names */
	int queries;
	double error; /* mean relative one: at most that, coarse */
} ReportErrors;

/* Of a sensitive column, in the release. */
typedef struct ReportDistribution
{
	const char *column;
	const char *class; /* the one that is farthest from the whole; NULL: there are none */
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
	const char *by;
	const char *how;
	double rows;
	double missing; /* share */
	double loss;
	double smallest; /* at least */
} ReportFilling;

typedef struct ReleaseReport
{
	const char *release; /* qualified and quoted, as all names of relations */
	const char *schema;  /* kanon's */
	const char *recoding;
	int k;
	int traits;
	int facts; /* what was released, by whom, .. */
	const ReportFact *fact;
	int columns;
	const ReportColumn *column;
	int64 rows; /* of the release */
	double source_rows;
	double source_step;  /* to which source_rows was rounded */
	double source_share; /* .. and shares */
	int missing;         /* REPORT_*: parts that could not be gathered */

	int fillings;
	const ReportFilling *filling;

	bool judged; /* classes, or else matchings */
	bool satisfied;
	bool outdated; /* it does not fit its source any more: there is nothing to judge */
	int64 classes;
	int64 smallest;
	int64 failing;
	int models;
	const ReportModel *model;
	ClassesPlot sizes;
	const char *digest;

	ReportRisk before; /* coarse */
	ReportRisk after;
	int uniques;
	const ReportUniques *unique;

	double loss; /* coarse */
	LevelsPlot levels;
	MapPlot map; /* count 0: no two columns of ranges */
	int errors;
	const ReportErrors *error;
	int distributions;
	const ReportDistribution *distribution;
} ReleaseReport;

/* The page, of everything; current context. */
extern char *release_report_write(const ReleaseReport *report);

#endif /* KANON_RELEASE_REPORT_H */
