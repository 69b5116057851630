-- Full-domain searches with privacy models and with people: answers worked out
-- by hand, what is not monotone, kinds of relations, and every error.
SET client_min_messages = warning;
CREATE SCHEMA searching;
SET search_path = searching, public;
RESET client_min_messages;

-- Eight visits in two towns.  By town and sex every class has two rows.
CREATE TABLE visits (person text, town text, sex text, disease text, cost int);
INSERT INTO visits VALUES
    ('Ada',  'north', 'f', 'asthma', 100), ('Ben', 'north', 'm', 'asthma', 200),
    ('Cleo', 'north', 'f', 'flu',    300), ('Dan', 'north', 'm', 'flu',    400),
    ('Eve',  'south', 'f', 'cancer', 500), ('Fay', 'south', 'f', 'cancer', 500),
    ('Gus',  'south', 'm', 'cancer', 600), ('Hal', 'south', 'm', 'asthma', 700);
SELECT levels, minimal FROM kanon_incognito('visits', 2, '{town,sex}');

-- The women of the south all have cancer: 1 value.
SELECT levels, minimal FROM kanon_incognito('visits', 2, '{town,sex}', ARRAY['distinct(disease, 2)']);

-- Entropy: north 2 of asthma and 2 of flu, so log 2; south 3 of cancer and 1 of
-- asthma, so log 1.75; women and men 1/4, 1/4 and 1/2 each, so log 2.83.
SELECT levels, minimal FROM kanon_incognito('visits', 2, '{town,sex}', '{"entropy(disease, 2)"}');

-- r1 < c (r2 + ..): north 2 < 2 c, south 3 < 1 c, women and men 2 < 2 c, all 3 < 5 c
SELECT levels, minimal FROM kanon_incognito('visits', 2, '{town,sex}', '{"recursive(disease, 1, 2)"}');
SELECT levels, minimal FROM kanon_incognito('visits', 2, '{town,sex}', '{"recursive(disease, 1.5, 2)"}');

-- All: 3/8 asthma, 2/8 flu, 3/8 cancer.  Women: 2/8, 2/8, 4/8, so 1/8 moves;
-- men: 4/8, 2/8, 2/8, so 1/8; north: 4/8, 4/8, 0, so 3/8.
SELECT levels, minimal FROM kanon_incognito('visits', 2, '{town,sex}', '{"closeness(disease, 0.125)"}');
SELECT levels, minimal FROM kanon_incognito('visits', 2, '{town,sex}', '{"closeness(disease, 0.124)"}');

-- .. where asthma and cancer lie at 1/2, and flu at 1 from both: women and men
-- 1/8 * 1/2; north 1/8 * 1/2 + 2/8 * 1; south, of 2/8, 0 and 6/8, the same
CREATE TABLE diseases (disease text PRIMARY KEY, kind text, every text);
INSERT INTO diseases VALUES ('asthma', 'long', '*'), ('flu', 'short', '*'), ('cancer', 'long', '*');
SELECT kanon_set_attribute('visits', 'disease', 'sensitive', 'diseases');
SELECT levels, minimal FROM kanon_incognito('visits', 2, '{town,sex}', '{"closeness(disease, 0.0625)"}');
SELECT levels, minimal FROM kanon_incognito('visits', 2, '{town,sex}', '{"closeness(disease, 0.3125)"}');
SELECT kanon_unset_attribute('visits', 'disease');

-- .. and ordered.  Up to 100, .., 600 lie 1, 2, 3, 4, 6, 7 of 8 in all; of women
-- 2, 2, 4, 4, 8, 8 and of men 0, 2, 2, 4, 4, 6 eighths: 5/8 in 6 steps, 0.104.
-- In the north 2, 4, 6, 8, 8, 8: 13/8 in 6 steps, 0.271.
SELECT levels, minimal FROM kanon_incognito('visits', 2, '{town,sex}', '{"closeness(cost, 0.105)"}');
SELECT levels, minimal FROM kanon_incognito('visits', 2, '{town,sex}', '{"closeness(cost, 0.104)"}');
SELECT levels, minimal FROM kanon_incognito('visits', 2, '{town,sex}', '{"closeness(cost, 0.271)"}');

-- Variance: north 12500, south 6875, women 27500, men 36875
SELECT levels, minimal FROM kanon_incognito('visits', 2, '{town,sex}', '{"variance(cost, 6875)"}');
SELECT levels, minimal FROM kanon_incognito('visits', 2, '{town,sex}', '{"variance(cost, 6876)"}');

-- Several at once, on two columns
SELECT levels, minimal FROM kanon_incognito('visits', 2, '{town,sex}', '{"distinct(disease, 2)","variance(cost, 6876)"}');

-- Suppression: 2 of 8 rows may go.  By town and sex the women of the south do;
-- by town alone the south fails with 4 rows, so a generalization of a node that
-- satisfies does not.
SELECT levels, minimal, classes, smallest, suppressed
FROM kanon_incognito('visits', 2, '{town,sex}', '{"entropy(disease, 2)"}', suppression => 0.25, metrics => true);
SELECT size, candidates, checked, satisfying, table_scans FROM kanon_last_search();
SELECT levels, minimal, suppressed FROM kanon_binary_search('visits', 2, '{town,sex}', '{"entropy(disease, 2)"}', 0.25, metrics => true);
SELECT levels, minimal, suppressed FROM kanon_datafly('visits', 2, '{sex,town}', '{"entropy(disease, 2)"}', 0.25, metrics => true);
-- .. which is monotone for distinct
SELECT levels, minimal, classes, smallest, suppressed
FROM kanon_incognito('visits', 2, '{town,sex}', '{"distinct(disease, 2)"}', suppression => 0.25, metrics => true);

-- The lowest nodes that satisfy the monotone part need not satisfy the whole;
-- all together have 3, 2 and 3, so log 2.95, and nothing has log 3.
SELECT levels, minimal FROM kanon_binary_search('visits', 2, '{town,sex}', '{"entropy(disease, 2.5)"}', 0.25);
SELECT levels, minimal FROM kanon_binary_search('visits', 2, '{town,sex}', '{"entropy(disease, 3)"}', 0.25);
SELECT levels, minimal FROM kanon_datafly('visits', 2, '{town,sex}', '{"entropy(disease, 2.5)"}', 0.25);
SELECT levels, minimal FROM kanon_datafly('visits', 2, '{town,sex}', '{"entropy(disease, 3)"}', 0.25);

-- People.  Ada is in both rooms: two people in each, three in all.  In each room
-- two values are equally frequent; all together the fever is one person's, and
-- the cough two people's, so log 1.89.
CREATE TABLE stays (person text, room int, disease text);
INSERT INTO stays VALUES ('Ada', 1, 'fever'), ('Ben', 1, 'cough'), ('Ada', 2, 'fever'), ('Cleo', 2, 'cough');
SELECT levels, minimal FROM kanon_incognito('stays', 2, '{room}', '{"entropy(disease, 2)"}', person => 'person');
SELECT levels, minimal FROM kanon_incognito('stays', 2, '{room}', '{"entropy(disease, 2)"}');
SELECT levels, minimal, smallest, average_class FROM kanon_incognito('stays', 3, '{room}', person => 'person', metrics => true);
SELECT levels, minimal, smallest, average_class FROM kanon_incognito('stays', 2, '{room}', person => 'person', metrics => true);
-- .. Ben again and again is one person still, and nobody's rows are nobody's
INSERT INTO stays SELECT 'Ben', 1, 'cough' FROM generate_series(1, 5);
INSERT INTO stays SELECT NULL, 2, 'plague' FROM generate_series(1, 3);
SELECT levels, smallest, classes, suppressed FROM kanon_incognito('stays', 3, '{room}', person => 'person', metrics => true);
SELECT levels, smallest, classes, suppressed FROM kanon_incognito('stays', 3, '{room}', metrics => true);
SELECT levels FROM kanon_incognito('stays', 2, '{room}', '{"distinct(disease, 3)"}');
SELECT levels FROM kanon_incognito('stays', 2, '{room}', '{"distinct(disease, 2)"}', person => 'person');
-- .. the person may be sensitive, or a quasi-identifier, where a class is one person
SELECT levels FROM kanon_incognito('stays', 2, '{room}', '{"distinct(person, 2)"}', person => 'person');
SELECT levels FROM kanon_incognito('stays', 2, '{room,person}', person => 'person');

-- NULL is a value
CREATE TABLE gaps AS SELECT town, sex, nullif(disease, 'flu') AS disease FROM visits;
SELECT levels, minimal FROM kanon_incognito('gaps', 2, '{town,sex}', '{"distinct(disease, 2)"}');

-- All algorithms, both ways of reading, tables and views
CREATE VIEW seen AS SELECT * FROM visits;
CREATE FUNCTION answers(relation text, arguments text) RETURNS TABLE (call text, levels text) LANGUAGE plpgsql AS $$
DECLARE
    algorithm text;
    way text;
BEGIN
    FOREACH way IN ARRAY '{stream,group_by}'::text[] LOOP
        PERFORM set_config('kanon.ground_scan', way, true);
        FOREACH algorithm IN ARRAY ARRAY['incognito:algorithm => ''basic''', 'incognito:algorithm => ''superroots''', 'incognito:algorithm => ''cube''',
                                         'incognito:algorithm => ''two_way''', 'bottom_up:rollup => true', 'bottom_up:rollup => false'] LOOP
            call := way || ' ' || algorithm;
            EXECUTE format('SELECT string_agg(levels::text || CASE WHEN minimal THEN ''*'' ELSE '''' END, '' '' ORDER BY levels) FROM kanon_%s(%L, %s, %s)',
                           split_part(algorithm, ':', 1), relation, arguments, split_part(algorithm, ':', 2)) INTO levels;
            RETURN NEXT;
        END LOOP;
    END LOOP;
END $$;
SELECT levels, count(*) FROM answers('visits', $$2, '{town,sex}', '{"entropy(disease, 2)"}'$$) GROUP BY 1;
SELECT levels, count(*) FROM answers('seen', $$2, '{town,sex}', '{"entropy(disease, 2)","variance(cost, 6876)"}', 0.25$$) GROUP BY 1;
SELECT levels, count(*) FROM answers('stays', $$2, '{room}', '{"distinct(disease, 2)"}', 0.3, person => 'person'$$) GROUP BY 1;

-- Thousands of groups: classes are judged from an array of all combinations.  What
-- differs from plain SQL, of generalizations, classes and suppressed rows: nothing.
CREATE TABLE crowd AS
SELECT i % 10 AS a, i / 10 % 10 AS b, i / 100 % 20 AS c, x % (2 + i % 10 / 2) AS s, x / 7 % (1 + i / 10 % 10 / 3) AS t
FROM (SELECT i, i * 7919 % 104729 AS x FROM generate_series(1, 8000) i) x;
CREATE VIEW plain_sql AS
WITH by_s AS (SELECT ARRAY[grouping(a), grouping(b), grouping(c)] AS levels, a, b, c, s, count(*) AS n FROM crowd GROUP BY CUBE (a, b, c), s),
by_t AS (SELECT ARRAY[grouping(a), grouping(b), grouping(c)] AS levels, a, b, c, t FROM crowd GROUP BY CUBE (a, b, c), t),
entropies AS (
    SELECT levels, a, b, c, sum(n) AS rows, ln(sum(n)) - sum(n * ln(n)) / sum(n) AS entropy FROM by_s GROUP BY levels, a, b, c),
counts AS (SELECT levels, a, b, c, count(*) AS values FROM by_t GROUP BY levels, a, b, c)
SELECT e.levels, e.rows, e.rows >= 4 AND e.entropy >= ln(2.5) AND d.values >= 2 AS satisfied
FROM entropies e JOIN counts d ON (e.levels, e.a, e.b, e.c) IS NOT DISTINCT FROM (d.levels, d.a, d.b, d.c);
CREATE VIEW expected AS
SELECT levels, count(*) FILTER (WHERE satisfied) AS classes, coalesce(sum(rows) FILTER (WHERE NOT satisfied), 0)::bigint AS suppressed
FROM plain_sql GROUP BY levels HAVING coalesce(sum(rows) FILTER (WHERE NOT satisfied), 0) <= 0.5 * 8000;
SELECT count(*), sum(classes) > 100 AS classes, sum(suppressed) > 1000 AS suppressed FROM expected;
SELECT algorithm, count(*) AS found, count(e.levels) AS expected
FROM unnest('{basic,superroots,cube,two_way}'::text[]) algorithm,
     LATERAL kanon_incognito('crowd', 4, '{a,b,c}', '{"entropy(s, 2.5)","distinct(t, 2)"}', 0.5, algorithm, true) g
     LEFT JOIN expected e USING (levels, classes, suppressed)
GROUP BY algorithm ORDER BY algorithm;

-- A table of nobody has nobody to hide
CREATE TABLE nobody AS SELECT NULL::text AS person, 1 AS room, 'x' AS disease;
SELECT levels FROM kanon_incognito('nobody', 1, '{room}', '{"distinct(disease, 1)"}', person => 'person');

-- Errors
SELECT * FROM kanon_incognito('visits', 2, '{town,disease}', '{"distinct(disease, 2)"}');
SELECT * FROM kanon_incognito('visits', 2, '{town}', '{"distinct(diagnosis, 2)"}');
SELECT * FROM kanon_bottom_up('visits', 2, '{town}', '{"distinct(disease, 4)"}');
SELECT * FROM kanon_binary_search('visits', 2, '{town}', '{"variance(disease, 2)"}');
SELECT * FROM kanon_datafly('visits', 2, '{town}', '{"closeness(disease, 1.5)"}');
SELECT * FROM kanon_incognito('visits', 2, '{town}', '{NULL}');
\set VERBOSITY terse
SELECT * FROM kanon_incognito('visits', 2, '{town}', '{diverse}');
\set VERBOSITY default
SELECT * FROM kanon_incognito('visits', 2, '{town}', person => 'patient');
SELECT * FROM kanon_incognito('visits', 4, '{town}', NULL, person => 'sex');
CREATE TABLE plain (a int, b json);
SELECT * FROM kanon_incognito('plain', 2, '{a}', '{"distinct(b, 2)"}');
SELECT * FROM kanon_incognito('plain', 2, '{a}', person => 'b');
SELECT * FROM kanon_incognito('plain', 2, '{a}', '{"distinct(a, 2)"}');
SELECT * FROM kanon_incognito('plain', 2, '{a}', person => 'a');

SET client_min_messages = warning;
DROP SCHEMA searching CASCADE;
