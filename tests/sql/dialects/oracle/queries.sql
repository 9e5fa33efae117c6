-- id: upper_case_names
SELECT id, name AS who, tier "Level" FROM customer ORDER BY id FETCH FIRST 2 ROWS ONLY;
-- postgres: SELECT id AS "ID", name AS "WHO", tier AS "Level" FROM customer ORDER BY id LIMIT 2

-- id: expressions_name_themselves
SELECT COUNT( * ), sum(total), 1 + 1 FROM purchase;
-- postgres: SELECT count(*) AS "COUNT(*)", sum(total) AS "SUM(TOTAL)", 1 + 1 AS "1+1" FROM purchase

-- id: quoted_names
SELECT "C"."NAME" AS "full name" FROM CUSTOMER c WHERE C.ID = 1;
-- postgres: SELECT name AS "full name" FROM customer WHERE id = 1

-- id: quoted_lower_alias
SELECT total AS "amount" FROM purchase ORDER BY "amount" DESC FETCH FIRST 1 ROW ONLY;
-- postgres: SELECT total AS "amount" FROM purchase ORDER BY total DESC LIMIT 1

-- id: quotes_with_q
SELECT q'[it's]' AS a, q'{x}' AS b FROM dual;
-- postgres: SELECT 'it''s' AS "A", 'x' AS "B"

-- id: empty_is_null
SELECT id FROM purchase WHERE note IS NULL ORDER BY id;
-- postgres: SELECT id AS "ID" FROM purchase WHERE note IS NULL OR note = '' ORDER BY id

-- id: nothing_equals_empty
SELECT COUNT(*) AS n FROM purchase WHERE note = '' OR note <> '';
-- postgres: SELECT 0 AS "N"

-- id: empty_results_are_null
SELECT NVL(SUBSTR(sku, 20), 'none') AS a, NVL(REPLACE(sku, sku), 'gone') AS b, LENGTH('') AS c FROM product WHERE id = 1;
-- postgres: SELECT 'none' AS "A", 'gone' AS "B", NULL::int AS "C"

-- id: pipes_take_null_for_empty
SELECT name || ' <' || email || '>' AS x, CONCAT(city, '!') AS y FROM customer WHERE id IN (1, 3) ORDER BY id;
-- postgres: SELECT name || ' <' || coalesce(email, '') || '>' AS "X", coalesce(city, '') || '!' AS "Y" FROM customer WHERE id IN (1, 3) ORDER BY id

-- id: numbers_as_texts
SELECT id || ': ' || price AS x, TO_CHAR(0.5) AS y, TO_CHAR(total) AS z FROM product JOIN purchase USING (id) WHERE id = 2 UNION ALL SELECT '2: ' || price, TO_CHAR(-0.25), TO_CHAR(25.00) FROM product WHERE id = 2;
-- postgres: SELECT '2: 39.9' AS "X", '-.25' AS "Y", '25' AS "Z"

-- id: case_counts
SELECT id FROM customer WHERE tier = 'GOLD' OR UPPER(name) LIKE 'BO%' OR name LIKE 'gia%';
-- postgres: SELECT id AS "ID" FROM customer WHERE tier = 'GOLD' OR upper(name) LIKE 'BO%' OR name LIKE 'gia%'

-- id: like_escape
SELECT id FROM customer WHERE name LIKE '%\%%' ESCAPE '\' OR name LIKE 'Hiro!_%' ESCAPE '!' ORDER BY id;
-- postgres: SELECT id AS "ID" FROM customer WHERE id IN (7, 8) ORDER BY id

-- id: nvl_and_nvl2
SELECT id, NVL(credit, 0) AS credit, NVL2(email, 'mail', 'none') AS kind FROM customer ORDER BY id;
-- postgres: SELECT id AS "ID", coalesce(credit, 0) AS "CREDIT", CASE WHEN email IS NULL THEN 'none' ELSE 'mail' END AS "KIND" FROM customer ORDER BY id

-- id: decode
SELECT id, DECODE(city, 'Köln', 'DE', NULL, '?', 'other') AS land FROM customer ORDER BY id;
-- postgres: SELECT id AS "ID", CASE WHEN city = 'Köln' THEN 'DE' WHEN city IS NULL THEN '?' ELSE 'other' END AS "LAND" FROM customer ORDER BY id

-- id: nulls_last
SELECT id, city FROM customer ORDER BY city, id;
-- postgres: SELECT id AS "ID", city AS "CITY" FROM customer ORDER BY city NULLS LAST, id

-- id: nulls_first_descending
SELECT id, credit FROM customer ORDER BY credit DESC, id;
-- postgres: SELECT id AS "ID", credit AS "CREDIT" FROM customer ORDER BY credit DESC NULLS FIRST, id

-- id: fetch_and_offset
SELECT id FROM purchase ORDER BY id OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY;
-- postgres: SELECT id AS "ID" FROM purchase ORDER BY id OFFSET 2 LIMIT 3

-- id: rownum_of_ordered_rows
SELECT * FROM (SELECT id, total FROM purchase ORDER BY total DESC, id) WHERE ROWNUM <= 3;
-- postgres: SELECT id AS "ID", total AS "TOTAL" FROM purchase ORDER BY total DESC, id LIMIT 3

-- id: rownum_counts
SELECT COUNT(*) AS n FROM (SELECT id FROM purchase WHERE ROWNUM < 5);
-- postgres: SELECT 4 AS "N"

-- id: rownum_beside_order
SELECT id FROM purchase WHERE ROWNUM <= 3 ORDER BY total DESC;
-- alternative: rownum_of_ordered_rows

-- id: rownum_in_list
SELECT ROWNUM, id FROM purchase;
-- alternative: row_numbers

-- id: row_numbers
SELECT ROW_NUMBER() OVER (ORDER BY id) AS n, id FROM purchase ORDER BY id;
-- postgres: SELECT row_number() OVER (ORDER BY id) AS "N", id AS "ID" FROM purchase ORDER BY id

-- id: division
SELECT 7 / 2 AS a, 1 / 4 AS b, MOD(7, 3) AS c, MOD(-7, 3) AS d, total / 4 AS e FROM purchase WHERE id = 102;
-- postgres: SELECT 3.5 AS "A", 0.25 AS "B", 1 AS "C", -1 AS "D", total / 4 AS "E" FROM purchase WHERE id = 102

-- id: rounding
SELECT ROUND(12.345, 2) AS a, ROUND(-2.5) AS b, TRUNC(12.349, 2) AS c, TRUNC(-1.9) AS d, FLOOR(-1.5) AS e, CEIL(1.2) AS f, ABS(-3) AS g, GREATEST(1, 3, 2) AS h FROM dual;
-- postgres: SELECT 12.35 AS "A", -3 AS "B", 12.34 AS "C", -1 AS "D", -2 AS "E", 2 AS "F", 3 AS "G", 3 AS "H"

-- id: averages
SELECT category, AVG(price) AS mean, COUNT(*) AS n FROM product GROUP BY category ORDER BY category;
-- postgres: SELECT category AS "CATEGORY", avg(price) AS "MEAN", count(*) AS "N" FROM product GROUP BY category ORDER BY category

-- id: revenue
SELECT p.category, SUM(l.quantity * l.unit_price * (1 - NVL(l.discount, 0))) AS revenue FROM line l JOIN product p ON p.id = l.product_id GROUP BY p.category HAVING SUM(l.quantity) > 3 ORDER BY revenue DESC;
-- postgres: SELECT p.category AS "CATEGORY", sum(l.quantity * l.unit_price * (1 - coalesce(l.discount, 0))) AS "REVENUE" FROM line l JOIN product p ON p.id = l.product_id GROUP BY p.category HAVING sum(l.quantity) > 3 ORDER BY 2 DESC

-- id: not_grouped
SELECT status, total FROM purchase GROUP BY status;
-- error: sql_syntax: ORA-00979: not a GROUP BY expression

-- id: rollup
SELECT category, GROUPING(category) AS g, COUNT(*) AS n FROM product GROUP BY ROLLUP (category);
-- postgres: SELECT category AS "CATEGORY", grouping(category) AS "G", count(*) AS "N" FROM product GROUP BY ROLLUP (category)

-- id: cube
SELECT customer_id, status, COUNT(*) AS n FROM purchase GROUP BY CUBE (customer_id, status);
-- postgres: SELECT customer_id AS "CUSTOMER_ID", status AS "STATUS", count(*) AS "N" FROM purchase GROUP BY CUBE (customer_id, status)

-- id: listagg
SELECT category, LISTAGG(name, '; ') WITHIN GROUP (ORDER BY name DESC) AS names FROM product GROUP BY category ORDER BY category;
-- postgres: SELECT category AS "CATEGORY", string_agg(name, '; ' ORDER BY name DESC) AS "NAMES" FROM product GROUP BY category ORDER BY category

-- id: listagg_of_numbers
SELECT LISTAGG(id, ',') WITHIN GROUP (ORDER BY id) AS ids FROM purchase WHERE customer_id = 2;
-- postgres: SELECT '103,104,112' AS "IDS"

-- id: text_functions
SELECT UPPER(sku) AS u, SUBSTR(name, -3) AS s, SUBSTR(name, 2, 3) AS m, INSTR(name, 's') AS i, INSTR(name, 's', 1, 2) AS j, LENGTH(name) AS n, LPAD(id, 3, '0') AS l, INITCAP('tea pot') AS t FROM product WHERE id = 1;
-- postgres: SELECT 'SKU-001' AS "U", 'Cup' AS "S", 'spr' AS "M", 2 AS "I", 6 AS "J", 12 AS "N", '001' AS "L", 'Tea Pot' AS "T"

-- id: user_of_address
SELECT id, SUBSTR(email, 1, INSTR(email, '@') - 1) AS who FROM customer WHERE email IS NOT NULL ORDER BY id;
-- postgres: SELECT id AS "ID", split_part(email, '@', 1) AS "WHO" FROM customer WHERE email IS NOT NULL ORDER BY id

-- id: regular_expressions
SELECT id, REGEXP_SUBSTR(email, '[^@]+') AS who, REGEXP_REPLACE(name, '[^A-Za-z]', '') AS plain, REGEXP_COUNT(name, 'a') AS n FROM customer WHERE REGEXP_LIKE(email, '^[a-f].*example\.com$', 'i') ORDER BY id;
-- postgres: SELECT id AS "ID", split_part(email, '@', 1) AS "WHO", regexp_replace(name, '[^A-Za-z]', '', 'g') AS "PLAIN", regexp_count(name, 'a') AS "N" FROM customer WHERE email ~* '^[a-f].*example\.com$' ORDER BY id

-- id: clock
SELECT SYSDATE AS a, TRUNC(SYSDATE) AS b, TRUNC(SYSDATE, 'MM') AS c, TRUNC(SYSDATE, 'IW') AS d, SYSDATE + 1 AS e, SYSDATE - 1/24 AS f FROM dual;
-- postgres: SELECT localtimestamp AS "A", current_date AS "B", date '2024-07-01' AS "C", date '2024-07-01' AS "D", timestamp '2024-07-02 09:30' AS "E", timestamp '2024-07-01 08:30' AS "F"

-- id: days_between
SELECT id, shipped_on - TRUNC(placed_at) AS days, placed_at - DATE '2024-01-01' AS since FROM purchase WHERE id IN (102, 103) ORDER BY id;
-- postgres: SELECT id AS "ID", shipped_on - placed_at::date AS "DAYS", extract(epoch FROM placed_at - timestamp '2024-01-01') / 86400 AS "SINCE" FROM purchase WHERE id IN (102, 103) ORDER BY id

-- id: dates_and_days
SELECT shipped_on + 7 AS a, shipped_on - 1 AS b, DATE '2024-02-28' + 2 AS c, placed_at + INTERVAL '90' MINUTE AS d FROM purchase WHERE id = 102;
-- postgres: SELECT shipped_on + 7 AS "A", shipped_on - 1 AS "B", date '2024-03-01' AS "C", placed_at + interval '90 minutes' AS "D" FROM purchase WHERE id = 102

-- id: add_months
SELECT ADD_MONTHS(DATE '2024-02-29', 1) AS a, ADD_MONTHS(DATE '2024-01-30', 1) AS b, ADD_MONTHS(DATE '2023-01-31', 1) AS c, LAST_DAY(DATE '2024-02-05') AS d, ADD_MONTHS(placed_at, -1) AS e FROM purchase WHERE id = 103;
-- postgres: SELECT date '2024-03-31' AS "A", date '2024-02-29' AS "B", date '2023-02-28' AS "C", date '2024-02-29' AS "D", placed_at - interval '1 month' AS "E" FROM purchase WHERE id = 103

-- id: months_between
SELECT MONTHS_BETWEEN(DATE '2024-03-31', DATE '2024-02-29') AS a, MONTHS_BETWEEN(DATE '2024-03-15', DATE '2024-01-15') AS b, MONTHS_BETWEEN(DATE '2024-03-16', DATE '2024-01-15') AS c FROM dual;
-- postgres: SELECT 1 AS "A", 2 AS "B", 2 + 1 / 31.0::numeric(30,25) AS "C"

-- id: parts_of_dates
SELECT EXTRACT(YEAR FROM placed_at) AS y, EXTRACT(MONTH FROM placed_at) AS m, TO_CHAR(placed_at, 'Q') AS q, TO_CHAR(placed_at, 'HH24:MI') AS t FROM purchase WHERE id = 101;
-- postgres: SELECT 2024 AS "Y", 1 AS "M", '1' AS "Q", '23:59' AS "T"

-- id: to_char_of_dates
SELECT TO_CHAR(placed_at, 'YYYY-MM-DD HH24:MI:SS') AS a, TO_CHAR(placed_at, 'FMDay, DD Month YYYY') AS b, TO_CHAR(shipped_on, 'Month') AS c, TO_CHAR(shipped_on) AS d FROM purchase WHERE id = 102;
-- postgres: SELECT '2024-02-29 12:00:00' AS "A", 'Thursday, 29 February 2024' AS "B", 'March    ' AS "C", '2024-03-04 00:00:00' AS "D"

-- id: to_char_of_numbers
SELECT TO_CHAR(1234.5, 'FM9,999.00') AS a, TO_CHAR(0.5, 'FM990.00') AS b, TO_CHAR(12, '0000') AS c FROM dual;
-- postgres: SELECT '1,234.50' AS "A", '0.50' AS "B", ' 0012' AS "C"

-- id: to_date
SELECT TO_DATE('03.06.2024', 'DD.MM.YYYY') AS a, TO_DATE('2024-06-03 08:05', 'YYYY-MM-DD HH24:MI') AS b, TO_NUMBER('12.5') + 1 AS c FROM dual;
-- postgres: SELECT date '2024-06-03' AS "A", timestamp '2024-06-03 08:05' AS "B", 13.5 AS "C"

-- id: casts
SELECT CAST('12' AS NUMBER) AS a, CAST(2.567 AS NUMBER(5,1)) AS b, CAST(total AS VARCHAR2(20)) AS c, CAST(2.5 AS INTEGER) AS d FROM purchase WHERE id = 101;
-- postgres: SELECT 12 AS "A", 2.6 AS "B", '64.9' AS "C", 3 AS "D"

-- id: date_literals
SELECT id FROM purchase WHERE placed_at >= DATE '2024-06-15' AND placed_at < TIMESTAMP '2024-06-30 12:00:00' ORDER BY id;
-- postgres: SELECT id AS "ID" FROM purchase WHERE placed_at >= '2024-06-15' AND placed_at < '2024-06-30 12:00:00' ORDER BY id

-- id: by_month
SELECT TRUNC(placed_at, 'MM') AS month, SUM(total) AS total FROM purchase GROUP BY TRUNC(placed_at, 'MM') ORDER BY month;
-- postgres: SELECT date_trunc('month', placed_at)::date AS "MONTH", sum(total) AS "TOTAL" FROM purchase GROUP BY 1 ORDER BY 1

-- id: last_thirty_days
SELECT COUNT(*) AS n FROM purchase WHERE placed_at >= SYSDATE - 30;
-- postgres: SELECT count(*) AS "N" FROM purchase WHERE placed_at >= localtimestamp - interval '30 days'

-- id: booleans
SELECT id FROM customer WHERE active AND tier IN ('bronze', 'silver') ORDER BY id;
-- postgres: SELECT id AS "ID" FROM customer WHERE active AND tier IN ('bronze', 'silver') ORDER BY id

-- id: minus
SELECT customer_id FROM purchase MINUS SELECT customer_id FROM ticket ORDER BY customer_id;
-- postgres: SELECT customer_id AS "CUSTOMER_ID" FROM purchase EXCEPT SELECT customer_id FROM ticket ORDER BY 1

-- id: left_join
SELECT c.id, p.id AS purchase FROM customer c LEFT JOIN purchase p ON p.customer_id = c.id AND p.status = 'new' ORDER BY c.id, p.id;
-- postgres: SELECT c.id AS "ID", p.id AS "PURCHASE" FROM customer c LEFT JOIN purchase p ON p.customer_id = c.id AND p.status = 'new' ORDER BY c.id, p.id

-- id: plus_join
SELECT c.id FROM customer c, purchase p WHERE c.id = p.customer_id(+);
-- alternative: left_join

-- id: tree_of_numbers
WITH tree (id, name, depth) AS (SELECT id, name, CAST(0 AS INTEGER) FROM employee WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, t.depth + 1 FROM employee e JOIN tree t ON e.manager_id = t.id) SELECT id, name, depth FROM tree ORDER BY depth, id;
-- postgres: WITH RECURSIVE tree(id, name, depth) AS (SELECT id, name, 0 FROM employee WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, t.depth + 1 FROM employee e JOIN tree t ON e.manager_id = t.id) SELECT id AS "ID", name AS "NAME", depth AS "DEPTH" FROM tree ORDER BY depth, id

-- id: connect_by
SELECT id, LEVEL FROM employee START WITH manager_id IS NULL CONNECT BY PRIOR id = manager_id;
-- alternative: tree_of_numbers

-- id: windows
SELECT id, RANK() OVER (ORDER BY total DESC) AS place, SUM(total) OVER (PARTITION BY customer_id ORDER BY placed_at, id) AS running, LAG(total) OVER (ORDER BY id) AS before FROM purchase ORDER BY id;
-- postgres: SELECT id AS "ID", rank() OVER (ORDER BY total DESC) AS "PLACE", sum(total) OVER (PARTITION BY customer_id ORDER BY placed_at, id) AS "RUNNING", lag(total) OVER (ORDER BY id) AS "BEFORE" FROM purchase ORDER BY id

-- id: latest_of_each
SELECT customer_id, id FROM (SELECT customer_id, id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at DESC, id DESC) AS rn FROM purchase) WHERE rn = 1 ORDER BY customer_id;
-- postgres: SELECT DISTINCT ON (customer_id) customer_id AS "CUSTOMER_ID", id AS "ID" FROM purchase ORDER BY customer_id, placed_at DESC, id DESC

-- id: keep
SELECT customer_id, MAX(total) KEEP (DENSE_RANK LAST ORDER BY placed_at) AS x FROM purchase GROUP BY customer_id;
-- alternative: latest_of_each

-- id: median
SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY salary) AS median FROM employee;
-- postgres: SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY salary) AS "MEDIAN" FROM employee

-- id: unknown_column
SELECT id, nam FROM customer;
-- error: sql_unknown_name: ORA-00904: "NAM": invalid identifier

-- id: unknown_table
SELECT * FROM customers;
-- error: sql_unknown_name: ORA-00942: table or view does not exist

-- id: divide_by_zero
SELECT 1 / 0 AS x FROM dual;
-- error: sql_value: division by zero

-- id: limit_is_not_there
SELECT id FROM customer LIMIT 3;
-- error: sql_syntax: ORA-00933

-- id: recursion_by_addition
WITH numbers (n) AS (SELECT 1 FROM dual UNION ALL SELECT n + 1 FROM numbers WHERE n < 4) SELECT n FROM numbers ORDER BY n;
-- postgres: SELECT generate_series(1, 4) AS "N" ORDER BY 1

-- id: names_in_quotes_keep_their_case
SELECT t."x", x FROM (SELECT id AS "x", 5 AS x FROM product) t WHERE t."x" < 3 ORDER BY t."x";
-- postgres: SELECT id AS "x", 5 AS "X" FROM product WHERE id < 3 ORDER BY id

-- id: spread_of_one_row
SELECT STDDEV(salary) AS a, VARIANCE(salary) AS b, STDDEV_SAMP(salary) AS c FROM employee WHERE id = 2;
-- postgres: SELECT 0.0 AS "A", 0.0 AS "B", NULL::numeric AS "C"

-- id: spread_of_rows
SELECT department, STDDEV(salary) AS a, VARIANCE(bonus) AS b FROM employee GROUP BY department ORDER BY department;
-- postgres: SELECT department AS "DEPARTMENT", coalesce(stddev(salary), 0) AS "A", coalesce(variance(bonus), var_pop(bonus)) AS "B" FROM employee GROUP BY 1 ORDER BY 1

-- id: number_too_long_for_its_template
SELECT TO_CHAR(12345, '999') AS a, TO_CHAR(12345, 'FM999') AS b, TO_CHAR(-1234.5, '999.99') AS c, TO_CHAR(123, '999') AS d FROM dual;
-- postgres: SELECT '####' AS "A", '####' AS "B", '#######' AS "C", ' 123' AS "D"

-- id: month_ends
SELECT ADD_MONTHS(DATE '2024-02-29', 1) AS a, ADD_MONTHS(DATE '2024-01-31', 1) AS b, ADD_MONTHS(DATE '2024-01-30', 1) AS c, MONTHS_BETWEEN(DATE '2024-03-31', DATE '2024-02-29') AS d FROM dual;
-- postgres: SELECT date '2024-03-31' AS "A", date '2024-02-29' AS "B", date '2024-02-29' AS "C", 1.0 AS "D"

-- id: empty_is_null_everywhere
SELECT id FROM purchase WHERE note = '' OR note <> 'gift wrap' ORDER BY id;
-- postgres: SELECT id AS "ID" FROM purchase WHERE note <> 'gift wrap' AND note <> '' ORDER BY id

-- id: nulls_are_the_greatest
SELECT id, city FROM customer ORDER BY city DESC, id FETCH FIRST 3 ROWS ONLY;
-- postgres: SELECT id AS "ID", city AS "CITY" FROM customer ORDER BY city DESC NULLS FIRST, id LIMIT 3
