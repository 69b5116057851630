# Releases whose nodes parallel workers finish side by side: the same rows, classes and losses as by one process.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Questions;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--no-locale', '--encoding=UTF8' ]);
# Whatever the number of rows.
$node->append_conf('postgresql.conf', "autovacuum = off\nmax_worker_processes = 16\nmax_parallel_workers = 16\nlog_min_messages = debug1\nkanon.partitioning = tree\n");
$node->start;
sub ask { my $sql = join ';', @_; return $node->safe_psql('postgres', "SET client_min_messages = error; $sql") }
sub with { my ($workers, @sql) = @_; return ask("SET max_parallel_workers_per_gather = $workers", @sql) }

ask(qq{CREATE EXTENSION kanon},
	qq{CREATE TABLE people AS SELECT id + 10000 * g AS id, ward, age + g AS age, CASE WHEN g = 2 THEN 'x' ELSE sex END AS sex, zip, n + id % 97 AS n, disease, pay + g AS pay,
		date '1930-01-01' + (id * (g + 37) % 25000) AS birth, (id * 7919 % 100003)::numeric / 100 AS income FROM ($rows) r, generate_series(0, 3) g},
	q{SELECT kanon_create_dimension('ages', 'people', 'age', 'ranges', '{10,20}'), kanon_create_dimension('zips', 'people', 'zip', 'digits', '{1,3,5}')},
	q{DELETE FROM zips WHERE zip LIKE '%7'},
	q{SELECT kanon_declare('people', '{age,sex,zip}', '{disease}', '{}', '{id,ward,n,pay,birth,income}')},
	q{SELECT kanon_set_attribute('people', 'age', 'quasi_identifier', 'ages'), kanon_set_attribute('people', 'zip', 'quasi_identifier', 'zips')});

my %release = (
	strict => "5, 'strict_mondrian'",
	gain => "5, 'mondrian'",
	of_numbers => "7, 'mondrian', quasi_identifiers => '{n,pay,age}'",
	of_dates => "20, 'mondrian', quasi_identifiers => '{birth,income,ward}', options => '{\"ranges\": true}'",
	plain => "20, 'mondrian', quasi_identifiers => '{birth,income,ward}'",
	judged => "5, 'mondrian', quasi_identifiers => '{n,birth}', models => 'distinct(disease, 3), closeness(disease, 0.5)'",
	strictly => "5, 'strict_mondrian', quasi_identifiers => '{n,birth,income}', models => 'entropy(disease, 2)'",
	few => "3000, 'mondrian', quasi_identifiers => '{n,birth}'",
	local => "5, 'local', quasi_identifiers => '{n,birth,zip}'",
	local_judged => "5, 'local', models => 'distinct(disease, 2)'",
	stored => "5, 'mondrian', options => '{\"storage\": \"table\"}'",
	# By one process.
	of_levels => "5, 'full_domain'",
	of_people => "5, 'mondrian', quasi_identifiers => '{n,birth}', person => 'pay'",
	left_out => "5, 'local', suppression => 0.1",
	target => "5, 'mondrian', quasi_identifiers => '{n,birth}', options => '{\"target\": \"disease\", \"split\": \"infogain\"}'",
	means => "5, 'mondrian', quasi_identifiers => '{n,pay}', options => '{\"means\": true}'",
	after => "5, 'mondrian', models => 'distinct(disease, 2)', options => '{\"models_after\": true}'",
);
my %alone = map { $_ => 1 } qw(of_levels of_people of_dates left_out target after means local local_judged strict);
my @names = sort keys %release;
my $figures = q{SELECT kanon_digest('%1$s'), (recoding, k, columns, quasi_identifiers, rows, classes, smallest, people, missing, round(loss::numeric, 12), satisfied)::text FROM kanon_release WHERE release = '%1$s'::regclass};
sub same { my ($say) = @_; is(ask(sprintf $figures, "${_}_many"), ask(sprintf $figures, "${_}_one"), "$_ $say: as by one process") for @names }

# How many workers started while this ran?
sub workers
{
	my ($workers, $sql) = @_;
	my $offset = -s $node->logfile;
	with($workers, $sql);
	return scalar(() = slurp_file($node->logfile, $offset) =~ /registering background worker "parallel worker/g);
}

for my $name (@names)
{
	is(with(0, "SELECT kanon_create_release('${name}_one', 'people', $release{$name})"), "${name}_one", "$name is made");
	is(with(3, "SELECT kanon_create_release('${name}_many', 'people', $release{$name})"), "${name}_many", '.. by several processes, too');
}
same('made');
ask(q{DELETE FROM people WHERE id % 13 = 1}, q{UPDATE people SET age = 99 - age, sex = NULL, birth = NULL WHERE ward LIKE 'd%'}, q{UPDATE people SET n = NULL WHERE id % 101 = 5});
for my $name (@names)
{
	with(0, "SELECT kanon_refresh_release('${name}_one')");
	my $started = workers(3, "SELECT kanon_refresh_release('${name}_many', concurrently => true)");
	ok($alone{$name} ? $started == 0 : $started > 3, "workers that refresh $name: $started");
}
same('refreshed');
is(workers(3, 'REFRESH MATERIALIZED VIEW gain_many'), 0, 'PostgreSQL refreshes by itself');
same('refreshed by PostgreSQL');

# ---- renamed columns have other names than in the text of the release: one process
ask('ALTER TABLE people RENAME n TO m', 'ALTER TABLE people RENAME disease TO n', 'ALTER TABLE people RENAME m TO disease', 'UPDATE people SET pay = pay + 1');
for my $name (qw(judged of_numbers stored))
{
	with(0, "SELECT kanon_refresh_release('${name}_one')");
	is(workers(3, "SELECT kanon_refresh_release('${name}_many')"), 0, "workers that refresh $name, of which columns were renamed");
}
same('refreshed after columns were renamed');
ask('ALTER TABLE people RENAME n TO m', 'ALTER TABLE people RENAME disease TO n', 'ALTER TABLE people RENAME m TO disease');
cmp_ok(workers(3, "SELECT kanon_refresh_release('judged_many')"), '>', 3, '.. and when they have their old names');

# ---- local recoding divides more rows than those
ask(q{CREATE TABLE many AS SELECT i AS id, hashint4(i) & 1023 AS a, hashint4(-i) & 255 AS b, hashint4(i * 3) & 7 AS c FROM generate_series(1, 300000) i}, q{SELECT kanon_declare('many', '{a,b}', '{c}', '{}', '{id}')});
with(0, q{SELECT kanon_create_release('regions_one', 'many', 50, 'local')});
cmp_ok(workers(2, q{SELECT kanon_create_release('regions_many', 'many', 50, 'local')}), '>', 3, 'workers divide regions');
@names = ('regions');
same('made');

# ---- a column of NULLs alone; cells that could be those of others: an inner node of a taxonomy that is a value, a text like a range
ask(q{CREATE TABLE nulls AS SELECT i % 40 AS n, NULL::int AS i, NULL::date AS d FROM generate_series(1, 2000) i},
	q{CREATE TABLE icd AS SELECT * FROM (VALUES ('any', NULL), ('E11', 'any'), ('E11.1', 'E11'), ('E11.2', 'E11'), ('E11.3', 'E11'), ('I10', 'any')) v(child, parent)},
	q{CREATE TABLE cases AS SELECT i AS id, CASE WHEN i <= 10000 THEN 'E11' WHEN i <= 10009 THEN 'E11.' || i % 3 + 1 ELSE 'I10' END AS code, i % 5 AS age, 'd' || i % 4 AS d FROM generate_series(1, 11000) i},
	q{CREATE TABLE texts AS SELECT i AS id, CASE WHEN i <= 5000 THEN '[a - c]' WHEN i <= 5009 THEN chr(97 + i % 3) ELSE 'z' END AS t, 'd' || i % 4 AS d FROM generate_series(1, 6000) i},
	q{SELECT kanon_create_dimension('codes', 'cases', 'code', 'taxonomy', '{icd}')},
	q{SELECT kanon_declare('nulls', '{n,i,d}'), kanon_declare('cases', '{}', '{d}', '{}', '{id,age}'), kanon_set_attribute('cases', 'code', 'quasi_identifier', 'codes'), kanon_declare('texts', '{t}', '{d}', '{}', '{id}')});
my %of = (nulls => "'nulls', 5, 'mondrian'", cases => "'cases', 5, 'mondrian'", texts => "'texts', 5, 'mondrian', options => '{\"ranges\": true}'");
@names = sort keys %of;
for my $name (@names)
{
	with(0, "SELECT kanon_create_release('${name}_one', $of{$name})");
	my $started = workers(3, "SELECT kanon_create_release('${name}_many', $of{$name})");
	is($started > 0, $name eq 'nulls', "workers that make $name: $started");
}
same('made');
done_testing();
