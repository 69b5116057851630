-- cohorts.sql
--	Nights of a table of people, released by cohorts.  Everything is a hash of a person's number,
--	so every run is the same.
CREATE TABLE patient (LIKE adult);
ALTER TABLE patient ADD COLUMN id int, ADD COLUMN disease text;
CREATE TABLE pool AS SELECT row_number() OVER (ORDER BY a::text) AS number, a.* FROM adult a;
CREATE UNIQUE INDEX ON pool (number);
CREATE TABLE figure (number int GENERATED ALWAYS AS IDENTITY, scenario text, way text, target text, loss float8, afresh float8,
    stale float8, waiting float8, hidden float8, below_k float8, unexplained float8, below_k_afresh float8, seconds float8,
    minority float8, minority_hidden float8, young float8, young_rows float8, young_weighted float8);

-- What a reader knows: who is there tonight, and everybody's quasi-identifiers.  In place of what
-- is secret stands who it is.
CREATE VIEW known AS SELECT age, sex, race, marital_status, education, native_country, workclass, occupation, salary_class,
    id, id::text AS disease FROM patient;

CREATE FUNCTION chance(id bigint, night bigint) RETURNS float8 IMMUTABLE LANGUAGE sql AS
    'SELECT (hashint8extended($1, $2) & 1073741823) / 1073741824.0';

-- Everybody has a disease of their own, by which a record is known again in other copies: of whom
-- it is, the reader cannot tell by it.
CREATE FUNCTION arrive(first int, last int) RETURNS void LANGUAGE sql AS $$
    INSERT INTO patient
    SELECT p.age, p.sex, p.race, p.marital_status, p.education, p.native_country, p.workclass, p.occupation, p.salary_class, i,
        'd' || (i # 11184810)
    FROM generate_series(first, last) i JOIN pool p ON p.number = 1 + (i * 7919::bigint) % (SELECT count(*) FROM pool)
$$;

CREATE FUNCTION declare_people(relation regclass, quasi text[]) RETURNS void LANGUAGE sql AS $$
    SELECT kanon_unset_attribute(a.relation, attribute) FROM kanon_attribute a WHERE a.relation = $1;
    SELECT CASE WHEN attname = 'id' THEN kanon_set_attribute(relation, attname, 'identifier')
        WHEN attname = 'disease' THEN kanon_set_attribute(relation, attname, 'sensitive')
        ELSE kanon_set_attribute(relation, attname, 'quasi_identifier', ('dim_' || attname)::regclass) END
    FROM unnest(quasi || '{id,disease}'::text[]) attname
$$;

-- ---- the attack
-- A reader keeps all copies of a release, and knows presence, quasi-identifiers, the program, its
-- arguments and the secret by which it breaks ties, but nothing else of what kanon keeps.  The
-- reader runs the program on what is known, so that the copies of that tell where everybody lies
-- on each night.  Whoever lay like a record on all nights could be its owner, and nobody else.
-- That is attack.by_traces of test/cohorts/attack.sql, for many people on many nights: of each
-- record a digest is kept instead of all copies.  The other attacks there, which compare every
-- record with every person, or try all values, are for few people.

-- What the copies of a release have shown of each disease: where it lay, night by night, as a
-- digest that changes when that does.
CREATE FUNCTION forget(release text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('DROP TABLE IF EXISTS %I', release || '_seen');
    EXECUTE format('CREATE TABLE %I (disease text PRIMARY KEY, label text, pattern text)', release || '_seen');
END $$;

CREATE FUNCTION look(release text, night int, quasi text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('INSERT INTO %1$I AS seen
        SELECT disease, now.label, md5(concat(seen.pattern, '' '', $1, '' '', now.label))
        FROM %1$I seen FULL JOIN (SELECT disease, ROW(%3$s)::text AS label FROM %2$I) now USING (disease)
        WHERE seen.label IS DISTINCT FROM now.label
        ON CONFLICT (disease) DO UPDATE SET label = excluded.label, pattern = excluded.pattern',
        release || '_seen', release, array_to_string(quasi, ', ')) USING night;
END $$;

-- Shares of all whom the reader expects in the copies: who has fewer candidates than ten, who none.
CREATE FUNCTION attack(release text, OUT below float8, OUT unexplained float8) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT avg((coalesce(records, 0) BETWEEN 1 AND 9)::int), avg((records IS NULL)::int) FROM %I p
        LEFT JOIN (SELECT pattern, count(*) AS records FROM %I GROUP BY pattern) r USING (pattern)',
        'known_' || release || '_seen', release || '_seen') INTO below, unexplained;
END $$;

-- ---- nights
CREATE FUNCTION shares(OUT stale float8, OUT waiting float8, OUT hidden float8) LANGUAGE plpgsql AS $$
BEGIN
    SELECT count(*) FILTER (WHERE p.id IS NULL)::float8 / nullif(count(n.shown), 0),
        count(*) FILTER (WHERE n.shown IS NULL AND s.disease IS NULL)::float8 / count(p.id),
        count(*) FILTER (WHERE n.shown IS NULL AND s.disease IS NOT NULL)::float8 / count(p.id)
    INTO stale, waiting, hidden
    FROM (SELECT id, disease FROM patient) p FULL JOIN (SELECT disease, true AS shown FROM nightly) n USING (disease)
        LEFT JOIN nightly_seen s USING (disease);
END $$;

-- Whom the release misrepresents: the share of people who are not white among those who are there
-- and shown, and among the hidden; the share of people under 35 among those who are there, among the rows, and
-- among the rows by their weights.
CREATE FUNCTION bias(OUT minority float8, OUT minority_hidden float8, OUT young float8, OUT young_rows float8, OUT young_weighted float8)
LANGUAGE plpgsql AS $$
BEGIN
    WITH shown AS (
        SELECT n.disease, n.present, p.age FROM nightly n
            JOIN pool p ON p.number = 1 + ((substr(n.disease, 2)::int # 11184810) * 7919::bigint) % (SELECT count(*) FROM pool))
    SELECT avg((p.race <> 'White')::int) FILTER (WHERE n.disease IS NOT NULL),
        avg((p.race <> 'White')::int) FILTER (WHERE n.disease IS NULL AND s.disease IS NOT NULL), avg((p.age < 35)::int),
        (SELECT avg((age < 35)::int) FROM shown), (SELECT sum(present) FILTER (WHERE age < 35) / sum(present) FROM shown)
    INTO minority, minority_hidden, young, young_rows, young_weighted
    FROM patient p LEFT JOIN shown n USING (disease) LEFT JOIN nightly_seen s USING (disease);
END $$;

-- Which releases of which relation; known ones are the reader's own.
CREATE FUNCTION releases(attack_afresh boolean) RETURNS TABLE (release text, relation text) LANGUAGE sql AS $$
    SELECT prefix || name, CASE prefix WHEN '' THEN 'patient' ELSE 'known' END
    FROM unnest('{"",known_}'::text[]) prefix, unnest('{nightly,afresh}'::text[]) name
    WHERE name = 'nightly' OR attack_afresh
$$;

-- leaving, arriving: shares each night; restless: how many times as often people under 35 leave;
-- stay: nights after which everybody leaves, instead.
CREATE PROCEDURE nights(scenario text, way text, target text, quasi text[], people int, last int, leaving float8,
    restless float8, arriving float8, stay int, attack_afresh boolean, arguments text) LANGUAGE plpgsql AS $$
DECLARE
    next_id int := 1;
    arrivals int := people * arriving;
    begun timestamptz;
    seconds float8[];
    r record;
BEGIN
    PERFORM kanon_drop_release(d.release) FROM kanon_release d;
    TRUNCATE patient;
    DELETE FROM kanon_cohort_state;
    DELETE FROM kanon_cohort_cell;
    DELETE FROM kanon_cohort_member;
    PERFORM declare_people('patient', quasi), declare_people('known', quasi);
    FOR r IN SELECT * FROM releases(attack_afresh) LOOP
        EXECUTE format('SELECT kanon_create_release(%L, %L, 10, %s)', r.release, r.relation,
            CASE WHEN r.release LIKE '%afresh' THEN '''strict_mondrian''' ELSE '''cohorts'', options => ''{"weights": true, "key": "id", ' || arguments || '}''' END);
        PERFORM forget(r.release);
    END LOOP;
    -- Nights count from the first on which somebody is there.
    UPDATE kanon_cohort_state SET secret = sha256('secret'), night = 0;
    FOR night IN 1..last LOOP
        IF night > 1 AND stay IS NOT NULL THEN
            -- of those of the first night one of "stay" each night
            DELETE FROM patient WHERE CASE WHEN id <= people THEN 2 + id % stay ELSE (id - people - 1) / arrivals + 2 + stay END = night;
        ELSIF night > 1 AND leaving > 0 THEN
            DELETE FROM patient WHERE chance(id, night) < leaving * CASE WHEN age < 35 THEN restless ELSE 1 END;
        END IF;
        PERFORM arrive(next_id, next_id + CASE night WHEN 1 THEN people ELSE arrivals END - 1);
        next_id := next_id + CASE night WHEN 1 THEN people ELSE arrivals END;
        FOR r IN SELECT * FROM releases(attack_afresh) LOOP
            begun := clock_timestamp();
            PERFORM kanon_refresh_release(r.release);
            IF r.release = 'nightly' AND night > 1 THEN
                seconds := seconds || extract(epoch FROM clock_timestamp() - begun)::float8;
            END IF;
            PERFORM look(r.release, night, quasi);
        END LOOP;
        COMMIT;
    END LOOP;
    IF NOT attack_afresh THEN
        PERFORM kanon_create_release('afresh', 'patient', 10, 'strict_mondrian');
    END IF;
    INSERT INTO figure (scenario, way, target, loss, afresh, stale, waiting, hidden, below_k, unexplained, below_k_afresh, seconds,
        minority, minority_hidden, young, young_rows, young_weighted)
    SELECT scenario, way, target, q.loss, a.loss, s.*, n.*, CASE WHEN attack_afresh THEN (attack('afresh')).below END, median(seconds), b.*
    FROM kanon_quality('nightly') q, kanon_release a, shares() s, attack('nightly') n, bias() b WHERE a.release = 'afresh'::regclass;
    COMMIT;
END $$;
