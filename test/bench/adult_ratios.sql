-- Adults, nine attributes, k=2: each algorithm against one GROUP BY of the
-- table; then a release against CREATE TABLE AS of the same SELECT.  The two
-- that read the table again for thousands of nodes run once.

SELECT compare('Adults, k=2', call, format('SELECT count(*) FROM %s', call), 'GROUP BY', group_once('adult'), turns, target)
FROM (VALUES
    ($$kanon_incognito('adult', 2)$$, 1.0, :repeat),
    ($$kanon_incognito('adult', 10, suppression => 0.2)$$, NULL, :repeat),
    ($$kanon_incognito('adult', 2, algorithm => 'cube')$$, 10, :repeat),
    ($$kanon_incognito('adult', 2, algorithm => 'superroots')$$, NULL, :repeat),
    ($$kanon_incognito('adult', 2, algorithm => 'basic')$$, NULL, 1),
    ($$kanon_bottom_up('adult', 2)$$, NULL, :repeat),
    ($$kanon_bottom_up('adult', 2, rollup => false)$$, NULL, 1),
    ($$kanon_binary_search('adult', 2)$$, NULL, :repeat),
    ($$kanon_datafly('adult', 2)$$, NULL, :repeat)) v (call, target, turns);

SELECT levels AS best FROM kanon_incognito('adult', 2) ORDER BY loss, levels LIMIT 1 \gset

SELECT compare('Adults, k=2', what, call, 'CREATE TABLE AS of its SELECT',
               'CREATE TABLE adult_copy AS ' || kanon_generalized_query('adult', :'best', 2), :repeat, target,
               $$SELECT kanon_drop_release('adult_release')$$, 'DROP TABLE adult_copy')
FROM (VALUES
    ('kanon_create_release, levels given', format('SELECT kanon_create_release(''adult_release'', ''adult'', 2, ''full_domain'', options => jsonb_build_object(''levels'', %L::int[]))', :'best'), 2),
    ('kanon_create_release, search included', $$SELECT kanon_create_release('adult_release', 'adult', 2, 'full_domain')$$, 2)) v (what, call, target);
