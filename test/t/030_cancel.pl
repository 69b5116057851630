# Cancels in every phase of every function: statement_timeout at many moments
# of each call, and pg_cancel_backend.  Each run ends soon after, and leaves a
# session in which everything works and nothing lies about.
#
#   CANCEL_STEPS    moments for each call (6)
#   CANCEL_SECONDS  the last moment, where the call takes longer (0.5)
#   CANCEL_ROWS     rows of the large tables (150000)
use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep time);

my $steps = $ENV{CANCEL_STEPS} // 6;
my $horizon = 1000 * ($ENV{CANCEL_SECONDS} // 0.5);
my $rows = $ENV{CANCEL_ROWS} // 150000;

# The promise is 100 ms; a busy machine answers later.
my $bound = 2000;

my $node = PostgreSQL::Test::Cluster->new('cancel');
$node->init(extra => [ '--no-locale', '--encoding=UTF8' ]);
$node->append_conf('postgresql.conf', "autovacuum = off\njit_above_cost = 0\n");
$node->start;

my $collation = $node->safe_psql('postgres', q{
	SELECT coalesce((SELECT format('pg_catalog.%I', collname) FROM pg_collation
		WHERE collname = 'en-x-icu'), 'pg_catalog."C"')});
note "collation $collation";

# sales: six attributes; names: one attribute with a value for every row.
$node->safe_psql('postgres', qq{
	CREATE EXTENSION kanon;
	SELECT setseed(0.5);
	CREATE TABLE sales AS
	SELECT (random() * random() * 80)::int AS age, (random() * 9)::int AS shop,
		'city ' || (random() * 30)::int AS city, date '2000-01-01' + (random() * 400)::int AS day,
		(random() * 300)::numeric(6,1) AS price, (random() * random() * 5000)::int AS zip
	FROM generate_series(1, $rows);
	CREATE TABLE names (name text COLLATE $collation, member numeric, shop int);
	INSERT INTO names SELECT 'Näme ' || md5(i::text), i, i % 9 FROM generate_series(1, $rows) i;
	CREATE TABLE name_dimension AS
	SELECT name, left(name, 9) AS start_9, left(name, 7) AS start_7, '*' AS top FROM names;
	SELECT kanon_create_dimension('age_dimension', 'sales', 'age', 'ranges', '{5,20}'),
		kanon_create_dimension('city_dimension', 'sales', 'city', 'suppress'),
		kanon_create_dimension('day_dimension', 'sales', 'day', 'dates', '{month,year}'),
		kanon_create_dimension('zip_dimension', 'sales', 'zip', 'ranges', '{10,100,1000}'),
		kanon_set_attribute('sales', 'shop', 'quasi_identifier'),
		kanon_set_attribute('sales', 'price', 'quasi_identifier'),
		kanon_set_attribute('names', 'name', 'quasi_identifier', 'name_dimension'),
		kanon_set_attribute('names', 'shop', 'quasi_identifier');
	-- Releases whose rows are generalized one by one.
	CREATE TABLE sales_loose AS
	SELECT CASE WHEN price::int % 3 > 0 THEN age END AS age, CASE WHEN price::int % 3 <> 1 THEN shop END AS shop,
		city, CASE WHEN price::int % 3 <> 2 THEN day END AS day, price, CASE WHEN price::int % 3 > 0 THEN zip END AS zip
	FROM sales;
	CREATE TABLE names_loose AS SELECT CASE WHEN shop % 2 = 0 THEN left(name, 9) ELSE name END AS name, shop FROM names;
	CREATE TABLE small AS SELECT i % 3 AS a, i % 7 AS b FROM generate_series(1, 40) i;
	SELECT kanon_set_attribute('small', 'a', 'quasi_identifier'),
		kanon_set_attribute('small', 'b', 'quasi_identifier');
	ANALYZE;
});

my %call = (
	(map { ($_ => "SELECT count(*) FROM kanon_incognito('sales', 2, algorithm => '$_')") }
		  qw(basic superroots cube two_way)),
	'two_way with metrics' => "SELECT count(*) FROM kanon_incognito('sales', 2, metrics => true)",
	'two_way in little memory' =>
	  "SET kanon.memory_limit = '3MB'; SELECT count(*) FROM kanon_incognito('sales', 2)",
	'two_way by GROUP BY' =>
	  "SET kanon.ground_scan = group_by; SELECT count(*) FROM kanon_incognito('sales', 2)",
	'two_way with models' => "SELECT count(*) FROM kanon_incognito('sales', 2, '{age,shop,city,zip}',"
	  . " ARRAY['distinct(price, 2)', 'closeness(day, 0.4)'], 0.05)",
	'cube with models' => "SELECT count(*) FROM kanon_incognito('sales', 2, '{age,shop,city}',"
	  . " ARRAY['entropy(price, 2)'], algorithm => 'cube')",
	'two_way with people' => "SELECT count(*) FROM kanon_incognito('names', 2, '{shop}',"
	  . " ARRAY['entropy(name, 2)'], person => 'member')",
	'mondrian from samples' => 'SET kanon.partitioning = sample;'
	  . ' SELECT max(c) FROM (SELECT kanon_mondrian(2, s) OVER () AS c FROM sales s) s',
	'mondrian from samples with models' => 'SET kanon.partitioning = sample;'
	  . " SELECT max(c) FROM (SELECT kanon_mondrian(2, ROW(name, member, shop), models => 'entropy(f1, 8), variance(f2, 6)', quasi_identifiers => '{f3}') OVER () AS c FROM names) s",
	'regression from samples' => 'SET kanon.partitioning = sample;'
	  . " SELECT max(c) FROM (SELECT kanon_mondrian(2, ROW(age, shop, city, day, zip, price), split => 'regression', target => 'f6') OVER () AS c FROM sales) s",
	'bottom_up' => "SELECT count(*) FROM kanon_bottom_up('sales', 2)",
	'bottom_up without rollup' => "SELECT count(*) FROM kanon_bottom_up('sales', 2, rollup => false)",
	'binary_search' => "SELECT count(*) FROM kanon_binary_search('sales', 2)",
	'datafly' => "SELECT count(*) FROM kanon_datafly('sales', 2)",
	'many values' => "SELECT count(*) FROM kanon_incognito('names', 2)",
	'many numbers' => "SELECT count(*) FROM kanon_incognito('names', 2, '{member,shop}')",
	'check' => "SELECT count(*) FROM kanon_check('names', 2, '{name}', person => 'member')",
	'check by models' => "SELECT count(*) FROM kanon_check('names', 2, '{shop}',"
	  . " ARRAY['closeness(member, 0.1)', 'distinct(name, 2)'])",
	'classes of people' => "SELECT count(*) FROM kanon_classes('names', 2, '{shop}',"
	  . " ARRAY['entropy(name, 2)', 'recursive(name, 2, 2)'], 'member')",
	'check, null_matches' => "SELECT count(*) FROM kanon_check('sales_loose', 2, '{age,shop,day,zip}', null_matches => true)",
	'suppress_cells' => "SELECT count(c) FROM (SELECT kanon_view_cells('suppress_cells', 5, ROW(age, shop, day, zip)) OVER () AS c FROM sales) s",
	'suppress_cells, null_matches' => "SELECT count(c) FROM (SELECT kanon_view_cells('suppress_cells', 5, ROW(age, shop, day, zip), options => '{\"null_matches\": true}') OVER () AS c FROM sales) s",
	'sample_uniques' => "SELECT count(*) FROM kanon_sample_uniques('sales', size => 5)",
	'special_uniques' => "SELECT count(*) FROM kanon_special_uniques('names', 'name', '{member,shop}')",
	'check_matchings' => "SELECT kanon_check_matchings('sales_loose', 2, 'sales')",
	'check_matchings, many values' => "SELECT kanon_check_matchings('names_loose', 2, 'names')",
	'matching_bound' => "SELECT kanon_matching_bound('sales', 5)",
	'matching_bound, ranges' => "SELECT kanon_matching_bound('names', 5, '{name,member}', priced => true, ranges => true)",
	'matching_bound, priced' => "SELECT kanon_matching_bound('sales', 5, priced => true)",
	'risk' => "SELECT kanon_risk('names', '{name,shop}', 'names')",
	'check_dimension' => "SELECT count(*) FROM kanon_check_dimension('name_dimension', 'names', 'name')",
	'create_dimension' =>
	  "SELECT kanon_create_dimension('new', 'names', 'name', 'quantiles', '{1000,10}')",
	'create_release' => "SELECT kanon_create_release('new', 'sales', 2, 'full_domain')",
	'create_release, mondrian' => "SELECT kanon_create_release('new', 'sales', 2, 'mondrian', options => '{\"means\": true}')",
	'create_release, mondrian by labels' => "SELECT kanon_create_release('new', 'names', 2, 'relaxed_mondrian')",
	'mondrian' => 'SELECT max(c) FROM (SELECT kanon_mondrian(2, s) OVER () AS c FROM sales s) s',
	(map { ("mondrian on disk, $_" => "SELECT max(c) FROM (SELECT kanon_mondrian(2, ROW(age, shop, city, day, zip, price), split => '$_', target => CASE '$_' WHEN 'infogain' THEN 'f6' END) OVER () AS c"
		  . " FROM sales, (SELECT set_config('kanon.partitioning', 'tree', true) AS way OFFSET 0) w WHERE way IS NOT NULL) s") } qw(median infogain)),
	'create_release on disk' => "SELECT kanon_create_release('new', 'sales', 2, 'mondrian', options => '{\"means\": true}') FROM (SELECT set_config('kanon.partitioning', 'tree', true) AS way OFFSET 0) w WHERE way IS NOT NULL",
	'mondrian, many values' => 'SELECT max(c) FROM (SELECT kanon_mondrian(2, ROW(name, member)) OVER () AS c FROM names) s',
	(map { ("mondrian, $_" => "SELECT max(c) FROM (SELECT kanon_mondrian(2, ROW(age, shop, city, day, zip, price), split => '$_', target => 'f6') OVER () AS c FROM sales) s") }
		  qw(infogain regression)),
	'mondrian with models' => "SELECT max(c) FROM (SELECT kanon_mondrian(2, ROW(name, member, shop), models => ARRAY['entropy(f3, 8)', 'variance(f3, 6)'], person => 'f2') OVER () AS c FROM names) s",
	(map { ("$_" => "SELECT count(c) FROM (SELECT $_(5, s) OVER () AS c FROM sales s) s") } qw(kanon_ring kanon_two_phase)),
	(map { ("$_, ranges" => "SELECT count(c) FROM (SELECT $_(5, ROW(age, day, price, zip), dimensions => '{NULL,NULL,NULL,NULL}', ranges => true) OVER () AS c FROM sales) s") } qw(kanon_ring kanon_two_phase)),
	'grow_tree' => "SELECT kanon_grow_tree('sales', 2, models => 'distinct(price, 2)', quasi_identifiers => '{age,shop,city,day,zip}')",
	'grow_tree, many values' => "SELECT kanon_grow_tree('names', 2, '{name,member}')",
	'grow_tree, on disk' => "SET kanon.partitioning = tree; SELECT kanon_grow_tree('sales', 50)",
	'local' => 'SELECT max(c) FROM (SELECT kanon_local(2, s) OVER () AS c FROM sales s) s',
	'local with models' => "SELECT max(c) FROM (SELECT kanon_local(2, ROW(name, member, shop), '{f2}', 'entropy(f3, 2)') OVER () AS c FROM names) s",
	'local_tree' => "SELECT kanon_local_tree('sales', 2, '{day,price,zip}', \"ranges\" => true)",
	'create_release, local' => "SELECT kanon_create_release('new', 'sales', 2, 'local')",
	'ring, many values' => 'SELECT count(c) FROM (SELECT kanon_ring(100, n) OVER () AS c FROM names n) s',
	'satisfies' => "SELECT bool_or(c) FROM (SELECT kanon_view_satisfies(2, n, 'shop', ARRAY['closeness(member, 0.0001)', 'distinct(name, 3)']) OVER () AS c FROM names n) s",
);
# What undoes a call that was not cancelled.
my %undo = (
	'create_dimension' => "SELECT kanon_set_attribute('names', 'name', 'quasi_identifier', 'name_dimension');"
	  . ' DROP TABLE new;',
	(map { ("create_release$_" => 'DROP MATERIALIZED VIEW new;') } '', ' on disk', ', mondrian', ', mondrian by labels', ', local'),
);

# What every session must still say after each interruption.
my $declared = 'SELECT md5(string_agg(a::text, \',\' ORDER BY a::text)) FROM kanon_attribute a';
my $probe = "SHOW search_path; SELECT string_agg(levels::text, ' ') FROM kanon_incognito('small', 3);"
  . " SELECT count(*) FROM pg_ls_tmpdir(); SELECT to_regclass('new'); $declared;";
my $healthy = $node->safe_psql('postgres', $probe);

# Runs a call with each timeout, all in one session; [timeout, state, time] of each.
sub run_with_timeouts
{
	my ($name, @timeouts) = @_;
	my ($stdout, $stderr, @runs);
	# Settings come first: the call is what the timeout is for.
	my ($settings, $statement) = $call{$name} =~ /^((?:SET [^;]*; )*)(.*)$/s;
	my $undo = $undo{$name} // '';
	my $sql = "\\timing on\n\\pset null ''\n";
	for my $timeout (@timeouts)
	{
		$sql .= "\\echo RUN $timeout\n$settings\nSET statement_timeout = $timeout;\n\\echo CALL\n"
		  . "$statement;\n\\echo STATE :SQLSTATE\n\\timing off\nRESET statement_timeout;\n"
		  . "RESET kanon.memory_limit;\nRESET kanon.ground_scan;\n"
		  . "SELECT to_regclass('new') IS NOT NULL AS made \\gset\n\\if :made\n$undo\n\\endif\n"
		  . "\\echo PROBE\n$probe\n\\timing on\n\\echo END\n";
	}
	$node->psql('postgres', $sql, on_error_stop => 0, stdout => \$stdout, stderr => \$stderr);
	while ($stdout =~ /^RUN (\d+)\n.*?^CALL\n(.*?)^STATE (\w*)\n.*?^PROBE\n(.*?)^END$/msg)
	{
		my ($timeout, $output, $state, $probed) = ($1, $2, $3, $4);
		my ($time) = $output =~ /Time: ([\d.]+) ms/;
		chomp $probed;
		push @runs, { timeout => $timeout, state => $state, time => $time, probe => $probed };
	}
	return ($stderr, @runs);
}

my ($worst, $cancelled, $complaints) = (0, 0, '');
for my $name (sort keys %call)
{
	# How long it takes, if less than the horizon.
	my ($stderr, $first) = run_with_timeouts($name, int($horizon));
	my $full = $first->{state} eq '57014' ? $horizon : $first->{time};
	my @timeouts = map { 1 + int($full * ($_ - 0.5) / $steps) } 1 .. $steps;
	my ($more, @runs) = run_with_timeouts($name, @timeouts);
	my ($late, $bad) = (0, 0);

	for my $run ($first, @runs)
	{
		my $lateness = $run->{time} - $run->{timeout};
		if ($run->{state} eq '57014')
		{
			$cancelled++;
			$late = $lateness if $lateness > $late;
		}
		elsif ($run->{state} ne '00000' && $run->{state} ne '54000')
		{
			$bad++;
			diag "$name with a timeout of $run->{timeout} ms ended with $run->{state}";
		}
		next if $run->{probe} eq $healthy;
		$bad++;
		diag "$name with a timeout of $run->{timeout} ms left behind: $run->{probe}";
	}
	is(scalar @runs, $steps, "$name: the session lives");
	is($bad, 0, "$name: cancelled or finished, it leaves a healthy session");
	cmp_ok($late, '<', $bound, "$name: cancels are answered");
	note sprintf('%s: %d ms or more, worst answer after %.0f ms', $name, $full, $late);
	$worst = $late if $late > $worst;
	$complaints .= join '', grep { /WARNING|FATAL|PANIC|leak/ } split /^/, "$stderr$more";
}
cmp_ok($cancelled, '>=', keys %call, 'statements were cancelled');
is($complaints, '', 'without a warning');

# From another session.
for my $name ('basic', 'many values', 'bottom_up')
{
	my ($out, $err) = ('', '');
	my $script = $node->basedir . '/victim.sql';
	unlink $script;
	append_to_file($script, "SET application_name = 'victim'; $call{$name};\n$probe\n");
	my $session = IPC::Run::start(
		[ 'psql', '-XAtq', '-v', 'VERBOSITY=sqlstate', '-d', $node->connstr('postgres'),
			'-f', $script ],
		'>', \$out, '2>', \$err, IPC::Run::timeout(60));
	$node->poll_query_until('postgres',
		"SELECT true FROM pg_stat_activity WHERE application_name = 'victim' AND query ~ 'kanon_' AND state = 'active'");
	sleep 0.1;
	my $since = time;
	is( $node->safe_psql('postgres',
			"SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'victim'"),
		't', "$name: cancelled from another session");
	$session->finish;
	like($err, qr/57014/, 'it hears so');
	is($out, "$healthy\n", 'and the session is healthy');
}

my $log = slurp_file($node->logfile);
unlike($log, qr/temporary file leak|WARNING|was terminated|PANIC|TRAP/, 'the server has nothing to say');
is($node->safe_psql('postgres', 'SELECT count(*) FROM pg_ls_tmpdir()'), '0', 'no temporary file is left');
diag sprintf('worst answer to a cancel: %.0f ms, of %d', $worst, $cancelled);

$node->stop;
done_testing();
