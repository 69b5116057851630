-- A release of the case made by hand, and what kanon_quality says of it.  The
-- oracle goes row by row, from what the cells were made of, not from the cells.
SET search_path = kanon_property;
SET check_function_bodies = off;

-- How one attribute is released, and SQL over a row c of "coded", which has the
-- value as v<at> and the class's least and greatest as lo<at>, hi<at>.  The
-- values of the dimension, or else of the source, are in domain<at>.
CREATE TYPE recoded AS (cell text, loss text, members text);

-- Nothing is lost where the domain has one value, unless what is shown hides NULL as well.
CREATE FUNCTION lost(part text, whole text) RETURNS text IMMUTABLE LANGUAGE sql AS
$$ SELECT format('least(1, coalesce((%s)::float8 / nullif((%s)::float8, 0), 0))', part, whole) $$;

-- members: FROM .. WHERE .., the values d.v that the cell stands for; NULL for a range.
CREATE FUNCTION random_recoding(made test_case, at int) RETURNS recoded VOLATILE LANGUAGE plpgsql AS $$
DECLARE
    type text := made.types[at];
    range text := range_over(type);
    dimension regclass := made.dimensions[at];
    size text := format('((SELECT count(*) FROM domain%s) - 1)', at);
    members text;
    label text;
    plain text := replace(type, 'kanon_property.small_number', 'int');
    hidden text := format('CASE WHEN (SELECT count(*) FROM domain%s) + EXISTS (SELECT FROM %s s WHERE s.%I IS NOT DISTINCT FROM NULL)::int > 1 THEN 1 ELSE 0 END', at, made.relation, made.attributes[at]);
    -- The value * may be all values just as well, and is taken for what loses most.
    star text := format('format(''%%s'', c.v%s) = ''*''', at);
    is_text boolean := (SELECT typcategory = 'S' FROM pg_type WHERE oid = regexp_replace(type, ' COLLATE.*', '')::regtype);
    level int;
BEGIN
    IF range IS NOT NULL AND chance(0.5) THEN
        RETURN ROW(format('CASE WHEN lo%1$s IS NOT NULL THEN %2$s(lo%1$s::%3$s, hi%1$s::%3$s, ''[]'') END', at, range, plain),
                   lost(format('CASE WHEN c.lo%1$s::%2$s = end_of(c.hi%1$s::%2$s, c.lo%1$s::%2$s, (SELECT greatest FROM extent%1$s)) THEN 0 ELSE place(end_of(c.hi%1$s::%2$s, c.lo%1$s::%2$s, (SELECT greatest FROM extent%1$s))) - place(c.lo%1$s::%2$s) END', at, plain),
                        format('(SELECT place(greatest) - place(least) FROM extent%s)', at)), NULL)::recoded;
    ELSIF dimension IS NOT NULL AND chance(0.6) AND NOT has_ambiguous_labels(made) THEN
        level := 1 + pick(made.heights[at]);
        label := format('%I', 'Level ' || level);
        members := format('FROM domain%1$s d WHERE d.%2$s = (SELECT x.%2$s FROM domain%1$s x WHERE x.v = c.v%1$s)', at, label);
        RETURN ROW(format('(SELECT x.%2$s FROM domain%1$s x WHERE x.v = v%1$s)', at, label),
                   CASE WHEN level = made.heights[at] THEN format('CASE WHEN %s = 0 THEN %s ELSE ', size, hidden) ELSE '' END
                   || lost(format('(SELECT count(*) %s) - 1', members), size) || CASE WHEN level = made.heights[at] THEN ' END' ELSE '' END, members)::recoded;
    ELSIF is_shadowed(made, at) THEN
        RETURN ROW('''*''::text', hidden, format('FROM domain%s d', at))::recoded;
    ELSIF chance(0.7) THEN
        members := format('FROM domain%1$s d WHERE d.v >= c.lo%1$s AND d.v <= c.hi%1$s OR c.lo%1$s = c.hi%1$s AND %2$s', at, star);
        RETURN ROW(format('CASE WHEN lo%1$s = hi%1$s THEN format(''%%s'', lo%1$s) WHEN lo%1$s IS DISTINCT FROM NULL THEN format(''[%%s - %%s]'', lo%1$s, hi%1$s) END', at),
                   format('CASE WHEN c.lo%1$s = c.hi%1$s AND %2$s THEN %3$s ELSE %4$s END', at, star, hidden, lost(format('(SELECT count(*) %s) - 1', members), size)), members)::recoded;
    ELSIF type <> 'text' AND dimension IS NULL AND chance(0.5) THEN
        members := format('FROM domain%s d', at);
        RETURN ROW('''*''::text', hidden, members)::recoded;
    END IF;
    IF NOT is_text THEN
        star := 'false';
    END IF;
    RETURN ROW(format('v%s', at), format('CASE WHEN %s THEN %s ELSE 0 END', star, hidden),
               format('FROM domain%1$s d WHERE d.v = c.v%1$s OR %2$s', at, star))::recoded;
END $$;

-- Is the text of a value also that of a label?
CREATE FUNCTION is_shadowed(made test_case, at int) RETURNS boolean STABLE LANGUAGE plpgsql AS $$
DECLARE
    shadowed boolean := false;
BEGIN
    IF made.dimensions[at] IS NOT NULL THEN
        EXECUTE format('SELECT EXISTS (SELECT FROM domain%1$s d, domain%1$s l, jsonb_each_text(to_jsonb(l) - ''v'' - ''Ground value'') x WHERE rtrim(x.value) = rtrim(format(''%%s'', d.v)) AND x.value <> ''*'')', at) INTO shadowed;
    END IF;
    RETURN shadowed;
END $$;

-- Ends of ranges as numbers, and the end that stands in for one that is not finite.
CREATE FUNCTION place(v anyelement) RETURNS numeric IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
    IF pg_typeof(v) IN ('date'::regtype, 'timestamptz'::regtype) THEN
        RETURN extract(epoch FROM v::text::timestamptz AT TIME ZONE current_setting('TimeZone')) / CASE WHEN pg_typeof(v) = 'date'::regtype THEN 86400 ELSE 1 END;
    END IF;
    RETURN v::text::numeric;
END $$;
CREATE FUNCTION end_of(hi anycompatible, lo anycompatible, last anycompatible) RETURNS anycompatible IMMUTABLE LANGUAGE sql AS
$$ SELECT CASE WHEN hi = lo OR hi::text NOT IN ('NaN', 'infinity', 'Infinity') THEN hi ELSE greatest(last, lo) END $$;

-- One comparison: its text in a predicate, the same as SQL with VALUE for the
-- column, and what it leaves of a range, as SQL.
CREATE TYPE comparison AS (at int, written text, condition text, kind text, operand text);

CREATE FUNCTION random_comparison(made test_case) RETURNS comparison VOLATILE LANGUAGE plpgsql AS $$
DECLARE
    at int := 1 + pick(cardinality(made.attributes));
    op text := (ARRAY['=', '<', '<=', '>', '>=', 'IN', 'BETWEEN', 'IS NULL', 'IS NOT NULL'])[1 + pick(CASE WHEN chance(0.2) THEN 9 ELSE 7 END)];
    type text := made.types[at];
    cast_to text := regexp_replace(replace(type, 'kanon_property.small_number', 'int'), ' COLLATE.*', '');
    texts text[];
    constants text[];
BEGIN
    EXECUTE format('SELECT array_agg(format(''%%s'', v)) FROM (SELECT v FROM domain%s ORDER BY random() LIMIT 2) d', at) INTO texts;
    IF texts IS NULL OR op LIKE 'IS %' THEN
        op := CASE WHEN op LIKE 'IS %' THEN op ELSE 'IS NULL' END;
        RETURN ROW(at, format('%I %s', made.attributes[at], op), CASE op WHEN 'IS NULL' THEN 'VALUE IS NOT DISTINCT FROM NULL' ELSE 'VALUE IS DISTINCT FROM NULL' END, op, NULL)::comparison;
    END IF;
    texts[2] := coalesce(texts[2], texts[1]);
    IF type IN ('int', 'kanon_property.small_number') AND chance(0.5) THEN
        texts := ARRAY(SELECT (t::numeric + (pick(5) - 2) / 2.0)::text FROM unnest(texts) t);
        constants := texts;
    ELSE
        constants := ARRAY(SELECT format('%L::%s', t, cast_to) FROM unnest(texts) t);
        texts := ARRAY(SELECT quote_literal(t) FROM unnest(texts) t);
    END IF;
    RETURN CASE op
        WHEN 'IN' THEN ROW(at, format('%I IN (%s)', made.attributes[at], array_to_string(texts, ', ')), format('(VALUE = %s OR VALUE = %s)', constants[1], constants[2]), 'points', array_to_string(constants, ', '))::comparison
        WHEN 'BETWEEN' THEN ROW(at, format('%I BETWEEN %s AND %s', made.attributes[at], texts[1], texts[2]), format('VALUE BETWEEN %s AND %s', constants[1], constants[2]), 'range', format('CASE WHEN %1$s <= %2$s THEN RANGE(%1$s, %2$s, ''[]'') ELSE ''empty'' END', constants[1], constants[2]))::comparison
        WHEN '=' THEN ROW(at, format('%I = %s', made.attributes[at], texts[1]), format('VALUE = %s', constants[1]), 'points', constants[1])::comparison
        ELSE ROW(at, CASE WHEN chance(0.5) THEN format('%I %s %s', made.attributes[at], op, texts[1]) ELSE format('%s %s %I', texts[1], translate(op, '<>', '><'), made.attributes[at]) END,
                 format('VALUE %s %s', op, constants[1]), 'range',
                 CASE op WHEN '<' THEN format('RANGE(NULL, %s, ''()'')', constants[1]) WHEN '<=' THEN format('RANGE(NULL, %s, ''(]'')', constants[1])
                         WHEN '>' THEN format('RANGE(%s, NULL, ''()'')', constants[1]) ELSE format('RANGE(%s, NULL, ''[)'')', constants[1]) END)::comparison
    END;
END $$;

-- SQL over c: the share of the attribute's cell that comparisons of it cover.
CREATE FUNCTION covered(made test_case, at int, how recoded, asked comparison[]) RETURNS text STABLE LANGUAGE plpgsql AS $$
DECLARE
    type text := made.types[at];
    plain text := replace(type, 'kanon_property.small_number', 'int');
    range text := range_over(type);
    condition text := (SELECT string_agg(a.condition, ' AND ') FROM unnest(asked) a WHERE a.at = covered.at);
    points text := (SELECT a.operand FROM unnest(asked) a WHERE a.at = covered.at AND kind = 'points' LIMIT 1);
    ranges text := (SELECT string_agg(replace(a.operand, 'RANGE', range_over(type)), ' * ') FROM unnest(asked) a WHERE a.at = covered.at AND kind = 'range');
    null_share text;
    share text;
    cell text;
BEGIN
    IF condition IS NULL THEN
        RETURN '1';
    END IF;
    null_share := CASE WHEN (SELECT bool_and(kind = 'IS NULL') FROM unnest(asked) a WHERE a.at = covered.at) THEN '1' ELSE '0' END;
    IF how.members IS NOT NULL THEN
        share := format('(SELECT (count(*) FILTER (WHERE %s))::float8 / count(*) %s)', replace(condition, 'VALUE', 'd.v'), how.members);
        IF how.cell = '''*''::text' THEN
            RETURN format('coalesce((SELECT (count(*) FILTER (WHERE %s))::float8 / nullif(count(*), 0) %s), 0)', replace(condition, 'VALUE', 'd.v'), how.members);
        END IF;
    ELSE
        cell := format('%1$s(c.lo%2$s::%3$s, end_of(c.hi%2$s::%3$s, c.lo%2$s::%3$s, (SELECT greatest FROM extent%2$s)), ''[]'')', range, at, plain);
        IF plain = 'int' THEN
            share := format('(SELECT (count(*) FILTER (WHERE %s))::float8 / count(*) FROM generate_series(c.lo%2$s::int, c.hi%2$s::int) x)', replace(condition, 'VALUE', 'x'), at);
        ELSIF (SELECT bool_or(kind = 'IS NULL') FROM unnest(asked) a WHERE a.at = covered.at) THEN
            share := '0';
        ELSIF points IS NOT NULL THEN
            share := CASE WHEN plain IN ('bigint', 'date') THEN format('(SELECT count(DISTINCT x) FILTER (WHERE x <@ %s AND %s) FROM unnest(ARRAY[%s]) x)', cell, replace(condition, 'VALUE', 'x'), points) ELSE '0' END
                     || format(' / length_of(%s)', cell);
        ELSE
            share := format('length_of(%s%s) / length_of(%s)', cell, ' * ' || ranges, cell);
            share := coalesce(share, '1');
        END IF;
        share := format('CASE WHEN c.lo%1$s = end_of(c.hi%1$s::%4$s, c.lo%1$s::%4$s, (SELECT greatest FROM extent%1$s)) THEN (%2$s)::int ELSE %3$s END', at, replace(condition, 'VALUE', format('c.lo%s', at)), share, plain);
    END IF;
    RETURN format('CASE WHEN c.v%s IS NOT DISTINCT FROM NULL THEN %s ELSE %s END', at, null_share, share);
END $$;

-- Numbers or days in a range, or its length.
CREATE FUNCTION length_of(r anyrange) RETURNS float8 IMMUTABLE LANGUAGE sql AS
$$ SELECT CASE WHEN isempty(r) THEN 0 ELSE (place(upper(r)) - place(lower(r)))::float8 END $$;

CREATE FUNCTION check_quality(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    attributes int := cardinality(made.attributes);
    hows recoded[];
    asked comparison[];
    groups int := 1 + pick(8);
    predicates text[] := '{}';
    estimates text := '';
    weights float8[];
    loss text;
    expected record;
    wrong text;
    said record;
BEGIN
    EXECUTE format('CREATE TABLE coded AS SELECT * FROM (SELECT id, %s FROM (SELECT *, id * 7919 %% %s AS g FROM %s) p) c WHERE id %% 7 > 0',
        (SELECT string_agg(format('%1$I AS v%2$s, first_value(%1$I) OVER (PARTITION BY g, %1$I IS NOT DISTINCT FROM NULL ORDER BY %1$I) AS lo%2$s, first_value(%1$I) OVER (PARTITION BY g, %1$I IS NOT DISTINCT FROM NULL ORDER BY %1$I DESC) AS hi%2$s', made.attributes[j], j), ', ')
         FROM generate_series(1, attributes) j), groups, made.relation);
    FOR j IN 1 .. attributes LOOP
        EXECUTE CASE WHEN made.dimensions[j] IS NULL
            THEN format('CREATE TABLE domain%s AS SELECT DISTINCT %I AS v FROM %s WHERE %2$I IS DISTINCT FROM NULL', j, made.attributes[j], made.relation)
            ELSE format('CREATE TABLE domain%s AS SELECT "Ground value"::%s AS v, * FROM %s', j, made.types[j], made.dimensions[j]) END;
        IF range_over(made.types[j]) IS NOT NULL THEN
            EXECUTE format('CREATE TABLE extent%1$s AS SELECT min(%2$I)::%4$s AS least, max(%2$I)::%4$s AS greatest FROM %3$s WHERE %2$I::text NOT IN (''NaN'', ''infinity'')',
                           j, made.attributes[j], made.relation, replace(made.types[j], 'kanon_property.small_number', 'int'));
        END IF;
        hows[j] := random_recoding(made, j);
    END LOOP;
    EXECUTE format('CREATE TABLE released AS SELECT %s FROM coded',
                   (SELECT string_agg(format('%s AS %I', (hows[j]).cell, made.attributes[j]), ', ') FROM generate_series(1, attributes) j));
    FOR i IN 1 .. 1 + pick(6) LOOP
        asked := ARRAY(SELECT random_comparison(made) FROM generate_series(1, 1 + pick(3)));
        predicates := predicates || (SELECT string_agg(CASE WHEN chance(0.2) THEN '(' || written || ')' ELSE written END, ' AND ') FROM unnest(asked));
        estimates := estimates || format(', ROW((SELECT count(*) FROM %s p WHERE %s), (SELECT coalesce(sum(%s), 0) FROM coded c))::kanon_property.query_answer', made.relation,
            (SELECT string_agg(replace(a.condition, 'VALUE', format('p.%I', made.attributes[a.at])), ' AND ') FROM unnest(asked) a),
            (SELECT string_agg(covered(made, j, hows[j], asked), ' * ') FROM generate_series(1, attributes) j));
    END LOOP;
    weights := ARRAY(SELECT weight FROM unnest(made.attributes) WITH ORDINALITY q (name, n) JOIN kanon_attribute a ON a.relation = made.relation AND a.attribute = q.name ORDER BY n);
    loss := (SELECT string_agg(format('%s * CASE WHEN c.v%s IS NOT DISTINCT FROM NULL AND %s THEN 0 ELSE %s END', weights[j], j, ((hows[j]).cell <> '''*''::text')::text, (hows[j]).loss), ' + ') FROM generate_series(1, attributes) j);
    EXECUTE format('SELECT (SELECT avg(%s) FROM coded c) / nullif(%s, 0)::float8 AS loss, (SELECT count(*) FROM coded) AS rows, (SELECT count(*) FROM %s) AS all_rows', loss, (SELECT sum(w) FROM unnest(weights) w), made.relation) INTO expected;
    EXECUTE format('SELECT * FROM kanon_quality(''released'', %L, %s, %s, $1)', made.relation, coalesce(quote_literal(made.attributes) || '::name[]', 'NULL'), made.k) INTO said USING predicates;
    IF said.rows <> expected.rows OR said.suppressed <> expected.all_rows - expected.rows OR (said.loss IS NULL) <> (expected.rows = 0)
       OR abs(said.loss - coalesce(expected.loss, 0)) > 1e-9 THEN
        RAISE EXCEPTION 'quality is %, not %', said, expected USING DETAIL = format('%s', hows);
    END IF;
    EXECUTE format('SELECT string_agg(format(''%%s: %%s, %%s, not %%s, %%s'', e.predicate, e.actual, e.estimate, o.actual, o.estimate), E''\n'') FROM kanon_query_errors(''released'', $1, %L, %L) WITH ORDINALITY e (predicate, actual, estimate, error, n)
                    JOIN unnest($2::query_answer[]) WITH ORDINALITY o (actual, estimate, n) USING (n) WHERE e.actual <> o.actual OR abs(e.estimate - o.estimate) > 1e-6 OR e.error <> abs(e.estimate - e.actual)', made.relation, made.attributes)
        INTO wrong USING predicates, query_answers(substr(estimates, 3));
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'answers are wrong' USING DETAIL = concat_ws(E'\n', wrong, hows);
    END IF;
END $$;

CREATE TYPE query_answer AS (actual bigint, estimate float8);
CREATE FUNCTION query_answers(rows text) RETURNS query_answer[] VOLATILE LANGUAGE plpgsql AS $$
DECLARE
    answers query_answer[];
BEGIN
    EXECUTE format('SELECT ARRAY[%s]', rows) INTO answers;
    RETURN answers;
END $$;
