-- NULL that matches anything: kanon_check and kanon_classes against a self-join in plain SQL.
--
-- Rests on make_case (generate.sql) and the sets of known.sql.
SET search_path = kanon_property;
SET check_function_bodies = off;

-- For each row of the case and each set of so many of its attributes: what it shows, and the rows
-- that it matches.
CREATE FUNCTION fill_matches(part test_case, l int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    s int[];
BEGIN
    CREATE TEMP TABLE matched (row int, columns name[], class text[], matches bigint) ON COMMIT DROP;
    EXECUTE format('CREATE TEMP TABLE numbered ON COMMIT DROP AS SELECT row_number() OVER ()::int AS number, %s FROM %s',
                   (SELECT string_agg(quote_ident(name), ', ') FROM unnest(part.attributes) name), part.relation);
    FOR s IN SELECT known_sets(cardinality(part.attributes), least(l, cardinality(part.attributes)), l) LOOP
        EXECUTE (SELECT format('INSERT INTO matched SELECT number, %L, ARRAY[%s], (SELECT count(*) FROM numbered o WHERE %s) FROM numbered r', array_agg(name ORDER BY at),
                               string_agg(format('first_value(%I::text) OVER (PARTITION BY %I)', name, name), ', ' ORDER BY at),
                               string_agg(format('(r.%1$I = o.%1$I OR r.%1$I IS NULL OR o.%1$I IS NULL)', name), ' AND '))
                 FROM unnest(part.attributes) WITH ORDINALITY u (name, at) WHERE at = ANY (s));
    END LOOP;
END $$;

CREATE FUNCTION check_matches_case(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    n int := cardinality(made.attributes);
    l int := CASE WHEN chance(0.5) THEN n ELSE 1 + pick(n + 1) END;
    call text;
    expected text;
    told text;
    one name;
BEGIN
    FOR one IN SELECT attname FROM pg_attribute WHERE attrelid = 'people'::regclass AND attnum > 0 AND NOT attisdropped AND attname = ANY (made.attributes) AND chance(0.7) LOOP
        EXECUTE format('UPDATE people SET %I = NULL WHERE chance(%s)', one, random() * random());
    END LOOP;
    PERFORM fill_matches(made, l);
    call := format('(%L, %s, %L, null_matches => true%s)', made.relation, made.k, made.attributes, CASE WHEN l <> n OR chance(0.2) THEN ', known => ' || l ELSE '' END);
    SELECT row(count(*) FILTER (WHERE matches < made.k) = 0, made.row_count, count(*), min(matches), count(*) FILTER (WHERE matches < made.k),
               (SELECT count(DISTINCT row) FROM matched WHERE matches < made.k))::text
    INTO expected FROM (SELECT DISTINCT columns, class, matches FROM matched) m;
    EXECUTE 'SELECT c::text FROM kanon_check' || call || ' c' INTO told;
    PERFORM breach('kanon_check' || call, format('oracle %s, kanon %s', expected, told), told IS DISTINCT FROM expected);
    EXECUTE format($q$
        SELECT count(*) FROM (SELECT columns, count(*) AS size, matches, matches >= %s AS satisfied, class IS NULL FROM matched GROUP BY columns, class, matches) m
            FULL JOIN (SELECT columns, size, matches, satisfied, class IS NULL FROM kanon_classes%s) k
            ON (m.*)::text = (k.*)::text WHERE m.matches IS NULL OR k.matches IS NULL$q$, made.k, call) INTO told;
    PERFORM breach('kanon_classes' || call, told || ' differ', told <> '0');
    SELECT count(*) INTO expected FROM (SELECT DISTINCT columns, class FROM matched) m;
    EXECUTE format('SELECT count(*) FROM kanon_classes%s', call) INTO told;
    PERFORM breach('kanon_classes' || call, format('oracle %s, kanon %s', expected, told), told <> expected);
END $$;
