-- What a database may hold of kanon's: declarations, dimensions of every method, releases of every
-- recoding, with people, models and a history, copies.
CREATE TABLE patients AS
SELECT i AS id, i % 90 AS person, 18 + i * 7 % 60 AS age, to_char(i * 37 % 900, 'FM"5"0000') AS zip,
    date '1950-01-01' + i * 113 % 9000 AS born, (ARRAY['north', 'south', 'east'])[1 + i * i / 11 % 3] AS ward,
    'illness ' || i * i % 7 AS disease
FROM generate_series(1, 300) i;
CREATE TABLE wards AS SELECT * FROM (VALUES ('north', 'cold'), ('south', 'warm'), ('east', 'cold')) w (ward, climate);
SELECT kanon_create_dimension('ages', 'patients', 'age', 'ranges', '{5,10,20}');
SELECT kanon_create_dimension('zips', 'patients', 'zip', 'digits');
SELECT kanon_create_dimension('births', 'patients', 'born', 'dates', '{year,decade}');
SELECT kanon_set_attribute('patients', 'ward', 'quasi_identifier', 'wards');
SELECT kanon_set_attribute('patients', 'age', 'quasi_identifier', 'ages', weight => 2);
SELECT kanon_declare('patients', sensitive => '{disease}', identifiers => '{id}', insensitive => '{person}');

CREATE TABLE visits AS SELECT id, age, ward, disease FROM patients;
SELECT kanon_create_dimension('quarters', 'visits', 'age', 'quantiles', '{4,2}');
SELECT kanon_set_attribute('visits', 'ward', 'quasi_identifier');
SELECT kanon_declare('visits', sensitive => '{disease}', identifiers => '{id}');

SELECT kanon_create_release('by_levels', 'patients', 4, 'full_domain', models => 'distinct(disease, 2)', suppression => 0.3);
SELECT kanon_create_release('by_class', 'patients', 5, 'mondrian', models => 'entropy(disease, 2)');
SELECT kanon_create_release('by_people', 'patients', 3, 'mondrian', person => 'person');
SELECT kanon_create_release('by_means', 'visits', 6, 'relaxed_mondrian', options => '{"means": true}');
SELECT kanon_create_release('by_ring', 'visits', 4, 'ring', options => '{"seed": "secret"}');
SELECT kanon_create_release('by_targets', 'visits', 3, 'two_phase', options => '{"redraw": true}');
SELECT kanon_create_release('by_cells', 'visits', 3, 'suppress_cells', models => 'distinct(disease, 2)');
SELECT kanon_create_release('by_matches', 'visits', 3, 'suppress_cells', options => '{"null_matches": true, "known": 2}');
SELECT kanon_create_release('by_night', 'visits', 4, 'cohorts', options => '{"key": "id", "leavers": "keep"}');
SELECT kanon_create_release('in_table', 'visits', 4, options => '{"storage": "table"}');
SELECT kanon_copy_release('by_ring', 'ring_copy', 'id');
SELECT kanon_grow_tree('visits', 5) AS tree INTO trees;

-- A release of a time when Mondrian had no rest parts, of which its text and its parameters say nothing.
SELECT kanon_create_release('by_papers', 'patients', 5, 'strict_mondrian');
SELECT format('CREATE MATERIALIZED VIEW by_former AS %s', replace(pg_get_viewdef('by_papers'), '''strict_mondrian''', '''mondrian'''))
\gexec
INSERT INTO kanon_release_state SELECT (jsonb_populate_record(s, jsonb_build_object('release', 'by_former', 'recoding', 'mondrian',
    'parameters', s.parameters || '{"recoding": "mondrian", "split": "median"}'))).*
FROM kanon_release_state s WHERE release = 'by_papers'::regclass;

-- A history: an entry more each, a change, a failure, what was dropped.
DELETE FROM patients WHERE id > 290;
CALL kanon_refresh_releases('by_class');
REFRESH MATERIALIZED VIEW by_people;
REFRESH MATERIALIZED VIEW by_former;
ALTER TABLE patients RENAME COLUMN zip TO zip_code;
ALTER TABLE wards RENAME COLUMN climate TO weather;
SELECT kanon_create_release('brief', 'visits', 10);
SELECT kanon_drop_release('brief');
COMMENT ON MATERIALIZED VIEW by_class IS 'for the study';
GRANT SELECT ON by_class TO PUBLIC;
