-- Releases of any kind against their original, and the bound of the loss.  The
-- oracle looks at all sets of released rows instead of looking for a flow; what
-- a cell covers it says from texts and ranges, value by value.
SET search_path = kanon_property;
SET check_function_bodies = off;

CREATE FUNCTION make_check_matchings_tables() RETURNS void LANGUAGE sql AS $$
    -- Which released row covers which row, and whether it can stand for it at all.
    CREATE TEMP TABLE link (record int, "row" int, possible boolean) ON COMMIT DELETE ROWS;
$$;

CREATE FUNCTION ones(x bigint) RETURNS int IMMUTABLE LANGUAGE sql AS $$ SELECT length(replace(x::bit(32)::text, '0', '')) $$;

-- The hierarchy of an attribute: FROM .. with the ground value as v and its labels.
CREATE FUNCTION labels_of(made test_case, j int) RETURNS text IMMUTABLE LANGUAGE sql AS $$
    SELECT format('(SELECT (d."Ground value")::%s AS v, d.* FROM %s d) d', made.types[j], made.dimensions[j])
$$;

-- Does a text r.t cover the row o of this attribute?  As SQL.
CREATE FUNCTION text_covers(made test_case, j int) RETURNS text LANGUAGE sql AS $$
    SELECT format('(r.t COLLATE "C" = ''*'' OR EXISTS (SELECT FROM few_%1$s a WHERE a.v = o.v AND r.t COLLATE "C" IN (format(''%%s'', a.v), a.v::text))'
        ' OR EXISTS (SELECT FROM few_%1$s a, few_%1$s b WHERE a.v <= o.v AND o.v <= b.v AND r.t COLLATE "C" IN (format(''[%%s - %%s]'', a.v, b.v), ''['' || a.v::text || '' - '' || b.v::text || '']'')))', j)
    || CASE WHEN made.types[j] LIKE '%any_case' THEN ' OR r.t COLLATE kanon_property.any_case = o.v' ELSE '' END
    || CASE WHEN made.dimensions[j] IS NULL THEN '' ELSE (
        SELECT format(' OR EXISTS (SELECT FROM %s WHERE d.v = o.v AND r.t COLLATE "C" IN (%s)) OR (SELECT count(DISTINCT x."Level %s"::text) = 1 AND min(format(''%%s'', x."Level %3$s")) = r.t COLLATE "C" FROM %s x)',
                      labels_of(made, j), string_agg(format('format(''%%s'', d."Level %s"), d."Level %1$s"::text', level), ', '), made.heights[j], made.dimensions[j])
        FROM generate_series(1, made.heights[j]) level) END
$$;

-- One way to write the cells of an attribute: the cell for row o, and whether cell r covers row o.
CREATE TYPE writing AS (type text, cell text, covers text);

CREATE FUNCTION random_writing(made test_case, j int) RETURNS writing VOLATILE LANGUAGE plpgsql AS $$
DECLARE
    type text := made.types[j];
    range text := range_over(type);
    plain text := replace(type, 'kanon_property.small_number', 'int');
    hidden text := format('random() < %s', (ARRAY[0, 0.2, 0.5])[1 + pick(3)]);
    length int;
    label text := 'NULL';
BEGIN
    EXECUTE format('SELECT CASE WHEN count(DISTINCT length(format(''%%s'', v))) = 1 THEN max(length(format(''%%s'', v))) END FROM few_%s', j) INTO length;
    IF range IS NOT NULL AND chance(0.4) THEN
        RETURN ROW(range, format('CASE WHEN %1$s THEN CASE WHEN chance(0.5) THEN ''(,)''::%2$s END ELSE (SELECT %2$s(least(o.v, x.v)::%3$s, greatest(o.v, x.v)::%3$s, (ARRAY[''[]'', ''[]'', ''[)'', ''(]''])[CASE WHEN (o.v = x.v) IS NOT FALSE THEN 1 ELSE 1 + pick(4) END]) FROM few_%4$s x WHERE x.v IS NOT NULL ORDER BY random() + o.id * 0 LIMIT 1) END',
                                 hidden, range, plain, j),
                   format('(r.c @> o.v::%s OR (lower_inf(r.c) AND upper_inf(r.c)))', plain))::writing;
    ELSIF length IS NOT NULL AND made.dimensions[j] IS NULL AND type IN ('int', 'date', 'uuid', 'varchar(20)', 'bigint') AND chance(0.7) THEN
        RETURN ROW('text', format('CASE WHEN %s THEN ''*'' ELSE (SELECT string_agg(CASE WHEN random() < 0.3 + o.id * 0 THEN ''*'' ELSE substr(format(''%%s'', o.v), i, 1) END, '''' ORDER BY i) FROM generate_series(1, %s) i) END', hidden, length),
                   format('(r.t ~ ''^[*]+$'' OR (SELECT bool_and(substr(r.t, i, 1) IN (''*'', substr(format(''%%s'', o.v), i, 1))) FROM generate_series(1, %s) i))', length))::writing;
    ELSIF type !~ 'text|char' AND chance(0.3) THEN
        RETURN ROW(type, format('CASE WHEN %s THEN NULL ELSE o.v END', hidden), text_covers(made, j) || ' OR r.c = o.v')::writing;
    END IF;
    IF made.dimensions[j] IS NOT NULL THEN
        label := format('(SELECT (ARRAY[%s])[1 + pick(%s) + o.id * 0] FROM %s WHERE d.v = o.v)',
                        (SELECT string_agg(format('format(''%%s'', d."Level %s")', level), ', ') FROM generate_series(1, made.heights[j]) level), made.heights[j], labels_of(made, j));
    END IF;
    RETURN ROW('text COLLATE "C"', format('CASE WHEN %s THEN CASE WHEN chance(0.5) THEN ''*'' END WHEN o.v IS NOT DISTINCT FROM NULL THEN ''*'' WHEN chance(0.3) THEN format(''%%s'', o.v) WHEN chance(0.5) THEN coalesce(%s, format(''%%s'', o.v))'
                             ' ELSE (SELECT CASE WHEN o.v <= x.v THEN format(''[%%s - %%s]'', o.v, x.v) ELSE format(''[%%s - %%s]'', x.v, o.v) END FROM few_%s x WHERE x.v IS DISTINCT FROM NULL ORDER BY random() + o.id * 0 LIMIT 1) END', hidden, label, j),
               text_covers(made, j))::writing;
END $$;

-- Some rows as a table of their own, "few", and a release of them, "loose"; links.
CREATE FUNCTION make_loose(made test_case) RETURNS void VOLATILE LANGUAGE plpgsql AS $$
DECLARE
    attributes int := cardinality(made.attributes);
    hows writing[];
    more int := CASE WHEN chance(0.6) THEN 0 ELSE pick(5) - 3 END;
BEGIN
    EXECUTE format('CREATE TABLE few AS SELECT (row_number() OVER ())::int - 1 AS id, %s FROM (SELECT * FROM %s ORDER BY random() LIMIT %s) p',
                   (SELECT string_agg(quote_ident(name), ', ') FROM unnest(made.attributes) name), made.relation, 1 + pick(6));
    FOR j IN 1 .. attributes LOOP
        PERFORM kanon_set_attribute('few', made.attributes[j], 'quasi_identifier', made.dimensions[j]);
        EXECUTE format('CREATE VIEW few_%s AS SELECT id, %I AS v FROM few', j, made.attributes[j]);
        hows[j] := random_writing(made, j);
    END LOOP;
    -- A record is made of the row of its number, now and then of any.
    EXECUTE format('CREATE TABLE made_of AS SELECT n AS record, CASE WHEN n < f.rows AND chance(0.9) THEN n ELSE pick(f.rows) END AS "row" FROM (SELECT count(*)::int AS rows FROM few) f, generate_series(0, f.rows - 1 + %s) n', more);
    EXECUTE format('CREATE TABLE loose AS SELECT m.record%s FROM made_of m%s ORDER BY random()',
        (SELECT string_agg(format(', (%s)::%s AS %I', replace((hows[j]).cell, 'o.', 'o' || j || '.'), (hows[j]).type, made.attributes[j]), '') FROM generate_series(1, attributes) j),
        (SELECT string_agg(format(' JOIN few_%s o%1$s ON o%1$s.id = m."row"', j), '') FROM generate_series(1, attributes) j));
    EXECUTE format('INSERT INTO link SELECT l.record, f.id FROM loose l, few f WHERE %s',
        (SELECT string_agg(format('(SELECT r.c IS NOT DISTINCT FROM NULL OR coalesce((%s), false) FROM few_%s o, (SELECT l.%I AS c, format(''%%s'', l.%3$I) COLLATE "C" AS t) r WHERE o.id = f.id)',
                                  (hows[j]).covers, j, made.attributes[j]), ' AND ') FROM generate_series(1, attributes) j));
END $$;

-- The most that can flow: the least cut, over all sets of records.
CREATE FUNCTION most_flow(records int, k int) RETURNS bigint STABLE LANGUAGE sql AS $$
    SELECT min((SELECT coalesce(sum(least(d, k)), 0) FROM (SELECT count(*) AS d FROM link WHERE x & (1 << record) > 0 GROUP BY "row") y) + k::bigint * (records - ones(x)))::bigint
    FROM generate_series(0, (1 << records) - 1) x
$$;

-- A link is possible if the other records can have the other rows (Hall).
CREATE FUNCTION mark_possible(records int) RETURNS void LANGUAGE sql AS $$
    UPDATE link l SET possible = NOT EXISTS (
        SELECT FROM generate_series(0, (1 << records) - 1) x
        WHERE x & (1 << l.record) = 0 AND (SELECT count(DISTINCT "row") FROM link m WHERE x & (1 << m.record) > 0 AND m."row" <> l."row") < ones(x))
$$;

-- Is the row that is named one of those with the fewest possible links, at either end?
CREATE FUNCTION wrong_person(made test_case, k int, records int, rows int, singled_out text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    least bigint;
    named int[];
BEGIN
    IF most_flow(records, 1) < records THEN
        RETURN CASE WHEN singled_out IS NOT NULL THEN 'nobody can be singled out' END;
    END IF;
    PERFORM mark_possible(records);
    EXECUTE format('SELECT array_agg(id) FROM few WHERE ARRAY[%s] IS NOT DISTINCT FROM $1', (SELECT string_agg(format('%I::text', name), ', ') FROM unnest(made.attributes) name)) INTO named USING singled_out;
    IF named IS NULL AND NOT made.types && '{numeric,float8,interval,text COLLATE kanon_property.any_case}' THEN
        RETURN 'there is no such row';
    END IF;
    SELECT min(n) INTO least FROM (
        SELECT count(*) AS n FROM link WHERE possible GROUP BY record
        UNION ALL SELECT count(*) FROM link WHERE possible AND rows = records GROUP BY "row" HAVING rows = records) l;
    IF named IS NULL OR EXISTS (
        SELECT FROM link l WHERE possible AND l."row" = ANY (named) AND (least >= k
            OR (SELECT count(*) FROM link m WHERE m.possible AND m.record = l.record) = least
            OR (rows = records AND (SELECT count(*) FROM link m WHERE m.possible AND m."row" = l."row") = least))) THEN
        RETURN NULL;
    END IF;
    RETURN 'others have fewer links';
END $$;

CREATE FUNCTION check_loose(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    k int := 1 + pick(4);
    records int;
    rows int;
    said record;
    flow bigint;
    wrong text;
BEGIN
    PERFORM make_loose(made);
    records := (SELECT count(*) FROM loose);
    rows := (SELECT count(*) FROM few);
    SELECT * INTO said FROM kanon_check_matchings('loose', k, 'few', made.attributes);
    flow := CASE WHEN records <= rows THEN most_flow(records, k) END;
    IF said.rows <> rows OR said.released <> records OR said.needed <> k * records OR said.flow IS DISTINCT FROM flow
       OR said.satisfied IS DISTINCT FROM coalesce(flow = k * records, false) THEN
        wrong := format('flow %s', flow);
    ELSIF flow < k * records THEN
        wrong := wrong_person(made, k, records, rows, said.singled_out);
    ELSIF said.singled_out IS NOT NULL THEN
        wrong := 'everybody is safe';
    END IF;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'k %: %, but %', k, said, wrong USING DETAIL = dump_table('few') || dump_table('loose') || (SELECT string_agg(l::text, ' ') FROM link l);
    END IF;
END $$;

-- Do cells of columns without dimension say less than Mondrian knows?  Values that have no place
-- between others it ranks, but a range does not tell how; where * is a value of texts, it is read as one.
CREATE FUNCTION has_ambiguous_cells(made test_case) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    answer boolean;
BEGIN
    EXECUTE format('SELECT coalesce(bool_or(%s), false) FROM %s',
        (SELECT string_agg(CASE WHEN made.dimensions[j] IS NOT NULL THEN 'false'
                               ELSE format(CASE WHEN range_over(made.types[j]) IS NULL THEN '%I::text = ''*''' ELSE '%I::text ~* ''nan|inf''' END, made.attributes[j]) END, ' OR ') FROM generate_series(1, cardinality(made.attributes)) j), made.relation)
        INTO answer;
    RETURN answer;
END $$;

-- One measure: what the release "released" lost is the same as made, as measured from its cells, and,
-- by levels, by hand; no less than the bound where cells are values, labels and *.
CREATE FUNCTION check_release_loss(made test_case, recoding text, chosen int[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    as_made float8 := (SELECT loss FROM kanon_release WHERE release = 'released'::regclass);
    read record;
    bound float8;
    by_hand float8 := (SELECT sum(share * loss) FROM unnest(shares(made), chosen) WITH ORDINALITY t (share, level, j), LATERAL (SELECT avg(c.loss) AS loss FROM cell c WHERE c.attribute = j AND c.level = t.level) l);
BEGIN
    SELECT * INTO read FROM kanon_quality('released', made.relation);
    EXECUTE format('SELECT kanon_matching_bound(%L, %s, %s, ranges => false)', made.relation, made.k, made.argument) INTO bound;
    PERFORM breach(recoding, format('the loss is %s as made, %s as read, %s by hand, the bound %s', as_made, read.loss, by_hand, bound),
        abs(as_made - by_hand) > 1e-9
        OR read.suppressed = 0 AND NOT has_ambiguous_cells(made) AND (chosen IS NOT NULL OR NOT has_ambiguous_labels(made)) AND abs(as_made - read.loss) > 1e-9
        OR read.suppressed = 0 AND (chosen IS NOT NULL OR array_position(made.dimensions, NULL) IS NULL) AND as_made < bound - 1e-9);
END $$;

-- What kanon makes satisfies.
CREATE FUNCTION check_made(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    recoding text := (ARRAY['mondrian', 'relaxed_mondrian', 'full_domain'])[1 + pick(3)];
    chosen int[];
    said record;
BEGIN
    IF made.row_count < made.k THEN
        RETURN;
    ELSIF recoding = 'full_domain' THEN
        EXECUTE format('SELECT levels FROM kanon_incognito(%L, %s, %s, suppression => %s) ORDER BY random() LIMIT 1', made.relation, made.k, made.argument, made.suppression) INTO chosen;
        IF chosen IS NULL THEN
            RETURN;
        END IF;
    END IF;
    EXECUTE format('SELECT kanon_create_release(''released'', %L, %s, %L, options => jsonb_build_object(''levels'', %L::int[]), quasi_identifiers => %s, suppression => %s)', made.relation, made.k, recoding, chosen, made.argument, CASE WHEN chosen IS NULL THEN 0 ELSE made.suppression END);
    EXECUTE format('SELECT * FROM kanon_check_matchings(''released'', %s, %L, %s)', made.k, made.relation, made.argument) INTO said;
    PERFORM breach(recoding || coalesce(' ' || chosen::text, ''), said::text, NOT said.satisfied OR said.released <> (SELECT count(*) FROM released));
    PERFORM check_release_loss(made, recoding || coalesce(' ' || chosen::text, ''), chosen);
    PERFORM kanon_drop_release('released');
END $$;

-- .. and so do rows generalized one by one; seeds leave nothing to chance.
CREATE FUNCTION check_one_by_one(made test_case, method text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    said record;
BEGIN
    EXECUTE format('CREATE TABLE released AS SELECT %s FROM (SELECT %s(%s, r, %s, seed => ''x'') OVER () AS c FROM %s r) s WHERE c IS DISTINCT FROM NULL',
        (SELECT string_agg(format('kanon_view_cell(c, %L, NULL::%s) AS %I', made.attributes[j], CASE WHEN made.dimensions[j] IS NULL THEN plain_type(made.types[j]) ELSE 'text' END, made.attributes[j]), ', ' ORDER BY j) FROM generate_series(1, cardinality(made.attributes)) j),
        method, made.k, made.argument, made.relation);
    EXECUTE format('SELECT * FROM kanon_check_matchings(''released'', %s, %L, %s)', made.k, made.relation, made.argument) INTO said;
    PERFORM breach(method, said::text, NOT said.satisfied OR said.released <> CASE WHEN made.row_count < made.k THEN 0 ELSE made.row_count END);
    DROP TABLE released;
END $$;

-- Weights of the attributes, 1 together.
CREATE FUNCTION shares(made test_case) RETURNS float8[] IMMUTABLE LANGUAGE sql AS $$
    SELECT array_agg(coalesce(w / nullif((SELECT sum(x) FROM unnest(made.weights) x), 0), 0) ORDER BY n) FROM unnest(made.weights) WITH ORDINALITY t (w, n)
$$;

-- For each row the least loss over all levels at which it is one of k, on the average.
CREATE FUNCTION least_loss(made test_case, k int) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    attributes int := cardinality(made.attributes);
    least float8;
BEGIN
    EXECUTE format('SELECT avg(least) FROM (SELECT id, min(loss) AS least FROM (SELECT id, loss, count(*) OVER (PARTITION BY levels, codes) AS size FROM (SELECT id, ARRAY[%s] AS levels, ARRAY[%s] AS codes, %s AS loss FROM %s) a) b WHERE size >= %s GROUP BY id) c',
        (SELECT string_agg(format('c%s.level', j), ', ') FROM generate_series(1, attributes) j),
        (SELECT string_agg(format('c%s.code', j), ', ') FROM generate_series(1, attributes) j),
        (SELECT string_agg(format('%s * c%s.loss', share, j), ' + ') FROM unnest(shares(made)) WITH ORDINALITY t (share, j)),
        (SELECT string_agg(format('(SELECT * FROM cell WHERE attribute = %s AND level >= 0) c%1$s%s', j, CASE WHEN j > 1 THEN ' USING (id)' ELSE '' END), ' JOIN ' ORDER BY j) FROM generate_series(1, attributes) j), k)
        INTO least;
    RETURN least;
END $$;

-- For k = 2 and few rows the best there is: each record covers its own row and another,
-- by a permutation without fixed points.
CREATE FUNCTION best_pairs(made test_case) RETURNS float8 LANGUAGE sql AS $$
    WITH RECURSIVE person AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM (SELECT DISTINCT id FROM cell) i),
    pair AS (
        SELECT a.id AS one, b.id AS other, sum(share * loss) AS loss
        FROM person a, person b, unnest(shares(made)) WITH ORDINALITY t (share, j), LATERAL (
            SELECT min(x.loss) AS loss FROM cell x JOIN cell y USING (attribute, level, code) WHERE x.id = a.id AND y.id = b.id AND attribute = j AND level >= 0) l
        WHERE a.id <> b.id GROUP BY a.id, b.id),
    deal AS (
        SELECT 0::bigint AS n, '{}'::int[] AS taken, 0::float8 AS loss
        UNION ALL SELECT d.n + 1, d.taken || p.other, d.loss + p.loss FROM deal d JOIN person a ON a.n = d.n + 1 JOIN pair p ON p.one = a.id WHERE p.other <> ALL (d.taken))
    SELECT min(loss) / nullif(max(n), 0) FROM deal WHERE n = (SELECT count(*) FROM person)
$$;

CREATE FUNCTION check_bound(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    k int := CASE WHEN made.row_count <= 6 AND chance(0.7) THEN 2 ELSE made.k END;
    bound float8;
    priced float8;
    least float8;
BEGIN
    PERFORM fill_cells(made);
    -- Above labels that are not one, everything can be hidden.
    FOR j IN 1 .. cardinality(made.attributes) LOOP
        IF made.dimensions[j] IS NOT NULL THEN
            EXECUTE format('INSERT INTO cell SELECT %1$s, %2$s, id, 0, ((SELECT count(*) FROM %3$s) + (SELECT bool_or(%4$I IS NOT DISTINCT FROM NULL)::int FROM %5$s) > 1)::int FROM %5$s', j, made.heights[j] + 1, made.dimensions[j], made.attributes[j], made.relation);
        END IF;
    END LOOP;
    EXECUTE format('SELECT kanon_matching_bound(%1$L, %2$s, %3$s, ranges => false), kanon_matching_bound(%1$L, %2$s, %3$s, priced => true, ranges => false)', made.relation, k, made.argument) INTO bound, priced;
    least := least_loss(made, k);
    IF (bound IS NULL) <> (least IS NULL) OR abs(bound - least) > 1e-9 OR (bound IS NULL) <> (priced IS NULL) OR priced < bound OR (k = 2 AND made.row_count <= 6 AND priced > best_pairs(made) + 1e-9) THEN
        RAISE EXCEPTION 'k %: bound %, not %, priced %, best %', k, bound, least, priced, CASE WHEN made.row_count <= 6 THEN best_pairs(made) END;
    END IF;
END $$;

CREATE FUNCTION check_matchings_case(made test_case) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM check_bound(made);
    PERFORM check_loose(made);
    PERFORM check_made(made);
    PERFORM check_one_by_one(made, (ARRAY['kanon_ring', 'kanon_two_phase'])[1 + pick(2)]);
END $$;
