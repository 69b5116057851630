-- What Citus does to rows, tables and catalogs, as far as it can be seen without it.
CREATE EXTENSION IF NOT EXISTS kanon;
CREATE SCHEMA wards;
SET search_path = wards, public;

-- Catalogs of Citus: as a worker and a coordinator have them.
SET allow_system_table_mods = on;
CREATE TABLE pg_catalog.pg_dist_shard (logicalrelid regclass, shardid bigint);
CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid regclass, partmethod "char");
GRANT SELECT ON pg_dist_shard, pg_dist_partition TO PUBLIC;
SET allow_system_table_mods = off;

-- On a worker whole rows are those of a shard, of which nothing is declared.
CREATE TABLE ages (age int, label text, everybody text);
INSERT INTO ages SELECT a, a / 10 || '0s', '*' FROM generate_series(20, 39) a;
CREATE TABLE ward (ward text, age int, disease text);
SELECT kanon_set_attribute('ward', 'age', 'quasi_identifier', 'ages');
CREATE TABLE ward_102008 (LIKE ward);
INSERT INTO ward_102008 SELECT 'east', 20 + i, 'flu' FROM generate_series(0, 19) i;
CREATE TABLE ward_2024 (LIKE ward);
INSERT INTO ward_2024 TABLE ward_102008;
INSERT INTO pg_dist_shard VALUES ('ward', 102008);
SELECT kanon_mondrian(5, w, '{age}') OVER (PARTITION BY ward) FROM ward_102008 w;
SELECT kanon_mondrian(5, w) OVER (PARTITION BY ward) FROM ward_102008 w;
SELECT kanon_mondrian_tree(5, w, '{age}') FROM ward_102008 w;
SELECT kanon_ring(5, w, '{age}') OVER () FROM ward_102008 w;
SELECT count(*) FROM (SELECT kanon_ring(5, w, '{age}', '{ages}') OVER () FROM ward_102008 w) w;
SELECT DISTINCT kanon_mondrian(5, ROW(age)) OVER (PARTITION BY ward) FROM ward_102008 ORDER BY 1;
-- Rows of views and subqueries are records without a type, so the call has to say what is declared.
SELECT kanon_mondrian(5, w) OVER () FROM (SELECT age, disease FROM ward_102008) w;
SELECT kanon_mondrian(5, w, '{age}') OVER () FROM (SELECT age, disease FROM ward_102008) w;
SELECT kanon_local(5, w, '{age}') OVER () FROM (SELECT age, disease FROM ward_102008) w;
SELECT kanon_mondrian_tree(5, w, '{age}') FROM (SELECT age, disease FROM ward_102008) w;
SELECT kanon_view_satisfies(5, w, 'disease', 'closeness(age, 0.5)') OVER () FROM (SELECT age, disease FROM ward_102008) w;
SELECT DISTINCT kanon_view_satisfies(5, w, 'disease', 'closeness(age, 0.5)', model_dimensions => '{ages}') OVER () FROM (SELECT age, disease FROM ward_102008) w;
SELECT DISTINCT kanon_view_satisfies(5, w, 'disease', 'distinct(age, 2)') OVER () FROM (SELECT age, disease FROM ward_102008) w;
SELECT count(*) FROM (SELECT kanon_two_phase(5, w, '{age}', '{ages}') OVER () FROM (SELECT age, disease FROM ward_102008) w) w;
SELECT DISTINCT kanon_mondrian(5, w, '{age}') OVER () FROM (SELECT age, disease FROM ward_2024) w ORDER BY 1;
-- The same of rows that Citus moved.
CREATE FUNCTION read_intermediate_result(id text) RETURNS SETOF record LANGUAGE sql AS 'SELECT age, disease FROM wards.ward_2024';
SELECT kanon_mondrian(5, w) OVER () FROM (SELECT * FROM read_intermediate_result('1_1') intermediate_result (age int, disease text)) w;
-- A view's rows may also come as ROW(..).
CREATE VIEW seen AS SELECT age, disease FROM ward;
CREATE VIEW seen_again AS SELECT disease, age FROM seen;
SELECT kanon_mondrian_tree(5, ROW(age, disease)) FROM ward_102008;
SELECT kanon_mondrian(5, ROW(disease, age)) OVER () FROM ward_102008;
SELECT DISTINCT kanon_mondrian(5, ROW(disease, age), '{f2}') OVER () FROM ward_102008 ORDER BY 1;
SELECT DISTINCT kanon_mondrian(5, ROW(disease, age)) OVER () FROM ward_2024 ORDER BY 1;
DROP VIEW seen CASCADE;
-- A worker knows the tables of the coordinator, but not what is declared of them.
SET allow_system_table_mods = on;
CREATE TABLE pg_catalog.pg_dist_local_group AS SELECT 0 AS groupid;
CREATE TABLE pg_catalog.pg_dist_object AS SELECT 'pg_class'::regclass::oid AS classid, 'ward_2024'::regclass::oid AS objid;
GRANT SELECT ON pg_dist_local_group, pg_dist_object TO PUBLIC;
SET allow_system_table_mods = off;
SELECT kanon_check('ward_2024', 5, '{age}');
SELECT kanon_check('ward_102008', 5, '{age}');
UPDATE pg_dist_local_group SET groupid = 3;
SELECT kanon_check('ward_2024', 5, '{age}');
SELECT kanon_check('ward_2024', 5);
SELECT kanon_mondrian(5, w, '{age}') OVER () FROM ward_2024 w;
SELECT kanon_create_release('there', 'ward_2024', 5, quasi_identifiers => '{age}');
SELECT kanon_set_attribute('ward_2024', 'age', 'quasi_identifier');
SELECT kanon_check('ward_2024', 5, '{age}');
SELECT kanon_unset_attribute('ward_2024', 'age');
SELECT kanon_check('ages', 1, '{age}');
SELECT kanon_view_seed(0);
SET allow_system_table_mods = on;
DROP TABLE pg_catalog.pg_dist_local_group, pg_catalog.pg_dist_object;
SET allow_system_table_mods = off;
SELECT kanon_view_seed(0);
-- What docs/machines.md shows; the coordinator has the declarations.
BEGIN;
CREATE TABLE patients AS TABLE ward_102008;
SELECT kanon_set_attribute('patients', 'age', 'quasi_identifier', 'ages');
SELECT kanon_mondrian(5, r) OVER (PARTITION BY ward || '') FROM patients r;
ROLLBACK;
-- Other tables may be called so.
SELECT DISTINCT kanon_mondrian(5, w, '{age}') OVER (PARTITION BY ward) FROM ward_2024 w ORDER BY 1;
-- Where there is no declaration and no argument, nothing is guessed.
SELECT kanon_mondrian(5, w) OVER () FROM ward_2024 w;

-- How statements look for a distributed table: an error tells.  Rows are grouped where they lie, and
-- before there are GROUPING SETS.
INSERT INTO ward_2024 SELECT 'west', age, 'cold' FROM ward_2024 WHERE age < 30;
CREATE VIEW far AS SELECT age, disease, ward, 1 / (age - age) AS oops FROM ward_2024;
SELECT count(*) FROM kanon_incognito('far', 2, '{oops}');
SELECT kanon_check('far', 2, '{oops}', 'distinct(disease, 2)');
INSERT INTO pg_dist_partition VALUES ('far', 'n');
SELECT count(*) FROM kanon_incognito('far', 2, '{oops}');
UPDATE pg_dist_partition SET partmethod = 'h';
SELECT count(*) FROM kanon_incognito('far', 2, '{oops}');
SET kanon.ground_scan = stream;
SELECT count(*) FROM kanon_incognito('far', 2, '{oops}');
RESET kanon.ground_scan;
SELECT kanon_check('far', 2, '{oops}');
SELECT kanon_check('far', 2, '{oops}', 'distinct(disease, 2)');
SELECT kanon_check('far', 2, '{age}', 'distinct(oops, 2)');
SELECT count(*) FROM kanon_classes('far', 2, '{oops}', 'distinct(disease, 2)', 'ward');
SELECT kanon_risk('far', '{oops}');
SELECT count(*) FROM kanon_sample_uniques('far', '{oops}');
SELECT count(*) FROM kanon_special_uniques('far', 'ward', '{oops}');
SELECT kanon_grow_tree('far', 2, '{oops}');
-- With the same answers.
SELECT kanon_check('far', 2, '{age}', 'distinct(disease, 2)', 'ward') = kanon_check('ward_2024', 2, '{age}', 'distinct(disease, 2)', 'ward') AS same,
    (SELECT array_agg(c) FROM kanon_classes('far', 2, '{age}', 'distinct(disease, 2)') c)::text
    = (SELECT array_agg(c) FROM kanon_classes('ward_2024', 2, '{age}', 'distinct(disease, 2)') c)::text AS classes,
    (SELECT array_agg(u) FROM kanon_sample_uniques('far', '{age,ward}', 2) u)::text
    = (SELECT array_agg(u) FROM kanon_sample_uniques('ward_2024', '{age,ward}', 2) u)::text AS uniques,
    kanon_grow_tree('far', 2, '{age,ward}') = kanon_grow_tree('ward_2024', 2, '{age,ward}') AS trees,
    (SELECT array_agg(i) FROM kanon_incognito('far', 2, '{age,ward}', algorithm => 'basic') i)::text
    = (SELECT array_agg(i) FROM kanon_incognito('ward_2024', 2, '{age,ward}', algorithm => 'basic') i)::text AS generalizations;

-- A table that is distributed in another way is dropped and made anew, its views too.
CREATE TABLE folk AS SELECT i, i % 40 AS age, i % 3 AS sex, 'd' || i % 5 AS disease FROM generate_series(1, 400) i;
CREATE TABLE decades AS SELECT a AS age, a / 10 * 10 AS decade, 0 AS top FROM generate_series(0, 39) a;
SELECT kanon_declare('folk', '{age,sex}', '{disease}'), kanon_set_attribute('folk', 'age', 'quasi_identifier', 'decades', 2);
CREATE ROLE regress_other;
CREATE ROLE regress_another;
GRANT USAGE ON SCHEMA wards TO regress_another;
SELECT kanon_create_release('study', 'folk', 5), kanon_create_release('coarse', 'folk', 5, 'full_domain', options => '{"levels": [1, 0]}', suppression => 0.1),
    kanon_create_release('drawn', 'folk', 5, 'ring');
CREATE TABLE known AS SELECT release::text AS name, to_jsonb(r) - '{release,relation,refreshed,loss}'::text[] AS entry FROM kanon_release r;
CREATE TABLE declared AS SELECT a.attribute, role, dimension, weight FROM kanon_attribute a WHERE relation = 'folk'::regclass;
GRANT USAGE ON SCHEMA wards TO regress_other;
SELECT pg_get_viewdef('study') AS study, pg_get_viewdef('coarse') AS coarse, rtrim(pg_get_viewdef('drawn'), ';') AS drawn \gset
SELECT kanon_adopt_release('study');
CREATE TABLE folk_anew AS TABLE folk;
DROP TABLE folk CASCADE;
ALTER TABLE folk_anew RENAME TO folk;
SELECT name, catalog, relation, entry ->> 'attribute' AS attribute FROM kanon_lost_state ORDER BY catalog, name, attribute;
CREATE MATERIALIZED VIEW study AS :study
CREATE MATERIALIZED VIEW coarse AS SELECT age, sex, disease FROM folk;
SELECT kanon_adopt_release('coarse');
DROP MATERIALIZED VIEW coarse;
CREATE MATERIALIZED VIEW coarse AS :coarse
-- A release that draws is created again with its seed, which is kept for its former owner.
SELECT entry ->> 'number' AS seed FROM kanon_lost_state WHERE catalog = 'kanon_seed' \gset
SET ROLE regress_other;
\set VERBOSITY sqlstate
SELECT kanon_view_seed(:seed);
\set VERBOSITY default
RESET ROLE;
CREATE MATERIALIZED VIEW drawn AS :drawn;
BEGIN;
DELETE FROM kanon_lost_state WHERE catalog = 'kanon_seed';
SELECT kanon_adopt_release('drawn');
ROLLBACK;
SELECT kanon_adopt_release('ages');
SELECT kanon_adopt_release(NULL);
SET ROLE regress_other;
SELECT kanon_adopt_release('study');
RESET ROLE;
ALTER TABLE folk RENAME TO elsewhere;
SELECT kanon_adopt_release('study');
ALTER TABLE elsewhere RENAME TO folk;
SELECT kanon_adopt_release('study'), kanon_adopt_release('coarse'), kanon_adopt_release('drawn');
SELECT kanon_digest('drawn') = (SELECT digest FROM kanon_release_history WHERE name = 'wards.drawn' ORDER BY number LIMIT 1) AS drawn_alike, (kanon_refresh_release('drawn')).changed;
SELECT count(*) FROM known k JOIN kanon_release r ON r.release::text = k.name AND to_jsonb(r) - '{release,relation,refreshed,loss}'::text[] = k.entry AND r.relation = 'folk'::regclass;
SELECT a.attribute, role, dimension, weight FROM kanon_attribute a WHERE relation = 'folk'::regclass EXCEPT TABLE declared;
SELECT count(*) FROM kanon_attribute WHERE relation = 'folk'::regclass;
SELECT name, catalog FROM kanon_lost;
SELECT kanon_adopt_release('study');
-- .. and its history goes on
SELECT how, rows, changed FROM kanon_release_history WHERE release = 'study'::regclass ORDER BY number;
SELECT kanon_check('study'), (SELECT rows FROM kanon_refresh_release('study')), kanon_check('coarse');
-- What is dropped on purpose is not lost.
SELECT kanon_drop_release('study');
SELECT name FROM kanon_lost;

-- A local table that Citus takes over becomes the shard of a new one, which gets its declarations.
CREATE TABLE guild AS TABLE folk;
SELECT kanon_declare('guild', '{age,sex}', '{disease}');
SELECT kanon_create_release('guild_study', 'guild', 5);
SELECT rtrim(pg_get_viewdef('guild_study'), ';') AS guild_study \gset
ALTER TABLE guild RENAME TO guild_102099;
DROP MATERIALIZED VIEW guild_study;
CREATE TABLE guild (LIKE guild_102099);
INSERT INTO pg_dist_shard VALUES ('guild', 102099);
CREATE MATERIALIZED VIEW guild_study AS :guild_study;
SELECT kanon_adopt_release('guild_study');
SELECT relation, count(*) FROM kanon_attribute WHERE relation::text ~ 'guild' GROUP BY relation;
SELECT relation FROM kanon_release WHERE release = 'guild_study'::regclass;
SELECT kanon_drop_release('guild_study');

-- A dimension that is made anew has its rule again, and its place in the declarations, with a release that reads it.
CREATE TABLE homes AS SELECT (10 + i % 20)::text AS zip, i % 3 AS sex, 'd' || i % 5 AS disease FROM generate_series(1, 100) i;
SELECT kanon_declare('homes', '{sex}', '{disease}'), kanon_create_dimension('areas', 'homes', 'zip', 'digits');
CREATE TABLE others AS TABLE homes;
SELECT kanon_set_attribute('others', 'zip', 'quasi_identifier', 'areas', 3);
SELECT kanon_create_release('by_area', 'homes', 3);
CREATE VIEW ruled AS SELECT dimension, method, arguments, levels FROM kanon_dimension;
CREATE VIEW placed AS SELECT relation, attribute, role, dimension, weight FROM kanon_attribute WHERE relation::text IN ('homes', 'others') ORDER BY relation::text, attribute;
TABLE ruled;
TABLE placed;
SELECT pg_get_viewdef('by_area') AS by_area \gset
CREATE TABLE areas_anew AS TABLE areas;
DROP TABLE areas CASCADE;
ALTER TABLE areas_anew RENAME TO areas;
SELECT name, catalog, relation, entry ->> 'attribute' AS attribute, entry ->> 'method' AS method FROM kanon_lost_state ORDER BY catalog, name, relation;
CREATE MATERIALIZED VIEW by_area AS :by_area
SELECT kanon_adopt_release('by_area');
TABLE ruled;
TABLE placed;
SELECT count(*) FROM kanon_lost WHERE name ~ 'area';
INSERT INTO homes VALUES ('99', 1, 'd'), ('98', 1, 'd'), ('97', 1, 'd');
SELECT kanon_refresh_dimension('areas');
-- .. all of it at once, and what somebody else owns stays theirs
CREATE TABLE homes_anew AS TABLE homes;
CREATE TABLE areas_anew AS TABLE areas;
DROP TABLE areas, homes CASCADE;
ALTER TABLE areas_anew RENAME TO areas;
ALTER TABLE homes_anew RENAME TO homes;
CREATE MATERIALIZED VIEW by_area AS :by_area
ALTER TABLE areas OWNER TO regress_other;
ALTER TABLE homes OWNER TO regress_other;
ALTER MATERIALIZED VIEW by_area OWNER TO regress_other;
ALTER TABLE others OWNER TO regress_another;
SET ROLE regress_other;
SELECT kanon_adopt_release('by_area');
RESET ROLE;
TABLE ruled;
TABLE placed;
SELECT name, catalog FROM kanon_lost WHERE name ~ 'area|homes';

-- A release in a table stays, without its query until that is made again.
CREATE TABLE crew AS TABLE folk;
SELECT kanon_declare('crew', '{age,sex}', '{disease}');
SELECT kanon_create_release('held', 'crew', 5, 'ring', options => '{"storage": "table"}');
SELECT rtrim(pg_get_viewdef('held_query'), ';') AS held \gset
CREATE TABLE crew_anew AS TABLE crew;
DROP TABLE crew CASCADE;
ALTER TABLE crew_anew RENAME TO crew;
SELECT name, catalog, relation FROM kanon_lost WHERE name ~ 'held';
SELECT count(*) FROM held;
SELECT kanon_refresh_release('held');
SELECT kanon_adopt_release('held');
CREATE MATERIALIZED VIEW held_query AS SELECT age, sex, disease FROM crew;
SELECT kanon_adopt_release('held');
DROP MATERIALIZED VIEW held_query;
CREATE MATERIALIZED VIEW held_query AS :held;
SELECT kanon_adopt_release('held');
SELECT release, relation, query FROM kanon_release WHERE release = 'held'::regclass;
SELECT count(*) FROM kanon_attribute WHERE relation = 'crew'::regclass;
SELECT rows, changed FROM kanon_refresh_release('held');
SELECT relispopulated FROM pg_class WHERE oid = 'held_query'::regclass;
SELECT kanon_adopt_release('held');
-- .. and is not filled if it is distributed, since readers would see its shards
INSERT INTO pg_dist_partition VALUES ('held', 'h');
SELECT kanon_refresh_release('held');
DELETE FROM pg_dist_partition WHERE logicalrelid = 'held'::regclass;
SELECT kanon_drop_release('held');
SELECT to_regclass('held_query'), count(*) FROM kanon_lost WHERE name ~ 'held|crew';

SET allow_system_table_mods = on;
DROP TABLE pg_catalog.pg_dist_shard, pg_catalog.pg_dist_partition;
RESET allow_system_table_mods;
DROP SCHEMA wards CASCADE;
DELETE FROM kanon_release_history_state WHERE name = 'wards.by_area';
DROP ROLE regress_other, regress_another;
