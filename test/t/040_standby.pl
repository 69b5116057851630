# What reads only works where nothing can be written: on a hot standby, and
# within a refresh, which is a security-restricted operation; also when it
# spills.  What writes says so.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1);
$primary->start;
$primary->safe_psql('postgres', q{
	CREATE EXTENSION kanon;
	CREATE TABLE people AS
	SELECT i % 40 AS age, (i * 7919) % 1009 AS zip, i % 3 AS sex FROM generate_series(1, 30000) i;
	SELECT kanon_create_dimension('ages', 'people', 'age', 'ranges', '{5,10}'),
		kanon_create_dimension('zips', 'people', 'zip', 'ranges', '{10,100}'),
		kanon_set_attribute('people', 'sex', 'quasi_identifier');
	SELECT kanon_create_release('released', 'people', 20, 'full_domain');
});

my %reading = (
	(map { ("kanon_incognito, $_" => "SELECT md5(string_agg(i::text, ',')) FROM"
			  . " kanon_incognito('people', 20, algorithm => '$_', metrics => true) i") }
		  qw(basic superroots cube two_way)),
	'kanon_incognito with models' => "SELECT md5(string_agg(i::text, ',')) FROM kanon_incognito('people', 20, '{age,sex}',"
	  . " ARRAY['distinct(zip, 3)', 'entropy(zip, 5)'], 0.1, metrics => true) i",
	'kanon_bottom_up' => "SELECT md5(string_agg(i::text, ',')) FROM kanon_bottom_up('people', 20) i",
	'kanon_binary_search' => "SELECT i::text FROM kanon_binary_search('people', 20) i",
	'kanon_datafly' => "SELECT i::text FROM kanon_datafly('people', 20) i",
	'kanon_check' => "SELECT c::text FROM kanon_check('people', 20) c",
	'kanon_check by models' => "SELECT c::text FROM kanon_check('people', 20, '{age,sex}',"
	  . " ARRAY['entropy(zip, 100)', 'closeness(zip, 0.4)', 'variance(zip, 100)']) c",
	'kanon_classes' => "SELECT md5(string_agg(c::text, ',')) FROM kanon_classes('people', 20, '{age}',"
	  . " ARRAY['recursive(zip, 2, 2)', 'distinct(sex, 2)'], 'zip') c",
	'kanon_risk' => "SELECT r::text FROM kanon_risk('people', '{age,sex}', 'people') r",
	'kanon_sample_uniques' => "SELECT md5(string_agg(u::text, ',')) FROM kanon_sample_uniques('ages') u",
	'kanon_special_uniques' => "SELECT md5(string_agg(u::text, ',')) FROM kanon_special_uniques('ages', 'top') u",
	'kanon_check_matchings' => "SELECT c::text FROM kanon_check_matchings('released', 20, 'people', '{age,sex}') c",
	'kanon_matching_bound' => "SELECT kanon_matching_bound('ages', 2, '{top}')::text",
	'kanon_check of a release' => "SELECT c::text FROM kanon_check('released', 20) c",
	'kanon_check_dimension' =>
	  "SELECT count(*)::text FROM kanon_check_dimension('ages', 'people', 'zip')",
	'kanon_generalized_query' => "SELECT kanon_generalized_query('people', '{1,2,0}', 20)",
);
# Each runs with both ways of counting, the first in so little memory that it spills.
my @settings =
  ("SET kanon.ground_scan = stream; SET kanon.memory_limit = '400kB';", 'SET kanon.ground_scan = group_by;');

my %answer;
for my $name (sort keys %reading)
{
	$answer{$name} = $primary->safe_psql('postgres', $reading{$name});
	isnt($answer{$name}, '', "$name answers");
	for my $setting (@settings)
	{
		is( $primary->safe_psql('postgres',
				"$setting CREATE MATERIALIZED VIEW made AS $reading{$name};"
				  . ' REFRESH MATERIALIZED VIEW made; TABLE made; DROP MATERIALIZED VIEW made'),
			$answer{$name},
			"$name within a refresh");
	}
}

$primary->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'backup', has_streaming => 1);
$standby->start;
for my $name (sort keys %reading)
{
	is($standby->safe_psql('postgres', "$_ $reading{$name}"), $answer{$name}, "$name on a standby")
	  for @settings;
}

for my $writing (
	"kanon_create_release('more', 'people', 20, 'full_domain')", "kanon_refresh_release('released')",
	"kanon_drop_release('released')", "kanon_set_attribute('people', 'sex', 'sensitive')",
	"kanon_unset_attribute('people', 'sex')",
	"kanon_create_dimension('more', 'people', 'age', 'suppress')")
{
	my ($status, $out, $err) = $standby->psql('postgres', "SELECT $writing");
	like($err, qr/cannot execute .* (in a read-only transaction|during recovery)/, "$writing does not");
}

$standby->stop;
$primary->stop;
done_testing();
