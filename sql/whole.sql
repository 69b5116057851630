-- Nodes of a partition tree, divided as in the whole table.
CREATE SCHEMA whole;
SET search_path = whole, public;

CREATE TABLE people AS SELECT i AS id, 20 + i * 7 % 41 AS age, 'town ' || i % 6 AS town, 'd' || i % 4 AS disease FROM generate_series(1, 200) i;
INSERT INTO people VALUES (201, 99, NULL, NULL), (202, NULL, 'town 9', 'd0');
SELECT kanon_declare('people', '{age,town}', '{disease}', '{}', '{id}');
SELECT kanon_view_whole('people', '{town}', 'distinct(disease, 2)');
SELECT kanon_view_whole('people', '{town}', 'distinct(disease, 2)', 'id') = kanon_view_whole('people', '{town}', 'distinct(disease, 2)') AS each_is_somebody;
CREATE VIEW nobody AS SELECT age, disease FROM people WHERE false;
SELECT kanon_view_whole('nobody', '{age}', 'distinct(disease, 2)');

-- Half of the rows, by themselves, would be divided otherwise.
CREATE FUNCTION cells(over text, whole text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE format('SELECT count(DISTINCT (age, town)) || '' '' || md5(string_agg(concat_ws('' '', id, age, town), '','' ORDER BY id))'
        ' FROM (SELECT kanon_view_cell(c, ''id'', 0) AS id, kanon_view_cell(c, ''age'', NULL::int4range) AS age, kanon_view_cell(c, ''town'', ''''::text) AS town'
        ' FROM (SELECT kanon_view_cells(''strict_mondrian'', 5, q, ''{age,town}'', beside => 1, whole => %s) OVER (%s) AS c'
        ' FROM (SELECT age, town, id FROM people) q) c) c', whole, over) INTO answer;
    RETURN answer;
END $$;
SELECT (regexp_match(kanon_grow_tree('people', 5, split => 'median')::text, '"nodes": \[\s+(\{[^{}]*\})'))[1] AS root;
SELECT cells('', 'NULL') = cells('PARTITION BY age <= 40 OR age IS NULL', 'kanon_view_whole(''people'')') AS as_in_the_whole,
    cells('', 'NULL') = cells('PARTITION BY age <= 40 OR age IS NULL', 'NULL') AS as_by_itself;
-- Values that the whole lacks, and rows that are too few
SELECT count(c) FROM (SELECT kanon_view_cells('mondrian', 5, q, '{age}', options => '{"rest": true}', whole => '{"age": {"values": ["20"], "rows": [200]}}') OVER (PARTITION BY id % 50) AS c FROM people q) c;
-- .. or do not satisfy: a node must, too
SELECT count(c) FROM (SELECT kanon_view_cells('mondrian', 5, q, '{age}', models => 'distinct(disease, 3)', options => '{"rest": true}', whole => kanon_view_whole('people', '{age}', 'distinct(disease, 3)')) OVER (PARTITION BY disease) AS c FROM people q) c;

-- Errors
SELECT kanon_view_whole(NULL);
SELECT kanon_view_whole('people', '{height}');
SELECT kanon_view_whole('people', '{age}', 'distinct(height, 2)');
SELECT kanon_view_cells('mondrian', 5, q, '{age}', options => '{"rest": true}', whole => '[]') OVER () FROM people q;
SELECT kanon_view_cells('mondrian', 5, q, '{age}', options => '{"rest": true}', whole => '{}') OVER () FROM people q;
SELECT kanon_view_cells('mondrian', 5, q, '{age}', options => '{"rest": true}', whole => '{"age": 1}') OVER () FROM people q;
SELECT kanon_view_cells('mondrian', 5, q, '{age}', options => '{"rest": true}', whole => '{"age": {"values": ["1"]}}') OVER () FROM people q;
SELECT kanon_view_cells('mondrian', 5, q, '{age}', options => '{"rest": true}', whole => '{"age": {"values": ["1"], "rows": []}}') OVER () FROM people q;
SELECT kanon_view_cells('mondrian', 5, q, '{age}', options => '{"rest": true}', whole => '{"age": {"values": [1], "rows": [1]}}') OVER () FROM people q;
SELECT kanon_view_cells('mondrian', 5, q, '{age}', options => '{"rest": true}', whole => '{"age": {"values": ["x"], "rows": [1]}}') OVER () FROM people q;
SELECT kanon_view_cells('mondrian', 5, q, '{age}', models => 'distinct(disease, 2)', options => '{"rest": true}', whole => '{"age": {"values": ["1"], "rows": [1]}, "disease": {"values": ["d0"], "rows": ["1"]}}') OVER () FROM people q;
-- .. which must not run code of others
CREATE FUNCTION is_checked(text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING 'checked by %', current_user; RETURN true; END $$;
CREATE DOMAIN checked AS text CHECK (is_checked(VALUE));
SELECT kanon_view_cells('mondrian', 5, q, '{towns}', options => '{"rest": true}', whole => '{"towns": {"values": ["{x}"], "rows": [1]}}') OVER () FROM (SELECT NULL::checked[] AS towns FROM people) q;
SELECT kanon_view_cells('mondrian', 5, q, '{age,town}', options => '{"rest": true}', whole => '{"age": {"values": ["1"], "rows": [1]}, "town": {"values": [], "rows": []}}') OVER () FROM people q;
SELECT kanon_view_cells('mondrian', 5, q, '{age}', models => 'distinct(disease, 2)', options => '{"rest": true}', whole => '{"age": {"values": ["1"], "rows": [1]}, "disease": {"values": ["d0"], "rows": [-1]}}') OVER () FROM people q;
SELECT kanon_view_cells('mondrian', 5, q, '{age}', models => 'distinct(disease, 2)', options => '{"rest": true}', whole => '{"age": {"values": ["1"], "rows": [1]}, "disease": {"values": ["d0", "d1"], "rows": [9223372036854775807, 1]}}') OVER () FROM people q;

-- Where rows count in a tree that grows elsewhere: of one leaf, 7, or cut at 40, of which the first side counts
CREATE FUNCTION node(tree text, models text DEFAULT '') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE format('SELECT concat(array_agg(DISTINCT n[1] ORDER BY n[1]), '' '', kanon_view_counts(n))'
        ' FROM (SELECT kanon_view_node(''strict_mondrian'', 5, q, ''{age,town}'', models => %L, beside => 1, options => ''{}'', whole => %L, tree => %L) AS n'
        ' FROM (SELECT age, town, disease, id FROM people WHERE id %% 20 = 1) q) q', models, kanon_view_whole('people', '{age,town}', models::kanon_models), tree) INTO answer;
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT node('{0,7,0}');
SELECT kanon_view_node('strict_mondrian', 5, ROW(age, 'x'::text), fields => '{age,town}', options => '{}', whole => '{"age": {"values": ["20", "21", "60"], "rows": [1, 1, 1]}, "town": {"values": ["x"], "rows": [1]}}',
    tree => '{0,0,1, 1073741824,1073741864, 0,0}') FROM unnest('{19,20,21,50,60,99,NULL}'::int[]) age;
SELECT tree, node(tree), node(tree, 'distinct(disease, 2)') FROM unnest('{"{1,0,1073741844,0,-1,1,0,0, 0,1,1, 1073741824,1073741826, 0,1, 0,2,0}"}'::text[]) tree;
SELECT kanon_view_node('mondrian', 5, q, fields => '{a,b}', options => '{"rest": true}', whole => '{"a": {"values": ["1", "2"], "rows": [1, 1]}, "b": {"values": ["x", "y", "z"], "rows": [0, 5, 5], "labels": [["v", "w"]], "unknown": ["v"]}}',
    tree => '{2,1,0,0,1,1,0,1,0, 0,3,0, 0,4,1, 1073741824,1073741825, 0,-1}') FROM (VALUES (1, 'x'::text), (2, 'y'), (3, 'z'), (NULL, 'x')) q;
-- .. malformed
SELECT tree, node(tree) FROM unnest(ARRAY['{}', '{9}', '{0}', '{0,1,1}', '{0,1,1,-1,2,0,0}', '{0,1,1,0,2147483647,0,1}', '{1,0}', '{1,2,0,0,-1,1,0,0,0,1,0,0,2,0}', '{1,0,0,0,-1,0,0,0,0,1,0,0,2,0}', '{1,0,0,0,-1,1,0,0,0,1,0}',
    '{2,0,0,0,-1,1,0,1,0,0,1,0,0,2,0}', '{1,0,0,0,2147483647,1,0,0,0,1,0,0,2,0}', '{1,0,0,0,-1,1,0,1,9,0,1,0,0,2,0}', '{1,0,0,0,-1,1,0,9,0}', '{{0,1,0}}', '{0,1,NULL}']) tree;
SELECT kanon_view_counts(places::int[]) FROM unnest(ARRAY['{1}']) places;
SELECT kanon_view_counts(places::int[]) FROM unnest(ARRAY['{1,2,2}']) places;
SELECT kanon_view_counts(places::int[]) FROM unnest(ARRAY['{1,-1}']) places;
SELECT kanon_view_counts(places::int[]) FROM unnest(ARRAY[NULL]) places;
SELECT kanon_view_counts(places::int[]) FROM unnest(ARRAY['{1,3,2}', '{2,3,0,2}']) places;
-- Counts between servers: their number, then zeros and a count, for each that is not 0
SELECT kanon_view_counts(places::int[]) FROM unnest(ARRAY['{1,6,2,2,2}', '{2,6,2}', '{1,6,2}']) places;
SELECT kanon_view_counts(ARRAY[7, 100000, i * 997 % 100000]) FROM generate_series(1, 3) i;
SELECT kanon_view_counts(ARRAY[1, 0]);
SELECT kanon_view_count(NULL, '{1,1}'), kanon_view_count_add('\x0100', NULL);
CREATE AGGREGATE sums(bytea) (SFUNC = kanon_view_count_add, STYPE = bytea);
SELECT sums(n), octet_length(sums(n)) FROM unnest(ARRAY['\x060205', NULL, '\x06020a', '\x060001048001']::bytea[]) n;
SELECT sums(NULL), sums(n) FROM unnest(ARRAY['\x00', '\x00']::bytea[]) n;
CREATE FUNCTION sums_of(VARIADIC counts bytea[]) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT sums(n) FROM unnest(counts) n);
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT n, sums_of(n) FROM unnest(ARRAY['\x', '\x80', '\x0205', '\x02020101', '\x01010101', '\x0100', '\xffffffff7f', '\xffffffffffffffffffff', '\x0100ffffffffffffffff7f']::bytea[]) n;
SELECT sums_of('\x0100ffffffffffffffff7f', '\x010001'), sums_of('\x0100', '\x0200');
-- .. of which a few bytes may say that there are many
SET kanon.memory_limit = '1MB';
SELECT octet_length(kanon_view_counts(ARRAY[1, 100000, i])) FROM generate_series(1, 3) i;
SELECT kanon_view_counts(ARRAY[1, 200000]);
SELECT sums_of('\xffff7f');
SELECT count(kanon_view_counts) FROM (SELECT kanon_view_counts(ARRAY[1, 50000, i]) FROM generate_series(1, 9) i GROUP BY i) c;
RESET kanon.memory_limit;
CREATE AGGREGATE counts_from(int[]) (SFUNC = kanon_view_count, STYPE = bytea, INITCOND = '\x030101');
SELECT counts_from('{1,3,0}'::int[]);
SELECT counts_from('{1,9,5}'::int[]);
-- People count once in each node, at the lowest and at the highest of their rows
SELECT p.id % 3 AS person, kanon_view_person(kanon_view_node('strict_mondrian', 5, q, '{age}', models => 'distinct(disease, 2)', person => 'person', options => '{}',
    whole => '{"age": {"values": ["20", "60"], "rows": [1, 1]}, "disease": {"values": ["d0", "d1", "d2", "d3"], "rows": [1, 1, 1, 1]}}', tree => '{1,0,1073741844,0,-1,1,0,0, 0,1,1, 1073741824,1073741826, 0,2,1, 1073741862,1073741864}'), 1, p.id % 3 > 0) AS places
FROM people p, LATERAL (SELECT age, disease, id % 3 AS person) q WHERE id <= 9 GROUP BY 1 ORDER BY 1;
SELECT kanon_view_person(n::int[], 2, true) FROM unnest(ARRAY['{1,9}', '{2,9}']) n;
CREATE FUNCTION person(places text, attributes int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT kanon_view_person(x::int[], attributes, true) FROM unnest(string_to_array(places, ' ', 'NULL')) x);
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT p, a, person(p, a) FROM (VALUES ('{0,9,0,1,2} {0,9,3,4,5} {1,9,0,1,2}', 1), ('{1,9}', 2), ('{1}', 1), ('{1,9,1,2}', 1), ('{1,9,1,2,3}', 2), ('{1,9,1,2,3} {1,9}', 1), ('{1,9,1,2,3} {1,9,1}', 1), ('{1,9,1}', 0), ('{1,9,1}', NULL), ('NULL', 1), ('{{1,9}}', 1), ('{1,NULL}', 1)) x (p, a);
SELECT kanon_view_person(NULL, 1, true) FROM people WHERE false;
SELECT kanon_view_person('{1,9,1,2,3}', 1, NULL);
SELECT kanon_view_node('mondrian', 5, NULL, whole => '{}', tree => '{}');
SELECT kanon_view_node('mondrian', 5, q, tree => '{}') FROM people q;
SELECT kanon_view_node('mondrian', 5, q, whole => '{}') FROM people q;
SELECT kanon_view_node('mondrian', id, q, '{age}', options => '{"rest": true}', whole => '{}', tree => '{}') FROM people q;
DO $$ DECLARE q people; t int[] := '{0,7,0}'; n int[]; BEGIN
    SELECT * INTO q FROM people LIMIT 1;
    n := kanon_view_node('mondrian', 5, q, '{age}', options => '{"rest": true}', whole => '{}', tree => t);
END $$;
SELECT kanon_view_node('mondrian', 5, q, fields => '{a}', options => '{"rest": true}', whole => '{}', tree => '{}') FROM (VALUES (1, 2)) q;
SELECT kanon_view_node('mondrian', 5, q, fields => '{a,b}', options => '{"rest": true}', whole => '{}', tree => '{}') FROM people q;
-- Labels
CREATE FUNCTION labels(labels text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT kanon_view_node(''mondrian'', 5, ROW(''x''::text), options => ''{"rest": true}'', whole => %L, tree => ''{0,1,0}'')', format('{"f1": {"values": ["x", "y"], "rows": [1, 1], %s}}', labels)) INTO labels;
    RETURN labels;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT l, labels(l) FROM unnest(ARRAY['"labels": [["a", "b"]], "unknown": [null]', '"labels": [["a", "b"]]', '"labels": [["a", "b"]], "unknown": []', '"labels": [["a", null]], "unknown": ["a"]',
    '"labels": [["a", "b"], ["a"]], "unknown": ["a", "b"]', '"labels": [["a", "a"], ["a", "b"]], "unknown": ["a", "b"]', '"labels": [["a", "b", "c"]], "unknown": ["a"]', '"labels": [1], "unknown": ["a"]', '"labels": [], "unknown": []']) l;
-- .. of a model's column, in place of its dimension: the last value is in neither
CREATE TABLE kinds (disease text, kind text, everything text);
INSERT INTO kinds VALUES ('d0', 'x', '*'), ('d1', 'y', '*'), ('d2', 'x', '*');
CREATE FUNCTION closely(dimension regclass, labels text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
    diseases text = format('{"values": ["d0", "d2", "d1", "d3", null], "rows": [51, 50, 50, 50, 1] %s}', labels);
BEGIN
    SELECT count(DISTINCT age) || ' ' || md5(string_agg(age::text, ',' ORDER BY age)) INTO answer
    FROM (SELECT kanon_view_cell(kanon_view_cells('mondrian', 5, q, '{age}', models => 'closeness(disease, 0.15)', model_dimensions => ARRAY[dimension], options => '{"rest": true}',
        whole => kanon_view_whole('people', '{age}') || jsonb_build_object('disease', diseases::jsonb)) OVER (), 'age', NULL::int4range) AS age FROM (SELECT age, disease FROM people) q) c;
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT closely('kinds', '') = closely(NULL, labels) AS as_by_dimension, closely(NULL, '') = closely(NULL, labels) AS as_without
FROM concat(', "labels": [["x", "x", "y"], ["*", "*", "*"]], "unknown": ["*", "*"]') labels;
SELECT closely(NULL, ', "labels": [["x", "x", "y"]]');
\set VERBOSITY terse
SELECT kanon_view_cells('ring', 5, q, '{age}', whole => '{}') OVER () FROM people q;
SELECT kanon_view_cells('relaxed_mondrian', 5, q, '{age}', whole => '{}') OVER () FROM people q;

SET client_min_messages = warning;
DROP SCHEMA whole CASCADE;

-- ---- what parts of a release hold
SELECT count(kanon_view_tally(x, '{0}', NULL)) FROM (VALUES (1, 'a'), (1, 'b')) x;
SELECT kanon_view_tally(x, '{2}', NULL) FROM (VALUES (1, 'a')) x;
SELECT kanon_view_tally(x, '{-1}', NULL) FROM (VALUES (1, 'a')) x;
SELECT kanon_view_tally(x, '{0,NULL}', NULL) FROM (VALUES (1, 'a')) x;
SELECT kanon_view_tally(x, NULL, NULL) FROM (VALUES (1, 'a')) x;
SELECT kanon_view_tally(NULL::record, '{0}', NULL);
SELECT kanon_view_tally(x, '{0}', '\x00') FROM (VALUES (1, 'a')) x;
