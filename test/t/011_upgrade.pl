# ALTER EXTENSION kanon UPDATE from each version that has a way to another: the objects are those
# of a fresh installation, releases and what is known of them stay, and can be refreshed, dumped and
# restored.  Until then kanon says what there is to do, and nobody else's commands fail.
use strict;
use warnings;

use File::Basename;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('upgrade');
$node->init;
$node->start;
my $files = dirname(__FILE__) . '/../upgrade';

# What a file of test/upgrade says in that database.
sub say
{
	my ($database, $file) = @_;
	my ($stdout, $stderr);
	my $status = $node->psql($database, undef, stdout => \$stdout, stderr => \$stderr,
		extra_params => [ '-v', 'ON_ERROR_STOP=1', '-f', "$files/$file" ]);
	is($status, 0, "$file in $database") or diag $stderr;
	return $stdout;
}

# Line by line: thousands of characters that differ somewhere help nobody.
sub same
{
	my ($got, $expected, $name) = @_;
	my (%got, %expected);
	$got{$_} = 1 for split /\n/, $got;
	$expected{$_} = 1 for split /\n/, $expected;
	my @more = map { "+ $_" } grep { !$expected{$_} } sort keys %got;
	my @less = map { "- $_" } grep { !$got{$_} } sort keys %expected;
	is("@more@less", '', $name) or diag join "\n", @less, @more;
	return;
}

sub create
{
	my ($database, $which) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $database");
	$node->safe_psql($database, "CREATE SCHEMA kanon; CREATE EXTENSION kanon SCHEMA kanon $which;
		ALTER DATABASE $database SET search_path = public, kanon");
	return;
}

# By one who is no superuser, in a schema of an odd name, where a first one was renamed.
sub create_as_steward
{
	my ($database, $which) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $database OWNER steward");
	$node->safe_psql($database, qq{CREATE SCHEMA first; CREATE EXTENSION kanon SCHEMA first $which;
		ALTER SCHEMA first RENAME TO "Odd ""schema"; ALTER DATABASE $database SET search_path = public, "Odd ""schema"},
		extra_params => [ '-U', 'steward' ]);
	return;
}

# The version that kanon is told that its objects have.
sub pretend
{
	my ($database, $which) = @_;
	$node->safe_psql($database, "UPDATE pg_extension SET extversion = '$which' WHERE extname = 'kanon'");
	return;
}

sub error_of
{
	my ($database, $sql) = @_;
	my $stderr;
	isnt($node->psql($database, $sql, stderr => \$stderr), 0, "$sql fails");
	return $stderr;
}

# A symbol of the library means the same arguments for ever: who is of another version calls it, too.
my $symbols = q{SELECT prosrc, string_agg(DISTINCT format('%s(%s)', prokind, (SELECT string_agg(format_type(t, NULL), ',' ORDER BY n)
		FROM unnest(proallargtypes, proargtypes) WITH ORDINALITY u (a, t, n))), ';')
	FROM pg_proc WHERE probin ~ 'kanon' GROUP BY 1 ORDER BY 1};

create('fresh', '');
my $version = $node->safe_psql('fresh', "SELECT extversion FROM pg_extension WHERE extname = 'kanon'");
my $objects = say('fresh', 'objects.sql');
$node->safe_psql('postgres', 'CREATE ROLE steward LOGIN');
create_as_steward('fresh_steward', '');
my $steward_objects = say('fresh_steward', 'objects.sql');
my %symbol = map { split /\|/, $_, 2 } split /\n/, $node->safe_psql('fresh', $symbols);

# From each old version to this one; and, by a made-up script, from this one to the next.
my @ways = ((map { /kanon--([^-]*)\.sql$/ ? [ $1, $version ] : () } sort glob "$files/kanon--*.sql"),
	map { /kanon--([^-]*)--([^-]*)\.sql$/ ? [ $1, $2 ] : () } sort glob "$files/kanon--*.sql");
for my $way (@ways)
{
	my ($old, $new) = @$way;
	my $database = 'from_' . $old =~ tr/./_/r;

	create($database, "VERSION '$old'");
	my %before = map { split /\|/, $_, 2 } split /\n/, $node->safe_psql($database, $symbols);
	same(join("\n", map { "$_ $symbol{$_}" } grep { $symbol{$_} } sort keys %before),
		join("\n", map { "$_ $before{$_}" } grep { $symbol{$_} } sort keys %before),
		"symbols of $old have the arguments that they had");

	# The library of that version is not here: today's makes the releases in its place.
	pretend($database, $version);
	say($database, 'releases.sql');
	$node->safe_psql($database, 'CREATE TABLE other (a int, b int); CREATE MATERIALIZED VIEW plain AS TABLE other');
	pretend($database, $old);

	# A new library with old objects, unless only the third number differs.
	for my $sql ($old eq $version ? () : ("SELECT kanon_check('visits', 3)", 'CALL kanon_refresh_releases()', 'REFRESH MATERIALIZED VIEW by_class'))
	{
		like(error_of($database, $sql),
			qr/extension "kanon" is of version \Q$old\E in this database, its library of version \Q$version\E\s+HINT:  Run ALTER EXTENSION kanon UPDATE\./,
			'.. and says why');
	}
	$node->safe_psql($database, q{
		CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1';
		ALTER TABLE other RENAME COLUMN b TO c;
		REFRESH MATERIALIZED VIEW plain;
		DROP MATERIALIZED VIEW plain;
		DROP TABLE other;
		DROP FUNCTION one();
		ALTER TABLE visits RENAME COLUMN disease TO illness;
		ALTER TABLE visits RENAME COLUMN illness TO disease});
	pass('what others do goes on');

	pretend($database, $version);
	my $state = say($database, 'state.sql');
	pretend($database, $old);
	$node->safe_psql($database, "ALTER EXTENSION kanon UPDATE TO '$new'");
	is($node->safe_psql($database, "SELECT extversion FROM pg_extension WHERE extname = 'kanon'"), $new, "from $old to $new");
	same(say($database, 'objects.sql'), $objects =~ s/^\Q$version\E(?=\|)/$new/mr, "objects are those of a fresh installation");
	same(say($database, 'state.sql'), $state, 'what kanon knows, and what its releases show, is as it was');

	my $file = $node->basedir . "/$database.dump";
	$node->command_ok([ 'pg_dump', '--format=custom', '--file', $file, $node->connstr($database) ], 'dumped');
	$node->safe_psql('postgres', "CREATE DATABASE copy_$database; ALTER DATABASE copy_$database SET search_path = public, kanon");
	$node->command_ok([ 'pg_restore', '--exit-on-error', '--dbname', $node->connstr("copy_$database"), $file ], 'restored');
	same(say("copy_$database", 'objects.sql'), $objects, '.. with the same objects');

	same(say($database, 'refreshed.sql'), slurp_file("$files/refreshed.out"), 'releases can be refreshed');
	$node->safe_psql("copy_$database", "SELECT kanon_adopt_cohorts('visits')");
	same(say("copy_$database", 'refreshed.sql'), slurp_file("$files/refreshed.out"), '.. also where they were restored');

	# Twice in a session that has the library, and that finds other types first.
	create_as_steward("steward_$database", "VERSION '$old'");
	$node->safe_psql("steward_$database", qq{
		CREATE SCHEMA mine;
		CREATE DOMAIN mine.regclass AS int;
		CREATE DOMAIN mine.name AS int;
		SELECT 'distinct(a, 2)'::kanon_models;
		SET search_path = mine, "Odd ""schema", pg_catalog;
		ALTER EXTENSION kanon UPDATE TO '$new';
		ALTER EXTENSION kanon UPDATE TO '$new';
		SELECT rows FROM kanon_check('pg_am', 1, '{amname}')}, extra_params => [ '-U', 'steward' ]);
	same(say("steward_$database", 'objects.sql'), $steward_objects =~ s/^\Q$version\E(?=\|)/$new/mr, 'one who is no superuser makes the same objects');
}

# Objects older than the library; the other way about, in a session that loaded the library before it
# was upgraded; and versions that share a script.
pretend('fresh', '0.1.0');
like(error_of('fresh', $_), qr/extension "kanon" is of version 0\.1\.0 in this database, its library of version \Q$version\E\s+HINT:  Run ALTER EXTENSION kanon UPDATE\./, '.. and says why')
	for "SELECT kanon_check('pg_class', 3)", 'CALL kanon_refresh_releases()';
$node->safe_psql('fresh', q{
	CREATE TABLE other (a int, b int);
	CREATE MATERIALIZED VIEW plain AS TABLE other;
	CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1';
	ALTER TABLE other RENAME COLUMN b TO c;
	REFRESH MATERIALIZED VIEW plain;
	DROP MATERIALIZED VIEW plain;
	DROP TABLE other;
	DROP FUNCTION one()});
pass('what others do goes on');
pretend('fresh', '99.1.0');
like(error_of('fresh', "SELECT kanon_check('pg_class', 3)"), qr/is of version 99\.1\.0 .* Connect again: .* install kanon 99\.1\.0\./s, '.. and says why');
pretend('fresh', $version =~ s/\d+$/77/r);
is($node->safe_psql('fresh', "SELECT rows FROM kanon_check('pg_am', 1, '{amname}')"),
	$node->safe_psql('fresh', 'SELECT count(*) FROM pg_am'), 'the third number changes no script');

$node->stop;
done_testing();
