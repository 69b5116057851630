# Releases outside one database and one moment: dump and restore, the
# extension gone, interruptions at many moments, people coming and going.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('release');
$node->init;
$node->append_conf('postgresql.conf', "max_connections = 30\n");
$node->start;

# kanon in a schema of its own, nothing on anybody's search_path.
$node->safe_psql('postgres', q{
	CREATE DATABASE clinic;
	CREATE DATABASE copy;
	CREATE ROLE reader;
	CREATE ROLE steward;
});
$node->safe_psql('clinic', q{
	CREATE SCHEMA "Privacy";
	CREATE EXTENSION kanon SCHEMA "Privacy";
	CREATE SCHEMA "The clinic";
	GRANT USAGE, CREATE ON SCHEMA "The clinic" TO steward;
	GRANT USAGE ON SCHEMA "Privacy" TO steward;
	SET ROLE steward;
	SET search_path = "The clinic";
	CREATE TABLE patients (id int PRIMARY KEY, age int, zip text, disease text);
	INSERT INTO patients SELECT i, 20 + i % 40, (53700 + i % 7)::text, 'disease ' || i % 5
	FROM generate_series(1, 3000) i;
	CREATE TABLE zips (zip text PRIMARY KEY, zip4 text NOT NULL);
	INSERT INTO zips SELECT (53700 + i)::text, CASE WHEN i < 4 THEN 'low' ELSE 'high' END
	FROM generate_series(0, 6) i;
	SELECT "Privacy".kanon_set_attribute('patients', 'id', 'identifier'),
		"Privacy".kanon_set_attribute('patients', 'age', 'quasi_identifier'),
		"Privacy".kanon_set_attribute('patients', 'zip', 'quasi_identifier', 'zips'),
		"Privacy".kanon_set_attribute('patients', 'disease', 'sensitive');
	ALTER DEFAULT PRIVILEGES IN SCHEMA "The clinic" GRANT SELECT ON TABLES TO PUBLIC;
	SELECT "Privacy".kanon_create_release('"For research"', 'patients', 5, 'full_domain', options => '{"levels": [0, 1]}');
	GRANT SELECT ("age", "zip") ON "For research" TO reader;
});

my $release = '"The clinic"."For research"';

# What is below k among the classes of the release, by plain SQL.
my $below = "SELECT count(*) FROM (SELECT FROM $release GROUP BY age, zip HAVING count(*) < 5) c";
my $contents = "SELECT count(*), md5(string_agg(r::text, ',' ORDER BY ctid)) FROM $release r";
my $catalog =
  'SELECT release, relation, k, quasi_identifiers, levels, rows, classes, smallest, missing'
  . ' FROM "Privacy".kanon_release ORDER BY release::text';

is($node->safe_psql('clinic', $below), '0', 'the release holds k');

# ---- dump and restore

my $dump = $node->basedir . '/clinic.sql';
$node->command_ok([ 'pg_dump', '-d', $node->connstr('clinic'), '-f', $dump ], 'pg_dump');
$node->command_ok(
	[ 'psql', '-X', '-v', 'ON_ERROR_STOP=1', '-q', '-d', $node->connstr('copy'), '-f', $dump ],
	'restore into another database');
is($node->safe_psql('copy', $contents), $node->safe_psql('clinic', $contents),
	'the release has the same rows in the same order');
is($node->safe_psql('copy', $catalog), $node->safe_psql('clinic', $catalog),
	'the catalog says the same');
my $privileges = "SELECT coalesce(relacl, acldefault('r', relowner)), (SELECT attacl FROM pg_attribute WHERE attrelid = c.oid AND attname = 'age')"
  . " FROM pg_class c WHERE oid = '$release'::regclass";
is($node->safe_psql('copy', $privileges), $node->safe_psql('clinic', $privileges),
	'nobody gained a privilege on the way');
is($node->safe_psql('copy', q{SELECT refreshed > created, refreshed_by FROM "Privacy".kanon_release}),
	't|' . $node->safe_psql('copy', 'SELECT current_user'),
	'restoring is a refresh');
$node->safe_psql('copy', qq{
	DELETE FROM "The clinic".patients WHERE age = 33 AND id % 3 > 0 OR zip = '53701';
	DELETE FROM "The clinic".zips WHERE zip = '53702';
	REFRESH MATERIALIZED VIEW $release;
});
is($node->safe_psql('copy', $below), '0', 'refreshed in the copy, it holds k');
is( $node->safe_psql('copy', q{SELECT rows, classes, smallest FROM "Privacy".kanon_release}),
	$node->safe_psql('copy',
		"SELECT sum(n), count(*), min(n) FROM (SELECT count(*) AS n FROM $release GROUP BY age, zip) c"),
	'and the catalog knows what it holds');

# The custom format in parallel, and a release that was never filled.
$node->safe_psql('clinic', qq{
	SELECT "Privacy".kanon_create_release('"The clinic".empty', '"The clinic".patients', 5, 'full_domain', options => '{"levels": [1, 1]}');
	REFRESH MATERIALIZED VIEW "The clinic".empty WITH NO DATA;
});
$node->safe_psql('postgres', 'CREATE DATABASE copy2');
my $archive = $node->basedir . '/clinic.dump';
$node->command_ok([ 'pg_dump', '-Fc', '-d', $node->connstr('clinic'), '-f', $archive ],
	'pg_dump in custom format');
$node->command_ok([ 'pg_restore', '-e', '-j', '4', '-d', $node->connstr('copy2'), $archive ],
	'pg_restore');
is($node->safe_psql('copy2', $catalog), $node->safe_psql('clinic', $catalog),
	'the catalog says the same again');
$node->safe_psql('clinic', q{SELECT "Privacy".kanon_drop_release('"The clinic".empty')});
is($node->safe_psql('clinic', 'SELECT count(*) FROM "Privacy".kanon_release'),
	'1', 'a dropped release is forgotten');

# ---- interrupted at many moments

my ($interrupted, $finished, $bad) = (0, 0, 0);
for my $milliseconds ((map { int(1.4**$_) } 0 .. 17), 0) # 0: none
{
	my $before = $node->safe_psql('clinic', $contents);
	for my $statement (
		"REFRESH MATERIALIZED VIEW $release",
		qq{SELECT "Privacy".kanon_refresh_release('$release')},
		qq{SELECT "Privacy".kanon_create_release('"The clinic".new', '"The clinic".patients', 5, 'full_domain', options => '{"levels": [0, 0]}', suppression => 0.9)}
	  )
	{
		$node->safe_psql('clinic',
			'UPDATE "The clinic".patients SET age = 20 + (age * 7 + 1) % 40 WHERE id % 5 = 0');
		$node->psql('clinic', $statement,
			on_error_stop => 0,
			stderr => \my $stderr,
			connstr => $node->connstr('clinic') . " options='-c statement_timeout=$milliseconds'");
		$stderr =~ /statement timeout/ ? $interrupted++ : $finished++;
		$bad++ if $stderr =~ /(ERROR|FATAL|PANIC):/ && $stderr !~ /statement timeout/;
		$bad++ if $node->safe_psql('clinic', $below) ne '0';
		my $known = $node->safe_psql('clinic', qq{SELECT to_regclass('"The clinic".new') IS NOT NULL});
		$bad++
		  if $known ne
		  $node->safe_psql('clinic', q{SELECT count(*) > 1 FROM "Privacy".kanon_release});
		my $now = $node->safe_psql('clinic', $contents);
		$bad++ if $stderr =~ /statement timeout/ && $now ne $before;
		$before = $now;
		$node->safe_psql('clinic', q{SELECT "Privacy".kanon_drop_release('"The clinic".new')})
		  if $known eq 't';
	}
}
note "$interrupted interrupted, $finished finished";
cmp_ok($interrupted, '>', 0, 'some statements were interrupted');
cmp_ok($finished, '>', 0, 'some statements finished');
is($bad, 0, 'each left the old contents or new ones that hold k');

# ---- people coming and going while it is refreshed

my $churn = $node->basedir . '/churn.pgb';
append_to_file($churn, q{
\set id random(1, 3000)
\set age random(20, 59)
DELETE FROM "The clinic".patients WHERE id = :id;
INSERT INTO "The clinic".patients VALUES (:id, :age, (53700 + :id % 9)::text, 'new') ON CONFLICT DO NOTHING;
DELETE FROM "The clinic".patients WHERE age = :age AND id % 11 = 0;
});
my $refresh = $node->basedir . '/refresh.pgb';
append_to_file($refresh, qq{
REFRESH MATERIALIZED VIEW $release;
SELECT 1 / (1 - sign(count(*))::int) FROM (SELECT FROM $release GROUP BY age, zip HAVING count(*) < 5) c;
});
$node->command_ok(
	[ 'pgbench', '-n', '-c', '6', '-t', '60', '-f', "$churn\@8", '-f', "$refresh\@1",
		$node->connstr('clinic') ],
	'every refresh under load holds k');
is($node->safe_psql('clinic', $below), '0', 'so does the last');

# ---- without the extension

$node->safe_psql('clinic', 'DROP EXTENSION kanon');
$node->safe_psql('clinic', qq{
	DELETE FROM "The clinic".patients WHERE age = 41 AND id % 4 > 0;
	REFRESH MATERIALIZED VIEW $release;
});
is($node->safe_psql('clinic', $below), '0', 'the release holds k without the extension');
$node->safe_psql('clinic', qq{DROP MATERIALIZED VIEW $release});
pass('and is dropped like any other materialized view');

$node->stop;
done_testing();
