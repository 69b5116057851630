CREATE FUNCTION kanon_check(relation regclass, k int DEFAULT NULL, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT NULL, person name DEFAULT NULL, known int DEFAULT NULL, null_matches boolean DEFAULT NULL,
    OUT satisfied boolean, OUT rows bigint, OUT classes bigint, OUT smallest bigint,
    OUT violating_classes bigint, OUT violating_rows bigint)
RETURNS record LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_check(regclass, int, name[], kanon_models, name, int, boolean) IS
    'checks whether every class of a table, view or release has at least k rows, or k distinct people, and satisfies all models; known: the classes of any so many columns; null_matches: whether every row matches at least k rows, NULL matching anything; for a release, k, models, known and null_matches default to its own';

CREATE FUNCTION kanon_classes(relation regclass, k int DEFAULT NULL, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT NULL, person name DEFAULT NULL, known int DEFAULT NULL, null_matches boolean DEFAULT NULL,
    OUT class text[], OUT size bigint, OUT distinct_values bigint[], OUT model_values float8[], OUT satisfied boolean,
    OUT columns name[], OUT matches bigint)
RETURNS SETOF record LANGUAGE c STABLE COST 100000 ROWS 1000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_classes(regclass, int, name[], kanon_models, name, int, boolean) IS
    'lists the equivalence classes of a table, view or release, with their sizes, the figures of the models, whether they satisfy, and the columns that make them; known: of any so many columns; null_matches: the distinct rows, and how many rows each matches, NULL matching anything; for a release, k, models, known and null_matches default to its own';

CREATE FUNCTION kanon_check_matchings(release regclass, k int DEFAULT NULL, relation regclass DEFAULT NULL,
    quasi_identifiers name[] DEFAULT NULL,
    OUT satisfied boolean, OUT rows bigint, OUT released bigint, OUT flow bigint,
    OUT needed bigint, OUT singled_out text[], OUT detail text)
RETURNS record LANGUAGE c STABLE COST 100000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_check_matchings(regclass, int, regclass, name[]) IS
    'checks whether each released row could be any of k rows of the relation, in k disjoint matchings; if not, names a row that is singled out';

CREATE FUNCTION kanon_matching_bound(relation regclass, k int, quasi_identifiers name[] DEFAULT NULL,
    priced boolean DEFAULT false, "ranges" boolean DEFAULT NULL)
RETURNS float8 LANGUAGE c STABLE COST 100000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_matching_bound(regclass, int, name[], boolean, boolean) IS
    'a lower bound of the loss of releases that generalize cell by cell; priced: a sharper one, for which each row is covered no more than k times; ranges: as the option of the releases';

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

CREATE FUNCTION kanon_quality(release regclass, relation regclass DEFAULT NULL,
    quasi_identifiers name[] DEFAULT NULL, k int DEFAULT NULL, predicates text[] DEFAULT NULL,
    OUT rows bigint, OUT classes bigint, OUT smallest bigint, OUT suppressed bigint,
    OUT discernibility float8, OUT average_class float8, OUT loss float8,
    OUT queries bigint, OUT mean_error float8, OUT sd_error float8,
    OUT mean_relative_error float8)
RETURNS record LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_quality(regclass, regclass, name[], int, text[]) IS
    'what a release has lost compared with its relation: class sizes, loss of cells, error of count queries';

CREATE FUNCTION kanon_query_errors(release regclass, predicates text[], relation regclass DEFAULT NULL,
    quasi_identifiers name[] DEFAULT NULL)
RETURNS TABLE (predicate text, actual bigint, estimate float8, error float8)
LANGUAGE c STABLE ROWS 50 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_query_errors(regclass, text[], regclass, name[]) IS
    'counts the rows that satisfy each predicate in the relation, and estimates the count from the release';

