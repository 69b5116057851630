-- What README.md shows, in a database of its own.
\set home :DBNAME
CREATE DATABASE regression_readme;
\c regression_readme
SET datestyle = 'ISO, YMD';
\getenv directory PG_ABS_BUILDDIR
\cd :directory
COPY (SELECT 'Patient ' || p AS name, date '1940-01-01' + (abs(hashint4extended(p, 1) / 2) % 20000)::int AS birth_date,
          (ARRAY['female', 'male'])[1 + abs(hashint4extended(p, 2) / 2) % 2] AS sex,
          (53700 + abs(hashint4extended(p, 3) / 2) % 90)::text AS zip_code,
          (ARRAY['asthma', 'fracture', 'influenza', 'migraine', 'diabetes'])[1 + abs(hashint4extended(p, 4) / 2) % 5] AS disease
      FROM generate_series(1, 1000) p) TO STDOUT (FORMAT csv, HEADER) \g people.csv

-- The release.
CREATE SCHEMA kanon;
CREATE EXTENSION kanon SCHEMA kanon;
ALTER DATABASE :"DBNAME" SET search_path = "$user", public, kanon;
\c
CREATE TABLE people (name text, birth_date date, sex text, zip_code text, disease text);
\copy people FROM 'people.csv' (FORMAT csv, HEADER)
SELECT kanon_declare('people', quasi_identifiers => '{sex}', sensitive => '{disease}', identifiers => '{name}');
SELECT kanon_create_dimension('birth_dates', 'people', 'birth_date', 'dates', '{year,decade}');
SELECT kanon_create_dimension('zip_codes', 'people', 'zip_code', 'digits');
SELECT k, recoding, round(loss::numeric, 2) AS loss FROM kanon_compare('people', '{5,10}');
SELECT kanon_create_release('study', 'people', 5, models => 'distinct(disease, 3)');
SELECT * FROM kanon_check('study');
CREATE ROLE regress_analyst;
GRANT SELECT ON study TO regress_analyst;
GRANT USAGE ON SCHEMA kanon TO regress_analyst;
SET ROLE regress_analyst;
SELECT satisfied FROM kanon_check('study', 5, '{birth_date,sex,zip_code}', models => 'distinct(disease, 3)');
SELECT release, k, rows FROM kanon_releases;
RESET ROLE;

-- Six people.
CREATE TABLE ward (name text, age int, zip_code text, disease text);
INSERT INTO ward VALUES
    ('Ada',   34, '53703', 'asthma'),
    ('Ben',   36, '53704', 'diabetes'),
    ('Clara', 38, '53703', 'asthma'),
    ('David', 61, '53711', 'cancer'),
    ('Emma',  64, '53711', 'stroke'),
    ('Felix', 67, '53719', 'cancer');
SELECT * FROM ward;
SELECT kanon_declare('ward', sensitive => '{disease}', identifiers => '{name}');
SELECT kanon_create_dimension('ward_ages', 'ward', 'age', 'ranges', '{10,20}');
SELECT kanon_create_dimension('ward_zip_codes', 'ward', 'zip_code', 'digits', '{1,2}');
SELECT kanon_create_release('ward_release', 'ward', 3, 'full_domain');
SELECT * FROM ward_release;

\! rm people.csv
\c :home
DROP DATABASE regression_readme;
DROP ROLE regress_analyst;
