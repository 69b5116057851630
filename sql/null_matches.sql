-- NULL that matches anything: rows are counted that could be the same, as sdcMicro counts.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
CREATE SCHEMA null_matches;
SET search_path = null_matches, public;
RESET client_min_messages;
\set SHOW_CONTEXT never
CREATE TABLE hidden (age int, town text, disease text);
INSERT INTO hidden VALUES (30, 'Aix', 'flu'), (30, 'Aix', 'gout'), (30, NULL, 'flu'), (40, NULL, 'flu'), (NULL, 'Aix', 'gout');
SELECT kanon_set_attribute('hidden', 'age', 'quasi_identifier'), kanon_set_attribute('hidden', 'town', 'quasi_identifier');

-- As a value, NULL makes classes of its own.  If it matches anything, only the row of age 40 has few others.
SELECT * FROM kanon_check('hidden', 3);
SELECT * FROM kanon_check('hidden', 3, null_matches => true);
SELECT class, size, matches, satisfied FROM kanon_classes('hidden', 3, null_matches => true);
SELECT class, size, matches, satisfied FROM kanon_classes('hidden', 3, null_matches => false);
SELECT class, size, matches, satisfied FROM kanon_classes('hidden', null_matches => true);
-- By any so many columns
SELECT * FROM kanon_check('hidden', 3, null_matches => true, known => 1);
SELECT columns, class, size, matches FROM kanon_classes('hidden', 3, null_matches => true, known => 1);
SELECT * FROM kanon_check('hidden', 3, null_matches => true, known => 9);
-- Nobody
CREATE TABLE nobody (LIKE hidden);
SELECT * FROM kanon_check('nobody', 3, '{age}', null_matches => true);
SELECT * FROM kanon_classes('nobody', 3, '{age}', null_matches => true);
-- Numbers that are equal count as one, whatever their spelling.
CREATE TABLE spelled (n numeric);
INSERT INTO spelled VALUES (1.5), (1.50), (NULL);
SELECT class, size, matches FROM kanon_classes('spelled', 3, '{n}', null_matches => true);

-- A release with models is counted all the same, without them.
SELECT kanon_set_attribute('hidden', 'disease', 'sensitive');
SELECT kanon_create_release('released', 'hidden', 1, 'full_domain', models => 'distinct(disease, 1)');
SELECT * FROM kanon_check('released', null_matches => true);
DROP MATERIALIZED VIEW released;

-- Errors
SELECT * FROM kanon_check('hidden', 3, models => 'distinct(disease, 2)', null_matches => true);
SELECT * FROM kanon_classes('hidden', 3, person => 'disease', null_matches => true);
SELECT * FROM kanon_check('hidden', null_matches => true);
DO $$BEGIN EXECUTE 'CREATE TABLE wide AS SELECT ' || (SELECT string_agg(format('1 AS c%s', i), ', ') FROM generate_series(1, 65) i); END$$;
SELECT * FROM kanon_check('wide', 1, (SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'wide'::regclass AND attnum > 0), null_matches => true);
SELECT * FROM kanon_check('wide', 1, (SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'wide'::regclass AND attnum BETWEEN 1 AND 64), null_matches => true);
SELECT * FROM kanon_check('wide', 1, (SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'wide'::regclass AND attnum BETWEEN 1 AND 64), null_matches => true, known => 5);
-- As many rows that differ need memory.
CREATE TABLE many AS SELECT i AS a, CASE WHEN i % 2 = 0 THEN i END AS b FROM generate_series(1, 40000) i;
SET kanon.memory_limit = '1MB';
SELECT * FROM kanon_check('many', 1, '{a,b}', null_matches => true);
RESET kanon.memory_limit;
SELECT * FROM kanon_check('many', 1, '{a,b}', null_matches => true);
SET client_min_messages = warning;
DROP SCHEMA null_matches CASCADE;
