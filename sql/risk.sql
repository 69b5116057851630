-- Risk of reidentification.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
RESET client_min_messages;
\set SHOW_CONTEXT never
SET extra_float_digits = -3;
CREATE SCHEMA risking;
SET search_path = risking, public;

-- Classes of 1, 2 and 5 rows, which have 4, 2 and 10 in the population, where others live too
CREATE TABLE study (age int, sex text, disease text);
INSERT INTO study SELECT age, sex, 'd' || i FROM (VALUES (30, 'f', 1), (30, 'm', 2), (NULL, 'm', 5)) v (age, sex, n), generate_series(1, n) i;
CREATE TABLE town (sex text, name text, age int);
INSERT INTO town SELECT sex, 'n' || i, age FROM (VALUES (30, 'f', 4), (30, 'm', 2), (NULL, 'm', 10), (40, 'm', 1), (NULL, NULL, 3)) v (age, sex, n), generate_series(1, n) i;

-- Prosecutor: highest 1 / 1; average 3 classes / 8 rows = 0.375; above 0.2: 1 + 2 of 8, for 1/5 is not above it.
-- Marketer without a population: 3 / 8
\x on
SELECT * FROM kanon_risk('study', '{age,sex}');
-- Journalist: highest 1 / 2; average the greater of 3 / (4 + 2 + 10) = 0.1875 and (1/4 + 2/2 + 5/10) / 8 = 0.21875;
-- above 0.2: 1 + 2 of 8.  Marketer: 0.21875
SELECT * FROM kanon_risk('study', '{age,sex}', 'town');
-- above 0.25: 2 of 8
SELECT prosecutor_at_risk, journalist_at_risk FROM kanon_risk('study', '{age,sex}', 'town', 0.25);
SELECT prosecutor_at_risk, journalist_at_risk FROM kanon_risk('study', '{age,sex}', 'town', 0);
SELECT prosecutor_at_risk, journalist_at_risk FROM kanon_risk('study', '{age,sex}', 'town', 1);
-- By sex: the greater of 2 / (4 + 13) = 0.1176, not counting the 3 of unknown sex, and (1/4 + 7/13) / 8 = 0.0986
SELECT journalist_average, marketer FROM kanon_risk('study', '{sex}', 'town');
-- Everybody is alone in the population, and known to be in the table
SELECT * FROM kanon_risk('town', '{sex,name,age}', 'town');
\x off

-- Declared quasi-identifiers, those of a release, views; writes nothing
SELECT kanon_set_attribute('study', 'age', 'quasi_identifier');
SELECT kanon_set_attribute('study', 'sex', 'quasi_identifier');
SELECT kanon_set_attribute('study', 'disease', 'sensitive');
SELECT kanon_create_release('released', 'study', 3, 'full_domain', options => '{"levels": [1, 0]}', suppression => 0.2);
CREATE VIEW men AS SELECT * FROM study WHERE sex = 'm';
BEGIN READ ONLY;
SELECT rows, classes, uniques, prosecutor_highest FROM kanon_risk('study');
SELECT rows, classes, uniques, prosecutor_highest FROM kanon_risk('released');
SELECT rows, classes, uniques, prosecutor_highest FROM kanon_risk('men', '{age}', 'study');
ROLLBACK;
-- A release knows its k: classes of 3 and 5 rows are at risk where k = 4 is asked, and not where it is 3
CREATE TABLE queue AS SELECT CASE WHEN i BETWEEN 3 AND 6 THEN 3 ELSE i END AS who, CASE WHEN i < 3 THEN 1 ELSE 2 END AS age FROM generate_series(0, 7) i;
SELECT kanon_create_release('three', 'queue', 3, 'full_domain', options => '{"levels": [0]}', quasi_identifiers => '{age}');
SELECT kanon_create_release('four', 'queue', 3, 'full_domain', options => '{"levels": [0]}', quasi_identifiers => '{age}');
UPDATE kanon_release_state SET k = 4 WHERE release = 'four'::regclass;
SELECT release, prosecutor_highest, prosecutor_at_risk FROM (VALUES ('queue'::regclass), ('three'), ('four')) v (release), kanon_risk(release, '{age}');
SELECT prosecutor_at_risk FROM kanon_risk('four', threshold => 0.25);
SELECT prosecutor_at_risk FROM kanon_risk('four', threshold => 0.34);
-- .. where people were counted, rows tell too little: one of two people has four of five rows
SELECT kanon_create_release('people', 'queue', 2, 'full_domain', options => '{"levels": [0]}', quasi_identifiers => '{age}', person => 'who');
SELECT people, prosecutor_highest, prosecutor_at_risk FROM kanon_release, kanon_risk(release) WHERE release = 'people'::regclass;

-- An empty table has no risk
CREATE TABLE nobody (age int);
SELECT rows, classes, uniques, unique_share, prosecutor_highest, marketer FROM kanon_risk('nobody', '{age}');
SELECT rows, journalist_highest FROM kanon_risk('nobody', '{age}', 'town');

-- Errors
SELECT kanon_risk(NULL);
SELECT kanon_risk('nobody');
SELECT kanon_risk('study', '{height}');
SELECT kanon_risk('study', '{age}', threshold => 1.5);
SELECT kanon_risk('study', '{age}', threshold => 'NaN');
SELECT kanon_risk('study', '{disease}', 'town');
SELECT kanon_risk('town', '{age,sex}', 'study');
SELECT kanon_risk('town', '{name}', 'study');
CREATE TABLE elsewhere (age text);
SELECT kanon_risk('study', '{age}', 'elsewhere');
-- The caller's rights
CREATE ROLE regress_kanon_risk;
GRANT USAGE ON SCHEMA risking TO regress_kanon_risk;
GRANT SELECT ON study TO regress_kanon_risk;
SET ROLE regress_kanon_risk;
SELECT uniques FROM kanon_risk('study', '{age,sex}');
SELECT uniques FROM kanon_risk('study', '{age,sex}', 'town');
RESET ROLE;
DROP OWNED BY regress_kanon_risk;
DROP ROLE regress_kanon_risk;

-- A release and what it was made from, whatever either calls their columns
CREATE TABLE town (id int, age int, street text);
INSERT INTO town SELECT i, 20 + i % 4, 'street ' || i % 5 FROM generate_series(1, 43) i;
SELECT kanon_create_release('town_release', 'town', 2, 'full_domain', options => '{"levels": [0, 0]}', suppression => 0.2, quasi_identifiers => '{age,street}');
DELETE FROM town WHERE id > 41;
REFRESH MATERIALIZED VIEW town_release;
INSERT INTO town SELECT i, 20 + i % 4, 'street ' || i % 5 FROM generate_series(42, 60) i;
CREATE TABLE risks AS SELECT * FROM kanon_risk('town_release', population => 'town');
ALTER MATERIALIZED VIEW town_release RENAME age TO years;
INSERT INTO risks SELECT * FROM kanon_risk('town_release', population => 'town');
ALTER MATERIALIZED VIEW town_release RENAME street TO age;
INSERT INTO risks SELECT * FROM kanon_risk('town_release', population => 'town');
ALTER TABLE town RENAME street TO road;
INSERT INTO risks SELECT * FROM kanon_risk('town_release', population => 'town');
SELECT count(*), count(DISTINCT r) AS different, min(rows) AS rows FROM risks r;
SELECT rows FROM kanon_risk('town_release', quasi_identifiers => '{years}', population => 'town');
SELECT rows FROM kanon_risk('town_release', population => 'pg_class');

SET client_min_messages = warning;
DROP SCHEMA risking CASCADE;
