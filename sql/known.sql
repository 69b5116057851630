-- k on any so many columns: who knows no more finds nobody among fewer than k.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
CREATE SCHEMA knowing;
SET search_path = knowing, public;
RESET client_min_messages;
CREATE TABLE folk (age int, sex text, town text, disease text);
INSERT INTO folk SELECT age, sex, town, 'd' || age % 3 FROM (VALUES (30), (40)) a (age), (VALUES ('f'), ('m')) s (sex), (VALUES ('Aix'), ('Bern')) t (town);
SELECT kanon_set_attribute('folk', a, 'quasi_identifier') FROM unnest('{age,sex,town}'::name[]) a;
SELECT kanon_set_attribute('folk', 'disease', 'sensitive');

-- Each row is the only one of its kind, but by two of its columns there are two.
SELECT * FROM kanon_check('folk', 2);
SELECT * FROM kanon_check('folk', 2, known => 2);
SELECT columns, class, size, satisfied FROM kanon_classes('folk', 2, known => 2) WHERE columns = '{age,town}';
SELECT DISTINCT columns FROM kanon_classes('folk', 3, known => 3);
SELECT levels, loss, smallest FROM kanon_incognito('folk', 2, metrics => true) WHERE minimal;
SELECT levels, loss, smallest, classes FROM kanon_incognito('folk', 2, known => 2, metrics => true) WHERE minimal;
SELECT levels, smallest FROM kanon_incognito('folk', 4, known => 2, metrics => true) WHERE minimal;
SELECT l, (SELECT count(*) FROM kanon_incognito('folk', 4, known => l)) AS found, (SELECT count(*) FROM kanon_incognito('folk', 4, known => l, algorithm => 'superroots')) AS same,
       (SELECT count(*) FROM kanon_bottom_up('folk', 4, known => l)) AS same FROM generate_series(1, 4) l;
-- Incognito's iterations end with so many attributes.
SELECT count(*) FROM kanon_incognito('folk', 4, known => 2, algorithm => 'basic');
SELECT size, attribute_sets, satisfying FROM kanon_last_search();

-- What drops out by one column makes a class of another too small: two rows go, in turn.
CREATE TABLE chain (a text, b text);
INSERT INTO chain VALUES ('a', 'x'), ('a', 'x'), ('a', 'y'), ('b', 'y');
SELECT levels, suppressed, smallest FROM kanon_incognito('chain', 2, '{a,b}', suppression => 0.5, known => 1, metrics => true) WHERE minimal;
SELECT count(*) FROM kanon_incognito('chain', 2, '{a,b}', suppression => 0.49, known => 1, highest_levels => '{0,0}');
SELECT * FROM kanon_check('chain', 2, '{a,b}', known => 1);
SELECT * FROM kanon_check('chain', 2, '{a,b}', known => 9);

-- Models hold in the classes of every set of columns.
SELECT * FROM kanon_check('folk', 2, models => 'distinct(disease, 2)', known => 1);
SELECT columns, class, distinct_values, satisfied FROM kanon_classes('folk', 2, models => 'distinct(disease, 2)', known => 1);
SELECT levels FROM kanon_incognito('folk', 2, models => 'distinct(disease, 2)', known => 1) WHERE minimal;

-- A release drops the rows of classes that fail at each refresh, whatever becomes of the table.
SELECT kanon_create_release('known', 'folk', 2, 'full_domain', suppression => 0.3, options => '{"known": 2}');
SELECT regexp_replace(pg_get_viewdef('known'::regclass), '\mjudged\.', '', 'g') AS text;
SELECT * FROM kanon_check('known');
SELECT * FROM kanon_check('known', 2);
SELECT rows, missing, classes, smallest, levels, parameters -> 'known' AS known FROM kanon_release;
INSERT INTO folk VALUES (50, 'f', 'Aix', 'd1'), (50, 'f', 'Chur', 'd1');
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('known');
SELECT * FROM kanon_check('known');
SELECT rows, missing FROM kanon_release;
SELECT kanon_replace_release('known', models => 'distinct(disease, 2)', options => '{"known": 1}');
SELECT * FROM kanon_check('known');
SELECT levels, rows, missing FROM kanon_release;
DELETE FROM folk WHERE age = 40 AND town = 'Bern';
DELETE FROM folk WHERE age = 40 AND sex = 'm';
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('known');
SELECT * FROM known;
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('known', search => true);
SELECT * FROM kanon_check('known');
SELECT kanon_replace_release('known', recoding => 'mondrian');
SELECT recoding, parameters ? 'known' AS known FROM kanon_release;
SELECT k, recoding, loss, classes, smallest, missing FROM kanon_compare('folk', '{2}', '{full_domain}', suppression => 0.3, options => '{"known": 2}');
SELECT count(*) FROM (SELECT kanon_view_satisfies(2, r, NULL, columns => '{age,sex}', known => 1) OVER () AS satisfied FROM folk r) v WHERE satisfied;
DROP MATERIALIZED VIEW known;

-- People are counted.
ALTER TABLE folk ADD who int;
UPDATE folk SET who = 1;
SELECT satisfied, smallest FROM kanon_check('folk', 2, person => 'who', known => 1);
UPDATE folk SET who = NULL WHERE age = 30;
SELECT satisfied, smallest FROM kanon_check('folk', 1, person => 'who', known => 1);

-- Errors.
SELECT * FROM kanon_incognito('folk', 2, known => 0);
SELECT * FROM kanon_check('folk', 2, known => -1);
SELECT kanon_generalized_query('folk', '{0,0,0}', known => 0);
SELECT kanon_view_satisfies(2, r, NULL) OVER () FROM folk r;
SELECT kanon_create_release('r', 'folk', 2, 'full_domain', options => '{"known": -1}');
\set VERBOSITY terse
SELECT kanon_create_release('r', 'folk', 2, 'mondrian', options => '{"known": 1}');
\set VERBOSITY default
SELECT kanon_create_release('r', 'folk', 2, 'full_domain', options => '{"known": 1, "levels": [0, 0, 0]}');
DO $$BEGIN EXECUTE 'CREATE TABLE wide AS SELECT ' || (SELECT string_agg(format('1 AS c%s', i), ', ') FROM generate_series(1, 20) i); END$$;
SELECT * FROM kanon_check('wide', 1, (SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'wide'::regclass AND attnum > 0), known => 5);
SELECT * FROM kanon_classes('wide', 1, (SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'wide'::regclass AND attnum > 0), known => 10);
SELECT * FROM kanon_datafly('wide', 1, (SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'wide'::regclass AND attnum > 0), known => 10);
SELECT * FROM kanon_check('wide', 1, '{c1,c2}', known => 1);
DELETE FROM wide;
SELECT * FROM kanon_check('wide', 1, '{c1,c2}', known => 1);
SET client_min_messages = warning;
DROP SCHEMA knowing CASCADE;
