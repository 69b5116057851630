CREATE FUNCTION kanon_plot(what text, relation regclass, k int[] DEFAULT NULL,
    recodings text[] DEFAULT NULL, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '', suppression float8 DEFAULT 0)
RETURNS text LANGUAGE c VOLATILE COST 100000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_plot(text, regclass, int[], text[], name[], kanon_models, float8) IS
    'draws a picture as SVG: tradeoff (what a larger k costs), lattice (which generalizations satisfy), classes (how many rows lie in classes of which size), or one of the report of a release: history, risk, loss, levels, map, errors, distribution';
