-- Cells generalized one by one, whose values without a dimension become ranges.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
\set SHOW_CONTEXT never
CREATE SCHEMA matching_ranges;
SET search_path = matching_ranges, public;
CREATE TYPE mood AS ENUM ('bad', 'fair', 'good');
CREATE TABLE people (id int, age int, born date, seen timestamp, pay numeric, height float8, sex text, mood mood, smoker boolean, zip text, disease text);
INSERT INTO people SELECT i, CASE WHEN i % 17 > 0 THEN 20 + i * 7 % 40 END, date '1980-01-01' + i * 13 % 3000, timestamp '2020-01-01' + make_interval(mins => i * 977 % 100000),
    i * 31 % 100 * 10, i * 37 % 90 / 4.0, CASE WHEN i % 13 > 0 THEN (ARRAY['f', 'm', 'x'])[1 + i * i % 7 % 3] END, (ARRAY['bad', 'fair', 'good'])[1 + i % 3]::mood,
    i % 5 = 0, (53700 + i * 13 % 30)::text, 'd' || i % 4
FROM generate_series(1, 300) i;
SELECT kanon_declare('people', identifiers => '{id}', quasi_identifiers => '{age,born,seen,pay,height,sex,mood,smoker}', sensitive => '{disease}');
SELECT kanon_create_dimension('zips', 'people', 'zip', 'digits');

-- Never more than classes that show the same, nor less than the bound
SELECT k, min(loss) FILTER (WHERE recoding = 'ring') <= min(loss) FILTER (WHERE recoding = 'local') AS ring,
    min(loss) FILTER (WHERE recoding = 'two_phase') <= min(loss) FILTER (WHERE recoding = 'ring') AS two_phase,
    min(loss) >= kanon_matching_bound('people', k, ranges => true) AS bound, kanon_matching_bound('people', k, ranges => true) > 0 AS above
FROM kanon_compare('people', '{2,5}', '{local,ring,two_phase}', options => '{"ranges": true}') GROUP BY k ORDER BY k;
SELECT k, kanon_matching_bound('people', k, '{age,pay}', ranges => true) < kanon_matching_bound('people', k, '{age,pay}', ranges => false) AS less,
    kanon_matching_bound('people', k, '{age,pay}', ranges => true) <= kanon_matching_bound('people', k, '{age,pay}', true, true) AS priced
FROM generate_series(2, 8, 3) k;
-- Without a word of them, numbers and dates become ranges.
SELECT kanon_matching_bound('people', 2, '{age,pay}') = kanon_matching_bound('people', 2, '{age,pay}', ranges => true) AS same;

-- Releases: cells have the types of local's, k matchings prove them, and what they lose is foretold and measured.
SELECT kanon_create_release(recoding || k, 'people', k, recoding, options => '{"ranges": true, "seed": "one"}') FROM unnest('{ring,two_phase}'::text[]) recoding, unnest('{2,5}'::int[]) k;
SELECT r.release, c.satisfied, c.released, abs(q.loss - r.loss) < 1e-9 AS measured, abs(f.loss - r.loss) < 1e-9 AS foretold
FROM kanon_release r, kanon_check_matchings(r.release) c, kanon_quality(r.release) q, kanon_compare('people', ARRAY[r.k], ARRAY[r.recoding], options => '{"ranges": true}') f
ORDER BY r.release::text COLLATE "C";
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'ring2'::regclass AND attnum > 0 ORDER BY attnum;
SELECT age, born, seen, pay, height, sex, mood, smoker, zip FROM ring2 ORDER BY ctid LIMIT 3;
SELECT count(*) FILTER (WHERE age IS NULL) AS unknown, count(*) FILTER (WHERE upper_inf(age)) AS hidden, count(*) FILTER (WHERE upper(age) - lower(age) = 1) AS shown,
    bool_and(lower(age) IN (SELECT age FROM people) AND upper(age) - 1 IN (SELECT age FROM people)) AS ends FROM two_phase2;
SELECT satisfied FROM kanon_check_matchings('ring2', 5);

-- Without the option, values are shown or hidden, in columns of their types.
SELECT kanon_create_release('plain', 'people', 2, 'ring', options => '{"ranges": false}');
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'plain'::regclass AND attnum < 4 AND attnum > 0 ORDER BY attnum;
SELECT abs(f.loss - r.loss) < 1e-9 AS foretold, pg_get_viewdef('plain') ~ 'ranges' AS in_text
FROM kanon_release r, kanon_compare('people', '{2}', '{ring}', options => '{"ranges": false}') f WHERE release = 'plain'::regclass;

-- The option stays until it is given.  A column whose cells get another type is refused.
SELECT kanon_replace_release('ring5', k => 6, options => '{"redraw": true}');
SELECT kanon_replace_release('ring5', recoding => 'two_phase');
SELECT recoding, k, parameters ->> 'ranges' AS ranges FROM kanon_release WHERE release = 'ring5'::regclass;
SELECT satisfied FROM kanon_check_matchings('ring5');
SELECT kanon_replace_release('ring5', recoding => 'local');
SELECT recoding, parameters ->> 'ranges' AS ranges FROM kanon_release WHERE release = 'ring5'::regclass;
SELECT kanon_replace_release('two_phase5', options => '{"ranges": false}');

-- A report warns of the ends.
SELECT regexp_matches(kanon_report('two_phase2'), 'The ends of ranges[^<]*');

-- Window functions
CREATE TABLE visits (name text, age int, day date, zip text);
INSERT INTO visits VALUES ('Ann', 25, '2020-01-01', '53711'), ('Bob', 26, '2020-01-03', '53711'), ('Cid', 29, NULL, '53712'), ('Dora', 41, '2020-02-01', '53703'),
    ('Eve', NULL, '2020-02-01', '53706'), ('Finn', 44, '2020-02-09', '53706');
SELECT name, age, day, zip, kanon_ring(2, ROW(age, day, zip), randomize => false, ranges => true) OVER () AS cells FROM visits ORDER BY name;
SELECT name, kanon_two_phase(3, v, '{age,day}', randomize => false, ranges => true) OVER () AS cells FROM visits v ORDER BY name;
SELECT kanon_view_cell(c, 'age', NULL::int4range) AS age, kanon_view_cell(c, 'day', NULL::daterange) AS day
FROM (SELECT kanon_ring(1, v, '{age,day}', ranges => true) OVER () AS c FROM visits v) s ORDER BY age;
SELECT kanon_view_cell(c, 'age', NULL::int) FROM (SELECT kanon_ring(2, v, '{age,day}', ranges => true) OVER () AS c FROM visits v) s;
SELECT kanon_ring(2, v, '{age}', randomize => false, ranges => NULL) OVER () FROM visits v;
CREATE TABLE calls (name text, age int, day date);
INSERT INTO calls VALUES ('Ann', 25, '2026-03-02'), ('Bob', 27, '2026-03-02'), ('Cid', 31, '2026-03-05'), ('Dora', 58, '2026-03-20'), ('Eve', 58, '2026-03-21');
SET datestyle = 'ISO';
SELECT name, age, day, kanon_ring(2, ROW(age, day), randomize => false, ranges => true) OVER () AS cells FROM calls ORDER BY name;
RESET datestyle;
-- All NULL, all the same, values that are infinite, and one row
SELECT a, b, c, d, kanon_ring(2, ROW(a, b, c, d), randomize => false, ranges => true) OVER () AS cells
FROM (VALUES (NULL::int, 1, 'infinity'::date, 'NaN'::numeric), (NULL, 1, '2020-01-01', 1), (NULL, 1, '-infinity', 2)) v (a, b, c, d) ORDER BY c;
SELECT kanon_two_phase(1, ROW(a), ranges => true) OVER () FROM (VALUES (1)) v (a);
SELECT kanon_two_phase(2, ROW(a), ranges => true) OVER () FROM (VALUES (1)) v (a);

-- Declared weights count in a release as they do when it is foretold, ranges or not.
CREATE TABLE weighed AS SELECT i % 5 AS a, i * 13 % 7 AS b FROM generate_series(1, 60) i;
SELECT kanon_set_attribute('weighed', 'a', 'quasi_identifier', NULL, 1), kanon_set_attribute('weighed', 'b', 'quasi_identifier', NULL, 5);
SELECT kanon_create_release('by_weight' || ranges, 'weighed', 3, 'ring', options => jsonb_build_object('ranges', ranges)) FROM unnest('{false,true}'::boolean[]) ranges;
SELECT release, parameters ->> 'column_weights' AS weights, abs(r.loss - f.loss) < 1e-9 AS foretold
FROM kanon_release r, kanon_compare('weighed', '{3}', '{ring}', options => format('{"ranges": %s}', parameters ->> 'ranges')::jsonb) f WHERE relation = 'weighed'::regclass ORDER BY release::text;

\set VERBOSITY terse
SET client_min_messages = error;
DROP SCHEMA matching_ranges CASCADE;
