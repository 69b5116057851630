# Releases refreshed while others read them: the contents are those of a plain
# refresh, nobody waits but for the exchange, and cancels, crashes, deadlocks
# and readers who never leave do no harm.
use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep time);

my $node = PostgreSQL::Test::Cluster->new('concurrently');
$node->init(extra => [ '--no-locale', '--encoding=UTF8' ]);
# Nothing of what is made anew is logged: it has to be on disk at the commit.
$node->append_conf('postgresql.conf',
	"autovacuum = off\nwal_level = minimal\nmax_wal_senders = 0\nwal_skip_threshold = 0\nmax_prepared_transactions = 2\n");
$node->start;
my $space = $node->basedir . '/space';
mkdir $space or die $!;

$node->safe_psql('postgres', qq{
	CREATE TABLESPACE elsewhere LOCATION '$space';
	CREATE SCHEMA kanon;
	CREATE EXTENSION kanon SCHEMA kanon;
	CREATE ROLE owner LOGIN;
	CREATE ROLE other LOGIN;
	GRANT CREATE ON TABLESPACE elsewhere TO owner;
	GRANT USAGE ON SCHEMA kanon TO PUBLIC;
	CREATE SCHEMA study AUTHORIZATION owner;
	GRANT USAGE ON SCHEMA study TO other;
	SET ROLE owner;
	SET search_path = study;
	-- Letters are longer than a page.
	CREATE TABLE patients AS SELECT i AS id, i % 40 AS age, chr(65 + i % 3) AS ward, repeat(md5(i::text), 200) AS letter
	FROM generate_series(1, 600) i;
	ALTER TABLE patients ALTER COLUMN letter SET STORAGE EXTERNAL;
	UPDATE patients SET letter = letter;
	SELECT kanon.kanon_create_dimension('ages', 'patients', 'age', 'ranges', '{10}'),
		kanon.kanon_set_attribute('patients', 'ward', 'quasi_identifier'),
		kanon.kanon_set_attribute('patients', 'letter', 'insensitive'),
		kanon.kanon_set_attribute('patients', 'id', 'identifier');
	SELECT kanon.kanon_create_release(r, 'patients', 5, r, suppression => CASE r WHEN 'full_domain' THEN 0.9 ELSE 0 END, options => CASE WHEN r IN ('ring', 'two_phase') THEN '{"redraw": true}'::jsonb END) FROM unnest('{full_domain,mondrian,relaxed_mondrian,ring,two_phase}'::text[]) r;
	CREATE INDEX by_ward ON mondrian (ward) INCLUDE (letter) WHERE ward IS NOT NULL;
	DROP INDEX by_ward;
	CREATE INDEX by_ward ON mondrian (ward text_pattern_ops DESC NULLS LAST) INCLUDE (age) WITH (fillfactor = 60) TABLESPACE elsewhere;
	CREATE INDEX by_length ON mondrian (length(letter), ward) WHERE ward <> 'Z';
	CREATE INDEX by_age ON mondrian USING hash (age);
	ALTER MATERIALIZED VIEW mondrian SET (fillfactor = 80);
	ALTER MATERIALIZED VIEW ring SET TABLESPACE elsewhere;
	ALTER MATERIALIZED VIEW mondrian ALTER COLUMN age SET STATISTICS 7;
	COMMENT ON INDEX by_ward IS 'wards';
	CREATE VIEW wards AS SELECT ward, count(*) FROM mondrian GROUP BY ward;
	GRANT SELECT ON mondrian, wards TO other;
	REFRESH MATERIALIZED VIEW relaxed_mondrian WITH NO DATA;
	DELETE FROM patients WHERE id % 7 = 0;
});
my @releases = qw(full_domain mondrian relaxed_mondrian ring two_phase);
my $refresh = 'SELECT NULL FROM kanon.kanon_refresh_release';

# Everything that names the release or its indexes, and how the files lie.  A TOAST table is
# another one, as after VACUUM FULL, under the same name.
my $state = q{
	SELECT CASE WHEN c.relnamespace <> 'pg_toast'::regnamespace THEN c.oid END, c.relname, c.reltoastrelid::regclass, c.reltablespace, c.reloptions, c.relacl, c.relpersistence, c.relam,
		c.relhasindex, i.indisvalid, obj_description(c.oid), pg_get_indexdef(i.indexrelid)
	FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid WHERE c.oid >= 16384
	ORDER BY c.relname, c.oid;
	SELECT count(*) FROM pg_class;
	SELECT count(*) FROM pg_depend;
	SELECT count(*) FROM pg_attribute};
my $files = q{SELECT oid, pg_relation_filenode(oid) FROM pg_class WHERE oid IN (SELECT reltoastrelid FROM pg_class WHERE relname = 'mondrian')
	OR relname ~ '^by_|^mondrian$' ORDER BY oid};

sub contents
{
	return $node->safe_psql('postgres', "SELECT count(*), md5(string_agg(r::text || ctid, ' ' ORDER BY ctid)) FROM study.$_[0] r");
}
sub figures
{
	return $node->safe_psql('postgres', "SELECT rows, classes, smallest, people, missing, round(loss::numeric, 9)
		FROM kanon.kanon_release WHERE release = 'study.$_[0]'::regclass");
}

# The same as a plain refresh, under the same OIDs.
my $old_files = $node->safe_psql('postgres', $files);
foreach my $release (@releases)
{
	my $old = $release eq 'relaxed_mondrian' ? '' : contents($release);
	my $before = $node->safe_psql('postgres', $state);
	my $warnings;
	$node->psql('postgres', "$refresh('study.$release', concurrently => true)", stderr => \$warnings, on_error_die => 1);
	is($node->safe_psql('postgres', $state), $before, "$release: catalogs are as they were, nothing is left behind");
	is($warnings, '', "$release: refreshed");
	my ($contents, $figures) = (contents($release), figures($release));
	isnt($contents, $old, "$release: other contents");
	$node->safe_psql('postgres', "REFRESH MATERIALIZED VIEW study.$release");
	is(contents($release), $contents, "$release: those of a plain refresh, in their order");
	is(figures($release), $figures, "$release: with their figures");
	$node->safe_psql('postgres', "$refresh('study.$release', concurrently => true)");
}
my $new_files = $node->safe_psql('postgres', $files);
my %old = map { $_ => 1 } split /\n/, $old_files;
is(scalar(grep { $old{$_} } split /\n/, $new_files), 0, 'all files are new');
is($node->safe_psql('postgres', 'SELECT sum(count) FROM study.wards'), 515, 'dependent views read it');
my $plan = $node->safe_psql('postgres', q{SET enable_seqscan = off; EXPLAIN (COSTS off) SELECT 1 FROM study.mondrian WHERE ward = 'A'});
like($plan, qr/by_ward/, 'indexes are there');
is($node->safe_psql('postgres', "SET enable_seqscan = off; SELECT count(*) FROM study.mondrian WHERE length(letter) = 6400 AND ward <> 'Z'"),
	515, 'and find all rows');
if ($node->psql('postgres', 'CREATE EXTENSION amcheck') == 0)
{
	is($node->safe_psql('postgres', q{
		SELECT count(bt_index_check(i, true)) FROM unnest('{study.by_ward,study.by_length}'::regclass[]) i;
		SELECT count(*) FROM unnest('{study.mondrian,study.ring}'::regclass[]) r, verify_heapam(r)}), "2\n0", 'amcheck finds nothing');
}
is($node->safe_psql('postgres', "ANALYZE study.mondrian; VACUUM (FREEZE) study.mondrian; VACUUM FULL study.mondrian;
	$refresh('study.mondrian', concurrently => true); SELECT count(*), sum(length(letter)) FROM study.mondrian"), "\n515|3296000", 'beside VACUUM FULL');

# Refused.
sub fails
{
	my ($sql, $expected, $name) = @_;
	my ($contents, $errors) = contents('mondrian');
	$node->psql('postgres', "\\set VERBOSITY verbose\n$sql", stderr => \$errors);
	like($errors, $expected, $name);
	is(contents('mondrian'), $contents, "$name: as it was");
}
my $mondrian = "$refresh('study.mondrian', concurrently => true)";
fails("SET ROLE other; $mondrian", qr/42501: .*must be owner of materialized view mondrian/, 'not the owner');
fails("BEGIN READ ONLY; $mondrian", qr/25006/, 'read only');
fails("$refresh('study.mondrian', concurrently => NULL)", qr/concurrently/, 'NULL');
fails("$refresh('study.patients', concurrently => true)", qr/42809: .*is not a release/, 'no release');
fails("BEGIN; DECLARE c CURSOR FOR SELECT ward FROM study.mondrian; FETCH c; $mondrian", qr/55006/, 'this session reads it');
fails("SELECT kanon.kanon_refresh_release('study.mondrian', concurrently => true) FROM study.mondrian", qr/55006/, 'this statement reads it');
fails("CREATE UNIQUE INDEX one ON study.mondrian (letter); INSERT INTO study.patients TABLE study.patients; $mondrian",
	qr/23505/, 'a unique index in the way');
$node->safe_psql('postgres', 'DROP INDEX study.one; DELETE FROM study.patients WHERE ctid NOT IN (SELECT min(ctid) FROM study.patients GROUP BY id)');

# It reads as the owner, restricted, whoever asks.
$node->safe_psql('postgres', q{
	CREATE TABLE study.log (who text);
	GRANT ALL ON study.log TO PUBLIC;
	SET ROLE owner;
	CREATE FUNCTION study.spy() RETURNS bool LANGUAGE plpgsql AS $$
	BEGIN
		INSERT INTO study.log VALUES (current_user);
		RETURN true;
	END $$;
	CREATE VIEW study.spied AS SELECT age FROM study.patients WHERE id > 0 OR study.spy();
	CREATE OR REPLACE VIEW study.spied AS SELECT age FROM study.patients WHERE id <> 1 OR study.spy();
	SELECT kanon.kanon_create_release('study.spying', 'study.spied', 5, quasi_identifiers => '{age}');
	TRUNCATE study.log;
});
$node->safe_psql('postgres', "$refresh('study.spying', concurrently => true)");
is($node->safe_psql('postgres', 'SELECT DISTINCT who FROM study.log'), 'owner', 'functions of a view run as the owner');
$node->safe_psql('postgres', 'ALTER TABLE study.patients OWNER TO postgres; REVOKE ALL ON study.patients FROM owner');
fails($mondrian, qr/42501: .*permission denied for table patients/, 'the owner may not read the source any more');
$node->safe_psql('postgres', q{ALTER TABLE study.patients OWNER TO owner;
	CREATE FUNCTION study.watch() RETURNS event_trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'no'; END$$;
	CREATE EVENT TRIGGER watch ON ddl_command_end WHEN tag IN ('REFRESH MATERIALIZED VIEW', 'CREATE TABLE', 'CREATE INDEX') EXECUTE FUNCTION study.watch();
	CREATE EVENT TRIGGER watch_drops ON sql_drop EXECUTE FUNCTION study.watch()});
is($node->psql('postgres', $mondrian), 0, 'it is no command that event triggers see');
$node->safe_psql('postgres', 'DROP EVENT TRIGGER watch; DROP EVENT TRIGGER watch_drops');

# A reader who does not leave keeps nobody out but the exchange, and others only for a moment.
my $reader = $node->background_psql('postgres', on_error_stop => 0);
$reader->query_safe('BEGIN; DECLARE c CURSOR FOR SELECT ward FROM study.mondrian; FETCH c');
my $contents = contents('mondrian');
$node->safe_psql('postgres', 'DELETE FROM study.patients WHERE id % 5 = 0');
my ($out, $errors) = ('', '');
my $started = IPC::Run::start([ $node->installed_command('psql'), '-XAtq', '-d', $node->connstr('postgres'), '-c', "SET deadlock_timeout = '50ms'", '-c', $mondrian ],
	'>', \$out, '2>', \$errors);
$node->poll_query_until('postgres', "SELECT count(*) > 0 FROM pg_locks WHERE relation = 'study.mondrian'::regclass AND mode = 'AccessExclusiveLock'")
  or die 'nobody waits for the exchange';
my $read = 0;
for (1 .. 40)
{
	$read += $node->safe_psql('postgres', "SET lock_timeout = '2s'; SELECT count(*) FROM study.mondrian") == 515;
	sleep 0.05;
}
is($read, 40, 'others read all the time');
is($node->safe_psql('postgres', "SELECT count(*) FROM pg_locks WHERE relation = 'study.mondrian'::regclass AND mode = 'AccessExclusiveLock' AND granted"),
	0, 'and nobody is kept out');
like($reader->query_safe('FETCH ALL FROM c'), qr/^(?:.*\n){513}.*$/, 'the cursor goes on');
$reader->query_safe('COMMIT');
$started->finish;
is($errors, '', 'then it is exchanged');
isnt(contents('mondrian'), $contents, 'for new contents');

# .. and who then wants more of the release, too, is a deadlock that is found: one of both goes on.
$reader->query_safe(q{SET deadlock_timeout = '300s'; BEGIN; SELECT count(*) FROM study.mondrian});
$started = IPC::Run::start([ $node->installed_command('psql'), '-XAtq', '-d', $node->connstr('postgres'), '-c', "SET deadlock_timeout = '50ms'", '-c', $mondrian ],
	'>', \$out, '2>', \$errors);
$node->poll_query_until('postgres', "SELECT count(*) > 0 FROM pg_locks WHERE relation = 'study.mondrian'::regclass AND mode = 'AccessExclusiveLock'");
$reader->query('REFRESH MATERIALIZED VIEW study.mondrian; COMMIT');
$started->finish;
like($errors . $reader->{stderr}, qr/deadlock detected/, 'a deadlock is found');
$reader->{stderr} = '';
is($node->safe_psql('postgres', "$mondrian; SELECT count(*) FROM pg_class WHERE relname ~ '^pg_temp'"), "\n0", 'and nothing is left of it');

# A prepared transaction reads for as long as it is there.
$node->safe_psql('postgres', q{BEGIN; SELECT count(*) FROM study.mondrian; CREATE TABLE study.prepared (); PREPARE TRANSACTION 'reader'});
fails("SET lock_timeout = '300ms'; $mondrian", qr/55P03: .*study\.mondrian within lock_timeout because it was being read/, 'a prepared reader');
$node->safe_psql('postgres', q{ROLLBACK PREPARED 'reader'});
$reader->quit;

# Cancels at many moments.
my $whole = time;
$node->safe_psql('postgres', $mondrian);
$whole = time - $whole;
for my $step (1 .. 12)
{
	$contents = contents('mondrian');
	$node->safe_psql('postgres', "DELETE FROM study.patients WHERE id % 53 = $step");
	my $milliseconds = int(1 + 1000 * $whole * $step / 10);
	my $status = $node->psql('postgres', "SET statement_timeout = $milliseconds; $mondrian");
	is(contents('mondrian') eq $contents ? 1 : 0, $status == 0 ? 0 : 1, "cancelled after $milliseconds ms, or not")
	  if $status == 0 || $status == 3 || $status == 1;
}
is($node->safe_psql('postgres', "SELECT count(*) FROM pg_class WHERE relname ~ '^pg_temp|_new\$'"), 0, 'cancels leave nothing');

# A crash, before the commit and after it.
$node->safe_psql('postgres', $mondrian);
$contents = contents('mondrian');
$node->safe_psql('postgres', 'DELETE FROM study.patients WHERE id % 3 = 0');
my $open = $node->background_psql('postgres');
$open->query_safe("BEGIN; $mondrian; CHECKPOINT");
$node->stop('immediate');
eval { $open->quit };
$node->start;
is(contents('mondrian'), $contents, 'a crash before the commit leaves the old contents');
$node->safe_psql('postgres', $mondrian);
$contents = contents('mondrian');
$node->stop('immediate');
$node->start;
is(contents('mondrian'), $contents, 'a crash after the commit leaves the new ones');
is($node->safe_psql('postgres', "SET enable_seqscan = off; SELECT count(*) = (SELECT rows FROM kanon.kanon_release WHERE release = 'study.mondrian'::regclass)
	FROM study.mondrian WHERE length(letter) = 6400 AND ward <> 'Z'"), 't', 'with their indexes');

done_testing();
