-- Privacy models in partitioning and in releases: every class satisfies every model,
-- nothing is left that could be divided, the order of rows does not matter, and releases
-- stay so whatever becomes of their tables.  The formulas are in plain SQL here.
--
-- Makes its own tables: visit (id, a, b, c, disease, pay, person), a and b quasi-identifiers that
-- are cut, c one with a dimension (c, half, quarter, third), in which values lie unevenly.
SET search_path = kanon_property;
SET check_function_bodies = off;

-- One model of a case.
CREATE TYPE guard_demand AS (model text, kind text, sensitive text, c float8, bound float8);

CREATE FUNCTION make_guard_tables() RETURNS void LANGUAGE sql AS $$
    CREATE TEMP TABLE guard_divided (id int, class int) ON COMMIT DELETE ROWS;
    CREATE TEMP TABLE guard_again (id int, class int) ON COMMIT DELETE ROWS;
    CREATE TEMP TABLE guard_on_disk (id int, class int) ON COMMIT DELETE ROWS;
    -- Groups of rows to be judged: classes, and what they could be divided into.  Several sides are one division.
    CREATE TEMP TABLE guard_side (division text, side text, id int) ON COMMIT DELETE ROWS;
    -- The sensitive values of each row, and how often each occurs in a side; side '' is the whole.
    CREATE TEMP TABLE guard_value (sensitive text, id int, rank bigint, amount float8, member bigint) ON COMMIT DELETE ROWS;
    CREATE TEMP TABLE guard_demanded OF guard_demand ON COMMIT DELETE ROWS;
$$;

CREATE FUNCTION fill_visits(rows int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    kinds int := 1 + pick(5);
    values int := 1 + pick(12);
    nulls float8 := CASE WHEN chance(0.5) THEN 0 ELSE 0.2 * random() END;
BEGIN
    INSERT INTO visit
    SELECT i + (SELECT coalesce(max(id), 0) FROM visit), CASE WHEN NOT chance(nulls) THEN pick(values) END, CASE WHEN NOT chance(nulls) THEN pick(5)::numeric / 2 END, pick(11),
           CASE WHEN NOT chance(nulls / 2) THEN 'd' || floor(kinds * random() ^ 2) END, CASE WHEN NOT chance(nulls / 2) THEN pick(10) END,
           CASE WHEN NOT chance(nulls / 2) THEN pick(1 + rows * 2 / 3) END
    FROM generate_series(1, rows) i;
END $$;

CREATE FUNCTION make_visits(rows int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    CREATE TABLE visit (id int, a int, b numeric, c int, disease text, pay int, person int);
    CREATE TABLE quarters AS SELECT c, c / 2 AS half, c / 4 AS quarter, CASE WHEN c < 8 THEN 'low' ELSE 'high' END AS third FROM generate_series(0, 10) c;
    PERFORM fill_visits(rows);
    PERFORM kanon_set_attribute('visit', 'a', 'quasi_identifier'), kanon_set_attribute('visit', 'b', 'quasi_identifier'),
            kanon_set_attribute('visit', 'c', 'quasi_identifier', 'quarters'), kanon_set_attribute('visit', 'disease', 'sensitive'),
            kanon_set_attribute('visit', 'pay', 'sensitive'), kanon_set_attribute('visit', 'id', 'identifier'), kanon_set_attribute('visit', 'person', 'insensitive');
END $$;

CREATE FUNCTION draw_demands() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    one guard_demand;
BEGIN
    FOR i IN 1 .. 1 + pick(2) LOOP
        one.sensitive := CASE WHEN chance(0.6) THEN 'disease' ELSE 'pay' END;
        one.kind := (ARRAY['distinct', 'entropy', 'recursive', 'closeness', 'variance'])[1 + pick(5)];
        one.c := NULL;
        CASE one.kind
            WHEN 'distinct' THEN one.bound := 1 + pick(4);
            WHEN 'entropy' THEN one.bound := round((1 + random() * 2)::numeric, 1);
            WHEN 'recursive' THEN one.c := round((0.5 + random() * 3)::numeric, 1); one.bound := 1 + pick(3);
            WHEN 'closeness' THEN one.bound := round((0.05 + random() * 0.5)::numeric, 2);
            ELSE one.sensitive := 'pay'; one.bound := pick(9);
        END CASE;
        one.model := format('%s(%s, %s%s)', one.kind, one.sensitive, one.c || ', ', one.bound);
        INSERT INTO guard_demanded SELECT one.*;
    END LOOP;
END $$;

CREATE FUNCTION fill_guard_values(people boolean) RETURNS void LANGUAGE sql AS $$
    INSERT INTO guard_value
    SELECT 'disease', id, dense_rank() OVER (ORDER BY disease), NULL, CASE WHEN people THEN person ELSE id END FROM visit WHERE NOT people OR person IS NOT NULL
    UNION ALL
    SELECT 'pay', id, dense_rank() OVER (ORDER BY pay), pay, CASE WHEN people THEN person ELSE id END FROM visit WHERE NOT people OR person IS NOT NULL
$$;

-- Sides that do not satisfy everything.
CREATE FUNCTION failing_sides(k int) RETURNS TABLE (division text, side text) LANGUAGE sql AS $$
    WITH sides AS (
        SELECT DISTINCT division, side FROM guard_side),
    size AS (
        SELECT division, side, count(*) AS rows, count(DISTINCT member) AS n FROM guard_side LEFT JOIN guard_value v USING (id)
        WHERE coalesce(sensitive, 'pay') = 'pay' GROUP BY 1, 2),
    counted AS (
        SELECT division, side, sensitive, rank, max(amount) AS amount, count(DISTINCT member)::float8 AS n FROM guard_side JOIN guard_value USING (id) GROUP BY 1, 2, 3, 4),
    shares AS (
        SELECT *, n / sum(n) OVER (PARTITION BY division, side, sensitive) AS share,
               row_number() OVER (PARTITION BY division, side, sensitive ORDER BY n DESC) AS turn FROM counted),
    figures AS (
        SELECT division, side, sensitive, count(*) AS different, exp(-sum(share * ln(share))) AS entropy,
               coalesce(sum(n * amount * amount) / nullif(sum(n) FILTER (WHERE amount IS NOT NULL), 0)
                        - (sum(n * amount) / nullif(sum(n) FILTER (WHERE amount IS NOT NULL), 0)) ^ 2, 0) AS variance
        FROM shares GROUP BY 1, 2, 3),
    whole AS (
        SELECT sensitive, rank, count(DISTINCT member)::float8 AS n, bool_or(sensitive = 'pay' AND amount IS NULL) AS nothing FROM guard_value GROUP BY 1, 2),
    spread AS (
        SELECT s.division, s.side, w.sensitive, w.rank, w.nothing, coalesce(c.share, 0) - w.n / sum(w.n) OVER (PARTITION BY s.division, s.side, w.sensitive) AS d
        FROM sides s CROSS JOIN whole w LEFT JOIN shares c USING (division, side, sensitive, rank)),
    distance AS (
        SELECT division, side, sensitive,
               CASE WHEN sensitive = 'disease' THEN sum(abs(d)) / 2
                    ELSE ordered_cost(array_agg(d ORDER BY rank) FILTER (WHERE NOT nothing), coalesce(sum(d) FILTER (WHERE nothing), 0)) END AS t
        FROM spread GROUP BY 1, 2, 3)
    SELECT DISTINCT s.division, s.side
    FROM size s LEFT JOIN (figures f JOIN distance x USING (division, side, sensitive)) USING (division, side) LEFT JOIN guard_demanded d USING (sensitive)
    WHERE n < k OR (d.kind IS NOT NULL AND NOT CASE d.kind
        WHEN 'distinct' THEN different >= bound
        WHEN 'entropy' THEN entropy >= bound - 1e-9
        WHEN 'recursive' THEN bound = 1 OR (SELECT max(n) < d.c * coalesce(sum(n) FILTER (WHERE turn >= bound), 0) - 1e-9 FROM shares h
                                            WHERE (h.division, h.side, h.sensitive) = (s.division, s.side, f.sensitive))
        WHEN 'closeness' THEN t <= bound + 1e-9
        ELSE variance >= bound - 1e-9 END)
$$;

-- Distance by order: d the differences along the ranks, extra those of NULL, which lies at distance 1 from all.
CREATE FUNCTION ordered_cost(d float8[], extra float8) RETURNS float8 IMMUTABLE LANGUAGE plpgsql AS $$
DECLARE
    missing float8[];
BEGIN
    SELECT array_agg(-sum ORDER BY at) INTO missing FROM (SELECT at, sum(v) OVER (ORDER BY at) FROM unnest(d) WITH ORDINALITY u (v, at)) s;
    IF coalesce(cardinality(missing), 0) < 2 THEN
        RETURN abs(extra);
    END IF;
    missing := missing[: cardinality(missing) - 1];
    IF extra < 0 THEN
        missing := ARRAY(SELECT -m FROM unnest(missing) WITH ORDINALITY u (m, at) ORDER BY at);
    END IF;
    RETURN abs(extra) + ascending_cost(missing, abs(extra)) / cardinality(missing);
END $$;

CREATE FUNCTION guard_models() RETURNS text LANGUAGE sql AS $$
    SELECT format('%L::kanon_models', (SELECT array_agg(model) FROM guard_demanded))
$$;

-- The classes, and all ways to divide one of them: NULL is the lowest value of a and b; c goes to the labels below the lowest that all share.
CREATE FUNCTION fill_sides(hierarchy boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    attribute text;
BEGIN
    INSERT INTO guard_side SELECT 'class ' || class, '', id FROM guard_divided;
    FOREACH attribute IN ARRAY ARRAY['a', 'b'] || CASE WHEN hierarchy THEN '{}' ELSE ARRAY['c'] END LOOP
        EXECUTE format($q$
            INSERT INTO guard_side
            SELECT format('class %%s: %1$s at %%s', g.class, t.at), CASE WHEN coalesce(v.%1$s, -1) <= t.at THEN 'low' ELSE 'high' END, id
            FROM guard_divided g JOIN visit v USING (id)
                 JOIN (SELECT class, coalesce(%1$s, -1) AS at, max(coalesce(%1$s, -1)) OVER (PARTITION BY class) AS top
                       FROM guard_divided JOIN visit USING (id) GROUP BY class, %1$s) t ON t.class = g.class AND t.at < t.top
        $q$, attribute);
    END LOOP;
    IF hierarchy THEN
        INSERT INTO guard_side
        WITH labels AS (
            SELECT class, id, level, label FROM guard_divided JOIN visit USING (id) JOIN quarters USING (c),
                   LATERAL (VALUES (0, c::text), (1, half::text), (2, quarter::text), (3, third)) l (level, label)),
        lowest AS (
            SELECT class, max(level) AS level FROM (SELECT class, level FROM labels GROUP BY 1, 2 HAVING count(DISTINCT label) > 1) l GROUP BY 1)
        SELECT format('class %s: c at %s', class, level), label, id FROM lowest JOIN labels USING (class, level);
    END IF;
END $$;

-- Rows may change places where all that is looked at is equal.
CREATE FUNCTION guard_seen(people boolean) RETURNS TABLE (id int, seen text) LANGUAGE sql AS $$
    SELECT id, row(a, b, c, CASE WHEN people THEN person END, CASE WHEN EXISTS (SELECT FROM guard_demanded WHERE sensitive = 'disease') THEN disease END,
                   CASE WHEN EXISTS (SELECT FROM guard_demanded WHERE sensitive = 'pay') THEN pay END)::text FROM visit
$$;

-- Rules of local recoding give each row its class.
CREATE FUNCTION check_guarded_rules(call text, k int, people boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    rules kanon_tree;
    wrong bigint;
BEGIN
    EXECUTE format('SELECT kanon_local_tree(''visit'', %s, ''{a,b,c}'', %s, %L, "ranges" => true)', k, guard_models(), CASE WHEN people THEN 'person' END) INTO rules;
    PERFORM breach(call, 'rules where no row has a class, or none', (rules IS NULL) <> NOT EXISTS (SELECT FROM guard_divided WHERE class > 0));
    SELECT count(*) INTO wrong FROM visit v JOIN guard_divided d USING (id) WHERE kanon_leaf(rules, v) IS DISTINCT FROM d.class;
    PERFORM breach(call, format('%s rows have another class by the rules: %s', wrong, rules), wrong > 0);
END $$;

CREATE FUNCTION check_guarded_division(k int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    hierarchy boolean := chance(0.5);
    people boolean := chance(0.3);
    relaxed boolean := chance(0.3);
    local boolean := NOT relaxed AND chance(0.4);
    sampled boolean := NOT relaxed AND NOT local AND chance(0.4);
    method name := CASE WHEN local THEN 'kanon_local' ELSE 'kanon_mondrian' END;
    call text := format('%s, %s, models => %s', k, CASE WHEN hierarchy THEN 'r, ''{a,b,c}''' ELSE '(SELECT x FROM (SELECT r.a, r.b, r.c, r.disease, r.pay, r.person) x), ''{a,b,c}''' END, guard_models());
    failing text;
BEGIN
    call := call || CASE WHEN people THEN ', person => ''person''' ELSE '' END
        || CASE WHEN relaxed THEN ', relaxed => true' WHEN NOT local AND chance(0.3) THEN ', split => ''infogain'', target => ''disease''' ELSE '' END;
    PERFORM set_config('kanon.partitioning', CASE WHEN sampled THEN 'sample' ELSE 'auto' END, true);
    EXECUTE format('INSERT INTO guard_divided SELECT id, %s(%s) OVER () FROM visit r', method, call);
    EXECUTE format('INSERT INTO guard_again SELECT id, %s(%s) OVER (ORDER BY hashint4extended(id, %s)) FROM visit r', method, call, pick(1000000));
    PERFORM breach(call, 'the order of rows matters', EXISTS (
        SELECT seen, class FROM guard_divided JOIN guard_seen(people) USING (id) EXCEPT ALL SELECT seen, class FROM guard_again JOIN guard_seen(people) USING (id)));
    PERFORM set_config('kanon.partitioning', CASE WHEN sampled THEN 'sample' ELSE 'tree' END, true);
    EXECUTE format('INSERT INTO guard_on_disk SELECT id, %s(%s) OVER () FROM visit r', method, call);
    PERFORM set_config('kanon.partitioning', 'auto', true);
    PERFORM breach(call, 'classes on disk are others', EXISTS (SELECT id, class FROM guard_divided EXCEPT SELECT id, class FROM guard_on_disk));
    IF local AND hierarchy THEN
        PERFORM check_guarded_rules(call, k, people);
    END IF;
    PERFORM fill_guard_values(people);
    INSERT INTO guard_side SELECT '', '', id FROM visit;
    IF EXISTS (SELECT FROM failing_sides(k)) OR NOT EXISTS (SELECT FROM visit) THEN
        PERFORM breach(call, 'the whole fails and there are classes', EXISTS (SELECT FROM guard_divided WHERE class IS NOT NULL));
        RETURN;
    END IF;
    PERFORM breach(call, 'a row has no class', EXISTS (SELECT FROM guard_divided WHERE class IS NULL));
    DELETE FROM guard_side;
    PERFORM fill_sides(hierarchy);
    ANALYZE guard_side, guard_value;
    CREATE TEMP TABLE guard_failing ON COMMIT DROP AS SELECT * FROM failing_sides(k);
    SELECT string_agg(division, '; ') INTO failing FROM guard_failing WHERE division NOT LIKE '%:%';
    PERFORM breach(call, 'classes do not satisfy: ' || failing, failing IS NOT NULL);
    SELECT string_agg(DISTINCT division, '; ') INTO failing FROM guard_side WHERE division LIKE '%:%' AND division NOT IN (SELECT division FROM guard_failing);
    PERFORM breach(call, 'an allowable division is left: ' || failing, failing IS NOT NULL);
END $$;

CREATE FUNCTION expect_guarded(release text, k int, people boolean, why text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    told record;
    rows bigint;
BEGIN
    -- No class may ask for more values than the release has: then it must be empty.
    BEGIN
        EXECUTE format('SELECT * FROM kanon_check(%L, %s, models => %s, person => %L)', release, k, guard_models(), CASE WHEN people THEN 'person' END) INTO told;
    EXCEPTION WHEN invalid_parameter_value THEN
        RAISE EXCEPTION '% %: %', release, why, SQLERRM;
    END;
    PERFORM breach(release || ' with ' || guard_models(), why || ': ' || told::text, NOT told.satisfied);
    EXECUTE format('SELECT count(*) FROM %I', release) INTO rows;
    PERFORM breach(release, why || ': the catalog counts ' || (SELECT r.rows FROM kanon_release r WHERE r.release = expect_guarded.release::regclass),
                   rows IS DISTINCT FROM (SELECT r.rows FROM kanon_release r WHERE r.release = expect_guarded.release::regclass));
    PERFORM expect_people(release, k, people, why);
END $$;

-- Classes of the release, whose person is published here, or as they were formed: two of these may look alike.
CREATE FUNCTION expect_people(release text, k int, people boolean, why text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    entry kanon_release;
    fewest bigint;
    published bigint;
BEGIN
    SELECT * INTO entry FROM kanon_release r WHERE r.release = expect_people.release::regclass;
    EXECUTE format('SELECT min(n) FROM (SELECT count(DISTINCT person) AS n FROM %I GROUP BY a, b, c) class', release) INTO published;
    fewest := published;
    -- (NULL and a hidden value look alike, too.)
    IF people AND entry.parameters ? 'rule' THEN
        fewest := entry.people;
    ELSIF people AND entry.levels IS NULL THEN
        EXECUTE format('SELECT min(n) FROM (SELECT count(DISTINCT person) AS n FROM (SELECT person, %s(%s, v, ''{a,b,c}'', models => %s%s,'
                       ' person => ''person'') OVER () AS class FROM visit v) formed WHERE class > 0 GROUP BY class) class',
                       CASE entry.recoding WHEN 'local' THEN 'kanon_local' ELSE 'kanon_mondrian' END, k, guard_models(), CASE entry.recoding WHEN 'relaxed_mondrian' THEN ', relaxed => true' ELSE '' END) INTO fewest;
    END IF;
    PERFORM breach(release, format('%s: the catalog counts %s people, not %s', why, entry.people, fewest),
                   entry.people IS DISTINCT FROM CASE WHEN people THEN fewest END OR entry.people NOT BETWEEN k AND published);
END $$;

-- Where nothing fails, nothing is left out.
CREATE FUNCTION expect_complete(levels int[], k int, people boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    told record;
BEGIN
    EXECUTE format('CREATE VIEW everything AS %s', kanon_generalized_query('visit', levels));
    BEGIN
        EXECUTE format('SELECT * FROM kanon_check(''everything'', %s, ''{a,b,c}'', models => %s, person => %L)', k, guard_models(), CASE WHEN people THEN 'person' END) INTO told;
        PERFORM breach('guarded with ' || guard_models(), 'a class is left out though all satisfy',
                       told.satisfied AND (SELECT count(*) FROM guarded) <> told.rows);
    EXCEPTION WHEN invalid_parameter_value THEN
        PERFORM breach('guarded with ' || guard_models(), 'it has rows though none can satisfy', EXISTS (SELECT FROM guarded));
    END;
    DROP VIEW everything;
END $$;

CREATE FUNCTION check_guarded_release(k int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    recoding text := (ARRAY['local', 'mondrian', 'relaxed_mondrian', 'full_domain', 'full_domain', 'subtree', 'unrestricted', 'ordered'])[1 + pick(8)];
    people boolean := chance(0.3);
    levels int[] := CASE WHEN recoding = 'full_domain' THEN ARRAY[pick(2), pick(2), pick(4)] END;
    t float8 := round((0.15 + random() * 0.4)::numeric, 2);
BEGIN
    -- Where some classes fall out, others are judged again.
    IF levels IS NOT NULL AND chance(0.5) THEN
        DELETE FROM guard_demanded;
        INSERT INTO guard_demanded SELECT format('closeness(%s, %s)', s, t), 'closeness', s, NULL, t FROM (SELECT CASE pick(2) WHEN 0 THEN 'pay' ELSE 'disease' END AS s) x;
        levels[1] := 1;
    END IF;
    BEGIN
        EXECUTE format('SELECT kanon_create_release(''guarded'', ''visit'', %s, %L, options => jsonb_build_object(''levels'', %L::int[]), models => %s, suppression => %s, person => %L)',
                       k, recoding, levels, guard_models(), CASE WHEN levels IS NULL THEN 0 ELSE 0.999 END, CASE WHEN people THEN 'person' END);
    EXCEPTION WHEN check_violation OR invalid_parameter_value THEN
        PERFORM breach(recoding, SQLERRM, levels IS NULL AND (SELECT count(*) FROM visit) >= k AND SQLERRM NOT LIKE 'no table with % can satisfy %' AND SQLERRM NOT LIKE 'no rule of recoding %');
        RETURN;
    END;
    PERFORM expect_guarded('guarded', k, people, recoding || ' as created');
    FOR turn IN 1 .. 2 LOOP
        DELETE FROM visit WHERE chance(0.4 * random());
        UPDATE visit SET disease = 'd' || pick(3) WHERE chance(0.4 * random());
        UPDATE visit SET pay = pick(10) WHERE chance(0.4 * random());
        PERFORM fill_visits(pick(20));
        REFRESH MATERIALIZED VIEW guarded;
        PERFORM expect_guarded('guarded', k, people, recoding || ' as refreshed');
        IF levels IS NOT NULL THEN
            PERFORM expect_complete(levels, k, people);
        END IF;
    END LOOP;
END $$;

CREATE FUNCTION check_guard_case() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    k int := 1 + pick(5);
BEGIN
    PERFORM make_visits(CASE WHEN chance(0.05) THEN 0 ELSE 1 + pick(60) END), draw_demands();
    IF chance(0.5) THEN
        PERFORM check_guarded_division(k);
    ELSE
        PERFORM check_guarded_release(k);
    END IF;
END $$;
