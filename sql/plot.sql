-- Pictures.  Those in docs/pictures are these, which .ci/readme sees to.
CREATE TABLE patients AS
SELECT 20 + (i * i % 61 + i % 7) % 60 AS age, 53700 + (i * 104729 + i * i) % 40 AS zip,
    CASE WHEN i % 3 = 0 THEN 'm' ELSE 'f' END AS sex, CASE i % 5 WHEN 0 THEN 'flu' ELSE 'none' END AS disease
FROM generate_series(1, 2000) i;
SELECT kanon_create_dimension('patient_ages', 'patients', 'age', 'ranges', '{10}'),
    kanon_create_dimension('patient_zips', 'patients', 'zip', 'ranges', '{10,20}');
SELECT kanon_declare('patients', '{age,zip,sex}', sensitive => '{disease}');
CREATE TABLE visitors AS SELECT age, zip FROM patients;
SET client_min_messages = warning;
SELECT kanon_create_release('study', 'patients', 5);
SELECT kanon_create_release('ranges', 'visitors', 20, quasi_identifiers => '{age,zip}');
\pset format unaligned
\pset tuples_only on
SELECT kanon_plot('tradeoff', 'patients');
SELECT kanon_plot('lattice', 'patients', '{10}');
SELECT kanon_plot('classes', 'study');
SELECT kanon_plot('risk', 'study');
SELECT kanon_plot('levels', 'study');
SELECT kanon_plot('map', 'ranges', quasi_identifiers => '{age,zip}');

-- Names and values are escaped, wherever they stand.
CREATE TABLE "<script>alert('&')</script>" AS SELECT 1 AS "<b>", 2 AS x FROM generate_series(1, 3);
SELECT p NOT LIKE '%<script>%' AND p NOT LIKE '%<b>%' AND p LIKE '%&lt;script&gt;%' AS escaped, p LIKE '<svg %</svg>_' AS whole
FROM (SELECT kanon_plot('classes', '"<script>alert(''&'')</script>"', quasi_identifiers => '{<b>}') AS p
      UNION ALL SELECT kanon_plot('lattice', '"<script>alert(''&'')</script>"', '{2}', quasi_identifiers => '{<b>,x}')
      UNION ALL SELECT kanon_plot('tradeoff', '"<script>alert(''&'')</script>"', '{2,3,4}', quasi_identifiers => '{<b>}')) pictures;

-- Little or nothing to draw.
CREATE TABLE nobody AS SELECT * FROM patients WHERE false;
SELECT kanon_plot('classes', 'nobody', quasi_identifiers => '{age}') LIKE '%There are no rows%',
    kanon_plot('tradeoff', 'nobody', '{2}', quasi_identifiers => '{age}') LIKE '%nothing can be published%';
-- Classes below k stand apart.
SELECT substring(kanon_plot('classes', 'patients', '{3}', quasi_identifiers => '{age,zip}') FROM '<desc>(.*)</desc>');
SELECT kanon_plot('tradeoff', 'patients', '{7}', '{ring}') LIKE '%<circle%';

-- Errors.
SELECT kanon_plot(NULL, 'patients');
SELECT kanon_plot('tradeoff', NULL);
SELECT kanon_plot('pie', 'patients');
SELECT kanon_plot('tradeoff', 'patients', '{}');
SELECT kanon_plot('lattice', 'patients');
SELECT kanon_plot('lattice', 'patients', '{5,10}');
SELECT kanon_plot('lattice', 'patients', '{5000}');
SELECT kanon_plot('classes', 'study', '{5,10}');
CREATE TABLE wide AS SELECT 1 AS a, 2 AS b, 3 AS c, 4 AS d, 5 AS e, 6 AS f, 7 AS g, 8 AS h, 9 AS i, 10 AS j;
SELECT kanon_plot('lattice', 'wide', '{1}', quasi_identifiers => '{a,b,c,d,e,f,g,h,i,j}');
\pset format aligned
\pset tuples_only off
RESET client_min_messages;
DROP MATERIALIZED VIEW study, ranges;
DROP TABLE "<script>alert('&')</script>", nobody, wide, visitors, patients, patient_ages, patient_zips;
