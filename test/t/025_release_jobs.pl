# Many releases in one call, which commits after each: what fails, stops, is killed or dropped on
# the way leaves the others alone.  And as a job of pg_cron, of a role that is no superuser.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('jobs');
my $cron = -f $node->config_data('--pkglibdir') . '/pg_cron.so';
$node->init;
$node->append_conf('postgresql.conf', "restart_after_crash = on\n");
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'pg_cron'\ncron.database_name = 'clinic'\ncron.host = '" . $node->host . "'\n") if $cron;
$node->start;

sub sql { return $node->safe_psql('clinic', $_[0]) }

sub as
{
	my ($role, $sql) = @_;
	my ($status, $out, $err) = $node->psql('clinic', $sql, extra_params => [ '-U', $role, '-v', 'VERBOSITY=verbose' ]);
	return ($status, $out, $err);
}

# A session that goes on by itself.
sub session
{
	my (@statements) = @_;
	my ($out, $err) = ('', '');
	my $run = IPC::Run::start([ 'psql', '-XAtq', '-U', 'steward', '-d', $node->connstr('clinic'), map { ('-c', $_) } @statements ],
		'>', \$out, '2>', \$err, IPC::Run::timeout(180));
	return { run => $run, err => \$err };
}

# Waits until the refresh of "slow" waits for the gate that is shut.
sub until_waiting
{
	return $node->poll_query_until('clinic', "SELECT count(*) = 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
}

$node->safe_psql('postgres', 'CREATE ROLE steward LOGIN; CREATE ROLE nurse LOGIN; CREATE DATABASE clinic');
$node->safe_psql('clinic', q{
	CREATE SCHEMA kanon;
	CREATE EXTENSION kanon SCHEMA kanon;
	CREATE SCHEMA ward;
	GRANT ALL ON SCHEMA ward TO steward, nurse;
	GRANT USAGE ON SCHEMA kanon TO steward, nurse;
	SET ROLE steward;
	CREATE TABLE ward.patients AS SELECT i AS id, i * 7 % 40 AS age, i % 3 AS ill FROM generate_series(1, 60) i;
	CREATE FUNCTION ward.pass() RETURNS boolean LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM pg_catalog.pg_advisory_xact_lock_shared(1);
		IF EXISTS (SELECT 1 FROM ward.patients WHERE age < 0) THEN RAISE EXCEPTION 'Ann is ill' USING ERRCODE = 'KA001', DETAIL = 'very'; END IF;
		RETURN true;
	END $$;
	CREATE VIEW ward.gated AS SELECT * FROM ward.patients WHERE ward.pass();
	SELECT kanon.kanon_declare('ward.patients', quasi_identifiers => '{age}', sensitive => '{ill}');
	SELECT kanon.kanon_declare('ward.gated', quasi_identifiers => '{age}', sensitive => '{ill}');
	SELECT kanon.kanon_create_release('ward.first', 'ward.patients', 5);
	SELECT kanon.kanon_create_release('ward.slow', 'ward.gated', 5);
	SELECT kanon.kanon_create_release('ward.third', 'ward.first', 5, 'relaxed_mondrian', quasi_identifiers => '{ill}');
	RESET ROLE;
	SET ROLE nurse;
	CREATE TABLE ward.beds AS SELECT i % 4 AS bed FROM generate_series(1, 20) i;
	SELECT kanon.kanon_create_release('ward.bed', 'ward.beds', 5, quasi_identifiers => '{bed}')});
my $entries = "SELECT coalesce(string_agg(name || ' ' || how, ', ' ORDER BY number), '') FROM kanon.kanon_release_history WHERE number > (SELECT last FROM ward.seen)";
sql('CREATE TABLE ward.seen AS SELECT max(number) AS last FROM kanon.kanon_release_history');

sub entries
{
	my $found = sql($entries);
	sql('UPDATE ward.seen SET last = (SELECT max(number) FROM kanon.kanon_release_history)');
	return $found;
}

# ---- all, some, none

my ($status, $out, $err) = as('steward', 'CALL kanon.kanon_refresh_releases()');
is("$status$err", '0', 'all that one may refresh are refreshed');
is(entries(), 'ward.first refreshed, ward.slow refreshed, ward.third refreshed', '.. in the order in which they were made, and no others');
as('steward', "CALL kanon.kanon_refresh_releases('ward.s%')");
as('steward', "CALL kanon.kanon_refresh_releases(pattern => 'th_rd', concurrently => true, strict => true)");
is(entries(), 'ward.slow refreshed, ward.third refreshed', 'by name, with the schema or without');
($status, $out, $err) = as('nurse', "CALL kanon.kanon_refresh_releases('ward.f%')");
like($err, qr/WARNING:.*no release to refresh matches "ward.f%"/, 'others are nothing to refresh');
is($status, 0, '.. which is no error');
as('postgres', 'CALL kanon.kanon_refresh_releases()');
is(entries(), 'ward.first refreshed, ward.slow refreshed, ward.third refreshed, ward.bed refreshed', 'a superuser refreshes all');
($status, $out, $err) = as('steward', 'BEGIN; CALL kanon.kanon_refresh_releases(); COMMIT');
like($err, qr/2D000: refreshing many releases cannot be part of a transaction/, 'not within a transaction');
($status, $out, $err) = as('steward', 'SET default_transaction_read_only = on; CALL kanon.kanon_refresh_releases()');
like($err, qr/25006/, 'nor a read-only one');
($status, $out, $err) = as('steward', 'CALL kanon.kanon_refresh_releases(NULL)');
like($err, qr/22004: argument "pattern" must not be null/, 'nor without a pattern');
is(entries(), '', 'and nothing is refreshed then');
as('steward', q{DO $$BEGIN CALL kanon.kanon_refresh_releases('first'); CALL kanon.kanon_refresh_releases('first'); END$$});
is(entries(), 'ward.first refreshed, ward.first refreshed', 'from another procedure');

# ---- one fails

sql('UPDATE ward.patients SET age = age - 1');
($status, $out, $err) = as('steward', 'CALL kanon.kanon_refresh_releases()');
like($err, qr/WARNING:  KA001: release ward.slow was not refreshed: Ann is ill\nDETAIL:  very/, 'a failure is told');
like($err, qr/ERROR:  KA001: 1 of 3 releases were not refreshed/, '.. and ends the call with an error');
is(entries(), 'ward.first refreshed, ward.slow failed, ward.third refreshed', '.. when all others are refreshed');
is(sql(q{SELECT string_agg(release::text || ' ' || state || ' ' || coalesce(error, '-'), ', ' ORDER BY release::text) FROM kanon.kanon_releases}),
	'ward.bed satisfied -, ward.first satisfied -, ward.slow satisfied Ann is ill, ward.third satisfied -', '.. which kanon_releases shows');
sql('GRANT SELECT ON ward.slow TO nurse');
(undef, $out) = as('nurse', q{SELECT count(*) FROM kanon.kanon_release_history WHERE name = 'ward.slow'});
is($out, '0', '.. to its owner, not to who may read the release: it may hold values');
sql('DELETE FROM ward.patients WHERE age < 0; UPDATE ward.patients SET ill = 1');

# strict: what lacks rows is as it was
sql('DELETE FROM ward.patients WHERE id > 3');
($status, $out, $err) = as('steward', 'CALL kanon.kanon_refresh_releases(strict => true)');
like($err, qr/2 of 3 releases were not refreshed/, 'strict: what would be empty is left as it is');
is(sql('SELECT count(*) > 3 FROM ward.first'), 't', '.. with its rows');
is(entries(), 'ward.first failed, ward.slow failed, ward.third refreshed', '.. and told');
($status, $out, $err) = as('steward', 'CALL kanon.kanon_refresh_releases()');
is($status, 0, 'otherwise less is published');
is(sql('SELECT string_agg(state, \' \' ORDER BY release::text) FROM kanon.kanon_releases'), 'satisfied empty empty empty', '.. which is no error');
sql('INSERT INTO ward.patients SELECT i AS id, i * 7 % 40 AS age, i % 3 AS ill FROM generate_series(1, 60) i');
entries();

# ---- stopped on the way

my ($in, $gate_out) = ('', '');
my $keeper = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('clinic') ], '<', \$in, '>', \$gate_out, IPC::Run::timeout(300));
sub shut { $in .= "SELECT pg_advisory_lock(1);\n\\echo shut\n"; pump $keeper until $gate_out =~ /shut/; $gate_out = ''; }
sub open_it { $in .= "SELECT pg_advisory_unlock(1);\n\\echo open\n"; pump $keeper until $gate_out =~ /open/; $gate_out = ''; }

shut();
my $call = session('CALL kanon.kanon_refresh_releases()');
until_waiting();
is(entries(), 'ward.first refreshed', 'what is done is committed while the call goes on');
sql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'steward' AND query ~ '^CALL'");
$call->{run}->finish;
like(${ $call->{err} }, qr/canceling statement due to user request/, 'a cancel ends the call');
is(entries(), '', '.. with nothing half done');
$call = session('SET statement_timeout = 1500', 'CALL kanon.kanon_refresh_releases()');
$call->{run}->finish;
like(${ $call->{err} }, qr/statement timeout/, 'so does a timeout');
is(entries(), 'ward.first refreshed', '.. which leaves what was done');

# Dropped while others are refreshed
$call = session('CALL kanon.kanon_refresh_releases()');
until_waiting();
sql('DROP MATERIALIZED VIEW ward.third');
open_it();
$call->{run}->finish;
is(${ $call->{err} }, '', 'one that is dropped on the way is no failure');
is(entries(), 'ward.first refreshed, ward.slow refreshed', '.. and has no entry');
sql("SET ROLE steward; SELECT kanon.kanon_create_release('ward.third', 'ward.first', 5, 'relaxed_mondrian', quasi_identifiers => '{ill}')");
entries();

# Two at once
shut();
my @calls = map { session('CALL kanon.kanon_refresh_releases()') } 1, 2;
$node->poll_query_until('clinic', "SELECT count(*) = 2 FROM pg_locks WHERE NOT granted");
open_it();
$_->{run}->finish foreach @calls;
is(join('', map { ${ $_->{err} } } @calls), '', 'two calls at once');
is(sql("SELECT string_agg(n || ' ' || name, ', ' ORDER BY name) FROM (SELECT name, count(*) AS n FROM kanon.kanon_release_history WHERE number > (SELECT last FROM ward.seen)"
	  . ' AND seconds IS NOT NULL AND digest IS NOT NULL GROUP BY name) h'),
	'2 ward.first, 2 ward.slow, 2 ward.third', '.. each fill all, one after another');
entries();

# Killed: the server comes back with what was done
shut();
$call = session('CALL kanon.kanon_refresh_releases()');
until_waiting();
my $pid = sql("SELECT pid FROM pg_stat_activity WHERE usename = 'steward' AND query ~ '^CALL'");
my $others = sql("SELECT string_agg(pid::text, ',') FROM pg_stat_activity WHERE query ~ 'pg_advisory_lock' AND pid <> pg_backend_pid()");
kill 'KILL', $pid;
$node->poll_query_until('clinic', "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid IN ($others))");
$call->{run}->finish;
$keeper->finish;
is(entries(), 'ward.first refreshed', 'killed: what was done is there, and nothing half');
is(sql('SELECT count(*) FROM pg_class c JOIN kanon.kanon_release r ON r.release = c.oid WHERE NOT relispopulated'), 0, '.. and every release is filled');

# ---- pg_cron

SKIP:
{
	skip 'pg_cron is not installed here (Debian: postgresql-N-cron): its jobs are not tested', 6 unless $cron;
	sql('CREATE EXTENSION pg_cron; GRANT USAGE ON SCHEMA cron TO steward; UPDATE ward.patients SET age = age - 1 WHERE age = 0');
	as('steward', q{
SELECT cron.schedule('releases', '30 2 * * *', 'CALL kanon_refresh_releases()');
SELECT status, return_message FROM cron.job_run_details ORDER BY start_time DESC;
});
	is(sql('SELECT schedule, command, username FROM cron.job'), '30 2 * * *|CALL kanon_refresh_releases()|steward', 'what docs/operations.md shows is a job');
	as('steward', q{SELECT cron.schedule('all', '* * * * *', 'CALL kanon.kanon_refresh_releases()'),
		cron.schedule('some', '* * * * *', $$CALL kanon.kanon_refresh_releases('first')$$)});
	ok($node->poll_query_until('clinic', q{SELECT count(*) = 2 FROM (SELECT DISTINCT jobid FROM cron.job_run_details WHERE status IN ('succeeded', 'failed')) d}),
		'jobs of pg_cron run');
	sql('DELETE FROM cron.job');
	is(sql(q{SELECT DISTINCT d.status FROM cron.job_run_details d WHERE d.command ~ 'first' AND d.username = 'steward'}), 'succeeded', 'one that refreshes a release');
	like(sql(q{SELECT d.status || ': ' || d.return_message FROM cron.job_run_details d WHERE d.command !~ 'first' LIMIT 1}),
		qr/^failed: .*1 of 3 releases were not refreshed/, 'one that has told what failed');
	my $last = sql('SELECT last FROM ward.seen');
	like(entries(), qr/first refreshed.*slow failed.*third refreshed/, '.. and has refreshed the others');
	is(sql("SELECT DISTINCT filled_by FROM kanon.kanon_release_history WHERE number > $last"), 'steward', 'as the role whose job it is');
}

$node->stop;
done_testing();
