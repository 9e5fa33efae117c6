-- id: names_of_expressions
SELECT COUNT(*), MAX(total), 1 + 1 FROM purchase;
-- postgres: SELECT count(*) AS "COUNT(*)", max(total) AS "MAX(total)", 1 + 1 AS "1 + 1" FROM purchase

-- id: backticks_and_quotes
SELECT `c`.`name` AS 'who', "it's" AS said FROM `customer` AS c WHERE c.tier = "gold" ORDER BY c.id;
-- postgres: SELECT name AS who, 'it''s' AS said FROM customer WHERE tier = 'gold' ORDER BY id

-- id: backslash_escapes
SELECT 'a\'b\\c' AS x, CHAR_LENGTH('tab\there') AS n;
-- postgres: SELECT E'a''b\\c' AS x, 8 AS n

-- id: case_insensitive_equality
SELECT id, name FROM customer WHERE name = 'ADA MOLLER' OR city = 'koln' ORDER BY id;
-- postgres: SELECT id, name FROM customer WHERE id IN (1, 4, 6) ORDER BY id

-- id: case_insensitive_in
SELECT id FROM customer WHERE tier IN ('GOLD', 'Silver') ORDER BY id;
-- postgres: SELECT id FROM customer WHERE tier IN ('gold', 'silver') ORDER BY id

-- id: binary_equality
SELECT id FROM customer WHERE BINARY tier = 'GOLD' OR name COLLATE utf8mb4_bin = 'Bo Li';
-- postgres: SELECT id FROM customer WHERE tier = 'GOLD' OR name = 'Bo Li'

-- id: like_passes_over_case
SELECT id FROM customer WHERE email LIKE '%EXAMPLE.com' ORDER BY id;
-- postgres: SELECT id FROM customer WHERE lower(email) LIKE '%example.com' ORDER BY id

-- id: like_passes_over_accents
SELECT id, city FROM customer WHERE city LIKE 'zu%' OR name LIKE 'emile%';
-- postgres: SELECT id, city FROM customer WHERE id IN (2, 5)

-- id: like_escape
SELECT id FROM customer WHERE name LIKE '%!%%' ESCAPE '!' OR name LIKE 'hiro\_%';
-- postgres: SELECT id FROM customer WHERE id IN (7, 8)

-- id: not_like
SELECT id FROM product WHERE name NOT LIKE '%E%' ORDER BY id;
-- postgres: SELECT id FROM product WHERE lower(name) NOT LIKE '%e%' ORDER BY id

-- id: order_by_name
SELECT name FROM customer ORDER BY name;
-- postgres: SELECT name FROM customer ORDER BY array_position(ARRAY[1, 2, 3, 4, 5, 6, 7, 8], id)

-- id: order_by_name_descending
SELECT name FROM employee ORDER BY name DESC LIMIT 3;
-- postgres: SELECT name FROM employee ORDER BY lower(name) DESC LIMIT 3

-- id: nulls_first
SELECT id, city FROM customer ORDER BY city, id;
-- postgres: SELECT id, city FROM customer ORDER BY array_position(ARRAY[3, 8, 1, 7, 4, 6, 5, 2], id)

-- id: nulls_last_descending
SELECT id, credit FROM customer ORDER BY credit DESC, id;
-- postgres: SELECT id, credit FROM customer ORDER BY credit DESC NULLS LAST, id

-- id: order_by_is_null
SELECT id, assignee_id FROM ticket ORDER BY assignee_id IS NULL, assignee_id, id;
-- postgres: SELECT id, assignee_id FROM ticket ORDER BY assignee_id NULLS LAST, id

-- id: distinct_passes_over_case
SELECT COUNT(DISTINCT LEFT(name, 1)) AS n FROM customer;
-- postgres: SELECT 8 AS n

-- id: limit_offset_pair
SELECT id FROM purchase ORDER BY id LIMIT 2, 3;
-- postgres: SELECT id FROM purchase ORDER BY id LIMIT 3 OFFSET 2

-- id: pipes_are_or
SELECT id FROM product WHERE category = 'garden' || discontinued ORDER BY id;
-- postgres: SELECT id FROM product WHERE category = 'garden' OR discontinued ORDER BY id

-- id: booleans_are_numbers
SELECT id, active, active + 1 AS more, NOT active AS idle FROM customer WHERE active = 1 AND id < 4;
-- postgres: SELECT id, active::int AS active, active::int + 1 AS more, (NOT active)::int AS idle FROM customer WHERE active AND id < 4

-- id: comparisons_are_numbers
SELECT SUM(status = 'paid') AS paid, SUM(total > 100) AS large, AVG(status = 'PAID') AS share FROM purchase;
-- postgres: SELECT sum((status = 'paid')::int) AS paid, sum((total > 100)::int) AS large, round(avg((status = 'paid')::int), 4) AS share FROM purchase

-- id: true_and_xor
SELECT TRUE AS yes, 1 XOR 0 AS x, 3 > 2 AS t, NULL IS NULL AS n;
-- postgres: SELECT 1 AS yes, 1 AS x, 1 AS t, 1 AS n

-- id: null_safe_equality
SELECT id FROM customer WHERE city <=> NULL ORDER BY id;
-- postgres: SELECT id FROM customer WHERE city IS NULL ORDER BY id

-- id: division_has_four_digits
SELECT id, total / 3 AS third, 7 / 2 AS half FROM purchase WHERE id IN (101, 107) ORDER BY id;
-- postgres: SELECT id, round(total / 3, 6) AS third, 3.5000 AS half FROM purchase WHERE id IN (101, 107) ORDER BY id

-- id: division_keeps_digits_inside
SELECT 1 / 3 * 3 AS one, ROUND(2 / 3, 2) AS two;
-- postgres: SELECT 1.0000 AS one, 0.67 AS two

-- id: division_keeps_nine_digits
SELECT AVG(total) / 2 AS a, 64.90 / 3 * 249.00 AS b FROM purchase WHERE customer_id = 1;
-- postgres: SELECT round(trunc(avg(total), 9) / 2, 10) AS a, round(trunc(64.90 / 3, 9) * 249.00, 8) AS b FROM purchase WHERE customer_id = 1

-- id: count_of_pairs
SELECT COUNT(DISTINCT tier, city) FROM customer;
-- alternative: count_of_rows

-- id: count_of_rows
SELECT COUNT(*) AS n FROM (SELECT DISTINCT tier, city FROM customer WHERE city IS NOT NULL) AS x;
-- postgres: SELECT count(DISTINCT (tier, city)) AS n FROM customer WHERE city IS NOT NULL

-- id: division_by_zero_is_null
SELECT 1 / 0 AS a, 5 DIV 0 AS b, 5 % 0 AS c;
-- postgres: SELECT NULL::numeric AS a, NULL::int AS b, NULL::int AS c

-- id: whole_division
SELECT 7 DIV 2 AS a, -7 DIV 2 AS b, 7 MOD 3 AS c, -7 % 3 AS d, MOD(29, 9) AS e;
-- postgres: SELECT 3 AS a, -3 AS b, 1 AS c, -1 AS d, 2 AS e

-- id: average_has_four_more
SELECT tier, AVG(credit) AS mean, AVG(id) AS middle FROM customer GROUP BY tier ORDER BY tier;
-- postgres: SELECT tier, round(avg(credit), 6) AS mean, round(avg(id), 4) AS middle FROM customer GROUP BY tier ORDER BY tier

-- id: revenue_by_category
SELECT p.category, SUM(l.quantity * l.unit_price * (1 - IFNULL(l.discount, 0))) AS revenue FROM line l JOIN product p ON p.id = l.product_id GROUP BY p.category ORDER BY revenue DESC;
-- postgres: SELECT p.category, sum(l.quantity * l.unit_price * (1 - coalesce(l.discount, 0))) AS revenue FROM line l JOIN product p ON p.id = l.product_id GROUP BY p.category ORDER BY revenue DESC

-- id: having_an_alias
SELECT customer_id, COUNT(*) AS orders FROM purchase GROUP BY customer_id HAVING orders > 1 ORDER BY orders DESC, customer_id;
-- postgres: SELECT customer_id, count(*) AS orders FROM purchase GROUP BY customer_id HAVING count(*) > 1 ORDER BY orders DESC, customer_id

-- id: group_by_alias
SELECT DATE_FORMAT(placed_at, '%Y-%m') AS month, COUNT(*) AS n, SUM(total) AS sum FROM purchase GROUP BY month ORDER BY month;
-- postgres: SELECT to_char(placed_at, 'YYYY-MM') AS month, count(*) AS n, sum(total) AS sum FROM purchase GROUP BY 1 ORDER BY 1

-- id: group_by_key
SELECT c.id, c.name, COUNT(p.id) AS n FROM customer c LEFT JOIN purchase p ON p.customer_id = c.id GROUP BY c.id ORDER BY n DESC, c.id;
-- postgres: SELECT c.id, c.name, count(p.id) AS n FROM customer c LEFT JOIN purchase p ON p.customer_id = c.id GROUP BY c.id ORDER BY n DESC, c.id

-- id: only_full_group_by
SELECT status, total FROM purchase GROUP BY status;
-- error: sql_syntax: nonaggregated column 'purchase.total'

-- id: rollup
SELECT category, COUNT(*) AS n, SUM(price) AS total FROM product GROUP BY category WITH ROLLUP;
-- postgres: SELECT category, count(*) AS n, sum(price) AS total FROM product GROUP BY ROLLUP (category)

-- id: group_concat
SELECT category, GROUP_CONCAT(name ORDER BY name DESC SEPARATOR '; ') AS names FROM product GROUP BY category ORDER BY category;
-- postgres: SELECT category, string_agg(name, '; ' ORDER BY name DESC) AS names FROM product GROUP BY category ORDER BY category

-- id: group_concat_distinct
SELECT GROUP_CONCAT(DISTINCT status ORDER BY status) AS statuses, GROUP_CONCAT(id ORDER BY id) AS ids FROM purchase WHERE customer_id = 2;
-- postgres: SELECT 'cancelled,new,paid' AS statuses, '103,104,112' AS ids

-- id: concat_is_null_with_null
SELECT id, CONCAT(name, ' <', email, '>') AS x, CONCAT_WS(', ', name, email, tier) AS y FROM customer WHERE id IN (3, 6) ORDER BY id;
-- postgres: SELECT id, name || ' <' || email || '>' AS x, concat_ws(', ', name, email, tier) AS y FROM customer WHERE id IN (3, 6) ORDER BY id

-- id: concat_of_numbers
SELECT CONCAT(id, ': ', price, ' on ', launched) AS x FROM product WHERE id = 2;
-- postgres: SELECT id || ': ' || price || ' on ' || launched AS x FROM product WHERE id = 2

-- id: if_and_ifnull
SELECT id, IF(credit > 100, 'rich', 'poor') AS kind, IFNULL(credit, 0) AS credit, NULLIF(tier, 'GOLD') AS other FROM customer ORDER BY id;
-- postgres: SELECT id, CASE WHEN credit > 100 THEN 'rich' ELSE 'poor' END AS kind, coalesce(credit, 0) AS credit, nullif(tier, 'gold') AS other FROM customer ORDER BY id

-- id: case_texts_pass_over_case
SELECT n.band, COUNT(*) AS n FROM (SELECT CASE WHEN total >= 100 THEN 'High' ELSE 'Low' END AS band FROM purchase) n WHERE n.band = 'HIGH' GROUP BY n.band;
-- postgres: SELECT 'High' AS band, count(*) AS n FROM purchase WHERE total >= 100

-- id: text_functions
SELECT UPPER(sku) AS u, LEFT(name, 3) AS l, RIGHT(name, 2) AS r, SUBSTRING(name, -3) AS s, SUBSTRING(name, 2, 3) AS m, LENGTH(name) AS n, REVERSE(sku) AS b FROM product WHERE id = 1;
-- postgres: SELECT upper(sku) AS u, 'Esp' AS l, 'up' AS r, 'Cup' AS s, 'spr' AS m, 12 AS n, '100-UKS' AS b FROM product WHERE id = 1

-- id: more_text_functions
SELECT SUBSTRING_INDEX(email, '@', 1) AS user, SUBSTRING_INDEX(email, '.', -1) AS tld, LOCATE('EXAMPLE', email) AS at, INSTR(email, '@') AS sign, REPLACE(email, 'example', 'test') AS new, LPAD(id, 4, '0') AS code FROM customer WHERE id = 1;
-- postgres: SELECT 'ada' AS user, 'com' AS tld, 5 AS at, 4 AS sign, 'ada@test.com' AS new, '0001' AS code

-- id: trims
SELECT TRIM('  a ') AS a, TRIM(LEADING '0' FROM '0070') AS b, LTRIM(' x') AS c, CHAR_LENGTH(TRIM(BOTH 'x' FROM 'xxaxx')) AS d;
-- postgres: SELECT 'a' AS a, '70' AS b, 'x' AS c, 1 AS d

-- id: field_order
SELECT id, status FROM ticket ORDER BY FIELD(status, 'open', 'waiting', 'closed'), id;
-- postgres: SELECT id, status FROM ticket ORDER BY array_position(ARRAY['open', 'waiting', 'closed'], status), id

-- id: regexp
SELECT id FROM customer WHERE email REGEXP '^[a-f].*@example\\.com$' ORDER BY id;
-- postgres: SELECT id FROM customer WHERE email ~* '^[a-f].*@example\.com$' ORDER BY id

-- id: number_functions
SELECT ROUND(12.345, 2) AS a, ROUND(-2.5) AS b, TRUNCATE(12.349, 2) AS c, FLOOR(-1.5) AS d, CEIL(1.2) AS e, ABS(-3) AS f, FORMAT(1234567.891, 2) AS g, GREATEST(1, 3, 2) AS h, LEAST(4, NULL) AS i;
-- postgres: SELECT 12.35 AS a, -3 AS b, 12.34 AS c, -2 AS d, 2 AS e, 3 AS f, '1,234,567.89' AS g, 3 AS h, NULL::int AS i

-- id: casts
SELECT CAST('12abc' AS SIGNED) AS a, CAST('3.456' AS DECIMAL(10,2)) AS b, CAST(2.5 AS SIGNED) AS c, CAST(id AS CHAR) AS d, CAST(placed_at AS DATE) AS e FROM purchase WHERE id = 101;
-- postgres: SELECT 12 AS a, 3.46 AS b, 3 AS c, '101' AS d, date '2024-01-31' AS e

-- id: dates_of_the_world
SELECT CURDATE() AS today, NOW() AS at, CURRENT_TIMESTAMP AS also, CURRENT_DATE AS day;
-- postgres: SELECT current_date AS today, localtimestamp AS at, localtimestamp AS also, current_date AS day

-- id: date_arithmetic
SELECT DATE_ADD('2024-01-31', INTERVAL 1 MONTH) AS a, placed_at - INTERVAL 90 MINUTE AS b, DATE_SUB(shipped_on, INTERVAL 1 WEEK) AS c, shipped_on + INTERVAL 6 HOUR AS d FROM purchase WHERE id = 102;
-- postgres: SELECT date '2024-02-29' AS a, placed_at - interval '90 minutes' AS b, shipped_on - 7 AS c, shipped_on + interval '6 hours' AS d FROM purchase WHERE id = 102

-- id: date_differences
SELECT id, DATEDIFF(shipped_on, placed_at) AS days, TIMESTAMPDIFF(HOUR, placed_at, shipped_on) AS hours FROM purchase WHERE shipped_on IS NOT NULL ORDER BY id;
-- postgres: SELECT id, shipped_on - placed_at::date AS days, trunc(extract(epoch FROM shipped_on - placed_at) / 3600)::int AS hours FROM purchase WHERE shipped_on IS NOT NULL ORDER BY id

-- id: whole_months
SELECT TIMESTAMPDIFF(MONTH, '2024-01-31', '2024-02-29') AS a, TIMESTAMPDIFF(YEAR, hired, '2024-07-01') AS b FROM employee ORDER BY id;
-- postgres: SELECT 0 AS a, extract(year FROM age(timestamp '2024-07-01', hired))::int AS b FROM employee ORDER BY id

-- id: parts_of_dates
SELECT YEAR(placed_at) AS y, MONTH(placed_at) AS m, DAYOFWEEK(placed_at) AS w, WEEKDAY(placed_at) AS d, HOUR(placed_at) AS h, QUARTER(placed_at) AS q, DAYNAME(placed_at) AS name, EXTRACT(YEAR_MONTH FROM placed_at) AS ym FROM purchase WHERE id = 101;
-- postgres: SELECT 2024 AS y, 1 AS m, 4 AS w, 2 AS d, 23 AS h, 1 AS q, 'Wednesday' AS name, 202401 AS ym

-- id: formats
SELECT DATE_FORMAT(placed_at, '%W, %e %M %Y %H:%i') AS a, DATE_FORMAT(placed_at, '%d/%m/%y %l %p, %D') AS b FROM purchase WHERE id = 101;
-- postgres: SELECT 'Wednesday, 31 January 2024 23:59' AS a, '31/01/24 11 PM, 31st' AS b

-- id: str_to_date
SELECT STR_TO_DATE('03.06.2024', '%d.%m.%Y') AS a, STR_TO_DATE('2024-06-03 08:05', '%Y-%m-%d %H:%i') AS b, STR_TO_DATE('no date', '%Y-%m-%d') AS c;
-- postgres: SELECT date '2024-06-03' AS a, timestamp '2024-06-03 08:05' AS b, NULL::date AS c

-- id: month_ends
SELECT LAST_DAY('2024-02-05') AS a, LAST_DAY(NOW()) AS b, COUNT(*) AS n FROM employee WHERE hired = LAST_DAY(hired);
-- postgres: SELECT date '2024-02-29' AS a, date '2024-07-31' AS b, count(*) AS n FROM employee WHERE hired = (date_trunc('month', hired) + interval '1 month - 1 day')::date

-- id: timestamps_like
SELECT id FROM purchase WHERE placed_at LIKE '2024-06-%' AND placed_at >= '2024-06-20' ORDER BY id;
-- postgres: SELECT id FROM purchase WHERE placed_at::text LIKE '2024-06-%' AND placed_at >= '2024-06-20' ORDER BY id

-- id: last_thirty_days
SELECT COUNT(*) AS n FROM purchase WHERE placed_at >= NOW() - INTERVAL 30 DAY;
-- postgres: SELECT count(*) AS n FROM purchase WHERE placed_at >= localtimestamp - interval '30 days'

-- id: documents
SELECT id, profile->>'$.address.city' AS city, profile->'$.age' AS age, JSON_UNQUOTE(JSON_EXTRACT(profile, '$.tags[0]')) AS tag, JSON_LENGTH(profile, '$.tags') AS n FROM customer WHERE id IN (1, 2, 8) ORDER BY id;
-- postgres: SELECT id, profile #>> '{address,city}' AS city, profile -> 'age' AS age, profile #>> '{tags,0}' AS tag, jsonb_array_length(profile -> 'tags') AS n FROM customer WHERE id IN (1, 2, 8) ORDER BY id

-- id: documents_compare
SELECT id FROM customer WHERE JSON_CONTAINS(profile, '"vip"', '$.tags') AND CAST(profile->>'$.age' AS SIGNED) > 40;
-- postgres: SELECT id FROM customer WHERE profile -> 'tags' @> '"vip"' AND (profile ->> 'age')::int > 40

-- id: windows
SELECT id, customer_id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at DESC, id) AS n, SUM(total) OVER w AS running, LAG(total, 1, 0) OVER w AS before FROM purchase WINDOW w AS (PARTITION BY customer_id ORDER BY placed_at, id) ORDER BY id;
-- postgres: SELECT id, customer_id, row_number() OVER (PARTITION BY customer_id ORDER BY placed_at DESC, id) AS n, sum(total) OVER w AS running, lag(total, 1, 0.00) OVER w AS before FROM purchase WINDOW w AS (PARTITION BY customer_id ORDER BY placed_at, id) ORDER BY id

-- id: moving_average
SELECT id, AVG(total) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS mean, RANK() OVER (ORDER BY total DESC) AS place FROM purchase ORDER BY id;
-- postgres: SELECT id, round(avg(total) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), 6) AS mean, rank() OVER (ORDER BY total DESC) AS place FROM purchase ORDER BY id

-- id: interval_frame
SELECT id, COUNT(*) OVER (ORDER BY placed_at RANGE BETWEEN INTERVAL 30 DAY PRECEDING AND CURRENT ROW) AS n FROM purchase ORDER BY id;
-- postgres: SELECT id, count(*) OVER (ORDER BY placed_at RANGE BETWEEN interval '30 days' PRECEDING AND CURRENT ROW) AS n FROM purchase ORDER BY id

-- id: recursive_tree
WITH RECURSIVE tree AS (SELECT id, name, 0 AS depth FROM employee WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, t.depth + 1 FROM employee e JOIN tree t ON e.manager_id = t.id) SELECT id, name, depth FROM tree ORDER BY depth, id;
-- postgres: WITH RECURSIVE tree AS (SELECT id, name, 0 AS depth FROM employee WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, t.depth + 1 FROM employee e JOIN tree t ON e.manager_id = t.id) SELECT id, name, depth FROM tree ORDER BY depth, id

-- id: latest_of_each
SELECT customer_id, id FROM (SELECT customer_id, id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at DESC, id DESC) AS rn FROM purchase) AS ranked WHERE rn = 1 ORDER BY customer_id;
-- postgres: SELECT DISTINCT ON (customer_id) customer_id, id FROM purchase ORDER BY customer_id, placed_at DESC, id DESC

-- id: anti_join
SELECT c.id FROM customer c LEFT JOIN purchase p ON p.customer_id = c.id WHERE p.id IS NULL;
-- postgres: SELECT c.id FROM customer c LEFT JOIN purchase p ON p.customer_id = c.id WHERE p.id IS NULL

-- id: union_passes_over_case
SELECT city AS place FROM customer WHERE id IN (4, 5) UNION SELECT 'KÖLN' UNION SELECT 'Lyon' ORDER BY place;
-- postgres: SELECT * FROM (VALUES ('Köln'), ('Lyon'), ('Paris')) AS x(place) ORDER BY place

-- id: full_join
SELECT c.id FROM customer c FULL JOIN purchase p ON p.customer_id = c.id;
-- error: sql_syntax: You have an error in your SQL syntax

-- id: text_beside_number
SELECT id FROM product WHERE sku > 5;
-- alternative: text_cast_beside_number

-- id: text_cast_beside_number
SELECT id FROM product WHERE CAST(SUBSTRING(sku, 5) AS SIGNED) > 5 ORDER BY id;
-- postgres: SELECT id FROM product WHERE substr(sku, 5)::int > 5 ORDER BY id

-- id: having_without_groups
SELECT id, total * 2 AS twice FROM purchase HAVING twice > 400;
-- alternative: where_instead_of_having

-- id: where_instead_of_having
SELECT id, total * 2 AS twice FROM purchase WHERE total * 2 > 400 ORDER BY id;
-- postgres: SELECT id, total * 2 AS twice FROM purchase WHERE total * 2 > 400 ORDER BY id

-- id: user_variable
SELECT @n := 1;
-- error: sql_unsupported: is not supported here

-- id: unknown_column
SELECT id, nam FROM customer;
-- error: sql_unknown_name: Unknown column 'nam' in 'field list'

-- id: unknown_table
SELECT * FROM customers;
-- error: sql_unknown_name: Table 'world.customers' doesn't exist

-- id: syntax_error
SELECT id FORM customer WHERE;
-- error: sql_syntax: You have an error in your SQL syntax

-- id: subtracting_dates
SELECT shipped_on - placed_at FROM purchase;
-- alternative: date_differences

-- id: blanks_at_the_end_count
SELECT 'a' = 'a ' AS a, 'ß' = 'ss' AS b, 'a' < 'B' AS c, 'é' = 'e' AS d;
-- postgres: SELECT 0 AS a, 1 AS b, 1 AS c, 1 AS d

-- id: logic_of_null
SELECT 1 AND NULL AS a, 0 AND NULL AS b, 1 OR NULL AS c, NULL <=> NULL AS d, IF(NULL, 1, 2) AS e;
-- postgres: SELECT NULL::integer AS a, 0 AS b, 1 AS c, 1 AS d, 2 AS e

-- id: month_ends_and_differences
SELECT TIMESTAMPDIFF(MONTH, '2024-01-31', '2024-02-29') AS a, TIMESTAMPDIFF(YEAR, '2020-02-29', '2021-02-28') AS b, DATEDIFF('2024-03-01 00:00:01', '2024-02-29 23:59:59') AS c, LAST_DAY('2024-02-10') AS d;
-- postgres: SELECT 0 AS a, 0 AS b, 1 AS c, date '2024-02-29' AS d
