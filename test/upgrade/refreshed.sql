-- After an upgrade: values that dimensions lack get labels, releases are refreshed, and hold.
\pset tuples_only on
\pset format unaligned
INSERT INTO patients SELECT i, i, 91, '77000', '2001-02-03', 'west', 'illness 1' FROM generate_series(301, 320) i;
SELECT kanon_refresh_dimension('ages'), kanon_refresh_dimension('zips');
SELECT * FROM ages WHERE age = 91;
SELECT * FROM zips WHERE zip = '77000';
CALL kanon_refresh_releases();
SELECT release, state, rows > 0 AS filled, fillings > 1 AS again, error FROM kanon_releases ORDER BY release::text;
SELECT release, c.satisfied FROM kanon_release, LATERAL kanon_check(release) c
WHERE recoding IN ('full_domain', 'mondrian', 'strict_mondrian', 'relaxed_mondrian') ORDER BY release::text;
SELECT release, c.satisfied FROM kanon_release, LATERAL kanon_check_matchings(release) c
WHERE recoding IN ('ring', 'two_phase') ORDER BY release::text;
SELECT satisfied FROM kanon_check_releases('visits', '{ring_copy}');
SELECT count(*) FROM (TABLE by_former EXCEPT ALL TABLE by_papers) d;
SELECT count(*) FROM kanon_release_history WHERE release IS NULL AND name = 'public.brief';
SELECT kanon_create_release('another', 'visits', 7);
SELECT kanon_drop_release('another');
