# Distributed releases by Mondrian that the workers make: a partition tree that grows from their
# counts, and nodes that they finish.  The same rows as of a local table.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin, "$FindBin::RealBin/../t";

use Citus;
use Test::More;

my ($node, @workers) = citus_start();
citus_people($node, @workers);
# Whatever the number of rows.
$node->append_conf('postgresql.conf', 'kanon.partitioning = tree');
$node->reload;

sub ask { return (citus_ask($node, @_))[0] // '' }

my %release = (
	strict => "5, 'strict_mondrian'",
	gain => "5, 'mondrian'",
	of_numbers => "7, quasi_identifiers => '{n,pay,age}'",
	of_dates => "20, quasi_identifiers => '{birth,income,ward}', options => '{\"ranges\": true}'",
	plain => "20, quasi_identifiers => '{birth,income,ward}'",
	means => "5, quasi_identifiers => '{n,pay}', options => '{\"means\": true}'",
	judged => "5, quasi_identifiers => '{n,birth}', models => 'distinct(disease, 3), closeness(disease, 0.5)'",
	strictly => "5, 'strict_mondrian', '{n,birth,income}', models => 'entropy(disease, 2)'",
	of_zips => "5, quasi_identifiers => '{n,zip}', models => 'distinct(disease, 2)'",
	few => "3000, 'mondrian', '{n,birth}'",
);
my @names = sort keys %release;
my $figures = q{SELECT kanon_digest('%1$s'), (recoding, k, columns, quasi_identifiers, rows, classes, smallest, people, missing, round(loss::numeric, 12), satisfied)::text FROM kanon_release WHERE release = '%1$s'::regclass};
sub same { my ($say) = @_; is(ask(sprintf $figures, "${_}_there"), ask(sprintf $figures, "${_}_here"), "$_ $say: as of a local table") for @names }
# What the coordinator tells of how it got the rows.
sub way { return join ' ', citus_ask($node, "SET client_min_messages = debug1; $_[0]") }

for my $name (@names)
{
	my $there = $release{$name} =~ /options/ ? $release{$name} =~ s/\{"/{"storage": "distributed", "/r : "$release{$name}, options => '{\"storage\": \"distributed\"}'";
	is(ask("SELECT kanon_create_release('${name}_here', 'whole', $release{$name})"), "${name}_here", "$name is made");
	is(ask("SELECT kanon_create_release('${name}_there', 'people', $there)"), "${name}_there", '.. on the workers, too');
}
same('made');
for my $kind (qw(whole people))
{
	$node->safe_psql('postgres', "DELETE FROM $kind WHERE id % 13 = 1; UPDATE $kind SET age = 99 - age, sex = NULL, birth = NULL WHERE ward LIKE 'd%'; UPDATE $kind SET n = NULL WHERE id % 101 = 5");
}
is(join(' ', map { ask("SELECT (kanon_refresh_release('${_}_here')).changed, (kanon_refresh_release('${_}_there', concurrently => true)).changed") } @names), join(' ', map { 't|t' } @names), 'all are refreshed');
same('refreshed');

done_testing();
