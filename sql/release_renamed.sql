-- Whatever columns of a release or of its relation are called later, what is asked of the release has the same answer.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
\set SHOW_CONTEXT never
CREATE SCHEMA renamed;
SET search_path = renamed, public;
CREATE TABLE people AS SELECT i AS id, 20 + i * 7 % 40 AS age, (53700 + i * 13 % 30)::text AS zip, (ARRAY['flu', 'gout', 'mumps'])[1 + i % 3] AS disease, i % 5 AS cost
FROM generate_series(1, 60) i;
CREATE TABLE zips AS SELECT z::text AS zip, left(z::text, 4) || '*' AS zip4, left(z::text, 3) || '**' AS zip3 FROM generate_series(53700, 53729) z;
SELECT kanon_declare('people', quasi_identifiers => '{age,zip}', sensitive => '{disease,cost}', identifiers => '{id}');
SELECT kanon_set_attribute('people', 'zip', 'quasi_identifier', 'zips');
CREATE TABLE recodings AS SELECT unnest('{full_domain,mondrian,relaxed_mondrian,ring,two_phase}'::text[]) AS recoding;
SELECT kanon_create_release('r_' || recoding, 'people', 3, recoding, models => CASE WHEN has_classes THEN 'distinct(disease, 2)' ELSE '' END::kanon_models)
FROM recodings, LATERAL (SELECT recoding NOT IN ('ring', 'two_phase')) c (has_classes);

-- Its rows among those of its relation: of columns as they are
SELECT kanon_create_release('as_it_is', 'people', 1, 'full_domain', options => '{"levels": [0, 0]}');
CREATE VIEW among AS SELECT (SELECT r::text FROM kanon_risk('as_it_is', population => 'people') r), (SELECT r::text AS zips FROM kanon_risk('as_it_is', '{zip}', 'people') r);
TABLE among;
CREATE FUNCTION answer(question text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    found text;
BEGIN
    EXECUTE 'SELECT string_agg(a::text, '' '') FROM ' || question || ' a' INTO found;
    RETURN found;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
CREATE FUNCTION answers(name text, age text) RETURNS TABLE (at text, recoding text, question text, answer text) LANGUAGE sql AS $$
    SELECT name, recoding, q, answer(format(q, 'r_' || recoding, age || ' < 30')) FROM recodings, unnest(ARRAY['kanon_quality(%1$L)', 'kanon_check(%1$L)', '(SELECT class, size, distinct_values, model_values, satisfied FROM kanon_classes(%1$L))',
        'kanon_check_matchings(%1$L)', 'kanon_risk(%1$L)', '(SELECT actual, estimate, error FROM kanon_query_errors(%1$L, ARRAY[%2$L]))',
        '(SELECT rows, missing, classes, smallest, loss, satisfied, changed FROM kanon_refresh_release(%1$L))']) q $$;
CREATE TABLE answered AS SELECT * FROM answers('before', 'age');
SELECT question, count(*) FILTER (WHERE answer !~ '^\w{5}$') AS answered FROM answered GROUP BY question ORDER BY question;
-- The release's: one is called what another was
DO $$
DECLARE
    r text;
BEGIN
    FOREACH r IN ARRAY '{full_domain,mondrian,relaxed_mondrian,ring,two_phase}'::text[] LOOP
        EXECUTE format('ALTER MATERIALIZED VIEW r_%s RENAME zip TO postal', r);
        EXECUTE format('ALTER MATERIALIZED VIEW r_%s RENAME disease TO illness', r);
        EXECUTE format('ALTER MATERIALIZED VIEW r_%s RENAME age TO zip', r);
    END LOOP;
END $$;
ALTER MATERIALIZED VIEW as_it_is RENAME zip TO postal;
ALTER MATERIALIZED VIEW as_it_is RENAME age TO zip;
INSERT INTO answered SELECT * FROM answers('the release', 'age');
CREATE OR REPLACE VIEW among AS SELECT (SELECT r::text FROM kanon_risk('as_it_is', population => 'people') r), (SELECT r::text AS zips FROM kanon_risk('as_it_is', '{postal}', 'people') r);
TABLE among;
-- The relation's
ALTER TABLE people RENAME age TO years;
ALTER TABLE people RENAME zip TO age;
ALTER TABLE people RENAME disease TO ill;
ALTER TABLE people RENAME TO folk;
ALTER TABLE zips RENAME zip TO code;
INSERT INTO answered SELECT * FROM answers('both', 'years');
TABLE among;
SELECT a.at, a.recoding, a.question, b.answer AS before, a.answer FROM answered a JOIN answered b USING (recoding, question)
WHERE b.at = 'before' AND a.at <> 'before' AND a.answer IS DISTINCT FROM b.answer;
SELECT recoding, columns, quasi_identifiers, models, parameters -> 'quasi_identifiers' AS in_parameters, parameters ->> 'models' AS models_in_parameters
FROM kanon_release WHERE release::text ~ '^r_[mt]' ORDER BY recoding;
DROP SCHEMA renamed CASCADE;
DELETE FROM kanon_release_history_state WHERE name LIKE 'renamed.%';
