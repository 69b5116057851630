# Tables that Citus makes anew: distributed in another way, undistributed, taken over as local ones.
# One call for each release brings it back, with its declarations, seed and cohorts.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin, "$FindBin::RealBin/../t";

use Citus;
use Test::More;

my ($node, @workers) = citus_start();
citus_people($node, @workers);

sub ask { return (citus_ask($node, @_))[0] }

my %release = (
	divided => '5', coarse => "5, 'full_domain', suppression => 0.3", drawn => "3, 'ring', quasi_identifiers => '{age,sex}'",
	judged => q{5, models => 'distinct(disease, 3)', options => '{"models_after": true}'},
	nightly => q{5, 'cohorts', options => '{"key": "id", "wait": 3, "leavers": "withhold"}'},
);
my @names = sort keys %release;
$node->safe_psql('postgres', q{SET client_min_messages = error;
	CREATE TABLE folk (LIKE whole); SELECT create_distributed_table('folk', 'id', colocate_with => 'none'); INSERT INTO folk TABLE whole;
	SELECT kanon_declare('folk', '{sex}', '{disease,pay}', '{ward,birth,income}', '{id,person}'),
		kanon_set_attribute('folk', 'age', 'quasi_identifier', 'ages'), kanon_set_attribute('folk', 'zip', 'quasi_identifier', 'zips', 2);} .
	join '', map { "SELECT kanon_create_release('$_', 'folk', $release{$_});" } @names);
my %digest = map { $_ => ask("SELECT kanon_digest('$_')") } @names;
my $declared = "SELECT string_agg((attribute, role, dimension, weight)::text, ' ' ORDER BY attribute) FROM kanon_attribute WHERE relation = 'folk'::regclass";
my $before = ask($declared);

# What is moved, whether the views are filled then, and how.
for my $move ([ 'of other shards', 1, "SELECT alter_distributed_table('folk', shard_count => 3)" ],
	[ 'by another column', 1, "SELECT alter_distributed_table('folk', distribution_column => 'person')" ],
	[ 'undistributed', 1, "SELECT undistribute_table('folk')" ],
	[ 'taken over', 0, "SELECT citus_add_local_table_to_metadata('folk')" ],
	[ 'given back', 1, "SELECT undistribute_table('folk')" ])
{
	my ($what, $filled, $statement) = @$move;
	my $said = ask($statement);
	unlike($said, qr/ERROR/, "a table is $what");
	is(scalar(() = $said =~ /is no longer a release/g), scalar(@names), '.. which is told of each release');
	is(ask("SELECT kanon_adopt_release('$_')"), '', "$_ is adopted") for @names;
	is(ask($declared), $before, 'so are the declarations');
	if ($filled) { is(ask("SELECT kanon_digest('$_')"), $digest{$_}, "$_ shows the same") for grep { $_ ne 'nightly' } @names }
	unlike(ask("SELECT rows FROM kanon_refresh_release('$_')"), qr/^(ERROR|0$|$)/, "$_ is refreshed") for @names;
	is(ask("SELECT kanon_digest('$_')"), $digest{$_}, '.. and shows the same') for grep { $_ ne 'nightly' } @names;
	is(ask("SELECT string_agg(DISTINCT relation::text, ' ') FROM kanon_release WHERE release::text IN ('divided', 'coarse', 'drawn', 'judged', 'nightly')"), 'folk', 'all know their table');
	is(ask('SELECT count(*) FROM kanon_lost'), 0, 'nothing is left to bring back');
}

# Those who do not own a release do not get its seed.
my $seed = ask("SELECT number FROM kanon_seed WHERE release = 'drawn'::regclass");
$node->safe_psql('postgres', 'SET client_min_messages = error; CREATE ROLE other; DROP TABLE folk CASCADE');
like(ask("SET ROLE other; SELECT kanon_view_seed($seed)"), qr/ERROR:  release seed $seed does not exist/, 'the seed of a dropped release is for its former owner');
my $cohorts = ask('SELECT number FROM kanon_cohort');
like(ask("SET ROLE other; SELECT count(*) FROM kanon_view_cohort_cells($cohorts)"), qr/ERROR:  permission denied for cohorts $cohorts/, 'cohorts of a dropped table likewise');

done_testing();
