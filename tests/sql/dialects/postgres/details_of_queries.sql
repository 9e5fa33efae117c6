-- id: query_001
SELECT concat('a', NULL, 1, true, 2.50), concat_ws('-', 'a', NULL, false), format('%s', true);

-- id: query_002
SELECT true::int + 1, 1::bool, true::text, '7'::int::text, CASE WHEN true THEN 1 ELSE coalesce(NULL, 2) END, CASE WHEN true THEN 1 ELSE 2::int END, (SELECT max(id) FROM customer), (SELECT 1 + 1), ARRAY[1], (ARRAY[1])[1], NULL::text, -1, (1), interval '1 day', date '2024-01-01', 'a'::varchar(3), EXISTS (SELECT 1), now() IS NULL, CASE WHEN true THEN 'x' END::text, lower('A')::text, ROUND(1.5)::int;

-- id: query_003
SELECT abs(-2147483648);

-- id: query_004
SELECT sum(x) FROM (SELECT 1 AS x UNION ALL SELECT 2.5) s;

-- id: query_005
SELECT x FROM (SELECT 1 AS x UNION SELECT 1.0 UNION SELECT 2) s ORDER BY x;

-- id: query_006
SELECT 'a' UNION SELECT 'b' ORDER BY 1;

-- id: query_007
SELECT NULL UNION SELECT 1 ORDER BY 1;

-- id: query_008
SELECT 1 AS a UNION ALL SELECT NULL ORDER BY a NULLS FIRST;

-- id: query_009
SELECT id FROM customer UNION SELECT id FROM product EXCEPT SELECT id FROM employee WHERE id < 5 ORDER BY id;

-- id: query_010
SELECT tier FROM customer INTERSECT SELECT 'gold' ORDER BY 1;

-- id: query_011
SELECT id, name FROM customer WHERE (SELECT count(*) FROM purchase p WHERE p.customer_id = customer.id) = 0 ORDER BY 1;

-- id: query_012
SELECT c.id, (SELECT string_agg(p.status, ',' ORDER BY p.id) FROM purchase p WHERE p.customer_id = c.id) FROM customer c ORDER BY 1;

-- id: query_013
SELECT c.tier, max((SELECT count(*) FROM purchase p WHERE p.customer_id = c.id)) FROM customer c GROUP BY c.tier ORDER BY 1;

-- id: query_014
SELECT tier, count(*) FROM customer c GROUP BY tier HAVING EXISTS (SELECT 1 FROM purchase p JOIN customer d ON d.id = p.customer_id WHERE d.tier = c.tier AND p.total > 200) ORDER BY 1;

-- id: query_015
SELECT c.tier, (SELECT count(*) FROM purchase p WHERE p.customer_id = c.id) FROM customer c GROUP BY c.tier;

-- id: query_016
SELECT lower(tier) || '!', count(*) FROM customer GROUP BY lower(tier) ORDER BY 1;

-- id: query_017
SELECT lower(tier || 'x'), count(*) FROM customer GROUP BY tier || 'x' ORDER BY 1;

-- id: query_018
SELECT upper(lower(tier)), count(*) FROM customer GROUP BY lower(tier) ORDER BY upper(lower(tier));

-- id: query_019
SELECT total / 2 FROM purchase GROUP BY total ORDER BY total;

-- id: query_020
SELECT customer_id + 1, count(*) FROM purchase GROUP BY customer_id + 1 ORDER BY 1;

-- id: query_021
SELECT customer_id, count(*) FROM purchase GROUP BY customer_id + 1;

-- id: query_022
SELECT extract(month FROM placed_at) AS m, extract(year FROM placed_at) AS y, count(*) FROM purchase GROUP BY y, m ORDER BY y, m;

-- id: query_023
SELECT date_trunc('month', placed_at)::date, count(*) FROM purchase GROUP BY date_trunc('month', placed_at) ORDER BY 1;

-- id: query_024
SELECT CASE WHEN total > 50 THEN 'a' ELSE 'b' END, avg(total) FROM purchase GROUP BY CASE WHEN total > 50 THEN 'a' ELSE 'b' END ORDER BY 1;

-- id: query_025
SELECT p.* FROM purchase p GROUP BY p.id ORDER BY p.id;

-- id: query_026
SELECT p.*, count(l.position) FROM purchase p LEFT JOIN line l ON l.purchase_id = p.id GROUP BY p.id ORDER BY p.id;

-- id: query_027
SELECT p.*, c.name FROM purchase p JOIN customer c ON c.id = p.customer_id GROUP BY p.id;

-- id: query_028
SELECT * FROM stock GROUP BY warehouse, product_id ORDER BY 1, 2;

-- id: query_029
SELECT warehouse, quantity FROM stock GROUP BY warehouse;

-- id: query_030
SELECT DISTINCT ON (status) status, total FROM purchase ORDER BY status, total DESC, id;

-- id: query_031
SELECT DISTINCT status, total > 50 AS big FROM purchase ORDER BY big, status;

-- id: query_032
SELECT DISTINCT lower(status) FROM purchase ORDER BY lower(status) DESC;

-- id: query_033
SELECT status AS total, total AS x FROM purchase ORDER BY total, x LIMIT 3;

-- id: query_034
SELECT status AS total FROM purchase ORDER BY total || 'x', id LIMIT 3;

-- id: query_035
SELECT id AS x, id AS x FROM customer ORDER BY x LIMIT 2;

-- id: query_036
SELECT id AS x, name AS x FROM customer ORDER BY x LIMIT 2;

-- id: query_037
SELECT c.id, p.id FROM customer c JOIN purchase p ON p.customer_id = c.id ORDER BY 1, 2 LIMIT 3;

-- id: query_038
SELECT * FROM (SELECT c.id, p.id FROM customer c JOIN purchase p ON p.customer_id = c.id) x ORDER BY 1, 2 LIMIT 3;

-- id: query_039
SELECT x.id FROM (SELECT c.id, p.id FROM customer c JOIN purchase p ON p.customer_id = c.id) x;

-- id: query_040
SELECT a.name, b.name FROM employee a LEFT JOIN employee b ON b.manager_id = a.id AND b.salary > 4000 WHERE b.id IS NULL OR a.id < 3 ORDER BY 1, 2;

-- id: query_041
SELECT * FROM customer c, purchase p JOIN line l ON l.purchase_id = p.id AND c.id = p.customer_id;

-- id: query_042
SELECT count(*) FROM customer c CROSS JOIN purchase p WHERE c.id = p.customer_id;

-- id: query_043
SELECT id, product_id FROM product p FULL JOIN stock s ON s.product_id = p.id ORDER BY 1, 2, warehouse;

-- id: query_044
SELECT name FROM customer NATURAL JOIN (SELECT 'gold' AS tier) t ORDER BY 1;

-- id: query_045
SELECT * FROM (VALUES (1, 'a')) v(x, y) NATURAL JOIN (VALUES (1, 'b')) w(x, z);

-- id: query_046
SELECT x, count(*) FROM (VALUES (1), (NULL), (1), (2)) v(x) GROUP BY x ORDER BY x;

-- id: query_047
SELECT column1, column2 FROM (VALUES (1, 'a'), (2, 'b')) v ORDER BY column1 DESC;

-- id: query_048
SELECT sum(x) OVER (ORDER BY x), avg(x) OVER () FROM (VALUES (1), (2), (4)) v(x) ORDER BY 1;

-- id: query_049
SELECT id, avg(salary) OVER (PARTITION BY department) FROM employee ORDER BY id;

-- id: query_050
SELECT id, sum(id) OVER (ORDER BY id) / 2 FROM customer ORDER BY id;

-- id: query_051
SELECT id, salary - avg(salary) OVER () AS diff, salary > avg(salary) OVER () AS above FROM employee ORDER BY id;

-- id: query_052
SELECT department, sum(salary) AS s, rank() OVER (ORDER BY sum(salary) DESC) FROM employee GROUP BY department ORDER BY s;

-- id: query_053
SELECT department, salary, sum(sum(salary)) OVER (PARTITION BY department) FROM employee GROUP BY department, salary ORDER BY 1, 2;

-- id: query_054
SELECT id, lag(name, 1, 'none') OVER (ORDER BY id), lead(bonus) OVER (ORDER BY bonus), lag(hired) OVER (ORDER BY hired) FROM employee ORDER BY id;

-- id: query_055
SELECT id, count(*) OVER (ORDER BY salary RANGE BETWEEN 500 PRECEDING AND 500 FOLLOWING) FROM employee ORDER BY id;

-- id: query_056
SELECT id, count(*) OVER (ORDER BY hired DESC RANGE BETWEEN interval '1000 days' PRECEDING AND CURRENT ROW) FROM employee ORDER BY id;

-- id: query_057
SELECT id, sum(bonus) OVER (ORDER BY bonus RANGE BETWEEN 100 PRECEDING AND 100 FOLLOWING) FROM employee ORDER BY id;

-- id: query_058
SELECT id, ntile(3) OVER (PARTITION BY department ORDER BY id), percent_rank() OVER (PARTITION BY department ORDER BY salary) FROM employee ORDER BY id;

-- id: query_059
SELECT id, row_number() OVER (ORDER BY city, id), rank() OVER (ORDER BY city DESC NULLS LAST) FROM customer ORDER BY id;

-- id: query_060
SELECT tier, active, count(*), grouping(tier), grouping(active) FROM customer GROUP BY ROLLUP (tier, active) ORDER BY 1, 2, 4, 5;

-- id: query_061
SELECT tier, count(*) FROM customer GROUP BY ROLLUP (tier) HAVING grouping(tier) = 0 ORDER BY 1;

-- id: query_062
SELECT coalesce(tier, 'all'), sum(credit) FROM customer GROUP BY GROUPING SETS ((tier), ()) ORDER BY 2 NULLS FIRST, 1;

-- id: query_063
SELECT city, tier, count(*) FROM customer GROUP BY GROUPING SETS (ROLLUP (city), CUBE (tier)) ORDER BY 1, 2, 3;

-- id: query_064
SELECT status, count(*) FROM purchase GROUP BY GROUPING SETS (status) ORDER BY status;

-- id: query_065
SELECT count(*) FROM customer WHERE false GROUP BY ();

-- id: query_066
SELECT count(*) FROM customer WHERE false GROUP BY tier;

-- id: query_067
SELECT 'x' FROM customer GROUP BY ROLLUP (tier);

-- id: query_068
SELECT max(id) FROM customer WHERE false;

-- id: query_069
SELECT 1 FROM customer HAVING true;

-- id: query_070
SELECT 1 FROM customer WHERE false HAVING count(*) = 0;

-- id: query_071
SELECT c.id, l.total FROM customer c LEFT JOIN LATERAL (SELECT sum(p.total) AS total FROM purchase p WHERE p.customer_id = c.id) l ON l.total > 100 ORDER BY 1;

-- id: query_072
SELECT c.id, x FROM customer c CROSS JOIN LATERAL unnest(ARRAY[c.id, c.id * 10]) AS x WHERE c.id < 3 ORDER BY 1, 2;

-- id: query_073
SELECT c.id, t.* FROM customer c CROSS JOIN LATERAL (VALUES (c.name, 1), (c.tier, 2)) t(v, n) WHERE c.id < 3 ORDER BY 1, 3;

-- id: query_074
SELECT c.id, a.active FROM customer c CROSS JOIN LATERAL (SELECT c.active, c.credit * 1.1 AS credit, c.joined) a WHERE a.active AND a.credit > 10 AND a.joined > '2022-01-01' ORDER BY 1;

-- id: query_075
SELECT c.id, x.n FROM customer c LEFT JOIN LATERAL (SELECT row_number() OVER (ORDER BY p.total DESC) AS n, p.id FROM purchase p WHERE p.customer_id = c.id) x ON x.n <= 2 ORDER BY 1, 2;

-- id: query_076
WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS x FROM a), a2 AS (SELECT * FROM a UNION ALL SELECT * FROM b) SELECT sum(x) FROM a2;

-- id: query_077
WITH RECURSIVE r AS (SELECT 1 AS n, 1 AS f UNION ALL SELECT n + 1, f * (n + 1) FROM r WHERE n < 10) SELECT max(f) FROM r;

-- id: query_078
WITH RECURSIVE r AS (SELECT 1 AS n, 1 AS f UNION ALL SELECT n + 1, f * (n + 1) FROM r WHERE n < 15) SELECT max(f) FROM r;

-- id: query_079
WITH RECURSIVE r(id, mgr, lvl) AS (SELECT id, manager_id, 1 FROM employee WHERE id = 8 UNION SELECT e.id, e.manager_id, r.lvl + 1 FROM employee e, r WHERE e.id = r.mgr) SELECT * FROM r ORDER BY lvl;

-- id: query_080
WITH x AS (SELECT * FROM purchase), y AS (SELECT count(*) AS n FROM x) SELECT x.id, y.n FROM x, y WHERE x.total > 100 ORDER BY 1;

-- id: query_081
SELECT * FROM (WITH q AS (SELECT 5 AS v) SELECT v FROM q) z;

-- id: query_082
SELECT id FROM customer WHERE id IN (WITH q AS (SELECT 2 AS v) SELECT v FROM q);

-- id: query_083
SELECT id FROM product WHERE (category, price) IN (SELECT category, max(price) FROM product GROUP BY category) ORDER BY 1;

-- id: query_084
SELECT id FROM product WHERE (category, discontinued) = ('office', false) ORDER BY 1;

-- id: query_085
SELECT id FROM customer WHERE (city, tier) <> ('Köln', 'silver') ORDER BY 1;

-- id: query_086
SELECT id FROM customer WHERE joined IN ('2024-02-29', '2024-06-30') ORDER BY 1;

-- id: query_087
SELECT id FROM purchase WHERE placed_at IN (date '2024-03-01') ORDER BY 1;

-- id: query_088
SELECT id FROM purchase WHERE shipped_on IN (SELECT placed_at FROM purchase) ORDER BY 1;

-- id: query_089
SELECT id FROM purchase WHERE placed_at >= '2024-06-01' AND placed_at < '2024-07-01'::date ORDER BY 1;

-- id: query_090
SELECT id FROM purchase WHERE shipped_on > placed_at + interval '3 days' ORDER BY 1;

-- id: query_091
SELECT id FROM purchase WHERE to_char(placed_at, 'YYYY') = '2023';

-- id: query_092
SELECT id FROM purchase WHERE extract(month FROM placed_at) IN (1, 2) ORDER BY 1;

-- id: query_093
SELECT id FROM customer WHERE credit IN (10.1, 99.99) ORDER BY 1;

-- id: query_094
SELECT id FROM customer WHERE score = 0.1;

-- id: query_095
SELECT id FROM customer WHERE score IN (0.1, 4.5) ORDER BY 1;

-- id: query_096
SELECT id FROM customer WHERE credit = '10.10' ORDER BY 1;

-- id: query_097
SELECT id, credit = 10.1, credit * 3 = 30.3, credit + 0.2 = 10.3 FROM customer WHERE credit IS NOT NULL ORDER BY id;

-- id: query_098
SELECT id FROM customer WHERE active = 'true' AND tier <> 'gold' ORDER BY id;

-- id: query_099
SELECT id FROM customer WHERE active::int = 1 ORDER BY id;

-- id: query_100
SELECT id FROM customer WHERE NOT (city = 'Köln') ORDER BY id;

-- id: query_101
SELECT id FROM customer WHERE city = 'Köln' IS NOT TRUE ORDER BY id;

-- id: query_102
SELECT coalesce(max(id), 0) + 1 FROM customer WHERE id > 100;

-- id: query_103
SELECT sum(amount) FILTER (WHERE amount > 0) - abs(sum(amount) FILTER (WHERE amount < 0)) FROM payment;

-- id: query_104
SELECT p.id, p.total - coalesce(sum(y.amount), 0) AS due FROM purchase p LEFT JOIN payment y ON y.purchase_id = p.id GROUP BY p.id HAVING p.total - coalesce(sum(y.amount), 0) <> 0 ORDER BY p.id;

-- id: query_105
SELECT customer_id, array_agg(DISTINCT status ORDER BY status), min(placed_at)::date, max(placed_at) - min(placed_at) FROM purchase GROUP BY customer_id ORDER BY 1;

-- id: query_106
SELECT jsonb_agg(jsonb_build_object('n', name, 'j', joined, 'c', credit, 'a', active, 's', score) ORDER BY id) FROM customer;

-- id: query_107
SELECT jsonb_object_agg(id, name) FROM customer WHERE id < 3;

-- id: query_108
SELECT jsonb_agg(x) FROM (SELECT NULL::int AS x) y;

-- id: query_109
SELECT jsonb_agg(profile) FROM customer WHERE id > 6;

-- id: query_110
SELECT profile -> 'address' ->> 'city', count(*) FROM customer GROUP BY profile -> 'address' ->> 'city' ORDER BY 1;

-- id: query_111
SELECT id, profile ->> 'age' FROM customer ORDER BY (profile ->> 'age')::int DESC NULLS LAST, id;

-- id: query_112
SELECT tag, count(*) FROM customer CROSS JOIN LATERAL jsonb_array_elements_text(profile -> 'tags') AS tag GROUP BY tag ORDER BY 2 DESC, 1;

-- id: query_113
SELECT jsonb_array_elements_text(profile -> 'tags') AS tag, id FROM customer ORDER BY 2, 1;

-- id: query_114
SELECT id FROM customer WHERE EXISTS (SELECT 1 FROM jsonb_array_elements_text(profile -> 'tags') t WHERE t = 'vip') ORDER BY id;

-- id: query_115
SELECT id FROM customer WHERE 'vip' IN (SELECT jsonb_array_elements_text(profile -> 'tags')) ORDER BY id;

-- id: query_116
SELECT bool_and(active), count(*) FILTER (WHERE NOT active), bool_or(city IS NULL) FROM customer;

-- id: query_117
SELECT mode() WITHIN GROUP (ORDER BY city) FROM customer;

-- id: query_118
SELECT max(shipped_on), min(note), max(note) FROM purchase;

-- id: query_119
SELECT stddev(id), var_samp(salary), stddev_pop(bonus) FROM employee;

-- id: query_120
SELECT corr(salary, bonus) FROM employee;

-- id: query_121
SELECT count(DISTINCT date_trunc('month', placed_at)) FROM purchase;

-- id: query_122
SELECT count(DISTINCT lower(city)) FROM customer;

-- id: query_123
SELECT sum(DISTINCT quantity), count(DISTINCT unit_price) FROM line;

-- id: query_124
SELECT avg(closed_at - opened_at) FROM ticket;

-- id: query_125
SELECT avg(extract(epoch FROM closed_at - opened_at)) FROM ticket;

-- id: query_126
SELECT date_part('day', closed_at - opened_at) FROM ticket ORDER BY id;

-- id: query_127
SELECT id, CASE WHEN closed_at IS NULL THEN now() - opened_at ELSE closed_at - opened_at END AS age FROM ticket ORDER BY id;

-- id: query_128
SELECT id, now() - opened_at > interval '30 days' FROM ticket ORDER BY id;

-- id: query_129
SELECT id, coalesce(closed_at, now()) FROM ticket ORDER BY id;

-- id: query_130
SELECT id, coalesce(shipped_on, placed_at) FROM purchase ORDER BY id;

-- id: query_131
SELECT id, coalesce(shipped_on::text, 'n/a') FROM purchase ORDER BY id;

-- id: query_132
SELECT id, coalesce(shipped_on, 'n/a') FROM purchase ORDER BY id;

-- id: query_133
SELECT now()::text, now()::date::text, placed_at::text FROM purchase WHERE id = 101;

-- id: query_134
SELECT 'At ' || now() || ' / ' || current_date;
