-- Local suppression: what must hold of releases by suppress_cells, in plain SQL, also with each
-- hidden cell given back alone.
--
-- Rests on make_case (generate.sql) and the sets of known.sql.  The column "id" is published, so
-- that it is known which row is which.
SET search_path = kanon_property;
SET check_function_bodies = off;

-- Rows that are among fewer than k: alike, or matching by every set of l attributes.
CREATE FUNCTION few(contents text, attributes name[], k int, matches boolean, l int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    s int[];
    found bigint;
BEGIN
    FOR s IN SELECT known_sets(cardinality(attributes), l, l) LOOP
        EXECUTE (SELECT format('SELECT count(*) FROM (SELECT (SELECT count(*) FROM %1$s o WHERE %2$s) AS n FROM %1$s r) c WHERE n < %3$s', contents,
                               string_agg(format(CASE WHEN matches THEN '(r.%1$I = o.%1$I OR r.%1$I IS NULL OR o.%1$I IS NULL)' ELSE '(r.%1$I = o.%1$I OR r.%1$I IS NULL AND o.%1$I IS NULL)' END, name), ' AND '), k)
                 FROM unnest(attributes) WITH ORDINALITY u (name, at) WHERE at = ANY (s)) INTO found;
        IF found > 0 THEN
            RETURN found;
        END IF;
    END LOOP;
    RETURN 0;
END $$;

CREATE FUNCTION expect_suppressed(made test_case, matches boolean, l int, minimal boolean, why text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    total bigint;
    wrong text;
    one record;
    given boolean;
BEGIN
    EXECUTE format('SELECT count(*) FROM %s', made.relation) INTO total;
    SELECT count(*)::text INTO wrong FROM suppressed;
    PERFORM breach('suppress_cells', format('%s: %s of %s rows', why, wrong, total), wrong::bigint <> CASE WHEN total < made.k THEN 0 ELSE total END);
    EXECUTE format('SELECT count(*) FROM suppressed r LEFT JOIN %s s USING (id) WHERE s.id IS NULL OR %s', made.relation,
                   (SELECT string_agg(format('(r.%1$I IS NOT NULL AND r.%1$I = s.%1$I) IS DISTINCT FROM (r.%1$I IS NOT NULL)', name), ' OR ') FROM unnest(made.attributes) name)) INTO wrong;
    PERFORM breach('suppress_cells', format('%s: %s rows have cells that are not theirs', why, wrong), wrong <> '0');
    wrong := few('suppressed', made.attributes, made.k, matches, l);
    PERFORM breach('suppress_cells', format('%s: %s rows are among few', why, wrong), wrong <> '0');
    PERFORM breach('suppress_cells', why || ': kanon_check says otherwise', NOT (SELECT satisfied FROM kanon_check('suppressed')));
    FOR one IN EXECUTE format('SELECT * FROM (%s) h ORDER BY random() LIMIT 12',
                              (SELECT string_agg(format('SELECT r.id, %L::name AS name FROM suppressed r JOIN %s s USING (id) WHERE r.%I IS NULL AND s.%3$I IS NOT NULL', name, made.relation, name), ' UNION ALL ') FROM unnest(made.attributes) name)) LOOP
        EXIT WHEN NOT minimal;
        CREATE TEMP TABLE given_back ON COMMIT DROP AS TABLE suppressed;
        EXECUTE format('UPDATE given_back g SET %1$I = s.%1$I FROM %2$s s WHERE s.id = g.id AND g.id = %3$s', one.name, made.relation, one.id);
        given := few('given_back', made.attributes, made.k, matches, l) = 0;
        DROP TABLE given_back;
        PERFORM breach('suppress_cells', format('%s: %I of row %s is hidden in vain', why, one.name, one.id), given);
    END LOOP;
END $$;

CREATE FUNCTION check_suppress_case(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    n int := cardinality(made.attributes);
    matches boolean := chance(0.5);
    l int := CASE WHEN matches AND chance(0.4) THEN 1 + pick(n) ELSE n END;
    person name := CASE WHEN NOT matches AND chance(0.2) THEN 'id' END;
    call text := format('2, ''suppress_cells'', %L, person => %L, options => %L', made.attributes, person, CASE WHEN matches THEN jsonb_build_object('null_matches', true, 'known', CASE WHEN l < n THEN l ELSE 0 END) END);
    wrong bigint;
BEGIN
    made.k := 2 + pick(4);
    call := replace(call, '2, ''suppress', made.k || ', ''suppress');
    IF made.row_count < made.k THEN
        RETURN;
    END IF;
    PERFORM kanon_set_attribute(made.relation, 'id', 'insensitive');
    EXECUTE format('SELECT kanon_create_release(''suppressed'', %L, %s)', made.relation, call);
    PERFORM expect_suppressed(made, matches, l, person IS NULL, call);
    -- The same rows and columns in another order get the same cells.
    EXECUTE format('CREATE TABLE shuffled AS SELECT id, %s FROM %s ORDER BY random()', (SELECT string_agg(quote_ident(name), ', ' ORDER BY random()) FROM unnest(made.attributes) name), made.relation);
    PERFORM kanon_set_attribute('shuffled', name, 'quasi_identifier', NULL, made.weights[at]) FROM unnest(made.attributes) WITH ORDINALITY u (name, at);
    PERFORM kanon_set_attribute('shuffled', 'id', 'insensitive');
    EXECUTE format('SELECT kanon_create_release(''suppressed_again'', ''shuffled'', %s)', call);
    EXECUTE format('SELECT count(*) FROM (SELECT id, %1$s FROM suppressed EXCEPT SELECT id, %1$s FROM suppressed_again) d', (SELECT string_agg(quote_ident(name), ', ') FROM unnest(made.attributes) name)) INTO wrong;
    PERFORM breach('suppress_cells', format('%s: %s rows differ in another order', call, wrong), wrong > 0);
    -- Refreshes hold it, too.
    DELETE FROM people WHERE chance(0.5 * random());
    INSERT INTO people SELECT * FROM people WHERE chance(0.4 * random());
    UPDATE people SET id = number FROM (SELECT ctid AS place, tableoid AS part, row_number() OVER ()::int AS number FROM people) numbered WHERE people.ctid = place AND people.tableoid = part;
    REFRESH MATERIALIZED VIEW suppressed;
    PERFORM expect_suppressed(made, matches, l, person IS NULL, 'refreshed ' || call);
END $$;
