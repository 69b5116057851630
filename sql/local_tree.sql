-- Local recoding as a list of rules: the first that a row fits has its class.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
RESET client_min_messages;
\set SHOW_CONTEXT never
\set VERBOSITY terse
CREATE SCHEMA rules;
SET search_path = rules, public;

-- By hand: what a rule may ask, exceptions, and a row in no class
SELECT '{"k": 2, "recoding": "local", "models": ["distinct(disease, 2)"],
 "attributes": [{"name": "age", "type": "int4"},
  {"name": "work", "type": "text", "collation": "\"C\"", "top": "anybody", "levels": 1, "values": [["state", "public"], ["self", "private"], ["shop", "private"]]},
  {"name": "born", "type": "text", "collation": "\"C\""}],
 "rules": [
  {"class": 3, "where": {"age": ["25", "25"], "work": [0, "self"], "born": ["here", "here"]}},
  {"class": 0, "where": {"age": ["26", "26"], "work": null, "born": null}},
  {"class": 1, "rows": 5, "where": {"age": ["20", "29"], "work": [1, "private"]}},
  {"class": 3, "rows": 7, "where": {"age": ["25", "60"], "work": true, "born": true}},
  {"class": 2, "rows": 2, "where": {"work": null, "born": ["a", "m"]}},
  {"class": 4, "rows": 2, "where": {"age": null}}]}'::kanon_tree AS tree \gset
SELECT :'tree'::kanon_tree;
SELECT kanon_tree_send(:'tree'::kanon_tree::text::kanon_tree) = kanon_tree_send(:'tree') AS same;
CREATE TABLE people (id int, work text COLLATE "C", born text COLLATE "C", age int);
INSERT INTO people VALUES (1, 'self', 'here', 25), (2, 'self', NULL, 25), (3, 'self', 'there', 25), (4, NULL, NULL, 26), (5, 'shop', 'here', 29),
    (6, 'state', 'here', 25), (7, 'self', 'z', 60), (8, 'self', 'z', 61), (9, NULL, 'here', 10), (10, 'unheard of', 'm', 30), (11, NULL, 'n', 30), (12, 'state', 'z', NULL);
SELECT p.*, kanon_leaf(:'tree', p), kanon_leaf(:'tree', ROW(age, work, born)) AS by_position, kanon_region(:'tree', p) FROM people p ORDER BY id;
-- .. the same without kanon
SELECT kanon_rules_query(:'tree', 'people') AS query \gset
\echo :query
SELECT count(*) AS rows, count(*) FILTER (WHERE q.class IS DISTINCT FROM kanon_leaf(:'tree', (q.id, q.work, q.born, q.age)::people)) AS differ FROM (:query) q;

-- Many rules that differ in ranges alone, and overlap: still the first that fits
CREATE TABLE boxes AS SELECT i AS number, (i * i * 7 + i) % 61 AS a, (i * i / 3 + i * 5) % 61 AS b, (i * 11 + i / 7) % 23 % 13 AS wide, (i * 5 + i / 3) % 29 % 13 AS high, (ARRAY['u', 'v'])[1 + i % 2] AS w FROM generate_series(1, 200) i;
SELECT format('{"k": 1, "recoding": "local", "attributes": [{"name": "a", "type": "int4"}, {"name": "b", "type": "int4"}, {"name": "w", "type": "text", "collation": "\"C\"", "top": "*", "levels": 0, "values": [["u"], ["v"]]}], "rules": [%s]}',
    string_agg(format('{"class": %s, "rows": 1, "where": {"a": ["%s", "%s"], "b": ["%s", "%s"], "w": [0, "%s"]}}', number, a, a + wide, b, b + high, w), ', ' ORDER BY number)) AS boxes FROM boxes \gset
SELECT count(*) AS points, count(first) AS in_boxes, count(DISTINCT first) > 100 AS many, count(*) FILTER (WHERE first IS DISTINCT FROM kanon_leaf(:'boxes'::kanon_tree, ROW(a, b, w COLLATE "C"))) AS differ
FROM (SELECT a, b, w, (SELECT min(number) FROM boxes r WHERE p.a BETWEEN r.a AND r.a + wide AND p.b BETWEEN r.b AND r.b + high AND r.w = p.w) AS first
    FROM (SELECT a, b, w FROM generate_series(0, 90) a, generate_series(0, 90) b, unnest('{u,v}'::text[]) w) p) f;

-- What is no list of rules
CREATE FUNCTION reject(edit text, into_text text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    detail text;
BEGIN
    PERFORM replace('{"k": 2, "recoding": "local", "attributes": [{"name": "a", "type": "int4"}, {"name": "w", "type": "text", "collation": "\"C\"", "top": "*", "levels": 1, "values": [["u", "U"]]}], '
        '"rules": [{"class": 1, "where": {"a": ["1", "1"]}}, {"class": 1, "rows": 2, "where": {"a": ["1", "2"], "w": [1, "U"]}}]}', edit, into_text)::kanon_tree;
    RETURN 'a list';
EXCEPTION WHEN invalid_text_representation THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    RETURN detail;
END $$;
SELECT edit, into_text, reject(edit, into_text) FROM (VALUES ('', ''), ('"local"', '"global"'), ('"recoding": "local"', '"split": "median"'), ('"rules"', '"nodes"'), ('"rows": 2', '"rows": 1'),
    ('{"class": 1, "rows": 2', '{"class": 2, "rows": 2'), ('{"class": 1, "where"', '{"class": 2, "where"'), ('{"class": 1, "where"', '{"class": -1, "where"'), ('{"class": 1, "where"', '{"class": 1, "rows": 2, "where"'),
    ('"rows": 2, ', ''), ('["1", "2"]', '["2", "1"]'), ('["1", "2"]', '["1"]'), ('["1", "2"]', '[1, "2"]'), ('["1", "2"]', 'false'), ('"w": [1', '"a": [1'), ('"w": [1', '"b": [1'), ('[1, "U"]', '[2, "U"]'),
    ('[1, "U"]', '[1, "V"]'), ('"where": {"a": ["1", "1"]}', '"where": []'), (', {"class": 1, "rows"', '], "more": [{"class": 1, "rows"')) e (edit, into_text);
SELECT kanon_rules_query('{"k": 1, "split": "median", "attributes": [{"name": "age", "type": "int4"}], "nodes": [{"class": 1, "rows": 1}]}', 'people');
SELECT kanon_rules_query(:'tree', 'pg_class');
ALTER TABLE people ALTER age TYPE int8;
SELECT kanon_rules_query(:'tree', 'people');
SELECT kanon_leaf(:'tree', p) FROM people p LIMIT 1;

-- Grown: it gives every row the class that kanon_local gives it, and none to those left out; so does the query
CREATE TABLE guests AS
SELECT i AS id, (20 + (i * i * 7 + i) % 53)::numeric(5, 1) AS age, (ARRAY['f', 'm', NULL])[1 + i * i % 3] AS sex,
    CASE WHEN i % 23 > 0 THEN (53700 + (i * i + i / 7) % 60)::text END AS zip, date '2000-01-01' + (i * 131) % 900 AS since,
    (ARRAY['flu', 'gout', 'mumps', 'measles', 'angina'])[1 + (i * i / 5) % 5] AS disease
FROM generate_series(1, 500) i;
SELECT kanon_create_dimension('zips', 'guests', 'zip', 'digits') AS values;
DELETE FROM zips WHERE zip ~ '7$';
-- .. whose rule is gone, so that the dimension lacks values
CREATE TABLE some_zips AS TABLE zips;
SELECT kanon_declare('guests', quasi_identifiers => '{age,sex}', sensitive => '{disease}', identifiers => '{id}');
SELECT kanon_set_attribute('guests', 'zip', 'quasi_identifier', 'some_zips');
SET client_min_messages = warning;
CREATE FUNCTION agrees(k int, quasi_identifiers name[], models kanon_models DEFAULT '', suppression float8 DEFAULT 0, OUT rows bigint, OUT classes bigint, OUT differ bigint, OUT query_differs bigint) LANGUAGE plpgsql AS $$
DECLARE
    tree kanon_tree := kanon_local_tree('guests', k, quasi_identifiers, models, suppression => suppression, "ranges" => true);
BEGIN
    SELECT count(class), count(DISTINCT class), count(*) FILTER (WHERE kanon_leaf(tree, g) IS DISTINCT FROM class) INTO rows, classes, differ
    FROM (SELECT g, kanon_local(k, g, quasi_identifiers, models => models, suppression => suppression) OVER () AS class FROM guests g) s;
    EXECUTE format('SELECT count(*) FROM (%s) q JOIN guests g USING (id) WHERE q.class IS DISTINCT FROM kanon_leaf($1, g)', kanon_rules_query(tree, 'guests')) INTO query_differs USING tree;
END $$;
SELECT k, q, suppression, rows >= 500 * (1 - suppression) AS rows, classes > 0 AS classes, differ, query_differs
FROM (VALUES (2), (5), (20)) k (k), unnest('{"{zip}","{sex,zip}","{age,sex,zip}","{since,age}"}'::text[]) q, (VALUES (0), (0.1)) s (suppression), agrees(k, q::name[], suppression => suppression) ORDER BY 1, 2, 3;
SELECT k, differ, query_differs FROM (VALUES (3), (10)) k (k), agrees(k, '{sex,zip}', 'distinct(disease, 3)') ORDER BY k;
-- .. as a release has them
SELECT count(*) AS rows, count(DISTINCT kanon_leaf(tree, g)) AS leaves, count(DISTINCT class) AS classes, count(DISTINCT (kanon_leaf(tree, g), class)) AS both FROM kanon_local_tree('guests', 5) tree, guests g
JOIN (SELECT id, (kanon_view_candidates('local', 5, ROW(age, sex, zip), dimensions => '{NULL,0,some_zips}') OVER ())[1] AS class FROM guests) w USING (id);
SELECT kanon_local_tree('guests', 501), kanon_local_tree('guests', 2, models => 'distinct(disease, 6)');
SELECT kanon_local_tree('guests', 0);
SELECT kanon_local_tree('guests', NULL);
SELECT kanon_local_tree('guests', 5, suppression => 1);
SELECT kanon_local_tree('guests', 5, '{nothing}');
SELECT kanon_local_tree('guests', 5, person => 'age');
INSERT INTO guests SELECT i, i % 1000, 'f', '53701', date '2000-01-01' + i, 'flu' FROM generate_series(1000, 90000) i;
SET kanon.memory_limit = '1MB';
SELECT kanon_local_tree('guests', 5, '{age,since}');
RESET kanon.memory_limit;

-- The text of money and of names of objects depends on settings: only kanon_leaf knows which were meant
CREATE TABLE spending AS SELECT (i % 9 * 1000.5)::numeric::money AS amount, ARRAY[(i % 3)::numeric::money] AS amounts, (ARRAY['pg_class', 'spending'])[1 + i % 2]::regclass AS named FROM generate_series(1, 40) i;
SELECT bool_and(kanon_leaf(tree, s) IS NOT NULL) AS applied FROM kanon_local_tree('spending', 5, '{amount,amounts,named}') tree, spending s;
SELECT kanon_rules_query(kanon_local_tree('spending', 5, '{amount}'), 'spending');
SELECT kanon_rules_query(kanon_local_tree('spending', 5, '{amounts}'), 'spending');
SELECT kanon_rules_query(kanon_local_tree('spending', 5, '{named}'), 'spending');
CREATE VIEW spending_in_numbers AS SELECT amount::numeric, named::text FROM spending;
SELECT kanon_rules_query(kanon_local_tree('spending_in_numbers', 5, '{amount,named}'), 'spending_in_numbers') LIKE 'SELECT s.*, CASE%' AS query;

SET client_min_messages = warning;
DROP SCHEMA rules CASCADE;
