-- id: division_of_integers
SELECT 1/3 AS a, 7/2 AS b, -7/2 AS c, 2/3 AS d;
-- postgres: SELECT round(1/3::numeric, 6) AS "A", 3.5 AS "B", -3.5 AS "C", round(2/3::numeric, 6) AS "D"

-- id: division_of_decimals
SELECT id, total / 7 AS t FROM purchase WHERE id < 104 ORDER BY id;
-- postgres: SELECT id AS "ID", round(total / 7, 8) AS "T" FROM purchase WHERE id < 104 ORDER BY id

-- id: average_has_more_digits
SELECT AVG(quantity) AS q, AVG(unit_price) AS p FROM line;
-- postgres: SELECT round(avg(quantity), 6) AS "Q", round(avg(unit_price), 8) AS "P" FROM line

-- id: average_of_a_ratio
SELECT customer_id, AVG(total) / COUNT(*) AS r FROM purchase GROUP BY 1 ORDER BY 1;
-- postgres: SELECT customer_id AS "CUSTOMER_ID", round(round(avg(total), 8) / count(*), 12) AS "R" FROM purchase GROUP BY 1 ORDER BY 1

-- id: divided_by_zero
SELECT total / 0 FROM purchase;
-- error: sql_value: division by zero

-- id: div0
SELECT DIV0(10, 4) AS a, DIV0(10, 0) AS b, DIV0(NULL, 0) AS c, DIV0NULL(1, NULL) AS d;
-- postgres: SELECT 2.5 AS "A", 0 AS "B", NULL::int AS "C", 0 AS "D"

-- id: large_integers
SELECT 2000000000 + 2000000000 AS a, 3000000000 * 2 AS b, SUM(id) * 100000000 AS c FROM purchase;
-- postgres: SELECT 4000000000 AS "A", 6000000000 AS "B", sum(id) * 100000000 AS "C" FROM purchase

-- id: casts_round
SELECT 2.5::INT AS a, '3.5'::INT AS b, '12.345'::NUMBER(10,2) AS c, 7.9::NUMBER AS d, -2.5::INT AS e, '1e2'::FLOAT AS f;
-- postgres: SELECT 3 AS "A", 4 AS "B", 12.35 AS "C", 8 AS "D", -3 AS "E", 100.0 AS "F"

-- id: try_casts
SELECT TRY_CAST('12' AS INT) AS a, TRY_CAST('x' AS INT) AS b, TRY_TO_DATE('2024-02-30') AS c, TRY_TO_NUMBER('1.5', 10, 1) AS d, TRY_CAST(note AS FLOAT) AS e FROM purchase WHERE id = 101;
-- postgres: SELECT 12 AS "A", NULL::int AS "B", NULL::date AS "C", 1.5 AS "D", NULL::float8 AS "E"

-- id: bad_number
SELECT name::INT FROM customer;
-- error: sql_value: invalid input syntax

-- id: bad_literal
SELECT 'many'::INT;
-- error: sql_value: 

-- id: to_number_has_no_digits
SELECT TO_NUMBER('12.6') AS a, TO_DECIMAL('12.65', 10, 1) AS b, TO_VARCHAR(12.50) AS c, TO_CHAR(total) AS d, active::VARCHAR AS e FROM customer JOIN purchase ON purchase.customer_id = customer.id WHERE purchase.id = 101;
-- postgres: SELECT 13 AS "A", 12.7 AS "B", '12.50' AS "C", '64.90' AS "D", 'true' AS "E"

-- id: rounding
SELECT ROUND(2.345, 2) AS a, ROUND(-2.5) AS b, TRUNC(2.99, 1) AS c, FLOOR(-2.5) AS d, CEIL(2.1) AS e, ROUND(1234, -2) AS f, MOD(-7, 3) AS g, ABS(-3) AS h, SIGN(-0.5) AS i;
-- postgres: SELECT 2.35 AS "A", -3 AS "B", 2.9 AS "C", -3 AS "D", 3 AS "E", 1200 AS "F", -1 AS "G", 3 AS "H", -1 AS "I"

-- id: conditionals
SELECT id, IFF(active, 'yes', 'no') AS a, NVL(city, '?') AS b, NVL2(email, 1, 0) AS c, DECODE(tier, 'gold', 1, 'silver', 2, 9) AS d, ZEROIFNULL(credit) AS e, NULLIFZERO(credit) AS f FROM customer ORDER BY id;
-- postgres: SELECT id AS "ID", CASE WHEN active THEN 'yes' ELSE 'no' END AS "A", coalesce(city, '?') AS "B", CASE WHEN email IS NOT NULL THEN 1 ELSE 0 END AS "C", CASE tier WHEN 'gold' THEN 1 WHEN 'silver' THEN 2 ELSE 9 END AS "D", coalesce(credit, 0) AS "E", nullif(credit, 0) AS "F" FROM customer ORDER BY id

-- id: decode_finds_null
SELECT id, DECODE(city, NULL, 'none', 'Köln', 'K', 'other') AS c, EQUAL_NULL(city, NULL) AS e FROM customer ORDER BY id;
-- postgres: SELECT id AS "ID", CASE WHEN city IS NULL THEN 'none' WHEN city = 'Köln' THEN 'K' ELSE 'other' END AS "C", city IS NULL AS "E" FROM customer ORDER BY id

-- id: greatest_is_null
SELECT id, GREATEST(credit, 50) AS g, LEAST(credit, 50) AS l FROM customer ORDER BY id;
-- postgres: SELECT id AS "ID", CASE WHEN credit IS NOT NULL THEN greatest(credit, 50) END AS "G", CASE WHEN credit IS NOT NULL THEN least(credit, 50) END AS "L" FROM customer ORDER BY id

-- id: like_any
SELECT name FROM customer WHERE name ILIKE ANY ('%ada%', '%KHAN') ORDER BY name;
-- postgres: SELECT name AS "NAME" FROM customer WHERE name ILIKE '%ada%' OR name ILIKE '%KHAN' ORDER BY name

-- id: like_has_no_escape
SELECT name FROM customer WHERE name LIKE 'Gia 100\\%' OR name LIKE '%!_%' ESCAPE '!' ORDER BY name;
-- postgres: SELECT name AS "NAME" FROM customer WHERE name LIKE 'Gia 100\\%' ESCAPE '' OR name LIKE '%!_%' ESCAPE '!' ORDER BY name

-- id: texts
SELECT CONCAT(UPPER(name), '/', LEN(name)::VARCHAR) AS a, LEFT(name, 3) AS b, RIGHT(name, 2) AS c, SUBSTR(name, -3) AS d, SUBSTR(name, 2, 3) AS e, SPLIT_PART(email, '@', 2) AS f, INITCAP(name) AS g FROM customer WHERE id IN (4, 6) ORDER BY a;
-- postgres: SELECT upper(name) || '/' || length(name) AS "A", left(name, 3) AS "B", right(name, 2) AS "C", right(name, 3) AS "D", substr(name, 2, 3) AS "E", split_part(email, '@', 2) AS "F", replace(initcap(name), '''N', '''n') AS "G" FROM customer WHERE id IN (4, 6) ORDER BY 1

-- id: concat_with_null
SELECT id, CONCAT(name, city) AS a, name || city AS b FROM customer WHERE id IN (1, 3) ORDER BY id;
-- postgres: SELECT id AS "ID", name || city AS "A", name || city AS "B" FROM customer WHERE id IN (1, 3) ORDER BY id

-- id: searching
SELECT name, CONTAINS(name, 'a') AS a, STARTSWITH(name, 'G') AS b, ENDSWITH(name, 'r') AS c, POSITION('e' IN name) AS d, CHARINDEX('G', name) AS e FROM product ORDER BY id;
-- postgres: SELECT name AS "NAME", strpos(name, 'a') > 0 AS "A", name LIKE 'G%' AS "B", name LIKE '%r' AS "C", strpos(name, 'e') AS "D", strpos(name, 'G') AS "E" FROM product ORDER BY id

-- id: regexps
SELECT REGEXP_REPLACE(sku, '[0-9]', '#') AS a, REGEXP_SUBSTR(sku, '[0-9]+') AS b, REGEXP_LIKE(sku, 'sku-.*', 'i') AS c, REGEXP_LIKE(sku, 'SKU') AS d, REGEXP_COUNT(sku, '0') AS e, sku RLIKE 'SKU-00[1-3]' AS f FROM product WHERE id IN (2, 6) ORDER BY sku;
-- postgres: SELECT regexp_replace(sku, '[0-9]', '#', 'g') AS "A", substring(sku FROM '[0-9]+') AS "B", sku ~* '^sku-.*$' AS "C", sku ~ '^SKU$' AS "D", regexp_count(sku, '0') AS "E", sku ~ '^SKU-00[1-3]$' AS "F" FROM product WHERE id IN (2, 6) ORDER BY sku

-- id: bad_regexp
SELECT REGEXP_REPLACE(sku, '(', '') FROM product;
-- error: sql_value: invalid regular expression

-- id: dates_moved
SELECT id, DATEADD(month, 1, joined) AS a, DATEADD('day', -1, joined) AS b, DATEADD(hour, 1, joined) AS c, joined + 7 AS d, ADD_MONTHS(joined, -12) AS e FROM customer ORDER BY id;
-- postgres: SELECT id AS "ID", (joined + interval '1 month')::date AS "A", joined - 1 AS "B", joined + interval '1 hour' AS "C", joined + 7 AS "D", (joined - interval '12 months')::date AS "E" FROM customer ORDER BY id

-- id: boundaries_counted
SELECT id, DATEDIFF(month, joined, '2024-07-01') AS m, DATEDIFF('year', joined, CURRENT_DATE()) AS y, DATEDIFF(day, joined, CURRENT_DATE()) AS d, DATEDIFF(quarter, joined, '2024-07-01'::DATE) AS q FROM customer ORDER BY id;
-- postgres: SELECT id AS "ID", ((2024 - extract(year FROM joined)) * 12 + 7 - extract(month FROM joined))::int AS "M", (2024 - extract(year FROM joined))::int AS "Y", date '2024-07-01' - joined AS "D", ((2024 - extract(year FROM joined)) * 4 + 3 - extract(quarter FROM joined))::int AS "Q" FROM customer ORDER BY id

-- id: weeks_and_hours
SELECT DATEDIFF(week, '2024-06-30', '2024-07-01') AS w, DATEDIFF(week, '2024-07-01', '2024-07-07') AS v, DATEDIFF(hour, '2024-01-01 10:59:59'::TIMESTAMP, '2024-01-01 11:00:00'::TIMESTAMP) AS h, DATEDIFF(minute, closed_at, opened_at) AS m FROM ticket WHERE id = 2;
-- postgres: SELECT 1 AS "W", 0 AS "V", 1 AS "H", (extract(epoch FROM date_trunc('minute', opened_at) - date_trunc('minute', closed_at)) / 60)::int AS "M" FROM ticket WHERE id = 2

-- id: beginnings_and_ends
SELECT id, DATE_TRUNC('week', joined) AS w, DATE_TRUNC(quarter, joined) AS q, LAST_DAY(joined) AS l, LAST_DAY(joined, 'year') AS y, TRUNC(joined, 'month') AS m FROM customer ORDER BY id;
-- postgres: SELECT id AS "ID", date_trunc('week', joined)::date AS "W", date_trunc('quarter', joined)::date AS "Q", (date_trunc('month', joined) + interval '1 month - 1 day')::date AS "L", (extract(year FROM joined) || '-12-31')::date AS "Y", date_trunc('month', joined)::date AS "M" FROM customer ORDER BY id

-- id: parts_of_times
SELECT id, YEAR(placed_at) AS y, MONTH(placed_at) AS m, DAYOFWEEK(placed_at) AS w, DATE_PART(hour, placed_at) AS h, EXTRACT(week FROM placed_at) AS k, DAYOFYEAR(placed_at) AS d, MONTHNAME(placed_at) AS n, DAYNAME(placed_at) AS o FROM purchase ORDER BY id;
-- postgres: SELECT id AS "ID", extract(year FROM placed_at)::int AS "Y", extract(month FROM placed_at)::int AS "M", extract(dow FROM placed_at)::int AS "W", extract(hour FROM placed_at)::int AS "H", extract(week FROM placed_at)::int AS "K", extract(doy FROM placed_at)::int AS "D", to_char(placed_at, 'Mon') AS "N", to_char(placed_at, 'Dy') AS "O" FROM purchase ORDER BY id

-- id: times_as_texts
SELECT id, TO_CHAR(placed_at, 'YYYY-MM-DD HH24:MI') AS a, TO_CHAR(placed_at, 'DD MON YY') AS b, placed_at::VARCHAR AS c, TO_VARCHAR(shipped_on) AS d FROM purchase WHERE id < 104 ORDER BY id;
-- postgres: SELECT id AS "ID", to_char(placed_at, 'YYYY-MM-DD HH24:MI') AS "A", to_char(placed_at, 'DD Mon YY') AS "B", to_char(placed_at, 'YYYY-MM-DD HH24:MI:SS.MS') AS "C", shipped_on::text AS "D" FROM purchase WHERE id < 104 ORDER BY id

-- id: texts_as_times
SELECT TO_DATE('31/12/2023', 'DD/MM/YYYY') AS a, TO_TIMESTAMP('2024-01-05 10:20', 'YYYY-MM-DD HH24:MI') AS b, TO_DATE('2024-05-06') AS c, DATE_FROM_PARTS(2024, 2, 29) AS d, '2024-03-01'::TIMESTAMP_NTZ AS e;
-- postgres: SELECT date '2023-12-31' AS "A", timestamp '2024-01-05 10:20' AS "B", date '2024-05-06' AS "C", date '2024-02-29' AS "D", timestamp '2024-03-01' AS "E"

-- id: intervals
SELECT joined + INTERVAL '1 month' AS a, placed_at - INTERVAL '2 hours' AS b FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE p.id = 101;
-- postgres: SELECT (joined + interval '1 month')::date AS "A", placed_at - interval '2 hours' AS "B" FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE p.id = 101

-- id: times_are_not_subtracted
SELECT closed_at - opened_at FROM ticket;
-- error: sql_syntax: Invalid argument types for function '-'

-- id: the_worlds_clock
SELECT CURRENT_DATE() AS a, CURRENT_DATE AS b, CURRENT_TIMESTAMP() AS c, COUNT(*) AS n FROM purchase WHERE placed_at >= DATEADD(day, -30, CURRENT_TIMESTAMP());
-- postgres: SELECT date '2024-07-01' AS "A", date '2024-07-01' AS "B", timestamp '2024-07-01 09:30:00' AS "C", count(*) AS "N" FROM purchase WHERE placed_at >= timestamp '2024-07-01 09:30:00' - interval '30 days'

-- id: listagg
SELECT tier, LISTAGG(name, '; ') WITHIN GROUP (ORDER BY name) AS names, LISTAGG(DISTINCT city, ',') WITHIN GROUP (ORDER BY city) AS cities FROM customer GROUP BY tier ORDER BY tier;
-- postgres: SELECT tier AS "TIER", string_agg(name, '; ' ORDER BY name) AS "NAMES", string_agg(DISTINCT city, ',' ORDER BY city) AS "CITIES" FROM customer GROUP BY tier ORDER BY tier

-- id: listagg_of_nothing
SELECT LISTAGG(note, ',') AS a, ARRAY_SIZE(ARRAY_AGG(note)) AS b, SUM(total) AS c FROM purchase WHERE id < 0;
-- postgres: SELECT '' AS "A", 0 AS "B", NULL::numeric AS "C"

-- id: arrays_without_nulls
SELECT customer_id, ARRAY_AGG(note) WITHIN GROUP (ORDER BY id) AS notes FROM purchase GROUP BY customer_id ORDER BY customer_id;
-- postgres: SELECT customer_id AS "CUSTOMER_ID", coalesce(jsonb_agg(note ORDER BY id) FILTER (WHERE note IS NOT NULL), '[]') AS "NOTES" FROM purchase GROUP BY customer_id ORDER BY customer_id

-- id: more_aggregates
SELECT COUNT_IF(active) AS a, MEDIAN(credit) AS b, MAX_BY(name, credit) AS c, MIN_BY(name, joined) AS d, BOOLAND_AGG(active) AS e, BOOLOR_AGG(active) AS f, COUNT(DISTINCT city) AS g FROM customer;
-- postgres: SELECT count(*) FILTER (WHERE active) AS "A", percentile_cont(0.5) WITHIN GROUP (ORDER BY credit) AS "B", 'Ada Møller' AS "C", 'Ada Møller' AS "D", bool_and(active) AS "E", bool_or(active) AS "F", count(DISTINCT city) AS "G" FROM customer

-- id: percentiles
SELECT department, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY salary) AS p, STDDEV(salary) AS s, MODE(salary) AS m FROM employee WHERE department IS NOT NULL GROUP BY department ORDER BY department;
-- postgres: SELECT department AS "DEPARTMENT", percentile_cont(0.5) WITHIN GROUP (ORDER BY salary) AS "P", stddev(salary) AS "S", mode() WITHIN GROUP (ORDER BY salary) AS "M" FROM employee WHERE department IS NOT NULL GROUP BY department ORDER BY department

-- id: ratio_to_report
SELECT id, ROUND(RATIO_TO_REPORT(amount) OVER (PARTITION BY method), 3) AS r FROM payment WHERE amount > 0 ORDER BY id;
-- postgres: SELECT id AS "ID", round(amount / sum(amount) OVER (PARTITION BY method), 3) AS "R" FROM payment WHERE amount > 0 ORDER BY id

-- id: paths
SELECT id, profile:address.city::STRING AS city, profile:tags[0]::STRING AS tag, profile:age::INT + 1 AS age, profile['address']['zip']::INT AS zip, profile:newsletter::BOOLEAN AS n FROM customer WHERE profile IS NOT NULL ORDER BY id;
-- postgres: SELECT id AS "ID", profile #>> '{address,city}' AS "CITY", profile #>> '{tags,0}' AS "TAG", (profile ->> 'age')::int + 1 AS "AGE", (profile #>> '{address,zip}')::int AS "ZIP", (profile ->> 'newsletter')::boolean AS "N" FROM customer WHERE profile IS NOT NULL ORDER BY id

-- id: filter_by_path
SELECT name FROM customer WHERE profile:address.city::VARCHAR = city AND ARRAY_CONTAINS('b2b'::VARIANT, profile:tags) ORDER BY name;
-- postgres: SELECT name AS "NAME" FROM customer WHERE profile #>> '{address,city}' = city AND profile -> 'tags' @> '["b2b"]' ORDER BY name

-- id: documents_built
SELECT OBJECT_CONSTRUCT('id', id, 'city', city, 'name', name) AS o, ARRAY_CONSTRUCT(id, city) AS a, PARSE_JSON('{"x": [1, 2]}'):x[1]::INT AS p, ARRAY_SIZE(profile:tags) AS s FROM customer WHERE id IN (1, 3) ORDER BY id;
-- postgres: SELECT jsonb_strip_nulls(jsonb_build_object('id', id, 'city', city, 'name', name)) AS "O", jsonb_build_array(id, city) AS "A", 2 AS "P", jsonb_array_length(profile -> 'tags') AS "S" FROM customer WHERE id IN (1, 3) ORDER BY id

-- id: split_element
SELECT SPLIT(sku, '-')[1]::INT AS n, ARRAY_TO_STRING(SPLIT(name, ' '), '_') AS j FROM product ORDER BY n;
-- postgres: SELECT split_part(sku, '-', 2)::int AS "N", replace(name, ' ', '_') AS "J" FROM product ORDER BY 1

-- id: escapes_in_texts
SELECT 'it''s' AS a, 'it\'s' AS b, $$a'b$$ AS c, 'x\\y' AS d;
-- postgres: SELECT 'it''s' AS "A", 'it''s' AS "B", 'a''b' AS "C", 'x\y' AS "D"

-- id: compare_number_with_text
SELECT id FROM product WHERE SPLIT_PART(sku, '-', 2) = id;
-- alternative: compare_number_with_cast

-- id: compare_number_with_cast
SELECT id FROM product WHERE SPLIT_PART(sku, '-', 2)::INT = id AND id = '3' ORDER BY id;
-- postgres: SELECT id AS "ID" FROM product WHERE id = 3

-- id: strpos
SELECT STRPOS(name, 'a') FROM product;
-- alternative: searching

-- id: group_concat
SELECT GROUP_CONCAT(name) FROM customer;
-- alternative: listagg

-- id: approximate
SELECT APPROX_COUNT_DISTINCT(city) FROM customer;
-- alternative: more_aggregates

-- id: random
SELECT id FROM customer ORDER BY RANDOM();
-- alternative: top_rows

-- id: wrong_arguments
SELECT LEFT(id, 'x') FROM customer;
-- error: sql_syntax: Invalid argument types for function 'LEFT'

-- id: months_added_to_a_last_day
SELECT ADD_MONTHS('2024-02-29'::DATE, 1) AS a, ADD_MONTHS('2024-01-30'::DATE, 1) AS b, DATEADD(month, 1, '2024-02-29'::DATE) AS c, ADD_MONTHS('2024-04-30 08:00:00'::TIMESTAMP, 1) AS d;
-- postgres: SELECT date '2024-03-31' AS "A", date '2024-02-29' AS "B", date '2024-03-29' AS "C", timestamp '2024-05-31 08:00:00' AS "D"

-- id: frame_of_last_value_is_the_whole_window
SELECT id, LAST_VALUE(id) OVER (PARTITION BY tier ORDER BY id) AS last, SUM(id) OVER (PARTITION BY tier ORDER BY id) AS sum FROM customer ORDER BY id;
-- postgres: SELECT id AS "ID", last_value(id) OVER (PARTITION BY tier ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS "LAST", sum(id) OVER (PARTITION BY tier ORDER BY id) AS "SUM" FROM customer ORDER BY id

-- id: regular_expressions_take_the_whole_text
SELECT 'abc' RLIKE 'b' AS a, 'abc' REGEXP '.*b.*' AS b, REGEXP_LIKE('abc', 'abc') AS c, 'a' LIKE 'a ' AS d;
-- postgres: SELECT false AS "A", true AS "B", true AS "C", false AS "D"

-- id: quotients_of_decimals
SELECT salary / 3 AS a, bonus / salary AS b, AVG(salary) OVER () AS c FROM employee WHERE id = 2;
-- postgres: SELECT 2066.66666667 AS "A", 0.08064516 AS "B", 6200.0 AS "C"
