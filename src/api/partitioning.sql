CREATE FUNCTION kanon_last_partitioning(
    OUT partitioning text,
    OUT "rows" bigint,
    OUT classes bigint,
    OUT counted bigint,
    OUT repartitioned bigint,
    OUT nodes_grown bigint,
    OUT nodes_pruned bigint,
    OUT parts_in_memory bigint,
    OUT rows_read bigint,
    OUT rows_written bigint,
    OUT bytes_read bigint,
    OUT bytes_written bigint)
RETURNS SETOF record
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE ROWS 1;
COMMENT ON FUNCTION kanon_last_partitioning() IS 'what the last partitioning of this session did, in memory or on disk: how often parts were read to count them and to set their rows apart, nodes of the tree that were grown and pruned, parts that were divided in memory, rows and bytes that went through temporary files';

