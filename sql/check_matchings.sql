-- Could each released row be any of k rows?  And what does that cost at least?
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
RESET client_min_messages;
\set SHOW_CONTEXT never
CREATE SCHEMA check_matchings;
SET search_path = check_matchings, public;

-- Seven people of Murakami and Uno, and what they make of them.
CREATE TABLE people (id text, zip text, gender text, country text);
INSERT INTO people VALUES
    ('r1', '94221', 'M', 'US'), ('r2', '94112', 'F', 'US'), ('r3', '94121', 'F', 'US'), ('r4', '94111', 'M', 'Canada'),
    ('r5', '94222', 'M', 'Canada'), ('r6', '94122', 'F', 'UK'), ('r7', '93111', 'M', 'Canada');
SELECT count(kanon_set_attribute('people', a, 'quasi_identifier')) FROM unnest('{zip,gender,country}'::name[]) a;
CREATE TABLE global (zip, gender, country) AS VALUES
    ('9*2**', 'M', '*'), ('9*1**', 'F', '*'), ('9*1**', 'F', '*'), ('9*1**', 'M', '*'),
    ('9*2**', 'M', '*'), ('9*1**', 'F', '*'), ('9*1**', 'M', '*');
CREATE TABLE local (zip, gender, country) AS VALUES
    ('9422*', 'M', '*'), ('941**', 'F', '*'), ('941**', 'F', '*'), ('9*111', 'M', 'Canada'),
    ('9422*', 'M', '*'), ('941**', 'F', '*'), ('9*111', 'M', 'Canada');
CREATE TABLE ring (zip, gender, country) AS VALUES
    ('9422*', 'M', '*'), ('941*2', 'F', '*'), ('941**', 'F', 'US'), ('9*111', 'M', 'Canada'),
    ('9422*', 'M', '*'), ('9412*', 'F', '*'), ('9*111', 'M', 'Canada');
SELECT name, c.* FROM unnest('{global,local,ring}'::regclass[]) name, kanon_check_matchings(name, 2, 'people') c;

-- Table 6 as it is printed: 12 asterisks like the ring above, but nobody else lives in 941*1
CREATE TABLE printed AS SELECT * FROM ring WHERE zip NOT IN ('941**', '9412*');
INSERT INTO printed VALUES ('941*1', 'F', 'US'), ('941**', 'F', '*');
SELECT satisfied, singled_out, detail FROM kanon_check_matchings('printed', 2, 'people');

-- Figure 3: everybody is covered by three records at least, and each record covers three.
CREATE TABLE biased (zip, gender, country) AS VALUES
    ('*', '*', 'US'), ('*', '*', 'US'), ('*', '*', 'US'), ('94**1', '*', '*'),
    ('*', '*', '*'), ('*', '*', '*'), ('*', '*', '*');
SELECT r.id, count(*) FROM people r, biased b
WHERE r.zip LIKE CASE b.zip WHEN '*' THEN '%' ELSE replace(b.zip, '*', '_') END AND b.country IN ('*', r.country) GROUP BY r.id ORDER BY r.id;
SELECT min(n) FROM (SELECT count(r.id) AS n FROM biased b, people r
WHERE r.zip LIKE CASE b.zip WHEN '*' THEN '%' ELSE replace(b.zip, '*', '_') END AND b.country IN ('*', r.country) GROUP BY b.ctid) b;
-- Yet three records must take the three from the US, and 94**1 has r4 left.
SELECT satisfied, rows, released, flow, needed FROM kanon_check_matchings('biased', 3, 'people');
SELECT singled_out, detail FROM kanon_check_matchings('biased', 3, 'people');
SELECT satisfied, flow, needed FROM kanon_check_matchings('biased', 1, 'people');

-- Who is behind too few records, and which record stands for too few
SELECT satisfied, flow, needed, singled_out, detail FROM kanon_check_matchings('global', 3, 'people');
SELECT satisfied, flow, needed, singled_out, detail FROM kanon_check_matchings('people', 2, 'people');
CREATE TABLE four (a int);
INSERT INTO four VALUES (1), (2), (3), (4);
CREATE TABLE four_record (a int4range);
INSERT INTO four_record VALUES ('[1,3)'), (NULL), (NULL), (NULL);
SELECT satisfied, flow, needed, singled_out, detail FROM kanon_check_matchings('four_record', 3, 'four', '{a}');
-- Everybody has two links that can be true.  But of the first four records three cover
-- one more row each, and two of these three must have it: likelier than one in two.
CREATE TABLE five (a int, b int, c int);
INSERT INTO five VALUES (0, 0, 0), (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1);
CREATE TABLE five_records (a int, b int, c int);
INSERT INTO five_records VALUES (NULL, 0, 0), (0, NULL, 0), (0, 0, NULL), (0, 0, 0), (NULL, NULL, NULL);
SELECT satisfied, flow, needed FROM kanon_check_matchings('five_records', 2, 'five', '{a,b,c}');
SELECT singled_out, detail FROM kanon_check_matchings('five_records', 2, 'five', '{a,b,c}');

-- Suppressed rows: each record is assigned a row, k times.  More records than rows cannot be.
CREATE VIEW fewer AS SELECT * FROM local WHERE gender = 'F';
SELECT * FROM kanon_check_matchings('fewer', 3, 'people');
CREATE VIEW two_of_them AS SELECT * FROM global WHERE gender = 'M' AND zip = '9*2**' LIMIT 1;
SELECT * FROM kanon_check_matchings('two_of_them', 2, 'people');
SELECT * FROM kanon_check_matchings('two_of_them', 3, 'people');
-- 1 to 3 have one record each that they can be behind, but may have been suppressed; 4 is certain.
CREATE TABLE few_records (a int4range);
INSERT INTO few_records VALUES ('[1,4)'), ('[4,5)');
SELECT satisfied, rows, released, singled_out, detail FROM kanon_check_matchings('few_records', 2, 'four', '{a}');
CREATE VIEW more AS SELECT * FROM local UNION ALL SELECT '*', '*', '*';
SELECT * FROM kanon_check_matchings('more', 2, 'people');
-- A record that covers nobody, and records too many for whom they cover
CREATE VIEW stranger AS SELECT overlay(zip PLACING '95' FROM 1 FOR 2) AS zip, gender, country FROM local WHERE zip = '9422*' UNION ALL SELECT * FROM local WHERE zip <> '9422*';
SELECT * FROM kanon_check_matchings('stranger', 2, 'people');
CREATE VIEW crowded AS SELECT CASE WHEN gender = 'F' THEN '9*111' ELSE zip END AS zip, 'M' AS gender, country FROM local;
SELECT * FROM kanon_check_matchings('crowded', 2, 'people');

-- Nothing there, and a table with itself
CREATE VIEW nobody AS SELECT * FROM people WHERE false;
SELECT * FROM kanon_check_matchings('nobody', 2, 'nobody', '{zip,gender}');
SELECT * FROM kanon_check_matchings('nobody', 2, 'people');
SELECT * FROM kanon_check_matchings('people', 2, 'nobody', '{zip,gender}');
SELECT * FROM kanon_check_matchings('people', 2, 'people', '{gender}');
SELECT * FROM kanon_check_matchings('people', 2147483647, 'people', '{gender}');

-- NULL in a release covers anything.  In the original it is a value: covered by
-- NULL, by * and by the range without ends.
CREATE TABLE gaps (a int, b text);
INSERT INTO gaps VALUES (1, 'x'), (NULL, 'x'), (3, NULL), (NULL, NULL);
SELECT satisfied FROM kanon_check_matchings('gaps', 1, 'gaps', '{a,b}');
SELECT satisfied, flow FROM kanon_check_matchings('gaps', 2, 'gaps', '{a,b}');
CREATE TABLE hidden (a int4range, b text);
INSERT INTO hidden VALUES ('(,)', '*'), (NULL, '*'), ('(,)', NULL), (NULL, NULL);
SELECT satisfied FROM kanon_check_matchings('hidden', 4, 'gaps', '{a,b}');
CREATE TABLE shown (a int4range, b text);
INSERT INTO shown VALUES ('[1,)', '[x - x]'), ('[0,9)', 'x'), ('(,9)', '*'), ('(,)', '*');
SELECT satisfied, singled_out, detail FROM kanon_check_matchings('shown', 1, 'gaps', '{a,b}');

-- Cells of every kind, each beside the row that it covers and no other
CREATE TYPE colour AS ENUM ('red', 'green', 'blue');
CREATE TABLE kinds (small int2, big bigint, amount numeric, day date, moment timestamptz, word text, letters char(3), hue colour, flag bool, list int[], span int4range, zip int);
INSERT INTO kinds VALUES
    (1, 10, 1.50, '2020-01-01', '2020-01-01 00:00+00', 'a', 'a', 'red', true, '{1}', '[1,2)', 53711),
    (2, 20, 2, '2020-01-02', '2020-01-02 00:00+00', 'b', 'b', 'green', false, '{2}', '[2,3)', 53712),
    (3, 30, 'NaN', 'infinity', 'infinity', 'c', 'c', 'blue', NULL, '{3}', '[3,4)', 54711);
CREATE VIEW kinds_ranges AS SELECT int4range(small, small, '[]') AS small, int8range(big - 1, big, '(]') AS big, numrange(amount, amount, '[]') AS amount,
    daterange(day, day, '[]') AS day, tstzrange(moment, moment, '[]') AS moment, '[' || word || ' - ' || word || ']' AS word,
    format('[%s - %s]', letters, letters) AS letters, hue::text AS hue, flag::text AS flag, list, span, zip::text AS zip FROM kinds;
SELECT column_name, c.satisfied, c.flow, two.singled_out IS NOT NULL AS alone
FROM information_schema.columns, kanon_check_matchings('kinds_ranges', 1, 'kinds', ARRAY[column_name::name]) c, kanon_check_matchings('kinds_ranges', 2, 'kinds', ARRAY[column_name::name]) two
WHERE table_schema = 'check_matchings' AND table_name = 'kinds' ORDER BY ordinal_position;
CREATE VIEW kinds_wide AS SELECT int8range(1, NULL) AS small, numrange(5, 35) AS big, numrange(1.5, 'NaN', '[]') AS amount, daterange('2020-01-01', 'infinity', '[]') AS day,
    tstzrange('-infinity', 'infinity', '[]') AS moment, '[a - c]' AS word, '*' AS letters, '[red - blue]' AS hue, '*' AS flag, NULL::int[] AS list, '*' AS span, '5*71*' AS zip FROM kinds;
SELECT column_name, c.satisfied, c.flow
FROM information_schema.columns, kanon_check_matchings('kinds_wide', 3, 'kinds', ARRAY[column_name::name]) c
WHERE table_schema = 'check_matchings' AND table_name = 'kinds' ORDER BY ordinal_position;
-- All of them together
SELECT satisfied, flow FROM kanon_check_matchings('kinds_wide', 3, 'kinds', '{small,big,amount,day,moment,word,letters,hue,flag,list,span,zip}');
-- Equal values that are written differently; letters of another length than one byte
CREATE TABLE spelled (n numeric, t text);
INSERT INTO spelled VALUES (1.0, 'äb'), (1.00, 'öb'), (2, 'äc');
CREATE TABLE spelled_release (n text, t text);
INSERT INTO spelled_release VALUES ('1.0', '*b'), ('1.00', 'ä*'), ('2', '*c');
SELECT satisfied, singled_out FROM kanon_check_matchings('spelled_release', 1, 'spelled', '{n,t}');
SELECT satisfied, singled_out, detail FROM kanon_check_matchings('spelled_release', 2, 'spelled', '{n,t}');
-- A text that is a value and a label covers both; a value that the dimension lacks, itself
CREATE TABLE jobs (job text, field text, sector text);
INSERT INTO jobs VALUES ('nurse', 'health', 'services'), ('doctor', 'health', 'services'), ('cook', 'cook', 'services'), ('waiter', 'cook', 'services'), ('mason', 'crafts', 'crafts');
CREATE TABLE work (job text);
INSERT INTO work VALUES ('nurse'), ('doctor'), ('cook'), ('waiter'), ('mason'), ('clown');
SELECT kanon_set_attribute('work', 'job', 'quasi_identifier', 'jobs');
CREATE TABLE work_release (job text);
INSERT INTO work_release VALUES ('health'), ('services'), ('cook'), ('cook'), ('crafts'), ('clown');
SELECT satisfied, flow FROM kanon_check_matchings('work_release', 1, 'work');
UPDATE work_release SET job = '*' WHERE job IN ('clown', 'crafts');
SELECT satisfied, flow FROM kanon_check_matchings('work_release', 2, 'work');
-- A single label on top covers everything
CREATE TABLE flags AS SELECT * FROM (VALUES (true, 'any'), (false, 'any')) f (flag, label);
CREATE TABLE flagged (flag bool);
INSERT INTO flagged VALUES (true), (false), (NULL);
SELECT kanon_set_attribute('flagged', 'flag', 'quasi_identifier', 'flags');
CREATE VIEW flagged_release AS SELECT 'any' AS flag FROM flagged;
SELECT satisfied FROM kanon_check_matchings('flagged_release', 3, 'flagged');
-- Masks of a dimension beside digits hidden one by one
CREATE TABLE homes (zip int);
INSERT INTO homes VALUES (53711), (53712), (53811), (54711), (64711);
SELECT kanon_create_dimension('zips', 'homes', 'zip', 'digits');
CREATE TABLE homes_release (zip text);
INSERT INTO homes_release VALUES ('5371*'), ('53***'), ('5*711'), ('5*711'), ('*');
SELECT satisfied, flow, needed, singled_out, detail FROM kanon_check_matchings('homes_release', 1, 'homes');
UPDATE homes_release SET zip = CASE zip WHEN '5371*' THEN '*' WHEN '53***' THEN '53*1*' ELSE '*****' END WHERE zip <> '5*711' OR ctid = '(0,4)';
SELECT zip, satisfied, flow, singled_out FROM (SELECT string_agg(zip, ' ' ORDER BY zip) AS zip FROM homes_release) z, kanon_check_matchings('homes_release', 2, 'homes');

-- Releases of kanon's: full domain, Mondrian with ranges, texts and labels, with NULLs
CREATE TABLE patients AS
SELECT i AS id, CASE WHEN i % 17 > 0 THEN 20 + (i * 7) % 31 END AS age, date '2000-01-01' + (i * 13) % 77 AS born,
       CASE WHEN i % 11 > 0 THEN (i * 31 % 50) * 0.5::float8 END AS height, 'v' || (i * i) % 6 AS ward, (ARRAY['nurse', 'doctor', 'cook', 'waiter', 'mason'])[1 + i % 5] AS job
FROM generate_series(1, 300) i;
SELECT count(kanon_set_attribute('patients', q, 'quasi_identifier')) FROM unnest('{age,born,height,ward}'::name[]) q;
SELECT kanon_set_attribute('patients', 'job', 'quasi_identifier', 'jobs');
SET client_min_messages = warning;
SELECT count(kanon_create_release('p_' || r || '_' || k, 'patients', k, r)) FROM unnest('{mondrian,strict_mondrian,relaxed_mondrian,full_domain}'::text[]) r, unnest('{2,20}'::int[]) k;
SELECT kanon_create_release('p_suppressed', 'patients', 3, 'full_domain', options => '{"levels": [0, 1, 1, 1, 2]}', suppression => 0.9);
SELECT kanon_create_release('p_part', 'patients', 3, quasi_identifiers => '{age,job}');
RESET client_min_messages;
SELECT r.release, r.k, c.satisfied, c.rows, c.released, c.flow = c.needed AS full_flow, c.detail
FROM kanon_release r, kanon_check_matchings(r.release, r.k, r.relation) c WHERE r.relation = 'patients'::regclass ORDER BY r.release::text;
-- Renamed in the release, and then called as another one was
ALTER MATERIALIZED VIEW p_part RENAME COLUMN age TO years;
ALTER MATERIALIZED VIEW p_part RENAME COLUMN job TO age;
SELECT satisfied, flow = needed AS full_flow FROM kanon_check_matchings('p_part', 3, 'patients');
-- One row narrowed to those of its class who are the youngest
CREATE VIEW narrowed AS
SELECT CASE WHEN n > 1 THEN age ELSE int4range(lower(age), lower(age) + 1) END AS age, born, height, ward, job
FROM (SELECT *, row_number() OVER (ORDER BY age DESC, born, height, ward) AS n FROM p_strict_mondrian_20) r;
SELECT satisfied, flow, needed, singled_out IS NOT NULL AS someone FROM kanon_check_matchings('narrowed', 20, 'patients');

-- The bound.  Four people: the first two differ in one value of two, the others in both.
CREATE TABLE pairs (a int, b int);
INSERT INTO pairs VALUES (1, 1), (1, 2), (3, 4), (5, 6);
-- hide b for the first two, all for the others: (1 + 1 + 2 + 2) / 8
SELECT k, kanon_matching_bound('pairs', k, '{a,b}', ranges => false) FROM generate_series(1, 5) k;
-- Three differ from the first in one value each, but only one of them can go with the first: 6 / 12 is the least there is
CREATE TABLE star (a int, b int, c int);
INSERT INTO star VALUES (1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2);
SELECT round(kanon_matching_bound('star', 2, '{a,b,c}')::numeric, 2) AS bound, round(kanon_matching_bound('star', 2, '{a,b,c}', priced => true)::numeric, 2) AS priced;
-- .. also beside a column that tells nothing
ALTER TABLE star ADD same text DEFAULT 'all';
SELECT round(kanon_matching_bound('star', 2, '{same,a,b,c}')::numeric, 2) AS bound, round(kanon_matching_bound('star', 2, '{same,a,b,c}', priced => true)::numeric, 2) AS priced;
-- .. and in more rows than get prices together
CREATE TABLE stars AS SELECT 2 * s + a AS a, 2 * s + b AS b, 2 * s + c AS c FROM generate_series(1, 26000) s, star;
SET kanon.memory_limit = '200MB';
SELECT round(kanon_matching_bound('stars', 2, '{a,b,c}', ranges => false)::numeric, 2) AS bound, round(kanon_matching_bound('stars', 2, '{a,b,c}', priced => true, ranges => false)::numeric, 2) AS priced;
RESET kanon.memory_limit;
SELECT k, round(kanon_matching_bound('people', k)::numeric, 6) AS bound FROM generate_series(1, 8) k;
-- By levels and weights: nurse and doctor lose 1 / 4 as health, cook and waiter as cook, mason 1
SELECT kanon_matching_bound('jobs', 2, '{job}'), kanon_unset_attribute('work', 'job');
DELETE FROM work WHERE job = 'clown';
SELECT kanon_set_attribute('work', 'job', 'quasi_identifier', 'jobs', 3);
SELECT round(kanon_matching_bound('work', 2)::numeric, 6) AS bound;
ALTER TABLE work ADD sex text;
SELECT kanon_set_attribute('work', 'sex', 'quasi_identifier');
SELECT round(kanon_matching_bound('work', 2)::numeric, 6) AS bound;
-- Each digit by itself: 5371., 5371., 53.11 or 5.711, 5.711, .4711: two of the five homes each
SELECT round(kanon_matching_bound('homes', 2)::numeric, 6) AS bound;
-- Nothing is better than the bound: the classes of a full-domain release by its levels
SELECT count(*), bool_and(loss >= kanon_matching_bound('patients', 5) - 1e-9) AS above, min(loss) > 0 AS lost FROM kanon_incognito('patients', 5);
-- More patterns than are tried together: attributes in blocks of 14, those with the fewest values first.  A block with
-- both kinds has to hide 6 of the 40, the others nothing.
CREATE TABLE broad AS SELECT i % 3 AS a0, i % 5 AS a1 FROM generate_series(1, 60) i;
SELECT kanon_matching_bound('broad', 5, '{a0,a1}', ranges => false);
DO $$ BEGIN FOR i IN 2 .. 39 LOOP EXECUTE format('ALTER TABLE broad ADD a%s int', i); EXECUTE format('UPDATE broad SET a%s = CASE WHEN %s %% 2 = 0 THEN a0 ELSE a1 END', i, i); END LOOP; END $$;
SELECT round(kanon_matching_bound('broad', 5, q, ranges => false)::numeric, 6) AS bound FROM (SELECT array_agg(attname) FROM pg_attribute WHERE attrelid = 'broad'::regclass AND attnum > 0) c (q);
SELECT round(kanon_matching_bound('broad', 5, q, priced => true, ranges => false)::numeric, 6) AS bound FROM (SELECT array_agg(attname) FROM pg_attribute WHERE attrelid = 'broad'::regclass AND attnum > 0) c (q);
SELECT kanon_matching_bound('nobody', 1, '{zip}', true), kanon_matching_bound('gaps', 4, '{a,b}', true), kanon_matching_bound('gaps', 5, '{a,b}', true);
SELECT kanon_matching_bound('nobody', 1, '{zip}'), kanon_matching_bound('gaps', 4, '{a,b}'), kanon_matching_bound('gaps', 5, '{a,b}');

-- Read only, and with the rights of who asks
BEGIN READ ONLY;
SELECT satisfied FROM kanon_check_matchings('ring', 2, 'people');
SELECT kanon_matching_bound('people', 2) > 0 AS lost;
ROLLBACK;
CREATE ROLE regress_reader;
GRANT USAGE ON SCHEMA check_matchings TO regress_reader;
GRANT SELECT ON ring TO regress_reader;
SET ROLE regress_reader;
SELECT satisfied FROM kanon_check_matchings('ring', 2, 'people');
SELECT kanon_matching_bound('people', 2);
RESET ROLE;
GRANT SELECT (zip, gender) ON people TO regress_reader;
SET ROLE regress_reader;
SELECT satisfied FROM kanon_check_matchings('ring', 2, 'people', '{zip,gender}');
SELECT satisfied FROM kanon_check_matchings('ring', 2, 'people');
RESET ROLE;
DROP OWNED BY regress_reader;
DROP ROLE regress_reader;

-- Errors
SELECT kanon_check_matchings('ring', 2, NULL);
SELECT kanon_check_matchings('ring');
SELECT kanon_check_matchings(NULL, 2, 'people');
SELECT kanon_check_matchings('ring', NULL, 'people');
SELECT kanon_check_matchings('ring', 0, 'people');
SELECT kanon_check_matchings('ring', 2, 'people', '{zip,id}');
SELECT kanon_check_matchings('ring', 2, 'people', '{zip,nothing}');
SELECT kanon_check_matchings('hidden', 2, 'gaps');
CREATE SEQUENCE counter;
SELECT kanon_check_matchings('people', 2, 'counter');
SELECT kanon_check_matchings(0, 2, 'people');
CREATE TABLE odd AS SELECT * FROM ring;
UPDATE odd SET zip = 'Bonn' WHERE zip = '941*2';
SELECT kanon_check_matchings('odd', 2, 'people');
UPDATE odd SET zip = '941*22' WHERE zip = 'Bonn';
SELECT kanon_check_matchings('odd', 2, 'people');
UPDATE odd SET zip = '95112' WHERE zip = '941*22';
SELECT kanon_check_matchings('odd', 2, 'people');
UPDATE odd SET zip = '[94111 - 94222]' WHERE zip = '95112';
SELECT kanon_check_matchings('odd', 2, 'people');
UPDATE odd SET zip = '[94222 - 94111]' WHERE left(zip, 1) = '[';
SELECT kanon_check_matchings('odd', 2, 'people');
UPDATE odd SET zip = '94111', country = 'Can*' WHERE left(zip, 1) = '[';
SELECT kanon_check_matchings('odd', 2, 'people');
CREATE TABLE odd_range (a int4range);
INSERT INTO odd_range VALUES ('empty');
SELECT kanon_check_matchings('odd_range', 2, 'gaps', '{a}');
CREATE VIEW odd_chance AS SELECT CASE WHEN nextval('counter') > 4 THEN currval('counter') ELSE 1 END::numeric AS a FROM four;
SELECT kanon_check_matchings('odd_chance', 2, 'four', '{a}');
CREATE VIEW twenty AS SELECT numrange(1, 20) AS a FROM four;
SELECT setval('counter', 1, false);
SELECT kanon_check_matchings('twenty', 2, 'odd_chance', '{a}');
-- .. which is read again for how its values can be written
CREATE VIEW written AS SELECT '1' AS a FROM four;
SELECT setval('counter', 1, false);
SELECT kanon_check_matchings('written', 2, 'odd_chance', '{a}');
CREATE TABLE odd_day (a daterange);
SELECT kanon_check_matchings('odd_day', 2, 'gaps', '{a}');
CREATE TABLE odd_json (a json);
SELECT kanon_check_matchings('odd_json', 2, 'gaps', '{a}');
SET kanon.memory_limit = '16kB';
\set VERBOSITY sqlstate
SELECT kanon_check_matchings('p_mondrian_2', 2, 'patients');
\set VERBOSITY default
SELECT kanon_matching_bound('patients', 2);
SELECT kanon_matching_bound('patients', 2, priced => true);
RESET kanon.memory_limit;
SELECT kanon_matching_bound(NULL, 2);
SELECT kanon_matching_bound('people', NULL);
SELECT kanon_matching_bound('people', 0);
SELECT kanon_matching_bound('people', 2, priced => NULL);
SELECT kanon_matching_bound('people', 2, '{nothing}');
SELECT kanon_matching_bound('pairs', 2);
-- An unknown value is among nobody but all
INSERT INTO work VALUES ('clown');
SELECT kanon_matching_bound('work', 2);

SET client_min_messages = warning;
DROP SCHEMA check_matchings CASCADE;
