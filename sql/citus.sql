-- What Citus does to rows, tables and catalogs, as far as it can be seen without it.
CREATE EXTENSION IF NOT EXISTS kanon;
CREATE SCHEMA wards;
SET search_path = wards, public;

-- Catalogs of Citus: as a worker and a coordinator have them.
SET allow_system_table_mods = on;
CREATE TABLE pg_catalog.pg_dist_shard (logicalrelid regclass, shardid bigint);
CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid regclass, partmethod "char");
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
-- With the same answers.
SELECT kanon_check('far', 2, '{age}', 'distinct(disease, 2)', 'ward') = kanon_check('ward_2024', 2, '{age}', 'distinct(disease, 2)', 'ward') AS same,
    (SELECT array_agg(c) FROM kanon_classes('far', 2, '{age}', 'distinct(disease, 2)') c)::text
    = (SELECT array_agg(c) FROM kanon_classes('ward_2024', 2, '{age}', 'distinct(disease, 2)') c)::text AS classes,
    (SELECT array_agg(u) FROM kanon_sample_uniques('far', '{age,ward}', 2) u)::text
    = (SELECT array_agg(u) FROM kanon_sample_uniques('ward_2024', '{age,ward}', 2) u)::text AS uniques,
    (SELECT array_agg(i) FROM kanon_incognito('far', 2, '{age,ward}', algorithm => 'basic') i)::text
    = (SELECT array_agg(i) FROM kanon_incognito('ward_2024', 2, '{age,ward}', algorithm => 'basic') i)::text AS generalizations;

SET allow_system_table_mods = on;
DROP TABLE pg_catalog.pg_dist_shard, pg_catalog.pg_dist_partition;
RESET allow_system_table_mods;
DROP SCHEMA wards CASCADE;
