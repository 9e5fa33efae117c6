-- id: names_in_any_case
SELECT ID, c.Name AS Who, tier FROM `main.customer` AS c WHERE TIER = "gold" ORDER BY id;
-- postgres: SELECT id AS "ID", name AS "Who", tier FROM customer WHERE tier = 'gold' ORDER BY id

-- id: names_of_expressions
SELECT COUNT(*), MAX(total) AS most, 1 + 1, SUM(total) FROM purchase;
-- postgres: SELECT count(*) AS f0_, max(total) AS most, 2 AS f1_, sum(total) AS f2_ FROM purchase

-- id: backticks
SELECT `id` AS `order`, `status` FROM main.`purchase` WHERE `total` > 100 ORDER BY `order`;
-- postgres: SELECT id AS "order", status FROM purchase WHERE total > 100 ORDER BY id

-- id: qualify_last_order
SELECT customer_id, id FROM purchase WHERE TRUE
QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at DESC, id DESC) = 1 ORDER BY customer_id;
-- postgres: SELECT DISTINCT ON (customer_id) customer_id, id FROM purchase ORDER BY customer_id, placed_at DESC, id DESC

-- id: qualify_by_alias
SELECT category, name, RANK() OVER (PARTITION BY category ORDER BY price DESC) AS place
FROM product QUALIFY place = 1 ORDER BY category;
-- postgres: SELECT DISTINCT ON (category) category, name, 1 AS place FROM product ORDER BY category, price DESC

-- id: star_except
SELECT * EXCEPT (sku, weight, launched) FROM product WHERE id = 3;
-- postgres: SELECT id, name, category, price, discontinued FROM product WHERE id = 3

-- id: star_replace
SELECT p.* EXCEPT (note, placed_at) REPLACE (total * 2 AS total, UPPER(status) AS status) FROM purchase p WHERE id = 106;
-- postgres: SELECT id, customer_id, upper(status) AS status, shipped_on, total * 2 AS total FROM purchase WHERE id = 106

-- id: group_and_having_by_alias
SELECT EXTRACT(YEAR FROM joined) AS y, COUNT(*) AS n FROM customer GROUP BY y HAVING n > 1 ORDER BY y;
-- postgres: SELECT extract(year FROM joined)::int AS y, count(*) AS n FROM customer GROUP BY 1 HAVING count(*) > 1 ORDER BY 1

-- id: group_by_ambiguous_alias
SELECT UPPER(status) AS status, COUNT(*) AS n FROM purchase GROUP BY status;
-- alternative: group_by_number

-- id: group_by_number
SELECT UPPER(status) AS status, COUNT(*) AS n FROM purchase GROUP BY 1 ORDER BY n DESC, status;
-- postgres: SELECT upper(status) AS status, count(*) AS n FROM purchase GROUP BY 1 ORDER BY 2 DESC, 1

-- id: group_by_all
SELECT tier, city IS NULL AS nowhere, COUNT(*) AS n FROM customer GROUP BY ALL ORDER BY tier, nowhere;
-- postgres: SELECT tier, city IS NULL AS nowhere, count(*) AS n FROM customer GROUP BY 1, 2 ORDER BY 1, 2

-- id: rollup_nulls_first
SELECT tier, COUNT(*) AS n FROM customer GROUP BY ROLLUP (tier) ORDER BY tier;
-- postgres: SELECT tier, count(*) AS n FROM customer GROUP BY ROLLUP (tier) ORDER BY tier NULLS FIRST

-- id: grouping_sets
SELECT tier, active, COUNT(*) AS n, GROUPING(tier) AS g FROM customer GROUP BY GROUPING SETS ((tier), (active), ()) ORDER BY g, tier, active;
-- postgres: SELECT tier, active, count(*) AS n, grouping(tier) AS g FROM customer GROUP BY GROUPING SETS ((tier), (active), ()) ORDER BY 4, 1 NULLS FIRST, 2 NULLS FIRST

-- id: cube
SELECT tier, active, COUNT(*) AS n FROM customer GROUP BY CUBE (tier, active) ORDER BY tier, active, n;
-- postgres: SELECT tier, active, count(*) AS n FROM customer GROUP BY CUBE (tier, active) ORDER BY 1 NULLS FIRST, 2 NULLS FIRST, 3

-- id: nulls_are_smallest
SELECT id, city FROM customer ORDER BY city, id;
-- postgres: SELECT id, city FROM customer ORDER BY city NULLS FIRST, id

-- id: nulls_last_descending
SELECT id, credit FROM customer ORDER BY credit DESC, id;
-- postgres: SELECT id, credit FROM customer ORDER BY credit DESC NULLS LAST, id

-- id: not_grouped
SELECT id, name, COUNT(*) FROM customer GROUP BY id;
-- error: sql_syntax: SELECT list expression references column name which is neither grouped nor aggregated at [1:12]

-- id: three_way_join
SELECT c.name, SUM(l.quantity * l.unit_price) AS worth FROM customer c
JOIN purchase p ON p.customer_id = c.id JOIN line l ON l.purchase_id = p.id
WHERE p.status != 'cancelled' GROUP BY c.name ORDER BY worth DESC LIMIT 3;
-- postgres: SELECT c.name, sum(l.quantity * l.unit_price) AS worth FROM customer c JOIN purchase p ON p.customer_id = c.id JOIN line l ON l.purchase_id = p.id WHERE p.status <> 'cancelled' GROUP BY c.name ORDER BY 2 DESC LIMIT 3

-- id: left_join
SELECT p.name FROM product p LEFT JOIN line l ON l.product_id = p.id WHERE l.product_id IS NULL ORDER BY p.name;
-- postgres: SELECT p.name FROM product p LEFT JOIN line l ON l.product_id = p.id WHERE l.product_id IS NULL ORDER BY p.name

-- id: join_using
SELECT purchase_id, COUNT(DISTINCT method) AS methods FROM payment JOIN line USING (purchase_id) GROUP BY purchase_id ORDER BY methods DESC, purchase_id LIMIT 2;
-- postgres: SELECT purchase_id, count(DISTINCT method) AS methods FROM payment JOIN line USING (purchase_id) GROUP BY purchase_id ORDER BY 2 DESC, 1 LIMIT 2

-- id: cte_above_average
WITH spent AS (SELECT customer_id, SUM(total) AS amount FROM purchase WHERE status = 'paid' GROUP BY customer_id)
SELECT c.name, s.amount FROM spent s JOIN customer c ON c.id = s.customer_id WHERE s.amount > (SELECT AVG(amount) FROM spent) ORDER BY s.amount DESC;
-- postgres: WITH spent AS (SELECT customer_id, sum(total) AS amount FROM purchase WHERE status = 'paid' GROUP BY 1) SELECT c.name, s.amount FROM spent s JOIN customer c ON c.id = s.customer_id WHERE s.amount > (SELECT avg(amount) FROM spent) ORDER BY s.amount DESC

-- id: recursive
WITH RECURSIVE chain AS (
  SELECT id, name, 0 AS depth FROM employee WHERE manager_id IS NULL
  UNION ALL SELECT e.id, e.name, c.depth + 1 FROM employee e JOIN chain c ON e.manager_id = c.id
)
SELECT name, depth FROM chain ORDER BY depth, name;
-- postgres: WITH RECURSIVE chain AS (SELECT id, name, 0 AS depth FROM employee WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, c.depth + 1 FROM employee e JOIN chain c ON e.manager_id = c.id) SELECT name, depth FROM chain ORDER BY depth, name

-- id: union_distinct
SELECT city FROM customer WHERE tier = 'gold' UNION DISTINCT SELECT city FROM customer WHERE active ORDER BY city;
-- postgres: SELECT city FROM customer WHERE tier = 'gold' UNION SELECT city FROM customer WHERE active ORDER BY city NULLS FIRST

-- id: except_distinct
SELECT id FROM customer EXCEPT DISTINCT SELECT customer_id FROM purchase ORDER BY id;
-- postgres: SELECT id FROM customer EXCEPT SELECT customer_id FROM purchase ORDER BY 1

-- id: union_without_word
SELECT id FROM customer UNION SELECT id FROM purchase;
-- error: sql_syntax: Syntax error: Expected keyword ALL or keyword DISTINCT but got SELECT at [1:31]

-- id: unnest_with_offset
SELECT x, o FROM UNNEST(['b', 'a', 'c']) AS x WITH OFFSET AS o ORDER BY x;
-- postgres: SELECT x, (o - 1)::int AS o FROM unnest(ARRAY['b', 'a', 'c']) WITH ORDINALITY AS u (x, o) ORDER BY x

-- id: unnest_tags
SELECT c.id, tag FROM customer c, UNNEST(JSON_VALUE_ARRAY(c.profile, '$.tags')) AS tag ORDER BY c.id, tag;
-- postgres: SELECT c.id, tag FROM customer c, jsonb_array_elements_text(c.profile -> 'tags') AS tag ORDER BY c.id, tag

-- id: left_join_unnest
SELECT c.id, tag FROM customer c LEFT JOIN UNNEST(JSON_VALUE_ARRAY(c.profile, '$.tags')) AS tag WHERE c.id IN (1, 3, 4) ORDER BY c.id, tag;
-- postgres: SELECT c.id, tag FROM customer c LEFT JOIN LATERAL jsonb_array_elements_text(c.profile -> 'tags') AS tag ON true WHERE c.id IN (1, 3, 4) ORDER BY c.id, tag

-- id: calendar_of_months
SELECT m, COUNT(p.id) AS n FROM UNNEST(GENERATE_DATE_ARRAY('2024-01-01', DATE '2024-06-01', INTERVAL 1 MONTH)) AS m
LEFT JOIN purchase p ON DATE_TRUNC(DATE(p.placed_at), MONTH) = m GROUP BY m ORDER BY m;
-- postgres: SELECT m::date AS m, count(p.id) AS n FROM generate_series('2024-01-01'::timestamp, '2024-06-01', '1 month') AS m LEFT JOIN purchase p ON date_trunc('month', p.placed_at) = m GROUP BY 1 ORDER BY 1

-- id: in_unnest
SELECT name FROM product WHERE id IN UNNEST(GENERATE_ARRAY(1, 5, 2)) AND category IN ('kitchen', 'office') ORDER BY name;
-- postgres: SELECT name FROM product WHERE id IN (1, 3, 5) AND category IN ('kitchen', 'office') ORDER BY name

-- id: running_total
SELECT id, SUM(total) OVER (PARTITION BY customer_id ORDER BY placed_at, id) AS so_far, LAG(id) OVER (ORDER BY id) AS before FROM purchase ORDER BY id;
-- postgres: SELECT id, sum(total) OVER (PARTITION BY customer_id ORDER BY placed_at, id) AS so_far, lag(id) OVER (ORDER BY id) AS before FROM purchase ORDER BY id

-- id: last_value_frame
SELECT name, LAST_VALUE(name) OVER (PARTITION BY category ORDER BY price) AS so_far FROM product ORDER BY id;
-- postgres: SELECT name, last_value(name) OVER (PARTITION BY category ORDER BY price) AS so_far FROM product ORDER BY id

-- id: exists_and_not
SELECT name FROM customer c WHERE EXISTS (SELECT 1 FROM ticket t WHERE t.customer_id = c.id AND t.status = 'open') AND id NOT IN (SELECT customer_id FROM purchase WHERE status = 'refunded') ORDER BY name;
-- postgres: SELECT name FROM customer c WHERE EXISTS (SELECT 1 FROM ticket t WHERE t.customer_id = c.id AND t.status = 'open') AND id NOT IN (SELECT customer_id FROM purchase WHERE status = 'refunded') ORDER BY name

-- id: unknown_name
SELECT nmae FROM customer;
-- error: sql_unknown_name: Unrecognized name: nmae; Did you mean name? at [1:8]

-- id: unknown_field
SELECT c.nmae FROM customer c;
-- error: sql_unknown_name: Name nmae not found inside c; Did you mean name? at [1:8]

-- id: unknown_table
SELECT 1 FROM other.customer;
-- error: sql_unknown_name: Not found: Table other.customer was not found at [1:15]

-- id: other_project
SELECT 1 FROM `acme.main.customer`;
-- error: sql_unknown_name: Not found: Table

-- id: ambiguous
SELECT id FROM customer c JOIN purchase p ON p.customer_id = c.id;
-- error: sql_unknown_name: Column name id is ambiguous at [1:8]

-- id: number_and_text
SELECT id FROM customer WHERE id = '5';
-- error: sql_syntax: No matching signature for operator = for argument types: INT64, STRING

-- id: timestamp_and_date
SELECT id FROM purchase WHERE placed_at >= DATE '2024-06-01';
-- error: sql_syntax: No matching signature for operator >= for argument types: TIMESTAMP, DATE

-- id: alias_in_where
SELECT total * 2 AS twice FROM purchase WHERE twice > 3;
-- error: sql_unknown_name: Unrecognized name: twice

-- id: end_of_statement
SELECT id FROM customer WHERE;
-- error: sql_syntax: Syntax error: Unexpected end of statement

-- id: aggregate_in_where
SELECT status FROM purchase WHERE COUNT(*) > 1 GROUP BY status;
-- error: sql_syntax: Aggregate function not allowed in WHERE clause

-- id: modulo_sign
SELECT 5 % 3;
-- error: sql_syntax: Syntax error: Unexpected "%"

-- id: double_colon
SELECT '5'::INT64;
-- error: sql_syntax: Syntax error: Unexpected "::"

-- id: tablesample
SELECT id FROM customer TABLESAMPLE SYSTEM (10 PERCENT);
-- alternative: names_in_any_case

-- id: time_travel
SELECT id FROM customer FOR SYSTEM_TIME AS OF TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR);
-- alternative: names_in_any_case

-- id: structs
SELECT STRUCT(id AS a, name) FROM customer;
-- alternative: names_in_any_case
