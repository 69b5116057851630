-- Single-dimension recodings: a value becomes the same cell in all rows.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = notice;

CREATE TABLE members (age int, town text, sex text, disease text);
INSERT INTO members
SELECT 20 + i * 7 % 12, CASE WHEN i % 10 < 3 THEN 'Bonn' WHEN i % 10 < 7 THEN 'Köln' WHEN i % 10 < 9 THEN 'Kiel' ELSE 'Husum' END,
    CASE WHEN i / 10 % 2 = 0 THEN 'f' ELSE 'm' END, (ARRAY['flu', 'gout', 'mumps'])[1 + i % 3]
FROM generate_series(1, 60) i;
CREATE TABLE towns (town text, state text, country text);
INSERT INTO towns VALUES ('Bonn', 'West', 'Germany'), ('Köln', 'West', 'Germany'), ('Kiel', 'North', 'Germany'), ('Husum', 'North', 'Germany');
SELECT kanon_declare('members', '{town,sex}', sensitive => '{disease}');
SELECT kanon_set_attribute('members', 'town', 'quasi_identifier', 'towns');

-- Towns in the north are too small; full-domain generalization must show states of all.
SELECT kanon_create_release('by_subtree', 'members', 8, 'subtree');
SELECT town, sex, count(*) FROM by_subtree GROUP BY town, sex ORDER BY town, sex;
SELECT recoding, round(loss::numeric, 3) AS loss FROM kanon_compare('members', '{8}', '{full_domain,subtree,unrestricted,ordered}');
SELECT parameters -> 'rule' AS rule, parameters -> 'gap' AS gap FROM kanon_release WHERE release = 'by_subtree'::regclass;

-- The rule stays, and holds for values that were not there; the guard leaves out who has become rare.
INSERT INTO towns VALUES ('Plön', 'North', 'Germany'), ('Aachen', 'West', 'Germany');
INSERT INTO members SELECT 30, 'Plön', 'f', 'flu' FROM generate_series(1, 2);
INSERT INTO members SELECT 30, 'Aachen', 'f', 'flu' FROM generate_series(1, 3);
DELETE FROM members WHERE town = 'Bonn' AND sex = 'm';
SELECT rows, missing FROM kanon_refresh_release('by_subtree');
SELECT town, sex, count(*) FROM by_subtree GROUP BY town, sex ORDER BY town, sex;
SELECT satisfied FROM kanon_check('by_subtree');
-- .. until another is wanted
SELECT rows, missing FROM kanon_refresh_release('by_subtree', search => true);
SELECT town, sex, count(*) FROM by_subtree GROUP BY town, sex ORDER BY town, sex;
DELETE FROM members WHERE sex = 'm' AND town <> 'Kiel';
DELETE FROM members WHERE ctid = ANY (ARRAY(SELECT ctid FROM members WHERE sex = 'm' OFFSET 3));
SELECT rows, missing FROM kanon_refresh_release('by_subtree', search => true);
DELETE FROM members;
SELECT rows, missing FROM kanon_refresh_release('by_subtree', search => true);
SELECT kanon_drop_release('by_subtree');

-- Errors
SELECT kanon_create_release('none', 'members', 2, 'subtree');
INSERT INTO members SELECT 20 + i, 'Bonn', 'f', 'flu' FROM generate_series(1, 4) i;
SELECT kanon_create_release('none', 'members', 5, 'subtree');
SELECT kanon_create_release('none', 'members', 2, 'ordered', models => 'distinct(disease, 2)');
INSERT INTO members VALUES (40, 'Kiel', 'm', 'flu'), (20, 'Kiel', 'm', 'gout');
SELECT kanon_create_release('none', 'members', 2, 'subtree', models => 'recursive(disease, 0.1, 2)');
SELECT kanon_create_release('none', 'members', 2, 'subtree', options => '{"effort": 0}');
SELECT kanon_create_release('none', 'members', 2, 'subtree', options => '{"rule": []}');
SELECT kanon_create_release('none', 'members', 2, 'unrestricted', options => '{"measure": "loss"}');
SELECT kanon_view_cells('subtree', 2, ROW(town), options => '{"rule": {}}') OVER () FROM members;
SELECT kanon_view_cells('subtree', 2, ROW(town), options => '{"rule": []}') OVER () FROM members;
SELECT kanon_view_cells('subtree', 2, ROW(town), options => '{"rule": [1]}') OVER () FROM members;
SELECT kanon_view_cells('subtree', 2, ROW(town), options => '{"rule": [{}]}') OVER () FROM members;
SELECT kanon_view_cells('subtree', 2, ROW(town), options => '{"rule": [{"divided": [1]}]}') OVER () FROM members;
SELECT kanon_view_cells('subtree', 2, ROW(town), options => '{"rule": [{"divided": [[1]]}]}') OVER () FROM members;
SELECT kanon_view_cells('ordered', 2, ROW(age), options => '{"rule": [{"from": ["many"]}]}') OVER () FROM members;
SELECT kanon_view_cells('ordered', 2, ROW(age), options => '{"rule": [{"null": true}]}') OVER () FROM members;

-- A search that ends early says how much better another rule could be.
CREATE TABLE numbers AS SELECT i * 37 % 23 AS a, i * 11 % 19 AS b, i * 5 % 13 AS c FROM generate_series(1, 200) i;
SELECT kanon_declare('numbers', '{a,b,c}');
SELECT kanon_create_release('ended', 'numbers', 4, 'ordered', options => '{"effort": 60}');
SELECT parameters ->> 'measure' AS measure, (parameters ->> 'gap')::float8 > 0 AS gap FROM kanon_release WHERE release = 'ended'::regclass;
SELECT kanon_replace_release('ended', options => '{"effort": 60, "measure": "discernibility"}');
SELECT parameters ->> 'measure' AS measure, (parameters ->> 'gap')::float8 > 0 AS gap FROM kanon_release WHERE release = 'ended'::regclass;
SELECT kanon_drop_release('ended');

-- Values without order of their own, NULL, models, people and suppression
CREATE TABLE visits (person int, age int, town text, disease text);
INSERT INTO visits SELECT i / 2, CASE WHEN i % 9 > 0 THEN 20 + i % 40 END, (ARRAY['Bonn', 'Köln', 'Kiel', NULL])[1 + i % 4], (ARRAY['flu', 'gout', 'mumps'])[1 + i % 3]
FROM generate_series(1, 120) i;
SELECT kanon_declare('visits', '{age,town}', sensitive => '{disease}', identifiers => '{person}');
CREATE FUNCTION visited(recoding text, OUT satisfied boolean, OUT classes boolean, OUT within boolean, OUT held boolean) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM kanon_create_release('visited', 'visits', 5, recoding, models => 'distinct(disease, 2)', person => 'person', suppression => 0.1);
    SELECT c.satisfied, c.classes > 1, r.missing <= 12 INTO satisfied, classes, within FROM kanon_check('visited') c, kanon_release r WHERE r.release = 'visited'::regclass;
    UPDATE visits SET disease = 'flu' WHERE town = 'Kiel';
    PERFORM kanon_refresh_release('visited');
    held := (SELECT c.satisfied FROM kanon_check('visited') c);
    PERFORM kanon_drop_release('visited');
END $$;
SET client_min_messages = error;
SELECT recoding, visited.* FROM unnest(ARRAY['subtree', 'unrestricted', 'ordered']) recoding, visited(recoding);
SET client_min_messages = notice;

-- Multi-dimension full-subgraph recoding: whoever has values below the labels of a class is in it.
-- That holds for strict_mondrian over dimensions.  Rest parts of mondrian, and local, go beyond it.
CREATE TABLE homes AS SELECT i AS id, (ARRAY['Bonn', 'Köln', 'Kiel', 'Husum'])[1 + i % 11 % 4] AS town, (ARRAY['a1', 'a2', 'b1', 'b2', 'b3'])[1 + i * i % 23 % 5] AS street FROM generate_series(1, 90) i;
CREATE TABLE streets (street text, part text, everywhere text);
INSERT INTO streets VALUES ('a1', 'a', '*'), ('a2', 'a', '*'), ('b1', 'b', '*'), ('b2', 'b', '*'), ('b3', 'b', '*');
SELECT kanon_declare('homes', '{town,street}', insensitive => '{id}');
SELECT kanon_set_attribute('homes', 'town', 'quasi_identifier', 'towns'), kanon_set_attribute('homes', 'street', 'quasi_identifier', 'streets');
CREATE FUNCTION elsewhere(recoding text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    found bigint;
BEGIN
    PERFORM kanon_create_release('divided', 'homes', 6, recoding);
    SELECT count(DISTINCT h.id) INTO found
    FROM homes h JOIN towns t USING (town) JOIN streets s USING (street) JOIN divided own USING (id), (SELECT DISTINCT town, street FROM divided) class
    WHERE class.town IN (t.town, t.state, t.country) AND class.street IN (s.street, s.part, s.everywhere) AND (class.town, class.street) <> (own.town, own.street);
    PERFORM kanon_drop_release('divided');
    RETURN found;
END $$;
SET client_min_messages = warning;
SELECT elsewhere('strict_mondrian') AS strict_mondrian, elsewhere('mondrian') > 0 AS mondrian, elsewhere('local') > 0 AS local;

-- Intervals of a column with a dimension follow its labels: towns of a state stand together.  Exactly the
-- values below a label are that label.  Numbers keep their own order.
CREATE TABLE stays AS SELECT town, 30 + i % 9 AS age FROM (VALUES ('Aachen', 2), ('Bonn', 3), ('Köln', 8), ('Husum', 2), ('Kiel', 9), ('Plön', 6)) t (town, guests), generate_series(1, guests) i;
CREATE TABLE ages AS SELECT age, age / 10 * 10 AS decade FROM generate_series(20, 49) age;
SELECT kanon_declare('stays', '{town,age}'), kanon_set_attribute('stays', 'town', 'quasi_identifier', 'towns'), kanon_set_attribute('stays', 'age', 'quasi_identifier', 'ages');
SELECT kanon_create_release('in_order', 'stays', 5, 'ordered', '{age}');
SELECT age, count(*) FROM in_order GROUP BY age ORDER BY age;
SELECT kanon_drop_release('in_order');
SELECT kanon_create_release('in_order', 'stays', 5, 'ordered', '{town}');
SELECT town, count(*) FROM in_order GROUP BY town ORDER BY town;
SELECT parameters -> 'rule' AS rule FROM kanon_release WHERE release = 'in_order'::regclass;
SELECT round(q.loss::numeric, 4) AS loss, round(c.loss::numeric, 4) AS searched, (SELECT satisfied FROM kanon_check_matchings('in_order', 1)) AS covers
FROM kanon_quality('in_order') q, kanon_compare('stays', '{5}', '{ordered}', '{town}') c;
SELECT predicate, actual, round(estimate::numeric, 2) AS estimate FROM kanon_query_errors('in_order', '{"town = ''Kiel''","town < ''Kiel''"}');
-- A new town belongs to the interval around it.
INSERT INTO towns VALUES ('Emden', 'North', 'Germany');
INSERT INTO stays VALUES ('Emden', 30);
SELECT rows, missing FROM kanon_refresh_release('in_order');
SELECT town, count(*) FROM in_order GROUP BY town ORDER BY town;
-- Where one that begins an interval is no more, that is one with the interval before.
DELETE FROM stays WHERE town = 'Kiel';
DELETE FROM towns WHERE town = 'Kiel';
SELECT rows, missing FROM kanon_refresh_release('in_order');
SELECT town, count(*) FROM in_order GROUP BY town ORDER BY town;
-- After labels changed places, intervals cannot be read until the refresh.
UPDATE towns SET state = 'A' || state WHERE town = 'Köln';
UPDATE towns SET state = 'Z' || state WHERE town = 'Husum';
\set VERBOSITY default
SELECT loss FROM kanon_quality('in_order');
SELECT length(kanon_report('in_order')) > 0 AS reported;
\set VERBOSITY terse
SELECT rows, missing FROM kanon_refresh_release('in_order');
SELECT town, count(*) FROM in_order GROUP BY town ORDER BY town;
SELECT loss > 0 AS measured FROM kanon_quality('in_order');
UPDATE towns SET state = substr(state, 2) WHERE town IN ('Köln', 'Husum');
-- All values, with NULL and without
SELECT kanon_replace_release('in_order', k => 15);
SELECT town, count(*) FROM in_order GROUP BY town;
INSERT INTO stays SELECT NULL, 30 FROM generate_series(1, 30);
INSERT INTO stays SELECT town, age FROM stays WHERE town IS NOT NULL;
SELECT kanon_replace_release('in_order', k => 30);
SELECT town, count(*) FROM in_order GROUP BY town ORDER BY town;
SELECT kanon_replace_release('in_order', k => 18);
SELECT town, count(*) FROM in_order GROUP BY town ORDER BY town;
SELECT kanon_drop_release('in_order');

-- Little memory: an error, or the same rule.
CREATE TABLE many AS SELECT i * 7919 % 1009 AS a, (i * 31 % 97)::text AS b, i * 17 % 89 AS c FROM generate_series(1, 3000) i;
SELECT kanon_declare('many', '{a,b,c}');
CREATE FUNCTION remembered(recoding text, memory text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    rule text;
BEGIN
    PERFORM set_config('kanon.memory_limit', memory, true);
    PERFORM kanon_create_release('remembered', 'many', 300, recoding, options => '{"effort": 100}');
    SELECT parameters ->> 'rule' INTO rule FROM kanon_release WHERE release = 'remembered'::regclass;
    PERFORM kanon_drop_release('remembered');
    RETURN md5(rule);
EXCEPTION WHEN program_limit_exceeded THEN
    RETURN SQLERRM;
END $$;
SET client_min_messages = error;
-- Of very little, which structure is the first to exceed it depends on PostgreSQL's version.
SELECT recoding, regexp_replace(remembered(recoding, '64kB'), '^(dictionary of values|table of codes) exceeds', 'exceeds') AS little, remembered(recoding, '300kB') AS more,
    (SELECT count(DISTINCT r) FROM generate_series(100, 2000, 100) kb, remembered(recoding, kb || 'kB') r WHERE r NOT LIKE '%exceeds the memory limit%') AS rules
FROM unnest(ARRAY['subtree', 'unrestricted', 'ordered']) recoding;

DROP TABLE members, numbers, visits, homes, stays, many, towns, ages, streets;
DROP FUNCTION elsewhere, visited, remembered;
