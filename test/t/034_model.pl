# Privacy models as values: in binary, and in a dump that is restored where the
# search_path is empty.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('model');
$node->init;
$node->start;
my $file = $node->basedir . '/models';

$node->safe_psql('postgres', q{
	CREATE SCHEMA privacy;
	CREATE EXTENSION kanon SCHEMA privacy;
	CREATE TABLE wanted (model privacy.kanon_models, models privacy.kanon_models DEFAULT ARRAY['distinct(a, 2)']);
	INSERT INTO wanted VALUES ('closeness("Ärger, ""groß""", 0.1)'), ('recursive(a, 1e-300, 3)'), (NULL);
});
my $all = 'SELECT model, models FROM wanted ORDER BY model::text';
my $expected = $node->safe_psql('postgres', $all);
is($expected, <<'EOF' =~ s/\n\z//r, 'as they were written');
closeness("Ärger, ""groß""", 0.1)|distinct(a, 2)
recursive(a, 1e-300, 3)|distinct(a, 2)
|distinct(a, 2)
EOF

$node->safe_psql('postgres', "COPY wanted TO '$file' (FORMAT binary); TRUNCATE wanted; COPY wanted FROM '$file' (FORMAT binary)");
is($node->safe_psql('postgres', $all), $expected, 'in binary and back');

# Binary input is checked as text is.
my $sent = "COPY (SELECT %s::bytea) TO '$file' (FORMAT binary); COPY wanted (model) FROM '$file' (FORMAT binary)";
for my $case (
	[ "'DISTINCT( A ,2)'", qr/^$/, 'what is no canonical text becomes it' ],
	[ "'distinct(a)'", qr/invalid input syntax for type kanon_models: "distinct\(a\)"/, 'a model that is none' ],
	[ "'distinct(a, 0)'", qr/l of model distinct must be at least 1/, 'a parameter out of range' ],
	[ "'\\xff'", qr/invalid (byte sequence|input syntax)/, 'no text' ],
	[ "'distinct(a, 2),'", qr/invalid input syntax/, 'a model that is missing' ],
	[ "''", qr/^$/, 'nothing' ])
{
	my ($bytes, $pattern, $name) = @$case;
	$node->psql('postgres', sprintf($sent, $bytes), stderr => \my $stderr);
	like($stderr, $pattern, $name);
}
is($node->safe_psql('postgres', q{SELECT count(*) FROM wanted WHERE model::text = 'distinct(a, 2)'}), 1, 'only the good one came');

$node->safe_psql('postgres', q{DELETE FROM wanted WHERE model::text IN ('distinct(a, 2)', ''); CREATE DATABASE copy});
$node->command_ok([ 'pg_dump', '-f', $file, $node->connstr('postgres') ], 'dumped');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', $file, $node->connstr('copy') ], 'restored');
is($node->safe_psql('copy', $all), $expected, 'a restored table has the same models');
$node->safe_psql('copy', 'INSERT INTO wanted DEFAULT VALUES');
is($node->safe_psql('copy', 'SELECT count(*) FROM wanted'), 4, 'and its default works');

$node->stop;
done_testing();
