# Releases by ring and two-phase through dump and restore with their seeds, interrupted refreshes,
# people coming and going while they are refreshed, and on a standby.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('cells');
$node->init(allows_streaming => 1, extra => [ '--no-locale', '--encoding=UTF8' ]);
$node->append_conf('postgresql.conf', "autovacuum = off\n");
$node->start;
$node->safe_psql('postgres', "CREATE DATABASE $_") for qw(clinic copy copy2);
$node->safe_psql('clinic', q{
	CREATE SCHEMA "Privacy";
	CREATE EXTENSION kanon SCHEMA "Privacy";
	CREATE SCHEMA "The clinic";
	SET search_path = "The clinic";
	CREATE TABLE patients (id int PRIMARY KEY, age int, sex text, zip text, job text, tag int, disease text);
	INSERT INTO patients SELECT i, 20 + abs(hashint4(i) % 6), CASE WHEN i % 9 > 0 THEN (ARRAY['f', 'm'])[1 + abs(hashint4(-i) % 2)] END, (53700 + i * 13 % 120)::text,
		(ARRAY['nurse', 'doctor', 'cook', 'baker'])[1 + abs(hashint4(i + 1000) % 4)], i, 'disease ' || i % 5
	FROM generate_series(1, 607) i;
	CREATE TABLE jobs (job text PRIMARY KEY, field text NOT NULL, anything text NOT NULL);
	INSERT INTO jobs VALUES ('nurse', 'health', 'any'), ('doctor', 'health', 'any'), ('cook', 'food', 'any'), ('baker', 'food', 'any');
	CREATE TABLE zips AS SELECT zip, left(zip, 4) || '*' AS zip4, left(zip, 3) || '**' AS zip3, left(zip, 2) || '***' AS zip2, left(zip, 1) || '****' AS zip1, '*' AS top
	FROM (SELECT (53700 + i)::text AS zip FROM generate_series(0, 119) i) z;
	SELECT "Privacy".kanon_set_attribute('patients', attribute, role) FROM (VALUES ('id', 'identifier'), ('age', 'quasi_identifier'),
		('sex', 'quasi_identifier'), ('tag', 'insensitive'), ('disease', 'sensitive')) v (attribute, role);
	SELECT "Privacy".kanon_set_attribute('patients', 'zip', 'quasi_identifier', 'zips'), "Privacy".kanon_set_attribute('patients', 'job', 'quasi_identifier', 'jobs');
	SELECT "Privacy".kanon_create_release('"By ring"', 'patients', 5, 'ring', options => '{"redraw": true}'),
		"Privacy".kanon_create_release('matched', 'patients', 5, 'two_phase', options => '{"redraw": true}'),
		"Privacy".kanon_create_release('drawn', 'patients', 5, 'ring', options => '{"seed": "the same draw", "redraw": true}'),
		"Privacy".kanon_create_release('undrawn', 'patients', 5, 'ring', options => '{"randomize": false, "redraw": true}'),
		"Privacy".kanon_create_release('once', 'patients', 5, 'two_phase'),
		"Privacy".kanon_create_release('"undrawn once"', 'patients', 5, 'ring', options => '{"randomize": false}');
	SELECT "Privacy".kanon_copy_release('once', '"A copy"', 'id'), "Privacy".kanon_copy_release('"By ring"', 'another', 'id');
	CREATE VIEW released AS SELECT 'ring' AS which, * FROM "By ring" UNION ALL SELECT 'matched', * FROM matched
		UNION ALL SELECT 'drawn', * FROM drawn UNION ALL SELECT 'undrawn', * FROM undrawn;
});

# Does the row r of a release cover the patient p?
my $covers = q{r.age @> p.age AND (r.sex = '*' OR r.sex IS NOT DISTINCT FROM p.sex) AND p.zip LIKE translate(r.zip, '*', '_')
	AND r.job IN (p.job, 'any', CASE WHEN p.job IN ('nurse', 'doctor') THEN 'health' ELSE 'food' END)};

# Released rows that stand for fewer than k patients, or do not cover their own.  Each patient is the
# one with its tag, so releases are looked at with the patients they were made of.
sub wrong
{
	my ($which) = @_;
	return qq{SELECT count(*) FROM "The clinic".released r WHERE which ~ '$which' AND (
		(SELECT count(*) FROM "The clinic".patients p WHERE $covers) < 5
		OR NOT EXISTS (SELECT FROM "The clinic".patients p WHERE p.tag = r.tag AND p.disease = r.disease AND $covers))};
}
my @releases = ('"By ring"', 'matched', 'drawn', 'undrawn');
my $aside = q{SELECT * FROM "Privacy".kanon_check_releases('"The clinic".patients', '{"\\"The clinic\\".\\"A copy\\"","\\"The clinic\\".another","\\"The clinic\\".drawn"}')};
my @once = ('once', '"undrawn once"');
my $contents = join ' UNION ALL ', map { "SELECT count(*), md5(string_agg(r::text, ',' ORDER BY ctid)) FROM \"The clinic\".$_ r" } @releases, @once;
my $catalog = 'SELECT release, relation, recoding, k, columns, quasi_identifiers, rows, classes, smallest, missing, loss'
  . ' FROM "Privacy".kanon_release ORDER BY release::text';
my $seeds = 'SELECT number, release, seed FROM "Privacy".kanon_seed ORDER BY number';
my $refresh_once = join ' ', map { "REFRESH MATERIALIZED VIEW \"The clinic\".$_;" } @once;
my $refresh_all = join ' ', map { "REFRESH MATERIALIZED VIEW \"The clinic\".$_;" } @releases;

is($node->safe_psql('clinic', wrong('')), '0', 'every row covers its patient and k in all');
my $matched = join ' UNION ALL ', map { qq{SELECT satisfied FROM "Privacy".kanon_check_matchings('"The clinic".$_', 5, '"The clinic".patients')} } @releases;
is($node->safe_psql('clinic', "SELECT bool_and(satisfied) FROM ($matched) m"), 't', 'k disjoint ways to match them all');
is($node->safe_psql('clinic', 'SELECT count(DISTINCT (which, tag)) FROM "The clinic".released'), '2428', 'and nobody is left out');
is($node->safe_psql('clinic', 'SELECT count(DISTINCT seed), count(DISTINCT length(seed)) FROM "Privacy".kanon_seed'), '6|2', 'each has its seed');
# Two of them may give the same cells by chance: one time in fifteen.
my $others = join ' UNION ALL ', map {
	$node->safe_psql('clinic', qq{SET search_path = "The clinic"; SELECT "Privacy".kanon_create_release('other_$_', 'patients', 5, 'ring', options => '{"seed": "draw $_", "redraw": true}')});
	qq{SELECT * FROM "The clinic".other_$_} } 1 .. 5;
cmp_ok($node->safe_psql('clinic', "SELECT count(*) FROM ($others) a JOIN \"The clinic\".drawn b USING (tag) WHERE (a.age, a.sex, a.zip, a.job) IS DISTINCT FROM (b.age, b.sex, b.zip, b.job)"),
	'>', 0, 'different seeds draw different matchings');
$node->safe_psql('clinic', qq{SELECT "Privacy".kanon_drop_release('"The clinic".other_$_')}) for 1 .. 5;

# ---- the same people, the same release: wherever the rows lie, whoever refreshes

my $before = $node->safe_psql('clinic', $contents);
my $told = $node->safe_psql('clinic', $aside);
like($told, qr/^f\|5\|607\|/, 'several releases tell more than each');
$node->safe_psql('clinic', qq{UPDATE "The clinic".patients SET age = age WHERE id % 3 = 0; VACUUM FULL "The clinic".patients; $refresh_all $refresh_once});
is($node->safe_psql('clinic', $contents), $before, 'a refresh of unchanged data changes nothing');
$node->safe_psql('clinic', qq{
	SET max_parallel_workers_per_gather = 4; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
	$refresh_all $refresh_once
});
is($node->safe_psql('clinic', $contents), $before, 'nor where it may run in parallel');
$node->safe_psql('clinic', "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1; $refresh_all COMMIT");
is($node->safe_psql('clinic', $contents), $before, 'nor in an older snapshot');

# ---- dump and restore, in text and in parallel

my ($dump, $archive) = map { $node->basedir . "/$_" } 'clinic.sql', 'clinic.dump';
$node->command_ok([ 'pg_dump', '-d', $node->connstr('clinic'), '-f', $dump ], 'pg_dump');
$node->command_ok([ 'psql', '-X', '-v', 'ON_ERROR_STOP=1', '-q', '-d', $node->connstr('copy'), '-f', $dump ], 'restore into another database');
$node->command_ok([ 'pg_dump', '-Fc', '-d', $node->connstr('clinic'), '-f', $archive ], 'pg_dump in custom format');
$node->command_ok([ 'pg_restore', '-e', '-j', '4', '-d', $node->connstr('copy2'), $archive ], 'pg_restore');
for my $copy ('copy', 'copy2')
{
	is($node->safe_psql($copy, $contents), $before, 'the same rows in the same order');
	is($node->safe_psql($copy, $catalog), $node->safe_psql('clinic', $catalog), 'the catalog says the same');
	is($node->safe_psql($copy, $seeds), $node->safe_psql('clinic', $seeds), 'the seeds came along');
	is($node->safe_psql($copy, $aside), $told, 'copies of releases came along');
	$node->safe_psql($copy, "$refresh_all $refresh_once");
	is($node->safe_psql($copy, $contents), $before, 'refreshed there, the releases are what they were');
}
$node->safe_psql('copy', qq{
	DELETE FROM "The clinic".patients WHERE age = 23 AND id % 3 > 0 OR zip = '53701';
	$refresh_all
	SELECT "Privacy".kanon_create_release('"The clinic".late', '"The clinic".patients', 5, 'ring');
	REFRESH MATERIALIZED VIEW "The clinic".late;
});
for my $release (@once)
{
	my $held = $node->safe_psql('copy', "SELECT md5(string_agg(r::text, ',' ORDER BY ctid)) FROM \"The clinic\".$release r");
	$node->psql('copy', "REFRESH MATERIALIZED VIEW \"The clinic\".$release", stderr => \my $error);
	like($error, qr/release "The clinic".$release would be dealt anew/, "$release: what was dealt once is not dealt anew of other rows");
	is($node->safe_psql('copy', "SELECT md5(string_agg(r::text, ',' ORDER BY ctid)) FROM \"The clinic\".$release r"), $held, 'and stays what it was');
}
# .. and where the dump is of another state of the table: the restore goes on, and leaves it without data
$node->safe_psql('postgres', 'CREATE DATABASE copy3');
$node->command_ok([ 'pg_dump', '-Fc', '-d', $node->connstr('copy'), '-f', "$archive.3" ], 'pg_dump after changes');
$node->command_ok([ 'pg_restore', '-e', '-1', '-d', $node->connstr('copy3'), "$archive.3" ], 'pg_restore in one transaction');
is($node->safe_psql('copy3', q{SELECT bool_or(relispopulated) FROM pg_class WHERE relname ~ 'once$'}), 'f', 'what may not be dealt anew is not filled');
is($node->safe_psql('copy3', q{SELECT bool_and(relispopulated) FROM pg_class WHERE relkind = 'm' AND relname !~ 'once$'}), 't', '.. all else is');
is($node->safe_psql('copy3', q{SELECT bool_and(rows IS NULL) FROM "Privacy".kanon_release WHERE release::text ~ 'once'}), 't', '.. as the catalog says');
is($node->safe_psql('copy3', q{SELECT string_agg(DISTINCT how, ',') FROM "Privacy".kanon_release_history h WHERE number = (SELECT max(number) FROM "Privacy".kanon_release_history l WHERE l.release = h.release) AND release::text ~ 'once'}), 'emptied', '.. and the history');
$node->psql('copy3', 'REFRESH MATERIALIZED VIEW "The clinic".once', stderr => \my $anew);
like($anew, qr/ERROR: .*would be dealt anew/, '.. nor later');
$node->safe_psql('copy', 'CREATE ROLE reader; GRANT USAGE ON SCHEMA "Privacy" TO reader');
like(($node->psql('copy', 'SET ROLE reader; SELECT count(*) FROM "Privacy".kanon_seed'))[2], qr/permission denied/, 'the seeds are nobody else\'s there');
is($node->safe_psql('copy', wrong('')), '0', 'refreshed after changes, every row stands for k');
is( $node->safe_psql('copy', q{SELECT sum(rows) FROM "Privacy".kanon_release WHERE release::text !~ 'late|once'}),
	$node->safe_psql('copy', 'SELECT count(*) FROM "The clinic".released'), 'and the catalog knows what they hold');
is($node->safe_psql('copy', 'SELECT count(DISTINCT number), count(DISTINCT seed) FROM "Privacy".kanon_seed'), '7|7', 'a release made there has a number and a seed of its own');

# ---- the owner of a database who is no superuser can dump it with pg_read_all_data alone

$node->safe_psql('postgres', 'CREATE ROLE keeper LOGIN; CREATE DATABASE kept OWNER keeper');
my $as_keeper = $node->connstr('kept') . ' user=keeper';
$node->safe_psql('kept', q{
	CREATE EXTENSION kanon;
	CREATE SCHEMA mine;
	CREATE TABLE mine.t AS SELECT i AS a, i % 3 AS b FROM generate_series(1, 20) i;
	SELECT kanon_create_release('mine.r', 'mine.t', 3, 'ring', quasi_identifiers => '{a,b}');
}, extra_params => [ '-U', 'keeper' ]);
$node->command_fails_like([ 'pg_dump', '-d', $as_keeper, '-f', $node->basedir . '/kept.sql' ], qr/permission denied for \w+ kanon_\w+|"kanon_\w+"; user may lack SELECT privilege/, 'pg_dump says what it may not read');
$node->safe_psql('postgres', 'GRANT pg_read_all_data TO keeper');
$node->command_ok([ 'pg_dump', '-d', $as_keeper, '-f', $node->basedir . '/kept.sql' ], 'pg_dump by one who may read all data');
like(slurp_file($node->basedir . '/kept.sql'), qr/^1\tmine\.r\t[0-9a-f]{64}\tf\t[0-9a-f]{128}$/m, 'has the seed');

# ---- interrupted at many moments

my ($interrupted, $finished, $bad) = (0, 0, 0);
for my $milliseconds ((map { int(1.5**$_) } 0 .. 13), 0) # 0: none
{
	for my $statement (
		'REFRESH MATERIALIZED VIEW "The clinic"."By ring"', q{SELECT "Privacy".kanon_refresh_release('"The clinic".matched')},
		q{SELECT "Privacy".kanon_create_release('"The clinic".new', '"The clinic".patients', 5, 'two_phase')})
	{
		$node->safe_psql('clinic', 'UPDATE "The clinic".patients SET age = 20 + (age * 7 + 1) % 6 WHERE id % 5 = 0');
		my $old = $node->safe_psql('clinic', $contents);
		$node->psql('clinic', $statement, on_error_stop => 0, stderr => \my $stderr,
			connstr => $node->connstr('clinic') . " options='-c statement_timeout=$milliseconds'");
		my $stopped = $stderr =~ /statement timeout/;
		$stopped ? $interrupted++ : $finished++;
		$bad++ if $stderr =~ /(ERROR|FATAL|PANIC):/ && !$stopped;
		$bad++ if $stopped && $node->safe_psql('clinic', $contents) ne $old;
		$bad++ if !$stopped && $statement !~ /create/ && $node->safe_psql('clinic', wrong($statement =~ /ring/ ? '^ring' : '^matched')) ne '0';
		my $known = $node->safe_psql('clinic', q{SELECT to_regclass('"The clinic".new') IS NOT NULL});
		$bad++ if $known ne $node->safe_psql('clinic', q{SELECT count(*) > 6 FROM "Privacy".kanon_release});
		$bad++ if $known ne $node->safe_psql('clinic', q{SELECT count(*) > 6 FROM "Privacy".kanon_seed});
		$node->safe_psql('clinic', q{SELECT "Privacy".kanon_drop_release('"The clinic".new')}) if $known eq 't';
	}
}
note "$interrupted interrupted, $finished finished";
cmp_ok($interrupted, '>', 0, 'some statements were interrupted');
cmp_ok($finished, '>', 0, 'some statements finished');
is($bad, 0, 'each left the old contents or new ones in which every row stands for k');

# ---- people coming and going while they are refreshed: nobody is published twice, or with another's disease

my ($churn, $refresh) = map { $node->basedir . "/$_.pgb" } 'churn', 'refresh';
append_to_file($churn, q{
\set id random(1, 607)
\set age random(20, 26)
DELETE FROM "The clinic".patients WHERE id = :id;
INSERT INTO "The clinic".patients VALUES (:id, :age, 'f', (53700 + :id % 120)::text, 'cook', :id, 'disease ' || :id % 5) ON CONFLICT DO NOTHING;
DELETE FROM "The clinic".patients WHERE age = :age AND id % 11 = 0;
});
append_to_file($refresh, qq{
REFRESH MATERIALIZED VIEW "The clinic"."By ring";
SELECT 1 / (1 - sign(count(*))::int) FROM (SELECT FROM "The clinic"."By ring" GROUP BY tag HAVING count(*) > 1 OR max(disease) <> 'disease ' || tag % 5) c;
SELECT 1 / (1 - sign(count(*))::int) FROM "Privacy".kanon_release WHERE rows < 5;
});
$node->command_ok([ 'pgbench', '-n', '-c', '6', '-t', '40', '-f', "$churn\@8", '-f', "$refresh\@1", $node->connstr('clinic') ],
	'every refresh under load is of some state of the table');
$node->safe_psql('clinic', $refresh_all);
is($node->safe_psql('clinic', wrong('')), '0', 'and after it every row stands for k');
is($node->safe_psql('clinic', "SELECT bool_and(satisfied) FROM ($matched) m"), 't', 'in k disjoint ways');

# ---- on a standby releases are read, and their owner can look at what is drawn

$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;
$node->wait_for_catchup($standby, 'replay', $node->lsn('write'));
is($standby->safe_psql('clinic', $contents), $node->safe_psql('clinic', $contents), 'the releases are there');
my $text = $node->safe_psql('clinic', q{SELECT rtrim(pg_get_viewdef('"The clinic".drawn'), ';')});
is( $standby->safe_psql('clinic', "SELECT md5(string_agg(r::text, ',')) FROM ($text) r"),
	$node->safe_psql('clinic', 'SELECT md5(string_agg(r::text, \',\' ORDER BY ctid)) FROM "The clinic".drawn r'),
	'and their text, run there by their owner, says the same');
$standby->stop;

# ---- the extension cannot go from under them

$node->psql('clinic', 'DROP EXTENSION kanon', stderr => \my $stderr);
like($stderr, qr/cannot drop extension kanon because other objects depend on it/, 'DROP EXTENSION asks for CASCADE');
$node->safe_psql('clinic', 'DROP MATERIALIZED VIEW "The clinic".matched CASCADE');
is($node->safe_psql('clinic', 'SELECT count(*) FROM "Privacy".kanon_seed'), '5', 'the seed of a release that is dropped is forgotten');
$node->safe_psql('clinic', 'DROP SCHEMA "The clinic" CASCADE');
is($node->safe_psql('clinic', 'SELECT count(*) FROM "Privacy".kanon_seed'), '0', 'also with its schema');

$node->stop;
done_testing();
