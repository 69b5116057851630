-- The same rows in another order, as they lie on disk and as they are read: the same release, or the
-- same error, whatever the recoding and the way of partitioning, also where memory barely suffices.
-- So does another order of columns, except where the papers' Mondrian takes the first of equals, where
-- a search lists generalizations, and for draws.
-- Values that are equal come in several spellings.
--
-- Makes its own tables: world, permuted (id, c1, c2, .., s, n), and releases of them.
SET search_path = kanon_property;
SET check_function_bodies = off;

-- What comes of a release with the quasi-identifiers in this order: the digest of its rows, or the error.
CREATE FUNCTION what_comes(relation text, arguments text, columns name[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    digest text;
BEGIN
    EXECUTE format('SELECT kanon_create_release(%L, %L, %s, quasi_identifiers => %L)', relation || '_out', relation, arguments, columns);
    EXECUTE format('CREATE VIEW in_order AS SELECT %s, s, n FROM %I', (SELECT string_agg(c, ', ' ORDER BY c) FROM unnest(columns) c), relation || '_out');
    digest := kanon_digest('in_order');
    DROP VIEW in_order;
    PERFORM kanon_drop_release((relation || '_out')::regclass);
    RETURN digest;
EXCEPTION WHEN program_limit_exceeded OR check_violation OR invalid_parameter_value THEN
    RETURN SQLSTATE;
END $$;

CREATE FUNCTION check_permutation() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    large boolean := chance(0.2);
    rows int := CASE WHEN large THEN 4000 + pick(8000) ELSE 20 + pick(1500) END;
    columns int := CASE WHEN large THEN 1 + pick(2) ELSE 1 + pick(4) END;
    kinds text[] := ARRAY(SELECT name FROM kind WHERE name NOT IN ('record', 'text[]') ORDER BY random() LIMIT columns);
    sparse int := CASE WHEN large THEN 3000 + pick(6000) ELSE 3 + pick(60) END;
    k int := 2 + pick(CASE WHEN large THEN 60 ELSE 12 END);
    recoding text := CASE WHEN large OR chance(0.4) THEN (ARRAY['mondrian', 'strict_mondrian'])[1 + pick(2)]
                          ELSE (ARRAY['local', 'local', 'relaxed_mondrian', 'full_domain', 'ring', 'two_phase', 'subtree', 'unrestricted', 'ordered'])[1 + pick(9)] END;
    by_rule boolean := recoding IN ('subtree', 'unrestricted', 'ordered');
    way text := CASE WHEN large THEN (ARRAY['sample', 'sample', 'tree'])[1 + pick(3)] ELSE (ARRAY['memory', 'auto', 'tree', 'sample'])[1 + pick(4)] END;
    memory text := CASE WHEN way IN ('memory', 'auto') OR by_rule OR recoding IN ('local', 'full_domain', 'ring', 'two_phase') THEN '64MB'
                        WHEN large THEN '4MB' ELSE 150 + pick(500) || 'kB' END;
    names name[] := ARRAY(SELECT 'c' || i FROM generate_series(1, columns) i);
    others name[] := names;
    arguments text;
    said text;
    others_said text;
    too_little int := 200;
    enough int := 4000;
BEGIN
    EXECUTE format('CREATE TABLE world AS SELECT r AS id, %s, ''s'' || pick(5) AS s, pick(1000) AS n FROM generate_series(1, %s) r',
        (SELECT string_agg(format('(SELECT CASE WHEN chance(0.03) THEN NULL ELSE %s END FROM (SELECT pick(%s) AS i WHERE r > 0) v)::%s AS c%s', value, least(sparse, most), type, number), ', ')
         FROM unnest(kinds) WITH ORDINALITY u (name, number) JOIN kind USING (name)), rows);
    -- Others were there before, so that rows lie elsewhere, too.
    EXECUTE 'CREATE TABLE permuted AS SELECT * FROM world ORDER BY random()';
    DELETE FROM permuted WHERE id % 3 = 0;
    INSERT INTO permuted SELECT * FROM world WHERE id % 3 = 0 ORDER BY id DESC;
    PERFORM kanon_declare(t, quasi_identifiers => names, sensitive => '{s,n}', identifiers => '{id}') FROM unnest('{world,permuted}'::regclass[]) t;
    arguments := format('%s, %L%s', k, recoding, CASE CASE WHEN by_rule THEN 'rule' ELSE replace(recoding, 'strict_', '') END
        WHEN 'mondrian' THEN (ARRAY['', ', options => ''{"means": true}''', ', models => ''distinct(s, 2)''', ', options => ''{"split": "infogain", "target": "s"}''', ', options => ''{"split": "regression", "target": "n"}''',
                                    ', models => ''closeness(n, 0.4)''', ', options => ''{"models_after": true}'', models => ''distinct(s, 3)'''])[1 + pick(7)]
        WHEN 'local' THEN (ARRAY['', ', options => ''{"means": true}''', ', models => ''distinct(s, 2)''', ', suppression => 0.1', ', models => ''closeness(n, 0.4)'', suppression => 0.05'])[1 + pick(5)]
        WHEN 'rule' THEN format(', options => ''{"effort": %s}''', 20 + pick(600)) || (ARRAY['', ', models => ''distinct(s, 2)''', ', suppression => 0.1', ', models => ''closeness(n, 0.4)'', suppression => 0.05'])[1 + pick(4)]
        WHEN 'relaxed_mondrian' THEN (ARRAY['', ', models => ''entropy(s, 2)'''])[1 + pick(2)]
        WHEN 'full_domain' THEN (ARRAY['', ', suppression => 0.2', ', models => ''distinct(s, 2)'''])[1 + pick(3)]
        ELSE format(', options => ''{%s, "ranges": %s}''', (ARRAY['"randomize": false', '"seed": "fixed"'])[1 + pick(2)], chance(0.5)::text) END);
    PERFORM set_config('kanon.partitioning', way, true), set_config('kanon.memory_limit', memory, true);
    IF (by_rule OR recoding IN ('local', 'mondrian', 'ring', 'two_phase')) AND arguments NOT LIKE '%"seed"%' THEN
        others := ARRAY(SELECT c FROM unnest(names) c ORDER BY random());
    END IF;
    -- As little memory as just suffices, or a little less.
    IF large THEN
        WHILE enough - too_little > 1 LOOP
            PERFORM set_config('kanon.memory_limit', (too_little + enough) / 2 || 'kB', true);
            IF what_comes('world', arguments, names) = '54000' THEN too_little := (too_little + enough) / 2; ELSE enough := (too_little + enough) / 2; END IF;
        END LOOP;
        memory := CASE pick(3) WHEN 0 THEN enough + pick(300) WHEN 1 THEN too_little ELSE enough END || 'kB';
        PERFORM set_config('kanon.memory_limit', memory, true);
    END IF;
    said := what_comes('world', arguments, names);
    others_said := what_comes('permuted', arguments, others);
    PERFORM breach('permutations', format('%s rows of %s, as %s, %s in %s, %s: %s and %s', rows, kinds, others, way, memory, arguments, said, others_said), others_said <> said);
    PERFORM set_config('kanon.partitioning', 'auto', true), set_config('kanon.memory_limit', '-1', true);
END $$;
