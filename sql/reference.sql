-- docs/reference.md: what the comments of kanon's objects say.  tools/reference writes the
-- page from this file, and .ci/readme compares the page with the expected output.
\set ECHO none
\pset format unaligned
\pset tuples_only on
\pset null ''
SELECT '# Reference

Every function, type, catalog and setting of kanon, from the comments in the database: `\dx+ kanon` lists the objects, and `\df+`, `\d+` and `\dT+` show the same comments. This page is generated (`make reference`); do not edit it. [The other pages](README.md) explain how the parts work together.

Call functions with named arguments: `kanon_check(''patients'', k => 5)`. An argument with a `DEFAULT` may be left out. `quasi_identifiers` defaults to the declared ones, in the order of the table''s columns.';

-- Comments are phrases, as PostgreSQL's own are.
CREATE FUNCTION pg_temp.sentence(phrase text) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$SELECT upper(left(phrase, 1)) || substr(phrase, 2) || CASE WHEN phrase ~ '[.?]$' THEN '' ELSE '.' END$$;

-- The page that explains it, if there is one.
CREATE FUNCTION pg_temp.page(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN page IS NULL THEN '' ELSE format(' See [%s](%s.md).', replace(page, '_', ' '), page) END
    FROM (SELECT CASE
        WHEN name ~ 'cohort|view_value' THEN 'cohorts'
        WHEN name ~ '_(check|classes|models|view_satisfies)$' THEN 'models'
        WHEN name ~ 'matching' THEN 'check_matchings'
        WHEN name ~ 'check_releases|copy' THEN 'copies'
        WHEN name ~ 'dimension|attribute|declare' THEN 'dimensions'
        WHEN name ~ 'incognito|bottom_up|binary_search|datafly|last_search|generaliz|levels' THEN 'full_domain'
        WHEN name ~ 'leaf|region|tree|mondrian|last_partitioning' THEN 'mondrian'
        WHEN name ~ 'ring|two_phase|seed' THEN 'matching'
        WHEN name ~ 'risk|uniques' THEN 'risk'
        WHEN name ~ 'quality|query_errors|compare' THEN 'quality'
        WHEN name ~ 'plot|report' THEN 'report'
        WHEN name ~ 'adopt|lost' THEN 'machines'
        WHEN name ~ 'progress' THEN 'operations'
        WHEN name ~ 'release|digest|view' THEN 'releases' END AS page) p $$;

-- Members of the extension that are not part of a type, an operator or an event trigger.
CREATE TEMPORARY VIEW routine AS
SELECT p.oid, p.proname::text COLLATE "C" AS name, p.prokind,
       CASE WHEN p.proname ~ '^kanon_view_' AND p.proname <> 'kanon_view_cell' THEN 3
            WHEN p.prokind IN ('w', 'a') THEN 2 ELSE 1 END AS section,
       array_to_string(ARRAY(
           SELECT '    ' || regexp_replace(regexp_replace(argument, '''::[^'']*$', ''''), 'DEFAULT NULL::.*$', 'DEFAULT NULL')
           FROM regexp_split_to_table(pg_get_function_arguments(p.oid), ', ') WITH ORDINALITY a (argument, place)
           WHERE argument <> '' AND argument !~ '^OUT ' ORDER BY place), E',\n') AS arguments,
       array_to_string(ARRAY(
           SELECT '    ' || parameter || ' ' || format_type(type, NULL)
           FROM unnest(p.proargnames, p.proargmodes, p.proallargtypes) WITH ORDINALITY r (parameter, mode, type, place)
           WHERE mode IN ('o', 't') ORDER BY place), E',\n') AS columns,
       CASE WHEN p.proretset THEN 'TABLE' ELSE 'RECORD' END AS shape,
       pg_get_function_result(p.oid) AS result, pg_temp.sentence(obj_description(p.oid, 'pg_proc')) || pg_temp.page(p.proname) AS comment
FROM pg_proc p JOIN pg_depend d ON (d.classid, d.objid, d.deptype) = ('pg_proc'::regclass, p.oid, 'e')
     JOIN pg_extension e ON (d.refclassid, d.refobjid) = ('pg_extension'::regclass, e.oid)
WHERE e.extname = 'kanon' AND p.prorettype NOT IN ('event_trigger'::regtype, 'trigger'::regtype, 'internal'::regtype)
  AND 'internal'::regtype <> ALL (p.proargtypes) AND 'cstring'::regtype <> ALL (p.proargtypes)
  AND NOT EXISTS (SELECT FROM pg_operator WHERE oprcode = p.oid) AND NOT EXISTS (SELECT FROM pg_cast WHERE castfunc = p.oid)
  AND NOT EXISTS (SELECT FROM pg_amproc WHERE amproc = p.oid) AND NOT EXISTS (SELECT FROM pg_type WHERE p.oid IN (typoutput, typsend));

\set signature 'string_agg(comment || E''\\n\\n```\\n'' || name || ''('' || CASE WHEN arguments = '''' THEN '''' ELSE E''\\n'' || arguments END || '')'' || CASE WHEN prokind = ''p'' THEN '''' WHEN columns <> '''' THEN E''\\nRETURNS TABLE (\\n'' || columns || '')'' ELSE E''\\nRETURNS '' || result END || E''\\n```'', E''\\n\\n'' ORDER BY length(arguments), arguments)'
SELECT E'\n## Functions';
SELECT E'\n### ' || name || E'\n\n' || :signature FROM routine WHERE section = 1 GROUP BY name ORDER BY name;
SELECT E'\n## Window functions and aggregates';
SELECT E'\n### ' || name || E'\n\n' || :signature FROM routine WHERE section = 2 GROUP BY name ORDER BY name;
SELECT E'\n## Functions in the SQL of releases\n\nA release''s SQL calls these. Your own queries rarely need them.';
SELECT E'\n### ' || name || E'\n\n' || :signature FROM routine WHERE section = 3 GROUP BY name ORDER BY name;

CREATE TEMPORARY VIEW member AS
SELECT c.oid, c.relname::text COLLATE "C" AS name, c.relkind,
       pg_temp.sentence(obj_description(CASE c.relkind WHEN 'c' THEN c.reltype ELSE c.oid END,
           CASE c.relkind WHEN 'c' THEN 'pg_type' ELSE 'pg_class' END)) || pg_temp.page(c.relname) AS comment,
       (SELECT string_agg(E'\n| `' || attname || '` | ' || format_type(atttypid, atttypmod) || ' | ' || coalesce(replace(col_description(c.oid, attnum), '|', '\|'), '') || ' |', '' ORDER BY attnum)
        FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS columns
FROM pg_class c JOIN pg_depend d ON d.deptype = 'e' AND (d.classid, d.objid) IN (('pg_class'::regclass, c.oid), ('pg_type'::regclass, c.reltype))
     JOIN pg_extension e ON (d.refclassid, d.refobjid) = ('pg_extension'::regclass, e.oid)
WHERE e.extname = 'kanon' AND (c.relkind IN ('v', 'c') OR c.relkind = 'r' AND has_table_privilege('public', c.oid, 'SELECT'))
  AND NOT (c.relkind IN ('r', 'v') AND d.classid = 'pg_type'::regclass);
SELECT E'\n## Types';
SELECT E'\n### ' || typname || E'\n\n' || comment || columns
FROM (SELECT name AS typname, comment, E'\n\n| column | type | meaning |\n| --- | --- | --- |' || columns AS columns FROM member WHERE relkind = 'c'
      UNION ALL
      SELECT t.typname::text, pg_temp.sentence(obj_description(t.oid, 'pg_type')) || pg_temp.page(t.typname), ''
      FROM pg_type t JOIN pg_depend d ON (d.classid, d.objid, d.deptype) = ('pg_type'::regclass, t.oid, 'e')
           JOIN pg_extension e ON (d.refclassid, d.refobjid) = ('pg_extension'::regclass, e.oid)
      WHERE e.extname = 'kanon' AND t.typtype = 'b' AND t.typcategory <> 'A') t
ORDER BY typname COLLATE "C";
SELECT E'\n## Tables and views';
SELECT E'\n### ' || name || E'\n\n' || comment || E'\n\n| column | type | meaning |\n| --- | --- | --- |' || columns
FROM member WHERE relkind <> 'c' ORDER BY name;
SELECT E'\n## Options of releases\n\nKeys of `options`: a JSON object, as `kanon_options()` lists them. `null` is the default.\n\n| option | value | default | recodings | meaning |\n| --- | --- | --- | --- | --- |';
SELECT format('| `%s` | %s | %s | %s | %s |', name, concat_ws(': ', type, range), coalesce('`' || default_value::text || '`', ''), array_to_string(recodings, ', '), pg_temp.sentence(meaning) || CASE WHEN secret THEN ' Secret: kept out of `kanon_release` and its history.' ELSE '' END)
FROM kanon_options();
SELECT E'\n## Settings\n\n| setting | default | meaning |\n| --- | --- | --- |';
SELECT '| `' || name || '` | `' || boot_val || CASE WHEN boot_val LIKE '-%' THEN '' ELSE coalesce(unit, '') END || '` | ' || short_desc || coalesce(' ' || extra_desc, '') ||
       coalesce(' One of `' || array_to_string(enumvals, '`, `') || '`.', '') || ' |'
FROM pg_settings WHERE name LIKE 'kanon.%' ORDER BY name COLLATE "C";
