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
-- One ring, whose records all differ.  With 2,000 seeds a chance shows that is off by a fifth of itself.
SELECT string_agg(format('(id = %s)::int', i), ', ') AS columns FROM generate_series(1, 9) i \gset
SELECT k, 2 * k - 1 AS rows, d.* FROM generate_series(2, 5) k, drawn('kanon_ring', :'columns', k, 2 * k - 1, 2000) d;
-- Several rings: of 2k - 1 people who share what the others have not, so often that no record mixes them
SELECT string_agg(format('(id = %s)::int', i), ', ') AS columns FROM generate_series(1, 21) i \gset
SELECT k, d.* FROM generate_series(2, 4) k, format('(id - 1) / %s', 2 * k - 1) AS part, drawn('kanon_ring', concat_ws(', ', part, part, part, :'columns'), k, 3 * (2 * k - 1), 2000) d;
-- Other graphs, which are matched anew for each seed: 400 of them, with which a third shows.
SELECT string_agg(format('(id = %s)::int', i), ', ') AS columns FROM generate_series(1, 12) i \gset
SELECT k, d."k of each", d."as often", d."own too often" FROM generate_series(2, 4) k, drawn('kanon_two_phase', :'columns', k, 12, 400) d;
SELECT k, d."k of each", d."as often", d."own too often" FROM generate_series(2, 4) k, drawn('kanon_two_phase', 'a, b, c, d, e, f, g', k, 24, 400) d;

-- Parts of a table.  Three people of a region, (p, 1) (p, 2) (q, 2), make the records (p, *) (*, 2) (*, *),
-- and there are two ways to deal them: which of them (p, *) goes with is as good as a coin.
CREATE TABLE member AS
SELECT r AS region, i AS person, 'R' || r AS name, substr('ppq', i, 1) || r AS a, substr('122', i, 1) || r AS b FROM generate_series(1, 9) r, generate_series(1, 3) i;
CREATE FUNCTION coins(method text, first int, last int, seeds int) RETURNS TABLE (seed int, region int, person int) LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format($q$SELECT n, s.region, s.person FROM generate_series(1, %s) n, LATERAL (
        SELECT m.region, m.person, %s(2, ROW(name, a, b), seed => 'seed ' || n) OVER () AS cells FROM member m WHERE m.region BETWEEN %s AND %s) s
        WHERE s.cells::text LIKE '(R%%,p%%,*)'$q$, seeds, method, first, last);
END $$;
-- Then the people of the first region leave, and others come at the end.  Whoever knows how the first
-- region was dealt knows nothing of another one, neither beside it nor where it stood; a region that stays
-- is dealt as it was.
CREATE FUNCTION fair(same bigint, times bigint) RETURNS boolean LANGUAGE sql RETURN abs(same - times / 2.0) < 5 * sqrt(times / 4.0);
CREATE TABLE coin AS
SELECT method, copy, c.* FROM unnest(ARRAY['kanon_ring', 'kanon_two_phase']) method, generate_series(1, 2) copy, coins(method, copy, copy + 7, 300) c;
SELECT method, fair(count(*) FILTER (WHERE a.person = 1), count(*)) AS "a coin",
       fair(count(*) FILTER (WHERE a.person = b.person), count(*)) AS "not beside it",
       fair(count(*) FILTER (WHERE a.person = c.person), count(*)) AS "not where it stood",
       fair(count(*) FILTER (WHERE y.person = z.person), count(*)) AS "not at the end",
       count(*) FILTER (WHERE b.person = c.person) AS "stays as it was", count(*) AS of
FROM coin a JOIN coin b USING (method, seed) JOIN coin c USING (method, seed) JOIN coin y USING (method, seed) JOIN coin z USING (method, seed)
WHERE (a.copy, a.region, b.copy, b.region, c.copy, c.region, y.copy, y.region, z.copy, z.region) = (1, 1, 1, 2, 2, 2, 1, 8, 2, 9)
GROUP BY method ORDER BY method;

DROP SCHEMA drawing CASCADE;
