CREATE FUNCTION kanon_check(relation regclass, k int, quasi_identifiers name[] DEFAULT NULL,
    person name DEFAULT NULL,
    OUT satisfied boolean, OUT rows bigint, OUT classes bigint, OUT smallest bigint,
    OUT violating_classes bigint, OUT violating_rows bigint)
RETURNS record LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_check(regclass, int, name[], name) IS
    'does every class of a table, view or release hold at least k rows, or k different people?';

