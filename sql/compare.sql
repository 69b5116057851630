-- What releases would lose and hide, before any is made: the same as those that are.
CREATE TABLE patients AS
SELECT (i * 7919) % 90 AS age, 53700 + (i * 104729) % 100 AS zip,
    CASE WHEN i % 11 = 0 THEN NULL WHEN i % 3 = 0 THEN 'm' ELSE 'f' END AS sex,
    CASE (i * 31) % 5 WHEN 0 THEN 'flu' WHEN 1 THEN 'cold' ELSE 'none' END AS disease
FROM generate_series(1, 1500) i;
SELECT kanon_create_dimension('patient_zips', 'patients', 'zip', 'digits');
SELECT kanon_declare('patients', '{age,sex,zip}', sensitive => '{disease}');
SELECT kanon_set_attribute('patients', 'age', 'quasi_identifier', weight => 2);

CREATE FUNCTION made(k int, recoding text, models kanon_models) RETURNS kanon_release LANGUAGE plpgsql AS $$
DECLARE found kanon_release;
BEGIN
    PERFORM kanon_create_release('compared', 'patients', k, recoding, models => models);
    SELECT * INTO found FROM kanon_release WHERE release = 'compared'::regclass;
    PERFORM kanon_drop_release('compared');
    RETURN found;
END $$;
SET client_min_messages = warning;

SELECT c.k, c.recoding, round(c.loss::numeric, 4) AS loss, c.classes, c.smallest, c.missing,
    round(c.average_risk::numeric, 4) AS average_risk, c.seconds >= 0 AS took_time,
    abs(c.loss - m.loss) < 1e-9 AS same_loss,
    (c.classes, c.smallest) IS NOT DISTINCT FROM (m.classes, m.smallest) AS same_classes
FROM kanon_compare('patients', '{3,20}') c, made(c.k, c.recoding, '') m
WHERE c.recoding <> 'relaxed_mondrian';

SELECT c.k, c.recoding, c.classes, c.smallest, abs(c.loss - m.loss) < 1e-9 AS same_loss,
    (c.classes, c.smallest) IS NOT DISTINCT FROM (m.classes, m.smallest) AS same_classes
FROM kanon_compare('patients', '{5}', models => 'distinct(disease, 3)') c, made(c.k, c.recoding, 'distinct(disease, 3)') m;

-- Two classes of relaxed partitioning may look alike: then a release has fewer.
SELECT abs(c.loss - m.loss) < 1e-9 AS same_loss, c.classes >= m.classes AS classes
FROM kanon_compare('patients', '{5}', '{relaxed_mondrian}') c, made(c.k, c.recoding, '') m;

-- Rows that a search may drop, and memory that does not hold the rows.
SELECT k, recoding, missing BETWEEN 0 AND 75 AS within, round(loss::numeric, 3) AS loss
FROM kanon_compare('patients', '{10,50}', '{full_domain}', suppression => 0.05);
SET kanon.partitioning = tree;
SELECT classes, smallest, round(loss::numeric, 4) AS loss FROM kanon_compare('patients', '{20}', '{mondrian}');
RESET kanon.partitioning;

-- Cells without a range type: what is predicted is what the release loses
CREATE TABLE visits AS SELECT sqrt(i) AS cost, time '00:00' + i * i * interval '1 second' AS begun FROM generate_series(1, 200) i;
SELECT kanon_create_release('visit_' || name, 'visits', 5, quasi_identifiers => ARRAY[name]) FROM unnest('{cost,begun}'::name[]) name;
SELECT name, p.loss::numeric - r.loss::numeric AS difference
FROM unnest('{cost,begun}'::name[]) name, kanon_compare('visits', '{5}', '{local}', ARRAY[name]) p, kanon_release r
WHERE r.release = ('visit_' || name)::regclass ORDER BY name;
DROP TABLE visits CASCADE;

-- Nothing can be published.
SELECT k, recoding, loss, classes, smallest, missing, average_risk FROM kanon_compare('patients', '{1501}');
SELECT recoding, loss, classes, missing FROM kanon_compare('patients', '{5}', models => 'distinct(disease, 4)');
CREATE TABLE nobody AS SELECT * FROM patients WHERE false;
SELECT recoding, loss, missing FROM kanon_compare('nobody', '{2}', quasi_identifiers => '{age}');

-- Nothing is written.
BEGIN READ ONLY;
SELECT count(*) FROM kanon_compare('patients', '{5}');
ROLLBACK;

-- Errors.
SELECT * FROM kanon_compare(NULL);
SELECT * FROM kanon_compare('patients', NULL);
SELECT * FROM kanon_compare('patients', '{5,NULL}');
SELECT * FROM kanon_compare('patients', '{0}');
\set VERBOSITY terse
SELECT * FROM kanon_compare('patients', '{5}', '{none}');
SELECT * FROM kanon_compare('patients', '{5}', '{ring}', models => 'distinct(disease, 2)');
\set VERBOSITY default
SELECT * FROM kanon_compare('patients', '{5}', suppression => 2);
SELECT * FROM kanon_compare('patients', '{5}', quasi_identifiers => '{height}');
RESET client_min_messages;
-- Values that a dimension lacks are told of once, whatever is compared; a k above the rows reads none.
CREATE TABLE seasons (place text, zip int);
INSERT INTO seasons SELECT 'p' || i % 4, i % 3 FROM generate_series(1, 30) i;
CREATE TABLE place_dim AS SELECT DISTINCT place, '*' AS top FROM seasons;
SELECT kanon_set_attribute('seasons', 'place', 'quasi_identifier', 'place_dim'), kanon_set_attribute('seasons', 'zip', 'quasi_identifier');
INSERT INTO seasons VALUES ('elsewhere', 1), ('nowhere', 2);
SELECT k, recoding, missing FROM kanon_compare('seasons', '{100,2,3}');
SELECT length(kanon_plot('tradeoff', 'seasons', '{2,3}')) > 0 AS drawn;
DROP TABLE seasons, place_dim;
DROP FUNCTION made;
DROP TABLE nobody, patients, patient_zips;
