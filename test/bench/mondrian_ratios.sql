-- Strict Mondrian as a window function: against writing the same table without it, and
-- against one GROUP BY of Adults; division by gain against it; with models against k alone; and how its time grows
-- with the rows.
-- psql variables: repeat, memory.

SET kanon.memory_limit = :'memory';

-- SELECT of a class for each of some rows of a table, all columns quasi-identifiers.
CREATE FUNCTION pg_temp.divide(relation regclass, k int, columns text, source text) RETURNS text STABLE LANGUAGE sql AS $$
    SELECT format('SELECT %s kanon_strict_mondrian(%s, ROW(%s)) OVER () AS class FROM %s', columns, k, string_agg(attname, ', ' ORDER BY attnum), source)
    FROM pg_attribute WHERE attrelid = relation AND attnum > 0 AND NOT attisdropped
$$;

SELECT compare('Agrawal', format('kanon_strict_mondrian, k=%s, into a table', k),
               'CREATE UNLOGGED TABLE divided AS ' || pg_temp.divide('agrawal', k, '*,', 'agrawal'),
               'CREATE TABLE AS SELECT *, 1', 'CREATE UNLOGGED TABLE divided AS SELECT *, 1 AS class FROM agrawal',
               :repeat, 2, 'DROP TABLE divided', 'DROP TABLE divided')
FROM unnest(ARRAY[10, 100, 1000]) k;

-- By gain, the median of every column in order is found and weighed.
SELECT compare('Agrawal', format('kanon_mondrian, k=%s', k), replace(pg_temp.divide('agrawal', k, '', 'agrawal'), 'kanon_strict_', 'kanon_'),
               'kanon_strict_mondrian', pg_temp.divide('agrawal', k, '', 'agrawal'), :repeat, NULL)
FROM unnest(ARRAY[10, 1000]) k;

-- What the executor takes of that: rows spooled and a record made of each, of which
-- nothing is done.
SELECT compare('Agrawal', 'count(ROW(..)) OVER (), into a table',
               'CREATE UNLOGGED TABLE divided AS ' || regexp_replace(pg_temp.divide('agrawal', 10, '*,', 'agrawal'), 'kanon_strict_mondrian\(10, (ROW\(.*\))\) OVER', 'count(\1) OVER'),
               'CREATE TABLE AS SELECT *, 1', 'CREATE UNLOGGED TABLE divided AS SELECT *, 1 AS class FROM agrawal',
               :repeat, NULL, 'DROP TABLE divided', 'DROP TABLE divided');

-- The release with nine range columns: as a user makes it, and its view alone.
SELECT kanon_set_attribute('agrawal', attname, 'quasi_identifier')
FROM pg_attribute WHERE attrelid = 'agrawal'::regclass AND attnum > 0 AND NOT attisdropped;
CREATE FUNCTION pg_temp.compare_release(k int, repeat int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    view text;
    floor_of_it constant text := 'CREATE TABLE written AS SELECT * FROM released';
BEGIN
    PERFORM kanon_create_release('released', 'agrawal', k, 'strict_mondrian');
    view := rtrim(pg_get_viewdef('released'), ';');
    PERFORM compare('Agrawal', format('release with nine ranges, k=%s, its view alone', k), 'CREATE MATERIALIZED VIEW again AS ' || view,
                    'CREATE TABLE AS SELECT * of the release', floor_of_it, repeat, 3, 'DROP MATERIALIZED VIEW again', 'DROP TABLE written');
    PERFORM compare('Agrawal', format('kanon_create_release, k=%s', k), format('SELECT kanon_create_release(''again'', ''agrawal'', %s, ''strict_mondrian'')', k),
                    'CREATE TABLE AS SELECT * of the release', floor_of_it, repeat, 3, 'DROP MATERIALIZED VIEW again', 'DROP TABLE written');
    PERFORM kanon_drop_release('released');
END $$;
SELECT pg_temp.compare_release(k, :repeat) FROM unnest(ARRAY[10, 100, 1000]) k;

-- The tree of 200,000 of them, of a relation read by kanon against the aggregate.
CREATE TABLE fewer AS SELECT * FROM agrawal LIMIT 200000;
CREATE FUNCTION pg_temp.compare_tree(k int, way text, repeat int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    columns text := (SELECT quote_literal(array_agg(attname)) FROM pg_attribute WHERE attrelid = 'fewer'::regclass AND attnum > 0);
BEGIN
    PERFORM set_config('kanon.partitioning', way, true);
    PERFORM compare('Agrawal, 200,000', format('kanon_grow_tree, k=%s, %s', k, way), format('SELECT length(kanon_grow_tree(''fewer'', %s, %s)::text)', k, columns),
                    'kanon_mondrian_tree', format('SELECT length(kanon_mondrian_tree(%s, f, %s)::text) FROM fewer f', k, columns), repeat, 1);
END $$;
SELECT pg_temp.compare_tree(k, way, :repeat) FROM unnest(ARRAY[10, 1000]) k, unnest(ARRAY['memory', 'tree']) way;

SELECT compare('Adults', 'kanon_strict_mondrian, k=10', format('SELECT max(class) FROM (%s) s', pg_temp.divide('adult', 10, '', 'adult')),
               'GROUP BY, once', group_once('adult'), :repeat, 1.5);

-- Models so strict that most parts are cut away from their medians, or not at all: every
-- boundary between two of their values is one to be judged.
SELECT compare('Agrawal, 200,000 rows', 'kanon_strict_mondrian, k=10, ' || models, format(divide, models), 'k alone', format(divide, ''), :repeat, 15)
FROM unnest(ARRAY['closeness(loan, 0.01)', 'variance(loan, 2.08e10)']) models, format(
    'SELECT count(class) FROM (SELECT kanon_strict_mondrian(10, a, %L, models => %%L) OVER () AS class FROM (SELECT * FROM agrawal LIMIT 200000) a) s',
    '{salary,commission,age,elevel,car,zipcode,hvalue,hyears}') divide;

CREATE TABLE growth AS
SELECT rows, milliseconds(format('SELECT count(class) FROM (%s) s', pg_temp.divide('agrawal', 10, '', format('(SELECT * FROM agrawal LIMIT %s) a', rows)))) AS milliseconds
FROM (SELECT (10 ^ e)::bigint AS rows FROM generate_series(4, 9) e) sizes WHERE rows <= (SELECT count(*) FROM agrawal) ORDER BY rows;
