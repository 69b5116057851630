# What a reader learns who has all copies, all catalogs, all plans and statistics: nothing
# but what the releases say.  Two worlds differ in values that releases hide; all that a
# reader can see is the same in both, byte for byte.  And nobody writes into kanon's
# tables but about things of one's own.
#
# Tried before, and tested elsewhere:
#   operators bound by CREATE EXTENSION        036_traps, 037_release_text
#   redrawn in another locale or order         023_same_rows
#   one seed, two states of the table          sql/matching_draw.sql
#   compression and storage of equal values    sql/release_text.sql
#   columns with names that kanon uses         sql/release_text.sql
#   minimality: a cut that was not made        sql/models_after.sql
#   default privileges                         sql/release.sql, sql/dimension.sql, sql/check_releases.sql
#
#   ATTACK_OPEN=1  also tries what is known to be open (and fails)
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('leaks');
$node->init(extra => [ '--no-locale', '--encoding=UTF8' ]);
$node->append_conf('postgresql.conf', "autovacuum = off\njit = off\nclient_min_messages = error\n");
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE owner LOGIN; CREATE ROLE reader LOGIN; CREATE ROLE mallory LOGIN');

# [answer, errors]
sub run_as
{
	my ($user, $database, $sql) = @_;
	my ($status, $out, $err) = $node->psql($database, "\\set VERBOSITY verbose\n$sql", connstr => $node->connstr($database) . " user=$user", on_error_stop => 0);
	return ($out, $err);
}
sub do_as
{
	my ($user, $database, $sql, $name) = @_;
	my ($out, $err) = run_as($user, $database, $sql);
	is($err, '', $name);
	return $out;
}

# ---- two worlds

# In the other world the people of each class have passed what is published as it is around, and
# those of nobody's class, or who wait, have other ones.  Diseases are of all lengths.
my @worlds = qw(this other);
my @recodings = qw(local mondrian full_domain);
push @recodings, 'relaxed_mondrian' if $ENV{ATTACK_OPEN};
my $disease = q{'disease ' || i || CASE WHEN i % 5 = 0 THEN repeat(md5(i::text), 100) WHEN i % 7 = 0 THEN repeat('long ', 900) ELSE '' END};
sub make_world
{
	my ($world) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $world");
	$node->safe_psql($world, 'CREATE EXTENSION kanon; CREATE SCHEMA clinic AUTHORIZATION owner; GRANT USAGE ON SCHEMA clinic TO reader');
	do_as('owner', $world, qq{
		SET search_path = clinic, public;
		CREATE TABLE everybody AS SELECT i AS id, 20 + i * i % 37 AS age, 53700 + i * 11 % 41 AS zip, $disease AS disease, i % 9 AS cost FROM generate_series(1, 400) i;
		-- Two of whom there are too few.
		INSERT INTO everybody VALUES (401, 99, 53700, 'secret', 1), (402, 99, 53799, 'secret as well', 2);
		SELECT kanon_declare('everybody', quasi_identifiers => '{age,zip}', sensitive => '{disease}', insensitive => '{cost}', identifiers => '{id}');
		SELECT kanon_create_dimension('ages', 'everybody', 'age', 'ranges', '{10}'), kanon_create_dimension('zips', 'everybody', 'zip', 'ranges', '{10}');
		CREATE FUNCTION begin(which text) RETURNS void LANGUAGE plpgsql AS \$\$
		BEGIN
			CREATE TABLE people AS TABLE everybody;
			PERFORM kanon_set_attribute('people', attribute, role, CASE attribute WHEN 'age' THEN 'ages'::regclass WHEN 'zip' THEN 'zips'::regclass END) FROM kanon_attribute WHERE relation = 'everybody'::regclass
				AND (dimension IS NULL OR which = 'full_domain');
			IF which <> 'full_domain' THEN
				PERFORM kanon_set_attribute('people', a, 'quasi_identifier') FROM unnest('{age,zip}'::name[]) a;
			END IF;
			EXECUTE format('ALTER TABLE people RENAME TO people_of_%s', which);
			EXECUTE format('CREATE VIEW people AS TABLE people_of_%s', which);
		END \$\$;
	}, "$world world");
	for my $recoding (@recodings)
	{
		# Whose classes these are, the diseases tell, which are all different.
		my $pass = $world eq 'this' ? '' : 'UPDATE people p SET (disease, cost) = (q.disease, q.cost) FROM (VALUES ' . $node->safe_psql('this', qq{
			SET search_path = clinic, public;
			SELECT string_agg(format('(%s, %s)', id, next), ', ') FROM (SELECT id, coalesce(lead(id) OVER w, first_value(id) OVER w) AS next
				FROM people_of_$recoding p JOIN $recoding r USING (disease) WINDOW w AS (PARTITION BY r.age, r.zip ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) c}) . ') c (id, next) JOIN people q ON q.id = c.next WHERE p.id = c.id;';
		do_as('owner', $world, "SET search_path = clinic, public; SELECT clinic.begin('$recoding');"
			  . ($world eq 'this' ? '' : " $pass UPDATE people SET disease = 'another one that nobody may know' WHERE id > 400 AND '$recoding' = 'full_domain';")
			  . "DROP VIEW people; SELECT kanon_create_release('$recoding', 'people_of_$recoding', 5, '$recoding'"
			  . ($recoding eq 'full_domain' ? ", options => '{\"levels\": [1, 1]}', suppression => 0.9" : $recoding =~ m{local|^mondrian} ? ", options => '{\"means\": true}'" : '') . ");
			CREATE INDEX ON $recoding (disease); GRANT SELECT ON $recoding TO reader", "$recoding in $world world");
		$node->safe_psql($world, "ANALYZE clinic.$recoding");
	}
	return;
}

# All that a reader sees of a release: contents in their places, statistics, sizes,
# plans, kanon's figures.  Not: when it was, in which process, under which OID.
sub seen
{
	my ($world, $release) = @_;
	my $hidden = q{'{created,refreshed,seconds,number,filled,changed,dealt,definition,kanon,postgresql}'::text[]};
	my ($out, $err) = run_as('reader', $world, qq{
		SET search_path = clinic, public;
		SELECT ctid, r FROM $release r;
		SELECT disease, pg_column_size(disease), pg_column_compression(disease) FROM $release ORDER BY ctid;
		SELECT attname, null_frac, avg_width, n_distinct, most_common_vals, most_common_freqs, histogram_bounds, correlation FROM pg_stats WHERE tablename = '$release' ORDER BY 1;
		SELECT relpages, reltuples, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class WHERE relname = '$release';
		SELECT to_jsonb(k) - $hidden FROM kanon_release k WHERE release = '$release'::regclass;
		SELECT to_jsonb(k) - $hidden FROM kanon_releases k WHERE release = '$release'::regclass;
		SELECT to_jsonb(k) - $hidden FROM kanon_release_history k WHERE release = '$release'::regclass ORDER BY number;
		SELECT to_jsonb(a) FROM kanon_attribute a ORDER BY relation::text, attribute;
		SELECT to_jsonb(d) FROM kanon_dimension d ORDER BY dimension::text;
		SELECT kanon_digest('$release'), kanon_check('$release', 5), kanon_risk('$release'), kanon_plot('classes', '$release');
		EXPLAIN SELECT * FROM $release WHERE disease > 'm';
		EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF, COSTS OFF, BUFFERS OFF) SELECT * FROM $release WHERE disease LIKE '%secret%';
		SELECT * FROM pg_indexes WHERE tablename = '$release';
	});
	# What is not for readers says so in the same words.
	return "$out\n$err" =~ s/LOCATION:.*//gr;
}

make_world($_) for @worlds;
for my $release (@recodings)
{
	my ($this, $other) = map { seen($_, $release) } @worlds;
	cmp_ok(length($this), '>', 20_000, "$release: a reader sees a lot");
	ok($this eq $other, "$release: .. and the same, whoever of a class has which disease");
	unless ($this eq $other)
	{
		my @lines = map { [ split /\n/ ] } $this, $other;
		my ($first) = grep { ($lines[0][$_] // '') ne ($lines[1][$_] // '') } 0 .. $#{ $lines[0] };
		note substr($lines[$_][$first] // '', 0, 300) for 0, 1;
	}
	isnt($node->safe_psql('this', "SELECT md5(string_agg(p::text, ',' ORDER BY id)) FROM clinic.people_of_$release p"),
		$node->safe_psql('other', "SELECT md5(string_agg(p::text, ',' ORDER BY id)) FROM clinic.people_of_$release p"), "$release: .. which differs");
}
unlike(seen('this', 'full_domain'), qr/secret(?!%)/, 'those who are left out are nowhere');

# Nights of cohorts: two people of a cell trade their diseases, and somebody who waits has another.
my %nights = map { $_ => '' } @worlds;
my ($cells, $waiting) = ('', '');
for my $world (@worlds)
{
	do_as('owner', $world, q{
		SET search_path = clinic, public;
		CREATE TABLE patients AS SELECT id, age, zip, disease FROM everybody WHERE id <= 90;
		SELECT kanon_declare('patients', quasi_identifiers => '{age,zip}', sensitive => '{disease}', identifiers => '{id}');
	}, "cohorts in $world world");
	for my $night (0 .. 4)
	{
		if ($night > 0)
		{
			do_as('owner', $world, "SET search_path = clinic, public; INSERT INTO patients SELECT id, age, zip, disease FROM everybody WHERE id BETWEEN 88 + $night * 3 AND 90 + $night * 3; DELETE FROM patients WHERE id % 29 = $night; UPDATE patients SET age = age + 1 WHERE id % 31 = $night", "night $night");
		}
		elsif ($world eq 'other')
		{
			# Those who still wait at the end have other ones.
			do_as('owner', $world, "UPDATE clinic.everybody SET disease = 'yet another ' || disease WHERE id IN ($waiting)", 'other diseases of those who wait');
			# Whole cells are known in this world already: their people pass the diseases on.
			do_as('owner', $world, "SET search_path = clinic, public; UPDATE patients p SET disease = q.disease FROM ($cells) c (id, next) JOIN patients q ON q.id = c.next WHERE p.id = c.id", 'diseases are traded within cells');
		}
		if ($night == 0)
		{
			# Chance decides who is hidden with those who leave: alike in both worlds.
			do_as('owner', $world, q{SET search_path = clinic, public; CREATE TABLE held AS TABLE patients; TRUNCATE patients;
				SELECT kanon_create_release('nightly', 'patients', 5, 'cohorts', options => '{"key": "id", "wait": 3, "target_loss": 0.3, "leavers": "keep"}'); GRANT SELECT ON nightly TO reader}, 'begun');
			$node->safe_psql($world, q{UPDATE kanon_cohort_state SET secret = sha256('secret') WHERE relation = 'clinic.patients'::regclass});
			do_as('owner', $world, 'SET search_path = clinic, public; INSERT INTO patients TABLE held; DROP TABLE held', 'with everybody');
		}
		do_as('owner', $world, 'SET search_path = clinic, public; '
			  . q{SELECT rows FROM kanon_refresh_release('nightly')}, "night $night goes by");
		$node->safe_psql($world, 'ANALYZE clinic.nightly; CREATE TABLE IF NOT EXISTS clinic.copies_of_nights AS TABLE clinic.nightly WITH NO DATA; INSERT INTO clinic.copies_of_nights TABLE clinic.nightly');
		$nights{$world} .= seen($world, 'nightly');
	}
	if ($world eq 'this')
	{
		# The cells after all nights are parts of those of the first: trades within them are
		# trades within every cell that there was.  Digests do not say who is who; values do.
		my @pairs = split /\n/, $node->safe_psql($world, q{
			SET search_path = clinic, public;
			SELECT '(' || p.id || ',' || coalesce(lead(p.id) OVER w, first_value(p.id) OVER w) || ')' FROM kanon_cohort_member m
			JOIN everybody p ON p.disease = m.values[1] WHERE m.cell IS NOT NULL AND p.id <= 90 AND p.id % 29 NOT IN (1, 2, 3, 4) AND p.id % 31 NOT IN (1, 2, 3, 4)
			WINDOW w AS (PARTITION BY m.cell ORDER BY p.id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)});
		cmp_ok(@pairs, '>', 40, 'people of the same cells');
		$waiting = $node->safe_psql($world, q{SELECT string_agg(id::text, ', ') FROM clinic.patients WHERE id > 90 AND disease NOT IN (SELECT disease FROM clinic.copies_of_nights)});
		like($waiting, qr/\d, \d/, 'people who wait');
		$cells = 'VALUES ' . join ', ', @pairs;
	}
}
ok($nights{this} eq $nights{other}, 'cohorts: all copies are the same, whoever of a cell has which disease');
cmp_ok(length($nights{this}), '>', 50_000, '.. and tell a lot');

# ---- labels of a dimension change between two nights: nobody is among fewer than k

my $k = 6;
do_as('owner', 'this', qq{
	SET search_path = clinic, public;
	CREATE TABLE areas AS SELECT g AS area, CASE WHEN g < 4 THEN 'low' ELSE 'high' END AS part FROM generate_series(0, 7) g;
	CREATE TABLE settled (id int, area int, name text);
	INSERT INTO settled SELECT i, i % 8, 'n' || i FROM generate_series(1, 24) i;
	SELECT kanon_declare('settled', identifiers => '{id}', quasi_identifiers => '{area}', sensitive => '{name}');
	SELECT kanon_set_attribute('settled', 'area', 'quasi_identifier', 'areas');
	SELECT kanon_create_release('settlers', 'settled', $k, 'cohorts', options => '{"key": "id", "leavers": "keep", "wait": 0, "target_loss": 0}');
	CREATE TABLE copies AS SELECT 0 AS night, * FROM settlers;
}, 'cohorts by a dimension');
my @changes = (
	q{UPDATE areas SET part = 'north' WHERE part = 'low'; UPDATE areas SET part = 'high' WHERE area = 3; INSERT INTO settled SELECT i, i % 8, 'n' || i FROM generate_series(25, 48) i},
	q{INSERT INTO settled VALUES (99, 77, 'n99')},
	q{DELETE FROM settled WHERE id IN (7, 15); DELETE FROM areas WHERE area = 7},
	q{UPDATE areas SET part = 'p' || area; INSERT INTO settled SELECT i, i % 7, 'n' || i FROM generate_series(100, 160) i},
	q{DELETE FROM settled WHERE area = 5}, q{UPDATE areas SET part = 'one'; INSERT INTO areas VALUES (7, 'one'), (77, 'two')});
for my $night (1 .. @changes)
{
	do_as('owner', 'this', "SET search_path = clinic, public; $changes[$night - 1]; SELECT rows FROM kanon_refresh_release('settlers'); INSERT INTO copies SELECT $night, * FROM settlers", "night $night, after a change of the dimension");
}
# The histories of everybody, without names: each cell of them has k or more.
is($node->safe_psql('this', qq{
	SET search_path = clinic, public;
	SELECT count(*) FROM (SELECT count(*) FROM (SELECT name, string_agg(night || ' ' || coalesce(area::text, '-'), ', ' ORDER BY night) AS history FROM copies GROUP BY name) h
		GROUP BY history HAVING count(*) < $k) g}), '0', 'all copies together: nobody among fewer than k');
cmp_ok($node->safe_psql('this', 'SELECT count(DISTINCT area) FROM clinic.copies'), '>', 3, '.. under labels that changed');

# ---- a table under another name, a view of it: the state of cohorts is the table's

my $make = q{SELECT kanon_declare('%1$s', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}');
	SELECT kanon_create_release('%1$s_r', '%1$s', 3, 'cohorts', options => '{"key": "id", "leavers": "keep", "target_loss": 0, "wait": 0}');};
# The people of one copy and of another: those alike in both.
my $least = q{SELECT min(n) FROM (SELECT count(*) AS n FROM %s a FULL JOIN %s b USING (disease) GROUP BY a.age, b.age) c};
do_as('owner', 'this', 'SET search_path = clinic, public;' . q{CREATE TABLE swapped AS SELECT i AS id, 20 + i AS age, 'd' || i AS disease FROM generate_series(1, 12) i;} . sprintf($make, 'swapped')
	  . 'CREATE TABLE first_copy AS TABLE swapped_r; CREATE TABLE swapped_new AS SELECT * FROM swapped WHERE id <> 5; ALTER TABLE swapped RENAME TO swapped_old; ALTER TABLE swapped_new RENAME TO swapped; DROP TABLE swapped_old CASCADE', 'a table is exchanged by renaming');
run_as('owner', 'this', 'SET search_path = clinic, public;' . sprintf($make, 'swapped'));
my ($least_seen, $refused) = run_as('owner', 'this', 'SET search_path = clinic, public;' . sprintf($least, 'first_copy', 'swapped_r'));
ok($refused =~ /42P01/ || $least_seen >= 3, 'the state is not begun anew in silence') or note "as few as $least_seen";
run_as('owner', 'this', 'SET search_path = clinic, public;' . q{CREATE TABLE viewed AS SELECT i AS id, 20 + i AS age, 'd' || i AS disease FROM generate_series(1, 14) i; CREATE VIEW view_of AS TABLE viewed;} . sprintf($make, 'viewed'));
my (undef, $notice) = run_as('owner', 'this', 'SET search_path = clinic, public; SET client_min_messages = notice;' . sprintf($make, 'view_of'));
like($notice, qr/clinic\.view_of shares rows with clinic\.viewed/, 'a release of a view says that its table has one');

# ---- relaxed classes

if ($ENV{ATTACK_OPEN})
{
	# Relaxed classes: of two people with the same quasi-identifiers, the values decide who
	# goes where.  Of all ways to give these diseases to these people, only one makes the release.
	is(do_as('owner', 'this', q{
		SET search_path = clinic, public;
		CREATE TABLE four (id text, age int, disease text);
		INSERT INTO four VALUES ('C', 1, '1'), ('A', 5, '8'), ('B', 5, '2'), ('D', 9, '9');
		SELECT kanon_declare('four', identifiers => '{id}', quasi_identifiers => '{age}', sensitive => '{disease}');
		SELECT kanon_create_release('relaxed_four', 'four', 2, 'relaxed_mondrian');
		CREATE TABLE truth AS TABLE relaxed_four;
		CREATE FUNCTION fits(a text, b text, c text, d text) RETURNS bool LANGUAGE plpgsql AS $$
		BEGIN
			UPDATE four SET disease = CASE id WHEN 'A' THEN a WHEN 'B' THEN b WHEN 'C' THEN c ELSE d END;
			REFRESH MATERIALIZED VIEW relaxed_four;
			RETURN NOT EXISTS ((TABLE relaxed_four EXCEPT ALL TABLE truth) UNION ALL (TABLE truth EXCEPT ALL TABLE relaxed_four));
		END $$;
		SELECT count(DISTINCT c) > 1 FROM unnest('{1,2,8,9}'::text[]) a, unnest('{1,2,8,9}'::text[]) b, unnest('{1,2,8,9}'::text[]) c, unnest('{1,2,8,9}'::text[]) d
		WHERE cardinality(ARRAY(SELECT DISTINCT unnest(ARRAY[a, b, c, d]))) = 4 AND fits(a, b, c, d)}, 'open: four people in relaxed classes') =~ /^t$/m, 1, '.. whose release does not say which disease C has');
}

# ---- messages about rows that were handed over show no values

do_as('owner', 'this', q{
	SET search_path = clinic, public;
	CREATE TABLE visits AS SELECT '537' || lpad((i * 37 % 100)::text, 2, '0') AS zip, 20 + i % 50 AS age, 'd' || i % 3 AS disease FROM generate_series(1, 100) i;
	SELECT kanon_create_dimension('visit_zips', 'visits', 'zip', 'digits'), kanon_create_dimension('visit_ages', 'visits', 'age', 'quantiles', '{4,2}');
	CREATE VIEW seen AS SELECT kanon_view_cells('mondrian', 5, ROW(zip, age), dimensions => '{visit_zips,visit_ages}') OVER ()::text AS cells FROM visits;
	CREATE VIEW ringed AS SELECT kanon_ring(5, ROW(zip, age), dimensions => '{visit_zips,visit_ages}') OVER ()::text AS cells FROM visits;
	CREATE VIEW phased AS SELECT kanon_two_phase(5, ROW(zip, age), dimensions => '{visit_zips,visit_ages}') OVER ()::text AS cells FROM visits;
	CREATE VIEW split AS SELECT kanon_mondrian(5, ROW(age, disease), split => 'regression', target => 'f2') OVER () AS cells FROM visits;
	CREATE VIEW few AS SELECT kanon_ring(500, ROW(zip, age)) OVER ()::text AS cells FROM visits;
	CREATE VIEW diverse AS SELECT kanon_mondrian(5, ROW(zip, disease), models => 'variance(f2, 1)') OVER () AS cells FROM visits;
	GRANT SELECT ON seen, ringed, phased, split, few, diverse, visit_zips, visit_ages TO reader;
	DELETE FROM visit_zips WHERE zip IN ('53711', '53712');
	UPDATE visit_ages SET quantile_4 = 'a label of its own' WHERE age = 33;
	INSERT INTO visits VALUES ('98765', 33, 'disease of one'), (NULL, 34, 'disease of two'), ('53711', 1234567, NULL);
}, 'views over window functions');
my ($shown, $errors) = run_as('reader', 'this', 'SET search_path = clinic, public; SET client_min_messages = notice;' . join '', map { "SELECT count(cells) FROM $_;" } qw(seen ringed phased split few diverse));
like($errors, qr/ERROR/, 'some fail for the reader');
unlike($errors, qr/98765|53711|1234567|disease of|: XX/, '.. and show no value') or note $errors;

# ---- writing into kanon's tables

$node->safe_psql('this', 'GRANT CREATE ON DATABASE this TO mallory; GRANT USAGE ON SCHEMA clinic TO mallory; GRANT SELECT ON ALL TABLES IN SCHEMA clinic TO mallory');
do_as('mallory', 'this', q{
	CREATE SCHEMA lair;
	SET search_path = lair, public;
	CREATE TABLE loot AS SELECT i AS id, i % 5 AS age, 'd' || i AS disease FROM generate_series(1, 40) i;
	SELECT kanon_declare('loot', quasi_identifiers => '{age}', sensitive => '{disease}', identifiers => '{id}');
	SELECT kanon_create_dimension('loot_ages', 'loot', 'age', 'suppress');
	SELECT kanon_create_release('drawn', 'loot', 3, 'ring', options => '{"seed": "x"}'), kanon_create_release('nights', 'loot', 3, 'cohorts', options => '{"key": "id", "leavers": "keep", "wait": 0}');
	SELECT kanon_copy_release('drawn', 'copied', 'id');
	SELECT rows FROM kanon_refresh_release('nights');
}, 'mallory has entries of each kind');
do_as('owner', 'this', q{SET search_path = clinic, public; SELECT kanon_create_release('dealt', 'patients', 3, 'ring'); SELECT kanon_copy_release('dealt', 'copy', 'id')}, 'so has the owner');
my @tables = split /\n/, $node->safe_psql('this', q{SELECT c.relname FROM pg_class c JOIN pg_depend d ON d.objid = c.oid AND d.deptype = 'e' WHERE c.relkind = 'r' AND c.relname ~ '^kanon' ORDER BY 1});
cmp_ok(@tables, '>=', 8, 'kanon has tables');

# Rows that are the owner's: of her relations, releases, copies, cohorts.
my $hers = q{SELECT t || ' ' || md5(coalesce(string_agg(r::text, ',' ORDER BY r::text), '')) FROM (%s) r (t, r) GROUP BY t ORDER BY t};
my $rows = join ' UNION ALL ', map { "SELECT '$_', (SELECT string_agg(x::text, ',' ORDER BY x::text) FROM $_ x WHERE x::text !~ 'lair|mallory' AND NOT to_jsonb(x) ->> 'cohort' = ANY (ARRAY(SELECT number::text FROM kanon_cohort_state WHERE owner = 'mallory')))" } grep { $_ ne 'kanon_cohort_member' && $_ ne 'kanon_cohort_cell' } @tables;
$rows .= q{ UNION ALL SELECT 'members', (SELECT string_agg(x::text, ',' ORDER BY x::text) FROM kanon_cohort_member x WHERE cohort IN (SELECT number FROM kanon_cohort_state WHERE owner = 'owner'))
	UNION ALL SELECT 'cells', (SELECT string_agg(x::text, ',' ORDER BY x::text) FROM kanon_cohort_cell x WHERE cohort IN (SELECT number FROM kanon_cohort_state WHERE owner = 'owner'))};
my $count = join ' UNION ALL ', map { "SELECT '$_', (SELECT count(*)::text FROM $_)" } @tables;
my $before = $node->safe_psql('this', sprintf($hers, $rows));
my %columns = map { my $t = $_; $t => [ map { [ split /\|/ ] } split /\n/, $node->safe_psql('this', "SELECT attname, format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = '$t'::regclass AND attnum > 0 AND NOT attisdropped") ] } @tables;
my $vandalism = '';
for my $table (@tables)
{
	# Whatever names a thing is turned to the owner's; or all rows go.
	my $set = join ', ', map {
		my ($column, $type) = @$_;
		$type eq 'regclass' ? "\"$column\" = 'clinic.dealt'::regclass" : $type eq 'name' ? "\"$column\" = 'owner'" : $column =~ /^(cohort|number)$/ ? "\"$column\" = \"$column\"" : $column eq 'relation' ? "relation = 'clinic.patients'" : ()
	} @{ $columns{$table} };
	my $steal = join ', ', map { my ($column, $type) = @$_; $type eq 'name' && $column =~ /owner|by/ ? "\"$column\" = 'mallory'" : $type eq 'regclass' ? "\"$column\" = 'lair.drawn'::regclass" : () } @{ $columns{$table} };
	$vandalism .= "BEGIN; UPDATE $table SET $set; COMMIT;\n" if $set;
	$vandalism .= "BEGIN; UPDATE $table SET $steal; COMMIT;\n" if $steal;
	$vandalism .= "BEGIN; INSERT INTO $table SELECT * FROM $table; COMMIT;\nINSERT INTO $table DEFAULT VALUES;\n";
	$vandalism .= "TRUNCATE $table; ALTER TABLE $table DISABLE ROW LEVEL SECURITY; DROP TABLE $table; LOCK $table IN ACCESS EXCLUSIVE MODE; COPY $table FROM '/dev/null';\n";
	$vandalism .= "CREATE TRIGGER t BEFORE INSERT ON $table EXECUTE FUNCTION suppress_redundant_updates_trigger(); CREATE INDEX ON $table ((1)); CREATE POLICY p ON $table; CREATE RULE r AS ON INSERT TO $table DO NOTHING; COMMENT ON TABLE $table IS 'x';\n";
}
# Values of its own choice: about somebody else's things.
$vandalism .= q{
	INSERT INTO kanon_attribute (relation, attribute, role, weight) VALUES ('clinic.patients', 'disease', 'insensitive', 1);
	INSERT INTO kanon_seed (release, seed) VALUES ('clinic.dealt', 'known'), ('clinic.mondrian', 'known');
	INSERT INTO kanon_release_history_state (release, name, owner, how) VALUES ('clinic.dealt', 'x', 'owner', 'created');
	UPDATE kanon_release_state SET k = 1, satisfied = true WHERE release = 'clinic.dealt'::regclass;
	UPDATE kanon_seed SET seed = 'known' WHERE release = 'clinic.dealt'::regclass;
	INSERT INTO kanon_cohort_state (relation, name, owner, k, key) SELECT 'clinic.patients', 'clinic.patients', 'owner', 2, 'id';
	UPDATE kanon_cohort_state SET relation = 'clinic.patients', name = 'clinic.patients';
	UPDATE kanon_cohort_state SET owner = 'owner', relation = NULL, name = 'clinic.people';
	INSERT INTO kanon_cohort_member (cohort, digest, since) SELECT number, '\x00', 1 FROM generate_series(1, 9) number;
	INSERT INTO kanon_cohort_cell (cohort, cell, shown) SELECT number, 1, true FROM generate_series(1, 9) number;
	INSERT INTO kanon_copy_state (copy, release, relation, k, key, secret) VALUES ('clinic.copy', 'x', 'clinic.patients', 2, 'id', 'known');
	DELETE FROM kanon_release_history_state WHERE owner = 'owner'; DELETE FROM kanon_seed WHERE release = 'clinic.dealt'::regclass; DELETE FROM kanon_cohort_state WHERE owner = 'owner';
	SELECT kanon_adopt_cohorts('clinic.patients'), kanon_adopt_release('clinic.dealt');
	SELECT kanon_set_attribute('clinic.patients', 'disease', 'insensitive'); SELECT kanon_unset_attribute('clinic.patients', 'disease'); SELECT kanon_declare('clinic.patients', insensitive => '{disease}');
	SELECT kanon_drop_release('clinic.dealt'); SELECT kanon_replace_release('clinic.dealt', k => 2); SELECT kanon_refresh_release('clinic.dealt'); SELECT kanon_copy_release('clinic.dealt', 'lair.mine', 'id'); SELECT kanon_refresh_dimension('clinic.ages');
};
my ($written, $denied) = run_as('mallory', 'this', "SET search_path = lair, public;\n$vandalism\n\\echo END");
like($written, qr/END$/, 'mallory writes what is not mallory\'s');
is($node->safe_psql('this', sprintf($hers, $rows)), $before, '.. and nothing of the owner\'s has changed, nor is anything new about it');
unlike($denied, qr/: XX|server closed/, '.. nor was there an internal error') or note grep { /XX/ } split /^/, $denied;
is($node->safe_psql('this', q{SELECT count(*) FROM kanon_seed WHERE seed = 'known'}), '0', 'no seed is one that mallory knows');

# What is mallory's alone may go, and whose tables it names is no matter: the owner's go on.
do_as('owner', 'this', q{SET search_path = clinic, public; SELECT rows > 0 FROM kanon_refresh_release('nightly'); SELECT satisfied FROM kanon_check_matchings('dealt'); SELECT kanon_drop_release('dealt')}, 'the owner\'s releases go on');
run_as('mallory', 'this', 'SET search_path = lair, public; ' . join ' ', map { "DELETE FROM $_;" } @tables);
is(do_as('owner', 'this', q{SELECT count(*) FROM kanon_attribute WHERE relation = 'clinic.patients'::regclass; SELECT count(*) > 0 FROM kanon_view_cohort_members((SELECT min(number) FROM kanon_cohort JOIN pg_class ON oid = relation))}, 'mallory deletes what can be deleted'), "4\nt", '.. none of it the owner\'s');

# By a cursor that was opened before a grant was taken back, and a table renamed to one of
# kanon's names: no confusion of names.
run_as('mallory', 'this', q{SET search_path = lair, pg_temp, public; CREATE TABLE lair.kanon_seed (number int8, release regclass, seed text); INSERT INTO lair.kanon_seed SELECT n, 'clinic.mondrian', 'known' FROM generate_series(1, 99) n;
	CREATE TEMP TABLE kanon_attribute (relation regclass, attribute name, role text, dimension regclass, weight float8)});
unlike((run_as('mallory', 'this', 'SET search_path = lair, public; ' . join ' ', map { "SELECT public.kanon_view_seed($_);" } 1 .. 9))[0], qr/known/, 'tables of kanon\'s names are not taken for kanon\'s');

unlike(slurp_file($node->logfile), qr/was terminated by signal|PANIC|TRAP:/, 'the server stood');
$node->stop;
done_testing();
