-- Declaring columns: kanon_set_attribute, kanon_unset_attribute, and what
-- becomes of declarations when tables change.
SET client_min_messages = warning;
CREATE ROLE regress_owner;
CREATE ROLE regress_member IN ROLE regress_owner;
CREATE ROLE regress_other;
CREATE SCHEMA "Attribute Test" AUTHORIZATION regress_owner;
GRANT USAGE ON SCHEMA "Attribute Test" TO PUBLIC;
SET search_path = "Attribute Test", public;
SET ROLE regress_owner;
RESET client_min_messages;

-- What is declared here, in the order of names.
CREATE FUNCTION declared(OUT relation regclass, OUT attribute name, OUT role text,
    OUT dimension regclass, OUT weight float8) RETURNS SETOF record
LANGUAGE sql AS $$
    SELECT a.relation, a.attribute, a.role, a.dimension, a.weight
    FROM public.kanon_attribute a JOIN pg_class c ON c.oid = a.relation
    WHERE c.relnamespace = '"Attribute Test"'::regnamespace
    ORDER BY c.relname COLLATE "C", a.attribute COLLATE "C"
$$;

CREATE TABLE patient (
    gone int,
    "Full ""Name""" text,
    zip text,
    age int,
    disease text,
    note json
);
ALTER TABLE patient DROP COLUMN gone;
CREATE TABLE "zip dimension" (zip text PRIMARY KEY, masked text NOT NULL, top text NOT NULL);

-- Each role; again replaces what was there.
SELECT kanon_set_attribute('patient', 'Full "Name"', 'identifier');
SELECT kanon_set_attribute('patient', 'zip', 'quasi_identifier', '"zip dimension"', 2.5);
SELECT kanon_set_attribute('patient', 'age', 'quasi_identifier', weight => 0);
SELECT kanon_set_attribute('patient', 'disease', 'sensitive');
SELECT kanon_set_attribute('patient', 'note', 'insensitive');
SELECT * FROM declared();
SELECT kanon_set_attribute(relation => 'patient', attribute => 'disease', role => 'sensitive',
    dimension => '"zip dimension"', weight => 1);
SELECT kanon_set_attribute('patient', 'zip', 'quasi_identifier');
SELECT kanon_set_attribute('patient', 'age', 'insensitive');
SELECT * FROM declared();

-- Unset.
SELECT kanon_unset_attribute('patient', 'age');
SELECT kanon_unset_attribute('patient', 'age');
SELECT kanon_unset_attribute('patient', 'no_column');

-- Many at once: what has its role already keeps its dimension and weight.
SELECT kanon_set_attribute('patient', 'zip', 'quasi_identifier', '"zip dimension"', 2.5);
SELECT kanon_set_attribute('patient', 'disease', 'sensitive', '"zip dimension"');
SELECT kanon_declare('patient', '{zip,age,disease}', insensitive => '{note}',
    identifiers => ARRAY['Full "Name"']);
SELECT * FROM declared();
SELECT kanon_declare('patient', sensitive => '{disease}');
SELECT * FROM declared();
SELECT kanon_declare('patient');
SELECT kanon_declare('patient', '{zip,no_column}');
SELECT kanon_declare('patient', '{note}');
SELECT kanon_declare('patient', '{age}', sensitive => '{zip,age}');
SELECT kanon_declare('patient', '{zip,NULL}');
SELECT kanon_declare('patient', NULL);
SELECT kanon_declare('no_table', '{zip}');
SELECT kanon_declare(0, '{zip}');
SET ROLE regress_other;
SELECT kanon_declare('patient', '{zip}');
SET ROLE regress_owner;
BEGIN READ ONLY;
SELECT kanon_declare('patient', '{zip}');
ROLLBACK;
SELECT kanon_unset_attribute('patient', 'age');

-- Views, materialized, partitioned and foreign tables have columns too.
CREATE VIEW grown AS SELECT * FROM patient WHERE age >= 18;
CREATE VIEW shown AS SELECT 1 AS one;
SELECT kanon_set_attribute('shown', 'one', 'insensitive');
CREATE MATERIALIZED VIEW stored AS SELECT zip, age FROM patient;
CREATE TABLE visit (patient int, day date) PARTITION BY RANGE (day);
CREATE TABLE visit_2024 PARTITION OF visit FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
RESET ROLE;
CREATE FOREIGN DATA WRAPPER regress_wrapper;
CREATE SERVER regress_server FOREIGN DATA WRAPPER regress_wrapper;
CREATE FOREIGN TABLE remote (zip text) SERVER regress_server;
ALTER FOREIGN TABLE remote OWNER TO regress_owner;
SET ROLE regress_owner;
SELECT kanon_set_attribute('grown', 'age', 'quasi_identifier');
SELECT kanon_set_attribute('stored', 'age', 'quasi_identifier');
SELECT kanon_set_attribute('visit', 'day', 'quasi_identifier');
SELECT kanon_set_attribute('visit_2024', 'day', 'sensitive');
SELECT kanon_set_attribute('remote', 'zip', 'quasi_identifier');
SELECT * FROM declared();

-- Bad input, each with its own error; nothing changes.
CREATE TEMP TABLE before AS SELECT * FROM declared();
CREATE SEQUENCE counter;
CREATE TYPE pair AS (a int, b int);
CREATE TABLE lone (ground text);
CREATE TABLE dates (ground date, month text);
CREATE TEMP TABLE passing (ground text, top text);
SELECT kanon_set_attribute('no_table', 'zip', 'sensitive');
SELECT kanon_set_attribute(0, 'zip', 'sensitive');
SELECT kanon_set_attribute('counter', 'last_value', 'sensitive');
SELECT kanon_set_attribute('pair', 'a', 'sensitive');
SELECT kanon_set_attribute('"zip dimension_pkey"', 'ground', 'sensitive');
SELECT kanon_set_attribute('patient', 'no_column', 'sensitive');
SELECT kanon_set_attribute('patient', 'gone', 'sensitive');
SELECT kanon_set_attribute('patient', 'ctid', 'sensitive');
SELECT kanon_set_attribute('patient', 'zip', 'secret');
SELECT kanon_set_attribute('patient', 'zip', 'undeclared');
CREATE TABLE nothing_at_all ();
SELECT kanon_set_attribute('patient', 'zip', 'quasi_identifier', 'nothing_at_all');
DROP TABLE nothing_at_all;
SELECT kanon_set_attribute('patient', 'zip', 'identifier', '"zip dimension"');
SELECT kanon_set_attribute('patient', 'zip', 'insensitive', '"zip dimension"');
SELECT kanon_set_attribute('patient', 'zip', 'sensitive', 'counter');
SELECT kanon_set_attribute('patient', 'zip', 'sensitive', 1);
SELECT kanon_set_attribute('patient', 'zip', 'sensitive', 'lone');
SELECT kanon_set_attribute('patient', 'age', 'sensitive', 'dates');
SELECT kanon_set_attribute('patient', 'zip', 'sensitive', 'passing');
SELECT kanon_set_attribute('patient', 'zip', 'sensitive', weight => -1);
SELECT kanon_set_attribute('patient', 'zip', 'sensitive', weight => 'NaN');
SELECT kanon_set_attribute('patient', 'zip', 'sensitive', weight => 'Infinity');
SELECT kanon_set_attribute('patient', 'note', 'quasi_identifier');
SELECT kanon_set_attribute(NULL, 'zip', 'sensitive');
SELECT kanon_set_attribute('patient', NULL, 'sensitive');
SELECT kanon_set_attribute('patient', 'zip', NULL);
SELECT kanon_set_attribute('patient', 'zip', 'sensitive', weight => NULL);
SELECT kanon_unset_attribute('counter', 'last_value');
SELECT kanon_unset_attribute(NULL, 'zip');
SELECT kanon_unset_attribute('patient', NULL);
SELECT * FROM declared() EXCEPT TABLE before;
TABLE before EXCEPT SELECT * FROM declared();
BEGIN READ ONLY;
SELECT kanon_set_attribute('patient', 'zip', 'sensitive');
ROLLBACK;

-- Only the owner declares, members of the owning role included.  Everybody
-- may read.
SET ROLE regress_other;
SELECT kanon_set_attribute('patient', 'zip', 'insensitive');
SELECT kanon_set_attribute('grown', 'age', 'insensitive');
SELECT kanon_unset_attribute('patient', 'zip');
UPDATE kanon_attribute SET role = 'insensitive';
SELECT count(*) FROM declared();
SET ROLE regress_member;
SELECT kanon_set_attribute('patient', 'zip', 'sensitive', weight => 3);
DELETE FROM kanon_attribute;
SELECT current_user, * FROM declared() WHERE relation = 'patient'::regclass;

-- Declarations follow renames, whoever makes them and wherever.
SET ROLE regress_owner;
ALTER TABLE patient RENAME COLUMN zip TO "Zip, Code";
ALTER TABLE patient RENAME COLUMN disease TO zip;
ALTER TABLE patient RENAME TO person;
ALTER VIEW grown RENAME COLUMN age TO years;
ALTER MATERIALIZED VIEW stored RENAME COLUMN age TO years;
ALTER FOREIGN TABLE remote RENAME COLUMN zip TO place;
ALTER TABLE visit RENAME COLUMN day TO date;
CREATE TABLE pairs OF pair;
SELECT kanon_set_attribute('pairs', 'a', 'sensitive');
ALTER TYPE pair RENAME ATTRIBUTE a TO c CASCADE;
SELECT * FROM declared();
-- In a function, in a subtransaction that is undone, and back.
DO $$
BEGIN
    ALTER TABLE person RENAME COLUMN zip TO illness;
    BEGIN
        ALTER TABLE person RENAME COLUMN illness TO lost;
        RAISE EXCEPTION 'undo';
    EXCEPTION WHEN raise_exception THEN NULL;
    END;
END $$;
SELECT * FROM declared() WHERE relation = 'person'::regclass;
-- What is renamed is no column, or declared nowhere.
ALTER TABLE person RENAME COLUMN age TO "Age";
ALTER TABLE "zip dimension" RENAME COLUMN masked TO level;
ALTER TABLE "zip dimension" RENAME CONSTRAINT "zip dimension_pkey" TO "zip key";
ALTER TYPE pair RENAME ATTRIBUTE b TO d CASCADE;
-- A column of another type remains declared.
ALTER TABLE visit ALTER COLUMN patient TYPE bigint;
SELECT kanon_set_attribute('visit', 'patient', 'identifier');
SELECT kanon_set_attribute('visit_2024', 'patient', 'identifier');
ALTER TABLE visit ALTER COLUMN patient TYPE text;
-- A replica's session fires few triggers, but these.
RESET ROLE;
SET session_replication_role = replica;
ALTER TABLE visit RENAME COLUMN patient TO person;
RESET session_replication_role;
SET ROLE regress_owner;
SELECT * FROM declared() WHERE relation IN ('visit'::regclass, 'visit_2024'::regclass);

-- What is dropped leaves nothing behind: columns (also of children), a column
-- that is replaced by another of its name, views, tables.
SELECT kanon_set_attribute('person', 'note', 'insensitive');
ALTER TABLE person DROP COLUMN illness CASCADE, DROP COLUMN note, ADD COLUMN note text;
ALTER TABLE visit DROP COLUMN person;
SELECT * FROM declared();
ALTER TYPE pair DROP ATTRIBUTE c CASCADE;
DROP VIEW shown;
DROP MATERIALIZED VIEW stored;
DROP FOREIGN TABLE remote;
DROP TABLE visit;
SELECT * FROM declared();
-- A declaration comes back with a drop that is undone.
BEGIN;
DROP TABLE person;
SELECT * FROM declared();
ROLLBACK;
SELECT * FROM declared();
-- Dropped by the way, in cascade.
CREATE DOMAIN code AS int;
CREATE TABLE coded (a code, b int);
CREATE VIEW upon AS SELECT a FROM coded;
SELECT kanon_set_attribute('coded', 'a', 'sensitive');
SELECT kanon_set_attribute('coded', 'b', 'sensitive');
SELECT kanon_set_attribute('upon', 'a', 'sensitive');
SET client_min_messages = warning;
DROP DOMAIN code CASCADE;
RESET client_min_messages;
SELECT * FROM declared();

-- Without their dimension columns go on, and their owner is told.
SELECT kanon_set_attribute('person', 'Age', 'quasi_identifier', '"zip dimension"', 4);
SELECT kanon_set_attribute('person', 'Zip, Code', 'sensitive', '"zip dimension"');
DROP TABLE "zip dimension";
SELECT * FROM declared();

-- Drops and renames of all else go their way, by whom it may be.
SET ROLE regress_other;
CREATE TEMP TABLE other (a int, b int);
CREATE INDEX other_a ON other (a);
CREATE FUNCTION pg_temp.nothing() RETURNS void LANGUAGE sql AS '';
DROP FUNCTION pg_temp.nothing();
DROP INDEX other_a;
ALTER TABLE other RENAME COLUMN a TO c;
ALTER TABLE other DROP COLUMN c;
DROP TABLE other;
RESET ROLE;
CREATE TABLE counted (a int);
CREATE INDEX counted_a ON counted (a);
DROP INDEX CONCURRENTLY counted_a;
DROP TABLE counted;
SELECT count(kanon_forget_dropped());

-- The owner's drops leave nothing either.
CREATE SCHEMA regress_owned AUTHORIZATION regress_owner;
SET ROLE regress_owner;
CREATE TABLE regress_owned.t (a int);
SELECT kanon_set_attribute('regress_owned.t', 'a', 'sensitive');
RESET ROLE;
SET client_min_messages = warning;
DROP OWNED BY regress_owner CASCADE;
RESET client_min_messages;
CREATE VIEW pg_temp.dangling AS
    SELECT FROM kanon_attribute WHERE relation NOT IN (SELECT oid FROM pg_class);
SELECT count(*) FROM pg_temp.dangling;

-- Temporary tables can be described.  What they leave when their time ends is
-- removed with the next declaration.
SET search_path = public;
CREATE TEMP TABLE brief (a int, b text);
CREATE TEMP TABLE brief_dimension (a text, top text);
SELECT kanon_set_attribute('brief', 'a', 'quasi_identifier', 'brief_dimension');
SELECT relation, attribute, role, dimension FROM kanon_attribute WHERE relation = 'brief'::regclass;
BEGIN;
CREATE TEMP TABLE briefer (a int) ON COMMIT DROP;
SELECT kanon_set_attribute('briefer', 'a', 'identifier');
COMMIT;
SELECT count(*) FROM pg_temp.dangling;
SELECT kanon_set_attribute('brief', 'b', 'sensitive');
SELECT count(*) FROM pg_temp.dangling;

DROP SERVER regress_server;
DROP FOREIGN DATA WRAPPER regress_wrapper;
DROP ROLE regress_member;
DROP ROLE regress_owner;
DROP ROLE regress_other;
