-- Nights: a table that lives, and releases of it that are refreshed each night.  People arrive,
-- leave, return and change; keys change, are NULL or those of others; values come that no dimension
-- knows; dimensions are edited; columns are renamed; now and then next to nobody is left.  The first
-- case lasts a year, or its first 60 nights if time is short, others as a rule twenty nights.  No refresh fails but those that would deal
-- anew what was dealt once, and after each the promises hold, by plain SQL.
--
-- Makes its own tables: resident, zips, ages, days, jobs.
SET search_path = kanon_property;
SET check_function_bodies = off;

CREATE FUNCTION add_residents(rows int, night int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    nulls float8 := CASE WHEN chance(0.7) THEN 0 ELSE 0.2 END;
    new_values boolean := chance(0.2);
BEGIN
    INSERT INTO resident (id, key, age, zip, seen, job, illness, night)
    SELECT n, n, CASE WHEN NOT chance(nulls) THEN 20 + pick(CASE WHEN new_values THEN 200 ELSE 40 END) END,
        CASE WHEN NOT chance(nulls) THEN (53700 + pick(CASE WHEN new_values THEN 2000 ELSE 30 END))::text END,
        CASE WHEN NOT chance(nulls) THEN date '2024-01-01' + pick(60) + night END,
        CASE WHEN new_values AND chance(0.3) THEN 'new job ' || pick(3) WHEN NOT chance(nulls) THEN 'job ' || pick(8) END,
        'illness ' || pick(3), night
    FROM generate_series((SELECT coalesce(max(id), 0) + 1 FROM resident), (SELECT coalesce(max(id), 0) + rows FROM resident)) n;
    UPDATE resident SET sex = CASE WHEN chance(0.1) THEN NULL WHEN chance(0.5) THEN 'f' ELSE 'm' END WHERE sex IS NULL AND resident.night = add_residents.night;
END $$;

CREATE FUNCTION make_residents(k int) RETURNS name[] LANGUAGE plpgsql AS $$
DECLARE
    names name[] := ARRAY(SELECT n FROM unnest('{age,zip,seen,sex,job}'::name[]) n WHERE chance(0.6));
BEGIN
    CREATE TABLE resident (id int, key int, age int, zip text, seen date, sex text, job text, illness text, night int);
    CREATE TABLE gone (LIKE resident);
    PERFORM add_residents(3 * k + pick(60), 0);
    names := CASE WHEN names = '{}' THEN '{zip}' ELSE names END;
    CREATE TABLE jobs AS SELECT 'job ' || n AS job, 'trade ' || n / 2 AS trade, CASE WHEN n < 4 THEN 'hand' ELSE 'head' END AS kind, 'any' AS everything FROM generate_series(0, 7) n;
    PERFORM kanon_create_dimension('zips', 'resident', 'zip', 'digits'),
        kanon_create_dimension('ages', 'resident', 'age', (ARRAY['ranges', 'quantiles', 'suppress'])[1 + n], (ARRAY['{5,20}', '{6,2}', '{}'])[1 + n]::text[]),
        kanon_create_dimension('days', 'resident', 'seen', 'dates', '{month,year}')
    FROM pick(3) n;
    PERFORM kanon_unset_attribute('resident', n) FROM unnest('{age,zip,seen}'::name[]) n;
    PERFORM kanon_set_attribute('resident', n, 'quasi_identifier',
        CASE WHEN n = 'job' THEN 'jobs' WHEN chance(0.7) THEN CASE n WHEN 'zip' THEN 'zips' WHEN 'age' THEN 'ages' WHEN 'seen' THEN 'days' END END::regclass)
    FROM unnest(names) n;
    PERFORM kanon_set_attribute('resident', 'illness', 'sensitive');
    RETURN names;
END $$;

-- One release of each kind that the case draws; their names say which.
CREATE FUNCTION release_residents(k int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF chance(0.4) THEN
        PERFORM kanon_create_release('night_domain', 'resident', k, 'full_domain', suppression => 0.3);
    END IF;
    IF chance(0.4) THEN
        PERFORM kanon_create_release('night_domain_model', 'resident', k, 'full_domain', models => 'distinct(illness, 2)', suppression => 0.3);
    END IF;
    IF chance(0.5) THEN
        PERFORM kanon_create_release('night_mondrian', 'resident', k, (ARRAY['local', 'mondrian', 'relaxed_mondrian'])[1 + pick(3)]);
    END IF;
    IF chance(0.5) THEN
        PERFORM kanon_create_release('night_mondrian_model', 'resident', k, 'mondrian', models => 'distinct(illness, 2)');
    END IF;
    IF chance(0.4) THEN
        PERFORM kanon_create_release('night_drawn', 'resident', k, CASE WHEN chance(0.5) THEN 'ring' ELSE 'two_phase' END, options => '{"redraw": true}');
    END IF;
    IF chance(0.3) THEN
        PERFORM kanon_create_release('night_dealt', 'resident', k, CASE WHEN chance(0.5) THEN 'ring' ELSE 'two_phase' END);
    END IF;
    -- What became of a table of that name before is for ever, unless this is allowed.
    IF chance(0.5) AND has_table_privilege('kanon_cohort_state', 'DELETE') THEN
        DELETE FROM kanon_cohort_state WHERE relation IS NULL;
        PERFORM kanon_create_release('night_cohorts', 'resident', k, 'cohorts', options => jsonb_build_object('key', 'key', 'wait', pick(4), 'target_loss', 0.5 * random(), 'leavers', CASE WHEN chance(0.5) THEN 'keep' ELSE 'withhold' END, 'stale', 0.5 * random()));
    END IF;
EXCEPTION WHEN check_violation OR invalid_parameter_value THEN
    NULL; -- no generalization satisfies the models, or there are fewer than k rows
END $$;

-- What happens between two nights; says what it was.
CREATE FUNCTION live(k int, night int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    what int := pick(14);
BEGIN
    CASE what
        WHEN 0, 1, 2 THEN PERFORM add_residents(1 + pick(6), night);
        WHEN 3, 4 THEN
            INSERT INTO gone SELECT * FROM resident WHERE chance(0.05);
            DELETE FROM resident WHERE id IN (SELECT id FROM gone);
        WHEN 5 THEN
            WITH back AS (DELETE FROM gone WHERE chance(0.3) RETURNING *) INSERT INTO resident SELECT * FROM back;
        WHEN 6 THEN UPDATE resident SET age = age + 1, zip = (53700 + pick(40))::text WHERE chance(0.05);
        WHEN 7 THEN UPDATE resident SET illness = 'illness ' || pick(4) WHERE chance(0.1);
        WHEN 8 THEN
            UPDATE resident SET key = CASE pick(3) WHEN 0 THEN key + 100000 WHEN 1 THEN NULL ELSE 1 + pick(id) END WHERE chance(0.02);
            UPDATE resident SET key = id WHERE key IS DISTINCT FROM id AND chance(0.5);
        WHEN 9 THEN UPDATE resident SET age = NULL, job = NULL WHERE chance(0.05);
        WHEN 10 THEN
            DELETE FROM jobs WHERE chance(0.1);
            DELETE FROM zips WHERE chance(0.05);
        WHEN 11 THEN
            -- Fewer than k are left, and come back some night.
            IF chance(0.2) THEN
                INSERT INTO gone SELECT * FROM resident OFFSET pick(k);
                DELETE FROM resident WHERE id IN (SELECT id FROM gone);
            END IF;
        WHEN 12 THEN
            IF chance(0.5) THEN
                PERFORM kanon_refresh_dimension(d) FROM (SELECT DISTINCT dimension FROM kanon_attribute WHERE relation = 'resident'::regclass AND dimension <> 'jobs'::regclass) known(d);
            ELSE
                UPDATE jobs SET kind = 'head' WHERE trade = 'trade 0';
            END IF;
        ELSE NULL;
    END CASE;
    RETURN what;
END $$;

-- The columns of a release that hold its quasi-identifiers.
CREATE FUNCTION night_columns(made regclass) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY c.n)
    FROM kanon_release r, unnest(r.columns) WITH ORDINALITY c(name, n), pg_attribute a
    WHERE r.release = made AND a.attrelid = made AND a.attnum = c.n AND c.name = ANY (r.quasi_identifiers)
$$;

CREATE FUNCTION night_contents(made regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    contents text;
BEGIN
    EXECUTE format('SELECT string_agg(r::text, E''\n'' ORDER BY r::text) FROM %s r', made) INTO contents;
    RETURN contents;
END $$;

-- What is published of the residents, by whatever name.
CREATE FUNCTION resident_contents(names name[]) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(said, E'\n' ORDER BY said)
    FROM resident r, LATERAL (SELECT jsonb_object_agg(key, value)::text AS said
                              FROM jsonb_each(CASE WHEN to_jsonb(r) ? 'gender' THEN to_jsonb(r) || jsonb_build_object('sex', to_jsonb(r) -> 'gender') ELSE to_jsonb(r) END)
                              WHERE key = ANY (names || 'illness'::name)) p
$$;

CREATE FUNCTION expect_night(made regclass, k int, why text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    known kanon_release;
    held bigint;
    smallest bigint;
    fewest bigint;
    source bigint := (SELECT count(*) FROM resident);
    classes boolean := made::text NOT IN ('night_drawn', 'night_dealt');
BEGIN
    SELECT * INTO known FROM kanon_release WHERE release = made;
    EXECUTE format('SELECT count(*) FROM %s', made) INTO held;
    PERFORM breach(why, format('%s rows, the catalog says %s', held, known.rows), held IS DISTINCT FROM known.rows);
    PERFORM breach(why, format('%s rows of %s', held, source), made::text NOT IN ('night_cohorts', 'night_dealt') AND held > source);
    PERFORM breach(why, format('%s rows and %s missing of %s', held, known.missing, source),
        made::text NOT IN ('night_cohorts', 'night_dealt') AND held + known.missing <> source);
    PERFORM breach(why, format('%s of %s rows are published', held, source), source < k AND made::text <> 'night_dealt' AND made::text <> 'night_cohorts' AND held > 0);
    IF classes THEN
        EXECUTE format('SELECT coalesce(min(n), %s), coalesce(min(d), 2) FROM (SELECT count(*) AS n, count(DISTINCT illness) AS d FROM %s GROUP BY %s) c', k, made, night_columns(made))
            INTO smallest, fewest;
        PERFORM breach(why, format('a class has %s rows', smallest), smallest < k);
        PERFORM breach(why, 'a class has one illness', made::text LIKE '%model' AND fewest < 2);
        PERFORM breach(why, 'kanon_check does not think so', NOT (SELECT satisfied FROM kanon_check(made)));
    ELSIF made::text = 'night_drawn' AND held > 0 THEN
        PERFORM breach(why, 'no ' || k || ' matchings', NOT (SELECT satisfied FROM kanon_check_matchings(made)));
    END IF;
END $$;

-- One refresh in one of its ways.  What was dealt once must be refused, and stay, if the table is
-- another one.
CREATE FUNCTION refresh_night(made regclass, changed boolean, edited boolean, why text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    way int := pick(4);
    before text := night_contents(made);
    name text := made;
    result record;
BEGIN
    IF way = 0 OR made::text = 'night_cohorts' AND way = 1 THEN
        EXECUTE format('REFRESH MATERIALIZED VIEW %s', made);
        PERFORM breach(why, 'what was dealt once is dealt anew', made::text = 'night_dealt' AND changed AND before IS NOT NULL AND night_contents(made) IS NOT NULL);
        RETURN 'REFRESH';
    END IF;
    SELECT * INTO result FROM kanon_refresh_release(made, search => way = 2 AND made::text LIKE '%domain%', concurrently => way = 3);
    -- Levels of other types make another view of that name.
    made := name::regclass;
    PERFORM breach(why, format('it says %s, and holds others', result.rows), result.rows <> (SELECT rows FROM kanon_release WHERE release = made));
    PERFORM breach(why, 'what was dealt once is dealt anew', made::text = 'night_dealt' AND changed AND before IS NOT NULL AND night_contents(made) IS NOT NULL);
    PERFORM breach(why, 'it does not say whether it changed', result.changed <> (before IS DISTINCT FROM night_contents(made)));
    RETURN CASE way WHEN 2 THEN 'searched' WHEN 3 THEN 'concurrently' ELSE 'refreshed' END;
EXCEPTION WHEN object_not_in_prerequisite_state THEN
    PERFORM breach(why, 'refused: ' || SQLERRM, made::text <> 'night_dealt' OR NOT changed AND NOT edited);
    PERFORM breach(why, 'a refused refresh changed something', before IS DISTINCT FROM night_contents(made));
    RETURN 'refused';
END $$;

CREATE FUNCTION check_nights(lasting int) RETURNS void LANGUAGE plpgsql SET client_min_messages = error AS $$
DECLARE
    k int := 2 + pick(4);
    nights int := CASE WHEN chance(0.03) THEN 365 ELSE 20 END;
    names name[] := make_residents(k);
    dealt text := resident_contents(names);
    sex_column name := 'sex';
    happened text;
    edited boolean := false; -- dimensions that what was dealt once goes by
    why text;
    made text; -- by name: new levels of other types make another view
BEGIN
    PERFORM release_residents(k);
    FOR night IN 1 .. coalesce(lasting, nights) LOOP
        IF 'sex' = ANY (names) AND chance(0.02) THEN
            ALTER TABLE resident RENAME sex TO gender;
            sex_column := 'gender';
        END IF;
        IF sex_column = 'sex' THEN
            happened := live(k, night);
            edited := edited OR happened IN ('10', '12');
        END IF;
        FOR made IN SELECT release::text FROM kanon_release WHERE relation = 'resident'::regclass ORDER BY 1 LOOP
            why := format('night %s, %s, k = %s, after %s', night, made, k, happened);
            why := why || ', ' || refresh_night(made::regclass, dealt IS DISTINCT FROM resident_contents(names), edited, why);
            PERFORM expect_night(made::regclass, k, why);
        END LOOP;
        IF sex_column <> 'sex' THEN
            ALTER TABLE resident RENAME gender TO sex;
            sex_column := 'sex';
        END IF;
    END LOOP;
END $$;
