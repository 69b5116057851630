-- Releases whose cells are generalized one by one: their text, their seeds, and that every
-- row stands for k others whatever happens.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
RESET client_min_messages;
\set SHOW_CONTEXT never
CREATE SCHEMA release_matching;
SET search_path = release_matching, public;

CREATE TABLE patients (name text, age int, sex text, zipcode text, disease text, note text);
INSERT INTO patients VALUES
    ('Ann', 25, 'f', '53711', 'flu'), ('Bob', 25, 'm', '53712', 'hepatitis'),
    ('Cid', 26, 'm', '53711', 'asthma'), ('Dan', 27, 'm', '53710', 'bronchitis'),
    ('Eve', 27, 'f', '53712', 'measles'), ('Fay', 28, 'f', '53711', 'broken arm');
SELECT kanon_set_attribute('patients', 'name', 'identifier');
SELECT kanon_set_attribute('patients', 'age', 'quasi_identifier');
SELECT kanon_set_attribute('patients', 'sex', 'quasi_identifier');
SELECT kanon_create_dimension('zips', 'patients', 'zipcode', 'digits');
SELECT kanon_set_attribute('patients', 'disease', 'sensitive');
SELECT kanon_set_attribute('patients', 'note', 'identifier');

-- What must hold of any release of patients: as many rows, each of which covers a person with
-- its disease, and each disease as often as it is.
CREATE FUNCTION sound(release text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    answer boolean;
BEGIN
    EXECUTE format('SELECT NOT EXISTS (SELECT disease FROM patients EXCEPT ALL SELECT disease FROM %1$s)
        AND NOT EXISTS (SELECT disease FROM %1$s EXCEPT ALL SELECT disease FROM patients)
        AND NOT EXISTS (SELECT FROM %1$s r WHERE NOT EXISTS (SELECT FROM patients p WHERE p.disease = r.disease
            AND %2$s AND r.sex IN (''*'', p.sex) AND p.zipcode LIKE translate(r.zipcode, ''*'', ''_'')))', release,
        (SELECT CASE WHEN atttypid = 'int'::regtype THEN '(r.age IS NULL OR r.age = p.age)' ELSE 'r.age @> p.age' END FROM pg_attribute WHERE attrelid = release::regclass AND attname = 'age')) INTO answer;
    RETURN answer;
END $$;

-- Columns keep their order and names; numbers become ranges.
SELECT kanon_create_release('study', 'patients', 2, 'ring', options => '{"seed": "a test", "redraw": true}');
\d study
\pset format unaligned
\pset tuples_only on
SELECT regexp_replace(regexp_replace(pg_get_viewdef('study'), '\m(recoded|judged)\.', '', 'g'), 'seed\(+\d+', 'seed((number', 'g');
\pset tuples_only off
\pset format aligned
SELECT * FROM study;
SELECT sound('study');
SELECT relation, recoding, k, columns, quasi_identifiers, levels, models, person, suppression, rows, classes,
    smallest, missing FROM kanon_release WHERE release = 'study'::regclass;
SELECT release, seed FROM kanon_seed;
SELECT * FROM kanon_check('study', 2);
-- .. its loss, cell by cell: by width, hidden or not, and by the zip codes that have the digits shown
SELECT round(loss::numeric, 6) AS loss,
    (SELECT round(avg(((upper(age) - lower(age) - 1) / 3.0 + (sex = '*')::int + ((SELECT count(*) FROM zips z WHERE z.zipcode LIKE translate(s.zipcode, '*', '_')) - 1) / 2.0) / 3), 6) FROM study s) AS by_hand,
    (SELECT round(q.loss::numeric, 6) FROM kanon_quality('study', 'patients') q) AS as_measured
FROM kanon_release WHERE release = 'study'::regclass;

-- The same seed and the same people: the same rows, in whatever order they lie
CREATE TABLE before AS SELECT * FROM study;
CREATE FUNCTION unchanged() RETURNS boolean LANGUAGE sql AS $$
    SELECT (SELECT array_agg(s ORDER BY s.ctid) FROM study s)::text = (SELECT array_agg(b ORDER BY b.ctid) FROM before b)::text
$$;
REFRESH MATERIALIZED VIEW study;
SELECT unchanged();
UPDATE patients SET name = name WHERE name IN ('Ann', 'Eve');
CREATE TABLE copied AS SELECT * FROM patients ORDER BY name DESC;
DELETE FROM patients;
INSERT INTO patients SELECT * FROM copied;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('study');
SELECT unchanged();
SELECT kanon_create_release('again', 'patients', 2, 'ring', options => '{"seed": "a test"}');
SELECT (SELECT array_agg(a ORDER BY a.ctid) FROM again a)::text = (SELECT array_agg(b ORDER BY b.ctid) FROM before b)::text AS same;
SELECT kanon_drop_release('again');
-- .. without a seed one that nobody can foretell; each release has its own
SELECT kanon_create_release('one', 'patients', 2, 'ring', options => '{"ranges": false}');
SELECT kanon_create_release('survey', 'patients', 2, 'two_phase');
SELECT release, recoding, sound(release::text) FROM kanon_release ORDER BY release::text COLLATE "C";
SELECT count(DISTINCT seed), min(length(seed)) FROM kanon_seed WHERE release <> 'study'::regclass;
SELECT kanon_drop_release('one');
DROP MATERIALIZED VIEW survey;
SELECT release FROM kanon_seed;

-- Matched anew at each refresh, plain or kanon's
INSERT INTO patients VALUES ('Gus', 70, 'm', '53710', 'gout'), ('Hal', 71, 'm', '53712', 'flu');
DELETE FROM patients WHERE name IN ('Ann', 'Dan', 'Eve');
REFRESH MATERIALIZED VIEW study;
SELECT count(*), sound('study') FROM study;
SELECT rows, classes, smallest, missing FROM kanon_release WHERE release = 'study'::regclass;
UPDATE patients SET sex = NULL WHERE name = 'Gus';
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('study');
SELECT count(*) FROM study;
-- .. of nobody left, or too few
BEGIN;
DELETE FROM patients WHERE name <> 'Gus';
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('study');
SELECT * FROM study;
SAVEPOINT lonely;
SELECT kanon_create_release('lonely', 'patients', 2, 'two_phase');
ROLLBACK TO lonely;
DELETE FROM patients;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('study');
SELECT kanon_create_release('nobody', 'patients', 2, 'ring', options => '{"ranges": false}');
SELECT release, rows, classes, smallest, missing, loss IS NULL AS nothing_lost FROM kanon_release ORDER BY release::text COLLATE "C";
SELECT rows, classes, smallest, suppressed, loss FROM kanon_quality('nobody', 'patients');
ROLLBACK;
-- .. but a value that the dimension lacks is shown as what stands for everything
INSERT INTO patients VALUES ('Jon', 30, 'm', '99999', 'flu');
REFRESH MATERIALIZED VIEW study;
SELECT kanon_create_release('lacking', 'patients', 2, 'ring', options => '{"ranges": false}');
SELECT zipcode, count(*) FROM lacking GROUP BY zipcode ORDER BY zipcode;
SELECT satisfied FROM kanon_check_matchings('lacking');
SELECT kanon_drop_release('lacking');
SELECT count(*) FROM study;
SELECT release FROM kanon_seed;
DELETE FROM patients WHERE name = 'Jon';

-- Everything may be renamed; a dimension cannot be dropped from under it
ALTER TABLE patients RENAME COLUMN zipcode TO zip_code;
ALTER TABLE zips RENAME TO zip_dimension;
ALTER MATERIALIZED VIEW study RENAME TO survey;
REFRESH MATERIALIZED VIEW survey;
SELECT count(*) FROM survey;
SELECT release FROM kanon_seed;
ALTER MATERIALIZED VIEW survey RENAME TO study;
DROP TABLE zip_dimension;
ALTER TABLE patients DROP COLUMN age;
ALTER TABLE patients RENAME COLUMN zip_code TO zipcode;
ALTER TABLE zip_dimension RENAME TO zips;

-- A seed is for the release's owner alone
SELECT number AS seed FROM kanon_seed \gset
SELECT kanon_view_seed(:seed);
EXPLAIN (VERBOSE, COSTS OFF) SELECT kanon_view_seed(1);
CREATE ROLE regress_steward;
CREATE ROLE regress_intern IN ROLE regress_steward;
CREATE ROLE regress_reader;
GRANT USAGE, CREATE ON SCHEMA release_matching TO regress_steward;
GRANT USAGE ON SCHEMA release_matching TO regress_reader;
GRANT SELECT ON study TO regress_reader;
CREATE FUNCTION try_seed(number bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    detail text;
BEGIN
    RETURN kanon_view_seed(number);
EXCEPTION WHEN insufficient_privilege THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    RETURN regexp_replace(SQLERRM, '\d+', 'number') || coalesce('.  ' || nullif(detail, ''), '');
END $$;
GRANT EXECUTE ON FUNCTION try_seed TO PUBLIC;
SET ROLE regress_reader;
SELECT count(*) FROM study;
SELECT try_seed(:seed);
SELECT * FROM kanon_seed;
UPDATE kanon_seed SET seed = 'mine';
SELECT nextval('kanon_seed_number_seq');
RESET ROLE;
ALTER MATERIALIZED VIEW study OWNER TO regress_steward;
GRANT SELECT ON patients, zips TO regress_steward;
SET ROLE regress_steward;
SELECT try_seed(:seed), (SELECT satisfied FROM kanon_refresh_release('study'));
SET ROLE regress_intern;
SELECT try_seed(:seed);
REFRESH MATERIALIZED VIEW study;
SET ROLE regress_reader;
SELECT try_seed(:seed);
RESET ROLE;
REFRESH MATERIALIZED VIEW study;
SELECT count(*) FROM study;
-- .. a release of their own, which they need no right to the table of seeds for
SET ROLE regress_steward;
SELECT kanon_create_release('own', 'patients', 2, 'ring', quasi_identifiers => '{age,zipcode}', options => '{"ranges": false, "seed": "steward"}');
RESET ROLE;
SELECT count(*) FROM kanon_seed WHERE seed = 'steward';
SELECT kanon_drop_release('own');
-- .. without its seed a release is not refreshed
CREATE FUNCTION try_refresh(release text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    hint text;
BEGIN
    EXECUTE format('REFRESH MATERIALIZED VIEW %s', release);
    RETURN 'refreshed';
EXCEPTION WHEN undefined_object THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RETURN regexp_replace(SQLERRM, '\d+', 'number') || '. ' || hint;
END $$;
BEGIN;
DELETE FROM kanon_seed;
SELECT try_refresh('study');
SELECT count(*) FROM study;
ROLLBACK;
SELECT kanon_view_seed(0);
SELECT kanon_view_seed(NULL);
SELECT kanon_drop_release('study');

-- Without the draw each row has its own record's cells; its seed is drawn from by nobody
SELECT kanon_create_release('plain', 'patients', 2, 'ring', options => '{"ranges": false, "randomize": false}');
SELECT pg_get_viewdef('plain') ~ '"randomize": false' AS not_drawn, pg_get_viewdef('plain') ~ 'seed' AS seed;
SELECT length(seed), redraw, length(dealt) FROM kanon_seed;
SELECT kanon_drop_release('plain');

-- Dealt once: a refresh that would deal anew what has changed is refused, plain or kanon's
CREATE TABLE guests (id int PRIMARY KEY, age int, town text, disease text);
INSERT INTO guests SELECT i, 20 + i * 7 % 30, 'town ' || i % 3, 'disease ' || i % 5 FROM generate_series(1, 40) i;
SELECT kanon_set_attribute('guests', 'id', 'identifier'), kanon_set_attribute('guests', 'age', 'quasi_identifier'),
    kanon_set_attribute('guests', 'town', 'quasi_identifier'), kanon_set_attribute('guests', 'disease', 'sensitive');
SET client_min_messages = warning;
SELECT kanon_create_release('ring', 'guests', 4, 'ring'), kanon_create_release('phases', 'guests', 4, 'two_phase'),
    kanon_create_release('undrawn', 'guests', 4, 'ring', options => '{"randomize": false}'), kanon_create_release('redrawn', 'guests', 4, 'ring', options => '{"redraw": true}');
RESET client_min_messages;
CREATE TABLE dealt AS SELECT 'ring' AS release, r::text AS row FROM ring r UNION ALL SELECT 'phases', r::text FROM phases r UNION ALL SELECT 'undrawn', r::text FROM undrawn r;
CREATE FUNCTION refused(release text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('REFRESH MATERIALIZED VIEW %I', release);
    RETURN 'refreshed';
EXCEPTION WHEN object_not_in_prerequisite_state THEN
    RETURN SQLERRM;
END $$;
-- .. rows in another order are no change, nor is what is not published
UPDATE guests SET id = -id;
SELECT release, refused(release) FROM unnest('{ring,phases,undrawn,redrawn}'::text[]) release;
-- .. one guest more, one less, another age though all are hidden, another disease
BEGIN;
INSERT INTO guests VALUES (41, 33, 'town 1', 'disease 1');
SELECT release, refused(release) FROM unnest('{ring,phases,undrawn,redrawn}'::text[]) release;
ROLLBACK;
BEGIN;
DELETE FROM guests WHERE id = -7;
SELECT release, refused(release) FROM unnest('{ring,phases,undrawn,redrawn}'::text[]) release;
ROLLBACK;
BEGIN;
UPDATE guests SET age = age + 1 WHERE id = -7;
SELECT release, refused(release) FROM unnest('{ring,phases,undrawn,redrawn}'::text[]) release;
ROLLBACK;
UPDATE guests SET disease = 'none' WHERE id = -7;
SELECT release, refused(release) FROM unnest('{ring,phases,undrawn,redrawn}'::text[]) release;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('phases');
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('ring', concurrently => true);
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('redrawn', concurrently => true);
SELECT count(*) FROM (TABLE dealt EXCEPT ALL (SELECT 'ring', r::text FROM ring r UNION ALL SELECT 'phases', r::text FROM phases r UNION ALL SELECT 'undrawn', r::text FROM undrawn r)) d;
-- .. what is emptied stays what it was, and what holds nothing may be filled once
REFRESH MATERIALIZED VIEW ring WITH NO DATA;
SELECT refused('ring');
UPDATE guests SET disease = 'disease ' || -id % 5 WHERE id = -7;
SELECT refused('ring');
SELECT count(*) FROM (SELECT row FROM dealt WHERE release = 'ring' EXCEPT ALL SELECT r::text FROM ring r) d;
BEGIN;
DELETE FROM guests WHERE id < -3;
SELECT refused('ring');
TABLE ring;
CREATE TEMP TABLE three ON COMMIT DROP AS TABLE guests;
DELETE FROM guests;
SELECT kanon_create_release('few', 'guests', 4, 'ring', options => '{"randomize": false}');
INSERT INTO guests TABLE three;
INSERT INTO guests VALUES (41, 33, 'town 1', 'disease 1');
SELECT refused('few');
INSERT INTO guests VALUES (42, 34, 'town 1', 'disease 1');
SELECT refused('few');
ROLLBACK;
-- .. nobody says what it was dealt from
BEGIN;
DELETE FROM kanon_seed;
REFRESH MATERIALIZED VIEW undrawn;
ROLLBACK;
\set VERBOSITY terse
SELECT kanon_create_release('r', 'guests', 4, 'mondrian', options => '{"redraw": true}');
\set VERBOSITY default
-- .. where it may be dealt anew, parts that no change reaches are dealt as they were
TRUNCATE guests;
INSERT INTO guests SELECT i, CASE WHEN i <= 20 THEN 20 + i % 4 ELSE 80 + i % 4 END, CASE WHEN i <= 20 THEN 'a' ELSE 'z' END, 'disease ' || i FROM generate_series(1, 40) i;
REFRESH MATERIALIZED VIEW redrawn;
CREATE TABLE young AS SELECT * FROM redrawn WHERE substring(disease FROM 9)::int <= 20;
DELETE FROM guests WHERE id > 37;
REFRESH MATERIALIZED VIEW redrawn;
SELECT (SELECT count(*) FROM redrawn) AS rows, (SELECT count(*) FROM (TABLE young EXCEPT ALL TABLE redrawn) y) AS young_dealt_anew;
SET client_min_messages = warning;
DROP TABLE guests CASCADE;
RESET client_min_messages;
SELECT count(*) FROM kanon_seed;

-- Whose row it is, is recovered one time in k, over twenty seeds, by someone who knows everyone's record, and less where
-- records far away look the same
CREATE TABLE crowd (id int, a int, b int, c int, d int, e int, f int, g int, h int, i int, j int);
INSERT INTO crowd SELECT n, x & 1, x >> 1 & 1, x >> 2 & 1, x >> 3 & 1, x >> 4 & 1, x >> 5 & 1, x >> 6 & 1, x >> 7 & 1, x >> 8 & 1, x >> 9 & 1
FROM (SELECT n, hashint4(n) AS x FROM generate_series(1, 60) n) s;
SELECT count(kanon_set_attribute('crowd', attname, CASE attname WHEN 'id' THEN 'insensitive' ELSE 'quasi_identifier' END))
FROM pg_attribute WHERE attrelid = 'crowd'::regclass AND attnum > 0;
CREATE FUNCTION recovered(recoding text, k int, seeds int) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    hits numeric := 0;
    one numeric;
BEGIN
    PERFORM kanon_create_release('open_crowd', 'crowd', k, recoding, options => '{"randomize": false}');
    FOR seed IN 1 .. seeds LOOP
        PERFORM kanon_create_release('hidden_crowd', 'crowd', k, recoding, options => jsonb_build_object('seed', 'seed ' || seed));
        -- Among the records with the same cells one guess is as good as another.
        SELECT sum(1.0 / alike) INTO one
        FROM (SELECT id, to_jsonb(own) - 'id' AS cells, count(*) OVER (PARTITION BY to_jsonb(own) - 'id') AS alike FROM open_crowd own) known
        JOIN hidden_crowd seen ON seen.id = known.id AND to_jsonb(seen) - 'id' = known.cells;
        hits := hits + one;
        PERFORM kanon_drop_release('hidden_crowd');
    END LOOP;
    PERFORM kanon_drop_release('open_crowd');
    RETURN hits / (seeds * (SELECT count(*) FROM crowd));
END $$;
SET client_min_messages = warning;
SELECT recoding, k, recovered(recoding, k, 20) * k BETWEEN 0.6 AND 1.1 AS one_in_k FROM unnest('{ring,two_phase}'::text[]) recoding, unnest('{2,3}'::int[]) k;
RESET client_min_messages;

-- Of people who look alike, the order of their values does not tell who is matched with whom
CREATE TABLE twins (a int, b int, id int, disease text, note json);
INSERT INTO twins VALUES (1, 0, 1, 'k', '{}'), (1, 1, 2, 'a', NULL), (1, 1, 3, 'z', '[1]'), (1, 1, 4, 'm', '1');
SELECT count(kanon_set_attribute('twins', attname, CASE WHEN attnum > 2 THEN 'sensitive' ELSE 'quasi_identifier' END))
FROM pg_attribute WHERE attrelid = 'twins'::regclass AND attnum > 0;
CREATE FUNCTION lesser_first(seeds int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    first int := 0;
BEGIN
    FOR seed IN 1 .. seeds LOOP
        PERFORM kanon_create_release('hidden_twins', 'twins', 2, 'ring', options => jsonb_build_object('ranges', false, 'seed', 'seed ' || seed));
        first := first + (SELECT count(*) FROM hidden_twins WHERE id = 2 AND b = 1);
        PERFORM kanon_drop_release('hidden_twins');
    END LOOP;
    RETURN first;
END $$;
SELECT lesser_first(40) BETWEEN 17 AND 36 AS two_thirds_of_the_times;

-- Cells of every kind of type: as they are, or hidden; NULL is a value, too
CREATE DOMAIN positive AS int CHECK (VALUE > 0) NOT NULL;
CREATE TYPE mood AS ENUM ('low', 'high');
CREATE TABLE kinds (id int, s int2, n numeric, d date, z timestamptz, f float8, w text, v varchar(3), c char(3), m name, o bool, e mood, p positive, r int4range, a int[], i interval);
INSERT INTO kinds SELECT n, n, n / 2.0, DATE '2000-01-01' + n, TIMESTAMPTZ '2000-01-01 00:00+00' + n * interval '1 hour', n / 4.0, chr(96 + n), 'v' || n, 'c' || n, 'm' || n, n > 1,
    (enum_range(NULL::mood))[n], n, int4range(n, n + 1), ARRAY[n, NULL], n * interval '1 day'
    FROM generate_series(1, 2) n;
SELECT kanon_set_attribute('kinds', attname, CASE attname WHEN 'id' THEN 'identifier' ELSE 'quasi_identifier' END)
FROM pg_attribute WHERE attrelid = 'kinds'::regclass AND attnum > 0;
SET TIME ZONE 'UTC';
SELECT kanon_create_release('all_kinds', 'kinds', 2, 'ring', options => '{"ranges": false, "redraw": true}');
SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum) FROM pg_attribute
WHERE attrelid = 'all_kinds'::regclass AND attnum > 0;
SELECT * FROM all_kinds \gx
UPDATE kinds SET (s, n, d, z, f, w, v, c, m, o, e, p, r, a, i) = (SELECT s, n, d, z, f, w, v, c, m, o, e, p, r, a, i FROM kinds WHERE id = 2);
REFRESH MATERIALIZED VIEW all_kinds;
SELECT * FROM all_kinds \gx
UPDATE kinds SET s = NULL, n = NULL, d = NULL, w = NULL, v = NULL WHERE id = 1;
REFRESH MATERIALIZED VIEW all_kinds;
SELECT s, n, d, w, v FROM all_kinds;
UPDATE kinds SET s = NULL, n = NULL, d = NULL, w = NULL, v = NULL;
REFRESH MATERIALIZED VIEW all_kinds;
SELECT s, n, d, w, v FROM all_kinds;
RESET TIME ZONE;

-- Labels: the least common ancestor; "*" where nothing is above all; NULL
CREATE TABLE jobs (job text, field text);
INSERT INTO jobs VALUES ('nurse', 'health'), ('doctor', 'health'), ('baker', 'food'), ('cook', 'food');
CREATE TABLE workers (id int, job text, pay int);
SELECT kanon_set_attribute('workers', 'job', 'quasi_identifier', 'jobs'), kanon_set_attribute('workers', 'pay', 'sensitive');
INSERT INTO workers VALUES (1, 'nurse', 1), (2, 'nurse', 2), (3, 'baker', 3), (4, 'cook', 4);
SELECT kanon_create_release('work', 'workers', 2, 'ring', options => '{"redraw": true}');
SELECT * FROM work;
SELECT r.loss, q.loss AS as_measured FROM kanon_release r, kanon_quality('work', 'workers') q WHERE r.release = 'work'::regclass;
UPDATE workers SET job = 'doctor' WHERE id = 1;
REFRESH MATERIALIZED VIEW work;
SELECT * FROM work;
UPDATE workers SET job = NULL WHERE id IN (1, 2);
REFRESH MATERIALIZED VIEW work;
SELECT * FROM work;
UPDATE workers SET job = 'cook' WHERE id = 1;
DELETE FROM workers WHERE id > 2;
REFRESH MATERIALIZED VIEW work;
SELECT * FROM work;
SELECT kanon_drop_release('work');

-- What a cell says: hidden is everything, masked digits stand for the codes that have the others
CREATE TABLE codes AS SELECT n AS id, (ARRAY['37', '38', '57', '58'])[n] AS code, n % 2 = 0 AS flag, 10 * n AS points FROM generate_series(1, 4) n;
SELECT kanon_create_dimension('code_digits', 'codes', 'code', 'digits');
SELECT kanon_set_attribute('codes', 'flag', 'quasi_identifier'), kanon_set_attribute('codes', 'points', 'quasi_identifier'),
    kanon_set_attribute('codes', 'id', 'sensitive');
SELECT kanon_create_release('coded', 'codes', 2, 'ring', options => '{"ranges": false, "randomize": false}');
SELECT * FROM coded ORDER BY id;
SELECT round(q.loss::numeric, 6) AS as_measured, round(r.loss::numeric, 6) AS loss FROM kanon_release r, kanon_quality('coded', 'codes') q WHERE r.release = 'coded'::regclass;
SELECT * FROM kanon_query_errors('coded', ARRAY['code = ''37''', 'code >= ''38'' AND flag = true', 'flag = true', 'points <= 20', 'points IS NULL'], 'codes');
SELECT kanon_drop_release('coded');
-- .. digits in the middle; NULL, which is NULL as long as there is one
UPDATE codes SET code = '1' || code || '9';
DROP TABLE code_digits;
SELECT kanon_create_dimension('code_digits', 'codes', 'code', 'digits');
SELECT kanon_create_release('coded', 'codes', 2, 'ring', quasi_identifiers => '{code}', options => '{"seed": "x", "redraw": true}');
SELECT code, count(*) FROM coded GROUP BY code ORDER BY code;
SELECT * FROM kanon_query_errors('coded', ARRAY['code = ''1379''', 'code < ''14'''], 'codes');
UPDATE codes SET code = NULL WHERE id < 3;
REFRESH MATERIALIZED VIEW coded;
SELECT code, count(*) FROM coded GROUP BY code ORDER BY code;
SELECT round(loss::numeric, 6) AS loss FROM kanon_quality('coded', 'codes');
SELECT predicate, actual, estimate FROM kanon_query_errors('coded', ARRAY['code IS NULL', 'code = ''1579'''], 'codes');
DELETE FROM codes WHERE code IS NULL;
SELECT round(loss::numeric, 6) AS loss FROM kanon_quality('coded', 'codes');
-- .. of a dimension that has other codes by now
DELETE FROM code_digits;
INSERT INTO code_digits VALUES ('137', '13*', '1**', '***', '*');
SELECT loss FROM kanon_quality('coded', 'codes');
SELECT kanon_drop_release('coded');

-- A unique column lets CONCURRENTLY through
SELECT kanon_create_release('coded', 'codes', 2, 'two_phase', quasi_identifiers => '{points,flag}', options => '{"ranges": false, "redraw": true}');
CREATE UNIQUE INDEX ON coded (id);
INSERT INTO codes VALUES (5, '1579', true, 50);
REFRESH MATERIALIZED VIEW CONCURRENTLY coded;
SELECT id FROM coded ORDER BY id;
SELECT kanon_drop_release('coded');

-- Who is like nobody in twelve columns, more patterns than are looked at, is matched all the same; three who are alike need nobody
CREATE TABLE strangers AS SELECT * FROM (SELECT CASE WHEN i < 4 THEN -i * 100 WHEN i > 97 THEN 1000 ELSE 0 END AS stranger, i FROM generate_series(1, 100) i) s,
    LATERAL (SELECT stranger + i % 2 * (i BETWEEN 4 AND 97)::int AS a, stranger AS b, stranger AS c, stranger AS d, stranger AS e, stranger AS f, stranger AS g, stranger AS h, stranger AS j, stranger AS k, stranger AS l, stranger AS m) t;
SELECT kanon_create_release('stranger_cells', 'strangers', 3, 'two_phase', quasi_identifiers => '{a,b,c,d,e,f,g,h,j,k,l,m}', options => '{"ranges": false}');
SELECT satisfied FROM kanon_check_matchings('stranger_cells', 3, 'strangers');
SELECT num_nulls(a, b, c, d, e, f, g, h, j, k, l, m) AS hidden, count(*) FROM stranger_cells GROUP BY hidden ORDER BY hidden;
SELECT kanon_drop_release('stranger_cells');

-- The order of a release's rows says nothing of the table's, nor do equal values that are written differently
CREATE TABLE samples AS SELECT n % 5 AS a, CASE WHEN n % 2 = 0 THEN 1.0 ELSE 1.00 END AS b, chr(97 + n % 4)::text AS s, json_build_object('n', n % 3) AS j,
    CASE WHEN n % 7 = 0 THEN 2.0 ELSE 2.00 END AS u FROM generate_series(1, 60) n;
CREATE TABLE samples_reversed AS SELECT * FROM samples ORDER BY row_number() OVER () DESC;
SELECT kanon_set_attribute(t, 'a', 'quasi_identifier'), kanon_set_attribute(t, 'b', 'quasi_identifier'),
    kanon_set_attribute(t, 's', 'sensitive'), kanon_set_attribute(t, 'j', 'sensitive'), kanon_set_attribute(t, 'u', 'insensitive')
FROM unnest('{samples,samples_reversed}'::regclass[]) t;
SELECT kanon_create_release('forth', 'samples', 4, 'ring', options => '{"seed": "x"}'), kanon_create_release('back', 'samples_reversed', 4, 'ring', options => '{"seed": "x"}');
SELECT (SELECT array_agg(r ORDER BY ctid) FROM forth r)::text = (SELECT array_agg(r ORDER BY ctid) FROM back r)::text AS same;
SELECT DISTINCT b FROM forth;

-- Names that the text uses itself, names that want quotes, and a view as source
CREATE TABLE "Odd ""one""" (cells int, "quasi" int, s text, "cells_" text, "Re coded" text);
INSERT INTO "Odd ""one""" SELECT n, n / 2, 'x', 'y', 'z' FROM generate_series(1, 8) n;
CREATE VIEW odd_view AS SELECT * FROM "Odd ""one""";
SELECT kanon_set_attribute(t, 'cells', 'quasi_identifier'), kanon_set_attribute(t, 'quasi', 'quasi_identifier'), kanon_set_attribute(t, 's', 'sensitive'),
    kanon_set_attribute(t, 'Re coded', 'quasi_identifier'), kanon_set_attribute(t, 'cells_', 'sensitive')
FROM unnest(ARRAY['"Odd ""one"""', 'odd_view']::regclass[]) t;
SELECT kanon_create_release('odd', '"Odd ""one"""', 4, 'ring', options => '{"seed": "x"}'), kanon_create_release('odd_of_view', 'odd_view', 4, 'ring', options => '{"seed": "x"}');
SELECT count(*), min("Re coded") FROM odd;
SELECT (SELECT array_agg(o) FROM odd o)::text = (SELECT array_agg(o) FROM odd_of_view o)::text AS same;

-- Errors
\set VERBOSITY terse
SELECT kanon_create_release('r', 'patients', 2, 'rings');
\set VERBOSITY default
SELECT kanon_create_release('r', 'patients', 0, 'ring');
\set VERBOSITY terse
SELECT kanon_create_release('r', 'patients', 2, 'ring', options => '{"levels": [0, 0, 0]}');
SELECT kanon_create_release('r', 'patients', 2, 'ring', suppression => 0.1);
SELECT kanon_create_release('r', 'patients', 2, 'ring', options => '{"means": true}');
SELECT kanon_create_release('r', 'patients', 2, 'two_phase', options => '{"split": "median"}');
SELECT kanon_create_release('r', 'patients', 2, 'two_phase', options => '{"target": "disease"}');
SELECT kanon_create_release('r', 'patients', 2, 'two_phase', models => ARRAY['distinct(disease, 2)']::kanon_models);
SELECT kanon_create_release('r', 'patients', 2, 'ring', person => 'name');
\set VERBOSITY default
SELECT kanon_create_release('r', 'patients', 2, 'ring', options => '{"randomize": false, "seed": "x"}');
\set VERBOSITY terse
SELECT kanon_create_release('r', 'patients', 2, options => '{"randomize": false}');
SELECT kanon_create_release('r', 'patients', 2, 'full_domain', options => '{"seed": "x"}');
SELECT kanon_create_release('r', 'patients', 2, 'relaxed_mondrian', options => '{"seed": "x"}');
\set VERBOSITY default
SET kanon.memory_limit = '64kB';
CREATE TABLE many AS SELECT n AS x FROM generate_series(1, 50000) n;
SELECT kanon_create_release('r', 'many', 2, 'ring', quasi_identifiers => '{x}');
RESET kanon.memory_limit;
SELECT count(*) FROM pg_class WHERE relname = 'r' AND relnamespace = 'release_matching'::regnamespace;
SELECT count(*) FROM kanon_seed s WHERE NOT EXISTS (SELECT FROM kanon_release r WHERE r.release = s.release);

-- Declared weights count in a release as they do when it is foretold.
SET client_min_messages = warning;
CREATE TABLE weighed AS SELECT i % 5 AS a, i * 13 % 7 AS b FROM generate_series(1, 60) i;
SELECT count(kanon_set_attribute('weighed', c::name, 'quasi_identifier', NULL, w)) FROM (VALUES ('a', 1), ('b', 5)) c (c, w);
SELECT count(kanon_create_release('weighed_' || r, 'weighed', 3, r)) FROM unnest('{ring,two_phase}'::text[]) r;
SELECT release, parameters ->> 'column_weights' AS weights, abs(r.loss - f.loss) < 1e-9 AS foretold
FROM kanon_release r, kanon_compare('weighed', '{3}', ARRAY[recoding]) f WHERE relation = 'weighed'::regclass ORDER BY release::text;
RESET client_min_messages;

SET client_min_messages = warning;
DROP SCHEMA release_matching CASCADE;
SELECT count(*) FROM kanon_seed;
DROP ROLE regress_intern, regress_reader, regress_steward;
