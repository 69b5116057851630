# A coordinator and two workers of Citus with kanon, and people in tables of three kinds.  What
# citus_start makes is PostgreSQL::Test::Cluster's, which ends it.
package Citus;
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";

use IPC::Run;
use PostgreSQL::Test::Cluster;
use Questions;

use parent 'Exporter';
our @EXPORT = qw(citus_start citus_people citus_ask citus_move_shard);

# (coordinator, worker, worker): nodes of one cluster, which speak through their sockets.
sub citus_start
{
	my ($coordinator, @workers) = map { PostgreSQL::Test::Cluster->new($_) } qw(coordinator worker1 worker2);
	for my $node ($coordinator, @workers)
	{
		$node->init(extra => [ '--no-locale', '--encoding=UTF8' ]);
		$node->append_conf('postgresql.conf', qq{
			shared_preload_libraries = 'citus'
			autovacuum = off
			shared_buffers = 16MB
			max_connections = 60
			max_prepared_transactions = 60
			wal_level = logical
			citus.shard_count = 4
			citus.enable_statistics_collection = off
			citus.node_conninfo = 'sslmode=disable'
			citus.local_hostname = '${\$node->host}'});
		$node->start;
		$node->safe_psql('postgres', 'CREATE EXTENSION citus');
	}
	$coordinator->safe_psql('postgres', join ';', "SELECT citus_set_coordinator_host('${\$coordinator->host}', ${\$coordinator->port})",
		(map { "SELECT citus_add_node('${\$_->host}', ${\$_->port})" } @workers), 'CREATE EXTENSION kanon');
	return ($coordinator, @workers);
}

# The same people in a local table, whole, a distributed one, people, and one on foreign servers,
# far; with the same declarations.  Dimensions are reference tables.
sub citus_people
{
	my ($coordinator, @workers) = @_;
	my $more = 'birth date, income numeric(9, 2), person int';
	my $far = '';
	for my $i (1 .. 2)
	{
		my $worker = $workers[ $i - 1 ];
		my $user = $worker->safe_psql('postgres', "SET citus.enable_ddl_propagation = off; CREATE TABLE far_$i ($types, $more); SELECT current_user");
		$far .= qq{
			CREATE SERVER s$i FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '${\$worker->host}', port '${\$worker->port}', dbname 'postgres', async_capable 'true', batch_size '500');
			CREATE USER MAPPING FOR PUBLIC SERVER s$i OPTIONS (user '$user', password_required 'false');
			CREATE FOREIGN TABLE far_$i PARTITION OF far FOR VALUES WITH (MODULUS 2, REMAINDER ${\($i - 1)}) SERVER s$i;};
	}
	my @kinds = qw(whole people far);
	$coordinator->safe_psql('postgres', qq{
		CREATE TABLE whole AS SELECT r.*, date '1940-01-01' + id * 7 % 9000 AS birth, (id * 31 % 977 * 1.25)::numeric(9, 2) AS income, id / 2 AS person FROM ($rows) r;
		CREATE TABLE people (LIKE whole);
		SELECT create_distributed_table('people', 'id');
		SET citus.enable_ddl_propagation = off;
		CREATE EXTENSION postgres_fdw;
		CREATE TABLE far ($types, $more) PARTITION BY HASH (id);
		$far
		RESET citus.enable_ddl_propagation;
		INSERT INTO people TABLE whole;
		INSERT INTO far TABLE whole;
		SELECT kanon_create_dimension('ages', 'whole', 'age', 'ranges', '{10,20}'), kanon_create_dimension('zips', 'whole', 'zip', 'digits', '{1,3,5}');
		SELECT create_reference_table('ages'), create_reference_table('zips');
		CREATE TABLE some_ages AS SELECT * FROM ages WHERE age % 3 > 0;} . join '', map { qq{
		ANALYZE $_;
		SELECT kanon_declare('$_', '{sex}', '{disease,pay}', '{ward,birth,income}', '{id,person}'),
			kanon_set_attribute('$_', 'age', 'quasi_identifier', 'ages'), kanon_set_attribute('$_', 'zip', 'quasi_identifier', 'zips');} } @kinds);
	return @kinds;
}

# Moves a shard of people to the other worker; returns an error, or nothing.
sub citus_move_shard
{
	my ($coordinator, @workers) = @_;
	my ($place) = citus_ask($coordinator, q{SELECT shardid, nodeport FROM citus_shards WHERE table_name = 'people'::regclass ORDER BY random() LIMIT 1});
	my ($shard, $port) = split /\|/, $place;
	my ($from, $to) = $port == $workers[0]->port ? @workers : reverse @workers;
	return (citus_ask($coordinator, "SELECT citus_move_shard_placement($shard, '${\$from->host}', ${\$from->port}, '${\$to->host}', ${\$to->port}, 'block_writes')"))[0];
}

# What each of the statements answers, with warnings, or its error.
sub citus_ask
{
	my ($node, @statements) = @_;
	local $ENV{PGOPTIONS} = '-c client_min_messages=warning';
	my $script = join '', map { "$_;\n\\echo ----\n" } @statements;
	IPC::Run::run([ 'psql', '-XAtq', '-v', 'VERBOSITY=terse', '-d', $node->connstr('postgres') ], '<', \$script, '>&', \my $out);
	return map { s/^\n|\n$//gr } split /^----$/m, $out =~ s/----\n\z//r, -1;
}

1;
