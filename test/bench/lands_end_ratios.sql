-- Lands End's shape: the search against one GROUP BY of the table, which has
-- first the server's work_mem, then as much memory as kanon.
-- psql variables: repeat, memory.

SET kanon.memory_limit = :'memory';

CREATE FUNCTION pg_temp.compare_search(repeat int) RETURNS void LANGUAGE sql AS $$
    SELECT compare(format('Lands End, k=%s', k), format('kanon_incognito(''lands_end'', %s)', k),
                   format('SELECT count(*) FROM kanon_incognito(''lands_end'', %s)', k),
                   'GROUP BY, work_mem ' || current_setting('work_mem'), group_once('lands_end'), repeat, 2)
    FROM unnest(ARRAY[2, 100]) k
$$;

SELECT pg_temp.compare_search(:repeat);
SET work_mem = :'memory';
SELECT pg_temp.compare_search(:repeat);
