-- What a refresh says, what is kept with a release, and the history of its fillings.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
\set SHOW_CONTEXT never
CREATE SCHEMA history;
SET search_path = history, public;
CREATE ROLE regress_owner;
CREATE ROLE regress_other;
GRANT ALL ON SCHEMA history TO regress_owner;
GRANT USAGE ON SCHEMA history TO regress_other;

CREATE TABLE people AS
SELECT i AS id, 20 + i * 7 % 40 AS age, (53700 + i * 13 % 30)::text AS zip, (ARRAY['flu', 'gout', 'mumps'])[1 + i % 3] AS disease
FROM generate_series(1, 60) i;
ALTER TABLE people OWNER TO regress_owner;
CREATE TABLE ages AS SELECT i AS age, i / 10 * 10 AS decade FROM generate_series(20, 400) i;
ALTER TABLE ages OWNER TO regress_owner;
SELECT kanon_declare('people', quasi_identifiers => '{age,zip}', sensitive => '{disease}', identifiers => '{id}');
SELECT kanon_set_attribute('people', 'age', 'quasi_identifier', 'ages');
SET ROLE regress_owner;

-- Parameters: every argument that was given or meant
SELECT kanon_create_release('study', 'people', 3, 'mondrian', options => '{"means": true, "split": "infogain", "target": "disease"}', models => 'distinct(disease, 2)');
SELECT kanon_create_release('coarse', 'people', 3, 'full_domain', suppression => 0.2, quasi_identifiers => '{age}', person => 'id');
SELECT kanon_create_release('drawn', 'people', 3, 'ring', options => '{"randomize": false, "redraw": true}');
SELECT release, string_agg(key || ' ' || value, ', ' ORDER BY key COLLATE "C") AS parameters FROM kanon_release, jsonb_each(parameters)
WHERE value NOT IN ('null', 'false', '""') AND key <> 'memory_limit' GROUP BY release ORDER BY release::text;
SELECT bool_and((parameters ->> 'memory_limit')::int = pg_size_bytes(current_setting('maintenance_work_mem')) / 1024) AS memory FROM kanon_release;
-- .. which follow the relation's columns
ALTER TABLE people RENAME disease TO illness;
ALTER TABLE people RENAME zip TO "Zip code";
SELECT release, parameters -> 'quasi_identifiers' AS quasi_identifiers, parameters -> 'models' AS models, parameters -> 'target' AS target
FROM kanon_release ORDER BY release::text;
ALTER TABLE people RENAME illness TO disease;
ALTER TABLE people RENAME "Zip code" TO zip;
-- .. and hold a refresh, whatever the session says
SET kanon.memory_limit = '1kB';
SELECT release, rows, satisfied, changed, seconds < 60 AS soon FROM kanon_refresh_release('study');
REFRESH MATERIALIZED VIEW study;
RESET kanon.memory_limit;

-- What is missing, whether it is too much, and what changed
INSERT INTO people VALUES (61, 99, '53701', 'flu'), (62, 98, '53701', 'flu');
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('coarse');
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('coarse', strict => true);
INSERT INTO people SELECT 100 + i, 100 + 10 * i, '53701', 'flu' FROM generate_series(1, 20) i;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('coarse', strict => true);
SELECT release, rows, missing FROM kanon_release WHERE release = 'coarse'::regclass;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('coarse');
-- A model that fails, too few rows, none: nothing is published, or the old contents stay
CREATE TABLE kept AS TABLE people;
UPDATE people SET disease = 'flu';
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('study', strict => true);
SELECT rows FROM kanon_releases WHERE release = 'study'::regclass;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('study');
DELETE FROM people WHERE id > 2;
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('drawn', strict => true);
SELECT r.* FROM unnest('{study,coarse,drawn}'::regclass[]) n, LATERAL (SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release(n)) r;
DELETE FROM people;
SELECT r.* FROM unnest('{study,coarse,drawn}'::regclass[]) n, LATERAL (SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release(n)) r;
SELECT release, rows FROM kanon_refresh_release('study', strict => true);
SELECT release, state, rows, missing FROM kanon_releases ORDER BY release::text;
INSERT INTO people TABLE kept;
-- kanon counts what it fills on the way.  A release that PostgreSQL fills has to be read: what nobody may read is not satisfied for certain
REVOKE SELECT ON study FROM regress_owner;
SELECT rows, missing, satisfied, changed FROM kanon_refresh_release('study');
REFRESH MATERIALIZED VIEW study;
SELECT release, state FROM kanon_releases WHERE release = 'study'::regclass;
GRANT SELECT ON study TO regress_owner;
RESET ROLE;
CREATE SCHEMA apart AUTHORIZATION regress_owner;
CREATE TABLE apart.people AS SELECT age, disease FROM people;
ALTER TABLE apart.people OWNER TO regress_owner;
SELECT kanon_declare('apart.people', quasi_identifiers => '{age}', sensitive => '{disease}');
SELECT kanon_create_release('far', 'apart.people', 3);
REVOKE ALL ON SCHEMA apart FROM regress_owner;
SELECT rows > 0 AS filled, missing, satisfied, changed FROM kanon_refresh_release('far');
SELECT rows, missing, satisfied, changed FROM kanon_refresh_release('far', strict => true);
SELECT release, state FROM kanon_releases WHERE release = 'far'::regclass;
SELECT kanon_drop_release('far');
DROP SCHEMA apart CASCADE;
SET ROLE regress_owner;

-- The digest: of what is there, in any order, under any settings
CREATE TABLE moments (at timestamptz, day date, sum float8, bytes bytea, span interval, price money, range tstzrange, name text);
INSERT INTO moments SELECT now() - i * interval '1 day', date '2020-01-01' + i, i / 3.0, decode(repeat(to_hex(i % 16), 4), 'hex'), i * interval '1 hour',
    i * 1.5::money, tstzrange('2020-01-01', '2020-01-01'::timestamptz + i * interval '1 day'), CASE WHEN i % 3 > 0 THEN 'n' || i END FROM generate_series(1, 50) i;
CREATE TABLE digests AS SELECT kanon_digest('moments') AS digest;
SET DateStyle = 'German'; SET TimeZone = 'Asia/Tokyo'; SET extra_float_digits = -3; SET bytea_output = 'escape'; SET IntervalStyle = 'iso_8601';
INSERT INTO digests SELECT kanon_digest('moments');
CREATE TABLE other_order AS SELECT * FROM moments ORDER BY name DESC, at;
INSERT INTO digests SELECT kanon_digest('other_order');
RESET DateStyle; RESET TimeZone; RESET extra_float_digits; RESET bytea_output; RESET IntervalStyle;
SELECT count(DISTINCT digest), min(digest) ~ '^[0-9a-f]{64}$' AS is_digest FROM digests;
-- .. also row by row, as workers of Citus have them; a NULL is no row
SELECT kanon_view_digest(m) = kanon_digest('moments') AS of_rows FROM (SELECT m FROM moments m UNION ALL SELECT NULL) r (m);
SELECT kanon_view_digest(m) FROM moments m WHERE false;
SELECT count(DISTINCT d) FROM (SELECT kanon_view_digest(ROW(name, sum)) AS d FROM moments GROUP BY name) r;
SELECT kanon_view_digest(r) FROM (VALUES (ROW(1)), (ROW('a'::text))) v (r);
-- .. and of nothing else
CREATE FUNCTION digest(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE 'CREATE TEMP TABLE digested AS ' || query;
    RETURN kanon_digest('digested');
EXCEPTION WHEN OTHERS THEN
    RETURN SQLERRM;
END $$;
CREATE FUNCTION digests(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    found text := digest(query);
BEGIN
    DROP TABLE IF EXISTS digested;
    RETURN found;
END $$;
SELECT digests('SELECT 1 AS a WHERE false') AS nothing;
SELECT digests('SELECT 1 AS a') = digests('SELECT 1 AS b') AS names_do_not_count,
    digests('SELECT 1 AS a') = digests('VALUES (1), (1)') AS twice, digests($$VALUES ('a', 'bc')$$) = digests($$VALUES ('ab', 'c')$$) AS moved,
    digests($$VALUES ('')$$) = digests('VALUES (NULL)') AS nulls, digests('VALUES (NULL, 1)') = digests('VALUES (1, NULL)') AS places,
    digests('VALUES (1.0)') = digests('VALUES (1.00)') AS spelling, digests('VALUES (1, 2), (3, 4)') = digests('VALUES (1, 4), (3, 2)') AS pairs;
-- .. which is SHA-256 of the row, added up
SELECT digests($$VALUES ('Bonn', NULL)$$) = encode(sha256('\x00000004426f6e6effffffff'), 'hex') AS one_row;
SELECT kanon_digest('nowhere');
SELECT kanon_digest(99), kanon_digest(NULL);
SET ROLE regress_other;
SELECT kanon_digest('people');
SET ROLE regress_owner;

-- The history: who filled it how, and what it came to
REFRESH MATERIALIZED VIEW drawn WITH NO DATA;
SELECT release, state, rows, missing, classes, loss FROM kanon_releases WHERE release = 'drawn'::regclass;
REFRESH MATERIALIZED VIEW drawn;
BEGIN;
SELECT rows FROM kanon_refresh_release('drawn');
ROLLBACK;
DELETE FROM people WHERE id % 7 = 0;
BEGIN ISOLATION LEVEL REPEATABLE READ;
REFRESH MATERIALIZED VIEW drawn;
SELECT rows, changed FROM kanon_refresh_release('drawn');
COMMIT;
RESET ROLE;
SELECT rows, changed FROM kanon_refresh_release('drawn');
SET ROLE regress_owner;
SELECT name, relation, owner, how, source_rows, rows, missing, classes, smallest, satisfied, changed, filled_by = 'regress_owner' AS by_me
FROM kanon_release_history WHERE release = 'drawn'::regclass ORDER BY number;
SELECT bool_and(kanon = '0.9.0' AND postgresql LIKE current_setting('server_version') AND seconds >= 0 AND parameters ->> 'k' = '3') AS complete,
    count(DISTINCT parameters) AS parameters FROM kanon_release_history;
SELECT digest = kanon_digest('drawn') AS digest FROM kanon_release_history WHERE release = 'drawn'::regclass ORDER BY number DESC LIMIT 1;
SELECT release, state, fillings, changed > now() - interval '1 hour' AS lately, error FROM kanon_releases ORDER BY release::text;

-- Who may read it: whoever may read the release, and its owner
SET ROLE regress_other;
SELECT count(*) FROM kanon_release_history;
SELECT release, rows, fillings, changed FROM kanon_releases WHERE release::text LIKE '%drawn';
RESET ROLE;
GRANT SELECT ON drawn TO regress_other;
SET ROLE regress_other;
SELECT name, count(*) FROM kanon_release_history GROUP BY name;
SELECT release, fillings FROM kanon_releases WHERE release::text LIKE '%drawn';
DELETE FROM kanon_release_history_state RETURNING name;
-- .. and lock it nobody can, for every refresh would wait
BEGIN;
LOCK TABLE kanon_release_history_state IN EXCLUSIVE MODE;
ROLLBACK;
INSERT INTO kanon_release_history_state (name, owner, how, filled, filled_by, kanon, postgresql) VALUES ('x', 'x', 'x', now(), 'x', 'x', 'x');
-- Row security comes before any condition of a query's
CREATE FUNCTION pg_temp.peek(digest text) RETURNS boolean LANGUAGE plpgsql COST 0.00001 AS $$ BEGIN RAISE WARNING 'seen: %', digest IS NOT NULL; RETURN true; END $$;
SELECT count(*) FROM kanon_release_history WHERE release = 'study'::regclass AND pg_temp.peek(digest);
RESET ROLE;
ALTER MATERIALIZED VIEW drawn RENAME TO matched;
ALTER MATERIALIZED VIEW coarse OWNER TO regress_other;
SET ROLE regress_other;
SELECT name, release, count(*) FROM kanon_release_history GROUP BY name, release ORDER BY name;
RESET ROLE;
-- What was dropped is for who owned it then
SELECT kanon_drop_release('coarse');
DROP MATERIALIZED VIEW matched;
SELECT name, release, owner, count(*) FROM kanon_release_history WHERE name LIKE 'history.%' GROUP BY name, release, owner ORDER BY name;
SET ROLE regress_other;
SELECT count(*) FROM kanon_release_history;
SET ROLE regress_owner;
SELECT name, release, count(*) FROM kanon_release_history GROUP BY name, release ORDER BY name;
-- .. who may not change it; the owner of the extension prunes
DELETE FROM kanon_release_history_state h WHERE filled < now() - interval '1 year';
UPDATE kanon_release_history_state SET rows = 0;
TRUNCATE kanon_release_history_state;
RESET ROLE;
DELETE FROM kanon_release_history_state h WHERE filled < now() - interval '1 year';
DELETE FROM kanon_release_history_state WHERE name = 'history.drawn' AND how = 'REFRESH' RETURNING name, owner;
SET ROLE regress_other;
SELECT count(*) FROM kanon_release_history;
RESET ROLE;
SELECT name, release, owner, count(*) FROM kanon_release_history WHERE name LIKE 'history.%' GROUP BY name, release, owner ORDER BY name;
-- .. after which the next filling counts as changed
DELETE FROM kanon_release_history_state WHERE release = 'study'::regclass;
SET ROLE regress_owner;
SELECT rows, changed FROM kanon_refresh_release('study');
REFRESH MATERIALIZED VIEW study;
SELECT how, changed FROM kanon_release_history WHERE release = 'study'::regclass ORDER BY number;
-- .. and a new release of that name begins a history of its own
SELECT kanon_create_release('drawn', 'people', 3);
SELECT how, count(*) FROM kanon_release_history WHERE release = 'drawn'::regclass GROUP BY how;
-- .. also when the drop is taken back
BEGIN;
DROP MATERIALIZED VIEW drawn;
ROLLBACK;
SELECT count(*) FROM kanon_release_history WHERE release = 'drawn'::regclass;

RESET ROLE;
DROP SCHEMA history CASCADE;
DROP FUNCTION pg_temp.peek;
-- What is left goes by the name of the role: a new one of that name sees it, unless it was passed on.
CREATE FUNCTION pg_temp.seen_by(role text, OUT entries bigint) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SET LOCAL ROLE %I', role);
    SELECT count(*) INTO entries FROM kanon_release_history WHERE name LIKE 'history.%';
    RESET ROLE;
END $$;
SELECT pg_temp.seen_by('regress_owner') > 5 AS owner, pg_temp.seen_by('regress_other') AS other;
ALTER ROLE regress_owner RENAME TO regress_former;
CREATE ROLE regress_owner;
SELECT pg_temp.seen_by('regress_owner') > 5 AS new_owner, pg_temp.seen_by('regress_former') AS former;
UPDATE kanon_release_history_state SET owner = 'regress_former' WHERE owner = 'regress_owner';
SELECT pg_temp.seen_by('regress_owner') AS new_owner, pg_temp.seen_by('regress_former') > 5 AS former;
DROP FUNCTION pg_temp.seen_by;
DELETE FROM kanon_release_history_state WHERE owner IN ('regress_owner', 'regress_former', 'regress_other');
DROP ROLE regress_owner, regress_former, regress_other;
