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
    EXECUTE format('SELECT kanon_create_release(''taking'', ''people'', 3, %L, %I => %L)', recoding, option, value);
    DROP MATERIALIZED VIEW taking;
    RETURN true;
EXCEPTION WHEN invalid_parameter_value THEN
    -- .. or it lacks another
    RETURN SQLERRM <> format('recoding "%s" takes no %s', recoding, option);
END $$;
CREATE TABLE options (number serial, option text, value text);
INSERT INTO options (option, value) VALUES ('levels', '{1,2}'), ('suppression', '0.1'), ('means', 'true'),
    ('split', 'regression'), ('target', 'disease'), ('models', '{"distinct(disease, 2)"}'), ('person', 'id'),
    ('randomize', 'false'), ('seed', 'one');
SELECT recoding, string_agg(option, ', ' ORDER BY number) FILTER (WHERE takes(recoding, option, value)) AS options
FROM recodings() recoding, options GROUP BY recoding ORDER BY recoding;
-- .. which are all that there are
SELECT unnest(proargnames) AS argument FROM pg_proc WHERE proname = 'kanon_create_release'
EXCEPT SELECT option FROM options ORDER BY argument;

-- Each holds what it was made to hold, also when it was refreshed, and says what it has lost
CREATE FUNCTION made(recoding text) RETURNS TABLE (rows bigint, has_classes boolean, held boolean, quasi_identifiers text,
    loss_agrees boolean, same_again boolean, held_when_changed boolean, empty_when_few boolean) LANGUAGE plpgsql AS $$
DECLARE
    entry kanon_release;
    question text;
BEGIN
    PERFORM kanon_create_release('made', 'people', 3, recoding);
    SELECT * INTO entry FROM kanon_release WHERE release = 'made'::regclass;
    question := CASE WHEN entry.classes IS NOT NULL THEN 'SELECT satisfied FROM kanon_check(''made'')'
        ELSE 'SELECT satisfied FROM kanon_check_matchings(''made'')' END;
    rows := entry.rows;
    has_classes := entry.classes IS NOT NULL;
    EXECUTE question INTO held;
    quasi_identifiers := (SELECT string_agg(attname, ', ' ORDER BY ordinality) FROM unnest(entry.positions) WITH ORDINALITY p (position)
        JOIN pg_attribute ON attrelid = entry.release AND attnum = position);
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
SELECT recoding, made.* FROM recodings() recoding, made(recoding) ORDER BY recoding;
SET search_path = nowhere, public;
DROP SCHEMA recodings CASCADE;
