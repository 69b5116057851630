-- Values that look as if they were written by mistake.
CREATE SCHEMA odd_values;
SET search_path = odd_values, public;
CREATE TABLE people (name text, sex text, zip_code varchar(20), city text, blood text, age int, disease text);
INSERT INTO people SELECT 'Person ' || i, (ARRAY['female', 'male'])[1 + i % 2], (53700 + i % 90)::text, (ARRAY['Lyon', 'Paris', 'Kyoto'])[1 + i % 3],
    (ARRAY['A', 'B', 'AB', '0'])[1 + i % 4], i % 80, (ARRAY['flu', 'gout'])[1 + i % 2] FROM generate_series(1, 500) i;

-- Nothing is odd.
SELECT kanon_declare('people', quasi_identifiers => '{sex,zip_code,city,blood,age}', sensitive => '{disease}', identifiers => '{name}');

-- What people type.
INSERT INTO people VALUES ('a', 'm', '53708 ', 'paris', 'A', 7, 'flu'), ('b', 'F', '53708-2110', ' Lyon', 'A', 7, 'Flu'),
    ('c', 'Male', '5370', 'New  York', 'AB', 7, '?'), ('d', '', '53708', E'Kyoto\t', '0', 7, 'n/a'), ('e', 'm', '53708', NULL, NULL, NULL, NULL);
SELECT kanon_declare('people', quasi_identifiers => '{sex,zip_code,city,blood,age}', sensitive => '{disease}', identifiers => '{name}');
SELECT kanon_set_attribute('people', 'sex', 'quasi_identifier');
SELECT kanon_set_attribute('people', 'sex', 'insensitive');
SELECT kanon_create_dimension('zip_codes', 'people', 'zip_code', 'digits');
SELECT kanon_create_dimension('sexes', 'people', 'sex', 'suppress');
SELECT * FROM kanon_check_dimension('zip_codes', 'people', 'zip_code');
SELECT * FROM kanon_check_dimension('sexes', 'people', 'sex');

-- No more than some are shown.
CREATE TABLE many AS SELECT 'town ' || i AS town FROM generate_series(1, 20) i UNION ALL SELECT 'TOWN ' || i FROM generate_series(1, 20) i;
SELECT kanon_declare('many', quasi_identifiers => '{town}');

-- Long texts are left alone, and so are codes of one length with letters, and words beside each other.
CREATE TABLE fine AS SELECT (ARRAY['A10', 'B20', 'C30'])[1 + i % 3] AS code, repeat('long ', 100) || i AS essay, (ARRAY['an', 'ant', 'anta'])[1 + i % 3] AS word
FROM generate_series(1, 100) i;
SELECT kanon_declare('fine', quasi_identifiers => '{code,essay,word}');

-- What cannot be read is not told of, and declared all the same.
CREATE VIEW failing AS SELECT CASE WHEN 1 / (age - age) > 0 THEN sex END AS sex FROM people;
SELECT kanon_declare('failing', quasi_identifiers => '{sex}');
SELECT attribute, role FROM kanon_attribute WHERE relation = 'failing'::regclass;

-- Others are told nothing: only owners declare.
CREATE ROLE regress_odd;
GRANT USAGE ON SCHEMA odd_values TO regress_odd;
GRANT SELECT ON people TO regress_odd;
SET ROLE regress_odd;
SELECT kanon_declare('people', quasi_identifiers => '{sex}');
RESET ROLE;

DROP SCHEMA odd_values CASCADE;
DROP ROLE regress_odd;
