# Who may refresh a release: its owner, and from PostgreSQL 17 on whoever has
# MAINTAIN on it.  The rows are read as the owner all the same, and the catalog
# is kept.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('maintain');
$node->init;
$node->start;

# kanon, the tables and the releases each in a schema that is on no search_path.
$node->safe_psql('postgres', q{
	CREATE SCHEMA kanon;
	CREATE SCHEMA clinic AUTHORIZATION pg_database_owner;
	CREATE SCHEMA study;
	CREATE EXTENSION kanon SCHEMA kanon;
	CREATE ROLE owner LOGIN;
	CREATE ROLE steward LOGIN;
	CREATE ROLE reader LOGIN;
	GRANT USAGE ON SCHEMA kanon, clinic, study TO PUBLIC;
	GRANT CREATE ON SCHEMA clinic, study TO owner;
});
$node->safe_psql('postgres', q{
	SET ROLE owner;
	CREATE TABLE clinic.patients AS
	SELECT i % 40 AS age, chr(65 + i % 3) AS ward, i % 7 AS ill FROM generate_series(1, 240) i;
	SELECT kanon.kanon_create_dimension('clinic.ages', 'clinic.patients', 'age', 'ranges', '{10}');
	SELECT kanon.kanon_set_attribute('clinic.patients', 'ward', 'quasi_identifier');
	SELECT kanon.kanon_create_release('study.domain', 'clinic.patients', 5, 'full_domain');
	SELECT kanon.kanon_create_release('study.regions', 'clinic.patients', 5, 'mondrian');
	SELECT kanon.kanon_create_release('study.ring', 'clinic.patients', 5, 'ring', options => '{"redraw": true}');
	SELECT kanon.kanon_create_release('study.phases', 'clinic.patients', 5, 'two_phase', options => '{"redraw": true}');
});
my @releases = map { "study.$_" } qw(domain regions ring phases);
my $version = $node->safe_psql('postgres', 'SHOW server_version_num');

# as ROLE, SQL: what it answers, and its SQLSTATE if it fails.
sub as
{
	my ($role, $sql) = @_;
	my ($status, $out, $err) = $node->psql('postgres', "SET ROLE $role; $sql", extra_params => ['-v', 'VERBOSITY=sqlstate']);
	return $status ? $err =~ /ERROR:\s+(\w{5})/ ? $1 : $err : $out;
}

sub rows_of
{
	my ($release) = @_;
	return $node->safe_psql('postgres',
		"SELECT rows + coalesce(missing, 0), refreshed_by FROM kanon.kanon_release WHERE release = '$release'::regclass");
}

for my $release (@releases)
{
	is(as('steward', "REFRESH MATERIALIZED VIEW $release"), '42501', "$release: not everybody refreshes it");
	is(as('steward', "SELECT FROM kanon.kanon_refresh_release('$release')"), '42501', '.. nor by kanon');
	is(as('steward', "SELECT FROM kanon.kanon_refresh_release('$release', concurrently => true)"), '42501', '.. nor beside readers');
	is(as('owner', "SELECT FROM kanon.kanon_refresh_release('$release')"), '', '.. its owner does');
	is(rows_of($release), '240|owner', '.. and the catalog says so');
}

# Dimensions are read by their names: an owner without USAGE on their schema refreshes nothing but
# what is SQL alone, of which nobody counts what it lacks.
$node->safe_psql('postgres', 'REVOKE USAGE ON SCHEMA clinic FROM PUBLIC');
for my $release (@releases)
{
	my $digest = "SELECT kanon.kanon_digest('$release')";
	my $before = $node->safe_psql('postgres', $digest);
	my $refused = $release eq 'study.domain' ? '' : '42501';
	is(as('owner', "REFRESH MATERIALIZED VIEW $release"), $refused, "$release: without USAGE on the schema of its dimension");
	is(as('owner', "SELECT FROM kanon.kanon_refresh_release('$release')"), $refused, '.. by kanon');
	is(as('owner', "SELECT FROM kanon.kanon_refresh_release('$release', concurrently => true)"), $refused, '.. beside readers');
	is($node->safe_psql('postgres', $digest), $before, '.. it holds what it held');
}
is($node->safe_psql('postgres', "SELECT state FROM kanon.kanon_releases WHERE release = 'study.domain'::regclass"), 'unknown', 'nobody counts');
$node->safe_psql('postgres', 'GRANT USAGE ON SCHEMA clinic TO PUBLIC');
is(as('owner', "SELECT satisfied FROM kanon.kanon_refresh_release('$_')"), 't', "$_: with it all is well") for @releases;

# A REFRESH needs no right to kanon's schema, nor to any that a search_path names: what it reads of
# the catalogs is read as their owner.
$node->safe_psql('postgres', q{
	SET ROLE owner;
	CREATE TABLE clinic.people AS SELECT i AS id, i % 40 AS age, (10 + i % 9)::text AS zip, 'ill ' || i % 7 AS ill FROM generate_series(1, 240) i;
	CREATE TABLE clinic.zips AS SELECT z::text AS zip, left(z::text, 1) AS area, '*' AS top FROM generate_series(10, 18) z;
	SELECT kanon.kanon_declare('clinic.people', quasi_identifiers => '{age,zip}', sensitive => '{ill}', identifiers => '{id}');
	SELECT kanon.kanon_create_dimension('clinic.decades', 'clinic.people', 'age', 'ranges', '{10}'),
		kanon.kanon_create_dimension('clinic.kinds', 'clinic.people', 'ill', 'digits');
	SELECT kanon.kanon_set_attribute('clinic.people', 'zip', 'quasi_identifier', 'clinic.zips', 2), kanon.kanon_set_attribute('clinic.people', 'ill', 'sensitive', 'clinic.kinds');
	SELECT kanon.kanon_create_release('study.n_domain', 'clinic.people', 5, 'full_domain', models => 'closeness(ill, 0.5)', suppression => 0.2),
		kanon.kanon_create_release('study.n_mondrian', 'clinic.people', 5, 'mondrian', models => 'distinct(ill, 2)', person => 'id'),
		kanon.kanon_create_release('study.n_infogain', 'clinic.people', 5, 'mondrian', options => '{"split": "infogain", "target": "ill"}', models => 'closeness(ill, 0.9)'),
		kanon.kanon_create_release('study.n_after', 'clinic.people', 5, options => '{"models_after": true}', models => 'closeness(ill, 0.9)', suppression => 0.5),
		kanon.kanon_create_release('study.n_relaxed', 'clinic.people', 5, 'relaxed_mondrian'),
		kanon.kanon_create_release('study.n_ring', 'clinic.people', 5, 'ring', options => '{"redraw": true}'),
		kanon.kanon_create_release('study.n_phases', 'clinic.people', 5, 'two_phase', options => '{"redraw": true}'),
		kanon.kanon_create_release('study.n_cohorts', 'clinic.people', 5, 'cohorts', options => '{"key": "id", "leavers": "keep"}', models => 'distinct(ill, 2)');
	INSERT INTO clinic.people SELECT i, 41 + i % 3, '1' || i % 10, 'ill 8' FROM generate_series(300, 320) i});
my $held = q{SELECT release::text, rows, classes, loss FROM kanon.kanon_release WHERE release::text ~ '^study.n_' ORDER BY 1};
my @named = map { "study.n_$_" } qw(domain mondrian infogain after relaxed ring phases cohorts);
is(as('owner', "REFRESH MATERIALIZED VIEW $_"), '', "$_: with rights to kanon's schema") for @named;
my $with = $node->safe_psql('postgres', $held);
my @digests = map { $node->safe_psql('postgres', "SELECT kanon.kanon_digest('$_')") } @named;
$node->safe_psql('postgres', 'REVOKE USAGE ON SCHEMA kanon FROM PUBLIC');
is(as('owner', "SELECT kanon.kanon_digest('study.n_domain')"), '42501', 'the owner has none now');
is(as('owner', "SET search_path = pg_temp, clinic; REFRESH MATERIALIZED VIEW $_"), '', "$_: without") for @named;
is($node->safe_psql('postgres', $held), $with, '.. the same figures');
is(join(' ', map { $node->safe_psql('postgres', "SELECT kanon.kanon_digest('$_')") } @named), join(' ', @digests), '.. and contents');
$node->safe_psql('postgres', 'GRANT USAGE ON SCHEMA kanon TO PUBLIC');

if ($version < 170000)
{
	is(as('owner', "GRANT MAINTAIN ON $_ TO steward"), '42601', "$_: before 17 there is no such privilege") for @releases;
	done_testing();
	exit;
}

# By grant, and by the role that has it on everything.
for my $round (1, 2)
{
	my $how = $round == 1 ? 'by MAINTAIN' : 'by pg_maintain';
	as('owner', "GRANT MAINTAIN ON $_ TO steward") for $round == 1 ? @releases : ();
	$node->safe_psql('postgres', 'GRANT pg_maintain TO steward') if $round == 2;
	for my $release (@releases)
	{
		my $rows = 240 + 40 * $round;
		$node->safe_psql('postgres', "DELETE FROM clinic.patients WHERE ill = 9;"
			. "INSERT INTO clinic.patients SELECT i % 40, chr(65 + i % 3), 9 FROM generate_series(1, 40 * $round) i");
		is(as('steward', "SELECT FROM kanon.kanon_refresh_release('$release')"), '', "$release: refreshed $how");
		is(rows_of($release), "$rows|steward", '.. which the catalog tells');
		is(as('steward', "SELECT 1 FROM kanon.kanon_refresh_release('$release', concurrently => true)"), '1', '.. while others read it');
		$node->safe_psql('postgres', 'DELETE FROM clinic.patients WHERE ill = 9');
		is(as('steward', "SET search_path = pg_temp; SET datestyle = German; REFRESH MATERIALIZED VIEW $release"), '',
			'.. by SQL alone, whatever is set');
		is(rows_of($release), '240|steward', '.. which the catalog tells');
		is(as('steward', "SELECT count(*) FROM $release"), '42501', '.. who reads nothing of it');
		is(as('steward', 'SELECT count(*) FROM clinic.patients'), '42501', '.. nor of what lies behind it');
		is(as('steward', "SELECT kanon.kanon_drop_release('$release')"), '42501', '.. and drops nothing');
		is(as('steward', "SELECT num_nulls(rows, missing, classes, smallest, loss, satisfied, changed) FROM kanon.kanon_refresh_release('$release')"), '7', '.. nor is told what it holds or lacks');
		is(as('steward', "SELECT kanon.kanon_view_seed(number) FROM generate_series(1, 20) number"), '42501', '.. and sees no seed');
	}
	as('owner', "REVOKE MAINTAIN ON $_ FROM steward") for @releases;
}
# Nor by notices and errors about values that a dimension lacks, or has twice: of cohorts, which read
# their table by its name.
$node->safe_psql('postgres', q{
	SET ROLE owner;
	CREATE TABLE clinic.homes AS SELECT i AS id, 20 + i * 7 % 40 AS age, '5370' || i / 40 % 10 AS zip FROM generate_series(1, 400) i;
	CREATE TABLE clinic.codes AS SELECT DISTINCT zip, left(zip, 3) AS area, '*' AS top FROM clinic.homes;
	SELECT kanon.kanon_declare('clinic.homes', quasi_identifiers => '{age}', identifiers => '{id}');
	SELECT kanon.kanon_set_attribute('clinic.homes', 'zip', 'quasi_identifier', 'clinic.codes');
	SELECT kanon.kanon_create_release('study.nightly', 'clinic.homes', 5, 'cohorts', options => '{"key": "id", "leavers": "keep"}');
	GRANT MAINTAIN ON study.nightly TO steward;
	INSERT INTO clinic.homes VALUES (1001, 99, 'HOUSE OF ANN'), (1002, 99, 'HOUSE OF ANN')});
my $told = sub { ($node->psql('postgres', "SET ROLE $_[0]; SELECT FROM kanon.kanon_refresh_release('study.nightly')"))[2] };
unlike($told->('steward'), qr/ANN|lacks/, 'whoever maintains cohorts sees no value that a dimension lacks');
like($told->('owner'), qr/They stand in \d+ rows .* "HOUSE OF ANN"/, '.. the owner does');
$node->safe_psql('postgres', q{INSERT INTO clinic.codes VALUES ('53701', 'SECRET', '*')});
like($told->('steward'), qr/ERROR:  dimension clinic\.codes has a ground value more than once/, '.. nor a label');
like($told->('owner'), qr/SECRET/, '.. which the owner does');
$node->safe_psql('postgres', q{DROP MATERIALIZED VIEW study.nightly; DROP TABLE clinic.homes, clinic.codes});

# Nor by the warning, which tells the owner numbers.
$node->safe_psql('postgres', q{INSERT INTO clinic.patients SELECT 77, 'Z', 9});
my $lacks = sub { ($node->psql('postgres', "SET ROLE $_[0]; SELECT FROM kanon.kanon_refresh_release('study.domain')"))[2] };
like($lacks->('owner'), qr/WARNING:  release study\.domain lacks 1 of \d+ rows/, 'the owner is warned');
like($lacks->('steward'), qr/WARNING:  release study\.domain lacks more rows than it may\nDETAIL:  Its owner sees how many\./, 'so is whoever maintains it, without numbers');
unlike($lacks->('steward'), qr/\d of/, '.. at all');
is(as('steward', "SELECT FROM kanon.kanon_refresh_release('study.domain', strict => true)"), '23514', '.. and strictly, it fails');
$node->safe_psql('postgres', q{DELETE FROM clinic.patients WHERE age = 77});
$node->safe_psql('postgres', 'REVOKE pg_maintain FROM steward');
is(as('steward', "SELECT FROM kanon.kanon_refresh_release('$_')"), '42501', "$_: what was granted is taken back") for @releases;

# Rows are read as the owner, also what the steward may read and the owner may not.
$node->safe_psql('postgres', q{
	GRANT MAINTAIN ON study.domain TO steward;
	GRANT SELECT ON clinic.patients TO steward;
	ALTER TABLE clinic.patients OWNER TO CURRENT_USER;
	REVOKE ALL ON clinic.patients FROM owner;
});
is(as('steward', 'REFRESH MATERIALIZED VIEW study.domain'), '42501', 'the owner needs what is read, the steward does not count');
$node->safe_psql('postgres', q{
	ALTER TABLE clinic.patients ENABLE ROW LEVEL SECURITY;
	CREATE POLICY few ON clinic.patients TO owner USING (ill < 3);
	CREATE POLICY all_of_it ON clinic.patients TO steward USING (true);
	GRANT SELECT ON clinic.patients TO owner;
});
is(as('steward', 'REFRESH MATERIALIZED VIEW study.domain'), '', 'row security');
is(rows_of('study.domain'), $node->safe_psql('postgres', 'SELECT count(*) FROM clinic.patients WHERE ill < 3') . '|steward',
	'.. is that for the owner');

# Default privileges do not make anybody a steward.
$node->safe_psql('postgres', q{
	ALTER DEFAULT PRIVILEGES FOR ROLE owner GRANT MAINTAIN ON TABLES TO reader;
	SET ROLE owner;
	SELECT kanon.kanon_create_release('study.later', 'clinic.patients', 5, 'full_domain');
});
is(as('reader', 'REFRESH MATERIALIZED VIEW study.later'), '42501', 'default privileges open no new release');

$node->stop;
done_testing();
