-- kanon_grow_tree: the tree of the aggregate, of a relation that it reads by itself.
\set VERBOSITY terse
CREATE SCHEMA nursery;
SET search_path = nursery, public;
SELECT setseed(0.5);
CREATE DOMAIN years AS int CHECK (VALUE >= 0);
CREATE TABLE stays (id int, gone int, age years, zip int, city text, cost numeric(8, 1), mark bigint, day date, disease text);
ALTER TABLE stays DROP gone;
INSERT INTO stays
SELECT i, random() * 80, CASE WHEN random() < 0.9 THEN (random() * random() * 5000)::int END,
       'city ' || (random() * 30)::int, random() * 100000, (i % 7)::bigint * 10000000000, date '2000-01-01' + (random() * 400)::int,
       CASE WHEN random() < 0.95 THEN 'disease ' || (random() * random() * 12)::int END
FROM generate_series(1, 6000) i;
CREATE TABLE cities AS SELECT DISTINCT city, left(city, 6) AS start, '*' AS top FROM stays;
SELECT kanon_declare('stays', quasi_identifiers => '{age,zip,city,mark,day}', identifiers => '{id}', sensitive => '{disease}');
SELECT kanon_set_attribute('stays', 'city', 'quasi_identifier', 'cities');

-- Byte for byte, of each relation in place of the table, with so much memory or so.
CREATE VIEW seen AS SELECT disease, day, city, mark, zip, age, cost, id FROM stays ORDER BY random();
CREATE TABLE parts (LIKE stays) PARTITION BY LIST (mark);
CREATE TABLE part_0 PARTITION OF parts FOR VALUES IN (0);
CREATE TABLE part_1 PARTITION OF parts DEFAULT;
INSERT INTO parts TABLE stays;
CREATE MATERIALIZED VIEW kept AS SELECT * FROM stays ORDER BY day, zip;
SELECT kanon_set_attribute(relation, attribute, 'quasi_identifier', CASE attribute WHEN 'city' THEN 'cities'::regclass END)
FROM unnest('{seen,parts,kept}'::regclass[]) relation, unnest('{age,zip,city,mark,day}'::name[]) attribute \g (format=unaligned tuples_only=on) /dev/null
CREATE FUNCTION same_trees(k int, quasi_identifiers name[], models text, split text, target name, partitioning text, memory text)
RETURNS TABLE (classes bigint, grown boolean, aggregated boolean) LANGUAGE plpgsql AS $$
DECLARE
    tree kanon_tree;
    other kanon_tree;
    columns name[] := coalesce(quasi_identifiers, '{age,zip,city,mark,day}');
BEGIN
    PERFORM set_config('kanon.partitioning', 'memory', true), set_config('kanon.memory_limit', '64MB', true);
    EXECUTE format('SELECT kanon_mondrian_tree($1, s, $2, %L, $3, $4) FROM stays s', models) INTO tree USING k, columns, split, target;
    PERFORM set_config('kanon.partitioning', partitioning, true), set_config('kanon.memory_limit', memory, true);
    EXECUTE format('SELECT kanon_mondrian_tree($1, s, $2, %L, $3, $4 ORDER BY md5(id::text)) FROM stays s', models) INTO other USING k, columns, split, target;
    RETURN QUERY
    SELECT jsonb_array_length(jsonb_path_query_array(tree::text::jsonb, '$.nodes[*] ? (exists (@.class))'))::bigint,
        bool_and(kanon_tree_send(kanon_grow_tree(relation, k, CASE relation WHEN 'stays'::regclass THEN quasi_identifiers ELSE columns END, models::kanon_models, split, target)) = kanon_tree_send(tree)),
        kanon_tree_send(other) = kanon_tree_send(tree)
    FROM unnest('{stays,seen,parts,kept}'::regclass[]) relation;
END $$;
SELECT k, quasi_identifiers, models, split, partitioning, memory, s.*
FROM (VALUES (5, NULL::name[], '', 'median', NULL::name), (50, NULL, '', 'median', NULL), (5, '{zip,city}', '', 'median', NULL), (5, NULL, 'distinct(disease, 3)', 'median', NULL),
             (5, NULL, 'entropy(disease, 2), distinct(disease, 3)', 'median', NULL), (5, NULL, 'closeness(disease, 0.3)', 'median', NULL),
             (5, NULL, '', 'infogain', 'disease'), (5, '{mark,age}', 'distinct(disease, 2)', 'infogain', 'disease')) c (k, quasi_identifiers, models, split, target),
     (VALUES ('auto', '64MB'), ('auto', '600kB'), ('tree', '1MB')) v (partitioning, memory),
     same_trees(k, quasi_identifiers, models, split, target, partitioning, memory) s
ORDER BY models, split, k, quasi_identifiers, partitioning, memory;
SELECT s.* FROM same_trees(5, NULL, '', 'regression', 'cost', 'auto', '8MB') s;
-- Nothing stays.
SELECT count(*) FROM pg_ls_tmpdir();
-- In memory only it is an error, and where the tree itself does not fit.
SET kanon.memory_limit = '400kB';
SET kanon.partitioning = memory;
SELECT kanon_grow_tree('stays', 5);
SET kanon.partitioning = auto;
SET kanon.memory_limit = '600kB';
SELECT kanon_grow_tree('stays', 1);
SELECT kanon_mondrian_tree(1, s) FROM stays s;
SET kanon.memory_limit = '64kB';
SELECT kanon_grow_tree('stays', 5);
RESET kanon.memory_limit;
RESET kanon.partitioning;
SELECT count(*) FROM pg_ls_tmpdir();

-- No tree: no rows, too few, rows that fail together; rows of which nothing is known.
CREATE TABLE few AS SELECT * FROM stays WHERE id <= 4;
CREATE TABLE unknown AS SELECT NULL::int AS a, NULL::text COLLATE "C" AS b FROM generate_series(1, 3);
SELECT kanon_grow_tree('few', 5, '{age,zip}') IS NULL, kanon_grow_tree('stays', 5, models => 'distinct(disease, 15)') IS NULL, kanon_grow_tree('stays', 6001) IS NULL;
SELECT kanon_grow_tree('unknown', 2, '{a,b}');
TRUNCATE few;
SELECT kanon_grow_tree('few', 1, '{age,zip}') IS NULL;

-- Each row is read once, and only the columns that are asked for.
CREATE SEQUENCE readings;
CREATE VIEW watched AS SELECT id, nextval('readings') > 0 AS looked, age, zip / (id - 7) AS broken FROM stays;
SELECT length(kanon_grow_tree('watched', 100, '{age,looked}')::text) > 0 AS grown, nextval('readings') - 1 AS readings;
SELECT kanon_grow_tree('watched', 100, '{age,broken}');

-- A dimension that replaces the relation while it is read
CREATE TABLE beds AS SELECT i % 5 AS ward, 'b' || i % 3 AS bed FROM generate_series(1, 30) i;
CREATE VIEW occupied AS SELECT ward, bed FROM beds;
CREATE FUNCTION replace_occupied() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF to_regclass('nursery.cunning') IS NULL THEN
        CREATE TABLE nursery.cunning ();
        DROP VIEW nursery.occupied;
        CREATE VIEW nursery.occupied AS SELECT ward, 1000000 AS bed FROM nursery.beds;
    END IF;
    RETURN true;
END $$;
CREATE VIEW cunning_wards AS SELECT DISTINCT ward, '*'::text AS top FROM beds WHERE replace_occupied();
SELECT kanon_set_attribute('occupied', 'ward', 'quasi_identifier', 'cunning_wards'), kanon_set_attribute('occupied', 'bed', 'quasi_identifier');
SELECT kanon_grow_tree('occupied', 2);
SELECT count(*) FROM kanon_incognito('occupied', 2);
SET kanon.ground_scan = group_by;
SELECT count(*) FROM kanon_incognito('occupied', 2);
RESET kanon.ground_scan;

-- As the current user: columns, rows, dimensions.
CREATE ROLE kanon_gardener;
GRANT USAGE ON SCHEMA nursery TO kanon_gardener;
GRANT SELECT (id, age, zip, city) ON stays TO kanon_gardener;
CREATE TABLE wards (ward int, age int);
INSERT INTO wards SELECT id % 2, age FROM stays WHERE id <= 40;
GRANT SELECT ON wards TO kanon_gardener;
ALTER TABLE wards ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON wards TO kanon_gardener USING (ward = 1);
SELECT kanon_grow_tree('wards', 2, '{age}') = kanon_mondrian_tree(2, w, '{age}') AS every_row FROM wards w;
SELECT kanon_mondrian_tree(2, w, '{age}') AS tree FROM wards w WHERE ward = 1 \gset
SET ROLE kanon_gardener;
SELECT kanon_grow_tree('wards', 2, '{age}') = :'tree' AS own_rows;
SELECT kanon_grow_tree('stays', 5, '{age,zip}') IS NOT NULL AS allowed;
SELECT kanon_grow_tree('stays', 5, '{age,day}');
SELECT kanon_grow_tree('stays', 5, '{age}', 'distinct(disease, 2)');
SELECT kanon_grow_tree('stays', 5, '{age,city}');
SET row_security = off;
SELECT kanon_grow_tree('wards', 2, '{age}');
RESET row_security;
RESET ROLE;

-- In a read-only transaction, in the snapshot of a function, by default.
BEGIN READ ONLY;
SELECT kanon_grow_tree('stays', 5) IS NOT NULL AS grown;
COMMIT;
CREATE FUNCTION rows_of_tree() RETURNS bigint STABLE LANGUAGE sql AS $$
SELECT sum(n::bigint) FROM jsonb_path_query(kanon_grow_tree('nursery.few', 1, '{age}')::text::jsonb, '$.nodes[*].rows') n $$;
WITH more AS (INSERT INTO few SELECT * FROM stays LIMIT 5 RETURNING id) SELECT rows_of_tree(), count(*) FROM more;
SELECT rows_of_tree();
CREATE TABLE recoding (id int, tree kanon_tree DEFAULT kanon_grow_tree('few', 2, '{zip}'));
INSERT INTO recoding VALUES (1);
UPDATE few SET zip = zip + 1;
INSERT INTO recoding VALUES (2);
SELECT count(DISTINCT tree) FROM recoding;
SELECT count(DISTINCT kanon_grow_tree(relation, 5)) FROM unnest('{stays,seen,parts,stays}'::regclass[]) relation;

-- A table as wide as they get.
SELECT format('CREATE TABLE wide (%s)', string_agg(format('"Column %s" int', i), ', ')) FROM generate_series(1, 1000) i \gexec
INSERT INTO wide ("Column 1", "Column 500", "Column 1000") SELECT i % 5, i, -i FROM generate_series(1, 30) i;
SELECT kanon_grow_tree('wide', 3, '{Column 1000,Column 500,Column 2}') = kanon_mondrian_tree(3, w, '{Column 1000,Column 500,Column 2}') AS same FROM wide w;
SELECT kanon_grow_tree('wide', 3, array_agg('Column ' || i)::name[]) FROM generate_series(1, 65) i;

-- Errors
SELECT kanon_grow_tree(NULL, 5);
SELECT kanon_grow_tree('stays', NULL);
SELECT kanon_grow_tree('stays', 0);
SELECT kanon_grow_tree('stays', 5, split => NULL);
SELECT kanon_grow_tree('stays', 5, split => 'mode');
SELECT kanon_grow_tree('stays', 5, split => 'infogain');
SELECT kanon_grow_tree('stays', 5, target => 'cost');
SELECT kanon_grow_tree('stays', 5, split => 'infogain', target => 'nothing');
SELECT kanon_grow_tree('stays', 5, split => 'regression', target => 'disease');
SELECT kanon_grow_tree('stays', 5, split => 'regression', target => 'age');
SELECT kanon_grow_tree('stays', 5, '{}');
SELECT kanon_grow_tree('stays', 5, '{age,nothing}');
SELECT kanon_grow_tree('stays', 5, '{age,age}');
SELECT kanon_grow_tree('stays', 5, '{........pg.dropped.2........}');
SELECT kanon_grow_tree('stays', 5, models => 'distinct(age, 2)');
SELECT kanon_grow_tree('stays', 5, models => 'distinct(nothing, 2)');
SELECT kanon_grow_tree('recoding', 5, '{tree}') IS NULL AS few;
SELECT kanon_grow_tree('wards', 5);
SELECT kanon_grow_tree('readings', 5);
SELECT kanon_grow_tree('few_id', 5);
SELECT kanon_grow_tree(4294967295, 5);
-- Values that the dimension does not know go where NULLs go, and know their classes again
UPDATE stays SET city = 'elsewhere' WHERE id = 1;
UPDATE stays SET city = 'anywhere ' || id % 3 WHERE id % 10 = 7;
SELECT kanon_grow_tree('stays', 5)::text = kanon_mondrian_tree(5, s)::text AS same FROM stays s;
CREATE TABLE tree AS SELECT kanon_grow_tree('stays', 5) AS tree;
CREATE TABLE grown AS SELECT s.city, kanon_leaf(t.tree, s) AS leaf, (kanon_region(t.tree, s))[3] AS region
    FROM tree t, stays s;
SELECT count(*) AS classes, min(n) >= 5 AS k FROM (SELECT count(*) AS n FROM grown GROUP BY leaf) c;
SELECT count(*) FROM grown WHERE leaf = 0 OR (region IS DISTINCT FROM '*' AND city ~ 'where');
SELECT count(*) FROM (SELECT leaf FROM grown GROUP BY leaf HAVING count(DISTINCT region) > 1) c;
DROP TABLE cities;
SELECT kanon_grow_tree('stays', 5) IS NOT NULL AS grown;

\set VERBOSITY default
SET client_min_messages = warning;
DROP SCHEMA nursery CASCADE;
DROP ROLE kanon_gardener;
