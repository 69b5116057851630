-- A made-up version: what a script does, of which nothing stays.
CREATE FUNCTION kanon_made_up(relation regclass) RETURNS text LANGUAGE sql RETURN relation::pg_catalog.text;
COMMENT ON FUNCTION kanon_made_up(regclass) IS 'made up';
ALTER FUNCTION kanon_made_up(regclass) RENAME TO kanon_made_up_anew;
UPDATE kanon_release_state SET parameters = parameters OPERATOR(pg_catalog.||) '{"made_up": true}'::pg_catalog.jsonb;
UPDATE kanon_release_state SET parameters = parameters OPERATOR(pg_catalog.-) 'made_up'::pg_catalog.text;
DROP FUNCTION kanon_made_up_anew(regclass);
