-- What does a release lose against its source?
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon;
RESET client_min_messages;
\set SHOW_CONTEXT never
CREATE SCHEMA quality;
SET search_path = quality, public;

-- Eight people, and a release that anybody might have made of them: two classes
-- of four.
CREATE TABLE staff (id int, age int, town text, job text);
INSERT INTO staff VALUES
    (1, 20, 'Athens', 'nurse'), (2, 22, 'Athens', 'cook'), (3, 25, 'Bonn', 'nurse'), (4, 29, 'Bonn', 'cook'),
    (5, 30, 'Cairo', 'cook'), (6, 30, 'Cairo', 'cook'), (7, 35, 'Delhi', 'nurse'), (8, 40, 'Essen', 'cook');
SELECT kanon_set_attribute('staff', 'age', 'quasi_identifier');
SELECT kanon_set_attribute('staff', 'town', 'quasi_identifier');
CREATE TABLE staff_release AS
SELECT CASE WHEN age < 30 THEN '[20,30)'::int4range ELSE '[30,41)' END AS age,
       CASE WHEN age < 30 THEN '[Athens - Bonn]' ELSE '[Cairo - Essen]' END AS town, job
FROM staff;
SELECT age, town, count(*) FROM staff_release GROUP BY age, town ORDER BY age;

-- discernibility: 4 * 4 + 4 * 4.  average_class: 8 / 2 / 4.  loss of age:
-- (29 - 20) / (40 - 20) = 0.45 and (40 - 30) / 20 = 0.5, mean 0.475; of town,
-- the 1st of 5 values to the 2nd: 1 / 4, and 2 / 4, mean 0.375; together 0.425.
SELECT rows, classes, smallest, suppressed, discernibility, average_class, round(loss::numeric, 12) AS loss
FROM kanon_quality('staff_release', 'staff', k => 4);

-- age < 25: 5 of the ten ages from 20 to 29, hence 4 * 5 / 10.  age >= 30 AND
-- town = 'Delhi': all of the second class by age, one of its three towns: 4 / 3.
-- age BETWEEN 28 AND 32: 4 * 2 / 10 + 4 * 3 / 11.
SELECT predicate, actual, round(estimate::numeric, 3) AS estimate, round(error::numeric, 3) AS error
FROM kanon_query_errors('staff_release', ARRAY['age < 25', 'age >= 30 AND town = ''Delhi''', 'age BETWEEN 28 AND 32'], 'staff');

-- The same as figures: errors 0, 1 / 3 and |1.891 - 3| = 1.109; a table of predicates
CREATE TABLE queries (predicate text);
INSERT INTO queries VALUES ('age < 25'), ('age >= 30 AND town = ''Delhi'''), ('age BETWEEN 28 AND 32');
SELECT queries, round(mean_error::numeric, 3) AS mean_error, round(sd_error::numeric, 3) AS sd_error,
       round(mean_relative_error::numeric, 3) AS mean_relative_error
FROM kanon_quality('staff_release', 'staff', predicates => ARRAY(SELECT predicate FROM queries));
SELECT round(avg(e), 3) AS mean_error, round(stddev_pop(e), 3) AS sd_error, round(avg(e / a), 3) AS mean_relative_error
FROM (VALUES (0, 2), (4 / 3.0 - 1, 1), (3 - 0.8 - 12 / 11.0, 3)) t (e, a);
SELECT queries, mean_error, sd_error, mean_relative_error FROM kanon_quality('staff_release', 'staff', predicates => '{}');
SELECT queries, mean_error, sd_error, mean_relative_error FROM kanon_quality('staff_release', 'staff', predicates => '{age > 100}');

-- All that a predicate can be.  In the first class 10 ages, 2 towns; 11 and 3 in the second.
SELECT predicate, actual, round(estimate::numeric, 4) AS estimate
FROM kanon_query_errors('staff_release', ARRAY[
    'age = 22', '22 = age', 'age > 28', '28 < age', '28.5 <= age', 'age >= 28.5', 'age < 22.5', 'age <= 22.5', 'age = 22.5',
    'age > ''28''', 'age > 28::bigint', 'age > ''28''::numeric(4,1)', 'age < -1', 'age < 3000000000', 'age < 1e10',
    'age IN (22, 22, 23, 30, 99)', 'age IN (20, 22) AND age IN (22, 23)', 'age IN (20, 25) AND age > 20',
    'age > 20 AND age < 29 AND age >= 25', 'age > 25 AND age < 25', 'age IS NULL', 'age IS NOT NULL', 'age IS NULL AND age = 20',
    'town = ''Athens''', 'town >= ''Bonn'' AND town < ''Delhi''', 'town IN (''Bonn'', ''Essen'', ''Paris'')', '(town > ''A'') AND (age > 0 AND age < 30)',
    'town = ''Athens''::varchar', 'town > text ''Essen'' -- nobody'], 'staff');

-- A predicate that meets whole cells only has no error (it matches the release)
SELECT * FROM kanon_query_errors('staff_release', ARRAY['age < 30', 'age >= 30 AND town >= ''Cairo'''], 'staff');

-- More predicates than one statement takes: every third is wrong by the same
SELECT queries, round(mean_error::numeric, 6) AS mean_error
FROM kanon_quality('staff_release', 'staff', predicates => ARRAY(
    SELECT CASE i % 3 WHEN 0 THEN 'age >= 30 AND town = ''Delhi''' ELSE 'age < ' || 30 + i * 11 END FROM generate_series(0, 449) i));
SELECT count(*), count(DISTINCT predicate), max(actual) FROM kanon_query_errors('staff_release', ARRAY(SELECT 'age = ' || i FROM generate_series(1, 450) i), 'staff');

-- Ranges of every type.  Each goes from 0 to 10 of something in the source, and
-- the release has [0,4] and [5,10]: 4 / 10 and 5 / 10, mean 0.45 where there
-- are as many of both.  Canonical or not, open ends or not, makes no difference.
CREATE TYPE colour AS ENUM ('red', 'green', 'blue');
CREATE DOMAIN years AS int;
CREATE TABLE kinds AS
SELECT i::int2 AS small, i AS plain, i::bigint AS big, i::years AS domain, i::numeric AS amount, date '2020-02-25' + i AS day,
       timestamp '2020-02-25' + i * interval '1 hour' AS hour, timestamptz '2020-03-29 00:00+00' + i * interval '1 hour' AS instant
FROM unnest('{0,2,4,5,8,10}'::int[]) i;
CREATE VIEW kinds_release AS
SELECT int4range(l, u, '[]') AS small, CASE l WHEN 0 THEN int4range(NULL, 5) ELSE int4range(5, NULL) END AS plain,
       int8range(l, u, '[]') AS big, numrange(l - 0.5, u + 0.5) AS domain, numrange(l, u, '[)') AS amount,
       CASE l WHEN 0 THEN daterange('2020-02-25', '2020-02-29', '[]') ELSE daterange('2020-03-01', NULL) END AS day,
       tsrange(timestamp '2020-02-25' + l * interval '1 hour', timestamp '2020-02-25' + u * interval '1 hour', '[]') AS hour,
       tstzrange(timestamptz '2020-03-29 00:00+00' + l * interval '1 hour', timestamptz '2020-03-29 00:00+00' + u * interval '1 hour', '(]') AS instant
FROM (SELECT CASE WHEN plain < 5 THEN 0 ELSE 5 END AS l, CASE WHEN plain < 5 THEN 4 ELSE 10 END AS u FROM kinds) k;
SELECT column_name, round(loss::numeric, 12) AS loss
FROM information_schema.columns, kanon_quality('kinds_release', 'kinds', ARRAY[column_name::name])
WHERE table_schema = 'quality' AND table_name = 'kinds' ORDER BY ordinal_position;
-- Whole numbers and days: 0 to 4 are five, three of them up to 2: 3 * 3 / 5.
-- By length 2 of 4: 3 * 2 / 4; a point has no length.
SELECT predicate, actual, round(estimate::numeric, 4) AS estimate
FROM kanon_query_errors('kinds_release', ARRAY['small <= 2', 'plain <= 2', 'big <= 2', 'domain <= 2', 'amount <= 2',
    'day <= ''2020-02-27''', 'hour <= ''2020-02-25 02:00''', 'hour < date ''2020-02-25''', 'instant <= ''2020-03-29 02:00+00''',
    'big = 2', 'amount = 2', 'amount IN (1, 2)', 'amount > 2 AND amount < 3', 'amount > 3 AND amount < 1', 'day = ''2020-02-29'' AND small > 1'], 'kinds', '{small,plain,big,domain,amount,day,hour,instant}');

-- Points, infinite ends: those are the source's last finite value.  Loss of
-- amount: [1.5,1.5] 0, [2,Infinity] 1.5 / 2, [NaN,NaN] 0, (,) 1, mean 1.75 / 4;
-- of day: 0, 1 of 2 days, 0, 1, mean 1.5 / 4.
CREATE TABLE ends (amount numeric, day date, released_amount numrange, released_day daterange);
INSERT INTO ends VALUES
    (1.5, '2020-01-01', '[1.5,1.5]', '[2020-01-01,2020-01-01]'), (2, '2020-01-02', '[2,Infinity]', '[2020-01-02,infinity]'),
    ('NaN', 'infinity', '[NaN,NaN]', '[infinity,infinity]'), (3.5, '2020-01-03', '(,)', '(,)');
CREATE VIEW ends_release AS SELECT released_amount AS amount, released_day AS day FROM ends;
SELECT round((kanon_quality('ends_release', 'ends', ARRAY[q])).loss::numeric, 12) AS loss FROM unnest('{amount,day}'::name[]) q;
SELECT predicate, actual, round(estimate::numeric, 4) AS estimate
FROM kanon_query_errors('ends_release', ARRAY['amount = 1.5', 'amount < 1.5', 'amount > 1e30', 'amount > ''NaN''', 'amount <= ''NaN''', 'amount >= 3', 'day = ''infinity''', 'day > ''infinity''', 'day >= ''2020-01-03''', 'day = ''2020-01-02'''], 'ends', '{amount,day}');
-- Numbers that float8 has no room for, great and small.
CREATE TABLE vast (amount numeric, released_amount numrange);
INSERT INTO vast VALUES (0, '[0,1]'), (1, '[0,1]'), (1e-400, '[1e-400,1e400]'), (1e400, '[1e-400,1e400]');
CREATE VIEW vast_release AS SELECT released_amount AS amount FROM vast;
SELECT loss FROM kanon_quality('vast_release', 'vast', '{amount}');
SELECT predicate, actual, estimate FROM kanon_query_errors('vast_release', ARRAY['amount <= 1', 'amount <= 1e-400', 'amount >= 1e399'], 'vast', '{amount}');
-- A source of one value has nothing to lose,
CREATE TABLE one AS SELECT 7 AS age, 'x' AS town FROM generate_series(1, 3);
CREATE VIEW one_release AS SELECT int4range(0, 10) AS age, '*' AS town FROM one;
SELECT rows, loss FROM kanon_quality('one_release', 'one', '{age,town}');
-- and what is wider than the source has lost all.
CREATE VIEW wide_release AS SELECT int4range(0, 1000) AS age FROM staff;
SELECT loss FROM kanon_quality('wide_release', 'staff');

-- Text: [a - b] counts the source's values, whatever they look like.  The values
-- in order: 'a', 'a - b', 'b', 'b - c', 'c'.  [a - b - c] could be a to b - c or
-- a - b to c: from a to c then.  Loss 0, 1 / 4, 1, 2 / 4, 1 and 0: mean 2.75 / 6.
CREATE TABLE words (word text COLLATE "C", released text, at int);
INSERT INTO words VALUES ('a', 'a', 1), ('a - b', '[a - a - b]', 2), ('b', '[a - b - c]', 3), ('b - c', '[b - c]', 4), ('c', '*', 5), ('c', 'c', 6);
CREATE VIEW words_release AS SELECT released AS word FROM words;
SELECT round(loss::numeric * 6, 12) AS losses FROM kanon_quality('words_release', 'words', '{word}');
-- up to 'a - b': a, both of [a - a - b], 2 of 5, none of b to c, 2 of 5 of *
SELECT predicate, actual, round(estimate::numeric, 3) AS estimate
FROM kanon_query_errors('words_release', ARRAY['word <= ''a - b''', 'word = ''c'''], 'words', '{word}');
-- Other types are written as they are: an enum of this schema, numbers, char(n)
CREATE TABLE mixed (hue colour, height float8, code char(3), flag boolean);
INSERT INTO mixed VALUES ('red', 0, 'a', true), ('green', '-0', 'b', false), ('blue', 2.5, 'c', true);
CREATE VIEW mixed_release AS SELECT '[red - green]' AS hue, '[-0 - 2.5]' AS height, '[a - b]' AS code, 'true' AS flag FROM mixed;
SELECT round(loss::numeric, 12) AS loss FROM kanon_quality('mixed_release', 'mixed', '{hue,height,code,flag}');
SELECT predicate, actual, round(estimate::numeric, 4) AS estimate
FROM kanon_query_errors('mixed_release', ARRAY['hue < ''green''', 'hue = ''red''::quality.colour', 'height < 1', 'height <= -0.0', 'code = ''b''', 'flag = true', 'flag = ''f'''], 'mixed', '{hue,height,code,flag}');
-- .. of types whose casts do nothing, but that have collations of their own
CREATE TABLE named AS SELECT ('n' || i % 3)::name AS tag, 'x' || i % 2 AS word, ('n' || i % 3)::name COLLATE "POSIX" AS label FROM generate_series(1, 12) i;
SELECT kanon_create_release('named_release', 'named', 2, quasi_identifiers => '{tag,word,label}');
SELECT predicate, actual FROM kanon_query_errors('named_release', ARRAY['tag = text ''n1''', 'tag = varchar ''n1''', 'tag IN (''n1'', text ''n2'')', 'word = name ''x1''', 'label = text ''n1''', 'label < ''n2'''], 'named', '{tag,word,label}');

-- Labels.  Of the six jobs, three lie under health; one value of the dimension,
-- midwife, is not in the source and counts all the same.  health: 2 / 5; a ground
-- value: 0; *: 1; field is a label of both levels: that of the lower counts, 1 / 5.
CREATE TABLE jobs (job text, field text, sector text);
INSERT INTO jobs VALUES ('nurse', 'health', 'services'), ('doctor', 'health', 'services'), ('midwife', 'health', 'services'),
    ('cook', 'field', 'services'), ('waiter', 'field', 'services'), ('mason', 'mason', 'field');
CREATE TABLE work (job text, released text);
INSERT INTO work VALUES ('nurse', 'health'), ('doctor', 'health'), ('cook', 'cook'), ('waiter', 'field'), ('mason', 'mason'), ('nurse', 'services'), ('cook', '*');
SELECT kanon_set_attribute('work', 'job', 'quasi_identifier', 'jobs');
CREATE VIEW work_release AS SELECT released AS job FROM work;
-- 2 / 5 + 2 / 5 + 0 + 1 / 5 + 0 + 4 / 5 + 1 = 2.8, mean 0.4
SELECT rows, round(loss::numeric, 12) AS loss FROM kanon_quality('work_release', 'work');
-- nurse: 1 / 3 + 1 / 3 + 1 / 5 + 1 / 6; cook: 1 + 1 / 2 + 1 / 5 + 1 / 6
SELECT predicate, actual, round(estimate::numeric, 4) AS estimate
FROM kanon_query_errors('work_release', ARRAY['job = ''nurse''', 'job = ''cook''', 'job IN (''midwife'', ''mason'')'], 'work');
-- Labels that are numbers, or ranges
CREATE TABLE decades AS SELECT a AS age, int4range(a / 10 * 10, a / 10 * 10 + 10) AS decade, '*' AS all FROM generate_series(20, 40) a;
SELECT kanon_set_attribute('staff', 'age', 'quasi_identifier', 'decades');
CREATE VIEW decades_release AS SELECT int4range(age / 10 * 10, age / 10 * 10 + 10) AS age FROM staff;
-- 9 / 20 for the twenties and thirties, 0 for 40, which is alone: 7 * 9 / 20 / 8
SELECT round(loss::numeric, 12) AS loss FROM kanon_quality('decades_release', 'staff');
SELECT * FROM kanon_query_errors('decades_release', '{age >= 35}', 'staff');
SELECT kanon_set_attribute('staff', 'age', 'quasi_identifier');

-- One value, and NULLs: what hides which is which loses all there is, in every recoding,
-- as made and as read.
CREATE TABLE lone (id int, a int, t text, o bool, d int, same int);
INSERT INTO lone SELECT n, CASE WHEN n % 3 > 0 THEN 7 END, CASE WHEN n % 4 > 0 THEN 'x' END, CASE WHEN n % 5 > 0 THEN true END, CASE WHEN n % 3 > 0 THEN 1 END, 0 FROM generate_series(1, 30) n;
CREATE TABLE lone_values (d int, label text, top text);
INSERT INTO lone_values VALUES (1, 'one', 'all');
SELECT kanon_set_attribute('lone', name, 'quasi_identifier', CASE name WHEN 'd' THEN 'lone_values'::regclass END) FROM unnest('{a,t,o,d,same}'::text[]) name;
SELECT levels, loss FROM kanon_incognito('lone', 1) WHERE cardinality(array_remove(levels, 0)) <= 1 ORDER BY levels;
CREATE FUNCTION made_and_read(recoding text, k int, quasi name[], levels int[] DEFAULT NULL) RETURNS TABLE (made numeric, read numeric) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM kanon_create_release('lone_release', 'lone', k, recoding, quasi_identifiers => quasi, options => jsonb_build_object('levels', levels));
    SELECT round(loss::numeric, 9) INTO made FROM kanon_release WHERE release = 'lone_release'::regclass;
    SELECT round(loss::numeric, 9) INTO read FROM kanon_quality('lone_release', 'lone');
    RETURN NEXT;
    PERFORM kanon_drop_release('lone_release');
END $$;
SET client_min_messages = warning;
SELECT quasi, m.* FROM unnest('{a,t,o,d,same}'::name[]) quasi, made_and_read('mondrian', 20, ARRAY[quasi]) m;
SELECT quasi, m.* FROM unnest('{a,t,o,d,same}'::name[]) quasi, made_and_read('full_domain', 2, ARRAY[quasi], ARRAY[CASE quasi WHEN 'd' THEN 2 ELSE 1 END]) m;
SELECT * FROM made_and_read('full_domain', 2, '{d}', '{1}');
SELECT quasi, m.made > 0 AS lost, m.made = m.read AS same FROM unnest('{t,d,same}'::name[]) quasi, made_and_read('two_phase', 12, ARRAY[quasi]) m;
RESET client_min_messages;

-- NULL stands for NULL where the source has it, and for anything where it has not.
CREATE TABLE gaps (a int, b int, c text, released_c text);
INSERT INTO gaps VALUES (1, 1, 'x', 'x'), (2, 2, 'y', NULL), (3, 3, NULL, NULL), (NULL, 4, 'z', '*');
CREATE VIEW gaps_release AS SELECT CASE WHEN a < 3 THEN int4range(a, a, '[]') END AS a, CASE WHEN b < 3 THEN int4range(b, b, '[]') END AS b, released_c AS c FROM gaps;
-- a: 0; b: 1 for two of four; c: 1 for *, one of four
SELECT q, loss FROM unnest('{a,b,c}'::name[]) q, kanon_quality('gaps_release', 'gaps', ARRAY[q]);
SELECT predicate, actual, round(estimate::numeric, 3) AS estimate
FROM kanon_query_errors('gaps_release', ARRAY['a IS NULL', 'a IS NOT NULL', 'a >= 2', 'b IS NULL', 'b IS NOT NULL', 'b <= 3', 'c IS NULL', 'c IS NOT NULL', 'c < ''z''', 'a IS NULL AND c IS NULL'], 'gaps', '{a,b,c}');
-- .. the same where cells are ground values
CREATE VIEW gaps_ground AS SELECT a, nullif(b, 4) AS b FROM gaps;
SELECT q, loss FROM unnest('{a,b}'::name[]) q, kanon_quality('gaps_ground', 'gaps', ARRAY[q]);
SELECT predicate, actual, round(estimate::numeric, 4) AS estimate FROM kanon_query_errors('gaps_ground', ARRAY['a IS NULL', 'b IS NULL', 'b < 3'], 'gaps', '{a,b}');

-- A table is its own best release; ground values that the source no longer has are such all the same.
SELECT rows, classes, smallest, suppressed, loss, mean_error FROM kanon_quality('staff', 'staff', k => 1, predicates => '{age < 25, town = ''Bonn''}');
CREATE VIEW older AS SELECT id, age + 1 AS age, town FROM staff;
SELECT loss, mean_error FROM kanon_quality('older', 'staff', '{age}', predicates => '{age = 21}');

-- Releases of full-domain generalization: what kanon measured when it made them.
CREATE TABLE crowd AS
SELECT i AS id, CASE WHEN i % 17 > 0 THEN 20 + (i * 7) % 31 END AS age, 'v' || (i * i) % 6 AS ward, (ARRAY['nurse', 'doctor', 'cook', 'waiter', 'mason'])[1 + i % 5] AS job
FROM generate_series(1, 400) i;
SELECT kanon_create_dimension('crowd_ages', 'crowd', 'age', 'ranges', '{5,10}');
SELECT kanon_set_attribute('crowd', 'ward', 'quasi_identifier', weight => 2);
SELECT kanon_set_attribute('crowd', 'job', 'quasi_identifier', 'jobs', weight => 0.5);
SET client_min_messages = warning;
SELECT kanon_create_release('r' || array_to_string(levels, ''), 'crowd', 2, 'full_domain', options => jsonb_build_object('levels', levels), suppression => 0.9)
FROM (VALUES ('{0,0,0}'::int[]), ('{1,0,1}'), ('{1,1,0}'), ('{2,0,2}'), ('{3,1,2}')) l (levels);
RESET client_min_messages;
SELECT r.release, round(r.loss::numeric, 9) AS recorded, r.missing, q.suppressed = r.missing AND q.rows = r.rows AND q.classes = r.classes
       AND q.smallest = r.smallest AND q.discernibility = g.discernibility AND abs(q.average_class - g.average_class) < 1e-9 AS same,
       CASE WHEN r.missing = 0 THEN abs(q.loss - r.loss) < 1e-9 END AS same_loss
FROM kanon_release r, kanon_quality(r.release, r.relation) q, kanon_incognito(r.relation, r.k, suppression => 0.9, metrics => true) g
WHERE r.relation = 'crowd'::regclass AND g.levels = r.levels ORDER BY r.release::text;
-- With suppression, loss is that of the rows released: here again in plain SQL, by age alone
SELECT round(loss::numeric, 12) AS loss FROM kanon_quality('r101', 'crowd', '{age}');
SELECT round(avg(CASE WHEN age IS NULL THEN 0 ELSE (SELECT count(*) - 1.0 FROM crowd_ages d WHERE d.range_5 = r.age) / (SELECT count(*) - 1 FROM crowd_ages) END), 12) AS loss FROM r101 r;
SELECT predicate, actual, round(estimate::numeric, 4) AS estimate FROM kanon_query_errors('r312', ARRAY['age < 35', 'age IS NULL', 'ward = ''v1''', 'job = ''cook'''], 'crowd');
-- The levels are known: a value that is a label of another level too is no question
SELECT predicate, actual, round(estimate::numeric, 4) AS estimate FROM kanon_query_errors('r110', ARRAY['job = ''mason''', 'ward = ''v1'''], 'crowd');
-- Columns renamed since; k asked for; the crowd seen through a view
ALTER MATERIALIZED VIEW r101 RENAME COLUMN age TO years;
SELECT average_class, round(loss::numeric, 12) AS loss FROM kanon_quality('r101', 'crowd', '{age}');
SELECT round(average_class::numeric, 6) AS average_class FROM kanon_quality('r101', 'crowd', '{age}', k => 1);
CREATE VIEW crowd_view AS SELECT * FROM crowd;
SELECT rows, round(loss::numeric, 6) AS loss FROM kanon_quality('r312', 'crowd_view', '{age,ward}');
-- Names that change places in the relation: the catalog follows
ALTER TABLE crowd RENAME COLUMN age TO x;
ALTER TABLE crowd RENAME COLUMN ward TO age;
ALTER TABLE crowd RENAME COLUMN x TO ward;
SELECT quasi_identifiers FROM kanon_release WHERE release = 'r312'::regclass;
SELECT rows, round(loss::numeric, 6) AS loss FROM kanon_quality('r312', quasi_identifiers => '{ward,age}');
SELECT predicate, actual, round(estimate::numeric, 4) AS estimate FROM kanon_query_errors('r312', ARRAY['ward < 35']);
ALTER TABLE crowd RENAME COLUMN ward TO x;
ALTER TABLE crowd RENAME COLUMN age TO ward;
ALTER TABLE crowd RENAME COLUMN x TO age;


-- Releases by Mondrian, of columns that become ranges of every kind, [a - b] and
-- labels, with NULLs among them: the loss that kanon added up when it made them
CREATE TABLE patients AS
SELECT i AS id, CASE WHEN i % 17 > 0 THEN 20 + (i * 7) % 31 END AS age, (i % 5)::int2 AS children, (i * 77 % 1000) * 1000000000::bigint AS account, (i * 37 % 100) / 4.0 AS pay,
       date '2000-01-01' + (i * 13) % 77 AS born, timestamp '2020-01-01' + (i * 11 % 50) * interval '7 minutes' AS seen, timestamptz '2020-01-01 00:00+00' + (i * 3 % 20) * interval '1 day' AS due,
       'v' || (i * i) % 6 AS ward, CASE WHEN i % 11 > 0 THEN (i * 31 % 50) * 0.5::float8 END AS height, (ARRAY['nurse', 'doctor', 'cook', 'waiter', 'mason'])[1 + i % 5] AS job
FROM generate_series(1, 400) i;
SELECT count(kanon_set_attribute('patients', q, 'quasi_identifier')) FROM unnest('{age,children,account,pay,born,seen,due,ward,height}'::name[]) q;
SELECT kanon_set_attribute('patients', 'job', 'quasi_identifier', 'jobs', weight => 2);
SET client_min_messages = warning;
SELECT kanon_create_release('p_' || r || '_' || k, 'patients', k, r, options => jsonb_build_object('means', k > 5, 'ranges', k < 5)) FROM unnest('{mondrian,relaxed_mondrian}'::text[]) r, unnest('{2,20}'::int[]) k;
RESET client_min_messages;
SELECT r.release, q.rows = r.rows AND q.classes = r.classes AND q.smallest = r.smallest AND q.suppressed = r.missing AS same, abs(q.loss - r.loss) < 1e-9 AS same_loss,
       q.average_class = q.rows::float8 / q.classes / r.k AS same_average, q.loss BETWEEN 0.1 AND 0.9 AS some_loss
FROM kanon_release r, kanon_quality(r.release, r.relation) q WHERE r.relation = 'patients'::regclass ORDER BY r.release::text;
-- What all rows satisfy is certain
SELECT e.predicate, e.actual = 400 AND abs(e.error) < 1e-9 AS certain
FROM kanon_query_errors('p_mondrian_20', '{pay >= 0,account < 1000000000000 AND ward >= ''v0'',born < ''2001-01-01'' AND due IS NOT NULL}', 'patients') e;

-- Nothing released, nothing there
CREATE VIEW staff_nobody AS SELECT * FROM staff_release WHERE false;
SELECT * FROM kanon_quality('staff_nobody', 'staff', k => 3, predicates => '{age < 30}');
CREATE VIEW nobody AS SELECT * FROM staff WHERE false;
SELECT * FROM kanon_quality('staff_nobody', 'nobody', '{age,town}', predicates => '{age < 30}');
SELECT suppressed, discernibility, loss FROM kanon_quality('staff', 'nobody', '{age}');
SELECT suppressed, loss FROM kanon_quality('staff_release', 'nobody', '{age}');

-- Read only, and with the rights of who asks
BEGIN READ ONLY;
SELECT rows FROM kanon_quality('staff_release', 'staff', predicates => '{age < 30}');
SELECT * FROM kanon_query_errors('staff_release', '{age < 30}', 'staff');
ROLLBACK;
CREATE ROLE regress_reader;
GRANT USAGE ON SCHEMA quality TO regress_reader;
GRANT SELECT ON staff_release TO regress_reader;
SET ROLE regress_reader;
SELECT rows FROM kanon_quality('staff_release', 'staff', '{age}');
RESET ROLE;
GRANT SELECT (age) ON staff TO regress_reader;
SET ROLE regress_reader;
SELECT rows FROM kanon_quality('staff_release', 'staff', '{age}', predicates => '{age < 30}');
SELECT rows FROM kanon_quality('staff_release', 'staff', '{town}');
RESET ROLE;
-- .. who sees only some rows cannot know what the cells stand for
CREATE TABLE seen AS SELECT town FROM staff;
CREATE MATERIALIZED VIEW seen_release AS SELECT * FROM seen;
GRANT SELECT ON seen, seen_release TO regress_reader;
ALTER TABLE seen ENABLE ROW LEVEL SECURITY;
CREATE POLICY late ON seen USING (town >= 'C');
SET ROLE regress_reader;
SELECT * FROM kanon_quality('seen_release', 'seen', '{town}');
SELECT * FROM kanon_check_matchings('seen_release', 1, 'seen', '{town}');
RESET ROLE;
SELECT loss FROM kanon_quality('seen_release', 'seen', '{town}');
DROP TABLE seen CASCADE;
DROP OWNED BY regress_reader;
DROP ROLE regress_reader;

-- Errors: arguments
SELECT * FROM kanon_quality('staff_release', NULL);
SELECT * FROM kanon_quality(NULL, 'staff');
SELECT * FROM kanon_quality('staff_release', 'staff', k => 0);
SELECT * FROM kanon_quality('staff_release', 'staff', '{job,age,pay}');
SELECT * FROM kanon_quality('staff_release', 'staff', '{id}');
SELECT * FROM kanon_quality('queries', 'staff');
SELECT * FROM kanon_quality('staff', 'queries');
SELECT * FROM kanon_query_errors('staff_release', NULL, 'staff');
SELECT * FROM kanon_query_errors('staff_release', '{}', NULL);
SELECT * FROM kanon_query_errors(NULL, '{}', 'staff');
SELECT * FROM kanon_query_errors('staff_release', '{NULL}', 'staff');
-- .. cells
CREATE FUNCTION cells(age text, town text) RETURNS SETOF record LANGUAGE plpgsql AS $$
BEGIN
    CREATE TABLE odd AS SELECT * FROM staff_release;
    EXECUTE format('UPDATE odd SET age = %L, town = %L WHERE town LIKE ''%%Bonn%%''', age, town);
    RETURN QUERY EXECUTE 'SELECT loss FROM kanon_quality(''odd'', ''staff'')';
END $$;
SELECT * FROM cells('empty', 'Bonn') AS (loss float8);
SELECT * FROM cells('[20,30)', 'Paris') AS (loss float8);
SELECT * FROM cells('[20,30)', '[Bonn - Athens]') AS (loss float8);
SELECT * FROM cells('[20,30)', '[Bonn - Paris]') AS (loss float8);
SELECT * FROM cells('[20,30)', '') AS (loss float8);
CREATE VIEW odd_range AS SELECT daterange('2020-01-01', '2020-01-02') AS age, '*' AS town FROM staff;
SELECT * FROM kanon_quality('odd_range', 'staff');
CREATE TYPE towns AS RANGE (subtype = text);
CREATE VIEW odd_towns AS SELECT towns('Athens', 'Bonn') AS town FROM staff;
SELECT * FROM kanon_quality('odd_towns', 'staff', '{town}');
CREATE VIEW odd_numbers AS SELECT numrange(age + 0.1, age + 0.2) AS age FROM staff;
SELECT * FROM kanon_quality('odd_numbers', 'staff', '{age}');
CREATE VIEW odd_json AS SELECT to_json(age) AS age FROM staff;
SELECT * FROM kanon_quality('odd_json', 'staff', '{age}');
-- .. predicates
\set VERBOSITY default
CREATE FUNCTION try(predicate text) RETURNS bigint LANGUAGE sql AS
$$ SELECT count(*) FROM kanon_query_errors('quality.staff_release', ARRAY[predicate], 'quality.staff') $$;
SELECT try('');
SELECT try('age');
SELECT try('age <');
SELECT try('age < 30; DROP TABLE staff');
SELECT try('age < 30) OR (true');
SELECT try('age < 30 ORDER BY 1');
SELECT try('age < 30 FROM staff');
SELECT try('age < 30 AS young');
SELECT try('DISTINCT age < 30');
SELECT try('age < 30 OR age > 35');
SELECT try('age > 30 AND NOT age = 35');
SELECT try('age <> 30');
SELECT try('age OPERATOR(pg_catalog.=) 30');
SELECT try('- age');
SELECT try('age + 1 > 30');
SELECT try('staff.age > 30');
SELECT try('age > id');
SELECT try('age > 15 + 15');
SELECT try('1 < 2');
SELECT try('age < pg_sleep(1)');
SELECT try('age < (SELECT 1)');
SELECT try('age IN (SELECT 1)');
SELECT try('age NOT IN (20, 22)');
SELECT try('age NOT BETWEEN 20 AND 22');
SELECT try('age BETWEEN SYMMETRIC 22 AND 20');
SELECT try('20 BETWEEN age AND 30');
SELECT try('age = ANY (''{20}'')');
SELECT try('town LIKE ''A%''');
SELECT try('age IS DISTINCT FROM 20');
SELECT try('age > 10 IS TRUE');
SELECT try('age = NULL');
SELECT try('age IN (20, NULL)');
SELECT try('age = B''101''');
SELECT try('age = $1');
SELECT try('age = age%TYPE ''20''');
SELECT try('age = ''20''::nothing');
SELECT try('job = ''nurse''');
SELECT try('nothing = 1');
SELECT try('age = ''thirty''');
SELECT try('age = true');
SELECT try('age > date ''2020-01-01''');
SELECT try('town = 5');
SELECT try('age > ''yesteryear''::date');
SELECT * FROM kanon_query_errors('kinds_release', '{day < timestamp ''2020-02-28''}', 'kinds', '{day}');
SELECT * FROM kanon_query_errors('kinds_release', '{small = 1::SETOF int}', 'kinds', '{small}');
-- Cells may have the dimension's spelling of a value
CREATE TABLE steps AS SELECT i::numeric AS step FROM generate_series(1, 4) i;
CREATE TABLE step_dim AS SELECT i + 0.00 AS step, CASE WHEN i < 3 THEN 'low' ELSE 'high' END AS half FROM generate_series(1, 4) i;
SELECT kanon_set_attribute('steps', 'step', 'quasi_identifier', 'step_dim');
CREATE TABLE steps_release AS SELECT unnest('{1.00,2,low,high}'::text[]) AS step;
SELECT rows, classes, smallest, loss FROM kanon_quality('steps_release', 'steps');
SELECT satisfied, flow FROM kanon_check_matchings('steps_release', 1, 'steps');
-- .. but a dimension that has a value twice means nothing
INSERT INTO step_dim VALUES (4, 'low');
SELECT loss FROM kanon_quality('steps_release', 'steps');
-- Many constants: they are ordered once, not looked at for each pair and each cell
CREATE TABLE counted AS SELECT i AS number FROM generate_series(0, 2999) i;
CREATE TABLE counted_release AS SELECT int4range(number / 2 * 2, number / 2 * 2 + 2) AS number FROM counted;
SELECT round(estimate::numeric, 6) AS estimate, actual
FROM kanon_query_errors('counted_release', ARRAY[(SELECT 'number IN (' || string_agg(i::text, ', ' ORDER BY md5(i::text)) || ', 1) AND number >= 500' FROM generate_series(0, 1000) i)],
    'counted', '{number}');
-- Cells are read in every spelling of the values, whichever the release took
CREATE COLLATION folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE folded AS SELECT (CASE WHEN i < 6 THEN 'v' ELSE 'V' END || i % 6) COLLATE folding AS word FROM generate_series(0, 11) i;
CREATE TABLE folded_release AS SELECT CASE WHEN word < 'v3' THEN '[v0 - V2]' ELSE '[V3 - v5]' END AS word FROM folded;
SELECT rows, classes, smallest, loss FROM kanon_quality('folded_release', 'folded', '{word}');
-- .. of a type whose owner's code would look at the constant
CREATE DOMAIN odd AS int CHECK (VALUE % 2 = 1);
CREATE TYPE boxed AS (n odd);
CREATE TABLE boxes AS SELECT ROW(1)::boxed AS box FROM generate_series(1, 2);
CREATE MATERIALIZED VIEW boxes_release AS TABLE boxes;
SELECT * FROM kanon_query_errors('boxes_release', '{box = ''(3)''}', 'boxes', '{box}');
-- '*' stands for anything, in every recoding, also where values have fewer digits than others ..
CREATE TABLE flats AS SELECT 1 + i % 99 AS flat FROM generate_series(1, 990) i;
SELECT kanon_create_dimension('flat_digits', 'flats', 'flat', 'digits');
SELECT * FROM flat_digits WHERE flat IN (9, 10);
SELECT kanon_create_release('flats_hidden', 'flats', 200);
SELECT flat, count(*) FROM flats_hidden GROUP BY flat;
SELECT kanon_create_release('flats_ring', 'flats', 95, 'ring', options => '{"seed": "a"}');
SELECT kanon_create_release('flats_levels', 'flats', 60, 'full_domain');
SELECT flat, count(*) FROM flats_levels GROUP BY flat ORDER BY flat LIMIT 3;
SELECT r.release, r.loss = q.loss AS equal, round(q.loss::numeric, 3) AS loss
FROM kanon_release r, kanon_quality(r.release) q WHERE r.relation = 'flats'::regclass ORDER BY r.release::text;
SELECT * FROM kanon_query_errors('flats_hidden', '{flat = 5,flat = 50}');
-- .. and where texts are empty; new values are labelled alike
CREATE TABLE letters AS SELECT (53700 + i % 60)::text AS zip, (ARRAY['f', 'm'])[1 + i % 2] AS sex FROM generate_series(1, 240) i;
INSERT INTO letters VALUES ('', 'f');
SELECT kanon_create_dimension('letter_digits', 'letters', 'zip', 'digits'), kanon_create_dimension('letter_sex', 'letters', 'sex', 'suppress');
INSERT INTO letters VALUES ('x', 'f');
SELECT kanon_refresh_dimension('letter_digits');
SELECT * FROM letter_digits ORDER BY zip LIMIT 3;
SELECT kanon_create_release('letters_release', 'letters', 4);
SELECT zip, count(*) FROM letters_release GROUP BY zip ORDER BY count(*) DESC, zip LIMIT 2;
SELECT r.loss = q.loss AS equal, round(q.loss::numeric, 3) AS loss
FROM kanon_release r, kanon_quality(r.release) q WHERE r.release = 'letters_release'::regclass;
-- .. in dimensions of somebody's own, where a text counts as what loses most: a value, or a label ..
CREATE TABLE signs AS SELECT unnest('{1,2,3,*,all}'::text[]) AS sign;
CREATE TABLE sign_dim (sign text, sort text, top text);
INSERT INTO sign_dim VALUES ('1', '*', '*'), ('2', '*', '*'), ('3', 'all', '*'), ('*', 'all', '*'), ('all', 'all', '*');
SELECT kanon_set_attribute('signs', 'sign', 'quasi_identifier', 'sign_dim');
CREATE TABLE signs_hidden AS SELECT '*'::text AS sign;
CREATE TABLE signs_all AS SELECT 'all'::text AS sign;
SELECT h.loss AS hidden, a.loss AS all FROM kanon_quality('signs_hidden', 'signs') h, kanon_quality('signs_all', 'signs') a;
-- .. unless all its cells have a level that is known
SELECT kanon_create_release('signs_levels', 'signs', 2, 'full_domain', options => '{"levels": [1]}');
SELECT r.loss, q.loss FROM kanon_release r, kanon_quality(r.release) q WHERE r.release = 'signs_levels'::regclass;
-- .. and without a dimension
CREATE TABLE marks AS SELECT unnest('{*,a,b}'::text[]) AS mark;
CREATE TABLE marks_release AS SELECT '*'::text AS mark;
SELECT loss FROM kanon_quality('marks_release', 'marks', '{mark}');
SELECT count(*) FROM staff;

SET client_min_messages = warning;
DROP SCHEMA quality CASCADE;
