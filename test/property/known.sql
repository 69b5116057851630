-- k on any L columns: searches, checks and releases against plain SQL that groups by
-- every set of columns and drops rows until nothing changes.
--
-- Rests on make_case (generate.sql), the cells of its nodes (oracle.sql) and the
-- demands of model_search.sql.
SET search_path = kanon_property;
SET check_function_bodies = off;

CREATE FUNCTION make_known_tables() RETURNS void LANGUAGE sql AS $$
    CREATE TEMP TABLE known_node (node int, levels int[]) ON COMMIT DELETE ROWS;
    -- The rows that are left at a node, and the codes of their labels.
    CREATE TEMP TABLE known_row (node int, id int, codes bigint[]) ON COMMIT DELETE ROWS;
    CREATE TEMP TABLE known_member (id int, member text, value text) ON COMMIT DELETE ROWS;
$$;

-- Sets of at least and at most so many of the columns 1 .. n.
CREATE FUNCTION known_sets(n int, least_size int, most int) RETURNS SETOF int[] LANGUAGE sql AS $$
    SELECT array_agg(i ORDER BY i) FROM generate_series(1, (1 << n) - 1) m, generate_series(1, n) i
    WHERE m >> (i - 1) & 1 = 1 GROUP BY m HAVING count(*) BETWEEN least_size AND most
$$;

-- The classes of the rows left by a set of columns, and which of them fail; of nobody's rows
-- the values do not count.
CREATE FUNCTION known_classes(s int[], k int, kind text, bound float8) RETURNS TABLE (node int, key bigint[], members bigint, fails boolean) LANGUAGE sql AS $$
    WITH r AS (
        SELECT node, ARRAY(SELECT codes[i] FROM unnest(s) WITH ORDINALITY u (i, at) ORDER BY at) AS key, member, value FROM known_row JOIN known_member USING (id)),
    valued AS (
        SELECT node, key, value, count(DISTINCT member)::float8 AS n FROM r WHERE member IS NOT NULL GROUP BY 1, 2, 3),
    figured AS (
        SELECT node, key, count(*) AS different, exp(-sum(n / total * ln(n / total))) AS entropy
        FROM (SELECT *, sum(n) OVER (PARTITION BY node, key) AS total FROM valued) v GROUP BY 1, 2),
    sized AS (
        SELECT node, key, count(DISTINCT member) AS members FROM r GROUP BY 1, 2)
    SELECT node, key, members, members < k OR NOT CASE kind WHEN 'distinct' THEN coalesce(different, 0) >= bound WHEN 'entropy' THEN coalesce(entropy, 0) >= bound - 1e-9 ELSE true END
    FROM sized LEFT JOIN figured USING (node, key)
$$;

-- Drops the rows of classes that fail, until none does.
CREATE FUNCTION drop_known(n int, l int, k int, kind text, bound float8) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    s int[];
    before bigint;
BEGIN
    LOOP
        before := (SELECT count(*) FROM known_row);
        FOR s IN SELECT known_sets(n, 1, l) LOOP
            DELETE FROM known_row r USING known_classes(s, k, kind, bound) c
            WHERE c.fails AND c.node = r.node AND c.key = ARRAY(SELECT r.codes[i] FROM unnest(s) WITH ORDINALITY u (i, at) ORDER BY at);
        END LOOP;
        EXIT WHEN before = (SELECT count(*) FROM known_row);
    END LOOP;
END $$;

CREATE FUNCTION fill_known(part test_case, sensitive name, all_nodes boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO known_node
    WITH RECURSIVE l AS (
        SELECT '{}'::int[] AS levels
        UNION ALL SELECT levels || level FROM l, generate_series(0, CASE WHEN all_nodes THEN part.heights[cardinality(levels) + 1] ELSE 0 END) level
        WHERE cardinality(levels) < cardinality(part.heights))
    SELECT row_number() OVER (ORDER BY levels), levels FROM l WHERE cardinality(levels) = cardinality(part.heights);
    INSERT INTO known_row
    SELECT node, id, array_agg(code ORDER BY attribute) FROM known_node, cell WHERE level = levels[attribute] GROUP BY 1, 2;
    EXECUTE format('INSERT INTO known_member SELECT id, %s, coalesce(%s, ''none'') FROM %s',
                   CASE WHEN part.person IS NULL THEN 'id::text' ELSE format('(SELECT r::text FROM (SELECT dense_rank() OVER (ORDER BY p.%I) AS r, p.id AS i FROM %s p) d WHERE d.i = t.id AND t.%1$I IS DISTINCT FROM NULL)', part.person, part.relation) END,
                   CASE WHEN sensitive IS NULL THEN '''''' ELSE format('(SELECT r::text FROM (SELECT dense_rank() OVER (ORDER BY p.%I) AS r, p.id AS i FROM %s p) d WHERE d.i = t.id)', sensitive, part.relation) END,
                   part.relation || ' t');
    ANALYZE known_row, known_member;
END $$;

-- What a search must find, and its figures.
CREATE FUNCTION known_answer(part test_case, l int, kind text, bound float8)
RETURNS TABLE (levels int[], classes bigint, smallest bigint, suppressed bigint, discernibility float8) LANGUAGE sql AS $$
    WITH few AS (SELECT node, min(members) AS smallest FROM known_sets(cardinality(part.attributes), least(l, cardinality(part.attributes)), l) s, known_classes(s, part.k, kind, bound) GROUP BY 1),
    class AS (SELECT node, count(*) AS n FROM known_row GROUP BY node, codes),
    counted AS (SELECT node, count(*) AS classes, sum(n) AS rows, sum(n * n) AS squares FROM class GROUP BY 1)
    SELECT levels, coalesce(classes, 0), few.smallest, part.row_count - coalesce(rows, 0), coalesce(squares, 0) + (part.row_count - coalesce(rows, 0)) * part.row_count
    FROM known_node LEFT JOIN counted USING (node) LEFT JOIN few USING (node)
    WHERE part.row_count - coalesce(rows, 0) <= least(floor(part.suppression * part.row_count + 1e-9), part.row_count - 1)
$$;

CREATE FUNCTION check_known_search(part test_case, l int, kind text, bound float8) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    one record;
    wrong text;
    ends boolean := chance(0.3);
BEGIN
    CREATE TEMP TABLE truth ON COMMIT DROP AS SELECT * FROM known_answer(part, l, kind, bound);
    IF ends THEN
        DELETE FROM truth WHERE EXISTS (SELECT FROM unnest(levels, part.heights) u (level, height) WHERE level NOT IN (0, height));
    END IF;
    part.metrics := true;
    FOR one IN SELECT regexp_replace(call, '\)$', format(', known => %s, suppress_columns => %L)', l, ends)) AS call, wants FROM calls_of(part) LOOP
        PERFORM set_config('kanon.ground_scan', (ARRAY['auto', 'stream', 'group_by'])[1 + pick(3)], true);
        EXECUTE format($q$
            SELECT string_agg(format('levels %%s: oracle %%s, kanon %%s', levels, t, a), E'\n')
            FROM (SELECT *, NOT EXISTS (SELECT FROM truth b WHERE b.levels <> truth.levels AND (SELECT bool_and(x <= y) FROM unnest(b.levels, truth.levels) u (x, y))) AS minimal FROM truth) t
                 FULL JOIN %1$s a USING (levels)
            WHERE t.classes IS NULL OR a.levels IS NULL AND %2$L = 'all' AND t.classes >= 0
               OR a.classes IS DISTINCT FROM NULL AND ((t.classes, t.suppressed, t.minimal) IS DISTINCT FROM (a.classes, a.suppressed, a.minimal)
                  OR t.classes > 0 AND t.smallest <> a.smallest OR NOT near(t.discernibility, a.discernibility))$q$, one.call, one.wants) INTO wrong;
        PERFORM breach(one.call, E'\n' || wrong, wrong IS NOT NULL);
        -- Of attributes that are shown or hidden, the lowest node hides the fewest.
        EXECUTE format('SELECT min((SELECT sum(CASE WHEN %L AND i > 0 THEN 1 ELSE i END) FROM unnest(levels) i)) FROM %s', ends, one.call) INTO wrong;
        PERFORM breach(one.call, 'height ' || coalesce(wrong, 'none'), one.wants = 'lowest'
            AND wrong::int IS DISTINCT FROM (SELECT min((SELECT sum(CASE WHEN ends AND i > 0 THEN 1 ELSE i END) FROM unnest(levels) i)) FROM truth));
    END LOOP;
    PERFORM set_config('kanon.ground_scan', 'auto', true);
    DROP TABLE truth;
END $$;

-- Of the table as it is: all classes of all sets.
CREATE FUNCTION check_known_check(part test_case, l int, kind text, bound float8, model text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    call text := format('(%L, %s, %L, %s, %L, %s)', part.relation, part.k, part.attributes, coalesce(quote_literal(model), 'NULL'), part.person, l);
    n int := cardinality(part.attributes);
    least_size int := CASE WHEN l < n AND kind = 'entropy' AND part.person IS NOT NULL THEN 1 ELSE least(l, n) END;
    expected text;
    told text;
BEGIN
    SELECT row(count(*) FILTER (WHERE fails) = 0, part.row_count, count(*), min(members), count(*) FILTER (WHERE fails),
               (SELECT count(*) FROM known_row r WHERE EXISTS (
                    SELECT FROM known_sets(n, least_size, l) s, known_classes(s, part.k, kind, bound) c
                    WHERE fails AND c.key = ARRAY(SELECT r.codes[i] FROM unnest(s) WITH ORDINALITY u (i, at) ORDER BY at))))::text
    INTO expected FROM known_sets(n, least_size, l) s, known_classes(s, part.k, kind, bound);
    EXECUTE 'SELECT c::text FROM kanon_check' || call || ' c' INTO told;
    PERFORM breach('kanon_check' || call, format('oracle %s, kanon %s', expected, told), told <> expected);
    SELECT row(count(*), min(members), count(*) FILTER (WHERE fails))::text INTO expected FROM known_sets(n, least_size, l) s, known_classes(s, part.k, kind, bound);
    EXECUTE format('SELECT row(count(*), min(size), count(*) FILTER (WHERE NOT satisfied))::text FROM kanon_classes%s', call) INTO told;
    PERFORM breach('kanon_classes' || call, format('oracle %s, kanon %s', expected, told), told <> expected);
END $$;

-- No set of up to l columns of the release has a class below k, and no row is missing without need.
CREATE FUNCTION expect_known(part test_case, l int, levels int[], why text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    told record;
    rows bigint;
    expected bigint;
BEGIN
    SELECT * INTO told FROM kanon_check('known_release');
    PERFORM breach('known_release', format('%s: %s', why, told), NOT told.satisfied);
    TRUNCATE known_node, known_row, known_member;
    INSERT INTO known_node VALUES (1, levels);
    EXECUTE format('INSERT INTO known_row SELECT 1, row_number() OVER (), ARRAY[%s] FROM (%s) g',
                   (SELECT string_agg(format('dense_rank() OVER (ORDER BY %I)', name), ', ') FROM unnest(part.attributes) name),
                   kanon_generalized_query(part.relation, levels, NULL, part.attributes));
    INSERT INTO known_member SELECT id, id::text, '' FROM known_row;
    PERFORM drop_known(cardinality(part.attributes), l, part.k, NULL, NULL);
    SELECT count(*) INTO rows FROM known_release;
    SELECT count(*) INTO expected FROM known_row;
    PERFORM breach('known_release', format('%s, known %s: %s rows, not %s', why, l, rows, expected),
                   part.models IS NULL AND rows <> expected OR rows <> (SELECT r.rows FROM kanon_release r WHERE release = 'known_release'::regclass));
END $$;

CREATE FUNCTION check_known_release(part test_case, l int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    levels int[] := ARRAY(SELECT pick(h + 1) FROM unnest(part.heights) WITH ORDINALITY u (h, at) ORDER BY at);
    one name;
BEGIN
    IF part.person IS NOT NULL OR part.row_count < part.k OR part.row_count = 0 THEN
        RETURN;
    END IF;
    FOR one IN SELECT attname FROM pg_attribute WHERE attrelid = part.relation AND attnum > 0 AND NOT attisdropped AND attname <> 'id' AND attname <> ALL (part.attributes) LOOP
        PERFORM kanon_set_attribute(part.relation, one, 'sensitive');
    END LOOP;
    PERFORM kanon_create_release('known_release', part.relation, part.k, 'full_domain', part.attributes, models => coalesce(part.models::text, '')::kanon_models, suppression => 0.9999,
                                 options => jsonb_build_object('levels', levels, 'known', l));
    PERFORM expect_known(part, l, levels, 'as created');
    DELETE FROM people WHERE chance(0.5 * random());
    INSERT INTO people SELECT * FROM people WHERE chance(0.4 * random());
    REFRESH MATERIALIZED VIEW known_release;
    PERFORM expect_known(part, l, levels, 'as refreshed');
EXCEPTION WHEN check_violation OR invalid_parameter_value THEN
    PERFORM breach('known_release', SQLERRM, part.models IS NULL AND SQLERRM NOT LIKE 'the levels given do not satisfy%');
END $$;

CREATE FUNCTION check_known_case(made test_case) RETURNS void LANGUAGE plpgsql
SET enable_nestloop = off AS $$
DECLARE
    drawn record;
    part test_case;
    sensitive name;
    kind text;
    bound float8;
    model text;
    l int;
BEGIN
    IF cardinality(made.attributes) < 2 OR made.row_count = 0 THEN
        RETURN;
    END IF;
    drawn := draw_demands(made);
    part := part_of(drawn.made, drawn.quasi);
    l := 1 + pick(cardinality(part.attributes) + 1);
    IF chance(0.4) THEN
        sensitive := made.attributes[drawn.sensitive[1]];
        kind := CASE WHEN chance(0.5) THEN 'distinct' ELSE 'entropy' END;
        bound := CASE kind WHEN 'distinct' THEN 1 + pick(2) ELSE round((1 + random() * 0.9)::numeric, 1) END;
        model := format('%s(%I, %s)', kind, sensitive, bound);
        part.models := ARRAY[model];
        part.suppression := CASE kind WHEN 'distinct' THEN part.suppression ELSE 0 END;
    END IF;
    PERFORM fill_cells(part), fill_known(part, sensitive, true);
    IF part.k > (SELECT count(DISTINCT member) FROM known_member) OR bound > (SELECT count(DISTINCT value) FROM known_member WHERE member IS NOT NULL) THEN
        RETURN;
    END IF;
    PERFORM drop_known(cardinality(part.attributes), l, part.k, kind, bound);
    PERFORM check_known_search(part, l, kind, bound);
    TRUNCATE known_node, known_row, known_member;
    PERFORM fill_known(part, sensitive, false);
    PERFORM check_known_check(part, l, kind, bound, model);
    PERFORM check_known_release(part, l);
END $$;
