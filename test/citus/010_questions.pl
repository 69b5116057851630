# What a distributed table answers, and one on foreign servers, is what a local one of the same rows
# does, or an error that is known.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin, "$FindBin::RealBin/../t";

use Citus;
use Questions;
use Test::More;

my ($node, @workers) = citus_start();
my ($local, @others) = citus_people($node, @workers);
$node->safe_psql('postgres', q{
	SELECT kanon_create_release('released', 'whole', 3, 'ring', quasi_identifiers => '{age,sex}', options => '{"seed": "x"}');
	CREATE TABLE few AS SELECT * FROM whole WHERE id <= 1000;
	CREATE TABLE few_tree AS SELECT kanon_mondrian_tree(5, ROW(age, n)) AS tree FROM few;
	CREATE TABLE whole_tree AS SELECT kanon_grow_tree('whole', 20) AS tree;
});

# Rows that a statement is about, each with what a call says of it.
sub each_row { return $answers . "(SELECT id, $_[0] FROM %s r" . ($_[1] // '') . ') a' }
my $some = ' WHERE id <= 60';
my %more = (
	'kanon_risk with a threshold' => "SELECT a::text FROM kanon_risk('%s', '{age,sex,zip}', threshold => 0.2) a",
	'kanon_check of numbers and dates' => "SELECT a::text FROM kanon_check('%s', 5, '{birth,income}') a",
	'kanon_check recursive' => "SELECT a::text FROM kanon_check('%s', 5, '{age,n}', 'recursive(disease, 2, 3)') a",
	'kanon_classes of people' => $answers . "kanon_classes('%s', 5, '{age,sex}', 'distinct(disease, 2)', 'person') a",
	'kanon_bottom_up' => $answers . "kanon_bottom_up('%s', 5) a",
	'kanon_datafly with metrics' => $answers . "kanon_datafly('%s', 5, metrics => true, suppression => 0.05) a",
	'kanon_grow_tree of numbers and dates' => "SELECT md5(kanon_grow_tree('%s', 20, '{income,birth,ward}')::text)",
	'kanon_generalized_query' => "SELECT md5(replace(kanon_generalized_query('%1\$s', '{1,0,2}', 5), '%1\$s', ''))",
	'kanon_digest' => "SELECT kanon_digest('%s')",
	'kanon_plot of losses' => "SELECT md5(replace(kanon_plot('tradeoff', '%1\$s', '{5,10}', '{mondrian,full_domain}', quasi_identifiers => '{age,sex}'), '%1\$s', ''))",
	'kanon_plot of classes' => "SELECT md5(replace(kanon_plot('classes', '%1\$s', '{5}'), '%1\$s', ''))",
	# dimensions
	(map { my ($method, $column, $arguments) = @$_; ("a dimension by $method" =>
		"BEGIN; SELECT kanon_create_dimension('made', '%s', '$column', '$method', '$arguments') IS NULL; ${answers}made a; ROLLBACK") }
		[ 'quantiles', 'n', '{2}' ], [ 'ranges', 'pay', '{10,20}' ], [ 'digits', 'person', '{}' ], [ 'dates', 'birth', '{year,decade}' ], [ 'suppress', 'ward', '{}' ]),
	# trees
	'kanon_mondrian_tree of rows' => 'SELECT md5(kanon_mondrian_tree(5, r)::text) FROM %s r',
	'kanon_mondrian_tree of columns of rows' => "SELECT md5(kanon_mondrian_tree(5, r, '{age,zip}')::text) FROM %s r",
	'kanon_mondrian_tree of models' => "SELECT md5(kanon_mondrian_tree(5, r, '{age,zip}', 'distinct(disease, 3)')::text) FROM %s r",
	'kanon_mondrian_tree by ward' => $answers . '(SELECT ward, kanon_mondrian_tree(5, r)::text FROM %s r GROUP BY ward) a',
	'kanon_mondrian_tree by an expression' => $answers . '(SELECT id %% 3, kanon_mondrian_tree(5, ROW(age, sex))::text FROM %s GROUP BY id %% 3) a',
	'kanon_mondrian_tree on workers' => $answers . "(SELECT id, kanon_mondrian_tree(1, r)::text FROM %s r$some GROUP BY id) a",
	'kanon_mondrian_tree on workers of columns' => $answers . "(SELECT id, kanon_mondrian_tree(1, r, '{age,sex}')::text FROM %s r$some GROUP BY id) a",
	'kanon_mondrian_tree on workers of ROW' => $answers . "(SELECT id, kanon_mondrian_tree(1, ROW(age, sex))::text FROM %s r$some GROUP BY id) a",
	'kanon_leaf by a table' => each_row('kanon_leaf(tree, ROW(age, n))', ', few_tree'),
	'kanon_leaf by a subquery' => each_row('kanon_leaf((SELECT tree FROM few_tree), ROW(age, n))'),
	'kanon_leaf of rows' => each_row('kanon_leaf(tree, r)', ', whole_tree'),
	'kanon_leaf of rows, grouped' => $answers . '(SELECT kanon_leaf(tree, r), count(*), min(age), max(age) FROM %s r, whole_tree GROUP BY 1) a',
	'kanon_region, grouped' => $answers . '(SELECT kanon_region(tree, ROW(age, n)), count(*) FROM %s, few_tree GROUP BY 1) a',
	# windows
	'kanon_mondrian of ROW' => each_row('kanon_mondrian(5, ROW(age, sex)) OVER ()'),
	'kanon_mondrian of columns' => each_row("kanon_mondrian(5, r, '{age,sex}') OVER ()"),
	'kanon_mondrian by ward' => each_row('kanon_mondrian(5, r) OVER (PARTITION BY ward)'),
	'kanon_mondrian of models' => each_row("kanon_mondrian(5, r, '{age,n}', 'closeness(disease, 0.3)') OVER ()"),
	'kanon_mondrian of people' => each_row("kanon_mondrian(5, r, '{age,n}', person => 'person') OVER ()"),
	'kanon_mondrian on workers' => each_row('kanon_mondrian(1, r) OVER (PARTITION BY id)', $some),
	'kanon_mondrian on workers of columns' => each_row("kanon_mondrian(1, r, '{age,sex}') OVER (PARTITION BY id)", $some),
	'kanon_mondrian on workers of ROW' => each_row('kanon_mondrian(1, ROW(age, sex)) OVER (PARTITION BY id)', $some),
	'kanon_mondrian by an expression' => each_row('kanon_mondrian(1, r) OVER (PARTITION BY id + 0)', $some),
	'kanon_mondrian of one worker' => each_row('kanon_mondrian(1, r) OVER ()', ' WHERE id = 7'),
	'kanon_mondrian of one worker and columns' => each_row("kanon_mondrian(1, r, '{age}') OVER ()", ' WHERE id = 7'),
	'kanon_mondrian of a subquery' => $answers . '(SELECT id, kanon_mondrian(1, r) OVER (PARTITION BY id) FROM (SELECT * FROM %s) r) a',
	'kanon_mondrian of a subquery and columns' => $answers . "(SELECT id, kanon_mondrian(1, r, '{age,sex}') OVER (PARTITION BY id) FROM (SELECT * FROM %s) r) a",
	'kanon_local' => each_row('kanon_local(5, r) OVER ()'),
	'kanon_local of models' => each_row("kanon_local(5, r, '{age,sex}', 'distinct(disease, 3)', suppression => 0.02) OVER ()"),
	'kanon_ring of rows' => each_row("to_json(kanon_ring(3, r, '{age,sex}', '{ages,NULL}', seed => 'x') OVER (ORDER BY id))::text"),
	'kanon_ring on workers' => each_row("to_json(kanon_ring(1, r, '{age,sex}', '{ages,NULL}', seed => 'x') OVER (PARTITION BY id))::text", $some),
	'kanon_view_satisfies' => each_row("kanon_view_satisfies(5, r, 'zip') OVER ()"),
	'kanon_view_satisfies of models' => each_row("kanon_view_satisfies(2, r, 'zip', 'distinct(disease, 2)') OVER (PARTITION BY ward)"),
	'kanon_view_satisfies on workers' => each_row("kanon_view_satisfies(1, r, 'zip', 'distinct(disease, 1)') OVER (PARTITION BY id)", $some),
	'kanon_view_candidates' => each_row("kanon_view_candidates('mondrian', 5, r, '{age,sex}') OVER ()"),
	'kanon_view_cells on workers' => each_row("to_json(kanon_view_cells('mondrian', 1, r, '{age,sex}') OVER (PARTITION BY id))::text", $some),
);
%question = (%question, %more);
my @names = sort keys %question;
cmp_ok(scalar(@names), '>=', 89, 'many questions');

# What Citus does not answer, and why not.
my $shard = qr/^ERROR:  rows of shard public\.people_\d+ do not lead to the declarations of their relation$/;
my $subquery = qr/^ERROR:  rows of a view or subquery that Citus hands over do not lead to the declarations of their relation$/;
my $nameless = qr/^ERROR:  input of anonymous composite types is not implemented$/;
my %refused = (
	(map { $_ => $shard } map({ ("$_ on workers", "$_ on workers of columns") } qw(kanon_mondrian kanon_mondrian_tree)),
		'kanon_mondrian of one worker', 'kanon_mondrian of one worker and columns', 'kanon_view_cells on workers'),
	'kanon_mondrian of a subquery' => $subquery,
	'kanon_mondrian of a subquery and columns' => $subquery,
	# Citus takes rows to the coordinator, but a ROW is none that it could.
	'kanon_ring' => $nameless,
	'kanon_two_phase' => $nameless,
);

my %answer;
for my $kind ($local, @others)
{
	my @got = citus_ask($node, map { sprintf $question{$_}, $kind } @names);
	$answer{$kind}{$_} = shift @got for @names;
}
for my $name (@names)
{
	my $expected = $answer{$local}{$name};
	unlike($expected, qr/^(ERROR|$)/, "$name: an answer");
	is($answer{far}{$name}, $expected, '.. of foreign servers, too');
	if ($refused{$name}) { like($answer{people}{$name}, $refused{$name}, '.. but Citus refuses') }
	else { is($answer{people}{$name}, $expected, '.. and of Citus') }
}

done_testing();
