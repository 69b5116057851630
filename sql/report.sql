-- Reports.  What a page shows, as lines; a page is whole; how often something stands in it.
SET client_min_messages = warning;
CREATE FUNCTION page_lines(page text, section text) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT regexp_replace(trim(regexp_replace(regexp_replace(line, '</t[hd]>', ' |', 'g'), '<[^>]*>', '', 'g')), '[-0-9]{10} [0-9:]{5}', 'some day')
    FROM regexp_split_to_table(substring(page FROM '<h2>' || section || '</h2>(.*?)</section>'), E'\n') WITH ORDINALITY l (line, i)
    WHERE line ~ '^<(tr|p|pre|caption|title)>' AND line !~ '^<tr></tr>' AND line !~ ' UTC by |PostgreSQL|^<pre>[0-9a-f]{64}<' ORDER BY i
$$;
CREATE FUNCTION occurrences(page text, what text) RETURNS int LANGUAGE sql AS $$
    SELECT ((length(page) - length(replace(page, what, ''))) / length(what))::int
$$;
CREATE FUNCTION is_whole(page text) RETURNS boolean LANGUAGE sql AS $$
    SELECT page LIKE '<!DOCTYPE html>%</html>_'
        AND bool_and(occurrences(page, '<' || tag || '>') + occurrences(page, '<' || tag || ' ') = occurrences(page, '</' || tag || '>'))
        AND page !~* '<(script|link|img|iframe|object|embed|form|base|audio|video)|\m(src|href|on[a-z]+)\s*=|url\(|@import|javascript:'
        AND occurrences(page, '<svg ') = occurrences(page, 'role="img">' || E'\n<title>')
        AND page !~ 'NaN|Infinity|\(null\)'
    FROM unnest('{html,head,body,main,section,h1,h2,p,pre,table,thead,tbody,tr,td,figure,svg,title,desc,text,div,style}'::text[]) tag
$$;

CREATE TABLE patients AS
SELECT i AS id, 'name ' || i AS name, 20 + (i * i % 61 + i % 7) % 60 AS age, 53700 + (i * 104729 + i * i) % 40 AS zip,
    CASE WHEN i % 3 = 0 THEN 'm' ELSE 'f' END AS sex, CASE i % 5 WHEN 0 THEN 'flu' WHEN 1 THEN 'cold' ELSE 'none' END AS disease,
    i * i % 997 AS cost
FROM generate_series(1, 2017) i;
SELECT kanon_create_dimension('patient_ages', 'patients', 'age', 'ranges', '{10,20}');
SELECT kanon_declare('patients', '{age,zip,sex}', sensitive => '{disease,cost}', identifiers => '{id,name}');
SELECT kanon_create_release('study', 'patients', 5);
SELECT kanon_create_release('coarse', 'patients', 5, 'full_domain', suppression => 0.1, models => 'distinct(disease, 2), closeness(cost, 0.6)');
SELECT kanon_create_release('cells', 'patients', 5, 'two_phase', options => '{"seed": "x"}');
SELECT kanon_create_release('ringed', 'patients', 5, 'ring', options => '{"seed": "x"}');
SELECT release, is_whole(kanon_report(release)) FROM kanon_release ORDER BY release::text;
BEGIN READ ONLY;
SELECT page_lines(kanon_report('study'), 'What was released');
COMMIT;
SELECT page_lines(kanon_report('study'), 'Proof');
SELECT page_lines(kanon_report('study'), 'Risk');
SELECT page_lines(kanon_report('study'), 'What it costs');
SELECT page_lines(kanon_report('study'), 'Sensitive columns');
SELECT page_lines(kanon_report('study'), 'What it does not protect from');
SELECT page_lines(kanon_report('coarse'), 'What was released');
SELECT page_lines(kanon_report('coarse'), 'Proof');
SELECT page_lines(kanon_report('coarse'), 'What it does not protect from');
SELECT page_lines(kanon_report('cells'), 'Proof');
SELECT page_lines(kanon_report('cells'), 'Risk');
SELECT page_lines(kanon_report('cells'), 'Sensitive columns');
SELECT page_lines(kanon_report('cells'), 'What it does not protect from');

-- It says what the functions say that it names.
SELECT regexp_replace(page, ' data-name="[^"]*"', '', 'g') LIKE '%<th scope="row">yes</th><td>' || rows || '</td><td>' || classes || '</td><td>' || smallest || '</td><td>0</td>%'
FROM kanon_report('coarse') page, kanon_check('coarse');
SELECT page LIKE '%' || kanon_digest('study') || '%' FROM kanon_report('study') page;
SELECT regexp_replace(page, ' data-name="[^"]*"', '', 'g') LIKE '%<td>' || round(max(model_values[2])::numeric, 3) || '</td><td>the greatest%' FROM kanon_report('coarse') page, kanon_classes('coarse') GROUP BY page;

SELECT page LIKE '%<p>Page made ' || to_char(statement_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC by ' || current_user || '.</p>%' FROM kanon_report('coarse') page;
-- Levels go by labels that are published.  Ranges are warned of where there are some, and a bound for every row stands beside no mean.
CREATE FUNCTION described(picture text) RETURNS text LANGUAGE sql AS $$ SELECT substring(picture FROM '<desc>(.*?)</desc>') $$;
SELECT described(kanon_plot('levels', 'study'));
SELECT release, kanon_report(release) LIKE '%The ends of ranges%' AS ranges, described(kanon_plot('risk', release)) LIKE '%average%' AS average
FROM kanon_release ORDER BY release::text;

-- Safe to hand out.  Whoever comes or goes, the page stays as it is until the release is refreshed,
-- but where a figure was about to be rounded the other way, as errors of counts are here ..
CREATE FUNCTION page_without(release regclass, change text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE page text;
BEGIN
    BEGIN
        EXECUTE change;
        page := kanon_report(release);
        RAISE EXCEPTION 'undo';
    EXCEPTION WHEN raise_exception THEN
        RETURN regexp_replace(page, '<title>Error of counts.*?</svg>', '');
    END;
END
$$;
SELECT release, bool_and(without = page) AS the_same, count(DISTINCT without) AS pages
FROM (VALUES ('study'::regclass), ('coarse'), ('cells')) r (release), page_without(release, 'SELECT') page,
    LATERAL (SELECT page_without(release, format('DELETE FROM patients WHERE id = %s', i * 19)) AS without FROM generate_series(1, 10) i) w
GROUP BY release ORDER BY release::text;
-- .. wherever the only person lives who is left out: the exact loss would tell that ..
CREATE TABLE places AS SELECT zip, left(zip, 2) AS region, '*' AS top FROM unnest('{53700,53701,53702,53703,53704,61110,61111,61112,99998,99999,88888}'::text[]) zip;
CREATE FUNCTION page_of_one(home text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE page text;
BEGIN
    BEGIN
        CREATE TABLE living AS SELECT CASE i % 2 WHEN 0 THEN '5370' || i % 5 ELSE '6111' || i % 3 END AS zip, 'd' || i % 4 AS disease FROM generate_series(1, 40) i;
        INSERT INTO living VALUES (home, 'x');
        PERFORM kanon_declare('living', sensitive => '{disease}'), kanon_set_attribute('living', 'zip', 'quasi_identifier', 'places');
        PERFORM kanon_create_release('of_living', 'living', 5, 'full_domain', options => '{"levels": [1]}', suppression => 0.1);
        page := kanon_report('of_living') || (SELECT loss FROM kanon_release WHERE release = 'of_living'::regclass);
        RAISE EXCEPTION 'undo';
    EXCEPTION WHEN raise_exception THEN
        RETURN page;
    END;
END
$$;
SELECT count(DISTINCT page) AS with_loss, count(DISTINCT substring(page FROM '^(.*)</html>')) AS pages FROM unnest('{99998,88888}'::text[]) home, page_of_one(home) page;
-- .. but that there is no longer a row for each record
SELECT page_lines(page_without('cells', 'DELETE FROM patients WHERE id = 19'), 'Proof') LIMIT 1;
SELECT page_without('study', $$INSERT INTO patients VALUES (0, 'x', 33, 53711, 'm', 'flu', 1)$$) = page_without('study', 'SELECT');
-- .. and then the rounded figures do: how many were there before is for nobody to know.
INSERT INTO patients VALUES (0, 'x', 33, 53711, 'm', 'flu', 1);
SELECT 1 FROM kanon_refresh_release('study');
SELECT replace(line, current_user, 'somebody') FROM page_lines(kanon_report('study'), 'History') line;
SELECT substring(kanon_plot('history', 'study') FROM 'rows, rounded:.*</desc>');
SELECT count(*) FILTER (WHERE page LIKE '%2017%'), count(*) FILTER (WHERE page LIKE '%2018%') FROM kanon_report('study') page;
DELETE FROM patients WHERE id = 0;
-- A filling has the same figures on pages of all days, however the table grows.
CREATE TABLE growing AS SELECT * FROM patients;
SELECT kanon_declare('growing', '{age,zip,sex}', sensitive => '{disease,cost}', identifiers => '{id,name}');
SELECT kanon_create_release('grown', 'growing', 5);
CREATE TABLE pages AS SELECT 1 AS day, line FROM page_lines(kanon_report('grown'), 'History') line WHERE line ~ '^some day';
INSERT INTO growing SELECT id + 10000 * i, name, age, zip, sex, disease, cost FROM growing, generate_series(1, 9) i;
SELECT 1 FROM kanon_refresh_release('grown');
INSERT INTO pages SELECT 2, line FROM page_lines(kanon_report('grown'), 'History') line WHERE line ~ '^some day';
SELECT replace(line, current_user, 'somebody') AS line, count(*) FROM pages GROUP BY 1 ORDER BY 2 DESC, 1;
-- The history is drawn over time.
SELECT count(*) >= 4 AS times FROM regexp_matches(kanon_plot('history', 'grown'), '>[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}</text>', 'g');
DROP MATERIALIZED VIEW grown;
DROP TABLE growing, pages;
-- Neither values that are not published, nor the seed, nor what a failure was about.
SELECT bool_or(kanon_report(release) ~ 'name 1|kanon_seed') FROM kanon_release;

-- Names and values are text, wherever they stand.
CREATE TABLE "<script>alert('&')</script>" AS
SELECT i % 4 AS "<b>", i % 7 AS "<i>", (ARRAY['<img src=x onerror=alert(1)>', '"><svg/onload=alert(2)>'])[1 + i % 2] AS "</title>", CASE i % 2 WHEN 0 THEN '</style><script>' ELSE '&lt;' END AS "]]>"
FROM generate_series(1, 400) i;
SELECT kanon_declare('"<script>alert(''&'')</script>"', '{<b>,<i>,</title>}', sensitive => '{]]>}');
SELECT kanon_create_release('"</h1>"', '"<script>alert(''&'')</script>"', 5, models => 'distinct("]]>", 1)');
SELECT page !~ '<(script|b|img|svg/|/title><td)>?[ >]' AS escaped, page LIKE '%&lt;script&gt;alert(&#39;&#39;%' OR page LIKE '%&lt;script&gt;alert(%' AS shown,
    occurrences(page, '</h1>') AS headings, occurrences(page, '</style>') = occurrences(page, '<style>') AS styles
FROM kanon_report('"</h1>"') page;
SELECT bool_and(p !~ '<(script|b|img)[ >]') FROM unnest('{risk,loss,levels,map,errors,distribution}'::text[]) what, kanon_plot(what, '"</h1>"') p;

-- Little, and much.
CREATE TABLE few (age int, town text, ill text);
SELECT kanon_declare('few', '{age,town}', sensitive => '{ill}');
SELECT kanon_create_release('nobody', 'few', 2);
SELECT is_whole(page), page_lines(page, 'Proof') FROM kanon_report('nobody') page;
SELECT count(*) AS empty_pictures FROM kanon_report('nobody') page, regexp_matches(page, '<figure>', 'g');
-- .. of a k that came before the rows
BEGIN;
CREATE TEMP TABLE kept ON COMMIT DROP AS TABLE patients;
DELETE FROM patients;
SELECT kanon_create_release('huge_k', 'patients', 2147483647);
INSERT INTO patients TABLE kept;
SELECT is_whole(page), page ~ '-[0-9]{5}|e\+' AS odd, substring(page FROM 'sizes of classes down to [0-9, ]*and') FROM kanon_report('huge_k') page;
ROLLBACK;
INSERT INTO few SELECT NULL, repeat('long ', 50), NULL FROM generate_series(1, 4);
REFRESH MATERIALIZED VIEW nobody;
SELECT is_whole(page), page_lines(page, 'Sensitive columns') FROM kanon_report('nobody') page;
REFRESH MATERIALIZED VIEW nobody WITH NO DATA;
SELECT is_whole(page), page_lines(page, 'Proof') FROM kanon_report('nobody') page;
SELECT format('CREATE TABLE wide AS SELECT %s FROM generate_series(1, 60) i', string_agg(format('(i / %s)::int AS c%s', 3 + j % 9, j), ', ')) FROM generate_series(1, 100) j \gexec
SELECT kanon_declare('wide', ARRAY(SELECT 'c' || j FROM generate_series(1, 60) j)::name[], sensitive => ARRAY(SELECT 'c' || j FROM generate_series(61, 100) j)::name[]);
SELECT kanon_create_release('wide_release', 'wide', 2);
SELECT is_whole(page) FROM kanon_report('wide_release') page;
CREATE TABLE many AS SELECT i / 2 AS a, i % 3 AS s FROM generate_series(0, 19999) i;
SELECT kanon_declare('many', '{a}', sensitive => '{s}');
SELECT kanon_create_release('many_classes', 'many', 2);
SELECT is_whole(page), length(page) < 100000 AS short FROM kanon_report('many_classes') page;
SELECT page_lines(kanon_report('many_classes'), 'Proof');

-- People, means, days, cohorts.
CREATE TABLE visits AS SELECT i / 2 AS who, date '2024-01-01' + i % 90 AS day, timestamp '2024-01-01' + i * interval '37 minutes' AS moment, i % 4 AS ward FROM generate_series(1, 600) i;
SELECT kanon_declare('visits', '{day,moment}', sensitive => '{ward}', identifiers => '{who}');
SELECT kanon_create_release('visit_days', 'visits', 3, person => 'who', options => '{"means": true}');
SELECT is_whole(page) FROM kanon_report('visit_days') page;
SELECT line FROM page_lines(kanon_report('visit_days'), 'What it does not protect from') line WHERE line ~ '^(Means|How many)';
SELECT page_lines(kanon_report('visit_days'), 'Proof') LIMIT 3;
CREATE TABLE stays AS SELECT i / 6 AS who, i / 6 % 10 AS age, i % 4 AS ward FROM generate_series(0, 1199) i;
SELECT kanon_declare('stays', '{age}', sensitive => '{ward}', identifiers => '{who}');
SELECT kanon_create_release('of_stays', 'stays', 5, person => 'who');
SELECT page_lines(kanon_report('of_stays'), 'Proof') LIMIT 3;
SELECT kanon_report('of_stays') ~ 'rows of the smallest' AS rows, kanon_report('study') ~ 'rows of the smallest</th>' AS rows_of_study;
SELECT kanon_plot('map', 'visit_days') ~ '>2024-0[1-4]-[0-9]*<' AS dates;
CREATE TABLE guests AS SELECT i AS id, 20 + i % 40 AS age, i % 3 AS illness FROM generate_series(1, 300) i;
SELECT kanon_declare('guests', '{age}', sensitive => '{illness}', identifiers => '{id}');
SELECT kanon_create_release('nightly', 'guests', 5, 'cohorts', options => '{"key": "id", "leavers": "keep", "reading": "together"}');
SELECT is_whole(page) FROM kanon_report('nightly') page;
-- Who is missing: rows of those who left stay.
DELETE FROM guests WHERE id % 8 = 0;
INSERT INTO guests SELECT 10000 + id, age, illness FROM guests WHERE id % 8 = 1;
SELECT 1 FROM kanon_refresh_release('nightly');
DELETE FROM guests WHERE id % 8 = 2;
SELECT line FROM page_lines(kanon_report('nightly'), 'What was released') line WHERE line ~ '^(rows|people)';
SELECT replace(line, current_user, 'somebody') FROM page_lines(kanon_report('nightly'), 'History') line WHERE line ~ '^some day';
-- Memory may hold the values of the sensitive column, or not.
SET kanon.memory_limit = '16kB';
SET client_min_messages = error;
SELECT line FROM page_lines(kanon_report('nightly'), 'What was released') line WHERE line ~ 'could' AND line !~ 'Its classes';
SET client_min_messages = warning;
RESET kanon.memory_limit;
SELECT line FROM page_lines(kanon_report('nightly'), 'What it does not protect from') line WHERE line ~ '^(Other releases|Several|Readers who know when)';

-- Cells that fail a model publish NULL and satisfy, unless somebody names the models.
CREATE TABLE wards AS SELECT i AS id, i / 10 AS age, CASE WHEN i / 10 % 4 = 0 THEN 'flu' ELSE (ARRAY['flu', 'cold', 'burn'])[1 + i % 3] END AS ill FROM generate_series(0, 399) i;
SELECT kanon_declare('wards', '{age}', sensitive => '{ill}', identifiers => '{id}');
SELECT kanon_create_release('ward_nights', 'wards', 5, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0}', models => 'distinct(ill, 2)');
SELECT (SELECT count(DISTINCT age) FROM ward_nights WHERE ill IS NULL) > 0 AS withheld, c.satisfied, c.violating_classes, n.satisfied AS by_name, n.violating_classes AS nulls
FROM kanon_check('ward_nights') c, kanon_check('ward_nights', models => 'distinct(ill, 2)') n;
SELECT page_lines(page, 'Proof') FROM kanon_report('ward_nights') page;
-- The class farthest from the whole is one that shows its values.
SELECT page_lines(page, 'Sensitive columns') FROM kanon_report('ward_nights') page;
SELECT described(kanon_plot('distribution', 'ward_nights'));
SELECT line FROM page_lines(kanon_report('ward_nights'), 'What was released') line WHERE line ~ '[(]';
SELECT page_lines(kanon_report('ward_nights'), 'What it does not protect from');

-- What cannot be measured any more is missing, and the page says so; why is for the caller.
CREATE TABLE lost AS SELECT * FROM patients;
SELECT kanon_create_dimension('lost_ages', 'lost', 'age', 'ranges', '{10}');
SELECT kanon_declare('lost', '{age,zip,sex}', sensitive => '{disease}');
SELECT kanon_create_release('of_lost', 'lost', 5, 'mondrian');
SELECT kanon_unset_attribute('lost', 'age');
SELECT is_whole(page), page LIKE '%could not be measured%' AS told, page LIKE '%every class satisfies%' AS proved FROM kanon_report('of_lost') page;
ALTER TABLE lost DROP COLUMN cost, DROP COLUMN name;
SELECT is_whole(kanon_report('of_lost'));

-- For the owner of the release, with their own rights to its table.
CREATE ROLE regress_report_reader;
GRANT SELECT ON study, patients TO regress_report_reader;
SET ROLE regress_report_reader;
SELECT kanon_report('study');
SELECT kanon_plot('risk', 'study');
RESET ROLE;
GRANT CREATE ON SCHEMA public TO regress_report_reader;
ALTER MATERIALIZED VIEW study OWNER TO regress_report_reader;
REVOKE SELECT ON patients FROM regress_report_reader;
SET ROLE regress_report_reader;
SELECT is_whole(page), page LIKE '%it could not be read%' AS told, page LIKE '%every class satisfies%' AS proved FROM kanon_report('study') page;
RESET ROLE;
-- Steps, and the number of rows, do not depend on parts that fail.
CREATE TABLE unread AS SELECT CASE WHEN i <= 80 THEN 100 + i ELSE i % 8 END AS age, i % 3 AS ill FROM generate_series(1, 400) i;
SELECT kanon_declare('unread', '{age}', sensitive => '{ill}');
SELECT kanon_create_release('of_unread', 'unread', 5, 'full_domain', options => '{"levels": [0]}', suppression => 0.3);
CREATE FUNCTION steps(page text) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT regexp_replace(line, '(created|emptied) \|\w+', '\1 |somebody') FROM (SELECT page_lines(page, 'What was released') UNION ALL SELECT page_lines(page, 'History')) l (line)
    WHERE line ~ '^(rows|Figures|some day)'
$$;
SELECT steps(kanon_report('of_unread'));
ALTER MATERIALIZED VIEW of_unread OWNER TO regress_report_reader;
SET ROLE regress_report_reader;
SELECT steps(kanon_report('of_unread'));
REFRESH MATERIALIZED VIEW of_unread WITH NO DATA;
SELECT steps(kanon_report('of_unread'));
RESET ROLE;
CREATE TABLE towns AS SELECT i % 60 AS age, (ARRAY['A', 'B', 'C', 'D'])[1 + i % 4] AS town, i % 3 AS ill FROM generate_series(1, 400) i;
SELECT kanon_declare('towns', '{age,town}', sensitive => '{ill}');
SELECT kanon_create_release('ring_towns', 'towns', 5, 'ring', options => '{"seed": "x"}');
SELECT kanon_create_release('mondrian_towns', 'towns', 5, 'mondrian');
SELECT described(kanon_plot('risk', 'ring_towns'));
UPDATE towns SET town = 'renamed' WHERE town = 'A';
SELECT page_lines(kanon_report('ring_towns'), 'What was released');
-- .. nor does a release without proof have a risk; a value that is gone shows that it is outdated.
SELECT page_lines(kanon_report('ring_towns'), 'Proof') LIMIT 1;
SELECT page_lines(kanon_report('ring_towns'), 'Risk') OFFSET 1;
SELECT described(kanon_plot('risk', 'ring_towns'));
SET kanon.memory_limit = '28kB';
\set VERBOSITY terse
SELECT page_lines(kanon_report('mondrian_towns'), 'What was released');
\set VERBOSITY default
RESET kanon.memory_limit;
CREATE TABLE huge AS SELECT power(10::numeric, 400 + i) AS size, i % 7 AS weight FROM generate_series(1, 60) i;
SELECT kanon_declare('huge', '{size,weight}');
SELECT kanon_create_release('of_huge', 'huge', 5);
\set VERBOSITY terse
SELECT line FROM page_lines(kanon_report('of_huge'), 'What was released') line WHERE line ~ 'could';
\set VERBOSITY default
-- Parameters are told unless the recoding does so anyway, whatever columns are called.
CREATE TABLE pets AS SELECT i AS id, i * i % 20 AS age, i % 3 AS median FROM generate_series(1, 60) i;
SELECT kanon_declare('pets', '{age}', sensitive => '{median}', identifiers => '{id}');
CREATE FUNCTION told(recoding text, options jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    parameters text;
BEGIN
    PERFORM kanon_create_release('of_pets', 'pets', 3, recoding, options => options);
    parameters := (SELECT string_agg(regexp_replace(line, ' \(.*\) \|(.*) \|', ' \1'), ', ') FROM page_lines(kanon_report('of_pets'), 'What was released') line WHERE line ~ '^[a-z_]+ \(' AND line !~ 'seed');
    PERFORM kanon_drop_release('of_pets');
    RETURN parameters;
END $$;
SELECT recoding, options, told(recoding, options) FROM (VALUES ('mondrian', '{}'::jsonb), ('mondrian', '{"split": "median"}'), ('strict_mondrian', '{"split": "median"}'),
    ('mondrian', '{"split": "infogain", "target": "median"}'), ('ring', '{}'), ('ring', '{"randomize": false}'),
    ('cohorts', '{"key": "id", "leavers": "keep", "target_loss": 0, "wait": 0}')) r (recoding, options);
DROP FUNCTION told;
DROP TABLE pets;
SELECT kanon_report(NULL);
SELECT kanon_report('patients');
SELECT kanon_plot('map', 'coarse');

DROP MATERIALIZED VIEW study, coarse, cells, ringed, "</h1>", nobody, wide_release, many_classes, visit_days, of_lost, of_unread, ring_towns, mondrian_towns, of_huge, of_stays;
SELECT kanon_drop_release('nightly');
SELECT kanon_drop_release('ward_nights');
DROP TABLE places, patients, patient_ages, "<script>alert('&')</script>", few, wide, many, visits, guests, wards, lost, lost_ages, unread, towns, huge, stays;
DROP FUNCTION page_of_one, described, page_lines, occurrences, is_whole, page_without, steps;
REVOKE CREATE ON SCHEMA public FROM regress_report_reader;
DROP ROLE regress_report_reader;
RESET client_min_messages;
