# Nobody's code but PostgreSQL's, kanon's and the caller's own: kanon is
# installed in a schema full of traps, and used by a superuser who has that
# schema first in search_path.  Its owner has put operators, functions, casts,
# types and relations there that are a better match, or an earlier one, than
# PostgreSQL's own for whatever is not qualified.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('traps');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\njit = off\n");
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE mallory LOGIN; CREATE DATABASE clinic OWNER mallory');

# Its name is that of whoever runs the tests.
my $superuser = $node->safe_psql('postgres', 'SELECT current_user');

# What a statement prints, results and errors.
sub run_as
{
	my ($user, $sql) = @_;
	my ($status, $out, $err) = $node->psql('clinic', $sql, connstr => $node->connstr('clinic') . " user=$user");
	return $out . $err;
}

sub finds { is($node->safe_psql('clinic', $_[0]), $_[2] // '', $_[1]) }

# ---- the traps

# What expressions could be made of, as the parser sees them.
my $types = join ', ', map { "'pg_catalog.$_'" }
  qw(text name regclass oid float8 int2 int4 int8 numeric bool timestamptz anyelement "char" text[] name[]);

is(run_as('mallory', qq{
	CREATE SCHEMA evil;
	GRANT USAGE ON SCHEMA evil TO PUBLIC;
	CREATE FUNCTION evil.spring() RETURNS bool LANGUAGE plpgsql AS \$\$
	BEGIN RAISE EXCEPTION 'a trap was sprung with the rights of %', current_user; END \$\$;
	CREATE FUNCTION evil.lay(name text, arguments text, result text DEFAULT 'pg_catalog.bool') RETURNS void LANGUAGE plpgsql AS \$\$
	BEGIN
		EXECUTE format('CREATE FUNCTION evil.%I(%s) RETURNS %s LANGUAGE plpgsql AS ''BEGIN PERFORM evil.spring(); RETURN NULL; END''',
			name, arguments, result);
	END \$\$;
	-- An operator for each name and pair of types.
	DO \$\$
	DECLARE
		l text; r text; o text;
	BEGIN
		FOREACH r IN ARRAY ARRAY[$types] LOOP
			PERFORM evil.lay('trap', r);
			FOREACH l IN ARRAY ARRAY[$types] LOOP
				PERFORM evil.lay('trap', l || ', ' || r);
				FOR o IN SELECT DISTINCT oprname FROM pg_operator WHERE oprleft <> 0 LOOP
					EXECUTE format('CREATE OPERATOR evil.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = evil.trap)', o, l, r);
				END LOOP;
			END LOOP;
			FOR o IN SELECT DISTINCT oprname FROM pg_operator WHERE oprleft = 0 LOOP
				EXECUTE format('CREATE OPERATOR evil.%s (RIGHTARG = %s, FUNCTION = evil.trap)', o, r);
			END LOOP;
		END LOOP;
	END \$\$;
	-- Each function of PostgreSQL's, and those that its script calls for each pair of types.
	SELECT count(evil.lay(p.proname, a.list)) > 1000
	FROM pg_proc p, LATERAL (SELECT coalesce(string_agg(format('%I.%I', n.nspname, t.typname), ', ' ORDER BY i), '') AS list,
			coalesce(bool_and(t.typtype <> 'p'), true) AS plain
		FROM unnest(p.proargtypes) WITH ORDINALITY AS u(type, i)
		JOIN pg_type t ON t.oid = u.type JOIN pg_namespace n ON n.oid = t.typnamespace) a
	WHERE p.pronamespace = 'pg_catalog'::regnamespace AND a.plain;
	SELECT count(evil.lay(name, l || ', ' || r)) > 400
	FROM unnest(ARRAY['pg_has_role', 'pg_extension_config_dump']) name, unnest(ARRAY[$types]) l, unnest(ARRAY[$types]) r
	WHERE to_regprocedure(format('evil.%I(%s, %s)', name, l, r)) IS NULL;
	-- Types, domains and relations with the names of PostgreSQL's own; casts between them.
	DO \$\$
	DECLARE
		t record;
	BEGIN
		FOR t IN SELECT typname, typtype FROM pg_type
			WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype IN ('b', 'p', 'r') AND left(typname, 1) <> '_' LOOP
			IF t.typtype = 'b' AND t.typname < 'm' THEN
				EXECUTE format('CREATE DOMAIN evil.%I AS pg_catalog.%1\$I', t.typname);
			ELSE
				EXECUTE format('CREATE TYPE evil.%I AS ENUM (''trap'')', t.typname);
			END IF;
		END LOOP;
		FOR t IN SELECT relname FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind IN ('r', 'v') LOOP
			EXECUTE format('CREATE VIEW evil.%I AS SELECT evil.spring()', t.relname);
			EXECUTE format('GRANT SELECT ON evil.%I TO PUBLIC', t.relname);
		END LOOP;
		CREATE TYPE evil.bait AS ENUM ('bait');
		FOR t IN SELECT unnest(ARRAY[$types]) AS name LOOP
			CONTINUE WHEN t.name LIKE '%any%' OR t.name LIKE '%[]';
			PERFORM evil.lay('cast_' || md5(t.name), 'evil.bait', t.name), evil.lay('cast_' || md5(t.name), t.name, 'evil.bait');
			EXECUTE format('CREATE CAST (evil.bait AS %s) WITH FUNCTION evil.%I(evil.bait) AS IMPLICIT', t.name, 'cast_' || md5(t.name));
			EXECUTE format('CREATE CAST (%s AS evil.bait) WITH FUNCTION evil.%I(%1\$s) AS IMPLICIT', t.name, 'cast_' || md5(t.name));
		END LOOP;
	END \$\$;
}), "t\nt", 'traps are laid');
finds(q{SELECT count(*) > 15000 FROM pg_operator WHERE oprnamespace = 'evil'::regnamespace}, 'among them operators', 't');
like(run_as('mallory', q{SET search_path = evil; SELECT 1::float8 >= 0}), qr/a trap was sprung with the rights of mallory/, 'they work');

is(run_as('mallory', 'CREATE EXTENSION kanon SCHEMA evil'), '', 'kanon is installed among them');

# ---- what is stored

# All that belongs to the extension: its members and their parts.
$node->safe_psql('clinic', q{
	CREATE TABLE public.own AS
	WITH RECURSIVE own(classid, objid) AS (
		SELECT classid, objid FROM pg_depend
		WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
			AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'kanon')
		UNION
		SELECT d.classid, d.objid FROM pg_depend d JOIN own ON d.refclassid = own.classid AND d.refobjid = own.objid
		WHERE d.deptype IN ('a', 'i'))
	SELECT * FROM own});
finds(q{SELECT string_agg(DISTINCT classid::regclass::text, ' ' ORDER BY classid::regclass::text) FROM own},
	'members of every kind are looked at',
	'pg_amop pg_amproc pg_attrdef pg_cast pg_class pg_constraint pg_event_trigger pg_opclass pg_operator pg_opfamily pg_proc pg_rewrite pg_type');
finds(q{
	SELECT pg_describe_object(d.classid, d.objid, d.objsubid) || ' depends on ' || pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid)
	FROM pg_depend d JOIN own USING (classid, objid)
	LEFT JOIN own o ON o.classid = d.refclassid AND o.objid = d.refobjid
	WHERE o.objid IS NULL AND d.refclassid <> 'pg_extension'::regclass
		AND NOT (d.refclassid = 'pg_namespace'::regclass AND d.refobjid = 'evil'::regnamespace)
		AND NOT (d.refclassid = 'pg_class'::regclass AND d.refobjid IN (SELECT oid FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace))},
	'none depends on anything but PostgreSQL\'s and kanon\'s own');

# The same, without trust in what is recorded: whatever oid an expression or a signature mentions.
my $expressions = q{
	SELECT 'constraint', conname::text, conbin::text FROM pg_constraint WHERE conrelid IN (SELECT objid FROM own)
	UNION ALL SELECT 'default', adrelid::regclass::text, adbin::text FROM pg_attrdef WHERE adrelid IN (SELECT objid FROM own)
	UNION ALL SELECT 'rule', rulename, concat(ev_qual, ev_action) FROM pg_rewrite WHERE ev_class IN (SELECT objid FROM own)
	UNION ALL SELECT 'index', indexrelid::regclass::text, concat(indexprs, indpred) FROM pg_index WHERE indrelid IN (SELECT objid FROM own)
	UNION ALL SELECT 'function', proname, concat(proargdefaults, prosqlbody) FROM pg_proc WHERE oid IN (SELECT objid FROM own)};
finds("SELECT kind, count(*) > 0 FROM ($expressions) e(kind, name, tree) WHERE tree LIKE '%:%' GROUP BY kind ORDER BY kind",
	'expressions are stored in these places', "constraint|t\ndefault|t\nfunction|t\nrule|t");
finds(qq{
	SELECT kind, name, m[1] FROM ($expressions) e(kind, name, tree), regexp_matches(tree, ':[a-z]*(?:type|id|no|oid) (\\d+)', 'g') m
	WHERE m[1]::int8 >= 16384 AND m[1]::int8 NOT IN (SELECT objid FROM own)},
	'no expression mentions anything else');
finds(q{
	SELECT p.oid::regprocedure, t::regtype FROM pg_proc p, unnest(p.proargtypes || coalesce(p.proallargtypes, '{}') || p.prorettype) t
	WHERE p.oid IN (SELECT objid FROM own) AND t >= 16384 AND t NOT IN (SELECT objid FROM own)},
	'nor does a signature');
finds(q{
	SELECT attrelid::regclass, attname, atttypid::regtype FROM pg_attribute
	WHERE attrelid IN (SELECT objid FROM own) AND atttypid >= 16384 AND atttypid NOT IN (SELECT objid FROM own)},
	'nor a column');

# ---- what runs

# Tables of a superuser's, who trusts kanon's schema more than is wise.
$node->safe_psql('clinic', q{
	CREATE SCHEMA ward;
	CREATE TABLE ward.patients AS
	SELECT i AS id, 20 + i * 7 % 41 AS age, lpad((i * 37 % 100)::text, 5, '5371') AS zip, date '2000-01-01' + i AS day,
		'd' || i % 5 AS disease, (i % 13)::float8 AS cost, i / 2 AS person
	FROM generate_series(1, 120) i;
	CREATE TABLE ward.taxonomy AS SELECT DISTINCT disease AS child, 'ill' AS parent FROM ward.patients});

sub unharmed
{
	my ($sql) = @_;
	for my $path ('evil, pg_catalog', 'evil')
	{
		my $out = run_as($superuser, "BEGIN; SET search_path = $path; $sql; ROLLBACK");
		unlike($out, qr/ERROR|trap/, "$path: " . substr($sql, 0, 60)) or last;
	}
}

my $describe = q{
	SELECT evil.kanon_create_dimension('ward.age_dimension', 'ward.patients', 'age', 'ranges', '{5,20}');
	SELECT evil.kanon_create_dimension('ward.zip_dimension', 'ward.patients', 'zip', 'digits', '{2}');
	SELECT evil.kanon_create_dimension('ward.day_dimension', 'ward.patients', 'day', 'dates', '{month,year}');
	SELECT evil.kanon_create_dimension('ward.disease_dimension', 'ward.patients', 'disease', 'taxonomy', '{ward.taxonomy}');
	SELECT evil.kanon_create_dimension('ward.cost_dimension', 'ward.patients', 'cost', 'quantiles', '{4,2}');
	SELECT evil.kanon_set_attribute('ward.patients', 'cost', 'insensitive');
	SELECT evil.kanon_set_attribute('ward.patients', 'disease', 'sensitive', 'ward.disease_dimension');
	SELECT evil.kanon_set_attribute('ward.patients', 'id', 'identifier', weight => 2)};
unharmed($describe);
$node->safe_psql('clinic', $describe);
# Values that the dimensions lack, for their rules to label.
$node->safe_psql('clinic', q{UPDATE ward.patients SET age = age + 100, zip = '9' || zip, day = day + 9000, cost = cost + 0.5 WHERE id % 4 = 0});
unharmed("SELECT evil.kanon_generalized_query('ward.patients', '{1,1,1}', 4) \\gexec\n");
unharmed("SELECT evil.kanon_refresh_dimension('ward.${_}_dimension')") for qw(age zip day);
unharmed("SELECT * FROM evil.kanon_check_dimension('ward.$_->[1]', 'ward.patients', '$_->[0]')")
  for [ 'age', 'age_dimension' ], [ 'zip', 'zip_dimension' ], [ 'day', 'day_dimension' ];
unharmed("SELECT evil.kanon_unset_attribute('ward.patients', 'age')");
my @searches = (
	(map { "kanon_incognito('ward.patients', 4, suppression => 0.1, algorithm => '$_')" } qw(basic superroots cube two_way)),
	"kanon_incognito('ward.patients', 4, models => ARRAY['distinct(disease, 2)'], metrics => true, person => 'person')",
	"kanon_bottom_up('ward.patients', 4)",
	"kanon_binary_search('ward.patients', 4)",
	"kanon_datafly('ward.patients', 4)",
	"kanon_check('ward.patients', 4, models => ARRAY['closeness(disease, 0.3)', 'variance(cost, 1)'])",
	"kanon_classes('ward.patients', 4, person => 'person')",
	"kanon_risk('ward.patients', population => 'ward.patients')",
	"kanon_generalized_query('ward.patients', '{1,1,1}', 4)");
for my $way (qw(stream group_by))
{
	unharmed("LOAD 'kanon'; SET kanon.ground_scan = $way; SELECT * FROM evil.$_") for @searches;
}
unharmed("SELECT * FROM evil.$_")
  for "kanon_last_search()", "kanon_grow_tree('ward.patients', 4, NULL, ARRAY['closeness(disease, 0.5)'])",
  "kanon_grow_tree('ward.patients', 4, split => 'infogain', target => 'disease')", "kanon_local_tree('ward.patients', 4, NULL, ARRAY['closeness(disease, 0.5)'])", "kanon_rules_query(evil.kanon_local_tree('ward.patients', 4), 'ward.patients')",
  "kanon_sample_uniques('ward.patients')", "kanon_special_uniques('ward.patients', 'id')",
  "kanon_check_matchings('ward.patients', 1, 'ward.patients')", "kanon_matching_bound('ward.patients', 3)",
  "kanon_quality('ward.patients', 'ward.patients', predicates => ARRAY['age >= 30'])",
  "kanon_query_errors('ward.patients', ARRAY['age >= 30', 'day < ''2000-02-01'''], 'ward.patients')";
unharmed("SELECT $_ FROM ward.patients p")
  for 'evil.kanon_mondrian(4, p) OVER ()', 'evil.kanon_local(4, p) OVER ()',
  q{evil.kanon_mondrian(4, p, models => ARRAY['distinct(disease, 2)'], person => 'person') OVER ()},
  q{evil.kanon_mondrian(4, p, split => 'infogain', target => 'disease') OVER ()},
  q{evil.kanon_view_cells('mondrian', 4, p, ARRAY['age', 'zip', 'day'], options => '{"means": true}',
	dimensions => ARRAY['ward.age_dimension', 'ward.zip_dimension', NULL]) OVER ()},
  'evil.kanon_ring(4, p) OVER ()', 'evil.kanon_two_phase(4, p) OVER ()', 'evil.kanon_mondrian_tree(4, p)',
  q{evil.kanon_view_satisfies(2, p, 'disease', ARRAY['distinct(cost, 2)']) OVER ()};
unharmed("SELECT evil.kanon_create_release('ward.study', 'ward.patients', 4, $_->[0]);
	GRANT SELECT ON ward.study TO mallory;
	REFRESH MATERIALIZED VIEW ward.study; SELECT evil.kanon_refresh_release('ward.study');
	SELECT * FROM evil.kanon_$_->[1]; SELECT * FROM evil.kanon_quality('ward.study', 'ward.patients');
	ALTER TABLE ward.patients RENAME age TO years; ALTER TABLE ward.patients DROP COLUMN person CASCADE;
	SELECT evil.kanon_drop_release('ward.study')")
  for [ "'full_domain', suppression => 0.5", "check('ward.study', 4)" ],
  [ "'full_domain', models => ARRAY['distinct(disease, 2)'], suppression => 0.5", "classes('ward.study', 4)" ],
  [ "'mondrian', options => '{\"means\": true}'", "risk('ward.study')" ],
  [ "'mondrian', models => ARRAY['closeness(disease, 0.5)']", "check('ward.study', 4)" ],
  [ "'relaxed_mondrian'", "check('ward.study', 4)" ],
  [ "'cohorts', options => '{\"key\": \"id\", \"leavers\": \"keep\", \"target_loss\": 1}'", "check('ward.study', 4)" ],
  [ "'ring'", "check_matchings('ward.study', 4, 'ward.patients')" ],
  [ "'two_phase'", "check_matchings('ward.study', 4, 'ward.patients')" ];
unharmed(q{
	SELECT evil.kanon_create_release('ward.study', 'ward.patients', 4, 'ring');
	DROP MATERIALIZED VIEW ward.study;
	DROP TABLE ward.age_dimension, ward.patients CASCADE});

# Seeds are for those who own the release.
$node->safe_psql('clinic', "SELECT evil.kanon_create_release('ward.drawn', 'ward.patients', 4, 'ring')");
finds('SELECT count(*) FROM evil.kanon_seed', 'there is a seed', '1');
like(run_as('mallory', 'SET search_path = evil, pg_catalog; SELECT * FROM evil.kanon_seed'), qr/permission denied/, '.. which the owner of the schema does not see');

# A view may set search_path while kanon reads it; what kanon then does as the
# owner of its catalogs goes by PostgreSQL's names nevertheless.
is(run_as('mallory', q{
	CREATE SCHEMA lure;
	CREATE FUNCTION lure.switch() RETURNS bool LANGUAGE plpgsql AS $$
	BEGIN PERFORM set_config('search_path', 'lure, pg_catalog', false); RETURN true; END $$;
	CREATE FUNCTION lure.now() RETURNS timestamptz LANGUAGE plpgsql AS $$
	BEGIN RAISE EXCEPTION 'a trap was sprung with the rights of %', current_user; END $$;
	CREATE FUNCTION lure.same(regclass, oid) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN PERFORM lure.now(); END $$;
	CREATE OPERATOR lure.= (LEFTARG = regclass, RIGHTARG = oid, FUNCTION = lure.same);
	CREATE TABLE lure.stays AS SELECT i AS id, i % 3 AS age, 'd' || i AS disease FROM generate_series(1, 30) i;
	CREATE VIEW lure.bewitched AS SELECT * FROM lure.stays WHERE lure.switch();
	SELECT evil.kanon_set_attribute('lure.bewitched', 'age', 'quasi_identifier');
	SELECT evil.kanon_set_attribute('lure.bewitched', 'disease', 'sensitive')}), "\n", 'a view that sets search_path');
my (undef, undef, $unknown) = $node->psql('clinic', "SELECT evil.kanon_create_release('r', 'pg_class', 3, '?')");
my @recodings = split /, | and /, ($unknown =~ /The recodings are (.*)\./)[0];
is(run_as('mallory', "SET client_min_messages = warning; SELECT evil.kanon_create_release('lure.$_', 'lure.bewitched', 3, '$_'" . ($_ eq 'cohorts' ? ", options => '{\"key\": \"id\", \"leavers\": \"keep\", \"target_loss\": 1}')" : ')')),
	"lure.$_", "$_: no trap is sprung") for @recodings;
is(run_as('mallory', "REFRESH MATERIALIZED VIEW lure.$_; SELECT (SELECT rows FROM evil.kanon_refresh_release('lure.$_')), evil.kanon_drop_release('lure.$_')"),
	'30|', "$_: nor afterwards") for @recodings;

finds(q{SELECT rolname FROM pg_roles WHERE rolsuper AND oid <> 10}, 'nobody has become a superuser');
$node->stop;
done_testing();
