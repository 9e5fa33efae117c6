-- id: top
SELECT TOP 3 id, total FROM purchase ORDER BY total DESC, id;
-- postgres: SELECT id, total FROM purchase ORDER BY total DESC, id LIMIT 3

-- id: top_in_brackets
SELECT TOP (2) [c].[name] AS [the name] FROM dbo.customer AS c ORDER BY c.id DESC;
-- postgres: SELECT name AS "the name" FROM customer ORDER BY id DESC LIMIT 2

-- id: offset_fetch
SELECT id FROM purchase ORDER BY id OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY;
-- postgres: SELECT id FROM purchase ORDER BY id OFFSET 2 LIMIT 3

-- id: unnamed_columns
SELECT COUNT(*), MAX(total) AS top FROM purchase;
-- postgres: SELECT count(*) AS "x", max(total) AS top FROM purchase

-- id: named_by_assignment
SELECT n = COUNT(*), total = SUM(total) FROM purchase WHERE status = 'paid';
-- postgres: SELECT count(*) AS n, sum(total) AS total FROM purchase WHERE status = 'paid'

-- id: case_insensitive_equality
SELECT id FROM customer WHERE tier = N'GOLD' OR name = 'ADA MØLLER' ORDER BY id;
-- postgres: SELECT id FROM customer WHERE tier = 'gold' ORDER BY id

-- id: accents_count
SELECT id FROM customer WHERE city = 'Koln' OR city = 'KÖLN' ORDER BY id;
-- postgres: SELECT id FROM customer WHERE city = 'Köln' ORDER BY id

-- id: trailing_blanks_do_not_count
SELECT id FROM customer WHERE tier = 'gold  ' AND LEN('ab  ') = 2 ORDER BY id;
-- postgres: SELECT id FROM customer WHERE tier = 'gold' ORDER BY id

-- id: binary_collation
SELECT id FROM customer WHERE tier COLLATE Latin1_General_BIN2 = 'GOLD';
-- postgres: SELECT id FROM customer WHERE tier = 'GOLD'

-- id: like_with_classes
SELECT id FROM customer WHERE name LIKE '[a-c]%' OR name LIKE '%[%]' ORDER BY id;
-- postgres: SELECT id FROM customer WHERE id IN (1, 2, 7) ORDER BY id

-- id: like_passes_over_case
SELECT id FROM customer WHERE email LIKE '%EXAMPLE.COM' AND email NOT LIKE 'A%' ORDER BY id;
-- postgres: SELECT id FROM customer WHERE lower(email) LIKE '%example.com' AND lower(email) NOT LIKE 'a%' ORDER BY id

-- id: like_escape
SELECT id FROM customer WHERE name LIKE '%!_%' ESCAPE '!';
-- postgres: SELECT id FROM customer WHERE id = 8

-- id: nulls_first
SELECT id, shipped_on FROM purchase ORDER BY shipped_on, id;
-- postgres: SELECT id, shipped_on FROM purchase ORDER BY shipped_on NULLS FIRST, id

-- id: nulls_last_descending
SELECT id, credit FROM customer ORDER BY credit DESC, id;
-- postgres: SELECT id, credit FROM customer ORDER BY credit DESC NULLS LAST, id

-- id: order_of_names
SELECT name FROM employee ORDER BY name;
-- postgres: SELECT name FROM employee ORDER BY lower(name)

-- id: plus_joins_texts
SELECT name + ' <' + email + '>' AS x FROM customer WHERE id IN (1, 3) ORDER BY id;
-- postgres: SELECT name || ' <' || email || '>' AS x FROM customer WHERE id IN (1, 3) ORDER BY id

-- id: concat_passes_over_null
SELECT CONCAT(name, ' ', email, id) AS x, CONCAT_WS('-', name, email, tier) AS y FROM customer WHERE id = 3;
-- postgres: SELECT concat(name, ' ', email, id) AS x, concat_ws('-', name, email, tier) AS y FROM customer WHERE id = 3

-- id: isnull_and_iif
SELECT id, ISNULL(credit, 0) AS credit, IIF(credit > 100, 'rich', 'poor') AS kind, ISNULL(city, 'nowhere') AS city FROM customer ORDER BY id;
-- postgres: SELECT id, coalesce(credit, 0) AS credit, CASE WHEN credit > 100 THEN 'rich' ELSE 'poor' END AS kind, coalesce(city, 'nowhere') AS city FROM customer ORDER BY id

-- id: integer_division
SELECT 7 / 2 AS a, -7 / 2 AS b, -7 % 3 AS c, 7 / 2.0 AS d, 2.0 / 3 AS e;
-- postgres: SELECT 3 AS a, -3 AS b, -1 AS c, 3.500000 AS d, 0.666666 AS e

-- id: decimal_division
SELECT id, total / 3 AS third FROM purchase WHERE id = 101;
-- postgres: SELECT id, trunc(total / 3, 6) AS third FROM purchase WHERE id = 101

-- id: average_of_integers
SELECT AVG(quantity) AS a, AVG(quantity * 1.0) AS b, SUM(quantity) AS c FROM line;
-- postgres: SELECT trunc(avg(quantity))::int AS a, trunc(avg(quantity), 6) AS b, sum(quantity) AS c FROM line

-- id: average_price
SELECT category, AVG(price) AS mean, COUNT(*) AS n FROM product GROUP BY category ORDER BY category;
-- postgres: SELECT category, trunc(avg(price), 6) AS mean, count(*) AS n FROM product GROUP BY category ORDER BY category

-- id: share_of_total
SELECT status, CAST(100.0 * COUNT(*) / SUM(COUNT(*)) OVER () AS decimal(5,2)) AS share FROM purchase GROUP BY status ORDER BY status;
-- alternative: share_of_total_cast

-- id: share_of_total_cast
SELECT status, CAST(CAST(100.0 * COUNT(*) AS decimal(18,4)) / CAST(SUM(COUNT(*)) OVER () AS decimal(18,4)) AS decimal(5,2)) AS share FROM purchase GROUP BY status ORDER BY status;
-- postgres: SELECT status, round(100.0 * count(*) / sum(count(*)) OVER (), 2) AS share FROM purchase GROUP BY status ORDER BY status

-- id: group_passes_over_case
SELECT UPPER(LEFT(tier, 1)) AS letter, COUNT(*) AS n FROM customer GROUP BY UPPER(LEFT(tier, 1)) HAVING COUNT(*) > 1 ORDER BY letter;
-- postgres: SELECT upper(left(tier, 1)) AS letter, count(*) AS n FROM customer GROUP BY 1 HAVING count(*) > 1 ORDER BY letter

-- id: not_grouped
SELECT status, total FROM purchase GROUP BY status;
-- error: sql_syntax: Column 'purchase.total' is invalid in the select list

-- id: rollup
SELECT category, COUNT(*) AS n, GROUPING(category) AS g FROM product GROUP BY ROLLUP (category);
-- postgres: SELECT category, count(*) AS n, grouping(category) AS g FROM product GROUP BY ROLLUP (category)

-- id: grouping_sets
SELECT customer_id, status, SUM(total) AS total FROM purchase GROUP BY GROUPING SETS ((customer_id), (status), ());
-- postgres: SELECT customer_id, status, sum(total) AS total FROM purchase GROUP BY GROUPING SETS ((customer_id), (status), ())

-- id: string_agg
SELECT category, STRING_AGG(name, ', ') WITHIN GROUP (ORDER BY name DESC) AS names FROM product GROUP BY category ORDER BY category;
-- postgres: SELECT category, string_agg(name, ', ' ORDER BY name DESC) AS names FROM product GROUP BY category ORDER BY category

-- id: text_functions
SELECT LEN(name) AS n, UPPER(sku) AS u, LEFT(name, 3) AS l, RIGHT(name, 3) AS r, SUBSTRING(name, 2, 3) AS s, REVERSE(sku) AS b, REPLICATE('ab', 2) AS p FROM product WHERE id = 1;
-- postgres: SELECT 12 AS n, 'SKU-001' AS u, 'Esp' AS l, 'Cup' AS r, 'spr' AS s, '100-UKS' AS b, 'abab' AS p

-- id: places_and_replacements
SELECT CHARINDEX('EXAMPLE', email) AS a, CHARINDEX('.', email, 5) AS b, REPLACE(email, 'EXAMPLE', 'test') AS c, STUFF(email, 1, 3, 'eva') AS d FROM customer WHERE id = 1;
-- postgres: SELECT 5 AS a, 12 AS b, 'ada@test.com' AS c, 'eva@example.com' AS d

-- id: user_of_address
SELECT id, LEFT(email, CHARINDEX('@', email) - 1) AS who FROM customer WHERE email IS NOT NULL ORDER BY id;
-- postgres: SELECT id, split_part(email, '@', 1) AS who FROM customer WHERE email IS NOT NULL ORDER BY id

-- id: numbers
SELECT ROUND(12.345, 2) AS a, ROUND(-2.5, 0) AS b, ROUND(12.349, 2, 1) AS c, FLOOR(-1.5) AS d, CEILING(1.2) AS e, ABS(-3) AS f;
-- postgres: SELECT 12.350 AS a, -3.0 AS b, 12.340 AS c, -2 AS d, 2 AS e, 3 AS f

-- id: casts
SELECT CAST('12' AS int) AS a, CAST(2.9 AS int) AS b, CAST(total AS varchar(20)) AS c, CAST(placed_at AS date) AS d, CAST('3.456' AS decimal(10,2)) AS e FROM purchase WHERE id = 101;
-- postgres: SELECT 12 AS a, 2 AS b, '64.90' AS c, date '2024-01-31' AS d, 3.46 AS e

-- id: try_casts
SELECT TRY_CAST('x1' AS int) AS a, TRY_CAST('41' AS int) AS b, TRY_CONVERT(date, '2024-02-30') AS c, TRY_CAST('7.125' AS decimal(5,2)) AS d;
-- postgres: SELECT NULL::int AS a, 41 AS b, NULL::date AS c, 7.13 AS d

-- id: bad_cast
SELECT CAST('abc' AS int) AS x;
-- error: sql_value: Conversion failed when converting the varchar value 'abc' to data type int

-- id: convert_styles
SELECT CONVERT(varchar(10), placed_at, 23) AS a, CONVERT(varchar(19), placed_at, 120) AS b, CONVERT(char, 1) AS c FROM purchase WHERE id = 101;
-- alternative: convert_styles_of_varchar

-- id: convert_styles_of_varchar
SELECT CONVERT(varchar(10), placed_at, 23) AS a, CONVERT(varchar(19), placed_at, 120) AS b, CONVERT(varchar, placed_at, 103) AS c, CONVERT(varchar(8), shipped_on, 112) AS d FROM purchase WHERE id = 101;
-- postgres: SELECT '2024-01-31' AS a, '2024-01-31 23:59:59' AS b, '31/01/2024' AS c, '20240202' AS d

-- id: formats
SELECT FORMAT(placed_at, 'yyyy-MM') AS a, FORMAT(placed_at, 'dddd d MMMM yyyy HH:mm') AS b, FORMAT(total, 'N2') AS c, FORMAT(1234567.891, '#,##0.0') AS d FROM purchase WHERE id = 101;
-- postgres: SELECT '2024-01' AS a, 'Wednesday 31 January 2024 23:59' AS b, '64.90' AS c, '1,234,567.9' AS d

-- id: clock
SELECT CAST(GETDATE() AS date) AS a, SYSDATETIME() AS b, CURRENT_TIMESTAMP AS c;
-- postgres: SELECT current_date AS a, localtimestamp AS b, localtimestamp AS c

-- id: dateadd
SELECT DATEADD(month, 1, '2024-01-31') AS a, DATEADD(day, -7, shipped_on) AS b, DATEADD(hour, 6, placed_at) AS c, DATEADD(quarter, 1, shipped_on) AS d FROM purchase WHERE id = 102;
-- postgres: SELECT timestamp '2024-02-29' AS a, shipped_on - 7 AS b, placed_at + interval '6 hours' AS c, (shipped_on + interval '3 months')::date AS d FROM purchase WHERE id = 102

-- id: datediff_counts_boundaries
SELECT DATEDIFF(year, '2023-12-31', '2024-01-01') AS a, DATEDIFF(month, '2024-01-31', '2024-02-01') AS b, DATEDIFF(hour, '2024-01-01 10:59', '2024-01-01 11:01') AS c, DATEDIFF(week, '2024-06-29', '2024-06-30') AS d, DATEDIFF(day, '2024-03-01', '2024-02-28') AS e;
-- postgres: SELECT 1 AS a, 1 AS b, 1 AS c, 1 AS d, -2 AS e

-- id: days_to_ship
SELECT id, DATEDIFF(day, placed_at, shipped_on) AS days FROM purchase WHERE shipped_on IS NOT NULL ORDER BY id;
-- postgres: SELECT id, shipped_on - placed_at::date AS days FROM purchase WHERE shipped_on IS NOT NULL ORDER BY id

-- id: parts_of_dates
SELECT YEAR(placed_at) AS y, DATEPART(quarter, placed_at) AS q, DATEPART(weekday, placed_at) AS w, DATEPART(dayofyear, placed_at) AS d, DATENAME(month, placed_at) AS m, DATENAME(weekday, placed_at) AS n, DATEPART(iso_week, placed_at) AS i, DATEPART(week, placed_at) AS k FROM purchase WHERE id = 101;
-- postgres: SELECT 2024 AS y, 1 AS q, 4 AS w, 31 AS d, 'January' AS m, 'Wednesday' AS n, 5 AS i, 5 AS k

-- id: month_ends
SELECT EOMONTH('2024-02-05') AS a, EOMONTH(GETDATE(), 1) AS b, DATEFROMPARTS(2024, 7, 1) AS c;
-- postgres: SELECT date '2024-02-29' AS a, date '2024-08-31' AS b, date '2024-07-01' AS c

-- id: revenue_by_month
SELECT DATETRUNC(month, placed_at) AS month, SUM(total) AS total FROM purchase WHERE status <> 'Cancelled' GROUP BY DATETRUNC(month, placed_at) ORDER BY month;
-- postgres: SELECT date_trunc('month', placed_at) AS month, sum(total) AS total FROM purchase WHERE status <> 'cancelled' GROUP BY 1 ORDER BY 1

-- id: last_thirty_days
SELECT COUNT(*) AS n FROM purchase WHERE placed_at >= DATEADD(day, -30, GETDATE());
-- postgres: SELECT count(*) AS n FROM purchase WHERE placed_at >= localtimestamp - interval '30 days'

-- id: cross_apply
SELECT c.id, x.id AS latest FROM customer c CROSS APPLY (SELECT TOP 1 p.id FROM purchase p WHERE p.customer_id = c.id ORDER BY p.placed_at DESC, p.id DESC) AS x ORDER BY c.id;
-- postgres: SELECT c.id, x.id AS latest FROM customer c CROSS JOIN LATERAL (SELECT p.id FROM purchase p WHERE p.customer_id = c.id ORDER BY p.placed_at DESC, p.id DESC LIMIT 1) AS x ORDER BY c.id

-- id: outer_apply
SELECT c.id, x.n FROM customer c OUTER APPLY (SELECT TOP 1 p.id AS n FROM purchase p WHERE p.customer_id = c.id ORDER BY p.id) AS x ORDER BY c.id;
-- postgres: SELECT c.id, x.n FROM customer c LEFT JOIN LATERAL (SELECT p.id AS n FROM purchase p WHERE p.customer_id = c.id ORDER BY p.id LIMIT 1) AS x ON true ORDER BY c.id

-- id: windows
SELECT id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at DESC, id) AS n, SUM(total) OVER (PARTITION BY customer_id ORDER BY id ROWS UNBOUNDED PRECEDING) AS running, LAG(total) OVER (ORDER BY id) AS before FROM purchase ORDER BY id;
-- postgres: SELECT id, row_number() OVER (PARTITION BY customer_id ORDER BY placed_at DESC, id) AS n, sum(total) OVER (PARTITION BY customer_id ORDER BY id ROWS UNBOUNDED PRECEDING) AS running, lag(total) OVER (ORDER BY id) AS before FROM purchase ORDER BY id

-- id: recursive_tree
WITH tree AS (SELECT id, name, 0 AS depth FROM employee WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, t.depth + 1 FROM employee e JOIN tree t ON e.manager_id = t.id) SELECT id, name, depth FROM tree ORDER BY depth, id OPTION (MAXRECURSION 10);
-- postgres: WITH RECURSIVE tree AS (SELECT id, name, 0 AS depth FROM employee WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, t.depth + 1 FROM employee e JOIN tree t ON e.manager_id = t.id) SELECT id, name, depth FROM tree ORDER BY depth, id

-- id: ranked_with_cte
WITH ranked AS (SELECT id, customer_id, RANK() OVER (PARTITION BY customer_id ORDER BY total DESC) AS place FROM purchase) SELECT customer_id, id FROM ranked WHERE place = 1 ORDER BY customer_id, id;
-- postgres: WITH ranked AS (SELECT id, customer_id, rank() OVER (PARTITION BY customer_id ORDER BY total DESC) AS place FROM purchase) SELECT customer_id, id FROM ranked WHERE place = 1 ORDER BY customer_id, id

-- id: full_join
SELECT c.id, p.id AS purchase FROM customer c FULL OUTER JOIN purchase p ON p.customer_id = c.id AND p.status = 'refunded';
-- postgres: SELECT c.id, p.id AS purchase FROM customer c FULL OUTER JOIN purchase p ON p.customer_id = c.id AND p.status = 'refunded'

-- id: sums_by_case
SELECT customer_id, SUM(CASE WHEN status = 'PAID' THEN total ELSE 0 END) AS paid, COUNT(DISTINCT status) AS statuses FROM purchase GROUP BY customer_id ORDER BY customer_id;
-- postgres: SELECT customer_id, sum(CASE WHEN status = 'paid' THEN total ELSE 0 END) AS paid, count(DISTINCT status) AS statuses FROM purchase GROUP BY customer_id ORDER BY customer_id

-- id: bits
SELECT id, active FROM customer WHERE active = 1 AND id < 4;
-- postgres: SELECT id, active::int AS active FROM customer WHERE active AND id < 4

-- id: set_operations
SELECT city FROM customer WHERE tier = 'bronze' EXCEPT SELECT city FROM customer WHERE tier = 'silver';
-- postgres: SELECT city FROM customer WHERE tier = 'bronze' EXCEPT SELECT city FROM customer WHERE tier = 'silver'

-- id: not_in_subquery
SELECT id FROM product WHERE id NOT IN (SELECT product_id FROM line) AND EXISTS (SELECT 1 FROM stock WHERE product_id = product.id);
-- postgres: SELECT id FROM product WHERE id NOT IN (SELECT product_id FROM line) AND EXISTS (SELECT 1 FROM stock WHERE product_id = product.id)

-- id: nolock
SELECT COUNT(*) AS n FROM ticket WITH (NOLOCK) WHERE status IN ('open', 'waiting');
-- postgres: SELECT count(*) AS n FROM ticket WHERE status IN ('open', 'waiting')

-- id: documents
SELECT id, JSON_VALUE(profile, '$.address.city') AS city, JSON_VALUE(profile, '$.tags[0]') AS tag, JSON_VALUE(profile, '$.tags') AS none FROM customer WHERE id IN (1, 2) ORDER BY id;
-- postgres: SELECT id, profile #>> '{address,city}' AS city, profile #>> '{tags,0}' AS tag, NULL AS none FROM customer WHERE id IN (1, 2) ORDER BY id

-- id: unknown_column
SELECT id, nam FROM customer;
-- error: sql_unknown_name: Invalid column name 'nam'.

-- id: unknown_table
SELECT * FROM customers;
-- error: sql_unknown_name: Invalid object name 'customers'.

-- id: limit_is_not_there
SELECT id FROM customer LIMIT 3;
-- error: sql_syntax: Incorrect syntax near 'LIMIT'.

-- id: condition_is_no_value
SELECT id, active = 1 AND id > 2 AS x FROM customer WHERE active;
-- error: sql_syntax: condition

-- id: true_is_not_there
SELECT id FROM customer WHERE active = TRUE;
-- error: sql_unknown_name: Invalid column name 'TRUE'.

-- id: pivot
SELECT * FROM (SELECT status, total FROM purchase) s PIVOT (SUM(total) FOR status IN ([paid], [new])) p;
-- alternative: sums_by_case

-- id: with_ties
SELECT TOP 1 WITH TIES id FROM purchase ORDER BY placed_at;
-- alternative: ranked_with_cte

-- id: divide_by_zero
SELECT 1 / 0 AS x;
-- error: sql_value: division by zero

-- id: group_by_alias
SELECT LEFT(sku, 3) AS kind, COUNT(*) AS n FROM product GROUP BY kind;
-- error: sql_unknown_name: Invalid column name 'kind'.

-- id: group_by_number
SELECT status, COUNT(*) AS n FROM purchase GROUP BY 1;
-- error: sql_syntax: Each GROUP BY expression must contain at least one column

-- id: sum_of_bits
SELECT SUM(active) FROM customer;
-- error: sql_syntax: Operand data type bit is invalid for sum operator

-- id: largest_of_bits
SELECT tier, MAX(active) AS any_active FROM customer GROUP BY tier;
-- error: sql_syntax: Operand data type bit is invalid for max operator

-- id: sum_of_bits_as_numbers
SELECT SUM(CAST(active AS int)) AS n, MAX(CAST(active AS int)) AS m, AVG(1.0 * CAST(active AS int)) AS a FROM customer;
-- postgres: SELECT 6 AS n, 1 AS m, 0.75 AS a

-- id: quotient_of_decimals
SELECT salary / 3 AS a, bonus / salary AS b, 1 / 3.0 AS c, 7 / 2 AS d, -7 % 3 AS e FROM employee WHERE id = 2;
-- postgres: SELECT 2066.666666 AS a, 0.0806451612903 AS b, 0.333333 AS c, 3 AS d, -1 AS e

-- id: greatest_passes_over_null
SELECT GREATEST(1, NULL, 3) AS a, LEAST(NULL, 2) AS b, ROUND(150.75, 0, 1) AS c, CAST(-12.7 AS int) AS d;
-- postgres: SELECT 3 AS a, 2 AS b, 150.0 AS c, -12 AS d
