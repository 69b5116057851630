-- Random steps and what must hold after each.  All in the schema kanon_sequence; the
-- steps play in public, on tables t1 .. t4, dimensions d1 .. d4 and releases r1 .. r5,
-- which all sessions share.

CREATE EXTENSION IF NOT EXISTS kanon;
CREATE SCHEMA kanon_sequence;
SET search_path = kanon_sequence, public;

-- From 0 to below n; setseed() comes first.
CREATE FUNCTION die(n int) RETURNS int LANGUAGE sql VOLATILE AS $$SELECT floor(random() * n)::int$$;

CREATE FUNCTION pick(VARIADIC choices text[]) RETURNS text LANGUAGE sql VOLATILE AS
$$SELECT choices[1 + die(cardinality(choices))]$$;

-- One of those that kanon knows.
CREATE FUNCTION a_recoding() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    hint text;
BEGIN
    PERFORM kanon_create_release('r', 'pg_class', 2, '?');
EXCEPTION WHEN invalid_parameter_value THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RETURN pick(VARIADIC regexp_split_to_array(substring(hint FROM 'The recodings are (.*)\.'), ', | and '));
END $$;

-- A table of another shape each time: two to seven columns c1 .. of several types, with
-- ties and NULLs, few rows or some hundreds.
CREATE FUNCTION table_text(name text) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    columns text := '';
BEGIN
    FOR i IN 1 .. 2 + die(6) LOOP
        columns := columns || format(', nullif(%s, %s) AS c%s',
            pick('i * 7 % 40', '(i * 11 % 23)::text', 'date ''2000-01-01'' + i % 90', '(i % 31)::numeric / 4',
                'i % 2 = 0', '(i * 5 % 17)::float8', 'lpad((i * 37 % 500)::text, 3, ''0'')', '(i % 5)::int8',
                'ARRAY[i % 3, i % 2]'),
            'NULL', i);
    END LOOP;
    RETURN format('CREATE TABLE %s AS SELECT i AS id%s FROM generate_series(1, %s) i', name, columns,
        pick('0', '2', '40', '200', '400', '600', '1500'));
END $$;

-- Columns of a table as they are now, in any order.
CREATE FUNCTION some_columns(name text) RETURNS text[] LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (SELECT array_agg(attname::text) FROM (
        SELECT attname FROM pg_attribute WHERE attrelid = to_regclass(name) AND attnum > 0 AND NOT attisdropped
            AND attname ~ '^c' ORDER BY random() LIMIT 1 + die(6)) c);
END $$;

CREATE FUNCTION a_column(name text) RETURNS text LANGUAGE sql VOLATILE AS
$$SELECT coalesce((some_columns(name))[1], 'c1')$$;

-- NULL: what is declared.
CREATE FUNCTION quasi(name text) RETURNS text LANGUAGE sql VOLATILE AS
$$SELECT CASE die(8) WHEN 0 THEN 'NULL' ELSE coalesce(quote_literal(some_columns(name)) || '::name[]', 'NULL') END$$;

CREATE FUNCTION models(name text) RETURNS text LANGUAGE sql VOLATILE AS
$$SELECT CASE die(3) WHEN 0 THEN format('ARRAY[%L]::kanon_models',
    format(pick('distinct(%s, 2)', 'entropy(%s, 1.5)', 'recursive(%s, 3, 2)', 'closeness(%s, 0.6)'), a_column(name)))
    ELSE '''{}''' END$$;

-- Mostly one that is there.
CREATE FUNCTION a_release() RETURNS text LANGUAGE sql VOLATILE AS
$$SELECT coalesce((SELECT relname FROM pg_class WHERE relkind = 'm' AND relname ~ '^r[1-5]$' AND die(8) > 0 ORDER BY random() LIMIT 1), 'r' || 1 + die(5))$$;

-- A call that makes or reads something.
CREATE FUNCTION call() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    t text := 't' || 1 + die(4);
    d text := 'd' || 1 + die(4);
    r text := a_release();
    free text := 'r' || 1 + die(5);
    k text := 2 + die(3);
    q text := quasi(t);
    n int := die(37);
    recoding text := a_recoding();
BEGIN
    RETURN CASE
        WHEN n <= 0 THEN format('SELECT kanon_create_release(%L, %L, %s, %L, quasi_identifiers => %s, models => %s)', free, t, k,
            pick('mondrian', 'relaxed_mondrian', 'full_domain'), q, models(t))
        -- Its releases share what is remembered of a table, and say the same.
        WHEN n <= 3 AND recoding = 'cohorts' THEN format('DELETE FROM kanon_cohort_state WHERE relation IS NULL; SELECT kanon_create_release('
            '%L, %L, 3, ''cohorts'', options => ''{"key": "id", "wait": 0, "leavers": "%s", "reading": "%s"}'')', free, t,
            CASE WHEN t < 't3' THEN 'keep' ELSE 'withhold' END, CASE WHEN t IN ('t1', 't3') THEN 'frozen' ELSE 'together' END)
        WHEN n <= 3 THEN format('SELECT kanon_create_release(%L, %L, %s, %L, quasi_identifiers => %s%s)', free, t, k,
            recoding, q, pick('', '', ', options => ''{"redraw": true}'''))
        WHEN n <= 4 THEN format('SELECT kanon_create_release(%L, %L, %s, options => ''{"means": true, "ranges": true}'', quasi_identifiers => %s)', free, t, k, q)
        WHEN n <= 6 THEN format('SELECT kanon_refresh_release(%L%s)', r, pick('', ', strict => true', ', concurrently => true', ', search => true'))
        WHEN n <= 7 THEN format('SELECT kanon_replace_release(%L, %s%s)', r, pick('k => ' || k, 'recoding => ' || quote_literal(a_recoding()),
            'quasi_identifiers => ' || q), pick('', ', options => ''{"redraw": true}'''))
        WHEN n <= 8 THEN format('REFRESH MATERIALIZED VIEW %s', r)
        WHEN n <= 9 THEN format('REFRESH MATERIALIZED VIEW %s%s', r, pick('', ' WITH NO DATA'))
        WHEN n <= 10 THEN format('SELECT kanon_refresh_release(%L), kanon_refresh_release(%L), kanon_refresh_release(%L)',
            r, a_release(), r)
        WHEN n <= 11 THEN format('SELECT kanon_drop_release(%L)', r)
        WHEN n <= 12 THEN format('DROP MATERIALIZED VIEW %s', r)
        WHEN n <= 13 THEN format('SELECT kanon_create_dimension(%L, %L, %L, %s)', d, t, a_column(t),
            pick('''ranges'', ''{5,10}''', '''digits''', '''suppress''', '''quantiles'', ''{2,4}''', '''dates'', ''{month,year}'''))
        WHEN n <= 14 THEN format('SELECT kanon_set_attribute(%L, %L, %s)', t, a_column(t),
            pick('''quasi_identifier''', '''quasi_identifier'', weight => 2', '''sensitive''', '''identifier'''))
        WHEN n <= 15 THEN format('SELECT kanon_set_attribute(%L, %L, ''quasi_identifier'', %L)', t, a_column(t), d)
        WHEN n <= 16 THEN format('SELECT kanon_unset_attribute(%L, %L)', t, a_column(t))
        WHEN n <= 17 THEN format('SELECT count(*) FROM kanon_incognito(%L, %s, %s, %s, algorithm => %L, metrics => %s)', t, k, q,
            models(t), pick('basic', 'superroots', 'cube', 'two_way'), pick('true', 'false'))
        WHEN n <= 18 THEN format('SELECT count(*) FROM %s(%L, %s, %s)', pick('kanon_bottom_up', 'kanon_binary_search', 'kanon_datafly'), t, k, q)
        WHEN n <= 19 THEN 'SELECT count(*) FROM kanon_last_search()'
        WHEN n <= 20 THEN format('SELECT kanon_check(%L, %s, %s, %s)', pick(t, r), k, q, models(t))
        WHEN n <= 21 THEN format('SELECT kanon_check(%L, %s)', r, k)
        WHEN n <= 22 THEN format('SELECT count(*) FROM kanon_classes(%L, %s, %s)', pick(t, r), k, q)
        WHEN n <= 23 THEN format('SELECT kanon_quality(%L, %L)', r, t)
        WHEN n <= 24 THEN format('SELECT kanon_check_matchings(%L, %s, %L)', r, k, t)
        WHEN n <= 25 THEN format('SELECT kanon_matching_bound(%L, %s, %s)', t, k, q)
        WHEN n <= 26 THEN format('SELECT kanon_risk(%L, %s)', t, q)
        WHEN n <= 27 THEN format('SELECT count(*) FROM kanon_sample_uniques(%L)', t)
        WHEN n <= 28 THEN format('SELECT kanon_generalized_query(%L, ''{1,0}'', %s, %s)', t, k, q)
        WHEN n <= 29 THEN format('SELECT count(*) FROM (SELECT %s%s, t, %s) OVER () FROM %s t) s',
            pick('kanon_mondrian(', 'kanon_ring(', 'kanon_two_phase(', format('kanon_view_cells(%L, ', a_recoding())), k, q, t)
        WHEN n <= 30 THEN format('SELECT count(kanon_view_cell(s.cells, ''class'', 0)) FROM (SELECT kanon_view_cells(''mondrian'', %s, t, %s) OVER () AS cells FROM %s t) s', k, q, t)
        WHEN n <= 31 THEN format('SELECT count(kanon_leaf(s.tree, t)), count(kanon_region(s.tree, t)) FROM %s t, (SELECT %s AS tree OFFSET 0) s', t,
            pick(format('(SELECT kanon_mondrian_tree(%s, t, %s) FROM %s t)', k, q, t), format('kanon_grow_tree(%L, %s, %s)', t, k, q)))
        WHEN n >= 34 THEN format('SELECT kanon_create_dimension(%L, %L, %L, ''suppress'')', d, t, a_column(t))
        WHEN n <= 32 THEN format('SELECT count(*) FROM kanon_check_dimension(%L, %L, %L)', d, t, a_column(t))
        ELSE format('SELECT kanon_query_errors(%L, ARRAY[%L], %L)', r, a_column(t) || ' is null', t)
    END;
END $$;

-- What users do with plain SQL under kanon's feet.
CREATE FUNCTION change() RETURNS SETOF text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    t text := 't' || 1 + die(4);
    d text := 'd' || 1 + die(4);
    r text := a_release();
    c text := a_column(t);
BEGIN
    RETURN QUERY SELECT unnest(CASE die(18)
        WHEN 0 THEN ARRAY[format('DROP TABLE IF EXISTS %s CASCADE', t), table_text(t)]
        WHEN 2 THEN ARRAY[format('DROP TABLE %s %s', d, pick('', 'CASCADE'))]
        WHEN 3 THEN ARRAY[format('ALTER TABLE %s DROP COLUMN %s %s', t, c, pick('', 'CASCADE'))]
        WHEN 4 THEN ARRAY[format('ALTER TABLE %s ADD COLUMN c%s %s', t, 7 + die(9), pick('int DEFAULT 3', 'text', 'date'))]
        WHEN 5 THEN ARRAY[format('ALTER TABLE %s RENAME %s TO c%s', t, c, 1 + die(15))]
        WHEN 6 THEN ARRAY[format('ALTER TABLE %s ALTER %s TYPE text', t, c)]
        WHEN 7 THEN ARRAY[format('ALTER TABLE %s RENAME TO t9', t), format('ALTER TABLE t9 RENAME TO %s', t)]
        WHEN 8 THEN ARRAY[format('ALTER MATERIALIZED VIEW %s RENAME TO r9', r), format('ALTER MATERIALIZED VIEW r9 RENAME TO %s', r)]
        WHEN 9 THEN ARRAY[format('TRUNCATE %s', pick(t, d))]
        WHEN 10 THEN ARRAY[format('DELETE FROM %s WHERE id %% 3 = %s', t, die(3))]
        WHEN 11 THEN ARRAY[format('INSERT INTO %s (id) SELECT generate_series(1, 20)', t)]
        WHEN 12 THEN ARRAY[format('INSERT INTO %s SELECT * FROM %s LIMIT 50', t, t)]
        WHEN 13 THEN ARRAY[format('ALTER TABLE %s RENAME TO d9', d), format('ALTER TABLE d9 RENAME TO %s', d)]
        WHEN 14 THEN ARRAY[format('DO $do$BEGIN EXECUTE (SELECT format(''ALTER TABLE %s DROP COLUMN %%I CASCADE'', attname) FROM pg_attribute WHERE attrelid = %L::regclass AND attnum > 1 AND NOT attisdropped LIMIT 1); END$do$', d, d)]
        WHEN 15 THEN ARRAY['VACUUM kanon_attribute, kanon_release']
        WHEN 16 THEN ARRAY[format('ALTER MATERIALIZED VIEW %s RENAME COLUMN %s TO z%s', r, c, die(9))]
        ELSE ARRAY[format('ANALYZE %s', t)]
    END);
END $$;

CREATE FUNCTION either() RETURNS text LANGUAGE sql VOLATILE AS
$$SELECT CASE die(3) WHEN 0 THEN (SELECT c FROM change() c WHERE c !~ '^VACUUM' LIMIT 1) ELSE call() END$$;

-- A release is proved against the rows that it was just made of.
CREATE FUNCTION prove(release text) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    entry kanon_release;
BEGIN
    SELECT * INTO entry FROM kanon_release e WHERE e.release = to_regclass(prove.release);
    IF entry.rows IS NULL OR entry.rows = 0 THEN
        RETURN 'nothing to prove';
    END IF;
    IF entry.classes IS NULL THEN
        IF NOT (SELECT satisfied FROM kanon_check_matchings(entry.release, entry.k, entry.relation)) THEN
            RETURN 'PROBLEM: no matchings in release ' || prove.release;
        END IF;
    -- Of a dimension that was declared after the release was made only what reads it knows: its
    -- values are of the domain then, which shows where it lacks others.
    ELSIF entry.levels IS NULL AND NOT EXISTS (SELECT FROM kanon_attribute a, kanon_check_dimension(a.dimension, a.relation, a.attribute)
                                               WHERE a.relation = entry.relation AND a.attribute = ANY (entry.quasi_identifiers) AND a.dimension IS NOT NULL)
          AND abs(entry.loss - (SELECT q.loss FROM kanon_quality(entry.release, entry.relation) q)) > 1e-9 THEN
        RETURN format('PROBLEM: release %s lost %s, recorded is %s', prove.release, (SELECT q.loss FROM kanon_quality(entry.release, entry.relation) q), entry.loss);
    ELSIF NOT (SELECT satisfied FROM kanon_check(entry.release, entry.k)) THEN
        RETURN 'PROBLEM: classes below k in release ' || prove.release;
    END IF;
    RETURN 'proved';
END $$;

-- The statements of one step, the same for the same arguments and the same tables.
CREATE FUNCTION step(seed int, client int, number int) RETURNS SETOF text LANGUAGE plpgsql VOLATILE
SET search_path = kanon_sequence, public AS $$
DECLARE
    t text;
    r text;
    missing text;
BEGIN
    PERFORM setseed(('x' || substr(md5(format('%s/%s/%s', seed, client, number)), 1, 7))::bit(28)::int / 268435456.0);
    -- What was dropped for good comes back, so that there is always something to work on.
    FOREACH missing IN ARRAY ARRAY['t1', 't2', 't3', 't4'] LOOP
        IF to_regclass(missing) IS NULL THEN
            RETURN NEXT table_text(missing);
            RETURN NEXT 'DROP TABLE IF EXISTS t9 CASCADE';
        END IF;
    END LOOP;
    t := 't' || 1 + die(4);
    IF (SELECT count(*) FROM pg_class WHERE relkind = 'm') < 3 THEN
        RETURN NEXT format('SELECT kanon_create_release(%L, %L, 2, %L, quasi_identifiers => %L)', 'r' || 1 + die(5), t,
            a_recoding(), some_columns(t));
    END IF;
    -- In memory, from counts on disk, or from samples.
    IF die(3) = 0 THEN
        RETURN NEXT 'SET kanon.partitioning = ' || pick('auto', 'tree', 'sample');
    END IF;
    r := a_release();
    CASE die(21)
        WHEN 0, 1, 2, 3, 4, 5 THEN
            RETURN NEXT call();
        WHEN 6, 7, 8 THEN
            RETURN QUERY SELECT change();
        WHEN 9, 10 THEN
            RETURN NEXT 'BEGIN ISOLATION LEVEL ' || pick('READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE');
            RETURN NEXT format('SELECT pg_sleep(%s)', 0.01 * die(4));
            FOR i IN 0 .. die(4) LOOP
                RETURN NEXT either();
            END LOOP;
            RETURN NEXT pick('COMMIT', 'COMMIT', 'ROLLBACK');
        WHEN 11, 12 THEN
            RETURN NEXT 'BEGIN';
            RETURN NEXT call();
            RETURN NEXT 'SAVEPOINT s';
            RETURN NEXT either();
            RETURN NEXT 'ROLLBACK TO s';
            RETURN NEXT either();
            RETURN NEXT pick('COMMIT', 'COMMIT', 'ROLLBACK');
        WHEN 13, 14 THEN -- a cancel, sooner or later
            RETURN NEXT format('SET statement_timeout = %s', 1 + die(15));
            RETURN NEXT call();
            RETURN NEXT 'RESET statement_timeout';
        WHEN 15 THEN
            RETURN NEXT 'BEGIN ISOLATION LEVEL REPEATABLE READ';
            RETURN NEXT format('SELECT kanon_refresh_release(%L%s)', r, pick('', ', concurrently => true'));
            RETURN NEXT format('SELECT kanon_sequence.prove(%L)', r);
            RETURN NEXT 'COMMIT';
        WHEN 16 THEN -- a query left half read, with others in between
            RETURN NEXT 'BEGIN';
            RETURN NEXT format('DECLARE half CURSOR FOR SELECT kanon_view_cells(''mondrian'', 2, t, %s) OVER () FROM t%s t', quasi('t' || 1 + die(4)), 1 + die(4));
            RETURN NEXT 'FETCH 3 FROM half';
            RETURN NEXT either();
            RETURN NEXT 'FETCH 3 FROM half';
            RETURN NEXT 'COMMIT';
        WHEN 19 THEN -- which commits after each
            RETURN NEXT format('CALL kanon_refresh_releases(%L, strict => %s, concurrently => %s)', pick('r_', 'r_', 'public.r%', r), pick('true', 'false'), pick('true', 'false'));
        WHEN 17 THEN -- a plan that outlives what it reads
            RETURN NEXT format('PREPARE kept AS SELECT count(*) FROM kanon_incognito(%L, 2), (SELECT kanon_mondrian(2, t) OVER () FROM t%s t) s', 't' || 1 + die(4), 1 + die(4));
            RETURN NEXT 'EXECUTE kept';
            RETURN QUERY SELECT change();
            RETURN NEXT 'EXECUTE kept';
            RETURN NEXT 'DEALLOCATE kept';
        WHEN 18 THEN
            RETURN NEXT pick('SET work_mem = ''64kB''', 'SET work_mem = ''4MB''', 'SET kanon.memory_limit = ''256kB''',
                'RESET kanon.memory_limit', 'SET jit_above_cost = 0', 'SET jit_above_cost = 100000',
                'SET kanon.ground_scan = group_by', 'RESET kanon.ground_scan', 'SET plan_cache_mode = force_generic_plan',
                (SELECT format('SET %s = %s', name, pick('regress', 'on', 'off')) FROM pg_settings
                    WHERE name IN ('force_parallel_mode', 'debug_parallel_query')));
        ELSE
            -- all in one statement, in any order, some twice
            RETURN NEXT 'SELECT ' || coalesce((SELECT string_agg(format('kanon_refresh_release(%L)', relname), ', ' ORDER BY random())
                FROM pg_class, generate_series(1, 3) WHERE relkind = 'm' AND relname ~ '^r[1-5]$'), '0');
    END CASE;
END $$;

-- Does the release draw?  NULL where it is dropped just now, for which pg_get_viewdef has XX000.
CREATE FUNCTION deals(release oid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RETURN pg_get_viewdef(release) ~ 'kanon_view_seed';
EXCEPTION WHEN internal_error OR undefined_table THEN
    RETURN NULL;
END $$;

-- What is wrong with a release's rows: by plain SQL.
CREATE FUNCTION wrong_release(entry kanon_release, alone boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    held bigint;
    smallest bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_class WHERE oid = entry.release) OR entry.release::text = entry.release::oid::text THEN
        RETURN NULL;
    END IF;
    EXECUTE format('SELECT coalesce(sum(n), 0), min(n) FROM (SELECT count(*) AS n FROM %s GROUP BY %s HAVING count(*) > 0) c', entry.release,
        coalesce((SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute WHERE attrelid = entry.release AND attnum = ANY (SELECT array_position(entry.columns, q) FROM unnest(entry.quasi_identifiers) q)), '()'))
        INTO held, smallest;
    IF alone AND held IS DISTINCT FROM entry.rows THEN
        RETURN format('release %s has %s rows, recorded are %s', entry.release, held, entry.rows);
    END IF;
    IF NOT deals(entry.release) AND smallest < entry.k THEN
        RETURN format('release %s has a class of %s rows', entry.release, smallest);
    END IF;
    RETURN NULL;
EXCEPTION
    -- Dropped or emptied by another session since it was found, or waited for too long.
    WHEN undefined_table OR undefined_column OR object_not_in_prerequisite_state OR lock_not_available OR deadlock_detected THEN
        RETURN NULL;
END $$;

-- Does the history know what a release holds?
CREATE FUNCTION wrong_digest(release_found regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    last kanon_release_history;
BEGIN
    SELECT * INTO last FROM kanon_release_history h WHERE h.release = release_found AND h.error IS NULL ORDER BY number DESC LIMIT 1;
    RETURN CASE WHEN last.digest <> kanon_digest(release_found) THEN format('release %s holds other rows than it had when it was %s', release_found, last.how) END;
END $$;

-- What must never be seen, one line each.  alone: no other session is at work.  Of the history, the
-- table: rows of the view may themselves take a temporary file.
CREATE FUNCTION problems(alone boolean) RETURNS SETOF text LANGUAGE sql
SET search_path = kanon_sequence, public AS $$
SELECT 'PROBLEM: ' || wrong FROM (
    SELECT 'release of nothing: ' || r.release::oid AS wrong FROM kanon_release r WHERE NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = r.release)
    UNION ALL SELECT 'release without relation: ' || r.release FROM kanon_release r WHERE NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = r.relation)
    UNION ALL SELECT 'seed of nothing: ' || s.release::oid FROM kanon_seed s WHERE NOT EXISTS (SELECT FROM kanon_release r WHERE r.release = s.release)
    UNION ALL SELECT 'release without seed: ' || r.release FROM kanon_release r WHERE deals(r.release)
        AND NOT EXISTS (SELECT FROM kanon_seed s WHERE s.release = r.release)
    UNION ALL SELECT 'attribute of nothing: ' || a.relation::oid || ' ' || a.attribute FROM kanon_attribute a
        WHERE NOT EXISTS (SELECT FROM pg_attribute c WHERE c.attrelid = a.relation AND c.attname = a.attribute AND NOT c.attisdropped)
    UNION ALL SELECT 'dimension of nothing: ' || a.dimension::oid FROM kanon_attribute a
        WHERE a.dimension IS NOT NULL AND NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = a.dimension)
    UNION ALL SELECT 'history of nothing: ' || h.release::oid FROM kanon_release_history_state h WHERE NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = h.release) AND h.release IS NOT NULL
    UNION ALL SELECT 'unfinished history of ' || h.name FROM kanon_release_history_state h WHERE h.seconds IS NULL AND h.error IS NULL
    UNION ALL SELECT 'release without history: ' || r.release FROM kanon_release r WHERE NOT EXISTS (SELECT FROM kanon_release_history_state h WHERE h.release = r.release AND h.digest IS NOT NULL)
    UNION ALL SELECT wrong_digest(r.release) FROM kanon_release r JOIN pg_class c ON c.oid = r.release WHERE c.relispopulated AND alone
    UNION ALL SELECT 'unrecorded: ' || c.oid::regclass FROM pg_class c WHERE c.relkind = 'm'
        AND NOT EXISTS (SELECT FROM kanon_release r WHERE r.release = c.oid)
    UNION ALL SELECT wrong_release(r, alone) FROM kanon_release r JOIN pg_class c ON c.oid = r.release WHERE c.relispopulated
    UNION ALL SELECT 'temporary file ' || name FROM pg_ls_tmpdir() WHERE alone) w
WHERE wrong IS NOT NULL
$$;

SELECT setseed(0.5);
SELECT table_text('public.t' || i) FROM generate_series(1, 4) i \gexec
