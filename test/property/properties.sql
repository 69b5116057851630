-- The properties: every algorithm asked, every answer compared.
SET check_function_bodies = off;
SET search_path = kanon_property;

CREATE FUNCTION remember_account(call text) RETURNS void LANGUAGE sql AS
'INSERT INTO account SELECT call, size, attribute_sets, candidates, checked, satisfying, table_scans, rollups FROM kanon_last_search()';

-- Asks one algorithm under the present settings; call is the SQL.
CREATE FUNCTION ask(call text, wants text, metrics boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO asked VALUES (call, wants, metrics);
    EXECUTE format('INSERT INTO answer SELECT %L, position, levels, height, minimal, loss, "precision", classes, smallest, suppressed, discernibility, average_class, total_loss'
                   ' FROM %s WITH ORDINALITY AS a (levels, labels, height, minimal, loss, "precision", classes, smallest, suppressed, discernibility, average_class, total_loss, position)',
                   call, split_part(call, ' -- ', 1));
END $$;

-- The calls of a case: SQL of each, and how much of the set it must return.
-- Datafly may end without an answer where a generalization may be worse.
CREATE FUNCTION calls_of(made test_case) RETURNS TABLE (call text, wants text) STABLE LANGUAGE sql AS $$
    SELECT format('%s(%L, %s, %s, suppression => %s, %smetrics => %s%s%s)', function, made.relation, made.k, made.argument, made.suppression, option, made.metrics::text,
                  ', models => ' || quote_literal(made.models::text), ', person => ' || quote_literal(made.person)),
           CASE WHEN wants = 'one' AND made.models IS NOT NULL THEN 'some' ELSE wants END
    FROM (VALUES
        ('kanon_incognito', 'algorithm => ''basic'', ', 'all'),
        ('kanon_incognito', 'algorithm => ''superroots'', ', 'all'),
        ('kanon_incognito', 'algorithm => ''cube'', ', 'all'),
        ('kanon_incognito', 'algorithm => ''two_way'', ', 'all'),
        ('kanon_bottom_up', 'rollup => true, ', 'all'),
        ('kanon_bottom_up', 'rollup => false, ', 'all'),
        ('kanon_binary_search', '', 'lowest'),
        ('kanon_datafly', '', 'one')) v (function, option, wants)
$$;

-- All algorithms, each under a way of reading chosen at random, two_way under both.
CREATE FUNCTION ask_all(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    one record;
    way text;
BEGIN
    FOR one IN SELECT * FROM calls_of(made) LOOP
        FOREACH way IN ARRAY CASE WHEN one.call LIKE '%two_way%' THEN ARRAY['stream', 'group_by']
                                  ELSE ARRAY[(ARRAY['auto', 'stream', 'group_by'])[1 + pick(3)]] END LOOP
            PERFORM set_config('kanon.ground_scan', way, true);
            PERFORM ask(one.call || ' -- kanon.ground_scan = ' || way, one.wants, made.metrics);
            PERFORM remember_account(one.call || ' -- kanon.ground_scan = ' || way);
        END LOOP;
    END LOOP;
    PERFORM set_config('kanon.ground_scan', 'auto', true);
END $$;

-- Little memory: the same answer, or an error that names the setting.
CREATE FUNCTION ask_with_little_memory(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    least_limit int := (SELECT greatest(min_val::int, 1) FROM pg_settings WHERE name = 'kanon.memory_limit');
    memory text := CASE WHEN chance(0.5) THEN least_limit ELSE least_limit * (1 + pick(100)) END || 'kB';
    one record;
    message text;
    hint text;
BEGIN
    SELECT * INTO one FROM calls_of(made) OFFSET pick(8) LIMIT 1;
    BEGIN
        PERFORM set_config('kanon.memory_limit', memory, true);
        PERFORM ask(one.call || ' -- kanon.memory_limit = ' || memory, one.wants, made.metrics);
    EXCEPTION WHEN program_limit_exceeded THEN
        GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
        IF concat(message, hint) NOT LIKE '%kanon.memory_limit%' THEN
            RAISE EXCEPTION '% with kanon.memory_limit = %: the error does not name the setting: %', one.call, memory, message;
        END IF;
    END;
    PERFORM set_config('kanon.memory_limit', '-1', true);
END $$;

CREATE FUNCTION near(a float8, b float8) RETURNS boolean IMMUTABLE LANGUAGE sql AS
'SELECT a IS NOT DISTINCT FROM b OR coalesce(abs(a - b) <= 1e-9 * greatest(1, abs(a)), false)';

-- The oracle's set: nodes over all the attributes.
CREATE FUNCTION expected(made test_case) RETURNS TABLE (
    levels int[], height int, minimal boolean, loss float8, "precision" float8,
    classes bigint, smallest bigint, suppressed bigint, discernibility float8, average_class float8, total_loss float8) STABLE LANGUAGE sql AS $$
    SELECT levels, height, NOT dominated, loss, "precision", classes, smallest, suppressed, discernibility, average_class, total_loss
    FROM node WHERE attributes = cardinality(made.attributes) AND satisfied
$$;

-- Node by node: what is missing, too much, or different.
CREATE FUNCTION wrong_nodes(made test_case) RETURNS SETOF text STABLE LANGUAGE sql AS $$
    SELECT format(E'%s\n    levels %s: oracle %s, kanon %s', call, levels,
                  coalesce(row(e.height, e.minimal, e.loss, e."precision", e.classes, e.smallest, e.suppressed, e.discernibility, e.average_class, e.total_loss)::text, 'none'),
                  CASE WHEN a.position IS NULL THEN 'none'
                       ELSE row(a.height, a.minimal, a.loss, a."precision", a.classes, a.smallest, a.suppressed, a.discernibility, a.average_class, a.total_loss)::text END)
    FROM (SELECT call, asked.wants, asked.metrics AS metrics, x.* FROM asked, expected(made) x) e FULL JOIN answer a USING (call, levels)
    WHERE e.height IS NULL
       OR a.position IS NULL AND e.wants = 'all'
       OR a.position IS NOT NULL AND NOT (
              a.height = e.height AND a.minimal = e.minimal AND near(a.loss, e.loss) AND near(a."precision", e."precision")
              AND CASE WHEN e.metrics THEN (a.classes, a.smallest, a.suppressed) = (e.classes, e.smallest, e.suppressed)
                                           AND near(a.discernibility, e.discernibility) AND near(a.average_class, e.average_class) AND near(a.total_loss, e.total_loss)
                       ELSE num_nonnulls(a.classes, a.smallest, a.suppressed, a.discernibility, a.average_class, a.total_loss) = 0 END)
$$;

-- Answer by answer: the right number of rows, in the right order.
CREATE FUNCTION wrong_answers(made test_case) RETURNS SETOF text STABLE LANGUAGE sql AS $$
    WITH truth AS (SELECT count(*) AS nodes, min(height) AS lowest FROM expected(made)),
    ordered AS (SELECT call, height, position, row_number() OVER (PARTITION BY call ORDER BY height, levels) AS place FROM answer)
    SELECT format(E'%s\n    %s rows at heights %s, in order: %s; the oracle''s set has %s, the lowest at height %s',
                  call, count(place), array_agg(DISTINCT height), bool_and(position = place), nodes, lowest)
    FROM asked CROSS JOIN truth LEFT JOIN ordered USING (call)
    GROUP BY call, wants, nodes, lowest
    HAVING NOT coalesce(bool_and(position = place), true)
        OR wants IN ('lowest', 'one') AND count(place) <> least(nodes, 1)
        OR wants = 'some' AND count(place) > least(nodes, 1)
        OR wants = 'lowest' AND min(height) IS DISTINCT FROM lowest
$$;

-- What the paper's search must have done, iteration by iteration.  Checked is
-- every candidate that nothing below it has marked: those that fail and the
-- lowest that hold.
CREATE FUNCTION expected_account() RETURNS TABLE (
    size int, attribute_sets bigint, candidates bigint, checked bigint, satisfying bigint, roots bigint) STABLE LANGUAGE sql AS $$
    SELECT attributes, count(DISTINCT (SELECT bit_or(1 << j) FROM generate_series(0, 7) j WHERE (node >> (3 * j)) & 7 > 0)),
           count(*), count(*) FILTER (WHERE NOT dominated), count(*) FILTER (WHERE satisfied), count(*) FILTER (WHERE root)
    FROM node WHERE candidate
    GROUP BY attributes
$$;

CREATE FUNCTION wrong_accounts() RETURNS SETOF text STABLE LANGUAGE sql AS $$
    WITH truth AS (SELECT DISTINCT account.call, e.* FROM account, expected_account() e WHERE call ~ 'basic|superroots|cube'),
    told AS (SELECT * FROM account WHERE call ~ 'basic|superroots|cube' AND candidates > 0)
    SELECT format(E'%s\n    iteration %s: oracle %s, kanon %s', call, size,
                  row(e.attribute_sets, e.candidates, e.checked, e.satisfying, e.roots),
                  row(a.attribute_sets, a.candidates, a.checked, a.satisfying, a.table_scans))
    FROM truth e FULL JOIN told a USING (call, size)
    WHERE (e.attribute_sets, e.candidates, e.checked, e.satisfying) IS DISTINCT FROM (a.attribute_sets, a.candidates, a.checked, a.satisfying)
       OR call LIKE '%basic%' AND a.table_scans <> e.roots
       OR call LIKE '%superroots%' AND a.table_scans > e.attribute_sets
    UNION ALL
    SELECT format('%s: %s table scans', call, sum(table_scans)) FROM account
    WHERE call LIKE '%cube%' GROUP BY call HAVING sum(table_scans) <> 1
$$;

-- Bottom-up checks the full lattice, each node unless something below marked it.
CREATE FUNCTION wrong_bottom_up(made test_case) RETURNS SETOF text STABLE LANGUAGE sql AS $$
    SELECT format('%s: oracle checks %s nodes, kanon %s with %s table scans', call, truth.checked, sum(account.checked), sum(table_scans))
    FROM account, (SELECT count(*) AS checked FROM node WHERE attributes = cardinality(made.attributes) AND NOT dominated) truth
    WHERE call LIKE '%bottom_up%' GROUP BY call, truth.checked
    HAVING sum(account.checked) <> truth.checked
        OR sum(table_scans) <> CASE WHEN call LIKE '%rollup => true%' THEN 1 ELSE truth.checked END
$$;

-- The sizes of a query's classes over the columns, in order.
CREATE FUNCTION class_sizes(query text, columns name[]) RETURNS bigint[] STABLE LANGUAGE plpgsql AS $$
DECLARE
    sizes bigint[];
BEGIN
    EXECUTE format('SELECT array_agg(size ORDER BY size) FROM (SELECT count(*) AS size FROM (%s) g GROUP BY %s) c', query,
                   (SELECT string_agg(format('%I', name), ', ') FROM unnest(columns) name)) INTO sizes;
    RETURN coalesce(sizes, '{}');
END $$;

-- The labels of one attribute of the table "people" at a level, as SQL.
CREATE FUNCTION label_of(made test_case, j int, level int) RETURNS text STABLE LANGUAGE plpgsql AS $$
DECLARE
    ground name := (SELECT attname FROM pg_attribute WHERE attrelid = made.dimensions[j] AND attnum = 1);
    label name := (SELECT attname FROM pg_attribute WHERE attrelid = made.dimensions[j] AND attnum = level + 1);
    one_label text;
BEGIN
    IF made.dimensions[j] IS NULL THEN
        RETURN quote_literal('*');
    END IF;
    IF level = made.heights[j] THEN
        EXECUTE format('SELECT min(%I)::text FROM %s HAVING count(DISTINCT %I) = 1', label, made.dimensions[j], label) INTO one_label;
    END IF;
    RETURN coalesce(quote_literal(one_label),
                    format('coalesce((SELECT d.%I::text FROM %s d WHERE (d.%I)::%s = people.%I), CASE WHEN people.%5$I IS DISTINCT FROM NULL THEN %L END)',
                           label, made.dimensions[j], ground, made.types[j], made.attributes[j], unknown_label(made, j, level)));
END $$;

-- Labels that kanon's query of a node has too many or too few of.
CREATE FUNCTION wrong_labels(made test_case, levels int[], query text) RETURNS text STABLE LANGUAGE plpgsql AS $$
DECLARE
    kanon_labels text;
    oracle_labels text;
    wrong text;
BEGIN
    SELECT format('SELECT ARRAY[%s]::text[] AS labels FROM (%s) g', string_agg(format('%I::text', made.attributes[j]), ', ' ORDER BY j), query),
           format('SELECT ARRAY[%s]::text[] AS labels FROM %s people', string_agg(label_of(made, j, levels[j]), ', ' ORDER BY j), made.relation)
    INTO kanon_labels, oracle_labels
    FROM generate_series(1, cardinality(levels)) j WHERE levels[j] > 0;
    EXECUTE format($q$
        SELECT string_agg(who || labels::text, E'\n')
        FROM (SELECT 'oracle ' AS who, * FROM (%1$s EXCEPT ALL %2$s) o UNION ALL SELECT 'kanon ', * FROM (%2$s EXCEPT ALL %1$s) k LIMIT 20) w
        $q$, oracle_labels, kanon_labels) INTO wrong;
    RETURN wrong;
END $$;

-- kanon_generalized_query at a random node: its labels, and the sizes of its
-- classes with the guard and without.
CREATE FUNCTION check_generalized_query(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    one node;
    query text;
    k int;
    sizes bigint[];
    right_sizes bigint[];
    wrong text;
BEGIN
    SELECT * INTO one FROM node WHERE attributes = cardinality(made.attributes) ORDER BY node
    OFFSET pick((SELECT count(*)::int FROM node WHERE attributes = cardinality(made.attributes))) LIMIT 1;
    FOREACH k IN ARRAY ARRAY[NULL, made.k] LOOP
        EXECUTE format('SELECT kanon_generalized_query(%L, %L, %s, %s)', made.relation, one.levels, coalesce(k::text, 'NULL'), made.argument) INTO query;
        sizes := class_sizes(query, made.attributes);
        right_sizes := ARRAY(SELECT size FROM class WHERE node = one.node AND size >= coalesce(k, 0) ORDER BY size);
        wrong := CASE WHEN k IS NULL THEN wrong_labels(made, one.levels, query) END;
        IF sizes <> right_sizes OR wrong IS NOT NULL THEN
            RAISE EXCEPTION 'kanon_generalized_query at levels % with k %: oracle''s classes %, kanon''s %', one.levels, k, right_sizes, sizes
                USING DETAIL = concat_ws(E'\n', wrong, query);
        END IF;
    END LOOP;
END $$;

CREATE FUNCTION check_answers(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    wrong text;
BEGIN
    SELECT string_agg(w, E'\n' ORDER BY w) INTO wrong
    FROM (SELECT wrong_nodes(made) UNION ALL SELECT wrong_answers(made) UNION ALL SELECT wrong_accounts()
          UNION ALL SELECT wrong_bottom_up(made) LIMIT 20) v (w);
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION '%', wrong;
    END IF;
END $$;

-- Every algorithm must refuse, and say why.
CREATE FUNCTION check_refusal(made test_case, state text, reason text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    one record;
BEGIN
    FOR one IN SELECT * FROM calls_of(made) LOOP
        BEGIN
            PERFORM ask(one.call, one.wants, made.metrics);
            RAISE EXCEPTION '%: answered, where it must refuse', one.call;
        EXCEPTION WHEN OTHERS THEN
            IF SQLSTATE <> state OR SQLERRM NOT LIKE reason THEN
                RAISE EXCEPTION '%: refused with %: %', one.call, SQLSTATE, SQLERRM;
            END IF;
        END;
    END LOOP;
END $$;

CREATE FUNCTION check_case(made test_case) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF made.row_count = 0 THEN
        PERFORM check_refusal(made, '22023', '%is empty');
    ELSIF made.k > made.row_count THEN
        PERFORM check_refusal(made, '22023', 'k is greater than the number of rows%');
    ELSE
        PERFORM ask_all(made);
        PERFORM ask_with_little_memory(made);
        PERFORM run_oracle(made);
        PERFORM check_answers(made);
        PERFORM check_generalized_query(made);
    END IF;
END $$;
