-- Whoever owns the schema that kanon is installed in, and has put better matching
-- operators or functions there, must not find them in what is stored for good: every
-- operator, function and cast in an expression is qualified.

-- What the owners of tables declared about their columns.  A column goes by
-- its name here, so that declarations dump and restore into any database.
CREATE TABLE kanon_attribute (
    relation  regclass NOT NULL,
    attribute name     NOT NULL,
    role      text     NOT NULL CHECK (role OPERATOR(pg_catalog.=) ANY (
        ARRAY['identifier', 'quasi_identifier', 'sensitive', 'insensitive']::pg_catalog.text[])),
    dimension regclass,
    weight    float8   NOT NULL DEFAULT 1 CHECK (
        weight OPERATOR(pg_catalog.>=) '0'::pg_catalog.float8 AND
        weight OPERATOR(pg_catalog.<) 'infinity'::pg_catalog.float8),
    PRIMARY KEY (relation, attribute)
);
COMMENT ON TABLE kanon_attribute IS 'declared roles, dimensions and weights of columns';
COMMENT ON COLUMN kanon_attribute.relation IS 'the table, view, materialized view or foreign table';
COMMENT ON COLUMN kanon_attribute.attribute IS 'the column';
COMMENT ON COLUMN kanon_attribute.role IS 'identifier, quasi_identifier, sensitive or insensitive';
COMMENT ON COLUMN kanon_attribute.dimension IS 'dimension table of the column; null: the levels are the value and *';
COMMENT ON COLUMN kanon_attribute.weight IS 'weight of the column in the loss';
-- Temporary tables do not exist where a dump is restored.
SELECT pg_catalog.pg_extension_config_dump('kanon_attribute',
    $$WHERE EXISTS (SELECT 1 FROM pg_catalog.pg_class c WHERE c.oid OPERATOR(pg_catalog.=) relation
        AND c.relpersistence OPERATOR(pg_catalog.<>) 't'::pg_catalog."char")$$);
GRANT SELECT ON kanon_attribute TO PUBLIC;

-- kanon's own tables (.._state) are for nobody to read.  Of their rows, everybody sees in views what
-- the function lets pass.
CREATE FUNCTION kanon_view_entries(kind anyelement)
RETURNS SETOF anyelement LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_entries(anyelement) IS
    'the rows of one of kanon''s own tables, of whose type kind is, with null for what the current user may not see';

-- The rules that dimensions were made by: labels as functions of the value.
CREATE TABLE kanon_dimension_state (
    dimension regclass PRIMARY KEY,
    method    text   NOT NULL,
    arguments text[] NOT NULL,
    levels    name[] NOT NULL,
    type      text   NOT NULL,
    bounds    text[] NOT NULL
);
COMMENT ON TABLE kanon_dimension_state IS 'rows of the view kanon_dimension';
SELECT pg_catalog.pg_extension_config_dump('kanon_dimension_state',
    $$WHERE EXISTS (SELECT 1 FROM pg_catalog.pg_class c WHERE c.oid OPERATOR(pg_catalog.=) dimension
        AND c.relpersistence OPERATOR(pg_catalog.<>) 't'::pg_catalog."char")$$);
CREATE VIEW kanon_dimension AS SELECT * FROM kanon_view_entries(NULL::kanon_dimension_state);
COMMENT ON VIEW kanon_dimension IS 'rules of the dimensions that kanon_create_dimension made; they label values that the tables lack';
COMMENT ON COLUMN kanon_dimension.dimension IS 'the table';
COMMENT ON COLUMN kanon_dimension.method IS 'method by which it was made';
COMMENT ON COLUMN kanon_dimension.arguments IS 'arguments of the method, one for each level but the top; none for suppress';
COMMENT ON COLUMN kanon_dimension.levels IS 'columns of the dimension that the rule labels, from the lowest; null: dropped since';
COMMENT ON COLUMN kanon_dimension.type IS 'type of the values that the rule labels';
COMMENT ON COLUMN kanon_dimension.bounds IS 'for quantiles: level, least and greatest value of each bin, as text; for the dimension''s owner only';
GRANT SELECT ON kanon_dimension TO PUBLIC;

CREATE FUNCTION kanon_set_attribute(relation regclass, attribute name, role text,
    dimension regclass DEFAULT NULL, weight float8 DEFAULT 1)
RETURNS void LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_set_attribute(regclass, name, text, regclass, float8) IS
    'declares the role of a column (identifier, quasi_identifier, sensitive or insensitive), with its dimension and its weight in the loss';

CREATE FUNCTION kanon_declare(relation regclass, quasi_identifiers name[] DEFAULT '{}',
    sensitive name[] DEFAULT '{}', insensitive name[] DEFAULT '{}', identifiers name[] DEFAULT '{}')
RETURNS void LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_declare(regclass, name[], name[], name[], name[]) IS
    'declares the roles of several columns at once; a column that already has its role keeps its dimension and weight';

CREATE FUNCTION kanon_unset_attribute(relation regclass, attribute name)
RETURNS void LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_unset_attribute(regclass, name) IS
    'removes the declaration of a column';

-- Declarations follow their tables and columns, whoever changes these.
CREATE FUNCTION kanon_forget_dropped() RETURNS event_trigger
LANGUAGE c AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_forget_dropped() IS 'forgets what was dropped: declarations of tables and columns, dimensions, releases';

CREATE FUNCTION kanon_follow_renamed() RETURNS event_trigger
LANGUAGE c AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_follow_renamed() IS 'lets declarations follow renamed columns, and cohorts renamed tables';

CREATE EVENT TRIGGER kanon_forget_dropped ON sql_drop
    EXECUTE FUNCTION kanon_forget_dropped();
ALTER EVENT TRIGGER kanon_forget_dropped ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER kanon_forget_dropped IS 'keeps kanon''s own tables up to date';

CREATE EVENT TRIGGER kanon_follow_renamed ON ddl_command_end
    WHEN TAG IN ('ALTER TABLE', 'ALTER VIEW', 'ALTER MATERIALIZED VIEW', 'ALTER FOREIGN TABLE', 'ALTER TYPE', 'ALTER INDEX',
        'ALTER SCHEMA', 'ALTER EXTENSION')
    EXECUTE FUNCTION kanon_follow_renamed();
ALTER EVENT TRIGGER kanon_follow_renamed ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER kanon_follow_renamed IS 'keeps kanon_attribute, kanon_dimension and kanon_cohort up to date';

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

