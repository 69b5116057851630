-- Does every class of a relation hold k rows, or k people?
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
RESET client_min_messages;
\set SHOW_CONTEXT never
CREATE SCHEMA checking;
SET search_path = checking, public;

CREATE TABLE visits (person text, age int, zipcode text, ward text, note json);
INSERT INTO visits VALUES
    ('Ann', 28, '53703', 'a', '1'), ('Ann', 28, '53703', 'b', '1'), ('Bob', 28, '53703', 'a', '2'),
    ('Cid', 29, '53706', 'a', '3'), ('Cid', 29, '53706', 'b', '3'), ('Cid', 29, '53706', 'c', '3'),
    ('Dan', NULL, '53706', 'a', '4'), ('Eve', NULL, '53706', 'b', '5'),
    (NULL, 30, NULL, 'a', NULL), (NULL, 30, NULL, 'a', NULL);

-- Rows in classes, NULL a value like any other
SELECT * FROM kanon_check('visits', 2, '{age,zipcode}');
SELECT * FROM kanon_check('visits', 3, '{age,zipcode}');
SELECT * FROM kanon_check('visits', 11, '{zipcode}');
SELECT * FROM kanon_check('visits', 1, '{ward}');
SELECT kanon_check('visits', 2, '{ward}');
-- .. as plain SQL counts them
SELECT count(*) AS classes, min(n) AS smallest, count(*) FILTER (WHERE n < 3) AS violating_classes,
    sum(n) FILTER (WHERE n < 3) AS violating_rows
FROM (SELECT count(*) AS n FROM visits GROUP BY age, zipcode) c;

-- People in classes: Cid is one person, and nobody is behind a NULL
SELECT * FROM kanon_check('visits', 2, '{age,zipcode}', person => 'person');
SELECT * FROM kanon_check('visits', 1, '{age,zipcode}', person => 'person');
SELECT * FROM kanon_check('visits', 4, '{ward}', '{}', 'person');

-- The classes themselves, NULL last
SELECT * FROM kanon_classes('visits', 2, '{age,zipcode}');
SELECT class, size, satisfied FROM kanon_classes('visits', quasi_identifiers => '{ward}', person => 'person');
-- A class violates if any model fails: a has the wards a a b, Cid's a b c, those without age a b, and 30 only a
SELECT * FROM kanon_classes('visits', 2, '{age,zipcode}', ARRAY['distinct(ward, 2)', 'entropy(ward, 2)']);
SELECT * FROM kanon_check('visits', 2, '{age,zipcode}', ARRAY['distinct(ward, 2)', 'entropy(ward, 2)']);
-- Of people, each counts once for each of their values: ward a has Ann and Bob, ward b Ann; Cid is alone with three
-- values; nobody is behind the rows without a person, and their ward is not looked at
SELECT * FROM kanon_classes('visits', 2, '{age,zipcode}', ARRAY['distinct(ward, 2)', 'entropy(ward, 2)'], 'person');
SELECT * FROM kanon_check('visits', 2, '{age,zipcode}', ARRAY['distinct(ward, 2)'], 'person');
-- In the whole table ward a has Ann, Bob, Cid and Dan, b Ann, Cid and Eve, c Cid: 4/8, 3/8, 1/8.
--   28: 2/3 1/3: 1/6; 29: 1/3 each: 1/3 - 1/8 = 0.2083; NULL: 1/2 1/2: 1/8; nobody: 0
SELECT class, round(model_values[1]::numeric, 4) AS distance
FROM kanon_classes('visits', 2, '{age,zipcode}', ARRAY['closeness(ward, 1)'], 'person');

-- Declared quasi-identifiers, in a read-only transaction
SELECT kanon_set_attribute('visits', 'age', 'quasi_identifier');
BEGIN READ ONLY;
SELECT * FROM kanon_check('visits', 3);
ROLLBACK;
SET default_transaction_read_only = on;
SELECT satisfied FROM kanon_check('visits', 2);
SELECT satisfied FROM kanon_check('visits', 2, models => ARRAY['distinct(ward, 2)']);
SELECT count(*) FROM kanon_classes('visits');
RESET default_transaction_read_only;

-- Views, partitioned tables, materialized views
CREATE VIEW adults AS SELECT age, ward FROM visits WHERE age > 28;
SELECT * FROM kanon_check('adults', 2, '{age}');
CREATE TABLE parted (a int, b int) PARTITION BY LIST (a);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2);
INSERT INTO parted SELECT 1 + i % 2, i % 3 FROM generate_series(1, 12) i;
SELECT * FROM kanon_check('parted', 4, '{b}');

-- A release is checked by what it was made with, whatever its columns are called now
SELECT kanon_set_attribute('visits', 'zipcode', 'quasi_identifier');
SELECT kanon_set_attribute('visits', 'ward', 'insensitive');
SET client_min_messages = warning;
SELECT kanon_create_release('published', 'visits', 2, 'full_domain', options => '{"levels": [0, 1]}');
RESET client_min_messages;
SELECT * FROM kanon_check('published', 2);
SELECT * FROM kanon_check('published', 3);
ALTER MATERIALIZED VIEW published RENAME COLUMN age TO years;
SELECT * FROM kanon_check('published', 2);
SELECT * FROM kanon_classes('published', 2, models => ARRAY['distinct(ward, 2)']);
SELECT * FROM kanon_check('published', 2, '{years,ward}');
REFRESH MATERIALIZED VIEW published WITH NO DATA;
SELECT * FROM kanon_check('published', 2);

-- Nobody is exposed by an empty table
CREATE TABLE nothing (a int, p text);
SELECT * FROM kanon_check('nothing', 5, '{a}');
SELECT * FROM kanon_check('nothing', 5, '{a}', person => 'p');
SELECT * FROM kanon_check('nothing', 5, '{a}', ARRAY['distinct(p, 3)', 'closeness(p, 0.1)']);
SELECT * FROM kanon_classes('nothing', 5, '{a}', ARRAY['distinct(p, 3)']);

-- The caller's rights
CREATE ROLE regress_kanon_checker;
GRANT USAGE ON SCHEMA checking TO regress_kanon_checker;
GRANT SELECT (age, person) ON visits TO regress_kanon_checker;
SET ROLE regress_kanon_checker;
SELECT satisfied FROM kanon_check('visits', 2, '{age}', person => 'person');
SELECT satisfied FROM kanon_check('visits', 2, '{zipcode}');
SELECT satisfied FROM kanon_check('visits', 2, '{age}', ARRAY['distinct(ward, 2)']);
SELECT count(*) FROM kanon_classes('visits', 2, '{age}', ARRAY['distinct(person, 2)']);
SELECT count(*) FROM kanon_classes('visits', 2, '{zipcode}');
RESET ROLE;
ALTER TABLE visits ENABLE ROW LEVEL SECURITY;
CREATE POLICY young ON visits USING (age < 29);
SET ROLE regress_kanon_checker;
SELECT * FROM kanon_check('visits', 2, '{age}');
SELECT * FROM kanon_classes('visits', 2, '{age}', ARRAY['distinct(person, 2)']);
RESET ROLE;
DROP OWNED BY regress_kanon_checker;
DROP ROLE regress_kanon_checker;

-- Errors
SELECT * FROM kanon_check(NULL, 2);
SELECT * FROM kanon_check('visits', NULL);
SELECT * FROM kanon_check('visits', 0);
SELECT * FROM kanon_check('visits', -1);
SELECT * FROM kanon_check('visits', 2, '{agee}');
SELECT * FROM kanon_check('visits', 2, '{age,age}');
SELECT * FROM kanon_check('visits', 2, '{age,NULL}');
SELECT * FROM kanon_check('visits', 2, '{}');
SELECT * FROM kanon_check('visits', 2, '{note}');
SELECT * FROM kanon_check('visits', 2, '{age}', person => 'nobody');
SELECT * FROM kanon_check('visits', 2, '{age}', person => 'note');
SELECT * FROM kanon_check('parted', 2);
SELECT * FROM kanon_classes(NULL);
SELECT * FROM kanon_classes('visits', 0);
SELECT * FROM kanon_classes('visits', 2, '{agee}');
SELECT * FROM kanon_classes('visits', 2, '{age}', person => 'nobody');
SELECT kanon_classes('visits', 2, '{age}', ARRAY['distinct(age, 2)']);
CREATE SEQUENCE serial;
SELECT * FROM kanon_check('serial', 2, '{last_value}');
SELECT * FROM kanon_check('absent', 2);
-- .. kanon that goes while it is called
CREATE FUNCTION without_kanon() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    SET LOCAL client_min_messages = warning;
    DROP EXTENSION kanon CASCADE;
    RETURN 2;
END $$;
BEGIN;
SELECT * FROM kanon_check('visits', without_kanon(), '{age}');
ROLLBACK;
SET client_min_messages = warning;
DROP SCHEMA checking CASCADE;
