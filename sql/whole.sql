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
\set VERBOSITY terse
SELECT kanon_view_cells('local', 5, q, '{age}', whole => '{}') OVER () FROM people q;
SELECT kanon_view_cells('relaxed_mondrian', 5, q, '{age}', whole => '{}') OVER () FROM people q;

SET client_min_messages = warning;
DROP SCHEMA whole CASCADE;
