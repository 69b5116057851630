-- What the property test keeps: kinds of attributes, the shape of a case, the
-- outcomes.  Everything lives in the schema kanon_property, the tables of a
-- case in a schema of their own, kanon_property_WORKER, made anew each time.
SET client_min_messages = warning;
DROP SCHEMA IF EXISTS kanon_property CASCADE;
CREATE SCHEMA kanon_property;
SET search_path = kanon_property;

CREATE TYPE mood AS ENUM ('low', 'fair', 'good', 'high', 'ill', 'well');
CREATE TYPE pair AS (a int, b text);
CREATE DOMAIN small_number AS int CHECK (VALUE BETWEEN -1000 AND 1000);
CREATE DOMAIN short_text AS text CHECK (length(VALUE) < 40);

-- A kind of attribute: value gives, in SQL, the value number i (from 0) in row
-- r.  Values of one number are equal to each other in the type, though not
-- always identical (1.0 and 1.00, 0 and -0, 1 day and 24 hours, a and A).
CREATE TABLE kind (name text PRIMARY KEY, type text NOT NULL, value text NOT NULL, most int NOT NULL DEFAULT 1000);
INSERT INTO kind VALUES
    ('int', 'int', 'i * 3 - 5'),
    ('bigint', 'bigint', '(i - 3) * 4000000000'),
    ('numeric', 'numeric', $$CASE i WHEN 0 THEN 'NaN' ELSE round(i / 4.0, 2 + r % 3) END$$),
    ('float8', 'float8', $$CASE i WHEN 0 THEN CASE r % 2 WHEN 0 THEN '0' ELSE '-0' END WHEN 1 THEN 'NaN' ELSE (i / 10.0)::text END::float8$$),
    ('text', 'text', $$coalesce((ARRAY['', ' ', 'it''s', 'a"b', '*', 'NULL', 'v;7,\'])[i + 1], 'value ' || i)$$),
    ('varchar', 'varchar(20)', $$'v' || i$$),
    ('char', 'char(6)', $$'c' || i$$),
    ('date', 'date', $$CASE i WHEN 0 THEN date 'infinity' ELSE date '1999-12-25' + i * 5 END$$),
    ('timestamptz', 'timestamptz', $$timestamptz '2020-03-29 00:30+00' + i * interval '17 minutes'$$),
    ('interval', 'interval', $$CASE r % 2 WHEN 0 THEN i * interval '1 day' ELSE i * interval '24 hours' END$$),
    ('domain over int', 'kanon_property.small_number', 'i'),
    ('domain over text', 'kanon_property.short_text', $$'d' || i$$),
    ('uuid', 'uuid', 'md5(i::text)::uuid'),
    ('int4range', 'int4range', 'int4range(i, 2 * i + 1)'),
    ('text[]', 'text[]', $$ARRAY['x', i::text]$$),
    ('record', 'kanon_property.pair', $$ROW(i % 3, 'b' || i)::kanon_property.pair$$);
INSERT INTO kind VALUES
    ('bool', 'bool', 'i = 1', 2),
    ('enum', 'kanon_property.mood', '(enum_range(NULL::kanon_property.mood))[i + 1]', 6);

-- Letters that differ in case alone are equal, where the server has ICU.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_collation WHERE collprovider = 'i') THEN
        CREATE COLLATION kanon_property.any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
        INSERT INTO kanon_property.kind VALUES
            ('text of any case', 'text COLLATE kanon_property.any_case',
             'CASE r % 2 WHEN 0 THEN lower(''Case '' || i) ELSE upper(''Case '' || i) END');
    END IF;
END $$;

-- One case: arrays run over the quasi-identifiers in the order asked for.
CREATE TYPE test_case AS (
    number int,
    relation regclass,
    argument text,              -- quasi_identifiers as passed: NULL or an array, as SQL
    attributes name[],
    types text[],
    dimensions regclass[],
    heights int[],
    weights float8[],
    row_count int,
    k int,
    suppression float8,
    metrics boolean,
    models text[],              -- NULL: none asked
    person name                 -- NULL: rows are counted
);

CREATE TABLE outcome (number int PRIMARY KEY, worker int NOT NULL, verdict text NOT NULL, report text);
CREATE TABLE message (number int, line text);  -- what the server said meanwhile

-- The next random integer in [0, n).
CREATE FUNCTION pick(n int) RETURNS int VOLATILE LANGUAGE sql AS 'SELECT floor(random() * n)::int';
CREATE FUNCTION chance(p float8) RETURNS boolean VOLATILE LANGUAGE sql AS 'SELECT random() < p';
