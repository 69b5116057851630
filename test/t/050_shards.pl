# Tables partitioned over foreign servers: a coordinator and three shards.  Every answer is that
# of a local table of the same rows, and what travels is groups.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Questions;
use Test::More;

my ($node, @shard) = map { PostgreSQL::Test::Cluster->new($_) } qw(coordinator shard1 shard2 shard3);
for my $server ($node, @shard)
{
	$server->init(extra => [ '--no-locale', '--encoding=UTF8' ]);
	$server->append_conf('postgresql.conf', "autovacuum = off\nshared_buffers = 8MB\nmax_connections = 20\n");
	$server->start;
}

# ---- shards, with columns in another order, and dropped ones

$shard[0]->safe_psql('postgres', "CREATE TABLE people AS SELECT * FROM ($rows) r WHERE ward = 'a'");
$shard[1]->safe_psql('postgres', qq{
	CREATE TABLE folk (pay int, gone text, disease text, n int, zip text, sex text, age int, ward text, id int);
	ALTER TABLE folk DROP gone;
	INSERT INTO folk ($columns) SELECT * FROM ($rows) r WHERE ward = 'b'});
$shard[2]->safe_psql('postgres', "CREATE TABLE young AS SELECT * FROM ($rows) r WHERE ward = 'c' AND age < 50");

sub servers
{
	my $options = shift;
	return join '', map {
		my ($name, $server) = ("s$_", $shard[ $_ - 1 ]);
		sprintf q{CREATE SERVER %s FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '%s', port '%s', dbname 'postgres'%s);
			CREATE USER MAPPING FOR PUBLIC SERVER %1$s OPTIONS (user '%s', password_required 'false');},
		  $name, $server->host, $server->port, $options, $server->safe_psql('postgres', 'SELECT current_user');
	} 1 .. 3;
}

# Sub-partitions, a default partition, local parts among foreign ones, one with another order of
# columns and a dropped one.
$node->safe_psql('postgres', "CREATE EXTENSION postgres_fdw; CREATE EXTENSION kanon;"
	  . servers(q{, async_capable 'true'}) . qq{
	CREATE TABLE people ($types) PARTITION BY LIST (ward);
	CREATE FOREIGN TABLE people_a PARTITION OF people FOR VALUES IN ('a') SERVER s1 OPTIONS (table_name 'people');
	CREATE FOREIGN TABLE people_b PARTITION OF people FOR VALUES IN ('b') SERVER s2 OPTIONS (table_name 'folk');
	CREATE TABLE people_c PARTITION OF people FOR VALUES IN ('c') PARTITION BY RANGE (age);
	CREATE SCHEMA "ward C";
	CREATE FOREIGN TABLE "ward C"."Young" PARTITION OF people_c FOR VALUES FROM (MINVALUE) TO (50) SERVER s3 OPTIONS (schema_name 'public', table_name 'young');
	CREATE TABLE old (disease text, gone int, pay int, id int, ward text, age int, n int, zip text, sex text);
	ALTER TABLE old DROP gone;
	ALTER TABLE people_c ATTACH PARTITION old FOR VALUES FROM (50) TO (MAXVALUE);
	CREATE TABLE ageless PARTITION OF people_c DEFAULT;
	CREATE TABLE people_rest PARTITION OF people DEFAULT;
	CREATE TABLE whole AS $rows;
	INSERT INTO people SELECT * FROM whole WHERE ward NOT IN ('a', 'b') AND NOT (ward = 'c' AND age < 50 AND age IS NOT NULL);
	SELECT kanon_create_dimension('ages', 'whole', 'age', 'ranges', '{10,20}'), kanon_create_dimension('zips', 'whole', 'zip', 'digits', '{1,3,5}');
	SELECT kanon_set_attribute('whole', 'sex', 'quasi_identifier'), kanon_set_attribute('people', 'sex', 'quasi_identifier'),
		kanon_set_attribute('people', 'age', 'quasi_identifier', 'ages'), kanon_set_attribute('people', 'zip', 'quasi_identifier', 'zips');
	CREATE TABLE some_ages AS SELECT * FROM ages WHERE age % 3 > 0;
	SELECT kanon_create_release('released', 'whole', 3, 'ring', quasi_identifiers => '{age,sex}', options => '{"seed": "x"}');
});
is($node->safe_psql('postgres', 'SELECT count(*) FROM (TABLE people EXCEPT ALL TABLE whole) d'), '0', 'the same rows');

my %answer = map { $_ => $node->safe_psql('postgres', sprintf $question{$_}, 'whole') } keys %question;
isnt($answer{$_}, '', "$_ answers") for sort keys %answer;

# The answers of a relation that differ from those of the local table.
sub differ
{
	my ($settings, $relation, @names) = @_;
	@names = sort keys %question unless @names;
	my $got = $node->safe_psql('postgres', join ";\n", $settings, map { sprintf $question{$_}, $relation } @names);
	my @got = split /\n/, $got;
	return join ', ', grep { (shift(@got) // 'nothing') ne $answer{$_} } @names;
}

is(differ("SET kanon.ground_scan = $_", 'people'), '', "the same answers, $_") for qw(auto stream group_by);
is(differ('SET enable_partitionwise_aggregate = on; SET enable_async_append = off', 'people'), '', 'with other plans');
$node->safe_psql('postgres', 'ANALYZE people; ' . join ';', map { "ALTER SERVER s$_ OPTIONS (ADD use_remote_estimate 'true')" } 1 .. 3);
is(differ('', 'people'), '', 'with estimates of the shards');
my @made = map { $node->safe_psql('postgres', "BEGIN; SELECT kanon_create_dimension('made', '$_', 'n', 'quantiles', '{2}'); SELECT m FROM made m ORDER BY m; ROLLBACK") } qw(people whole);
is($made[0], $made[1], 'the same dimension');

my @trees = grep { /^kanon_grow_tree/ && !/regression/ } sort keys %question;
is(differ("SET kanon.partitioning = $_; SET kanon.memory_limit = '700kB'", 'people', @trees), '', "the same trees by $_") for qw(auto tree);

# ---- what travels

# (rows that foreign scans got, whether each was a GROUP BY, text of all plans)
sub travels
{
	my ($sql, @options) = @_;
	my ($out, $log) = ('', '');
	$node->psql('postgres', qq{
		LOAD 'auto_explain';
		SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on; SET auto_explain.log_verbose = on;
		SET auto_explain.log_nested_statements = on; SET client_min_messages = log; $sql}, stdout => \$out, stderr => \$log, @options);
	my $received = 0;
	$received += $1 * $2 while $log =~ /Foreign Scan[^\n]*\(actual [^)]*rows=([\d.]+) loops=(\d+)\)/g;
	my @remote = $log =~ /Remote SQL: ([^\n]*)/g;
	return ($received, (@remote && !grep { !/ GROUP BY |^SELECT count/ } @remote) ? 'groups' : 'rows', $log);
}
for my $case (
	[ 'kanon_check', 4000 ], [ 'kanon_check of few columns', 48 ], [ 'kanon_check of models', 4000 ], [ 'kanon_risk', 4000 ],
	[ 'kanon_classes', 4000 ], [ 'kanon_incognito', 4000 ], [ 'kanon_incognito of models', 8000 ], [ 'kanon_sample_uniques', 4000 ],
	[ 'kanon_special_uniques of some', 4000 ], [ 'kanon_grow_tree', 4000 ], [ 'kanon_grow_tree of models', 4000 ], [ 'kanon_grow_tree of few', 48 ], [ 'kanon_quality', 732 ], [ 'kanon_check_dimension', 183 ], [ 'kanon_compare', 20000 ],
	[ 'kanon_query_errors', 1137 ], [ 'kanon_check_matchings', 1000 ])
{
	my ($name, $most) = @$case;
	my ($received, $what, $log) = travels(sprintf $question{$name}, 'people');
	is($what, 'groups', "$name: groups travel");
	cmp_ok($received, '<=', $most, "$name: so many");
	like($log, qr/Async Foreign Scan/, "$name: from all shards at the same time");
}
my ($received) = travels("SELECT kanon_check('people', 5, '{sex,n}')");
cmp_ok($received, '<=', 3 * 4 * 4, 'as many as there are groups on the shards');
is((travels("SET kanon.ground_scan = stream; SELECT count(*) FROM kanon_incognito('people', 5)"))[1], 'rows', 'rows travel if they are asked for');

($received) = travels("SELECT kanon_create_release('counted', 'people', 5); DROP MATERIALIZED VIEW counted");
cmp_ok($received, '<', $node->safe_psql('postgres', 'SELECT count(*) FROM people') + 10, 'rows travel once for a release');
my ($plans) = (travels("SELECT kanon_create_release('counted', 'people', 5, 'full_domain', options => '{\"levels\": [2, 0, 2]}', suppression => 0.99); DROP MATERIALIZED VIEW counted"))[2];
is(scalar(grep { !/ GROUP BY |^SELECT count/ } $plans =~ /Remote SQL: ([^\n]*)/g), 3, 'also where levels are given');

# Rows that hardly repeat travel as they are.
my $numbers = sub { return "SELECT i AS number, i % $_[0] AS a, i % 2 AS b FROM generate_series(1, 11000) i" };
for my $case ([ 'often', 97, 'groups' ], [ 'hardly', 11000, 'rows' ])
{
	my ($name, $values, $what) = @$case;
	$shard[0]->safe_psql('postgres', "CREATE TABLE $name AS " . $numbers->($values));
	$node->safe_psql('postgres', "CREATE FOREIGN TABLE $name (number int, a int, b int) SERVER s1; CREATE TABLE near_$name AS " . $numbers->($values));
	for my $sql ("SELECT kanon_check('%s', 2, '{a,b}')", "SELECT md5(kanon_grow_tree('%s', 50, '{a,b}')::text)",
		"SELECT count(*) FROM kanon_incognito('%s', 2, '{a,b}')", "SELECT a::text FROM kanon_risk('%s', '{a,b}') a")
	{
		my ($far, $near) = map { sprintf $sql, $_ } $name, "near_$name";
		is((travels($far))[1], 'groups', "a table of which nobody knows that it is large is grouped: $name");
		$node->safe_psql('postgres', "UPDATE pg_class SET reltuples = 1000000 WHERE relname = '$name'");
		is((travels($far))[1] eq 'groups' ? 'groups' : 'rows', 'rows', 'a large one is sampled');
		is((travels($far))[2] =~ /Remote SQL: [^\n]*count\('part public.$name on server s1'\) FROM/ ? 'groups' : 'rows', $what, "equal rows occur $name");
		is($node->safe_psql('postgres', $far), $node->safe_psql('postgres', $near), 'the answer is the same');
		$node->safe_psql('postgres', "UPDATE pg_class SET reltuples = -1 WHERE relname = '$name'");
	}
}

# Values that are equal, but not written alike, are told apart.
{
	my $kinds = 'i int, exact numeric(6, 2), plain numeric, real float8, span interval, flag bool, parts numeric[]';
	my $kind = q{SELECT %d * 1000 + j AS i, j %% 9 AS exact, CASE j %% 3 WHEN 0 THEN j %% 20 ELSE (j %% 20)::numeric(6, 1) END + %1$d * 0.000 AS plain,
		CASE j %% 7 WHEN 0 THEN -0.0::float8 WHEN 1 THEN 0 WHEN 2 THEN 'NaN' ELSE j %% 7 END AS real,
		CASE j %% 2 WHEN 0 THEN j %% 5 * interval '1 day' ELSE j %% 5 * interval '24 hours' END AS span, j %% 4 = 0 AS flag,
		ARRAY[j %% 3, 1.0] AS parts FROM generate_series(1, 400) j};
	$node->safe_psql('postgres', "CREATE TABLE kinds ($kinds) PARTITION BY RANGE (i)");
	for my $i (1 .. 3)
	{
		$shard[ $i - 1 ]->safe_psql('postgres', "CREATE TABLE kinds ($kinds); INSERT INTO kinds " . sprintf $kind, $i);
		$node->safe_psql('postgres', sprintf 'CREATE FOREIGN TABLE kinds_%d PARTITION OF kinds FOR VALUES FROM (%d) TO (%d) SERVER s%1$d OPTIONS (table_name %s)',
			$i, $i * 1000, $i * 1000 + 1000, q{'kinds'});
	}
	$node->safe_psql('postgres', "CREATE TABLE all_kinds (LIKE kinds); INSERT INTO all_kinds TABLE kinds;"
		  . "SELECT kanon_create_release('spelled', 'all_kinds', 2, 'two_phase', quasi_identifiers => '{plain,exact}', options => '{\"seed\": \"x\"}')");
	my @columns = split / /, 'exact plain real span flag parts plain,real plain,span,flag';
	for my $sql ((map { "SELECT md5(kanon_grow_tree('%s', 3, '{$_}')::text)" } @columns),
		"SELECT md5(kanon_grow_tree('%s', 3, '{exact,flag}', 'distinct(plain, 2)', 'infogain', 'real')::text)",
		"SELECT a::text FROM kanon_quality('spelled', '%s', '{plain,exact}') a", "SELECT a::text FROM kanon_check_matchings('spelled', 2, '%s', '{plain,exact}') a")
	{
		is($node->safe_psql('postgres', sprintf $sql, 'kinds'), $node->safe_psql('postgres', sprintf $sql, 'all_kinds'), sprintf "as of a local table: $sql", 'kinds');
	}
	is((travels("SELECT kanon_grow_tree('kinds', 3, '{plain,real,span}') IS NULL"))[1], 'groups', 'as groups');
	is((travels("SELECT kanon_grow_tree('kinds', 3, '{parts}') IS NULL"))[1], 'rows', 'or, where shards cannot tell them apart, as rows');
}

# ---- other relations

$node->safe_psql('postgres', qq{
	CREATE TABLE heap ($types);
	INSERT INTO heap SELECT * FROM whole WHERE ward NOT IN ('a', 'b');
	CREATE FOREIGN TABLE child_a () INHERITS (heap) SERVER s1 OPTIONS (table_name 'people');
	CREATE FOREIGN TABLE child_b (more int OPTIONS (column_name 'pay')) INHERITS (heap) SERVER s2 OPTIONS (table_name 'folk');
	CREATE FOREIGN TABLE alone ($types) SERVER s1 OPTIONS (table_name 'people');
	CREATE TABLE only_a AS SELECT * FROM whole WHERE ward = 'a';
	CREATE VIEW seen AS TABLE people;
	SELECT kanon_set_attribute(r, 'sex', 'quasi_identifier'), kanon_set_attribute(r, 'age', 'quasi_identifier', 'ages'),
		kanon_set_attribute(r, 'zip', 'quasi_identifier', 'zips') FROM unnest('{heap,alone,only_a,seen}'::regclass[]) r;
});
is(differ('', 'heap'), '', 'a parent by inheritance, with rows of its own');
is((travels("SELECT kanon_check('heap', 5)"))[1], 'groups', 'from whose children groups travel');
is(differ('', 'seen'), '', 'a view');
is( $node->safe_psql('postgres', "SELECT kanon_check('alone', 2, '{age,sex}', 'distinct(disease, 2)')"),
	$node->safe_psql('postgres', "SELECT kanon_check('only_a', 2, '{age,sex}', 'distinct(disease, 2)')"), 'a foreign table');
is((travels("SELECT count(*) FROM kanon_incognito('alone', 5, '{sex,n}')"))[1], 'groups', 'of which groups travel');

# Values that are equal here, and not there; and the other way round groups are as fine as here.
SKIP:
{
	skip 'no ICU', 9 if $node->safe_psql('postgres', "SELECT count(*) FROM pg_collation WHERE collprovider = 'i'") eq '0';
	$node->safe_psql('postgres', q{
		CREATE COLLATION caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
		CREATE TABLE letters (id int, letter text COLLATE caseless, other text COLLATE "C") PARTITION BY LIST (id);
		CREATE TABLE letters_0 PARTITION OF letters FOR VALUES IN (0)});
	for my $i (1 .. 3)
	{
		$shard[ $i - 1 ]->safe_psql('postgres', "CREATE TABLE letters AS SELECT $i AS id, chr(64 + j % 7 + j % 2 * 32) AS letter,"
			  . " chr(65 + j % 9) COLLATE \"en-x-icu\" AS other FROM generate_series(1, 50 * $i) j");
		$node->safe_psql('postgres', "CREATE FOREIGN TABLE letters_$i PARTITION OF letters FOR VALUES IN ($i) SERVER s$i OPTIONS (table_name 'letters')");
	}
	$node->safe_psql('postgres', 'CREATE TABLE all_letters (LIKE letters); INSERT INTO all_letters TABLE letters; CREATE TABLE shown AS SELECT upper(letter) AS letter, other FROM all_letters');
	for my $sql ("SELECT kanon_check('%s', 2, '{letter,other}')", "SELECT kanon_check('%s', 2, '{letter}', 'distinct(other, 5)')",
		"SELECT a::text FROM kanon_risk('%s', '{letter}') a", "SELECT sum(uniques) FROM kanon_sample_uniques('%s') a",
		"SELECT md5(kanon_grow_tree('%s', 3, '{letter,other}')::text)", "SELECT md5(kanon_grow_tree('%s', 3, '{other}', 'distinct(letter, 2)')::text)",
		"SELECT a::text FROM kanon_quality('shown', '%s', '{letter,other}') a", "SELECT a::text FROM kanon_check_matchings('shown', 1, '%s', '{letter,other}') a")
	{
		is($node->safe_psql('postgres', sprintf $sql, 'letters'), $node->safe_psql('postgres', sprintf $sql, 'all_letters'), 'other collations');
	}
	is((travels("SELECT kanon_grow_tree('letters', 3, '{letter}') IS NULL"))[1], 'rows', 'of which rows travel where spellings matter');
}

# ---- docs/machines.md

my $counts = q{
WITH parts AS MATERIALIZED (
    SELECT age, zip, 0::int8 AS n FROM patients WHERE false
    UNION ALL SELECT age, zip, count('part patients_north on server north') FROM ONLY patients_north GROUP BY age, zip
    UNION ALL SELECT age, zip, count('part patients_south on server south') FROM ONLY patients_south GROUP BY age, zip)
SELECT age, zip, sum(n) FROM parts GROUP BY age, zip;
};
for my $i (0, 1)
{
	my ($name, $server) = (qw(north south))[$i];
	$shard[$i]->safe_psql('postgres', "CREATE TABLE patients_$name AS SELECT '$name' AS region, j % 70 AS age, (53700 + j % 30)::text AS zip FROM generate_series(1, 2000, $i + 1) j");
	$node->safe_psql('postgres', sprintf q{CREATE SERVER %1$s FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '%2$s', port '%3$s', dbname 'postgres');
		CREATE USER MAPPING FOR PUBLIC SERVER %1$s OPTIONS (user '%4$s', password_required 'false');
		CREATE TABLE IF NOT EXISTS patients (region text, age int, zip text) PARTITION BY LIST (region);
		CREATE FOREIGN TABLE patients_%1$s PARTITION OF patients FOR VALUES IN ('%1$s') SERVER %1$s},
		$name, $shard[$i]->host, $shard[$i]->port, $shard[$i]->safe_psql('postgres', 'SELECT current_user'));
}
sub sorted { return join "\n", sort split /\n/, $_[0] }
is(sorted($node->safe_psql('postgres', $counts)), sorted($node->safe_psql('postgres', 'SELECT age, zip, count(*) FROM patients GROUP BY age, zip')),
	'the statement of the page counts right');
my $few = "SELECT count(*) FROM kanon_incognito('patients', 5, '{age,zip}')";
unlike((travels($few))[2], qr/Async Foreign Scan/, 'servers are asked one after another');
$node->safe_psql('postgres', q{
ALTER SERVER north OPTIONS (ADD async_capable 'true');
});
$node->safe_psql('postgres', q{ALTER SERVER south OPTIONS (ADD async_capable 'true')});
like((travels($few))[2], qr/Async Foreign Scan/, '.. or at the same time');
# What kanon asks is what the page shows, but for names that are qualified.
my $asked = (travels($few))[2];
for my $part (qw(north south))
{
	like($asked, qr/count\('part public\.patients_$part on server $part'\) AS n FROM ONLY public\.patients_$part/, "the part $part is counted by name");
}
sub stops_with
{
	my ($server, $table, $sql) = @_;
	my ($in, $out, $log) = ("BEGIN; LOCK TABLE $table;\n", '', '');
	my $locker = IPC::Run::start([ 'psql', '-XAtq', '-d', $server->connstr('postgres') ], '<', \$in, '>', \$out, '2>', \$out);
	$locker->pump_nb;
	$server->poll_query_until('postgres', "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE relation = '$table'::regclass AND mode = 'AccessExclusiveLock' AND granted)");
	my $asker = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-c', $sql ], '>', \$out, '2>', \$log);
	$server->poll_query_until('postgres', "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE relation = '$table'::regclass AND NOT granted)");
	$server->stop('immediate');
	$asker->finish;
	$locker->finish;
	$server->start;
	return $log;
}
my $stopped = q{
ERROR:  could not count part public.patients_south on server south: server closed the connection unexpectedly
};
like(stops_with($shard[1], 'patients_south', $few), qr/\Q@{[ $stopped =~ s{^\n|\n$}{}gr ]}\E/, 'the error of the page');

# The rows of a release, written where the partitions are.
$node->safe_psql('postgres', q{
SELECT kanon_create_release('study', 'patients', 5, 'full_domain', '{region,age,zip}',
    options => '{"levels": [0, 0, 1]}');
});
my $study = $node->safe_psql('postgres', q{SELECT string_agg(quote_ident(attname) || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum)
	FROM pg_attribute WHERE attrelid = 'study'::regclass AND attnum > 0});
$shard[$_]->safe_psql('postgres', "CREATE TABLE study ($study)") for 0, 1;
$node->safe_psql('postgres', q{
CREATE TABLE study_there (LIKE study) PARTITION BY LIST (region);
CREATE FOREIGN TABLE study_north PARTITION OF study_there FOR VALUES IN ('north')
    SERVER north OPTIONS (table_name 'study', batch_size '1000');
});
$node->safe_psql('postgres', q{CREATE FOREIGN TABLE study_south PARTITION OF study_there FOR VALUES IN ('south') SERVER south OPTIONS (table_name 'study', batch_size '1000')});
for my $gone (0, 100)
{
	$shard[0]->safe_psql('postgres', "DELETE FROM patients_north WHERE ctid IN (SELECT ctid FROM patients_north ORDER BY age, zip LIMIT $gone)");
	$node->safe_psql('postgres', "SELECT FROM kanon_refresh_release('study')");
	$node->safe_psql('postgres', q{
BEGIN;
DELETE FROM study_there;
INSERT INTO study_there SELECT * FROM study;
COMMIT;
});
	is($node->safe_psql('postgres', 'SELECT count(*), (SELECT count(*) FROM (TABLE study EXCEPT ALL TABLE study_there) d) FROM study_there'), (3000 - $gone) . '|0', 'the release is where the partitions are');
	is($shard[0]->safe_psql('postgres', 'SELECT min(region), max(region), min(rows) >= 5 FROM (SELECT region, count(*) AS rows FROM study GROUP BY region, age, zip) c'),
		'north|north|t', '.. and each class on one server');
	is((travels("SELECT kanon_check('study_there', 5, '{region,age,zip}')"))[1], 'groups', '.. of which servers count the rows');
}
$node->safe_psql('postgres', "DROP MATERIALIZED VIEW study; DROP TABLE study_there");

# ---- whose rights

sub as
{
	my ($role, $sql) = @_;
	my ($out, $log) = ('', '');
	$node->psql('postgres', "SET ROLE $role; $sql", stdout => \$out, stderr => \$log);
	return $log =~ /ERROR:  (.*)/ ? $1 : $out;
}
sub travels_to
{
	my ($role, $sql) = @_;
	return (travels("SET ROLE $role; $sql"))[1];
}
my $parts = q{people, people_a, people_b, "ward C"."Young", old, ageless, people_rest};
my $check = "SELECT kanon_check('people', 5, '{sex,n}')";
my $checked = $node->safe_psql('postgres', "SELECT kanon_check('whole', 5, '{sex,n}')");
$node->safe_psql('postgres', qq{
	CREATE ROLE reader; CREATE ROLE clerk; CREATE ROLE columnist; CREATE ROLE stranger; CREATE ROLE owner;
	GRANT SELECT ON people, whole TO reader;
	GRANT SELECT ON ages, zips TO PUBLIC;
	GRANT USAGE ON SCHEMA "ward C" TO clerk, columnist, owner;
	GRANT SELECT ON $parts TO clerk, stranger;
	REVOKE SELECT ON people FROM clerk;
	GRANT SELECT (sex, n) ON $parts TO columnist;
	GRANT CREATE ON SCHEMA public TO owner;
});
is(as('reader', $check), $checked, 'who may read the table alone gets its answer');
is(travels_to('reader', $check), 'rows', 'through the table');
is(as('reader', "SELECT count(*) > 0 FROM kanon_incognito('people', 5)"), 't', 'and searches it');
is(travels_to('reader', "SELECT count(*) > 0 FROM kanon_incognito('people', 5)"), 'rows', 'by its rows');
is(as('clerk', $check), 'permission denied for table people', 'who may read all parts, but not the table, does not');
is(as('clerk', "SELECT count(*) FROM kanon_incognito('people', 5)"), 'permission denied for table people', 'nor searches it');
is(as('stranger', $check), $checked, 'without the schema of a part');
is(travels_to('stranger', $check), 'rows', 'through the table');
is(as('columnist', $check), $checked, 'privileges for columns are enough');
is(travels_to('columnist', $check), 'groups', 'to read parts');
is(as('columnist', "SELECT kanon_check('people', 5, '{sex,zip}')"), 'permission denied for table people', 'but for others');
my $grow = "SELECT md5(kanon_grow_tree('people', 5, '{sex,n}')::text)";
my $grown = $node->safe_psql('postgres', "SELECT md5(kanon_grow_tree('whole', 5, '{sex,n}')::text)");
for my $case ([ 'reader', 'rows' ], [ 'stranger', 'rows' ], [ 'columnist', 'groups' ])
{
	is(as($case->[0], $grow), $grown, "a tree for $case->[0]");
	is(travels_to($case->[0], $grow), $case->[1], "of $case->[1]");
}
is(as('clerk', $grow), 'permission denied for table people', 'not of parts alone');
is(as('columnist', "SELECT kanon_grow_tree('people', 5, '{sex,zip}')"), 'permission denied for table people', 'nor of other columns');
$node->safe_psql('postgres', 'REVOKE SELECT (n) ON people FROM columnist');
is(as('columnist', $check), 'permission denied for table people', 'also where the parts have them');
$node->safe_psql('postgres', 'GRANT SELECT ON people TO columnist');
is(as('columnist', $check), $checked, 'and the table with all its columns');
is(as('columnist', "SELECT kanon_check('people', 5, '{sex,zip}')"),
	$node->safe_psql('postgres', "SELECT kanon_check('whole', 5, '{sex,zip}')"), 'of which some may not be read from parts');

# Policies of the table hold, and those of a part do not when the table is read.
$node->safe_psql('postgres', q{
	GRANT SELECT ON people TO clerk;
	ALTER TABLE old ENABLE ROW LEVEL SECURITY;
});
is(as('clerk', $check), $checked, 'policies of a part do not hold for the table');
is(travels_to('clerk', $check), 'rows', 'whose rows are read through it');
is(as('clerk', $grow), $grown, 'by trees, too');
is(travels_to('clerk', $grow), 'rows', 'which come from rows then');
is($node->safe_psql('postgres', $check), $checked, 'by who bypasses them, too');
is((travels($check))[1], 'groups', 'by parts');
$node->safe_psql('postgres', q{
	ALTER TABLE old DISABLE ROW LEVEL SECURITY;
	ALTER TABLE people ENABLE ROW LEVEL SECURITY;
	ALTER TABLE whole ENABLE ROW LEVEL SECURITY;
	CREATE POLICY most ON people USING (ward <> 'a');
	CREATE POLICY most ON whole USING (ward <> 'a');
	GRANT SELECT ON whole TO clerk;
});
isnt(as('clerk', $check), $checked, 'policies of the table hold');
is(as('clerk', $check), as('clerk', "SELECT kanon_check('whole', 5, '{sex,n}')"), 'as those of a local one');
isnt(as('clerk', $grow), $grown, 'also for trees');
is(as('clerk', $grow), as('clerk', $grow =~ s/people/whole/r), 'which are those of the rows that may be seen');
is(as('clerk', "SET row_security = off; $check"), 'query would be affected by row-level security policy for table "people"', 'and are not passed over');
is( as('clerk', "SELECT a::text FROM kanon_sample_uniques('people', '{age,sex,zip}') a ORDER BY 1"),
	as('clerk', "SELECT a::text FROM kanon_sample_uniques('whole', '{age,sex,zip}') a ORDER BY 1"), 'also for uniques');
$node->safe_psql('postgres', 'ALTER TABLE people DISABLE ROW LEVEL SECURITY; ALTER TABLE whole DISABLE ROW LEVEL SECURITY; ALTER TABLE people OWNER TO owner');
is(as('owner', $check), $checked, 'the owner of the table, but not of its parts');
is(travels_to('owner', $check), 'rows', 'reads it as a whole');
$node->safe_psql('postgres', 'ALTER TABLE people OWNER TO ' . $node->safe_psql('postgres', 'SELECT current_user'));

# ---- releases

# Made of one table, refreshed, and what it holds.
sub release
{
	my ($relation, $recoding) = @_;
	return $node->safe_psql('postgres', qq{
		SELECT kanon_create_release('r', '$relation', 5, $recoding);
		UPDATE $relation SET age = 99 - age WHERE ward LIKE 'd%';
		SELECT FROM kanon_refresh_release('r');
		SELECT rows, classes, smallest, missing FROM kanon_release WHERE release = 'r'::regclass;
		SELECT count(*) || md5(string_agg((age, sex, zip)::text, ',' ORDER BY (age, sex, zip)::text)) FROM r;
		DROP MATERIALIZED VIEW r;
		UPDATE $relation SET age = 99 - age WHERE ward LIKE 'd%'});
}
my $levels = "'full_domain', options => '{\"levels\": [1, 0, 3]}', suppression => 0.99";
is(release('people', $_), release('whole', $_), "the same release by $_") for "'mondrian'", "'full_domain', suppression => 0.05", $levels;

is( $node->safe_psql('postgres', "SELECT kanon_create_dimension('d1', 'people', 'age', 'quantiles', '{20,5}'), kanon_create_dimension('d2', 'whole', 'age', 'quantiles', '{20,5}');"
		  . ' SELECT count(*) FROM (TABLE d1 EXCEPT TABLE d2) d'), "d1|d2\n0", 'the same dimension');

# ---- a shard is down

# Also for who has just asked it.
my $stop = '\\! pg_ctl stop -m immediate -D ' . $shard[1]->data_dir . ' >/dev/null';
{
	my ($out, $log) = ('', '');
	$node->psql('postgres', "$check;\n$stop\n$check;", stdout => \$out, stderr => \$log);
	is($out, $checked, 'a shard stops between two calls');
	like($log, qr/s2/, 'and the error names it');
}
$shard[1]->stop('immediate', fail_ok => 1);
for my $sql ($check, "SELECT kanon_check('people', 5, '{sex}', 'distinct(disease, 2)')", "SELECT count(*) FROM kanon_incognito('people', 5)",
	"SELECT kanon_create_release('half', 'people', 5, 'full_domain')", "SELECT kanon_create_release('half', 'people', 5)")
{
	my ($out, $log) = ('', '');
	isnt($node->psql('postgres', $sql, stdout => \$out, stderr => \$log), 0, 'without a shard there is no answer');
	like($log, qr/s2/, 'but an error that names it');
}
is($node->safe_psql('postgres', "SELECT to_regclass('half') IS NULL AND NOT EXISTS (SELECT 1 FROM kanon_release WHERE release::text = 'half')"),
	't', 'and nothing is half done');
$shard[1]->start;
is($node->safe_psql('postgres', $check), $checked, 'when it is back, so is the answer');

# It stops while it counts: the table is locked there until it does.
$node->safe_psql('postgres', join ';', map { "ALTER SERVER s$_ OPTIONS (DROP use_remote_estimate)" } 1 .. 3);
my ($in, $ignored) = ('', '');
my $locker = IPC::Run::start([ 'psql', '-XAtq', '-d', $shard[1]->connstr('postgres') ], '<', \$in, '>', \$ignored, '2>', \$ignored);
$in = "BEGIN; LOCK TABLE folk;\n";
$locker->pump_nb;
$shard[1]->poll_query_until('postgres', "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE relation = 'folk'::regclass AND mode = 'AccessExclusiveLock' AND granted)");
my $begun = time;
like(as('NONE', "SET statement_timeout = '300ms'; $check"), qr/statement timeout/, 'a count on a shard can be cancelled');
cmp_ok(time - $begun, '<', 5, 'at once');
$locker->finish;

my $refresh = "SELECT kanon_refresh_release('kept')";
my $kept = 'SELECT count(*), md5(string_agg(k::text, $$,$$ ORDER BY k::text)) FROM kept k';
$node->safe_psql('postgres', "SELECT kanon_create_release('kept', 'people', 5, 'full_domain', suppression => 0.05)");
my $before = $node->safe_psql('postgres', $kept);
for my $sql ($check, $grow, "SELECT count(*) FROM kanon_incognito('people', 5)", "SELECT kanon_create_release('half', 'people', 5, 'full_domain')",
	"SELECT kanon_quality('released', 'people', '{age,sex}')", $refresh)
{
	my ($out, $log) = ('', '');
	my $locker = IPC::Run::start([ 'psql', '-XAtq', '-d', $shard[1]->connstr('postgres') ], '<', \$in, '>', \$ignored, '2>', \$ignored);
	$in = "BEGIN; LOCK TABLE folk;\n";
	$locker->pump_nb;
	$shard[1]->poll_query_until('postgres', "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE relation = 'folk'::regclass AND mode = 'AccessExclusiveLock' AND granted)");
	my $asker = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-c', $sql ], '>', \$out, '2>', \$log);
	$shard[1]->poll_query_until('postgres', "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE relation = 'folk'::regclass AND NOT granted)");
	$shard[1]->stop('immediate');
	$asker->finish;
	$locker->finish;
	is($out, '', "a shard stops amid $sql: no answer");
	like($log, $sql eq $refresh ? qr/ERROR/ : qr/ERROR:  could not count part public\.people_b on server s2: .*remote SQL command:/s, 'and an error that names it');
	$shard[1]->start;
	is($node->safe_psql('postgres', $sql eq $refresh ? $kept : $check), $sql eq $refresh ? $before : $checked, 'when it is back, all is as it was');
}
is($node->safe_psql('postgres', "SELECT to_regclass('half') IS NULL AND NOT EXISTS (SELECT 1 FROM kanon_release WHERE release::text = 'half')"),
	't', 'and nothing is half done');

# What else goes wrong there is named, too.
$shard[1]->safe_psql('postgres', 'ALTER TABLE folk RENAME TO gone');
like(as('NONE', $check), qr/^could not count part public\.people_b on server s2: relation "public\.folk" does not exist$/, 'an error of a shard');
$node->safe_psql('postgres', "CREATE FUNCTION nested() RETURNS int LANGUAGE plpgsql AS \$\$ BEGIN PERFORM public.kanon_check('public.people', 5, '{sex,n}'); RETURN 1; END \$\$;"
	  . ' CREATE VIEW nests AS SELECT nested() AS one');
like(as('NONE', "SELECT kanon_check('nests', 5, '{one}')"), qr/^could not count part public\.people_b on server s2: relation "public\.folk" does not exist$/, 'once');
$shard[1]->safe_psql('postgres', 'ALTER TABLE gone RENAME TO folk');
$node->safe_psql('postgres', q{ALTER SERVER s2 RENAME TO "the ') FROM ""server"; ALTER TABLE people_b RENAME TO "it's \ here"});
is($node->safe_psql('postgres', $check), $checked, 'names are quoted');

done_testing();
