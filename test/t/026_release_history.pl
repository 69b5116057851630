# The history of releases in a dump: as it was, with one entry more for the filling by restore; of
# releases that are gone; under another owner; where a release cannot be filled.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('history');
$node->init;
$node->start;
my $file = $node->basedir . '/ward.dump';

sub sql { return $node->safe_psql($_[0], $_[1], extra_params => [ '-U', $_[2] // 'postgres' ]) }

$node->safe_psql('postgres', q{CREATE ROLE owner LOGIN; CREATE ROLE reader LOGIN; CREATE ROLE other LOGIN SUPERUSER; CREATE DATABASE ward});
$node->safe_psql('ward', q{
	CREATE SCHEMA "Privacy";
	CREATE EXTENSION kanon SCHEMA "Privacy";
	CREATE SCHEMA ward;
	GRANT ALL ON SCHEMA ward TO owner;
	GRANT USAGE ON SCHEMA "Privacy" TO owner, reader;
	SET ROLE owner;
	SET search_path = ward, "Privacy";
	CREATE TABLE patients AS SELECT i AS id, i * 7 % 40 AS age, timestamptz '2020-01-01' + i % 9 * interval '1 hour' AS came, (i % 5) / 3.0::float8 AS dose,
		decode(lpad(to_hex(i % 16), 2, '0'), 'hex') AS code, CASE WHEN i % 4 > 0 THEN 'ill ' || i % 4 END AS ill FROM generate_series(1, 200) i;
	SELECT kanon_declare('patients', quasi_identifiers => '{age,came}', sensitive => '{ill,dose,code}', identifiers => '{id}');
	SELECT kanon_create_release('study', 'patients', 5);
	SELECT kanon_create_release('"Levels"', 'patients', 5, 'full_domain', suppression => 0.1);
	SELECT kanon_create_release('drawn', 'patients', 5, 'two_phase');
	SELECT kanon_create_release('dropped', 'patients', 5, quasi_identifiers => '{age}');
	SELECT kanon_create_release('emptied', 'patients', 5, quasi_identifiers => '{came}');
	UPDATE patients SET age = age + 1 WHERE id % 9 = 0;
	REFRESH MATERIALIZED VIEW study;
	SELECT FROM kanon_refresh_release('"Levels"');
	REFRESH MATERIALIZED VIEW emptied WITH NO DATA;
	DROP MATERIALIZED VIEW dropped;
	GRANT SELECT ON study TO reader});
sql('ward', 'UPDATE ward.patients SET age = age - 1 WHERE id % 9 = 0'); # as the drawn one was dealt
my $columns = 'number, release, name, relation, owner, how, filled, filled_by, seconds, kanon, postgresql, parameters, source_rows, rows, missing, classes, smallest, people, loss, satisfied, changed, digest, error';
my $history = qq{SELECT $columns FROM "Privacy".kanon_release_history};
sql('ward', 'REFRESH MATERIALIZED VIEW ward.study; REFRESH MATERIALIZED VIEW ward."Levels"');
my $before = sql('ward', "$history ORDER BY number");
my $last = sql('ward', 'SELECT max(number) FROM "Privacy".kanon_release_history');

# Digests are of the contents, whatever is set while they are refreshed.
sql('ward', "SET DateStyle = 'German'; SET TimeZone = 'Asia/Tokyo'; SET extra_float_digits = -3; SET bytea_output = 'escape'; REFRESH MATERIALIZED VIEW ward.study");
is(sql('ward', q{SELECT changed FROM "Privacy".kanon_release_history WHERE name = 'ward.study' ORDER BY number DESC LIMIT 1}), 'f', 'the same under other settings');
sql('ward', "DELETE FROM \"Privacy\".kanon_release_history_state WHERE number > $last");

# Whose it is: as in the dumped database, and another's
for my $how ('', '--no-owner')
{
	my $copy = $how ? 'copy_of_other' : 'copy';
	$node->command_ok([ 'pg_dump', '--format=custom', '--file', $file, $node->connstr('ward') ], 'pg_dump');
	$node->safe_psql('postgres', "CREATE DATABASE $copy");
	$node->command_ok([ 'pg_restore', '-U', $how ? 'other' : 'postgres', grep({ $_ } $how), '--exit-on-error', '--dbname', $node->connstr($copy), $file ], "pg_restore $how");
	is(sql($copy, "$history WHERE number <= $last ORDER BY number"), $before, 'the history is as it was');
	is(sql($copy, qq{SELECT name, how, changed, rows FROM "Privacy".kanon_release_history WHERE number > $last ORDER BY name COLLATE "C"}),
		qq{ward."Levels"|restored|f|200\nward.drawn|restored|f|200\nward.study|restored|f|200}, '.. with an entry for each filling by restore, with the digest of before');
	is(sql($copy, q{SELECT release, state, rows FROM "Privacy".kanon_releases ORDER BY release::text COLLATE "C"}),
		qq{ward."Levels"|satisfied|200\nward.drawn|satisfied|200\nward.emptied|unfilled|\nward.study|satisfied|200}, '.. which kanon_releases shows');
	is(sql($copy, 'SELECT count(*) > 3 FROM "Privacy".kanon_release_history', 'owner'), $how ? 'f' : 't', 'its owner reads it') unless $how;
	is(sql($copy, q{SELECT DISTINCT name FROM "Privacy".kanon_release_history}, 'reader'), '', 'but nobody whom they granted it');
	sql($copy, 'REFRESH MATERIALIZED VIEW ward.study');
	sql($copy, 'REFRESH MATERIALIZED VIEW ward.emptied');
	is(sql($copy, q{SELECT name, how FROM "Privacy".kanon_release_history ORDER BY number DESC LIMIT 2}), "ward.emptied|REFRESH\nward.study|REFRESH", 'later ones are plain');
}
is(sql('copy_of_other', q{SELECT DISTINCT name FROM "Privacy".kanon_release_history ORDER BY name}, 'owner'), 'ward.dropped', 'under another owner: what is gone is for the role that owned it');

# What cannot be filled is said to be unfilled.
sql('ward', q{CREATE FUNCTION ward.here() RETURNS boolean LANGUAGE plpgsql AS $$BEGIN IF pg_catalog.current_database() <> 'ward' THEN RAISE EXCEPTION 'not here'; END IF; RETURN true; END$$;
	ALTER FUNCTION ward.here() OWNER TO owner});
sql('ward', q{CREATE VIEW ward.local AS SELECT * FROM ward.patients WHERE ward.here();
	SELECT "Privacy".kanon_declare('ward.local', quasi_identifiers => '{age}', sensitive => '{ill}');
	SELECT "Privacy".kanon_create_release('ward.not_there', 'ward.local', 5)}, 'owner');
$node->command_ok([ 'pg_dump', '--format=custom', '--file', $file, $node->connstr('ward') ], 'pg_dump');
$node->safe_psql('postgres', 'CREATE DATABASE broken');
$node->command_fails_like([ 'pg_restore', '--dbname', $node->connstr('broken'), $file ], qr/not here/, 'a restore that cannot fill a release');
is(sql('broken', q{SELECT state, rows, missing, classes FROM "Privacy".kanon_releases WHERE release = 'ward.not_there'::regclass}), 'unfilled|||', '.. leaves it unfilled, and says so');
is(sql('broken', q{SELECT string_agg(how, ' ' ORDER BY number) FROM "Privacy".kanon_release_history WHERE release = 'ward.not_there'::regclass}), 'created', '.. with its history as it was');
$node->psql('broken', 'CALL "Privacy".kanon_refresh_releases()', stderr => \my $stderr);
like($stderr, qr/ward.not_there was not refreshed: not here/, 'a job tells it, too');
sql('broken', 'CREATE OR REPLACE VIEW ward.local AS SELECT * FROM ward.patients');
is(sql('broken', q{SELECT rows, satisfied FROM "Privacy".kanon_refresh_release('ward.not_there')}), '200|t', '.. until it can be');
is(sql('broken', q{SELECT string_agg(how, ' ' ORDER BY number) FROM "Privacy".kanon_release_history WHERE release = 'ward.not_there'::regclass}), 'created failed refreshed', '.. which the history tells');

# Another name of kanon's schema, and no schema at all
sql('copy', 'ALTER SCHEMA "Privacy" RENAME TO secrets');
sql('copy', 'REFRESH MATERIALIZED VIEW ward.study; SELECT FROM secrets.kanon_refresh_release(\'ward.study\'); CALL secrets.kanon_refresh_releases()');
is(sql('copy', q{SELECT string_agg(how, ' ' ORDER BY number DESC) FROM (SELECT * FROM secrets.kanon_release_history WHERE name = 'ward.study' ORDER BY number DESC LIMIT 3) h}),
	'refreshed refreshed REFRESH', 'in a schema that was renamed');
sql('copy', 'DROP EXTENSION kanon CASCADE');
is(sql('copy', q{SELECT count(*) FROM pg_class WHERE relname ~ '^kanon_'}), 0, 'the extension takes it along');
$node->stop;
done_testing();
