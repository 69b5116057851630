-- Values that dimensions lost: cells show them as what stands for everything and nothing less,
-- classes hold k, and trees know the classes again.
SET search_path = kanon_property;
SET check_function_bodies = off;

CREATE FUNCTION check_lost_values(made test_case) RETURNS void VOLATILE LANGUAGE plpgsql AS $$
DECLARE
    recoding text;
    cells text;
    top text;
    wrong bigint;
BEGIN
    IF made.k > made.row_count THEN
        RETURN;
    END IF;
    FOREACH recoding IN ARRAY ARRAY['local', 'mondrian', 'strict_mondrian', 'relaxed_mondrian', 'ring', 'two_phase'] LOOP
        cells := (SELECT coalesce(string_agg(format(', kanon_view_cell(c, %L, NULL::text) AS "cell %s"', made.attributes[j], j), ''), '')
                  FROM generate_series(1, cardinality(made.attributes)) j WHERE made.dimensions[j] IS NOT NULL);
        IF recoding ~ 'mondrian|local' THEN
            -- Classes as shown, where those that look alike are one, and as they were formed.
            EXECUTE format('CREATE TEMP TABLE lost ON COMMIT DROP AS SELECT * FROM (SELECT p.*, (kanon_view_candidates(%3$s) OVER ())[1] AS class, %4$s OVER () AS formed FROM %1$s p) p'
                           ' JOIN (SELECT DISTINCT kanon_view_cell(c, ''class'', NULL::int) AS class%2$s FROM (SELECT kanon_view_cells(%3$s) OVER () AS c FROM %1$s p) c) c USING (class)',
                           made.relation, cells, format('%L, %s, p, %s, options => %L', recoding, made.k, made.argument, CASE recoding WHEN 'mondrian' THEN '{"rest": true}' END),
                           format(CASE recoding WHEN 'relaxed_mondrian' THEN 'kanon_mondrian(%s, p, %s, relaxed => true)'
                               ELSE 'kanon_' || recoding || '(%s, p, %s)' END, made.k, made.argument));
            EXECUTE format('SELECT count(*) FROM %s', made.relation) INTO wrong;
            IF (SELECT count(*) FROM lost) <> wrong THEN
                RAISE EXCEPTION '%: % rows of %', recoding, (SELECT count(*) FROM lost), wrong;
            END IF;
        ELSE
            EXECUTE format('CREATE TEMP TABLE lost ON COMMIT DROP AS SELECT %s%s FROM (SELECT p.*, kanon_view_cells(%L, %s, p, %s) OVER () AS c FROM %s p) p',
                           (SELECT string_agg(quote_ident(name), ', ') FROM unnest(made.attributes) name), cells, recoding, made.k, made.argument, made.relation);
        END IF;
        FOR j IN 1 .. cardinality(made.attributes) LOOP
            CONTINUE WHEN made.dimensions[j] IS NULL;
            EXECUTE format('SELECT CASE WHEN count(DISTINCT %1$I) = 1 THEN min(%1$I::text) ELSE ''*'' END FROM %2$s', 'Level ' || made.heights[j], made.dimensions[j]) INTO top;
            EXECUTE format('SELECT count(*) FROM lost p WHERE p.%1$I IS DISTINCT FROM NULL AND NOT EXISTS (SELECT FROM %2$s d WHERE (d."Ground value")::%3$s = p.%1$I)'
                           ' AND "cell %4$s" IS DISTINCT FROM $1', made.attributes[j], made.dimensions[j], made.types[j], j) INTO wrong USING top;
            IF wrong > 0 THEN
                RAISE EXCEPTION '%: % cells of "%" tell of unknown values more than "%"', recoding, wrong, made.attributes[j], top;
            END IF;
        END LOOP;
        IF recoding ~ 'mondrian|local' THEN
            SELECT count(*) INTO wrong FROM (SELECT FROM lost GROUP BY formed HAVING count(*) < made.k) c;
            IF wrong > 0 THEN
                RAISE EXCEPTION '%: % classes below k', recoding, wrong;
            END IF;
        END IF;
        DROP TABLE lost;
    END LOOP;
    EXECUTE format('SELECT count(*) FROM (SELECT kanon_leaf(t.tree, p) AS leaf, kanon_mondrian(%2$s, p, %3$s) OVER () AS class'
                   ' FROM (SELECT kanon_mondrian_tree(%2$s, p, %3$s) AS tree FROM %1$s p) t, %1$s p) c WHERE leaf <> class', made.relation, made.k, made.argument) INTO wrong;
    IF wrong > 0 THEN
        RAISE EXCEPTION 'the tree puts % rows into other classes', wrong;
    END IF;
END $$;
