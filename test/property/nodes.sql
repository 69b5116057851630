-- A node of a partition tree, divided by itself with what is known of the whole table, gets the
-- classes and the cells that its rows have in the whole.
SET search_path = kanon_property;
SET check_function_bodies = off;

-- The first class of each node at this depth, or of a leaf above it, of a tree in text.
CREATE FUNCTION nodes_of(tree text, depth int) RETURNS SETOF int LANGUAGE sql AS $$
    WITH line AS (
        SELECT n, length(substring(line FROM '^ *')) - 2 AS depth, substring(line FROM '^ *\{"class": (\d+)')::int AS class
        FROM regexp_split_to_table(tree, E'\n') WITH ORDINALITY t (line, n) WHERE line ~ '^  +\{"(cut|specialize|null|nulls|class|level|split)' AND line !~ '"name"')
    SELECT min(class) FROM (SELECT class, max(n) FILTER (WHERE line.depth <= nodes_of.depth) OVER (ORDER BY n) AS node FROM line) l
    WHERE class IS DISTINCT FROM NULL GROUP BY node
$$;

-- Class and cells of each row, by its id.
CREATE FUNCTION ask_node_cells(made test_case, into_table text, call text, over text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TEMP TABLE %I ON COMMIT DROP AS SELECT kanon_view_cell(c, ''id'', 0) AS id, kanon_view_cell(c, ''class'', 0) AS class, ARRAY[%s]::text[] AS cells'
                   ' FROM (SELECT %s OVER (%s) AS c FROM node_rows v JOIN node_of USING (id)) s WHERE c IS DISTINCT FROM NULL', into_table,
                   (SELECT string_agg(format('kanon_view_cell(c, %L, NULL::%s)::text', made.attributes[j], cell_type(made.types[j], made.dimensions[j] IS NOT NULL)), ', ' ORDER BY j)
                    FROM generate_series(1, cardinality(made.attributes)) j), call, over);
END $$;

CREATE FUNCTION check_nodes(made test_case) RETURNS void VOLATILE LANGUAGE plpgsql AS $$
DECLARE
    by_median boolean := chance(0.4);
    recoding text := CASE WHEN by_median THEN 'strict_mondrian' ELSE 'mondrian' END;
    models text := (ARRAY['', '', 'distinct(s, 2)', 'closeness(s, 0.6)', 'closeness(t, 0.5), distinct(s, 2)', 'entropy(s, 2)'])[1 + pick(6)];
    person name := CASE WHEN chance(0.2) THEN 'person' END;
    target text := CASE WHEN NOT by_median AND chance(0.3) THEN (ARRAY['infogain', 'regression'])[1 + pick(2)] END;
    options jsonb := CASE WHEN by_median THEN '{}' ELSE '{"rest": true}' END;
    call text;
    wrong bigint;
    tree text;
BEGIN
    IF made.k > made.row_count THEN
        RETURN;
    END IF;
    IF target IS NOT NULL THEN
        options := options || jsonb_build_object('split', target, 'target', 't');
    END IF;
    EXECUTE format('CREATE VIEW node_rows AS SELECT %s, (id %% 5)::text AS s, id %% 11 AS t, id / 2 AS person, id FROM %s',
                   (SELECT string_agg(quote_ident(name), ', ') FROM unnest(made.attributes) name), made.relation);
    FOR j IN 1 .. cardinality(made.attributes) LOOP
        PERFORM kanon_set_attribute('node_rows', made.attributes[j], 'quasi_identifier', made.dimensions[j]);
    END LOOP;
    CREATE TEMP TABLE node_of ON COMMIT DROP AS SELECT id, 1 AS node FROM node_rows;
    call := format('kanon_view_cells(%L, %s, v, %L, models => %L, person => %L, beside => 1, options => %L', recoding, made.k, made.attributes, models, person, options);
    PERFORM ask_node_cells(made, 'cells_of_whole', call || ')', '');
    -- As they were formed, in the order of the tree.
    EXECUTE format('CREATE TEMP TABLE formed ON COMMIT DROP AS SELECT id, kanon_%s(%s, v, %L, models => %L, split => %L, target => %L, person => %L) OVER () AS class FROM node_rows v',
                   recoding, made.k, made.attributes, models, coalesce(target, CASE WHEN by_median THEN 'median' ELSE 'gain' END), CASE WHEN target IS NOT NULL THEN 't' END, person);
    IF person IS NOT NULL THEN
        -- Trees count no people: each class is a node, which is not divided further.
        UPDATE node_of n SET node = w.class FROM formed w WHERE w.id = n.id AND w.class IS DISTINCT FROM NULL;
    ELSE
        tree := kanon_grow_tree('node_rows', made.k, made.attributes, models => models, split => coalesce(target, CASE WHEN by_median THEN 'median' ELSE 'gain' END), target => CASE WHEN target IS NOT NULL THEN 't' END)::text;
        UPDATE node_of n SET node = (SELECT max(first) FROM unnest(starts) first WHERE first <= w.class)
        FROM formed w, (SELECT array_agg(f) FROM nodes_of(tree, 1 + pick(3)) f) s (starts) WHERE w.id = n.id AND w.class IS DISTINCT FROM NULL;
    END IF;
    call := call || format(', whole => %L)', (SELECT kanon_view_whole('node_rows', made.attributes, models, person)));
    PERFORM ask_node_cells(made, 'cells_of_nodes', call, 'PARTITION BY node');
    SELECT count(*) INTO wrong FROM cells_of_whole w FULL JOIN cells_of_nodes n USING (id) WHERE w.cells IS DISTINCT FROM n.cells;
    PERFORM breach(call, format('%s cells differ: %s', wrong, (SELECT string_agg(concat_ws(' ', id, node, w.class, n.class, w.cells, n.cells), '; ') FROM cells_of_whole w FULL JOIN cells_of_nodes n USING (id) JOIN node_of USING (id) WHERE w.cells IS DISTINCT FROM n.cells)), wrong > 0);
    SELECT count(DISTINCT (node, n.class, w.class)) - count(DISTINCT (node, w.class)) + count(DISTINCT (node, n.class, w.class)) - count(DISTINCT (node, n.class)) INTO wrong
    FROM cells_of_whole w JOIN cells_of_nodes n USING (id) JOIN node_of USING (id);
    PERFORM breach(call, format('%s classes differ', wrong), wrong > 0);
    DROP TABLE cells_of_whole, cells_of_nodes, node_of, formed;
    DROP VIEW node_rows;
END $$;
