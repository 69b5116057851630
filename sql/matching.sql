-- Non-homogeneous generalization as window functions: rings worked out by hand,
-- the assignment by seeds, hierarchies, digits, NULLs, where they can stand, and every error.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
CREATE ROLE regress_analyst;
CREATE SCHEMA matching;
GRANT USAGE ON SCHEMA matching TO regress_analyst;
SET search_path = matching, public;
RESET client_min_messages;
\set SHOW_CONTEXT never
\pset null null

-- By hand, k = 2: two classes, 2x 2y and 1x 1y 3z (or 1x 1y and 2x 2y 3z; number and letter tell as much
-- apart).  Rings: 2x and 2y cover each other; 1x covers 1y, 1y covers 3z, 3z covers 1x.
CREATE TABLE five (number int, letter text);
INSERT INTO five VALUES (3, 'z'), (2, 'y'), (1, 'x'), (2, 'x'), (1, 'y');
SELECT number, letter, kanon_ring(2, ROW(number, letter), randomize => false) OVER () AS cells FROM five ORDER BY 1, 2;
SELECT number, letter, kanon_view_cell(c, 'f1', 0) AS shown, kanon_view_cell(c, 'f2', ''::text) AS letter_shown
FROM (SELECT *, kanon_ring(2, ROW(number, letter), randomize => false) OVER () AS c FROM five) s ORDER BY 1, 2;
-- Neither order of the rows nor of equal attributes makes it lose more.
SELECT number, letter, kanon_ring(2, ROW(number, letter), randomize => false) OVER (ORDER BY number DESC, letter DESC) AS cells FROM five ORDER BY 1, 2;
SELECT number, letter, kanon_ring(2, ROW(letter, number), randomize => false) OVER () AS cells FROM five ORDER BY 2, 1;
-- The order of columns does not matter.
CREATE TABLE ties AS SELECT hashint4(i) & 3 AS a, hashint4(-i) & 7 AS b, hashint4(i + 7777) & 7 AS c, hashint4(i * 31) & 15 AS d FROM generate_series(1, 300) i;
SELECT recoding, count(*) FILTER (WHERE (kanon_view_cell(x, 'a', 0), kanon_view_cell(x, 'b', 0), kanon_view_cell(x, 'c', 0), kanon_view_cell(x, 'd', 0))
    IS DISTINCT FROM (kanon_view_cell(y, 'a', 0), kanon_view_cell(y, 'b', 0), kanon_view_cell(y, 'c', 0), kanon_view_cell(y, 'd', 0))) AS differ
FROM (SELECT 'ring' AS recoding, kanon_ring(4, t, '{a,b,c,d}', randomize => false) OVER () AS x, kanon_ring(4, t, '{d,c,a,b}', randomize => false) OVER () AS y FROM ties t
      UNION ALL
      SELECT 'two_phase', kanon_two_phase(4, t, '{a,b,c,d}', randomize => false) OVER (), kanon_two_phase(4, t, '{d,c,a,b}', randomize => false) OVER () FROM ties t) s
GROUP BY recoding ORDER BY recoding;
-- k = 1: everybody by themselves, nothing is hidden; k = all: one ring, and all is; too many: nobody
SELECT number, letter, kanon_ring(1, ROW(number, letter)) OVER () AS cells FROM five ORDER BY 1, 2;
SELECT number, letter, kanon_two_phase(1, ROW(number, letter)) OVER () AS cells FROM five ORDER BY 1, 2;
SELECT DISTINCT kanon_ring(5, ROW(number, letter)) OVER () AS cells FROM five;
SELECT DISTINCT kanon_two_phase(5, ROW(number, letter)) OVER () AS cells FROM five;
SELECT DISTINCT kanon_ring(6, ROW(number, letter)) OVER () AS cells FROM five;
SELECT DISTINCT kanon_two_phase(6, ROW(number, letter)) OVER () AS cells FROM five;
-- Equal rows lose nothing; nor does an attribute in which all are alike.
SELECT kanon_ring(3, ROW(number, 'same'::text)) OVER () AS cells FROM (VALUES (1), (1), (1), (2), (2), (2), (2)) t (number) ORDER BY 1;
SELECT kanon_two_phase(3, ROW(number, 'same'::text)) OVER () AS cells FROM (VALUES (1), (1), (1), (2), (2), (2), (2)) t (number) ORDER BY 1;
SELECT kanon_ring(2, ROW(1, n)) OVER () AS cells FROM generate_series(1, 3) n;
-- Each part chooses the attribute that it is sorted by: letters tell apart in two threes, numbers in 3, 2 and 1.
SELECT letter, number, kanon_ring(2, ROW(number, letter), randomize => false) OVER () AS cells
FROM (VALUES ('a', 1), ('b', 1), ('a', 1), ('b', 2), ('a', 2), ('b', 3)) t (letter, number) ORDER BY 1, 2, 3;

-- The assignment.  A record covers the row beside it, whichever was drawn.
CREATE TABLE many AS SELECT i AS id, i % 2 AS a, i * i % 7 AS b, chr(97 + i % 5) AS c, i * i * i % 11 / 4 AS d FROM generate_series(1, 40) i;
CREATE TABLE ten AS SELECT i AS id, i / 6 AS a, i % 5 / 2 AS b, chr(97 + i % 5 / 3) AS c FROM generate_series(1, 10) i;
SELECT id, a, b, c, kanon_ring(3, ROW(a, b, c), randomize => false) OVER () AS cells FROM ten ORDER BY a, b, c, id;
CREATE FUNCTION drawn(seed text) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(cells::text, ' ' ORDER BY id) FROM (SELECT id, kanon_ring(4, ROW(part, part, part, id = 1, id = 2, id = 3, id = 4, id = 5, id = 6, id = 7), seed => seed) OVER () AS cells
                                                            FROM (SELECT id, id / 8 AS part FROM many WHERE id < 40) m) s
$$;
SELECT drawn('one') = drawn('one') AS same, drawn('one') <> drawn('other') AS other, drawn('') = drawn('') AS empty;
SELECT count(DISTINCT drawn(n::text)) AS answers FROM generate_series(1, 100) n;
-- Without a seed no two need be alike.
SELECT count(DISTINCT answer) > 1 AS several
FROM (SELECT n, (SELECT string_agg(cells::text, ' ' ORDER BY id) FROM (SELECT id, kanon_ring(3, ROW(a, b, c, d)) OVER () AS cells FROM many WHERE n > 0) s) AS answer
      FROM generate_series(1, 20) n) s;
SELECT count(*) AS uncovered
FROM (SELECT a, b, c, kanon_view_cell(r, 'f1', 0) AS x, kanon_view_cell(r, 'f2', 0) AS y, kanon_view_cell(r, 'f3', ''::text) AS z
      FROM (SELECT *, kanon_ring(3, ROW(a, b, c, d)) OVER () AS r FROM many) s) s
WHERE x <> a OR y <> b OR z NOT IN (c, '*');
-- It hangs on the seed and the rows, not on their order.
SELECT count(*) FROM (SELECT id, kanon_ring(3, ROW(a, b, c, id), seed => 'x') OVER (ORDER BY id) AS cells FROM many
                      EXCEPT SELECT id, kanon_ring(3, ROW(a, b, c, id), seed => 'x') OVER (ORDER BY -id) FROM many) s;
-- The records are the same, drawn or not; so they lose the same.
SELECT count(*) FROM (SELECT kanon_ring(3, ROW(a, b, c, d)) OVER () FROM many EXCEPT ALL SELECT kanon_ring(3, ROW(a, b, c, d), randomize => false) OVER () FROM many) s;
SELECT count(*) FROM (SELECT kanon_two_phase(3, ROW(a, b, c, d)) OVER () FROM many EXCEPT ALL SELECT kanon_two_phase(3, ROW(a, b, c, d), randomize => false) OVER () FROM many) s;
-- Two rings of three: the first record of each covers two rows that are alike, and comes to either.
-- They are drawn apart: all four outcomes come, each about as often.
SELECT shown, count(*) BETWEEN 70 AND 130 AS "about a quarter"
FROM (SELECT n, string_agg(kanon_view_cell(cells, 'f4', ''::text), ' ' ORDER BY a) AS shown
      FROM generate_series(1, 400) n, LATERAL (SELECT a, at, kanon_ring(2, ROW(a, a, a, b), seed => 'seed ' || n) OVER () AS cells
                                               FROM (VALUES (1, 1, 'x'), (1, 2, 'x'), (1, 3, 'y'), (2, 1, 'p'), (2, 2, 'p'), (2, 3, 'q')) t (a, at, b)) s
      WHERE at = 1 GROUP BY n) s
GROUP BY shown ORDER BY 1;

-- Hidden: '*' in text-like types, NULL in others; a domain counts as its base type.
CREATE TYPE size AS ENUM ('small', 'large');
CREATE DOMAIN short_code AS text CHECK (length(VALUE) = 2);
CREATE DOMAIN score AS int NOT NULL;
SELECT pg_typeof(kanon_view_cell(c, 'f1', NULL::varchar)) AS a, kanon_view_cell(c, 'f1', NULL::varchar), kanon_view_cell(c, 'f2', NULL::char), kanon_view_cell(c, 'f3', NULL::name), kanon_view_cell(c, 'f4', NULL::text),
       kanon_view_cell(c, 'f5', 0), kanon_view_cell(c, 'f6', NULL::date), kanon_view_cell(c, 'f7', NULL::size), kanon_view_cell(c, 'f8', NULL::numeric), kanon_view_cell(c, 'f9', NULL::int[]), kanon_view_cell(c, 'f10', false)
FROM (SELECT kanon_ring(2, ROW(t::varchar(3), t::char(2), t::name, ('x' || t)::short_code, n::score, date '2000-01-01' + n,
                               (enum_range(NULL::size))[n], n / 2.0, ARRAY[n], n > 1)) OVER () AS c FROM (VALUES (1, 'a'), (2, 'b')) v (n, t)) s;
SELECT kanon_view_cell(c, 'f1', NULL::varchar), kanon_view_cell(c, 'f2', NULL::char), kanon_view_cell(c, 'f3', NULL::name), kanon_view_cell(c, 'f4', NULL::text),
       kanon_view_cell(c, 'f5', 0), kanon_view_cell(c, 'f6', NULL::date), kanon_view_cell(c, 'f7', NULL::size), kanon_view_cell(c, 'f8', NULL::numeric), kanon_view_cell(c, 'f9', NULL::int[]), kanon_view_cell(c, 'f10', false)
FROM (SELECT kanon_ring(1, ROW(t::varchar(3), t::char(2), t::name, ('x' || t)::short_code, n::score, date '2000-01-01' + n,
                               (enum_range(NULL::size))[n], n / 2.0, ARRAY[n], n > 1)) OVER () AS c FROM (VALUES (1, 'a'), (2, 'b')) v (n, t)) s ORDER BY 5;
-- Values far apart, and long ones
SELECT kanon_ring(2, ROW(n)) OVER () AS cells FROM unnest('{-9000000000000000000,0,0,9000000000000000000,9000000000000000000}'::bigint[]) n ORDER BY 1;
SELECT length(kanon_view_cell(kanon_ring(2, ROW(repeat(t, 100000))) OVER (), 'f1', ''::text)) FROM unnest('{a,a,b,b}'::text[]) t;
-- Of equal numerics that look different, one stands for all.
SELECT kanon_ring(2, ROW(n)) OVER () AS cells FROM unnest('{1.50,1.5,2,3}'::numeric[]) n ORDER BY 1;

-- NULL is a value of its own: covered by NULL, or hidden.
SELECT a, b, kanon_ring(2, ROW(a, b), randomize => false) OVER () AS cells
FROM (VALUES (NULL, 'x'), (NULL, 'x'), (1, NULL), (1, NULL), (2, 'y'), (2, NULL)) t (a, b) ORDER BY 1, 2, 3;
SELECT kanon_ring(2, r, '{number,letter}', randomize => false) OVER () AS cells FROM (VALUES (NULL::five), ('(1,x)'), (NULL)) t (r);
SELECT kanon_ring(2, r) OVER () AS cells FROM (SELECT NULL::record AS r FROM generate_series(1, 3)) t;

-- Dimensions: the least common ancestor.  In the dimension's order baker and smith are next
-- to each other; between nurse and smith more would be lost, so there they are cut.
CREATE TABLE works (work text PRIMARY KEY, sector text, "all" text);
INSERT INTO works VALUES ('baker', 'trade', 'any'), ('nurse', 'health', 'any'), ('smith', 'trade', 'any'), ('doctor', 'health', 'any');
CREATE TABLE people (name text, work text);
INSERT INTO people VALUES ('Ann', 'baker'), ('Bob', 'smith'), ('Cid', 'nurse'), ('Dan', 'doctor');
SELECT kanon_set_attribute('people', 'name', 'identifier'), kanon_set_attribute('people', 'work', 'quasi_identifier', 'works');
SELECT *, kanon_ring(2, p) OVER () AS cells FROM people p ORDER BY 1;
SELECT *, kanon_ring(3, p) OVER () AS cells FROM people p ORDER BY 1;
SELECT *, kanon_ring(2, ROW(work), dimensions => '{works}') OVER () AS cells FROM people p ORDER BY 1;
-- Without it the work is shown or hidden.
SELECT *, kanon_ring(2, p, dimensions => '{NULL}') OVER () AS cells FROM people p ORDER BY 1;
-- NULL lies under the single top label ..
UPDATE people SET work = NULL WHERE name = 'Dan';
SELECT *, kanon_ring(2, p, randomize => false) OVER () AS cells FROM people p ORDER BY 1;
INSERT INTO people VALUES ('Eve', NULL);
SELECT *, kanon_ring(2, p, randomize => false) OVER () AS cells FROM people p WHERE name <> 'Cid' ORDER BY 1;
-- .. or, if there is none, beside all labels
CREATE TABLE halves (n int PRIMARY KEY, half text);
INSERT INTO halves SELECT n, CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END FROM generate_series(1, 8) n;
SELECT n, kanon_ring(2, ROW(n), dimensions => '{halves}', randomize => false) OVER () AS cells FROM unnest('{1,3,2,4,NULL,NULL}'::int[]) n ORDER BY 1;
SELECT n, kanon_ring(3, ROW(n), dimensions => '{halves}', randomize => false) OVER () AS cells FROM unnest('{1,2,NULL}'::int[]) n ORDER BY 1;

-- A dimension that masks digits: each is hidden by itself.  By hand: all agree in the first
-- two; of the pairs that agree in a third one the first is 5371*, then 53*06.
CREATE TABLE zips AS SELECT zip FROM unnest('{53711,53712,53706,53106}'::int[]) zip;
SELECT kanon_create_dimension('zip_digits', 'zips', 'zip', 'digits');
SELECT zip, kanon_ring(2, z) OVER () AS cells FROM zips z ORDER BY 1;
SELECT zip, kanon_ring(4, z) OVER () AS cells FROM zips z ORDER BY 1;
SELECT zip, kanon_two_phase(4, z) OVER () AS cells FROM zips z ORDER BY 1;
-- NULL, where it must not be told from values, hides all digits.
SELECT zip, kanon_ring(2, ROW(zip), dimensions => '{zip_digits}', randomize => false) OVER () AS cells FROM unnest('{53711,53712,NULL}'::int[]) zip ORDER BY 1;
SELECT zip, kanon_ring(2, ROW(zip), dimensions => '{zip_digits}') OVER () AS cells FROM unnest('{53711,53711,NULL,NULL}'::int[]) zip ORDER BY 1;
-- Letters of several bytes, another mask, no single label above
CREATE TABLE plates (plate text PRIMARY KEY, one text, two text);
INSERT INTO plates VALUES ('äb1', 'äb_', 'ä__'), ('äc1', 'äc_', 'ä__'), ('öb2', 'öb_', 'ö__');
SELECT plate, kanon_ring(2, ROW(plate), dimensions => '{plates}', randomize => false) OVER () AS cells FROM plates ORDER BY convert_to(plate, 'UTF8');
-- These do not: values of different lengths; other labels; too few levels; the mask is a digit
CREATE TABLE lengths (v text PRIMARY KEY, a text, b text);
INSERT INTO lengths VALUES ('12', '1*', '*'), ('13', '1*', '*'), ('4', '4', '*');
SELECT v, kanon_ring(2, ROW(v), dimensions => '{lengths}', randomize => false) OVER () AS cells FROM (VALUES ('12'), ('13')) t (v);
CREATE TABLE tens (v text PRIMARY KEY, a text, b text);
INSERT INTO tens VALUES ('12', '1*', '*'), ('42', '1*', '*'), ('13', '1*', '*');
SELECT v, kanon_ring(2, ROW(v), dimensions => '{tens}', randomize => false) OVER () AS cells FROM (VALUES ('12'), ('42')) t (v);
CREATE TABLE shorts (v text PRIMARY KEY, a text, b text);
INSERT INTO shorts VALUES ('1234', '123*', '12**'), ('5234', '523*', '52**');
SELECT v, kanon_ring(2, ROW(v), dimensions => '{shorts}') OVER () AS cells FROM shorts;
CREATE TABLE masks (v text PRIMARY KEY, a text);
INSERT INTO masks VALUES ('10', '10'), ('20', '20');
SELECT v, kanon_ring(2, ROW(v), dimensions => '{masks}') OVER () AS cells FROM masks;

-- Whole rows, fields by name, as many as 64
SELECT kanon_set_attribute('five', 'letter', 'quasi_identifier');
SELECT *, kanon_ring(2, f, randomize => false) OVER () AS cells FROM five f ORDER BY 1, 2;
SELECT *, kanon_ring(2, f, '{letter,number}', randomize => false) OVER () AS cells FROM five f ORDER BY 1, 2;
CREATE VIEW fives AS SELECT letter, number FROM five;
SELECT *, kanon_ring(2, v, '{number}', randomize => false) OVER () AS cells FROM fives v ORDER BY 2, 1;
WITH s AS MATERIALIZED (SELECT * FROM five) SELECT *, kanon_ring(2, s, '{number}', randomize => false) OVER () AS cells FROM s ORDER BY 1, 2;
SELECT string_agg(format('n + %s', i), ', ') AS columns FROM generate_series(1, 64) i \gset
SELECT kanon_view_cell(kanon_ring(1, ROW(:columns)) OVER (), 'f64', 0) AS last FROM generate_series(1, 3) n ORDER BY 1;

-- PARTITION BY: each by itself, a small one has none; one seed says the same of equal ones
SELECT part, n, kanon_ring(2, ROW(n), randomize => false) OVER (PARTITION BY part) AS cells FROM (VALUES (1, 5), (1, 5), (1, 6), (2, 5)) t (part, n) ORDER BY 1, 2, 3;
SELECT seed, count(DISTINCT drawn) > 1 AS several
FROM (VALUES ('s'), ('s of '), (NULL)) seeds (seed),
     LATERAL (SELECT part, string_agg(cells::text, ' ' ORDER BY id) AS drawn
              FROM (SELECT part, id, kanon_ring(3, ROW(a, b, c, d), seed => seed || CASE WHEN seed LIKE '% ' THEN part::text ELSE '' END) OVER (PARTITION BY part) AS cells
                    FROM generate_series(1, 20) part, many) s GROUP BY part) s GROUP BY seed ORDER BY seed;
-- .. however often it is scanned
SELECT count(DISTINCT drawn) AS answers
FROM generate_series(1, 5) n, LATERAL (SELECT string_agg(cells::text, ' ' ORDER BY id) AS drawn
                                       FROM (SELECT id, kanon_ring(3, ROW(a, b, c, d), seed => 's') OVER () AS cells FROM many OFFSET least(n, 0)) s) s;
-- .. options are those of the first row of each
SELECT part, n, kanon_ring(part, ROW(n), seed => part::text) OVER (PARTITION BY part) AS cells FROM generate_series(1, 2) part, generate_series(1, 2) n ORDER BY 1, 2;
-- Several in one query, and within another
SELECT id, kanon_ring(2, ROW(a), randomize => false) OVER w AS a, kanon_ring(2, ROW(b, c), randomize => false) OVER w AS b, row_number() OVER (ORDER BY id) AS number
FROM ten WINDOW w AS (ORDER BY id) ORDER BY id;
SELECT count(*) FROM (SELECT kanon_ring(2, ROW(a)) OVER () FROM ten WHERE false) s;
SELECT o.n, c.hidden FROM generate_series(2, 3) o (n), LATERAL (SELECT count(*) FILTER (WHERE kanon_view_cell(c, 'f1', 0) IS NULL) AS hidden FROM (SELECT kanon_ring(o.n, ROW(id)) OVER () AS c FROM ten) s) c ORDER BY 1;
-- The frame does not matter.
SELECT id, kanon_ring(2, ROW(a), randomize => false) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) = kanon_ring(2, ROW(a), randomize => false) OVER (ORDER BY id) AS same FROM ten ORDER BY 1 LIMIT 2;

-- Views, materialized views, prepared statements, read-only transactions
CREATE VIEW released AS SELECT kanon_view_cell(c, 'f1', 0) AS a, kanon_view_cell(c, 'f2', ''::text) AS b FROM (SELECT kanon_ring(3, ROW(a, c)) OVER () AS c FROM ten) s;
SELECT count(*), count(a) FROM released;
CREATE MATERIALIZED VIEW kept AS SELECT id, kanon_view_cell(c, 'a', 0) AS a FROM (SELECT id, kanon_ring(3, t, '{a,b}') OVER () AS c FROM ten t) s;
CREATE UNIQUE INDEX ON kept (id);
REFRESH MATERIALIZED VIEW kept;
DELETE FROM ten WHERE id = 10;
REFRESH MATERIALIZED VIEW CONCURRENTLY kept;
SELECT count(*), count(*) FILTER (WHERE kept.a IS NOT NULL AND kept.a <> ten.a) AS uncovered FROM kept JOIN ten USING (id);
PREPARE hide(int) AS SELECT count(*) FILTER (WHERE kanon_view_cell(c, 'f1', 0) IS NULL) FROM (SELECT kanon_ring($1, ROW(id)) OVER () AS c FROM ten) s;
EXECUTE hide(1);
EXECUTE hide(2);
BEGIN READ ONLY;
SELECT count(c) FROM (SELECT kanon_ring(2, t, '{a,b}') OVER () AS c FROM ten t) s;
COMMIT;

-- With the rights of whoever asks: the dimension too
GRANT SELECT ON people TO regress_analyst;
SET ROLE regress_analyst;
SELECT count(c) FROM (SELECT kanon_ring(2, ROW(work)) OVER () AS c FROM people p) s;
SELECT kanon_ring(2, p) OVER () FROM people p;
RESET ROLE;

-- The memory limit holds for each window partition by itself.
SET kanon.memory_limit = '64kB';
SELECT count(c) FROM (SELECT kanon_ring(2, ROW(n)) OVER () AS c FROM generate_series(1, 10000) n) s;
SET kanon.memory_limit = '1MB';
SELECT count(c) FROM (SELECT kanon_ring(2, ROW(n)) OVER (PARTITION BY n % 20) AS c FROM generate_series(1, 20000) n) s;
SELECT count(c) FROM (SELECT kanon_ring(500, ROW(n)) OVER () AS c FROM generate_series(1, 500) n) s;
RESET kanon.memory_limit;

-- Errors: k
SELECT kanon_ring(0, ROW(a)) OVER () FROM ten;
SELECT kanon_ring(-3, ROW(a)) OVER () FROM ten;
SELECT kanon_ring(NULL, ROW(a)) OVER () FROM ten;
SELECT kanon_two_phase(0, ROW(a)) OVER () FROM ten;
SELECT kanon_two_phase(NULL, ROW(a)) OVER () FROM ten;
-- .. rows and fields
SELECT kanon_ring(2, a) OVER () FROM ten;
SELECT kanon_ring(2, ROW(a)) FROM ten;
SELECT kanon_ring(2, ROW()) OVER () FROM ten;
SELECT kanon_ring(2, s, '{}') OVER () FROM (SELECT a FROM ten) s;
SELECT kanon_ring(2, t) OVER () FROM ten t;
SELECT kanon_ring(2, t, '{a,color}') OVER () FROM ten t;
SELECT kanon_ring(2, s, '{color}') OVER () FROM (SELECT a FROM ten OFFSET 0) s;
SELECT kanon_ring(2, s, '{a,a}') OVER () FROM (SELECT a FROM ten) s;
SELECT kanon_ring(2, s, ARRAY['a', NULL]::name[]) OVER () FROM (SELECT a FROM ten) s;
SELECT kanon_ring(2, ROW(a, '1'::json)) OVER () FROM ten;
SELECT kanon_two_phase(2, ROW(a, '1'::json)) OVER () FROM ten;
SELECT kanon_ring(2, ROW(:columns, n)) OVER () FROM generate_series(1, 5) n;
SELECT kanon_ring(2, r) OVER () FROM (SELECT ROW(1) AS r UNION ALL SELECT ROW('x'::text)) s;
-- .. dimensions
SELECT kanon_ring(2, ROW(a, b), dimensions => '{works}') OVER () FROM ten;
SELECT kanon_ring(2, ROW(c), dimensions => '{works}') OVER () FROM ten;
SELECT kanon_ring(2, ROW(a), dimensions => '{released}') OVER () FROM ten;
-- .. options
SELECT kanon_ring(2, ROW(a), randomize => NULL) OVER () FROM ten;
SELECT kanon_two_phase(2, ROW(a), randomize => NULL) OVER () FROM ten;
-- .. cells
SELECT kanon_view_cell(kanon_ring(2, ROW(a)) OVER (), 'f2', 0) FROM ten;
SELECT kanon_view_cell(kanon_ring(2, ROW(a)) OVER (), 'f1', ''::text) FROM ten;

SET client_min_messages = warning;
RESET search_path;
DROP SCHEMA matching CASCADE;
DROP ROLE regress_analyst;

-- Which of equal rows comes to stand with another one is drawn, too: their order may tell what they hide.
CREATE VIEW equals AS SELECT * FROM (VALUES (1, 'a'), (1, 'b'), (1, 'c'), (2, 'd')) t (x, y) ORDER BY x, y;
SELECT string_agg(DISTINCT y, ' ' ORDER BY y) AS hidden
FROM generate_series(1, 50) seed, LATERAL (SELECT y, kanon_ring(2, ROW(x), seed => seed::text) OVER (ORDER BY x, y) AS cells FROM equals) s
WHERE cells::text = '()';
DROP VIEW equals;
-- Digits lose by leaves what their digits do not lose one by one: two_phase never loses more than ring
CREATE FUNCTION loses(tables int, OUT more bigint, OUT two_phase numeric, OUT ring numeric) LANGUAGE plpgsql SET client_min_messages = warning AS $$
BEGIN
    CREATE TEMP TABLE lost (recoding text, number int, loss float8);
    FOR t IN 1 .. tables LOOP
        CREATE TABLE coded AS SELECT (ARRAY['11','12','21','35','37'])[1 + floor(random() * 5)::int] || floor(random() * 3)::int || floor(random() * 3)::int AS zip, floor(random() * 3)::int AS sex
        FROM generate_series(1, 5 + t % 4);
        CREATE TABLE codes AS SELECT DISTINCT zip, left(zip, 3) || '*' AS three, left(zip, 2) || '**' AS two, left(zip, 1) || '***' AS one, '****' AS none
        FROM (TABLE coded UNION ALL SELECT x::text, 0 FROM generate_series(1000, 1999, 37) x) z(zip, x);
        PERFORM kanon_set_attribute('coded', 'zip', 'quasi_identifier', 'codes'), kanon_set_attribute('coded', 'sex', 'quasi_identifier');
        PERFORM kanon_create_release('by_two', 'coded', 2, 'two_phase'), kanon_create_release('by_ring', 'coded', 2, 'ring');
        INSERT INTO lost SELECT release::text, t, loss FROM kanon_release WHERE relation = 'coded'::regclass;
        PERFORM kanon_drop_release('by_two'), kanon_drop_release('by_ring');
        DROP TABLE coded, codes;
    END LOOP;
    SELECT count(*) FILTER (WHERE a.loss > b.loss + 1e-9), round(avg(a.loss)::numeric, 3), round(avg(b.loss)::numeric, 3) INTO more, two_phase, ring
    FROM lost a JOIN lost b USING (number) WHERE a.recoding = 'by_two' AND b.recoding = 'by_ring';
    DROP TABLE lost;
END $$;
SELECT setseed(.24);
SELECT * FROM loses(40);
-- Where all columns have dimensions, neither loses more than the classes of local recoding, and two_phase
-- less, over several tables and k; weights count: what weighs more is hidden less.
CREATE FUNCTION compared(tables int, k int[], OUT k_is int, OUT ring_more bigint, OUT more bigint, OUT less boolean) RETURNS SETOF record LANGUAGE plpgsql SET client_min_messages = warning AS $$
DECLARE
    a text;
BEGIN
    CREATE TEMP TABLE lost (number int, k int, recoding text, loss float8);
    FOR t IN 1 .. tables LOOP
        CREATE TABLE coded AS SELECT (10 * random() * random())::int AS a, (20 * random())::int AS b, (6 * random() ^ t)::int AS c
        FROM generate_series(1, 60 + 20 * t);
        FOREACH a IN ARRAY '{a,b,c}'::text[] LOOP
            EXECUTE format('CREATE TABLE codes_%s AS SELECT v AS value, format(''%%s to %%s'', v / 3 * 3, v / 3 * 3 + 2) AS three, (v / 9)::text || ''ies'' AS nine, ''*'' AS top FROM generate_series(0, 20) v', a);
            PERFORM kanon_set_attribute('coded', a, 'quasi_identifier', format('codes_%s', a)::regclass, weight => CASE a WHEN 'b' THEN t ELSE 1 END);
        END LOOP;
        INSERT INTO lost SELECT t, c.k, recoding, loss FROM kanon_compare('coded', compared.k, '{local,ring,two_phase}') c;
        DROP TABLE coded, codes_a, codes_b, codes_c;
    END LOOP;
    RETURN QUERY SELECT l.k, count(*) FILTER (WHERE r.loss > l.loss + 1e-9), count(*) FILTER (WHERE p.loss > l.loss + 1e-9), sum(p.loss) < sum(l.loss)
        FROM lost l JOIN lost r USING (number, k) JOIN lost p USING (number, k)
        WHERE l.recoding = 'local' AND r.recoding = 'ring' AND p.recoding = 'two_phase' GROUP BY l.k ORDER BY l.k;
    DROP TABLE lost;
END $$;
SELECT setseed(.25);
SELECT * FROM compared(3, '{2,3,5,10,25}');
CREATE TABLE weighed AS SELECT i % 4 AS a, i / 4 AS b FROM generate_series(0, 15) i;
SELECT kanon_set_attribute('weighed', 'a', 'quasi_identifier', weight => 9), kanon_set_attribute('weighed', 'b', 'quasi_identifier', weight => 1);
SELECT method, count(*) FILTER (WHERE cells::text LIKE '(_%,)') AS shows_a, count(*) FILTER (WHERE cells::text LIKE '(,_%)') AS shows_b
FROM (SELECT 'ring' AS method, kanon_ring(2, w, randomize => false) OVER () AS cells FROM weighed w
      UNION ALL SELECT 'two_phase', kanon_two_phase(2, w, randomize => false) OVER () FROM weighed w) s GROUP BY method ORDER BY method;
