-- Which generalization a release takes: the one that loses least in all, where a suppressed row has
-- lost everything.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
\set SHOW_CONTEXT never
CREATE SCHEMA choosing;
SET search_path = choosing, public;

-- Four values three times and four once.  Level 0 loses nothing but drops 4 of 16 rows: 1/4 in all.
-- Level 1 loses 1/7 of every row, level 2 3/7, and neither drops any.
CREATE TABLE staff AS SELECT i AS id, 'g' || CASE WHEN i <= 12 THEN 1 + i % 4 ELSE i - 8 END AS grade, 'd' || i % 2 AS ward FROM generate_series(1, 16) i;
CREATE TABLE grades AS SELECT 'g' || i AS grade, 'p' || (i - 1) / 2 AS pair, 'h' || (i - 1) / 4 AS half FROM generate_series(1, 8) i;
SELECT kanon_declare('staff', quasi_identifiers => '{grade}', insensitive => '{ward}', identifiers => '{id}'), kanon_set_attribute('staff', 'grade', 'quasi_identifier', 'grades');
SELECT levels, round(loss::numeric, 6) AS loss, suppressed, round(total_loss::numeric, 6) AS total_loss
FROM kanon_incognito('staff', 2, suppression => 0.25, metrics => true) ORDER BY total_loss;
SELECT round(3 / 7.0, 6) AS by_hand;
SELECT kanon_create_release('study', 'staff', 2, 'full_domain', suppression => 0.25);
SELECT levels, rows, missing, round(loss::numeric, 6) AS loss FROM kanon_release WHERE release = 'study'::regclass;
SELECT classes, missing, round(loss::numeric, 6) AS loss FROM kanon_compare('staff', '{2}', '{full_domain}', suppression => 0.25);
-- .. also where all rows may lose nothing, but those that are dropped
SELECT kanon_set_attribute('staff', 'grade', 'quasi_identifier', 'grades', weight => 0);
SELECT levels, loss, total_loss FROM kanon_incognito('staff', 2, suppression => 0.25, metrics => true) ORDER BY total_loss, height;
SELECT kanon_create_release('free', 'staff', 2, 'full_domain', suppression => 0.25);
SELECT levels, missing FROM kanon_release WHERE release = 'free'::regclass;
SELECT kanon_set_attribute('staff', 'grade', 'quasi_identifier', 'grades');
DROP MATERIALIZED VIEW free;
-- Dropping one row of 19 loses less than generalizing all of them
INSERT INTO staff SELECT 16 + i, 'g' || 5 + i % 3, 'd' FROM generate_series(1, 3) i;
SELECT levels, round(loss::numeric, 6) AS loss, suppressed, round(total_loss::numeric, 6) AS total_loss
FROM kanon_incognito('staff', 2, suppression => 0.25, metrics => true) ORDER BY total_loss;
SELECT kanon_replace_release('study', suppression => 0.25);
SELECT levels, missing FROM kanon_release WHERE release = 'study'::regclass;
-- Without metrics nothing is counted, and without suppression both are the same
SELECT levels, total_loss FROM kanon_incognito('staff', 2, suppression => 0.25);
SELECT levels, loss = total_loss AS same FROM kanon_incognito('staff', 2, metrics => true);

-- The same by other ways, where labels are of all sizes, classes judged by models, and values missing:
-- row by row, and by the quality of a release of each node
CREATE TABLE visits AS
SELECT i AS id, (ARRAY['a', 'a', 'b', 'c', 'd', 'e', 'e', NULL])[1 + i * i % 8] AS street, i * 7 % 11 % 6 AS age, 'x' || i % 3 AS ill, i / 2 AS person FROM generate_series(1, 60) i;
CREATE TABLE streets AS SELECT * FROM (VALUES ('a', 'west', 'town'), ('b', 'west', 'town'), ('c', 'west', 'town'), ('d', 'east', 'town'), ('f', 'far', 'land'), ('g', 'far', 'land')) v (street, side, place);
CREATE TABLE ages AS SELECT i AS age, CASE WHEN i < 2 THEN 'young' ELSE 'old' END AS stage, '*' AS any FROM generate_series(0, 5) i;
SELECT kanon_declare('visits', quasi_identifiers => '{street,age}', sensitive => '{ill}', identifiers => '{id,person}'),
    kanon_set_attribute('visits', 'street', 'quasi_identifier', 'streets', weight => 3), kanon_set_attribute('visits', 'age', 'quasi_identifier', 'ages');
CREATE FUNCTION compare_nodes(k int, models text, person name) RETURNS TABLE (nodes bigint, suppressing bigint, wrong bigint) LANGUAGE plpgsql AS $$
DECLARE
    one record;
    share float8;
    said float8;
BEGIN
    nodes := 0;
    suppressing := 0;
    wrong := 0;
    FOR one IN SELECT * FROM kanon_incognito('visits', k, models => models::kanon_models, suppression => 0.999, metrics => true, person => person) LOOP
        PERFORM kanon_create_release('node', 'visits', k, 'full_domain', models => models::kanon_models, person => person, suppression => 0.999,
                                     options => jsonb_build_object('levels', one.levels));
        SELECT count(*) / 60.0, coalesce((SELECT loss FROM kanon_quality('node', 'visits')), 0) INTO share, said FROM node;
        nodes := nodes + 1;
        suppressing := suppressing + (one.suppressed > 0)::int;
        wrong := wrong + (one.suppressed <> 60 - round(60 * share) OR abs(one.total_loss - (share * said + 1 - share)) > 1e-9
                          OR abs(one.loss - (SELECT loss FROM kanon_release WHERE release = 'node'::regclass)) > 1e-9)::int;
        DROP MATERIALIZED VIEW node;
    END LOOP;
    RETURN NEXT;
END $$;
SELECT k, (compare_nodes(k, '', NULL)).* FROM unnest('{2,4,7}'::int[]) k;
SELECT k, (compare_nodes(k, 'distinct(ill, 3)', NULL)).* FROM unnest('{2,4}'::int[]) k;
SELECT k, (compare_nodes(k, 'distinct(ill, 2)', 'person')).* FROM unnest('{2,4}'::int[]) k;
-- The order: whatever may be suppressed, the release has the least total loss of all
CREATE FUNCTION compare_choices(k int, models text) RETURNS TABLE (suppression float8, right_choice boolean) LANGUAGE plpgsql AS $$
BEGIN
    FOREACH suppression IN ARRAY '{0,0.05,0.1,0.2,0.4,0.7}'::float8[] LOOP
        IF EXISTS (SELECT FROM kanon_incognito('visits', k, models => models::kanon_models, suppression => compare_choices.suppression)) THEN
            PERFORM kanon_create_release('chosen', 'visits', k, 'full_domain', models => models::kanon_models, suppression => compare_choices.suppression);
            SELECT r.levels = i.levels INTO right_choice FROM kanon_release r,
                (SELECT levels FROM kanon_incognito('visits', k, models => models::kanon_models, suppression => compare_choices.suppression, metrics => true)
                    ORDER BY total_loss, height, levels LIMIT 1) i
            WHERE r.release = 'chosen'::regclass;
            DROP MATERIALIZED VIEW chosen;
            RETURN NEXT;
        END IF;
    END LOOP;
END $$;
SELECT k, bool_and(right_choice) AS right_choice FROM unnest('{2,4,7}'::int[]) k, compare_choices(k, '') GROUP BY k ORDER BY k;
SELECT k, bool_and(right_choice) AS right_choice FROM unnest('{2,4}'::int[]) k, compare_choices(k, 'distinct(ill, 3)') GROUP BY k ORDER BY k;

-- The same counted row by row in plain SQL: a row in a class below k has lost everything, any other
-- loses of each value (m - 1) / (M - 1), where m of the M values of its domain are under its label.
CREATE TABLE callers AS SELECT 20 + i * i % 37 AS age, 'z' || i * 7 % 12 AS zip, CASE WHEN i * i % 5 < 2 THEN 'm' ELSE 'f' END AS sex FROM generate_series(1, 150) i;
CREATE TABLE caller_ages AS SELECT i AS age, i / 10 * 10 AS ten, CASE WHEN i < 40 THEN 'young' ELSE 'old' END AS stage, '*' AS whole FROM generate_series(0, 99) i;
CREATE TABLE caller_zips AS SELECT 'z' || i AS zip, 'y' || (i + 2) / 4 AS area, 'x' || i / 14 AS part FROM generate_series(0, 15) i;
SELECT kanon_declare('callers', quasi_identifiers => '{age,zip,sex}'),
    kanon_set_attribute('callers', 'age', 'quasi_identifier', 'caller_ages', weight => 2), kanon_set_attribute('callers', 'zip', 'quasi_identifier', 'caller_zips');
CREATE VIEW caller_labels AS
SELECT 1 AS attribute, level, age::text AS value, label, count(*) OVER (PARTITION BY level, label) AS m, 100 AS "M" FROM caller_ages, LATERAL (VALUES (0, age::text), (1, ten::text), (2, stage), (3, whole)) v (level, label)
UNION ALL SELECT 2, level, zip, label, count(*) OVER (PARTITION BY level, label), 16 FROM caller_zips, LATERAL (VALUES (0, zip), (1, area), (2, part)) v (level, label)
UNION ALL SELECT 3, level, sex, CASE level WHEN 0 THEN sex ELSE '*' END, CASE level WHEN 0 THEN 1 ELSE 2 END, 2 FROM (VALUES ('m'), ('f')) s (sex), (VALUES (0), (1)) v (level);
CREATE FUNCTION plain_losses(k int) RETURNS TABLE (levels int[], suppressed bigint, loss float8, total_loss float8) LANGUAGE sql AS $$
    SELECT levels, count(*) FILTER (WHERE size < k), avg(loss), avg(CASE WHEN size < k THEN 1 ELSE loss END)
    FROM (SELECT ARRAY[a.level, z.level, s.level] AS levels, count(*) OVER (PARTITION BY a.level, z.level, s.level, a.label, z.label, s.label) AS size,
              (2.0 * (a.m - 1) / (a."M" - 1) + 1.0 * (z.m - 1) / (z."M" - 1) + 1.0 * (s.m - 1) / (s."M" - 1)) / 4 AS loss
          FROM callers c JOIN caller_labels a ON a.attribute = 1 AND a.value = c.age::text JOIN caller_labels z ON z.attribute = 2 AND z.value = c.zip JOIN caller_labels s ON s.attribute = 3 AND s.value = c.sex) r
    GROUP BY levels
$$;
SELECT k, count(*) AS nodes, count(*) FILTER (WHERE i.suppressed > 0) AS suppressing, count(*) FILTER (WHERE i.suppressed = p.suppressed AND abs(i.loss - p.loss) < 1e-9 AND abs(i.total_loss - p.total_loss) < 1e-9) AS same
FROM unnest('{1,3,5,20}'::int[]) k, kanon_incognito('callers', k, suppression => 0.999, metrics => true) i LEFT JOIN LATERAL plain_losses(k) p USING (levels) GROUP BY k ORDER BY k;
-- .. and what a release takes of them
SELECT kanon_create_release('called', 'callers', 5, 'full_domain', suppression => 0.3);
SELECT r.levels = p.levels AS least, missing = p.suppressed AS suppressed, abs(r.loss - p.loss) < 1e-9 AS loss
FROM kanon_release r, (SELECT * FROM plain_losses(5) WHERE suppressed <= 45 ORDER BY total_loss, levels[1] + levels[2] + levels[3], levels LIMIT 1) p WHERE r.release = 'called'::regclass;

DROP SCHEMA choosing CASCADE;
DELETE FROM kanon_release_history_state WHERE name LIKE 'choosing.%';
