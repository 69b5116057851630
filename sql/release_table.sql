-- Releases that are stored as tables.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
\set SHOW_CONTEXT never
CREATE SCHEMA stored;
SET search_path = stored, public;

CREATE TABLE people AS
SELECT i AS id, 20 + i * 7 % 40 AS age, (53700 + i * 13 % 30)::text AS zip, (ARRAY['flu', 'gout', 'mumps'])[1 + i % 3] AS disease
FROM generate_series(1, 60) i;
CREATE TABLE zips AS SELECT z::text AS zip, left(z::text, 4) || '*' AS zip4, left(z::text, 3) || '**' AS zip3
FROM generate_series(53700, 53729) z;
SELECT kanon_declare('people', quasi_identifiers => '{age,zip}', sensitive => '{disease}', identifiers => '{id}');
SELECT kanon_set_attribute('people', 'zip', 'quasi_identifier', 'zips');

-- By every recoding a table holds what a view holds, also when it is refreshed.
CREATE FUNCTION same() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RETURN NOT EXISTS (TABLE a_view EXCEPT ALL TABLE a_table) AND NOT EXISTS (TABLE a_table EXCEPT ALL TABLE a_view);
END $$;
CREATE FUNCTION made(recoding text) RETURNS TABLE (rows bigint, same boolean, refreshed boolean, changed boolean, loss_agrees boolean, checked boolean, dropped boolean)
LANGUAGE plpgsql AS $$
DECLARE
    options jsonb := CASE WHEN recoding IN ('ring', 'two_phase') THEN '{"seed": "one", "redraw": true}' WHEN recoding = 'cohorts' THEN '{"key": "id", "wait": 0, "leavers": "keep"}' ELSE '{}' END;
BEGIN
    PERFORM kanon_create_release('a_view', 'people', 3, recoding, options => options), kanon_create_release('a_table', 'people', 3, recoding, options => options || '{"storage": "table"}');
    PERFORM kanon_refresh_release('a_table');
    rows := (SELECT count(*) FROM a_table);
    same := same();
    UPDATE people SET age = age + 1 WHERE id % 3 = 0;
    PERFORM kanon_refresh_release('a_view');
    SELECT r.changed INTO changed FROM kanon_refresh_release('a_table', concurrently => true) r;
    refreshed := same();
    loss_agrees := (SELECT count(DISTINCT (r.loss, r.classes, r.smallest, r.missing)) = 1 FROM kanon_release r WHERE relation = 'people'::regclass);
    checked := CASE WHEN recoding IN ('ring', 'two_phase') THEN (SELECT c.satisfied FROM kanon_check_matchings('a_table') c) ELSE (SELECT c.satisfied FROM kanon_check('a_table') c) END;
    PERFORM kanon_drop_release('a_table'), kanon_drop_release('a_view');
    dropped := to_regclass('a_table') IS NULL AND to_regclass('a_table_query') IS NULL;
    RAISE EXCEPTION USING errcode = 'KA000';
EXCEPTION WHEN SQLSTATE 'KA000' THEN
    RETURN NEXT;
END $$;
SET client_min_messages = error;
SELECT recoding, made.* FROM (SELECT DISTINCT unnest(recodings) AS recoding FROM kanon_options()) r, made(recoding) ORDER BY recoding;
SET client_min_messages = warning;

-- What it is
SELECT kanon_create_release('study', 'people', 3, options => '{"storage": "table"}');
\d study
SELECT obj_description('study_query'::regclass), relkind, relispopulated FROM pg_class WHERE oid = 'study_query'::regclass;
SELECT * FROM study_query;
SELECT release, relation, query, parameters ->> 'storage' AS storage FROM kanon_release WHERE release = 'study'::regclass;
SELECT state, rows, missing FROM kanon_releases WHERE release = 'study'::regclass;
SELECT how, rows, digest = kanon_digest('study') AS digest FROM kanon_release_history WHERE release = 'study'::regclass ORDER BY number;
SELECT release, rows, satisfied FROM kanon_refresh_release('study', strict => true, search => true);
CALL kanon_refresh_releases('stored.st%');
SELECT satisfied, rows FROM kanon_check('study');
SELECT rows FROM kanon_quality('study');
SELECT kanon_report('study') ~ '<html';
SELECT kanon_copy_release('study', 'kept', 'id');
SELECT satisfied, needed, people FROM kanon_check_releases('people', '{study,kept}');

-- Nobody else writes.
CREATE FUNCTION refused(command text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE command;
    RETURN 'done';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
INSERT INTO study TABLE study LIMIT 1;
SELECT command, refused(command) FROM unnest(ARRAY['INSERT INTO study TABLE study LIMIT 1', 'UPDATE study SET disease = disease', 'DELETE FROM study', 'TRUNCATE study',
    'MERGE INTO study s USING people p ON false WHEN NOT MATCHED THEN INSERT (disease) VALUES (p.disease)', 'REFRESH MATERIALIZED VIEW study', 'REFRESH MATERIALIZED VIEW study_query', 'REFRESH MATERIALIZED VIEW study_query WITH NO DATA', 'SELECT kanon_release_guard()']) command;
REFRESH MATERIALIZED VIEW study_query;
COPY study (disease) FROM stdin;
flu
\.
SET session_replication_role = replica;
SELECT refused('INSERT INTO study TABLE study LIMIT 1'), refused('TRUNCATE study');
RESET session_replication_role;
-- .. not through a partitioned table, a parent or a foreign key either, and then it is not filled
CREATE TABLE whole (LIKE study) PARTITION BY LIST (disease);
ALTER TABLE whole ATTACH PARTITION study DEFAULT;
SELECT refused('INSERT INTO whole TABLE study LIMIT 1'), refused('TRUNCATE whole'), refused('DELETE FROM whole');
SELECT kanon_refresh_release('study');
ALTER TABLE whole DETACH PARTITION study;
DROP TABLE whole;
CREATE TABLE parent (LIKE study);
ALTER TABLE study INHERIT parent;
SELECT refused('UPDATE parent SET disease = disease'), refused('TRUNCATE parent');
SELECT refused($$SELECT kanon_refresh_release('study')$$);
ALTER TABLE study NO INHERIT parent;
DROP TABLE parent;
CREATE TABLE diseases AS SELECT DISTINCT disease FROM people;
ALTER TABLE diseases ADD UNIQUE (disease);
ALTER TABLE study ADD FOREIGN KEY (disease) REFERENCES diseases (disease) ON DELETE CASCADE;
SELECT refused('DELETE FROM diseases'), refused($$SELECT kanon_refresh_release('study')$$);
ALTER TABLE study DROP CONSTRAINT study_disease_fkey;
-- .. nor with anything else that a filling would not heed
CREATE TABLE child () INHERITS (study);
SELECT refused($$SELECT kanon_refresh_release('study')$$);
DROP TABLE child;
CREATE RULE nothing AS ON INSERT TO study DO INSTEAD NOTHING;
ALTER TABLE study ALTER disease SET NOT NULL, ADD CONSTRAINT few CHECK (disease <> 'x'), ADD CONSTRAINT one EXCLUDE (disease WITH =) WHERE (false);
SELECT refused($$SELECT kanon_refresh_release('study')$$);
SELECT refused($$SELECT kanon_replace_release('study', 4)$$);
DROP RULE nothing ON study;
ALTER TABLE study ALTER disease DROP NOT NULL, DROP CONSTRAINT few, DROP CONSTRAINT one;
SELECT rows FROM kanon_refresh_release('study');
BEGIN;
ALTER TABLE study ADD note text, ALTER disease TYPE varchar;
SELECT kanon_refresh_release('study');
ROLLBACK;
BEGIN;
ALTER TABLE study DROP disease;
SELECT kanon_refresh_release('study');
ROLLBACK;
-- .. but with unique indexes
BEGIN;
DELETE FROM people WHERE id > 3;
SELECT rows FROM kanon_refresh_release('study');
ALTER TABLE study ADD UNIQUE (age, disease) DEFERRABLE INITIALLY DEFERRED;
SELECT rows FROM kanon_refresh_release('study');
UPDATE people SET disease = 'flu';
SELECT refused($$SELECT kanon_refresh_release('study')$$);
ROLLBACK;
BEGIN;
DECLARE reading CURSOR FOR TABLE study;
FETCH FROM reading \gset
SELECT kanon_refresh_release('study');
ROLLBACK;

-- Triggers that were dropped or disabled come back; others do not fire.
CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING 'noted'; RETURN NULL; END $$;
CREATE TRIGGER other AFTER INSERT OR TRUNCATE ON study EXECUTE FUNCTION noted();
DROP TRIGGER kanon_guard_truncate ON study;
ALTER TABLE study DISABLE TRIGGER kanon_guard_rows;
SELECT rows FROM kanon_refresh_release('study');
SELECT tgname, tgenabled FROM pg_trigger WHERE tgrelid = 'study'::regclass ORDER BY tgname;
SELECT refused('TRUNCATE study'), refused('INSERT INTO study TABLE study LIMIT 1');
DROP TRIGGER other ON study;
-- .. and a query view that was filled nevertheless is emptied
ALTER EVENT TRIGGER kanon_release_refreshing DISABLE;
REFRESH MATERIALIZED VIEW study_query;
ALTER EVENT TRIGGER kanon_release_refreshing ENABLE ALWAYS;
SELECT relispopulated FROM pg_class WHERE oid = 'study_query'::regclass;
SELECT rows FROM kanon_refresh_release('study');
SELECT relispopulated FROM pg_class WHERE oid = 'study_query'::regclass;

-- What hangs on it stays.
CREATE ROLE stored_reader;
CREATE ROLE stored_owner;
GRANT SELECT ON study TO stored_reader;
COMMENT ON TABLE study IS 'ours';
CREATE INDEX by_disease ON study (disease);
CREATE VIEW summary AS SELECT disease, count(*) FROM study GROUP BY disease;
ALTER TABLE study ENABLE ROW LEVEL SECURITY;
CREATE POLICY flu ON study FOR SELECT USING (disease = 'flu');
CREATE TABLE before AS SELECT 'study'::regclass::oid AS study, 'by_disease'::regclass::oid AS index;
INSERT INTO people SELECT 60 + i, 30, '53701', 'flu' FROM generate_series(1, 5) i;
SELECT rows, changed FROM kanon_refresh_release('study', concurrently => true);
SELECT study = 'study'::regclass AS same, index = 'by_disease'::regclass AS same_index, obj_description('study'::regclass) FROM before;
SELECT * FROM summary ORDER BY disease;
SET enable_seqscan = off;
SELECT count(*) FROM study WHERE disease = 'flu';
RESET enable_seqscan;
GRANT USAGE ON SCHEMA stored TO stored_reader;
SET ROLE stored_reader;
SELECT DISTINCT disease FROM stored.study;
RESET ROLE;

-- Values that lie beside the rows, of a view too, and indexes that read them when they are built
CREATE TABLE essays AS SELECT i, i % 5 AS age, (SELECT string_agg(md5(i::text || j), '') FROM generate_series(1, 200) j) AS essay FROM generate_series(1, 20) i;
SELECT kanon_declare('essays', quasi_identifiers => '{age}', insensitive => '{essay}', identifiers => '{i}');
SELECT kanon_create_release('long', 'essays', 4, options => '{"storage": "table"}'), kanon_create_release('long_view', 'essays', 4);
CREATE INDEX long_essay ON long (md5(essay));
CREATE INDEX long_view_essay ON long_view (md5(essay));
UPDATE essays SET essay = essay || '.';
SELECT rows, changed FROM kanon_refresh_release('long') UNION ALL SELECT rows, changed FROM kanon_refresh_release('long_view', concurrently => true);
SELECT rows, changed FROM kanon_refresh_release('long') UNION ALL SELECT rows, changed FROM kanon_refresh_release('long_view');
SELECT count(*) FROM (SELECT essay FROM long UNION ALL SELECT essay FROM long_view) l JOIN essays USING (essay);
SET enable_seqscan = off;
SELECT count(*) FROM long JOIN long_view USING (essay) WHERE md5(long.essay) = (SELECT md5(essay) FROM essays WHERE i = 7) AND md5(long_view.essay) = (SELECT md5(essay) FROM essays WHERE i = 7);
RESET enable_seqscan;
SELECT t.relname = 'pg_toast_' || c.oid AS toast, i.indexrelid::regclass::text = 'pg_toast.' || t.relname || '_index' AS index, t.relrewrite, pg_relation_size(t.oid) > 0 AS filled
FROM pg_class c JOIN pg_class t ON t.oid = c.reltoastrelid JOIN pg_index i ON i.indrelid = t.oid WHERE c.relname IN ('long', 'long_view') AND c.relnamespace = 'stored'::regnamespace;
SELECT kanon_drop_release('long'), kanon_drop_release('long_view');

-- By cohorts only what differs is written, and what stays lies where it lay.
CREATE TABLE crowd AS SELECT i AS id, i % 40 AS age, (i % 3)::numeric AS kind FROM generate_series(1, 240) i;
SELECT kanon_declare('crowd', quasi_identifiers => '{age}', sensitive => '{kind}', identifiers => '{id}');
SELECT kanon_create_release('nights', 'crowd', 4, 'cohorts', options => '{"storage": "table", "key": "id", "wait": 0, "leavers": "keep"}');
CREATE TEMP TABLE lay AS SELECT ctid AS place, xmin::text AS writer, n.* FROM nights n;
SELECT rows, changed FROM kanon_refresh_release('nights');
SELECT count(*) FROM nights n JOIN lay ON (lay.place, lay.writer, lay.age, lay.kind) = (n.ctid, n.xmin::text, n.age, n.kind);
DELETE FROM crowd WHERE age < 10;
INSERT INTO crowd SELECT 1000 + i, 50, NULL FROM generate_series(1, 5) i;
BEGIN;
SELECT count(*) > 0 AS read FROM nights;
SELECT rows, changed FROM kanon_refresh_release('nights');
SELECT DISTINCT mode FROM pg_locks WHERE relation = 'nights'::regclass AND pid = pg_backend_pid() AND mode ~ 'Exclusive' ORDER BY mode;
COMMIT;
SELECT count(*) AS rows, count(lay) AS stay, count(*) FILTER (WHERE n.kind IS NULL) AS came FROM nights n LEFT JOIN lay ON (lay.place, lay.writer) = (n.ctid, n.xmin::text);
SELECT rows = (SELECT count(*) FROM nights) AS counted, digest = kanon_digest('nights') AS digest FROM kanon_release_history WHERE release = 'nights'::regclass ORDER BY number DESC LIMIT 1;
BEGIN;
DELETE FROM crowd;
SELECT rows FROM kanon_refresh_release('nights');
ALTER TABLE nights ADD CONSTRAINT one UNIQUE (age, kind) DEFERRABLE;
SELECT kanon_refresh_release('nights');
ROLLBACK;
CREATE ACCESS METHOD pile TYPE TABLE HANDLER heap_tableam_handler;
ALTER TABLE nights SET ACCESS METHOD pile;
SELECT kanon_refresh_release('nights');
SELECT kanon_drop_release('nights');
SET default_table_access_method = pile;
SELECT kanon_create_release('nights', 'crowd', 4, 'cohorts', options => '{"storage": "table", "key": "id", "wait": 0, "leavers": "keep", "anew": true}');
RESET default_table_access_method;
SELECT amname FROM pg_class c JOIN pg_am a ON a.oid = relam WHERE c.oid = 'nights'::regclass;
SELECT rows > 0 AS filled FROM kanon_refresh_release('nights');
SELECT kanon_drop_release('nights');
DROP ACCESS METHOD pile;

-- Replaced, renamed, moved
ANALYZE study;
SELECT kanon_replace_release('study', 5);
SELECT count(*) FROM pg_stats WHERE schemaname = 'stored' AND tablename = 'study';
SELECT k, rows, smallest >= 5 AS held, parameters ->> 'storage' AS storage FROM kanon_release WHERE release = 'study'::regclass;
SELECT satisfied FROM kanon_check('study', 5);
SELECT kanon_replace_release('study', options => '{"storage": "view"}');
SELECT kanon_replace_release('study', options => '{"storage": null}');
SELECT kanon_create_release('seen', 'people', 3);
SELECT kanon_replace_release('seen', options => '{"storage": "table"}');
SELECT kanon_create_release('other', 'people', 3, options => '{"storage": "file"}');
SELECT kanon_create_release('other', 'people', 3, options => '{"storage": "distributed"}');
SELECT kanon_create_release('study', 'people', 3, options => '{"storage": "table"}');
SELECT DISTINCT recoding FROM kanon_compare('people', ARRAY[3], ARRAY['local'], options => '{"storage": "table"}');
ALTER TABLE study RENAME TO survey;
ALTER TABLE survey RENAME disease TO illness;
ALTER TABLE people RENAME zip TO postcode;
ALTER MATERIALIZED VIEW study_query RENAME TO query;
CREATE SCHEMA elsewhere;
ALTER TABLE survey SET SCHEMA elsewhere;
SELECT rows FROM kanon_refresh_release('elsewhere.survey');
SELECT release, query, columns FROM kanon_release WHERE release = 'elsewhere.survey'::regclass;
-- A name that is taken
SELECT kanon_create_release('study', 'people', 3, options => '{"storage": "table"}');
CREATE TABLE study2_query ();
SELECT kanon_create_release('study2', 'people', 3, options => '{"storage": "table"}');
SELECT release, query FROM kanon_release WHERE relation = 'people'::regclass ORDER BY release::text;
DROP TABLE study2;
SELECT to_regclass('study2_query1'), count(*) FROM kanon_release WHERE release::text ~ 'study2';

-- Another owner
ALTER TABLE study OWNER TO stored_owner;
SELECT kanon_refresh_release('study');
GRANT USAGE, CREATE ON SCHEMA stored TO stored_owner;
ALTER MATERIALIZED VIEW study_query OWNER TO stored_owner;
SELECT refused($$SELECT kanon_refresh_release('study')$$);
GRANT SELECT ON people, zips TO stored_owner;
SELECT refused($$SELECT kanon_refresh_release('study')$$);
SET ROLE stored_owner;
SELECT count(*) FROM kanon_release WHERE relation = 'people'::regclass AND parameters IS NOT NULL;
RESET ROLE;
SET ROLE stored_reader;
SELECT kanon_refresh_release('stored.study');
SELECT kanon_drop_release('stored.study');
SELECT query FROM kanon_release WHERE release = 'stored.study'::regclass;
RESET ROLE;

-- The query is gone, with or without what it was made from.
DROP MATERIALIZED VIEW study_query;
SELECT kanon_refresh_release('study');
SELECT kanon_copy_release('study', 'kept2', 'id');
SELECT kanon_replace_release('study', 4);
SELECT query FROM kanon_release WHERE release = 'study'::regclass;
SELECT kanon_drop_release('study');
ALTER TABLE people RENAME postcode TO zip;
SELECT kanon_create_release('study', 'people', 3, 'cohorts', options => '{"storage": "table", "key": "id", "wait": 0, "leavers": "keep"}');
DROP TABLE people CASCADE;
SELECT release, relation, query FROM kanon_release WHERE release = 'study'::regclass;
SELECT state, rows > 0 AS filled FROM kanon_releases WHERE release = 'study'::regclass;
SELECT kanon_refresh_release('study');
SELECT refused($$SELECT kanon_replace_release('study', 4)$$), refused($$SELECT kanon_quality('study')$$), refused($$SELECT kanon_report('study')$$);
SELECT satisfied FROM kanon_check('study', 3);
SELECT kanon_drop_release('study');

SET search_path = nowhere, public;
SET client_min_messages = error;
DROP SCHEMA stored, elsewhere CASCADE;
DROP ROLE stored_reader, stored_owner;
