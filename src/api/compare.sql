CREATE FUNCTION kanon_compare(relation regclass, k int[] DEFAULT '{3,5,10,20,50,100}',
    recodings text[] DEFAULT NULL, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '', suppression float8 DEFAULT 0,
    options jsonb DEFAULT NULL)
RETURNS TABLE (k int, recoding text, loss float8, classes bigint, smallest bigint, missing bigint,
    average_risk float8, seconds float8)
LANGUAGE c VOLATILE COST 100000 ROWS 30 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_compare(regclass, int[], text[], name[], kanon_models, float8, jsonb) IS
    'shows what releases of a relation would lose and hide for each k and recoding, before any is made; by default all recodings that take the models, but for those that search a rule';
CREATE FUNCTION kanon_plot(what text, relation regclass, k int[] DEFAULT NULL,
    recodings text[] DEFAULT NULL, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '', suppression float8 DEFAULT 0)
RETURNS text LANGUAGE c VOLATILE COST 100000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_plot(text, regclass, int[], text[], name[], kanon_models, float8) IS
    'draws a picture as SVG: tradeoff (what a larger k costs), lattice (which generalizations satisfy), classes (how many rows lie in classes of which size), or one of the report of a release: history, risk, loss, levels, map, errors, distribution';
CREATE FUNCTION kanon_report(release regclass)
RETURNS text LANGUAGE c STABLE COST 100000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_report(regclass) IS
    'makes a page of HTML about a release, for its owner to hand out: what was released, checks run now, risk, loss and history as pictures, and what the release does not protect from; figures of its table are rounded';
