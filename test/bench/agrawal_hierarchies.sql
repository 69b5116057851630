-- Hierarchies for three of the nine attributes of agrawal.sql, whose other six stay in order: labels
-- and cuts in one table.
CREATE TABLE agrawal_elevel AS SELECT i AS value, CASE WHEN i < 2 THEN 'school' ELSE 'college' END AS kind, '*'::text AS top FROM generate_series(0, 4) i;
CREATE TABLE agrawal_car AS
SELECT i AS value, format('make %s', (i - 1) / 3) AS make, format('country %s', (i - 1) / 9) AS country, '*'::text AS top FROM generate_series(1, 20) i;
CREATE TABLE agrawal_zipcode AS SELECT i AS value, format('%s-%s', (i - 1) / 3 * 3 + 1, (i - 1) / 3 * 3 + 3) AS region, '*'::text AS top FROM generate_series(1, 9) i;
SELECT kanon_set_attribute('agrawal', attribute, 'quasi_identifier', to_regclass('agrawal_' || attribute))
FROM unnest('{salary,commission,age,elevel,car,zipcode,hvalue,hyears,loan}'::name[]) attribute;
