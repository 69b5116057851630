-- Several releases of one relation, or copies of them, put side by side.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
RESET client_min_messages;
\set SHOW_CONTEXT never
CREATE SCHEMA check_releases;
SET search_path = check_releases, public;

-- Nine guests: by age three classes, by town three, and each of the nine is alone in both
CREATE TABLE guests (id int PRIMARY KEY, age int, town text, disease text);
INSERT INTO guests SELECT 3 * a + t, 20 + 10 * a, (ARRAY['Aachen', 'Bonn', 'Celle'])[t], 'disease ' || 3 * a + t FROM generate_series(0, 2) a, generate_series(1, 3) t;
SELECT kanon_declare('guests', identifiers => '{id}', quasi_identifiers => '{age,town}', sensitive => '{disease}');
SELECT kanon_create_release('by_age', 'guests', 3, 'full_domain', options => '{"levels": [0, 1]}');
SELECT kanon_create_release('by_town', 'guests', 3, 'full_domain', options => '{"levels": [1, 0]}');
SELECT satisfied, needed, people, below, alone, smallest, sizes, weakest FROM kanon_check_releases('guests', '{by_age,by_town}', key => 'id');
SELECT satisfied, people, below, smallest, sizes FROM kanon_check_releases('guests', '{by_age}');
SELECT satisfied, needed, sizes FROM kanon_check_releases('guests', '{by_age,by_age}', 4);
-- .. without a key: where their rows lie
SELECT weakest FROM kanon_check_releases('guests', '{by_age,by_town}');
-- .. what a reader does
SELECT a.disease, a.age, t.town FROM by_age a JOIN by_town t USING (disease) WHERE disease = 'disease 5';

-- A copy is kept of who was where; a night later
SELECT kanon_copy_release('by_age', 'monday', 'id');
SELECT count(*), count(DISTINCT person), min(length(person)), count(DISTINCT candidates) FROM monday;
SELECT copy, release, relation, recoding, k, key, length(secret), copied_by = current_user AS by_me FROM kanon_copy_state;
DELETE FROM guests WHERE id = 1;
INSERT INTO guests VALUES (10, 20, 'Bonn', 'disease 10');
SELECT kanon_copy_release('by_age', 'tuesday', 'id');
REFRESH MATERIALIZED VIEW by_age;
SELECT kanon_copy_release('by_age', 'tuesday', 'id');
SELECT satisfied, needed, people, below, alone, smallest, sizes, cardinality(weakest) FROM kanon_check_releases('guests', '{monday,tuesday}');
-- .. beside what a release holds now, by the key of the copies
SELECT satisfied, people, below, alone FROM kanon_check_releases('guests', '{monday,by_age}');
SELECT satisfied, people, below, alone FROM kanon_check_releases('guests', '{monday,tuesday,by_town}', key => 'id');
SELECT count(*) AS same FROM monday JOIN tuesday USING (person);

-- All recodings, models, people that count, rows that are left out: against plain SQL
CREATE TABLE stays AS SELECT i AS id, nullif(i, 7) AS note, i % 40 AS person, 20 + i * 7 % 31 AS age, CASE WHEN i % 13 > 0 THEN 'ward ' || i * 11 % 6 END AS ward, 'disease ' || i % 5 AS disease
FROM generate_series(1, 120) i;
CREATE TABLE ages AS SELECT age, age / 10 * 10 || 's' AS decade, 'any' AS anything FROM generate_series(20, 50) age;
SELECT kanon_declare('stays', identifiers => '{id,person}', quasi_identifiers => '{age,ward}', sensitive => '{disease}');
SELECT kanon_set_attribute('stays', 'age', 'quasi_identifier', 'ages');
SET client_min_messages = warning;
SELECT kanon_create_release('domain', 'stays', 4, 'full_domain', options => '{"levels": [1, 0]}', suppression => 0.9),
    kanon_create_release('diverse', 'stays', 4, 'full_domain', options => '{"levels": [1, 0]}', suppression => 0.9, models => 'distinct(disease, 3)'),
    kanon_create_release('peopled', 'stays', 4, 'full_domain', options => '{"levels": [2, 0]}', suppression => 0.9, person => 'person'),
    kanon_create_release('strict', 'stays', 4), kanon_create_release('modelled', 'stays', 5, models => 'entropy(disease, 2)', person => 'person'),
    kanon_create_release('meant', 'stays', 4, 'mondrian', options => '{"means": true, "split": "infogain", "target": "disease"}', quasi_identifiers => '{ward,age}'),
    kanon_create_release('relaxed', 'stays', 4, 'relaxed_mondrian'), kanon_create_release('everything', 'stays', 100, 'full_domain', options => '{"levels": [2, 1]}'),
    kanon_create_release('ring', 'stays', 4, 'ring', options => '{"seed": "x"}'), kanon_create_release('phases', 'stays', 4, 'two_phase', options => '{"seed": "x"}'), kanon_create_release('undrawn', 'stays', 4, 'ring', options => '{"randomize": false}');
RESET client_min_messages;
-- Each alone leaves everybody at least as many as its smallest class, or k; beside the trivial one the same
SELECT r.release, c.people = r.rows AS everybody, c.smallest = coalesce(r.smallest, 4) AS as_small, c.satisfied, c.needed, b.smallest = c.smallest AS beside_all
FROM kanon_release r, kanon_check_releases('stays', ARRAY[r.release]) c, kanon_check_releases('stays', ARRAY[r.release, 'everything']) b
WHERE r.relation = 'stays'::regclass AND r.release <> 'everything'::regclass ORDER BY r.release::text COLLATE "C";

-- Candidates by definition: the people whose record in each release is one that may be theirs
CREATE FUNCTION oracle(releases text[]) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
    release text;
    k int;
    answer bigint[];
BEGIN
    CREATE TEMP TABLE member (release text, id int, kind int);
    CREATE TEMP TABLE record (release text, id int, kind int);
    FOREACH release IN ARRAY releases LOOP
        IF release IN ('ring', 'phases', 'undrawn') THEN
            EXECUTE format('CREATE TEMP TABLE who AS SELECT id, kanon_view_candidates(%L, 4, p, ''{age,ward}'', dimensions => ''{ages,NULL}'', options => ''{"randomize": %s}'', seed => %L) OVER (ORDER BY disease COLLATE "C") AS c FROM stays p',
                CASE release WHEN 'phases' THEN 'two_phase' ELSE 'ring' END, (release <> 'undrawn')::text, 'x');
            INSERT INTO member SELECT release, id, c[1] FROM who;
            INSERT INTO record SELECT DISTINCT release, id, unnest(c[2:]) FROM who;
            DROP TABLE who;
        ELSIF release = 'domain' THEN
            INSERT INTO member SELECT release, id, class FROM (SELECT id, dense_rank() OVER (ORDER BY age / 10, ward) AS class, count(*) OVER (PARTITION BY age / 10, ward) AS n FROM stays) s WHERE n >= 4;
            INSERT INTO record SELECT * FROM member m WHERE m.release = 'domain';
        ELSE
            INSERT INTO member SELECT release, id, kanon_mondrian(4, ROW(age, ward)) OVER () FROM stays;
            INSERT INTO record SELECT * FROM member m WHERE m.release = 'strict';
        END IF;
    END LOOP;
    SELECT array_agg(n ORDER BY n) INTO answer FROM (SELECT (SELECT count(*) FROM (SELECT DISTINCT id FROM member) o WHERE NOT EXISTS (SELECT FROM unnest(releases) r WHERE
        CASE WHEN EXISTS (SELECT FROM member m WHERE m.release = r AND m.id = p.id)
            THEN NOT EXISTS (SELECT FROM member m JOIN record s ON s.release = m.release AND s.kind = m.kind WHERE m.release = r AND m.id = p.id AND s.id = o.id)
            ELSE EXISTS (SELECT FROM member m WHERE m.release = r AND m.id = o.id) END)) AS n
        FROM (SELECT DISTINCT id FROM member) p) c;
    DROP TABLE member, record;
    RETURN answer;
END $$;
SELECT releases, cardinality(n) = people AS everybody, n[1] = smallest AS smallest,
    (SELECT count(*) FROM unnest(n) c WHERE c < 4) = below AS below, (SELECT count(*) FROM unnest(n) c WHERE c = 1) = alone AS alone,
    ARRAY(SELECT (SELECT count(*) FROM unnest(n) c WHERE c = size) FROM generate_series(1, cardinality(sizes)) size) = sizes AS sizes
FROM (VALUES ('{domain,domain}'::text[]), ('{ring}'), ('{phases}'), ('{undrawn,ring}'), ('{ring,phases}'), ('{domain,phases}'), ('{domain,ring,phases,undrawn}')) v (releases),
    LATERAL kanon_check_releases('stays', releases::regclass[], 4) c, LATERAL oracle(releases) n;

-- Rows that cannot be told apart, keys that are none, tables that are no releases
CREATE VIEW all_stays AS SELECT * FROM stays;
SET client_min_messages = warning;
SELECT kanon_create_release('of_view', 'all_stays', 4, quasi_identifiers => '{age}');
RESET client_min_messages;
SELECT kanon_check_releases('all_stays', '{of_view}');
SELECT satisfied, people FROM kanon_check_releases('all_stays', '{of_view}', key => 'id');
SELECT kanon_check_releases('stays', '{strict}', key => 'person');
SELECT kanon_check_releases('stays', '{strict}', key => 'ward');
SELECT kanon_check_releases('stays', '{strict}', key => 'nothing');
SELECT kanon_check_releases('stays', '{strict}', key => 'note') FROM (SELECT) s;
SELECT kanon_check_releases('stays', '{of_view}');
SELECT kanon_check_releases('stays', '{stays}');
SELECT kanon_check_releases('stays', '{}');
SELECT kanon_check_releases('stays', '{strict,NULL}');
SELECT kanon_check_releases('stays', NULL);
SELECT kanon_check_releases('stays', '{strict}', 0);
SELECT kanon_check_releases('stays', '{monday}');
SELECT kanon_copy_release('strict', 'stays', 'id');
SELECT kanon_copy_release('strict', 'kept', 'ward');
SELECT kanon_copy_release('strict', 'kept', 'nothing');
SELECT kanon_copy_release('stays', 'kept', 'id');
SELECT kanon_copy_release('strict', 'kept', NULL);
SELECT to_regclass('kept');
-- .. copies by other keys, or of another secret
CREATE TABLE pairs AS SELECT i AS id, 1000 - i AS number, i % 5 AS age FROM generate_series(1, 40) i;
SELECT kanon_set_attribute('pairs', 'age', 'quasi_identifier');
SET client_min_messages = warning;
SELECT kanon_create_release('paired', 'pairs', 4);
RESET client_min_messages;
SELECT kanon_copy_release('paired', 'by_id', 'id'), kanon_copy_release('paired', 'by_number', 'number');
SELECT kanon_check_releases('pairs', '{by_id,by_number}');
SELECT satisfied, people FROM kanon_check_releases('pairs', '{by_id,paired}');

-- .. cohorts, whose copies tell no more than one
SET client_min_messages = warning;
SELECT kanon_create_release('in_cohorts', 'pairs', 4, 'cohorts', options => '{"key": "id", "leavers": "keep"}');
RESET client_min_messages;
SELECT kanon_check_releases('pairs', '{in_cohorts}');
SELECT kanon_copy_release('in_cohorts', 'kept', 'id');

-- More people than memory holds
CREATE TABLE crowd AS SELECT i AS id, i % 50 AS age, i % 3 AS town FROM generate_series(1, 20000) i;
SET client_min_messages = warning;
SELECT kanon_create_release('crowd_by_age', 'crowd', 10, 'full_domain', quasi_identifiers => '{age,town}', options => '{"levels": [0, 1]}');
RESET client_min_messages;
SET kanon.memory_limit = '256kB';
SELECT kanon_check_releases('crowd', '{crowd_by_age}');
SET kanon.memory_limit = '4MB';
SELECT satisfied, people, smallest FROM kanon_check_releases('crowd', '{crowd_by_age}');
RESET kanon.memory_limit;

-- Copies are for their owners alone, and forgotten when they are dropped
CREATE ROLE regress_copier;
CREATE ROLE regress_copyist;
GRANT USAGE, CREATE ON SCHEMA check_releases TO regress_copier, regress_copyist;
ALTER DEFAULT PRIVILEGES IN SCHEMA check_releases GRANT SELECT ON TABLES TO regress_copyist;
GRANT SELECT ON pairs TO regress_copier, regress_copyist;
ALTER MATERIALIZED VIEW paired OWNER TO regress_copier;
SET ROLE regress_copier;
SELECT kanon_copy_release('paired', 'own', 'id');
SELECT copy FROM kanon_copy;
SELECT people, alone FROM kanon_check_releases('pairs', '{own,paired}');
SELECT kanon_check_releases('pairs', '{by_id}');
SET ROLE regress_copyist;
TABLE own;
SELECT copy FROM kanon_copy;
SELECT copy, secret FROM kanon_copy_state;
SELECT kanon_check_releases('pairs', '{own}');
SELECT kanon_copy_release('paired', 'stolen', 'id');
RESET ROLE;
-- .. made by somebody else they are the owner's, and of the rows that the owner sees
ALTER TABLE pairs ENABLE ROW LEVEL SECURITY;
CREATE POLICY later ON pairs TO regress_copier USING (id > 20);
REFRESH MATERIALIZED VIEW paired;
SELECT kanon_copy_release('paired', 'made_for', 'id');
SELECT pg_get_userbyid(relowner) AS owner, (SELECT count(*) FROM made_for) AS rows FROM pg_class WHERE oid = 'made_for'::regclass;
ALTER TABLE pairs DISABLE ROW LEVEL SECURITY;
SELECT count(DISTINCT secret) FROM kanon_copy_state WHERE relation = 'pairs'::regclass;
ALTER DEFAULT PRIVILEGES IN SCHEMA check_releases REVOKE SELECT ON TABLES FROM regress_copyist;
DROP TABLE own, by_id, made_for;
SELECT copy FROM kanon_copy ORDER BY copy::text COLLATE "C";
BEGIN READ ONLY;
SELECT kanon_copy_release('paired', 'kept', 'id');
ROLLBACK;

SET client_min_messages = warning;
DROP SCHEMA check_releases CASCADE;
SELECT count(*) FROM kanon_copy;
DROP ROLE regress_copier, regress_copyist;
