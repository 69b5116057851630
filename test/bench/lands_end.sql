-- A table of Lands End's shape: catalogue sales, eight quasi-identifiers with
-- the paper's cardinalities and heights, and the correlations such data has:
-- few zip codes buy much, most buy little; sales peak in season; a style has
-- its price, marked down when the season ends, and its cost, which changes
-- from batch to batch; styles are for men or for women.
-- Deterministic: everything is a hash of a number.  psql variable: rows.

CREATE FUNCTION pg_temp.uniform(number bigint, seed bigint) RETURNS float8
IMMUTABLE PARALLEL SAFE LANGUAGE sql AS
'SELECT (hashint8extended($1, $2) & 1073741823) / 1073741824.0';

-- The dimensions.

CREATE TABLE dim_zipcode AS
WITH chosen AS (
    SELECT lpad(z::text, 5, '0') AS zip FROM generate_series(501, 99950) z
    ORDER BY pg_temp.uniform(z, 1), z LIMIT 31953)
SELECT zip AS zipcode, left(zip, 4) || '*' AS digits_4, left(zip, 3) || '**' AS digits_3,
       left(zip, 2) || '***' AS digits_2, left(zip, 1) || '****' AS digits_1, '*****' AS top
FROM chosen ORDER BY zip;

CREATE TABLE dim_order_date AS
SELECT d AS order_date, to_char(d, 'YYYY-MM') AS month, to_char(d, 'YYYY"Q"Q') AS quarter, '*' AS top
FROM (SELECT date '2004-01-01' + i AS d FROM generate_series(0, 319) i) dates;

CREATE TABLE dim_gender AS SELECT * FROM (VALUES ('f', '*'), ('m', '*')) v (gender, top);
CREATE TABLE dim_style AS SELECT style, '*' AS top FROM generate_series(1, 1509) style;
CREATE TABLE dim_quantity AS SELECT 1 AS quantity, '*' AS top;
CREATE TABLE dim_shipment AS SELECT * FROM (VALUES ('post', '*'), ('express', '*')) v (shipment, top);

-- Amounts are in dimes: 346 price points, 1,412 costs.
CREATE TABLE dim_price AS
SELECT amount AS price, left(digits, 3) || '*' AS digits_3, left(digits, 2) || '**' AS digits_2,
       left(digits, 1) || '***' AS digits_1, '****' AS top
FROM (SELECT CASE WHEN i <= 200 THEN 45 + 5 * i ELSE 1045 + 25 * (i - 200) END AS amount,
             i AS point FROM generate_series(1, 346) i) points,
     lpad(amount::text, 4, '0') AS digits;

CREATE TABLE dim_cost AS
SELECT cost, left(digits, 3) || '*' AS digits_3, left(digits, 2) || '**' AS digits_2,
       left(digits, 1) || '***' AS digits_1, '****' AS top
FROM (SELECT 20 + i AS cost FROM generate_series(1, 1412) i) costs,
     lpad(cost::text, 4, '0') AS digits;

-- What is drawn by weight is drawn through slots: 2^20 of them, shared out in
-- proportion, at least one each.

CREATE TEMP TABLE zip_slot AS
WITH population AS (
    SELECT zipcode, exp(1.2 * (pg_temp.uniform(hashtext(digits_3), 2) * 2 - 1)
                        + 1.5 * sqrt(-2 * ln(pg_temp.uniform(zipcode::int, 3) + 1e-9))
                              * cos(2 * pi() * pg_temp.uniform(zipcode::int, 4))) AS people
    FROM dim_zipcode),
shares AS (
    SELECT zipcode, greatest(1, floor(1048576 * people / sum(people) OVER ()))::int AS slots
    FROM population)
SELECT row_number() OVER (ORDER BY zipcode, s) - 1 AS slot, zipcode
FROM shares, generate_series(1, slots) s;

CREATE TEMP TABLE date_slot AS
WITH shares AS (
    SELECT order_date, round(100 * (1 + 0.3 * cos(2 * pi() * extract(doy FROM order_date) / 182)
                                    + CASE WHEN order_date >= '2004-11-01' THEN 1.5 ELSE 0 END)
                                 * CASE WHEN extract(isodow FROM order_date) > 5 THEN 0.6 ELSE 1 END)::int AS slots
    FROM dim_order_date)
SELECT row_number() OVER (ORDER BY order_date, s) - 1 AS slot, order_date
FROM shares, generate_series(1, slots) s;

CREATE TEMP TABLE style_slot AS
WITH shares AS (
    SELECT style, greatest(1, round(30000 / (20 + 1509 * pg_temp.uniform(style, 5))))::int AS slots
    FROM dim_style)
SELECT row_number() OVER (ORDER BY style, s) - 1 AS slot, style
FROM shares, generate_series(1, slots) s;

-- Prices and costs by rank, so that every point of the scale is in use.
CREATE TEMP TABLE style_price AS
WITH ranked AS (
    SELECT style, discount, ntile(346) OVER (ORDER BY exp(2.6 * pg_temp.uniform(style, 6)) * (1 - 0.2 * discount), style) AS point
    FROM dim_style, generate_series(0, 2) discount),
points AS (SELECT price, row_number() OVER (ORDER BY price) AS point FROM dim_price)
SELECT style, discount, price FROM ranked JOIN points USING (point);

CREATE TEMP TABLE style_cost AS
WITH ranked AS (
    SELECT style, batch, ntile(1412) OVER (ORDER BY exp(2.6 * pg_temp.uniform(style, 6)) * (1 + 0.05 * pg_temp.uniform(style * 4 + batch, 7)), style) AS point
    FROM dim_style, generate_series(1, 4) batch)
SELECT style, batch, (20 + point)::int AS cost FROM ranked;

ANALYZE zip_slot; ANALYZE date_slot; ANALYZE style_slot; ANALYZE style_price; ANALYZE style_cost;

-- The sales.  The first rows take each zip code once, so that none is missing.

CREATE TABLE lands_end AS
WITH sizes AS MATERIALIZED (
    SELECT (SELECT count(*) FROM zip_slot) AS zips, (SELECT count(*) FROM date_slot) AS dates,
           (SELECT count(*) FROM style_slot) AS styles),
drawn AS (
    SELECT n,
           floor(zips * pg_temp.uniform(n, 11))::bigint AS zip_at,
           floor(dates * pg_temp.uniform(n, 12))::bigint AS date_at,
           floor(styles * pg_temp.uniform(n, 13))::bigint AS style_at
    FROM generate_series(1, :rows::bigint) n, sizes),
sold AS (
    SELECT n, coalesce(first_zip.zipcode, z.zipcode) AS zipcode, d.order_date, s.style,
           CASE WHEN pg_temp.uniform(n, 14) < 0.05 THEN 2
                WHEN extract(day FROM d.order_date) > 24 AND extract(month FROM d.order_date)::int % 3 = 0 THEN 1
                ELSE 0 END AS discount,
           extract(quarter FROM d.order_date)::int AS batch
    FROM drawn
    JOIN zip_slot z ON z.slot = zip_at
    JOIN date_slot d ON d.slot = date_at
    JOIN style_slot s ON s.slot = style_at
    LEFT JOIN (SELECT zipcode, row_number() OVER (ORDER BY zipcode) AS n FROM dim_zipcode) first_zip USING (n))
SELECT zipcode, order_date,
       CASE WHEN pg_temp.uniform(n, 15) < CASE style % 5 WHEN 0 THEN 0.5 WHEN 1 THEN 0.15 WHEN 2 THEN 0.15 ELSE 0.9 END
            THEN 'f' ELSE 'm' END AS gender,
       style, price, 1 AS quantity, cost,
       CASE WHEN pg_temp.uniform(n, 16) < 0.93 THEN 'post' ELSE 'express' END AS shipment
FROM sold JOIN style_price USING (style, discount) JOIN style_cost USING (style, batch);
