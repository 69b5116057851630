-- Non-homogeneous generalization: what must hold of the records that kanon_ring and
-- kanon_two_phase give, looked at in plain SQL.
--
-- Rests on make_case (generate.sql), on cells and their losses (oracle.sql), on breach (mondrian.sql)
-- and on the types of ranges (tree.sql, cells.sql).
SET check_function_bodies = off;
SET search_path = kanon_property;

-- What both lose in each case, with labels and without, as a share of the cells;
-- for the end of the run.
CREATE TABLE matching_loss (number int, labels boolean, method text, loss float8);

CREATE FUNCTION make_matching_tables() RETURNS void LANGUAGE sql AS $$
    -- All that may stand in a cell of an attribute which covers a row.
    CREATE TEMP TABLE stands (attribute int, id int, term text COLLATE "C") ON COMMIT DELETE ROWS;
    -- The cells that stand beside each row, by call.
    CREATE TEMP TABLE shown (number int, id int, attribute int, term text COLLATE "C") ON COMMIT DELETE ROWS;
    -- Digits: the codes and what is shown of them.
    CREATE TEMP TABLE digits_shown (id int, code text, shown text) ON COMMIT DELETE ROWS;
$$;

-- As a cell of this column is asked for: a domain counts as its base type.
CREATE FUNCTION plain_type(type text) RETURNS text IMMUTABLE LANGUAGE sql AS $$
    SELECT CASE type WHEN 'kanon_property.small_number' THEN 'int' WHEN 'kanon_property.short_text' THEN 'text' ELSE regexp_replace(type, ' COLLATE.*', '') END
$$;

CREATE FUNCTION hides_by_star(type text) RETURNS boolean STABLE LANGUAGE sql AS $$
    SELECT typcategory = 'S' FROM pg_type WHERE oid = plain_type(type)::regtype
$$;

-- Values as they are, spelled like any equal one; '*' or NULL, which hides.
CREATE FUNCTION fill_plain_terms(made test_case, j int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format($q$
        INSERT INTO stands
        SELECT %1$s, p.id, t.term FROM %3$s p JOIN (SELECT DISTINCT ON (format('%%s', %2$I) COLLATE "C") %2$I AS value, format('%%s', %2$I) COLLATE "C" AS term FROM %3$s WHERE %2$I IS DISTINCT FROM NULL) t ON t.value = p.%2$I
        UNION SELECT %1$s, p.id, '<null>' FROM %3$s p WHERE %4$L OR p.%2$I IS NOT DISTINCT FROM NULL
        UNION SELECT %1$s, p.id, '*' FROM %3$s p WHERE NOT %4$L
        $q$, j, made.attributes[j], made.relation, NOT hides_by_star(made.types[j]));
END $$;

-- Values and labels as the dimension has them; '*' above all.
CREATE FUNCTION fill_label_terms(made test_case, j int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format($q$
        INSERT INTO stands
        SELECT %1$s, p.id, t.term
        FROM %3$s p JOIN (SELECT DISTINCT ON (%2$I::text COLLATE "C") %2$I AS value, %2$I::text COLLATE "C" AS term FROM %3$s WHERE %2$I IS DISTINCT FROM NULL
                          UNION ALL SELECT d."Ground value"::%4$s, (d."Ground value"::%4$s)::text COLLATE "C" FROM %5$s d
                          UNION ALL SELECT d."Ground value"::%4$s, format('%%s', d."Ground value") COLLATE "C" FROM %5$s d
                          UNION ALL SELECT d."Ground value"::%4$s, l.label COLLATE "C" FROM %5$s d, LATERAL (VALUES %6$s) l (label)) t ON t.value = p.%2$I
        UNION SELECT %1$s, p.id, '<null>' FROM %3$s p WHERE p.%2$I IS NOT DISTINCT FROM NULL
        UNION SELECT %1$s, p.id, '*' FROM %3$s p
        UNION SELECT %1$s, p.id, top FROM %3$s p, (SELECT min(format('%%s', %7$I) COLLATE "C") AS top FROM %5$s HAVING count(DISTINCT %7$I) = 1) d WHERE p.%2$I IS NOT DISTINCT FROM NULL
        $q$, j, made.attributes[j], made.relation, made.types[j], made.dimensions[j],
        (SELECT string_agg(format('(format(''%%s'', d.%I))', 'Level ' || level), ', ') FROM generate_series(1, made.heights[j]) level), 'Level ' || made.heights[j]);
END $$;

CREATE FUNCTION fill_terms(made test_case, labels boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM stands;
    FOR j IN 1 .. cardinality(made.attributes) LOOP
        IF labels AND made.dimensions[j] IS NOT NULL THEN
            PERFORM fill_label_terms(made, j);
        ELSE
            PERFORM fill_plain_terms(made, j);
        END IF;
    END LOOP;
    ANALYZE stands;
END $$;

-- One call: its cells as they are, a release, which must pass kanon's own check; then as texts.
CREATE FUNCTION ask_matching(made test_case, number int, call text, window_clause text, labels boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    said record;
BEGIN
    EXECUTE format('CREATE TABLE released AS SELECT id AS "the row", %s FROM (SELECT id, %s OVER (%s) AS c FROM %s r) s WHERE c IS DISTINCT FROM NULL',
        (SELECT string_agg(format('kanon_view_cell(c, %L, NULL::%s) AS %I', CASE WHEN labels THEN made.attributes[j] ELSE 'f' || j END, CASE WHEN labels AND made.dimensions[j] IS NOT NULL THEN 'text' ELSE plain_type(made.types[j]) END, made.attributes[j]), ', ' ORDER BY j)
         FROM generate_series(1, cardinality(made.attributes)) j), call, window_clause, made.relation);
    EXECUTE format('SELECT * FROM kanon_check_matchings(''released'', %s, %L, %s)', made.k, made.relation, made.argument) INTO said;
    PERFORM breach(call || ' OVER (' || window_clause || ')', 'kanon_check_matchings: ' || said, NOT said.satisfied);
    EXECUTE format($q$
        INSERT INTO shown SELECT %s, "the row", j, CASE WHEN term IS NULL THEN '<null>' ELSE term END FROM released, LATERAL (VALUES %s) v (j, term)
        $q$, number,
        (SELECT string_agg(format('(%s, CASE WHEN %I IS DISTINCT FROM NULL THEN format(''%%s'', %2$I) END)', j, made.attributes[j]), ', ') FROM generate_series(1, cardinality(made.attributes)) j));
    DROP TABLE released;
END $$;

-- Rows beside which a cell stands that does not cover them.
CREATE FUNCTION uncovered(asked int) RETURNS boolean LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM shown s WHERE s.number = asked AND NOT EXISTS (SELECT FROM stands t WHERE t.attribute = s.attribute AND t.id = s.id AND t.term = s.term))
$$;

-- As cells, whosever they are.
CREATE FUNCTION records_of(asked int) RETURNS TABLE (cells text[]) LANGUAGE sql AS $$
    SELECT array_agg(term ORDER BY attribute) FROM shown WHERE shown.number = asked GROUP BY id
$$;

CREATE FUNCTION other_records(one int, other int) RETURNS boolean LANGUAGE sql AS $$
    SELECT EXISTS (SELECT cells FROM records_of(one) EXCEPT ALL SELECT cells FROM records_of(other))
        OR (SELECT count(*) FROM records_of(one)) <> (SELECT count(*) FROM records_of(other))
$$;

-- Every record covers k rows, and every row is covered by k records, at least.
CREATE FUNCTION covered_too_little(made test_case, asked int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    answer boolean;
BEGIN
    WITH pair AS MATERIALIZED (
        SELECT s.id AS record, t.id AS row FROM shown s JOIN stands t USING (attribute, term) WHERE s.number = asked
        GROUP BY s.id, t.id HAVING count(*) = cardinality(made.attributes))
    SELECT EXISTS (SELECT FROM shown LEFT JOIN pair ON record = id WHERE shown.number = asked AND attribute = 1 GROUP BY id HAVING count(row) < made.k)
        OR EXISTS (SELECT FROM shown LEFT JOIN pair ON row = id WHERE shown.number = asked AND attribute = 1 GROUP BY id HAVING count(record) < made.k) INTO answer;
    RETURN answer;
END $$;

-- What the cells of one attribute in call 1 lose, one with another.  What may be hidden or
-- something else, a value or a label ('*', NULL), counts as hidden.
CREATE FUNCTION attribute_loss(made test_case, j int, labels boolean) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    hidden constant text := CASE WHEN labels AND made.dimensions[j] IS NOT NULL OR hides_by_star(made.types[j]) THEN '*' ELSE '<null>' END;
    loss float8;
BEGIN
    IF NOT labels OR made.dimensions[j] IS NULL THEN
        RETURN (SELECT avg((term = hidden)::int) FROM shown WHERE shown.number = 1 AND attribute = j);
    END IF;
    EXECUTE format($q$
        SELECT avg(CASE WHEN s.term = '*' THEN 1 ELSE coalesce(m.loss, (p.%1$I IS NOT DISTINCT FROM NULL AND s.term <> '<null>')::int) END)
        FROM shown s JOIN %2$s p USING (id) LEFT JOIN (
            SELECT c.id, l.term, max(c.loss) AS loss
            FROM cell c JOIN %2$s p USING (id) JOIN %3$s d ON d."Ground value"::%4$s = p.%1$I, LATERAL (VALUES %5$s) l (level, term)
            WHERE c.attribute = %6$s AND c.level = l.level GROUP BY c.id, l.term) m ON m.id = s.id AND m.term COLLATE "C" = s.term
        WHERE s.number = 1 AND s.attribute = %6$s
        $q$, made.attributes[j], made.relation, made.dimensions[j], made.types[j],
        (SELECT string_agg(format('(%s, format(''%%s'', d.%I))', level, 'Level ' || level), ', ') FROM generate_series(1, made.heights[j]) level), j) INTO loss;
    RETURN loss;
END $$;

-- No less than the bound; kept for the end of the run.
CREATE FUNCTION check_loss(made test_case, call text, name text, labels boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    losses float8[] := ARRAY(SELECT attribute_loss(made, j, labels) FROM generate_series(1, cardinality(made.attributes)) j ORDER BY j);
    lost float8 := (SELECT sum(loss * share) FROM unnest(losses, shares(made)) t (loss, share));
    bound float8;
BEGIN
    EXECUTE format('SELECT kanon_matching_bound(%L, %s, %s, priced => %L, ranges => false)', made.relation, made.k, made.argument, chance(0.8)) INTO bound;
    PERFORM breach(call, format('loss %s is less than the bound %s', lost, bound), lost < bound - 1e-9);
    INSERT INTO matching_loss SELECT made.number, labels, name, avg(loss) FROM unnest(losses) loss WHERE made.row_count >= made.k;
END $$;

CREATE FUNCTION check_matching(made test_case, name text, labels boolean) RETURNS void LANGUAGE plpgsql
SET enable_mergejoin = off SET jit = off AS $$
DECLARE
    columns text := (SELECT string_agg(quote_ident(a), ', ' ORDER BY at) FROM unnest(made.attributes) WITH ORDINALITY t (a, at));
    call text := format('%s(%s, %s', name, made.k, CASE WHEN labels THEN 'r, ' || made.argument ELSE format('ROW(%s)', columns) END);
    seed text := quote_literal(pick(1000000));
    rows int;
BEGIN
    DELETE FROM shown;
    PERFORM ask_matching(made, 1, call || ', randomize => false)', '', labels);
    SELECT count(*) INTO rows FROM shown WHERE attribute = 1;
    PERFORM breach(call, 'fewer than k rows have cells, or k have none', rows <> CASE WHEN made.row_count < made.k THEN 0 ELSE made.row_count END);
    PERFORM ask_matching(made, 2, call || format(', randomize => false)'), format('ORDER BY hashint4extended(id, %s)', pick(1000000)), labels);
    PERFORM ask_matching(made, 3, call || format(', seed => %s)', seed), 'ORDER BY id', labels);
    PERFORM ask_matching(made, 4, call || format(', seed => %s)', seed), 'ORDER BY id', labels);
    PERFORM ask_matching(made, 5, call || ')', '', labels);
    PERFORM ask_matching(made, 6, call || ')', 'PARTITION BY id % 3', labels);
    FOR asked IN 1 .. 6 LOOP
        PERFORM breach(call, 'cells of call ' || asked || ' do not cover the row beside them', uncovered(asked));
    END LOOP;
    PERFORM breach(call, 'the order of the rows matters', other_records(1, 2));
    PERFORM breach(call, 'the records hang on the assignment', other_records(1, 3) OR other_records(1, 5));
    PERFORM breach(call, 'one seed gives two answers', EXISTS (SELECT id, attribute, term FROM shown WHERE shown.number = 3 EXCEPT SELECT id, attribute, term FROM shown WHERE shown.number = 4));
    PERFORM breach(call, 'a record or row is not covered k times', covered_too_little(made, 1));
    PERFORM check_loss(made, call, name, labels);
    PERFORM breach(call, 'k = 1 hides something', CASE WHEN made.k = 1 THEN hides_something(made, labels) END);
END $$;

-- k = 1: a cell that stands for something else than the row's own value.
CREATE FUNCTION hides_something(made test_case, labels boolean) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    answer boolean := false;
    wrong boolean;
BEGIN
    FOR j IN 1 .. cardinality(made.attributes) LOOP
        EXECUTE format('SELECT bool_or(CASE WHEN p.%1$I IS DISTINCT FROM NULL THEN NOT EXISTS (SELECT FROM %2$s o WHERE o.%1$I = p.%1$I AND format(''%%s'', o.%1$I) COLLATE "C" = s.term)
                                       AND NOT (%4$L AND p.%1$I = (s.term)::%5$s) ELSE s.term <> ''<null>'' END)
                        FROM shown s JOIN %2$s p USING (id) WHERE s.number = 1 AND s.attribute = %3$s',
                       made.attributes[j], made.relation, j, labels AND made.dimensions[j] IS NOT NULL, made.types[j]) INTO wrong;
        answer := answer OR coalesce(wrong, false);
    END LOOP;
    RETURN answer;
END $$;

-- Digits: each hidden by itself covers the rest.
CREATE FUNCTION check_digits(made test_case, name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    digits int := 2 + pick(4);
    letters int := 1 + pick(4);
    k int := 1 + pick(4);
    few int;
BEGIN
    CREATE TABLE coded_people AS
    SELECT i AS id, CASE WHEN random() < 0.9 THEN (SELECT string_agg(chr(97 + pick(letters)), '' ORDER BY d) FROM generate_series(1, digits) d WHERE i > 0) END AS code
    FROM generate_series(1, k + pick(40)) i;
    IF NOT EXISTS (SELECT FROM coded_people WHERE code IS NOT NULL) THEN
        UPDATE coded_people SET code = repeat('a', digits);
    END IF;
    PERFORM kanon_create_dimension('code_digits', 'coded_people', 'code', 'digits');
    EXECUTE format('INSERT INTO digits_shown SELECT id, code, kanon_view_cell(c, ''code'', NULL::text) FROM (SELECT id, code, %s(%s, p) OVER () AS c FROM coded_people p) s', name, k);
    PERFORM breach(name, 'digits do not cover the row beside them', EXISTS (
        SELECT FROM digits_shown WHERE CASE WHEN shown IS NULL THEN code IS NOT NULL
            WHEN code IS NULL THEN shown <> repeat('*', digits) ELSE (code LIKE replace(shown, '*', '_')) IS NOT TRUE END));
    SELECT min(n) INTO few FROM (SELECT (SELECT count(*) FROM digits_shown r WHERE CASE WHEN s.shown IS NULL THEN r.code IS NULL
            WHEN r.code IS NULL THEN s.shown = repeat('*', digits) ELSE r.code LIKE replace(s.shown, '*', '_') END) AS n FROM digits_shown s) c;
    PERFORM breach(name, 'digits cover fewer than k rows', few < k);
    PERFORM breach(name, 'digits lose less than the bound', (
        SELECT avg(CASE WHEN shown IS NULL THEN 0 WHEN shown = repeat('*', digits) THEN 1 ELSE coalesce(((SELECT count(*) FROM code_digits d WHERE d.code LIKE replace(shown, '*', '_')) - 1) / nullif((SELECT count(*) FROM code_digits) - 1, 0)::float8, 0) END)
        FROM digits_shown) < kanon_matching_bound('coded_people', k, priced => chance(0.5)) - 1e-9);
    DROP TABLE coded_people, code_digits;
    DELETE FROM digits_shown;
END $$;

-- Of both over all cases; more than a few, or the one that searches longer may lose more.
CREATE FUNCTION matching_losses(OUT said text, OUT wrong boolean) LANGUAGE sql AS $$
    SELECT 'property: cell by cell, ring loses ' || string_agg(format('%s of the cells %s, two_phase %s', round(ring::numeric, 4), CASE WHEN labels THEN 'with labels' ELSE 'without labels' END, round(two_phase::numeric, 4)), '; ring ' ORDER BY labels),
        coalesce(bool_or(cases >= 50 AND two_phase > ring), false)
    FROM (SELECT labels, count(DISTINCT number) AS cases, avg(loss) FILTER (WHERE method = 'kanon_ring') AS ring, avg(loss) FILTER (WHERE method = 'kanon_two_phase') AS two_phase
          FROM matching_loss GROUP BY labels) m
$$;

-- Ranges: cells cover, k times, and lose no more than those of local recoding, whose classes are a
-- special case; a release loses what was foretold.
CREATE FUNCTION check_matching_ranges(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    name text;
    call text;
    said record;
    wrong bigint;
    bound float8;
    losses float8[];
BEGIN
    IF made.row_count < made.k THEN
        RETURN;
    END IF;
    EXECUTE format('SELECT array_agg(loss ORDER BY recoding) FROM kanon_compare(%L, ARRAY[%s], ''{local,ring,two_phase}'', quasi_identifiers => %s, options => ''{"ranges": true}'')',
        made.relation, made.k, made.argument) INTO losses;
    EXECUTE format('SELECT kanon_matching_bound(%L, %s, %s, priced => %L, ranges => true)', made.relation, made.k, made.argument, chance(0.8)) INTO bound;
    PERFORM breach('ranges', format('local loses %s, ring %s, two_phase %s', losses[1], losses[2], losses[3]), losses[2] > losses[1] + 1e-9 OR losses[3] > losses[2] + 1e-9);
    PERFORM breach('ranges', format('loss %s is less than the bound %s', losses[3], bound), losses[3] < bound - 1e-9);
    FOREACH name IN ARRAY ARRAY['ring', 'two_phase'] LOOP
        call := format('kanon_%s(%s, r, %s, ranges => true)', name, made.k, made.argument);
        EXECUTE format('CREATE TABLE released AS SELECT id AS "the row", %s FROM (SELECT id, %s OVER () AS c FROM %s r) s',
            (SELECT string_agg(format('kanon_view_cell(c, %L, NULL::%s) AS %1$I', made.attributes[j], cell_type(made.types[j], made.dimensions[j] IS NOT NULL)), ', ' ORDER BY j)
             FROM generate_series(1, cardinality(made.attributes)) j), call, made.relation);
        EXECUTE format('SELECT * FROM kanon_check_matchings(''released'', %s, %L, %s)', made.k, made.relation, made.argument) INTO said;
        PERFORM breach(call, 'kanon_check_matchings: ' || said, NOT said.satisfied);
        FOR j IN 1 .. cardinality(made.attributes) LOOP
            CONTINUE WHEN made.dimensions[j] IS NOT NULL OR range_over(made.types[j]) IS NULL;
            EXECUTE format($q$
                SELECT count(*) FROM released c JOIN %1$s p ON p.id = c."the row"
                WHERE CASE WHEN p.%2$I IS NULL THEN c.%2$I <> '(,)' ELSE (c.%2$I @> %3$s(p.%2$I, p.%2$I, '[]')) IS NOT TRUE
                    OR NOT EXISTS (SELECT FROM %1$s o WHERE c.%2$I = '(,)' OR lower(%3$s(o.%2$I, o.%2$I, '[]')) = lower(c.%2$I)) END
                $q$, made.relation, made.attributes[j], range_over(made.types[j])) INTO wrong;
            PERFORM breach(call, format('%s ranges of %s do not cover the row beside them, or begin at no value', wrong, made.attributes[j]), wrong > 0);
        END LOOP;
        DROP TABLE released;
        EXECUTE format('SELECT kanon_create_release(''released'', %L, %s, %L, quasi_identifiers => %s, options => ''{"ranges": true}'')', made.relation, made.k, name, made.argument);
        PERFORM breach(call, 'a release loses something else than was foretold: ' || loss, abs(loss - losses[CASE name WHEN 'ring' THEN 2 ELSE 3 END]) > 1e-9)
        FROM kanon_release WHERE release = 'released'::regclass;
        PERFORM kanon_drop_release('released');
    END LOOP;
END $$;

CREATE FUNCTION check_matching_case(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    name text;
    labels boolean;
BEGIN
    PERFORM fill_cells(made);
    FOREACH labels IN ARRAY ARRAY[false, true] LOOP
        PERFORM fill_terms(made, labels);
        FOREACH name IN ARRAY ARRAY['kanon_ring', 'kanon_two_phase'] LOOP
            PERFORM check_matching(made, name, labels);
        END LOOP;
    END LOOP;
    PERFORM check_matching_ranges(made);
    PERFORM check_digits(made, CASE WHEN chance(0.5) THEN 'kanon_ring' ELSE 'kanon_two_phase' END);
END $$;
