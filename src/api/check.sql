CREATE FUNCTION kanon_check(relation regclass, k int DEFAULT NULL, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT NULL, person name DEFAULT NULL,
    OUT satisfied boolean, OUT rows bigint, OUT classes bigint, OUT smallest bigint,
    OUT violating_classes bigint, OUT violating_rows bigint)
RETURNS record LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_check(regclass, int, name[], kanon_models, name) IS
    'checks whether every class of a table, view or release has at least k rows, or k distinct people, and satisfies all models; for a release, k and models default to its own';

CREATE FUNCTION kanon_classes(relation regclass, k int DEFAULT NULL, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT NULL, person name DEFAULT NULL,
    OUT class text[], OUT size bigint, OUT distinct_values bigint[], OUT model_values float8[], OUT satisfied boolean)
RETURNS SETOF record LANGUAGE c STABLE COST 100000 ROWS 1000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_classes(regclass, int, name[], kanon_models, name) IS
    'lists the equivalence classes of a table, view or release, with their sizes, the figures of the models and whether they satisfy; for a release, k and models default to its own';

