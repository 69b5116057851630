CREATE FUNCTION kanon_check(relation regclass, k int DEFAULT NULL, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT NULL, person name DEFAULT NULL,
    OUT satisfied boolean, OUT rows bigint, OUT classes bigint, OUT smallest bigint,
    OUT violating_classes bigint, OUT violating_rows bigint)
RETURNS record LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_check(regclass, int, name[], kanon_models, name) IS
    'does every class of a table, view or release hold at least k rows, or k different people, and satisfy all models? Of a release, those it was made with';

CREATE FUNCTION kanon_classes(relation regclass, k int DEFAULT NULL, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT NULL, person name DEFAULT NULL,
    OUT class text[], OUT size bigint, OUT distinct_values bigint[], OUT model_values float8[], OUT satisfied boolean)
RETURNS SETOF record LANGUAGE c STABLE COST 100000 ROWS 1000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_classes(regclass, int, name[], kanon_models, name) IS
    'the equivalence classes of a table, view or release, each with its size, the figures of the models and whether it satisfies. Of a release, those it was made with';

