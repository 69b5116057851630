# k on any so many columns: what a release shows, and what is said of it.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('primary');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\n");
$node->start;
sub ask { return $node->safe_psql('postgres', $_[0]) }

ask(q{
	CREATE EXTENSION kanon;
	CREATE TABLE doses AS SELECT i AS id, CASE WHEN i <= 10 THEN 1.0 WHEN i = 11 THEN 1.00 ELSE 2 END AS dose, CASE WHEN i <= 10 THEN 'x' ELSE 'y' END AS town, 's' || i % 2 AS disease
	FROM generate_series(1, 20) i;
	SELECT kanon_declare('doses', '{dose,town}', sensitive => '{disease}', identifiers => '{id}');
	SELECT kanon_create_release('study', 'doses', 3, 'full_domain', options => '{"known": 1, "levels": [0, 0]}');
});
is(ask('SELECT count(*) FROM study GROUP BY dose::text ORDER BY 1'), "9\n11", 'equal values that are spelled differently are spelled alike');

my $page = ask(q{SELECT kanon_report('study')});
is(scalar($page =~ /satisfied/), 1, 'a report of such a release');

# One spelling does not hide that one row is unique by all columns.
is(ask(q{SELECT uniques FROM kanon_risk('study')}), 1, 'one row is unique by all columns');
(my $text = $page) =~ s/<[^>]*>/ /g;
unlike($text, qr/unique rows\s+\d+ %\s+0 %/, '.. and the report does not deny it');
like($text, qr/a reader knows, at most\s+1\s/, '.. says how many columns readers may know');
like($text, qr/every class satisfies, by each set of as many quasi-identifiers as a reader knows\..*One who knows more can find a single person\./s, '.. and what that means');
like($text, qr/smallest\s+failing\s+yes\s+20\s/, '.. and counts each row once');

ask(q{
	CREATE TABLE names AS SELECT 'p' AS name, '*' AS top;
	CREATE TABLE people AS SELECT CASE WHEN i <= 10 THEN 'p' ELSE 'u' || i END AS name, i % 2 AS sex FROM generate_series(1, 20) i;
	SELECT kanon_set_attribute('people', 'name', 'quasi_identifier', 'names'), kanon_set_attribute('people', 'sex', 'quasi_identifier');
});
is(ask("SELECT count(*) FILTER (WHERE s) FROM (SELECT kanon_view_satisfies(3, p, $_) OVER () AS s FROM people p) q"), 10, "values that a dimension lacks are not one class: $_")
  for "'name'", "NULL, columns => '{name,sex}', known => 1";

done_testing();
