-- Local recoding: what must hold of its classes, whatever they are; its rules; its releases.
--
-- Rests on the tables of mondrian.sql and on what cells.sql finds of published cells.
SET check_function_bodies = off;
SET search_path = kanon_property;

-- The call, and the classes that it gives.
CREATE FUNCTION local_call(made test_case, suppression float8) RETURNS text LANGUAGE sql AS $$
    SELECT format('kanon_local(%s, r, %s, suppression => %s)', made.k, made.argument, suppression)
$$;

CREATE FUNCTION ask_local(made test_case, call text, into_table text, ordering text DEFAULT '') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('DELETE FROM %I', into_table);
    EXECUTE format('INSERT INTO %I SELECT id, %s OVER (%s) FROM %s r', into_table, call, ordering, made.relation);
END $$;

-- Sizes and numbers of classes, and how many rows have none.
CREATE FUNCTION check_local_sizes(made test_case, call text, suppression float8) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF made.row_count < made.k THEN
        PERFORM breach(call, 'fewer than k rows have classes', EXISTS (SELECT FROM divided WHERE class IS NOT NULL));
        RETURN;
    END IF;
    PERFORM breach(call, 'too many rows have no class', (SELECT count(*) FILTER (WHERE class IS NULL) > floor(suppression * made.row_count + 1e-9) FROM divided));
    PERFORM breach(call, 'a class has fewer than k rows', EXISTS (SELECT FROM divided WHERE class > 0 GROUP BY class HAVING count(*) < made.k));
    PERFORM breach(call, 'classes are not numbered 1, 2, ..', (SELECT min(class) <> 1 OR max(class) <> count(DISTINCT class) FROM divided));
    PERFORM breach(call, 'equal rows are in different classes', EXISTS (
        SELECT FROM divided JOIN point USING (id) GROUP BY value HAVING count(DISTINCT coalesce(class, 0)) > 1));
END $$;

-- The same classes in another order of the rows and of the columns, and within little memory.
CREATE FUNCTION check_local_order(made test_case, call text, suppression float8) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    memory text := 100 + pick(400) || 'kB';
    columns name[] := ARRAY(SELECT name FROM unnest(made.attributes) name ORDER BY random());
BEGIN
    PERFORM ask_local(made, call, 'divided_again', format('ORDER BY hashint4extended(id, %s)', pick(1000000)));
    PERFORM breach(call, 'the order of rows matters', EXISTS (SELECT id, class FROM divided EXCEPT SELECT id, class FROM divided_again));
    PERFORM ask_local(made, format('kanon_local(%s, r, %L::name[], suppression => %s)', made.k, columns, suppression), 'divided_again');
    PERFORM breach(call, 'the order of columns matters: ' || columns::text, EXISTS (
        SELECT FROM (SELECT coalesce(d.class, 0) AS class, coalesce(a.class, 0) AS other FROM divided d JOIN divided_again a USING (id)) c
        HAVING count(DISTINCT (class, other)) <> greatest(count(DISTINCT class), count(DISTINCT other)) OR bool_or((class = 0) <> (other = 0))));
    PERFORM set_config('kanon.memory_limit', memory, true);
    BEGIN
        PERFORM ask_local(made, call, 'divided_again');
        PERFORM breach(call, 'memory matters: ' || memory, EXISTS (SELECT id, class FROM divided EXCEPT SELECT id, class FROM divided_again));
    EXCEPTION WHEN program_limit_exceeded THEN
        NULL;
    END;
    PERFORM set_config('kanon.memory_limit', '-1', true);
END $$;

-- Nothing is left that could be divided with a rest part: a label that has k of a class's rows, or
-- several that together leave k or nothing.  Where it has NULLs, they would be in the rest.
CREATE FUNCTION check_local_minimal(made test_case, call text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM check_minimal(made, ROW('kanon_local', call, true, false, false, true, NULL)::division);
    PERFORM breach(call, 'a label could be divided off', EXISTS (
        WITH label AS (
            SELECT attribute, class, level, code, count(*) AS size
            FROM cell JOIN place USING (attribute, id) JOIN divided USING (id)
            WHERE made.dimensions[attribute] IS NOT NULL AND weight_of(made, attribute) > 0 AND level >= 0 AND value IS NOT NULL AND class > 0
            GROUP BY 1, 2, 3, 4),
        below AS (
            SELECT DISTINCT ON (attribute, class) attribute, class, count(*) FILTER (WHERE size >= made.k) AS large,
                   sum(size) FILTER (WHERE size < made.k) AS small, sum(size) AS values
            FROM label GROUP BY attribute, class, level HAVING count(*) > 1 ORDER BY attribute, class, level DESC)
        SELECT FROM below JOIN side s USING (attribute, class)
        WHERE large > 1 OR large = 1 AND coalesce(small, 0) + s.nulls >= made.k));
END $$;

-- Cells are those of the classes: labels and ranges are tight.
CREATE FUNCTION check_local_cells(made test_case, call text, suppression float8) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM published;
    EXECUTE format('INSERT INTO published SELECT d.id, d.class, c.cells FROM divided d JOIN (SELECT id, (kanon_view_candidates(''local'', %2$s, r, %3$s, suppression => %4$s) OVER ())[1] AS shown FROM %5$s r) w USING (id)'
                   ' JOIN (SELECT DISTINCT kanon_view_cell(c, ''class'', 0) AS class, ARRAY[%1$s]::text[] AS cells'
                   ' FROM (SELECT kanon_view_cells(''local'', %2$s, r, %3$s, suppression => %4$s) OVER () AS c FROM %5$s r) s WHERE c IS DISTINCT FROM NULL) c ON c.class = w.shown',
                   (SELECT string_agg(format('kanon_view_cell(c, %L, NULL::%s)::text', made.attributes[j], cell_type(made.types[j], made.dimensions[j] IS NOT NULL)), ', ' ORDER BY j)
                    FROM generate_series(1, cardinality(made.attributes)) j),
                   made.k, made.argument, suppression, made.relation);
    PERFORM breach(call, 'cells have other classes', EXISTS (SELECT id, class FROM divided WHERE class > 0 EXCEPT SELECT id, class FROM published));
    PERFORM breach(call, 'a class has several cells', EXISTS (SELECT FROM published GROUP BY id HAVING count(*) > 1));
    FOR j IN 1 .. cardinality(made.attributes) LOOP
        PERFORM breach(call, 'wrong cells of ' || made.attributes[j], CASE
            WHEN made.dimensions[j] IS NOT NULL THEN wrong_label_cells(made, j)
            WHEN range_over(made.types[j]) IS NOT NULL THEN wrong_range_cells(made, j)
            ELSE wrong_text_cells(made, j) END);
    END LOOP;
END $$;

-- The rules give each row its class, by kanon_leaf and as a plain query.
CREATE FUNCTION check_local_rules(made test_case, call text, suppression float8) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    rules kanon_tree;
    wrong bigint;
BEGIN
    EXECUTE format('SELECT kanon_local_tree(%L, %s, %s, suppression => %s, ranges => true)', made.relation, made.k, made.argument, suppression) INTO rules;
    PERFORM breach(call, 'rules of too few rows', (rules IS NULL) <> (made.row_count < made.k));
    IF rules IS NULL THEN
        RETURN;
    END IF;
    PERFORM breach(call, 'in(out(rules)) <> rules', kanon_tree_send(rules::text::kanon_tree) <> kanon_tree_send(rules));
    EXECUTE format('SELECT count(*) FROM %s r JOIN divided d USING (id) WHERE kanon_leaf($1, r) IS DISTINCT FROM d.class', made.relation) INTO wrong USING rules;
    PERFORM breach(call, format('%s rows have another class by the rules: %s', wrong, rules), wrong > 0);
    EXECUTE format('SELECT count(*) FROM (%s) q JOIN divided d USING (id) WHERE q.class IS DISTINCT FROM d.class', kanon_rules_query(rules, made.relation)) INTO wrong;
    PERFORM breach(call, format('%s rows have another class by the query of %s', wrong, rules), wrong > 0);
END $$;

CREATE FUNCTION check_local_case(given test_case) RETURNS void LANGUAGE plpgsql
SET enable_mergejoin = off SET jit = off AS $$
DECLARE
    made test_case := CASE WHEN chance(0.3) THEN without_dimensions(given) ELSE given END;
    suppression float8 := CASE WHEN chance(0.7) THEN 0 ELSE round(random()::numeric * 0.3, 2) END;
    call text;
BEGIN
    IF made.relation <> given.relation THEN
        made.weights := array_fill(1::float8, ARRAY[cardinality(made.attributes)]);
    END IF;
    call := local_call(made, suppression);
    PERFORM fill_cells(made);
    PERFORM fill_places(made);
    ANALYZE cell, place, point;
    PERFORM ask_local(made, call, 'divided');
    PERFORM check_local_sizes(made, call, suppression);
    PERFORM check_local_order(made, call, suppression);
    IF made.row_count >= made.k THEN
        PERFORM check_local_cells(made, call, suppression);
    END IF;
    PERFORM check_local_rules(made, call, suppression);
    IF made.row_count >= made.k THEN
        DELETE FROM divided WHERE class IS NULL;
        PERFORM look_at_classes(made, ROW('kanon_local', call, true, false, false, true, NULL)::division);
        PERFORM check_local_minimal(made, call);
    END IF;
    PERFORM check_release(made, 'local');
END $$;
