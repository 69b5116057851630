-- Larger tables: algorithms compared with each other under small and large
-- memory limits, and with plain SQL at some nodes.
SET search_path = kanon_property;
SET check_function_bodies = off;

-- Takes one answer for the truth, so that the others are compared with it.
CREATE FUNCTION trust(made test_case, truth text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO node (attributes, levels, height, satisfied, dominated, loss, "precision", classes, smallest, suppressed, discernibility, average_class, total_loss)
    SELECT cardinality(made.attributes), levels, height, true, NOT minimal, loss, "precision", classes, smallest, suppressed, discernibility, average_class, total_loss
    FROM answer WHERE call = truth
$$;

-- Is one node anonymous?  By GROUP BY over its labels.
CREATE FUNCTION holds(made test_case, levels int[]) RETURNS boolean STABLE LANGUAGE plpgsql
SET enable_nestloop = off SET enable_mergejoin = off SET work_mem = '64MB' AS $$
DECLARE
    satisfied boolean;
BEGIN
    EXECUTE (SELECT format('SELECT coalesce(sum(size), 0) <= %s FROM (SELECT count(*) AS size FROM %s GROUP BY %s HAVING count(*) < %s) c',
                           floor(made.suppression::numeric * made.row_count),
                           string_agg(format('(SELECT id, code AS code%s FROM cell WHERE attribute = %s AND level = %s) c%s%s', j, j, levels[j], j,
                                             CASE WHEN j > 1 THEN ' USING (id)' ELSE '' END), ' JOIN ' ORDER BY j),
                           string_agg('code' || j, ', '), made.k)
             FROM generate_series(1, cardinality(levels)) j) INTO satisfied;
    RETURN satisfied;
END $$;

-- Nodes at the border of the set, and some anywhere.
CREATE FUNCTION check_some_nodes(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    one int[];
    told boolean;
BEGIN
    PERFORM fill_cells(made);
    FOR one IN
        (SELECT levels FROM node WHERE NOT dominated ORDER BY random() LIMIT 4)
        UNION ALL
        (SELECT array_agg(CASE WHEN j = lower.at THEN level - 1 ELSE level END ORDER BY j)
         FROM (SELECT levels, at FROM node, generate_series(1, cardinality(levels)) at WHERE NOT dominated AND levels[at] > 0 ORDER BY random() LIMIT 4) lower,
              unnest(levels) WITH ORDINALITY l (level, j) GROUP BY levels, lower.at)
        UNION ALL
        SELECT array_agg(pick(made.heights[j] + 1) ORDER BY j) FROM generate_series(1, 4) n, generate_series(1, cardinality(made.heights)) j GROUP BY n
    LOOP
        told := EXISTS (SELECT FROM node WHERE levels = one);
        IF told <> holds(made, one) THEN
            RAISE EXCEPTION 'levels %: GROUP BY says %, kanon %', one, NOT told, told;
        END IF;
    END LOOP;
END $$;

-- One algorithm under one limit; too little memory may end in an error that
-- names the setting.
CREATE FUNCTION ask_within(call text, wants text, metrics boolean, memory text, way text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    message text;
    hint text;
BEGIN
    PERFORM set_config('kanon.memory_limit', memory, true), set_config('kanon.ground_scan', way, true);
    PERFORM ask(format('%s -- kanon.memory_limit = %s, kanon.ground_scan = %s', call, memory, way), wants, metrics);
EXCEPTION WHEN program_limit_exceeded THEN
    GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
    IF concat(message, hint) NOT LIKE '%kanon.memory_limit%' THEN
        RAISE EXCEPTION '% within %: the error does not name the setting: %', call, memory, message;
    END IF;
END $$;

CREATE FUNCTION check_large_case(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    nodes int := (SELECT round(exp(sum(ln(height + 1)))) FROM unnest(made.heights) height);
    one record;
    wrong text;
BEGIN
    FOR one IN SELECT * FROM calls_of(made) c WHERE nodes <= 200 OR c.call NOT LIKE '%rollup => false%' LOOP
        PERFORM ask_within(one.call, one.wants, made.metrics, '1GB', 'stream');
        PERFORM ask_within(one.call, one.wants, made.metrics, 64 << pick(8) || 'kB', (ARRAY['auto', 'stream', 'group_by'])[1 + pick(3)]);
    END LOOP;
    PERFORM trust(made, call) FROM asked WHERE call LIKE '%two_way%1GB%';
    SELECT string_agg(w, E'\n' ORDER BY w) INTO wrong
    FROM (SELECT wrong_nodes(made) UNION ALL SELECT wrong_answers(made) LIMIT 20) v (w);
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION '%', wrong;
    END IF;
    PERFORM check_some_nodes(made);
END $$;
