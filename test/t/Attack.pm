# What the tests of attacks (07*_attack_*.pl) share: a server with a hostile role, code that says
# in the server's log as whom it runs, and sessions that meet.
package Attack;

use strict;
use warnings;

use Exporter 'import';
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(attack_node as runs sql quietly ran strays sound spring harmless harmless_all beside until_waits until_holds finish
  gate_wait gate_open gate_shut meet duel trust own_code);

our $node;
my $seen = 0;
# Seconds of each duel.
my $seconds = $ENV{ATTACK_SECONDS} // 2;

# A server with a superuser (dba), a hostile role (mal), an honest one (bob) and a steward, who may
# read what mal lets him.  kanon is in a schema that is nobody's but the superuser's.
sub attack_node
{
	my ($name) = @_;
	$node = PostgreSQL::Test::Cluster->new($name);
	$node->init;
	$node->append_conf('postgresql.conf', "autovacuum = off\nlog_statement = none\ndeadlock_timeout = 100ms\njit = off\n");
	$node->start;
	$node->safe_psql('postgres', q{
		CREATE ROLE dba LOGIN SUPERUSER; CREATE ROLE mal LOGIN; CREATE ROLE bob LOGIN; CREATE ROLE steward LOGIN;
		CREATE DATABASE clinic OWNER dba});
	quietly('dba', q{
		CREATE SCHEMA kanon; CREATE EXTENSION kanon SCHEMA kanon; GRANT USAGE ON SCHEMA kanon TO PUBLIC;
		CREATE SCHEMA m AUTHORIZATION mal; CREATE SCHEMA b AUTHORIZATION bob; CREATE SCHEMA s AUTHORIZATION steward;
		CREATE SCHEMA d AUTHORIZATION dba;
		CREATE TABLE public.gate (opened boolean); GRANT SELECT ON public.gate TO PUBLIC;
		CREATE PROCEDURE public.wait_for_gate() LANGUAGE plpgsql AS $$
		BEGIN
			FOR i IN 1 .. 600 LOOP
				EXIT WHEN EXISTS (SELECT 1 FROM public.gate);
				PERFORM pg_sleep(0.05);
			END LOOP;
		END $$});
	own_code('mal', 'm');
	return $node;
}

# Code of a role's in its schema: SCHEMA.spy(what) says in the log who runs it and returns true;
# SCHEMA.calm(what) is the same in the shape in which the planner runs it, immutable.
sub own_code
{
	my ($role, $schema) = @_;
	quietly($role, qq{
		CREATE FUNCTION $schema.spy(what text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS \$\$
		BEGIN
			RAISE LOG '%', concat('attack', ': ', what, ' of $role as ', current_user);
			RETURN true;
		END \$\$;
		CREATE FUNCTION $schema.calm(what text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS \$\$
		BEGIN PERFORM $schema.spy(what); RETURN what; END \$\$;
		GRANT USAGE ON SCHEMA $schema TO PUBLIC});
}

# The superuser lets dimensions of these roles serve everybody.  Versions that look at what
# dimensions contain know no such setting.
sub trust
{
	my (@roles) = @_;
	my $list = join ', ', @roles;
	$node->psql('postgres', "LOAD 'kanon'; ALTER SYSTEM SET kanon.trusted_owners = '$list'", extra_params => [ '-U', 'dba' ]);
	$node->reload;
	# Sessions to come have it.
	$node->poll_query_until('clinic', "SELECT coalesce(current_setting('kanon.trusted_owners', true), '') IN ('$list', '')");
}

# ---- statements

# Runs statements as a role: status, output, errors with their SQLSTATEs.
sub as
{
	my ($role, $sql) = @_;
	return $node->psql('clinic', $sql, extra_params => [ '-U', $role, '-v', 'VERBOSITY=verbose', '-v', 'ON_ERROR_STOP=0' ], on_error_stop => 0);
}

# The same; what it says, with errors.
sub runs
{
	my (undef, $out, $err) = as(@_);
	return $out . ($out ne '' && $err ne '' ? "\n" : '') . $err;
}

# What a superuser finds.
sub sql { return $node->safe_psql('clinic', $_[0]) }

# Statements that must not fail.
sub quietly
{
	my ($role, $sql) = @_;
	my ($status, $out, $err) = $node->psql('clinic', "SET client_min_messages = error; $sql", extra_params => [ '-U', $role, '-v', 'ON_ERROR_STOP=1' ]);
	die "$role cannot prepare: $err\n$sql" if $status != 0;
	return $out;
}

# ---- whose code ran as whom

# What ran since the last look: "what of OWNER as ROLE", each once.
sub ran
{
	my $log = slurp_file($node->logfile, $seen);
	$seen += length $log;
	my %found;
	$found{$1}++ while $log =~ /LOG:  attack: (.*)/g;
	return sort keys %found;
}

# Of it, what ran with rights other than its owner's; roles that it may run as besides are allowed.
sub misplaced
{
	my ($ran, @allowed) = @_;
	return grep { my ($owner, $role) = / of (\w+) as (\w+)$/; $owner ne $role && !grep { $_ eq $role } @allowed } @$ran;
}

sub strays { return misplaced([ ran() ], @_) }

# Nothing did.
sub sound
{
	my ($name, @allowed) = @_;
	my @strays = strays(@allowed);
	return is(join("\n", @strays), '', $name);
}

# As strays, for code that must have run: the trap is one.
sub spring
{
	my ($name, @allowed) = @_;
	my @ran = ran();
	my @strays = misplaced(\@ran, @allowed);
	ok(@ran > 0, "$name: it ran") or return;
	is(join("\n", @strays), '', "$name: .. as its owner");
}

# Runs it, whether it fails or not: nobody's code runs with another's rights, and an error is one
# that a user can cause.
sub harmless
{
	my ($role, $sql, $name, @allowed) = @_;
	ran();
	my $said = runs($role, $sql);
	note("$name: $1") if $said =~ /(ERROR: .*)/;
	my @wrong = strays(@allowed);
	push @wrong, $1 if $said =~ /(.*XX000.*|.*server closed the connection.*)/;
	is(join("\n", @wrong), '', $name);
	return $said;
}

# Statements one after another, each in a session of its own, whether they fail or not.  For each:
# the statement, what it says, and what ran.
sub each_call
{
	my ($role, @statements) = @_;
	my ($script, %said, %ran, $current) = ('');
	for my $i (0 .. $#statements)
	{
		$script .= "\\c -\n\\warn call $i\nDO \$call\$ BEGIN RAISE LOG '%', concat('attack', ' call: $i'); END \$call\$;\n$statements[$i];\n";
	}
	ran();
	my $log = $seen;
	my (undef, undef, $err) = as($role, $script);
	for my $line (split /\n/, $err)
	{
		if ($line =~ /^call (\d+)$/) { $current = $1 }
		elsif (defined $current) { $said{$current} .= "$line\n" }
	}
	undef $current;
	for my $line (split /\n/, slurp_file($node->logfile, $log))
	{
		if ($line =~ /LOG:  (?:\w+: )?attack call: (\d+)/) { $current = $1 }
		elsif (defined $current && $line =~ /LOG:  (?:\w+: )?attack: (.*)/) { $ran{$current}{$1} = 1 }
	}
	ran();
	return map { { sql => $statements[$_], said => $said{$_} // '', ran => [ sort keys %{ $ran{$_} // {} } ] } } 0 .. $#statements;
}

# The same as harmless, as one test.
sub harmless_all
{
	my ($role, $statements, $name, @allowed) = @_;
	my @calls = each_call($role, @$statements);
	my @wrong;
	for my $call (@calls)
	{
		note("$name, $call->{sql}: $1") if $call->{said} =~ /(ERROR: .*)/;
		push @wrong, "$call->{sql}: $_" for misplaced($call->{ran}, @allowed);
		# PostgreSQL's planner trips over statistics that are dropped beside it; a report tells of it in a detail.
		(my $said = $call->{said}) =~ s/^.*XX000.*\n(?:.*DETAIL:.*)?cache lookup failed for statistics object.*$//mg;
		push @wrong, "$call->{sql}: $1"
		  if $said =~ /(.*XX000.*|.*server closed the connection.*)/ && $1 !~ /cache lookup failed for statistics object/;
	}
	is(join("\n", @wrong), '', $name);
	return @calls;
}

# ---- sessions that meet

# A session that goes on by itself.
sub beside
{
	my ($role, @statements) = @_;
	my ($out, $err) = ('', '');
	my $run = IPC::Run::start([ 'psql', '-XAtq', '-U', $role, '-d', $node->connstr('clinic'), map { ('-c', $_) } @statements ],
		'>', \$out, '2>', \$err, IPC::Run::timeout(180));
	return { run => $run, out => \$out, err => \$err };
}

sub finish
{
	my ($session) = @_;
	$session->{run}->finish;
	return ${ $session->{out} } . ${ $session->{err} };
}

# Statements that end a session which is to hold what it locked until gate_open.
sub gate_wait { return 'CALL public.wait_for_gate()' }
sub gate_shut { sql('TRUNCATE public.gate') }
sub gate_open { sql('INSERT INTO public.gate VALUES (true)') }

# Waits until a session has come to its gate; until it waits for a lock.  False if it ends before.
sub until_holds { return waits_for($_[0], "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'") }
sub until_waits { return waits_for($_[0], "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = 'clinic'") }

# meet(NAME, CHANGER, CHANGES, CALLER, CALL, ALLOWED..): somebody changes something and keeps the
# locks; another one's call waits for these and goes on when that is committed.
sub meet
{
	my ($name, $changer, $changes, $role, $call, @allowed) = @_;
	gate_shut();
	ran();
	my $holder = beside($changer, 'BEGIN', @$changes, gate_wait(), 'COMMIT');
	until_holds($holder) or diag("$name: nobody holds a lock");
	my $caller = beside($role, $call);
	until_waits($caller) or note("$name: nobody waited");
	gate_open();
	my $said = finish($holder) . finish($caller);
	note($said);
	unlike($said, qr/XX000|cache lookup|server closed/, "$name: no internal error");
	sound($name, @allowed);
	return $said;
}

# ---- sessions that race

# A session that repeats statements until it is ended.
sub repeats
{
	my ($database, $role, $name, @statements) = @_;
	my $file = "${PostgreSQL::Test::Utils::tmp_check}/$name.sql";
	unlink $file;
	append_to_file($file, join('', map { "$_;\n" } @statements) x 400);
	unlink "$file.err";
	my $run = IPC::Run::start([ 'sh', '-c', 'while psql -XAtq -U "$1" -d "$2" -f "$3" >/dev/null 2>>"$3.err"; do :; done', 'sh', $role, $node->connstr($database), $file ],
		IPC::Run::timeout(180));
	return { run => $run, errors => "$file.err" };
}

# Swaps beside calls, for some seconds; what ran, and what became of the calls.
sub duel
{
	my ($name, $database, $swapper, $swaps, $caller, $calls, @allowed) = @_;
	ran();
	my @sessions = (repeats($database, $swapper, 'swaps', @$swaps), repeats($database, $caller, 'calls', @$calls));
	sleep $seconds;
	# Whoever is ended in the middle of a transaction undoes it.
	$_->{run}->kill_kill for @sessions;
	$node->safe_psql('postgres', 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = $$client backend$$');
	$node->poll_query_until('postgres', 'SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = $$client backend$$');
	my @errors = slurp_file($sessions[1]{errors}) =~ /(?:ERROR|FATAL):\s+(.*)/g;
	my %count;
	$count{ s/\d+/N/gr }++ for @errors;
	note("$name: $count{$_} times $_") for sort keys %count;
	unlike(join("\n", @errors), qr/cache lookup|internal error/, "$name: no internal error");
	sound("$name: nobody's code runs with another's rights", @allowed);
}

sub waits_for
{
	my ($session, $query) = @_;
	for my $i (1 .. 100)
	{
		$session->{run}->pump_nb if $session->{run}->pumpable;
		return 0 if !$session->{run}->pumpable;
		return 1 if sql("SELECT EXISTS ($query)") eq 't';
		select undef, undef, undef, 0.05;
	}
	return 0;
}

1;
