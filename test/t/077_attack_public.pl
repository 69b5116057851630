# What is public names nobody: digests, bounds, losses and counts, by kanon's views and plans; and who
# sees which column, as docs/rights.md has it.
#
# The attacker (mal) may read one release and knows kanon.  Where mal needs to know what a release
# would say of other people, mal makes releases of people whom mal invents.
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

my $node = attack_node('attack_public');
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
	SELECT kanon_create_release('b.study', 'b.visits', 5, 'full_domain', options => '{"levels": [1, 0]}');
	INSERT INTO b.visits VALUES ('Bob', 33, '53703', 'HIV');
	SELECT kanon_refresh_release('b.study');
	INSERT INTO b.visits VALUES ('Ann', 21, '53707', 'gout'), ('Cora', 47, '53702', 'cancer');
	SELECT kanon_refresh_release('b.study');
	DELETE FROM b.visits WHERE name = 'n1';
	SELECT kanon_refresh_release('b.study');
	GRANT SELECT ON b.study TO mal});

# A row's number, as content_tally.h has it; modulo 2^256.
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
	SELECT kanon_create_release('b.earned', 'b.earners', 100, 'full_domain', options => '{"levels": [2]}');
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
	SELECT kanon_create_release('%1$s_out', '%1$s', 5, 'full_domain', options => '{"levels": [1]}', suppression => 0.1);};
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
	SELECT kanon_create_release('b.nightly', 'b.patients', 5, 'cohorts', options => '{"key": "id", "leavers": "keep"}');
	SELECT kanon_refresh_release('b.nightly');
	GRANT SELECT ON b.nightly TO mal});
my %conditions = (kanon_cohort => [ 'true', 'k = 5' ], kanon_release_history => [ 'true', q{how = 'created'} ], kanon_copy => [ 'true', 'k = 5' ]);
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
is($before{$_}, '', "plans: EXPLAIN ANALYZE of $_ counts nothing") for qw(kanon_cohort kanon_copy);
quietly('bob', q{INSERT INTO b.patients VALUES (1001, 99, 'HIV'); SELECT kanon_refresh_release('b.nightly')});
unlike(ask('mal', 'SELECT n FROM b.nightly n'), qr/HIV/, 'somebody waits');
is(counts($_), $before{$_}, "plans: $_ is the same when somebody waits") for sort keys %before;
like(runs('mal', "EXPLAIN ANALYZE SELECT FROM $_"), qr/42501/, "plans: $_ has none for mal") for qw(kanon_cohort_state kanon_cohort_cell kanon_cohort_member kanon_release_history_state kanon_seed);

# The same by what reads them for the texts of releases.
my $number = sql(q{SELECT number FROM kanon.kanon_cohort_state WHERE name = 'b.patients'});
is(join(' ', map { runs('mal', "SELECT count(*) FROM $_($number)") =~ /42501/ ? () : $_ } qw(kanon_view_cohort_cells kanon_view_cohort_members)), '', 'plans: the functions that read them are for owners');

# ---- each column, to whom docs/rights.md says it is shown

# One of each kind of entry, with figures in every column.  reader may read the release, and has no
# other right; anybody may connect.
quietly('dba', 'CREATE ROLE reader LOGIN; CREATE ROLE anybody LOGIN; GRANT USAGE ON SCHEMA b TO reader, anybody');
quietly('bob', q{
	CREATE TABLE b.walked AS SELECT i AS id, i % 50 AS person, 20 + i * 7 % 40 AS age, 20000.17 + i * 61.37 AS income, 'd' || i % 3 AS disease FROM generate_series(1, 200) i;
	SELECT kanon_create_dimension('b.walked_incomes', 'b.walked', 'income', 'quantiles', '{8,2}');
	SELECT kanon_declare('b.walked', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}', insensitive => '{person}');
	SELECT kanon_create_release('b.walk', 'b.walked', 3, 'full_domain', person => 'person', suppression => 0.9, models => 'distinct(disease, 2)', options => '{"storage": "table"}');
	SELECT kanon_copy_release('b.walk', 'b.walk_copy', 'id');
	SELECT kanon_create_release('b.walk_nightly', 'b.walked', 5, 'cohorts', options => '{"key": "id", "leavers": "keep"}', quasi_identifiers => '{age}');
	SELECT kanon_refresh_release('b.walk_nightly');
	REVOKE ALL ON b.walk FROM PUBLIC; GRANT SELECT ON b.walk TO reader});
# What no call makes at will: a failure, a table that Citus dropped.
quietly('dba', q{
	INSERT INTO kanon_release_history_state (release, name, relation, owner, how, filled, filled_by, kanon, postgresql, error) VALUES ('b.walk', 'b.walk', 'b.walked', 'bob', 'failed', now(), 'bob', '1', '1', 'value 17');
	INSERT INTO kanon_lost_state VALUES ('b.lost', 'kanon_release', 'b.walked', '{"missing": 17}', now())});

my ($page) = grep { -f $_ } map { "$FindBin::RealBin/$_" } '../../docs/rights.md', '../../../docs/rights.md';
SKIP:
{
	skip 'docs/rights.md is not here', 1 unless $page;
	my ($rows) = slurp_file($page) =~ /^\| view \| everybody \|.*\n\|[- |]+\n((?:\|.*\n)+)/m;
	# "view.column" => the first of (anybody, reader, owner) who sees it.
	my %shown;
	for my $row (split /\n/, $rows)
	{
		my (undef, $view, @cells) = split /\s*\|\s*/, $row, -1;
		$view =~ tr/`//d;
		# That a release is unfilled is no figure.
		$cells[0] =~ s/, and that `state` is `unfilled`//;
		$cells[0] =~ s/, of your own.*//;
		for my $i (0 .. 2) { $shown{"$view.$_"} = (qw(anybody reader bob))[$i] for $cells[$i] =~ /`(\w+)`/g }
	}
	my @columns = map { my $relation = $_; map { "$relation.$_" } split / /, $columns{$relation} } sort keys %columns;
	my %tables = map { $_ => 1 } split /\n/, sql(q{SELECT c.relname FROM pg_class c JOIN pg_depend d ON d.objid = c.oid AND d.deptype = 'e' WHERE c.relkind IN ('r', 'S') AND c.relname ~ '^kanon' AND c.relname <> 'kanon_attribute'});
	cmp_ok(scalar keys %tables, '>=', 11, 'kanon has tables and sequences');
	is(sql(q{SELECT string_agg(c.relname || coalesce(' ' || a.attname, ''), ', ') FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.relname IN (} . join(', ', map { "'$_'" } sort keys %tables)
		  . q!) AND (c.relacl::text ~ '[{,]=' OR a.attacl IS NOT NULL OR c.relrowsecurity)!), '', 'nobody was granted anything of them');
	is(join(' ', grep { !$tables{ (split /\./)[0] } && !$shown{$_} } @columns), '', 'docs/rights.md names each column of each view');
	is(join(' ', grep { my $column = $_; !grep { $_ eq $column } @columns } sort keys %shown), '', '.. and no others');

	# Each as each of the three: a value, or none.  Entries of bob's alone.
	my %mine = (kanon_attribute => q{relation = 'b.walked'::regclass AND attribute = 'income'}, kanon_dimension => q{dimension = 'b.walked_incomes'::regclass}, kanon_release => q{release = 'b.walk'::regclass}, kanon_releases => q{release = 'b.walk'::regclass},
		kanon_release_history => q{name = 'b.walk'}, kanon_cohort => q{name = 'b.walked'}, kanon_copy => q{copy = 'b.walk_copy'::regclass}, kanon_lost => q{name = 'b.lost'}, kanon_progress => 'true');
	my (@wrong, @never);
	for my $column (sort keys %shown)
	{
		my ($view, $name) = split /\./, $column;
		next if $view eq 'kanon_progress';
		my %sees = map { $_ => sql("SET ROLE $_; SET search_path = kanon; SELECT count($name) > 0 FROM $view WHERE $mine{$view}") eq 't' } qw(anybody reader bob);
		my %may = (anybody => { anybody => 1, reader => 1, bob => 1 }, reader => { reader => 1, bob => 1 }, bob => { bob => 1 });
		for my $role (qw(anybody reader))
		{
			push @wrong, "$role " . ($sees{$role} ? 'sees' : 'does not see') . " $column" if $sees{$role} != ($may{ $shown{$column} }{$role} // 0);
		}
		push @never, $column unless $sees{bob};
	}
	is(join(', ', @wrong), '', 'each column is shown as docs/rights.md says');
	# A full-domain release of a table that kanon made has all but what is NULL by its nature.
	is(join(' ', @never), '', '.. and its owner sees all of them');
}

# Secrets and entries of dropped tables are for nobody, not even by the function behind the views.
is(sql("SET ROLE bob; SET search_path = kanon; SELECT count(secret), count(*) > 0 FROM kanon_view_entries(NULL::kanon_cohort_state)"), '0|t', 'owners do not see the secrets of cohorts');
is(sql("SET ROLE bob; SET search_path = kanon; SELECT count(secret), count(*) > 0 FROM kanon_view_entries(NULL::kanon_copy_state)"), '0|t', '.. nor of copies');
is(sql("SET search_path = kanon; SELECT count(entry), count(*) > 0 FROM kanon_view_entries(NULL::kanon_lost_state)"), '0|t', '.. and nobody the entries of dropped tables');
is(join(' ', map { runs('anybody', "SELECT * FROM kanon_view_entries(NULL::$_)") =~ /42809/ ? () : $_ } qw(int text text[] kanon_seed kanon_cohort_member kanon_cohort_cell kanon_release pg_class)), '', 'the function is for tables that have views');

# What a reader is shown is what a reader can count.
for my $recoding (qw(mondrian relaxed_mondrian full_domain))
{
	quietly('bob', "SELECT kanon_create_release('b.counted_$recoding', 'b.walked', 4, '$recoding', quasi_identifiers => '{age,income}'); GRANT SELECT ON b.counted_$recoding TO reader; DELETE FROM b.walked WHERE id = 7");
	is(sql("SET ROLE reader; SET search_path = kanon; SELECT rows, classes, smallest FROM kanon_release WHERE release = 'b.counted_$recoding'::regclass"),
		sql("SET ROLE reader; SELECT sum(n), count(*), min(n) FROM (SELECT count(*) AS n FROM b.counted_$recoding GROUP BY age, income) c"), "$recoding: rows, classes and smallest are those of the release");
}

# With the grants of docs/operations.md a reader checks the release, and learns no more.
my ($grants) = slurp_file($page =~ s/rights/operations/r) =~ /(GRANT USAGE ON SCHEMA kanon TO [^;]*reader;)/;
quietly('dba', 'REVOKE USAGE ON SCHEMA kanon FROM PUBLIC; ' . $grants);
is(sql("SET ROLE reader; SELECT satisfied, rows FROM kanon.kanon_check('b.walk', 2)"), 't|' . sql('SELECT count(*) FROM b.walk'), 'a reader checks a release with the grants of docs/operations.md');
like((as('anybody', "SELECT kanon.kanon_check('b.walk', 2)"))[2], qr/permission denied for schema kanon/, '.. without them, nobody does');

unlike(slurp_file($node->logfile), qr/was terminated by signal|PANIC|TRAP:/, 'the server stood');
$node->stop;
done_testing();
