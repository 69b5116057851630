-- A plain REFRESH has the memory that the release was made with: the contents are the same with less in the session.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
CREATE SCHEMA remembered;
SET search_path = remembered, public;
CREATE TABLE people AS SELECT i AS id, i / 2 AS person, 20 + i * 7 % 70 AS age, (53700 + i * 13 % 900)::text AS zip, i * 31 % 997 AS pay, i * 17 % 101 AS cost,
    (ARRAY['flu', 'gout', 'mumps'])[1 + i % 3] AS disease, 'note ' || i AS note FROM generate_series(1, 8000) i;
CREATE TABLE few AS SELECT * FROM people LIMIT 1000;
SELECT kanon_declare(t, quasi_identifiers => '{age,zip,pay}', sensitive => '{disease,note,cost}', identifiers => '{id,person}') FROM unnest('{people,few}'::regclass[]) t;
SELECT kanon_create_dimension('zips', 'people', 'zip', 'digits');
SET kanon.memory_limit = '256MB';
SELECT kanon_create_release('domain', 'people', 5, 'full_domain', suppression => 0.5), kanon_create_release('domain_people', 'people', 5, 'full_domain', models => 'distinct(disease, 2)', person => 'person', suppression => 0.5),
    kanon_create_release('mondrian', 'people', 5, 'mondrian'), kanon_create_release('mondrian_models', 'people', 5, 'mondrian', models => '{"distinct(disease, 2)","entropy(disease, 1.5)"}'),
    kanon_create_release('mondrian_people', 'people', 5, 'mondrian', person => 'person'), kanon_create_release('mondrian_after', 'people', 5, 'mondrian', models => 'closeness(disease, 0.5)', options => '{"models_after": true}', suppression => 0.5),
    kanon_create_release('infogain', 'people', 5, 'mondrian', options => '{"split": "infogain", "target": "disease"}'), kanon_create_release('regression', 'people', 5, 'mondrian', options => '{"split": "regression", "target": "cost", "means": true}'),
    kanon_create_release('relaxed', 'people', 5, 'relaxed_mondrian'), kanon_create_release('cohorts', 'people', 5, 'cohorts', options => '{"key": "id", "leavers": "keep"}'),
    kanon_create_release('ring', 'few', 5, 'ring', options => '{"redraw": true}'), kanon_create_release('two_phase', 'few', 5, 'two_phase', options => '{"redraw": true}');
SET kanon.partitioning = 'sample';
SELECT kanon_create_release('sample', 'people', 5, 'mondrian');
RESET kanon.partitioning;
CREATE TABLE refreshed (release regclass, memory text, digest text, message text, hint text);
CREATE PROCEDURE refresh_all(memory text) LANGUAGE plpgsql AS $$
DECLARE
    r regclass;
    found text;
    hint text;
BEGIN
    FOR r IN SELECT k.release FROM kanon_release k WHERE relation IN ('people'::regclass, 'few'::regclass) LOOP
        found := NULL;
        hint := NULL;
        PERFORM set_config('kanon.memory_limit', memory, true);
        BEGIN
            EXECUTE format('REFRESH MATERIALIZED VIEW %s', r);
        EXCEPTION WHEN program_limit_exceeded THEN
            GET STACKED DIAGNOSTICS found = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
        END;
        PERFORM set_config('kanon.memory_limit', '256MB', true);
        INSERT INTO refreshed VALUES (r, memory, kanon_digest(r), found, hint);
    END LOOP;
END $$;
CALL refresh_all('1kB');
SELECT count(*) AS refreshes, count(message) AS failed FROM refreshed;
-- .. without which it has the session's: the contents are the same with less, or an error says what to raise and the old ones stay
UPDATE kanon_release_state SET parameters = parameters || '{"memory_limit": 1}' WHERE relation IN ('people'::regclass, 'few'::regclass);
CALL refresh_all('1GB');
CALL refresh_all('1MB');
CALL refresh_all('50kB');
-- What neither divides over disk nor is SQL alone needs its memory
SELECT release, count(DISTINCT digest) AS contents, count(*) FILTER (WHERE memory = '1GB' AND message IS NULL) AS done_with_more,
    bool_and(message IS NULL OR message LIKE '%memory limit of%' AND hint LIKE '%Raise "kanon.memory_limit"%') AS told FROM refreshed GROUP BY release ORDER BY release::text;
SELECT string_agg(release::text, ', ' ORDER BY release::text) AS with_little FROM refreshed WHERE memory = '1MB' AND message IS NULL AND release::text !~ 'people|after|two_phase';
UPDATE kanon_release_state SET parameters = parameters || '{"memory_limit": 262144}' WHERE relation IN ('people'::regclass, 'few'::regclass);
-- What the release has is gone afterwards, after an error too, and at the end of the transaction without the second event trigger.
\set VERBOSITY terse
SET kanon.memory_limit = '1kB';
BEGIN;
REFRESH MATERIALIZED VIEW domain_people;
SHOW kanon.release_memory_limit;
SELECT missing FROM kanon_refresh_release('domain_people', concurrently => true);
SHOW kanon.release_memory_limit;
SELECT count(*) FROM (SELECT kanon_ring(5, ROW(age, zip)) OVER () FROM few) c;
ROLLBACK;
CREATE FUNCTION failing() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'fails with %', current_setting('kanon.release_memory_limit');
END $$;
CREATE EVENT TRIGGER a_failing ON ddl_command_end WHEN TAG IN ('REFRESH MATERIALIZED VIEW') EXECUTE FUNCTION failing();
REFRESH MATERIALIZED VIEW domain_people;
SHOW kanon.release_memory_limit;
BEGIN;
SAVEPOINT before;
REFRESH MATERIALIZED VIEW domain_people;
ROLLBACK TO before;
SHOW kanon.release_memory_limit;
SHOW kanon.memory_limit;
COMMIT;
DROP EVENT TRIGGER a_failing;
ALTER EVENT TRIGGER kanon_release_refreshed DISABLE;
BEGIN;
REFRESH MATERIALIZED VIEW domain_people;
SHOW kanon.release_memory_limit;
COMMIT;
SHOW kanon.release_memory_limit;
ALTER EVENT TRIGGER kanon_release_refreshed ENABLE ALWAYS;
-- It is of no use to others, and not lent to what is no release.
CREATE MATERIALIZED VIEW no_release AS SELECT kanon_mondrian(5, ROW(age, zip)) OVER () AS class FROM few WITH NO DATA;
REFRESH MATERIALIZED VIEW no_release;
CREATE ROLE regress_remembered;
SET ROLE regress_remembered;
SET kanon.release_memory_limit = '1GB';
RESET ROLE;
DROP ROLE regress_remembered;
\set VERBOSITY default
-- More than both is an error, and the old contents stay.
SET kanon.memory_limit = '1MB';
DELETE FROM few;
INSERT INTO few SELECT * FROM people WHERE id <= 200;
SELECT kanon_create_release('small', 'few', 5, 'two_phase', options => '{"redraw": true}', quasi_identifiers => '{age}');
SELECT kanon_digest('small') AS before \gset
INSERT INTO few SELECT * FROM people WHERE id > 200;
SET kanon.memory_limit = '1kB';
\set VERBOSITY sqlstate
REFRESH MATERIALIZED VIEW small;
\set VERBOSITY default
SELECT kanon_digest('small') = :'before' AS same;
SHOW kanon.release_memory_limit;
SET kanon.memory_limit = '256MB';
REFRESH MATERIALIZED VIEW small;
SELECT kanon_digest('small') = :'before' AS same;
-- The ceiling holds for the session, for what a release was made with and for samples, and hints name it.
SELECT kanon_digest('small') AS before \gset
SET kanon.memory_ceiling = '20kB';
REFRESH MATERIALIZED VIEW small;
SELECT kanon_refresh_release('small', concurrently => true);
SELECT count(*) FROM (SELECT kanon_ring(5, ROW(age, zip)) OVER () AS class FROM few) c WHERE class IS NULL;
SET kanon.memory_limit = '1kB';
REFRESH MATERIALIZED VIEW small;
RESET kanon.memory_limit;
SET maintenance_work_mem = '64MB';
SELECT count(*) FROM (SELECT kanon_ring(5, ROW(age, zip)) OVER () AS class FROM few) c WHERE class IS NULL;
RESET maintenance_work_mem;
SELECT kanon_digest('small') = :'before' AS same;
-- .. what is made below it remembers no more, and what lies far below it says nothing of it
SET kanon.memory_ceiling = '3MB';
SET kanon.memory_limit = '256MB';
SELECT kanon_create_release('below', 'few', 5, 'mondrian');
SELECT parameters -> 'memory_limit' AS below FROM kanon_release WHERE release = 'below'::regclass;
REFRESH MATERIALIZED VIEW sample;
SET kanon.memory_limit = '10kB';
SELECT count(*) FROM (SELECT kanon_mondrian(5, ROW(age, zip)) OVER () AS class FROM few) c WHERE class IS NULL;
RESET kanon.memory_limit;
RESET kanon.memory_ceiling;
REFRESH MATERIALIZED VIEW sample;
-- More classes than memory holds are counted all the same.
CREATE TABLE many AS SELECT i / 2 AS a FROM generate_series(2, 6001) i;
SELECT kanon_create_release('all_of_many', 'many', 2, 'full_domain', '{a}', options => '{"levels": ["0"]}');
SELECT * FROM kanon_check('all_of_many', 3);
SET kanon.memory_limit = '64kB';
SELECT * FROM kanon_check('all_of_many', 3);
SELECT classes, smallest FROM kanon_refresh_release('all_of_many');
SELECT rows, classes, smallest FROM kanon_release WHERE release = 'all_of_many'::regclass;
RESET kanon.memory_limit;
DROP SCHEMA remembered CASCADE;
DELETE FROM kanon_release_history_state WHERE name LIKE 'remembered.%';
DELETE FROM kanon_cohort_member;
DELETE FROM kanon_cohort_cell;
DELETE FROM kanon_cohort_state;
