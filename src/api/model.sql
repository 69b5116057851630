-- A privacy model beyond k: what every class must show of a sensitive column.
CREATE TYPE kanon_model;
COMMENT ON TYPE kanon_model IS 'a privacy model: distinct(s, l), entropy(s, l), recursive(s, c, l), closeness(s, t) or variance(s, v) of a sensitive column s';

CREATE FUNCTION kanon_model_in(cstring) RETURNS kanon_model
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_model_in(cstring) IS 'I/O';
CREATE FUNCTION kanon_model_out(kanon_model) RETURNS cstring
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_model_out(kanon_model) IS 'I/O';
CREATE FUNCTION kanon_model_recv(internal) RETURNS kanon_model
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_model_recv(internal) IS 'I/O';
CREATE FUNCTION kanon_model_send(kanon_model) RETURNS bytea
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION kanon_model_send(kanon_model) IS 'I/O';

CREATE TYPE kanon_model (
    INPUT = kanon_model_in,
    OUTPUT = kanon_model_out,
    RECEIVE = kanon_model_recv,
    SEND = kanon_model_send,
    LIKE = text
);

-- So that models => ARRAY['distinct(disease, 3)'] needs no cast; no operator
-- or function of another kind takes a kanon_model.
CREATE CAST (text AS kanon_model) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (text AS kanon_model) IS 'by its input function';

