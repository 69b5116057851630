-- Mondrian: what must hold of any partitioning, and the same partitioning made
-- by hand, level by level of the tree, in plain SQL.
--
-- Rests on make_case (generate.sql) and on the cells of the oracle: a value's
-- rank at level 0, its label's rank and loss above.
SET check_function_bodies = off;
SET search_path = kanon_property;

-- One way to ask.
CREATE TYPE division AS (
    name text,              -- of the function
    call text,              -- its arguments
    hierarchies boolean,    -- dimensions apply
    relaxed boolean,
    by_median boolean,
    rest boolean,           -- rare labels go together
    target text             -- of information gain and regression over ROW(..), as SQL
);

CREATE FUNCTION make_mondrian_tables() RETURNS void LANGUAGE sql AS $$
    -- Each value of each row: its rank, NULL for NULL, and its place on a scale.
    CREATE TEMP TABLE place (attribute int, id int, value bigint, position float8) ON COMMIT DELETE ROWS;
    -- All ranks of each row, 0 for NULL.
    CREATE TEMP TABLE point (id int, value bigint[]) ON COMMIT DELETE ROWS;
    -- The answer looked at, and that to other orders of the rows.
    CREATE TEMP TABLE divided (id int, class int) ON COMMIT DELETE ROWS;
    CREATE TEMP TABLE divided_again (id int, class int) ON COMMIT DELETE ROWS;
    -- .. and that of disk.
    CREATE TEMP TABLE divided_on_disk (id int, class int) ON COMMIT DELETE ROWS;
    -- What each class holds of each attribute.
    CREATE TEMP TABLE side (attribute int, class int, hierarchical boolean, rows bigint, nulls bigint, low bigint, high bigint) ON COMMIT DELETE ROWS;
    -- .. and its values of each level of it, the two labels of fewest rows.
    CREATE TEMP TABLE held (attribute int, class int, level int, labels bigint, least bigint, second bigint, code bigint) ON COMMIT DELETE ROWS;
    -- Where among the values of its dimension the first one of a row's label stands: the order of siblings.
    CREATE TEMP TABLE sibling (attribute int, level int, id int, turn bigint) ON COMMIT DELETE ROWS;
    -- The partitioning by hand: a letter for each step down the tree.
    CREATE TEMP TABLE walk (id int, path text COLLATE "C") ON COMMIT DELETE ROWS;
    -- What kanon publishes of each row.
    CREATE TEMP TABLE published (id int, class int, cell text[]) ON COMMIT DELETE ROWS;
    -- The target of each row.
    CREATE TEMP TABLE goal (id int, label text, amount float8) ON COMMIT DELETE ROWS;
$$;

CREATE FUNCTION breach(call text, what text, broken boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF broken THEN
        RAISE EXCEPTION '%: %', call, what;
    END IF;
END $$;

-- A number that tells how far apart two values lie, where the type has one.
CREATE FUNCTION position_of(name text, type text) RETURNS text IMMUTABLE LANGUAGE sql AS $$
    SELECT CASE
        WHEN type IN ('int', 'bigint', 'numeric', 'float8', 'kanon_property.small_number') THEN format('(%I)::float8', name)
        WHEN type = 'bool' THEN format('(%I)::int::float8', name)
        WHEN type = 'date' THEN format($f$CASE WHEN isfinite(%1$I) THEN (%1$I - date '2000-01-01')::float8 WHEN %1$I IS NOT NULL THEN 'Infinity' END$f$, name)
        WHEN type = 'timestamptz' THEN format('(extract(epoch FROM %I) * 1000000)::float8', name)
    END
$$;

CREATE FUNCTION fill_places(made test_case) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    FOR j IN 1 .. cardinality(made.attributes) LOOP
        EXECUTE format('INSERT INTO place SELECT %s, id, CASE WHEN %I IS NOT NULL THEN dense_rank() OVER (ORDER BY %I) END, %s FROM %s',
                       j, made.attributes[j], made.attributes[j], coalesce(position_of(made.attributes[j], made.types[j]), 'NULL'), made.relation);
    END LOOP;
    -- Where a value has none, or an infinite one, ranks are places.
    UPDATE place SET position = value WHERE attribute IN (
        SELECT attribute FROM place WHERE value IS NOT NULL
               AND (position IS NULL OR position IN ('NaN', 'Infinity', '-Infinity')));
    INSERT INTO point SELECT id, array_agg(coalesce(value, 0) ORDER BY attribute) FROM place GROUP BY id;
END $$;

CREATE FUNCTION fill_siblings(made test_case) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    FOR j IN 1 .. cardinality(made.attributes) LOOP
        CONTINUE WHEN made.dimensions[j] IS NULL;
        FOR level IN 0 .. made.heights[j] LOOP
            EXECUTE format($q$
                INSERT INTO sibling SELECT %s, %s, p.id, d.turn
                FROM %s p JOIN (SELECT ground, min(at) OVER (PARTITION BY label) AS turn
                                FROM (SELECT "Ground value"::%s AS ground, %I AS label, row_number() OVER (ORDER BY "Ground value"::%s) AS at FROM %s) l) d
                     ON d.ground = p.%I
                $q$, j, level, made.relation, made.types[j],
                CASE level WHEN 0 THEN 'Ground value' ELSE 'Level ' || level END, made.types[j], made.dimensions[j], made.attributes[j]);
        END LOOP;
    END LOOP;
END $$;

-- Calls to choose from, over ROW(..) and over whole rows.
CREATE FUNCTION divisions_of(made test_case) RETURNS SETOF division VOLATILE LANGUAGE plpgsql AS $$
DECLARE
    columns text := (SELECT string_agg(quote_ident(name), ', ' ORDER BY at) FROM unnest(made.attributes) WITH ORDINALITY t (name, at));
    next_field text := 'f' || cardinality(made.attributes) + 1;
    name text;
    target text := CASE pick(3) WHEN 0 THEN 'id % 3' WHEN 1 THEN 'nullif(id * 37 % 10, 5)' ELSE format('length((%I)::text)', made.attributes[1]) END;
BEGIN
    RETURN NEXT ('kanon_strict_mondrian'::text, format('%s, ROW(%s)', made.k, columns), false, false, true, false, NULL::text);
    RETURN NEXT ('kanon_mondrian'::text, format('%s, ROW(%s), relaxed => true', made.k, columns), false, true, true, false, NULL::text);
    RETURN NEXT ('kanon_strict_mondrian'::text, format('%s, r, %s', made.k, made.argument), true, false, true, false, NULL::text);
    RETURN NEXT ('kanon_mondrian'::text, format('%s, r, %s, relaxed => true', made.k, made.argument), true, true, true, false, NULL::text);
    RETURN NEXT ('kanon_mondrian'::text, format('%s, ROW(%s)', made.k, columns), false, false, false, true, NULL::text);
    RETURN NEXT ('kanon_mondrian'::text, format('%s, r, %s', made.k, made.argument), true, false, false, true, NULL::text);
    FOREACH name IN ARRAY ARRAY['kanon_mondrian', 'kanon_strict_mondrian'] LOOP
        RETURN NEXT (name, format('%s, ROW(%s, (%s)::text), split => ''infogain'', target => %L', made.k, columns, target, next_field), false, false, false, name = 'kanon_mondrian', target);
        RETURN NEXT (name, format('%s, ROW(%s, (%s)::float8), split => ''regression'', target => %L', made.k, columns, target, next_field), false, false, false, name = 'kanon_mondrian', target);
        RETURN NEXT (name, format('%s, r, %s, split => %L, target => ''id''', made.k, made.argument, CASE pick(2) WHEN 0 THEN 'infogain' ELSE 'regression' END), true, false, false, name = 'kanon_mondrian', NULL::text);
    END LOOP;
END $$;

-- Under the present kanon.partitioning, and on disk: the same but for samples, which choose cuts of their own.
CREATE FUNCTION ask_division(made test_case, one division) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    partitioning text := current_setting('kanon.partitioning');
BEGIN
    DELETE FROM divided;
    DELETE FROM divided_again;
    EXECUTE format('INSERT INTO divided SELECT id, %s(%s) OVER () FROM %s r', one.name, one.call, made.relation);
    EXECUTE format('INSERT INTO divided_again SELECT id, %s(%s) OVER (ORDER BY hashint4extended(id, %s)) FROM %s r', one.name, one.call, pick(1000000), made.relation);
    DELETE FROM divided_on_disk;
    PERFORM set_config('kanon.partitioning', CASE partitioning WHEN 'sample' THEN 'sample' ELSE 'tree' END, true);
    EXECUTE format('INSERT INTO divided_on_disk SELECT id, %s(%s) OVER () FROM %s r', one.name, one.call, made.relation);
    PERFORM set_config('kanon.partitioning', partitioning, true);
    ANALYZE divided;
END $$;

CREATE FUNCTION look_at_classes(made test_case, one division) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM side;
    DELETE FROM held;
    INSERT INTO side
    SELECT attribute, class, one.hierarchies AND made.dimensions[attribute] IS NOT NULL, count(*), count(*) - count(value), min(value), max(value)
    FROM place JOIN divided USING (id) GROUP BY 1, 2;
    INSERT INTO held
    SELECT attribute, class, level, count(*), min(size), (array_agg(size ORDER BY size))[2], min(code)
    FROM (SELECT attribute, class, level, code, count(*) AS size FROM cell JOIN place USING (attribute, id) JOIN divided USING (id)
          WHERE level >= 0 AND value IS NOT NULL GROUP BY 1, 2, 3, 4) l
    GROUP BY 1, 2, 3;
    ANALYZE side;
    ANALYZE held;
END $$;

-- Sizes and numbers of classes.
CREATE FUNCTION check_sizes(made test_case, one division) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    attributes int := cardinality(made.attributes);
    largest bigint := (SELECT max(size) FROM (SELECT count(*) AS size FROM divided GROUP BY class) c);
    copies bigint := (SELECT max(size) FROM (SELECT count(*) AS size FROM point GROUP BY value) p);
    plain boolean := NOT EXISTS (SELECT FROM side WHERE hierarchical);
BEGIN
    IF made.row_count < made.k THEN
        PERFORM breach(one.call, 'fewer than k rows have classes', EXISTS (SELECT FROM divided WHERE class IS NOT NULL));
        RETURN;
    END IF;
    PERFORM breach(one.call, 'a row has no class', (SELECT count(class) <> made.row_count FROM divided));
    PERFORM breach(one.call, 'a class has fewer than k rows', EXISTS (SELECT FROM divided GROUP BY class HAVING count(*) < made.k));
    PERFORM breach(one.call, 'classes are not numbered 1, 2, ..', (SELECT min(class) <> 1 OR max(class) <> count(DISTINCT class) FROM divided));
    PERFORM breach(one.call, 'a class exceeds 2d(k - 1) + m', plain AND NOT one.relaxed AND largest > 2 * attributes * (made.k - 1) + copies);
    PERFORM breach(one.call, 'a class exceeds 2k - 1', one.relaxed AND largest > 2 * made.k - 1 AND EXISTS (SELECT FROM side WHERE NOT hierarchical));
END $$;

-- Strict: classes are regions, and regions do not overlap: in one attribute their values do not, and NULL lies in one at most.
-- With rest parts, labels of another class may be below one's own, but no values.
CREATE FUNCTION check_regions(made test_case, one division) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM breach(one.call, 'equal rows are in different classes',
                   EXISTS (SELECT FROM divided JOIN point USING (id) GROUP BY value HAVING count(DISTINCT class) > 1));
    PERFORM breach(one.call, 'regions overlap', EXISTS (
        SELECT FROM side a JOIN side b USING (attribute) WHERE a.class < b.class GROUP BY a.class, b.class
        HAVING NOT bool_or((a.nulls = 0 OR b.nulls = 0) AND (a.nulls = a.rows OR b.nulls = b.rows OR CASE WHEN a.hierarchical
                THEN CASE WHEN one.rest THEN NOT EXISTS (SELECT FROM divided x JOIN place p USING (id) JOIN divided y ON y.class = b.class JOIN place q ON q.id = y.id
                                 WHERE x.class = a.class AND p.attribute = a.attribute AND q.attribute = a.attribute AND p.value = q.value)
                    ELSE EXISTS (SELECT FROM held x JOIN held y USING (attribute, level)
                             WHERE x.class = a.class AND y.class = b.class AND attribute = a.attribute AND x.labels = 1 AND y.labels = 1 AND x.code <> y.code) END
                ELSE a.high < b.low OR b.high < a.low END))));
END $$;

-- Nothing is left that could be divided: NULL is the lowest value, or goes with the smallest child.  With rest parts: no label
-- could be set apart from the others.
CREATE FUNCTION check_minimal(made test_case, one division) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM breach(one.call, 'an allowable cut is left', EXISTS (
        SELECT FROM (SELECT attribute, class, sum(count(*)) OVER (PARTITION BY attribute, class ORDER BY coalesce(value, 0)) AS below, s.rows
                     FROM side s JOIN place USING (attribute) JOIN divided USING (id, class)
                     WHERE NOT hierarchical GROUP BY attribute, class, value, s.rows) c
        WHERE below >= made.k AND rows - below >= made.k));
    PERFORM breach(one.call, 'NULL could be split off', EXISTS (SELECT FROM side WHERE nulls >= made.k AND rows - nulls >= made.k));
    PERFORM breach(one.call, 'a label could be set apart', one.rest AND EXISTS (
        SELECT FROM (SELECT DISTINCT ON (attribute, class) attribute, class, level, s.rows - s.nulls AS known FROM side s JOIN held h USING (attribute, class)
                     WHERE hierarchical AND labels > 1 ORDER BY attribute, class, level DESC) l,
             LATERAL (SELECT count(*) AS size FROM cell JOIN place USING (attribute, id) JOIN divided USING (id)
                      WHERE cell.attribute = l.attribute AND divided.class = l.class AND cell.level = l.level AND value IS NOT NULL GROUP BY code) c
        WHERE size >= made.k AND known - size >= made.k));
    PERFORM breach(one.call, 'an allowable specialization is left', EXISTS (
        SELECT FROM (SELECT DISTINCT ON (attribute, class) least + nulls AS least, second FROM side s JOIN held h USING (attribute, class)
                     WHERE hierarchical AND labels > 1 ORDER BY attribute, class, level DESC) l
        WHERE least >= made.k AND second >= made.k));
END $$;

CREATE FUNCTION check_order(made test_case, one division) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF one.relaxed THEN
        PERFORM breach(one.call, 'the order of rows matters', EXISTS (
            SELECT value, class FROM divided JOIN point USING (id) EXCEPT ALL SELECT value, class FROM divided_again JOIN point USING (id)));
    ELSE
        PERFORM breach(one.call, 'the order of rows matters', EXISTS (SELECT id, class FROM divided EXCEPT SELECT id, class FROM divided_again));
    END IF;
    PERFORM breach(one.call, 'classes on disk are others', EXISTS (SELECT id, class FROM divided EXCEPT SELECT id, class FROM divided_on_disk));
END $$;

-- By gain, ties go by content.
CREATE FUNCTION check_columns(made test_case, one division) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    columns name[] := ARRAY(SELECT name FROM unnest(made.attributes) name ORDER BY random());
BEGIN
    DELETE FROM divided_again;
    EXECUTE format('INSERT INTO divided_again SELECT id, kanon_mondrian(%s, r, %L) OVER () FROM %s r', made.k, columns, made.relation);
    PERFORM breach(one.call, 'the order of columns matters: ' || columns::text, EXISTS (SELECT id, class FROM divided EXCEPT SELECT id, class FROM divided_again));
END $$;

-- Every part of the tree so far: for each attribute its width and how it would be divided.
-- apart: NULL | not NULL, which comes first.  threshold: rows whose value is at most that go left; 0 stands for NULL.
-- null_code: the label that NULLs go along with.
CREATE FUNCTION possible_splits(made test_case, one division)
RETURNS TABLE (path text, attribute int, apart boolean, width float8, allowable boolean, level int, null_code bigint, threshold bigint, half bigint) LANGUAGE sql AS $$
    WITH whole AS (
        SELECT attribute, max(position) - min(position) AS extent FROM place GROUP BY attribute),
    part AS (
        SELECT path, p.attribute, one.hierarchies AND made.dimensions[p.attribute] IS NOT NULL AS hierarchical,
               count(*) AS rows, count(*) - count(value) AS nulls, min(value) AS low, max(value) AS high,
               max(position) - min(position) AS extent, array_agg(coalesce(value, 0) ORDER BY coalesce(value, 0)) AS sorted,
               count(value) >= made.k AND count(*) - count(value) >= made.k AS apart
        FROM walk JOIN place p USING (id) GROUP BY path, p.attribute HAVING count(*) >= 2 * made.k),
    labelled AS (
        SELECT path, c.attribute, c.level, c.code, count(*) AS size, min(s.turn) AS turn
        FROM walk JOIN cell c USING (id) JOIN place p USING (attribute, id) LEFT JOIN sibling s USING (attribute, level, id)
        WHERE c.level >= 0 AND p.value IS NOT NULL GROUP BY 1, 2, 3, 4),
    child AS (
        SELECT DISTINCT ON (path, attribute) path, attribute, level, least, second, smallest
        FROM (SELECT path, attribute, level, count(*) AS labels, min(size) AS least,
                     (array_agg(size ORDER BY size))[2] AS second, (array_agg(code ORDER BY size, turn))[1] AS smallest
              FROM labelled GROUP BY 1, 2, 3) l
        WHERE labels > 1 ORDER BY path, attribute, level DESC),
    child_width AS (
        SELECT k.path, k.attribute, max(c.loss) AS width
        FROM child k JOIN walk USING (path) JOIN cell c ON c.id = walk.id AND c.attribute = k.attribute AND c.level = k.level + 1 GROUP BY 1, 2),
    median AS (
        SELECT part.*, sorted[(rows - 1) / 2 + 1] AS x FROM part),
    beside AS (
        SELECT median.*, (SELECT count(*) FROM unnest(sorted) v WHERE v < x) AS below, (SELECT count(*) FROM unnest(sorted) v WHERE v <= x) AS upto
        FROM median),
    tried AS (
        SELECT beside.*, upto >= made.k AND rows - upto >= made.k AS first, below >= made.k AND rows - below >= made.k AS second
        FROM beside)
    SELECT t.path, t.attribute, apart,
           CASE WHEN low IS NULL OR low = high THEN 0
                WHEN hierarchical THEN coalesce(child_width.width, 1)
                ELSE coalesce(t.extent / nullif(whole.extent, 0), 0) END,
           CASE WHEN apart THEN true
                WHEN hierarchical THEN coalesce(child.least + nulls >= made.k AND child.second >= made.k, false)
                WHEN one.relaxed THEN true
                ELSE t.first OR t.second END,
           CASE WHEN hierarchical AND NOT apart THEN child.level END,
           child.smallest,
           CASE WHEN apart THEN 0
                WHEN t.first AND (NOT t.second OR abs(2 * upto - rows) <= abs(2 * below - rows)) THEN x
                ELSE x - 1 END,
           CASE WHEN one.relaxed AND NOT hierarchical AND NOT apart THEN rows / 2 END
    FROM tried t JOIN whole USING (attribute) LEFT JOIN child USING (path, attribute) LEFT JOIN child_width USING (path, attribute)
$$;

-- All parts at once, a level of the tree at a time.
CREATE FUNCTION divide_by_hand(made test_case, one division) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    moved bigint;
BEGIN
    DELETE FROM walk;
    INSERT INTO walk SELECT id, '' FROM point;
    LOOP
        WITH chosen AS (
            SELECT DISTINCT ON (path) * FROM possible_splits(made, one) WHERE allowable
            ORDER BY path, apart DESC, CASE WHEN NOT apart THEN width END DESC, attribute),
        ordered AS (
            SELECT w.id, c.path, c.attribute, c.level, c.null_code, c.threshold, c.half, point.value[c.attribute] AS value,
                   row_number() OVER (PARTITION BY c.path ORDER BY point.value[c.attribute], point.value) AS turn
            FROM chosen c JOIN walk w USING (path) JOIN point USING (id))
        UPDATE walk SET path = o.path || CASE
            WHEN o.half IS NOT NULL THEN CASE WHEN o.turn <= o.half THEN 'a' ELSE 'b' END
            WHEN o.level IS NOT NULL AND o.value = 0 THEN chr(64 + o.null_code::int)
            WHEN o.level IS NOT NULL THEN (SELECT chr(64 + code::int) FROM cell WHERE cell.id = o.id AND cell.attribute = o.attribute AND cell.level = o.level)
            ELSE CASE WHEN o.value <= o.threshold THEN 'a' ELSE 'b' END END
        FROM ordered o WHERE walk.id = o.id;
        GET DIAGNOSTICS moved = ROW_COUNT;
        EXIT WHEN moved = 0;
    END LOOP;
END $$;

-- The same classes; without hierarchies, which have an order of their own, the same numbers too.
CREATE FUNCTION check_by_hand(made test_case, one division) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM divide_by_hand(made, one);
    IF one.hierarchies THEN
        PERFORM breach(one.call, 'other classes than by hand', EXISTS (
            SELECT FROM divided JOIN walk USING (id) HAVING count(DISTINCT (class, path)) <> count(DISTINCT class) OR count(DISTINCT (class, path)) <> count(DISTINCT path)));
    ELSE
        PERFORM breach(one.call, 'other classes than by hand', EXISTS (
            SELECT value, class FROM divided JOIN point USING (id)
            EXCEPT ALL SELECT value, dense_rank() OVER (ORDER BY path) FROM walk JOIN point USING (id)));
    END IF;
END $$;

-- All allowable cuts of the whole, and how much they tell about the target.
CREATE FUNCTION first_cuts(made test_case) RETURNS TABLE (attribute int, threshold bigint, information float8, explained float8) LANGUAGE sql AS $$
    WITH apart AS (
        SELECT attribute FROM place GROUP BY attribute HAVING count(value) >= made.k AND count(*) - count(value) >= made.k),
    cut AS (
        SELECT DISTINCT attribute, CASE WHEN attribute IN (SELECT * FROM apart) THEN 0 ELSE coalesce(value, 0) END AS threshold FROM place),
    divided AS (
        SELECT c.attribute, c.threshold, coalesce(p.value, 0) <= c.threshold AS below, g.label, g.amount
        FROM cut c JOIN place p USING (attribute) JOIN goal g USING (id)),
    labelled AS (
        SELECT attribute, threshold, below, label, count(*) AS n FROM divided GROUP BY 1, 2, 3, 4),
    -- What each side is worth: minus its rows times its entropy; minus its squared error.
    entropy AS (
        SELECT attribute, threshold, below, sum(n) AS rows, sum(n * ln(n::float8)) - sum(n) * ln(sum(n)::float8) AS worth FROM labelled GROUP BY 1, 2, 3),
    error AS (
        SELECT attribute, threshold, below, -coalesce(var_pop(amount), 0) * count(amount) AS worth FROM divided GROUP BY 1, 2, 3),
    whole AS (
        SELECT (SELECT sum(n * ln(n::float8)) - sum(n) * ln(sum(n)::float8) FROM (SELECT count(*) AS n FROM goal GROUP BY label) l) AS entropy,
               (SELECT -coalesce(var_pop(amount), 0) * count(amount) FROM goal) AS error)
    SELECT attribute, threshold, (sum(a.worth) - min(entropy)) / ln(2) / made.row_count, coalesce((sum(b.worth) - min(error)) / nullif(-min(error), 0), 0)
    FROM entropy a JOIN error b USING (attribute, threshold, below), whole
    GROUP BY 1, 2 HAVING count(*) = 2 AND min(rows) >= made.k
$$;

-- Where one cut tells clearly the most, it is the first: no class lies on both sides.
CREATE FUNCTION check_first_cut(made test_case, one division) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    best record;
BEGIN
    DELETE FROM goal;
    EXECUTE format('INSERT INTO goal SELECT id, (%1$s)::text, (%1$s)::float8 FROM %2$s', one.target, made.relation);
    SELECT attribute, threshold, gain, gain - lead(gain, 1, 0.0) OVER (ORDER BY gain DESC) AS ahead INTO best
    FROM (SELECT *, CASE WHEN one.call LIKE '%infogain%' THEN information ELSE explained END AS gain FROM first_cuts(made)) c
    ORDER BY gain DESC LIMIT 1;
    PERFORM breach(one.call, 'the first cut is not the best', best.gain > 0.01001 AND best.ahead > 0.000001 AND EXISTS (
        SELECT FROM divided JOIN place USING (id) WHERE attribute = best.attribute
        GROUP BY class HAVING count(DISTINCT coalesce(value, 0) <= best.threshold) > 1));
END $$;

CREATE FUNCTION check_division(made test_case, one division) RETURNS void LANGUAGE plpgsql
SET enable_mergejoin = off SET jit = off AS $$
DECLARE
    sampled boolean := NOT one.relaxed AND chance(0.4);
BEGIN
    PERFORM set_config('kanon.partitioning', CASE WHEN sampled THEN 'sample' ELSE 'auto' END, true);
    PERFORM ask_division(made, one);
    PERFORM look_at_classes(made, one);
    PERFORM check_sizes(made, one);
    PERFORM check_order(made, one);
    PERFORM check_cells(made, one);
    IF one.rest AND one.hierarchies AND one.call !~ 'split' AND NOT sampled THEN
        PERFORM check_columns(made, one);
    END IF;
    IF made.row_count >= made.k AND NOT one.relaxed THEN
        PERFORM check_regions(made, one);
        PERFORM check_minimal(made, one);
    END IF;
    -- Ties between relaxed rows are broken by codes of hierarchies, which are kanon's own.
    IF made.row_count >= made.k AND one.by_median AND NOT sampled AND NOT (one.relaxed AND one.hierarchies) THEN
        PERFORM check_by_hand(made, one);
    END IF;
    IF made.row_count >= made.k AND one.target IS NOT NULL AND NOT sampled THEN
        PERFORM check_first_cut(made, one);
    END IF;
    PERFORM set_config('kanon.partitioning', 'auto', true);
END $$;

CREATE FUNCTION check_mondrian_case(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    one division;
BEGIN
    PERFORM fill_cells(made);
    PERFORM fill_places(made);
    PERFORM fill_siblings(made);
    ANALYZE cell;
    ANALYZE place;
    ANALYZE point;
    ANALYZE sibling;
    FOR one IN SELECT * FROM divisions_of(made) ORDER BY random() LIMIT 3 LOOP
        PERFORM check_division(made, one);
    END LOOP;
    PERFORM check_release(made, (ARRAY['mondrian', 'strict_mondrian', 'relaxed_mondrian'])[1 + pick(3)]);
END $$;
