-- Privacy models beyond k: what every class must show of sensitive columns.
CREATE TYPE kanon_models;
COMMENT ON TYPE kanon_models IS 'privacy models, separated by commas: distinct(s, l), entropy(s, l), recursive(s, c, l), closeness(s, t) or variance(s, v) of a sensitive column s';

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
