CREATE FUNCTION kanon_create_dimension(dimension text, relation regclass, attribute name,
    method text, arguments text[] DEFAULT '{}')
RETURNS regclass LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_create_dimension(text, regclass, name, text, text[]) IS
    'makes a dimension table from a column''s values and declares the column a quasi-identifier with it; method: suppress, ranges, quantiles, digits, dates or taxonomy';

CREATE FUNCTION kanon_refresh_dimension(dimension regclass)
RETURNS bigint LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_refresh_dimension(regclass) IS
    'adds to a dimension, by the rule it was made by, the values of its columns that it lacks; returns how many';

CREATE FUNCTION kanon_check_dimension(dimension regclass, relation regclass, attribute name)
RETURNS TABLE (problem text, level int, value text, rows bigint, detail text)
LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_check_dimension(regclass, regclass, name) IS
    'lists what is wrong with a dimension as the hierarchy of a column; no rows if all is well';

