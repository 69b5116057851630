# Attacks on those who work on behalf of others: jobs, refreshes, and a superuser's calls on
# relations and releases of a hostile role.  Whatever is called, nobody's code runs with the rights
# of another.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Attack;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = attack_node('attack_jobs');

my $cohorts = "'cohorts', options => '{\"key\": \"id\", \"leavers\": \"keep\"}'";

# ---- the job and cohorts

# A view that spies, and a release by cohorts of it.
quietly('mal', q{
	CREATE TABLE m.base AS SELECT i AS id, 20 + i % 20 AS age, 'd' || i % 7 AS disease FROM generate_series(1, 200) i;
	CREATE VIEW m.seen AS SELECT * FROM m.base WHERE m.spy('view')});
quietly('mal', qq{
	SELECT kanon.kanon_declare('m.seen', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}');
	SELECT kanon.kanon_create_release('m.kept', 'm.seen', 5, $cohorts);
	SELECT kanon.kanon_create_release('m.plain', 'm.seen', 5)});
spring('the owner\'s own release');

my $fillings = q{SELECT count(*) FROM kanon.kanon_release_history WHERE how = 'refreshed' AND name LIKE '%s'};
runs('dba', 'CALL kanon.kanon_refresh_releases()');
spring('a superuser\'s job, over cohorts of a view');
is(sql(sprintf $fillings, 'm.kept'), '1', '.. which is refreshed');
for my $how ('', ', "concurrently" => true', ', search => true', ', strict => true')
{
	runs('dba', "SELECT * FROM kanon.kanon_refresh_release('m.kept'$how)");
	spring("a superuser's refresh$how");
	runs('dba', "SELECT * FROM kanon.kanon_refresh_release('m.plain'$how)");
	spring("a superuser's refresh of a plain release$how");
}
runs('dba', 'CALL kanon.kanon_refresh_releases("concurrently" => true, search => true)');
spring('a job with all options');
runs('dba', "REFRESH MATERIALIZED VIEW m.$_") for qw(kept plain);
spring('plain REFRESH');

# A member of the owner's role has its rights, and no more of it than the owner has of him.
sql('CREATE ROLE chief LOGIN; GRANT mal TO chief');
runs('chief', 'CALL kanon.kanon_refresh_releases()');
spring('a job of a member');
# Somebody without rights moves nothing.
sql("GRANT SELECT ON ALL TABLES IN SCHEMA m TO steward");
my $night = sql('SELECT max(night) FROM kanon.kanon_cohort');
like(harmless('steward', "SELECT * FROM kanon.kanon_refresh_release('m.kept')", 'a stranger\'s refresh'), qr/42501/, '.. which is refused');
is(sql('SELECT max(night) FROM kanon.kanon_cohort'), $night, '.. before the cohorts advance');

# The cohorts' table is read as its owner: no row of another ward, none lost.
quietly('dba', q{
	CREATE TABLE d.hospital (id int, ward name, age int, disease text);
	INSERT INTO d.hospital SELECT i, CASE WHEN i % 2 = 0 THEN 'bob' ELSE 'mal' END, 20 + i % 10, 'd' || i % 7 FROM generate_series(1, 400) i;
	ALTER TABLE d.hospital ENABLE ROW LEVEL SECURITY;
	CREATE POLICY own_ward ON d.hospital USING (ward = current_user);
	GRANT USAGE ON SCHEMA d TO PUBLIC; GRANT SELECT ON d.hospital TO bob});
quietly('bob', q{
	CREATE VIEW b.mine AS SELECT * FROM d.hospital;
	SELECT kanon.kanon_declare('b.mine', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}', insensitive => '{ward}');
	SELECT kanon.kanon_create_release('b.by_cohorts', 'b.mine', 5, 'cohorts', options => '{"key": "id", "leavers": "withhold"}');
	SELECT kanon.kanon_create_release('b.by_mondrian', 'b.mine', 5)});
my $wards = q{SELECT count(*), string_agg(DISTINCT ward::text, ',') FROM %s};
for my $release ('b.by_cohorts', 'b.by_mondrian')
{
	is(sql(sprintf $wards, $release), '200|bob', "$release holds the owner's ward");
	runs('dba', "CALL kanon.kanon_refresh_releases('$release')");
	is(sql(sprintf $wards, $release), '200|bob', '.. after a superuser\'s job as well');
	runs('dba', "SELECT * FROM kanon.kanon_refresh_release('$release')");
	is(sql(sprintf $wards, $release), '200|bob', '.. and a superuser\'s refresh');
	is(quietly('bob', "SELECT rows FROM kanon.kanon_refresh_release('$release')"), '200', '.. and the owner\'s');
}

# ---- owners and releases change while the job waits for a lock

sql('GRANT USAGE, CREATE ON SCHEMA m TO bob');
my $number = 0;
for my $form ('CALL kanon.kanon_refresh_releases()', "SELECT * FROM kanon.kanon_refresh_release('KEPT')",
	"SELECT * FROM kanon.kanon_refresh_release('KEPT', \"concurrently\" => true)")
{
	my ($view, $kept) = map { $_ . ++$number } 'm.view', 'm.kept';
	my $call = $form =~ s/KEPT/$kept/r;
	my $restore = "ALTER VIEW $view OWNER TO mal; ALTER MATERIALIZED VIEW $kept OWNER TO mal";
	quietly('mal', qq{
		CREATE VIEW $view AS SELECT * FROM m.base WHERE m.spy('view');
		GRANT SELECT ON m.base, $view TO bob;
		SELECT kanon.kanon_declare('$view', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}');
		SELECT kanon.kanon_create_release('$kept', '$view', 5, $cohorts)});
	# What then runs is made for the new owner, who took it: never the superuser's.
	meet("$call, while the view gets another owner", 'dba', ["ALTER VIEW $view OWNER TO bob"], 'dba', $call, 'bob');
	sql($restore);
	meet("$call, while the release gets another owner", 'dba', ["ALTER MATERIALIZED VIEW $kept OWNER TO bob"], 'dba', $call, 'bob');
	sql($restore);
	meet("$call, while both get another owner", 'dba', [ "ALTER VIEW $view OWNER TO bob", "ALTER MATERIALIZED VIEW $kept OWNER TO bob" ], 'dba', $call, 'bob');
	sql($restore);
	# The hostile role makes what the call is about anew, under the old name.
	meet("$call, while the view is made anew", 'mal',
		[ "DROP VIEW $view CASCADE", "CREATE VIEW $view AS SELECT id + 1 AS id, age, disease FROM m.base WHERE m.spy('second view')" ], 'dba', $call);
}

# REFRESH waits while its release is made anew: what ends is what began.
quietly('dba', q{
	CREATE TABLE d.patients AS SELECT i AS id, i % 10 AS age, '5370' || i % 10 AS zip, 'd' || i % 5 AS disease FROM generate_series(1, 200) i;
	SELECT kanon.kanon_declare('d.patients', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}', insensitive => '{zip}');
	SELECT kanon.kanon_create_release('d.study', 'd.patients', 3)});
meet('a REFRESH whose release is made anew', 'dba',
	['DROP MATERIALIZED VIEW d.study', "SELECT kanon.kanon_create_release('d.study', 'd.patients', 4)"], 'dba', 'REFRESH MATERIALIZED VIEW d.study');
my $unended = 'SELECT count(*) FROM kanon.kanon_release_history WHERE seconds IS NULL AND error IS NULL';
my $before = sql($unended);
is($before, '0', '.. leaves no filling that has not ended');
meet('a refresh of kanon\'s whose release is made anew', 'dba',
	['DROP MATERIALIZED VIEW d.study', "SELECT kanon.kanon_create_release('d.study', 'd.patients', 4)"],
	'dba', "SELECT * FROM kanon.kanon_refresh_release('d.study')");
is(sql($unended), $before, '.. neither does that');

# DDL in a loop beside jobs.
my @loop = map {
	(   q{CREATE OR REPLACE VIEW m.seen AS SELECT id, age, disease FROM m.base WHERE m.spy('looping view')},
		q{CREATE INDEX looped ON m.base (m.calm('looping index'))},
		'ALTER MATERIALIZED VIEW m.plain RENAME TO plainer; ALTER MATERIALIZED VIEW m.plainer RENAME TO plain',
		'DROP INDEX m.looped')
} 1 .. 15;
my $looping = beside('mal', @loop);
runs('dba', 'CALL kanon.kanon_refresh_releases()') for 1 .. 4;
runs('dba', q{SELECT * FROM kanon.kanon_refresh_release('m.kept'); SELECT satisfied FROM kanon.kanon_check('m.base', 3, '{age}')}) for 1 .. 6;
finish($looping);
sound('DDL in a loop beside jobs');
quietly('mal', q{DROP INDEX IF EXISTS m.looped});

# One owner does not stop the job of all.
quietly('mal', q{
	CREATE TABLE m.failing (sqlstate text);
	CREATE FUNCTION m.fail() RETURNS boolean LANGUAGE plpgsql AS $$
	DECLARE wanted text := (SELECT min(sqlstate) FROM m.failing);
	BEGIN
		IF wanted IS NOT NULL THEN RAISE EXCEPTION 'stop' USING ERRCODE = wanted; END IF;
		RETURN true;
	END $$;
	CREATE VIEW m.stopping AS SELECT * FROM m.base WHERE m.fail();
	SELECT kanon.kanon_declare('m.stopping', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}');
	SELECT kanon.kanon_create_release('m.a_first', 'm.stopping', 3)});
quietly('dba', q{SELECT kanon.kanon_create_release('d.z_last', 'd.patients', 3)});
for my $sqlstate ('57014', '57P01', '57P05', '40P01', '40001', 'XX000', '53200', '25P02', 'P0004')
{
	quietly('mal', "TRUNCATE m.failing; INSERT INTO m.failing VALUES ('$sqlstate')");
	my $before = sql(sprintf $fillings, 'd.z_last');
	my $said = runs('dba', 'CALL kanon.kanon_refresh_releases()');
	is(sql(sprintf $fillings, 'd.z_last'), $before + 1, "a view that raises $sqlstate stops no other's refresh") or note($said);
}
# Nor reads its author what a copy's people are known by, which kanon_copy keeps from him.
quietly('mal', q{
	CREATE FUNCTION m.look() RETURNS boolean LANGUAGE plpgsql AS $$
	DECLARE
		context text;
	BEGIN
		GET DIAGNOSTICS context = PG_CONTEXT;
		RAISE LOG '%', concat('overheard', ': ', replace(context, E'\\n', ' '));
		RETURN true;
	END $$;
	CREATE VIEW m.looking AS SELECT * FROM m.base WHERE m.look();
	GRANT SELECT ON m.looking TO steward;
	SELECT kanon.kanon_declare('m.looking', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}')});
quietly('steward', q{
	SELECT kanon.kanon_create_release('s.of_looking', 'm.looking', 3);
	SELECT kanon.kanon_copy_release('s.of_looking', 's.copied', 'id');
	SELECT kanon.kanon_check_releases('m.looking', '{s.of_looking,s.copied}')});
my $secret = sql(q{SELECT secret FROM kanon.kanon_copy_state WHERE copy = 's.copied'::regclass});
my @overheard = slurp_file($node->logfile) =~ /LOG:  overheard: (.*)/g;
cmp_ok(scalar @overheard, '>', 0, 'code of a view reads the statements that run it');
is(scalar(grep { index($_, $secret) >= 0 } @overheard), 0, '.. in which no secret is');
quietly('steward', 'DROP MATERIALIZED VIEW s.of_looking; DROP TABLE s.copied');
# A superuser still can end the job.
like(runs('dba', q{SET statement_timeout = 1; CALL kanon.kanon_refresh_releases()}), qr/57014/, 'the caller\'s own limit ends the job');
quietly('mal', 'DROP VIEW m.stopping CASCADE');

# ---- dimensions refreshed by a superuser

trust('mal');
quietly('mal', q{
	CREATE TABLE m.mine AS SELECT '5370' || i % 5 AS zip FROM generate_series(1, 20) i;
	SELECT kanon.kanon_create_dimension('m.zips', 'm.mine', 'zip', 'digits');
	GRANT SELECT ON m.zips TO PUBLIC;
	CREATE FUNCTION m.trap() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM m.spy('trigger ' || TG_NAME); RETURN NEW; END $$});
quietly('dba', q{SELECT kanon.kanon_set_attribute('d.patients', 'zip', 'quasi_identifier', 'm.zips')});
ran();

# Each of them alone; refused or run as the owner.
for my $trap (
	[ 'a trigger of the statement', 'CREATE TRIGGER t BEFORE INSERT ON m.zips FOR EACH STATEMENT EXECUTE FUNCTION m.trap()', 'DROP TRIGGER t ON m.zips' ],
	[ 'a trigger of the row', 'CREATE TRIGGER t BEFORE INSERT ON m.zips FOR EACH ROW EXECUTE FUNCTION m.trap()', 'DROP TRIGGER t ON m.zips' ],
	[ 'a trigger afterwards', 'CREATE TRIGGER t AFTER INSERT ON m.zips FOR EACH ROW EXECUTE FUNCTION m.trap()', 'DROP TRIGGER t ON m.zips' ],
	[ 'a trigger with a condition', q{CREATE TRIGGER t AFTER INSERT ON m.zips FOR EACH ROW WHEN (m.spy('condition')) EXECUTE FUNCTION m.trap()}, 'DROP TRIGGER t ON m.zips' ],
	[ 'a trigger at the end', 'CREATE CONSTRAINT TRIGGER t AFTER INSERT ON m.zips DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION m.trap()', 'DROP TRIGGER t ON m.zips' ],
	[ 'a deferrable trigger', 'CREATE CONSTRAINT TRIGGER t AFTER INSERT ON m.zips DEFERRABLE FOR EACH ROW EXECUTE FUNCTION m.trap()', 'DROP TRIGGER t ON m.zips' ],
	[ 'a constraint', q{ALTER TABLE m.zips ADD CONSTRAINT c CHECK (m.spy('constraint'))}, 'ALTER TABLE m.zips DROP CONSTRAINT c' ],
	[ 'a rule', q{CREATE RULE r AS ON INSERT TO m.zips DO ALSO SELECT m.spy('rule')}, 'DROP RULE r ON m.zips' ],
	[ 'a rule instead', q{CREATE RULE r AS ON INSERT TO m.zips DO INSTEAD SELECT m.spy('rule')}, 'DROP RULE r ON m.zips' ],
	[ 'an index', q{CREATE INDEX i ON m.zips (m.calm('index'), m.calm(zip))}, 'DROP INDEX m.i' ],
	[ 'a partial index', q{CREATE INDEX i ON m.zips (zip) WHERE m.calm('predicate') = 'predicate'}, 'DROP INDEX m.i' ],
	[ 'statistics', q{CREATE STATISTICS m.st ON m.calm('statistics'), (zip || '') FROM m.zips}, 'DROP STATISTICS m.st' ])
{
	my ($what, $set, $clear) = @$trap;
	for my $call (q{SELECT kanon.kanon_refresh_dimension('m.zips')},
		q{BEGIN; SET CONSTRAINTS ALL DEFERRED; SELECT kanon.kanon_refresh_dimension('m.zips'); COMMIT})
	{
		quietly('mal', "DELETE FROM m.zips; $set");
		# Who is trusted, or owns nothing more than an index, lets the planner run code for readers.
		harmless('dba', $call, $what, $what =~ /index|statistics/ ? 'dba' : ());
		quietly('mal', $clear);
	}
	quietly('mal', $set);
	harmless('mal', q{SELECT kanon.kanon_refresh_dimension('m.zips')}, "$what, by its owner");
	quietly('mal', $clear);
}
quietly('mal', 'DELETE FROM m.zips');
is(runs('dba', q{SELECT kanon.kanon_refresh_dimension('m.zips')}), '10', 'without traps, the values of all relations are added');
like(harmless('steward', q{SELECT kanon.kanon_refresh_dimension('m.zips')}, 'a stranger\'s refresh of it'), qr/42501/, '.. which is refused');
is(sql(q{SELECT count(*) FROM m.zips}), '10', '.. and adds nothing');

# The owner of a view that is declared with it.
quietly('bob', q{
	CREATE TABLE b.stays AS SELECT '5371' || i % 3 AS zip, i AS age FROM generate_series(1, 9) i});
own_code('bob', 'b');
quietly('bob', q{CREATE VIEW b.seen AS SELECT * FROM b.stays WHERE b.spy('another\'s view')} =~ s/\\'/''/gr);
runs('bob', q{SELECT kanon.kanon_set_attribute('b.seen', 'zip', 'quasi_identifier', 'm.zips')});
harmless('dba', q{SELECT kanon.kanon_refresh_dimension('m.zips')}, 'a dimension of several owners');
harmless('mal', q{SELECT kanon.kanon_refresh_dimension('m.zips')}, '.. by its owner');
trust();

# ---- a superuser's calls on plain tables: casts, domains, enums, composite types

quietly('mal', q{
	CREATE TYPE m.letter AS ENUM ('a', 'b', 'c', 'd');
	CREATE FUNCTION m.letter_text(m.letter) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM m.spy('cast of enum'); RETURN enum_out($1)::text; END $$;
	CREATE CAST (m.letter AS text) WITH FUNCTION m.letter_text(m.letter);
	CREATE FUNCTION m.fine(text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN m.spy('check of domain'); END $$;
	CREATE DOMAIN m.word AS text CHECK (m.fine(VALUE));
	CREATE DOMAIN m.twice AS m.word CHECK (m.fine(VALUE));
	CREATE TYPE m.pair AS (x int, y int);
	CREATE FUNCTION m.pair_text(m.pair) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM m.spy('cast of row'); RETURN 'p' || $1.x; END $$;
	CREATE CAST (m.pair AS text) WITH FUNCTION m.pair_text(m.pair);
	CREATE FUNCTION m.distance(float8, float8) RETURNS float8 LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM m.spy('distance of range'); RETURN $1 - $2; END $$;
	CREATE TYPE m.span AS RANGE (SUBTYPE = float8, SUBTYPE_DIFF = m.distance);
	CREATE FUNCTION m.less(m.letter, m.letter) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM m.spy('operator'); RETURN enum_lt($1, $2); END $$;
	CREATE OPERATOR m.< (LEFTARG = m.letter, RIGHTARG = m.letter, FUNCTION = m.less);
	CREATE OPERATOR m.= (LEFTARG = m.letter, RIGHTARG = m.letter, FUNCTION = m.less);
	CREATE TABLE m.typed (id int, e m.letter, w m.word, v m.twice, p m.pair, r m.span, n int, s text);
	INSERT INTO m.typed SELECT i, ('{a,b,c,d}'::m.letter[])[1 + i % 4], 'v' || i % 3, 'v' || i % 2, row(i % 2, 0)::m.pair,
		m.span(i % 3, i % 3 + 1), i % 5, 's' || i % 4 FROM generate_series(1, 60) i;
	ANALYZE m.typed;
	CREATE TABLE m.letters (g m.letter, l1 m.letter, l2 m.word); INSERT INTO m.letters VALUES ('a', 'a', '*'), ('b', 'a', '*'), ('c', 'c', '*'), ('d', 'c', '*');
	CREATE TABLE m.words (g m.word, l1 m.twice); INSERT INTO m.words VALUES ('v0', '*'), ('v1', '*'), ('v2', '*');
	SELECT kanon.kanon_set_attribute('m.typed', 'e', 'quasi_identifier', 'm.letters'), kanon.kanon_set_attribute('m.typed', 'w', 'quasi_identifier', 'm.words');
	SELECT kanon.kanon_declare('m.typed', quasi_identifiers => '{n}', sensitive => '{s}', identifiers => '{id}', insensitive => '{v}');
	GRANT SELECT ON ALL TABLES IN SCHEMA m TO PUBLIC; GRANT CREATE ON SCHEMA m TO dba});
ran();
my @on_table = (
	"SELECT * FROM kanon.kanon_check('REL', 2)", "SELECT * FROM kanon.kanon_check('REL', 2, '{e,w,p}', '{\"distinct(v, 1)\",\"closeness(n, 0.9)\"}')",
	"SELECT * FROM kanon.kanon_classes('REL', 2)", "SELECT * FROM kanon.kanon_risk('REL')", "SELECT * FROM kanon.kanon_risk('REL', '{e,w}', 'REL')",
	"SELECT * FROM kanon.kanon_sample_uniques('REL', '{e,w,v,p,n}')", "SELECT * FROM kanon.kanon_special_uniques('REL', 'id', '{e,w,v,p,n}')",
	"SELECT * FROM kanon.kanon_incognito('REL', 2)", "SELECT * FROM kanon.kanon_bottom_up('REL', 2, '{e,n}')",
	"LOAD 'kanon'; SET kanon.ground_scan = group_by; SELECT * FROM kanon.kanon_incognito('REL', 2)",
	"SELECT * FROM kanon.kanon_check_dimension('m.letters', 'REL', 'e')", "SELECT * FROM kanon.kanon_check_dimension('m.words', 'REL', 'w')",
	"SELECT kanon.kanon_generalized_query('REL', '{1,1,1}', 2)", "SELECT kanon.kanon_matching_bound('REL', 2)",
	"SELECT kanon.kanon_grow_tree('REL', 2)", "SELECT kanon.kanon_local_tree('REL', 2)", "SELECT kanon.kanon_rules_query(kanon.kanon_local_tree('REL', 2), 'REL')",
	"SELECT kanon.kanon_digest('REL')", "SELECT * FROM kanon.kanon_compare('REL', '{2}')",
	"SELECT length(kanon.kanon_plot('tradeoff', 'REL', '{2,3}'))", "SELECT length(kanon.kanon_plot('classes', 'REL'))",
	(map { "SELECT kanon.kanon_create_dimension('m.made_$_->[0]', 'REL', '$_->[0]', '$_->[1]')" } [ 'v', 'suppress' ], [ 'n', 'suppress' ], [ 'p', 'suppress' ], [ 'r', 'suppress' ], [ 'v', 'digits' ]));
harmless_all('dba', [ map { s/REL/m.typed/gr } @on_table ], 'a superuser\'s calls on a hostile table');
quietly('mal', q{SELECT kanon.kanon_unset_attribute('m.typed', a) FROM unnest('{v,p,r}'::name[]) a;
	SELECT kanon.kanon_declare('m.typed', insensitive => '{v}')});

# With all of it beneath a view, the same, where casts run in any case: as mal.
quietly('mal', q{
	CREATE VIEW m.watched AS SELECT id, e, w, v, n, s FROM m.typed WHERE m.spy('view');
	SELECT kanon.kanon_set_attribute('m.watched', 'e', 'quasi_identifier', 'm.letters'), kanon.kanon_set_attribute('m.watched', 'w', 'quasi_identifier', 'm.words');
	SELECT kanon.kanon_declare('m.watched', quasi_identifiers => '{n}', sensitive => '{s}', identifiers => '{id}', insensitive => '{v}');
	CREATE TABLE m.guarded AS SELECT id, e, w, v, n, s FROM m.typed;
	ALTER TABLE m.guarded ENABLE ROW LEVEL SECURITY;
	CREATE POLICY spying ON m.guarded USING (m.spy('policy'));
	SELECT kanon.kanon_set_attribute('m.guarded', 'e', 'quasi_identifier', 'm.letters'), kanon.kanon_set_attribute('m.guarded', 'w', 'quasi_identifier', 'm.words');
	SELECT kanon.kanon_declare('m.guarded', quasi_identifiers => '{n}', sensitive => '{s}', identifiers => '{id}', insensitive => '{v}');
	GRANT SELECT ON m.watched, m.guarded TO PUBLIC});
for my $relation ('m.watched', 'm.guarded')
{
	harmless_all('dba', [ map { s/REL/$relation/gr =~ s/\{e,w,p\}/{e,w}/r =~ s/,v,p,n/,v,n/r } grep { !/create_dimension/ } @on_table ], "a superuser's calls on $relation");
}

# ---- a superuser's calls on releases

for my $relation ('m.typed', 'm.watched', 'm.guarded')
{
	for my $recoding ("'mondrian'", "'relaxed_mondrian'", "'full_domain', options => '{\"levels\": [1, 1, 1]}', suppression => 0.5", "'full_domain', suppression => 0.9",
		"'ring'", "'two_phase'", $cohorts)
	{
		my $name = "$recoding of $relation";
		harmless('dba', "SELECT kanon.kanon_create_release('m.r', '$relation', 2, $recoding)", "$name, made by a superuser");
		is(sql(q{SELECT relowner::regrole FROM pg_class WHERE oid = to_regclass('m.r')}), 'mal', '.. belongs to the relation\'s owner')
		  if $relation ne 'm.guarded';
		harmless_all('dba', [
			"SELECT * FROM kanon.kanon_refresh_release('m.r')", "REFRESH MATERIALIZED VIEW m.r",
			"SELECT * FROM kanon.kanon_quality('m.r', predicates => '{n > 2}')", "SELECT * FROM kanon.kanon_query_errors('m.r', '{n > 2}')",
			"SELECT * FROM kanon.kanon_check('m.r')", "SELECT * FROM kanon.kanon_check_matchings('m.r')", "SELECT length(kanon.kanon_report('m.r'))",
			"SELECT length(kanon.kanon_plot('history', 'm.r'))", "SELECT length(kanon.kanon_plot('classes', 'm.r'))",
			"SELECT kanon.kanon_copy_release('m.r', 'm.copied', 'id')", "SELECT * FROM kanon.kanon_check_releases('$relation', '{m.r,m.copied}')",
			"SELECT * FROM kanon.kanon_check_releases('$relation', '{m.r}', key => 'id')",
			"SELECT kanon.kanon_replace_release('m.r', k => 3)", "SELECT kanon.kanon_replace_release('m.r', quasi_identifiers => '{n}')",
			"SELECT kanon.kanon_adopt_release('m.r')", "SELECT kanon.kanon_adopt_cohorts('$relation')",
			"SELECT kanon.kanon_drop_release('m.r')" ], "$name: a superuser's calls on it");
		quietly('dba', 'DROP MATERIALIZED VIEW IF EXISTS m.r; DROP TABLE IF EXISTS m.copied');
	}
}

# ---- what hostile code leaves behind

quietly('mal', q{
	CREATE FUNCTION m.litter() RETURNS boolean LANGUAGE plpgsql AS $$
	DECLARE
		command text;
	BEGIN
		PERFORM m.spy('litter');
		FOREACH command IN ARRAY ARRAY[
			'SELECT set_config(''search_path'', ''m, pg_catalog'', false)', 'SET row_security = off', 'SET statement_timeout = ''1h''', 'SET lock_timeout = ''1h''',
			'SET DateStyle = ''German''', 'SET default_tablespace = ''''', 'SET kanon.ground_scan = group_by', 'SET constraint_exclusion = on', 'SET ROLE mal',
			'SET SESSION AUTHORIZATION mal', 'RESET ROLE', 'RESET SESSION AUTHORIZATION', 'SET session_replication_role = replica',
			'CREATE TEMP TABLE pg_class (oid oid)', 'CREATE TEMP VIEW kanon_release AS SELECT 1', 'CREATE FUNCTION pg_temp.lower(text) RETURNS text LANGUAGE sql AS ''SELECT $1''',
			'PREPARE left_over AS SELECT 1', 'LISTEN left_over', 'DISCARD PLANS', 'SET TRANSACTION READ ONLY', 'SET CONSTRAINTS ALL DEFERRED',
			'DECLARE left_over CURSOR WITH HOLD FOR SELECT m.spy(''cursor'')', 'SET my.own = ''left over''', 'LOAD ''plpgsql'''] LOOP
			BEGIN EXECUTE command; EXCEPTION WHEN OTHERS THEN NULL; END;
		END LOOP;
		RETURN true;
	END $$;
	CREATE VIEW m.littered AS SELECT * FROM m.base WHERE m.litter();
	SELECT kanon.kanon_declare('m.littered', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}')});
quietly('mal', qq{
	SELECT kanon.kanon_create_release('m.$_->[0]', 'm.littered', 3, $_->[1])})
  for [ 'litter_m', "'mondrian'" ], [ 'litter_f', "'full_domain', options => '{\"levels\": [0]}'" ], [ 'litter_c', $cohorts ];
ran();
my $state = q{
	SELECT concat_ws(' ', current_user, session_user, (SELECT string_agg(name || '=' || setting, ',' ORDER BY name) FROM pg_settings WHERE source = 'session'),
		(SELECT count(*) FROM pg_catalog.pg_class WHERE relnamespace = pg_my_temp_schema()), (SELECT count(*) FROM pg_prepared_statements),
		(SELECT count(*) FROM pg_cursors WHERE is_holdable), (SELECT count(*) FROM pg_listening_channels()), nullif(current_setting('my.own', true), ''))};
# psql's -c's of one session, so that each call is a transaction.
sub leaves_nothing
{
	my ($call) = @_;
	ran();
	my $session = beside('dba', "LOAD 'kanon'", $state, $call, $state, $call, $state);
	finish($session);
	my @states = grep { /^dba/ } split /\n/, ${ $session->{out} };
	is(scalar @states, 3, "$call: ends with its session") or note(${ $session->{err} });
	is($states[$_], $states[0], '.. and leaves nothing in it') for 1, 2;
	sound('.. nor runs with its rights');
}
leaves_nothing($_)
  for 'CALL kanon.kanon_refresh_releases()', "SELECT rows FROM kanon.kanon_refresh_release('m.litter_m')", "SELECT rows FROM kanon.kanon_refresh_release('m.litter_c')",
  "SELECT rows FROM kanon.kanon_refresh_release('m.litter_f', search => true)", "SELECT rows FROM kanon.kanon_refresh_release('m.litter_m', \"concurrently\" => true)",
  "SELECT satisfied FROM kanon.kanon_check('m.littered', 2)", "SELECT count(*) FROM kanon.kanon_incognito('m.littered', 2)",
  "SELECT count(*) FROM kanon.kanon_compare('m.littered', '{2}')", "SELECT length(kanon.kanon_report('m.litter_m'))",
  "SELECT kanon.kanon_replace_release('m.litter_m', k => 4)", "SELECT kanon.kanon_digest('m.littered')", "SELECT rows FROM kanon.kanon_quality('m.litter_f')",
  "SELECT satisfied FROM kanon.kanon_check_releases('m.littered', '{m.litter_f}', key => 'id')";

# A failing call leaves nothing either.
quietly('mal', q{
	CREATE FUNCTION m.litter_and_fail() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM m.litter(); RAISE EXCEPTION 'failed'; END $$;
	CREATE VIEW m.failing_view AS SELECT * FROM m.base WHERE m.litter_and_fail();
	SELECT kanon.kanon_declare('m.failing_view', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}')});
leaves_nothing("SELECT satisfied FROM kanon.kanon_check('m.failing_view', 2)");
leaves_nothing("DO \$\$ BEGIN PERFORM kanon.kanon_check('m.failing_view', 2); EXCEPTION WHEN OTHERS THEN NULL; END \$\$");

is(sql('SELECT string_agg(rolname, $$,$$) FROM pg_roles WHERE rolsuper AND rolname <> $$dba$$ AND oid <> 10'), '', 'nobody has become a superuser');
$node->stop;
done_testing();
