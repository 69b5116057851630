-- Releases by cohorts: whoever keeps all copies finds everybody among k.
CREATE TABLE clinic (id int, age int, zipcode text, disease text);
INSERT INTO clinic
SELECT i, 20 + i * 7 % 60, (ARRAY['53703', '53706', '53711', '53712'])[1 + i % 4],
    (ARRAY['flu', 'cold', 'asthma', 'diabetes', 'flu'])[1 + i % 5]
FROM generate_series(1, 40) i;
SELECT kanon_declare('clinic', identifiers => '{id}', quasi_identifiers => '{age, zipcode}', sensitive => '{disease}');

-- What becomes of those who leave is for the caller to say, and so is who is who.
SELECT kanon_create_release('nightly', 'clinic', 4, 'cohorts', options => '{"key": "id"}');
SELECT kanon_create_release('nightly', 'clinic', 4, 'cohorts', options => '{"leavers": "keep"}');

SELECT kanon_create_release('nightly', 'clinic', 4, 'cohorts', options => '{"key": "id", "wait": 2, "target_loss": 0.4, "leavers": "keep"}');
SELECT age, zipcode, count(*) FROM nightly GROUP BY age, zipcode ORDER BY age, zipcode;

-- Three people leave, five arrive.  The rows of those who left stay, and nobody new is shown who
-- could not hide among others who came.
DELETE FROM clinic WHERE id IN (1, 2, 3);
INSERT INTO clinic
SELECT i, 20 + i * 7 % 60, (ARRAY['53703', '53706', '53711', '53712'])[1 + i % 4], 'measles'
FROM generate_series(41, 45) i;
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('nightly');
SELECT age, zipcode, count(*) FROM nightly WHERE disease = 'measles' GROUP BY age, zipcode;
-- Whom it represents
SELECT * FROM kanon_query_errors('nightly', '{age < 35}');

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
SELECT kanon_create_release('weekly', 'clinic', 5, 'cohorts', options => '{"key": "id", "wait": 2, "target_loss": 0.4, "leavers": "keep"}');
SELECT kanon_create_release('weekly', 'clinic', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0.4}');
SELECT kanon_create_release('weekly', 'clinic', 4, 'cohorts', options => '{"key": "id", "wait": 2, "target_loss": 0.1, "leavers": "keep"}');
SELECT kanon_create_release('weekly', 'clinic', 4, 'cohorts', options => '{"key": "id", "wait": 2, "target_loss": 0.4, "leavers": "withhold"}');
SELECT kanon_create_release('weekly', 'clinic', 4, 'cohorts', options => '{"key": "id", "wait": 2, "target_loss": 0.4, "leavers": "keep", "stale": 0.5}');
SELECT kanon_create_release('weekly', 'clinic', 4, 'cohorts', options => '{"key": "id", "wait": 2, "target_loss": 0.4, "leavers": "keep", "reading": "together"}');
SELECT kanon_create_release('weekly', 'clinic', 4, 'cohorts', options => '{"key": "id", "wait": 2, "target_loss": 0.4, "leavers": "keep"}', quasi_identifiers => '{age}');
\set VERBOSITY default
SELECT count(*), count(*) - (SELECT count(*) FROM nightly) AS more FROM weekly;
DELETE FROM clinic WHERE id <= 20;
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('weekly');
SELECT (SELECT count(*) FROM weekly) - (SELECT count(*) FROM nightly) AS more;
-- The state outlives its releases.
SELECT kanon_drop_release('weekly'), kanon_drop_release('nightly');
SELECT count(*) FROM kanon_cohort WHERE relation = 'clinic'::regclass;
SELECT kanon_create_release('nightly', 'clinic', 4, 'cohorts', options => '{"key": "id", "wait": 2, "target_loss": 0.4, "leavers": "keep"}');

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
SELECT kanon_create_release('nightly', 'clinic', 4, 'cohorts', options => '{"key": "patient", "leavers": "keep"}');
SELECT kanon_adopt_cohorts('clinic');
SELECT count(*) FROM kanon_cohort WHERE relation = 'clinic'::regclass;
SELECT kanon_adopt_cohorts('away');
-- The same where another table has got the name of one that is there still, or has gone since.
CREATE TABLE swapped AS SELECT i AS id, 20 + i AS age, 'd' || i AS disease FROM generate_series(1, 12) i;
SELECT kanon_declare('swapped', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}');
SELECT kanon_create_release('swaps', 'swapped', 3, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0, "wait": 0}');
CREATE TABLE first_copy AS TABLE swaps;
ALTER TABLE swapped RENAME TO swapped_old;
CREATE TABLE swapped AS SELECT * FROM swapped_old WHERE id <> 5;
SELECT kanon_declare('swapped', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}');
SELECT kanon_create_release('swaps_too', 'swapped', 3, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0, "wait": 0}');
-- .. also after a night under another name
SELECT rows FROM kanon_refresh_release('swaps');
SELECT name, former FROM kanon_cohort WHERE relation = 'swapped_old'::regclass;
\set VERBOSITY terse
SELECT kanon_create_release('swaps_too', 'swapped', 3, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0, "wait": 0}');
-- The steward says that these are the same people: of every cell of the first copy there are 3 or more in the second.
SELECT kanon_adopt_cohorts('swapped');
SELECT kanon_create_release('swaps_too', 'swapped', 3, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0, "wait": 0}');
SELECT rows FROM kanon_refresh_release('swaps_too');
SELECT min(n) FROM (SELECT count(*) AS n FROM first_copy a FULL JOIN swaps_too b USING (disease) GROUP BY a.age, b.age) c;
SELECT name, former FROM kanon_cohort WHERE relation = 'swapped'::regclass;
\set VERBOSITY default
-- .. so that the other table has no state, nor gets one in silence
SELECT kanon_refresh_release('swaps');
SELECT kanon_create_release('swaps_of_old', 'swapped_old', 3, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0, "wait": 0}');
-- .. and shows no people of the other one, by no kind of REFRESH
INSERT INTO swapped SELECT i, 20 + i, 'new' FROM generate_series(20, 30) i;
SELECT rows FROM kanon_refresh_release('swaps_too');
REFRESH MATERIALIZED VIEW swaps;
CALL kanon_refresh_releases('swaps', concurrently => true);
SELECT count(*) FROM swaps;
-- .. nor when its table has adopted a third one's
CREATE TABLE swapped_third AS SELECT i AS id, 20 + i AS age, 'third' AS disease FROM generate_series(1, 12) i;
SELECT kanon_create_release('thirds', 'swapped_third', 3, 'cohorts', quasi_identifiers => '{age}', options => '{"key": "id", "leavers": "keep"}');
DROP TABLE swapped_third CASCADE;
ALTER TABLE swapped_old RENAME TO swapped_third;
SELECT kanon_adopt_cohorts('swapped_third');
ALTER TABLE swapped_third RENAME TO swapped_old;
REFRESH MATERIALIZED VIEW swaps;
SELECT kanon_refresh_release('swaps');
SELECT count(*) FROM swaps;
-- .. but if somebody says that they are other people, and drops what shows these
SELECT kanon_create_release('swaps_of_old', 'swapped_old', 3, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0, "wait": 0, "anew": true}');
DROP MATERIALIZED VIEW swaps;
SELECT kanon_create_release('swaps_of_old', 'swapped_old', 3, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0, "wait": 0, "anew": true}');
\set VERBOSITY terse
ALTER TABLE swapped RENAME TO swapped_older;
DROP TABLE swapped_older CASCADE;
CREATE TABLE swapped (id int, age int, disease text);
SELECT kanon_declare('swapped', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}');
SELECT kanon_create_release('swaps_again', 'swapped', 3, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0, "wait": 0}');
DROP TABLE swapped, swapped_old, first_copy CASCADE;
-- Every name counts, also one under which nothing was advanced, and that of a schema.
CREATE SCHEMA passing;
CREATE TABLE passing.draft AS SELECT i AS id, 20 + i AS age FROM generate_series(1, 12) i;
SELECT kanon_create_release('drafts', 'passing.draft', 3, 'cohorts', quasi_identifiers => '{age}', options => '{"key": "id", "leavers": "keep"}');
ALTER TABLE passing.draft RENAME TO visits;
ALTER SCHEMA passing RENAME TO passed;
ALTER TABLE passed.visits SET SCHEMA public;
ALTER INDEX visits RENAME TO "Visits";
SELECT name, former FROM kanon_cohort WHERE relation = '"Visits"'::regclass;
CREATE TABLE visits AS SELECT * FROM "Visits";
SELECT kanon_create_release('visited', 'visits', 3, 'cohorts', quasi_identifiers => '{age}', options => '{"key": "id", "leavers": "keep"}');
DROP TABLE visits;
ALTER TABLE "Visits" RENAME TO visits;
SET quote_all_identifiers = on;
DROP TABLE visits CASCADE;
RESET quote_all_identifiers;
SELECT name, former FROM kanon_cohort WHERE 'public.visits' = ANY (former || name);
CREATE TABLE visits (id int, age int);
SELECT kanon_create_release('visited', 'visits', 3, 'cohorts', quasi_identifiers => '{age}', options => '{"key": "id", "leavers": "keep"}');
DROP TABLE visits;
DROP SCHEMA passed;
-- States of relations that share rows know nothing of each other.
CREATE TABLE parted (id int, age int, disease text) PARTITION BY RANGE (id);
CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (0) TO (50);
INSERT INTO parted SELECT i, 20 + i, 'd' || i FROM generate_series(1, 12) i;
CREATE VIEW parted_view AS SELECT id, age, disease FROM parted;
SELECT kanon_declare(r, identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}') FROM unnest('{parted,parted_low,parted_view}'::regclass[]) r;
\set VERBOSITY default
SELECT kanon_create_release('of_low', 'parted_low', 3, 'cohorts', options => '{"key": "id", "leavers": "keep"}');
SELECT kanon_create_release('of_view', 'parted_view', 3, 'cohorts', options => '{"key": "id", "leavers": "keep"}');
-- .. those of views that read one table may
CREATE TABLE lookup AS SELECT generate_series(20, 40) AS age;
CREATE TABLE elsewhere AS SELECT i AS id, i - 80 AS age FROM generate_series(101, 112) i;
CREATE VIEW elsewhere_view AS SELECT e.* FROM elsewhere e JOIN lookup USING (age);
CREATE VIEW parted_lookup AS SELECT p.id, p.age FROM parted p JOIN lookup USING (age);
SELECT kanon_create_release('of_lookup', 'parted_lookup', 3, 'cohorts', quasi_identifiers => '{age}', options => '{"key": "id", "leavers": "keep"}');
SELECT kanon_create_release('of_elsewhere', 'elsewhere_view', 3, 'cohorts', quasi_identifiers => '{age}', options => '{"key": "id", "leavers": "keep"}');
\set VERBOSITY terse
SELECT kanon_create_release('of_parted', 'parted', 3, 'cohorts', options => '{"key": "id", "leavers": "keep"}');
DROP TABLE lookup, elsewhere, parted CASCADE;
\set VERBOSITY default
SELECT kanon_adopt_cohorts(NULL);

-- Another home: the database was restored elsewhere, or to a point in time.
UPDATE kanon_cohort_state SET home = 'system 1, database 2, table 3, timeline 4';
SELECT kanon_create_release('nightly', 'clinic', 4, 'cohorts', options => '{"key": "patient", "wait": 2, "target_loss": 0.4, "leavers": "keep"}');
\set VERBOSITY sqlstate
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('nightly');
\set VERBOSITY default
SELECT kanon_adopt_cohorts('clinic');
SELECT rows, missing, classes, smallest, satisfied FROM kanon_refresh_release('nightly');

-- Arguments.
\set VERBOSITY terse
CREATE TABLE other (id int, weight numeric, age int, name text);
SELECT kanon_declare('other', quasi_identifiers => '{age}', sensitive => '{name}');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', options => '{"key": "weight", "leavers": "keep"}');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', options => '{"key": "nobody", "leavers": "keep"}');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', options => '{"key": "name", "leavers": "keep"}');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', options => '{"key": "id", "leavers": "drop"}');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', options => '{"key": "id", "leavers": "keep", "reading": "often"}');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', options => '{"key": "id", "leavers": "keep", "wait": -1}');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 2}');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', options => '{"key": "id", "leavers": "keep", "stale": "nan"}');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', options => '{"key": "id", "leavers": "keep"}', models => 'closeness(name, 0.2)');
\set VERBOSITY default
SELECT kanon_create_release('r', 'other', 2, 'cohorts', options => '{"key": "id", "leavers": "keep"}', models => '{"distinct(name, 2)","closeness(name, 0.2)"}');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', options => '{"key": "id", "leavers": "keep", "reading": "together"}', models => 'distinct(name, 2)');
\set VERBOSITY terse
SELECT kanon_create_release('r', 'other', 2, 'cohorts', options => '{"key": "id", "leavers": "keep"}', models => 'distinct(weight, 2)');
SELECT kanon_create_release('r', 'other', 2, 'mondrian', options => '{"key": "id"}');
SELECT kanon_create_release('r', 'other', 2, 'ring', options => '{"leavers": "keep"}');
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
ALTER TABLE other ADD COLUMN counts positive[];
SELECT kanon_set_attribute('other', 'counts', 'sensitive');
SELECT kanon_create_release('r', 'other', 2, 'cohorts', options => '{"key": "id", "leavers": "keep"}');
\set VERBOSITY default
DROP TABLE other, away, before;
DROP DOMAIN positive;

-- What later releases of a table may have: fewer columns and fewer quasi-identifiers, of the same cells.
CREATE TABLE stays (id int, age int, zip text, ward text, disease text);
INSERT INTO stays SELECT i, 20 + i * 7 % 60, '537' || i % 4, 'w' || i % 3, 'd' || i % 5 FROM generate_series(1, 60) i;
SELECT kanon_declare('stays', identifiers => '{id}', quasi_identifiers => '{age,zip}', sensitive => '{disease}');
SELECT kanon_create_release('begun', 'stays', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "wait": 0, "target_loss": 0.3}');
SELECT kanon_create_release('by_age', 'stays', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "wait": 0, "target_loss": 0.3}', quasi_identifiers => '{age}');
DELETE FROM stays WHERE id < 9;
INSERT INTO stays SELECT i, 20 + i * 7 % 60, '537' || i % 4, 'w' || i % 3, 'd' || i % 5 FROM generate_series(61, 75) i;
SELECT rows FROM kanon_refresh_release('by_age');
-- Whoever has both has one release
(SELECT age, disease FROM begun EXCEPT ALL SELECT age, disease FROM by_age) UNION ALL (SELECT age, disease FROM by_age EXCEPT ALL SELECT age, disease FROM begun);
SELECT r AS release, satisfied FROM unnest('{begun,by_age}'::regclass[]) r, kanon_check(r);
-- Others, or what had another role when they were begun, are refused
SELECT kanon_set_attribute('stays', 'ward', 'quasi_identifier');
SELECT kanon_create_release('more', 'stays', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "wait": 0, "target_loss": 0.3}');
SELECT kanon_create_release('others', 'stays', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "wait": 0, "target_loss": 0.3}', quasi_identifiers => '{ward}');
\set VERBOSITY terse
SELECT kanon_set_attribute('stays', 'ward', 'insensitive');
SELECT kanon_create_release('more', 'stays', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "wait": 0, "target_loss": 0.3}');
SELECT kanon_unset_attribute('stays', 'ward'), kanon_set_attribute('stays', 'zip', 'sensitive');
SELECT kanon_create_release('shown', 'stays', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "wait": 0, "target_loss": 0.3}');
SELECT kanon_unset_attribute('stays', 'zip'), kanon_set_attribute('stays', 'disease', 'quasi_identifier');
SELECT kanon_create_release('hidden', 'stays', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "wait": 0, "target_loss": 0.3}');
SELECT kanon_set_attribute('stays', 'disease', 'identifier');
SELECT kanon_create_release('ages', 'stays', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "wait": 0, "target_loss": 0.3}');
\set VERBOSITY default
SELECT rows FROM kanon_refresh_release('begun');
SELECT (SELECT count(*) FROM ages) - (SELECT count(*) FROM begun) AS more, (SELECT count(DISTINCT age) FROM ages) > 3 AS ages;
-- Memory is limited; which of it runs out first differs between versions of PostgreSQL.
\set VERBOSITY sqlstate
SET kanon.memory_limit = '64kB';
CREATE TABLE staying AS SELECT i AS id, 30 AS age FROM generate_series(1, 9000) i;
SELECT kanon_create_release('cells', 'staying', 4, 'cohorts', quasi_identifiers => '{age}', options => '{"key": "id", "leavers": "keep"}');
RESET kanon.memory_limit;
\set VERBOSITY default
DROP TABLE staying;
DROP TABLE stays CASCADE;

-- Values come back as they were, whatever their types and the settings.
CREATE TABLE kinds (id uuid, age numeric, born date, b boolean, c char(5), f float8, i interval, t timestamptz,
    m money, a text[], j jsonb, n inet, r int4range, y bytea, k regclass, w xml);
INSERT INTO kinds
SELECT ('00000000-0000-0000-0000-' || lpad(g::text, 12, '0'))::uuid, g + 0.5, '2000-01-01'::date + g, g % 2 = 0,
    'x' || g, g / 3.0::float8, g * interval '1 day -2 hours', '2020-02-03 04:05:06+07'::timestamptz + g * interval '1 h',
    g::text::money, ARRAY['a,"' || g, NULL], jsonb_build_object('g', g), ('10.0.0.' || g || '/16')::inet,
    int4range(g, g + 2), decode(lpad(to_hex(g), 2, '0'), 'hex'), 'pg_class', '<a/><b/>'
FROM generate_series(1, 6) g;
INSERT INTO kinds (id) VALUES ('00000000-0000-0000-0000-000000000099');
SELECT kanon_declare('kinds', identifiers => '{id}', quasi_identifiers => '{age,born}', sensitive => '{b,c,f,i,t,m,a,j,n,r,y,k}', insensitive => '{w}');
SET DateStyle = 'SQL, DMY'; SET IntervalStyle = 'sql_standard'; SET TimeZone = 'Asia/Tokyo'; SET extra_float_digits = -5; SET array_nulls = off; SET xmloption = document;
SELECT kanon_create_release('kinds_release', 'kinds', 2, 'cohorts', options => '{"key": "id", "wait": 0, "leavers": "keep"}');
SELECT rows, missing FROM kanon_refresh_release('kinds_release');
REFRESH MATERIALIZED VIEW kinds_release;
RESET DateStyle; RESET IntervalStyle; RESET TimeZone; RESET extra_float_digits; RESET array_nulls; RESET xmloption;
SELECT count(*) FROM kinds_release;
SELECT count(*) FROM (SELECT b, c, f, i, t, m, a, j, n, r, y, k, w::text FROM kinds
    EXCEPT ALL SELECT b, c, f, i, t, m, a, j, n, r, y, k, w::text FROM kinds_release) d;
SELECT DISTINCT age, born FROM kinds_release ORDER BY age, born;
DROP MATERIALIZED VIEW kinds_release, nightly;

-- A cell that fails a model when it is admitted shows no sensitive values, ever.
CREATE TABLE judged (id int, age int, disease text, ward text);
INSERT INTO judged
SELECT i, 20 + i, CASE WHEN i <= 6 THEN 'flu' WHEN i BETWEEN 19 AND 22 THEN 'gout' ELSE 'd' || i % 3 END, 'w' || i % 2 FROM generate_series(1, 24) i;
SELECT kanon_declare('judged', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}', insensitive => '{ward}');
SELECT kanon_create_release('judged_release', 'judged', 3, 'cohorts', options => '{"key": "id", "target_loss": 0.25, "leavers": "keep", "stale": 0}',
    models => 'distinct(disease, 2)');
SELECT age, count(*), count(disease) AS diseases, count(ward) AS wards FROM judged_release GROUP BY age ORDER BY age;
SELECT label, k FROM kanon_cohort_cell WHERE cohort = (SELECT number FROM kanon_cohort WHERE relation = 'judged'::regclass) ORDER BY cell;
UPDATE judged SET disease = 'd' || id;
-- .. and one that satisfies is divided only into parts of which each satisfies, whoever is in it
DELETE FROM judged WHERE id IN (1, 2, 3, 7, 8, 9, 22, 23, 24);
SELECT rows FROM kanon_refresh_release('judged_release');
SELECT age, count(*), count(disease) AS diseases, count(ward) AS wards FROM judged_release GROUP BY age ORDER BY age;
ALTER TABLE judged RENAME COLUMN disease TO illness;
SELECT models FROM kanon_cohort WHERE relation = 'judged'::regclass;
DROP TABLE judged CASCADE;
-- .. by all models, with their own k
CREATE TABLE paid (id int, age int, disease text, pay int);
INSERT INTO paid SELECT i, 20 + i, (ARRAY['flu', 'flu', 'cold', 'gout', 'hiv'])[1 + i % 5], (i % 10) ^ 2 FROM generate_series(1, 40) i;
UPDATE paid SET pay = NULL WHERE id = 40;
SELECT kanon_declare('paid', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease,pay}');
CREATE FUNCTION own_k(models kanon_models) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    found text;
BEGIN
    PERFORM kanon_create_release('paid_release', 'paid', 3, 'cohorts', options => '{"key": "id", "target_loss": 1, "leavers": "keep"}', models => models);
    SELECT string_agg(CASE WHEN r.nulls THEN 'fails' ELSE c.k::text END, ', ') INTO found
    FROM kanon_cohort s JOIN kanon_cohort_cell c ON c.cohort = s.number, (SELECT count(disease) + count(pay) = 0 AS nulls FROM paid_release) r
    WHERE s.relation = 'paid'::regclass;
    DROP MATERIALIZED VIEW paid_release;
    DELETE FROM kanon_cohort_state WHERE relation = 'paid'::regclass;
    RETURN found;
END $$;
SELECT m AS models, own_k(m::kanon_models) AS k
FROM unnest('{"distinct(disease, 1)","distinct(disease, 2)","distinct(disease, 4)","distinct(disease, 5)","entropy(disease, 2)",
    "entropy(disease, 3.9)","recursive(disease, 2, 2)","recursive(disease, 2, 4)","variance(pay, 0)","variance(pay, 100)","variance(pay, 800)",
    "distinct(disease, 2), variance(pay, 1)"}'::text[]) WITH ORDINALITY AS m (m, n) ORDER BY n;
DROP FUNCTION own_k;
DROP TABLE paid;

-- Where all cells fail, there is nothing that a check could object to; the loss is known.
CREATE TABLE alike AS SELECT i AS id, 20 + i AS age, 'flu' AS disease FROM generate_series(1, 24) i;
SELECT kanon_declare('alike', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}');
SELECT kanon_create_release('all_null', 'alike', 3, 'cohorts', options => '{"key": "id", "target_loss": 0.25, "leavers": "keep"}', models => 'distinct(disease, 2)');
SELECT count(disease), satisfied FROM all_null, kanon_check('all_null') GROUP BY satisfied;
SELECT kanon_check('all_null', models => 'distinct(disease, 2)');
SELECT kanon_report('all_null') LIKE '%</html>%' AS reports;
DROP TABLE alike CASCADE;

-- An epoch ends: its releases are dropped, and others begin anew.
CREATE TABLE epochs AS SELECT i AS id, 20 + i AS age, 'd' || i AS disease FROM generate_series(1, 12) i;
SELECT kanon_declare('epochs', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}');
SELECT kanon_create_release('epoch_one', 'epochs', 3, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0, "wait": 0, "anew": true}');
SELECT kanon_create_release('epoch_two', 'epochs', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0, "wait": 0, "anew": true}');
SELECT kanon_drop_release('epoch_one');
SELECT kanon_create_release('epoch_two', 'epochs', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0, "wait": 0, "anew": true}');
SELECT age, count(*) FROM epoch_two GROUP BY age ORDER BY age;
SELECT relation, name, k FROM kanon_cohort WHERE name = 'public.epochs' ORDER BY number;
DROP TABLE epochs CASCADE;

-- The loss of the last night, for each release by its quasi-identifiers and their weights.
CREATE TABLE lossy AS SELECT i AS id, i % 40 AS age, i % 9 AS ward, 'd' || i AS disease FROM generate_series(1, 120) i;
SELECT kanon_declare('lossy', identifiers => '{id}', quasi_identifiers => '{age,ward}', sensitive => '{disease}');
SELECT kanon_set_attribute('lossy', 'age', 'quasi_identifier', weight => 3);
SELECT kanon_create_release('both', 'lossy', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "wait": 0, "target_loss": 0.2}');
SELECT kanon_create_release('one', 'lossy', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "wait": 0, "target_loss": 0.2}', quasi_identifiers => '{ward}');
SELECT release, r.loss > 0.05 AS lossy, round((r.loss - q.loss)::numeric, 9) AS "off" FROM kanon_release r, kanon_quality(release) q WHERE relation = 'lossy'::regclass ORDER BY release::text;
DELETE FROM lossy WHERE id % 3 = 0 AND id < 60;
ALTER TABLE lossy RENAME COLUMN ward TO floor;
SELECT round((r.loss - q.loss)::numeric, 9) AS "off" FROM kanon_refresh_release('both') r, kanon_quality('both') q;
SELECT release, round((r.loss - q.loss)::numeric, 9) AS "off", r.loss = (SELECT loss FROM kanon_release_history h WHERE h.release = r.release ORDER BY number DESC LIMIT 1) AS in_history
FROM kanon_release r, kanon_quality(release) q WHERE relation = 'lossy'::regclass ORDER BY release::text;
DELETE FROM lossy;
SELECT rows, loss FROM kanon_refresh_release('both');
DROP TABLE lossy CASCADE;

-- Weights: how many of the people under a label are there.
CREATE TABLE weighed AS SELECT i AS id, 20 + i / 6 AS age, 'd' || i % 3 AS disease FROM generate_series(0, 35) i;
SELECT kanon_declare('weighed', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}');
SELECT kanon_create_release('weights', 'weighed', 3, 'cohorts', options => '{"key": "id", "leavers": "keep", "stale": 0.4, "wait": 0, "target_loss": 0, "weights": true}');
SELECT age, present, count(*) FROM weights GROUP BY age, present ORDER BY age;
-- Two people left, one of a cell whose label another cell has
INSERT INTO weighed SELECT i, 20, 'd' || i % 3 FROM generate_series(100, 103) i;
SELECT rows FROM kanon_refresh_release('weights');
DELETE FROM weighed WHERE id IN (0, 35);
SELECT rows FROM kanon_refresh_release('weights');
SELECT age, round(present::numeric, 3) AS present, count(*) AS rows, round(sum(present)) AS there, (SELECT count(*) FROM weighed w WHERE w.age <@ r.age) AS truth FROM weights r GROUP BY age, present ORDER BY age;
SELECT columns, parameters -> 'weights' AS weights FROM kanon_release WHERE release = 'weights'::regclass;
SELECT satisfied FROM kanon_check('weights');
SELECT cell, people, present FROM kanon_cohort_cell c JOIN kanon_cohort s ON s.number = c.cohort WHERE s.relation = 'weighed'::regclass AND people > present ORDER BY cell;
CREATE TABLE staying AS SELECT i AS id, 20 + i / 10 AS age, CASE WHEN i % 2 = 0 THEN 'flu' ELSE 'cold' END AS disease FROM generate_series(0, 39) i;
SELECT kanon_declare('staying', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}');
SELECT kanon_create_release('nights', 'staying', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "wait": 0, "target_loss": 0, "weights": true}');
DELETE FROM staying WHERE id % 10 IN (2, 7);
SELECT rows FROM kanon_refresh_release('nights');
SELECT disease, count(*) AS rows, round(sum(present)) AS people FROM nights GROUP BY disease ORDER BY disease;
DROP TABLE staying CASCADE;
-- .. only where they are asked for; the other release has none
SELECT kanon_create_release('unweighted', 'weighed', 3, 'cohorts', options => '{"key": "id", "leavers": "keep", "stale": 0.4, "wait": 0, "target_loss": 0}');
SELECT attname FROM pg_attribute WHERE attrelid = 'unweighted'::regclass AND attnum > 0;
\set VERBOSITY terse
SELECT kanon_create_release('of_mondrian', 'weighed', 3, options => '{"weights": true}');
SELECT kanon_create_release('of_mondrian', 'weighed', 3, options => '{"anew": true}');
\set VERBOSITY default
ALTER TABLE weighed ADD COLUMN present int;
SELECT kanon_create_release('more_weights', 'weighed', 3, 'cohorts', options => '{"key": "id", "leavers": "keep", "stale": 0.4, "wait": 0, "target_loss": 0, "weights": true}');
DROP TABLE weighed CASCADE;

-- Dimensions are those that the first release had.
CREATE TABLE zoned (id int, zip text, disease text);
INSERT INTO zoned SELECT i, (53700 + i % 20)::text, 'd' || i FROM generate_series(1, 40) i;
SELECT kanon_declare('zoned', identifiers => '{id}', sensitive => '{disease}');
SELECT kanon_create_dimension('zips', 'zoned', 'zip', 'digits', '{1,2}');
SELECT kanon_create_release('zoned_one', 'zoned', 3, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0.3}');
SELECT zip, count(*) FROM zoned_one GROUP BY zip ORDER BY zip;
SELECT kanon_set_attribute('zoned', 'zip', 'quasi_identifier');
\set VERBOSITY terse
SELECT kanon_create_release('zoned_two', 'zoned', 3, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0.3}');
DROP TABLE zips;
\set VERBOSITY default
-- Values that the dimension lacks are told of as the table has them, without those of bounds.
CREATE TABLE wide_zips AS SELECT DISTINCT zip, left(zip, 3) AS region, '*' AS top FROM zoned;
CREATE TABLE lacking AS SELECT id, zip FROM zoned;
SELECT kanon_set_attribute('lacking', 'zip', 'quasi_identifier', 'wide_zips');
SELECT kanon_create_release('lacks', 'lacking', 2, 'cohorts', options => '{"key": "id", "leavers": "keep", "wait": 0, "stale": 1}');
INSERT INTO lacking SELECT 100 + i, 'of one who leaves' FROM generate_series(1, 3) i;
SELECT rows FROM kanon_refresh_release('lacks');
DELETE FROM lacking WHERE id IN (101, 102, 103);
SELECT rows FROM kanon_refresh_release('lacks');
UPDATE wide_zips SET zip = 'x' || zip;
SELECT rows FROM kanon_refresh_release('lacks');
DROP TABLE lacking CASCADE;
DROP TABLE wide_zips;
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
SELECT kanon_create_release('wards.w', 'wards.ward', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0.2}');
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
SELECT kanon_create_release('wards.b', 'wards.ward', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0.2}');
RESET ROLE;
ALTER MATERIALIZED VIEW wards.w OWNER TO regress_bob;
REFRESH MATERIALIZED VIEW wards.w;
DROP TABLE wards.ward CASCADE;
-- .. also where another one makes a table of that name
SET ROLE regress_bob;
CREATE TABLE wards.ward (id int, age int, disease text);
SELECT kanon_declare('wards.ward', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}');
SELECT kanon_create_release('wards.w', 'wards.ward', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0.2}');
SELECT kanon_adopt_cohorts('wards.ward');
-- .. and where that one begins anew: a superuser who adopts for the owner gets the owner's
SELECT kanon_create_release('wards.w', 'wards.ward', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0.2, "anew": true}');
DROP TABLE wards.ward CASCADE;
SET ROLE regress_alice;
CREATE TABLE wards.next_ward (id int, age int, disease text);
SELECT kanon_declare('wards.next_ward', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}');
ALTER TABLE wards.next_ward RENAME TO ward;
RESET ROLE;
SELECT kanon_adopt_cohorts('wards.ward');
SELECT relation, owner, night FROM kanon_cohort WHERE name = 'wards.ward' ORDER BY number;
-- .. and what the other table is called now is not for everybody
DELETE FROM kanon_cohort_state WHERE owner = 'regress_bob';
ALTER TABLE wards.ward RENAME TO secret_ward;
SET ROLE regress_bob;
CREATE TABLE wards.ward (id int, age int, disease text);
\set VERBOSITY default
SELECT kanon_create_release('wards.w', 'wards.ward', 4, 'cohorts', quasi_identifiers => '{age}', options => '{"key": "id", "leavers": "keep"}');
\set VERBOSITY terse
RESET ROLE;
-- .. nor does a superuser's right make bob's table continue it
SELECT kanon_adopt_cohorts('wards.ward');
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
SELECT kanon_create_release('afresh', 'people', 4, 'mondrian');
SELECT kanon_create_release('resident', 'people', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0}');
SELECT town, count(*) FROM afresh GROUP BY town ORDER BY town;
SELECT town, count(*) FROM resident GROUP BY town ORDER BY town;
-- .. nor where a cell is divided; those who are too few for a cell of their own wait with others
INSERT INTO people (town, disease) SELECT town, 'new' FROM (VALUES ('Celle', 3), ('Ede', 5), ('Bonn', 2)) v (town, n), generate_series(1, n) i;
DELETE FROM people WHERE disease <> 'new' AND town IN ('Aachen', 'Bonn') AND id % 2 = 0;
SELECT rows, missing, classes, smallest FROM kanon_refresh_release('resident');
SELECT town, count(*), count(*) FILTER (WHERE disease = 'new') AS new FROM resident GROUP BY town ORDER BY town;
-- .. and it goes along within the cell that is divided
CREATE TABLE movers (id int, town text, disease text);
SELECT kanon_declare('movers', identifiers => '{id}', sensitive => '{disease}');
SELECT kanon_set_attribute('movers', 'town', 'quasi_identifier', 'town_names');
SELECT kanon_create_release('moved', 'movers', 4, 'cohorts', options => '{"key": "id", "wait": 0, "leavers": "withhold", "target_loss": 0}');
-- The secret draws who is hidden with people who leave.
UPDATE kanon_cohort_state SET secret = sha256('secret 3') WHERE relation = 'movers'::regclass;
INSERT INTO movers SELECT i, 'Aachen', 'd' || i FROM generate_series(1, 20) i;
SELECT rows, missing, classes, smallest FROM kanon_refresh_release('moved');
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
SELECT kanon_create_release('names', 'named', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0}');
SELECT name, count(*) FROM names GROUP BY name ORDER BY name;
SELECT count(*) FROM (SELECT CASE WHEN count(*) OVER (PARTITION BY name) >= 4 THEN name ELSE '*' END, disease FROM named
    EXCEPT ALL SELECT name, disease FROM names) missing;
-- The first cells are the classes of mondrian, which divides by gain.
CREATE TABLE newcomers AS SELECT i AS id, (i * 37 % 61)::text AS town, i * i % 53 AS age, i * 7 % 5 AS floor, i AS note FROM generate_series(1, 300) i;
CREATE TABLE newcomer_towns AS SELECT t::text AS town, (t / 7)::text || 'x' AS district, CASE WHEN t < 42 THEN 'north' ELSE 'south' END AS half FROM generate_series(0, 60) t;
SELECT kanon_set_attribute('newcomers', 'town', 'quasi_identifier', 'newcomer_towns'), kanon_declare('newcomers', identifiers => '{id}', quasi_identifiers => '{age,floor}', sensitive => '{note}');
SELECT kanon_create_release('first_cells', 'newcomers', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0}');
SELECT kanon_create_release('by_gain', 'newcomers', 4, 'mondrian');
SELECT kanon_create_release('by_medians', 'newcomers', 4, 'mondrian', options => '{"split": "median"}');
SELECT (SELECT count(*) FROM (SELECT town, age, floor FROM first_cells EXCEPT ALL SELECT town, age, floor FROM by_gain) d) AS gain,
    (SELECT count(*) FROM (SELECT town, age, floor FROM first_cells EXCEPT ALL SELECT town, age, floor FROM by_medians) d) > 0 AS medians_are_others;
DROP MATERIALIZED VIEW first_cells, by_gain, by_medians;
DROP TABLE newcomers, newcomer_towns;
DROP MATERIALIZED VIEW moved, names;
DROP TABLE movers, named, any_name;
DROP TABLE people, town_names CASCADE;
DELETE FROM kanon_cohort_state;
DELETE FROM kanon_cohort_cell;
DELETE FROM kanon_cohort_member;
DROP TABLE kinds, clinic;
