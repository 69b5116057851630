-- Levels that are bounded for each quasi-identifier: in searches, comparisons and releases.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
\set SHOW_CONTEXT never
CREATE SCHEMA bounding;
SET search_path = bounding, public;
CREATE TABLE folk AS SELECT i AS id, (20 + i * i % 37)::text AS age, 'z' || i * 7 % 12 AS zip, CASE WHEN i * i % 5 < 2 THEN 'm' ELSE 'f' END AS sex, 'd' || i % 4 % 3 AS ill FROM generate_series(1, 150) i;
CREATE TABLE ages AS SELECT i::text AS age, (i / 10 * 10)::text AS ten, '*' AS any FROM generate_series(0, 99) i;
CREATE TABLE zips AS SELECT 'z' || i AS zip, 'y' || i / 4 AS area, 'x' || i / 8 AS half FROM generate_series(0, 15) i;
SELECT kanon_declare('folk', quasi_identifiers => '{age,zip,sex}', sensitive => '{ill}', identifiers => '{id}'),
    kanon_set_attribute('folk', 'age', 'quasi_identifier', 'ages'), kanon_set_attribute('folk', 'zip', 'quasi_identifier', 'zips');

-- By number, by name, and the top
SELECT levels, labels, minimal FROM kanon_incognito('folk', 4, lowest_levels => '{1,0,0}', highest_levels => '{ten,half,*}');
SELECT levels, minimal FROM kanon_binary_search('folk', 4, highest_levels => '{*,zip,sex}');
SELECT levels, minimal FROM kanon_datafly('folk', 4, lowest_levels => '{0,1,0}', highest_levels => '{1,2,1}');
-- Nothing satisfies within the bounds, or is asked for
SELECT levels FROM kanon_incognito('folk', 4, highest_levels => '{0,2,1}');
SELECT levels FROM kanon_datafly('folk', 4, highest_levels => '{0,2,1}');
SELECT levels, minimal FROM kanon_incognito('folk', 4, lowest_levels => '{2,2,1}', highest_levels => '{2,2,1}');

-- Within bounds, every search finds what those without bounds find there.  A node is minimal
-- if none of its direct specializations within the bounds was found.
CREATE FUNCTION levels_between(lowest int[], highest int[]) RETURNS SETOF int[] LANGUAGE sql AS $$
    SELECT ARRAY[a, b, c] FROM generate_series(lowest[1], highest[1]) a, generate_series(lowest[2], highest[2]) b, generate_series(lowest[3], highest[3]) c
$$;
CREATE FUNCTION compare_searches(calls text[], arguments text, every int) RETURNS TABLE (bounds bigint, empty bigint, wrong bigint) LANGUAGE plpgsql AS $$
DECLARE
    whole kanon_generalization[];
    few kanon_generalization[];
    found kanon_generalization[];
    low int[];
    high int[];
    one text;
BEGIN
    EXECUTE format('SELECT array_agg(i ORDER BY height, levels) FROM kanon_bottom_up(''folk'', %s) i', arguments) INTO whole;
    SELECT 0, 0, 0 INTO bounds, empty, wrong;
    FOR low, high IN SELECT l, h FROM (SELECT l, h, row_number() OVER (ORDER BY l, h) n FROM levels_between('{0,0,0}', '{2,2,1}') l, levels_between(l, '{2,2,1}') h) b WHERE n % every = 0 LOOP
        SELECT coalesce(array_agg(w ORDER BY height, levels), '{}') INTO few FROM unnest(whole) w
            WHERE levels IN (SELECT levels_between(low, high));
        bounds := bounds + 1;
        empty := empty + (few = '{}')::int;
        FOREACH one IN ARRAY calls LOOP
            EXECUTE format('SELECT coalesce(array_agg(i), ''{}'') FROM %s, lowest_levels => %L, highest_levels => %L) i', replace(one, '$', '''folk'', ' || arguments), low, high) INTO found;
            IF one ~ 'datafly' THEN
                CONTINUE WHEN (found = '{}') = (few = '{}') AND (SELECT bool_and(levels IN (SELECT levels FROM unnest(few))) FROM unnest(found)) IS NOT FALSE;
            ELSE
                CONTINUE WHEN
                    ARRAY(SELECT ROW(f.levels, f.loss, f.minimal) FROM unnest(found) f)
                    = ARRAY(SELECT ROW(f.levels, f.loss, NOT EXISTS (SELECT FROM unnest(few) b WHERE b.height = f.height - 1 AND b.levels[1] <= f.levels[1] AND b.levels[2] <= f.levels[2] AND b.levels[3] <= f.levels[3]))
                            FROM unnest(CASE WHEN one ~ 'binary' THEN few[1:1] ELSE few END) f);
            END IF;
            wrong := wrong + 1;
        END LOOP;
    END LOOP;
    RETURN NEXT;
END $$;
SELECT * FROM compare_searches('{kanon_incognito($,"kanon_incognito($, algorithm => ''basic''","kanon_incognito($, algorithm => ''superroots''","kanon_incognito($, algorithm => ''cube''",kanon_bottom_up($,"kanon_bottom_up($, rollup => false",kanon_binary_search($,kanon_datafly($}', '4', 10);
SELECT * FROM compare_searches('{kanon_incognito($,kanon_binary_search($,kanon_datafly($}', '4, suppression => 0.1', 7);
SELECT * FROM compare_searches('{kanon_incognito($,"kanon_incognito($, algorithm => ''cube''",kanon_bottom_up($}', '3, models => ''distinct(ill, 3)'', suppression => 0.3', 7);
-- .. also where a model is not monotone
SELECT * FROM compare_searches('{kanon_incognito($,kanon_bottom_up($}', '2, models => ''closeness(ill, 0.35)'', suppression => 0.3', 7);

-- Releases keep their bounds, in refreshes with a search and when they are replaced
SELECT kanon_create_release('study', 'folk', 4, 'full_domain', suppression => 0.1);
SELECT kanon_create_release('detailed', 'folk', 4, 'full_domain', suppression => 0.1, options => '{"highest_levels": ["any", 1, "sex"], "lowest_levels": ["*", 0, 0]}');
SELECT release, levels, parameters -> 'lowest_levels' AS lowest, parameters -> 'highest_levels' AS highest FROM kanon_release WHERE release IN ('study'::regclass, 'detailed'::regclass) ORDER BY release::text;
SELECT recoding, classes, missing, round(loss::numeric, 6) AS loss FROM kanon_compare('folk', '{4}', '{full_domain}', suppression => 0.1, options => '{"highest_levels": ["any", 1, "sex"]}');
SELECT recoding, classes FROM kanon_compare('folk', '{4}', '{full_domain}', options => '{"highest_levels": [0, 0, 0]}');
DELETE FROM folk WHERE id > 60;
SELECT rows, missing, satisfied FROM kanon_refresh_release('detailed', search => true);
SELECT levels FROM kanon_release WHERE release = 'detailed'::regclass;
SELECT kanon_replace_release('detailed', k => 3);
SELECT levels, parameters -> 'highest_levels' AS highest FROM kanon_release WHERE release = 'detailed'::regclass;
SELECT kanon_replace_release('detailed', k => 2, options => '{"lowest_levels": null, "highest_levels": null}');
SELECT levels, parameters ? 'highest_levels' AS highest FROM kanon_release WHERE release = 'detailed'::regclass;
-- Nothing within the bounds: a search with refresh keeps the levels, a strict one fails
SELECT kanon_replace_release('detailed', k => 4, options => '{"highest_levels": [2, 1, 0]}');
DELETE FROM folk WHERE id > 20;
SELECT rows, missing, satisfied FROM kanon_refresh_release('detailed', search => true);
SELECT rows, missing, satisfied FROM kanon_refresh_release('detailed', search => true, strict => true);

-- Errors
SELECT kanon_create_release('r', 'folk', 4, 'full_domain', options => '{"highest_levels": [0, 0, 0]}');
SELECT kanon_create_release('r', 'folk', 4, 'full_domain', options => '{"highest_levels": [1, 2, 1], "levels": [2, 2, 1]}');
SELECT kanon_create_release('r', 'folk', 4, 'full_domain', options => '{"lowest_levels": [0, "area", 1], "levels": [2, 0, 1]}');
SELECT kanon_create_release('r', 'folk', 4, 'full_domain', options => '{"lowest_levels": [0, 2, 1], "highest_levels": [1, 1, 1]}');
SELECT kanon_create_release('r', 'folk', 4, 'full_domain', options => '{"lowest_levels": [0, 2]}');
SELECT kanon_create_release('r', 'folk', 4, 'full_domain', options => '{"lowest_levels": "1"}');
SELECT kanon_incognito('folk', 4, lowest_levels => '{0,2,1}', highest_levels => '{2,1,1}');
SELECT kanon_incognito('folk', 4, highest_levels => '{0,3,1}');
SELECT kanon_incognito('folk', 4, highest_levels => '{0,-1,1}');
SELECT kanon_incognito('folk', 4, highest_levels => '{0,2}');
SELECT kanon_incognito('folk', 4, highest_levels => '{0,NULL,1}');
SELECT kanon_incognito('folk', 4, lowest_levels => '{0,decade,1}');
SELECT kanon_datafly('folk', 4, lowest_levels => '{{0,1,1}}');

-- Columns that are shown as they are or get their tops: every search agrees, and finds what
-- the search of all levels finds there.
SELECT levels, labels, height, minimal FROM kanon_incognito('folk', 4, suppress_columns => true);
SELECT count(*) AS wrong FROM (SELECT levels FROM kanon_incognito('folk', 2, suppression => 0.3) WHERE levels[1] IN (0, 2) AND levels[2] IN (0, 2)) a
    FULL JOIN kanon_incognito('folk', 2, suppression => 0.3, suppress_columns => true, algorithm => 'basic') USING (levels) WHERE loss IS NULL;
SELECT levels FROM kanon_bottom_up('folk', 4, suppress_columns => true) EXCEPT SELECT levels FROM kanon_incognito('folk', 4, suppress_columns => true);
SELECT levels FROM kanon_binary_search('folk', 4, suppress_columns => true);
SELECT levels, labels FROM kanon_datafly('folk', 4, suppress_columns => true);
-- A bound between the two leaves one of them.
SELECT levels FROM kanon_incognito('folk', 4, suppress_columns => true, lowest_levels => '{1,0,0}');
SELECT levels FROM kanon_incognito('folk', 4, suppress_columns => true, lowest_levels => '{1,0,0}', highest_levels => '{1,2,1}');
SELECT kanon_create_release('hidden', 'folk', 4, 'full_domain', options => '{"suppress_columns": true}');
SELECT levels, parameters -> 'suppress_columns' AS option FROM kanon_release WHERE release = 'hidden'::regclass;
SELECT * FROM kanon_check('hidden');
SELECT kanon_create_release('r', 'folk', 4, 'full_domain', options => '{"suppress_columns": true, "levels": [1, 2, 1]}');
SELECT * FROM kanon_datafly('folk', 4, suppress_columns => NULL);
DROP SCHEMA bounding CASCADE;
DELETE FROM kanon_release_history_state WHERE name LIKE 'bounding.%';
