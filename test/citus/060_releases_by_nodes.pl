# Distributed releases by Mondrian and local recoding that the workers make: a partition tree that grows from their
# counts, and nodes that they finish.  The same rows as of a local table.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin, "$FindBin::RealBin/../t";

use Citus;
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my ($node, @workers) = citus_start();
citus_people($node, @workers);
# Whatever the number of rows.
$node->append_conf('postgresql.conf', 'kanon.partitioning = tree');
$node->reload;

sub ask { return (citus_ask($node, @_))[0] // '' }

my %release = (
	strict => "5, 'strict_mondrian'",
	gain => "5, 'mondrian'",
	of_numbers => "7, 'mondrian', quasi_identifiers => '{n,pay,age}'",
	of_dates => "20, 'mondrian', quasi_identifiers => '{birth,income,ward}', options => '{\"ranges\": true}'",
	plain => "20, 'mondrian', quasi_identifiers => '{birth,income,ward}'",
	means => "5, 'mondrian', quasi_identifiers => '{n,pay}', options => '{\"means\": true}'",
	judged => "5, 'mondrian', quasi_identifiers => '{n,birth}', models => 'distinct(disease, 3), closeness(disease, 0.5)'",
	strictly => "5, 'strict_mondrian', '{n,birth,income}', models => 'entropy(disease, 2)'",
	of_zips => "5, 'mondrian', quasi_identifiers => '{n,zip}', models => 'distinct(disease, 2)'",
	few => "3000, 'mondrian', '{n,birth}'",
	hidden => "5, 'strict_mondrian', '{ward,n}'",
	after => "5, 'mondrian', '{n,birth}', models => 'distinct(disease, 3), variance(pay, 100)', suppression => 0.5, options => '{\"models_after\": true}'",
	after_local => "5, 'local', '{n,birth,zip}', models => 'entropy(disease, 3)', suppression => 0.5, options => '{\"models_after\": true}'",
	local => "5, 'local', '{n,birth,zip}'",
	local_judged => "5, 'local', models => 'distinct(disease, 2)'",
);
my @names = sort keys %release;
my $figures = q{SELECT kanon_digest('%1$s'), (recoding, k, columns, quasi_identifiers, rows, classes, smallest, people, missing, round(loss::numeric, 12), satisfied)::text FROM kanon_release WHERE release = '%1$s'::regclass};
sub same { my ($say) = @_; is(ask(sprintf $figures, "${_}_there"), ask(sprintf $figures, "${_}_here"), "$_ $say: as of a local table") for @names }
# Do workers fill it?  They set rows apart once or, where cells do not show nodes, once more by cells; those of people first
# by person.  Rows of others come here as an intermediate result: 0.
sub workers_fill { my ($release) = @_; my $say = join ' ', citus_ask($node, "SET client_min_messages = debug1; SELECT FROM kanon_refresh_release('$release')"); my @inserts = $say =~ /repartitioned INSERT/g; return $say =~ /(ERROR: .*)/ ? $1 : scalar @inserts }

for my $name (@names)
{
	my $there = $release{$name} =~ /options/ ? $release{$name} =~ s/\{"/{"storage": "distributed", "/r : "$release{$name}, options => '{\"storage\": \"distributed\"}'";
	is(ask("SELECT kanon_create_release('${name}_here', 'whole', $release{$name})"), "${name}_here", "$name is made");
	is(ask("SELECT kanon_create_release('${name}_there', 'people', $there)"), "${name}_there", '.. on the workers, too');
}
same('made');
for my $kind (qw(whole people))
{
	$node->safe_psql('postgres', "DELETE FROM $kind WHERE id % 13 = 1; UPDATE $kind SET age = 99 - age, sex = NULL, birth = NULL WHERE ward LIKE 'd%'; UPDATE $kind SET n = NULL WHERE id % 101 = 5");
}
is(join(' ', map { ask("SELECT (kanon_refresh_release('${_}_here')).changed, (kanon_refresh_release('${_}_there', concurrently => true)).changed") } @names), join(' ', map { 't|t' } @names), 'all are refreshed');
same('refreshed');

cmp_ok(workers_fill("${_}_there"), '>=', 1, "workers fill $_") for @names;
is(ask("SELECT sum(result::int) FROM run_command_on_workers(\$\$SELECT count(*) FROM pg_class WHERE relname ~ '_stage' AND relkind = 'r'\$\$)"), 0, 'nothing is left of rows set apart');
is(ask("SELECT count(*) FROM kanon_release WHERE release::text ~ '^after.*_there' AND missing > 0 AND satisfied"), 2, 'classes that fail are left out');
for my $name (@names)
{
	my $columns = ask("SELECT array_to_string(quasi_identifiers, ', ') FROM kanon_release WHERE release = '${name}_there'::regclass");
	is(ask("SELECT count(*) FROM (SELECT 1 FROM ${name}_there GROUP BY $columns HAVING count(DISTINCT part) > 1) x"), 0, "no class of $name is divided");
}

# ---- values that a dimension lacks, with and without a rule; dimensions are not on workers

$node->safe_psql('postgres', q{CREATE TABLE some_ages_here AS TABLE some_ages; SELECT kanon_set_attribute(k, 'age', 'quasi_identifier', 'some_ages_here') FROM unnest('{whole,people}'::regclass[]) k;
	UPDATE whole SET zip = (53000 + id % 900)::text WHERE id % 101 = 5; UPDATE people SET zip = (53000 + id % 900)::text WHERE id % 101 = 5});
%release = (lacking => "5, 'mondrian', '{age,zip,sex}'", lacking_strictly => "5, 'strict_mondrian', '{age,zip}', models => 'distinct(disease, 2)'");
@names = sort keys %release;
my $options = q{options => '{"storage": "distributed"}'};
ask("SELECT kanon_create_release('${_}_here', 'whole', $release{$_}); SELECT kanon_create_release('${_}_there', 'people', $release{$_}, $options)") for @names;
same('made');
cmp_ok(workers_fill("${_}_there"), '>=', 1, "workers fill $_") for @names;

# ---- models that measure by a dimension, which lacks values, too

$node->safe_psql('postgres', q{CREATE TABLE kinds AS SELECT 'disease ' || i AS disease, 'kind ' || i / 3 AS kind, 'any'::text AS everything FROM generate_series(0, 7) i;
	SELECT kanon_set_attribute(k, 'disease', 'sensitive', 'kinds') FROM unnest('{whole,people}'::regclass[]) k});
%release = (by_kinds => "5, 'mondrian', models => 'closeness(disease, 0.4)'", by_kinds_strictly => "5, 'strict_mondrian', '{n,age}', models => 'distinct(disease, 2), closeness(disease, 0.35), closeness(pay, 0.4)'",
	by_kinds_local => "5, 'local', '{n,birth,zip}', models => 'closeness(disease, 0.45)'");
@names = sort keys %release;
ask("SELECT kanon_create_release('${_}_here', 'whole', $release{$_}); SELECT kanon_create_release('${_}_there', 'people', $release{$_}, $options)") for @names;
same('made');
cmp_ok(workers_fill("${_}_there"), '>=', 1, "workers fill $_") for @names;

# ---- people, whose rows lie in one shard each

$node->safe_psql('postgres', q{CREATE TABLE visits_here AS SELECT id, age, CASE WHEN id % 41 > 0 THEN n END AS n, CASE WHEN id % 301 > 0 THEN birth END AS birth, CASE WHEN id % 83 > 0 THEN zip ELSE (53000 + id % 7)::text END AS zip, ward, disease, (id * id) % 1201 AS person FROM whole;
	CREATE TABLE visits_there (LIKE visits_here); SELECT create_distributed_table('visits_there', 'person'); INSERT INTO visits_there TABLE visits_here;
	SELECT kanon_declare(t, '{age,n,birth}', '{disease}', '{ward}', '{id,person}'), kanon_set_attribute(t, 'zip', 'quasi_identifier', 'zips') FROM unnest('{visits_here,visits_there}'::regclass[]) t});
%release = (each => "5, 'mondrian', '{age,birth,n}', person => 'person'", each_strictly => "5, 'strict_mondrian', '{n,birth}', models => 'entropy(disease, 2), closeness(disease, 0.4)', person => 'person'",
	each_zip => "7, 'mondrian', '{zip,birth}', person => 'person'", each_zip_strictly => "7, 'strict_mondrian', '{zip,n}', person => 'person'", each_local => "5, 'local', '{age,zip}', person => 'person'",
	each_shown => "30, 'mondrian', '{ward,n}', models => 'distinct(disease, 2)', person => 'person'");
@names = sort keys %release;
ask("SELECT kanon_create_release('${_}_here', 'visits_here', $release{$_}); SELECT kanon_create_release('${_}_there', 'visits_there', $release{$_}, $options)") for @names;
same('made');
cmp_ok(workers_fill("${_}_there"), '>=', 1, "workers fill $_") for @names;
is(ask("SELECT count(*) FROM pg_attribute WHERE attrelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'each_there'::regclass) AND attname = 'people'"), 0, 'nothing is left of how people were counted');

# .. or lie anywhere; some rows are nobody's

$node->safe_psql('postgres', q{CREATE TABLE stays_here AS SELECT id, age, n, birth, zip, ward, disease, CASE WHEN person % 7 > 0 THEN (person + 0.5)::float8 END AS "the person" FROM visits_here;
	CREATE TABLE stays_there (LIKE stays_here); SELECT create_distributed_table('stays_there', 'id'); INSERT INTO stays_there TABLE stays_here;
	SELECT kanon_declare(t, '{age,n,birth}', '{disease}', '{ward}', '{id,the person}'), kanon_set_attribute(t, 'zip', 'quasi_identifier', 'zips') FROM unnest('{stays_here,stays_there}'::regclass[]) t});
%release = map { (s/each/stay/r => $release{$_} =~ s/person => 'person'/person => 'the person'/r) } keys %release;
@names = sort keys %release;
ask("SELECT kanon_create_release('${_}_here', 'stays_here', $release{$_}); SELECT kanon_create_release('${_}_there', 'stays_there', $release{$_}, $options)") for @names;
same('made');
cmp_ok(workers_fill("${_}_there"), '>=', 2, "workers fill $_, after they brought people together") for @names;
$node->safe_psql('postgres', 'UPDATE stays_' . $_ . ' SET n = 9 - n, "the person" = CASE WHEN id % 5 > 0 THEN "the person" END; DELETE FROM stays_' . $_ . ' WHERE id % 31 = 4') for qw(here there);
ask("SELECT FROM kanon_refresh_release('${_}_here'); SELECT FROM kanon_refresh_release('${_}_there')") for @names;
same('refreshed');
is(ask("SELECT kanon_create_release('none_of_stays', 'stays_there', 3000, 'mondrian', '{age,n}', person => 'the person', $options)"), 'none_of_stays', 'fewer people than k');
is(ask("SELECT rows, satisfied FROM kanon_release WHERE release = 'none_of_stays'::regclass"), '0|f', '.. whose rows are not published');
is(ask("SELECT count(*) + (SELECT sum(result::int) FROM run_command_on_workers(\$\$SELECT count(*) FROM pg_class WHERE relname ~ '_stage' AND relkind = 'r'\$\$)) FROM pg_class WHERE relname ~ '_stage'"), 0, 'no copy of rows is left');

# .. a person may be a row with NULLs in it

$node->safe_psql('postgres', q{CREATE TYPE pair AS (a int, b int); CREATE TABLE pairs_here AS SELECT id, n, birth, disease, CASE WHEN id % 9 > 0 THEN ROW(id / 3, NULL)::pair END AS person FROM visits_here;
	CREATE TABLE pairs_there (LIKE pairs_here); SELECT create_distributed_table('pairs_there', 'id'); INSERT INTO pairs_there TABLE pairs_here;
	SELECT kanon_declare(t, '{n,birth}', '{disease}', '{}', '{id,person}') FROM unnest('{pairs_here,pairs_there}'::regclass[]) t});
%release = (of_pairs => "5, 'mondrian', person => 'person'");
@names = sort keys %release;
ask("SELECT kanon_create_release('${_}_here', 'pairs_here', $release{$_}); SELECT kanon_create_release('${_}_there', 'pairs_there', $release{$_}, $options)") for @names;
same('made');
is(workers_fill('of_pairs_there'), 2, 'workers fill it');

# .. and a column that was renamed has another name than in the release's text: the coordinator fills it

$node->safe_psql('postgres', "ALTER TABLE visits_$_ RENAME n TO m; ALTER TABLE visits_$_ RENAME person TO n; ALTER TABLE visits_$_ RENAME m TO person") for qw(here there);
ask("SELECT FROM kanon_refresh_release('each_here'); SELECT FROM kanon_refresh_release('each_there')");
@names = ('each');
same('refreshed after columns were renamed');
is(workers_fill('each_there'), 0, '.. by the coordinator');
$node->safe_psql('postgres', "ALTER TABLE visits_$_ RENAME n TO m; ALTER TABLE visits_$_ RENAME person TO n; ALTER TABLE visits_$_ RENAME m TO person") for qw(here there);
cmp_ok(workers_fill('each_there'), '>=', 1, '.. and by workers, when they have their old names');

# ---- local recoding divides many rows into regions

$node->safe_psql('postgres', q{CREATE TABLE thousands_here AS SELECT id, hashint4(id) % 40 AS age, (hashint4(-id) & 255) % 60 AS node, CASE WHEN id % 90 <> 1 THEN hashint4(id * 3) & 15 END AS ward, 'd' || (hashint4(id * 5) & 7) AS disease FROM generate_series(1, 300000) id;
	CREATE TABLE thousands_there (LIKE thousands_here); SELECT create_distributed_table('thousands_there', 'id'); INSERT INTO thousands_there TABLE thousands_here; SELECT kanon_declare(t, '{age,node,ward}', '{disease}', '{}', '{id}') FROM unnest('{thousands_here,thousands_there}'::regclass[]) t});
%release = (many => "9, 'local'", many_judged => "9, 'local', '{age,node}', models => 'distinct(disease, 3)'");
@names = sort keys %release;
for my $name (@names)
{
	is(ask("SELECT kanon_create_release('${name}_here', 'thousands_here', $release{$name})"), "${name}_here", "$name is made");
	is(ask("SELECT kanon_create_release('${name}_there', 'thousands_there', $release{$name}, $options)"), "${name}_there", '.. on the workers, too');
	cmp_ok(workers_fill("${name}_there"), '>=', 1, 'workers fill it');
	isnt(ask("SELECT count(DISTINCT part) FROM ${name}_there"), 1, '.. in several regions');
}
same('made');

# ---- cells of a type that has no hash

$node->safe_psql('postgres', q{CREATE TABLE bits_here AS SELECT id, hashint4(id) & 31 AS age, (hashint4(id * 3) & 7)::bit(3)::varbit AS flags, 'd' || (hashint4(id * 5) & 7) AS disease FROM generate_series(1, 2000) id;
	CREATE TABLE bits_there (LIKE bits_here); SELECT create_distributed_table('bits_there', 'id'); INSERT INTO bits_there TABLE bits_here; SELECT kanon_declare(t, '{age,flags}', '{disease}', '{}', '{id}') FROM unnest('{bits_here,bits_there}'::regclass[]) t});
%release = (flags => "5, 'mondrian'");
@names = sort keys %release;
ask("SELECT kanon_create_release('${_}_here', 'bits_here', $release{$_}); SELECT kanon_create_release('${_}_there', 'bits_there', $release{$_}, $options)") for @names;
cmp_ok(workers_fill("${_}_there"), '>=', 1, "workers fill $_") for @names;
same('made');

is(ask("SELECT kanon_create_release('of_many_here', 'thousands_here', 9, 'mondrian'), kanon_create_release('of_many_there', 'thousands_there', 9, 'mondrian', $options)"), 'of_many_here|of_many_there', 'regions of Mondrian');
@names = ('of_many');
same('made');

# ---- nodes fit by the coordinator's memory, whatever the workers have, or go to tapes

for my $worker (@workers) { $worker->append_conf('postgresql.conf', "maintenance_work_mem = '1MB'"); $worker->reload }
$node->safe_psql('postgres', "UPDATE $_ SET age = 39 - age") for qw(thousands_here thousands_there);
is(ask("SELECT (kanon_refresh_release('${_}_here')).changed, (kanon_refresh_release('${_}_there')).changed"), 't|t', "$_ is refreshed") for @names;
same('refreshed');
for my $worker (@workers) { $worker->append_conf('postgresql.conf', "kanon.memory_ceiling = '1MB'"); $worker->restart }
$node->safe_psql('postgres', "UPDATE $_ SET age = 39 - age") for qw(thousands_here thousands_there);
is(ask("SELECT (kanon_refresh_release('${_}_here')).changed, (kanon_refresh_release('${_}_there')).changed"), 't|t', "$_ is refreshed within the ceiling of a worker, on tapes") for @names;
same('refreshed');
$node->safe_psql('postgres', "UPDATE $_ SET age = 39 - age") for qw(thousands_here thousands_there);
for my $worker (@workers) { $worker->append_conf('postgresql.conf', "kanon.memory_ceiling = -1\nmaintenance_work_mem = '64MB'"); $worker->restart }

# ---- cuts from samples, which do not depend on where rows lie

$node->safe_psql('postgres', q{UPDATE thousands_there SET ward = 99 WHERE id % 30011 = 7; CREATE TABLE wards AS SELECT ward, 'w' || ward / 4 AS part, 'town'::text AS town FROM generate_series(0, 99) ward;
	SELECT kanon_set_attribute('thousands_there', 'ward', 'quasi_identifier', 'wards'); CREATE TABLE thousands_apart (LIKE thousands_there); SELECT create_distributed_table('thousands_apart', 'id', colocate_with => 'none'); INSERT INTO thousands_apart SELECT * FROM thousands_there ORDER BY -id;
	SELECT kanon_declare('thousands_apart', '{age,node}', '{disease}', '{}', '{id}'), kanon_set_attribute('thousands_apart', 'ward', 'quasi_identifier', 'wards')});
%release = (some => "9, 'mondrian'", some_strictly => "30, 'strict_mondrian'", some_judged => "9, 'mondrian', models => 'distinct(disease, 3), closeness(disease, 0.5)'", some_local => "9, 'local', '{age,node}'");
for my $name (sort keys %release)
{
	my ($k) = $release{$name} =~ /(\d+)/;
	my $columns = $name =~ /local/ ? 'age, node' : 'age, node, ward';
	is(ask("SET kanon.partitioning = sample; SELECT kanon_create_release('${name}_there', 'thousands_there', $release{$name}, $options)"), "${name}_there", "$name of a sample");
	cmp_ok(workers_fill("${name}_there"), '>=', 1, '.. by workers');
	ask("SET kanon.partitioning = tree; SELECT kanon_create_release('${name}_all', 'thousands_there', $release{$name}, $options)");
	is(ask("SELECT abs(s.loss - a.loss) <= 0.03 * a.loss, s.rows, s.smallest >= $k, s.satisfied FROM kanon_release s, kanon_release a WHERE s.release = '${name}_there'::regclass AND a.release = '${name}_all'::regclass"), 't|300000|t|t', '.. about as good as of all rows');
	is(ask("SELECT count(*) FROM (SELECT 1 FROM ${name}_there GROUP BY $columns HAVING count(*) < $k OR ('$name' ~ 'judged' AND count(DISTINCT disease) < 3)) x"), 0, '.. and its classes hold');
}
is(ask("SET kanon.partitioning = sample; SELECT kanon_create_release('some_apart', 'thousands_apart', 9, 'mondrian', $options); SELECT count(DISTINCT kanon_digest(r)) FROM unnest('{some_there,some_apart}'::regclass[]) r"), "some_apart\n1", 'in another order, the same');
is(ask("SELECT kanon_digest('some_there') <> kanon_digest('some_all')"), 't', 'other classes than of all rows');

# ---- what the coordinator makes

$node->safe_psql('postgres', q{CREATE FUNCTION is_checked(int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN true; END $$; CREATE DOMAIN checked AS int CHECK (is_checked(VALUE));
	CREATE TABLE domains (id int, n checked, pay int); SELECT create_distributed_table('domains', 'id'); INSERT INTO domains SELECT id, n, pay FROM people;
	CREATE TABLE unhashed (id int, n int, pay int, person varbit); SELECT create_distributed_table('unhashed', 'id'); INSERT INTO unhashed SELECT id, n, pay, person::bit(16)::varbit FROM people; CREATE VIEW view AS TABLE people});
my %here = (
	of_unhashed_people => "'unhashed', 5, 'mondrian', '{n,pay}', person => 'person', $options",
	of_labelled_people => "'visits_there', 5, 'mondrian', '{zip,birth}', models => 'distinct(disease, 2)', person => 'person', $options",
	after => "'people', 5, 'mondrian', '{n,birth}', models => 'distinct(disease, 2), closeness(disease, 0.9)', options => '{\"storage\": \"distributed\", \"models_after\": true}'",
	after_hidden => "'people', 5, 'strict_mondrian', '{ward,n}', models => 'distinct(disease, 3)', suppression => 0.9, options => '{\"storage\": \"distributed\", \"models_after\": true}'",
	after_of_people => "'visits_there', 5, 'mondrian', '{n,birth}', person => 'person', models => 'distinct(disease, 2)', suppression => 0.9, options => '{\"storage\": \"distributed\", \"models_after\": true}'",
	by_target => "'people', 5, 'mondrian', '{n,birth}', options => '{\"storage\": \"distributed\", \"split\": \"infogain\", \"target\": \"disease\"}'",
	relaxed => "'people', 5, 'relaxed_mondrian', '{n,birth}', $options",
	leaving_out => "'people', 50, 'local', '{n,birth}', suppression => 0.05, $options",
	of_domains => "'domains', 5, 'mondrian', '{n,pay}', $options",
	of_view => "'view', 5, 'mondrian', '{n,birth}', $options",
);
for my $name (sort keys %here)
{
	is(ask("SELECT kanon_create_release('h_$name', $here{$name})"), "h_$name", "h_$name is made");
	is(workers_fill("h_$name"), 0, '.. by the coordinator');
}
is(ask("SELECT kanon_create_release('h_none', 'people', 5, 'mondrian', '{n,birth}', models => 'variance(pay, 1000000)', $options)"), 'h_none', 'rows that do not satisfy');
is(ask("SELECT rows FROM kanon_release WHERE release = 'h_none'::regclass"), 0, '.. are not published');
is(ask("SET kanon.partitioning = auto; SELECT FROM kanon_refresh_release('few_there'); SELECT kanon_digest('few_there') = kanon_digest('few_here')"), 't', 'few rows travel');

# ---- cancel, memory, rights, a lost worker, rows that change

my $digest = ask("SELECT kanon_digest('gain_there')");
like(ask("SET statement_timeout = '100ms'; SELECT kanon_refresh_release('gain_there')"), qr/^ERROR:  canceling statement due to statement timeout$/, 'it is canceled');
like(ask("SET kanon.memory_limit = '1MB'; SELECT kanon_create_release('small', 'people', 5, 'mondrian', '{birth,income,n}', $options)"), qr/^(small|ERROR:  .* exceeds the memory limit of 1024 kB)$/, 'within a memory limit');
$node->safe_psql('postgres', q{CREATE ROLE office LOGIN; GRANT CREATE ON SCHEMA public TO office; GRANT SELECT ON people, some_ages_here, zips TO office});
is(ask("SET ROLE office; SELECT kanon_create_release('study', 'people', 5, 'mondrian', '{n,age}', $options)"), 'study', 'somebody else makes one');
is(ask('SET ROLE office; SELECT satisfied FROM kanon_refresh_release(\'study\')'), 't', '.. and refreshes it');
is(ask("SELECT count(*) FROM pg_class WHERE relname ~ '^study' AND relowner <> 'office'::regrole"), 0, '.. all of it is theirs');
$workers[1]->stop('immediate');
like(ask("SELECT kanon_refresh_release('gain_there')"), qr/ERROR/, 'without a worker');
$workers[1]->start;
is(ask("SELECT kanon_digest('gain_there')"), $digest, 'the release stands');

# In whatever step a worker is lost, or the coordinator: the old release, or the new one.
$node->safe_psql('postgres', "UPDATE $_ SET n = 9 - n") for qw(whole people);
ask("SELECT FROM kanon_refresh_release('gain_here')");
my $new = ask("SELECT kanon_digest('gain_here')");
isnt($new, $digest, 'other rows');
for my $step (1 .. 9)
{
	my $lost = $step % 3 ? $workers[1] : $node;
	my $said = '';
	my $asker = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-c', "SELECT kanon_refresh_release('gain_there')" ], '>&', \$said);
	usleep(80_000 * $step);
	$lost->stop('immediate');
	$asker->finish;
	$lost->start;
	$node->poll_query_until('postgres', "SELECT kanon_digest('gain_there') IS NOT NULL");
	my $stands = ask("SELECT kanon_digest('gain_there')");
	ok($stands eq $digest || $stands eq $new, "${\$lost->name} is lost after ${\(80 * $step)} ms: a whole release");
}
is(ask("SELECT satisfied FROM kanon_refresh_release('gain_there'); SELECT kanon_digest('gain_there')"), "t\n$new", 'another refresh heals');

my $script = PostgreSQL::Test::Utils::tempdir() . '/writes';
PostgreSQL::Test::Utils::append_to_file($script, "INSERT INTO people SELECT 5000 + id, ward, (id * 7) % 130, sex, zip, n + id % 3, disease, pay, birth + id, income, person FROM whole WHERE id < 400;\nDELETE FROM people WHERE id > 5000;\nUPDATE people SET n = 9 - n;\n" x 1000);
my $writer = IPC::Run::start([ 'psql', '-XAtq', '-f', $script, '-d', $node->connstr('postgres') ], '>', \my $written, '2>&1');
my $end = time + ($ENV{CITUS_SECONDS} // 12) / 2;
my ($nights, @bad) = (0);
while (time < $end)
{
	my $refreshed = ask("SELECT FROM kanon_refresh_release('judged_there'); SELECT FROM kanon_refresh_release('local_judged_there')");
	push @bad, $refreshed if $refreshed ne '';
	push @bad, ask('SELECT n, birth, count(*), count(DISTINCT disease) FROM judged_there GROUP BY 1, 2 HAVING count(*) < 5 OR count(DISTINCT disease) < 3'),
		ask('SELECT age, sex, zip, count(*), count(DISTINCT disease) FROM local_judged_there GROUP BY 1, 2, 3 HAVING count(*) < 5 OR count(DISTINCT disease) < 2');
	push @bad, citus_move_shard($node, @workers) if $nights % 2;
	$nights++;
}
$writer->kill_kill;
is(join('', @bad), '', "$nights refreshes of each while rows change and shards move: all classes hold");

done_testing();
