-- The assignment of rows to records by chance: over many seeds each row comes to each of
-- the k records that cover it equally often.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
CREATE SCHEMA drawing;
SET search_path = drawing, public;

CREATE TABLE people AS
SELECT i AS id, i * i % 3 AS a, i * 5 % 7 / 3 AS b, i * i * i % 11 / 4 AS c, i % 5 / 2 AS d, i * 11 % 13 / 5 AS e, i * i % 17 / 6 AS f, i / 9 AS g
FROM generate_series(1, 24) i;

-- A record is known by its cells.  Some records look alike, so what a row is seen with comes from
-- one of the k records, or from two, ..: from as many as it is seen times, to the nearest one.  Chi-square of each
-- row against that has at most k - 1 degrees of freedom, its standard deviation is sqrt(2 (k - 1)).
CREATE FUNCTION drawn(method text, columns text, k int, rows int, seeds int,
    OUT "different records" bigint, OUT "seen of each row" text, OUT "k of each" boolean, OUT "as often" boolean, OUT "own too often" boolean) LANGUAGE plpgsql AS $$
DECLARE
    call text := format('SELECT id, %s(%s, ROW(%s), %%s) OVER () AS cells FROM people WHERE id <= %s', method, k, columns, rows);
BEGIN
    CREATE TEMP TABLE own (id int, cells text);
    CREATE TEMP TABLE seen (id int, cells text, times bigint, alike bigint);
    EXECUTE 'INSERT INTO own ' || format(call, 'randomize => false');
    EXECUTE format('INSERT INTO seen SELECT id, cells, count(*), round(count(*) * %s / %s::numeric) FROM generate_series(1, %2$s) n, LATERAL (SELECT id, cells::text FROM (%s) s) s GROUP BY id, cells',
                   k, seeds, format(call, 'seed => ''seed '' || n'));
    SELECT count(DISTINCT cells) INTO "different records" FROM own;
    SELECT min(n) || ' to ' || max(n), bool_and(of = k), bool_and(chi < k - 1 + 5 * sqrt(2 * (k - 1))) INTO "seen of each row", "k of each", "as often"
    FROM (SELECT id, count(*) AS n, sum(alike) AS of, sum((times - alike * seeds::float8 / k) ^ 2 / (alike * seeds::float8 / k)) AS chi FROM seen GROUP BY id) c;
    SELECT max(times - alike * seeds::float8 / k) > 5 * sqrt(seeds / 4.0) INTO "own too often" FROM seen JOIN own USING (id, cells);
    DROP TABLE own, seen;
END $$;
-- Each row is the only one with a 1 in a column of its own: a record hides the columns of those it covers.
-- One ring, whose records all differ.
SELECT string_agg(format('(id = %s)::int', i), ', ') AS columns FROM generate_series(1, 9) i \gset
SELECT k, 2 * k - 1 AS rows, d.* FROM generate_series(2, 5) k, drawn('kanon_ring', :'columns', k, 2 * k - 1, 2000) d;
-- Several rings
SELECT k, d.* FROM generate_series(2, 4) k, drawn('kanon_ring', 'a, b, c, d, e, f, g', k, 24, 2000) d;
SELECT string_agg(format('(id = %s)::int', i), ', ') AS columns FROM generate_series(1, 24) i \gset
SELECT k, d."k of each", d."as often", d."own too often" FROM generate_series(2, 4) k, drawn('kanon_two_phase', :'columns', k, 24, 2000) d;
SELECT k, d."k of each", d."as often", d."own too often" FROM generate_series(2, 4) k, drawn('kanon_two_phase', 'a, b, c, d, e, f, g', k, 24, 2000) d;

DROP SCHEMA drawing CASCADE;
