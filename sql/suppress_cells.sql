-- Local suppression: a cell stays as it is or is NULL.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
CREATE SCHEMA suppress_cells;
SET search_path = suppress_cells, public;
\set SHOW_CONTEXT never
CREATE TABLE folk (age int, sex text, town text, disease text);
INSERT INTO folk VALUES
    (30, 'f', 'Aix',  'flu'),   (30, 'f', 'Aix',  'gout'), (30, 'f', 'Bern', 'flu'), (30, 'm', 'Bern', 'mumps'),
    (40, 'm', 'Bern', 'flu'),   (40, 'm', 'Bern', 'gout'), (40, 'm', 'Chur', 'flu'), (50, 'f', 'Chur', 'gout');
SELECT kanon_declare('folk', quasi_identifiers => '{age,sex,town}', sensitive => '{disease}');

-- NULL is a value: rows that look alike are at least two.
SELECT kanon_create_release('alike', 'folk', 2, 'suppress_cells');
SELECT * FROM alike;
SELECT * FROM kanon_check('alike');
-- NULL could be any value: fewer cells are hidden.
SELECT kanon_create_release('matching', 'folk', 2, 'suppress_cells', options => '{"null_matches": true}');
SELECT * FROM matching;
SELECT * FROM kanon_check('matching');
SELECT class, size, matches FROM kanon_classes('matching');
-- .. and by any two columns fewer still
SELECT kanon_create_release('known', 'folk', 2, 'suppress_cells', options => '{"null_matches": true, "known": 2}');
SELECT * FROM known;
SELECT * FROM kanon_check('known');
SELECT release, rows, missing, classes, smallest, round(loss::numeric, 3) AS loss, parameters -> 'null_matches' AS null_matches, parameters -> 'known' AS known FROM kanon_release ORDER BY 1;
SELECT attname, atttypid::regtype FROM pg_attribute WHERE attrelid = 'alike'::regclass AND attnum > 0 ORDER BY attnum;
SELECT pg_get_viewdef('known') ~ '"known": 2, "null_matches": true' AS told;
-- A given k is judged as k of classes.
SELECT satisfied FROM kanon_check('matching', 2);
SELECT satisfied FROM kanon_check('matching', 2, null_matches => true);

-- Figures, reports and predictions are of cells like any others.
SELECT rows, round(loss::numeric, 3) AS loss FROM kanon_quality('matching');
SELECT predicate, actual, round(estimate::numeric, 3) AS estimate FROM kanon_query_errors('matching', ARRAY['age = 30', 'town = ''Chur''']);
SELECT length(kanon_report('alike')) > 0 AS alike, length(kanon_report('matching')) > 0 AS matching;
SELECT k, recoding, round(loss::numeric, 3) AS loss, classes, smallest, missing FROM kanon_compare('folk', '{2,3}', '{suppress_cells}');
SELECT k, recoding, round(loss::numeric, 3) AS loss, missing FROM kanon_compare('folk', '{2,3}', '{suppress_cells}', options => '{"null_matches": true}');

-- What is hidden is NULL, so values are values, whatever they look like.
CREATE TABLE odd AS SELECT (ARRAY['*', 'a', '[a - c]', 'c'])[1 + i % 4] AS town FROM generate_series(1, 40) i;
SELECT kanon_create_release('odd_kept', 'odd', 2, 'suppress_cells', '{town}');
SELECT r.loss, q.loss AS quality FROM kanon_release r, kanon_quality('odd_kept') q WHERE r.release = 'odd_kept'::regclass;
SELECT * FROM kanon_query_errors('odd_kept', ARRAY['town = ''*''', 'town = ''a''', 'town = ''[a - c]''']);
DROP TABLE odd CASCADE;

-- What hides is worth little.
SELECT kanon_set_attribute('folk', 'sex', 'quasi_identifier', weight => 5), kanon_set_attribute('folk', 'age', 'quasi_identifier', weight => 0);
SELECT count(age) AS ages, count(sex) AS sexes, count(town) AS towns FROM alike;
SELECT kanon_create_release('weighed', 'folk', 2, 'suppress_cells');
SELECT count(age) AS ages, count(sex) AS sexes, count(town) AS towns FROM weighed;
DROP MATERIALIZED VIEW weighed;
SELECT kanon_set_attribute('folk', 'age', 'quasi_identifier'), kanon_set_attribute('folk', 'sex', 'quasi_identifier');

-- Models hold in classes.
SELECT kanon_create_release('modelled', 'folk', 2, 'suppress_cells', models => 'distinct(disease, 2)');
SELECT * FROM kanon_check('modelled');
SELECT * FROM modelled;

-- Where rows lie does not tell those that had no value from those whose value is hidden.
CREATE TABLE blanks (age int, town text, disease text);
INSERT INTO blanks VALUES (NULL, 'Aix', 'b'), (NULL, 'Aix', 'd'), (30, 'Aix', 'a'), (31, 'Aix', 'c'), (40, 'Aix', 'a'), (40, 'Aix', 'b'), (50, 'Bern', 'a'), (50, 'Bern', 'b');
SELECT kanon_declare('blanks', quasi_identifiers => '{age,town}', sensitive => '{disease}');
SELECT kanon_create_release('blanked', 'blanks', 2, 'suppress_cells', models => 'distinct(disease, 2)');
SELECT * FROM blanked;

-- The order of the rows does not matter, nor that of columns.
CREATE TABLE kept AS TABLE matching;
CREATE TABLE folk_2 AS SELECT disease, town, sex, age FROM folk ORDER BY disease DESC, age DESC;
SELECT kanon_declare('folk_2', quasi_identifiers => '{town,sex,age}', sensitive => '{disease}');
SELECT kanon_create_release('matching_2', 'folk_2', 2, 'suppress_cells', options => '{"null_matches": true}');
SELECT count(*) FROM (SELECT age, sex, town, disease FROM matching EXCEPT ALL SELECT age, sex, town, disease FROM matching_2) differ;
-- Refreshes hide anew.
INSERT INTO folk VALUES (60, 'x', 'Davos', 'flu');
SELECT satisfied, rows FROM kanon_refresh_release('alike');
SELECT satisfied, rows FROM kanon_refresh_release('matching');
SELECT satisfied FROM kanon_check('alike');
SELECT satisfied FROM kanon_check('matching');
SELECT * FROM matching WHERE disease = 'flu' ORDER BY 1, 2, 3;
DELETE FROM folk WHERE age > 30 OR sex = 'm' OR disease = 'gout' OR town = 'Bern';
SELECT rows FROM kanon_refresh_release('matching');
SELECT rows FROM kanon_refresh_release('alike');
INSERT INTO folk VALUES (NULL, NULL, NULL, 'gout'), (NULL, NULL, NULL, 'gout');
SELECT rows FROM kanon_refresh_release('alike');
SELECT * FROM alike;
SELECT rows FROM kanon_refresh_release('matching');
SELECT * FROM matching;

-- A column without values loses nothing
SET client_min_messages = error;
CREATE TABLE blank AS SELECT NULL::text AS town, i % 3 AS age FROM generate_series(1, 40) i;
SELECT kanon_declare('blank', '{town,age}');
SELECT kanon_create_release('blank_' || m, 'blank', 3, 'suppress_cells', options => jsonb_build_object('null_matches', m)) FROM unnest('{f,t}'::boolean[]) m;
SELECT release, loss, (kanon_quality(release)).loss AS measured FROM kanon_release WHERE relation = 'blank'::regclass ORDER BY release::text;

-- Errors
RESET client_min_messages;
SELECT kanon_create_release('r', 'folk', 2, 'suppress_cells', models => 'distinct(disease, 2)', options => '{"null_matches": true}');
SELECT kanon_create_release('r', 'folk', 2, 'suppress_cells', person => 'disease', options => '{"null_matches": true}');
-- To and from a recoding where "known" counts classes, not matches, it goes; so it does with null_matches.
SET client_min_messages = notice;
\set VERBOSITY terse
SELECT kanon_create_release('moved', 'folk', 2, 'suppress_cells', '{sex,town}', options => '{"null_matches": true, "known": 1, "storage": "table"}');
SELECT kanon_replace_release('moved', recoding => 'full_domain');
SELECT recoding, parameters -> 'known' AS known FROM kanon_release WHERE release = 'moved'::regclass;
SELECT kanon_replace_release('moved', options => '{"known": 1}');
SELECT kanon_replace_release('moved', recoding => 'suppress_cells');
SELECT kanon_replace_release('moved', options => '{"null_matches": true, "known": 1}');
SELECT kanon_replace_release('moved', options => '{"null_matches": null}');
SELECT recoding, parameters -> 'known' AS known FROM kanon_release WHERE release = 'moved'::regclass;
SELECT kanon_replace_release('moved', recoding => 'full_domain', options => '{"known": 1}');
SELECT recoding, parameters -> 'known' AS known FROM kanon_release WHERE release = 'moved'::regclass;
SELECT kanon_replace_release('moved', recoding => 'suppress_cells', options => '{"null_matches": true, "known": 2}');
SELECT recoding, parameters -> 'known' AS known FROM kanon_release WHERE release = 'moved'::regclass;
SELECT kanon_drop_release('moved');
\set VERBOSITY default
RESET client_min_messages;
SELECT kanon_create_release('r', 'folk', 2, 'suppress_cells', options => '{"known": 1}');
\set VERBOSITY terse
SELECT kanon_create_release('r', 'folk', 2, 'suppress_cells', suppression => 0.1);
SELECT kanon_create_release('r', 'folk', 2, 'local', options => '{"null_matches": true}');
\set VERBOSITY default
SELECT kanon_compare('folk', '{2}', '{suppress_cells}', options => '{"known": 1}');
SELECT kanon_view_cells('suppress_cells', 2, ROW(age, sex, disease), quasi_identifiers => '{f1,f2}', models => 'distinct(f3, 2)', options => '{"null_matches": true}') OVER () FROM folk;
ALTER TABLE folk ADD id int GENERATED ALWAYS AS IDENTITY;
SELECT kanon_copy_release('matching', 'copied', 'id');
CREATE TABLE many AS SELECT i AS a, i % 7 AS b, i % 11 AS c FROM generate_series(1, 30000) i;
SET kanon.memory_limit = '4MB';
SELECT kanon_create_release('r', 'many', 2, 'suppress_cells', '{a,b,c}', options => '{"null_matches": true}');
SELECT kanon_create_release('r', 'many', 2, 'suppress_cells', '{a,b,c}');
SET client_min_messages = warning;
DROP SCHEMA suppress_cells CASCADE;
