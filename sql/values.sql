-- What kanon does with somebody's table runs nobody's code but PostgreSQL's and its own: not
-- casts, domains, ranges, views and policies.  And it writes the same under all settings.
\set VERBOSITY terse
SET client_min_messages = warning;
-- Messages name whoever runs this.
CREATE ROLE regress_values_superuser SUPERUSER;
SET SESSION AUTHORIZATION regress_values_superuser;
CREATE ROLE regress_values_owner;
CREATE ROLE regress_values_group;
CREATE ROLE regress_values_reader IN ROLE regress_values_group;
CREATE SCHEMA trap AUTHORIZATION regress_values_owner;
CREATE SCHEMA mine;
GRANT USAGE ON SCHEMA trap TO PUBLIC;
GRANT ALL ON SCHEMA mine TO regress_values_reader, regress_values_owner;
SET search_path = mine, public;

-- Types of regress_values_owner's.  Their code tells when somebody else runs it.
SET ROLE regress_values_owner;
SET search_path = trap, public;
CREATE FUNCTION ran(what text) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
    IF current_user <> 'regress_values_owner' THEN
        RAISE EXCEPTION '% ran as %', what, current_user;
    END IF;
    RETURN true;
END $$;
CREATE FUNCTION sure(what text) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN trap.ran(what); END $$;
CREATE TYPE hue AS ENUM ('blue', 'green', 'red', 'yellow');
CREATE TYPE pair AS (x int, y text);
CREATE DOMAIN word AS text CHECK (trap.ran('domain'));
CREATE TYPE boxed AS (w word);
CREATE TYPE inner_range AS RANGE (subtype = int4);
CREATE VIEW casts AS SELECT format('%s AS text', type) AS types, format('to_text(%s)', type) AS function
FROM unnest('{hue,pair,boxed,inner_range,hue[]}'::text[]) type
UNION ALL VALUES ('text AS hue', 'from_text(text)'), ('int AS hue', 'from_int(int)');
SELECT format('CREATE FUNCTION %1$s RETURNS %2$s LANGUAGE plpgsql AS '
    '''BEGIN PERFORM trap.ran(''''%1$s''''); RETURN NULL; END'';'
    'CREATE CAST (%3$s) WITH FUNCTION %1$s;', function, split_part(types, ' AS ', 2), types) FROM casts
\gexec
CREATE TABLE people (id int, hue hue, pair pair, word word, boxed boxed, inn inner_range,
    hues hue[], age int, secret hue);
INSERT INTO people SELECT i, h, ROW(i % 2, 'a')::pair, 'w' || i % 3, ROW('w' || i % 2)::boxed,
    inner_range(i % 3, 5), ARRAY[h], 20 + i % 8, h
FROM (SELECT i, ('{blue,green,red,yellow}'::hue[])[1 + i % 4] AS h FROM generate_series(1, 48) i) n;
CREATE TABLE hues AS SELECT DISTINCT hue, hue AS bright, '*'::word AS top FROM people;
CREATE TABLE pairs AS SELECT DISTINCT pair, ROW(0, 'all')::pair AS top FROM people;
CREATE TABLE words AS SELECT DISTINCT word, ('w' || ascii(word) % 2)::word AS short, '*' AS top FROM people;
CREATE TABLE stems AS SELECT DISTINCT word, 'w'::word AS stem FROM people;
CREATE TABLE boxes AS SELECT DISTINCT boxed, ROW('*')::boxed AS top FROM people;
CREATE TABLE inner_ranges AS SELECT DISTINCT inn, inner_range(0, 9) AS top FROM people;
CREATE TABLE many AS SELECT DISTINCT hues, ARRAY['red']::hue[] AS top FROM people;
SELECT kanon_set_attribute('people', name, 'quasi_identifier', dimension)
FROM (VALUES ('hue', 'hues'::regclass), ('pair', 'pairs'), ('word', 'words'), ('boxed', 'boxes'), ('inn', 'inner_ranges'),
    ('hues', 'many'), ('age', NULL)) d (name, dimension);
SELECT kanon_set_attribute('people', 'secret', 'sensitive', 'hues');
GRANT SELECT ON ALL TABLES IN SCHEMA trap TO PUBLIC;
RESET ROLE;
SET search_path = mine, public;

-- A superuser looks at the table in every way.
CREATE FUNCTION look(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE query;
    RETURN 'fine';
EXCEPTION WHEN OTHERS THEN
    RETURN sqlstate || ' ' || sqlerrm;
END $$;
CREATE TABLE looks (n serial, query text);
COPY looks (query) FROM stdin;
SELECT * FROM trap.people, trap.hues
SELECT * FROM kanon_incognito('trap.people', 2)
SELECT * FROM kanon_bottom_up('trap.people', 2, '{hue,word,age}', models => '{"distinct(secret,1)"}')
SELECT * FROM kanon_datafly('trap.people', 2)
SELECT * FROM kanon_binary_search('trap.people', 2)
SELECT * FROM kanon_check('trap.people', 2)
SELECT * FROM kanon_check('trap.people', 1, models => '{"closeness(secret,1)"}', person => 'hue')
SELECT * FROM kanon_classes('trap.people', 2)
SELECT * FROM kanon_risk('trap.people')
SELECT * FROM kanon_sample_uniques('trap.people')
SELECT * FROM kanon_special_uniques('trap.people', 'hue')
SELECT * FROM kanon_special_uniques('trap.people', 'pair')
SELECT * FROM kanon_check_dimension('trap.hues', 'trap.people', 'hue')
SELECT * FROM kanon_check_dimension('trap.words', 'trap.people', 'word')
SELECT * FROM kanon_check_dimension('trap.pairs', 'trap.people', 'pair')
SELECT * FROM kanon_check_dimension('trap.boxes', 'trap.people', 'boxed')
SELECT * FROM kanon_matching_bound('trap.people', 2)
SELECT kanon_create_dimension('hues_made', 'trap.people', 'hue', 'quantiles', '{3,2}')
SELECT kanon_create_dimension('words_told', 'trap.people', 'word', 'taxonomy', '{trap.stems}')
SELECT kanon_create_dimension('words_made', 'trap.people', 'word', 'digits')
SELECT kanon_create_dimension('pairs_made', 'trap.people', 'pair', 'suppress')
SELECT kanon_mondrian(2, p) OVER () FROM trap.people p
SELECT kanon_mondrian_tree(2, p) FROM trap.people p
SELECT kanon_mondrian_tree(2, p, '{hue,pair,word,inn,hues}') FROM trap.people p
SELECT kanon_ring(2, p) OVER () FROM trap.people p
SELECT kanon_two_phase(2, p) OVER () FROM trap.people p
SELECT kanon_create_release('one', 'trap.people', 2, 'mondrian')
SELECT kanon_create_release('two', 'trap.people', 2, 'two_phase')
SELECT kanon_create_release('three', 'trap.people', 2, 'full_domain', options => '{"levels": [2, 1, 2, 1, 1, 1, 1]}')
REFRESH MATERIALIZED VIEW one
REFRESH MATERIALIZED VIEW two
REFRESH MATERIALIZED VIEW three
SELECT * FROM kanon_check('one', 2)
SELECT * FROM kanon_quality('one', 'trap.people')
SELECT * FROM kanon_quality('two', 'trap.people')
SELECT * FROM kanon_quality('three', 'trap.people')
SELECT * FROM kanon_check_matchings('one', 2, 'trap.people')
SELECT * FROM kanon_check_matchings('two', 2, 'trap.people')
SELECT * FROM kanon_query_errors('one', '{hue = ''red''}', 'trap.people')
SELECT * FROM kanon_query_errors('one', '{word = ''w1''}', 'trap.people')
SELECT * FROM kanon_query_errors('one', '{word = ''w1''::trap.word}', 'trap.people')
SELECT * FROM kanon_query_errors('one', '{hue = 1}', 'trap.people')
SELECT * FROM kanon_query_errors('one', '{hue = 1::trap.hue}', 'trap.people')
SELECT * FROM kanon_query_errors('one', '{boxed = ''(a)''}', 'trap.people')
DROP MATERIALIZED VIEW IF EXISTS one, two, three
\.
SELECT query, look(query) FROM (SELECT * FROM looks ORDER BY n) q;
-- The same with casts that are taken unasked.
SET ROLE regress_values_owner;
SET search_path = trap, public;
SELECT format('DROP CAST (%1$s); CREATE CAST (%1$s) WITH FUNCTION %2$s AS IMPLICIT', types, function) FROM casts
\gexec
RESET ROLE;
SET search_path = mine, public;
DROP TABLE hues_made, words_made, words_told, pairs_made;
SELECT query, look FROM (SELECT query, look(query) FROM (SELECT * FROM looks ORDER BY n) q) q WHERE look LIKE '% ran as %';

-- What counts as a dimension: what belongs to the relation's owner, who declares, searches and
-- makes for everybody who has his rights.
SET ROLE regress_values_owner;
SET search_path = trap, public;
CREATE TABLE visits (zip text, age int);
INSERT INTO visits SELECT '5370' || i % 4, 30 + i % 2 FROM generate_series(1, 40) i;
CREATE VIEW zips AS SELECT DISTINCT zip, '*' AS top FROM visits WHERE ran('view');
CREATE MATERIALIZED VIEW stored AS TABLE zips;
CREATE TABLE secured AS SELECT zip, CASE WHEN zip < '53702' THEN 'a' ELSE 'b' END AS side, top FROM zips;
CREATE POLICY own ON secured USING (ran('policy'));
CREATE TABLE halves (zip text, top text) PARTITION BY LIST (top);
CREATE TABLE half PARTITION OF halves FOR VALUES IN ('*');
INSERT INTO halves TABLE stored;
CREATE TABLE parent (zip text, top text, CHECK (sure('constraint of the parent')));
CREATE TABLE child (CHECK (sure('constraint of a child'))) INHERITS (parent);
INSERT INTO child TABLE stored;
CREATE TABLE many_visits (LIKE visits);
CREATE TABLE more_visits (CHECK (sure('constraint'))) INHERITS (many_visits);
INSERT INTO more_visits TABLE visits;
SELECT kanon_set_attribute('many_visits', 'zip', 'quasi_identifier', 'parent'),
    kanon_set_attribute('many_visits', 'age', 'quasi_identifier');
GRANT SELECT ON ALL TABLES IN SCHEMA trap TO PUBLIC;
RESET ROLE;
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
SET search_path = trap, mine, public;
CREATE FOREIGN TABLE far (zip text, top text) SERVER nowhere;
CREATE FOREIGN TABLE farther (zip text, top text) SERVER nowhere;
ALTER FOREIGN TABLE far OWNER TO regress_values_owner;
ALTER FOREIGN TABLE farther OWNER TO regress_values_owner;
GRANT SELECT ON far, farther TO PUBLIC;
\set VERBOSITY default
SELECT kanon_set_attribute('visits', 'zip', 'quasi_identifier', 'stored');
SELECT levels FROM kanon_incognito('visits', 5);
SELECT kanon_set_attribute('visits', 'zip', 'quasi_identifier', 'zips');
SET ROLE regress_values_owner;
SELECT kanon_set_attribute('visits', 'zip', 'quasi_identifier', 'zips');
SELECT levels FROM kanon_incognito('visits', 5);
SELECT count(*) FROM kanon_check_dimension('zips', 'visits', 'zip');
RESET ROLE;
-- .. each time that it is read
SELECT levels FROM kanon_incognito('visits', 5);
SELECT count(*) FROM kanon_check_dimension('zips', 'visits', 'zip');
SELECT kanon_generalized_query('visits', '{1}');
SELECT kanon_create_dimension('some', 'visits', 'zip', 'taxonomy', '{zips}');
\set VERBOSITY terse
SELECT count(*) FROM (SELECT kanon_view_cells('mondrian', 2, v) OVER () FROM visits v) v;
SELECT kanon_mondrian_tree(2, v) FROM visits v;
SELECT count(*) FROM (SELECT kanon_ring(2, v) OVER () FROM visits v) v;
SELECT kanon_view_cells('mondrian', 2, v, dimensions => '{zips,NULL}') OVER () FROM (SELECT zip, age FROM visits) v;
SELECT count(*) FROM (SELECT kanon_mondrian(2, v, '{age}', models => '{"closeness(zip,1)"}') OVER () FROM visits v) v;
SELECT count(*) FROM kanon_check('visits', 2, '{age}', models => '{"closeness(zip,1)"}');
SELECT kanon_matching_bound('visits', 2);
-- .. by a member of its owner's role, too
GRANT regress_values_owner TO regress_values_reader;
SET ROLE regress_values_reader;
SELECT levels FROM kanon_incognito('visits', 5);
RESET ROLE;
REVOKE regress_values_owner FROM regress_values_reader;
-- No row security, enabled or forced; partitions and children are looked at.
SET ROLE regress_values_owner;
\set VERBOSITY default
SELECT kanon_set_attribute('visits', 'zip', 'quasi_identifier', 'secured');
ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
SELECT levels FROM kanon_incognito('visits', 5);
\set VERBOSITY terse
ALTER TABLE secured DISABLE ROW LEVEL SECURITY;
SELECT levels FROM kanon_incognito('visits', 5);
SELECT kanon_set_attribute('visits', 'zip', 'quasi_identifier', 'halves');
SELECT levels FROM kanon_incognito('visits', 5);
ALTER TABLE half ENABLE ROW LEVEL SECURITY;
SELECT levels FROM kanon_incognito('visits', 5);
ALTER TABLE half DISABLE ROW LEVEL SECURITY;
RESET ROLE;
ALTER TABLE trap.halves ATTACH PARTITION trap.far FOR VALUES IN ('+');
\set VERBOSITY default
SELECT levels FROM kanon_incognito('visits', 5);
\set VERBOSITY terse
ALTER TABLE trap.halves DETACH PARTITION trap.far;
SELECT levels FROM kanon_incognito('visits', 5);
SET ROLE regress_values_owner;
SELECT kanon_set_attribute('visits', 'zip', 'quasi_identifier', 'far');
SELECT levels FROM kanon_incognito('visits', 5);
RESET ROLE;
SELECT levels FROM kanon_incognito('visits', 5);

-- Functions in indexes, statistics and partition keys run while a query is planned, as their owner.
SET ROLE regress_values_owner;
SELECT kanon_set_attribute('visits', 'zip', 'quasi_identifier', 'stored');
CREATE INDEX planned ON stored (zip) WHERE sure('index');
SELECT levels FROM kanon_incognito('visits', 5);
RESET ROLE;
\set VERBOSITY default
SELECT levels FROM kanon_incognito('visits', 5);
\set VERBOSITY terse
DROP INDEX planned;
CREATE INDEX planned ON stored ((zip || sure('index')::text));
SELECT levels FROM kanon_incognito('visits', 5);
DROP INDEX planned;
CREATE INDEX planned ON stored (lower(zip)) WHERE length(zip) > 1;
CREATE STATISTICS planned ON (zip || sure('statistics')::text), top FROM stored;
SELECT levels FROM kanon_incognito('visits', 5);
DROP STATISTICS planned;
SELECT levels FROM kanon_incognito('visits', 5);
DROP INDEX planned;
SET ROLE regress_values_owner;
CREATE TABLE keyed (zip text, top text) PARTITION BY LIST ((top || sure('partition key')::text));
GRANT SELECT ON keyed TO PUBLIC;
SELECT kanon_set_attribute('visits', 'zip', 'quasi_identifier', 'keyed');
RESET ROLE;
SELECT levels FROM kanon_incognito('visits', 5);

-- Constraints of children are not asked while a query is planned.
SELECT count(*) FROM kanon_check_dimension('parent', 'many_visits', 'zip');
SELECT levels FROM kanon_incognito('many_visits', 5);
SELECT kanon_create_dimension('ages_made', 'many_visits', 'age', 'ranges', '{5}');

-- The one who counts at a refresh is the owner of the release.
SET ROLE regress_values_owner;
SELECT kanon_set_attribute('visits', 'zip', 'quasi_identifier', 'secured');
RESET ROLE;
SET search_path = mine, trap, public;
SET ROLE regress_values_reader;
SELECT kanon_create_release('by_reader', 'visits', 5, 'mondrian', quasi_identifiers => '{zip}');
SELECT kanon_create_release('cells_by_reader', 'visits', 5, 'two_phase', quasi_identifiers => '{zip}');
SELECT kanon_create_release('whole_by_reader', 'visits', 5, 'full_domain', quasi_identifiers => '{zip}', options => '{"levels": [1]}');
REFRESH MATERIALIZED VIEW by_reader;
REFRESH MATERIALIZED VIEW cells_by_reader;
REFRESH MATERIALIZED VIEW whole_by_reader;
RESET ROLE;
ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
REFRESH MATERIALIZED VIEW by_reader;
REFRESH MATERIALIZED VIEW cells_by_reader;
\set VERBOSITY default
REFRESH MATERIALIZED VIEW whole_by_reader;
\set VERBOSITY terse
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('whole_by_reader');
REFRESH MATERIALIZED VIEW whole_by_reader WITH NO DATA;
ALTER TABLE secured DISABLE ROW LEVEL SECURITY;
REFRESH MATERIALIZED VIEW by_reader;
REFRESH MATERIALIZED VIEW whole_by_reader;
SET ROLE regress_values_owner;
CREATE INDEX planned ON secured (zip) WHERE sure('index');
RESET ROLE;
REFRESH MATERIALIZED VIEW by_reader;
REFRESH MATERIALIZED VIEW whole_by_reader;
DROP INDEX planned;
-- .. whoever that is
SET ROLE regress_values_owner;
SET search_path = trap, public;
SELECT kanon_set_attribute('visits', 'zip', 'quasi_identifier', 'zips');
RESET ROLE;
SET ROLE regress_values_owner;
SELECT kanon_create_release('mine.own_cells', 'visits', 5, quasi_identifiers => '{zip}');
RESET ROLE;
REFRESH MATERIALIZED VIEW mine.own_cells;
ALTER VIEW zips OWNER TO regress_values_group;
REFRESH MATERIALIZED VIEW mine.own_cells;
DROP MATERIALIZED VIEW mine.own_cells, mine.by_reader, mine.cells_by_reader, mine.whole_by_reader;

-- Ground values become values of the column by PostgreSQL's own casts, or not at all.
SET search_path = trap, mine, public;
SET ROLE regress_values_owner;
CREATE TABLE hue_texts AS SELECT format('%s', hue) AS hue, '*' AS top FROM hues;
CREATE TABLE hue_numbers (hue int, top text);
CREATE TABLE box_texts (w text, top text);
CREATE TABLE coloured AS SELECT format('%s', hue) AS hue FROM people;
\set VERBOSITY default
SELECT kanon_set_attribute('people', 'hue', 'quasi_identifier', 'hue_numbers');
SELECT kanon_set_attribute('people', 'hue', 'quasi_identifier', 'hue_texts');
SELECT kanon_check_dimension('box_texts', 'people', 'boxed');
DROP CAST (text AS hue);
SELECT kanon_set_attribute('people', 'hue', 'quasi_identifier', 'hue_texts');
-- .. and texts as they do for a release
SELECT kanon_set_attribute('coloured', 'hue', 'quasi_identifier', 'hues');
RESET ROLE;
SELECT levels FROM kanon_incognito('people', 5, '{hue}');
SELECT levels FROM kanon_incognito('coloured', 5);
\set VERBOSITY terse
SET ROLE regress_values_owner;
CREATE CAST (text AS hue) WITH FUNCTION from_text(text);
RESET ROLE;
SELECT levels FROM kanon_incognito('people', 5, '{hue}');
-- A release calls no casts that came after the dimension was declared,
SET ROLE regress_values_owner;
CREATE TYPE tone AS ENUM ('blue', 'green', 'red', 'yellow');
CREATE FUNCTION tone(text) RETURNS tone LANGUAGE plpgsql AS $$ BEGIN PERFORM trap.ran('tone(text)'); RETURN NULL; END $$;
CREATE FUNCTION told(tone) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM trap.ran('told(tone)'); RETURN NULL; END $$;
CREATE CAST (tone AS text) WITH FUNCTION told(tone);
CREATE TABLE toned AS SELECT ('{blue,green,red,yellow}'::tone[])[1 + i % 4] AS tone FROM generate_series(1, 40) i;
CREATE TABLE tones AS SELECT format('%s', tone) AS tone,
    CASE WHEN tone < 'red' THEN 'cold' ELSE 'warm' END AS half, '*' AS top FROM (SELECT DISTINCT tone FROM toned) t;
SELECT kanon_set_attribute('toned', 'tone', 'quasi_identifier', 'tones');
RESET ROLE;
SELECT kanon_create_release('mine.halves', 'toned', 5, 'full_domain', options => '{"levels": [1]}');
SET ROLE regress_values_owner;
CREATE CAST (text AS tone) WITH FUNCTION tone(text);
RESET ROLE;
SELECT kanon_create_release('mine.again', 'toned', 5, 'full_domain', options => '{"levels": [1]}');
SELECT kanon_generalized_query('toned', '{1}', 5);
SELECT count(*) FROM kanon_quality('mine.halves', 'toned');
SELECT count(*) FROM kanon_check_matchings('mine.halves', 5, 'toned');
REFRESH MATERIALIZED VIEW mine.halves;
-- .. or were there when it was restored,
\set ECHO none
SELECT format('CREATE MATERIALIZED VIEW mine.restored AS %s WITH NO DATA', rtrim(pg_get_viewdef('mine.halves'::regclass), ';'))
\gexec
\set ECHO all
UPDATE kanon_release_state SET release = 'mine.restored'::regclass WHERE release = 'mine.halves'::regclass;
\set VERBOSITY default
REFRESH MATERIALIZED VIEW mine.restored;
\set VERBOSITY terse
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('mine.restored');
DROP MATERIALIZED VIEW mine.halves, mine.restored;
-- .. and none of values that a dimension lacks.
SET ROLE regress_values_owner;
DROP CAST (text AS tone);
DELETE FROM tones WHERE tone = 'red';
RESET ROLE;
\set VERBOSITY default
SELECT kanon_create_release('mine.again', 'toned', 5, 'full_domain', options => '{"levels": [1]}');
-- A tree is read back from its text: no code of others then.
SELECT replace(kanon_mondrian_tree(2, n)::text, '"int4"', '"trap.boxed"')::kanon_tree FROM (SELECT i FROM generate_series(1, 4) i) n;
SELECT replace(kanon_mondrian_tree(2, n)::text, '"int4"', '"trap._boxed"')::kanon_tree FROM (SELECT i FROM generate_series(1, 4) i) n;
\set VERBOSITY terse

-- All settings that texts depend on, and their like, one after another.
SET search_path = mine, public;
CREATE TABLE stays (id int, day date, moment timestamptz, span interval, weight float8, bytes bytea, price money,
    at timetz, tags float4[], word text);
INSERT INTO stays SELECT i, '2024-01-10'::date + i % 4, '2024-01-10 22:00+00'::timestamptz + (i % 3) * interval '1 hour',
    (i % 3) * interval '1 day 2:03:04', (i % 3) / 3.0, decode('0001' || i % 2 || '0', 'hex'), (i % 3)::money,
    '10:00+05', ARRAY[(i % 2) / 3.0], 'w' || i % 4
FROM generate_series(1, 60) i;
CREATE TABLE days AS SELECT DISTINCT day, date_trunc('month', day)::date AS month, '-infinity'::date AS top FROM stays;
CREATE TABLE weights AS SELECT DISTINCT weight::text AS weight, weight / 3 AS label, 1e10 / 3 AS top FROM stays;
CREATE TABLE spans AS SELECT DISTINCT span, '1 day 2:03'::interval AS top FROM stays;
SELECT kanon_set_attribute('stays', 'day', 'quasi_identifier', 'days'),
    kanon_set_attribute('stays', 'weight', 'quasi_identifier', 'weights'),
    kanon_set_attribute('stays', 'span', 'quasi_identifier', 'spans');
SELECT count(kanon_set_attribute('stays', name::name, 'quasi_identifier')) FROM unnest('{bytes,price,at,tags}'::text[]) name;
CREATE TABLE setting (session int, name text, value text);
INSERT INTO setting VALUES (1, 'datestyle', 'German'), (2, 'datestyle', 'SQL, DMY'), (3, 'datestyle', 'Postgres, MDY'),
    (1, 'intervalstyle', 'iso_8601'), (2, 'intervalstyle', 'sql_standard'), (3, 'intervalstyle', 'postgres_verbose'),
    (1, 'timezone', 'Asia/Kolkata'), (2, 'timezone', 'America/New_York'), (1, 'extra_float_digits', '-10'),
    (2, 'extra_float_digits', '3'), (1, 'bytea_output', 'escape'), (1, 'lc_monetary', 'C.UTF-8'),
    (1, 'lc_numeric', 'C.UTF-8'), (1, 'lc_time', 'C.UTF-8'), (1, 'search_path', 'trap, pg_temp, mine, public'),
    (2, 'array_nulls', 'off'), (2, 'quote_all_identifiers', 'on'), (3, 'row_security', 'off');
-- What a query finds, as a digest: its rows are stored first, and then read under one setting.
CREATE FUNCTION digest(relation regclass) RETURNS text LANGUAGE plpgsql SET datestyle = 'ISO' SET intervalstyle = 'postgres'
SET timezone = 'UTC' SET extra_float_digits = 1 SET bytea_output = 'hex' AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE format('SELECT md5(coalesce(string_agg(r::text, chr(10) ORDER BY r::text COLLATE "C"), ''none'')) FROM %s r', relation)
    INTO answer;
    RETURN answer;
END $$;
CREATE TABLE question (query text);
INSERT INTO question SELECT format(q, r) FROM unnest('{full_domain,mondrian,relaxed_mondrian,ring,two_phase}'::text[]) r, (VALUES
    ('TABLE mine.%s'),
    ('SELECT * FROM public.kanon_quality(''mine.%1$s'', ''mine.stays'')'),
    ('SELECT * FROM public.kanon_query_errors(''mine.%1$s'', ''{day < ''''2024-01-12'''' AND price < ''''$1.50''''}'', ''mine.stays'')'),
    ('SELECT * FROM public.kanon_check_matchings(''mine.%1$s'', 5, ''mine.stays'')')) c (q);
INSERT INTO question VALUES ('SELECT * FROM public.kanon_classes(''mine.stays'', 2)'),
    ('SELECT * FROM public.kanon_check_dimension(''mine.days'', ''mine.stays'', ''day'')'),
    ('SELECT * FROM public.kanon_incognito(''mine.stays'', 5)'),
    ('SELECT * FROM public.kanon_special_uniques(''mine.stays'', ''moment'')'),
    ('SELECT public.kanon_mondrian_tree(5, s)::text FROM mine.stays s'),
    ('SELECT public.kanon_region((SELECT public.kanon_mondrian_tree(5, s) FROM mine.stays s), t) FROM mine.stays t'),
    ('SELECT c::text FROM (SELECT public.kanon_view_cells(''mondrian'', 5, s) OVER () AS c FROM mine.stays s) s');
CREATE TABLE making (attribute name, method text, arguments text[]);
INSERT INTO making VALUES ('day', 'dates', '{month,year}'), ('moment', 'dates', '{hour,month}'), ('moment', 'quantiles', '{2}'),
    ('span', 'quantiles', '{2}'), ('weight', 'quantiles', '{2}'), ('weight', 'ranges', '{0.5,1}'),
    ('bytes', 'quantiles', '{2}'), ('price', 'quantiles', '{2}'), ('tags', 'quantiles', '{2}');
CREATE TABLE copy AS TABLE stays;
CREATE FUNCTION answers() RETURNS TABLE (question text, answer text) LANGUAGE plpgsql AS $$
DECLARE
    m mine.making;
BEGIN
    REFRESH MATERIALIZED VIEW mine.full_domain;
    REFRESH MATERIALIZED VIEW mine.mondrian;
    REFRESH MATERIALIZED VIEW mine.relaxed_mondrian;
    REFRESH MATERIALIZED VIEW mine.ring;
    REFRESH MATERIALIZED VIEW mine.two_phase;
    FOR question IN SELECT query FROM mine.question LOOP
        EXECUTE format('CREATE TABLE mine.answer AS %s', question);
        answer := mine.digest('mine.answer');
        DROP TABLE mine.answer;
        RETURN NEXT;
    END LOOP;
    FOR m IN SELECT * FROM mine.making LOOP
        PERFORM public.kanon_create_dimension('mine.made', 'mine.copy', m.attribute, m.method, m.arguments);
        question := m::text;
        answer := mine.digest('mine.made');
        DROP TABLE mine.made;
        RETURN NEXT;
    END LOOP;
END $$;
CREATE FUNCTION changed(in_session int) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
    changed text[];
BEGIN
    PERFORM set_config(name, value, true) FROM mine.setting WHERE session = in_session;
    changed := ARRAY(SELECT a.question FROM mine.answers() a
        WHERE NOT EXISTS (SELECT FROM mine.before b WHERE b.question = a.question AND b.answer = a.answer));
    RAISE EXCEPTION USING ERRCODE = 'KANON', MESSAGE = changed::text;
EXCEPTION WHEN SQLSTATE 'KANON' THEN
    RETURN sqlerrm;
END $$;
SELECT kanon_create_release('mine.' || recoding, 'mine.stays', 5, recoding, options => CASE WHEN recoding IN ('ring', 'two_phase') THEN '{"randomize": false}'::jsonb END)
FROM unnest('{full_domain,mondrian,relaxed_mondrian,ring,two_phase}'::text[]) recoding;
CREATE TABLE before AS SELECT * FROM answers();
SELECT count(*) FROM before;
SELECT session, changed(session) FROM generate_series(1, 3) session;

SET client_min_messages = error;
DROP SCHEMA mine, trap CASCADE;
DROP FOREIGN DATA WRAPPER nowhere CASCADE;
DROP ROLE regress_values_owner, regress_values_reader, regress_values_group;
RESET SESSION AUTHORIZATION;
DROP OWNED BY regress_values_superuser CASCADE;
DROP ROLE regress_values_superuser;
