# Declarations in a dump: they arrive in another database as they were, and go
# on following their tables there.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('dump');
$node->init;
$node->start;
my $file = $node->basedir . '/clinic.dump';

# What is declared, with everything by name.
my $declared = q{
	SELECT relation, attribute, role, dimension, weight
	FROM "Privacy Office".kanon_attribute
	WHERE relation IN (SELECT oid FROM pg_class WHERE relpersistence <> 't')
	ORDER BY relation::text, attribute
};

# The rules of dimensions.
my $rules = q{
	SELECT dimension, method, arguments, levels, type, bounds
	FROM "Privacy Office".kanon_dimension
	WHERE dimension IN (SELECT oid FROM pg_class WHERE relpersistence <> 't')
	ORDER BY dimension::text
};

sub restored_as_declared
{
	my ($database, $how) = @_;
	is($node->safe_psql($database, $declared), $node->safe_psql('clinic', $declared),
		"$how: the declarations arrive as they were");
	is($node->safe_psql($database, $rules), $node->safe_psql('clinic', $rules), '.. and the rules of dimensions');
	return;
}

$node->safe_psql('postgres', 'CREATE DATABASE clinic; CREATE ROLE nurse');
$node->safe_psql('clinic', q{
	CREATE SCHEMA "Privacy Office";
	CREATE EXTENSION kanon SCHEMA "Privacy Office";
	CREATE SCHEMA ward;
	GRANT ALL ON SCHEMA ward TO nurse;
	GRANT USAGE ON SCHEMA "Privacy Office" TO nurse;
	SET ROLE nurse;
	SET search_path = ward, "Privacy Office";
	CREATE TABLE patient (gone int, "Full ""Name""" text, zip text, age int, disease text);
	ALTER TABLE patient DROP COLUMN gone;
	INSERT INTO patient VALUES ('Ann', '53715', 25, 'flu'), ('Bob', '53710', 31, 'cold');
	CREATE VIEW "Grown Up" AS SELECT zip, age FROM patient WHERE age >= 18;
	CREATE MATERIALIZED VIEW stored AS SELECT zip, age FROM "Grown Up";
	SELECT kanon_set_attribute('patient', 'Full "Name"', 'identifier');
	SELECT kanon_set_attribute('patient', 'disease', 'sensitive');
	SELECT kanon_set_attribute('patient', 'age', 'insensitive', weight => 0.1);
	SELECT kanon_create_dimension('"Zip''s"', 'patient', 'zip', 'digits');
	SELECT kanon_create_dimension('ages', 'patient', 'age', 'ranges', '{5,10}');
	SELECT kanon_create_dimension('halves', 'patient', 'disease', 'quantiles', '{2}'), kanon_set_attribute('patient', 'disease', 'sensitive');
	SELECT kanon_set_attribute('"Grown Up"', 'zip', 'quasi_identifier', '"Zip''s"');
	SELECT kanon_set_attribute('stored', 'age', 'sensitive');
});
is($node->safe_psql('clinic', $declared), <<'EOF' =~ s/\n\z//r, 'what is declared');
ward."Grown Up"|zip|quasi_identifier|ward."Zip's"|1
ward.patient|Full "Name"|identifier||1
ward.patient|age|quasi_identifier|ward.ages|0.1
ward.patient|disease|sensitive||1
ward.patient|zip|quasi_identifier|ward."Zip's"|1
ward.stored|age|sensitive||1
EOF

is($node->safe_psql('clinic', $rules), <<'EOF' =~ s/\n\z//r, 'the rules of dimensions');
ward."Zip's"|digits|{1,2,3,4}|{masked_1,masked_2,masked_3,masked_4,top}|pg_catalog.text|{}
ward.ages|ranges|{5,10}|{range_5,range_10,top}|integer|{}
ward.halves|quantiles|{2}|{quantile_2,top}|pg_catalog.text|{1,cold,cold,1,flu,flu}
EOF

# A temporary table that another session describes is no part of the dump.
my ($in, $out, $err) = ('', '', '');
my $session = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('clinic') ],
	'<', \$in, '>', \$out, '2>', \$err, IPC::Run::timeout(180));
$in .= q{CREATE TEMP TABLE brief (a int);
	INSERT INTO brief VALUES (1);
	SELECT "Privacy Office".kanon_create_dimension('pg_temp.brief_dimension', 'brief', 'a', 'suppress');
	\echo described
};
pump $session until $out =~ /described/;
is($node->safe_psql('clinic', 'SELECT count(*) FROM "Privacy Office".kanon_attribute'),
	7, 'a temporary table is described too');

# Nor is a release that was dropped while nobody looked: its number may be another relation's there.
$node->safe_psql('clinic', q{
	SET search_path = "Privacy Office", public;
	CREATE TABLE gone AS SELECT i % 3 AS a FROM generate_series(1, 12) i;
	SELECT kanon_create_release('lost', 'gone', 2, 'ring', quasi_identifiers => '{a}');
	ALTER EVENT TRIGGER kanon_forget_dropped DISABLE;
	DROP MATERIALIZED VIEW lost;
	ALTER EVENT TRIGGER kanon_forget_dropped ENABLE ALWAYS;
	DROP TABLE gone;
});
my $entries = 'SELECT (SELECT count(*) FROM "Privacy Office".kanon_release), (SELECT count(*) FROM "Privacy Office".kanon_seed)';

# Plain text, through psql.
$node->command_ok([ 'pg_dump', '--file', $file, $node->connstr('clinic') ], 'pg_dump');
$node->safe_psql('postgres', 'CREATE DATABASE text_copy');
$node->command_ok(
	[ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('text_copy'), '-f', $file ],
	'restore by psql');
restored_as_declared('text_copy', 'plain text');
is($node->safe_psql('text_copy', $entries), '0|0', 'and no entry of a release that is gone');
is($node->safe_psql('text_copy', q{
	SET ROLE nurse;
	SET search_path = ward, "Privacy Office";
	INSERT INTO patient VALUES ('Eve', '60601', 77, 'flu'), ('Flo', '60602', 78, 'flu');
	ALTER TABLE ages RENAME range_5 TO five;
	SELECT kanon_create_release('study', 'patient', 1, 'full_domain', options => '{"levels": ["masked_1", "five"]}') IS NULL;
	SELECT zip, age FROM study WHERE zip ~ '^6';
	SELECT kanon_refresh_dimension('ages');
	SELECT * FROM ages WHERE age = 77;
}), "f\n6060*|75-79\n6060*|75-79\n2\n77|75-79|70-79|*", 'values that dimensions lack are labelled there, too');

# An archive, in one transaction; then once more over what is there.
$node->command_ok([ 'pg_dump', '--format=custom', '--file', $file, $node->connstr('clinic') ],
	'pg_dump --format=custom');
$node->safe_psql('postgres', 'CREATE DATABASE archive_copy');
my @restore = ('pg_restore', '--dbname', $node->connstr('archive_copy'), '--exit-on-error');
$node->command_ok([ @restore, '--single-transaction', $file ], 'pg_restore --single-transaction');
restored_as_declared('archive_copy', 'archive');
$node->command_ok([ @restore, '--clean', '--if-exists', $file ], 'pg_restore --clean');
restored_as_declared('archive_copy', 'archive over an older copy');

# The same columns have other numbers there, so names are what counts.
my $number = q{SELECT attnum FROM pg_attribute WHERE attrelid = 'ward.patient'::regclass AND attname = 'zip'};
isnt($node->safe_psql('archive_copy', $number), $node->safe_psql('clinic', $number),
	'columns are numbered anew');

# Declarations follow their columns in the copy, also where who changes these
# has no right to kanon's schema any more.
$node->safe_psql('archive_copy', q{
	REVOKE USAGE ON SCHEMA "Privacy Office" FROM nurse;
	SET ROLE nurse;
	ALTER TABLE ward.patient RENAME COLUMN zip TO "Zip, Code";
	ALTER TABLE ward.patient RENAME COLUMN age TO zip;
	ALTER TABLE ward.ages RENAME COLUMN range_10 TO ten;
	ALTER TABLE ward."Zip's" RENAME COLUMN masked_4 TO "Most, ""all""";
	ALTER TABLE ward."Zip's" DROP COLUMN masked_2, DROP COLUMN masked_3;
	DROP TABLE ward.halves;
	ALTER TABLE ward.patient DROP COLUMN disease;
	ALTER VIEW ward."Grown Up" RENAME TO grown;
});
is($node->safe_psql('archive_copy', $declared), <<'EOF' =~ s/\n\z//r, 'they follow renames and drops');
ward.grown|zip|quasi_identifier|ward."Zip's"|1
ward.patient|Full "Name"|identifier||1
ward.patient|Zip, Code|quasi_identifier|ward."Zip's"|1
ward.patient|zip|quasi_identifier|ward.ages|0.1
ward.stored|age|sensitive||1
EOF

is($node->safe_psql('archive_copy', $rules), <<'EOF' =~ s/\n\z//r, 'rules do so, too');
ward."Zip's"|digits|{1,2,3,4}|{masked_1,NULL,NULL,"Most, \"all\"",top}|pg_catalog.text|{}
ward.ages|ranges|{5,10}|{range_5,ten,top}|integer|{}
EOF

# The extension goes as part of its schema, with a table described in it, and
# leaves ordinary DDL alone.
$node->safe_psql('archive_copy', q{
	CREATE TABLE "Privacy Office".inside (a int);
	SELECT "Privacy Office".kanon_set_attribute('"Privacy Office".inside', 'a', 'sensitive');
});
$node->safe_psql('archive_copy', 'DROP SCHEMA "Privacy Office" CASCADE');
$node->safe_psql('archive_copy', 'ALTER TABLE ward.patient RENAME COLUMN zip TO years');
$node->safe_psql('archive_copy', 'DROP SCHEMA ward CASCADE');
is($node->safe_psql('archive_copy', 'SELECT count(*) FROM pg_event_trigger'),
	0, 'nothing is left of the extension');
$node->safe_psql('text_copy', 'DROP EXTENSION kanon');
$node->safe_psql('text_copy', 'DROP SCHEMA ward CASCADE');

# DROP OWNED of the extension's owner, among tables that are described.
$node->safe_psql('postgres', 'CREATE ROLE steward LOGIN');
$node->safe_psql('postgres', 'CREATE DATABASE office OWNER steward');
my $steward = $node->connstr('office') . ' user=steward';
$node->command_ok(
	[
		'psql', '-X', '-v', 'ON_ERROR_STOP=1', '-d', $steward, '-c', q{
		CREATE SCHEMA office;
		CREATE EXTENSION kanon SCHEMA office;
		CREATE TABLE office.file (a int, b text);
		SELECT office.kanon_set_attribute('office.file', 'a', 'sensitive');
		ALTER TABLE office.file RENAME COLUMN a TO c;
		ALTER TABLE office.file DROP COLUMN c;
		DROP OWNED BY steward}
	],
	'a role that is no superuser creates, uses and drops it');
is($node->safe_psql('office', "SELECT count(*) FROM pg_extension WHERE extname = 'kanon'"),
	0, 'DROP OWNED took the extension along');

$in .= "\\q\n";
$session->finish;
$node->stop;
done_testing();
