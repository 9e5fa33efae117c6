-- id: plain_columns
SELECT id, name, tier FROM customer ORDER BY id;

-- id: star
SELECT * FROM product ORDER BY id;

-- id: qualified_star
SELECT p.*, c.name AS customer FROM purchase p JOIN customer c ON c.id = p.customer_id ORDER BY p.id;

-- id: default_schema
SELECT public.customer.id FROM public.customer;
-- alternative: plain_columns

-- id: schema_in_from
SELECT c.id FROM public.customer AS c WHERE c.id < 3 ORDER BY 1;

-- id: where_and_or
SELECT id FROM purchase WHERE status = 'paid' AND (total > 50 OR note IS NULL) ORDER BY id;

-- id: where_boolean_column
SELECT id FROM customer WHERE active ORDER BY id;

-- id: where_not_boolean
SELECT id FROM customer WHERE NOT active ORDER BY id;

-- id: boolean_output
SELECT id, active, credit > 100 AS rich, email IS NULL AS unreachable FROM customer ORDER BY id;

-- id: is_true_family
SELECT id, (credit > 50) IS TRUE AS a, (credit > 50) IS NOT FALSE AS b, (credit > 50) IS NULL AS c FROM customer ORDER BY id;

-- id: boolean_literals
SELECT true AS yes, false AS no, 't'::boolean AS t, NOT true AS n;

-- id: compare_boolean
SELECT id FROM customer WHERE active = false ORDER BY id;

-- id: is_distinct_from
SELECT id FROM customer WHERE city IS DISTINCT FROM 'Köln' ORDER BY id;

-- id: is_not_distinct_from
SELECT e.id FROM employee e WHERE e.manager_id IS NOT DISTINCT FROM NULL;

-- id: in_list
SELECT id FROM purchase WHERE status IN ('new', 'cancelled') ORDER BY id;

-- id: not_in_list
SELECT id FROM purchase WHERE status NOT IN ('new', 'cancelled') ORDER BY id;

-- id: in_numbers_as_text
SELECT id FROM customer WHERE id IN ('1', '3', 5) ORDER BY id;

-- id: not_in_with_null
SELECT id FROM employee WHERE id NOT IN (SELECT manager_id FROM employee);

-- id: in_subquery
SELECT name FROM customer WHERE id IN (SELECT customer_id FROM ticket WHERE status = 'open') ORDER BY name;

-- id: row_in_list
SELECT warehouse, product_id FROM stock WHERE (warehouse, product_id) IN (('north', 1), ('south', 6)) ORDER BY 1, 2;

-- id: row_in_subquery
SELECT purchase_id, position FROM line WHERE (purchase_id, position) IN (SELECT purchase_id, max(position) FROM line GROUP BY purchase_id) ORDER BY 1;

-- id: row_comparison
SELECT id FROM purchase WHERE (placed_at, id) > ('2024-06-15 14:30:00', 108) ORDER BY placed_at, id;

-- id: row_equality
SELECT count(*) FROM stock WHERE (warehouse, quantity) = ('north', 0);

-- id: between_dates
SELECT id FROM purchase WHERE placed_at BETWEEN '2024-03-01' AND '2024-03-31' ORDER BY id;

-- id: between_symmetric
SELECT id FROM product WHERE price BETWEEN SYMMETRIC 40 AND 10 ORDER BY id;

-- id: not_between
SELECT id FROM product WHERE price NOT BETWEEN 10 AND 40 ORDER BY id;

-- id: like_case
SELECT id FROM ticket WHERE subject LIKE '%refund%' ORDER BY id;

-- id: ilike
SELECT id FROM ticket WHERE subject ILIKE '%REFUND%' ORDER BY id;

-- id: ilike_unicode
SELECT id FROM customer WHERE city ILIKE 'KÖLN' OR name ILIKE 'ém%' ORDER BY id;

-- id: not_ilike
SELECT id FROM customer WHERE email NOT ILIKE '%example.com' ORDER BY id;

-- id: like_underscore
SELECT id FROM customer WHERE name LIKE '____' OR name LIKE 'B_ Li' ORDER BY id;

-- id: like_escape
SELECT id FROM customer WHERE name LIKE '%\_%' OR name LIKE '%!%' ESCAPE '!' ORDER BY id;

-- id: like_escape_percent
SELECT id FROM purchase WHERE note LIKE '%!%%' ESCAPE '!';

-- id: like_concatenated
SELECT p.id FROM purchase p WHERE p.note LIKE 'call' || '%';

-- id: similar_to
SELECT id FROM product WHERE sku SIMILAR TO 'SKU-00(1|3|5)' ORDER BY id;

-- id: similar_class
SELECT id FROM product WHERE name SIMILAR TO '%[A-D]e[a-z]+%' ORDER BY id;

-- id: regex_match
SELECT id FROM ticket WHERE subject ~ '#[0-9]+' ORDER BY id;

-- id: regex_ignore_case
SELECT id FROM ticket WHERE subject ~* '^(urgent|refund)\M' OR subject ~* 'refund' ORDER BY id;
-- alternative: regex_alternation

-- id: regex_alternation
SELECT id FROM ticket WHERE subject ~* '^(urgent|refund)\y' ORDER BY id;

-- id: regex_not
SELECT id FROM ticket WHERE subject !~ '[[:upper:]]' ORDER BY id;

-- id: regex_not_ignore_case
SELECT id FROM customer WHERE email !~* '@example\.com$' ORDER BY id;

-- id: regex_lookahead
SELECT id FROM ticket WHERE subject ~ 'Pot(?= leaks)';
-- alternative: regex_match

-- id: like_any
SELECT id FROM ticket WHERE subject LIKE ANY (ARRAY['Cup%', 'Pot%']);
-- alternative: regex_alternation

-- id: order_nulls_default
SELECT id, city FROM customer ORDER BY city, id;

-- id: order_nulls_desc
SELECT id, credit FROM customer ORDER BY credit DESC, id;

-- id: order_nulls_first
SELECT id, email FROM customer ORDER BY email NULLS FIRST, id;

-- id: order_nulls_last
SELECT id, credit FROM customer ORDER BY credit DESC NULLS LAST, id DESC;

-- id: order_by_expression
SELECT id FROM product ORDER BY price * coalesce(weight, 0) DESC, id;

-- id: order_by_alias
SELECT id, price * 2 AS double_price FROM product ORDER BY double_price, id;

-- id: order_by_unselected
SELECT name FROM employee ORDER BY hired DESC;

-- id: order_by_boolean
SELECT id FROM customer ORDER BY active, tier, id;

-- id: order_by_position
SELECT category, name FROM product ORDER BY 1 DESC, 2;

-- id: order_by_case
SELECT id, status FROM purchase ORDER BY CASE status WHEN 'new' THEN 1 WHEN 'paid' THEN 2 ELSE 3 END, id;

-- id: text_order_code_points
SELECT name FROM customer ORDER BY name;

-- id: order_text_lower
SELECT name FROM customer ORDER BY lower(name) DESC;

-- id: order_collate_c
SELECT name FROM customer ORDER BY name COLLATE "C";

-- id: limit_offset
SELECT id FROM purchase ORDER BY id LIMIT 3 OFFSET 4;

-- id: offset_only
SELECT id FROM purchase ORDER BY id OFFSET 10;

-- id: limit_all
SELECT id FROM customer ORDER BY id LIMIT ALL;

-- id: fetch_first
SELECT id FROM purchase ORDER BY total DESC, id FETCH FIRST 2 ROWS ONLY;

-- id: fetch_next_offset
SELECT id FROM purchase ORDER BY id OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY;

-- id: fetch_with_ties
SELECT id, salary FROM employee ORDER BY salary DESC FETCH FIRST 4 ROWS WITH TIES;
-- alternative: rank_top

-- id: distinct
SELECT DISTINCT tier FROM customer ORDER BY tier;

-- id: distinct_pairs
SELECT DISTINCT city, tier FROM customer ORDER BY city, tier;

-- id: distinct_on_latest
SELECT DISTINCT ON (customer_id) customer_id, id, placed_at FROM purchase ORDER BY customer_id, placed_at DESC, id DESC;

-- id: distinct_on_two
SELECT DISTINCT ON (c.city, c.tier) c.city, c.tier, c.name FROM customer c ORDER BY c.city, c.tier, c.joined DESC, c.id;

-- id: distinct_on_expression
SELECT DISTINCT ON (date_trunc('month', placed_at)) id, total FROM purchase ORDER BY date_trunc('month', placed_at) DESC, total DESC, id LIMIT 4;

-- id: distinct_on_join
SELECT DISTINCT ON (c.id) c.name, p.total FROM customer c LEFT JOIN purchase p ON p.customer_id = c.id ORDER BY c.id, p.total DESC NULLS LAST;

-- id: values_alone
VALUES (1, 'one'), (2, 'two'), (3, NULL) ORDER BY 1 DESC;

-- id: values_in_from
SELECT v.code, v.label FROM (VALUES ('n', 'new'), ('p', 'paid')) AS v(code, label) ORDER BY v.code;

-- id: values_join
SELECT p.id, w.weight FROM purchase p JOIN (VALUES ('new', 1.5), ('paid', 2)) AS w(status, weight) ON w.status = p.status WHERE p.total > 60 ORDER BY p.id;

-- id: select_without_from
SELECT 1 + 1 AS two, 'a' || 'b' AS ab, NULL AS nothing;

-- id: default_names
SELECT count(*), sum(total), max(placed_at), coalesce(min(note), 'x'), 1, 'a', CASE WHEN true THEN 1 END FROM purchase;

-- id: cast_names
SELECT total::integer, id::text, '7'::integer, (SELECT 5), EXTRACT(year FROM placed_at) FROM purchase WHERE id = 101;

-- id: quoted_identifier
SELECT "id", "name" AS "Full Name" FROM "customer" WHERE "id" = 2;

-- id: upper_case_names
SELECT ID, Name FROM Customer WHERE Id = 2;

-- id: for_update
SELECT id FROM purchase WHERE status = 'new' ORDER BY id FOR UPDATE SKIP LOCKED;

-- id: comments
SELECT id /* the key; */ FROM customer -- all of them
WHERE id = 1;

-- id: dollar_quotes
SELECT $$it's$$ AS text, E'tab\there' AS escaped;

-- id: whole_row
SELECT c FROM customer c WHERE id = 1;
-- alternative: plain_columns

-- id: tablesample
SELECT id FROM customer TABLESAMPLE BERNOULLI (50);
-- alternative: limit_offset

-- id: text_concat_null
SELECT id, name || ' <' || email || '>' AS address FROM customer ORDER BY id;

-- id: quoted_literal_number
SELECT id FROM purchase WHERE total > '60' ORDER BY id;

-- id: text_equals_number
SELECT id FROM customer WHERE name = 5;

-- id: number_equals_bad_text
SELECT id FROM customer WHERE id = 'five';

-- id: date_equals_timestamp
SELECT p.id FROM purchase p JOIN customer c ON c.joined < p.placed_at WHERE c.id = 8 AND p.shipped_on = '2024-07-01' ORDER BY p.id;

-- id: date_against_timestamp_column
SELECT id FROM purchase WHERE placed_at = date '2024-03-01';

-- id: where_not_boolean_type
SELECT id FROM customer WHERE id;

-- id: unknown_column
SELECT nmae FROM customer;

-- id: unknown_table
SELECT * FROM customers;

-- id: unknown_alias
SELECT x.id FROM customer c;

-- id: ambiguous_column
SELECT id FROM customer c JOIN purchase p ON p.customer_id = c.id;

-- id: alias_in_where
SELECT total * 2 AS twice FROM purchase WHERE twice > 100;

-- id: syntax_error
SELECT id FORM customer;
