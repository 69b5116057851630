-- What Mondrian and recodings cell by cell lose, beside the best full-domain
-- generalization, on the data of "Multidimensional K-Anonymity" (TR 1521, 2005),
-- sections 6.2 and 6.3.  Fills the table quality; run prints it.

-- A standard normal deviate of a row, by the sum of twelve uniform ones.
CREATE FUNCTION pg_temp.deviate(number bigint, seed bigint) RETURNS float8 IMMUTABLE PARALLEL SAFE LANGUAGE sql AS
'SELECT sum((hashint8extended($1, $2 * 12 + i) & 1073741823) / 1073741824.0)::float8 - 6 FROM generate_series(1, 12) i';

CREATE FUNCTION pg_temp.skewed(number bigint, seed bigint, cardinality int, mean float8, deviation float8) RETURNS int
IMMUTABLE PARALLEL SAFE LANGUAGE sql AS
'SELECT greatest(0, least($3 - 1, floor($4 + $5 * pg_temp.deviate($1, $2) + 0.5)::int))';

CREATE FUNCTION pg_temp.uniform(number bigint, seed bigint, cardinality int) RETURNS int IMMUTABLE PARALLEL SAFE LANGUAGE sql AS
'SELECT ((hashint8extended($1, $2) & 1073741823) * $3 / 1073741824)::int';

-- 10,000 rows, five attributes of cardinality 8; the deviation is a fifth of the range.
CREATE TABLE uniform AS
SELECT pg_temp.uniform(i, 1, 8) AS a, pg_temp.uniform(i, 2, 8) AS b, pg_temp.uniform(i, 3, 8) AS c, pg_temp.uniform(i, 4, 8) AS d, pg_temp.uniform(i, 5, 8) AS e
FROM generate_series(1, 10000) i;
CREATE TABLE skewed AS
SELECT pg_temp.skewed(i, 1, 8, 3.5, 1.6) AS a, pg_temp.skewed(i, 2, 8, 3.5, 1.6) AS b, pg_temp.skewed(i, 3, 8, 3.5, 1.6) AS c,
       pg_temp.skewed(i, 4, 8, 3.5, 1.6) AS d, pg_temp.skewed(i, 5, 8, 3.5, 1.6) AS e
FROM generate_series(1, 10000) i;
-- 1,000 rows, two attributes of cardinality 50.
CREATE TABLE workload AS
SELECT pg_temp.skewed(i, 1, 50, 25, 10) AS x, pg_temp.skewed(i, 2, 50, 25, 10) AS y FROM generate_series(1, 1000) i;

-- Binary trees, for full-domain generalization alone.
SELECT kanon_create_dimension(format('binary_%s_%s', t, attname), t, attname, 'ranges', CASE WHEN t = 'workload'::regclass THEN '{2,4,8,16,32}' ELSE '{2,4}' END::text[])
FROM unnest('{uniform,skewed,workload}'::regclass[]) t, pg_attribute WHERE attrelid = t AND attnum > 0;

CREATE TABLE adult_training AS SELECT * FROM adult LIMIT 30162;
SELECT declare_columns('adult_training');

CREATE TABLE quality (id int GENERATED ALWAYS AS IDENTITY, data text, k int, method text, discernibility float8, loss float8, mean_error float8, sd_error float8, matched boolean);

-- The classes of Mondrian, as in the papers, over values in their own order, without hierarchies.
CREATE FUNCTION pg_temp.divide(relation regclass, columns text, k int, relaxed boolean) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    penalty float8;
BEGIN
    EXECUTE format('SELECT sum(n::float8 * n) FROM (SELECT count(*) AS n FROM (SELECT %s OVER () AS class FROM %s) r GROUP BY class) c',
        format(CASE WHEN relaxed THEN 'kanon_mondrian(%s, ROW(%s), relaxed => true)' ELSE 'kanon_strict_mondrian(%s, ROW(%s))' END, k, columns), relation) INTO penalty;
    RETURN penalty;
END $$;

-- Released, measured and dropped; if cell by cell, with the proof by matchings.
CREATE FUNCTION pg_temp.measure(source regclass, k int, recoding text, columns name[], attribute text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM kanon_create_release('measured', source, k, recoding, quasi_identifiers => columns);
    INSERT INTO quality (data, k, method, discernibility, loss, mean_error, sd_error, matched)
    SELECT concat_ws(', ', replace(source::text, '_values', ''), attribute || ' = v'), k, recoding, q.discernibility, q.loss, q.mean_error, q.sd_error,
           CASE WHEN recoding IN ('ring', 'two_phase') THEN (SELECT satisfied FROM kanon_check_matchings('measured', k, source, columns)) END
    FROM kanon_quality('measured', source, columns, k, (SELECT array_agg(format('%s = %s', attribute, v)) FROM generate_series(0, 49) v WHERE attribute IS NOT NULL)) q;
    PERFORM kanon_drop_release('measured');
END $$;

-- Of all full-domain generalizations the one of least discernibility.
CREATE FUNCTION pg_temp.best_full_domain(relation regclass, columns name[], k int) RETURNS float8 LANGUAGE sql AS
'SELECT min(discernibility) FROM kanon_incognito(relation, k, columns, metrics => true)';

INSERT INTO quality (data, k, method, discernibility)
SELECT t, k, v.*
FROM unnest('{uniform,skewed}'::regclass[]) t, unnest('{2,5,10,25,50,100}'::int[]) k,
     LATERAL (VALUES ('full_domain, least C_DM', pg_temp.best_full_domain(t, '{a,b,c,d,e}', k)),
                     ('strict_mondrian, values in order', pg_temp.divide(t, 'a, b, c, d, e', k, false)),
                     ('relaxed_mondrian, values in order', pg_temp.divide(t, 'a, b, c, d, e', k, true))) v;
\set eight '{age,workclass,education,marital_status,occupation,race,sex,native_country}'
INSERT INTO quality (data, k, method, discernibility)
SELECT t, k, v.*
FROM unnest('{adult_training,adult}'::regclass[]) t, unnest('{2,5,10,25,50,100}'::int[]) k,
     LATERAL (VALUES ('full_domain, least C_DM', pg_temp.best_full_domain(t, :'eight', k)),
                     ('strict_mondrian, values in order', pg_temp.divide(t, btrim(:'eight', '{}'), k, false)),
                     ('relaxed_mondrian, values in order', pg_temp.divide(t, btrim(:'eight', '{}'), k, true))) v;
\set nine '{age,sex,race,marital_status,education,native_country,workclass,occupation,salary_class}'
INSERT INTO quality (data, k, method, loss)
SELECT 'adult', k, 'lower bound, cell by cell', kanon_matching_bound('adult', k, :'nine') FROM unnest('{2,10,50}'::int[]) k;
SELECT pg_temp.measure('adult', k, recoding, :'nine')
FROM unnest('{2,10,50}'::int[]) k, unnest('{full_domain,mondrian,strict_mondrian,relaxed_mondrian,ring,two_phase}'::text[]) recoding;

-- Errors of count queries: x = v, and y = v, for every v.  Mondrian over the values,
-- full-domain generalization over the binary trees.
CREATE TABLE workload_values AS SELECT * FROM workload;
SELECT kanon_set_attribute('workload_values', attname, 'quasi_identifier') FROM unnest('{x,y}'::name[]) attname;
SELECT pg_temp.measure(source, k, method, '{x,y}', attribute)
FROM unnest('{10,25}'::int[]) k, (VALUES ('x'), ('y')) a (attribute),
     (VALUES ('workload'::regclass, 'full_domain'), ('workload_values', 'strict_mondrian'), ('workload_values', 'relaxed_mondrian')) v (source, method);
