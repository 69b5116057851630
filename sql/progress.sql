-- How far calls have got.  What is told depends on the clock: here nothing lasts long enough.
CREATE TABLE people AS SELECT i AS id, i % 50 AS age, i % 7 AS ward FROM generate_series(1, 1000) i;
SET kanon.progress = on;
SELECT kanon_declare('people', '{age,ward}');
SELECT count(*) FROM kanon_incognito('people', 5);
SELECT count(DISTINCT class) FROM (SELECT kanon_mondrian(5, p) OVER () AS class FROM people p) classes;
SELECT kanon_create_release('progress_release', 'people', 5, 'two_phase', options => '{"randomize": false}');

-- Where there is shared memory for it, the session sees itself while it works, and not afterwards.
SELECT count(*) <= 1 AS at_most_itself, coalesce(bool_and(pid = pg_backend_pid()), true) AS own
FROM kanon_progress;
SELECT coalesce(bool_and(phase <> '' AND done >= 0 AND (total IS NULL OR total > 0)
    AND phase_start >= statement_start), true) AS plausible
FROM kanon_progress_entries();

-- Others' work is for those who may watch it.
CREATE ROLE regress_progress_nobody;
SET ROLE regress_progress_nobody;
SELECT count(*) FROM kanon_progress_entries() WHERE pid = pg_backend_pid();
SELECT count(*) FROM kanon_progress;
RESET ROLE;
GRANT pg_read_all_stats TO regress_progress_nobody;
SET ROLE regress_progress_nobody;
SELECT count(*) <= 1 AS may_look FROM kanon_progress;
RESET ROLE;
DROP ROLE regress_progress_nobody;
RESET kanon.progress;
DROP MATERIALIZED VIEW progress_release;
DROP TABLE people;
