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
    ALIGNMENT = int4,
    STORAGE = extended
);

CREATE FUNCTION kanon_leaf(tree kanon_tree, "rows" record) RETURNS int
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION kanon_leaf(kanon_tree, record) IS 'the class of the region that a row lies in; NULL if there is none';

CREATE FUNCTION kanon_region(tree kanon_tree, "rows" record) RETURNS text[]
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION kanon_region(kanon_tree, record) IS 'the region that a row lies in: for each attribute a range, a label, * or NULL';
