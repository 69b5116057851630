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
