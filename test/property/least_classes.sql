-- The least that classes of at least k rows can lose: every division of a few rows into classes is
-- tried.  Nothing here calls kanon.  Rests on "cell" and "place", which fill_cells (oracle.sql) and
-- fill_places (mondrian.sql) fill, for every level and for values in order.
--
-- A class loses, in each attribute: nothing if it has only NULLs; all if it has both NULLs and
-- values; with a hierarchy, what the label does that all its values share at the lowest level, or
-- all if there is none; otherwise the share of the table's extent between its least and its
-- greatest value, by the place of a value on its scale if it has one, by its rank else.
SET check_function_bodies = off;
SET search_path = kanon_property;

-- Found so far, in each case: what rows lose on average.  "together": if equal rows share a class.
CREATE TABLE class_loss (number int, method text, loss float8, least float8, least_together float8);

CREATE FUNCTION make_least_classes_tables() RETURNS void LANGUAGE sql AS $$
    -- A bit for each row, and those of the rows that are equal to it.
    CREATE TEMP TABLE numbered_row (id int, bit int, same int) ON COMMIT DELETE ROWS;
    -- Every set of rows that can be a class, by its bits, with the sum of its rows' losses.
    CREATE TEMP TABLE row_set (bits int PRIMARY KEY, loss float8) ON COMMIT DELETE ROWS;
$$;

-- Sets of at least k rows, of a table of up to 9.  together: of equal rows all or none.
-- ranges: a column that has neither hierarchy nor scale shows ranges of ranks; otherwise "*".
CREATE FUNCTION fill_row_sets(made test_case, k bigint, hierarchies boolean, ranges boolean, together boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM numbered_row;
    DELETE FROM row_set;
    INSERT INTO numbered_row
    SELECT id, bit, sum(bit) OVER (PARTITION BY tuple)
    FROM (SELECT id, 1 << (row_number() OVER (ORDER BY id) - 1)::int AS bit, array_agg(coalesce(value, 0) ORDER BY attribute) AS tuple FROM place GROUP BY id) r;
    INSERT INTO row_set
    WITH possible AS MATERIALIZED (
        SELECT bits, count(*) AS rows
        FROM generate_series(1, (1 << (SELECT count(*)::int FROM numbered_row)) - 1) bits JOIN numbered_row ON bits & bit <> 0
        GROUP BY bits HAVING count(*) >= fill_row_sets.k AND (NOT together OR bool_and(bits & same = same))),
    member AS MATERIALIZED (
        SELECT bits, id, rows FROM possible JOIN numbered_row ON bits & bit <> 0),
    extent AS (
        SELECT attribute, max(value) - min(value) AS ranks, max(position) - min(position) AS width FROM place GROUP BY attribute),
    side AS (
        SELECT bits, attribute, min(rows) AS rows, count(value) AS seen, max(value) - min(value) AS ranks, max(position) - min(position) AS width
        FROM member JOIN place USING (id) GROUP BY bits, attribute),
    label AS (
        SELECT DISTINCT ON (bits, attribute) bits, attribute, max(loss) AS loss
        FROM member JOIN cell USING (id) WHERE level >= 0
        GROUP BY bits, attribute, level HAVING min(code) = max(code) ORDER BY bits, attribute, level)
    SELECT bits, min(s.rows) * sum(weight_of(made, attribute) * CASE
               WHEN seen = 0 THEN 0
               WHEN seen < s.rows THEN 1
               WHEN hierarchies AND made.dimensions[attribute] IS NOT NULL THEN coalesce(label.loss, 1)
               WHEN s.ranks = 0 THEN 0
               WHEN s.width IS NOT NULL THEN s.width / nullif(extent.width, 0)
               WHEN ranges THEN s.ranks::float8 / extent.ranks
               ELSE 1 END)
    FROM side s JOIN extent USING (attribute) LEFT JOIN label USING (bits, attribute)
    GROUP BY bits;
END $$;

-- What an attribute's cells weigh; alike if none weighs anything.
CREATE FUNCTION weight_of(made test_case, attribute int) RETURNS float8 IMMUTABLE LANGUAGE sql AS $$
    SELECT CASE WHEN sum(w) > 0 THEN (made).weights[attribute] / sum(w) ELSE 1.0 / cardinality((made).attributes) END
    FROM unnest((made).weights[1 : cardinality((made).attributes)]) w
$$;

-- The least mean loss of a row; NULL if the rows cannot be divided so.  For each set of rows the
-- class of its lowest row is chosen, and the rest of it divided best.
CREATE FUNCTION least_class_loss() RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    total int := (SELECT count(*) FROM numbered_row);
    classes int[] := ARRAY(SELECT bits FROM row_set ORDER BY bits);
    losses float8[] := ARRAY(SELECT loss FROM row_set ORDER BY bits);
    best float8[] := array_fill(NULL::float8, ARRAY[1 << total], ARRAY[0]);
    bits int;
BEGIN
    best[0] := 0;
    FOR left_over IN 1 .. (1 << total) - 1 LOOP
        FOR i IN 1 .. cardinality(classes) LOOP
            bits := classes[i];
            EXIT WHEN bits > left_over;
            -- A subset that has the lowest bit.
            CONTINUE WHEN bits & ~left_over <> 0 OR bits & left_over & -left_over = 0 OR best[left_over - bits] IS NULL;
            best[left_over] := least(best[left_over], best[left_over - bits] + losses[i]);
        END LOOP;
    END LOOP;
    RETURN best[(1 << total) - 1] / nullif(total, 0);
END $$;

-- The mean loss of a row by the classes of "divided"; NULL if one of them is none that may be.
CREATE FUNCTION divided_class_loss() RETURNS float8 LANGUAGE sql AS $$
    SELECT CASE WHEN bool_and(loss IS NOT NULL) THEN sum(loss) / (SELECT count(*) FROM numbered_row) END
    FROM (SELECT class, sum(bit)::int AS bits FROM divided JOIN numbered_row USING (id) GROUP BY class) c LEFT JOIN row_set USING (bits)
$$;

-- A table of 3 to 9 rows, and a k that leaves something to divide.
CREATE FUNCTION make_small_case(number int) RETURNS test_case VOLATILE LANGUAGE plpgsql AS $$
DECLARE
    made test_case := make_case(number, 5, 400, 6, 3, 6);
BEGIN
    made.k := 2 + pick(greatest(made.row_count / 2 - 1, 1));
    RETURN made;
END $$;

-- The classes of each window function, beside the least.
CREATE FUNCTION check_least_classes(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    method text;
    least float8;
    together float8;
    found float8;
BEGIN
    PERFORM fill_cells(made);
    PERFORM fill_places(made);
    PERFORM fill_row_sets(made, made.k, true, true, true);
    together := least_class_loss();
    PERFORM fill_row_sets(made, made.k, true, true, false);
    least := least_class_loss();
    PERFORM breach('least_class_loss', 'all rows together are a class', least IS NULL OR together IS NULL OR least > together + 1e-9);
    FOR method IN SELECT proname FROM pg_proc WHERE proname IN ('kanon_mondrian', 'kanon_local') ORDER BY proname DESC LOOP
        DELETE FROM divided;
        EXECUTE format('INSERT INTO divided SELECT id, %s(%s, r, %s) OVER () FROM %s r', method, made.k, made.argument, made.relation);
        found := divided_class_loss();
        PERFORM breach(method, 'classes that none may be', found IS NULL);
        PERFORM breach(method, format('classes lose %s, the least is %s', found, together), found < together - 1e-9);
        INSERT INTO class_loss VALUES (made.number, method, found, least, together);
    END LOOP;
END $$;

-- Of tables that have to lose something; local must come within 1.25 of the least.
CREATE FUNCTION least_class_losses(OUT said text, OUT wrong boolean) LANGUAGE sql AS $$
    SELECT format('property: the classes of tables of up to 9 rows lose at least %s (%s with equal rows together); ', round(max(least)::numeric, 4), round(max(together)::numeric, 4))
               || string_agg(format('%s %s times that, on %s tables', method, round((loss / nullif(least, 0))::numeric, 3), cases), '; ' ORDER BY method DESC),
           coalesce(bool_or(cases >= 50 AND method = 'kanon_local' AND loss > 1.25 * least), false)
    FROM (SELECT method, count(*) AS cases, avg(loss) AS loss, avg(least) AS least, avg(least_together) AS together
          FROM class_loss WHERE least > 0 GROUP BY method) m
$$;
