-- id: write_001
SELECT 'x' FROM customer GROUP BY ROLLUP (tier);

-- id: write_002
SELECT 1 FROM customer HAVING true;

-- id: write_003
SELECT 1 FROM customer WHERE false HAVING count(*) = 0;

-- id: write_004
SELECT 1 AS a UNION ALL SELECT NULL ORDER BY a NULLS FIRST;

-- id: write_005
SELECT NULL AS a UNION ALL SELECT NULL UNION ALL SELECT date '2024-01-01' ORDER BY a;

-- id: write_006
INSERT INTO payment SELECT 77, id, total, 'card', placed_at FROM purchase WHERE id = 103;

-- id: write_007
INSERT INTO customer (id, name, tier, joined, active) SELECT 20, 'N', 'gold', '2024-01-01', true;

-- id: write_008
INSERT INTO customer (id, name, tier, joined, active, credit, email) SELECT 20, 'N', 'gold', date '2024-01-01', true, 5, NULL RETURNING *;

-- id: write_009
INSERT INTO payment (purchase_id, amount, method, paid_at) SELECT id, total, 'card', now() FROM purchase WHERE status = 'new' ORDER BY id DESC RETURNING id, purchase_id;

-- id: write_010
INSERT INTO payment (purchase_id, amount, method, paid_at) VALUES (101, 1.005, 'a', '2024-01-01'), (102, -2.675, 'b', '2024-01-01 10:00:00.0') RETURNING id, amount, paid_at::date AS day, amount > 0 AS positive, method || '!' AS m;

-- id: write_011
INSERT INTO payment (purchase_id, amount, method, paid_at) VALUES (101, 99999999.999, 'a', now());

-- id: write_012
INSERT INTO payment (purchase_id, amount, method, paid_at) VALUES (101, '12', 'a', now()), (101, 12::bigint, 'b', current_date);

-- id: write_013
INSERT INTO stock VALUES ('x', 1, 1.5, '7'), ('y', 1, 2.5, -0);

-- id: write_014
INSERT INTO stock VALUES ('x', 1, 1.5::float8, 2.5::float8);

-- id: write_015
INSERT INTO stock (product_id, warehouse, reserved, quantity) VALUES (1, 5, 1, 1);

-- id: write_016
INSERT INTO stock (product_id, warehouse, reserved, quantity) SELECT id, id, id, price FROM product;

-- id: write_017
INSERT INTO stock (warehouse, product_id, quantity) VALUES ('z', 1, 1);

-- id: write_018
INSERT INTO stock (warehouse, warehouse, product_id, quantity, reserved) VALUES ('z', 'z', 1, 1, 1);

-- id: write_019
INSERT INTO stock VALUES ('z', 1, 1, 1), ('z', 2, 2);

-- id: write_020
INSERT INTO stock AS s VALUES ('north', 1, 5, 5) ON CONFLICT (warehouse, product_id) DO UPDATE SET (quantity, reserved) = (excluded.quantity + s.quantity, s.reserved) RETURNING *;

-- id: write_021
INSERT INTO stock VALUES ('north', 1, 5, 5) ON CONFLICT (product_id, warehouse) DO UPDATE SET quantity = excluded.quantity WHERE stock.quantity > 1000 RETURNING *;

-- id: write_022
INSERT INTO stock VALUES ('north', 1, 5, 5) ON CONFLICT (warehouse) DO NOTHING;

-- id: write_023
INSERT INTO stock VALUES ('north', 1, 5, 5) ON CONFLICT (warehouse, product_id) DO UPDATE SET quantity = (SELECT max(quantity) FROM stock) + 1;

-- id: write_024
INSERT INTO stock SELECT warehouse, product_id, 1, 1 FROM stock ON CONFLICT (warehouse, product_id) DO UPDATE SET reserved = excluded.reserved + stock.reserved;

-- id: write_025
INSERT INTO stock SELECT 'north', 1, x, 0 FROM generate_series(1, 2) x ON CONFLICT (warehouse, product_id) DO UPDATE SET quantity = excluded.quantity;

-- id: write_026
INSERT INTO stock SELECT 'north', product_id, quantity, 0 FROM line ON CONFLICT DO NOTHING;

-- id: write_027
UPDATE purchase SET total = total + 1 WHERE id = 101 RETURNING total, total * 2 AS twice;

-- id: write_028
UPDATE purchase SET total = round(total * 1.19, 2), note = coalesce(note, '') || ' +VAT' WHERE status = 'paid' RETURNING id, total, note;

-- id: write_029
UPDATE purchase SET total = total / 3 RETURNING id, total;

-- id: write_030
UPDATE employee SET salary = salary * 1.1, bonus = bonus / 3 WHERE department = 'sales';

-- id: write_031
UPDATE employee SET salary = 1e9;

-- id: write_032
UPDATE product SET weight = price, price = weight WHERE weight IS NOT NULL;

-- id: write_033
UPDATE ticket SET priority = priority + 0.5;

-- id: write_034
UPDATE ticket SET priority = '4', assignee_id = NULL WHERE id = 1;

-- id: write_035
UPDATE ticket SET closed_at = '2024-07-01' WHERE id = 3 RETURNING closed_at - opened_at;

-- id: write_036
UPDATE ticket SET closed_at = current_date WHERE id = 3;

-- id: write_037
UPDATE ticket SET opened_at = opened_at::date WHERE id = 3;

-- id: write_038
UPDATE customer SET joined = now() WHERE id = 1 RETURNING joined;

-- id: write_039
UPDATE customer SET active = 1 WHERE id = 1;

-- id: write_040
UPDATE customer SET active = 'no' WHERE id = 1;

-- id: write_041
UPDATE customer SET name = 5 WHERE id = 1;

-- id: write_042
UPDATE customer SET name = true WHERE id = 1;

-- id: write_043
UPDATE customer SET name = current_date WHERE id = 1 RETURNING name;

-- id: write_044
UPDATE customer SET joined = 'soon' WHERE id = 1;

-- id: write_045
UPDATE customer SET profile = '{"a": 1}' WHERE id = 1;

-- id: write_046
UPDATE customer SET profile = profile || '{"age": 42}'::jsonb WHERE id = 1 RETURNING profile;

-- id: write_047
UPDATE customer SET profile = '{bad' WHERE id = 1;

-- id: write_048
UPDATE customer SET tier = NULL WHERE id = 1;

-- id: write_049
UPDATE customer c SET credit = credit + x.paid FROM (SELECT p.customer_id, sum(y.amount) AS paid FROM payment y JOIN purchase p ON p.id = y.purchase_id GROUP BY 1) x WHERE x.customer_id = c.id RETURNING c.id, c.credit;

-- id: write_050
UPDATE customer SET credit = (SELECT sum(total) FROM purchase WHERE customer_id = customer.id);

-- id: write_051
UPDATE customer SET credit = (SELECT total FROM purchase WHERE customer_id = customer.id) WHERE id = 1;

-- id: write_052
UPDATE customer SET credit = s.t FROM (SELECT customer_id AS c, sum(total) AS t FROM purchase GROUP BY customer_id) s WHERE id = s.c;

-- id: write_053
UPDATE customer SET id = 100 WHERE id = 7;

-- id: write_054
UPDATE stock s SET quantity = s.quantity - l.q FROM (SELECT product_id, sum(quantity) AS q FROM line GROUP BY product_id) l WHERE l.product_id = s.product_id AND s.warehouse = 'north';

-- id: write_055
UPDATE employee e SET salary = m.salary FROM employee m WHERE m.id = e.manager_id AND e.id > 6;

-- id: write_056
UPDATE employee SET bonus = CASE WHEN bonus IS NULL THEN 100 WHEN bonus < 50 THEN bonus * 2 ELSE bonus END RETURNING id, bonus;

-- id: write_057
UPDATE employee SET (salary, bonus) = (SELECT avg(salary), max(bonus) FROM employee) WHERE id = 8 RETURNING salary, bonus;

-- id: write_058
UPDATE purchase p SET note = c.name || ': ' || p.total FROM customer c JOIN ticket t ON t.customer_id = c.id WHERE c.id = p.customer_id AND t.priority = 1;

-- id: write_059
UPDATE purchase SET status = upper(status), placed_at = placed_at + interval '1 month' WHERE extract(day FROM placed_at) >= 30 RETURNING id, placed_at;

-- id: write_060
UPDATE purchase SET customer.id = 1;

-- id: write_061
UPDATE nothing SET a = 1;

-- id: write_062
UPDATE purchase SET note = DEFAULT;

-- id: write_063
WITH t AS (SELECT customer_id FROM ticket WHERE status = 'open') UPDATE customer SET tier = 'vip' FROM t WHERE t.customer_id = customer.id RETURNING customer.id, customer.tier;

-- id: write_064
DELETE FROM purchase WHERE id IN (SELECT purchase_id FROM payment GROUP BY purchase_id HAVING sum(amount) = 0) RETURNING *;

-- id: write_065
DELETE FROM line l USING product p, purchase q WHERE p.id = l.product_id AND q.id = l.purchase_id AND p.category = 'kitchen' AND q.status = 'new' RETURNING l.purchase_id, l.position;

-- id: write_066
DELETE FROM customer c WHERE c.credit < (SELECT avg(credit) FROM customer d WHERE d.tier = c.tier) RETURNING id;

-- id: write_067
DELETE FROM ticket WHERE closed_at < now() - interval '3 months' RETURNING id, now() - closed_at AS ago;

-- id: write_068
DELETE FROM payment;

-- id: write_069
DELETE FROM payment WHERE paid_at::date = '2024-06-30';

-- id: write_070
DELETE FROM stock WHERE (warehouse, product_id) IN (('north', 2), ('south', 6)) RETURNING *;

-- id: write_071
WITH dup AS (SELECT id, row_number() OVER (PARTITION BY salary ORDER BY id) AS n FROM employee) DELETE FROM employee WHERE id IN (SELECT id FROM dup WHERE n > 1) RETURNING name;

-- id: write_072
DELETE FROM ticket t USING (SELECT customer_id FROM purchase GROUP BY customer_id HAVING count(*) > 2) x WHERE x.customer_id = t.customer_id AND t.status <> 'open';

-- id: write_073
DELETE FROM employee WHERE hired < date '2018-01-01' + 31 AND manager_id IS NOT NULL RETURNING id, hired, salary + coalesce(bonus, 0) AS pay;
