# Attacks that once broke a commit: a hostile role that swaps schemas for traps which the call itself
# has named, owns the schema of kanon or adds to the extension, or wants the job of all to stop.
# Nobody's code may run with another's rights, and what others do beside it works.
#
#   ATTACK_SECONDS  of each race
use strict;
use warnings;

use FindBin;
use IO::Socket::UNIX;
use lib $FindBin::RealBin;

use Attack;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = attack_node('attack_more');
quietly('dba', q{
	GRANT CREATE ON DATABASE clinic TO mal; CREATE ROLE carol LOGIN; CREATE SCHEMA c AUTHORIZATION carol;
	GRANT USAGE ON SCHEMA b TO PUBLIC});
my $zips = q{SELECT '5370' || i AS zip, '537' AS zip3, '*' AS top FROM generate_series(0, 9) i};

# Statements that swap a schema for a trap, and back.
sub swaps
{
	my ($schema, $trap) = @_;
	return ("BEGIN; ALTER SCHEMA $schema RENAME TO away; ALTER SCHEMA $trap RENAME TO $schema; COMMIT",
		"BEGIN; ALTER SCHEMA $schema RENAME TO $trap; ALTER SCHEMA away RENAME TO $schema; COMMIT");
}

# Statements in a database of mal's, as a role: what they say.
sub elsewhere
{
	my ($role, $sql) = @_;
	my (undef, $out, $err) = $node->psql('installed', $sql, extra_params => [ '-U', $role, '-v', 'VERBOSITY=verbose', '-v', 'ON_ERROR_STOP=0' ], on_error_stop => 0);
	return $out . $err;
}

sub elsewhere_quietly
{
	my ($role, $sql) = @_;
	my $said = elsewhere($role, "SET client_min_messages = error; $sql");
	die "$role cannot prepare: $said\n$sql" if $said =~ /ERROR/;
}

# ---- A: the trap is what the call is about, under the name of its dimension

quietly('dba', "CREATE SCHEMA of_a AUTHORIZATION mal; CREATE TABLE of_a.zips AS $zips; GRANT USAGE ON SCHEMA of_a TO PUBLIC; GRANT SELECT ON of_a.zips TO PUBLIC");
quietly('mal', qq{
	CREATE SCHEMA trap_a; GRANT USAGE ON SCHEMA trap_a TO PUBLIC;
	CREATE VIEW trap_a.zips AS SELECT * FROM ($zips) z WHERE m.spy('view');
	GRANT SELECT ON trap_a.zips TO PUBLIC;
	SELECT kanon.kanon_set_attribute('trap_a.zips', 'zip', 'quasi_identifier', 'of_a.zips')});
# By its number, under whatever name.
my $trap = sql(q{SELECT 'trap_a.zips'::regclass::oid});
my @searches = map { "SELECT count(*) > 0 FROM kanon.kanon_$_" } "incognito($trap, 1)", "datafly($trap, 1)", "bottom_up($trap, 1)";
ran();
is(runs('mal', $searches[0]), 't', 'A: mal searches a relation of mal\'s with a superuser\'s dimension');
spring('A: the relation spies');
duel('A: a relation takes its dimension\'s name beside searches of it', 'clinic', 'mal', [ swaps('of_a', 'trap_a') ], 'mal', \@searches);
runs('mal', (swaps('of_a', 'trap_a'))[1]);
is(runs('mal', $searches[0]), 't', 'A: the search works when nobody swaps');
sound('A: .. and runs nobody\'s code as another role');

# ---- B: the owner of kanon's schema puts views in the place of its tables, and a call is about one

$node->safe_psql('postgres', 'CREATE DATABASE installed OWNER mal');
elsewhere_quietly('mal', q{
	CREATE SCHEMA kan; CREATE EXTENSION kanon SCHEMA kan; GRANT USAGE ON SCHEMA kan TO PUBLIC;
	CREATE SCHEMA trap; GRANT USAGE ON SCHEMA trap TO PUBLIC;
	CREATE SCHEMA m; GRANT USAGE ON SCHEMA m TO PUBLIC; CREATE SCHEMA b; GRANT ALL ON SCHEMA b TO bob;
	CREATE FUNCTION m.spy(what text) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS $$
	BEGIN RAISE LOG '%', concat('attack', ': ', what, ' of mal as ', current_user); RETURN true; END $$;
	CREATE FUNCTION m.calm(what text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM m.spy(what); RETURN what; END $$;
	CREATE VIEW trap.kanon_attribute AS SELECT * FROM kan.kanon_attribute WHERE (SELECT m.spy('kanon_attribute'));
	CREATE VIEW trap.kanon_release AS SELECT * FROM kan.kanon_release WHERE (SELECT m.spy('kanon_release'));
	GRANT ALL ON trap.kanon_attribute, trap.kanon_release TO PUBLIC;
	CREATE TABLE m.patients AS SELECT i AS id, i % 10 AS age, i % 3 AS ill FROM generate_series(1, 100) i;
	SELECT kan.kanon_declare('m.patients', quasi_identifiers => '{age}', sensitive => '{ill}', identifiers => '{id}');
	SELECT kan.kanon_create_release('m.study', 'm.patients', 3)});
my %trap = map { ($_ => $node->safe_psql('installed', "SELECT 'trap.kanon_$_'::regclass::oid")) } qw(attribute release);
my @checks = ("SELECT rows > 0 FROM kan.kanon_check($trap{attribute}, 1, '{attribute}')", "SELECT rows > 0 FROM kan.kanon_check($trap{release}, 1, '{k}')");
ran();
for my $check (@checks)
{
	is(elsewhere('mal', $check), 't', 'B: mal checks a view on a table of kanon\'s');
	spring('B: the view spies');
}
duel('B: views take the names of kanon\'s tables beside checks of them', 'installed', 'mal', [ swaps('kan', 'trap') ], 'mal', \@checks);
elsewhere('mal', (swaps('kan', 'trap'))[1]);
is(elsewhere('mal', "SELECT rows FROM kan.kanon_refresh_release('m.study')"), '100', 'B: kanon works when nobody swaps');
is(elsewhere('mal', $checks[0]), 't', 'B: so does a check of the view');
sound('B: .. and neither runs code as another role');

# ---- C: a view of mal's swaps schemas in the middle of a superuser's refresh of a dimension

quietly('dba', q{
	CREATE TABLE d.codes AS SELECT i AS id, 53700 + i % 20 AS zip, i % 3 AS ill FROM generate_series(1, 100) i;
	SELECT kanon.kanon_declare('d.codes', quasi_identifiers => '{zip}', sensitive => '{ill}', identifiers => '{id}');
	CREATE SCHEMA of_c AUTHORIZATION mal; GRANT USAGE ON SCHEMA of_c TO PUBLIC;
	SELECT kanon.kanon_create_dimension('of_c.zips', 'd.codes', 'zip', 'ranges', '{10}');
	GRANT SELECT ON of_c.zips TO PUBLIC});
quietly('mal', q{
	CREATE SCHEMA trap_c; GRANT ALL ON SCHEMA trap_c TO PUBLIC;
	CREATE TABLE trap_c.zips (LIKE of_c.zips); GRANT ALL ON trap_c.zips TO PUBLIC;
	CREATE FUNCTION trap_c.spring() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM m.spy('trigger'); RETURN NEW; END $$;
	CREATE TRIGGER t BEFORE INSERT ON trap_c.zips FOR EACH ROW EXECUTE FUNCTION trap_c.spring();
	CREATE TABLE m.moved AS SELECT i AS id, 53700 + i % 40 AS zip, i % 3 AS ill FROM generate_series(1, 100) i;
	CREATE VIEW m.moving AS SELECT id, zip, ill FROM m.moved;
	SELECT kanon.kanon_declare('m.moving', quasi_identifiers => '{zip}', sensitive => '{ill}', identifiers => '{id}');
	SELECT kanon.kanon_set_attribute('m.moving', 'zip', 'quasi_identifier', 'of_c.zips');
	CREATE FUNCTION m.swap() RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
	DECLARE
		trap oid := to_regclass('trap_c.zips');
	BEGIN
		PERFORM m.spy('view');
		IF trap IS NULL THEN RETURN true; END IF;
		BEGIN
			PERFORM kanon.kanon_check(trap::regclass, 2);
		EXCEPTION WHEN OTHERS THEN
			NULL;
		END;
		ALTER SCHEMA of_c RENAME TO away;
		ALTER SCHEMA trap_c RENAME TO of_c;
		PERFORM m.spy('swap');
		RETURN true;
	END $$;
	CREATE OR REPLACE VIEW m.moving AS SELECT id, zip, ill FROM m.moved WHERE (SELECT m.swap())});
ran();
my $said = runs('dba', "SELECT kanon.kanon_refresh_dimension('of_c.zips')");
note($said);
my @ran = ran();
is(join("\n", @ran), "swap of mal as mal\nview of mal as mal", 'C: schemas are swapped during a superuser\'s refresh of a dimension, whose rows go nowhere else');
unlike($said, qr/XX000|server closed/, 'C: .. without an internal error');
quietly('mal', 'CREATE OR REPLACE VIEW m.moving AS SELECT id, zip, ill FROM m.moved') if sql(q{SELECT to_regclass('trap_c.zips') IS NOT NULL}) eq 't';
quietly('dba', "SELECT kanon.kanon_refresh_dimension('of_c.zips')");
is(sql('SELECT count(*) FROM of_c.zips'), '40', 'C: the dimension is refreshed when the view is honest');
is(sql('SELECT count(*) FROM trap_c.zips'), '0', 'C: .. and nothing was inserted into the trap');
sound('C: .. nor run');

# ---- D: window functions read bob's dimension, while the call around them is about the trap

quietly('dba', "CREATE SCHEMA of_d AUTHORIZATION mal; CREATE TABLE of_d.zips AS $zips; ALTER TABLE of_d.zips OWNER TO bob; GRANT USAGE ON SCHEMA of_d TO bob");
quietly('bob', 'GRANT SELECT ON of_d.zips TO mal');
quietly('mal', qq{
	CREATE SCHEMA trap_d; GRANT USAGE ON SCHEMA trap_d TO PUBLIC;
	CREATE VIEW trap_d.zips AS SELECT * FROM ($zips) z WHERE m.spy('dimension');
	GRANT SELECT ON trap_d.zips TO PUBLIC;
	CREATE TABLE m.numbers AS SELECT 'trap_d.zips'::regclass::oid AS trap, 'of_d.zips'::regclass::oid AS dimension;
	CREATE TABLE m.ringed AS SELECT i AS id, '5370' || i % 10 AS zip FROM generate_series(1, 20) i;
	CREATE FUNCTION m.rings(times int) RETURNS int LANGUAGE plpgsql VOLATILE AS \$\$
	DECLARE
		n m.numbers;
		done int := 0;
	BEGIN
		SELECT * INTO n FROM m.numbers;
		PERFORM kanon.kanon_check(n.trap::regclass, 1, '{zip}');
		FOR i IN 1 .. times LOOP
			BEGIN
				PERFORM count(r) FROM (SELECT kanon.kanon_ring(2, p, '{zip}', ARRAY[n.dimension::regclass]) OVER () AS r FROM m.ringed p) q;
				done := done + 1;
			EXCEPTION WHEN OTHERS THEN
				NULL;
			END;
		END LOOP;
		RETURN done;
	END \$\$;
	CREATE VIEW m.ringing AS SELECT id, zip FROM m.ringed WHERE (SELECT m.rings(200) >= 0)});
my $window = "SELECT count(r) FROM (SELECT kanon.kanon_ring(2, p, '{zip}', '{of_d.zips}') OVER () AS r FROM m.ringed p) q";
is(runs('mal', $window), '20', 'D: mal\'s window function reads bob\'s dimension');
ran();
is(quietly('mal', 'SELECT m.rings(3)'), '3', 'D: .. in code of mal\'s as well');
spring('D: which checks the trap before');
duel('D: a schema is swapped beside window functions within a call', 'clinic', 'mal', [ swaps('of_d', 'trap_d') ], 'mal', ["SELECT kanon.kanon_digest('m.ringing')"]);
duel('D: a schema is swapped beside window functions alone', 'clinic', 'mal', [ swaps('of_d', 'trap_d') ], 'mal', ['SELECT m.rings(200)']);
runs('mal', (swaps('of_d', 'trap_d'))[1]);
is(runs('mal', $window), '20', 'D: the window function works when nobody swaps');
sound('D: .. and runs nobody\'s code');

# ---- G: the schema of a superuser's copy is swapped while the release's rows are read

quietly('bob', q{
	CREATE TABLE b.patients AS SELECT i AS id, 53700 + i % 10 AS zip, i % 3 AS ill FROM generate_series(1, 100) i;
	CREATE VIEW b.seen AS SELECT id, zip, ill FROM b.patients;
	SELECT kanon.kanon_declare('b.seen', quasi_identifiers => '{zip}', sensitive => '{ill}', identifiers => '{id}');
	SELECT kanon.kanon_create_release('b.study', 'b.seen', 3);
	CREATE FUNCTION b.slowly() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN CALL public.wait_for_gate(); RETURN true; END $$;
	CREATE OR REPLACE VIEW b.seen AS SELECT id, zip, ill FROM b.patients WHERE (SELECT b.slowly())});
quietly('mal', 'CREATE SCHEMA one; CREATE SCHEMA two; GRANT ALL ON SCHEMA one, two TO PUBLIC');
gate_shut();
ran();
my $copying = beside('dba', q{SELECT kanon.kanon_copy_release('b.study', 'one.copy', 'id')});
ok(until_holds($copying), 'G: a superuser\'s copy waits');
my $swapping = beside('mal', q{
	BEGIN;
	CREATE TABLE one.copy (person text, candidates int[]); GRANT ALL ON one.copy TO PUBLIC;
	CREATE FUNCTION one.spring() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM m.spy('trigger'); RETURN NEW; END $$;
	CREATE TRIGGER t BEFORE INSERT ON one.copy FOR EACH STATEMENT EXECUTE FUNCTION one.spring();
	CREATE TRIGGER r BEFORE INSERT ON one.copy FOR EACH ROW EXECUTE FUNCTION one.spring();
	ALTER SCHEMA one RENAME TO gone; ALTER SCHEMA two RENAME TO one;
	COMMIT});
note('G: the swap waits') if until_waits($swapping);
gate_open();
$said = finish($copying) . finish($swapping);
note($said);
unlike($said, qr/XX000|server closed/, 'G: no internal error');
sound('G: a schema is swapped beside a superuser\'s copy');
is(sql(q{SELECT count(*) FROM pg_class WHERE relname = 'copy' AND relowner = 'mal'::regrole
	AND pg_relation_size(oid) > 0}), '0', 'G: no table of mal\'s has a copy\'s rows');
quietly('dba', q{SELECT kanon.kanon_copy_release('b.study', 'b.copy', 'id')});
is(sql('SELECT count(*) FROM b.copy'), '100', 'G: a copy works in a schema that stays');
sound('G: .. and runs nobody\'s code');

# ---- H: the extension's owner adds a dimension of his to it

my $trusted = sub { elsewhere_quietly('dba', "LOAD 'kanon'; ALTER DATABASE installed $_[0]") };
$trusted->("SET kanon.trusted_owners = 'mal'");
elsewhere_quietly('mal', "CREATE TABLE m.zips AS $zips; GRANT SELECT ON m.zips TO PUBLIC");
elsewhere_quietly('bob', qq{
	CREATE TABLE b.patients AS SELECT i AS id, '5370' || i % 10 AS zip, i % 3 AS ill FROM generate_series(1, 100) i;
	SELECT kan.kanon_declare('b.patients', sensitive => '{ill}', identifiers => '{id}');
	SELECT kan.kanon_set_attribute('b.patients', 'zip', 'quasi_identifier', 'm.zips');
	SELECT kan.kanon_create_release('b.study', 'b.patients', 3, 'full_domain', options => '{"levels": [1]}');
	CREATE TABLE b.zips AS $zips;
	CREATE TABLE b.others AS TABLE b.patients;
	SELECT kan.kanon_declare('b.others', sensitive => '{ill}', identifiers => '{id}');
	SELECT kan.kanon_set_attribute('b.others', 'zip', 'quasi_identifier', 'b.zips');
	SELECT kan.kanon_create_release('b.own', 'b.others', 3, 'full_domain', options => '{"levels": [1]}')});
$trusted->('RESET kanon.trusted_owners');
elsewhere_quietly('mal', q{CREATE INDEX ON m.zips ((m.calm('index') || zip))});
my @refreshes = ('REFRESH MATERIALIZED VIEW b.study', "SELECT rows FROM kan.kanon_refresh_release('b.study')");
ran();
for my $added (0, 1)
{
	elsewhere_quietly('mal', 'ALTER EXTENSION kanon ADD TABLE m.zips') if $added;
	my $when = $added ? 'as a member of the extension' : 'before it is added to the extension';
	for my $refresh (@refreshes)
	{
		for my $role ('bob', 'dba')
		{
			my $said = elsewhere($role, $refresh);
			like($said, qr/ERROR/, "H: $refresh as $role, with an untrusted dimension $when, is refused");
			unlike($said, qr/XX000|server closed/, 'H: .. without an internal error');
			sound('H: .. and runs nobody\'s code');
		}
	}
	is(elsewhere('dba', 'REFRESH MATERIALIZED VIEW b.own'), '', "H: a release with a dimension of its owner's is refreshed");
}
elsewhere_quietly('mal', 'ALTER EXTENSION kanon DROP TABLE m.zips');
$trusted->("SET kanon.trusted_owners = 'mal'");
is(elsewhere('bob', $refreshes[1]), '100', 'H: whom a superuser trusts, serves');
sound('H: .. with code that runs as whose release it is', 'bob');

# ---- I: errors whose texts are too long to be recorded

my $entries = q{SELECT count(*) FROM kanon.kanon_release_history WHERE name = '%s' AND how = '%s'};
quietly('mal', q{
	CREATE TABLE m.loud AS SELECT i AS id, 53700 + i % 10 AS zip, i % 3 AS ill FROM generate_series(1, 100) i;
	CREATE VIEW m.shouting AS SELECT id, zip, ill FROM m.loud;
	SELECT kanon.kanon_declare('m.shouting', quasi_identifiers => '{zip}', sensitive => '{ill}', identifiers => '{id}');
	SELECT kanon.kanon_create_release('m.a_first', 'm.shouting', 3);
	CREATE FUNCTION m.shout() RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
	BEGIN
		RAISE EXCEPTION USING MESSAGE = repeat('x', 400000000), DETAIL = repeat('y', 400000000), HINT = repeat('z', 400000000);
	END $$;
	CREATE OR REPLACE VIEW m.shouting AS SELECT id, zip, ill FROM m.loud WHERE (SELECT m.shout())});
quietly('bob', q{
	CREATE TABLE b.others AS SELECT i AS id, 53700 + i % 10 AS zip, i % 3 AS ill FROM generate_series(1, 100) i;
	SELECT kanon.kanon_declare('b.others', quasi_identifiers => '{zip}', sensitive => '{ill}', identifiers => '{id}');
	SELECT kanon.kanon_create_release('b.z_last', 'b.others', 3);
	INSERT INTO b.others SELECT i, 53700 + i % 10, i % 3 FROM generate_series(101, 200) i});
$said = runs('dba', q{CALL kanon.kanon_refresh_releases()});
cmp_ok(length $said, '<', 20000, 'I: the job tells the beginning of a long error');
like($said, qr/xxxxx/, 'I: .. of the error that was raised');
is(sql('SELECT count(*) FROM b.z_last'), '200', 'I: the job refreshes the release after it');
is(sql(sprintf $entries, 'b.z_last', 'refreshed'), '1', 'I: .. of which the history has an entry');
is(sql(sprintf $entries, 'm.a_first', 'failed'), '1', 'I: .. and of the failure');
cmp_ok(sql(q{SELECT max(length(error)) FROM kanon.kanon_release_history}), '<=', 5000, 'I: .. in a few words');
quietly('mal', 'DROP VIEW m.shouting CASCADE');

# ---- J: a former member of bob's keeps a release by cohorts of bob's table

my $cohorts = "3, 'cohorts', options => '{\"key\": \"id\", \"leavers\": \"keep\", \"wait\": 0}'";
quietly('dba', 'GRANT bob TO carol; GRANT CREATE ON DATABASE clinic TO bob');
quietly('bob', qq{
	CREATE TABLE b.people AS SELECT i AS id, 20 + i % 5 AS age, i % 3 AS ill FROM generate_series(1, 100) i;
	SELECT kanon.kanon_declare('b.people', quasi_identifiers => '{age}', sensitive => '{ill}', identifiers => '{id}');
	SELECT kanon.kanon_create_release('b.night', 'b.people', $cohorts)});
quietly('carol', qq{
	GRANT ALL ON SCHEMA c TO bob; SET ROLE bob;
	SELECT kanon.kanon_create_release('c.hers', 'b.people', $cohorts);
	GRANT SELECT ON b.people TO carol;
	RESET ROLE;
	ALTER MATERIALIZED VIEW c.hers OWNER TO carol});
my $people = q{INSERT INTO b.people SELECT i, 20 + i %% 5, i %% 3 FROM generate_series(%d + 1, %1$d + 100) i};
my $refresh_both = sub {
	my ($count, $hers, $name) = @_;
	quietly('bob', sprintf $people, $count - 200);
	my $said = runs('bob', "SELECT count(*) FROM kanon.kanon_refresh_release('b.night')");
	note($said);
	unlike($said, qr/ERROR/, "J: bob refreshes his release, $name");
	is(sql('SELECT count(*) FROM b.night'), $count - 100, 'J: .. and it has the new people');
	quietly('bob', sprintf $people, $count - 100);
	note(runs('dba', 'CALL kanon.kanon_refresh_releases()'));
	is(sql('SELECT count(*) FROM b.night'), $count, 'J: .. as after the job of all');
	is(sql('SELECT count(*) FROM c.hers'), $hers, 'J: .. which fills hers as long as she is a member');
};
$refresh_both->(300, 300, 'while carol is a member');
quietly('dba', 'REVOKE bob FROM carol');
my @before = map { sql(sprintf $entries, $_, 'refreshed') } 'b.night', 'b.z_last';
$refresh_both->(500, 300, 'when carol has left');
is(sql(sprintf $entries, 'b.night', 'refreshed'), $before[0] + 2, 'J: the history has an entry of each');
is(sql(sprintf $entries, 'b.z_last', 'refreshed'), $before[1] + 1, 'J: .. and of another release in the job');
is(sql(q{SELECT count(*) FROM kanon.kanon_release_history WHERE name = 'b.night' AND error IS NOT NULL}), '0', 'J: .. and of no failure');
sound('J: and nobody\'s code ran as another role');

# ---- K. a client that binds named portals, as drivers with cursors do: there is no unnamed one

# What the server answers to a query in a named portal: data rows and errors, as text.
sub in_named_portal
{
	my ($role, $query) = @_;
	my $socket = IO::Socket::UNIX->new(Peer => $node->host . '/.s.PGSQL.' . $node->port) or die "no socket: $!";
	my $say = sub { my ($type, $body) = @_; print $socket $type . pack('N', length($body) + 4) . $body };
	my $answer = sub {
		my $all = '';
		while (read($socket, my $head, 5) == 5)
		{
			my ($type, $length) = unpack 'aN', $head;
			my $body = '';
			read $socket, $body, $length - 4 if $length > 4;
			$all .= "$type:" . $body =~ s/[^ -~]/./gr . "\n" if $type =~ /[DE]/;
			return $all if $type eq 'Z';
		}
		return $all . 'closed';
	};
	binmode $socket;
	$say->('', pack('N', 196608) . "user\0$role\0database\0clinic\0\0");
	$answer->();
	$say->('P', "\0$query\0" . pack 'n', 0);
	$say->('B', "named\0\0" . pack 'nnn', 0, 0, 0);
	$say->('E', "named\0" . pack 'N', 0);
	$say->('S', '');
	$socket->flush;
	return $answer->();
}
like(in_named_portal('dba', q{SELECT satisfied FROM kanon.kanon_check('b.night', 2)}), qr/^D:.*t$/m, 'K: a superuser asks about another\'s release in a named portal');
like(in_named_portal('dba', q{SELECT satisfied FROM kanon.kanon_refresh_release('b.night')}), qr/^D:.*t$/m, 'K: .. and refreshes it');
like(in_named_portal('dba', q{SELECT kanon.kanon_check('b.people', 2, '{nothing}')}), qr/^E:.*nothing/m, 'K: .. and gets an error');

is($node->safe_psql('postgres', 'SELECT string_agg(rolname, $$,$$) FROM pg_roles WHERE rolsuper AND rolname <> $$dba$$ AND oid <> 10'), '', 'nobody has become a superuser');
unlike(slurp_file($node->logfile), qr/was terminated by signal|PANIC|TRAP:/, 'the server stood');
$node->stop;
done_testing();
