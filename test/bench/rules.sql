-- One rule for each value beside other recodings: the table of docs/single.md.
--
--	psql -v relation=adult -f test/bench/rules.sql
--
-- The relation is declared, for example by tables.sh.
\set ON_ERROR_STOP on
SET client_min_messages = error;
CREATE FUNCTION pg_temp.ruled(relation regclass, k int, recoding text, OUT loss float8, OUT discernibility float8, OUT gap text, OUT nodes text, OUT seconds float8) LANGUAGE plpgsql AS $$
DECLARE
    began timestamptz := clock_timestamp();
BEGIN
    PERFORM kanon_create_release('ruled', relation, k, recoding, options => CASE WHEN recoding IN ('subtree', 'unrestricted') THEN '{"effort": 20000}'::jsonb
                                                                               WHEN recoding = 'ordered' THEN '{"effort": 3000}' END);
    seconds := extract(epoch FROM clock_timestamp() - began);
    SELECT q.loss, q.discernibility, r.parameters ->> 'gap', r.parameters ->> 'looked_at' INTO loss, discernibility, gap, nodes FROM kanon_quality('ruled') q, kanon_release r WHERE r.release = 'ruled'::regclass;
    IF recoding = 'full_domain' THEN
        nodes := (SELECT sum(checked) FROM kanon_last_search());
    END IF;
    PERFORM kanon_drop_release('ruled');
END $$;
SELECT k, recoding, round(loss::numeric, 4) AS loss, round((discernibility / 1e6)::numeric, 1) AS millions, round(gap::numeric, 4) AS gap, nodes, round(seconds::numeric, 1) AS seconds
FROM unnest(ARRAY[2, 5, 10, 25, 50]) k, unnest(ARRAY['full_domain', 'subtree', 'unrestricted', 'ordered', 'mondrian', 'local']) recoding, pg_temp.ruled(:'relation', k, recoding)
ORDER BY k, loss DESC;
