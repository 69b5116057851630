-- Releases by cohorts: whoever keeps all copies finds everybody among k.
CREATE TABLE clinic (id int, age int, zipcode text, disease text);
INSERT INTO clinic
SELECT i, 20 + i * 7 % 60, (ARRAY['53703', '53706', '53711', '53712'])[1 + i % 4],
    (ARRAY['flu', 'cold', 'asthma', 'diabetes', 'flu'])[1 + i % 5]
FROM generate_series(1, 40) i;
SELECT kanon_declare('clinic', identifiers => '{id}', quasi_identifiers => '{age, zipcode}', sensitive => '{disease}');

-- What becomes of those who leave is for the caller to say, and so is who is who.
SELECT kanon_create_release('nightly', 'clinic', 4, 'cohorts', key => 'id');
SELECT kanon_create_release('nightly', 'clinic', 4, 'cohorts', leavers => 'keep');

SELECT kanon_create_release('nightly', 'clinic', 4, 'cohorts', key => 'id', wait => 2,
    target_loss => 0.4, leavers => 'keep');
SELECT age, zipcode, count(*) FROM nightly GROUP BY age, zipcode ORDER BY age, zipcode;

-- Three people leave, five arrive.  The rows of those who left stay, and nobody new is shown who
-- could not hide among others who came.
DELETE FROM clinic WHERE id IN (1, 2, 3);
INSERT INTO clinic
SELECT i, 20 + i * 7 % 60, (ARRAY['53703', '53706', '53711', '53712'])[1 + i % 4], 'measles'
FROM generate_series(41, 45) i;
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('nightly');
SELECT age, zipcode, count(*) FROM nightly WHERE disease = 'measles' GROUP BY age, zipcode;

-- They have waited for two nights.
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('nightly');
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('nightly');
SELECT age, zipcode, count(*) FROM nightly WHERE disease = 'measles' GROUP BY age, zipcode;

-- All people of a cell leave, and with them their rows; when all are back, so are these.
CREATE TABLE away AS SELECT * FROM clinic WHERE id > 40;
DELETE FROM clinic WHERE id > 40;
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('nightly');
SELECT count(*) FROM nightly WHERE disease = 'measles';
INSERT INTO clinic SELECT id, age, zipcode, 'mumps' FROM away WHERE id < 44;
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('nightly');
SELECT count(*) FROM nightly WHERE disease IN ('measles', 'mumps');
INSERT INTO clinic SELECT id, age, zipcode, 'mumps' FROM away WHERE id >= 44;
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('nightly');
SELECT disease, count(*) FROM nightly WHERE disease IN ('measles', 'mumps') GROUP BY disease;

-- A REFRESH of PostgreSQL's own shows the last night again.
DELETE FROM clinic;
REFRESH MATERIALIZED VIEW nightly;
SELECT count(*) FROM nightly;
SELECT night FROM kanon_cohort WHERE relation = 'clinic'::regclass;
-- Nobody is left; then everybody is back, and no different from before.
CREATE TABLE before AS SELECT n::text FROM nightly n;
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('nightly');
SELECT count(*) FROM nightly;
INSERT INTO clinic
SELECT i, 20 + i * 7 % 60, (ARRAY['53703', '53706', '53711', '53712'])[1 + i % 4], 'whatever'
FROM generate_series(1, 45) i;
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('nightly');
SELECT count(*) FROM nightly;
SELECT count(*) FROM (SELECT n FROM before EXCEPT ALL SELECT n::text FROM nightly n) d;

-- A second release of the table shares what is remembered of it, and shows the last night.
\set VERBOSITY terse
SELECT kanon_create_release('weekly', 'clinic', 5, 'cohorts', key => 'id', wait => 2, target_loss => 0.4, leavers => 'keep');
SELECT kanon_create_release('weekly', 'clinic', 4, 'cohorts', key => 'id', leavers => 'keep', target_loss => 0.4);
SELECT kanon_create_release('weekly', 'clinic', 4, 'cohorts', key => 'id', wait => 2, target_loss => 0.1, leavers => 'keep');
SELECT kanon_create_release('weekly', 'clinic', 4, 'cohorts', key => 'id', wait => 2, target_loss => 0.4, leavers => 'withhold');
SELECT kanon_create_release('weekly', 'clinic', 4, 'cohorts', key => 'id', wait => 2, target_loss => 0.4, leavers => 'keep', stale => 0.5);
SELECT kanon_create_release('weekly', 'clinic', 4, 'cohorts', key => 'id', wait => 2, target_loss => 0.4, leavers => 'keep', reading => 'together');
SELECT kanon_create_release('weekly', 'clinic', 4, 'cohorts', key => 'id', wait => 2, target_loss => 0.4, leavers => 'keep', quasi_identifiers => '{age}');
\set VERBOSITY default
SELECT count(*), count(*) - (SELECT count(*) FROM nightly) AS more FROM weekly;
DELETE FROM clinic WHERE id <= 20;
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('weekly');
SELECT (SELECT count(*) FROM weekly) - (SELECT count(*) FROM nightly) AS more;
-- The state outlives its releases.
SELECT kanon_drop_release('weekly'), kanon_drop_release('nightly');
SELECT count(*) FROM kanon_cohort WHERE relation = 'clinic'::regclass;
SELECT kanon_create_release('nightly', 'clinic', 4, 'cohorts', key => 'id', wait => 2, target_loss => 0.4, leavers => 'keep');

-- Columns follow renames; what cells are made of cannot be dropped.
ALTER TABLE clinic RENAME COLUMN id TO patient;
ALTER TABLE clinic RENAME COLUMN age TO years;
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('nightly');
SELECT key, quasi_identifiers, columns FROM kanon_cohort WHERE relation = 'clinic'::regclass;
\set VERBOSITY terse
ALTER TABLE clinic DROP COLUMN years;
ALTER TABLE clinic ALTER COLUMN years TYPE bigint;
DROP TABLE clinic;
-- Dropped all the same, and made anew: nothing begins anew in silence.
DROP TABLE clinic CASCADE;
CREATE TABLE clinic (patient int, years int, zipcode text, disease text);
\set VERBOSITY default
SELECT kanon_declare('clinic', identifiers => '{patient}', quasi_identifiers => '{years, zipcode}', sensitive => '{disease}');
SELECT kanon_create_release('nightly', 'clinic', 4, 'cohorts', key => 'patient', leavers => 'keep');
SELECT kanon_adopt_cohorts('clinic');
SELECT count(*) FROM kanon_cohort WHERE relation = 'clinic'::regclass;
SELECT kanon_adopt_cohorts('away');
SELECT kanon_adopt_cohorts(NULL);

-- Another home: the database was restored elsewhere, or to a point in time.
UPDATE kanon_cohort_state SET home = 'system 1, database 2, table 3, timeline 4';
SELECT kanon_create_release('nightly', 'clinic', 4, 'cohorts', key => 'patient', wait => 2, target_loss => 0.4, leavers => 'keep');
\set VERBOSITY sqlstate
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('nightly');
\set VERBOSITY default
SELECT kanon_adopt_cohorts('clinic');
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('nightly');

-- Arguments.
\set VERBOSITY terse
CREATE TABLE other (id int, weight numeric, age int, name text);
SELECT kanon_declare('other', quasi_identifiers => '{age}', sensitive => '{name}');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', key => 'weight', leavers => 'keep');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', key => 'nobody', leavers => 'keep');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', key => 'name', leavers => 'keep');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', key => 'id', leavers => 'drop');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', key => 'id', leavers => 'keep', reading => 'often');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', key => 'id', leavers => 'keep', wait => -1);
SELECT kanon_create_release('r', 'other', 2, 'cohorts', key => 'id', leavers => 'keep', target_loss => 2);
SELECT kanon_create_release('r', 'other', 2, 'cohorts', key => 'id', leavers => 'keep', stale => 'nan');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', key => 'id', leavers => 'keep', models => 'closeness(name, 0.2)');
\set VERBOSITY default
SELECT kanon_create_release('r', 'other', 2, 'cohorts', key => 'id', leavers => 'keep', models => '{"distinct(name, 2)","closeness(name, 0.2)"}');
\set VERBOSITY terse
SELECT kanon_create_release('r', 'other', 2, 'cohorts', key => 'id', leavers => 'keep', models => 'distinct(weight, 2)');
SELECT kanon_create_release('r', 'other', 2, 'mondrian', key => 'id');
SELECT kanon_create_release('r', 'other', 2, 'ring', leavers => 'keep');
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
ALTER TABLE other ADD COLUMN counts positive[];
SELECT kanon_set_attribute('other', 'counts', 'sensitive');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', key => 'id', leavers => 'keep');
\set VERBOSITY default
DROP TABLE other, away, before;
DROP DOMAIN positive;

-- What later releases of a table may have: fewer columns and fewer quasi-identifiers, of the same cells.
CREATE TABLE stays (id int, age int, zip text, ward text, disease text);
INSERT INTO stays SELECT i, 20 + i * 7 % 60, '537' || i % 4, 'w' || i % 3, 'd' || i % 5 FROM generate_series(1, 60) i;
SELECT kanon_declare('stays', identifiers => '{id}', quasi_identifiers => '{age,zip}', sensitive => '{disease}');
SELECT kanon_create_release('begun', 'stays', 4, 'cohorts', key => 'id', leavers => 'keep', wait => 0, target_loss => 0.3);
SELECT kanon_create_release('by_age', 'stays', 4, 'cohorts', key => 'id', leavers => 'keep', wait => 0, target_loss => 0.3, quasi_identifiers => '{age}');
DELETE FROM stays WHERE id < 9;
INSERT INTO stays SELECT i, 20 + i * 7 % 60, '537' || i % 4, 'w' || i % 3, 'd' || i % 5 FROM generate_series(61, 75) i;
SELECT rows FROM kanon_refresh_release('by_age');
-- Whoever has both has one release
(SELECT age, disease FROM begun EXCEPT ALL SELECT age, disease FROM by_age) UNION ALL (SELECT age, disease FROM by_age EXCEPT ALL SELECT age, disease FROM begun);
SELECT r AS release, satisfied FROM unnest('{begun,by_age}'::regclass[]) r, kanon_check(r);
-- Others, or what had another role when they were begun, are refused
SELECT kanon_set_attribute('stays', 'ward', 'quasi_identifier');
SELECT kanon_create_release('more', 'stays', 4, 'cohorts', key => 'id', leavers => 'keep', wait => 0, target_loss => 0.3);
SELECT kanon_create_release('others', 'stays', 4, 'cohorts', key => 'id', leavers => 'keep', wait => 0, target_loss => 0.3, quasi_identifiers => '{ward}');
\set VERBOSITY terse
SELECT kanon_set_attribute('stays', 'ward', 'insensitive');
SELECT kanon_create_release('more', 'stays', 4, 'cohorts', key => 'id', leavers => 'keep', wait => 0, target_loss => 0.3);
SELECT kanon_unset_attribute('stays', 'ward'), kanon_set_attribute('stays', 'zip', 'sensitive');
SELECT kanon_create_release('shown', 'stays', 4, 'cohorts', key => 'id', leavers => 'keep', wait => 0, target_loss => 0.3);
SELECT kanon_unset_attribute('stays', 'zip'), kanon_set_attribute('stays', 'disease', 'quasi_identifier');
SELECT kanon_create_release('hidden', 'stays', 4, 'cohorts', key => 'id', leavers => 'keep', wait => 0, target_loss => 0.3);
SELECT kanon_set_attribute('stays', 'disease', 'identifier');
SELECT kanon_create_release('ages', 'stays', 4, 'cohorts', key => 'id', leavers => 'keep', wait => 0, target_loss => 0.3);
\set VERBOSITY default
SELECT rows FROM kanon_refresh_release('begun');
SELECT (SELECT count(*) FROM ages) - (SELECT count(*) FROM begun) AS more, (SELECT count(DISTINCT age) FROM ages) > 3 AS ages;
DROP TABLE stays CASCADE;

-- Values come back as they were, whatever their types and the settings.
CREATE TABLE kinds (id uuid, age numeric, born date, b boolean, c char(5), f float8, i interval, t timestamptz,
    m money, a text[], j jsonb, n inet, r int4range, y bytea, k regclass);
INSERT INTO kinds
SELECT ('00000000-0000-0000-0000-' || lpad(g::text, 12, '0'))::uuid, g + 0.5, '2000-01-01'::date + g, g % 2 = 0,
    'x' || g, g / 3.0::float8, g * interval '1 day -2 hours', '2020-02-03 04:05:06+07'::timestamptz + g * interval '1 h',
    g::text::money, ARRAY['a,"' || g, NULL], jsonb_build_object('g', g), ('10.0.0.' || g || '/16')::inet,
    int4range(g, g + 2), decode(lpad(to_hex(g), 2, '0'), 'hex'), 'pg_class'
FROM generate_series(1, 6) g;
INSERT INTO kinds (id) VALUES ('00000000-0000-0000-0000-000000000099');
SELECT kanon_declare('kinds', identifiers => '{id}', quasi_identifiers => '{age,born}', sensitive => '{b,c,f,i,t,m,a,j,n,r,y,k}');
SET DateStyle = 'SQL, DMY'; SET IntervalStyle = 'sql_standard'; SET TimeZone = 'Asia/Tokyo'; SET extra_float_digits = -5;
SELECT kanon_create_release('kinds_release', 'kinds', 2, 'cohorts', key => 'id', wait => 0, leavers => 'keep');
SELECT rows, missing FROM kanon_refresh_release('kinds_release');
REFRESH MATERIALIZED VIEW kinds_release;
RESET DateStyle; RESET IntervalStyle; RESET TimeZone; RESET extra_float_digits;
SELECT count(*) FROM kinds_release;
SELECT count(*) FROM (SELECT b, c, f, i, t, m, a, j, n, r, y, k FROM kinds
    EXCEPT ALL SELECT b, c, f, i, t, m, a, j, n, r, y, k FROM kinds_release) d;
SELECT DISTINCT age, born FROM kinds_release ORDER BY age, born;
DROP MATERIALIZED VIEW kinds_release, nightly;

-- A cell that fails a model shows no sensitive values, ever.
CREATE TABLE judged (id int, age int, disease text, ward text);
INSERT INTO judged
SELECT i, 20 + i, CASE WHEN i <= 6 THEN 'flu' ELSE 'd' || i % 3 END, 'w' || i % 2 FROM generate_series(1, 24) i;
SELECT kanon_declare('judged', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}', insensitive => '{ward}');
SELECT kanon_create_release('judged_release', 'judged', 3, 'cohorts', key => 'id', target_loss => 0.25, leavers => 'keep', stale => 0,
    reading => 'together', models => 'distinct(disease, 2)');
SELECT age, count(*), count(disease) AS diseases, count(ward) AS wards FROM judged_release GROUP BY age ORDER BY age;
UPDATE judged SET disease = 'd' || id;
SELECT rows FROM kanon_refresh_release('judged_release');
SELECT age, count(*), count(disease) AS diseases, count(ward) AS wards FROM judged_release GROUP BY age ORDER BY age;
-- .. and where one is divided into one that fails, neither do
UPDATE judged SET disease = CASE WHEN id IN (19, 20, 21) THEN 'flu' ELSE 'd' || id END;
SELECT rows FROM kanon_refresh_release('judged_release');
DELETE FROM judged WHERE id IN (22, 23, 24);
SELECT rows FROM kanon_refresh_release('judged_release');
SELECT age, count(*), count(disease) AS diseases, count(ward) AS wards FROM judged_release GROUP BY age ORDER BY age;
ALTER TABLE judged RENAME COLUMN disease TO illness;
SELECT models FROM kanon_cohort WHERE relation = 'judged'::regclass;
DROP TABLE judged CASCADE;

-- Dimensions are those that the first release had.
CREATE TABLE zoned (id int, zip text, disease text);
INSERT INTO zoned SELECT i, (53700 + i % 20)::text, 'd' || i FROM generate_series(1, 40) i;
SELECT kanon_declare('zoned', identifiers => '{id}', sensitive => '{disease}');
SELECT kanon_create_dimension('zips', 'zoned', 'zip', 'digits', '{1,2}');
SELECT kanon_create_release('zoned_one', 'zoned', 3, 'cohorts', key => 'id', leavers => 'keep', target_loss => 0.3);
SELECT zip, count(*) FROM zoned_one GROUP BY zip ORDER BY zip;
SELECT kanon_set_attribute('zoned', 'zip', 'quasi_identifier');
\set VERBOSITY terse
SELECT kanon_create_release('zoned_two', 'zoned', 3, 'cohorts', key => 'id', leavers => 'keep', target_loss => 0.3);
DROP TABLE zips;
\set VERBOSITY default
DELETE FROM zoned WHERE id < 9;
SELECT rows FROM kanon_refresh_release('zoned_one');
DROP TABLE zoned CASCADE;
DROP TABLE zips;

-- What is remembered is for the table's owner.
\set VERBOSITY terse
CREATE ROLE regress_alice;
CREATE ROLE regress_bob;
CREATE SCHEMA wards;
GRANT ALL ON SCHEMA wards TO regress_alice, regress_bob;
SET ROLE regress_alice;
CREATE TABLE wards.ward AS SELECT i AS id, 20 + i % 30 AS age, 'd' || i % 7 AS disease FROM generate_series(1, 60) i;
SELECT kanon_declare('wards.ward', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}');
SELECT kanon_create_release('wards.w', 'wards.ward', 4, 'cohorts', key => 'id', leavers => 'keep', target_loss => 0.2);
SELECT rows, missing, satisfied FROM kanon_refresh_release('wards.w');
SELECT count(*) FROM kanon_view_cohort_members((SELECT number FROM kanon_cohort));
GRANT SELECT ON wards.w, wards.ward TO regress_bob;
SET ROLE regress_bob;
SELECT count(*) FROM wards.w;
SELECT count(*) FROM kanon_cohort;
SELECT * FROM kanon_cohort_member;
DO $$
BEGIN
    FOR i IN 1 .. 1000 LOOP
        BEGIN
            PERFORM kanon_view_cohort_members(i);
        EXCEPTION WHEN insufficient_privilege THEN
            RAISE '%', regexp_replace(SQLERRM, '\d+', 'of others');
        WHEN undefined_object THEN
            NULL;
        END;
    END LOOP;
END $$;
SELECT kanon_view_cohort_cells(0);
SELECT kanon_refresh_release('wards.w');
SELECT kanon_adopt_cohorts('wards.ward');
SELECT kanon_create_release('wards.b', 'wards.ward', 4, 'cohorts', key => 'id', leavers => 'keep', target_loss => 0.2);
RESET ROLE;
ALTER MATERIALIZED VIEW wards.w OWNER TO regress_bob;
REFRESH MATERIALIZED VIEW wards.w;
DROP TABLE wards.ward CASCADE;
-- .. also where another one makes a table of that name
SET ROLE regress_bob;
CREATE TABLE wards.ward (id int, age int, disease text);
SELECT kanon_declare('wards.ward', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}');
SELECT kanon_create_release('wards.w', 'wards.ward', 4, 'cohorts', key => 'id', leavers => 'keep', target_loss => 0.2);
SELECT kanon_adopt_cohorts('wards.ward');
RESET ROLE;
\set VERBOSITY default
DROP SCHEMA wards CASCADE;
DROP OWNED BY regress_alice, regress_bob;
DROP ROLE regress_alice, regress_bob;

-- A value that few people have does not stand in the way of the others, as it does in Mondrian.
CREATE TABLE town_names AS SELECT town, country, '*' AS top
FROM (VALUES ('Aachen', 'de'), ('Bonn', 'de'), ('Celle', 'de'), ('Delft', 'nl'), ('Ede', 'nl')) v (town, country);
CREATE TABLE people (id serial, town text, disease text);
INSERT INTO people (town, disease) SELECT town, 'd' || i
FROM (VALUES ('Aachen', 8), ('Bonn', 6), ('Celle', 1), ('Delft', 3), ('Ede', 3)) v (town, n), generate_series(1, n) i;
INSERT INTO people (town, disease) VALUES (NULL, 'd');
SELECT kanon_declare('people', identifiers => '{id}', sensitive => '{disease}');
SELECT kanon_set_attribute('people', 'town', 'quasi_identifier', 'town_names');
SELECT kanon_create_release('afresh', 'people', 4);
SELECT kanon_create_release('resident', 'people', 4, 'cohorts', key => 'id', leavers => 'keep', target_loss => 0);
SELECT town, count(*) FROM afresh GROUP BY town ORDER BY town;
SELECT town, count(*) FROM resident GROUP BY town ORDER BY town;
-- .. nor where a cell is divided; those who are too few for a cell of their own wait with others
INSERT INTO people (town, disease) SELECT town, 'new' FROM (VALUES ('Celle', 3), ('Ede', 5), ('Bonn', 2)) v (town, n), generate_series(1, n) i;
DELETE FROM people WHERE disease <> 'new' AND town IN ('Aachen', 'Bonn') AND id % 2 = 0;
SELECT rows, missing, classes, smallest FROM kanon_refresh_release('resident');
SELECT town, count(*), count(*) FILTER (WHERE disease = 'new') AS new FROM resident GROUP BY town ORDER BY town;
-- .. and it goes along within the cell that is divided
CREATE TABLE movers AS SELECT i AS id, 'Aachen' AS town, 'd' || i AS disease FROM generate_series(1, 20) i;
SELECT kanon_declare('movers', identifiers => '{id}', sensitive => '{disease}');
SELECT kanon_set_attribute('movers', 'town', 'quasi_identifier', 'town_names');
SELECT kanon_create_release('moved', 'movers', 4, 'cohorts', key => 'id', wait => 0, leavers => 'withhold', target_loss => 0);
UPDATE movers SET town = CASE WHEN id < 10 THEN 'Aachen' WHEN id < 16 THEN 'Bonn' WHEN id = 16 THEN 'Celle' ELSE 'Delft' END;
SELECT rows, missing, classes, smallest FROM kanon_refresh_release('moved');
SELECT town, count(*) FROM moved GROUP BY town ORDER BY town;
DELETE FROM movers WHERE id = 1;
SELECT rows, missing, classes, smallest FROM kanon_refresh_release('moved');
SELECT town, count(*) FROM moved GROUP BY town ORDER BY town;
-- Of a label with very many children, those of k people are cells, and the others are one.
CREATE TABLE named AS SELECT row_number() OVER () AS id, name, 'd' || i AS disease
FROM (SELECT 'n' || j, CASE WHEN j % 20 = 0 THEN 2 + j / 20 ELSE 1 + j % 2 END FROM generate_series(1, 99) j UNION ALL SELECT NULL, 2) v (name, n),
    generate_series(1, n) i;
SELECT kanon_declare('named', identifiers => '{id}', sensitive => '{disease}');
SELECT kanon_create_dimension('any_name', 'named', 'name', 'suppress');
SELECT kanon_create_release('names', 'named', 4, 'cohorts', key => 'id', leavers => 'keep', target_loss => 0);
SELECT name, count(*) FROM names GROUP BY name ORDER BY name;
SELECT count(*) FROM (SELECT CASE WHEN count(*) OVER (PARTITION BY name) >= 4 THEN name ELSE '*' END, disease FROM named
    EXCEPT ALL SELECT name, disease FROM names) missing;
DROP MATERIALIZED VIEW moved, names;
DROP TABLE movers, named, any_name;
DROP TABLE people, town_names CASCADE;
DELETE FROM kanon_cohort_state;
DELETE FROM kanon_cohort_cell;
DELETE FROM kanon_cohort_member;
DROP TABLE kinds, clinic;
