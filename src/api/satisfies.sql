CREATE FUNCTION kanon_view_satisfies(k int, "rows" record, class name, models kanon_models DEFAULT '',
    person name DEFAULT NULL, model_dimensions regclass[] DEFAULT NULL)
RETURNS boolean LANGUAGE c WINDOW STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_satisfies(int, record, name, kanon_models, name, regclass[]) IS
    'whether the row may be published: its class, the rows equal in the field of that name, has k rows or distinct people and satisfies all models, judged next to the other classes that do';
