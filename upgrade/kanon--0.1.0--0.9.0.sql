-- complain if the script is sourced in psql rather than through ALTER EXTENSION
\echo Use "ALTER EXTENSION kanon UPDATE TO '0.9.0'" to load this file. \quit
COMMENT ON FUNCTION kanon_refuse_overloads() IS 'reserves the names of kanon''s functions in its schema';
COMMENT ON EVENT TRIGGER kanon_refuse_overloads IS 'makes sure that nothing else in kanon''s schema is taken for a function of kanon''s';
COMMENT ON TABLE kanon_attribute IS 'declared roles, dimensions and weights of columns';
COMMENT ON COLUMN kanon_attribute.attribute IS 'the column';
COMMENT ON COLUMN kanon_attribute.dimension IS 'dimension table of the column; null: the levels are the value and *';
COMMENT ON TABLE kanon_dimension IS 'rules of the dimensions that kanon_create_dimension made; they label values that the tables lack';
COMMENT ON COLUMN kanon_dimension.method IS 'method by which it was made';
COMMENT ON COLUMN kanon_dimension.arguments IS 'arguments of the method, one for each level but the top; none for suppress';
COMMENT ON COLUMN kanon_dimension.levels IS 'columns of the dimension that the rule labels, from the lowest; null: dropped since';
COMMENT ON COLUMN kanon_dimension.bounds IS 'for quantiles: level, least and greatest value of each bin, as text';
COMMENT ON FUNCTION kanon_set_attribute(regclass, name, text, regclass, float8) IS
    'declares the role of a column (identifier, quasi_identifier, sensitive or insensitive), with its dimension and its weight in the loss';
COMMENT ON FUNCTION kanon_declare(regclass, name[], name[], name[], name[]) IS
    'declares the roles of several columns at once; a column that already has its role keeps its dimension and weight';
COMMENT ON FUNCTION kanon_unset_attribute(regclass, name) IS
    'removes the declaration of a column';
COMMENT ON FUNCTION kanon_forget_dropped() IS 'removes the declarations of dropped tables and columns';
COMMENT ON EVENT TRIGGER kanon_forget_dropped IS 'keeps kanon_attribute and kanon_dimension up to date';
COMMENT ON EVENT TRIGGER kanon_follow_renamed IS 'keeps kanon_attribute and kanon_dimension up to date';
COMMENT ON FUNCTION kanon_create_dimension(text, regclass, name, text, text[]) IS
    'makes a dimension table from a column''s values and declares the column a quasi-identifier with it; method: suppress, ranges, quantiles, digits, dates or taxonomy';
COMMENT ON FUNCTION kanon_refresh_dimension(regclass) IS
    'adds to a dimension, by the rule it was made by, the values of its columns that it lacks; returns how many';
COMMENT ON FUNCTION kanon_check_dimension(regclass, regclass, name) IS
    'lists what is wrong with a dimension as the hierarchy of a column; no rows if all is well';
COMMENT ON TYPE kanon_models IS 'privacy models, separated by commas: distinct(s, l), entropy(s, l), recursive(s, c, l), closeness(s, t) or variance(s, v) of a sensitive column s';
COMMENT ON TYPE kanon_levels IS 'levels of the quasi-identifiers, in their order, as an array: numbers, names of the dimensions'' columns, or * for the top';
COMMENT ON TYPE kanon_generalization IS 'a full-domain generalization: its levels, in the order of the quasi-identifiers, and what it loses';
COMMENT ON COLUMN kanon_generalization.levels IS 'levels of the quasi-identifiers, in their order';
COMMENT ON COLUMN kanon_generalization.labels IS 'names of these levels: columns of the dimensions';
COMMENT ON COLUMN kanon_generalization.height IS 'sum of the levels';
COMMENT ON COLUMN kanon_generalization.minimal IS 'whether no level can be lowered by one';
COMMENT ON COLUMN kanon_generalization.loss IS 'share of information lost (NCP), 0 to 1';
COMMENT ON COLUMN kanon_generalization."precision" IS 'Sweeney''s precision: 1 minus the mean of level / height';
COMMENT ON COLUMN kanon_generalization.classes IS 'released classes; like the columns below, only with metrics';
COMMENT ON COLUMN kanon_generalization.smallest IS 'rows, or people, of the smallest released class';
COMMENT ON COLUMN kanon_generalization.suppressed IS 'rows in classes that fail';
COMMENT ON COLUMN kanon_generalization.discernibility IS 'sum of the squared sizes of released classes, plus suppressed rows times all rows';
COMMENT ON COLUMN kanon_generalization.average_class IS 'mean rows in a released class, divided by k';
COMMENT ON FUNCTION kanon_incognito(regclass, int, name[], kanon_models, float8, text, boolean, name) IS 'all full-domain generalizations that satisfy k and the models; algorithm: two_way, basic, superroots or cube';
COMMENT ON FUNCTION kanon_last_search() IS 'what the last search of this session did, one row for each iteration';
COMMENT ON FUNCTION kanon_check(regclass, int, name[], kanon_models, name) IS
    'checks whether every class of a table, view or release has at least k rows, or k distinct people, and satisfies all models; for a release, k and models default to its own';
COMMENT ON FUNCTION kanon_classes(regclass, int, name[], kanon_models, name) IS
    'lists the equivalence classes of a table, view or release, with their sizes, the figures of the models and whether they satisfy; for a release, k and models default to its own';
COMMENT ON FUNCTION kanon_risk(regclass, name[], regclass, float8) IS
    'risk of reidentification: prosecutor, journalist (with a population) and marketer risk, and uniques';
COMMENT ON FUNCTION kanon_sample_uniques(regclass, name[], int) IS
    'for each set of up to size columns: how many rows are unique on it, and how many of them on no proper subset';
COMMENT ON FUNCTION kanon_special_uniques(regclass, name, name[], int) IS
    'rows that some set of up to size columns singles out, with the number of minimal sets of each size, and the SUDA score';
COMMENT ON FUNCTION kanon_mondrian(int, record, name[], kanon_models, boolean, text, name, name) IS
    'multidimensional recoding: the equivalence class of each row of the window partition; each class has at least k rows, or k distinct people, and satisfies all models';
COMMENT ON FUNCTION kanon_ring(int, record, name[], regclass[], boolean, text) IS
    'non-homogeneous generalization by rings of neighbors: the generalized values of a record that covers the row, drawn at random from k';
COMMENT ON FUNCTION kanon_view_cells(text, int, record, name[], regclass[], boolean, text, kanon_models, regclass[], name, text, name, boolean, text, int) IS
    'the generalized values of the rows by any recoding of rows; recodings with classes return them class by class, with the last fields of the rows beside them, so a query must not show anything else of a row';
COMMENT ON FUNCTION kanon_view_candidates(text, int, record, name[], regclass[], boolean, text, kanon_models, regclass[], name, text, name, boolean, text, int) IS
    'the class of the row under the same recoding or, without classes, the number of its kind (rows that are alike) and then the kinds that its record covers';
COMMENT ON FUNCTION kanon_view_cell(record, text, anyelement) IS
    'a field, by its name, of a record of kanon_view_cells, kanon_ring or kanon_two_phase, as the type of kind, whose value does not matter';
COMMENT ON FUNCTION kanon_last_partitioning() IS 'what the last partitioning of this session did, in memory or on disk: how often parts were read to count them and to set their rows apart, nodes of the tree that were grown and pruned, parts that were divided in memory, rows and bytes that went through temporary files';
COMMENT ON FUNCTION kanon_progress_entries() IS 'latest progress of the sessions that have kanon.progress on, as far as the current user may watch them; the view kanon_progress shows those that are still running';
COMMENT ON VIEW kanon_progress IS 'progress of the running calls of sessions with kanon.progress on; empty before PostgreSQL 17';
COMMENT ON COLUMN kanon_progress.pid IS 'process of the session';
COMMENT ON COLUMN kanon_progress.total IS 'how much there is to do; null: unknown';
COMMENT ON FUNCTION kanon_view_satisfies(int, record, name, kanon_models, name, regclass[]) IS
    'whether the row may be published: its class (the rows with an equal value in the field that class names) has k rows or distinct people and satisfies all models; closeness compares with the classes that may be published';
COMMENT ON TYPE kanon_tree IS 'a partition tree: the regions of a multidimensional recoding, independent of the rows that it is applied to';
COMMENT ON AGGREGATE kanon_mondrian_tree(int, record) IS 'the partition tree of strict Mondrian over the rows; NULL for fewer than k rows';
COMMENT ON AGGREGATE kanon_mondrian_tree(int, record, name[]) IS 'the partition tree of strict Mondrian over the rows; NULL for fewer than k rows';
COMMENT ON AGGREGATE kanon_mondrian_tree(int, record, name[], text, name) IS 'the partition tree of strict Mondrian over the rows; NULL for fewer than k rows';
COMMENT ON AGGREGATE kanon_mondrian_tree(int, record, name[], kanon_models) IS 'the partition tree of strict Mondrian over the rows, whose classes satisfy all models; NULL for fewer than k rows, or if the rows as a whole fail a model';
COMMENT ON AGGREGATE kanon_mondrian_tree(int, record, name[], kanon_models, text, name) IS 'the partition tree of strict Mondrian over the rows, whose classes satisfy all models; NULL for fewer than k rows, or if the rows as a whole fail a model';
COMMENT ON FUNCTION kanon_grow_tree(regclass, int, name[], kanon_models, text, name) IS
    'the partition tree of strict Mondrian over the rows of a relation; NULL for fewer than k rows, or if the rows as a whole fail a model';
COMMENT ON FUNCTION kanon_leaf(kanon_tree, record) IS 'the class whose region contains the row; NULL if there is none';
COMMENT ON FUNCTION kanon_region(kanon_tree, record) IS 'the region that contains the row: for each attribute a range, a label, * or NULL';
COMMENT ON FUNCTION kanon_generalized_query(regclass, kanon_levels, int, name[], kanon_models, name) IS
    'the SELECT of one generalization of a table; with k or models it drops classes that fail; materialize what others may read';
COMMENT ON COLUMN kanon_release.relation IS 'relation that it is made from';
COMMENT ON COLUMN kanon_release.recoding IS 'recoding of the values';
COMMENT ON COLUMN kanon_release.k IS 'least number of rows, or people, in a class; without classes, of rows behind each released row';
COMMENT ON COLUMN kanon_release.columns IS 'columns of the relation that the release shows, in the release''s order; null: a mean';
COMMENT ON COLUMN kanon_release.levels IS 'levels of the quasi-identifiers, if they are fixed';
COMMENT ON COLUMN kanon_release.person IS 'column of the relation whose distinct values count instead of rows';
COMMENT ON COLUMN kanon_release.suppression IS 'share of the relation''s rows that it may lack';
COMMENT ON COLUMN kanon_release.classes IS 'equivalence classes; null: the recoding makes none';
COMMENT ON COLUMN kanon_release.people IS 'if people count instead of rows: people in the class that has the fewest; null: rows count, there are no classes, or nobody counted';
COMMENT ON COLUMN kanon_release.missing IS 'rows of the relation that it lacks because their classes fail k or a model';
COMMENT ON COLUMN kanon_release.loss IS 'share of information lost (NCP), at the last refresh or, if the levels are fixed, when they were chosen; null: it is empty';
COMMENT ON COLUMN kanon_release.created_by IS 'who made it';
COMMENT ON COLUMN kanon_release.refreshed_by IS 'who refreshed it';
COMMENT ON COLUMN kanon_release.satisfied IS 'whether there are rows, and no more are missing than allowed; null: the owner could not count';
COMMENT ON COLUMN kanon_release.parameters IS 'arguments of kanon_create_release and settings with which it was made; memory_limit in kB';
COMMENT ON COLUMN kanon_release.definition IS 'digest of its SQL when it was last refreshed, by which kanon_adopt_release recognizes it';
COMMENT ON TABLE kanon_seed IS 'seeds of releases that draw, visible to their owners only';
COMMENT ON COLUMN kanon_seed.number IS 'number by which the SQL of the release refers to it';
COMMENT ON COLUMN kanon_seed.redraw IS 'whether a refresh may deal the release anew if its relation has changed';
COMMENT ON COLUMN kanon_seed.dealt IS 'digests of its contents since it was dealt, and of the rows from which it was dealt; null: not dealt yet, or may be dealt anew';
COMMENT ON FUNCTION kanon_view_owns(regclass) IS
    'whether the current user has the privileges of the release''s owner: the row security of kanon_seed';
COMMENT ON POLICY own ON kanon_seed IS 'seeds are visible to roles with the privileges of the release''s owner';
COMMENT ON FUNCTION kanon_create_release(text, regclass, int, text, kanon_levels, name[], kanon_models, float8, boolean, text, name, name, boolean, text, boolean, name, int, float8, text, float8, text, boolean) IS
    'makes a release: a materialized view of a table in which, now and after every refresh, every class has at least k rows and satisfies all models or, cell by cell, every row stands for k; recoding: mondrian, relaxed_mondrian, full_domain, two_phase, ring or cohorts';
COMMENT ON FUNCTION kanon_refresh_release(regclass, boolean, boolean, boolean) IS
    'refreshes a release and reports what it holds; warns, or with strict fails, if it lacks more rows than it may; search: finds new levels; concurrently: others can read it meanwhile';
COMMENT ON PROCEDURE kanon_refresh_releases(text, boolean, boolean, boolean) IS
    'refreshes the releases whose name, or schema and name, is LIKE the pattern, one by one, and commits after each; a failure does not stop the others';
COMMENT ON FUNCTION kanon_replace_release(regclass, int, text, kanon_levels, name[], kanon_models, float8, boolean, text, name, name, boolean, text, boolean, boolean) IS
    'makes a release again with other arguments, under its name, with its owner, grants, comments and history; whatever is not given stays, except that levels are searched anew';
COMMENT ON TABLE kanon_lost IS 'where Citus is installed: what was known of dropped tables and releases';
COMMENT ON COLUMN kanon_lost.name IS 'name of the table, dimension or release';
COMMENT ON COLUMN kanon_lost.catalog IS 'kanon_attribute, kanon_dimension or kanon_release';
COMMENT ON COLUMN kanon_lost.relation IS 'relation of the release, or of the declaration';
COMMENT ON FUNCTION kanon_adopt_release(regclass) IS
    'restores what was known of a release that was dropped and recreated with the same SQL, and of its table';
COMMENT ON FUNCTION kanon_view_seed(bigint) IS
    'the seed with that number in kanon_seed, as the SQL of its release refers to it; for the release''s owner only';
COMMENT ON FUNCTION kanon_release_refreshing() IS 'checks that the dimensions of a release still qualify as such';
COMMENT ON FUNCTION kanon_release_dropped() IS 'forgets dropped releases';
COMMENT ON EVENT TRIGGER kanon_release_refreshing IS 'keeps other people''s code out of releases';
COMMENT ON EVENT TRIGGER kanon_release_refreshed IS 'keeps kanon_release up to date';
COMMENT ON EVENT TRIGGER kanon_release_dropped IS 'keeps kanon_release up to date';
COMMENT ON TABLE kanon_cohort IS 'tables with releases by cohorts, visible to their owners only';
COMMENT ON COLUMN kanon_cohort.number IS 'number by which the SQL of the releases refers to it';
COMMENT ON COLUMN kanon_cohort.name IS 'its name when a release was last advanced';
COMMENT ON COLUMN kanon_cohort.owner IS 'its owner at that time';
COMMENT ON COLUMN kanon_cohort.key IS 'column that identifies people';
COMMENT ON COLUMN kanon_cohort.target_loss IS 'loss up to which cells are not divided further';
COMMENT ON COLUMN kanon_cohort.quasi_identifiers IS 'quasi-identifiers that define the cells';
COMMENT ON COLUMN kanon_cohort.dimensions IS 'dimension of each, or null';
COMMENT ON COLUMN kanon_cohort.models IS 'privacy models that cells must satisfy';
COMMENT ON COLUMN kanon_cohort.night IS 'number of advances so far';
COMMENT ON COLUMN kanon_cohort.cells IS 'number of cells so far';
COMMENT ON COLUMN kanon_cohort.home IS 'the only server, database and timeline that may advance it';
COMMENT ON COLUMN kanon_cohort.secret IS 'secret of the digests of keys';
COMMENT ON COLUMN kanon_cohort_cell.shown IS 'whether the cell is published; it is published as a whole or not at all';
COMMENT ON COLUMN kanon_cohort_cell.high IS 'greatest values, likewise';
COMMENT ON COLUMN kanon_cohort_cell.label IS 'published values of the quasi-identifiers';
COMMENT ON COLUMN kanon_cohort_cell.failing IS 'whether it fails a privacy model, so that its sensitive columns are null forever';
COMMENT ON TABLE kanon_cohort_member IS 'everybody whom releases by cohorts ever published, and those who wait';
COMMENT ON COLUMN kanon_cohort_member.cell IS 'the cell, forever; null: waits';
COMMENT ON COLUMN kanon_cohort_member.since IS 'advance since which the person has waited, or at which the person was admitted';
COMMENT ON COLUMN kanon_cohort_member.values IS 'the other published columns, as they were read last';
COMMENT ON POLICY own ON kanon_cohort IS 'visible to roles with the privileges of the table''s owner';
COMMENT ON POLICY own ON kanon_cohort_cell IS 'visible to roles with the privileges of the table''s owner';
COMMENT ON POLICY own ON kanon_cohort_member IS 'visible to roles with the privileges of the table''s owner';
COMMENT ON FUNCTION kanon_view_value(text, anyelement) IS
    'converts a value that a release by cohorts stores as text to the type of kind, whose value does not matter';
COMMENT ON FUNCTION kanon_adopt_cohorts(regclass) IS
    'lets the releases by cohorts of a table advance on this server, in this database and timeline, and nowhere else';
COMMENT ON FUNCTION kanon_digest(regclass) IS
    'a digest of the contents of a relation, whatever the order of its rows, as in kanon_release_history';
COMMENT ON TABLE kanon_release_history IS 'each time that a release was filled, visible to those who may read the release; of a dropped release, to its former owner';
COMMENT ON COLUMN kanon_release_history.number IS 'in the order in which they began';
COMMENT ON COLUMN kanon_release_history.name IS 'its name at that time';
COMMENT ON COLUMN kanon_release_history.relation IS 'name of its relation at that time';
COMMENT ON COLUMN kanon_release_history.owner IS 'its owner at that time';
COMMENT ON COLUMN kanon_release_history.how IS 'created, refreshed or replaced (by kanon), REFRESH (a plain one), restored (from a dump), emptied (WITH NO DATA), adopted (recreated by Citus), failed (in kanon_refresh_releases; nothing changed)';
COMMENT ON COLUMN kanon_release_history.filled IS 'when it began';
COMMENT ON COLUMN kanon_release_history.filled_by IS 'who filled it';
COMMENT ON COLUMN kanon_release_history.parameters IS 'kanon_release.parameters at that time';
COMMENT ON COLUMN kanon_release_history.source_rows IS 'rows of the relation; null, here and below: the owner could not count';
COMMENT ON COLUMN kanon_release_history.missing IS 'rows of the relation that the release lacks';
COMMENT ON COLUMN kanon_release_history.people IS 'if people count instead of rows: people in the class that has the fewest';
COMMENT ON COLUMN kanon_release_history.satisfied IS 'whether there are rows, and no more are missing than allowed';
COMMENT ON COLUMN kanon_release_history.changed IS 'whether the contents differ from the last known ones';
COMMENT ON COLUMN kanon_release_history.error IS 'why it failed; visible to the owner only, because it may show values';
COMMENT ON FUNCTION kanon_view_reads(regclass, name, boolean) IS
    'whether the current user may read the release, has the privileges of its owner, or owned it before it was dropped: the row security of kanon_release_history';
COMMENT ON POLICY readers ON kanon_release_history IS 'history is visible to those who may read the release, and to roles with the privileges of its owner';
GRANT SELECT ON kanon_release_history_number_seq TO PUBLIC;
-- Late states of 0.1.0 let owners of releases delete their history.
REVOKE DELETE ON kanon_release_history FROM PUBLIC;
DROP POLICY IF EXISTS owners ON kanon_release_history;
COMMENT ON VIEW kanon_releases IS 'all releases, what they hold and when they changed';
COMMENT ON COLUMN kanon_releases.relation IS 'relation that it is made from';
COMMENT ON COLUMN kanon_releases.recoding IS 'recoding of the values';
COMMENT ON COLUMN kanon_releases.state IS 'satisfied; lacks rows (more than it may); empty; unfilled (never filled since a restore, or emptied WITH NO DATA); unknown (its owner may not count)';
COMMENT ON COLUMN kanon_releases.refreshed_by IS 'who refreshed it';
COMMENT ON COLUMN kanon_releases.changed IS 'when its contents last changed; this and the columns below only for those who may read its history';
COMMENT ON COLUMN kanon_releases.error IS 'why the last refresh by kanon_refresh_releases failed, if it did; for its owner only';
COMMENT ON FUNCTION kanon_quality(regclass, regclass, name[], int, text[]) IS
    'what a release has lost compared with its relation: class sizes, loss of cells, error of count queries';
COMMENT ON FUNCTION kanon_query_errors(regclass, text[], regclass, name[]) IS
    'counts the rows that satisfy each predicate in the relation, and estimates the count from the release';
COMMENT ON FUNCTION kanon_check_matchings(regclass, int, regclass, name[]) IS
    'checks whether each released row could be any of k rows of the relation, in k disjoint matchings; if not, names a row that is singled out';
COMMENT ON FUNCTION kanon_matching_bound(regclass, int, name[], boolean) IS
    'a lower bound of the loss of releases that generalize cell by cell; priced: a sharper one, for which each row is covered no more than k times';
COMMENT ON FUNCTION kanon_compare(regclass, int[], text[], name[], kanon_models, float8) IS
    'shows what releases of a relation would lose and hide for each k and recoding, before any is made; by default all recodings that take the models';
COMMENT ON FUNCTION kanon_plot(text, regclass, int[], text[], name[], kanon_models, float8) IS
    'draws a picture as SVG: tradeoff (what a larger k costs), lattice (which generalizations satisfy), classes (how many rows lie in classes of which size), or one of the report of a release: history, risk, loss, levels, map, errors, distribution';
-- They had it, too.
CREATE OR REPLACE FUNCTION kanon_report(release regclass)
RETURNS text LANGUAGE c STABLE COST 100000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_report(regclass) IS
    'makes a page of HTML about a release, for its owner to hand out: what was released, checks run now, risk, loss and history as pictures, and what the release does not protect from; figures of its table are rounded';
COMMENT ON TABLE kanon_copy IS 'copies of releases made with kanon_copy_release, visible to their owners only';
COMMENT ON COLUMN kanon_copy.copy IS 'the table that holds the copy';
COMMENT ON COLUMN kanon_copy.release IS 'name of the release when it was copied';
COMMENT ON COLUMN kanon_copy.relation IS 'relation of the release';
COMMENT ON COLUMN kanon_copy.recoding IS 'recoding of the release';
COMMENT ON COLUMN kanon_copy.k IS 'k of the release';
COMMENT ON COLUMN kanon_copy.key IS 'column of the relation that identifies rows';
COMMENT ON COLUMN kanon_copy.secret IS 'secret of the digests of keys, the same for all copies of releases of a relation';
COMMENT ON COLUMN kanon_copy.copied_by IS 'who made it';
COMMENT ON POLICY own ON kanon_copy IS 'copies are visible to roles with the privileges of their owner';
COMMENT ON FUNCTION kanon_copy_release(regclass, text, name) IS
    'records in a new table, for its owner only, who is where in a release, so that kanon_check_releases can compare it with others';
COMMENT ON FUNCTION kanon_check_releases(regclass, regclass[], int, name) IS
    'counts the people whom a reader of several releases of a relation, or of copies of them, could trace to fewer than k records; the reader is taken to know everybody''s quasi-identifiers';
