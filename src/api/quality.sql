CREATE FUNCTION kanon_quality(release regclass, relation regclass DEFAULT NULL,
    quasi_identifiers name[] DEFAULT NULL, k int DEFAULT NULL, predicates text[] DEFAULT NULL,
    OUT rows bigint, OUT classes bigint, OUT smallest bigint, OUT suppressed bigint,
    OUT discernibility float8, OUT average_class float8, OUT loss float8,
    OUT queries bigint, OUT mean_error float8, OUT sd_error float8,
    OUT mean_relative_error float8)
RETURNS record LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_quality(regclass, regclass, name[], int, text[]) IS
    'what a release has lost compared with its relation: class sizes, loss of cells, error of count queries';

CREATE FUNCTION kanon_query_errors(release regclass, predicates text[], relation regclass DEFAULT NULL,
    quasi_identifiers name[] DEFAULT NULL)
RETURNS TABLE (predicate text, actual bigint, estimate float8, error float8)
LANGUAGE c STABLE ROWS 50 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_query_errors(regclass, text[], regclass, name[]) IS
    'counts the rows that satisfy each predicate in the relation, and estimates the count from the release';

