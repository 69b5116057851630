CREATE FUNCTION kanon_view_satisfies(k int, "rows" record, class name, models kanon_models DEFAULT '',
    person name DEFAULT NULL, model_dimensions regclass[] DEFAULT NULL)
RETURNS boolean LANGUAGE c WINDOW STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_satisfies(int, record, name, kanon_models, name, regclass[]) IS
    'whether the row may be published: its class (the rows with an equal value in the field that class names) has k rows or distinct people and satisfies all models; closeness compares with the classes that may be published';
