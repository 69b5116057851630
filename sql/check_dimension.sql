-- What is wrong with a dimension: kanon_check_dimension.
SET client_min_messages = warning;
CREATE ROLE regress_reader;
CREATE SCHEMA "Check Test";
GRANT USAGE ON SCHEMA "Check Test" TO PUBLIC;
SET search_path = "Check Test", public;
RESET client_min_messages;

CREATE TABLE person ("Zip Code" text, age int);
INSERT INTO person SELECT z, a FROM (VALUES
    ('53715', 25), ('53710', 26), ('53703', 26), (NULL, NULL), ('53706', 40), ('53706', 41),
    ('53706', 41), ('90210', 41), ('10001', 25), ('10001', 25)) v (z, a);

-- All is well; rows without a value miss nothing.
CREATE TABLE zip (ground text, "To 4" text, top text);
INSERT INTO zip SELECT DISTINCT "Zip Code", left("Zip Code", 4) || '*', '*' FROM person
WHERE "Zip Code" IS NOT NULL;
SELECT * FROM kanon_check_dimension('zip', 'person', 'Zip Code');

-- A row that says again what another says is no problem, to nobody.
BEGIN;
SELECT kanon_set_attribute('person', 'Zip Code', 'quasi_identifier', 'zip');
CREATE TEMP TABLE before AS SELECT * FROM kanon_incognito('person', 2, metrics => true);
SELECT kanon_create_release('before_release', 'person', 2, 'full_domain', options => '{"levels": [1]}', suppression => 0.5);
CREATE TABLE before_mondrian AS SELECT kanon_view_cells('mondrian', 2, p) OVER ()::text FROM person p;
INSERT INTO zip TABLE zip;
INSERT INTO zip TABLE zip;
SELECT * FROM kanon_check_dimension('zip', 'person', 'Zip Code');
SELECT levels, loss, classes, smallest, suppressed FROM kanon_incognito('person', 2, metrics => true);
(TABLE before EXCEPT ALL SELECT * FROM kanon_incognito('person', 2, metrics => true))
UNION ALL (SELECT * FROM kanon_incognito('person', 2, metrics => true) EXCEPT ALL TABLE before);
SET LOCAL kanon.ground_scan = 'group_by';
TABLE before EXCEPT ALL SELECT * FROM kanon_incognito('person', 2, metrics => true);
SELECT kanon_create_release('after_release', 'person', 2, 'full_domain', options => '{"levels": [1]}', suppression => 0.5);
TABLE after_release ORDER BY 1;
TABLE before_release EXCEPT ALL TABLE after_release;
TABLE before_mondrian EXCEPT ALL SELECT kanon_view_cells('mondrian', 2, p) OVER ()::text FROM person p;
SELECT rows, classes, round(loss::numeric, 12) AS loss FROM kanon_quality('after_release', 'person');
ROLLBACK;

-- Each problem by itself, in one transaction each.
BEGIN;
INSERT INTO zip VALUES (NULL, '5370*', '*'), (NULL, '5371*', '*');
SELECT * FROM kanon_check_dimension('zip', 'person', 'Zip Code');
ROLLBACK;
BEGIN;
INSERT INTO zip VALUES ('53715', '5372*', '*'), ('53703', '5371*', '*'), ('53715', '5371*', '*');
SELECT * FROM kanon_check_dimension('zip', 'person', 'Zip Code');
ROLLBACK;
BEGIN;
UPDATE zip SET "To 4" = NULL WHERE ground LIKE '5370_';
UPDATE zip SET top = NULL WHERE ground = '53715';
SELECT * FROM kanon_check_dimension('zip', 'person', 'Zip Code');
ROLLBACK;
BEGIN;
UPDATE zip SET top = 'five' WHERE ground = '53715';
UPDATE zip SET top = 'nine' WHERE ground = '90210';
SELECT * FROM kanon_check_dimension('zip', 'person', 'Zip Code');
ROLLBACK;
BEGIN;
DELETE FROM zip WHERE ground IN ('53706', '10001', '90210');
SELECT * FROM kanon_check_dimension('zip', 'person', 'Zip Code');
TRUNCATE zip;
SELECT * FROM kanon_check_dimension('zip', 'person', 'Zip Code');
ROLLBACK;

-- A hierarchy from a CSV file: everything is text, some of it no number.  A
-- value in another spelling is the same value.
CREATE TABLE loaded (age text, decade text, top text);
COPY loaded FROM STDIN (FORMAT csv, DELIMITER ';');
25;20-29;*
 26 ;20-29;*
026;2x;*
forty;40-49;*
forty;40-49;*
;30-39;*
99999999999;90-99;*
"it's";;*
\.
SELECT * FROM kanon_check_dimension('loaded', 'person', 'age');
DELETE FROM loaded WHERE age !~ '^[ 0-9]{1,4}$' OR age IS NULL;
DELETE FROM loaded WHERE age = '026';
INSERT INTO loaded VALUES ('40', '40-49', '*'), ('+41', '40-49', '*');
SELECT * FROM kanon_check_dimension('loaded', 'person', 'age');
SELECT kanon_set_attribute('person', 'age', 'quasi_identifier', 'loaded');

-- Domains: what they do not allow is invalid.
CREATE DOMAIN adult AS int CHECK (VALUE >= 18) NOT NULL;
CREATE DOMAIN mood AS text CHECK (VALUE <> 'none');
CREATE TABLE grown (age adult, mood mood);
INSERT INTO grown VALUES (20, 'ok'), (30, 'OK');
CREATE TABLE ages (age int, top text);
INSERT INTO ages VALUES (17, '*'), (20, '*'), (20, 'all'), (NULL, '*');
SELECT * FROM kanon_check_dimension('ages', 'grown', 'age');
CREATE TABLE moods (mood text, top text);
INSERT INTO moods VALUES ('none', '*'), ('ok', '*');
SELECT * FROM kanon_check_dimension('moods', 'grown', 'mood');

-- Enums, dates and other spellings of what is equal; labels of any type.
CREATE TYPE colour AS ENUM ('red', 'green');
CREATE TABLE thing (colour colour, made date, price numeric, code bpchar);
INSERT INTO thing VALUES ('red', '2024-01-01', 1.0, 'a'), ('green', '2024-01-02', 2.50, 'b ');
CREATE TABLE colours (colour text, top text);
INSERT INTO colours VALUES ('red', '*'), ('blue', '*'), ('Green', '*');
SELECT * FROM kanon_check_dimension('colours', 'thing', 'colour');
CREATE TABLE days (day text, month date, "number" int);
INSERT INTO days VALUES ('2024-01-01', '2024-01-01', 1), ('January 2, 2024', '2024-01-01', 2),
    ('2024-02-30', '2024-02-01', 2);
SELECT * FROM kanon_check_dimension('days', 'thing', 'made');
CREATE TABLE prices (price numeric, half numeric, top text);
INSERT INTO prices VALUES (1.00, 0.5, 'a'), (2.5, 0.50, 'b');
SELECT * FROM kanon_check_dimension('prices', 'thing', 'price');
CREATE TABLE codes (code text, top text);
INSERT INTO codes VALUES ('a   ', '*'), ('b', '*');
SELECT * FROM kanon_check_dimension('codes', 'thing', 'code');

-- It reads only, as the caller.
BEGIN READ ONLY;
SELECT count(*) FROM kanon_check_dimension('colours', 'thing', 'colour');
ROLLBACK;
CREATE VIEW names AS SELECT 'red'::colour AS colour, '*' AS top;
SELECT * FROM kanon_check_dimension('names', 'thing', 'colour');
GRANT SELECT (made) ON thing TO regress_reader;
GRANT SELECT ON days TO regress_reader;
SET ROLE regress_reader;
\set VERBOSITY terse
SELECT * FROM kanon_check_dimension('colours', 'thing', 'colour');
SELECT * FROM kanon_check_dimension('days', 'thing', 'price');
\set VERBOSITY default
SELECT problem, value FROM kanon_check_dimension('days', 'thing', 'made');
RESET ROLE;

-- A composite value with a null field is a value; only NULL itself is none.
CREATE TYPE address AS (street text, flat int);
CREATE TABLE home (place address);
INSERT INTO home VALUES (('Elm Street', 1)), (('Elm Street', NULL)), (('Elm Street', NULL)),
    ((NULL, NULL)), (NULL);
CREATE TABLE homes AS SELECT DISTINCT place, 'somewhere' AS somewhere, '*' AS top FROM home
WHERE (place).flat = 1;
SELECT kanon_set_attribute('home', 'place', 'quasi_identifier', 'homes');
SELECT * FROM kanon_check_dimension('homes', 'home', 'place');
SELECT kanon_create_release('home_release', 'home', 1, 'full_domain', options => '{"levels": [1]}');
SELECT kanon_create_dimension('all_homes', 'home', 'place', 'suppress');
SELECT * FROM all_homes;
SELECT * FROM kanon_check_dimension('all_homes', 'home', 'place');
SELECT levels, loss FROM kanon_incognito('home', 1);

-- Bad input.
CREATE TABLE lone (ground text);
CREATE SEQUENCE counter;
CREATE TABLE pictures (picture point, top text);
CREATE TABLE document (id int, contents json, pages json[], title text);
INSERT INTO document VALUES (1, '{"a": 1}', NULL, '{"a": 1}');
CREATE TABLE documents (contents json, summary json, top text);
INSERT INTO documents VALUES ('{"a": 1}', '{}', '*');
CREATE TABLE titles (title json, top text);
INSERT INTO titles VALUES ('{"a": 1}', '*'), ('{"a": 1}', '*'), ('{}', '*');
SELECT * FROM kanon_check_dimension('lone', 'person', 'age');
SELECT * FROM kanon_check_dimension('counter', 'person', 'age');
SELECT * FROM kanon_check_dimension('zip', 'counter', 'age');
SELECT * FROM kanon_check_dimension('zip', 'person', 'no_column');
SELECT * FROM kanon_check_dimension('pictures', 'person', 'age');
-- .. types without equality, though a ground value needs none of its own
SELECT * FROM kanon_check_dimension('documents', 'document', 'contents');
SELECT * FROM kanon_check_dimension('documents', 'document', 'pages');
SELECT * FROM kanon_check_dimension('documents', 'document', 'title');
SELECT kanon_set_attribute('document', 'title', 'quasi_identifier', 'documents');
SELECT * FROM kanon_check_dimension('titles', 'document', 'title');
SELECT * FROM kanon_check_dimension('titles', 'document', 'id');
-- .. more levels than a dimension has
SELECT format('CREATE TABLE tower (id int, %s)', string_agg(format('l%s text', i), ', ')) FROM generate_series(1, 101) i \gexec
SELECT * FROM kanon_check_dimension('tower', 'document', 'id');
SELECT kanon_set_attribute('document', 'id', 'quasi_identifier', 'tower');
SELECT kanon_view_cells('mondrian', 1, ROW(1), dimensions => '{tower}') OVER ();
ALTER TABLE tower DROP COLUMN l101;
SELECT * FROM kanon_check_dimension('tower', 'document', 'id');
-- .. values too long to be listed, or to be a key
CREATE TABLE long_ones AS SELECT repeat('a', 100000) || i AS id, '*' AS top FROM generate_series(1, 9) i;
SET kanon.memory_limit = '1MB';
SELECT * FROM kanon_check_dimension('long_ones', 'document', 'id');
RESET kanon.memory_limit;
SELECT problem, length(value), length(detail) FROM kanon_check_dimension('long_ones', 'document', 'id');
UPDATE document SET title = (SELECT string_agg(md5(i::text), '') FROM generate_series(1, 200) i);
\set VERBOSITY terse
SELECT kanon_create_dimension('contents', 'document', 'title', 'suppress');
\set VERBOSITY default
DO $$
DECLARE
    hint text;
BEGIN
    PERFORM kanon_create_dimension('contents', 'document', 'title', 'suppress');
EXCEPTION WHEN program_limit_exceeded THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RAISE INFO '%', hint;
END $$;
SELECT * FROM kanon_check_dimension(NULL, 'person', 'age');
SELECT * FROM kanon_check_dimension('zip', NULL, 'age');
SELECT * FROM kanon_check_dimension('zip', 'person', NULL);
SELECT * FROM kanon_check_dimension('zip', 0, 'age');

SET client_min_messages = warning;
DROP SCHEMA "Check Test" CASCADE;
DROP ROLE regress_reader;
