-- id: upper_case_names
SELECT ID, Name, "TIER", c.City FROM Customer AS c WHERE ID <= 3 ORDER BY id;
-- postgres: SELECT id AS "ID", name AS "NAME", tier AS "TIER", city AS "CITY" FROM customer WHERE id <= 3 ORDER BY id

-- id: quoted_alias_keeps_its_case
SELECT id AS "orderId", status AS State FROM purchase WHERE total > 100 ORDER BY "orderId";
-- postgres: SELECT id AS "orderId", status AS "STATE" FROM purchase WHERE total > 100 ORDER BY id

-- id: names_that_differ_in_case
SELECT "n", n FROM (SELECT id AS "n", name AS N FROM product) ORDER BY "n" LIMIT 2;
-- postgres: SELECT id AS "n", name AS "N" FROM product ORDER BY id LIMIT 2

-- id: expressions_are_named_by_their_text
SELECT count(*), max(total), 1 + 1 FROM purchase;
-- postgres: SELECT count(*) AS "COUNT(*)", max(total) AS "MAX(TOTAL)", 2 AS "1 + 1" FROM purchase

-- id: qualify_last_order
SELECT customer_id, id, placed_at FROM purchase
QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at DESC, id DESC) = 1
ORDER BY customer_id;
-- postgres: SELECT customer_id AS "CUSTOMER_ID", id AS "ID", placed_at AS "PLACED_AT" FROM (SELECT *, row_number() OVER (PARTITION BY customer_id ORDER BY placed_at DESC, id DESC) AS n FROM purchase) x WHERE n = 1 ORDER BY customer_id

-- id: qualify_with_alias_and_where
SELECT category, name, price, RANK() OVER (PARTITION BY category ORDER BY price DESC) AS place
FROM product WHERE NOT discontinued QUALIFY place <= 2 ORDER BY category, place;
-- postgres: SELECT category AS "CATEGORY", name AS "NAME", price AS "PRICE", place AS "PLACE" FROM (SELECT *, rank() OVER (PARTITION BY category ORDER BY price DESC) AS place FROM product WHERE NOT discontinued) x WHERE place <= 2 ORDER BY category, place

-- id: qualify_over_groups
SELECT customer_id, SUM(total) AS spent FROM purchase GROUP BY customer_id
QUALIFY ROW_NUMBER() OVER (ORDER BY SUM(total) DESC, customer_id) <= 3 ORDER BY spent DESC, customer_id;
-- postgres: SELECT customer_id AS "CUSTOMER_ID", sum(total) AS "SPENT" FROM purchase GROUP BY customer_id ORDER BY 2 DESC, 1 LIMIT 3

-- id: qualify_distinct
SELECT DISTINCT status FROM purchase QUALIFY COUNT(*) OVER (PARTITION BY status) > 1 ORDER BY status;
-- postgres: SELECT status AS "STATUS" FROM purchase GROUP BY status HAVING count(*) > 1 ORDER BY status

-- id: qualify_without_window
SELECT id FROM purchase QUALIFY id > 1;
-- error: sql_syntax: QUALIFY needs a window function

-- id: group_by_all
SELECT tier, city IS NULL AS nowhere, COUNT(*) AS n FROM customer GROUP BY ALL ORDER BY tier, nowhere;
-- postgres: SELECT tier AS "TIER", city IS NULL AS "NOWHERE", count(*) AS "N" FROM customer GROUP BY 1, 2 ORDER BY 1, 2

-- id: order_by_all
SELECT status, customer_id FROM purchase WHERE total < 60 ORDER BY ALL;
-- postgres: SELECT status AS "STATUS", customer_id AS "CUSTOMER_ID" FROM purchase WHERE total < 60 ORDER BY 1, 2

-- id: group_by_alias
SELECT YEAR(joined) AS y, COUNT(*) AS n FROM customer GROUP BY y HAVING n > 1 ORDER BY y;
-- postgres: SELECT extract(year FROM joined)::int AS "Y", count(*) AS "N" FROM customer GROUP BY 1 HAVING count(*) > 1 ORDER BY 1

-- id: lateral_alias
SELECT id, total * 2 AS twice, twice + 1 AS more FROM purchase WHERE twice > 400 ORDER BY more DESC, id;
-- postgres: SELECT id AS "ID", total * 2 AS "TWICE", total * 2 + 1 AS "MORE" FROM purchase WHERE total * 2 > 400 ORDER BY 3 DESC, id

-- id: column_before_alias
SELECT id, LENGTH(name) AS name FROM product WHERE name LIKE 'G%' ORDER BY id;
-- postgres: SELECT id AS "ID", length(name) AS "NAME" FROM product WHERE name LIKE 'G%' ORDER BY id

-- id: not_grouped
SELECT id, name, COUNT(*) FROM customer GROUP BY id;
-- error: sql_syntax: 'CUSTOMER.NAME' in select clause is neither an aggregate nor in the group by clause

-- id: star_exclude
SELECT * EXCLUDE (sku, weight, launched) FROM product WHERE id = 3;
-- postgres: SELECT id AS "ID", name AS "NAME", category AS "CATEGORY", price AS "PRICE", discontinued AS "DISCONTINUED" FROM product WHERE id = 3

-- id: star_rename
SELECT p.* EXCLUDE note RENAME (total AS amount, status AS state) FROM purchase p WHERE id = 106;
-- postgres: SELECT id AS "ID", customer_id AS "CUSTOMER_ID", status AS "STATE", placed_at AS "PLACED_AT", shipped_on AS "SHIPPED_ON", total AS "AMOUNT" FROM purchase WHERE id = 106

-- id: star_exclude_unknown
SELECT * EXCLUDE wait FROM product;
-- error: sql_unknown_name: invalid identifier 'WAIT'

-- id: three_way_join
SELECT c.name, p.id, SUM(l.quantity * l.unit_price) AS worth
FROM customer c JOIN purchase p ON p.customer_id = c.id JOIN line l ON l.purchase_id = p.id
WHERE c.tier IN ('gold', 'silver') GROUP BY c.name, p.id ORDER BY worth DESC, p.id LIMIT 4;
-- postgres: SELECT c.name AS "NAME", p.id AS "ID", sum(l.quantity * l.unit_price) AS "WORTH" FROM customer c JOIN purchase p ON p.customer_id = c.id JOIN line l ON l.purchase_id = p.id WHERE c.tier IN ('gold', 'silver') GROUP BY c.name, p.id ORDER BY 3 DESC, p.id LIMIT 4

-- id: left_join_without_match
SELECT p.name FROM product p LEFT JOIN line l ON l.product_id = p.id WHERE l.product_id IS NULL ORDER BY p.name;
-- postgres: SELECT p.name AS "NAME" FROM product p LEFT JOIN line l ON l.product_id = p.id WHERE l.product_id IS NULL ORDER BY p.name

-- id: join_using
SELECT purchase_id, COUNT(DISTINCT method) AS methods FROM payment JOIN line USING (purchase_id)
GROUP BY purchase_id ORDER BY methods DESC, purchase_id LIMIT 2;
-- postgres: SELECT purchase_id AS "PURCHASE_ID", count(DISTINCT method) AS "METHODS" FROM payment JOIN line USING (purchase_id) GROUP BY purchase_id ORDER BY 2 DESC, 1 LIMIT 2

-- id: nulls_are_largest
SELECT id, city FROM customer ORDER BY city, id;
-- postgres: SELECT id AS "ID", city AS "CITY" FROM customer ORDER BY city NULLS LAST, id

-- id: nulls_first_descending
SELECT id, credit FROM customer ORDER BY credit DESC, id;
-- postgres: SELECT id AS "ID", credit AS "CREDIT" FROM customer ORDER BY credit DESC NULLS FIRST, id

-- id: cte_and_subquery
WITH spent AS (SELECT customer_id, SUM(total) AS amount FROM purchase WHERE status = 'paid' GROUP BY 1)
SELECT c.name, s.amount FROM spent s JOIN customer c ON c.id = s.customer_id
WHERE s.amount > (SELECT AVG(amount) FROM spent) ORDER BY s.amount DESC;
-- postgres: WITH spent AS (SELECT customer_id, sum(total) AS amount FROM purchase WHERE status = 'paid' GROUP BY 1) SELECT c.name AS "NAME", s.amount AS "AMOUNT" FROM spent s JOIN customer c ON c.id = s.customer_id WHERE s.amount > (SELECT avg(amount) FROM spent) ORDER BY s.amount DESC

-- id: recursive_hierarchy
WITH RECURSIVE chain AS (
  SELECT id, name, 0 AS depth FROM employee WHERE manager_id IS NULL
  UNION ALL
  SELECT e.id, e.name, c.depth + 1 FROM employee e JOIN chain c ON e.manager_id = c.id
)
SELECT name, depth FROM chain ORDER BY depth, name;
-- postgres: WITH RECURSIVE chain AS (SELECT id, name, 0 AS depth FROM employee WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, c.depth + 1 FROM employee e JOIN chain c ON e.manager_id = c.id) SELECT name AS "NAME", depth AS "DEPTH" FROM chain ORDER BY depth, name

-- id: minus
SELECT id FROM customer MINUS SELECT customer_id FROM purchase ORDER BY id;
-- postgres: SELECT id AS "ID" FROM customer EXCEPT SELECT customer_id FROM purchase ORDER BY 1

-- id: union_all_totals
SELECT 'paid' AS what, COUNT(*) AS n FROM purchase WHERE status = 'paid'
UNION ALL SELECT 'other', COUNT(*) FROM purchase WHERE status <> 'paid' ORDER BY n DESC, what;
-- postgres: SELECT 'paid' AS "WHAT", count(*) AS "N" FROM purchase WHERE status = 'paid' UNION ALL SELECT 'other', count(*) FROM purchase WHERE status <> 'paid' ORDER BY 2 DESC, 1

-- id: rollup
SELECT tier, COUNT(*) AS n, GROUPING(tier) AS g FROM customer GROUP BY ROLLUP (tier) ORDER BY g, tier;
-- postgres: SELECT tier AS "TIER", count(*) AS "N", grouping(tier) AS "G" FROM customer GROUP BY ROLLUP (tier) ORDER BY 3, 1

-- id: values_in_from
SELECT v.code, v.label, COUNT(p.id) AS n FROM (VALUES ('paid', 'Paid'), ('new', 'New')) AS v (code, label)
LEFT JOIN purchase p ON p.status = v.code GROUP BY v.code, v.label ORDER BY n DESC;
-- postgres: SELECT v.code AS "CODE", v.label AS "LABEL", count(p.id) AS "N" FROM (VALUES ('paid', 'Paid'), ('new', 'New')) AS v (code, label) LEFT JOIN purchase p ON p.status = v.code GROUP BY 1, 2 ORDER BY 3 DESC

-- id: top_rows
SELECT TOP 3 id, total FROM purchase ORDER BY total DESC, id;
-- postgres: SELECT id AS "ID", total AS "TOTAL" FROM purchase ORDER BY total DESC, id LIMIT 3

-- id: running_total
SELECT id, SUM(total) OVER (PARTITION BY customer_id ORDER BY placed_at, id) AS so_far FROM purchase ORDER BY id;
-- postgres: SELECT id AS "ID", sum(total) OVER (PARTITION BY customer_id ORDER BY placed_at, id) AS "SO_FAR" FROM purchase ORDER BY id

-- id: last_value_sees_the_partition
SELECT name, LAST_VALUE(name) OVER (PARTITION BY category ORDER BY price) AS dearest FROM product ORDER BY id;
-- postgres: SELECT name AS "NAME", last_value(name) OVER (PARTITION BY category ORDER BY price ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS "DEAREST" FROM product ORDER BY id

-- id: lag_months
SELECT DATE_TRUNC('month', placed_at)::DATE AS m, SUM(total) AS t, t - LAG(SUM(total)) OVER (ORDER BY DATE_TRUNC('month', placed_at)::DATE) AS d
FROM purchase GROUP BY 1 ORDER BY m;
-- postgres: SELECT date_trunc('month', placed_at)::date AS "M", sum(total) AS "T", sum(total) - lag(sum(total)) OVER (ORDER BY date_trunc('month', placed_at)::date) AS "D" FROM purchase GROUP BY 1 ORDER BY 1

-- id: exists_and_not
SELECT name FROM customer c WHERE EXISTS (SELECT 1 FROM ticket t WHERE t.customer_id = c.id AND t.status = 'open')
AND NOT EXISTS (SELECT 1 FROM purchase p WHERE p.customer_id = c.id AND p.status = 'refunded') ORDER BY name;
-- postgres: SELECT name AS "NAME" FROM customer c WHERE EXISTS (SELECT 1 FROM ticket t WHERE t.customer_id = c.id AND t.status = 'open') AND NOT EXISTS (SELECT 1 FROM purchase p WHERE p.customer_id = c.id AND p.status = 'refunded') ORDER BY name

-- id: flatten_tags
SELECT c.id, f.index, f.value::STRING AS tag FROM customer c, LATERAL FLATTEN(input => c.profile:tags) f ORDER BY c.id, f.index;
-- postgres: SELECT c.id AS "ID", (f.n - 1)::int AS "INDEX", f.tag AS "TAG" FROM customer c, jsonb_array_elements_text(c.profile -> 'tags') WITH ORDINALITY AS f (tag, n) ORDER BY c.id, f.n

-- id: flatten_outer
SELECT c.id, f.value::STRING AS tag FROM customer c, TABLE(FLATTEN(c.profile:tags, outer => true)) f WHERE c.id IN (1, 3, 4) ORDER BY c.id, tag;
-- postgres: SELECT c.id AS "ID", f.tag AS "TAG" FROM customer c LEFT JOIN LATERAL jsonb_array_elements_text(c.profile -> 'tags') AS f (tag) ON true WHERE c.id IN (1, 3, 4) ORDER BY c.id, f.tag

-- id: flatten_object
SELECT f.key, f.value::STRING AS v FROM customer c, LATERAL FLATTEN(input => c.profile:address) f WHERE c.id = 1 ORDER BY f.key;
-- postgres: SELECT f.key AS "KEY", f.value AS "V" FROM customer c, jsonb_each_text(c.profile -> 'address') f WHERE c.id = 1 ORDER BY f.key

-- id: count_of_tags
SELECT f.value::VARCHAR AS tag, COUNT(DISTINCT c.id) AS n FROM customer c, LATERAL FLATTEN(input => profile:tags) f GROUP BY ALL ORDER BY n DESC, tag;
-- postgres: SELECT f.tag AS "TAG", count(DISTINCT c.id) AS "N" FROM customer c, jsonb_array_elements_text(c.profile -> 'tags') AS f (tag) GROUP BY 1 ORDER BY 2 DESC, 1

-- id: unknown_column
SELECT nmae FROM customer;
-- error: sql_unknown_name: SQL compilation error: error line 1 at position 7

-- id: unknown_quoted_column
SELECT c."name" FROM customer c;
-- error: sql_unknown_name: invalid identifier 'C.name'

-- id: unknown_table
SELECT * FROM custmer;
-- error: sql_unknown_name: Object 'CUSTMER' does not exist or not authorized.

-- id: other_schema
SELECT * FROM prod.public.customer;
-- error: sql_unknown_name: does not exist or not authorized.

-- id: ambiguous_column
SELECT id FROM customer c JOIN purchase p ON p.customer_id = c.id;
-- error: sql_unknown_name: ambiguous column name 'ID'

-- id: syntax_at_the_end
SELECT id FROM customer WHERE;
-- error: sql_syntax: unexpected '<EOF>'

-- id: syntax_within
SELECT id FROM customer WHERE id == 3;
-- error: sql_syntax: syntax error line 1 at position 33 unexpected

-- id: aggregate_in_where
SELECT status FROM purchase WHERE COUNT(*) > 1 GROUP BY status;
-- error: sql_syntax: Invalid aggregate function in WHERE

-- id: sample
SELECT id FROM customer SAMPLE (10);
-- alternative: qualify_last_order

-- id: time_travel
SELECT id FROM customer AT(OFFSET => -60) WHERE id <= 3;
-- alternative: upper_case_names

-- id: generator
SELECT SEQ4() FROM TABLE(GENERATOR(ROWCOUNT => 3));
-- alternative: recursive_hierarchy

-- id: column_by_number
SELECT $1 FROM customer;
-- alternative: upper_case_names

-- id: pivot
SELECT * FROM (SELECT customer_id, status, total FROM purchase) PIVOT (SUM(total) FOR status IN ('paid', 'new'));
-- alternative: conditional_sums

-- id: conditional_sums
SELECT customer_id, SUM(IFF(status = 'paid', total, 0)) AS paid, SUM(IFF(status = 'new', total, 0)) AS new FROM purchase GROUP BY ALL ORDER BY customer_id;
-- postgres: SELECT customer_id AS "CUSTOMER_ID", sum(CASE WHEN status = 'paid' THEN total ELSE 0 END) AS "PAID", sum(CASE WHEN status = 'new' THEN total ELSE 0 END) AS "NEW" FROM purchase GROUP BY 1 ORDER BY 1

-- id: subquery_of_truth_values
SELECT * FROM (SELECT TRUE, 2 > 1 AS is_more, FALSE);
-- postgres: SELECT true AS "TRUE", true AS "IS_MORE", false AS "FALSE"
