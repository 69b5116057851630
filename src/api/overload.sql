-- First of all, so that it sees what lay in the schema before kanon, too.
CREATE FUNCTION kanon_refuse_overloads() RETURNS event_trigger
LANGUAGE c AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_refuse_overloads() IS 'reserves the names of kanon''s functions in its schema';

CREATE EVENT TRIGGER kanon_refuse_overloads ON ddl_command_end
    WHEN TAG IN ('CREATE FUNCTION', 'CREATE PROCEDURE', 'CREATE AGGREGATE', 'CREATE TYPE', 'CREATE DOMAIN',
        'ALTER FUNCTION', 'ALTER PROCEDURE', 'ALTER AGGREGATE', 'ALTER ROUTINE', 'ALTER TYPE', 'ALTER DOMAIN',
        'ALTER EXTENSION')
    EXECUTE FUNCTION kanon_refuse_overloads();
ALTER EVENT TRIGGER kanon_refuse_overloads ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER kanon_refuse_overloads IS 'makes sure that nothing else in kanon''s schema is taken for a function of kanon''s';

