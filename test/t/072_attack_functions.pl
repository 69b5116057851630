# Every function that SQL can call, with every argument owned by a hostile role, called by a
# superuser, by a job, by a steward and by the owner: nobody's code runs with another's rights.  What
# a steward names, SELECT would run as the steward; nothing else does.
#
# A function that is in no list here, or not in the table of docs/rights.md, fails the test.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Attack;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = attack_node('attack_functions');

# ---- the list

# REL stands for a relation, DIM and DIM2 for its dimensions, RELEASE for a release of it, COPY for
# a copy of that, OTHER for a superuser's relation with the same columns, OWN for its release.
my %calls = (
	kanon_set_attribute => [ "SELECT kanon.kanon_set_attribute('REL', 'zip', 'quasi_identifier', 'DIM')", "SELECT kanon.kanon_set_attribute('REL', 'age', 'quasi_identifier')",
		"SELECT kanon.kanon_set_attribute('OTHER', 'zip', 'quasi_identifier', 'DIM')", "SELECT kanon.kanon_set_attribute('OTHER', 'zip', 'insensitive')" ],
	kanon_declare => ["SELECT kanon.kanon_declare('REL', quasi_identifiers => '{age}', sensitive => '{disease}')"],
	kanon_unset_attribute => ["BEGIN; SELECT kanon.kanon_unset_attribute('REL', 'age'); ROLLBACK"],
	kanon_check => [ "SELECT * FROM kanon.kanon_check('REL', 3)", "SELECT * FROM kanon.kanon_check('REL', 3, '{age,zip,letter}', '{\"distinct(disease, 2)\",\"closeness(letter, 0.9)\"}', 'id')",
		"SELECT * FROM kanon.kanon_check('RELEASE')", "SELECT * FROM kanon.kanon_check('DIM', 1, '{zip}')" ],
	kanon_classes => [ "SELECT count(*) FROM kanon.kanon_classes('REL', 3, models => '{\"distinct(disease, 2)\"}')", "SELECT count(*) FROM kanon.kanon_classes('RELEASE')" ],
	kanon_check_matchings => [ "SELECT * FROM kanon.kanon_check_matchings('RELEASE')", "SELECT * FROM kanon.kanon_check_matchings('RELEASE', 2, 'OTHER')",
		"SELECT * FROM kanon.kanon_check_matchings('REL', 1, 'OTHER', '{age,zip}')", "SELECT * FROM kanon.kanon_check_matchings('OWN', 2, 'REL', '{age}')" ],
	kanon_matching_bound => [ "SELECT kanon.kanon_matching_bound('REL', 3)", "SELECT kanon.kanon_matching_bound('REL', 3, priced => true)" ],
	kanon_copy_release => ["SELECT kanon.kanon_copy_release('RELEASE', 'm.copied', 'id'); DROP TABLE IF EXISTS m.copied"],
	kanon_check_releases => [ "SELECT * FROM kanon.kanon_check_releases('REL', '{RELEASE}', key => 'id')", "SELECT * FROM kanon.kanon_check_releases('REL', '{COPY}')",
		"SELECT * FROM kanon.kanon_check_releases('REL', '{RELEASE,COPY}')", "SELECT * FROM kanon.kanon_check_releases('OTHER', '{LENT,OWN}', key => 'id')",
		"SELECT * FROM kanon.kanon_check_releases('OTHER', '{LENTCOPY}')", "SELECT * FROM kanon.kanon_check_releases('OTHER', '{OWN,LENTCOPY}')" ],
	kanon_view_value => [ map { "SELECT kanon.kanon_view_value('a', $_) FROM OTHER LIMIT 1" } qw(letter zip word) ],
	kanon_adopt_cohorts => ["SELECT kanon.kanon_adopt_cohorts('REL')"],
	kanon_adopt_release => ["SELECT kanon.kanon_adopt_release('RELEASE')", "SELECT kanon.kanon_adopt_release('REL')"],
	kanon_compare => [ "SELECT count(*) FROM kanon.kanon_compare('REL', '{3}')", "SELECT count(*) FROM kanon.kanon_compare('REL', '{3}', models => '{\"distinct(disease, 2)\"}')" ],
	kanon_create_dimension => [ (map { "SELECT kanon.kanon_create_dimension('m.made', 'REL', '$_->[0]', '$_->[1]'); DROP TABLE IF EXISTS m.made; SELECT kanon.kanon_set_attribute('REL', '$_->[0]', $_->[2])" }
			[ 'zip', 'digits', "'quasi_identifier', 'DIM'" ], [ 'age', q{quantiles', '{2}}, "'quasi_identifier'" ], [ 'letter', 'suppress', "'insensitive'" ], [ 'word', 'suppress', "'insensitive'" ]),
		"SELECT kanon.kanon_create_dimension('m.made', 'REL', 'disease', 'taxonomy', '{m.taxonomy}'); DROP TABLE IF EXISTS m.made; SELECT kanon.kanon_set_attribute('REL', 'disease', 'sensitive')",
		"SELECT kanon.kanon_create_dimension('d.made', 'OTHER', 'disease', 'taxonomy', '{m.taxonomy}'); DROP TABLE IF EXISTS d.made; SELECT kanon.kanon_set_attribute('OTHER', 'disease', 'sensitive')" ],
	kanon_refresh_dimension => [ "SELECT kanon.kanon_refresh_dimension('RULED')", "SELECT kanon.kanon_refresh_dimension('DIM')" ],
	kanon_check_dimension => [ "SELECT count(*) FROM kanon.kanon_check_dimension('DIM', 'REL', 'zip')", "SELECT count(*) FROM kanon.kanon_check_dimension('DIM', 'OTHER', 'zip')",
		"SELECT count(*) FROM kanon.kanon_check_dimension('d.zips', 'REL', 'zip')" ],
	kanon_view_whole => [ map { "SELECT kanon.kanon_view_whole($_) IS NULL" } "'REL'", "'REL', '{age,zip,letter}', '{\"closeness(disease, 0.9)\"}'", "'RELEASE', '{age}'" ],
	kanon_digest => [ "SELECT kanon.kanon_digest('REL')", "SELECT kanon.kanon_digest('RELEASE')", "SELECT kanon.kanon_digest('DIM')" ],
	kanon_plot => [ map { "SELECT length(kanon.kanon_plot($_))" } "'tradeoff', 'REL', '{3}'", "'classes', 'REL'", "'lattice', 'REL', '{3}'", "'levels', 'REL'", "'map', 'REL'",
		"'history', 'RELEASE'", "'classes', 'RELEASE'" ],
	kanon_quality => [ "SELECT rows FROM kanon.kanon_quality('RELEASE', predicates => '{age > 22}')", "SELECT rows FROM kanon.kanon_quality('REL', 'REL')",
		"SELECT rows FROM kanon.kanon_quality('RELEASE', 'OTHER')", "SELECT rows FROM kanon.kanon_quality('OWN', 'REL')", "SELECT rows FROM kanon.kanon_quality('REL', 'OTHER', predicates => '{age > 22}')" ],
	kanon_query_errors => [ "SELECT count(*) FROM kanon.kanon_query_errors('RELEASE', '{age > 22}')", "SELECT count(*) FROM kanon.kanon_query_errors('RELEASE', '{age > 22}', 'OTHER')",
		"SELECT count(*) FROM kanon.kanon_query_errors('OWN', '{age > 22}', 'REL')", "SELECT count(*) FROM kanon.kanon_query_errors('REL', '{letter > ''a'', word = ''v0''}', 'REL')" ],
	kanon_report => [ "SELECT length(kanon.kanon_report('RELEASE'))" ],
	kanon_risk => [ "SELECT rows FROM kanon.kanon_risk('REL')", "SELECT rows FROM kanon.kanon_risk('REL', '{age,zip}', 'REL')", "SELECT rows FROM kanon.kanon_risk('OTHER', '{age,zip}', 'REL')",
		"SELECT rows FROM kanon.kanon_risk('REL', '{age,zip}', 'OTHER')", "SELECT rows FROM kanon.kanon_risk('RELEASE')" ],
	kanon_sample_uniques => ["SELECT count(*) FROM kanon.kanon_sample_uniques('REL', '{age,zip,letter,word}')"],
	kanon_special_uniques => ["SELECT count(*) FROM kanon.kanon_special_uniques('REL', 'id', '{age,zip,letter,word}')"],
	kanon_incognito => [ "SELECT count(*) FROM kanon.kanon_incognito('REL', 3)", "SET kanon.ground_scan = group_by; SELECT count(*) FROM kanon.kanon_incognito('REL', 3)",
		"SELECT count(*) FROM kanon.kanon_incognito('REL', 3, models => '{\"closeness(letter, 0.9)\"}', metrics => true, person => 'id')" ],
	kanon_bottom_up => ["SELECT count(*) FROM kanon.kanon_bottom_up('REL', 3)"],
	kanon_binary_search => ["SELECT count(*) FROM kanon.kanon_binary_search('REL', 3)"],
	kanon_datafly => ["SELECT count(*) FROM kanon.kanon_datafly('REL', 3)"],
	kanon_generalized_query => ["SELECT kanon.kanon_generalized_query('REL', '{0,1}', 3)"],
	kanon_grow_tree => [ "SELECT kanon.kanon_grow_tree('REL', 3) IS NULL", "SELECT kanon.kanon_grow_tree('REL', 3, models => '{\"closeness(disease, 0.9)\"}') IS NULL" ],
	kanon_local_tree => [ "SELECT kanon.kanon_local_tree('REL', 3) IS NULL", "SELECT kanon.kanon_local_tree('REL', 3, models => '{\"closeness(disease, 0.9)\"}') IS NULL" ],
	kanon_rules_query => [ "SELECT kanon.kanon_rules_query('{\"k\": 1, \"recoding\": \"local\", \"attributes\": [{\"name\": \"age\", \"type\": \"int4\"}], \"rules\": [{\"class\": 1, \"rows\": 1, \"where\": {}}]}', 'REL')" ],
	kanon_create_release => [ map { "SELECT kanon.kanon_create_release('m.new', 'REL', 3, $_); DROP MATERIALIZED VIEW IF EXISTS m.new" } "'local', suppression => 0.1", "'mondrian', options => '{\"means\": true}'", "'relaxed_mondrian'", "'full_domain'",
		"'full_domain', options => '{\"levels\": [0, 1]}', suppression => 0.9", "'ring'", "'two_phase'", "'mondrian', models => '{\"closeness(letter, 0.9)\"}', person => 'id'" ],
	kanon_refresh_release => [ map { "SELECT rows FROM kanon.kanon_refresh_release('RELEASE'$_)" } '', ', "concurrently" => true', ', search => true' ],
	kanon_refresh_releases => [ 'CALL kanon.kanon_refresh_releases()', 'CALL kanon.kanon_refresh_releases("concurrently" => true, search => true)' ],
	kanon_replace_release => [ map { "SELECT kanon.kanon_replace_release('RELEASE', $_)" } 'k => 4', q{quasi_identifiers => '{age}'}, q{quasi_identifiers => '{age,zip}'}, 'k => 3' ],
	kanon_drop_release => ["BEGIN; SELECT kanon.kanon_drop_release('RELEASE'); ROLLBACK"],
	# Their rows come from a query of the caller's, which runs what SELECT runs; their dimensions
	# are named beside it.
	(map { my $name = $_; $name => [ map { "SELECT count(r) FROM (SELECT kanon.$name($_) OVER () AS r FROM OTHER p) q" } "3, p, '{age,zip}', '{NULL,DIM}'", "3, p, '{age,zip}'" ] } qw(kanon_ring kanon_two_phase)),
	(map { $_ => ["SELECT count(r) FROM (SELECT kanon.$_(3, p, '{age,zip}') OVER () AS r FROM OTHER p) q"] } qw(kanon_mondrian kanon_strict_mondrian)),
	kanon_local => ["SELECT count(r) FROM (SELECT kanon.kanon_local(3, p, '{age,zip}', suppression => 0.1) OVER () AS r FROM OTHER p) q"],
	kanon_view_cells => [ map { "SELECT count(r) FROM (SELECT kanon.kanon_view_cells('$_', 3, p, '{age,zip}', '{NULL,DIM}', models => '{\"closeness(disease, 0.9)\"}', model_dimensions => '{DIM}') OVER () AS r FROM OTHER p) q" } qw(mondrian full_domain) ],
	kanon_view_node => ["SELECT sum((kanon.kanon_view_node('mondrian', 3, p, '{age,zip}', '{NULL,DIM}', options => '{\"rest\": true}', whole => '{\"age\": {\"values\": [], \"rows\": []}, \"zip\": {\"values\": [], \"rows\": []}}', tree => '{0,1,0}'))[1]) FROM OTHER p"],
	kanon_view_candidates => ["SELECT count(r) FROM (SELECT kanon.kanon_view_candidates('ring', 3, p, '{age,zip}', '{NULL,DIM}') OVER () AS r FROM OTHER p) q"],
	kanon_view_satisfies => ["SELECT count(r) FROM (SELECT kanon.kanon_view_satisfies(3, p, 'age', '{\"closeness(zip, 0.9)\"}', model_dimensions => '{DIM}') OVER () AS r FROM OTHER p) q"],
	kanon_view_seed => [ q{SELECT kanon.kanon_view_seed((regexp_match(pg_get_viewdef(oid), 'kanon_view_seed\((\d+)'))[1]::bigint) FROM pg_class WHERE relkind = 'm' AND relnamespace = 'm'::regnamespace AND pg_get_viewdef(oid) ~ 'kanon_view_seed'} ],
	kanon_view_entries => ["SELECT kanon.kanon_view_entries(NULL::kanon.kanon_release_state)", "SELECT kanon.kanon_view_entries(NULL::kanon.kanon_release_history_state)"],
	kanon_view_cohort_cells => ["SELECT count(*) FROM (SELECT kanon.kanon_view_cohort_cells(number) FROM kanon.kanon_cohort) c", "SELECT kanon.kanon_view_cohort_cells(number) FROM generate_series(1, 20) number"],
	kanon_view_cohort_members => ["SELECT count(*) FROM (SELECT kanon.kanon_view_cohort_members(number) FROM kanon.kanon_cohort) c", "SELECT kanon.kanon_view_cohort_members(number) FROM generate_series(1, 20) number"],
);

# What takes no relation and reads nothing that is anybody's.
my %harmless = (
	(map { $_ => 'types' } map { my $type = $_; map { "kanon_${type}_$_" } qw(in out recv send) } qw(levels models tree)),
	(map { $_ => 'compares two trees' } map { "kanon_tree_$_" } qw(cmp hash eq ne lt le gt ge)),
	(map { $_ => 'event trigger' } qw(kanon_forget_dropped kanon_follow_renamed kanon_refuse_overloads kanon_release_refreshed kanon_release_refreshing)),
	(map { $_ => 'works on rows that it is handed' } qw(kanon_leaf kanon_region kanon_view_cell kanon_mondrian_tree kanon_mondrian_tree_transition kanon_mondrian_tree_final kanon_view_digest kanon_view_digest_transition kanon_view_digest_final kanon_view_person kanon_view_person_row kanon_view_person_places kanon_view_counts kanon_view_count kanon_view_count_add kanon_view_tally)),
	kanon_options => 'lists what options there are',
	kanon_release_guard => 'trigger that refuses whatever fires it',
	(map { $_ => 'says what this session, or each, is doing' } qw(kanon_last_search kanon_last_partitioning kanon_progress_entries)),
);

my @members = split /\n/, sql(q{
	SELECT DISTINCT p.proname FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid
	WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
		AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'kanon') ORDER BY 1});
cmp_ok(scalar @members, '>', 60, 'the extension has functions');
is(join(' ', grep { !$calls{$_} && !$harmless{$_} } @members), '', 'each is listed in this test');
is(join(' ', grep { my $name = $_; !grep { $_ eq $name } @members } sort keys %calls, keys %harmless), '', '.. and nothing else is');

# Those that take a relation, by their arguments, are none that are listed as harmless.
is(sql(q{SELECT string_agg(DISTINCT p.proname, ' ') FROM pg_proc p WHERE p.proname IN (} . join(', ', map { "'$_'" } sort keys %harmless)
	  . q{) AND p.pronamespace = 'kanon'::regnamespace AND ARRAY['regclass'::regtype, 'regclass[]'::regtype] && (p.proargtypes::oid[]::regtype[])}), '',
	'those that are listed as harmless take no relation');

# ---- docs/rights.md

# The table "| function | whose rights | .. |": the names in backquotes of each first column.
sub documented
{
	my ($text) = @_;
	my (%found, $in);
	for my $line (split /\n/, $text)
	{
		if ($line !~ /^\s*\|/) { $in = 0; next }
		my ($first) = $line =~ /^\s*\|\s*(.*?)\s*\|/;
		$in = 1 if defined $first && $first =~ /^functions?$/i && $line =~ /whose rights/i;
		next unless $in;
		$found{$_} = 1 for $first =~ /`\w*\.?(kanon_\w+)/g;
	}
	return sort keys %found;
}

my ($page) = grep { -f $_ } map { "$FindBin::RealBin/$_" } '../../docs/rights.md', '../../../docs/rights.md';
SKIP:
{
	skip 'docs/rights.md is not here', 2 unless $page;
	my @named = documented(slurp_file($page));
	# What SQL cannot call by itself, or has no rights to speak of, may be left out.
	is(join(' ', grep { my $name = $_; $calls{$name} && !grep { $_ eq $name } @named } @members), '', 'each is in the table of docs/rights.md');
	is(join(' ', grep { my $name = $_; !grep { $_ eq $name } @members } @named), '', '.. and nothing else is');
}

# ---- hostile relations

quietly('mal', q{
	CREATE TYPE m.letter AS ENUM ('a', 'b', 'c', 'd');
	CREATE FUNCTION m.letter_text(m.letter) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM m.spy('cast of enum'); RETURN enum_out($1)::text; END $$;
	CREATE CAST (m.letter AS text) WITH FUNCTION m.letter_text(m.letter) AS IMPLICIT;
	CREATE FUNCTION m.letter_int(m.letter) RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM m.spy('cast of enum'); RETURN 1; END $$;
	CREATE CAST (m.letter AS int) WITH FUNCTION m.letter_int(m.letter) AS IMPLICIT;
	CREATE FUNCTION m.fine(text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN m.spy('check of domain'); END $$;
	CREATE DOMAIN m.word AS text CHECK (m.fine(VALUE));
	CREATE TYPE m.pair AS (x int, y int);
	CREATE FUNCTION m.pair_text(m.pair) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM m.spy('cast of row'); RETURN 'p'; END $$;
	CREATE CAST (m.pair AS text) WITH FUNCTION m.pair_text(m.pair);
	CREATE FUNCTION m.compare(m.letter, m.letter) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM m.spy('operator'); RETURN enum_lt($1, $2); END $$;
	CREATE FUNCTION m.compare(m.word, m.word) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM m.spy('operator'); RETURN true; END $$;
	CREATE FUNCTION m.compare(m.word, text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM m.spy('operator'); RETURN true; END $$;
	CREATE FUNCTION m.distance(float8, float8) RETURNS float8 LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM m.spy('distance of range'); RETURN $1 - $2; END $$;
	CREATE TYPE m.span AS RANGE (SUBTYPE = float8, SUBTYPE_DIFF = m.distance);
	CREATE COLLATION m.order (provider = libc, locale = 'C');
	CREATE FUNCTION m.trap() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM m.spy('trigger'); RETURN NEW; END $$;
	DO $$
	DECLARE
		name text;
	BEGIN
		FOREACH name IN ARRAY ARRAY['=', '<>', '<', '<=', '>', '>='] LOOP
			EXECUTE format('CREATE OPERATOR m.%s (LEFTARG = m.letter, RIGHTARG = m.letter, FUNCTION = m.compare)', name);
			EXECUTE format('CREATE OPERATOR m.%s (LEFTARG = m.word, RIGHTARG = m.word, FUNCTION = m.compare)', name);
			EXECUTE format('CREATE OPERATOR m.%s (LEFTARG = m.word, RIGHTARG = text, FUNCTION = m.compare)', name);
		END LOOP;
	END $$;
	CREATE TABLE m.zips (zip text COLLATE m.order, zip3 text, top text); INSERT INTO m.zips SELECT '5370' || i, '537', '*' FROM generate_series(0, 9) i;
	CREATE TABLE m.taxonomy AS SELECT 'd' || i AS child, 'ill' AS parent FROM generate_series(0, 4) i;
	CREATE TABLE m.plain (id int, age int, zip text COLLATE m.order, disease text, letter m.letter, word m.word, span m.span);
	INSERT INTO m.plain SELECT i, 20 + i % 3, '5370' || i % 10, 'd' || i % 5, ('{a,b,c,d}'::m.letter[])[1 + i % 4], 'v' || i % 3, m.span(i % 3, 1 + i % 3)
	FROM generate_series(1, 120) i;
	CREATE VIEW m.seen AS SELECT * FROM m.plain WHERE m.spy('view');
	CREATE VIEW m.invoked WITH (security_invoker = true, security_barrier = true) AS SELECT * FROM m.plain WHERE m.spy('invoker view');
	CREATE TABLE m.guarded AS SELECT * FROM m.plain;
	CREATE POLICY guard ON m.guarded USING (m.spy('policy')); ALTER TABLE m.guarded ENABLE ROW LEVEL SECURITY;
	CREATE TABLE m.forced AS SELECT * FROM m.plain;
	CREATE POLICY guard ON m.forced USING (m.spy('policy')); ALTER TABLE m.forced ENABLE ROW LEVEL SECURITY; ALTER TABLE m.forced FORCE ROW LEVEL SECURITY;
	CREATE TABLE m.parted (LIKE m.plain) PARTITION BY RANGE ((m.calm('partition') || m.calm(zip)));
	CREATE TABLE m.part PARTITION OF m.parted DEFAULT; INSERT INTO m.parted SELECT * FROM m.plain;
	CREATE TABLE m.parent (LIKE m.plain); CREATE TABLE m.child (CHECK (m.calm('child') <> '')) INHERITS (m.parent); INSERT INTO m.child SELECT * FROM m.plain;
	CREATE MATERIALIZED VIEW m.stored AS SELECT * FROM m.plain WHERE m.spy('materialized view');
	CREATE TABLE m.ruled_source AS SELECT '5370' || i AS zip FROM generate_series(0, 5) i;
	SELECT kanon.kanon_create_dimension('m.ruled', 'm.ruled_source', 'zip', 'digits')});
my @relations = qw(m.plain m.seen m.guarded m.parted m.invoked m.forced m.parent m.stored);
splice @relations, $ENV{ATTACK_RELATIONS} if $ENV{ATTACK_RELATIONS} && $ENV{ATTACK_RELATIONS} < @relations;
for my $relation (@relations)
{
	quietly('mal', qq{
		SELECT kanon.kanon_declare('$relation', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}', insensitive => '{letter,word}');
		SELECT kanon.kanon_set_attribute('$relation', 'zip', 'quasi_identifier', 'm.zips')});
}
quietly('mal', 'GRANT SELECT ON ALL TABLES IN SCHEMA m TO PUBLIC; GRANT ALL ON SCHEMA m TO dba');
# Releases while all is calm; then the traps.
for my $relation (@relations)
{
	my ($short) = $relation =~ /\.(\w+)/;
	quietly('mal', "SELECT kanon.kanon_create_release('m.${short}_$_->[0]', '$relation', 3, $_->[1])")
	  for [ 'm', "'mondrian'" ], ($short eq 'plain' || $short eq 'seen' ? ([ 'f', "'full_domain', options => '{\"levels\": [0, 1]}', suppression => 0.9" ], [ 'r', "'ring'" ], [ 'c', "'cohorts', options => '{\"key\": \"id\", \"leavers\": \"keep\"}'" ]) : ());
	quietly('mal', "SELECT kanon.kanon_copy_release('m.${short}_m', 'm.${short}_copy', 'id')");
}
# A superuser's relation, of which mal may make releases.
quietly('dba', q{
	CREATE TABLE d.zips AS SELECT * FROM m.zips;
	CREATE TABLE d.other AS SELECT id, age, zip::text, disease, letter, word FROM m.plain;
	GRANT USAGE ON SCHEMA d TO PUBLIC; GRANT SELECT ON ALL TABLES IN SCHEMA d TO PUBLIC;
	SELECT kanon.kanon_declare('d.other', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}', insensitive => '{letter,word}');
	SELECT kanon.kanon_set_attribute('d.other', 'zip', 'quasi_identifier', 'd.zips');
	SELECT kanon.kanon_create_release('d.own', 'd.other', 3)});
quietly('mal', q{
	SELECT kanon.kanon_create_release('m.lent', 'd.other', 3); SELECT kanon.kanon_copy_release('m.lent', 'm.lent_copy', 'id')});
quietly('mal', q{
	GRANT SELECT ON ALL TABLES IN SCHEMA m TO PUBLIC;
	DO $$
	DECLARE
		r regclass;
	BEGIN
		FOR r IN SELECT oid FROM pg_class WHERE relnamespace = 'm'::regnamespace AND relkind IN ('r', 'm') AND relname !~ '_(x|stat)$' LOOP
			BEGIN
				EXECUTE format('CREATE INDEX ON %s (m.calm(''index''))', r);
			EXCEPTION WHEN OTHERS THEN RAISE WARNING '%: %', r, SQLERRM;
			END;
			BEGIN
				EXECUTE format('CREATE STATISTICS m.%I ON (m.calm(''statistics'')), (m.calm(''more statistics'')) FROM %s', 'stat' || r::oid, r);
			EXCEPTION WHEN OTHERS THEN RAISE WARNING '%: %', r, SQLERRM;
			END;
		END LOOP;
		CREATE TRIGGER trap BEFORE INSERT ON m.ruled FOR EACH STATEMENT EXECUTE FUNCTION m.trap();
		CREATE RULE trap AS ON INSERT TO m.zips DO ALSO SELECT m.spy('rule');
		ALTER TABLE m.ruled ADD CONSTRAINT trap CHECK (m.spy('constraint'));
	END $$;
	DELETE FROM m.ruled});

# ---- the walk

# Of a call with placeholders, the statements for a relation.
sub statements
{
	my ($call, $relation) = @_;
	my ($short) = $relation =~ /\.(\w+)/;
	my @kinds = $call =~ /\bRELEASE\b/ && $short =~ /^(plain|seen)$/ ? qw(m f r c) : ('m');
	return map {
		my $kind = $_;
		$call =~ s/\bREL\b/$relation/gr =~ s/\bRELEASE\b/m.${short}_$kind/gr =~ s/\bCOPY\b/m.${short}_copy/gr =~ s/\bDIM\b/m.zips/gr =~ s/\bRULED\b/m.ruled/gr
		  =~ s/\bOTHER\b/d.other/gr =~ s/\bOWN\b/d.own/gr =~ s/\bLENT\b/m.lent/gr =~ s/\bLENTCOPY\b/m.lent_copy/gr
	} @kinds;
}

my %worked;
sub walk
{
	my ($when, $caller, $relation, @names) = @_;
	my @allowed = $caller eq 'steward' ? ('steward') : ();
	for my $name (@names)
	{
		my @calls = harmless_all($caller, [ map { statements($_, $relation) } @{ $calls{$name} } ], "$when: $name on $relation, by $caller", @allowed);
		$worked{$name} += grep { $_->{said} !~ /ERROR/ } @calls;
	}
}

my @walked = sort keys %calls;
for my $relation (@relations)
{
	# Those whose arguments are not the relation need one walk.
	my @names = $relation eq 'm.plain' ? @walked : grep { my $name = $_; grep { /\bREL(EASE)?\b/ } @{ $calls{$name} } } @walked;
	walk('before', 'dba', $relation, @names);
	next if $relation =~ /parted|parent|stored|forced/;
	walk('before', 'steward', $relation, @names);
}
walk('before', 'mal', 'm.plain', @walked);

# Each was called in a way that does something; to adopt a release takes one that was lost.
is(join(' ', grep { !$worked{$_} } @walked), 'kanon_adopt_release', 'each works for somebody');

# What a steward does not name, nobody's code runs as the steward: his relation, mal's dimension.
quietly('steward', q{
	CREATE TABLE s.mine AS SELECT id, age, zip::text, disease FROM m.plain;
	SELECT kanon.kanon_declare('s.mine', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}')});
trust('mal');
quietly('steward', q{SELECT kanon.kanon_set_attribute('s.mine', 'zip', 'quasi_identifier', 'm.zips')}) if runs('steward', 'SHOW kanon.trusted_owners') !~ /ERROR/;
trust();
for my $call ("SELECT count(*) FROM kanon.kanon_incognito('s.mine', 3)", "SELECT count(*) FROM kanon.kanon_compare('s.mine', '{3}')",
	"SELECT kanon.kanon_create_release('s.made', 's.mine', 3); DROP MATERIALIZED VIEW IF EXISTS s.made",
	"SELECT kanon.kanon_set_attribute('s.mine', 'zip', 'quasi_identifier', 'm.zips')", "SELECT rows FROM kanon.kanon_risk('s.mine', '{age,zip}', 'm.plain')",
	"SELECT count(r) FROM (SELECT kanon.kanon_ring(3, p, '{zip}', '{m.zips}') OVER () AS r FROM s.mine p) q")
{
	harmless('steward', $call, "a steward's own relation: $call");
}

# ---- the same, with DDL in a loop beside the calls

my $loop = join ' ', map {
	"CREATE INDEX looped_$_ ON m.zips (m.calm('looped')); ALTER TABLE m.plain ADD CONSTRAINT looped CHECK (m.calm('looped') <> ''); DROP INDEX m.looped_$_;"
	  . " ALTER TABLE m.plain DROP CONSTRAINT looped; CREATE OR REPLACE VIEW m.seen AS SELECT * FROM m.plain WHERE m.spy('looped view');"
	  . " CREATE STATISTICS m.looped_$_ ON (m.calm('looped')), (zip || '') FROM m.plain; DROP STATISTICS m.looped_$_;"
	  . " DROP TRIGGER trap ON m.ruled; CREATE TRIGGER trap BEFORE INSERT ON m.ruled FOR EACH ROW EXECUTE FUNCTION m.trap(); DELETE FROM m.ruled;"
	  . " ALTER TYPE m.letter RENAME TO letter_$_; ALTER TYPE m.letter_$_ RENAME TO letter;"
} 1 .. 400;
append_to_file("${PostgreSQL::Test::Utils::tmp_check}/loop.sql", "SET client_min_messages = error; SET lock_timeout = '200ms';\n" . ($loop =~ s/; ?/;\n/gr));
my ($out, $err) = ('', '');
my $run = IPC::Run::start([ 'psql', '-XAtq', '-U', 'mal', '-d', $node->connstr('clinic'), '-f', "${PostgreSQL::Test::Utils::tmp_check}/loop.sql" ],
	'>', \$out, '2>', \$err, IPC::Run::timeout(300));
walk('beside a loop', 'dba', $_, @walked) for 'm.plain', 'm.seen';
walk('beside a loop', 'steward', 'm.plain', grep { !/create_release|refresh|replace|drop|adopt/ } @walked);
$run->kill_kill;

is(sql('SELECT string_agg(rolname, $$,$$) FROM pg_roles WHERE rolsuper AND rolname <> $$dba$$ AND oid <> 10'), '', 'nobody has become a superuser');
$node->stop;
done_testing();
