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

