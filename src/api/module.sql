-- complain if the script is sourced in psql rather than through CREATE EXTENSION
\echo Use "CREATE EXTENSION kanon" to load this file. \quit

CREATE FUNCTION kanon_progress_entries(
    OUT pid int,
    OUT statement_start timestamptz,
    OUT phase_start timestamptz,
    OUT phase text,
    OUT done bigint,
    OUT total bigint)
RETURNS SETOF record
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE ROWS 10;
COMMENT ON FUNCTION kanon_progress_entries() IS 'latest progress of the sessions that have kanon.progress on, as far as the current user may watch them; the view kanon_progress shows those that are still running';

-- Entries outlive their statements: pg_stat_activity says which one runs, to whom it may.
CREATE VIEW kanon_progress AS
SELECT a.pid, a.datname, a.usename, p.phase, p.done, p.total, p.statement_start, p.phase_start
FROM kanon_progress_entries() p JOIN pg_catalog.pg_stat_activity a
    ON a.pid OPERATOR(pg_catalog.=) p.pid AND a.query_start OPERATOR(pg_catalog.=) p.statement_start
        AND a.state OPERATOR(pg_catalog.=) 'active';
COMMENT ON VIEW kanon_progress IS 'progress of the running calls of sessions with kanon.progress on; empty before PostgreSQL 17';
COMMENT ON COLUMN kanon_progress.pid IS 'process of the session';
COMMENT ON COLUMN kanon_progress.datname IS 'its database';
COMMENT ON COLUMN kanon_progress.usename IS 'its user';
COMMENT ON COLUMN kanon_progress.phase IS 'what it is doing';
COMMENT ON COLUMN kanon_progress.done IS 'how much of that is done';
COMMENT ON COLUMN kanon_progress.total IS 'how much there is to do; null: unknown';
COMMENT ON COLUMN kanon_progress.statement_start IS 'when its statement began';
COMMENT ON COLUMN kanon_progress.phase_start IS 'when the phase began';
GRANT SELECT ON kanon_progress TO PUBLIC;
CREATE FUNCTION kanon_last_partitioning(
    OUT partitioning text,
    OUT "rows" bigint,
    OUT classes bigint,
    OUT counted bigint,
    OUT repartitioned bigint,
    OUT nodes_grown bigint,
    OUT nodes_pruned bigint,
    OUT parts_in_memory bigint,
    OUT rows_read bigint,
    OUT rows_written bigint,
    OUT bytes_read bigint,
    OUT bytes_written bigint)
RETURNS SETOF record
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE ROWS 1;
COMMENT ON FUNCTION kanon_last_partitioning() IS 'what the last partitioning of this session did, in memory or on disk: how often parts were read to count them and to set their rows apart, nodes of the tree that were grown and pruned, parts that were divided in memory, rows and bytes that went through temporary files';

-- First of all, so that it sees what lay in the schema before kanon, too.
CREATE FUNCTION kanon_refuse_overloads() RETURNS event_trigger
LANGUAGE c AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_refuse_overloads() IS 'reserves the names of kanon''s functions in its schema';

CREATE EVENT TRIGGER kanon_refuse_overloads ON ddl_command_end
    WHEN TAG IN ('CREATE FUNCTION', 'CREATE PROCEDURE', 'CREATE AGGREGATE', 'CREATE TYPE', 'CREATE DOMAIN',
        'ALTER FUNCTION', 'ALTER PROCEDURE', 'ALTER AGGREGATE', 'ALTER ROUTINE', 'ALTER TYPE', 'ALTER DOMAIN',
        'ALTER EXTENSION')
    EXECUTE FUNCTION kanon_refuse_overloads();
ALTER EVENT TRIGGER kanon_refuse_overloads ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER kanon_refuse_overloads IS 'makes sure that nothing else in kanon''s schema is taken for a function of kanon''s';

