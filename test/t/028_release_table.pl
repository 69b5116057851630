# Releases that are stored as tables: dumped with their rows and restored, guarded
# and refreshed there, also where the dump brought rows without triggers; filled
# while others read; and owners who may do with them what they may with a table.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('tables');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\n");
$node->start;
my $file = $node->basedir . '/clinic.dump';
$node->safe_psql('postgres', 'CREATE ROLE nurse; CREATE ROLE reader; CREATE DATABASE clinic');
$node->safe_psql('clinic', q{
	CREATE SCHEMA office;
	CREATE EXTENSION kanon SCHEMA office;
	GRANT USAGE ON SCHEMA office TO nurse;
	CREATE SCHEMA ward AUTHORIZATION nurse;
	GRANT USAGE ON SCHEMA ward TO reader;
	ALTER DEFAULT PRIVILEGES FOR ROLE nurse GRANT ALL ON TABLES TO reader;
	SET ROLE nurse;
	SET search_path = ward, office;
	CREATE TABLE patient AS SELECT 20 + i % 30 AS age, '537' || i % 7 AS zip, 'd' || i % 4 AS disease, repeat('x', 3000) || i % 2 AS note
	FROM generate_series(1, 400) i;
	REVOKE ALL ON patient FROM reader;
	SELECT kanon_declare('patient', '{age,zip}', '{disease}', insensitive => '{note}');
});
# A superuser makes them: the tables and their queries are the nurse's, and nobody else's.
my @recodings = split /\n/, $node->safe_psql('clinic', q{
	SELECT DISTINCT recoding FROM office.kanon_options(), unnest(recodings) recoding ORDER BY recoding});
for my $recoding (@recodings)
{
	my $more = $recoding eq 'cohorts' ? q{, "key": "note", "wait": 0, "leavers": "keep"} : '';
	next if $recoding eq 'cohorts';
	$node->safe_psql('clinic',
		qq{SELECT office.kanon_create_release('ward.by_$recoding', 'ward.patient', 5, '$recoding', options => '{"storage": "table"$more}')});
}
@recodings = grep { $_ ne 'cohorts' } @recodings;
is($node->safe_psql('clinic', q{
	SELECT DISTINCT relkind, pg_get_userbyid(relowner), relacl::text ~ 'reader' FROM pg_class WHERE relname ~ '^by_' AND relkind <> 'i' ORDER BY 1}),
	"m|nurse|f\nr|nurse|f", 'tables and queries are private to the owner of their relation');
$node->safe_psql('clinic', q{
	SET ROLE nurse;
	SET search_path = ward, office;
	GRANT SELECT ON by_local TO reader;
	CREATE INDEX ON by_local (disease);
	COMMENT ON TABLE by_local IS 'for the press';
	CREATE VIEW counts AS SELECT disease, count(*) FROM by_local GROUP BY disease;
});

my $contents = join ', ', map { "(SELECT office.kanon_digest('ward.by_$_'))" } @recodings;
my $known = q{SELECT release, relation, query, recoding, k, rows, missing, loss, definition, parameters FROM office.kanon_release ORDER BY release::text};
my $guards = q{SELECT tgrelid::regclass, tgname, tgenabled FROM pg_trigger ORDER BY 1, 2};
my $queries = q{SELECT count(*), bool_or(relispopulated) FROM pg_class WHERE relkind = 'm'};

sub restored
{
	my ($database, $how) = @_;
	is($node->safe_psql($database, "SELECT $contents"), $node->safe_psql('clinic', "SELECT $contents"), "$how: the rows arrive");
	is($node->safe_psql($database, $known), $node->safe_psql('clinic', $known), '.. and what is known of them');
	is($node->safe_psql($database, $guards), $node->safe_psql('clinic', $guards), '.. and their guards');
	is($node->safe_psql($database, $queries), @recodings . '|f', '.. and their queries, which nothing has filled');
	my ($result, $out, $err) = $node->psql($database, 'TRUNCATE ward.by_local');
	like($err, qr/cannot change table "by_local"/, '.. which refuse writes');
	is($node->safe_psql($database, "SELECT string_agg(r.changed::text, ',') FROM office.kanon_release, office.kanon_refresh_release(release) r"),
		join(',', ('false') x @recodings), '.. and a refresh finds the same rows');
	is($node->safe_psql($database, "SELECT bool_and(satisfied) FROM office.kanon_release"), 't', '.. and holds what it promises');
	is($node->safe_psql($database, "SET ROLE reader; SELECT count(*) FROM ward.by_local; SELECT obj_description('ward.by_local'::regclass)"),
		"400\nfor the press", '.. and grants and comments came, too');
	$node->safe_psql($database, q{SET ROLE nurse; INSERT INTO ward.patient SELECT 30, '5371', 'd1', 'new' FROM generate_series(1, 7)});
	is($node->safe_psql($database, q{
		SET ROLE nurse;
		SELECT rows, changed FROM office.kanon_refresh_release('ward.by_local', concurrently => true);
		SELECT sum(count) FROM ward.counts;
		SELECT rows FROM office.kanon_refresh_release('ward.by_full_domain', search => true)}), "407|t\n407\n407", '.. and new rows');
	like(($node->psql($database, q{SELECT office.kanon_refresh_release('ward.by_ring')}))[2], qr/would be dealt anew/, '.. but none is dealt anew');
	# A dump does not keep that the query goes with the table: a refresh does.
	$node->safe_psql($database, 'SET ROLE nurse; DROP TABLE ward.by_local CASCADE; SELECT office.kanon_drop_release(release) FROM office.kanon_release');
	is($node->safe_psql($database, $queries), '0|', '.. and queries go with their tables');
	return;
}

$node->command_ok([ 'pg_dump', '--file', $file, $node->connstr('clinic') ], 'pg_dump');
$node->safe_psql('postgres', 'CREATE DATABASE text_copy');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('text_copy'), '-f', $file ], 'restore by psql');
restored('text_copy', 'plain text');

$node->command_ok([ 'pg_dump', '--format=custom', '--file', $file, $node->connstr('clinic') ], 'pg_dump --format=custom');
$node->safe_psql('postgres', 'CREATE DATABASE archive_copy');
my @restore = ('pg_restore', '--dbname', $node->connstr('archive_copy'), '--exit-on-error');
$node->command_ok([ @restore, '--single-transaction', $file ], 'pg_restore --single-transaction');
# Rows again, into a table whose triggers pg_restore enables, but not always.
$node->safe_psql('archive_copy', q{ALTER TABLE ward.by_local DISABLE TRIGGER ALL; TRUNCATE ward.by_local; ALTER TABLE ward.by_local ENABLE ALWAYS TRIGGER kanon_guard_rows, ENABLE ALWAYS TRIGGER kanon_guard_truncate});
my ($result, $out, $err);
$node->command_fails_like([ @restore, '--data-only', '--schema=ward', '--table=by_local', $file ],
	qr/cannot change table "by_local"/, 'pg_restore --data-only is refused');
$node->command_ok([ @restore, '--data-only', '--disable-triggers', '--schema=ward', '--table=by_local', $file ], '.. but with --disable-triggers');
is($node->safe_psql('archive_copy', q{SELECT DISTINCT tgenabled FROM pg_trigger WHERE tgrelid = 'ward.by_local'::regclass}), 'O', '.. which leaves the guards weaker');
$node->safe_psql('archive_copy', q{SELECT office.kanon_refresh_release('ward.by_local')});
restored('archive_copy', 'archive');

# Without a refresh, the query of a restored table outlives it as a view of nobody's,
# but kanon drops both.
$node->safe_psql('postgres', 'CREATE DATABASE third_copy');
$restore[2] = $node->connstr('third_copy');
$node->command_ok([ @restore, $file ], 'pg_restore');
$node->safe_psql('third_copy', q{SELECT office.kanon_drop_release('ward.by_ring'); DROP TABLE ward.by_two_phase});
is($node->safe_psql('third_copy', q{
	SELECT relname FROM pg_class WHERE relname IN ('by_ring_query', 'by_two_phase_query');
	SELECT count(*) FROM office.kanon_release WHERE release::text ~ 'ring|two_phase'}), "by_two_phase_query\n0", 'kanon drops both, DROP TABLE the table');
$node->safe_psql('third_copy', 'REFRESH MATERIALIZED VIEW ward.by_mondrian_query WITH NO DATA');

# DROP EXTENSION leaves tables, without guards.
$node->safe_psql('third_copy', 'DROP EXTENSION kanon CASCADE');
is($node->safe_psql('third_copy', q{
	SELECT count(*) FROM pg_trigger; SELECT count(*) FROM ward.by_local; TRUNCATE ward.by_local}), "0\n400", 'without kanon they are ordinary tables');

# An error while it is filled leaves the old contents, and a crash too.
$node->safe_psql('clinic', q{
	CREATE FUNCTION ward.fails(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN IF $1 = 'd9' THEN RAISE 'unfit'; END IF; RETURN $1; END $$;
	ALTER FUNCTION ward.fails OWNER TO nurse;
	SET ROLE nurse;
	CREATE INDEX ON ward.by_mondrian (ward.fails(disease));
	UPDATE ward.patient SET disease = 'd9' WHERE disease = 'd0'});
my $before = $node->safe_psql('clinic', "SELECT office.kanon_digest('ward.by_mondrian')");
like(($node->psql('clinic', q{SELECT office.kanon_refresh_release('ward.by_mondrian')}))[2], qr/unfit/, 'an error of an index');
is($node->safe_psql('clinic', "SELECT office.kanon_digest('ward.by_mondrian')"), $before, '.. leaves the old contents');
$node->safe_psql('clinic', 'DROP FUNCTION ward.fails CASCADE');
$node->safe_psql('clinic', "SELECT office.kanon_refresh_release('ward.by_mondrian')");
my $after = $node->safe_psql('clinic', "SELECT office.kanon_digest('ward.by_mondrian')");
$node->stop('immediate');
$node->start;
is($node->safe_psql('clinic', "SELECT office.kanon_digest('ward.by_mondrian')"), $after, 'a crash loses nothing');

# Owners: REASSIGN OWNED takes both along; a table alone is refused.
$node->safe_psql('clinic', 'REASSIGN OWNED BY nurse TO reader');
$node->safe_psql('clinic', 'GRANT USAGE ON SCHEMA office TO reader');
is($node->safe_psql('clinic', q{SELECT changed FROM office.kanon_refresh_release('ward.by_mondrian')}), 'f', 'both have another owner');
$node->stop;
done_testing();
