# An analysts' server fed by logical replication from a hospital's: releases by cohorts in
# tables send a night's difference and nothing of the source, to a server that has no kanon.
# Also what stops a subscription, whoever tries to write while a release is filled, and a
# managed service, where nobody can install kanon: rows go to a server that has it, and
# releases come back.
#   REPLICATION_NIGHTS  random nights (12)
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $nights = $ENV{REPLICATION_NIGHTS} || 12;

sub server
{
	my ($name) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);
	$node->init(allows_streaming => 'logical');
	$node->append_conf('postgresql.conf', "autovacuum = off\nclient_min_messages = warning\nmax_prepared_transactions = 1\n");
	$node->start;
	return $node;
}

my $hospital = server('hospital');
my $analysts = server('analysts');
$hospital->safe_psql('postgres', 'CREATE DATABASE clinic');
$analysts->safe_psql('postgres', 'CREATE DATABASE warehouse; CREATE ROLE analyst');

sub at_hospital { return $hospital->safe_psql('clinic', $_[0]) }
sub at_analysts { return $analysts->safe_psql('warehouse', $_[0]) }
sub error_at_hospital { return ($hospital->psql('clinic', $_[0]))[2] }

# Where the page has the name of a machine, the tests have the address of a server.
sub at
{
	my ($statement, $host, $node, $database) = @_;
	my $place = $node->connstr($database);
	$place =~ s/'/''/g if $statement =~ /CONNECTION/;
	$statement =~ s/host=$host dbname=$database user=courier/$place user=courier/;
	$statement =~ s/host=$host dbname=$database/$place/;
	return $statement;
}

# ---- the hospital makes the release and publishes it
at_hospital(q{
	CREATE EXTENSION kanon;
	CREATE TABLE clinic (id int PRIMARY KEY, age int, zipcode text, disease text, secret text DEFAULT 'never to be seen');
	INSERT INTO clinic
	SELECT i, 20 + i * 7 % 60, (ARRAY['53703', '53706', '53711', '53712'])[1 + i % 4], (ARRAY['flu', 'cold', 'asthma', 'diabetes', 'flu', NULL])[1 + i % 6]
	FROM generate_series(1, 40) i;
	SELECT kanon_declare('clinic', identifiers => '{id,secret}', quasi_identifiers => '{age, zipcode}', sensitive => '{disease}')});
at_hospital(
	q{
SELECT kanon_create_release('nightly', 'clinic', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "storage": "table"}');
});
at_hospital(q{
CREATE ROLE courier LOGIN REPLICATION;
GRANT SELECT ON nightly TO courier;
CREATE PUBLICATION nights FOR TABLE nightly;
});
is(at_hospital(q{SELECT relreplident FROM pg_class WHERE relname = 'nightly'}), 'f', 'rows are identified by all their values');

# ---- the analysts' server subscribes
my $definition = at('pg_dump --section=pre-data --no-owner --no-privileges --table=nightly "host=hospital dbname=clinic" | psql warehouse', 'hospital', $hospital, 'clinic');
{
	local $ENV{PGHOST} = $analysts->host;
	local $ENV{PGPORT} = $analysts->port;
	$definition =~ s/psql warehouse/psql -X -q -v ON_ERROR_STOP=1 warehouse/;
	is(system('bash', '-c', "set -o pipefail; $definition > /dev/null"), 0, 'the definition of the table arrives');
}
at_analysts(at(q{
CREATE SUBSCRIPTION nights CONNECTION 'host=hospital dbname=clinic user=courier' PUBLICATION nights;
}, 'hospital', $hospital, 'clinic'));
at_analysts(q{
CREATE VIEW nights AS SELECT age, zipcode, disease FROM nightly;
GRANT SELECT ON nights TO analyst;
});
at_analysts(q{
CREATE INDEX ON nightly (age, zipcode, disease);
});
$analysts->wait_for_subscription_sync($hospital, 'nights', 'warehouse');
is(at_analysts(q{SELECT count(*) FROM pg_extension WHERE extname = 'kanon'}), 0, 'without kanon');

# What both hold, with the multiplicity of rows
my $contents = q{SELECT n::text, count(*) FROM nightly n GROUP BY n::text ORDER BY 1};
my $changes = q{SELECT count(*) FILTER (WHERE get_byte(data, 0) = ascii('I')) || '+' || count(*) FILTER (WHERE get_byte(data, 0) = ascii('D'))
	|| CASE WHEN count(*) FILTER (WHERE chr(get_byte(data, 0)) NOT IN ('I', 'D', 'B', 'C', 'R')) > 0 THEN ' and others' ELSE '' END
	FROM pg_logical_slot_get_binary_changes('changes', NULL, NULL, 'proto_version', '1', 'publication_names', 'nights')};
at_hospital(q{SELECT pg_create_logical_replication_slot('changes', 'pgoutput'), pg_create_logical_replication_slot('everything', 'test_decoding')});

sub arrives
{
	my ($what) = @_;
	$hospital->wait_for_catchup('nights');
	is(at_analysts($contents), at_hospital($contents), $what);
	return;
}

sub night_begins
{
	at_hospital('CREATE TABLE IF NOT EXISTS before (LIKE nightly); TRUNCATE before; INSERT INTO before TABLE nightly');
	return;
}

# A night: what is sent is the difference of the contents, by count and by row.
sub night
{
	my ($what, $statement) = @_;
	night_begins();
	at_hospital($changes);
	at_hospital(q{SELECT count(*) FROM pg_logical_slot_get_changes('everything', NULL, NULL)});
	at_hospital($statement || q{
SELECT release, rows, changed FROM kanon_refresh_release('nightly');
});
	my $difference = at_hospital(q{SELECT (SELECT count(*) FROM (TABLE nightly EXCEPT ALL TABLE before) n) || '+' || (SELECT count(*) FROM (TABLE before EXCEPT ALL TABLE nightly) b)});
	is(at_hospital($changes), $difference, "$what: what is sent is the difference, $difference");
	is(at_hospital(q{SELECT count(*) FROM pg_logical_slot_get_changes('everything', NULL, NULL) WHERE data ~ '^table public\.' AND data !~ '^table public\.(nightly:|kanon_)'}),
		0, '.. and nothing else is in the log but what kanon remembers');
	arrives('.. and arrives');
	return $difference;
}

my $classes = q{
SELECT count(*) AS classes, min(rows) AS smallest, sum(rows) AS rows
FROM (SELECT count(*) AS rows FROM nights GROUP BY age, zipcode) class;
};
arrives('the first copy arrives');
is(at_analysts($classes), at_hospital(q{SELECT classes, smallest, rows FROM kanon_check('nightly')}), 'classes are counted by plain SQL');
my $shown = $analysts->safe_psql('warehouse', "\\pset format aligned\n\\pset tuples_only off\n$classes");
$shown =~ s/\s+$//mg;
is("\n$shown\n", q{
 classes | smallest | rows
---------+----------+------
       8 |        5 |   40
(1 row)
}, '.. as the page shows');
my ($code, $out, $err) = $analysts->psql('warehouse', 'SET ROLE analyst; SELECT xmin FROM nights');
like($err, qr/column "xmin" does not exist/, 'analysts see no system columns');
($code, $out, $err) = $analysts->psql('warehouse', 'SET ROLE analyst; SELECT xmin FROM nightly');
like($err, qr/permission denied/, '.. and not the table');

# ---- nights
is(night('nothing has changed'), '0+0', '.. nothing');
is(at_hospital(q{SELECT changed FROM kanon_release_history WHERE release = 'nightly'::regclass ORDER BY number DESC LIMIT 1}), 'f', '.. says the history, too');
at_hospital(q{DELETE FROM clinic WHERE id IN (SELECT id FROM clinic WHERE zipcode = '53703' ORDER BY age LIMIT 5)});
night('a cell leaves');
at_hospital(q{INSERT INTO clinic SELECT i, 30 + i % 2, '53711', 'flu' FROM generate_series(100, 140) i});
night("$_. night of people who wait", $_ % 2 ? undef : q{SELECT kanon_refresh_release('nightly', concurrently => true)}) for 1 .. 3;

# Random nights.  A label is shown and hidden as a whole: in what is sent it has no row or at least k.
for my $number (1 .. $nights)
{
	at_hospital(qq{
		DELETE FROM clinic WHERE hashint4extended(id, $number) % 12 = 0;
		INSERT INTO clinic SELECT 1000 * $number + i, 20 + abs(hashint4extended(i, $number)) % 60, '5370' || abs(hashint4extended(i, 7 * $number)) % 4,
			CASE WHEN i % 3 > 0 THEN 'flu' END FROM generate_series(1, 9) i});
	night("night $number", $number % 3 == 0 ? q{BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM clinic; SELECT kanon_refresh_release('nightly'); COMMIT} : undef);
	is(at_hospital(q{SELECT count(*) FROM ((TABLE nightly EXCEPT ALL TABLE before) UNION ALL (TABLE before EXCEPT ALL TABLE nightly)) d (age, zipcode, disease)
		GROUP BY age, zipcode HAVING count(*) < 4}), '', '.. of no label fewer than k rows');
	is(at_analysts($classes), at_hospital(q{SELECT classes, smallest, rows FROM kanon_check('nightly')}), '.. and the classes are counted');
}
is(at_analysts(q{SELECT min(rows) >= 4 FROM (SELECT count(*) AS rows FROM nights GROUP BY age, zipcode) class}), 't', 'nobody stands among fewer than k');

# Several refreshes in a transaction, and one that is undone
at_hospital(q{INSERT INTO clinic SELECT i, 50, '53712', 'gout' FROM generate_series(50001, 50020) i;
	BEGIN; SAVEPOINT one; SELECT kanon_refresh_release('nightly'); ROLLBACK TO one;
	SELECT kanon_refresh_release('nightly'); DELETE FROM clinic WHERE id % 2 = 0; SELECT kanon_refresh_release('nightly'); COMMIT});
arrives('two nights in a transaction, after one that is undone');

# Readers go on.
at_hospital(q{DELETE FROM clinic WHERE id % 5 = 0; BEGIN; SELECT count(*) FROM nightly; PREPARE TRANSACTION 'reader'});
night('while somebody reads', q{SET lock_timeout = '2s'; SELECT kanon_refresh_release('nightly')});
at_hospital(q{ROLLBACK PREPARED 'reader'});

# A refresh that fails sends nothing.
at_hospital(q{
	CREATE FUNCTION fails(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN IF $1 = 'plague' THEN RAISE 'unfit'; END IF; RETURN $1; END $$;
	CREATE INDEX failing ON nightly (fails(disease));
	INSERT INTO clinic SELECT i, 33, '53712', 'plague' FROM generate_series(60001, 60020) i});
at_hospital($changes);
like(error_at_hospital(q{DO $$ BEGIN FOR i IN 1 .. 20 LOOP PERFORM kanon_refresh_release('nightly'); END LOOP; END $$}), qr/unfit/, 'a refresh fails');
is(at_hospital($changes), '0+0', '.. and sends nothing');
arrives('.. and changes nothing');
at_hospital('DROP INDEX failing');
night("$_. night after it") for 1 .. 2;

# ---- what would stop a subscription is refused at the hospital
for my $what (
	[ 'no identity', 'ALTER TABLE nightly REPLICA IDENTITY NOTHING', qr/does not have a replica identity and publishes deletes/ ],
	[ 'a deferrable constraint', 'TRUNCATE clinic; SELECT kanon_refresh_release(\'nightly\'); ALTER TABLE nightly ADD CONSTRAINT one UNIQUE (age, zipcode, disease) DEFERRABLE', qr/its table has deferrable constraint "one"/ ],
	[ 'another column', 'ALTER TABLE nightly ADD seen date', qr/its table has added column "seen"/ ])
{
	my ($name, $alter, $expected) = @$what;
	like(error_at_hospital("BEGIN; DELETE FROM clinic; $alter; SELECT kanon_refresh_release('nightly'); COMMIT"), $expected, "$name is refused");
}
like(error_at_hospital(q{SELECT kanon_replace_release('nightly', 5)}), qr/cannot replace release/, '.. and another k');
night('as before');
# A column that is renamed is renamed by the analysts, too: their server waits until then.
at_hospital('ALTER TABLE nightly RENAME disease TO illness; DROP TABLE before; DELETE FROM clinic WHERE id % 3 = 0');
night_begins();
at_hospital(q{SELECT kanon_refresh_release('nightly')});
ok($analysts->poll_query_until('warehouse', q{SELECT apply_error_count > 0 FROM pg_stat_subscription_stats WHERE subname = 'nights'}), 'a subscription stops at a column that it does not have');
at_analysts('ALTER TABLE nightly RENAME disease TO illness');
arrives('.. and goes on when it has it');
at_hospital('ALTER TABLE nightly RENAME illness TO disease; DROP TABLE before');
at_analysts('ALTER TABLE nightly RENAME illness TO disease');

# ---- values of all sorts: equal, missing, long, of types with and without equality
at_hospital(q{
	CREATE TABLE chart AS SELECT i AS id, i % 40 AS age, (i % 3)::numeric(5, 1) AS dose, CASE WHEN i % 2 = 0 THEN jsonb_build_object('a', i % 3) END AS note,
		(SELECT string_agg(md5(j::text || i % 3), '') FROM generate_series(1, 200) j) AS essay, ARRAY[i % 2, NULL] AS codes, '{"a": 1}'::json AS plain
	FROM generate_series(1, 400) i;
	SELECT kanon_declare('chart', '{age}', insensitive => '{dose,note,essay,codes,plain}', identifiers => '{id}');
	SELECT kanon_create_release('charts', 'chart', 4, 'cohorts', options => '{"key": "id", "wait": 0, "leavers": "keep", "storage": "table"}');
	DELETE FROM chart WHERE id % 9 = 0;
	INSERT INTO chart SELECT 1000 + id, age, dose, note, essay || 'x', codes, plain FROM chart WHERE id % 7 = 0;
	SELECT kanon_refresh_release('charts')});
is(at_hospital(q{SELECT count(*) FROM (SELECT essay, note FROM charts EXCEPT SELECT essay, note FROM chart) c}), 0, 'long values, and types without equality');
at_hospital('CREATE PUBLICATION charts FOR TABLE charts');
like(error_at_hospital(q{SELECT kanon_refresh_release('charts')}), qr/rows of "charts" cannot be deleted by subscribers: type json of column "plain" has no equality/, '.. but not for subscribers');
at_hospital(q{
	SELECT kanon_drop_release('charts');
	SELECT kanon_set_attribute('chart', 'plain', 'identifier');
	SELECT kanon_create_release('charts', 'chart', 4, 'cohorts', options => '{"key": "id", "anew": true, "wait": 0, "leavers": "keep", "storage": "table"}');
	GRANT SELECT ON charts TO courier;
	ALTER PUBLICATION charts ADD TABLE charts});
at_analysts('CREATE TABLE charts (age int4range, dose numeric(5, 1), note jsonb, essay text, codes int[])');
at_analysts(at(q{CREATE SUBSCRIPTION charts CONNECTION 'host=hospital dbname=clinic user=courier' PUBLICATION charts}, 'hospital', $hospital, 'clinic'));
$analysts->wait_for_subscription_sync($hospital, 'charts', 'warehouse');
my $charts = q{SELECT md5(string_agg(c::text, ',' ORDER BY c::text)), count(*), count(DISTINCT essay) FROM charts c};
for my $number (1 .. 3)
{
	at_hospital(qq{
		DELETE FROM chart WHERE id % 10 = $number;
		INSERT INTO chart SELECT 10000 * $number + id, age, NULL, note, essay || $number, NULL, plain FROM chart WHERE id % 7 = $number;
		SELECT kanon_refresh_release('charts')});
	$hospital->wait_for_catchup('charts');
	is(at_analysts($charts), at_hospital($charts), "values of all sorts, night $number");
}

# ---- whoever holds the right to replicate can read the source, by another output plugin
is(at_hospital(q{INSERT INTO clinic SELECT -1, 30, '53703', 'flu'; SET ROLE courier;
	SELECT count(*) FROM pg_logical_slot_peek_changes('everything', NULL, NULL) WHERE data ~ 'never to be seen'}), 1, 'what the page warns of');

# ---- nobody else writes while a release is filled
at_hospital(q{
	CREATE ROLE nurse;
	CREATE SCHEMA ward AUTHORIZATION nurse;
	GRANT USAGE ON SCHEMA public TO nurse;
	SET ROLE nurse;
	SET search_path = ward, public;
	CREATE FUNCTION tries(command text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN EXECUTE command; RETURN 'done'; EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE; END $$;
	CREATE FUNCTION all_tries() RETURNS text LANGUAGE sql AS $$
		SELECT string_agg(regexp_replace(c, '\d{4,}', 'N') || ': ' || ward.tries(c), '; ') FROM unnest(ARRAY['INSERT INTO ward.night TABLE ward.night', 'UPDATE ward.night SET age = age', 'DELETE FROM ward.night',
			'TRUNCATE ward.night', 'ALTER TABLE ward.night DISABLE TRIGGER ALL', 'CREATE INDEX ON ward.night (age)', 'DROP TABLE ward.night CASCADE', 'SELECT public.kanon_refresh_release(''ward.night'')',
			(SELECT format('INSERT INTO %s TABLE ward.night', oid::regclass) FROM pg_class WHERE relrewrite = to_regclass('ward.night'))]) c $$;
	CREATE TABLE guest AS SELECT i AS id, 20 + i % 40 AS age, 'd' || i % 5 AS disease FROM generate_series(1, 200) i;
	SELECT kanon_declare('guest', '{age}', '{disease}', identifiers => '{id}');
	SELECT kanon_create_release('night', 'guest', 4, 'cohorts', options => '{"key": "id", "wait": 0, "leavers": "keep", "storage": "table"}');
	CREATE FUNCTION tricks(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN IF $1 = 'd9' THEN RAISE WARNING 'tried: %', (SELECT ward.all_tries()); END IF; RETURN $1; END $$;
	CREATE INDEX tricky ON night (ward.tricks(disease));
	DELETE FROM guest WHERE id % 8 = 0;
	INSERT INTO guest SELECT 1000 + i, 30, 'd9' FROM generate_series(1, 4) i});
($code, $out, $err) = $hospital->psql('clinic', q{SET ROLE nurse; SELECT changed FROM kanon_refresh_release('ward.night')});
is($out, 't', 'a function of an index runs while rows are written');
is(($err =~ /tried: (.*)/)[0], join('; ', 'INSERT INTO ward.night TABLE ward.night: 42809', 'UPDATE ward.night SET age = age: 42809', 'DELETE FROM ward.night: 42809',
	'TRUNCATE ward.night: 55006', 'ALTER TABLE ward.night DISABLE TRIGGER ALL: 55006', 'CREATE INDEX ON ward.night (age): 55006', 'DROP TABLE ward.night CASCADE: 55006',
	q{SELECT public.kanon_refresh_release('ward.night'): 55006}, 'INSERT INTO ward.pg_temp_N TABLE ward.night: 42809'), '.. and can write nothing');
is(at_hospital(q{SELECT count(*) FROM ward.night WHERE disease = 'd9'}), 4, '.. and what comes has come');
# The owner's functions may take the guards away.
at_hospital(q{
	SET ROLE nurse;
	CREATE OR REPLACE FUNCTION ward.all_tries() RETURNS text LANGUAGE sql AS $$
		SELECT ward.tries('DROP TRIGGER IF EXISTS kanon_guard_rows ON ward.night') || ward.tries('INSERT INTO ward.night VALUES (NULL, ''invented'')') $$;
	INSERT INTO ward.guest SELECT 2000 + i, 31, 'd9' FROM generate_series(1, 4) i});
like(error_at_hospital(q{SET ROLE nurse; SELECT changed FROM kanon_refresh_release('ward.night')}), qr/release ward\.night was written while it was filled/, 'an owner who takes the guards away meanwhile is found out');
at_hospital(q{
	SET ROLE nurse;
	DROP INDEX ward.tricky;
	ALTER TABLE ward.night DISABLE TRIGGER ALL;
	INSERT INTO ward.night VALUES (NULL, 'invented');
	DELETE FROM ward.night WHERE disease = 'd1'});
at_hospital(q{SET ROLE nurse; SELECT kanon_refresh_release('ward.night')});
is(at_hospital(q{SELECT DISTINCT tgenabled FROM pg_trigger WHERE tgrelid = 'ward.night'::regclass}), 'A', 'guards come back with the next refresh');
is(at_hospital(q{SELECT count(*) = (SELECT rows FROM kanon_release WHERE release = 'ward.night'::regclass), count(*) FILTER (WHERE disease = 'invented') FROM ward.night}), 't|0', '.. and nothing is left of what the owner has written');

# ---- a restored database goes on by differences
$hospital->safe_psql('postgres', 'CREATE DATABASE restored');
my $file = $hospital->basedir . '/clinic.dump';
$hospital->command_ok([ 'pg_dump', '--format=custom', '--file', $file, $hospital->connstr('clinic') ], 'pg_dump');
$hospital->command_ok([ 'pg_restore', '--exit-on-error', '--no-publications', '--dbname', $hospital->connstr('restored'), $file ], 'pg_restore');
is($hospital->safe_psql('restored', q{
	CREATE TABLE places AS SELECT ctid AS place, xmin::text AS writer FROM nightly;
	SELECT kanon_adopt_cohorts('clinic');
	SELECT r.changed FROM kanon_refresh_release('nightly') r;
	SELECT count(*) FROM (SELECT ctid, xmin::text FROM nightly EXCEPT TABLE places) n;
	SELECT relreplident FROM pg_class WHERE relname = 'nightly'}), "\nf\n0\nf", 'a restored release goes on where it was');

# ---- anew: the analysts' table is emptied before the release is published again
at_hospital(q{
SELECT kanon_drop_release('nightly');
});
at_analysts(q{
ALTER SUBSCRIPTION nights REFRESH PUBLICATION;
TRUNCATE nightly;
});
at_hospital(q{
SELECT kanon_create_release('nightly', 'clinic', 4, 'cohorts', options => '{"key": "id", "leavers": "keep", "storage": "table", "anew": true}');
GRANT SELECT ON nightly TO courier;
ALTER PUBLICATION nights ADD TABLE nightly;
});
at_analysts(q{
ALTER SUBSCRIPTION nights REFRESH PUBLICATION;
});
$analysts->wait_for_subscription_sync($hospital, 'nights', 'warehouse');
arrives('a release made anew');
at_hospital(q{DELETE FROM clinic WHERE id % 7 = 1; INSERT INTO clinic SELECT i, 40, '53703', 'gout' FROM generate_series(70001, 70020) i});
night('and its first night');

# ---- a managed service, where nobody can install kanon, and a server of the hospital that has it
my $cloud = server('cloud');
my $gate = server('gate');
$cloud->safe_psql('postgres', 'CREATE DATABASE clinic');
$gate->safe_psql('postgres', 'CREATE DATABASE gate');
sub at_cloud { return $cloud->safe_psql('clinic', $_[0]) }
sub at_gate { return $gate->safe_psql('gate', $_[0]) }
at_cloud(q{
	CREATE TABLE patients (id int PRIMARY KEY, age int, zipcode text, disease text);
	INSERT INTO patients SELECT i, 20 + i * 7 % 60, '5370' || i % 4, 'd' || i % 5 FROM generate_series(1, 200) i});
at_cloud(q{
CREATE ROLE courier LOGIN REPLICATION;
GRANT SELECT ON patients TO courier;
CREATE PUBLICATION source FOR TABLE patients;
});
at_gate('CREATE EXTENSION kanon; CREATE TABLE patients (id int PRIMARY KEY, age int, zipcode text, disease text)');
at_gate(at(q{
CREATE SUBSCRIPTION source CONNECTION 'host=cloud dbname=clinic user=courier' PUBLICATION source;
}, 'cloud', $cloud, 'clinic'));
$gate->wait_for_subscription_sync($cloud, 'source', 'gate');
my $declare = q{SELECT kanon_declare('patients', identifiers => '{id}', quasi_identifiers => '{age, zipcode}', sensitive => '{disease}')};
my $make = q{SELECT kanon_create_release('released', 'patients', 4, 'cohorts', options => '{"key": "id", "wait": 0, "leavers": "keep", "storage": "table"}')};
at_gate("$declare; $make");
at_gate(q{
CREATE ROLE courier LOGIN REPLICATION;
GRANT SELECT ON released TO courier;
CREATE PUBLICATION released FOR TABLE released;
});
at_cloud('CREATE TABLE released (age int4range, zipcode text, disease text)');
at_cloud(at(q{
CREATE SUBSCRIPTION released CONNECTION 'host=gate dbname=gate user=courier' PUBLICATION released;
}, 'gate', $gate, 'gate'));
$cloud->wait_for_subscription_sync($gate, 'released', 'clinic');
my $released = q{SELECT md5(string_agg(r::text, ',' ORDER BY r::text)), count(*) FROM released r};
is(at_cloud($released), at_gate($released), 'a release comes back to the managed service');
for my $number (1 .. 3)
{
	at_cloud(qq{DELETE FROM patients WHERE id % 11 = $number; UPDATE patients SET age = age + 1 WHERE id % 10 = $number;
		INSERT INTO patients SELECT 1000 * $number + i, 30 + i, '53701', 'new' FROM generate_series(1, 10) i});
	$cloud->wait_for_catchup('source');
	at_gate(q{SELECT kanon_refresh_release('released')});
	$gate->wait_for_catchup('released');
	is(at_cloud($released), at_gate($released), ".. night $number");
	is(at_cloud(q{SELECT min(n) >= 4 FROM (SELECT count(*) AS n FROM released GROUP BY age, zipcode) c}), 't', '.. with k');
}
is(at_cloud(q{SELECT count(*) FROM pg_extension WHERE extname = 'kanon'}), 0, '.. without kanon');

# .. or by a foreign table, where the service lets nobody subscribe, and back by COPY
SKIP:
{
	skip('no postgres_fdw', 3) if at_gate(q{SELECT count(*) FROM pg_available_extensions WHERE name = 'postgres_fdw'}) == 0;
	at_gate('CREATE SCHEMA far; ALTER DATABASE gate SET search_path = far, public');
	my $server = q{
CREATE EXTENSION postgres_fdw;
CREATE SERVER cloud FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host 'cloud', dbname 'clinic');
CREATE USER MAPPING FOR CURRENT_USER SERVER cloud OPTIONS (user 'courier');
IMPORT FOREIGN SCHEMA public LIMIT TO (patients) FROM SERVER cloud INTO far;
};
	my ($host, $port) = ($cloud->host, $cloud->port);
	$server =~ s/host 'cloud'/host '$host', port '$port'/;
	at_gate($server);
	at_gate($declare);
	at_gate(q{SELECT kanon_create_release('far.copied', 'far.patients', 4, 'cohorts', options => '{"key": "id", "wait": 0, "leavers": "keep", "storage": "table"}')});
	at_cloud('CREATE TABLE copied (LIKE released)');
	my $copy = q{psql -c "COPY far.copied TO STDOUT" "host=gate dbname=gate" | psql --single-transaction -c "TRUNCATE copied" -c "COPY copied FROM STDIN" "host=cloud dbname=clinic"};
	for my $number (1 .. 2)
	{
		at_cloud("DELETE FROM patients WHERE id % 13 = $number");
		at_gate(q{SELECT kanon_refresh_release('far.copied')});
		is(system('bash', '-c', 'set -o pipefail; ' . at(at($copy, 'gate', $gate, 'gate'), 'cloud', $cloud, 'clinic') . ' > /dev/null'), 0, "a release of a foreign table is copied, night $number");
		my $copied = q{SELECT md5(string_agg(c::text, ',' ORDER BY c::text)), count(*) FROM copied c};
		is(at_cloud($copied), at_gate($copied), '.. and arrives');
	}
}

done_testing();
