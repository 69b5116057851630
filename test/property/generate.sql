-- Random cases: tables, hierarchies, arguments.  Everything is drawn from
-- random() after setseed(seed, number), so a case comes back by its number.
SET search_path = kanon_property;

CREATE FUNCTION seed_case(seed int, number int) RETURNS void VOLATILE LANGUAGE sql AS
'SELECT setseed((hashint8extended($2, $1) & 1073741823) / 1073741824.0)';

-- How high each hierarchy is; 0 levels by the user means no dimension.  Kept
-- so low that a lattice with "absent" below level 0 has at most "most" nodes.
CREATE FUNCTION random_user_levels(attributes int, most int) RETURNS int[] VOLATILE LANGUAGE plpgsql AS $$
DECLARE
    levels int[] := '{}';
    nodes int := 1;
    level int;
BEGIN
    FOR j IN 1 .. attributes LOOP
        level := CASE WHEN chance(0.2) THEN 0 ELSE 1 + pick(4) END;
        IF nodes * (greatest(level, 1) + 2) * 3 ^ (attributes - j) > most THEN
            level := pick(2);
        END IF;
        nodes := nodes * (greatest(level, 1) + 2);
        levels := levels || level;
    END LOOP;
    RETURN levels;
END $$;

-- The label numbers of one level above those of the level below: a random
-- function, or one that keeps neighbours together.
CREATE FUNCTION random_parents(children int[], top boolean) RETURNS int[] VOLATILE LANGUAGE plpgsql AS $$
DECLARE
    most int := (SELECT max(c) + 1 FROM unnest(children) c);
    labels int := CASE WHEN top THEN CASE WHEN chance(0.85) THEN 1 ELSE 2 + pick(2) END
                       ELSE 1 + pick(most) END;
    parents int[];
BEGIN
    IF chance(0.5) THEN
        parents := ARRAY(SELECT c * labels / most FROM generate_series(0, most - 1) c);
    ELSE
        parents := ARRAY(SELECT pick(labels) FROM generate_series(0, most - 1) c);
    END IF;
    RETURN ARRAY(SELECT parents[child + 1] FROM unnest(children) WITH ORDINALITY AS t (child, at) ORDER BY at);
END $$;

-- A dimension table for values 0 .. count - 1 of a kind.  Its ground column is
-- of the attribute's type or text; its labels are text or numbers.
CREATE FUNCTION make_dimension(name text, type text, value text, count int, levels int) RETURNS regclass VOLATILE LANGUAGE plpgsql AS $$
DECLARE
    ground text := CASE WHEN chance(0.4) THEN format('((%s)::%s)::text', value, type) ELSE format('(%s)::%s', value, type) END;
    labels int[] := ARRAY(SELECT i FROM generate_series(0, count - 1) i);
    columns text := '';
    joins text := '';
BEGIN
    FOR level IN 1 .. levels LOOP
        labels := random_parents(labels, level = levels);
        columns := columns || format(', %s AS %I',
            CASE WHEN chance(0.2) THEN format('t%s.label', level)
                 WHEN level = levels AND chance(0.5) THEN format($s$repeat('*', 1 + t%s.label)$s$, level)
                 ELSE format($s$'L%s of %s, ' || t%s.label$s$, level, name, level) END,
            'Level ' || level);
        joins := joins || format(' JOIN unnest(%L::int[]) WITH ORDINALITY AS t%s (label, at) ON t%s.at = i + 1', labels, level, level);
    END LOOP;
    EXECUTE format('CREATE TABLE %I AS SELECT %s AS "Ground value"%s FROM generate_series(0, %s) i CROSS JOIN (SELECT 0 AS r) one%s ORDER BY hashint4(i)',
                   name, ground, columns, count - 1, joins);
    RETURN quote_ident(name)::regclass;
END $$;

-- Takes values away from dimensions, now and then, but never all.
CREATE FUNCTION lose_values(made test_case) RETURNS test_case VOLATILE LANGUAGE plpgsql AS $$
BEGIN
    FOR j IN 1 .. cardinality(made.dimensions) LOOP
        IF made.dimensions[j] IS NOT NULL AND chance(0.3) THEN
            EXECUTE format('DELETE FROM %s WHERE random() < $1 AND "Ground value" <> (SELECT min("Ground value"::text)::%s FROM %1$s)', made.dimensions[j],
                           (SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = made.dimensions[j] AND attnum = 1)) USING random();
        END IF;
    END LOOP;
    RETURN made;
END $$;

-- The relation over the table of people: mostly the table itself.
CREATE FUNCTION make_relation(columns text) RETURNS regclass VOLATILE LANGUAGE plpgsql AS $$
DECLARE
    choice float8 := random();
BEGIN
    IF choice < 0.1 THEN
        EXECUTE format('CREATE TABLE people (id int, %s) PARTITION BY HASH (id)', columns);
        CREATE TABLE people_0 PARTITION OF people FOR VALUES WITH (MODULUS 2, REMAINDER 0);
        CREATE TABLE people_1 PARTITION OF people FOR VALUES WITH (MODULUS 2, REMAINDER 1);
    ELSE
        EXECUTE format('CREATE TABLE people (gone int, id int, %s, "a word" text)', columns);
        IF chance(0.5) THEN
            ALTER TABLE people DROP gone;
        END IF;
        IF choice < 0.2 THEN
            CREATE VIEW "People seen" AS SELECT * FROM people;
            RETURN '"People seen"'::regclass;
        END IF;
    END IF;
    RETURN 'people'::regclass;
END $$;

-- A case with its tables, in the first schema of the search path.
CREATE FUNCTION make_case(number int, most_attributes int, most_nodes int, most_values int, least_rows int, most_rows int) RETURNS test_case VOLATILE LANGUAGE plpgsql AS $$
DECLARE
    names constant name[] := ARRAY['age', 'Zip Code', 'select', 'q"uote', 'it''s', 'née', 'salary'];
    made test_case;
    kinds kind[];
    one kind;
    attributes int := 1 + least(pick(most_attributes + 1), most_attributes - 1);
    user_levels int[] := random_user_levels(attributes, most_nodes);
    counts int[];
    columns text[];
    indexes text[];
    chosen int[];
BEGIN
    made.number := number;
    made.row_count := least_rows + CASE WHEN chance(0.02) THEN 0 WHEN chance(0.3) THEN pick(most_rows / 8) ELSE pick(most_rows) + 1 END;
    made.k := 1 + floor(10 * random() ^ 1.5);
    made.suppression := CASE WHEN chance(0.5) THEN 0 ELSE round(random()::numeric * 0.3, 2) END;
    made.metrics := chance(0.5);
    FOR j IN 1 .. attributes LOOP
        SELECT * INTO one FROM kind ORDER BY name OFFSET pick((SELECT count(*)::int FROM kind)) LIMIT 1;
        kinds[j] := one;
        counts[j] := least(one.most, 1 + pick(CASE WHEN chance(0.3) THEN most_values ELSE 8 END));
        columns[j] := format('%I %s', names[j], one.type);
        indexes[j] := format('CASE WHEN random() >= %s THEN floor(%s * random() ^ %s)::int END AS i%s',
                             CASE WHEN chance(0.5) THEN 0 WHEN chance(0.4) THEN random() * 0.04 ELSE random() * 0.5 END, counts[j], 0.5 + 4 * random(), j);
    END LOOP;
    made.relation := make_relation(array_to_string(columns, ', '));
    EXECUTE format('CREATE TEMP TABLE draw ON COMMIT DROP AS SELECT r, %s FROM generate_series(1, %s) r',
                   array_to_string(indexes, ', '), made.row_count);
    EXECUTE format('INSERT INTO people (id, %s) SELECT r, %s FROM draw',
                   (SELECT string_agg(quote_ident(names[j]), ', ') FROM generate_series(1, attributes) j),
                   (SELECT string_agg(format('(SELECT (%s)::%s FROM (SELECT i%s AS i) one WHERE i IS NOT NULL)', kinds[j].value, kinds[j].type, j), ', ')
                    FROM generate_series(1, attributes) j));
    DROP TABLE draw;
    FOR j IN 1 .. attributes LOOP
        made.weights[j] := CASE WHEN chance(0.6) THEN 1 WHEN chance(0.2) THEN 0 ELSE round(0.1 + random()::numeric * 3, 1) END;
        made.types[j] := kinds[j].type;
        made.heights[j] := greatest(user_levels[j], 1);
        made.dimensions[j] := CASE WHEN user_levels[j] > 0 THEN
            make_dimension('dimension ' || j, kinds[j].type, kinds[j].value,
                           least(kinds[j].most, counts[j] + CASE WHEN chance(0.4) THEN pick(5) ELSE 0 END), user_levels[j]) END;
        PERFORM kanon_set_attribute(made.relation, names[j], 'quasi_identifier', made.dimensions[j], made.weights[j]);
    END LOOP;
    -- Ask for all of them as declared, or name some in an order of our own.
    chosen := ARRAY(SELECT j FROM generate_series(1, attributes) j);
    made.argument := 'NULL';
    IF chance(0.3) THEN
        chosen := ARRAY(SELECT j FROM unnest(chosen) j ORDER BY random());
        chosen := chosen[1 : 1 + pick(attributes)];
    END IF;
    made.attributes := ARRAY(SELECT names[j] FROM unnest(chosen) WITH ORDINALITY t (j, at) ORDER BY at);
    made.types := ARRAY(SELECT made.types[j] FROM unnest(chosen) WITH ORDINALITY t (j, at) ORDER BY at);
    made.weights := ARRAY(SELECT made.weights[j] FROM unnest(chosen) WITH ORDINALITY t (j, at) ORDER BY at);
    made.heights := ARRAY(SELECT made.heights[j] FROM unnest(chosen) WITH ORDINALITY t (j, at) ORDER BY at);
    made.dimensions := ARRAY(SELECT made.dimensions[j] FROM unnest(chosen) WITH ORDINALITY t (j, at) ORDER BY at);
    IF made.attributes <> names[1 : attributes] OR chance(0.2) THEN
        made.argument := quote_literal(made.attributes) || '::name[]';
    END IF;
    RETURN made;
END $$;

-- The SQL that makes a table of a case again.
CREATE FUNCTION dump_table(tab regclass) RETURNS text STABLE LANGUAGE plpgsql AS $$
DECLARE
    columns text := (SELECT string_agg(format('%I %s%s', attname, format_type(atttypid, atttypmod),
                                              CASE WHEN attcollation NOT IN (0, 100, 950) THEN ' COLLATE ' || attcollation::regcollation ELSE '' END),
                                       ', ' ORDER BY attnum)
                     FROM pg_attribute WHERE attrelid = tab AND attnum > 0 AND NOT attisdropped);
    literals text := (SELECT string_agg(format('quote_nullable(%I)', attname), ', ' ORDER BY attnum)
                      FROM pg_attribute WHERE attrelid = tab AND attnum > 0 AND NOT attisdropped);
    contents text;
BEGIN
    EXECUTE format($q$SELECT string_agg('(' || concat_ws(', ', %s) || ')', E',\n    ') FROM %s$q$, literals, tab) INTO contents;
    RETURN format(E'CREATE TABLE %s (%s);\n', tab, columns)
           || CASE WHEN contents IS NULL THEN '' ELSE format(E'INSERT INTO %s VALUES\n    %s;\n', tab, contents) END;
END $$;

CREATE FUNCTION dump_case(made test_case) RETURNS text STABLE LANGUAGE plpgsql AS $$
DECLARE
    script text := '';
    tab regclass;
    declared record;
BEGIN
    FOR tab IN SELECT unnest(made.dimensions) EXCEPT SELECT NULL LOOP
        script := script || dump_table(tab);
    END LOOP;
    script := script || dump_table(made.relation);
    FOR at IN 1 .. cardinality(made.attributes) LOOP
        script := script || format(E'SELECT kanon_set_attribute(%L, %L, ''quasi_identifier'', %L, %s);\n',
                                   made.relation, made.attributes[at], made.dimensions[at], made.weights[at]);
    END LOOP;
    RETURN script || format('-- k %s, quasi_identifiers %s, suppression %s, metrics %s', made.k, made.argument, made.suppression, made.metrics)
        || coalesce(', models ' || made.models::text, '') || coalesce(', person ' || made.person, '');
END $$;
