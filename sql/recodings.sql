-- What holds for every recoding, whichever there are: the list is that of kanon itself.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
\set SHOW_CONTEXT never
CREATE SCHEMA recodings;
SET search_path = recodings, public;

CREATE TABLE people AS
SELECT i AS id, 20 + i * 7 % 40 AS age, CASE WHEN i % 11 > 0 THEN (53700 + i * 13 % 30)::text END AS zip,
    (ARRAY['flu', 'gout', 'mumps'])[1 + i % 3] AS disease
FROM generate_series(1, 60) i;
CREATE TABLE zips AS SELECT z::text AS zip, left(z::text, 4) || '*' AS zip4, left(z::text, 3) || '**' AS zip3
FROM generate_series(53700, 53729) z;
SELECT kanon_set_attribute('people', 'id', 'identifier');
SELECT kanon_set_attribute('people', 'age', 'quasi_identifier');
SELECT kanon_set_attribute('people', 'zip', 'quasi_identifier', 'zips');
SELECT kanon_set_attribute('people', 'disease', 'sensitive');

CREATE FUNCTION recodings() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    hint text;
BEGIN
    PERFORM kanon_create_release('none', 'people', 3, '?');
EXCEPTION WHEN invalid_parameter_value THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RETURN QUERY SELECT regexp_split_to_table(substring(hint FROM 'The recodings are (.*)\.'), ', | and ');
END $$;

-- Options that it takes, as the errors say of those that it does not
CREATE FUNCTION takes(recoding text, option text, value text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT kanon_create_release(''taking'', ''people'', 3, %L, %s)', recoding,
        CASE WHEN option IN (SELECT name FROM kanon_options()) THEN format('options => ''{"%s": %s}''', option, value) ELSE format('%I => %L', option, value) END);
    DROP MATERIALIZED VIEW taking;
    RETURN true;
EXCEPTION WHEN invalid_parameter_value THEN
    -- .. or it lacks another
    RETURN SQLERRM <> format('recoding "%s" takes no %s', recoding, option);
END $$;
CREATE TABLE options (number serial, option text, value text);
INSERT INTO options (option, value) VALUES ('suppression', '0.1'), ('models', 'distinct(disease, 2)'), ('person', 'id'),
    ('levels', '[1, 2]'), ('lowest_levels', '[0, 1]'), ('highest_levels', '[2, 2]'), ('known', '1'), ('null_matches', 'true'), ('suppress_columns', 'true'), ('means', 'true'), ('split', '"regression"'), ('target', '"disease"'), ('randomize', 'false'),
    ('seed', '"one"'), ('redraw', 'true'), ('models_after', 'true'), ('ranges', 'true'), ('key', '"id"'), ('wait', '3'),
    ('target_loss', '0.1'), ('leavers', '"keep"'), ('stale', '0.1'), ('reading', '"frozen"'), ('weights', 'true'), ('anew', 'true'), ('storage', '"view"'), ('effort', '100'), ('measure', '"discernibility"');
SELECT recoding, string_agg(option, ', ' ORDER BY number) FILTER (WHERE takes(recoding, option, value)) AS options
FROM recodings() recoding, options GROUP BY recoding ORDER BY recoding;
-- .. and as kanon_options says
SELECT recoding, name FROM recodings() recoding, kanon_options() JOIN options ON option = name WHERE recoding = ANY (recodings) <> takes(recoding, name, value);
-- .. which are all that there are
(SELECT unnest(proargnames) AS argument FROM pg_proc WHERE proname = 'kanon_create_release' UNION SELECT name FROM kanon_options())
EXCEPT SELECT option FROM options ORDER BY argument;

-- Each holds what it was made to hold, also when it was refreshed, and says what it has lost
CREATE FUNCTION made(recoding text) RETURNS TABLE (rows bigint, has_classes boolean, held boolean, quasi_identifiers text,
    loss_agrees boolean, same_again boolean, held_when_changed boolean, empty_when_few boolean) LANGUAGE plpgsql AS $$
DECLARE
    entry kanon_release;
    question text;
BEGIN
    PERFORM kanon_create_release('made', 'people', 3, recoding, options => CASE WHEN takes(recoding, 'redraw', 'true') THEN '{"redraw": true}'::jsonb END);
    SELECT * INTO entry FROM kanon_release WHERE release = 'made'::regclass;
    question := CASE WHEN entry.classes IS NOT NULL THEN 'SELECT satisfied FROM kanon_check(''made'')'
        ELSE 'SELECT satisfied FROM kanon_check_matchings(''made'')' END;
    rows := entry.rows;
    has_classes := entry.classes IS NOT NULL;
    EXECUTE question INTO held;
    quasi_identifiers := (SELECT string_agg(attname, ', ' ORDER BY ordinality) FROM unnest(entry.quasi_identifiers) WITH ORDINALITY q (name)
        JOIN pg_attribute ON attrelid = entry.release AND attnum = array_position(entry.columns, name));
    loss_agrees := abs(entry.loss - (SELECT q.loss FROM kanon_quality('made') q)) < 1e-9;
    CREATE TEMP TABLE before AS TABLE made;
    REFRESH MATERIALIZED VIEW made;
    same_again := NOT EXISTS (TABLE before EXCEPT ALL TABLE made) AND NOT EXISTS (TABLE made EXCEPT ALL TABLE before);
    DROP TABLE before;
    DELETE FROM people WHERE id % 4 = 0;
    PERFORM kanon_refresh_release('made');
    EXECUTE question INTO held_when_changed;
    DELETE FROM people WHERE id > 2;
    PERFORM kanon_refresh_release('made');
    empty_when_few := NOT EXISTS (TABLE made);
    PERFORM kanon_drop_release('made');
    RAISE EXCEPTION USING errcode = 'KA000';
EXCEPTION WHEN SQLSTATE 'KA000' THEN
    RETURN NEXT;
END $$;
SET client_min_messages = error;
-- (cohorts remember what was before: see cohorts.sql)
SELECT recoding, made.* FROM recodings() recoding, made(recoding) WHERE recoding <> 'cohorts' ORDER BY recoding;

-- The function that view texts call knows those that recode rows, by the same table.
TRUNCATE people;
INSERT INTO people SELECT i, 20 + i * 7 % 40, (53700 + i * 13 % 30)::text, (ARRAY['flu', 'gout', 'mumps'])[1 + i % 3] FROM generate_series(1, 60) i;
SELECT kanon_view_cells('?', 3, p) OVER () FROM people p;
SELECT kanon_view_cells('full_domain', 3, p) OVER () FROM people p;
SELECT kanon_view_cells(NULL, 3, p) OVER () FROM people p;
SELECT kanon_view_cells('ring', 3, p, beside => 1) OVER () FROM people p;
SELECT kanon_view_cells('mondrian', 3, p, options => '{"rest": true, "randomize": false}', seed => 'one') OVER () FROM people p;
SELECT kanon_view_cells('relaxed_mondrian', 3, p, options => '{"split": "infogain"}') OVER () FROM people p;
-- .. as does the one that tells whose record may be whose: of the same classes, or of k kinds of rows, the row's own among them
SELECT recoding, count(*) AS rows, count(*) FILTER (WHERE cardinality(who) = 4 AND who[1] = ANY (who[2:])) AS agree FROM
    (SELECT recoding, kanon_view_candidates(recoding, 3, p, seed => 'one') OVER w AS who
     FROM people p, (VALUES ('ring'), ('two_phase')) r (recoding) WINDOW w AS (PARTITION BY recoding ORDER BY id)) s
GROUP BY recoding ORDER BY recoding;
WITH classes AS (
    SELECT recoding, id, kanon_view_candidates(recoding, 3, ROW(age, zip, id), beside => 1, options => CASE recoding WHEN 'mondrian' THEN '{"rest": true}'::jsonb END) OVER w AS who, CASE recoding WHEN 'strict_mondrian' THEN kanon_strict_mondrian(3, ROW(age, zip)) OVER w ELSE kanon_mondrian(3, ROW(age, zip), relaxed => recoding ~ 'relaxed') OVER w END AS class
    FROM people, (VALUES ('mondrian'), ('strict_mondrian'), ('relaxed_mondrian')) r (recoding) WINDOW w AS (PARTITION BY recoding ORDER BY id)),
cells AS (
    SELECT recoding, kanon_view_cell(c, 'f3', 0) AS id, kanon_view_cell(c, 'class', 0) AS class FROM
        (SELECT recoding, kanon_view_cells(recoding, 3, ROW(age, zip, id), beside => 1, options => CASE recoding WHEN 'mondrian' THEN '{"rest": true}'::jsonb END) OVER (PARTITION BY recoding ORDER BY id) AS c
         FROM people, (VALUES ('mondrian'), ('strict_mondrian'), ('relaxed_mondrian')) r (recoding)) s)
SELECT recoding, count(*) AS rows, count(*) FILTER (WHERE who = ARRAY[cells.class]) AS agree, count(DISTINCT cells.class) AS classes, count(DISTINCT classes.class) AS formed, count(DISTINCT (cells.class, classes.class)) AS both
FROM classes JOIN cells USING (recoding, id) GROUP BY recoding ORDER BY recoding;
SELECT kanon_view_candidates('ring', 3, p) OVER () FROM people p WHERE id < 3;
-- .. and refuses of their options what kanon_create_release does, if it knows them at all
CREATE FUNCTION cells_take(recoding text, option text, value text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(c::text) FROM (SELECT kanon_view_cells(%L, 3, p, %s) OVER () AS c FROM people p) s', recoding,
        CASE WHEN option IN ('models', 'person') THEN format('%I => %L', option, value) WHEN option = 'seed' THEN 'seed => ''one'''
            ELSE format('options => ''{%s"%s": %s}''', CASE recoding WHEN 'mondrian' THEN '"rest": true, ' END, option, value) END || CASE WHEN recoding <> 'mondrian' THEN ''
            WHEN option IN ('models', 'person', 'seed') THEN ', options => ''{"rest": true}''' ELSE '' END);
    RETURN true;
EXCEPTION WHEN invalid_parameter_value THEN
    RETURN CASE WHEN SQLERRM <> format('unrecognized option "%s"', option) THEN SQLERRM <> format('recoding "%s" takes no %s', recoding, option) END;
END $$;
SELECT option FROM options WHERE cells_take('mondrian', option, value) IS NOT NULL ORDER BY number;
SELECT recoding, option FROM recodings() recoding, options
WHERE recoding NOT IN ('full_domain', 'cohorts') AND takes(recoding, option, value) <> cells_take(recoding, option, value);
-- What people call by a name of its own is the same.
CREATE FUNCTION differ(one text, other text, OUT differ bigint) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(*) FROM (SELECT %s AS one, %s AS other FROM people p) s WHERE one IS DISTINCT FROM other', one, other) INTO differ;
END $$;
SELECT differ($$(kanon_ring(3, p, seed => 'one', ranges => NULL) OVER ())::text$$, $$(kanon_view_cells('ring', 3, p, seed => 'one') OVER ())::text$$) AS ring,
    differ($$(kanon_two_phase(3, p, randomize => false, ranges => NULL) OVER ())::text$$, $$(kanon_view_cells('two_phase', 3, p, options => '{"randomize": false}') OVER ())::text$$) AS two_phase,
    differ('kanon_mondrian(3, p, relaxed => true) OVER ()', 'kanon_mondrian(3, p) OVER ()') > 0 AS relaxed_is_another;
-- Texts of releases that say nothing of rest parts are of a time when mondrian was what strict_mondrian is now.
SELECT differ($$(kanon_view_cells('mondrian', 3, p) OVER ())::text$$, $$(kanon_view_cells('strict_mondrian', 3, p) OVER ())::text$$) AS strict,
    differ($$(kanon_view_cells('mondrian', 9, p, options => '{"rest": true}') OVER ())::text$$, $$(kanon_view_cells('mondrian', 9, p) OVER ())::text$$) > 0 AS another;
SELECT kanon_view_cells('strict_mondrian', 3, p, options => '{"rest": true}') OVER () FROM people p;
-- Each window partition may be recoded by another.
SELECT (kanon_view_cells(CASE WHEN id > 30 THEN 'ring' ELSE 'mondrian' END, 3, p, seed => CASE WHEN id > 30 THEN 'one' END) OVER (PARTITION BY id > 30))::text FROM people p
EXCEPT ALL (SELECT (kanon_ring(3, p, seed => 'one', ranges => NULL) OVER ())::text FROM people p WHERE id > 30
    UNION ALL SELECT (kanon_view_cells('mondrian', 3, p) OVER ())::text FROM people p WHERE id <= 30);

SET search_path = nowhere, public;
DROP SCHEMA recodings CASCADE;
