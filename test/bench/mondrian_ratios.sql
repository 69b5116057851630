-- Mondrian as a window function: against writing the same table without it, and
-- against one GROUP BY of Adults; and how its time grows with the rows.
-- psql variables: repeat, memory.

SET kanon.memory_limit = :'memory';

-- SELECT of a class for each of some rows of a table, all columns quasi-identifiers.
CREATE FUNCTION pg_temp.divide(relation regclass, k int, columns text, source text) RETURNS text STABLE LANGUAGE sql AS $$
    SELECT format('SELECT %s kanon_mondrian(%s, ROW(%s)) OVER () AS class FROM %s', columns, k, string_agg(attname, ', ' ORDER BY attnum), source)
    FROM pg_attribute WHERE attrelid = relation AND attnum > 0 AND NOT attisdropped
$$;

SELECT compare('Agrawal', format('kanon_mondrian, k=%s, into a table', k),
               'CREATE UNLOGGED TABLE divided AS ' || pg_temp.divide('agrawal', k, '*,', 'agrawal'),
               'CREATE TABLE AS SELECT *, 1', 'CREATE UNLOGGED TABLE divided AS SELECT *, 1 AS class FROM agrawal',
               :repeat, 2, 'DROP TABLE divided', 'DROP TABLE divided')
FROM unnest(ARRAY[10, 100, 1000]) k;

SELECT compare('Adults', 'kanon_mondrian, k=10', format('SELECT max(class) FROM (%s) s', pg_temp.divide('adult', 10, '', 'adult')),
               'GROUP BY, once', group_once('adult'), :repeat, 1.5);

CREATE TABLE growth AS
SELECT rows, milliseconds(format('SELECT count(class) FROM (%s) s', pg_temp.divide('agrawal', 10, '', format('(SELECT * FROM agrawal LIMIT %s) a', rows)))) AS milliseconds
FROM (SELECT (10 ^ e)::bigint AS rows FROM generate_series(4, 9) e) sizes WHERE rows <= (SELECT count(*) FROM agrawal) ORDER BY rows;
