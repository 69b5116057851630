-- Releases by cohorts of a table that lost a column or a dimension.
CREATE TABLE clinic (id int, age int, zip text, weight int, disease text);
INSERT INTO clinic
SELECT i, 20 + i % 40, (53700 + i % 20)::text, 50 + i % 9, 'd' || i % 7 FROM generate_series(1, 80) i;
SELECT kanon_declare('clinic', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{weight, disease}');
SELECT kanon_create_dimension('zips', 'clinic', 'zip', 'digits', '{1,2}');
CREATE FUNCTION make(name text, quasi_identifiers name[] DEFAULT NULL) RETURNS regclass
RETURN kanon_create_release(name, 'clinic', 4, 'cohorts', options => '{"key": "id", "wait": 0, "leavers": "keep"}',
    models => 'distinct(disease, 2)', quasi_identifiers => quasi_identifiers);
SELECT make('wide'), make('ages', '{age}');
CREATE TABLE cells AS SELECT cell, digest FROM kanon_cohort_member;

-- A column that is published as it is reads as NULL, and its old values stay in the state.
\set VERBOSITY terse
ALTER TABLE clinic DROP COLUMN weight CASCADE;
\set VERBOSITY default
SELECT make('wide'), make('ages', '{age}');
SELECT array_length(columns, 1) FROM kanon_cohort WHERE relation = 'clinic'::regclass;
INSERT INTO clinic SELECT i, 20 + i % 40, (53700 + i % 20)::text, 'd' || i % 7 FROM generate_series(81, 120) i;
SELECT rows, missing, satisfied FROM kanon_refresh_release('wide');
SELECT count(values[1]), count(values[2]), count(*) FROM kanon_cohort_member WHERE cell IS NOT NULL;
SELECT count(*), count(disease) FROM wide;

-- A dimension: the one declared now takes its place, but only if it is told to.
\set VERBOSITY terse
DROP TABLE zips CASCADE;
\set VERBOSITY default
SELECT kanon_refresh_release('ages');
SELECT make('wide', '{age, zip}');
SELECT kanon_adopt_cohorts('clinic');
SELECT kanon_refresh_release('ages');
SELECT kanon_create_dimension('zips', 'clinic', 'zip', 'digits', '{1,2}');
SELECT make('wide');
SELECT kanon_adopt_cohorts('clinic');
SELECT make('wide');
SELECT rows, missing, satisfied FROM kanon_refresh_release('ages');
SELECT rows, missing, satisfied FROM kanon_refresh_release('wide');

-- A quasi-identifier, also one that the release lacks.
\set VERBOSITY terse
ALTER TABLE clinic DROP COLUMN zip CASCADE;
\set VERBOSITY default
SELECT kanon_refresh_release('ages');
SELECT make('more', '{age}');
ALTER TABLE clinic ADD COLUMN zip text;
SELECT rows, missing, satisfied FROM kanon_refresh_release('ages');
SELECT count(*) FROM ages;

-- The column of a model, and the key.
\set VERBOSITY terse
ALTER TABLE clinic DROP COLUMN disease CASCADE;
\set VERBOSITY default
SELECT make('ages', '{age}');
ALTER TABLE clinic ADD COLUMN disease text;
SELECT kanon_set_attribute('clinic', 'disease', 'sensitive');
SELECT make('ages', '{age}');
SELECT rows, missing FROM kanon_refresh_release('ages');
SELECT count(*), count(disease) > 0 AS some, count(*) >= 80 AS old_ones FROM ages;
\set VERBOSITY terse
ALTER TABLE clinic DROP COLUMN id CASCADE;
\set VERBOSITY default
ALTER TABLE clinic ADD COLUMN number int;
SELECT kanon_create_release('ages', 'clinic', 4, 'cohorts', options => '{"key": "number", "wait": 0, "leavers": "keep"}',
    models => 'distinct(disease, 2)', quasi_identifiers => '{age}');

-- Whatever happened, people of a cell come from one cell.
SELECT max(origins) FROM (SELECT count(DISTINCT c.cell) AS origins
    FROM kanon_cohort_member m JOIN cells c USING (digest) GROUP BY m.cell) o;
DROP FUNCTION make;
DROP TABLE clinic, cells CASCADE;
DROP TABLE zips;

-- Values that are read again after the column was dropped.
CREATE TABLE ward (id int, age int, weight int, disease text);
INSERT INTO ward SELECT i, 20 + i % 10, i, 'd' || i % 5 FROM generate_series(1, 60) i;
SELECT kanon_declare('ward', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{weight, disease}');
SELECT kanon_create_release('w', 'ward', 4, 'cohorts', options => '{"key": "id", "wait": 0, "leavers": "withhold", "reading": "together", "target_loss": 1}');
\set VERBOSITY terse
ALTER TABLE ward DROP COLUMN weight CASCADE;
\set VERBOSITY default
SELECT kanon_create_release('w', 'ward', 4, 'cohorts', options => '{"key": "id", "wait": 0, "leavers": "withhold", "reading": "together", "target_loss": 1}');
SELECT rows, missing, satisfied FROM kanon_refresh_release('w');
SELECT count(values[1]), count(values[2]), count(*) FROM kanon_cohort_member m JOIN kanon_cohort c ON c.number = m.cohort
WHERE c.relation = 'ward'::regclass;
DELETE FROM ward WHERE id < 9;
SELECT rows, missing, satisfied FROM kanon_refresh_release('w');
UPDATE ward SET disease = 'flu';
SELECT rows, missing, satisfied FROM kanon_refresh_release('w');
SELECT count(*), count(disease) FROM w;
\set VERBOSITY terse
DROP TABLE ward CASCADE;
\set VERBOSITY default
DELETE FROM kanon_cohort_state WHERE relation IS NULL;

-- Cells that are admitted and judged, or divided, after it was dropped.
CREATE TABLE ward (id int, age int, weight int, disease text);
INSERT INTO ward SELECT i, 20 + i % 10, i, 'd' || i % 5 FROM generate_series(1, 60) i;
SELECT kanon_declare('ward', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{weight, disease}');
SELECT kanon_create_release('w', 'ward', 4, 'cohorts', options => '{"key": "id", "wait": 0, "leavers": "withhold", "target_loss": 1}', models => 'distinct(disease, 3)');
\set VERBOSITY terse
ALTER TABLE ward DROP COLUMN weight CASCADE;
\set VERBOSITY default
SELECT kanon_create_release('w', 'ward', 4, 'cohorts', options => '{"key": "id", "wait": 0, "leavers": "withhold", "target_loss": 1}', models => 'distinct(disease, 3)');
INSERT INTO ward SELECT i, 20 + i % 10, 'd' || i % 2 FROM generate_series(61, 70) i;
DELETE FROM ward WHERE id < 9;
SELECT rows, missing, satisfied FROM kanon_refresh_release('w');
SELECT count(*), count(disease) FROM w;
SELECT m.cell, count(*), count(values[1]) AS weights, count(values[2]) AS diseases FROM kanon_cohort_member m JOIN kanon_cohort c ON c.number = m.cohort
WHERE c.relation = 'ward'::regclass GROUP BY m.cell ORDER BY m.cell;
\set VERBOSITY terse
DROP TABLE ward CASCADE;
