-- Searches with privacy models and people: every node judged by plain SQL, each
-- class of each node at once.  The tables of model.sql hold the classes of all
-- nodes: a class's number stands for its node too.
SET search_path = kanon_property;
SET check_function_bodies = off;

CREATE FUNCTION make_model_search_tables() RETURNS void LANGUAGE sql AS $$
    -- Each row at each node; class is a number over all nodes.
    CREATE TEMP TABLE located (node int, class int, id int, loss float8) ON COMMIT DELETE ROWS;
    -- Classes of all nodes: rows, members, whether k and all models hold, and what the rows lose.
    CREATE TEMP TABLE judged (node int, class int, rows bigint, members bigint, satisfied boolean, loss float8) ON COMMIT DELETE ROWS;
$$;

-- The case with the chosen quasi-identifiers only.
CREATE FUNCTION part_of(made test_case, quasi int[]) RETURNS test_case IMMUTABLE LANGUAGE plpgsql AS $$
DECLARE
    part test_case := made;
BEGIN
    part.attributes := ARRAY(SELECT made.attributes[j] FROM unnest(quasi) WITH ORDINALITY q (j, at) ORDER BY at);
    part.types := ARRAY(SELECT made.types[j] FROM unnest(quasi) WITH ORDINALITY q (j, at) ORDER BY at);
    part.dimensions := ARRAY(SELECT made.dimensions[j] FROM unnest(quasi) WITH ORDINALITY q (j, at) ORDER BY at);
    part.heights := ARRAY(SELECT made.heights[j] FROM unnest(quasi) WITH ORDINALITY q (j, at) ORDER BY at);
    part.weights := ARRAY(SELECT made.weights[j] FROM unnest(quasi) WITH ORDINALITY q (j, at) ORDER BY at);
    part.argument := format('%L::name[]', part.attributes);
    RETURN part;
END $$;

-- From the cells of the quasi-identifiers: where each row lies at each node.
CREATE FUNCTION locate_rows(part test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    size int := cardinality(part.attributes);
BEGIN
    EXECUTE format('INSERT INTO located SELECT %s, dense_rank() OVER (ORDER BY %1$s, %s), id, coalesce((%s) / %s, 0) FROM %s',
        (SELECT string_agg(format('((c%s.level + 1) << %s)', j, 3 * (j - 1)), ' + ') FROM generate_series(1, size) j),
        (SELECT string_agg(format('(c%s.code << %s)', j, 8 * (j - 1)), ' + ') FROM generate_series(1, size) j),
        (SELECT string_agg(format('c%s.loss * %s', j, part.weights[j]), ' + ') FROM generate_series(1, size) j),
        (SELECT coalesce(nullif(sum(weight), 0)::text, 'NULL') FROM unnest(part.weights) weight),
        (SELECT string_agg(format('(SELECT * FROM cell WHERE attribute = %s AND level >= 0) c%s%s', j, j, CASE WHEN j > 1 THEN ' USING (id)' ELSE '' END), ' JOIN ' ORDER BY j)
         FROM generate_series(1, size) j));
END $$;

CREATE FUNCTION fill_members_located(made test_case, sensitive int[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('INSERT INTO member SELECT id, class, person, rank_1, rank_2 FROM located JOIN'
                   ' (SELECT id, %s AS person, dense_rank() OVER (ORDER BY %I) AS rank_1, dense_rank() OVER (ORDER BY %I) AS rank_2 FROM %s) p USING (id)',
                   CASE WHEN made.person IS NULL THEN 'id' ELSE format('CASE WHEN %1$I IS DISTINCT FROM NULL THEN dense_rank() OVER (ORDER BY %1$I) END', made.person) END,
                   made.attributes[sensitive[1]], made.attributes[sensitive[cardinality(sensitive)]], made.relation);
END $$;

-- The figure of a model for every class: the formulas of model.sql, for all at once.
CREATE FUNCTION ordered_distances(one int, nulls bigint) RETURNS TABLE (class int, value float8) STABLE LANGUAGE sql AS $$
    WITH moved AS (
        SELECT c.class, c.rank, t.share - c.share AS lack, sum(t.share - c.share) OVER (PARTITION BY c.class ORDER BY c.rank) AS missing,
               row_number() OVER (PARTITION BY c.class ORDER BY c.rank DESC) AS from_end
        FROM spread c JOIN spread t USING (sensitive, rank) WHERE sensitive = one AND c.class > 0 AND t.class = 0 AND rank IS DISTINCT FROM nulls),
    extra AS (SELECT c.class, c.share - t.share AS extra FROM spread c JOIN spread t USING (sensitive, rank)
              WHERE sensitive = one AND c.class > 0 AND t.class = 0 AND rank = nulls),
    steps AS (SELECT m.class, count(*) - 1 AS steps, sum(abs(missing)) FILTER (WHERE from_end > 1) AS cost,
                     array_agg(missing * CASE WHEN extra < 0 THEN -1 ELSE 1 END ORDER BY rank) FILTER (WHERE from_end > 1) AS missing
              FROM moved m LEFT JOIN extra USING (class) GROUP BY m.class)
    SELECT a.class, abs(coalesce(extra, 0)) + CASE WHEN coalesce(steps, 0) < 1 THEN 0 WHEN coalesce(extra, 0) = 0 THEN cost / steps
                                                   ELSE ascending_cost(missing, abs(extra)) / steps END
    FROM (SELECT DISTINCT spread.class FROM spread WHERE spread.class > 0) a LEFT JOIN steps USING (class) LEFT JOIN extra USING (class)
$$;

CREATE FUNCTION labelled_distances(one int) RETURNS TABLE (class int, value float8) STABLE LANGUAGE sql AS $$
    SELECT class, sum(abs(d)) / 2 / count(DISTINCT level)
    FROM (SELECT c.class, level, name, sum(c.share - t.share) AS d FROM spread c JOIN spread t USING (sensitive, rank) JOIN label USING (sensitive, rank)
          WHERE sensitive = one AND c.class > 0 AND t.class = 0 GROUP BY c.class, level, name) l
    GROUP BY class
$$;

CREATE FUNCTION figures_of(made test_case, one demand, j int) RETURNS TABLE (class int, value float8) STABLE LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    CASE one.kind
        WHEN 'distinct' THEN RETURN QUERY SELECT s.class, count(*) FILTER (WHERE n > 0)::float8 FROM spread s WHERE sensitive = one.sensitive AND s.class > 0 GROUP BY s.class;
        WHEN 'entropy' THEN RETURN QUERY SELECT s.class, coalesce(exp(-sum(share * ln(nullif(share, 0)))), 0) FROM spread s WHERE sensitive = one.sensitive AND s.class > 0 GROUP BY s.class;
        WHEN 'recursive' THEN RETURN QUERY
            SELECT s.class, coalesce(max(n) / nullif(coalesce(sum(n) FILTER (WHERE place >= one.bound), 0), 0), 'infinity')
            FROM (SELECT spread.class, n, row_number() OVER (PARTITION BY spread.class ORDER BY n DESC) AS place FROM spread WHERE sensitive = one.sensitive AND spread.class > 0 AND n > 0) s
            GROUP BY s.class;
        WHEN 'variance' THEN RETURN QUERY
            SELECT s.class, coalesce(sum(n * (number - mean) ^ 2) / sum(n), 0)
            FROM (SELECT spread.class, n, number, sum(n * number) OVER w / nullif(sum(n) OVER w, 0) AS mean FROM spread LEFT JOIN amount USING (sensitive, rank)
                  WHERE sensitive = one.sensitive AND spread.class > 0 AND n > 0 AND number IS NOT NULL WINDOW w AS (PARTITION BY spread.class)) s
            GROUP BY s.class;
        WHEN 'closeness' THEN
            IF made.dimensions[j] IS NULL AND made.types[j] IN ('int', 'bigint', 'numeric', 'float8', 'kanon_property.small_number', 'date', 'timestamptz', 'interval') THEN
                RETURN QUERY SELECT * FROM ordered_distances(one.sensitive, null_rank(made, one.sensitive, j));
            ELSE
                RETURN QUERY SELECT * FROM labelled_distances(one.sensitive);
            END IF;
    END CASE;
END $$;

-- A class of nobody fails k.  A class without any number has variance 0.
CREATE FUNCTION judge_classes(made test_case, columns int[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO verdict SELECT (a).number, c.class, f.value, satisfies(a, coalesce(f.value, CASE (a).kind WHEN 'recursive' THEN float8 'infinity' ELSE 0 END))
    FROM demanded a CROSS JOIN (SELECT DISTINCT class FROM member) c
         LEFT JOIN (SELECT a2.number AS asked, f2.* FROM demanded a2, figures_of(made, a2, columns[a2.sensitive]) f2) f ON f.asked = (a).number AND f.class = c.class;
    INSERT INTO judged
    SELECT node, class, count(*), count(DISTINCT person), count(DISTINCT person) >= made.k AND coalesce(bool_and(s.satisfied), true), sum(loss)
    FROM located JOIN member USING (class, id) LEFT JOIN (SELECT class, bool_and(satisfied) AS satisfied FROM verdict GROUP BY class) s USING (class)
    GROUP BY node, class;
END $$;

-- From classes to the oracle's nodes.
CREATE FUNCTION judge_nodes(part test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    size int := cardinality(part.attributes);
BEGIN
    INSERT INTO node
    SELECT c.node, size, d.levels, d.height, c.suppressed <= floor(part.suppression::numeric * part.row_count), false, true, true,
           d.loss, d.precision, c.classes, c.smallest, c.suppressed, c.squares + c.suppressed * part.row_count,
           (part.row_count - c.suppressed)::float8 / nullif(c.classes, 0) / part.k, c.total_loss
    FROM (SELECT node, count(*) FILTER (WHERE satisfied) AS classes, min(members) FILTER (WHERE satisfied) AS smallest,
                 coalesce(sum(rows) FILTER (WHERE NOT satisfied), 0) AS suppressed, coalesce(sum(rows * rows) FILTER (WHERE satisfied), 0) AS squares,
                 sum(CASE WHEN satisfied THEN loss ELSE rows END) / part.row_count AS total_loss
          FROM judged GROUP BY node) c
    JOIN (SELECT node, array_agg(level ORDER BY j) AS levels, sum(level)::int AS height,
                 coalesce(sum(part.weights[j] * loss) / nullif(sum(part.weights[j]), 0), 0) AS loss, 1 - avg(level::float8 / part.heights[j]) AS precision
          FROM (SELECT node, j, ((node >> (3 * (j - 1))) & 7) - 1 AS level FROM (SELECT DISTINCT node FROM judged) n, generate_series(1, size) j) x
          JOIN (SELECT attribute AS j, level, avg(loss) AS loss FROM cell GROUP BY 1, 2) l USING (j, level) GROUP BY node) d USING (node);
    UPDATE node SET dominated = true
    FROM generate_series(1, size) j, node b
    WHERE (node.node >> (3 * (j - 1))) & 7 > 1 AND b.node = node.node - (1 << (3 * (j - 1))) AND b.satisfied;
END $$;

-- Models over random columns, and perhaps people; quasi and sensitive: numbers of attributes.
CREATE FUNCTION draw_demands(INOUT made test_case, OUT quasi int[], OUT sensitive int[]) LANGUAGE plpgsql AS $$
DECLARE
    shuffled int[] := ARRAY(SELECT j FROM generate_series(1, cardinality(made.attributes)) j ORDER BY random());
BEGIN
    quasi := shuffled[1 : least(1 + pick(3), cardinality(shuffled) - 1)];
    sensitive := shuffled[cardinality(quasi) + 1 : cardinality(quasi) + 1 + pick(2)];
    made.k := 1 + pick(3);
    made.suppression := CASE WHEN chance(0.4) THEN 0 ELSE round((0.05 + random() * 0.3)::numeric, 2) END;
    made.person := CASE WHEN chance(0.4) THEN coalesce(made.attributes[shuffled[cardinality(quasi) + cardinality(sensitive) + 1]], 'id') END;
END $$;

-- Models that some nodes satisfy and others do not: bounds within what the table
-- has, mostly, and often about the figure of the table as a whole.  Then the most
-- general nodes may fail where others, that suppress a few rows, satisfy.
CREATE FUNCTION draw_search_models(made test_case, sensitive int[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    one int;
    kind text;
    c float8;
    bound float8;
    most int;
    whole float8;
BEGIN
    FOR number IN 1 .. 1 + pick(3) * pick(2) LOOP
        one := 1 + pick(cardinality(sensitive));
        most := (SELECT greatest(count(*), 1) FROM spread s WHERE s.sensitive = one AND class = 0) + CASE WHEN chance(0.03) THEN 1 ELSE 0 END;
        kind := (ARRAY['distinct', 'entropy', 'recursive', 'closeness', 'variance'])[1 + pick(5)];
        kind := CASE WHEN kind = 'variance' AND NOT EXISTS (SELECT FROM amount WHERE amount.sensitive = one) THEN 'entropy' ELSE kind END;
        c := (5 + pick(30)) / 10.0;
        bound := CASE kind WHEN 'closeness' THEN (3 + pick(15)) / 20.0 WHEN 'variance' THEN pick(40) / 4.0
                           WHEN 'entropy' THEN round((1 + random() * (least(most, 3) - 1))::numeric, 1) ELSE 1 + pick(least(most, 3)) END;
        IF chance(0.6) AND kind IN ('entropy', 'recursive', 'variance') THEN
            whole := figure_of(made, ROW(number, '', one, kind, c, bound)::demand, sensitive[one], 0) * (0.85 + random() * 0.35);
            IF kind = 'recursive' AND whole BETWEEN 0.1 AND 100 THEN
                c := round(whole::numeric, 2);
            ELSIF kind = 'entropy' THEN
                bound := round(least(greatest(whole, 1), most)::numeric, 2);
            ELSIF kind = 'variance' AND whole BETWEEN 0 AND 1e6 THEN
                bound := round(whole::numeric, 2);
            END IF;
        END IF;
        INSERT INTO demanded VALUES (number,
            format('%s(%I, %s%s)', kind, made.attributes[sensitive[one]], CASE kind WHEN 'recursive' THEN c || ', ' ELSE '' END, bound), one, kind, c, bound);
    END LOOP;
END $$;

-- How it must be refused, and why; NULL where it must not.
CREATE FUNCTION search_refusal(part test_case, OUT state text, OUT reason text) STABLE LANGUAGE plpgsql AS $$
BEGIN
    state := refusal();
    reason := '%';
    IF state IS NULL AND part.row_count = 0 THEN
        state := '22023';
        reason := '%is empty';
    ELSIF state IS NULL AND part.k > (SELECT count(DISTINCT person) FROM member) THEN
        state := '22023';
        reason := CASE WHEN part.person IS NULL THEN 'k is greater than the number of rows%' ELSE 'k is greater than the number of people%' END;
    END IF;
END $$;

CREATE FUNCTION check_model_search(made test_case) RETURNS void LANGUAGE plpgsql
SET enable_nestloop = off SET enable_mergejoin = off SET work_mem = '64MB' AS $$
DECLARE
    drawn record;
    part test_case;
    sensitive int[];
    refused record;
    wrong text;
BEGIN
    IF cardinality(made.attributes) < 2 THEN
        RETURN;
    END IF;
    drawn := draw_demands(made);
    made := drawn.made;
    sensitive := drawn.sensitive;
    part := part_of(made, drawn.quasi);
    PERFORM fill_cells(part), locate_rows(part), fill_members_located(made, sensitive), fill_spread(cardinality(sensitive));
    FOR one IN 1 .. cardinality(sensitive) LOOP
        PERFORM fill_labels(made, one, sensitive[one]), fill_amounts(made, one, sensitive[one]);
    END LOOP;
    PERFORM draw_search_models(made, sensitive);
    IF part.person IS NOT NULL AND chance(0.2) THEN
        DELETE FROM demanded;
    END IF;
    part.models := coalesce((SELECT array_agg(model ORDER BY number) FROM demanded), '{}');
    refused := search_refusal(part);
    IF refused.state IS NOT NULL THEN
        PERFORM check_refusal(part, refused.state, refused.reason);
        RETURN;
    END IF;
    ANALYZE spread, member, located;
    PERFORM judge_classes(made, sensitive), judge_nodes(part);
    PERFORM ask_all(part), ask_with_little_memory(part);
    SELECT string_agg(w, E'\n' ORDER BY w) INTO wrong FROM (SELECT wrong_nodes(part) UNION ALL SELECT wrong_answers(part) LIMIT 20) v (w);
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION '%', wrong;
    END IF;
END $$;

-- Models that a larger table may satisfy.
CREATE FUNCTION draw_easy_models(made test_case, sensitive int[]) RETURNS text[] LANGUAGE sql AS $$
    SELECT array_agg(CASE pick(4) WHEN 0 THEN format('distinct(%I, 2)', s) WHEN 1 THEN format('entropy(%I, 1.5)', s)
                                  WHEN 2 THEN format('recursive(%I, 3, 2)', s) ELSE format('closeness(%I, 0.4)', s) END)
    FROM (SELECT made.attributes[j] AS s FROM unnest(sensitive) j) one
$$;

CREATE FUNCTION check_large_model_search(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    drawn record;
    part test_case;
    one record;
    wrong text;
BEGIN
    IF cardinality(made.attributes) < 2 THEN
        RETURN;
    END IF;
    drawn := draw_demands(made);
    part := part_of(drawn.made, drawn.quasi);
    part.models := draw_easy_models(made, drawn.sensitive);
    FOR one IN SELECT * FROM calls_of(part) c LOOP
        PERFORM ask_within(one.call, one.wants, part.metrics, '1GB', 'stream');
        PERFORM ask_within(one.call, one.wants, part.metrics, 64 << pick(8) || 'kB', (ARRAY['auto', 'stream', 'group_by'])[1 + pick(3)]);
    END LOOP;
    PERFORM trust(part, call) FROM asked WHERE call LIKE '%two_way%1GB%';
    SELECT string_agg(w, E'\n' ORDER BY w) INTO wrong FROM (SELECT wrong_nodes(part) UNION ALL SELECT wrong_answers(part) LIMIT 20) v (w);
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION '%', wrong;
    END IF;
EXCEPTION WHEN invalid_parameter_value THEN
    -- More people or values asked than there are: all refuse.
    PERFORM check_refusal(part, '22023', '%');
END $$;
