-- Mondrian by gain, with rest parts: divisions worked out by hand, ties, weights, models, trees,
-- and where rows are divided.  Strict Mondrian, the papers', beside it.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
CREATE SCHEMA gaining;
SET search_path = gaining, public;
RESET client_min_messages;
\set SHOW_CONTEXT never

-- Rare labels go together.  At least 5 rows: Africa has 3, Oceania 1, which are 4 together; so the smallest other, Asia, joins them.
CREATE TABLE continents AS SELECT * FROM (VALUES ('US', 'Americas', '*'), ('Peru', 'Americas', '*'), ('Japan', 'Asia', '*'), ('Kenya', 'Africa', '*'), ('Fiji', 'Oceania', '*')) c (country, continent, top);
CREATE TABLE travellers AS SELECT i AS id, CASE WHEN i <= 20 THEN 'US' WHEN i <= 30 THEN 'Peru' WHEN i <= 37 THEN 'Japan' WHEN i <= 40 THEN 'Kenya' ELSE 'Fiji' END AS country FROM generate_series(1, 41) i;
SELECT kanon_set_attribute('travellers', 'country', 'quasi_identifier', 'continents');
SELECT class, count(*), string_agg(DISTINCT country, ' ' ORDER BY country) FROM (SELECT country, kanon_mondrian(5, t, '{country}') OVER () AS class FROM travellers t) c GROUP BY class ORDER BY class;
SELECT class, count(*) FROM (SELECT kanon_strict_mondrian(5, t, '{country}') OVER () AS class FROM travellers t) c GROUP BY class ORDER BY class;
-- With k = 11 these three are just enough; with 12 nothing can be divided.
SELECT k, array_agg(format('%s: %s', class, countries) ORDER BY class) FROM unnest('{3,4,11,12,20,21}'::int[]) k,
    LATERAL (SELECT class, string_agg(DISTINCT country, ' ' ORDER BY country) AS countries FROM (SELECT country, kanon_mondrian(k, t, '{country}') OVER () AS class FROM travellers t) c GROUP BY class) c
GROUP BY k ORDER BY k;
-- What a release shows: the rest keeps the label above, or the lowest that is above all of its own.
SELECT kanon_set_attribute('travellers', 'id', 'identifier');
SELECT kanon_create_release('gained', 'travellers', 5, 'mondrian');
SELECT country, count(*) FROM gained GROUP BY country ORDER BY country COLLATE "C";
SELECT kanon_create_release('strict', 'travellers', 5, 'strict_mondrian');
SELECT country, count(*) FROM strict GROUP BY country ORDER BY country COLLATE "C";
SELECT release, recoding, classes, smallest, round(loss::numeric, 4) AS loss, parameters -> 'rest' AS rest FROM kanon_release WHERE relation = 'travellers'::regclass ORDER BY release::text;
SELECT release, satisfied FROM unnest('{gained,strict}'::regclass[]) release, kanon_check(release);
SELECT kanon_replace_release('strict', recoding => 'mondrian');
SELECT count(*) FROM (TABLE strict EXCEPT ALL TABLE gained) d;
SELECT kanon_replace_release('gained', recoding => 'strict_mondrian');
SELECT recoding, parameters -> 'rest' AS rest FROM kanon_release WHERE release = 'gained'::regclass;
SELECT kanon_drop_release('gained'), kanon_drop_release('strict');

-- A release of a time when mondrian was strict and told of the median, which was its default.  By mondrian as it is now it divides by gain.
SELECT kanon_create_release('papers', 'travellers', 5, 'strict_mondrian');
DO $$ BEGIN EXECUTE format('CREATE MATERIALIZED VIEW former AS %s', replace(pg_get_viewdef('papers'), '''strict_mondrian''', '''mondrian''')); END $$;
INSERT INTO kanon_release_state SELECT (jsonb_populate_record(s, jsonb_build_object('release', 'former', 'recoding', 'mondrian',
    'parameters', s.parameters || '{"recoding": "mondrian", "split": "median"}'))).*
FROM kanon_release_state s WHERE release = 'papers'::regclass;
SELECT kanon_drop_release('papers');
SELECT kanon_replace_release('former', 4);
SELECT recoding, k, parameters -> 'split' AS split, parameters -> 'rest' AS rest FROM kanon_release WHERE release = 'former'::regclass;
UPDATE kanon_release_state SET recoding = 'mondrian', parameters = parameters || '{"recoding": "mondrian", "split": "median"}' WHERE release = 'former'::regclass;
SELECT kanon_replace_release('former', recoding => 'mondrian');
SELECT recoding, k, parameters -> 'split' AS split, parameters -> 'rest' AS rest FROM kanon_release WHERE release = 'former'::regclass;
-- A median that was chosen stays.
SELECT kanon_replace_release('former', options => '{"split": "median"}'), kanon_replace_release('former', 5);
SELECT recoding, k, parameters -> 'split' AS split, parameters -> 'rest' AS rest FROM kanon_release WHERE release = 'former'::regclass;
SELECT kanon_drop_release('former');

-- Gain for each bit, k = 2, 8 rows: two halves gain all for one bit a row, four labels all for two.
CREATE TABLE fours AS SELECT * FROM (VALUES ('a', '*'), ('b', '*'), ('c', '*'), ('d', '*')) f (four, top);
CREATE TABLE pairs AS SELECT i AS id, chr(97 + i % 4) AS four, i / 4 AS half FROM generate_series(0, 7) i;
SELECT kanon_set_attribute('pairs', 'four', 'quasi_identifier', 'fours');
SELECT class, string_agg(four || half, ' ' ORDER BY four, half) FROM (SELECT four, half, kanon_mondrian(2, p, '{half,four}') OVER () AS class FROM pairs p) c GROUP BY class ORDER BY class;

-- Ties: fewest values, then name.  So no order of the columns matters, here with columns that are one another's copies.
CREATE TABLE alike AS SELECT i AS id, i % 9 AS c, i * 7 % 9 AS a, i * 5 % 9 AS d, i % 4 AS b, CASE WHEN i % 7 = 0 THEN NULL ELSE i % 5 END AS e FROM generate_series(1, 240) i;
CREATE FUNCTION orders(one text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    columns name[];
    said text;
    heard text[];
BEGIN
    FOREACH columns SLICE 1 IN ARRAY '{{a,b,c,d,e},{e,d,c,b,a},{c,a,e,b,d},{b,e,a,d,c},{d,c,b,e,a}}'::name[] LOOP
        EXECUTE format('SELECT string_agg(class::text, '','' ORDER BY id) FROM (SELECT id, %s OVER () AS class FROM alike r) c', format(one, columns)) INTO said;
        heard := heard || said;
    END LOOP;
    RETURN (SELECT count(DISTINCT h) FROM unnest(heard) h);
END $$;
SELECT one, orders(one) FROM unnest(ARRAY['kanon_mondrian(3, r, %L)', 'kanon_mondrian(7, r, %L)', 'kanon_mondrian(20, r, %L)', 'kanon_mondrian(4, r, %L, split => ''infogain'', target => ''id'')',
    'kanon_mondrian(4, r, %L, split => ''regression'', target => ''id'')', 'kanon_local(5, r, %L)']) one;
SELECT orders('kanon_strict_mondrian(7, r, %L)') > 1 AS strict_goes_by_their_order;

-- Weights: what loses more is divided first.
CREATE TABLE even AS SELECT i AS id, i % 4 AS a, i / 4 AS b FROM generate_series(0, 15) i;
SELECT kanon_set_attribute('even', 'a', 'quasi_identifier', weight => 3), kanon_set_attribute('even', 'b', 'quasi_identifier');
SELECT class, min(a) || '-' || max(a) AS a, min(b) || '-' || max(b) AS b FROM (SELECT a, b, kanon_mondrian(4, e) OVER () AS class FROM even e) c GROUP BY class ORDER BY class;
SELECT class, min(a) || '-' || max(a) AS a, min(b) || '-' || max(b) AS b FROM (SELECT a, b, kanon_mondrian(4, ROW(a, b)) OVER () AS class FROM even e) c GROUP BY class ORDER BY class;
-- A release keeps them.
SELECT kanon_set_attribute('even', 'id', 'identifier');
SELECT kanon_create_release('weighed', 'even', 4, 'mondrian');
SELECT DISTINCT a, b FROM weighed ORDER BY 1, 2;
SELECT kanon_set_attribute('even', 'a', 'quasi_identifier', weight => 1);
SELECT changed FROM kanon_refresh_release('weighed');
SELECT parameters -> 'column_weights' AS weights FROM kanon_release WHERE release = 'weighed'::regclass;
SELECT kanon_drop_release('weighed');

-- Where nothing gains, medians decide: texts are shown or hidden, and half of them are hidden whatever is done.
SELECT class, string_agg(t, '' ORDER BY t) FROM (SELECT t, kanon_mondrian(3, ROW(t)) OVER () AS class FROM unnest(string_to_array('abcdefghijkl', NULL)) t) c GROUP BY class ORDER BY class;

-- Text is worth dividing as far as a release shows it: names that nobody shares are not, words that many share are.
CREATE TABLE named AS SELECT i AS age, 'name ' || i * 5 % 16 AS name FROM generate_series(0, 15) i;
SELECT kanon_create_release('gained', 'named', 4, 'mondrian', quasi_identifiers => '{age,name}');
SELECT age, name, count(*) FROM gained GROUP BY age, name ORDER BY age, name;
SELECT kanon_drop_release('gained');
CREATE TABLE worded AS SELECT i AS age, CASE WHEN i % 16 > 0 AND i * 5 % 16 < 9 THEN 'few' ELSE 'many' END AS word FROM generate_series(0, 15) i;
SELECT kanon_create_release('gained', 'worded', 4, 'mondrian', quasi_identifiers => '{age,word}');
SELECT word, age, count(*) FROM gained GROUP BY word, age ORDER BY word, age;
SELECT kanon_drop_release('gained');
SELECT way, source, recoding, round(loss::numeric, 4) AS loss FROM unnest('{memory,tree}'::text[]) way, unnest('{named,worded}'::regclass[]) source,
    set_config('kanon.partitioning', way, true), kanon_compare(source, '{4}', '{mondrian,strict_mondrian}', CASE source WHEN 'named'::regclass THEN '{age,name}' ELSE '{age,word}' END::name[]);
RESET kanon.partitioning;

-- NULLs: apart if they are enough; otherwise with the rest if it needs them, or where they cost least.
SELECT nulls, array_agg(format('%s: %s', class, countries) ORDER BY class) FROM unnest('{1,2,5}'::int[]) nulls,
    LATERAL (SELECT class, string_agg(DISTINCT coalesce(country, 'NULL'), ' ') AS countries FROM
        (SELECT country, kanon_mondrian(5, t, '{country}') OVER () AS class FROM (SELECT id, country FROM travellers UNION ALL SELECT NULL, NULL FROM generate_series(1, nulls)) t) c GROUP BY class) c
GROUP BY nulls ORDER BY nulls;

-- Models: a label whose rows fail them goes to the rest.
ALTER TABLE travellers ADD illness text;
UPDATE travellers SET illness = CASE WHEN country = 'Peru' THEN 'flu' ELSE 'illness ' || id % 3 END;
SELECT class, count(*), count(DISTINCT illness) AS illnesses, string_agg(DISTINCT country, ' ') FROM
    (SELECT country, illness, kanon_mondrian(3, t, '{country}', 'distinct(illness, 2)') OVER () AS class FROM travellers t) c GROUP BY class ORDER BY class;

-- Criteria: at the median, mondrian is strict; by gain, strict_mondrian has no rest.
SELECT count(*) FILTER (WHERE median <> strict) AS median, count(*) FILTER (WHERE gain <> plain) AS gain FROM
    (SELECT kanon_mondrian(4, r, '{a,b,c}', split => 'median') OVER w AS median, kanon_strict_mondrian(4, r, '{a,b,c}') OVER w AS strict,
        kanon_strict_mondrian(4, r, '{a,b,c}', split => 'gain') OVER w AS gain, kanon_mondrian(4, r, '{a,b,c}') OVER w AS plain FROM alike r WINDOW w AS ()) c;
SELECT DISTINCT kanon_strict_mondrian(5, t, '{country}', split => 'gain') OVER () AS class FROM travellers t;
SELECT count(DISTINCT class) FROM (SELECT kanon_strict_mondrian(5, t, '{country}', split => 'infogain', target => 'illness') OVER () AS class FROM travellers t) c;
SELECT count(DISTINCT class) FROM (SELECT kanon_mondrian(5, t, '{country}', split => 'infogain', target => 'illness') OVER () AS class FROM travellers t) c;

-- Trees know rests: the same classes, for the rows and for those that come with other labels.
SELECT kanon_grow_tree('travellers', 5, '{country}') AS tree;
CREATE TABLE recoding AS SELECT kanon_grow_tree('travellers', 5, '{country}') AS tree;
SELECT count(*) FROM (SELECT kanon_leaf(tree, t) AS leaf, kanon_mondrian(5, t, '{country}') OVER () AS class FROM travellers t, recoding) c WHERE leaf IS DISTINCT FROM class;
SELECT country, kanon_leaf(tree, ROW(country)) AS class, kanon_region(tree, ROW(country)) AS region FROM recoding, unnest('{US,Peru,Japan,Kenya,Fiji,Atlantis,NULL}'::text[]) country;
SELECT tree::text::kanon_tree = tree AS read_again, kanon_tree_send(tree) = kanon_tree_send(tree::text::kanon_tree) AS sent FROM recoding;
SELECT replace(tree::text, '"rest": true', '"rest": false')::kanon_tree FROM recoding;
SELECT replace(tree::text, '"rest": true', '"rest": true, "rest": true')::kanon_tree FROM recoding;
SELECT regexp_replace(tree::text, '\["Americas"\]', '[]')::kanon_tree FROM recoding;
SELECT replace(tree::text, ', "rest": true', '')::kanon_tree FROM recoding;
SELECT kanon_grow_tree('travellers', 5, '{country}', split => 'median') AS strict;

-- .. and tapes and samples: many labels, some of them rare, under two attributes, with NULLs.
CREATE TABLE towns AS SELECT 'town ' || i AS town, 'district ' || i / 5 AS district, 'country ' || i / 40 AS country, '*' AS top FROM generate_series(0, 199) i;
CREATE TABLE folk AS SELECT i AS id, CASE WHEN i % 97 <> 0 THEN 'town ' || (power(hashint4(i) & 1023, 2) / 5300)::int END AS town, (hashint4(i + 7777) & 63) AS age, (hashint4(-i) & 7) AS ward FROM generate_series(1, 6000) i;
SELECT kanon_set_attribute('folk', 'town', 'quasi_identifier', 'towns'), kanon_declare('folk', '{age,town}', sensitive => '{ward}', identifiers => '{id}');
SET kanon.partitioning = memory;
CREATE TABLE inside AS SELECT id, kanon_mondrian(8, f) OVER () AS class, kanon_mondrian(8, f, models => 'distinct(ward, 4)') OVER () AS modelled, kanon_mondrian(8, f, split => 'infogain', target => 'ward') OVER () AS told FROM folk f;
CREATE TABLE tree_inside AS SELECT kanon_mondrian_tree(8, f) AS tree FROM folk f;
SET kanon.partitioning = tree;
SET kanon.memory_limit = '500kB';
CREATE TABLE taped AS SELECT id, kanon_mondrian(8, f) OVER () AS class, kanon_mondrian(8, f, models => 'distinct(ward, 4)') OVER () AS modelled, kanon_mondrian(8, f, split => 'infogain', target => 'ward') OVER () AS told FROM folk f;
SELECT count(*) FROM inside i JOIN taped t USING (id) WHERE (i.class, i.modelled, i.told) IS DISTINCT FROM (t.class, t.modelled, t.told);
SELECT counted > 0 AS counted, parts_in_memory > 0 AS divided FROM kanon_last_partitioning();
SELECT count(*) AS rests, (SELECT kanon_grow_tree('folk', 8) = tree FROM tree_inside) AS same FROM tree_inside, regexp_matches(tree::text, '"rest"', 'g');
SELECT count(*) FROM (SELECT kanon_leaf(tree, f) AS leaf, class FROM folk f JOIN inside USING (id), tree_inside) c WHERE leaf IS DISTINCT FROM class;
SET kanon.partitioning = sample;
CREATE TABLE sampled AS SELECT f.*, kanon_mondrian(8, f) OVER () AS class FROM folk f;
SELECT count(*) AS differ FROM sampled JOIN (SELECT id, kanon_mondrian(8, f) OVER (ORDER BY -id) AS class FROM folk f) again USING (id) WHERE sampled.class <> again.class;
SELECT satisfied, smallest, (SELECT max(class) FROM sampled) BETWEEN 0.9 * (SELECT max(class) FROM inside) AND 1.1 * (SELECT max(class) FROM inside) AS about_as_many FROM kanon_check('sampled', 8, '{class}');
RESET kanon.memory_limit;
-- .. whatever the order of columns.
CREATE TABLE crowd AS SELECT i AS id, hashint4(i) & 1023 AS a, hashint4(-i) & 255 AS b FROM generate_series(1, 20000) i;
SELECT count(*) AS differ FROM (SELECT kanon_mondrian(8, c, '{a,b}') OVER w AS class, kanon_mondrian(8, c, '{b,a}') OVER w AS other FROM crowd c WINDOW w AS ()) c WHERE class <> other;
RESET kanon.partitioning;

-- Very many labels, each of which fails by itself: they are judged in time for each row, not for each label and row.
CREATE TABLE cells AS SELECT i AS cell, '*' AS top FROM generate_series(0, 17499) i;
CREATE TABLE swarm AS SELECT i / 4 AS cell, i / 4 AS hive FROM generate_series(0, 69999) i;
SELECT kanon_set_attribute('swarm', 'cell', 'quasi_identifier', 'cells');
SET statement_timeout = '20s';
SELECT max(class) FROM (SELECT kanon_mondrian(2, s, '{cell}', 'distinct(hive, 2)') OVER () AS class FROM swarm s) c;
RESET statement_timeout;

-- Errors
\set VERBOSITY terse
SELECT kanon_strict_mondrian(0, ROW(id)) OVER () FROM travellers;
SELECT kanon_strict_mondrian(2, ROW(id), split => 'mean') OVER () FROM travellers;
SELECT kanon_strict_mondrian(2, ROW(id), target => 'f1') OVER () FROM travellers;
SELECT kanon_strict_mondrian(2, ROW(id, id), split => 'infogain') OVER () FROM travellers;
SELECT kanon_create_release('r', 'travellers', 2, 'strict_mondrian', suppression => 0.1);
SELECT kanon_create_release('r', 'travellers', 2, 'strict_mondrian', options => '{"rest": true}');
SELECT kanon_create_release('r', 'travellers', 2, 'relaxed_mondrian', options => '{"split": "gain"}');

SET client_min_messages = warning;
DROP SCHEMA gaining CASCADE;
