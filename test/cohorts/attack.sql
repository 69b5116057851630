-- attack.sql
--	What readers find out who keep all copies.  They see no state of kanon's: they have the copies,
--	and know of everybody who can be told by a key when this one was there and with which
--	quasi-identifiers (attack.known).  Tags make them as strong as can be: they see which rows are
--	of one person, and which were read anew.  Nobody's values are known; whoever knows those of c
--	people strikes c records off.
--
--	attack.by_labels   puts labels side by side with who was where and there.
--	attack.by_traces   knows the program, too, and its secret: runs it on these people with values
--	                   that are made up, and looks for its own rows' histories among the copies.
--	attack.by_worlds   runs it with all values that people may have, and sees which give the copies.
--
--	The first two leave in attack.candidate who may be whose; attack.exposed, which knows the truth,
--	counts.  They draw no conclusion that is not certain, and so never lose the truth.
CREATE SCHEMA attack;

CREATE VIEW attack.known AS
    SELECT key AS person, night, min(age) AS age, min(zip) AS zip
    FROM sim.world WHERE present AND key IS NOT NULL GROUP BY key, night HAVING count(*) = 1;
CREATE TABLE attack.candidate (record text, person text);
CREATE INDEX ON attack.candidate (record);

-- Rows of copies: of which record, and whether its values are others than when it was seen last.
CREATE FUNCTION attack.rows(of_run text)
RETURNS TABLE (record text, night int, narrow boolean, age text, zip text, place bigint, fresh boolean) LANGUAGE sql AS $$
    SELECT split_part(tag, ':', 1), night, narrow, age, zip,
        row_number() OVER (PARTITION BY night, narrow, age, zip ORDER BY place),
        tag IS DISTINCT FROM lag(tag) OVER (PARTITION BY narrow, split_part(tag, ':', 1) ORDER BY night)
    FROM sim.copy WHERE run = of_run
$$;

CREATE FUNCTION attack.covers(label text, age int) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN label IN ('*', '(,)') THEN true
                WHEN label IS NULL THEN age IS NULL
                ELSE label::int4range @> age END
$$;

-- A label covers whoever is there, and of those who are not, whom it covered some night before, if
-- rows may be stale.  What was read tonight is of somebody who is there.  everybody: no row of those
-- who are there is missing.  Where as many records have the same people for candidates as these are,
-- these are of nobody else.
CREATE FUNCTION attack.by_labels(of_run text, stale boolean, everybody boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    TRUNCATE attack.candidate;
    CREATE TEMP TABLE line ON COMMIT DROP AS
        SELECT record, dense_rank() OVER (ORDER BY night, narrow, age, zip, fresh) AS class, night, narrow, age, zip, fresh
        FROM attack.rows(of_run);
    CREATE TEMP TABLE fits ON COMMIT DROP AS
        WITH covered AS MATERIALIZED (
            SELECT l.age, l.zip, k.person, k.age AS own_age, k.zip AS own_zip
            FROM (SELECT DISTINCT age, zip FROM line) l, (SELECT DISTINCT person, age, zip FROM attack.known) k
            WHERE attack.covers(l.age, k.age) AND k.zip LIKE translate(l.zip, '*', '%')),
        there AS MATERIALIZED (
            SELECT c.age, c.zip, c.person, k.night
            FROM covered c JOIN attack.known k ON k.person = c.person AND k.age IS NOT DISTINCT FROM c.own_age AND k.zip = c.own_zip),
        once AS (SELECT age, zip, person, min(night) AS night FROM there GROUP BY age, zip, person),
        class AS (SELECT DISTINCT class, night, age, zip, fresh FROM line)
        SELECT class, person FROM class c JOIN there t ON t.night = c.night AND t.zip = c.zip AND t.age IS NOT DISTINCT FROM c.age
        UNION
        SELECT class, person FROM class c JOIN once o ON o.night < c.night AND o.zip = c.zip AND o.age IS NOT DISTINCT FROM c.age
        WHERE stale AND NOT fresh AND NOT EXISTS (SELECT FROM attack.known n WHERE n.person = o.person AND n.night = c.night);
    ANALYZE line;
    ANALYZE fits;
    INSERT INTO attack.candidate
    SELECT record, person FROM line JOIN fits USING (class) GROUP BY record, person
    HAVING count(*) = (SELECT count(*) FROM line l WHERE l.record = line.record)
        AND (NOT everybody OR count(*) = (SELECT count(*) FROM attack.known k WHERE k.person = fits.person));
    LOOP
        WITH one AS (SELECT record, array_agg(person ORDER BY person) AS people FROM attack.candidate GROUP BY record),
        full_set AS (SELECT people FROM one GROUP BY people HAVING count(*) = cardinality(people))
        DELETE FROM attack.candidate c USING full_set f, one o
        WHERE o.record = c.record AND o.people <> f.people AND c.person = ANY (f.people);
        EXIT WHEN NOT FOUND;
    END LOOP;
    DROP TABLE line, fits;
END $$;

-- Two runs of one's own, with other values each.  Where the rows of a class lie in the same order in
-- both, this is not the values': their places tell who they are.  Answers how many records are none
-- that the program could have published of such people, whatever their values.
CREATE FUNCTION attack.by_traces(of_run text, k int, recoding text, two_releases boolean DEFAULT false) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    own text[] := ARRAY[of_run || '_own', of_run || '_other'];
    ordered boolean;
BEGIN
    TRUNCATE attack.candidate;
    PERFORM sim.play(run, k, recoding, two_releases, run) FROM unnest(own) run;
    CREATE TEMP TABLE mine ON COMMIT DROP AS
        SELECT run, person, sim.cipher(run, person) AS record FROM unnest(own) run, (SELECT DISTINCT person FROM attack.known) p;
    CREATE TEMP TABLE line ON COMMIT DROP AS SELECT run, r.* FROM unnest(own || of_run) run, LATERAL attack.rows(run) r;
    ANALYZE mine;
    ANALYZE line;
    ordered := (SELECT avg((a.place = b.place)::int) > 0.9
                FROM (SELECT * FROM line JOIN mine USING (run, record) WHERE run = own[1]) a
                     JOIN (SELECT * FROM line JOIN mine USING (run, record) WHERE run = own[2]) b USING (person, night, narrow));
    CREATE TEMP TABLE trace ON COMMIT DROP AS
        SELECT run, record, string_agg(concat_ws('/', night, narrow, coalesce(age, '-'), zip, fresh, CASE WHEN ordered THEN place END), ' '
            ORDER BY night, narrow) AS what
        FROM line GROUP BY run, record;
    INSERT INTO attack.candidate
    SELECT t.record, mine.person
    FROM trace t JOIN trace same USING (what) JOIN mine ON mine.run = same.run AND mine.record = same.record
    WHERE t.run = of_run AND same.run = own[1];
    DROP TABLE mine, line, trace;
    RETURN (SELECT count(DISTINCT record) FROM attack.rows(of_run) WHERE record NOT IN (SELECT record FROM attack.candidate));
END $$;

-- Of how many people the record is among fewer than k candidates, or the person a candidate for fewer
-- than k records; an error if the truth is not among them.
CREATE FUNCTION attack.exposed(of_run text, k int, OUT exposed bigint, OUT people bigint) LANGUAGE plpgsql AS $$
BEGIN
    CREATE TEMP TABLE owner ON COMMIT DROP AS
        SELECT r.record, p.person FROM (SELECT DISTINCT record FROM attack.rows(of_run)) r
            JOIN (SELECT DISTINCT 'key' || person AS person FROM sim.world) p ON r.record = sim.cipher('tag', p.person);
    SELECT count(*) FILTER (WHERE least(a.n, b.n) < k), count(*) INTO exposed, people
    FROM owner JOIN (SELECT record, count(*) AS n FROM attack.candidate GROUP BY record) a USING (record)
         JOIN (SELECT person, count(*) AS n FROM attack.candidate GROUP BY person) b USING (person);
    IF EXISTS (SELECT record, person FROM owner WHERE record IN (SELECT record FROM attack.candidate)
               EXCEPT SELECT record, person FROM attack.candidate) THEN
        RAISE EXCEPTION 'the attack lost the truth';
    END IF;
    DROP TABLE owner;
END $$;

-- Everybody has the value d0 or another one, in all ways: d1 or, if alone, one that nobody else has.
-- The copies of one way are those of others, too.  Of how many people, in how many ways, does the
-- reader know that they have d0 or d1; of how many already by the copies of the first night?  The
-- people are those of sim.world.
CREATE FUNCTION attack.by_worlds(k int, recoding text, alone boolean, OUT certain bigint, OUT at_first bigint, OUT people bigint) LANGUAGE plpgsql
SET client_min_messages = error AS $$
DECLARE
    persons int := (SELECT max(person) FROM sim.world);
    nights int := (SELECT max(night) FROM sim.world);
    kept sim.copy[];
BEGIN
    PERFORM sim.begin('worlds', k, recoding, false);
    FOR way IN 0 .. (1 << persons) - 1 LOOP
        UPDATE sim.world SET value = CASE WHEN (way >> (person - 1)) & 1 = 0 THEN 'd0' WHEN alone THEN 'd' || person ELSE 'd1' END;
        BEGIN
            PERFORM sim.night('worlds', tonight, false, NULL) FROM generate_series(1, nights) tonight;
            kept := ARRAY(SELECT c FROM sim.copy c WHERE run = 'worlds');
            RAISE EXCEPTION USING ERRCODE = 'KA000';
        EXCEPTION WHEN SQLSTATE 'KA000' THEN
            INSERT INTO sim.copy SELECT 'world' || way, night, narrow, place, content, age, zip, value, tag FROM unnest(kept);
        END;
    END LOOP;
    WITH line AS (
        SELECT run, night, regexp_replace(content, 'd[1-9]', 'other') AS line FROM sim.copy),
    copy AS (
        SELECT w, n AS night, string_agg(line, ' ' ORDER BY line) AS copy
        FROM generate_series(0, (1 << persons) - 1) w CROSS JOIN generate_series(1, nights) n
            LEFT JOIN line ON run = 'world' || w AND night = n GROUP BY w, n),
    seen AS (
        SELECT w, string_agg(concat(night, ': ', copy), ' ' ORDER BY night) AS copies, coalesce(min(copy) FILTER (WHERE night = 1), '') AS first_copy
        FROM copy GROUP BY w),
    guess AS (
        SELECT (w >> (person - 1)) & 1 AS value, person, copies, first_copy FROM seen, generate_series(1, persons) person),
    bounds AS (
        SELECT min(value) OVER every AS least, max(value) OVER every AS most, min(value) OVER once AS first_least, max(value) OVER once AS first_most
        FROM guess WINDOW every AS (PARTITION BY person, copies), once AS (PARTITION BY person, first_copy))
    SELECT count(*) FILTER (WHERE most = 0 OR least = 1 AND NOT alone), count(*) FILTER (WHERE first_most = 0 OR first_least = 1 AND NOT alone), count(*)
    INTO certain, at_first, people FROM bounds;
END $$;
