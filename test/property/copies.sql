-- Releases put side by side: nights of people who come, go and move, with a copy of each release
-- every night.  Releases publish a key, so that plain SQL sees whose row is where: a class is the
-- text of its cells.  Who is beside somebody in all copies is counted again from these.  Of cells
-- generalized one by one plain SQL knows what they cover, which is more than the k that were meant.
--
-- Makes its own tables: guest (id, a, b, s), and release r1, r2.
SET search_path = kanon_property;
SET check_function_bodies = off;

CREATE FUNCTION a_guest_release(number int, k int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    recoding text := (ARRAY['mondrian', 'mondrian', 'full_domain', 'ring', 'two_phase'])[1 + pick(5)];
BEGIN
    EXECUTE format('SELECT kanon_create_release(''r%s'', ''guest'', %s, %L, quasi_identifiers => %L%s)', number, k, recoding,
        (ARRAY['{a,b}', '{b}', '{a}', '{b,a}'])[1 + pick(4)], CASE recoding
        WHEN 'mondrian' THEN (ARRAY['', ', options => ''{"means": true}''', ', models => ''distinct(s, 2)''', ', options => ''{"split": "infogain", "target": "s"}'''])[1 + pick(4)]
        WHEN 'full_domain' THEN ', suppression => ' || (ARRAY['0.2', '0', '1'])[1 + pick(3)]
        ELSE (ARRAY[', options => ''{"redraw": true, "ranges": false}''', ', options => ''{"redraw": true, "randomize": false, "ranges": false}'''])[1 + pick(2)] END);
    RETURN recoding;
EXCEPTION WHEN check_violation OR invalid_parameter_value THEN  -- no levels satisfy, or too few rows
    RETURN NULL;
END $$;

-- Whose record may be whose that night, as far as plain SQL can see.
CREATE FUNCTION keep_seen(copy text, number int, recoding text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    names name[] := ARRAY(SELECT n FROM unnest((SELECT quasi_identifiers FROM kanon_release WHERE release = format('r%s', number)::regclass)) n);
    cells text := (SELECT string_agg(format('r.%I', n), ', ') FROM unnest(names) n);
    covers text := (SELECT string_agg(format('(r.%1$I IS NULL OR r.%1$I = g.%1$I)', n), ' AND ') FROM unnest(names) n);
BEGIN
    IF recoding IN ('ring', 'two_phase') THEN
        EXECUTE format('INSERT INTO seen SELECT %L, g.id, r.id FROM r%s r, guest g WHERE %s', copy, number, covers);
    ELSE
        EXECUTE format('INSERT INTO seen SELECT %1$L, r.id, o.id FROM (SELECT id, ROW(%3$s)::text AS class FROM r%2$s r) r JOIN (SELECT id, ROW(%3$s)::text AS class FROM r%2$s r) o USING (class)', copy, number, cells);
    END IF;
END $$;

-- [person]: how many are beside them in all of these copies.
CREATE FUNCTION candidates_seen(copies text[]) RETURNS SETOF bigint LANGUAGE sql AS $$
    WITH person AS (SELECT member, array_agg(DISTINCT copy ORDER BY copy) AS present FROM seen WHERE copy = ANY (copies) GROUP BY member),
    beside AS (SELECT member, record, count(*) AS n FROM seen WHERE copy = ANY (copies) GROUP BY member, record)
    SELECT count(b.record) FROM person p JOIN beside b ON b.member = p.member AND b.n = cardinality(p.present)
        JOIN person o ON o.member = b.record AND o.present = p.present GROUP BY p.member
$$;

CREATE FUNCTION expect_aside(copies text[], k int, exact boolean, why text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    n bigint[] := ARRAY(SELECT c FROM candidates_seen(copies) c ORDER BY c);
    said record;
BEGIN
    SELECT * INTO said FROM kanon_check_releases('guest', copies::regclass[], k);
    PERFORM breach(why, format('people are %s, said are %s', cardinality(n), said.people), cardinality(n) <> said.people);
    PERFORM breach(why, format('%s, said are %s, of candidates %s', copies, said, n), exact AND (said.smallest IS DISTINCT FROM n[1]
        OR said.below <> (SELECT count(*) FROM unnest(n) c WHERE c < k) OR said.alone <> (SELECT count(*) FROM unnest(n) c WHERE c = 1)
        OR said.sizes <> ARRAY(SELECT (SELECT count(*) FROM unnest(n) c WHERE c = size) FROM generate_series(1, coalesce((SELECT max(c)::int FROM unnest(n) c WHERE c < k), 0)) size)));
    PERFORM breach(why, format('%s, said are %s, but cells leave %s', copies, said, n), said.below < (SELECT count(*) FROM unnest(n) c WHERE c < k) OR said.smallest > n[1]);
    PERFORM breach(why, 'a verdict of its own: ' || said::text, said.satisfied <> (said.below = 0) OR said.satisfied <> (cardinality(said.weakest) = 0));
END $$;

CREATE FUNCTION check_copies() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    k int := 2 + pick(4);
    recodings text[];
    copies text[] := '{}';
    classes text[] := '{}';
    why text;
BEGIN
    CREATE TABLE guest (id int, a int, b int, s text);
    CREATE TABLE seen (copy text, member int, record int);
    INSERT INTO guest SELECT i, pick(8), pick(5), 's' || pick(4) FROM generate_series(1, 15 + pick(60)) i;
    PERFORM kanon_set_attribute('guest', 'id', 'insensitive'), kanon_set_attribute('guest', 's', 'sensitive');
    recodings := ARRAY[a_guest_release(1, k), a_guest_release(2, k)];
    why := format('k = %s, %s', k, recodings);
    FOR night IN 1 .. 1 + pick(3) LOOP
        FOR number IN 1 .. 2 LOOP
            CONTINUE WHEN recodings[number] IS NULL;
            EXECUTE format('REFRESH MATERIALIZED VIEW r%s', number);
            PERFORM kanon_copy_release(format('r%s', number)::regclass, format('copy_%s_%s', number, night), 'id');
            PERFORM keep_seen(format('copy_%s_%s', number, night), number, recodings[number]);
            copies := copies || format('copy_%s_%s', number, night);
            IF recodings[number] NOT IN ('ring', 'two_phase') THEN
                classes := classes || format('copy_%s_%s', number, night);
            END IF;
        END LOOP;
        PERFORM expect_aside(copies, k, copies = classes, format('%s, night %s', why, night)) WHERE copies <> '{}';
        PERFORM expect_aside(classes, k, true, format('%s, night %s', why, night)) WHERE classes <> '{}';
        DELETE FROM guest WHERE chance(0.1);
        UPDATE guest SET a = pick(8) WHERE chance(0.1);
        INSERT INTO guest SELECT 1000 * night + i, pick(8), pick(5), 's' || pick(4) FROM generate_series(1, pick(10)) i;
    END LOOP;
END $$;
