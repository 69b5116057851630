# Faults that are known and not mended yet.  Each test says what ought to hold, so it fails today and
# passes when the fault is gone: figures that name somebody, values that are NULL and known all the
# same, people who are hidden because of what they are, a release that goes by the order of rows.
#
# The attacker (mal) may read one release and knows kanon.  Where mal needs to know what a release
# would say of other people, mal makes releases of people whom mal invents.
#
#   ATTACK_OPEN=1  tries them; without it there is nothing to try
use strict;
use warnings;

use Digest::SHA qw(sha256);
use FindBin;
use lib $FindBin::RealBin;
use Math::BigInt;

use Attack;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'these faults are known and open; ATTACK_OPEN=1 tries them' unless $ENV{ATTACK_OPEN};

my $node = attack_node('attack_open');
quietly('dba', 'ALTER DATABASE clinic SET search_path = kanon; ALTER DATABASE clinic SET client_min_messages = error; GRANT USAGE ON SCHEMA b TO mal, steward');

# Asks as a role that may be refused; any other error is this test's own.
sub ask
{
	my ($role, $sql) = @_;
	my (undef, $out, $err) = as($role, $sql);
	die "$role cannot ask: $err\n$sql" if grep { !/^psql:.*ERROR: +(42501|42P01|42703):/ } grep { /ERROR:/ } split /\n/, $err;
	return $out;
}

# What a role sees of kanon's catalogs and views, column by column, because a column may be hidden
# alone: "relation.column" => [ values, in the order of rows ].
my %columns;
$columns{ (split /\|/)[0] } .= (split /\|/)[1] . ' ' for split /\n/, sql(q{SELECT c.relname, a.attname FROM pg_depend d JOIN pg_class c ON c.oid = d.objid JOIN pg_attribute a ON a.attrelid = c.oid
	WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND d.classid = 'pg_class'::regclass AND c.relkind IN ('r', 'v') AND a.attnum > 0 AND NOT a.attisdropped ORDER BY 1, a.attnum});
sub seen
{
	my ($role, $where, @relations) = @_;
	my ($script, %seen, $current) = ('');
	for my $relation (@relations ? @relations : sort keys %columns)
	{
		my ($order) = grep { $columns{$relation} =~ /\b$_\b/ } qw(number release relation);
		$script .= "\\echo == $relation.$_\nSELECT to_jsonb($_) FROM $relation $where" . ($order ? " ORDER BY $order" : '') . ";\n" for split / /, $columns{$relation};
	}
	for my $line (split /\n/, ask($role, $script))
	{
		if ($line =~ /^== (.*)/) { $current = $1 }
		else { push @{ $seen{$current} }, $line }
	}
	return \%seen;
}

# ---- digests in the history: yesterday's less today's rows

# Bob comes; then two people at once; then somebody leaves whose like are there still.
quietly('bob', q{
	CREATE TABLE b.visits AS SELECT 'n' || i AS name, 20 + i * 7 % 40 AS age, '5370' || i / 40 % 10 AS zip, (ARRAY['flu', 'asthma', 'gout', 'cold', 'cancer', 'stroke', 'diabetes', 'HIV'])[1 + i * i % 113 % 8] AS disease FROM generate_series(1, 2000) i;
	SELECT kanon_declare('b.visits', quasi_identifiers => '{zip}', sensitive => '{disease}', identifiers => '{name}');
	SELECT kanon_create_dimension('b.ages', 'b.visits', 'age', 'ranges', '{5,10}');
	SELECT kanon_create_release('b.study', 'b.visits', 5, 'full_domain', levels => '{1,0}');
	INSERT INTO b.visits VALUES ('Bob', 33, '53703', 'HIV');
	SELECT kanon_refresh_release('b.study');
	INSERT INTO b.visits VALUES ('Ann', 21, '53707', 'gout'), ('Cora', 47, '53702', 'cancer');
	SELECT kanon_refresh_release('b.study');
	DELETE FROM b.visits WHERE name = 'n1';
	SELECT kanon_refresh_release('b.study');
	GRANT SELECT ON b.study TO mal});

# A row's number, as content_digest.h has it; modulo 2^256.
my $whole = Math::BigInt->new(2)->bpow(256);
sub row_number { return Math::BigInt->from_hex(unpack 'H*', scalar reverse sha256(map { pack('N', length) . $_ } @_)) }
sub sum_number { return Math::BigInt->from_hex(unpack 'H*', scalar reverse pack('H*', $_[0])) }

# mal reads today's rows and all digests, and looks for rows that make up the difference of two.
my %row_of = map { (row_number(split /\|/) => $_) } split /\n/, ask('mal', 'SELECT DISTINCT * FROM b.study');
cmp_ok(scalar keys %row_of, '>', 500, 'mal reads what is released');
my $digests = seen('mal', "WHERE release = 'b.study'::regclass", 'kanon_release_history');
my @sums = map { sum_number($_) } map { /^"([0-9a-f]{64})"$/ ? $1 : () } @{ $digests->{'kanon_release_history.digest'} || [] };
sub came
{
	my ($night) = @_;
	return 'nothing' if @sums <= $night;
	my $more = ($sums[$night] - $sums[ $night - 1 ]) % $whole;
	my $less = ($whole - $more) % $whole;
	return "$row_of{$more} came" if $row_of{$more};
	return "$row_of{$less} left" if $row_of{$less};
	my ($one) = grep { $row_of{ ($more - $_) % $whole } } sort keys %row_of;
	return $one ? join(' and ', sort $row_of{$one}, $row_of{ ($more - $one) % $whole }) . ' came' : 'nothing';
}
is(came(1), 'nothing', 'digests: who came');
is(came(2), 'nothing', 'digests: which two came');
is(came(3), 'nothing', 'digests: who left');

# ---- bounds of a dimension that mal may not read

quietly('bob', q{
	CREATE TABLE b.earners AS SELECT 20000.17 + i * 61.37 + i * i % 101 AS income, 'd' || i % 3 AS disease FROM generate_series(1, 1000) i;
	INSERT INTO b.earners VALUES (1234567.89, 'HIV');
	SELECT kanon_create_dimension('b.incomes', 'b.earners', 'income', 'quantiles', '{50,5}'), kanon_declare('b.earners', sensitive => '{disease}');
	SELECT kanon_create_release('b.earned', 'b.earners', 100, 'full_domain', levels => '{2}');
	GRANT SELECT ON b.earned TO mal});
my %published = map { $_ => 1 } ask('mal', 'SELECT DISTINCT income FROM b.earned') =~ /\d+\.\d+/g;
my %hidden = map { $_ => 1 } grep { !$published{$_} } split /\n/, sql('SELECT DISTINCT income FROM b.earners');
cmp_ok(scalar keys %hidden, '>', 900, 'incomes that are nowhere in the release');
unlike(runs('mal', 'SELECT income FROM b.incomes'), qr/^\d/m, '.. nor can mal read its dimension');
# steward may read nothing of bob's.
for my $role (qw(mal steward))
{
	my $seen = seen($role, '');
	my %found;
	for my $column (sort keys %$seen)
	{
		for my $income (grep { $hidden{$_} } join(' ', @{ $seen->{$column} }) =~ /\d+\.\d+/g) { $found{$column}{$income} = 1 }
	}
	is(join(', ', map { keys(%{ $found{$_} }) . " in $_" } sort keys %found), '', "bounds: exact incomes that $role finds in kanon's catalogs");
}

# ---- figures that count people who are left out

# One person is left out: under which label?  The list of all postal codes is known.
my $codes = q{SELECT zip, left(zip, 2) AS area, '*' AS top FROM (SELECT '5370' || 2 * i FROM generate_series(0, 4) i UNION ALL SELECT '6111' || 2 * i + 1 FROM generate_series(0, 2) i
	UNION ALL SELECT '9999' || i FROM generate_series(8, 9) i UNION ALL SELECT '88888' UNION ALL SELECT '7777' || i FROM generate_series(1, 4) i UNION ALL SELECT '6666' || i FROM generate_series(1, 5) i) z (zip)};
my $left_out = q{SELECT kanon_declare('%1$s', sensitive => '{disease}');
	SELECT kanon_set_attribute('%1$s', 'zip', 'quasi_identifier', '%2$s');
	SELECT kanon_create_release('%1$s_out', '%1$s', 5, 'full_domain', levels => '{1}', suppression => 0.1);};
quietly('bob', "CREATE TABLE b.codes AS $codes; CREATE TABLE b.settlers AS SELECT CASE WHEN i % 2 = 0 THEN '5370' || i % 10 ELSE '6111' || i % 6 END AS zip, 'd' || i % 4 AS disease FROM generate_series(1, 40) i;
	INSERT INTO b.settlers VALUES ('99998', 'secret');" . sprintf($left_out, 'b.settlers', 'b.codes') . 'GRANT SELECT ON b.settlers_out TO mal');
is(ask('mal', 'SELECT zip, count(*) FROM b.settlers_out GROUP BY zip ORDER BY zip'), "53|20\n61|20", 'mal reads what is released of forty people');

# mal invents somebody under each label, beside as many others as there are, and compares figures.
my @labels = qw(66 77 88 99);
quietly('mal', "CREATE TABLE m.codes AS $codes;" . join '', map { "CREATE TABLE m.of_$_ AS SELECT min(c.zip) AS zip, r.disease FROM (SELECT row_number() OVER () AS i, * FROM b.settlers_out) r JOIN m.codes c ON c.area = r.zip GROUP BY r.i, r.disease;
	INSERT INTO m.of_$_ SELECT min(zip), 'any' FROM m.codes WHERE area = '$_';" . sprintf($left_out, "m.of_$_", 'm.codes') } @labels);
for my $catalog (qw(kanon_release kanon_releases kanon_release_history))
{
	my $public = seen('mal', "WHERE release = 'b.settlers_out'::regclass", $catalog);
	my @fits = grep {
		my $mine = seen('mal', "WHERE release = 'm.of_${_}_out'::regclass", $catalog);
		!grep {
			my ($theirs, $own) = map { $_->[0] // '' } $public->{"$catalog.$_"}, $mine->{"$catalog.$_"};
			$theirs ne '' && $own ne '' && ($theirs =~ /^[\d.e-]+$/ ? abs($theirs - $own) > 1e-9 : $theirs ne $own);
		} qw(source_rows rows missing classes smallest people loss satisfied)
	} @labels;
	is("@fits", "@labels", "loss: where whoever is left out may live, by $catalog");
}

# ---- counts in plans

quietly('bob', q{
	CREATE TABLE b.patients AS SELECT i AS id, 20 + i % 20 AS age, 'd' || i % 7 AS disease FROM generate_series(1, 200) i;
	SELECT kanon_declare('b.patients', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}');
	SELECT kanon_create_release('b.nightly', 'b.patients', 5, 'cohorts', key => 'id', leavers => 'keep');
	SELECT kanon_refresh_release('b.nightly');
	GRANT SELECT ON b.nightly TO mal});
my %conditions = (kanon_cohort => [ 'true', 'k = 5' ], kanon_cohort_cell => [ 'true', 'NOT shown', 'failing' ], kanon_cohort_member => [ 'true', 'cell IS NULL', 'since = 3', 'cell IS NULL AND since = 3' ]);
# How many rows, of which relation, the plan has seen.
sub counts
{
	my ($table) = @_;
	my %found;
	for my $condition (@{ $conditions{$table} })
	{
		my $plan = ask('mal', "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) SELECT FROM $table WHERE $condition");
		$found{$_} = 1 for grep { $_ > 0 } $plan =~ /(?:actual rows=|Rows Removed by [A-Za-z ]+: |Heap Fetches: )([\d.]+)/g;
	}
	return join ' ', sort { $a <=> $b } keys %found;
}
my %before = map { $_ => counts($_) } sort keys %conditions;
is($before{$_}, '', "plans: EXPLAIN ANALYZE of $_ counts nothing") for sort keys %before;
quietly('bob', q{INSERT INTO b.patients VALUES (1001, 99, 'HIV'); SELECT kanon_refresh_release('b.nightly')});
unlike(ask('mal', 'SELECT n FROM b.nightly n'), qr/HIV/, 'somebody waits');
is(counts('kanon_cohort_member'), $before{kanon_cohort_member}, 'plans: they are the same when somebody waits');

# ---- cohorts with models: NULL tells what it hides

# A world is a text: for each night, parted by "/", a letter for each person: "f" is flu, "o" something
# else that nobody else has, "-" absent.  The reader cannot tell worlds apart that have the same
# copies.  Answers of how many people with flu, night by night, the reader is certain, and in how many
# worlds.  So that chance decides alike in all of them, they share the secret of their cohorts.
quietly('dba', q{
	CREATE FUNCTION public.same_secret(cohorts_of regclass) RETURNS void LANGUAGE sql SECURITY DEFINER AS $$ UPDATE kanon.kanon_cohort_state SET secret = sha256('secret') WHERE relation = cohorts_of $$});
quietly('mal', q{
	CREATE FUNCTION m.certain(worlds text[], kind text, k int, arguments text, OUT certain bigint, OUT in_worlds bigint) LANGUAGE plpgsql SET client_min_messages = error AS $$
	DECLARE
		flu text := CASE kind WHEN 'int' THEN '1' ELSE 'flu' END;
		copies text[];
		copy text;
		night text;
		seen text[] := '{}';
	BEGIN
		FOR w IN 1 .. cardinality(worlds) LOOP
			copies := '{}';
			BEGIN
				EXECUTE format('CREATE TABLE m.known (id int, age int, value %s)', kind);
				PERFORM kanon_declare('m.known', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{value}');
				EXECUTE format('SELECT kanon_create_release(''m.known_out'', ''m.known'', %s, ''cohorts'', key => ''id'', wait => 0, target_loss => 1, %s)', k, arguments);
				PERFORM public.same_secret('m.known');
				FOREACH night IN ARRAY string_to_array(worlds[w], '/') LOOP
					TRUNCATE m.known;
					EXECUTE format('INSERT INTO m.known SELECT i, 19 + i, (CASE c WHEN ''f'' THEN $1 ELSE (100 * i)::text END)::%s FROM string_to_table($2, NULL) WITH ORDINALITY p (c, i) WHERE c <> ''-''', kind) USING flu, night;
					PERFORM kanon_refresh_release('m.known_out');
					SELECT coalesce(string_agg(line, ' ' ORDER BY line), 'nobody') INTO copy
					FROM (SELECT concat(age, ' ', CASE WHEN value IS NULL THEN 'null' WHEN value::text = flu THEN 'f' ELSE 'o' END) AS line FROM m.known_out) r;
					copies := copies || copy;
				END LOOP;
				RAISE EXCEPTION USING ERRCODE = 'KA000';
			EXCEPTION WHEN SQLSTATE 'KA000' THEN
				seen := seen || array_to_string(copies, ' / ');
			END;
		END LOOP;
		WITH person AS (SELECT w, c, place, seen[w] AS alike FROM generate_subscripts(worlds, 1) w, string_to_table(worlds[w], NULL) WITH ORDINALITY p (c, place) WHERE c IN ('f', 'o')),
		known AS (SELECT w, max(c) OVER (PARTITION BY place, alike) = 'f' AS sure FROM person)
		SELECT count(*) FILTER (WHERE sure), count(DISTINCT w) FILTER (WHERE sure) INTO certain, in_worlds FROM known;
	END $$});

# All ways in which so many of the people have flu.
sub ways
{
	my ($people, $ill) = @_;
	return grep { tr/f// == $ill } map { my $w = $_; join '', map { ($w >> $_) & 1 ? 'f' : 'o' } 0 .. $people - 1 } 0 .. (1 << $people) - 1;
}
# Two nights each; before the second one those leave who have a "-" in the pattern.
sub leave
{
	my ($pattern, @worlds) = @_;
	return map { my $w = $_; "$w/" . join '', map { substr($pattern, $_, 1) eq '-' ? '-' : substr($w, $_, 1) } 0 .. length($w) - 1 } @worlds;
}
# Arguments that kanon refuses tell nothing.
sub certain
{
	my ($kind, $k, $arguments, $refusable, @worlds) = @_;
	my (undef, $out, $err) = as('mal', "SELECT certain, in_worlds FROM m.certain('{" . join(',', @worlds) . "}', '$kind', $k, \$\$$arguments\$\$)");
	my $refused = $out eq '' && $refusable && $err =~ /ERROR: +(?:22023|0A000): (.*)/ ? $1 : undef;
	die $err if $out eq '' && !defined $refused;
	my ($certain, $in) = split /\|/, $out;
	note("$arguments: ", defined $refused ? "refused, $refused" : "of $certain people certain, in $in of " . @worlds . ' worlds');
	return $certain // 0;
}

my $keep = q{leavers => 'keep', stale => 1, models =>};
is(certain('text', 2, "$keep 'distinct(value, 2)'", 0, leave('.....', ways(5, 2))), 0, 'models: nothing is certain as long as nobody leaves');
is(certain('text', 3, "$keep 'distinct(value, 2)'", 0, leave('---.....', ways(8, 3))), 0, 'models: three of eight leave');
is(certain('text', 2, "$keep 'entropy(value, 1.5)'", 0, leave('.-.-.', ways(5, 2))), 0, 'models: entropy, two of five leave');
is(certain('text', 2, "$keep 'recursive(value, 3, 2)'", 0, leave('..--.', ways(5, 2))), 0, 'models: recursive, two of five leave');
is(certain('int', 2, "$keep 'variance(value, 100)'", 0, leave('-...-', ways(5, 2))), 0, 'models: variance, two of five leave');
is(certain('text', 2, q{leavers => 'withhold', models => 'distinct(value, 2)'}, 0, leave('...-.', ways(5, 2))), 0, 'models: one of five leaves, and another row is hidden with that one');

# Values are read again; no more than one person's is another one than the night before.
my @changing = map {
	my $w = $_;
	("$w/$w", map { my $v = $w; substr($v, $_, 1) = substr($w, $_, 1) eq 'f' ? 'o' : 'f'; "$w/$v" } 0 .. 3)
} map { ways(4, $_) } 0 .. 3;
is(certain('text', 4, "reading => 'together', $keep 'distinct(value, 2)'", 1, @changing), 0, 'models: values that are read together, or a refusal of that');

# ---- who is hidden with somebody who leaves

# Of forty people somebody leaves, so that nine more are hidden: not always those of the same age.
my @hidden;
for my $table (1 .. 3)
{
	quietly('bob', qq{
		CREATE TABLE b.forty_$table AS SELECT i AS id, 19 + i AS age, 'd' || i AS disease FROM generate_series(1, 40) i;
		SELECT kanon_declare('b.forty_$table', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}');
		SELECT kanon_create_release('b.forty_out_$table', 'b.forty_$table', 10, 'cohorts', key => 'id', leavers => 'withhold', wait => 0, target_loss => 1);
		DELETE FROM b.forty_$table WHERE age = 50;
		SELECT kanon_refresh_release('b.forty_out_$table')});
	push @hidden, sql("SELECT coalesce(string_agg(age::text, ' ' ORDER BY age), 'nobody') FROM b.forty_$table WHERE disease NOT IN (SELECT disease FROM b.forty_out_$table)");
}
isnt($hidden[0], 'nobody', 'who is left is hidden with one who leaves');
ok($hidden[0] ne $hidden[1] || $hidden[0] ne $hidden[2], 'bias: not always the same ones') or note "always those of $hidden[0]";

# ---- the order of rows

# The same people in other orders, under limits that barely suffice: always the same release, or
# always the same error.
quietly('bob', q{
	CREATE FUNCTION b.orders(partitioning text, memory int, orders int) RETURNS SETOF text LANGUAGE plpgsql SET client_min_messages = error AS $$
	BEGIN
		PERFORM set_config('kanon.partitioning', partitioning, true), set_config('kanon.memory_limit', memory || 'kB', true);
		FOR o IN 1 .. orders LOOP
			CREATE TABLE b.shuffled AS SELECT i AS id, 20000 + i * 7919 % 14009 * 0.37 AS income, 'd' || i AS disease FROM generate_series(1, 14000) i ORDER BY md5(i::text || o);
			PERFORM kanon_declare('b.shuffled', quasi_identifiers => '{income}', sensitive => '{disease}', identifiers => '{id}');
			BEGIN
				PERFORM kanon_create_release('b.shuffled_out', 'b.shuffled', 50);
				RETURN NEXT kanon_digest('b.shuffled_out');
			EXCEPTION WHEN program_limit_exceeded THEN
				RETURN NEXT SQLSTATE;
			END;
			DROP TABLE b.shuffled CASCADE;
		END LOOP;
	END $$});
for my $partitioning (qw(sample tree))
{
	my @differ = grep { sql("SELECT count(DISTINCT o) FROM b.orders('$partitioning', $_, 5) o") > 1 } map { 1200 + 200 * $_ } 0 .. 5;
	is("@differ", '', "order: limits, in kB, at which partitioning = $partitioning goes by the order of rows");
}

unlike(slurp_file($node->logfile), qr/was terminated by signal|PANIC|TRAP:/, 'the server stood');
$node->stop;
done_testing();
