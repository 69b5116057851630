# Memory: flat over a thousand calls, bounded by kanon.memory_limit in each.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('memory');
$node->init;
# Few shared buffers: they count in what a process holds.
$node->append_conf('postgresql.conf',
	"autovacuum = off\nshared_buffers = 2MB\nmax_parallel_workers_per_gather = 0\n");
$node->start;

$node->safe_psql('postgres', q{
	CREATE EXTENSION kanon;
	SELECT setseed(0.5);
	CREATE TABLE people AS SELECT i % 3 AS a, i % 7 AS b, (i % 5)::numeric AS c, 'x' || i % 4 AS d,
		ARRAY[i % 2] AS e, (i % 2 = 0)::int::money AS f, i AS id
	FROM generate_series(1, 420) i;
	SELECT kanon_create_dimension('b_dimension', 'people', 'b', 'ranges', '{2}');
	SELECT kanon_set_attribute('people', attribute, 'quasi_identifier')
	FROM unnest('{a,c,d,e,f}'::name[]) attribute;

	-- A call that may fail, its error caught.
	CREATE FUNCTION attempt(call text) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		answer text;
	BEGIN
		IF call ~ '^SELECT' THEN
			EXECUTE call INTO answer;
		ELSE
			EXECUTE call;
		END IF;
		RETURN 'returned';
	EXCEPTION WHEN OTHERS THEN
		RETURN SQLSTATE;
	END $$;

	-- A line of /proc/self/status, in kilobytes.
	CREATE FUNCTION status(line text) RETURNS int LANGUAGE sql AS $$
		SELECT (regexp_match(pg_read_file('/proc/self/status'), line || ':\s+(\d+) kB'))[1]::int $$;
});

# 18 tells of a context's place by the numbers of those above it.
my $placed = $node->safe_psql('postgres', 'SHOW server_version_num') < 180000
	? 'SELECT name, parent, total_bytes FROM every'
	: q{SELECT c.name, above.name AS parent, c.total_bytes FROM every c LEFT JOIN every above ON above.path = c.path[:c.level - 1]};

# What this session holds, in bytes: the system's caches apart, which grow
# with each table ever made or refreshed.
$node->safe_psql('postgres', qq{
	CREATE FUNCTION held() RETURNS text LANGUAGE sql AS \$\$
		WITH every AS MATERIALIZED (SELECT * FROM pg_backend_memory_contexts), contexts AS ($placed)
		SELECT coalesce(sum(total_bytes) FILTER (WHERE parent IS DISTINCT FROM 'CacheMemoryContext'
				AND name <> 'CacheMemoryContext'), 0) || ' ' || count(*) FILTER (WHERE name ~ '^(kanon|SPI)')
		FROM contexts \$\$;
});

# ---- a thousand calls in one session

my @reading = (
	(map { "SELECT count(*) FROM kanon_incognito('people', 3, algorithm => '$_')" }
		  qw(basic superroots cube two_way)),
	"SELECT count(*) FROM kanon_incognito('people', 3, metrics => true, suppression => 0.1)",
	(map { "SELECT count(*) FROM kanon_incognito('people', 3, '{a,b,c}', ARRAY['closeness(f, 0.1)', 'distinct(d, 2)'], 0.1,"
		  . " algorithm => '$_', person => 'id')" } qw(basic superroots cube two_way)),
	"SELECT count(*) FROM kanon_bottom_up('people', 3, '{a,b,c}', ARRAY['entropy(d, 2)'], metrics => true)",
	"SELECT count(*) FROM kanon_binary_search('people', 3, '{a,b,c}', ARRAY['entropy(d, 2)'], 0.1)",
	"SELECT count(*) FROM kanon_bottom_up('people', 3)",
	"SELECT count(*) FROM kanon_bottom_up('people', 3, rollup => false)",
	"SELECT count(*) FROM kanon_binary_search('people', 3)",
	"SELECT count(*) FROM kanon_datafly('people', 3)",
	"SELECT count(*) FROM kanon_last_search()",
	"SELECT count(*) FROM kanon_last_partitioning()",
	"SELECT max(c) FROM (SELECT kanon_mondrian(3, p) OVER () AS c FROM people p, set_config('kanon.partitioning', 'tree', true)) s",
	"SELECT max(c::text) FROM (SELECT kanon_view_cells('mondrian', 3, p, options => '{\"means\": true}') OVER () AS c FROM people p) s, set_config('kanon.partitioning', 'auto', true)",
	"SELECT kanon_check('people', 3, person => 'id')",
	"SELECT kanon_check('people', 3, '{a,b}', ARRAY['closeness(f, 0.1)', 'entropy(id, 2)', 'variance(id, 2)'])",
	"SELECT count(*) FROM kanon_classes('people', 3, '{b}', ARRAY['recursive(f, 2, 2)', 'distinct(a, 2)'], 'id')",
	"SELECT kanon_check('people', 3, null_matches => true)",
	"SELECT max(c::text) FROM (SELECT kanon_view_cells('suppress_cells', 3, p) OVER (PARTITION BY c) AS c FROM people p) s",
	"SELECT max(c::text) FROM (SELECT kanon_view_cells('suppress_cells', 3, p, options => '{\"null_matches\": true}') OVER (PARTITION BY c) AS c FROM people p) s",
	"SELECT kanon_risk('people', '{a,b}', 'people')",
	"SELECT kanon_check_matchings('people', 1, 'people')",
	"SELECT kanon_check_matchings('people', 5, 'people')",
	"SELECT kanon_matching_bound('people', 3)",
	"SELECT kanon_matching_bound('people', 3, priced => true)",
	"SELECT kanon_matching_bound('people', 3, ranges => true)",
	"SELECT sum(minimal) FROM kanon_sample_uniques('people')",
	"SELECT sum(score) FROM kanon_special_uniques('people', 'id', size => 2)",
	"SELECT kanon_generalized_query('people', '{0,1,0,0,1,1}', 3)",
	"SELECT count(*) FROM kanon_check_dimension('b_dimension', 'people', 'b')",
	'SELECT max(c) FROM (SELECT kanon_mondrian(3, p) OVER () AS c FROM people p) s',
	'SELECT max(c) FROM (SELECT kanon_local(3, p) OVER () AS c FROM people p) s',
	"SELECT max(c) FROM (SELECT kanon_local(3, p, '{a,b}', ARRAY['entropy(id, 2)', 'closeness(f, 0.4)'], person => 'id') OVER (PARTITION BY c) AS c FROM people p) s",
	"SELECT kanon_local_tree('people', 3, '{a,b}', '{\"distinct(d, 2)\"}')",
	q{SELECT max(c::text) FROM (SELECT kanon_view_cells('mondrian', 3, p, options => '{"means": true}') OVER () AS c FROM people p) s},
	q{SELECT max(c::text) FROM (SELECT kanon_view_cells('mondrian', 3, p, '{a,b,d}', beside => 1) OVER (PARTITION BY c) AS c FROM people p) s},
	"SELECT max(c) FROM (SELECT kanon_mondrian(3, p, '{a,b}', ARRAY['entropy(id, 2)', 'closeness(f, 0.4)', 'recursive(d, 3, 2)'], person => 'id') OVER () AS c FROM people p) s",
	"SELECT max(c) FROM (SELECT kanon_mondrian(3, p, '{a,b}', ARRAY['variance(id, 2)'], relaxed => true) OVER (PARTITION BY c) AS c FROM people p) s",
	"SELECT kanon_mondrian_tree(3, p, '{a,b}', '{\"distinct(d, 2)\"}') FROM people p",
	"SELECT length(kanon_grow_tree('people', 3, '{a,b}', '{\"distinct(d, 2)\"}')::text)",
	"SELECT length(kanon_grow_tree('people', 3)::text) FROM (SELECT set_config('kanon.partitioning', 'tree', true)) s",
	"SELECT length(kanon_local_tree('people', 3)::text)",
	"SELECT length(kanon_rules_query(kanon_local_tree('people', 3, '{a,b}', '{\"distinct(d, 2)\"}'), 'people'))",
	'SELECT max(c::text) FROM (SELECT kanon_ring(3, p) OVER (PARTITION BY c) AS c FROM people p) s',
	'SELECT max(c::text) FROM (SELECT kanon_two_phase(3, p) OVER (PARTITION BY c) AS c FROM people p) s',
	(map { "SELECT max(c::text) FROM (SELECT $_(3, p, ranges => true) OVER (PARTITION BY c) AS c FROM people p) s" } qw(kanon_ring kanon_two_phase)),
	"SELECT bool_or(c) FROM (SELECT kanon_view_satisfies(3, p, 'b', ARRAY['closeness(id, 0.01)']) OVER () AS c FROM people p) s",
);
my @failing = (
	"SELECT kanon_incognito('people', 0)",
	"SELECT kanon_check('people', 3, '{a}', ARRAY['distinct(a, 2)'])",
	"SELECT kanon_check('people', 3, '{a}', ARRAY['distinct(id, 1000)'])",
	"SELECT 'distinct(a, '::kanon_models",
	"SELECT kanon_special_uniques('people', 'id', '{}')",
	"SELECT kanon_incognito('people', 3000, algorithm => 'basic')",
	"SELECT kanon_incognito('people', 3, '{nothing}')",
	"SELECT kanon_incognito('people', 3, '{a}', ARRAY['distinct(d, 20)'])",
	"SELECT kanon_incognito('people', 3, '{a}', ARRAY['distinct(d, 2)'], person => 'nobody')",
	"SELECT kanon_incognito('people', 3, algorithm => 'none')",
	"SELECT kanon_bottom_up('people', 3, suppression => 'NaN')",
	"SELECT kanon_create_dimension('taken', 'people', 'c', 'ranges', '{0}')",
	"SELECT kanon_create_release('taken', 'people', 3, 'full_domain', options => '{\"levels\": [0, 0, 0, 0, 0, 0]}')",
	"SELECT kanon_create_release('taken', 'people', 3, 'relaxed_mondrian', options => '{\"split\": \"regression\", \"target\": \"id\"}')",
	"SELECT kanon_mondrian(3, p, models => '{\"distinct(a, 2)\"}') OVER () FROM people p",
	"SELECT kanon_view_cells('mondrian', 3, p, dimensions => '{NULL}') OVER () FROM people p",
	"SELECT kanon_ring(3, p, dimensions => '{NULL}') OVER () FROM people p",
	"SELECT count(*) FROM kanon_incognito('people', 3), (SELECT set_config('kanon.memory_limit', '16kB', true)) s",
	"SELECT (kanon_datafly('people', 3)).height / 0",
);
my @writing = (
	"SELECT kanon_create_dimension('made', 'people', 'c', 'ranges', '{3}')",
	"SELECT kanon_set_attribute('people', 'c', 'quasi_identifier', NULL, 2)",
	"SELECT kanon_unset_attribute('people', 'c')",
	"SELECT kanon_set_attribute('people', 'c', 'quasi_identifier')",
	"SELECT kanon_create_release('released', 'people', 3, 'full_domain', options => '{\"levels\": [1, 2, 1, 1, 1, 1]}')",
	"SELECT kanon_refresh_release('released')",
	"SELECT kanon_drop_release('released')",
	"SELECT kanon_create_release('released', 'people', 3, 'mondrian', options => '{\"means\": true}')",
	"SELECT kanon_refresh_release('released')",
	"SELECT kanon_drop_release('released')",
	"SELECT kanon_create_release('released', 'people', 3, options => '{\"means\": true}')",
	"SELECT kanon_refresh_release('released')",
	"SELECT kanon_drop_release('released')",
	'DROP TABLE made',
);

# The session says what each call came to, and at times what it holds.
sub hold_after
{
	my ($calls, @moments) = @_;
	my ($sql, $done) = ("SET client_min_messages = warning;\n", 0);
	for my $moment (@moments)
	{
		for (; $done < $moment; $done++)
		{
			my $call = $calls->[ $done % @$calls ];
			$sql .= "SELECT attempt(\$call\$$call\$call\$);\n";
		}
		$sql .= "SELECT 'held ' || held() || ' ' || status('RssAnon');\n";
	}
	my ($out, $err);
	$node->psql('postgres', $sql, stdout => \$out, stderr => \$err);
	is($err, '', 'nothing is complained of');
	my %outcomes;
	$outcomes{$_}++ for grep { !/^held/ } split /\n/, $out;
	return (\%outcomes, map { [ split / / ] } $out =~ /^held (.*)$/mg);
}

my @mix = (@reading, @failing, @writing);
my $rounds = int(1000 / @mix) + 1;
my ($outcomes, $early, $late) = hold_after(\@mix, 4 * @mix, $rounds * @mix);
is($outcomes->{returned}, $rounds * (@reading + @writing), 'calls return');
is( join(' ', map { "$_:" . $outcomes->{$_} / $rounds } grep { $_ ne 'returned' } sort keys %$outcomes),
	'22012:1 22023:13 22P02:1 23514:1 42703:2 54000:1', 'or end with the errors expected');
cmp_ok($late->[0] - $early->[0], '<=', 64 * 1024, 'memory contexts are flat');
is($late->[1], $early->[1], 'no context of kanon or SPI stays');
cmp_ok($late->[2] - $early->[2], '<=', 4096, 'the process is flat');
note sprintf('%d calls: contexts %d -> %d bytes, process %d -> %d kB',
	$rounds * @mix, $early->[0], $late->[0], $early->[2], $late->[2]);

# The same within one transaction, where nothing is cleaned up at commit.
my ($out, $err);
$node->psql('postgres', q{
	DO $do$
	DECLARE
		calls text[] := ARRAY[} . join(', ', map { "\$call\$$_\$call\$" } @reading, @failing) . q{];
		samples text[];
		early int[];
		late int[];
	BEGIN
		FOR i IN 1 .. 660 LOOP
			PERFORM attempt(calls[1 + i % cardinality(calls)]);
			IF i % 110 = 0 THEN
				samples := samples || held();
			END IF;
		END LOOP;
		early := string_to_array(samples[2], ' ');
		late := string_to_array(samples[6], ' ');
		RAISE NOTICE 'grew % %', late[1] - early[1], late[2] - early[2];
	END $do$}, stdout => \$out, stderr => \$err);
like($err, qr/grew -?\d+ -?\d+$/m, 'hundreds of calls in one transaction');
my ($bytes, $contexts) = $err =~ /grew (-?\d+) (-?\d+)/;
cmp_ok($bytes, '<=', 64 * 1024, 'memory contexts are flat there, too');
is($contexts, 0, 'and no context of kanon or SPI stays');
note "660 calls in one transaction: $bytes bytes more";

# ---- the limit

# Groups by the hundred thousand, and many values in one attribute of each kind.
$node->safe_psql('postgres', q{
	SELECT setseed(0.5);
	CREATE TABLE sales AS
	SELECT (random() * random() * 80)::int AS age, (random() * 9)::int AS shop,
		'city ' || (random() * 30)::int AS city, date '2000-01-01' + (random() * 400)::int AS day,
		(random() * random() * 5000)::int AS zip, random() < 0.3 AS member
	FROM generate_series(1, 400000);
	SELECT kanon_create_dimension('age_dimension', 'sales', 'age', 'ranges', '{5,20}'),
		kanon_create_dimension('city_dimension', 'sales', 'city', 'suppress'),
		kanon_create_dimension('day_dimension', 'sales', 'day', 'dates', '{month,year}'),
		kanon_create_dimension('zip_dimension', 'sales', 'zip', 'ranges', '{10,100,1000}'),
		kanon_set_attribute('sales', 'shop', 'quasi_identifier'),
		kanon_set_attribute('sales', 'member', 'quasi_identifier');
	CREATE TABLE fewer AS SELECT * FROM sales LIMIT 40000;
	INSERT INTO kanon_attribute SELECT 'fewer', attribute, role, dimension, weight
	FROM kanon_attribute WHERE relation = 'sales'::regclass;
	CREATE TABLE fewer_loose AS
	SELECT CASE WHEN age % 3 > 0 THEN age END AS age, CASE WHEN age % 3 <> 1 THEN shop END AS shop, city,
		CASE WHEN age % 3 <> 2 THEN day END AS day, CASE WHEN age % 3 > 0 THEN zip END AS zip, member
	FROM fewer;
	CREATE TABLE names AS
	SELECT 'Name ' || md5(i::text) AS name, i + 0.5 AS amount, i::money AS money, i % 4 AS shop
	FROM generate_series(1, 300000) i;
	CREATE TABLE name_dimension AS SELECT name, left(name, 7) AS start, '*' AS top FROM names;
	VACUUM ANALYZE;
});

# [answer or state, kilobytes that the session's peak rose, message]
sub run_within
{
	my ($limit, $call) = @_;
	my ($stdout, $stderr);
	$node->psql('postgres', "
		SELECT count(*) FROM kanon_incognito('people', 3); SELECT count(*) FROM sales;
		SELECT status('VmHWM') AS before \\gset
		SET kanon.memory_limit = '$limit';
		SET work_mem = '256kB';
		SELECT md5(string_agg(g::text, ' ')) FROM $call g;
		\\echo :SQLSTATE
		SELECT status('VmHWM') - :before;", on_error_stop => 0, stdout => \$stdout, stderr => \$stderr);
	my @lines = split /\n/, $stdout;
	my $answer = $lines[-2] eq '00000' ? $lines[-3] : $lines[-2];
	return { answer => $answer, growth => $lines[-1], message => $stderr };
}

# What PostgreSQL takes itself: caches, buffers, and its sorts and hashes of what a query joins,
# each within work_mem, which is little here.
my $allowance = 12 * 1024;
my %kilobytes = ('1MB' => 1024, '2MB' => 2048, '4MB' => 4096, '16MB' => 16384);

sub is_within
{
	my ($call, $limit, $expected) = @_;
	my $run = run_within($limit, $call);
	if ($run->{answer} eq '54000')
	{
		like($run->{message}, qr/HINT:.*kanon\.memory_limit/, "$call in $limit: the error names the setting");
	}
	else
	{
		is($run->{answer}, $expected, "$call in $limit: the same answer");
	}
	cmp_ok($run->{growth}, '<', $kilobytes{$limit} + $allowance, 'and within the limit');
	note "peak rose by $run->{growth} kB, $run->{answer}";
	return $run->{answer} eq $expected;
}

my $answered = 0;
for my $call (
	"kanon_incognito('sales', 2)", "kanon_incognito('sales', 2, algorithm => 'cube')",
	"kanon_incognito('sales', 2, metrics => true)", "kanon_datafly('sales', 2)")
{
	my $expected = run_within('1GB', $call)->{answer};
	$answered += is_within($call, $_, $expected) for '1MB', '4MB';
}
for my $call (
	(map { "kanon_incognito('fewer', 3, algorithm => '$_')" } qw(basic superroots cube two_way)),
	"kanon_bottom_up('fewer', 3)", "kanon_bottom_up('fewer', 50, '{age,shop,city,zip}', rollup => false)",
	"kanon_incognito('fewer', 3, '{age,shop,city}', ARRAY['distinct(zip, 2)', 'closeness(day, 0.9)'], 0.1)",
	"kanon_incognito('fewer', 3, '{age,shop,city}', ARRAY['entropy(zip, 2)'], metrics => true, person => 'zip')",
	"kanon_binary_search('fewer', 3, suppression => 0.1)",
	"kanon_datafly('fewer', 3, suppression => 0.1, metrics => true)")
{
	my $expected = run_within('1GB', $call)->{answer};
	$answered += is_within($call, $_, $expected) for '1MB', '2MB';
}
for my $call (
	"kanon_check_matchings('fewer', 1, 'fewer')", "kanon_check_matchings('fewer_loose', 2, 'fewer')",
	"kanon_matching_bound('fewer', 3)", "kanon_matching_bound('fewer', 3, priced => true)")
{
	my $expected = run_within('1GB', $call)->{answer};
	is_within($call, $_, $expected) for '1MB', '4MB', '16MB';
}
for my $name (map { ("$_(3, f", "$_(3, f, dimensions => '{NULL,NULL,NULL,NULL,NULL,NULL}', ranges => true") } qw(kanon_ring kanon_two_phase))
{
	my $call = "(SELECT $name, seed => 'fixed') OVER (ORDER BY f) AS c FROM (SELECT * FROM fewer o ORDER BY o LIMIT 15000) f)";
	my $expected = run_within('1GB', $call)->{answer};
	like($expected, qr/^[0-9a-f]{32}$/, "$name) answers");
	is_within($call, $_, $expected) for '1MB', '4MB', '16MB';
}
# Mondrian goes over disk: 400,000 rows of five attributes, a tenth or so of which fit.
for my $call (
	"(SELECT max(c), sum(c::numeric * zip) FROM (SELECT zip, kanon_mondrian(5, ROW(age, shop, city, day, zip)) OVER () AS c FROM sales) s)",
	"(SELECT max(c), sum(c::numeric * zip) FROM (SELECT zip, kanon_mondrian(5, ROW(age, shop, city, day, zip), models => 'distinct(f2, 2)', quasi_identifiers => '{f1,f3,f4,f5}') OVER () AS c FROM sales) s)",
	"(SELECT max(c), sum(c::numeric * zip) FROM (SELECT zip, kanon_mondrian(5, ROW(age, shop, city, day, zip), split => 'infogain', target => 'f2') OVER () AS c FROM sales) s)",
	"(SELECT md5(kanon_mondrian_tree(500, s, '{age,shop,city,day,zip}')::text) FROM sales s)",
	"(SELECT md5(kanon_mondrian_tree(500, s, '{age,shop,city,day,zip}', 'median', NULL)::text) FROM sales s)")
{
	my $expected = run_within('1GB', $call)->{answer};
	# By gain, the counts of all columns have to fit at once, and so does a tree.
	for my $limit ($call =~ /tree/ && $call !~ /median/ ? '4MB' : ('2MB', '4MB'))
	{
		my $run = run_within($limit, $call);
		is($run->{answer}, $expected, "$call in $limit: the same answer");
		cmp_ok($run->{growth}, '<', $kilobytes{$limit} + $allowance, 'and within the limit');
		note "peak rose by $run->{growth} kB";
	}
}
cmp_ok($answered, '>=', 20, 'most find their answer in little memory');

# What cannot fit stops: dictionaries of every kind, hierarchies, lattices.
$node->safe_psql('postgres', q{
	CREATE TABLE broad AS SELECT } . join(', ', map { "i % 4 AS a$_" } 1 .. 70) . q{
	FROM generate_series(1, 100) i;
	CREATE TABLE quarter AS SELECT i AS value, i / 2 AS half, 0 AS top FROM generate_series(0, 3) i;
	SELECT kanon_set_attribute('broad', attname, 'quasi_identifier', 'quarter')
	FROM pg_attribute WHERE attrelid = 'broad'::regclass AND attnum > 0;
});
my $twenty = "'{" . join(',', map { "a$_" } 1 .. 20) . "}'";
for my $call (
	"kanon_incognito('names', 2, '{name,shop}')", "kanon_incognito('names', 2, '{amount}', algorithm => 'basic')",
	"kanon_datafly('names', 2, '{money}')", "kanon_incognito('broad', 2, $twenty)",
	"kanon_incognito('broad', 2, $twenty, algorithm => 'basic')",
	"kanon_incognito('broad', 2, $twenty, algorithm => 'cube')", "kanon_bottom_up('broad', 2, $twenty)",
	"kanon_binary_search('broad', 2)", "kanon_incognito('broad', 2)")
{
	my $run = run_within('1MB', $call);
	is($run->{answer}, '54000', "$call in 1MB stops");
	like($run->{message}, qr/exceeds the memory limit of 1024 kB.*HINT:.*kanon\.memory_limit/s, 'and names the setting');
	cmp_ok($run->{growth}, '<', 1024 + $allowance, 'before it takes more');
}
$node->safe_psql('postgres', "SELECT kanon_set_attribute('names', 'name', 'quasi_identifier', 'name_dimension')");
for my $call (
	"kanon_incognito('names', 2, '{name,shop}')", "kanon_incognito('names', 2, '{amount,shop}', algorithm => 'superroots')",
	"kanon_incognito('names', 2, '{money,shop}', metrics => true)")
{
	my $expected = run_within('1GB', $call)->{answer};
	is_within($call, $_, $expected) for '4MB', '16MB';
	is(run_within('512MB', $call)->{answer}, $expected, "$call in half a gigabyte");
}
# Values that all want one place of the dictionary, which grows long before it is full.
$node->safe_psql('postgres', q{
	CREATE TABLE collisions AS
	SELECT (v - CASE WHEN v < 2::numeric ^ 63 THEN 0 ELSE 2::numeric ^ 64 END)::int8 AS value
	FROM generate_series(1, 60000) i, mod(i % 65536 * 2::numeric ^ 48 * 17428512612931826493, 2::numeric ^ 64) v;
	SELECT kanon_set_attribute('collisions', 'value', 'quasi_identifier');
	VACUUM ANALYZE collisions;
});
my $expected = run_within('1GB', "kanon_incognito('collisions', 2)")->{answer};
like($expected, qr/^[0-9a-f]{32}$/, 'values that collide are found');
is_within("kanon_incognito('collisions', 2)", $_, $expected) for '1MB', '16MB';

like(run_within('64MB', "kanon_datafly('broad', 2)")->{answer}, qr/^[0-9a-f]{32}$/,
	'Datafly makes no lattice, however many attributes there are');
is($node->safe_psql('postgres', "SET maintenance_work_mem = '1MB'; SELECT attempt('SELECT kanon_datafly(''names'', 2, ''{name}'')')"),
	'54000', 'maintenance_work_mem is the default');
my ($status, $refused);
$status = $node->psql('postgres', "LOAD 'kanon'; SET kanon.memory_limit = -2", stderr => \$refused);
like($refused, qr/-2 kB is outside the valid range for parameter "kanon\.memory_limit"/, 'less than nothing is refused');

unlike(slurp_file($node->logfile), qr/temporary file leak|WARNING|was terminated|PANIC|TRAP/, 'the server has nothing to say');

# The ceiling is for superusers to set, also where somebody speaks of it before the library is there.
$node->safe_psql('postgres', q{CREATE ROLE reader LOGIN; ALTER ROLE reader SET kanon.memory_ceiling = '2MB'});
my $load = q{SET kanon.memory_limit = '1GB'; SELECT kanon_digest('pg_am'::regclass) = ''};
foreach my $set (q{SET kanon.memory_ceiling = '1GB'}, q{SET kanon.memory_ceiling = -1}, 'RESET kanon.memory_ceiling')
{
	foreach my $sql ("$set; $load", "$load; $set")
	{
		my ($out, $errors);
		$node->psql('postgres', "$sql; SHOW kanon.memory_ceiling; SELECT count(*) FROM (SELECT kanon_ring(2, ROW(i)) OVER () AS cells FROM generate_series(1, 50000) i) c WHERE cells IS NULL",
			stdout => \$out, stderr => \$errors, on_error_stop => 0, extra_params => [ '-U', 'reader' ]);
		like($out, qr/2MB$/, "\"$sql\" raises no ceiling");
		like($errors, qr/exceeds the memory limit of 2048 kB.*"kanon\.memory_ceiling", which superusers set, allows 2048 kB/s, '.. which holds');
	}
}
foreach my $sql ('SET kanon.memory_ceiling = -1', 'RESET kanon.memory_ceiling')
{
	isnt($node->psql('postgres', "LOAD 'kanon'; ALTER ROLE reader $sql", extra_params => [ '-U', 'reader' ]), 0, "nor \"$sql\" for later");
}
is($node->safe_psql('postgres', 'SHOW kanon.memory_ceiling', extra_params => [ '-U', 'reader' ]), '2MB', 'it is what it was');
foreach my $option ('1GB', '-1')
{
	local $ENV{PGOPTIONS} = "-c kanon.memory_ceiling=$option";
	my ($out, $errors);
	$node->psql('postgres', "$load; $load; SHOW kanon.memory_ceiling", stdout => \$out, stderr => \$errors, on_error_stop => 0, extra_params => [ '-U', 'reader' ]);
	is(() = $errors =~ /ERROR:  permission denied to set parameter "kanon\.memory_ceiling"/g, 2, "a client that connects with $option has no kanon");
	is($node->safe_psql('postgres', "SELECT count(kanon_digest('pg_am'::regclass)); SHOW kanon.memory_ceiling"), "1\n" . ($option eq '-1' ? -1 : $option), '.. unless it is a superuser');
}

$node->stop;
done_testing();
