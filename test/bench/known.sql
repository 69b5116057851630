-- k on any L columns: the generalizations of Adults for every L beside plain SQL over all sets of
-- columns: docs/full_domain.md.
--
--	psql -v relation=adult -f test/bench/known.sql
--
-- The relation is declared, with a dimension for each quasi-identifier, for example by tables.sh.
-- Sets grow column by column; one is looked at where all those of a column less have two rows in
-- each class, which every greater set then needs.  Takes ten minutes.
\set ON_ERROR_STOP on
SET client_min_messages = error;
SET jit = off;

-- What a value is at each level, by number; -1: the column is not looked at.
CREATE TEMP TABLE quasi AS
SELECT row_number() OVER (ORDER BY attribute) - 1 AS at, attribute, dimension, (SELECT count(*) - 1 FROM pg_attribute WHERE attrelid = dimension AND attnum > 0 AND NOT attisdropped) AS height
FROM kanon_attribute WHERE relation = :'relation'::regclass AND role = 'quasi_identifier';
CREATE FUNCTION pg_temp.column_of(at bigint, level int) RETURNS text LANGUAGE sql AS $$
    SELECT format('d%s.%I', at, (SELECT attname FROM pg_attribute WHERE attrelid = dimension AND attnum = level + 1)) FROM quasi q WHERE q.at = $1
$$;
SELECT format('CREATE TEMP TABLE labels AS SELECT %s FROM %s s %s',
    string_agg((SELECT string_agg(format('dense_rank() OVER (ORDER BY %s)::int AS c%s_%s', pg_temp.column_of(at, level), at, level), ', ') FROM generate_series(0, height::int) level), ', '),
    :'relation', string_agg(format('LEFT JOIN %s d%s ON d%2$s.%I = s.%I', dimension, at, (SELECT attname FROM pg_attribute WHERE attrelid = dimension AND attnum = 1), attribute), ' '))
FROM quasi \gexec

-- A set of columns with their levels is a number in base 8: digit i is the level of column i plus one, or 0.
CREATE TEMP TABLE looked (code bigint PRIMARY KEY, size int, least bigint);
CREATE FUNCTION pg_temp.least_class(code bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    least bigint;
BEGIN
    EXECUTE format('SELECT min(n) FROM (SELECT count(*) AS n FROM labels GROUP BY %s) s',
        (SELECT string_agg(format('c%s_%s', at, (code >> (3 * at)::int & 7) - 1), ', ') FROM quasi WHERE code >> (3 * at)::int & 7 > 0)) INTO least;
    RETURN least;
END $$;
CREATE PROCEDURE pg_temp.look() LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO looked SELECT code, 1, pg_temp.least_class(code) FROM (SELECT (level + 1)::bigint << (3 * at)::int AS code FROM quasi, generate_series(0, height) level) s;
    FOR columns IN 2 .. (SELECT count(*)::int FROM quasi) LOOP
        INSERT INTO looked
        SELECT code, columns, pg_temp.least_class(code)
        FROM (SELECT l.code | one.code AS code FROM looked l, looked one
              WHERE l.size = columns - 1 AND one.size = 1 AND l.least > 1 AND one.least > 1 AND one.code > l.code
                AND NOT EXISTS (SELECT FROM quasi WHERE l.code >> (3 * at)::int & 7 > 0 AND one.code >> (3 * at)::int & 7 > 0)) s
        WHERE (SELECT count(*) FROM quasi JOIN looked l ON l.code = s.code & ~(7::bigint << (3 * at)::int) WHERE s.code >> (3 * at)::int & 7 > 0 AND l.least > 1) = columns;
        ANALYZE looked;
    END LOOP;
END $$;
CALL pg_temp.look();

-- Of each generalization, the least class of all sets of so many columns.
SELECT format('CREATE TEMP TABLE node AS SELECT %s AS code FROM %s', string_agg(format('((l%s + 1)::bigint << %s)', at, 3 * at), ' + '), string_agg(format('generate_series(0, %s) l%s', height, at), ', '))
FROM quasi \gexec
CREATE TEMP TABLE mask AS
SELECT sum(7::bigint << (3 * at)::int)::bigint AS mask, count(*)::int AS size FROM generate_series(1, (1 << (SELECT count(*)::int FROM quasi)) - 1) m, quasi WHERE m >> at::int & 1 = 1 GROUP BY m;
CREATE TEMP TABLE least AS
SELECT n.code, m.size, min(coalesce(l.least, 1)) AS least FROM node n CROSS JOIN mask m LEFT JOIN looked l ON l.code = n.code & m.mask GROUP BY 1, 2;

CREATE FUNCTION pg_temp.found(relation regclass, k int, known int, OUT nodes bigint, OUT loss float8, OUT seconds float8) LANGUAGE plpgsql AS $$
DECLARE
    began timestamptz := clock_timestamp();
BEGIN
    SELECT count(*), min(g.loss) INTO nodes, loss FROM kanon_incognito(relation, k, known => known) g;
    seconds := extract(epoch FROM clock_timestamp() - began);
END $$;
SELECT k, known, f.nodes, s.nodes AS by_sql, round(f.loss::numeric, 3) AS least_loss, round(f.seconds::numeric, 1) AS seconds, CASE WHEN f.nodes <> s.nodes THEN 'differ' ELSE 'equal' END AS verdict
FROM unnest(ARRAY[2, 5, 10, 50]) k, generate_series(1, (SELECT count(*)::int FROM quasi)) known, pg_temp.found(:'relation', k, known) f,
     LATERAL (SELECT count(*) AS nodes FROM (SELECT code FROM least WHERE size <= known GROUP BY code HAVING min(least) >= k) l) s
ORDER BY k, known;
