-- The order of a release's rows follows from what they show, and from nothing else: it tells neither how
-- the table was divided, nor who was in one class where several look alike.
CREATE SCHEMA release_order;
SET search_path = release_order, public;
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS kanon SCHEMA public;

CREATE TABLE people AS SELECT id, 20 + (hashint4(id) & 7) AS age, CASE WHEN id % 13 <> 0 THEN 'street ' || (hashint4(id * 3) & 1023) END AS street, (hashint4(id * 5) & 3) * 0.25 AS height, 'town ' || (hashint4(id * 7) & 3) AS town,
    'd' || (hashint4(id * 11) & 7) AS disease, CASE id % 5 WHEN 0 THEN 1.0 WHEN 1 THEN 1.00 END AS dose, json_build_array(hashint4(id * 13) & 1) AS notes FROM generate_series(1, 400) id;
CREATE TABLE towns AS SELECT 'town ' || n AS town, CASE WHEN n < 2 THEN 'north' ELSE 'south' END AS side FROM generate_series(0, 3) n;
SELECT kanon_declare('people', '{age,street,height,town}', '{disease}', '{dose,notes}', '{id}'), kanon_set_attribute('people', 'town', 'quasi_identifier', 'towns');

-- Are all rows where ORDER BY puts them?
CREATE FUNCTION misplaced(release regclass, keys text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    found bigint;
BEGIN
    EXECUTE format('SELECT count(*) FROM (SELECT row_number() OVER (ORDER BY ctid) AS place, r::text AS lies FROM %1$s r) a'
        ' JOIN (SELECT row_number() OVER (ORDER BY %2$s) AS place, r::text AS sorted FROM %1$s r) b USING (place) WHERE lies <> sorted', release, keys) INTO found;
    RETURN found;
END $$;

-- Classes are sorted by their cells, columns in order; what is hidden comes last, and then NULL.
CREATE FUNCTION by_classes(recoding text, models text DEFAULT '', options jsonb DEFAULT '{}', k int DEFAULT 3, OUT rows bigint, OUT classes bigint, OUT shown bigint, OUT misplaced bigint) LANGUAGE plpgsql AS $$
DECLARE
    means boolean := options ? 'means';
BEGIN
    PERFORM kanon_create_release('ordered', 'people', k, recoding, models => models::kanon_models, options => options, suppression => CASE WHEN options ? 'models_after' THEN 0.9 ELSE 0 END);
    misplaced := misplaced('ordered', concat('age::text = ''(,)'', age, ', CASE WHEN means THEN 'age_mean, ' END, 'street = ''*'', street COLLATE "C", height::text = ''(,)'', height, ', CASE WHEN means THEN 'height_mean, ' END,
        'town = ''*'', town COLLATE "C", disease, dose, scale(dose), notes::text'));
    SELECT r.rows, r.classes INTO rows, classes FROM kanon_release r WHERE release = 'ordered'::regclass;
    SELECT count(*) INTO shown FROM (SELECT FROM ordered GROUP BY age, street, height, town) c;
    PERFORM kanon_drop_release('ordered');
END $$;
SELECT recoding, c.* FROM unnest('{local,mondrian,strict_mondrian,relaxed_mondrian,subtree,unrestricted,ordered,suppress_cells}'::text[]) recoding, by_classes(recoding) c;
SELECT recoding, c.* FROM unnest('{local,mondrian,strict_mondrian,relaxed_mondrian,suppress_cells}'::text[]) recoding, by_classes(recoding, 'distinct(disease, 3)') c;
SELECT recoding, c.* FROM unnest('{local,mondrian,strict_mondrian,relaxed_mondrian}'::text[]) recoding, by_classes(recoding, 'distinct(disease, 3)', '{"models_after": true}') c;
SELECT recoding, c.* FROM unnest('{local,mondrian,strict_mondrian,relaxed_mondrian}'::text[]) recoding, by_classes(recoding, options => '{"means": true}') c;
SELECT recoding, c.* FROM unnest('{local,mondrian,strict_mondrian}'::text[]) recoding, by_classes(recoding, options => '{"storage": "table"}') c;
SELECT c.* FROM by_classes('suppress_cells', options => '{"null_matches": true}') c;

-- Other recodings leave that to ORDER BY.
CREATE FUNCTION by_rows(recoding text, OUT rows bigint, OUT misplaced bigint) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM kanon_create_release('sorted', 'people', 3, recoding);
    misplaced := misplaced('sorted', 'age, street, height, town, disease, dose, scale(dose), notes::text');
    SELECT r.rows INTO rows FROM kanon_release r WHERE release = 'sorted'::regclass;
    PERFORM kanon_drop_release('sorted');
END $$;
SELECT recoding, r.* FROM unnest('{full_domain,ring,two_phase}'::text[]) recoding, by_rows(recoding) r;

-- Classes that look alike, as most of a text without a dimension do, are one for those who ask who may be whom.
SELECT count(DISTINCT formed) AS formed, count(DISTINCT who) AS sets, bool_and(cardinality(who) = 1) AS one, count(DISTINCT (formed, who)) AS both, count(DISTINCT cells) AS shown FROM
    (SELECT kanon_strict_mondrian(3, ROW(street, disease), '{f1}', models => 'distinct(f2, 3)') OVER () AS formed,
        kanon_view_candidates('strict_mondrian', 3, ROW(street, disease), '{f1}', dimensions => '{0}', models => 'distinct(f2, 3)') OVER () AS who,
        kanon_view_cell(kanon_view_cells('strict_mondrian', 3, ROW(street, disease), '{f1}', dimensions => '{0}', models => 'distinct(f2, 3)') OVER (), 'f1', NULL::text) AS cells FROM people) r;

-- Rows that come in pieces, and places of classes that do not fit into memory at once.
CREATE TABLE many AS SELECT hashint4(i) & 255 AS a, hashint4(i * 3) & 255 AS b, 's' || (hashint4(i * 5) & 7) AS c, hashint4(i * 7) & 15 AS beside FROM generate_series(1, 100000) i;
SELECT kanon_declare('many', '{a,b,c}', '{}', '{beside}');
CREATE FUNCTION within(memory text, way text, OUT classes bigint, OUT misplaced bigint, OUT digest text) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('kanon.memory_limit', memory, true), set_config('kanon.partitioning', way, true);
    PERFORM kanon_create_release('within', 'many', 2, 'strict_mondrian');
    misplaced := misplaced('within', 'a::text = ''(,)'', a, b::text = ''(,)'', b, c = ''*'', c COLLATE "C", beside');
    SELECT r.classes INTO classes FROM kanon_release r WHERE release = 'within'::regclass;
    digest := kanon_digest('within');
    PERFORM kanon_drop_release('within');
END $$;
SELECT many.classes > 30000 AS many, many.misplaced, tree.misplaced, tree.digest = many.digest AS same, little.misplaced, little.digest = many.digest AS same FROM within('64MB', 'memory') many, within('1MB', 'tree') tree, within('400kB', 'tree') little;
DROP SCHEMA release_order CASCADE;
