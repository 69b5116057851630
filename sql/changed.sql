-- A dimension is a view whose function replaces the relation, with columns of other types, in the midst of a call.
\set VERBOSITY terse
CREATE SCHEMA changed;
SET search_path = changed, public;
CREATE TABLE beds AS SELECT i % 5 AS ward, 'bed ' || i % 3 AS bed, 'ill ' || i % 2 AS ill FROM generate_series(1, 30) i;
CREATE SEQUENCE readings;
-- At that reading of the view
CREATE FUNCTION replace_stays(at int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF nextval('changed.readings') = at THEN
        DROP VIEW changed.stays;
        CREATE VIEW changed.stays AS SELECT ward, 1000000 AS bed, 1000000 AS ill FROM changed.beds;
    END IF;
    RETURN true;
END $$;
CREATE PROCEDURE begin_anew(at int) LANGUAGE plpgsql AS $$
BEGIN
    DROP VIEW IF EXISTS changed.stays;
    CREATE VIEW changed.stays AS TABLE changed.beds;
    EXECUTE format('CREATE OR REPLACE VIEW changed.ills AS SELECT ill, ''*'' AS top'
        ' FROM changed.replace_stays(%s) r, (VALUES (''ill 0''), (''ill 1'')) v (ill) WHERE r', at);
    EXECUTE format('CREATE OR REPLACE VIEW changed.floors AS SELECT ward, ward %% 2 AS floor'
        ' FROM changed.replace_stays(%s) r, generate_series(0, 4) ward WHERE r', at);
    PERFORM kanon_set_attribute('changed.stays', 'ward', 'quasi_identifier', 'changed.floors');
    PERFORM kanon_set_attribute('changed.stays', 'bed', 'quasi_identifier');
    PERFORM kanon_set_attribute('changed.stays', 'ill', 'sensitive', 'changed.ills');
    PERFORM setval('changed.readings', 1, false);
END $$;

SET client_min_messages = warning;
-- The values of a model
CALL begin_anew(1);
SELECT * FROM kanon_check('stays', 2, models => 'closeness(ill, 0.5)');
-- Classes, after the values of their models: here the relation replaces itself
CALL begin_anew(0);
CREATE OR REPLACE VIEW stays AS SELECT b.* FROM replace_stays(1) r, beds b WHERE r;
SELECT * FROM kanon_check('stays', 2, '{ward}', models => 'distinct(bed, 2)');
-- A node that the server groups, after the dimension and after the values of all columns
SET kanon.ground_scan = group_by;
CALL begin_anew(1);
SELECT count(*) FROM kanon_bottom_up('stays', 7, rollup => false);
CALL begin_anew(0);
CREATE OR REPLACE VIEW stays AS SELECT b.* FROM replace_stays(3) r, beds b WHERE r;
SELECT count(*) FROM kanon_bottom_up('stays', 7, rollup => false);
RESET kanon.ground_scan;

-- A table that is rewritten has no rows to the snapshot of the call: that is no answer.
CREATE TABLE rooms AS SELECT i % 4 AS room, 'ill ' || i % 2 AS ill FROM generate_series(1, 9) i;
CREATE FUNCTION rewritten(how text) RETURNS regclass LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE how;
    RETURN 'changed.rooms';
END $$;
SELECT satisfied, rows FROM kanon_check('rooms', 3, '{room}');
SELECT satisfied, rows FROM kanon_check(rewritten('ALTER TABLE changed.rooms ALTER room TYPE bigint'), 3, '{room}');
SELECT satisfied, rows FROM kanon_check('rooms', 3, '{room}');
SELECT count(*) FROM kanon_incognito(rewritten('ALTER TABLE changed.rooms ALTER room TYPE bigint'), 2, '{room}');
BEGIN;
SELECT satisfied, rows FROM kanon_check(rewritten('TRUNCATE changed.rooms'), 3, '{room}');
ROLLBACK;
-- .. what is not rewritten, or was before, is
SELECT satisfied, rows FROM kanon_check(rewritten('ALTER TABLE changed.rooms ADD note text'), 3, '{room}');
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT satisfied, rows FROM kanon_check('rooms', 3, '{room}');
ALTER TABLE rooms ALTER room TYPE bigint;
SELECT satisfied, rows FROM kanon_check('rooms', 3, '{room}');
TRUNCATE rooms;
SELECT satisfied, rows FROM kanon_check('rooms', 3, '{room}');
ROLLBACK;
-- .. also while it is checked: by a view that is read before it
CREATE FUNCTION rewrite_rooms() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF nextval('changed.readings') = 1 THEN ALTER TABLE changed.rooms ALTER room TYPE bigint; END IF;
    RETURN true;
END $$;
CREATE VIEW room_ills AS SELECT ill, '*' AS top FROM rewrite_rooms() r, (VALUES ('ill 0'), ('ill 1')) v (ill) WHERE r;
SELECT kanon_set_attribute('rooms', 'ill', 'sensitive', 'room_ills'), setval('readings', 1, false);
SELECT satisfied, rows FROM kanon_check('rooms', 3, '{room}', models => 'closeness(ill, 0.5)');
SELECT satisfied, rows FROM kanon_check('rooms', 2, '{room}', models => 'closeness(ill, 0.5)');
