# The text of releases and of kanon_generalized_query means the same under every
# search_path: a superuser runs it, creates releases and refreshes them with a
# schema first in the path in which somebody has put an operator for each name
# and pair of types that could stand there, functions, types and a collation.
# And it is dumped and restored in an order that works.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('texts');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\njit = off\n");
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE mallory LOGIN; CREATE DATABASE clinic; CREATE DATABASE copy');
my $mallory = $node->connstr('clinic') . ' user=mallory';

# A table with a column of each kind of type, some with dimensions of another
# type; the dimensions' schema comes last in the alphabet.  "code" is an
# extension's type with operators of its own, "coded" a domain over it.
$node->safe_psql('clinic', q{
	CREATE EXTENSION kanon;
	CREATE SCHEMA dbs;
	CREATE SCHEMA zz;
	GRANT USAGE, CREATE ON SCHEMA dbs TO mallory;
	CREATE TYPE dbs.code;
	CREATE FUNCTION dbs.code_in(cstring) RETURNS dbs.code LANGUAGE internal IMMUTABLE STRICT AS 'textin';
	CREATE FUNCTION dbs.code_out(dbs.code) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
	CREATE TYPE dbs.code (INPUT = dbs.code_in, OUTPUT = dbs.code_out, LIKE = text);
	CREATE CAST (dbs.code AS text) WITHOUT FUNCTION;
	CREATE FUNCTION dbs.code_cmp(dbs.code, dbs.code) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'byteacmp';
	CREATE FUNCTION dbs.code_lt(dbs.code, dbs.code) RETURNS bool LANGUAGE internal IMMUTABLE STRICT AS 'bytealt';
	CREATE FUNCTION dbs.code_le(dbs.code, dbs.code) RETURNS bool LANGUAGE internal IMMUTABLE STRICT AS 'byteale';
	CREATE FUNCTION dbs.code_eq(dbs.code, dbs.code) RETURNS bool LANGUAGE internal IMMUTABLE STRICT AS 'byteaeq';
	CREATE FUNCTION dbs.code_ge(dbs.code, dbs.code) RETURNS bool LANGUAGE internal IMMUTABLE STRICT AS 'byteage';
	CREATE FUNCTION dbs.code_gt(dbs.code, dbs.code) RETURNS bool LANGUAGE internal IMMUTABLE STRICT AS 'byteagt';
	CREATE OPERATOR dbs.< (LEFTARG = dbs.code, RIGHTARG = dbs.code, FUNCTION = dbs.code_lt);
	CREATE OPERATOR dbs.<= (LEFTARG = dbs.code, RIGHTARG = dbs.code, FUNCTION = dbs.code_le);
	CREATE OPERATOR dbs.= (LEFTARG = dbs.code, RIGHTARG = dbs.code, FUNCTION = dbs.code_eq, COMMUTATOR = OPERATOR(dbs.=), MERGES);
	CREATE OPERATOR dbs.>= (LEFTARG = dbs.code, RIGHTARG = dbs.code, FUNCTION = dbs.code_ge);
	CREATE OPERATOR dbs.> (LEFTARG = dbs.code, RIGHTARG = dbs.code, FUNCTION = dbs.code_gt);
	CREATE OPERATOR CLASS dbs.code_ops DEFAULT FOR TYPE dbs.code USING btree AS OPERATOR 1 dbs.<, OPERATOR 2 dbs.<=,
		OPERATOR 3 dbs.=, OPERATOR 4 dbs.>=, OPERATOR 5 dbs.>, FUNCTION 1 dbs.code_cmp(dbs.code, dbs.code);
	CREATE TYPE dbs.color AS ENUM ('red', 'green', 'blue');
	CREATE TYPE dbs.pair AS (number int, name text);
	CREATE DOMAIN dbs.coded AS dbs.code;
	CREATE DOMAIN dbs.age AS int;

	CREATE TABLE dbs.people (zip varchar(10), age dbs.age, born date, dose numeric, code dbs.coded, color dbs.color, reading float8,
		place text, disease text, pair dbs.pair, many text[], tag char(4));
	INSERT INTO dbs.people SELECT '5370' || i % 4, 20 + i % 6, date '1970-01-01' + i % 5, CASE WHEN i % 2 = 0 THEN 1.0 ELSE 1.00 END,
		('c' || i % 4)::dbs.code, (ARRAY['red', 'green', 'blue']::dbs.color[])[1 + i % 3], CASE WHEN i % 2 = 0 THEN 0.0 ELSE '-0' END::float8,
		'p' || i % 3, 'd' || i % 5, ROW(i % 2, 'n')::dbs.pair, ARRAY['x'], 't' FROM generate_series(1, 240) i;
	CREATE TABLE zz.zips AS SELECT (53700 + i) AS zip, '5370*'::text AS four, '*'::varchar(3) AS top FROM generate_series(0, 3) i;
	CREATE TABLE zz.ages AS SELECT i::text AS age, i / 3 AS three, 1.0 AS top FROM generate_series(20, 25) i;
	CREATE TABLE zz.days AS SELECT (date '1970-01-01' + i)::text AS day, 1970 AS year FROM generate_series(0, 4) i;
	CREATE TABLE zz.codes AS SELECT ('c' || i)::dbs.coded AS code, ('c' || i / 2)::dbs.code AS half FROM generate_series(0, 3) i;
	CREATE TABLE zz.colors AS SELECT c::text AS color, 'any'::text AS any FROM unnest(enum_range(NULL::dbs.color)) c;
	CREATE TABLE zz.ills AS SELECT 'd' || i AS disease, 'k' || i / 3 AS kind, 'ill' AS top FROM generate_series(0, 4) i;
	SELECT kanon_set_attribute('dbs.people', 'zip', 'quasi_identifier', 'zz.zips'), kanon_set_attribute('dbs.people', 'age', 'quasi_identifier', 'zz.ages'),
		kanon_set_attribute('dbs.people', 'born', 'quasi_identifier', 'zz.days'), kanon_set_attribute('dbs.people', 'dose', 'quasi_identifier'),
		kanon_set_attribute('dbs.people', 'code', 'quasi_identifier', 'zz.codes'), kanon_set_attribute('dbs.people', 'color', 'quasi_identifier', 'zz.colors'),
		kanon_set_attribute('dbs.people', 'reading', 'quasi_identifier'), kanon_set_attribute('dbs.people', 'disease', 'sensitive', 'zz.ills'),
		kanon_set_attribute('dbs.people', 'pair', 'insensitive'), kanon_set_attribute('dbs.people', 'many', 'insensitive'),
		kanon_set_attribute('dbs.people', 'tag', 'insensitive');
});

# ---- without traps

my @texts = (
	"kanon_generalized_query('dbs.people', '{1,1,1,0,1,0,0}')",
	"kanon_generalized_query('dbs.people', '{1,1,1,0,1,1,0}', 3)",
	"kanon_generalized_query('dbs.people', '{2,2,1,1,1,0,1}', 3)",
	"kanon_generalized_query('dbs.people', '{0,0,0,0,0,0,0}', 1)",
	"kanon_generalized_query('dbs.people', '{2,1,1,0,1,1,1}', 3, models => '{\"distinct(disease, 2)\",\"closeness(disease, 0.9)\"}', person => 'place')",
);
my @clean = map { $node->safe_psql('clinic', $_) } map { $node->safe_psql('clinic', "SELECT public.$_") } @texts;
cmp_ok(length($clean[$_]), '>', 0, "$texts[$_] has rows") for 0 .. $#texts;

my %releases = (
	full_domain => "'full_domain', options => '{\"levels\": [2, 1, 1, 0, 1, 1, 0]}', suppression => 0.9, models => '{\"closeness(disease, 0.9)\"}'",
	plain => "'full_domain', options => '{\"levels\": [2, 1, 1, 0, 1, 1, 0]}', suppression => 0.9",
	local => "'local', models => '{\"closeness(disease, 0.9)\"}', suppression => 0.1, options => '{\"means\": true}'",
	mondrian => "'mondrian', options => '{\"means\": true, \"split\": \"infogain\", \"target\": \"disease\"}', models => '{\"closeness(disease, 0.9)\"}', person => 'place'",
	ring => "'ring', options => '{\"seed\": \"x\"}'",
	two_phase => "'two_phase', options => '{\"seed\": \"x\"}'");
sub create { my ($name, $recoding) = @_; return "SELECT public.kanon_create_release('dbs.$name', 'dbs.people', 3, $releases{$recoding})" }
$node->safe_psql('clinic', create($_, $_)) for sort keys %releases;
my %rows = map { $_ => $node->safe_psql('clinic', "TABLE dbs.$_") } keys %releases;

# ---- the traps

my $types = join ', ', map { "'$_'" } ('pg_catalog.int2', 'pg_catalog.int4', 'pg_catalog.int8', 'pg_catalog.numeric', 'pg_catalog.float8', 'pg_catalog.text',
	'pg_catalog.varchar', 'pg_catalog.bpchar', 'pg_catalog.name', 'pg_catalog.date', 'pg_catalog.bool', 'pg_catalog.regclass', 'pg_catalog.int4range',
	'pg_catalog.numrange', 'pg_catalog.daterange', 'pg_catalog.text[]', 'dbs.color', 'dbs.pair', 'dbs.code', 'dbs.coded', 'dbs.age');
$node->safe_psql('clinic', q{CREATE SCHEMA evil AUTHORIZATION mallory; GRANT USAGE ON SCHEMA evil TO PUBLIC});
$node->safe_psql('clinic', qq{
	CREATE FUNCTION evil.spring() RETURNS bool LANGUAGE plpgsql AS \$\$
	BEGIN RAISE EXCEPTION 'a trap was sprung with the rights of %', current_user; END \$\$;
	DO \$\$
	DECLARE
		l text; r text; o text; f text; s text;
	BEGIN
		FOREACH l IN ARRAY ARRAY[$types] LOOP
			FOREACH r IN ARRAY ARRAY[$types] LOOP
				EXECUTE format('CREATE FUNCTION evil.trap(%s, %s) RETURNS bool LANGUAGE sql AS ''SELECT evil.spring()''', l, r);
				FOREACH o IN ARRAY ARRAY['=', '<>', '<', '<=', '>', '>=', '*<', '~', '||'] LOOP
					FOREACH s IN ARRAY ARRAY['evil', 'dbs'] LOOP
						-- The superuser's own operators are there already.
						CONTINUE WHEN s = 'dbs' AND to_regoperator(format('dbs.%s (%s, %s)', o, l, r)) IS NOT NULL;
						EXECUTE format('CREATE OPERATOR %s.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = evil.trap)', s, o, l, r);
					END LOOP;
				END LOOP;
			END LOOP;
			FOREACH f IN ARRAY ARRAY['first_value', 'scale', 'count', 'dense_rank', 'unnest', 'format', 'kanon_view_cell', 'kanon_view_seed'] LOOP
				EXECUTE format('CREATE FUNCTION evil.%I(%s) RETURNS %s LANGUAGE plpgsql AS ''BEGIN PERFORM evil.spring(); RETURN NULL; END''', f, l, l);
			END LOOP;
			EXECUTE format('CREATE FUNCTION evil.array_cat(%s, pg_catalog.text) RETURNS bool LANGUAGE sql AS ''SELECT evil.spring()''', l);
			EXECUTE format('CREATE FUNCTION evil.kanon_view_cell(record, text, %s) RETURNS %s LANGUAGE plpgsql AS ''BEGIN PERFORM evil.spring(); RETURN NULL; END''', l, l);
		END LOOP;
		FOREACH f IN ARRAY ARRAY['text', 'name', 'date', 'int4range', 'daterange', 'numrange', 'regclass', 'bool', 'int4', 'float8', 'varchar', 'kanon_models', 'code'] LOOP
			EXECUTE format('CREATE DOMAIN evil.%I AS pg_catalog.text CHECK (evil.spring())', f);
		END LOOP;
		CREATE COLLATION evil."C" (LOCALE = 'POSIX');
		CREATE COLLATION evil."default" (LOCALE = 'POSIX');
		CREATE TABLE evil.pg_class (trap int); CREATE TABLE evil.people (trap int);
	END \$\$;
	ALTER OPERATOR FAMILY dbs.code_ops USING btree OWNER TO CURRENT_USER;
});
my $path = 'SET search_path = evil, dbs, pg_catalog, public';
my ($status, $out, $err) = $node->psql('clinic', "$path; SELECT 1 = 1");
like($err, qr/a trap was sprung with the rights of/, 'the traps spring');

# ---- with traps

for my $i (0 .. $#texts)
{
	my $text = $node->safe_psql('clinic', "$path; SELECT public.$texts[$i]");
	is($text, $node->safe_psql('clinic', "SELECT public.$texts[$i]"), "text $i is the same under any path");
	is($node->safe_psql('clinic', "$path; $text"), $clean[$i], "text $i gives the same under a hostile path");
}
for my $name (sort keys %releases)
{
	is($node->safe_psql('clinic', "$path; SET datestyle = 'German'; SET timezone = 'Asia/Tokyo'; SET extra_float_digits = -10; SET intervalstyle = 'sql_standard';"
		  . " REFRESH MATERIALIZED VIEW dbs.$name; RESET ALL; TABLE dbs.$name"), $rows{$name}, "$name refreshed under a hostile path and other settings");
	$node->safe_psql('clinic', "$path; " . create("trapped_$name", $name));
	is($node->safe_psql('clinic', "TABLE dbs.trapped_$name"), $rows{$name}, "$name made under a hostile path");
}
is($node->safe_psql('clinic', q{
	SELECT string_agg(DISTINCT d.refobjid::regprocedure::text, ', ') FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
	JOIN pg_proc p ON d.refclassid = 'pg_proc'::regclass AND p.oid = d.refobjid
	WHERE r.ev_class::regclass::text LIKE 'dbs.%' AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_proc'::regclass AND e.objid = p.oid AND e.deptype = 'e')
}), '', 'releases call functions of PostgreSQL and kanon alone');

# ---- dump and restore, with the dimensions' schema behind the releases'

$node->safe_psql('clinic', join '; ', map { "DROP MATERIALIZED VIEW dbs.trapped_$_" } sort keys %releases);
$node->safe_psql('clinic', q{DO $$ BEGIN EXECUTE (SELECT string_agg(format('DROP OPERATOR dbs.%s (%s, %s)', oprname, oprleft::regtype, oprright::regtype), '; ')
	FROM pg_operator WHERE oprnamespace = 'dbs'::regnamespace AND oprcode = ANY (SELECT oid FROM pg_proc WHERE pronamespace = 'evil'::regnamespace)); END $$;
	DROP SCHEMA evil CASCADE});
my $dump = $node->basedir . '/texts.sql';
$node->command_ok([ 'pg_dump', '-d', $node->connstr('clinic'), '-f', $dump ], 'pg_dump');
$node->command_ok([ 'psql', '-X', '-v', 'ON_ERROR_STOP=1', '-q', '-d', $node->connstr('copy'), '-f', $dump ], 'restore');
for my $name (sort keys %releases)
{
	is($node->safe_psql('copy', "TABLE dbs.$name"), $rows{$name}, "$name restored");
	is($node->safe_psql('copy', "SELECT pg_get_viewdef('dbs.$name') ~ 'zz\\.'"), 't', "$name names its dimensions");
	$node->psql('copy', 'ALTER TABLE zz.ages DROP COLUMN age', stderr => \my $refusal);
	like($refusal, qr/other objects depend on it/, 'the restored dimension is held');
}

$node->stop;
done_testing();
