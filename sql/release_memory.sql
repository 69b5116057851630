-- A plain REFRESH has the session's memory: with less of it the contents are the same, or an error says what to raise and the old ones stay.
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
    kanon_create_release('mondrian', 'people', 5), kanon_create_release('mondrian_models', 'people', 5, models => '{"distinct(disease, 2)","entropy(disease, 1.5)"}'),
    kanon_create_release('mondrian_people', 'people', 5, person => 'person'), kanon_create_release('mondrian_after', 'people', 5, models => 'closeness(disease, 0.5)', models_after => true, suppression => 0.5),
    kanon_create_release('infogain', 'people', 5, split => 'infogain', target => 'disease'), kanon_create_release('regression', 'people', 5, split => 'regression', target => 'cost', means => true),
    kanon_create_release('relaxed', 'people', 5, 'relaxed_mondrian'), kanon_create_release('cohorts', 'people', 5, 'cohorts', key => 'id', leavers => 'keep'),
    kanon_create_release('ring', 'few', 5, 'ring', redraw => true), kanon_create_release('two_phase', 'few', 5, 'two_phase', redraw => true);
SET kanon.partitioning = 'sample';
SELECT kanon_create_release('sample', 'people', 5);
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
CALL refresh_all('1GB');
CALL refresh_all('1MB');
CALL refresh_all('50kB');
-- What neither divides over disk nor is SQL alone needs its memory
SELECT release, count(DISTINCT digest) AS contents, count(*) FILTER (WHERE memory = '1GB' AND message IS NULL) AS done_with_more,
    bool_and(message IS NULL OR message LIKE '%memory limit of%' AND hint LIKE '%Raise "kanon.memory_limit"%') AS told FROM refreshed GROUP BY release ORDER BY release::text;
SELECT string_agg(release::text, ', ' ORDER BY release::text) AS with_little FROM refreshed WHERE memory = '1MB' AND message IS NULL AND release::text !~ 'people|after|two_phase';
DROP SCHEMA remembered CASCADE;
DELETE FROM kanon_release_history WHERE name LIKE 'remembered.%';
DELETE FROM kanon_cohort_member;
DELETE FROM kanon_cohort_cell;
DELETE FROM kanon_cohort;
