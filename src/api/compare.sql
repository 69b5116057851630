CREATE FUNCTION kanon_compare(relation regclass, k int[] DEFAULT '{3,5,10,20,50,100}',
    recodings text[] DEFAULT NULL, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '', suppression float8 DEFAULT 0,
    options jsonb DEFAULT NULL)
RETURNS TABLE (k int, recoding text, loss float8, classes bigint, smallest bigint, missing bigint,
    average_risk float8, seconds float8)
LANGUAGE c VOLATILE COST 100000 ROWS 30 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_compare(regclass, int[], text[], name[], kanon_models, float8, jsonb) IS
    'shows what releases of a relation would lose and hide for each k and recoding, before any is made; by default all recodings that take the models';
