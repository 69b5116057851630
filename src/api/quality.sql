CREATE FUNCTION kanon_quality(source regclass, release regclass,
    quasi_identifiers name[] DEFAULT NULL, k int DEFAULT NULL, predicates text[] DEFAULT NULL,
    OUT rows bigint, OUT classes bigint, OUT smallest bigint, OUT suppressed bigint,
    OUT discernibility float8, OUT average_class float8, OUT loss float8,
    OUT queries bigint, OUT mean_error float8, OUT sd_error float8,
    OUT mean_relative_error float8)
RETURNS record LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_quality(regclass, regclass, name[], int, text[]) IS
    'what a release has lost against its source: sizes of classes, loss of cells, error of count queries';

CREATE FUNCTION kanon_query_errors(source regclass, release regclass, predicates text[],
    quasi_identifiers name[] DEFAULT NULL)
RETURNS TABLE (predicate text, actual bigint, estimate float8, error float8)
LANGUAGE c STABLE ROWS 50 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_query_errors(regclass, regclass, text[], name[]) IS
    'counts the rows that satisfy each predicate in the source, and estimates them from the release';

