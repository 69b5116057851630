/*
 * release_report.c
 *		See release_report.h.
 */
#include "postgres.h"

#include "report/release_report.h"

#include <math.h>

#include "base/interrupt.h"
#include "metric/coarse.h"
#include "report/chart.h"
#include "report/html.h"
#include "report/report_pictures.h"
#include "utils/builtins.h"

#define FILLINGS_LISTED 20

/*
 * What a release does not protect from: each sentence applies if the release has all of some traits
 * and none of others.
 */
static const struct
{
	int with;
	int without;
	const char *words;
} limits[] = {
	{0, 0,
	 "Membership. A reader who knows that a person is in the table knows that one of the rows is "
	 "theirs, and learns what all rows that could be theirs have in common."},
	{0, 0,
	 "Other sources. Only the quasi-identifiers are generalized. A reader who can look up another "
	 "published column can find people by it."},
	{REPORT_HAS_CLASSES | REPORT_SENSITIVE, REPORT_HAS_MODELS,
	 "What a class has in common. No privacy model was asked for. If all people of a class have "
	 "the same sensitive value, a reader who knows that one of them is in the table learns it."},
	{REPORT_HAS_MODELS, REPORT_BOUNDS_SHARES,
	 "Likely guesses. The models require distinct values and ignore how often each occurs: one "
	 "value can be far more frequent in a class than in the whole."},
	{REPORT_HAS_MODELS, 0,
	 "Columns that no model names, and what several sensitive columns reveal together: each model "
	 "judges its column by itself."},
	{REPORT_HAS_MODELS | REPORT_DIVIDES, REPORT_MODELS_AFTER,
	 "Readers who know how the release was made. Classes were divided as far as the models allow. "
	 "The reason why one was not divided further can reveal something about it (a minimality "
	 "attack)."},
	{0, REPORT_HAS_CLASSES,
	 "Readers who know several people. Each row could belong to any of k people. A reader who "
	 "knows the rows of some of them has fewer left for the others."},
	{0, REPORT_HAS_CLASSES,
	 "What those k rows have in common. No privacy model applies to them. If all have the same "
	 "sensitive value, it is known."},
	{REPORT_SEVERAL_COPIES, 0,
	 "Several copies. k holds for this copy of the release. A reader who compares it with a later "
	 "one, or with another release of the same table, can narrow down whose row is whose."},
	{0, REPORT_SEVERAL_COPIES,
	 "Other releases of the same table. Copies of this release together reveal no more than one of "
	 "them. Combined with a release made in another way, they may."},
	{0, REPORT_SEVERAL_COPIES,
	 "Presence. Copies show when cells of people appear and disappear. Who is in the table at all, "
	 "and values that go with leaving, such as a date of discharge, are not hidden."},
	{0, REPORT_SEVERAL_COPIES,
	 "One person under two keys, or with a key that changes. Such a person counts as several."},
	{REPORT_KEEPS_LEAVERS, 0,
	 "People who left. Their rows stay in the release until enough others of their cell have "
	 "left."},
	{REPORT_READS_AGAIN, 0,
	 "Readers who know when a value changed. Values are read again while all people of a cell are "
	 "present, so a change in a copy can be matched with that person."},
	{REPORT_RANGES, 0,
	 "The ends of ranges. A range begins at the least and ends at the greatest value of its class, "
	 "so somebody in the class has each of these values, or had it when the class was made."},
	{REPORT_LEAVES_OUT, 0,
	 "People who are left out. Rows are missing because they could not be hidden. A reader who "
	 "does not find a person learns that the person is unusual, or not in the table."},
	{REPORT_MEANS, 0,
	 "Means. A reader who knows all values of a class but one can compute that one from the mean."},
	{REPORT_SEVERAL_COPIES, REPORT_COUNTS_PEOPLE,
	 "People with several rows. k counts rows, and k rows of one person hide nobody."},
	{REPORT_COUNTS_PEOPLE, 0,
	 "How many rows a person has. k counts people, but this page counts rows if their column is "
	 "not published: its risks are those of rows."},
	{0, 0,
	 "This page. Figures of the table itself are rounded, so that a single person hardly shows. "
	 "But a rounded figure can change because of one person."},
};

/* NULL for NaN, as below. */
static const char *
number(double value)
{
	return isnan(value)            ? NULL
		   : value == floor(value) ? psprintf("%.0f", value)
								   : chart_number(value, false);
}

static const char *
share(double value)
{
	return isnan(value) ? NULL : chart_number(value, true);
}

/* All digits, for figures that anybody can count. */
static const char *
exact(int64 value)
{
	return psprintf(INT64_FORMAT, value);
}

static void
write_table(Html *html, const char *caption, const char *const *names, int columns, int rows,
			const char *const *cells)
{
	html_table(html, caption, names, columns);
	for (int i = 0; i < rows; i++)
		html_row(html, cells + (Size) i * columns);
	html_table_end(html);
}

#define WRITE_TABLE(html, caption, columns, rows, cells, ...)                                      \
	write_table(html, caption, (const char *const[]){__VA_ARGS__}, columns, rows, cells)

static void
write_picture(Html *html, const ReleaseReport *report, const char *name)
{
	const ReportPicture *picture = report_picture(name);

	if (picture->has(report))
		html_picture(html, picture->draw(report));
}

/* SQL that calls one of kanon's functions with the release. */
static void
write_call(Html *html, const ReleaseReport *report, const char *format)
{
	html_element(html, "pre",
				 psprintf(format, report->schema, quote_literal_cstr(report->release)));
}

/* Lists the parts that could not be gathered. */
static void
write_missing(Html *html, const ReleaseReport *report)
{
	static const struct
	{
		int part;
		const char *words;
	} missing[] = {
		{REPORT_ROWS, "Its rows could not be counted."},
		{REPORT_RISK, "Figures of the source table are missing, because it could not be read."},
		{REPORT_HISTORY, "The history is missing, because it could not be read."},
		{REPORT_CLASSES, "Its classes and sensitive values could not be read."},
		{REPORT_CELLS, "What it costs could not be measured."},
		{REPORT_MAP, "The ranges of its cells could not be read."},
		{REPORT_PROOF, "THE PROOF COULD NOT BE RUN."},
		{REPORT_DIGEST, "Its digest could not be computed."},
		{REPORT_COHORTS, "How many people left, are hidden or wait could not be counted."},
	};

	for (int i = 0; i < (int) lengthof(missing); i++)
		if (report->missing & missing[i].part)
			html_element(html, "p", missing[i].words);
}

static void
write_facts(Html *html, const ReleaseReport *report)
{
	const char **cells = palloc(sizeof(char *) * 2 * Max(report->facts, 1));
	const char **columns = palloc(sizeof(char *) * 3 * Max(report->columns, 1));

	for (int i = 0; i < report->facts; i++)
	{
		cells[2 * i] = report->fact[i].name;
		cells[2 * i + 1] = report->fact[i].value;
	}
	for (int i = 0; i < report->columns; i++)
	{
		columns[3 * i] = report->column[i].name;
		columns[3 * i + 1] = report->column[i].role;
		columns[3 * i + 2] = share(report->column[i].loss);
	}
	html_section(html, "What was released");
	write_table(html, NULL, NULL, 2, report->facts, cells);
	WRITE_TABLE(html, "Columns", 3, report->columns, columns, "column", "role",
				"information lost, against the table as it is now, rounded");
	if (report->left_out)
		html_element(html, "p",
					 psprintf("Columns of the table that are left out: %s.", report->left_out));
	write_missing(html, report);
	html_section_end(html);
}

static void
write_history(Html *html, const ReleaseReport *report)
{
	int first = Max(report->fillings - FILLINGS_LISTED, 0);
	int rows = report->fillings - first;
	const char **cells = palloc(sizeof(char *) * 7 * Max(rows, 1));

	for (int i = 0; i < rows; i++)
	{
		const ReportFilling *filling = &report->filling[first + i];
		const char **cell = cells + (Size) 7 * i;

		cell[0] = filling->when;
		cell[1] = filling->how;
		cell[2] = filling->by;
		cell[3] = number(filling->rows);
		cell[4] = share(filling->missing);
		cell[5] = share(filling->loss);
		cell[6] = number(filling->smallest);
	}
	html_section(html, "History");
	html_element(html, "p",
				 psprintf("Figures of a filling are rounded, the same way on every page: rows to"
						  " about 1 %% of the table, but at least to %.0f; shares to 1 %% or more;"
						  " sizes of classes down to %.0f, %.0f, %.0f and so on.",
						  coarse_of(0, report->k).step, 1.0 * report->k, 2.0 * report->k,
						  4.0 * report->k));
	write_picture(html, report, "history");
	WRITE_TABLE(html, first > 0 ? psprintf("The last %d fillings", rows) : "Fillings", 7, rows,
				cells, "when", "how", "by", "rows", "missing", "lost", "smallest class");
	html_section_end(html);
}

static void
write_models(Html *html, const ReleaseReport *report)
{
	const char **cells = palloc(sizeof(char *) * 5 * Max(report->models, 1));

	for (int i = 0; i < report->models; i++)
	{
		const ReportModel *model = &report->model[i];
		const char **cell = cells + (Size) 5 * i;

		cell[0] = model->text;
		cell[1] = model->satisfied ? "holds" : "FAILS";
		cell[2] = number(model->worst);
		cell[3] = model->at_most ? "the greatest of all classes" : "the least of all classes";
		cell[4] = model->class;
	}
	if (report->models > 0)
		WRITE_TABLE(html, "Models", 5, report->models, cells, "model", "in every class", "figure",
					"which is", "in the class");
}

/* What the check cannot see. */
static const char *
people_text(const ReleaseReport *report)
{
	return psprintf("k counts people, but rows were checked: people cannot be seen in the release."
					" %s",
					isnan(report->people)
						? "How many each class had when it was filled is not known."
						: psprintf("When it was filled, each class had at least %.0f of them.",
								   report->people));
}

static void
write_proof(Html *html, const ReleaseReport *report)
{
	html_section(html, "Proof");
	if (!(report->traits & REPORT_FILLED))
		html_element(html, "p", "The release holds nothing: it was never filled, or was emptied.");
	else if (!report->judged)
		html_element(html, "p", "The check could not be run.");
	else if (report->traits & REPORT_HAS_CLASSES)
	{
		const char *cells[] = {
			report->satisfied ? "yes" : "NO", exact(report->rows), exact(report->classes),
			report->classes > 0 ? exact(report->smallest) : NULL, exact(report->failing)};

		html_element(html, "p",
					 psprintf("Checked when this page was made: %s.",
							  !report->satisfied     ? "SOME CLASSES FAIL"
							  : report->classes == 0 ? "there are no rows, so no class fails"
							  : report->traits & REPORT_PEOPLE_UNSEEN
								  ? "every class satisfies, counted in rows"
								  : "every class satisfies"));
		if (report->traits & REPORT_PEOPLE_UNSEEN)
			html_element(html, "p", people_text(report));
		if (report->withheld > 0)
			html_element(html, "p",
						 psprintf("The sensitive values of " INT64_FORMAT
								  " classes are withheld, all or some, because they would fail a"
								  " model: they are NULL.",
								  report->withheld));
		WRITE_TABLE(html, NULL, 5, 1, cells, "satisfied", "rows", "classes",
					report->traits & REPORT_PEOPLE_UNSEEN ? "rows of the smallest" : "smallest",
					"failing");
		write_models(html, report);
		write_picture(html, report, "classes");
		html_element(html, "p", "To repeat the check and list every class:");
		write_call(html, report,
				   "SELECT * FROM %1$s.kanon_check(%2$s);\n"
				   "SELECT * FROM %1$s.kanon_classes(%2$s);");
	}
	else
	{
		html_element(
			html, "p",
			psprintf("Checked when this page was made: %s",
					 report->satisfied
						 ? psprintf("each row of the release could be any of %d rows of the"
									" table as it is now, in %d ways that match all of them.",
									report->k, report->k)
					 : report->outdated
						 ? "the table or a dimension has changed since the release was filled,"
						   " or row security hides rows from whoever made this page, so that "
						   "nothing could be proved. Refresh it and make this page"
						   " anew."
						 : "SOMEBODY IS SINGLED OUT."));
		html_element(html, "p", "To repeat the check, with the right to read the table:");
		write_call(html, report, "SELECT * FROM %1$s.kanon_check_matchings(%2$s);");
	}
	if (report->digest)
	{
		html_element(html, "p", "Digest of the contents that this page describes:");
		html_element(html, "pre", report->digest);
		write_call(html, report, "SELECT %1$s.kanon_digest(%2$s);");
	}
	html_section_end(html);
}

static void
write_risk(Html *html, const ReleaseReport *report)
{
	const ReportRisk *before = &report->before;
	const ReportRisk *after = &report->after;
	const char *cells[] = {
		"prosecutor and marketer, average",
		before->known ? share(before->average) : NULL,
		after->known ? share(after->average) : NULL,
		psprintf("prosecutor, rows at more than 1 in %d", report->k),
		before->known ? share(before->at_risk) : NULL,
		after->known ? share(after->at_risk) : NULL,
		"journalist",
		before->known ? "no higher than the prosecutor's" : NULL,
		after->known ? "no higher than the prosecutor's" : NULL,
		"unique rows",
		before->known ? share(before->uniques) : NULL,
		after->known ? share(after->uniques) : NULL,
	};
	const char **sets = palloc(sizeof(char *) * 2 * Max(report->uniques, 1));
	/* Without classes there is no average. */
	int skipped = report->traits & REPORT_HAS_CLASSES ? 0 : 1;

	for (int i = 0; i < report->uniques; i++)
	{
		sets[2 * i] = report->unique[i].columns;
		sets[2 * i + 1] = share(report->unique[i].share);
	}
	html_section(html, "Risk");
	html_element(html, "p",
				 "How likely is it that somebody who knows the quasi-identifiers finds the right"
				 " row? The prosecutor knows that the person is in the table; the journalist does"
				 " not, but has the population, in which there are at least as many who look alike;"
				 " the marketer links as many rows as possible.");
	if (!(report->traits & REPORT_HAS_CLASSES) && after->known)
		html_element(html, "p",
					 psprintf("In the release nobody is found with more than 1 in %d, because each"
							  " row could be any of %d.",
							  report->k, report->k));
	WRITE_TABLE(html, NULL, 3, (int) lengthof(cells) / 3 - skipped, cells + (Size) 3 * skipped,
				"risk", "the table as it is now, rounded", "the release");
	write_picture(html, report, "risk");
	if (report->uniques > 0)
		WRITE_TABLE(html, "Columns that single people out in the table as it is now", 2,
					report->uniques, sets, "columns", "share of unique rows, rounded");
	html_element(html, "p",
				 report->traits & REPORT_HAS_CLASSES
					 ? "To repeat it; all but the first statement with the right to read the table:"
					 : "To repeat it, with the right to read the table:");
	if (report->traits & REPORT_HAS_CLASSES)
		write_call(html, report, "SELECT * FROM %1$s.kanon_risk(%2$s);");
	html_element(html, "pre",
				 psprintf("SELECT * FROM %1$s.kanon_risk(%2$s, %3$s, threshold => 1.0 / %4$d);\n"
						  "SELECT * FROM %1$s.kanon_sample_uniques(%2$s, %3$s);",
						  report->schema, quote_literal_cstr(report->source),
						  report->quasi_identifiers, report->k));
	html_section_end(html);
}

/* As it was filled, which the history tells, and against the table as it is now. */
static void
write_loss(Html *html, const ReleaseReport *report)
{
	double then = report->fillings > 0 ? report->filling[report->fillings - 1].loss : NAN;
	const char *now = share(report->loss);

	if (now == NULL && isnan(then))
		html_element(html, "p",
					 "Loss is not defined here: each quasi-identifier has at most one value.");
	if (!isnan(then))
		html_element(html, "p",
					 psprintf("When the release was filled, about %s of the information in the"
							  " quasi-identifiers was lost.",
							  share(then)));
	if (now)
		html_element(
			html, "p",
			psprintf("Against the table as it is now, about %s is lost. The figures by column"
					 " and for count queries also use today's table, so they differ from"
					 " those of the day of filling if people have come or gone.",
					 now));
}

static void
write_quality(Html *html, const ReleaseReport *report)
{
	if (report->leveled == 0)
		return;
	html_section(html, "What it costs");
	write_loss(html, report);
	write_picture(html, report, "loss");
	write_picture(html, report, "levels");
	write_picture(html, report, "map");
	if (report->errors > 0)
		html_element(
			html, "p",
			"Count queries over quarters of one column, halves of two and of three: How far off"
			" are counts estimated from the release, assuming that values are spread evenly"
			" within each cell?");
	write_picture(html, report, "errors");
	html_element(html, "p",
				 "To repeat it, with the right to read the table and its dimensions; predicates for"
				 " counts are yours to add, because those used here contain values of the table:");
	write_call(html, report, "SELECT * FROM %1$s.kanon_quality(%2$s);");
	html_section_end(html);
}

static void
write_distributions(Html *html, const ReleaseReport *report)
{
	const char **cells = palloc(sizeof(char *) * 3 * Max(report->distributions, 1));

	if (report->distributions == 0)
		return;
	for (int i = 0; i < report->distributions; i++)
	{
		cells[3 * i] = report->distribution[i].column;
		cells[3 * i + 1] = number(report->distribution[i].distance);
		cells[3 * i + 2] = report->distribution[i].class;
	}
	html_section(html, "Sensitive columns");
	if (!(report->traits & REPORT_HAS_CLASSES))
		html_element(html, "p", "There are no classes whose values could differ from the whole.");
	if (report->traits & REPORT_HAS_CLASSES)
	{
		html_element(html, "p",
					 psprintf("In which class do the values of a column lie farthest from those of"
							  " the whole release? The distance is that of closeness: 0 if they are"
							  " distributed alike, 1 at most.%s",
							  report->withheld > 0
								  ? " Classes whose values are withheld are not compared."
								  : ""));
		WRITE_TABLE(html, NULL, 3, report->distributions, cells, "column", "distance",
					"of the class");
	}
	write_picture(html, report, "distribution");
	html_section_end(html);
}

static void
write_limits(Html *html, const ReleaseReport *report)
{
	html_section(html, "What it does not protect from");
	for (int i = 0; i < (int) lengthof(limits); i++)
		if ((report->traits & limits[i].with) == limits[i].with &&
			(report->traits & limits[i].without) == 0)
			html_element(html, "p", limits[i].words);
	html_section_end(html);
}

char *
release_report_write(const ReleaseReport *report)
{
	Html *html = html_begin(psprintf("Release %s", report->release));

	html_element(html, "p", psprintf("Page made %s UTC by %s.", report->made, report->made_by));
	write_facts(html, report);
	write_proof(html, report);
	write_risk(html, report);
	write_quality(html, report);
	write_distributions(html, report);
	write_limits(html, report);
	write_history(html, report);
	return html_end(html);
}
