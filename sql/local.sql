-- Local recoding: the window function, releases, weights, rows left out, what is predicted.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
RESET client_min_messages;
\set SHOW_CONTEXT never
CREATE SCHEMA local;
SET search_path = local, public;

CREATE TABLE people AS
SELECT i AS id, i % 97 AS person, 20 + (i * i * 7 + i) % 53 AS age, (ARRAY['f', 'm'])[1 + i * i % 3 % 2] AS sex,
    CASE WHEN i % 41 > 0 THEN (53700 + (i * i + i / 7) % 60)::text END AS zip, 1000 + (i * 131) % 2900 AS income,
    (ARRAY['flu', 'gout', 'mumps', 'measles', 'angina'])[1 + (i * i / 5) % 5] AS disease
FROM generate_series(1, 400) i;
SELECT kanon_create_dimension('zips', 'people', 'zip', 'digits') AS values;
SELECT kanon_declare('people', quasi_identifiers => '{age,sex}', sensitive => '{disease}', identifiers => '{id,person}');

-- Classes: numbered from 1, at least k rows in each, equal rows together; NULL for fewer than k rows
CREATE TABLE classes AS SELECT *, kanon_local(4, p) OVER () AS class FROM people p;
SELECT min(class) = 1 AS from_one, max(class) = count(DISTINCT class) AS dense, count(*) = count(class) AS all_rows FROM classes;
SELECT count(*) AS too_small FROM (SELECT FROM classes GROUP BY class HAVING count(*) < 4) s;
SELECT count(*) AS torn FROM (SELECT FROM classes GROUP BY age, sex, zip HAVING count(DISTINCT class) > 1) s;
SELECT kanon_local(4, p) OVER () FROM people p WHERE id < 4;
SELECT count(class) FROM (SELECT kanon_local(1, ROW(age)) OVER () AS class FROM people WHERE false) s;
-- .. whatever the order of the rows and of the columns
SELECT count(DISTINCT c.class) = count(DISTINCT (c.class, o.class)) AND count(DISTINCT o.class) = count(DISTINCT (c.class, o.class)) AS same
FROM classes c JOIN (SELECT id, kanon_local(4, p, '{zip,sex,age}') OVER (ORDER BY hashint4(id)) AS class FROM people p) o USING (id);
SELECT count(*) AS differ FROM (SELECT id, kanon_local(4, ROW(age, sex, income)) OVER () AS class FROM people) c
JOIN (SELECT id, kanon_local(4, ROW(age, sex, income)) OVER (ORDER BY id DESC) AS class FROM people) o USING (id) WHERE c.class <> o.class;
-- .. by partition of the window
SELECT sex, count(*) AS too_small FROM (SELECT sex, kanon_local(5, ROW(age, zip)) OVER (PARTITION BY sex) AS class FROM people) s GROUP BY sex, class HAVING count(*) < 5;
-- .. with models and people
SELECT count(*) AS too_small FROM (SELECT FROM (SELECT disease, kanon_local(4, p, models => 'distinct(disease, 3)') OVER () AS class FROM people p) s
    GROUP BY class HAVING count(*) < 4 OR count(DISTINCT disease) < 3) t;
SELECT count(*) AS too_small FROM (SELECT FROM (SELECT person, kanon_local(4, p, person => 'person') OVER () AS class FROM people p) s
    GROUP BY class HAVING count(DISTINCT person) < 4) t;
SELECT count(class) FROM (SELECT kanon_local(4, p, models => 'distinct(disease, 6)') OVER () AS class FROM people p) s;

-- Rows that cost most may be left out
SELECT count(*) - count(class) <= 40 AS within, count(*) FILTER (WHERE class = 0) AS zeroes
FROM (SELECT kanon_local(4, p, suppression => 0.1) OVER () AS class FROM people p) s;
SELECT kanon_local(4, p, suppression => 1) OVER () FROM people p;
SELECT kanon_local(4, p, suppression => 'NaN') OVER () FROM people p;
SELECT kanon_local(4, p, suppression => NULL) OVER () FROM people p;
SELECT kanon_local(NULL, p) OVER () FROM people p;
SELECT kanon_local(0, p) OVER () FROM people p;
SELECT kanon_local(4, p, '{age,nothing}') OVER () FROM people p;
SELECT kanon_local(4, p, person => 'age') OVER () FROM people p;
SELECT kanon_local(4, 7) OVER () FROM people p;

SET client_min_messages = warning;
-- A release: its cells are the ranges and labels of its rows
SELECT kanon_create_release('study', 'people', 4, 'local', models => 'distinct(disease, 2)');
SELECT recoding, k, models, columns, quasi_identifiers, rows, missing, classes > 20 AS classes, smallest >= 4 AS smallest FROM kanon_release WHERE release = 'study'::regclass;
SELECT satisfied, violating_classes FROM kanon_check('study');
CREATE VIEW by_hand AS
SELECT age, CASE WHEN low_sex = high_sex THEN low_sex ELSE '*' END AS sex,
    CASE WHEN zips = 0 THEN NULL WHEN zips < size OR left(low_zip, 1) <> left(high_zip, 1) THEN '*' ELSE
        (SELECT rpad(left(low_zip, length), 5, '*') FROM generate_series(1, 5) length
         WHERE left(low_zip, length) = left(high_zip, length) ORDER BY length DESC LIMIT 1) END AS zip, disease
FROM (SELECT int4range(min(age) OVER class, max(age) OVER class, '[]') AS age, min(sex) OVER class AS low_sex, max(sex) OVER class AS high_sex,
        min(zip) OVER class AS low_zip, max(zip) OVER class AS high_zip, count(zip) OVER class AS zips, count(*) OVER class AS size, disease
    FROM (SELECT *, kanon_local(4, p, models => 'distinct(disease, 2)') OVER () AS class FROM people p) c WINDOW class AS (PARTITION BY class)) s;
SELECT count(*) AS differ FROM (TABLE study EXCEPT ALL TABLE by_hand) d;
-- .. what kanon_compare predicts is what it is
CREATE FUNCTION agrees(k int, suppression float8, models kanon_models DEFAULT '', options jsonb DEFAULT '{}') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    made kanon_release;
    predicted record;
    lost float8;
BEGIN
    SELECT * INTO predicted FROM kanon_compare('people', ARRAY[k], '{local}', models => models, suppression => suppression, options => options);
    PERFORM kanon_create_release('agreeing', 'people', k, 'local', models => models, suppression => suppression, options => options);
    SELECT * INTO made FROM kanon_release WHERE release = 'agreeing'::regclass;
    SELECT q.loss INTO lost FROM kanon_quality('agreeing') q;
    PERFORM kanon_drop_release('agreeing');
    RETURN concat_ws(' ', predicted.classes = made.classes, predicted.smallest = made.smallest, predicted.missing = made.missing,
        abs(predicted.loss - made.loss) < 1e-9, abs(made.loss - lost) < 1e-9, made.satisfied, made.missing <= suppression * 400, made.rows + made.missing = 400);
END $$;
SELECT k, suppression, agrees(k, suppression), agrees(k, suppression, 'distinct(disease, 3)') AS with_model, agrees(k, suppression, options => '{"ranges": true}') AS with_ranges
FROM (VALUES (2), (7), (40)) k (k), (VALUES (0), (0.02), (0.3)) s (suppression) ORDER BY k, suppression;
-- .. also while its table changes
SELECT kanon_create_release('shrinking', 'people', 20, 'local', suppression => 0.05);
DELETE FROM people WHERE id > 250;
REFRESH MATERIALIZED VIEW shrinking;
SELECT rows + missing AS rows, missing <= 12 AS within, satisfied, (SELECT c.satisfied FROM kanon_check('shrinking') c) AS held FROM kanon_release WHERE release = 'shrinking'::regclass;
DELETE FROM people WHERE id > 19;
SELECT rows, missing, satisfied FROM kanon_refresh_release('shrinking');
SELECT kanon_drop_release('shrinking');
INSERT INTO people SELECT i, i % 97, 20 + (i * i * 7 + i) % 53, (ARRAY['f', 'm'])[1 + i * i % 3 % 2],
    CASE WHEN i % 41 > 0 THEN (53700 + (i * i + i / 7) % 60)::text END, 1000 + (i * 131) % 2900,
    (ARRAY['flu', 'gout', 'mumps', 'measles', 'angina'])[1 + (i * i / 5) % 5]
FROM generate_series(20, 400) i;

-- Who is with whom: of those left out nobody is
SELECT kanon_create_release('sparse', 'people', 4, 'local', suppression => 0.1);
SELECT people = (SELECT rows FROM kanon_release WHERE release = 'sparse'::regclass) AS all_published, below = 0 AS none_alone
FROM kanon_check_releases('people', '{sparse}', key => 'id');
SELECT kanon_copy_release('sparse', 'copied', 'id');
SELECT count(*) - count(DISTINCT person) AS twice, count(*) = (SELECT rows FROM kanon_release WHERE release = 'sparse'::regclass) AS all_published FROM copied;

-- Weights: a column that weighs more loses less; the text keeps them as they were when it was made
SELECT kanon_set_attribute('people', 'zip', 'quasi_identifier', 'zips', weight => 50);
SELECT kanon_create_release('weighed', 'people', 4, 'local');
SELECT parameters ->> 'column_weights' AS weights, pg_get_viewdef('weighed') ~ '"column_weights": "1,1,50"' AS in_text FROM kanon_release WHERE release = 'weighed'::regclass;
SELECT w.loss < s.loss AS loses_less FROM kanon_quality('weighed', quasi_identifiers => '{zip}') w, kanon_quality('study', quasi_identifiers => '{zip}') s;
SELECT kanon_set_attribute('people', 'zip', 'quasi_identifier', 'zips', weight => 1);
CREATE TABLE before AS TABLE weighed;
REFRESH MATERIALIZED VIEW weighed;
SELECT count(*) AS differ FROM (TABLE before EXCEPT ALL TABLE weighed) d;
SELECT kanon_replace_release('weighed', k => 4);
SELECT parameters ? 'column_weights' AS kept, parameters ->> 'column_weights' AS weights FROM kanon_release WHERE release = 'weighed'::regclass;
SELECT kanon_replace_release('weighed', recoding => 'mondrian');
SELECT kanon_view_cells('local', 4, p, options => '{"column_weights": "1,2"}') OVER () FROM people p;
SELECT kanon_view_cells('local', 4, p, options => '{"column_weights": "1,-1,1"}') OVER () FROM people p;
SELECT kanon_view_cells('local', 4, p, options => '{"column_weights": "1,?,1"}') OVER () FROM people p;
\set VERBOSITY terse
SELECT kanon_view_cells('mondrian', 4, p, options => '{"column_weights": "1,1,1"}') OVER () FROM people p;
\set VERBOSITY default
SELECT kanon_create_release('none', 'people', 4, 'local', options => '{"column_weights": "1,1,1"}');
\set VERBOSITY terse
SELECT kanon_view_cells('mondrian', 4, p, suppression => 0.1) OVER () FROM people p;

\set VERBOSITY default
-- Means, models after, columns beside
SELECT kanon_create_release('means', 'people', 4, 'local', models => 'distinct(disease, 2)', suppression => 0.5, options => '{"means": true, "models_after": true}');
SELECT rows > 200 AS rows, satisfied FROM kanon_release WHERE release = 'means'::regclass;
SELECT satisfied FROM kanon_check('means');
SELECT count(*) AS outside FROM means WHERE NOT age @> floor(age_mean)::int;

SET client_min_messages = warning;
DROP SCHEMA local CASCADE;
