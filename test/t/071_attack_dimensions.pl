# Attacks by whoever owns a dimension, a part of one or a taxonomy that others' relations are
# declared with: what the planner would run, added before a call, while it waits for a lock, and in
# a loop beside it.  And that legitimate dimensions serve.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Attack;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = attack_node('attack_dimensions');
my $server = $node->safe_psql('postgres', 'SHOW server_version_num');

# ---- relations of a superuser and of bob, whose dimensions are mal's

quietly('mal', q{
	CREATE TABLE m.zips (zip text, zip3 text, top text); INSERT INTO m.zips SELECT '5370' || i, '537', '*' FROM generate_series(0, 9) i;
	CREATE TABLE m.wards (ward text, floor text, top text); INSERT INTO m.wards SELECT 'w' || i, 'f', '*' FROM generate_series(0, 3) i;
	CREATE TABLE m.parted (zip text, zip3 text, top text) PARTITION BY LIST (zip);
	CREATE TABLE m.part PARTITION OF m.parted DEFAULT; INSERT INTO m.parted SELECT * FROM m.zips;
	CREATE TABLE m.parent (ward text, floor text, top text); CREATE TABLE m.child () INHERITS (m.parent); INSERT INTO m.child SELECT * FROM m.wards;
	CREATE TABLE m.zips3 AS SELECT * FROM m.zips; CREATE TABLE m.zips4 AS SELECT * FROM m.zips; CREATE TABLE m.wards3 AS SELECT * FROM m.wards;
	CREATE TABLE m.people AS SELECT i AS id, '5370' || i % 10 AS zip FROM generate_series(1, 900) i;
	CREATE TABLE m.taxonomy AS SELECT 'd' || i AS child, 'ill' AS parent FROM generate_series(0, 4) i;
	GRANT SELECT ON ALL TABLES IN SCHEMA m TO PUBLIC});
my $patients = q{SELECT i AS id, 20 + i % 3 AS age, '5370' || i % 10 AS zip, 'w' || i % 3 AS ward, 'd' || i % 5 AS disease FROM generate_series(1, 400) i};
# Declared while mal is trusted, or by a version that trusted anybody.
trust('mal');
my @recodings = ([ 'f', "'full_domain', options => '{\"levels\": [0, 1, 1]}'" ], [ 'm', "'mondrian'" ], [ 'r', "'ring'" ], [ 't', "'two_phase'" ],
	[ 'x', "'relaxed_mondrian'" ], [ 'c', "'cohorts', options => '{\"key\": \"id\", \"leavers\": \"keep\"}'" ]);
for my $owner ([ 'dba', 'd' ], [ 'bob', 'b' ])
{
	my ($role, $schema) = @$owner;
	for my $kind ([ 'plain', 'm.zips', 'm.wards' ], [ 'parts', 'm.parted', 'm.parent' ], [ 'changed', 'm.zips3', 'm.wards3' ],
		[ 'bare', 'm.zips4', 'm.wards' ])
	{
		my ($name, $zips, $wards) = @$kind;
		quietly($role, qq{
			CREATE TABLE $schema.$name AS $patients;
			SELECT kanon.kanon_declare('$schema.$name', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}');
			SELECT kanon.kanon_set_attribute('$schema.$name', 'zip', 'quasi_identifier', '$zips');
			SELECT kanon.kanon_set_attribute('$schema.$name', 'ward', 'quasi_identifier', '$wards')});
		quietly($role, "SELECT kanon.kanon_create_release('$schema.${name}_$_->[0]', '$schema.$name', 5, $_->[1])")
		  for grep { $name ne 'bare' && ($name ne 'changed' || $_->[0] =~ /[mrtx]/) } @recodings;
	}
}
quietly('dba', q{GRANT USAGE ON SCHEMA d, b TO PUBLIC; GRANT SELECT ON ALL TABLES IN SCHEMA d, b TO steward});
trust();

# What reads the dimensions of a relation.
sub calls
{
	my ($schema, $name) = @_;
	my $relation = "$schema.$name";
	return (
		(map { "REFRESH MATERIALIZED VIEW ${relation}_$_->[0]" } @recodings),
		(map { "SELECT rows FROM kanon.kanon_refresh_release('${relation}_$_->[0]')" } @recodings),
		"SELECT rows FROM kanon.kanon_refresh_release('${relation}_f', \"concurrently\" => true)",
		"SELECT rows FROM kanon.kanon_refresh_release('${relation}_f', search => true)",
		"REFRESH MATERIALIZED VIEW ${relation}_f WITH NO DATA; REFRESH MATERIALIZED VIEW ${relation}_f",
		"CALL kanon.kanon_refresh_releases('${relation}%')",
		"SELECT count(*) FROM kanon.kanon_incognito('$relation', 3)", "SET kanon.ground_scan = stream; SELECT count(*) FROM kanon.kanon_incognito('$relation', 3)",
		"SET kanon.ground_scan = group_by; SELECT count(*) FROM kanon.kanon_bottom_up('$relation', 3)",
		"SELECT length(kanon.kanon_generalized_query('$relation', '{0,1,1}', 3))",
		"SET constraint_exclusion = on; REFRESH MATERIALIZED VIEW ${relation}_f", "SET constraint_exclusion = on; SELECT count(*) FROM kanon.kanon_datafly('$relation', 3)",
		"SELECT length(kanon.kanon_report('${relation}_m'))", "SELECT satisfied FROM kanon.kanon_check_matchings('${relation}_r')",
		"SELECT rows FROM kanon.kanon_quality('${relation}_f')", "SELECT count(*) FROM kanon.kanon_compare('$relation', '{5}')",
		"SELECT kanon.kanon_matching_bound('$relation', 3)", "SELECT length(kanon.kanon_plot('tradeoff', '$relation', '{5}'))",
		"SELECT kanon.kanon_replace_release('${relation}_f', k => 6)",
		"SELECT kanon.kanon_create_release('$schema.new', '$relation', 5, 'full_domain'); DROP MATERIALIZED VIEW IF EXISTS $schema.new",
		"SELECT kanon.kanon_create_release('$schema.new', '$relation', 5); DROP MATERIALIZED VIEW IF EXISTS $schema.new",
		"SELECT count(*) FROM kanon.kanon_check_dimension('m.zips', '$relation', 'zip')",
		"SELECT kanon.kanon_create_dimension('$schema.ills', '$relation', 'disease', 'taxonomy', '{m.taxonomy}'); DROP TABLE IF EXISTS $schema.ills",
		"SELECT count(r) FROM (SELECT kanon.kanon_ring(3, p, '{zip}', '{m.zips}') OVER () AS r FROM $relation p) q",
		"SELECT count(r) FROM (SELECT kanon.kanon_two_phase(3, p, '{zip}', '{m.zips}') OVER () AS r FROM $relation p) q",
		"SELECT count(r) FROM (SELECT kanon.kanon_view_cells('mondrian', 3, p, '{zip}', '{m.zips}') OVER () AS r FROM $relation p) q",
		"SELECT count(r) FROM (SELECT kanon.kanon_view_satisfies(3, p, 'age', '{\"closeness(zip, 0.9)\"}', model_dimensions => '{m.zips}') OVER () AS r FROM $relation p) q",
		"SELECT population_uniques FROM kanon.kanon_risk('$relation', '{zip}', 'm.people')",
		"SELECT kanon.kanon_set_attribute('$relation', 'zip', 'quasi_identifier', 'm.zips')");
}

# ---- traps that lie there before the call

# On a table: [ name, what sets it, what clears it ].
sub traps
{
	my ($table, $column) = @_;
	return (
		[ 'an index', "CREATE INDEX trap ON $table (m.calm('index'))", 'DROP INDEX m.trap' ],
		[ 'a partial index', "CREATE INDEX trap ON $table ($column) WHERE m.calm('predicate') = 'predicate'", 'DROP INDEX m.trap' ],
		[ 'statistics', "CREATE STATISTICS m.trap ON m.calm('statistics'), ($column || '') FROM $table; ANALYZE $table", 'DROP STATISTICS m.trap' ],
		[ 'a constraint', "ALTER TABLE $table ADD CONSTRAINT trap CHECK (m.calm('check') <> '' AND m.calm($column) <> '')", "ALTER TABLE $table DROP CONSTRAINT trap" ],
		[ 'a policy', "CREATE POLICY trap ON $table USING (m.spy('policy')); ALTER TABLE $table ENABLE ROW LEVEL SECURITY; ALTER TABLE $table FORCE ROW LEVEL SECURITY",
			"ALTER TABLE $table NO FORCE ROW LEVEL SECURITY; ALTER TABLE $table DISABLE ROW LEVEL SECURITY; DROP POLICY trap ON $table" ],
		[ 'a trigger', "CREATE TRIGGER trap BEFORE INSERT ON $table FOR EACH STATEMENT EXECUTE FUNCTION m.trap()", "DROP TRIGGER trap ON $table" ]);
}

quietly('mal', q{
	CREATE FUNCTION m.trap() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM m.spy('trigger'); RETURN NEW; END $$;
	CREATE FUNCTION m.fine(text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN m.spy('check of domain'); END $$;
	CREATE DOMAIN m.word AS text CHECK (m.fine(VALUE));
	CREATE TYPE m.boxed AS (z text);
	CREATE FUNCTION m.unbox(m.boxed) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM m.spy('cast of row'); RETURN $1.z; END $$;
	CREATE CAST (m.boxed AS text) WITH FUNCTION m.unbox(m.boxed);
	CREATE VIEW m.seen_zips AS SELECT * FROM m.zips WHERE m.spy('view');
	GRANT SELECT ON m.seen_zips TO PUBLIC});

# A superuser and a reader.
sub walk
{
	my ($what, $schema, $name, @calls) = @_;
	@calls = calls($schema, $name) unless @calls;
	harmless_all('dba', \@calls, "$what: a superuser's calls on $schema.$name");
	return if $schema eq 'd';
	harmless_all('steward', [ grep { !/REFRESH|refresh|replace|create|set_attribute|report/ } @calls ], "$what: a reader's calls on $schema.$name");
}

walk('no trap', 'd', 'plain');
for my $table ([ 'm.zips', 'zip', 'plain' ], [ 'm.wards', 'ward', 'plain' ], [ 'm.part', 'zip', 'parts' ], [ 'm.child', 'ward', 'parts' ], [ 'm.parted', 'zip', 'parts' ],
	[ 'm.people', 'zip', 'plain' ], [ 'm.taxonomy', 'child', 'plain' ])
{
	for my $trap (traps(@$table))
	{
		my ($what, $set, $clear) = @$trap;
		# No index on nothing but a constant for a partitioned table's parts to inherit, and the like.
		my ($status, undef, $err) = as('mal', $set);
		next if $err =~ /ERROR/;
		my @few = (grep { /REFRESH .*_[fm]$|group_by|stream|check_dimension|risk|_ring\(|view_|report|taxonomy/ } calls('b', $table->[2]));
		walk("$what on $table->[0]", 'b', $table->[2], @few);
		@few = (grep { /REFRESH .*_[fr]$|stream/ } calls('d', $table->[2]));
		walk("$what on $table->[0]", 'd', $table->[2], @few);
		quietly('mal', $clear);
	}
}

# The whole list once, with an index and statistics that no check sees coming.
quietly('mal', q{CREATE INDEX trap ON m.zips (m.calm('index')); CREATE STATISTICS m.traps ON m.calm('statistics'), (ward || '') FROM m.wards});
walk('index and statistics', 'b', 'plain');
quietly('mal', 'DROP INDEX m.trap; DROP STATISTICS m.traps');

# Columns of other types, a view in the place of a table, a parent above it: where PostgreSQL lets.
for my $change (
	[ 'a domain', 'ALTER TABLE m.zips4 ALTER zip TYPE m.word, ALTER zip3 TYPE m.word', 'ALTER TABLE m.zips4 ALTER zip TYPE text, ALTER zip3 TYPE text' ],
	[ 'a composite type', 'ALTER TABLE m.zips4 ALTER zip TYPE m.boxed USING row(zip)::m.boxed', 'ALTER TABLE m.zips4 ALTER zip TYPE text USING (zip).z' ],
	[ 'a partition by code', q{CREATE TABLE m.above (zip text, zip3 text, top text) PARTITION BY RANGE ((m.calm('key') || m.calm(zip)));
		ALTER TABLE m.above ATTACH PARTITION m.zips3 DEFAULT}, 'ALTER TABLE m.above DETACH PARTITION m.zips3; DROP TABLE m.above' ],
	[ 'a child', q{CREATE TABLE m.above (zip text, zip3 text, top text, CONSTRAINT trap CHECK (m.calm('parent') <> ''));
		ALTER TABLE m.zips3 ADD CONSTRAINT trap CHECK (m.calm('parent') <> ''); ALTER TABLE m.zips3 INHERIT m.above},
		'ALTER TABLE m.zips3 NO INHERIT m.above; DROP TABLE m.above; ALTER TABLE m.zips3 DROP CONSTRAINT trap' ],
	# Before 16, an empty table without indexes can become a view.
	[ 'a view by a rule', q{CREATE TABLE m.kept AS SELECT * FROM m.wards3; TRUNCATE m.wards3;
		CREATE RULE "_RETURN" AS ON SELECT TO m.wards3 DO INSTEAD SELECT ward, floor, top FROM m.kept WHERE m.spy('rule')}, undef ])
{
	my ($what, $set, $clear) = @$change;
	my ($status, undef, $err) = as('mal', $set);
	note("$what: $err") if $err;
	ran();
	my ($name, $zips) = $set =~ /zips4/ ? ('bare', 'm.zips4') : ('changed', 'm.zips3');
	walk("now $what", 'b', $name, map { s/m\.zips/$zips/r } grep { /REFRESH .*_[mrt]$|stream|report|check_matchings|create_release|_ring\(|view_|check_dimension/ } calls('b', $name));
	runs('mal', $clear) if $clear;
}
is(sql(q{SELECT relkind FROM pg_class WHERE oid = 'm.wards3'::regclass}), $server < 160000 ? 'v' : 'r', 'a table became a view where it can');

# ---- traps that are laid while a call waits for a lock, and in a loop

# Dimensions of their own, which are still tables.
quietly('mal', q{
	CREATE TABLE m.zips2 (zip text, zip3 text, top text); INSERT INTO m.zips2 SELECT '5370' || i, '537', '*' FROM generate_series(0, 9) i;
	CREATE TABLE m.wards2 AS SELECT * FROM m.wards; GRANT SELECT ON m.zips2, m.wards2 TO PUBLIC});
trust('mal');
quietly('dba', qq{
	CREATE TABLE d.race AS $patients;
	SELECT kanon.kanon_declare('d.race', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}');
	SELECT kanon.kanon_set_attribute('d.race', 'zip', 'quasi_identifier', 'm.zips2'), kanon.kanon_set_attribute('d.race', 'ward', 'quasi_identifier', 'm.wards2')});
quietly('dba', "SELECT kanon.kanon_create_release('d.race_$_->[0]', 'd.race', 5, $_->[1])") for @recodings;
quietly('dba', 'GRANT SELECT ON ALL TABLES IN SCHEMA d TO mal');
trust();

# A call waits for one table, or for the release; code comes to the other.
sub wait_and_lay
{
	my ($call, $hold, $lay, $clear) = @_;
	gate_shut();
	ran();
	my $holder = beside('mal', 'BEGIN', $hold, gate_wait(), 'COMMIT');
	until_holds($holder) or diag('nobody holds a lock');
	my $caller = beside('dba', $call);
	until_waits($caller) or note("nobody waited: $call");
	runs('mal', "SET lock_timeout = '1s'; SET constraint_exclusion = off; $lay");
	gate_open();
	my $said = finish($holder) . finish($caller);
	note($said =~ /(ERROR: .*)/ ? $1 : 'no error');
	sound("laid while it waits ($hold; $lay): $call");
	runs('mal', $clear);
}

for my $call ((map { "REFRESH MATERIALIZED VIEW d.race_$_->[0]" } @recodings), "SELECT count(*) FROM kanon.kanon_incognito('d.race', 3)",
	"SELECT kanon.kanon_create_release('d.new', 'd.race', 5, 'full_domain', options => '{\"levels\": [0, 1, 1]}')",
	"SELECT rows FROM kanon.kanon_refresh_release('d.race_f', \"concurrently\" => true)", "SELECT length(kanon.kanon_report('d.race_m'))",
	"CALL kanon.kanon_refresh_releases('d.race%')")
{
	for my $tables ([ 'm.wards2', 'm.zips2', 'zip' ], [ 'm.zips2', 'm.wards2', 'ward' ])
	{
		my ($held, $laid, $column) = @$tables;
		wait_and_lay($call, "LOCK TABLE $held IN ACCESS EXCLUSIVE MODE", "CREATE INDEX trap ON $laid (m.calm('index'))", 'DROP INDEX IF EXISTS m.trap');
		wait_and_lay($call, "LOCK TABLE $held IN ACCESS EXCLUSIVE MODE", "CREATE STATISTICS m.trap ON m.calm('statistics'), ($column || '') FROM $laid",
			'DROP STATISTICS IF EXISTS m.trap');
	}
	quietly('dba', 'DROP MATERIALIZED VIEW IF EXISTS d.new');
}
# A reader of the release delays its REFRESH.
for my $recoding (@recodings)
{
	wait_and_lay("REFRESH MATERIALIZED VIEW d.race_$recoding->[0]", "SELECT count(*) FROM d.race_$recoding->[0]",
		"CREATE INDEX trap ON m.zips2 (m.calm('index'))", 'DROP INDEX IF EXISTS m.trap');
}

# A loop.
my @loop = map {
	(   q{CREATE INDEX trap ON m.zips2 (m.calm('loop'))}, q{CREATE STATISTICS m.trap ON m.calm('loop'), (ward || '') FROM m.wards2},
		'DROP INDEX m.trap', 'DROP STATISTICS m.trap')
} 1 .. 60;
for my $calls (
	[ map { "SELECT count(*) FROM kanon.kanon_incognito('d.race', 3)" } 1 .. 40 ],
	[ map { "REFRESH MATERIALIZED VIEW d.race_f; REFRESH MATERIALIZED VIEW d.race_m" } 1 .. 20 ])
{
	ran();
	my @sessions = (beside('mal', @loop), beside('dba', @$calls));
	finish($_) for @sessions;
	sound("a loop of DDL beside $calls->[0]");
	runs('mal', 'DROP INDEX IF EXISTS m.trap; DROP STATISTICS IF EXISTS m.trap');
}

# The dimension changes hands: before a call, and while one waits.
quietly('dba', qq{
	CREATE TABLE d.zips AS SELECT * FROM m.zips2;
	CREATE TABLE d.given AS $patients;
	SELECT kanon.kanon_declare('d.given', quasi_identifiers => '{age}', sensitive => '{disease}');
	SELECT kanon.kanon_set_attribute('d.given', 'zip', 'quasi_identifier', 'd.zips');
	SELECT kanon.kanon_create_release('d.given_f', 'd.given', 5, 'full_domain', options => '{"levels": [0, 1]}');
	SELECT kanon.kanon_create_release('d.given_m', 'd.given', 5);
	GRANT CREATE ON SCHEMA d TO mal});
for my $call ('REFRESH MATERIALIZED VIEW d.given_f', 'REFRESH MATERIALIZED VIEW d.given_m', "SELECT count(*) FROM kanon.kanon_incognito('d.given', 3)")
{
	my @give = ('ALTER TABLE d.zips OWNER TO mal', 'SET SESSION AUTHORIZATION mal', q{CREATE INDEX trap ON d.zips (m.calm('given'))}, 'RESET SESSION AUTHORIZATION');
	meet("the dimension is given away while this waits: $call", 'dba', \@give, 'dba', $call);
	like(harmless('dba', $call, "the dimension is mal's: $call"), qr/42501/, '.. which is refused');
	quietly('dba', 'DROP INDEX d.trap; ALTER TABLE d.zips OWNER TO dba');
	unlike(runs('dba', $call), qr/ERROR/, '.. until it is given back');
}
# A part of it alone.
quietly('dba', q{CREATE TABLE d.zips_part () INHERITS (d.zips); ALTER TABLE d.zips_part OWNER TO mal});
quietly('mal', q{CREATE INDEX trap ON d.zips_part (m.calm('part')); ALTER TABLE d.zips_part ADD CHECK (m.calm('part') <> '')});
like(harmless('dba', $_, "a part is mal's: $_"), qr/42501/, '.. which is refused')
  for 'REFRESH MATERIALIZED VIEW d.given_f', 'REFRESH MATERIALIZED VIEW d.given_m', "SELECT count(*) FROM kanon.kanon_incognito('d.given', 3)";
quietly('dba', 'DROP TABLE d.zips_part');

# ---- what is refused from the start

like(harmless('dba', "SELECT kanon.kanon_set_attribute('d.given', 'ward', 'quasi_identifier', 'm.wards2')", 'declaring a stranger\'s dimension'), qr/42501/, '.. is refused');
like(harmless('dba', "SELECT kanon.kanon_create_dimension('d.ills', 'd.given', 'disease', 'taxonomy', '{m.taxonomy}')", 'a stranger\'s taxonomy'), qr/42501/, '.. is refused');
like(harmless('dba', "SELECT rows FROM kanon.kanon_risk('d.given', '{zip}', 'm.people')", 'a stranger\'s population'), qr/42501/, '.. is refused');
like(harmless('dba', "SELECT kanon.kanon_set_attribute('d.given', 'ward', 'quasi_identifier', 'm.seen_zips')", 'a stranger\'s view'), qr/42501/, '.. is refused');
for my $call ("SELECT count(*) FROM kanon.kanon_incognito('d.race', 3)", 'REFRESH MATERIALIZED VIEW d.race_f', 'REFRESH MATERIALIZED VIEW d.race_m',
	"SELECT rows FROM kanon.kanon_refresh_release('d.race_r', \"concurrently\" => true)")
{
	like(harmless('dba', $call, "no longer trusted: $call"), qr/42501/, '.. is refused');
}
# The owner must be able to read what it is declared with.
quietly('dba', 'CREATE TABLE d.closed AS SELECT * FROM m.wards2; GRANT bob TO dba');
like(runs('dba', "SELECT kanon.kanon_set_attribute('b.plain', 'ward', 'quasi_identifier', 'd.closed')"), qr/42501/, 'declaring what the owner may not read is refused');

# Whoever may refresh and no more brings no code of his own along.
SKIP:
{
	skip 'MAINTAIN came with 17', 3 if $server < 170000;
	quietly('bob', "GRANT MAINTAIN ON b.parts_$_->[0] TO mal") for @recodings;
	quietly('mal', q{CREATE INDEX trap ON m.part (m.calm('maintainer'))});
	harmless_all('mal', [ map { ("REFRESH MATERIALIZED VIEW b.parts_$_->[0]", "SELECT rows FROM kanon.kanon_refresh_release('b.parts_$_->[0]')",
			"SELECT rows FROM kanon.kanon_refresh_release('b.parts_$_->[0]', \"concurrently\" => true)") } @recodings ], 'refreshes by the dimensions\' owner, who may maintain');
	harmless_all('mal', ['CALL kanon.kanon_refresh_releases()'], 'his job');
	unlike(runs('mal', 'REFRESH MATERIALIZED VIEW b.parts_f'), qr/^$/, 'he is refused');
	quietly('mal', 'DROP INDEX m.trap');
}

# mal's own relation may have whatever is mal's; whoever calls works as mal.
quietly('mal', q{
	CREATE TABLE m.own AS SELECT 20 + i % 3 AS age, '5370' || i % 10 AS zip FROM generate_series(1, 100) i;
	CREATE VIEW m.own_zips AS SELECT * FROM m.zips2 WHERE m.spy('own view'); GRANT SELECT ON m.own, m.own_zips TO PUBLIC;
	SELECT kanon.kanon_set_attribute('m.own', 'age', 'quasi_identifier'), kanon.kanon_set_attribute('m.own', 'zip', 'quasi_identifier', 'm.own_zips')});
for my $call ("SELECT count(*) FROM kanon.kanon_incognito('m.own', 3)", "SET kanon.ground_scan = group_by; SELECT count(*) FROM kanon.kanon_incognito('m.own', 3)",
	"SELECT count(*) FROM kanon.kanon_compare('m.own', '{3}')", "SELECT count(*) FROM kanon.kanon_check_dimension('m.own_zips', 'm.own', 'zip')")
{
	ran();
	unlike(runs('dba', $call), qr/ERROR/, "a superuser's call on mal's relation, with a view for a dimension: $call");
	spring($call);
	# A view that a reader names runs as the reader, as in SELECT.
	harmless('steward', $call, "a reader's: $call", $call =~ /check_dimension/ ? 'steward' : ());
}

# ---- what serves

sub serves
{
	my ($role, $call, $name) = @_;
	unlike(runs($role, $call), qr/ERROR/, $name);
}

sql('CREATE ROLE librarian LOGIN; CREATE SCHEMA l AUTHORIZATION librarian; CREATE ROLE chief LOGIN; GRANT bob TO chief; CREATE SCHEMA c AUTHORIZATION chief');
sql('GRANT USAGE ON SCHEMA l, c, d TO PUBLIC; GRANT USAGE, CREATE ON SCHEMA b TO steward, chief; REVOKE bob FROM dba');
my $number = 0;
for my $kind ([ 'bob', 'b', 'one\'s own dimension' ], [ 'dba', 'd', 'a superuser\'s dimension' ], [ 'librarian', 'l', 'a trusted owner\'s dimension' ],
	[ 'chief', 'c', 'the dimension of a member' ])
{
	my ($owner, $schema, $name) = @$kind;
	my $relation = 'b.good' . ++$number;
	trust('librarian') if $owner eq 'librarian';
	quietly($owner, qq{
		CREATE TABLE $schema.good_zips AS SELECT '5370' || i AS zip, '537' AS zip3, '*' AS top FROM generate_series(0, 9) i;
		GRANT SELECT ON $schema.good_zips TO PUBLIC});
	quietly('bob', qq{CREATE TABLE $relation AS $patients; GRANT SELECT ON $relation TO steward;
		SELECT kanon.kanon_declare('$relation', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}')});
	serves('bob', "SELECT kanon.kanon_set_attribute('$relation', 'zip', 'quasi_identifier', '$schema.good_zips')", "$name is declared");
	for my $caller (qw(bob dba steward chief))
	{
		serves($caller, "SELECT count(*) FROM kanon.kanon_incognito('$relation', 3)", "$name: $caller searches");
		serves($caller, "SET kanon.ground_scan = group_by; SELECT count(*) FROM kanon.kanon_bottom_up('$relation', 3)", "$name: $caller searches by GROUP BY");
		serves($caller, "SELECT loss FROM kanon.kanon_compare('$relation', '{3}')", "$name: $caller compares");
	}
	for my $recoding ("'full_domain'", "'mondrian'", "'ring'", "'two_phase'", "'cohorts', options => '{\"key\": \"id\", \"leavers\": \"keep\"}'")
	{
		my ($short) = $recoding =~ /(\w+)/;
		for my $maker ([ 'bob', 'b' ], [ 'steward', 's' ], [ 'dba', 'b' ])
		{
			my ($role, $place) = @$maker;
			# A reader has no say in cohorts.
			next if $short eq 'cohorts' && $role ne 'bob';
			my $release = "$place.good_${number}_${short}_$role";
			serves($role, "SELECT kanon.kanon_create_release('$release', '$relation', 5, $recoding)", "$name: $role makes a release by $short");
			serves($role, "SELECT rows FROM kanon.kanon_refresh_release('$release')", "$name: $role refreshes it");
			serves('dba', "REFRESH MATERIALIZED VIEW $release", "$name: a superuser refreshes it");
			serves($role, "SELECT rows FROM kanon.kanon_refresh_release('$release', \"concurrently\" => true)", "$name: $role refreshes it concurrently");
			my $owner_now = sql("SELECT relowner::regrole FROM pg_class WHERE oid = '$release'::regclass");
			is($owner_now, $role eq 'steward' ? 'steward' : 'bob', ".. which belongs to $owner_now");
		}
	}
	serves('steward', "SELECT length(kanon.kanon_report('s.good_${number}_mondrian_steward'))", "$name: the steward's report");
	unlike(runs('dba', "CALL kanon.kanon_refresh_releases('%good_${number}_%')"), qr/WARNING|ERROR/, "$name: a job refreshes all of them");
	trust() if $owner eq 'librarian';
}
like(runs('dba', "REFRESH MATERIALIZED VIEW b.good_3_mondrian_bob"), qr/42501/, 'who is trusted no longer serves no longer');

is(sql('SELECT string_agg(rolname, $$,$$) FROM pg_roles WHERE rolsuper AND rolname <> $$dba$$ AND oid <> 10'), '', 'nobody has become a superuser');
$node->stop;
done_testing();
