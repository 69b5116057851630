-- Making dimensions: kanon_create_dimension.
SET client_min_messages = warning;
CREATE ROLE regress_steward;
CREATE ROLE regress_visitor;
CREATE SCHEMA "Dimension Test" AUTHORIZATION regress_steward;
CREATE SCHEMA regress_elsewhere AUTHORIZATION regress_steward;
GRANT USAGE ON SCHEMA "Dimension Test" TO PUBLIC;
SET search_path = "Dimension Test", public;
SET ROLE regress_steward;
RESET client_min_messages;

CREATE DOMAIN zipcode AS varchar(5) COLLATE "C" CHECK (VALUE ~ '^[0-9]*$');
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TABLE person (
    "Full ""Name""" text,
    age int,
    zip zipcode,
    height numeric(5, 2),
    weight float4,
    born date,
    seen timestamptz,
    noted timestamp,
    mood mood,
    country text,
    code char(6),
    token uuid,
    ok bool,
    "top" int,
    span interval,
    note json,
    nothing int
);
INSERT INTO person VALUES
    ('Ann "A"', 23, '53715', 1.60, 55.5, '2024-02-29', '2024-01-01 00:30:00+01', '2024-01-31 23:59:59', 'sad', 'France', 'a1', '00000000-0000-0000-0000-000000000001', true, 1, '1 day', '{}'),
    ('Bob', 25, '53710', 1.75, 72, '2024-03-01', '2023-12-31 23:30:00-01', '2024-02-01 00:00:00', 'ok', 'France', 'a12', '00000000-0000-0000-0000-000000000002', false, 1, '2 days', '{}'),
    ('Cid', 25, '53703', 1.99, 'Infinity', '2019-12-31', '1999-12-31 12:00:00+00', '1999-12-31 12:00:00', 'ok', 'Kyoto', 'a123', '00000000-0000-0000-0000-000000000003', NULL, 2, '3 days', '{}'),
    ('Dan', 0, '5', 2.00, 'NaN', '2000-01-01', 'infinity', '-infinity', 'happy', 'Lyon', 'b', '00000000-0000-0000-0000-000000000004', true, 3, '4 days', '{}'),
    ('Eve', -1, '15', 0.00, -0.5, '0044-03-15 BC', NULL, NULL, NULL, 'Asia', '', NULL, true, 4, '5 days', '{}'),
    ('', -5, '', NULL, 16777216, 'infinity', NULL, NULL, 'happy', NULL, NULL, NULL, false, 5, '6 days', '{}'),
    (NULL, NULL, NULL, -3.14, 4.9999995, NULL, NULL, NULL, 'happy', 'France', 'c', NULL, true, 6, '7 days', '{}');

-- suppress
SELECT kanon_create_dimension('mood_suppress', 'person', 'mood', 'suppress');
TABLE mood_suppress;
SELECT kanon_create_dimension('"Full ""Name"""', 'person', 'Full "Name"', 'suppress');
SELECT * FROM "Full ""Name""" ORDER BY "Full ""Name""" COLLATE "C";

-- ranges: whole numbers, with negative ones; numbers with fractions; what is
-- no finite number; a width of one; names that are taken.
SELECT kanon_create_dimension('age_ranges', 'person', 'age', 'ranges', '{5,10,20}');
TABLE age_ranges;
SELECT kanon_create_dimension('height_ranges', 'person', 'height', 'ranges', '{0.25,0.50,2.0}');
TABLE height_ranges;
SELECT kanon_create_dimension('weight_ranges', 'person', 'weight', 'ranges', '{5}');
TABLE weight_ranges;
SELECT kanon_create_dimension('top_ranges', 'person', 'top', 'ranges', '{1,2}');
TABLE top_ranges;

-- quantiles: equal values stay together, bins are merged, any order will do.
CREATE TABLE ranked (v int, w text);
INSERT INTO ranked SELECT v, chr(96 + v) FROM unnest('{1,1,1,2,3,5,6,9}'::int[]) v;
SELECT kanon_create_dimension('ranked_v', 'ranked', 'v', 'quantiles', '{4,2}');
TABLE ranked_v;
SELECT kanon_create_dimension('ranked_w', 'ranked', 'w', 'quantiles', '{1000,3,2}');
TABLE ranked_w;
CREATE TABLE even AS SELECT v FROM generate_series(1, 100) v;
SELECT kanon_create_dimension('even_v', 'even', 'v', 'quantiles', '{16,5,4}');
SELECT quantile_16, quantile_5, quantile_4, count(*) FROM even_v GROUP BY 1, 2, 3 ORDER BY min(v);
SELECT kanon_create_dimension('mood_quantiles', 'person', 'mood', 'quantiles', '{2}');
TABLE mood_quantiles;
SELECT kanon_create_dimension('born_quantiles', 'person', 'born', 'quantiles', '{3}');
TABLE born_quantiles;
SELECT kanon_create_dimension('ok_quantiles', 'person', 'ok', 'quantiles', '{2}');
TABLE ok_quantiles;
SELECT kanon_create_dimension('token_quantiles', 'person', 'token', 'quantiles', '{2}');
TABLE token_quantiles;

-- digits: values of differing lengths keep to the right; a domain; numbers.
SELECT kanon_create_dimension('zip_digits', 'person', 'zip', 'digits');
TABLE zip_digits;
\d zip_digits
SELECT kanon_create_dimension('zip_some_digits', 'person', 'zip', 'digits', '{2,4,7}');
TABLE zip_some_digits;
SELECT kanon_create_dimension('age_digits', 'person', 'age', 'digits');
TABLE age_digits;
SELECT kanon_create_dimension('code_digits', 'person', 'code', 'digits', '{1,3}');
TABLE code_digits;

-- dates: the labels do not depend on the session.
SET datestyle = 'SQL, DMY';
SET timezone = 'Asia/Tokyo';
SELECT kanon_create_dimension('born_dates', 'person', 'born', 'dates', '{month,quarter,year,decade,century}');
SELECT kanon_create_dimension('seen_dates', 'person', 'seen', 'dates', '{hour,day,year}');
SELECT kanon_create_dimension('noted_dates', 'person', 'noted', 'dates', '{Month,CENTURY}');
SHOW datestyle;
SHOW timezone;
RESET datestyle;
RESET timezone;
TABLE born_dates;
TABLE seen_dates;
TABLE noted_dates;

-- taxonomy: branches of differing depth, a value that is an inner node, one
-- root; several roots; only roots.
CREATE TABLE "Atlas" (place text, within text, note int);
INSERT INTO "Atlas" VALUES ('Lyon', 'France', 1), ('France', 'Europe', 2), ('France', 'Europe', 3),
    ('Kyoto', 'Japan', 4), ('Japan', 'Asia', 5), ('Asia', 'World', 6), ('Europe', 'World', 7),
    ('World', NULL, 8), ('Unused', 'Elsewhere', 9);
SELECT kanon_create_dimension('country_taxonomy', 'person', 'country', 'taxonomy', '{"\"Atlas\""}');
TABLE country_taxonomy;
SELECT kanon_create_dimension('"Dimension Test".forest', 'person', 'country', 'taxonomy',
    ARRAY['(SELECT 1)']);
DELETE FROM "Atlas" WHERE within = 'World';
SELECT kanon_create_dimension('"Dimension Test".forest', 'person', 'country', 'taxonomy',
    ARRAY['"Dimension Test"."Atlas"']);
TABLE forest;
CREATE TABLE roots AS SELECT 'sad'::mood AS child, NULL::text AS parent;
CREATE TABLE sad AS SELECT 'sad'::mood AS mood;
SELECT kanon_create_dimension('sad_taxonomy', 'sad', 'mood', 'taxonomy', '{roots}');
TABLE sad_taxonomy;
INSERT INTO roots VALUES ('ok', NULL), ('happy', NULL);
SELECT kanon_create_dimension('mood_taxonomy', 'person', 'mood', 'taxonomy', '{roots}');
TABLE mood_taxonomy;

-- Whatever was made is declared, and a hierarchy of all values.
SELECT a.attribute, a.role, a.dimension, a.weight
FROM kanon_attribute a WHERE a.relation = 'person'::regclass ORDER BY attribute COLLATE "C";
SELECT c.* FROM kanon_attribute a, kanon_check_dimension(a.dimension, a.relation, a.attribute) c
WHERE a.relation IN ('person'::regclass, 'ranked'::regclass, 'even'::regclass);
SELECT c.relname, p.* FROM (VALUES ('age_ranges', 'age'), ('height_ranges', 'height'),
        ('weight_ranges', 'weight'), ('zip_digits', 'zip'), ('zip_some_digits', 'zip'),
        ('age_digits', 'age'), ('country_taxonomy', 'country'), ('forest', 'country'),
        ('mood_quantiles', 'mood')) c (relname, attribute),
    kanon_check_dimension(c.relname, 'person', c.attribute) p;
SELECT relname, relkind, relowner::regrole FROM pg_class WHERE relname = 'age_ranges';
-- The weight that was declared stays.
SELECT kanon_set_attribute('person', 'age', 'sensitive', weight => 2.5);
SELECT kanon_create_dimension('age_again', 'person', 'age', 'suppress');
SELECT role, dimension, weight FROM kanon_attribute
WHERE relation = 'person'::regclass AND attribute = 'age';

-- Names are the caller's: with a schema, along the search_path, temporary.
SELECT kanon_create_dimension('regress_elsewhere.mood', 'person', 'mood', 'suppress');
SET search_path = regress_elsewhere, "Dimension Test", public;
SELECT kanon_create_dimension('Ages', 'person', 'age', 'suppress');
SELECT relnamespace::regnamespace FROM pg_class WHERE relname = 'ages';
SET search_path = "Dimension Test", public;
CREATE TEMP TABLE passing AS SELECT 1 AS a;
SELECT kanon_create_dimension('pg_temp.passing_a', 'passing', 'a', 'suppress');
SELECT dimension FROM kanon_attribute WHERE relation = 'passing'::regclass;
SELECT kanon_create_dimension('pg_temp.age', 'person', 'age', 'suppress');
SELECT relation, attribute, dimension FROM kanon_attribute
WHERE relation = 'person'::regclass AND attribute IN ('age', 'mood') ORDER BY attribute;
-- Views can have dimensions too.
CREATE VIEW grown AS SELECT age FROM person WHERE age >= 18;
SELECT kanon_create_dimension('grown_age', 'grown', 'age', 'ranges', '{10}');
TABLE grown_age;

-- Bad input, each with its own error; nothing is made or declared.
CREATE TEMP TABLE before AS SELECT oid FROM pg_class WHERE relnamespace = '"Dimension Test"'::regnamespace;
SELECT kanon_create_dimension('age_ranges', 'person', 'age', 'suppress');
SELECT kanon_create_dimension('no_schema.d', 'person', 'age', 'suppress');
SELECT kanon_create_dimension('a.b.c.d', 'person', 'age', 'suppress');
SELECT kanon_create_dimension('not a name', 'person', 'age', 'suppress');
SELECT kanon_create_dimension('d', 'no_table', 'age', 'suppress');
SELECT kanon_create_dimension('d', 'person', 'no_column', 'suppress');
SELECT kanon_create_dimension('d', 'person', 'age', 'guess');
SELECT kanon_create_dimension('d', 'person', 'note', 'suppress');
SELECT kanon_create_dimension('d', 'person', 'nothing', 'suppress');
SELECT kanon_create_dimension('d', 'person', 'nothing', 'digits');
SELECT kanon_create_dimension('d', 'person', 'age', 'suppress', '{1}');
SELECT kanon_create_dimension('d', 'person', 'age', 'ranges', '{1,NULL}');
SELECT kanon_create_dimension(NULL, 'person', 'age', 'suppress');
SELECT kanon_create_dimension('d', NULL, 'age', 'suppress');
SELECT kanon_create_dimension('d', 'person', NULL, 'suppress');
SELECT kanon_create_dimension('d', 'person', 'age', NULL);
SELECT kanon_create_dimension('d', 'person', 'age', 'suppress', NULL);
-- ranges
SELECT kanon_create_dimension('d', 'person', 'age', 'ranges');
SELECT kanon_create_dimension('d', 'person', 'age', 'ranges', '{five}');
SELECT kanon_create_dimension('d', 'person', 'age', 'ranges', '{""}');
SELECT kanon_create_dimension('d', 'person', 'age', 'ranges', '{NaN}');
SELECT kanon_create_dimension('d', 'person', 'age', 'ranges', '{5,-10}');
SELECT kanon_create_dimension('d', 'person', 'age', 'ranges', '{0}');
SELECT kanon_create_dimension('d', 'person', 'age', 'ranges', '{2.5}');
SELECT kanon_create_dimension('d', 'person', 'age', 'ranges', '{10,15}');
SELECT kanon_create_dimension('d', 'person', 'age', 'ranges', '{10,5}');
SELECT kanon_create_dimension('d', 'person', 'age', 'ranges', '{10,10}');
SELECT kanon_create_dimension('d', 'person', 'height', 'ranges', '{0.2,0.5}');
SELECT kanon_create_dimension('d', 'person', 'born', 'ranges', '{5}');
SELECT kanon_create_dimension('d', 'person', 'mood', 'ranges', '{5}');
-- quantiles
SELECT kanon_create_dimension('d', 'person', 'age', 'quantiles');
SELECT kanon_create_dimension('d', 'person', 'age', 'quantiles', '{four}');
SELECT kanon_create_dimension('d', 'person', 'age', 'quantiles', '{1}');
SELECT kanon_create_dimension('d', 'person', 'age', 'quantiles', '{99999999999}');
SELECT kanon_create_dimension('d', 'person', 'age', 'quantiles', '{4,16}');
SELECT kanon_create_dimension('d', 'person', 'age', 'quantiles', '{4,4}');
-- digits
SELECT kanon_create_dimension('d', 'person', 'zip', 'digits', '{two}');
SELECT kanon_create_dimension('d', 'person', 'zip', 'digits', '{0}');
SELECT kanon_create_dimension('d', 'person', 'zip', 'digits', '{2,2}');
SELECT kanon_create_dimension('d', 'person', 'zip', 'digits', '{3,1}');
SELECT kanon_create_dimension('d', 'person', 'height', 'digits');
CREATE TABLE long AS SELECT repeat('x', 1000) AS v;
SELECT kanon_create_dimension('d', 'long', 'v', 'digits');
-- dates
SELECT kanon_create_dimension('d', 'person', 'born', 'dates');
SELECT kanon_create_dimension('d', 'person', 'born', 'dates', '{week,month}');
SELECT kanon_create_dimension('d', 'person', 'born', 'dates', '{year,month}');
SELECT kanon_create_dimension('d', 'person', 'born', 'dates', '{year,year}');
SELECT kanon_create_dimension('d', 'person', 'born', 'dates', '{day,month}');
SELECT kanon_create_dimension('d', 'person', 'age', 'dates', '{year}');
SELECT kanon_create_dimension('d', 'person', 'span', 'dates', '{year}');
-- taxonomy
CREATE TABLE two_parents AS SELECT * FROM (VALUES ('France', 'Europe'), ('France', 'Gaul')) v;
CREATE TABLE parent_and_none AS SELECT * FROM (VALUES ('France', 'Europe'), ('France', NULL)) v;
CREATE TABLE no_child AS SELECT * FROM (VALUES ('France', 'Europe'), (NULL, 'Europe')) v;
CREATE TABLE missing AS SELECT * FROM (VALUES ('France', 'Europe'), ('Kyoto', 'Japan')) v;
CREATE TABLE one_missing AS SELECT * FROM (VALUES ('France', 'Asia'), ('Kyoto', 'Asia')) v;
CREATE TABLE "cyc le" AS SELECT * FROM (VALUES ('France', 'Europe'), ('Europe', 'Eurasia'),
    ('Eurasia', 'Europe'), ('Kyoto', 'Asia'), ('Lyon', 'France')) v;
CREATE TABLE loop AS SELECT * FROM (VALUES ('France', 'France'), ('Kyoto', 'Asia'), ('Lyon', 'Asia')) v;
CREATE TABLE narrow AS SELECT 'France' AS child;
SELECT kanon_create_dimension('d', 'person', 'country', 'taxonomy');
SELECT kanon_create_dimension('d', 'person', 'country', 'taxonomy', '{missing,missing}');
SELECT kanon_create_dimension('d', 'person', 'country', 'taxonomy', '{no_table}');
SELECT kanon_create_dimension('d', 'person', 'country', 'taxonomy', '{narrow}');
SELECT kanon_create_dimension('d', 'person', 'country', 'taxonomy', '{two_parents}');
SELECT kanon_create_dimension('d', 'person', 'country', 'taxonomy', '{parent_and_none}');
SELECT kanon_create_dimension('d', 'person', 'country', 'taxonomy', '{no_child}');
SELECT kanon_create_dimension('d', 'person', 'country', 'taxonomy', '{missing}');
SELECT kanon_create_dimension('d', 'person', 'country', 'taxonomy', '{one_missing}');
SELECT kanon_create_dimension('d', 'person', 'country', 'taxonomy', '{"\"cyc le\""}');
SELECT kanon_create_dimension('d', 'person', 'country', 'taxonomy', '{loop}');
SELECT oid::regclass FROM pg_class WHERE relnamespace = '"Dimension Test"'::regnamespace
    AND relkind = 'r' AND oid NOT IN (TABLE before) ORDER BY relname COLLATE "C";
BEGIN READ ONLY;
SELECT kanon_create_dimension('d', 'person', 'age', 'suppress');
ROLLBACK;

-- Who does not own the relation makes nothing; who does needs the right to
-- read it and to create tables, and row security holds.
SET ROLE regress_visitor;
SELECT kanon_create_dimension('pg_temp.d', 'person', 'age', 'suppress');
CREATE TEMP TABLE own (a int);
INSERT INTO own VALUES (1);
SELECT kanon_create_dimension('"Dimension Test".d', 'own', 'a', 'suppress');
SET ROLE regress_steward;
REVOKE SELECT ON person FROM regress_steward;
SELECT kanon_create_dimension('d', 'person', 'age', 'suppress');
GRANT SELECT (mood) ON person TO regress_steward;
SELECT kanon_create_dimension('d', 'person', 'age', 'suppress');
SELECT kanon_create_dimension('d', 'person', 'mood', 'suppress');
GRANT SELECT ON person TO regress_steward;
ALTER TABLE person ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY young ON person USING (age < 25);
SELECT kanon_create_dimension('young_age', 'person', 'age', 'suppress');
TABLE young_age;

-- Readable by its owner alone until granted, whatever the default privileges
ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC;
ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO regress_visitor WITH GRANT OPTION;
SELECT kanon_create_dimension('closed', 'person', 'age', 'suppress');
CREATE TABLE open ();
SELECT relname, a.grantee = 0 AS public, coalesce(a.grantee = relowner, false) AS owner, count(*) > 1 AS all
FROM pg_class LEFT JOIN aclexplode(relacl) a ON true WHERE relname IN ('closed', 'open')
GROUP BY relname, a.grantee, relowner ORDER BY 1, 2, 3;
SET ROLE regress_visitor;
TABLE closed;
SET ROLE regress_steward;

-- Of equal values that differ the same one is taken, whichever comes first
CREATE TABLE spelled (n numeric);
CREATE TABLE otherwise (n numeric);
INSERT INTO spelled VALUES (1.50), (1.5), (2), (2.00), (3), (7);
INSERT INTO otherwise SELECT n FROM spelled ORDER BY scale(n), n DESC;
SELECT kanon_create_dimension('spelled_bins', 'spelled', 'n', 'quantiles', '{2}'), kanon_create_dimension('other_bins', 'otherwise', 'n', 'quantiles', '{2}'),
       kanon_create_dimension('spelled_stars', 'spelled', 'n', 'suppress'), kanon_create_dimension('other_stars', 'otherwise', 'n', 'suppress');
SELECT string_agg(d::text, ', ') = (SELECT string_agg(d::text, ', ') FROM other_bins d) AS same_bins FROM spelled_bins d;
SELECT string_agg(d::text, ', ') = (SELECT string_agg(d::text, ', ') FROM other_stars d) AS same_stars FROM spelled_stars d;
DROP TABLE spelled_bins, other_bins, spelled_stars, other_stars, spelled, otherwise;

-- Classes do not depend on how a dimension's rows lie: in order, the other way round, or one of them twice
CREATE TABLE ward (patient int, place text);
INSERT INTO ward SELECT n, 'place ' || n % 23 FROM generate_series(1, 400) n;
CREATE TABLE lying AS SELECT format('place %s', n) AS place, format('floor %s', n / 4) AS floor, format('house %s', n / 12) AS house FROM generate_series(0, 23) n;
CREATE TABLE places (LIKE lying);
INSERT INTO places SELECT * FROM lying ORDER BY place COLLATE "C";
SELECT kanon_declare('ward', quasi_identifiers => '{patient}'), kanon_set_attribute('ward', 'place', 'quasi_identifier', 'places');
CREATE TABLE classes (way text, patient int, class int);
CREATE FUNCTION classify(way text) RETURNS void LANGUAGE sql AS
    'INSERT INTO classes SELECT way, w.patient, kanon_local(7, w) OVER () FROM ward w';
SELECT classify('ordered');
TRUNCATE places;
INSERT INTO places SELECT * FROM lying ORDER BY place COLLATE "C" DESC;
SELECT classify('reversed');
INSERT INTO places SELECT * FROM lying WHERE place = 'place 7';
SELECT classify('twice');
SELECT way, count(class), count(*) FILTER (WHERE class <> same) AS differ
FROM classes JOIN (SELECT patient, class AS same FROM classes WHERE way = 'ordered') o USING (patient) GROUP BY way ORDER BY way;
-- .. nor does what is said of wrong rows
INSERT INTO places VALUES ('place 3', 'floor 9', 'house 0'), ('place 2', NULL, 'house 0');
SELECT classify('null');
DELETE FROM places WHERE floor IS NULL;
SELECT classify('two labels');
TRUNCATE places;
INSERT INTO places SELECT place, floor, 'a ' || house FROM lying WHERE place <> 'place 1' ORDER BY place COLLATE "C";
INSERT INTO places SELECT * FROM lying WHERE place = 'place 1';
SELECT classify('two parents');
TRUNCATE places;
INSERT INTO places SELECT * FROM lying WHERE place = 'place 1';
INSERT INTO places SELECT place, floor, 'a ' || house FROM lying WHERE place <> 'place 1' ORDER BY place COLLATE "C";
SELECT classify('two parents, as they lie');
DROP FUNCTION classify;
DROP TABLE classes, lying, ward, places;

RESET ROLE;
SET client_min_messages = warning;
DROP TABLE own, passing, before;
DROP SCHEMA "Dimension Test", regress_elsewhere CASCADE;
DROP OWNED BY regress_steward, regress_visitor CASCADE;
DROP ROLE regress_steward;
DROP ROLE regress_visitor;
