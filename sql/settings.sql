-- The settings under "kanon.".
LOAD 'kanon';
SHOW kanon.memory_limit;
SHOW kanon.ground_scan;
SELECT name, setting, unit, context, vartype, min_val, enumvals
FROM pg_settings WHERE name LIKE 'kanon.%' ORDER BY name COLLATE "C";

SET kanon.memory_limit = '64MB';
SHOW kanon.memory_limit;
SET kanon.memory_limit = 0;
SHOW kanon.memory_limit;
SET kanon.memory_limit = -1;
SHOW kanon.memory_limit;
-- Its words differ between versions.
\set VERBOSITY sqlstate
SET kanon.memory_limit = -2;
\set VERBOSITY default
SET kanon.memory_limit = '64 parsecs';
SET kanon.memory_limit = 'much';

SET kanon.ground_scan = group_by;
SHOW kanon.ground_scan;
SET kanon.ground_scan = 'STREAM';
SHOW kanon.ground_scan;
SET kanon.ground_scan = auto;
SHOW kanon.ground_scan;
SET kanon.ground_scan = sideways;

SET kanon.partitioning = tree;
SHOW kanon.partitioning;
SET kanon.partitioning = disk;
RESET kanon.partitioning;

-- A bad value changes nothing; a rolled-back one is gone.
BEGIN;
SET LOCAL kanon.ground_scan = group_by;
SHOW kanon.ground_scan;
ROLLBACK;
SHOW kanon.ground_scan;
RESET kanon.memory_limit;
SHOW kanon.memory_limit;
