CREATE FUNCTION kanon_risk(relation regclass, quasi_identifiers name[] DEFAULT NULL,
    population regclass DEFAULT NULL, threshold float8 DEFAULT NULL,
    OUT rows bigint, OUT classes bigint, OUT uniques bigint, OUT unique_share float8,
    OUT prosecutor_highest float8, OUT prosecutor_average float8, OUT prosecutor_at_risk float8,
    OUT population_uniques bigint, OUT population_unique_share float8,
    OUT journalist_highest float8, OUT journalist_average float8, OUT journalist_at_risk float8,
    OUT marketer float8)
RETURNS record LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_risk(regclass, name[], regclass, float8) IS
    'risk of reidentification: prosecutor, journalist (with a population) and marketer risk, and uniques';

CREATE FUNCTION kanon_sample_uniques(relation regclass, columns name[] DEFAULT NULL, size int DEFAULT 3,
    OUT columns name[], OUT uniques bigint, OUT unique_share float8, OUT minimal bigint)
RETURNS SETOF record LANGUAGE c STABLE COST 100000 ROWS 1000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_sample_uniques(regclass, name[], int) IS
    'for each set of up to size columns: how many rows are unique on it, and how many of them on no proper subset';

CREATE FUNCTION kanon_special_uniques(relation regclass, key name, columns name[] DEFAULT NULL, size int DEFAULT 3,
    OUT key text, OUT minimal int[], OUT score float8)
RETURNS SETOF record LANGUAGE c STABLE COST 100000 ROWS 1000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_special_uniques(regclass, name, name[], int) IS
    'rows that some set of up to size columns singles out, with the number of minimal sets of each size, and the SUDA score';

