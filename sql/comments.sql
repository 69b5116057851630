-- Every object of the extension that a user can meet has a comment; the row
-- types of tables and views are commented on with those, arrays with their elements.
SELECT pg_describe_object(classid, objid, 0) AS without_comment
FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass
  AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'kanon')
  AND deptype = 'e'
  AND obj_description(objid, classid::regclass::name) IS NULL
  AND (classid, objid) NOT IN (
    SELECT 'pg_type'::regclass, reltype FROM pg_class WHERE relkind <> 'c'
    UNION ALL SELECT 'pg_type'::regclass, typarray FROM pg_type
    UNION ALL SELECT 'pg_class'::regclass, oid FROM pg_class WHERE relkind = 'c')
ORDER BY 1;
