# Reports: the same page in every encoding and under all settings, names that want to break it, and
# what neighbouring tables, one person apart, show of that person.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('primary');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\n");
$node->start;

my $people = q{
	CREATE TABLE people AS
	SELECT i AS id, 20 + i * i % 50 AS age, i * 7 % 30 AS zip, (ARRAY['none', 'flu', 'burn'])[1 + i % 3] AS disease FROM generate_series(1, 600) i;
	SELECT kanon_declare('people', '{age,zip}', sensitive => '{disease}', identifiers => '{id}');
};

# What differs from one filling to the next is left out.
sub page
{
	my ($database, $settings) = @_;
	my $page = $node->safe_psql($database, "$settings SELECT kanon_report('study')");

	$page =~ s/\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)? UTC/WHEN/g;
	return $page;
}

# A name with an umlaut, in databases of three encodings.
my %page;
for my $encoding (qw(UTF8 LATIN1 SQL_ASCII))
{
	my $value = $encoding eq 'LATIN1' ? 'g\\xfc' : 'g\\xc3\\xbc';
	my $name = lc $encoding;

	$node->safe_psql('postgres', "CREATE DATABASE $name ENCODING '$encoding' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
	$node->safe_psql($name, "CREATE EXTENSION kanon; $people");
	$node->safe_psql($name, qq{
		UPDATE people SET disease = E'$value' WHERE disease = 'flu';
		SELECT kanon_create_release('study', 'people', 5);
	});
	$page{$encoding} = page($name, '');
	unlike($page{$encoding}, qr/[^\x00-\x7f]/, "a page of a database in $encoding is ASCII");
}
like($page{UTF8}, qr/g&#252;/, 'letters beyond ASCII are numbers');
is($page{LATIN1}, $page{UTF8}, 'a page from LATIN1 is that from UTF8');
is($page{SQL_ASCII}, $page{UTF8}, 'so is one from a database without encoding whose bytes are UTF-8');

# Settings.
my $usual = page('utf8', '');
for my $setting ("DateStyle = 'German'", "TimeZone = 'Asia/Tokyo'", "IntervalStyle = 'iso_8601'", 'extra_float_digits = -15', "client_encoding = 'LATIN1'",
	"bytea_output = 'escape'", 'standard_conforming_strings = off', 'quote_all_identifiers = on', "lc_numeric = 'C'", "lc_messages = 'C'", "search_path = ''")
{
	my $set = $setting =~ /search_path/ ? 'SET search_path = pg_temp, public;' : "SET $setting;";
	is(page('utf8', $set), $usual, "a page under $setting");
}

# Names.
for my $name ('<script>alert(1)</script>', '--', '/*', q{'";}, "two\nlines", "\x{202e}gnp.exe", 'a' x 63, "\t", '&lt;', '%s%n', '\\')
{
	my $quoted = $name;
	utf8::encode($quoted);
	$quoted =~ s/"/""/g;
	my $page = $node->safe_psql('utf8', qq{
		DROP TABLE IF EXISTS odd CASCADE;
		CREATE TABLE odd AS SELECT age AS "$quoted", disease AS "2$quoted" FROM people LIMIT 300;
		SELECT kanon_set_attribute('odd', attname, CASE attnum WHEN 1 THEN 'quasi_identifier' ELSE 'sensitive' END) FROM pg_attribute WHERE attrelid = 'odd'::regclass AND attnum > 0;
		SELECT kanon_create_release('odd_release', 'odd', 5);
		SELECT kanon_report('odd_release');
	});
	my $shown = $name =~ s/\W/?/gr;

	ok($page =~ m{</html>\s*\z} && $page !~ m{<script|[^\x00-\x7f]} && $page !~ /&#8238;/, "a column called $shown");
}

# Odd tables.
my %odd = (
	'an empty table' => 'SELECT age, disease FROM people WHERE false',
	'one class' => 'SELECT 1 AS age, disease FROM people',
	'NULLs alone' => 'SELECT NULL::int AS age, NULL::text AS disease FROM people',
	'no numbers' => q{SELECT disease || zip % 2 AS age, disease FROM people},
	'controls in values' => q{SELECT E'\x01\x1b[31m' || age % 3 AS age, disease FROM people});
for my $what (sort keys %odd)
{
	for my $recoding (qw(mondrian full_domain two_phase))
	{
		my ($code, $page, $error) = $node->psql('utf8', qq{
			DROP TABLE IF EXISTS odd CASCADE;
			CREATE TABLE odd AS $odd{$what};
			SELECT kanon_declare('odd', '{age}', sensitive => '{disease}');
			SELECT kanon_create_release('odd_release', 'odd', 5, '$recoding');
			SELECT kanon_report('odd_release');
		}, on_error_stop => 1);
		ok($code == 0 ? $page =~ m{</html>\s*\z} && $page !~ /[\x00-\x08\x0b-\x1f]/ : $error =~ /ERROR/ && $error !~ /kanon_report|XX000/, "$what, $recoding");
	}
}

# A cancel is an error, whatever it meets, and no page without a part.
for my $timeout (2, 5, 10, 20, 40)
{
	my ($code, $page, $error) = $node->psql('utf8', "SET statement_timeout = $timeout; SELECT kanon_report('study')");
	ok($code == 0 && $page =~ m{</html>} && $error !~ /lacks/ || $error =~ /statement timeout/, "a page within $timeout ms, or none");
}

# Figures of neighbouring tables, which differ in one person, told to somebody who knows all others.
# They mostly agree; where a figure is about to be rounded the other way, that person shows: the
# limit that docs/report.md states.
my ($flips, $rows) = split /\|/, $node->safe_psql('utf8', q{
	CREATE TABLE trial (figures text, neighbor text, rows text, neighbor_rows text);
	CREATE FUNCTION figures() RETURNS text LANGUAGE sql AS $$
		SELECT string_agg(m[1], '; ') FROM regexp_matches(kanon_plot('risk', 'study'), 'the table as it is now, rounded: ([0-9.]+ %)', 'g') m $$;
	CREATE FUNCTION rows() RETURNS text LANGUAGE sql AS $$
		SELECT substring(kanon_report('study') FROM 'about [0-9]+, to the nearest [0-9]+') $$;
	DO $$
	DECLARE
		before text[];
	BEGIN
		PERFORM setseed(0.25);
		FOR size IN 401..600 LOOP
			DELETE FROM people;
			INSERT INTO people SELECT i, 20 + random() * 50, random() * 10, 'none' FROM generate_series(1, size) i;
			before := ARRAY[figures(), CASE WHEN size % 10 = 0 THEN rows() END];
			DELETE FROM people WHERE id = size;
			INSERT INTO trial VALUES (before[1], figures(), before[2], CASE WHEN size % 10 = 0 THEN rows() END);
		END LOOP;
	END $$;
	SELECT count(*) FILTER (WHERE figures <> neighbor), count(*) FILTER (WHERE rows <> neighbor_rows) FROM trial;
});
note("of 200 pairs of tables that differ in one person, figures of risk differ in $flips; rows in $rows of 20");
cmp_ok($flips, '<=', 40, 'one person hardly ever shows in figures of risk');
cmp_ok($rows, '<=', 2, 'nor in the number of rows');

done_testing();
