# Releases by cohorts under attack by readers who keep all copies (test/cohorts/attack.sql): nobody is
# found among fewer than k.  The same attacks find people in Mondrian releases made afresh each night,
# and in cohorts whose rules are broken one by one, in a library that is built for that.  Each rule has
# its attack, so nothing is left to the permutation test of 060_cohorts; that one says more, which is
# that copies are the same byte for byte, and less, which is that it knows no reader.
#   COHORT_ATTACKS  tables that are attacked (20), of COHORT_NIGHTS nights (30)
#   COHORT_RULES    those that are broken (all)
#   BROKEN_LIBRARY  directory of a kanon.so built with -DKANON_BREAK_RULES, as tools/suites.sh makes it
use strict;
use warnings;

use File::Basename;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $attacks = $ENV{COHORT_ATTACKS} || 20;
my $nights = $ENV{COHORT_NIGHTS} || 30;
my @rules = split /,/, $ENV{COHORT_RULES} || 'whole,k,for ever,together,order,values,models';

my $node = PostgreSQL::Test::Cluster->new('attack');
$node->init(extra => [ '--no-locale', '--encoding=UTF8' ]);
$node->append_conf('postgresql.conf', 'client_min_messages = warning');
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION kanon');
$node->safe_psql('postgres', PostgreSQL::Test::Utils::slurp_file(dirname(__FILE__) . "/../cohorts/$_")) for 'simulate.sql', 'attack.sql';

sub sql
{
	my ($statement) = @_;
	return $node->safe_psql('postgres', $statement);
}

# People found by labels and by traces, of how many, and records that the program cannot explain.
sub attack
{
	my ($k, $recoding, $narrow, $rule) = @_;
	my $all = $recoding =~ /cohorts/ ? 'false' : 'true';
	my $stale = $recoding =~ /keep/ ? 'true' : 'false';

	my $found = sql("TRUNCATE sim.copy, sim.member; DROP TABLE IF EXISTS sim.run, sim.run_own, sim.run_other CASCADE;
		DELETE FROM kanon_cohort_state; TRUNCATE kanon_cohort_cell, kanon_cohort_member;
		SET kanon_test.broken_rule = '" . ($rule || 'none') . "';
		SELECT sim.play('run', $k, \$\$$recoding\$\$, $narrow);
		SELECT attack.by_labels('run', $stale, $all);
		SELECT * FROM attack.exposed('run', $k);
		SELECT attack.by_traces('run', $k, \$\$$recoding\$\$, $narrow);
		SELECT * FROM attack.exposed('run', $k)");
	my ($labels, $people, $unexplained, $traces) = $found =~ /^\s*(\d+)\|(\d+)\s+(\d+)\s+(\d+)\|/ or die $found;
	return ($labels, $traces, $people, $unexplained);
}

# ---- cohorts, two releases of a table at a time or one
my @ways = (
	"options => '{\"key\": \"key\", \"wait\": 3, \"target_loss\": 0.1, \"leavers\": \"keep\"}'",
	"options => '{\"key\": \"key\", \"wait\": 0, \"target_loss\": 0.05, \"leavers\": \"withhold\"}'",
	"options => '{\"key\": \"key\", \"wait\": 30, \"target_loss\": 0.15, \"leavers\": \"keep\", \"stale\": 1, \"reading\": \"together\"}'",
	"options => '{\"key\": \"key\", \"wait\": 1, \"target_loss\": 0.3, \"leavers\": \"withhold\", \"reading\": \"together\"}'",
	"options => '{\"key\": \"key\", \"wait\": 14, \"target_loss\": 0.05, \"leavers\": \"keep\", \"stale\": 0}'",
	"options => '{\"key\": \"key\", \"wait\": 2, \"target_loss\": 0, \"leavers\": \"keep\", \"stale\": 0.6}', models => 'distinct(value, 3)'",
	"options => '{\"key\": \"key\", \"wait\": 1, \"target_loss\": 0.1, \"leavers\": \"withhold\"}', models => '{\"distinct(value, 2)\",\"entropy(value, 2)\"}'");
for my $seed (1 .. $attacks)
{
	my $way = $ways[ ($seed - 1) % @ways ];
	my $k = 2 + $seed % 4;
	my ($people, $churn) = (150 + 30 * ($seed % 5), 0.01 + 0.03 * ($seed % 3));

	sql("SELECT sim.make_world($seed, $people, $nights, $churn, true)");
	my ($labels, $traces, $published, $unexplained) = attack($k, "'cohorts', $way", $seed % 2 ? 'true' : 'false');
	is("$labels $traces $unexplained", '0 0 0', "table $seed, k = $k, $way: of $published people nobody is found");
	is(sql("SELECT * FROM sim.problems('run')"), '', '.. and the state is sound');
}

# Worlds of few people: a line for each night, with a letter for who is there.  No value is certain
# that was not so by the first copy.  By that one it is where only one value is common and all have
# that: the cell is NULL.
sub by_worlds
{
	my ($rule, $k, $way, $alone, @lines) = @_;
	my @rows;
	for my $night (1 .. @lines)
	{
		push @rows, map { "($_, $night, 'key$_', " . (substr($lines[ $night - 1 ], $_ - 1, 1) eq '-' ? 'false' : 'true') . ", 30 + $_, '53701')" } 1 .. length $lines[0];
	}
	my $found = sql("SET kanon_test.broken_rule = '$rule'; DROP TABLE IF EXISTS sim.worlds CASCADE; DELETE FROM kanon_cohort_state;
		TRUNCATE sim.copy, sim.member, sim.world; INSERT INTO sim.world VALUES " . join(', ', @rows) . ";
		SELECT certain, at_first, people FROM attack.by_worlds($k, \$\$'cohorts', options => '{\"key\": \"key\", \"wait\": 0, \"target_loss\": 1, $way\$\$, $alone)");
	return split /\|/, $found;
}
my @arrive = ('ab--', 'abcd', 'abcd');    # Ann and Bob are published, if they are, before anybody else comes
my @leave = ('abcde', 'a-c-e', 'a---e', 'abcde');
# Options and other arguments, after those that all have
my $judged = q("leavers": "keep", "stale": 1}', models => 'distinct(value, 2)');
my @cases = ([ $judged, 'false', @arrive ], map { my $way = $_; map { [ $way, $_, @leave ] } 'false', 'true' } $judged,
	q("leavers": "withhold"}', models => 'distinct(value, 2)'), q("leavers": "keep", "stale": 1}', models => 'entropy(value, 1.5)'),
	q("leavers": "keep"}', models => 'recursive(value, 3, 2)'));
for my $case (@cases)
{
	my ($way, $alone, @lines) = @$case;
	my ($certain, $at_first, $of) = by_worlds('none', 2, $way, $alone, @lines);
	is($certain, $at_first, "worlds @lines, $way: of $of values $certain are certain, all of them by the first copy");
	is($at_first, 0, '.. which is none') if $alone eq 'false';
}

# ---- who is hidden with somebody who leaves

# Of forty people somebody leaves, so that nine more are hidden: not always those of the same age.
my %hidden;
for my $table (1 .. 5)
{
	my $hidden = sql(qq{
		CREATE TABLE forty_$table AS SELECT i AS id, 19 + i AS age, 'd' || i AS disease FROM generate_series(1, 40) i;
		SELECT FROM kanon_declare('forty_$table', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}');
		SELECT FROM kanon_create_release('forty_out_$table', 'forty_$table', 10, 'cohorts', options => '{"key": "id", "leavers": "withhold", "wait": 0, "target_loss": 1}');
		DELETE FROM forty_$table WHERE age = 50;
		SELECT FROM kanon_refresh_release('forty_out_$table');
		SELECT string_agg(age::text, ' ' ORDER BY age) FROM forty_$table WHERE disease NOT IN (SELECT disease FROM forty_out_$table)});
	like($hidden, qr/^\s*(?:\d+ ?){9}\s*$/, 'nine people are hidden with one who leaves');
	$hidden{$hidden} = 1;
}
is(scalar keys %hidden, 5, '.. others each time');

# ---- what the attacks must find
sql('SELECT sim.make_world(99, 250, 10, 0.04, true, true)');
my ($labels, $traces, $people) = attack(4, "'mondrian'", 'false');
cmp_ok($labels, '>', $people / 2, "Mondrian afresh: labels side by side find $labels of $people");
cmp_ok($traces, '>=', $labels, "Mondrian afresh: traces find $traces");

SKIP:
{
	skip 'no library whose rules can be broken: tools/check builds one', 1 unless $ENV{BROKEN_LIBRARY};
	sql("UPDATE pg_proc SET probin = '$ENV{BROKEN_LIBRARY}/kanon' WHERE probin LIKE '%kanon'");
	for my $rule (grep { $_ ne 'values' && $_ ne 'models' } @rules)
	{
		my $way = q('cohorts', options => '{"key": "key", "wait": 3, "target_loss": 0.1, "leavers": ") . ($rule eq 'whole' ? 'withhold' : 'keep') . q("}');
		($labels, $traces, $people) = attack(4, $way, 'false', $rule);
		cmp_ok($traces, '>', $people / 10, "without the rule \"$rule\": traces find $traces of $people");
		next if $rule eq 'order';    # labels say nothing of it
		cmp_ok($labels, '>', $people / 10, "without the rule \"$rule\": labels side by side find $labels");
	}
	for my $rule (grep { $_ eq 'values' || $_ eq 'models' } @rules)
	{
		my ($certain, $at_first) = by_worlds($rule, 2, $judged, 'false', $rule eq 'values' ? @arrive : @leave);
		cmp_ok($certain, '>', $at_first, "without the rule \"$rule\": $certain values are certain, $at_first of them by the first copy");
	}
}

$node->stop;
done_testing();
