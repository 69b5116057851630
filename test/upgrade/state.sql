-- Everything that kanon knows, and what its releases show, as text that an upgrade leaves as it is.
\pset tuples_only on
\pset format unaligned
SET timezone = 'UTC';
SELECT format('SELECT %L, t::text FROM %s t ORDER BY 2', relname, oid::regclass)
FROM pg_class WHERE oid = ANY (SELECT unnest(extconfig) FROM pg_extension WHERE extname = 'kanon') AND relkind = 'r'
ORDER BY relname
\gexec
SELECT format('SELECT %L, last_value, is_called FROM %s', relname, oid::regclass)
FROM pg_class WHERE oid = ANY (SELECT unnest(extconfig) FROM pg_extension WHERE extname = 'kanon') AND relkind = 'S'
ORDER BY relname
\gexec
SELECT release, kanon_digest(release), (SELECT string_agg(format('%s %s', grantee, privilege_type), ',' ORDER BY 1)
        FROM information_schema.role_table_grants WHERE table_name = release::text), obj_description(release, 'pg_class')
FROM kanon_release ORDER BY release::text;
SELECT tree FROM trees;
