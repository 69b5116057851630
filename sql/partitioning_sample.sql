-- Mondrian from samples: all classes satisfy, none can be divided, and the order of the rows does not matter.
\set VERBOSITY terse
SET extra_float_digits = 0;
SELECT setseed(0.5);
CREATE TABLE stays AS
SELECT i AS id, (random() * 80)::int AS age, CASE WHEN random() < 0.9 THEN (random() * random() * 5000)::int END AS zip,
       'city ' || (random() * 30)::int AS city, date '2000-01-01' + (random() * 400)::int AS day,
       CASE WHEN random() < 0.95 THEN 'disease ' || (random() * random() * 12)::int END AS disease, (random() * 1000)::int AS pay
FROM generate_series(1, 20000) i;
CREATE TABLE cities AS SELECT DISTINCT city, left(city, 6) AS start, '*' AS top FROM stays;
SELECT kanon_declare('stays', quasi_identifiers => '{age,zip,city,day}', identifiers => '{id}', sensitive => '{disease,pay}');
SELECT kanon_set_attribute('stays', 'city', 'quasi_identifier', 'cities');

-- Classes as in memory, about as many; whether all satisfy; rows whose class is another one where rows come in another order.
CREATE FUNCTION compare(k int, arguments text, models text) RETURNS TABLE (as_many boolean, smallest boolean, satisfied boolean, differ bigint) LANGUAGE plpgsql AS $$
BEGIN
    SET LOCAL kanon.partitioning = memory;
    EXECUTE format('CREATE TEMP TABLE inside AS SELECT kanon_mondrian(%s, s%s) OVER () AS class FROM stays s', k, arguments);
    SET LOCAL kanon.partitioning = sample;
    EXECUTE format('CREATE TEMP TABLE sampled AS SELECT s.*, kanon_mondrian(%s, s%s) OVER () AS class FROM stays s', k, arguments);
    EXECUTE format('CREATE TEMP TABLE again AS SELECT id, kanon_mondrian(%s, s%s) OVER (ORDER BY hashint4(id)) AS class FROM stays s', k, arguments);
    RETURN QUERY SELECT (SELECT max(class) FROM sampled) BETWEEN 0.8 * max(class) AND 1.25 * max(class),
                        (SELECT min(n) >= k FROM (SELECT count(*) AS n FROM sampled GROUP BY class) c),
                        (SELECT c.satisfied FROM kanon_check('sampled', k, '{class}', models::kanon_models) c),
                        (SELECT count(*) FROM sampled s JOIN again a USING (id) WHERE s.class IS DISTINCT FROM a.class) FROM inside;
    DROP TABLE inside, sampled, again;
END $$;
SELECT k, models, c.*
FROM (VALUES (1, 5, '', '{}'), (2, 100, '', '{}'), (3, 3000, '', '{}'), (4, 5, '', 'distinct(disease, 3)'), (5, 5, '', 'entropy(disease, 2.5)'),
             (6, 5, '', 'recursive(disease, 3, 2)'), (7, 50, '', 'closeness(disease, 0.3)'), (8, 20, '', 'variance(pay, 50000)'),
             (9, 20, ', split => ''infogain'', target => ''disease''', '{}'),
             (10, 20, ', split => ''infogain'', target => ''disease''', 'recursive(pay, 1, 2), entropy(pay, 3)')) v (turn, k, arguments, models),
     compare(k, arguments || CASE models WHEN '{}' THEN '' ELSE format(', models => %L', models) END, models) c
ORDER BY turn;

-- Rows are read twice for the sample, once to set them apart and once to divide the parts, and written when they are read first and when they are set apart.
SET kanon.partitioning = sample;
SELECT count(*) FROM (SELECT kanon_mondrian(100, s) OVER () AS class FROM stays s) c WHERE class IS NULL;
SELECT partitioning, rows, counted, repartitioned, nodes_pruned, parts_in_memory >= 8 AS parts, rows_read, rows_written FROM kanon_last_partitioning();

-- All rows alike, NULLs only, one row, none, fewer than k, rows that fail together
SET kanon.partitioning = sample;
SELECT max(class), count(class) FROM (SELECT kanon_mondrian(5, ROW(1, NULL::text)) OVER () AS class FROM stays s) c;
SELECT max(class), count(class) FROM (SELECT kanon_mondrian(5, ROW(NULL::int)) OVER () AS class FROM stays s) c;
SELECT max(class), count(class) FROM (SELECT kanon_mondrian(1, ROW(age, zip)) OVER () AS class FROM stays s WHERE id = 1) c;
SELECT max(class), count(class) FROM (SELECT kanon_mondrian(1, ROW(age, zip)) OVER () AS class FROM stays s WHERE id = 0) c;
SELECT max(class), count(*) FROM (SELECT kanon_mondrian(20001, s) OVER () AS class FROM stays s) c;
SELECT max(class), count(*) FROM (SELECT kanon_mondrian(5, s, models => 'distinct(disease, 14)') OVER () AS class FROM stays s WHERE id <= 30) c;
SELECT max(class), count(class) FROM (SELECT kanon_mondrian(5, s, models => 'variance(pay, 1e6)') OVER () AS class FROM stays s) c;
-- .. k close to all rows, or to half of them
SELECT k, max(class), count(class) FROM (VALUES (20000), (19999), (10001), (10000), (9900)) v (k), LATERAL (SELECT kanon_mondrian(k, ROW(age, zip, day)) OVER () AS class FROM stays s) c GROUP BY k ORDER BY k;
-- .. skewed values: one that half of the rows have, and single ones
SELECT max(class) > 50, min(n) >= 10 AS smallest FROM (SELECT class, count(*) AS n FROM (SELECT kanon_mondrian(10, ROW(CASE WHEN id % 2 = 0 THEN 7 ELSE id END)) OVER () AS class FROM stays) c GROUP BY class) c;
-- .. a label with very many children, one with a rare one, and one whose other children no sample sees
CREATE TABLE places AS SELECT i AS place, CASE WHEN i < 4000 THEN 'many' WHEN i < 4002 THEN 'rare' ELSE 'else ' || i % 2 END AS kind, '*' AS top FROM generate_series(1, 4010) i;
CREATE TABLE visits AS SELECT CASE WHEN i % 3 = 0 THEN 1 + i % 3999 WHEN i = 7 THEN 4001 WHEN i % 3 = 1 THEN 4000 ELSE 4002 + i % 8 END AS place, i % 50 AS age FROM generate_series(1, 12000) i;
SELECT kanon_set_attribute('visits', 'place', 'quasi_identifier', 'places'), kanon_set_attribute('visits', 'age', 'quasi_identifier');
SELECT max(class) > 50, min(n) >= 20 AS smallest, sum(n) FROM (SELECT class, count(*) AS n FROM (SELECT kanon_mondrian(20, v) OVER () AS class FROM visits v) c GROUP BY class) c;

-- Regression: parts that no sample divides are divided in memory.
SELECT max(class) > 500, min(n) >= 5 AS smallest, sum(n) FROM (SELECT class, count(*) AS n FROM (SELECT kanon_mondrian(5, s, split => 'regression', target => 'pay') OVER () AS class FROM stays s) c GROUP BY class) c;
SELECT max(class), count(class) FROM (SELECT kanon_mondrian(5, ROW(1, id), quasi_identifiers => '{f1}', split => 'regression', target => 'f2') OVER () AS class FROM stays s) c;
SELECT max(class), count(class) FROM (SELECT kanon_mondrian(20001, s, split => 'regression', target => 'pay') OVER () AS class FROM stays s) c;

-- A release keeps what it was made with, whatever the session's settings are when it is refreshed; a tree from samples has the classes that the function has.
SET kanon.memory_limit = '1MB';
SELECT kanon_create_release('by_sample', 'stays', 5, 'mondrian');
RESET kanon.memory_limit;
RESET kanon.partitioning;
SELECT kanon_create_release('plain', 'stays', 5, 'mondrian');
SELECT relname, pg_get_viewdef(oid) ~ '"partitioning": "sample 1024 kB"' AS by_sample FROM pg_class WHERE relname IN ('by_sample', 'plain') ORDER BY 1;
CREATE TEMP TABLE published AS SELECT 'by_sample' AS release, s.* FROM by_sample s UNION ALL SELECT 'plain', s.* FROM plain s;
REFRESH MATERIALIZED VIEW by_sample;
SET kanon.memory_limit = '1020kB';
REFRESH MATERIALIZED VIEW by_sample;
\set VERBOSITY default
SELECT kanon_view_cells('mondrian', 5, ROW(age, zip), options => '{"partitioning": "sample 1024 kB"}') OVER () FROM stays LIMIT 1;
\set VERBOSITY terse
RESET kanon.memory_limit;
SET kanon.partitioning = sample;
REFRESH MATERIALIZED VIEW plain;
SELECT release, count(*), (SELECT count(*) FROM (SELECT * FROM published a WHERE a.release = p.release
                                                 EXCEPT ALL (SELECT 'by_sample', s.* FROM by_sample s UNION ALL SELECT 'plain', s.* FROM plain s)) d) AS differ
FROM published p GROUP BY release ORDER BY release;
SELECT satisfied, smallest FROM kanon_check('by_sample');
-- Replaced with more memory, it has larger samples from then on; with less, the same.
SET client_min_messages = warning;
CREATE FUNCTION made_with(OUT text text, OUT parameter text, OUT memory text) LANGUAGE sql
    RETURN (SELECT ROW(substring(pg_get_viewdef(release) FROM 'sample \d+ kB'), parameters ->> 'partitioning', parameters ->> 'memory_limit')
            FROM kanon_release WHERE release::text = 'by_sample');
SET kanon.memory_limit = '1100kB';
SELECT kanon_replace_release('by_sample', k => 6);
SELECT * FROM made_with();
SET kanon.memory_limit = '500kB';
SELECT kanon_replace_release('by_sample', k => 5);
SELECT * FROM made_with();
SELECT kanon_replace_release('by_sample', recoding => 'relaxed_mondrian');
SET kanon.memory_limit = '1200kB';
SELECT kanon_replace_release('by_sample', recoding => 'mondrian');
SELECT * FROM made_with();
RESET kanon.memory_limit;
RESET client_min_messages;
DROP FUNCTION made_with;
SELECT kanon_create_release('rings', 'stays', 5, 'ring');
SELECT kanon_view_cells('mondrian', 5, ROW(age, zip), options => '{"partitioning": "tree"}') OVER () FROM stays LIMIT 1;
SELECT kanon_view_cells('mondrian', 5, ROW(age, zip), options => '{"partitioning": "sample"}') OVER () FROM stays LIMIT 1;
SELECT kanon_view_cells('mondrian', 5, ROW(age, zip), options => '{"partitioning": "sample 0 kB"}') OVER () FROM stays LIMIT 1;
SELECT kanon_view_cells('ring', 5, ROW(age, zip), options => '{"partitioning": "sample 1MB"}') OVER () FROM stays LIMIT 1;
SELECT kanon_drop_release('by_sample'), kanon_drop_release('plain'), kanon_drop_release('rings');
DROP TABLE published;
WITH tree AS MATERIALIZED (SELECT kanon_mondrian_tree(5, ROW(age, zip, day)) AS tree FROM stays),
     both_ways AS (SELECT kanon_leaf(tree, ROW(age, zip, day)) AS leaf, kanon_mondrian(5, ROW(age, zip, day)) OVER () AS class FROM stays, tree)
SELECT count(*) FILTER (WHERE leaf IS DISTINCT FROM class) AS differ, max(class) > 500 AS classes FROM both_ways;

-- Nothing stays, whatever becomes of the query.
SELECT count(*) FROM pg_ls_tmpdir();
SELECT class > 0 AS class FROM (SELECT kanon_mondrian(5, s) OVER () AS class FROM stays s) c LIMIT 1;
SELECT count(*) FROM pg_ls_tmpdir();
SET kanon.memory_limit = '64kB';
\set VERBOSITY sqlstate
SELECT max(class) FROM (SELECT kanon_mondrian(5, s) OVER () AS class FROM stays s) c;
\set VERBOSITY default
SELECT count(*) FROM pg_ls_tmpdir();
RESET kanon.memory_limit;
RESET kanon.partitioning;
DROP FUNCTION compare;
DROP TABLE stays, cities, visits, places;
