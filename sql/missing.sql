-- Values that a dimension lacks: one new value at night stops nothing.
SET client_min_messages = warning;
CREATE ROLE regress_missing;
CREATE SCHEMA missing AUTHORIZATION regress_missing;
SET search_path = missing, public;
SET ROLE regress_missing;

CREATE TABLE stays (id int, age int, zip text, weight float8, cost numeric, born date, seen timestamptz, code "char", city text, sex text, ill text);
INSERT INTO stays SELECT id, 20 + i * 7 % 40, '537' || lpad((i * 13 % 40)::text, 2, '0'), i * 31 % 50 + 0.25, i * 17 % 90, date '1980-01-15' + i * 97 % 9000,
    timestamptz '2020-01-01 00:00:00+00' + i * 131 % 900 * interval '1 hour', chr(97 + i % 5)::"char", (ARRAY['Lyon', 'Paris', 'Kyoto', 'Tokyo'])[1 + i % 4],
    (ARRAY['f', 'm'])[1 + i % 2], 'ill ' || i % 6 FROM (SELECT id, id % 120 AS i FROM generate_series(1, 240) id) i;
CREATE TABLE places (place text, within text);
INSERT INTO places VALUES ('Lyon', 'France'), ('Paris', 'France'), ('Kyoto', 'Japan'), ('Tokyo', 'Japan'), ('France', 'World'), ('Japan', 'World');
SELECT kanon_create_dimension('ages', 'stays', 'age', 'ranges', '{5,10}'), kanon_create_dimension('zips', 'stays', 'zip', 'digits'),
    kanon_create_dimension('weights', 'stays', 'weight', 'ranges', '{0.5,10}'), kanon_create_dimension('costs', 'stays', 'cost', 'quantiles', '{8,4,2}'),
    kanon_create_dimension('births', 'stays', 'born', 'dates', '{month,quarter,year,decade,century}'),
    kanon_create_dimension('days', 'stays', 'seen', 'dates', '{hour,day,month}'), kanon_create_dimension('codes', 'stays', 'code', 'quantiles', '{2}'),
    kanon_create_dimension('cities', 'stays', 'city', 'taxonomy', '{places}'), kanon_create_dimension('sexes', 'stays', 'sex', 'suppress');
-- What is a function of the value is kept
SELECT dimension, method, arguments, levels, type, cardinality(bounds) AS bounds FROM kanon_dimension
WHERE dimension IN (SELECT oid FROM pg_class WHERE relnamespace = 'missing'::regnamespace) ORDER BY dimension::text COLLATE "C";
SELECT bounds FROM kanon_dimension WHERE dimension = 'codes'::regclass;

-- Everybody's new values, each beside one that is known, and what is no number or no day
CREATE TABLE news AS SELECT * FROM stays LIMIT 0;
INSERT INTO news VALUES
    (1001, 61, '99999', 99.75, 1000, '2031-05-05', '2031-05-05 05:05+00', 'z', 'Oslo', 'x', 'ill 1'),
    (1002, -3, '537', -0.5, -5, '0044-03-15 BC', '1999-12-31 23:59:59+00', 'A', 'Bonn', 'y', 'ill 2'),
    (1003, 61, '9999999', 'NaN', 45.5, 'infinity', '-infinity', 'b', 'Oslo', 'x', 'ill 3'),
    (1004, 60, '', '-Infinity', 'NaN', '12024-02-29', '0044-03-15 12:00:00+00 BC', 'e', NULL, 'm', 'ill 4'),
    (1005, 59, 'ärger', 0.1, 88.88, '1980-01-16', '2020-01-01 00:30:00+00', 'c', 'Lyon', NULL, 'ill 5'),
    (1006, NULL, NULL, 1e6, NULL, '0001-01-01', NULL, NULL, 'Oslo', 'f', 'ill 6');

-- Releases as they were before the night
SELECT kanon_create_release('by_levels', 'stays', 2, 'full_domain', options => '{"levels": [1, 2, 1, 1, 2, 2, 1, 1, 0]}',
    quasi_identifiers => '{age,zip,weight,cost,born,seen,code,city,sex}', suppression => 0.99) IS NOT NULL AS made;
SELECT kanon_create_release('fit', 'stays', 3, 'full_domain', quasi_identifiers => '{age,zip,city}', suppression => 0.2),
    kanon_create_release('mondrian', 'stays', 3, 'mondrian', quasi_identifiers => '{age,zip,city,born}'),
    kanon_create_release('relaxed', 'stays', 3, 'relaxed_mondrian', quasi_identifiers => '{age,zip,city}'),
    kanon_create_release('ring', 'stays', 3, 'ring', quasi_identifiers => '{zip,city,sex}', options => '{"redraw": true}'),
    kanon_create_release('two_phase', 'stays', 3, 'two_phase', quasi_identifiers => '{zip,city,cost}', options => '{"redraw": true}');
INSERT INTO stays TABLE news;
INSERT INTO stays SELECT id + 100, age, zip, weight, cost, born, seen, code, city, sex, ill FROM news;
-- The night, under settings of somebody else's
SET datestyle = 'SQL, DMY';
SET timezone = 'Asia/Tokyo';
SET extra_float_digits = -10;
SET intervalstyle = 'sql_standard';
SET search_path = pg_temp;
REFRESH MATERIALIZED VIEW missing.by_levels;
REFRESH MATERIALIZED VIEW missing.fit;
REFRESH MATERIALIZED VIEW missing.mondrian;
REFRESH MATERIALIZED VIEW missing.relaxed;
REFRESH MATERIALIZED VIEW missing.ring;
REFRESH MATERIALIZED VIEW missing.two_phase;
RESET datestyle;
RESET timezone;
RESET extra_float_digits;
RESET intervalstyle;
SET search_path = missing, public;
SELECT * FROM by_levels WHERE coalesce(born !~ '^(19|20)' OR seen !~ '^20' OR age IN ('60-64', '-5 - -1') OR zip !~ '^537', true)
ORDER BY age COLLATE "C", zip COLLATE "C", weight COLLATE "C", born COLLATE "C";
SELECT r AS release, c.satisfied, c.smallest >= 3 AS k FROM unnest('{fit,mondrian,relaxed}'::regclass[]) r, kanon_check(r, 3) c;
SELECT r AS release, c.satisfied FROM unnest('{ring,two_phase}'::regclass[]) r, kanon_check_matchings(r) c;
SELECT r AS release, rows > 240 AS rows, loss > 0 AND loss < 1 AS loss FROM unnest('{by_levels,mondrian,relaxed,ring,two_phase}'::regclass[]) r, kanon_quality(r) q;
-- No value of a taxonomy's that it does not know is shown
SELECT string_agg(DISTINCT city, ' ' ORDER BY city) FROM (SELECT city FROM mondrian UNION ALL SELECT city FROM ring UNION ALL SELECT city FROM two_phase
    UNION ALL SELECT city FROM relaxed) c;

-- The rule says what the table will hold: answers and releases are the same before and after
SELECT kanon_create_release('again', 'stays', 2, 'full_domain', options => '{"levels": [1, 2, 1, 1, 2, 2, 1, 0]}',
    quasi_identifiers => '{age,zip,weight,cost,born,seen,code,sex}', suppression => 0.99) IS NOT NULL AS made;
CREATE FUNCTION answers() RETURNS TABLE (what text, answer text) LANGUAGE sql AS $$
    SELECT 'search', md5(string_agg(ROW(levels, loss, classes, smallest, suppressed)::text, ' ' ORDER BY levels)) FROM kanon_incognito('stays', 2, '{age,zip,weight,sex}', suppression => 0.1, metrics => true)
    UNION ALL SELECT 'quantiles', md5(string_agg(ROW(levels, loss)::text, ' ' ORDER BY levels)) FROM kanon_incognito('stays', 2, '{cost,born,code}', suppression => 0.3)
    UNION ALL SELECT 'moments', md5(string_agg(ROW(levels, loss)::text, ' ' ORDER BY levels)) FROM kanon_bottom_up('stays', 2, '{seen,sex}', suppression => 0.3)
    UNION ALL SELECT 'mondrian', md5(string_agg(cells, ' ' ORDER BY id)) FROM (SELECT id, ROW(kanon_view_cell(c, 'age', NULL::text), kanon_view_cell(c, 'zip', NULL::text), kanon_view_cell(c, 'born', NULL::text))::text AS cells
        FROM (SELECT id, kanon_view_cells('mondrian', 3, s, '{age,zip,born}') OVER () AS c FROM stays s WHERE age IS NOT NULL) c) c
    UNION ALL SELECT 'quality', loss::numeric(10, 8)::text FROM kanon_quality('by_levels')
    UNION ALL SELECT 'loss', loss::numeric(10, 8)::text FROM kanon_release WHERE release = 'again'::regclass
    UNION ALL SELECT 'closeness', string_agg(model_values::text, ' ' ORDER BY class::text) FROM kanon_classes('stays', 1, '{sex}', ARRAY['closeness(age, 1)']) $$;
SET kanon.ground_scan = 'group_by';
CREATE TABLE grouped AS SELECT * FROM answers();
RESET kanon.ground_scan;
CREATE TABLE before AS SELECT * FROM answers();
CREATE TABLE held AS TABLE again;
TABLE grouped EXCEPT TABLE before;
SELECT d AS dimension, kanon_refresh_dimension(d) AS added FROM unnest('{ages,zips,weights,costs,births,days,codes,sexes}'::regclass[]) d;
SELECT kanon_refresh_dimension('ages') AS added;
SELECT kanon_drop_release('again');
SELECT kanon_create_release('again', 'stays', 2, 'full_domain', options => '{"levels": [1, 2, 1, 1, 2, 2, 1, 0]}',
    quasi_identifiers => '{age,zip,weight,cost,born,seen,code,sex}', suppression => 0.99) IS NOT NULL AS made;
SELECT b.what, b.answer, a.answer FROM before b FULL JOIN answers() a USING (what) WHERE a.answer IS DISTINCT FROM b.answer;
(TABLE again EXCEPT ALL TABLE held) UNION ALL (TABLE held EXCEPT ALL TABLE again);
SELECT * FROM kanon_check_dimension('zips', 'stays', 'zip');
SELECT * FROM kanon_check_dimension('cities', 'stays', 'city');

-- The table is its owner's: what it says of a value holds, and the rule serves as far as it agrees
SELECT kanon_drop_release(r) FROM unnest('{again,by_levels,fit,mondrian,relaxed,ring,two_phase}'::regclass[]) r;
CREATE TABLE homes AS SELECT zip, age FROM stays WHERE zip ~ '^537..$';
SELECT kanon_create_dimension('areas', 'homes', 'zip', 'digits', '{1,2,3}');
ALTER TABLE areas RENAME masked_1 TO street;
ALTER TABLE areas RENAME masked_2 TO quarter;
ALTER TABLE areas RENAME TO "home areas";
ALTER TABLE "home areas" DROP masked_3;
UPDATE "home areas" SET top = 'anywhere';
UPDATE "home areas" SET street = 'harbour', quarter = 'old town' WHERE street = '5371*';
SELECT dimension, arguments, levels FROM kanon_dimension WHERE dimension = '"home areas"'::regclass;
INSERT INTO homes VALUES ('53719', 20), ('53799', 20), ('60601', 20);
SELECT zip, count(*) FROM (SELECT kanon_view_cell(kanon_view_cells('mondrian', 1, h, '{zip}') OVER (), 'zip', NULL::text) AS zip FROM homes h) h
WHERE zip ~ '9$|606' GROUP BY zip ORDER BY zip;
SELECT kanon_create_release('streets', 'homes', 1, 'full_domain', options => '{"levels": ["street"]}', quasi_identifiers => '{zip}');
SELECT zip, count(*) FROM streets GROUP BY zip ORDER BY zip COLLATE "C";
-- .. and not where new values would have two labels above one: then nothing is known of them
RESET client_min_messages;
UPDATE "home areas" SET quarter = 'shore' WHERE street = '5373*';
INSERT INTO homes VALUES ('5373x', 20);
SELECT levels, loss FROM kanon_incognito('homes', 1, '{zip}');
SELECT kanon_refresh_dimension('"home areas"');
SET client_min_messages = warning;
SELECT zip, count(*) FROM (SELECT kanon_view_cell(kanon_view_cells('mondrian', 1, h, '{zip}') OVER (), 'zip', NULL::text) AS zip FROM homes h) h
WHERE zip !~ '^537' GROUP BY zip ORDER BY zip;
SELECT kanon_create_release('fitting', 'homes', 4, 'full_domain', quasi_identifiers => '{zip}', suppression => 0.2);
SELECT count(*) FROM fitting WHERE zip = 'anywhere';
UPDATE "home areas" SET quarter = '537**' WHERE street = '5373*';
SELECT kanon_refresh_dimension('"home areas"');
SELECT * FROM "home areas" WHERE zip IN ('53719', '5373x', '60601') ORDER BY zip;
SELECT kanon_drop_release(r) FROM unnest('{streets,fitting}'::regclass[]) r;
-- Other levels, or values of another type: no rule
ALTER TABLE "home areas" ADD more text DEFAULT '*';
ALTER TABLE "home areas" DROP top;
INSERT INTO homes VALUES ('60602', 20);
SELECT kanon_refresh_dimension('"home areas"');
ALTER TABLE "home areas" ADD most text DEFAULT '*';
INSERT INTO homes VALUES ('60603', 20);
SELECT kanon_refresh_dimension('"home areas"');
ALTER TABLE "home areas" DROP most, DROP more;
UPDATE "home areas" SET quarter = '*';
SELECT kanon_refresh_dimension('"home areas"');
ALTER TABLE "home areas" ALTER zip TYPE varchar;
INSERT INTO homes VALUES ('60604', 20);
SELECT kanon_refresh_dimension('"home areas"');
DROP TABLE "home areas";
SELECT count(*) FROM kanon_dimension WHERE levels[1] = 'street';

-- Dimensions that are no rule.  The label of the top may stand below it, and labels need not be text.
CREATE TABLE jobs (job text, rank int);
INSERT INTO jobs SELECT (ARRAY['nurse', 'doctor', 'cook', 'clown', 'spy', NULL])[1 + i % 6], i % 4 FROM generate_series(1, 60) i;
CREATE TABLE works (job text, kind text, field text, top text);
INSERT INTO works VALUES ('nurse', 'health', 'services', 'all'), ('doctor', 'all', 'services', 'all'), ('cook', 'food', 'trades', 'all');
CREATE TABLE ranks (rank int, half int, top text);
INSERT INTO ranks VALUES (0, 0, '*'), (1, 0, '*'), (2, 1, '*');
SELECT kanon_set_attribute('jobs', 'job', 'quasi_identifier', 'works'), kanon_set_attribute('jobs', 'rank', 'quasi_identifier', 'ranks');
SELECT kanon_create_release('levels_' || l, 'jobs', 1, 'full_domain', options => jsonb_build_object('levels', ARRAY[l, least(l, 2)])) FROM generate_series(0, 3) l;
SELECT * FROM (SELECT 0 AS level, job, rank::text, count(*) FROM levels_0 GROUP BY job, rank UNION ALL SELECT 1, job, rank::text, count(*) FROM levels_1 GROUP BY job, rank
    UNION ALL SELECT 2, job, rank, count(*) FROM levels_2 GROUP BY job, rank UNION ALL SELECT 3, job, rank, count(*) FROM levels_3 GROUP BY job, rank) r ORDER BY level, job, rank;
SELECT levels, classes, smallest, loss::numeric(8, 6) FROM kanon_incognito('jobs', 1, metrics => true) ORDER BY levels;
SELECT r AS release, q.classes, q.smallest, q.loss::numeric(8, 6), c.loss::numeric(8, 6) AS recorded FROM unnest('{levels_0,levels_1,levels_2,levels_3}'::regclass[]) r, kanon_quality(r) q, kanon_release c WHERE c.release = r ORDER BY r::text;
SELECT r AS release, satisfied FROM unnest('{levels_0,levels_1,levels_2,levels_3}'::regclass[]) r, kanon_check_matchings(r, 1, 'jobs') ORDER BY r::text;
SELECT kanon_drop_release(r) FROM unnest('{levels_0,levels_1,levels_2,levels_3}'::regclass[]) r;
-- Several labels on top, or none
UPDATE works SET top = field;
SELECT levels, classes, smallest, loss::numeric(8, 6) FROM kanon_incognito('jobs', 1, '{job}', metrics => true) ORDER BY levels;
SELECT cell, count(*) FROM (SELECT kanon_view_cell(kanon_view_cells('mondrian', 5, j, '{job}') OVER (), 'job', NULL::text) AS cell FROM jobs j) c GROUP BY cell ORDER BY cell;
DELETE FROM works;
SELECT levels, classes, smallest, loss FROM kanon_incognito('jobs', 1, '{job}', metrics => true) ORDER BY levels;
SELECT kanon_create_release('nothing', 'jobs', 1, 'full_domain', options => '{"levels": [3]}', quasi_identifiers => '{job}');
SELECT job, count(*) FROM nothing GROUP BY job;
SELECT cell, count(*) FROM (SELECT kanon_view_cell(kanon_view_cells('two_phase', 5, j, '{job}') OVER (), 'job', NULL::text) AS cell FROM jobs j) c GROUP BY cell ORDER BY cell;

-- A level of a type that is not like text shows unknown values as NULL.  What is hidden so is lost, and
-- where NULLs are shown beside it, nobody knows which is which: says the search, the release, and whoever measures it
CREATE TABLE wards (ward text, sex text);
CREATE TABLE floors AS SELECT 'w' || w AS ward, w / 2 AS floor, int4range(w / 4, 9) AS "range", '*' AS top FROM generate_series(1, 5) w;
SELECT kanon_set_attribute('wards', 'ward', 'quasi_identifier', 'floors');
CREATE FUNCTION losses() RETURNS TABLE (level int, method text, search numeric(8, 6), release numeric(8, 6), quality numeric(8, 6), compared numeric(8, 6)) LANGUAGE plpgsql AS $$
BEGIN
    FOR level IN 1 .. 3 LOOP
        PERFORM kanon_create_release('measured', 'wards', 1, 'full_domain', options => jsonb_build_object('levels', ARRAY[level]));
        RETURN QUERY SELECT level, 'full_domain', i.loss::numeric, r.loss::numeric, q.loss::numeric, NULL::numeric FROM kanon_incognito('wards', 1) i, kanon_quality('measured') q, kanon_release r
            WHERE i.levels = ARRAY[level] AND r.release = 'measured'::regclass;
        PERFORM kanon_drop_release('measured');
    END LOOP;
    FOR method IN VALUES ('full_domain'), ('mondrian'), ('two_phase') LOOP
        PERFORM kanon_create_release('measured', 'wards', 2, method);
        RETURN QUERY SELECT NULL::int, method, NULL::numeric, r.loss::numeric, q.loss::numeric, c.loss::numeric FROM kanon_quality('measured') q, kanon_release r, kanon_compare('wards', '{2}', ARRAY[method]) c
            WHERE r.release = 'measured'::regclass;
        PERFORM kanon_drop_release('measured');
    END LOOP;
END $$;
INSERT INTO wards SELECT 'w' || 1 + i % 5, (ARRAY['f', 'm'])[1 + i % 2] FROM generate_series(1, 20) i;
CREATE TABLE lost AS SELECT 'known' AS what, * FROM losses();
INSERT INTO wards VALUES ('x1', 'f'), ('x1', 'm'), ('x2', 'f'), ('x2', 'm');
INSERT INTO lost SELECT 'unknown', * FROM losses();
INSERT INTO wards VALUES (NULL, 'f'), (NULL, 'm');
INSERT INTO lost SELECT 'unknown, NULL', * FROM losses();
DELETE FROM wards WHERE ward ~ '^x';
INSERT INTO lost SELECT 'NULL', * FROM losses();
DELETE FROM floors WHERE ward <> 'w1';
DELETE FROM wards WHERE ward IS NULL OR ward IN ('w4', 'w5');
INSERT INTO lost SELECT 'one known', * FROM losses();
INSERT INTO wards VALUES (NULL, 'f'), (NULL, 'm');
INSERT INTO lost SELECT 'one known, NULL', * FROM losses();
DELETE FROM floors;
INSERT INTO lost SELECT 'none known', * FROM losses();
SELECT what, level, method, search::numeric(8, 6), release::numeric(8, 6), quality::numeric(8, 6), compared FROM lost
WHERE method = 'full_domain' AND level < 3 OR EXISTS (SELECT FROM (VALUES (search), (release), (quality), (compared)) v (loss) HAVING count(DISTINCT loss::numeric(8, 6)) > 1);
DROP TABLE wards, floors, lost;
DROP FUNCTION losses;

-- A dimension whose levels are gone labels nothing: its rule is none, and it was a crash.
CREATE TABLE beds AS SELECT i % 3 AS bed FROM generate_series(1, 12) i;
SELECT kanon_create_dimension('bare', 'beds', 'bed', 'ranges', '{5}');
ALTER TABLE bare DROP COLUMN range_5, DROP COLUMN top;
INSERT INTO beds SELECT 77 FROM generate_series(1, 2);
SELECT * FROM kanon_check('beds', 2);
SELECT kanon_create_release('bedside', 'beds', 3);
SELECT levels FROM kanon_incognito('beds', 2);
SELECT kanon_refresh_dimension('bare'); -- says that it has no levels
TABLE bedside;
SELECT kanon_drop_release('bedside');
DROP TABLE beds, bare;

-- Errors
\set VERBOSITY terse
SELECT kanon_refresh_dimension(NULL);
SELECT kanon_refresh_dimension(0);
SELECT kanon_refresh_dimension('stays');
SELECT kanon_refresh_dimension('cities');
SELECT kanon_refresh_dimension('works');
SELECT kanon_refresh_dimension('pg_class');
BEGIN READ ONLY;
SELECT kanon_refresh_dimension('zips');
ROLLBACK;
SELECT kanon_unset_attribute('stays', 'code');
SELECT kanon_refresh_dimension('codes');
DELETE FROM kanon_dimension_state;
-- Others' relations are read for callers who have their owners' rights, if the dimension's owner is trusted
RESET ROLE;
CREATE TABLE foreigners AS SELECT '10000'::text AS zip;
GRANT SELECT ON zips TO PUBLIC;
SELECT kanon_set_attribute('foreigners', 'zip', 'quasi_identifier', 'zips');
SET kanon.trusted_owners = 'nobody, regress_missing';
SELECT kanon_set_attribute('foreigners', 'zip', 'quasi_identifier', 'zips');
SET ROLE regress_missing;
SELECT kanon_refresh_dimension('zips');
RESET ROLE;
SELECT kanon_refresh_dimension('zips');
RESET kanon.trusted_owners;
SELECT kanon_refresh_dimension('zips');
SET kanon.trusted_owners = 'a, ,b';
SET client_min_messages = error;
-- Window partitions share what is read of a dimension, and each brings values that it lacks
CREATE TABLE few_places AS SELECT 'p' || i AS place, 'all' AS region FROM generate_series(1, 3) i;
CREATE TABLE lodgers AS SELECT 'p' || i AS place, i % 40 AS part FROM generate_series(1, 2000) i;
SELECT kanon_set_attribute('lodgers', 'place', 'quasi_identifier', 'few_places');
SELECT count(*), count(DISTINCT (part, class)) AS classes FROM (SELECT part, kanon_mondrian(5, l, '{place}') OVER (PARTITION BY part) AS class FROM lodgers l) c;
-- .. all of them, if it is empty
DELETE FROM few_places;
INSERT INTO lodgers SELECT 'q' || i, 40 + i % 40 FROM generate_series(1, 20000) i;
SELECT count(*), count(DISTINCT (part, class)) AS classes FROM (SELECT part, kanon_mondrian(5, l, '{place}') OVER (PARTITION BY part) AS class FROM lodgers l) c;
DROP SCHEMA missing CASCADE;
DROP ROLE regress_missing;
SELECT count(*) FROM kanon_dimension r WHERE NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = r.dimension);
