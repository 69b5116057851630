-- The examples in docs/, which quotes this file and what it prints.

SET datestyle = 'ISO, YMD';

-- docs/dimensions.md
CREATE TABLE people (age int, salary numeric, zip_code text, born date, city text);
INSERT INTO people VALUES
    (23,  1800, '53703', '2001-05-14', 'Lyon'),
    (27,  2450, '53704', '1997-11-02', 'Paris'),
    (27,  3100, '53711', '1998-01-30', 'Kyoto'),
    (34,  3100, '53711', '1990-08-19', 'Paris'),
    (41,  5200, '53590', '1983-12-24', 'Tokyo'),
    (58, 12500, '53593', '1966-07-07', 'Lyon');

SELECT kanon_create_dimension('plain', 'people', 'city', 'suppress');
SELECT * FROM plain ORDER BY city COLLATE "C";

SELECT kanon_create_dimension('ages', 'people', 'age', 'ranges', '{5,10,20}');
SELECT * FROM ages ORDER BY age;

SELECT kanon_create_dimension('salaries', 'people', 'salary', 'quantiles', '{4,2}');
SELECT * FROM salaries ORDER BY salary;

SELECT kanon_create_dimension('zip_codes', 'people', 'zip_code', 'digits');
SELECT * FROM zip_codes ORDER BY zip_code;

SELECT kanon_create_dimension('birthdays', 'people', 'born', 'dates', '{month,year,decade}');
SELECT * FROM birthdays ORDER BY born;

CREATE TABLE places (place text, within text);
INSERT INTO places VALUES
    ('Lyon', 'France'), ('Paris', 'France'), ('Kyoto', 'Japan'), ('Tokyo', 'Japan'),
    ('France', 'Europe'), ('Japan', 'Asia'), ('Europe', 'World'), ('Asia', 'World');
SELECT kanon_create_dimension('cities', 'people', 'city', 'taxonomy', '{places}');
SELECT * FROM cities ORDER BY city COLLATE "C";

CREATE TABLE my_zip_codes (zip_code text, district text, county text);
COPY my_zip_codes FROM stdin (FORMAT csv, DELIMITER ';');
53703;centre;Dane
53704;centre;Dane
53711;west;Dane
53711;west;Dane
53711;south;Dane
53590;centre;Sauk
\.
SELECT * FROM kanon_check_dimension('my_zip_codes', 'people', 'zip_code');
SELECT kanon_set_attribute('people', 'zip_code', 'quasi_identifier', 'my_zip_codes');
SELECT count(*) FROM kanon_incognito('people', 2);

DELETE FROM my_zip_codes;
INSERT INTO my_zip_codes VALUES ('53703', 'centre', 'Dane'), ('53704', 'centre', 'Dane'),
    ('53711', 'west', 'Dane'), ('53590', 'old town', 'Sauk'), ('53593', 'old town', 'Sauk');
SELECT * FROM kanon_check_dimension('my_zip_codes', 'people', 'zip_code');

INSERT INTO people VALUES (52, 2600, '53719', '2008-01-15', 'Oslo');
SELECT kanon_create_release('grown', 'people', 1, 'full_domain', options => '{"levels": [1, 1, 2, 1]}',
    quasi_identifiers => '{age,salary,born,city}');
SELECT * FROM grown WHERE age = '50-54';
SELECT kanon_refresh_dimension('ages');
SELECT kanon_drop_release('grown');

-- docs/full_domain.md
CREATE TABLE voters (age int, sex text, zip_code text);
INSERT INTO voters
SELECT 18 + abs(hashint4extended(v, 1) / 2) % 60,
       (ARRAY['female', 'male'])[1 + abs(hashint4extended(v, 2) / 2) % 2],
       '537' || lpad((abs(hashint4extended(v, 3) / 2) % 30)::text, 2, '0')
FROM generate_series(1, 2000) v;
SELECT kanon_set_attribute('voters', 'sex', 'quasi_identifier');
SELECT kanon_create_dimension('voter_ages', 'voters', 'age', 'ranges', '{5,10,20}');
SELECT kanon_create_dimension('voter_zip_codes', 'voters', 'zip_code', 'digits', '{1,2}');

SELECT levels, height, round(loss::numeric, 3) AS loss, round("precision"::numeric, 3) AS "precision"
FROM kanon_incognito('voters', 10)
WHERE minimal;

-- Each algorithm's effort, all iterations together.
CREATE FUNCTION effort(call text, OUT answers bigint, OUT checked bigint, OUT table_scans bigint, OUT rollups bigint)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE 'SELECT count(*) FROM ' || call INTO answers;
    SELECT sum(l.checked), sum(l.table_scans), sum(l.rollups) INTO checked, table_scans, rollups FROM kanon_last_search() l;
END $$;
SELECT call, e.*
FROM unnest(ARRAY[
    $$kanon_incognito('voters', 10, algorithm => 'basic')$$,
    $$kanon_incognito('voters', 10, algorithm => 'superroots')$$,
    $$kanon_incognito('voters', 10, algorithm => 'cube')$$,
    $$kanon_incognito('voters', 10)$$,
    $$kanon_bottom_up('voters', 10, rollup => false)$$,
    $$kanon_bottom_up('voters', 10)$$,
    $$kanon_binary_search('voters', 10)$$,
    $$kanon_datafly('voters', 10)$$]) WITH ORDINALITY AS calls (call, place), effort(call) e
ORDER BY place;

SELECT count(*) FROM kanon_incognito('voters', 10, algorithm => 'basic');
SELECT size, attribute_sets, candidates, checked, satisfying, table_scans, rollups
FROM kanon_last_search();

BEGIN READ ONLY;
SELECT levels FROM kanon_binary_search('voters', 10);
SELECT levels, minimal FROM kanon_datafly('voters', 10);
COMMIT;

\set SHOW_CONTEXT never
SET kanon.memory_limit = '1kB';
SELECT count(*) FROM kanon_incognito('voters', 10);
RESET kanon.memory_limit;

-- docs/mondrian.md
CREATE TABLE workers AS SELECT unnest(ARRAY[36, 37, 41, 52, 60, 48, 57]) AS age,
    unnest(ARRAY['self', 'state', 'federal', 'state', 'state', 'self', 'self']) AS work;
CREATE TABLE works AS SELECT * FROM (VALUES ('federal', 'public', '*'), ('state', 'public', '*'), ('self', 'private', '*')) w (work, sector, top);
\pset format unaligned
SELECT kanon_set_attribute('workers', 'work', 'quasi_identifier', 'works');
SELECT kanon_grow_tree('workers', 2, '{age,work}') AS tree;
\pset format aligned
DROP TABLE workers, works;

-- docs/local.md
CREATE TABLE guests (age int, zip_code text, disease text);
INSERT INTO guests VALUES (31, '53703', 'asthma'), (34, '53703', 'flu'), (36, '53704', 'gout'), (38, '53703', 'flu'),
    (38, '53711', 'flu'), (61, '53711', 'stroke'), (64, '53711', 'cancer'), (67, '53719', 'cancer');
SELECT kanon_declare('guests', quasi_identifiers => '{age}', sensitive => '{disease}');
SELECT kanon_create_dimension('guest_zips', 'guests', 'zip_code', 'digits');
SELECT kanon_create_release('guest_study', 'guests', 2);
SELECT * FROM guest_study;
CREATE TABLE rules AS SELECT kanon_local_tree('guests', 2) AS rules;
\pset format unaligned
\pset tuples_only on
SELECT rules FROM rules;
SELECT kanon_rules_query(rules, 'guests') FROM rules;
\pset tuples_only off
\pset format aligned

-- docs/models.md
CREATE TABLE ward (patient text, age text, zip_code text, disease text, salary int);
INSERT INTO ward VALUES
    ('Ada',   '30-39', '5370*', 'asthma',   3000), ('Ben',   '30-39', '5370*', 'diabetes', 4000),
    ('Clara', '30-39', '5370*', 'asthma',   9000), ('Ben',   '30-39', '5370*', 'asthma',   4000),
    ('David', '60-69', '5371*', 'cancer',   5000), ('Emma',  '60-69', '5371*', 'cancer',   5000),
    ('Felix', '60-69', '5371*', 'cancer',   5200), ('Grace', '60-69', '5372*', 'asthma',   6000),
    ('Hugo',  '60-69', '5372*', 'diabetes', 2000), ('Ida',   '60-69', '5372*', NULL,       7000);

SELECT * FROM kanon_check('ward', 3, '{age,zip_code}',
                          models => 'distinct(disease, 2), variance(salary, 1e6)');
SELECT * FROM kanon_classes('ward', 3, '{age,zip_code}',
                            models => 'distinct(disease, 2), variance(salary, 1e6)');
SELECT class, size, round(model_values[1]::numeric, 2) AS entropy,
       round(model_values[2]::numeric, 2) AS recursive, round(model_values[3]::numeric, 2) AS closeness
FROM kanon_classes('ward', quasi_identifiers => '{age,zip_code}',
                   models => 'entropy(disease, 2), recursive(disease, 3, 2), closeness(disease, 0.3)');
SELECT class, size, distinct_values FROM kanon_classes('ward', 3, '{age,zip_code}',
    models => 'distinct(disease, 2)', person => 'patient');
SELECT rows, classes, uniques, prosecutor_highest, prosecutor_average, prosecutor_at_risk
FROM kanon_risk('ward', '{age,zip_code}', threshold => 0.3);
SELECT class, size, distinct_values
FROM kanon_classes('ward', 3, '{age,zip_code}', models => 'distinct(disease, 2)')
WHERE NOT satisfied;
SELECT w.patient, w.age, w.zip_code, w.disease
FROM ward w JOIN kanon_classes('ward', 3, '{age,zip_code}', models => 'distinct(disease, 2)') c
     ON c.class = ARRAY[w.age, w.zip_code]
WHERE NOT c.satisfied ORDER BY w.patient;
SELECT * FROM kanon_sample_uniques('ward', '{age,zip_code,disease,salary}', 2)
WHERE minimal > 0 ORDER BY minimal DESC, columns;
SELECT * FROM kanon_special_uniques('ward', 'patient', '{age,zip_code,disease,salary}')
ORDER BY score DESC, key;
SELECT 'distinct(disease)'::kanon_models;

-- Clean up.
SET client_min_messages = warning;
DROP MATERIALIZED VIEW guest_study;
DROP TABLE guests, guest_zips, rules;
DROP TABLE people, plain, ages, salaries, zip_codes, birthdays, places, cities, my_zip_codes,
    voters, voter_ages, voter_zip_codes, ward;
DROP FUNCTION effort(text);
