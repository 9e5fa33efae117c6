-- id: insert_rows
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', 1, 10, 0), ('east', 2, 20, 1);
-- postgres: INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', 1, 10, 0), ('east', 2, 20, 1)

-- id: insert_set
INSERT INTO payment SET id = 20, purchase_id = 103, amount = 12.5, method = 'card', paid_at = NOW();
-- postgres: INSERT INTO payment (id, purchase_id, amount, method, paid_at) VALUES (20, 103, 12.5, 'card', localtimestamp)

-- id: insert_select
INSERT INTO stock (warehouse, product_id, quantity, reserved) SELECT 'west', id, 0, 0 FROM product WHERE category = 'OFFICE';
-- postgres: INSERT INTO stock (warehouse, product_id, quantity, reserved) SELECT 'west', id, 0, 0 FROM product WHERE category = 'office'

-- id: insert_boolean
INSERT INTO customer (id, name, tier, joined, active) VALUES (9, 'Ida', 'gold', '2024-07-01', TRUE);
-- postgres: INSERT INTO customer (id, name, tier, joined, active) VALUES (9, 'Ida', 'gold', '2024-07-01', true)

-- id: insert_ignore
INSERT IGNORE INTO stock (warehouse, product_id, quantity, reserved) VALUES ('north', 1, 1, 1), ('east', 1, 5, 0);
-- postgres: INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('north', 1, 1, 1), ('east', 1, 5, 0) ON CONFLICT DO NOTHING

-- id: on_duplicate_key
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('north', 1, 5, 0), ('east', 9, 5, 0) ON DUPLICATE KEY UPDATE quantity = quantity + VALUES(quantity);
-- postgres: INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('north', 1, 5, 0), ('east', 9, 5, 0) ON CONFLICT (warehouse, product_id) DO UPDATE SET quantity = stock.quantity + excluded.quantity

-- id: on_duplicate_key_alias
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('south', 1, 9, 1) AS new ON DUPLICATE KEY UPDATE quantity = new.quantity, reserved = stock.reserved + new.reserved;
-- postgres: UPDATE stock SET quantity = 9, reserved = 6 WHERE warehouse = 'south' AND product_id = 1

-- id: on_duplicate_key_twice
INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', 1, 1, 0), ('east', 1, 2, 0) ON DUPLICATE KEY UPDATE quantity = quantity + VALUES(quantity);
-- postgres: INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('east', 1, 3, 0)

-- id: replace_into
REPLACE INTO stock (warehouse, product_id, quantity, reserved) VALUES ('north', 3, 70, 0), ('east', 3, 1, 1);
-- postgres: INSERT INTO stock (warehouse, product_id, quantity, reserved) VALUES ('north', 3, 70, 0), ('east', 3, 1, 1) ON CONFLICT (warehouse, product_id) DO UPDATE SET quantity = excluded.quantity, reserved = excluded.reserved

-- id: update_rows
UPDATE purchase SET status = 'archived', note = CONCAT(IFNULL(note, ''), '!') WHERE status = 'CANCELLED';
-- postgres: UPDATE purchase SET status = 'archived', note = coalesce(note, '') || '!' WHERE status = 'cancelled'

-- id: update_join
UPDATE purchase p JOIN customer c ON c.id = p.customer_id SET p.note = c.tier WHERE c.city = 'köln';
-- postgres: UPDATE purchase SET note = c.tier FROM customer c WHERE c.id = purchase.customer_id AND c.city = 'Köln'

-- id: update_join_to_choose
UPDATE customer c INNER JOIN purchase p ON p.customer_id = c.id SET c.tier = 'vip' WHERE p.total > 60;
-- postgres: UPDATE customer SET tier = 'vip' WHERE id IN (SELECT customer_id FROM purchase WHERE total > 60)

-- id: update_first_rows
UPDATE employee SET bonus = 100 WHERE bonus IS NULL ORDER BY salary DESC LIMIT 2;
-- postgres: UPDATE employee SET bonus = 100 WHERE id IN (1, 5)

-- id: update_arithmetic
UPDATE product SET price = ROUND(price * 1.1, 2), discontinued = NOT discontinued WHERE category IN ('kitchen', 'garden');
-- postgres: UPDATE product SET price = round(price * 1.1, 2), discontinued = NOT discontinued WHERE category IN ('kitchen', 'garden')

-- id: update_reads_what_it_set
UPDATE stock SET quantity = quantity - 1, reserved = quantity WHERE product_id = 3;
-- alternative: update_sets_it_last

-- id: update_sets_it_last
UPDATE stock SET reserved = quantity - 1, quantity = quantity - 1 WHERE product_id = 3;
-- postgres: UPDATE stock SET reserved = quantity - 1, quantity = quantity - 1 WHERE product_id = 3

-- id: update_with_division_by_zero
UPDATE product SET price = price / 0 WHERE id = 1;
-- error: sql_value: division by zero

-- id: delete_rows
DELETE FROM payment WHERE method = 'CARD' AND amount < 0;
-- postgres: DELETE FROM payment WHERE method = 'card' AND amount < 0

-- id: delete_join
DELETE l FROM line l JOIN purchase p ON p.id = l.purchase_id WHERE p.status = 'cancelled';
-- postgres: DELETE FROM line l USING purchase p WHERE p.id = l.purchase_id AND p.status = 'cancelled'

-- id: delete_first_rows
DELETE FROM ticket WHERE status = 'open' ORDER BY opened_at LIMIT 1;
-- postgres: DELETE FROM ticket WHERE id = 3

-- id: delete_not_existing
DELETE FROM stock WHERE NOT EXISTS (SELECT 1 FROM line WHERE line.product_id = stock.product_id);
-- postgres: DELETE FROM stock WHERE NOT EXISTS (SELECT 1 FROM line WHERE line.product_id = stock.product_id)

-- id: delete_with_left_join
DELETE c FROM customer c LEFT JOIN purchase p ON p.customer_id = c.id WHERE p.id IS NULL;
-- alternative: delete_not_existing

-- id: insert_duplicate
INSERT INTO stock VALUES ('north', 1, 1, 1);
-- error: constraint: UNIQUE

-- id: insert_unknown_column
INSERT INTO stock (warehouse, product, quantity) VALUES ('east', 5, 1);
-- error: sql_unknown_name: Unknown column 'product' in 'field list'

-- id: insert_too_many
INSERT INTO stock (warehouse, product_id) VALUES ('east', 5, 1);
-- error: sql_syntax: Column count doesn't match value count at row 1
