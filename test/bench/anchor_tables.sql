-- The list that "anchors" prints, here from standard input, as tables: for each table of people the
-- losses, the C_DM and the seconds of everything, by k.  Rows are in the order of the list.

CREATE TEMP TABLE figures (
    number int GENERATED ALWAYS AS IDENTITY, relation text, what text, k int, loss text, again text, classes text, penalty numeric,
    missing text, seconds text, reading text
);
\copy figures (relation, what, k, loss, again, classes, penalty, missing, seconds, reading) FROM pstdin (DELIMITER '|', NULL '')

WITH cell AS (
    SELECT relation, what, number, k, part, figure, coalesce(cell, '') AS cell
    FROM figures, LATERAL (VALUES
        (1, 'loss', ltrim(loss, '0')),
        (2, 'C_DM', to_char(penalty, 'FM999,999,999,999')),
        (3, 'seconds', CASE WHEN seconds ~ '[a-z]' THEN seconds ELSE round(seconds::numeric, CASE WHEN seconds::numeric < 9.95 THEN 1 ELSE 0 END)::text END)
    ) f (part, figure, cell)
), line AS (
    SELECT relation, part, figure, min(number) AS first, format('| %s | %s |', what, string_agg(cell, ' | ' ORDER BY k)) AS line
    FROM cell GROUP BY relation, part, figure, what HAVING bool_or(cell <> '')
), head AS (
    SELECT relation, min(first) AS place, string_agg(format(' k = %s |', k), '' ORDER BY k) AS every_k, repeat(' ---: |', count(*)::int) AS rule
    FROM (SELECT relation, k, min(number) AS first FROM figures GROUP BY relation, k) k GROUP BY relation
)
SELECT format(E'\n| %s, %s |%s\n| --- |%s\n%s', relation, figure, every_k, rule, string_agg(line, E'\n' ORDER BY first))
FROM line JOIN head USING (relation)
GROUP BY relation, place, part, figure, every_k, rule ORDER BY place, part;
