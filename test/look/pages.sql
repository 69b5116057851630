-- Reports of releases of all kinds, each in a file of its own in :out.
\set ON_ERROR_STOP 1
\pset format unaligned
\pset tuples_only on
SET client_min_messages = warning;
\o /dev/null
CREATE TABLE patients AS
SELECT i AS id, 17 + (i * i % 61 + i % 7) % 70 AS age, date '1950-01-01' + (i * 7919 % 20000) AS born, 53700 + (i * 104729 + i * i) % 40 AS zip,
    (ARRAY['female', 'male'])[1 + (i % 3 = 0)::int] AS sex, (ARRAY['none', 'influenza', 'asthma', 'stroke', 'fracture'])[1 + i % 5] AS disease, i * i % 9973 AS cost
FROM generate_series(1, 5000) i;
SELECT kanon_create_dimension('patient_zips', 'patients', 'zip', 'ranges', '{5,10,20}');
SELECT kanon_declare('patients', '{age,born,zip,sex}', sensitive => '{disease,cost}', identifiers => '{id}');
-- A k that came before the rows.
CREATE TABLE kept_patients AS TABLE patients;
TRUNCATE patients;
SELECT kanon_create_release('huge', 'patients', 2147483647);
INSERT INTO patients TABLE kept_patients;
REFRESH MATERIALIZED VIEW huge;
SELECT kanon_create_release('study', 'patients', 10);
SELECT kanon_create_release('levels', 'patients', 5, 'full_domain', suppression => 0.02, models => 'distinct(disease, 3), closeness(cost, 0.5)');
SELECT kanon_create_release('cells', 'patients', 5, 'two_phase');
SELECT kanon_create_release('rings', 'patients', 5, 'ring');
SELECT kanon_create_release('relaxed', 'patients', 5, 'relaxed_mondrian', options => '{"means": true}');
CREATE TABLE members AS TABLE patients;
SELECT kanon_declare('members', '{age,zip,sex}', sensitive => '{disease}');
SELECT kanon_create_release('kept', 'members', 5, 'cohorts', options => '{"key": "id", "leavers": "keep"}', models => 'distinct(disease, 2)');
DELETE FROM members WHERE id % 22 = 0 OR age BETWEEN 20 AND 22;
INSERT INTO members SELECT id + 5000, age, born, zip, sex, disease, cost FROM members WHERE id % 9 = 1;
SELECT kanon_refresh_release('kept');
DELETE FROM members WHERE id % 23 = 0;
-- A history.
SELECT format('INSERT INTO patients SELECT %s + i, age, born, zip, sex, disease, cost FROM patients p, LATERAL (SELECT p.id AS i) x WHERE p.id %% 40 = %s', 5000 * night, night),
    'SELECT kanon_refresh_release(''study'')', 'SELECT kanon_refresh_release(''levels'')'
FROM generate_series(1, 30) night \gexec
-- .. of months.
SET session_replication_role = replica;
UPDATE kanon_release_history_state SET filled = timestamptz '2025-03-03 02:00 UTC' + number * interval '29 hours';
RESET session_replication_role;
-- Long names and values, markup in them, many columns.
CREATE TABLE "a table whose name is as long as a name can be, and that is long" AS
SELECT i % 7 AS "<script>alert('a column that is called so, and long')</script>", i % 11 AS "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunter",
    repeat('Taumatawhakatangihangakoauauotamatea', 3) || i % 3 AS "<b>value</b>", CASE WHEN i % 9 > 0 THEN '<img src="http://example.invalid/x">' || i % 9 END AS "'""&"
FROM generate_series(1, 900) i;
SELECT kanon_declare('"a table whose name is as long as a name can be, and that is long"', ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = '"a table whose name is as long as a name can be, and that is long"'::regclass AND attnum BETWEEN 1 AND 3), sensitive => ARRAY['''"&']);
SELECT kanon_create_release('"a release whose name is as long as a name can be, and a bit cut"', '"a table whose name is as long as a name can be, and that is long"', 5);
SELECT format('CREATE TABLE wide AS SELECT %s FROM generate_series(1, 300) i', string_agg(format('(i / %s)::int AS column_number_%s', 3 + j % 9, j), ', ')) FROM generate_series(1, 100) j \gexec
SELECT kanon_declare('wide', ARRAY(SELECT 'column_number_' || j FROM generate_series(1, 60) j)::name[], sensitive => ARRAY(SELECT 'column_number_' || j FROM generate_series(61, 100) j)::name[]);
SELECT kanon_create_release('hundred', 'wide', 2);
CREATE TABLE nobody AS SELECT * FROM patients WHERE false;
SELECT kanon_declare('nobody', '{age,zip}', sensitive => '{disease}');
SELECT kanon_create_release('empty', 'nobody', 2);
\o :out/study.html
SELECT kanon_report('study');
\o :out/levels.html
SELECT kanon_report('levels');
\o :out/cells.html
SELECT kanon_report('cells');
\o :out/rings.html
SELECT kanon_report('rings');
\o :out/relaxed.html
SELECT kanon_report('relaxed');
\o :out/huge.html
SELECT kanon_report('huge');
\o :out/kept.html
SELECT kanon_report('kept');
\o :out/names.html
SELECT kanon_report(release) FROM kanon_release WHERE release::text LIKE '%whose name%';
\o :out/hundred.html
SELECT kanon_report('hundred');
\o :out/empty.html
SELECT kanon_report('empty');
\o
