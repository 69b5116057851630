-- Releases made anew under their names: k, recoding, levels; what stays, and what is refused.
CREATE SCHEMA release_replace;
SET search_path = release_replace, public;
CREATE ROLE regress_replace_owner;
CREATE ROLE regress_researcher;
CREATE ROLE regress_replace_grantee;
GRANT ALL ON SCHEMA release_replace TO regress_replace_owner;
GRANT ALL ON SCHEMA release_replace TO regress_researcher, regress_replace_grantee;
SET ROLE regress_replace_owner;
CREATE TABLE patients AS
SELECT i AS id, (20 + i % 30)::text AS age, chr(65 + i % 3) AS ward, 53700 + i % 12 AS zip, 'd' || i % 5 AS disease, i % 7 AS visits
FROM generate_series(1, 240) i;
SELECT kanon_create_dimension('ages', 'patients', 'age', 'digits'),
    kanon_create_dimension('zips', 'patients', 'zip', 'digits'),
    kanon_set_attribute('patients', 'id', 'identifier'), kanon_set_attribute('patients', 'ward', 'quasi_identifier'),
    kanon_set_attribute('patients', 'disease', 'sensitive'), kanon_set_attribute('patients', 'visits', 'insensitive');

-- What a release is: to compare what stays of it.
CREATE FUNCTION of(name text) RETURNS TABLE (what text, value text) LANGUAGE sql AS $$
    SELECT 'owner', relowner::regrole::text FROM pg_class WHERE oid = name::regclass
    UNION ALL SELECT 'grants', replace(relacl::text, 'xtm/', 'xt/') /* MAINTAIN, from 17 on */ FROM pg_class WHERE oid = name::regclass
    UNION ALL SELECT 'options', concat_ws(' ', reloptions::text, (SELECT t.reloptions FROM pg_class t WHERE t.oid = c.reltoastrelid)::text) FROM pg_class c WHERE oid = name::regclass
    UNION ALL SELECT 'comment', obj_description(name::regclass, 'pg_class')
    UNION ALL SELECT 'column ' || attname, concat_ws(' ', format_type(atttypid, atttypmod), attacl::text, col_description(attrelid, attnum), 'statistics ' || nullif(attstattarget, -1), (SELECT string_agg(o, ' ') FROM unnest(attoptions) o WHERE o ~ 'n_distinct'), attstorage)
        FROM (SELECT * FROM pg_attribute WHERE attrelid = name::regclass AND attnum > 0 ORDER BY attnum) a
    UNION ALL SELECT 'index', concat_ws(' ', pg_get_indexdef(indexrelid), obj_description(indexrelid, 'pg_class'), CASE WHEN indisclustered THEN 'clustered' END)
        FROM (SELECT * FROM pg_index WHERE indrelid = name::regclass ORDER BY indexrelid::regclass::text) i
    UNION ALL SELECT 'statistics', concat_ws(' ', pg_get_statisticsobjdef(oid), obj_description(oid, 'pg_statistic_ext')) FROM pg_statistic_ext WHERE stxrelid = name::regclass
$$;
CREATE FUNCTION smallest(name text, columns text) RETURNS TABLE (rows bigint, smallest bigint) LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format('SELECT sum(n)::bigint, min(n) FROM (SELECT count(*) AS n FROM %s GROUP BY %s) c', name, columns);
END $$;

SELECT kanon_create_release('study', 'patients', 5, 'full_domain', suppression => 0.05);
ALTER MATERIALIZED VIEW study RENAME COLUMN ward TO unit;
ALTER MATERIALIZED VIEW study SET (fillfactor = 90, toast.autovacuum_enabled = false);
ALTER MATERIALIZED VIEW study ALTER COLUMN age SET STATISTICS 50, ALTER COLUMN unit SET (n_distinct = 3), ALTER COLUMN disease SET STORAGE EXTERNAL;
CREATE INDEX by_unit ON study (unit, length(disease)) WHERE disease <> 'd9';
CREATE INDEX by_age ON study USING hash (age);
CREATE INDEX by_disease ON study (disease DESC) INCLUDE (unit);
ALTER MATERIALIZED VIEW study CLUSTER ON by_disease;
ALTER INDEX by_unit ALTER COLUMN 2 SET STATISTICS 30;
CREATE STATISTICS units ON unit, disease FROM study;
CREATE STATISTICS zips_and_ages ON age, zip FROM study;
COMMENT ON MATERIALIZED VIEW study IS 'the ''study''';
COMMENT ON COLUMN study.unit IS 'where';
COMMENT ON COLUMN study.zip IS 'zip code';
COMMENT ON INDEX by_unit IS 'units';
COMMENT ON STATISTICS units IS 'both';
GRANT SELECT ON study TO regress_replace_grantee WITH GRANT OPTION;
GRANT SELECT (unit, disease) ON study TO regress_researcher;
SET ROLE regress_replace_grantee;
GRANT SELECT ON study TO regress_researcher;
SET ROLE regress_replace_owner;
SET ROLE regress_researcher;
CREATE VIEW release_replace.units AS SELECT unit, count(*) FROM study GROUP BY unit;
GRANT SELECT ON units TO PUBLIC;
SET ROLE regress_replace_owner;
SELECT * FROM of('study');
SELECT release, k, levels, columns, quasi_identifiers, suppression, created_by FROM kanon_release;
CREATE TABLE past AS SELECT 'study'::regclass::oid, created FROM kanon_release;
CREATE TABLE before AS SELECT * FROM of('study');

-- Another k: the same object, whatever depends on it.  What PostgreSQL knows of its values is gone.
ANALYZE study;
SELECT count(*) FROM pg_stats WHERE schemaname = 'release_replace' AND tablename ~ 'study|by_';
SELECT kanon_replace_release('study', k => 12, options => '{"levels": ["top", "ward", 2]}');
SELECT * FROM smallest('study', 'age, unit, zip');
SELECT release, k, levels, suppression, rows, classes, smallest, 'study'::regclass = past.oid AS same, r.created = past.created AS created
FROM kanon_release r, past;
SELECT * FROM of('study') EXCEPT ALL TABLE before;
SELECT count(*) FROM pg_stats WHERE schemaname = 'release_replace' AND tablename ~ 'study|by_';
SELECT count(*) FROM pg_stats_ext WHERE statistics_schemaname = 'release_replace' AND (dependencies IS NOT NULL OR most_common_vals IS NOT NULL);
SELECT sum(count) FROM units;
SELECT count(*) FROM kanon_check('study') c WHERE c.satisfied;
-- It stays so at a refresh, plain or not.
REFRESH MATERIALIZED VIEW study;
SELECT * FROM smallest('study', 'age, unit, zip');
SELECT rows, satisfied, changed FROM kanon_refresh_release('study', concurrently => true);
SELECT * FROM smallest('study', 'age, unit, zip');
-- Levels, suppression, models.
SELECT kanon_replace_release('study', k => 5, options => '{"levels": ["top", "ward", "top"]}', suppression => 0);
SELECT kanon_replace_release('study', models => 'distinct(disease, 3)', options => '{"levels": ["top", "ward", "top"]}');
SELECT k, levels, models, suppression FROM kanon_release;
SELECT satisfied FROM kanon_check('study', 5, models => 'distinct(disease, 3)');
SELECT kanon_replace_release('study', models => '');
SELECT k, models FROM kanon_release;
SELECT count(*) FROM (SELECT * FROM of('study') EXCEPT ALL TABLE before) x;
-- Taken back.
BEGIN;
SELECT kanon_replace_release('study', k => 50);
SELECT k FROM kanon_release;
ROLLBACK;
SELECT k, levels FROM kanon_release;
SELECT pg_get_viewdef('study') ~ '>=.* 50' AS fifty;

-- Another recoding of the same types: still the same object.
SELECT kanon_replace_release('study', recoding => 'mondrian', quasi_identifiers => '{age,ward,zip}');
SELECT recoding, levels, 'study'::regclass = past.oid AS same FROM kanon_release, past;
SELECT sum(count) FROM units;
-- Other columns, types or places: an error that shows both, and nothing has changed.
SELECT kanon_replace_release('study', quasi_identifiers => '{age,ward,visits}');
SELECT kanon_replace_release('study', quasi_identifiers => '{age,ward}');
SELECT kanon_replace_release('study', recoding => 'full_domain', options => '{"levels": [0, 0, 0]}', suppression => 0.9);
ALTER TABLE patients RENAME COLUMN visits TO visited;
ALTER TABLE patients ADD COLUMN visits int;
SELECT kanon_set_attribute('patients', 'visited', 'identifier'), kanon_set_attribute('patients', 'visits', 'insensitive');
SELECT kanon_replace_release('study');
SELECT kanon_set_attribute('patients', 'visits', 'identifier'), kanon_set_attribute('patients', 'visited', 'insensitive');
SELECT count(*) FROM (SELECT * FROM of('study') EXCEPT ALL TABLE before) x;
SELECT recoding, quasi_identifiers, 'study'::regclass = past.oid AS same FROM kanon_release, past;
-- A column that was renamed, here or there, is the same.
SELECT kanon_replace_release('study', k => 6);
ALTER TABLE patients DROP COLUMN visits;
ALTER TABLE patients RENAME COLUMN visited TO visits;
SELECT columns FROM kanon_release;
RESET ROLE;
DROP VIEW units;
SET ROLE regress_replace_owner;
-- Other columns: another release.
BEGIN;
SELECT kanon_drop_release('study');
SELECT kanon_create_release('study', 'patients', 12, quasi_identifiers => '{age,ward,visits}');
GRANT SELECT ON study TO regress_researcher;
COMMIT;
SELECT release, name, how, parameters ->> 'k' AS k, parameters ->> 'recoding' AS recoding, changed FROM kanon_release_history ORDER BY number;
SELECT kanon_drop_release('study');

-- Draws keep their seed, and are not dealt anew unless they may be.
DELETE FROM patients WHERE id % 7 = 0 OR id % 11 = 0;
SELECT kanon_create_release('cells', 'patients', 3, 'two_phase', options => '{"seed": "a test"}');
\set VERBOSITY terse
SELECT kanon_replace_release('cells', recoding => 'ring', k => 8);
\set VERBOSITY default
SELECT kanon_replace_release('cells');
SELECT kanon_replace_release('cells', recoding => 'ring', k => 8, options => '{"redraw": true}');
RESET ROLE;
SELECT seed, s.release, pg_get_viewdef('cells') ~ ('kanon_view_seed\(.*' || number) AS called FROM kanon_seed s;
SET ROLE regress_replace_owner;
SELECT satisfied FROM kanon_check_matchings('cells');
REFRESH MATERIALIZED VIEW cells;
SELECT kanon_replace_release('cells', options => '{"seed": "another"}');
RESET ROLE;
SELECT seed FROM kanon_seed;
SET ROLE regress_replace_owner;
SELECT kanon_replace_release('cells', options => '{"redraw": false}');
\set VERBOSITY terse
SELECT kanon_replace_release('cells', options => '{"randomize": false}');
\set VERBOSITY default
SELECT kanon_replace_release('cells', options => '{"randomize": false, "redraw": true}');
RESET ROLE;
SELECT redraw, dealt FROM kanon_seed;
SET ROLE regress_replace_owner;
SELECT kanon_replace_release('cells', recoding => 'mondrian', k => 4, options => '{"means": true}');
SELECT kanon_replace_release('cells', options => '{"split": "infogain", "target": "disease"}');
-- .. a split without a target leaves it behind
SELECT kanon_replace_release('cells', options => '{"split": "median"}');
SELECT parameters -> 'target' AS target FROM kanon_release WHERE release = 'cells'::regclass;
SELECT kanon_replace_release('cells', options => '{"split": "infogain", "target": "disease"}');
SELECT kanon_replace_release('cells', options => '{"target": null, "split": null}', person => 'id');
SELECT recoding, person, people FROM kanon_release;
\set VERBOSITY terse
SELECT kanon_replace_release('cells', recoding => 'ring');
\set VERBOSITY default
SELECT kanon_replace_release('cells', models => 'distinct(disease, 2)', options => '{"models_after": true}', suppression => 0.5);
SELECT parameters ->> 'models_after' AS models_after, suppression FROM kanon_release;
SELECT kanon_replace_release('cells', models => '');
SELECT kanon_replace_release('cells', models => '', options => '{"models_after": false}');
SELECT kanon_replace_release('cells', recoding => 'two_phase', person => '');
RESET ROLE;
SELECT count(*), max(length(seed)) FROM kanon_seed;
SET ROLE regress_replace_owner;

-- Refused, and nothing has changed.
SELECT kanon_replace_release(NULL);
SELECT kanon_replace_release('patients');
SELECT kanon_replace_release(99);
SELECT kanon_replace_release('cells', k => 0);
\set VERBOSITY terse
SELECT kanon_replace_release('cells', recoding => 'best');
\set VERBOSITY default
SELECT kanon_replace_release('cells', recoding => 'cohorts');
\set VERBOSITY terse
SELECT kanon_replace_release('cells', options => '{"levels": [0, 0, 0]}');
SELECT kanon_replace_release('cells', models => 'distinct(disease, 2)');
\set VERBOSITY default
SELECT kanon_replace_release('cells', suppression => -1);
SELECT kanon_replace_release('cells', quasi_identifiers => '{nowhere}');
SELECT kanon_replace_release('cells', recoding => 'full_domain', k => 500);
SELECT kanon_replace_release('cells', recoding => 'full_domain', options => '{"levels": [0, 0, 0]}');
SELECT kanon_replace_release('cells', recoding => 'full_domain', options => '{"levels": [0, 0, 1]}', suppression => 0.9);
SELECT recoding, k FROM kanon_release;
BEGIN READ ONLY;
SELECT kanon_replace_release('cells', k => 5);
ROLLBACK;
BEGIN;
DECLARE c CURSOR FOR SELECT * FROM cells;
FETCH 1 FROM c \g /dev/null
SELECT kanon_replace_release('cells', options => '{"levels": [0, 0, 1]}');
ROLLBACK;
SET ROLE regress_replace_grantee;
SELECT kanon_replace_release('cells', k => 5);
RESET ROLE;

-- Who is more than the owner reads no more than the owner.
ALTER TABLE patients OWNER TO CURRENT_USER;
REVOKE ALL ON patients FROM regress_replace_owner;
SELECT kanon_replace_release('cells', k => 5);
GRANT SELECT (age, ward, zip) ON patients TO regress_replace_owner;
SELECT kanon_replace_release('cells', k => 5, options => '{"levels": [1, 0, 1]}');
GRANT SELECT (disease, visits) ON patients TO regress_replace_owner;
SELECT kanon_replace_release('cells', k => 5, options => '{"levels": [1, 0, 1]}');
SELECT k, refreshed_by = CURRENT_USER AS by_me, created_by FROM kanon_release;
SELECT relowner::regrole FROM pg_class WHERE oid = 'cells'::regclass;
-- It makes nothing in the schema.
REVOKE CREATE ON SCHEMA release_replace FROM regress_replace_owner;
SELECT kanon_replace_release('cells', recoding => 'mondrian');
DROP SCHEMA release_replace CASCADE;
DROP ROLE regress_replace_owner, regress_researcher, regress_replace_grantee;
