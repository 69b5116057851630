# Releases of a distributed table, and of one on foreign servers, are row for row those of a local
# one, also after its rows have changed.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin, "$FindBin::RealBin/../t";

use Citus;
use Test::More;

my ($node, @workers) = citus_start();
my @kinds = citus_people($node, @workers);

# Arguments of releases, after the name and the relation: one for each recoding, and more.
$node->psql('postgres', "SELECT kanon_create_release('none', 'whole', 5, '?')", stderr => \my $said);
my ($recodings) = $said =~ /The recodings are (.*)\./;
my %release = (
	(map { $_ => "5, '$_'" } split /, | and /, $recodings),
	ring => "3, 'ring', options => '{\"seed\": \"x\", \"redraw\": true}'",
	two_phase => "3, 'two_phase', quasi_identifiers => '{age,n}', options => '{\"seed\": \"x\", \"redraw\": true}'",
	cohorts => "5, 'cohorts', options => '{\"key\": \"id\", \"wait\": 3, \"leavers\": \"withhold\"}'",
	full_domain => "5, 'full_domain', suppression => 0.05",
	of_levels => "5, 'full_domain', suppression => 0.99, options => '{\"levels\": [1, 0, 2]}'",
	of_models => "5, models => 'distinct(disease, 3), closeness(pay, 0.3)'",
	of_people => "5, person => 'person', models => 'distinct(disease, 2)'",
	judged_late => "5, models => 'distinct(disease, 3)', options => '{\"models_after\": true}'",
	of_dates => "20, quasi_identifiers => '{birth,income,ward}', options => '{\"ranges\": true}'",
	local_of_models => "5, 'local', models => 'distinct(disease, 3)', suppression => 0.02",
);
my @names = sort keys %release;
my @matched = qw(ring two_phase cohorts);

sub differ
{
	my ($say) = @_;
	for my $name (@names)
	{
		my %holds = map { $_ => join ' ', citus_ask($node,
			"SELECT kanon_digest('${name}_$_'), (rows, classes, smallest, missing)::text FROM kanon_release WHERE release = '${name}_$_'::regclass",
			"SELECT satisfied FROM ${\((grep { $_ eq $name } @matched) ? 'kanon_check_matchings' : 'kanon_check')}('${name}_$_')") } @kinds;
		like($holds{ $kinds[0] }, qr/t$/, "$name $say: satisfies");
		for my $kind (@kinds[ 1 .. $#kinds ])
		{
			# Later nights follow from a key of each state, which is drawn.
			if ($name eq 'cohorts' && $say ne 'made') { like($holds{$kind}, qr/t$/, ".. as that of $kind") }
			else { is($holds{$kind}, $holds{ $kinds[0] }, ".. the same of $kind") }
		}
	}
}

for my $kind (@kinds)
{
	my @answers = citus_ask($node, map { "SELECT kanon_create_release('${_}_$kind', '$kind', $release{$_})" } @names);
	is($answers[$_], "$names[$_]_$kind", "$names[$_] of $kind") for 0 .. $#names;
}
differ('made');

# Rows go, come and change, among them values that a dimension lacks, and NULLs.
for my $kind (@kinds)
{
	$node->safe_psql('postgres', "DELETE FROM $kind WHERE id % 13 = 1; UPDATE $kind SET age = 99 - age, sex = NULL WHERE ward LIKE 'd%';
		UPDATE $kind SET zip = (53000 + id % 900)::text WHERE id % 101 = 5;
		INSERT INTO $kind SELECT 4000 + id, ward, age, sex, zip, n, disease, pay, birth, income, 2000 + person FROM $kind WHERE id % 7 = 2");
}
my @refresh = map { my $kind = $_; citus_ask($node, map { "SELECT (kanon_refresh_release('${_}_$kind')).changed" } @names) } @kinds;
is(scalar(grep { !/t$/ } @refresh), 0, 'all of them are refreshed and have changed') or diag(join "\n", @refresh);
differ('refreshed');

for my $kind (@kinds)
{
	$node->safe_psql('postgres', "BEGIN; DELETE FROM $kind WHERE id % 11 = 3; UPDATE $kind SET n = n + 1, pay = pay % 7; COMMIT");
	my @errors = grep { /ERROR/ } citus_ask($node, (map { "SELECT FROM kanon_refresh_release('${_}_$kind', concurrently => true)" } grep { $_ ne 'cohorts' } @names),
		"SELECT FROM kanon_refresh_release('cohorts_$kind')");
	is("@errors", '', "the releases of $kind are refreshed beside readers");
}
differ('refreshed beside readers');

$node->safe_psql('postgres', join ';', map { ("DELETE FROM $_ WHERE id % 5 = 0", "REFRESH MATERIALIZED VIEW mondrian_$_", "REFRESH MATERIALIZED VIEW full_domain_$_", "REFRESH MATERIALIZED VIEW ring_$_") } @kinds);
@names = qw(mondrian full_domain ring);
differ('refreshed by a plain REFRESH');

done_testing();
