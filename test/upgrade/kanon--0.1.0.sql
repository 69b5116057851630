-- complain if the script is sourced in psql rather than through CREATE EXTENSION
\echo Use "CREATE EXTENSION kanon" to load this file. \quit

-- First of all, so that it sees what lay in the schema before kanon, too.
CREATE FUNCTION kanon_refuse_overloads() RETURNS event_trigger
LANGUAGE c AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_refuse_overloads() IS 'keeps the names of kanon''s functions in its schema for kanon';

CREATE EVENT TRIGGER kanon_refuse_overloads ON ddl_command_end
    WHEN TAG IN ('CREATE FUNCTION', 'CREATE PROCEDURE', 'CREATE AGGREGATE', 'CREATE TYPE', 'CREATE DOMAIN',
        'ALTER FUNCTION', 'ALTER PROCEDURE', 'ALTER AGGREGATE', 'ALTER ROUTINE', 'ALTER TYPE', 'ALTER DOMAIN',
        'ALTER EXTENSION')
    EXECUTE FUNCTION kanon_refuse_overloads();
ALTER EVENT TRIGGER kanon_refuse_overloads ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER kanon_refuse_overloads IS 'nothing else in kanon''s schema is taken for a function of kanon''s';

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
COMMENT ON TABLE kanon_attribute IS 'roles, dimensions and weights of columns, as declared with kanon_set_attribute';
COMMENT ON COLUMN kanon_attribute.relation IS 'the table, view, materialized view or foreign table';
COMMENT ON COLUMN kanon_attribute.attribute IS 'its column';
COMMENT ON COLUMN kanon_attribute.role IS 'identifier, quasi_identifier, sensitive or insensitive';
COMMENT ON COLUMN kanon_attribute.dimension IS 'table of the generalization hierarchy; null: the levels are {value, *}';
COMMENT ON COLUMN kanon_attribute.weight IS 'weight of the column in the loss';
-- Temporary tables do not exist where a dump is restored.
SELECT pg_catalog.pg_extension_config_dump('kanon_attribute',
    $$WHERE EXISTS (SELECT 1 FROM pg_catalog.pg_class c WHERE c.oid OPERATOR(pg_catalog.=) relation
        AND c.relpersistence OPERATOR(pg_catalog.<>) 't'::pg_catalog."char")$$);
GRANT SELECT ON kanon_attribute TO PUBLIC;

-- The rules that dimensions were made by: labels as functions of the value.
CREATE TABLE kanon_dimension (
    dimension regclass PRIMARY KEY,
    method    text   NOT NULL,
    arguments text[] NOT NULL,
    levels    name[] NOT NULL,
    type      text   NOT NULL,
    bounds    text[] NOT NULL
);
COMMENT ON TABLE kanon_dimension IS 'rules of the dimensions made by kanon_create_dimension, which label values that these lack';
COMMENT ON COLUMN kanon_dimension.dimension IS 'the table';
COMMENT ON COLUMN kanon_dimension.method IS 'the method it was made by';
COMMENT ON COLUMN kanon_dimension.arguments IS 'its arguments, one for each level but the top; none for suppress';
COMMENT ON COLUMN kanon_dimension.levels IS 'the dimension''s columns that the rule labels, from the lowest; null: dropped since';
COMMENT ON COLUMN kanon_dimension.type IS 'type of the values that the rule labels';
COMMENT ON COLUMN kanon_dimension.bounds IS 'of quantiles: level, least and greatest value of each bin, as text';
SELECT pg_catalog.pg_extension_config_dump('kanon_dimension',
    $$WHERE EXISTS (SELECT 1 FROM pg_catalog.pg_class c WHERE c.oid OPERATOR(pg_catalog.=) dimension
        AND c.relpersistence OPERATOR(pg_catalog.<>) 't'::pg_catalog."char")$$);
GRANT SELECT ON kanon_dimension TO PUBLIC;

CREATE FUNCTION kanon_set_attribute(relation regclass, attribute name, role text,
    dimension regclass DEFAULT NULL, weight float8 DEFAULT 1)
RETURNS void LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_set_attribute(regclass, name, text, regclass, float8) IS
    'declares the role of a column, with its dimension and its weight in the loss';

CREATE FUNCTION kanon_declare(relation regclass, quasi_identifiers name[] DEFAULT '{}',
    sensitive name[] DEFAULT '{}', insensitive name[] DEFAULT '{}', identifiers name[] DEFAULT '{}')
RETURNS void LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_declare(regclass, name[], name[], name[], name[]) IS
    'declares the roles of many columns at once; one that has its role already keeps its dimension and weight';

CREATE FUNCTION kanon_unset_attribute(relation regclass, attribute name)
RETURNS void LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_unset_attribute(regclass, name) IS
    'takes back what kanon_set_attribute declared of a column';

-- Declarations follow their tables and columns, whoever changes these.
CREATE FUNCTION kanon_forget_dropped() RETURNS event_trigger
LANGUAGE c AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_forget_dropped() IS 'removes what is declared of tables and columns dropped';

CREATE FUNCTION kanon_follow_renamed() RETURNS event_trigger
LANGUAGE c AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_follow_renamed() IS 'lets declarations follow renamed columns';

CREATE EVENT TRIGGER kanon_forget_dropped ON sql_drop
    EXECUTE FUNCTION kanon_forget_dropped();
ALTER EVENT TRIGGER kanon_forget_dropped ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER kanon_forget_dropped IS 'keeps kanon_attribute and kanon_dimension true';

CREATE EVENT TRIGGER kanon_follow_renamed ON ddl_command_end
    WHEN TAG IN ('ALTER TABLE', 'ALTER VIEW', 'ALTER MATERIALIZED VIEW', 'ALTER FOREIGN TABLE', 'ALTER TYPE')
    EXECUTE FUNCTION kanon_follow_renamed();
ALTER EVENT TRIGGER kanon_follow_renamed ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER kanon_follow_renamed IS 'keeps kanon_attribute and kanon_dimension true';

CREATE FUNCTION kanon_create_dimension(dimension text, relation regclass, attribute name,
    method text, arguments text[] DEFAULT '{}')
RETURNS regclass LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_create_dimension(text, regclass, name, text, text[]) IS
    'makes a dimension table out of a column''s values and declares the column a quasi-identifier with it';

CREATE FUNCTION kanon_refresh_dimension(dimension regclass)
RETURNS bigint LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_refresh_dimension(regclass) IS
    'adds to a dimension, by the rule it was made by, the values of its columns that it lacks; how many';

CREATE FUNCTION kanon_check_dimension(dimension regclass, relation regclass, attribute name)
RETURNS TABLE (problem text, level int, value text, rows bigint, detail text)
LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_check_dimension(regclass, regclass, name) IS
    'lists what is wrong with a dimension as the hierarchy of a column; no rows when all is well';

-- Privacy models beyond k: what every class must show of sensitive columns.
CREATE TYPE kanon_models;
COMMENT ON TYPE kanon_models IS 'privacy models, with commas: distinct(s, l), entropy(s, l), recursive(s, c, l), closeness(s, t) or variance(s, v) of a sensitive column s';

CREATE FUNCTION kanon_models_in(cstring) RETURNS kanon_models
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_models_in(cstring) IS 'I/O';
CREATE FUNCTION kanon_models_out(kanon_models) RETURNS cstring
AS 'textout' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_models_out(kanon_models) IS 'I/O';
CREATE FUNCTION kanon_models_recv(internal) RETURNS kanon_models
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_models_recv(internal) IS 'I/O';
CREATE FUNCTION kanon_models_send(kanon_models) RETURNS bytea
AS 'textsend' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_models_send(kanon_models) IS 'I/O';

CREATE TYPE kanon_models (
    INPUT = kanon_models_in,
    OUTPUT = kanon_models_out,
    RECEIVE = kanon_models_recv,
    SEND = kanon_models_send,
    LIKE = text
);

-- So that models => ARRAY['distinct(disease, 3)'] needs no cast; no operator
-- or function of another kind takes kanon_models.
CREATE CAST (text AS kanon_models) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (text AS kanon_models) IS 'by its input function';
CREATE CAST (varchar AS kanon_models) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (varchar AS kanon_models) IS 'by its input function';
CREATE CAST (text[] AS kanon_models) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (text[] AS kanon_models) IS 'the models of all elements';
CREATE CAST (varchar[] AS kanon_models) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (varchar[] AS kanon_models) IS 'the models of all elements';
-- Levels of a generalization, by number or by name.
CREATE TYPE kanon_levels;
COMMENT ON TYPE kanon_levels IS 'levels of the quasi-identifiers in their order, as an array: numbers, names of the dimensions'' columns, or * for the top';

CREATE FUNCTION kanon_levels_in(cstring) RETURNS kanon_levels
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_levels_in(cstring) IS 'I/O';
CREATE FUNCTION kanon_levels_out(kanon_levels) RETURNS cstring
AS 'textout' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_levels_out(kanon_levels) IS 'I/O';
CREATE FUNCTION kanon_levels_recv(internal) RETURNS kanon_levels
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_levels_recv(internal) IS 'I/O';
CREATE FUNCTION kanon_levels_send(kanon_levels) RETURNS bytea
AS 'textsend' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_levels_send(kanon_levels) IS 'I/O';

CREATE TYPE kanon_levels (
    INPUT = kanon_levels_in,
    OUTPUT = kanon_levels_out,
    RECEIVE = kanon_levels_recv,
    SEND = kanon_levels_send,
    LIKE = text
);

-- What a search found, and an array of numbers or names, need no cast.
CREATE CAST (int2[] AS kanon_levels) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (int2[] AS kanon_levels) IS 'by number';
CREATE CAST (int[] AS kanon_levels) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (int[] AS kanon_levels) IS 'by number';
CREATE CAST (int8[] AS kanon_levels) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (int8[] AS kanon_levels) IS 'by number';
CREATE CAST (text[] AS kanon_levels) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (text[] AS kanon_levels) IS 'by number or name';
CREATE CAST (varchar[] AS kanon_levels) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (varchar[] AS kanon_levels) IS 'by number or name';
CREATE CAST (name[] AS kanon_levels) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (name[] AS kanon_levels) IS 'by number or name';
CREATE CAST (text AS kanon_levels) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (text AS kanon_levels) IS 'by its input function';
CREATE CAST (varchar AS kanon_levels) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (varchar AS kanon_levels) IS 'by its input function';
-- One full-domain generalization: a level for each quasi-identifier.
CREATE TYPE kanon_generalization AS (
    levels         int[],
    labels         text[],
    height         int,
    minimal        boolean,
    loss           float8,
    "precision"    float8,
    classes        bigint,
    smallest       bigint,
    suppressed     bigint,
    discernibility float8,
    average_class  float8
);
COMMENT ON TYPE kanon_generalization IS 'a full-domain generalization (levels, and their names, in the order of the quasi-identifiers) with what it loses';

CREATE FUNCTION kanon_incognito(
    relation regclass,
    k int,
    quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '',
    suppression float8 DEFAULT 0,
    algorithm text DEFAULT 'two_way',
    metrics boolean DEFAULT false,
    person name DEFAULT NULL)
RETURNS SETOF kanon_generalization
AS 'MODULE_PATHNAME' LANGUAGE C STABLE COST 100000 ROWS 100;
COMMENT ON FUNCTION kanon_incognito(regclass, int, name[], kanon_models, float8, text, boolean, name) IS 'all full-domain generalizations that satisfy k and the models (algorithm: basic, superroots, cube, two_way)';

CREATE FUNCTION kanon_bottom_up(
    relation regclass,
    k int,
    quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '',
    suppression float8 DEFAULT 0,
    rollup boolean DEFAULT true,
    metrics boolean DEFAULT false,
    person name DEFAULT NULL)
RETURNS SETOF kanon_generalization
AS 'MODULE_PATHNAME' LANGUAGE C STABLE COST 100000 ROWS 100;
COMMENT ON FUNCTION kanon_bottom_up(regclass, int, name[], kanon_models, float8, boolean, boolean, name) IS 'all full-domain generalizations that satisfy k and the models, by bottom-up breadth-first search';

CREATE FUNCTION kanon_binary_search(
    relation regclass,
    k int,
    quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '',
    suppression float8 DEFAULT 0,
    metrics boolean DEFAULT false,
    person name DEFAULT NULL)
RETURNS SETOF kanon_generalization
AS 'MODULE_PATHNAME' LANGUAGE C STABLE COST 100000 ROWS 1;
COMMENT ON FUNCTION kanon_binary_search(regclass, int, name[], kanon_models, float8, boolean, name) IS 'one full-domain generalization that satisfies k and the models, of the lowest height, by Samarati''s binary search';

CREATE FUNCTION kanon_datafly(
    relation regclass,
    k int,
    quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '',
    suppression float8 DEFAULT 0,
    metrics boolean DEFAULT false,
    person name DEFAULT NULL)
RETURNS SETOF kanon_generalization
AS 'MODULE_PATHNAME' LANGUAGE C STABLE COST 100000 ROWS 1;
COMMENT ON FUNCTION kanon_datafly(regclass, int, name[], kanon_models, float8, boolean, name) IS 'one full-domain generalization that satisfies k and the models, by Sweeney''s greedy Datafly';

CREATE FUNCTION kanon_last_search(
    OUT size int,
    OUT attribute_sets bigint,
    OUT candidates bigint,
    OUT checked bigint,
    OUT satisfying bigint,
    OUT table_scans bigint,
    OUT rollups bigint,
    OUT milliseconds float8)
RETURNS SETOF record
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE ROWS 10;
COMMENT ON FUNCTION kanon_last_search() IS 'what the last search of this session did, a row for each iteration';

CREATE FUNCTION kanon_check(relation regclass, k int DEFAULT NULL, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT NULL, person name DEFAULT NULL,
    OUT satisfied boolean, OUT rows bigint, OUT classes bigint, OUT smallest bigint,
    OUT violating_classes bigint, OUT violating_rows bigint)
RETURNS record LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_check(regclass, int, name[], kanon_models, name) IS
    'does every class of a table, view or release hold at least k rows, or k different people, and satisfy all models? Of a release, those it was made with';

CREATE FUNCTION kanon_classes(relation regclass, k int DEFAULT NULL, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT NULL, person name DEFAULT NULL,
    OUT class text[], OUT size bigint, OUT distinct_values bigint[], OUT model_values float8[], OUT satisfied boolean)
RETURNS SETOF record LANGUAGE c STABLE COST 100000 ROWS 1000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_classes(regclass, int, name[], kanon_models, name) IS
    'the equivalence classes of a table, view or release, each with its size, the figures of the models and whether it satisfies. Of a release, those it was made with';

CREATE FUNCTION kanon_risk(relation regclass, quasi_identifiers name[] DEFAULT NULL,
    population regclass DEFAULT NULL, threshold float8 DEFAULT NULL,
    OUT rows bigint, OUT classes bigint, OUT uniques bigint, OUT unique_share float8,
    OUT prosecutor_highest float8, OUT prosecutor_average float8, OUT prosecutor_at_risk float8,
    OUT population_uniques bigint, OUT population_unique_share float8,
    OUT journalist_highest float8, OUT journalist_average float8, OUT journalist_at_risk float8,
    OUT marketer float8)
RETURNS record LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_risk(regclass, name[], regclass, float8) IS
    'risk of reidentification: prosecutor, journalist (with a population) and marketer, and uniques';

CREATE FUNCTION kanon_sample_uniques(relation regclass, columns name[] DEFAULT NULL, size int DEFAULT 3,
    OUT columns name[], OUT uniques bigint, OUT unique_share float8, OUT minimal bigint)
RETURNS SETOF record LANGUAGE c STABLE COST 100000 ROWS 1000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_sample_uniques(regclass, name[], int) IS
    'each set of up to size columns: how many rows are unique on it, and how many on it and on no smaller set within it';

CREATE FUNCTION kanon_special_uniques(relation regclass, key name, columns name[] DEFAULT NULL, size int DEFAULT 3,
    OUT key text, OUT minimal int[], OUT score float8)
RETURNS SETOF record LANGUAGE c STABLE COST 100000 ROWS 1000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_special_uniques(regclass, name, name[], int) IS
    'rows that some set of up to size columns singles out: by how many minimal sets of each size, and the score of SUDA';

CREATE FUNCTION kanon_mondrian(k int, "rows" record, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '', relaxed boolean DEFAULT false, split text DEFAULT 'median',
    target name DEFAULT NULL, person name DEFAULT NULL)
RETURNS int LANGUAGE c WINDOW STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_mondrian(int, record, name[], kanon_models, boolean, text, name, name) IS
    'multidimensional recoding: the equivalence class of each row of the window partition, at least k rows, or k different people, in each, which satisfies all models';

CREATE FUNCTION kanon_ring(k int, "rows" record, quasi_identifiers name[] DEFAULT NULL,
    dimensions regclass[] DEFAULT NULL, randomize boolean DEFAULT true, seed text DEFAULT NULL)
RETURNS record LANGUAGE c WINDOW VOLATILE PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_ring(int, record, name[], regclass[], boolean, text) IS
    'non-homogeneous generalization by rings of neighbours: the generalized values of a record that covers the row, drawn at random from k';

CREATE FUNCTION kanon_two_phase(k int, "rows" record, quasi_identifiers name[] DEFAULT NULL,
    dimensions regclass[] DEFAULT NULL, randomize boolean DEFAULT true, seed text DEFAULT NULL)
RETURNS record LANGUAGE c WINDOW VOLATILE PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_two_phase(int, record, name[], regclass[], boolean, text) IS
    'non-homogeneous generalization by matchings of least loss: the generalized values of a record that covers the row, drawn at random from k';

-- STABLE: calls that are alike are one, which a release asks for each of its cells.
CREATE FUNCTION kanon_view_cells(recoding text, k int, "rows" record, quasi_identifiers name[] DEFAULT NULL,
    dimensions regclass[] DEFAULT NULL, randomize boolean DEFAULT true, seed text DEFAULT NULL,
    models kanon_models DEFAULT '', model_dimensions regclass[] DEFAULT NULL, person name DEFAULT NULL,
    split text DEFAULT NULL, target name DEFAULT NULL, means boolean DEFAULT false, partitioning text DEFAULT NULL,
    beside int DEFAULT 0)
RETURNS record LANGUAGE c WINDOW STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_cells(text, int, record, name[], regclass[], boolean, text, kanon_models, regclass[], name, text, name, boolean, text, int) IS
    'the generalized values of each row by any recoding of rows; where there are classes, in their order, with the last fields of the rows beside them: a query shows nothing else of a row';

CREATE FUNCTION kanon_view_candidates(recoding text, k int, "rows" record, quasi_identifiers name[] DEFAULT NULL,
    dimensions regclass[] DEFAULT NULL, randomize boolean DEFAULT true, seed text DEFAULT NULL,
    models kanon_models DEFAULT '', model_dimensions regclass[] DEFAULT NULL, person name DEFAULT NULL,
    split text DEFAULT NULL, target name DEFAULT NULL, means boolean DEFAULT false, partitioning text DEFAULT NULL,
    beside int DEFAULT 0)
RETURNS int[] LANGUAGE c WINDOW STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_candidates(text, int, record, name[], regclass[], boolean, text, kanon_models, regclass[], name, text, name, boolean, text, int) IS
    'of the same recoding, what tells whose record the row''s may be: its class, or, where there are none, the number of its kind (rows that are alike) and those of the rows that its record covers';

CREATE FUNCTION kanon_view_cell(cells record, field text, kind anyelement)
RETURNS anyelement LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_cell(record, text, anyelement) IS
    'field of a record of kanon_view_cells, kanon_ring or kanon_two_phase by its name, as the type of kind, whose value does not matter';

CREATE FUNCTION kanon_last_partitioning(
    OUT partitioning text,
    OUT "rows" bigint,
    OUT classes bigint,
    OUT counted bigint,
    OUT repartitioned bigint,
    OUT nodes_grown bigint,
    OUT nodes_pruned bigint,
    OUT parts_in_memory bigint,
    OUT rows_read bigint,
    OUT rows_written bigint,
    OUT bytes_read bigint,
    OUT bytes_written bigint)
RETURNS SETOF record
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE ROWS 1;
COMMENT ON FUNCTION kanon_last_partitioning() IS 'what the last partitioning of this session did, in memory or on disk: parts that were read to count them and to set their rows apart, nodes of the tree grown from counts or samples and pruned again, parts that were divided in memory, rows and bytes that went over disk';

CREATE FUNCTION kanon_progress_entries(
    OUT pid int,
    OUT statement_start timestamptz,
    OUT phase_start timestamptz,
    OUT phase text,
    OUT done bigint,
    OUT total bigint)
RETURNS SETOF record
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE ROWS 10;
COMMENT ON FUNCTION kanon_progress_entries() IS 'what sessions with kanon.progress on that the current user may watch did last: the view kanon_progress says which of them are still at it';

-- Entries outlive their statements: pg_stat_activity says which one runs, to whom it may.
CREATE VIEW kanon_progress AS
SELECT a.pid, a.datname, a.usename, p.phase, p.done, p.total, p.statement_start, p.phase_start
FROM kanon_progress_entries() p JOIN pg_catalog.pg_stat_activity a
    ON a.pid OPERATOR(pg_catalog.=) p.pid AND a.query_start OPERATOR(pg_catalog.=) p.statement_start
        AND a.state OPERATOR(pg_catalog.=) 'active';
COMMENT ON VIEW kanon_progress IS 'how far running calls of sessions with kanon.progress on have got; empty before PostgreSQL 17';
COMMENT ON COLUMN kanon_progress.pid IS 'the session''s process';
COMMENT ON COLUMN kanon_progress.datname IS 'its database';
COMMENT ON COLUMN kanon_progress.usename IS 'its user';
COMMENT ON COLUMN kanon_progress.phase IS 'what it is doing';
COMMENT ON COLUMN kanon_progress.done IS 'how much of that is done';
COMMENT ON COLUMN kanon_progress.total IS 'how much there is to do; null: not known';
COMMENT ON COLUMN kanon_progress.statement_start IS 'when its statement began';
COMMENT ON COLUMN kanon_progress.phase_start IS 'when the phase began';
GRANT SELECT ON kanon_progress TO PUBLIC;
CREATE FUNCTION kanon_view_satisfies(k int, "rows" record, class name, models kanon_models DEFAULT '',
    person name DEFAULT NULL, model_dimensions regclass[] DEFAULT NULL)
RETURNS boolean LANGUAGE c WINDOW STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_satisfies(int, record, name, kanon_models, name, regclass[]) IS
    'may the row be published? its class, of the rows equal in the field of that name, has k rows or different people and satisfies all models, beside all others that do';
-- The partition tree: a recoding function as a value.
CREATE TYPE kanon_tree;
COMMENT ON TYPE kanon_tree IS 'a partition tree: the regions of a multidimensional recoding, whatever rows it is applied to';

CREATE FUNCTION kanon_tree_in(cstring) RETURNS kanon_tree
AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_tree_in(cstring) IS 'I/O';
CREATE FUNCTION kanon_tree_out(kanon_tree) RETURNS cstring
AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_tree_out(kanon_tree) IS 'I/O';
CREATE FUNCTION kanon_tree_recv(internal) RETURNS kanon_tree
AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_tree_recv(internal) IS 'I/O';
CREATE FUNCTION kanon_tree_send(kanon_tree) RETURNS bytea
AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_tree_send(kanon_tree) IS 'I/O';

CREATE TYPE kanon_tree (
    INPUT = kanon_tree_in,
    OUTPUT = kanon_tree_out,
    RECEIVE = kanon_tree_recv,
    SEND = kanon_tree_send,
    INTERNALLENGTH = VARIABLE,
    ALIGNMENT = double,
    STORAGE = extended
);

-- An order, by the bytes of the text, so that trees can be grouped, sorted and told apart.
CREATE FUNCTION kanon_tree_cmp(kanon_tree, kanon_tree) RETURNS int
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_tree_cmp(kanon_tree, kanon_tree) IS 'less, equal or greater, by the bytes of the text';
CREATE FUNCTION kanon_tree_hash(kanon_tree) RETURNS int
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_tree_hash(kanon_tree) IS 'hash of the text';
CREATE FUNCTION kanon_tree_eq(kanon_tree, kanon_tree) RETURNS boolean
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_tree_eq(kanon_tree, kanon_tree) IS 'implementation of = operator';
CREATE OPERATOR = (LEFTARG = kanon_tree, RIGHTARG = kanon_tree, FUNCTION = kanon_tree_eq,
    COMMUTATOR = =, NEGATOR = <>, RESTRICT = pg_catalog.eqsel, JOIN = pg_catalog.eqjoinsel, HASHES, MERGES);
COMMENT ON OPERATOR = (kanon_tree, kanon_tree) IS 'equal texts';
CREATE FUNCTION kanon_tree_ne(kanon_tree, kanon_tree) RETURNS boolean
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_tree_ne(kanon_tree, kanon_tree) IS 'implementation of <> operator';
CREATE OPERATOR <> (LEFTARG = kanon_tree, RIGHTARG = kanon_tree, FUNCTION = kanon_tree_ne,
    COMMUTATOR = <>, NEGATOR = =, RESTRICT = pg_catalog.neqsel, JOIN = pg_catalog.neqjoinsel);
COMMENT ON OPERATOR <> (kanon_tree, kanon_tree) IS 'different texts';
CREATE FUNCTION kanon_tree_lt(kanon_tree, kanon_tree) RETURNS boolean
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_tree_lt(kanon_tree, kanon_tree) IS 'implementation of < operator';
CREATE OPERATOR < (LEFTARG = kanon_tree, RIGHTARG = kanon_tree, FUNCTION = kanon_tree_lt,
    COMMUTATOR = >, NEGATOR = >=, RESTRICT = pg_catalog.scalarltsel, JOIN = pg_catalog.scalarltjoinsel);
COMMENT ON OPERATOR < (kanon_tree, kanon_tree) IS 'below in the order of texts';
CREATE FUNCTION kanon_tree_le(kanon_tree, kanon_tree) RETURNS boolean
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_tree_le(kanon_tree, kanon_tree) IS 'implementation of <= operator';
CREATE OPERATOR <= (LEFTARG = kanon_tree, RIGHTARG = kanon_tree, FUNCTION = kanon_tree_le,
    COMMUTATOR = >=, NEGATOR = >, RESTRICT = pg_catalog.scalarlesel, JOIN = pg_catalog.scalarlejoinsel);
COMMENT ON OPERATOR <= (kanon_tree, kanon_tree) IS 'below or equal in the order of texts';
CREATE FUNCTION kanon_tree_gt(kanon_tree, kanon_tree) RETURNS boolean
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_tree_gt(kanon_tree, kanon_tree) IS 'implementation of > operator';
CREATE OPERATOR > (LEFTARG = kanon_tree, RIGHTARG = kanon_tree, FUNCTION = kanon_tree_gt,
    COMMUTATOR = <, NEGATOR = <=, RESTRICT = pg_catalog.scalargtsel, JOIN = pg_catalog.scalargtjoinsel);
COMMENT ON OPERATOR > (kanon_tree, kanon_tree) IS 'above in the order of texts';
CREATE FUNCTION kanon_tree_ge(kanon_tree, kanon_tree) RETURNS boolean
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_tree_ge(kanon_tree, kanon_tree) IS 'implementation of >= operator';
CREATE OPERATOR >= (LEFTARG = kanon_tree, RIGHTARG = kanon_tree, FUNCTION = kanon_tree_ge,
    COMMUTATOR = <=, NEGATOR = <, RESTRICT = pg_catalog.scalargesel, JOIN = pg_catalog.scalargejoinsel);
COMMENT ON OPERATOR >= (kanon_tree, kanon_tree) IS 'above or equal in the order of texts';
CREATE OPERATOR FAMILY kanon_tree_btree USING btree;
COMMENT ON OPERATOR FAMILY kanon_tree_btree USING btree IS 'partition trees in the order of their texts';
CREATE OPERATOR CLASS kanon_tree_btree DEFAULT FOR TYPE kanon_tree USING btree FAMILY kanon_tree_btree AS
    OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 kanon_tree_cmp(kanon_tree, kanon_tree);
COMMENT ON OPERATOR CLASS kanon_tree_btree USING btree IS 'partition trees in the order of their texts';
CREATE OPERATOR FAMILY kanon_tree_hashed USING hash;
COMMENT ON OPERATOR FAMILY kanon_tree_hashed USING hash IS 'partition trees by their texts';
CREATE OPERATOR CLASS kanon_tree_hashed DEFAULT FOR TYPE kanon_tree USING hash FAMILY kanon_tree_hashed AS
    OPERATOR 1 =, FUNCTION 1 kanon_tree_hash(kanon_tree);
COMMENT ON OPERATOR CLASS kanon_tree_hashed USING hash IS 'partition trees by their texts';

-- Aggregates take no defaults: one for each number of arguments.
CREATE FUNCTION kanon_mondrian_tree_transition(internal, k int, "rows" record) RETURNS internal
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL RESTRICTED;
COMMENT ON FUNCTION kanon_mondrian_tree_transition(internal, int, record) IS 'aggregate transition function';
CREATE FUNCTION kanon_mondrian_tree_transition(internal, k int, "rows" record, quasi_identifiers name[]) RETURNS internal
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL RESTRICTED;
COMMENT ON FUNCTION kanon_mondrian_tree_transition(internal, int, record, name[]) IS 'aggregate transition function';
CREATE FUNCTION kanon_mondrian_tree_transition(internal, k int, "rows" record, quasi_identifiers name[], split text, target name) RETURNS internal
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL RESTRICTED;
COMMENT ON FUNCTION kanon_mondrian_tree_transition(internal, int, record, name[], text, name) IS 'aggregate transition function';
CREATE FUNCTION kanon_mondrian_tree_transition(internal, k int, "rows" record, quasi_identifiers name[], models kanon_models) RETURNS internal
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL RESTRICTED;
COMMENT ON FUNCTION kanon_mondrian_tree_transition(internal, int, record, name[], kanon_models) IS 'aggregate transition function';
CREATE FUNCTION kanon_mondrian_tree_transition(internal, k int, "rows" record, quasi_identifiers name[], models kanon_models, split text, target name) RETURNS internal
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL RESTRICTED;
COMMENT ON FUNCTION kanon_mondrian_tree_transition(internal, int, record, name[], kanon_models, text, name) IS 'aggregate transition function';
CREATE FUNCTION kanon_mondrian_tree_final(internal) RETURNS kanon_tree
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL RESTRICTED;
COMMENT ON FUNCTION kanon_mondrian_tree_final(internal) IS 'aggregate final function';

CREATE AGGREGATE kanon_mondrian_tree(k int, "rows" record) (
    SFUNC = kanon_mondrian_tree_transition,
    STYPE = internal,
    SSPACE = 1048576,
    FINALFUNC = kanon_mondrian_tree_final,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = RESTRICTED
);
COMMENT ON AGGREGATE kanon_mondrian_tree(int, record) IS 'the partition tree of strict Mondrian over the rows; NULL for fewer than k';
CREATE AGGREGATE kanon_mondrian_tree(k int, "rows" record, quasi_identifiers name[]) (
    SFUNC = kanon_mondrian_tree_transition,
    STYPE = internal,
    SSPACE = 1048576,
    FINALFUNC = kanon_mondrian_tree_final,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = RESTRICTED
);
COMMENT ON AGGREGATE kanon_mondrian_tree(int, record, name[]) IS 'the partition tree of strict Mondrian over the rows; NULL for fewer than k';
CREATE AGGREGATE kanon_mondrian_tree(k int, "rows" record, quasi_identifiers name[], split text, target name) (
    SFUNC = kanon_mondrian_tree_transition,
    STYPE = internal,
    SSPACE = 1048576,
    FINALFUNC = kanon_mondrian_tree_final,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = RESTRICTED
);
COMMENT ON AGGREGATE kanon_mondrian_tree(int, record, name[], text, name) IS 'the partition tree of strict Mondrian over the rows; NULL for fewer than k';
CREATE AGGREGATE kanon_mondrian_tree(k int, "rows" record, quasi_identifiers name[], models kanon_models) (
    SFUNC = kanon_mondrian_tree_transition,
    STYPE = internal,
    SSPACE = 1048576,
    FINALFUNC = kanon_mondrian_tree_final,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = RESTRICTED
);
COMMENT ON AGGREGATE kanon_mondrian_tree(int, record, name[], kanon_models) IS 'the partition tree of strict Mondrian over the rows, whose classes satisfy all models; NULL if the rows together do not, or for fewer than k';
CREATE AGGREGATE kanon_mondrian_tree(k int, "rows" record, quasi_identifiers name[], models kanon_models, split text, target name) (
    SFUNC = kanon_mondrian_tree_transition,
    STYPE = internal,
    SSPACE = 1048576,
    FINALFUNC = kanon_mondrian_tree_final,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = RESTRICTED
);
COMMENT ON AGGREGATE kanon_mondrian_tree(int, record, name[], kanon_models, text, name) IS 'the partition tree of strict Mondrian over the rows, whose classes satisfy all models; NULL if the rows together do not, or for fewer than k';

-- The same over a relation that it reads by itself.
CREATE FUNCTION kanon_grow_tree(relation regclass, k int, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '', split text DEFAULT 'median', target name DEFAULT NULL)
RETURNS kanon_tree LANGUAGE c STABLE COST 100000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_grow_tree(regclass, int, name[], kanon_models, text, name) IS
    'the partition tree of strict Mondrian over the rows of a table or view; NULL if they are fewer than k or do not satisfy all models';

CREATE FUNCTION kanon_leaf(tree kanon_tree, "rows" record) RETURNS int
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION kanon_leaf(kanon_tree, record) IS 'the class of the region that a row lies in; NULL if there is none';

CREATE FUNCTION kanon_region(tree kanon_tree, "rows" record) RETURNS text[]
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION kanon_region(kanon_tree, record) IS 'the region that a row lies in: for each attribute a range, a label, * or NULL';
CREATE FUNCTION kanon_generalized_query(relation regclass, levels kanon_levels, k int DEFAULT NULL,
    quasi_identifiers name[] DEFAULT NULL, models kanon_models DEFAULT '',
    person name DEFAULT NULL)
RETURNS text LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_generalized_query(regclass, kanon_levels, int, name[], kanon_models, name) IS
    'the SELECT of one generalization of a table; with k or models it drops classes that fail; materialize what others are to read';

-- What was released, from what, and what it holds now.  Columns of the relation go by their
-- names, which an event trigger follows; those of the release by their position, which
-- renaming does not change.
CREATE TABLE kanon_release (
    release           regclass    PRIMARY KEY,
    relation          regclass    NOT NULL,
    recoding          text        NOT NULL,
    k                 int         NOT NULL,
    columns           name[]      NOT NULL,
    quasi_identifiers name[]      NOT NULL,
    levels            int[],
    models            kanon_models NOT NULL,
    person            name,
    suppression       float8      NOT NULL,
    rows              bigint,
    classes           bigint,
    smallest          bigint,
    people            bigint,
    missing           bigint,
    loss              float8,
    created           timestamptz NOT NULL,
    created_by        name        NOT NULL,
    refreshed         timestamptz NOT NULL,
    refreshed_by      name        NOT NULL,
    definition        text,
    satisfied         boolean,
    parameters        jsonb       NOT NULL
);
COMMENT ON TABLE kanon_release IS 'releases made with kanon_create_release';
COMMENT ON COLUMN kanon_release.release IS 'the materialized view';
COMMENT ON COLUMN kanon_release.relation IS 'what it was made from';
COMMENT ON COLUMN kanon_release.recoding IS 'how values are generalized';
COMMENT ON COLUMN kanon_release.k IS 'least number of rows, or people, in a class; where there are no classes, of rows behind each released one';
COMMENT ON COLUMN kanon_release.columns IS 'what the relation calls the columns of the release, in their order; null: a mean';
COMMENT ON COLUMN kanon_release.quasi_identifiers IS 'which of them are quasi-identifiers';
COMMENT ON COLUMN kanon_release.levels IS 'levels of the quasi-identifiers, where they were chosen once and for all';
COMMENT ON COLUMN kanon_release.models IS 'privacy models that every class satisfies besides k';
COMMENT ON COLUMN kanon_release.person IS 'column of the relation whose different values count instead of rows';
COMMENT ON COLUMN kanon_release.suppression IS 'share of the relation''s rows that it was made to lack at most';
COMMENT ON COLUMN kanon_release.rows IS 'rows; null: not populated';
COMMENT ON COLUMN kanon_release.classes IS 'equivalence classes; null: the recoding hides a row behind others without making them alike';
COMMENT ON COLUMN kanon_release.smallest IS 'rows of the smallest class; null: there are no classes';
COMMENT ON COLUMN kanon_release.people IS 'where people count instead of rows, different ones in the class that has fewest; null: rows count, there are no classes, or nobody counted';
COMMENT ON COLUMN kanon_release.missing IS 'rows of the relation that it lacks, since their classes fail k or a model';
COMMENT ON COLUMN kanon_release.loss IS 'share of information lost (NCP), where levels were chosen once and for all, on that day; null: it is empty';
COMMENT ON COLUMN kanon_release.created IS 'when it was made';
COMMENT ON COLUMN kanon_release.created_by IS 'by whom';
COMMENT ON COLUMN kanon_release.refreshed IS 'when it was refreshed last';
COMMENT ON COLUMN kanon_release.refreshed_by IS 'by whom';
COMMENT ON COLUMN kanon_release.satisfied IS 'are there rows, and no more missing than were allowed to be? null: nobody could count';
COMMENT ON COLUMN kanon_release.parameters IS 'what it was made with: arguments of kanon_create_release, and settings; memory_limit in kB';
COMMENT ON COLUMN kanon_release.definition IS 'digest of its text, when it was refreshed last: how kanon_adopt_release knows it';
SELECT pg_catalog.pg_extension_config_dump('kanon_release',
    'WHERE EXISTS (SELECT 1 FROM pg_catalog.pg_class c WHERE c.oid OPERATOR(pg_catalog.=) release)');
GRANT SELECT ON kanon_release TO PUBLIC;

-- What releases draw from.  The text of a view is for everybody to read, so it
-- calls its seed by number.  Whoever may refresh a release may read its seed, nobody else.
CREATE TABLE kanon_seed (
    number   bigint   PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (SEQUENCE NAME kanon_seed_number_seq),
    release  regclass NOT NULL,
    seed     text     NOT NULL,
    redraw   boolean  NOT NULL,
    dealt    text
);
COMMENT ON TABLE kanon_seed IS 'what releases draw from whose cells are drawn, for their owners alone';
COMMENT ON COLUMN kanon_seed.number IS 'what the text of the release calls it';
COMMENT ON COLUMN kanon_seed.release IS 'the materialized view';
COMMENT ON COLUMN kanon_seed.seed IS 'the secret';
COMMENT ON COLUMN kanon_seed.redraw IS 'may a refresh deal it anew, where its relation has changed?';
COMMENT ON COLUMN kanon_seed.dealt IS 'digests of what it holds since it was dealt, and of the rows that it was dealt from; null: it was not dealt yet, or may be dealt anew';
COMMENT ON SEQUENCE kanon_seed_number_seq IS 'numbers of kanon_seed';
SELECT pg_catalog.pg_extension_config_dump('kanon_seed',
    'WHERE EXISTS (SELECT 1 FROM pg_catalog.pg_class c WHERE c.oid OPERATOR(pg_catalog.=) release)');
SELECT pg_catalog.pg_extension_config_dump('kanon_seed_number_seq', '');
ALTER TABLE kanon_seed ENABLE ROW LEVEL SECURITY;
-- It costs less than any condition of a query's, so that it comes first: of seeds that were
-- compared before, EXPLAIN ANALYZE would tell whether any passed.
CREATE FUNCTION kanon_view_owns(release regclass)
RETURNS boolean LANGUAGE c STABLE STRICT COST 0.0001 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_owns(regclass) IS
    'has the current user the privileges of the release''s owner? The row security of kanon_seed';
CREATE POLICY own ON kanon_seed FOR SELECT USING (kanon_view_owns(release));
COMMENT ON POLICY own ON kanon_seed IS 'seeds are for those with the privileges of the release''s owner';
-- EXPLAIN would tell of the seeds what statistics say of them.
ALTER TABLE kanon_seed ALTER COLUMN seed SET STATISTICS 0, ALTER COLUMN dealt SET STATISTICS 0;
GRANT SELECT ON kanon_seed, kanon_seed_number_seq TO PUBLIC;

CREATE FUNCTION kanon_create_release(release text, relation regclass, k int,
    recoding text DEFAULT 'mondrian', levels kanon_levels DEFAULT NULL,
    quasi_identifiers name[] DEFAULT NULL, models kanon_models DEFAULT '',
    suppression float8 DEFAULT 0, means boolean DEFAULT false, split text DEFAULT NULL, target name DEFAULT NULL,
    person name DEFAULT NULL, randomize boolean DEFAULT true, seed text DEFAULT NULL, redraw boolean DEFAULT false,
    key name DEFAULT NULL, wait int DEFAULT NULL, target_loss float8 DEFAULT NULL, leavers text DEFAULT NULL,
    stale float8 DEFAULT NULL, reading text DEFAULT NULL, models_after boolean DEFAULT false)
RETURNS regclass LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_create_release(text, regclass, int, text, kanon_levels, name[], kanon_models, float8, boolean, text, name, name, boolean, text, boolean, name, int, float8, text, float8, text, boolean) IS
    'makes a materialized view of a table in which every class has at least k rows and satisfies all models, or every row stands for k, now and after every refresh';

CREATE FUNCTION kanon_refresh_release(release regclass, search boolean DEFAULT false,
    concurrently boolean DEFAULT false, strict boolean DEFAULT false,
    OUT release regclass, OUT rows bigint, OUT missing bigint, OUT classes bigint, OUT smallest bigint,
    OUT loss float8, OUT satisfied boolean, OUT changed boolean, OUT seconds float8)
RETURNS record LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_refresh_release(regclass, boolean, boolean, boolean) IS
    'refreshes a release and says what it holds; warns, or if strict fails, if it lacks more rows than it was made to lack; concurrently: others can read it meanwhile';

CREATE PROCEDURE kanon_refresh_releases(pattern text DEFAULT '%', search boolean DEFAULT false,
    concurrently boolean DEFAULT false, strict boolean DEFAULT false)
LANGUAGE c AS 'MODULE_PATHNAME';
COMMENT ON PROCEDURE kanon_refresh_releases(text, boolean, boolean, boolean) IS
    'refreshes the releases whose name is like the pattern, or schema and name, one by one, and commits after each; one that fails does not stop the others';

CREATE FUNCTION kanon_replace_release(release regclass, k int DEFAULT NULL, recoding text DEFAULT NULL,
    levels kanon_levels DEFAULT NULL, quasi_identifiers name[] DEFAULT NULL, models kanon_models DEFAULT NULL,
    suppression float8 DEFAULT NULL, means boolean DEFAULT NULL, split text DEFAULT NULL, target name DEFAULT NULL,
    person name DEFAULT NULL, randomize boolean DEFAULT NULL, seed text DEFAULT NULL, redraw boolean DEFAULT NULL,
    models_after boolean DEFAULT NULL)
RETURNS regclass LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_replace_release(regclass, int, text, kanon_levels, name[], kanon_models, float8, boolean, text, name, name, boolean, text, boolean, boolean) IS
    'makes a release anew, of other arguments, under its name, with its grants, owner, comments and history; what is not given stays as it was, but levels are found anew';

CREATE FUNCTION kanon_drop_release(release regclass)
RETURNS void LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_drop_release(regclass) IS 'drops a release';

-- Citus drops tables and makes them anew: what was known of them is kept until somebody asks.
CREATE TABLE kanon_lost (
    name     text       NOT NULL,
    catalog  text       NOT NULL,
    relation text       NOT NULL,
    entry    jsonb      NOT NULL,
    lost     timestamptz NOT NULL
);
COMMENT ON TABLE kanon_lost IS 'where Citus is installed: what was known of tables and releases that were dropped';
COMMENT ON COLUMN kanon_lost.name IS 'the table or release';
COMMENT ON COLUMN kanon_lost.catalog IS 'kanon_attribute or kanon_release';
COMMENT ON COLUMN kanon_lost.relation IS 'of a release, what it was made from';
COMMENT ON COLUMN kanon_lost.entry IS 'its row in that catalog';
COMMENT ON COLUMN kanon_lost.lost IS 'when it was dropped';
GRANT SELECT ON kanon_lost TO PUBLIC;

CREATE FUNCTION kanon_adopt_release(release regclass)
RETURNS void LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_adopt_release(regclass) IS
    'takes back what was known of a release that was dropped and made anew by the same text, and of its table';

-- Not for parallel workers: it reads as the owner of its table.
CREATE FUNCTION kanon_view_seed(number bigint)
RETURNS text LANGUAGE c STABLE STRICT AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_seed(bigint) IS
    'the seed of that number in kanon_seed, as the text of its release calls it; for the release''s owner alone';

-- Releases are ordinary materialized views: the catalog follows whatever is done to them.
CREATE FUNCTION kanon_release_refreshing() RETURNS event_trigger
LANGUAGE c AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_release_refreshing() IS 'are the dimensions of a release still what counts as one?';

CREATE FUNCTION kanon_release_refreshed() RETURNS event_trigger
LANGUAGE c AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_release_refreshed() IS 'records what a refreshed release holds';

CREATE FUNCTION kanon_release_dropped() RETURNS event_trigger
LANGUAGE c AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_release_dropped() IS 'forgets releases dropped';

CREATE EVENT TRIGGER kanon_release_refreshing ON ddl_command_start
    WHEN TAG IN ('REFRESH MATERIALIZED VIEW')
    EXECUTE FUNCTION kanon_release_refreshing();
ALTER EVENT TRIGGER kanon_release_refreshing ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER kanon_release_refreshing IS 'keeps code of others out of releases';

CREATE EVENT TRIGGER kanon_release_refreshed ON ddl_command_end
    WHEN TAG IN ('REFRESH MATERIALIZED VIEW')
    EXECUTE FUNCTION kanon_release_refreshed();
ALTER EVENT TRIGGER kanon_release_refreshed ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER kanon_release_refreshed IS 'keeps kanon_release true';

CREATE EVENT TRIGGER kanon_release_dropped ON sql_drop
    EXECUTE FUNCTION kanon_release_dropped();
ALTER EVENT TRIGGER kanon_release_dropped ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER kanon_release_dropped IS 'keeps kanon_release true';

-- What releases by cohorts remember: who was published with whom, for ever.  Their texts read
-- kanon_cohort_cell and kanon_cohort_member; kanon_refresh_release writes them.
CREATE TABLE kanon_cohort (
    number            bigint     PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (SEQUENCE NAME kanon_cohort_number_seq),
    relation          regclass   UNIQUE,
    name              text       NOT NULL,
    owner             name       NOT NULL,
    k                 int        NOT NULL,
    key               name       NOT NULL,
    wait              int        NOT NULL,
    target_loss       float8     NOT NULL,
    leavers           text       NOT NULL,
    stale             float8     NOT NULL,
    reading           text       NOT NULL,
    quasi_identifiers name[]     NOT NULL,
    dimensions        regclass[] NOT NULL,
    columns           name[]     NOT NULL,
    models            text       NOT NULL,
    night             int        NOT NULL,
    cells             bigint     NOT NULL,
    home              text       NOT NULL,
    secret            bytea      NOT NULL
);
COMMENT ON TABLE kanon_cohort IS 'tables with releases by cohorts, for their owners alone';
COMMENT ON COLUMN kanon_cohort.number IS 'what the texts of their releases call them';
COMMENT ON COLUMN kanon_cohort.relation IS 'the table; null: it was dropped';
COMMENT ON COLUMN kanon_cohort.name IS 'its name, when a release was last advanced';
COMMENT ON COLUMN kanon_cohort.owner IS 'its owner, likewise';
COMMENT ON COLUMN kanon_cohort.k IS 'least number of people in a cell';
COMMENT ON COLUMN kanon_cohort.key IS 'column that tells people apart';
COMMENT ON COLUMN kanon_cohort.wait IS 'refreshes after which people are admitted whatever is lost';
COMMENT ON COLUMN kanon_cohort.target_loss IS 'loss of cells that are divided no further';
COMMENT ON COLUMN kanon_cohort.leavers IS 'what becomes of the rows of people who left: keep or withhold';
COMMENT ON COLUMN kanon_cohort.stale IS 'with keep: share of such rows that a cell may have';
COMMENT ON COLUMN kanon_cohort.reading IS 'when values are read: frozen or together';
COMMENT ON COLUMN kanon_cohort.quasi_identifiers IS 'those that cells are made by';
COMMENT ON COLUMN kanon_cohort.dimensions IS 'the dimension of each, or null';
COMMENT ON COLUMN kanon_cohort.columns IS 'columns that are published as they are';
COMMENT ON COLUMN kanon_cohort.models IS 'privacy models that cells are judged by';
COMMENT ON COLUMN kanon_cohort.night IS 'advances so far';
COMMENT ON COLUMN kanon_cohort.cells IS 'cells so far';
COMMENT ON COLUMN kanon_cohort.home IS 'server, database and timeline that advance it: two that did would tell more than one';
COMMENT ON COLUMN kanon_cohort.secret IS 'what digests of keys are made with';

CREATE TABLE kanon_cohort_cell (
    cohort bigint  NOT NULL,
    cell   bigint  NOT NULL,
    shown  boolean NOT NULL,
    low    text[]  NOT NULL,
    high   text[]  NOT NULL,
    label  text[]  NOT NULL,
    failing boolean NOT NULL,
    PRIMARY KEY (cohort, cell)
);
COMMENT ON TABLE kanon_cohort_cell IS 'cells of releases by cohorts';
COMMENT ON COLUMN kanon_cohort_cell.cohort IS 'number in kanon_cohort';
COMMENT ON COLUMN kanon_cohort_cell.cell IS 'number of the cell';
COMMENT ON COLUMN kanon_cohort_cell.shown IS 'is it published? Whole or not at all';
COMMENT ON COLUMN kanon_cohort_cell.low IS 'least values of its people so far, by quasi-identifier; null: some had none';
COMMENT ON COLUMN kanon_cohort_cell.high IS 'greatest values';
COMMENT ON COLUMN kanon_cohort_cell.label IS 'what is published of the quasi-identifiers';
COMMENT ON COLUMN kanon_cohort_cell.failing IS 'a privacy model: its sensitive columns are null, for ever';

CREATE TABLE kanon_cohort_member (
    cohort bigint NOT NULL,
    digest bytea  NOT NULL,
    cell   bigint,
    since  int    NOT NULL,
    values text[],
    PRIMARY KEY (cohort, digest)
);
COMMENT ON TABLE kanon_cohort_member IS 'everybody whom releases by cohorts ever published, and who waits';
COMMENT ON COLUMN kanon_cohort_member.cohort IS 'number in kanon_cohort';
COMMENT ON COLUMN kanon_cohort_member.digest IS 'keyed digest of the key';
COMMENT ON COLUMN kanon_cohort_member.cell IS 'the cell, for ever; null: waits';
COMMENT ON COLUMN kanon_cohort_member.since IS 'advance since which this person has waited, or was admitted';
COMMENT ON COLUMN kanon_cohort_member.values IS 'the other published columns, when they were read last';

COMMENT ON SEQUENCE kanon_cohort_number_seq IS 'numbers of kanon_cohort';
SELECT pg_catalog.pg_extension_config_dump('kanon_cohort', '');
SELECT pg_catalog.pg_extension_config_dump('kanon_cohort_number_seq', '');
SELECT pg_catalog.pg_extension_config_dump('kanon_cohort_cell', '');
SELECT pg_catalog.pg_extension_config_dump('kanon_cohort_member', '');

ALTER TABLE kanon_cohort ENABLE ROW LEVEL SECURITY;
ALTER TABLE kanon_cohort_cell ENABLE ROW LEVEL SECURITY;
ALTER TABLE kanon_cohort_member ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON kanon_cohort FOR SELECT USING (kanon_view_owns(relation));
COMMENT ON POLICY own ON kanon_cohort IS 'for those with the privileges of the table''s owner';
CREATE POLICY own ON kanon_cohort_cell FOR SELECT
    USING (cohort OPERATOR(pg_catalog.=) ANY (SELECT c.number FROM kanon_cohort c));
COMMENT ON POLICY own ON kanon_cohort_cell IS 'for those with the privileges of the table''s owner';
CREATE POLICY own ON kanon_cohort_member FOR SELECT
    USING (cohort OPERATOR(pg_catalog.=) ANY (SELECT c.number FROM kanon_cohort c));
COMMENT ON POLICY own ON kanon_cohort_member IS 'for those with the privileges of the table''s owner';
ALTER TABLE kanon_cohort ALTER COLUMN secret SET STATISTICS 0;
ALTER TABLE kanon_cohort_cell
    ALTER COLUMN low SET STATISTICS 0, ALTER COLUMN high SET STATISTICS 0,
    ALTER COLUMN label SET STATISTICS 0, ALTER COLUMN failing SET STATISTICS 0, ALTER COLUMN shown SET STATISTICS 0;
ALTER TABLE kanon_cohort_member
    ALTER COLUMN digest SET STATISTICS 0, ALTER COLUMN cell SET STATISTICS 0,
    ALTER COLUMN since SET STATISTICS 0, ALTER COLUMN values SET STATISTICS 0;
GRANT SELECT ON kanon_cohort, kanon_cohort_cell, kanon_cohort_member, kanon_cohort_number_seq TO PUBLIC;

CREATE FUNCTION kanon_view_value(value text, kind anyelement)
RETURNS anyelement LANGUAGE c STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_value(text, anyelement) IS
    'a value of releases by cohorts from its text, as the type of kind, whose value does not matter';

CREATE FUNCTION kanon_adopt_cohorts(relation regclass)
RETURNS void LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_adopt_cohorts(regclass) IS
    'lets releases by cohorts of a table advance on this server, in this database and timeline, and nowhere else';
CREATE FUNCTION kanon_digest(relation regclass)
RETURNS text LANGUAGE c STABLE STRICT AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_digest(regclass) IS
    'a digest of what a relation holds, whatever the order of its rows: as in kanon_release_history';

-- Entries outlive their release.  Roles go by their names: there is nothing that would follow
-- them, and a dump may be restored where they are others.
CREATE TABLE kanon_release_history (
    number      bigint      PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (SEQUENCE NAME kanon_release_history_number_seq),
    release     regclass,
    name        text        NOT NULL,
    relation    text,
    owner       name        NOT NULL,
    how         text        NOT NULL,
    filled      timestamptz NOT NULL,
    filled_by   name        NOT NULL,
    seconds     float8,
    kanon       text        NOT NULL,
    postgresql  text        NOT NULL,
    parameters  jsonb,
    source_rows bigint,
    rows        bigint,
    missing     bigint,
    classes     bigint,
    smallest    bigint,
    people      bigint,
    loss        float8,
    satisfied   boolean,
    changed     boolean,
    digest      text,
    error       text
);
CREATE INDEX kanon_release_history_release_idx ON kanon_release_history (release, number);
COMMENT ON INDEX kanon_release_history_release_idx IS 'the entries of a release';
COMMENT ON TABLE kanon_release_history IS 'each time that a release was filled, for who may read it; of one that is gone, for who owned it';
COMMENT ON COLUMN kanon_release_history.number IS 'in the order in which they were begun';
COMMENT ON COLUMN kanon_release_history.release IS 'the materialized view; null: it was dropped';
COMMENT ON COLUMN kanon_release_history.name IS 'what it was called then';
COMMENT ON COLUMN kanon_release_history.relation IS 'what it was made from, by the name it had then';
COMMENT ON COLUMN kanon_release_history.owner IS 'whose it was then';
COMMENT ON COLUMN kanon_release_history.how IS 'created, refreshed or replaced (by kanon), REFRESH (a plain one), restored (from a dump), emptied (WITH NO DATA), adopted (where Citus made it anew), failed (by kanon_refresh_releases, and nothing changed)';
COMMENT ON COLUMN kanon_release_history.filled IS 'when that was begun';
COMMENT ON COLUMN kanon_release_history.filled_by IS 'by whom';
COMMENT ON COLUMN kanon_release_history.seconds IS 'how long it took';
COMMENT ON COLUMN kanon_release_history.kanon IS 'version of kanon';
COMMENT ON COLUMN kanon_release_history.postgresql IS 'version of PostgreSQL';
COMMENT ON COLUMN kanon_release_history.parameters IS 'kanon_release.parameters';
COMMENT ON COLUMN kanon_release_history.source_rows IS 'rows of the relation; null, as in the other figures: nobody could count';
COMMENT ON COLUMN kanon_release_history.rows IS 'rows of the release';
COMMENT ON COLUMN kanon_release_history.missing IS 'rows of the relation that it lacks';
COMMENT ON COLUMN kanon_release_history.classes IS 'equivalence classes; null: the recoding makes none';
COMMENT ON COLUMN kanon_release_history.smallest IS 'rows of the smallest class; null: there are no classes';
COMMENT ON COLUMN kanon_release_history.people IS 'where people count instead of rows, different ones in the class that has fewest';
COMMENT ON COLUMN kanon_release_history.loss IS 'kanon_release.loss';
COMMENT ON COLUMN kanon_release_history.satisfied IS 'are there rows, and no more missing than were allowed to be?';
COMMENT ON COLUMN kanon_release_history.changed IS 'other contents than when they were known last?';
COMMENT ON COLUMN kanon_release_history.digest IS 'kanon_digest of the contents; null: the owner could not read them';
COMMENT ON COLUMN kanon_release_history.error IS 'why it failed; for the owner alone, since it may show values';
COMMENT ON SEQUENCE kanon_release_history_number_seq IS 'numbers of kanon_release_history';
SELECT pg_catalog.pg_extension_config_dump('kanon_release_history',
    'WHERE release IS NULL OR EXISTS (SELECT 1 FROM pg_catalog.pg_class c WHERE c.oid OPERATOR(pg_catalog.=) release)');
SELECT pg_catalog.pg_extension_config_dump('kanon_release_history_number_seq', '');
ALTER TABLE kanon_release_history ENABLE ROW LEVEL SECURITY;
-- As cheap as kanon_view_owns, and for the same reason.
CREATE FUNCTION kanon_view_reads(release regclass, owner name, owns boolean)
RETURNS boolean LANGUAGE c STABLE COST 0.0001 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_reads(regclass, name, boolean) IS
    'may the current user read the release, or own it, or have owned it before it was dropped? The row security of kanon_release_history';
CREATE POLICY readers ON kanon_release_history FOR SELECT
    USING (kanon_view_reads(release, owner, error IS NOT NULL));
COMMENT ON POLICY readers ON kanon_release_history IS 'history is for those who may read the release, or have the privileges of its owner';
ALTER TABLE kanon_release_history ALTER COLUMN digest SET STATISTICS 0, ALTER COLUMN error SET STATISTICS 0;
GRANT SELECT ON kanon_release_history, kanon_release_history_number_seq TO PUBLIC;

CREATE VIEW kanon_releases WITH (security_invoker = true) AS
SELECT r.release, r.relation, r.recoding, r.k, r.models,
    CASE WHEN NOT c.relispopulated THEN 'unfilled'
         WHEN r.satisfied IS NULL THEN 'unknown'
         WHEN r.satisfied THEN 'satisfied'
         WHEN r.rows OPERATOR(pg_catalog.=) 0 THEN 'empty'
         ELSE 'lacks rows' END AS state,
    CASE WHEN c.relispopulated THEN r.rows END AS rows,
    CASE WHEN c.relispopulated THEN r.missing END AS missing,
    CASE WHEN c.relispopulated THEN r.classes END AS classes,
    CASE WHEN c.relispopulated THEN r.smallest END AS smallest,
    CASE WHEN c.relispopulated THEN r.loss END AS loss,
    r.refreshed, r.refreshed_by, h.changed, h.fillings, h.error
FROM kanon_release r JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) r.release,
    LATERAL (SELECT pg_catalog.max(filled) FILTER (WHERE h.changed) AS changed,
        pg_catalog.count(*) FILTER (WHERE h.digest IS DISTINCT FROM NULL) AS fillings,
        (pg_catalog.array_agg(h.error ORDER BY number DESC))[1] AS error
        FROM kanon_release_history h WHERE h.release OPERATOR(pg_catalog.=) r.release) h;
COMMENT ON VIEW kanon_releases IS 'releases, what they hold and when they changed';
COMMENT ON COLUMN kanon_releases.release IS 'the materialized view';
COMMENT ON COLUMN kanon_releases.relation IS 'what it was made from';
COMMENT ON COLUMN kanon_releases.recoding IS 'how values are generalized';
COMMENT ON COLUMN kanon_releases.k IS 'kanon_release.k';
COMMENT ON COLUMN kanon_releases.models IS 'privacy models that every class satisfies besides k';
COMMENT ON COLUMN kanon_releases.state IS 'satisfied; lacks rows (more than it may); empty; unfilled (never since it was restored, or emptied WITH NO DATA); unknown (its owner may not count)';
COMMENT ON COLUMN kanon_releases.rows IS 'rows';
COMMENT ON COLUMN kanon_releases.missing IS 'rows of the relation that it lacks';
COMMENT ON COLUMN kanon_releases.classes IS 'equivalence classes';
COMMENT ON COLUMN kanon_releases.smallest IS 'rows of the smallest class';
COMMENT ON COLUMN kanon_releases.loss IS 'share of information lost (NCP)';
COMMENT ON COLUMN kanon_releases.refreshed IS 'when it was refreshed last';
COMMENT ON COLUMN kanon_releases.refreshed_by IS 'by whom';
COMMENT ON COLUMN kanon_releases.changed IS 'when its contents last came to differ; this and what follows, for who may read its history';
COMMENT ON COLUMN kanon_releases.fillings IS 'how often it was filled';
COMMENT ON COLUMN kanon_releases.error IS 'why the last refresh by kanon_refresh_releases failed, if it did; for its owner';
GRANT SELECT ON kanon_releases TO PUBLIC;

CREATE FUNCTION kanon_quality(release regclass, relation regclass DEFAULT NULL,
    quasi_identifiers name[] DEFAULT NULL, k int DEFAULT NULL, predicates text[] DEFAULT NULL,
    OUT rows bigint, OUT classes bigint, OUT smallest bigint, OUT suppressed bigint,
    OUT discernibility float8, OUT average_class float8, OUT loss float8,
    OUT queries bigint, OUT mean_error float8, OUT sd_error float8,
    OUT mean_relative_error float8)
RETURNS record LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_quality(regclass, regclass, name[], int, text[]) IS
    'what a release has lost against the relation it was made from: sizes of classes, loss of cells, error of count queries';

CREATE FUNCTION kanon_query_errors(release regclass, predicates text[], relation regclass DEFAULT NULL,
    quasi_identifiers name[] DEFAULT NULL)
RETURNS TABLE (predicate text, actual bigint, estimate float8, error float8)
LANGUAGE c STABLE ROWS 50 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_query_errors(regclass, text[], regclass, name[]) IS
    'counts the rows that satisfy each predicate in the relation, and estimates them from the release';

CREATE FUNCTION kanon_check_matchings(release regclass, k int DEFAULT NULL, relation regclass DEFAULT NULL,
    quasi_identifiers name[] DEFAULT NULL,
    OUT satisfied boolean, OUT rows bigint, OUT released bigint, OUT flow bigint,
    OUT needed bigint, OUT singled_out text[], OUT detail text)
RETURNS record LANGUAGE c STABLE COST 100000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_check_matchings(regclass, int, regclass, name[]) IS
    'could each released row be any of k rows of the relation, in k disjoint ways to match them all? If not, who is singled out?';

CREATE FUNCTION kanon_matching_bound(relation regclass, k int, quasi_identifiers name[] DEFAULT NULL,
    priced boolean DEFAULT false)
RETURNS float8 LANGUAGE c STABLE COST 100000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_matching_bound(regclass, int, name[], boolean) IS
    'what a release that generalizes cell by cell must lose at least, for each row to be one of k; priced: and covered no more often than k times';

CREATE FUNCTION kanon_compare(relation regclass, k int[] DEFAULT '{3,5,10,20,50,100}',
    recodings text[] DEFAULT NULL, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '', suppression float8 DEFAULT 0)
RETURNS TABLE (k int, recoding text, loss float8, classes bigint, smallest bigint, missing bigint,
    average_risk float8, seconds float8)
LANGUAGE c VOLATILE COST 100000 ROWS 30 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_compare(regclass, int[], text[], name[], kanon_models, float8) IS
    'what releases of a relation would lose and hide for each k and recoding, by default all that take the models, before any is made';
CREATE FUNCTION kanon_plot(what text, relation regclass, k int[] DEFAULT NULL,
    recodings text[] DEFAULT NULL, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '', suppression float8 DEFAULT 0)
RETURNS text LANGUAGE c VOLATILE COST 100000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_plot(text, regclass, int[], text[], name[], kanon_models, float8) IS
    'a picture as SVG: tradeoff, what a larger k costs; lattice, which generalizations satisfy; classes, how many rows lie in classes of which size';
-- Copies of releases, kept to be put side by side: who was where.  The secret that people are
-- known by is for the owners of the copies alone.
CREATE TABLE kanon_copy (
    copy      regclass    PRIMARY KEY,
    release   text        NOT NULL,
    relation  regclass    NOT NULL,
    recoding  text        NOT NULL,
    k         int         NOT NULL,
    key       name        NOT NULL,
    secret    text        NOT NULL,
    copied    timestamptz NOT NULL,
    copied_by name        NOT NULL
);
COMMENT ON TABLE kanon_copy IS 'copies of releases made with kanon_copy_release, for their owners alone';
COMMENT ON COLUMN kanon_copy.copy IS 'the table';
COMMENT ON COLUMN kanon_copy.release IS 'what it is a copy of, as it was called then';
COMMENT ON COLUMN kanon_copy.relation IS 'what that was made from';
COMMENT ON COLUMN kanon_copy.recoding IS 'how values were generalized';
COMMENT ON COLUMN kanon_copy.k IS 'of the release';
COMMENT ON COLUMN kanon_copy.key IS 'column of the relation that told rows apart';
COMMENT ON COLUMN kanon_copy.secret IS 'what digests of keys are made with, the same for all copies of releases of a relation';
COMMENT ON COLUMN kanon_copy.copied IS 'when it was made';
COMMENT ON COLUMN kanon_copy.copied_by IS 'by whom';
SELECT pg_catalog.pg_extension_config_dump('kanon_copy',
    'WHERE EXISTS (SELECT 1 FROM pg_catalog.pg_class c WHERE c.oid OPERATOR(pg_catalog.=) copy)');
ALTER TABLE kanon_copy ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON kanon_copy FOR SELECT USING (kanon_view_owns(copy));
COMMENT ON POLICY own ON kanon_copy IS 'copies are for those with the privileges of their owner';
ALTER TABLE kanon_copy ALTER COLUMN secret SET STATISTICS 0;
GRANT SELECT ON kanon_copy TO PUBLIC;

CREATE FUNCTION kanon_copy_release(release regclass, copy text, key name)
RETURNS regclass LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_copy_release(regclass, text, name) IS
    'keeps who is where in a release in a new table, for its owner alone, so that kanon_check_releases can put it beside others';

CREATE FUNCTION kanon_check_releases(relation regclass, releases regclass[], k int DEFAULT NULL, key name DEFAULT NULL,
    OUT satisfied boolean, OUT needed int, OUT people bigint, OUT below bigint, OUT alone bigint,
    OUT smallest bigint, OUT sizes bigint[], OUT weakest text[])
RETURNS record LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_check_releases(regclass, regclass[], int, name) IS
    'how many people have fewer than k records that can be theirs, for a reader of several releases of a relation, or of copies of such, who knows everybody''s quasi-identifiers?';

