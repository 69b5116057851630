-- What releases by cohorts remember: who was published with whom, for ever.  Their texts read
-- kanon_cohort_cell and kanon_cohort_member; kanon_refresh_release writes them.
CREATE TABLE kanon_cohort (
    number            bigint     PRIMARY KEY,
    relation          regclass   UNIQUE,
    name              text       NOT NULL,
    owner             name       NOT NULL,
    k                 int        NOT NULL,
    key               name       NOT NULL,
    wait              int        NOT NULL,
    target_loss       float8     NOT NULL,
    leavers           text       NOT NULL,
    stale             float8     NOT NULL,
    reading           text       NOT NULL,
    quasi_identifiers name[]     NOT NULL,
    dimensions        regclass[] NOT NULL,
    columns           name[]     NOT NULL,
    night             int        NOT NULL,
    cells             bigint     NOT NULL,
    home              text       NOT NULL,
    secret            bytea      NOT NULL
);
COMMENT ON TABLE kanon_cohort IS 'tables with releases by cohorts, for their owners alone';
COMMENT ON COLUMN kanon_cohort.number IS 'what the texts of their releases call them';
COMMENT ON COLUMN kanon_cohort.relation IS 'the table; null: it was dropped';
COMMENT ON COLUMN kanon_cohort.name IS 'its name, when a release was last advanced';
COMMENT ON COLUMN kanon_cohort.owner IS 'its owner, likewise';
COMMENT ON COLUMN kanon_cohort.k IS 'least number of people in a cell';
COMMENT ON COLUMN kanon_cohort.key IS 'column that tells people apart';
COMMENT ON COLUMN kanon_cohort.wait IS 'refreshes after which people are admitted whatever is lost';
COMMENT ON COLUMN kanon_cohort.target_loss IS 'loss of cells that are divided no further';
COMMENT ON COLUMN kanon_cohort.leavers IS 'what becomes of the rows of people who left: keep or withhold';
COMMENT ON COLUMN kanon_cohort.stale IS 'with keep: share of such rows that a cell may have';
COMMENT ON COLUMN kanon_cohort.reading IS 'when values are read: frozen or together';
COMMENT ON COLUMN kanon_cohort.quasi_identifiers IS 'those that cells are made by';
COMMENT ON COLUMN kanon_cohort.dimensions IS 'the dimension of each, or null';
COMMENT ON COLUMN kanon_cohort.columns IS 'columns that are published as they are';
COMMENT ON COLUMN kanon_cohort.night IS 'advances so far';
COMMENT ON COLUMN kanon_cohort.cells IS 'cells so far';
COMMENT ON COLUMN kanon_cohort.home IS 'server, database and timeline that advance it: two that did would tell more than one';
COMMENT ON COLUMN kanon_cohort.secret IS 'what digests of keys are made with';

CREATE TABLE kanon_cohort_cell (
    cohort bigint  NOT NULL,
    cell   bigint  NOT NULL,
    shown  boolean NOT NULL,
    low    text[]  NOT NULL,
    high   text[]  NOT NULL,
    label  text[]  NOT NULL,
    PRIMARY KEY (cohort, cell)
);
COMMENT ON TABLE kanon_cohort_cell IS 'cells of releases by cohorts';
COMMENT ON COLUMN kanon_cohort_cell.cohort IS 'number in kanon_cohort';
COMMENT ON COLUMN kanon_cohort_cell.cell IS 'number of the cell';
COMMENT ON COLUMN kanon_cohort_cell.shown IS 'is it published? Whole or not at all';
COMMENT ON COLUMN kanon_cohort_cell.low IS 'least values of its people so far, by quasi-identifier; null: some had none';
COMMENT ON COLUMN kanon_cohort_cell.high IS 'greatest values';
COMMENT ON COLUMN kanon_cohort_cell.label IS 'what is published of the quasi-identifiers';

CREATE TABLE kanon_cohort_member (
    cohort bigint NOT NULL,
    digest bytea  NOT NULL,
    cell   bigint,
    since  int    NOT NULL,
    values text[],
    PRIMARY KEY (cohort, digest)
);
COMMENT ON TABLE kanon_cohort_member IS 'everybody whom releases by cohorts ever published, and who waits';
COMMENT ON COLUMN kanon_cohort_member.cohort IS 'number in kanon_cohort';
COMMENT ON COLUMN kanon_cohort_member.digest IS 'keyed digest of the key';
COMMENT ON COLUMN kanon_cohort_member.cell IS 'the cell, for ever; null: waits';
COMMENT ON COLUMN kanon_cohort_member.since IS 'advance since which this person has waited, or was admitted';
COMMENT ON COLUMN kanon_cohort_member.values IS 'the other published columns, when they were read last';

SELECT pg_catalog.pg_extension_config_dump('kanon_cohort', '');
SELECT pg_catalog.pg_extension_config_dump('kanon_cohort_cell', '');
SELECT pg_catalog.pg_extension_config_dump('kanon_cohort_member', '');

ALTER TABLE kanon_cohort ENABLE ROW LEVEL SECURITY;
ALTER TABLE kanon_cohort_cell ENABLE ROW LEVEL SECURITY;
ALTER TABLE kanon_cohort_member ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON kanon_cohort FOR SELECT USING (kanon_view_owns(relation));
COMMENT ON POLICY own ON kanon_cohort IS 'for those with the privileges of the table''s owner';
CREATE POLICY own ON kanon_cohort_cell FOR SELECT
    USING (cohort OPERATOR(pg_catalog.=) ANY (SELECT c.number FROM kanon_cohort c));
COMMENT ON POLICY own ON kanon_cohort_cell IS 'for those with the privileges of the table''s owner';
CREATE POLICY own ON kanon_cohort_member FOR SELECT
    USING (cohort OPERATOR(pg_catalog.=) ANY (SELECT c.number FROM kanon_cohort c));
COMMENT ON POLICY own ON kanon_cohort_member IS 'for those with the privileges of the table''s owner';
ALTER TABLE kanon_cohort ALTER COLUMN secret SET STATISTICS 0;
ALTER TABLE kanon_cohort_cell
    ALTER COLUMN low SET STATISTICS 0, ALTER COLUMN high SET STATISTICS 0,
    ALTER COLUMN label SET STATISTICS 0, ALTER COLUMN shown SET STATISTICS 0;
ALTER TABLE kanon_cohort_member
    ALTER COLUMN digest SET STATISTICS 0, ALTER COLUMN cell SET STATISTICS 0,
    ALTER COLUMN since SET STATISTICS 0, ALTER COLUMN values SET STATISTICS 0;
GRANT SELECT ON kanon_cohort, kanon_cohort_cell, kanon_cohort_member TO PUBLIC;

CREATE FUNCTION kanon_view_value(value text, kind anyelement)
RETURNS anyelement LANGUAGE c STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_value(text, anyelement) IS
    'a value of releases by cohorts from its text, as the type of kind, whose value does not matter';

CREATE FUNCTION kanon_adopt_cohorts(relation regclass)
RETURNS void LANGUAGE c VOLATILE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_adopt_cohorts(regclass) IS
    'lets releases by cohorts of a table advance on this server, in this database and timeline, and nowhere else';
