-- id: integer_division
SELECT 7 / 2 AS a, -7 / 2 AS b, 7 % 3 AS c, -7 % 3 AS d, 7.0 / 2 AS e, 7 / 2.0 AS f;

-- id: column_division
SELECT id, quantity / 3 AS a, quantity / 3.0 AS b, quantity % 2 AS c FROM (SELECT product_id AS id, quantity FROM stock WHERE warehouse = 'north') s ORDER BY id;

-- id: division_by_zero
SELECT product_id, reserved / quantity FROM stock;

-- id: division_by_zero_numeric
SELECT total / 0 FROM purchase;

-- id: division_guarded
SELECT warehouse, product_id, reserved / nullif(quantity, 0) AS share FROM stock ORDER BY 1, 2;

-- id: modulo_zero
SELECT mod(5, 0);

-- id: integer_overflow
SELECT 2147483647 + 1;

-- id: bigint_no_overflow
SELECT 2147483647::bigint + 1 AS a, 2147483648 + 1 AS b, 3000000000 * 2 AS c;

-- id: bigint_overflow
SELECT 9223372036854775807 + 1;

-- id: multiply_overflow
SELECT 100000 * id * 1000 FROM purchase;

-- id: decimal_exact
SELECT 0.1 + 0.2 = 0.3 AS exact, 1.10 * 3 AS product, 1.005 * 100 AS cents;

-- id: decimal_columns
SELECT purchase_id, position, quantity * unit_price AS gross, quantity * unit_price * (1 - coalesce(discount, 0)) AS net FROM line ORDER BY 1, 2;

-- id: decimal_equality
SELECT p.id FROM purchase p WHERE p.total = (SELECT sum(l.quantity * l.unit_price) FROM line l WHERE l.purchase_id = p.id) ORDER BY p.id;

-- id: round_half
SELECT round(2.5) AS a, round(-2.5) AS b, round(0.125, 2) AS c, round(2.675, 2) AS d, round(1234.5, -2) AS e, round(2.5::float8) AS f, round(3.5::float8) AS g;

-- id: round_float_digits
SELECT round(score, 1) FROM customer;

-- id: round_cast
SELECT round(score::numeric, 1) AS r FROM customer ORDER BY id;

-- id: trunc_ceil_floor
SELECT trunc(-2.7) AS a, trunc(2.789, 1) AS b, ceil(2.1) AS c, floor(-2.1) AS d, ceiling(-0.5) AS e;

-- id: cast_to_integer
SELECT 2.5::int AS a, 3.5::int AS b, -2.5::int AS c, 2.5::float8::int AS d, '42'::int AS e, CAST(7.49 AS bigint) AS f, true::int AS g;

-- id: cast_bad_integer
SELECT '4x'::int;

-- id: cast_column_text
SELECT right(sku, 3)::int AS n FROM product ORDER BY id;

-- id: cast_text_failing
SELECT name::int FROM product;

-- id: cast_numeric_scale
SELECT 2.345::numeric(10,2) AS a, (1.0 / 3)::numeric(6,4) AS b, '12.3456'::numeric AS c, 5::numeric(4,1) AS d;

-- id: cast_numeric_overflow
SELECT 123456::numeric(5,2);

-- id: cast_to_text
SELECT 12::text AS a, 12.50::text AS b, true::text AS c, 1.5::float8::text AS d, date '2024-01-02'::text AS e;

-- id: number_to_text_concat
SELECT 'No. ' || id || ': ' || total AS text FROM purchase ORDER BY id;

-- id: boolean_to_text
SELECT name || ' is ' || active AS text FROM customer ORDER BY id;

-- id: unknown_scale_to_text
SELECT (total / 3)::text FROM purchase;
-- alternative: rounded_to_text

-- id: rounded_to_text
SELECT round(total / 3, 2)::text AS text FROM purchase ORDER BY id;

-- id: cast_boolean
SELECT 'yes'::boolean AS a, 'off'::boolean AS b, 0::boolean AS c, 5::boolean AS d;

-- id: cast_varchar
SELECT name::varchar(5) AS short FROM product ORDER BY id;

-- id: cast_uuid
SELECT 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid;
-- alternative: cast_to_text

-- id: numeric_functions
SELECT abs(-5) AS a, sign(-2.5) AS b, mod(17, 5) AS c, power(2, 10) AS d, sqrt(16) AS e, 2 ^ 3 AS f, div(17, 5) AS g, gcd(12, 18) AS h;

-- id: numeric_modulo
SELECT total % 10 AS rest, mod(total, 7) AS m FROM purchase ORDER BY id;

-- id: exp_and_ln
SELECT ln(2.0), exp(1.0);
-- alternative: numeric_functions

-- id: random
SELECT random();
-- alternative: row_number

-- id: width_bucket
SELECT id, width_bucket(price, 0, 100, 4) AS bucket FROM product ORDER BY id;

-- id: negative_numbers
SELECT -credit AS a, - 5 AS b, -(-3) AS c, +4 AS d FROM customer WHERE id = 5;

-- id: negative_numbers_plain
SELECT -credit AS a, - 5 AS b, -(-3) AS c FROM customer WHERE id = 5;

-- id: coalesce
SELECT id, coalesce(email, 'none') AS email, coalesce(city, email, '?') AS place, coalesce(credit, 0) AS credit FROM customer ORDER BY id;

-- id: nullif
SELECT id, nullif(note, '') AS note, nullif(customer_id, 1) AS c FROM purchase ORDER BY id;

-- id: greatest_least_null
SELECT id, greatest(salary, bonus, 4000) AS g, least(salary, bonus) AS l FROM employee ORDER BY id;

-- id: greatest_all_null
SELECT greatest(NULL, NULL::int) AS g, least(3, NULL, 1) AS l;

-- id: case_searched
SELECT id, CASE WHEN credit IS NULL THEN 'unknown' WHEN credit < 0 THEN 'debt' WHEN credit = 0 THEN 'zero' ELSE 'credit' END AS state FROM customer ORDER BY id;

-- id: case_simple
SELECT id, CASE tier WHEN 'gold' THEN 3 WHEN 'silver' THEN 2 ELSE 1 END AS level FROM customer ORDER BY id;

-- id: case_types
SELECT CASE WHEN id > 3 THEN credit ELSE 0 END AS v FROM customer ORDER BY id;

-- id: case_mismatch
SELECT CASE WHEN active THEN name ELSE 0 END FROM customer;

-- id: boolean_arithmetic
SELECT (active AND credit > 0) OR tier = 'gold' AS flag FROM customer ORDER BY id;

-- id: three_valued
SELECT id, credit > 0 AND active AS a, credit > 0 OR active AS b, NOT credit > 0 AS c FROM customer ORDER BY id;

-- id: upper_lower
SELECT upper(name) AS u, lower(name) AS l, length(name) AS n FROM customer ORDER BY id;

-- id: initcap
SELECT initcap(name) AS a, initcap('o''neil & sons_ltd') AS b FROM customer ORDER BY id;

-- id: left_right
SELECT left(name, 3) AS a, right(name, 3) AS b, left(name, -2) AS c, right(name, -2) AS d FROM customer ORDER BY id;

-- id: substring_forms
SELECT substring(name FROM 2 FOR 3) AS a, substring(name, 3) AS b, substr(name, 1, 2) AS c, substring(name FROM 0 FOR 3) AS d FROM customer ORDER BY id;

-- id: substring_regex
SELECT substring(subject FROM '#([0-9]+)') AS number, substring(subject FROM '[a-z]+') AS word FROM ticket ORDER BY id;

-- id: split_part
SELECT split_part(email, '@', 1) AS a, split_part(email, '@', 2) AS b, split_part(email, '.', -1) AS c FROM customer ORDER BY id;

-- id: padding
SELECT lpad(id::text, 5, '0') AS a, rpad(sku, 10, '.-') AS b, lpad(name, 4) AS c FROM product ORDER BY id;

-- id: trims
SELECT trim('  a b ') AS a, ltrim('xxaxx', 'x') AS b, rtrim('xxaxx', 'x') AS c, trim(both 'x' FROM 'xxaxx') AS d, btrim('  q  ') AS e, trim(leading '0' FROM '0042') AS f;

-- id: replace_translate
SELECT replace(sku, 'SKU-', '#') AS a, translate(sku, '0123', 'abc') AS b, reverse(sku) AS c, repeat('ab', 3) AS d FROM product ORDER BY id;

-- id: positions
SELECT position('e' IN name) AS a, strpos(name, 'a') AS b FROM product ORDER BY id;

-- id: concat_functions
SELECT concat(name, ' (', email, ')') AS a, concat_ws(', ', name, email, city) AS b FROM customer ORDER BY id;

-- id: format
SELECT format('%s has %s (100%%)', name, tier) AS text FROM customer ORDER BY id;

-- id: format_quoted
SELECT format('%I = %L', 'name', name) FROM customer;
-- alternative: format

-- id: regexp_replace
SELECT regexp_replace(subject, '[^[:alnum:]]+', '-', 'g') AS slug, regexp_replace(subject, '([A-Z])([a-z]+)', '\2\1') AS swapped FROM ticket ORDER BY id;

-- id: regexp_lazy
SELECT regexp_replace(subject, 'P.*?t', 'X') FROM ticket;
-- alternative: regexp_replace

-- id: regexp_match
SELECT (regexp_match(sku, '([A-Z]+)-([0-9]+)'))[2] AS number FROM product ORDER BY id;

-- id: regexp_count_split
SELECT regexp_count(subject, '[aeiou]') AS n, regexp_split_to_array(subject, '\s+') AS words FROM ticket ORDER BY id;

-- id: split_to_rows
SELECT t.id, w FROM ticket t, regexp_split_to_table(t.subject, '\s+') AS w WHERE t.id < 3 ORDER BY t.id, w;

-- id: string_to_array_unnest
SELECT unnest(string_to_array('a,b,c', ',')) AS part;

-- id: chr_ascii
SELECT chr(65) AS a, ascii('é') AS b, octet_length('é') AS c, char_length('é') AS d;

-- id: starts_with
SELECT id FROM product WHERE starts_with(name, 'De');

-- id: overlay
SELECT overlay(sku PLACING 'XX' FROM 1 FOR 3) AS a FROM product ORDER BY id;

-- id: to_char_numbers
SELECT to_char(total, 'FM999,990.00') AS a, to_char(total, '99999.99') AS b, to_char(id, 'FM000000') AS c, to_char(-total, 'FM9990.0') AS d FROM purchase ORDER BY id;

-- id: to_char_overflow
SELECT to_char(1234.5, 'FM99.0') AS a, to_char(0.5, '990.00') AS b, to_char(0.5, 'FM999.99') AS c;

-- id: md5
SELECT md5(name) FROM customer;
-- alternative: plain_columns

-- id: text_compare
SELECT id FROM customer WHERE name > 'D' AND name < 'a' ORDER BY id;

-- id: text_plus_number
SELECT name + 1 FROM customer;

-- id: lower_of_number
SELECT lower(id) FROM customer;

-- id: unknown_function
SELECT frobnicate(name) FROM customer;

-- id: wrong_argument_count
SELECT left(name) FROM customer;

-- id: bit_operators
SELECT id & 1 FROM customer;
-- alternative: numeric_functions

-- id: comparison_chain
SELECT active = true IS NULL FROM customer;

-- id: json_field
SELECT id, profile -> 'age' AS age, profile ->> 'age' AS text, profile -> 'address' ->> 'city' AS city FROM customer ORDER BY id;

-- id: json_path
SELECT id, profile #>> '{address,zip}' AS zip, profile #> '{tags,0}' AS first FROM customer ORDER BY id;

-- id: json_where
SELECT id FROM customer WHERE (profile ->> 'age')::int > 30 ORDER BY id;

-- id: json_cast_numeric
SELECT id, (profile ->> 'discount')::numeric * 100 AS percent FROM customer WHERE profile ->> 'discount' IS NOT NULL;

-- id: json_array_index
SELECT id, profile -> 'tags' -> 0 AS first, profile -> 'tags' ->> -1 AS last FROM customer ORDER BY id;

-- id: json_exists
SELECT id FROM customer WHERE profile ? 'newsletter' ORDER BY id;

-- id: json_contains
SELECT id FROM customer WHERE profile @> '{"tags": ["vip"]}' ORDER BY id;

-- id: json_boolean_cast
SELECT id FROM customer WHERE (profile ->> 'newsletter')::boolean ORDER BY id;

-- id: json_elements
SELECT c.id, t.tag FROM customer c, jsonb_array_elements_text(c.profile -> 'tags') AS t(tag) ORDER BY c.id, t.tag;

-- id: json_elements_lateral_left
SELECT c.id, t AS tag FROM customer c LEFT JOIN LATERAL jsonb_array_elements_text(c.profile -> 'tags') AS t ON true ORDER BY c.id, t;

-- id: json_array_length
SELECT id, jsonb_array_length(profile -> 'tags') AS n FROM customer WHERE profile ? 'tags' ORDER BY id;

-- id: json_typeof
SELECT id, jsonb_typeof(profile -> 'age') AS kind, jsonb_typeof(profile -> 'tags') AS tags FROM customer ORDER BY id;

-- id: json_keys
SELECT c.id, k FROM customer c, jsonb_object_keys(c.profile) AS k WHERE c.id < 3 ORDER BY c.id, k;

-- id: json_each
SELECT c.id, e.key, e.value FROM customer c, jsonb_each_text(c.profile) AS e(key, value) WHERE c.id = 2 ORDER BY e.key;

-- id: json_build
SELECT jsonb_build_object('id', id, 'name', name, 'active', active, 'credit', credit, 'joined', joined) AS doc FROM customer ORDER BY id;

-- id: json_array_build
SELECT jsonb_build_array(id, name, NULL, active) AS doc FROM customer WHERE id < 3 ORDER BY id;

-- id: json_concat_set
SELECT profile || '{"x": 1}' AS a, jsonb_set(profile, '{age}', '50') AS b, profile - 'tags' AS c FROM customer WHERE id = 1;

-- id: json_row
SELECT row_to_json(c) FROM customer c WHERE id = 1;
-- alternative: json_build

-- id: json_equality
SELECT id FROM customer WHERE profile = '{}';
-- alternative: json_field

-- id: json_to_record
SELECT x.age FROM customer c, jsonb_to_record(c.profile) AS x(age int);
-- alternative: json_field

-- id: array_literal
SELECT ARRAY[1, 2, 3] AS a, ARRAY['x', NULL] AS b, (ARRAY[10, 20])[2] AS second, array_length(ARRAY[1, 2], 1) AS n, cardinality(ARRAY[]::int[]) AS zero;

-- id: array_functions
SELECT array_to_string(ARRAY['a', 'b'], '-') AS a, array_append(ARRAY[1], 2) AS b, array_position(ARRAY['x', 'y'], 'y') AS c, ARRAY[1] || ARRAY[2] AS d, array_remove(ARRAY[1, 2, 1], 1) AS e;

-- id: array_contains
SELECT ARRAY[1, 2, 3] @> ARRAY[2] AS a, ARRAY[1, 2] && ARRAY[2, 5] AS b;

-- id: array_subquery
SELECT c.id, ARRAY(SELECT p.id FROM purchase p WHERE p.customer_id = c.id ORDER BY p.id) AS purchases FROM customer c ORDER BY c.id;

-- id: unnest_array
SELECT x FROM unnest(ARRAY['a', 'b', 'c']) AS x ORDER BY x;

-- id: unnest_ordinality
SELECT x, n FROM unnest(ARRAY['b', 'a']) WITH ORDINALITY AS u(x, n) ORDER BY n;

-- id: unnest_two
SELECT * FROM unnest(ARRAY[1, 2], ARRAY['a', 'b']) AS u(a, b);
-- alternative: unnest_ordinality

-- id: array_agg_joined
SELECT customer_id, array_to_string(array_agg(status ORDER BY id), ',') AS all_of_them FROM purchase GROUP BY customer_id ORDER BY customer_id;

-- id: sequence_value
SELECT nextval('customer_id_seq');
-- alternative: insert_default_key

-- id: float_text
SELECT score::text AS s, score * 3 AS t FROM customer ORDER BY id;

-- id: float_division
SELECT score / 2 AS h, score / 0.5 AS d FROM customer ORDER BY id;

-- id: precedence
SELECT 2 + 3 * 4 AS a, 10 / 2 * 5 AS b, 10 - 2 - 3 AS c, -2 ^ 2 AS d, 2 ^ 3 ^ 2 AS e, 7 % 4 * 2 AS f, 1 + 2 || 'x' AS g, 'x' || 1 + 2 AS h, NOT 1 = 2 AS i, 2 * -3 AS j, - -3 AS k;

-- id: precedence_logic
SELECT true OR false AND false AS a, NOT false AND false AS b, (1 < 2) = true AS c, 'ab' || 'c' LIKE 'a%' || 'c' AS d, 1 IN (1, 2) = true AS e;

-- id: precedence_is
SELECT 1 = 2 IS NULL AS a, NOT NULL IS NULL AS b;

-- id: regex_concat_precedence
SELECT 'ab' ~ 'a' || 'b' AS a;
-- alternative: regex_concat_brackets

-- id: regex_concat_brackets
SELECT 'ab' ~ ('a' || 'b') AS a;

-- id: time_zone_precedence
SELECT timestamp '2024-01-01' + interval '1 hour' AT TIME ZONE 'UTC' AS a;

-- id: json_key_cast
SELECT profile ->> 'age'::int FROM customer;

-- id: json_odd_keys
SELECT '{"a.b": 1, "$": 2, "0": 3, "x y": {"": 4}}'::jsonb -> 'a.b' AS a, '{"$": 2}'::jsonb -> '$' AS b, '{"0": 3}'::jsonb -> '0' AS c, '{"x y": {"": 4}}'::jsonb -> 'x y' ->> '' AS d;

-- id: json_concat_operators
SELECT 'x' || profile ->> 'age' FROM customer;

-- id: json_text_concat
SELECT id, profile ->> 'age' || ' years' AS age FROM customer ORDER BY id;

-- id: json_in_function
SELECT id, coalesce(profile -> 'address' ->> 'zip', profile ->> 'age', '?') AS x FROM customer ORDER BY id;

-- id: backslashes
SELECT 'C:\temp\n' AS path, length('a\nb') AS n, E'a\tb' AS tab, 'it''s' AS quote;

-- id: underscored_number
SELECT 1_000 AS n;
-- alternative: integer_division

-- id: identifier_case
SELECT "Name" FROM customer;

-- id: double_quoted_text
SELECT "paid" FROM purchase;

-- id: empty_and_blank
SELECT '' = ' ' AS a, '' IS NULL AS b, 'a' = 'a ' AS c, length('') AS d;

-- id: unicode_length
SELECT id, length(name) AS n, octet_length(name) AS bytes, reverse(name) AS r, upper('straße ǆ') AS u FROM customer ORDER BY id;

-- id: big_sum_average
SELECT avg(total / 3) AS a, sum(total) / count(*) AS b, round(sum(total) / 7, 3) AS c FROM purchase;

-- id: integer_average_rounding
SELECT round(avg(priority), 2) AS a, avg(priority)::int AS b, round(avg(priority)) AS c FROM ticket;

-- id: division_chain
SELECT 1 / 3 * 3 AS a, 1.0 / 3 * 3 AS b, 10 / 4 / 2.0 AS c, 5 / 2 + 5 / 2.0 AS d;

-- id: numeric_compare_computed
SELECT id FROM purchase WHERE total * 0.1 = 5.9 OR total - 0.9 = 64 ORDER BY id;

-- id: count_in_division
SELECT count(*) FILTER (WHERE status = 'paid') / count(*) AS zero, count(*) FILTER (WHERE status = 'paid')::numeric / count(*) AS share, round(100.0 * count(*) FILTER (WHERE status = 'paid') / count(*), 2) AS percent FROM purchase;

-- id: sum_over_integers_divided
SELECT purchase_id, sum(quantity) / 2 AS half, sum(quantity) * 1.0 / 2 AS exact FROM line GROUP BY purchase_id ORDER BY 1;

-- id: text_like_number_column
SELECT id FROM purchase WHERE id LIKE '10%';

-- id: cast_then_like
SELECT id FROM purchase WHERE id::text LIKE '10%' ORDER BY id;

-- id: null_in_everything
SELECT NULL + 1 AS a, NULL || 'x' AS b, NULL = NULL AS c, NULL AND false AS d, NULL OR true AS e, coalesce(NULL, NULL, 3) AS f;

-- id: case_without_match
SELECT id, CASE tier WHEN 'none' THEN 1 END AS x FROM customer ORDER BY id;

-- id: nested_case
SELECT id, CASE WHEN credit > 0 THEN CASE WHEN credit > 1000 THEN 'rich' ELSE 'some' END ELSE coalesce('none: ' || city, 'none') END AS x FROM customer ORDER BY id;

-- id: case_guards_division
SELECT warehouse, product_id, CASE WHEN quantity = 0 THEN 0 ELSE reserved * 100 / quantity END AS pct FROM stock ORDER BY 1, 2;

-- id: limit_subquery
SELECT id FROM customer ORDER BY id LIMIT (SELECT 2);
-- alternative: limit_offset

-- id: limit_negative
SELECT id FROM customer LIMIT -1;

-- id: order_position_out_of_range
SELECT id FROM customer ORDER BY 3;

-- id: group_by_position_out_of_range
SELECT count(*) FROM customer GROUP BY 5;

-- id: distinct_order_by_other
SELECT DISTINCT tier FROM customer ORDER BY id;

-- id: distinct_on_order_mismatch
SELECT DISTINCT ON (tier) tier, id FROM customer ORDER BY id;

-- id: between_text
SELECT id FROM customer WHERE name BETWEEN 'A' AND 'D' ORDER BY id;

-- id: float_sum_text
SELECT (0.1::float8 + 0.2::float8)::text AS a, 1e20::float8::text AS b, 1e-7::float8::text AS c, 100000::float8::text AS d, 1e15::float8::text AS e;

-- id: power_fraction
SELECT power(2, 0.5);
-- alternative: numeric_functions

-- id: round_negative_digits
SELECT round(1250, -2) AS a, round(-1250.5, -2) AS b, trunc(1299.9, -2) AS c;

-- id: to_char_roman
SELECT to_char(date '2024-02-05', 'RM');
-- alternative: to_char_dates

-- id: to_char_only_fraction
SELECT to_char(0.05, '.99');
-- alternative: to_char_numbers

-- id: interval_iso
SELECT interval 'P1D';
-- alternative: interval_output

-- id: timestamp_with_offset
SELECT '2024-01-01 10:00:00+02'::timestamptz;
-- alternative: timestamp_text_cast

-- id: date_in_words
SELECT 'Jan 5 2024'::date;
-- alternative: timestamp_text_cast

-- id: cast_char
SELECT 'abc'::char(5);
-- alternative: cast_varchar

-- id: regex_word_start
SELECT 'tab' ~ '\mtab';
-- alternative: regex_alternation

-- id: time_plus_interval
SELECT '10:00'::time + interval '1 hour';
-- alternative: interval_arithmetic

-- id: json_set_of_literal
SELECT jsonb_set('{"a":{"b":1}}', '{a,c}', '2');
-- alternative: json_concat_set

-- id: range_text_frame
SELECT id, count(*) OVER (ORDER BY hired RANGE BETWEEN '1 day' PRECEDING AND CURRENT ROW) FROM employee ORDER BY id;
-- alternative: range_interval_frame

-- id: date_trunc_interval
SELECT id, date_trunc('day', now() - opened_at) FROM ticket;
-- alternative: extract_interval
