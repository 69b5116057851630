# Releases made anew under their names, beside others who read them, change them, own
# what depends on them, or watch: each stays the same object.
use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('replace');
$node->init(extra => [ '--no-locale', '--encoding=UTF8' ]);
$node->append_conf('postgresql.conf', "autovacuum = off\nallow_system_table_mods = on\n");
$node->start;
my $space = $node->basedir . '/space';
mkdir $space or die $!;

# kanon in a schema that is on nobody's search_path and has an odd name.
my $kanon = q{"The odd one; DROP"};
$node->safe_psql('postgres', qq{
	CREATE TABLESPACE elsewhere LOCATION '$space';
	CREATE SCHEMA $kanon;
	CREATE EXTENSION kanon SCHEMA $kanon;
	CREATE ROLE owner LOGIN;
	CREATE ROLE deputy LOGIN IN ROLE owner;
	CREATE ROLE other LOGIN;
	GRANT CREATE ON TABLESPACE elsewhere TO owner;
	GRANT USAGE ON SCHEMA $kanon TO PUBLIC;
	CREATE SCHEMA "a study" AUTHORIZATION owner;
	GRANT ALL ON SCHEMA "a study" TO other;
	CREATE TABLE log (who text, what text);
	GRANT ALL ON log TO PUBLIC;
	SET ROLE owner;
	SET search_path = "a study";
	CREATE TABLE patients AS SELECT i AS id, i % 40 AS age, chr(65 + i % 3) AS ward, 'd' || i % 5 AS disease FROM generate_series(1, 600) i;
	CREATE FUNCTION spy(who int) RETURNS bool LANGUAGE plpgsql AS \$\$
	BEGIN
		INSERT INTO public.log VALUES (current_user, 'read');
		PERFORM pg_advisory_xact_lock_shared(7);
		RETURN true;
	END \$\$;
	CREATE VIEW spied AS SELECT * FROM patients WHERE id <> 1 OR spy(id);
	SELECT $kanon.kanon_declare('spied', '{age,ward}', sensitive => '{disease}', identifiers => '{id}');
	SELECT $kanon.kanon_create_release('"Of ""age"""', 'spied', 5) ;
	ALTER MATERIALIZED VIEW "Of ""age""" SET TABLESPACE elsewhere;
	CREATE INDEX "By ward" ON "Of ""age""" (ward) TABLESPACE elsewhere;
	CREATE INDEX "By disease" ON "Of ""age""" (disease);
	ALTER MATERIALIZED VIEW "Of ""age""" DEPENDS ON EXTENSION kanon;
	GRANT SELECT ON "Of ""age""" TO other;
	SET ROLE other;
	CREATE VIEW theirs AS SELECT disease, count(*) FROM "Of ""age""" GROUP BY disease;
});
my $release = q{'"a study"."Of ""age"""'};
my $name = q{"a study"."Of ""age"""};
my $replace = "SELECT $kanon.kanon_replace_release($release";

sub contents { return $node->safe_psql('postgres', "SELECT count(*), md5(string_agg(r::text || ctid, ' ' ORDER BY ctid)) FROM $name r") }
sub state_of
{
	return $node->safe_psql('postgres', qq{
		SELECT c.oid, c.relname, c.relowner, c.relacl, c.reltablespace, pg_get_viewdef(c.oid) FROM pg_class c WHERE c.oid = $release\::regclass;
		SELECT indexrelid::regclass, pg_get_indexdef(indexrelid), c.reltablespace FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE indrelid = $release\::regclass ORDER BY 1;
		SELECT release, k, recoding, quasi_identifiers, columns FROM $kanon.kanon_release;
		SELECT count(*) FROM pg_class;
		SELECT count(*) FROM pg_depend;
		SELECT count(*) FROM pg_shdepend});
}

sub fails
{
	my ($sql, $expected, $what) = @_;
	my ($before, $rows, $errors) = (state_of(), contents());
	$node->psql('postgres', "\\set VERBOSITY verbose\n$sql", stderr => \$errors);
	like($errors, $expected, $what);
	is(state_of() . contents(), $before . $rows, "$what: as it was");
}

# In place: it stays the object that others depend on; a member of the owner's role may do it.
my $oid = $node->safe_psql('postgres', "SELECT $release\::regclass::oid");
is($node->safe_psql('postgres', "SET ROLE deputy; $replace, k => 9)"), q{"a study"."Of ""age"""}, 'a member of the owner');
is($node->safe_psql('postgres', "SELECT $release\::regclass::oid"), $oid, 'the same object');
is($node->safe_psql('postgres', 'SELECT sum(count) FROM "a study".theirs'), 600, 'the view of another reads it');
is($node->safe_psql('postgres', "TRUNCATE log; $replace, k => 8); SELECT DISTINCT who FROM log"), qq{"a study"."Of ""age"""\nowner}, 'a superuser reads as the owner');
fails("SET ROLE other; $replace, k => 3)", qr/42501: .*must be owner of materialized view/, 'not the owner');
fails("$replace, quasi_identifiers => '{age}')", qr/42P16: .*other columns.*age int4range, ward text and disease text.*age int4range and disease text.*another name/s, 'other columns');
fails("BEGIN; $replace, k => 3); ROLLBACK", qr/^\s*$/, 'taken back');
fails("BEGIN; SAVEPOINT s; $replace, k => 3); ROLLBACK TO s; COMMIT", qr/^\s*$/, 'taken back to a savepoint');

# While it is filled anew, it is read as it was, and so it is by a cursor.
my $reader = $node->background_psql('postgres', on_error_stop => 0);
$reader->query_safe('SELECT pg_advisory_lock(7)');
my ($contents, $errors, $out) = (contents(), '', '');
sub start { return IPC::Run::start([ $node->installed_command('psql'), '-XAtq', '-d', $node->connstr('postgres'), '-c', $_[0] ], '>', \$out, '2>', \$errors) }
my $waiting = q{SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = 'advisory'};
my $first = start("$replace, k => 12)");
$node->poll_query_until('postgres', $waiting) or die;
my $second = start("$replace, k => 14)");
$node->poll_query_until('postgres', q{SELECT count(*) > 0 FROM pg_locks WHERE mode = 'ExclusiveLock' AND locktype = 'relation' AND NOT granted}) or die;
is(contents(), $contents, 'others read what was there');
is($node->safe_psql('postgres', "SELECT count(*) FROM pg_locks WHERE relation = $oid AND mode = 'AccessExclusiveLock'"), 0, 'nobody is kept out');
$reader->query_safe(qq{BEGIN; DECLARE c CURSOR FOR SELECT disease FROM $name; FETCH c});
$reader->query_safe('SELECT pg_advisory_unlock(7)');
like($reader->query_safe('FETCH ALL FROM c'), qr/^(?:.*\n){598}.*$/, 'a cursor goes on');
$reader->query_safe('COMMIT');
$_->finish for $first, $second;
is($errors, '', 'both are done');
is($node->safe_psql('postgres', "SELECT k, smallest >= 14 FROM $kanon.kanon_release"), '14|t', 'one behind the other');

# Nobody gets more than was granted, and it lies where it lay.
$node->safe_psql('postgres', q{ALTER DEFAULT PRIVILEGES FOR ROLE owner GRANT ALL ON TABLES TO PUBLIC; REVOKE CREATE ON TABLESPACE elsewhere FROM owner});
my $object = q{SELECT oid, relowner::regrole, relacl, reltablespace > 0 FROM pg_class WHERE relname IN ('Of "age"', 'By ward', 'By disease') ORDER BY 1};
my $before = $node->safe_psql('postgres', $object);
is($node->psql('postgres', "$replace, k => 5)"), 0, 'in a tablespace that is no longer theirs');
is($node->safe_psql('postgres', $object), $before, '.. with its grants and indexes');
$node->safe_psql('postgres', "REFRESH MATERIALIZED VIEW $name");

# What others have to say of new objects is nothing to it.
$node->safe_psql('postgres', qq{INSERT INTO pg_seclabel VALUES ($release\::regclass, 'pg_class'::regclass, 0, 'nobody', 'secret')});
is($node->psql('postgres', "$replace, k => 6)"), 0, 'a label that nobody can give');
$node->safe_psql('postgres', 'DELETE FROM pg_seclabel');
for my $event (qw(ddl_command_start ddl_command_end sql_drop))
{
	$node->safe_psql('postgres', qq{
		CREATE FUNCTION watch() RETURNS event_trigger LANGUAGE plpgsql AS \$\$BEGIN RAISE 'seen %', tg_tag; END\$\$;
		CREATE EVENT TRIGGER watch ON $event EXECUTE FUNCTION watch()});
	is($node->psql('postgres', "$replace, k => 6)"), 0, "an event trigger, $event, sees nothing");
	$node->safe_psql('postgres', 'DROP EVENT TRIGGER watch; DROP FUNCTION watch');
}
$node->safe_psql('postgres', "CREATE EXTENSION citext; ALTER EXTENSION citext ADD MATERIALIZED VIEW $name");
is($node->psql('postgres', "$replace, k => 7)"), 0, 'a member of an extension');
$node->safe_psql('postgres', "ALTER EXTENSION citext DROP MATERIALIZED VIEW $name");

# Dumped and restored, it is what it was made last.
my $dump = $node->basedir . '/dump.sql';
$node->command_ok([ 'pg_dump', '--no-sync', '-f', $dump, $node->connstr('postgres') ], 'dumped');
$node->safe_psql('postgres', 'CREATE DATABASE restored');
$node->command_ok([ 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('restored'), '-f', $dump ], 'restored');
my $what = "SELECT release, k, recoding, rows, smallest FROM $kanon.kanon_release; SELECT pg_get_viewdef($release\::regclass); SELECT count(*) FROM $name";
is($node->safe_psql('restored', $what), $node->safe_psql('postgres', $what), 'the same');
is($node->psql('restored', "$replace, k => 4)"), 0, 'and replaced there');

# A crash before the commit.
my ($state, $rows) = (state_of(), contents());
my $open = $node->background_psql('postgres');
$open->query_safe("BEGIN; $replace, k => 3); CHECKPOINT");
$node->stop('immediate');
eval { $open->quit };
eval { $reader->quit };
$node->start;
is(state_of() . contents(), $state . $rows, 'a crash before the commit leaves the old one');

done_testing();
