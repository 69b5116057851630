-- What docs/operations.md shows, in a database of its own.
CREATE DATABASE regression_operations;
\set home :DBNAME
\c regression_operations
SET client_min_messages = warning;
\set SHOW_CONTEXT never

CREATE SCHEMA kanon;
CREATE EXTENSION kanon SCHEMA kanon;
ALTER DATABASE regression_operations SET search_path = "$user", public, kanon;
SET search_path = "$user", public, kanon;

-- The owner's table, described.
CREATE SCHEMA clinic;
CREATE TABLE clinic.visits AS SELECT i AS id, 20 + i * 7 % 40 AS age, (53700 + i * 3 % 20)::text AS zip_code, (ARRAY['flu', 'gout', 'mumps'])[1 + i % 3] AS disease FROM generate_series(1, 200) i;
CREATE ROLE regress_reader;
SELECT kanon_declare('clinic.visits', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}');
SELECT kanon_create_dimension('clinic.zip_codes', 'clinic.visits', 'zip_code', 'digits');

CREATE ROLE regress_steward LOGIN;
CREATE SCHEMA released AUTHORIZATION regress_steward;
GRANT USAGE ON SCHEMA kanon TO regress_steward, regress_reader;
GRANT USAGE ON SCHEMA clinic TO regress_steward;
GRANT SELECT (age, zip_code, disease) ON clinic.visits TO regress_steward;
GRANT SELECT ON clinic.zip_codes TO regress_steward;

SET ROLE regress_steward;
SELECT kanon_create_release('released.study', 'clinic.visits', 5);
GRANT USAGE ON SCHEMA released TO regress_reader;
GRANT SELECT ON released.study TO regress_reader;
RESET ROLE;

SET ROLE regress_reader;
SELECT count(*) FROM clinic.visits;
SELECT count(*) FROM released.study;
RESET ROLE;

-- Jobs.
SET ROLE regress_steward;
CALL kanon_refresh_releases('released.%');
CALL kanon_refresh_releases('released.%', concurrently => true);
RESET ROLE;
ALTER ROLE regress_steward SET statement_timeout = '2h';
ALTER ROLE regress_steward SET lock_timeout = '10min';
ALTER ROLE regress_steward SET kanon.progress = on;
ALTER ROLE regress_steward SET kanon.memory_limit = '1GB';

-- Monitoring.
SELECT release, state, missing, error FROM kanon_releases
WHERE state <> 'satisfied' OR error IS NOT NULL OR refreshed < now() - interval '2 days';
SELECT how, rows, missing, smallest, changed FROM kanon_release_history
WHERE release = 'released.study'::regclass ORDER BY number DESC LIMIT 3;
SELECT pid, phase, done, total, statement_start FROM kanon_progress;
DELETE FROM kanon_release_history_state WHERE filled < now() - interval '3 years';

-- A column goes, another gets a new type: the release is made again, and its history stays.
ALTER TABLE clinic.visits DROP COLUMN zip_code;
ALTER TABLE clinic.visits ALTER COLUMN age TYPE smallint;
SELECT kanon_replace_release('released.study', quasi_identifiers => '{age}');
BEGIN;
SELECT kanon_drop_release('released.study');
ALTER TABLE clinic.visits DROP COLUMN zip_code, ALTER COLUMN age TYPE smallint;
SET LOCAL ROLE regress_steward;
SELECT kanon_create_release('released.study', 'clinic.visits', 5);
GRANT SELECT ON released.study TO regress_reader;
COMMIT;
SELECT attribute, role, dimension FROM kanon_attribute WHERE relation = 'clinic.visits'::regclass ORDER BY 1;
SELECT columns, quasi_identifiers, rows FROM kanon_release WHERE release = 'released.study'::regclass;
SELECT count(*) AS fillings FROM kanon_release_history WHERE name = 'released.study';
SELECT rows, missing, satisfied FROM kanon_refresh_release('released.study');
SELECT satisfied FROM kanon_check('released.study');
SET ROLE regress_reader;
SELECT count(*) AS read FROM released.study WHERE age IS NOT NULL;
RESET ROLE;

-- Upgrade.
ALTER EXTENSION kanon UPDATE;

-- Removal.
SELECT release, recoding FROM kanon_releases;
SELECT kanon_drop_release('released.study');
DROP EXTENSION kanon;
SELECT to_regclass('released.study') AS release, to_regclass('clinic.zip_codes') AS dimension;

\c :home
DROP DATABASE regression_operations;
DROP ROLE regress_steward, regress_reader;
