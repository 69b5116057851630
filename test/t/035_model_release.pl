# Releases with privacy models outside one database: dumped and restored, under other
# rights, in little memory, without the extension.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('model_release');
$node->init;
$node->start;
$node->safe_psql('postgres', q{
	CREATE DATABASE clinic;
	CREATE ROLE reader;
	CREATE ROLE steward;
});
$node->safe_psql('clinic', q{
	CREATE SCHEMA "Privacy";
	CREATE EXTENSION kanon SCHEMA "Privacy";
	CREATE SCHEMA "The clinic";
	GRANT ALL ON SCHEMA "The clinic" TO steward;
	GRANT USAGE ON SCHEMA "The clinic" TO reader;
	GRANT USAGE ON SCHEMA "Privacy" TO steward, reader;
	SET ROLE steward;
	SET search_path = "The clinic";
	CREATE TABLE patients (id int, who int, age int, zip text, "What's wrong" text, pay int);
	INSERT INTO patients SELECT i, i / 2, 20 + i * 7 % 40, (53700 + i % 7)::text, 'ill ' || i * i % 11 % 4, i * 37 % 1000
	FROM generate_series(1, 2000) i;
	CREATE TABLE ills (ill text, kind text, "all" text);
	INSERT INTO ills SELECT 'ill ' || i, CASE WHEN i < 2 THEN 'mild' ELSE 'grave' END, '*' FROM generate_series(0, 5) i;
	SELECT "Privacy".kanon_set_attribute('patients', 'id', 'identifier'), "Privacy".kanon_set_attribute('patients', 'who', 'identifier'),
		"Privacy".kanon_set_attribute('patients', 'age', 'quasi_identifier'),
		"Privacy".kanon_set_attribute('patients', 'zip', 'quasi_identifier'), "Privacy".kanon_set_attribute('patients', 'pay', 'insensitive'),
		"Privacy".kanon_set_attribute('patients', 'What''s wrong', 'sensitive', 'ills');
});

my $models = q{ARRAY['closeness("What''s wrong", 0.3)', 'variance(pay, 2000)', 'distinct("What''s wrong", 2)']::"Privacy".kanon_models};
# What holds of people holds of rows, for this one.
my $of_people = q{ARRAY['distinct("What''s wrong", 2)']::"Privacy".kanon_models};
my %release = (
	regions => "'mondrian'", local => "'local'", dealt => "'relaxed_mondrian', person => 'who'",
	levels => "'full_domain', options => '{\"levels\": [0, 0]}', suppression => 0.999",
	people => "'full_domain', options => '{\"levels\": [0, 0]}', suppression => 0.999, person => 'who'");
$node->safe_psql('clinic', qq{SET ROLE steward; SELECT "Privacy".kanon_create_release('"The clinic".$_', '"The clinic".patients', 5, $release{$_}, models => } . models_of($_) . ')')
  for sort keys %release;

sub models_of { return $release{ $_[0] } =~ /person/ ? $of_people : $models }

sub contents
{
	my ($database) = @_;
	return join "\n", map { $node->safe_psql($database, qq{SELECT count(*), md5(string_agg(r::text, ',' ORDER BY ctid)) FROM "The clinic".$_ r}) } sort keys %release;
}

sub satisfied
{
	my ($database) = @_;
	return join '', map { $node->safe_psql($database, qq{SELECT satisfied FROM "Privacy".kanon_check('"The clinic".$_', 5, models => } . models_of($_) . ')') } sort keys %release;
}
my $catalog = 'SELECT release, relation, recoding, k, models, person, levels, rows, classes, smallest, people, missing FROM "Privacy".kanon_release ORDER BY release::text';
my $people = 'SELECT string_agg(release::name, $$,$$ ORDER BY release::name) FROM (SELECT relname AS release FROM "Privacy".kanon_release r JOIN pg_class c ON c.oid = r.release WHERE people >= r.k AND people <= smallest) r';

is(satisfied('clinic'), 'ttttt', 'releases satisfy their models');
unlike(contents('clinic'), qr/^0\|/m, 'and hold something');

# ---- dump and restore

my $file = $node->basedir . '/clinic.dump';
$node->safe_psql('postgres', 'CREATE DATABASE text_copy; CREATE DATABASE archive_copy');
$node->command_ok([ 'pg_dump', '-d', $node->connstr('clinic'), '-f', $file ], 'pg_dump');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('text_copy'), '-f', $file ], 'restore by psql');
$node->command_ok([ 'pg_dump', '-Fc', '-d', $node->connstr('clinic'), '-f', $file ], 'pg_dump in custom format');
$node->command_ok([ 'pg_restore', '-e', '-j', '2', '-d', $node->connstr('archive_copy'), $file ], 'pg_restore');
for my $copy ('text_copy', 'archive_copy')
{
	is(contents($copy), contents('clinic'), "$copy: the same rows");
	is($node->safe_psql($copy, $catalog), $node->safe_psql('clinic', $catalog), "$copy: the same catalog");
	is($node->safe_psql($copy, $people), 'dealt,people', "$copy: people where they count");
	$node->safe_psql($copy, qq{
		UPDATE "The clinic".patients SET "What's wrong" = 'ill 5' WHERE age % 3 = 0;
		DELETE FROM "The clinic".patients WHERE zip = '53703' AND id % 5 > 0;
	} . join ' ', map { qq{REFRESH MATERIALIZED VIEW "The clinic".$_;} } keys %release);
	is(satisfied($copy), 'ttttt', "$copy: refreshed, they satisfy");
	is($node->safe_psql($copy, $people), 'dealt,people', "$copy: and count people again");
	isnt(contents($copy), contents('clinic'), "$copy: with other rows");
}

# Columns are renamed, two swapped, in the releases and in the relation; the relation's have other numbers in the copy.
sub known { return join '', map { $node->safe_psql($_[0], qq{SELECT satisfied FROM "Privacy".kanon_check('"The clinic".$_')}) } sort keys %release }
$node->safe_psql('archive_copy', q{
	SET search_path = "The clinic";
	ALTER MATERIALIZED VIEW regions RENAME pay TO x; ALTER MATERIALIZED VIEW regions RENAME "What's wrong" TO pay; ALTER MATERIALIZED VIEW regions RENAME x TO "What's wrong";
	ALTER MATERIALIZED VIEW levels RENAME "What's wrong" TO illness; ALTER MATERIALIZED VIEW levels RENAME age TO years;
	ALTER TABLE patients DROP COLUMN id; ALTER TABLE patients RENAME who TO person;
	ALTER TABLE patients RENAME pay TO x; ALTER TABLE patients RENAME zip TO pay; ALTER TABLE patients RENAME x TO zip;
});
is(known('archive_copy'), 'ttttt', 'releases know what they were made with, whatever columns are called');
$node->safe_psql('postgres', 'CREATE DATABASE renamed_copy');
$node->command_ok([ 'pg_dump', '-d', $node->connstr('archive_copy'), '-f', $file ], 'pg_dump after renaming');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('renamed_copy'), '-f', $file ], 'restore after renaming');
is($node->safe_psql('renamed_copy', $catalog =~ s/k,/k, columns, quasi_identifiers,/r), $node->safe_psql('archive_copy', $catalog =~ s/k,/k, columns, quasi_identifiers,/r), 'the same catalog');
like($node->safe_psql('renamed_copy', $catalog), qr/variance\(zip, 2000\)/, 'by the names of the relation');
is(known('renamed_copy'), 'ttttt', 'the copy knows them, too');
$node->safe_psql('renamed_copy', join ' ', map { qq{REFRESH MATERIALIZED VIEW "The clinic".$_;} } keys %release);
is(known('renamed_copy'), 'ttttt', 'and after it was refreshed');

# ---- rights

my $create = qq{SELECT "Privacy".kanon_create_release('"The clinic".other', '"The clinic".patients', 5, 'mondrian', models => $models)};
sub fails_as_reader
{
	my ($sql, $pattern, $what) = @_;
	$node->psql('clinic', "SET ROLE reader; $sql", stderr => \my $stderr);
	like($stderr, $pattern, $what);
	return;
}
fails_as_reader($create, qr/permission denied/, 'who may not read the table releases nothing');
$node->safe_psql('clinic', 'GRANT SELECT (age, zip, pay) ON "The clinic".patients TO reader; GRANT CREATE ON SCHEMA "The clinic" TO reader');
fails_as_reader($create, qr/permission denied for table patients/, 'nor who may not read the sensitive column');
$node->safe_psql('clinic', q{GRANT SELECT ("What's wrong") ON "The clinic".patients TO reader});
fails_as_reader($create, qr/permission denied for table ills/, 'nor who may not read its dimension');
$node->safe_psql('clinic', 'GRANT SELECT ON "The clinic".ills TO reader');
fails_as_reader($create =~ s/, models/, person => 'who', models/r, qr/permission denied for table patients/, 'nor who may not read whose rows they are');
is($node->safe_psql('clinic', "SET ROLE reader; $create"), '"The clinic".other', 'who may read all of it does');
# The owner of a release reads it at each refresh, whoever asks.
$node->safe_psql('clinic', 'REVOKE SELECT ON "The clinic".ills FROM reader');
$node->psql('clinic', 'REFRESH MATERIALIZED VIEW "The clinic".other', stderr => \my $refused);
like($refused, qr/permission denied for table ills/, 'a refresh reads as the owner');
$node->safe_psql('clinic', 'DROP MATERIALIZED VIEW "The clinic".other');

# ---- little memory, also of the releases

$node->safe_psql('clinic', q{UPDATE "Privacy".kanon_release_state SET parameters = parameters || '{"memory_limit": 1}'});
for my $name (sort keys %release)
{
	$node->psql('clinic', qq{SET ROLE steward; SET kanon.memory_limit = '80kB'; REFRESH MATERIALIZED VIEW "The clinic".$name}, stderr => \my $stderr);
	like($stderr, qr/exceeds the memory limit of 80 kB/, "$name: what does not fit says so");
}
is(satisfied('clinic'), 'ttttt', 'and leaves what was there');

# ---- without the extension

$node->psql('clinic', 'DROP EXTENSION kanon', stderr => \my $stderr);
like($stderr, qr/materialized view "The clinic".levels depends on function/, 'the extension stays while releases need it');
$node->safe_psql('clinic', 'DROP EXTENSION kanon CASCADE');
is($node->safe_psql('clinic', q{SELECT count(*) FROM pg_class WHERE relkind = 'm'}), 0, 'with CASCADE they go along');

$node->stop;
done_testing();
