-- What kanon_create_release says of a release that is right and yet may not be what was meant.
SET client_min_messages = warning;
CREATE SCHEMA release_notice;
RESET client_min_messages;
SET search_path = release_notice, public;
\set SHOW_CONTEXT never
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
SELECT kanon_create_release('weighed', 'people', 2, 'two_phase', options => '{"seed": "one"}');
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

-- More than there are rows: an error, except in a check.
SELECT count(*) FROM kanon_incognito('people', 43);
SELECT kanon_create_release('too_many', 'people', 43, 'full_domain');
SELECT kanon_create_release('too_many', 'people', 43, 'mondrian');
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

-- .. what they reveal together is what kanon_check_releases counts
CREATE TABLE guests (id int, age int, town text);
INSERT INTO guests SELECT 3 * a + t, 20 + 10 * a, 'town ' || t FROM generate_series(0, 2) a, generate_series(1, 3) t;
SELECT kanon_declare('guests', identifiers => '{id}', quasi_identifiers => '{age,town}');
SELECT kanon_create_release('by_age', 'guests', 3, 'full_domain', options => '{"levels": [0, 1]}');
SELECT kanon_create_release('by_town', 'guests', 2, 'full_domain', options => '{"levels": [1, 0]}');
SELECT needed, people, below, alone FROM kanon_check_releases('guests', '{by_age,by_town}');
-- .. at k = 1 nobody has fewer, and may be alone
SELECT kanon_create_release('as_it_is', 'guests', 1, 'full_domain', options => '{"levels": [0, 0]}');
-- .. one that is replaced is compared with the others: of other levels, of other quasi-identifiers
SELECT kanon_drop_release('as_it_is');
SELECT kanon_replace_release('by_town', options => '{"levels": [1, 1]}');
SELECT kanon_replace_release('by_town', options => '{"levels": [0, 1]}', quasi_identifiers => '{town,age}');
SELECT kanon_drop_release('by_age');
SELECT kanon_replace_release('by_town', k => 2);
-- .. no figure: nobody is told, a recoding has no classes, or there are too many rows for all releases
SET client_min_messages = warning;
SELECT kanon_create_release('unasked', 'guests', 2);
RESET client_min_messages;
SELECT kanon_drop_release('unasked');
SELECT kanon_create_release('ring', 'guests', 2, 'ring', quasi_identifiers => '{age,town}', options => '{"seed": "x"}');
SELECT kanon_drop_release('ring');
INSERT INTO guests SELECT n, 20 + n % 3, 'town ' || n % 3 FROM generate_series(10, 10000) n;
SELECT kanon_create_release('enough', 'guests', 2, quasi_identifiers => '{age,town}');
SELECT kanon_drop_release('enough');
SET kanon.memory_limit = '64kB';
SELECT kanon_create_release('little', 'guests', 2, 'full_domain', options => '{"levels": [0, 1]}', suppression => 0.1, quasi_identifiers => '{age,town}');
RESET kanon.memory_limit;
SELECT kanon_drop_release('little');
INSERT INTO guests VALUES (0, 20, 'town 1');
SELECT kanon_create_release('too_many', 'guests', 2, quasi_identifiers => '{age,town}');
SELECT kanon_drop_release('too_many');
-- .. or the release before fails, for everybody or for this one
TRUNCATE guests;
INSERT INTO guests SELECT 3 * a + t, 20 + 10 * a, 'town ' || t FROM generate_series(0, 2) a, generate_series(1, 3) t;
CREATE FUNCTION fail() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('release_notice.error', true) <> '' THEN
        RAISE 'failed' USING ERRCODE = current_setting('release_notice.error');
    END IF;
    RETURN false;
END $$;
CREATE VIEW towns AS SELECT 'town ' || t AS town, CASE t WHEN 1 THEN 'north' ELSE 'south' END AS region FROM generate_series(1, 3) t WHERE NOT fail();
SELECT kanon_drop_release('by_town');
SELECT kanon_set_attribute('guests', 'town', 'quasi_identifier', 'towns');
SELECT kanon_create_release('by_region', 'guests', 3, 'full_domain', quasi_identifiers => '{town}', options => '{"levels": [1]}');
SELECT kanon_create_release('by_age', 'guests', 3, quasi_identifiers => '{age}');
SELECT kanon_drop_release('by_age');
SET release_notice.error = 'division_by_zero';
SELECT kanon_check_releases('guests', '{by_region}');
SELECT kanon_create_release('by_age', 'guests', 3, quasi_identifiers => '{age}');
SELECT kanon_drop_release('by_age');
-- .. even if code of a dimension's owner calls that a cancel
SET release_notice.error = 'query_canceled';
SELECT kanon_create_release('by_age', 'guests', 3, quasi_identifiers => '{age}');
SELECT kanon_drop_release('by_age');
RESET release_notice.error;
CREATE ROLE regress_notice;
GRANT USAGE, CREATE ON SCHEMA release_notice TO regress_notice;
GRANT SELECT ON guests TO regress_notice;
SET ROLE regress_notice;
SELECT kanon_create_release('by_age', 'guests', 3, quasi_identifiers => '{age}');
RESET ROLE;
-- .. as the owner of the one that is replaced, whoever does so
SELECT kanon_replace_release('by_age', k => 2);
ALTER VIEW towns OWNER TO regress_notice;
SELECT kanon_replace_release('by_age', k => 3);
-- .. and rows of a view cannot be told apart
CREATE VIEW arrivals AS SELECT age, town FROM guests;
SELECT kanon_declare('arrivals', quasi_identifiers => '{age,town}');
SELECT kanon_create_release('of_arrivals', 'arrivals', 2);
SELECT kanon_create_release('of_them', 'arrivals', 3);

SET client_min_messages = warning;
DROP SCHEMA release_notice CASCADE;
DROP ROLE regress_notice;
