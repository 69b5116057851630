-- What functions of a relation do to a release while it is filled: they run as its owner, who could make readers crash, or the history lie.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
CREATE ROLE regress_filling;
CREATE SCHEMA filling AUTHORIZATION regress_filling;
SET ROLE regress_filling;
SET search_path = filling, public;
\set SHOW_CONTEXT never
CREATE TABLE deeds (number int, deed text);
CREATE FUNCTION successor() RETURNS text LANGUAGE sql AS $$
    SELECT format('filling.%I', relname) FROM pg_class WHERE relname ~ '^pg_temp' AND relnamespace = 'filling'::regnamespace
$$;
-- Does them each time that the relation is read: for its rows, and to count what the release lacks.
CREATE FUNCTION act() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    d record;
BEGIN
    FOR d IN SELECT number, replace(deed, '@', filling.successor()) AS deed FROM filling.deeds ORDER BY number LOOP
        BEGIN
            EXECUTE d.deed;
            RAISE WARNING '% done', d.number;
        EXCEPTION WHEN OTHERS THEN
            RAISE WARNING '% refused: %', d.number, regexp_replace(SQLERRM, '\d+', 'N', 'g');
        END;
    END LOOP;
    RETURN true;
END $$;
CREATE TABLE people AS SELECT i % 5 AS age, 's' || i % 3 AS disease FROM generate_series(1, 60) i;
CREATE VIEW seen AS WITH a AS MATERIALIZED (SELECT filling.act() AS acted) SELECT p.* FROM people p WHERE (SELECT acted FROM a);
SELECT kanon_declare('seen', quasi_identifiers => '{age}', sensitive => '{disease}');
SELECT kanon_create_release('study', 'seen', 3);
CREATE FUNCTION state() RETURNS TABLE (rows bigint, told bigint, digest boolean, indexes bigint, left_over bigint) LANGUAGE sql AS $$
    SELECT (SELECT count(*) FROM study), h.rows, h.digest = kanon_digest('study'), (SELECT count(*) FROM pg_index WHERE indrelid = 'study'::regclass),
        (SELECT count(*) FROM pg_class WHERE relname ~ '^pg_temp|_new' AND relnamespace = 'filling'::regnamespace)
    FROM kanon_release_history h WHERE release = 'study'::regclass ORDER BY number DESC LIMIT 1
$$;

-- Its new contents are nobody's, from the first row to the last figure.
INSERT INTO deeds VALUES (1, $$INSERT INTO @ SELECT NULL, 'secret'$$), (2, 'UPDATE @ SET disease = NULL'), (3, 'DELETE FROM @'),
    (4, 'TRUNCATE @'), (5, 'ALTER TABLE @ ALTER COLUMN disease TYPE int8 USING 4000000000'), (6, 'ALTER TABLE @ DROP COLUMN disease'),
    (7, 'DROP TABLE @'), (8, 'DROP MATERIALIZED VIEW @'), (9, 'CREATE INDEX ON @ (age)');
SELECT rows, classes FROM kanon_refresh_release('study');
SELECT * FROM state();
SELECT min(disease), max(disease) FROM study;
SELECT kanon_replace_release('study', k => 4);
SELECT * FROM state();
SELECT kanon_drop_release('study');
SELECT kanon_create_release('study', 'seen', 3);
SELECT * FROM state();

-- .. nor is the release itself, beside its name.
UPDATE deeds SET deed = replace(deed, '@', 'filling.study') WHERE number > 4;
DELETE FROM deeds WHERE number < 5;
INSERT INTO deeds VALUES (10, 'REFRESH MATERIALIZED VIEW filling.study'), (11, $$SELECT public.kanon_refresh_release('filling.study')$$), (12, $$SELECT public.kanon_drop_release('filling.study')$$),
    (13, 'SELECT count(*) FROM filling.study');
SELECT rows, classes FROM kanon_refresh_release('study');
SELECT * FROM state();

-- An index that is gone would give its file to the next one.
TRUNCATE deeds;
CREATE INDEX by_age ON study (age);
CREATE INDEX by_disease ON study (disease);
INSERT INTO deeds VALUES (1, 'DO $x$ BEGIN IF to_regclass(''filling.by_disease_new'') IS NOT NULL THEN DROP INDEX filling.by_age; END IF; END $x$');
SELECT rows, classes FROM kanon_refresh_release('study');
SELECT * FROM state();
UPDATE deeds SET deed = replace(deed, 'filling.by_age', 'filling.by_age_new');
SELECT rows, classes FROM kanon_refresh_release('study');
SELECT * FROM state();
-- .. but not before its successor is made.
UPDATE deeds SET deed = 'DROP INDEX IF EXISTS filling.by_age';
SELECT rows, classes FROM kanon_refresh_release('study');
SELECT * FROM state();
SET enable_seqscan = off;
SELECT count(*) FROM study WHERE disease = 's1';

RESET enable_seqscan;

-- What another release came to, filled by a function that a column calls, is not what this one came to.
TRUNCATE deeds;
CREATE TABLE others AS SELECT i % 7 AS age FROM generate_series(1, 60) i;
SELECT kanon_create_release('other', 'others', 30, quasi_identifiers => '{age}');
CREATE VIEW late AS SELECT i AS id, i * i % 37 AS age, CASE WHEN i = 60 THEN filling.act() END AS acted FROM generate_series(1, 60) i;
SELECT kanon_declare('late', quasi_identifiers => '{age}', insensitive => '{acted}', identifiers => '{id}');
SELECT kanon_create_release('rung', 'late', 3, 'ring', options => '{"randomize": false}');
CREATE TABLE before AS SELECT loss FROM kanon_release WHERE release = 'rung'::regclass;
INSERT INTO deeds VALUES (1, $$SELECT public.kanon_refresh_release('filling.other')$$);
SELECT rows FROM kanon_refresh_release('rung');
SELECT loss > 0 AS lost, loss = (SELECT loss FROM before) AS same FROM kanon_release WHERE release = 'rung'::regclass;
UPDATE deeds SET deed = 'DO $x$ BEGIN PERFORM public.kanon_refresh_release(''filling.other''); RAISE ''undone''; END $x$';
SELECT rows FROM kanon_refresh_release('rung');
SELECT loss > 0 AS lost, loss = (SELECT loss FROM before) AS same FROM kanon_release WHERE release = 'rung'::regclass;

RESET ROLE;
SET client_min_messages = error;
DROP SCHEMA filling CASCADE;
DROP ROLE regress_filling;
