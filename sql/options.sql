-- Options of releases: what kanon_options() lists, kanon_create_release, kanon_replace_release and
-- kanon_compare go by.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
\set SHOW_CONTEXT never
CREATE SCHEMA options;
SET search_path = options, public;

SELECT name, type, range, default_value, secret FROM kanon_options();
SELECT name, meaning FROM kanon_options();

CREATE TABLE people AS SELECT i AS id, 20 + i * i % 37 AS age, (53700 + i * i % 7)::text AS zip,
    (ARRAY['flu', 'gout', 'mumps'])[1 + i % 3] AS disease, i AS "Odd ""name"
FROM generate_series(1, 60) i;
SELECT kanon_declare('people', identifiers => '{id}', quasi_identifiers => '{age,zip}', sensitive => '{disease}', insensitive => ARRAY['Odd "name'::name]);

-- Not such options
SELECT kanon_create_release('r', 'people', 3, options => '{"leaver": "keep"}');
SELECT kanon_create_release('r', 'people', 3, options => '{"Means": true}');
SELECT kanon_create_release('r', 'people', 3, options => '{"ages": 1}');
SELECT kanon_create_release('r', 'people', 3, options => '{"": 1}');
SELECT kanon_create_release('r', 'people', 3, options => '{"person": "id"}');
SELECT kanon_create_release('r', 'people', 3, 'mondrian', options => '{"partitioning": "sample 1MB"}');
SELECT kanon_create_release('r', 'people', 3, options => jsonb_build_object(repeat('x', 300), 1)) FROM (SELECT) s \gset
SELECT kanon_view_cells('ring', 3, p, options => '{"redraw": true}') OVER () FROM people p;
SELECT kanon_create_release('r', 'people', 3, options => '[]');
SELECT kanon_create_release('r', 'people', 3, options => 'true');
-- Not such values: no error shows one
SELECT kanon_create_release('r', 'people', 3, options => '{"means": 1}');
SELECT kanon_create_release('r', 'people', 3, options => '{"means": "true"}');
SELECT kanon_create_release('r', 'people', 3, 'cohorts', options => '{"wait": "3"}');
SELECT kanon_create_release('r', 'people', 3, 'cohorts', options => '{"wait": 1.5}');
SELECT kanon_create_release('r', 'people', 3, 'cohorts', options => '{"wait": -1}');
SELECT kanon_create_release('r', 'people', 3, 'cohorts', options => '{"wait": 3000000000}');
SELECT kanon_create_release('r', 'people', 3, 'cohorts', options => '{"stale": 1.1}');
SELECT kanon_create_release('r', 'people', 3, 'cohorts', options => '{"target_loss": -1e400}');
SELECT kanon_create_release('r', 'people', 3, 'cohorts', options => '{"leavers": "stay"}');
SELECT kanon_create_release('r', 'people', 3, 'cohorts', options => '{"leavers": true}');
SELECT kanon_create_release('r', 'people', 3, 'cohorts', options => '{"reading": "Frozen"}');
SELECT kanon_create_release('r', 'people', 3, 'cohorts', options => '{"key": ["id"]}');
SELECT kanon_create_release('r', 'people', 3, 'mondrian', options => '{"split": "mean"}');
SELECT kanon_create_release('r', 'people', 3, 'ring', options => '{"seed": 17}');
SELECT kanon_create_release('r', 'people', 3, 'full_domain', options => '{"levels": "1"}');
SELECT kanon_create_release('r', 'people', 3, 'full_domain', options => '{"levels": {"age": 1}}');
SELECT kanon_create_release('r', 'people', 3, 'full_domain', options => '{"levels": [[1], 1]}');
SELECT kanon_create_release('r', 'people', 3, 'full_domain', options => '{"levels": [1, null]}');
SELECT kanon_create_release('r', 'people', 3, 'full_domain', options => '{"levels": []}');
SELECT kanon_create_release('r', 'people', 3, 'full_domain', options => '{"levels": [1.5, 1]}');
-- Not of this recoding, even if it is the default
\set VERBOSITY terse
SELECT kanon_create_release('r', 'people', 3, options => '{"wait": 14}');
SELECT kanon_create_release('r', 'people', 3, 'ring', options => '{"means": false}');
SELECT kanon_create_release('r', 'people', 3, 'relaxed_mondrian', options => '{"target": "disease"}');
\set VERBOSITY default
-- Names of columns are exact.
SELECT kanon_create_release('r', 'people', 3, 'mondrian', options => '{"split": "infogain", "target": "Disease"}');
SELECT kanon_create_release('r', 'people', 3, 'mondrian', options => '{"split": "infogain", "target": "Odd \"name"}');
SELECT parameters ->> 'target' AS target, parameters ->> 'split' AS split FROM kanon_release WHERE release = 'r'::regclass;
ALTER TABLE people RENAME "Odd ""name" TO even;
SELECT parameters ->> 'target' AS target FROM kanon_release WHERE release = 'r'::regclass;

-- Replacing: what is given changes, null is the default, the rest stays.
SELECT kanon_replace_release('r', options => '{"ranges": true}');
SELECT parameters - 'memory_limit' AS parameters FROM kanon_release WHERE release = 'r'::regclass;
SELECT kanon_replace_release('r', options => '{"split": null, "target": null}');
SELECT parameters - 'memory_limit' AS parameters FROM kanon_release WHERE release = 'r'::regclass;
SELECT kanon_replace_release('r', options => '{"randomize": null, "wait": null}');
\set VERBOSITY terse
SELECT kanon_replace_release('r', options => '{"wait": 3}');
\set VERBOSITY default
SELECT kanon_replace_release('r', options => '{"mean": true}');
SELECT kanon_drop_release('r');
SELECT kanon_create_release('r', 'people', 3, 'mondrian', options => '{"split": null, "means": null, "seed": null}');
SELECT kanon_drop_release('r');

-- The seed is nowhere to be read.  Another one deals anew; null draws one.
SELECT kanon_create_dimension('ages', 'people', 'age', 'ranges', '{5,10}');
SELECT kanon_create_release('r', 'people', 3, 'ring', options => '{"seed": "a secret"}');
SELECT seed FROM kanon_seed;
SELECT kanon_replace_release('r', options => '{"seed": "the third"}');
SELECT kanon_replace_release('r', options => '{"seed": null, "redraw": true}');
SELECT seed = 'a secret' AS same, length(seed) FROM kanon_seed;
SELECT kanon_replace_release('r', options => '{"seed": "another secret"}');
SELECT kanon_replace_release('r', options => '{"redraw": true}');
SELECT seed FROM kanon_seed;
SELECT count(*) FROM kanon_release WHERE to_jsonb(kanon_release)::text ~ 'secret';
SELECT count(*) FROM kanon_release_history WHERE to_jsonb(kanon_release_history)::text ~ 'secret';
SELECT pg_get_viewdef('r') ~ 'secret' AS shown, parameters ? 'seed' AS kept FROM kanon_release;

-- Comparing: an option of one of the recodings.
SELECT recoding, round(loss::numeric, 4) AS loss FROM kanon_compare('people', '{3}', '{mondrian,relaxed_mondrian,ring}');
SELECT recoding, round(loss::numeric, 4) AS loss FROM kanon_compare('people', '{3}', '{mondrian,relaxed_mondrian,ring}', options => '{"split": "infogain", "target": "disease", "randomize": false}');
SELECT recoding, round(loss::numeric, 4) AS loss FROM kanon_compare('people', '{3}', '{mondrian,ring}', '{disease}', options => '{"ranges": true}');
\set VERBOSITY terse
SELECT recoding FROM kanon_compare('people', '{3}', '{mondrian,relaxed_mondrian}', options => '{"randomize": false}');
SELECT recoding FROM kanon_compare('people', '{3}', '{mondrian}', options => '{"randomize": false}');
SELECT recoding FROM kanon_compare('people', '{3}', options => '{"key": "id"}');
\set VERBOSITY default
SELECT recoding FROM kanon_compare('people', '{3}', options => '{"levels": [0, 0]}');
SELECT recoding FROM kanon_compare('people', '{3}', options => '{"models_after": true}');
SELECT recoding FROM kanon_compare('people', '{3}', options => '{"split": "infogain"}');
SELECT recoding FROM kanon_compare('people', '{3}', options => '{"splits": "infogain"}');

SET search_path = nowhere, public;
DROP SCHEMA options CASCADE;
