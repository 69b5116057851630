-- All releases in one call, which commits after each; test/t/025_release_jobs.pl has what can stop it.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
\set SHOW_CONTEXT never
CREATE SCHEMA jobs;
CREATE ROLE regress_jobs;
GRANT ALL ON SCHEMA jobs TO regress_jobs;
SET search_path = jobs, public;
CREATE TABLE people AS SELECT i AS id, 20 + i * 7 % 40 AS age, (ARRAY['flu', 'gout', 'mumps'])[1 + i % 3] AS disease FROM generate_series(1, 60) i;
CREATE VIEW odd AS SELECT id, 60 / (id % 2) AS age, disease FROM people WHERE id % 2 >= (SELECT CASE WHEN count(*) < 60 THEN 0 ELSE 1 END FROM people);
SELECT kanon_declare('people', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}');
SELECT kanon_declare('odd', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}');
SELECT kanon_create_release('study', 'people', 3);
SELECT kanon_create_release('odd_study', 'odd', 3);
SELECT kanon_create_release('coarse', 'people', 3, 'relaxed_mondrian');
CALL kanon_refresh_releases('jobs.%');
DELETE FROM people WHERE id % 5 = 0;
CALL kanon_refresh_releases('jobs.%');
SELECT release, state, rows, missing, classes, error FROM kanon_releases WHERE release::text ~ 'study|coarse' ORDER BY release::text;
CALL kanon_refresh_releases('st_dy', concurrently => true, strict => true);
CALL kanon_refresh_releases('nobody%');
BEGIN;
CALL kanon_refresh_releases();
ROLLBACK;
CALL kanon_refresh_releases(strict => NULL);
SELECT name, how, rows, changed, error FROM kanon_release_history WHERE name LIKE 'jobs.%' ORDER BY number;
-- Releases by cohorts of one relation go from night to night together: one night for a call
SELECT kanon_create_release('one', 'people', 3, 'cohorts', options => '{"key": "id", "leavers": "keep"}'), kanon_create_release('other', 'people', 3, 'cohorts', options => '{"key": "id", "leavers": "keep"}');
CALL kanon_refresh_releases('jobs.o%e%');
SELECT name, how, count(*) FROM kanon_release_history WHERE name IN ('jobs.one', 'jobs.other') GROUP BY name, how ORDER BY name, how;
CREATE VIEW nights AS SELECT (SELECT night FROM kanon_cohort WHERE relation = 'people'::regclass), (SELECT count(*) FROM kanon_release_history WHERE name = 'jobs.one') AS one,
    (SELECT count(*) FROM kanon_release_history WHERE name = 'jobs.other') AS other;
TABLE nights;
-- .. beside others, whoever is asked for, and however
CALL kanon_refresh_releases('jobs.%e%', concurrently => true);
TABLE nights;
CALL kanon_refresh_releases('jobs.other');
TABLE nights;
-- .. where what is asked for first is dropped, or fails, meanwhile: all or nothing
SELECT kanon_drop_release('one');
CALL kanon_refresh_releases('jobs.o%e%');
TABLE nights;
SELECT kanon_create_release('one', 'people', 3, 'cohorts', options => '{"key": "id", "leavers": "keep"}');
ALTER TABLE people RENAME disease TO ill;
ALTER MATERIALIZED VIEW other OWNER TO regress_jobs;
CALL kanon_refresh_releases('jobs.o%e%');
TABLE nights;
ALTER MATERIALIZED VIEW other OWNER TO CURRENT_USER;
CALL kanon_refresh_releases('jobs.o%e%');
TABLE nights;
DROP SCHEMA jobs CASCADE;
DROP ROLE regress_jobs;
DELETE FROM kanon_release_history_state WHERE name LIKE 'jobs.%';
