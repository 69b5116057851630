-- Timing inside the server: statements run by EXECUTE, two at a time in turn,
-- so that whatever else the machine does falls on both.

-- Milliseconds of one statement; "after" undoes what it made, untimed.
CREATE FUNCTION milliseconds(statement text, after text DEFAULT NULL) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    begun timestamptz := clock_timestamp();
    passed float8;
BEGIN
    EXECUTE statement;
    passed := 1000 * extract(epoch FROM clock_timestamp() - begun);
    IF after IS NOT NULL THEN
        EXECUTE after;
    END IF;
    RETURN passed;
END $$;

CREATE TABLE measurement (
    id int GENERATED ALWAYS AS IDENTITY, data text, what text, milliseconds float8, against text, floor float8, target float8, turns int
);

CREATE FUNCTION median(times float8[]) RETURNS float8 IMMUTABLE LANGUAGE sql AS
'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY t) FROM unnest(times) t';

-- Times "statement" against "floor_statement", A B A B .., and keeps the medians.
CREATE FUNCTION compare(data text, what text, statement text, against text, floor_statement text, repeat int, target float8 DEFAULT NULL,
                        after text DEFAULT NULL, floor_after text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    times float8[] := '{}';
    floors float8[] := '{}';
BEGIN
    FOR turn IN 1 .. repeat LOOP
        floors := floors || milliseconds(floor_statement, floor_after);
        times := times || milliseconds(statement, after);
    END LOOP;
    INSERT INTO measurement (data, what, milliseconds, against, floor, target, turns)
    VALUES (data, what, median(times), against, median(floors), target, repeat);
END $$;

-- The most memory this backend ever had, in MB, with the shared buffers it
-- touched; NULL where the server's /proc cannot be read.
CREATE FUNCTION peak_megabytes() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    RETURN (regexp_match(pg_read_file(format('/proc/%s/status', pg_backend_pid()), 0, 100000), 'VmHWM:\s+(\d+)'))[1]::int / 1024;
EXCEPTION WHEN insufficient_privilege OR undefined_file THEN
    RETURN NULL;
END $$;

-- The same without shared memory, as it is now.
CREATE FUNCTION own_megabytes() RETURNS int LANGUAGE sql AS $$
    SELECT peak_megabytes() - (regexp_match(pg_read_file(format('/proc/%s/status', pg_backend_pid()), 0, 100000), 'RssShmem:\s+(\d+)'))[1]::int / 1024
$$;

-- Seconds of processor that this backend has had, by hundredths; NULL where the
-- server's /proc cannot be read.  On a busy machine they say what the clock does not.
CREATE FUNCTION cpu_seconds() RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    fields text[];
BEGIN
    fields := string_to_array(split_part(pg_read_file(format('/proc/%s/stat', pg_backend_pid()), 0, 10000), ') ', 2), ' ');
    RETURN (fields[12]::float8 + fields[13]::float8) / 100;
EXCEPTION WHEN insufficient_privilege OR undefined_file THEN
    RETURN NULL;
END $$;

-- Declares all columns quasi-identifiers, each with the table dim_COLUMN.
CREATE FUNCTION declare_columns(relation regclass) RETURNS void LANGUAGE sql AS $$
    SELECT kanon_set_attribute(relation, attname, 'quasi_identifier', ('dim_' || attname)::regclass)
    FROM pg_attribute WHERE attrelid = relation AND attnum > 0 AND NOT attisdropped ORDER BY attnum
$$;

-- The one plain query: group the table once by all its columns.
CREATE FUNCTION group_once(relation regclass) RETURNS text STABLE LANGUAGE sql AS $$
    SELECT format('SELECT count(*) FROM (SELECT %s, count(*) FROM %s GROUP BY %s) s', columns, relation, columns)
    FROM (SELECT string_agg(attname, ', ' ORDER BY attnum) AS columns FROM pg_attribute
          WHERE attrelid = relation AND attnum > 0 AND NOT attisdropped) c
$$;
