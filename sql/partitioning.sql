-- Mondrian over more rows than memory holds: the same classes, from counts of codes on disk.
\set VERBOSITY terse
SELECT setseed(0.5);
CREATE TABLE stays AS
SELECT i AS id, (random() * 80)::int AS age, CASE WHEN random() < 0.9 THEN (random() * random() * 5000)::int END AS zip,
       'city ' || (random() * 30)::int AS city, (random() * 100000)::numeric(8, 1) AS cost,
       ((i % 7)::bigint * 10000000000) AS mark, date '2000-01-01' + (random() * 400)::int AS day,
       CASE WHEN random() < 0.95 THEN 'disease ' || (random() * random() * 12)::int END AS disease,
       CASE i % 9 WHEN 0 THEN 'NaN' WHEN 1 THEN NULL WHEN 2 THEN 'infinity' ELSE i % 81 + i % 1013 * 1e9 END::float8 AS pay
FROM generate_series(1, 20000) i;
CREATE TABLE cities AS SELECT DISTINCT city, left(city, 6) AS start, '*' AS top FROM stays;
SELECT kanon_declare('stays', quasi_identifiers => '{age,zip,city,mark,day}', identifiers => '{id}', sensitive => '{disease,pay}');
SELECT kanon_set_attribute('stays', 'city', 'quasi_identifier', 'cities');

-- Rows whose class is another one than in memory, with so much memory or so.
CREATE FUNCTION differ(call text, partitioning text, memory text) RETURNS TABLE (classes int, differ bigint) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('kanon.partitioning', 'memory', true), set_config('kanon.memory_limit', '64MB', true);
    EXECUTE format('CREATE TEMP TABLE inside AS SELECT id, kanon_mondrian(%s) OVER () AS class FROM stays s', call);
    PERFORM set_config('kanon.partitioning', partitioning, true), set_config('kanon.memory_limit', memory, true);
    EXECUTE format('CREATE TEMP TABLE outside AS SELECT id, kanon_mondrian(%s) OVER () AS class FROM stays s', call);
    RETURN QUERY SELECT max(class), (SELECT count(*) FROM inside i JOIN outside o USING (id) WHERE i.class IS DISTINCT FROM o.class) FROM inside;
    DROP TABLE inside, outside;
END $$;

SELECT call, partitioning, memory, d.*
FROM unnest(ARRAY['5, ROW(age, zip, city, mark, day)', '5, s', '100, s', '5, s, models => ''distinct(disease, 3)''', '5, s, models => ''entropy(disease, 2)''',
                  '5, s, models => ''recursive(disease, 3, 2)''', '5, s, models => ''closeness(disease, 0.3)''', '5, s, split => ''infogain'', target => ''disease''',
                  '5, ROW(age, zip, city, mark, day, disease), split => ''infogain'', target => ''f6''',
                  '5, s, split => ''regression'', target => ''cost''', '50, s, split => ''regression'', target => ''pay''',
                  '5, ROW(age, zip, city, mark, day), relaxed => true', '5, s, relaxed => true', '7, ROW(id % 3, id % 5), relaxed => true', '50, ROW(1), relaxed => true',
                  '5, s, relaxed => true, models => ''distinct(disease, 3), closeness(disease, 0.7)''']) WITH ORDINALITY c (call, turn),
     (VALUES ('auto', '1MB'), ('tree', '2MB')) v (partitioning, memory), differ(call, partitioning, memory) d
ORDER BY turn, partitioning;
SELECT * FROM differ('5, s, split => ''regression'', target => ''pay'', models => ''entropy(disease, 3)''', 'tree', '2MB');

-- Trees
CREATE FUNCTION trees_differ(arguments text, partitioning text, memory text) RETURNS TABLE (leaves text, differ boolean) LANGUAGE plpgsql AS $$
DECLARE
    inside kanon_tree;
    outside kanon_tree;
BEGIN
    PERFORM set_config('kanon.partitioning', 'memory', true), set_config('kanon.memory_limit', '64MB', true);
    EXECUTE format('SELECT kanon_mondrian_tree(%s) FROM stays s', arguments) INTO inside;
    PERFORM set_config('kanon.partitioning', partitioning, true), set_config('kanon.memory_limit', memory, true);
    EXECUTE format('SELECT kanon_mondrian_tree(%s) FROM stays s', arguments) INTO outside;
    RETURN QUERY SELECT (SELECT max(kanon_leaf(outside, s))::text FROM stays s), inside::text IS DISTINCT FROM outside::text;
END $$;
SELECT arguments, d.* FROM unnest(ARRAY['30, s', '30, s, NULL, ''distinct(disease, 3)''', '30, s, NULL, NULL, ''infogain'', ''disease''', '30, s, NULL, NULL, ''regression'', ''pay''']) arguments,
    (VALUES ('auto', '1MB'), ('tree', '2MB')) v (partitioning, memory), trees_differ(arguments, partitioning, memory) d;

-- Releases: with other columns beside the cells, and without
CREATE FUNCTION releases_differ(options text, memory text) RETURNS TABLE (rows bigint, differ bigint, figures boolean) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('kanon.memory_limit', '64MB', true);
    EXECUTE format('SELECT kanon_create_release(''inside'', ''stays'', 5, %s)', options);
    PERFORM set_config('kanon.memory_limit', memory, true);
    EXECUTE format('SELECT kanon_create_release(''outside'', ''stays'', 5, %s)', options);
    RETURN QUERY EXECUTE 'SELECT (SELECT count(*) FROM inside), (SELECT count(*) FROM (TABLE inside EXCEPT ALL TABLE outside) s),
        (SELECT count(DISTINCT (r.rows, classes, smallest, loss)) = 1 FROM kanon_release r)';
    REFRESH MATERIALIZED VIEW outside;
    RETURN QUERY EXECUTE 'SELECT (SELECT count(*) FROM inside), (SELECT count(*) FROM (TABLE inside EXCEPT ALL TABLE outside) s),
        (SELECT count(DISTINCT (r.rows, classes, smallest, loss)) = 1 FROM kanon_release r)';
    PERFORM kanon_drop_release('inside'), kanon_drop_release('outside');
END $$;
SELECT options, r.* FROM unnest(ARRAY['''mondrian'', options => ''{"means": true}''', '''mondrian'', models => ''distinct(disease, 2)''', '''mondrian'', options => ''{"split": "infogain", "target": "disease"}''', '''mondrian'', options => ''{"split": "regression", "target": "pay"}''',
    '''relaxed_mondrian''']) options, releases_differ(options, '1MB') r;
SELECT kanon_set_attribute('stays', 'disease', 'identifier'), kanon_set_attribute('stays', 'pay', 'identifier');
SELECT options, r.* FROM unnest(ARRAY['''mondrian'', options => ''{"means": true}''']) options, releases_differ(options, '1MB') r;

-- What it takes
SET kanon.memory_limit = '1MB';
SET kanon.partitioning = tree;
SELECT max(class) FROM (SELECT kanon_mondrian(5, s) OVER () AS class FROM stays s) c;
SELECT partitioning, rows, classes, counted > 1 AS counted, repartitioned > 0 AS repartitioned, nodes_grown > 10 AS grown, nodes_pruned, parts_in_memory > 5 AS in_memory,
       rows_read > 3 * rows AS read, rows_written >= 2 * rows AS written, bytes_read > rows_read * 20 AS bytes_read, bytes_written > rows_written * 20 AS bytes_written
FROM kanon_last_partitioning();
SET kanon.partitioning = memory;
SELECT max(class) FROM (SELECT kanon_mondrian(50, ROW(age, zip)) OVER () AS class FROM stays s) c;
SELECT * FROM kanon_last_partitioning();
-- .. which stays where nothing is divided
SELECT max(class) FROM (SELECT kanon_mondrian(50, ROW(age, zip)) OVER () AS class FROM stays s WHERE id <= 40) c;
SELECT kanon_grow_tree('stays', 1000000, quasi_identifiers => '{age}') IS NULL AS no_tree;
SELECT classes FROM kanon_last_partitioning();
RESET kanon.partitioning;
RESET kanon.memory_limit;

-- Nothing stays.
SELECT count(*) FROM pg_ls_tmpdir();

-- In memory only it is an error.
SET kanon.memory_limit = '800kB';
SET kanon.partitioning = memory;
SELECT max(class) FROM (SELECT kanon_mondrian(5, s) OVER () AS class FROM stays s) c;
RESET kanon.partitioning;

-- All rows alike, too few rows, and rows that fail together
SELECT max(class), count(class) FROM (SELECT kanon_mondrian(5, ROW(1, NULL::text)) OVER () AS class FROM stays s) c;
SELECT max(class), count(*) FROM (SELECT kanon_mondrian(20001, s) OVER () AS class FROM stays s) c;
SELECT max(class), count(*) FROM (SELECT kanon_mondrian(5, s, models => 'distinct(disease, 15)') OVER () AS class FROM stays s) c;
-- .. window partitions, of which some fit, and that are left before their end
SELECT count(DISTINCT (part, class)), count(class) FROM (SELECT part, kanon_mondrian(5, s) OVER (PARTITION BY part) AS class FROM (SELECT s.*, id > 300 AS part FROM stays s) p JOIN stays s USING (id)) c;
SELECT part, class > 0 AS classes FROM generate_series(1, 3) part, LATERAL (SELECT kanon_mondrian(5 + part, s) OVER () AS class FROM stays s LIMIT 1) c;
-- .. twice in a statement, and in a cursor
SELECT count(*) FROM (SELECT kanon_mondrian(5, s) OVER () AS one, kanon_mondrian(5, ROW(age, zip)) OVER () AS other FROM stays s) c WHERE one > other;
BEGIN;
DECLARE classes CURSOR FOR SELECT kanon_mondrian(5, s) OVER () IS NOT NULL AS class FROM stays s;
FETCH 1 FROM classes;
SAVEPOINT here;
FETCH 1 FROM classes;
ROLLBACK TO here;
FETCH 1 FROM classes;
SELECT count(*) > 0 AS files FROM pg_ls_tmpdir();
COMMIT;
-- .. in temp_tablespaces, and gone when a query fails, in a subtransaction too
SET allow_in_place_tablespaces = true;
CREATE TABLESPACE kanon_elsewhere LOCATION '';
SET temp_tablespaces = kanon_elsewhere;
BEGIN;
DECLARE classes CURSOR FOR SELECT kanon_mondrian(5, s) OVER () IS NOT NULL AS class FROM stays s;
FETCH 1 FROM classes;
SELECT (SELECT count(*) > 0 FROM pg_ls_tmpdir(oid)) AS there, (SELECT count(*) FROM pg_ls_tmpdir()) AS here FROM pg_tablespace WHERE spcname = 'kanon_elsewhere';
SAVEPOINT here;
SELECT kanon_mondrian(5, s) OVER (), 1 / (id - 20000) FROM stays s OFFSET 19998;
ROLLBACK TO here;
FETCH 1 FROM classes;
SELECT 1 / 0;
ROLLBACK;
SELECT count(*) FROM pg_tablespace, pg_ls_tmpdir(oid) WHERE spcname = 'kanon_elsewhere';
RESET temp_tablespaces;
DROP TABLESPACE kanon_elsewhere;
SET temp_file_limit = '100kB';
\set VERBOSITY sqlstate
SELECT max(class) FROM (SELECT kanon_mondrian(5, s) OVER () AS class FROM stays s) c;
-- .. with columns beside, whose files are closed once
SET temp_file_limit = '3MB';
SET work_mem = '64kB';
SET kanon.memory_limit = '64MB';
SELECT count(cells) FROM (SELECT kanon_view_cells('mondrian', 5, ROW(age, zip, repeat('beside', 30)), beside => 1) OVER () AS cells FROM stays s) c;
RESET work_mem;
SET kanon.memory_limit = '700kB';
\set VERBOSITY terse
RESET temp_file_limit;
SELECT count(*) FROM pg_ls_tmpdir();
SELECT count(*) FROM pg_ls_tmpdir();
BEGIN READ ONLY;
SELECT max(class) > 1 AS classes FROM (SELECT kanon_mondrian(5, s) OVER () AS class FROM stays s) c;
COMMIT;
-- Memory for not even that: what finds it out differs from version to version
SET kanon.memory_limit = '64kB';
\set VERBOSITY sqlstate
SELECT max(class) FROM (SELECT kanon_mondrian(5, s) OVER () AS class FROM stays s) c;
\set VERBOSITY terse
SELECT count(*) FROM pg_ls_tmpdir();
RESET kanon.memory_limit;
-- What stops says how much memory it needs, if it knows how many rows there are: with that it works.
CREATE FUNCTION suffices(call text, partitioning text) RETURNS TABLE (too_little boolean, after text) LANGUAGE plpgsql AS $$
DECLARE
    hint text;
BEGIN
    PERFORM set_config('kanon.partitioning', partitioning, true), set_config('kanon.memory_limit', '100kB', true);
    BEGIN
        EXECUTE call;
    EXCEPTION WHEN program_limit_exceeded THEN
        GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
        too_little := SQLERRM LIKE '% exceeds the memory limit of 100 kB';
    END;
    PERFORM set_config('kanon.memory_limit', substring(hint FROM 'Raise "kanon.memory_limit" .* to about (\d+ kB)\.'), true);
    EXECUTE call;
    after := CASE WHEN hint LIKE '% to about %' THEN 'done' ELSE hint END;
    RETURN NEXT;
END $$;
ANALYZE stays;
SELECT kanon_create_release('again', 'stays', 5, 'mondrian');
UPDATE kanon_release_state SET parameters = parameters || '{"memory_limit": 1}' WHERE release = 'again'::regclass;
SELECT call, partitioning, s.*
FROM unnest(ARRAY['SELECT count(kanon) FROM (SELECT kanon_mondrian(5, s) OVER () AS kanon FROM stays s) c', 'REFRESH MATERIALIZED VIEW again', 'SELECT kanon_grow_tree(''stays'', 5)',
                  'SELECT kanon_grow_tree(''stays'', 2, ''{cost,id}'')', 'SELECT count(kanon) FROM (SELECT kanon_mondrian(5, ROW(id::text, age), relaxed => true) OVER () AS kanon FROM stays s) c',
                  'SELECT count(kanon) FROM (SELECT kanon_mondrian(5, x, ''{age,zip}'', models => ''distinct(disease, 3)'', person => ''person'') OVER () AS kanon FROM (SELECT *, id / 2 AS person FROM stays) x) c',
                  'SELECT count(kanon) FROM (SELECT kanon_mondrian(5, s, split => ''regression'', target => ''pay'') OVER (PARTITION BY mark) AS kanon FROM stays s) c',
                  'SELECT count(kanon) FROM (SELECT kanon_mondrian(5, x, ''{age}'', person => ''id'') OVER () AS kanon FROM (SELECT age, id FROM stays WHERE id <= 4500) x) c'])
         WITH ORDINALITY c (call, turn), unnest(ARRAY['memory', 'auto']) partitioning, suffices(call, partitioning) s
ORDER BY turn, partitioning;
SELECT kanon_drop_release('again');
DROP FUNCTION suffices;
-- .. and of a release by samples, whose memory is its own, that it has to be made again.
CREATE TABLE grown AS SELECT (i % 50)::text AS name, i % 100 AS age FROM generate_series(1, 20000) i;
SET kanon.partitioning = sample;
SET kanon.memory_limit = '1MB';
SELECT kanon_create_release('sampled', 'grown', 5, 'mondrian', quasi_identifiers => '{name,age}');
RESET kanon.partitioning;
RESET kanon.memory_limit;
INSERT INTO grown SELECT 'x' || i, i % 100 FROM generate_series(1, 30000) i;
DO $$
DECLARE
    hint text;
BEGIN
    REFRESH MATERIALIZED VIEW sampled;
EXCEPTION WHEN program_limit_exceeded THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RAISE NOTICE '%: %', substring(SQLERRM FROM 'exceeds.*'), regexp_replace(hint, '\d+ kB', 'N kB');
END $$;
SELECT kanon_drop_release('sampled');
DROP TABLE grown;
-- More classes than memory has room to count, some of which look alike
CREATE TABLE throng AS SELECT (i::int8 * 7919 % 100003)::int AS a, (i::int8 * 104729 % 1009)::int AS b FROM generate_series(1, 60000) i;
CREATE TABLE alike AS SELECT a % 250 AS a, b % 200 AS b FROM throng;
SET kanon.memory_limit = '600kB';
SELECT kanon_create_release('thronged', 'throng', 2, 'strict_mondrian', quasi_identifiers => '{a,b}');
SET kanon.memory_limit = '2MB';
SELECT kanon_create_release('dealt', 'alike', 2, 'relaxed_mondrian', quasi_identifiers => '{a,b}');
SET kanon.memory_limit = '64kB';
SELECT * FROM kanon_check('thronged');
SELECT * FROM kanon_check('thronged', 3);
SELECT * FROM kanon_check('dealt');
RESET kanon.memory_limit;
SELECT rows, classes, smallest, (SELECT (count(*), min(n), count(*) FILTER (WHERE n < 3)) FROM (SELECT count(*) AS n FROM thronged GROUP BY a, b) c) AS by_hand FROM kanon_release WHERE release = 'thronged'::regclass;
SELECT rows, classes, smallest, (SELECT (count(*), min(n)) FROM (SELECT count(*) AS n FROM dealt GROUP BY a, b) c) AS by_hand FROM kanon_release WHERE release = 'dealt'::regclass;
SELECT kanon_drop_release('thronged'), kanon_drop_release('dealt');
DROP TABLE throng, alike;
DROP FUNCTION differ, trees_differ, releases_differ;
DROP TABLE stays, cities;
