-- The tour of README.md, which quotes this file and what it prints.  Run it
-- with psql -f sql/tour.sql in a database that has kanon; at the end it drops
-- what it made.

SET datestyle = 'ISO, YMD';

-- Six people, to see what happens.
CREATE TABLE ward (name text, age int, zip_code text, disease text);
INSERT INTO ward VALUES
    ('Ada',   34, '53703', 'asthma'),
    ('Ben',   36, '53704', 'diabetes'),
    ('Clara', 38, '53703', 'asthma'),
    ('David', 61, '53711', 'cancer'),
    ('Emma',  64, '53711', 'stroke'),
    ('Felix', 67, '53719', 'cancer');
SELECT * FROM ward;

SELECT kanon_set_attribute('ward', 'name', 'identifier');
SELECT kanon_set_attribute('ward', 'disease', 'sensitive');
SELECT kanon_create_dimension('ward_ages', 'ward', 'age', 'ranges', '{10,20}');
SELECT kanon_create_dimension('ward_zip_codes', 'ward', 'zip_code', 'digits', '{1,2}');
SELECT kanon_create_release('ward_release', 'ward', 3, 'full_domain');
SELECT * FROM ward_release;

-- Five thousand people, without random numbers: draw picks one of n.
CREATE FUNCTION draw(person int, what int, n int) RETURNS int
LANGUAGE sql IMMUTABLE AS 'SELECT (abs(hashint4extended(person, what) / 2) % n)::int';
CREATE TABLE patients (
    id         int PRIMARY KEY,
    name       text NOT NULL,
    birth_date date NOT NULL,
    sex        text NOT NULL,
    zip_code   text NOT NULL,
    occupation text,
    disease    text NOT NULL
);
INSERT INTO patients
SELECT p,
       (ARRAY['Ada', 'Ben', 'Clara', 'David', 'Emma', 'Felix', 'Grace', 'Hugo'])[1 + draw(p, 1, 8)] || ' ' ||
       (ARRAY['Adler', 'Brown', 'Castro', 'Dubois', 'Evans', 'Fischer', 'Garcia', 'Hansen'])[1 + draw(p, 2, 8)],
       date '1940-01-01' + draw(p, 3, 365 * 65),
       (ARRAY['female', 'male'])[1 + draw(p, 4, 2)],
       (ARRAY['53703', '53703', '53704', '53711', '53715', '53562', '53590', '53593'])[1 + draw(p, 5, 8)],
       (ARRAY['nurse', 'doctor', 'teacher', 'teacher', 'cook', 'waiter', 'carpenter', 'plumber', NULL])[1 + draw(p, 6, 9)],
       (ARRAY['asthma', 'fracture', 'influenza', 'migraine', 'diabetes', 'cancer', 'stroke'])[1 + draw(p, 7, 7)]
FROM generate_series(1, 5000) p;
SELECT * FROM patients ORDER BY id LIMIT 4;

-- How many are the only ones with their birth date, sex and zip code?
SELECT count(*) AS patients, count(*) FILTER (WHERE alike = 1) AS alone
FROM (SELECT count(*) OVER (PARTITION BY birth_date, sex, zip_code) AS alike FROM patients) p;

-- Describe.
SELECT kanon_declare('patients', quasi_identifiers => '{sex}', sensitive => '{disease}', identifiers => '{id,name}');

SELECT kanon_create_dimension('birth_dates', 'patients', 'birth_date', 'dates', '{year,decade}');
SELECT kanon_create_dimension('zip_codes', 'patients', 'zip_code', 'digits', '{1,2}');

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

SELECT * FROM birth_dates ORDER BY birth_date LIMIT 3;
SELECT * FROM zip_codes ORDER BY zip_code LIMIT 3;
SELECT attribute, role, dimension FROM kanon_attribute
WHERE relation = 'patients'::regclass ORDER BY role, attribute;

-- Check, as it is.
SELECT * FROM kanon_check('patients', 5);

-- Search.
SELECT levels, labels, minimal, round(loss::numeric, 3) AS loss, classes, suppressed
FROM kanon_incognito('patients', 5, suppression => 0.01, metrics => true)
ORDER BY loss LIMIT 6;
SELECT count(*) AS generalizations, count(*) FILTER (WHERE minimal) AS minimal
FROM kanon_incognito('patients', 5, suppression => 0.01);
SELECT size, attribute_sets, candidates, checked, satisfying, table_scans, rollups
FROM kanon_last_search();

-- What does it cost to hide everyone among more?
SELECT k, recoding, round(loss::numeric, 3) AS loss, classes, smallest, missing, round(average_risk::numeric, 3) AS risk
FROM kanon_compare('patients', '{5,25,100}', suppression => 0.01);

-- Release: levels that we choose, or those of least loss.
SELECT kanon_create_release('coarse', 'patients', 5, 'full_domain', levels => '{top,sex,zip_code,occupation}');
SELECT * FROM coarse ORDER BY birth_date, sex, zip_code, occupation, disease LIMIT 3;
SELECT kanon_drop_release('coarse');

SELECT kanon_create_release('study', 'patients', 5, 'full_domain', suppression => 0.01);
\d study
SELECT * FROM study ORDER BY birth_date, sex, zip_code, occupation, disease LIMIT 5;
SELECT * FROM kanon_check('study');

-- The same by Mondrian, which keeps more; measured.
SELECT kanon_create_release('fine', 'patients', 5);
SELECT recoding, rows, classes, smallest, round(loss::numeric, 3) AS loss, round(discernibility::numeric) AS discernibility
FROM (VALUES ('study'::regclass), ('fine')) r (release) JOIN kanon_release USING (release),
     LATERAL (SELECT discernibility FROM kanon_quality(release)) q
ORDER BY recoding;
SELECT * FROM fine LIMIT 6;
SELECT * FROM kanon_query_errors('study', ARRAY[$$birth_date >= '1970-01-01' AND sex = 'female'$$]);
SELECT * FROM kanon_query_errors('fine', ARRAY[$$birth_date >= '1970-01-01' AND sex = 'female'$$]);
SELECT kanon_drop_release('fine');

-- .. and cell by cell.
SELECT kanon_create_release('cells', 'patients', 5, 'two_phase');
SELECT recoding, rows, classes, smallest, round(loss::numeric, 3) AS loss
FROM kanon_release WHERE release = 'cells'::regclass;
SELECT satisfied, rows, released, flow, needed FROM kanon_check_matchings('cells');
SELECT kanon_drop_release('cells');

-- Its SQL.
\pset format unaligned
\pset tuples_only on
SELECT kanon_generalized_query('patients', '{2,0,1,1}', 5);
\pset format aligned
\pset tuples_only off

-- Grant.
CREATE ROLE regress_researcher;
GRANT SELECT ON study TO regress_researcher;
SET ROLE regress_researcher;
SELECT count(*) FROM patients;
SELECT occupation, count(*) AS patients, count(*) FILTER (WHERE disease = 'stroke') AS strokes
FROM study GROUP BY occupation ORDER BY occupation;
RESET ROLE;

-- A class of five loses one of its people.
SELECT birth_date, sex, zip_code, occupation, count(*)
FROM study GROUP BY 1, 2, 3, 4 ORDER BY 5, 1, 2, 3, 4 LIMIT 1;
DELETE FROM patients WHERE id = (
    SELECT min(id) FROM patients
    WHERE birth_date BETWEEN '1950-01-01' AND '1959-12-31'
      AND sex = 'female' AND zip_code LIKE '5356_' AND occupation IS NULL);
REFRESH MATERIALIZED VIEW study;
SELECT count(*) FROM study
WHERE birth_date = '1950s' AND sex = 'female' AND zip_code = '5356*' AND occupation IS NULL;
SELECT * FROM kanon_check('study');

-- Half of the people go; kanon's own refresh says that the levels no longer suit.
DELETE FROM patients WHERE id % 2 = 0;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('study');
SELECT release, relation, k, state, rows, missing, smallest, fillings
FROM kanon_releases WHERE release = 'study'::regclass;
SELECT how, rows, missing, classes, smallest, satisfied, changed
FROM kanon_release_history WHERE release = 'study'::regclass ORDER BY number;

-- Clean up.
SET client_min_messages = warning;
DROP TABLE patients, birth_dates, zip_codes, occupations, ward, ward_ages, ward_zip_codes CASCADE;
DROP FUNCTION draw(int, int, int);
DROP ROLE regress_researcher;
