# The extension as an object: any schema, no superuser, nothing left behind,
# its prefix of settings its own.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('extension');
$node->init;
$node->start;

sub run_sql
{
	my ($sql, %options) = @_;
	my ($status, $out, $err) =
	  $node->psql($options{database} // 'postgres', $sql,
		connstr => $node->connstr($options{database} // 'postgres')
		  . ($options{user} ? " user=$options{user}" : ''));
	return ($status, $out, $err);
}

# All of the catalogs that an extension could leave something in.
my $inventory = join ' UNION ALL ',
  map { "SELECT '$_', count(*) FROM $_" }
  qw(pg_class pg_type pg_proc pg_namespace pg_operator pg_opclass pg_cast
  pg_event_trigger pg_trigger pg_rewrite pg_constraint pg_description
  pg_depend pg_init_privs pg_extension pg_language);

# A schema of its own, with a name that has to be quoted.
my $before = $node->safe_psql('postgres', $inventory);
$node->safe_psql('postgres', 'CREATE SCHEMA "Privacy Office"');
$node->safe_psql('postgres', 'CREATE EXTENSION kanon SCHEMA "Privacy Office"');
is( $node->safe_psql('postgres',
		"SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'kanon'"),
	'"Privacy Office"',
	'the extension lives in the schema asked for');
is( $node->safe_psql('postgres', q{
		SELECT count(*) FROM pg_depend d
		LEFT JOIN pg_class c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
		LEFT JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
		LEFT JOIN pg_type t ON d.classid = 'pg_type'::regclass AND t.oid = d.objid
		WHERE d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass
		  AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'kanon')
		  AND coalesce(relnamespace, pronamespace, typnamespace)::regnamespace::text
		      <> '"Privacy Office"'}),
	'0',
	'all its objects lie there');
is( $node->safe_psql('postgres', 'SELECT count(*) FROM "Privacy Office".kanon_attribute'),
	'0', 'its catalog starts empty');
$node->safe_psql('postgres', 'DROP EXTENSION kanon');
is( $node->safe_psql('postgres', q{
		SELECT count(*) FROM pg_class WHERE relnamespace = '"Privacy Office"'::regnamespace}),
	'0', 'DROP EXTENSION empties the schema');
$node->safe_psql('postgres', 'DROP SCHEMA "Privacy Office"');
is($node->safe_psql('postgres', $inventory), $before, 'DROP EXTENSION leaves nothing');

$node->safe_psql('postgres', 'CREATE EXTENSION kanon; DROP EXTENSION kanon; CREATE EXTENSION kanon');
pass('it can be dropped and created again');

# Nothing that lies in its schema before is taken for a function of its own.
$node->safe_psql('postgres', 'DROP EXTENSION kanon');
for my $bait (['FUNCTION kanon_view_cell(record, text, text)', q{RETURNS text LANGUAGE plpgsql AS 'BEGIN RETURN $3; END'}],
	['DOMAIN kanon_refresh_release', 'AS text'])
{
	my ($name, $rest) = @$bait;
	$node->safe_psql('postgres', "CREATE $name $rest");
	my (undef, undef, $refusal) = run_sql('CREATE EXTENSION kanon');
	like($refusal, qr/(function|type) public.kanon_\S+ could be mistaken for a function of kanon/, "not beside $name");
	$node->safe_psql('postgres', "DROP $name");
}

# .. nor what a transaction brings in that was open meanwhile: no release is made beside it.
$node->append_conf('postgresql.conf', 'max_prepared_transactions = 1');
$node->restart;
$node->safe_psql('postgres', q{
	BEGIN;
	CREATE FUNCTION kanon_view_cell(record, text, text) RETURNS text LANGUAGE plpgsql AS 'BEGIN RETURN $3; END';
	PREPARE TRANSACTION 'late'});
$node->safe_psql('postgres', "CREATE EXTENSION kanon");
$node->safe_psql('postgres', "COMMIT PREPARED 'late'");
$node->safe_psql('postgres', q{
	CREATE TABLE patients AS SELECT i % 3 AS age, 'd' || i AS disease FROM generate_series(1, 9) i;
	SELECT kanon_set_attribute('patients', 'age', 'quasi_identifier')});
for my $call ("kanon_create_release('study', 'patients', 2)", "kanon_generalized_query('patients', '{0}', 2)",
	"kanon_create_release('study', 'patients', 2, 'full_domain')")
{
	my (undef, undef, $refusal) = run_sql("SELECT $call");
	like($refusal, qr/function public.kanon_view_cell\(record,text,text\) could be mistaken for a function of kanon/, $call);
}
$node->safe_psql('postgres', 'DROP TABLE patients; DROP FUNCTION kanon_view_cell(record, text, text)');

# It cannot move: its functions know where its catalog is.
my ($status, $out, $err) = run_sql('CREATE SCHEMA elsewhere; ALTER EXTENSION kanon SET SCHEMA elsewhere');
isnt($status, 0, 'the extension does not move to another schema');
like($err, qr/does not support SET SCHEMA/, 'and says so');

# Trusted: who may create in the database may create the extension.
$node->safe_psql('postgres', 'CREATE ROLE steward LOGIN; CREATE ROLE visitor LOGIN;
	CREATE DATABASE clinic; GRANT CREATE ON DATABASE clinic TO steward');
($status, $out, $err) = run_sql('CREATE EXTENSION kanon', database => 'clinic', user => 'visitor');
isnt($status, 0, 'a role without CREATE on the database cannot create it');
like($err, qr/permission denied/, 'and hears why');
($status, $out, $err) = run_sql('CREATE SCHEMA kanon; GRANT USAGE ON SCHEMA kanon TO PUBLIC; CREATE EXTENSION kanon SCHEMA kanon',
	database => 'clinic', user => 'steward');
is($status, 0, 'a role with CREATE on the database can') or diag $err;
($status, $out, $err) = run_sql('DELETE FROM kanon.kanon_attribute',
	database => 'clinic', user => 'visitor');
like($err, qr/permission denied for table kanon_attribute/, 'the catalog is nobody else\'s to change');
($status, $out, $err) = run_sql(q{
	CREATE SCHEMA own;
	CREATE FUNCTION own.kanon_view_cell(record, text, text) RETURNS text LANGUAGE plpgsql AS 'BEGIN RETURN $3; END';
	ALTER EXTENSION kanon ADD FUNCTION own.kanon_view_cell(record, text, text);
	ALTER FUNCTION own.kanon_view_cell(record, text, text) SET SCHEMA kanon}, database => 'clinic', user => 'steward');
like($err, qr/function kanon.kanon_view_cell\(record,text,text\) could be mistaken for a function of kanon/,
	'who owns the extension cannot add a function that takes the place of one of kanon\'s');
($status, $out, $err) = run_sql(q{
	CREATE ROLE upgrader SUPERUSER;
	SET ROLE upgrader;
	ALTER EVENT TRIGGER kanon_refuse_overloads DISABLE;
	CREATE FUNCTION kanon.kanon_view_cell(record, text, text) RETURNS text LANGUAGE plpgsql AS 'BEGIN RETURN $3; END';
	ALTER EXTENSION kanon ADD FUNCTION kanon.kanon_view_cell(record, text, text);
	ALTER EVENT TRIGGER kanon_refuse_overloads ENABLE ALWAYS;
	CREATE FUNCTION public.another() RETURNS int LANGUAGE sql AS 'SELECT 1'}, database => 'clinic');
is($status, 0, 'what another superuser makes a member of it, as a new version does, is kanon\'s own') or diag $err;
($status, $out, $err) = run_sql('DROP EXTENSION kanon', database => 'clinic', user => 'steward');
is($status, 0, 'and drop it again') or diag $err;

# Settings, once the library is loaded.
like($node->safe_psql('postgres', "LOAD 'kanon'; SHOW kanon.memory_limit"),
	qr/^-1$/m, 'settings appear with the library');
is($node->safe_psql('postgres', "SET kanon.memory_limit = '8MB'; LOAD 'kanon'; SHOW kanon.memory_limit"),
	'8MB', 'a value set before the library came is kept');
($status, $out, $err) = run_sql("LOAD 'kanon'; SET kanon.nonsense = 1");
isnt($status, 0, 'the prefix is reserved');
like($err, qr/invalid configuration parameter name "kanon\.nonsense"/, 'and says so');
($status, $out, $err) = run_sql("SET kanon.nonsense = 1; LOAD 'kanon'; SHOW kanon.nonsense");
isnt($status, 0, 'a setting of that prefix made up before is taken away');

# The library may also be loaded for everyone.
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'kanon'\nkanon.ground_scan = stream");
$node->restart;
is($node->safe_psql('postgres', 'SHOW kanon.ground_scan'), 'stream', 'preloading works too');

$node->stop;
done_testing();
