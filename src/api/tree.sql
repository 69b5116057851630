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

CREATE FUNCTION kanon_leaf(tree kanon_tree, "rows" record) RETURNS int
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION kanon_leaf(kanon_tree, record) IS 'the class of the region that a row lies in; NULL if there is none';

CREATE FUNCTION kanon_region(tree kanon_tree, "rows" record) RETURNS text[]
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION kanon_region(kanon_tree, record) IS 'the region that a row lies in: for each attribute a range, a label, * or NULL';
