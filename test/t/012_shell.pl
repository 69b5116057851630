# What the pages show for a shell: a database is made, a job of cron refreshes its releases, a
# dump is restored on another server.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('shell');
$node->init;
$node->start;
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
delete $ENV{PGDATABASE};

# (status, what was said) of a command line.
sub shell
{
	my ($command, $input) = @_;
	my ($out, $err) = ('', '');
	IPC::Run::run([ 'sh', '-c', $command ], '<', \($input // ''), '>', \$out, '2>', \$err, IPC::Run::timeout(180));
	return ($? >> 8, $out . $err);
}
sub sql { return $node->safe_psql('clinic', $_[0]) }

is(join(' ', shell('createdb clinic')), '0 ', 'createdb clinic');
my ($status, $said) = shell('psql clinic', "SELECT 'connected to ' || current_database();\n");
like($said, qr/connected to clinic/, 'psql clinic');

$node->safe_psql('postgres', 'CREATE ROLE steward LOGIN');
sql(q{
	CREATE SCHEMA kanon;
	CREATE EXTENSION kanon SCHEMA kanon;
	ALTER DATABASE clinic SET search_path = "$user", public, kanon});
sql(q{
	GRANT USAGE ON SCHEMA kanon TO steward;
	GRANT CREATE ON SCHEMA public TO steward;
	SET ROLE steward;
	CREATE TABLE patients AS SELECT i % 40 AS age, i % 7 AS ill FROM generate_series(1, 200) i;
	SELECT kanon_declare('patients', '{age}', '{ill}');
	SELECT kanon_create_release('study', 'patients', 5);
	INSERT INTO patients SELECT 90, 1 FROM generate_series(1, 5)});

# ---- cron

my $job = q{
30 2 * * *  psql -X -q -v ON_ERROR_STOP=1 -U steward -d clinic -c "CALL kanon_refresh_releases()"
};
my ($command) = $job =~ /^\n30 2 \* \* \*  (.*)\n$/;
is(join(' ', shell($command)), '0 ', 'the line of a crontab refreshes, and has nothing to say');
is(sql('SELECT count(*) FROM study WHERE age @> 90'), '5', '.. with what is new');
sql('SET ROLE steward; DELETE FROM patients');
($status, $said) = shell($command);
is($status, 0, 'less than was wanted is no error');
like($said, qr/WARNING:  .*study/, '.. but a warning, which cron mails');
($status, $said) = shell('psql -X -q -v ON_ERROR_STOP=1 -U steward -d clinic -c "BEGIN" -c "CALL kanon_refresh_releases()"');
isnt($status, 0, 'within a transaction it is an error');

# ---- dumped here, restored there

sql("SET ROLE steward; INSERT INTO patients SELECT i % 40, i % 7 FROM generate_series(1, 200) i; SELECT kanon_refresh_release('study')");
$node->safe_psql('postgres', "ALTER DATABASE clinic SET kanon.memory_ceiling = '4GB'");
chdir($node->basedir) or die;
is(join(' ', shell($_)), '0 ', $_) for 'pg_dump -Fc -f clinic.dump clinic', 'pg_dumpall --globals-only -f roles.sql';
my $other = PostgreSQL::Test::Cluster->new('restored');
$other->init;
$other->start;
$ENV{PGHOST} = $other->host;
$ENV{PGPORT} = $other->port;
is((shell('psql -X -f roles.sql postgres'))[0], 0, 'psql -X -f roles.sql postgres');
is(join(' ', shell('pg_restore --create -d postgres clinic.dump')), '0 ', 'pg_restore --create');
is($other->safe_psql('clinic', 'SELECT release, state, rows FROM kanon_releases'), 'study|satisfied|200', '.. knows its release, and where kanon is');
is($other->safe_psql('clinic', 'SHOW kanon.memory_ceiling'), '4GB', '.. and its ceiling');

done_testing();
