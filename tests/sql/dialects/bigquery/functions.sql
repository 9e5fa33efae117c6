-- id: divisions
SELECT 1/3 AS a, 7/2 AS b, DIV(7, 2) AS c, DIV(-7, 2) AS d, MOD(-7, 3) AS e, SAFE_DIVIDE(1, 0) AS f, SAFE_DIVIDE(1, 4) AS g;
-- postgres: SELECT 1/3::float8 AS a, 3.5 AS b, 3 AS c, -3 AS d, -1 AS e, NULL::float8 AS f, 0.25 AS g

-- id: division_of_numerics
SELECT id, total / 7 AS t, total * 1.1 AS u FROM purchase WHERE id < 104 ORDER BY id;
-- postgres: SELECT id, round(total / 7, 9) AS t, total * 1.1 AS u FROM purchase WHERE id < 104 ORDER BY id

-- id: division_by_zero
SELECT id / 0 FROM purchase;
-- error: sql_value: division by zero

-- id: averages
SELECT AVG(quantity) AS a, AVG(unit_price) AS b, SUM(quantity) AS c, STDDEV(quantity) AS d FROM line;
-- postgres: SELECT avg(quantity) AS a, round(avg(unit_price), 9) AS b, sum(quantity) AS c, stddev(quantity) AS d FROM line

-- id: large_integers
SELECT 2000000000 + 2000000000 AS a, 3000000000 * 2 AS b, SUM(id) * 100000000 AS c FROM purchase;
-- postgres: SELECT 4000000000 AS a, 6000000000 AS b, sum(id) * 100000000 AS c FROM purchase

-- id: casts
SELECT CAST('12' AS INT64) AS a, CAST(2.5 AS INT64) AS b, CAST(-2.5 AS INT64) AS c, CAST(12.50 AS STRING) AS d, CAST(TRUE AS STRING) AS e, CAST('2024-02-29' AS DATE) AS f, CAST(DATE '2024-02-29' AS TIMESTAMP) AS g, CAST('1.5' AS FLOAT64) AS h;
-- postgres: SELECT 12 AS a, 3 AS b, -3 AS c, '12.5' AS d, 'true' AS e, date '2024-02-29' AS f, timestamp '2024-02-29' AS g, 1.5::float8 AS h

-- id: safe_casts
SELECT SAFE_CAST('x' AS INT64) AS a, SAFE_CAST('2.5' AS INT64) AS b, SAFE_CAST('2024-02-30' AS DATE) AS c, SAFE_CAST('1.25' AS NUMERIC) AS d, SAFE_CAST(note AS FLOAT64) AS e FROM purchase WHERE id = 101;
-- postgres: SELECT NULL::int AS a, NULL::int AS b, NULL::date AS c, 1.25 AS d, NULL::float8 AS e

-- id: bad_cast
SELECT CAST(name AS INT64) FROM customer;
-- error: sql_value: invalid input syntax

-- id: bad_literal_cast
SELECT CAST('1' AS DATETIME);
-- alternative: casts

-- id: rounding
SELECT ROUND(2.345, 2) AS a, ROUND(-2.5) AS b, TRUNC(2.99) AS c, FLOOR(-2.5) AS d, CEIL(2.1) AS e, ROUND(1234, -2) AS f, ABS(-3) AS g, SIGN(-5) AS h, SQRT(16) AS i, POW(2, 10) AS j;
-- postgres: SELECT 2.35 AS a, -3 AS b, 2 AS c, -3 AS d, 3 AS e, 1200 AS f, 3 AS g, -1 AS h, 4.0 AS i, 1024.0 AS j

-- id: conditionals
SELECT id, IF(active, 'yes', 'no') AS a, IFNULL(city, '?') AS b, COALESCE(email, city, '-') AS c, NULLIF(tier, 'gold') AS d, CASE tier WHEN 'gold' THEN 1 ELSE 0 END AS e, GREATEST(credit, 50) AS f FROM customer ORDER BY id;
-- postgres: SELECT id, CASE WHEN active THEN 'yes' ELSE 'no' END AS a, coalesce(city, '?') AS b, coalesce(email, city, '-') AS c, nullif(tier, 'gold') AS d, CASE tier WHEN 'gold' THEN 1 ELSE 0 END AS e, CASE WHEN credit IS NOT NULL THEN greatest(credit, 50) END AS f FROM customer ORDER BY id

-- id: dates_moved
SELECT id, DATE_ADD(joined, INTERVAL 1 MONTH) AS a, DATE_SUB(joined, INTERVAL 2 WEEK) AS b, DATE_ADD(joined, INTERVAL -1 YEAR) AS c, DATE_ADD(joined, INTERVAL id DAY) AS d FROM customer ORDER BY id;
-- postgres: SELECT id, (joined + interval '1 month')::date AS a, joined - 14 AS b, (joined - interval '1 year')::date AS c, joined + id AS d FROM customer ORDER BY id

-- id: date_differences
SELECT id, DATE_DIFF(DATE '2024-07-01', joined, DAY) AS a, DATE_DIFF('2024-07-01', joined, MONTH) AS b, DATE_DIFF(CURRENT_DATE(), joined, YEAR) AS c FROM customer ORDER BY id;
-- postgres: SELECT id, date '2024-07-01' - joined AS a, ((2024 - extract(year FROM joined)) * 12 + 7 - extract(month FROM joined))::int AS b, (2024 - extract(year FROM joined))::int AS c FROM customer ORDER BY id

-- id: week_boundaries
SELECT DATE_DIFF('2024-06-30', '2024-06-29', WEEK) AS a, DATE_DIFF('2024-07-01', '2024-06-30', WEEK) AS b, DATE_DIFF('2024-07-01', '2024-06-30', WEEK(MONDAY)) AS c, DATE_DIFF('2024-07-01', '2024-06-30', ISOWEEK) AS d;
-- postgres: SELECT 1 AS a, 0 AS b, 1 AS c, 1 AS d

-- id: timestamp_differences
SELECT id, TIMESTAMP_DIFF(closed_at, opened_at, HOUR) AS h, TIMESTAMP_DIFF(opened_at, closed_at, MINUTE) AS m, TIMESTAMP_DIFF(closed_at, opened_at, DAY) AS d FROM ticket WHERE closed_at IS NOT NULL ORDER BY id;
-- postgres: SELECT id, trunc(extract(epoch FROM closed_at - opened_at) / 3600)::int AS h, trunc(extract(epoch FROM opened_at - closed_at) / 60)::int AS m, trunc(extract(epoch FROM closed_at - opened_at) / 86400)::int AS d FROM ticket WHERE closed_at IS NOT NULL ORDER BY id

-- id: truncated
SELECT id, DATE_TRUNC(joined, MONTH) AS m, DATE_TRUNC(joined, WEEK) AS s, DATE_TRUNC(joined, WEEK(MONDAY)) AS w, DATE_TRUNC(joined, ISOWEEK) AS i, DATE_TRUNC(joined, QUARTER) AS q, LAST_DAY(joined) AS l, LAST_DAY(joined, YEAR) AS y FROM customer ORDER BY id;
-- postgres: SELECT id, date_trunc('month', joined)::date AS m, joined - extract(dow FROM joined)::int AS s, date_trunc('week', joined)::date AS w, date_trunc('week', joined)::date AS i, date_trunc('quarter', joined)::date AS q, (date_trunc('month', joined) + interval '1 month - 1 day')::date AS l, (extract(year FROM joined) || '-12-31')::date AS y FROM customer ORDER BY id

-- id: timestamps_truncated
SELECT id, TIMESTAMP_TRUNC(placed_at, HOUR) AS h, DATE_TRUNC(placed_at, MONTH) AS m, TIMESTAMP_ADD(placed_at, INTERVAL 90 MINUTE) AS a, placed_at - INTERVAL 1 DAY AS b, DATE(placed_at) AS d FROM purchase ORDER BY id;
-- postgres: SELECT id, date_trunc('hour', placed_at) AS h, date_trunc('month', placed_at) AS m, placed_at + interval '90 minutes' AS a, placed_at - interval '1 day' AS b, placed_at::date AS d FROM purchase ORDER BY id

-- id: parts
SELECT id, EXTRACT(YEAR FROM placed_at) AS y, EXTRACT(DAYOFWEEK FROM placed_at) AS w, EXTRACT(HOUR FROM placed_at) AS h, EXTRACT(ISOWEEK FROM placed_at) AS i, EXTRACT(DAYOFYEAR FROM placed_at) AS d, EXTRACT(QUARTER FROM placed_at) AS q, EXTRACT(DATE FROM placed_at) AS t FROM purchase ORDER BY id;
-- postgres: SELECT id, extract(year FROM placed_at)::int AS y, extract(dow FROM placed_at)::int + 1 AS w, extract(hour FROM placed_at)::int AS h, extract(week FROM placed_at)::int AS i, extract(doy FROM placed_at)::int AS d, extract(quarter FROM placed_at)::int AS q, placed_at::date AS t FROM purchase ORDER BY id

-- id: weeks_of_the_year
SELECT EXTRACT(WEEK FROM DATE '2024-01-01') AS a, EXTRACT(WEEK FROM DATE '2024-01-06') AS b, EXTRACT(WEEK FROM DATE '2024-01-07') AS c, EXTRACT(WEEK FROM DATE '2023-01-01') AS d, EXTRACT(WEEK FROM DATE '2024-12-31') AS e;
-- postgres: SELECT 0 AS a, 0 AS b, 1 AS c, 1 AS d, 52 AS e

-- id: formatted
SELECT id, FORMAT_DATE('%Y-%m', DATE(placed_at)) AS a, FORMAT_TIMESTAMP('%d %b %y, %H:%M', placed_at) AS b, FORMAT_DATE('%A %B', joined) AS c, CAST(placed_at AS STRING) AS d FROM purchase JOIN (SELECT id AS cid, joined FROM customer) ON cid = customer_id WHERE id < 105 ORDER BY id;
-- postgres: SELECT p.id, to_char(placed_at, 'YYYY-MM') AS a, to_char(placed_at, 'DD Mon YY, HH24:MI') AS b, to_char(joined, 'FMDay FMMonth') AS c, to_char(placed_at, 'YYYY-MM-DD HH24:MI:SS') || '+00' AS d FROM purchase p JOIN customer c ON c.id = p.customer_id WHERE p.id < 105 ORDER BY 1

-- id: parsed
SELECT PARSE_DATE('%d/%m/%Y', '31/12/2023') AS a, PARSE_TIMESTAMP('%Y-%m-%d %H:%M', '2024-01-05 10:20') AS b, DATE(2024, 2, 29) AS c, TIMESTAMP('2024-03-01') AS d, TIMESTAMP_SECONDS(86400) AS e, UNIX_SECONDS(TIMESTAMP '1970-01-02 00:00:01') AS f;
-- postgres: SELECT date '2023-12-31' AS a, timestamp '2024-01-05 10:20' AS b, date '2024-02-29' AS c, timestamp '2024-03-01' AS d, timestamp '1970-01-02' AS e, 86401 AS f

-- id: the_worlds_clock
SELECT CURRENT_DATE() AS a, CURRENT_TIMESTAMP() AS b, COUNT(*) AS n FROM purchase WHERE placed_at >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 30 DAY);
-- postgres: SELECT date '2024-07-01' AS a, timestamp '2024-07-01 09:30:00' AS b, count(*) AS n FROM purchase WHERE placed_at >= timestamp '2024-07-01 09:30:00' - interval '30 days'

-- id: literals_as_times
SELECT id FROM purchase WHERE placed_at BETWEEN '2024-03-01' AND '2024-05-01' AND shipped_on > '2024-03-05' ORDER BY id;
-- postgres: SELECT id FROM purchase WHERE placed_at BETWEEN '2024-03-01' AND '2024-05-01' AND shipped_on > '2024-03-05' ORDER BY id

-- id: date_plus_interval
SELECT joined + INTERVAL 1 DAY FROM customer;
-- alternative: dates_moved

-- id: difference_of_timestamps
SELECT closed_at - opened_at FROM ticket;
-- alternative: timestamp_differences

-- id: texts
SELECT CONCAT(UPPER(name), '/', CAST(LENGTH(name) AS STRING)) AS a, LEFT(name, 3) AS b, SUBSTR(name, -3) AS c, SUBSTR(name, 2, 3) AS d, INITCAP(name) AS e, TRIM('  x ') AS f, RTRIM(name, 'na') AS g, REPLACE(name, 'a', '4') AS h, LPAD(name, 3, '*') AS i, REVERSE(name) AS j FROM customer WHERE id IN (4, 6) ORDER BY a;
-- postgres: SELECT upper(name) || '/' || length(name) AS a, left(name, 3) AS b, right(name, 3) AS c, substr(name, 2, 3) AS d, replace(initcap(name), '''N', '''n') AS e, 'x' AS f, rtrim(name, 'na') AS g, replace(name, 'a', '4') AS h, left(name, 3) AS i, reverse(name) AS j FROM customer WHERE id IN (4, 6) ORDER BY 1

-- id: concat_with_null
SELECT id, CONCAT(name, city) AS a, name || ' of ' || city AS b FROM customer WHERE id IN (1, 3) ORDER BY id;
-- postgres: SELECT id, name || city AS a, name || ' of ' || city AS b FROM customer WHERE id IN (1, 3) ORDER BY id

-- id: concat_of_number
SELECT CONCAT(name, id) FROM customer;
-- error: sql_syntax: No matching signature for function concat for argument types: STRING, INT64

-- id: splitting
SELECT id, SPLIT(email, '@')[OFFSET(0)] AS a, SPLIT(email, '.')[SAFE_OFFSET(5)] AS b, SPLIT(email, '@')[ORDINAL(2)] AS c, ARRAY_LENGTH(SPLIT(email, '.')) AS d, ARRAY_TO_STRING(SPLIT(email, '@'), ' at ') AS e FROM customer WHERE email IS NOT NULL ORDER BY id;
-- postgres: SELECT id, split_part(email, '@', 1) AS a, NULL::text AS b, split_part(email, '@', 2) AS c, cardinality(string_to_array(email, '.')) AS d, replace(email, '@', ' at ') AS e FROM customer WHERE email IS NOT NULL ORDER BY id

-- id: offset_out_of_bounds
SELECT SPLIT(sku, '-')[OFFSET(2)] FROM product;
-- error: sql_value: Array index 2 is out of bounds

-- id: searching
SELECT name, STRPOS(name, 'a') AS a, STARTS_WITH(name, 'G') AS b, ENDS_WITH(name, 'r') AS c, name LIKE '%_e%' AS d FROM product ORDER BY id;
-- postgres: SELECT name, strpos(name, 'a') AS a, name LIKE 'G%' AS b, name LIKE '%r' AS c, name LIKE '%_e%' AS d FROM product ORDER BY id

-- id: regexps
SELECT REGEXP_CONTAINS(sku, r'00[1-3]$') AS a, REGEXP_EXTRACT(sku, r'([A-Z]+)-') AS b, REGEXP_REPLACE(sku, r'([0-9]+)', r'<\1>') AS c, REGEXP_EXTRACT(sku, r'[0-9]+') AS d, REGEXP_CONTAINS(sku, '(?i)sku') AS e, ARRAY_LENGTH(REGEXP_EXTRACT_ALL(sku, '0')) AS f FROM product WHERE id IN (2, 6) ORDER BY sku;
-- postgres: SELECT sku ~ '00[1-3]$' AS a, substring(sku FROM '([A-Z]+)-') AS b, regexp_replace(sku, '([0-9]+)', '<\1>') AS c, substring(sku FROM '[0-9]+') AS d, sku ~* 'sku' AS e, regexp_count(sku, '0') AS f FROM product WHERE id IN (2, 6) ORDER BY sku

-- id: quotes
SELECT "it's" AS a, # a comment; with a semicolon
'say "x"' AS b, '''a'b''' AS c, """d"e""" AS d, r'\d' AS e, 'x\\y' AS f;
-- postgres: SELECT 'it''s' AS a, 'say "x"' AS b, 'a''b' AS c, 'd"e' AS d, '\d' AS e, 'x\y' AS f

-- id: json_values
SELECT id, JSON_VALUE(profile, '$.address.city') AS a, JSON_VALUE(profile, '$.tags[0]') AS b, CAST(JSON_VALUE(profile, '$.age') AS INT64) AS c, JSON_QUERY(profile, '$.tags') AS d, JSON_VALUE(profile, '$.tags') AS e FROM customer WHERE profile IS NOT NULL ORDER BY id;
-- postgres: SELECT id, profile #>> '{address,city}' AS a, profile #>> '{tags,0}' AS b, (profile ->> 'age')::int AS c, profile -> 'tags' AS d, NULL::text AS e FROM customer WHERE profile IS NOT NULL ORDER BY id

-- id: json_filter
SELECT name FROM customer WHERE JSON_VALUE(profile, '$.newsletter') = 'true' OR 'b2b' IN UNNEST(JSON_VALUE_ARRAY(profile, '$.tags')) ORDER BY name;
-- postgres: SELECT name FROM customer WHERE profile ->> 'newsletter' = 'true' OR profile -> 'tags' @> '["b2b"]' ORDER BY name

-- id: string_agg
SELECT tier, STRING_AGG(name, '; ' ORDER BY name) AS a, STRING_AGG(DISTINCT city ORDER BY city) AS b, STRING_AGG(name, ',' ORDER BY id DESC LIMIT 2) AS c FROM customer GROUP BY tier ORDER BY tier;
-- postgres: SELECT tier, string_agg(name, '; ' ORDER BY name) AS a, string_agg(DISTINCT city, ',' ORDER BY city) AS b, array_to_string((array_agg(name ORDER BY id DESC))[1:2], ',') AS c FROM customer GROUP BY tier ORDER BY tier

-- id: array_agg
SELECT tier, ARRAY_AGG(city IGNORE NULLS ORDER BY id) AS a, ARRAY_AGG(id ORDER BY id DESC LIMIT 1)[OFFSET(0)] AS b, ARRAY_AGG(DISTINCT active ORDER BY active) AS c FROM customer GROUP BY tier ORDER BY tier;
-- postgres: SELECT tier, array_agg(city ORDER BY id) FILTER (WHERE city IS NOT NULL) AS a, max(id) AS b, array_agg(DISTINCT active::int ORDER BY active::int) AS c FROM customer GROUP BY tier ORDER BY tier

-- id: array_agg_with_null
SELECT ARRAY_AGG(city) FROM customer;
-- error: sql_value: an array cannot have a null element

-- id: more_aggregates
SELECT COUNTIF(active) AS a, LOGICAL_AND(active) AS b, LOGICAL_OR(active) AS c, ANY_VALUE(name HAVING MAX credit) AS d, ANY_VALUE(name HAVING MIN joined) AS e, MAX_BY(name, credit) AS f, COUNT(DISTINCT city) AS g FROM customer;
-- postgres: SELECT count(*) FILTER (WHERE active) AS a, bool_and(active) AS b, bool_or(active) AS c, 'Ada Møller' AS d, 'Ada Møller' AS e, 'Ada Møller' AS f, count(DISTINCT city) AS g FROM customer

-- id: conditional_sums
SELECT customer_id, SUM(IF(status = 'paid', total, 0)) AS paid, COUNTIF(status = 'new') AS new FROM purchase GROUP BY customer_id ORDER BY customer_id;
-- postgres: SELECT customer_id, sum(CASE WHEN status = 'paid' THEN total ELSE 0 END) AS paid, count(*) FILTER (WHERE status = 'new') AS new FROM purchase GROUP BY 1 ORDER BY 1

-- id: array_of_subquery
SELECT c.id, ARRAY(SELECT p.id FROM purchase p WHERE p.customer_id = c.id ORDER BY p.id) AS orders FROM customer c WHERE c.id < 4 ORDER BY c.id;
-- postgres: SELECT c.id, ARRAY(SELECT p.id FROM purchase p WHERE p.customer_id = c.id ORDER BY p.id) AS orders FROM customer c WHERE c.id < 4 ORDER BY c.id

-- id: approximate
SELECT APPROX_COUNT_DISTINCT(city) FROM customer;
-- alternative: more_aggregates

-- id: listagg
SELECT LISTAGG(name) FROM customer;
-- alternative: string_agg

-- id: datediff
SELECT DATEDIFF(joined, '2024-01-01') FROM customer;
-- alternative: date_differences

-- id: wrong_arguments
SELECT LEFT(id, 2) FROM customer;
-- error: sql_syntax: No matching signature for function left for argument types: INT64, INT64

-- id: nulls_are_the_smallest
SELECT id, city FROM customer ORDER BY city, id LIMIT 3;
-- postgres: SELECT id, city FROM customer ORDER BY city NULLS FIRST, id LIMIT 3

-- id: quotients
SELECT 7 / 2 AS a, DIV(-7, 2) AS b, MOD(-7, 3) AS c, SAFE_DIVIDE(1, 0) AS d, salary / 3 AS e FROM employee WHERE id = 2;
-- postgres: SELECT 3.5::float8 AS a, -3 AS b, -1 AS c, NULL::float8 AS d, 2066.666666667 AS e

-- id: differences_by_boundary_or_by_length
SELECT DATE_DIFF(DATE '2024-02-01', DATE '2024-01-31', MONTH) AS a, DATE_DIFF(DATE '2024-06-30', DATE '2024-06-29', WEEK) AS b, TIMESTAMP_DIFF(TIMESTAMP '2024-01-02 00:00:00', TIMESTAMP '2024-01-01 12:00:00', DAY) AS c;
-- postgres: SELECT 1 AS a, 1 AS b, 0 AS c
