# Reading only, wherever PostgreSQL reads: read-only transactions, a standby,
# REFRESH and other restricted contexts, under writers, in every place a query
# has for a function.
use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('primary');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf', "autovacuum = off\n");
$node->start;

$node->safe_psql('postgres', q{
	CREATE EXTENSION kanon;
	SELECT setseed(0.5);
	CREATE TABLE people AS
	SELECT i AS id, (random() * random() * 60)::int AS age, 'city ' || (random() * 12)::int AS city,
		CASE WHEN i % 11 > 0 THEN date '2000-01-01' + (random() * 90)::int END AS day, i % 2 = 0 AS member
	FROM generate_series(1, 4000) i;
	SELECT kanon_create_dimension('age_dimension', 'people', 'age', 'ranges', '{5,20}'),
		kanon_create_dimension('day_dimension', 'people', 'day', 'dates', '{month,year}'),
		kanon_set_attribute('people', 'city', 'quasi_identifier'),
		kanon_set_attribute('people', 'member', 'quasi_identifier');
	-- Answers as one line.
	CREATE FUNCTION answer(call text) RETURNS text LANGUAGE plpgsql STABLE AS $$
	DECLARE
		line text;
	BEGIN
		EXECUTE 'SELECT md5(string_agg(g::text, '' '')) FROM ' || call || ' g' INTO line;
		RETURN line;
	END $$;
});

my @calls = (
	(map { "kanon_incognito('people', 4, algorithm => '$_')" } qw(basic superroots cube two_way)),
	"kanon_incognito('people', 4, metrics => true, suppression => 0.05)",
	"kanon_bottom_up('people', 4)", "kanon_bottom_up('people', 4, rollup => false)",
	"kanon_binary_search('people', 4)", "kanon_datafly('people', 4)",
	"kanon_check('people', 4)", "kanon_classes('people', 4)", "kanon_risk('people')",
	"kanon_sample_uniques('people', '{age,city,day,member}', 2)", "kanon_special_uniques('people', 'id', '{age,city,day}', 2)", "kanon_check_dimension('age_dimension', 'people', 'age')",
	"kanon_check_matchings('people', 1, 'people', '{city,member}')", "kanon_matching_bound('age_dimension', 4, '{age,range_5}')",
	"kanon_generalized_query('people', '{1,1,1,1}', 4)");
my $all = 'SELECT ' . join(', ', map { "answer(\$call\$$_\$call\$)" } @calls);
my $expected = $node->safe_psql('postgres', $all);
is(scalar(grep { length } split /\|/, $expected), @calls - 1, 'every call answers, and the dimension is well');
my $search = "SELECT answer(\$call\$$calls[3]\$call\$)";
my $found = $node->safe_psql('postgres', $search);

sub same
{
	my ($around, $name) = @_;
	my ($before, $after) = split /ALL/, $around;
	is((split /\n/, $node->safe_psql('postgres', "$before $all; " . ($after // '')))[-1], $expected, $name);
}

sub fails
{
	my ($where, $sql, $pattern, $name) = @_;
	$where->psql('postgres', $sql, stderr => \my $stderr);
	like($stderr, $pattern, $name);
}

# ---- transactions

same('BEGIN READ ONLY; ALL', 'in a read-only transaction');
same('SET default_transaction_read_only = on; ALL', 'under default_transaction_read_only');
same('BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE; ALL', 'in a deferrable snapshot');
same("SET default_transaction_read_only = on; SET kanon.memory_limit = '320kB'; ALL", 'with little memory');
same("SET default_transaction_read_only = on; SET kanon.ground_scan = group_by; ALL", 'by GROUP BY');
my @writing = ("SELECT kanon_create_dimension('new', 'people', 'city', 'suppress')",
	"SELECT kanon_create_release('new', 'people', 4, 'full_domain')", "SELECT kanon_create_release('new', 'people', 4)", "SELECT kanon_set_attribute('people', 'city', 'sensitive')",
	"SELECT kanon_unset_attribute('people', 'city')");
fails($node, "BEGIN READ ONLY; $_", qr/ERROR:  cannot execute .* in a read-only transaction/, "$_ is refused there")
  for @writing;
same('BEGIN; SAVEPOINT s; SELECT answer(\'kanon_incognito(\'\'people\'\', 4)\'); ROLLBACK TO s; ALL',
	'after ROLLBACK TO SAVEPOINT');
$node->psql('postgres', "BEGIN; SAVEPOINT s; SELECT kanon_incognito('people', 0); ROLLBACK TO s; $all",
	on_error_stop => 0, stdout => \my $after_error);
is($after_error, $expected, 'after an error and ROLLBACK TO SAVEPOINT');
is( $node->safe_psql('postgres', q{
		BEGIN;
		DELETE FROM people WHERE id > 2000;
		SELECT rows FROM kanon_check('people', 1);
		SAVEPOINT s;
		DELETE FROM people WHERE id > 100;
		SELECT classes + suppressed > 100 FROM kanon_incognito('people', 1, metrics => true) WHERE height = 0;
		SELECT count(*) FROM kanon_last_search();
		ROLLBACK TO s;
		SELECT rows FROM kanon_check('people', 1);
		ROLLBACK}),
	"2000\nf\n2\n2000", 'a transaction sees its own changes, and those only that it kept');

# ---- a standby

$node->backup('base');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'base', has_streaming => 1);
$standby->start;
$node->wait_for_catchup($standby);
is($standby->safe_psql('postgres', 'SELECT pg_is_in_recovery()'), 't', 'a standby');
is($standby->safe_psql('postgres', $all), $expected, 'answers the same');
is($standby->safe_psql('postgres', "SET kanon.memory_limit = '320kB'; $all"), $expected, 'with little memory, too');
is($standby->safe_psql('postgres', "SET kanon.ground_scan = group_by; $all"), $expected, 'and by GROUP BY');
fails($standby, $_, qr/ERROR:  cannot execute .*(read-only transaction|during recovery)/, "$_ is refused")
  for @writing;
$standby->stop;

# ---- inside REFRESH and its like: the owner's rights, no temporary tables

$node->safe_psql('postgres', q{
	CREATE ROLE owner;
	GRANT CREATE ON SCHEMA public TO owner;
	GRANT SELECT ON people, age_dimension, day_dimension TO owner;
	SET ROLE owner;
	SET kanon.memory_limit = '320kB';
	CREATE MATERIALIZED VIEW found AS
	SELECT *, array_to_string(levels, ',') AS key FROM kanon_incognito('people', 4, metrics => true);
	CREATE UNIQUE INDEX ON found (key);
});
is($node->safe_psql('postgres', "SET kanon.memory_limit = '320kB'; REFRESH MATERIALIZED VIEW found;"
		. ' REFRESH MATERIALIZED VIEW CONCURRENTLY found; SELECT md5(string_agg(levels::text, \' \' ORDER BY height, levels)) FROM found'),
	$node->safe_psql('postgres', "SELECT md5(string_agg(levels::text, ' ' ORDER BY height, levels)) FROM kanon_incognito('people', 4)"),
	'a materialized view of all generalizations is refreshed');
is( $node->safe_psql('postgres', q{
		SET ROLE owner;
		CREATE FUNCTION searched(k int) RETURNS int IMMUTABLE LANGUAGE sql AS
		$$ SELECT count(*)::int FROM public.kanon_incognito('public.people', k, algorithm => 'cube') $$;
		CREATE TABLE ks AS SELECT k FROM generate_series(1, 3) k;
		CREATE INDEX by_count ON ks (searched(k));
		ANALYZE ks;
		REINDEX INDEX by_count;
		SET enable_seqscan = off;
		SELECT array_agg(k) @> '{2}' FROM ks WHERE searched(k) = (SELECT count(*) FROM kanon_incognito('people', 2))}),
	't', 'an index of what searches find is built');

# ---- under writers: one call, one snapshot

$node->safe_psql('postgres', q{
	CREATE TABLE busy AS SELECT age, city, member FROM people;
	CREATE TABLE busy_age AS SELECT age, age / 10 AS decade, '*' AS top FROM generate_series(0, 200) age;
	ALTER TABLE busy_age ADD PRIMARY KEY (age);
	SELECT kanon_set_attribute('busy', 'age', 'quasi_identifier', 'busy_age'),
		kanon_set_attribute('busy', 'city', 'quasi_identifier'),
		kanon_set_attribute('busy', 'member', 'quasi_identifier');
});
my $script = $node->basedir . '/writer.pgb';
append_to_file($script, q{
\set age random(201, 100000000)
\set some random(0, 60)
BEGIN;
INSERT INTO busy_age VALUES (:age, :age / 10, '*') ON CONFLICT DO NOTHING;
INSERT INTO busy SELECT :age, 'city ' || :age, i % 2 = 0 FROM generate_series(1, 5) i;
DELETE FROM busy WHERE ctid IN (SELECT ctid FROM busy WHERE age = :some LIMIT 5);
END;
});
my $writers = IPC::Run::start(
	[ 'pgbench', '-n', '-c', '2', '-T', '8', '-f', $script, $node->connstr('postgres') ],
	'>', \my $pgbench_out, '2>', \my $pgbench_err);
my @busy = map { "kanon_incognito('busy', 3, algorithm => '$_', metrics => true)" } qw(basic superroots cube two_way);
push @busy, "kanon_bottom_up('busy', 3, rollup => false, metrics => true)";
my $agree = 'SELECT ' . join(' AND ', map { "answer(\$\$$_\$\$) = answer(\$\$$busy[3]\$\$)" } @busy[ 0 .. 2, 4 ]);
my $until = time + 7;
my ($rounds, $disagreements, $errors) = (0, 0, '');
while (time < $until)
{
	for my $sql ($agree, "BEGIN ISOLATION LEVEL REPEATABLE READ; $agree; $agree; COMMIT",
		"SET kanon.ground_scan = group_by; $agree")
	{
		$node->psql('postgres', $sql, stdout => \my $verdict, stderr => \my $stderr);
		$rounds++;
		$disagreements++ if $verdict !~ /^t(\nt)?$/;
		$errors .= $stderr;
	}
}
$writers->finish;
is($errors, '', 'no search fails under writers');
is($disagreements, 0, "and all algorithms agree ($rounds statements)");
unlike($pgbench_out, qr/transactions actually processed: 0\b/, 'while rows came and went');
# Two sessions, one snapshot.
is( $node->safe_psql('postgres', q{
		BEGIN ISOLATION LEVEL REPEATABLE READ;
		SELECT pg_export_snapshot() AS snapshot, answer($$kanon_incognito('busy', 3)$$) AS answer \gset
		\! psql -XAtqc "DELETE FROM busy WHERE age < 30" -d "} . $node->connstr('postgres') . q{"
		SELECT answer($$kanon_incognito('busy', 3, algorithm => 'basic')$$) = :'answer';
		\setenv SNAPSHOT :snapshot
		\! psql -XAtqc "BEGIN ISOLATION LEVEL REPEATABLE READ" -c "SET TRANSACTION SNAPSHOT '$SNAPSHOT'" -c "SELECT answer('kanon_incognito(''busy'', 3)')" -d "} . $node->connstr('postgres') . q{"
		SELECT :'answer'}) =~ /^t\n(\w+)\n\g1$/ ? 'same' : 'different',
	'same', 'an exported snapshot gives the same answer elsewhere');

# ---- wherever a query calls a function

sub finds { is($node->safe_psql('postgres', $_[0]), $_[2] // 't', $_[1]) }
my $two_way = "kanon_incognito('people', 4)";
my $count = $node->safe_psql('postgres', "SELECT count(*) FROM $two_way");

finds("SELECT md5(string_agg(g::text, ' ')) = '$found' FROM (SELECT $two_way AS g) s", 'in a SELECT list');
finds("SELECT count(*) = $count AND bool_and(levels IS NOT NULL) FROM (SELECT ($two_way).*) s", 'expanded there');
finds("SELECT array_agg(n ORDER BY k) = ARRAY[(SELECT count(*) FROM kanon_incognito('people', 2)),
		(SELECT count(*) FROM kanon_incognito('people', 4)), (SELECT count(*) FROM kanon_incognito('people', 50))]
	FROM (SELECT k, count(g) AS n FROM (VALUES (2), (4), (50)) v (k),
		LATERAL kanon_incognito('people', k, algorithm => 'cube') g GROUP BY k) s", 'in LATERAL, over k');
finds("SELECT count(*) = $count FROM $two_way a JOIN kanon_incognito('people', 4, algorithm => 'basic') b USING (levels)",
	'joined with another call');
finds("SELECT count(*) FROM kanon_incognito('people', 2) WHERE levels NOT IN (SELECT levels FROM $two_way) AND"
	  . " EXISTS (SELECT FROM kanon_datafly('people', 2))", 'in subqueries',
	$node->safe_psql('postgres', "SELECT (SELECT count(*) FROM kanon_incognito('people', 2)) - $count"));
finds("WITH RECURSIVE ks AS (SELECT 1 AS k UNION ALL SELECT k * 2 FROM ks
		WHERE (SELECT min(height) FROM kanon_incognito('people', k * 2)) < 6) SELECT count(*) > 1 FROM ks",
	'in a recursive query');
finds("SELECT height FROM $two_way LIMIT 1", 'cut short',
	$node->safe_psql('postgres', "SELECT min(height) FROM $two_way"));
finds("PREPARE search(int) AS SELECT count(*) FROM kanon_incognito('people', \$1);"
	  . join('', map { "EXECUTE search($_);" } (4) x 7), 'prepared', join("\n", ($count) x 7));
finds("SET plan_cache_mode = force_generic_plan; PREPARE search(regclass, int) AS SELECT count(*) FROM kanon_incognito(\$1, \$2);"
	  . "EXECUTE search('people', 4); ALTER TABLE people ADD extra int; EXECUTE search('people', 4); ALTER TABLE people DROP extra;"
	  . 'EXECUTE search(\'people\', 4)', 'prepared, the table changed between', join("\n", ($count) x 3));
finds("BEGIN; DECLARE c SCROLL CURSOR FOR SELECT height FROM $two_way; FETCH 1 FROM c;
		DELETE FROM people WHERE id > 100; MOVE ABSOLUTE 0 FROM c; MOVE FORWARD ALL FROM c; FETCH PRIOR FROM c; ROLLBACK",
	'from a cursor', join("\n", split / /, $node->safe_psql('postgres', "SELECT min(height) || ' ' || max(height) FROM $two_way")));
finds("BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT height FROM $two_way; DECLARE d CURSOR FOR SELECT 1 FROM $two_way;
		FETCH 1 FROM d; CLOSE d; COMMIT; MOVE FORWARD ALL FROM c; FETCH BACKWARD 0 FROM c", 'from a cursor that is held', '1');
finds("CREATE TABLE kept AS SELECT * FROM $two_way; INSERT INTO kept SELECT * FROM $two_way; SELECT count(*) = 2 * $count FROM kept",
	'into a table');
finds("CREATE FUNCTION loop() RETURNS text LANGUAGE plpgsql AS \$\$
	DECLARE
		g kanon_generalization;
		n int := 0;
		m int := 0;
	BEGIN
		FOR g IN SELECT * FROM $two_way LOOP
			n := n + 1;
			IF n % 10 = 1 THEN
				BEGIN
					m := m + (SELECT count(*) FROM kanon_binary_search('people', 2 + n));
					PERFORM kanon_datafly('people', n) / 0;
				EXCEPTION WHEN division_by_zero OR undefined_function OR datatype_mismatch THEN
					m := m + 1;
				END;
			END IF;
			EXIT WHEN n = 15;
		END LOOP;
		RETURN n || ' ' || m;
	END \$\$; SELECT loop(), loop()", 'in loops, with calls and errors inside', '15 4|15 4');
finds("CREATE FUNCTION guard() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN
		IF NOT (SELECT satisfied FROM kanon_check('guarded', 2, '{a}')) THEN RAISE 'below k'; END IF; RETURN NULL; END \$\$;
	CREATE TABLE guarded (a int);
	CREATE CONSTRAINT TRIGGER guard AFTER INSERT ON guarded DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION guard();
	BEGIN; INSERT INTO guarded VALUES (1); INSERT INTO guarded VALUES (1); COMMIT; SELECT count(*) = 2 FROM guarded",
	'in a deferred trigger');
fails($node, 'INSERT INTO guarded VALUES (2)', qr/below k/, 'which sees what is about to be committed');

# A view that searches, searched; one that searches itself.
$node->safe_psql('postgres', q{
	CREATE VIEW searching AS SELECT height, minimal FROM kanon_incognito('people', 4);
	CREATE VIEW abyss (a) AS SELECT 1;
	CREATE OR REPLACE VIEW abyss (a) AS SELECT height FROM kanon_incognito('abyss', 1, '{a}');
});
finds("SELECT count(*) > 0 AND bool_and(classes > 0) FROM kanon_incognito('searching', 2, '{height,minimal}', algorithm => 'basic', metrics => true)",
	'a view that searches is searched');
finds("SELECT size FROM kanon_last_search()", 'and nothing is known of searches in other sessions', '');
fails($node, "SELECT * FROM abyss", qr/stack depth limit exceeded/, 'one that searches itself meets the limit of the stack');
same('ALL', 'after all that');

unlike(slurp_file($node->logfile) . slurp_file($standby->logfile),
	qr/temporary file leak|WARNING|was terminated|PANIC|TRAP/, 'the servers have nothing to say');
$node->stop;
done_testing();
