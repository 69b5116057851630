-- The oracle: every node of every attribute set, by joins with the dimension
-- tables and GROUP BY.  Nothing here calls kanon.
--
-- A node is a number in base 8: digit j is 0 where attribute j is absent, else
-- its level + 1.  A class is a number in base 256 of the codes of its labels;
-- so at most 8 attributes of at most 255 values each.
SET search_path = kanon_property;
SET check_function_bodies = off;

-- Tables of one session, empty after each transaction.
CREATE PROCEDURE make_session_tables() LANGUAGE sql AS $$
    -- Each value of each row at each level, level -1 being "absent".
    CREATE TEMP TABLE cell (attribute int, level int, id int, code bigint, loss float8) ON COMMIT DELETE ROWS;
    -- The size of each equivalence class of each node, and what its rows lose there.
    CREATE TEMP TABLE class (node int, class bigint, size bigint, loss float8) ON COMMIT DELETE ROWS;
    -- What is true of each node; dominated: a direct specialization satisfies.
    CREATE TEMP TABLE node (
        node int, attributes int, levels int[], height int, satisfied boolean, dominated boolean,
        candidate boolean, root boolean, loss float8, precision float8,
        classes bigint, smallest bigint, suppressed bigint, discernibility float8, average_class float8, total_loss float8
    ) ON COMMIT DELETE ROWS;
    -- What an algorithm answered, and the account it gave of its search.
    CREATE TEMP TABLE answer (
        call text, position bigint, levels int[], height int, minimal boolean, loss float8, precision float8,
        classes bigint, smallest bigint, suppressed bigint, discernibility float8, average_class float8, total_loss float8
    ) ON COMMIT DELETE ROWS;
    -- wants: all of the set, lowest (one node at its lowest height), one, or some (one or none).
    CREATE TEMP TABLE asked (call text, wants text, metrics boolean) ON COMMIT DELETE ROWS;
    CREATE TEMP TABLE account (
        call text, size int, attribute_sets int, candidates bigint, checked bigint, satisfying bigint,
        table_scans bigint, rollups bigint
    ) ON COMMIT DELETE ROWS;
$$;

-- Level 0: the values as they are.  Their loss is none.
CREATE FUNCTION fill_ground(made test_case, j int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('INSERT INTO cell SELECT %s, 0, id, dense_rank() OVER (ORDER BY %I), 0 FROM %s', j, made.attributes[j], made.relation);
    EXECUTE format('INSERT INTO cell SELECT %s, -1, id, 0, 0 FROM %s', j, made.relation);
END $$;

-- The one level above, where there is no dimension: every row is "*".
CREATE FUNCTION fill_star(made test_case, j int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('INSERT INTO cell SELECT %s, 1, id, 1, (SELECT CASE WHEN count(DISTINCT %I) + bool_or(%2$I IS NOT DISTINCT FROM NULL)::int > 1 THEN 1 ELSE 0 END FROM %3$s) FROM %3$s',
                   j, made.attributes[j], made.relation);
END $$;

-- What a value that the dimension lacks becomes at a level: the one label of the top, or '*';
-- NULL from a level of numbers on, but where the top is one number, too, and where the
-- dimension has that label below another one.
CREATE FUNCTION unknown_label(made test_case, j int, level int) RETURNS text STABLE LANGUAGE plpgsql AS $$
DECLARE
    height int := made.heights[j];
    top text;
    one_label boolean;
    texts boolean[];
    less boolean;
BEGIN
    EXECUTE format('SELECT min(%1$I::text), count(DISTINCT %1$I) = 1 FROM %2$s', 'Level ' || height, made.dimensions[j]) INTO top, one_label;
    top := CASE WHEN one_label THEN top ELSE '*' END;
    texts := ARRAY(SELECT atttypid = 'text'::regtype FROM pg_attribute WHERE attrelid = made.dimensions[j] AND attnum > 1 ORDER BY attnum);
    FOR l IN 1 .. height LOOP
        IF NOT (texts[l] OR one_label AND NOT texts[height]) THEN
            IF l <= level THEN
                RETURN NULL;
            END IF;
            height := l - 1;
            EXIT;
        END IF;
    END LOOP;
    FOR l IN 2 .. least(height + 1, made.heights[j]) LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %s d WHERE d.%I::text = $1 AND (d.%I::text <> $1 OR $2))', made.dimensions[j], 'Level ' || l - 1, 'Level ' || l)
        INTO less USING top, l > height;
        IF less THEN
            RETURN NULL;
        END IF;
    END LOOP;
    RETURN top;
END $$;

-- One level of a dimension: by join; NULL joins nothing and stays NULL, except
-- at a top with one label, which is everybody's.
CREATE FUNCTION fill_level(made test_case, j int, level int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    ground name := (SELECT attname FROM pg_attribute WHERE attrelid = made.dimensions[j] AND attnum = 1);
    label name := (SELECT attname FROM pg_attribute WHERE attrelid = made.dimensions[j] AND attnum = level + 1);
    one_label boolean;
BEGIN
    EXECUTE format('SELECT count(DISTINCT %I) = 1 FROM %s', label, made.dimensions[j]) INTO one_label;
    IF level = made.heights[j] AND one_label THEN
        EXECUTE format('INSERT INTO cell SELECT %s, %s, id, 1, CASE WHEN (SELECT count(*) FROM %s) + bool_or(NOT EXISTS (SELECT FROM %3$s d WHERE (d.%I)::%s = people.%I)) OVER ()::int > 1 THEN 1 ELSE 0 END FROM %s people',
                       j, level, made.dimensions[j], ground, made.types[j], made.attributes[j], made.relation);
    ELSE
        EXECUTE format($q$
            INSERT INTO cell
            SELECT %1$s, %2$s, id, dense_rank() OVER (ORDER BY CASE WHEN d.label IS NOT NULL OR people.%9$I IS NOT DISTINCT FROM NULL THEN d.label::text ELSE %10$L END),
                   CASE WHEN d.label IS NULL AND %10$L::text IS NULL
                       THEN (bool_or(d.label IS NULL AND people.%9$I IS DISTINCT FROM NULL) OVER () AND EXISTS (SELECT FROM %8$s))::int::float8
                   WHEN d.label IS NULL AND people.%9$I IS DISTINCT FROM NULL
                       THEN coalesce((SELECT (count(*) - 1)::float8 / greatest((SELECT count(*) - 1 FROM %8$s), 1) FROM %8$s u WHERE u.%6$I::text = %10$L HAVING count(*) > 0),
                            EXISTS (SELECT FROM %8$s)::int)
                       ELSE coalesce((d.leaves - 1)::float8 / greatest(d.leaves_of_all - 1, 1), 0) END
            FROM %3$s people LEFT JOIN
                 (SELECT (%4$I)::%5$s AS ground, %6$I AS label, count(*) OVER (PARTITION BY %7$I) AS leaves, count(*) OVER () AS leaves_of_all FROM %8$s) d
                 ON d.ground = people.%9$I
            $q$, j, level, made.relation, ground, made.types[j], label, label, made.dimensions[j], made.attributes[j], unknown_label(made, j, level));
    END IF;
END $$;

CREATE FUNCTION fill_cells(made test_case) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    FOR j IN 1 .. cardinality(made.attributes) LOOP
        PERFORM fill_ground(made, j);
        IF made.dimensions[j] IS NULL THEN
            PERFORM fill_star(made, j);
        ELSE
            PERFORM fill_level(made, j, level) FROM generate_series(1, made.heights[j]) level;
        END IF;
    END LOOP;
END $$;

-- All equivalence classes of all nodes in one query.
CREATE FUNCTION fill_classes(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    attributes int := cardinality(made.attributes);
BEGIN
    EXECUTE format('INSERT INTO class SELECT %s, %s, count(*), coalesce(sum(%s) / %s, 0) FROM %s GROUP BY 1, 2',
        (SELECT string_agg(format('((c%s.level + 1) << %s)', j, 3 * (j - 1)), ' + ') FROM generate_series(1, attributes) j),
        (SELECT string_agg(format('(c%s.code << %s)', j, 8 * (j - 1)), ' + ') FROM generate_series(1, attributes) j),
        (SELECT string_agg(format('c%s.loss * %s', j, made.weights[j]), ' + ') FROM generate_series(1, attributes) j),
        (SELECT coalesce(nullif(sum(weight), 0)::text, 'NULL') FROM unnest(made.weights) weight),
        (SELECT string_agg(format('(SELECT * FROM cell WHERE attribute = %s) c%s%s', j, j, CASE WHEN j > 1 THEN ' USING (id)' ELSE '' END), ' JOIN ' ORDER BY j)
         FROM generate_series(1, attributes) j));
END $$;

-- From classes to nodes.
CREATE FUNCTION fill_nodes(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    size int := cardinality(made.attributes);
BEGIN
    ANALYZE class;
    WITH counted AS (
        SELECT c.node,
               count(*) FILTER (WHERE c.size >= made.k) AS classes,
               min(c.size) FILTER (WHERE c.size >= made.k) AS smallest,
               coalesce(sum(c.size) FILTER (WHERE c.size < made.k), 0) AS suppressed,
               coalesce(sum(c.size * c.size) FILTER (WHERE c.size >= made.k), 0) AS squares,
               sum(CASE WHEN c.size < made.k THEN c.size ELSE c.loss END) / made.row_count AS total_loss
        FROM class c WHERE c.node > 0 GROUP BY c.node),
    digit AS (
        SELECT c.node, j, (c.node >> (3 * (j - 1))) & 7 AS digit FROM counted c, generate_series(1, size) j),
    attribute_loss AS (
        SELECT attribute AS j, level + 1 AS digit, avg(loss) AS loss FROM cell GROUP BY 1, 2),
    described AS (
        SELECT d.node, count(*) FILTER (WHERE digit > 0)::int AS attributes,
               array_agg(digit - 1 ORDER BY j) FILTER (WHERE digit > 0) AS levels,
               sum(digit - 1) FILTER (WHERE digit > 0)::int AS height,
               coalesce(sum(made.weights[j] * l.loss) / nullif(sum(made.weights[j]), 0), 0) AS loss,
               1 - avg((digit - 1)::float8 / made.heights[j]) AS precision
        FROM digit d JOIN attribute_loss l USING (j, digit) GROUP BY d.node)
    INSERT INTO node
    SELECT c.node, d.attributes, d.levels, d.height, c.suppressed <= floor(made.suppression::numeric * made.row_count), false, true, true,
           d.loss, d.precision, c.classes, c.smallest, c.suppressed, c.squares + c.suppressed * made.row_count,
           (made.row_count - c.suppressed)::float8 / nullif(c.classes, 0) / made.k,
           c.total_loss
    FROM counted c JOIN described d USING (node);
END $$;

-- Relations between nodes: a candidate has all its subsets satisfied, a root
-- is a candidate without candidates below it.
CREATE FUNCTION relate_nodes(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    size int := cardinality(made.attributes);
BEGIN
    ANALYZE node;
    UPDATE node SET candidate = false
    WHERE node IN (SELECT n.node FROM node n, generate_series(1, size) j, node subset
                   WHERE (n.node >> (3 * (j - 1))) & 7 > 0
                         AND subset.node = n.node & ~(7 << (3 * (j - 1))) AND NOT subset.satisfied);
    UPDATE node SET dominated = below.satisfied, root = NOT below.candidate
    FROM (SELECT n.node, bool_or(b.satisfied) AS satisfied, bool_or(b.candidate) AS candidate
          FROM node n, generate_series(1, size) j, node b
          WHERE (n.node >> (3 * (j - 1))) & 7 > 1 AND b.node = n.node - (1 << (3 * (j - 1)))
          GROUP BY n.node) below
    WHERE node.node = below.node;
END $$;

CREATE FUNCTION run_oracle(made test_case) RETURNS void LANGUAGE plpgsql
SET enable_nestloop = off SET enable_mergejoin = off SET jit = off SET work_mem = '64MB' AS $$
BEGIN
    PERFORM fill_cells(made);
    PERFORM fill_classes(made);
    PERFORM fill_nodes(made);
    PERFORM relate_nodes(made);
END $$;
