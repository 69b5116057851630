-- Releases by multidimensional recoding: their cells, their text, and that they
-- hold k whatever happens.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
RESET client_min_messages;
\set SHOW_CONTEXT never
CREATE SCHEMA release_mondrian;
SET search_path = release_mondrian, public;

CREATE TABLE patients (name text, age int, sex text, zipcode int, weight numeric(5, 1), disease text, note text);
INSERT INTO patients VALUES
    ('Ann', 25, 'f', 53711, 61.5, 'flu'),
    ('Bob', 25, 'm', 53712, 80.0, 'hepatitis'),
    ('Cid', 26, 'm', 53711, 77.5, 'flu'),
    ('Dan', 27, 'm', 53710, 90.0, 'bronchitis'),
    ('Eve', 27, 'f', 53712, 58.0, 'flu'),
    ('Fay', 28, 'f', 53711, 66.0, 'broken arm');
CREATE TABLE zips (zip text PRIMARY KEY, zip4 text NOT NULL, zip3 text NOT NULL);
INSERT INTO zips VALUES ('53710', '5371*', '537**'), ('53711', '5371*', '537**'),
    ('53712', '5371*', '537**'), ('53720', '5372*', '537**'), ('53721', '5372*', '537**');
SELECT kanon_set_attribute('patients', 'name', 'identifier');
SELECT kanon_set_attribute('patients', 'age', 'quasi_identifier');
SELECT kanon_set_attribute('patients', 'sex', 'quasi_identifier');
SELECT kanon_set_attribute('patients', 'zipcode', 'quasi_identifier', 'zips');
SELECT kanon_set_attribute('patients', 'disease', 'sensitive');

-- Columns keep their order and names
SELECT kanon_create_release('study', 'patients', 2, 'mondrian');
\d study
\pset format unaligned
\pset tuples_only on
SELECT regexp_replace(pg_get_viewdef('study'), '\m(recoded|judged)\.', '', 'g');
\pset tuples_only off
\pset format aligned
SELECT * FROM study;
SELECT relation, recoding, k, columns, quasi_identifiers, levels, suppression, rows, classes,
    smallest, missing FROM kanon_release WHERE release = 'study'::regclass;
-- .. its loss: ages 25 .. 26 and 27 .. 28 of 25 .. 28, both sexes, and three of five zip codes, (3 - 1) / (5 - 1)
SELECT round(loss::numeric, 6) AS loss, round((1/3.0 + 1 + 2/4.0) / 3, 6) AS by_hand FROM kanon_release WHERE release = 'study'::regclass;
SELECT * FROM kanon_check('study', 2);

-- Recomputed at each refresh, plain or kanon's: k holds whatever happened to the rows
DELETE FROM patients WHERE name IN ('Ann', 'Dan');
REFRESH MATERIALIZED VIEW study;
SELECT * FROM study;
INSERT INTO patients VALUES ('Gus', 70, 'm', 53721, 70, 'measles'), ('Hal', 71, 'm', 53720, 70, 'flu'),
    ('Ida', 70, 'f', 53720, 65, 'flu');
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('study');
SELECT * FROM study;
SELECT rows, classes, smallest, missing FROM kanon_release WHERE release = 'study'::regclass;
-- .. of nobody left, or too few
BEGIN;
DELETE FROM patients WHERE name <> 'Gus';
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('study');
SELECT * FROM study;
SAVEPOINT lonely;
SELECT kanon_create_release('lonely', 'patients', 2, 'mondrian');
ROLLBACK TO lonely;
DELETE FROM patients;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('study');
SELECT kanon_create_release('nobody', 'patients', 2, 'mondrian');
SELECT release, rows, classes, smallest, missing FROM kanon_release ORDER BY release::text COLLATE "C";
ROLLBACK;
-- .. but a value that the dimension lacks is shown as what stands for everything
INSERT INTO patients VALUES ('Jon', 30, 'm', 99999, 70, 'flu');
REFRESH MATERIALIZED VIEW study;
SELECT kanon_create_release('lacking', 'patients', 2, 'mondrian');
SELECT zipcode, count(*) FROM lacking GROUP BY zipcode ORDER BY zipcode;
SELECT kanon_drop_release('lacking');
SELECT count(*) FROM study;
DELETE FROM patients WHERE name = 'Jon';

-- Columns and dimensions may be renamed; a dimension cannot be dropped from under it
ALTER TABLE patients RENAME COLUMN zipcode TO zip_code;
ALTER TABLE zips RENAME TO zip_dimension;
REFRESH MATERIALIZED VIEW study;
SELECT count(*) FROM study;
DROP TABLE zip_dimension;
ALTER TABLE patients DROP COLUMN age;
ALTER TABLE patients RENAME COLUMN zip_code TO zipcode;
SELECT kanon_drop_release('study');

-- Quasi-identifiers alone: cells in the order of the classes, without a sort
SELECT kanon_set_attribute('patients', 'disease', 'insensitive');
SELECT kanon_unset_attribute('patients', 'disease');
SELECT kanon_create_release('alone', 'patients', 2, 'mondrian', quasi_identifiers => '{age,sex}');
SELECT pg_get_viewdef('alone') ~ 'beside' AS beside, pg_get_viewdef('alone') ~ 'ORDER BY' AS sorted;
SELECT * FROM alone;
SELECT kanon_drop_release('alone');
SELECT kanon_set_attribute('patients', 'disease', 'sensitive');

-- Means beside the ranges of numbers
SELECT kanon_set_attribute('patients', 'weight', 'quasi_identifier');
SELECT kanon_create_release('heavy', 'patients', 3, 'mondrian', options => '{"means": true}');
SELECT * FROM heavy;
SELECT columns, quasi_identifiers FROM kanon_release WHERE release = 'heavy'::regclass;
SELECT satisfied FROM kanon_check('heavy', 3);
-- .. (25 + 26 + 27 + 28) / 4 and (70 + 71 + 70) / 3, (80 + 77.5 + 58 + 66) / 4 and (70 + 70 + 65) / 3
SELECT age, age_mean, weight, weight_mean, count(*) FROM heavy GROUP BY 1, 2, 3, 4 ORDER BY age;
-- .. which are no columns of the relation, whatever those are called later
SELECT kanon_drop_release('heavy');
SELECT kanon_create_release('heavy', 'patients', 3, 'mondrian', options => '{"means": true}', models => 'distinct(disease, 2)');
ALTER TABLE patients RENAME COLUMN disease TO age_mean;
SELECT columns, models FROM kanon_release WHERE release = 'heavy'::regclass;
SELECT satisfied FROM kanon_check('heavy');
ALTER TABLE patients RENAME COLUMN age_mean TO disease;
SELECT columns, models FROM kanon_release WHERE release = 'heavy'::regclass;
SELECT kanon_drop_release('heavy');
ALTER TABLE patients ADD COLUMN age_mean text;
SELECT kanon_create_release('heavy', 'patients', 3, 'mondrian', options => '{"means": true}');
SELECT kanon_set_attribute('patients', 'age_mean', 'sensitive');
SELECT kanon_drop_release('heavy');
SELECT kanon_create_release('heavy', 'patients', 3, 'mondrian', options => '{"means": true}');
ALTER TABLE patients DROP COLUMN age_mean;
SELECT kanon_unset_attribute('patients', 'weight');

-- Relaxed: equal values may be told apart, so classes hold 2k - 1 rows at most
CREATE TABLE lumps AS SELECT n / 10 AS x, chr(96 + n) AS y FROM generate_series(1, 11) n;
SELECT kanon_set_attribute('lumps', 'x', 'quasi_identifier'), kanon_set_attribute('lumps', 'y', 'sensitive');
SELECT kanon_create_release('strictly', 'lumps', 2, 'mondrian'), kanon_create_release('relaxedly', 'lumps', 2, 'relaxed_mondrian');
SELECT release, recoding, rows, classes, smallest FROM kanon_release ORDER BY release::text COLLATE "C";
SELECT pg_get_viewdef('relaxedly') ~ $$kanon_view_cells\('relaxed_mondrian'::text$$ AS relaxed;
SELECT kanon_drop_release('strictly'), kanon_drop_release('relaxedly');

-- By what a target gains: incomes are told apart, ages are not
CREATE TABLE earners AS SELECT n % 7 AS age, (n / 20) AS rank, (n / 20) * 1000 AS income FROM generate_series(0, 39) n;
SELECT kanon_set_attribute('earners', 'age', 'quasi_identifier'), kanon_set_attribute('earners', 'rank', 'quasi_identifier'),
    kanon_set_attribute('earners', 'income', 'sensitive');
SELECT kanon_create_release('paid', 'earners', 15, 'mondrian', options => '{"split": "regression", "target": "income"}');
SELECT rank, income, count(*) FROM paid GROUP BY 1, 2 ORDER BY 1, 2;
REFRESH MATERIALIZED VIEW paid;
ALTER TABLE earners RENAME COLUMN income TO pay;
REFRESH MATERIALIZED VIEW paid;
SELECT count(*) FROM paid;
SELECT kanon_drop_release('paid');

-- Cells of every kind of type: ranges where there are some, text otherwise
CREATE TABLE kinds (id int, s int2, i int4, b int8, n numeric, d date, t timestamp, z timestamptz, c time, f float8, w text, o bool, e varchar(3));
INSERT INTO kinds SELECT n, n, n, n, n / 2.0, DATE '2000-01-01' + n, TIMESTAMP '2000-01-01' + n * interval '1 hour',
    TIMESTAMP '2000-01-01' AT TIME ZONE 'UTC' + n * interval '1 hour', TIME '10:00' + n * interval '1 minute', n / 4.0, chr(96 + n), n > 1, 'x' || n
    FROM generate_series(1, 2) n;
SELECT kanon_set_attribute('kinds', attname, CASE attname WHEN 'id' THEN 'identifier' ELSE 'quasi_identifier' END)
FROM pg_attribute WHERE attrelid = 'kinds'::regclass AND attnum > 0;
SET TIME ZONE 'UTC';
SELECT kanon_create_release('all_kinds', 'kinds', 2, 'mondrian');
SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum) FROM pg_attribute
WHERE attrelid = 'all_kinds'::regclass AND attnum > 0;
SELECT * FROM all_kinds \gx
-- .. at the ends of the types
UPDATE kinds SET s = 32767, i = 2147483647, b = 9223372036854775807, n = 'NaN', d = '5874897-12-31', t = 'infinity', z = 'infinity', f = 'infinity' WHERE id = 2;
UPDATE kinds SET s = -32768, i = -2147483648, b = -9223372036854775808, n = '-1e30', d = '4713-01-01 BC', t = '-infinity', z = '-infinity', f = '-infinity' WHERE id = 1;
REFRESH MATERIALIZED VIEW all_kinds;
SELECT s, i, b, n, d, t, z, f FROM all_kinds \gx
UPDATE kinds SET d = CASE id WHEN 1 THEN '-infinity' ELSE 'infinity' END::date;
REFRESH MATERIALIZED VIEW all_kinds;
SELECT d FROM all_kinds;
-- .. of NULLs alone, and of NULLs beside too few values
UPDATE kinds SET s = NULL, i = NULL, b = NULL, n = NULL, d = NULL, t = NULL, z = NULL, c = NULL, f = NULL, w = NULL, o = NULL, e = NULL WHERE id = 1;
REFRESH MATERIALIZED VIEW all_kinds;
SELECT * FROM all_kinds \gx
UPDATE kinds SET s = NULL, i = NULL, b = NULL, n = NULL, d = NULL, t = NULL, z = NULL, c = NULL, f = NULL, w = NULL, o = NULL, e = NULL;
REFRESH MATERIALIZED VIEW all_kinds;
SELECT * FROM all_kinds \gx
SELECT * FROM kanon_check('all_kinds', 2);
RESET TIME ZONE;

-- Labels: the least common ancestor; "*" where nothing is above all; NULL
CREATE TABLE jobs (job text, field text);
INSERT INTO jobs VALUES ('nurse', 'health'), ('doctor', 'health'), ('baker', 'food'), ('cook', 'food');
CREATE TABLE workers (id int, job text, pay int);
SELECT kanon_set_attribute('workers', 'job', 'quasi_identifier', 'jobs'), kanon_set_attribute('workers', 'pay', 'sensitive');
INSERT INTO workers VALUES (1, 'nurse', 1), (2, 'nurse', 2), (3, 'baker', 3), (4, 'cook', 4);
SELECT kanon_create_release('work', 'workers', 2, 'mondrian');
SELECT * FROM work;
UPDATE workers SET job = 'doctor' WHERE id = 1;
REFRESH MATERIALIZED VIEW work;
SELECT * FROM work;
UPDATE workers SET job = 'cook' WHERE id = 1;
REFRESH MATERIALIZED VIEW work;
SELECT * FROM work;
UPDATE workers SET job = NULL WHERE id IN (1, 2);
REFRESH MATERIALIZED VIEW work;
SELECT * FROM work;
SELECT kanon_drop_release('work');

-- A unique column lets CONCURRENTLY through
SELECT kanon_set_attribute('workers', 'id', 'insensitive');
SELECT kanon_create_release('work', 'workers', 2, 'mondrian');
CREATE UNIQUE INDEX ON work (id);
DELETE FROM workers WHERE id = 4;
REFRESH MATERIALIZED VIEW CONCURRENTLY work;
SELECT * FROM work ORDER BY id;
SELECT rows, classes, smallest, missing FROM kanon_release WHERE release = 'work'::regclass;

-- The order of a release's rows says nothing of the table's
CREATE TABLE samples AS SELECT n % 5 AS a, n % 3 AS b, chr(97 + n % 4)::text AS s, (n % 2)::numeric * 1.0 AS u FROM generate_series(1, 60) n;
CREATE TABLE samples_reversed AS SELECT n % 5 AS a, n % 3 AS b, chr(97 + n % 4)::text AS s, (n % 2)::numeric * 1.0 AS u FROM generate_series(60, 1, -1) n;
SELECT kanon_set_attribute(t, 'a', 'quasi_identifier'), kanon_set_attribute(t, 'b', 'quasi_identifier'),
    kanon_set_attribute(t, 's', 'sensitive'), kanon_set_attribute(t, 'u', 'insensitive')
FROM unnest('{samples,samples_reversed}'::regclass[]) t;
SELECT kanon_create_release('forth', 'samples', 4, 'mondrian'), kanon_create_release('back', 'samples_reversed', 4, 'mondrian');
SELECT (SELECT array_agg(r ORDER BY ctid) FROM forth r)::text = (SELECT array_agg(r ORDER BY ctid) FROM back r)::text AS same;

-- Names that the text uses itself, names that want quotes, and a view as source
CREATE TABLE "Odd ""one""" (cells int, "quasi" int, s text, "cells_" text);
INSERT INTO "Odd ""one""" SELECT n, n / 2, 'x', 'y' FROM generate_series(1, 8) n;
CREATE VIEW odd_view AS SELECT * FROM "Odd ""one""";
SELECT kanon_set_attribute(t, 'cells', 'quasi_identifier'), kanon_set_attribute(t, 'quasi', 'quasi_identifier'),
    kanon_set_attribute(t, 's', 'sensitive'), kanon_set_attribute(t, 'cells_', 'sensitive')
FROM unnest(ARRAY['"Odd ""one"""', 'odd_view']::regclass[]) t;
SELECT kanon_create_release('odd', '"Odd ""one"""', 4, 'mondrian');
SELECT * FROM odd;
SELECT kanon_create_release('odd_of_view', 'odd_view', 4, 'mondrian');
SELECT (SELECT array_agg(o) FROM odd o)::text = (SELECT array_agg(o) FROM odd_of_view o)::text AS same;

-- The functions that the text calls
SELECT kanon_view_cells('mondrian', 2, ROW(age, sex, age, sex), beside => 2) OVER () FROM patients;
SELECT kanon_view_cells('mondrian', 2, p, options => '{"means": true}') OVER (PARTITION BY sex), sex FROM patients p ORDER BY sex;
SELECT kanon_view_cells('mondrian', 2, q, '{zipcode}', dimensions => '{zip_dimension}') OVER (PARTITION BY sex), sex FROM (SELECT zipcode, sex FROM patients) q ORDER BY sex;
-- .. class by class, with what stands beside in the order of its fields, and of spellings
SELECT kanon_view_cells('mondrian', 2, ROW(-n), beside => 0) OVER (ORDER BY n) FROM generate_series(1, 5) n;
SELECT kanon_view_cells('mondrian', 3, t, beside => 4) OVER (PARTITION BY odd) FROM
    (SELECT n % 2 = 1 AS odd, n / 3 AS age, nullif(n % 2, 1) AS half, CASE n % 3 WHEN 0 THEN 1.0 ELSE 1.00 END AS pay, CASE n % 3 WHEN 0 THEN '0' WHEN 1 THEN '-0' END::float8 AS f, json_build_array(-n) AS j
     FROM generate_series(1, 12) n ORDER BY random()) t;
SELECT count(*) FROM (SELECT kanon_view_cells('mondrian', 2, ROW(n % 10, repeat(n::text, 20), n), beside => 2) OVER () AS c FROM generate_series(1, 3000) n) s
WHERE repeat(kanon_view_cell(c, 'f3', 0)::text, 20) <> kanon_view_cell(c, 'f2', ''::text) OR NOT kanon_view_cell(c, 'f1', NULL::int4range) @> kanon_view_cell(c, 'f3', 0) % 10;
SELECT kanon_view_cells('mondrian', 2, x, beside => 1) OVER () FROM (VALUES (NULL::record), (NULL)) t (x);
SELECT kanon_view_cells('mondrian', 9, ROW(n)) OVER () FROM generate_series(1, 5) n;
SELECT kanon_view_cell(c, 'class', 0) AS class, kanon_view_cell(c, 'age', NULL::int4range) AS age, kanon_view_cell(c, 'sex', NULL::text) AS sex FROM
    (SELECT kanon_view_cells('mondrian', 2, p, '{age,sex}') OVER (ORDER BY age, sex) AS c FROM patients p) p;
SELECT kanon_view_cell(NULL::record, 'age', 0);
-- .. of any record, whatever lies before the cell; what the type has got since is NULL
CREATE TYPE slice AS (label text, flag bool, amount int8);
CREATE TABLE slices (s slice);
INSERT INTO slices VALUES (ROW('x', NULL, 5)), (ROW(NULL, true, 6)), (ROW(repeat('y', 200), false, NULL));
ALTER TYPE slice ADD ATTRIBUTE late int;
SELECT length(kanon_view_cell(s, 'label', ''::text)), kanon_view_cell(s, 'flag', true), kanon_view_cell(s, 'amount', 0::int8), kanon_view_cell(s, 'late', 0) FROM slices;
-- .. whose name may be another one in each row, and at each call of a function
SELECT n, f, kanon_view_cell(ROW(n, 10 * n, 100 * n), f, 0) FROM (VALUES (1, 'f1'), (2, 'f1'), (3, 'f3'), (4, 'f2'), (5, 'f2'), (6, 'f3')) t (n, f);
CREATE FUNCTION field_of(record, text) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN kanon_view_cell($1, $2, 0); END';
SELECT field_of(ROW(1, 2), 'f2'), field_of(ROW(1, 2), 'f1'), field_of(ROW(1, 2, 3), 'f3'), field_of(ROW(3, 4), 'f2');
-- Class and means are never taken for quasi-identifiers, whatever these are called
CREATE TABLE alike (class int, class_2 int, age int, age_mean int, "Age_mean" int, secret text);
INSERT INTO alike SELECT 10 + i, 20 + i, 30 + i, 40 + i, 50 + i, 's' || i FROM generate_series(0, 3) i;
SELECT kanon_set_attribute('alike', a, 'quasi_identifier') FROM unnest('{class,class_2,age}'::name[]) a;
SELECT kanon_set_attribute('alike', 'secret', 'sensitive');
SELECT to_json(kanon_view_cells('mondrian', 2, a, '{class,class_2,age,age_mean,Age_mean}', options => '{"means": true}') OVER ()) FROM alike a LIMIT 1;
SELECT to_json(kanon_view_cells('mondrian', 2, a, '{age}', options => '{"means": true}') OVER ()) FROM alike a LIMIT 1;
SELECT kanon_view_cell(c, 'age_mean', NULL::int4range), kanon_view_cell(c, 'age_mean_2', 0::float8) FROM
    (SELECT kanon_view_cells('mondrian', 2, a, '{age,age_mean}', options => '{"means": true}') OVER () AS c FROM alike a) a;
SELECT kanon_create_release('unlike', 'alike', 2, 'mondrian');
\pset format unaligned
\pset tuples_only on
SELECT regexp_replace(pg_get_viewdef('unlike'), '\m(recoded|judged)\.', '', 'g');
\pset tuples_only off
\pset format aligned
SELECT * FROM unlike;
-- .. nor where names are as long as names can be
SELECT to_json(kanon_view_cells('mondrian', 2, l, options => '{"means": true}') OVER ()) FROM (SELECT 1 AS äääääääääääääääääääääääääääääa, 2 AS äääääääääääääääääääääääääääääb UNION ALL SELECT 3, 4) l;
-- A release that follows renames finds its fields by the names they had
CREATE TABLE renamed AS SELECT 30 + i AS age, i % 2 AS sex, 's' || i AS secret FROM generate_series(1, 4) i;
SELECT kanon_create_release('kept_names', 'renamed', 2, 'mondrian', options => '{"means": true}', quasi_identifiers => '{age,sex}');
ALTER TABLE renamed RENAME age TO years;
ALTER TABLE renamed RENAME sex TO age;
SELECT regexp_replace(pg_get_viewdef('kept_names'), '\m(recoded|judged)\.', '', 'g');
CREATE TABLE before_refresh AS TABLE kept_names;
REFRESH MATERIALIZED VIEW kept_names;
SELECT count(*) AS kept FROM (TABLE before_refresh INTERSECT ALL TABLE kept_names) s;

-- Errors
SELECT kanon_view_cell(ROW(1, 'a'::text), 'f3', 0);
SELECT kanon_view_cell(ROW(1, 'a'::text), 'F1', 0);
SELECT kanon_view_cell(ROW(), 'f1', 0);
SELECT kanon_view_cell(ROW(1, 'a'::text), 'f2', 0);
SELECT kanon_view_cell(ROW(1, 'a'::text), NULL, 0);
SELECT kanon_view_cell(NULL::record, NULL, 0);
SELECT kanon_view_cell(ROW(n), f, 0) FROM (VALUES (1, 'f1'), (2, NULL)) t (n, f);
SELECT kanon_view_cell(t, 'a', 0) FROM (SELECT 1 AS a, 2 AS b, 3 AS a) t;
SELECT kanon_ring(1, t) OVER () FROM (SELECT 1 AS a, 2 AS b, 3 AS a) t;
SELECT kanon_view_cell(kanon_ring(1, t) OVER (), 'a', 0) FROM (SELECT 1 AS a, 2 AS b, 3 AS a) t;
SELECT kanon_view_cell(kanon_view_cells('mondrian', 1, ROW(1)) OVER (), 'age', 0);
SELECT kanon_view_cells('mondrian', 0, ROW(1)) OVER ();
-- .. of numbers whose sum no float8 holds
SELECT kanon_view_cells('mondrian', 4, ROW(x), options => '{"means": true}') OVER () FROM unnest('{1e308,1.5e308,1.7e308,1e308}'::float8[]) x;
SELECT kanon_view_cells('mondrian', 3, ROW(x), options => '{"means": true}') OVER () FROM unnest('{1,Infinity,2}'::float8[]) x;
SELECT kanon_view_cells('mondrian', 1, ROW(1), beside => NULL) OVER ();
SELECT kanon_view_cells('mondrian', 1, ROW(1), beside => 1) OVER ();
SELECT kanon_view_cells('mondrian', 1, ROW(1), beside => 2) OVER ();
SELECT kanon_view_cells('mondrian', 1, ROW(1), beside => -1) OVER ();
SELECT kanon_view_cells('mondrian', 1, p, '{age,note}', beside => 1) OVER () FROM patients p;
SELECT kanon_view_cells('mondrian', 1, ROW(1), dimensions => '{NULL,NULL}') OVER ();
SELECT kanon_view_cells('mondrian', 1, ROW(1), dimensions => '{lumps}') OVER ();
SELECT kanon_view_cells('mondrian', 1, ROW(DATE '2000-01-01'), dimensions => '{lumps}') OVER ();
SELECT kanon_view_cells('mondrian', 1, ROW('nun'::text, 'nurse'::text), dimensions => '{jobs,jobs}') OVER ();
\set VERBOSITY terse
SELECT kanon_create_release('r', 'patients', 2, 'mondrian', options => '{"levels": [0, 0, 0]}');
SELECT kanon_create_release('r', 'patients', 2, 'mondrian', suppression => 0.1);
SELECT kanon_create_release('r', 'patients', 2, 'full_domain', options => '{"means": true}');
SELECT kanon_create_release('r', 'patients', 2, 'full_domain', options => '{"split": "median"}');
SELECT kanon_create_release('r', 'patients', 2, 'full_domain', options => '{"target": "disease"}');
\set VERBOSITY default
SELECT kanon_create_release('r', 'patients', 2, 'mondrian', options => '{"split": "widest"}');
SELECT kanon_create_release('r', 'patients', 2, 'mondrian', options => '{"target": "disease"}');
SELECT kanon_create_release('r', 'patients', 2, 'mondrian', options => '{"split": "infogain"}');
SELECT kanon_create_release('r', 'patients', 2, 'mondrian', options => '{"split": "infogain", "target": "nothing"}');
SELECT kanon_create_release('r', 'patients', 2, 'mondrian', options => '{"split": "infogain", "target": "age"}');
SELECT kanon_create_release('r', 'patients', 2, 'mondrian', options => '{"split": "infogain", "target": "name"}');
SELECT kanon_create_release('r', 'patients', 2, 'mondrian', options => '{"split": "regression", "target": "disease"}');
\set VERBOSITY terse
SELECT kanon_create_release('r', 'patients', 2, 'relaxed_mondrian', options => '{"split": "infogain", "target": "disease"}');
\set VERBOSITY default
\set VERBOSITY terse
SET kanon.memory_limit = '64kB';
CREATE TABLE many AS SELECT n AS x FROM generate_series(1, 50000) n;
SELECT kanon_create_release('r', 'many', 2, 'mondrian', quasi_identifiers => '{x}');
RESET kanon.memory_limit;
\set VERBOSITY default
SELECT count(*) FROM pg_class WHERE relname = 'r' AND relnamespace = 'release_mondrian'::regnamespace;

-- The loss is that of the last refresh, whoever runs it, and whatever else was recoded in the
-- session; a source may itself be recoded
CREATE TABLE wide AS SELECT i % 40 AS a, i % 7 AS b, i % 11 AS c, i % 5 AS d, 'x' || i % 13 AS e FROM generate_series(1, 600) i;
CREATE VIEW coarse AS SELECT kanon_mondrian(9, w, '{c,d}') OVER () AS class, w.* FROM wide w;
SELECT kanon_create_release('five', 'wide', 3, 'mondrian', quasi_identifiers => '{a,b,c,d,e}');
SELECT kanon_create_release('one', 'wide', 3, 'mondrian', quasi_identifiers => '{a}');
SELECT kanon_create_release('two', 'wide', 3, 'mondrian', quasi_identifiers => '{a,b}');
SELECT kanon_create_release('rings', 'wide', 3, 'ring', quasi_identifiers => '{a,b}', options => '{"redraw": true}');
SELECT kanon_create_release('twice', 'coarse', 3, 'mondrian', quasi_identifiers => '{class,a}');
CREATE FUNCTION losses() RETURNS TABLE (release regclass, loss numeric, as_measured boolean) LANGUAGE sql AS
$$SELECT r.release, round(r.loss::numeric, 6), abs(r.loss - q.loss) < 1e-12 FROM kanon_release r, kanon_quality(r.release, r.relation) q
WHERE r.release IN ('one'::regclass, 'two'::regclass, 'five'::regclass, 'rings'::regclass, 'twice'::regclass) ORDER BY r.release::text COLLATE "C"$$;
SELECT * FROM losses();
DELETE FROM wide WHERE a > 30;
SELECT r.* FROM unnest('{five,rings,one}'::regclass[]) n, LATERAL (SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release(n)) r;
SELECT r.* FROM unnest('{two,five,twice}'::regclass[]) n, LATERAL (SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release(n)) r;
SELECT * FROM losses();
UPDATE wide SET a = a / 2;
REFRESH MATERIALIZED VIEW two;
SELECT count(*) FROM (SELECT kanon_view_cells('mondrian', 2, w, '{a,b}') OVER () FROM wide w) s;
REFRESH MATERIALIZED VIEW rings;
REFRESH MATERIALIZED VIEW one;
REFRESH MATERIALIZED VIEW five;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('twice');
SELECT * FROM losses();
SELECT kanon_set_attribute('wide', 'b', 'quasi_identifier', weight => 3);
BEGIN;
REFRESH MATERIALIZED VIEW two;
SELECT * FROM losses() WHERE release = 'two'::regclass;
ROLLBACK;
-- .. also since the source's columns have other names
ALTER TABLE wide RENAME b TO bee;
REFRESH MATERIALIZED VIEW two;
SELECT release, rows > 0 AS filled, round(loss::numeric, 6) AS loss FROM kanon_release WHERE release = 'two'::regclass;
-- .. but not where there is nothing
DELETE FROM wide;
REFRESH MATERIALIZED VIEW one;
SELECT release, rows, loss FROM kanon_release WHERE release = 'one'::regclass;
REFRESH MATERIALIZED VIEW one WITH NO DATA;
SELECT release, rows, loss FROM kanon_release WHERE release = 'one'::regclass;
-- What a call keeps of a type goes when the type changes
CREATE TYPE pair AS (a int, b int, c text);
CREATE FUNCTION made_anew() RETURNS pair LANGUAGE plpgsql AS
$$
DECLARE
    made pair;
BEGIN
    EXECUTE 'SELECT * FROM jsonb_populate_record(NULL::pair, ''{"a": 1, "b": 2, "c": "three"}'')' INTO made;
    RETURN made;
END
$$;
CREATE FUNCTION cells(VARIADIC altered text[]) RETURNS SETOF text LANGUAGE plpgsql AS
$$
DECLARE
    change text;
BEGIN
    FOREACH change IN ARRAY ARRAY['SELECT'] || altered
    LOOP
        EXECUTE change;
        BEGIN
            RETURN NEXT kanon_view_cell(made_anew(), 'b', NULL::int);
        EXCEPTION WHEN OTHERS THEN
            RETURN NEXT SQLSTATE || ' ' || SQLERRM;
        END;
    END LOOP;
END
$$;
SELECT cells('ALTER TYPE pair ALTER ATTRIBUTE a TYPE text', 'ALTER TYPE pair ALTER ATTRIBUTE b TYPE text', 'ALTER TYPE pair RENAME ATTRIBUTE b TO bee', 'ALTER TYPE pair RENAME ATTRIBUTE c TO b', 'ALTER TYPE pair DROP ATTRIBUTE b');
CREATE TABLE lost (a int, b int, c text);
INSERT INTO lost VALUES (1, 2, 'three');
ALTER TABLE lost DROP b;
SELECT kanon_view_cell(l, 'b', NULL::int) FROM lost l;
SELECT kanon_view_cell(l, 'c', NULL::text) FROM lost l;

SET client_min_messages = warning;
DROP SCHEMA release_mondrian CASCADE;
