# What a long call tells of itself, to its client and, where there is shared memory for
# it, to others.  A row that comes late makes any call a long one.
use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);

my $node = PostgreSQL::Test::Cluster->new('progress');
$node->init(extra => [ '--no-locale', '--encoding=UTF8' ]);
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION kanon;
	CREATE TABLE people AS SELECT i % 90 AS age, i % 1000 AS zip, i AS number FROM generate_series(1, 140000) i;
	-- The second row that is read is late.
	CREATE FUNCTION wait_for(number int, seconds float8) RETURNS int LANGUAGE plpgsql AS
	'BEGIN IF number = 2 THEN PERFORM pg_sleep(seconds); END IF; RETURN number; END';
	CREATE VIEW late AS SELECT age, zip FROM (SELECT age, zip, wait_for(number, 2.5) AS number FROM people OFFSET 0) p
	WHERE number > 0;
	CREATE VIEW later AS SELECT age, zip FROM (SELECT age, zip, wait_for(number, 600) AS number FROM people OFFSET 0) p
	WHERE number > 0;
	CREATE ROLE nobody LOGIN; CREATE ROLE watcher LOGIN IN ROLE pg_read_all_stats;
});

my @calls = (
	q{SELECT * FROM kanon_incognito('late', 5, '{age,zip}')},
	q{SELECT max(class) FROM (SELECT kanon_mondrian(5, ROW(age, zip)) OVER () AS class FROM late) classes},
	q{SELECT kanon_grow_tree('late', 500, '{age,zip}') IS NULL});
foreach my $call (@calls)
{
	my ($out, $err);

	$node->psql('postgres', "SET kanon.ground_scan = stream; $call", stdout => \$out, stderr => \$err);
	unlike($err, qr/INFO/, "$call says nothing unless it is asked to");
	$node->psql('postgres', "SET kanon.progress = on; SET kanon.ground_scan = stream; $call", stdout => \$out, stderr => \$err);
	like($err, qr/INFO:  [a-z ]+: [0-9]+( of [0-9]+)?, [0-9]+ s$/m, 'asked to, it says how far it is') or diag "
";
}

# A comparison says which of its releases it is about.
my $compared;
$node->psql('postgres', q{SET kanon.progress = on; SET kanon.ground_scan = stream;
	SELECT * FROM kanon_compare('late', '{500,501}', '{full_domain,mondrian}', '{age,zip}')}, stderr => \$compared);
like($compared, qr/INFO:  $_: [a-z ]+: [0-9]+( of [0-9]+)?, [0-9]+ s$/m, "a comparison says that it tries $_") or diag $compared
	foreach 'full_domain, k = 500', 'mondrian, k = 500', 'full_domain, k = 501', 'mondrian, k = 501';
unlike($compared, qr/INFO:  [^:\n]*: [^:\n]*: [^:\n]*:/, '.. one at a time');
$node->psql('postgres', q{SET kanon.progress = on; SET kanon.ground_scan = stream;
	SELECT * FROM kanon_compare('people', '{500}', '{mondrian}', '{age,zip}');
	SELECT * FROM kanon_incognito('late', 5, '{age,zip}')}, stderr => \$compared);
unlike($compared, qr/k = /, '.. and what comes after it does not say so');

# Not more often than each second, however often there would be something to say.
$node->safe_psql('postgres', q{
	CREATE FUNCTION dawdle(number int) RETURNS int LANGUAGE plpgsql AS
	'BEGIN IF number % 10000 = 0 THEN PERFORM pg_sleep(0.4); END IF; RETURN number; END';
	CREATE VIEW slow AS SELECT age, zip FROM (SELECT age, zip, dawdle(number) AS number FROM people OFFSET 0) p WHERE number > 0;
});
my $lines;
$node->psql('postgres', "SET kanon.progress = on; SET kanon.ground_scan = stream; SELECT * FROM kanon_incognito('slow', 5, '{age,zip}')",
	stderr => \$lines);
my @at = $lines =~ /INFO:.*, ([0-9]+) s$/mg;
my %once = map { $_ => 1 } @at;
cmp_ok(@at, '>', 1, 'a call of more than five seconds says so again and again');
is(keys %once, @at, '.. and not twice in one second') or diag $lines;

# What docs/operations.md shows has that form.
my $shown = q{
INFO:  reading rows: 3276800, 3 s
INFO:  dividing rows: 1310720 of 5000000, 4 s
INFO:  two_phase, k = 10: matching rows: 22528 of 45222, 12 s
};
like($_, qr/^INFO:  (two_phase, k = [0-9]+: )?(reading|dividing|matching) rows: [0-9]+( of [0-9]+)?, [0-9]+ s$/, "the page shows $_") foreach grep { /./ } split /\n/, $shown;

# Others see it, if they may, and as long as it lasts.
my $shared = $node->safe_psql('postgres', 'SHOW server_version_num') >= 170000;
my ($out, $err) = ('', '');
my $session = IPC::Run::start(
	[ 'psql', '-X', '-d', $node->connstr('postgres'), '-c', 'SET kanon.progress = on',
		'-c', q{SELECT count(*) FROM kanon_incognito('later', 5, '{age,zip}')} ], '<', \undef, '>', \$out, '2>', \$err,
	IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
my $running = q{SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT count(*) FROM kanon_incognito%' AND state = 'active'};
my $seen = q{SELECT phase, done, total IS NULL, phase_start >= statement_start FROM kanon_progress};
ok($node->poll_query_until('postgres', $running, '1'), 'a call that takes long is running');
if ($shared)
{
	ok($node->poll_query_until('postgres', $seen, 'reading rows|0|t|t'), 'others see what it is doing');
}
is($node->safe_psql('postgres', $seen, extra_params => [ '-U', 'watcher' ]), $shared ? 'reading rows|0|t|t' : '',
	'also who may watch all sessions');
is($node->safe_psql('postgres', $seen, extra_params => [ '-U', 'nobody' ]), '', 'who may not watch it sees nothing');
is($node->safe_psql('postgres', 'SELECT count(*) FROM kanon_progress_entries()', extra_params => [ '-U', 'nobody' ]),
	'0', 'nor by the function below the view');
$node->safe_psql('postgres', q{SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT count(*) FROM kanon_incognito%'});
$session->finish;
like($err, qr/canceling statement/, 'it was cancelled');
is($node->safe_psql('postgres', $seen), '', 'nothing is seen of a call that ended, however it ended');

done_testing();
