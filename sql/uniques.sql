-- Sample uniques: by which columns single rows can be told.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
RESET client_min_messages;
\set SHOW_CONTEXT never
SET extra_float_digits = -3;
CREATE SCHEMA telling;
SET search_path = telling, public;

CREATE TABLE staff (id int, age int, sex text, town text, notes json);
INSERT INTO staff VALUES
    (1, 30, 'f', 'A', '{}'), (2, 30, 'f', 'B', '{}'), (3, 30, 'm', 'A', '{}'), (4, 40, 'f', 'A', '{}'),
    (5, 40, 'f', 'A', '{}'), (6, NULL, 'm', 'B', '{}'), (7, 40, NULL, 'B', '{}'), (8, 40, 'm', 'B', '{}');
SELECT kanon_set_attribute('staff', 'id', 'identifier');

-- age: 6 alone is of unknown age.  sex: 7 alone has none.  town: nobody.
-- age, sex: (30, f) twice; 3 (30, m) and 8 (40, m) are alone, both minimal; 6 and 7 are alone as before: 4, 2 of them minimal
-- age, town: (30, A) 1 and 3; (30, B) 2, minimal; (40, A) 4 and 5; (40, B) 7 and 8; 6 as before: 2, 1 minimal
-- sex, town: (f, A) 1, 4, 5; (f, B) 2, minimal; (m, A) 3, minimal; (m, B) 6 and 8; 7 as before: 3, 2 minimal
-- all three: 1 (30, f, A) is alone and was not before: minimal; 4 and 5 are alike; 2, 3, 6, 7, 8 as before: 6, 1 minimal
SELECT * FROM kanon_sample_uniques('staff');
-- Row by row; m = 2 of 3 columns.  One column counts (3-1)(3-2) = 2, two count 3-2 = 1, three 1.
-- 1: the three.  2: {age,town} and {sex,town}, 2.  3: {age,sex} and {sex,town}, 2.  6: {age}, 2.  7: {sex}, 2.  8: {age,sex}, 1
SELECT * FROM kanon_special_uniques('staff', 'id');
-- Up to two columns, m = 2 again; up to one, m = 1: each counts 3-1 = 2
SELECT * FROM kanon_special_uniques('staff', 'id', size => 2);
SELECT * FROM kanon_special_uniques('staff', 'id', size => 1);

-- Columns named, in their order; sizes beyond their number
SELECT * FROM kanon_sample_uniques('staff', '{town,age}', 7);
SELECT * FROM kanon_sample_uniques('staff', '{sex}');
SELECT * FROM kanon_special_uniques('staff', 'id', '{sex}', 7);
-- Nobody is missing: the rows alone on some set are those alone on all three
SELECT sum(minimal) AS minimal, max(uniques) AS uniques FROM kanon_sample_uniques('staff');
SELECT count(*), sum(s) FROM kanon_special_uniques('staff', 'id') k, unnest(k.minimal) s WHERE s > 0;

-- A column that tells everybody leaves nothing to the others.  The key is not looked at unless it is named
SELECT kanon_unset_attribute('staff', 'id');
SELECT columns, uniques, unique_share, minimal FROM kanon_sample_uniques('staff', size => 2) ORDER BY minimal DESC, columns LIMIT 4;
SELECT count(*), max(score) FROM kanon_special_uniques('staff', 'id');
SELECT count(*), max(score) FROM kanon_special_uniques('staff', 'id', '{id,sex}', 1);

-- A row by itself has each column as a minimal set; no rows have no share
CREATE TABLE one AS SELECT 1 AS a, NULL::text AS b;
CREATE VIEW none AS SELECT * FROM one WHERE a > 1;
SELECT * FROM kanon_sample_uniques('one');
SELECT * FROM kanon_special_uniques('one', 'a', '{a,b}');
SELECT * FROM kanon_sample_uniques('none');
SELECT * FROM kanon_special_uniques('none', 'a');
-- Equal is what GROUP BY takes for equal; a key may be NULL, or of any type with a text form
CREATE TABLE spelled AS SELECT * FROM (VALUES (1.0, '{"a": 1}'::json), (1.00, NULL), ('NaN', '[]'), (2, '{}'), (2, '{}')) v (number, label);
SELECT * FROM kanon_special_uniques('spelled', 'label');
SELECT * FROM kanon_special_uniques('spelled', 'number', '{number}');
SELECT key, minimal FROM kanon_special_uniques('staff', 'sex', '{age,town}') ORDER BY key;
SELECT key, minimal FROM kanon_special_uniques('staff', 'sex', '{sex,town}') ORDER BY key;
-- Keys that spill to disk: half and two together tell everybody, and neither alone anybody
CREATE TABLE many AS SELECT n, n % 2 AS two, n / 2 AS half FROM generate_series(0, 139999) n;
SELECT * FROM kanon_sample_uniques('many', '{two,half,n}');
SET work_mem = '64kB';
SELECT minimal, score, count(*), count(DISTINCT key), min(key), max(key) FROM kanon_special_uniques('many', 'n') GROUP BY minimal, score;
RESET work_mem;

-- Writes nothing
BEGIN READ ONLY;
SELECT count(*) FROM kanon_sample_uniques('staff');
SELECT count(*) FROM kanon_special_uniques('staff', 'id');
ROLLBACK;

-- Errors
SELECT kanon_sample_uniques(NULL);
SELECT kanon_sample_uniques('staff', size => NULL);
SELECT kanon_sample_uniques('staff', size => 0);
SELECT kanon_sample_uniques('staff', '{}');
SELECT kanon_sample_uniques('staff', '{height}');
SELECT kanon_sample_uniques('staff', '{age,sex,age}');
SELECT kanon_sample_uniques('staff', '{age,NULL}');
SELECT kanon_sample_uniques('staff', '{notes}');
SELECT kanon_special_uniques('staff', NULL);
SELECT kanon_special_uniques('staff', 'height');
SELECT kanon_special_uniques(NULL, 'id');
SELECT kanon_special_uniques('staff', 'id', size => -1);
CREATE TABLE notes (id int, notes json);
SELECT kanon_special_uniques('notes', 'id');
CREATE SEQUENCE numbers;
SELECT kanon_sample_uniques('numbers');
DO $$ BEGIN EXECUTE 'CREATE TABLE wide (' || (SELECT string_agg('c' || i || ' int', ', ') FROM generate_series(1, 183) i) || ')'; END $$;
SELECT count(*) FROM kanon_sample_uniques('wide', size => 2);
SELECT kanon_sample_uniques('wide');
SELECT kanon_special_uniques('wide', 'c1', size => 2147483647);
SET kanon.memory_limit = '1MB';
SELECT kanon_sample_uniques('many');
SELECT kanon_special_uniques('many', 'n', '{two}', 1);
RESET kanon.memory_limit;
-- The caller's rights
CREATE ROLE regress_kanon_uniques;
GRANT USAGE ON SCHEMA telling TO regress_kanon_uniques;
GRANT SELECT (age, sex) ON staff TO regress_kanon_uniques;
SET ROLE regress_kanon_uniques;
SELECT count(*) FROM kanon_sample_uniques('staff', '{age,sex}');
SELECT count(*) FROM kanon_special_uniques('staff', 'id', '{age,sex}');
SELECT count(*) FROM kanon_sample_uniques('staff');
RESET ROLE;
DROP OWNED BY regress_kanon_uniques;
DROP ROLE regress_kanon_uniques;
SET client_min_messages = warning;
DROP SCHEMA telling CASCADE;
