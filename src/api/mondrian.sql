CREATE FUNCTION kanon_mondrian(k int, "rows" record, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '', relaxed boolean DEFAULT false, split text DEFAULT 'median',
    target name DEFAULT NULL, person name DEFAULT NULL)
RETURNS int LANGUAGE c WINDOW STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_mondrian(int, record, name[], kanon_models, boolean, text, name, name) IS
    'multidimensional recoding: the equivalence class of each row of the window partition, at least k rows, or k different people, in each, which satisfies all models';


CREATE FUNCTION kanon_view_mondrian(k int, "rows" record, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '', relaxed boolean DEFAULT false, split text DEFAULT 'median',
    target name DEFAULT NULL, person name DEFAULT NULL, dimensions regclass[] DEFAULT NULL,
    means boolean DEFAULT false, by_class boolean DEFAULT false, model_dimensions regclass[] DEFAULT NULL)
RETURNS record LANGUAGE c WINDOW STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_mondrian(int, record, name[], kanon_models, boolean, text, name, name, regclass[], boolean, boolean, regclass[]) IS
    'multidimensional recoding: class and generalized values of each row; with by_class in the order of the classes, for queries that show nothing else of a row';

CREATE FUNCTION kanon_view_cell(cells record, field text, kind anyelement)
RETURNS anyelement LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_cell(record, text, anyelement) IS
    'field of a record of kanon_view_mondrian, kanon_ring or kanon_two_phase by its name, as the type of kind, whose value does not matter';
