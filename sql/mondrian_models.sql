-- Multidimensional recoding with privacy models: by hand, trees, people, errors.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
RESET client_min_messages;
\set SHOW_CONTEXT never
CREATE SCHEMA mondrian_models;
SET search_path = mondrian_models, public;

CREATE TABLE visits (patient text, age int, zip int, disease text, pay int);
INSERT INTO visits VALUES
    ('Ann', 20, 1, 'flu',  10), ('Bob', 22, 1, 'flu',  20), ('Cid', 24, 1, 'flu',  30),
    ('Dan', 26, 1, 'cold', 40), ('Eve', 28, 2, 'cold', 50), ('Fay', 30, 2, 'cold', 60),
    ('Gus', 32, 2, 'flu',  70), ('Hal', 40, 2, 'cold', 80);
CREATE FUNCTION classes(models kanon_models, k int DEFAULT 2, relaxed boolean DEFAULT false) RETURNS TABLE (class int, patients text, diseases text)
LANGUAGE sql AS $$
    SELECT class, string_agg(patient, ' ' ORDER BY patient), string_agg(disease, ' ' ORDER BY patient)
    FROM (SELECT *, CASE WHEN classes.relaxed THEN kanon_mondrian(k, v, '{age,zip}', models => classes.models, relaxed => true) OVER ()
                         ELSE kanon_strict_mondrian(k, v, '{age,zip}', models => classes.models) OVER () END AS class FROM visits v) c
    GROUP BY class ORDER BY class
$$;

-- k alone: age is cut at 26 (both attributes reach over the whole, age stands first); then
-- zip is no wider than age in any part, and ages are cut at 22 and 30
SELECT * FROM classes('{}');
-- distinct(disease, 2).  Age at 26: {flu flu flu cold} and {cold cold flu cold}, allowable.  Left: 22 is
-- the median; {flu flu} fails, {flu} has fewer than k; zip is one.  No cut is left: 24 would leave one row.
SELECT * FROM classes('{"distinct(disease, 2)"}');
-- entropy(disease, 2) wants as many of both in every class.  All: 4 and 4.  Cut at an age: up to 22, 2 flu;
-- 24, 3 flu; 26, 3 and 1; 28, 3 and 2; 30, 3 and 3: allowable, and {flu, cold} are left.  No
-- median will do (26 and 24; zip 1, which has 3 and 1), so the most balanced cut is looked for: at 30.
SELECT * FROM classes('{"entropy(disease, 2)"}');
-- recursive(disease, 1.5, 2): r1 < 1.5 r2.  Of 3 and 1, 3 < 1.5 fails; 3 and 2: 3 < 3 fails, 3 and 3 holds.
SELECT * FROM classes('{"recursive(disease, 1.5, 2)"}');
-- closeness(disease, 0.25): the whole has halves.  {flu flu flu cold}: |3/4 - 1/2| = 0.25 holds.
SELECT * FROM classes('{"closeness(disease, 0.25)"}');
SELECT * FROM classes('{"closeness(disease, 0.24)"}');
-- variance(pay, 100): {10 20 30 40} has ((15)^2 + 5^2 + 5^2 + 15^2) / 4 = 125, {10 20} 25
SELECT * FROM classes('{"variance(pay, 100)"}');
SELECT * FROM classes('{"variance(pay, 126)"}');
-- Two at once, on two columns; k = 1 is cut wherever both hold
SELECT * FROM classes('{"distinct(disease, 2)","variance(pay, 25)"}', 1);
-- The whole does not satisfy: no classes, as for fewer than k rows
SELECT * FROM classes('{"distinct(disease, 3)"}');
SELECT kanon_view_cells('mondrian', 2, v, '{age,zip}', models => '{"distinct(disease, 3)"}') OVER () FROM visits v LIMIT 1;
-- .. of each window partition; closeness is beside the partition, too
SELECT zip, array_agg(DISTINCT class) FROM
    (SELECT zip, kanon_strict_mondrian(2, v, '{age}', models => '{"distinct(pay, 2)"}') OVER (PARTITION BY zip) AS class FROM visits v) c
GROUP BY zip ORDER BY zip;
SELECT zip, array_agg(DISTINCT class) FROM
    (SELECT zip, kanon_strict_mondrian(2, v, '{age}', models => '{"closeness(disease, 0)"}') OVER (PARTITION BY zip) AS class FROM visits v) c
GROUP BY zip ORDER BY zip;

-- Relaxed: equal rows are dealt so that both sides get of every disease
CREATE TABLE twins (age int, disease text);
INSERT INTO twins SELECT 30, d FROM unnest('{a,a,a,a,b,b,b,b}'::text[]) d;
SELECT class, string_agg(disease, ' ' ORDER BY disease) FROM
    (SELECT disease, kanon_mondrian(2, t, '{age}', models => '{"distinct(disease, 2)"}', relaxed => true) OVER () AS class FROM twins t) c
GROUP BY class ORDER BY class;
SELECT DISTINCT kanon_mondrian(2, t, '{age}', relaxed => true) OVER () FROM twins t ORDER BY 1;

-- Hierarchies: a specialization is allowable if every child satisfies
CREATE TABLE jobs (job text, sector text, everything text);
INSERT INTO jobs VALUES ('nurse', 'health', 'all'), ('doctor', 'health', 'all'), ('cook', 'food', 'all'), ('waiter', 'food', 'all');
CREATE TABLE workers (job text, disease text);
INSERT INTO workers VALUES ('nurse', 'flu'), ('nurse', 'cold'), ('doctor', 'flu'), ('doctor', 'cold'), ('cook', 'flu'), ('cook', 'flu'),
    ('waiter', 'cold'), ('waiter', 'cold'), (NULL, 'flu');
SELECT kanon_set_attribute('workers', 'job', 'quasi_identifier', 'jobs');
SELECT kanon_set_attribute('workers', 'disease', 'sensitive');
SELECT class, string_agg(DISTINCT coalesce(job, '(null)'), ' '), count(*) FROM
    (SELECT job, kanon_strict_mondrian(2, w, models => '{"distinct(disease, 2)"}') OVER () AS class FROM workers w) c GROUP BY class ORDER BY class;
-- .. of the sensitive column, for closeness: from flu to cold it is 1/2, to hiv 1.  {flu flu} beside a half, a
-- quarter and a quarter: 1/4 moves by 1/2 and 1/4 by 1, which is 0.375; all distances equal it would be 0.5
CREATE TABLE ills (disease text, kind text, part text);
INSERT INTO ills VALUES ('flu', 'airways', 'body'), ('cold', 'airways', 'body'), ('hiv', 'blood', 'body');
CREATE TABLE ward (age int, disease text);
INSERT INTO ward VALUES (20, 'flu'), (20, 'flu'), (30, 'cold'), (30, 'hiv');
SELECT kanon_set_attribute('ward', 'age', 'quasi_identifier');
SELECT array_agg(DISTINCT class) FROM (SELECT kanon_strict_mondrian(2, w, models => '{"closeness(disease, 0.4)"}') OVER () AS class FROM ward w) c;
SELECT kanon_set_attribute('ward', 'disease', 'sensitive', 'ills');
SELECT array_agg(DISTINCT class) FROM (SELECT kanon_strict_mondrian(2, w, models => '{"closeness(disease, 0.4)"}') OVER () AS class FROM ward w) c;
SELECT * FROM kanon_classes('ward', 2, models => '{"closeness(disease, 0.4)"}');
-- .. as kanon_view_cells is told, for rows that have no declarations
SELECT array_agg(DISTINCT kanon_view_cell(c, 'class', 0)) FROM (SELECT kanon_view_cells('mondrian', 2, ROW(age, disease), models => '{"closeness(f2, 0.4)"}') OVER () AS c FROM ward) c;
SELECT array_agg(DISTINCT kanon_view_cell(c, 'class', 0)) FROM
    (SELECT kanon_view_cells('mondrian', 2, ROW(age, disease), models => '{"closeness(f2, 0.4)"}', model_dimensions => '{ills}') OVER () AS c FROM ward) c;

-- Bare rows: fields that models look at are no quasi-identifiers
SELECT class, count(*) FROM (SELECT kanon_strict_mondrian(2, ROW(age, zip, disease), models => '{"distinct(f3, 2)"}') OVER () AS class FROM visits) c GROUP BY class ORDER BY class;
-- NULL is a value of its own; for variance it is nothing
SELECT class, count(*) FROM (SELECT kanon_strict_mondrian(1, ROW(age, nullif(disease, 'flu')), models => '{"distinct(f2, 2)"}') OVER () AS class FROM visits) c GROUP BY class ORDER BY class;
SELECT DISTINCT kanon_strict_mondrian(1, ROW(age, NULL::int), models => '{"variance(f2, 1)"}') OVER () FROM visits;
-- Records that are NULL: one value, which is not diverse
SELECT DISTINCT kanon_strict_mondrian(1, NULL::visits, '{age}', models => '{"distinct(disease, 2)"}') OVER () FROM visits;
SELECT DISTINCT kanon_strict_mondrian(1, NULL::record, models => '{"distinct(disease, 2)"}') OVER () FROM visits;
SELECT DISTINCT kanon_strict_mondrian(1, NULL::record, models => '{"distinct(disease, 1)"}') OVER () FROM visits;

-- What a cut tells of a target, where models allow it
SELECT class, string_agg(disease, ' ' ORDER BY age) FROM
    (SELECT age, disease, kanon_strict_mondrian(2, v, '{age}', split => 'infogain', target => 'disease') OVER () AS class FROM visits v) c GROUP BY class ORDER BY class;
SELECT class, string_agg(disease, ' ' ORDER BY age) FROM
    (SELECT age, disease, kanon_strict_mondrian(2, v, '{age}', models => '{"distinct(disease, 2)"}', split => 'infogain', target => 'disease') OVER () AS class FROM visits v) c GROUP BY class ORDER BY class;

-- People: Ann's three rows are one of her, and Nobody's are none
CREATE TABLE stays (patient text, age int, disease text);
INSERT INTO stays VALUES ('Ann', 20, 'flu'), ('Ann', 21, 'cold'), ('Ann', 22, 'flu'), ('Bob', 23, 'flu'),
    (NULL, 30, 'hiv'), (NULL, 31, 'hiv'), ('Cid', 32, 'flu'), ('Dan', 33, 'cold');
SELECT class, string_agg(coalesce(patient, '-'), ' ' ORDER BY age) FROM
    (SELECT age, patient, kanon_strict_mondrian(2, s, '{age}') OVER () AS class FROM stays s) c GROUP BY class ORDER BY class;
SELECT class, string_agg(coalesce(patient, '-'), ' ' ORDER BY age) FROM
    (SELECT age, patient, kanon_strict_mondrian(2, s, '{age}', person => 'patient') OVER () AS class FROM stays s) c GROUP BY class ORDER BY class;
-- .. flu, of Ann and Bob, and cold, of Ann; flu, of Cid, and cold, of Dan: entropy 1.89 and 2
SELECT class, string_agg(coalesce(patient, '-'), ' ' ORDER BY age) FROM
    (SELECT age, patient, kanon_strict_mondrian(2, s, '{age}', models => '{"entropy(disease, 1.8)"}', person => 'patient') OVER () AS class FROM stays s) c GROUP BY class ORDER BY class;
SELECT class, string_agg(coalesce(patient, '-'), ' ' ORDER BY age) FROM
    (SELECT age, patient, kanon_strict_mondrian(2, s, '{age}', models => '{"entropy(disease, 1.9)"}', person => 'patient') OVER () AS class FROM stays s) c GROUP BY class ORDER BY class;
SELECT DISTINCT kanon_strict_mondrian(5, s, '{age}', person => 'patient') OVER () FROM stays s;
-- .. what nobody suffers from need not be in a dimension
CREATE TABLE coughs AS SELECT * FROM ills WHERE kind = 'airways';
SELECT kanon_set_attribute('stays', 'age', 'quasi_identifier'), kanon_set_attribute('stays', 'disease', 'sensitive', 'coughs');
SELECT class, string_agg(coalesce(patient, '-'), ' ' ORDER BY age) FROM
    (SELECT age, patient, kanon_strict_mondrian(2, s, models => '{"closeness(disease, 0.1)"}', person => 'patient') OVER () AS class FROM stays s) c GROUP BY class ORDER BY class;
SELECT kanon_strict_mondrian(2, s, models => '{"closeness(disease, 0.1)"}') OVER () FROM stays s;

-- Trees know their models
CREATE TABLE recoding AS SELECT kanon_mondrian_tree(2, v, '{age,zip}', '{"distinct(disease, 2)","variance(pay, 100)"}') AS tree FROM visits v;
SELECT tree FROM recoding;
SELECT kanon_leaf(tree, v) AS leaf, kanon_strict_mondrian(2, v, '{age,zip}', models => '{"distinct(disease, 2)","variance(pay, 100)"}') OVER () AS class FROM recoding, visits v ORDER BY age;
SELECT tree::text::kanon_tree::text = tree::text AS same FROM recoding;
SELECT kanon_mondrian_tree(2, v, '{age,zip}', '{"distinct(disease, 2)"}', 'infogain', 'disease') FROM visits v;
SELECT kanon_mondrian_tree(2, v, '{age,zip}', '{}')::text = kanon_mondrian_tree(2, v, '{age,zip}')::text AS same FROM visits v;
SELECT kanon_mondrian_tree(2, v, '{age,zip}', '{"distinct(disease, 3)"}') IS NULL AS none FROM visits v;
SELECT regexp_replace(tree::text, 'distinct\(disease, 2\)', ' DISTINCT(Disease,2.0) ')::kanon_tree::text = tree::text AS canonical FROM recoding;
SELECT regexp_replace(tree::text, 'distinct\(disease, 2\)', 'distinct(disease)')::kanon_tree FROM recoding;
SELECT regexp_replace(tree::text, '"models": \[[^]]*\]', '"models": []')::kanon_tree FROM recoding;

-- What cannot be
SELECT kanon_strict_mondrian(2, v, '{age,zip}', models => '{"distinct(illness, 2)"}') OVER () FROM visits v;
SELECT kanon_strict_mondrian(2, v, '{age,zip}', models => '{"distinct(zip, 2)"}') OVER () FROM visits v;
SELECT kanon_strict_mondrian(2, v, '{age,zip}', models => '{"variance(disease, 2)"}') OVER () FROM visits v;
SELECT kanon_strict_mondrian(2, ROW(age, box(point(1, 1), point(2, 2))), models => '{"distinct(f2, 2)"}') OVER () FROM visits v;
SELECT kanon_strict_mondrian(2, v, '{age,zip}', models => ARRAY[NULL]::kanon_models) OVER () FROM visits v;
SELECT kanon_strict_mondrian(1, ROW(age, 'NaN'::float8), models => '{"variance(f2, 1)"}') OVER () FROM visits;
SELECT kanon_strict_mondrian(2, v, '{age}', person => 'zip code') OVER () FROM visits v;
SELECT kanon_strict_mondrian(2, v, '{age,zip}', person => 'zip') OVER () FROM visits v;
SELECT kanon_strict_mondrian(2, ROW(age, box(point(1, 1), point(2, 2))), person => 'f2') OVER () FROM visits v;
SELECT kanon_view_cells('mondrian', 2, ROW(age, disease), models => '{"closeness(f2, 0.4)"}', model_dimensions => '{ills,NULL}') OVER () FROM ward;
INSERT INTO ward VALUES (40, 'gout');
SELECT kanon_strict_mondrian(2, w, models => '{"closeness(disease, 0.4)"}') OVER () FROM ward w;

-- Rows that may be published: the class is a field of theirs
SELECT *, kanon_view_satisfies(2, c, 'class', models => '{"distinct(disease, 2)"}') OVER () FROM
    (VALUES (1, 'flu'), (1, 'cold'), (2, 'flu'), (2, 'flu'), (3, 'hiv'), (NULL, 'flu'), (NULL, 'cold')) c (class, disease);
-- .. closeness is beside what is published: of all rows 11/15 are a, {a a a} is 0.27 and {a b b} 0.4 away; the pairs have
-- fewer than 3 and go; of the others 5/9 are a, {a a a} is 0.44 away and goes, too; {a b b} is left, and at 0 from itself
SELECT class, string_agg(disease, ' ' ORDER BY disease), bool_and(satisfies) FROM
    (SELECT *, kanon_view_satisfies(3, c, 'class', models => '{"closeness(disease, 0.42)"}') OVER () AS satisfies FROM
     (VALUES (1, 'a'), (1, 'a'), (1, 'a'), (2, 'a'), (2, 'b'), (2, 'b'), (3, 'a'), (3, 'b'), (3, 'b'),
             (4, 'a'), (4, 'a'), (5, 'a'), (5, 'a'), (6, 'a'), (6, 'a')) c (class, disease)) s
GROUP BY class ORDER BY class;
SELECT kanon_view_satisfies(2, c, 'class') OVER (), kanon_view_satisfies(3, c, 'class') OVER (), kanon_view_satisfies(2, c, 'class', person => 'who') OVER ()
FROM (VALUES (1, 'Ann'), (1, 'Ann')) c (class, who);
SELECT kanon_view_satisfies(2, c, 'klasse') OVER () FROM (VALUES (1, 'Ann'), (1, 'Ann')) c (class, who);
SELECT kanon_view_satisfies(2, c, NULL) OVER () FROM (VALUES (1, 'Ann'), (1, 'Ann')) c (class, who);
SELECT kanon_view_satisfies(0, c, 'class') OVER () FROM (VALUES (1, 'Ann'), (1, 'Ann')) c (class, who);
SELECT kanon_view_satisfies(2, c, 'class', models => '{"distinct(class, 2)"}') OVER () FROM (VALUES (1, 'Ann'), (1, 'Ann')) c (class, who);

-- .. in as many turns as there are classes, each beside those that are left: by equal
-- distance, by order, where a value goes with each, and in people
CREATE TABLE chain AS
SELECT i AS class, 'd' || (i + j) AS disease, i + j AS pay, 2 * i + j AS person FROM generate_series(1, 40) i, generate_series(0, 1) j
UNION ALL SELECT 41, 'd41', 41, 200 + i FROM generate_series(1, 2) i
UNION ALL SELECT 42 + i % 3, 'd0', 0, 300 + i FROM generate_series(1, 800) i;
SELECT count(*) FILTER (WHERE diseases) AS diseases, count(*) FILTER (WHERE people) AS people,
       string_agg(DISTINCT class::text, ' ') FILTER (WHERE diseases) AS left_over, count(*) FILTER (WHERE pays) AS pays
FROM (SELECT class, kanon_view_satisfies(2, ROW(class, disease), 'f1', '{"closeness(f2, 0.99604)"}') OVER () AS diseases,
             kanon_view_satisfies(2, ROW(class, disease, person), 'f1', '{"closeness(f2, 0.99604)"}', 'f3') OVER () AS people,
             kanon_view_satisfies(2, ROW(class, pay), 'f1', '{"closeness(f2, 0.5)", "distinct(f2, 1)"}') OVER () AS pays FROM chain) c;

SET client_min_messages = warning;
DROP SCHEMA mondrian_models CASCADE;
