-- Privacy models: the type kanon_models, and what each model means, by hand.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
RESET client_min_messages;
SET extra_float_digits = -3;
CREATE SCHEMA modelling;
SET search_path = modelling, public;

-- ---- Text

-- One spelling for each
SELECT model::kanon_models FROM (VALUES
    ('distinct(disease, 3)'), ('  DISTINCT ( Disease ,3.0 ) '), ('entropy(disease,2.50)'), ('recursive(disease, 2, 3)'),
    ('recursive(disease,.5,1)'), ('closeness(disease, 0.2)'), ('closeness(d,+1e-1)'), ('variance(salary, 1e6)'),
    ('variance(salary,0)'), ('distinct("disease", 3)'), ('distinct("Net salary", 3)'), ('distinct("a""b", 3)'),
    ('distinct("1st", 3)')) v (model);
SELECT 'distinct(née, 2147483647)'::kanon_models, 'entropy(_a$1, 1)'::kanon_models, E'closeness(\n\tselect, 1)'::kanon_models;
-- .. which is read as the same model
SELECT DISTINCT model::kanon_models::text::kanon_models::text = model::kanon_models::text AS same
FROM (VALUES ('distinct("Net, (salary)", 3)'), ('variance(x, 0.1)'), ('variance(x, 123456.789e-30)'), ('recursive(x, 1e300, 2)')) v (model);
-- Arrays, from text and from literals
SELECT '{"distinct(a, 2)","closeness(\"B c\", 0.2)"}'::kanon_models;
SELECT ARRAY['distinct(a,2)', 'entropy(a,2)']::kanon_models;
SELECT array_agg(model)::kanon_models FROM (VALUES ('distinct(a,2)'), ('entropy(a,2)')) v (model);
-- .. where the comma of a model does not matter
SELECT '{distinct(a, 2), closeness(b, 0.2)}'::kanon_models;
SELECT 'distinct(a, 2),closeness("B, c", 0.2)'::kanon_models;
SELECT models::text = '' AS none FROM (VALUES (''::kanon_models), (' '), ('{}'), (ARRAY[]::text[]::kanon_models)) v (models);
SELECT encode(kanon_models_send('distinct( A, 2) ,distinct(B,2)'), 'escape');
CREATE TABLE wanted (model kanon_models, models kanon_models);
INSERT INTO wanted VALUES ('distinct(a, 2)', ARRAY['entropy(a, 2)']), (NULL, NULL);
TABLE wanted;

-- What is no model, and where
SELECT 'distinct(a, 2),'::kanon_models;
SELECT ',distinct(a, 2)'::kanon_models;
SELECT '{distinct(a, 2)'::kanon_models;
SELECT '{NULL}'::kanon_models;
SELECT ARRAY['distinct(a, 2)', 'entropy(a, 2)']::varchar[]::kanon_models, 'distinct(a, 2)'::varchar::kanon_models, ('[0:1]={distinct(a\, 2),"entropy(a, 2)"}'::text[])::kanon_models;
SELECT ARRAY[NULL]::text[]::kanon_models, 1;
SELECT '[distinct(a, 2)]'::kanon_models;
SELECT ARRAY['distinct(a, 2)', '']::kanon_models;
SELECT 'distinct'::kanon_models;
SELECT 'anonymous(a, 2)'::kanon_models;
SELECT '3'::kanon_models;
SELECT 'distinct a, 2)'::kanon_models;
SELECT 'distinct()'::kanon_models;
SELECT 'distinct(3, a)'::kanon_models;
SELECT 'distinct("", 3)'::kanon_models;
SELECT 'distinct("a, 3)'::kanon_models;
SELECT ('distinct(' || repeat('a', 64) || ', 3)')::kanon_models;
SELECT 'distinct(a 3)'::kanon_models;
SELECT 'distinct(a.b, 3)'::kanon_models;
SELECT 'distinct(a, )'::kanon_models;
SELECT 'distinct(a, three)'::kanon_models;
SELECT 'distinct(a, 2.5)'::kanon_models;
SELECT 'distinct(a, 2, 3)'::kanon_models;
SELECT 'recursive(a, 2)'::kanon_models;
SELECT 'recursive(a, 2, 2.5)'::kanon_models;
SELECT 'closeness(a, NaN)'::kanon_models;
SELECT 'variance(a, infinity)'::kanon_models;
SELECT 'distinct(a, 3'::kanon_models;
SELECT 'distinct(a, 3) and more'::kanon_models;
SELECT ARRAY['distinct(a, 2)', 'distinct(a)']::kanon_models;
-- Parameters out of range
SELECT 'distinct(a, 0)'::kanon_models;
SELECT 'distinct(a, -1)'::kanon_models;
SELECT 'distinct(a, 2147483648)'::kanon_models;
SELECT 'entropy(a, 0.99)'::kanon_models;
SELECT 'recursive(a, 0, 2)'::kanon_models;
SELECT 'recursive(a, 2, 0)'::kanon_models;
SELECT 'closeness(a, 1.01)'::kanon_models;
SELECT 'closeness(a, -0.01)'::kanon_models;
SELECT 'variance(a, -1)'::kanon_models;
SELECT 'variance(a, 1e999)'::kanon_models;

-- ---- Distinct, entropy and recursive diversity

-- counts of the classes: a: 2 1 1; b: 5 3 2 1; c: 2 2 2; d: 4 1 1 1 1; e: 3; f: 4 2 2
CREATE TABLE counted (class text, s text);
INSERT INTO counted SELECT class, chr(64 + value::int)
FROM (VALUES ('a', '{2,1,1}'::int[]), ('b', '{5,3,2,1}'), ('c', '{2,2,2}'), ('d', '{4,1,1,1,1}'), ('e', '{3}'), ('f', '{4,2,2}')) v (class, counts),
     unnest(counts) WITH ORDINALITY u (n, value), generate_series(1, n);

-- distinct: the number of values
-- entropy, as the number of equally frequent values that have it, n / (product of n_i ^ n_i) ^ (1 / n):
--   a: 4 / (2^2) ^ (1/4) = 2 * sqrt(2) = 2.8284
--   b: 11 / (5^5 * 3^3 * 2^2) ^ (1/11) = 11 / 337500 ^ (1/11) = 11 / 3.1812 = 3.4578
--   c: 3, all being alike
--   d: shares 1/2 and four times 1/8: 2 ^ (1/2 * 1 + 4/8 * 3) = 2 ^ 2 = 4
--   e: 1
--   f: shares 1/2, 1/4, 1/4: 2 ^ (1/2 * 1 + 2/4 * 2) = 2.8284
-- recursive with l = 2: r1 / (r2 + r3 + ..)
--   a: 2 / 2 = 1; b: 5 / 6 = 0.8333; c: 2 / 4 = 0.5; d: 4 / 4 = 1; e: 3 / 0; f: 4 / 4 = 1
-- recursive with l = 3: r1 / (r3 + ..)
--   a: 2 / 1; b: 5 / 3 = 1.6667; c: 2 / 2; d: 4 / 3; e: 3 / 0; f: 4 / 2
SELECT class, size, distinct_values[1], model_values
FROM kanon_classes('counted', quasi_identifiers => '{class}',
    models => ARRAY['distinct(s, 3)', 'entropy(s, 2)', 'recursive(s, 2, 2)', 'recursive(s, 2, 3)']);

-- What is equal satisfies entropy and does not satisfy recursive, whose bound is strict
SELECT model, array_agg(class[1] ORDER BY class) AS satisfied_by
FROM (VALUES ('distinct(s, 1)'), ('distinct(s, 3)'), ('distinct(s, 4)'), ('distinct(s, 5)'),
             ('entropy(s, 1)'), ('entropy(s, 2.8284)'), ('entropy(s, 3)'), ('entropy(s, 4)'), ('entropy(s, 4.0001)'),
             ('recursive(s, 1, 2)'), ('recursive(s, 1.001, 2)'), ('recursive(s, 0.5, 2)'), ('recursive(s, 2, 3)'),
             ('recursive(s, 0.1, 1)'), ('recursive(s, 4, 4)'), ('recursive(s, 5.1, 4)'), ('recursive(s, 9, 5)')) v (model),
     LATERAL kanon_classes('counted', 1, '{class}', ARRAY[model]) c
WHERE satisfied GROUP BY model ORDER BY model COLLATE "C";
-- 0.3 * 10 is 3 and nothing else
CREATE TABLE thirds AS SELECT 1 AS class, CASE WHEN i <= 3 THEN 0 ELSE i END AS s FROM generate_series(1, 13) i;
SELECT satisfied FROM kanon_classes('thirds', 1, '{class}', '{"recursive(s, 0.3, 2)"}');
SELECT satisfied FROM kanon_classes('thirds', 1, '{class}', '{"recursive(s, 0.3001, 2)"}');

-- ---- Closeness

-- The example of Li, Li and Venkatasubramanian: salaries in thousands
CREATE TABLE salaries (zip_code text, age text, salary int, disease text);
INSERT INTO salaries VALUES
    ('476**', '2*', 3, 'gastric ulcer'), ('476**', '2*', 4, 'gastritis'), ('476**', '2*', 5, 'stomach cancer'),
    ('4790*', '>=40', 6, 'gastritis'), ('4790*', '>=40', 11, 'flu'), ('4790*', '>=40', 8, 'bronchitis'),
    ('476**', '3*', 7, 'bronchitis'), ('476**', '3*', 9, 'pneumonia'), ('476**', '3*', 10, 'stomach cancer');

-- salary, by rank: |cumulated share of the class - of the table|, in ninths, up to each of the first
-- 8 of the 9 values; their sum / 9 / 8
--   2*:   3 6 9 9 9 9 9 9 - 1 2 3 4 5 6 7 8 = 2 4 6 5 4 3 2 1, sum 27: 27/72 = 0.375
--   3*:   0 0 0 0 3 3 6 9 - 1 2 3 4 5 6 7 8 = 1 2 3 4 2 3 1 1, sum 17: 17/72 = 0.2361
--   >=40: 0 0 0 3 3 6 6 6 - 1 2 3 4 5 6 7 8 = 1 2 3 1 2 0 1 2, sum 12: 12/72 = 0.1667
-- disease, equal distance: what the class has too much, in ninths; the table has gastric ulcer 1, gastritis 2,
-- stomach cancer 2, flu 1, bronchitis 2, pneumonia 1
--   2*: (3 - 1) + (3 - 2) + (3 - 2) = 4; 3*: bronchitis 1, pneumonia 2, stomach cancer 1 = 4;
--   >=40: gastritis 1, flu 2, bronchitis 1 = 4: all 4/9 = 0.4444
-- variance of salary: 2*: mean 4, (1 + 0 + 1) / 3 = 0.6667; 3*: mean 26/3, (25 + 1 + 16) / 9 / 3 = 1.5556;
--   >=40: mean 25/3, (49 + 1 + 64) / 9 / 3 = 4.2222
SELECT class, size, model_values, satisfied
FROM kanon_classes('salaries', 3, '{zip_code,age}',
                   ARRAY['closeness(salary, 0.4)', 'closeness(disease, 0.5)', 'variance(salary, 1)']);
SELECT * FROM kanon_check('salaries', 3, '{zip_code,age}', ARRAY['closeness(salary, 0.4)', 'variance(salary, 1)']);
-- Equality satisfies both
SELECT satisfied FROM kanon_check('salaries', 3, '{zip_code,age}', ARRAY['closeness(salary, 0.375)']);
SELECT satisfied FROM kanon_check('salaries', 3, '{zip_code,age}', ARRAY['closeness(salary, 0.3749)']);
SELECT satisfied FROM kanon_check('salaries', 3, '{zip_code}', ARRAY['variance(salary, 6)']);
-- One class of all rows is at distance 0
CREATE VIEW whole AS SELECT 1 AS one, * FROM salaries;
SELECT model_values, satisfied FROM kanon_classes('whole', 1, '{one}', ARRAY['closeness(salary, 0)', 'closeness(disease, 0)']);

-- disease, by hierarchy of height 2: half of what is carried among stomach diseases and among
-- lung infections, in ninths, and what is carried between the two
--   2*:   stomach +2 +1 +1, nothing to carry; between the two 9 - 5 = 4:                   4/9 = 0.4444
--   3*:   stomach +1 -1 -2: 1; lung +1 +2 -1: 1; between 5 - 3 = 2: (1/2 + 1/2 + 2) / 9 = 3/9 = 0.3333
--   >=40: stomach +1 -1 -2: 1; lung +2 +1 -1: 1; between 5 - 3 = 2:                       3/9 = 0.3333
CREATE TABLE diseases (disease text, organ text, everything text);
INSERT INTO diseases VALUES ('gastric ulcer', 'stomach', '*'), ('gastritis', 'stomach', '*'), ('stomach cancer', 'stomach', '*'),
    ('flu', 'lung', '*'), ('bronchitis', 'lung', '*'), ('pneumonia', 'lung', '*'), ('asthma', 'lung', '*');
SELECT kanon_set_attribute('salaries', 'disease', 'sensitive', 'diseases');
SELECT class, model_values FROM kanon_classes('salaries', 3, '{zip_code,age}', ARRAY['closeness(disease, 0.4)']);
-- Without a label above the organs one is thought of
ALTER TABLE diseases DROP everything;
SELECT class, model_values FROM kanon_classes('salaries', 3, '{zip_code,age}', ARRAY['closeness(disease, 0.4)']);
-- A value that the dimension lacks is as far from all others as can be
DELETE FROM diseases WHERE disease = 'flu';
SELECT class, model_values FROM kanon_classes('salaries', 3, '{zip_code,age}', ARRAY['closeness(disease, 0.4)']);
SELECT class, model_values FROM kanon_classes('salaries', 3, '{zip_code,age}', ARRAY['distinct(disease, 3)']);

-- Dates and times lie on a scale as numbers do, text does not
CREATE TABLE scales AS SELECT i / 2 AS class, i AS n, date '2020-01-01' + i * i AS d, time '08:00' + i * interval '1 h' AS t,
    i * interval '1 day' AS v, i::text AS x, i::numeric AS m, i > 2 AS b FROM generate_series(0, 3) i;
--   ordered, class 0: 2 4 4 - 1 2 3 = 1 2 1, in quarters: 4/4/3 = 0.3333; equal: 2 * (1/2 - 1/4) = 0.5;
--   b: (1 - 3/4) and (1/2 - 1/4) = 0.25
SELECT class, model_values FROM kanon_classes('scales', NULL, '{class}', ARRAY['closeness(n, 1)', 'closeness(d, 1)',
    'closeness(t, 1)', 'closeness(v, 1)', 'closeness(x, 1)', 'closeness(m, 1)', 'closeness(b, 1)']);

-- ---- NULL

CREATE TABLE gaps (class text, n int, s text);
INSERT INTO gaps VALUES ('a', 1, NULL), ('a', NULL, NULL), ('b', 2, 'x'), ('b', 3, NULL), ('c', NULL, NULL);
-- A value of its own, at distance 1 from all others; and left out of a variance.  Among 5 rows n has 1, 2, 3 once and NULL twice
--   distinct(n): 2, 2, 1; entropy(s): 1 (all NULL), 2, 1
--   closeness(n), in tenths: a has 5 0 0 and 5 NULL, the table 2 2 2 and 4: 1 of NULL must go to a value, cost 1; 3 of value
--     1 go to 2 (distance 1/2) as to 2 and 3 there lack 2 each: 2 to 2, then 1 to 3 at 1: 2/2 + 1 = 2, so 3/10 = 0.3
--   b has 0 5 5 and 0: 4 must go to NULL, cost 4; of 2 and 3 there are 3 too many each, 1 lacks 2: from 2, at 1/2: 5/10 = 0.5
--   c has only NULL: 6 must go, cost 6/10 = 0.6
--   closeness(s): the table has NULL 8, x 2: a and c 0.2 too much, b x 5 - 2 = 0.3
--   variance(n): a: only 1: 0; b: 0.25; c: 0
SELECT class, distinct_values, model_values
FROM kanon_classes('gaps', NULL, '{class}', ARRAY['distinct(n, 1)', 'entropy(s, 1)', 'closeness(n, 1)', 'closeness(s, 1)', 'variance(n, 0)']);
-- As in a hierarchy of a single level
CREATE TABLE numbers AS SELECT n, '*' AS everything FROM generate_series(1, 3) n;
SELECT kanon_set_attribute('gaps', 'n', 'sensitive', 'numbers');
SELECT class, model_values FROM kanon_classes('gaps', NULL, '{class}', ARRAY['closeness(n, 1)']);
SELECT kanon_unset_attribute('gaps', 'n');
-- Only NULLs
CREATE TABLE void AS SELECT i AS class, NULL::int AS n FROM generate_series(1, 2) i;
SELECT class, distinct_values, model_values, satisfied FROM kanon_classes('void', 1, '{class}',
    ARRAY['distinct(n, 1)', 'entropy(n, 1)', 'recursive(n, 2, 1)', 'closeness(n, 0)', 'variance(n, 0)']);

-- ---- Errors

SELECT * FROM kanon_check('salaries', 3, '{age}', ARRAY['distinct(age, 2)']);
SELECT * FROM kanon_check('salaries', 3, '{age}', ARRAY['distinct(illness, 2)']);
SELECT * FROM kanon_check('salaries', 3, '{age}', ARRAY['variance(disease, 2)']);
SELECT * FROM kanon_check('scales', 3, '{class}', ARRAY['variance(d, 2)']);
SELECT * FROM kanon_check('salaries', 3, '{age}', ARRAY['distinct(disease, 7)']);
CREATE TABLE one_value AS SELECT 1 AS age, 'flu' AS disease;
SELECT * FROM kanon_check('one_value', 1, '{age}', ARRAY['distinct(disease, 2)']);
UPDATE one_value SET disease = NULL;
SELECT satisfied FROM kanon_check('one_value', 1, '{age}', ARRAY['distinct(disease, 2)']);
DROP TABLE one_value;
SELECT * FROM kanon_check('salaries', 3, '{age}', ARRAY['entropy(disease, 6.5)']);
SELECT * FROM kanon_check('salaries', 3, '{age}', ARRAY['distinct(disease, 6)', 'recursive(disease, 3, 7)']);
SELECT * FROM kanon_check('gaps', 3, '{class}', ARRAY['distinct(n, 5)']);
SELECT * FROM kanon_check('salaries', 3, '{age}', ARRAY['closeness(disease, 1.5)']);
SELECT * FROM kanon_check('salaries', 3, '{age}', ARRAY['distinct(disease, 2)', NULL]);
CREATE TABLE odd (a int, j json, f float8);
INSERT INTO odd VALUES (1, '1', 1), (1, '2', 'infinity');
SELECT * FROM kanon_check('odd', 1, '{a}', ARRAY['distinct(j, 2)']);
SELECT * FROM kanon_check('odd', 1, '{a}', ARRAY['variance(f, 2)']);
SELECT satisfied FROM kanon_check('odd', 1, '{a}', ARRAY['distinct(f, 2)', 'closeness(f, 0)']);
SELECT format('CREATE TABLE wide (q int, %s)', string_agg('c' || i || ' int', ', ')) FROM generate_series(1, 31) i \gexec
SELECT kanon_check('wide', 1, '{q}', array_agg(format('distinct(c%s, 1)', i))) FROM generate_series(1, 31) i;
SELECT kanon_check('wide', 1, '{q}', array_agg(format('distinct(c%s, 1)', i))) FROM generate_series(1, 30) i;
SET kanon.memory_limit = '1kB';
SELECT * FROM kanon_check('salaries', 3, '{age}', ARRAY['distinct(disease, 2)']);
RESET kanon.memory_limit;

SET client_min_messages = warning;
DROP SCHEMA modelling CASCADE;
