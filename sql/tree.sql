-- Partition trees as values: text, binary, kanon_leaf, kanon_region.
CREATE SCHEMA wood;
SET search_path = wood, public;
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN years AS int CHECK (VALUE >= 0);

-- White space does not count, values come in any spelling; what comes out is
-- always the same text.
SELECT '
{"k": 2, "split": "median",
 "attributes": [{"name": "age", "type": "pg_catalog.int4"},
   {"name": "work", "type": "text", "collation": "\"C\"", "top": "anybody", "levels": 2,
    "values": [["federal", "public", "paid"], ["state", "public", "paid"], ["self", "private", "paid"], ["none", "none", "unpaid"]]},
   {"name": "since", "type": "date"}],
 "nodes": [{"null": "since"},
  {"class": 1, "rows": 2},
  {"cut": "age", "at": "+37"},
  {"specialize": "work", "level": 2, "into": ["paid", "unpaid"]},
  {"specialize": "work", "level": 1, "into": ["public", "private"]},
  {"class": 2, "rows": 2}, {"class": 3, "rows": 2}, {"class": 4, "rows": 3},
  {"cut": "since", "at": "June 1, 2020"}, {"class": 5, "rows": 2},
  {"cut": "age", "at": "67"}, {"class": 6, "rows": 5}, {"class": 7, "rows": 2}]}'::kanon_tree AS tree \gset
SELECT :'tree'::kanon_tree;
CREATE TABLE tree AS SELECT :'tree'::kanon_tree AS value;
SELECT value::text = :'tree', kanon_tree_send(value::text::kanon_tree) = kanon_tree_send(value) FROM tree;
SELECT jsonb_path_query_array(value::text::jsonb, '$.nodes[*] ? (exists (@.class)).rows') FROM tree;

-- Rows by name and by position, new ones and NULLs.
CREATE TABLE person (id int, gone int, work text COLLATE "C", age years, since date);
ALTER TABLE person DROP gone;
INSERT INTO person VALUES (1, 'federal', 20, NULL), (2, 'state', 37, '2019-01-01'), (3, 'self', 37, '2019-01-01'),
    (4, 'none', 0, '2029-01-01'), (5, 'none', 38, '2020-06-01'), (6, 'none', 67, '2020-06-02'), (7, 'none', 168, 'infinity'),
    (8, NULL, 38, '2020-01-01'), (9, 'unheard of', 38, '2020-01-01'), (10, NULL, NULL, NULL),
    -- In no region: no people without an age, without work or with such work were there.
    (11, 'federal', NULL, '2020-01-01'), (12, NULL, 20, '2020-01-01'), (13, 'unheard of', 20, '2020-01-01');
SELECT id, kanon_leaf(value, p), kanon_leaf(value, ROW(age, work, since)) AS by_position, kanon_region(value, p)
FROM tree, person p ORDER BY id;
SELECT kanon_leaf(value, p) FROM tree LEFT JOIN person p ON false;
SELECT kanon_leaf(NULL, ROW(1)), kanon_region(NULL, ROW(1));
SELECT DISTINCT pg_typeof(region[1]::int4range), pg_typeof(region[3]::daterange)
FROM (SELECT kanon_region(value, p) AS region FROM tree, person p WHERE id IN (5, 6, 7)) s;

-- NULL along with values: below a threshold, then with one of the labels, then apart.  Above and beside there is none.
SELECT '{"k": 1, "split": "median", "attributes": [{"name": "f1", "type": "int4"}, {"name": "f2", "type": "text", "collation": "\"C\"", "top": "*", "levels": 1, "values": [["u", "U"], ["v", "V"]]}],
 "nodes": [{"cut": "f1", "at": "9", "null": 1}, {"cut": "f1", "at": "4", "null": 1},
  {"specialize": "f2", "level": 1, "into": ["U", "V"], "null": 2}, {"class": 1, "rows": 1}, {"null": "f2"}, {"class": 2, "rows": 1}, {"null": "f1"}, {"class": 3, "rows": 1}, {"class": 4, "rows": 1},
  {"class": 5, "rows": 1}, {"specialize": "f2", "level": 0, "into": ["u", "v"], "null": 1}, {"class": 6, "rows": 1}, {"class": 7, "rows": 1}]}'::kanon_tree AS along \gset
SELECT :'along'::kanon_tree;
SELECT f1, f2, kanon_leaf(:'along', ROW(f1, f2)), kanon_region(:'along', ROW(f1, f2))
FROM (VALUES (NULL), (4), (5), (10)) x (f1), (VALUES (NULL::text COLLATE "C"), ('u'), ('v')) y (f2) ORDER BY 3, 1, 2;
SELECT kanon_tree_send(:'along'::kanon_tree::text::kanon_tree) = kanon_tree_send(:'along');

-- Several trees in one call site, plain, compressed and out of line.
CREATE TABLE forest (id int, value kanon_tree);
INSERT INTO forest
SELECT size, format('{"k": 1, "split": "median", "attributes": [{"name": "f1", "type": "int4"}], "nodes": [%s {"class": %s, "rows": 1}]}',
    string_agg(format('{"cut": "f1", "at": "%s"}, {"class": %s, "rows": 1}', i * size, i), ', ' ORDER BY i) || ',', size + 1)::kanon_tree
FROM (VALUES (1), (2), (3), (40), (5000)) s (size), generate_series(1, size) i GROUP BY size;
SELECT id, n, kanon_leaf(value, ROW(n)), kanon_region(value, ROW(n))
FROM forest, unnest('{-7,1,2,3,100,20000000,25000001}'::int[]) n WHERE n <> 100 OR id > 2 ORDER BY n, id;
SELECT id, kanon_leaf(value, ROW(n)) FROM (SELECT * FROM forest UNION ALL SELECT id, value::text::kanon_tree FROM forest) f, generate_series(1, 50, 24) n
GROUP BY 1, 2 HAVING count(*) % 2 <> 0;

-- Regions by type: a range of the matching type in its canonical form, or one
-- written the same way.
CREATE FUNCTION region_of(type text, threshold text, low text, high text, collation_name text DEFAULT NULL) RETURNS TABLE (below text[], above text[]) LANGUAGE plpgsql AS $$
DECLARE
    tree kanon_tree := format('{"k": 1, "split": "median", "attributes": [{"name": "f1", "type": %s%s}], "nodes": [{"cut": "f1", "at": %s}, {"class": 1, "rows": 1}, {"class": 2, "rows": 1}]}',
        to_json(type), ', "collation": ' || to_json(collation_name), to_json(threshold));
BEGIN
    RETURN QUERY EXECUTE format('SELECT kanon_region($1, ROW(%L::%s)), kanon_region($1, ROW(%L::%2$s))', low, type, high) USING tree;
END $$;
SELECT type, r.* FROM (VALUES
    ('int2', '3', '3', '4', NULL), ('int4', '3', '3', '4', NULL), ('int8', '3', '3', '4', NULL), ('numeric', '3.50', '3.5', '3.6', NULL),
    ('int4', '2147483647', '2147483647', NULL, NULL), ('int8', '9223372036854775807', '0', NULL, NULL), ('int2', '32766', '32766', '32767', NULL),
    ('date', '5874897-12-31', '5874897-12-31', 'infinity', NULL), ('date', '-infinity', '-infinity', '2020-12-31', NULL),
    ('date', '2020-12-31', '2020-12-31', '2021-01-01', NULL), ('timestamp', '2020-12-31', '2020-12-31', '2021-01-01', NULL),
    ('timestamptz', '2020-12-31 01:00+01', '2020-12-31 01:00+01', '2021-01-01', NULL), ('float8', '0.1', '0.1', 'NaN', NULL),
    ('text', 'a "b", \c', 'a', 'b', 'default'), ('text', '', '', 'b', '"C"'), ('bool', 'f', 'f', 't', NULL), ('wood.mood', 'ok', 'ok', 'happy', NULL),
    ('uuid', '00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000a', '10000000-0000-0000-0000-00000000000a', NULL), ('interval', '1 month', '29 days', '31 days', NULL), ('money', '3', '3', '4', NULL)) v (type, threshold, low, high, collation_name),
    region_of(type, threshold, low, high, collation_name) r;

-- They depend on no setting.
SET DateStyle = 'German, DMY';
SET TimeZone = 'Asia/Tokyo';
SELECT * FROM region_of('timestamptz', '2020-12-31 00:00:00+00', '1.1.2020', '1.1.2021');
RESET DateStyle;
RESET TimeZone;

-- Records that do not fit.
SELECT kanon_leaf(value, ROW(1, 'self'::text)) FROM tree;
SELECT kanon_leaf(value, ROW(1, 'self'::text, '2020-01-01'::date, 4)) FROM tree;
SELECT kanon_leaf(value, ROW(1, 'self', '2020-01-01'::date)) FROM tree;
SELECT kanon_leaf(value, ROW(1, 'self'::text, now())) FROM tree;
SELECT kanon_region(value, p) FROM tree, (SELECT age, since FROM person) p;
SELECT kanon_region(value, p) FROM tree, (SELECT age, since, 4 AS work FROM person) p;
SELECT kanon_leaf(value, ROW(1, 2)) FROM forest WHERE id = 1;
-- A tree over some of the fields of bare rows asks for them by name.
SELECT kanon_leaf('{"k": 1, "split": "median", "attributes": [{"name": "f2", "type": "int4"}], "nodes": [{"cut": "f2", "at": "4"}, {"class": 1, "rows": 1}, {"class": 2, "rows": 1}]}',
                  ROW(4, 5, 4));

-- Texts that are no trees.
CREATE FUNCTION reject(text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    state text;
    message text;
    detail text;
BEGIN
    PERFORM $1::kanon_tree;
    RAISE 'accepted: %', $1;
EXCEPTION WHEN data_exception THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
    RAISE NOTICE '% %: %', state, message, detail;
END $$;
-- The parts of a small tree, one of them replaced.
CREATE FUNCTION reject_with(k text DEFAULT '2', split text DEFAULT '"median"', target text DEFAULT '', attributes text DEFAULT NULL, nodes text DEFAULT NULL, rest text DEFAULT '') RETURNS void LANGUAGE sql AS $$
SELECT reject(format('{"k": %s, "split": %s%s, "attributes": [%s], "nodes": [%s]}%s', k, split, target,
    coalesce(attributes, '{"name": "a", "type": "int4"}, {"name": "h", "type": "text", "collation": "\"C\"", "top": "*", "levels": 2, "values": [["u", "U", "X"], ["v", "V", "X"], ["w", "W", "Y"]]}'),
    coalesce(nodes, '{"cut": "a", "at": "4"}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}'), rest)) $$;
\set VERBOSITY terse
\pset tuples_only
SELECT reject(''), reject('{'), reject('[]'), reject('{"k": 2}'), reject(E'{\n"k": 2,\n "split": null}'), reject('{"split": "median", "k": 2}');
SELECT reject_with(rest => ','), reject_with(k => '0'), reject_with(k => '2.5'), reject_with(k => '99999999999999999999'), reject_with(k => 'null');
SELECT reject_with(split => '"mode"'), reject_with(split => '"infogain"'), reject_with(target => ', "target": "x"'), reject_with(split => '"median'), reject_with(split => '"\x"'),
    reject_with(split => '"\u12"'), reject_with(split => '"\ud800"'), reject_with(split => '"\udc00"'), reject_with(split => '"\u0000"'), reject_with(split => E'"a\nb"');
SELECT reject_with(attributes => ''), reject_with(attributes => '{"name": "a", "type": "int4"}, {"name": "a", "type": "text", "collation": "\"C\""}'),
    reject_with(attributes => '{"name": "a"}'), reject_with(attributes => '{"name": "a", "type": "int5"}'), reject_with(attributes => '{"name": "a", "type": "a.b.c"}'),
    reject_with(attributes => '{"name": "a", "type": "mood"}'), reject_with(attributes => '{"name": "a", "type": "wood.years"}'), reject_with(attributes => '{"name": "a", "type": "point"}'),
    reject_with(attributes => '{"name": "a", "type": "anyelement"}'), reject_with(attributes => '{"name": "a", "type": "int4", "collation": "\"C\""}'),
    reject_with(attributes => '{"name": "a", "type": "text"}'), reject_with(attributes => '{"name": "a", "type": "text", "collation": "nowhere"}'),
    reject_with(attributes => '{"name": "a", "type": "int4", "top": "*", "levels": 101, "values": []}'),
    reject_with(attributes => '{"name": "a", "type": "int4", "top": "*", "levels": 1, "values": [["1"]]}'),
    reject_with(attributes => '{"name": "a", "type": "int4", "top": "*", "levels": 1, "values": [["1", "x"], ["01", "y"]]}'),
    reject_with(attributes => '{"name": "a", "type": "int4", "top": "*", "levels": 2, "values": [["1", "x", "u"], ["2", "x", "v"]]}'),
    reject_with(attributes => '{"name": "a", "type": "int4", "top": "*", "levels": 0, "values": [["one"]]}');
SELECT reject_with(attributes => '', nodes => '{"class": 1, "rows": 2}'),
    reject_with(attributes => (SELECT string_agg(format('{"name": "a%s", "type": "int4"}', i), ',') FROM generate_series(1, 1601) i)),
    reject_with(target => (SELECT format(', "models": [%s]', string_agg('"distinct(a, 2)"', ',')) FROM generate_series(1, 1001) i));
SELECT reject_with(nodes => ''), reject_with(nodes => '{"class": 1, "rows": 1}'), reject_with(nodes => '{"class": 2, "rows": 2}'), reject_with(nodes => '{"class": 1, "rows": -2}'),
    reject_with(nodes => '{"leaf": 1}'), reject_with(nodes => '{"class": 1, "rows": 2}, {"class": 2, "rows": 2}'), reject_with(nodes => '{"class": 1, "rows": 2},');
SELECT reject_with(nodes => '{"cut": "a", "at": "4"}, {"class": 1, "rows": 2}'), reject_with(nodes => '{"cut": "b", "at": "4"}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}'),
    reject_with(nodes => '{"cut": "a", "at": "four"}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}'), reject_with(nodes => '{"cut": "h", "at": "u"}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}'),
    reject_with(nodes => '{"cut": "a", "at": "4"}, {"cut": "a", "at": "4"}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}, {"class": 3, "rows": 2}'),
    reject_with(nodes => '{"cut": "a", "at": "4"}, {"class": 1, "rows": 2}, {"cut": "a", "at": "4"}, {"class": 2, "rows": 2}, {"class": 3, "rows": 2}'),
    reject_with(nodes => '{"cut": "a", "at": "4"}, {"class": 1, "rows": 2}, {"null": "a"}, {"class": 2, "rows": 2}, {"class": 3, "rows": 2}'),
    reject_with(nodes => '{"null": "a"}, {"cut": "a", "at": "4"}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}, {"class": 3, "rows": 2}'),
    reject_with(nodes => '{"null": "a"}, {"null": "a"}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}, {"class": 3, "rows": 2}');
SELECT reject_with(attributes => '', nodes => '{"class": 1, "rows": 2}');
-- .. and with more than there is room for, which are not shown here
CREATE FUNCTION detail_of(text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    detail text;
BEGIN
    PERFORM $1::kanon_tree;
    RETURN 'accepted';
EXCEPTION WHEN invalid_text_representation THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    RETURN detail;
END $$;
SELECT least, detail_of(format('{"k": 2, "split": "median", "models": [%s], "attributes": [%s], "nodes": [{"class": 1, "rows": 2}]}',
    (SELECT string_agg('"distinct(s, 1)"', ', ') FROM generate_series(1, models)),
    (SELECT string_agg(format('{"name": "a%s", "type": "int4"}', i), ', ') FROM generate_series(1, attributes) i)))
FROM (VALUES (1, 1000, 1600), (2, 1001, 1), (3, 1, 1601)) v (least, models, attributes);
SELECT reject_with(nodes => '{"specialize": "a", "level": 0, "into": ["1"]}, {"class": 1, "rows": 2}'), reject_with(nodes => '{"specialize": "h", "level": 3, "into": ["*"]}, {"class": 1, "rows": 2}'),
    reject_with(nodes => '{"specialize": "h", "level": 1, "into": []}, {"class": 1, "rows": 2}'), reject_with(nodes => '{"specialize": "h", "level": 1, "into": ["X"]}, {"class": 1, "rows": 2}'),
    reject_with(nodes => '{"specialize": "h", "level": 0, "into": ["U"]}, {"class": 1, "rows": 2}'),
    reject_with(nodes => '{"specialize": "h", "level": 2, "into": ["X", "X"]}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}'),
    reject_with(nodes => '{"specialize": "h", "level": 2, "into": ["Y", "X"]}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}'),
    reject_with(nodes => '{"specialize": "h", "level": 2, "into": ["X", "Y"]}, {"specialize": "h", "level": 1, "into": ["W"]}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}'),
    reject_with(nodes => '{"specialize": "h", "level": 2, "into": ["X", "Y"]}, {"specialize": "h", "level": 2, "into": ["X"]}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}'),
    reject_with(nodes => '{"null": "h"}, {"specialize": "h", "level": 2, "into": ["X"]}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}');
SELECT reject_with(nodes => '{"cut": "a", "at": "4", "null": 0}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}'), reject_with(nodes => '{"cut": "a", "at": "4", "null": 2}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}'),
    reject_with(nodes => '{"cut": "a", "at": "4", "null": true}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}'), reject_with(nodes => '{"cut": "a", "at": "4", "at": "4"}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}'),
    reject_with(nodes => '{"null": "a", "null": 1}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}'),
    reject_with(nodes => '{"cut": "a", "at": "4"}, {"cut": "a", "at": "2", "null": 1}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}, {"class": 3, "rows": 2}'),
    reject_with(nodes => '{"cut": "a", "at": "4", "null": 1}, {"class": 1, "rows": 2}, {"cut": "a", "at": "6", "null": 1}, {"class": 2, "rows": 2}, {"class": 3, "rows": 2}'),
    reject_with(nodes => '{"cut": "a", "at": "4", "null": 1}, {"class": 1, "rows": 2}, {"null": "a"}, {"class": 2, "rows": 2}, {"class": 3, "rows": 2}'),
    reject_with(nodes => '{"null": "a"}, {"class": 1, "rows": 2}, {"cut": "a", "at": "6", "null": 1}, {"class": 2, "rows": 2}, {"class": 3, "rows": 2}'),
    reject_with(nodes => '{"specialize": "h", "level": 2, "into": ["X", "Y"], "null": 3}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}'),
    reject_with(nodes => '{"specialize": "h", "level": 2, "into": ["X", "Y"], "null": 2}, {"specialize": "h", "level": 1, "into": ["U"], "null": 1}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}'),
    reject_with(nodes => '{"specialize": "h", "level": 2, "into": ["X", "Y"], "null": 1}, {"specialize": "h", "level": 1, "into": ["U"], "null": 2}, {"class": 1, "rows": 2}, {"class": 2, "rows": 2}');
\pset tuples_only
\set VERBOSITY default

-- Applying a tree takes memory; reading and writing one does whatever it takes.
SET kanon.memory_limit = '64kB';
SELECT kanon_leaf(value, ROW(1)) FROM forest WHERE id = 5000;
SELECT value::text::kanon_tree::text = value::text FROM forest WHERE id = 5000;
RESET kanon.memory_limit;

-- A collation may be renamed, and have another OID under its name, as after pg_upgrade.
CREATE COLLATION plain FROM "C";
CREATE TABLE plain_tree AS SELECT '{"k": 1, "split": "median", "attributes": [{"name": "f1", "type": "text", "collation": "wood.plain"}], "nodes": [{"cut": "f1", "at": "B"}, {"class": 1, "rows": 1}, {"class": 2, "rows": 1}]}'::kanon_tree AS value;
ALTER COLLATION plain RENAME TO plainer;
SELECT kanon_leaf(value, ROW('a'::text)), substring(value::text, '"collation": "[^"]*"') FROM plain_tree;
DROP COLLATION plainer;
CREATE COLLATION plain FROM "C";
SELECT kanon_leaf(value, ROW('a'::text)), substring(value::text, '"collation": "[^"]*"') FROM plain_tree;
-- A type that is gone.
CREATE TABLE mood_tree AS SELECT '{"k": 1, "split": "median", "attributes": [{"name": "f1", "type": "wood.mood"}], "nodes": [{"cut": "f1", "at": "ok"}, {"class": 1, "rows": 1}, {"class": 2, "rows": 1}]}'::kanon_tree AS value;
SELECT kanon_leaf(value, ROW('happy'::mood)) FROM mood_tree;
DROP TYPE mood;
DO $$
DECLARE
    detail text;
BEGIN
    PERFORM value::text FROM mood_tree;
EXCEPTION WHEN data_corrupted THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    RAISE NOTICE '%: %', SQLERRM, regexp_replace(detail, '\d+', 'N');
END $$;

-- The aggregate: the tree of strict partitioning, classes as kanon_mondrian's.
CREATE TABLE patient (id int, age years, work text COLLATE "C", since date, disease text, cost numeric);
INSERT INTO patient SELECT i, 20 + (i * 7) % 40, (ARRAY['federal', 'state', 'self', NULL])[1 + i % 4], date '2020-01-01' + (i * 13) % 50, 'disease ' || (i * 7) % 40 / 15, i % 9
FROM generate_series(1, 40) i;
CREATE TABLE work (value text, sector text, anybody text);
INSERT INTO work VALUES ('federal', 'public', 'anybody'), ('state', 'public', 'anybody'), ('self', 'private', 'anybody'), ('none', 'none', 'anybody');
SELECT kanon_set_attribute('patient', 'id', 'identifier');
SELECT kanon_set_attribute('patient', 'age', 'quasi_identifier');
SELECT kanon_set_attribute('patient', 'work', 'quasi_identifier', 'work');
SELECT kanon_set_attribute('patient', 'since', 'quasi_identifier');
SELECT kanon_mondrian_tree(4, p) FROM patient p;
SELECT class, kanon_leaf(tree, p), kanon_region(tree, p), count(*)
FROM (SELECT p, kanon_mondrian(4, p) OVER () AS class FROM patient p) p, (SELECT kanon_mondrian_tree(4, p) AS tree FROM patient p) t GROUP BY 1, 2, 3 ORDER BY 1;
-- Without declarations, some of the fields, in groups, other splits.
SELECT kanon_mondrian_tree(4, ROW(age, since)) FROM patient WHERE id <= 10;
SELECT id % 2 AS part, kanon_mondrian_tree(4, p, '{since}' ORDER BY id) FROM patient p WHERE id <= 20 GROUP BY 1 ORDER BY 1;
SELECT kanon_mondrian_tree(4, s, '{age}', 'infogain', 'disease') FROM (SELECT age, disease FROM patient) s;
SELECT count(*) FROM (SELECT kanon_leaf(tree, p) AS leaf, kanon_mondrian(4, p, split => 'regression', target => 'cost') OVER () AS class
    FROM patient p, (SELECT kanon_mondrian_tree(4, p, NULL, 'regression', 'cost') AS tree FROM patient p) t) s WHERE leaf <> class;
-- A few NULLs go along, and the tree says where.
CREATE TABLE sparse AS SELECT id, nullif(age, 26) AS age, CASE WHEN id NOT IN (3, 4) THEN coalesce(work, 'none') END AS work, since FROM patient WHERE id <= 24;
SELECT kanon_set_attribute('sparse', 'work', 'quasi_identifier', 'work'), kanon_set_attribute('sparse', 'age', 'quasi_identifier');
SELECT kanon_mondrian_tree(3, s) FROM sparse s;
SELECT kanon_leaf(tree, s), kanon_region(tree, s), count(*), count(age) AS ages, count(work) AS works, count(*) FILTER (WHERE class <> kanon_leaf(tree, s)) AS elsewhere
FROM (SELECT s, age, work, kanon_mondrian(3, s) OVER () AS class FROM sparse s) s, (SELECT kanon_mondrian_tree(3, s) AS tree FROM sparse s) t GROUP BY 1, 2 ORDER BY 1;
-- Equal values in another order are the same tree, however they are written.
SELECT count(*), count(DISTINCT tree::text) FROM (
    SELECT kanon_mondrian_tree(2, ROW(a, b, c) ORDER BY a, hashint4(n * seed)) AS tree
    FROM generate_series(1, 8) seed, (VALUES (1, 1.5, 0::float8, '12'::char(2)), (2, 1.50, '-0', '12 '), (3, 1.500, 0, '12  '), (4, 2, 1, '2'), (5, 2.0, 1, '3'), (6, 3, 2, '3')) v (n, a, b, c) GROUP BY seed) s;
-- Fewer rows than k, none, and rows of which nothing is known.
SELECT kanon_mondrian_tree(41, p) IS NULL, kanon_mondrian_tree(4, p) FILTER (WHERE false) IS NULL, kanon_mondrian_tree(4, NULL::patient) IS NULL FROM patient p;
SELECT kanon_mondrian_tree(2, p, '{since}') FROM (VALUES (1), (1), (2), (2)) v (id) LEFT JOIN (SELECT * FROM patient WHERE id = 2) p USING (id);
-- A hashed aggregation that is scanned again: its trees are grown once.
SET enable_material = off;
SET enable_sort = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_memoize = off;
SELECT n, part, kanon_leaf(tree, ROW(45)) FROM (VALUES (0), (1)) v (n) LEFT JOIN (SELECT id % 2 AS part, kanon_mondrian_tree(4, ROW(age)) AS tree FROM patient GROUP BY 1) t ON part <= n ORDER BY 1, 2;
RESET enable_material;
RESET enable_sort;
RESET enable_hashjoin;
RESET enable_mergejoin;
RESET enable_memoize;
-- What is needed of a row, and of its type, goes with it.
CREATE TYPE lean AS (a int);
CREATE TYPE fat AS (a int, b text);
CREATE TABLE kept AS SELECT i, ROW(i, repeat('x', 50))::fat AS r FROM generate_series(1, 20000) i;
CREATE FUNCTION held() RETURNS bigint VOLATILE LANGUAGE sql AS $$ SELECT sum(total_bytes)::bigint FROM pg_backend_memory_contexts WHERE name ~ '^kanon' $$;
SELECT kanon_mondrian_tree(20000, r, '{a}'), max(CASE i WHEN 20000 THEN wood.held() END) < 2000000 AS little FROM kept;
CREATE FUNCTION lean_or_fat(i int) RETURNS record LANGUAGE plpgsql AS $$
BEGIN
    IF i % 2 = 0 THEN
        RETURN ROW(i)::lean;
    END IF;
    RETURN ROW(i, '')::fat;
END $$;
SELECT count(leaf), max(CASE i WHEN 20000 THEN wood.held() END) < 1000000 AS little
FROM (SELECT i, kanon_leaf('{"k": 1, "split": "median", "attributes": [{"name": "a", "type": "int4"}], "nodes": [{"class": 1, "rows": 1}]}', lean_or_fat(i)) AS leaf FROM kept OFFSET 0) s;
-- New rows fall into the regions that are there; parts are partitioned further.
CREATE TABLE recoding AS SELECT kanon_mondrian_tree(10, p) AS tree FROM patient p;
SELECT kanon_leaf(tree, n), kanon_region(tree, n) FROM recoding, (VALUES (-5, 'none'::text, '1970-01-01'::date), (99, 'state', '2030-01-01'), (30, NULL, '2020-01-01')) n (age, work, since);
SELECT leaf, class, count(*) FROM (SELECT kanon_leaf(tree, p) AS leaf, kanon_mondrian(2, p) OVER (PARTITION BY kanon_leaf(tree, p)) AS class FROM recoding, patient p) s GROUP BY 1, 2 ORDER BY 1, 2;
SELECT count(*) FROM (SELECT kanon_leaf(tree, p) AS leaf, kanon_mondrian(2, p) OVER (PARTITION BY kanon_leaf(tree, p)) AS class FROM recoding, patient p) s GROUP BY leaf, class HAVING count(*) < 2;
-- What it refuses.
SELECT kanon_mondrian_tree(0, p) FROM patient p;
SELECT kanon_mondrian_tree(NULL, p) FROM patient p;
SELECT kanon_mondrian_tree(id, p) FROM patient p;
SELECT kanon_mondrian_tree(2, p, '{nobody}') FROM patient p;
SELECT kanon_mondrian_tree(2, ROW(age), NULL, 'mode', NULL) FROM patient p;
SELECT kanon_mondrian_tree(2, ROW(age), NULL, NULL, NULL) FROM patient p;
SELECT kanon_mondrian_tree(2, ROW(age), NULL, 'infogain', NULL) FROM patient p;
SELECT kanon_mondrian_tree(2, p, NULL, 'median', 'disease') FROM patient p;
SELECT kanon_mondrian_tree(2, p) OVER () FROM patient p;
SELECT kanon_mondrian_tree(2, s) FROM (SELECT age, since AS age FROM patient) s;
SELECT kanon_mondrian_tree(2, ROW(ROW(age))) FROM patient;
-- .. which memory runs out first differs between versions of PostgreSQL
\set VERBOSITY sqlstate
SET kanon.memory_limit = '64kB';
SELECT kanon_mondrian_tree(1, ROW(i)) FROM generate_series(1, 100000) i;
RESET kanon.memory_limit;
\set VERBOSITY default

-- Parallel workers.
CREATE TABLE many AS SELECT i AS f1 FROM generate_series(1, 20000) i;
ANALYZE many;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0.01;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
CREATE FUNCTION explained(query text, pattern text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || query LOOP
        IF line ~ pattern THEN
            RETURN NEXT regexp_replace(trim(line), '\$\d|\(InitPlan \d\).col\d', 'TREE');
        END IF;
    END LOOP;
END $$;
SELECT explained('SELECT kanon_leaf((SELECT value FROM forest WHERE id = 40), m), count(*) FROM many m GROUP BY 1', 'Parallel Seq Scan on wood.many|Output.*kanon_leaf');
SELECT count(DISTINCT leaf), sum(leaf), min(n), max(n) FROM (SELECT kanon_leaf((SELECT value FROM forest WHERE id = 40), m) AS leaf, count(*) AS n FROM many m GROUP BY 1) s;
SELECT count(DISTINCT region) FROM (SELECT kanon_region((SELECT value FROM forest WHERE id = 5000), m) AS region FROM many m) s;

RESET search_path;
SET client_min_messages = warning;
DROP SCHEMA wood CASCADE;

-- Trees have an order, that of their texts, and can be hashed.
CREATE TABLE grove (id int, tree kanon_tree);
INSERT INTO grove SELECT k, kanon_mondrian_tree(k, ROW(i)) FROM generate_series(1, 12) i, generate_series(2, 5) k GROUP BY k;
INSERT INTO grove SELECT id + 10, tree::text::kanon_tree FROM grove;
SELECT array_agg(id ORDER BY id), count(*) FROM grove GROUP BY tree ORDER BY tree::text COLLATE "C";
SET enable_hashagg = off;
SELECT count(DISTINCT tree), count(*) FROM grove;
SELECT count(*) FROM (SELECT tree FROM grove GROUP BY tree) g;
RESET enable_hashagg;
SELECT bool_and((a.tree < b.tree) = (a.tree::text < b.tree::text COLLATE "C") AND (a.tree = b.tree) = (a.tree::text = b.tree::text)
    AND (a.tree >= b.tree) = NOT (a.tree < b.tree) AND (a.tree > b.tree) = (b.tree < a.tree) AND (a.tree <= b.tree) = (b.tree >= a.tree)
    AND (a.tree <> b.tree) = NOT (a.tree = b.tree)) FROM grove a, grove b;
CREATE UNIQUE INDEX ON grove (tree) WHERE id < 10;
SET enable_hashjoin = off;
SELECT count(*) FROM grove a JOIN grove b USING (tree);
RESET enable_hashjoin;
SET enable_mergejoin = off; SET enable_nestloop = off;
SELECT count(*) FROM grove a JOIN grove b USING (tree);
RESET enable_mergejoin; RESET enable_nestloop;
DROP TABLE grove;
