-- The examples of docs/matching.md.
CREATE SCHEMA non_homogeneous;
SET search_path = non_homogeneous, public;
\pset null -
CREATE TABLE visits (name text, age int, zip text, disease text);
INSERT INTO visits VALUES
    ('Ann', 25, '53711', 'flu'), ('Bob', 25, '53712', 'asthma'), ('Cid', 26, '53712', 'flu'),
    ('Dora', 41, '53703', 'cough'), ('Eve', 41, '53706', 'angina'), ('Finn', 44, '53706', 'gout');
SELECT kanon_create_dimension('zips', 'visits', 'zip', 'digits');
SELECT kanon_set_attribute('visits', 'name', 'identifier'),
       kanon_set_attribute('visits', 'age', 'quasi_identifier'),
       kanon_set_attribute('visits', 'zip', 'quasi_identifier', 'zips', weight => 2),
       kanon_set_attribute('visits', 'disease', 'sensitive');

-- two by two: what each record covers
SELECT name, age, zip, cells
FROM (SELECT *, kanon_ring(2, v, randomize => false) OVER () AS cells FROM visits v) v
ORDER BY name;

-- what may be handed out
SELECT kanon_view_cell(cells, 'age', NULL::int) AS age, kanon_view_cell(cells, 'zip', NULL::text) AS zip, disease
FROM (SELECT disease, kanon_ring(2, v, seed => 'b7e1c7c2-6a0d-4f5e-9d3c-1f0a8a4d2e11') OVER () AS cells
      FROM visits v) v
ORDER BY age, zip, disease;

-- handed out again and again: the seed stands where only the owner may read
CREATE TABLE secrets (release text PRIMARY KEY, seed text NOT NULL DEFAULT gen_random_uuid());
INSERT INTO secrets (release) VALUES ('study');
CREATE MATERIALIZED VIEW study AS
SELECT kanon_view_cell(cells, 'age', NULL::int) AS age, kanon_view_cell(cells, 'zip', NULL::text) AS zip, disease
FROM (SELECT disease, kanon_ring(2, v, seed => (SELECT seed FROM secrets WHERE release = 'study')) OVER () AS cells
      FROM visits v) v
ORDER BY age, zip, disease;
CREATE TEMP TABLE first AS SELECT * FROM study;
UPDATE visits SET disease = disease;
REFRESH MATERIALIZED VIEW study;
SELECT count(*) AS changed FROM (SELECT * FROM study EXCEPT ALL SELECT * FROM first) s;

-- other fields, and people under and over 40 by themselves
SELECT age > 40 AS older, count(*), count(*) FILTER (WHERE kanon_view_cell(cells, 'f1', NULL::text) = '*') AS hidden
FROM (SELECT age, kanon_two_phase(3, ROW(zip)) OVER (PARTITION BY age > 40) AS cells FROM visits) v
GROUP BY older ORDER BY older;

SET client_min_messages = warning;
DROP SCHEMA non_homogeneous CASCADE;
