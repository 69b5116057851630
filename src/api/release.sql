CREATE FUNCTION kanon_generalized_query(relation regclass, levels int[], k int DEFAULT NULL,
    quasi_identifiers name[] DEFAULT NULL, models kanon_model[] DEFAULT '{}',
    person name DEFAULT NULL)
RETURNS text LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_generalized_query(regclass, int[], int, name[], kanon_model[], name) IS
    'the SELECT of one generalization of a table; with k or models it drops classes that fail; in a view, use WITH (security_barrier)';

-- What was released, from what, and what it holds now.  A column of a release
-- goes by its position, which renaming does not change.
CREATE TABLE kanon_release (
    release           regclass    PRIMARY KEY,
    source            regclass    NOT NULL,
    recoding          text        NOT NULL,
    k                 int         NOT NULL,
    quasi_identifiers name[]      NOT NULL,
    positions         int2[]      NOT NULL,
    levels            int[],
    models            kanon_model[] NOT NULL,
    person            name,
    suppression       float8      NOT NULL,
    rows              bigint,
    classes           bigint,
    smallest          bigint,
    suppressed        bigint,
    loss              float8,
    created           timestamptz NOT NULL,
    created_by        name        NOT NULL,
    refreshed         timestamptz NOT NULL,
    refreshed_by      name        NOT NULL
);
COMMENT ON TABLE kanon_release IS 'releases made with kanon_create_release';
COMMENT ON COLUMN kanon_release.release IS 'the materialized view';
COMMENT ON COLUMN kanon_release.source IS 'the relation it was made from';
COMMENT ON COLUMN kanon_release.recoding IS 'how values are generalized: full_domain, mondrian or relaxed_mondrian';
COMMENT ON COLUMN kanon_release.k IS 'least number of rows, or people, in a class';
COMMENT ON COLUMN kanon_release.quasi_identifiers IS 'quasi-identifiers as they were called when it was made';
COMMENT ON COLUMN kanon_release.positions IS 'columns of the release that hold them';
COMMENT ON COLUMN kanon_release.levels IS 'full_domain: levels of the quasi-identifiers';
COMMENT ON COLUMN kanon_release.models IS 'privacy models that every class satisfies besides k';
COMMENT ON COLUMN kanon_release.person IS 'column of the source whose different values count instead of rows, as it was called when it was made';
COMMENT ON COLUMN kanon_release.suppression IS 'share of the source''s rows that it was made to lack at most';
COMMENT ON COLUMN kanon_release.rows IS 'rows; null: not populated';
COMMENT ON COLUMN kanon_release.classes IS 'equivalence classes';
COMMENT ON COLUMN kanon_release.smallest IS 'rows of the smallest class; null: there is none';
COMMENT ON COLUMN kanon_release.suppressed IS 'rows of the source dropped, since their classes fail k or a model';
COMMENT ON COLUMN kanon_release.loss IS 'share of information lost (NCP) when it was made; null: it was empty';
COMMENT ON COLUMN kanon_release.created IS 'when it was made';
COMMENT ON COLUMN kanon_release.created_by IS 'by whom';
COMMENT ON COLUMN kanon_release.refreshed IS 'when it was refreshed last';
COMMENT ON COLUMN kanon_release.refreshed_by IS 'by whom';
SELECT pg_catalog.pg_extension_config_dump('kanon_release', '');
GRANT SELECT ON kanon_release TO PUBLIC;

CREATE FUNCTION kanon_create_release(release text, relation regclass, k int,
    recoding text DEFAULT 'mondrian', levels int[] DEFAULT NULL,
    quasi_identifiers name[] DEFAULT NULL, models kanon_model[] DEFAULT '{}',
    suppression float8 DEFAULT 0, means boolean DEFAULT false, split text DEFAULT NULL, target name DEFAULT NULL,
    person name DEFAULT NULL)
RETURNS regclass LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_create_release(text, regclass, int, text, int[], name[], kanon_model[], float8, boolean, text, name, name) IS
    'makes a materialized view of a table in which every class has at least k rows and satisfies all models, now and after every refresh';

CREATE FUNCTION kanon_refresh_release(release regclass)
RETURNS void LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_refresh_release(regclass) IS
    'refreshes a release and warns if it lacks more rows than it was made to lack';

CREATE FUNCTION kanon_drop_release(release regclass)
RETURNS void LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_drop_release(regclass) IS 'drops a release';

-- Releases are ordinary materialized views: the catalog follows whatever is done to them.
CREATE FUNCTION kanon_release_refreshed() RETURNS event_trigger
LANGUAGE c AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_release_refreshed() IS 'records what a refreshed release holds';

CREATE FUNCTION kanon_release_dropped() RETURNS event_trigger
LANGUAGE c AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_release_dropped() IS 'forgets releases dropped';

CREATE EVENT TRIGGER kanon_release_refreshed ON ddl_command_end
    WHEN TAG IN ('REFRESH MATERIALIZED VIEW')
    EXECUTE FUNCTION kanon_release_refreshed();
ALTER EVENT TRIGGER kanon_release_refreshed ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER kanon_release_refreshed IS 'keeps kanon_release true';

CREATE EVENT TRIGGER kanon_release_dropped ON sql_drop
    EXECUTE FUNCTION kanon_release_dropped();
ALTER EVENT TRIGGER kanon_release_dropped ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER kanon_release_dropped IS 'keeps kanon_release true';

