# Releases of a distributed table while its rows change and its shards move, while a worker is down,
# for roles with few rights, and after Citus has made the table anew.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin, "$FindBin::RealBin/../t";

use Citus;
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;

my ($node, @workers) = citus_start();
citus_people($node, @workers);
my ($north, $south) = @workers;

sub ask { return (citus_ask($node, @_))[0] }
sub digest { return ask("SELECT kanon_digest('$_[0]')") }
sub same
{
	my ($statement, $what) = @_;
	is(ask(sprintf $statement, 'people'), ask(sprintf $statement, 'whole'), $what);
}

sub move_shard { return citus_move_shard($node, @workers) }

# ---- shards move, and nothing else changes

$node->safe_psql('postgres', q{
	SELECT kanon_create_release('divided', 'people', 5), kanon_create_release('coarse', 'people', 5, 'full_domain', suppression => 0.3),
		kanon_create_release('judged', 'people', 5, models => 'distinct(disease, 3)')});
my $divided = digest('divided');
is(move_shard(), '', 'a shard moves') for 1 .. 2;
is(ask("SELECT (kanon_refresh_release('divided')).changed"), 'f', 'which changes no release');
is(digest('divided'), $divided, 'at all');
same("SELECT md5(kanon_grow_tree('%s', 5)::text)", 'nor a tree');

# ---- others write, shards move, releases are refreshed

my $seconds = $ENV{CITUS_SECONDS} // 12;
my @scripts = (q{
\set part random(0, 6)
\set by random(1, 60)
UPDATE people SET age = 20 + (age + :by) % 60, n = (n + :by) % 4 WHERE id % 7 = :part;
}, q{
\set part random(0, 10)
BEGIN;
DELETE FROM people WHERE id % 11 = :part;
INSERT INTO people SELECT * FROM whole WHERE id % 11 = :part;
COMMIT;
}, q{
\set first random(1, 100000)
DELETE FROM people WHERE id > 4000;
INSERT INTO people SELECT 4000 + :first + id, ward, age, sex, zip, n, disease, pay, birth, income, person FROM whole WHERE id <= 200;
});
my @writers;
for my $i (0 .. $#scripts)
{
	my $file = PostgreSQL::Test::Utils::tempdir() . "/writes$i.sql";
	PostgreSQL::Test::Utils::append_to_file($file, $scripts[$i]);
	# Into a file: nobody empties a pipe meanwhile, and a writer that waits for it holds its locks.
	my $said = "$file.said";
	push @writers, { said => $said, handle => IPC::Run::start([ 'pgbench', '-n', '-c', 1, '-T', $seconds, '--max-tries=1000', '-f', $file, '-d', $node->connstr('postgres') ], '>&', $said) };
}
my $end = time + $seconds;
my ($refreshes, $moves, @bad, @errors) = (0, 0);
while (time < $end)
{
	for my $release (qw(divided coarse judged))
	{
		my ($refreshed, $held) = citus_ask($node, "SELECT FROM kanon_refresh_release('$release')", "SELECT satisfied FROM kanon_check('$release')");
		$refreshes++;
		push @errors, $refreshed if $refreshed =~ /ERROR/;
		push @bad, $release if $held ne 't';
	}
	my $moved = move_shard();
	$moves++;
	push @errors, $moved if $moved ne '';
}
for my $writer (@writers)
{
	$writer->{handle}->finish;
	my $said = PostgreSQL::Test::Utils::slurp_file($writer->{said});
	my ($done) = $said =~ /transactions actually processed: (\d+)/;
	cmp_ok($done // 0, '>', 0, 'writes');
	unlike($said, qr/aborted/, '.. without errors') or diag($said);
}
is("@bad", '', "all of $refreshes refreshes beside writes and $moves moves of shards are safe");
is("@errors", '', 'and raise no error');

$node->safe_psql('postgres', 'TRUNCATE people; INSERT INTO people TABLE whole');
same("SELECT md5(kanon_grow_tree('%s', 5)::text)", 'the table is as it was');
is(ask("SELECT (kanon_refresh_release('divided')).changed") . digest('divided'), "t$divided", 'and so is the release');

# ---- a worker is down

my @calls = ("SELECT kanon_check('people', 5)", "SELECT kanon_check('people', 5, models => 'distinct(disease, 2)')", "SELECT count(*) FROM kanon_incognito('people', 5)",
	"SELECT kanon_grow_tree('people', 5) IS NULL", "SELECT kanon_create_release('half', 'people', 5)", "SELECT count(*) FROM kanon_sample_uniques('people', '{age,sex}', 2)",
	"SELECT kanon_refresh_release('divided')", "SELECT kanon_refresh_release('divided', concurrently => true)", "SELECT kanon_create_dimension('half', 'people', 'n', 'quantiles', '{2}')");
$south->stop('immediate');
my @answers = citus_ask($node, @calls);
like($answers[$_], qr/ERROR:  .*\Q${\$south->port}\E/, "without a worker: $calls[$_]") for 0 .. $#calls;
is(digest('divided'), $divided, 'the release stands');
is(ask("SELECT to_regclass('half') IS NULL AND NOT EXISTS (SELECT 1 FROM kanon_release WHERE release::text = 'half')"), 't', 'and nothing is half done');
$south->start;
is(ask("SELECT (kanon_refresh_release('divided')).changed"), 'f', 'when it is back, so is the release');

# It stops amid a refresh, which waits for it: the table is locked there.
{
	my $shard = ask("SELECT shard_name FROM citus_shards WHERE table_name = 'people'::regclass AND nodeport = ${\$south->port} AND shard_size > 0 LIMIT 1");
	my ($in, $ignored, $said) = ("SET citus.enable_manual_changes_to_shards = on; BEGIN; LOCK TABLE $shard;\n", '', '');
	my $locker = IPC::Run::start([ 'psql', '-XAtq', '-d', $south->connstr('postgres') ], '<', \$in, '>&', \$ignored);
	$locker->pump_nb;
	$south->poll_query_until('postgres', "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE relation = '$shard'::regclass AND mode = 'AccessExclusiveLock' AND granted)");
	my $asker = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-c', "SELECT kanon_refresh_release('divided')" ], '>&', \$said);
	$south->poll_query_until('postgres', "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE relation = '$shard'::regclass AND NOT granted)");
	$south->stop('immediate');
	$asker->finish;
	$locker->finish;
	like($said, qr/ERROR/, 'a worker stops amid a refresh: an error');
	is(digest('divided'), $divided, 'the release stands');
	$south->start;
	is(ask("SELECT (kanon_refresh_release('divided')).changed"), 'f', 'and a retry heals');
}

# ---- whose rows

$node->safe_psql('postgres', q{
	CREATE ROLE reader LOGIN; CREATE ROLE clerk LOGIN;
	GRANT CREATE ON SCHEMA public TO reader;
	GRANT SELECT ON ages, zips, whole, people TO reader;
	GRANT SELECT (age, sex) ON whole TO clerk;
	GRANT SELECT (age, sex) ON people TO clerk;
	ALTER TABLE whole ENABLE ROW LEVEL SECURITY;
	ALTER TABLE people ENABLE ROW LEVEL SECURITY;
	CREATE POLICY most ON whole TO reader USING (ward <> 'a');
	CREATE POLICY most ON people TO reader USING (ward <> 'a');
	SELECT kanon_create_release('all_rows', 'people', 5)});
for my $statement ("SELECT kanon_check('%s', 5)", "SELECT kanon_check('%s', 5, models => 'distinct(disease, 2)')", "SELECT md5(kanon_grow_tree('%s', 20)::text)",
	"SELECT md5(string_agg(a::text, '')) FROM kanon_incognito('%s', 5) a",
	map { "SELECT kanon_create_release('%1\$s_seen', '%1\$s', 5, $_) IS NULL; SELECT kanon_digest('%1\$s_seen'); SELECT kanon_drop_release('%1\$s_seen')" } "'mondrian'", "'full_domain', suppression => 0.1")
{
	same("SET ROLE reader; $statement", "$statement, of the rows that a policy shows");
}
isnt(ask("SET ROLE reader; SELECT kanon_create_release('seen', 'people', 5); SELECT kanon_digest('seen')"), "seen\n" . digest('all_rows'), '.. which are not all');
$node->safe_psql('postgres', 'ALTER TABLE whole DISABLE ROW LEVEL SECURITY; ALTER TABLE people DISABLE ROW LEVEL SECURITY');
same("SET ROLE clerk; SELECT kanon_check('%s', 5, '{age,sex}')", 'privileges for columns');
like(ask("SET ROLE clerk; SELECT kanon_check('people', 5, '{age,zip}')"), qr/ERROR:  permission denied/, '.. and for no others');

done_testing();
