-- Copies of releases, kept to be put side by side: who was where.  The secret that people are
-- known by is for the owners of the copies alone.
CREATE TABLE kanon_copy_state (
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
COMMENT ON TABLE kanon_copy_state IS 'rows of the view kanon_copy, and the secret of the digests of keys, the same for all copies of releases of a relation';
SELECT pg_catalog.pg_extension_config_dump('kanon_copy_state',
    'WHERE EXISTS (SELECT 1 FROM pg_catalog.pg_class c WHERE c.oid OPERATOR(pg_catalog.=) copy)');
CREATE VIEW kanon_copy AS
SELECT copy, release, relation, recoding, k, key, copied, copied_by FROM kanon_view_entries(NULL::kanon_copy_state);
COMMENT ON VIEW kanon_copy IS 'copies of releases made with kanon_copy_release, for their owners';
COMMENT ON COLUMN kanon_copy.copy IS 'the table that holds the copy';
COMMENT ON COLUMN kanon_copy.release IS 'name of the release when it was copied';
COMMENT ON COLUMN kanon_copy.relation IS 'relation of the release';
COMMENT ON COLUMN kanon_copy.recoding IS 'recoding of the release';
COMMENT ON COLUMN kanon_copy.k IS 'k of the release';
COMMENT ON COLUMN kanon_copy.key IS 'column of the relation that identifies rows';
COMMENT ON COLUMN kanon_copy.copied IS 'when it was made';
COMMENT ON COLUMN kanon_copy.copied_by IS 'who made it';
GRANT SELECT ON kanon_copy TO PUBLIC;

CREATE FUNCTION kanon_copy_release(release regclass, copy text, key name)
RETURNS regclass LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_copy_release(regclass, text, name) IS
    'records in a new table, for its owner only, who is where in a release, so that kanon_check_releases can compare it with others';

CREATE FUNCTION kanon_check_releases(relation regclass, releases regclass[], k int DEFAULT NULL, key name DEFAULT NULL,
    OUT satisfied boolean, OUT needed int, OUT people bigint, OUT below bigint, OUT alone bigint,
    OUT smallest bigint, OUT sizes bigint[], OUT weakest text[])
RETURNS record LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_check_releases(regclass, regclass[], int, name) IS
    'counts the people whom a reader of several releases of a relation, or of copies of them, could trace to fewer than k records; the reader is taken to know everybody''s quasi-identifiers';

