# Releases by cohorts: copies stay the same, byte for byte, when people of a cell exchange their
# histories; nights are whole or not at all, whatever happens to the server; a state that was copied
# does not go on by itself.
#   COHORT_SEEDS, COHORT_NIGHTS  worlds that are permuted, and how long each lasts (20, 30)
#   COHORT_KILLS  sessions that are killed amid a night (20)
use strict;
use warnings;

use File::Basename;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep time);

my $seeds = $ENV{COHORT_SEEDS} || 20;
my $nights = $ENV{COHORT_NIGHTS} || 30;
my $kills = $ENV{COHORT_KILLS} || 20;

my $node = PostgreSQL::Test::Cluster->new('cohorts');
$node->init(allows_streaming => 1, extra => [ '--no-locale', '--encoding=UTF8' ]);
$node->append_conf('postgresql.conf', "restart_after_crash = on\nclient_min_messages = warning");
$node->start;
$node->safe_psql('postgres', 'CREATE DATABASE clinic');
$node->safe_psql('clinic', 'CREATE EXTENSION kanon');
$node->safe_psql('clinic', PostgreSQL::Test::Utils::slurp_file(dirname(__FILE__) . '/../cohorts/simulate.sql'));

sub sql
{
	my ($statement) = @_;
	return $node->safe_psql('clinic', $statement);
}

# ---- histories change hands, and no copy changes, nor, in a table, the place of any row
my @ways = (
	"options => '{\"key\": \"key\", \"wait\": 3, \"target_loss\": 0.1, \"leavers\": \"keep\", \"weights\": true}'",
	"options => '{\"key\": \"key\", \"wait\": 0, \"target_loss\": 0, \"leavers\": \"withhold\", \"storage\": \"table\"}'",
	"options => '{\"key\": \"key\", \"wait\": 2, \"target_loss\": 0.15, \"leavers\": \"keep\", \"stale\": 0.6, \"reading\": \"together\", \"weights\": true, \"storage\": \"table\"}'",
	"options => '{\"key\": \"key\", \"wait\": 1, \"target_loss\": 0.3, \"leavers\": \"withhold\", \"reading\": \"together\"}'",
	"options => '{\"key\": \"key\", \"wait\": 2, \"target_loss\": 0.1, \"leavers\": \"keep\"}', models => 'distinct(value, 3)'",
	"options => '{\"key\": \"key\", \"wait\": 1, \"target_loss\": 0.1, \"leavers\": \"withhold\"}', models => '{\"distinct(value, 2)\",\"entropy(value, 2)\"}'");
for my $seed (1 .. $seeds)
{
	my $way = $ways[ $seed % @ways ];
	my $k = 2 + $seed % 4;
	my ($people, $churn) = (120 + 20 * ($seed % 5), 0.01 + 0.03 * ($seed % 3));

	sql("TRUNCATE sim.copy, sim.member;
		SELECT sim.make_world($seed, $people, $nights, $churn, false);
		SELECT sim.play('one$seed', $k, \$\$'cohorts', $way\$\$);
		SELECT sim.permute('one$seed', $seed);
		SELECT sim.play('two$seed', $k, \$\$'cohorts', $way\$\$)");
	is(sql("SELECT sim.differences('one$seed', 'two$seed')"), 0, "seed $seed, k = $k, $way: copies are the same");
	is(sql("SELECT * FROM sim.problems('one$seed')"), '', '.. and the state is sound');
	cmp_ok(sql("SELECT count(DISTINCT content) FROM sim.copy WHERE run = 'one$seed'"), '>', 20, '.. and something was published');
	sql("DROP TABLE sim.one$seed, sim.two$seed CASCADE; DELETE FROM kanon_cohort_state; TRUNCATE kanon_cohort_cell, kanon_cohort_member");
}

# ---- a release is filled without nested loops, whatever the statistics say
# ANALYZE by another session during a first night sees pages, but no rows.
sub filling_plans
{
	my ($statement) = @_;
	my ($code, $out, $err) = $node->psql('clinic', "UPDATE pg_class SET reltuples = 0, relpages = 1000
			WHERE relname IN ('kanon_cohort_cell', 'kanon_cohort_member');
		LOAD 'auto_explain';
		SET auto_explain.log_min_duration = 0;
		SET auto_explain.log_nested_statements = on;
		SET auto_explain.log_level = notice;
		SET client_min_messages = notice;
		BEGIN;
		$statement;
		SET auto_explain.log_min_duration = -1;
		SELECT current_setting('enable_nestloop');
		COMMIT");
	is($code, 0, "filled: $statement");
	like($out, qr/^on\z/m, '.. and afterwards nested loops are on again');
	return join("\n", grep { /CTE cells/ } split(/(?=duration: )/, $err));
}
SKIP:
{
	skip('no auto_explain', 16) if $node->psql('clinic', "LOAD 'auto_explain'") != 0;
	sql("CREATE TABLE crowd (id int, age int, disease text);
		INSERT INTO crowd SELECT i, hashint4(i) % 100, 'd' || i % 7 FROM generate_series(1, 500) i;
		SELECT kanon_declare('crowd', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}')");
	for my $statement ("SELECT kanon_create_release('crowded', 'crowd', 5, 'cohorts', options => '{\"key\": \"id\", \"wait\": 0, \"leavers\": \"keep\"}')",
		"SELECT kanon_refresh_release('crowded')", "SELECT kanon_refresh_release('crowded', concurrently => true)",
		'REFRESH MATERIALIZED VIEW crowded')
	{
		my $plans = filling_plans($statement);
		like($plans, qr/(?:Hash|Merge) Join/, '.. by hashing or merging');
		unlike($plans, qr/Nested Loop/, '.. and not by nested loops');
	}
	sql("DROP TABLE crowd CASCADE; DELETE FROM kanon_cohort_state; TRUNCATE kanon_cohort_cell, kanon_cohort_member");
}

# ---- nights are whole or not at all
sql("SELECT sim.make_world(99, 300, 12, 0.04, false);
	SELECT sim.play('keeping', 4, \$\$'cohorts', options => '{\"key\": \"key\", \"wait\": 3, \"target_loss\": 0.1, \"leavers\": \"keep\"}'\$\$)");
my $release = "sim.keeping_release";
my $contents = "SELECT md5(string_agg(r::text, ',' ORDER BY ctid)) FROM $release r";
my $state = "SELECT md5((SELECT string_agg(c::text, ',' ORDER BY cell) FROM kanon_cohort_cell c)
	|| (SELECT string_agg(m::text, ',' ORDER BY cohort, digest) FROM kanon_cohort_member m)
	|| (SELECT string_agg(c::text, ',' ORDER BY number) FROM kanon_cohort c))";
my $next_night = 0;
sub turn
{
	$next_night = $next_night % 12 + 1;
	sql("SELECT sim.turn('sim.keeping', $next_night)");
	return;
}
# What is published is what the state says.
sub is_whole
{
	my ($name) = @_;
	my $before = sql($contents);
	sql("REFRESH MATERIALIZED VIEW $release");
	is(sql($contents), $before, "$name: what is published is what the state says");
	is(sql("SELECT * FROM sim.problems('keeping')"), '', '.. which is sound');
	return;
}

turn();
my ($was, $had) = (sql($state), sql($contents));
sql("BEGIN; SELECT kanon_refresh_release('$release'); ROLLBACK");
is(sql($state) . sql($contents), $was . $had, 'a night that is rolled back leaves nothing');
sql("BEGIN; SAVEPOINT one; SELECT kanon_refresh_release('$release'); ROLLBACK TO one; SELECT kanon_refresh_release('$release'); COMMIT");
is_whole('a night after a savepoint');
sql("BEGIN; SELECT kanon_refresh_release('$release'); SELECT sim.turn('sim.keeping', 7);
	SELECT kanon_refresh_release('$release'); COMMIT");
is_whole('two nights in one transaction');

# Two sessions: one after the other.
my $night = sql("SELECT night FROM kanon_cohort WHERE relation = 'sim.keeping'::regclass");
for my $round (1 .. 5)
{
	my @sessions;
	turn();
	push @sessions, IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('clinic'), '-c',
			"SELECT kanon_refresh_release('$release', concurrently => " . ($round % 2 ? 'true' : 'false') . ')' ], '<', \undef, '>', '/dev/null', '2>', '/dev/null')
	  for 1 .. 2;
	$_->finish for @sessions;
}
is(sql("SELECT night FROM kanon_cohort WHERE relation = 'sim.keeping'::regclass"), $night + 10, 'two sessions at once: ten nights');
is_whole('two sessions at once');

# A snapshot of before does not go on with a state of after.
my ($in, $out, $err) = ('', '', '');
my $old = IPC::Run::start([ 'psql', '-XAtq', '-v', 'VERBOSITY=sqlstate', '-d', $node->connstr('clinic') ], '<', \$in, '>', \$out, '2>', \$err, IPC::Run::timeout(180));
$in .= "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM sim.zips;\n\\echo begun\n";
pump $old until $out =~ /begun/;
turn();
sql("SELECT kanon_refresh_release('$release')");
$in .= "SELECT kanon_refresh_release('$release');\n\\echo tried\n";
pump $old until $out =~ /tried/;
like($err, qr/40001/, 'repeatable read: an old snapshot does not go on');
$in .= "ROLLBACK;\n\\q\n";
$old->finish;
is_whole('after a failure to serialize');

# Killed amid a night, at moments all over it, which takes a while after each of its writes: a kill
# counts if the session held the state before it came, and the night was lost.
sql("CREATE FUNCTION sim.linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.1); RETURN NULL; END'");
sql("CREATE TRIGGER linger AFTER INSERT OR UPDATE OR DELETE ON $_ FOR EACH STATEMENT EXECUTE FUNCTION sim.linger()")
  for 'kanon_cohort_cell', 'kanon_cohort_member';
sql("CREATE FUNCTION sim.await_night(session int) RETURNS void LANGUAGE plpgsql AS 'BEGIN
		WHILE NOT EXISTS (SELECT FROM pg_locks WHERE pid = session AND relation = ''kanon_cohort_state''::regclass AND granted)
			AND EXISTS (SELECT FROM pg_stat_activity WHERE pid = session) LOOP
			PERFORM pg_sleep(0.001), pg_stat_clear_snapshot();
		END LOOP;
	END'");
sql("SELECT sim.make_world(5, 1500, 12, 0.05, false)");
turn();
sql("SELECT kanon_refresh_release('$release')");
my $begin = time;
sql("SELECT kanon_refresh_release('$release')");
my $takes = time - $begin;
my ($hits, $tries, $sound) = (0, 0, 0);
my $nights_passed = "SELECT night FROM kanon_cohort WHERE relation = 'sim.keeping'::regclass";
while ($hits < $kills && $tries++ < 10 * $kills)
{
	my $file = PostgreSQL::Test::Utils::tempdir() . "/pid$tries";
	turn();
	my $passed = sql($nights_passed);
	my $session = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('clinic'), '-c', "COPY (SELECT pg_backend_pid()) TO '$file'",
			'-c', "SELECT kanon_refresh_release('$release')" ], '<', \undef, '>', '/dev/null', '2>', '/dev/null');
	usleep(1000) until -s $file;
	chomp(my $pid = PostgreSQL::Test::Utils::slurp_file($file));
	sql("SELECT sim.await_night($pid)");
	usleep(int(rand(1e6 * $takes)));
	kill 9, $pid;
	$session->finish;
	# Until the server has noticed, it lets in whom it throws out at once. (psql, refused before it
	# has read its statement, would leave a broken pipe.)
	usleep(1000) while kill 0, $pid;
	usleep(1000) until PostgreSQL::Test::Utils::run_log([ 'pg_isready', '-q', '-d', $node->connstr('clinic') ]);
	$hits++ if $session->result(0) && sql($nights_passed) == $passed;
	my $before = sql($contents);
	sql("REFRESH MATERIALIZED VIEW $release");
	$sound++ if $before eq sql($contents) && sql("SELECT * FROM sim.problems('keeping')") eq '';
}
is($hits, $kills, "killed amid a night $kills times, in $tries tries");
is($sound, $hits < $kills ? $tries - 1 : $tries, '.. and each time what is published is what the state says, which is sound');

sql("DROP TRIGGER linger ON kanon_cohort_cell; DROP TRIGGER linger ON kanon_cohort_member");

# ---- pg_restore turns row security off, and whoever owns the release is no superuser
my $owned = $node->basedir . '/owned.dump';
$node->safe_psql('postgres', 'CREATE ROLE keeper; CREATE DATABASE owned; CREATE DATABASE owned_copy');
$node->safe_psql('owned', q{CREATE EXTENSION kanon; CREATE SCHEMA ward AUTHORIZATION keeper; SET ROLE keeper;
	CREATE TABLE ward.people AS SELECT i AS id, i % 40 AS age, i % 7 AS value FROM generate_series(1, 200) i;
	SELECT kanon_declare('ward.people', '{age}');
	SELECT kanon_create_release('ward.cohorts', 'ward.people', 5, 'cohorts', options => '{"key": "id", "leavers": "keep"}')});
command_ok([ 'pg_dump', '-Fc', '-f', $owned, '-d', $node->connstr('owned') ], 'dumped');
command_ok([ 'pg_restore', '--exit-on-error', '-d', $node->connstr('owned_copy'), $owned ], 'restored: a release is filled whose owner is no superuser');
is($node->safe_psql('owned_copy', 'SELECT count(*) FROM ward.cohorts'), 200, '.. with everybody');
is($node->safe_psql('owned_copy', 'SET row_security = off; BEGIN; REFRESH MATERIALIZED VIEW ward.cohorts; SHOW row_security; COMMIT'),
	'off', '.. and the setting is what it was');

# ---- the state goes with the extension
my ($code, $out_of, $told) = $node->psql('owned_copy', 'SET client_min_messages = notice; DROP EXTENSION kanon CASCADE');
is($code, 0, 'the extension is dropped');
like($told, qr/NOTICE:  the state of releases by cohorts of 1 table goes with the extension/, '.. and says what goes with it');
($code, $out_of, $told) = $node->psql('owned_copy', 'SET client_min_messages = notice; CREATE EXTENSION kanon; DROP EXTENSION kanon');
is("$code$told", '0', '.. unless there is nothing');
$node->safe_psql('owned_copy', q{CREATE ROLE dropper SUPERUSER; CREATE SCHEMA apart; SET ROLE dropper; CREATE EXTENSION kanon SCHEMA apart; RESET ROLE;
	CREATE TABLE ward.others AS SELECT i AS id, i % 40 AS age FROM generate_series(1, 200) i;
	SELECT apart.kanon_create_release('ward.by_age', 'ward.others', 5, 'cohorts', quasi_identifiers => '{age}', options => '{"key": "id", "leavers": "keep"}')});
my $goes = qr/NOTICE:  the state of releases by cohorts of 1 table goes/;
for my $drop ('DROP SCHEMA ward, apart CASCADE', 'DROP EXTENSION IF EXISTS kanon CASCADE', 'DROP OWNED BY dropper CASCADE')
{
	($code, $out_of, $told) = $node->psql('owned_copy', "SET client_min_messages = notice; BEGIN; $drop; ROLLBACK");
	like($told, $goes, "$drop: says so, too");
}
for my $drop ('DROP SCHEMA ward', 'DROP SCHEMA ward CASCADE', 'DROP EXTENSION plpgsql', 'DROP OWNED BY keeper')
{
	($code, $out_of, $told) = $node->psql('owned_copy', "SET client_min_messages = notice; BEGIN; $drop; ROLLBACK");
	unlike($told, $goes, "$drop: does not");
}
for my $drop ('DROP EXTENSION kanon CASCADE', 'DROP SCHEMA apart CASCADE')
{
	($code, $out_of, $told) = $node->psql('owned_copy', "SET client_min_messages = notice; SET ROLE keeper; $drop");
	like($told, qr/ERROR:  must be owner/, "$drop is for the owner");
	unlike($told, $goes, '.. who alone hears how many states there are');
}

# ---- a state that was copied
my $dump = $node->basedir . '/clinic.dump';
command_ok([ 'pg_dump', '-Fc', '-f', $dump, '-d', $node->connstr('clinic') ], 'dumped');
sub asks_for_adoption
{
	my ($where, $name, $wanted) = @_;
	is($where->safe_psql($name, $contents), $wanted, "$name: it shows the last night");
	my ($code, $stdout, $stderr) = $where->psql($name, "SELECT kanon_refresh_release('$release')");
	like($stderr, qr/ERROR:.*restored.*kanon_adopt_cohorts/s, "$name: it does not go on by itself");
	is($where->safe_psql($name, $contents), $wanted, "$name: .. nor change");
	($code, $stdout, $stderr) = $where->psql($name, "SELECT kanon_adopt_cohorts('sim.keeping'); SELECT rows > 0 FROM kanon_refresh_release('$release')");
	is("$stdout$stderr", "\nt", "$name: it goes on when it is told to");
	is($where->safe_psql($name, "SELECT * FROM sim.problems('keeping')"), '', "$name: .. and is sound");
	return;
}
my $last = sql($contents);
$node->safe_psql('postgres', 'CREATE DATABASE restored; CREATE DATABASE cloned TEMPLATE clinic');
command_ok([ 'pg_restore', '-d', $node->connstr('restored'), $dump ], 'restored');
asks_for_adoption($node, 'restored', $last);
asks_for_adoption($node, 'cloned', $last);
$node->backup('copy');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'copy', has_streaming => 1);
$standby->start;
$node->wait_for_catchup($standby);
$standby->promote;
asks_for_adoption($standby, 'clinic', $last);
is(sql("SELECT rows > 0 FROM kanon_refresh_release('$release')"), 't', 'where it was it goes on');

$standby->stop;
$node->stop;
done_testing();
