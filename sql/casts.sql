-- Casts of a user's by which an operator for any enum, or for any array, fits no better than others
\set VERBOSITY terse
CREATE TYPE mood AS ENUM ('sad', 'fair', 'happy', 'wild');
CREATE CAST (mood AS text) WITH INOUT AS IMPLICIT;
CREATE CAST (text AS mood) WITH INOUT AS IMPLICIT;
CREATE CAST (mood AS varchar) WITH INOUT AS IMPLICIT;
CREATE CAST (varchar AS mood) WITH INOUT AS IMPLICIT;
CREATE CAST (mood[] AS text) WITH INOUT AS IMPLICIT;
CREATE TABLE people AS SELECT i AS id, (enum_range(NULL::mood))[1 + i % 4] AS mood, 20 + i % 30 AS age, (enum_range(NULL::mood))[1 + i % 3] AS felt, ARRAY[(enum_range(NULL::mood))[1 + i % 2]] AS moods FROM generate_series(1, 120) i;
SELECT count(*) FROM people a JOIN people b ON a.mood = b.mood;
CREATE TABLE others AS TABLE people;
CREATE TABLE moods AS SELECT m AS mood, CASE m::text WHEN 'sad' THEN 'low' ELSE 'high' END AS height, '*' AS top FROM unnest(enum_range(NULL::mood)) m;
SET client_min_messages = warning;
SELECT kanon_declare(t, quasi_identifiers => '{mood,age,moods}', sensitive => '{felt}', identifiers => '{id}') FROM unnest('{people,others}'::regclass[]) t;
CREATE FUNCTION walk(relation text) RETURNS TABLE (call text, outcome text) LANGUAGE plpgsql AS $$
BEGIN
    FOREACH call IN ARRAY ARRAY[
        'kanon_check(''people'', 2)', 'kanon_classes(''people'', 2, models => ''distinct(felt, 2)'')', 'kanon_check(''people'', 2, person => ''mood'', quasi_identifiers => ''{age}'')',
        'kanon_incognito(''people'', 2, suppression => 0.5)', 'kanon_incognito(''people'', 2, suppression => 0.5, models => ''distinct(felt, 2)'', algorithm => ''cube'')', 'kanon_datafly(''people'', 2, suppression => 0.5)',
        'kanon_datafly(''people'', 2, ''{age}'', person => ''mood'', metrics => true)', 'kanon_risk(''people'')', 'kanon_grow_tree(''people'', 3)', 'kanon_matching_bound(''people'', 2)',
        'kanon_create_release(''plain'', ''people'', 2)', 'kanon_create_release(''ring'', ''people'', 2, ''ring'')', 'kanon_create_release(''two'', ''people'', 2, ''two_phase'')',
        'kanon_create_release(''full'', ''people'', 2, ''full_domain'', suppression => 0.5)', 'kanon_create_release(''models'', ''people'', 2, models => ''distinct(felt, 2), closeness(felt, 0.9)'')',
        'kanon_create_release(''after'', ''people'', 2, models => ''distinct(felt, 2)'', options => ''{"models_after": true}'')', 'kanon_create_release(''person'', ''people'', 2, quasi_identifiers => ''{age}'', person => ''mood'')',
        'kanon_create_release(''nightly'', ''people'', 2, ''cohorts'', options => ''{"key": "id", "leavers": "keep", "wait": 0}'')', 'kanon_refresh_release(''full'')', 'kanon_refresh_release(''nightly'')',
        'kanon_quality(''plain'')', 'kanon_quality(''plain'', predicates => ARRAY[''mood = ''''happy'''''', ''age < 30''])', 'kanon_quality(''full'')', 'kanon_check_matchings(''ring'', 2, ''people'')',
        'kanon_check_releases(''people'', ''{plain,ring,two,full,models}'')', 'kanon_compare(''people'', ''{2}'')', 'kanon_report(''plain'')', 'kanon_report(''full'')', 'kanon_report(''nightly'')', 'kanon_replace_release(''plain'', 3)',
        'kanon_drop_release(release) FROM kanon_release']
    LOOP
        call := replace(call, 'people', relation);
        BEGIN
            IF call ~ ' FROM ' THEN EXECUTE 'SELECT ' || call; ELSE EXECUTE 'SELECT count(*) FROM ' || call; END IF;
            outcome := 'done';
        EXCEPTION WHEN OTHERS THEN
            outcome := SQLERRM;
        END;
        RETURN NEXT;
    END LOOP;
END $$;
SELECT outcome, count(*), array_agg(call) FILTER (WHERE outcome <> 'done') FROM walk('people') GROUP BY 1;
SELECT kanon_set_attribute('others', 'mood', 'quasi_identifier', 'moods');
SELECT outcome, count(*), array_agg(call) FILTER (WHERE outcome <> 'done') FROM walk('others') GROUP BY 1;
SELECT kanon_create_dimension('mood_dimension', 'people', 'mood', 'suppress');
SELECT kanon_refresh_dimension('mood_dimension');
-- .. of which nothing stays for other tests
DELETE FROM kanon_cohort_state;
DELETE FROM kanon_cohort_cell;
DELETE FROM kanon_cohort_member;
DROP TABLE people, others, moods, mood_dimension CASCADE;
DROP TYPE mood CASCADE;
-- k beyond the rows, and as large as can be
CREATE TABLE people AS SELECT i AS id, i % 7 AS age, 'd' || i % 4 AS disease FROM generate_series(1, 40) i;
SELECT kanon_declare('people', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}');
SELECT kanon_create_release('plain', 'people', 3), kanon_create_release('ring', 'people', 3, 'ring');
CREATE FUNCTION calls(k int) RETURNS TABLE (call text, outcome text) LANGUAGE plpgsql AS $$
BEGIN
    FOREACH call IN ARRAY ARRAY['kanon_incognito(''people'', %s)', 'kanon_bottom_up(''people'', %s)', 'kanon_binary_search(''people'', %s)', 'kanon_datafly(''people'', %s)',
        'kanon_incognito(''people'', %s, ''{age}'', person => ''disease'')', 'kanon_create_release(''made'', ''people'', %s)', 'kanon_create_release(''made'', ''people'', %s, ''relaxed_mondrian'')',
        'kanon_create_release(''made'', ''people'', %s, ''ring'')', 'kanon_create_release(''made'', ''people'', %s, ''two_phase'')', 'kanon_create_release(''made'', ''people'', %s, ''full_domain'')',
        'kanon_create_release(''made'', ''people'', %s, ''full_domain'', options => ''{"levels": [1]}'')', 'kanon_replace_release(''plain'', %s)', 'kanon_create_release(''made'', ''people'', %s, person => ''disease'')',
        'kanon_check(''people'', %s)', 'kanon_check_releases(''people'', ''{plain}'', %s)', 'kanon_check_matchings(''ring'', %s, ''people'')', 'kanon_quality(''plain'', k => %s)', 'kanon_compare(''people'', ''{%s}'')',
        'kanon_matching_bound(''people'', %s)', 'kanon_grow_tree(''people'', %s)', 'kanon_plot(''lattice'', ''people'', ''{%s}'')', 'kanon_plot(''classes'', ''people'', ''{%s}'')', 'kanon_generalized_query(''people'', ''{1}'', %s)']
    LOOP
        BEGIN
            EXECUTE 'SELECT left(r::text, 60) FROM ' || format(call, k) || ' r' INTO outcome;
            outcome := CASE WHEN call ~ 'compare|plot|query' THEN 'something' ELSE outcome END;
        EXCEPTION WHEN OTHERS THEN
            outcome := SQLSTATE || ': ' || SQLERRM;
        END;
        RETURN NEXT;
    END LOOP;
END $$;
SELECT call, CASE WHEN k > 0 THEN replace(outcome, k::text, 'K') ELSE outcome END AS outcome, array_agg(k) FROM unnest(ARRAY[-1, 0, 41, 300000000, 2147483647]) k, calls(k) GROUP BY 1, 2 ORDER BY 1, min(k);
SELECT max(c) IS NULL AS none FROM (SELECT kanon_mondrian(2147483647, p) OVER () AS c FROM people p) x;
SELECT count(c) FROM (SELECT kanon_ring(300000000, p) OVER () AS c FROM people p) x;
DELETE FROM people WHERE id > 2;
SELECT rows FROM kanon_refresh_release('plain');
DELETE FROM people;
SELECT kanon_create_release('made', 'people', 3), kanon_create_release('huge', 'people', 2147483647), kanon_create_release('huger', 'people', 2147483647, 'ring');
INSERT INTO people SELECT i, i % 7, 'd' || i % 4 FROM generate_series(1, 40) i;
SELECT x, r.rows FROM unnest('{made,huge,huger}'::regclass[]) x, kanon_refresh_release(x) r;
SELECT release, k, length(kanon_report(release)) > 1000 AS report FROM kanon_release WHERE relation = 'people'::regclass ORDER BY 1;
DROP TABLE people CASCADE;
