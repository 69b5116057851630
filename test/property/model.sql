-- Privacy models: kanon_classes and kanon_check against each model's formula in
-- plain SQL, on random tables, with NULLs, hierarchies and people.
--
-- Rests on make_case (generate.sql): one or two of its attributes are the
-- quasi-identifiers, one or two others sensitive, and perhaps a third the person.
SET search_path = kanon_property;
SET check_function_bodies = off;

-- One model of a case; bound is its last parameter, c that of recursive.
CREATE TYPE demand AS (number int, model text, sensitive int, kind text, c float8, bound float8);

CREATE FUNCTION make_model_tables() RETURNS void LANGUAGE sql AS $$
    -- Rows: class (in the order of the quasi-identifiers), person (NULL: nobody), sensitive values as ranks.
    CREATE TEMP TABLE member (id int, class int, person bigint, rank_1 bigint, rank_2 bigint) ON COMMIT DELETE ROWS;
    -- Members of each class, and of the table (class 0), by sensitive value; 0 where there are none.
    CREATE TEMP TABLE spread (sensitive int, class int, rank bigint, n float8, share float8) ON COMMIT DELETE ROWS;
    -- Labels of each value at each level, the value itself at level 0; NULL is itself below a single top.
    CREATE TEMP TABLE label (sensitive int, rank bigint, level int, name text) ON COMMIT DELETE ROWS;
    -- The number of each value, for variance.
    CREATE TEMP TABLE amount (sensitive int, rank bigint, number float8) ON COMMIT DELETE ROWS;
    -- Sensitive columns in which nobody has a value.
    CREATE TEMP TABLE unknown (sensitive int) ON COMMIT DELETE ROWS;
    -- The models asked, what each class's figure must be, and whether it satisfies.
    CREATE TEMP TABLE demanded OF demand ON COMMIT DELETE ROWS;
    CREATE TEMP TABLE verdict (number int, class int, value float8, satisfied boolean) ON COMMIT DELETE ROWS;
    CREATE TEMP TABLE told (class int, names text[], size bigint, distinct_values bigint[], model_values float8[], satisfied boolean) ON COMMIT DELETE ROWS;
$$;

CREATE FUNCTION fill_members(made test_case, quasi int[], sensitive int[], person name) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('INSERT INTO member SELECT id, dense_rank() OVER (ORDER BY %s), %s, dense_rank() OVER (ORDER BY %I), dense_rank() OVER (ORDER BY %I) FROM %s',
                   (SELECT string_agg(quote_ident(made.attributes[j]), ', ' ORDER BY at) FROM unnest(quasi) WITH ORDINALITY q (j, at)),
                   CASE WHEN person IS NULL THEN 'id' ELSE format('CASE WHEN %1$I IS DISTINCT FROM NULL THEN dense_rank() OVER (ORDER BY %1$I) END', person) END,
                   made.attributes[sensitive[1]], made.attributes[sensitive[cardinality(sensitive)]], made.relation);
    FOR one IN 1 .. cardinality(sensitive) LOOP
        EXECUTE format('INSERT INTO unknown SELECT %s WHERE NOT EXISTS (SELECT FROM %s WHERE %I IS DISTINCT FROM NULL AND %s)', one, made.relation,
                       made.attributes[sensitive[one]], CASE WHEN person IS NULL THEN 'true' ELSE format('%I IS DISTINCT FROM NULL', person) END);
    END LOOP;
END $$;

-- Everybody counts once for each of their values.
CREATE FUNCTION fill_spread(columns int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    FOR one IN 1 .. columns LOOP
        EXECUTE format($f$
            INSERT INTO spread
            WITH counted AS (SELECT coalesce(class, 0) AS class, rank_%1$s AS rank, count(DISTINCT person) AS n FROM member WHERE person IS NOT NULL
                             GROUP BY GROUPING SETS ((class, rank_%1$s), (rank_%1$s))),
            classes AS (SELECT 0 AS class UNION SELECT class FROM member),
            values AS (SELECT rank FROM counted WHERE class = 0)
            SELECT %1$s, class, rank, coalesce(n, 0), coalesce(n / sum(n) OVER (PARTITION BY class), 0) FROM classes CROSS JOIN values LEFT JOIN counted USING (class, rank)
        $f$, one);
    END LOOP;
END $$;

CREATE FUNCTION fill_labels(made test_case, one int, j int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    columns name[];
    tops int;
BEGIN
    EXECUTE format('INSERT INTO label SELECT %s, rank_%s, 0, rank_%2$s::text FROM member WHERE person IS NOT NULL GROUP BY 2', one, one);
    IF made.dimensions[j] IS NULL THEN
        RETURN;
    END IF;
    columns := ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = made.dimensions[j] AND attnum > 0 AND NOT attisdropped ORDER BY attnum);
    EXECUTE format('SELECT count(DISTINCT %I) FROM %s', columns[cardinality(columns)], made.dimensions[j]) INTO tops;
    FOR level IN 1 .. cardinality(columns) - CASE WHEN tops = 1 THEN 2 ELSE 1 END LOOP
        EXECUTE format('INSERT INTO label SELECT %1$s, rank_%1$s, %2$s, max(coalesce(''label '' || d.%3$I, ''none'')) FROM member JOIN %4$s p USING (id)'
                       ' LEFT JOIN %5$s d ON d.%6$I::%7$s = p.%8$I WHERE person IS NOT NULL GROUP BY 2',
                       one, level, columns[level + 1], made.relation, made.dimensions[j], columns[1], made.types[j], made.attributes[j]);
    END LOOP;
END $$;

-- Is NULL among the values, as the highest rank?
CREATE FUNCTION null_rank(made test_case, one int, j int) RETURNS bigint STABLE LANGUAGE plpgsql AS $$
DECLARE
    rank bigint;
BEGIN
    EXECUTE format('SELECT max(rank_%s) FROM member JOIN %s p USING (id) WHERE person IS NOT NULL AND p.%I IS NOT DISTINCT FROM NULL', one, made.relation, made.attributes[j]) INTO rank;
    RETURN rank;
END $$;

CREATE FUNCTION fill_amounts(made test_case, one int, j int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF made.types[j] IN ('int', 'bigint', 'numeric', 'float8', 'kanon_property.small_number') THEN
        EXECUTE format('INSERT INTO amount SELECT %1$s, rank_%1$s, max(p.%2$I::float8) FROM member JOIN %3$s p USING (id) WHERE person IS NOT NULL AND p.%2$I IS NOT NULL GROUP BY 2',
                       one, made.attributes[j], made.relation);
    END IF;
END $$;

-- The least sum of |want_i - given_i| over ascending given within [0, most]: one rank after the other, for each height that
-- it may have reached.
CREATE FUNCTION ascending_cost(want float8[], most float8) RETURNS float8 IMMUTABLE LANGUAGE plpgsql AS $$
DECLARE
    heights float8[] := ARRAY(SELECT DISTINCT least(greatest(w, 0), most) FROM unnest(want || 0::float8 || most) w ORDER BY 1);
    cost float8[] := array_fill(0::float8, ARRAY[cardinality(heights)]);
    best float8;
BEGIN
    FOR i IN 1 .. cardinality(want) LOOP
        best := 'infinity';
        FOR h IN 1 .. cardinality(heights) LOOP
            best := least(best, cost[h]);
            cost[h] := best + abs(want[i] - heights[h]);
        END LOOP;
    END LOOP;
    RETURN (SELECT min(c) FROM unnest(cost) c);
END $$;

CREATE FUNCTION ordered_distance(one int, of_class int, nulls bigint) RETURNS float8 STABLE LANGUAGE plpgsql AS $$
DECLARE
    extra float8 := coalesce((SELECT c.share - t.share FROM spread c JOIN spread t USING (sensitive, rank) WHERE sensitive = one AND c.class = of_class AND t.class = 0 AND rank = nulls), 0);
    missing float8[];
BEGIN
    SELECT array_agg(sum ORDER BY rank) INTO missing
    FROM (SELECT rank, sum(t.share - c.share) OVER (ORDER BY rank) FROM spread c JOIN spread t USING (sensitive, rank)
          WHERE sensitive = one AND c.class = of_class AND t.class = 0 AND rank IS DISTINCT FROM nulls) d;
    IF coalesce(cardinality(missing), 0) < 2 THEN
        RETURN abs(extra);
    END IF;
    missing := missing[: cardinality(missing) - 1];
    IF extra < 0 THEN
        missing := ARRAY(SELECT -m FROM unnest(missing) WITH ORDINALITY u (m, at) ORDER BY at);
    END IF;
    RETURN abs(extra) + ascending_cost(missing, abs(extra)) / cardinality(missing);
END $$;

CREATE FUNCTION distance_of(made test_case, one int, j int, of_class int) RETURNS float8 STABLE LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM spread WHERE sensitive = one AND class = of_class AND n > 0) THEN
        RETURN 0;
    ELSIF made.dimensions[j] IS NULL AND made.types[j] IN ('int', 'bigint', 'numeric', 'float8', 'kanon_property.small_number', 'date', 'timestamptz', 'interval') THEN
        RETURN ordered_distance(one, of_class, null_rank(made, one, j));
    END IF;
    RETURN (SELECT sum(abs(d)) / 2 / count(DISTINCT level) FROM (SELECT level, name, sum(c.share - t.share) AS d
            FROM spread c JOIN spread t USING (sensitive, rank) JOIN label USING (sensitive, rank)
            WHERE sensitive = one AND c.class = of_class AND t.class = 0 GROUP BY level, name) l);
END $$;

CREATE FUNCTION figure_of(made test_case, one demand, j int, of_class int) RETURNS float8 STABLE LANGUAGE plpgsql AS $$
BEGIN
    CASE one.kind
        WHEN 'distinct' THEN RETURN (SELECT count(*) FROM spread WHERE sensitive = one.sensitive AND class = of_class AND n > 0);
        WHEN 'entropy' THEN RETURN (SELECT coalesce(exp(-sum(share * ln(share))), 0) FROM spread WHERE sensitive = one.sensitive AND class = of_class AND n > 0);
        WHEN 'recursive' THEN RETURN (SELECT coalesce(max(n) / nullif(coalesce(sum(n) FILTER (WHERE place >= one.bound), 0), 0), 'infinity')
            FROM (SELECT n, row_number() OVER (ORDER BY n DESC) AS place FROM spread WHERE sensitive = one.sensitive AND class = of_class AND n > 0) s);
        WHEN 'closeness' THEN RETURN distance_of(made, one.sensitive, j, of_class);
        WHEN 'variance' THEN RETURN (SELECT coalesce(sum(n * (number - mean) ^ 2) / sum(n), 0)
            FROM (SELECT n, number, sum(n * number) OVER () / sum(n) OVER () AS mean FROM spread JOIN amount USING (sensitive, rank)
                  WHERE sensitive = one.sensitive AND class = of_class AND n > 0) s);
    END CASE;
END $$;

CREATE FUNCTION satisfies(one demand, value float8) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$
    SELECT CASE one.kind
        WHEN 'recursive' THEN one.bound = 1 OR value < one.c * (1 - 1e-11)
        WHEN 'closeness' THEN value <= one.bound + 1e-11
        ELSE value >= one.bound * (1 - 1e-11) END
$$;

CREATE FUNCTION draw_models(made test_case, sensitive int[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    one int;
    kind text;
    c float8;
    bound float8;
BEGIN
    FOR number IN 1 .. 1 + pick(4) LOOP
        one := 1 + pick(cardinality(sensitive));
        kind := (ARRAY['distinct', 'entropy', 'recursive', 'closeness', 'variance'])[1 + pick(5)];
        kind := CASE WHEN kind = 'variance' AND NOT EXISTS (SELECT FROM amount WHERE amount.sensitive = one) THEN 'closeness' ELSE kind END;
        c := (1 + pick(30)) / 10.0;
        bound := CASE kind WHEN 'closeness' THEN pick(21) / 20.0 WHEN 'variance' THEN pick(100) / 4.0
                           WHEN 'entropy' THEN CASE WHEN chance(0.5) THEN 1 + pick(3) ELSE 1 + pick(30) / 10.0 END ELSE 1 + pick(4) END;
        INSERT INTO demanded VALUES (number,
            format('%s(%I, %s%s)', kind, made.attributes[sensitive[one]], CASE kind WHEN 'recursive' THEN c || ', ' ELSE '' END, bound), one, kind, c, bound);
    END LOOP;
END $$;

-- Must it be refused, and how?
CREATE FUNCTION refusal() RETURNS text STABLE LANGUAGE sql AS $$
    SELECT CASE
        WHEN EXISTS (SELECT FROM demanded a JOIN amount m USING (sensitive) WHERE kind = 'variance' AND m.number = ANY ('{NaN,Infinity,-Infinity}')) THEN '22003'
        WHEN EXISTS (SELECT FROM demanded a WHERE kind IN ('distinct', 'entropy', 'recursive')
                     AND NOT EXISTS (SELECT FROM unknown u WHERE u.sensitive = a.sensitive)
                     AND bound > (SELECT nullif(count(*), 0) FROM spread s WHERE s.sensitive = a.sensitive AND class = 0)) THEN '22023'
    END
$$;

CREATE FUNCTION fill_verdicts(made test_case, columns int[]) RETURNS void LANGUAGE sql AS $$
    INSERT INTO verdict SELECT number, class, value, satisfies(a, value)
    FROM (SELECT a, (a).number, class, figure_of(made, a, columns[(a).sensitive], class) AS value
          FROM demanded a, (SELECT DISTINCT class FROM member) c) v
$$;

-- Class by class: what differs.
CREATE FUNCTION wrong_classes(k int) RETURNS SETOF text STABLE LANGUAGE sql AS $$
    WITH truth AS (
        SELECT class, count(DISTINCT person) AS size, count(*) AS rows,
               count(DISTINCT person) >= coalesce(k, 0) AND (SELECT bool_and(satisfied) FROM verdict v WHERE v.class = m.class) AS satisfied,
               (SELECT array_agg(value ORDER BY number) FROM verdict v WHERE v.class = m.class) AS model_values,
               (SELECT array_agg((SELECT count(*) FROM spread s WHERE s.sensitive = a.sensitive AND s.class = m.class AND n > 0) ORDER BY number) FROM demanded a) AS distinct_values
        FROM member m GROUP BY class)
    SELECT format('class %s: oracle %s, kanon %s', class, row(e.size, e.distinct_values, e.model_values, e.satisfied), row(a.size, a.distinct_values, a.model_values, a.satisfied))
    FROM truth e FULL JOIN told a USING (class)
    WHERE (e.size, e.distinct_values, e.satisfied) IS DISTINCT FROM (a.size, a.distinct_values, a.satisfied)
       OR NOT (SELECT bool_and(near(x, y)) FROM unnest(e.model_values, a.model_values) u (x, y))
$$;

CREATE FUNCTION check_model_case(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    shuffled int[] := ARRAY(SELECT j FROM generate_series(1, cardinality(made.attributes)) j ORDER BY random());
    quasi int[] := shuffled[1 : least(1 + pick(2), cardinality(shuffled) - 1)];
    sensitive int[] := shuffled[cardinality(quasi) + 1 : cardinality(quasi) + 1 + pick(2)];
    person name := CASE WHEN chance(0.4) THEN coalesce(made.attributes[shuffled[cardinality(quasi) + cardinality(sensitive) + 1]], 'id') END;
    k int := CASE WHEN chance(0.7) THEN made.k END;
    arguments text;
    expected text;
    wrong text;
    figures record;
BEGIN
    IF cardinality(shuffled) < 2 THEN
        RETURN;
    END IF;
    PERFORM fill_members(made, quasi, sensitive, person), fill_spread(cardinality(sensitive));
    FOR one IN 1 .. cardinality(sensitive) LOOP
        PERFORM fill_labels(made, one, sensitive[one]), fill_amounts(made, one, sensitive[one]);
    END LOOP;
    PERFORM draw_models(made, sensitive);
    arguments := format('%L, %s, %L::name[], %L::kanon_models, %L', made.relation, coalesce(k::text, 'NULL'),
                        ARRAY(SELECT made.attributes[j] FROM unnest(quasi) WITH ORDINALITY q (j, at) ORDER BY at),
                        (SELECT array_agg(model ORDER BY number) FROM demanded), person);
    expected := refusal();
    BEGIN
        EXECUTE format('INSERT INTO told SELECT row_number() OVER (), class, size, distinct_values, model_values, satisfied FROM kanon_classes(%s)', arguments);
        IF expected IS NOT NULL THEN
            RAISE EXCEPTION 'kanon_classes(%): answered, where it must refuse with %', arguments, expected;
        END IF;
    EXCEPTION WHEN numeric_value_out_of_range OR invalid_parameter_value THEN
        IF SQLSTATE IS DISTINCT FROM expected THEN
            RAISE EXCEPTION 'kanon_classes(%): refused with % (%)', arguments, SQLSTATE, SQLERRM;
        END IF;
        RETURN;
    END;
    PERFORM fill_verdicts(made, sensitive);
    SELECT string_agg(w, E'\n') INTO wrong FROM (SELECT w FROM wrong_classes(k) w LIMIT 5) x;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'kanon_classes(%)', arguments USING DETAIL = wrong;
    END IF;
    EXECUTE format('SELECT * FROM kanon_check(%s)', replace(arguments, ', NULL,', ', 1,')) INTO figures;
    SELECT string_agg(w, E'\n') INTO wrong FROM (
        SELECT row(count(*) = 0 OR bool_and(satisfied), coalesce(sum(rows), 0), count(*), min(size), count(*) FILTER (WHERE NOT satisfied), coalesce(sum(rows) FILTER (WHERE NOT satisfied), 0))::text AS w
        FROM (SELECT size, (SELECT count(*) FROM member m WHERE m.class = told.class) AS rows, told.satisfied AND (k IS NOT NULL OR size >= 1) AS satisfied FROM told) t) x
    WHERE w <> figures::text;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'kanon_check(%): oracle %, kanon %', arguments, wrong, figures;
    END IF;
END $$;
