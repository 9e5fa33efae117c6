-- id: expression_001
SELECT 'x' || profile ->> 'age' FROM customer;

-- id: expression_002
SELECT id, 1 + profile ->> 'age' FROM customer;

-- id: expression_003
SELECT id, (profile ->> 'age')::int + 1 FROM customer;

-- id: expression_004
SELECT profile -> 'tags' ->> 0 || '!' FROM customer;

-- id: expression_005
SELECT -id % 3 FROM customer;

-- id: expression_006
SELECT id - -1, id--1
FROM customer;

-- id: expression_007
SELECT 5 - 3 || 'x';

-- id: expression_008
SELECT 'a' < 'b' || 'c';

-- id: expression_009
SELECT 1 + 1 IN (2, 3);

-- id: expression_010
SELECT NOT 1 IN (2, 3), NOT 'a' LIKE 'b', NOT 1 BETWEEN 0 AND 3;

-- id: expression_011
SELECT 1 BETWEEN 0 AND 2 AND 3 > 2;

-- id: expression_012
SELECT 2 * 3 % 4, 2 + 3 % 2;

-- id: expression_013
SELECT date '2024-01-01' + 1 + interval '1 day';

-- id: expression_014
SELECT 'a' || 'b' = 'ab';

-- id: expression_015
SELECT 'a' || NULL IS NULL;

-- id: expression_016
SELECT 1 IS NOT NULL AND 2 IS NULL;

-- id: expression_017
SELECT true AND NULL IS NULL;

-- id: expression_018
SELECT -5 / 2, -5 % 2, 5 / -2, 5 % -2;

-- id: expression_019
SELECT 2 ^ -1, 0 ^ 0, (-2) ^ 3, 2.5 ^ 2;

-- id: expression_020
SELECT 4 / 2 ^ 2;

-- id: expression_021
SELECT 10 % 3 ^ 2;

-- id: expression_022
SELECT id::text || 'a'::text FROM customer ORDER BY id;

-- id: expression_023
SELECT - 2::numeric ^ 2;

-- id: expression_024
SELECT 3 = ANY (ARRAY[1,2]) OR true;

-- id: expression_025
SELECT CASE WHEN 1=1 THEN 2 ELSE 3 END + 1;

-- id: expression_026
SELECT count(*) - 1 FROM customer;

-- id: expression_027
SELECT sum(total) - sum(total) / 2 * 2 FROM purchase;

-- id: expression_028
SELECT interval '1 day' * 2 + interval '1 hour';

-- id: expression_029
SELECT '2024-01-01'::date - '2023-12-01'::date;

-- id: expression_030
SELECT now()::date - date '2024-01-01';

-- id: expression_031
SELECT date '2024-03-10' - interval '1 month' - interval '1 day';

-- id: expression_032
SELECT EXTRACT(DAY FROM timestamp '2024-03-10 10:00' - timestamp '2024-03-01 12:00');

-- id: expression_033
SELECT round(5::numeric / 3, 3), 5::numeric / 3 * 3, 2::numeric / 3;

-- id: expression_034
SELECT 0.1::float8 + 0.2, 1e10 * 1e10;

-- id: expression_035
SELECT avg(quantity) * 1.5, sum(quantity * 1.1) FROM line;

-- id: expression_036
SELECT min(id) + max(id) FROM purchase;

-- id: expression_037
SELECT string_agg(status, ',' ORDER BY status, id) FROM purchase;

-- id: expression_038
SELECT string_agg(DISTINCT status, ',') FROM purchase;

-- id: expression_039
SELECT string_agg(DISTINCT status, ',' ORDER BY status DESC) FROM purchase;

-- id: expression_040
SELECT status, string_agg(customer_id::text, ',' ORDER BY customer_id DESC NULLS LAST) FROM purchase GROUP BY status ORDER BY status;

-- id: expression_041
SELECT array_agg(DISTINCT customer_id ORDER BY customer_id DESC) FROM purchase;

-- id: expression_042
SELECT array_agg(bonus ORDER BY bonus) FROM employee;

-- id: expression_043
SELECT array_agg(bonus) FILTER (WHERE bonus IS NOT NULL) FROM employee WHERE id < 3;

-- id: expression_044
SELECT array_agg(active ORDER BY id) FROM customer;

-- id: expression_045
SELECT array_agg(placed_at::date ORDER BY id) FROM purchase;

-- id: expression_046
SELECT count(*) FILTER (WHERE total > 50 AND status = 'paid') * 100 / count(*) FROM purchase;

-- id: expression_047
SELECT percentile_disc(0) WITHIN GROUP (ORDER BY total), percentile_disc(1) WITHIN GROUP (ORDER BY total), percentile_cont(0.333) WITHIN GROUP (ORDER BY salary) FROM purchase, employee;

-- id: expression_048
SELECT percentile_cont(1.5) WITHIN GROUP (ORDER BY total) FROM purchase;

-- id: expression_049
SELECT to_char(1234567.891, 'FM9,999,999.99'), to_char(0, 'FM0.00'), to_char(-0.5, 'FM0.0'), to_char(12, '9999'), to_char(-12, '9999'), to_char(0.5, 'FM9.99'), to_char(12.0, 'FM99.99'), to_char(1e3, '9,999'), to_char(-1234.5, '9,999.99'), to_char(7, '000'), to_char(-7, '000');

-- id: expression_050
SELECT to_char(date '2024-02-05', 'FMDD.FMMM.YY'), to_char(timestamp '2024-02-05 00:05:00', 'HH:MI AM'), to_char(timestamp '2024-02-05 12:05:00', 'HH12:MI P.M.'), to_char(timestamp '2024-12-30', 'IYYY-IW'), to_char(timestamp '2024-12-30', 'YYYY-"Q"Q');

-- id: expression_051
SELECT to_char(timestamp '2024-02-05 01:02:03.456', 'SS.MS US'), to_char(date '2024-02-21', 'DDth'), to_char(date '2024-02-22', 'DDTH'), to_char(date '2024-02-11', 'FMDDth');

-- id: expression_052
SELECT lower('ÄÖÜ'), upper('äöü ß'), initcap('hello wORLD-foo bar_baz 3rd'), length('日本');

-- id: expression_053
SELECT split_part('a,b,c', ',', 4), split_part('a,b,c', ',', -1), split_part('', ',', 1), split_part('abc', '', 1);

-- id: expression_054
SELECT left('abc', 0), left('abc', 10), right('abc', 0), right('abc', -1), left('abc', -5), substring('abc' from -1 for 3), substring('abc', 2, 0), substr('abc', 5);

-- id: expression_055
SELECT lpad('abc', 2), rpad('abc', 6, 'xy'), lpad('abc', 0), lpad('abc', -1), lpad('abc', 5, ''), repeat('a', 0), repeat('a', -2);

-- id: expression_056
SELECT substring('abc' from 2 for -1);

-- id: expression_057
SELECT trim('  x'), trim(trailing from 'x  '), trim('xy' from 'xyaxy'), rtrim('abc', ''), ltrim(' a');

-- id: expression_058
SELECT position('' in 'abc'), strpos('abc', 'z'), replace('aaa', 'a', ''), replace('abc', '', 'x'), translate('12345', '143', 'ax'), reverse('añb');

-- id: expression_059
SELECT concat('a', NULL, 1, true, 2.50), concat_ws('-', 'a', NULL, 'b'), concat_ws(NULL, 'a', 'b'), concat(NULL);

-- id: expression_060
SELECT regexp_replace('foobarbaz', 'b..', 'X'), regexp_replace('foobarbaz', 'b..', 'X', 'g'), regexp_replace('foobarbaz', 'B..', 'X', 'gi'), regexp_replace('abc', '', '-'), regexp_replace('abc', 'x*', '-', 'g');

-- id: expression_061
SELECT substring('foobar' from 'o(.)b'), substring('foobar' from 'o.b'), substring('foobar' from 'z'), substring('foobar' from 'foo|foobar'), substring('aXbX' from '(a|aX)(bX|X)');

-- id: expression_062
SELECT regexp_match('foobar', 'o+(b)(a)'), regexp_count('aaa', 'a'), regexp_split_to_array('a  b c', '\s+');

-- id: expression_063
SELECT 'abc' SIMILAR TO 'abc', 'abc' SIMILAR TO 'a', 'abc' SIMILAR TO '%(b|d)%', 'a.c' SIMILAR TO 'a.c', 'abc' SIMILAR TO 'a.c', 'aab' SIMILAR TO 'a+b', 'abc' SIMILAR TO '[a-c]{3}';

-- id: expression_064
SELECT 'abc' LIKE '_b_', 'abc' LIKE 'ab', 'a%c' LIKE 'a\%c', 'abc' LIKE 'a\%c', '' LIKE '%', 'a[b' LIKE 'a[b', 'a*b' LIKE 'a*b', 'axb' LIKE 'a*b', 'a?b' LIKE 'a?_', E'a\nb' LIKE 'a%b', 'ABC' LIKE 'abc', NULL LIKE 'a';

-- id: expression_065
SELECT 'abc' LIKE 'ab\';

-- id: expression_066
SELECT 'Straße' ILIKE 'STRASSE', 'ÄB' ILIKE 'äb', 'İ' ILIKE 'i';

-- id: expression_067
SELECT greatest(1, 2.5, 3), least('b', 'a'), greatest(NULL, 1), nullif(1, 1.0), coalesce(NULL, 1, 2.5);

-- id: expression_068
SELECT age(timestamp '2024-03-31 10:00', timestamp '2024-02-29 12:00'), age(timestamp '2023-02-28', timestamp '2024-02-29'), age(date '2024-01-01', date '2023-12-31'), age(timestamp '2001-04-10', timestamp '1957-06-13');

-- id: expression_069
SELECT justify_interval(interval '-1 mon 35 days'), justify_hours(interval '-25 hours'), justify_days(interval '-31 days');

-- id: expression_070
SELECT interval '1.5 days', interval '1.5 months', interval '0.5 year', interval '-1.5 hours', interval '1 day -1 hour', interval '-1 day 1 hour', interval '1 mon -1 day';

-- id: expression_071
SELECT interval '1 month' * 1.5, interval '1 day' * 0.5, interval '1 month' / 4, interval '10 days' / 3, interval '1 day' * -1, interval '2 months 10 days' * 2;

-- id: expression_072
SELECT interval '1 month' = interval '30 days', interval '1 day' < interval '25 hours', interval '1 year' > interval '360 days', interval '1 year' > interval '364 days';

-- id: expression_073
SELECT date_trunc('week', timestamp '2024-01-01'), date_trunc('decade', timestamp '2024-05-06'), date_trunc('century', timestamp '2000-05-06'), date_trunc('century', timestamp '2001-05-06'), date_trunc('quarter', date '2024-12-31');

-- id: expression_074
SELECT extract(century FROM date '2000-01-01'), extract(decade FROM date '1999-01-01'), extract(week FROM date '2021-01-03'), extract(isoyear FROM date '2021-01-03'), extract(epoch FROM timestamp '1969-12-31 23:59:59'), extract(second FROM timestamp '2024-01-01 00:00:01.5'), extract(milliseconds FROM timestamp '2024-01-01 00:00:01.5');

-- id: expression_075
SELECT extract(hour FROM date '2024-01-01');

-- id: expression_076
SELECT date '2024-01-31' + interval '1 month' * 2, date '2024-01-31' + 2 * interval '1 month', (date '2024-01-31' + interval '1 month') + interval '1 month';

-- id: expression_077
SELECT timestamp '2024-01-01' - timestamp '2023-01-01', timestamp '2024-01-01 10:00' - timestamp '2024-01-02 12:00', date '2024-01-01' - timestamp '2024-01-02 12:00';

-- id: expression_078
SELECT ('x' || 1)::text, 1::text || 2::text, true || '', 1.50 || '';

-- id: expression_079
SELECT '1e3'::numeric, ' 12 '::int, '1.5'::int;

-- id: expression_080
SELECT 1.5::int, 0.5::int, -0.5::int, 2.5::float8::int, 3.5::float8::bigint, 1e10::bigint, 1e10::int;

-- id: expression_081
SELECT 12345.678::numeric(7,2), 0.005::numeric(3,2), 99.995::numeric(4,2);

-- id: expression_082
SELECT 't'::bool, 'TRUE'::bool, 'y'::bool, 'maybe'::bool;

-- id: expression_083
SELECT true::int + 1, 1::bool, 0::bool, true::text;

-- id: expression_084
SELECT true = 1;

-- id: expression_085
SELECT true > false, max(active::int) FROM customer;

-- id: expression_086
SELECT ARRAY[1,2] = ARRAY[1,2], ARRAY[1,2] || 3, 0 || ARRAY[1], ARRAY['a','b'] @> ARRAY['a'], ARRAY[1,2][2], ARRAY[1,2][5], array_length(ARRAY[]::int[], 1);

-- id: expression_087
SELECT array_to_string(ARRAY[1,NULL,3], ','), string_to_array('a,,b', ','), string_to_array('', ','), array_position(ARRAY[1,2], 5), unnest(ARRAY[1,NULL,2]);

-- id: expression_088
SELECT 1 = ANY (ARRAY[NULL, 1]), 2 = ANY (ARRAY[NULL, 1]), 1 <> ALL (ARRAY[NULL, 2]), 1 = ANY (NULL::int[]), 1 > ALL ('{}'::int[]);

-- id: expression_089
SELECT '{"a": 1.50, "b": [1, "x", null], "c": {"d": true}}'::jsonb, '{"b":1,"a":2,"a":3}'::jsonb;

-- id: expression_090
SELECT '{"a": 1.50}'::jsonb ->> 'a', '[1,2]'::jsonb -> 5, '{"a": null}'::jsonb ->> 'a', '{"a": null}'::jsonb -> 'a' IS NULL, '"x"'::jsonb #>> '{}';

-- id: expression_091
SELECT jsonb_build_object('a', 1, 'b', ARRAY[1,2], 'c', NULL, 'd', now()::date, 'e', 1.50), to_jsonb('x'::text), to_jsonb(1.5), jsonb_build_array();

-- id: expression_092
SELECT '[1,2,3]'::jsonb @> '2', '{"a":{"b":1}}'::jsonb @> '{"a":{}}', '{"a":1}'::jsonb ? 'a', '["a"]'::jsonb ? 'a', '[1,[2]]'::jsonb @> '[[2]]';

-- id: expression_093
SELECT jsonb_array_elements('[1,"a",null]'::jsonb), 1;

-- id: expression_094
SELECT width_bucket(5, 0, 10, 5), width_bucket(10, 0, 10, 5), width_bucket(-1, 0, 10, 5), width_bucket(3.5, 10, 0, 4);

-- id: expression_095
SELECT div(-7, 2), mod(-7, 2), mod(7.5, 2), 7.5 % 2, -7.5 % 2, gcd(0, 5), abs(-2147483648::bigint), sign(0), sign(-3), sqrt(2), sqrt(2.0), power(2.0, 3), ceil(-1.5), floor(1.5), round(1.5), round(-1.5), round(0.5::float8), round(1.5::float8), trunc(-1.55, 1), round(-0.4);

-- id: expression_096
SELECT sqrt(-1);

-- id: expression_097
SELECT abs(-2147483648);

-- id: expression_098
SELECT -(-2147483648);

-- id: expression_099
SELECT 2147483647 * 2, 1;

-- id: expression_100
SELECT 46341 * 46341;

-- id: expression_101
SELECT 9223372036854775807 * 2;

-- id: expression_102
SELECT sum(id) * 1000000 FROM customer;

-- id: expression_103
SELECT count(*) * 3000000000 FROM customer;

-- id: expression_104
SELECT 1.0 / 3, 2.0 / 3, 10.0 / 4, 1 / 3.0;

-- id: expression_105
SELECT * FROM generate_series(1, 10, 3), generate_series(5, 1), generate_series(1, 0);

-- id: expression_106
SELECT * FROM generate_series(timestamp '2024-01-31', timestamp '2024-05-31', interval '1 month');

-- id: expression_107
SELECT * FROM generate_series(1, 3) WITH ORDINALITY AS g(v, n);

-- id: expression_108
SELECT g, x FROM generate_series(1, 2) g, LATERAL (SELECT g * 10 AS x) y ORDER BY 1;
