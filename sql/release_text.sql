-- The text of releases: whatever the names, the settings, the dimensions and the storage
\set VERBOSITY terse
SET client_min_messages = warning;
CREATE SCHEMA release_text;
SET search_path = release_text, public;

-- Columns called like whatever the text calls something: rows of a class are counted, not those
-- of a column.
CREATE TYPE trap AS (class_number bigint, disease text, age int);
CREATE TABLE named (age int, disease text, s trap, d trap, generalized trap, judged trap, recoded trap, quasi trap,
    cells trap, class trap, class_size int, class_number int, satisfied boolean, person trap, age_dim trap, disease_dim trap);
INSERT INTO named SELECT i / 4, 'd' || i % 3, t, t, t, t, t, t, t, t, i, i, true, t, t, t
FROM generate_series(1, 40) i, LATERAL (SELECT ROW(1, 'd' || i % 5, i)::trap AS t) t;
CREATE TABLE ages AS SELECT i AS age, i / 5 AS five, '*'::text AS top FROM generate_series(0, 10) i;
CREATE TABLE kinds AS SELECT DISTINCT disease, 'all'::text AS kind FROM named;
SELECT count(kanon_set_attribute('named', attname, CASE WHEN attname = 'age' THEN 'quasi_identifier' WHEN attname = 'disease' THEN 'sensitive' ELSE 'insensitive' END))
FROM pg_attribute WHERE attrelid = 'named'::regclass AND attnum > 0;
SELECT kanon_set_attribute('named', 'age', 'quasi_identifier', 'ages'), kanon_set_attribute('named', 'disease', 'sensitive', 'kinds');
SELECT kanon_create_release('named_full', 'named', 5, 'full_domain', options => '{"levels": [1]}', suppression => 0.9, models => ARRAY['distinct(disease, 2)', 'closeness(disease, 0.5)']);
SELECT kanon_create_release('named_plain', 'named', 4, 'full_domain', options => '{"levels": [0]}', suppression => 0.9);
SELECT kanon_create_release('named_mondrian', 'named', 5, 'mondrian', models => ARRAY['closeness(disease, 0.5)'], person => 'class_size');
SELECT kanon_create_release('named_ring', 'named', 5, 'ring', options => '{"seed": "x"}');
SELECT (SELECT min(n) FROM (SELECT count(*) AS n FROM named_full GROUP BY age) c) AS full_domain,
    (SELECT count(*) FROM named_plain) AS plain,
    (SELECT min(n) FROM (SELECT count(*) AS n FROM named_mondrian GROUP BY age) c) AS mondrian,
    (SELECT count(*) FROM named_ring) AS ring;
SELECT satisfied FROM kanon_check('named_full', 5, models => ARRAY['distinct(disease, 2)']);

-- What a release reads of a dimension stays as it is; it may be called otherwise
\set VERBOSITY default
CREATE FUNCTION refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RAISE EXCEPTION 'done';
EXCEPTION WHEN dependent_objects_still_exist OR feature_not_supported THEN RETURN sqlstate; WHEN raise_exception THEN RETURN sqlerrm;
END $$;
CREATE TABLE asked AS SELECT i % 10 AS age, 'd' || i % 3 AS disease FROM generate_series(1, 60) i;
CREATE FUNCTION ask(recoding text, models kanon_models DEFAULT '') RETURNS TABLE (what text, drop_ground text, drop_top text, retype text, drop_table text) LANGUAGE plpgsql AS $$
DECLARE
    dimension text := CASE WHEN models::text = '' THEN 'years' ELSE 'ills' END;
BEGIN
    CREATE TABLE years AS SELECT i AS age, i / 5 AS five, 0 AS top FROM generate_series(0, 10) i;
    CREATE TABLE ills AS SELECT DISTINCT disease, 'kind' AS kind, 'top' AS top FROM asked;
    PERFORM kanon_set_attribute('asked', 'age', 'quasi_identifier', CASE WHEN models::text = '' THEN 'years'::regclass END),
        kanon_set_attribute('asked', 'disease', 'sensitive', 'ills');
    PERFORM kanon_create_release('answer', 'asked', 3, recoding, options => jsonb_build_object('levels', CASE WHEN recoding = 'full_domain' THEN '{1}'::int[] END), models => models);
    what := concat_ws(' ', recoding, nullif(models::text, ''));
    drop_ground := refused(format('ALTER TABLE %I DROP COLUMN %I', dimension, CASE dimension WHEN 'years' THEN 'age' ELSE 'disease' END));
    drop_top := refused(format('ALTER TABLE %I DROP COLUMN top', dimension));
    retype := refused(format('ALTER TABLE %I ALTER COLUMN %I TYPE name', dimension, CASE dimension WHEN 'years' THEN 'age' ELSE 'disease' END));
    drop_table := refused(format('DROP TABLE %I', dimension));
    EXECUTE format('ALTER TABLE %I RENAME TO renamed', dimension);
    EXECUTE format('ALTER TABLE renamed RENAME COLUMN %I TO ground', CASE dimension WHEN 'years' THEN 'age' ELSE 'disease' END);
    REFRESH MATERIALIZED VIEW answer;
    IF (SELECT count(*) FROM answer) <> 60 THEN RAISE 'rows are missing'; END IF;
    DROP MATERIALIZED VIEW answer;
    EXECUTE 'DROP TABLE IF EXISTS years, ills, renamed';
    RETURN NEXT;
END $$;
SELECT * FROM ask('full_domain');
SELECT * FROM ask('mondrian');
SELECT * FROM ask('relaxed_mondrian');
SELECT * FROM ask('ring');
SELECT * FROM ask('two_phase');
SELECT * FROM ask('mondrian', ARRAY['closeness(disease, 0.9)']);
SELECT * FROM ask('full_domain', ARRAY['closeness(disease, 0.9)']);
-- It costs nothing: what nobody reads is not in the plan.
SELECT kanon_create_release('planned', 'named', 5, 'ring', options => '{"seed": "x"}');
SELECT replace(pg_get_viewdef('planned'), ';', '') AS planned \gset
CREATE FUNCTION plan(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY EXECUTE 'EXPLAIN (COSTS OFF) ' || query; END $$;
SELECT count(*) FROM plan(:'planned') p WHERE p LIKE '%ages%';

-- Stored in many ways, released in one
CREATE TYPE pair AS (text text, number int);
CREATE DOMAIN tale AS text;
CREATE DOMAIN tales AS text[];
CREATE TABLE stored (q text, number int, t text, v varchar, f varchar(3), b bytea, j jsonb, js json, a text[], n numeric, r numrange, p pair, td tale, ta tales, bits varbit);
CREATE FUNCTION fill(method text, storage text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    c name;
BEGIN
    FOR c IN SELECT attname FROM pg_attribute WHERE attrelid = 'stored'::regclass AND attnum > 0 AND attstorage <> 'p' LOOP
        EXECUTE format('ALTER TABLE stored ALTER %I SET STORAGE %s', c, storage);
        IF method <> '' THEN
            EXECUTE format('ALTER TABLE stored ALTER %I SET COMPRESSION %s', c, method);
        END IF;
    END LOOP;
    INSERT INTO stored SELECT l, i % 3, l, l, 'abc', l::bytea, to_jsonb(l), to_json(l), ARRAY[l, l],  1 + 10::numeric ^ 4000, numrange(0, 10::numeric ^ 4000), ROW(l, 1)::release_text.pair, l, ARRAY[l, l], repeat('01', 9000)::varbit
    FROM (SELECT repeat('Rome is a city. ', 200)) t (l), generate_series(1, 3) i;
END $$;
SELECT fill('pglz', 'EXTENDED'), fill('', 'EXTERNAL'), fill('pglz', 'MAIN');
-- Composites keep what is compressed inside them.
INSERT INTO stored (q, number, t, v, f, b, j, js, a, n, r, p, td, ta, bits)
SELECT s.q, s.number, s.t, s.v, s.f, s.b, s.j, s.js, s.a, s.n, s.r, ROW(s.q, 1)::pair, s.td, s.ta, s.bits FROM stored s LIMIT 3;
SELECT count(DISTINCT (pg_column_size(q), pg_column_size(a), pg_column_size(n), pg_column_size((p).text))) > 2 AS stored_differently FROM stored;
SELECT count(kanon_set_attribute('stored', attname, CASE WHEN attname = 'q' THEN 'quasi_identifier' ELSE 'sensitive' END))
FROM pg_attribute WHERE attrelid = 'stored'::regclass AND attnum > 0;
CREATE FUNCTION ways(release regclass, OUT ways text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT string_agg(DISTINCT concat_ws('','', %s), ''; '') FROM %s', (SELECT string_agg(format('pg_column_size(%1$I), pg_column_compression(%1$I)', attname), ', ')
        || ', pg_column_size((p).text), pg_column_compression((p).text)' FROM pg_attribute
        WHERE attrelid = release AND attnum > 0 AND attlen = -1), release) INTO ways;
    ways := (SELECT count(*) FROM regexp_split_to_table(ways, '; '));
END $$;
SELECT recoding, ways(kanon_create_release('written_' || recoding, 'stored', 3, recoding, options => jsonb_build_object('levels', levels)))
FROM (VALUES ('full_domain', '{0}'::int[]), ('mondrian', NULL), ('ring', NULL), ('two_phase', NULL)) r (recoding, levels);
SELECT count(*) AS rows, count(DISTINCT (s.q, s.t, s.v, s.f, s.b, s.j, s.a, s.n, s.r, s.p, s.td, s.ta, s.bits)) AS values FROM written_full_domain s
WHERE (s.q, s.v, s.b, s.j, s.a, s.n, s.r, s.p, s.ta, s.bits) IN (SELECT q, v, b, j, a, n, r, p, ta, bits FROM stored);
-- Labels of a dimension likewise.
CREATE TABLE places (q text, place text, top text);
INSERT INTO places SELECT i::text, repeat('Rome is a city. ', 200), '*' FROM generate_series(0, 2) i;
ALTER TABLE places ALTER place SET STORAGE EXTERNAL;
INSERT INTO places SELECT i::text, repeat('Rome is a city. ', 200), '*' FROM generate_series(3, 5) i;
CREATE TABLE lived AS SELECT (i % 6)::text AS q FROM generate_series(1, 12) i;
SELECT kanon_set_attribute('lived', 'q', 'quasi_identifier', 'places');
SELECT kanon_create_release('lived_in', 'lived', 12, 'full_domain', options => '{"levels": [1]}');
SELECT count(DISTINCT pg_column_size(q)) AS sizes, count(DISTINCT q) AS labels, count(*) AS rows FROM lived_in;

-- A ground value of another type: by no setting, or not at all
SET datestyle = 'ISO'; SET intervalstyle = 'postgres';
CREATE TABLE born (day date, n int, f float8, m money, span interval);
INSERT INTO born SELECT date '1970-03-04' + i % 4, i % 2, i % 2, (i % 2)::text::money, make_interval(days => i % 2) FROM generate_series(1, 20) i;
CREATE TABLE days AS SELECT DISTINCT day::text AS day, to_char(day, 'YYYY') AS year, '*' AS top FROM born;
CREATE TABLE ns AS SELECT DISTINCT n::text AS n, 'all' AS one FROM born;
CREATE TABLE fs AS SELECT DISTINCT f::text AS f, 'all' AS one FROM born;
CREATE TABLE spans AS SELECT DISTINCT span::text AS span, 'a' || span AS one, 'top' AS top FROM born;
CREATE TABLE ms AS SELECT DISTINCT m::text AS m, 'a' || m AS one, 'top' AS top FROM born;
SELECT kanon_set_attribute('born', 'day', 'quasi_identifier', 'days'), kanon_set_attribute('born', 'n', 'quasi_identifier', 'ns'),
    kanon_set_attribute('born', 'f', 'quasi_identifier', 'fs'), kanon_set_attribute('born', 'span', 'quasi_identifier', 'spans');
\pset format unaligned
SELECT kanon_generalized_query('born', '{1,1,0,1}', 2);
\pset format aligned
SELECT kanon_create_release('births', 'born', 2, 'full_domain', options => '{"levels": [1, 0, 0, 1]}');
CREATE TABLE before AS SELECT * FROM births;
SET datestyle = 'German'; SET intervalstyle = 'sql_standard'; SET extra_float_digits = -15; SET timezone = 'Asia/Tokyo';
REFRESH MATERIALIZED VIEW births;
SELECT count(*) FROM (TABLE births EXCEPT ALL TABLE before) x;
SELECT satisfied FROM kanon_check('births', 2);
SET datestyle = 'ISO'; SET intervalstyle = 'postgres'; RESET extra_float_digits; RESET timezone;
INSERT INTO days VALUES ('5.3.1970', '1970', '*');
SELECT kanon_generalized_query('born', '{1,1,0,1}', 2);
DELETE FROM days WHERE day LIKE '%.%';
SELECT kanon_set_attribute('born', 'm', 'quasi_identifier', 'ms'), kanon_set_attribute('born', 'day', 'insensitive');
SELECT kanon_generalized_query('born', '{1}', 2, '{m}');
SELECT kanon_create_release('never', 'born', 2, 'full_domain', options => '{"levels": [1]}', quasi_identifiers => '{m}');
SELECT kanon_create_release('other_way', 'born', 2, quasi_identifiers => '{m}');
-- A label is a constant only where its text is read in one way; a domain's check is not asked.
CREATE DOMAIN picky AS text CHECK (value = 'yes');
CREATE TABLE picked (n int, top picky);
INSERT INTO picked SELECT i, 'yes' FROM generate_series(0, 1) i;
CREATE TABLE spanned (n int, top interval);
INSERT INTO spanned SELECT i, '-1 day' FROM generate_series(0, 1) i;
SELECT kanon_set_attribute('born', 'n', 'quasi_identifier', 'picked'), kanon_set_attribute('born', 'f', 'quasi_identifier', 'spanned');
\pset format unaligned
SELECT kanon_generalized_query('born', '{1,1}', 2, '{n,f}');
\pset format aligned
SELECT kanon_create_release('topped', 'born', 2, 'full_domain', options => '{"levels": [1, 1]}', quasi_identifiers => '{n,f}');
SELECT DISTINCT n, pg_typeof(n), f, pg_typeof(f) FROM topped;

DROP SCHEMA release_text CASCADE;
