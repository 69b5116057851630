# The same questions to relations of the same rows, wherever these lie: what travels and who counts
# may differ, the answers may not.
package Questions;
use strict;
use warnings;

use parent 'Exporter';
our @EXPORT = qw($columns $types $rows $answers %question);

# Some 4,000 people.
our $columns = 'id, ward, age, sex, zip, n, disease, pay';
our $types = 'id int, ward text, age int, sex text, zip text, n int, disease text, pay int';
our $rows = q{SELECT i AS id, CASE i % 5 WHEN 0 THEN 'a' WHEN 1 THEN 'b' WHEN 2 THEN 'c' WHEN 3 THEN 'c' ELSE 'd' || i % 7 END AS ward,
	CASE WHEN i % 29 > 0 THEN 20 + hash(i) % 60 END AS age, CASE hash(i * 3) % 9 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN 'M' ELSE 'F' END AS sex,
	(53700 + hash(i * 5) % 40)::text AS zip, hash(i * 7) % 4 AS n, 'disease ' || hash(i * 11) % 9 AS disease, hash(i * 13) % 50 AS pay
	FROM generate_series(1, 4000) i};
$rows =~ s/hash\(([^)]*)\)/(hashint4($1) & 65535)/g;

# %s is the relation; what is compared is one text.
our $answers = q{SELECT count(*) || ' ' || md5(string_agg(a::text, E'\n' ORDER BY a::text)) FROM };
our %question = (
	'kanon_check' => "SELECT a::text FROM kanon_check('%s', 5) a",
	'kanon_check of few columns' => "SELECT a::text FROM kanon_check('%s', 5, '{sex,n}') a",
	'kanon_check of people' => "SELECT a::text FROM kanon_check('%s', 5, '{age,sex}', person => 'pay') a",
	'kanon_check of models' => "SELECT a::text FROM kanon_check('%s', 5, '{age,sex}', 'distinct(disease, 3), closeness(pay, 0.3)') a",
	'kanon_check of models and people' => "SELECT a::text FROM kanon_check('%s', 5, '{age,n}', 'entropy(disease, 3), variance(id, 3)', 'pay') a",
	'kanon_risk' => "SELECT a::text FROM kanon_risk('%s') a",
	'kanon_risk in a population' => "SELECT a::text FROM kanon_risk('ages', '{age}', '%s') a",
	'kanon_risk of a sample' => "SELECT a::text FROM kanon_risk('%s', '{age,sex}', 'whole') a",
	'kanon_classes' => $answers . "kanon_classes('%s', 5) a",
	'kanon_classes of models' => $answers . "kanon_classes('%s', 5, '{age,sex}', 'recursive(disease, 2, 2), distinct(pay, 4)') a",
	'kanon_sample_uniques' => $answers . "kanon_sample_uniques('%s', '{ward,age,sex,zip,n,disease,pay}', 4) a",
	'kanon_special_uniques' => $answers . "kanon_special_uniques('%s', 'id', '{age,sex,zip,n,pay}') a",
	'kanon_special_uniques of some' => $answers . "kanon_special_uniques('%s', 'id', '{age,sex,zip}') a",
	'kanon_special_uniques of its key' => $answers . "kanon_special_uniques('%s', 'pay', '{age,pay,n}') a",
	'kanon_special_uniques by text' => $answers . "kanon_special_uniques('%s', 'zip', '{age,sex,disease}') a",
	'kanon_check_matchings' => "SELECT a::text FROM kanon_check_matchings('released', 2, '%s', '{age,sex}') a",
	(map { ("kanon_incognito $_" => $answers . "kanon_incognito('%s', 5, suppression => 0.02, algorithm => '$_', metrics => true) a") }
		  qw(basic superroots cube two_way)),
	'kanon_incognito' => $answers . "kanon_incognito('%s', 5) a",
	'kanon_incognito of models' => $answers . "kanon_incognito('%s', 3, '{age,sex}', 'distinct(disease, 3), closeness(pay, 0.3)', 0.1) a",
	'kanon_incognito of people' => $answers . "kanon_incognito('%s', 3, '{age,sex}', 'distinct(disease, 3)', 0.1, person => 'pay', algorithm => 'basic') a",
	'kanon_bottom_up without rollup' => $answers . "kanon_bottom_up('%s', 5, rollup => false) a",
	'kanon_binary_search' => $answers . "kanon_binary_search('%s', 5) a",
	'kanon_two_phase' => $answers . "(SELECT id, kanon_two_phase(3, ROW(age, n), seed => 'x') OVER (ORDER BY id) FROM (SELECT * FROM %s ORDER BY id LIMIT 400) p) a",
	'kanon_datafly' => $answers . "kanon_datafly('%s', 5) a",
	'kanon_grow_tree' => "SELECT md5(kanon_grow_tree('%s', 5)::text)",
	'kanon_grow_tree of models' => "SELECT md5(kanon_grow_tree('%s', 5, '{age,zip,n}', 'distinct(disease, 3), closeness(pay, 0.4)')::text)",
	'kanon_grow_tree by information gain' => "SELECT md5(kanon_grow_tree('%s', 5, '{age,zip,n}', '', 'infogain', 'disease')::text)",
	'kanon_grow_tree by regression' => "SELECT md5(kanon_grow_tree('%s', 20, '{sex,zip,n}', '', 'regression', 'pay')::text)",
	'kanon_grow_tree of few' => "SELECT md5(kanon_grow_tree('%s', 5, '{n,sex}')::text)",
	'kanon_compare' => $answers . "(SELECT k, recoding, loss, classes, smallest, missing FROM kanon_compare('%s', '{3,8}', '{mondrian,relaxed_mondrian,full_domain}', '{age,sex,n}')) a",
	'kanon_compare cell by cell' => $answers . "(SELECT loss, missing FROM kanon_compare('%s', '{2}', '{ring,two_phase}', '{sex,n}')) a",
	'kanon_compare with models' => $answers . "(SELECT recoding, loss, classes, smallest, missing FROM kanon_compare('%s', '{3}', '{mondrian,relaxed_mondrian}', '{sex,n}', 'distinct(disease, 3)')) a",
	'kanon_mondrian_tree' => 'SELECT md5(kanon_mondrian_tree(5, ROW(age, n))::text) FROM %s',
	'kanon_leaf' => $answers . '(SELECT id, kanon_leaf(tree, ROW(age, n)) FROM %s, (SELECT kanon_mondrian_tree(5, ROW(age, n)) AS tree FROM whole) t) a',
	'kanon_ring' => $answers . "(SELECT id, kanon_ring(3, ROW(age, sex), seed => 'x') OVER (ORDER BY id) FROM %s) a",
	'kanon_check_dimension' => $answers . "kanon_check_dimension('some_ages', '%s', 'age') a",
	'kanon_quality' => "SELECT a::text FROM kanon_quality('released', '%s', '{age,sex}') a",
	'kanon_query_errors' => $answers . "kanon_query_errors('released', '{age < 40,sex = ''F'' AND age > 30}', '%s', '{age,sex}') a",
	'kanon_mondrian' => $answers . "(SELECT id, kanon_mondrian(5, r) OVER () FROM %s r) a",
	'kanon_region' => $answers . '(SELECT id, kanon_region(tree, ROW(age, n)) FROM %s, (SELECT kanon_mondrian_tree(5, ROW(age, n)) AS tree FROM whole) t) a',
	'kanon_matching_bound' => "SELECT kanon_matching_bound('%s', 3, '{age,sex}')",
	'kanon_plot' => "SELECT md5(replace(kanon_plot('lattice', '%1\$s', '{5}'), '%1\$s', ''))",
);

1;
