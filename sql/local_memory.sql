-- Local recoding of more rows than memory holds, and of more than a region has: the same classes
-- whatever the memory, the order of the rows and that of the columns.
CREATE TABLE many AS
SELECT i AS id, CASE WHEN i % 9001 = 0 THEN 500 + i / 900 ELSE (i::bigint * 7919 * (i % 13 + 1)) % 97 END AS age, 10000 + (i::bigint * i % 9973) % 800 AS zip,
    CASE WHEN i % 211 = 0 THEN NULL WHEN i::bigint * i % 7 < 3 THEN 'm' ELSE 'f' END AS sex,
    (ARRAY['flu', 'cold', 'none', 'other'])[1 + (i::bigint * i * 31 % 1009) % 4] AS disease
FROM generate_series(1, 150000) i;
SELECT kanon_create_dimension('many_zips', 'many', 'zip', 'digits');
SELECT kanon_declare('many', '{age,sex,zip}', sensitive => '{disease}');
CREATE TABLE turned AS SELECT zip, disease, age, id, sex FROM many ORDER BY id DESC;
SELECT kanon_set_attribute('turned', 'zip', 'quasi_identifier', 'many_zips');
SELECT kanon_declare('turned', '{zip,age,sex}', sensitive => '{disease}');

-- The classes, whatever their numbers, the rows left out, and how they were made.
CREATE FUNCTION classes_made(source text, arguments text, memory text, way text, OUT classes text, OUT missing int, OUT how text, OUT pieces boolean)
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('kanon.memory_limit', memory, true), set_config('kanon.partitioning', way, true);
    EXECUTE format('SELECT md5(string_agg(first || '' '' || rows, '','' ORDER BY first)), coalesce(sum(rows) FILTER (WHERE class IS NULL), 0)
                    FROM (SELECT class, min(id) AS first, count(*) AS rows
                          FROM (SELECT id, kanon_local(rows => r, %s) OVER () AS class FROM %s r) c GROUP BY class) d', arguments, source)
    INTO classes, missing;
    SELECT partitioning, parts_in_memory > 1 INTO how, pieces FROM kanon_last_partitioning();
END $$;

SELECT arguments, source, memory, missing > 0 AS leaves_out, how, pieces, classes = first_value(classes) OVER (PARTITION BY arguments ORDER BY at) AS same
FROM (VALUES (1, 'many', 'k => 20', '1GB', 'auto'), (2, 'many', 'k => 20', '32MB', 'auto'), (3, 'turned', 'k => 20', '40MB', 'tree'),
    (4, 'many', 'k => 100, suppression => 0.01', '1GB', 'auto'), (5, 'turned', 'k => 100, suppression => 0.01', '32MB', 'auto'),
    (6, 'many', 'k => 50, models => ''distinct(disease, 3)''', '1GB', 'auto'), (7, 'turned', 'k => 50, models => ''distinct(disease, 3)''', '40MB', 'auto'))
    v (at, source, arguments, memory, way), classes_made(source, arguments, memory, way)
ORDER BY at;

-- A region must fit.
\set VERBOSITY terse
SELECT classes_made('many', 'k => 20', '2MB', 'auto');
\set VERBOSITY default
DROP TABLE many, turned, many_zips;
DROP FUNCTION classes_made;
