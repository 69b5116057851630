# The same rows make the same release: in any order, in a table written anew, by other plans, under
# other settings, and in databases of other locale providers that a dump was restored into.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('same');
$node->init(extra => [ '--no-locale', '--encoding=UTF8' ]);
$node->append_conf('postgresql.conf', "autovacuum = off\njit = off\n");
$node->start;

# Equal rows in plenty; values that are equal and differ (1.5, 1.50), that sort otherwise in other
# collations (a B c), that have none (point) or the database's (jsonb), and texts that settings change.
$node->safe_psql('postgres', 'CREATE DATABASE here');
$node->safe_psql('here', q{
	CREATE EXTENSION kanon;
	CREATE SCHEMA clinic;
	SET search_path = clinic, public;
	CREATE TYPE ward AS ENUM ('green', 'blue');
	ALTER TYPE ward ADD VALUE 'amber' BEFORE 'green';
	CREATE TABLE cities (city text, region text, country text);
	INSERT INTO cities SELECT c, CASE WHEN i % 3 = 0 THEN 'North' ELSE 'south' END, 'any' FROM unnest('{beta,Alpha,gamma,Delta,éclair,Zulu,eta,Eta2,aleph}'::text[]) WITH ORDINALITY u (c, i);
	CREATE TABLE patients (id int, age int, city text, height float8, dose numeric, ward ward, born timestamptz, disease text, shape point, doc jsonb, stay interval);
	SELECT setseed(0.42);
	INSERT INTO patients SELECT i, 20 + (random() * 4)::int, (SELECT (array_agg(city ORDER BY city))[1 + i * 7 % 9] FROM cities), 1.5 + (i * 11 % 4) / 1e6,
		(ARRAY[1.5, 1.50, 2, 2.00])[1 + i % 4], (enum_range(NULL::ward))[1 + i * i % 3], timestamptz '2020-01-01 12:00+00' + i % 3 * interval '1 month',
		(ARRAY['flu', 'Asthma', 'émoi', 'zoster', 'Ulcer', 'angina', 'B12', 'burn'])[1 + (random() * 7)::int],
		point(0.1 * (i % 3) + 1e-12 * (random() * 9)::int, 0), jsonb_build_object('n', (ARRAY['b', 'A', 'c'])[1 + i % 3]), (ARRAY[interval '1 day', '24 hours', '30 hours'])[1 + i % 3]
	FROM generate_series(1, 240) i;
	SELECT kanon_set_attribute('patients', a, 'quasi_identifier') FROM unnest('{age,height,dose,ward,born}'::text[]) a;
	SELECT kanon_set_attribute('patients', 'city', 'quasi_identifier', 'cities');
	SELECT kanon_set_attribute('patients', 'disease', 'sensitive'), kanon_set_attribute('patients', 'id', 'identifier');
	SELECT kanon_set_attribute('patients', a, 'insensitive') FROM unnest('{shape,doc,stay}'::text[]) a;
	SELECT kanon_create_release('by_levels', 'patients', 3, 'full_domain', quasi_identifiers => '{age,city,ward}', suppression => 0.3),
		kanon_create_release('local', 'patients', 5, 'local', models => '{"entropy(disease, 2)"}', suppression => 0.05, options => '{"means": true}'),
		kanon_create_release('local_people', 'patients', 4, quasi_identifiers => '{age,city,ward}', person => 'id'),
		kanon_create_release('strict', 'patients', 5, 'mondrian', options => '{"means": true}'),
		kanon_create_release('diverse', 'patients', 5, 'mondrian', models => '{"entropy(disease, 2)","closeness(disease, 0.6)"}'),
		kanon_create_release('relaxed', 'patients', 5, 'relaxed_mondrian', quasi_identifiers => '{age,city}'),
		kanon_create_release('relaxed_people', 'patients', 4, 'relaxed_mondrian', quasi_identifiers => '{age,ward}', models => '{"distinct(disease, 3)"}', person => 'id'),
		kanon_create_release('gain', 'patients', 5, 'mondrian', options => '{"split": "infogain", "target": "disease"}'),
		kanon_create_release('ring', 'patients', 3, 'ring'), kanon_create_release('ring_plain', 'patients', 3, 'ring', quasi_identifiers => '{age,dose}', options => '{"randomize": false}'),
		kanon_create_release('hidden', 'patients', 3, 'suppress_cells', quasi_identifiers => '{age,city,ward}'),
		kanon_create_release('matched', 'patients', 3, 'suppress_cells', quasi_identifiers => '{age,city,ward}', options => '{"null_matches": true}'),
		kanon_create_release('phases', 'patients', 3, 'two_phase', quasi_identifiers => '{age,city,dose,height}'),
		kanon_create_release('phases_plain', 'patients', 3, 'two_phase', quasi_identifiers => '{age,city,born}', options => '{"randomize": false}');
	-- Texts without hierarchy have an order only by which values tie.
	CREATE VIEW words AS SELECT city, ward, dose, disease, shape FROM patients;
	SELECT kanon_set_attribute('words', a, 'quasi_identifier') FROM unnest('{city,ward,dose}'::text[]) a;
	SELECT kanon_set_attribute('words', a, 'sensitive') FROM unnest('{disease,shape}'::text[]) a;
	SELECT kanon_create_release('words_ring', 'words', 3, 'ring'), kanon_create_release('words_phases', 'words', 3, 'two_phase');
	CREATE TABLE weights AS SELECT id % 9 AS age, disease, random() * 1e6 * (1 + id % 7) AS weight FROM patients;
	SELECT kanon_set_attribute('weights', 'age', 'quasi_identifier'), kanon_set_attribute('weights', 'weight', 'sensitive');
	SELECT kanon_create_release('regressed', 'weights', 5, 'mondrian', options => '{"split": "regression", "target": "weight"}');
	-- Rows that were made by hand, and give somebody away.
	CREATE TABLE told AS SELECT CASE WHEN id % 10 > 0 THEN '*' ELSE city END AS city, ward FROM patients WHERE id <= 64;
	CREATE TABLE few AS SELECT city, ward FROM patients WHERE id <= 64;
});
my @releases = qw(by_levels local local_people strict diverse relaxed relaxed_people gain hidden matched ring ring_plain phases phases_plain words_ring words_phases regressed);
my $pinned = "SET datestyle = 'ISO'; SET intervalstyle = 'postgres'; SET timezone = 'UTC'; SET extra_float_digits = 1; SET bytea_output = 'hex'; SET search_path = clinic, public;";

# What is in each release, and its figures; with "by_place" the order of its rows, too.
sub contents
{
	my ($database, $by_place) = @_;
	my $order = $by_place ? 'ctid' : 'r::text COLLATE "C"';
	my %contents;

	foreach my $release (@releases)
	{
		$contents{$release} = $node->safe_psql($database, qq{$pinned
			SELECT md5(string_agg(r::text, '|' ORDER BY $order)), (SELECT row(rows, classes, smallest, missing, loss) FROM kanon_release k WHERE k.release = '$release'::regclass) FROM $release r});
	}
	return \%contents;
}
my $refresh = join ' ', map { "REFRESH MATERIALIZED VIEW clinic.$_;" } @releases;
my $witness = q{SET search_path = clinic, public; SELECT * FROM kanon_check_matchings('told', 8, 'few', '{city,ward}'); SELECT * FROM kanon_check_matchings('few', 8, 'few', '{city,ward}')};

my $first = contents('here', 1);
my $told = $node->safe_psql('here', $witness);
is(scalar(grep { $first->{$_} =~ /^\w{32}\|/ } @releases), scalar @releases, 'all releases have rows');
like($told, qr/^f\|.*\nf\|/, 'somebody is singled out');

sub same
{
	my ($what) = @_;
	is_deeply(contents('here', 1), $first, "$what: the same releases");
	is($node->safe_psql('here', $witness), $told, "$what: the same witness");
	return;
}

# Other orders of the same rows.
$node->safe_psql('here', "UPDATE clinic.patients SET id = id WHERE id % 3 = 0; UPDATE clinic.cities SET city = city WHERE region = 'North';"
	  . "VACUUM FULL clinic.patients; VACUUM FULL clinic.cities; $refresh");
same('written anew');
for my $seed (1 .. 3)
{
	$node->safe_psql('here', join ' ', map { "CREATE TABLE clinic.kept AS SELECT * FROM clinic.$_; TRUNCATE clinic.$_; SELECT setseed(0.$seed);"
		  . "INSERT INTO clinic.$_ SELECT * FROM clinic.kept ORDER BY random(); DROP TABLE clinic.kept;" } qw(patients cities weights few told));
	$node->safe_psql('here', $refresh);
	same("order $seed");
}
$node->safe_psql('here', "CREATE INDEX by_disease ON clinic.patients (disease DESC, id DESC); CLUSTER clinic.patients USING by_disease; DROP INDEX clinic.by_disease; $refresh");
same('clustered');

# Other plans and settings of whoever refreshes.
my %setting = (
	'parallel' => 'SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 3;',
	'other plans' => 'SET enable_hashagg = off; SET enable_hashjoin = off; SET enable_sort = off; SET enable_seqscan = off;',
	'little memory' => "SET work_mem = '64kB'; SET kanon.memory_limit = '1MB';",
	'other texts' => "SET datestyle = 'German'; SET intervalstyle = 'iso_8601'; SET timezone = 'Asia/Tokyo'; SET extra_float_digits = -10; SET bytea_output = 'escape';",
	'another path' => 'SET search_path = clinic, public;');
foreach my $name (sort keys %setting)
{
	$node->safe_psql('here', "$setting{$name} $refresh");
	same($name);
}

# Dump and restore: other OIDs, and another collation of the database.
my %database = ('the same locale' => "TEMPLATE template0 LOCALE 'C'");
$database{'libc'} = "TEMPLATE template0 LOCALE 'C.UTF-8'"
  if $node->safe_psql('here', "SELECT count(*) FROM pg_collation WHERE collname = 'C.utf8'") > 0;
$database{'ICU'} = "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'"
  if $node->safe_psql('here', "SELECT count(*) FROM pg_collation WHERE collprovider = 'i'") > 0;
my $dump = $node->basedir . '/here.sql';
$node->command_ok([ 'pg_dump', '-f', $dump, 'here' ], 'dumped');
my $by_bytes = contents('here', 0);
foreach my $name (sort keys %database)
{
	$node->safe_psql('postgres', "CREATE DATABASE there $database{$name}");
	$node->safe_psql('there', 'CREATE TYPE other AS (a int); CREATE TABLE other_table (a int)');
	$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', $dump, 'there' ], "$name: restored");
	is_deeply(contents('there', 0), $by_bytes, "$name: the same releases");
	$node->safe_psql('there', $refresh);
	is_deeply(contents('there', 0), $by_bytes, "$name: refreshed, the same releases");
	is($node->safe_psql('there', $witness), $told, "$name: the same witness");
	$node->safe_psql('postgres', 'DROP DATABASE there');
}

# What a user calls: rows that are equal in all that the function sees are dealt in the order of the window.
my $dealt = q{SET search_path = clinic, public; SELECT md5(string_agg(x::text, ',' ORDER BY x::text COLLATE "C")) FROM (%s) x};
foreach my $call ("kanon_mondrian(5, ROW(age, city), relaxed => true)", "kanon_ring(3, ROW(age, city), seed => 's')", "kanon_two_phase(3, ROW(age, city), seed => 's')")
{
	my %answer;
	foreach my $order ('id', 'hashint4(id), id', '-id')
	{
		my $seen = sprintf $dealt, "SELECT age, city, ($call OVER ())::text FROM (SELECT * FROM patients ORDER BY $order) p";
		my $all = sprintf $dealt, "SELECT id, age, city, ($call OVER (ORDER BY id))::text FROM (SELECT * FROM patients ORDER BY $order) p";
		$answer{ $node->safe_psql('here', $seen) } = 1;
		$answer{ $node->safe_psql('here', $all) } = 1;
	}
	is(scalar keys %answer, 2, "$call: the order of the rows does not matter to what it sees");
}

done_testing();
