-- What the owners of tables declared about their columns.  The column's name
-- is the truth (it survives dump and restore); its number follows renames.
CREATE TABLE kanon_attribute (
    relation  regclass NOT NULL,
    attribute name     NOT NULL,
    number    int2     NOT NULL,
    role      text     NOT NULL CHECK (role IN ('identifier', 'quasi-identifier', 'sensitive', 'insensitive')),
    dimension regclass,
    weight    float8   NOT NULL DEFAULT 1 CHECK (weight >= 0 AND weight < 'infinity'),
    PRIMARY KEY (relation, attribute)
);
COMMENT ON TABLE kanon_attribute IS 'roles, dimensions and weights of columns, as declared with kanon_set_attribute';
SELECT pg_extension_config_dump('kanon_attribute', '');
GRANT SELECT ON kanon_attribute TO PUBLIC;

