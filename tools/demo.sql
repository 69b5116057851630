-- The main job: from a hospital's table to a release that stays safe.
\set QUIET on
\pset footer off
SET client_min_messages = warning;

\echo
\echo '================================================================'
\echo ' kanon: releasing a hospital''s patients, nobody standing out'
\echo '================================================================'

CREATE EXTENSION kanon;

-- ---------------------------------------------------------------- the data
SELECT setseed(0.42) \g /dev/null

CREATE TABLE patients (
    id         int PRIMARY KEY,
    name       text NOT NULL,
    birth_date date NOT NULL,
    sex        text NOT NULL,
    zip_code   text NOT NULL,
    status     text,
    disease    text NOT NULL
);

-- A town with crowded and thinly settled quarters, people of all ages, and
-- diseases that come with age.
INSERT INTO patients
SELECT id,
       (ARRAY['Ada', 'Ben', 'Clara', 'David', 'Emma', 'Felix', 'Grace', 'Hugo', 'Ida', 'Jonas', 'Karin', 'Leo',
              'Mia', 'Noah', 'Olga', 'Paul', 'Rosa', 'Simon', 'Tilda', 'Victor'])[1 + (random() * 19)::int] || ' ' ||
       (ARRAY['Adler', 'Brown', 'Castro', 'Dubois', 'Evans', 'Fischer', 'Garcia', 'Hansen', 'Ivanova', 'Jones', 'Keller',
              'Lopez', 'Meyer', 'Novak', 'Olsen', 'Petrov', 'Rossi', 'Smith', 'Tanaka', 'Weber'])[1 + (random() * 19)::int],
       date '2025-06-30' - (age * 365.25)::int,
       CASE WHEN random() < 0.52 THEN 'female' ELSE 'male' END,
       (ARRAY['53703', '53704', '53711', '53705', '53713', '53715', '53719', '53562', '53590', '53593', '53558',
              '53528', '53597', '53572'])[1 + (13 * power(random(), 1.7))::int],
       CASE WHEN random() < 0.03 THEN NULL
            WHEN age < 20 THEN 'single'
            ELSE (ARRAY['single', 'married', 'married', 'partnership', 'divorced',
                        CASE WHEN age > 60 THEN 'widowed' ELSE 'married' END])[1 + (random() * 5)::int] END,
       CASE WHEN random() < age / 130 THEN (ARRAY['heart failure', 'diabetes', 'stroke', 'cancer'])[1 + (random() * 3)::int]
            ELSE (ARRAY['asthma', 'fracture', 'influenza', 'appendicitis', 'migraine'])[1 + (random() * 4)::int] END
FROM (SELECT id, 92 * power(random(), 0.8) AS age FROM generate_series(1, 6000) id) people;
ANALYZE patients;

\echo
\echo '1. The table: 6,000 patients.'
\echo
SELECT * FROM patients ORDER BY id LIMIT 5;

\echo '   Would it do to leave out the names?  Birth date, sex and zip code stand in'
\echo '   other registers too.  How many patients are the only ones with theirs?'
\echo
SELECT count(*) AS patients,
       count(*) FILTER (WHERE alike = 1) AS alone,
       round(100.0 * count(*) FILTER (WHERE alike = 1) / count(*), 1) AS percent
FROM (SELECT count(*) OVER (PARTITION BY birth_date, sex, zip_code) AS alike FROM patients) p;

-- ---------------------------------------------------------------- describe
\echo '2. Describe it: who is named outright, what could be looked up elsewhere,'
\echo '   what is secret.  Values that could be looked up get a generalization'
\echo '   hierarchy each, an ordinary table.'
\echo
CREATE TABLE status_taxonomy (child text, parent text);
INSERT INTO status_taxonomy VALUES
    ('married', 'with a partner'), ('partnership', 'with a partner'),
    ('single', 'without a partner'), ('divorced', 'without a partner'), ('widowed', 'without a partner'),
    ('with a partner', 'any'), ('without a partner', 'any');

SELECT kanon_create_dimension('birth_dates', 'patients', 'birth_date', 'dates', '{year,decade}') AS birth_date,
       kanon_create_dimension('zip_codes', 'patients', 'zip_code', 'digits') AS zip_code,
       kanon_create_dimension('statuses', 'patients', 'status', 'taxonomy', '{status_taxonomy}') AS status \g /dev/null
SELECT kanon_set_attribute('patients', 'name', 'identifier'),
       kanon_set_attribute('patients', 'id', 'identifier'),
       kanon_set_attribute('patients', 'sex', 'quasi-identifier'),
       kanon_set_attribute('patients', 'disease', 'sensitive') \g /dev/null

SELECT attribute, role, dimension FROM kanon_attribute
WHERE relation = 'patients'::regclass ORDER BY role, attribute;
SELECT * FROM zip_codes ORDER BY 1 LIMIT 3;
SELECT * FROM birth_dates ORDER BY 1 LIMIT 3;

-- ---------------------------------------------------------------- check
\echo '3. Is everyone hidden among at least 5 as it is?'
\echo
SELECT * FROM kanon_check('patients', 5);

-- ---------------------------------------------------------------- search
\echo '4. Find ALL the ways to generalize that hide everyone among 5, with at most'
\echo '   1% of the rows left out.  The best by loss of information:'
\echo
SELECT levels, minimal, round(loss::numeric, 3) AS loss, classes, smallest, suppressed,
       round(average_class::numeric, 1) AS average_class
FROM kanon_incognito('patients', 5, suppression => 0.01, metrics => true)
ORDER BY loss, levels LIMIT 6;
\echo '   (levels: birth date, sex, zip code, status; 0 is the value itself)'
\echo
SELECT count(*) AS all_of_them, count(*) FILTER (WHERE minimal) AS minimal
FROM kanon_incognito('patients', 5, suppression => 0.01);

-- ---------------------------------------------------------------- release
\echo '5. Release the one that loses least: a materialized view, readable by nobody'
\echo '   until granted.  Names are gone, and the order of rows tells nothing.'
\echo
SELECT kanon_create_release('patients_release', 'patients', 5, recoding => 'full_domain',
                            suppression => 0.01) AS release;
CREATE ROLE researcher;
GRANT SELECT ON patients_release TO researcher;

SET ROLE researcher;
SELECT * FROM patients_release TABLESAMPLE BERNOULLI (0.15) REPEATABLE (3);
\echo '   Its SQL is there to be read; the last lines are the guard:'
\echo
\pset format unaligned
\pset tuples_only on
SELECT pg_get_viewdef('patients_release'::regclass, true);
\pset format aligned
\pset tuples_only off
\echo
\echo '   What the researcher came for:'
\echo
SELECT birth_date, count(*) AS patients,
       round(100.0 * count(*) FILTER (WHERE disease IN ('heart failure', 'stroke')) / count(*), 1) AS heart_or_stroke_percent
FROM patients_release GROUP BY birth_date ORDER BY birth_date;
RESET ROLE;

\echo '6. The proof: the same check, on the release.'
\echo
SELECT * FROM kanon_check('patients_release', 5);

-- ---------------------------------------------------------------- refresh
\echo '7. Life goes on: two patients of three leave the hospital''s books.  The same'
\echo '   recoding, published carelessly, would now expose those who are left:'
\echo
SELECT levels FROM kanon_release WHERE release = 'patients_release'::regclass \gset
SELECT 'CREATE VIEW careless AS ' || kanon_generalized_query('patients', :'levels') \gexec
DELETE FROM patients WHERE id % 3 <> 0;
SELECT * FROM kanon_check('careless', 5, '{birth_date,sex,zip_code,status}');

\echo '   The release is refreshed as any materialized view, and holds its promise:'
\echo '   classes that have become too small are left out.'
\echo
\echo '   REFRESH MATERIALIZED VIEW patients_release;'
\echo
REFRESH MATERIALIZED VIEW patients_release;
SELECT * FROM kanon_check('patients_release', 5);

\echo 'Nothing below k was ever released.'
