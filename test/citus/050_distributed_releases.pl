# Releases that are distributed tables: the same rows as others, refreshed while people read them, and
# what stays of them when rows change, rights are given, workers are lost or the coordinator dies.
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

sub ask { return (citus_ask($node, @_))[0] // '' }
sub ask_as { my ($role, $statement) = @_; return ask("SET ROLE $role; $statement") }

# ---- all recodings

my %release = (
	(map { $_ => "5, '$_'" } qw(mondrian strict_mondrian relaxed_mondrian)),
	ring => "3, 'ring', options => '{\"seed\": \"x\", \"redraw\": true, \"storage\": \"distributed\"}'",
	two_phase => "3, 'two_phase', quasi_identifiers => '{age,n}', options => '{\"seed\": \"x\", \"redraw\": true, \"storage\": \"distributed\"}'",
	cohorts => "5, 'cohorts', options => '{\"key\": \"id\", \"wait\": 0, \"leavers\": \"keep\", \"storage\": \"distributed\"}'",
	full_domain => "5, 'full_domain', suppression => 0.05",
	spelled => "2, 'full_domain', quasi_identifiers => '{income,sex}', suppression => 0.9",
	coarse => "5, 'full_domain', suppression => 0.99, options => '{\"levels\": [1, 0, 2], \"storage\": \"distributed\"}'",
	judged => "5, 'full_domain', suppression => 0.9, models => 'distinct(disease, 3)'",
	local_of_models => "5, 'local', models => 'distinct(disease, 3)', suppression => 0.02",
	of_people => "5, person => 'person', models => 'distinct(disease, 2)'",
	of_dates => "20, quasi_identifiers => '{birth,income,ward}', options => '{\"ranges\": true, \"storage\": \"distributed\"}'",
	means => "5, quasi_identifiers => '{n,pay}', options => '{\"means\": true, \"storage\": \"distributed\"}'",
);
my @names = sort keys %release;
my $figures = q{SELECT kanon_digest('%1$s'), (recoding, k, columns, quasi_identifiers, levels, rows, classes, smallest, people, missing, loss, satisfied)::text FROM kanon_release WHERE release = '%1$s'::regclass};
# Later nights of cohorts follow from a key of each state, which is drawn.
sub same { my ($say) = @_; is(ask(sprintf $figures, "${_}_there"), ask(sprintf $figures, "${_}_here"), "$_ $say: as a view of a local table") for grep { !($_ eq 'cohorts' && $say ne 'made') } @names }

for my $name (@names)
{
	my $there = $release{$name} =~ /options/ ? $release{$name} : "$release{$name}, options => '{\"storage\": \"distributed\"}'";
	my $here = $release{$name} =~ s/, "storage": "distributed"//r;
	is(ask("SELECT kanon_create_release('${name}_here', 'whole', $here)"), "${name}_here", "$name is made");
	is(ask("SELECT kanon_create_release('${name}_there', 'people', $there)"), "${name}_there", '.. on the workers, too');
}
same('made');
for my $kind (qw(whole people))
{
	$node->safe_psql('postgres', "DELETE FROM $kind WHERE id % 13 = 1; UPDATE $kind SET age = 99 - age, sex = NULL WHERE ward LIKE 'd%'; UPDATE $kind SET zip = (53000 + id % 900)::text WHERE id % 101 = 5");
}
is(join(' ', map { ask("SELECT (kanon_refresh_release('${_}_here')).changed, (kanon_refresh_release('${_}_there', concurrently => true)).changed") } @names), join(' ', map { 't|t' } @names), 'all are refreshed');
same('refreshed');
for my $name (qw(full_domain coarse judged))
{
	my $way = join ' ', citus_ask($node, "SET client_min_messages = debug1; SELECT FROM kanon_refresh_release('${name}_there')");
	$name eq 'judged' ? unlike($way, qr/repartitioned INSERT/, "the coordinator fills $name") : like($way, qr/repartitioned INSERT/, "workers alone fill $name");
}
is(ask("SELECT kanon_replace_release('mondrian_there', 7, models => 'distinct(disease, 2)')"), 'mondrian_there', 'one is replaced');
is(ask("SELECT kanon_replace_release('mondrian_here', 7, models => 'distinct(disease, 2)')"), 'mondrian_here', '.. both are');
same('replaced');
is(ask("SELECT count(*) FROM kanon_release_history WHERE release = 'mondrian_there'::regclass AND digest IS NOT NULL"), 3, 'its history');
is(ask("SELECT count(DISTINCT nodeid) > 1, sum(result::int) = (SELECT rows FROM kanon_release WHERE release = 'mondrian_there'::regclass) FROM run_command_on_shards('mondrian_there', 'SELECT count(*) FROM %s') JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)"), 't|t', 'its rows are on both workers');
is(ask('SELECT count(*) FROM (SELECT age, sex, zip FROM mondrian_there GROUP BY 1, 2, 3 HAVING count(DISTINCT part) > 1) x'), 0, 'no class is divided');
is(ask("SELECT satisfied FROM kanon_check('$_\_there')"), 't', "kanon_check('$_\_there')") for qw(mondrian full_domain judged local_of_models);
is(ask("SELECT satisfied FROM kanon_check_matchings('ring_there')"), 't', "kanon_check_matchings('ring_there')");
is(ask("SELECT loss, discernibility FROM kanon_quality('mondrian_there')"), ask("SELECT loss, discernibility FROM kanon_quality('mondrian_here')"), 'kanon_quality');
like(ask("SELECT kanon_report('mondrian_there')"), qr/<\/html>/, 'kanon_report');

# ---- what stays, and who may do what

my $options = q{options => '{"storage": "distributed"}'};
$node->safe_psql('postgres', q{CREATE ROLE office LOGIN; CREATE ROLE reader LOGIN; GRANT CREATE ON SCHEMA public TO office; GRANT SELECT ON people, ages, zips TO office});
is(ask_as('office', "SELECT kanon_create_release('study', 'people', 5, $options)"), 'study', 'somebody else makes one');
my $number = ask("SELECT 'study'::regclass::oid");
is(ask_as('office', q{GRANT SELECT ON study TO reader; COMMENT ON TABLE study IS 'of people';
	COMMENT ON COLUMN study.age IS 'in ranges';
	CREATE INDEX by_zip ON study (zip); CREATE VIEW seen AS SELECT age, count(*) FROM study GROUP BY age; GRANT SELECT ON seen TO reader}), '', 'with grants, comments, an index and a view');
is(ask_as('office', "SELECT rows > 0 FROM kanon_refresh_release('study')"), 't', 'they refresh it');
is(ask("SELECT 'study'::regclass::oid"), $number, '.. the same table');
is(ask(q{SELECT obj_description('study'::regclass), col_description(attrelid, attnum) FROM pg_attribute WHERE attrelid = 'study'::regclass AND attname = 'age'}), 'of people|in ranges', '.. with comments');
is(ask_as('reader', 'SELECT count(*) FROM study; SELECT sum(count) FROM seen'), ask('SELECT rows, rows FROM kanon_release WHERE release::text = \'study\'') =~ s/\|/\n/r, '.. and grants');
like(ask(q{EXPLAIN SELECT * FROM study WHERE zip = '53701' AND part = 3}), qr/Index|Bitmap/, '.. and an index') if ask('SET enable_seqscan = off') eq '';
is(ask(q{SELECT count(*) FROM pg_inherits WHERE inhparent = 'study'::regclass}), 1, '.. of one partition');
is(ask(q{SELECT count(*) FROM pg_class WHERE relname LIKE 'study%' AND relkind IN ('r', 'p', 'm')}), 3, '.. and nothing is left behind');
like(ask_as('reader', 'SELECT FROM study_rows' . ask("SELECT substr(inhrelid::regclass::text, 11) FROM pg_inherits WHERE inhparent = 'study'::regclass")), qr/permission denied/, 'nobody reads the partition itself');
for my $write ('INSERT INTO study DEFAULT VALUES', 'DELETE FROM study', q{UPDATE study SET zip = '1'}, 'TRUNCATE study')
{
	like(ask_as('office', $write), qr/^ERROR:  permission denied for table study$/, "$write: not even the owner");
}
is(ask_as('office', 'GRANT INSERT, DELETE ON study TO reader, office; GRANT UPDATE (zip) ON study TO PUBLIC; DELETE FROM study'), '', 'unless the owner takes the right back');
is(ask_as('office', "SELECT rows > 0 FROM kanon_refresh_release('study')"), 't', 'which the next refresh mends');
like(ask_as($_, 'DELETE FROM study'), qr/^ERROR:  permission denied for table study$/, ".. for $_") for qw(office reader);
like(ask_as('reader', q{UPDATE study SET zip = '1'}), qr/^ERROR:  permission denied for table study$/, '.. and of columns');
like(ask_as('office', 'REFRESH MATERIALIZED VIEW study_query'), qr/^ERROR:  public\.study_query only holds the SQL of a release$/, 'its query is not filled');
like(ask("SELECT kanon_replace_release('study', options => '{\"storage\": \"$_\"}')"), qr/^ERROR:  release public\.study cannot be replaced by one of another storage$/, "it does not become a $_") for qw(table view);
for my $change ([ 'ADD COLUMN more int', 'added column "more"', 'DROP COLUMN more' ])
{
	my ($do, $what, $undo) = @$change;
	is(ask_as('office', "ALTER TABLE study $do"), '', $do);
	like(ask_as('office', "SELECT kanon_refresh_release('study')"), qr/^ERROR:  release public\.study cannot be filled: its table has \Q$what\E$/, '.. is refused');
	is(ask_as('office', "ALTER TABLE study $undo"), '', $undo);
}
like(ask_as('office', "SELECT kanon_refresh_release('study')"), qr/^ERROR:  release public\.study cannot be filled: its table has a dropped column$/, '.. leaves a trace');
is(ask_as('office', "SELECT kanon_drop_release('study')"), "ERROR:  cannot drop table public.study because other objects depend on it", 'a view keeps it');
is(ask_as('office', "DROP VIEW seen; SELECT kanon_drop_release('study')"), '', 'it is dropped');
is(ask(q{SELECT count(*) FROM pg_class WHERE relname LIKE 'study%'}), 0, '.. with all that belongs to it');

# Where code of others may run on the way, the coordinator fills it.
$node->safe_psql('postgres', q{CREATE VIEW seen AS TABLE people; SELECT kanon_set_attribute('seen', 'age', 'quasi_identifier', 'ages')});
my $levels = q{5, 'full_domain', '{age}', suppression => 0.9, options => '{"storage": "distributed"}'};
is(ask("SELECT kanon_create_release('of_view', 'seen', $levels); SELECT kanon_create_release('of_table', 'people', $levels); SELECT count(DISTINCT (rows, classes, smallest, missing)) FROM kanon_release WHERE release::text IN ('of_view', 'of_table')"), "of_view\nof_table\n1", 'of a view');
$node->safe_psql('postgres', q{ALTER TABLE people ENABLE ROW LEVEL SECURITY});
unlike(join(' ', citus_ask($node, "SET client_min_messages = debug1; SELECT FROM kanon_refresh_release('of_$_')")), qr/repartitioned INSERT/, ".. and with policies: of_$_") for qw(view table);
$node->safe_psql('postgres', q{ALTER TABLE people DISABLE ROW LEVEL SECURITY});

# Columns of the relation may be called like the column of parts.
$node->safe_psql('postgres', q{CREATE TABLE parts AS SELECT id, age AS part, zip AS part_1, disease FROM whole; SELECT create_distributed_table('parts', 'id');
	SELECT kanon_declare('parts', '{part,part_1}', '{disease}', '{}', '{id}')});
is(ask("SELECT kanon_create_release('of_parts', 'parts', 5, $options); SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'of_parts'::regclass AND attnum > 0"), "of_parts\npart part_1 disease part_2", 'columns named part');
is(ask('SET client_min_messages = error; DROP TABLE parts CASCADE; SELECT count(*) > 0 FROM of_parts'), 't', 'it outlives its relation');
like(ask("SELECT kanon_refresh_release('of_parts')"), qr/^ERROR:  the (query|relation) of release public\.of_parts (is gone|was dropped)$/, '.. but is not refreshed');
is(ask("SELECT kanon_drop_release('of_parts'); SELECT to_regclass('of_parts') IS NULL"), 't', '.. and can be dropped');

# ---- readers see one release or the next, never a part of one

is(ask("SELECT kanon_create_release('read', 'people', 5, $options)"), 'read', 'one to read');
my %whole = map { ask('SELECT count(*), sum(hashtext(r::text)::int8) FROM (SELECT age, sex, zip, disease FROM read) r') => 1 } 1;
sub flip { ask("UPDATE people SET n = 3 - n, disease = CASE WHEN disease LIKE '%x' THEN rtrim(disease, 'x') ELSE disease || 'x' END") }
flip();
ask("SELECT FROM kanon_refresh_release('read', concurrently => true)");
$whole{ ask('SELECT count(*), sum(hashtext(r::text)::int8) FROM (SELECT age, sex, zip, disease FROM read) r') } = 1;
is(scalar(keys %whole), 2, 'two states of it');
my $directory = PostgreSQL::Test::Utils::tempdir();
my $script = "$directory/reads";
PostgreSQL::Test::Utils::append_to_file($script, "SELECT count(*), sum(hashtext(r::text)::int8) FROM (SELECT age, sex, zip, disease FROM read) r;\n" x 10000);
my @readers = map { my $said = "$directory/${\$_->name}"; { said => $said, handle => IPC::Run::start([ 'psql', '-XAtq', '-f', $script, '-d', $_->connstr('postgres') ], '>', $said, '2>&1') } } $node, $north;
my $end = time + ($ENV{CITUS_SECONDS} // 12) / 2;
my ($refreshes, @errors) = (0);
while (time < $end)
{
	flip();
	my $refreshed = ask("SELECT FROM kanon_refresh_release('read', concurrently => true)");
	push @errors, $refreshed if $refreshed ne '';
	$refreshes++;
}
for my $reader (@readers)
{
	$reader->{handle}->kill_kill;
	my @lines = split /\n/, slurp_file($reader->{said});
	pop @lines;
	cmp_ok(scalar(@lines), '>', 10, 'a reader reads on');
	is(join("\n", grep { !$whole{$_} } @lines), '', '.. and sees whole releases only');
}
is("@errors", '', "$refreshes refreshes beside them");

# ---- a worker is lost, the coordinator dies

# "read" is filled by the coordinator, "alone" by the workers.
is(ask("SELECT kanon_create_release('alone', 'people', 5, 'full_domain', suppression => 0.5, $options)"), 'alone', 'one that workers fill');
my $digests = "SELECT kanon_digest('read'), kanon_digest('alone')";
my $rest = q{SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relname ~ '^(read|alone|half|pg_temp)' AND relkind IN ('r', 'p', 'm')};
my $before = ask($digests) . ask($rest);
sub stands { is(ask($digests) . ask($rest), $before, $_[0]) }
flip();
$south->stop('immediate');
like($_, qr/ERROR:  .*\Q${\$south->port}\E/, 'without a worker') for citus_ask($node, "SELECT kanon_refresh_release('read')", "SELECT kanon_refresh_release('alone')", "SELECT kanon_create_release('half', 'people', 5, $options)",
	"SELECT kanon_create_release('half', 'whole', 5, $options)", "SELECT kanon_create_release('half', 'people', 5, 'full_domain', suppression => 0.5, $options)", "SELECT kanon_replace_release('read', 6)");
$south->start;
stands('.. the releases stand, and nothing is half done');

# Amid the work of the workers: a shard is locked there.
{
	my $shard = ask("SELECT shard_name FROM citus_shards WHERE table_name = 'people'::regclass AND nodeport = ${\$south->port} AND shard_size > 0 LIMIT 1");
	my ($in, $ignored) = ("SET citus.enable_manual_changes_to_shards = on; BEGIN; LOCK TABLE $shard;\n", '');
	for my $release (qw(read alone))
	{
		my $said = '';
		my $locker = IPC::Run::start([ 'psql', '-XAtq', '-d', $south->connstr('postgres') ], '<', \(my $lock = $in), '>&', \$ignored);
		$locker->pump_nb;
		$south->poll_query_until('postgres', "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE relation = '$shard'::regclass AND mode = 'AccessExclusiveLock' AND granted)");
		my $asker = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-c', "SELECT kanon_refresh_release('$release')" ], '>&', \$said);
		$south->poll_query_until('postgres', "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE relation = '$shard'::regclass AND NOT granted)");
		$south->stop('immediate');
		$asker->finish;
		$locker->finish;
		like($said, qr/ERROR/, "a worker is lost amid a refresh of $release");
		$south->start;
	}
	stands('.. the releases stand');
}

# Between writing and exchange: a refresh waits for a reader.
sub with_reader
{
	my ($release, $do) = @_;
	my ($in, $ignored, $said) = ("BEGIN; SELECT count(*) FROM $release;\n", '', '');
	my $reader = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres') ], '<', \$in, '>', \$ignored, '2>', \my $lost);
	$reader->pump until $ignored =~ /\d/;
	my $refresher = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-c', "SELECT kanon_refresh_release('$release', concurrently => true)" ], '>&', \$said);
	$node->poll_query_until('postgres', q{SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE query LIKE '%kanon_refresh_release%' AND pid <> pg_backend_pid() AND (wait_event = 'PgSleep' OR wait_event_type = 'Lock'))});
	$do->();
	$reader->kill_kill;
	$refresher->finish;
	return $said;
}
for my $release (qw(read alone))
{
	like(with_reader($release, sub { $south->stop('immediate') }), qr/ERROR/, "a worker is lost between writing and exchange of $release");
	$south->start;
	stands('.. the releases stand');
	with_reader($release, sub { $node->stop('immediate') });
	$node->start;
	stands('the coordinator dies there, and they stand');
}
is(ask("SELECT (kanon_refresh_release('$_')).changed"), 't', ".. a refresh of $_ works") for qw(read alone);
is(ask("SELECT sum(result::int) = (SELECT count(*) FROM pg_dist_shard WHERE logicalrelid::text ~ '^(read|alone)_(rows|stage)') FROM run_command_on_workers(\$\$SELECT count(*) FROM pg_class WHERE relname ~ '^(read|alone)_(rows|stage).*_[0-9]{5,}\$' AND relkind = 'r'\$\$)"), 't', '.. and no shards of others are left');

# ---- without its shards

$node->safe_psql('postgres', 'CREATE DATABASE elsewhere');
my $dump = PostgreSQL::Test::Utils::tempdir() . '/dump';
$node->command_ok([ 'pg_dump', '-Fc', '--extension=kanon', '-f', $dump, '-d', $node->connstr('postgres') ], 'dumped');
IPC::Run::run([ 'pg_restore', '-d', $node->connstr('elsewhere'), $dump ], '2>', \my $without); # foreign servers
is($node->safe_psql('elsewhere', "SELECT kanon_digest('read')"), ask("SELECT kanon_digest('read')"), 'restored where no Citus is, it has its rows');
$node->psql('elsewhere', "SELECT kanon_refresh_release('read')", stderr => \my $refused);
like($refused, qr/ERROR:  release public\.read cannot be filled: its table has no shards/, '.. it is not refreshed');

done_testing();
