-- Levels of a generalization, by number or by name.
CREATE TYPE kanon_levels;
COMMENT ON TYPE kanon_levels IS 'levels of the quasi-identifiers, in their order, as an array: numbers, names of the dimensions'' columns, or * for the top';

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
    average_class  float8,
    total_loss     float8
);
COMMENT ON TYPE kanon_generalization IS 'a full-domain generalization: its levels, in the order of the quasi-identifiers, and what it loses';
COMMENT ON COLUMN kanon_generalization.levels IS 'levels of the quasi-identifiers, in their order';
COMMENT ON COLUMN kanon_generalization.labels IS 'names of these levels: columns of the dimensions';
COMMENT ON COLUMN kanon_generalization.height IS 'sum of the levels';
COMMENT ON COLUMN kanon_generalization.minimal IS 'whether no level can be lowered by one, within the bounds of the search';
COMMENT ON COLUMN kanon_generalization.loss IS 'share of information lost (NCP), 0 to 1, as if no row were suppressed';
COMMENT ON COLUMN kanon_generalization."precision" IS 'Sweeney''s precision: 1 minus the mean of level / height';
COMMENT ON COLUMN kanon_generalization.classes IS 'released classes; like the columns below, only with metrics';
COMMENT ON COLUMN kanon_generalization.smallest IS 'rows, or people, of the smallest released class; with known, of the classes of any so many columns';
COMMENT ON COLUMN kanon_generalization.suppressed IS 'rows in classes that fail';
COMMENT ON COLUMN kanon_generalization.discernibility IS 'sum of the squared sizes of released classes, plus suppressed rows times all rows';
COMMENT ON COLUMN kanon_generalization.average_class IS 'mean rows in a released class, divided by k';
COMMENT ON COLUMN kanon_generalization.total_loss IS 'the loss with suppressed rows, each of which has lost everything; releases take the generalization where it is least';

CREATE FUNCTION kanon_incognito(
    relation regclass,
    k int,
    quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '',
    suppression float8 DEFAULT 0,
    algorithm text DEFAULT 'two_way',
    metrics boolean DEFAULT false,
    person name DEFAULT NULL,
    lowest_levels kanon_levels DEFAULT NULL,
    highest_levels kanon_levels DEFAULT NULL,
    known int DEFAULT NULL,
    suppress_columns boolean DEFAULT false)
RETURNS SETOF kanon_generalization
AS 'MODULE_PATHNAME' LANGUAGE C STABLE COST 100000 ROWS 100;
COMMENT ON FUNCTION kanon_incognito(regclass, int, name[], kanon_models, float8, text, boolean, name, kanon_levels, kanon_levels, int, boolean) IS 'all full-domain generalizations that satisfy k and the models, on all quasi-identifiers or on any so many that are known; suppress_columns: a column keeps its values or gets its top level; algorithm: two_way, basic, superroots or cube';

CREATE FUNCTION kanon_bottom_up(
    relation regclass,
    k int,
    quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '',
    suppression float8 DEFAULT 0,
    rollup boolean DEFAULT true,
    metrics boolean DEFAULT false,
    person name DEFAULT NULL,
    lowest_levels kanon_levels DEFAULT NULL,
    highest_levels kanon_levels DEFAULT NULL,
    known int DEFAULT NULL,
    suppress_columns boolean DEFAULT false)
RETURNS SETOF kanon_generalization
AS 'MODULE_PATHNAME' LANGUAGE C STABLE COST 100000 ROWS 100;
COMMENT ON FUNCTION kanon_bottom_up(regclass, int, name[], kanon_models, float8, boolean, boolean, name, kanon_levels, kanon_levels, int, boolean) IS 'all full-domain generalizations that satisfy k and the models, by bottom-up breadth-first search';

CREATE FUNCTION kanon_binary_search(
    relation regclass,
    k int,
    quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '',
    suppression float8 DEFAULT 0,
    metrics boolean DEFAULT false,
    person name DEFAULT NULL,
    lowest_levels kanon_levels DEFAULT NULL,
    highest_levels kanon_levels DEFAULT NULL,
    known int DEFAULT NULL,
    suppress_columns boolean DEFAULT false)
RETURNS SETOF kanon_generalization
AS 'MODULE_PATHNAME' LANGUAGE C STABLE COST 100000 ROWS 1;
COMMENT ON FUNCTION kanon_binary_search(regclass, int, name[], kanon_models, float8, boolean, name, kanon_levels, kanon_levels, int, boolean) IS 'one full-domain generalization that satisfies k and the models, of the lowest height, by Samarati''s binary search';

CREATE FUNCTION kanon_datafly(
    relation regclass,
    k int,
    quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '',
    suppression float8 DEFAULT 0,
    metrics boolean DEFAULT false,
    person name DEFAULT NULL,
    lowest_levels kanon_levels DEFAULT NULL,
    highest_levels kanon_levels DEFAULT NULL,
    known int DEFAULT NULL,
    suppress_columns boolean DEFAULT false)
RETURNS SETOF kanon_generalization
AS 'MODULE_PATHNAME' LANGUAGE C STABLE COST 100000 ROWS 1;
COMMENT ON FUNCTION kanon_datafly(regclass, int, name[], kanon_models, float8, boolean, name, kanon_levels, kanon_levels, int, boolean) IS 'one full-domain generalization that satisfies k and the models, by Sweeney''s greedy Datafly';

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
COMMENT ON FUNCTION kanon_last_search() IS 'what the last search of this session did, one row for each iteration';

CREATE FUNCTION kanon_generalized_query(relation regclass, levels kanon_levels, k int DEFAULT NULL,
    quasi_identifiers name[] DEFAULT NULL, models kanon_models DEFAULT '',
    person name DEFAULT NULL, known int DEFAULT NULL)
RETURNS text LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_generalized_query(regclass, kanon_levels, int, name[], kanon_models, name, int) IS
    'the SELECT of one generalization of a table; with k or models it drops classes that fail, of all quasi-identifiers or of any so many that are known; materialize what others may read';
