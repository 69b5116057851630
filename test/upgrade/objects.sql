-- The extension's objects with all that defines them, none by its number.
\pset tuples_only on
\pset format unaligned
CREATE TEMP VIEW member AS
SELECT d.classid, d.objid, pg_describe_object(d.classid, d.objid, 0) AS name
FROM pg_depend d JOIN pg_extension e ON e.extname = 'kanon' AND d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
WHERE d.deptype = 'e';
CREATE TEMP VIEW member_relation AS
SELECT c.*, m.name FROM member m JOIN pg_class c ON m.classid = 'pg_class'::regclass AND c.oid = m.objid;

SELECT name, obj_description(objid, classid::regclass::text::name) FROM member ORDER BY 1;
SELECT name, acl.* FROM member m JOIN pg_init_privs i ON i.objoid = m.objid AND i.classoid = m.classid,
    LATERAL (SELECT i.objsubid, array_agg(a::text ORDER BY a::text) FROM unnest(i.initprivs) a) acl ORDER BY 1, 2;
SELECT m.name, rtrim(pg_get_functiondef(p.oid), E'\n '), p.proacl, p.proowner::regrole
FROM member m JOIN pg_proc p ON m.classid = 'pg_proc'::regclass AND p.oid = m.objid AND p.prokind <> 'a' ORDER BY 1;
SELECT m.name, p.proacl, p.proowner::regrole, to_jsonb(a) - '{aggfnoid}'::text[]
FROM member m JOIN pg_aggregate a ON m.classid = 'pg_proc'::regclass AND a.aggfnoid = m.objid
JOIN pg_proc p ON p.oid = m.objid ORDER BY 1;
SELECT m.name, t.typlen, t.typbyval, t.typcategory, t.typispreferred, t.typstorage, t.typalign, t.typinput, t.typoutput, t.typreceive,
    t.typsend, t.typbasetype::regtype, t.typdefault, t.typacl, t.typowner::regrole
FROM member m JOIN pg_type t ON m.classid = 'pg_type'::regclass AND t.oid = m.objid ORDER BY 1;
SELECT m.name, c.castcontext, c.castmethod, c.castfunc::regprocedure
FROM member m JOIN pg_cast c ON m.classid = 'pg_cast'::regclass AND c.oid = m.objid ORDER BY 1;
SELECT m.name, o.oprcode, o.oprcom::regoperator, o.oprnegate::regoperator, o.oprrest, o.oprjoin, o.oprcanhash, o.oprcanmerge
FROM member m JOIN pg_operator o ON m.classid = 'pg_operator'::regclass AND o.oid = m.objid ORDER BY 1;
SELECT m.name, o.opcdefault, o.opcintype::regtype,
    (SELECT array_agg(pg_describe_object('pg_amop'::regclass, a.oid, 0) ORDER BY a.amopstrategy) FROM pg_amop a WHERE a.amopfamily = o.opcfamily),
    (SELECT array_agg(pg_describe_object('pg_amproc'::regclass, a.oid, 0) ORDER BY a.amprocnum) FROM pg_amproc a WHERE a.amprocfamily = o.opcfamily)
FROM member m JOIN pg_opclass o ON m.classid = 'pg_opclass'::regclass AND o.oid = m.objid ORDER BY 1;
SELECT m.name, t.evtevent, t.evttags, t.evtenabled, t.evtfoid::regprocedure, t.evtowner::regrole
FROM member m JOIN pg_event_trigger t ON m.classid = 'pg_event_trigger'::regclass AND t.oid = m.objid ORDER BY 1;
SELECT name, relkind, relpersistence, relrowsecurity, relforcerowsecurity, reloptions, relowner::regrole,
    (SELECT array_agg(a::text ORDER BY a::text) FROM unnest(relacl) a),
    CASE relkind WHEN 'v' THEN pg_get_viewdef(oid) END
FROM member_relation ORDER BY 1;
SELECT r.name, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attstattarget, a.attstorage,
    a.attacl, pg_get_expr(d.adbin, d.adrelid), col_description(r.oid, a.attnum)
FROM member_relation r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0
LEFT JOIN pg_attrdef d ON d.adrelid = r.oid AND d.adnum = a.attnum ORDER BY 1, 2;
SELECT r.name, c.conname, pg_get_constraintdef(c.oid), obj_description(c.oid, 'pg_constraint')
FROM member_relation r JOIN pg_constraint c ON c.conrelid = r.oid ORDER BY 1, 2;
SELECT r.name, pg_get_indexdef(i.indexrelid), obj_description(i.indexrelid, 'pg_class')
FROM member_relation r JOIN pg_index i ON i.indrelid = r.oid ORDER BY 1, 2;
SELECT r.name, p.polname, p.polcmd, p.polpermissive, p.polroles, pg_get_expr(p.polqual, p.polrelid),
    pg_get_expr(p.polwithcheck, p.polrelid), obj_description(p.oid, 'pg_policy')
FROM member_relation r JOIN pg_policy p ON p.polrelid = r.oid ORDER BY 1, 2;
SELECT r.name, to_jsonb(s) - '{seqrelid,seqtypid}'::text[] FROM member_relation r JOIN pg_sequence s ON s.seqrelid = r.oid ORDER BY 1;
SELECT r.name, t.tgname, pg_get_triggerdef(t.oid) FROM member_relation r JOIN pg_trigger t ON t.tgrelid = r.oid ORDER BY 1, 2;
SELECT m.name, pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid), d.deptype
FROM member m JOIN pg_depend d ON d.classid = m.classid AND d.objid = m.objid ORDER BY 1, 2;
SELECT pg_describe_object(d.classid, d.objid, d.objsubid), m.name, d.deptype
FROM member m JOIN pg_depend d ON d.refclassid = m.classid AND d.refobjid = m.objid
    AND d.deptype IN ('a', 'i') AND d.objid NOT IN (SELECT oid FROM pg_class WHERE relkind = 't') ORDER BY 1, 2;
SELECT m.name, s.refclassid::regclass, s.refobjid::regrole, s.deptype
FROM member m JOIN pg_shdepend s ON s.classid = m.classid AND s.objid = m.objid
    AND s.dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) ORDER BY 1, 2, 3::text, 4;
SELECT u.config::regclass, u.condition FROM pg_extension e, unnest(e.extconfig, e.extcondition) u (config, condition)
WHERE e.extname = 'kanon' ORDER BY 1::text;
SELECT extversion, extnamespace::regnamespace, extrelocatable, obj_description(oid, 'pg_extension') FROM pg_extension WHERE extname = 'kanon';
