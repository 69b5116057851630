-- What kanon_create_release says of a release that is right and yet may not be what was meant.
SET client_min_messages = warning;
CREATE SCHEMA release_notice;
RESET client_min_messages;
SET search_path = release_notice, public;
CREATE TABLE people (age int, town text);
INSERT INTO people SELECT n % 7, 'town ' || n % 3 FROM generate_series(1, 42) n;
SELECT kanon_set_attribute('people', 'age', 'quasi_identifier'), kanon_set_attribute('people', 'town', 'quasi_identifier');

-- One release hides nobody but says so once: not when it is refreshed.
SELECT kanon_create_release('all_of_them', 'people', 1, 'mondrian');
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('all_of_them');
REFRESH MATERIALIZED VIEW all_of_them;
SELECT kanon_drop_release('all_of_them');
-- .. where models ask for more than a row, k may be 1.
SELECT kanon_set_attribute('people', 'town', 'sensitive');
SELECT kanon_create_release('diverse', 'people', 1, 'mondrian', models => '{"distinct(town, 2)"}');
SELECT kanon_drop_release('diverse');
SELECT kanon_set_attribute('people', 'town', 'quasi_identifier');

-- Weights that choose nothing.
SELECT kanon_set_attribute('people', 'age', 'quasi_identifier', weight => 0);
SELECT kanon_create_release('weighed', 'people', 2, 'full_domain');
SELECT kanon_drop_release('weighed');
SELECT kanon_create_release('weighed', 'people', 2, 'mondrian');
SELECT kanon_drop_release('weighed');
SELECT kanon_create_release('weighed', 'people', 2, 'two_phase', seed => 'one');
SELECT kanon_drop_release('weighed');
SELECT kanon_set_attribute('people', 'town', 'quasi_identifier', weight => 0);
SELECT kanon_create_release('weighed', 'people', 2, 'full_domain');
SELECT loss FROM kanon_release WHERE release = 'weighed'::regclass;
SELECT kanon_drop_release('weighed');
-- .. and the largest, beside which others count for nothing.
SELECT kanon_set_attribute('people', 'town', 'quasi_identifier', weight => 1e100);
SELECT kanon_set_attribute('people', 'age', 'quasi_identifier', weight => 1e100);
SELECT levels, loss FROM kanon_incognito('people', 2) WHERE minimal;
SELECT kanon_set_attribute('people', 'age', 'quasi_identifier', weight => 1.1e100);
SELECT kanon_set_attribute('people', 'age', 'quasi_identifier', weight => 1);
SELECT levels, loss FROM kanon_incognito('people', 7) WHERE minimal;
SELECT kanon_set_attribute('people', 'town', 'quasi_identifier', weight => 1);

-- More than there are rows: an error in a search, nothing where rows may come.
SELECT count(*) FROM kanon_incognito('people', 43);
SELECT kanon_create_release('too_many', 'people', 43, 'full_domain');
SELECT kanon_create_release('too_many', 'people', 43, 'mondrian');
SELECT kanon_drop_release('too_many');
SELECT satisfied, classes, violating_rows FROM kanon_check('people', 43);

-- Releases of one source, side by side.
SELECT kanon_create_release('first', 'people', 2, 'mondrian');
SELECT kanon_create_release('second', 'people', 3, 'mondrian');
SELECT kanon_create_release('"Third"', 'people', 4, 'mondrian');
SELECT kanon_create_release('fourth', 'people', 5, 'mondrian');
SELECT kanon_create_release('fifth', 'people', 6, 'mondrian');
CREATE TABLE others AS TABLE people;
SELECT kanon_create_release('of_others', 'others', 2, 'mondrian', quasi_identifiers => '{age,town}');
SELECT release, rows, missing, classes, smallest, satisfied, changed FROM kanon_refresh_release('fifth');

SET client_min_messages = warning;
DROP SCHEMA release_notice CASCADE;
