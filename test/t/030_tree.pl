# Partition trees as values: damaged ones are rejected and nothing worse, dump
# and restore, other databases.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $mutations = $ENV{TREE_MUTATIONS} || 4000;
my $node = PostgreSQL::Test::Cluster->new('tree');
$node->init(extra => [ '--encoding=UTF8', '--no-locale' ]);
$node->append_conf('postgresql.conf', "statement_timeout = '600s'");
$node->start;

$node->safe_psql('postgres', 'CREATE DATABASE forest');
$node->safe_psql('forest', q{
	CREATE SCHEMA "Privacy Office";
	CREATE EXTENSION kanon SCHEMA "Privacy Office";
	CREATE SCHEMA ward;
	CREATE TYPE ward."Mood" AS ENUM ('sad', 'ok', 'happy');
	CREATE COLLATION ward.plain FROM "C";
	ALTER DATABASE forest SET search_path = public, ward, "Privacy Office";
});
$node->safe_psql('forest', q{
	CREATE TABLE tree (id int PRIMARY KEY, value kanon_tree);
	INSERT INTO tree VALUES (1, '
	{"k": 2, "split": "infogain", "target": "dis\"ease",
	 "attributes": [
	  {"name": "age", "type": "int4"},
	  {"name": "work, or \u00e4hnlich", "type": "text", "collation": "ward.plain", "top": "*", "levels": 2, "values": [
	   ["federal", "public", "paid"],
	   ["state", "public", "paid"],
	   ["self", "private", "paid"],
	   ["none", "none", "unpaid"]]},
	  {"name": "mood", "type": "ward.\"Mood\""},
	  {"name": "since", "type": "timestamptz"},
	  {"name": "zip", "type": "varchar", "collation": "\"C\""}],
	 "nodes": [
	  {"null": "since"},
	   {"class": 1, "rows": 2},
	   {"cut": "since", "at": "2020-06-01 12:00:00+02"},
	    {"specialize": "work, or \u00e4hnlich", "level": 2, "into": ["paid", "unpaid"], "null": 1},
	     {"specialize": "work, or \u00e4hnlich", "level": 0, "into": ["federal", "state", "self"]},
	      {"class": 2, "rows": 3},
	      {"cut": "mood", "at": "sad"},
	       {"class": 3, "rows": 2},
	       {"class": 4, "rows": 9},
	      {"class": 5, "rows": 2},
	     {"class": 6, "rows": 2},
	    {"cut": "age", "at": "37", "null": 1},
	     {"cut": "zip", "at": "53, 710"},
	      {"class": 7, "rows": 2},
	      {"class": 8, "rows": 4},
	     {"class": 9, "rows": 1000000000000}]}');
	-- One that is stored out of line.
	INSERT INTO tree SELECT 2, format('{"k": 2, "split": "median", "attributes": [{"name": "a", "type": "numeric"}], "nodes": [%s, {"class": 5001, "rows": 2}]}',
		string_agg(format('{"cut": "a", "at": "%s"}, {"class": %s, "rows": 2}', i * 1.5, i), ',' ORDER BY i))::kanon_tree
	FROM generate_series(1, 5000) i;
});

# Whoever accepts a tree can apply it, and it is the same tree after text.
# Whoever does not says so by an error of the class of data exceptions, or that
# a name is unknown, or that this was no text of the encoding.
$node->safe_psql('forest', q{
	CREATE TABLE verdict (kind text, state text, message text);
	CREATE TABLE received (value kanon_tree);
	CREATE FUNCTION try_tree(kind text, given text, bytes bytea, file text) RETURNS void LANGUAGE plpgsql AS $$
	DECLARE
		made kanon_tree;
		message text;
	BEGIN
		IF bytes IS NULL THEN
			made := given::kanon_tree;
		ELSE
			EXECUTE format('COPY (SELECT %L::bytea) TO %L (FORMAT binary)', bytes, file);
			TRUNCATE received;
			EXECUTE format('COPY received FROM %L (FORMAT binary)', file);
			SELECT value INTO made FROM received;
		END IF;
		IF kanon_tree_send(made::text::kanon_tree) <> kanon_tree_send(made) THEN
			RAISE 'not the same tree after text' USING ERRCODE = 'XX000';
		END IF;
		BEGIN
			PERFORM kanon_leaf(made, r), kanon_region(made, r)
			FROM (VALUES (1, 'self', 'ok'::ward."Mood", now(), '5'::varchar), (70, 'none', NULL, '2000-01-01', '53, 710'), (NULL, NULL, NULL, NULL, NULL)) AS r (age, work, mood, since, zip);
		EXCEPTION WHEN datatype_mismatch OR undefined_column OR numeric_value_out_of_range THEN
			NULL;
		END;
		INSERT INTO verdict VALUES (kind, 'accepted', NULL);
	EXCEPTION WHEN data_exception OR undefined_object OR insufficient_privilege OR program_limit_exceeded THEN
		GET STACKED DIAGNOSTICS message = MESSAGE_TEXT;
		INSERT INTO verdict VALUES (kind, SQLSTATE, message);
	END $$;

	CREATE FUNCTION pick(n int) RETURNS int LANGUAGE sql VOLATILE AS 'SELECT least(floor(random() * n)::int, n - 1)';

	-- One to three changes: a byte becomes another, some go, some come again.
	CREATE FUNCTION mutate(bytes bytea) RETURNS bytea LANGUAGE plpgsql AS $$
	DECLARE
		at int;
		size int;
	BEGIN
		FOR i IN 0 .. pick(3) LOOP
			EXIT WHEN length(bytes) < 2;
			at := pick(length(bytes));
			size := pick(least(length(bytes) - at, 40));
			bytes := CASE pick(6)
				WHEN 0 THEN set_byte(bytes, at, pick(256))
				WHEN 1 THEN set_byte(bytes, at, get_byte(bytes, at) # (1 << pick(8)))
				WHEN 2 THEN set_byte(bytes, at, get_byte(bytes, pick(length(bytes))))
				WHEN 3 THEN substr(bytes, 1, at) || substr(bytes, at + 1 + size)
				WHEN 4 THEN substr(bytes, 1, at + size) || substr(bytes, at + 1)
				ELSE CASE WHEN pick(4) = 0 THEN substr(bytes, 1, at) ELSE set_byte(bytes, at, get_byte(bytes, at) + CASE WHEN get_byte(bytes, at) = 255 THEN -1 ELSE 1 END) END
			END;
		END LOOP;
		RETURN bytes;
	END $$;
});

my $file = $node->basedir . '/received';
$node->safe_psql('forest', qq{
	SELECT setseed(0.2005);
	DO \$\$
	DECLARE
		text_form bytea := (SELECT convert_to(value::text, 'UTF8') FROM tree WHERE id = 1);
		wire_form bytea := (SELECT kanon_tree_send(value) FROM tree WHERE id = 1);
		changed bytea;
		given text;
	BEGIN
		FOR i IN 1 .. $mutations LOOP
			changed := mutate(text_form);
			BEGIN
				given := convert_from(changed, 'UTF8');
				PERFORM try_tree('text', given, NULL, NULL);
			EXCEPTION WHEN character_not_in_repertoire THEN
				NULL;
			END;
			PERFORM try_tree('wire', NULL, mutate(wire_form), '$file');
		END LOOP;
		FOR i IN 0 .. length(wire_form) - 1 LOOP
			PERFORM try_tree('truncated wire', NULL, substr(wire_form, 1, i), '$file');
		END LOOP;
		FOR i IN 0 .. length(convert_from(text_form, 'UTF8')) - 1 LOOP
			PERFORM try_tree('truncated text', left(convert_from(text_form, 'UTF8'), i), NULL, NULL);
		END LOOP;
	END \$\$;
});
is($node->safe_psql('forest', q{SELECT kind, count(*) FILTER (WHERE state = 'accepted') FROM verdict WHERE kind LIKE 'truncated%' GROUP BY 1 ORDER BY 1}),
	"truncated text|0\ntruncated wire|0", 'no truncated tree is accepted');
is($node->safe_psql('forest', qq{SELECT count(*) >= $mutations * 3 / 2 AND count(*) FILTER (WHERE state <> 'accepted') > $mutations FROM verdict WHERE kind IN ('text', 'wire')}),
	't', 'mutations were tried, and most rejected');
is($node->safe_psql('forest', q{SELECT DISTINCT kind, state FROM verdict WHERE kind LIKE 'truncated%' ORDER BY 1, 2}),
	"truncated text|22P02\ntruncated wire|22021\ntruncated wire|22P02", 'truncated trees are no JSON, or end within a character');
note($node->safe_psql('forest', q{SELECT kind, state, count(*), min(message) FROM verdict GROUP BY 1, 2 ORDER BY 1, 2}));

# Dump and restore, as text and as an archive.
my $stored = q{SELECT id, md5(value::text), md5(kanon_tree_send(value)) FROM tree ORDER BY id};
my $before = $node->safe_psql('forest', $stored);
my $dump = $node->basedir . '/forest.dump';
$node->command_ok([ 'pg_dump', '--format=custom', '--file', $dump, $node->connstr('forest') ], 'pg_dump');
$node->safe_psql('postgres', 'CREATE DATABASE copy');
$node->command_ok([ 'pg_restore', '--exit-on-error', '--dbname', $node->connstr('copy'), $dump ], 'pg_restore');
$node->safe_psql('postgres', 'ALTER DATABASE copy SET search_path = public, ward, "Privacy Office"');
is($node->safe_psql('copy', $stored), $before, 'trees survive dump and restore');

# Whatever the session's settings: the same text, and read back the same.
is($node->safe_psql('forest', qq{
	SET DateStyle = 'German'; SET TimeZone = 'Asia/Tokyo'; SET extra_float_digits = 0;
	SET quote_all_identifiers = on; SET search_path = ward, "Privacy Office", public;
	$stored}), $before, 'the text of a tree depends on no setting');
is($node->safe_psql('forest', q{
	SET DateStyle = 'German'; SET TimeZone = 'Asia/Tokyo';
	SELECT bool_and(kanon_tree_send(value::text::kanon_tree) = kanon_tree_send(value)) FROM tree}),
	't', 'in(out(tree)) = tree');

# In binary to another database, where the types have other OIDs.
$node->safe_psql('forest', "COPY tree TO '$file' (FORMAT binary)");
$node->safe_psql('copy', "TRUNCATE tree; COPY tree FROM '$file' (FORMAT binary)");
is($node->safe_psql('copy', $stored), $before, 'trees survive COPY in binary');
my $latin = "SET client_encoding = 'LATIN1';";
$node->safe_psql('forest', "$latin COPY tree TO '$file' (FORMAT binary)");
$node->safe_psql('copy', "$latin TRUNCATE tree; COPY tree FROM '$file' (FORMAT binary)");
is($node->safe_psql('copy', $stored), $before, 'also between clients of another encoding');

# Types go by OID where a tree is stored: renamed is fine, dropped is an error.
$node->safe_psql('copy', 'ALTER TYPE ward."Mood" RENAME TO feeling; ALTER SCHEMA ward RENAME TO station');
like($node->safe_psql('copy', 'SELECT value::text FROM tree WHERE id = 1'),
	qr/"type": "station.feeling"/, 'types may be renamed');
$node->safe_psql('copy', 'DROP TYPE station.feeling');
my ($status, $out, $err) = $node->psql('copy', 'SELECT value::text FROM tree WHERE id = 1');
isnt($status, 0, 'types that are gone are an error');
like($err, qr/ERROR:  malformed kanon_tree\nDETAIL:  Type with OID \d+ does not exist/, 'which says so');

$node->stop;
done_testing();
