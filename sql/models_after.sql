-- Classes that are made without looking at values, and left out if these fail a model.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
RESET client_min_messages;
\set SHOW_CONTEXT never
CREATE SCHEMA models_after;
SET search_path = models_after, public;

CREATE TABLE children (age int, disease text);
INSERT INTO children VALUES (1, 'HIV'), (1, 'HIV'), (2, 'flu'), (2, 'cold'), (2, 'asthma'), (2, 'gout');
SELECT kanon_declare('children', quasi_identifiers => '{age}', sensitive => '{disease}');
SELECT kanon_create_release('together', 'children', 2, models => 'distinct(disease, 2)');
TABLE together;
-- .. what a reader makes of the ages alone: the cut that was not made
SELECT age, kanon_mondrian(2, ROW(age)) OVER () AS class FROM (VALUES (1), (1), (2), (2), (2), (2)) v (age);
SELECT kanon_drop_release('together');
SELECT kanon_create_release('apart', 'children', 2, models => 'distinct(disease, 2)', options => '{"models_after": true}', suppression => 0.5);
TABLE apart;
SELECT rows, missing, classes, smallest, loss, satisfied, parameters ->> 'models_after' AS models_after FROM kanon_release WHERE release = 'apart'::regclass;
SELECT * FROM kanon_check('apart');
SELECT pg_get_viewdef('apart') ~ 'kanon_view_satisfies' AS judged, pg_get_viewdef('apart') ~ 'cells[^)]*models' AS cut_by_models;
-- .. by a larger k nothing is missing, and it holds for the smaller one
SET client_min_messages = warning;
SELECT kanon_create_release('larger', 'children', 3, models => 'distinct(disease, 2)', options => '{"models_after": true}');
RESET client_min_messages;
TABLE larger;
SELECT satisfied, smallest FROM kanon_check('larger', 2);
-- .. and the cuts do not change with the values
UPDATE children SET disease = 'HIV' WHERE disease = 'gout';
SELECT rows, missing, satisfied FROM kanon_refresh_release('larger');
SELECT age, count(*) FROM larger GROUP BY age;
UPDATE children SET disease = 'gout' WHERE age = 2 AND disease = 'HIV';
SELECT kanon_drop_release('larger');
-- .. one more with the same disease, and one with another
INSERT INTO children VALUES (1, 'HIV');
SELECT rows, missing, satisfied FROM kanon_refresh_release('apart');
INSERT INTO children VALUES (1, 'flu');
REFRESH MATERIALIZED VIEW apart;
SELECT age, disease, count(*) FROM apart GROUP BY age, disease ORDER BY age, disease;
SELECT kanon_drop_release('apart');

-- More are left out than may be, or all; closeness is that of what is left, as a reader has it
SELECT kanon_create_release('lacking', 'children', 2, models => 'distinct(disease, 3)', options => '{"models_after": true}', suppression => 0.2);
SELECT satisfied, missing FROM kanon_refresh_release('lacking');
SELECT kanon_refresh_release('lacking', strict => true);
SELECT kanon_drop_release('lacking');
SELECT kanon_create_release('none', 'children', 2, models => 'distinct(disease, 5)', options => '{"models_after": true}');
TABLE none;
SELECT kanon_drop_release('none');
CREATE TABLE wards AS SELECT i AS id, i % 50 AS patient, i % 17 AS age, i % 3 AS recoded, 'disease ' || i * i % 7 AS disease, i % 5 AS person, 100 * (i % 11) AS class FROM generate_series(1, 400) i;
SELECT kanon_declare('wards', identifiers => '{id,patient}', quasi_identifiers => '{age,recoded}', sensitive => '{disease,person,class}');
SET client_min_messages = warning;
SELECT kanon_create_release('close', 'wards', 5, models => 'closeness(disease, 0.1), distinct(class, 3)', options => '{"models_after": true, "means": true}', suppression => 0.99),
    kanon_create_release('relaxed', 'wards', 5, 'relaxed_mondrian', models => 'entropy(disease, 2)', options => '{"models_after": true}', suppression => 0.99, person => 'patient'),
    kanon_create_release('plain', 'wards', 5, options => '{"means": true}');
SELECT r.release, r.rows > 0 AND r.missing > 0 AS some_left_out, c.satisfied, r.people >= 5 AS people FROM kanon_release r, kanon_check(r.release) c WHERE r.release IN ('close'::regclass, 'relaxed'::regclass) ORDER BY r.release::text;
-- .. what is published lies in classes that k alone makes
SELECT count(*) FROM (TABLE close EXCEPT ALL TABLE plain) c;
-- .. and the members are those
SELECT people = (SELECT count(*) FROM close) AS close, (SELECT people FROM kanon_check_releases('wards', '{relaxed}')) = (SELECT count(*) FROM relaxed) AS relaxed FROM kanon_check_releases('wards', '{close}');
RESET client_min_messages;

-- By hand: the window functions side by side
SELECT age, disease FROM (SELECT *, kanon_view_satisfies(2, c, 'class', models => 'distinct(disease, 2)') OVER () AS satisfied
    FROM (SELECT *, kanon_mondrian(2, ROW(age)) OVER () AS class FROM children) c) j WHERE satisfied ORDER BY age, disease;

SELECT kanon_create_release('r', 'children', 2, options => '{"models_after": true}');
\set VERBOSITY terse
SELECT kanon_create_release('r', 'children', 2, 'mondrian', suppression => 0.1);
\set VERBOSITY default
SELECT kanon_create_release('r', 'children', 2, 'mondrian', models => 'distinct(disease, 2)', options => '{"models_after": true, "split": "infogain", "target": "disease"}');
\set VERBOSITY terse
SELECT kanon_create_release('r', 'children', 2, 'full_domain', models => 'distinct(disease, 2)', options => '{"models_after": true}');
\set VERBOSITY default

SET client_min_messages = warning;
DROP SCHEMA models_after CASCADE;
