# Rows that Citus hands over as records without their relation: views, subqueries, one tenant, tables
# of one shard, schemas of tenants, and calls on a worker.  What is declared of them is followed, or
# an error says what to do.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin, "$FindBin::RealBin/../t";

use Citus;
use Test::More;

my ($node, @workers) = citus_start();
citus_people($node, @workers);

sub ask { return (citus_ask($node, @_))[0] }

# Pairs of relations with the same rows: the local one, and the one of Citus.
my $declare = q{kanon_declare('%1$s', '{sex}', '{disease,pay}', '{ward,birth,income}', '{id,person}'),
	kanon_set_attribute('%1$s', 'age', 'quasi_identifier', 'ages'), kanon_set_attribute('%1$s', 'zip', 'quasi_identifier', 'zips')};
my %pair = (
	tenant => [ "VIEW %s AS SELECT * FROM whole WHERE ward = 'b'", "VIEW %s AS SELECT * FROM tenants WHERE ward = 'b'" ],
	plain => [ 'VIEW %s AS TABLE whole', 'VIEW %s AS TABLE tenants' ],
	copies => [ 'VIEW %s AS TABLE whole', 'VIEW %s AS TABLE everywhere' ],
	limited => [ 'VIEW %s AS SELECT * FROM whole ORDER BY id LIMIT 900', 'VIEW %s AS SELECT * FROM tenants ORDER BY id LIMIT 900' ],
	joined => [ 'VIEW %s AS TABLE whole UNION ALL TABLE whole', 'VIEW %s AS TABLE whole UNION ALL TABLE tenants' ],
	single => [ 'TABLE %s AS TABLE whole', 'TABLE %s AS TABLE whole', q{create_distributed_table('%s', NULL)} ],
	copied => [ 'TABLE %s AS TABLE whole', 'TABLE %s AS TABLE whole', q{create_reference_table('%s')} ],
	of_schema => [ 'TABLE %s AS TABLE whole', 'TABLE ours.%s AS TABLE whole' ],
	view_of_schema => [ 'VIEW %s AS TABLE whole', 'VIEW ours.%s AS TABLE ours.of_schema_of_citus' ],
);
my @kinds = sort keys %pair;
$node->safe_psql('postgres', q{SET client_min_messages = error;
	CREATE TABLE tenants (LIKE whole); SELECT create_distributed_table('tenants', 'ward'); INSERT INTO tenants TABLE whole;
	CREATE TABLE everywhere (LIKE whole); SELECT create_reference_table('everywhere'); INSERT INTO everywhere TABLE whole;
	SET citus.enable_schema_based_sharding = on; CREATE SCHEMA ours; RESET citus.enable_schema_based_sharding;
	SET search_path = public, ours;} . join '', map { my $kind = $_; my ($here, $there, $distribute) = @{ $pair{$kind} };
	"CREATE ${\sprintf $here, $kind}; CREATE ${\sprintf $there, qq{${kind}_of_citus}};" .
	($distribute ? "SELECT ${\sprintf $distribute, qq{${kind}_of_citus}};" : '') .
	join '', map { "SELECT ${\sprintf $declare, $_};" } $kind, "${kind}_of_citus" } @kinds);
$node->safe_psql('postgres', 'ALTER DATABASE postgres SET search_path = public, ours');

# ---- whole rows

my $refused = qr/^ERROR:  rows of (?:shard [a-z_.0-9]+|a view or subquery that Citus hands over) do not lead to the declarations of their relation/;
my %question = (
	mondrian => 'SELECT md5(string_agg(c::text, \' \' ORDER BY id)) FROM (SELECT id, kanon_mondrian(5, r) OVER () AS c FROM %s r) x',
	columns => 'SELECT md5(string_agg(c::text, \' \' ORDER BY id)) FROM (SELECT id, kanon_mondrian(5, r, \'{age,zip}\') OVER () AS c FROM %s r) x',
	local => 'SELECT md5(string_agg(c::text, \' \' ORDER BY id)) FROM (SELECT id, kanon_local(5, r) OVER () AS c FROM %s r) x',
	by_ward => 'SELECT md5(string_agg(c::text, \' \' ORDER BY id)) FROM (SELECT id, kanon_mondrian(5, r) OVER (PARTITION BY ward) AS c FROM %s r) x',
	by_expression => 'SELECT md5(string_agg(c::text, \' \' ORDER BY id)) FROM (SELECT id, kanon_mondrian(5, r) OVER (PARTITION BY ward || \'\') AS c FROM %s r) x',
	tree => 'SELECT md5(kanon_mondrian_tree(5, r)::text) FROM %s r',
	tree_of_columns => 'SELECT md5(kanon_mondrian_tree(5, r, \'{age,zip}\')::text) FROM %s r',
	tree_by_ward => 'SELECT md5(string_agg(t, \' \' ORDER BY ward)) FROM (SELECT ward, kanon_mondrian_tree(5, r)::text AS t FROM %s r GROUP BY ward) x',
	ring => 'SELECT md5(string_agg(c, \' \' ORDER BY c)) FROM (SELECT to_json(kanon_ring(5, r, seed => \'x\') OVER ())::text AS c FROM %s r) x',
	closeness => 'SELECT count(*) FILTER (WHERE s) FROM (SELECT kanon_view_satisfies(5, r, \'zip\', \'closeness(age, 0.5)\') OVER () AS s FROM %s r) x',
	# what needs no declarations, or has them from the call
	distinct => 'SELECT count(*) FILTER (WHERE s) FROM (SELECT kanon_view_satisfies(5, r, \'zip\', \'distinct(disease, 2)\') OVER () AS s FROM %s r) x',
	given => 'SELECT md5(string_agg(c, \' \' ORDER BY c)) FROM (SELECT to_json(kanon_ring(5, r, \'{age,sex}\', \'{ages,NULL}\', seed => \'x\') OVER (PARTITION BY ward))::text AS c FROM %s r) x',
	cells => 'SELECT md5(string_agg(c, \' \' ORDER BY c)) FROM (SELECT to_json(kanon_view_cells(\'mondrian\', 5, r, \'{age,sex}\', \'{ages,-}\', models => \'closeness(zip, 0.7)\', model_dimensions => \'{zips}\') OVER (PARTITION BY ward))::text AS c FROM %s r) x',
	ROW => 'SELECT md5(string_agg(c::text, \' \' ORDER BY id)) FROM (SELECT id, kanon_mondrian(5, ROW(age, sex)) OVER (PARTITION BY ward) AS c FROM %s r) x',
	tree_of_ROW => 'SELECT md5(string_agg(t, \' \' ORDER BY ward)) FROM (SELECT ward, kanon_mondrian_tree(5, ROW(age, sex, n))::text AS t FROM %s r GROUP BY ward) x',
);
my %always = map { $_ => 1 } qw(distinct given cells ROW tree_of_ROW);
my $refusals = 0;
for my $name (sort keys %question)
{
	my @here = citus_ask($node, map { sprintf $question{$name}, $_ } @kinds);
	my @there = citus_ask($node, map { sprintf $question{$name}, "${_}_of_citus" } @kinds);
	for my $i (0 .. $#kinds)
	{
		unlike($here[$i], qr/^(ERROR|$)/, "$name of $kinds[$i]: an answer");
		if ($there[$i] =~ $refused && !$always{$name}) { $refusals++; pass('.. Citus refuses') }
		else { is($there[$i], $here[$i], '.. and the same of Citus') }
	}
}
cmp_ok($refusals, '>', 30, 'refusals');

# By name, all is followed.
for my $call ("SELECT kanon_check('%s', 5)", "SELECT kanon_check('%s', 5, '{sex}', 'closeness(age, 0.5)')", "SELECT md5(kanon_grow_tree('%s', 5)::text)")
{
	my @here = citus_ask($node, map { sprintf $call, $_ } @kinds);
	my @there = citus_ask($node, map { sprintf $call, "${_}_of_citus" } @kinds);
	is("@there", "@here", $call);
}

# The errors say what helps.
sub whole_error
{
	$node->psql('postgres', $_[0], stderr => \my $said);
	return $said;
}
my $hint = q{HINT:  Call a function that takes the relation's name, pass quasi_identifiers, dimensions and model_dimensions, or write ROW(..) and name f1, f2, .. as quasi_identifiers.};
like(whole_error('SELECT kanon_mondrian(5, r) OVER () FROM tenant_of_citus r'), qr/ERROR:  rows of a view or subquery that Citus hands over do.*\n\Q$hint\E/, 'rows of a view');
like(whole_error('SELECT kanon_mondrian(5, r) OVER () FROM single_of_citus r'), qr/ERROR:  rows of shard public\.single_of_citus_\d+ do.*\n\Q$hint\E/, 'rows of a shard');

# Citus sends whole rows of a view to an aggregate as ROW(..).  Only what cannot be such is no view.
my $row = 'SELECT count(t) FROM (SELECT ward, kanon_mondrian_tree(5, ROW(id, ward, age, sex, zip, n, disease, pay, birth, income, person)%s) AS t FROM tenants GROUP BY ward) x';
like(whole_error(sprintf $row, ''), qr/do not lead to the declarations.*\nDETAIL:  They could be rows of view [a-z_.]*_of_citus\.\n\Q$hint\E/, 'a ROW with the columns of a view');
is(ask(sprintf $row, q{, '{f3,f4}'}), ask('SELECT count(DISTINCT ward) FROM whole'), '.. unless its fields are named');
is(ask('SELECT count(*) FROM (SELECT kanon_mondrian(5, r) OVER (PARTITION BY age > 50) FROM (SELECT age, sex FROM whole) r) x'), ask('SELECT count(*) FROM whole'), 'a local subquery is no matter of Citus');

# ---- releases

my %release = (
	m => "5", f => "5, 'full_domain', suppression => 0.2", l => "5, 'local'", n => "5, quasi_identifiers => '{n,pay}'",
	a => q{5, models => 'closeness(pay, 0.5)', options => '{"models_after": true}'},
	p => q{5, person => 'person', models => 'distinct(disease, 2)', options => '{"models_after": true}'},
	c => q{5, 'cohorts', options => '{"key": "id", "wait": 3, "leavers": "withhold"}'},
	r => q{5, 'ring', options => '{"seed": "x", "redraw": true}'},
);
my $draws = qr/^ERROR:  a worker of Citus cannot fill a release that draws$/;
for my $kind (grep { $_ ne 'joined' } @kinds)
{
	for my $name (sort keys %release)
	{
		next if $name eq 'c' && $kind eq 'limited';
		my @made = map { ask("SELECT kanon_create_release('public.${_}_$name', '$_', $release{$name})") } $kind, "${kind}_of_citus";
		is($made[0], "${kind}_$name", "$name of $kind is made");
		if ($name eq 'r' && $made[1] =~ $draws) { pass('.. of Citus it is refused'); next }
		is($made[1], "${kind}_of_citus_$name", '.. of Citus, too');
		is(ask("SELECT kanon_digest('${kind}_of_citus_$name')"), ask("SELECT kanon_digest('${kind}_$name')"), '.. the same') if $name ne 'c';
	}
	is(ask("SELECT (kanon_refresh_release('${kind}_of_citus_m')).changed"), 'f', "refreshed, $kind is the same");
	is(ask("SELECT (kanon_refresh_release('${kind}_of_citus_m', concurrently => true)).changed"), 'f', '.. also beside readers');
}

# What a worker lacks, and how to help.
like(whole_error("SELECT kanon_create_release('drawn', 'tenant_of_citus', 5, 'ring')"),
	qr/ERROR:  a worker of Citus cannot fill a release that draws\nDETAIL:  Its seed is on the coordinator, but all rows lie on the worker\.\nHINT:  Make the release over a materialized view of the rows\./, 'a draw');
$node->safe_psql('postgres', "CREATE MATERIALIZED VIEW kept AS TABLE tenant_of_citus; SELECT ${\sprintf $declare, 'kept'}");
is(ask(q{SELECT kanon_create_release('drawn', 'kept', 5, 'ring', options => '{"seed": "x"}'); SELECT kanon_digest('drawn') = kanon_digest('tenant_r')}), "drawn\nt", '.. which that helps');
$node->safe_psql('postgres', "SELECT kanon_set_attribute('tenant_of_citus', 'age', 'quasi_identifier', 'some_ages'), kanon_set_attribute('tenant', 'age', 'quasi_identifier', 'some_ages')");
like(whole_error("SELECT kanon_create_release('lacking', 'tenant_of_citus', 5)"),
	qr/ERROR:  relation "public\.some_ages" does not exist\nHINT:  If Citus lets a worker fill the release, because all rows lie there, its dimensions must be on all workers: call create_reference_table for them\./, 'a dimension on the coordinator alone');
is(ask(q{SET client_min_messages = error; SELECT create_reference_table('some_ages'); SELECT kanon_create_release('lacking', 'tenant_of_citus', 5), kanon_create_release('lacking_here', 'tenant', 5); SELECT kanon_digest('lacking') = kanon_digest('lacking_here')}),
	"lacking|lacking_here\nt", '.. which that helps');

# ---- calls on a worker

my ($worker) = @workers;
sub worker_error
{
	$worker->psql('postgres', $_[0], stderr => \my $said);
	return $said;
}
for my $relation ('people', 'plain_of_citus', 'everywhere', 'of_schema_of_citus')
{
	my $name = ($relation =~ /schema/ ? 'ours' : 'public') . ".$relation";
	like(worker_error($_), qr/ERROR:  declarations of relation \Q$name\E are not on this node of Citus\nHINT:  Call the function on the coordinator, or declare the relation here as well\./, "on a worker: $_")
		for map { sprintf $_, $name } "SELECT kanon_check('%s', 5)", "SELECT kanon_check('%s', 5, '{age,sex}')", "SELECT count(*) FROM kanon_incognito('%s', 5, '{age,sex}')",
			"SELECT kanon_create_release('there', '%s', 5, quasi_identifiers => '{age,sex}')", "SELECT * FROM kanon_compare('%s', '{5}', '{mondrian}', '{age,sex}')", "SELECT kanon_grow_tree('%s', 5, '{age,sex}')";
}
my $shard = ask("SELECT shard_name FROM citus_shards WHERE table_name = 'people'::regclass AND nodeport = ${\$worker->port} LIMIT 1");
like(worker_error("SET citus.override_table_visibility = off; SELECT kanon_check('$shard', 5, '{age,sex}')"), qr/ERROR:  declarations of relation public\.$shard are not on this node/, 'of a shard');
is($worker->safe_psql('postgres', "SELECT kanon_declare('people', '{sex}'), kanon_set_attribute('people', 'age', 'quasi_identifier', 'ages'); SELECT kanon_check('people', 5, '{age,sex}')"),
	"|\n" . ask("SELECT kanon_check('people', 5, '{age,sex}')"), 'declared there, it is the same');
is($worker->safe_psql('postgres', "SET citus.enable_ddl_propagation = off; CREATE TABLE mine AS SELECT generate_series(1, 10) AS n; SELECT (kanon_check('mine', 1, '{n}')).satisfied"), 't', 'tables of a worker alone are its own matter');

done_testing();
