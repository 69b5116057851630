-- A stand-in for Adults where the real table is not at hand: the same number
-- of rows, cardinalities and heights, skewed as people are, but independent
-- columns.  Node counts differ from the paper's; times are comparable.
-- Deterministic: every value is a hash of its row's number.

INSERT INTO dim_age
SELECT a, 'of 5: ' || a / 5, 'of 10: ' || a / 10, 'of 20: ' || a / 20, '*'
FROM generate_series(1, 100) a;
INSERT INTO dim_sex SELECT 'sex ' || i, '*' FROM generate_series(0, 1) i;
INSERT INTO dim_race SELECT 'race ' || i, '*' FROM generate_series(0, 4) i;
INSERT INTO dim_marital_status
SELECT 'status ' || i, 'spouse ' || i % 2, '*' FROM generate_series(0, 6) i;
INSERT INTO dim_education
SELECT 'education ' || i, 'stage ' || i / 3, 'sector ' || i / 6, '*' FROM generate_series(0, 15) i;
INSERT INTO dim_native_country
SELECT 'country ' || i, 'continent ' || i % 5, '*' FROM generate_series(0, 40) i;
INSERT INTO dim_workclass
SELECT 'class ' || i, 'sector ' || i % 3, '*' FROM generate_series(0, 6) i;
INSERT INTO dim_occupation
SELECT 'occupation ' || i, 'kind ' || i % 3, '*' FROM generate_series(0, 13) i;
INSERT INTO dim_salary_class SELECT 'salary ' || i, '*' FROM generate_series(0, 1) i;

-- A number in [0, 1) for each row and column; its powers are skewed to 0.
CREATE FUNCTION pg_temp.uniform(row_number bigint, seed bigint) RETURNS float8
IMMUTABLE LANGUAGE sql AS 'SELECT (hashint8extended($1, $2) & 1073741823) / 1073741824.0';

-- The first rows take each value once, so that none is missing.
CREATE FUNCTION pg_temp.pick(row_number bigint, seed bigint, cardinality int, skew float8) RETURNS int
IMMUTABLE LANGUAGE sql AS
'SELECT CASE WHEN $1 <= $3 THEN $1 - 1 ELSE floor($3 * pg_temp.uniform($1, $2) ^ $4) END::int';

INSERT INTO adult
SELECT 17 + pg_temp.pick(n, 1, 74, 1.8),
       'sex ' || pg_temp.pick(n, 2, 2, 1.6),
       'race ' || pg_temp.pick(n, 3, 5, 6),
       'status ' || pg_temp.pick(n, 4, 7, 2),
       'education ' || pg_temp.pick(n, 5, 16, 2),
       'country ' || pg_temp.pick(n, 6, 41, 12),
       'class ' || pg_temp.pick(n, 7, 7, 4),
       'occupation ' || pg_temp.pick(n, 8, 14, 1.3),
       'salary ' || pg_temp.pick(n, 9, 2, 2.4)
FROM generate_series(1, 45222) n;
