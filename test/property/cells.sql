-- What Mondrian publishes: the cells of kanon_view_cells, made by hand from
-- the classes of kanon_mondrian, and releases that hold k whatever becomes of
-- the rows.  Rests on mondrian.sql, whose tables are filled.
SET check_function_bodies = off;
SET search_path = kanon_property;

-- The type of a cell, as kanon promises it.
CREATE FUNCTION cell_type(type text, labels boolean) RETURNS text IMMUTABLE LANGUAGE sql AS $$
    SELECT coalesce(CASE WHEN NOT labels THEN range_over(type) END, 'text')
$$;

-- Rows with another class than kanon_mondrian gave them; all their cells as text.  Cells come class
-- by class, and rows by what stands beside them: a whole row has no id that could, so there
-- the classes are counted.
CREATE FUNCTION ask_cells(made test_case, one division) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    beside boolean := one.call ~ 'ROW\([^()]*\)';
    cut text[] := regexp_match(one.call, 'split => ''(.*)'', target => ''([^'']*)''');
    options jsonb := jsonb_build_object('split', cut[1], 'target', cut[2]) || CASE WHEN one.rest THEN '{"rest": true}'::jsonb ELSE '{}' END || CASE current_setting('kanon.partitioning') WHEN 'sample' THEN
        jsonb_build_object('partitioning', 'sample ' || current_setting(CASE current_setting('kanon.memory_limit') WHEN '-1' THEN 'maintenance_work_mem' ELSE 'kanon.memory_limit' END)) ELSE '{}' END;
BEGIN
    DELETE FROM published;
    EXECUTE format('CREATE TEMP TABLE cells_asked AS SELECT %s AS id, kanon_view_cell(c, ''class'', 0) AS class, ARRAY[%s]::text[] AS cells FROM (SELECT kanon_view_cells(%L, %s) OVER () AS c FROM %s r) s WHERE c IS DISTINCT FROM NULL',
                   CASE WHEN beside THEN format('kanon_view_cell(c, %L, 0)', 'f' || (SELECT 1 + cardinality(string_to_array(substring(one.call FROM 'ROW\(([^()]*)\)'), ',')))) ELSE 'NULL::int' END,
                   (SELECT string_agg(format('kanon_view_cell(c, %L, NULL::%s)::text', CASE WHEN one.call LIKE '%ROW(%' THEN 'f' || j ELSE made.attributes[j] END, cell_type(made.types[j], one.hierarchies AND made.dimensions[j] IS NOT NULL)), ', ' ORDER BY j)
                    FROM generate_series(1, cardinality(made.attributes)) j),
                   CASE WHEN one.relaxed THEN 'relaxed_mondrian' ELSE regexp_replace(one.name, '^kanon_', '') END,
                   regexp_replace(CASE WHEN beside THEN regexp_replace(one.call, 'ROW\(([^()]*)\)', 'ROW(\1, id)') || ', beside => 1' ELSE one.call END, ', relaxed => true|, split => .*, target => ''[^'']*''', '')
                       || format(', options => %L', options), made.relation);
    -- Classes as shown, where those that look alike are one.
    EXECUTE format('CREATE TEMP TABLE seen_classes AS SELECT id, (kanon_view_candidates(%L, %s) OVER ())[1] AS class FROM %s r',
                   CASE WHEN one.relaxed THEN 'relaxed_mondrian' ELSE regexp_replace(one.name, '^kanon_', '') END,
                   regexp_replace(one.call, ', relaxed => true|, split => .*, target => ''[^'']*''', '') || format(', options => %L', options), made.relation);
    INSERT INTO published SELECT coalesce(a.id, d.id), a.class, a.cells
    FROM (SELECT *, row_number() OVER (PARTITION BY class) AS n FROM cells_asked) a
        LEFT JOIN (SELECT *, row_number() OVER (PARTITION BY class) AS n FROM seen_classes) d ON NOT beside AND d.class = a.class AND d.n = a.n;
    PERFORM breach(one.call, 'cells have other classes', EXISTS (
        SELECT FROM seen_classes s FULL JOIN published USING (id) WHERE s.class IS DISTINCT FROM published.class));
    PERFORM breach(one.call, 'a class is shown as several', EXISTS (
        SELECT FROM divided FULL JOIN seen_classes s USING (id) GROUP BY divided.class HAVING count(DISTINCT s.class) <> (divided.class IS NOT NULL)::int));
    PERFORM breach(one.call, 'classes are shown as one that look different', EXISTS (SELECT FROM published GROUP BY class HAVING count(DISTINCT cell) > 1));
    PERFORM breach(one.call, 'classes that look alike are several', EXISTS (SELECT FROM published GROUP BY cell HAVING count(DISTINCT class) > 1));
    DROP TABLE cells_asked, seen_classes;
    -- From here on, classes as they were formed.
    UPDATE published p SET class = d.class FROM divided d WHERE d.id = p.id;
END $$;

-- Where a label stands for the class: the lowest level at which it has one, NULL if none.
CREATE FUNCTION wrong_label_cells(made test_case, j int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    top text := coalesce((SELECT label FROM label_of(made, j, made.heights[j]) label WHERE label LIKE '''%'), '''*''');
    wrong boolean;
BEGIN
    EXECUTE format($q$
        SELECT bool_or(CASE
            WHEN s.nulls = s.rows THEN p.cell[%1$s] IS NOT NULL
            WHEN s.nulls > 0 THEN p.cell[%1$s] IS DISTINCT FROM %2$s
            WHEN l.level IS NULL THEN p.cell[%1$s] IS DISTINCT FROM '*'
            WHEN l.level = 0 THEN ((p.cell[%1$s])::%3$s = people.%4$I) IS NOT TRUE
            ELSE p.cell[%1$s] IS DISTINCT FROM (CASE l.level %5$s END) END)
        FROM published p JOIN %6$s people USING (id)
             JOIN side s ON s.class = p.class AND s.attribute = %1$s
             LEFT JOIN (SELECT class, min(level) AS level FROM held WHERE attribute = %1$s AND labels = 1 GROUP BY class) l ON l.class = p.class
        $q$, j, top, made.types[j], made.attributes[j],
        (SELECT string_agg(format('WHEN %s THEN %s', level, label_of(made, j, level)), ' ') FROM generate_series(1, made.heights[j]) level), made.relation) INTO wrong;
    RETURN wrong;
END $$;

CREATE FUNCTION wrong_range_cells(made test_case, j int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    wrong boolean;
BEGIN
    EXECUTE format($q$
        SELECT bool_or(CASE
            WHEN c.seen = 0 THEN p.cell[%1$s] IS NOT NULL
            WHEN c.seen < c.rows THEN p.cell[%1$s] IS DISTINCT FROM '(,)'
            ELSE ((p.cell[%1$s])::%2$s = %2$s(c.low, c.high, '[]')) IS NOT TRUE END)
        FROM published p JOIN (SELECT d.class, count(*) AS rows, count(%3$I) AS seen, min(%3$I) AS low, max(%3$I) AS high
                               FROM divided d JOIN %4$s USING (id) GROUP BY d.class) c USING (class)
        $q$, j, range_over(made.types[j]), made.attributes[j], made.relation) INTO wrong;
    RETURN wrong;
END $$;

-- Equal values may be spelled differently, so any spelling of either end will do.
CREATE FUNCTION wrong_text_cells(made test_case, j int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    wrong boolean;
BEGIN
    EXECUTE format($q$
        WITH spelling AS (SELECT DISTINCT value, %2$I::text COLLATE "C" AS spelled FROM place JOIN %3$s USING (id) WHERE attribute = %1$s AND value IS NOT NULL)
        SELECT bool_or(CASE
            WHEN s.nulls = s.rows THEN p.cell[%1$s] IS NOT NULL
            WHEN s.nulls > 0 THEN p.cell[%1$s] IS DISTINCT FROM '*'
            WHEN s.low = s.high THEN NOT EXISTS (SELECT FROM spelling WHERE value = s.low AND spelled = p.cell[%1$s] COLLATE "C")
            ELSE NOT EXISTS (SELECT FROM spelling a, spelling b WHERE a.value = s.low AND b.value = s.high
                             AND format('[%%s - %%s]', a.spelled, b.spelled) COLLATE "C" = p.cell[%1$s] COLLATE "C") END)
        FROM published p JOIN side s ON s.class = p.class AND s.attribute = %1$s
        $q$, j, made.attributes[j], made.relation) INTO wrong;
    RETURN wrong;
END $$;

CREATE FUNCTION check_cells(made test_case, one division) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM ask_cells(made, one);
    FOR j IN 1 .. cardinality(made.attributes) LOOP
        PERFORM breach(one.call, 'wrong cells of ' || made.attributes[j], CASE
            WHEN one.hierarchies AND made.dimensions[j] IS NOT NULL THEN wrong_label_cells(made, j)
            WHEN range_over(made.types[j]) IS NOT NULL THEN wrong_range_cells(made, j)
            ELSE wrong_text_cells(made, j) END);
    END LOOP;
END $$;

-- The smallest class of a release, NULL if it is empty.
CREATE FUNCTION smallest_released(made test_case) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    smallest bigint;
BEGIN
    EXECUTE format('SELECT min(size) FROM (SELECT count(*) AS size FROM released GROUP BY %s) c',
                   (SELECT string_agg(quote_ident(name), ', ') FROM unnest(made.attributes) name)) INTO smallest;
    RETURN smallest;
END $$;

-- Does a column that has neither a dimension nor a scale show what is no value of the table?
CREATE FUNCTION ranges_released(made test_case) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    found boolean;
BEGIN
    FOR j IN 1 .. cardinality(made.attributes) LOOP
        CONTINUE WHEN made.dimensions[j] IS NOT NULL OR made.types[j] NOT IN ('text', 'bool');
        EXECUTE format($q$SELECT EXISTS (SELECT FROM released r WHERE r.%1$I <> '*' AND r.%1$I NOT IN (
            SELECT p.%1$I::text FROM %2$s p WHERE p.%1$I IS NOT NULL))$q$, made.attributes[j], made.relation) INTO found;
        IF found THEN
            RETURN true;
        END IF;
    END LOOP;
    RETURN false;
END $$;

-- A release, and its refreshes after rows have come and gone: all rows, none below k.
CREATE FUNCTION check_release(made test_case, recoding text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    rows bigint;
    figures record;
    ranges boolean := chance(0.3);
    digest text;
BEGIN
    IF made.row_count BETWEEN 1 AND made.k - 1 THEN
        RETURN;
    END IF;
    EXECUTE format('SELECT kanon_create_release(''released'', %L, %s, %L, quasi_identifiers => %s, options => ''{"ranges": %s}'')', made.relation, made.k, recoding, made.argument, ranges::text);
    FOR round IN 1 .. 3 LOOP
        EXECUTE format('SELECT count(*) FROM %s', made.relation) INTO rows;
        SELECT * INTO figures FROM kanon_release WHERE release = 'released'::regclass;
        PERFORM breach(recoding, 'a class of the release is below k', smallest_released(made) < made.k);
        PERFORM breach(recoding, 'rows are lost', (SELECT count(*) FROM released) <> CASE WHEN rows < made.k THEN 0 ELSE rows END);
        PERFORM breach(recoding, 'the catalog is wrong', figures.rows <> (SELECT count(*) FROM released) OR figures.smallest IS DISTINCT FROM smallest_released(made));
        PERFORM breach(recoding, 'a range is shown', NOT ranges AND ranges_released(made));
        digest := kanon_digest('released');
        PERFORM set_config('kanon.partitioning', 'tree', true);
        REFRESH MATERIALIZED VIEW released;
        PERFORM set_config('kanon.partitioning', 'auto', true);
        PERFORM breach(recoding, 'another release on disk', digest <> kanon_digest('released'));
        IF round = 1 THEN
            EXECUTE format('DELETE FROM people WHERE random() < %s', random());
        ELSE
            INSERT INTO people SELECT * FROM people WHERE random() < 0.5;
        END IF;
        REFRESH MATERIALIZED VIEW released;
    END LOOP;
    PERFORM kanon_drop_release('released');
END $$;
