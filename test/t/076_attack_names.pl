# Attacks on names.  No lock that kanon takes on a relation keeps the name of its schema, or of a
# type, from going over to something else: whoever owns a schema or a type swaps it for a trap, in a
# loop beside calls.  Statements must mean what was locked and checked.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Attack;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = attack_node('attack_names');

# ---- the schema of kanon itself, which belongs to whoever installed it

$node->safe_psql('postgres', 'CREATE DATABASE installed OWNER mal');
my $install = q{
	CREATE SCHEMA kan; CREATE EXTENSION kanon SCHEMA kan; CREATE SCHEMA trap;
	CREATE FUNCTION public.spy(what text) RETURNS boolean LANGUAGE plpgsql AS $$
	BEGIN RAISE LOG '%', concat('attack', ': ', what, ' of mal as ', current_user); RETURN true; END $$;
	DO $$
	DECLARE
		name text;
	BEGIN
		FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'kan'::regnamespace AND relkind IN ('r', 'v') LOOP
			EXECUTE format('CREATE VIEW trap.%I AS SELECT * FROM kan.%1$I WHERE public.spy(%1$L)', name);
			EXECUTE format('GRANT ALL ON trap.%I TO PUBLIC', name);
		END LOOP;
	END $$;
	CREATE FUNCTION trap.kanon_mondrian(k int, "rows" record, quasi_identifiers name[]) RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM public.spy('kanon_mondrian'); RETURN 1; END $$;
	GRANT USAGE ON SCHEMA trap, kan, public TO PUBLIC;
	CREATE TABLE public.t AS SELECT i AS id, i % 10 AS age, i % 3 AS ill FROM generate_series(1, 100) i;
	GRANT SELECT ON public.t TO PUBLIC;
	SELECT kan.kanon_declare('public.t', quasi_identifiers => '{age}', sensitive => '{ill}', identifiers => '{id}');
	SELECT kan.kanon_create_release('public.r', 'public.t', 3)};
my ($status, $out, $err) = $node->psql('installed', $install, extra_params => [ '-U', 'mal', '-v', 'ON_ERROR_STOP=1' ]);
is($status, 0, 'whoever may create a schema installs kanon in it') or diag($err);
my @swap_kanon = ('BEGIN; ALTER SCHEMA kan RENAME TO away; ALTER SCHEMA trap RENAME TO kan; COMMIT', 'BEGIN; ALTER SCHEMA kan RENAME TO trap; ALTER SCHEMA away RENAME TO kan; COMMIT');
for my $caller (qw(mal dba))
{
	duel("kanon's schema is swapped beside searches of $caller\'s", 'installed', 'mal', \@swap_kanon, $caller, ["SELECT satisfied FROM kan.kanon_check('public.t', 2)"]);
	duel("kanon's schema is swapped beside other calls of $caller\'s", 'installed', 'mal', \@swap_kanon, $caller,
		[ "SELECT kan.kanon_set_attribute('public.t', 'age', 'quasi_identifier')", "SELECT count(*) FROM kan.kanon_incognito('public.t', 2)",
			"SELECT rows FROM kan.kanon_refresh_release('public.r')", 'REFRESH MATERIALIZED VIEW public.r', "SELECT rows FROM kan.kanon_quality('public.r')" ]);
}

# ---- the schema of others' relations and dimensions

# bob's table and a superuser's dimension lie in mal's schema.
quietly('dba', q{
	GRANT CREATE ON DATABASE clinic TO mal;
	CREATE TABLE d.patients AS SELECT i AS id, 20 + i % 3 AS age, '5370' || i % 10 AS zip, 'd' || i % 5 AS disease FROM generate_series(1, 60) i;
	CREATE TABLE m.zips AS SELECT '5370' || i AS zip, '537' AS zip3, '*' AS top FROM generate_series(0, 9) i;
	CREATE TABLE m.patients AS SELECT * FROM d.patients; ALTER TABLE m.patients OWNER TO bob; GRANT SELECT ON m.zips TO PUBLIC; GRANT CREATE ON SCHEMA m TO bob;
	SELECT kanon.kanon_declare('d.patients', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}');
	SELECT kanon.kanon_set_attribute('d.patients', 'zip', 'quasi_identifier', 'm.zips');
	SELECT kanon.kanon_create_release('d.study', 'd.patients', 5, 'full_domain', options => '{"levels": [0, 1]}')});
quietly('bob', q{
	SELECT kanon.kanon_declare('m.patients', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}');
	SELECT kanon.kanon_set_attribute('m.patients', 'zip', 'quasi_identifier', 'm.zips')});
quietly('mal', q{
	CREATE SCHEMA trap; GRANT USAGE ON SCHEMA trap TO PUBLIC;
	CREATE VIEW trap.zips AS SELECT '5370' || i AS zip, '537' AS zip3, '*' AS top FROM generate_series(0, 9) i WHERE m.spy('dimension');
	CREATE VIEW trap.patients AS SELECT i AS id, 20 + i % 3 AS age, '5370' || i % 10 AS zip, 'd' || i % 5 AS disease FROM generate_series(1, 60) i WHERE m.spy('relation');
	GRANT SELECT ON trap.zips, trap.patients TO PUBLIC});
my @swap_schema = ('BEGIN; ALTER SCHEMA m RENAME TO away; ALTER SCHEMA trap RENAME TO m; COMMIT', 'BEGIN; ALTER SCHEMA m RENAME TO trap; ALTER SCHEMA away RENAME TO m; COMMIT');
# The spy must be found under either name.
quietly('mal', q{
	CREATE FUNCTION trap.spy(what text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE LOG '%', concat('attack', ': ', what, ' of mal as ', current_user); RETURN true; END $$});
my @searches = map { my $relation = $_; map { "$_ /* $relation */" } "SELECT count(*) FROM kanon.kanon_incognito('$relation', 3)", "SELECT satisfied FROM kanon.kanon_check('$relation', 2)",
	"SET kanon.ground_scan = group_by; SELECT count(*) FROM kanon.kanon_datafly('$relation', 3); RESET kanon.ground_scan" } 'd.patients', 'm.patients';
duel('a schema is swapped beside searches of a superuser', 'clinic', 'mal', \@swap_schema, 'dba', \@searches);
duel('a schema is swapped beside searches of its table\'s owner', 'clinic', 'mal', \@swap_schema, 'bob', [ grep { /m\.patients/ } @searches ]);
duel('a schema is swapped beside what makes and fills releases', 'clinic', 'mal', \@swap_schema, 'dba',
	[ "SELECT kanon.kanon_create_release('d.made', 'd.patients', 5)", 'DROP MATERIALIZED VIEW d.made', 'REFRESH MATERIALIZED VIEW d.study',
		"SELECT kanon.kanon_create_release('d.made', 'd.patients', 5, 'full_domain', options => '{\"levels\": [0, 1]}')", 'DROP MATERIALIZED VIEW d.made',
		"SELECT rows FROM kanon.kanon_refresh_release('d.study')", "SELECT length(kanon.kanon_report('d.study'))" ]);

# ---- types

# A superuser's table with a column of mal's type: a check of a domain in its place.
quietly('mal', q{
	CREATE TYPE m.letter AS ENUM ('a', 'b', 'c', 'd');
	CREATE FUNCTION m.fine(text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN m.spy('check of domain'); END $$;
	CREATE DOMAIN m.letter_trap AS text CHECK (m.fine(VALUE));
	CREATE TABLE m.lettered AS SELECT i % 3 AS age, ('{a,b,c,d}'::m.letter[])[1 + i % 4] AS letter FROM generate_series(1, 40) i});
quietly('dba', q{
	CREATE TABLE d.letters AS SELECT unnest('{a,b,c,d}'::text[]) AS letter, '*'::text AS top; GRANT USAGE ON SCHEMA d TO PUBLIC; GRANT SELECT ON d.letters TO PUBLIC;
	CREATE TABLE d.lettered AS SELECT i AS id, i % 3 AS age, ('{a,b,c,d}'::m.letter[])[1 + i % 4] AS letter FROM generate_series(1, 40) i;
	SELECT kanon.kanon_declare('d.lettered', quasi_identifiers => '{age}', identifiers => '{id}');
	SELECT kanon.kanon_set_attribute('d.lettered', 'letter', 'quasi_identifier', 'd.letters')});
quietly('mal', q{
	SELECT kanon.kanon_declare('m.lettered', quasi_identifiers => '{age}');
	SELECT kanon.kanon_set_attribute('m.lettered', 'letter', 'quasi_identifier', 'd.letters')});
my @swap_type = ('BEGIN; ALTER TYPE m.letter RENAME TO letter_away; ALTER DOMAIN m.letter_trap RENAME TO letter; COMMIT',
	'BEGIN; ALTER DOMAIN m.letter RENAME TO letter_trap; ALTER TYPE m.letter_away RENAME TO letter; COMMIT');
sub typed
{
	my ($relation) = @_;
	return ("SELECT count(*) FROM kanon.kanon_incognito('$relation', 2)", "SELECT count(r) FROM (SELECT kanon.kanon_ring(2, p, '{letter}', '{d.letters}') OVER () AS r FROM $relation p) q",
		"SET kanon.ground_scan = group_by; SELECT count(*) FROM kanon.kanon_bottom_up('$relation', 2); RESET kanon.ground_scan");
}
duel('a type is swapped beside calls on one\'s own table with another\'s dimension', 'clinic', 'mal', \@swap_type, 'mal', [ typed('m.lettered') ]);
duel('a type is swapped beside calls of a superuser', 'clinic', 'mal', \@swap_type, 'dba', [ typed('d.lettered') ]);
duel('a type is swapped beside releases', 'clinic', 'mal', \@swap_type, 'dba',
	[ map { ("SELECT kanon.kanon_create_release('d.made', 'd.lettered', 3, $_)", "SELECT rows FROM kanon.kanon_refresh_release('d.made')", 'DROP MATERIALIZED VIEW IF EXISTS d.made') }
		  "'full_domain', options => '{\"levels\": [0, 1]}'", "'mondrian'", "'full_domain'" ]);
duel('a type is swapped beside what makes dimensions', 'clinic', 'mal', \@swap_type, 'dba',
	[ "SELECT kanon.kanon_create_dimension('d.made_letters', 'd.lettered', 'letter', 'suppress')", 'DELETE FROM d.made_letters', "SELECT kanon.kanon_refresh_dimension('d.made_letters')",
		'DROP TABLE IF EXISTS d.made_letters', "SELECT kanon.kanon_set_attribute('d.lettered', 'letter', 'quasi_identifier', 'd.letters')" ]);

is($node->safe_psql('postgres', 'SELECT string_agg(rolname, $$,$$) FROM pg_roles WHERE rolsuper AND rolname <> $$dba$$ AND oid <> 10'), '', 'nobody has become a superuser');
$node->stop;
done_testing();
