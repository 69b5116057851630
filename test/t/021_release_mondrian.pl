# Releases by Mondrian through dump and restore, interrupted refreshes, and people
# coming and going while they are refreshed.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('regions');
$node->init(extra => [ '--no-locale', '--encoding=UTF8' ]);
$node->append_conf('postgresql.conf', "autovacuum = off\n");
$node->start;
$node->safe_psql('postgres', "CREATE DATABASE $_") for qw(clinic copy copy2);
$node->safe_psql('clinic', q{
	CREATE SCHEMA "Privacy";
	CREATE EXTENSION kanon SCHEMA "Privacy";
	CREATE SCHEMA "The clinic";
	SET search_path = "The clinic";
	CREATE TABLE patients (id int PRIMARY KEY, age int, born date, zip text, salary numeric, disease text);
	INSERT INTO patients SELECT i, nullif(20 + i * 7 % 40, 30), date '1950-01-01' + i * 37 % 15000, (53700 + i % 7)::text, i * 31 % 5000, 'disease ' || i % 5
	FROM generate_series(1, 3000) i;
	CREATE TABLE zips (zip text PRIMARY KEY, zip4 text NOT NULL);
	INSERT INTO zips SELECT (53700 + i)::text, CASE WHEN i < 4 THEN 'low' ELSE 'high' END FROM generate_series(0, 9) i;
	SELECT "Privacy".kanon_set_attribute('patients', attribute, role) FROM (VALUES ('id', 'identifier'), ('age', 'quasi_identifier'),
		('born', 'quasi_identifier'), ('salary', 'quasi_identifier'), ('disease', 'sensitive')) v (attribute, role);
	SELECT "Privacy".kanon_set_attribute('patients', 'zip', 'quasi_identifier', 'zips');
	SELECT "Privacy".kanon_create_release('"By region"', 'patients', 5, 'mondrian', options => '{"means": true}'),
		"Privacy".kanon_create_release('relaxed', 'patients', 5, 'relaxed_mondrian'),
		"Privacy".kanon_create_release('guided', 'patients', 5, 'mondrian', options => '{"split": "infogain", "target": "disease"}');
	CREATE VIEW released AS SELECT 1 AS which, age, born, zip, salary FROM "By region"
		UNION ALL SELECT 2, age, born, zip, salary FROM relaxed UNION ALL SELECT 3, age, born, zip, salary FROM guided;
});

# What is below k among the classes of the releases, by plain SQL.
my $below = 'SELECT count(*) FROM (SELECT FROM "The clinic".released GROUP BY which, age, born, zip, salary HAVING count(*) < 5) c';
my $contents = join ' UNION ALL ', map { "SELECT count(*), md5(string_agg(r::text, ',' ORDER BY ctid)) FROM \"The clinic\".$_ r" } '"By region"', 'relaxed', 'guided';
my $catalog = 'SELECT release, relation, recoding, k, columns, quasi_identifiers, rows, classes, smallest, missing, loss'
  . ' FROM "Privacy".kanon_release ORDER BY release::text';
my $refresh_all = join ' ', map { "REFRESH MATERIALIZED VIEW \"The clinic\".$_;" } '"By region"', 'relaxed', 'guided';

is($node->safe_psql('clinic', $below), '0', 'the releases hold k');
is($node->safe_psql('clinic', 'SELECT count(*) FROM "The clinic".released'), '9000', 'and nobody is left out');

# ---- dump and restore, in text and in parallel

my ($dump, $archive) = map { $node->basedir . "/$_" } 'clinic.sql', 'clinic.dump';
$node->command_ok([ 'pg_dump', '-d', $node->connstr('clinic'), '-f', $dump ], 'pg_dump');
$node->command_ok([ 'psql', '-X', '-v', 'ON_ERROR_STOP=1', '-q', '-d', $node->connstr('copy'), '-f', $dump ], 'restore into another database');
$node->command_ok([ 'pg_dump', '-Fc', '-d', $node->connstr('clinic'), '-f', $archive ], 'pg_dump in custom format');
$node->command_ok([ 'pg_restore', '-e', '-j', '4', '-d', $node->connstr('copy2'), $archive ], 'pg_restore');
for my $copy ('copy', 'copy2')
{
	is($node->safe_psql($copy, $contents), $node->safe_psql('clinic', $contents), 'the same rows in the same order');
	is($node->safe_psql($copy, $catalog), $node->safe_psql('clinic', $catalog), 'the catalog says the same');
}
$node->safe_psql('copy', qq{
	DELETE FROM "The clinic".patients WHERE age = 33 AND id % 3 > 0 OR zip = '53701';
	$refresh_all
});
is($node->safe_psql('copy', $below), '0', 'refreshed in the copy, they hold k');
is( $node->safe_psql('copy', 'SELECT sum(rows) FROM "Privacy".kanon_release'),
	$node->safe_psql('copy', 'SELECT count(*) FROM "The clinic".released'), 'and the catalog knows what they hold');

# ---- interrupted at many moments

my ($interrupted, $finished, $bad) = (0, 0, 0);
for my $milliseconds ((map { int(1.4**$_) } 0 .. 16), 0) # 0: none
{
	for my $statement (
		'REFRESH MATERIALIZED VIEW "The clinic"."By region"', q{SELECT "Privacy".kanon_refresh_release('"The clinic".relaxed')},
		q{SELECT "Privacy".kanon_create_release('"The clinic".new', '"The clinic".patients', 5, 'mondrian')})
	{
		$node->safe_psql('clinic', 'UPDATE "The clinic".patients SET age = 20 + (coalesce(age, 3) * 7 + 1) % 40 WHERE id % 5 = 0');
		my $before = $node->safe_psql('clinic', $contents);
		$node->psql('clinic', $statement, on_error_stop => 0, stderr => \my $stderr,
			connstr => $node->connstr('clinic') . " options='-c statement_timeout=$milliseconds'");
		my $stopped = $stderr =~ /statement timeout/;
		$stopped ? $interrupted++ : $finished++;
		$bad++ if $stderr =~ /(ERROR|FATAL|PANIC):/ && !$stopped;
		$bad++ if $node->safe_psql('clinic', $below) ne '0';
		$bad++ if $stopped && $node->safe_psql('clinic', $contents) ne $before;
		my $known = $node->safe_psql('clinic', q{SELECT to_regclass('"The clinic".new') IS NOT NULL});
		$bad++ if $known ne $node->safe_psql('clinic', q{SELECT count(*) > 3 FROM "Privacy".kanon_release});
		$node->safe_psql('clinic', q{SELECT "Privacy".kanon_drop_release('"The clinic".new')}) if $known eq 't';
	}
}
note "$interrupted interrupted, $finished finished";
cmp_ok($interrupted, '>', 0, 'some statements were interrupted');
cmp_ok($finished, '>', 0, 'some statements finished');
is($bad, 0, 'each left the old contents or new ones that hold k');

# ---- people coming and going while they are refreshed

my ($churn, $refresh) = map { $node->basedir . "/$_.pgb" } 'churn', 'refresh';
append_to_file($churn, q{
\set id random(1, 3000)
\set age random(20, 59)
DELETE FROM "The clinic".patients WHERE id = :id;
INSERT INTO "The clinic".patients VALUES (:id, :age, date '1950-01-01' + :id, (53700 + :id % 9)::text, :age, 'new') ON CONFLICT DO NOTHING;
DELETE FROM "The clinic".patients WHERE age = :age AND id % 11 = 0;
});
append_to_file($refresh, qq{
REFRESH MATERIALIZED VIEW "The clinic"."By region";
SELECT 1 / (1 - sign(count(*))::int) FROM (SELECT FROM "The clinic"."By region" GROUP BY age, born, zip, salary HAVING count(*) < 5) c;
});
$node->command_ok([ 'pgbench', '-n', '-c', '6', '-t', '40', '-f', "$churn\@8", '-f', "$refresh\@1", $node->connstr('clinic') ],
	'every refresh under load holds k');

# ---- the extension cannot go from under them

$node->psql('clinic', 'DROP EXTENSION kanon', stderr => \my $stderr);
like($stderr, qr/cannot drop extension kanon because other objects depend on it/, 'DROP EXTENSION asks for CASCADE');
$node->safe_psql('clinic', 'DROP MATERIALIZED VIEW "The clinic".relaxed CASCADE');
is($node->safe_psql('clinic', 'SELECT count(*) FROM "Privacy".kanon_release'), '2', 'a release that is dropped is forgotten');

$node->stop;
done_testing();
