-- A refresh that finds new levels where those of a release no longer suit.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
\set SHOW_CONTEXT never
CREATE SCHEMA searching;
SET search_path = searching, public;
CREATE ROLE regress_reader;
CREATE TABLE people AS SELECT i AS id, (20 + i * 7 % 40)::text AS age, 'z' || i / 40 % 8 AS zip, (ARRAY['flu', 'gout', 'mumps'])[1 + i % 3] AS disease FROM generate_series(1, 2000) i;
SELECT kanon_declare('people', quasi_identifiers => '{age,zip}', sensitive => '{disease}', identifiers => '{id}');
CREATE TABLE ages AS SELECT i::text AS age, (i / 5 * 5)::text AS five, (i / 10 * 10)::text AS ten, '*' AS top FROM generate_series(0, 120) i;
CREATE TABLE zips AS SELECT 'z' || i AS zip, 'z' || i / 4 * 4 AS half FROM generate_series(0, 9) i;
SELECT kanon_set_attribute('people', 'age', 'quasi_identifier', 'ages'), kanon_set_attribute('people', 'zip', 'quasi_identifier', 'zips');
SELECT kanon_create_release('study', 'people', 5, 'full_domain', suppression => 0.05);
SELECT kanon_create_release('divided', 'people', 5);
SELECT levels FROM kanon_release WHERE release = 'study'::regclass;
GRANT SELECT ON study TO regress_reader;
COMMENT ON MATERIALIZED VIEW study IS 'of people';
COMMENT ON COLUMN study.zip IS 'where they live';
CREATE INDEX study_zip ON study (zip);

-- Fewer people: the same levels lack many of them
DELETE FROM people WHERE id % 9 > 0;
SELECT rows, missing, satisfied FROM kanon_refresh_release('study');
SELECT rows, missing, satisfied FROM kanon_refresh_release('study', strict => true);
-- .. others do not
SET client_min_messages = notice;
SELECT release, rows, missing, satisfied, changed FROM kanon_refresh_release('study', search => true);
SELECT satisfied FROM kanon_check('study');
SELECT abs(q.loss - k.loss) < 1e-9 AS loss FROM kanon_quality('study') q, kanon_release k WHERE k.release = 'study'::regclass;
SET client_min_messages = warning;
SELECT levels, parameters -> 'levels' AS in_parameters, suppression, rows FROM kanon_release WHERE release = 'study'::regclass;
SELECT obj_description('study'::regclass) AS comment, col_description('study'::regclass, 2) AS of_column, has_table_privilege('regress_reader', 'study', 'SELECT') AS granted,
    to_regclass('study_zip') IS NOT NULL AS index, (SELECT string_agg(how, ' ' ORDER BY number) FROM kanon_release_history WHERE release = 'study'::regclass) AS history;
-- Once more: nothing changes, with the recodings that always search
SELECT release, rows, changed FROM kanon_refresh_release('study', search => true);
SELECT release, rows, satisfied FROM kanon_refresh_release('divided', search => true);
CALL kanon_refresh_releases('searching.%', search => true);

-- Where nothing is found, what there is is published; or an error, if it is to be strict
DELETE FROM people WHERE id > 30;
SELECT count(*) FROM people;
SELECT rows, missing, satisfied FROM kanon_refresh_release('study', search => true, strict => true);
SELECT rows, missing, satisfied FROM kanon_refresh_release('study', search => true);
DELETE FROM people;
SELECT rows, missing, satisfied FROM kanon_refresh_release('study', search => true, strict => true);
SELECT rows, missing, satisfied FROM kanon_refresh_release('study', search => true);
-- Back again
INSERT INTO people SELECT i, 20 + i * 7 % 40, 'z' || i / 40 % 8, (ARRAY['flu', 'gout', 'mumps'])[1 + i % 3] FROM generate_series(1, 4000) i;
SELECT rows, missing, satisfied FROM kanon_refresh_release('study', search => true, concurrently => true);
SELECT levels FROM kanon_release WHERE release = 'study'::regclass;
-- Its columns keep their types: no label takes the place of a number
CREATE TABLE aged AS SELECT id, age::int, zip, disease FROM people;
CREATE TABLE int_ages AS SELECT age::int, five, ten, top FROM ages;
SELECT kanon_declare('aged', quasi_identifiers => '{age,zip}', sensitive => '{disease}', identifiers => '{id}'),
    kanon_set_attribute('aged', 'age', 'quasi_identifier', 'int_ages'), kanon_set_attribute('aged', 'zip', 'quasi_identifier', 'zips');
SELECT kanon_create_release('aged_study', 'aged', 5, 'full_domain', suppression => 0.05);
SELECT levels FROM kanon_release WHERE release = 'aged_study'::regclass;
DELETE FROM aged WHERE id % 9 > 0;
SELECT rows, missing, satisfied FROM kanon_refresh_release('aged_study', search => true, strict => true);
SELECT rows, missing, satisfied FROM kanon_refresh_release('aged_study', search => true);
SELECT levels FROM kanon_release WHERE release = 'aged_study'::regclass;
-- .. so other columns are generalized, even where that loses more
SELECT kanon_set_attribute('aged', 'age', 'quasi_identifier', 'int_ages', weight => 0.01);
UPDATE aged SET age = 20 + id / 9 % 2;
DELETE FROM aged WHERE id >= 640;
SELECT rows, missing, satisfied FROM kanon_refresh_release('aged_study', search => true);
SELECT levels FROM kanon_release WHERE release = 'aged_study'::regclass;
SELECT kanon_create_release('aged_again', 'aged', 5, 'full_domain', suppression => 0.05);
SELECT levels FROM kanon_release WHERE release = 'aged_again'::regclass;
-- .. which all texts have, at any level, and views that depend on it stay
CREATE TABLE streets AS SELECT 'z' || i AS zip, 's' || i AS street, i AS id FROM generate_series(0, 7) i, generate_series(1, 6);
SELECT kanon_declare('streets', quasi_identifiers => '{zip,street}', sensitive => '{id}');
SELECT kanon_set_attribute('streets', 'zip', 'quasi_identifier', 'zips');
SELECT kanon_create_release('street_study', 'streets', 5, 'full_domain', suppression => 0.05);
CREATE VIEW of_streets AS SELECT zip, street, count(*) FROM street_study GROUP BY zip, street;
CREATE TABLE identity AS SELECT 'street_study'::regclass::oid AS oid, levels FROM kanon_release WHERE release = 'street_study'::regclass;
DELETE FROM streets WHERE ctid IN (SELECT min(ctid) FROM streets GROUP BY zip UNION ALL SELECT max(ctid) FROM streets GROUP BY zip);
SELECT release, rows, missing, satisfied, changed FROM kanon_refresh_release('street_study', search => true);
SELECT k.levels, i.levels AS before, i.oid = k.release AS same, (SELECT sum(count) FROM of_streets) AS viewed FROM identity i, kanon_release k WHERE k.release = 'street_study'::regclass;
-- .. in one transaction
BEGIN;
DELETE FROM people WHERE id % 5 > 0;
SELECT rows, missing, satisfied FROM kanon_refresh_release('study', search => true);
ROLLBACK;
SELECT levels, rows = (SELECT count(*) FROM study) AS kept FROM kanon_release WHERE release = 'study'::regclass;
DROP SCHEMA searching CASCADE;
DELETE FROM kanon_release_history_state WHERE name LIKE 'searching.%';
DROP ROLE regress_reader;
