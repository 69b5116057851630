-- The partition tree: a recoding function as a value.
CREATE TYPE kanon_tree;
COMMENT ON TYPE kanon_tree IS 'a partition tree: the regions of a multidimensional recoding, independent of the rows that it is applied to';

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
COMMENT ON AGGREGATE kanon_mondrian_tree(int, record) IS 'the partition tree of Mondrian over the rows; NULL for fewer than k rows';
CREATE AGGREGATE kanon_mondrian_tree(k int, "rows" record, quasi_identifiers name[]) (
    SFUNC = kanon_mondrian_tree_transition,
    STYPE = internal,
    SSPACE = 1048576,
    FINALFUNC = kanon_mondrian_tree_final,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = RESTRICTED
);
COMMENT ON AGGREGATE kanon_mondrian_tree(int, record, name[]) IS 'the partition tree of Mondrian over the rows; NULL for fewer than k rows';
CREATE AGGREGATE kanon_mondrian_tree(k int, "rows" record, quasi_identifiers name[], split text, target name) (
    SFUNC = kanon_mondrian_tree_transition,
    STYPE = internal,
    SSPACE = 1048576,
    FINALFUNC = kanon_mondrian_tree_final,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = RESTRICTED
);
COMMENT ON AGGREGATE kanon_mondrian_tree(int, record, name[], text, name) IS 'the partition tree of Mondrian over the rows; NULL for fewer than k rows';
CREATE AGGREGATE kanon_mondrian_tree(k int, "rows" record, quasi_identifiers name[], models kanon_models) (
    SFUNC = kanon_mondrian_tree_transition,
    STYPE = internal,
    SSPACE = 1048576,
    FINALFUNC = kanon_mondrian_tree_final,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = RESTRICTED
);
COMMENT ON AGGREGATE kanon_mondrian_tree(int, record, name[], kanon_models) IS 'the partition tree of Mondrian over the rows, whose classes satisfy all models; NULL for fewer than k rows, or if the rows as a whole fail a model';
CREATE AGGREGATE kanon_mondrian_tree(k int, "rows" record, quasi_identifiers name[], models kanon_models, split text, target name) (
    SFUNC = kanon_mondrian_tree_transition,
    STYPE = internal,
    SSPACE = 1048576,
    FINALFUNC = kanon_mondrian_tree_final,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = RESTRICTED
);
COMMENT ON AGGREGATE kanon_mondrian_tree(int, record, name[], kanon_models, text, name) IS 'the partition tree of Mondrian over the rows, whose classes satisfy all models; NULL for fewer than k rows, or if the rows as a whole fail a model';

-- The same over a relation that it reads by itself.
CREATE FUNCTION kanon_grow_tree(relation regclass, k int, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '', split text DEFAULT NULL, target name DEFAULT NULL)
RETURNS kanon_tree LANGUAGE c STABLE COST 100000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_grow_tree(regclass, int, name[], kanon_models, text, name) IS
    'the partition tree of Mondrian over the rows of a relation; NULL for fewer than k rows, or if the rows as a whole fail a model';

-- Local recoding as a list of rules, which is a tree of one split.
CREATE FUNCTION kanon_local_tree(relation regclass, k int, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '', person name DEFAULT NULL, suppression float8 DEFAULT 0,
    "ranges" boolean DEFAULT false)
RETURNS kanon_tree LANGUAGE c STABLE COST 100000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_local_tree(regclass, int, name[], kanon_models, name, float8, boolean) IS
    'the classes of local recoding of a relation as a list of rules: the first that a row fits has its class; NULL for fewer than k rows, or if the rows as a whole fail a model; exceptions among the rules are the exact quasi-identifiers of people of the relation: no release, protect them like it';

CREATE FUNCTION kanon_rules_query(tree kanon_tree, relation regclass) RETURNS text
LANGUAGE c STABLE STRICT AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_rules_query(kanon_tree, regclass) IS
    'a SELECT of the relation with the class of each row by a list of rules, as kanon_leaf returns it, that does without kanon; its exceptions are the exact quasi-identifiers of people: no release, protect it like the relation that the rules were made from';

CREATE FUNCTION kanon_leaf(tree kanon_tree, "rows" record) RETURNS int
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION kanon_leaf(kanon_tree, record) IS 'the class whose region contains the row; NULL if there is none';

CREATE FUNCTION kanon_region(tree kanon_tree, "rows" record) RETURNS text[]
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION kanon_region(kanon_tree, record) IS 'the region that contains the row: for each attribute a range, a label, * or NULL';
