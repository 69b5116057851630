-- Quasi-identifiers that have neither a dimension nor a scale: a value or *, and ranges for those who ask.
CREATE SCHEMA ranges;
SET search_path = ranges, public;
CREATE TYPE mood AS ENUM ('bad', 'fair', 'good');
CREATE DOMAIN code AS varchar(3);
CREATE TABLE people (id int, age int, sex text, mood mood, smoker boolean, address inet, code code, disease text);
INSERT INTO people SELECT i, i % 60, CASE WHEN i % 40 = 0 THEN NULL ELSE (ARRAY['F', 'male', 'm'])[1 + (i % 23) % 2 + (i % 97 = 5)::int] END,
    (ARRAY['bad', 'fair', 'good']::mood[])[1 + i * 7 % 3], i % 5 = 0, ('10.0.0.' || i * 11 % 4)::inet, 'c' || i * 13 % 7, 'd' || i % 3
FROM generate_series(1, 3000) i;
ALTER TABLE people ADD PRIMARY KEY (id);
SET client_min_messages = warning;
SELECT kanon_declare('people', quasi_identifiers => '{age,sex,mood,smoker,address,code}', sensitive => '{disease}', identifiers => '{id}');
RESET client_min_messages;

-- What each column shows: values of the table, or *.
CREATE FUNCTION shows(release regclass) RETURNS TABLE (col text, cells bigint, hidden boolean, strange text) LANGUAGE plpgsql AS $$
BEGIN
    FOR col IN SELECT unnest('{sex,mood,smoker,address,code}'::text[]) LOOP
        RETURN QUERY EXECUTE format('SELECT %L, count(DISTINCT %2$I), bool_or(%2$I = ''*''),'
            ' min(%2$I COLLATE "C") FILTER (WHERE %2$I <> ''*'' AND %2$I NOT IN (SELECT p.%2$I::text FROM people p WHERE p.%2$I IS NOT NULL)) FROM %3$s',
            col, col, release);
    END LOOP;
END $$;
SELECT kanon_create_release('plain', 'people', 5, 'mondrian');
SELECT * FROM shows('plain');
-- Whoever wants it otherwise is told how.
SELECT kanon_create_release('plain', 'people', 6, 'mondrian');
SELECT kanon_create_release('ranged', 'people', 5, 'mondrian', options => '{"ranges": true}');
SELECT col, cells, hidden, strange IS NOT NULL AS ranges FROM shows('ranged');
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'plain'::regclass AND attnum > 0 ORDER BY attnum;
SELECT release, pg_get_viewdef(release) ~ '''-''::regclass' AS plain, parameters ->> 'ranges' AS ranges FROM kanon_release ORDER BY release::text COLLATE "C";

-- Both hold k, and lose what is recorded and foretold.
SELECT r.release, c.satisfied, c.classes = r.classes AS classes, abs(q.loss - r.loss) < 1e-9 AS loss,
    abs(q.loss - f.loss) < 1e-9 AS foretold
FROM kanon_release r, kanon_check(r.release) c, kanon_quality(r.release) q, kanon_compare('people', '{5}', '{mondrian}') f
ORDER BY r.release::text COLLATE "C";
SELECT predicate, actual, round(estimate) > 0 AS estimated FROM kanon_query_errors('plain', ARRAY['sex = ''F''', 'age < 20 AND smoker = true']);

-- On disk and in memory they are the same, strict and relaxed, with models and NULLs.
CREATE FUNCTION same_on_disk(release regclass) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    digest text := kanon_digest(release);
BEGIN
    SET LOCAL kanon.partitioning = 'tree';
    EXECUTE format('REFRESH MATERIALIZED VIEW %s', release);
    SET LOCAL kanon.partitioning = 'auto';
    RETURN digest = kanon_digest(release);
END $$;
SET client_min_messages = warning;
SELECT kanon_create_release('relaxed', 'people', 5, 'relaxed_mondrian'),
    kanon_create_release('modelled', 'people', 5, 'mondrian', models => 'distinct(disease, 3)'),
    kanon_create_release('targeted', 'people', 5, 'mondrian', options => '{"split": "infogain", "target": "disease"}');
RESET client_min_messages;
SELECT release, same_on_disk(release) FROM kanon_release ORDER BY release::text COLLATE "C";
SELECT release, s.* FROM kanon_release, shows(release) s WHERE release::text IN ('relaxed', 'modelled', 'targeted') AND strange IS NOT NULL;

-- Relaxed partitioning does not deal what would be hidden on both sides.
SELECT count(DISTINCT sex) FILTER (WHERE sex <> '*') AS shown, bool_and(sex <> '*' OR sex IS NULL) AS never_hidden
FROM (SELECT kanon_view_cell(c, 'f1', NULL::text) AS sex FROM (
    SELECT kanon_view_cells('relaxed_mondrian', 5, ROW(sex), dimensions => ARRAY[0]::regclass[]) OVER () AS c
    FROM people WHERE sex IN ('F', 'male')) s) s;

-- The option stays until it is given.
SET client_min_messages = warning;
SELECT kanon_replace_release('ranged', k => 6), kanon_replace_release('plain', k => 6);
SELECT release, k, parameters ->> 'ranges' AS ranges FROM kanon_release WHERE release::text IN ('plain', 'ranged') ORDER BY release::text COLLATE "C";
SELECT kanon_refresh_release('ranged') IS NOT NULL AS refreshed;
SELECT kanon_replace_release('ranged', k => 7);
SELECT parameters ->> 'ranges' AS ranges, bool_or(strange IS NOT NULL) AS shown FROM kanon_release, shows(release) WHERE release = 'ranged'::regclass GROUP BY 1;
SELECT kanon_replace_release('plain', options => '{"ranges": true}'), kanon_replace_release('ranged', options => '{"ranges": false}');
SELECT release, bool_or(strange IS NOT NULL) AS shown FROM kanon_release, shows(release) WHERE release::text IN ('plain', 'ranged') GROUP BY release ORDER BY release::text COLLATE "C";
RESET client_min_messages;

-- Recodings cell by cell take ranges as well (see matching_ranges.sql); others do not, and lose them.
\set VERBOSITY terse
SELECT kanon_create_release('levels', 'people', 5, 'full_domain', options => '{"ranges": true}');
\set VERBOSITY default
SET kanon.memory_limit = '256MB';
SET client_min_messages = warning;
SELECT kanon_create_release('texts', 'people', 5, 'mondrian', quasi_identifiers => '{sex}', options => '{"ranges": true}');
RESET client_min_messages;
SELECT kanon_replace_release('texts', recoding => 'full_domain');
SELECT parameters ->> 'ranges' AS ranges FROM kanon_release WHERE release = 'texts'::regclass;
RESET kanon.memory_limit;

DROP SCHEMA ranges CASCADE;
