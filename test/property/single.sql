-- The least that single-dimension recodings can lose: every rule for a few rows is tried.  Nothing
-- here but the last function calls kanon.  Rests on "cell" and "place", which fill_cells
-- (oracle.sql) and fill_places (mondrian.sql) fill.
SET check_function_bodies = off;
SET search_path = kanon_property;

-- Found in each case: what all rows lose on average, suppressed ones everything.
CREATE TABLE rule_loss (number int, recoding text, loss float8, least float8);

CREATE FUNCTION make_single_tables() RETURNS void LANGUAGE sql AS $$
    -- What the cells of an attribute can be: the number of a cell, and what it loses.
    CREATE TEMP TABLE rule_cell (attribute int, level int, id int, code bigint, loss float8) ON COMMIT DELETE ROWS;
    -- Rules of an attribute: of each row, from 1, the level.
    CREATE TEMP TABLE attribute_rule (attribute int, levels int[]) ON COMMIT DELETE ROWS;
$$;

-- Of a tree: labels and values; "*" above them unless one label is above all.
CREATE FUNCTION fill_tree_cells(made test_case) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM rule_cell;
    INSERT INTO rule_cell SELECT attribute, level, dense_rank() OVER (PARTITION BY attribute, level ORDER BY id), code, loss * weight_of(made, attribute) FROM cell WHERE level >= 0;
    INSERT INTO rule_cell
    SELECT attribute, top + 1, id, 0, weight_of(made, attribute)
    FROM (SELECT attribute, level, max(level) OVER (PARTITION BY attribute) AS top, id, min(code) OVER w <> max(code) OVER w AS several
          FROM rule_cell WINDOW w AS (PARTITION BY attribute, level)) c
    WHERE level = top AND several;
END $$;

-- All cuts through the tree of an attribute below one cell that these rows have: the level of each
-- of them, 0 for others, plus one.
CREATE FUNCTION tree_rules(attribute int, level int, members int[], total int) RETURNS SETOF int[] LANGUAGE plpgsql AS $$
DECLARE
    found text[] := ARRAY[array_fill(0, ARRAY[total])::text];
    child int[];
BEGIN
    RETURN NEXT ARRAY(SELECT CASE WHEN row = ANY (members) THEN level + 1 ELSE 0 END FROM generate_series(1, total) row ORDER BY row);
    IF level > 0 THEN
        FOR child IN SELECT array_agg(c.id) FROM rule_cell c WHERE c.attribute = $1 AND c.level = $2 - 1 AND c.id = ANY (members) GROUP BY code LOOP
            found := ARRAY(SELECT DISTINCT (SELECT array_agg(x + y ORDER BY at) FROM unnest(one::int[], other) WITH ORDINALITY u (x, y, at))::text
                           FROM unnest(found) one, tree_rules($1, $2 - 1, child, total) other);
        END LOOP;
        RETURN QUERY SELECT one::int[] FROM unnest(found) one;
    END IF;
END $$;

-- All functions from values to cells above them.
CREATE FUNCTION free_rules(attribute int, total int) RETURNS SETOF int[] LANGUAGE plpgsql AS $$
DECLARE
    found text[] := ARRAY[array_fill(0, ARRAY[total])::text];
    child int[];
BEGIN
    FOR child IN SELECT array_agg(c.id) FROM rule_cell c WHERE c.attribute = $1 AND c.level = 0 GROUP BY code LOOP
        found := ARRAY(SELECT (SELECT array_agg(CASE WHEN at = ANY (child) THEN other + 1 ELSE x END ORDER BY at) FROM unnest(one::int[]) WITH ORDINALITY u (x, at))::text
                       FROM unnest(found) one, (SELECT DISTINCT level FROM rule_cell c WHERE c.attribute = $1) l (other));
        IF cardinality(found) > 2000 THEN
            RETURN;
        END IF;
    END LOOP;
    RETURN QUERY SELECT one::int[] FROM unnest(found) one;
END $$;

-- Where values without a scale have a dimension, they lie in its order: those below one label stand
-- together, labels where their first values do.  Places count the values of the dimension; values that
-- it lacks are as NULL.  Returns the greatest place, and what the cell of these values loses; NULL:
-- the attribute has no such order.
CREATE FUNCTION place_by_labels(made test_case, j int, OUT whole float8, OUT lacking float8) RETURNS record LANGUAGE plpgsql AS $$
BEGIN
    IF made.dimensions[j] IS NULL OR made.types[j] <> 'bool' AND position_of(made.attributes[j], made.types[j]) IS NOT NULL THEN
        RETURN;
    END IF;
    UPDATE place SET value = NULL, position = NULL WHERE attribute = j;
    EXECUTE format($q$
        UPDATE place SET value = d.place, position = d.place
        FROM (SELECT ground, row_number() OVER (ORDER BY path) - 1 AS place
              FROM (SELECT ground, ARRAY[%1$s, at] AS path
                    FROM (SELECT *, "Ground value"::%2$s AS ground, row_number() OVER (ORDER BY "Ground value"::%2$s) AS at FROM %3$s) t) p) d
             JOIN %4$s people ON d.ground = people.%5$I
        WHERE place.attribute = %6$s AND place.id = people.id
        $q$, (SELECT string_agg(format('min(at) OVER (PARTITION BY %I)', 'Level ' || level), ', ' ORDER BY level DESC) FROM generate_series(1, made.heights[j]) level),
        made.types[j], made.dimensions[j], made.relation, made.attributes[j], j);
    EXECUTE format('SELECT count(*) - 1 FROM %s', made.dimensions[j]) INTO whole;
    EXECUTE format('SELECT (%s >= 0 AND bool_or(p.value IS NULL AND people.%I IS DISTINCT FROM NULL))::int FROM place p JOIN %s people USING (id) WHERE attribute = %s',
                   whole, made.attributes[j], made.relation, j) INTO lacking;
END $$;

-- Of intervals: NULL lies behind all values.  Level 64 * i + j stands for the interval from the i-th
-- value to the j-th.
CREATE FUNCTION fill_interval_cells(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    by_labels record;
    wholes float8[];
    lacking float8[];
BEGIN
    DELETE FROM rule_cell;
    FOR j IN 1 .. cardinality(made.attributes) LOOP
        by_labels := place_by_labels(made, j);
        wholes[j] := by_labels.whole;
        lacking[j] := by_labels.lacking;
    END LOOP;
    INSERT INTO rule_cell
    WITH ranked AS (
        SELECT attribute, dense_rank() OVER (PARTITION BY attribute ORDER BY id) AS id, dense_rank() OVER (PARTITION BY attribute ORDER BY value) AS rank, value,
               CASE WHEN wholes[attribute] IS NULL AND made.types[attribute] IN ('float8', 'bool') THEN value ELSE position END AS position
        FROM place),
    extent AS (
        SELECT attribute, coalesce(wholes[attribute], max(position) - min(position)) AS whole FROM ranked WHERE value IS NOT NULL GROUP BY attribute)
    SELECT r.attribute, 64 * a.rank + z.rank, r.id, 0,
        weight_of(made, r.attribute) * CASE WHEN a.value IS NULL THEN coalesce(lacking[r.attribute], 0) WHEN a.rank = z.rank THEN 0 WHEN z.value IS NULL THEN 1
            ELSE coalesce((z.position - a.position) / nullif(whole, 0), 0) END
    FROM ranked r JOIN (SELECT DISTINCT attribute, rank, value, position FROM ranked) a ON a.attribute = r.attribute AND a.rank <= r.rank
        JOIN (SELECT DISTINCT attribute, rank, value, position FROM ranked) z ON z.attribute = r.attribute AND z.rank >= r.rank
        LEFT JOIN extent ON extent.attribute = r.attribute;
END $$;

-- All ways to divide the values of an attribute, by a bit for each cut.
CREATE FUNCTION interval_rules(attribute int, total int) RETURNS SETOF int[] LANGUAGE sql AS $$
    WITH ranked AS (SELECT c.id, max(level / 64) AS rank FROM rule_cell c WHERE c.attribute = $1 GROUP BY c.id),
    cut AS (SELECT cuts, rank AS first, coalesce(lead(rank) OVER (PARTITION BY cuts ORDER BY rank) - 1, (SELECT max(rank) FROM ranked)) AS last
            FROM generate_series(0, (1 << (SELECT max(rank) - 1 FROM ranked)) - 1) cuts, (SELECT DISTINCT rank FROM ranked) r
            WHERE rank = 1 OR cuts & (1 << rank - 2) <> 0)
    SELECT array_agg(64 * first + last + 1 ORDER BY id) FROM cut JOIN ranked ON rank BETWEEN first AND last GROUP BY cuts
$$;

CREATE FUNCTION fill_rules(made test_case, recoding text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    total int := made.row_count;
BEGIN
    DELETE FROM attribute_rule;
    FOR j IN 1 .. cardinality(made.attributes) LOOP
        INSERT INTO attribute_rule SELECT DISTINCT j, levels
        FROM (SELECT free_rules(j, total) AS levels WHERE recoding = 'unrestricted'
              UNION ALL SELECT interval_rules(j, total) WHERE recoding = 'ordered'
              UNION ALL SELECT tree_rules(j, (SELECT max(level) FROM rule_cell WHERE attribute = j), ARRAY(SELECT generate_series(1, total)), total) WHERE recoding = 'subtree') r;
    END LOOP;
END $$;

-- The least mean loss of all rules that put no more rows than may be suppressed into classes that
-- are too small; NULL: there is none, -1: they are too many to try.
CREATE FUNCTION least_rule_loss(made test_case, suppression float8) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    attributes int := cardinality(made.attributes);
    least float8;
BEGIN
    IF (SELECT coalesce(exp(sum(ln(rules))), 0) > 20000 OR count(*) < attributes FROM (SELECT count(*) AS rules FROM attribute_rule GROUP BY attribute) r) THEN
        RETURN -1;
    END IF;
    EXECUTE format($q$
        WITH numbered AS MATERIALIZED (
            SELECT r.attribute, dense_rank() OVER (PARTITION BY r.attribute ORDER BY levels) AS number, u.id::int AS id, c.code * 4096 + c.level AS cell, c.loss
            FROM attribute_rule r, unnest(levels) WITH ORDINALITY u (level, id), rule_cell c
            WHERE c.attribute = r.attribute AND c.id = u.id AND c.level = u.level - 1),
        class AS (
            SELECT ARRAY[%1$s] AS rule, sum(%3$s) AS loss, count(*) AS rows FROM %2$s GROUP BY 1, %4$s)
        SELECT min(loss) / %5$s FROM (
            SELECT sum(CASE WHEN rows >= %6$s THEN loss ELSE rows END) AS loss FROM class GROUP BY rule
            HAVING coalesce(sum(rows) FILTER (WHERE rows < %6$s), 0) <= least(floor(%7$s * %5$s + 1e-9), %5$s - 1)) r
        $q$,
        (SELECT string_agg(format('n%s.number', j), ', ') FROM generate_series(1, attributes) j),
        (SELECT string_agg(format('(SELECT * FROM numbered WHERE attribute = %s) n%1$s%s', j, CASE WHEN j > 1 THEN ' USING (id)' ELSE '' END), ' JOIN ' ORDER BY j) FROM generate_series(1, attributes) j),
        (SELECT string_agg(format('n%s.loss', j), ' + ') FROM generate_series(1, attributes) j),
        (SELECT string_agg(format('n%s.cell', j), ', ') FROM generate_series(1, attributes) j),
        made.row_count, made.k, suppression) INTO least;
    RETURN least;
END $$;

-- What kanon finds; NULL: nothing satisfies.
CREATE FUNCTION found_rule_loss(made test_case, recoding text, suppression float8) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    found float8;
BEGIN
    EXECUTE format('SELECT CASE WHEN missing < %2$s THEN (loss * (%2$s - missing) + missing) / %2$s END FROM kanon_compare(%1$L, ARRAY[%3$s], ARRAY[%4$L], %5$s, suppression => %6$s)',
        made.relation, made.row_count, made.k, recoding, made.argument, suppression) INTO found;
    RETURN found;
END $$;

-- What satisfies a greater k satisfies k: none may be better for it.
CREATE FUNCTION check_greater_k(made test_case, recoding text, suppression float8, lost float8) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    least int := made.k;
    greater float8;
BEGIN
    made.k := made.k + 1 + pick(3);
    greater := found_rule_loss(made, recoding, suppression);
    PERFORM breach(recoding, format('loses %s for k = %s, but %s for k = %s, suppression %s', lost, least, greater, made.k, suppression),
        lost > greater + 1e-6 OR lost IS NULL AND greater IS NOT NULL);
END $$;

CREATE FUNCTION check_rules(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    suppression float8 := CASE WHEN chance(0.5) THEN 0 ELSE random() * 0.5 END;
    full_domain float8;
    found float8;
    subtree float8;
    least float8;
BEGIN
    -- If nothing weighs anything, nothing is lost, whatever is found.
    IF (SELECT sum(w) FROM unnest(made.weights[1 : cardinality(made.attributes)]) w) = 0 THEN
        RETURN;
    END IF;
    PERFORM fill_cells(made);
    PERFORM fill_tree_cells(made);
    PERFORM fill_rules(made, 'subtree');
    least := least_rule_loss(made, suppression);
    found := found_rule_loss(made, 'subtree', suppression);
    EXECUTE format('SELECT min(total_loss) FROM kanon_incognito(%L, %s, quasi_identifiers => %s, suppression => %s, metrics => true)', made.relation, made.k, made.argument, suppression)
    INTO full_domain;
    PERFORM breach('subtree', format('loses %s, full_domain %s', found, full_domain), found > full_domain + 1e-6 OR found IS NULL AND full_domain IS NOT NULL);
    PERFORM breach('subtree', format('loses %s, the least is %s, suppression %s', found, least, suppression),
        least <> -1 AND (found IS NULL) <> (least IS NULL) OR abs(found - least) > 1e-6 AND least <> -1);
    PERFORM check_greater_k(made, 'subtree', suppression, found);
    IF least <> -1 THEN
        INSERT INTO rule_loss VALUES (made.number, 'subtree', found, least);
    END IF;
    subtree := found;
    PERFORM fill_rules(made, 'unrestricted');
    least := least_rule_loss(made, suppression);
    found := found_rule_loss(made, 'unrestricted', suppression);
    PERFORM breach('unrestricted', format('loses %s, subtree %s', found, subtree), found > subtree + 1e-6 OR (found IS NULL) <> (subtree IS NULL));
    PERFORM breach('unrestricted', format('loses %s, the least is %s', found, least), least <> -1 AND ((found IS NULL) <> (least IS NULL) OR found < least - 1e-6));
    PERFORM check_greater_k(made, 'unrestricted', suppression, found);
    IF least <> -1 THEN
        INSERT INTO rule_loss VALUES (made.number, 'unrestricted', found, least);
    END IF;
    PERFORM fill_places(made);
    PERFORM fill_interval_cells(made);
    PERFORM fill_rules(made, 'ordered');
    least := least_rule_loss(made, suppression);
    found := found_rule_loss(made, 'ordered', suppression);
    PERFORM breach('ordered', format('loses %s, the least is %s, suppression %s', found, least, suppression),
        least <> -1 AND (found IS NULL) <> (least IS NULL) OR abs(found - least) > 1e-6 AND least <> -1);
    PERFORM check_greater_k(made, 'ordered', suppression, found);
    IF least <> -1 THEN
        INSERT INTO rule_loss VALUES (made.number, 'ordered', found, least);
    END IF;
END $$;

CREATE FUNCTION rule_losses() RETURNS text LANGUAGE sql AS $$
    SELECT 'property: rules for tables of up to 9 rows: ' || string_agg(format('%s loses %s times the least, on %s tables', recoding, round((loss / nullif(least, 0))::numeric, 4), cases), '; ' ORDER BY recoding)
    FROM (SELECT recoding, count(*) AS cases, avg(loss) AS loss, avg(least) AS least FROM rule_loss WHERE least IS NOT NULL GROUP BY recoding) r
$$;
