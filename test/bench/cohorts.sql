-- cohorts.sql
--	Nights of a table of people, released by cohorts.  Everything is a hash of a person's number,
--	so every run is the same.
CREATE TABLE patient (LIKE adult);
SELECT declare_columns('patient');
SELECT kanon_unset_attribute('patient', attname) FROM pg_attribute
WHERE attrelid = 'patient'::regclass AND attnum > 0 AND NOT attname = ANY (string_to_array(:'quasi', ' '));
ALTER TABLE patient ADD COLUMN id int;
SELECT kanon_set_attribute('patient', 'id', 'identifier');
ALTER TABLE patient ADD COLUMN disease text;
SELECT kanon_set_attribute('patient', 'disease', 'sensitive');
CREATE TABLE pool AS SELECT row_number() OVER (ORDER BY a::text) AS number, a.* FROM adult a;
CREATE UNIQUE INDEX ON pool (number);
-- What a reader who keeps all copies has seen of everybody: a digest of it.
CREATE TABLE seen_cohorts (digest bytea PRIMARY KEY, pattern text);
CREATE TABLE seen_afresh (id int PRIMARY KEY, pattern text);
CREATE TABLE figure (scenario text, night int, loss float8, afresh float8, stale float8, waiting float8, withheld float8,
    below_k float8, below_k_afresh float8, seconds float8);

CREATE FUNCTION chance(id bigint, night bigint) RETURNS float8 IMMUTABLE LANGUAGE sql AS
    'SELECT (hashint8extended($1, $2) & 1073741823) / 1073741824.0';

CREATE FUNCTION arrive(first int, last int) RETURNS void LANGUAGE sql AS $$
    INSERT INTO patient
    SELECT p.age, p.sex, p.race, p.marital_status, p.education, p.native_country, p.workclass, p.occupation, p.salary_class, i, 'd' || i
    FROM generate_series(first, last) i JOIN pool p ON p.number = 1 + (i * 7919::bigint) % (SELECT count(*) FROM pool)
$$;

CREATE FUNCTION digests_of(state kanon_cohort) RETURNS TABLE (id int, digest bytea) LANGUAGE sql AS $$
    SELECT p.id, substr(sha256(state.secret || convert_to(p.id::text, 'UTF8')), 1, 16) FROM patient p
$$;

-- What tonight's copy adds to what the reader knows.
CREATE FUNCTION look(attack_afresh boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO seen_cohorts
    SELECT m.digest, m.cell::text FROM kanon_cohort_member m JOIN kanon_cohort_cell c USING (cohort, cell) WHERE c.shown
    ON CONFLICT (digest) DO UPDATE SET pattern = md5(seen_cohorts.pattern || '/' || excluded.pattern);
    UPDATE seen_cohorts s SET pattern = md5(pattern || '/') WHERE NOT EXISTS (SELECT 1 FROM kanon_cohort_member m
        JOIN kanon_cohort_cell c USING (cohort, cell) WHERE c.shown AND m.digest = s.digest);
    IF attack_afresh THEN
        INSERT INTO seen_afresh
        SELECT id, class::text FROM (SELECT id, kanon_mondrian(10, p) OVER () AS class FROM patient p) c
        ON CONFLICT (id) DO UPDATE SET pattern = md5(seen_afresh.pattern || '/' || excluded.pattern);
    END IF;
END $$;

CREATE FUNCTION share_below(pattern_of text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    share float8;
BEGIN
    EXECUTE format('SELECT avg((n < 10)::int) FROM (SELECT count(*) OVER (PARTITION BY pattern) AS n FROM %I) x', pattern_of) INTO share;
    RETURN share;
END $$;

CREATE FUNCTION measure(scenario text, night int, seconds float8, attack_afresh boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    state kanon_cohort;
    there bigint := (SELECT count(*) FROM patient);
BEGIN
    SELECT * INTO state FROM kanon_cohort;
    CREATE TEMP TABLE digests AS SELECT * FROM digests_of(state);
    PERFORM kanon_create_release('afresh', 'patient', 10, 'mondrian');
    INSERT INTO figure
    SELECT scenario, night, (SELECT loss FROM kanon_quality('nightly')), (SELECT loss FROM kanon_release WHERE release = 'afresh'::regclass),
        count(*) FILTER (WHERE shown AND d.id IS NULL)::float8 / nullif(count(*) FILTER (WHERE shown), 0),
        count(*) FILTER (WHERE m.cell IS NULL)::float8 / there,
        count(*) FILTER (WHERE NOT shown AND d.id IS NOT NULL)::float8 / there,
        share_below('seen_cohorts'), CASE WHEN attack_afresh THEN share_below('seen_afresh') END, seconds
    FROM kanon_cohort_member m LEFT JOIN kanon_cohort_cell c USING (cohort, cell) LEFT JOIN digests d USING (digest);
    PERFORM kanon_drop_release('afresh');
    DROP TABLE digests;
END $$;

-- churn: share that leaves each night; arriving: share that arrives; stay: nights after which
-- everybody leaves (NULL: by chance).
CREATE PROCEDURE nights(scenario text, people int, last int, churn float8, arriving float8, stay int, every int, arguments text)
LANGUAGE plpgsql AS $$
DECLARE
    next_id int := people + 1;
    begun timestamptz;
    attack_afresh boolean := last <= 30;
BEGIN
    PERFORM kanon_drop_release(release) FROM kanon_release WHERE release::text = 'nightly';
    TRUNCATE patient, seen_cohorts, seen_afresh;
    DELETE FROM kanon_cohort;
    DELETE FROM kanon_cohort_cell;
    DELETE FROM kanon_cohort_member;
    PERFORM arrive(1, people);
    EXECUTE format('SELECT kanon_create_release(%L, %L, 10, %L, key => %L, %s)', 'nightly', 'patient', 'cohorts', 'id', arguments);
    PERFORM look(attack_afresh);
    COMMIT;
    FOR night IN 2..last LOOP
        IF stay IS NOT NULL THEN
            -- of those of the first night one of "stay" each night
            DELETE FROM patient WHERE CASE WHEN id <= people THEN 2 + id % stay ELSE (id - people - 1) / (people * arriving)::int + 2 + stay END = night;
        ELSIF churn > 0 THEN
            DELETE FROM patient WHERE chance(id, night) < churn;
        END IF;
        PERFORM arrive(next_id, next_id + (people * arriving)::int - 1);
        next_id := next_id + (people * arriving)::int;
        begun := clock_timestamp();
        PERFORM kanon_refresh_release('nightly');
        PERFORM look(attack_afresh);
        COMMIT;
        IF night % every = 0 OR night = last THEN
            PERFORM measure(scenario, night, extract(epoch FROM clock_timestamp() - begun), attack_afresh);
            COMMIT;
        END IF;
    END LOOP;
END $$;
