-- The main job: from a hospital's table to a release that stays safe.
\set QUIET on
\pset footer off
\pset null '(null)'
SET client_min_messages = warning;

\echo
\echo '=========================================================================='
\echo ' kanon: a hospital publishes its data, and nobody stands out'
\echo '=========================================================================='

CREATE EXTENSION kanon;

-- ---------------------------------------------------------------- the data
-- A number in [0, 1) that belongs to a person and a question.
CREATE FUNCTION draw(person int, question int) RETURNS float8 LANGUAGE sql IMMUTABLE AS
    'SELECT (hashint4extended(person, question) & 1048575) / 1048576.0::float8';
CREATE FUNCTION pick(person int, question int, choices text[]) RETURNS text LANGUAGE sql IMMUTABLE AS
    'SELECT choices[1 + floor(draw(person, question) * cardinality(choices))::int]';

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
       pick(id, 1, '{Ada,Ben,Clara,David,Emma,Felix,Grace,Hugo,Ida,Jonas,Karin,Leo,Mia,Noah,Olga,Paul,Rosa,Simon,Tilda,Victor}') || ' ' ||
       pick(id, 2, '{Adler,Brown,Castro,Dubois,Evans,Fischer,Garcia,Hansen,Ivanova,Jones,Keller,Lopez,Meyer,Novak,Olsen,Petrov,Rossi,Smith,Tanaka,Weber}'),
       date '2025-06-30' - (age * 365.25)::int,
       CASE WHEN draw(id, 3) < 0.52 THEN 'female' ELSE 'male' END,
       (ARRAY['53703', '53704', '53711', '53705', '53713', '53715', '53719', '53562', '53590', '53593', '53558',
              '53528', '53597', '53572'])[1 + floor(14 * power(draw(id, 4), 1.7))::int],
       CASE WHEN draw(id, 5) < 0.03 THEN NULL
            WHEN age < 20 THEN 'single'
            WHEN age > 60 THEN pick(id, 6, '{single,married,married,partnership,divorced,widowed}')
            ELSE pick(id, 6, '{single,single,married,married,partnership,divorced}') END,
       CASE WHEN draw(id, 7) < age / 130 THEN pick(id, 8, '{heart failure,diabetes,stroke,cancer}')
            ELSE pick(id, 8, '{asthma,fracture,influenza,appendicitis,migraine}') END
FROM (SELECT id, 92 * power(draw(id, 9), 0.8) AS age FROM generate_series(1, 6000) id) people;

-- What an outsider has: a register of some of the town.
CREATE TABLE register AS
SELECT name, birth_date, sex, zip_code FROM patients WHERE id % 3 = 0;
ANALYZE;

\echo
\echo '1. The table has 6,000 patients.'
\echo
\set ECHO queries
SELECT * FROM patients ORDER BY id LIMIT 5;
\set ECHO none

\echo '   Is it enough to leave out the names?  Somebody has a register of 2,000 people'
\echo '   of the town, with name, birth date, sex and zip code, as registers have.'
\echo
\set ECHO queries
SELECT r.name, count(*) AS candidates, string_agg(p.disease, ', ') AS disease
FROM register r JOIN patients p USING (birth_date, sex, zip_code)
GROUP BY r.name, birth_date, sex, zip_code ORDER BY birth_date LIMIT 4;
SELECT count(*) AS in_the_register, count(*) FILTER (WHERE candidates = 1) AS whose_disease_is_known
FROM (SELECT count(*) AS candidates
      FROM register r JOIN patients p USING (birth_date, sex, zip_code)
      GROUP BY r.name, birth_date, sex, zip_code) matches;
\set ECHO none

-- ---------------------------------------------------------------- describe
\echo '2. Describe the table.  Identifiers are never released.  Columns that others can'
\echo '   look up are quasi-identifiers, and get a generalization hierarchy.'
\echo
CREATE TABLE status_taxonomy (child text, parent text);
INSERT INTO status_taxonomy VALUES
    ('married', 'with a partner'), ('partnership', 'with a partner'),
    ('single', 'without a partner'), ('divorced', 'without a partner'), ('widowed', 'without a partner'),
    ('with a partner', 'any'), ('without a partner', 'any');

\o /dev/null
\set ECHO queries
SELECT kanon_declare('patients', quasi_identifiers => '{sex}', sensitive => '{disease}', identifiers => '{id,name}');
SELECT kanon_create_dimension('birth_dates', 'patients', 'birth_date', 'dates', '{year,decade}');
SELECT kanon_create_dimension('zip_codes', 'patients', 'zip_code', 'digits');
SELECT kanon_create_dimension('statuses', 'patients', 'status', 'taxonomy', '{status_taxonomy}');
\set ECHO none
\o
\echo
\echo '   A hierarchy is an ordinary table:'
\echo
\set ECHO queries
SELECT * FROM zip_codes ORDER BY zip_code LIMIT 3;
SELECT * FROM birth_dates ORDER BY birth_date LIMIT 3;
\set ECHO none

-- ---------------------------------------------------------------- check
\echo '3. Is everybody hidden among at least 5 in the table as it is?'
\echo
\set ECHO queries
SELECT * FROM kanon_check('patients', 5);
\set ECHO none

-- ---------------------------------------------------------------- search
\echo '4. Find ALL generalizations that hide everybody among 5, with at most 1% of'
\echo '   the rows left out, and look at those that lose least.  The levels are those of'
\echo '   birth date, sex, zip code and status; 0 is the value itself.'
\echo
\timing on
\set ECHO queries
SELECT levels, labels, minimal, round(loss::numeric, 3) AS loss, classes, suppressed
FROM kanon_incognito('patients', 5, suppression => 0.01, metrics => true)
ORDER BY loss, levels LIMIT 6;
\set ECHO none
\timing off
\echo
\echo '   How many there are, and what it took to find them:'
\echo
\set ECHO queries
SELECT count(*) AS generalizations, count(*) FILTER (WHERE minimal) AS minimal
FROM kanon_incognito('patients', 5, suppression => 0.01);
SELECT size, candidates, checked, satisfying, table_scans, rollups, round(milliseconds::numeric, 1) AS ms
FROM kanon_last_search();
\set ECHO none

\echo '5. What would it cost to hide everybody among more?'
\echo
\set ECHO queries
SELECT k, recoding, round(loss::numeric, 3) AS loss, classes, smallest, missing, round(average_risk::numeric, 3) AS risk
FROM kanon_compare('patients', '{5,25,100}', suppression => 0.01);
\set ECHO none

-- ---------------------------------------------------------------- release
\echo '6. Release: a materialized view, readable by nobody until granted.'
\echo
SELECT 'CREATE ROLE researcher' WHERE to_regrole('researcher') IS NULL \gexec
\o /dev/null
\set ECHO queries
SELECT kanon_create_release('patients_release', 'patients', 5, 'full_domain', suppression => 0.01);
GRANT SELECT ON patients_release TO researcher;
\set ECHO none
\o
\echo
\echo '   The researcher sees no names, and rows in an order that tells nothing:'
\echo
SET ROLE researcher;
\set ECHO queries
SELECT * FROM patients_release TABLESAMPLE BERNOULLI (0.15) REPEATABLE (4);
SELECT birth_date, count(*) AS patients,
       round(100.0 * count(*) FILTER (WHERE disease IN ('heart failure', 'stroke')) / count(*), 1) AS heart_or_stroke_percent
FROM patients_release GROUP BY birth_date ORDER BY birth_date;
\set ECHO none
RESET ROLE;

\echo '   The view''s SQL is there to be read.  Its last lines are the guard:'
\echo
\pset format unaligned
\pset tuples_only on
SELECT levels AS chosen FROM kanon_release WHERE release = 'patients_release'::regclass \gset
SELECT kanon_generalized_query('patients', :'chosen', 5);
\pset format aligned
\pset tuples_only off

\echo
\echo '7. The proof.  kanon counts the classes of the release, and so can anybody:'
\echo
\set ECHO queries
SELECT * FROM kanon_check('patients_release');
SELECT min(alike) AS smallest_class
FROM (SELECT count(*) AS alike FROM patients_release GROUP BY birth_date, sex, zip_code, status) classes;
\set ECHO none

\echo '   And the outsider, who generalizes the register in the same way?'
\echo
\set ECHO queries
SELECT count(*) AS in_the_register, min(candidates) AS fewest_candidates, round(avg(candidates)) AS candidates_on_average
FROM (SELECT count(*) AS candidates
      FROM register r JOIN birth_dates b USING (birth_date) JOIN zip_codes z USING (zip_code)
           JOIN patients_release p ON (p.birth_date, p.sex, p.zip_code) = (b.decade, r.sex, z.masked_2)
      GROUP BY r.name, r.birth_date, r.sex, r.zip_code) matches;
\set ECHO none

-- ---------------------------------------------------------------- refresh
\echo '8. Life goes on: two patients in three leave the hospital''s books.  The view'
\echo '   "careless" has the same columns without a guard.  It would now expose those'
\echo '   who remain:'
\echo
SELECT 'CREATE VIEW careless AS ' || kanon_generalized_query('patients', :'chosen') \gexec
\set ECHO queries
DELETE FROM patients WHERE id % 3 <> 0;
SELECT * FROM kanon_check('careless', 5, '{birth_date,sex,zip_code,status}');
\set ECHO none

\echo '   The release is refreshed like any materialized view, and leaves out classes'
\echo '   that have become too small.  kanon''s own refresh also says that it is time to'
\echo '   search again:'
\echo
\set ECHO queries
REFRESH MATERIALIZED VIEW patients_release;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('patients_release');
SELECT * FROM kanon_check('patients_release');
SELECT levels, round(loss::numeric, 3) AS loss, classes, suppressed
FROM kanon_incognito('patients', 5, suppression => 0.01, metrics => true)
ORDER BY loss, levels LIMIT 1;
\set ECHO none

\echo 'Nobody was ever in a released class of fewer than 5.'
\echo
\echo '   k does not promise that the people of a class differ in their diseases.  Look'
\echo '   at that before you grant a release, or demand it with a privacy model:'
\echo
\set ECHO queries
SELECT count(*) AS classes, count(*) FILTER (WHERE 2 * most > size) AS more_than_half_have_one_disease
FROM (SELECT max(n) AS most, sum(n) AS size
      FROM (SELECT birth_date, sex, zip_code, status, count(*) AS n
            FROM patients_release GROUP BY birth_date, sex, zip_code, status, disease) diseases
      GROUP BY birth_date, sex, zip_code, status) classes;
\set ECHO none
