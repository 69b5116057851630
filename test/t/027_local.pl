# Local recoding from end to end: a release and its rules, what they are without kanon, by whom
# they may be seen, renamed, dumped, restored and dropped.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('local');
$node->init(extra => [ '--no-locale', '--encoding=UTF8' ]);
$node->append_conf('postgresql.conf', "autovacuum = off\njit = off\n");
$node->start;
$node->safe_psql('postgres', "CREATE DATABASE $_") for qw(clinic copy plain);
$node->safe_psql('postgres', "CREATE ROLE $_ LOGIN") for qw(steward reader stranger);
$node->safe_psql('clinic', q{
	CREATE SCHEMA kanon;
	CREATE EXTENSION kanon SCHEMA kanon;
	GRANT USAGE ON SCHEMA kanon TO PUBLIC;
	ALTER DATABASE clinic SET search_path = ward, kanon;
	CREATE SCHEMA ward AUTHORIZATION steward;
	GRANT USAGE ON SCHEMA ward TO PUBLIC;
});

sub as
{
	my ($role, $sql, $database) = @_;
	return $node->safe_psql($database // 'clinic', $sql, extra_params => [ '-U', $role ]);
}

sub refused
{
	my ($role, $sql) = @_;
	$node->psql('clinic', $sql, stderr => \my $stderr, on_error_stop => 1, extra_params => [ '-U', $role ]);
	return $stderr =~ /ERROR:  (.*)/ ? $1 : '';
}

# Numbers and dates in order, hierarchies with and without all values, text without any, NULLs, people
# with several rows, weights.
as('steward', q{
	CREATE TABLE patients AS
	SELECT i AS id, i % 911 AS person, nullif(20 + (i * i * 7 + i) % 53, 33) AS age, date '1950-01-01' + (i * 131) % 9000 AS born,
		CASE WHEN i % 43 > 0 THEN (53700 + (i * i + i / 7) % 60)::text END AS zip, (ARRAY['nurse', 'cook', 'baker', 'clerk', 'judge', NULL])[1 + i * i / 3 % 6] AS job,
		'city ' || i / 11 % 7 AS city, (ARRAY['f', 'm'])[1 + i * i % 3 % 2] AS sex, (ARRAY['flu', 'gout', 'mumps', 'measles', 'angina'])[1 + (i * i / 5) % 5] AS disease
	FROM generate_series(1, 1500) i;
	CREATE TABLE jobs (job text, sector text, anybody text);
	INSERT INTO jobs VALUES ('nurse', 'public', 'anybody'), ('judge', 'public', 'anybody'), ('clerk', 'public', 'anybody'), ('cook', 'private', 'anybody'), ('baker', 'private', 'anybody');
	SELECT kanon_declare('patients', quasi_identifiers => '{age,born,city,sex}', sensitive => '{disease}', identifiers => '{id,person}');
	SELECT kanon_create_dimension('zips', 'patients', 'zip', 'digits'), kanon_set_attribute('patients', 'job', 'quasi_identifier', 'jobs', weight => 3);
	SELECT kanon_create_release('study', 'patients', 5, models => 'distinct(disease, 2)', person => 'person');
	CREATE TABLE rules AS SELECT kanon_local_tree('patients', 5, models => 'distinct(disease, 2)', person => 'person') AS rules;
	GRANT SELECT ON study TO reader;
});
is(as('steward', "SELECT recoding, rows, missing, satisfied, parameters ->> 'column_weights' FROM kanon_release"), 'local|1500|0|t|1,1,1,3,1,1', 'a release by local recoding, with its weights');
is(as('steward', q{SELECT c.satisfied, c.rows, c.classes = r.classes, r.people >= 5 FROM kanon_check('study') c, kanon_release r}), 't|1500|t|t', 'every class satisfies');

# ---- rules

is(as('steward', q{
	SELECT sum(n), count(*) FILTER (WHERE shown <> 1) FROM (SELECT kanon_leaf(rules, p), count(*) AS n, count(DISTINCT class) AS shown FROM rules, patients p JOIN (
		SELECT id, (kanon_view_candidates('local', 5, ROW(age, born, zip, job, city, sex, disease, person), '{f1,f2,f3,f4,f5,f6}', '{NULL,NULL,zips,jobs,0,0}', 'distinct(f7, 2)', person => 'f8',
			options => '{"column_weights": "1,1,1,3,1,1"}') OVER ())[1] AS class FROM patients) w USING (id) GROUP BY 1) leaf}),
	'1500|0', 'the rules give each row the class that a release gives it');
my $query = as('steward', q{SELECT kanon_rules_query(rules, 'patients') FROM rules});
unlike($query, qr/kanon\./, 'the query calls nothing of kanon');
is(as('steward', "SELECT count(*), count(*) FILTER (WHERE q.class IS DISTINCT FROM kanon_leaf(rules, p)) FROM rules, ($query) q JOIN patients p USING (id)"), '1500|0', 'nor does it give other classes');

# In a database without kanon: the classes by the query, and what a release shows of them by plain SQL.
my $dump = $node->basedir . '/patients.sql';
$node->command_ok([ 'pg_dump', '--no-owner', '-t', 'ward.patients', '-t', 'ward.jobs', '-d', $node->connstr('clinic'), '-f', $dump ], 'the table alone');
$node->safe_psql('plain', 'CREATE SCHEMA ward');
$node->command_ok([ 'psql', '-X', '-v', 'ON_ERROR_STOP=1', '-q', '-d', $node->connstr('plain'), '-f', $dump ], 'goes where kanon is not');
is($node->safe_psql('plain', "SELECT count(*) FROM pg_extension WHERE extname = 'kanon'"), '0', 'it is not');
my $by_hand = qq{
	WITH q AS MATERIALIZED ($query), classes AS (
		SELECT class, count(*) AS size, count(age) AS ages, int4range(min(age), max(age), '[]') AS age, daterange(min(born), max(born), '[]') AS born,
			count(zip) AS zips, min(zip) AS low_zip, max(zip) AS high_zip, count(q.job) AS jobs, min(q.job) AS low_job, max(q.job) AS high_job, count(DISTINCT sector) AS sectors, min(sector) AS sector,
			min(city) AS low_city, max(city) AS high_city, min(sex) AS low_sex, max(sex) AS high_sex
		FROM q LEFT JOIN ward.jobs USING (job) GROUP BY class)
	SELECT CASE WHEN ages = c.size THEN c.age WHEN ages > 0 THEN '(,)' END AS age, c.born,
		CASE WHEN zips = 0 THEN NULL WHEN zips < size THEN '*' ELSE coalesce((SELECT rpad(left(low_zip, length), 5, '*') FROM generate_series(1, 5) length
			WHERE left(low_zip, length) = left(high_zip, length) ORDER BY length DESC LIMIT 1), '*') END AS zip,
		CASE WHEN jobs = 0 THEN NULL WHEN jobs < size OR sectors > 1 THEN 'anybody' WHEN low_job = high_job THEN low_job ELSE c.sector END AS job,
		CASE WHEN low_city = high_city THEN low_city ELSE '*' END AS city, CASE WHEN low_sex = high_sex THEN low_sex ELSE '*' END AS sex, disease
	FROM q JOIN classes c USING (class)};
my $sorted = 'SELECT md5(string_agg(r::text, chr(10) ORDER BY r::text)), count(*)';
is($node->safe_psql('plain', "$sorted FROM ($by_hand) r"), as('steward', "$sorted FROM (SELECT age, born, zip, job, city, sex, disease FROM study) r"),
	'the release is what plain SQL makes of the rules');

# ---- who may

for my $call (qw(kanon_check kanon_risk))
{
	like(as('reader', "SELECT * FROM $call('study')"), qr/1500/, "a reader may call $call");
}
is(as('reader', 'SELECT rows, state FROM kanon_releases'), '1500|', 'and sees what it holds');
for my $call ("kanon_quality('study')", "kanon_report('study')", "kanon_query_errors('study', '{age < 30}')", "kanon_local_tree('patients', 5)",
	"kanon_compare('patients', '{5}', '{local}')", "kanon_refresh_release('study')", "kanon_replace_release('study', k => 6)", "kanon_drop_release('study')",
	"kanon_create_release('mine', 'patients', 5)", "kanon_rules_query((SELECT rules FROM rules), 'patients')")
{
	like(refused($_, "SELECT * FROM $call"), qr/permission denied|must be owner/, "$_ may not call $call") for 'reader', 'stranger';
}
like(refused('stranger', "SELECT * FROM kanon_check('study')"), qr/permission denied/, 'nor may a stranger check');
for my $call ("kanon_quality('study')", "kanon_report('study')", "kanon_query_errors('study', '{age < 30,job = ''nurse''}')",
	"kanon_compare('patients', '{5,50}', '{local}', models => 'distinct(disease, 2)')", "kanon_plot('levels', 'study')", "kanon_classes('study')",
	"kanon_check_releases('patients', '{study}', key => 'id')")
{
	is(refused('steward', "SELECT * FROM $call"), '', "the owner may call $call");
}
is(as('steward', q{SELECT abs(q.loss - r.loss) < 1e-9 FROM kanon_release r, kanon_quality('study') q}), 't', 'what was recorded and measured is one loss');
is(as('steward', q{
	SELECT kanon_create_release('foretold', 'patients', 5, models => 'distinct(disease, 2)');
	SELECT abs(c.loss - r.loss) < 1e-9, c.classes = r.classes, c.smallest = r.smallest FROM kanon_release r, kanon_compare('patients', '{5}', '{local}', models => 'distinct(disease, 2)') c
	WHERE r.release = 'foretold'::regclass;
	SELECT kanon_drop_release('foretold')}) =~ s/^foretold\n|\n$//gr, 't|t|t', 'and foretold');
is(as('steward', q{SELECT people, below FROM kanon_check_releases('patients', '{study}', key => 'id')}), '1500|0', 'everybody is among k');

# ---- dumped, restored, renamed, refreshed, replaced, dropped

my $archive = $node->basedir . '/clinic.dump';
my $digest = as('steward', "SELECT kanon_digest('study'), md5(rules::text) FROM rules");
$node->command_ok([ 'pg_dump', '-Fc', '-d', $node->connstr('clinic'), '-f', $archive ], 'pg_dump');
$node->command_ok([ 'pg_restore', '-e', '-j', '2', '-d', $node->connstr('copy'), $archive ], 'pg_restore');
$node->safe_psql('copy', 'ALTER DATABASE copy SET search_path = ward, kanon');
is(as('steward', "SELECT kanon_digest('study'), md5(rules::text) FROM rules", 'copy'), $digest, 'the same release and rules in the copy');
as('steward', q{
	ALTER TABLE patients RENAME age TO "Years of age"; ALTER TABLE patients RENAME job TO work; ALTER TABLE jobs RENAME TO trades; ALTER TABLE patients RENAME TO persons;
	ALTER MATERIALIZED VIEW study RENAME TO studied; REFRESH MATERIALIZED VIEW studied}, 'copy');
is(as('steward', "SELECT kanon_digest('studied') = '" . ($digest =~ s/\|.*//r) . "', satisfied FROM kanon_release", 'copy'), 't|t', 'and under new names');
is(as('steward', q{SELECT satisfied FROM kanon_check('studied')}, 'copy'), 't', 'it is checked');
as('steward', q{DELETE FROM persons WHERE id % 3 = 0; INSERT INTO persons SELECT id + 5000, person, "Years of age" + 1, born, zip, 'lawyer', city, sex, disease FROM persons WHERE id % 7 = 0}, 'copy');
is(as('steward', q{SELECT missing, satisfied, changed FROM kanon_refresh_release('studied', concurrently => true)}, 'copy'), '0|t|t', 'refreshed, with values that a dimension lacks');
is(as('steward', q{SELECT satisfied FROM kanon_check('studied')}, 'copy'), 't', 'every class satisfies still');
as('steward', q{SELECT kanon_replace_release('studied', k => 9, person => '')}, 'copy');
is(as('steward', q{SELECT recoding, k, smallest >= 9, (SELECT c.smallest >= 9 FROM kanon_check('studied') c) FROM kanon_release}, 'copy'), 'local|9|t|t', 'replaced by another k');
like(refused('steward', 'DROP TABLE patients'), qr/cannot drop table patients because other objects depend on it/, 'a table with a release stays');
as('steward', 'DROP TABLE patients CASCADE');
is(as('steward', 'SELECT count(*) FROM kanon_release'), '0', 'or its release goes, too');
is(as('steward', q{SELECT md5(rules::text) FROM rules}), $digest =~ s/.*\|//r, 'the rules stay');

$node->stop;
done_testing();
