-- Sample uniques of Adults, nine columns in sets of up to three: against plain SQL, one
-- GROUP BY for each set for the time, and row by row for what must come out.

-- All sets of up to "size" columns of a table; members has a bit for each column.
CREATE FUNCTION column_sets(relation regclass, size int) RETURNS TABLE (columns name[], members int) STABLE LANGUAGE sql AS $$
    WITH RECURSIVE column_of AS (SELECT attname, attnum FROM pg_attribute WHERE attrelid = relation AND attnum > 0 AND NOT attisdropped),
    sets AS (
        SELECT ARRAY[attname] AS columns, 1 << attnum AS members, attnum AS last FROM column_of
        UNION ALL SELECT columns || attname, members | (1 << attnum), attnum FROM sets JOIN column_of ON attnum > last WHERE cardinality(columns) < size)
    SELECT columns, members FROM sets
$$;

CREATE FUNCTION column_list(columns name[]) RETURNS text IMMUTABLE LANGUAGE sql AS
'SELECT string_agg(quote_ident(name), '', '') FROM unnest(columns) name';

-- How many rows are unique on each set; of minimal ones this says nothing.
CREATE FUNCTION group_each_set(relation regclass, size int, OUT columns name[], OUT uniques bigint) RETURNS SETOF record LANGUAGE plpgsql AS $$
BEGIN
    FOR columns IN SELECT s.columns FROM column_sets(relation, size) s LOOP
        EXECUTE format('SELECT count(*) FROM (SELECT FROM %s GROUP BY %s HAVING count(*) = 1) g', relation, column_list(columns)) INTO uniques;
        RETURN NEXT;
    END LOOP;
END $$;

-- Each row with the sets on which it is unique; a set is minimal if there is none within it.
CREATE TABLE lone (members int, place tid);
DO $$
DECLARE
    one record;
BEGIN
    FOR one IN SELECT * FROM column_sets('adult', 3) LOOP
        EXECUTE format('INSERT INTO lone SELECT %s, ctid FROM (SELECT ctid, count(*) OVER (PARTITION BY %s) AS alike FROM adult) r WHERE alike = 1', one.members, column_list(one.columns));
    END LOOP;
END $$;
ANALYZE lone;
CREATE TABLE adult_uniques AS
WITH marked AS (SELECT members, NOT EXISTS (SELECT FROM lone within WHERE within.place = l.place AND within.members & l.members = within.members AND within.members <> l.members) AS minimal FROM lone l)
SELECT columns, count(m.members) AS uniques, count(*) FILTER (WHERE minimal) AS minimal FROM column_sets('adult', 3) s LEFT JOIN marked m USING (members) GROUP BY columns;

SELECT compare('Adults, nine columns', 'kanon_sample_uniques, size 3', $$SELECT count(*) FROM kanon_sample_uniques('adult', size => 3)$$,
               'a GROUP BY for each of the 129 sets', $$SELECT count(*) FROM group_each_set('adult', 3)$$, :repeat, 1.0);
