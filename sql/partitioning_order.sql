-- Releases go by which rows there are, not by their order, also where memory barely suffices.
\set VERBOSITY terse
SET client_min_messages = warning;
SELECT setseed(.37);
CREATE TABLE people AS SELECT i id, round((random() * 1000)::numeric, 3) income, i disease FROM generate_series(1, 14000) i;
SELECT kanon_declare('people', quasi_identifiers => '{income}', sensitive => '{disease}', identifiers => '{id}');
-- How often which release, or error, comes of the table in so many orders.
CREATE FUNCTION orders(partitioning text, memory text, orders int) RETURNS TABLE (times bigint, outcome text) LANGUAGE plpgsql AS $$
DECLARE
    outcomes text[] := '{}';
BEGIN
    PERFORM set_config('kanon.partitioning', partitioning, true), set_config('kanon.memory_limit', memory, true);
    FOR o IN 1 .. orders LOOP
        CREATE TEMP TABLE shuffled AS SELECT * FROM people ORDER BY md5(id::text || o);
        TRUNCATE people;
        INSERT INTO people TABLE shuffled;
        DROP TABLE shuffled;
        BEGIN
            PERFORM kanon_create_release('study', 'people', 50, 'mondrian');
            outcomes := outcomes || kanon_digest('study');
            PERFORM kanon_drop_release('study');
        EXCEPTION WHEN program_limit_exceeded THEN
            outcomes := outcomes || SQLSTATE::text;
        END;
    END LOOP;
    RETURN QUERY SELECT count(*), CASE WHEN x = '54000' THEN x ELSE 'a release' END FROM unnest(outcomes) x GROUP BY x;
END $$;
SELECT partitioning, max(memory) FILTER (WHERE outcome = '54000') < min(memory) FILTER (WHERE outcome <> '54000') AS from_some_limit_on, min(times), max(times), array_agg(DISTINCT outcome) AS outcomes
FROM unnest(ARRAY['sample', 'tree']) partitioning, generate_series(1600, 2200, 150) memory, orders(partitioning, memory || 'kB', 3) GROUP BY partitioning;
-- The same release in two orders: who is in a group of its own in both of them?
SET kanon.partitioning = sample;
SET kanon.memory_limit = '1900kB';
SELECT kanon_create_release('study', 'people', 50, 'strict_mondrian');
CREATE TEMP TABLE copy AS TABLE study;
CREATE TEMP TABLE another AS SELECT * FROM people ORDER BY md5(id::text);
TRUNCATE people;
INSERT INTO people TABLE another;
SELECT changed FROM kanon_refresh_release('study');
SELECT count(*) FILTER (WHERE n < 50) AS groups_below_50 FROM (SELECT count(*) n FROM copy c JOIN study s USING (disease) GROUP BY c.income, s.income) g;
SELECT kanon_drop_release('study');
-- Equal values in several spellings count as the widest of each, whichever comes first.
TRUNCATE people;
INSERT INTO people SELECT i, (i % 3000)::numeric + round(0.5, 1 + i / 3000 * 7), i FROM generate_series(1, 14000) i;
SELECT partitioning, min(times), max(times), array_agg(DISTINCT outcome) AS outcomes
FROM unnest(ARRAY['sample', 'tree']) partitioning, unnest(ARRAY[550, 710, 790, 870]) memory, orders(partitioning, memory || 'kB', 3) GROUP BY partitioning;
-- What tapes take is counted to the end: rows of two codes and a number, then pairs of a row and its class.
SET kanon.partitioning = tree;
SET kanon.memory_limit = '4MB';
SELECT max(class) > 1 AS classes FROM (SELECT kanon_mondrian(50, ROW(id % 100, disease % 90)) OVER () AS class FROM people) c;
SELECT bytes_written - 12 * rows_written AS classes_written, bytes_read - 12 * rows_read AS classes_read, 8 * rows AS expected FROM kanon_last_partitioning();
DROP TABLE people CASCADE;
