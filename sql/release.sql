-- Releases: the generalized query, materialized views that hold k whatever
-- happens, and their catalog.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
RESET client_min_messages;
\set SHOW_CONTEXT never
CREATE SCHEMA release;
SET search_path = release, public;

CREATE TABLE patients (name text, age int, sex text, zipcode int, disease text, note text);
INSERT INTO patients VALUES
    ('Ann', 28, 'f', 53703, 'flu'),
    ('Bob', 28, 'm', 53703, 'hepatitis'),
    ('Cid', 28, 'm', 53706, 'flu'),
    ('Dan', 29, 'm', 53706, 'bronchitis'),
    ('Eve', 29, 'f', 53715, 'flu'),
    ('Fay', 29, 'f', 53715, 'broken arm'),
    ('Gus', 29, 'f', 53711, 'measles');
CREATE TABLE zips (zip text PRIMARY KEY, zip4 text NOT NULL, zip3 text NOT NULL);
INSERT INTO zips VALUES ('53703', '5370*', '537**'), ('53706', '5370*', '537**'),
    ('53711', '5371*', '537**'), ('53715', '5371*', '537**'), ('53999', '5399*', '537**');
SELECT kanon_set_attribute('patients', 'name', 'identifier');
SELECT kanon_set_attribute('patients', 'age', 'quasi_identifier');
SELECT kanon_set_attribute('patients', 'sex', 'quasi_identifier', weight => 0.5);
SELECT kanon_set_attribute('patients', 'zipcode', 'quasi_identifier', 'zips');
SELECT kanon_set_attribute('patients', 'disease', 'sensitive');

-- The text of one generalization
\pset format unaligned
\pset tuples_only on
SELECT kanon_generalized_query('patients', '{0,1,1}');
SELECT kanon_generalized_query('patients', '{0,0,1}', 2);
SELECT kanon_generalized_query('patients', '{1,1,2}', 2);
SELECT kanon_generalized_query('patients', '{0,1}', 3, '{zipcode,sex}');
SELECT kanon_generalized_query('zips', '{1,0}', 2, '{zip3,zip4}');
\pset tuples_only off
\pset format aligned
SELECT kanon_generalized_query('patients', '{1,0,1}') \gexec
SELECT kanon_generalized_query('patients', '{1,0,1}', 3) \gexec
SELECT kanon_generalized_query('patients', '{1,1,2}', 8) \gexec
SELECT 'CREATE MATERIALIZED VIEW young AS ' || kanon_generalized_query('patients', '{0,1,1}', 2) \gexec
SELECT * FROM young;
-- .. whose readers see no row that the guard drops
CREATE FUNCTION peek(t text) RETURNS bool LANGUAGE plpgsql COST 0.0001 AS $$
BEGIN
    RAISE NOTICE 'saw %', t;
    RETURN true;
END $$;
SELECT count(*) FROM young WHERE age = 29 AND peek(disease);
DROP MATERIALIZED VIEW young;

-- A release of least loss
SELECT kanon_create_release('study', 'patients', 2, 'full_domain');
\d study
SELECT pg_get_viewdef('study') ~ 'class_size >= 2' AS guarded;
SELECT * FROM study;
SELECT relation, recoding, k, columns, quasi_identifiers, levels, suppression, rows, classes,
    smallest, missing, round(loss::numeric, 6) AS loss, created_by = current_user AS by_me,
    created = refreshed AS fresh, refreshed_by = created_by AS same
FROM kanon_release WHERE release = 'study'::regclass \gx
SELECT count(*) AS agree FROM kanon_release r, kanon_incognito('patients', 2) i
WHERE r.release = 'study'::regclass AND i.levels = r.levels AND abs(i.loss - r.loss) < 1e-12;

-- What the catalog says of a release is what the search says of its levels, at every node
CREATE TABLE guests (age int, word text, town text, mood text);
INSERT INTO guests SELECT nullif(20 + i % 3, 22), (ARRAY['one', 'two', 'four', NULL, 'four'])[1 + i % 5],
    CASE WHEN i % 7 > 0 THEN '5370' || i % 2 END, CASE WHEN i % 4 = 0 THEN 'same' END
FROM generate_series(1, 40) i;
CREATE TABLE words (word text COLLATE "C", kind text);
INSERT INTO words VALUES ('one', 'odd'), ('two', 'even'), ('three', 'odd'), ('four', 'even');
SELECT kanon_set_attribute('guests', 'age', 'quasi_identifier', weight => 3e18);
SELECT kanon_set_attribute('guests', 'word', 'quasi_identifier', 'words');
CREATE TABLE towns (town int, road text, everywhere text);
INSERT INTO towns SELECT i, left(i::text, 4 + i % 2) || '*', '*' FROM generate_series(53700, 53703) i;
SELECT kanon_set_attribute('guests', 'town', 'quasi_identifier', 'towns', 1e18);
SELECT kanon_set_attribute('guests', 'mood', 'quasi_identifier');
CREATE FUNCTION released(source regclass, k int, n int[]) RETURNS kanon_release LANGUAGE plpgsql AS $$
DECLARE result kanon_release;
BEGIN
    PERFORM kanon_create_release('trial', source, k, 'full_domain', options => jsonb_build_object('levels', n), suppression => 0.3);
    SELECT * INTO result FROM kanon_release WHERE release = 'trial'::regclass;
    PERFORM kanon_drop_release('trial');
    RETURN result;
END $$;
SET client_min_messages = warning;
SELECT t.source, count(*) > 20 AS many, bool_and(abs(i.loss - r.loss) < 1e-12) AS loss,
    bool_and(i.classes = r.classes) AS classes, bool_and(i.smallest IS NOT DISTINCT FROM r.smallest) AS smallest,
    bool_and(i.suppressed = r.missing) AS missing
FROM unnest('{patients,guests}'::regclass[]) t (source), generate_series(1, 4) k,
    kanon_incognito(t.source, k, suppression => 0.3, metrics => true) i, released(t.source, k, i.levels) r
GROUP BY t.source ORDER BY t.source::text;
RESET client_min_messages;

-- Levels, quasi-identifiers and suppression chosen
SELECT kanon_create_release('release.chosen', 'patients', 3, 'full_domain', options => '{"levels": [1, 0]}',
    quasi_identifiers => '{age,sex}');
SELECT * FROM chosen;
SELECT kanon_create_release('dropping', 'patients', 2, 'full_domain', options => '{"levels": [0, 1, 1]}', suppression => 0.15);
SELECT * FROM dropping;
SELECT release, levels, rows, classes, smallest, missing FROM kanon_release ORDER BY release::text;

-- A class falls below k: whoever refreshes, the release holds k
CREATE FUNCTION smallest_class(release regclass, columns text) RETURNS TABLE (rows bigint, smallest bigint)
LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format('SELECT sum(n)::bigint, min(n) FROM'
        ' (SELECT count(*) AS n FROM %s GROUP BY %s) c', release, columns);
END $$;
UPDATE patients SET zipcode = 53706 WHERE name = 'Eve';
SELECT * FROM study;
REFRESH MATERIALIZED VIEW study;
SELECT * FROM study;
SELECT * FROM smallest_class('study', 'age, sex, zipcode');
SELECT rows, classes, smallest, missing FROM kanon_release WHERE release = 'study'::regclass;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('study', concurrently => true);
SELECT * FROM study;
SELECT rows, classes, smallest, missing FROM kanon_release WHERE release = 'study'::regclass;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('study');
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('chosen');
UPDATE patients SET zipcode = 53715 WHERE name = 'Eve';

-- Values the dimension does not know become what stands for everything, which the guard counts like any other
INSERT INTO patients VALUES ('Hal', 28, 'm', 10001, 'gout');
REFRESH MATERIALIZED VIEW dropping;
SELECT * FROM dropping;
INSERT INTO patients VALUES ('Ida', 28, 'm', 20002, 'cold'), ('Jon', 28, 'f', NULL, 'flu');
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('dropping');
SELECT * FROM dropping;
SELECT kanon_create_release('lacking', 'patients', 1, 'full_domain', options => '{"levels": [0, 0, 1]}');
SELECT zipcode, count(*) FROM lacking GROUP BY zipcode ORDER BY zipcode;
SELECT kanon_drop_release('lacking');
DELETE FROM patients WHERE name IN ('Hal', 'Ida', 'Jon');

-- A dimension that says everything twice, and not the same, makes no rows
ALTER TABLE zips DROP CONSTRAINT zips_pkey, ALTER zip DROP NOT NULL;
INSERT INTO zips SELECT zip, '9999*', zip3 FROM zips;
REFRESH MATERIALIZED VIEW dropping;
SELECT * FROM dropping;
INSERT INTO zips SELECT zip, '0000*', '0****' FROM zips WHERE zip = '53711';
INSERT INTO zips VALUES ('053703', '0000*', '0****'), (NULL, 'null', 'null');
REFRESH MATERIALIZED VIEW dropping;
SELECT * FROM dropping;
SELECT * FROM smallest_class('dropping', 'age, sex, zipcode');
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('dropping');
DELETE FROM zips WHERE zip4 IN ('9999*', '0000*', 'null');

-- Fewer than k rows, and none
BEGIN;
DELETE FROM patients WHERE name <> 'Ann';
REFRESH MATERIALIZED VIEW study;
SELECT * FROM study;
SELECT rows, classes, smallest, missing FROM kanon_release WHERE release = 'study'::regclass;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('study');
ROLLBACK;
BEGIN;
DELETE FROM patients WHERE name NOT IN ('Ann', 'Bob');
UPDATE patients SET age = 60, zipcode = 53999 WHERE name = 'Ann';
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('study');
ROLLBACK;
BEGIN;
TRUNCATE patients;
REFRESH MATERIALIZED VIEW study;
SELECT count(*) FROM study;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('study');
ROLLBACK;
REFRESH MATERIALIZED VIEW study WITH NO DATA;
SELECT rows, classes, smallest, missing FROM kanon_release WHERE release = 'study'::regclass;
SELECT * FROM study;
REFRESH MATERIALIZED VIEW study;
SELECT rows, classes, smallest, missing FROM kanon_release WHERE release = 'study'::regclass;

-- Releases have equal rows, so there can be no unique index to refresh concurrently by
REFRESH MATERIALIZED VIEW CONCURRENTLY study;
-- .. unless some column tells all rows apart
ALTER TABLE patients ADD serial int GENERATED ALWAYS AS IDENTITY;
SELECT kanon_set_attribute('patients', 'serial', 'insensitive');
SELECT kanon_create_release('serials', 'patients', 3, 'full_domain', options => '{"levels": [1, 1, 1]}');
CREATE UNIQUE INDEX ON serials (serial);
DELETE FROM patients WHERE name IN ('Eve', 'Bob');
REFRESH MATERIALIZED VIEW CONCURRENTLY serials;
SELECT * FROM serials;
SELECT rows, classes, smallest, missing FROM kanon_release WHERE release = 'serials'::regclass;
SELECT kanon_drop_release('serials');
SELECT kanon_set_attribute('patients', 'serial', 'identifier');

-- An interrupted refresh or creation leaves what was there
CREATE VIEW slow AS SELECT age, sex, disease FROM patients, pg_sleep(1) WHERE age > 28;
CREATE VIEW failing AS SELECT age / (age - 28) AS age, sex, disease FROM patients;
CREATE TABLE switch AS SELECT false AS slow, false AS failing;
CREATE VIEW switched AS
    SELECT * FROM failing WHERE (SELECT failing FROM switch)
    UNION ALL SELECT * FROM slow WHERE (SELECT slow FROM switch)
    UNION ALL SELECT age, sex, disease FROM patients;
SELECT kanon_create_release('interrupted', 'switched', 2, 'full_domain', options => '{"levels": [0, 1]}', quasi_identifiers => '{age,sex}');
UPDATE switch SET slow = true;
SET statement_timeout = '100ms';
REFRESH MATERIALIZED VIEW interrupted;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('interrupted');
SELECT kanon_create_release('never', 'switched', 2, 'full_domain', options => '{"levels": [0, 1]}', quasi_identifiers => '{age,sex}');
RESET statement_timeout;
UPDATE switch SET slow = false, failing = true;
REFRESH MATERIALIZED VIEW interrupted;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('interrupted');
SELECT kanon_create_release('never', 'switched', 2, 'full_domain', options => '{"levels": [0, 1]}', quasi_identifiers => '{age,sex}');
SELECT * FROM interrupted;
SELECT rows, created = refreshed AS untouched FROM kanon_release WHERE release = 'interrupted'::regclass;
SELECT to_regclass('never'), count(*) FROM kanon_release WHERE release IS NULL;
SELECT kanon_drop_release('interrupted');
DROP VIEW switched, slow, failing;

-- The order of rows tells nothing of the source: types without order, and values equal but not the same
CREATE TABLE samples (k1 numeric, k2 float8, place point, doc json, reading numeric, label "char");
INSERT INTO samples SELECT CASE i % 3 WHEN 0 THEN 1.0 WHEN 1 THEN 1.00 ELSE 2 END,
    CASE i % 2 WHEN 0 THEN '-0'::float8 ELSE 0 END, point(i % 2, i % 5), json_build_array(i % 4),
    CASE i % 4 WHEN 0 THEN 7.0 WHEN 1 THEN 7.000 ELSE 8 END, 'x'
FROM generate_series(1, 60) i;
CREATE TABLE samples_reversed (LIKE samples);
INSERT INTO samples_reversed SELECT * FROM samples ORDER BY ctid DESC;
SELECT kanon_set_attribute(t, c, CASE WHEN c ^@ 'k' THEN 'quasi_identifier' ELSE 'insensitive' END)
FROM unnest('{samples,samples_reversed}'::regclass[]) t, unnest('{k1,k2,place,doc,reading,label}'::name[]) c \g /dev/null
SELECT kanon_create_release('ordered', 'samples', 2, 'full_domain', options => '{"levels": [0, 0]}');
SELECT kanon_create_release('ordered_reversed', 'samples_reversed', 2, 'full_domain', options => '{"levels": [0, 0]}');
\pset format unaligned
\pset tuples_only on
SELECT kanon_generalized_query('samples', '{0,1}', 2);
SELECT kanon_generalized_query('samples', '{0,1}');
\pset tuples_only off
\pset format aligned
SELECT (SELECT array_agg(o::text ORDER BY ctid) FROM ordered o) =
    (SELECT array_agg(o::text ORDER BY ctid) FROM ordered_reversed o) AS same_order,
    (SELECT array_agg(s::text ORDER BY ctid) FROM samples s) =
    (SELECT array_agg(s::text ORDER BY ctid) FROM samples_reversed s) AS same_source;
-- A class is written in one way
SELECT k1::text, k2::text, count(*) FROM ordered GROUP BY 1, 2 ORDER BY 1, 2;
DROP TABLE samples, samples_reversed CASCADE;

-- Equality of the column's own type, under its own collation
CREATE COLLATION no_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE SCHEMA "Types";
CREATE TYPE "Types".code;
SET client_min_messages = warning;
CREATE FUNCTION "Types".code_in(cstring) RETURNS "Types".code LANGUAGE internal IMMUTABLE STRICT AS 'textin';
CREATE FUNCTION "Types".code_out("Types".code) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
RESET client_min_messages;
CREATE TYPE "Types".code (INPUT = "Types".code_in, OUTPUT = "Types".code_out, LIKE = text);
CREATE FUNCTION "Types".lt("Types".code, "Types".code) RETURNS bool LANGUAGE sql IMMUTABLE AS $$ SELECT $1::text < $2::text $$;
CREATE FUNCTION "Types".le("Types".code, "Types".code) RETURNS bool LANGUAGE sql IMMUTABLE AS $$ SELECT $1::text <= $2::text $$;
CREATE FUNCTION "Types".eq("Types".code, "Types".code) RETURNS bool LANGUAGE sql IMMUTABLE AS $$ SELECT $1::text = $2::text $$;
CREATE FUNCTION "Types".ge("Types".code, "Types".code) RETURNS bool LANGUAGE sql IMMUTABLE AS $$ SELECT $1::text >= $2::text $$;
CREATE FUNCTION "Types".gt("Types".code, "Types".code) RETURNS bool LANGUAGE sql IMMUTABLE AS $$ SELECT $1::text > $2::text $$;
CREATE FUNCTION "Types".cmp("Types".code, "Types".code) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT sign(($1::text > $2::text)::int - ($1::text < $2::text)::int)::int $$;
CREATE OPERATOR "Types".< (LEFTARG = "Types".code, RIGHTARG = "Types".code, FUNCTION = "Types".lt);
CREATE OPERATOR "Types".<= (LEFTARG = "Types".code, RIGHTARG = "Types".code, FUNCTION = "Types".le);
CREATE OPERATOR "Types".= (LEFTARG = "Types".code, RIGHTARG = "Types".code, FUNCTION = "Types".eq, MERGES);
CREATE OPERATOR "Types".>= (LEFTARG = "Types".code, RIGHTARG = "Types".code, FUNCTION = "Types".ge);
CREATE OPERATOR "Types".> (LEFTARG = "Types".code, RIGHTARG = "Types".code, FUNCTION = "Types".gt);
CREATE OPERATOR CLASS "Types".code_ops DEFAULT FOR TYPE "Types".code USING btree AS
    OPERATOR 1 "Types".<, OPERATOR 2 "Types".<=, OPERATOR 3 "Types".=, OPERATOR 4 "Types".>=,
    OPERATOR 5 "Types".>, FUNCTION 1 "Types".cmp("Types".code, "Types".code);
CREATE TABLE "Odd ""names""" ("a b" "Types".code, "select" text COLLATE no_case, class_size int, "Class" text);
INSERT INTO "Odd ""names""" VALUES ('x', 'One', 1, 'p'), ('x', 'ONE', 1, 'q'), ('y', 'one', 2, 'r'),
    ('y', 'Two', 2, 's'), ('z', 'TWO', NULL, 't'), ('z', NULL, NULL, 'u');
CREATE TABLE "Odd dim" ("from" text, "to ""it""" "Types".code);
INSERT INTO "Odd dim" VALUES ('x', 'xy'), ('y', 'xy'), ('z', 'zz');
SELECT kanon_set_attribute('"Odd ""names"""', 'a b', 'quasi_identifier', '"Odd dim"');
SELECT kanon_set_attribute('"Odd ""names"""', 'select', 'quasi_identifier', 'words');
SELECT kanon_set_attribute('"Odd ""names"""', 'class_size', 'quasi_identifier');
SELECT kanon_set_attribute('"Odd ""names"""', 'Class', 'sensitive');
\pset format unaligned
\pset tuples_only on
SELECT kanon_generalized_query('"Odd ""names"""', '{1,1,0}', 2);
SELECT kanon_generalized_query('"Odd ""names"""', '{0,0,1}', 2);
\pset tuples_only off
\pset format aligned
SELECT kanon_create_release('"Odd release"', '"Odd ""names"""', 2, 'full_domain', options => '{"levels": [1, 1, 0]}', suppression => 0.9);
SELECT * FROM "Odd release";
SELECT kanon_generalized_query('"Odd ""names"""', '{1,0,1}', 1) \gexec

-- Readable by nobody until granted, whatever the default privileges
CREATE ROLE regress_kanon_owner;
CREATE ROLE regress_kanon_reader;
CREATE ROLE "regress_kanon Odd";
GRANT USAGE ON SCHEMA release TO regress_kanon_reader, "regress_kanon Odd";
GRANT USAGE, CREATE ON SCHEMA release TO regress_kanon_owner;
ALTER DEFAULT PRIVILEGES FOR ROLE regress_kanon_owner GRANT SELECT ON TABLES TO PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE regress_kanon_owner IN SCHEMA release
    GRANT ALL ON TABLES TO regress_kanon_reader WITH GRANT OPTION;
ALTER DEFAULT PRIVILEGES FOR ROLE regress_kanon_owner IN SCHEMA release
    GRANT SELECT, INSERT ON TABLES TO "regress_kanon Odd";
GRANT SELECT (age, sex, disease) ON patients TO regress_kanon_owner;
SET ROLE regress_kanon_owner;
-- The creator needs SELECT on what is published, and on nothing else
SELECT kanon_create_release('theirs', 'patients', 2, 'full_domain', options => '{"levels": [1, 0, 0]}');
SELECT kanon_create_release('theirs', 'patients', 2, 'full_domain', options => '{"levels": [1, 0]}', quasi_identifiers => '{age,sex}');
SELECT pg_get_userbyid(relowner) AS owner, pg_get_userbyid(a.grantee) AS grantee, count(*) > 0 AS some
FROM pg_class, aclexplode(relacl) a WHERE oid = 'theirs'::regclass GROUP BY 1, 2;
RESET ROLE;
SET ROLE regress_kanon_reader;
SELECT * FROM theirs;
SELECT k FROM kanon_release WHERE release = 'theirs'::regclass;
-- PostgreSQL's own words, which differ between versions
\set VERBOSITY sqlstate
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('theirs');
\set VERBOSITY default
SELECT kanon_drop_release('theirs');
INSERT INTO kanon_release_state SELECT * FROM kanon_release;
UPDATE kanon_release_state SET k = 1;
DELETE FROM kanon_release_state;
RESET ROLE;
GRANT SELECT ON theirs TO regress_kanon_reader;
SET ROLE regress_kanon_reader;
SELECT count(*) FROM theirs;
RESET ROLE;
-- A refresh leaves its caller's settings alone, whatever the owner's functions do
SET ROLE regress_kanon_owner;
CREATE FUNCTION take_over() RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('search_path', 'nowhere', false), set_config('datestyle', 'German', false);
    RETURN true;
END $$;
CREATE VIEW trap AS SELECT 1 AS age FROM generate_series(1, 3) WHERE take_over();
SELECT kanon_create_release('release.trapped', 'release.trap', 2, 'full_domain', options => '{"levels": [0]}', quasi_identifiers => '{age}')
\g /dev/null
RESET ROLE;
SET search_path = release, public;
SET datestyle = ISO;
REFRESH MATERIALIZED VIEW trapped;
SELECT current_setting('search_path'), current_setting('datestyle');
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('trapped');
SELECT current_setting('search_path'), current_setting('datestyle');
RESET datestyle;
DROP VIEW trap CASCADE;
-- The superuser refreshes in the owner's name; what the owner can no longer count is unknown
REFRESH MATERIALIZED VIEW theirs;
SELECT rows, classes, smallest, missing, refreshed_by = current_user AS by_me
FROM kanon_release WHERE release = 'theirs'::regclass;
REVOKE USAGE ON SCHEMA release FROM regress_kanon_owner;
REFRESH MATERIALIZED VIEW theirs;
SELECT rows, classes, smallest, missing FROM kanon_release WHERE release = 'theirs'::regclass;
GRANT USAGE ON SCHEMA release TO regress_kanon_owner;
SET ROLE regress_kanon_owner;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('theirs');
SELECT kanon_drop_release('theirs');
-- Row security holds for who is subject to it
RESET ROLE;
ALTER TABLE patients ENABLE ROW LEVEL SECURITY;
CREATE POLICY young ON patients USING (age < 29);
GRANT SELECT ON patients TO regress_kanon_owner;
SET ROLE regress_kanon_owner;
SELECT kanon_create_release('theirs', 'patients', 2, 'full_domain', options => '{"levels": [0, 1]}', quasi_identifiers => '{age,sex}');
SELECT * FROM theirs;
RESET ROLE;
REFRESH MATERIALIZED VIEW theirs;
SELECT * FROM theirs;
SELECT rows, missing FROM kanon_release WHERE release = 'theirs'::regclass;
ALTER TABLE patients DISABLE ROW LEVEL SECURITY;
DROP POLICY young ON patients;

-- The catalog follows: renamed, moved, dropped in every way
ALTER MATERIALIZED VIEW study RENAME TO "Study";
ALTER MATERIALIZED VIEW "Study" RENAME COLUMN zipcode TO "zip code";
ALTER TABLE patients RENAME COLUMN sex TO gender;
ALTER MATERIALIZED VIEW "Study" SET SCHEMA "Types";
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('"Types"."Study"');
SELECT release, quasi_identifiers, rows, classes FROM kanon_release WHERE k = 2 AND levels = '{1,1,0}';
SELECT * FROM kanon_check('"Types"."Study"', 2);
SET session_replication_role = replica;
REFRESH MATERIALIZED VIEW "Types"."Study";
RESET session_replication_role;
SELECT release, refreshed > created AS refreshed FROM kanon_release ORDER BY release::text COLLATE "C";
CREATE MATERIALIZED VIEW plain AS SELECT 1 AS one;
REFRESH MATERIALIZED VIEW plain;
DROP MATERIALIZED VIEW "Types"."Study";
CREATE VIEW over_chosen AS SELECT * FROM chosen;
SELECT kanon_drop_release('chosen');
DROP VIEW over_chosen;
SELECT kanon_drop_release('chosen');
DROP TABLE "Odd ""names""" CASCADE;
SELECT release FROM kanon_release ORDER BY release::text COLLATE "C";
SET ROLE regress_kanon_owner;
CREATE TEMP TABLE gone ();
DROP TABLE gone;
RESET ROLE;
DROP OWNED BY regress_kanon_owner;
DROP OWNED BY regress_kanon_reader, "regress_kanon Odd";
DROP ROLE regress_kanon_owner, regress_kanon_reader, "regress_kanon Odd";
SELECT release FROM kanon_release ORDER BY release::text COLLATE "C";
ALTER TABLE patients RENAME COLUMN gender TO sex;

-- Writing nothing
BEGIN READ ONLY;
SELECT length(kanon_generalized_query('patients', '{0,1,1}', 2)) > 0 AS text;
SELECT kanon_create_release('r', 'patients', 2, 'full_domain');
ROLLBACK;

-- Errors
SELECT kanon_generalized_query(NULL, '{0,1,1}');
SELECT kanon_generalized_query('patients', NULL);
SELECT kanon_generalized_query('patients', '{0,1}');
SELECT kanon_generalized_query('patients', '{0,1,1,0}');
SELECT kanon_generalized_query('patients', '{0,NULL,1}');
SELECT kanon_generalized_query('patients', '{{0,1,1}}');
SELECT kanon_generalized_query('patients', '{0,2,1}');
SELECT kanon_generalized_query('patients', '{0,1,3}');
SELECT kanon_generalized_query('patients', '{-1,1,2}');
SELECT kanon_generalized_query('patients', '{0,1,1}', 0);
SELECT kanon_generalized_query('patients', '{0}', 2, '{agee}');
SELECT kanon_generalized_query('zips', '{0}');
SELECT kanon_create_release(NULL, 'patients', 2, 'full_domain');
SELECT kanon_create_release('r', NULL, 2, 'full_domain');
SELECT kanon_create_release('r', 'patients', NULL, 'full_domain');
SELECT kanon_create_release('r', 'patients', 2, recoding => NULL);
SELECT kanon_create_release('r', 'patients', 2, 'full_domain', suppression => NULL);
SELECT kanon_create_release('r', 'patients', 0, 'full_domain');
SELECT kanon_create_release('r', 'patients', 2, 'full_domain', suppression => 1);
SELECT kanon_create_release('r', 'patients', 2, 'full_domain', suppression => -0.1);
SELECT kanon_create_release('r', 'patients', 2, 'full_domain', suppression => 'NaN');
\set VERBOSITY terse
SELECT kanon_create_release('r', 'patients', 2, recoding => 'cells');
\set VERBOSITY default
SELECT kanon_create_release('patients', 'patients', 2, 'full_domain');
-- .. one that an event trigger takes away
CREATE FUNCTION take_away() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN ALTER MATERIALIZED VIEW release.r RENAME TO elsewhere; END';
CREATE EVENT TRIGGER take_away ON ddl_command_end WHEN TAG IN ('CREATE MATERIALIZED VIEW') EXECUTE FUNCTION take_away();
SELECT kanon_create_release('r', 'patients', 2, 'full_domain');
DROP EVENT TRIGGER take_away;
SELECT kanon_create_release('nowhere.r', 'patients', 2, 'full_domain');
SELECT kanon_create_release('a.b.c.d', 'patients', 2, 'full_domain');
SELECT kanon_create_release('pg_temp.r', 'patients', 2, 'full_domain', options => '{"levels": [1, 1, 2]}');
SELECT kanon_create_release('r', 'patients', 2, 'full_domain', options => '{"levels": [0, 0, 0]}');
SELECT kanon_create_release('r', 'patients', 2, 'full_domain', options => '{"levels": [0, 0, 0]}', suppression => 0.2);
SELECT kanon_create_release('r', 'patients', 6, 'full_domain', options => '{"levels": [1, 1, 2]}');
SELECT kanon_create_release('r', 'patients', 2, 'full_domain', options => '{"levels": [1, 1]}');
CREATE TABLE lines AS SELECT unnest('{one,two,two}'::text[]) AS word;
SELECT kanon_set_attribute('lines', 'word', 'quasi_identifier', 'words');
SELECT kanon_create_release('r', 'lines', 2, 'full_domain');
SELECT kanon_create_release('r', 'lines', 2, 'full_domain', suppression => 0.34);
SELECT * FROM r;
DELETE FROM zips WHERE zip IN ('53703', '53711');
SELECT kanon_create_release('q', 'patients', 2, 'full_domain', options => '{"levels": [1, 1, 1]}');
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release(NULL);
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('plain');
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release(99);
SELECT kanon_drop_release(NULL);
SELECT kanon_drop_release('patients');

-- Levels by name.
INSERT INTO zips VALUES ('53703', '5370*', '537**'), ('53711', '5371*', '537**');
SELECT labels FROM kanon_incognito('patients', 2) WHERE minimal ORDER BY levels;
SELECT kanon_generalized_query('patients', g.labels, 2) = kanon_generalized_query('patients', g.levels, 2) AS same
FROM kanon_incognito('patients', 2) g WHERE minimal;
SELECT kanon_generalized_query('patients', '{*,sex,zip3}', 2) = kanon_generalized_query('patients', '{1,0,*}', 2) AS same;
SELECT kanon_create_release('by_name', 'patients', 2, 'full_domain', options => '{"levels": ["*", "sex", "zip3"]}');
SELECT levels FROM kanon_release WHERE release = 'by_name'::regclass;
SELECT kanon_drop_release('by_name');
SELECT '{1, zip4,"*"}'::kanon_levels, ARRAY[1,2]::kanon_levels, ARRAY['zip4','*']::kanon_levels, ARRAY['zip4','*']::name[]::kanon_levels, ARRAY['Zip 4','*']::varchar[]::kanon_levels, ARRAY[1,2]::int8[]::kanon_levels, ARRAY[1,2]::int2[]::kanon_levels, '{1}'::text::kanon_levels;
SELECT length(kanon_generalized_query('patients', levels::int8[], 2)) = length(kanon_generalized_query('patients', labels::name[], 2)) AS same,
    length(kanon_generalized_query('patients', labels::varchar, 2)) > 0 AS text
FROM kanon_incognito('patients', 2) WHERE minimal;
SELECT encode(kanon_levels_send('{ 1 , a}'), 'escape');
SELECT kanon_generalized_query('patients', '{decade,0,0}');
SELECT kanon_generalized_query('patients', '{*,"",0}');
SELECT kanon_generalized_query('patients', '{0,0,ZIP4}');
SELECT kanon_generalized_query('patients', '{0,0,zip4');
SELECT kanon_generalized_query('patients', 'zip4');
SELECT kanon_generalized_query('patients', '{99999999999,0,0}');
-- .. where a column's name is a number
CREATE TABLE numbered (age int, "2" int, "1" text, "*" text, top text);
INSERT INTO numbered VALUES (28, 20, 'young', 'any', 'all'), (29, 20, 'young', 'any', 'all');
SELECT kanon_set_attribute('patients', 'age', 'quasi_identifier', 'numbered');
SELECT DISTINCT labels[1], levels[1] FROM kanon_incognito('patients', 1) ORDER BY 2;
SELECT bool_and(kanon_generalized_query('patients', g.labels) = kanon_generalized_query('patients', g.levels)) FROM kanon_incognito('patients', 1) g;
SELECT kanon_set_attribute('patients', 'age', 'quasi_identifier');
DROP TABLE numbered;

-- An error from within a release shows no more of the texts than how they begin.
\set SHOW_CONTEXT errors
CREATE VIEW failing AS SELECT 1 / (age - 28) AS age, sex, zipcode, disease FROM patients;
SELECT kanon_create_release('failed', 'failing', 2, quasi_identifiers => '{age,sex,zipcode}');
SELECT kanon_create_release('failed', 'failing', 2, 'full_domain', '{age,sex,zipcode}', options => '{"levels": [0, 0, 0]}');
SELECT kanon_check('failing', 2, '{age}');
\set SHOW_CONTEXT never
DROP VIEW failing;

TRUNCATE patients;
SELECT kanon_create_release('q', 'patients', 2, 'full_domain', options => '{"levels": [1, 1, 2]}');
CREATE TEMP TABLE fleeting AS SELECT 1 AS a;
SELECT kanon_create_release('q', 'fleeting', 1, 'full_domain', options => '{"levels": [0]}', quasi_identifiers => '{a}');
SELECT kanon_release_refreshed();
SET search_path = nowhere, public;
SET client_min_messages = warning;
DROP SCHEMA release, "Types" CASCADE;
SELECT count(*) FROM kanon_release;
