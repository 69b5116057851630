# Robustness: hostile arguments for every function, load of every kind, tables dropped
# under a running call, cancels at any moment, kills, a full disk, little memory.  No
# internal error, no crash, nothing left behind, and every release holds what it should
# (problems() of test/sequence).
#
#   SEED            of all that is random (1), printed
#   ROBUST_SECONDS  for all parts together (36)
#
# Tried before, and tested elsewhere: refreshes of several releases in one statement
# (test/sequence), dimensions dropped before a call (test/specs/dropped.spec), mutations
# of trees (030_tree), cancels by a timeout of each search (030_cancel).
use strict;
use warnings;

use FindBin;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep time);

my $seed = $ENV{SEED} || 1;
my $seconds = $ENV{ROBUST_SECONDS} || 36;
diag "SEED=$seed ROBUST_SECONDS=$seconds";
srand($seed);

my $node = PostgreSQL::Test::Cluster->new('robust');
# A backend whose files may not grow must be able to write a whole segment of the log.
$node->init(extra => [ '--no-locale', '--encoding=UTF8', '--wal-segsize=1' ]);
$node->append_conf('postgresql.conf', q{
autovacuum = off
jit = off
max_prepared_transactions = 8
restart_after_crash = on
deadlock_timeout = '100ms'
client_min_messages = error
log_statement = none
log_min_messages = warning
log_min_error_statement = panic
max_wal_size = '64MB'
});
$node->start;
my $amcheck = 0;

sub die_of { return int(rand $_[0]) }
sub pick   { return $_[ rand @_ ] }
sub chance { return rand() < $_[0] }
sub quoted { return "'" . ($_[0] =~ s/'/''/gr) . "'" }

# Errors of these states are never right, but what PostgreSQL itself says when sessions meet.
my $wrong = qr/(?:ERROR|FATAL|PANIC): +(?:XX|58|53200)|invalid memory alloc|connection to server was lost|server closed the connection|could not open relation with OID/;
my $own = qr/tuple concurrently (?:updated|deleted)|could not serialize|cache lookup failed for (?:relation|index|attribute)|could not open relation with OID|could not find (?:tuple|pg_class)|missing chunk/;

# Runs scripts at the same time; (output, errors) of each.
sub at_once
{
	my ($database, @scripts) = @_;
	my (@runs, @out);
	for my $number (0 .. $#scripts)
	{
		my ($out, $err) = ('', '');
		push @out, [ \$out, \$err ];
		my $file = $node->basedir . "/script$number.sql";
		unlink $file;
		append_to_file($file, "\\set VERBOSITY verbose\n$scripts[$number]\n");
		push @runs, IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr($database), '-f', $file ], '<', '/dev/null', '>', \$out, '2>', \$err, IPC::Run::timeout(600));
	}
	$_->finish for @runs;
	return map { [ ${ $_->[0] }, ${ $_->[1] } ] } @out;
}

# Of a script whose steps begin with "\warn STEP n" those that went wrong.
sub complaints
{
	my ($errors, $steps, $allowed) = @_;
	my @found;
	for my $part (split /^(?=STEP )/m, $errors)
	{
		my ($step) = $part =~ /^STEP (\d+)/;
		for my $line (split /\n/, $part)
		{
			next if $line !~ $wrong || ($allowed && $line =~ $allowed);
			push @found, substr($line, 0, 300) . (defined $step ? "\n    $steps->[$step]" : '');
		}
	}
	return @found;
}

sub nothing_found
{
	my ($name, @found) = @_;
	is(scalar @found, 0, $name) or diag join "\n", @found[ 0 .. ($#found < 9 ? $#found : 9) ];
	return;
}

sub stands
{
	my ($name) = @_;
	my $log = slurp_file($node->logfile);
	unlike($log, qr/terminated by signal (?!9\b)|PANIC|TRAP:|WARNING:.*(?:leak|still referenced|already)/, $name);
	return;
}

sub new_database
{
	my ($name) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $name");
	$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr($name), '-f', "$FindBin::RealBin/../sequence/sequence.sql" ], "database $name");
	return;
}

# ---- hostile arguments

new_database('fuzz');
$node->safe_psql('fuzz', q{
	CREATE EXTENSION IF NOT EXISTS amcheck;
	CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
	CREATE TYPE pair AS (a int, b text);
	CREATE DOMAIN positive AS int CHECK (value >= 0);
	CREATE TABLE plain (id int, age int, sex text, zip text, ill text, cost numeric(10,2), day date, at timestamptz, share float8, yes bool);
	INSERT INTO plain SELECT i, i % 40, CASE WHEN i % 2 = 0 THEN 'm' ELSE 'f' END, (53700 + i % 30)::text, 'd' || i % 5, i / 7.0, date '2000-01-01' + i % 400, timestamptz '2000-01-01' + i * interval '1 h', sin(i), i % 3 = 0 FROM generate_series(1, 300) i;
	INSERT INTO plain SELECT i, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'NaN', NULL FROM generate_series(301, 306) i;
	INSERT INTO plain VALUES (400, 2147483647, '', '', '', NULL, 'infinity', 'infinity', 'inf', true), (401, -2147483648, 'x', repeat('z', 100), '', 99999999.99, '-infinity', '-infinity', '-inf', true);
	CREATE TABLE empty (a int, b text);
	CREATE TABLE nothing ();
	INSERT INTO nothing DEFAULT VALUES;
	CREATE TABLE one (a int);
	INSERT INTO one VALUES (1);
	CREATE TABLE odd (a int, x xml, j json, jb jsonb, p point, by bytea, arr int[], r int4range, u uuid, iv interval, mo money, bt bit(4), inet inet, n numeric, c "char", nm name, o oid, ts tsvector, mr int4multirange, tm timetz, lsn pg_lsn, m mood, d positive, pr pair, prs pair[]);
	INSERT INTO odd SELECT i % 3, '<a/>', '{"a":1}', '{"a":1}', point(i, i), decode(md5(i::text), 'hex'), ARRAY[i % 4, i % 3], int4range(i % 5, i % 5 + 3), md5((i % 5)::text)::uuid, i % 5 * interval '1 day', (i % 4)::money, (i % 4)::bit(4), ('10.0.0.' || i % 5)::inet,
		(CASE WHEN i % 7 = 0 THEN 'NaN' WHEN i % 5 = 0 THEN 'Infinity' ELSE (i % 4)::text END)::numeric, 'a', 'n' || i % 3, i % 4, 'a b', '{[1,3)}', timetz '10:00+02', '0/1', (enum_range(NULL::mood))[1 + i % 3], i % 4, ROW(i % 3, 'q')::pair, ARRAY[ROW(1, 'a')::pair] FROM generate_series(1, 60) i;
	INSERT INTO odd DEFAULT VALUES;
	CREATE TABLE dropped (a int, dead int, b text, c numeric);
	INSERT INTO dropped SELECT i % 5, i, 'b' || i % 4, i % 7 FROM generate_series(1, 80) i;
	ALTER TABLE dropped DROP COLUMN dead, ADD COLUMN late int DEFAULT 7;
	CREATE TABLE big (a int, big text);
	INSERT INTO big SELECT i % 3, repeat('x' || i % 2, 50000) FROM generate_series(1, 20) i;
	DO $$ BEGIN
		EXECUTE 'CREATE TABLE wide (' || (SELECT string_agg('q' || i || ' int2', ',') FROM generate_series(1, 1600) i) || ')';
		EXECUTE 'INSERT INTO wide (q1, q2, q70) SELECT i % 3, i % 2, i % 4 FROM generate_series(1, 30) i';
	END $$;
	CREATE TABLE "T ""odd'' name\" ("a "" b" int, "select" text, "x;--" int);
	INSERT INTO "T ""odd'' name\" SELECT i % 3, 's' || i % 2, i % 2 FROM generate_series(1, 30) i;
	CREATE TABLE parted (a int, b text, c int) PARTITION BY RANGE (a);
	CREATE TABLE part_1 PARTITION OF parted FOR VALUES FROM (0) TO (10);
	CREATE TABLE part_2 (c int, b text, a int);
	ALTER TABLE parted ATTACH PARTITION part_2 FOR VALUES FROM (10) TO (30);
	INSERT INTO parted SELECT i % 30, 'b' || i % 3, i % 4 FROM generate_series(1, 90) i;
	CREATE TABLE child (d int) INHERITS (empty);
	INSERT INTO child SELECT i % 3, 'b', i FROM generate_series(1, 20) i;
	CREATE VIEW view_plain AS SELECT id, age, sex, ill FROM plain WHERE age IS NOT NULL;
	CREATE VIEW view_kanon AS SELECT age, sex, kanon_mondrian(3, ROW(age, sex)) OVER () AS class FROM plain;
	CREATE VIEW view_search AS SELECT levels[1] AS a, height, minimal FROM kanon_incognito('plain', 3, '{age,sex}');
	CREATE VIEW view_error AS SELECT 1 / (a - 1) AS b, a FROM one;
	CREATE TABLE ages AS SELECT DISTINCT age, age / 5 * 5 AS five, age / 10 * 10 AS ten, '*'::text AS top FROM plain WHERE age IS NOT NULL;
	CREATE TABLE ages_bad AS SELECT age, five, ten FROM ages UNION ALL SELECT 3, 99, 99;
	CREATE TABLE ages_null AS SELECT age, NULL::int AS l1, NULL::text AS l2 FROM ages;
	CREATE VIEW ages_view AS SELECT DISTINCT age, coalesce(kanon_mondrian(5, ROW(age)) OVER (), 0) AS l1 FROM ages;
	CREATE TABLE ages_none AS SELECT DISTINCT age FROM ages;
	CREATE MATERIALIZED VIEW kept AS SELECT age / 10 AS age, sex, ill FROM plain;
	CREATE INDEX an_index ON plain (age);
	CREATE SEQUENCE a_sequence;
	CREATE TABLE rows AS SELECT p AS r, age FROM plain p;
	SELECT kanon_declare('plain', identifiers => '{id}', quasi_identifiers => '{age,sex,zip}', sensitive => '{ill}');
	SELECT kanon_set_attribute('plain', 'age', 'quasi_identifier', 'ages'), kanon_set_attribute('dropped', 'b', 'quasi_identifier'), kanon_set_attribute('dropped', 'late', 'quasi_identifier');
	SELECT kanon_create_dimension('ruled', 'dropped', 'a', 'ranges', '{2,4}');
	SELECT kanon_create_release('rel_m', 'plain', 3), kanon_create_release('rel_f', 'plain', 3, 'full_domain', suppression => 0.9), kanon_create_release('rel_r', 'plain', 3, 'ring', quasi_identifiers => '{age,sex}'),
		kanon_create_release('rel_t', 'plain', 3, 'two_phase', quasi_identifiers => '{age,sex}'), kanon_create_release('rel_d', 'plain', 3, models => 'distinct(ill, 2)', options => '{"means": true}', quasi_identifiers => '{age,sex}'),
		kanon_create_release('rel_p', 'plain', 2, person => 'id', quasi_identifiers => '{age,sex}'), kanon_create_release('rel_n', 'dropped', 2);
	CREATE TABLE people AS SELECT * FROM plain WHERE id < 300;
	SELECT kanon_declare('people', quasi_identifiers => '{age,sex}', sensitive => '{ill}', identifiers => '{id}');
	SELECT kanon_create_release('rel_c', 'people', 3, 'cohorts', options => '{"key": "id", "leavers": "keep"}');
	CREATE INDEX ON rel_m (age);
	CREATE INDEX ON rel_f (lower(sex));
	SELECT kanon_copy_release('rel_m', 'copied', 'id');
	DROP MATERIALIZED VIEW kept;
	ANALYZE;
});

my %columns;
for (split /\n/, $node->safe_psql('fuzz', q{SELECT attrelid::regclass, attname FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped AND attnum < 80 AND attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace OR relname IN ('pg_class', 'pg_type'))}))
{
	my ($relation, $column) = split /\|/, $_, 2;
	push @{ $columns{$relation} }, $column;
}
my @relations = (('plain') x 60, ('people') x 8, ('odd') x 4, ('dropped') x 3, grep { !/^(t[1-4]|kanon_progress)$/ } sort keys %columns);
push @relations, 'an_index', 'a_sequence', 'nothing', 'pg_class', 'pg_stat_activity', 'information_schema.columns';
my @releases = qw(rel_m rel_f rel_r rel_t rel_d rel_p rel_n rel_c);

# What an argument of that name and type may be, of this relation.
sub a_relation { return chance(0.03) ? pick('0', '4294967295', 'NULL', q{'-'}) . '::regclass' : quoted(pick(@relations)) . '::regclass' }
sub a_column
{
	my ($relation) = @_;
	return pick('xmin', 'ctid', 'nope', '........pg.dropped.2........', '', 'f1', '*', 'AGE', q{a'b}, 'x' x 80) if chance(0.08);
	return pick(@{ $columns{$relation} // ['a'] });
}
sub an_array
{
	my ($type, @items) = @_;
	my $way = rand;
	return 'NULL' if $way < 0.03;
	return "'{}'::$type\[]" if $way < 0.07;
	return "ARRAY[ARRAY[$items[0]], ARRAY[$items[0]]]::$type\[]" if $way < 0.09;
	push @items, 'NULL' if $way < 0.13;
	@items = (@items, @items) if $way > 0.97;
	return 'ARRAY[' . join(', ', @items) . "]::$type\[]";
}
sub some_columns
{
	my ($relation, $number) = @_;
	return 'NULL' if chance(0.2);
	my @all = @{ $columns{$relation} // ['a'] };
	return an_array('name', map { quoted($_) } @all[ 0 .. $#all > 66 ? pick(4, 20, 62, 63, 64, 66) : $#all ]) if chance(0.1);
	return an_array('name', map { quoted(a_column($relation)) } 1 .. pick(1, 1, 2, 2, 3, 4, 6));
}
my @integers = (qw(0 -1 NULL 2147483647 -2147483648 300 64 65 14), (2, 3, 5, 10) x 8);
my @floats = ('0', '0.1', '0.5', '1', '0.05', '-0.1', '1.1', 'NULL', q{'NaN'}, q{'inf'}, q{'-inf'}, '1e-320', '1e308', '0.9999999999999999');
my @predicates = map { quoted($_) } 'age > 3', 'age BETWEEN 3 AND 5', q{sex = 'm'}, 'true', '1 = 1; DROP TABLE x', '', 'age = NULL', 'age IN (1, 2)', q{ill LIKE 'd%'}, q{NOT (age < 3 OR sex = 'f')}, '(SELECT 1)', q{age > 'x'}, 'age IS NULL', 'a = 1', 'a = 99999999999999999999';
push @predicates, 'NULL', q{repeat('(', 5000)}, q{repeat('NOT ', 20000) || 'true'}, q{repeat('x', 1000000)};

sub a_model
{
	my ($relation) = @_;
	my $column = a_column($relation);
	return pick("distinct($column, " . pick(1, 2, 3, 0, -1, '99999999999', 'NaN') . ')', "entropy($column, " . pick('1', '1.5', '0', 'NaN', 'inf', '1e308') . ')', "recursive($column, " . pick('1', '0.5', '0', 'inf') . ', ' . pick(1, 2, 0, '2147483648') . ')',
		"closeness($column, " . pick('0.1', '1', '0', '2', 'NaN') . ')', "variance($column, " . pick('1', '0', '1e300', 'NaN') . ')', "distinct(\"$column\", 2)", "distinct($column", 'x(y, 2)', '', 'distinct(,)', 'entropy(' . 'x' x 70 . ', 2)');
}

sub some_options
{
	my ($relation) = @_;
	my %values = (levels => [ '[1, 0]', '["*", "*"]', '["five", 0]', '[]', '[null]', '[[1]]', '[-1]', '[2147483648]', '"x"' ], split => [ '"median"', '"infogain"', '"regression"', '"x"' ], leavers => [ '"keep"', '"withhold"', '"x"' ], reading => [ '"frozen"', '"together"', '0' ],
		partitioning => [ '"tree"', '"sample 1MB"', '"x"' ], seed => [ '""', '"s"', '"' . 'x' x 9000 . '"', '1' ], nothing => [ 'true', '{}' ]);
	$values{$_} = [ '"' . (a_column($relation) =~ s/["\\]/\\$&/gr) . '"', '"id"', '""', '"nothing"', '{"a": 1}' ] for qw(target key);
	$values{$_} = [ 'true', 'true', 'false', '"true"', '[]' ] for qw(means randomize redraw models_after ranges weights anew);
	$values{$_} = [ '0', '1', '0.3', '-1', '1e400', '3000000000', '"1"', '0.5000000000000000000000001' ] for qw(wait target_loss stale);
	return pick('', '[]', '1', 'null', '{', '"x"') if chance(0.05);
	return '{' . join(', ', map { "\"$_\": " . (chance(0.1) ? 'null' : pick(@{ $values{$_} })) } map { pick(keys %values) } 1 .. pick(0, 1, 1, 2, 3)) . '}';
}

sub an_argument
{
	my ($name, $type, $relation) = @_;
	return quoted($relation) . '::regclass' if $name eq 'relation' && chance(0.9);
	return quoted(pick(@releases)) . '::regclass' if $name =~ /^(release|copy)$/ && $type eq 'regclass' && chance(0.8);
	return an_array('regclass', map { quoted(pick(@releases, 'copied')) } 1 .. pick(1, 2, 3)) if $name eq 'releases';
	return pick(a_relation(), q{'ages'::regclass}, q{'ruled'::regclass}, 'NULL') if $type eq 'regclass';
	return an_array('regclass', map { pick(q{'ages'}, 'NULL', q{'ages_bad'}, q{'ages_view'}, q{'ages_null'}, q{'ages_none'}, q{'nothing'}, q{'plain'}, '0', q{'a_sequence'}) } 1 .. pick(1, 2, 3)) if $type eq 'regclass[]';
	return quoted(join ', ', map { a_model($relation) } 1 .. pick(1, 1, 2, 3)) . '::kanon_models' if $type eq 'kanon_models';
	return pick(q{'{1,0}'}, q{'{*,*}'}, q{'{five,0}'}, q{'x'}, q{''}, 'NULL', q{'{0,0,0}'}, q{'{top}'}, q{'{1,1,1,1}'}, q{'{-1}'}, q{'{2147483648}'}) if $type eq 'kanon_levels';
	return quoted(some_options($relation)) if $type eq 'jsonb';
	return pick('NULL', q{(SELECT kanon_mondrian_tree(2, ROW(age, sex)) FROM plain)}, quoted('{}') . '::kanon_tree') if $type eq 'kanon_tree';
	return an_array('int', map { pick(@integers) } 1 .. pick(1, 1, 2, 3)) if $type eq 'integer[]';
	return some_columns($relation) if $type eq 'name[]';
	return chance(0.05) ? 'NULL' : quoted(a_column($relation)) . '::name' if $type eq 'name';
	my %texts = (recoding => [qw(mondrian mondrian relaxed_mondrian full_domain ring two_phase cohorts x)], what => [qw(tradeoff lattice classes history risk loss levels map errors distribution x)], method => [qw(suppress ranges quantiles digits dates taxonomy x)],
		split => [qw(median infogain regression x)], algorithm => [qw(basic superroots cube two_way x)], leavers => [qw(keep withhold x)], reading => [qw(frozen together x)], role => [qw(quasi_identifier sensitive identifier insensitive x)],
		partitioning => [qw(auto memory tree sample x)], pattern => [ 'rel_%', 'rel_m', '%', '', 'x\\', '_' ], field => [ 'age', 'class', 'f1', '' ], seed => [ '', 's', 'x' x 9000 ], release => [ ('fresh') x 6, '', 'a.b.c.d', 'pg_catalog.x', 'rel_m', 'pg_temp.x', 'a"b' ]);
	$texts{dimension} = $texts{copy} = $texts{release};
	return chance(0.05) ? 'NULL' : quoted(pick(@{ $texts{$name} })) if $type eq 'text' && $texts{$name};
	return an_array('text', map { quoted(pick(@{ $texts{recoding} })) } 1 .. pick(1, 2, 3)) if $name eq 'recodings';
	return an_array('text', map { pick(@predicates) } 1 .. pick(1, 1, 3)) if $name eq 'predicates';
	return an_array('text', map { quoted(pick(qw(1 2 5 10 0 -1 NaN 1e400 month year decade century x plain ages 99999999999999999999 0.0001 inf), '1 day')) } 1 .. pick(1, 2, 3)) if $type eq 'text[]';
	return pick('true', 'false', 'true', 'false', 'NULL') if $type eq 'boolean';
	return pick(@floats) if $type eq 'double precision';
	return pick(@integers) if $type =~ /^(integer|bigint)$/;
	return pick('r', 'r', 'r', 'ROW()', 'NULL::record', 'ROW(NULL)', 'ROW(r, 1)', 'ROW(1, NULL)', 'ROW(random(), r)', q{CASE WHEN random() < 0.5 THEN ROW(1, 2) ELSE ROW(1, 'a'::text, 3) END}, "ROW(1, 2)::pair", 'ROW(' . join(',', (1) x pick(63, 64, 65, 66, 1664)) . ')') if $type eq 'record';
	return pick('NULL::text', 'NULL::int4range', '1', 'NULL::int', 'NULL::record', q{'x'::text}, 'ARRAY[1]', 'NULL::daterange', 'NULL::positive', 'NULL::pair', 'NULL::mood') if $type eq 'anyelement';
	return pick(q{'x'}, q{''}, 'NULL', q{'age'}, q{'1'}, q{'[1,2)'}) if $type eq 'text';
	return 'NULL';
}

# All functions that SQL can call, with the names and types of their arguments.
my @functions = map { my ($name, $kind, $set, $names, $types, $optional, $volatile) = split /\|/, $_, -1;
	{ name => $name, kind => $kind, set => $set eq 't', names => [ split /;/, $names ], types => [ split /;/, $types ], optional => $optional, volatile => $volatile eq 'v' } }
  split /\n/, $node->safe_psql('fuzz', q{
	SELECT p.proname, p.prokind, p.proretset, (SELECT string_agg(coalesce(p.proargnames[n], ''), ';' ORDER BY n) FROM generate_series(1, p.pronargs) n), array_to_string(ARRAY(SELECT format_type(t, NULL) FROM unnest(p.proargtypes::oid[]) t), ';'), p.pronargdefaults, p.provolatile
	FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e' JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'kanon'
	WHERE p.prorettype <> 'event_trigger'::regtype AND NOT p.proargtypes::oid[] && '{internal,cstring}'::regtype[]::oid[] ORDER BY p.proname, p.pronargs, p.proargtypes::text});
cmp_ok(scalar @functions, '>', 50, 'functions to call');
my @weighted = map { my $f = $_; ($f) x ($f->{name} =~ /_release$/ ? 5 : $f->{name} =~ /^kanon_(report|plot|compare|check_releases|create_dimension|refresh_dimension)$/ ? 3 : 1) } @functions;

sub a_call
{
	my ($function) = @_;
	my $relation = pick(@relations);
	my $named = $function->{kind} ne 'a' && @{ $function->{names} } == @{ $function->{types} } && !grep { $_ eq '' } @{ $function->{names} };
	my $must = @{ $function->{types} } - $function->{optional};
	my $density = pick(0.03, 0.08, 0.2, 0.6);
	my @arguments;
	for my $number (0 .. $#{ $function->{types} })
	{
		next if $number >= $must && $named && !chance($density);
		my $value = an_argument($function->{names}[$number] // '', $function->{types}[$number], $relation);
		push @arguments, $named ? "\"$function->{names}[$number]\" => $value" : $value;
	}
	my $call = "$function->{name}(" . join(', ', @arguments) . ')';
	return "CALL $call" if $function->{kind} eq 'p';
	my $from = "(SELECT * FROM $relation LIMIT " . pick(0, 1, 5, 50, 400) . ') r';
	return "SELECT $call OVER (" . pick('', '', 'ORDER BY 1', 'PARTITION BY 1', 'ORDER BY r::text', 'ROWS BETWEEN 1 PRECEDING AND CURRENT ROW', 'RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW') . ") FROM $from" . pick('', '', ' LIMIT 1', ' ORDER BY 1') if $function->{kind} eq 'w';
	return "SELECT $call" . pick('', '', ' FILTER (WHERE random() < 0.5)') . " FROM $from" . pick('', ' GROUP BY r', ' GROUP BY GROUPING SETS ((), (r))') if $function->{kind} eq 'a';
	return "SELECT $call FROM $from" if $call =~ /\br\b/ && grep { $_ eq 'record' } @{ $function->{types} };
	return chance(0.6) ? "SELECT * FROM $call" : "SELECT $call";
}

sub a_statement
{
	my $function = pick(@weighted);
	my $call = a_call($function);
	return $call if $function->{kind} eq 'p';
	my $after = pick('SELECT 1', 'SELECT 1', q{SELECT * FROM kanon_check('fresh')}, q{SELECT length(kanon_report('fresh'))}, q{SELECT kanon_replace_release('fresh', k => 4)}, q{SELECT rows FROM kanon_refresh_release('fresh', concurrently => true)}, q{SELECT kanon_copy_release('fresh', 'cp', 'id')},
		q{DELETE FROM plain WHERE random() < 0.5; REFRESH MATERIALIZED VIEW fresh}, q{ALTER TABLE plain RENAME age TO years; REFRESH MATERIALIZED VIEW rel_m}, q{INSERT INTO plain (id, age) VALUES (1, 1), (1, 9999); SELECT rows FROM kanon_refresh_release('rel_f', search => true)}, q{DROP TABLE ages CASCADE; SELECT rows FROM kanon_refresh_release('rel_m')});
	$after = 'SELECT 1' if $after =~ /fresh/ && $call !~ /fresh/;
	my $way = $function->{volatile} ? 1 : rand;
	return $way >= 0.5 ? "BEGIN; $call; $after; ROLLBACK"
	  : $way < 0.05    ? "BEGIN; DECLARE c CURSOR FOR $call; FETCH " . pick(1, 2, 10) . ' FROM c; FETCH 1 FROM c; CLOSE c; COMMIT'
	  : $way < 0.08    ? "BEGIN; DECLARE c SCROLL CURSOR WITH HOLD FOR $call; FETCH 3 FROM c; COMMIT; FETCH BACKWARD 2 FROM c; CLOSE c"
	  : $way < 0.14    ? "DO \$q\$ DECLARE r record; BEGIN FOR i IN 1..3 LOOP BEGIN FOR r IN $call LOOP IF random() < 0.3 THEN RAISE EXCEPTION 'x'; END IF; END LOOP; EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP; END \$q\$"
	  : $way < 0.18    ? "PREPARE p AS $call; EXECUTE p; ALTER TABLE empty ALTER a TYPE " . pick('int', 'bigint') . '; EXECUTE p; DEALLOCATE p'
	  : $way < 0.22    ? "SELECT * FROM generate_series(1, 3) g, LATERAL ($call) l"
	  : $way < 0.26    ? "BEGIN; SAVEPOINT a; $call; ROLLBACK TO a; $call; COMMIT"
	  : $way < 0.32    ? "SET kanon.memory_limit = '" . pick('0', '1kB', '64kB', '300kB', '1MB') . "'; $call; RESET kanon.memory_limit"
	  : $way < 0.35    ? "SET work_mem = '64kB'; $call; RESET work_mem"
	  : $way < 0.39    ? 'SET kanon.ground_scan = ' . pick('stream', 'group_by') . "; $call; RESET kanon.ground_scan"
	  : $way < 0.42    ? "BEGIN READ ONLY; $call; COMMIT"
	  : $way < 0.45    ? "SET search_path = ''; $call; RESET search_path"
	  : $way < 0.48    ? "SET parallel_setup_cost = 0; SET min_parallel_table_scan_size = 0; $call; RESET parallel_setup_cost; RESET min_parallel_table_scan_size"
	  :                  "EXPLAIN (ANALYZE, VERBOSE) $call";
}

my ($tried, $answered, @found) = (0, 0);
my $until = time + $seconds * 0.27;
do
{
	my @steps = map { a_statement() } 1 .. 250;
	my $script = "SET statement_timeout = '4s'; SET search_path = public; SELECT setseed(" . rand() . ");\n";
	$script .= "\\warn STEP $_\n$steps[$_];\nROLLBACK;\n\\unset FETCH_COUNT\n" for 0 .. $#steps;
	my ($run) = at_once('fuzz', "$script\\echo END");
	$tried += @steps;
	my %bad = map { $_ => 1 } $run->[1] =~ /^STEP (\d+)\n(?=psql)/mg;
	$answered += @steps - keys %bad;
	push @found, complaints($run->[1], \@steps);
	push @found, 'the session ended early' unless $run->[0] =~ /END\s*\z/;
} while (time < $until && @found < 30);
nothing_found("$tried hostile calls: no internal error, no crash", @found);
cmp_ok($answered, '>', $tried / 12, "$answered of them were answered");
nothing_found('.. and what is there is as it should be', split /\n/, $node->safe_psql('fuzz', q{SELECT p FROM kanon_sequence.problems(true) p}));
stands('the server stood the fuzz');

# ---- load

new_database('busy');
my $table = sub {
	my ($number) = @_;
	return "CREATE TABLE busy$number AS SELECT (random() * 40)::int AS age, (random() * 3)::int AS sex, (random() * 20)::int::text AS zip, 'd' || (random() * 5)::int AS ill, g AS id FROM generate_series(1, 800) g";
};
$node->safe_psql('busy', 'DROP TABLE t1, t2, t3, t4; ' . join '; ', map { $table->($_), "SELECT kanon_create_release('r$_', 'busy$_', 3, quasi_identifiers => '{age,sex,zip}')" } 0 .. 2);

# Those that test/sequence does not do: indexes, clusters, vacuums, prepared transactions, copies, reports.
sub a_load
{
	my ($client) = @_;
	my $t = 'busy' . die_of(3);
	my $r = 'r' . die_of(4);
	my $c = 'c' . die_of(3);
	my $recoding = pick(qw(mondrian mondrian full_domain ring two_phase relaxed_mondrian));
	return pick(
		"SELECT kanon_create_release('$r', '$t', 3, '$recoding', quasi_identifiers => '{age,sex,zip}')",
		"BEGIN; SAVEPOINT a; SELECT kanon_create_release('$r', '$t', 3, '$recoding', quasi_identifiers => '{age,sex}'); ROLLBACK TO a; SELECT kanon_create_release('$r', '$t', 4, '$recoding', quasi_identifiers => '{age,sex}'); COMMIT",
		"SELECT rows FROM kanon_refresh_release('$r')", ("SELECT rows FROM kanon_refresh_release('$r', concurrently => true)") x 3, "REFRESH MATERIALIZED VIEW $r",
		"BEGIN; SAVEPOINT a; SELECT rows FROM kanon_refresh_release('$r', concurrently => true); ROLLBACK TO a; SELECT rows FROM kanon_refresh_release('$r', concurrently => true); SELECT count(*) FROM $r; COMMIT",
		"BEGIN; DECLARE c CURSOR FOR SELECT * FROM $r; FETCH 1 FROM c; SELECT rows FROM kanon_refresh_release('$r', concurrently => true); FETCH 1 FROM c; COMMIT",
		"SELECT kanon_replace_release('$r', k => " . (2 + die_of(6)) . ', options => \'{"redraw": ' . pick('true', 'null') . '}\')', "SELECT kanon_replace_release('$r', recoding => '$recoding')",
		"BEGIN; SELECT rows FROM kanon_refresh_release('$r', concurrently => true); PREPARE TRANSACTION 'p$client'; COMMIT PREPARED 'p$client'", "BEGIN; SELECT kanon_replace_release('$r', k => 6); PREPARE TRANSACTION 'p$client'; ROLLBACK PREPARED 'p$client'",
		"BEGIN; SELECT kanon_create_release('$r', '$t', 3, quasi_identifiers => '{age,sex}'); PREPARE TRANSACTION 'p$client'; COMMIT PREPARED 'p$client'", "BEGIN; SELECT rows FROM kanon_refresh_release('$r'); PREPARE TRANSACTION 'p$client'; ROLLBACK PREPARED 'p$client'",
		"CREATE INDEX ON $r (" . pick('ill', '(lower(ill))', 'age') . ')', "CREATE INDEX CONCURRENTLY ON $r (ill)", "REINDEX TABLE CONCURRENTLY $r", "REINDEX TABLE $r", "VACUUM FULL $r", "VACUUM ANALYZE $r",
		"DO \$\$ DECLARE i text; BEGIN SELECT indexrelid::regclass INTO i FROM pg_index WHERE indrelid = '$r'::regclass LIMIT 1; IF i IS NOT NULL THEN EXECUTE 'CLUSTER $r USING ' || i; END IF; END \$\$",
		"SELECT count(*), min(ill) FROM $r", "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM $r; SELECT pg_sleep(0.1); SELECT count(*) FROM $r; COMMIT", "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1; SELECT rows FROM kanon_refresh_release('$r'); COMMIT",
		"SELECT length(kanon_report('$r'))", "SELECT length(kanon_plot('" . pick(qw(classes history risk loss map errors distribution)) . "', '$r'))", "BEGIN; SELECT kanon_copy_release('$r', 'cp$client', 'id'); SELECT satisfied FROM kanon_check_releases('$t', ARRAY['$r', 'cp$client']::regclass[], 3); ROLLBACK",
		"SELECT count(*) FROM kanon_compare('$t', '{3,5}', '{mondrian,full_domain}', '{age,sex}')", "SELECT kanon_create_release('$c', '$t', 3, 'cohorts', quasi_identifiers => '{age,sex}', options => '{\"key\": \"id\", \"leavers\": \"keep\", \"wait\": 0}')", ("SELECT rows FROM kanon_refresh_release('$c', concurrently => " . pick('true', 'false') . ')') x 2,
		"DROP MATERIALIZED VIEW $c", "CALL kanon_refresh_releases(concurrently => " . pick('true', 'false') . ')', 'SELECT count(*) FROM kanon_releases', "ALTER MATERIALIZED VIEW $r SET (fillfactor = " . (50 + die_of(50)) . ')', "CREATE OR REPLACE VIEW v$client AS SELECT ill FROM $r", "DROP VIEW IF EXISTS v$client",
		"SELECT kanon_drop_release('$r')", "DROP MATERIALIZED VIEW $r", ("UPDATE $t SET age = age + 1 WHERE id % 10 = " . die_of(10)) x 2, "DROP TABLE $t CASCADE; " . $table->($t =~ s/\D//gr), "ALTER TABLE $t RENAME zip TO zap; ALTER TABLE $t RENAME zap TO zip", "ALTER TABLE $t DROP COLUMN ill CASCADE; ALTER TABLE $t ADD ill text DEFAULT 'x'",
		"ALTER MATERIALIZED VIEW $r RENAME TO x$r; ALTER MATERIALIZED VIEW x$r RENAME TO $r", "SELECT kanon_set_attribute('$t', '" . pick(qw(age sex zip)) . "', 'quasi_identifier')", "SELECT kanon_create_dimension('d$t', '$t', 'age', 'ranges', '{5,10}')", "SELECT kanon_refresh_dimension('d$t')", "DROP TABLE d$t CASCADE",
		"SELECT satisfied FROM kanon_check('$r', 3)", "SELECT rows FROM kanon_quality('$r')", "SELECT satisfied FROM kanon_check_matchings('$r', 3)", "INSERT INTO $t (age, sex, zip, ill, id) SELECT (random() * 40)::int, 1, '3', 'q', g FROM generate_series(1, 20) g", "DELETE FROM $t WHERE random() < 0.03", 'VACUUM kanon_attribute, kanon_release, kanon_seed, kanon_cohort_member');
}

my @clients = map { my $client = $_; [ map { a_load($client) } 1 .. 40 * $seconds ] } 0 .. 3;
my $end = time + $seconds * 0.25;
my @scripts = map { my $client = $_;
	"SET statement_timeout = '5s'; SET lock_timeout = '2s'; SELECT setseed(0.$client$seed);\n" . join '', map { "\\warn STEP $_\n$clients[$client][$_];\nROLLBACK;\n" . ($clients[$client][$_] =~ /PREPARE TRANSACTION/ ? "ROLLBACK PREPARED 'p$client';\n" : '')
		. ($_ % 5 ? '' : "SELECT extract(epoch FROM clock_timestamp()) > $end AS over \\gset\n\\if :over\n\\echo END\n\\q\n\\endif\n") } 0 .. $#{ $clients[$client] } } 0 .. $#clients;
my @runs = at_once('busy', map { "$_\\echo END" } @scripts);
@found = map { complaints($runs[$_][1], $clients[$_], $own) } 0 .. $#clients;
nothing_found('load: no internal error, no crash', @found);
is(scalar(grep { $_->[0] =~ /END\s*\z/ } @runs), scalar @runs, '.. all sessions worked to the end');
$tried = () = join('', map { $_->[1] } @runs) =~ /^STEP/mg;
cmp_ok($tried, '>', 20 * @clients, "$tried statements in " . @clients . ' sessions');
nothing_found('.. and what is there is as it should be', split /\n/, $node->safe_psql('busy', q{SELECT p FROM kanon_sequence.problems(true) p}));
is($node->safe_psql('busy', q{SELECT count(*) FROM pg_class WHERE relname ~ '^pg_temp_|_new[0-9]*$' OR (relname ~ '_ccnew' AND relkind = 'm')}), '0', 'no half-made release is left');
nothing_found('indexes and heaps are sound', split /\n/, $node->safe_psql('busy', q{CREATE EXTENSION amcheck; SELECT count(bt_index_check(i.indexrelid, true)) * 0 FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam WHERE c.relkind = 'm' AND m.amname = 'btree' AND i.indisready AND i.indisvalid HAVING false;
	SELECT c.oid::regclass, v.* FROM pg_class c, LATERAL verify_heapam(c.oid) v WHERE c.relkind = 'm'}));
stands('the server stood the load');

# ---- things dropped under a running call

$node->safe_psql('postgres', 'CREATE DATABASE falling');
$node->safe_psql('falling', 'CREATE EXTENSION kanon; CREATE SCHEMA house; ALTER DATABASE falling SET search_path = house, public');
my $house = q{DROP SCHEMA house CASCADE; CREATE SCHEMA house; CREATE TABLE people AS SELECT i AS id, i % 40 AS age, (i % 7)::text AS zip, 'd' || i % 3 AS ill FROM generate_series(1, 6000) i; SELECT kanon_create_dimension('ages', 'people', 'age', 'ranges', '{5,10}');
	SELECT kanon_declare('people', quasi_identifiers => '{zip}', sensitive => '{ill}', identifiers => '{id}'); SELECT kanon_set_attribute('people', 'age', 'quasi_identifier', 'ages'); SELECT kanon_create_release('study', 'people', 3);};
my @calls = map { "SELECT count(*) FROM $_" } "kanon_incognito('people', 3)", "kanon_check('people', 3)", "kanon_check('people', 3, '{zip}', 'closeness(age, 0.5)')", "kanon_classes('people', 3)", "kanon_quality('study')", "kanon_check_matchings('study', 3)", "kanon_risk('people')", "kanon_sample_uniques('people')",
  "kanon_check_dimension('ages', 'people', 'age')", "kanon_query_errors('study', ARRAY['age BETWEEN 3 AND 20'])", "kanon_refresh_release('study')", "kanon_refresh_release('study', concurrently => true)", "kanon_compare('people', '{3}')", "(SELECT kanon_view_cells('mondrian', 3, p, '{age,zip}', dimensions => '{ages,NULL}') OVER () FROM people p) x", "kanon_create_release('fresh', 'people', 3)",
  "kanon_create_release('fresh', 'people', 3, 'ring')", "kanon_create_release('fresh', 'people', 3, 'full_domain', suppression => 0.9)", "kanon_create_release('fresh', 'people', 3, 'cohorts', options => '{\"key\": \"id\", \"leavers\": \"keep\"}')", "kanon_generalized_query('people', '{1,0}', 3)", "kanon_drop_release('study')", "kanon_replace_release('study', k => 4)", "kanon_report('study')",
  "kanon_copy_release('study', 'fresh', 'id')", "kanon_refresh_dimension('ages')", "kanon_digest('study')", "kanon_plot('errors', 'study')";
push @calls, 'REFRESH MATERIALIZED VIEW study', 'CALL kanon_refresh_releases()';
my @falls = ('DROP TABLE ages CASCADE', 'DROP TABLE people CASCADE', 'ALTER TABLE people DROP COLUMN age CASCADE', 'ALTER TABLE ages DROP COLUMN range_5 CASCADE', 'DROP MATERIALIZED VIEW study', 'ALTER TABLE people ALTER age TYPE bigint', 'TRUNCATE ages', 'ALTER TABLE ages RENAME TO aged', 'ALTER MATERIALIZED VIEW study RENAME TO older', 'DROP MATERIALIZED VIEW study; CREATE TABLE study AS TABLE people', 'ALTER TABLE people RENAME TO persons; CREATE VIEW people AS TABLE persons', 'REFRESH MATERIALIZED VIEW study WITH NO DATA', 'ALTER TABLE people ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY');
$until = time + $seconds * 0.12;
($tried, @found) = (0);
do
{
	my $call = pick(@calls);
	my $fall = pick(@falls);
	my $begin = $call =~ /^CALL/ ? '' : pick('BEGIN', 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1') . ';';
	$node->safe_psql('falling', $house);
	my @both = at_once('falling', "SET statement_timeout = '5s'; $begin SELECT pg_sleep(" . rand(0.03) . "); $call; \\echo END", "SET lock_timeout = '3s'; SELECT pg_sleep(" . rand(0.04) . "); $fall;");
	$tried++;
	push @found, map { "$_\n    $call\n    $fall" } complaints($both[0][1], [], qr/tuple concurrently|cache lookup failed/);
	push @found, "lost: $call; $fall" unless $both[0][0] =~ /END\s*\z/;
} while (time < $until);
nothing_found("things dropped under $tried calls", @found);
stands('the server stood that');

# ---- cancels at any moment

new_database('cancelled');
$node->safe_psql('cancelled', q{
	DROP TABLE t1, t2, t3, t4;
	SET kanon.memory_limit = '64MB';
	CREATE TABLE s AS SELECT i AS id, (random() * 60)::int AS age, (random() * 300)::int::text AS zip, 'd' || (random() * 9)::int AS ill FROM generate_series(1, 12000) i;
	SELECT kanon_declare('s', quasi_identifiers => '{age,zip}', sensitive => '{ill}', identifiers => '{id}');
	SELECT kanon_create_release('rm', 's', 5), kanon_create_release('rf', 's', 3, 'full_domain', suppression => 0.99), kanon_create_release('rc', 's', 5, 'cohorts', options => '{"key": "id", "leavers": "keep"}'), kanon_create_release('rr', 's', 3, 'ring');
	CREATE INDEX ON rm (ill)});
my @long = (q{SELECT rows FROM kanon_refresh_release('rm', concurrently => true)}, 'REFRESH MATERIALIZED VIEW rm', q{SELECT rows FROM kanon_refresh_release('rc', concurrently => true)}, q{SELECT rows FROM kanon_refresh_release('rc')}, q{SELECT kanon_replace_release('rm', k => 7)}, q{SELECT kanon_replace_release('rr', k => 4, options => '{"redraw": true}')},
	'CALL kanon_refresh_releases(concurrently => true)', 'CALL kanon_refresh_releases()', q{SELECT length(kanon_report('rm'))}, q{SELECT count(*) FROM kanon_compare('s', '{5}', '{mondrian,ring}')}, q{SELECT satisfied FROM kanon_check_matchings('rr', 3)}, q{SELECT kanon_copy_release('rm', 'copied', 'id')}, q{SELECT kanon_create_release('rn', 's', 4)},
	q{SELECT rows FROM kanon_refresh_release('rf', search => true)}, q{SELECT rows FROM kanon_quality('rm')}, q{SELECT length(kanon_plot('errors', 'rm'))}, q{SELECT kanon_create_dimension('ages', 's', 'age', 'quantiles', '{4}')}, q{SELECT count(*) FROM kanon_check_releases('s', '{rm,rf}', 3, key => 'id')},
	(map { "SET kanon.partitioning = $_; SELECT count(DISTINCT m) FROM (SELECT kanon_mondrian(5, s, '{age,zip}') OVER () AS m FROM s) x" } qw(tree sample)));
$until = time + $seconds * 0.12;
my $cancelled = 0;
($tried, @found) = (0);
my $slowest = 0;
my $rounds = 0;
do
{
	my @steps = map { pick(@long) } 1 .. 12;
	my $script = '';
	for my $number (0 .. $#steps)
	{
		my $timeout = 1 + int(rand() ** 2 * 400);
		my ($set, $call) = $steps[$number] =~ /^((?:SET [^;]*; )?)(.*)$/;
		$script .= "\\warn STEP $number\n" . "UPDATE s SET age = age + 1 WHERE id % 50 = " . die_of(50) . ";\nSET kanon.memory_limit = '" . pick('2MB', '64MB') . "'; $set\nSET statement_timeout = $timeout;\n\\timing on\n$call;\n\\timing off\n\\echo AFTER $timeout :SQLSTATE\nRESET ALL;\n"
		  . "DROP TABLE IF EXISTS copied; DROP MATERIALIZED VIEW IF EXISTS rn; SELECT kanon_set_attribute('s', 'age', 'quasi_identifier'); DROP TABLE IF EXISTS ages;\n";
	}
	my ($run) = at_once('cancelled', "$script\\echo END");
	while ($run->[0] =~ /Time: ([\d.]+) ms[^\n]*\n(?:AFTER (\d+) (\w+))/g)
	{
		$tried++;
		$cancelled++ if $3 eq '57014';
		$slowest = $1 - $2 if $3 eq '57014' && $1 - $2 > $slowest;
	}
	push @found, complaints($run->[1], \@steps);
	push @found, "lost: @steps" unless $run->[0] =~ /END\s*\z/;
	push @found, split /\n/, $node->safe_psql('cancelled', q{SELECT p FROM kanon_sequence.problems(true) p; SELECT 'left: ' || relname FROM pg_class WHERE relname ~ '^pg_temp_|_new[0-9]*$'; SELECT 'locked: ' || mode FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND database = (SELECT oid FROM pg_database WHERE datname = 'cancelled')});
	$rounds++;
} while (time < $until && @found < 10);
nothing_found("cancels: nothing is left behind by $cancelled of $tried calls", @found);
cmp_ok($cancelled, '>', 2 * $rounds, 'calls were cancelled');
cmp_ok($slowest, '<', 2000, sprintf 'each was answered (the slowest after %d ms)', $slowest);
stands('the server stood the cancels');

# ---- a full disk: this session's files may not grow beyond 1.2 MB, then temporary files

SKIP:
{
	skip 'no prlimit', 4 if system('prlimit --version >/dev/null 2>&1') != 0;
	my $limited = q{SELECT pg_backend_pid() AS pid \gset
		\setenv PID :pid
		\! prlimit --pid $PID --fsize=1200000:};
	$node->safe_psql('cancelled', q{SET kanon.memory_limit = '64MB'; INSERT INTO s SELECT i, (random() * 60)::int, (random() * 3000)::int::text, 'd' || (random() * 9)::int FROM generate_series(12001, 60000) i; SELECT rows FROM kanon_refresh_release('rm')});
	my $contents = q{SELECT kanon_digest(r) FROM unnest('{rm,rf,rc,rr}'::regclass[]) r; SELECT count(*) FROM kanon_cohort_member};
	my $before = $node->safe_psql('cancelled', $contents);
	my @steps = (q{SELECT rows FROM kanon_refresh_release('rm')}, q{SELECT rows FROM kanon_refresh_release('rm', concurrently => true)}, 'REFRESH MATERIALIZED VIEW rm', q{SELECT kanon_replace_release('rm', k => 9)}, q{SELECT kanon_create_release('rn', 's', 5)}, q{SELECT kanon_create_release('rn', 's', 5, 'cohorts', options => '{"key": "id", "leavers": "keep"}')}, q{SELECT kanon_copy_release('rm', 'copied', 'id')},
		q{CALL kanon_refresh_releases('rm')}, q{SELECT rows FROM kanon_refresh_release('rc')},
		(map { "SET kanon.partitioning = $_; SELECT count(DISTINCT m) FROM (SELECT kanon_mondrian(5, s, '{age,zip}') OVER () AS m FROM s) x" } qw(tree sample)), q{SELECT satisfied FROM kanon_check('s', 5)}, q{SELECT count(*) FROM kanon_incognito('s', 5)}, q{SELECT rows FROM kanon_quality('rm')});
	for my $shortage ($limited, q{SET temp_file_limit = '300kB';})
	{
		my $script = "$shortage\nSET kanon.memory_limit = '1MB'; SET work_mem = '64kB'; SET maintenance_work_mem = '1MB'; SET statement_timeout = '20s'; SET kanon.partitioning = tree;\n" . join '', map { "\\warn STEP $_\n$steps[$_];\n" } 0 .. $#steps;
		my ($run) = at_once('cancelled', "$script\\echo END");
		my $full = () = $run->[1] =~ /File too large|53400|53100/g;
		cmp_ok($full, '>=', 3, "a full disk: $full calls fail");
		nothing_found('.. and nothing worse', grep { !/File too large|releases were not refreshed/ } complaints($run->[1], \@steps));
		is($node->safe_psql('cancelled', $contents), $before, '.. releases and states are what they were') or note $run->[1];
		nothing_found('.. nothing is left behind', split /\n/, $node->safe_psql('cancelled', q{SELECT p FROM kanon_sequence.problems(true) p; SELECT 'left: ' || relname FROM pg_class WHERE relname ~ '^pg_temp_|_new[0-9]*$'}));
	}
	stands('the server stood the full disk');
}

# ---- little memory: what 031_memory does not call

my @hungry = (q{length(kanon_report('rm'))}, q{(SELECT count(*) FROM kanon_compare('s', '{10}', '{mondrian,full_domain}'))}, q{length(kanon_plot('map', 'rm'))}, q{length(kanon_plot('errors', 'rm'))}, q{kanon_copy_release('rm', 'copied', 'id')}, q{(SELECT satisfied FROM kanon_check_releases('s', '{rm,rf}', 3, key => 'id'))},
	q{kanon_replace_release('rf', k => 4)}, q{(SELECT rows FROM kanon_refresh_release('rm', concurrently => true))}, q{(SELECT rows FROM kanon_refresh_release('rc'))}, q{kanon_digest('s')}, q{(SELECT rows FROM kanon_quality('rm'))}, q{(SELECT count(*) FROM kanon_special_uniques('s', 'id', size => 2))}, q{kanon_create_dimension('zips', 's', 'zip', 'quantiles', '{100,10}')});
my $growth = sub {
	my ($call) = @_;
	my ($run) = at_once('cancelled', q{CREATE FUNCTION pg_temp.peak() RETURNS int LANGUAGE sql AS $$SELECT (regexp_match(pg_read_file('/proc/self/status'), 'VmHWM:\s+(\d+) kB'))[1]::int$$;
		CREATE FUNCTION pg_temp.shared() RETURNS int LANGUAGE sql AS $$SELECT (regexp_match(pg_read_file('/proc/self/status'), 'RssShmem:\s+(\d+) kB'))[1]::int$$;
		SELECT count(*) FROM s; SELECT count(*) FROM rm; SELECT count(*) FROM kanon_check('s', 5, '{age}'); SELECT pg_temp.peak() - pg_temp.shared() AS before \gset
		SET kanon.memory_limit = '2MB'; SET work_mem = '256kB'; SET maintenance_work_mem = '1MB'; SET statement_timeout = '20s';
		BEGIN; SELECT } . $call . q{;
		ROLLBACK; \echo GREW
		SELECT pg_temp.peak() - pg_temp.shared() - :before});
	return ($run->[0] =~ /GREW\n(-?\d+)/ ? $1 : undef, $run->[1]);
};
for my $call (@hungry)
{
	my ($grew, $errors) = $growth->($call);
	cmp_ok($grew // 1e9, '<', 2048 + 16 * 1024, "$call in 2 MB") or note $errors;
	unlike($errors, qr/$wrong/, '.. or an error');
}

# ---- kills

new_database('killed');
$node->safe_psql('killed', q{
	CREATE EXTENSION amcheck;
	DROP TABLE t1, t2, t3, t4;
	CREATE TABLE s AS SELECT (random() * 60)::int AS age, (random() * 3)::int AS sex, (random() * 300)::int::text AS zip, 'd' || (random() * 9)::int AS ill, g AS id FROM generate_series(1, 12000) g;
	SELECT kanon_create_dimension('zips', 's', 'zip', 'digits', '{1,2}'), kanon_set_attribute('s', 'age', 'quasi_identifier'), kanon_set_attribute('s', 'sex', 'quasi_identifier'), kanon_set_attribute('s', 'ill', 'sensitive');
	SELECT kanon_create_release('r0', 's', 5), kanon_create_release('r1', 's', 5, 'full_domain', suppression => 0.9), kanon_create_release('r2', 's', 5, 'ring', quasi_identifiers => '{age,sex}', options => '{"redraw": true}'), kanon_create_release('r3', 's', 5, models => 'distinct(ill, 3)'),
		kanon_create_release('c', 's', 4, 'cohorts', quasi_identifiers => '{age,sex}', options => '{"key": "id", "leavers": "keep", "wait": 0}');
	CREATE INDEX ON r0 (ill);
	CREATE INDEX ON r1 (lower(ill));
	CREATE INDEX ON c (ill)});
$until = time + $seconds * 0.24;
($tried, @found) = (0);
my %killed;
do
{
	my $r = 'r' . die_of(4);
	my $n = 'n' . die_of(3);
	my $work = pick("SELECT rows FROM kanon_refresh_release('$r')", ("UPDATE s SET age = age + 1 WHERE id % 50 = " . die_of(50) . "; SELECT rows FROM kanon_refresh_release('$r', concurrently => true)") x 3, "SELECT kanon_create_release('$n', 's', 4, '" . pick(qw(mondrian full_domain ring)) . "', quasi_identifiers => '{age,sex,zip}')",
		"SELECT kanon_drop_release('$n')", "DROP TABLE IF EXISTS d0; SELECT kanon_create_dimension('d0', 's', 'zip', 'digits', '{1,2}')", "SELECT kanon_replace_release('$r', k => " . (3 + die_of(6)) . ', options => \'{"redraw": null}\')', 'CALL kanon_refresh_releases(concurrently => true)', ("DELETE FROM s WHERE id % 97 = " . die_of(97) . "; SELECT rows FROM kanon_refresh_release('c', concurrently => " . pick('true', 'false') . ')') x 2, "SELECT kanon_copy_release('$r', 'k' || (random() * 1e9)::int, 'id')");
	my $how = pick('backend', 'backend', 'postmaster', 'immediate');
	my $gone;
	my $script = $node->basedir . '/victim.sql';
	unlink $script;
	append_to_file($script, "SET application_name = 'victim';\n$work;\n");
	my $victim = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('killed'), '-f', $script ], '<', '/dev/null', '>', \my $out, '2>', \my $err, IPC::Run::timeout(120));
	sleep 0.03 + rand() ** 2 * 0.3;
	if ($how eq 'backend')
	{
		my ($status, $pid) = $node->psql('postgres', q{SELECT pid FROM pg_stat_activity WHERE application_name = 'victim' AND state = 'active' AND query !~ '^SET'});
		$killed{backend}++ if $pid && $pid =~ /^\d+$/ && kill 'KILL', $pid;
	}
	elsif ($how eq 'immediate')
	{
		$node->stop('immediate');
		$killed{immediate}++;
	}
	else
	{
		($gone) = slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/;
		$node->kill9;
		$killed{postmaster}++;
	}
	$victim->finish;
	if ($how ne 'backend')
	{
		# Orphans let go of the shared memory, and nobody may have buried the postmaster.
		for (1 .. 30) { last unless $gone && kill 0, $gone; sleep 0.1 }
		sleep 0.3;
		unlink $node->data_dir . '/postmaster.pid';
		$node->start;
	}
	# The postmaster may let in another before it hears of a backend's end, and recover then.
	my ($status, $problems);
	for (1 .. 600)
	{
		($status, $problems) = $node->psql('killed', q{
		SELECT p FROM kanon_sequence.problems(true) p;
		SELECT 'left: ' || relname FROM pg_class WHERE relname ~ '^pg_temp_|_new[0-9]*$';
		SELECT 'not k: ' || r.release FROM kanon_release r, kanon_check(r.release, r.k) k WHERE r.classes > 0 AND NOT k.satisfied;
		SELECT 'heap: ' || c.oid::regclass || v.msg FROM pg_class c, LATERAL verify_heapam(c.oid) v WHERE c.relkind = 'm';
		SELECT 'index' FROM (SELECT count(bt_index_check(i.indexrelid, true)) AS n FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam WHERE c.relkind = 'm' AND m.amname = 'btree' AND i.indisvalid) x WHERE n < 0});
		last if $status == 0;
		sleep 0.1;
	}
	die "the server does not come back: $status" if $status;
	$tried++;
	push @found, map { "$_ ($work; $how)" } split /\n/, $problems;
} while (time < $until && @found < 10);
nothing_found("kills (" . join(', ', map { "$killed{$_} $_" } sort keys %killed) . '): every release is whole and holds k', @found);
like($node->safe_psql('killed', q{SELECT rows FROM kanon_refresh_release('c'); SELECT bool_and(rows > 0) FROM kanon_release}), qr/^\d+\nt$/, 'and everything goes on');
stands('the server came back each time');

$node->stop;
done_testing();
