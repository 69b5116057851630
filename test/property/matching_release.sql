-- Releases whose cells are generalized one by one: whatever becomes of their table, every row
-- stands beside cells that cover it and k rows in all, every row of the table is covered k
-- times, nobody is left out, and the same rows give the same release; and it is measured by what
-- its cells say.  All of it in plain SQL.
--
-- Makes its own tables: patron (id, a, b, c, d, o, z, j, s), with quasi-identifiers among
-- a (int), b (numeric), c (text), d (date), o (boolean), z (digits) and j (labels).  The cells of a,
-- b and d are of range types, and those of c and o texts, which are intervals with ranges; without
-- (false), all have their own types.
SET search_path = kanon_property;
SET check_function_bodies = off;

CREATE FUNCTION fill_patrons(rows int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    values int := 1 + pick(9);
    nulls float8 := CASE WHEN chance(0.6) THEN 0 ELSE 0.3 * random() END;
BEGIN
    INSERT INTO patron
    SELECT i + (SELECT coalesce(max(id), 0) FROM patron), CASE WHEN NOT chance(nulls) THEN pick(values) END, round((pick(values) / 2.0)::numeric, 1 + i % 2),
           CASE WHEN NOT chance(nulls) THEN 'c' || pick(values) END, CASE WHEN NOT chance(nulls) THEN date '2000-01-01' + pick(3) END, chance(0.3),
           CASE WHEN NOT chance(nulls) THEN (100 + pick(10 * values))::text END, CASE WHEN NOT chance(nulls) THEN 'j' || pick(6) END, 's' || pick(4)
    FROM generate_series(1, rows) i;
END $$;

-- The quasi-identifiers of the case, as an array.
CREATE FUNCTION make_patrons(rows int) RETURNS name[] LANGUAGE plpgsql AS $$
DECLARE
    names name[] := ARRAY(SELECT n FROM unnest('{a,b,c,d,o,z,j}'::name[]) n WHERE chance(0.5));
BEGIN
    CREATE TABLE patron (id int, a int, b numeric, c text, d date, o boolean, z text, j text, s text);
    CREATE TABLE code AS SELECT n::text AS z, left(n::text, 2) || '*' AS z1, left(n::text, 1) || '**' AS z2 FROM generate_series(100, 199) n;
    IF chance(0.5) THEN
        ALTER TABLE code ADD COLUMN z3 text DEFAULT '*';
    END IF;
    CREATE TABLE job AS SELECT 'j' || n AS j, 'pair ' || n / 2 AS pair, CASE WHEN n < 4 THEN 'four' ELSE 'two' END AS four FROM generate_series(0, 5) n;
    IF chance(0.5) THEN
        ALTER TABLE job ADD COLUMN everything text DEFAULT 'any';
    END IF;
    PERFORM fill_patrons(rows);
    IF names = '{}' THEN
        names := '{z}';
    END IF;
    PERFORM kanon_set_attribute('patron', n, 'quasi_identifier', CASE n WHEN 'z' THEN 'code' WHEN 'j' THEN 'job' END::regclass, pick(4) + 0.5) FROM unnest(names) n;
    PERFORM kanon_set_attribute('patron', 'id', 'insensitive'), kanon_set_attribute('patron', 's', 'sensitive');
    RETURN names;
END $$;

-- SQL: does the text [a - b] of r hold a patron's value?
CREATE FUNCTION patron_interval(n name, patron text) RETURNS text LANGUAGE sql AS $$
    SELECT format('(%2$s.%1$I::text BETWEEN substring(r.%1$I FROM ''^.(.*) - '') AND substring(r.%1$I FROM '' - (.*).$'')) IS TRUE', n, patron)
$$;

-- SQL: does the row r of the release cover the patron p?
CREATE FUNCTION patron_covered(names name[], ranges boolean) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(CASE
        WHEN ranges IS DISTINCT FROM false AND n IN ('a', 'b', 'd') THEN format('(r.%1$I = ''(,)'' OR (r.%1$I @> p.%1$I) IS TRUE OR r.%1$I IS NULL AND p.%1$I IS NULL)', n)
        WHEN ranges AND n IN ('c', 'o') THEN format('(r.%1$I = ''*'' OR r.%1$I IS NOT DISTINCT FROM p.%1$I::text OR %2$s)', n, patron_interval(n, 'p'))
        WHEN n = 'c' OR n = 'o' AND ranges IS NULL THEN format('(r.%1$I = ''*'' OR r.%1$I IS NOT DISTINCT FROM p.%1$I::text)', n)
        WHEN n = 'z' THEN '(r.z = ''***'' OR p.z LIKE translate(r.z, ''*'', ''_'') OR r.z IS NOT DISTINCT FROM p.z)'
        WHEN n = 'j' THEN '(r.j IN (''*'', ''any'') OR r.j IS NOT DISTINCT FROM p.j OR EXISTS (SELECT FROM job WHERE job.j = p.j AND r.j IN (pair, four)))'
        ELSE format('(r.%1$I IS NULL OR r.%1$I = p.%1$I)', n) END, ' AND ')
    FROM unnest(names) n
$$;

CREATE FUNCTION patron_contents() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    contents text;
BEGIN
    SELECT string_agg(r::text, E'\n' ORDER BY ctid) INTO contents FROM cells r;
    RETURN contents;
END $$;

CREATE FUNCTION expect_cells(names name[], ranges boolean, k int, why text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    patrons bigint := (SELECT count(*) FROM patron);
    wrong text;
BEGIN
    PERFORM breach(why, 'rows are lost or won: ' || (SELECT count(*) FROM cells), (SELECT count(*) FROM cells) <> CASE WHEN patrons >= k THEN patrons ELSE 0 END);
    PERFORM breach(why, 'the catalog counts others', (SELECT count(*) FROM cells) IS DISTINCT FROM (SELECT rows FROM kanon_release WHERE release = 'cells'::regclass));
    PERFORM breach(why, 'somebody has another''s value', EXISTS (SELECT id, s FROM cells EXCEPT ALL SELECT id, s FROM patron));
    EXECUTE format('SELECT string_agg(r::text, ''; '') FROM cells r WHERE NOT EXISTS (SELECT FROM patron p WHERE p.id = r.id AND %s)', patron_covered(names, ranges)) INTO wrong;
    PERFORM breach(why, 'cells do not cover the row beside them: ' || wrong, wrong IS NOT NULL);
    EXECUTE format('SELECT string_agg(r::text, ''; '') FROM cells r WHERE (SELECT count(*) FROM patron p WHERE %s) < %s', patron_covered(names, ranges), k) INTO wrong;
    PERFORM breach(why, 'cells cover fewer than k: ' || wrong, wrong IS NOT NULL);
    EXECUTE format('SELECT string_agg(p::text, ''; '') FROM patron p WHERE (SELECT count(*) FROM cells r WHERE %s) < %s AND EXISTS (SELECT FROM cells)', patron_covered(names, ranges), k) INTO wrong;
    PERFORM breach(why, 'covered by fewer than k: ' || wrong, wrong IS NOT NULL);
    SELECT c.singled_out::text || ' ' || c.detail INTO wrong FROM kanon_check_matchings('cells', k, 'patron') c WHERE NOT c.satisfied;
    PERFORM breach(why, 'not ' || k || ' matchings: ' || wrong, patrons >= k AND wrong IS NOT NULL);
END $$;

-- SQL: what the cell of r loses, by the values of the domain that it stands for, or by its width.
CREATE FUNCTION patron_cell_loss(n name, ranges boolean) RETURNS text LANGUAGE sql AS $$
    SELECT CASE
        WHEN ranges IS DISTINCT FROM false AND n IN ('a', 'b', 'd') THEN format('CASE WHEN r.%1$I IS NULL THEN 0 WHEN r.%1$I = ''(,)'' THEN 1
            ELSE coalesce((upper(r.%1$I) - lower(r.%1$I) - %2$s)::float8 / nullif((SELECT max(%1$I) - min(%1$I) FROM patron), 0), 0) END', n, CASE n WHEN 'b' THEN 0 ELSE 1 END)
        WHEN ranges AND n IN ('c', 'o') THEN format('CASE WHEN r.%1$I = ''*'' THEN 1 ELSE coalesce((SELECT greatest(count(DISTINCT x.%1$I) FILTER (WHERE %2$s) - 1, 0)::float8 / nullif(count(DISTINCT x.%1$I) - 1, 0) FROM patron x), 0) END',
            n, patron_interval(n, 'x'))
        WHEN n = 'c' OR n = 'o' AND ranges IS NULL THEN format('coalesce((r.%I = ''*'')::int, 0)', n)
        WHEN n = 'z' THEN 'CASE WHEN r.z IS NULL THEN 0 WHEN r.z = ''***'' THEN 1 ELSE ((SELECT count(*) FROM code WHERE code.z LIKE translate(r.z, ''*'', ''_'')) - 1) / 99.0 END'
        WHEN n = 'j' THEN 'CASE WHEN r.j IS NULL THEN 0 WHEN r.j IN (''*'', ''any'') THEN 1 ELSE ((SELECT count(*) FROM job WHERE r.j IN (job.j, pair, four)) - 1) / 5.0 END'
        ELSE format('(r.%I IS NULL)::int', n) END
$$;

-- The loss as made, as measured, and by hand; no less than the bound, nor, by ring, more than
-- that of classes that show the same.  NULL in columns of their own type hides to whoever reads the
-- release.
CREATE FUNCTION expect_cells_loss(names name[], ranges boolean, k int, why text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    comparable boolean;
    as_made float8 := (SELECT loss FROM kanon_release WHERE release = 'cells'::regclass);
    as_read float8 := (SELECT loss FROM kanon_quality('cells', 'patron'));
    by_hand float8;
    bound float8 := kanon_matching_bound('patron', k, priced => chance(0.5), ranges => ranges);
    classes float8;
BEGIN
    EXECUTE format('SELECT %s FROM patron', (SELECT string_agg(CASE WHEN n IN ('a', 'b', 'd', 'o') THEN format('count(%I) = count(*)', n) ELSE 'true' END, ' AND ') FROM unnest(names) n))
        INTO comparable;
    comparable := comparable OR ranges IS DISTINCT FROM false;
    EXECUTE format('SELECT avg(%s) / %s FROM cells r',
        (SELECT string_agg(format('%s * (%s)', weight, patron_cell_loss(n, ranges)), ' + ') FROM unnest(names) n JOIN kanon_attribute a ON a.relation = 'patron'::regclass AND a.attribute = n),
        (SELECT sum(weight) FROM unnest(names) n JOIN kanon_attribute a ON a.relation = 'patron'::regclass AND a.attribute = n)) INTO by_hand;
    PERFORM breach(why, format('the loss is %s as made, %s as read, %s by hand', as_made, as_read, by_hand),
        (as_made IS NULL) <> (as_read IS NULL) OR comparable AND (abs(as_made - as_read) > 1e-9 OR abs(as_made - by_hand) > 1e-9));
    PERFORM breach(why, format('%s are lost, less than %s', as_made, bound), as_made < bound - 1e-9);
    IF ranges IS DISTINCT FROM false AND chance(0.5) THEN
        classes := (SELECT loss FROM kanon_compare('patron', ARRAY[k], '{local}', options => jsonb_build_object('ranges', ranges)));
        PERFORM breach(why, format('%s are lost, by classes only %s', as_made, classes), as_made > classes + 1e-9);
    END IF;
END $$;

-- A predicate of one quasi-identifier, as it is written and over a value v.
CREATE FUNCTION patron_predicate(n name) RETURNS text[] VOLATILE LANGUAGE sql AS $$
    SELECT CASE n
        WHEN 'a' THEN ARRAY['a <= ' || x, 'v <= ' || x]
        WHEN 'b' THEN ARRAY['b > ' || x / 2.0, 'v > ' || x / 2.0]
        WHEN 'c' THEN ARRAY[format('c IN (''c%s'', ''c2'')', x), format('v IN (''c%s'', ''c2'')', x)]
        WHEN 'd' THEN ARRAY['d = ''2000-01-02''', 'v = ''2000-01-02''']
        WHEN 'o' THEN ARRAY['o = true', 'v']
        WHEN 'z' THEN ARRAY[format('z < ''1%s3''', x), format('v < ''1%s3''', x)]
        ELSE ARRAY[format('j = ''j%s''', x), format('v = ''j%s''', x)] END
    FROM (SELECT pick(6) AS x) p
$$;

-- SQL: the share of the cell of r that a condition over a value v covers.
CREATE FUNCTION patron_share(n name, condition text, ranges boolean) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN ranges IS DISTINCT FROM false AND n IN ('a', 'b', 'd') THEN format('(CASE WHEN r.%1$I IS NULL THEN 0 ELSE coalesce((SELECT %2$s FROM
            (SELECT coalesce(lower(r.%1$I), min(%1$I)) AS low, coalesce(upper(r.%1$I) - %3$s, max(%1$I)) AS high FROM patron) e), 0) END)', n,
        CASE n WHEN 'b' THEN replace('CASE WHEN low = high THEN (low > X)::int ELSE greatest(high - greatest(low, X), 0) / (high - low) END', 'X', split_part(condition, ' ', 3))
        ELSE format('(SELECT avg((%s)::int) FROM (SELECT low + i AS v FROM generate_series(0, high - low) i) x)', condition) END, CASE n WHEN 'b' THEN 0 ELSE 1 END)
    ELSE format('(CASE WHEN r.%1$I IS NULL AND %5$s AND EXISTS (SELECT FROM patron WHERE %1$I IS NULL) THEN 0
        ELSE coalesce((SELECT avg((%2$s)::int) FROM (SELECT DISTINCT x.%1$I AS v FROM %3$s x WHERE x.%1$I IS NOT NULL AND %4$s) x), 0) END)',
        n, condition, CASE n WHEN 'z' THEN 'code' WHEN 'j' THEN 'job' ELSE 'patron' END,
        CASE n WHEN 'z' THEN '(r.z IS NULL OR x.z LIKE translate(r.z, ''*'', ''_''))'
               WHEN 'j' THEN '(r.j IS NULL OR r.j IN (''*'', ''any'', x.j, x.pair, x.four))'
               WHEN 'c' THEN format('(r.c IS NULL OR r.c IN (''*'', x.c) OR %s)', patron_interval('c', 'x'))
               ELSE CASE WHEN ranges IS DISTINCT FROM false THEN format('(r.o IN (''*'', x.o::text) OR %s)', patron_interval('o', 'x'))
                         ELSE format('(r.%1$I IS NULL OR r.%1$I = x.%1$I)', n) END END, (ranges IS DISTINCT FROM false OR n IN ('c', 'z', 'j'))::text) END
$$;

CREATE FUNCTION expect_cells_answer(names name[], ranges boolean, why text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    asked text[] := '{}';
    shares text[] := '{}';
    one text[];
    expected float8;
    said float8;
BEGIN
    FOR i IN 1 .. cardinality(names) LOOP
        CONTINUE WHEN i > 1 AND chance(0.6);
        one := patron_predicate(names[i]);
        asked := asked || one[1];
        shares := shares || patron_share(names[i], one[2], ranges);
    END LOOP;
    EXECUTE format('SELECT coalesce(sum(%s), 0)::float8 FROM cells r', array_to_string(shares, ' * ')) INTO expected;
    said := (SELECT estimate FROM kanon_query_errors('cells', ARRAY[array_to_string(asked, ' AND ')], 'patron'));
    PERFORM breach(why, format('%s is estimated %s, not %s', asked, said, expected), abs(said - expected) > 1e-6);
END $$;

CREATE FUNCTION expect_cells_again(why text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    before text := patron_contents();
BEGIN
    CREATE TABLE moved AS SELECT * FROM patron ORDER BY hashint4extended(id, pick(1000000));
    DELETE FROM patron;
    INSERT INTO patron SELECT * FROM moved;
    DROP TABLE moved;
    REFRESH MATERIALIZED VIEW cells;
    PERFORM breach(why, 'the same rows in another order are released otherwise', before IS DISTINCT FROM patron_contents());
END $$;

-- What is published of the patrons, as text.
CREATE FUNCTION published_patrons(names name[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    published text;
BEGIN
    EXECUTE format('SELECT string_agg(p::text, E''\n'' ORDER BY p::text) FROM (SELECT id, s, %s FROM patron) p', array_to_string(names, ', ')) INTO published;
    RETURN published;
END $$;

-- What was dealt once, of these patrons, is not dealt anew of others.
CREATE FUNCTION expect_cells_kept(names name[], dealt text, why text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    before text := patron_contents();
    changed boolean := dealt IS DISTINCT FROM published_patrons(names);
BEGIN
    REFRESH MATERIALIZED VIEW cells;
    PERFORM breach(why, 'what was dealt once is dealt anew', changed AND before IS NOT NULL AND EXISTS (SELECT FROM cells));
EXCEPTION WHEN object_not_in_prerequisite_state THEN
    PERFORM breach(why, 'a refresh of the same rows is refused', NOT changed OR before IS NULL);
    PERFORM breach(why, 'a refused refresh changed something', before IS DISTINCT FROM patron_contents());
END $$;

CREATE FUNCTION check_matching_release() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    k int := 1 + pick(5);
    recoding text := (ARRAY['ring', 'two_phase'])[1 + pick(2)];
    randomize boolean := chance(0.8);
    redraw boolean := chance(0.7);
    ranges boolean := CASE pick(3) WHEN 0 THEN false WHEN 1 THEN true END;
    names name[] := make_patrons(CASE WHEN chance(0.05) THEN 0 ELSE k + pick(50) END);
    why text := format('%s, k = %s, %s%s', recoding, k, names, CASE WHEN ranges THEN ', ranges' WHEN NOT ranges THEN ', no ranges' END);
    dealt text := published_patrons(names);
BEGIN
    PERFORM kanon_create_release('cells', 'patron', k, recoding, options => jsonb_build_object('randomize', randomize, 'seed', CASE WHEN randomize AND chance(0.9) THEN pick(1000000)::text END, 'redraw', redraw, 'ranges', ranges));
    PERFORM expect_cells(names, ranges, k, why || ' as created'), expect_cells_loss(names, ranges, k, why), expect_cells_again(why || ' as created');
    FOR turn IN 1 .. 2 LOOP
        DELETE FROM patron WHERE chance(0.4 * random());
        UPDATE patron SET a = pick(5), o = chance(0.5) WHERE chance(0.4 * random());
        UPDATE patron SET z = (100 + pick(100))::text, s = 's' || pick(4) WHERE chance(0.4 * random());
        PERFORM fill_patrons(pick(20));
        IF redraw THEN
            REFRESH MATERIALIZED VIEW cells;
        ELSE
            PERFORM expect_cells_kept(names, dealt, why);
            EXIT;
        END IF;
        PERFORM expect_cells(names, ranges, k, why || ' as refreshed'), expect_cells_loss(names, ranges, k, why), expect_cells_answer(names, ranges, why), expect_cells_again(why || ' as refreshed');
    END LOOP;
    PERFORM kanon_drop_release('cells');
    PERFORM breach(why, 'a seed is left', EXISTS (SELECT FROM kanon_seed s WHERE NOT EXISTS (SELECT FROM kanon_release r WHERE r.release = s.release)));
END $$;
