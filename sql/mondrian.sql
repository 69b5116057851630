-- Multidimensional recoding as a window function: classes worked out by hand,
-- kinds of columns and rows, hierarchies, NULLs, where it can stand, and every error.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
CREATE ROLE regress_analyst;
CREATE SCHEMA dividing;
GRANT USAGE ON SCHEMA dividing TO regress_analyst;
SET search_path = dividing, public;
RESET client_min_messages;
\set SHOW_CONTEXT never

-- Figure 1 of the Mondrian paper.  By hand, k = 2: all three widths are 1, so
-- the first attribute, age, is cut at its median 26 into three and three; then
-- no cut leaves two on both sides.
CREATE TABLE patients (age int, sex text, zip int, disease text);
INSERT INTO patients VALUES
    (25, 'Male', 53711, 'Flu'), (25, 'Female', 53712, 'Hepatitis'), (26, 'Male', 53711, 'Bronchitis'),
    (27, 'Male', 53710, 'Broken Arm'), (27, 'Female', 53712, 'AIDS'), (28, 'Male', 53711, 'Hang Nail');
SELECT kanon_strict_mondrian(2, ROW(age, sex, zip)) OVER () AS class, * FROM patients ORDER BY 1, 2, 3, 4;
-- Another order: zip first, median 53711.  Up to it four, of whom sex splits nobody, but age does.
SELECT kanon_strict_mondrian(2, ROW(zip, sex, age)) OVER () AS class, zip, sex, age FROM patients ORDER BY 1, 2, 3, 4;
-- The order of the rows does not matter.
SELECT count(*) FROM (SELECT p, kanon_strict_mondrian(2, ROW(zip, sex, age)) OVER (ORDER BY disease) AS class FROM patients p
                      EXCEPT SELECT p, kanon_strict_mondrian(2, ROW(zip, sex, age)) OVER (ORDER BY disease DESC) FROM patients p) d;
-- k = 1: everybody by themselves; too many: nobody
SELECT kanon_strict_mondrian(1, ROW(age, zip)) OVER () AS class, age, zip FROM patients ORDER BY 1;
SELECT DISTINCT kanon_strict_mondrian(7, ROW(age, zip)) OVER () AS class FROM patients;
SELECT DISTINCT kanon_strict_mondrian(6, ROW(age, zip)) OVER () AS class FROM patients;

-- Widths are relative to the whole.  Of 10 rows age takes 0 .. 9 and income 0 ..
-- 9000: equal; then the lower half of ages has incomes 0 and 9000 only: cut income.
SELECT kanon_strict_mondrian(2, ROW(age, income)) OVER () AS class, age, income
FROM (SELECT age, age % 2 * 9000 AS income FROM generate_series(0, 9) age) s ORDER BY 1, 2;

-- Beside the median: 30, 30, 30 lie around it.  (<= 30 | > 30) is 4 and 2,
-- (< 30 | >= 30) is 1 and 5, which is not allowable.
SELECT kanon_strict_mondrian(2, ROW(age)) OVER () AS class, age FROM unnest('{20,30,30,30,40,41}'::int[]) age ORDER BY 1, 2;
-- Neither is: strict keeps one class, relaxed deals the median to both sides.
SELECT kanon_strict_mondrian(2, ROW(age)) OVER () AS class, age FROM unnest('{20,30,30,30,40}'::int[]) age ORDER BY 1, 2;
SELECT kanon_mondrian(2, ROW(age), relaxed => true) OVER () AS class, age FROM unnest('{20,30,30,30,40}'::int[]) age ORDER BY 1, 2;
-- Those who are dealt go by the other attributes: the lowest zips stay below.
SELECT kanon_mondrian(2, ROW(age, zip), relaxed => true) OVER () AS class, age, zip
FROM (VALUES (25, 2), (26, 3), (26, 1), (26, 2)) t (age, zip) ORDER BY 1, 2, 3;
SELECT kanon_mondrian(2, ROW(1), relaxed => true) OVER () AS class, count(*) OVER () FROM generate_series(1, 7) ORDER BY 1;

-- The widest attribute cannot be cut: the next one is.
SELECT kanon_strict_mondrian(2, ROW(height, age)) OVER () AS class, height, age
FROM (VALUES (100, 20), (150, 21), (150, 30), (150, 31), (150, 32)) t (height, age) ORDER BY 1, 3;

-- NULL is a value of its own, never within a range.
SELECT kanon_strict_mondrian(2, ROW(age, zip)) OVER () AS class, age, zip
FROM (VALUES (NULL, 1), (NULL, 9), (20, 1), (21, 2), (40, 8), (41, 9), (NULL, 5)) t (age, zip) ORDER BY 1, 2, 3;
-- One NULL cannot be set apart: it is the lowest age, and costs one class.
SELECT kanon_strict_mondrian(2, ROW(age)) OVER () AS class, age FROM (VALUES (NULL), (20), (21), (40), (41)) t (age) ORDER BY 1, 2;
SELECT kanon_mondrian(2, ROW(age), relaxed => true) OVER () AS class, age FROM (VALUES (NULL), (20), (21), (40), (41)) t (age) ORDER BY 1, 2;
SELECT kanon_strict_mondrian(2, ROW(age, zip)) OVER () AS class, age, zip
FROM (VALUES (NULL, 1), (20, 2), (21, 8), (40, 9)) t (age, zip) ORDER BY 1, 2;
SELECT count(DISTINCT class), count(DISTINCT class) FILTER (WHERE a IS NULL OR b IS NULL OR c IS NULL)
FROM (SELECT *, kanon_strict_mondrian(3, ROW(a, b, c)) OVER () AS class
      FROM (SELECT nullif(i % 7, i - 4) AS a, nullif(i * 5 % 42, 7) AS b, nullif(i * 11 % 42, 9) AS c FROM generate_series(1, 42) i) t) s;
-- No cut with NULL as the lowest age leaves two on both sides; relaxed deals NULLs as any median.
SELECT kanon_strict_mondrian(2, ROW(age)) OVER () AS class, age FROM unnest('{NULL,NULL,NULL,20}'::int[]) age ORDER BY 1, 2;
SELECT kanon_mondrian(2, ROW(age), relaxed => true) OVER () AS class, age FROM unnest('{NULL,NULL,NULL,20}'::int[]) age ORDER BY 1, 2;
SELECT kanon_strict_mondrian(2, ROW(age)) OVER () AS class, age FROM unnest('{NULL,20,20,20}'::int[]) age ORDER BY 1, 2;
-- Two of each: NULLs are set apart before anything else, although zip is as wide.
SELECT kanon_strict_mondrian(2, ROW(zip, age)) OVER () AS class, zip, age
FROM (VALUES (1, NULL), (9, NULL), (2, 40), (8, 40)) t (zip, age) ORDER BY 1, 2;
-- k = 1: always set apart; columns of NULLs alone stand in nobody's way.
SELECT kanon_strict_mondrian(1, ROW(age, nothing)) OVER () AS class, age FROM (VALUES (NULL, NULL::int), (20, NULL), (NULL, NULL), (30, NULL)) t (age, nothing) ORDER BY 1, 2;
SELECT kanon_strict_mondrian(2, ROW(nothing, age)) OVER () AS class, age FROM (VALUES (NULL::int, 1), (NULL, 2), (NULL, 3), (NULL, 4)) t (nothing, age) ORDER BY 1, 2;
-- A row that is NULL is a row of NULLs.
SELECT kanon_set_attribute('patients', 'age', 'quasi_identifier');
SELECT kanon_strict_mondrian(2, p) OVER () AS class, p
FROM (VALUES (NULL::patients), ('(30,,,)'), ('(31,,,)'), (NULL)) t (p) ORDER BY 1, 2;
SELECT kanon_strict_mondrian(2, p) OVER () AS class FROM (VALUES (NULL::patients), (NULL)) t (p);
SELECT kanon_strict_mondrian(1, p, '{nobody}') OVER () AS class FROM (VALUES (NULL::patients), (NULL)) t (p);
SELECT kanon_mondrian(2, p, relaxed => true) OVER () AS class FROM (SELECT NULL::record AS p FROM generate_series(1, 4)) t ORDER BY 1;
SELECT kanon_strict_mondrian(1, p, split => 'infogain', target => 'age') OVER () AS class FROM (SELECT NULL::record AS p FROM generate_series(1, 2)) t;
SELECT kanon_unset_attribute('patients', 'age');

-- Target classes.  By the median: age first.  The best gain: zip, which tells all.
CREATE TABLE labelled (age int, zip int, label text, amount numeric);
INSERT INTO labelled VALUES (20, 1, 'a', 1), (30, 9, 'b', 100), (40, 2, 'a', 2), (50, 8, 'b', 90), (60, 2, 'a', 3), (70, 8, 'b', NULL);
SELECT kanon_strict_mondrian(3, ROW(age, zip)) OVER () AS class, * FROM labelled ORDER BY 1, 2;
SELECT kanon_strict_mondrian(3, l, '{age,zip}', split => 'infogain', target => 'label') OVER () AS class, * FROM labelled l ORDER BY 1, 2;
SELECT kanon_strict_mondrian(3, l, '{age,zip}', split => 'regression', target => 'amount') OVER () AS class, * FROM labelled l ORDER BY 1, 2;
SELECT kanon_strict_mondrian(3, ROW(age, zip, label), split => 'infogain', target => 'f3') OVER () AS class, * FROM labelled ORDER BY 1, 2;
SELECT kanon_strict_mondrian(3, ROW(age, zip, amount), split => 'regression', target => 'f3') OVER () AS class, * FROM labelled ORDER BY 1, 2;
-- The best threshold, not the median: a a | b b b b b
SELECT kanon_strict_mondrian(2, ROW(age, label), split => 'infogain', target => 'f2') OVER () AS class, age, label
FROM (VALUES (1, 'a'), (2, 'a'), (3, 'b'), (4, 'b'), (5, 'b')) t (age, label) ORDER BY 1, 2;
-- Amounts 1, 2 | 9, 10, 11; far from zero as well
SELECT kanon_strict_mondrian(2, ROW(age, amount), split => 'regression', target => 'f2') OVER () AS class, age, amount
FROM (VALUES (1, 1), (2, 2), (3, 9), (4, 10), (5, 11)) t (age, amount) ORDER BY 1, 2;
SELECT kanon_strict_mondrian(2, ROW(age, 1e15::float8 + amount), split => 'regression', target => 'f2') OVER () AS class, age, amount
FROM (VALUES (1, 1), (2, 2), (3, 9), (4, 10), (5, 11)) t (age, amount) ORDER BY 1, 2;
-- NULL is a class of its own
SELECT kanon_strict_mondrian(2, ROW(age, label), split => 'infogain', target => 'f2') OVER () AS class, age, label
FROM (VALUES (1, NULL), (2, NULL), (3, 'b'), (4, 'b'), (5, 'b')) t (age, label) ORDER BY 1, 2;
-- A quasi-identifier that is NULL is the lowest one: NULL 20 | 30 40 50, then what the median says.
SELECT kanon_strict_mondrian(2, ROW(age, label), split => 'infogain', target => 'f2') OVER () AS class, age, label
FROM (VALUES (NULL, 'a'), (20, 'a'), (30, 'b'), (40, 'b'), (50, 'b')) t (age, label) ORDER BY 1, 2;
SELECT kanon_strict_mondrian(2, ROW(age, amount), split => 'regression', target => 'f2') OVER () AS class, age, amount
FROM (VALUES (NULL, 1), (20, 2), (30, 9), (40, 10), (50, 11)) t (age, amount) ORDER BY 1, 2;
-- What tells nothing is divided at the median.
SELECT kanon_strict_mondrian(2, ROW(age, 'same'::text), split => 'infogain', target => 'f2') OVER () AS class, age FROM generate_series(1, 8) age ORDER BY 2;
SELECT kanon_strict_mondrian(2, ROW(age, 'NaN'::float8), split => 'regression', target => 'f2') OVER () AS class, age FROM generate_series(1, 8) age ORDER BY 2;

-- Hierarchies: divided from a label to its children, whatever the order of values.
CREATE TABLE works (work text PRIMARY KEY, sector text, "all" text);
INSERT INTO works VALUES ('baker', 'trade', '*'), ('nurse', 'health', '*'), ('smith', 'trade', '*'), ('doctor', 'health', '*'), ('judge', 'law', '*');
CREATE TABLE people (name text, work text, age int);
INSERT INTO people VALUES ('Ann', 'baker', 20), ('Bob', 'smith', 21), ('Cid', 'nurse', 22), ('Dan', 'doctor', 23), ('Eve', 'baker', 24), ('Flo', 'nurse', 25), ('Gus', 'doctor', 26);
SELECT kanon_set_attribute('people', 'name', 'identifier');
SELECT kanon_set_attribute('people', 'work', 'quasi_identifier', 'works');
-- Of trade three are left, among them one smith; health divides once more.
SELECT kanon_strict_mondrian(2, p) OVER () AS class, * FROM people p ORDER BY 1, 2;
-- A judge alone: no specialization of '*' is allowable.
INSERT INTO people VALUES ('Hal', 'judge', 27);
SELECT kanon_strict_mondrian(2, p) OVER () AS class, * FROM people p ORDER BY 1, 2;
-- .. but one of age is, and then each part has an ancestor of its own.
SELECT kanon_set_attribute('people', 'age', 'quasi_identifier');
SELECT kanon_strict_mondrian(2, p) OVER () AS class, * FROM people p ORDER BY 1, 2;
SELECT kanon_strict_mondrian(2, p, '{work}') OVER () AS class, * FROM people p ORDER BY 1, 2;
SELECT kanon_mondrian(2, p, '{age,work}', relaxed => true) OVER () AS class, * FROM people p ORDER BY 1, 2;
-- NULL stands beside the hierarchy
UPDATE people SET work = NULL WHERE name IN ('Hal', 'Gus');
SELECT kanon_strict_mondrian(2, p, '{work}') OVER () AS class, * FROM people p ORDER BY 1, 2;
SELECT kanon_strict_mondrian(2, p, '{work}', split => 'infogain', target => 'age') OVER () AS class, * FROM people p ORDER BY 1, 2;
-- A single NULL goes along with the fewest: trade; of two equal ones with the first in the dimension, which is trade again.
UPDATE people SET work = 'doctor' WHERE name = 'Gus';
SELECT kanon_strict_mondrian(2, p, '{work}') OVER () AS class, * FROM people p ORDER BY 1, 2;
SELECT kanon_strict_mondrian(2, p, '{work}', split => 'infogain', target => 'age') OVER () AS class, work FROM people p WHERE name <> 'Gus' ORDER BY 1, 2;
-- Where it makes up the k of its child; in a class of one label; among equal values, which nothing divides
SELECT kanon_strict_mondrian(2, p, '{work}') OVER () AS class, work FROM people p WHERE name IN ('Ann', 'Cid', 'Dan', 'Hal') ORDER BY 1, 2;
SELECT kanon_strict_mondrian(2, p, '{work}') OVER () AS class, work FROM people p WHERE name IN ('Ann', 'Bob', 'Eve', 'Hal') ORDER BY 1, 2;
UPDATE people SET work = 'baker' WHERE name = 'Bob';
SELECT kanon_strict_mondrian(2, p, '{work}') OVER () AS class, work FROM people p WHERE name IN ('Ann', 'Bob', 'Eve', 'Hal') ORDER BY 1, 2;
UPDATE people SET work = 'smith' WHERE name = 'Bob';
-- With other names for the rows nothing is declared: values in their order.
SELECT kanon_strict_mondrian(2, s) OVER () AS class, * FROM (SELECT work FROM people) s ORDER BY 1, 2;
-- No root above the labels: as if there were one
CREATE TABLE halves (n int PRIMARY KEY, half text);
INSERT INTO halves SELECT n, CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END FROM generate_series(1, 8) n;
CREATE TABLE numbers AS SELECT n FROM generate_series(1, 8) n;
SELECT kanon_set_attribute('numbers', 'n', 'quasi_identifier', 'halves');
SELECT kanon_strict_mondrian(2, t) OVER () AS class, n FROM numbers t ORDER BY 1, 2;
SELECT kanon_strict_mondrian(1, t) OVER () AS class, n FROM numbers t ORDER BY 1, 2;

-- More labels below one than a part has rows: two values of a thousand, each twice, and then a third, once.
CREATE TABLE thousand AS SELECT n, '*'::text AS "all" FROM generate_series(1, 1000) n;
CREATE TABLE few AS SELECT n FROM unnest('{1,1,1000,1000}'::int[]) n;
INSERT INTO few SELECT n FROM generate_series(2, 999) n;
SELECT kanon_set_attribute('few', 'n', 'quasi_identifier', 'thousand');
SELECT kanon_strict_mondrian(2, f) OVER (PARTITION BY n IN (1, 1000)) AS class, n FROM few f WHERE n < 4 OR n = 1000 ORDER BY 1, 2;
SELECT kanon_strict_mondrian(2, f) OVER (ORDER BY -n) AS class, count(*) OVER () FROM few f WHERE n IN (1, 500, 1000);
SELECT kanon_strict_mondrian(2, f) OVER (ORDER BY n = 500 DESC) AS class, count(*) OVER () FROM few f WHERE n IN (1, 500, 1000);

-- Kinds of columns: each in the order of its type.  Two halves of four values.
CREATE TYPE size AS ENUM ('small', 'medium', 'large', 'huge');
CREATE DOMAIN score AS int CHECK (VALUE > 0);
SELECT name, string_agg(class::text, ' ' ORDER BY n) FROM (
    SELECT 'bool' AS name, n, kanon_strict_mondrian(2, ROW(n > 2)) OVER () AS class FROM generate_series(1, 4) n
    UNION ALL SELECT 'smallint', n, kanon_strict_mondrian(2, ROW(n::smallint)) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'int, far apart', n, kanon_strict_mondrian(2, ROW((n - 2) * 1073741824 - 1)) OVER (ORDER BY -n) FROM generate_series(1, 3) n
    UNION ALL SELECT 'bigint, close', n, kanon_strict_mondrian(2, ROW(9000000000000000000 + n)) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'bigint, far apart', n, kanon_strict_mondrian(2, ROW((n - 2) * 4000000000000000000)) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'numeric', n, kanon_strict_mondrian(2, ROW(1e-20 * n)) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'numeric, beyond float8', n, kanon_strict_mondrian(2, ROW(1e400 * n)) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'float8', n, kanon_strict_mondrian(2, ROW((ARRAY['-Infinity', -0.0, 1.5, 'NaN'])[n]::float8)) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'float4', n, kanon_strict_mondrian(2, ROW(n::float4 / 3)) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'date', n, kanon_strict_mondrian(2, ROW((ARRAY['-infinity', '2000-01-01', '2000-01-02', 'infinity'])[n]::date)) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'timestamptz', n, kanon_strict_mondrian(2, ROW('2000-01-01 00:00+00'::timestamptz + n * interval '1 year')) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'time', n, kanon_strict_mondrian(2, ROW('00:00'::time + n * interval '1 hour')) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'interval', n, kanon_strict_mondrian(2, ROW(n * interval '1 day')) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'oid', n, kanon_strict_mondrian(2, ROW((4294967290 + n)::oid)) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'text', n, kanon_strict_mondrian(2, ROW(chr(96 + n))) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'text, long', n, kanon_strict_mondrian(2, ROW(repeat(chr(96 + n), 100000))) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'char', n, kanon_strict_mondrian(2, ROW(chr(96 + n)::char(3))) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'uuid', n, kanon_strict_mondrian(2, ROW(lpad(n::text, 32, '0')::uuid)) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'enum', n, kanon_strict_mondrian(2, ROW((enum_range(NULL::size))[n])) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'domain', n, kanon_strict_mondrian(2, ROW(n::score)) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'money', n, kanon_strict_mondrian(2, ROW(n::money)) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'array', n, kanon_strict_mondrian(2, ROW(ARRAY[n])) OVER () FROM generate_series(1, 4) n
    UNION ALL SELECT 'row', n, kanon_strict_mondrian(2, ROW(ROW(n, 'x'::text))) OVER () FROM generate_series(1, 4) n
) kinds GROUP BY name ORDER BY name COLLATE "C";
-- Widths go by value also where values lie far apart: of 1, 2, 4 * 10^18 the gap counts.
SELECT kanon_strict_mondrian(2, ROW(a, b)) OVER () AS class, a, b
FROM (VALUES (1, 0), (2, 10), (3, 5), (4000000000000000000, 4), (4000000000000000001, 6), (4000000000000000002, 1)) t (a, b) ORDER BY 1, 2;
-- .. and the same whatever comes first, which decides how a column is coded: here widths
-- are told apart that the nearest float8 does not tell apart.
SELECT string_agg(class::text, ' ' ORDER BY n) AS class, string_agg(again::text, ' ' ORDER BY n) AS again
FROM (SELECT n, kanon_strict_mondrian(1, ROW(a, b)) OVER (ORDER BY n) AS class, kanon_strict_mondrian(1, ROW(a, b)) OVER (ORDER BY n <> 3, n) AS again
      FROM (SELECT n, 4611686018427387904 + a AS a, b FROM (VALUES (1, 0, 28), (2, 700, 0), (3, 1500000000, 50000000), (4, 3000000000, 100000000)) t (n, a, b)) t) s;
-- Many values: classes of one are numbered as ORDER BY would.
CREATE FUNCTION misplaced(type text, value text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    answer bigint;
BEGIN
    EXECUTE format('SELECT count(*) FROM (SELECT dense_rank() OVER (ORDER BY v) AS rank, kanon_strict_mondrian(1, ROW(v)) OVER () AS class
                    FROM (SELECT (%s)::%s AS v FROM generate_series(1, 3000) n OFFSET 0) s) s WHERE rank <> class', value, type) INTO answer;
    RETURN answer;
END $$;
SELECT type, value, misplaced(type, value) FROM (VALUES
    ('numeric', 'CASE n WHEN 1 THEN ''NaN'' WHEN 2 THEN ''Infinity'' WHEN 3 THEN ''-Infinity'' ELSE (n * 7919 % 3001 - 1500) / 7.0 END'),
    ('numeric', '123456789012345678901234567890.5 + (n * 7919 % 3001)'), ('float8', 'sin(n)'), ('float4', 'CASE n WHEN 1 THEN ''NaN'' ELSE sin(n) END'),
    ('text', 'md5(n::text)'), ('text COLLATE "C"', 'md5(n::text)'), ('text COLLATE "C"', '''the same beginning '' || md5(n::text)'), ('text', 'repeat(''x'', n * 7919 % 3001)'),
    ('char(9)', 'n * 7919 % 3001'), ('name', 'md5(n::text)'), ('bytea', 'md5(n::text)::bytea'), ('uuid', 'md5(n::text)'),
    ('inet', '''10.0.0.0''::inet + n * 7919 % 3001'), ('interval', 'n * 7919 % 3001 * interval ''1 hour'''), ('int8', '(n * 7919 % 3001 - 1500) * 6000000000000000'),
    ('timestamptz', 'CASE n WHEN 1 THEN ''infinity'' ELSE now() + n * 7919 % 3001 * interval ''1 day'' END'), ('int[]', 'ARRAY[n * 7919 % 3001]'),
    ('money', 'n * 7919 % 3001')) t (type, value);
-- As many as 64
SELECT string_agg(format('n + %s', i), ', ') AS columns FROM generate_series(1, 64) i \gset
SELECT kanon_strict_mondrian(2, ROW(:columns)) OVER () AS class, n FROM generate_series(1, 5) n ORDER BY 2;

-- Whole rows: of a table, a view, a subquery, a composite type; dropped columns
ALTER TABLE patients ADD extra int, DROP disease;
SELECT kanon_set_attribute('patients', 'age', 'quasi_identifier'), kanon_set_attribute('patients', 'sex', 'insensitive');
SELECT kanon_strict_mondrian(3, p) OVER () AS class, * FROM patients p ORDER BY 1, 2, 3;
SELECT kanon_strict_mondrian(3, p, '{zip}') OVER () AS class, * FROM patients p ORDER BY 1, 4, 2, 3;
CREATE VIEW males AS SELECT age, zip FROM patients WHERE sex = 'Male';
SELECT kanon_strict_mondrian(2, m, '{zip,age}') OVER () AS class, * FROM males m ORDER BY 1, 2, 3;
SELECT kanon_strict_mondrian(2, s) OVER () AS class, * FROM (SELECT age, zip FROM patients) s ORDER BY 1, 2, 3;
WITH s AS MATERIALIZED (SELECT zip, age FROM patients) SELECT kanon_strict_mondrian(2, s, '{age}') OVER () AS class, * FROM s ORDER BY 1, 3, 2;
CREATE TYPE spot AS (x int, y int);
SELECT kanon_strict_mondrian(2, ROW(n, 0)::spot, '{x}') OVER () AS class, n FROM generate_series(1, 4) n ORDER BY 2;
-- Records of two types with the same fields
SELECT kanon_strict_mondrian(2, r) OVER () AS class, r FROM (SELECT ROW(n, 'a'::varchar(3)) AS r FROM generate_series(1, 2) n UNION ALL SELECT ROW(n, 'b'::varchar(5)) FROM generate_series(3, 4) n) s ORDER BY 2;

-- PARTITION BY: classes are counted within each; a small one has none
SELECT sex, age, kanon_strict_mondrian(2, ROW(age)) OVER (PARTITION BY sex) AS class FROM patients ORDER BY 1, 2;
SELECT sex, age, kanon_strict_mondrian(3, ROW(age)) OVER (PARTITION BY sex) AS class FROM patients ORDER BY 1, 2;
SELECT sex, age, kanon_strict_mondrian(2, p) OVER (PARTITION BY sex) AS class FROM patients p ORDER BY 1, 2;
-- .. options are those of the first row of each
SELECT sex, age, kanon_strict_mondrian(CASE sex WHEN 'Male' THEN 2 ELSE 1 END, ROW(age)) OVER (PARTITION BY sex) AS class FROM patients ORDER BY 1, 2;
SELECT sex, age, zip, kanon_strict_mondrian(1, p, CASE sex WHEN 'Male' THEN '{age}'::name[] ELSE '{zip}' END) OVER (PARTITION BY sex) AS class FROM patients p ORDER BY 1, 2;
-- Several in one query, and within another
SELECT kanon_strict_mondrian(2, ROW(age)) OVER w AS by_age, kanon_strict_mondrian(2, ROW(zip)) OVER w AS by_zip,
    kanon_mondrian(2, ROW(age, zip), relaxed => true) OVER () AS relaxed, row_number() OVER (ORDER BY age, sex) AS number
FROM patients WINDOW w AS (ORDER BY age, sex) ORDER BY number;
SELECT class, count(*), min(age), max(age) FROM (SELECT age, kanon_strict_mondrian(2, ROW(age, zip)) OVER () AS class FROM patients) c GROUP BY class ORDER BY class;
SELECT count(*) FROM (SELECT kanon_strict_mondrian(2, ROW(age)) OVER () FROM patients WHERE false) s;
SELECT o.n, c.class FROM generate_series(2, 3) o (n), LATERAL (SELECT max(class) AS class FROM (SELECT kanon_strict_mondrian(o.n, ROW(age)) OVER () AS class FROM patients) s) c ORDER BY 1;

-- Views, materialized views, prepared statements, read-only transactions
CREATE VIEW classes AS SELECT age, zip, kanon_strict_mondrian(2, p) OVER () AS class FROM patients p;
SELECT * FROM classes ORDER BY 3, 1, 2;
CREATE MATERIALIZED VIEW kept AS SELECT row_number() OVER (ORDER BY age, zip) AS id, age, kanon_strict_mondrian(2, p) OVER () AS class FROM people p CROSS JOIN (VALUES (1)) z (zip);
CREATE UNIQUE INDEX ON kept (id);
SELECT class, count(*) FROM kept GROUP BY class ORDER BY class;
DELETE FROM people WHERE name = 'Ann';
REFRESH MATERIALIZED VIEW kept;
SELECT class, count(*) FROM kept GROUP BY class ORDER BY class;
REFRESH MATERIALIZED VIEW CONCURRENTLY kept;
PREPARE divide(int) AS SELECT count(DISTINCT class) FROM (SELECT kanon_strict_mondrian($1, p) OVER () AS class FROM patients p) c;
EXECUTE divide(1);
EXECUTE divide(2);
EXECUTE divide(6);
BEGIN READ ONLY;
SELECT max(class) FROM (SELECT kanon_strict_mondrian(2, p) OVER () AS class FROM people p) c;
COMMIT;

-- With the rights of whoever asks: the dimension too
GRANT SELECT ON people TO regress_analyst;
SET ROLE regress_analyst;
SELECT max(class) FROM (SELECT kanon_strict_mondrian(2, ROW(work, age)) OVER () AS class FROM people p) c;
SELECT kanon_strict_mondrian(2, p) OVER () FROM people p;
RESET ROLE;

-- The memory limit, whose hint says what would do
\set VERBOSITY terse
SET kanon.memory_limit = '64kB';
SELECT count(class) FROM (SELECT kanon_strict_mondrian(2, ROW(n)) OVER () AS class FROM generate_series(1, 10000) n) c;
SELECT count(class) FROM (SELECT kanon_strict_mondrian(2, ROW(n::text)) OVER () AS class FROM generate_series(1, 2000) n) c;
RESET kanon.memory_limit;
\set VERBOSITY default
-- .. holds for each window partition by itself
SET kanon.memory_limit = '128kB';
SELECT count(class) FROM (SELECT kanon_strict_mondrian(2, ROW(n)) OVER (PARTITION BY n % 20) AS class FROM generate_series(1, 20000) n) c;
RESET kanon.memory_limit;

-- .. with what a dimension takes in each
SET kanon.memory_limit = '64kB';
SELECT max(class), count(*) FROM (SELECT kanon_strict_mondrian(2, t) OVER (PARTITION BY part) AS class FROM numbers t, generate_series(1, 1000) part) c;
RESET kanon.memory_limit;

-- Errors: k
SELECT kanon_mondrian(0, ROW(age)) OVER () FROM patients;
SELECT kanon_mondrian(-3, ROW(age)) OVER () FROM patients;
SELECT kanon_mondrian(NULL, ROW(age)) OVER () FROM patients;
-- .. rows and fields
SELECT kanon_mondrian(2, age) OVER () FROM patients;
SELECT kanon_mondrian(2, ROW(age)) FROM patients;
SELECT kanon_mondrian(2, ROW()) OVER () FROM patients;
SELECT kanon_mondrian(2, s, '{}') OVER () FROM (SELECT age FROM patients) s;
SELECT kanon_mondrian(2, labelled) OVER () FROM labelled;
SELECT kanon_mondrian(2, labelled, '{}') OVER () FROM labelled;
SELECT kanon_mondrian(2, labelled, '{age,color}') OVER () FROM labelled;
SELECT kanon_mondrian(2, s, '{color}') OVER () FROM (SELECT age FROM patients OFFSET 0) s;
SELECT kanon_mondrian(2, ROW(n, n)::spot, '{z}') OVER () FROM generate_series(1, 2) n;
SELECT kanon_mondrian(2, ROW(age), '{age}') OVER () FROM patients;
SELECT kanon_mondrian(2, s, '{age}') OVER () FROM (SELECT age, zip AS age FROM patients) s;
SELECT kanon_mondrian(2, s, '{age,age}') OVER () FROM (SELECT age FROM patients) s;
SELECT kanon_mondrian(2, labelled, '{age,age}') OVER () FROM labelled;
SELECT kanon_mondrian(2, s, ARRAY['age', NULL]::name[]) OVER () FROM (SELECT age FROM patients) s;
SELECT kanon_mondrian(2, ROW(age, '1'::json)) OVER () FROM patients;
SELECT kanon_mondrian(2, ROW(age, ARRAY[point(1, 1)])) OVER () FROM patients;
SELECT kanon_mondrian(2, ROW(:columns, n)) OVER () FROM generate_series(1, 5) n;
SELECT kanon_mondrian(2, r) OVER () FROM (SELECT ROW(1) AS r UNION ALL SELECT ROW('x'::text)) s;
SELECT kanon_mondrian(2, r) OVER () FROM (SELECT ROW(1) AS r UNION ALL SELECT ROW(1, 2)) s;
-- .. options
SELECT kanon_mondrian(2, ROW(age), relaxed => NULL) OVER () FROM patients;
SELECT kanon_mondrian(2, ROW(age), split => NULL) OVER () FROM patients;
SELECT kanon_mondrian(2, ROW(age), split => 'mean') OVER () FROM patients;
SELECT kanon_mondrian(2, ROW(age, zip), target => 'f2') OVER () FROM patients;
SELECT kanon_mondrian(2, ROW(age, zip), split => 'infogain') OVER () FROM patients;
SELECT kanon_mondrian(2, ROW(age, zip), split => 'regression') OVER () FROM patients;
SELECT kanon_mondrian(2, ROW(age, zip), relaxed => true, split => 'infogain', target => 'f2') OVER () FROM patients;
SELECT kanon_mondrian(2, ROW(age, zip), split => 'infogain', target => 'zip') OVER () FROM patients;
SELECT kanon_mondrian(2, ROW(age, zip), '{f1,f2}', split => 'infogain', target => 'f2') OVER () FROM patients;
SELECT kanon_mondrian(2, p, split => 'regression', target => 'age') OVER () FROM patients p;
SELECT kanon_mondrian(2, ROW(age), split => 'infogain', target => 'f1') OVER () FROM patients;
SELECT kanon_mondrian(2, ROW(age, sex), split => 'regression', target => 'f2') OVER () FROM patients;
SELECT kanon_mondrian(2, ROW(age, '1'::json), split => 'infogain', target => 'f2') OVER () FROM patients;
-- Values that the dimension does not know go along as NULLs do
INSERT INTO people VALUES ('Ida', 'pirate', 30), ('Joe', 'spy', 31), ('Kim', 'spy', 31);
SELECT class, string_agg(name, ' ' ORDER BY name) FROM (SELECT name, kanon_mondrian(2, p) OVER () AS class FROM people p) c
    GROUP BY class ORDER BY class;
-- No error shows values: who reads the rows through a view may not be meant to see them
CREATE TABLE torn (place text, district text, town text);
INSERT INTO torn VALUES ('a', 'north', 'x'), ('b', 'north', 'y');
CREATE TABLE blank (place text, district text, town text);
INSERT INTO blank VALUES ('a', 'north', NULL);
CREATE TABLE whose (place text, illness text);
INSERT INTO whose VALUES ('a', 'flu'), ('b', 'cold'), ('c', 'gout');
CREATE VIEW torn_cells AS
SELECT kanon_view_cell(kanon_view_cells('mondrian', 2, ROW(place), dimensions => ARRAY['torn'::regclass]) OVER (), 'f1', NULL::text) AS place FROM whose;
CREATE VIEW blank_cells AS
SELECT kanon_view_cell(kanon_view_cells('mondrian', 2, ROW(place), dimensions => ARRAY['blank'::regclass]) OVER (), 'f1', NULL::text) AS place FROM whose;
SELECT kanon_set_attribute('whose', 'illness', 'sensitive', 'torn');
CREATE VIEW judged AS
SELECT kanon_mondrian(2, w, '{place}', ARRAY['closeness(illness, 0.5)']) OVER () FROM whose w;
GRANT USAGE ON SCHEMA dividing TO regress_analyst;
GRANT SELECT ON torn, blank, torn_cells, blank_cells, judged TO regress_analyst;
SET ROLE regress_analyst;
TABLE torn_cells;
TABLE blank_cells;
TABLE judged;
RESET ROLE;
UPDATE torn SET town = 'x';
SET ROLE regress_analyst;
TABLE torn_cells;
TABLE judged;
SELECT has_table_privilege('whose', 'SELECT');
RESET ROLE;

SET client_min_messages = warning;
RESET search_path;
DROP SCHEMA dividing CASCADE;
DROP ROLE regress_analyst;
