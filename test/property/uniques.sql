-- Sample uniques: kanon_sample_uniques and kanon_special_uniques against their
-- definition in plain SQL, on random tables with NULLs.
--
-- Rests on make_case (generate.sql), whose attributes are the columns to look at.
SET search_path = kanon_property;
SET check_function_bodies = off;

CREATE FUNCTION make_uniques_tables() RETURNS void LANGUAGE sql AS $$
    -- Sets of columns by their numbers, and the rows that each singles out.
    CREATE TEMP TABLE column_set (members int[], names name[]) ON COMMIT DELETE ROWS;
    CREATE TEMP TABLE lone (members int[], id int, minimal boolean) ON COMMIT DELETE ROWS;
$$;

-- Every set is grouped by itself; minimal is a set that has none within it.
CREATE FUNCTION fill_lone(relation regclass, columns name[], size int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    one column_set;
BEGIN
    INSERT INTO column_set
    WITH RECURSIVE larger AS (
        SELECT ARRAY[i] AS members FROM generate_series(1, cardinality(columns)) i
        UNION ALL SELECT members || i FROM larger, generate_series(1, cardinality(columns)) i
        WHERE cardinality(members) < size AND i > ALL (members))
    SELECT members, ARRAY(SELECT columns[i] FROM unnest(members) WITH ORDINALITY m (i, at) ORDER BY at) FROM larger;
    FOR one IN SELECT * FROM column_set LOOP
        EXECUTE format('INSERT INTO lone SELECT %L, id FROM (SELECT id, count(*) OVER (PARTITION BY %s) AS alike FROM %s) r WHERE alike = 1',
                       one.members, (SELECT string_agg(quote_ident(name), ', ') FROM unnest(one.names) name), relation);
    END LOOP;
    UPDATE lone SET minimal = NOT EXISTS (SELECT FROM lone within WHERE within.id = lone.id AND within.members <@ lone.members AND within.members <> lone.members);
END $$;

CREATE FUNCTION wrong_sets(made test_case, arguments text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    wrong text;
BEGIN
    EXECUTE format($q$
        WITH truth AS (SELECT names, (SELECT count(*) FROM lone l WHERE l.members = s.members) AS uniques,
                              (SELECT count(*) FROM lone l WHERE l.members = s.members AND minimal) AS minimal FROM column_set s)
        SELECT string_agg(format('%%s: oracle %%s, kanon %%s', coalesce(t.names, k.columns), t, k), E'\n')
        FROM truth t FULL JOIN kanon_sample_uniques(%s) k ON k.columns = t.names
        WHERE (t.uniques, t.minimal) IS DISTINCT FROM (k.uniques, k.minimal)
           OR k.unique_share IS DISTINCT FROM t.uniques / nullif(%s, 0)::float8
    $q$, arguments, made.row_count) INTO wrong;
    RETURN wrong;
END $$;

CREATE FUNCTION wrong_rows(arguments text, columns int, size int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    wrong text;
    most constant int := least(size, columns - 1);
BEGIN
    EXECUTE format($q$
        WITH counted AS (SELECT id, i, count(cardinality(members) = i OR NULL) AS n FROM lone, generate_series(1, %s) i WHERE minimal GROUP BY id, i),
        truth AS (SELECT id, array_agg(n::int ORDER BY i) AS minimal, sum(n * factorial(%s - i) / factorial(%s)) AS score FROM counted GROUP BY id)
        SELECT string_agg(format('row %%s: oracle %%s, kanon %%s', coalesce(t.id::text, k.key), t, k), E'\n')
        FROM truth t FULL JOIN kanon_special_uniques(%s) k ON k.key = t.id::text
        WHERE t.minimal IS DISTINCT FROM k.minimal OR NOT near(t.score::float8, k.score)
    $q$, least(size, columns), columns, columns - most - 1, arguments) INTO wrong;
    RETURN wrong;
END $$;

CREATE FUNCTION check_uniques_case(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    columns name[] := made.attributes;
    size int := 1 + pick(5);
    named boolean := chance(0.7);
    wrong text;
BEGIN
    IF NOT named THEN
        PERFORM kanon_set_attribute(made.relation, 'id', 'identifier');
        columns := ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = made.relation AND attnum > 0 AND NOT attisdropped AND attname <> 'id' ORDER BY attnum);
    END IF;
    PERFORM fill_lone(made.relation, columns, size);
    wrong := wrong_sets(made, format('%L, %L, %s', made.relation, CASE WHEN named THEN columns END, size));
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'kanon_sample_uniques, columns %, size %', columns, size USING DETAIL = wrong;
    END IF;
    IF NOT named AND chance(0.5) THEN
        PERFORM kanon_unset_attribute(made.relation, 'id');  -- the key is left out all the same
    END IF;
    wrong := wrong_rows(format('%L, ''id'', %L, %s', made.relation, CASE WHEN named THEN columns END, size), cardinality(columns), size);
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'kanon_special_uniques, columns %, size %', columns, size USING DETAIL = wrong;
    END IF;
END $$;
