-- docs/tutorial.md, as it is written, in a database of its own.
\set home :DBNAME
CREATE DATABASE regression_tutorial;
\c regression_tutorial
\set SHOW_CONTEXT never
-- Where psql may write.
\getenv directory PG_ABS_BUILDDIR
\cd :directory

CREATE SCHEMA kanon;
CREATE EXTENSION kanon SCHEMA kanon;
ALTER DATABASE :"DBNAME" SET search_path = "$user", public, kanon;
\c
SET datestyle = 'ISO, YMD';

-- A CSV file.
CREATE FUNCTION draw(person int, what int, n int) RETURNS int
LANGUAGE sql IMMUTABLE AS 'SELECT (abs(hashint4extended(person, what) / 2) % n)::int';
COPY (
SELECT p AS id,
       (ARRAY['Ada', 'Ben', 'Clara', 'David', 'Emma', 'Felix', 'Grace', 'Hugo'])[1 + draw(p, 1, 8)] || ' ' ||
       (ARRAY['Adler', 'Brown', 'Castro', 'Dubois', 'Evans', 'Fischer', 'Garcia', 'Hansen'])[1 + draw(p, 2, 8)] AS name,
       date '1940-01-01' + draw(p, 3, 365 * 65) AS birth_date,
       (ARRAY['female', 'male'])[1 + draw(p, 4, 2)] AS sex,
       (ARRAY['53703', '53703', '53704', '53711', '53715', '53562', '53590', '53593'])[1 + draw(p, 5, 8)] AS zip_code,
       (ARRAY['nurse', 'doctor', 'teacher', 'teacher', 'cook', 'waiter', 'carpenter', 'plumber', NULL])[1 + draw(p, 6, 9)] AS occupation,
       (ARRAY['asthma', 'fracture', 'influenza', 'migraine', 'diabetes', 'cancer', 'stroke'])[1 + draw(p, 7, 7)] AS disease
FROM generate_series(1, 5000) p
) TO STDOUT (FORMAT csv, HEADER) \g patients.csv

CREATE TABLE patients (
    id         int PRIMARY KEY,
    name       text,
    birth_date date,
    sex        text,
    zip_code   text,
    occupation text,
    disease    text
);
\copy patients FROM 'patients.csv' (FORMAT csv, HEADER)
SELECT * FROM patients ORDER BY id LIMIT 4;

-- Who stands alone?
SELECT columns, uniques, round(100 * unique_share::numeric) AS percent
FROM kanon_sample_uniques('patients', '{birth_date,sex,zip_code,occupation}')
ORDER BY uniques DESC, columns LIMIT 4;

-- Describe.
SELECT kanon_declare('patients', quasi_identifiers => '{sex}', sensitive => '{disease}', identifiers => '{id,name}');
SELECT kanon_create_dimension('birth_dates', 'patients', 'birth_date', 'dates', '{year,decade}');
SELECT kanon_create_dimension('zip_codes', 'patients', 'zip_code', 'digits', '{1,2}');
SELECT * FROM birth_dates ORDER BY birth_date LIMIT 3;
SELECT * FROM zip_codes ORDER BY zip_code LIMIT 3;

CREATE TABLE occupations (occupation text, field text, sector text, anything text);
COPY occupations FROM stdin (FORMAT csv);
nurse,health,services,*
doctor,health,services,*
teacher,education,services,*
cook,hospitality,services,*
waiter,hospitality,services,*
carpenter,building,trades,*
\.
SELECT kanon_set_attribute('patients', 'occupation', 'quasi_identifier', 'occupations');
SELECT * FROM kanon_check_dimension('occupations', 'patients', 'occupation');
INSERT INTO occupations VALUES ('plumber', 'building', 'trades', '*');
SELECT attribute, role, dimension FROM kanon_attribute
WHERE relation = 'patients'::regclass ORDER BY role, attribute;

-- Check, as it is.
SELECT * FROM kanon_check('patients', 5);

-- What does it cost to hide everyone among more?
SELECT k, recoding, round(loss::numeric, 3) AS loss, classes, smallest, missing, round(average_risk::numeric, 3) AS risk
FROM kanon_compare('patients', '{5,25,100}', suppression => 0.01);

-- Release.
SELECT kanon_create_release('study', 'patients', 5, models => 'distinct(disease, 3)');
SELECT * FROM study LIMIT 6;
SELECT * FROM kanon_check('study');
SELECT count(*) AS classes, min(n) AS smallest FROM (
    SELECT count(*) AS n FROM study GROUP BY birth_date, sex, zip_code, occupation) classes;
SELECT rows, uniques, round(prosecutor_highest::numeric, 3) AS highest_risk, round(prosecutor_average::numeric, 3) AS average_risk FROM kanon_risk('study');
SELECT predicate, actual, round(estimate::numeric) AS estimate
FROM kanon_query_errors('study', ARRAY[
    $$birth_date >= '1970-01-01' AND sex = 'female'$$,
    $$zip_code = '53703' AND occupation = 'nurse'$$]);

-- Grant.
CREATE ROLE regress_researcher;
GRANT SELECT ON study TO regress_researcher;
SET ROLE regress_researcher;
SELECT count(*) FROM patients;
SELECT sex, count(*) AS patients, count(*) FILTER (WHERE disease = 'stroke') AS strokes
FROM study GROUP BY sex ORDER BY sex;
RESET ROLE;

-- The same by one level for each column.
SELECT levels, labels, round(loss::numeric, 3) AS loss, classes, suppressed, round(total_loss::numeric, 3) AS total_loss
FROM kanon_incognito('patients', 5, suppression => 0.01, metrics => true)
ORDER BY total_loss LIMIT 6;
SELECT kanon_create_release('table_study', 'patients', 5, 'full_domain', suppression => 0.01);
SELECT occupation, count(*) AS patients, count(*) FILTER (WHERE disease = 'stroke') AS strokes
FROM table_study GROUP BY occupation ORDER BY occupation;

-- Refresh.
DELETE FROM patients WHERE id % 2 = 0;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('study');
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('table_study');
SELECT release, rows, missing, smallest, satisfied FROM kanon_refresh_release('table_study', search => true);
SELECT levels FROM kanon_release WHERE release = 'table_study'::regclass;
SELECT release, state, rows, missing, smallest, fillings FROM kanon_releases ORDER BY release::text;
SELECT how, rows, missing, classes, smallest, satisfied, changed
FROM kanon_release_history WHERE release = 'table_study'::regclass ORDER BY number;

-- A report, and a picture.
SELECT kanon_report('study') \g (format=unaligned tuples_only=on) study.html
SELECT kanon_plot('classes', 'study') \g (format=unaligned tuples_only=on) classes.svg

-- Clean up.
SELECT kanon_drop_release('study');
SELECT kanon_drop_release('table_study');
DROP TABLE patients, birth_dates, zip_codes, occupations;
DROP FUNCTION draw;
DROP OWNED BY regress_researcher;
DROP ROLE regress_researcher;
SELECT relation, attribute FROM kanon_attribute;
\! grep -c '<h2>' study.html
\! rm patients.csv study.html classes.svg
\c :home
DROP DATABASE regression_tutorial;
