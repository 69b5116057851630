CREATE FUNCTION kanon_check_matchings(release regclass, k int DEFAULT NULL, relation regclass DEFAULT NULL,
    quasi_identifiers name[] DEFAULT NULL,
    OUT satisfied boolean, OUT rows bigint, OUT released bigint, OUT flow bigint,
    OUT needed bigint, OUT singled_out text[], OUT detail text)
RETURNS record LANGUAGE c STABLE COST 100000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_check_matchings(regclass, int, regclass, name[]) IS
    'checks whether each released row could be any of k rows of the relation, in k disjoint matchings; if not, names a row that is singled out';

CREATE FUNCTION kanon_matching_bound(relation regclass, k int, quasi_identifiers name[] DEFAULT NULL,
    priced boolean DEFAULT false)
RETURNS float8 LANGUAGE c STABLE COST 100000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_matching_bound(regclass, int, name[], boolean) IS
    'a lower bound of the loss of releases that generalize cell by cell; priced: a sharper one, for which each row is covered no more than k times';

