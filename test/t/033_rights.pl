# Whose rights, and whose names: privileges, row security, a hostile
# search_path; and every kind of relation there is to read.
use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('rights');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\n");
$node->start;

# kanon in a schema that is on nobody's search_path and has an odd name.
my $kanon = q{"The ""odd"" one; DROP"};
$node->safe_psql('postgres', qq{
	CREATE SCHEMA $kanon;
	CREATE EXTENSION kanon SCHEMA $kanon;
	GRANT USAGE ON SCHEMA $kanon TO PUBLIC;
	CREATE SCHEMA clinic;
	CREATE SCHEMA types;
	CREATE EXTENSION citext SCHEMA types;
	CREATE ROLE reader LOGIN;
	GRANT USAGE ON SCHEMA clinic, types TO reader;
	SELECT setseed(0.5);
	CREATE TABLE clinic.patients AS
	SELECT i AS id, (random() * random() * 60)::int AS age, ('City ' || (random() * 12)::int)::types.citext AS city,
		CASE WHEN i % 11 > 0 THEN date '2000-01-01' + (random() * 90)::int END AS day, i % 2 = 0 AS member,
		(random() * 3)::numeric(4,1) AS dose
	FROM generate_series(1, 3000) i;
	UPDATE clinic.patients SET city = upper(city::text)::types.citext WHERE id % 3 = 0;
	CREATE TABLE clinic.city_dimension AS
	SELECT lower(city::text)::types.citext AS city, left(lower(city::text), 6) AS start, '*' AS top FROM clinic.patients GROUP BY 1, 2;
	SELECT $kanon.kanon_create_dimension('clinic.age_dimension', 'clinic.patients', 'age', 'ranges', '{5,20}'),
		$kanon.kanon_create_dimension('clinic.day_dimension', 'clinic.patients', 'day', 'dates', '{month,year}'),
		$kanon.kanon_set_attribute('clinic.patients', 'city', 'quasi_identifier', 'clinic.city_dimension'),
		$kanon.kanon_set_attribute('clinic.patients', 'member', 'quasi_identifier'),
		$kanon.kanon_set_attribute('clinic.patients', 'dose', 'quasi_identifier');
	-- The same declarations for another relation with these columns.
	CREATE FUNCTION declare(target regclass) RETURNS void LANGUAGE sql AS \$\$
		SELECT $kanon.kanon_set_attribute(target, attribute, role, dimension)
		FROM $kanon.kanon_attribute WHERE relation = 'clinic.patients'::regclass;
	\$\$;
});

# Every search of a relation, each answer one line.
sub searches
{
	my ($relation) = @_;
	return (
		(map { "kanon_incognito('$relation', 4, suppression => 0.02, algorithm => '$_')" } qw(basic superroots cube two_way)),
		"kanon_incognito('$relation', 4, metrics => true)", "kanon_bottom_up('$relation', 4, suppression => 0.02)",
		"kanon_incognito('$relation', 4, '{age,city}', ARRAY['distinct(day, 3)', 'closeness(dose, 0.5)'], 0.02)",
		"kanon_binary_search('$relation', 4)", "kanon_datafly('$relation', 4, metrics => true)");
}

sub all_of
{
	my ($relation) = @_;
	return join ' ', map { "SELECT pg_catalog.md5(pg_catalog.string_agg(g::text, ' ')) FROM $kanon.$_ g;" } searches($relation);
}

my $expected = $node->safe_psql('postgres', all_of('clinic.patients'));
like($expected, qr/^([0-9a-f]{32}\n?){9}$/, 'every search answers');

sub finds { is($node->safe_psql('postgres', $_[0]), $_[2] // 't', $_[1]) }

sub reads_same
{
	my ($relation, $name, $before) = @_;
	$before //= '';
	for my $way ('stream', 'group_by')
	{
		is($node->safe_psql('postgres', "LOAD 'kanon'; SET kanon.ground_scan = $way; $before " . all_of($relation)),
			$expected, "$name ($way)");
	}
}

sub as_reader
{
	my ($sql) = @_;
	$node->psql('postgres', $sql, connstr => $node->connstr('postgres') . ' user=reader',
		stdout => \my $stdout, stderr => \my $stderr);
	return $stdout . $stderr;
}

reads_same('clinic.patients', 'kanon in an odd schema');

# ---- privileges: PostgreSQL's own

$node->safe_psql('postgres', 'GRANT SELECT ON clinic.age_dimension TO reader');
my @mine = ("SELECT count(*) FROM $kanon.kanon_incognito('clinic.patients', 4, '{age,member}')",
	"SELECT count(*) FROM $kanon.kanon_bottom_up('clinic.patients', 4, '{age,member}', rollup => false)",
	"SELECT satisfied FROM $kanon.kanon_check('clinic.patients', 4, '{age,member}')",
	"SELECT satisfied FROM $kanon.kanon_check('clinic.patients', 4, '{age}', ARRAY['distinct(member, 2)'])",
	"SELECT count(*) FROM $kanon.kanon_classes('clinic.patients', 4, '{age,member}')",
	"SELECT classes FROM $kanon.kanon_risk('clinic.patients', '{age,member}')",
	"SELECT flow FROM $kanon.kanon_check_matchings('clinic.patients', 4, 'clinic.patients', '{age,member}')",
	"SELECT $kanon.kanon_matching_bound('clinic.patients', 4, '{age,member}')",
	"SELECT sum(minimal) FROM $kanon.kanon_sample_uniques('clinic.patients', '{age,member}')",
	"SELECT count(*) FROM $kanon.kanon_special_uniques('clinic.patients', 'city', '{age,member}')");
like(as_reader($_), qr/ERROR:  permission denied for table patients$/m, 'no right to the table') for @mine;
$node->safe_psql('postgres', 'GRANT SELECT (age, city) ON clinic.patients TO reader');
like(as_reader($_), qr/ERROR:  permission denied for table patients$/m, 'nor to one of its columns') for @mine;
$node->safe_psql('postgres', 'GRANT SELECT (member) ON clinic.patients TO reader');
is(as_reader($_), $node->safe_psql('postgres', $_), 'rights to the columns named suffice') for @mine;
like(as_reader(all_of('clinic.patients')), qr/ERROR:  permission denied for table (patients|city_dimension)$/m, 'other columns stay closed');
$node->safe_psql('postgres', 'GRANT SELECT ON clinic.patients TO reader; REVOKE SELECT ON clinic.age_dimension FROM reader');
like(as_reader($_), qr/ERROR:  permission denied for table age_dimension$/m, 'dimensions are read with the same rights')
  for @mine[ 0, 1 ], "SET kanon.ground_scan = group_by; $mine[1]";
$node->safe_psql('postgres', 'GRANT SELECT ON ALL TABLES IN SCHEMA clinic TO reader');
is(as_reader(all_of('clinic.patients')), $expected, 'with all rights the same answers');
like(as_reader("SELECT $kanon.kanon_set_attribute('clinic.patients', 'age', 'sensitive')"),
	qr/must be owner of table patients/, 'declaring is for the owner');
like(as_reader("SELECT $kanon.kanon_create_dimension('clinic.mine', 'clinic.patients', 'age', 'suppress')"),
	qr/must be owner of table patients|permission denied for schema clinic/, 'so is making a dimension');

# Views read with their owner's rights, or with the reader's.
$node->safe_psql('postgres', qq{
	REVOKE SELECT ON clinic.patients FROM reader;
	CREATE VIEW clinic.open AS SELECT * FROM clinic.patients;
	GRANT SELECT ON clinic.open TO reader;
	SELECT declare('clinic.open')});
is(as_reader(all_of('clinic.open')), $expected, 'a view reads with its owner\'s rights');
$node->safe_psql('postgres', 'ALTER VIEW clinic.open SET (security_invoker = true)');
like(as_reader(all_of('clinic.open')), qr/permission denied for table patients/, 'or with the reader\'s');
$node->safe_psql('postgres', qq{
	CREATE FUNCTION clinic.lend(k int) RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = clinic AS
	\$\$ SELECT pg_catalog.count(*) FROM $kanon.kanon_incognito('clinic.patients', k) \$\$});
is(as_reader('SELECT clinic.lend(4)'), $node->safe_psql('postgres', 'SELECT clinic.lend(4)'),
	'a function lends its owner\'s rights');

# Row security.
$node->safe_psql('postgres', q{
	GRANT SELECT ON clinic.patients TO reader;
	CREATE TABLE clinic.mine AS SELECT * FROM clinic.patients WHERE member;
	SELECT declare('clinic.mine');
	CREATE POLICY members ON clinic.patients TO reader USING (member);
	ALTER TABLE clinic.patients ENABLE ROW LEVEL SECURITY});
is(as_reader(all_of('clinic.patients')), $node->safe_psql('postgres', all_of('clinic.mine')),
	'searches find what the reader may see');
is(as_reader("SET kanon.ground_scan = group_by; " . all_of('clinic.patients')),
	$node->safe_psql('postgres', all_of('clinic.mine')), 'also by GROUP BY');
is(as_reader("SELECT rows FROM $kanon.kanon_check('clinic.patients', 2)"),
	$node->safe_psql('postgres', 'SELECT count(*) FROM clinic.mine'), 'so does the check');
like(as_reader('SET row_security = off; ' . all_of('clinic.patients')),
	qr/query would be affected by row-level security policy/, 'or nothing at all');
$node->safe_psql('postgres', 'ALTER TABLE clinic.patients DISABLE ROW LEVEL SECURITY');

# What is made of somebody's table is its owner's, who needs kanon's schema for it.
$node->safe_psql('postgres', qq{
	CREATE ROLE maker;
	CREATE SCHEMA made AUTHORIZATION maker;
	CREATE TABLE made.visits AS SELECT i % 5 AS age FROM generate_series(1, 50) i;
	ALTER TABLE made.visits OWNER TO maker;
	REVOKE USAGE ON SCHEMA $kanon FROM PUBLIC;
	SELECT $kanon.kanon_declare('made.visits', quasi_identifiers => '{age}')});
my $making = "SELECT $kanon.kanon_create_release('made.study', 'made.visits', 5)";
like(($node->psql('postgres', $making))[2],
	qr/ERROR:  permission denied for schema .*HINT:  Run GRANT USAGE ON SCHEMA \Q$kanon\E TO maker\..*working as "maker", the owner of made\.visits/s,
	'an owner needs kanon\'s schema for a release');
$node->safe_psql('postgres', "GRANT USAGE ON SCHEMA $kanon TO PUBLIC; $making");
finds("SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = 'made.study'::regclass", '.. which is then the owner\'s', 'maker');

# One role keeps dimensions for many owners (docs/operations.md).
$node->safe_psql('postgres', 'CREATE DATABASE clinic');
$node->safe_psql('clinic', q{
CREATE EXTENSION kanon;
CREATE ROLE north; CREATE ROLE south;
CREATE SCHEMA north AUTHORIZATION north; CREATE SCHEMA south AUTHORIZATION south;
CREATE TABLE north.visits AS SELECT (53700 + i % 20)::text AS zip_code, 'd' || i % 3 AS disease FROM generate_series(1, 100) i;
CREATE TABLE south.visits AS TABLE north.visits;
ALTER TABLE north.visits OWNER TO north; ALTER TABLE south.visits OWNER TO south;
CREATE ROLE codes;
CREATE SCHEMA codes AUTHORIZATION codes;
ALTER DATABASE clinic SET kanon.trusted_owners = 'codes';
});
$node->safe_psql('clinic', q{
SET ROLE codes;
CREATE TABLE codes.zip_codes AS SELECT i::text AS zip_code, left(i::text, 3) AS region, '*' AS top FROM generate_series(53700, 53799) i;
GRANT USAGE ON SCHEMA codes TO PUBLIC;
GRANT SELECT ON codes.zip_codes TO PUBLIC;
SET ROLE north;
SELECT kanon_set_attribute('north.visits', 'zip_code', 'quasi_identifier', 'codes.zip_codes');
SET ROLE south;
SELECT kanon_set_attribute('south.visits', 'zip_code', 'quasi_identifier', 'codes.zip_codes');
RESET ROLE;
SELECT kanon_create_release('north.study', 'north.visits', 5), kanon_create_release('south.study', 'south.visits', 5, 'full_domain', options => '{"levels": [1]}');
});
is($node->safe_psql('clinic', "CALL kanon_refresh_releases(); SELECT string_agg(rows::text, ' ') FROM kanon_release"), '100 100',
	'one role keeps dimensions for many owners');
for my $text ("REFRESH MATERIALIZED VIEW south.study", "SELECT kanon_refresh_release('north.study')", "SELECT kanon_incognito('north.visits', 5)")
{
	like(($node->psql('clinic', "SET kanon.trusted_owners = ''; $text"))[2],
		qr/ERROR:  relation codes\.zip_codes cannot serve as dimension.*HINT:  As "(north|south)", run: CREATE TABLE \1\.zip_codes AS TABLE codes\.zip_codes; SELECT kanon_set_attribute\('\1\.visits', 'zip_code', 'quasi_identifier', '\1\.zip_codes'\);/s,
		"without that trust: $text");
}

# ---- a hostile search_path: nothing of it runs

my $hostile = join "\n", map {
	my ($left, $right, $name) = @$_;
	my $f = "evil.trap_$left$right";
	$f =~ s/\W//g;
	$f =~ s/^evil/evil./;
	map { "CREATE OPERATOR evil.$_ (LEFTARG = $left, RIGHTARG = $right, FUNCTION = $f);" } ('=', '<', '<>', '>=', '>', '<=')
} (['int4', 'int4'], ['int8', 'int4'], ['int8', 'int8'], ['text', 'text'], ['oid', 'oid'], ['date', 'date'],
	['bool', 'bool'], ['numeric', 'numeric'], ['name', 'text'], ['name', 'name']);
my $traps = join "\n", map {
	"CREATE FUNCTION evil.trap_$_->[0]$_->[1](a $_->[0], b $_->[1]) RETURNS bool LANGUAGE plpgsql AS \$\$ BEGIN RAISE 'evil ran'; END \$\$;"
} (['int4', 'int4'], ['int8', 'int4'], ['int8', 'int8'], ['text', 'text'], ['oid', 'oid'], ['date', 'date'],
	['bool', 'bool'], ['numeric', 'numeric'], ['name', 'text'], ['name', 'name']);
$node->safe_psql('postgres', qq{
	CREATE SCHEMA evil;
	GRANT USAGE ON SCHEMA evil TO PUBLIC;
	$traps
	$hostile
	CREATE FUNCTION evil.raise() RETURNS bool LANGUAGE plpgsql AS \$\$ BEGIN RAISE 'evil ran'; END \$\$;
	CREATE FUNCTION evil.raise_state(state int8, value int8) RETURNS int8 LANGUAGE plpgsql AS \$\$ BEGIN RAISE 'evil ran'; END \$\$;
	CREATE FUNCTION evil.raise_count(state int8) RETURNS int8 LANGUAGE plpgsql AS \$\$ BEGIN RAISE 'evil ran'; END \$\$;
	CREATE AGGREGATE evil.count(*) (SFUNC = evil.raise_count, STYPE = int8);
	CREATE AGGREGATE evil.sum(int8) (SFUNC = evil.raise_state, STYPE = int8);
	CREATE AGGREGATE evil.min(int8) (SFUNC = evil.raise_state, STYPE = int8);
	CREATE FUNCTION evil.lower(text) RETURNS text LANGUAGE plpgsql AS \$\$ BEGIN RAISE 'evil ran'; END \$\$;
	CREATE FUNCTION evil.quote_ident(text) RETURNS text LANGUAGE plpgsql AS \$\$ BEGIN RAISE 'evil ran'; END \$\$;
	CREATE DOMAIN evil.text AS pg_catalog.text CHECK (evil.raise());
	CREATE DOMAIN evil.int8 AS pg_catalog.int8 CHECK (evil.raise());
	CREATE DOMAIN evil.int4 AS pg_catalog.int4 CHECK (evil.raise());
	CREATE DOMAIN evil.float8 AS pg_catalog.float8 CHECK (evil.raise());
	CREATE DOMAIN evil.numeric AS pg_catalog.numeric CHECK (evil.raise());
	CREATE DOMAIN evil.regnamespace AS pg_catalog.text CHECK (evil.raise());
	CREATE VIEW evil.pg_class AS SELECT evil.raise() AS oid;
	CREATE VIEW evil.pg_extension AS SELECT evil.raise() AS extname;
	CREATE VIEW evil.kanon_attribute AS SELECT evil.raise() AS relation;
	CREATE VIEW evil.patients AS SELECT evil.raise() AS age;
});
my $trapped = 'SET search_path = evil, types, pg_catalog, pg_temp;'
  . ' CREATE TEMP VIEW pg_class AS SELECT evil.raise() AS oid; CREATE TEMP VIEW kanon_attribute AS SELECT evil.raise() AS relation;'
  . ' CREATE DOMAIN pg_temp.float8 AS pg_catalog.float8 CHECK (evil.raise());';
$node->psql('postgres', "$trapped SELECT 1 = 1", stderr => \my $bitten);
like($bitten, qr/evil ran/, 'the trap works');
for my $way ('stream', 'group_by')
{
	my $plain = "LOAD 'kanon'; SET kanon.ground_scan = $way; $trapped "
	  . join(' ', map { "SELECT * FROM $kanon.$_;" } searches('clinic.patients'));
	(my $calm = $plain) =~ s/\Q$trapped\E/SET search_path = types;/;
	finds($plain, "nothing of a hostile search_path runs ($way)", $node->safe_psql('postgres', $calm));
}
finds("$trapped SELECT satisfied FROM $kanon.kanon_check('clinic.patients', 2, person => 'id')", 'nor in the check', 'f');
finds("$trapped SELECT rows FROM $kanon.kanon_check('clinic.patients', 2, '{age,day}',"
	  . " '{\"closeness(city, 0.9)\",\"variance(dose, 0)\",\"distinct(member, 1)\"}');"
	  . " SELECT rows FROM $kanon.kanon_risk('clinic.patients', '{age,city}', 'clinic.patients')",
	'nor in models and risk', "3000\n3000");
finds("$trapped SELECT uniques FROM $kanon.kanon_sample_uniques('clinic.patients', '{id,city}');"
	  . " SELECT minimal FROM $kanon.kanon_special_uniques('clinic.patients', 'day', '{id,city,dose}') LIMIT 1",
	'nor in sample uniques', "3000\n0\n3000\n{1,0,0}");
finds("$trapped SELECT satisfied FROM $kanon.kanon_check_matchings('clinic.patients', 1, 'clinic.patients');"
	  . " SELECT $kanon.kanon_matching_bound('clinic.patients', 1)",
	'nor in the check of matchings and the bound', "t\n0");
finds("$trapped SELECT pg_catalog.count(*) FROM $kanon.kanon_classes('clinic.patients', 2, '{age,day}',"
	  . " ARRAY['closeness(city, 0.9)', 'variance(dose, 0)', 'distinct(member, 1)']) WHERE size OPERATOR(pg_catalog.>) 10000;"
	  . " SELECT classes OPERATOR(pg_catalog.>) 9 FROM $kanon.kanon_risk('clinic.patients', '{age,city}', 'clinic.patients')",
	'nor in classes and risk', "0\nt");
finds("$trapped SELECT pg_catalog.count(*) OPERATOR(pg_catalog.>) 0 FROM $kanon.kanon_incognito('clinic.patients', 2, '{age}',"
	  . " ARRAY['closeness(city, 0.9)', 'variance(dose, 0)', 'distinct(member, 1)'], person => 'id')",
	'nor in a search with models');
finds("$trapped SELECT * FROM $kanon.kanon_check_dimension('clinic.city_dimension', 'clinic.patients', 'city')",
	'nor in the check of a dimension', '');
finds("$trapped SELECT $kanon.kanon_create_dimension('clinic.fresh', 'clinic.mine', 'dose', method, arguments) FROM (VALUES ('suppress', '{}'::_text)) v (method, arguments)",
	'nor in making one', 'clinic.fresh');
finds("$trapped SELECT $kanon.kanon_create_release('clinic.release', 'clinic.mine', 4); SELECT NULL FROM $kanon.kanon_refresh_release('clinic.release');"
	  . " REFRESH MATERIALIZED VIEW clinic.release; SELECT $kanon.kanon_drop_release('clinic.release')",
	'nor in a release by Mondrian', "clinic.release\n\n");
$node->safe_psql('postgres', "SELECT $kanon.kanon_set_attribute('clinic.mine', 'id', 'sensitive')");
for my $recoding ("'mondrian'", "'relaxed_mondrian'", "'full_domain', options => '{\"levels\": [1, 1, 1, 1, 1]}', suppression => 0.9")
{
	finds("$trapped SELECT $kanon.kanon_create_release('clinic.release', 'clinic.mine', 4, $recoding, person => 'id', models => '{\"closeness(id, 0.9)\",\"variance(id, 1)\"}');"
		  . " SELECT NULL FROM $kanon.kanon_refresh_release('clinic.release'); REFRESH MATERIALIZED VIEW clinic.release; SELECT $kanon.kanon_drop_release('clinic.release')",
		"nor in a release with models ($recoding)", "clinic.release\n\n");
}
$node->safe_psql('postgres', "SELECT $kanon.kanon_unset_attribute('clinic.mine', 'id')");
finds("$trapped SELECT $kanon.kanon_create_release('clinic.release', 'clinic.mine', 4, 'full_domain'); SELECT NULL FROM $kanon.kanon_refresh_release('clinic.release');"
	  . " SELECT $kanon.kanon_drop_release('clinic.release'); SELECT $kanon.kanon_unset_attribute('clinic.mine', 'dose')",
	'nor in a release', "clinic.release\n\n\n");
my $text = $node->safe_psql('postgres', "$trapped SELECT $kanon.kanon_generalized_query('clinic.patients', '{1,1,1,1,1}', 4)");
is( $node->safe_psql('postgres', $text), $node->safe_psql('postgres', $node->safe_psql('postgres', "SELECT $kanon.kanon_generalized_query('clinic.patients', '{1,1,1,1,1}', 4)")),
	'nor in the text of a query');

# ---- every kind of relation

$node->safe_psql('postgres', qq{
	CREATE UNLOGGED TABLE clinic.unlogged AS SELECT * FROM clinic.patients;
	CREATE MATERIALIZED VIEW clinic.frozen AS SELECT * FROM clinic.patients;
	CREATE VIEW clinic.joined AS SELECT p.*, q.id AS other FROM clinic.patients p JOIN clinic.patients q USING (id) WHERE random() >= 0 AND p.id > 0;
	CREATE TABLE clinic.parted (LIKE clinic.patients) PARTITION BY RANGE (id);
	CREATE TABLE clinic.parted_1 PARTITION OF clinic.parted FOR VALUES FROM (0) TO (700) PARTITION BY LIST (member);
	CREATE TABLE clinic.parted_1_t PARTITION OF clinic.parted_1 FOR VALUES IN (true);
	CREATE TABLE clinic.parted_1_f PARTITION OF clinic.parted_1 DEFAULT;
	CREATE TABLE clinic.parted_2 (dose numeric(4,1), member bool, day date, extra text, city types.citext, age int, id int);
	ALTER TABLE clinic.parted_2 DROP COLUMN extra;
	ALTER TABLE clinic.parted ATTACH PARTITION clinic.parted_2 FOR VALUES FROM (700) TO (10000);
	INSERT INTO clinic.parted SELECT * FROM clinic.patients;
	CREATE TABLE clinic.parent AS SELECT * FROM clinic.patients WHERE id < 500;
	CREATE TABLE clinic.child (note text) INHERITS (clinic.parent);
	INSERT INTO clinic.child SELECT * FROM clinic.patients WHERE id >= 500;
	CREATE TABLE clinic.toasted AS SELECT p.*, repeat(md5(id::text), 500) AS bulk FROM clinic.patients p;
	SELECT declare('clinic.' || relation) FROM unnest('{unlogged,frozen,joined,parted,parent,toasted}'::text[]) relation;
	ANALYZE;
});
reads_same('clinic.unlogged', 'an unlogged table');
reads_same('clinic.frozen', 'a materialized view');
reads_same('clinic.joined', 'a view with a join and a volatile condition');
reads_same('clinic.parted', 'partitions of partitions, columns in another order');
reads_same('clinic.parent', 'inheritance');
reads_same('pg_temp.own', 'a temporary table',
	"CREATE TEMP TABLE own AS SELECT * FROM clinic.patients; DO \$\$ BEGIN PERFORM public.declare('own'); END \$\$;");
my $parallel = 'SET max_parallel_workers_per_gather = 4; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;'
  . ' SET min_parallel_table_scan_size = 0; SET enable_partitionwise_aggregate = on;';
like($node->safe_psql('postgres', "$parallel EXPLAIN SELECT age, count(*) FROM clinic.toasted GROUP BY 1"), qr/Gather/, 'plans are parallel');
reads_same("clinic.$_", "$_, in parallel", $parallel) for 'toasted', 'parted';
reads_same('clinic.toasted', 'groups by sorting', 'SET enable_hashagg = off; SET enable_hashjoin = off;');

# Foreign tables, of this very server.
my ($host, $port) = ($node->host, $node->port);
$node->safe_psql('postgres', qq{
	CREATE EXTENSION postgres_fdw;
	CREATE SERVER here FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$host', port '$port', dbname 'postgres');
	CREATE USER MAPPING FOR PUBLIC SERVER here OPTIONS (user '} . $node->safe_psql('postgres', 'SELECT current_user') . qq{');
	CREATE FOREIGN TABLE clinic.far (id int, age int, city types.citext, day date, member bool, dose numeric(4,1))
	SERVER here OPTIONS (schema_name 'clinic', table_name 'patients');
	CREATE TABLE clinic.spread (LIKE clinic.patients) PARTITION BY RANGE (id);
	CREATE FOREIGN TABLE clinic.spread_1 PARTITION OF clinic.spread FOR VALUES FROM (0) TO (700) SERVER here OPTIONS (schema_name 'clinic', table_name 'parted_1');
	CREATE FOREIGN TABLE clinic.spread_2 PARTITION OF clinic.spread FOR VALUES FROM (700) TO (2000) SERVER here OPTIONS (schema_name 'clinic', table_name 'part_2');
	CREATE TABLE clinic.part_2 AS SELECT * FROM clinic.patients WHERE id BETWEEN 700 AND 1999;
	CREATE TABLE clinic.spread_3 PARTITION OF clinic.spread FOR VALUES FROM (2000) TO (10000);
	INSERT INTO clinic.spread_3 SELECT * FROM clinic.patients WHERE id >= 2000;
	CREATE VIEW clinic.far_view AS SELECT * FROM clinic.far;
	CREATE FOREIGN TABLE clinic.far_dimension (city types.citext, start text, top text) SERVER here OPTIONS (schema_name 'clinic', table_name 'city_dimension');
	SELECT declare('clinic.' || relation) FROM unnest('{far,spread,far_view}'::text[]) relation;
});
reads_same('clinic.far', 'a foreign table');

# An owner who cannot connect: the error says what that role needs.
$node->safe_psql('postgres', qq{
	CREATE SERVER mapped FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$host', port '$port', dbname 'postgres');
	CREATE SCHEMA away AUTHORIZATION maker;
	GRANT USAGE ON FOREIGN SERVER mapped TO maker;
	CREATE FOREIGN TABLE away.far (age int) SERVER mapped OPTIONS (schema_name 'clinic', table_name 'patients');
	ALTER FOREIGN TABLE away.far OWNER TO maker});
my $away = "SELECT rows FROM $kanon.kanon_check('away.far', 2, '{age}')";
for my $mapping ('', 'CREATE USER MAPPING FOR maker SERVER mapped')
{
	$node->safe_psql('postgres', $mapping) if $mapping;
	like(($node->psql('postgres', $away))[2], qr/HINT:  The call works as "maker".*user mapping on the foreign server.*working as "maker"/s,
		'an owner without ' . ($mapping ? 'a password there' : 'a user mapping'));
}
reads_same('clinic.spread', 'partitions here and there');
reads_same('clinic.spread', 'partitions here and there, at once', 'SET enable_partitionwise_aggregate = on;');
reads_same('clinic.far_view', 'a view of a foreign table');
finds(all_of('clinic.far'), 'left to itself', $expected);
$node->safe_psql('postgres', "SELECT $kanon.kanon_set_attribute('clinic.far', 'city', 'quasi_identifier', 'clinic.far_dimension')");
reads_same('clinic.far', 'a foreign dimension');
finds("SELECT satisfied = (SELECT satisfied FROM $kanon.kanon_check('clinic.patients', 2)) FROM $kanon.kanon_check('clinic.spread', 2)", 'and the check');

# A foreign table's columns get other types without its being replaced: here by a dimension that is read between two readings.
$node->safe_psql('postgres', qq{
	CREATE TABLE clinic.lying AS SELECT i % 2 AS ward, (i % 3)::text AS bed, (i % 2)::text AS ill FROM generate_series(1, 12) i;
	CREATE FOREIGN TABLE clinic.shaky (ward int, bed text, ill text) SERVER here OPTIONS (schema_name 'clinic', table_name 'lying');
	CREATE FUNCTION clinic.shake() RETURNS bool LANGUAGE plpgsql AS \$\$ BEGIN ALTER FOREIGN TABLE clinic.shaky ALTER bed TYPE int; RETURN true; END \$\$;
	CREATE VIEW clinic.ills AS SELECT ill, '*' AS top FROM clinic.shake() s, (VALUES ('0'), ('1')) v (ill) WHERE s;
	SELECT $kanon.kanon_set_attribute('clinic.shaky', 'ill', 'sensitive', 'clinic.ills')});
for my $call ("kanon_check('clinic.shaky', 1, '{ward}', 'distinct(bed, 1), closeness(ill, 1)')", "kanon_classes('clinic.shaky', 1, '{bed}', 'distinct(ward, 1), closeness(ill, 1)')")
{
	like(($node->psql('postgres', "SELECT * FROM $kanon.$call"))[2], qr/column "\w+" changed its type while the relation was read/, 'a foreign table that changes amid a call');
}

# What changes between two scans is found out, or does not matter; never does
# a search break.
$node->safe_psql('postgres', qq{
	CREATE VIEW clinic.shifting AS SELECT (random() * 40)::int AS age, (extract(epoch FROM clock_timestamp()) * 1000000)::int8 AS stamp,
		CASE WHEN random() < 0.5 THEN 'x' END AS mark FROM generate_series(1, 200 + (random() * 100)::int)});
my %outcomes;
for my $call (map { my $set = $_; map { s/'clinic.shifting', 4/'clinic.shifting', 4, '$set'/r } (grep { !/ARRAY/ } searches('clinic.shifting')), "kanon_bottom_up('clinic.shifting', 4, rollup => false)" } '{age,mark}', '{age,stamp}')
{
	for my $way ('stream', 'group_by')
	{
		$node->psql('postgres', "LOAD 'kanon'; SET kanon.ground_scan = $way; SELECT count(*) FROM $kanon.$call",
			stdout => \my $stdout, stderr => \my $stderr);
		my ($error) = $stderr =~ /ERROR:  (.*)/;
		$outcomes{ $error // ($stdout =~ /^\d+$/ ? 'answer' : $stderr) }++;
	}
}
is(join(', ', sort keys %outcomes), 'answer, relation clinic.shifting changed while it was read', 'a view that changes by itself');
note join ', ', map { "$outcomes{$_} x $_" } sort keys %outcomes;

# A relation is held from the moment it is described: none can put another in its place.
$node->safe_psql('postgres', qq{
	CREATE VIEW clinic.slow_dimension AS
	SELECT age, decade FROM (SELECT pg_advisory_lock_shared(1)) l, (SELECT age, (age / 10)::text AS decade FROM clinic.age_dimension OFFSET 0) d;
	CREATE VIEW clinic.held AS SELECT age, member FROM clinic.patients;
	SELECT $kanon.kanon_set_attribute('clinic.held', 'member', 'quasi_identifier'),
		$kanon.kanon_set_attribute('clinic.held', 'age', 'quasi_identifier', 'clinic.slow_dimension')});
my $script = $node->basedir . '/lock.sql';
append_to_file($script, "SELECT pg_advisory_lock(1); SELECT pg_sleep(60);\n");
my $searching = $node->basedir . '/searching.sql';
append_to_file($searching, "SELECT count(*) FROM $kanon.kanon_incognito('clinic.held', 2);\n");
my @psql = ('psql', '-XAtq', '-d', $node->connstr('postgres'), '-f');
my $locker = IPC::Run::start([ @psql, $script ], '>', \my $lock_out, '2>', \my $lock_err);
$node->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_locks WHERE locktype = 'advisory' AND granted");
my $searcher = IPC::Run::start([ @psql, $searching ], '>', \my $search_out, '2>', \my $search_err);
$node->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
$node->psql('postgres', "SET lock_timeout = '300ms'; DROP VIEW clinic.held; CREATE VIEW clinic.held AS SELECT id AS age, city::text AS member FROM clinic.patients",
	stderr => \my $refused);
like($refused, qr/canceling statement due to lock timeout/, 'a relation being searched cannot be replaced');
$node->safe_psql('postgres', "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ 'pg_sleep' AND pid <> pg_backend_pid()");
$locker->finish;
$searcher->finish;
is($search_out . $search_err, $node->safe_psql('postgres', "SELECT count(*) FROM $kanon.kanon_incognito('clinic.held', 2)") . "\n",
	'and the search ends as it should');

unlike(slurp_file($node->logfile), qr/temporary file leak|WARNING|was terminated by signal|PANIC|TRAP/, 'the server has nothing to say');
$node->stop;
done_testing();
