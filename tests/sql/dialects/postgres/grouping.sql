-- id: count_star
SELECT count(*) AS n FROM purchase;

-- id: count_column
SELECT count(note), count(*), count(DISTINCT customer_id) FROM purchase;

-- id: sum_integers
SELECT sum(quantity), sum(quantity) / count(*) AS whole, avg(quantity) FROM line;

-- id: sum_decimals
SELECT sum(total), sum(total) = 1256.29 AS exact, avg(total), min(total), max(total) FROM purchase;

-- id: sum_empty
SELECT sum(total), count(*), max(total), avg(total) FROM purchase WHERE id > 1000;

-- id: sum_real
SELECT sum(score), avg(score), min(score), max(score) FROM customer;

-- id: group_by
SELECT status, count(*), sum(total) FROM purchase GROUP BY status ORDER BY status;

-- id: group_by_null
SELECT city, count(*) FROM customer GROUP BY city ORDER BY city;

-- id: group_by_alias
SELECT lower(tier) AS t, count(*) FROM customer GROUP BY t ORDER BY t;

-- id: group_by_position
SELECT extract(year FROM joined) AS year, count(*) FROM customer GROUP BY 1 ORDER BY 1;

-- id: group_by_expression
SELECT date_trunc('month', placed_at) AS month, sum(total) AS revenue FROM purchase GROUP BY date_trunc('month', placed_at) ORDER BY month;

-- id: group_by_case
SELECT CASE WHEN total >= 100 THEN 'large' WHEN total >= 50 THEN 'medium' ELSE 'small' END AS size, count(*) FROM purchase GROUP BY 1 ORDER BY 2 DESC, 1;

-- id: group_by_key_dependent
SELECT c.id, c.name, c.tier, count(p.id) AS purchases FROM customer c LEFT JOIN purchase p ON p.customer_id = c.id GROUP BY c.id ORDER BY c.id;

-- id: group_by_ungrouped_column
SELECT tier, name, count(*) FROM customer GROUP BY tier;

-- id: aggregate_with_bare_column
SELECT name, max(credit) FROM customer;

-- id: group_by_boolean
SELECT active, count(*) FROM customer GROUP BY active ORDER BY active;

-- id: group_by_constant_label
SELECT 'all' AS label, count(*) FROM customer GROUP BY label;

-- id: having
SELECT customer_id, count(*) FROM purchase GROUP BY customer_id HAVING count(*) > 1 ORDER BY customer_id;

-- id: having_without_group
SELECT sum(total) FROM purchase HAVING count(*) > 5;

-- id: having_alias
SELECT customer_id, count(*) AS n FROM purchase GROUP BY customer_id HAVING n > 1;

-- id: aggregate_in_where
SELECT customer_id FROM purchase WHERE count(*) > 1 GROUP BY customer_id;

-- id: order_by_aggregate
SELECT tier FROM customer GROUP BY tier ORDER BY count(*) DESC, tier;

-- id: filter
SELECT count(*) FILTER (WHERE status = 'paid') AS paid, sum(total) FILTER (WHERE status = 'new') AS open, avg(total) FILTER (WHERE status = 'lost') AS lost FROM purchase;

-- id: filter_grouped
SELECT customer_id, count(*) FILTER (WHERE total > 50) AS large, max(total) FILTER (WHERE note IS NULL) FROM purchase GROUP BY customer_id ORDER BY customer_id;

-- id: sum_case
SELECT sum(CASE WHEN status = 'paid' THEN total ELSE 0 END) AS paid, sum(CASE WHEN status = 'new' THEN 1 ELSE 0 END) AS open FROM purchase;

-- id: string_agg
SELECT tier, string_agg(name, ', ' ORDER BY name) AS names FROM customer GROUP BY tier ORDER BY tier;

-- id: string_agg_desc
SELECT string_agg(id::text, '>' ORDER BY id DESC) FROM employee;

-- id: string_agg_distinct
SELECT string_agg(DISTINCT city, '/' ORDER BY city) FROM customer;

-- id: string_agg_null
SELECT string_agg(email, ';' ORDER BY id) AS mails, string_agg(note, ';') FILTER (WHERE false) AS none FROM (SELECT id, email, NULL::text AS note FROM customer) x;

-- id: string_agg_filter
SELECT string_agg(name, ', ' ORDER BY joined, id) FILTER (WHERE active) FROM customer;

-- id: array_agg
SELECT status, array_agg(id ORDER BY id) AS ids FROM purchase GROUP BY status ORDER BY status;

-- id: array_agg_text
SELECT array_agg(city ORDER BY id) FROM customer;

-- id: array_agg_distinct
SELECT array_agg(DISTINCT tier) FROM customer;

-- id: array_agg_empty
SELECT array_agg(id) FROM customer WHERE id > 100;

-- id: bool_and_or
SELECT tier, bool_and(active) AS all_active, bool_or(credit > 1000) AS any_rich, every(id > 0) FROM customer GROUP BY tier ORDER BY tier;

-- id: percentile_cont
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total) AS median, percentile_cont(0.9) WITHIN GROUP (ORDER BY total) AS p90 FROM purchase;

-- id: percentile_grouped
SELECT department, percentile_cont(0.25) WITHIN GROUP (ORDER BY salary) AS q1 FROM employee GROUP BY department ORDER BY department;

-- id: percentile_disc
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY total) AS a, percentile_disc(0.75) WITHIN GROUP (ORDER BY placed_at DESC) AS b, percentile_disc(0.5) WITHIN GROUP (ORDER BY status) AS c FROM purchase;

-- id: percentile_filter
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total DESC) FILTER (WHERE status = 'paid') FROM purchase;

-- id: mode
SELECT mode() WITHIN GROUP (ORDER BY tier) AS tier, mode() WITHIN GROUP (ORDER BY credit) AS credit FROM customer;

-- id: percentile_array
SELECT percentile_cont(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY total) FROM purchase;
-- alternative: percentile_cont

-- id: deviation
SELECT round(stddev(salary), 4) AS s, round(stddev_pop(salary), 4) AS p, round(variance(salary), 2) AS v, round(var_pop(salary), 2) AS vp FROM employee;

-- id: deviation_real
SELECT stddev(score), var_pop(score) FROM customer;

-- id: deviation_of_one
SELECT stddev(total), stddev_pop(total), variance(total) FROM purchase WHERE id = 101;

-- id: corr
SELECT round(corr(price, weight)::numeric, 6) FROM product;

-- id: grouping_sets
SELECT status, customer_id, count(*) FROM purchase WHERE customer_id < 3 GROUP BY GROUPING SETS ((status), (customer_id), ()) ORDER BY status, customer_id;

-- id: rollup
SELECT pr.category, pr.name, sum(l.quantity) AS sold FROM line l JOIN product pr ON pr.id = l.product_id GROUP BY ROLLUP (pr.category, pr.name) ORDER BY pr.category, pr.name;

-- id: cube
SELECT tier, active, count(*) FROM customer GROUP BY CUBE (tier, active) ORDER BY tier, active;

-- id: rollup_grouping
SELECT tier, grouping(tier) AS is_total, sum(credit) FROM customer GROUP BY ROLLUP (tier) ORDER BY grouping(tier), tier;

-- id: rollup_case_grouping
SELECT CASE WHEN grouping(status) = 1 THEN 'total' ELSE status END AS status, sum(total) FROM purchase GROUP BY ROLLUP (status) ORDER BY grouping(status), 1;

-- id: rollup_having
SELECT status, count(*) FROM purchase GROUP BY ROLLUP (status) HAVING count(*) > 2 ORDER BY 2, 1;

-- id: grouping_pair
SELECT tier, active, grouping(tier, active) AS g, count(*) FROM customer GROUP BY GROUPING SETS ((tier, active), (tier), ()) ORDER BY g, tier, active;

-- id: group_by_plus_rollup
SELECT department, manager_id, sum(salary) FROM employee GROUP BY department, ROLLUP (manager_id) ORDER BY department, manager_id;

-- id: grouping_set_windows
SELECT tier, sum(count(*)) OVER () FROM customer GROUP BY ROLLUP (tier);
-- alternative: window_over_groups

-- id: nested_aggregate
SELECT max(count(*)) FROM purchase GROUP BY status;

-- id: max_text_and_dates
SELECT max(name), min(joined), max(joined) FROM customer;

-- id: max_boolean
SELECT max(active) FROM customer;

-- id: sum_text
SELECT sum(name) FROM customer;

-- id: sum_distinct
SELECT sum(DISTINCT salary), avg(DISTINCT salary), count(DISTINCT salary) FROM employee;

-- id: json_agg
SELECT jsonb_agg(id ORDER BY id) AS ids, jsonb_agg(name ORDER BY id) FILTER (WHERE tier = 'gold') AS gold FROM customer;

-- id: json_agg_objects
SELECT customer_id, jsonb_agg(jsonb_build_object('id', id, 'status', status) ORDER BY id) AS purchases FROM purchase WHERE customer_id < 3 GROUP BY customer_id ORDER BY customer_id;

-- id: json_object_agg
SELECT jsonb_object_agg(sku, price) FROM product WHERE category = 'kitchen';

-- id: count_rows
SELECT count(DISTINCT (customer_id, status)) FROM purchase;
-- alternative: count_distinct_pairs

-- id: count_distinct_pairs
SELECT count(*) FROM (SELECT DISTINCT customer_id, status FROM purchase) x;

-- id: interval_aggregates
SELECT sum(closed_at - opened_at), avg(closed_at - opened_at), max(closed_at - opened_at), min(closed_at - opened_at) FROM ticket;

-- id: share_of_total
SELECT status, round(100.0 * sum(total) / (SELECT sum(total) FROM purchase), 1) AS share FROM purchase GROUP BY status ORDER BY share DESC;

-- id: group_by_subquery_value
SELECT (SELECT c.tier FROM customer c WHERE c.id = p.customer_id) AS tier, sum(p.total) FROM purchase p GROUP BY p.customer_id ORDER BY p.customer_id;
