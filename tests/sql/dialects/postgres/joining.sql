-- id: inner_join
SELECT p.id, c.name FROM purchase p INNER JOIN customer c ON p.customer_id = c.id WHERE p.total > 50 ORDER BY p.id;

-- id: left_join_missing
SELECT c.id, p.id AS purchase FROM customer c LEFT JOIN purchase p ON p.customer_id = c.id AND p.status = 'new' ORDER BY c.id, p.id;

-- id: right_join
SELECT c.name, t.id FROM ticket t RIGHT JOIN customer c ON c.id = t.customer_id ORDER BY c.id, t.id;

-- id: full_join
SELECT e.name, t.id FROM employee e FULL OUTER JOIN ticket t ON t.assignee_id = e.id ORDER BY e.id NULLS LAST, t.id;

-- id: cross_join
SELECT a.id, b.id FROM customer a CROSS JOIN employee b WHERE a.id < 3 AND b.id < 3 ORDER BY 1, 2;

-- id: comma_join
SELECT c.name, t.subject FROM customer c, ticket t WHERE t.customer_id = c.id AND t.priority = 1 ORDER BY t.id;

-- id: join_using
SELECT product_id, s.quantity, l.quantity AS sold FROM stock s JOIN line l USING (product_id) WHERE s.warehouse = 'north' ORDER BY product_id, sold, l.purchase_id;

-- id: left_join_using_star
SELECT * FROM stock LEFT JOIN (SELECT product_id, sum(quantity) AS sold FROM line GROUP BY product_id) x USING (product_id) ORDER BY product_id, warehouse;

-- id: full_join_using
SELECT product_id, a.n, b.n AS m FROM (SELECT product_id, count(*) AS n FROM stock GROUP BY 1) a FULL JOIN (SELECT product_id, count(*) AS n FROM line GROUP BY 1) b USING (product_id) ORDER BY product_id;

-- id: natural_join
SELECT product_id, warehouse FROM (SELECT product_id FROM line WHERE purchase_id = 101) l NATURAL JOIN stock ORDER BY 1, 2;

-- id: self_join
SELECT e.name, m.name AS manager FROM employee e LEFT JOIN employee m ON m.id = e.manager_id ORDER BY e.id;

-- id: self_join_pairs
SELECT a.id, b.id FROM employee a JOIN employee b ON a.salary = b.salary AND a.id < b.id;

-- id: four_tables
SELECT c.name, pr.category, sum(l.quantity * l.unit_price) AS value FROM customer c JOIN purchase p ON p.customer_id = c.id JOIN line l ON l.purchase_id = p.id JOIN product pr ON pr.id = l.product_id WHERE p.status <> 'cancelled' GROUP BY c.name, pr.category ORDER BY value DESC, 1, 2;

-- id: non_equi_join
SELECT p.id, q.id AS earlier FROM purchase p JOIN purchase q ON q.customer_id = p.customer_id AND q.placed_at < p.placed_at ORDER BY 1, 2;

-- id: exists
SELECT name FROM customer c WHERE EXISTS (SELECT 1 FROM purchase p WHERE p.customer_id = c.id AND p.status = 'paid') ORDER BY c.id;

-- id: not_exists
SELECT name FROM customer c WHERE NOT EXISTS (SELECT * FROM purchase p WHERE p.customer_id = c.id) ORDER BY c.id;

-- id: scalar_subquery
SELECT id, total, (SELECT max(amount) FROM payment y WHERE y.purchase_id = p.id) AS largest FROM purchase p ORDER BY id;

-- id: scalar_subquery_by_key
SELECT t.id, (SELECT e.name FROM employee e WHERE e.id = t.assignee_id) AS assignee FROM ticket t ORDER BY t.id;

-- id: scalar_subquery_many_rows
SELECT (SELECT name FROM customer WHERE tier = 'gold') AS gold;

-- id: subquery_in_where
SELECT id FROM product WHERE price > (SELECT avg(price) FROM product) ORDER BY id;

-- id: subquery_in_from
SELECT x.tier, x.n FROM (SELECT tier, count(*) AS n FROM customer GROUP BY tier) AS x WHERE x.n > 2 ORDER BY x.tier;

-- id: any_array
SELECT id FROM purchase WHERE status = ANY (ARRAY['new', 'paid']) AND id <> ALL (ARRAY[101, 103]) ORDER BY id;

-- id: any_array_literal
SELECT id FROM customer WHERE tier = ANY ('{gold,silver}') ORDER BY id;

-- id: any_int_array_literal
SELECT id FROM customer WHERE id = ANY ('{1,4,7}'::int[]) ORDER BY id;

-- id: any_subquery
SELECT id FROM customer WHERE id = ANY (SELECT customer_id FROM ticket) ORDER BY id;

-- id: all_subquery
SELECT id FROM product WHERE price >= ALL (SELECT unit_price FROM line) ORDER BY id;

-- id: any_greater
SELECT id FROM employee WHERE bonus > ANY (SELECT bonus FROM employee WHERE department = 'support') ORDER BY id;

-- id: all_with_null
SELECT id FROM employee WHERE salary > ALL (SELECT bonus FROM employee) ORDER BY id;

-- id: all_empty
SELECT count(*) FROM employee WHERE salary > ALL (SELECT bonus FROM employee WHERE id > 100);

-- id: lateral_top
SELECT c.id, x.id AS purchase, x.total FROM customer c CROSS JOIN LATERAL (SELECT p.id, p.total FROM purchase p WHERE p.customer_id = c.id ORDER BY p.total DESC, p.id LIMIT 2) AS x ORDER BY c.id, x.total DESC, x.id;

-- id: lateral_left
SELECT c.id, x.n, x.last FROM customer c LEFT JOIN LATERAL (SELECT count(*) AS n, max(placed_at) AS last FROM purchase p WHERE p.customer_id = c.id) x ON true ORDER BY c.id;

-- id: lateral_left_missing
SELECT c.id, t.subject FROM customer c LEFT JOIN LATERAL (SELECT subject FROM ticket k WHERE k.customer_id = c.id ORDER BY k.opened_at DESC LIMIT 1) t ON true ORDER BY c.id;

-- id: lateral_comma
SELECT p.id, x.value FROM purchase p, LATERAL (SELECT p.total * 2 AS value) x WHERE x.value > 200 ORDER BY p.id;

-- id: lateral_join_inside
SELECT p.id, x.product, x.cost FROM purchase p JOIN LATERAL (SELECT pr.name AS product, l.quantity * l.unit_price AS cost FROM line l JOIN product pr ON pr.id = l.product_id WHERE l.purchase_id = p.id ORDER BY cost DESC LIMIT 1) x ON x.cost > 50 ORDER BY p.id;

-- id: semi_join_aggregate
SELECT c.name FROM customer c WHERE (SELECT count(*) FROM purchase p WHERE p.customer_id = c.id) >= 2 ORDER BY c.id;

-- id: anti_join
SELECT pr.name FROM product pr LEFT JOIN line l ON l.product_id = pr.id WHERE l.purchase_id IS NULL ORDER BY pr.id;

-- id: cte
WITH paid AS (SELECT * FROM purchase WHERE status = 'paid') SELECT customer_id, sum(total) FROM paid GROUP BY customer_id ORDER BY customer_id;

-- id: cte_two
WITH sales AS (SELECT customer_id, sum(total) AS total FROM purchase GROUP BY customer_id), top AS (SELECT customer_id FROM sales WHERE total > 100) SELECT c.name FROM customer c WHERE c.id IN (SELECT customer_id FROM top) ORDER BY c.id;

-- id: cte_columns
WITH t(k, v) AS (SELECT tier, count(*) FROM customer GROUP BY tier) SELECT k, v FROM t ORDER BY v DESC, k;

-- id: cte_materialized
WITH x AS MATERIALIZED (SELECT id FROM customer WHERE active) SELECT count(*) FROM x;

-- id: cte_shadows_table
WITH customer AS (SELECT 1 AS id, 'only' AS name) SELECT * FROM customer;

-- id: cte_used_twice
WITH m AS (SELECT date_trunc('month', placed_at) AS month, sum(total) AS total FROM purchase GROUP BY 1) SELECT a.month, a.total - b.total AS change FROM m a JOIN m b ON b.month = a.month - interval '1 month' ORDER BY a.month;

-- id: recursive_numbers
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i, i * i FROM n ORDER BY i;

-- id: recursive_tree
WITH RECURSIVE tree AS (SELECT id, name, manager_id, 0 AS depth FROM employee WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, e.manager_id, t.depth + 1 FROM employee e JOIN tree t ON e.manager_id = t.id) SELECT depth, name FROM tree ORDER BY depth, name;

-- id: recursive_path
WITH RECURSIVE chain AS (SELECT id, name AS path FROM employee WHERE id = 1 UNION ALL SELECT e.id, c.path || ' > ' || e.name FROM employee e JOIN chain c ON e.manager_id = c.id) SELECT path FROM chain ORDER BY path;

-- id: recursive_dates
WITH RECURSIVE d(day) AS (SELECT date '2024-02-27' UNION ALL SELECT day + 1 FROM d WHERE day < '2024-03-02') SELECT day FROM d ORDER BY day;

-- id: recursive_type_mismatch
WITH RECURSIVE d(day) AS (SELECT date '2024-01-01' UNION ALL SELECT day + interval '1 day' FROM d WHERE day < '2024-01-05') SELECT day FROM d;

-- id: union
SELECT city FROM customer WHERE tier = 'gold' UNION SELECT city FROM customer WHERE tier = 'silver' ORDER BY city NULLS FIRST;

-- id: union_all
SELECT 'customer' AS kind, count(*) AS n FROM customer UNION ALL SELECT 'employee', count(*) FROM employee ORDER BY kind;

-- id: union_types
SELECT id, total FROM purchase WHERE id < 103 UNION ALL SELECT id, priority FROM ticket WHERE id < 3 ORDER BY 1;

-- id: union_dates
SELECT shipped_on FROM purchase WHERE id = 101 UNION SELECT placed_at FROM purchase WHERE id = 101 ORDER BY 1;

-- id: union_mismatch
SELECT id FROM customer UNION SELECT name FROM customer;

-- id: intersect
SELECT customer_id FROM purchase INTERSECT SELECT customer_id FROM ticket ORDER BY 1;

-- id: except
SELECT id FROM customer EXCEPT SELECT customer_id FROM purchase ORDER BY 1;

-- id: except_all
SELECT tier FROM customer EXCEPT ALL SELECT 'gold';
-- alternative: except

-- id: union_intersect_precedence
SELECT id FROM customer WHERE id < 3 UNION SELECT id FROM customer WHERE id > 5 INTERSECT SELECT customer_id FROM purchase ORDER BY 1;

-- id: union_with_limits
(SELECT id FROM purchase ORDER BY total DESC LIMIT 2) UNION ALL (SELECT id FROM purchase ORDER BY total, id LIMIT 1) ORDER BY 1;

-- id: union_in_subquery
SELECT max(x.n) FROM (SELECT count(*) AS n FROM customer UNION ALL SELECT count(*) FROM product) x;

-- id: nested_joins_in_brackets
SELECT c.id FROM customer c LEFT JOIN (purchase p JOIN line l ON l.purchase_id = p.id) ON p.customer_id = c.id;
-- alternative: left_join_subquery

-- id: left_join_subquery
SELECT c.id, x.position FROM customer c LEFT JOIN (SELECT p.customer_id, l.position FROM purchase p JOIN line l ON l.purchase_id = p.id) x ON x.customer_id = c.id ORDER BY 1, 2;

-- id: writing_cte
WITH gone AS (DELETE FROM payment WHERE amount < 0 RETURNING *) SELECT * FROM gone;
-- alternative: delete_returning
