# Databases of several encodings, with bytes that are nothing in UTF-8: dimensions, releases, their
# digests, measures and pages.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('primary');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nclient_encoding = 'SQL_ASCII'\n");
$node->start;

sub create_database
{
	my ($encoding) = @_;
	my $name = lc $encoding;

	$node->safe_psql('postgres', "CREATE DATABASE $name ENCODING '$encoding' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
	$node->safe_psql($name, 'CREATE EXTENSION kanon');
	return $name;
}

# An u with umlaut in each, and a character that UTF-8 lacks: half a letter, one that is not assigned.
my %letter = (SQL_ASCII => 'c3bc', UTF8 => 'c3bc', LATIN1 => 'fc', WIN1252 => 'fc', EUC_JP => '8fabe4');
my %stray = (SQL_ASCII => 'c3', WIN1252 => '81', EUC_JP => 'a9a1');
my %digest;

for my $encoding (sort keys %letter)
{
	my $name = create_database($encoding);

	$digest{$encoding} = $node->safe_psql($name, qq{
		CREATE TABLE words AS SELECT convert_from(decode('67' || '$letter{$encoding}', 'hex'), '$encoding') AS word;
		SELECT kanon_digest('words')});
}
is($digest{$_}, $digest{UTF8}, "the digest in $_ is that in UTF8") for sort keys %digest;

for my $encoding (sort keys %stray)
{
	my $name = lc $encoding;

	$node->safe_psql($name, qq{
		CREATE TABLE people AS
		SELECT i AS id, 20 + i * i % 50 AS age,
			convert_from(decode((ARRAY['67', '$letter{$encoding}', '67' || '$letter{$encoding}', '$stray{$encoding}', '$stray{$encoding}' || '67'])[1 + i % 5], 'hex'), '$encoding') AS town,
			(ARRAY['none', 'flu', 'burn'])[1 + i % 3] AS disease FROM generate_series(1, 300) i;
		SELECT kanon_declare('people', '{age}', sensitive => '{disease}', identifiers => '{id}');
		SELECT kanon_create_dimension('towns', 'people', 'town', 'digits');
		SELECT kanon_create_release('of_' || recoding, 'people', 5, recoding)
		FROM unnest('{full_domain,mondrian,relaxed_mondrian,ring,two_phase}'::text[]) recoding;
		SELECT kanon_create_release('of_cohorts', 'people', 5, 'cohorts', options => '{"key": "id", "leavers": "keep"}');
		SELECT kanon_refresh_release(release) FROM kanon_release});
	is($node->safe_psql($name, q{
		SELECT count(*), bool_and(q.loss BETWEEN 0 AND 1) FROM kanon_release r, kanon_quality(r.release) q}),
		'6|t', "cells with strange bytes in $encoding are measured");
	is($node->safe_psql($name, q{SELECT bool_and(c.satisfied) FROM kanon_release r, kanon_check_matchings(r.release) c
		WHERE r.release::text IN ('of_ring', 'of_two_phase')}), 't', ".. and checked");
	unlike($node->safe_psql($name, q{SELECT string_agg(kanon_report(release), '') FROM kanon_release}), qr/[^\x00-\x7f]/,
		'.. and pages about them are ASCII');

	# Each text counts as itself, also beside one that UTF-8 has.
	is($node->safe_psql($name, qq{
		CREATE TABLE stray (word text);
		CREATE TABLE found AS SELECT ''::text AS digest LIMIT 0;
		INSERT INTO stray SELECT convert_from(decode('$stray{$encoding}', 'hex'), '$encoding');
		INSERT INTO found SELECT kanon_digest('stray');
		INSERT INTO found SELECT kanon_digest('stray');
		UPDATE stray SET word = word || word;
		INSERT INTO found SELECT kanon_digest('stray');
		UPDATE stray SET word = '?';
		INSERT INTO found SELECT kanon_digest('stray');
		SELECT count(*), count(DISTINCT digest) FROM found}), '4|3', '.. and digests tell them apart');
}

$node->stop;
done_testing();
