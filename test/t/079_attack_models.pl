# Cohorts with models: NULL in a later copy tells nothing that the first one did not.
#
# The attacker (mal) may read all copies and knows kanon, and everybody's presence and
# quasi-identifiers.  So mal looks for worlds that make the same copies.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Attack;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = attack_node('attack_models');
quietly('dba', 'ALTER DATABASE clinic SET search_path = kanon; ALTER DATABASE clinic SET client_min_messages = error; GRANT USAGE ON SCHEMA b TO mal, steward');

# ---- cohorts with models: NULL tells what it hides

# A world is a text: for each night, parted by "/", a letter for each person: "f" is flu, "o" something
# else that nobody else has, "-" absent.  The reader cannot tell worlds apart that have the same
# copies.  Answers of how many people with flu, night by night, the reader is certain, and in how many
# worlds.  So that chance decides alike in all of them, they share the secret of their cohorts.
quietly('dba', q{
	CREATE FUNCTION public.same_secret(cohorts_of regclass) RETURNS void LANGUAGE sql SECURITY DEFINER AS $$ UPDATE kanon.kanon_cohort_state SET secret = sha256('secret') WHERE relation = cohorts_of $$});
quietly('mal', q{
	CREATE FUNCTION m.certain(worlds text[], kind text, k int, arguments text, OUT certain bigint, OUT in_worlds bigint) LANGUAGE plpgsql SET client_min_messages = error AS $$
	DECLARE
		flu text := CASE kind WHEN 'int' THEN '1' ELSE 'flu' END;
		copies text[];
		copy text;
		night text;
		seen text[] := '{}';
	BEGIN
		FOR w IN 1 .. cardinality(worlds) LOOP
			copies := '{}';
			BEGIN
				EXECUTE format('CREATE TABLE m.known (id int, age int, value %s)', kind);
				PERFORM kanon_declare('m.known', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{value}');
				EXECUTE format('SELECT kanon_create_release(''m.known_out'', ''m.known'', %s, ''cohorts'', %s)', k, arguments);
				PERFORM public.same_secret('m.known');
				FOREACH night IN ARRAY string_to_array(worlds[w], '/') LOOP
					TRUNCATE m.known;
					EXECUTE format('INSERT INTO m.known SELECT i, 19 + i, (CASE c WHEN ''f'' THEN $1 ELSE (100 * i)::text END)::%s FROM string_to_table($2, NULL) WITH ORDINALITY p (c, i) WHERE c <> ''-''', kind) USING flu, night;
					PERFORM kanon_refresh_release('m.known_out');
					SELECT coalesce(string_agg(line, ' ' ORDER BY line), 'nobody') INTO copy
					FROM (SELECT concat(age, ' ', CASE WHEN value IS NULL THEN 'null' WHEN value::text = flu THEN 'f' ELSE 'o' END) AS line FROM m.known_out) r;
					copies := copies || copy;
				END LOOP;
				RAISE EXCEPTION USING ERRCODE = 'KA000';
			EXCEPTION WHEN SQLSTATE 'KA000' THEN
				seen := seen || array_to_string(copies, ' / ');
			END;
		END LOOP;
		WITH person AS (SELECT w, c, place, seen[w] AS alike FROM generate_subscripts(worlds, 1) w, string_to_table(worlds[w], NULL) WITH ORDINALITY p (c, place) WHERE c IN ('f', 'o')),
		known AS (SELECT w, max(c) OVER (PARTITION BY place, alike) = 'f' AS sure FROM person)
		SELECT count(*) FILTER (WHERE sure), count(DISTINCT w) FILTER (WHERE sure) INTO certain, in_worlds FROM known;
	END $$});

# All ways in which so many of the people have flu.
sub ways
{
	my ($people, $ill) = @_;
	return grep { tr/f// == $ill } map { my $w = $_; join '', map { ($w >> $_) & 1 ? 'f' : 'o' } 0 .. $people - 1 } 0 .. (1 << $people) - 1;
}
# Two nights each; before the second one those leave who have a "-" in the pattern.
sub leave
{
	my ($pattern, @worlds) = @_;
	return map { my $w = $_; "$w/" . join '', map { substr($pattern, $_, 1) eq '-' ? '-' : substr($w, $_, 1) } 0 .. length($w) - 1 } @worlds;
}
# Options and other arguments, after those that all have.  What kanon refuses tells nothing.
sub certain
{
	my ($kind, $k, $arguments, $refusable, @worlds) = @_;
	my (undef, $out, $err) = as('mal', "SELECT certain, in_worlds FROM m.certain('{" . join(',', @worlds) . "}', '$kind', $k, \$\$options => '{\"key\": \"id\", \"wait\": 0, \"target_loss\": 1, $arguments\$\$)");
	my $refused = $out eq '' && $refusable && $err =~ /ERROR: +(?:22023|0A000): (.*)/ ? $1 : undef;
	die $err if $out eq '' && !defined $refused;
	my ($certain, $in) = split /\|/, $out;
	note("$arguments: ", defined $refused ? "refused, $refused" : "of $certain people certain, in $in of " . @worlds . ' worlds');
	return $certain // 0;
}

my $keep = q("leavers": "keep", "stale": 1}', models =>);
is(certain('text', 2, "$keep 'distinct(value, 2)'", 0, leave('.....', ways(5, 2))), 0, 'models: nothing is certain as long as nobody leaves');
is(certain('text', 3, "$keep 'distinct(value, 2)'", 0, leave('---.....', ways(8, 3))), 0, 'models: three of eight leave');
is(certain('text', 2, "$keep 'entropy(value, 1.5)'", 0, leave('.-.-.', ways(5, 2))), 0, 'models: entropy, two of five leave');
is(certain('text', 2, "$keep 'recursive(value, 3, 2)'", 0, leave('..--.', ways(5, 2))), 0, 'models: recursive, two of five leave');
is(certain('int', 2, "$keep 'variance(value, 100)'", 0, leave('-...-', ways(5, 2))), 0, 'models: variance, two of five leave');
is(certain('text', 2, q("leavers": "withhold"}', models => 'distinct(value, 2)'), 0, leave('...-.', ways(5, 2))), 0, 'models: one of five leaves, and another row is hidden with that one');

# Values are read again; no more than one person's is another one than the night before.
my @changing = map {
	my $w = $_;
	("$w/$w", map { my $v = $w; substr($v, $_, 1) = substr($w, $_, 1) eq 'f' ? 'o' : 'f'; "$w/$v" } 0 .. 3)
} map { ways(4, $_) } 0 .. 3;
is(certain('text', 4, "\"reading\": \"together\", $keep 'distinct(value, 2)'", 1, @changing), 0, 'models: values that are read together, or a refusal of that');

unlike(slurp_file($node->logfile), qr/was terminated by signal|PANIC|TRAP:/, 'the server stood');
$node->stop;
done_testing();
