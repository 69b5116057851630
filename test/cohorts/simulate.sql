-- simulate.sql
--	People who come, leave, return and change, night after night, and releases by cohorts of
--	them.  A world holds what everybody is and would tell on every night, present or not; play
--	publishes it and keeps every copy, row by row as it lies in the release.  What a reader makes of
--	the copies is in attack.sql.
CREATE SCHEMA sim;

CREATE TABLE sim.world (
    person  int,
    night   int,
    key     text,     -- null, or that of another, on some nights
    present boolean,
    age     int,
    zip     text,
    value   text,     -- what nobody may find out
    tag     text,     -- published, too: whose row it is and when it was read, in cipher; or null
    PRIMARY KEY (person, night));
-- A release without a column has '*' there.
CREATE TABLE sim.copy (run text, night int, narrow boolean, place bigint, content text, age text, zip text, value text, tag text);
CREATE TABLE sim.member (run text, night int, key text, cell bigint, shown boolean);
CREATE TABLE sim.zips AS
    SELECT lpad(z::text, 5, '0') AS zip, left(lpad(z::text, 5, '0'), 3) || '**' AS zip3
    FROM generate_series(53700, 53760) z;

-- A number in [0, 1) that depends on its arguments alone.
CREATE FUNCTION sim.chance(VARIADIC what text[]) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
    SELECT (('x' || left(md5(array_to_string(what, '/')), 8))::bit(32)::bigint & 2147483647) / 2147483648.0
$$;

-- A key, as the state has it.
CREATE FUNCTION sim.digest(secret bytea, key text) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
    SELECT substr(sha256(secret || convert_to(key, 'UTF8')), 1, 16)
$$;

-- What rows of a person have in common, which tells nobody who it is.
CREATE FUNCTION sim.cipher(salt text, key text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT left(md5(salt || key), 12)';

-- So many people on so many nights.  churn: the share that leaves each night; some of them return.
-- Now and then quasi-identifiers and values change, and a key is null or that of another, unless
-- they are sound.  Tagged rows tell which of them are of one person, and when they were read.
CREATE FUNCTION sim.make_world(seed int, people int, nights int, churn float8, tagged boolean, sound_keys boolean DEFAULT false)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    TRUNCATE sim.world;
    INSERT INTO sim.world
    WITH RECURSIVE life AS (
        SELECT p AS person, 1 AS night,
            sim.chance(seed::text, 'there', p::text) < 0.7 AS present,
            20 + (60 * sim.chance(seed::text, 'age', p::text))::int AS age,
            53700 + floor(60 * sim.chance(seed::text, 'zip', p::text))::int AS zip,
            0 AS version
        FROM generate_series(1, people) p
        UNION ALL
        SELECT l.person, l.night + 1,
            CASE WHEN l.present THEN sim.chance(seed::text, 'leave', l.person::text, l.night::text) >= churn
                 ELSE sim.chance(seed::text, 'come', l.person::text, l.night::text) < 1.5 * churn END,
            CASE WHEN sim.chance(seed::text, 'older', l.person::text, l.night::text) < 0.01 THEN l.age + 1 ELSE l.age END,
            CASE WHEN sim.chance(seed::text, 'move', l.person::text, l.night::text) < 0.01
                 THEN 53700 + floor(60 * sim.chance(seed::text, 'to', l.person::text, l.night::text))::int ELSE l.zip END,
            CASE WHEN sim.chance(seed::text, 'update', l.person::text, l.night::text) < 0.1 THEN l.version + 1 ELSE l.version END
        FROM life l WHERE l.night < nights)
    SELECT person, night,
        CASE WHEN sound_keys THEN 'key' || person
             WHEN sim.chance(seed::text, 'nokey', person::text, night::text) < 0.003 THEN NULL
             WHEN sim.chance(seed::text, 'twice', person::text, night::text) < 0.003 THEN 'key' || (person % people + 1)
             ELSE 'key' || person END,
        present,
        CASE WHEN sim.chance(seed::text, 'noage', person::text) < 0.02 THEN NULL ELSE age END,
        lpad(zip::text, 5, '0'),
        CASE WHEN sim.chance(seed::text, 'novalue', person::text, version::text) < 0.05 THEN NULL
             ELSE 'd' || floor(6 * sim.chance(seed::text, 'value', person::text, version::text)) END,
        CASE WHEN tagged THEN sim.cipher('tag', 'key' || person) || ':' || night END
    FROM life;
END $$;

-- The rows of one night, in an order of their own.  Whoever has the key of another has that one's
-- values, too: a history goes with a key.  With a salt values and tags are invented.
CREATE FUNCTION sim.turn(source regclass, tonight int, salt text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('TRUNCATE %s', source);
    EXECUTE format('INSERT INTO %s SELECT w.key, w.age, w.zip,'
        ' CASE WHEN $3 IS NOT NULL THEN sim.cipher($3 || $3, w.key) WHEN w.key IS NULL THEN w.value ELSE h.value END,'
        ' CASE WHEN $3 IS NOT NULL THEN sim.cipher($3, w.key) || '':'' || $1 ELSE h.tag END'
        ' FROM sim.world w LEFT JOIN sim.world h ON h.night = w.night AND h.person = substr(w.key, 4)::int'
        ' WHERE w.night = $1 AND w.present ORDER BY md5(w.person || $2 || $1)', source) USING tonight, source::text, salt;
END $$;

-- Begins a run: a table of its name, whose releases are of the recoding; with the given arguments
-- of cohorts, and a secret that all runs share.  narrow: a second release, of fewer columns.
CREATE FUNCTION sim.begin(run text, k int, arguments text, narrow boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TABLE sim.%I (key text, age int, zip text, value text, tag text)', run);
    PERFORM kanon_declare(format('sim.%I', run)::regclass, identifiers => '{key}', sensitive => '{value}', insensitive => '{tag}',
        quasi_identifiers => '{age, zip}');
    PERFORM kanon_set_attribute(format('sim.%I', run)::regclass, 'zip', 'quasi_identifier', 'sim.zips');
    EXECUTE format('SELECT kanon_create_release(%L, %L, %s, %s)', 'sim.' || run || '_release', 'sim.' || run, k, arguments);
    IF narrow THEN
        EXECUTE format('SELECT kanon_create_release(%L, %L, %s, %s, quasi_identifiers => ''{age}'')', 'sim.' || run || '_narrow', 'sim.' || run, k, arguments);
    END IF;
    UPDATE kanon_cohort_state SET secret = sha256('secret') WHERE relation = format('sim.%I', run)::regclass;
END $$;

-- One night more: refreshed, and the copies kept.
CREATE FUNCTION sim.night(run text, tonight int, narrow boolean, salt text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sim.turn(format('sim.%I', run)::regclass, tonight, salt);
    PERFORM kanon_refresh_release(format('sim.%I', run || '_release')::regclass);
    EXECUTE format('INSERT INTO sim.copy SELECT $1, $2, false, row_number() OVER (ORDER BY ctid), r::text, age::text, zip::text, value, tag'
        ' FROM sim.%I r', run || '_release') USING run, tonight;
    IF narrow THEN
        EXECUTE format('INSERT INTO sim.copy SELECT $1, $2, true, row_number() OVER (ORDER BY ctid), r::text, age::text, ''*'', value, tag'
            ' FROM sim.%I r', run || '_narrow') USING run, tonight;
    END IF;
    INSERT INTO sim.member
    SELECT run, tonight, w.key, m.cell, c.shown
    FROM (SELECT DISTINCT 'key' || person AS key FROM sim.world) w
         JOIN kanon_cohort_member m ON m.digest = sim.digest(sha256('secret'), w.key)
         JOIN kanon_cohort s ON s.number = m.cohort AND s.relation = format('sim.%I', run)::regclass
         JOIN kanon_cohort_cell c ON c.cohort = m.cohort AND c.cell = m.cell;
END $$;

CREATE FUNCTION sim.play(run text, k int, arguments text, narrow boolean DEFAULT false, salt text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    last int := (SELECT max(night) FROM sim.world);
BEGIN
    SET LOCAL client_min_messages = error;
    PERFORM sim.begin(run, k, arguments, narrow);
    FOR tonight IN 1..last LOOP
        PERFORM sim.night(run, tonight, narrow, salt);
    END LOOP;
END $$;

-- Whole histories of values change hands within the final cells of a run, and among all who were
-- never published.
CREATE FUNCTION sim.permute(of_run text, seed int) RETURNS void LANGUAGE sql AS $$
    WITH grouped AS (
        SELECT p.person, m.cell,
            row_number() OVER (PARTITION BY m.cell ORDER BY p.person) AS place,
            row_number() OVER (PARTITION BY m.cell ORDER BY sim.chance(seed::text, 'permute', p.person::text)) AS drawn
        FROM (SELECT DISTINCT person FROM sim.world) p
             LEFT JOIN sim.member m ON m.run = of_run AND m.night = (SELECT max(night) FROM sim.world)
                AND m.key = 'key' || p.person)
    UPDATE sim.world w SET value = o.value, tag = o.tag
    FROM grouped a JOIN grouped b ON a.cell IS NOT DISTINCT FROM b.cell AND a.place = b.drawn
         JOIN sim.world o ON o.person = b.person
    WHERE w.person = a.person AND w.night = o.night
$$;

-- Rows in which the copies of two runs differ.
CREATE FUNCTION sim.differences(one text, other text) RETURNS bigint LANGUAGE sql AS $$
    SELECT count(*) FROM (SELECT * FROM sim.copy WHERE run = one) a
        FULL JOIN (SELECT * FROM sim.copy WHERE run = other) b USING (night, narrow, place)
    WHERE a.content IS DISTINCT FROM b.content
$$;

-- What must hold of a state whatever happened, in words; nothing if it does.  Nights of the run that
-- were kept tell of the past.
CREATE FUNCTION sim.problems(of_run text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    state kanon_cohort;
    shown bigint;
    rows bigint;
BEGIN
    SELECT * INTO state FROM kanon_cohort WHERE relation = format('sim.%I', of_run)::regclass;
    RETURN QUERY SELECT format('cell %s has %s members', m.cell, count(*))
        FROM kanon_cohort_member m WHERE m.cohort = state.number AND m.cell IS NOT NULL GROUP BY m.cell HAVING count(*) < state.k;
    RETURN QUERY SELECT format('a member of cell %s, which is not there', m.cell)
        FROM kanon_cohort_member m LEFT JOIN kanon_cohort_cell c USING (cohort, cell)
        WHERE m.cohort = state.number AND m.cell IS NOT NULL AND c.cell IS NULL;
    RETURN QUERY SELECT format('cell %s has no members', c.cell)
        FROM kanon_cohort_cell c LEFT JOIN kanon_cohort_member m USING (cohort, cell) WHERE c.cohort = state.number AND m.cell IS NULL;
    RETURN QUERY SELECT format('cell %s has %s of %s people present, and %s members', c.cell, c.present, c.people, count(*))
        FROM kanon_cohort_cell c JOIN kanon_cohort_member m USING (cohort, cell) WHERE c.cohort = state.number
        GROUP BY c.cohort, c.cell HAVING c.people <> count(*) OR c.present NOT BETWEEN 0 AND c.people;
    RETURN QUERY SELECT format('a member of cell %s without values', m.cell)
        FROM kanon_cohort_member m WHERE m.cohort = state.number AND m.cell IS NOT NULL AND m.values IS NULL;
    RETURN QUERY SELECT format('cell %s is beyond the last one', c.cell)
        FROM kanon_cohort_cell c WHERE c.cohort = state.number AND c.cell > state.cells;
    RETURN QUERY SELECT format('night %s: people of cells %s are together in cell %s', now.night, array_agg(DISTINCT before.cell), now.cell)
        FROM sim.member now LEFT JOIN sim.member before
            ON before.run = of_run AND before.night = now.night - 1 AND before.key = now.key
        WHERE now.run = of_run GROUP BY now.night, now.cell
        HAVING count(DISTINCT coalesce(before.cell, 0)) > 1;
    -- With models "value" is the sensitive column, which a cell that fails does not publish.
    RETURN QUERY SELECT format('cell %s fails %s', m.cell, state.models)
        FROM kanon_cohort_member m WHERE m.cohort = state.number AND m.cell IS NOT NULL GROUP BY m.cell
        HAVING count(m.values[array_position(state.columns, 'value')]) > 0
            AND count(DISTINCT coalesce(m.values[array_position(state.columns, 'value')], '')) < substring(state.models FROM 'distinct\(value, (\d+)\)')::int;
    SELECT count(*) INTO shown FROM kanon_cohort_member m JOIN kanon_cohort_cell c USING (cohort, cell)
        WHERE c.shown AND c.cohort = state.number;
    EXECUTE format('SELECT count(*) FROM sim.%I', of_run || '_release') INTO rows;
    IF shown <> rows THEN
        RETURN NEXT format('%s rows of %s are published', rows, shown);
    END IF;
END $$;
