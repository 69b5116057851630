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
