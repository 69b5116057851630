-- The full-domain searches: answers worked out by hand, kinds of columns and
-- relations, accounts of what was done, and every error.
SET client_min_messages = warning;
CREATE ROLE regress_reader;
CREATE SCHEMA searching;
GRANT USAGE ON SCHEMA searching TO regress_reader;
SET search_path = searching, public;
RESET client_min_messages;

-- The table of figure 1 of the paper: two people in each of three groups of
-- birth date and sex, but no zip code holds two of the same sex.
CREATE TABLE patients (birth text, sex text, zip text);
INSERT INTO patients VALUES
    ('1/21/76', 'Male', '53715'), ('4/13/86', 'Female', '53715'), ('2/28/76', 'Male', '53703'),
    ('1/21/76', 'Male', '53703'), ('4/13/86', 'Female', '53706'), ('2/28/76', 'Female', '53706');
CREATE TABLE zips (zip text PRIMARY KEY, tens text, hundreds text);
INSERT INTO zips VALUES
    ('53715', '5371*', '537**'), ('53710', '5371*', '537**'),
    ('53706', '5370*', '537**'), ('53703', '5370*', '537**');
SELECT kanon_set_attribute('patients', 'birth', 'quasi_identifier');
SELECT kanon_set_attribute('patients', 'sex', 'quasi_identifier');
SELECT kanon_set_attribute('patients', 'zip', 'quasi_identifier', 'zips');

-- All generalizations, first the one of the lowest height.  Loss by hand for
-- (1,1,0): birth 1, sex 1, zip 0, so 2/3; for (1,0,2): 1, 0 and 1.
SELECT levels, height, minimal, loss::numeric(5,3), precision::numeric(5,3) FROM kanon_incognito('patients', 2);
SELECT * FROM kanon_last_search() WHERE milliseconds < 0;
SELECT size, attribute_sets, candidates > 0 AS candidates, checked > 0 AS checked, satisfying, table_scans FROM kanon_last_search();
SELECT levels, classes, smallest, suppressed, discernibility, average_class::numeric(5,3)
FROM kanon_incognito('patients', 2, metrics => true);

-- The paper's three algorithms: the same nodes checked, fewer and fewer scans
SELECT levels, minimal FROM kanon_incognito('patients', 2, algorithm => 'basic');
SELECT size, attribute_sets, candidates, checked, satisfying, table_scans, rollups FROM kanon_last_search();
SELECT levels, minimal FROM kanon_incognito('patients', 2, algorithm => 'superroots');
SELECT size, attribute_sets, candidates, checked, satisfying, table_scans, rollups FROM kanon_last_search();
SELECT levels, minimal FROM kanon_incognito('patients', 2, algorithm => 'cube');
SELECT size, attribute_sets, candidates, checked, satisfying, table_scans, rollups FROM kanon_last_search();

-- The comparators
SELECT levels, minimal FROM kanon_bottom_up('patients', 2);
SELECT size, attribute_sets, candidates, checked, satisfying, table_scans, rollups FROM kanon_last_search();
SELECT levels, minimal FROM kanon_bottom_up('patients', 2, rollup => false);
SELECT size, attribute_sets, candidates, checked, satisfying, table_scans, rollups FROM kanon_last_search();
SELECT levels, height, minimal FROM kanon_binary_search('patients', 2);
SELECT levels, height, minimal FROM kanon_datafly('patients', 2);

-- Suppression: of six rows, floor(0.34 * 6) = 2 may lie in classes below k
SELECT levels, suppressed, classes, smallest, discernibility FROM kanon_incognito('patients', 2, suppression => 0.34, metrics => true) WHERE minimal;
SELECT levels, suppressed FROM kanon_datafly('patients', 2, suppression => 0.34, metrics => true);

-- .. and 0.29 of 100 rows are 29, though 0.29::float8 is a little less
CREATE TABLE crowd AS SELECT CASE WHEN i <= 29 THEN i ELSE 0 END AS a FROM generate_series(1, 100) i;
SELECT levels, suppressed FROM kanon_incognito('crowd', 2, '{a}', suppression => 0.29, metrics => true);
SELECT levels, suppressed FROM kanon_incognito('crowd', 2, '{a}', suppression => 0.28, metrics => true);
SELECT levels, suppressed FROM kanon_incognito('crowd', 72, '{a}', suppression => 0.9999999999999999, metrics => true);
SELECT kanon_create_release('some', 'crowd', 2, 'full_domain', options => '{"levels": [0]}', quasi_identifiers => '{a}', suppression => 0.29);
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('some');
DROP TABLE crowd CASCADE;

-- Chosen quasi-identifiers, in the order given; one whose dimension lost its levels
SELECT levels FROM kanon_incognito('patients', 2, '{zip,sex}');
SELECT levels FROM kanon_incognito('patients', 2, '{sex,zip}');
CREATE TABLE sexes (sex text PRIMARY KEY, top text);
INSERT INTO sexes VALUES ('Male', '*'), ('Female', '*');
SELECT kanon_set_attribute('patients', 'sex', 'quasi_identifier', 'sexes');
ALTER TABLE sexes DROP COLUMN top;
SELECT levels, precision FROM kanon_incognito('patients', 3, '{sex}');
SELECT levels FROM kanon_incognito('patients', 4, '{sex}');
SELECT levels FROM kanon_binary_search('patients', 4, '{sex}');
SELECT levels FROM kanon_datafly('patients', 4, '{sex}');
SELECT levels FROM kanon_incognito('patients', 4, '{sex}', algorithm => 'basic', metrics => true);
SELECT kanon_set_attribute('patients', 'sex', 'quasi_identifier');

-- Weights: where only sex counts, what leaves it alone loses nothing
SELECT kanon_set_attribute('patients', 'birth', 'quasi_identifier', weight => 0);
SELECT kanon_set_attribute('patients', 'zip', 'quasi_identifier', 'zips', 0);
SELECT levels, loss FROM kanon_incognito('patients', 2);
SELECT kanon_set_attribute('patients', 'birth', 'quasi_identifier');
SELECT kanon_set_attribute('patients', 'zip', 'quasi_identifier', 'zips');

-- NULL is a value: it stays one below the top, and is in the top with the rest
CREATE TABLE nulls (zip text, age int);
INSERT INTO nulls VALUES ('53715', 20), ('53710', 20), (NULL, 20), (NULL, 20), ('53703', NULL), ('53706', NULL);
SELECT kanon_set_attribute('nulls', 'zip', 'quasi_identifier', 'zips');
SELECT kanon_set_attribute('nulls', 'age', 'quasi_identifier');
SELECT levels, classes, smallest FROM kanon_incognito('nulls', 2, metrics => true);
SELECT levels, classes, smallest FROM kanon_incognito('nulls', 3, metrics => true);
CREATE TABLE only_nulls AS SELECT NULL::int AS age FROM generate_series(1, 3);
SELECT levels, loss FROM kanon_incognito('only_nulls', 3, '{age}');

-- A top of several labels: nothing satisfies, and NULL has a class of its own
CREATE TABLE halves (zip text PRIMARY KEY, half text);
INSERT INTO halves VALUES ('53715', 'north'), ('53710', 'north'), ('53706', 'south'), ('53703', 'south');
SELECT kanon_set_attribute('nulls', 'zip', 'quasi_identifier', 'halves');
SELECT levels FROM kanon_incognito('nulls', 2);
SELECT levels FROM kanon_incognito('nulls', 3);
SELECT size, candidates, satisfying FROM kanon_last_search();

-- Columns of many types; every algorithm and both ways of counting agree
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN year AS int CHECK (value > 1900);
CREATE COLLATION case_insensitive (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE kinds AS
SELECT i % 3 AS small, (i % 4)::bigint AS big, (i % 2)::numeric / 4 AS exact, (i % 2)::float8 * -0.0 AS zero,
       'n' || i % 3 AS word, ('w' || i % 2)::varchar(4) AS short, ('b' || repeat(' ', i % 3))::char(8) AS blank,
       (CASE WHEN i % 2 = 0 THEN 'Ab' ELSE 'aB' END) COLLATE case_insensitive AS folded,
       date '2024-01-01' + i % 2 AS day, timestamptz '2024-01-01 UTC' + (i % 2) * interval '1 hour' AS moment,
       i % 2 = 0 AS flag, (enum_range(NULL::mood))[1 + i % 3] AS mood, (2000 + i % 2)::year AS born,
       md5((i % 2)::text)::uuid AS id, ('10.0.0.' || i % 2)::inet AS address, (i % 2)::text::money AS pay,
       (i % 2)::bit(3) AS bits, ARRAY[i % 2] AS list, int4range(0, 1 + i % 2) AS span, ('x' || i % 2)::name AS label,
       repeat(md5((i % 2)::text), 200) AS long
FROM generate_series(1, 24) i;
CREATE FUNCTION agree(relation regclass, k int, columns name[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answers text[] := '{}';
    way text;
    name text;
    answer text;
BEGIN
    FOREACH way IN ARRAY '{stream,group_by}'::text[] LOOP
        PERFORM set_config('kanon.ground_scan', way, true);
        FOREACH name IN ARRAY '{basic,superroots,cube,two_way}'::text[] LOOP
            SELECT count(*) || ' nodes, ' || count(*) FILTER (WHERE minimal) || ' minimal ' || md5(string_agg(g::text, ' ')) INTO answer
            FROM kanon_incognito(relation, k, columns, algorithm => name) g;
            answers := answers || answer;
        END LOOP;
    END LOOP;
    RETURN CASE WHEN answers[1] = ALL (answers) THEN regexp_replace(answers[1], ' [^ ]*$', '') ELSE answers::text END;
END $$;
SELECT attname, agree('kinds', 12, ARRAY[attname, 'flag']) FROM pg_attribute
WHERE attrelid = 'kinds'::regclass AND attnum > 0 AND attname <> 'flag' ORDER BY attnum;
SELECT agree('kinds', 4, '{small,big,exact,word,mood,pay}');
SELECT count(*) FROM kanon_incognito('kinds', 24, '{zero,blank,folded}') WHERE height = 0;

-- A dimension loaded as text serves a column of another type
CREATE TABLE ages AS SELECT 20 + i % 10 AS age, i % 2 AS sex FROM generate_series(1, 40) i;
CREATE TABLE age_text (age text, decade text, "all" text);
INSERT INTO age_text SELECT i::text, i / 5 * 5 || '+', '*' FROM generate_series(0, 99) i;
SELECT kanon_set_attribute('ages', 'age', 'quasi_identifier', 'age_text');
SELECT levels, loss::numeric(5,3) FROM kanon_incognito('ages', 8, '{age,sex}');
SELECT agree('ages', 8, '{age,sex}');

-- Views, partitioned tables, inheritance, materialized views
CREATE VIEW males AS SELECT birth, zip FROM patients WHERE sex = 'Male';
SELECT kanon_set_attribute('males', 'zip', 'quasi_identifier', 'zips');
SELECT levels FROM kanon_incognito('males', 3);
CREATE TABLE parted (zip text, age int) PARTITION BY LIST (zip);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN ('53715', '53710');
CREATE TABLE parted_2 PARTITION OF parted DEFAULT;
INSERT INTO parted SELECT * FROM nulls;
SELECT kanon_set_attribute('parted', 'zip', 'quasi_identifier', 'zips');
SELECT levels FROM kanon_incognito('parted', 2, '{zip,age}');
CREATE TABLE parent (age int);
CREATE TABLE child () INHERITS (parent);
INSERT INTO parent VALUES (1);
INSERT INTO child VALUES (1);
SELECT levels FROM kanon_incognito('parent', 2, '{age}');
CREATE MATERIALIZED VIEW frozen AS SELECT * FROM patients;
SELECT levels FROM kanon_incognito('frozen', 2, '{birth,sex}');

-- A key wider than one word, and than two
CREATE TABLE wide AS
SELECT i AS a, i * 7 % 40000 AS b, i * 11 % 40000 AS c, i * 13 % 40000 AS d, i * 17 % 40000 AS e,
       i * 19 % 40000 AS f, i * 23 % 40000 AS g, i * 29 % 40000 AS h, i * 31 % 40000 AS j
FROM generate_series(1, 40000) i;
SET kanon.memory_limit = '64MB';
SELECT count(*), min(height) FROM kanon_incognito('wide', 2, '{a,b,c,d,e}', algorithm => 'cube');
SELECT count(*), min(height) FROM kanon_incognito('wide', 2, '{a,b,c,d,e,f,g,h,j}', metrics => true);
RESET kanon.memory_limit;

-- Read only, and with the reader's privileges
BEGIN READ ONLY;
SELECT count(*) FROM kanon_incognito('patients', 2);
COMMIT;
SET ROLE regress_reader;
SELECT count(*) FROM kanon_incognito('patients', 2);
RESET ROLE;
GRANT SELECT (birth, sex) ON patients TO regress_reader;
SET ROLE regress_reader;
SELECT count(*) FROM kanon_incognito('patients', 2, '{birth,sex}');
SELECT count(*) FROM kanon_incognito('patients', 2, '{birth,zip}');
RESET ROLE;
GRANT SELECT ON patients TO regress_reader;
SET ROLE regress_reader;
SELECT count(*) FROM kanon_incognito('patients', 2, '{birth,zip}');
RESET ROLE;
GRANT SELECT ON zips TO regress_reader;
CREATE POLICY males ON patients USING (sex = 'Male');
ALTER TABLE patients ENABLE ROW LEVEL SECURITY;
SET ROLE regress_reader;
SELECT levels, classes, smallest FROM kanon_incognito('patients', 3, metrics => true) WHERE minimal;
SELECT count(*) FROM kanon_incognito('patients', 4);
RESET ROLE;
ALTER TABLE patients DISABLE ROW LEVEL SECURITY;

-- Errors: arguments
SELECT * FROM kanon_incognito('patients', 0);
SELECT * FROM kanon_incognito('patients', -1);
SELECT * FROM kanon_incognito('patients', 7);
SELECT * FROM kanon_incognito('patients', 7, algorithm => 'basic');
SELECT * FROM kanon_incognito(NULL, 2);
SELECT * FROM kanon_incognito('patients', NULL);
SELECT * FROM kanon_incognito('patients', 2, suppression => NULL);
SELECT * FROM kanon_incognito('patients', 2, algorithm => NULL);
SELECT * FROM kanon_incognito('patients', 2, metrics => NULL);
SELECT * FROM kanon_bottom_up('patients', 2, rollup => NULL);
SELECT * FROM kanon_incognito('patients', 2, suppression => 1);
SELECT * FROM kanon_incognito('patients', 2, suppression => -0.1);
SELECT * FROM kanon_incognito('patients', 2, suppression => 'NaN');
SELECT * FROM kanon_incognito('patients', 2, algorithm => 'fast');
SELECT * FROM kanon_incognito('patients', 2, '{}');
SELECT * FROM kanon_incognito('patients', 2, '{age}');
SELECT * FROM kanon_incognito('patients', 2, '{sex,sex}');
SELECT * FROM kanon_incognito('patients', 2, '{sex,NULL}');
SELECT * FROM kanon_incognito('patients', 2, '{ctid}');
SELECT * FROM kanon_incognito('no_such_table', 2);
SELECT * FROM kanon_incognito('zips_pkey', 2);
SELECT * FROM kanon_incognito(0::regclass, 2);
-- .. tables
CREATE TABLE plain (a json, b int);
SELECT * FROM kanon_incognito('plain', 2);
SELECT * FROM kanon_incognito('plain', 2, '{a}');
SELECT * FROM kanon_incognito('plain', 2, '{b}');
SELECT * FROM kanon_incognito('plain', 2, '{b}', algorithm => 'superroots');
SELECT format('CREATE TABLE many AS SELECT %s', string_agg(format('1 AS c%s', i), ', ')) FROM generate_series(1, 31) i \gexec
SELECT * FROM kanon_incognito('many', 1, ARRAY(SELECT ('c' || i)::name FROM generate_series(1, 31) i), algorithm => 'basic');
-- .. dimensions
INSERT INTO patients VALUES ('2/2/77', 'Male', '99999'), ('2/2/77', 'Male', '99999'), ('2/2/77', 'Male', '88888');
SELECT * FROM kanon_incognito('patients', 2);
SELECT * FROM kanon_incognito('patients', 2, algorithm => 'basic');
SET kanon.ground_scan = 'group_by';
SELECT * FROM kanon_bottom_up('patients', 2);
RESET kanon.ground_scan;
SELECT * FROM kanon_incognito('patients', 2, '{birth,sex}') WHERE minimal;
DELETE FROM patients WHERE birth = '2/2/77';
ALTER TABLE zips DROP CONSTRAINT zips_pkey;
ALTER TABLE zips ALTER zip DROP NOT NULL;
INSERT INTO zips VALUES ('53715', '537-1', '537**');
SELECT * FROM kanon_incognito('patients', 2);
DELETE FROM zips WHERE zip = '53715';
INSERT INTO zips VALUES ('53715', '5371*', '538**');
SELECT * FROM kanon_incognito('patients', 2);
UPDATE zips SET hundreds = NULL WHERE zip = '53715';
SELECT * FROM kanon_incognito('patients', 2);
UPDATE zips SET hundreds = '537**' WHERE zip = '53715';
INSERT INTO zips VALUES (NULL, '*', '*');
SELECT * FROM kanon_incognito('patients', 2);
DELETE FROM zips WHERE zip IS NULL;
INSERT INTO age_text VALUES ('young', '*', '*');
SELECT * FROM kanon_incognito('ages', 2, '{age}');
-- .. memory
SET kanon.memory_limit = '1MB';
SELECT * FROM kanon_incognito('wide', 2, '{a}');
SELECT * FROM kanon_incognito('kinds', 2, ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = 'kinds'::regclass AND attnum > 0));
SELECT * FROM kanon_incognito('kinds', 2, ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = 'kinds'::regclass AND attnum > 0), algorithm => 'cube');
RESET kanon.memory_limit;
-- With suppression, too, few more nodes are checked than those that decide the others: minimal ones
-- that satisfy, and those that fail while whatever is above them satisfies.
CREATE TABLE border AS SELECT i * i % 97 AS a, i * 7 % 64 AS b, i * i % 31 / 2 AS c, i % 9 AS d, i * i % 97 / 10 + i % 2 AS e FROM generate_series(1, 3000) i;
SELECT kanon_create_dimension('border_' || name, 'border', name::name, 'ranges', widths::text[]) FROM (VALUES ('a', '{2,10,50}'), ('b', '{4,16,32}'), ('c', '{2,8}'), ('d', '{3}'), ('e', '{2,4}')) v (name, widths);
SELECT kanon_declare('border', '{a,b,c,d,e}');
CREATE FUNCTION border(suppression float8, OUT nodes bigint, OUT satisfying bigint, OUT border bigint, OUT checked bigint) LANGUAGE plpgsql AS $$
DECLARE
    height int[] := (SELECT levels FROM kanon_incognito('border', 3000) ORDER BY height DESC LIMIT 1);
BEGIN
    CREATE TEMP TABLE found ON COMMIT DROP AS SELECT levels, minimal FROM kanon_incognito('border', 3, suppression => border.suppression);
    SELECT sum(l.checked) INTO checked FROM kanon_last_search() l WHERE size = 5;
    SELECT count(*), count(f.levels), count(*) FILTER (WHERE f.minimal OR f.levels IS NULL AND NOT EXISTS (
        SELECT FROM generate_series(1, 5) i WHERE n.levels[i] < height[i]
            AND n.levels[:i - 1] || (n.levels[i] + 1) || n.levels[i + 1:] NOT IN (SELECT levels FROM found)))
    INTO nodes, satisfying, border
    FROM (SELECT ARRAY[a, b, c, d, e] FROM generate_series(0, height[1]) a, generate_series(0, height[2]) b, generate_series(0, height[3]) c, generate_series(0, height[4]) d, generate_series(0, height[5]) e) n (levels)
        LEFT JOIN found f USING (levels);
    DROP TABLE found;
END $$;
SELECT suppression, nodes, satisfying, border, checked <= border * CASE suppression WHEN 0 THEN 3 ELSE 2 END AS few FROM unnest('{0,0.01,0.05,0.1,0.2,0.4}'::float8[]) suppression, border(suppression);
-- Nodes that are read from the table one after another leave no memory behind: 625 of them.
CREATE TABLE nodes AS SELECT i % 8 AS a, i / 8 % 8 AS b, i / 64 % 8 AS c, i / 512 % 8 AS d, i % 1000 AS person FROM generate_series(1, 3000) i;
SELECT kanon_create_dimension('nodes_' || name, 'nodes', name::name, 'ranges', '{2,4,8}') FROM unnest('{a,b,c,d}'::text[]) name;
SET kanon.memory_limit = '1500kB';
SELECT count(*) FROM kanon_bottom_up('nodes', 50, '{a,b,c,d}', rollup => false, person => 'person');
RESET kanon.memory_limit;

SET client_min_messages = warning;
DROP SCHEMA searching CASCADE;
DROP ROLE regress_reader;
