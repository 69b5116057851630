CREATE FUNCTION kanon_mondrian(k int, "rows" record, quasi_identifiers name[] DEFAULT NULL,
    relaxed boolean DEFAULT false, split text DEFAULT 'median', target name DEFAULT NULL)
RETURNS int LANGUAGE c WINDOW STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_mondrian(int, record, name[], boolean, text, name) IS
    'multidimensional recoding: the equivalence class of each row of the window partition, at least k rows each';

