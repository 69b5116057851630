-- The examples of docs/mondrian.md.
CREATE SCHEMA multidimensional;
SET search_path = multidimensional, public;
CREATE TABLE patients (age int, zip int, sex text);
INSERT INTO patients VALUES
    (25, 53711, 'M'), (25, 53712, 'F'), (26, 53711, 'M'), (27, 53710, 'M'), (27, 53712, 'F'), (28, 53711, 'M'),
    (41, 53703, 'F'), (42, 53704, 'F'), (47, 53703, 'M'), (55, 53706, 'F'), (61, 53706, 'M'), (NULL, 53710, 'F');

-- classes of at least three people
SELECT class, count(*), count(age) AS ages, min(age), max(age), min(zip), max(zip)
FROM (SELECT *, kanon_mondrian(3, ROW(age, zip)) OVER () AS class FROM patients) p
GROUP BY class ORDER BY class;

-- the recoding as a rule, applied to the rows and to one that came later
CREATE TABLE recoding AS
    SELECT kanon_mondrian_tree(3, ROW(age, zip)) AS tree FROM patients WHERE age IS NOT NULL;
INSERT INTO patients VALUES (90, 53799, 'F');
SELECT age, zip, kanon_leaf(tree, ROW(age, zip)) AS class, kanon_region(tree, ROW(age, zip)) AS region
FROM recoding, patients WHERE sex = 'F' ORDER BY age, zip;

-- partitioned further where the rows lie
SELECT class, part, count(*)
FROM (SELECT kanon_leaf(tree, ROW(age)) AS class,
             kanon_mondrian(2, ROW(zip)) OVER (PARTITION BY kanon_leaf(tree, ROW(age))) AS part
      FROM patients, (SELECT kanon_mondrian_tree(4, ROW(age)) AS tree FROM patients WHERE age IS NOT NULL) t
      WHERE age IS NOT NULL) p
GROUP BY class, part ORDER BY class, part;

DROP TABLE patients, recoding;
DROP SCHEMA multidimensional;
