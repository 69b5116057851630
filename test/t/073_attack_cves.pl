# PostgreSQL Anonymizer, which works beside the same tables, had six holes in 2026.
# Each kind of hole is tried on kanon here:
#
#   CVE-2026-2360    operators in a schema that a superuser searches, when the extension is created
#   CVE-2026-2361    a temporary view that a superuser's call reads
#   CVE-2026-9617    SQL in the name of a column
#   CVE-2026-19633   operators, casts to domains, subqueries of views
#   CVE-2026-83534   whoever owns a table runs code in the job of a superuser
#   CVE-2026-105616  the salt is readable in pg_roles and pg_db_role_setting
#
# Mallory's code says in the server's log as whom it ran.  It may run as mallory.
use strict;
use warnings;
use utf8;

use Encode qw(encode_utf8);
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('cves');
$node->init(extra => [ '--no-locale', '--encoding=UTF8' ]);
$node->append_conf('postgresql.conf', "autovacuum = off\njit = off\nclient_min_messages = error\nlog_min_messages = log\nlog_statement = none\n");
my $statements = -e qx(pg_config --pkglibdir) =~ s/\n//r . '/pg_stat_statements.so';
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'pg_stat_statements'\npg_stat_statements.track = all\n") if $statements;
$node->start;

my $boss = $node->safe_psql('postgres', 'SELECT current_user');

# [answer, errors] of a script.
sub run_as
{
	my ($user, $sql, $database) = @_;
	$database //= 'clinic';
	my ($status, $out, $err) = $node->psql($database, encode_utf8("\\set VERBOSITY verbose\n$sql"),
		connstr => $node->connstr($database) . " user=$user", on_error_stop => 0);
	return ($out, $err);
}

# Statements that must all work.
sub do_as
{
	my ($user, $sql, $name) = @_;
	my ($out, $err) = run_as($user, $sql);
	is($err, '', $name);
	return $out;
}

# What a script of a user's leaves in the log: as whom mallory's code ran.
my $log_seen = 0;
sub sprung
{
	my ($log) = slurp_file($node->logfile, $log_seen);
	$log_seen = -s $node->logfile;
	my %who = map { $_ => 1 } $log =~ /sprung as (\S+)/g;
	return join ' ', sort keys %who;
}
sub unsprung { is(sprung(), '', $_[0]) }

# Runs as nobody but mallory.
sub only_mallory { unlike(sprung(), qr/(?!mallory\b)\b\w+/, $_[0]) }

# ---- mallory, who may create things in schemas that others search

$node->safe_psql('postgres', 'CREATE ROLE mallory LOGIN; CREATE ROLE steward LOGIN; CREATE ROLE reader LOGIN; CREATE DATABASE clinic');
$node->safe_psql('clinic', q{
	GRANT CREATE ON SCHEMA public TO PUBLIC;
	GRANT CREATE ON DATABASE clinic TO mallory;
	SET ROLE mallory;
	CREATE SCHEMA evil;
	GRANT USAGE ON SCHEMA evil TO PUBLIC;
	CREATE FUNCTION evil.spring() RETURNS bool LANGUAGE plpgsql AS $$
	BEGIN
		RAISE LOG 'sprung as %', current_user;
		BEGIN
			ALTER ROLE mallory SUPERUSER;
		EXCEPTION WHEN OTHERS THEN
			NULL;
		END;
		RETURN true;
	END $$;
});
do_as('mallory', 'SELECT evil.spring()', 'the trap works');
is(sprung(), 'mallory', '.. and is seen');

# ---- CVE-2026-2360: operators, functions, casts and types where the extension is created

my @pairs = ([ 'float8', 'int4' ], [ 'int4', 'int4' ], [ 'int8', 'int4' ], [ 'oid', 'regclass' ], [ 'oid', 'oid' ], [ 'name', 'text' ], [ 'name', 'name' ],
	[ 'text', 'text' ], [ '"char"', '"char"' ], [ 'varchar', 'varchar' ], [ 'regclass', 'oid' ], [ 'text', 'name' ], [ 'numeric', 'int4' ], [ 'bool', 'bool' ]);
my $operators = '';
for my $number (0 .. $#pairs)
{
	my ($left, $right) = @{ $pairs[$number] };
	$operators .= "CREATE FUNCTION public.trap$number($left, $right) RETURNS bool LANGUAGE plpgsql AS 'BEGIN RETURN evil.spring(); END';\n";
	$operators .= "CREATE OPERATOR public.$_ (LEFTARG = $left, RIGHTARG = $right, FUNCTION = trap$number);\n" for '=', '<>', '<', '<=', '>', '>=', '~~';
}
do_as('mallory', $operators . q{
	CREATE FUNCTION public.pg_has_role(oid, text) RETURNS bool LANGUAGE plpgsql AS 'BEGIN RETURN evil.spring(); END';
	CREATE FUNCTION public.pg_has_role(name, text) RETURNS bool LANGUAGE plpgsql AS 'BEGIN RETURN evil.spring(); END';
	CREATE FUNCTION public.format(text, name) RETURNS text LANGUAGE plpgsql AS 'BEGIN PERFORM evil.spring(); RETURN $1; END';
	CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE plpgsql AS 'BEGIN PERFORM evil.spring(); RETURN NULL; END';
	CREATE DOMAIN public.regclass AS text CHECK (evil.spring());
	CREATE VIEW public.pg_class AS SELECT evil.spring() AS oid;
}, 'mallory fills the schema public');
do_as($boss, 'SET search_path = public, pg_catalog; CREATE EXTENSION kanon', 'a superuser creates the extension there');
unsprung('2360: no operator of mallory\'s runs');
$node->safe_psql('clinic', 'CREATE DATABASE taken');
$node->safe_psql('taken', q{GRANT CREATE ON SCHEMA public TO PUBLIC; SET ROLE mallory;
	CREATE FUNCTION public.kanon_check(relation regclass, k int, quasi_identifiers name[] DEFAULT NULL) RETURNS bool LANGUAGE sql AS 'SELECT true'});
like((run_as($boss, 'CREATE EXTENSION kanon', 'taken'))[1], qr/ERROR: .*kanon_check/, '2360: it is not created beside functions of its names');
is(do_as($boss, q{
	SELECT proname FROM pg_proc p JOIN pg_depend d ON d.objid OPERATOR(pg_catalog.=) p.oid AND d.deptype OPERATOR(pg_catalog.=) 'e'
	WHERE prosecdef OR proleakproof;}, 'its functions'), '', 'none of kanon\'s functions is SECURITY DEFINER or claims to be leakproof');
sprung();

# ---- CVE-2026-9617: SQL in names

# Whatever ends a quoted name, a text, a list or a statement; what formats, what
# looks like something else, what is cut off, what is not ASCII.
my @names = ('plain', q{"; SELECT evil.spring(); --}, q{'; SELECT evil.spring(); --}, q{", (SELECT evil.spring()) AS "}, q{') OR evil.spring() OR ('},
	q{$$; SELECT evil.spring(); $$}, q{%s%I%1$L%%"'}, q{\\'; \\" E'\\\\'}, "\n; SELECT evil.spring()\n--\t", q{{a,"b",NULL}}, q{(evil.spring(), 2), "}, 'U&"\\0022" SELECT',
	'select', '*', q{/* " */}, 'ﬀ Ünïcode ☃ ‮" drop', '"' x 62, 'ä' x 31, '日本語' x 6 . '"\'', 'pg_catalog.regclass');

# A name of at most 63 bytes that begins with a letter of its own.
sub named
{
	my ($letter, $name) = @_;
	my $cut = $letter . $name;
	chop $cut while length(encode_utf8($cut)) > 63;
	return $cut;
}
sub ident   { return '"' . ($_[0] =~ s/"/""/gr) . '"' }
sub literal { return q{E'} . ($_[0] =~ s/\\/\\\\/gr =~ s/'/''/gr) . q{'} }

# Every function that writes SQL with names, on a schema, a table, a role, types,
# a collation, columns, dimensions, releases and a copy of such names.  The answers
# do not depend on the names.
sub script_of_names
{
	my ($name, $number) = @_;
	my %is = (schema => named('s', $name), table => named('t', $name), role => named('r', $name), enum => named('e', $name), domain => named('d', $name),
		collation => named('c', $name), age => named('1', $name), zip => named('2', $name), mood => named('3', $name), ill => named('4', $name), id => named('5', $name),
		ages => named('6', $name), zips => named('7', $name), study => named('8', $name), copy => named('9', $name), dealt => named('a', $name), nightly => named('b', $name),
		by => named('f', $name), tax => named('g', $name), moods => named('h', $name), ills => named('i', $name), child => named('j', $name), view => named('k', $name));
	my %i = map { $_ => ident($is{$_}) } keys %is;
	my %n = map { $_ => literal($is{$_}) } keys %is;
	my %q = map { $_ => literal("$i{schema}.$i{$_}") } keys %is;
	my $columns = "ARRAY[$n{age}, $n{zip}, $n{mood}]::name[]";
	my $predicates = 'ARRAY[' . join(', ', literal("$i{age} >= 30"), literal("$i{zip} < '53720' AND $i{mood} = 'sad'"), literal("$i{age} BETWEEN 21 AND 33")) . ']';
	my $models = literal("distinct($i{ill}, 2), closeness($i{ill}, 0.9)");
	my @make = (
		"CREATE ROLE $i{role}", "CREATE SCHEMA $i{schema} AUTHORIZATION $i{role}", "SET ROLE $i{role}", 'SET search_path = pg_catalog',
		"CREATE TYPE $i{schema}.$i{enum} AS ENUM ('sad', 'ok', 'happy')", "CREATE DOMAIN $i{schema}.$i{domain} AS text CHECK (VALUE <> '')",
		"CREATE COLLATION $i{schema}.$i{collation} FROM \"C\"",
		"CREATE TABLE $i{schema}.$i{table} ($i{age} int, $i{zip} text COLLATE $i{schema}.$i{collation}, $i{mood} $i{schema}.$i{enum}, $i{ill} $i{schema}.$i{domain}, $i{id} int)",
		"INSERT INTO $i{schema}.$i{table} SELECT 20 + i * 7 % 23, (53700 + i * 11 % 29)::text, (ARRAY['sad', 'ok', 'happy'])[1 + i % 3]::$i{schema}.$i{enum}, 'd' || i % 4, i FROM generate_series(1, 120) i",
		"CREATE TABLE $i{schema}.$i{tax} AS SELECT 'd' || i AS $i{child}, 'kind ' || i / 2 AS parent FROM generate_series(0, 3) i",
		"CREATE VIEW $i{schema}.$i{view} AS TABLE $i{schema}.$i{table}", 'RESET ROLE');
	my @calls = (
		"kanon_declare($q{table}, quasi_identifiers => $columns, sensitive => ARRAY[$n{ill}]::name[], identifiers => ARRAY[$n{id}]::name[])",
		"kanon_create_dimension($q{ages}, $q{table}, $n{age}, 'ranges', '{5,10}') IS NULL",
		"kanon_create_dimension($q{zips}, $q{table}, $n{zip}, 'digits', '{1,2}') IS NULL",
		"kanon_create_dimension($q{moods}, $q{table}, $n{mood}, 'suppress') IS NULL",
		"kanon_create_dimension($q{ills}, $q{table}, $n{ill}, 'taxonomy', ARRAY[" . literal("$i{schema}.$i{tax}") . ']) IS NULL',
		"kanon_set_attribute($q{table}, $n{ill}, 'sensitive', $q{ills})",
		(map { "kanon_refresh_dimension($q{$_})" } qw(ages zips)),
		(map { "(SELECT count(*) FROM kanon_check_dimension($q{$_->[0]}, $q{table}, $n{$_->[1]}))" } [qw(ages age)], [qw(zips zip)], [qw(ills ill)]),
		(map { "(SELECT string_agg(levels::text || height || minimal, ' ') FROM $_ g)" }
			  "kanon_incognito($q{table}, 3, metrics => true)", "kanon_incognito($q{table}, 3, models => $models, person => $n{id}, suppression => 0.2)",
			"kanon_incognito($q{table}, 3, algorithm => 'cube')", "kanon_bottom_up($q{table}, 3, rollup => false)", "kanon_binary_search($q{table}, 3)", "kanon_datafly($q{table}, 3)"),
		(map { "(SELECT md5(string_agg(g::text, ',')) FROM $_ g)" }
			  "kanon_check($q{table}, 2, models => $models)", "(SELECT class, size, distinct_values, model_values, satisfied FROM kanon_classes($q{table}, 2, models => $models, person => $n{id}))", "kanon_risk($q{table}, population => $q{table})",
			"kanon_special_uniques($q{table}, $n{id})", "kanon_check_matchings($q{table}, 1, $q{table})"),
		"(SELECT sum(minimal) FROM kanon_sample_uniques($q{table}))",
		"(SELECT sum(minimal) FROM kanon_sample_uniques($q{table}, ARRAY[$n{ill}, $n{id}]::name[]))",
		"(SELECT sum(kanon_leaf(tree, t)) FROM $i{schema}.$i{table} t, kanon_grow_tree($q{table}, 3, models => $models) tree)",
		"(SELECT sum(kanon_leaf(tree, t)) FROM $i{schema}.$i{table} t, kanon_grow_tree($q{table}, 3, split => 'infogain', target => $n{ill}) tree)",
		"(SELECT sum(kanon_leaf(tree, t)) FROM $i{schema}.$i{table} t, kanon_local_tree($q{table}, 3, models => $models) tree)",
		"pg_catalog.xpath_exists('/table/row/class', pg_catalog.query_to_xml(kanon_rules_query(kanon_local_tree($q{table}, 3), $q{table}), true, false, ''))",
		"kanon_matching_bound($q{table}, 3, $columns)",
		"(SELECT sum(classes) FROM kanon_compare($q{table}, '{3}', quasi_identifiers => $columns, models => $models))",
		(map { "starts_with(kanon_plot('$_', $q{table}, '{3}'), '<svg')" } qw(tradeoff lattice classes)),
		"(SELECT count(DISTINCT c) FROM (SELECT kanon_mondrian(3, t, $columns, models => $models, person => $n{id}) OVER () AS c FROM $i{schema}.$i{table} t) s)",
		"(SELECT count(DISTINCT c) FROM (SELECT kanon_local(3, t, $columns, models => $models, person => $n{id}) OVER () AS c FROM $i{schema}.$i{table} t) s)",
		"(SELECT count(c) FROM (SELECT kanon_ring(3, t, $columns, ARRAY[$q{ages}, $q{zips}, $q{moods}]::pg_catalog.regclass[], seed => $n{by}) OVER () AS c FROM $i{schema}.$i{table} t) s)",
		"kanon_create_release($q{dealt}, $q{table}, 3, 'ring', options => '{\"seed\": \"x\", \"redraw\": true}') IS NULL",
		"(SELECT satisfied FROM kanon_check_matchings($q{dealt}))",
		"kanon_drop_release($q{dealt})",
		"kanon_create_release($q{dealt}, $q{table}, 3, 'two_phase', options => '{\"seed\": \"x\", \"redraw\": true}', quasi_identifiers => ARRAY[$n{age}, $n{mood}]::name[]) IS NULL",
		"kanon_create_release($q{nightly}, $q{table}, 3, 'cohorts', options => jsonb_build_object('key', $n{id}, 'wait', 0, 'leavers', 'keep'), models => " . literal("distinct($i{ill}, 2)") . ') IS NULL',
		"(SELECT rows FROM kanon_refresh_release($q{nightly}))",
		"kanon_drop_release($q{nightly})",
		"kanon_declare($q{view}, quasi_identifiers => ARRAY[$n{age}]::name[], sensitive => ARRAY[$n{ill}]::name[])",
		"kanon_create_release($q{nightly}, $q{view}, 3, 'mondrian', quasi_identifiers => ARRAY[$n{age}]::name[], options => pg_catalog.jsonb_build_object('split', 'infogain', 'target', $n{ill})) IS NULL",
		"kanon_create_release($q{study}, $q{table}, 3, 'full_domain', person => $n{id}, models => $models, suppression => 0.9) IS NULL",
		"(SELECT rows FROM kanon_refresh_release($q{study}, search => true))",
		"kanon_replace_release($q{study}, k => 3) IS NULL",
		"kanon_drop_release($q{study})",
		"kanon_create_release($q{study}, $q{table}, 4, 'mondrian', person => $n{id}, models => $models, options => '{\"means\": true}') IS NULL",
		"(SELECT md5(string_agg(r::text, ',' ORDER BY r::text)) FROM $i{schema}.$i{study} r)",
		"(SELECT (satisfied, rows) FROM kanon_refresh_release($q{study}, concurrently => true))",
		"(SELECT (rows, loss, mean_error) FROM kanon_quality($q{study}, predicates => $predicates))",
		"(SELECT string_agg(actual || ' ' || estimate, ',') FROM kanon_query_errors($q{study}, $predicates))",
		"length(kanon_report($q{study})) IS NULL",
		(map { "starts_with(kanon_plot('$_', $q{study}), '<svg')" } qw(history risk loss errors distribution)),
		"kanon_copy_release($q{study}, $q{copy}, $n{id}) IS NULL",
		"(SELECT (satisfied, people) FROM kanon_check_releases($q{table}, ARRAY[$q{study}, $q{copy}]::pg_catalog.regclass[], key => $n{id}))",
		"(kanon_digest($q{table}), kanon_digest($q{view}))",
		"kanon_unset_attribute($q{table}, $n{id})");
	my $sql = join ";\n", @make, 'SET search_path = public, pg_catalog', 'SET kanon.memory_limit = \'16MB\'';
	$sql .= ";\n\\echo BEGIN\n";
	$sql .= "\\echo CALL $_\nSELECT $calls[$_];\n" for 0 .. $#calls;
	# The text of a query, run.
	$sql .= "\\echo TEXT\nSELECT kanon_generalized_query($q{table}, '{1,1,0}', 3, models => " . literal("distinct($i{ill}, 2)") . ", person => $n{id}) \\gexec\n";
	$sql .= "CALL kanon_refresh_releases($n{schema} || '.%');\nREFRESH MATERIALIZED VIEW $i{schema}.$i{study};\n";
	$sql .= "\\echo END\nSET search_path = pg_catalog; DROP SCHEMA $i{schema} CASCADE; DROP OWNED BY $i{role}; DROP ROLE $i{role};\n";
	return $sql;
}

my $plain;
for my $number (0 .. $#names)
{
	my ($out, $err) = run_as($boss, script_of_names($names[$number], $number));
	my $shown = encode_utf8(substr($names[$number], 0, 20) =~ s/\s/ /gr);
	$out =~ s/^.*?^BEGIN\n//ms;
	$plain //= $out;
	is($err, '', "9617: names like <$shown>: every call works") or note $err;
	is($out, $plain, '.. with the answers of plain names');
}
unsprung('9617: nothing in a name runs');
like($plain, qr/CALL 4\n.*\nEND/s, 'all calls were made');

# ---- whom a superuser trusts: a list of names

my $used = "SELECT count(kanon_digest('pg_catalog.pg_am'))";
like((run_as('mallory', "$used; SET kanon.trusted_owners = 'mallory'"))[1], qr/42501/, 'mallory does not say who is trusted');
unlike((run_as('mallory', "SET kanon.trusted_owners = 'mallory'; $used; SHOW kanon.trusted_owners"))[0], qr/mallory/, '.. nor before kanon is loaded');
like((run_as('mallory', "ALTER ROLE mallory SET kanon.trusted_owners = 'mallory'"))[1], qr/42501/, '.. nor for another day');
like((run_as('mallory', "ALTER DATABASE clinic SET kanon.trusted_owners = 'mallory'"))[1], qr/42501|must be owner/, '.. nor for a database');

# ---- SQL in what is text

$node->safe_psql('clinic', q{
	CREATE SCHEMA ward;
	GRANT USAGE ON SCHEMA ward TO PUBLIC;
	CREATE TABLE ward.patients AS SELECT i AS id, 20 + i * 7 % 23 AS age, (53700 + i * 11 % 29)::text AS zip, 'd' || i % 4 AS ill, date '2000-01-01' + i AS day FROM pg_catalog.generate_series(1, 120) i;
	SELECT kanon_declare('ward.patients', quasi_identifiers => '{age,zip}', sensitive => '{ill}', identifiers => '{id}');
	SELECT kanon_create_release('ward.study', 'ward.patients', 3);
	CREATE TABLE ward.taxonomy AS SELECT DISTINCT ill AS child, 'all' AS parent FROM ward.patients;
});
my @payloads = (q{evil.spring()}, q{true; SELECT evil.spring()}, q{true); SELECT evil.spring(); --}, q{age > 3 OR evil.spring()}, q{EXISTS (SELECT evil.spring())},
	q{age > (SELECT evil.spring()::int)}, q{age IN (SELECT evil.spring()::int)}, q{age = 3) OR evil.spring() OR (age = 3}, q{age = '3' || evil.spring()}, q{age OPERATOR(evil.=) 3},
	q{age = '3'::evil.bait}, q{age::text = CAST(evil.spring() AS text)}, q{age = $$3$$ OR evil.spring()}, q{age = 3 -- } . "\n" . q{ OR evil.spring()}, q{age /* */ = 3 OR evil.spring()},
	q{age = E'\\' OR evil.spring() --'}, q{age = U&'\\0033' OR evil.spring()}, q{"age"";" = 3 OR evil.spring()}, q{zip = '';SELECT evil.spring()--'}, q{zip LIKE evil.spring()::text},
	q{age BETWEEN 1 AND evil.spring()::int}, q{CASE WHEN evil.spring() THEN true END}, q{age = 3 UNION SELECT evil.spring()}, q{age = 3 LIMIT (SELECT evil.spring()::int)}, q{%s%n%I}, q{'}, q{"}, q{\\});
my @places = (
	'SELECT count(*) FROM kanon_quality(\'ward.study\', predicates => ARRAY[%s])', 'SELECT count(*) FROM kanon_query_errors(\'ward.study\', ARRAY[%s])',
	(map { "BEGIN; SELECT kanon_create_dimension('ward.fresh', 'ward.patients', '$_->[0]', '$_->[1]', ARRAY[%s]); ROLLBACK" } [qw(age ranges)], [qw(age quantiles)], [qw(zip digits)], [qw(day dates)], [qw(ill taxonomy)], [qw(age suppress)]),
	'BEGIN; SELECT kanon_create_dimension(%s, \'ward.patients\', \'age\', \'suppress\'); ROLLBACK', 'BEGIN; SELECT kanon_create_dimension(\'ward.fresh\', \'ward.patients\', \'age\', %s); ROLLBACK',
	'SELECT count(*) FROM kanon_check(\'ward.patients\', 2, models => %s::text::kanon_models)', 'SELECT count(*) FROM kanon_check(\'ward.patients\', 2, models => (\'distinct(\' || %s || \', 2)\')::kanon_models)',
	'SELECT kanon_generalized_query(\'ward.patients\', %s::text::kanon_levels, 3)', 'SELECT count(*) FROM kanon_incognito(\'ward.patients\', 3, algorithm => %s)',
	'SELECT count(*) FROM kanon_compare(\'ward.patients\', \'{3}\', ARRAY[%s])', 'SELECT kanon_plot(%s, \'ward.study\')', 'SELECT count(*) FROM kanon_special_uniques(\'ward.patients\', %s)',
	'SELECT count(*) FROM kanon_check(\'ward.patients\', 2, ARRAY[%s]::name[])', 'SELECT count(*) FROM kanon_check(\'ward.patients\', 2, person => %s)', 'SELECT kanon_set_attribute(\'ward.patients\', \'ill\', %s)',
	'BEGIN; SELECT kanon_create_release(%s, \'ward.patients\', 3); ROLLBACK',
	(map { "BEGIN; SELECT kanon_create_release('ward.fresh', 'ward.patients', 3, $_); ROLLBACK" } '%s', "'ring', options => jsonb_build_object('seed', %s)", "'mondrian', options => jsonb_build_object('split', %s)", "'mondrian', options => jsonb_build_object('split', 'infogain', 'target', %s)", "'mondrian', person => %s",
		"'cohorts', options => jsonb_build_object('key', %s, 'leavers', 'keep')", "'cohorts', options => jsonb_build_object('key', 'id', 'leavers', %s)", "'cohorts', options => jsonb_build_object('key', 'id', 'leavers', 'keep', 'reading', %s)"),
	'SELECT kanon_replace_release(\'ward.study\', recoding => %s)', 'BEGIN; SELECT kanon_copy_release(\'ward.study\', %s, \'id\'); ROLLBACK', 'BEGIN; SELECT kanon_copy_release(\'ward.study\', \'ward.fresh\', %s); ROLLBACK',
	'SELECT count(*) FROM kanon_check_releases(\'ward.patients\', \'{ward.study}\', key => %s)', 'CALL kanon_refresh_releases(%s)',
	'SELECT %s::text::kanon_tree', 'SELECT count(*) FROM (SELECT kanon_ring(3, p, \'{age,zip}\', seed => %s) OVER () FROM ward.patients p) s', 'SELECT kanon_view_value(%s, NULL::int)',
	'SELECT kanon_view_cell((SELECT kanon_view_cells(\'mondrian\', 3, p, \'{age}\') OVER () FROM ward.patients p LIMIT 1), %s, NULL::text)',
	'SELECT count(*) FROM (SELECT kanon_view_cells(\'mondrian\', 3, p, \'{age}\', options => jsonb_build_object(\'partitioning\', %s)) OVER () FROM ward.patients p) s', 'SELECT count(*) FROM (SELECT kanon_view_satisfies(2, p, %s) OVER () FROM ward.patients p) s');
my ($answered, $refused) = (0, 0);
for my $place (@places)
{
	my $sql = join ";\n", map { sprintf($place, literal($_)) } @payloads;
	my ($out, $err) = run_as($boss, "SET search_path = public, pg_catalog;\n$sql;\n\\echo END\n");
	like($out, qr/END$/, substr($place, 0, 100) . ': answered');
	unlike($err, qr/: (?:XX|42601|42725|58)...?: (?!syntax error in predicate)|server closed/, '.. no text becomes SQL') or note $err;
	$refused += () = $err =~ /ERROR:/g;
}
cmp_ok($refused, '>', @payloads * @places / 2, 'most of these texts are refused');
unsprung('no text that is an argument runs');
like(do_as($boss, q{SELECT actual FROM kanon_query_errors('ward.study', ARRAY['age >= 30'])}, 'a predicate'), qr/^\d+$/, '.. that is one is answered');

# ---- CVE-2026-2361 and 19633: views, domains, operators and casts of whoever owns the relation

do_as('mallory', q{
	SET search_path = evil, public, pg_catalog;
	CREATE TABLE evil.patients AS SELECT i AS id, 20 + i % 7 AS age, 'z' || i % 3 AS zip, 'd' || i % 4 AS ill FROM pg_catalog.generate_series(1, 60) i;
	CREATE DOMAIN evil.years AS int CHECK (evil.spring());
	CREATE DOMAIN evil.place AS text CHECK (evil.spring());
	CREATE TYPE evil.state AS ENUM ('d0', 'd1', 'd2', 'd3');
	CREATE FUNCTION evil.same(evil.state, evil.state) RETURNS bool LANGUAGE plpgsql AS 'BEGIN RETURN evil.spring(); END';
	CREATE FUNCTION evil.same(evil.years, evil.years) RETURNS bool LANGUAGE plpgsql AS 'BEGIN RETURN evil.spring(); END';
	CREATE OPERATOR evil.= (LEFTARG = evil.state, RIGHTARG = evil.state, FUNCTION = evil.same, COMMUTATOR = OPERATOR(evil.=), HASHES, MERGES);
	CREATE OPERATOR evil.< (LEFTARG = evil.state, RIGHTARG = evil.state, FUNCTION = evil.same);
	CREATE OPERATOR evil.= (LEFTARG = evil.years, RIGHTARG = evil.years, FUNCTION = evil.same);
	CREATE FUNCTION evil.to_text(evil.state) RETURNS text LANGUAGE plpgsql AS 'BEGIN PERFORM evil.spring(); RETURN NULL; END';
	CREATE FUNCTION evil.from_text(text) RETURNS evil.state LANGUAGE plpgsql AS 'BEGIN PERFORM evil.spring(); RETURN NULL; END';
	CREATE CAST (evil.state AS text) WITH FUNCTION evil.to_text(evil.state) AS IMPLICIT;
	CREATE CAST (text AS evil.state) WITH FUNCTION evil.from_text(text) AS IMPLICIT;
	CREATE TABLE evil.domains (id int, age evil.years, zip evil.place, ill evil.state);
	INSERT INTO evil.domains SELECT id, age, zip, (enum_range(NULL::evil.state))[1 + id % 4] FROM evil.patients;
	CREATE VIEW evil.calls AS SELECT id, age, zip, ill FROM evil.patients WHERE evil.spring();
	CREATE FUNCTION evil.unsettle() RETURNS bool LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM set_config(name, value, false) FROM (VALUES ('search_path', 'evil, pg_catalog'), ('datestyle', 'German'), ('row_security', 'off'), ('default_transaction_read_only', 'on'), ('client_min_messages', 'warning'), ('statement_timeout', '1'),
			('kanon.memory_limit', '1kB'), ('plan_cache_mode', 'force_generic_plan'), ('standard_conforming_strings', 'off'), ('backslash_quote', 'on'), ('temp_tablespaces', ''), ('my.own', 'set')) s (name, value);
		RETURN evil.spring();
	END $$;
	CREATE VIEW evil.unsettling AS SELECT id, age, zip, ill FROM evil.patients WHERE evil.unsettle();
	CREATE VIEW evil.subquery AS SELECT id, age, (SELECT zip WHERE evil.spring()) AS zip, ill FROM evil.patients WHERE id IN (SELECT id FROM evil.patients WHERE evil.spring());
	CREATE VIEW evil.casts AS SELECT id, age::evil.years AS age, zip::evil.place AS zip, ill::text::evil.state AS ill FROM evil.patients;
	CREATE MATERIALIZED VIEW evil.kept AS SELECT * FROM evil.domains;
	CREATE TABLE evil.secured AS TABLE evil.patients;
	CREATE POLICY everybody ON evil.secured USING (evil.spring());
	ALTER TABLE evil.secured ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
	GRANT SELECT ON ALL TABLES IN SCHEMA evil TO steward;
	SELECT kanon_declare(r::pg_catalog.regclass, quasi_identifiers => '{age,zip}', sensitive => '{ill}', identifiers => '{id}') FROM unnest('{patients,domains,calls,subquery,casts,kept,secured,unsettling}'::text[]) r;
	CREATE TABLE evil.ages (age evil.years, top evil.place);
	INSERT INTO evil.ages SELECT DISTINCT age, '*' FROM evil.patients;
	CREATE TABLE evil.years_of AS SELECT DISTINCT age::text AS age, 'z'::evil.place AS top FROM evil.patients;
	SELECT kanon_set_attribute('evil.domains', 'age', 'quasi_identifier', 'evil.years_of'), kanon_set_attribute('evil.casts', 'age', 'quasi_identifier', 'evil.ages')},
	'mallory has relations of every kind');

# A temporary view is there as long as its session.
my ($in, $temp_out, $temp_err) = ('', '', '');
my $session = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('clinic') . ' user=mallory' ], '<', \$in, '>', \$temp_out, '2>', \$temp_err, IPC::Run::timeout(300));
$in .= q{CREATE TEMP VIEW lure AS SELECT id, age, zip, ill FROM evil.patients WHERE evil.spring();
	SELECT public.kanon_declare('lure', quasi_identifiers => '{age,zip}', sensitive => '{ill}', identifiers => '{id}');
	SELECT 'at ' || c.oid::pg_catalog.regclass FROM pg_catalog.pg_class c WHERE relname OPERATOR(pg_catalog.=) 'lure';} . "\n";
$session->pump until $temp_out =~ /^at (\S+)$/m || $temp_err =~ /ERROR/;
my $temporary = $node->safe_psql('clinic', q{SELECT n.nspname || '.lure' FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE relname = 'lure'});
like($temporary, qr/^pg_temp_\d+\.lure$/, 'among them a temporary view');
is(sprung(), 'mallory', 'mallory\'s code runs as mallory');

my @relations = (qw(evil.patients evil.domains evil.calls evil.subquery evil.casts evil.kept evil.secured), $temporary);
my @reads = ("kanon_incognito('%s', 3, metrics => true)", "kanon_bottom_up('%s', 3)", "kanon_binary_search('%s', 3)", "kanon_datafly('%s', 3)", "kanon_check('%s', 3)", "kanon_check('%s', 2, models => 'distinct(ill, 2), closeness(ill, 0.9)', person => 'id')",
	"kanon_classes('%s', 3)", "kanon_risk('%s')", "kanon_risk('%s', population => '%s')", "kanon_sample_uniques('%s')", "kanon_special_uniques('%s', 'id')", "kanon_grow_tree('%s', 3)", "kanon_local_tree('%s', 3)", "kanon_rules_query(kanon_local_tree('%s', 3), '%s')", "kanon_matching_bound('%s', 3)",
	"kanon_compare('%s', '{3}')", "kanon_plot('classes', '%s')", "kanon_plot('lattice', '%s', '{3}')", "kanon_check_matchings('%s', 1, '%s')", "kanon_digest('%s')", "kanon_generalized_query('%s', '{1,1}', 3)",
	"kanon_quality('%s', '%s', predicates => ARRAY['age >= 23 AND zip = ''z1'''])", "kanon_query_errors('%s', ARRAY['age >= 23', 'zip = ''z2'''], '%s')");
for my $relation (@relations)
{
	for my $way (qw(auto group_by))
	{
		my ($out, $err) = run_as($boss, "SET search_path = public, pg_catalog; SET kanon.ground_scan = $way;\n" . join('', map { 'SELECT count(*) FROM ' . s/%s/$relation/gr . ";\n" } @reads) . '\echo END');
		like($out, qr/END$/, "a superuser reads $relation ($way)");
		unlike($err, qr/: XX|server closed/, '.. without an internal error') or note $err;
	}
	only_mallory("2361, 19633: its code runs as mallory: $relation");
}
# What its code sets is gone when the call ends: the next statement of the superuser is
# parsed as ever.
my $settings = q{SELECT md5(string_agg(name || ' ' || setting, ',' ORDER BY name)), current_setting('my.own', true) FROM pg_settings;};
my $start = "SET search_path = public, pg_catalog; SELECT count(kanon_digest('pg_catalog.pg_am')); DO \$\$ BEGIN END \$\$;";
my ($before, undef) = run_as($boss, "$start SELECT 1; $settings");
for my $read (@reads)
{
	my $call = $read =~ s/%s/evil.unsettling/gr;
	my ($after, $err) = run_as($boss, "$start SELECT count(*) IS NULL AS unsettled FROM $call \\gset\nSELECT 1; $settings");
	is($after, $before, "settings are what they were: $call");
	is($err =~ s/.*: (?:54000|22023).*\n(?:(?:HINT|DETAIL|CONTEXT|LOCATION).*\n?)*//gr, '', '.. after it has worked');
}
only_mallory('.. and its code ran as mallory');

# Dimensions of domains, made and checked; releases of them; all over the database, as an auditor does.
for my $relation (grep { !/pg_temp/ } @relations)
{
	my ($out, $err) = run_as($boss, qq{SET search_path = public, pg_catalog;
		BEGIN; SELECT kanon_create_dimension('evil.fresh', '$relation', 'zip', 'digits', '{1}'), kanon_create_dimension('evil.fresh_ages', '$relation', 'age', 'ranges', '{2}');
		SELECT kanon_refresh_dimension('evil.fresh'); SELECT count(*) FROM kanon_check_dimension('evil.fresh', '$relation', 'zip'); ROLLBACK;
		} . join('', map { "BEGIN; SELECT kanon_create_release('evil.study', '$relation', 3, $_); SELECT rows FROM kanon_refresh_release('evil.study'); REFRESH MATERIALIZED VIEW evil.study; SELECT rows FROM kanon_quality('evil.study', predicates => ARRAY['age >= 23', 'zip = ''z1''']);
			SELECT satisfied FROM kanon_check_matchings('evil.study'); SELECT length(kanon_report('evil.study')); SELECT kanon_copy_release('evil.study', 'evil.copy', 'id'); SELECT kanon_replace_release('evil.study', k => 4); SELECT kanon_drop_release('evil.study'); ROLLBACK;\n" }
			q{'mondrian'}, q{'full_domain', suppression => 0.9}, q{'ring'}, q{'cohorts', options => '{"key": "id", "leavers": "keep", "wait": 0}'}) . '\echo END');
	like($out, qr/END$/, "a superuser makes things of $relation");
	unlike($err, qr/: XX|server closed/, '.. without an internal error') or note $err;
	only_mallory("19633: its code runs as mallory: what is made of $relation");
}
# A steward who may read works as the steward, as with SELECT, which runs no cast, no
# check of a domain and no operator: neither does kanon.
for my $relation (qw(evil.patients evil.domains evil.kept))
{
	my ($out, $err) = run_as('steward', 'SET search_path = public, pg_catalog;' . join('', map { 'SELECT count(*) FROM ' . s/%s/$relation/gr . ";\n" } @reads) . '\echo END');
	like($out, qr/END$/, "a steward reads $relation");
	unsprung('19633: no cast, check or operator of the owner runs as the steward');
}
run_as($boss, q{SET search_path = public, pg_catalog; DO $$ DECLARE r pg_catalog.oid; BEGIN FOR r IN SELECT c.oid FROM pg_catalog.pg_class c WHERE c.relkind OPERATOR(pg_catalog.=) ANY ('{r,v,m,f,p}') AND c.relowner OPERATOR(pg_catalog.=) 'mallory'::pg_catalog.regrole::pg_catalog.oid LOOP
	BEGIN PERFORM kanon_risk(r), kanon_check(r, 2); EXCEPTION WHEN OTHERS THEN NULL; END; BEGIN PERFORM kanon_sample_uniques(r); EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP; END $$});
only_mallory('an audit of all that mallory has runs nothing but as mallory');
$in .= "\\q\n";
$session->finish;

# ---- CVE-2026-83534: the job of a superuser over what mallory owns

do_as('mallory', q{
	SET search_path = evil, public, pg_catalog;
	CREATE FUNCTION evil.watch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM evil.spring(); RETURN NEW; END';
	CREATE FUNCTION evil.shift(int) RETURNS int IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS 'BEGIN PERFORM evil.spring(); RETURN $1; END';
	CREATE FUNCTION evil.trim(text) RETURNS text IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS 'BEGIN PERFORM evil.spring(); RETURN $1; END';
	SELECT kanon_create_release('evil.m', 'evil.subquery', 3), kanon_create_release('evil.f', 'evil.patients', 3, 'full_domain', suppression => 0.9), kanon_create_release('evil.c', 'evil.patients', 3, 'cohorts', options => '{"key": "id", "leavers": "keep", "wait": 0}');
	CREATE INDEX ON evil.m (evil.trim(ill)) WHERE evil.shift(1) OPERATOR(pg_catalog.>) 0;
	CREATE INDEX ON evil.c (evil.trim(ill));
	CREATE STATISTICS evil.counted ON (evil.shift(age)), zip FROM evil.patients;
	CREATE INDEX ON evil.patients (evil.shift(age));
	CREATE TRIGGER watch BEFORE INSERT OR UPDATE ON evil.patients FOR EACH ROW EXECUTE FUNCTION evil.watch();
	INSERT INTO evil.patients SELECT i, 20 + i % 7, 'z' || i % 3, 'd' || i % 4 FROM pg_catalog.generate_series(61, 90) i;
}, 'mallory has releases');
sprung();
for my $arguments ('', '"concurrently" => true', 'search => true')
{
	for my $parallel (0, 1)
	{
		my $set = $parallel ? join '', map { "SET $_;" } 'parallel_setup_cost = 0', 'parallel_tuple_cost = 0', 'min_parallel_table_scan_size = 0', 'max_parallel_workers_per_gather = 2' : '';
		my ($out, $err) = run_as($boss, "SET search_path = public, pg_catalog; $set\nCALL kanon_refresh_releases($arguments)");
		unlike($err, qr/ERROR: +XX|server closed/, 'the job of a superuser' . ($arguments && ", $arguments") . ($parallel && ', in parallel')) or note $err;
		only_mallory('83534: mallory\'s code runs as mallory');
	}
}
is(do_as($boss, q{SET search_path = public; SELECT release, rows FROM kanon_release WHERE release::text ~ '^evil' ORDER BY release::text}, 'what the job has done'), "evil.c|90\nevil.f|90\nevil.m|90", '.. its work');

# Whoever may read mallory's relations, and owns releases of them, runs what they
# are made of, as every reader does; nobody else's rights are lent.
$node->safe_psql('clinic', 'CREATE SCHEMA office AUTHORIZATION steward');
run_as('steward', qq{SET search_path = public, pg_catalog; SELECT kanon_create_release('office.r' || $_, 'evil.patients', 3, quasi_identifiers => '{age,zip}');}) for 1 .. 2;
sprung();
run_as($boss, 'SET search_path = public, pg_catalog; CALL kanon_refresh_releases()');
unlike(sprung(), qr/(?!mallory\b|steward\b)\b\w+/, '83534: nothing runs as the superuser for a steward either');

# ---- CVE-2026-105616: secrets

if ($statements)
{
	$node->safe_psql('clinic', 'CREATE EXTENSION pg_stat_statements');
	run_as($boss, 'SELECT pg_stat_statements_reset()');
}
my $chosen = 'Correct-Horse-Battery-Staple';
my $failing = 'Tr0ub4dor-and-3-more';
($in, $temp_out, $temp_err) = ('', '', '');
$session = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('clinic') . ' user=steward' ], '<', \$in, '>', \$temp_out, '2>', \$temp_err, IPC::Run::timeout(300));
$in .= qq{
	SET search_path = public, pg_catalog;
	CREATE TABLE office.people AS SELECT i AS id, 20 + i % 11 AS age, 'z' || i % 5 AS zip, 'd' || i AS ill FROM generate_series(1, 90) i;
	SELECT kanon_declare('office.people', quasi_identifiers => '{age,zip}', sensitive => '{ill}', identifiers => '{id}');
	SELECT kanon_create_release('office.drawn', 'office.people', 3, 'two_phase');
	SELECT kanon_create_release('office.nightly', 'office.people', 3, 'cohorts', options => '{"key": "id", "leavers": "keep", "wait": 0}');
	SELECT kanon_copy_release('office.drawn', 'office.copy', 'id');
	GRANT USAGE ON SCHEMA office TO reader;
	GRANT SELECT ON office.drawn, office.nightly, office.copy TO reader;
	SELECT kanon_create_release('office.never', 'office.people', 0, 'ring', options => '{"seed": "$failing"}');
	SELECT kanon_create_release('office.chosen', 'office.people', 3, 'ring', options => '{"seed": "$chosen"}');
	GRANT SELECT ON office.chosen TO reader;
	SELECT 'made', kanon_create_release('office.also', 'office.people', 3, 'ring', options => '{"seed": "$chosen"}');
};
$session->pump until $temp_out =~ /^made/m;
unlike($temp_err, qr/$chosen|$failing/, '105616: errors do not repeat a seed') or note $temp_err;

# They are there.  In hex and base64 as well.
my @secrets = ($chosen, $failing, split /\n/, $node->safe_psql('clinic', q{SET search_path = pg_catalog, public;
	SELECT seed FROM kanon_seed;
	SELECT encode(secret, e) FROM kanon_cohort_state, unnest('{hex,base64,escape}'::text[]) e WHERE owner = 'steward';
	SELECT secret FROM kanon_copy_state;
	SELECT DISTINCT encode(digest, 'hex') FROM kanon_cohort_member ORDER BY 1 LIMIT 3}));
@secrets = grep { length($_) > 9 } @secrets;
cmp_ok(@secrets, '>=', 8, 'there are secrets of seeds, cohorts and copies');
$node->safe_psql('clinic', 'ANALYZE; GRANT SELECT ON public.kanon_seed TO reader; REVOKE SELECT ON public.kanon_seed FROM reader');

# Everything in the database that the reader can select, as text, and the same of
# somebody who may also read all settings and statistics.
my $needles = join ', ', map { literal("%$_%" =~ s/\\/\\\\/gr) } @secrets;
my $everything = qq{
	SET search_path = pg_catalog;
	DO \$do\$
	DECLARE
		needles text[] := ARRAY[$needles];
		r regclass;
		n bigint;
		total int := 0;
	BEGIN
		FOR r IN SELECT oid FROM pg_class WHERE relkind IN ('r', 'v', 'm', 'p', 'f') AND has_schema_privilege(relnamespace, 'USAGE')
			AND (has_table_privilege(oid, 'SELECT') OR has_any_column_privilege(oid, 'SELECT')) AND oid::regclass::text !~ 'pg_(hba|ident)_file|pg_file_settings|pg_largeobject\$|pg_stat_ssl|pg_shmem' AND relname !~ '^trap' AND relnamespace <> 'evil'::regnamespace AND oid <> 'public.pg_class'::regclass LOOP
			BEGIN
				EXECUTE format('SELECT count(*) FROM %s r WHERE r::text LIKE ANY (\$1) AND r::text !~ ''needles text''', r) USING needles INTO n;
				total := total + 1;
				IF n > 0 THEN RAISE WARNING 'FOUND in %: % rows', r, n; END IF;
			EXCEPTION WHEN insufficient_privilege OR object_not_in_prerequisite_state OR feature_not_supported THEN
				NULL;
			END;
		END LOOP;
		RAISE WARNING 'LOOKED at %', total;
	END \$do\$;
};
sub finds_nothing
{
	my ($user, $name) = @_;
	my (undef, $err) = run_as($user, 'SET client_min_messages = warning;' . $everything);
	my ($looked) = $err =~ /LOOKED at (\d+)/;
	cmp_ok($looked // 0, '>', 100, "$name looks everywhere") or note $err;
	is(join(' ', $err =~ /FOUND in (\S+):/g), '', "105616: $name finds no secret");
}
finds_nothing('reader', 'a reader');
$node->safe_psql('clinic', 'CREATE ROLE auditor LOGIN; GRANT pg_monitor, pg_read_all_settings, pg_read_all_stats TO auditor; GRANT USAGE ON SCHEMA office TO auditor');
my (undef, $told) = run_as('auditor', 'SET client_min_messages = warning;' . $everything);
is(join(' ', grep { !/^pg_stat_(activity|statements)$|^pg_backend_memory_contexts$/ } $told =~ /FOUND in (\S+):/g), '', '105616: neither does one who may read all settings and statistics, but in statements that name it');
# A positive control: one who may read all data, who finds them where they belong.
$node->safe_psql('clinic', 'CREATE ROLE collector LOGIN; GRANT pg_read_all_data TO collector');
(undef, $told) = run_as('collector', 'SET client_min_messages = warning;' . $everything);
like($told, qr/FOUND in (public\.)?kanon_seed/, 'the same looks find them as one who may read all data');
is(do_as('reader', q{SET search_path = public, pg_catalog; SELECT (SELECT count(*) FROM kanon_cohort), (SELECT count(*) FROM kanon_copy)}, 'the reader asks the views'), '0|0', '.. which show nothing');
like((run_as($_->[0], "SET search_path = public, pg_catalog; TABLE $_->[1]"))[1], qr/permission denied for table $_->[1]/, "$_->[0] does not read $_->[1]")
	for map { my $role = $_; map { [ $role, $_ ] } qw(kanon_seed kanon_release_state kanon_release_history_state kanon_dimension_state kanon_copy_state kanon_lost_state kanon_cohort_state kanon_cohort_member kanon_cohort_cell) } qw(reader steward);

# By functions that tell what they see before row security decides; by plans, by
# definitions and the releases' own functions.
my ($leaks, $leak_errors) = run_as('reader', q{
	SET search_path = public, pg_catalog; SET client_min_messages = notice;
	CREATE FUNCTION pg_temp.tell(text) RETURNS bool LANGUAGE plpgsql COST 0.0000001 AS $$ BEGIN RAISE NOTICE 'told %', $1; RETURN true; END $$;
	CREATE FUNCTION pg_temp.tell(bytea) RETURNS bool LANGUAGE plpgsql COST 0.0000001 AS $$ BEGIN RAISE NOTICE 'told %', $1; RETURN true; END $$;
	SELECT count(*) FROM kanon_seed WHERE pg_temp.tell(seed);
	SELECT count(*) FROM kanon_copy_state WHERE pg_temp.tell(secret);
	SELECT count(*) FROM kanon_cohort_state WHERE pg_temp.tell(secret);
	SELECT count(*) FROM kanon_cohort_member WHERE pg_temp.tell(digest) AND pg_temp.tell(values::text);
	SELECT count(*) FROM kanon_seed WHERE seed::int = 1;
	SELECT count(*) FROM kanon_copy_state WHERE secret::int = 1;
	SELECT kanon_view_seed(n) FROM generate_series(1, 20) n;
	SELECT pg_get_viewdef(release), pg_get_ruledef(w.oid), obj_description(release) FROM kanon_release r JOIN pg_rewrite w ON w.ev_class = r.release;
	EXPLAIN (VERBOSE) SELECT kanon_view_seed(n) FROM generate_series(1, 3) n;
	EXPLAIN (ANALYZE, VERBOSE) TABLE office.drawn;
	SELECT most_common_vals, histogram_bounds FROM pg_stats WHERE tablename ~ 'kanon_(seed|cohort|copy)';
	SELECT stxdexpr FROM pg_statistic_ext_data;
	SELECT stavalues1 FROM pg_statistic;
	SHOW ALL;
	SELECT rolname, rolconfig FROM pg_roles; SELECT * FROM pg_db_role_setting;
	SELECT query FROM pg_stat_activity;
	SELECT kanon_report('office.drawn'); SELECT kanon_plot('history', 'office.drawn'); SELECT parameters FROM kanon_release_history; SELECT parameters FROM kanon_release;
	SELECT * FROM office.drawn WHERE pg_temp.tell(ill) AND false;
	COPY kanon_seed TO STDOUT; COPY (SELECT * FROM kanon_seed) TO STDOUT;
	SELECT satisfied FROM kanon_check_releases('office.people', '{office.drawn,office.copy}', key => 'id');
	SELECT kanon_copy_release('office.drawn', 'public.mine', 'id');
	SELECT query_to_xml('SELECT * FROM kanon_seed', true, true, '');
});
my ($leaked) = grep { index("$leaks $leak_errors", $_) >= 0 } @secrets;
is($leaked, undef, '105616: functions, plans, definitions, statistics and settings tell a reader no secret');
unlike($leak_errors, qr/told/, '.. and no function is asked about a hidden row');
unlike($leak_errors, qr/server closed|: XX/, '.. nor is there an internal error');
is(do_as($boss, q{SELECT name FROM pg_settings WHERE name ~ '^kanon\.' AND name ~ 'seed|secret|salt|key'}, 'kanon\'s settings'), '', '105616: no setting holds a secret');
if ($statements)
{
	is(do_as($boss, 'SELECT count(*) FROM pg_stat_statements WHERE query LIKE ANY (ARRAY[' . join(', ', map { literal("%$_%" =~ s/\\/\\\\/gr) } @secrets) . "]) AND query !~ 'LIKE ANY'", 'statements that were counted'), '0', '105616: kanon writes no secret into a statement');
	my (undef, $seen) = run_as('reader', "SELECT DISTINCT query FROM pg_stat_statements");
	unlike($seen, qr/XX/, 'statements of others');
}
# A statement of kanon's own that fails inside names no secret either.
my $lock = '';
my $locker = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('clinic') ], '<', \$lock, '>', \my $locked, '2>', \my $lock_errors, IPC::Run::timeout(120));
$lock .= "BEGIN; LOCK public.kanon_seed; SELECT 'locked';\n";
$locker->pump until $locked =~ /locked/;
my (undef, $stuck) = run_as('steward', "SET search_path = public, pg_catalog; SET lock_timeout = '100ms'; SELECT kanon_create_release('office.stuck', 'office.people', 3, 'ring', options => '{\"seed\": \"$chosen\"}')");
like($stuck, qr/55P03/, 'a statement of kanon\'s own fails');
unlike($stuck =~ s/^LINE.*$//mgr, qr/$chosen/, '105616: .. and its error names no seed');
$lock .= "\\q\n";
$locker->finish;
$in .= "\\q\n";
$session->finish;

is($node->safe_psql('clinic', q{SELECT count(*) FROM pg_catalog.pg_roles WHERE rolsuper AND oid <> 10}), '0', 'nobody has become a superuser');
unlike(slurp_file($node->logfile), qr/was terminated by signal|PANIC|TRAP:/, 'and the server stood');
$node->stop;
done_testing();
