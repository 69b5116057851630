CREATE FUNCTION kanon_view_satisfies(k int, "rows" record, class name, models kanon_models DEFAULT '',
    person name DEFAULT NULL, model_dimensions regclass[] DEFAULT NULL)
RETURNS boolean LANGUAGE c WINDOW STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_satisfies(int, record, name, kanon_models, name, regclass[]) IS
    'may the row be published? its class, of the rows equal in the field of that name, has k rows or different people and satisfies all models, beside all others that do';
