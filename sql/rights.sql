-- As whom calls work: as the owner of what they are about, if the caller has that role's rights.
SET client_min_messages = warning;
CREATE ROLE regress_dba SUPERUSER;
SET SESSION AUTHORIZATION regress_dba;
CREATE ROLE regress_alice;
CREATE ROLE regress_bob;
CREATE ROLE regress_steward;
CREATE SCHEMA clinic;
CREATE SCHEMA alices AUTHORIZATION regress_alice;
CREATE SCHEMA bobs AUTHORIZATION regress_bob;
CREATE SCHEMA released;
GRANT USAGE ON SCHEMA clinic, alices, bobs, released TO PUBLIC;
GRANT CREATE ON SCHEMA released TO regress_steward;
SET search_path = public;
SET client_min_messages = notice;

-- Whoever reads the view, or the trigger's table, tells who that is.
CREATE FUNCTION clinic.tell(what text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RAISE NOTICE '% as %', what, current_user;
    RETURN true;
END $$;
SET ROLE regress_alice;
CREATE TABLE alices.patients (id int, age int, zip text, disease text);
INSERT INTO alices.patients SELECT i, 20 + i % 10, '5370' || i % 5, 'd' || i % 4 FROM generate_series(1, 60) i;
CREATE VIEW alices.seen AS WITH t AS MATERIALIZED (SELECT clinic.tell('view read') AS told) SELECT p.* FROM alices.patients p WHERE (SELECT told FROM t);
CREATE TABLE alices.zips AS SELECT DISTINCT zip, left(zip, 3) AS region, '*' AS top FROM alices.patients;
SELECT kanon_declare('alices.seen', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}');
SELECT kanon_set_attribute('alices.seen', 'zip', 'quasi_identifier', 'alices.zips');
RESET ROLE;

-- A superuser's calls read it as alice.
SELECT satisfied, rows FROM kanon_check('alices.seen', 5, '{age}');
SELECT count(*) FROM kanon_incognito('alices.seen', 5, '{zip}');
-- .. and what they make is hers, who needs a place for it.
SELECT kanon_create_release('released.study', 'alices.seen', 5, quasi_identifiers => '{zip}');
SELECT kanon_create_dimension('released.ages', 'alices.patients', 'age', 'ranges', '{5}');
GRANT CREATE ON SCHEMA released TO regress_alice;
SELECT kanon_create_release('released.study', 'alices.seen', 5, quasi_identifiers => '{zip}');
SELECT kanon_create_dimension('released.ages', 'alices.patients', 'age', 'ranges', '{5}');
SELECT relname, pg_get_userbyid(relowner) FROM pg_class WHERE relnamespace = 'released'::regnamespace AND relkind IN ('r', 'm') ORDER BY 1;
SELECT release, rows FROM kanon_refresh_release('released.study');
SELECT released.* FROM (SELECT rows, suppressed FROM kanon_quality('released.study')) released;
SELECT name, how, filled_by, owner FROM kanon_release_history WHERE owner = 'regress_alice' AND name LIKE 'released.%' ORDER BY number;
SET client_min_messages = warning;
CALL kanon_refresh_releases('released.%');
SELECT kanon_replace_release('released.study', k => 6);
SELECT created_by, refreshed_by, k FROM kanon_release WHERE release = 'released.study'::regclass;
SET client_min_messages = notice;

-- A steward reads as herself, and owns what she makes.
GRANT SELECT ON alices.seen, alices.zips TO regress_steward;
SET ROLE regress_steward;
SELECT satisfied FROM kanon_check('alices.seen', 5, '{age}');
SET client_min_messages = warning;
SELECT kanon_create_release('released.hers', 'alices.seen', 5, quasi_identifiers => '{zip}');
RESET ROLE;
SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = 'released.hers'::regclass;
SET client_min_messages = notice;
-- .. also when a superuser works on it
SELECT satisfied FROM kanon_check_matchings('released.hers', 5);
-- Errors say as whom a call works.
REVOKE SELECT ON alices.seen FROM regress_steward;
SELECT kanon_quality('released.hers');
SELECT release FROM kanon_refresh_release('released.hers');
SELECT kanon_drop_release('released.hers');

-- Only the owner's rights make, change and drop.
SET ROLE regress_bob;
SELECT kanon_set_attribute('alices.patients', 'age', 'sensitive');
SELECT kanon_create_dimension('bobs.ages', 'alices.patients', 'age', 'suppress');
SELECT kanon_refresh_release('released.study');
SELECT kanon_replace_release('released.study', k => 2);
SELECT kanon_copy_release('released.study', 'bobs.copy', 'id');
SELECT kanon_drop_release('released.study');
SELECT kanon_refresh_dimension('alices.zips');
CALL kanon_refresh_releases('released.%');
RESET ROLE;
SELECT kanon_check(0::regclass, 2);

-- Dimensions belong to the owner of the relation, to a role with the owner's rights, or to one that is trusted.
SET ROLE regress_bob;
CREATE TABLE bobs.zips AS SELECT '5370' || i AS zip, '5370' || i / 5 AS half, '*' AS top FROM generate_series(0, 9) i;
CREATE TABLE bobs.voters AS SELECT 20 + i % 10 AS age, '5370' || i % 5 AS zip FROM generate_series(1, 600) i;
CREATE VIEW bobs.zips_seen AS TABLE bobs.zips;
GRANT SELECT ON bobs.zips_seen TO PUBLIC;
RESET ROLE;
SET ROLE regress_alice;
SELECT kanon_set_attribute('alices.patients', 'zip', 'quasi_identifier', 'bobs.zips');
RESET ROLE;
SET kanon.trusted_owners = 'somebody, "regress_bob"';
SET ROLE regress_alice;
-- .. which alice may read
SELECT kanon_set_attribute('alices.patients', 'zip', 'quasi_identifier', 'bobs.zips');
RESET ROLE;
GRANT SELECT ON bobs.zips, bobs.voters TO regress_alice, regress_steward;
SET ROLE regress_alice;
SELECT kanon_set_attribute('alices.patients', 'zip', 'quasi_identifier', 'bobs.zips');
SELECT kanon_set_attribute('alices.patients', 'zip', 'quasi_identifier', 'bobs.zips_seen');
SELECT count(*) FROM kanon_incognito('alices.patients', 5, '{zip}');
SELECT rows FROM kanon_risk('alices.patients', '{age}', 'bobs.voters');
SELECT kanon_create_release('alices.by_zip', 'alices.patients', 5, 'full_domain', quasi_identifiers => '{zip}', options => '{"levels": [1]}');
SET kanon.trusted_owners = 'regress_alice';
RESET ROLE;
-- .. each time
RESET kanon.trusted_owners;
SELECT count(*) FROM kanon_incognito('alices.patients', 5, '{zip}');
SELECT rows FROM kanon_risk('alices.patients', '{age}', 'bobs.voters');
REFRESH MATERIALIZED VIEW alices.by_zip;
GRANT regress_alice TO regress_bob;
SELECT count(*) FROM kanon_incognito('alices.patients', 5, '{zip}');
REVOKE regress_alice FROM regress_bob;
-- .. and so do partitions and children
SET ROLE regress_alice;
CREATE TABLE alices.regions (zip text, top text) PARTITION BY LIST (top);
CREATE TABLE alices.one PARTITION OF alices.regions FOR VALUES IN ('*');
INSERT INTO alices.regions SELECT zip, top FROM bobs.zips;
SELECT kanon_set_attribute('alices.patients', 'zip', 'quasi_identifier', 'alices.regions');
RESET ROLE;
ALTER TABLE alices.one OWNER TO regress_bob;
SELECT count(*) FROM kanon_incognito('alices.patients', 5, '{zip}');
SELECT kanon_ring(5, ROW(zip), dimensions => '{alices.regions}') OVER () FROM alices.patients;
ALTER TABLE alices.one OWNER TO regress_alice;
-- .. while rows that a query hands over take any that it may read
SELECT count(*) FROM (SELECT kanon_ring(5, ROW(zip), dimensions => '{bobs.zips}') OVER () FROM alices.patients) r;
SET ROLE regress_steward;
SELECT kanon_ring(5, ROW(zip), dimensions => '{alices.regions}') OVER () FROM (VALUES ('53700')) v (zip);
SELECT kanon_ring(5, ROW(zip), dimensions => '{bobs.zips_seen}') OVER () FROM (VALUES ('53700')) v (zip);
RESET ROLE;

-- A relation named beside a release is read as the release's owner.
SET ROLE regress_bob;
CREATE TABLE bobs.t AS TABLE bobs.voters;
CREATE MATERIALIZED VIEW bobs.m AS SELECT '20-29'::text AS age, zip FROM bobs.t;
RESET ROLE;
SELECT kanon_quality('bobs.m', 'alices.patients', '{zip}');
SELECT kanon_check_matchings('bobs.m', 2, 'alices.patients', '{zip}');
GRANT regress_alice TO regress_bob;
SELECT rows FROM kanon_quality('bobs.m', 'bobs.t', '{zip}');
REVOKE regress_alice FROM regress_bob;

-- A dimension is filled as its owner, from relations read as theirs, one after another.
SET ROLE regress_alice;
SELECT kanon_unset_attribute('alices.patients', 'zip');
CREATE TABLE alices.visits AS SELECT zip FROM alices.patients;
SELECT kanon_create_dimension('alices.codes', 'alices.visits', 'zip', 'digits');
CREATE FUNCTION alices.trigger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM clinic.tell('row added');
    RETURN new;
END $$;
CREATE TRIGGER told BEFORE INSERT ON alices.codes FOR EACH ROW EXECUTE FUNCTION alices.trigger();
INSERT INTO alices.visits VALUES ('61111'), ('61112'), ('61112'), (NULL);
RESET ROLE;
CREATE TABLE clinic.more AS SELECT '6111' || i AS zip FROM generate_series(2, 3) i;
ALTER TABLE clinic.more OWNER TO regress_bob;
SET kanon.trusted_owners = 'regress_alice';
GRANT SELECT ON alices.codes TO regress_bob;
SELECT kanon_set_attribute('clinic.more', 'zip', 'quasi_identifier', 'alices.codes');
SELECT kanon_refresh_dimension('alices.codes');
SELECT * FROM alices.codes WHERE zip > '6' ORDER BY zip;
-- .. and no trigger waits for the end of the caller's transaction
SET ROLE regress_alice;
CREATE CONSTRAINT TRIGGER late AFTER INSERT ON alices.codes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION alices.trigger();
INSERT INTO alices.visits VALUES ('62222');
RESET ROLE;
SELECT kanon_refresh_dimension('alices.codes');

-- Row security that applies to the owner
SET ROLE regress_alice;
CREATE TABLE alices.hidden AS TABLE alices.patients;
SELECT kanon_declare('alices.hidden', quasi_identifiers => '{age}');
CREATE POLICY few ON alices.hidden USING (id <= 30);
ALTER TABLE alices.hidden ENABLE ROW LEVEL SECURITY;
RESET ROLE;
SELECT rows FROM kanon_check('alices.hidden', 2);
ALTER TABLE alices.hidden FORCE ROW LEVEL SECURITY;
SELECT rows FROM kanon_check('alices.hidden', 2);
SET ROLE regress_alice;
SELECT rows FROM kanon_check('alices.hidden', 2);
RESET ROLE;

-- Nothing stays in the session: no setting, and nothing in its temporary schema.
CREATE TEMP TABLE mine AS SELECT 1 AS one;
SET ROLE regress_alice;
CREATE FUNCTION alices.plant() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    left_open CURSOR FOR SELECT clinic.tell('row fetched');
BEGIN
    PERFORM set_config('search_path', 'alices', false);
    IF current_setting('rights.plant', true) = 'type' THEN
        CREATE DOMAIN pg_temp.text AS pg_catalog.text CHECK (clinic.tell('domain checked'));
    END IF;
    IF current_setting('rights.plant', true) = 'cursor' THEN
        OPEN left_open;
    END IF;
    RETURN true;
END $$;
CREATE VIEW alices.planting AS SELECT age FROM alices.patients, alices.plant() p WHERE p;
RESET ROLE;
SELECT rows FROM kanon_check('alices.planting', 2, '{age}');
SHOW search_path;
SET rights.plant = 'type';
-- (PostgreSQL's later minor versions refuse it themselves.)
\set VERBOSITY sqlstate
SELECT rows FROM kanon_check('alices.planting', 2, '{age}');
\set VERBOSITY default
SELECT 'word'::text;
SET rights.plant = 'cursor';
SELECT rows FROM kanon_check('alices.planting', 2, '{age}');

-- .. nor does a cursor take the place of the caller's
SET ROLE regress_alice;
CREATE FUNCTION alices.exchange() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    c refcursor := 'c';
BEGIN
    CLOSE c;
    OPEN c FOR SELECT clinic.tell('row fetched');
    RETURN true;
END $$;
CREATE VIEW alices.exchanging AS SELECT age FROM alices.patients, alices.exchange() e WHERE e;
RESET ROLE;
BEGIN;
DECLARE c CURSOR FOR SELECT 1;
SELECT rows FROM kanon_check('alices.exchanging', 2, '{age}');
ROLLBACK;
-- .. nor are the caller's read, while they stay as they are
SET ROLE regress_alice;
CREATE FUNCTION alices.steal() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    c text;
    stolen record;
BEGIN
    FOR c IN SELECT name FROM pg_cursors ORDER BY name LOOP
        BEGIN
            EXECUTE format('FETCH FROM %I', c) INTO stolen;
            RAISE NOTICE 'stolen: %', stolen;
        EXCEPTION WHEN OTHERS THEN
            RAISE NOTICE '%', regexp_replace(sqlerrm, '[0-9]+', 'N');
        END;
    END LOOP;
    RETURN CASE WHEN current_setting('rights.fail', true) = 'on' THEN 1 / (length(current_setting('rights.fail')) - 2) = 1 ELSE true END;
END $$;
CREATE VIEW alices.stealing AS WITH s AS MATERIALIZED (SELECT alices.steal() AS stolen) SELECT age FROM alices.patients WHERE (SELECT stolen FROM s);
RESET ROLE;
BEGIN;
DECLARE own CURSOR FOR SELECT i AS own FROM generate_series(1, 3) i;
DO $$
DECLARE
    r record;
BEGIN
    FOR r IN SELECT i FROM generate_series(1, 4) i LOOP
        PERFORM set_config('rights.fail', CASE WHEN r.i % 2 = 0 THEN 'on' ELSE '' END, true);
        BEGIN
            RAISE NOTICE 'row %, rows %', r.i, (SELECT rows FROM kanon_check('alices.stealing', 2, '{age}'));
        EXCEPTION WHEN division_by_zero THEN
            RAISE NOTICE 'row % failed', r.i;
        END;
    END LOOP;
END $$;
FETCH ALL FROM own;
COMMIT;
BEGIN;
DECLARE own CURSOR FOR SELECT 1 AS own;
DECLARE held CURSOR WITH HOLD FOR SELECT 2 AS held;
SET LOCAL rights.fail = 'on';
SELECT rows FROM kanon_check('alices.stealing', 2, '{age}');
ROLLBACK;
SELECT name FROM pg_cursors;
BEGIN;
DECLARE held CURSOR WITH HOLD FOR SELECT 3 AS held;
COMMIT;
BEGIN;
SET LOCAL rights.fail = 'on';
SELECT rows FROM kanon_check('alices.stealing', 2, '{age}');
ROLLBACK;
FETCH ALL FROM held;
CLOSE held;
-- .. and code does not return to the role that logged in
SET ROLE regress_alice;
CREATE FUNCTION alices.escape() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE 'RESET ROLE';
    RETURN clinic.tell('role reset');
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'no way back from %', current_user;
    RETURN true;
END $$;
CREATE VIEW alices.escaping AS SELECT id, age FROM alices.patients, alices.escape() e WHERE e;
GRANT SELECT ON alices.escaping TO regress_steward;
RESET ROLE;
SET ROLE regress_steward;
SELECT kanon_create_release('released.escaped', 'alices.escaping', 5, quasi_identifiers => '{age}');
SELECT rows FROM kanon_refresh_release('released.escaped');
SELECT rows FROM kanon_refresh_release('released.escaped', concurrently => true);
REFRESH MATERIALIZED VIEW released.escaped;
SELECT kanon_replace_release('released.escaped', k => 4);
SELECT kanon_copy_release('released.escaped', 'released.escaped_copy', 'id');
SELECT rows FROM kanon_quality('released.escaped');
RESET ROLE;

-- A schema that is renamed during a call, here by an index of a dimension, changes nothing.
GRANT CREATE ON DATABASE :DBNAME TO regress_bob;
SET ROLE regress_bob;
CREATE SCHEMA trap;
GRANT USAGE ON SCHEMA trap TO PUBLIC;
CREATE VIEW trap.regions AS WITH t AS MATERIALIZED (SELECT clinic.tell('trap read') AS told)
SELECT '5370' || i AS zip, '*'::text AS top FROM generate_series(0, 9) i WHERE (SELECT told FROM t);
CREATE FUNCTION bobs.rename_now() RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM public.kanon_check('trap.regions', 2, '{zip}');
    ALTER SCHEMA bobs RENAME TO away;
    ALTER SCHEMA trap RENAME TO bobs;
    RETURN true;
END $$;
CREATE FUNCTION bobs.rename() RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN current_setting('rights.rename', true) IS DISTINCT FROM 'on' OR bobs.rename_now();
END $$;
CREATE TABLE bobs.ages AS SELECT i AS age, '*'::text AS top FROM generate_series(20, 29) i;
CREATE INDEX ON bobs.ages (age) WHERE bobs.rename();
GRANT SELECT ON bobs.ages TO PUBLIC;
RESET ROLE;
CREATE TABLE bobs.regions AS SELECT '5370' || i AS zip, '*'::text AS top FROM generate_series(0, 9) i;
\c -
SET SESSION AUTHORIZATION regress_dba;
SET client_min_messages = notice;
SET rights.rename = on;
SELECT count(*) FROM (SELECT kanon_ring(5, ROW(age, zip), dimensions => '{bobs.ages,bobs.regions}') OVER () FROM alices.patients) r;
SELECT 'away.regions'::regclass, 'bobs.regions'::regclass;
RESET rights.rename;

-- A bracket begins in a parallel plan, too, in a session that has temporary objects.
CREATE SCHEMA crowds AUTHORIZATION regress_alice;
SET ROLE regress_alice;
CREATE TABLE crowds.people AS SELECT i AS id, '5370' || i % 5 AS zip FROM generate_series(1, 20000) i;
CREATE TABLE crowds.zips AS SELECT DISTINCT zip, '*' AS top FROM crowds.people;
SELECT kanon_set_attribute('crowds.people', 'zip', 'quasi_identifier', 'crowds.zips');
ANALYZE crowds.people;
RESET ROLE;
SELECT kanon_create_release('released.crowd', 'crowds.people', 5);
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
CREATE TEMP TABLE scratch ();
SELECT rows FROM kanon_refresh_release('released.crowd');
SELECT kanon_replace_release('released.crowd', k => 6);
DROP TABLE scratch;
RESET min_parallel_table_scan_size;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
-- A release whose source its owner may no longer reach is not replaced.
ALTER SCHEMA crowds OWNER TO regress_bob;
\set VERBOSITY terse
SELECT kanon_replace_release('released.crowd', k => 30000);
\set VERBOSITY default
SELECT k, rows FROM kanon_release WHERE release = 'released.crowd'::regclass;

SET client_min_messages = warning;
RESET SESSION AUTHORIZATION;
DROP TABLE IF EXISTS mine;
DROP SCHEMA clinic, alices, bobs, away, released, crowds CASCADE;
REVOKE CREATE ON DATABASE :DBNAME FROM regress_bob;
DROP ROLE regress_dba, regress_alice, regress_bob, regress_steward;
