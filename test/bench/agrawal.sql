-- The synthetic people of Agrawal et al. as the papers on large-scale Mondrian
-- use them: nine numeric quasi-identifiers, mostly uniform and independent.
-- Deterministic: everything is a hash of the row's number.  psql variable: rows.

CREATE FUNCTION pg_temp.between(number bigint, seed bigint, low int, high int) RETURNS int
IMMUTABLE PARALLEL SAFE LANGUAGE sql AS
'SELECT $3 + ((hashint8extended($1, $2) & 1073741823) * ($4 - $3 + 1) / 1073741824)::int';

CREATE UNLOGGED TABLE agrawal AS
SELECT salary,
       CASE WHEN salary >= 75000 THEN 0 ELSE pg_temp.between(i, 2, 10000, 75000) END AS commission,
       pg_temp.between(i, 3, 20, 80) AS age,
       pg_temp.between(i, 4, 0, 4) AS elevel,
       pg_temp.between(i, 5, 1, 20) AS car,
       zipcode,
       zipcode * pg_temp.between(i, 7, 50000, 150000) AS hvalue,
       pg_temp.between(i, 8, 1, 30) AS hyears,
       pg_temp.between(i, 9, 0, 500000) AS loan
FROM (SELECT i, pg_temp.between(i, 1, 20000, 150000) AS salary, pg_temp.between(i, 6, 1, 9) AS zipcode
      FROM generate_series(1, :rows) i) people;
