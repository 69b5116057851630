-- Cells generalized one by one, on data made as in K. Murakami, T. Uno,
-- "Optimization algorithm for k-anonymization of datasets with low information
-- loss" (2017), section 4: ten quasi-identifiers, each a normal deviate of mean 0
-- rounded to a whole number.  What the paper reports, and functions that run calls,
-- for each measurement in a session of its own, so that peaks are its own.

-- Tables 13 to 16: GCP of Wong's algorithm and of the two-phase one, and its minutes.
CREATE TABLE matching_paper (rows int, deviation numeric, k int, wong float8, two_phase float8, minutes float8);
INSERT INTO matching_paper
SELECT rows, deviation, k, wong, two_phase, minutes
FROM (VALUES
    (100000, 1.0, '{.31,.35,.38,.40,.41,.42,.43,.44}'::float8[], '{.21,.26,.29,.31,.34,.36,.38,.39}'::float8[], '{5,5,5,7,11,12,14,15}'::float8[]),
    (100000, 1.5, '{.40,.44,.47,.49,.50,.51,.52,.52}', '{.27,.33,.36,.39,.41,.42,.44,.46}', '{3,5,8,8,9,12,14,15}'),
    (1000000, 1.0, '{.08,.11,.13,.14,.16,.17,.18,.19}', '{.05,.07,.09,.10,.11,.12,.13,.14}', '{28,40,50,61,72,86,95,110}'),
    (1000000, 1.5, '{.28,.31,.33,.35,.36,.37,.38,.38}', '{.20,.24,.27,.29,.31,.33,.34,.36}', '{41,55,70,82,95,108,122,133}')
) t (rows, deviation, wongs, two_phases, minutes_of), unnest(wongs, two_phases, minutes_of) WITH ORDINALITY p (wong, two_phase, minutes, place),
     LATERAL (SELECT place + 2) n (k);
-- Had the paper's 1.5 been the variance.
INSERT INTO matching_paper SELECT rows, 1.2247, k, wong, two_phase, minutes FROM matching_paper WHERE deviation = 1.5;

CREATE TABLE matching_bound (rows int, deviation numeric, k int, loss float8, priced float8);
CREATE TABLE matching_run (id int GENERATED ALWAYS AS IDENTITY, rows int, deviation numeric, k int, method text, loss float8, seconds float8, cpu float8,
                           peak int, satisfied boolean, check_seconds float8);

-- A part of 1, above 0.
CREATE FUNCTION fraction(number bigint, seed bigint) RETURNS float8 IMMUTABLE PARALLEL SAFE LANGUAGE sql AS
'SELECT ((hashint8extended($1, $2) & 1073741823) + 1) / 1073741824.0::float8';

-- Of a row, by the method of Box and Muller.
CREATE FUNCTION rounded_normal(number bigint, seed bigint, deviation numeric) RETURNS int IMMUTABLE PARALLEL SAFE LANGUAGE sql AS
'SELECT round($3 * sqrt(-2 * ln(fraction($1, 2 * $2))) * cos(2 * pi() * fraction($1, 2 * $2 + 1)))::int';

CREATE FUNCTION matching_table(rows int, deviation numeric) RETURNS text IMMUTABLE LANGUAGE sql AS
'SELECT format(''normal_%s_%s'', rows, replace(deviation::text, ''.'', ''_''))';

CREATE FUNCTION make_normal(rows int, deviation numeric) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE UNLOGGED TABLE %I AS SELECT %s FROM generate_series(1, %s) i', matching_table(rows, deviation),
                   (SELECT string_agg(format('rounded_normal(i, %s, %s) AS q%s', n, deviation, n), ', ') FROM generate_series(1, 10) n), rows);
    PERFORM kanon_set_attribute(matching_table(rows, deviation)::regclass, 'q' || n, 'quasi_identifier') FROM generate_series(1, 10) n;
END $$;

-- Makes the release, counts what is hidden, and has it checked.
CREATE FUNCTION measure_matching(rows int, deviation numeric, k int, method text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    cells text := (SELECT string_agg(format('kanon_view_cell(cells, ''q%s'', NULL::int) AS q%s', n, n), ', ') FROM generate_series(1, 10) n);
    hidden text := (SELECT string_agg('q' || n, ', ') FROM generate_series(1, 10) n);
    begun float8 := cpu_seconds();
    made matching_run;
BEGIN
    made.seconds := milliseconds(format('CREATE UNLOGGED TABLE matched AS SELECT %s FROM (SELECT %I(%s, t) OVER () AS cells FROM %I t) s',
                                        cells, method, k, matching_table(rows, deviation))) / 1000;
    made.cpu := cpu_seconds() - begun;
    made.peak := peak_megabytes();
    EXECUTE format('SELECT avg(num_nulls(%s)) / 10 FROM matched', hidden) INTO made.loss;
    made.check_seconds := milliseconds(format('CREATE TEMP TABLE verdict AS SELECT satisfied FROM kanon_check_matchings(''matched'', %s, %L)',
                                              k, matching_table(rows, deviation))) / 1000;
    SELECT v.satisfied INTO made.satisfied FROM verdict v;
    INSERT INTO matching_run (rows, deviation, k, method, loss, seconds, cpu, peak, satisfied, check_seconds)
    VALUES (rows, deviation, k, method, made.loss, made.seconds, made.cpu, made.peak, made.satisfied, made.check_seconds);
    DROP TABLE matched, verdict;
END $$;

CREATE FUNCTION measure_bound(rows int, deviation numeric, k int) RETURNS void LANGUAGE sql AS
'INSERT INTO matching_bound SELECT rows, deviation, k, kanon_matching_bound(matching_table(rows, deviation)::regclass, k, ranges => false)';

-- Takes far longer than the bound without prices.
CREATE FUNCTION measure_priced_bound(rows int, deviation numeric, k int) RETURNS void LANGUAGE sql AS
'UPDATE matching_bound b SET priced = kanon_matching_bound(matching_table($1, $2)::regclass, $3, priced => true, ranges => false) WHERE (b.rows, b.deviation, b.k) = ($1, $2, $3)';

-- Each k: what both methods lose, beside the bounds and the paper.  A target below
-- a bound cannot be reached by any method on these rows.
CREATE VIEW matching_loss AS
SELECT r.rows, r.deviation, r.k, r.method, b.loss AS bound, b.priced, r.loss, p.paper, p.target,
       CASE WHEN r.loss <= p.target THEN 'met' WHEN p.target < greatest(b.loss, b.priced) THEN 'below the lower bound' WHEN p.target IS NOT NULL THEN 'missed' END AS verdict,
       r.seconds, r.cpu, CASE WHEN r.method = 'kanon_two_phase' THEN p.minutes * 60 / 5 END AS target_seconds,
       r.peak, r.check_seconds, r.satisfied
FROM matching_run r JOIN matching_bound b USING (rows, deviation, k)
LEFT JOIN (SELECT rows, deviation, k, v.*, minutes FROM matching_paper, LATERAL (VALUES ('kanon_ring', wong, wong + 0.02), ('kanon_two_phase', two_phase, 0.95 * two_phase)) v (method, paper, target)) p
USING (rows, deviation, k, method);
