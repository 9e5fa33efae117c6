-- id: row_number
SELECT id, row_number() OVER (PARTITION BY customer_id ORDER BY placed_at, id) AS n FROM purchase ORDER BY id;

-- id: rank_and_dense
SELECT id, salary, rank() OVER (ORDER BY salary DESC), dense_rank() OVER (ORDER BY salary DESC) FROM employee ORDER BY id;

-- id: rank_top
SELECT id, salary FROM (SELECT id, salary, rank() OVER (ORDER BY salary DESC) AS r FROM employee) x WHERE r <= 4 ORDER BY salary DESC, id;

-- id: percent_rank
SELECT id, percent_rank() OVER (ORDER BY salary), cume_dist() OVER (ORDER BY salary) FROM employee ORDER BY id;

-- id: ntile
SELECT id, ntile(3) OVER (ORDER BY id) FROM employee ORDER BY id;

-- id: lag_lead
SELECT id, lag(total) OVER w, lead(total, 2, 0) OVER w, total - lag(total) OVER w AS change FROM purchase WHERE customer_id = 1 WINDOW w AS (ORDER BY placed_at) ORDER BY id;

-- id: first_last_nth
SELECT id, first_value(name) OVER w, last_value(name) OVER w, nth_value(name, 2) OVER w FROM employee WINDOW w AS (PARTITION BY department ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) ORDER BY id;

-- id: running_total
SELECT id, sum(total) OVER (ORDER BY placed_at, id) AS running FROM purchase ORDER BY placed_at, id;

-- id: running_total_ties
SELECT id, sum(total) OVER (ORDER BY placed_at) AS running FROM purchase ORDER BY id;

-- id: moving_average
SELECT id, round(avg(total) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW), 2) AS moving FROM purchase ORDER BY id;

-- id: partition_share
SELECT id, department, round(salary / sum(salary) OVER (PARTITION BY department), 3) AS share FROM employee ORDER BY id;

-- id: window_count
SELECT id, count(*) OVER () AS n, count(bonus) OVER (PARTITION BY department) AS bonuses FROM employee ORDER BY id;

-- id: window_order_nulls
SELECT id, row_number() OVER (ORDER BY bonus) AS up, row_number() OVER (ORDER BY bonus DESC, id) AS down FROM employee WHERE id <> 5 AND id <> 7 ORDER BY id;

-- id: rows_frame_following
SELECT id, sum(quantity) OVER (PARTITION BY warehouse ORDER BY product_id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS near FROM (SELECT product_id AS id, warehouse, product_id, quantity FROM stock) s ORDER BY warehouse, id;

-- id: groups_frame
SELECT id, sum(id) OVER (ORDER BY salary GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM employee ORDER BY id;

-- id: exclude_current
SELECT id, sum(salary) OVER (PARTITION BY department ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW) AS others FROM employee ORDER BY id;

-- id: range_number_frame
SELECT id, count(*) OVER (ORDER BY priority RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM ticket ORDER BY id;

-- id: range_interval_frame
SELECT id, sum(total) OVER (ORDER BY placed_at RANGE BETWEEN INTERVAL '30 days' PRECEDING AND CURRENT ROW) AS month FROM purchase ORDER BY id;

-- id: range_month_frame
SELECT id, sum(total) OVER (ORDER BY placed_at RANGE BETWEEN INTERVAL '1 month' PRECEDING AND CURRENT ROW) FROM purchase;
-- alternative: range_interval_frame

-- id: window_over_groups
SELECT tier, count(*), sum(count(*)) OVER () AS everything, rank() OVER (ORDER BY count(*) DESC, tier) FROM customer GROUP BY tier ORDER BY tier;

-- id: window_filter
SELECT id, count(*) FILTER (WHERE status = 'paid') OVER (PARTITION BY customer_id) AS paid FROM purchase ORDER BY id;

-- id: window_in_where
SELECT id FROM purchase WHERE row_number() OVER (ORDER BY id) = 1;

-- id: window_string_agg
SELECT id, string_agg(name, ',') OVER (ORDER BY id) FROM employee WHERE id < 4 ORDER BY id;

-- id: named_window_extended
SELECT id, sum(total) OVER (w ORDER BY id) FROM purchase WINDOW w AS (PARTITION BY customer_id) ORDER BY id;

-- id: order_by_window
SELECT id FROM employee ORDER BY rank() OVER (ORDER BY salary DESC), id DESC;

-- id: latest_per_group
SELECT id, customer_id FROM (SELECT p.*, row_number() OVER (PARTITION BY customer_id ORDER BY placed_at DESC, id DESC) AS rn FROM purchase p) x WHERE rn = 1 ORDER BY id;

-- id: gaps
SELECT id, placed_at - lag(placed_at) OVER (PARTITION BY customer_id ORDER BY placed_at) AS gap FROM purchase WHERE customer_id IN (1, 2) ORDER BY id;

-- id: window_stddev
SELECT id, stddev(salary) OVER (PARTITION BY department) FROM employee;
-- alternative: deviation

-- id: bool_window
SELECT id, bool_or(active) OVER (PARTITION BY tier) FROM customer ORDER BY id;

-- id: window_distinct
SELECT count(DISTINCT tier) OVER () FROM customer;
