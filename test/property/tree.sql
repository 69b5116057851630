-- The partition tree of a case: kanon_leaf is what the window function says, the
-- value survives its forms, and every row lies in its region.
SET search_path = kanon_property;
SET check_function_bodies = off;

-- The type of ranges over an attribute's, where kanon_region's text is one of these.
CREATE FUNCTION range_over(type text) RETURNS text IMMUTABLE LANGUAGE sql AS $$
SELECT range FROM (VALUES ('int', 'int4range'), ('bigint', 'int8range'), ('numeric', 'numrange'), ('date', 'daterange'), ('timestamptz', 'tstzrange'),
                          ('kanon_property.small_number', 'int4range')) r (subtype, range) WHERE subtype = type $$;

-- SQL: does the value of attribute number "at" lie in its region?
CREATE FUNCTION inside_region(made test_case, at int) RETURNS text STABLE LANGUAGE plpgsql AS $$
DECLARE
    value text := format('p.%I', made.attributes[at]);
    region text := format('region[%s]', at);
    range text := range_over(made.types[at]);
    labels text;
BEGIN
    IF made.dimensions[at] IS NOT NULL THEN
        SELECT string_agg(format('format(''%%s'', d.%I)', attname), ', ' ORDER BY attnum) INTO labels
        FROM pg_attribute WHERE attrelid = made.dimensions[at] AND attnum > 1 AND NOT attisdropped;
        RETURN format($s$CASE WHEN %1$s IS NULL THEN %2$s IS NULL OR %2$s = '*' OR (SELECT count(DISTINCT l) = 1 AND min(l) = %2$s FROM (SELECT %6$s AS l FROM %3$s d) top)
                              ELSE %2$s = '*' OR EXISTS (SELECT FROM %3$s d WHERE d."Ground value"::%4$s = %1$s AND rtrim(%2$s) IN (rtrim(format('%%s', d."Ground value"::%4$s)), rtrim(format('%%s', %1$s)), %5$s)) END$s$,
                      value, region, made.dimensions[at], made.types[at], labels, (SELECT format('format(''%%s'', d.%I)', attname) FROM pg_attribute WHERE attrelid = made.dimensions[at] AND attnum > 1 AND NOT attisdropped ORDER BY attnum DESC LIMIT 1));
    END IF;
    RETURN format('CASE WHEN %1$s IS NULL THEN %2$s IS NULL OR %2$s = ''*'' ELSE %2$s = ''*'' OR %3$s END', value, region,
                  CASE WHEN range IS NULL THEN region || ' IS NOT NULL' ELSE format('(%s)::%s <@ %s::%s', value, replace(made.types[at], 'kanon_property.small_number', 'int'), region, range) END);
END $$;

-- Does a dimension use one text at two levels, the "*" above several labels being one?  Then regions may look alike that are not.
CREATE FUNCTION has_ambiguous_labels(made test_case) RETURNS boolean STABLE LANGUAGE plpgsql AS $$
DECLARE
    ambiguous boolean;
BEGIN
    FOR j IN 1 .. cardinality(made.dimensions) LOOP
        CONTINUE WHEN made.dimensions[j] IS NULL;
        EXECUTE format($q$
            SELECT EXISTS (SELECT FROM (SELECT key, value FROM %1$s d, jsonb_each_text(to_jsonb(d))
                                        UNION ALL SELECT 'above all', '*' FROM %1$s HAVING count(DISTINCT %2$I) > 1) l
                           GROUP BY rtrim(value) HAVING count(DISTINCT key) > 1)
            $q$, made.dimensions[j], 'Level ' || made.heights[j]) INTO ambiguous;
        IF ambiguous THEN
            RETURN true;
        END IF;
    END LOOP;
    RETURN false;
END $$;

-- The same rows without declarations: every attribute is ordered.
CREATE FUNCTION without_dimensions(made test_case) RETURNS test_case VOLATILE LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE VIEW "ordered people" AS SELECT id, %s FROM %s', (SELECT string_agg(quote_ident(name), ', ') FROM unnest(made.attributes) name), made.relation);
    made.relation := '"ordered people"'::regclass;
    made.argument := quote_literal(made.attributes) || '::name[]';
    made.dimensions := array_fill(NULL::regclass, ARRAY[cardinality(made.attributes)]);
    RETURN made;
END $$;

CREATE FUNCTION check_tree(made test_case) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    split text := (ARRAY['infogain', 'regression', 'median', 'gain', 'gain'])[1 + pick(5)];
    arguments text := format('%s, p, %s, %L, %L', made.k, made.argument, split, CASE WHEN split IN ('infogain', 'regression') THEN 'id' END);
    named text := format('%s, p, %s, split => %L, target => %L', made.k, made.argument, split, CASE WHEN split IN ('infogain', 'regression') THEN 'id' END);
    tree kanon_tree;
    other kanon_tree;
    grown kanon_tree;
    way text;
    wrong int;
    leaves jsonb;
BEGIN
    EXECUTE format('SELECT kanon_mondrian_tree(%s) FROM %s p', arguments, made.relation) INTO tree;
    -- Byte for byte, by the aggregate over rows in any order and of the relation, in memory and on disk
    FOREACH way IN ARRAY ARRAY['memory', 'tree'] LOOP
        PERFORM set_config('kanon.partitioning', way, true);
        EXECUTE format('SELECT kanon_mondrian_tree(%s ORDER BY random()) FROM %s p', arguments, made.relation) INTO other;
        EXECUTE format('SELECT kanon_grow_tree(%L, %s, %s, split => %L, target => %L)', made.relation, made.k, made.argument, split, CASE WHEN split IN ('infogain', 'regression') THEN 'id' END) INTO grown;
        IF kanon_tree_send(other) IS DISTINCT FROM kanon_tree_send(tree) OR kanon_tree_send(grown) IS DISTINCT FROM kanon_tree_send(tree) THEN
            RAISE EXCEPTION 'another tree by %', way USING DETAIL = concat_ws(E'\n', tree, other, grown);
        END IF;
    END LOOP;
    PERFORM set_config('kanon.partitioning', 'auto', true);
    IF (tree IS NULL) <> (made.row_count < made.k) THEN
        RAISE EXCEPTION 'a tree over % rows at k %: %', made.row_count, made.k, tree;
    END IF;
    IF tree IS NULL THEN
        RETURN;
    END IF;
    IF kanon_tree_send(tree::text::kanon_tree) <> kanon_tree_send(tree) THEN
        RAISE EXCEPTION 'in(out(tree)) <> tree' USING DETAIL = tree;
    END IF;
    EXECUTE format('SELECT count(*) FROM (SELECT kanon_mondrian(%s) OVER () AS class, kanon_leaf($1, p) AS leaf FROM %s p) s WHERE class IS DISTINCT FROM leaf',
                   named, made.relation) INTO wrong USING tree;
    IF wrong > 0 THEN
        RAISE EXCEPTION '% rows have another class than leaf', wrong USING DETAIL = tree;
    END IF;
    leaves := jsonb_path_query_array(tree::text::jsonb, '$.nodes[*] ? (exists (@.class))');
    EXECUTE format('SELECT count(*) FROM jsonb_to_recordset($2) AS l (class int, rows bigint) FULL JOIN (SELECT kanon_leaf($1, p) AS class, count(*) AS rows, count(DISTINCT kanon_region($1, p)::text) AS regions FROM %s p GROUP BY 1) c USING (class) WHERE l.rows IS DISTINCT FROM c.rows OR regions <> 1',
                   made.relation) INTO wrong USING tree, leaves;
    IF wrong > 0 THEN
        RAISE EXCEPTION '% classes of the tree are not those of its rows', wrong USING DETAIL = tree;
    END IF;
    EXECUTE format('SELECT count(DISTINCT kanon_leaf($1, p)) - count(DISTINCT kanon_region($1, p)::text) FROM %s p', made.relation) INTO wrong USING tree;
    -- A rest and a child that NULLs joined are both shown as the label above.
    IF wrong <> 0 AND tree::text !~ '"rest": true' AND NOT has_ambiguous_labels(made) THEN
        RAISE EXCEPTION 'two classes share a region' USING DETAIL = tree;
    END IF;
    EXECUTE format('SELECT count(*) FROM (SELECT p, kanon_region($1, p) AS region FROM %s p) s, LATERAL (SELECT (p).*) p WHERE NOT (%s)', made.relation,
                   (SELECT string_agg('(' || inside_region(made, at) || ')', ' AND ') FROM generate_series(1, cardinality(made.attributes)) at)) INTO wrong USING tree;
    IF wrong > 0 THEN
        RAISE EXCEPTION '% rows lie outside their region', wrong USING DETAIL = tree;
    END IF;
END $$;
