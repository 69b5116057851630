-- Releases with privacy models: their text, figures and guards, refreshed by whomever.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
RESET client_min_messages;
\set SHOW_CONTEXT never
CREATE SCHEMA release_models;
SET search_path = release_models, public;

CREATE TABLE stays (id int, patient text, age int, ward text, disease text, cost int, note text);
INSERT INTO stays SELECT i, 'p' || i / 2, 20 + i % 20, (ARRAY['a', 'b'])[1 + i % 2], (ARRAY['flu', 'cold', 'hiv', 'gout'])[1 + i * i % 7 % 4], i * 37 % 100, 'n'
    FROM generate_series(1, 60) i;
SELECT kanon_set_attribute('stays', 'id', 'identifier'), kanon_set_attribute('stays', 'patient', 'identifier'),
    kanon_set_attribute('stays', 'ward', 'quasi_identifier'), kanon_set_attribute('stays', 'disease', 'sensitive'),
    kanon_set_attribute('stays', 'cost', 'insensitive'), kanon_set_attribute('stays', 'note', 'identifier');
SELECT kanon_create_dimension('ages', 'stays', 'age', 'ranges', '{5,10,20}');

-- By Mondrian: the models stand in the text, which divides anew at each refresh
SELECT kanon_create_release('study', 'stays', 2, 'mondrian', models => 'distinct(disease, 3), variance(cost, 100)');
\pset format unaligned
\pset tuples_only on
SELECT regexp_replace(pg_get_viewdef('study'), '\m(recoded|judged)\.', '', 'g');
\pset tuples_only off
\pset format aligned
SELECT * FROM kanon_check('study', 2, models => 'distinct(disease, 3), variance(cost, 100)');
SELECT recoding, k, models, person, rows, classes, smallest, missing FROM kanon_release WHERE release = 'study'::regclass;
BEGIN;
DELETE FROM stays WHERE disease = 'cold' AND id % 3 > 0;
REFRESH MATERIALIZED VIEW study;
SELECT * FROM kanon_check('study', 2, models => 'distinct(disease, 3), variance(cost, 100)');
-- .. of rows that are no longer diverse, nothing
UPDATE stays SET disease = 'flu' WHERE disease = 'hiv';
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('study');
SELECT count(*) FROM study;
ROLLBACK;
-- .. as at creation, where it says which model
SELECT kanon_create_release('hopeless', 'stays', 2, 'mondrian', models => 'distinct(disease, 3), entropy(disease, 2.99)');
SELECT kanon_create_release('hopeless_too', 'stays', 32, 'mondrian', person => 'patient');
-- .. but not if it needs more values than there are, as in searches and comparisons
SELECT kanon_create_release('impossible', 'stays', 2, 'mondrian', models => 'distinct(disease, 30)');
SELECT kanon_create_release('impossible', 'stays', 2, models => 'distinct(disease, 30)', suppression => 0.5, options => '{"models_after": true}');
SELECT kanon_replace_release('hopeless', models => 'distinct(disease, 30)');
SELECT k, models FROM kanon_release WHERE release = 'hopeless'::regclass;
SELECT to_regclass('impossible');
-- .. of people, of whom one may have most rows
CREATE TABLE calls (patient int, age int, illness text);
INSERT INTO calls SELECT i, 30 + i, 'flu' FROM generate_series(1, 10) i UNION ALL SELECT 1, 31, 'cold' FROM generate_series(1, 10);
SELECT kanon_declare('calls', quasi_identifiers => '{age}', sensitive => '{illness}', identifiers => '{patient}');
SELECT kanon_create_release('hopeless_calls', 'calls', 2, models => 'entropy(illness, 1.9)', person => 'patient');
SELECT kanon_create_release('dealt', 'stays', 2, 'relaxed_mondrian', models => 'closeness(disease, 0.3)', options => '{"means": true, "ranges": true}');
SELECT * FROM kanon_check('dealt', 2, models => 'closeness(disease, 0.3)');
SELECT kanon_create_release('told', 'stays', 2, 'mondrian', models => 'entropy(disease, 2)', options => '{"split": "infogain", "target": "disease"}');
SELECT * FROM kanon_check('told', 2, models => 'entropy(disease, 2)');

-- Full domain: the guard judges classes as they are published, whoever refreshes
\pset format unaligned
SELECT kanon_generalized_query('stays', '{1,0}', 2, models => 'distinct(disease, 2)');
\pset format aligned
SELECT kanon_generalized_query('stays', '{4,1}', models => 'distinct(disease, 2)');
-- .. with no more quotes than names need
SELECT kanon_generalized_query('stays', '{1,0}', 2, models => 'distinct(disease, 2)') AS text \gset
SET quote_all_identifiers = on;
SELECT kanon_generalized_query('stays', '{1,0}', 2, models => 'distinct(disease, 2)') = :'text' AS same;
RESET quote_all_identifiers;
SELECT kanon_create_release('ranges', 'stays', 2, 'full_domain', options => '{"levels": [0, 0]}', models => 'distinct(disease, 3)');
SELECT kanon_create_release('ranges', 'stays', 2, 'full_domain', options => '{"levels": [1, 0]}', suppression => 0.5, models => 'distinct(disease, 3)');
SELECT age, ward, count(*), count(DISTINCT disease) FROM ranges GROUP BY age, ward ORDER BY age, ward;
SELECT * FROM kanon_check('ranges', 2, models => 'distinct(disease, 3)');
SELECT recoding, levels, k, models, suppression, rows, classes, smallest, missing FROM kanon_release WHERE release = 'ranges'::regclass;
UPDATE stays SET disease = 'flu' WHERE age < 25;
REFRESH MATERIALIZED VIEW ranges;
SELECT age, ward, count(*), count(DISTINCT disease) FROM ranges GROUP BY age, ward ORDER BY age, ward;
UPDATE stays SET disease = 'flu' WHERE age < 35;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('ranges');
SELECT * FROM kanon_check('ranges', 2, models => 'distinct(disease, 3)');
BEGIN;
UPDATE stays SET disease = 'flu';
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('ranges');
SELECT count(*) FROM ranges;
ROLLBACK;
-- .. renamed columns and tables do not disturb it
ALTER TABLE stays RENAME COLUMN disease TO illness;
ALTER TABLE stays RENAME COLUMN patient TO who;
ALTER TABLE stays RENAME TO visits;
REFRESH MATERIALIZED VIEW ranges;
REFRESH MATERIALIZED VIEW study;
SELECT * FROM kanon_check('ranges', 2, models => 'distinct(disease, 3)');
-- .. and its classes are judged by what it was made with, unless something else is given
SELECT class, size, distinct_values, satisfied FROM kanon_classes('ranges') ORDER BY class;
SELECT class, size, distinct_values, satisfied FROM kanon_classes('ranges', 100, models => '') ORDER BY class;
ALTER TABLE visits RENAME TO stays;
ALTER TABLE stays RENAME COLUMN who TO patient;
ALTER TABLE stays RENAME COLUMN illness TO disease;

-- A release goes by its columns, whatever they are called, and by the relation's names as these are now.  Each class has
-- two of four illnesses, as many of either kind: it lies at 0.5 from the whole, by kinds at (0.5 + 0) / 2
CREATE TABLE shifts (age int, illness text, place text, who int);
INSERT INTO shifts SELECT i / 4, substr('ab', 1 + i % 2, 1) || i / 4 % 2, 'p' || i / 4, i FROM generate_series(0, 15) i;
CREATE TABLE kinds AS SELECT DISTINCT illness, left(illness, 1) AS kind, '*' AS all_kinds FROM shifts;
SELECT kanon_declare('shifts', quasi_identifiers => '{age}', sensitive => '{illness,place}', identifiers => '{who}');
SELECT kanon_set_attribute('shifts', 'illness', 'sensitive', 'kinds');
SELECT kanon_create_release('shifted', 'shifts', 4, models => 'distinct(illness, 2), distinct(place, 1), closeness(illness, 0.3)', person => 'who');
SELECT columns, quasi_identifiers, models, person FROM kanon_release WHERE release = 'shifted'::regclass;
SELECT satisfied, classes FROM kanon_check('shifted');
CREATE FUNCTION swap(relation regclass, one name, other name) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    kind text := CASE WHEN (SELECT relkind FROM pg_class WHERE oid = relation) = 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END;
BEGIN
    EXECUTE format('ALTER %s %s RENAME COLUMN %I TO between', kind, relation, one);
    EXECUTE format('ALTER %s %s RENAME COLUMN %I TO %I', kind, relation, other, one);
    EXECUTE format('ALTER %s %s RENAME COLUMN between TO %I', kind, relation, other);
END $$;
SELECT swap('shifted', 'illness', 'place');
SELECT satisfied FROM kanon_check('shifted');
SELECT satisfied FROM kanon_check('shifted', models => 'distinct(place, 2), closeness(place, 0.3)');
SELECT satisfied FROM kanon_check('shifted', models => 'closeness(place, 0.24)');
SELECT satisfied FROM kanon_check('shifted', models => 'distinct(illness, 2)');
-- .. and these of the relation
SELECT swap('shifts', 'age', 'illness'), swap('shifts', 'who', 'place');
ALTER TABLE shifts RENAME COLUMN place TO "Who, (I)";
SELECT columns, quasi_identifiers, models, person FROM kanon_release WHERE release = 'shifted'::regclass;
SELECT satisfied FROM kanon_check('shifted');
REFRESH MATERIALIZED VIEW shifted;
SELECT satisfied FROM kanon_check('shifted');
SELECT loss FROM kanon_quality('shifted');
SELECT satisfied FROM kanon_check_matchings('shifted');
DROP TABLE shifts CASCADE;

-- People: a patient may have two rows; who they are is not published
UPDATE stays SET disease = (ARRAY['flu', 'cold', 'hiv'])[1 + id % 3];
SELECT kanon_create_release('people', 'stays', 4, person => 'patient', models => 'distinct(disease, 2)');
SELECT kanon_create_release('people_by_range', 'stays', 4, 'full_domain', options => '{"levels": [1, 0]}', suppression => 0.9, person => 'patient');
SELECT release, person, models, rows, classes, smallest, missing FROM kanon_release WHERE person IS NOT NULL AND rows > 0 ORDER BY release;
-- .. a release knows what it was made with: k of people, as far as it shows them, and the models
SELECT * FROM kanon_check('people');
SELECT * FROM kanon_check('people', 2);
SELECT * FROM kanon_check('people', 2, models => '');
SELECT * FROM kanon_check('people', models => 'distinct(disease, 4)');
SELECT classes, prosecutor_highest FROM kanon_risk('people');
SELECT rows, classes FROM kanon_quality('people');
SELECT predicate, actual FROM kanon_query_errors('people', '{age < 30}');
SELECT satisfied FROM kanon_check('stays');
SELECT kanon_set_attribute('stays', 'patient', 'insensitive');
SELECT kanon_create_release('shown_people', 'stays', 4, person => 'patient');
SELECT satisfied FROM kanon_check('shown_people');
SELECT satisfied FROM kanon_check('shown_people', 4);
SELECT kanon_drop_release('shown_people');
SELECT kanon_set_attribute('stays', 'patient', 'identifier');
\d people_by_range
\pset format unaligned
\pset tuples_only on
SELECT regexp_replace(pg_get_viewdef('people_by_range'), '\m(recoded|judged)\.', '', 'g');
\pset tuples_only off
\pset format aligned
UPDATE stays SET patient = 'p1' WHERE age < 30;
REFRESH MATERIALIZED VIEW people;
REFRESH MATERIALIZED VIEW people_by_range;
SELECT count(*), count(*) FILTER (WHERE s.patient = 'p1') > 0 AS with_p1 FROM people_by_range p JOIN stays s USING (cost, disease, ward);
SELECT DISTINCT age FROM people_by_range ORDER BY age;
SELECT age, ward, count(*) FROM people GROUP BY age, ward ORDER BY age, ward;

-- .. how many they are in the class of fewest is counted whenever a release is filled
SET client_min_messages = warning;
INSERT INTO stays SELECT 100 + i, 'q' || i * 7 % 23, 20 + i * 3 % 20, (ARRAY['a', 'b'])[1 + i % 2], (ARRAY['flu', 'cold', 'hiv'])[1 + i % 3], i % 5, 'n' FROM generate_series(1, 50) i;
INSERT INTO stays VALUES (200, NULL, 21, 'a', 'flu', 1), (201, NULL, 22, 'b', 'cold', 1);
SELECT kanon_create_release('people_dealt', 'stays', 3, 'relaxed_mondrian', person => 'patient', options => '{"ranges": true}');
SELECT kanon_create_release('diverse_people', 'stays', 2, 'full_domain', options => '{"levels": [0, 1]}', suppression => 0.9, person => 'patient', models => 'distinct(disease, 2), distinct(cost, 2)');
SELECT kanon_create_release('all_people', 'stays', 3, 'mondrian', options => '{"means": true}', person => 'patient', quasi_identifiers => '{age}');
CREATE FUNCTION people_of_divided(k int, quasi_identifiers name[], models kanon_models, relaxed boolean) RETURNS bigint LANGUAGE sql AS $$
SELECT min(n) FROM (
    SELECT count(DISTINCT patient) AS n FROM (
        SELECT patient, CASE WHEN relaxed IS NULL THEN kanon_local(k, s, quasi_identifiers, models, 'patient') OVER ()
            ELSE kanon_mondrian(k, s, quasi_identifiers, models, coalesce(relaxed, false), person => 'patient') OVER () END AS class FROM stays s) c
    WHERE class > 0 GROUP BY class) m $$;
CREATE FUNCTION people_recorded() RETURNS TABLE (release regclass, filled boolean, people bigint, as_counted boolean) LANGUAGE sql AS $$
SELECT r.release, r.rows > 0, r.people, r.people IS NOT DISTINCT FROM CASE r.release
    WHEN 'people'::regclass THEN people_of_divided(4, '{age,ward}', 'distinct(disease, 2)', NULL)
    WHEN 'people_dealt'::regclass THEN people_of_divided(3, '{age,ward}', '', true)
    WHEN 'all_people'::regclass THEN people_of_divided(3, '{age}', '', false)
    WHEN 'people_by_range'::regclass THEN
        (SELECT min(n) FROM (SELECT count(DISTINCT patient) AS n FROM stays JOIN ages USING (age) GROUP BY range_5, ward) c WHERE n >= 4)
    ELSE (SELECT min(n) FROM (SELECT count(DISTINCT patient) AS n FROM stays GROUP BY age
        HAVING count(DISTINCT disease) FILTER (WHERE patient > '') > 1 AND count(DISTINCT cost) FILTER (WHERE patient > '') > 1) c WHERE n >= 2) END
FROM kanon_release r WHERE r.release::text LIKE '%people%' AND r.person IS NOT NULL ORDER BY r.release::text COLLATE "C" $$;
REFRESH MATERIALIZED VIEW people;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('people_by_range');
SELECT * FROM people_recorded();
DELETE FROM stays WHERE id % 5 = 0;
UPDATE stays SET patient = 'r' || id / 4 WHERE age % 4 = 0;
BEGIN;
REFRESH MATERIALIZED VIEW people;
REFRESH MATERIALIZED VIEW people_by_range;
SELECT r.* FROM unnest('{all_people,diverse_people,people_dealt}'::regclass[]) n, LATERAL (SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release(n)) r;
SELECT count(*) FROM (SELECT kanon_view_cells('mondrian', 2, s, '{age,ward}', person => 'patient') OVER () FROM stays s) c;
SELECT * FROM people_recorded();
COMMIT;
UPDATE stays SET patient = 'p' || id / 2 WHERE age < 35;
SELECT r.* FROM unnest('{people_dealt,diverse_people,all_people}'::regclass[]) n, LATERAL (SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release(n)) r;
REFRESH MATERIALIZED VIEW people_by_range;
REFRESH MATERIALIZED VIEW people;
SELECT * FROM people_recorded();
-- .. also where the relation recodes when its rows are counted
CREATE VIEW recoded AS SELECT id, patient, age, ward FROM (SELECT s.*, kanon_view_cells('mondrian', 2, s, '{age,ward}', person => 'patient') OVER () AS cells FROM stays s) c WHERE cells IS DISTINCT FROM NULL;
SELECT kanon_create_release('recoded_release', 'recoded', 4, quasi_identifiers => '{age,ward}', person => 'patient');
SELECT r.people = people_of_divided(4, '{age,ward}', '', false) AS as_counted, abs(r.loss - q.loss) < 1e-9 AS same_loss
FROM kanon_release r, kanon_quality(r.release) q WHERE r.release = 'recoded_release'::regclass;
-- .. not known where something else was released before it was recorded
BEGIN;
CREATE FUNCTION refresh_others() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('release_models.inside', true) IS DISTINCT FROM 'yes' THEN
        PERFORM set_config('release_models.inside', 'yes', true);
        REFRESH MATERIALIZED VIEW release_models.people_dealt;
        PERFORM set_config('release_models.inside', 'no', true);
    END IF;
END $$;
CREATE EVENT TRIGGER a_first ON ddl_command_end WHEN TAG IN ('REFRESH MATERIALIZED VIEW') EXECUTE FUNCTION refresh_others();
REFRESH MATERIALIZED VIEW people;
SELECT * FROM people_recorded() WHERE release IN ('people'::regclass, 'people_dealt'::regclass);
ROLLBACK;
-- .. nor where there are no rows, where rows count or where there are no classes
BEGIN;
UPDATE stays SET patient = 'p1';
REFRESH MATERIALIZED VIEW people_by_range;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('people');
REFRESH MATERIALIZED VIEW all_people WITH NO DATA;
SELECT * FROM people_recorded() WHERE NOT filled IS TRUE;
ROLLBACK;
SELECT kanon_create_release('rings', 'stays', 2, 'ring', options => '{"seed": "s"}');
SELECT count(*) > 3 AS several, count(people) FROM kanon_release WHERE person IS NULL AND release IN (SELECT oid FROM pg_class WHERE relnamespace = 'release_models'::regnamespace);
DROP VIEW recoded CASCADE;
DROP MATERIALIZED VIEW people_dealt, diverse_people, all_people, rings;
RESET client_min_messages;

-- Closeness goes by the dimension of the source: from flu to cold it is 1/2
CREATE TABLE ills (disease text, kind text, part text);
INSERT INTO ills VALUES ('flu', 'airways', 'body'), ('cold', 'airways', 'body'), ('hiv', 'blood', 'body');
SELECT kanon_set_attribute('stays', 'disease', 'sensitive', 'ills');
TRUNCATE stays;
INSERT INTO stays VALUES (1, 'p', 20, 'a', 'flu', 1), (2, 'p', 20, 'a', 'flu', 1), (3, 'p', 30, 'b', 'cold', 1), (4, 'p', 30, 'b', 'hiv', 1);
SELECT kanon_create_release('near', 'stays', 2, 'full_domain', options => '{"levels": [0, 0]}', models => 'closeness(disease, 0.375), distinct(cost, 1)');
\pset format unaligned
\pset tuples_only on
SELECT regexp_replace(pg_get_viewdef('near'), '\m(recoded|judged)\.', '', 'g');
\pset tuples_only off
\pset format aligned
SELECT * FROM kanon_check('near', 2, models => 'closeness(disease, 0.375)');
DROP TABLE ills;
SELECT kanon_create_release('near_regions', 'stays', 2, models => 'closeness(disease, 0.375)');
SELECT * FROM kanon_check('near_regions', 2, models => 'closeness(disease, 0.375)');

-- What cannot be
SELECT kanon_create_release('no', 'stays', 2, models => 'distinct(illness, 2)');
SELECT kanon_create_release('no', 'stays', 2, models => 'distinct(age, 2)');
SELECT kanon_create_release('no', 'stays', 2, models => 'variance(disease, 2)');
SELECT kanon_create_release('no', 'stays', 2, models => 'distinct(note, 2)');
SELECT kanon_create_release('no', 'stays', 2, models => ARRAY[NULL]::kanon_models);
SELECT kanon_create_release('no', 'stays', 2, 'full_domain', options => '{"levels": [4, 1]}', models => 'distinct(disease, 4)');
SELECT kanon_create_release('no', 'stays', 2, 'full_domain', options => '{"levels": [4, 1]}', models => 'entropy(disease, 2.9)');
SELECT kanon_create_release('no', 'stays', 2, person => 'nobody');
SELECT kanon_create_release('no', 'stays', 2, person => 'age');
SELECT kanon_generalized_query('stays', '{1,0}', 2, models => 'distinct(note, 2)');
ALTER TABLE stays ADD COLUMN place box;
SELECT kanon_create_release('no', 'stays', 2, person => 'place');

SET client_min_messages = warning;
DROP SCHEMA release_models CASCADE;
