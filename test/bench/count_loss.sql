-- What a table of generalized rows shows and loses, counted from its cells and the dimensions
-- NAME_COLUMN of its source alone, without kanon.
--
-- A cell stands for the values of the dimension below it: one, if it is a value; those of the
-- label, at the lowest level that has it; all for a "*" that is no label; those that differ in the
-- masked digits alone for the rest.  It loses (those - 1) / (all of the dimension - 1).

CREATE FUNCTION dimension_of(source regclass, attribute name) RETURNS regclass STABLE LANGUAGE sql AS
$$ SELECT to_regclass(format('%s_%s', source, attribute)) $$;

-- The columns of a dimension, the ground one first.
CREATE FUNCTION levels_of(dimension regclass) RETURNS name[] STABLE LANGUAGE sql AS
$$ SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute WHERE attrelid = dimension AND attnum > 0 AND NOT attisdropped $$;

CREATE FUNCTION attributes_of(source regclass) RETURNS name[] STABLE LANGUAGE sql AS
$$ SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute
   WHERE attrelid = source AND attnum > 0 AND NOT attisdropped AND dimension_of(source, attname) IS NOT NULL $$;

-- The sum over the rows of what the cells of a column lose.
CREATE FUNCTION column_loss(shown regclass, source regclass, attribute name) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    dimension regclass := dimension_of(source, attribute);
    labels text;
    lost float8;
BEGIN
    SELECT string_agg(format('SELECT %I::text AS label, %s AS level, count(*) AS below FROM %s GROUP BY 1', level, at, dimension), ' UNION ALL ')
    INTO labels FROM unnest(levels_of(dimension)) WITH ORDINALITY l (level, at);
    EXECUTE format('
        WITH label AS MATERIALIZED (SELECT DISTINCT ON (label) label, below FROM (%1$s) l ORDER BY label, level),
             cell AS MATERIALIZED (SELECT %2$I::text AS shown, count(*) AS rows FROM %3$s GROUP BY 1)
        SELECT sum(rows * (coalesce(below, CASE shown WHEN ''*'' THEN total ELSE
                   (SELECT nullif(count(*), 0) FROM %4$s d WHERE d.value::text LIKE replace(shown, ''*'', ''_'')) END) - 1)::float8 / greatest(total - 1, 1))
        FROM cell LEFT JOIN label ON label = shown, (SELECT count(*) AS total FROM %4$s) d', labels, attribute, shown, dimension) INTO lost;
    RETURN lost;
END $$;

CREATE FUNCTION count_loss(shown regclass, source regclass, OUT loss float8, OUT classes bigint, OUT smallest bigint, OUT discernibility numeric) LANGUAGE plpgsql AS $$
DECLARE
    attributes name[] := attributes_of(source);
BEGIN
    EXECUTE format('SELECT count(*), min(n), sum(n * n) FROM (SELECT count(*)::numeric AS n FROM %s GROUP BY %s) c',
                   shown, (SELECT string_agg(quote_ident(a), ', ') FROM unnest(attributes) a)) INTO classes, smallest, discernibility;
    EXECUTE format('SELECT (SELECT sum(column_loss($1, $2, a)) FROM unnest($3) a) / cardinality($3) / count(*) FROM %s', shown)
    INTO loss USING shown, source, attributes;
END $$;

-- How many rows, told apart by their number in both tables, are not there or have a cell that
-- does not stand for their value.
CREATE FUNCTION count_false_rows(shown regclass, source regclass, number name) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    joins text;
    holds text;
    wrong bigint;
BEGIN
    SELECT string_agg(format(' JOIN %1$s d%2$s ON d%2$s.value = t.%3$I', dimension_of(source, a), at, a), ''),
           string_agg(format('s.%I IN (%s)', a, (SELECT string_agg(format('d%s.%I::text', at, l), ', ') FROM unnest(levels_of(dimension_of(source, a))) l)), ' AND ')
    INTO joins, holds FROM unnest(attributes_of(source)) WITH ORDINALITY u (a, at);
    EXECUTE format('SELECT greatest((SELECT count(*) FROM %s), (SELECT count(*) FROM %2$s)) - count(*)
                    FROM %1$s s JOIN %2$s t ON t.%3$I = s.%3$I::int%4$s WHERE %5$s', shown, source, number, joins, holds) INTO wrong;
    RETURN wrong;
END $$;
